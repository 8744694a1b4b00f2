//! Tells what only leads about from what a page says: the trail to the page, the line to the next one, menus, and the list of
//! its own sections.

use crate::html::finder::{Finder, List, is_one_of};
use crate::html::turners::{self, Leads};
use dom_query::{Document, NodeId, NodeRef, local_name};
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{Inline, letters, plain, squash};
use std::collections::HashSet;

/// Words behind the last mark of a trail that may be the name of the page itself.
const NAME_WORDS_MAX: usize = 6;
/// Fewer words than this outside of paragraphs are no text of the page: a date, a name.
const TEXT_WORDS_MIN: usize = 6;
/// A sentence that does nothing but lead to a list of sections has no more words.
const ANNOUNCING_WORDS_MAX: usize = 8;
/// A list that tells headings has so many items at least, each of no more characters.
const TITLES_MIN: usize = 2;
const TITLE_CHARS_MAX: usize = 200;
/// Elements around a text that are looked at.
const AROUND_MAX: usize = 12;

/// What a page has where, looked up once.
#[derive(Debug, Default)]
pub(super) struct Landmarks {
    /// The names of places at headings.
    headed: HashSet<String>,
    /// What headings say, as letters.
    titles: HashSet<String>,
    /// The tables and lists that stand below all that the page says, and under no heading of their own.
    foot: Vec<NodeId>,
}

impl Landmarks {
    /// Those of `content`.
    pub(super) fn of(content: &NodeRef<'_>) -> Self {
        let mut found = Self::default();
        // The places that no text was met behind: they are those of the heading that comes next.
        let mut waiting: Vec<String> = Vec::new();
        for around in content.ancestors_it(Some(4)) {
            waiting.extend(around.attr("id").map(|id| id.to_string()));
        }
        waiting.extend(content.attr("id").map(|id| id.to_string()));
        let mut heading: Option<NodeId> = None;
        // Whether what was said last leads to what comes: a heading, or words that end with a colon.
        let mut announced = true;
        for node in content.descendants_it() {
            if node.is_text() {
                let words = node.text();
                let words = words.trim();
                if !words.contains(char::is_alphanumeric) {
                    announced |= words.ends_with(':');
                    continue;
                }
                let mut around = node.ancestors_it(Some(AROUND_MAX));
                if heading.is_some_and(|heading| {
                    node.ancestors_it(Some(AROUND_MAX))
                        .any(|around| around.id == heading)
                }) {
                    announced = true;
                    continue;
                }
                heading = None;
                waiting.clear();
                if found.is_in_foot(&node) {
                    continue;
                }
                let is_said = words.split_whitespace().count() >= TEXT_WORDS_MIN
                    || around.any(|around| {
                        is_one_of(&around, &["p", "li", "dd", "dt", "pre", "blockquote"])
                    });
                if is_said {
                    found.foot.clear();
                }
                if is_said || words.ends_with(':') {
                    announced = words.ends_with(':');
                }
            } else if let Some(element) = node.element_ref() {
                for attribute in &element.attrs {
                    let name = &attribute.name.local;
                    if *name == local_name!("id") || *name == local_name!("name") {
                        waiting.push(attribute.value.to_string());
                    }
                }
                if is_heading(&node) {
                    heading = Some(node.id);
                    found.titles.insert(letters(&node.text()));
                    found.foot.clear();
                } else if node.has_name("table") || is_list_about(&node) {
                    if announced {
                        found.foot.clear();
                    } else if !found.is_in_foot(&node) {
                        found.foot.push(node.id);
                    }
                }
                if heading.is_some() {
                    found.headed.extend(waiting.drain(..));
                }
            }
        }
        found
    }

    /// Whether a list does nothing but lead to headings of the page it stands on: its table of contents.
    pub(super) fn leads_inside(&self, list: &NodeRef<'_>) -> bool {
        let mut links = 0;
        for node in list.descendants_it() {
            if node.has_name("a") {
                let leads_here = node.attr("href").is_some_and(|href| {
                    href.strip_prefix('#')
                        .is_some_and(|place| self.headed.contains(place))
                });
                if !leads_here {
                    return false;
                }
                links += usize::from(!node.text().trim().is_empty());
            } else if says_more(&node) {
                return false;
            } else if node.is_text() {
                let words = node.text();
                let is_number = is_number_of_section(words.trim()) && node.prev_sibling().is_none();
                if words.contains(char::is_alphanumeric)
                    && !is_number
                    && !node
                        .ancestors_it(Some(AROUND_MAX))
                        .any(|around| around.has_name("a"))
                {
                    return false;
                }
            }
        }
        links >= 2
    }

