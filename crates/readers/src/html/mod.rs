//! Reads web pages: what the page is about, without its navigation, as blocks with the anchors that lead to them.

pub mod about;
pub mod blocks;
pub(crate) mod chapters;
pub mod code;
pub mod container;
mod docinfo;
pub mod embedded;
mod finder;
mod furniture;
mod generated;
mod haddock;
mod handwritten;
pub mod inline;
mod judged;
pub(crate) mod levels;
mod lined;
pub mod links;
mod marks;
mod mathml;
mod mistyped;
mod moved;
pub mod notes;
mod pictured;
pub mod prefilter;
mod preformatted;
mod questions;
pub(crate) mod rich_text;
mod symbols;
pub mod table;
mod tabs;
mod templates;
mod terms;
mod toctrees;
mod tree;
mod turners;
mod unclosed;
mod walls;

use crate::data::source;
use crate::html::about::Told;
use crate::html::blocks::Writer;
use crate::html::chapters::Chapter;
use crate::html::container::Chosen;
use crate::html::embedded::Embedded;
use crate::html::inline::Base;
use crate::languages;
use crate::markup::markdown;
use skillkiln_document::blocks::{About, Block, BlockKind, Document};
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_document::text::{plain, word_count, words};
use skillkiln_document::titled::project_before;

/// A page with fewer words than this that runs scripts is taken to be filled by them.
const WORDS_MIN: usize = 25;
/// A page with fewer words than this may carry its text as data for its scripts.
const WORDS_FEW: usize = 60;
/// Code of so many lines is a file; shorter code is an example.
const SOURCE_LINES: usize = 40;
/// How Sphinx calls a page that shows a module's source.
const SOURCE_OF: &str = "Source code for ";

/// What is said of a page whose text is nowhere in it. Where the page is fetched, its twins are tried before this is told.
pub const SCRIPTED: &str = "this page is filled in by scripts, which are not run here; send its text, a saved copy or an address that holds the text (many sites offer the same page as .md, or /llms.txt)";

/// Reads the page `html` that was found at `address`.
///
/// # Errors
/// When there is nothing to read, or only what scripts would fill in.
pub fn read(html: &str, address: Option<&str>) -> Result<Document, Failure> {
    let read = read_elements(html, address);
    let words = read
        .as_ref()
        .map_or(0, |document| words_up_to(WORDS_FEW, &document.text));
    if let Some(address) = address {
        let title = read
            .as_ref()
            .map_or_else(|_| about::title(html), |document| document.title.clone());
        let wall = walls::in_the_way(html, address, title.as_deref(), read.as_ref().ok());
        if let Some(failure) = wall {
            return Err(failure);
        }
    }
    if words < WORDS_FEW
        && let Some(found) = embedded::find(html)
        && let Some(carried) = carried(found, address)
        && word_count(&carried.text) > words * 2
    {
        let (title, about) = match read {
            Ok(document) => (document.title, document.about),
            Err(_) => {
                let page = tree::of(html);
                Told::of(&page).about(address)
            }
        };
        return Ok(Document {
            title: carried.title.or(title),
            about,
            ..carried
        });
    }
    read.map(|document| as_source(&document).unwrap_or(document))
}

/// A page that shows one file of source code and says nothing else is read as that file is.
fn as_source(document: &Document) -> Option<Document> {
    let BlockKind::Code { language, text } = &document.blocks.last()?.kind else {
        return None;
    };
    let is_heading = |block: &Block| matches!(block.kind, BlockKind::Heading { .. });
    let before = document.blocks.len() - 1;
    let is_only = before < 2 && document.blocks.iter().take(before).all(is_heading);
    let is_file = || text.lines().count() >= SOURCE_LINES;
    if !(is_only && is_file()) {
        return None;
    }
    let read = match language {
        Some(language) => source::read(text, language)?,
        None => source::read(text, languages::of(text)?.name())?,
    };
    let title = document.title.as_deref();
    let title = title.map(|title| title.strip_prefix(SOURCE_OF).unwrap_or(title));
    Some(Document {
        title: title.map(str::to_owned),
        about: document.about.clone(),
        ..read
    })
}

/// The document of text that a page carries as data.
pub fn carried(found: Embedded, address: Option<&str>) -> Option<Document> {
    let document = match found {
        Embedded::Html(html) => read_fragment(&html, address),
        Embedded::Markdown(text) => markdown::read(text),
    };
    (word_count(&document.text) >= WORDS_MIN).then_some(document)
}

