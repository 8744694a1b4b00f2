//! Owns which lists of definitions are the reference of an interface: what Sphinx writes of classes and functions, each with its
//! signature, at length. Its symbols are sections then, with what is said of them, as pages of other generators have them, and not
//! entries of one list that goes on for pages.

use dom_query::NodeRef;
use skillkiln_document::text::squash;

/// A shorter reference is a list, and so is one of fewer symbols; also what a class has.
const REFERENCE_CHARS: usize = 2_000;
const SYMBOLS_MIN: usize = 3;
const MEMBERS_CHARS: usize = 400;
const MEMBERS_MIN: usize = 2;
/// Of symbols of which less is said on the average a list tells more at one glance.
const SYMBOL_CHARS: usize = 120;
/// A longer signature is no heading.
const HEADING_CHARS: usize = 80;

/// Whether the symbols of the lists in `parent` are sections: they are a reference at length, and behind that nothing more is said in
/// the section in which they stand, which would seem to be said of the last symbol.
pub(super) fn are_sections(parent: &NodeRef<'_>) -> bool {
    let elements: Vec<NodeRef<'_>> = parent
        .children_it(false)
        .filter(|child| child.is_element() || child.is_text() && !child.text().trim().is_empty())
        .collect();
    let first = elements.iter().position(is_of_symbols);
    let Some(first) = first else { return false };
    let mut behind = elements.iter().skip(first);
    let (mut chars, mut symbols) = (0, 0);
    let goes_on = behind.by_ref().all(|element| {
        let is_list = is_of_symbols(element);
        if is_list {
            chars += element.text().len();
            symbols += element.descendants_it().filter(is_signature).count();
        }
        is_list || is_target(element) || opens_section(element)
    });
    let (least, symbols_min) = match parent.has_name("dd") {
        true => (MEMBERS_CHARS, MEMBERS_MIN),
        false => (REFERENCE_CHARS, SYMBOLS_MIN),
    };
    goes_on && symbols >= symbols_min && chars >= least && chars >= symbols * SYMBOL_CHARS
}

fn is_signature(node: &NodeRef<'_>) -> bool {
    node.has_name("dt") && node.has_class("sig")
}

/// Whether a list is one of symbols.
pub(super) fn is_of_symbols(node: &NodeRef<'_>) -> bool {
    let mut children = node.children_it(false).filter(NodeRef::is_element);
    node.has_name("dl") && children.next().is_some_and(|first| is_signature(&first))
}

/// Whether the list `node` goes on where the one right before it ended: generators write one for each symbol of a class.
pub(crate) fn goes_on(node: &NodeRef<'_>) -> bool {
    let before = std::iter::successors(node.prev_element_sibling(), |node| {
        node.prev_element_sibling()
    });
    let before = before.into_iter().find(|before| !is_target(before));
    before.is_some_and(|before| {
        let are_of_symbols = is_of_symbols(&before) && is_of_symbols(node);
        before.has_name("dl") && (are_of_symbols || before.class() == node.class())
    })
}

