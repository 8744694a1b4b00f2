//! Reads web pages: what the page is about, without its navigation, as blocks with the anchors that lead to them.

pub mod about;
pub mod blocks;
pub mod code;
pub mod container;
pub mod embedded;
mod finder;
mod furniture;
pub mod inline;
mod instructions;
mod lead;
pub mod links;
mod mathml;
pub mod notes;
pub mod prefilter;
pub mod table;
mod tabs;
mod walls;
pub mod writer;

use crate::builder::Builder;
use crate::html::container::Chosen;
use crate::html::embedded::Embedded;
use crate::html::inline::Base;
use crate::html::writer::Writer;
use crate::markup::markdown;
use crate::words::{WordList, words};
use skillkiln_document::blocks::{About, Block, BlockKind, Document};
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_document::text::word_count;
use url::Url;

/// A page with fewer words than this that runs scripts is taken to be filled by them.
const WORDS_MIN: usize = 25;
/// A page with fewer words than this may carry its text as data for its scripts.
const WORDS_FEW: usize = 60;

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
        .map_or(0, |document| word_count(&document.text));
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
                let page = dom_query::Document::from(prefilter::prefilter(html).as_str());
                about::read(&page, address)
            }
        };
        return Ok(Document {
            title: carried.title.or(title),
            about,
            ..carried
        });
    }
    read
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
    let page = dom_query::Document::from(prefilter::prefilter(html).as_str());
    let (builder, blocks) = read_body(&page, address);
    let title = crate::markup::lines::first_title(&blocks);
    builder.finish(title, About::default(), blocks)
}

/// Reads all of a page.
fn read_body(page: &dom_query::Document, address: Option<&str>) -> (Builder, Vec<Block>) {
    let mut writer = writer(page, address);
    let body = page.select_single("body");
    let blocks = body.nodes().first().map(|body| writer.inside(body, 0));
    (writer.builder, blocks.unwrap_or_default())
}

/// A writer of a page, whose noise is stripped.
fn writer(page: &dom_query::Document, address: Option<&str>) -> Writer {
    let url = base_of(page, address);
    container::strip(page);
    Writer {
        builder: Builder::default(),
        base: Base { url },
    }
}

/// Reads what the elements of a page show.
fn read_elements(html: &str, address: Option<&str>) -> Result<Document, Failure> {
    let page = dom_query::Document::from(prefilter::prefilter(html).as_str());
    let (title, about) = about::read(&page, address);
    let body = about::article_body(&page);
    let instructions = instructions::page(&about::structured_data(&page));
    let mut writer = writer(&page, address);
    let mut blocks = Vec::new();
    if let Some(chosen) = container::choose(&page, html, address)
        && let Some(node) = chosen.node()
    {
        if container::says_article(&page) && !matches!(chosen, Chosen::Whole(..)) {
            furniture::remove(&node, html, about.address.as_deref());
        }
        if let Chosen::Article(_) = &chosen {
            if let Some(head) = container::lost_heading(&page, &node) {
                writer.heading(&head, "h1", &mut blocks);
            }
            if let Some(lead) = lead::lost(&page, &node) {
                blocks.extend(writer.inside(&lead, 0));
            }
        }
        blocks.extend(writer.inside(&node, 0));
        if let Chosen::Article(_) = &chosen {
            container::raise_headings(&page, &mut blocks);
        }
    }
    let words = word_count(writer.builder.text());
    if let Some(page) = instructions
        && instructions::are_missing(&page, writer.builder.text())
    {
        let told = read_fragment(&page, address);
        return Ok(Document {
            title: told.title.clone().or(title),
            about,
            ..told
        });
    }
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
    if blocks.is_empty() {
        return Err(Failure::new(
            Reason::Unreadable,
            "there is no text on this page; send an address that holds words",
        ));
    }
    let title = crate::markup::lines::first_title(&blocks)
        .or(title)
        .or_else(|| first_heading(&blocks));
    Ok(writer.builder.finish(title, about, blocks))
}

/// Reads all of a page that is known to be content from end to end: a chapter of a book.
pub(crate) fn read_whole(html: &str) -> Document {
    let page = dom_query::Document::from(prefilter::prefilter(html).as_str());
    let (title, about) = about::read(&page, None);
    let (builder, blocks) = read_body(&page, None);
    builder.finish(title, about, blocks)
}

fn first_heading(blocks: &[Block]) -> Option<String> {
    blocks.iter().find_map(|block| match &block.kind {
        BlockKind::Heading { text, .. } => Some(skillkiln_document::text::plain(text)),
        _ => None,
    })
}