/// Reads mark-up that is content from its beginning to its end.
fn read_fragment(html: &str, address: Option<&str>) -> Document {
    let page = tree::of(html);
    let base = Told::of(&page).base_of_links(address);
    container::strip(&page);
    let mut writer = Writer::new(base);
    let blocks = match page.select_single("body").nodes().first() {
        Some(body) => writer.all(body),
        None => Vec::new(),
    };
    let title = markdown::first_title(&blocks);
    writer.builder.finish(title, About::default(), blocks)
}

/// Reads mark-up that stands in a text of another kind and is content from its beginning to its end: none of it is taken for
/// furniture of a page.
pub(crate) fn read_inset(html: &str) -> Document {
    let page = tree::of(html);
    container::strip(&page);
    let mut writer = Writer::new(Base::default());
    writer.builder.enter();
    let blocks = match page.select_single("body").nodes().first() {
        Some(body) => writer.inside(body, 0),
        None => Vec::new(),
    };
    writer.builder.finish(None, About::default(), blocks)
}

/// Reads what the elements of a page show.
fn read_elements(html: &str, address: Option<&str>) -> Result<Document, Failure> {
    let page = tree::of(html);
    let told = Told::of(&page);
    let (title, about) = told.about(address);
    let body = told.article_body();
    let base = told.base_of_links(address);
    container::strip(&page);
    let mut writer = Writer::new(base);
    let mut blocks = Vec::new();
    if let Some(chosen) = container::choose(&page, &told, html, address)
        && let Some(node) = chosen.node()
    {
        if let Chosen::Article(_) = &chosen
            && let Some(head) = container::lost_heading(&page, &node)
        {
            writer.heading(&head, "h1", &mut blocks);
        }
        toctrees::drop(&node);
        writer.expects_heading = furniture::has_heading(&node);
        writer.prose = preformatted::prose(&node);
        blocks.extend(writer.all(&node));
    }
    if let Some(failure) = moved::refusal(&told, writer.builder.text(), &blocks) {
        return Err(failure);
    }
    let words = words_up_to(WORDS_MIN, writer.builder.text());
    if words < WORDS_MIN
        && let Some(body) = body
    {
        let mut document = markdown::read(body);
        document.title = title;
        document.about = about;
        return Ok(document);
    }
    if words < WORDS_MIN && is_filled_by_scripts(html, words) {
        return Err(Failure::new(Reason::Unreadable, SCRIPTED));
    }
    if blocks.iter().all(is_imprint) {
        return Err(Failure::new(
            Reason::Unreadable,
            "there is no text on this page; send an address that holds words",
        ));
    }
    // What stands before the heading there says whose page it is.
    let tells_project = |heading: &String| {
        let title = title.as_deref();
        title.is_some_and(|title| project_before(title, heading).is_some())
    };
    let first = markdown::first_title(&blocks);
    if first.as_ref().is_some_and(tells_project) {
        return Ok(writer.builder.finish(title, about, blocks));
    }
    let title = first
        .filter(|heading| !about::is_no_title(heading))
        .filter(|heading| title.is_none() || !about::heads_anything(heading))
        .filter(|_| {
            !title
                .as_deref()
                .is_some_and(|title| levels::are_parts(&blocks, title))
        })
        .or_else(|| heading_of(title.as_deref()?, &blocks))
        .or(title)
        .or_else(|| first_heading(&blocks));
    Ok(writer.builder.finish(title, about, blocks))
}

/// Whether a block only says whose a page is.
fn is_imprint(block: &Block) -> bool {
    matches!(&block.kind, BlockKind::Paragraph(text) if generated::is_imprint(&plain(text)))
}

/// Reads all of a page that is known to be content from end to end.
pub(crate) fn read_whole(html: &str) -> Document {
    whole(html, |_| {})
}

/// Reads a chapter of a book, all of which is content but for what the book is put together by.
pub(crate) fn read_chapter(html: &str, chapter: &Chapter<'_>) -> Document {
    whole(html, |page| chapters::mend(page, chapter))
}

