//! Puts right what generators of documentation lay out for a browser alone: names that stand away from what they name, texts that
//! are shown under the mouse, what is told twice, rows of links to other pages, and the line that names the generator.

use crate::html::finder::{Finder, List};
use crate::html::furniture::is_heading;
use crate::html::{docinfo, haddock, questions, symbols};
use dom_query::{Document, NodeRef};
use skillkiln_document::text::squash;
use std::collections::HashSet;

/// All that is looked for, found at once.
static FOUND: List = List::new(|| {
    Finder::of(
        "div.table > p.title,h1.settitle,h1.top,span.annottext,td.mdescRight,ul.summary,h3.signature,p.definition,p.reference,table,dt.sig,p.doc-class-bases,dl.field-list,dl.docinfo,#module-header,div.qandaset,h2.contents-heading,h2.shortcontents-heading,h2.memtitle,h2.groupheader",
    )
});
/// How DocBook names a table.
static CAPTIONS: List = List::new(|| Finder::of("div.table > p.title"));
/// How Texinfo names the titles of a manual and of its first node.
static TITLES: List = List::new(|| Finder::of("h1.settitle,h1.top"));
/// What Haddock shows when the mouse is over code: its type, once more.
static HOVERS: List = List::new(|| Finder::of("span.annottext"));
/// How Doxygen calls the cell that says in brief what a member is.
static BRIEFS: List = List::new(|| Finder::of("td.mdescRight"));
/// How YARD calls its lists of methods, and the headings under which each is told in full.
static SUMMARIES: List = List::new(|| Finder::of("ul.summary"));
static SIGNATURES: List = List::new(|| Finder::of("h3.signature"));
/// How Doxygen calls the lines that lead to its pages of source code.
static SOURCES: List = List::new(|| Finder::of("p.definition,p.reference"));
/// Where Sphinx and mkdocstrings say from what a class is derived.
static DERIVED: List = List::new(|| Finder::of("dt.sig,p.doc-class-bases"));
/// How Texinfo calls the headings of its tables of contents, in whatever language.
static OVER_CONTENTS: List =
    List::new(|| Finder::of("h2.contents-heading,h2.shortcontents-heading"));
/// How Doxygen calls the headings of members, and those of the groups that they stand in.
static MEMBERS: List = List::new(|| Finder::of("h2.memtitle"));
static GROUPS: List = List::new(|| Finder::of("h2.groupheader"));
/// How Haddock calls the head of a module, and DocBook a set of questions.
static MODULES: List = List::new(|| Finder::of("#module-header"));
static QUESTIONS: List = List::new(|| Finder::of("div.qandaset"));
/// How Docutils lists who wrote a document and when.
static FIELDS: List =
    List::new(|| Finder::of("dl.field-list,dl.docinfo,table.field-list,table.docinfo"));

/// So many elements of a table's frame are looked at for the table.
const FRAME_ELEMENTS_MAX: usize = 200;
/// A row of links to other pages is no longer, in bytes.
const ROW_BYTES_MAX: usize = 2_000;
/// What texi2html calls them, each in brackets.
const TURNERS: [&str; 11] = [
    "<", ">", "<<", ">>", "Up", "Top", "Contents", "Overview", "Index", "?", "Next",
];
/// The line that names the generator has no more words.
const MADE_BY_WORDS_MAX: usize = 24;
/// A line that says where something is defined has no more words, and one that says whose a page is.
const SOURCE_WORDS_MAX: usize = 10;
const IMPRINT_WORDS_MAX: usize = 16;
/// Generators, as that line names them.
const GENERATORS: [&str; 18] = [
    "doxygen",
    "yard",
    "gtk-doc",
    "javadoc",
    "texi2html",
    "texi2any",
    "makeinfo",
    "latex2html",
    "haddock",
    "sphinx",
    "jsdoc",
    "pdoc",
    "typedoc",
    "phpdocumentor",
    "rdoc",
    "epydoc",
    "robodoc",
    "docutils",
];

