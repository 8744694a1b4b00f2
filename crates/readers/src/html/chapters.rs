//! Owns what is put right in a chapter of a book before it is read: what belongs to the printed or paged book alone (indexes, contents,
//! numbers of paragraphs, lists that lead to the other chapters) goes, and what the table of contents names is a heading.

use crate::html::furniture::is_heading;
use crate::html::{mistyped, toctrees};
use dom_query::{Document, NodeRef};
use skillkiln_document::text::{letters, squash, words};
use std::collections::HashMap;

/// Elements around a text that are looked at.
const AROUND_MAX: usize = 12;
/// How the last word of a sentence ends.
const SENTENCE_ENDS: [char; 5] = ['.', '!', '?', '。', ';'];
/// What says something without words.
const SHOWN: [&str; 6] = ["img", "svg", "math", "video", "audio", "object"];
/// So many headings that only lead to other chapters are contents.
const CONTENTS_MIN: usize = 3;
/// What else a page of an index says has no more words.
const BESIDE_INDEX_WORDS_MAX: usize = 2;
/// How footnotes are headed, which stand where they are told of.
const FOOTNOTES: [&str; 4] = ["footnotes", "footnote", "notes", "fußnoten"];

/// What the book knows of a chapter.
pub(crate) struct Chapter<'a> {
    /// The anchors that the table of contents leads to, each with what is called so.
    pub(crate) listed: Vec<(&'a str, &'a str)>,
    /// Whether an address leads to another chapter.
    pub(crate) leads_on: &'a dyn Fn(&str) -> bool,
    /// Whether the book says that it is its index.
    pub(crate) is_index: bool,
}

/// Puts a chapter right.
pub(super) fn mend(page: &Document, chapter: &Chapter<'_>) {
    let Some(body) = page.body() else {
        return;
    };
    drop_numbers(&body);
    drop_contents(&body, chapter.leads_on);
    if chapter.is_index && leads_for_the_most_part(&body) {
        body.remove_children();
        return;
    }
    drop_indexes(&body);
    toctrees::drop_all(&body, chapter.leads_on);
    join_footnotes(&body);
    mistyped::mend(page, &body);
    name_headings(&body, &chapter.listed);
}

/// Takes out the numbers of paragraphs, each of which leads to the paragraph it stands at.
fn drop_numbers(body: &NodeRef<'_>) {
    let is_number = |node: &NodeRef<'_>| {
        let number = node.text();
        let number = number.trim();
        let leads = |link: &NodeRef<'_>| link.attr("href").is_some_and(|to| to.starts_with('#'));
        node.has_name("label")
            && !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
            && node.first_element_child().is_some_and(|link| leads(&link))
    };
    let numbers: Vec<_> = body.descendants_it().filter(is_number).collect();
    for number in numbers {
        number.remove_from_parent();
    }
}

/// Takes out headings that follow each other with nothing between, and lead to other chapters: they are contents. Those that lead
/// nowhere stay, and so does one with a text of its own below it.
fn drop_contents(body: &NodeRef<'_>, leads_on: &dyn Fn(&str) -> bool) {
    let mut run: Vec<NodeRef<'_>> = Vec::new();
    let mut runs: Vec<(Vec<NodeRef<'_>>, bool)> = Vec::new();
    for node in body.descendants_it() {
        let says = || match node.is_text() {
            true => !node.text().trim().is_empty(),
            false => SHOWN.iter().any(|name| node.has_name(name)),
        };
        if is_heading(&node) {
            run.push(node);
        } else if !run.is_empty() && says() {
            let mut around = node.ancestors_it(Some(AROUND_MAX));
            if !around.any(|around| is_heading(&around)) {
                runs.push((std::mem::take(&mut run), true));
            }
        }
    }
    runs.push((run, false));
    let leads = |heading: &&NodeRef<'_>| {
        let link = heading.descendants_it().find(|node| node.has_name("a"));
        link.is_some_and(|link| {
            squash(&link.text()) == squash(&heading.text())
                && link.attr("href").is_some_and(|href| leads_on(&href))
        })
    };
    for (run, has_text) in runs {
        let leading = run.iter().filter(leads).count();
        if leading >= CONTENTS_MIN && leading * 2 >= run.len() {
            let bare = run.len() - usize::from(has_text);
            for (at, heading) in run.iter().enumerate() {
                // SiSU lists the parts above the chapters without a link.
                let is_listed = heading.has_class("toc");
                if is_listed || at < bare && leads(&heading) {
                    heading.remove_from_parent();
                }
            }
        }
    }
}