    /// Whether most items of a list are headings of the page, word for word; so is its table of contents where that leads nowhere. Its
    /// writer may have changed one or the other since.
    pub(super) fn tells_headings(&self, list: &NodeRef<'_>) -> bool {
        let items = || list.children_it(false).filter(NodeRef::is_element);
        let is_told = |item: &NodeRef<'_>| {
            item.has_name("li")
                && item.normalized_char_count() <= TITLE_CHARS_MAX
                && self.titles.contains(&letters(&item.text()))
        };
        let (all, told) = (items().count(), items().filter(is_told).count());
        told >= TITLES_MIN && told * 3 >= all * 2
    }

    /// Whether a text stands in the foot of the page.
    fn is_in_foot(&self, node: &NodeRef<'_>) -> bool {
        !self.foot.is_empty()
            && node
                .ancestors_it(Some(AROUND_MAX))
                .any(|around| self.foot.contains(&around.id))
    }

    /// Whether a table is the foot of the page: one row of which each cell is one link.
    pub(super) fn is_foot(&self, table: &NodeRef<'_>) -> bool {
        self.foot.contains(&table.id) && is_row_of_links(table)
    }

    /// Whether a list only leads to the pages around: to the one before and the next one, wherever it stands; and where nothing is
    /// said before it or behind it, to any of them.
    pub(super) fn leads_about(&self, list: &NodeRef<'_>, before_heading: bool) -> bool {
        turners::of_list(list).is_some_and(|(turns, ups)| {
            turns >= 2
                || turns >= 1 && (ups >= 1 || self.foot.contains(&list.id))
                || before_heading && turns + ups >= 1
        })
    }
}

/// So many elements of such a frame are looked at for a heading.
const FRAME_ELEMENTS_MAX: usize = 40;

/// Whether a list is no list but the frame in which Javadoc lays out sections and what they tell of.
pub(super) fn is_frame(list: &NodeRef<'_>) -> bool {
    let is_called = |names: &[&str]| names.iter().any(|class| list.has_class(class));
    // Others call lists so as well.
    let has_sections = || {
        let mut inside = list.descendants_it().take(FRAME_ELEMENTS_MAX);
        inside.any(|inner| inner.has_name("section") || is_heading(&inner))
    };
    is_called(&["blockList", "blockListLast"])
        || is_called(&["summary-list", "details-list", "member-list"]) && has_sections()
}

fn is_list_about(node: &NodeRef<'_>) -> bool {
    is_one_of(node, &["ul", "ol"]) && turners::of_list(node).is_some()
}

/// The lists of functions that LDoc puts in front of a page, and where it tells of them.
static FUNCTIONS: List = List::new(|| Finder::of("table.function_list,dl.function"));

/// Takes out the lists of what a page of LDoc tells in full below, with the headings over them, which stand there again.
pub(super) fn drop_summaries(page: &Document) {
    let found = FUNCTIONS.find(page);
    if !found.iter().any(|node| node.has_name("dl")) {
        return;
    }
    let told: HashSet<String> = found
        .iter()
        .filter(|node| node.has_name("dl"))
        .flat_map(|node| node.descendants_it())
        .filter(|node| node.has_name("a"))
        .filter_map(|anchor| anchor.attr("name").or_else(|| anchor.attr("id")))
        .map(|name| name.to_string())
        .collect();
    let leads_here = |link: &NodeRef<'_>| {
        let href = link.attr("href");
        href.is_some_and(|href| {
            href.strip_prefix('#')
                .is_some_and(|name| told.contains(name))
        })
    };
    for list in found.iter().filter(|node| node.has_name("table")) {
        // What still looks through a page does not let it be changed.
        let links: Vec<NodeRef<'_>> = list
            .descendants_it()
            .filter(|node| {
                node.has_name("a") && node.parent().is_some_and(|it| it.has_class("name"))
            })
            .collect();
        if links.is_empty() || !links.iter().all(leads_here) {
            continue;
        }
        if let Some(head) = list.prev_element_sibling().filter(is_heading) {
            head.remove_from_parent();
        }
        list.remove_from_parent();
    }
}

