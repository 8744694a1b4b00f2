//! Tells what only leads about from what a page says: the trail to the page, the line to the next one, menus, and the list of
//! its own sections.

use crate::domain::document::{Block, BlockKind};
use crate::domain::text::{Inline, plain, squash};
use dom_query::NodeRef;

/// Words behind the last mark of a trail that may be the name of the page itself.
const NAME_WORDS_MAX: usize = 12;

/// Running text taken apart into its links and what stands between them.
#[derive(Debug, Default)]
struct Parts {
    /// What stands before the first link, between each two, and behind the last.
    between: Vec<String>,
    /// Whether there is something that no furniture has, such as code.
    says_more: bool,
}

impl Parts {
    fn of(text: &[Inline]) -> Self {
        let mut parts = Self {
            between: vec![String::new()],
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
                Inline::Link(_) => self.between.push(String::new()),
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

    /// `A | B | C`: links to other pages, and nothing else.
    fn is_menu(&self) -> bool {
        self.links() >= 3 && self.ends() == ("", "") && self.are_parted_by(&["|", "·", "•", "/"])
    }
}

/// Whether a paragraph only leads to other pages. A row of links is a menu before the first heading; below it, it may be what
/// the section lists.
pub(super) fn leads_away(text: &[Inline], before_heading: bool) -> bool {
    let parts = Parts::of(text);
    !parts.says_more
        && parts.links() > 0
        && (parts.is_trail() || parts.is_turner() || before_heading && parts.is_menu())
}

/// Whether `content` has a heading.
pub(super) fn has_heading(content: &NodeRef<'_>) -> bool {
    content
        .descendants_it()
        .any(|node| node.has_name("h1") || node.has_name("h2") || node.has_name("h3"))
}

/// Whether a list does nothing but lead to places of the page it stands on: its table of contents.
pub(super) fn leads_inside(list: &NodeRef<'_>) -> bool {
    let mut links = 0;
    for node in list.descendants_it() {
        if node.has_name("a") {
            let leads_here = node.attr("href").is_some_and(|href| href.starts_with('#'));
            if !leads_here {
                return false;
            }
            links += usize::from(!node.text().trim().is_empty());
        } else if node.is_text()
            && node.text().contains(char::is_alphabetic)
            && !node
                .ancestors_it(Some(12))
                .any(|around| around.has_name("a"))
        {
            return false;
        }
    }
    links >= 2
}

/// Whether a table is one row of which each cell is one link.
pub(super) fn is_row_of_links(table: &NodeRef<'_>) -> bool {
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
    matches!(
        plain(text)
            .trim()
            .trim_end_matches(':')
            .to_lowercase()
            .as_str(),
        "contents" | "table of contents" | "on this page" | "in this article"
    )
}

#[cfg(test)]
mod tests {
    use crate::pipeline::extract::html::read;
    use crate::pipeline::markdown::write;

    fn written(body: &str) -> String {
        let html = format!(
            "<html><head><meta name=generator content=Docutils></head><body>{body}</body></html>"
        );
        write(&read(&html, None).unwrap().blocks)
    }

    #[test]
    fn what_leads_to_other_pages_is_no_text_of_this_one() {
        let words = "<p>The kiln is heated until the clay is hard, which takes a day of dry wood and somebody who stays awake.</p>";
        let menu = "<p><a href=a>Modules</a> | <a href=b>Glossary</a> | <a href=c>Site</a></p>";
        let body = format!(
            "<div id=page-header>{menu}<p class=apache>Kilns, version 2</p></div><div class=up><a href=u>up</a></div><div id=path><a href=a>Home</a></div><div><a href=a>Home</a> &gt; <a href=b>Manual</a> &gt; Kilns</div><h1>Kilns</h1><div class=toplang><p>Available Languages: <a href=fr>fr</a></p></div>{words}<h2>Contents</h2><ol><li><a href='#one'>One</a><ul><li>1. <a href='#two'>Two</a></li></ul></li></ol><h2 id=one>One</h2>{words}{menu}<p id=two>See <a href=x>that</a> &gt; <a href=y>this</a>.</p><p><b>Next:</b> <a href=n>Fire</a>, Previous: <a href=p>Clay</a> &nbsp; [<a href=c>Contents</a>]</p><table><tr><td><a href=h>Home Page</a></td><td><a href=m>Site Map</a></td></tr></table>"
        );
        let kept = "The kiln is heated until the clay is hard, which takes a day of dry wood and somebody who stays awake.";
        assert_eq!(
            written(&body),
            format!(
                "# Kilns\n\n{kept}\n\n## One\n\n{kept}\n\n[Modules](a) | [Glossary](b) | [Site](c)\n\nSee [that](x) > [this](y).\n"
            )
        );
    }
}