fn whole(html: &str, mend: impl FnOnce(&dom_query::Document)) -> Document {
    let page = tree::of(html);
    let (title, about) = Told::of(&page).about(None);
    container::strip(&page);
    mend(&page);
    let mut writer = Writer::new(Base::default());
    let blocks = match page.select_single("body").nodes().first() {
        Some(body) => writer.all(body),
        None => Vec::new(),
    };
    writer.builder.finish(title, about, blocks)
}

/// The first heading, where it is the title with a number before it: `Chapter 53 - Log files` of a page that is called `53. Log
/// files`. Called so, the page does not say the same twice.
fn heading_of(title: &str, blocks: &[Block]) -> Option<String> {
    let heading = first_heading(blocks)?;
    let words = title.trim_start_matches(|c: char| c.is_ascii_digit() || ". ".contains(c));
    let number = heading.strip_suffix(words)?;
    let is_number = number.chars().count() <= 16 && number.contains(|c: char| c.is_ascii_digit());
    (is_number && words.contains(char::is_alphabetic)).then_some(heading)
}

fn first_heading(blocks: &[Block]) -> Option<String> {
    blocks.iter().find_map(|block| match &block.kind {
        BlockKind::Heading { text, .. } => Some(plain(text)),
        _ => None,
    })
}

/// How many words a text has, as far as that is asked.
fn words_up_to(limit: usize, text: &str) -> usize {
    words(text).take(limit).count()
}