pub(super) fn is_heading(node: &NodeRef<'_>) -> bool {
    is_one_of(node, &["h1", "h2", "h3", "h4", "h5", "h6"])
}

/// Whether a heading names who wrote a book, as DocBook sets them below its title: it heads nothing.
pub(super) fn is_byline(heading: &NodeRef<'_>) -> bool {
    const WRITERS: [&str; 4] = ["author", "editor", "corpauthor", "othercredit"];
    is_one_of(heading, &["h3", "h4"]) && WRITERS.iter().any(|class| heading.has_class(class))
}

/// Whether an element is more than words: code, a table, or a picture that is no mere ornament.
fn says_more(node: &NodeRef<'_>) -> bool {
    const MORE: [&str; 8] = ["code", "pre", "kbd", "samp", "tt", "table", "svg", "video"];
    is_one_of(node, &MORE)
        || node.has_name("img") && node.attr("alt").is_none_or(|alt| !alt.trim().is_empty())
}

/// `2.` or `2.1`, as it stands before the name of a section.
fn is_number_of_section(words: &str) -> bool {
    words.contains('.')
        && words.starts_with(|c: char| c.is_ascii_digit())
        && words
            .split('.')
            .all(|part| part.len() <= 3 && part.bytes().all(|b| b.is_ascii_digit()))
}

/// Running text taken apart into its links and what stands between them.
#[derive(Debug, Default)]
struct Parts {
    /// What stands before the first link, between each two, and behind the last.
    between: Vec<String>,
    /// The words of each link.
    linked: Vec<String>,
    /// Whether there is something that no furniture has, such as code.
    says_more: bool,
}

impl Parts {
    fn of(text: &[Inline]) -> Self {
        let mut parts = Self {
            between: vec![String::new()],
            linked: Vec::new(),
            says_more: false,
        };
        parts.add(text);
        parts
    }

    fn add(&mut self, text: &[Inline]) {
        for inline in text {
            match inline {
                Inline::Text(words) => {
                    self.between.iter_mut().last().into_iter().for_each(|last| {
                        last.push_str(words);
                    })
                }
                Inline::Emphasis(inner) | Inline::Strong(inner) => self.add(inner),
                Inline::Link(link) => {
                    self.between.push(String::new());
                    self.linked.push(plain(&link.text));
                }
                Inline::Break => {}
                Inline::Code(_) | Inline::Math(_) => self.says_more = true,
            }
        }
    }

    fn links(&self) -> usize {
        self.between.len() - 1
    }

    /// Whether between each two links there is one of these marks.
    fn are_parted_by(&self, marks: &[&str]) -> bool {
        let inner = self.between.get(1..self.links()).unwrap_or_default();
        inner.iter().all(|mark| marks.contains(&mark.trim()))
    }

    fn ends(&self) -> (&str, &str) {
        let first = self.between.first().map_or("", |words| words.trim());
        let last = self.between.last().map_or("", |words| words.trim());
        (first, last)
    }

    /// `A > B > C`: the way from the entrance to this page.
    fn is_trail(&self) -> bool {
        const MARKS: [&str; 4] = [">", "»", "›", ">>"];
        let (first, last) = self.ends();
        let is_name = |rest: &str| rest.split_whitespace().count() <= NAME_WORDS_MAX;
        self.links() >= 2
            && first.is_empty()
            && self.are_parted_by(&MARKS)
            && (last.is_empty()
                || MARKS
                    .iter()
                    .any(|mark| last.strip_prefix(mark).is_some_and(is_name)))
    }

    /// `Next: A, Previous: B, Up: C`, as Texinfo and LaTeX2HTML write it.
    fn is_turner(&self) -> bool {
        let said = self.between.join(" ").to_lowercase();
        let mut words = said
            .split(|c: char| !c.is_alphabetic())
            .filter(|word| !word.is_empty());
        self.links() >= 1
            && ["next:", "previous:", "prev:", "up:"]
                .iter()
                .any(|word| said.contains(word))
            && words.all(|word| {
                matches!(
                    word,
                    "next" | "previous" | "prev" | "up" | "top" | "contents" | "index"
                )
            })
    }

