//! Owns the lists by which a page of a manual leads to the other pages of it, as Sphinx writes them into its text: the trees of
//! contents, and the index with the page for searching. A page that says something itself does without them.

use crate::html::finder::is_one_of;
use crate::html::furniture::is_heading;
use crate::html::symbols::is_target;
use dom_query::NodeRef;
use skillkiln_document::text::words;

/// A page with fewer words besides these lists says nothing itself.
const SAID_WORDS_MIN: usize = 40;
/// What leads to such a list in a book has no more words.
const LEAD_WORDS_MAX: usize = 10;
/// Elements around a text that are looked at.
const AROUND_MAX: usize = 12;

/// Takes such lists out of `content`, with the headings that have nothing else below them.
pub(super) fn drop(content: &NodeRef<'_>) {
    let lists: Vec<NodeRef<'_>> = content
        .descendants_it()
        .filter(|node| is_tree(node) || is_index(node))
        .collect();
    if lists.is_empty() {
        return;
    }
    // A page that only leads to others leads to what they tell, and not to the index of it.
    let lists: Vec<NodeRef<'_>> = match says_something(content, &lists) {
        true => lists,
        false if lists.iter().any(is_tree) => lists.into_iter().filter(is_index).collect(),
        false => return,
    };
    let title = content.descendants_it().find(is_heading);
    for list in lists {
        take_out(&list, title.as_ref(), 1);
    }
}

/// Takes out the lists by which a chapter of a book leads to others, for which `leads_on` tells addresses: a book is read from its
/// beginning to its end.
pub(super) fn drop_all(content: &NodeRef<'_>, leads_on: &dyn Fn(&str) -> bool) {
    let leads = |node: &NodeRef<'_>| {
        let mut links = node
            .descendants_it()
            .filter_map(|inner| inner.attr("href").filter(|_| inner.has_name("a")));
        links.all(|href| href.starts_with('#') || leads_on(&href))
    };
    let lists: Vec<(NodeRef<'_>, bool)> = content
        .descendants_it()
        .filter_map(|node| match is_index(&node) {
            true => Some((node, true)),
            false => (is_tree(&node) && leads(&node)).then_some((node, false)),
        })
        .collect();
    let title = content.descendants_it().find(is_heading);
    for (list, is_index) in lists {
        // What heads the indexes is no title of a chapter.
        let title = title.as_ref().filter(|_| !is_index);
        take_out(&list, title, LEAD_WORDS_MAX);
    }
}

/// Takes out a list, with what leads to it in no more than `lead_words_max` words, and with the heading over it, unless that is the
/// title or has more below it.
fn take_out(list: &NodeRef<'_>, title: Option<&NodeRef<'_>>, lead_words_max: usize) {
    let before = beside(list, |node| node.prev_sibling());
    let announces = |node: &NodeRef<'_>| node.text().trim().ends_with(':');
    if let Some(words) = before.filter(|node| !is_heading(node) && announces(node)) {
        // Of a sentence that leads to it, a list is the end.
        if words
            .text()
            .split_whitespace()
            .nth(lead_words_max)
            .is_some()
        {
            return;
        }
        words.remove_from_parent();
    }
    let over = beside(list, |node| node.prev_sibling()).filter(is_heading);
    let is_of_names = is_index(list);
    let behind = beside(list, |node| node.next_sibling());
    // A picture is none of the indexes, and is not headed by them.
    let behind = behind.filter(|behind| !is_of_names || !behind.text().trim().is_empty());
    list.remove_from_parent();
    let is_title = |head: &NodeRef<'_>| title.is_some_and(|title| title.id == head.id);
    if let Some(head) = over.filter(|head| !is_title(head))
        && behind.is_none_or(|behind| is_heading(&behind) && rank(&behind) <= rank(&head))
    {
        head.remove_from_parent();
    }
}

fn rank(heading: &NodeRef<'_>) -> Option<u8> {
    let name = heading.node_name()?;
    name.as_bytes().get(1).copied()
}

/// What stands beside a list, in one direction, and is no mere place that links lead to.
fn beside<'a>(
    list: &NodeRef<'a>,
    next: impl Fn(&NodeRef<'a>) -> Option<NodeRef<'a>>,
) -> Option<NodeRef<'a>> {
    std::iter::successors(next(list), |node| next(node)).find(|node| match node.is_element() {
        true => !is_target(node),
        false => node.is_text() && !node.text().trim().is_empty(),
    })
}

/// Whether a page says something besides headings and these lists.
fn says_something(content: &NodeRef<'_>, lists: &[NodeRef<'_>]) -> bool {
    let mut said = 0;
    content
        .descendants_it()
        .filter(NodeRef::is_text)
        .any(|text| {
            let is_said = || {
                let mut around = text.ancestors_it(Some(AROUND_MAX));
                !around.any(|around| {
                    is_heading(&around) || lists.iter().any(|list| list.id == around.id)
                })
            };
            let own = text.text();
            if own.contains(char::is_alphanumeric) && is_said() {
                said += words(&own).count();
            }
            said >= SAID_WORDS_MIN
        })
}