/// Whether a page with hardly a word leaves its content to scripts.
fn is_filled_by_scripts(html: &str, words: usize) -> bool {
    let lower = html.to_ascii_lowercase();
    if !lower.contains("<script") {
        return false;
    }
    let has_root = [
        "id=\"root\"",
        "id=\"app\"",
        "id=\"__next\"",
        "id=\"___gatsby\"",
        "id=root",
        "id=app",
        "<app-root",
    ]
    .iter()
    .any(|mark| lower.contains(mark));
    let asks = lower.contains("enable javascript") || lower.contains("requires javascript");
    words == 0 || has_root || asks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_called_as_the_heading_that_has_the_number_of_its_chapter() {
        for (head, heading, title) in [
            (
                "53. Logs",
                "<h2>Chapter 53 - Logs</h2>",
                "Chapter 53 - Logs",
            ),
            ("Logs", "<h2>Chapter 53 - Logs</h2>", "Chapter 53 - Logs"),
            ("Logs", "<h2>All the logs of a kiln</h2>", "Logs"),
            ("kiln", "<h1>NAME</h1>", "kiln"),
        ] {
            let html = format!(
                "<title>{head}</title><main>{heading}<p>The kiln writes what it burns.</p></main>"
            );
            assert_eq!(read(&html, None).unwrap().title.as_deref(), Some(title));
        }
    }

    #[test]
    fn the_lists_in_which_javadoc_frames_its_sections_are_none() {
        let told = skillkiln_document::markdown::write(
            &read(
                "<meta name=generator content=javadoc><main><h2>Class Kiln</h2><ul class=blockList><li class=blockList>\
                 <h3>Method Detail</h3><ul class=blockListLast><li class=blockList><h4>fire</h4><pre>void fire()</pre>\
                 <p>Fires all that stands in it.</p></li></ul></li></ul></main>",
                None,
            )
            .unwrap()
            .blocks,
        );
        assert!(
            told.contains("### Method Detail\n\n#### fire\n\n```"),
            "{told}"
        );
    }

    #[test]
    fn the_bars_of_javadoc_are_no_text_however_little_else_there_is() {
        let told = skillkiln_document::markdown::write(
            &read(
                "<body><div class=topNav><ul class=navList><li>Package</li><li>Class</li></ul></div><div class=header>\
                 <h2>Uses of Class Kiln</h2></div><div class=classUseContainer>No usage of Kiln</div>\
                 <table><tr><td class=NavBarCell1><b>Overview</b></td></tr></table></body>",
                None,
            )
            .unwrap()
            .blocks,
        );
        assert!(told.contains("No usage of Kiln"), "{told}");
        assert!(
            !told.contains("Package") && !told.contains("Overview"),
            "{told}"
        );
    }

    #[test]
    fn a_page_of_a_manual_that_only_leads_to_others_has_nothing_of_what_stands_around_it() {
        let told = skillkiln_document::markdown::write(
            &read(
                "<meta name=generator content=\"Docutils 0.17\"><body><div class=related role=navigation><h3>Navigation</h3><ul>\
                 <li>index</li><li>next |</li></ul></div><div class=body role=main><h1>Kilns</h1><ul><li><a href=fire.html>Fire</a>\
                 </li><li><a href=clay.html>Clay</a></li></ul></div><div class=sphinxsidebar><h4>Previous topic</h4>\
                 <p>Getting started with all that is hot and burns clay for a day</p></div></body>",
                None,
            )
            .unwrap()
            .blocks,
        );
        assert!(told.contains("Fire") && !told.contains("topic"), "{told}");
        assert!(!told.contains("Navigation"), "{told}");
    }

    #[test]
    fn a_page_that_shows_a_file_of_source_code_is_read_as_that_file() {
        let function = |number: usize| {
            format!(
                "def fire_{number}(kiln):\n    \"\"\"Fires chamber {number} of a kiln.\"\"\"\n    kiln.burn({number})\n\n\n"
            )
        };
        let code: String = (0..12).map(function).collect();
        let page = |around: &str| {
            format!(
                "<html><head><title>kiln.py</title><meta name=generator content=\"Docutils 0.19\"></head><body><div role=main>\
                 <h1>Source code for kiln</h1>{around}<div class=\"highlight\"><pre>import kiln\n\n\n{code}</pre></div></div></body></html>"
            )
        };
        let told =
            |html: &str| skillkiln_document::markdown::write(&read(html, None).unwrap().blocks);
        assert!(told(&page("")).contains("`fire_7`"), "{}", told(&page("")));
        assert!(told(&page("")).contains("Fires chamber 7 of a kiln.\n"));
        assert_eq!(
            read(&page(""), None).unwrap().title.as_deref(),
            Some("kiln")
        );
        let manual = told(&page(
            "<p>It is imported as all modules are, and then fires kilns.</p>",
        ));
        assert!(!manual.contains("`fire_7`"), "{manual}");
    }

    #[test]
    fn the_sign_by_which_a_heading_is_linked_is_none_of_it() {
        let html = "<title>kiln</title><main><p>It burns.</p><h2 class=memtitle><span class=permalink><a href='#a1'>◆&nbsp;</a></span>open()</h2><p>Opens.</p></main>";
        let told = skillkiln_document::markdown::write(&read(html, None).unwrap().blocks);
        assert!(told.contains("## open()\n"), "{told}");
    }

    #[test]
    fn the_numbers_that_items_give_themselves_are_kept() {
        for (list, shown) in [
            (
                "<ol><li>a</li><li value=404>b</li><li>c</li></ol>",
                "1. a\n\n404) b\n405) c\n",
            ),
            ("<ol reversed><li>a</li><li>b</li></ol>", "2. a\n\n1) b\n"),
            ("<ol start=3><li>a</li><li>b</li></ol>", "3. a\n4. b\n"),
            ("<ul><li value=3>a</li><li>b</li></ul>", "- a\n- b\n"),
        ] {
            let html = format!("<main><h1>Heat</h1><p>The kiln counts.</p>{list}</main>");
            let text = skillkiln_document::markdown::write(&read(&html, None).unwrap().blocks);
            assert!(text.ends_with(shown), "{text}");
        }
    }

    #[test]
    fn what_classes_a_term_stands_apart_from_it() {
        for (class, shown) in [
            (
                "<span class=classifier>int, optional</span>",
                "**heat : int, optional**",
            ),
            (
                "<span class=classifier-delimiter>:</span> <span class=classifier>int</span>",
                "**heat: int**",
            ),
        ] {
            let html = format!(
                "<main><h1>Kiln</h1><dl><dt><strong>heat</strong>{class}</dt><dd>How hot the kiln is.</dd></dl></main>"
            );
            let page = read(&html, None).unwrap();
            let text = skillkiln_document::markdown::write(&page.blocks);
            assert!(text.contains(shown), "{text}");
        }
    }

    #[test]
    fn a_listing_of_a_module_has_no_links_back_to_its_manual() {
        let html = "<main><h1>Source of kiln</h1><p>All of it stands here.</p><div class=highlight><pre>import heat\n\n<a class=viewcode-back href=kiln.html>[docs]</a>class Kiln:\n    pass\n</pre></div></main>";
        let page = read(html, None).unwrap();
        let text = skillkiln_document::markdown::write(&page.blocks);
        assert!(
            text.contains("\nclass Kiln:") && !text.contains("[docs]"),
            "{text}"
        );
    }
}