    /// `« Previous  Contents  Next »`: links to the pages around, and nothing else.
    fn leads_about(&self) -> bool {
        let leads: Vec<Leads> = self
            .linked
            .iter()
            .map(|words| turners::leads(words))
            .collect();
        leads.contains(&Leads::Turns)
            && !leads.contains(&Leads::Unsaid)
            && !self.between.concat().contains(char::is_alphanumeric)
    }

    /// `« Heat` or `Heat »`: one link to the page before or behind, set between the marks of those.
    fn points_about(&self) -> bool {
        const MARKS: [&str; 10] = ["«", "»", "‹", "›", "←", "→", "<<", ">>", "◀", "▶"];
        let (first, last) = self.ends();
        self.links() == 1
            && (first.is_empty() && MARKS.contains(&last)
                || last.is_empty() && MARKS.contains(&first))
    }

    /// `A | B | C`: links to other pages, and nothing else.
    fn is_menu(&self) -> bool {
        self.links() >= 3 && self.ends() == ("", "") && self.are_parted_by(&["|", "·", "•", "/"])
    }
}

/// Whether a paragraph only leads to other pages. A row of links is a menu before the first heading, and the way to the page
/// stands before all it says; below that, either may be what the section is about.
pub(super) fn leads_away(text: &[Inline], before_heading: bool, before_all: bool) -> bool {
    let parts = Parts::of(text);
    !parts.says_more
        && parts.links() > 0
        && (before_all && parts.is_trail()
            || parts.is_turner()
            || parts.leads_about()
            || parts.points_about()
            || before_heading && parts.is_menu())
}

/// Whether `content` has a heading.
pub(super) fn has_heading(content: &NodeRef<'_>) -> bool {
    content
        .descendants_it()
        .any(|node| node.has_name("h1") || node.has_name("h2") || node.has_name("h3"))
}

/// Whether a table is one row of which each cell is one link.
fn is_row_of_links(table: &NodeRef<'_>) -> bool {
    let is_link = |cell: &NodeRef<'_>| {
        let links: Vec<_> = cell
            .descendants_it()
            .filter(|node| node.has_name("a"))
            .collect();
        let [link] = links.as_slice() else {
            return false;
        };
        let words = squash(&cell.text());
        !words.is_empty() && words == squash(&link.text())
    };
    let (mut rows, mut cells) = (0, 0);
    for node in table.descendants_it() {
        if node.has_name("tr") {
            rows += 1;
        } else if node.has_name("th") || node.has_name("td") && !is_link(&node) || rows > 1 {
            return false;
        } else if node.has_name("td") {
            cells += 1;
        }
    }
    rows == 1 && cells >= 2
}

/// Whether a block only announces the list of the page's sections.
pub(super) fn is_over_contents(block: &Block) -> bool {
    let (BlockKind::Heading { text, .. } | BlockKind::Paragraph(text)) = &block.kind else {
        return false;
    };
    let words = plain(text).trim().to_lowercase();
    let announces = words.ends_with(':')
        && words.split_whitespace().count() <= ANNOUNCING_WORDS_MAX
        && words.contains("table of contents");
    announces
        || matches!(
            words.trim_end_matches(':'),
            "contents"
                | "table of contents"
                | "on this page"
                | "in this article"
                | "in this document"
                | "in this page"
        )
}

#[cfg(test)]
mod tests {
    use crate::html::read;
    use skillkiln_document::markdown::write;

    fn written(body: &str) -> String {
        let html = format!(
            "<html><head><meta name=generator content=Docutils></head><body>{body}</body></html>"
        );
        write(&read(&html, None).unwrap().blocks)
    }

    #[test]
    fn a_list_of_the_headings_of_a_page_is_left_out_where_words_announce_it() {
        let page = |lead: &str, list: &str| {
            written(&format!(
                "<h1>Kilns</h1>{lead}<ul>{list}</ul><h2>Oak</h2><p>It is a hard wood that burns for long, and is dry.</p><h2>Ash</h2><p>It is grey and cold, and stays in the kiln.</p>"
            ))
        };
        let items = "<li>Oak</li><li>Ash</li>";
        let told = page("In this document:", items);
        assert!(told.starts_with("# Kilns\n\n## Oak\n"), "{told}");
        assert!(page("We burn:", items).contains("- Oak\n- Ash"));
        assert!(page("In this document:", "<li>Oak</li><li>Elm</li>").contains("- Elm"));
        assert!(!page("On this page", "<li>Oak</li><li>Ash</li><li>Elm</li>").contains("- Elm"));
    }

