//! Owns which lists of definitions define nothing, as the tables of contents of DocBook, and which lines show how a function is called.

use crate::domain::document::{Block, BlockKind};
use crate::pipeline::extract::html::blocks::Writer;
use dom_query::NodeRef;

/// Elements before the name of a function that is shown.
const ELEMENTS_MAX: usize = 6;

/// Whether below the terms of the list `node` stand more such lists alone, if anything.
pub(super) fn are_alone(node: &NodeRef<'_>) -> bool {
    count_alone(node).is_some_and(|terms| terms > 1)
}

/// How many terms such a list has. Lists are nested no deeper than the page was made safe to be.
fn count_alone(node: &NodeRef<'_>) -> Option<usize> {
    let said = |node: &NodeRef<'_>| !node.is_text() || !node.text().trim().is_empty();
    let mut terms = 0;
    for child in node.children_it(false).filter(said) {
        // A signature may be all that is said of what it calls.
        if child.has_name("dt") && !child.has_class("sig") {
            terms += 1;
            continue;
        }
        let mut below = child.children_it(false).filter(said);
        let list = below.next().filter(|list| list.has_name("dl"));
        if !child.has_name("dd") || below.next().is_some() {
            return None;
        }
        count_alone(&list?)?;
    }
    Some(terms)
}

/// Whether an element is a function as DocBook shows how it is called, of which only parts are marked as code.
pub(super) fn is_prototype(node: &NodeRef<'_>) -> bool {
    let elements = node.descendants_it().filter(NodeRef::is_element);
    let mut first = elements.take(ELEMENTS_MAX);
    first.any(|inner| inner.has_name("code") && inner.has_class("funcdef"))
        && node.text().trim().ends_with([';', ')'])
}

impl Writer {
    /// A list of terms, below each of which stand more of them, if anything.
    pub(super) fn list_of_terms(&mut self, node: &NodeRef<'_>, depth: usize, out: &mut Vec<Block>) {
        let start = self.builder.here();
        let entered = self.builder.enter();
        let mut items: Vec<Vec<Block>> = Vec::new();
        for child in node.children_it(false) {
            let mut inner = Vec::new();
            match child.children_it(false).find(|list| list.has_name("dl")) {
                Some(list) => self.list_of_terms(&list, depth + 1, &mut inner),
                None => inner = self.inside(&child, depth + 1),
            }
            match items.last_mut() {
                _ if inner.is_empty() => {}
                Some(item) if child.has_name("dd") => item.extend(inner),
                _ => items.push(inner),
            }
        }
        if !entered {
            out.extend(items.into_iter().flatten());
            return;
        }
        self.builder.leave();
        if !items.is_empty() {
            let kind = BlockKind::List { start: None, items };
            out.push(self.builder.around(start, kind));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::pipeline::extract::html;

    fn written(body: &str) -> String {
        let page = format!("<main><h1>Kilns</h1><p>They are hot.</p>{body}</main>");
        let document = html::read(&page, None).expect("a page");
        crate::pipeline::markdown::write(&document.blocks)
    }

    #[test]
    fn terms_without_meanings_are_items() {
        let list = "<dl><dt>Oak</dt><dd><dl><dt>Red oak</dt></dl></dd><dt>Ash</dt></dl>";
        let text = written(list);
        assert!(text.ends_with("\n\n- Oak\n  - Red oak\n- Ash\n"), "{text}");
        let list = written("<dl><dt>Oak</dt><dt>Ash</dt><dd>They are hard.</dd></dl>");
        assert!(
            list.contains("- **Oak**, **Ash**: They are hard."),
            "{list}"
        );
    }

    #[test]
    fn a_function_of_which_parts_are_marked_is_code() {
        let call = "<code class=funcdef>int <strong>fire</strong>(</code>const char *<var>pot</var><code>)</code>;";
        for shown in [
            format!("<p>{call}</p>"),
            format!("<div class=funcsynopsis><table><tr><td>{call}</td></tr></table></div>"),
        ] {
            let text = written(&shown);
            assert!(text.ends_with("\n`int fire(const char *pot);`\n"), "{text}");
        }
    }
}