fn base_of(page: &dom_query::Document, address: Option<&str>) -> Option<Url> {
    let address = address.and_then(|address| Url::parse(address).ok());
    let named = page.select_single("base[href]").attr("href");
    match (address, named) {
        (Some(address), Some(href)) => address.join(href.trim()).ok().or(Some(address)),
        (Some(address), None) => Some(address),
        (None, Some(href)) => Url::parse(href.trim()).ok(),
        (None, None) => None,
    }
}

/// What scripts fill.
static ROOTS: WordList =
    words!("id=\"root\" id=\"app\" id=\"__next\" id=\"___gatsby\" id=root id=app <app-root");

/// Whether a page with hardly a word leaves its content to scripts.
fn is_filled_by_scripts(html: &str, words: usize) -> bool {
    let lower = html.to_ascii_lowercase();
    if !lower.contains("<script") {
        return false;
    }
    let has_root = ROOTS.iter().any(|mark| lower.contains(mark));
    let asks = lower.contains("enable javascript") || lower.contains("requires javascript");
    words == 0 || has_root || asks
}

#[cfg(test)]
mod tests {
    use super::read;
    use skillkiln_document::markdown::write;

    fn shown(html: &str) -> String {
        write(&read(html, None).expect("a page").blocks)
    }

    #[test]
    fn the_heading_of_a_short_page_stands_above_those_of_its_sections() {
        let page = "<h1>Kiln</h1><p>A kiln bakes clay.</p><h2 id=\"heat\">Heating</h2><p>Heat it by 80 degrees an hour.</p>\
                    <h2 id=\"cool\">Cooling</h2><p>Let it cool for twelve hours before you open the lid.</p>";
        let document = read(page, None).unwrap();
        let levels: Vec<u8> = document
            .blocks
            .iter()
            .filter_map(|block| match block.kind {
                skillkiln_document::blocks::BlockKind::Heading { level, .. } => Some(level),
                _ => None,
            })
            .collect();
        assert_eq!(levels, [1, 2, 2]);
    }

    #[test]
    fn a_value_that_was_struck_out_is_no_second_value() {
        let page = "<main><h1>Kiln heat</h1><p>Fire the kiln to <del>900</del> <ins>1200</ins> degrees before you open it.</p>\
                    <p>A firing costs <span style=\"text-decoration: line-through\">80</span> 70 crowns.</p></main>";
        assert_eq!(
            shown(page),
            "# Kiln heat\n\nFire the kiln to 1200 degrees before you open it.\n\nA firing costs 70 crowns.\n"
        );
    }

    #[test]
    fn an_empty_line_between_breaks_parts_paragraphs() {
        let page = "<main><div>It stands in the shed.<br>It is old.<br><br>Tonight I clean it.<br> <br>How is yours?</div></main>";
        assert_eq!(
            shown(page),
            "It stands in the shed.\\\nIt is old.\n\nTonight I clean it.\n\nHow is yours?\n"
        );
    }

    #[test]
    fn the_reading_of_a_word_does_not_run_into_it() {
        let page = "<main><h1>窯</h1><p><ruby>手入<rt>てい</rt></ruby>れと<ruby><rb>窯</rb><rp>（</rp><rt>かま</rt><rp>）</rp></ruby>です。</p></main>";
        assert_eq!(shown(page), "# 窯\n\n手入れと窯です。\n");
    }

    #[test]
    fn the_controls_of_a_video_player_are_no_text() {
        let page = "<article><h1>Inns</h1><p>Blankets in an inn are not always washed between two guests.</p>\
                    <div class=video-js><div class=vjs-control-bar><span>Mute</span></div></div>\
                    <p>Ask for a room far from the lift, since its noise goes through the wall.</p></article>";
        assert!(!shown(page).contains("Mute"), "{}", shown(page));
    }

    #[test]
    fn the_footer_that_a_judge_of_articles_prefers_is_not_the_article() {
        let page = "<title>One kiln for all</title><body><div><div><section><div><p>One thing has not changed, and that is what members of the guild may do. They can still fire in all thirteen kilns of the alliance, use its drying rooms around the valley, and have the clay of more than a thousand pits to choose from.</p></div></section></div></div>\
                    <footer><section><p>The offers that appear on this site are from makers from which the site is paid. Such payment may bear upon how and where goods appear on it (including, for example, the order in which they appear). This site does not name all makers, nor all offers that can be had. Look at our page on advertising to learn more.</p></section></footer></body>";
        let shown = shown(page);
        assert!(
            shown.contains("One thing has not changed") && !shown.contains("offers"),
            "{shown}"
        );
    }
}