    #[test]
    fn a_list_that_is_only_called_as_a_frame_is_a_list() {
        let page = "<main><h1>Kilns</h1><p>They are hot.</p><ul class=member-list><li>Ada Lee<li>Bob Kim</ul></main>";
        let read = read(page, None).expect("a page");
        let text = write(&read.blocks);
        assert!(text.contains("- Ada Lee\n- Bob Kim"), "{text}");
    }

    #[test]
    fn a_link_behind_the_mark_of_the_page_before_is_no_text() {
        let about = "<p>« <a href=a>Kilns</a></p><p><a href=b>How to cool it</a> »</p>";
        let text = written(&format!(
            "{about}<h1>Heat</h1><p>It is a hard wood that burns for long, and is dry.</p><p>See <a href=c>Ash</a> »</p>{about}"
        ));
        assert_eq!(
            text,
            "# Heat\n\nIt is a hard wood that burns for long, and is dry.\n\nSee [Ash](c) »\n"
        );
    }

    #[test]
    fn a_row_of_links_to_the_pages_around_is_no_heading() {
        let row = "<h2><a href=c>Contents</a> | <a href=p>Previous</a> | <a href=n>Next</a></h2>";
        let text = written(&format!(
            "<h1>Kilns</h1>{row}<h2>4. Heat</h2><p>It is a hard wood that burns for long, and is dry.</p><h2><a href=n>Next steps</a></h2><p>It is grey and cold, and stays in the kiln.</p>"
        ));
        assert!(text.starts_with("# Kilns\n\n## 4. Heat\n"), "{text}");
        assert!(text.contains("## Next steps\n"), "{text}");
    }

    #[test]
    fn what_leads_to_other_pages_is_no_text_of_this_one() {
        let words = "<p>The kiln is heated until the clay is hard, which takes a day of dry wood and somebody who stays awake.</p>";
        let menu = "<p><a href=a>Modules</a> | <a href=b>Glossary</a> | <a href=c>Site</a></p>";
        let body = format!(
            "<div id=page-header>{menu}<p class=apache>Kilns, version 2</p></div><div class=up><a href=u>up</a></div><div id=path><a href=a>Home</a></div><div><a href=a>Home</a> &gt; <a href=b>Manual</a> &gt; Kilns</div><h1>Kilns</h1><div class=toplang><p>Available Languages: <a href=fr>fr</a></p></div>{words}<h2>Contents</h2><ol><li><a href='#one'>One</a><ul><li>1. <a href='#two'>Two</a></li></ul></li></ol><h2 id=one>One</h2>{words}{menu}<h2 id=two>Two</h2><p>See <a href=x>that</a> &gt; <a href=y>this</a>.</p><p><b>Next:</b> <a href=n>Fire</a>, Previous: <a href=p>Clay</a> &nbsp; [<a href=c>Contents</a>]</p><table><tr><td><p><a href=h>Home Page</a></p></td><td><a href=m>Site Map</a></td></tr></table>"
        );
        let kept = "The kiln is heated until the clay is hard, which takes a day of dry wood and somebody who stays awake.";
        assert_eq!(
            written(&body),
            format!(
                "# Kilns\n\n{kept}\n\n## One\n\n{kept}\n\n[Modules](a) | [Glossary](b) | [Site](c)\n\n## Two\n\nSee [that](x) > [this](y).\n"
            )
        );
    }