/// Whether a part of a page does little but lead on: most of its lines have links in them and are no sentences, and two thirds of
/// its words are in links.
fn leads_for_the_most_part(part: &NodeRef<'_>) -> bool {
    let is_line = |node: &NodeRef<'_>| ["li", "dt", "p", "td"].iter().any(|it| node.has_name(it));
    let (mut lines, mut leading) = (0, 0);
    for line in part.descendants_it().filter(is_line) {
        let mut inner = line.descendants_it();
        lines += 1;
        leading += usize::from(inner.any(|inner| inner.has_name("a") && inner.has_attr("href")));
    }
    if leading < CONTENTS_MIN || leading * 4 < lines * 3 {
        return false;
    }
    let (mut said, mut linked, mut sentences) = (0, 0, 0);
    for node in part.descendants_it().filter(NodeRef::is_text) {
        let (mut is_linked, mut is_headed) = (false, false);
        for around in node.ancestors_it(Some(AROUND_MAX)) {
            is_linked |= around.has_name("a") && around.has_attr("href");
            is_headed |= is_heading(&around);
        }
        let text = node.text();
        let count = words(&text).count();
        if !is_headed {
            said += count;
            linked += if is_linked { count } else { 0 };
            sentences += usize::from(text.trim_end().ends_with(SENTENCE_ENDS));
        }
    }
    linked * 3 >= said * 2 && sentences * 2 < lines
}

/// Takes out general indexes, and what heads nothing else on their page.
fn drop_indexes(body: &NodeRef<'_>) {
    let indexes: Vec<_> = body.descendants_it().filter(is_index).collect();
    if indexes.is_empty() {
        return;
    }
    for index in indexes {
        index.remove_from_parent();
    }
    let texts = body.descendants_it().filter(NodeRef::is_text);
    let said = texts.filter(|text| {
        let mut around = text.ancestors_it(Some(AROUND_MAX));
        !around.any(|around| is_heading(&around))
    });
    let said: usize = said.map(|text| words(&text.text()).count()).sum();
    if said <= BESIDE_INDEX_WORDS_MAX {
        body.remove_children();
    }
}

/// Whether an element is a general index: as Sphinx, DocBook and the vocabulary of e-books mark it.
fn is_index(node: &NodeRef<'_>) -> bool {
    if !node.is_element() {
        return false;
    }
    let is_part = |name: &str| node.has_name(name);
    if is_part("table") {
        return node.has_class("indextable");
    }
    if !["div", "section", "nav"].into_iter().any(is_part) {
        return false;
    }
    // Anchors for an index stand anywhere in a text, its parts only in the index.
    let is_of_entries = || {
        let mut inside = node.descendants_it();
        inside.any(|inner| inner.has_class("indexdiv")) || leads_for_the_most_part(node)
    };
    let is_within = || {
        let mut around = node.ancestors_it(Some(AROUND_MAX));
        around.any(|around| around.has_class("index"))
    };
    let is_called = |name: &str, value: &str| {
        node.attr(name)
            .is_some_and(|told| told.split_whitespace().any(|word| word == value))
    };
    node.has_class("genindex-jumpbox")
        || node.has_class("modindex-jumpbox")
        || is_called("epub:type", "index")
        || is_called("role", "doc-index")
        || node.has_class("index") && !is_within() && is_of_entries()
}