/// Puts right what is found on a page.
pub(super) fn mend(page: &Document) {
    let found = FOUND.find(page);
    join_titles(&TITLES.among(&found));
    join_captions(&CAPTIONS.among(&found));
    for hover in HOVERS.among(&found) {
        hover.remove_from_parent();
    }
    join_briefs(&BRIEFS.among(&found));
    drop_summaries(&SUMMARIES.among(&found), &SIGNATURES.among(&found));
    for line in SOURCES.among(&found) {
        if leads_to_source(&squash(&line.text())) {
            line.remove_from_parent();
        }
    }
    symbols::put_bases_behind(&DERIVED.among(&found));
    for list in FIELDS.among(&found) {
        docinfo::mend(&list);
    }
    for header in MODULES.among(&found) {
        haddock::mend(page, &header);
    }
    for heading in OVER_CONTENTS.among(&found) {
        drop_contents(&heading);
    }
    // Both are headings of the same level in what Doxygen writes; its style alone sets one below the other.
    if !GROUPS.among(&found).is_empty() {
        for member in MEMBERS.among(&found) {
            member.rename("h3");
        }
    }
    for set in QUESTIONS.among(&found) {
        questions::mend(page, &set);
    }
    for table in found.iter().filter(|node| node.has_name("table")) {
        if turns_pages(table) || is_menu(table) || is_pod_title(table) {
            table.remove_from_parent();
        }
    }
}

/// Whether a table is the menu of a chapter that Texinfo writes into a manual of one page: it leads to what follows.
fn is_menu(table: &NodeRef<'_>) -> bool {
    let leads_on = |row: &NodeRef<'_>| {
        let mut cells = row.descendants_it();
        cells.any(|node| {
            node.has_name("th") || node.attr("href").is_some_and(|href| href.starts_with('#'))
        })
    };
    let rows = || table.descendants_it().filter(|node| node.has_name("tr"));
    table.has_class("menu") && rows().next().is_some() && rows().all(|row| leads_on(&row))
}

/// Whether a table is the bar with the title of a page that pod2html sets at its beginning and at its end, outside of what it says.
fn is_pod_title(table: &NodeRef<'_>) -> bool {
    let mut inside = table.descendants_it().take(FRAME_ELEMENTS_MAX);
    inside.any(|node| node.has_name("td") && node.has_class("_podblock_"))
}

/// Takes out the table of contents below its heading, where it leads through the page itself.
fn drop_contents(heading: &NodeRef<'_>) {
    let below = heading.next_element_sibling();
    let is_table =
        |node: &NodeRef<'_>| node.has_class("contents") || node.has_class("shortcontents");
    let Some(table) = below.filter(is_table) else {
        return;
    };
    // What still looks around does not let it be taken out.
    let leads_on = {
        let mut links = table.descendants_it().filter_map(|node| node.attr("href"));
        links.next().is_some_and(|href| href.starts_with('#'))
    };
    if leads_on {
        table.remove_from_parent();
        heading.remove_from_parent();
    }
}

/// Whether words are the line of a page that names what made it: `Generated by kilndoc 1.9`.
pub(super) fn says_what_made_it(words: &str) -> bool {
    let words = words.trim();
    let begins = [
        "Generated by",
        "Generated on",
        "Generated at",
        "Produced by",
        "Created using",
    ]
    .iter()
    .chain(&["This document was generated", "This page was generated"])
    .any(|lead| words.starts_with(lead));
    if !begins || words.split_whitespace().count() > MADE_BY_WORDS_MAX {
        return false;
    }
    let last = words.rsplit(char::is_whitespace).next().unwrap_or_default();
    // "Generated on each start, the file is read by all" says more.
    let goes_on = words
        .split(", ")
        .skip(1)
        .any(|rest| rest.starts_with(char::is_lowercase));
    let before = words.split_whitespace().rev().nth(1);
    let is_version = before == Some("by")
        && last.starts_with(|c: char| c.is_ascii_digit())
        && last.contains('.')
        && last
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.');
    let lower = words.to_lowercase();
    !goes_on && (is_version || GENERATORS.iter().any(|name| lower.contains(name)))
}