/// Whether an element is a tree of contents: links, the lists in which they stand, and perhaps a caption. In manuals that are one
/// page, the chapters themselves stand in its place.
fn is_tree(node: &NodeRef<'_>) -> bool {
    const PARTS: [&str; 12] = [
        "ul", "ol", "li", "a", "p", "span", "code", "cite", "em", "strong", "tt", "br",
    ];
    if !(node.has_name("div") && node.has_class("toctree-wrapper")) {
        return false;
    }
    let mut leads = false;
    let mut is_part = |inner: &NodeRef<'_>| {
        if inner.is_text() {
            return inner.text().trim().is_empty()
                || inner.ancestors_it(Some(AROUND_MAX)).any(|around| {
                    around.has_name("a") || around.has_name("p") && around.has_class("caption")
                });
        }
        if inner.has_name("a") {
            leads |= inner
                .attr("href")
                .is_some_and(|href| !href.starts_with('#'));
        }
        !inner.is_element() || is_one_of(inner, &PARTS)
    };
    node.descendants_it().all(|inner| is_part(&inner)) && leads
}

/// Whether a list leads to the index of a manual, the one of its modules and the page for searching, and nowhere else.
fn is_index(node: &NodeRef<'_>) -> bool {
    if !node.has_name("ul") {
        return false;
    }
    let (mut links, mut indices) = (0, 0);
    for inner in node.descendants_it() {
        if inner.has_name("a") {
            let Some(href) = inner.attr("href") else {
                return false;
            };
            let page = href.trim_end_matches('/');
            let page = page.rsplit('/').next().unwrap_or_default();
            let page = page.split('.').next().unwrap_or_default();
            let is_of_names = page == "genindex" || page.ends_with("modindex");
            if !is_of_names && page != "search" {
                return false;
            }
            links += 1;
            indices += usize::from(is_of_names);
        } else if inner.is_text() && !inner.text().trim().is_empty() {
            let mut around = inner.ancestors_it(Some(AROUND_MAX));
            if !around.any(|around| around.has_name("a")) {
                return false;
            }
        }
    }
    links > 0 && indices > 0
}

#[cfg(test)]
mod tests {
    use crate::html::read;
    use skillkiln_document::markdown::write;

    const TREE: &str = "<div class='toctree-wrapper compound'><p class=caption><span>Guide</span></p><ul><li><a href='#'>Kilns</a></li><li><a href='fire.html'>Fire <code>fire</code></a><ul><li><a href='fire.html#wood'>Wood</a></li></ul></li></ul></div>";
    const INDEX: &str = "<section><h1>Indices and tables</h1><ul><li><p><a href='genindex.html'><span>Index</span></a></p></li><li><p><a href='py-modindex.html'>Module Index</a></p></li><li><p><a href='search.html'>Search Page</a></p></li></ul></section>";

    fn written(body: &str) -> String {
        let html = format!("<meta name=generator content=sphinx><div role=main>{body}</div>");
        write(&read(&html, None).expect("a page").blocks)
    }

    #[test]
    fn lists_of_the_other_pages_of_a_manual_go_where_a_page_says_something() {
        let words =
            "The kiln is heated until the clay is hard, which takes a day of dry wood. ".repeat(3);
        let words = words.trim();
        let page = |between: &str| {
            written(&format!(
                "<section><h1>Kilns</h1><p>{words}</p><section><h2>Documentation</h2>{between}{TREE}</section><section><h2>Heat</h2><p>It is hot.</p></section></section>{INDEX}"
            ))
        };
        assert_eq!(
            page(""),
            format!("# Kilns\n\n{words}\n\n## Heat\n\nIt is hot.\n")
        );
        assert_eq!(page("<p>Contents:</p>"), page(""));
        // What a sentence leads to, and what stands beside more than itself.
        assert!(page("<p>Begin with one of these:</p>").contains("Fire `fire`"));
        assert!(
            page("<p>It is short.</p>").contains("## Documentation\n\nIt is short.\n\n## Heat")
        );
    }

    #[test]
    fn a_page_that_is_nothing_but_such_lists_keeps_them() {
        let text = written(&format!("<h1>Kilns</h1><p>All of them.</p>{TREE}{INDEX}"));
        assert!(text.contains("Fire `fire`"), "{text}");
        assert!(!text.contains("Ind"), "{text}");
        let text = written(&format!("<h1>Kilns</h1><p>All of them.</p>{INDEX}"));
        assert!(text.contains("Module Index"), "{text}");
    }

    #[test]
    fn chapters_in_the_place_of_a_tree_are_text() {
        let words =
            "The kiln is heated until the clay is hard, which takes a day of dry wood. ".repeat(3);
        let text = written(&format!(
            "<h1>Kilns</h1><p>{words}</p><div class=toctree-wrapper><section><h2><a href='f.html'>Fire</a></h2><p>It is hot.</p></section></div>"
        ));
        assert!(text.contains("It is hot."), "{text}");
    }
}