/// Puts the number of a footnote before its first words, and takes out what says that they are footnotes.
fn join_footnotes(body: &NodeRef<'_>) {
    let is_note = |node: &NodeRef<'_>| {
        node.has_name("aside")
            && (node.has_class("footnote")
                || node
                    .attr("role")
                    .is_some_and(|role| &*role == "doc-footnote"))
    };
    let notes: Vec<_> = body.descendants_it().filter(is_note).collect();
    for note in &notes {
        let label = note
            .first_element_child()
            .filter(|first| first.has_name("span") && first.has_class("label"));
        let told = label.and_then(|label| label.next_element_sibling());
        if let (Some(label), Some(told)) = (label, told.filter(|told| told.has_name("p"))) {
            told.prepend_child(&told.tree.new_text(" "));
            told.prepend_child(&label);
        }
    }
    let first = notes.first().map(|note| {
        let around = note.parent();
        around.filter(|it| it.has_name("aside")).unwrap_or(*note)
    });
    let over = first.and_then(|first| first.prev_element_sibling());
    if let Some(over) = over
        && over.has_class("rubric")
        && FOOTNOTES.contains(&letters(&over.text()).as_str())
    {
        over.remove_from_parent();
    }
}

/// Makes headings of the paragraphs that the table of contents leads to and calls as they say themselves.
fn name_headings(body: &NodeRef<'_>, listed: &[(&str, &str)]) {
    if listed.is_empty() {
        return;
    }
    let titles: HashMap<&str, String> = listed
        .iter()
        .map(|(anchor, title)| (*anchor, letters(title)))
        .collect();
    let wanted = |node: &NodeRef<'_>| {
        let name = || node.attr("name").filter(|_| node.has_name("a"));
        let anchor = node.id_attr().or_else(name)?;
        titles.get(&*anchor).map(String::as_str)
    };
    let found: Vec<(NodeRef<'_>, &str)> = body
        .descendants_it()
        .filter(NodeRef::is_element)
        .filter_map(|node| Some((node, wanted(&node)?)))
        .collect();
    for (node, title) in found {
        let places = [
            Some(node),
            node.parent(),
            node.next_element_sibling()
                .filter(|_| node.text().trim().is_empty()),
        ];
        let is_it = |place: &NodeRef<'_>| {
            let mut around = place.ancestors_it(Some(AROUND_MAX));
            place.has_name("p")
                && letters(&place.text()) == title
                && !around.any(|it| {
                    ["li", "td", "dd", "dt"]
                        .iter()
                        .any(|name| it.has_name(name))
                })
        };
        if let Some(place) = places.into_iter().flatten().find(is_it) {
            place.rename("h2");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::read_chapter;
    use skillkiln_document::markdown::write;

    fn told(body: &str, listed: &[(&str, &str)]) -> String {
        let chapter = Chapter {
            listed: listed.to_vec(),
            leads_on: &|href| href.ends_with(".xhtml"),
            is_index: false,
        };
        let html = format!("<html><body>{body}</body></html>");
        write(&read_chapter(&html, &chapter).blocks)
    }

    #[test]
    fn the_general_index_of_a_book_is_none_of_its_text() {
        let sphinx = "<h1 id=index>Index</h1><div class=genindex-jumpbox><a href='#A'><strong>A</strong></a></div><h2 id=A>A</h2>\
            <table class='indextable genindextable'><tr><td><ul><li><a href='k.xhtml#a'>ash</a></li></ul></td></tr></table>";
        assert_eq!(told(sphinx, &[]), "");
        let modules = "<h1>Python Module Index</h1><div class=modindex-jumpbox></div><table class='indextable modindextable'><tr><td>kiln</td></tr></table>";
        assert_eq!(told(modules, &[]), "");
        let docbook = "<p>It burns all night long.</p><div class=index><h2 class=title>Index</h2><div class=index><div class=indexdiv><h3>A</h3><dl><dt>ash, <a class=indexterm href='k.xhtml#a'>Ash</a></dt></dl></div></div></div>";
        assert_eq!(told(docbook, &[]), "It burns all night long.\n");
    }

    #[test]
    fn a_part_of_a_page_that_is_merely_called_index_is_text() {
        let page = "<div class=index><h1>Kilns</h1><p>They burn.</p></div>";
        assert_eq!(told(page, &[]), "# Kilns\n\nThey burn.\n");
    }

    #[test]
    fn a_text_with_anchors_for_an_index_or_with_links_in_it_is_no_index() {
        let page = "<div class=index><h1>Indexes</h1><p>An <a class=indexterm id=x></a>index speeds up a query.</p></div>";
        assert!(told(page, &[]).contains("speeds up a query"));
        let rules = ["wood", "fire", "ash"].map(|name| {
            format!("<p>Never touch {name} while it is hot, see <a href='b.xhtml'>safety</a>.</p>")
        });
        let list =
            ["wood", "fire", "ash"].map(|name| format!("<p><a href='b.xhtml'>{name}</a></p>"));
        let read = |body: String| {
            let chapter = Chapter {
                listed: Vec::new(),
                leads_on: &|_| true,
                is_index: true,
            };
            let html = format!("<html><body><h1>Index</h1>{body}</body></html>");
            write(&read_chapter(&html, &chapter).blocks)
        };
        assert!(read(rules.concat()).contains("Never touch fire"));
        assert_eq!(read(list.concat()), "");
    }

    #[test]
    fn the_numbers_of_paragraphs_are_no_text() {
        let page = "<div><label class=ocn><a href='#o1'>1</a></label><p id=o1>It burns.</p></div><p><label>7</label> kilns.</p>";
        assert_eq!(told(page, &[]), "It burns.\n\n7 kilns.\n");
    }

    #[test]
    fn headings_that_only_lead_to_other_chapters_are_contents() {
        let entry = |name: &str| format!("<h4><a href='{name}.xhtml'> {name} </a></h4>");
        let all = ["Wood", "Fire", "Ash"].map(entry).concat();
        let page = format!("<p>Kilns</p><h1>About</h1>{all}<p>Free to copy.</p>");
        let text = told(&page, &[]);
        assert!(!text.contains("Wood") && !text.contains("Fire"), "{text}");
        for own in ["About", "Ash", "Free to copy."] {
            assert!(text.contains(own), "{own} in {text}");
        }
        let listed = format!(
            "<h1 class=toc>About</h1>{}",
            all.replace("<h4>", "<h4 class=toc>")
        );
        let page = format!("<p>Kilns</p>{listed}<p>Free to copy.</p>");
        assert_eq!(told(&page, &[]), "Kilns\n\nFree to copy.\n");
        let told_of = all.replace("</h4>", "</h4><p>It is told of.</p>");
        assert!(told(&told_of, &[]).contains("# Wood"));
    }

    #[test]
    fn a_paragraph_that_the_contents_list_is_a_heading() {
        let page =
            "<p class=bold id=o8><a name=8></a><a name='h1.1'></a>1.1 Wood</p><p id=o9>Wood</p>";
        let listed = [("o8", "1.1 Wood"), ("o9", "1.2 Fire")];
        assert_eq!(told(page, &listed), "## 1.1 Wood\n\nWood\n");
    }

    #[test]
    fn a_footnote_has_its_number_before_it_and_nothing_over_it() {
        let page = "<p>It burns [1].</p><p class=rubric>Footnotes</p><aside class='footnote-list brackets'><aside class='footnote brackets' role=doc-footnote>\
            <span class=label><span class=fn-bracket>[</span><a role=doc-backlink href='#i'>1</a><span class=fn-bracket>]</span></span><p>By day.</p></aside></aside>";
        assert_eq!(told(page, &[]), "It burns [1].\n\n[1] By day.\n");
    }

    #[test]
    fn lists_that_lead_to_the_other_chapters_go_with_what_leads_to_them() {
        let tree = "<div class='toctree-wrapper compound'><ul><li><a href='fire.xhtml'>Fire</a></li></ul></div>";
        let page = format!(
            "<h1>Kilns</h1><p>Contents of this manual:</p>{tree}<section><h2>Indices and tables</h2><ul><li><p><a href='genindex.xhtml'>Index</a></p></li><li><p><a href='search.xhtml'>Search Page</a></p></li></ul></section>"
        );
        assert_eq!(told(&page, &[]), "# Kilns\n");
        let away = tree.replace("fire.xhtml", "https://kiln.example/");
        assert!(told(&format!("<h1>Kilns</h1>{away}"), &[]).contains("Fire"));
    }
}