    #[test]
    fn a_list_that_says_more_than_where_the_headings_of_the_page_are_is_text() {
        let words = "<p>The kiln is heated until the clay is hard, which takes a day of dry wood and somebody who stays awake.</p>";
        for (list, kept) in [
            // Nowhere on the page, or at no heading.
            (
                "<li><a href='#a'>Ash</a></li><li><a href='#b'>Oak</a></li>",
                "- Ash\n- Oak",
            ),
            (
                "<li><a href='#one'>Ash</a></li><li><a href='#far'>Oak</a></li>",
                "- Ash\n- Oak",
            ),
            // Buttons for a script.
            (
                "<li><a href='#'>Ash</a></li><li><a href='#'>Oak</a></li>",
                "- Ash\n- Oak",
            ),
            // Numbers and code beside the links.
            (
                "<li><a href='#one'>Ash</a> 900</li><li><a href='#two'>Oak</a> 1200</li>",
                "- Ash 900\n- Oak 1200",
            ),
            (
                "<li><a href='#one'>Ash</a> <code>-a</code></li><li><a href='#two'>Oak</a></li>",
                "- Ash `-a`\n- Oak",
            ),
        ] {
            let body = format!(
                "<h1>Kilns</h1>{words}<ul>{list}</ul><h2 id=one>One</h2>{words}<p id=far>Far.</p><section id=two><h2>Two</h2>{words}</section>"
            );
            assert!(written(&body).contains(kept), "{list}: {}", written(&body));
        }
        let contents = "<ul><li>1. <a href='#one'>Ash</a></li><li><a href='#two'>Oak</a></li></ul>";
        let body = format!(
            "<h1>Kilns</h1>{words}{contents}<h2 id=one>One</h2>{words}<section id=two><h2>Two</h2>{words}</section>"
        );
        assert!(!written(&body).contains("Ash"));
    }

    #[test]
    fn a_row_of_downloads_and_a_way_through_menus_are_text() {
        let words = "<p>The kiln is heated until the clay is hard, which takes a day of dry wood and somebody who stays awake.</p>";
        let row = "<table><tr><td><a href=l.tgz>Linux</a></td><td><a href=w.zip>Windows</a></td></tr></table>";
        for body in [
            format!("<h1>Kilns</h1>{words}<h2>Downloads</h2>{row}"),
            format!("<h1>Kilns</h1>{words}<p>There is one for:</p>{row}"),
            format!("<h1>Kilns</h1>{row}{words}"),
        ] {
            assert!(written(&body).contains("[Windows](w.zip)"), "{body}");
        }
        let way = "<p><a href=f>File</a> &gt; <a href=p>Print</a> &gt; Setup</p>";
        for body in [
            format!("<h1>Kilns</h1>{words}<h2>Print</h2>{way}"),
            format!("{words}{way}<h2>Print</h2>"),
            format!(
                "<p><a href=f>File</a> &gt; <a href=p>Print</a> &gt; opens what prints the list of all kilns</p><h1>Kilns</h1>{words}"
            ),
        ] {
            assert!(written(&body).contains("[File](f) > [Print](p)"), "{body}");
        }
    }

    #[test]
    fn the_sentence_that_leads_to_the_list_of_sections_goes_with_it() {
        let text = written(
            "<main><h1>Kilns</h1><p>They are heated until the clay is hard.</p><p>And here's the table of contents:</p><ul><li><a href='#a'>Heat</a></li><li><a href='#b'>Wood</a></li></ul><h2 id=a>Heat</h2><p>It takes a day.</p><h2 id=b>Wood</h2><p>It is dry.</p></main>",
        );
        assert!(!text.contains("table of contents"), "{text}");
    }

    #[test]
    fn lists_of_functions_go_where_the_page_tells_of_them_below() {
        let words = "<p>The kiln is heated until the clay is hard, which takes a day of dry wood and somebody who stays awake.</p>";
        let list = "<h2><a href='#Functions'>Functions</a></h2><table class=function_list><tr><td class=name><a href='#fire'>fire (heat)</a></td><td class=summary>Lights it.</td></tr></table>";
        let told = "<h2>Functions</h2><dl class=function><dt><a name=fire></a><strong>fire (heat)</strong></dt><dd>Lights the kiln.</dd></dl>";
        let text = written(&format!("<h1>Kilns</h1>{words}{list}{told}"));
        assert!(
            !text.contains("Lights it.") && text.contains("Lights the kiln."),
            "{text}"
        );
        assert_eq!(text.matches("## Functions").count(), 1, "{text}");
        let text = written(&format!("<h1>Kilns</h1>{words}{list}{words}"));
        assert!(text.contains("Lights it."), "{text}");
        let untold = list.replace("#fire", "#cool");
        let text = written(&format!("<h1>Kilns</h1>{words}{untold}{told}"));
        assert!(text.contains("Lights it."), "{text}");
        let away = list.replace("#fire", "oven.html#fire");
        let text = written(&format!("<h1>Kilns</h1>{words}{away}{told}"));
        assert!(text.contains("Lights it."), "{text}");
    }
}
