//! Puts right lists of terms that were not closed: what stands behind the last term, headings and all, was read as part of it.

use crate::html::finder::{Finder, List, is_one_of};
use crate::html::furniture::is_heading;
use crate::html::levels;
use dom_query::{Document, NodeRef};

static LISTS: List = List::new(|| Finder::of("dl"));
/// What no term is made of, if there is more than one of it.
const BLOCKS: [&str; 8] = ["p", "pre", "ul", "ol", "table", "blockquote", "dl", "div"];

/// Ends each list where a heading stands among its terms, and takes blocks for terms nowhere.
pub(super) fn mend(page: &Document) {
    for list in LISTS.find(page) {
        let entries: Vec<_> = list
            .children_it(false)
            .filter(|child| is_one_of(child, &["dt", "dd"]))
            .collect();
        let headed = entries
            .iter()
            .filter(|entry| first_heading(entry).is_some());
        let is_alone = headed.count() == 1;
        for (at, entry) in entries.iter().enumerate() {
            let is_last = at + 1 == entries.len();
            if let Some(from) = end_in(entry, &list, is_alone && is_last && !is_closed(&list)) {
                end_at(page, &list, entry, &from);
                break;
            }
            if entry.has_name("dt") && is_told(entry) {
                entry.rename("dd");
            }
        }
    }
}

/// Whether a list was closed: generators, which give it a class, do so, and one that was not holds all that stands behind it.
fn is_closed(list: &NodeRef<'_>) -> bool {
    list.has_attr("class") || behind(list).any(|node| !node.text().trim().is_empty())
}

/// The first heading that stands right in an entry.
fn first_heading<'a>(entry: &NodeRef<'a>) -> Option<NodeRef<'a>> {
    entry.children_it(false).find(is_heading)
}

/// What no longer belongs to the list in an entry of it: from a heading on, which is not what the entry is called.
fn end_in<'a>(entry: &NodeRef<'a>, list: &NodeRef<'_>, is_only: bool) -> Option<NodeRef<'a>> {
    let heading = first_heading(entry)?;
    let before = || {
        let children = entry.children_it(false);
        children.take_while(|child| child.id != heading.id)
    };
    let is_first = !before().any(|child| !child.text().trim().is_empty());
    let ends = || {
        let level = heading.node_name()?.as_bytes().get(1)? - b'0';
        Some(level <= levels::above(list)?)
    };
    if entry.has_name("dt") {
        // Blocks before the heading are no term either.
        let is_block = |child: &NodeRef<'_>| is_one_of(child, &BLOCKS);
        let from = before().find(is_block).unwrap_or(heading);
        return (!is_first || ends() == Some(true)).then_some(from);
    }
    // A meaning may have sections of its own.
    (is_only && !is_first && ends() == Some(true)).then_some(heading)
}

/// Puts what stands in `entry` from a place on behind the list, and what follows the entry into a list of its own.
fn end_at(page: &Document, list: &NodeRef<'_>, entry: &NodeRef<'_>, from: &NodeRef<'_>) {
    let moved: Vec<_> = std::iter::once(*from).chain(behind(from)).collect();
    let others: Vec<_> = behind(entry).collect();
    let place = page.tree.new_element("div");
    list.insert_after(&place);
    for node in &moved {
        node.remove_from_parent();
        place.append_child(node);
    }
    if others.iter().any(NodeRef::is_element) {
        let rest = page.tree.new_element("dl");
        place.insert_after(&rest);
        for node in &others {
            node.remove_from_parent();
            rest.append_child(node);
        }
    }
}

/// What stands beside a node and behind it.
fn behind<'a>(node: &NodeRef<'a>) -> impl Iterator<Item = NodeRef<'a>> + use<'a> {
    std::iter::successors(node.next_sibling(), NodeRef::next_sibling)
}

/// Whether several blocks stand right in what should be a term, one of which is a sentence.
fn is_told(term: &NodeRef<'_>) -> bool {
    let blocks = || {
        let children = term.children_it(false);
        children.filter(|child| is_one_of(child, &BLOCKS))
    };
    let is_sentence = |block: NodeRef<'_>| {
        block.has_name("p") && block.text().trim_end().ends_with(['.', ':', '!', '?'])
    };
    blocks().count() > 1 && blocks().any(is_sentence)
}

#[cfg(test)]
mod tests {
    use crate::html::read_whole;
    use skillkiln_document::markdown::write;

    fn written(body: &str) -> String {
        write(&read_whole(&format!("<h1>Kilns</h1><p>They are hot.</p>{body}")).blocks)
    }

    #[test]
    fn a_heading_in_a_term_that_was_not_closed_ends_the_list() {
        let text = written(
            "<dl><dt>Oak</dt><dd>Hard.</dd><dt><p>For more see the log.</p><h2>Use</h2><p>Fire it:</p><pre>fire\n  oak</pre>\
             <dl><dt>Ash</dt><dd>Grey.</dd></dl><h2>Heat</h2><p>It is hot.</p>",
        );
        assert_eq!(
            text,
            "# Kilns\n\nThey are hot.\n\n- **Oak**: Hard.\n\nFor more see the log.\n\n## Use\n\nFire it:\n\n```\nfire\n  oak\n```\n\n- **Ash**: Grey.\n\n## Heat\n\nIt is hot.\n"
        );
    }

    #[test]
    fn a_meaning_ends_before_a_heading_as_high_as_the_one_above_the_list() {
        let text = written("<h2>Wood</h2><dl><dt>Oak<dd>Hard.<h2>Heat</h2><p>It is hot.</p>");
        assert!(
            text.ends_with("- **Oak**: Hard.\n\n## Heat\n\nIt is hot.\n"),
            "{text}"
        );
        for (class, behind) in [("", "<p>It burns.</p>"), (" class=args", "")] {
            let text = written(&format!(
                "<h2>Wood</h2><dl{class}><dt>Oak</dt><dd><p>Hard.</p><h2>Use</h2></dd></dl>{behind}"
            ));
            assert!(!text.contains("\n## Use"), "{text}");
        }
        let text = written(
            "<h2>Wood</h2><dl><dt>Oak</dt><dd><p>Hard.</p><h3>Use</h3><p>It burns.</p></dd></dl>",
        );
        assert!(text.contains("- **Oak**"), "{text}");
    }

    #[test]
    fn a_term_that_is_a_heading_stays_one_and_blocks_are_none() {
        let text = written(
            "<dl><dt><h3>Oak</h3></dt><dd>Hard.</dd><dt><h3>Ash</h3></dt><dd>Grey.</dd></dl>",
        );
        assert!(text.contains("Oak**: Hard."), "{text}");
        let text = written(
            "<dl><dt>Oak</dt><dd>Hard.</dd><dt><p>It burns:</p><pre>fire\noak</pre></dt></dl>",
        );
        assert!(text.contains("It burns:\n\n"), "{text}");
        assert!(text.contains("```\n  fire\n  oak\n  ```"), "{text}");
    }
}