/// Whether words are a line of Doxygen that leads to its pages of source code: where something is defined, what it calls and is
/// called by.
pub(super) fn leads_to_source(words: &str) -> bool {
    let words = words.trim();
    let is_place = words.starts_with("Definition at line ") && words.contains(" of file ");
    let calls = |lead: &str| {
        let named = words.strip_prefix(lead).and_then(|it| it.strip_suffix('.'));
        named.is_some_and(|named| {
            let mut names = named.split([',', ' ']).filter(|name| !name.is_empty());
            names.all(|name| name == "and" || name.contains(['(', ')', ':', '_', '~']))
        })
    };
    is_place && words.split(' ').count() <= SOURCE_WORDS_MAX
        || calls("References ")
        || calls("Referenced by ")
}

/// Whether words only say whose a page is, or when it was changed.
pub(super) fn is_imprint(words: &str) -> bool {
    let words = words.trim();
    let begins = ["©", "Copyright ", "(c) ", "updated: ", "Last updated"];
    begins.iter().any(|lead| words.starts_with(lead))
        && words.split_whitespace().count() <= IMPRINT_WORDS_MAX
}

/// Texinfo puts the title over a page and again over its first node; what it has between them, set as headings, is a title page: it
/// heads nothing.
fn join_titles(titles: &[NodeRef<'_>]) {
    let [title, again] = titles else {
        return;
    };
    let is_again = title.has_class("settitle") && again.has_class("top");
    if !is_again || squash(&title.text()) != squash(&again.text()) {
        return;
    }
    let mut beside = title.next_sibling();
    while let Some(node) = beside {
        if node.has_class("top") || node.id == again.id {
            break;
        }
        if is_heading(&node) {
            node.rename("p");
        }
        beside = node.next_sibling();
    }
    again.remove_from_parent();
}

/// DocBook puts the name of a table over all that its frame holds, which may be paragraphs before the table: it names the table.
fn join_captions(captions: &[NodeRef<'_>]) {
    for name in captions {
        let frame = name.parent();
        let is_first = name
            .prev_sibling()
            .is_none_or(|before| !before.has_name("p"));
        let table = frame.filter(|_| is_first).and_then(|frame| {
            let mut inside = frame.descendants_it().take(FRAME_ELEMENTS_MAX);
            inside.find(|it| it.has_name("table"))
        });
        if let Some(table) = table {
            table.insert_before(name);
        }
    }
}

/// Doxygen says in brief what a member is in a row below it: it belongs to the member's own row.
fn join_briefs(briefs: &[NodeRef<'_>]) {
    for brief in briefs {
        let Some(row) = brief.parent().filter(|row| row.has_name("tr")) else {
            continue;
        };
        let above = row.prev_element_sibling().filter(|above| {
            let mut cells = above.children_it(false);
            cells.any(|cell| cell.has_class("memItemRight") || cell.has_class("memTemplItemRight"))
        });
        if let Some(above) = above {
            above.append_child(brief);
            row.remove_from_parent();
        }
    }
}

/// Takes out the lists of what a page of YARD tells in full below, with the headings over them.
fn drop_summaries(summaries: &[NodeRef<'_>], signatures: &[NodeRef<'_>]) {
    let told: HashSet<String> = signatures
        .iter()
        .filter_map(|heading| heading.id_attr())
        .map(|id| id.to_string())
        .collect();
    let is_told = |link: &NodeRef<'_>| {
        let href = link.attr("href");
        href.is_some_and(|href| href.strip_prefix('#').is_some_and(|id| told.contains(id)))
    };
    for list in summaries {
        let links: Vec<NodeRef<'_>> = list
            .descendants_it()
            .filter(|node| {
                let is_named = |around: NodeRef<'_>| around.has_class("summary_signature");
                node.has_name("a") && node.parent().is_some_and(is_named)
            })
            .collect();
        if links.is_empty() || !links.iter().all(is_told) {
            continue;
        }
        if let Some(head) = list.prev_element_sibling().filter(is_heading) {
            head.remove_from_parent();
        }
        list.remove_from_parent();
    }
}

/// Whether a table only leads to the pages around, as texi2html writes it: `[ < ] [ > ] [ Up ] [Contents]`.
fn turns_pages(table: &NodeRef<'_>) -> bool {
    let mut said = String::new();
    for node in table.descendants_it().filter(NodeRef::is_text) {
        said.push_str(node.text().trim());
        if said.len() > ROW_BYTES_MAX || !said.is_empty() && !said.starts_with('[') {
            return false;
        }
    }
    let (mut links, mut rest) = (0, said.as_str());
    while let Some((name, behind)) = rest.strip_prefix('[').and_then(|it| it.split_once(']')) {
        if !TURNERS.contains(&name.trim()) {
            return false;
        }
        links += 1;
        rest = behind;
    }
    links > 1 && rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::is_imprint;
    use crate::html::read;
    use skillkiln_document::markdown::write;

    fn written(html: &str) -> String {
        write(&read(html, None).expect("it is read").blocks)
    }

    #[test]
    fn a_menu_of_dishes_is_none_of_chapters() {
        let page = "<body><h1>Kiln inn</h1><p>They cook in the kiln for a whole night, and serve it a day after.</p><h2 id=soup>Soup</h2><p>It is hot.</p>\
            <table class=menu><tr><td><a href='#soup'>Soup</a><td>Contains nuts.<tr><td>Cake<td>7 dollars.</table><p>It is open all day.</p></body>";
        let text = written(page);
        assert!(
            text.contains("Contains nuts") && text.contains("7 dollars"),
            "{text}"
        );
    }

    #[test]
    fn the_contents_of_a_manual_in_one_page_are_dropped_whatever_they_are_called() {
        let page = |target: &str| {
            written(&format!(
                "<body><h1 class=settitle>Kilns</h1><p>They are heated until the clay is hard, and opened a day after.</p><h2 class=contents-heading>Table des fours</h2><div class=contents><ul><li><a href='{target}'>1 Feu</a></li></ul></div><table class=menu><tr><td>&bull; <a href='{target}'>Feu</a><td>What burns.</table><h2 class=chapter id=Feu>1 Le feu</h2><p>It takes a day of dry wood and a potter who stays awake.</p><pre>a</pre><pre>b</pre></body>"
            ))
        };
        let own = page("#Feu");
        assert!(
            !own.contains("fours") && !own.contains("What burns"),
            "{own}"
        );
        assert!(
            page("feu.html").contains("[1 Feu](feu.html)"),
            "{}",
            page("feu.html")
        );
    }

    #[test]
    fn the_bars_that_pod2html_sets_around_a_page_are_none_of_it() {
        let bar = "<table><tr><td class=_podblock_><big><strong><span class=_podblock_>&nbsp;Kilns and Ovens</span></strong></big></td></tr></table>";
        let text = written(&format!(
            "<title>Kilns and Ovens</title><body id=_podtop_>{bar}<h2 id=NAME>NAME</h2><p>kiln - a place for clay that is heated slowly, and opened a day after it</p><h2>FILES</h2><pre>/etc/kiln</pre><pre>/etc/oven</pre>{bar}</body>"
        ));
        assert!(
            !text.contains("Ovens") && text.contains("## NAME\n"),
            "{text}"
        );
    }

    #[test]
    fn the_members_that_doxygen_tells_of_stand_below_their_group() {
        let text = written(
            "<body><!-- Generated by Doxygen 1.9.1 --><div class=contents><h2 class=groupheader>Functions</h2><h2 class=memtitle>open()</h2><p>It opens the kiln, and nobody stands beside it while it is hot.</p></div></body>",
        );
        assert!(text.contains("## Functions\n\n### open()\n"), "{text}");
    }

    #[test]
    fn whose_a_page_is_and_when_it_was_changed_is_no_text() {
        for words in [
            "Copyright 2026 Ada",
            "updated: 2026-01-02 11:51",
            "Last updated in May",
        ] {
            assert!(is_imprint(words), "{words}");
        }
        assert!(!is_imprint("The kiln is updated: it has a door."));
    }

    #[test]
    fn what_doxygen_draws_hides_and_marks_is_no_text() {
        let text = written(
            "<body><h1>Kiln</h1><div class=\"center\"><img src=\"classkiln__inherit__graph.png\" alt=\"Inheritance graph\"></div>\
             <span class=\"legend\">[<a href=\"graph_legend.html\">legend</a>]</span>\
             <table class=\"mlabels\"><tr><td class=\"mlabels-left\">void fire()</td><td class=\"mlabels-right\">\
             <span class=\"mlabels\"><span class=\"mlabel\">inline</span><span class=\"mlabel\">virtual</span></span></td></tr></table>\
             <p>It fires. Ask ada@ki<span class=\"obfuscator\">.nosp@m.</span>ln.org for more.</p></body>",
        );
        assert!(text.contains("void fire()"), "{text}");
        assert!(text.contains("ada@kiln.org"), "{text}");
        for furniture in ["graph", "legend", "inline", "nosp"] {
            assert!(!text.contains(furniture), "{text}");
        }
    }

    #[test]
    fn a_sentence_on_what_is_generated_is_text() {
        for said in [
            "Generated on each start, the file is read by Sphinx.",
            "Generated at boot since 2.4.",
            "Produced by Ada in version 1.0",
        ] {
            let text = written(&format!(
                "<body><h1>Kilns</h1><p>They are hot.</p><p>{said}</p></body>"
            ));
            assert!(text.contains(said), "{text}");
        }
        let text =
            written("<body><h1>Kilns</h1><p>They are hot.</p><p>Generated by 1.9.1</p></body>");
        assert!(!text.contains("Generated"), "{text}");
    }

    #[test]
    fn the_name_of_a_table_of_docbook_stands_right_above_it() {
        let text = written(
            "<meta name=generator content=DocBook><body><h1>Kilns</h1><div class=table><p class=title><b>Table 1. Woods</b></p><div class=table-contents>\
             <p>A kiln is heated slowly, with wood that was dried for a year.</p><table><tr><th>Wood</th><th>Heat</th></tr><tr><td>oak</td><td>9</td></tr></table></div></div></body>",
        );
        assert!(
            text.contains("for a year.\n\n**Table 1. Woods**\n\n| Wood |"),
            "{text}"
        );
    }

    #[test]
    fn the_title_of_a_manual_of_texinfo_is_said_once_and_its_title_page_heads_nothing() {
        let text = written(
            "<!-- Created by GNU Texinfo --><body><h1 class=settitle>Kilns</h1><h2>All of them</h2><h3>Version 2</h3><hr>\
             <div class=top id=Top><h1 class=top>Kilns</h1><div class=chapter><h2 class=chapter>1 Heat</h2><p>It takes dry wood, and a day of patience.</p></div></div></body>",
        );
        assert_eq!(
            text,
            "# Kilns\n\nAll of them\n\nVersion 2\n\n## 1 Heat\n\nIt takes dry wood, and a day of patience.\n"
        );
    }

    #[test]
    fn what_is_shown_under_the_mouse_is_no_code_and_a_remark_in_code_is() {
        let line = "<span class=hs-identifier>heat</span> <span class=hs-glyph>=</span> <span class=annot><span class=annottext>Kiln -&gt; Heat\n</span><a href='#'><span class=hs-var>fire</span></a></span>\n";
        let page = format!(
            "<html><head><script src=highlight.js></script></head><body><pre><span class=hs-comment>{{-\nA kiln is heated slowly, and opened a day after.\n-}}</span>\n{}</pre></body></html>",
            line.repeat(9)
        );
        assert_eq!(
            written(&page),
            format!(
                "```\n{{-\nA kiln is heated slowly, and opened a day after.\n-}}\n{}```\n",
                "heat = fire\n".repeat(9)
            )
        );
    }

    #[test]
    fn what_a_member_is_in_brief_stands_in_its_own_row() {
        let row = |name: &str, says: &str| {
            format!(
                "<tr class=memitem:{name}><td class=memItemLeft>int</td><td class=memItemRight>{name} (int heat)</td></tr><tr class=memdesc:{name}><td class=mdescLeft>&#160;</td><td class=mdescRight>{says} <a href='k.html#{name}'>More...</a><br/></td></tr><tr><td class=memSeparator colspan=2>&#160;</td></tr>"
            )
        };
        let page = format!(
            "<body><!-- Generated by Doxygen 1.9.1 --><div class=contents><h1>Kilns</h1><p>A kiln is heated slowly, and opened a day after it.</p><table class=memberdecls>{}{}</table></div><address>Generated by&#160;<a href=d><img alt=doxygen></a> 1.9.1</address></body>",
            row("fire", "Fires it."),
            row("cool", "Cools it.")
        );
        assert_eq!(
            written(&page),
            "# Kilns\n\nA kiln is heated slowly, and opened a day after it.\n\n| | | |\n| --- | --- | --- |\n| int | fire (int heat) | Fires it. |\n| int | cool (int heat) | Cools it. |\n"
        );
    }

    #[test]
    fn a_list_of_methods_goes_where_each_is_told_in_full_below() {
        let summary = "<h2>Method Summary <small><a href='#' class=summary_toggle>collapse</a></small></h2><ul class=summary><li><span class=summary_signature><a href='#fire'>#fire</a></span> Fires it.</li></ul>";
        let told = |id: &str| {
            format!("<h2>Methods</h2><h3 class=signature id={id}>fire</h3><p>Fires it slowly.</p>")
        };
        let page = |rest: &str| {
            format!(
                "<meta name=generator content=yard><main><h1>Kiln</h1><p>A kiln is heated slowly, and opened a day after it.</p>{summary}{rest}</main>"
            )
        };
        let text = written(&page(&told("fire")));
        assert!(
            text.contains("slowly.") && !text.contains("Summary"),
            "{text}"
        );
        let text = written(&page(&told("cool")));
        assert!(
            text.contains("## Method Summary\n\n- #fire Fires it."),
            "{text}"
        );
    }

    #[test]
    fn rows_of_bracketed_links_and_the_line_of_the_generator_are_no_text() {
        let row = "<table><tr><td>[<a href=a> &lt;&lt; </a>]</td><td>[ &gt; ]<td> &nbsp; <td>[<a href=b>Contents</a>]</td><td>[<a href=c> ? </a>]</td></tr></table>";
        let page = format!(
            "<head><meta name=generator content=texi2html></head><body><div class=sect1>{row}<h1>Kilns</h1><p>A kiln is heated slowly, and opened a day after it was made.</p>{row}<h2>Wood</h2><table><tr><td>[oak]</td><td>[ash]</td></tr></table><p>Generated by hand, it is heat all the same.</p>{row}<p><font>This document was generated by <i>Ada Lee</i> on <i>May, 1 2005</i> using <a href=t><i>texi2html</i></a></font></p></div></body>"
        );
        assert_eq!(
            written(&page),
            "# Kilns\n\nA kiln is heated slowly, and opened a day after it was made.\n\n## Wood\n\n| | |\n| --- | --- |\n| [oak] | [ash] |\n\nGenerated by hand, it is heat all the same.\n"
        );
    }

    #[test]
    fn lines_that_lead_to_pages_of_source_code_are_furniture() {
        let page = "<main><p>It lights the kiln.</p><p class=definition>Definition at line <a href=k>90</a> of file <a href=k>kiln.c</a>.</p>\
            <p class=reference>References <a href=k>heat()</a>, <a href=k>pot::fire</a> and <a href=k>cool_all()</a>.</p><p class=reference>Referenced by <a href=k>main()</a>.</p>\
            <p class=definition>Definition of a kiln: it is hot.</p><p class=reference>References of a potter.</p></main>";
        let document = read(page, None).expect("a page");
        assert_eq!(
            write(&document.blocks),
            "It lights the kiln.\n\nDefinition of a kiln: it is hot.\n\nReferences of a potter.\n"
        );
    }

    #[test]
    fn a_page_that_only_says_whose_it_is_and_what_made_it_has_no_text() {
        let foot = "<footer><p>&copy; Copyright 2019, The Potters.</p><p>Created using <a href=s>Sphinx</a> 5.3.0.</p></footer>";
        let page = |body: &str| format!("<body><div>{body}</div>{foot}</body>");
        assert!(read(&page(""), None).is_err());
        let document = read(&page("<p>Kilns are hot.</p>"), None).expect("a page");
        assert!(write(&document.blocks).starts_with("Kilns are hot.\n"));
    }
}