/// Puts what a class is derived from behind the first paragraph of what is said of it, which it would else seem to be; of what all
/// are derived from nothing is said. `marks` are signatures of Sphinx, and the paragraphs that mkdocstrings marks as such.
pub(super) fn put_bases_behind(marks: &[NodeRef<'_>]) {
    for mark in marks {
        let bases = match mark.has_name("p") {
            true => Some(*mark),
            false => mark
                .next_element_sibling()
                .filter(|told| told.has_name("dd"))
                .and_then(|told| told.first_element_child()),
        };
        let Some(bases) = bases.filter(|bases| bases.has_name("p")) else {
            continue;
        };
        let words = squash(&bases.text());
        if !words.starts_with("Bases: ") {
            continue;
        }
        let told = bases.next_element_sibling();
        if words == "Bases: object" {
            bases.remove_from_parent();
        } else if let Some(told) = told.filter(|told| told.has_name("p")) {
            told.insert_after(&bases);
        }
    }
}

/// Whether an element is only where links lead to.
pub(super) fn is_target(node: &NodeRef<'_>) -> bool {
    node.is_element() && node.has_name("span") && node.text().trim().is_empty()
}

/// Whether an element is a section of its own.
fn opens_section(node: &NodeRef<'_>) -> bool {
    node.has_name("section") || node.has_name("div") && node.has_class("section")
}

/// What the section of a symbol is called, and its signature, where that is too long to be its heading.
pub(crate) fn heading(signature: &NodeRef<'_>) -> (String, Option<String>) {
    let whole = squash(&signature.text());
    if whole.chars().count() <= HEADING_CHARS {
        return (whole, None);
    }
    let name = whole.split(['(', '=']).next().unwrap_or_default().trim();
    match name.chars().count() {
        1..=HEADING_CHARS => (name.to_owned(), Some(whole)),
        _ => (whole, None),
    }
}

#[cfg(test)]
mod tests {
    use crate::html;
    use skillkiln_document::blocks::{Block, BlockKind};
    use skillkiln_document::text::plain;

    fn told(body: &str) -> Vec<String> {
        let page = format!(
            "<html><head><meta name=generator content=sphinx></head><body><div role=main><section id=k><h1>kiln</h1><p>{}</p>{body}</section></div></body></html>",
            "The kiln module opens and shuts doors. ".repeat(3)
        );
        let document = html::read(&page, None).unwrap();
        let name = |block: &Block| match &block.kind {
            BlockKind::Heading { level, text } => format!("{level} {}", plain(text)),
            BlockKind::Definitions(entries) => format!("list of {}", entries.len()),
            BlockKind::Code { text, .. } => format!("code {text}"),
            _ => "text".to_owned(),
        };
        document.blocks.iter().skip(2).map(name).collect()
    }

    fn method(name: &str, inner: &str) -> String {
        let said = "It opens the door of the kiln, and waits until that is done. ".repeat(12);
        format!(
            "<dl class='py method'><dt class='sig sig-object py' id='{name}'>{name}</dt><dd><p>{said}</p>{inner}</dd></dl>"
        )
    }

    #[test]
    fn the_symbols_of_a_reference_are_sections_and_those_of_a_class_stand_below_it() {
        let inner = format!("{}{}", method("open(wide)", ""), method("shut()", ""));
        let class = method("class kiln.Door(width)", &inner);
        let tail = method("kiln.doors()", "");
        assert_eq!(
            told(&format!("{class}{tail}")),
            [
                "2 class kiln.Door(width)",
                "text",
                "3 open(wide)",
                "text",
                "3 shut()",
                "text",
                "2 kiln.doors()",
                "text"
            ]
        );
    }

    #[test]
    fn symbols_behind_which_the_section_goes_on_are_entries_of_a_list() {
        let all: String = ["open()", "shut()", "lock()"]
            .map(|name| method(name, ""))
            .concat();
        assert_eq!(told(&all).len(), 6);
        let read = told(&format!(
            "{all}<p>All of them are slow, says who has tried.</p>"
        ));
        assert_eq!(read, ["list of 3", "text"]);
        // Each section is looked at for itself.
        let parts = |told: &str| {
            format!(
                "<section><h2>Doors</h2>{all}{told}</section><section><h2>Locks</h2>{}</section>",
                all.replace("()", "_it()")
            )
        };
        let read = told(&parts("<p>All of them are slow, says who has tried.</p>"));
        assert_eq!(read[..3], ["2 Doors", "list of 3", "text"]);
        assert!(read.contains(&"3 shut_it()".to_owned()), "{read:?}");
        let read = told(&parts(""));
        assert!(
            !read.iter().any(|block| block.starts_with("list")),
            "{read:?}"
        );
    }

    #[test]
    fn a_long_signature_stands_below_the_name_of_what_it_is_of() {
        let long = format!("open(wide, {})", "and_then=None, ".repeat(9));
        let all: String = [long.as_str(), "shut()", "lock()"]
            .map(|name| method(name, ""))
            .concat();
        let read = told(&all);
        assert_eq!(read[0], "2 open");
        assert!(
            read[1].starts_with("code open(wide, and_then=None"),
            "{read:?}"
        );
        assert_eq!(read[3], "2 shut()");
    }

    fn written(body: &str) -> String {
        let page = format!(
            "<main><h1>kiln</h1><p>The kiln module opens and shuts doors.</p>{body}</main>"
        );
        skillkiln_document::markdown::write(&html::read(&page, None).expect("a page").blocks)
    }

    #[test]
    fn lists_of_one_definition_each_that_follow_each_other_are_one_list() {
        let method = |name: &str| {
            format!(
                "<dl class='py method'><dt class='sig'>{name}</dt><dd><p>It is.</p></dd></dl>\n"
            )
        };
        let members = format!(
            "{}<span id=here></span>{}",
            method("open()"),
            method("shut()").replace("method", "attribute")
        );
        let text = written(&members);
        assert!(
            text.ends_with("\n\n- `open()`: It is.\n- `shut()`: It is.\n"),
            "{text}"
        );
        let fields = "<dl class=field-list><dt>Parameters</dt><dd>wide</dd></dl>";
        let text = written(&format!("{fields}{}", method("open()")));
        assert!(text.contains("\n* `open()`"), "{text}");
    }

    #[test]
    fn what_a_class_is_derived_from_stands_behind_what_it_is() {
        let class = |bases: &str| {
            written(&format!(
                "<dl class='py class'><dt class='sig'>class Door</dt><dd><p>Bases: <code>{bases}</code></p><p>It shuts.</p><p>Or opens.</p></dd></dl>"
            ))
        };
        let text = class("Lid");
        assert!(
            text.ends_with("- `class Door`: It shuts.\n\n  Bases: `Lid`\n\n  Or opens.\n"),
            "{text}"
        );
        let text = class("object");
        assert!(
            text.ends_with("- `class Door`: It shuts.\n\n  Or opens.\n"),
            "{text}"
        );
        let text = written(
            "<h2>Door</h2><div><p class='doc doc-class-bases'>Bases: <code>Lid</code></p><p>It shuts.</p></div>",
        );
        assert!(text.ends_with("It shuts.\n\nBases: `Lid`\n"), "{text}");
    }
}
