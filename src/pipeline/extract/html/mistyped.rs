//! Owns notes that were typed in the mark-up of another tool, and which the generator of a book took for a paragraph with code below
//! it or for a term: `!!! note`, `..note::`.

use crate::domain::text::squash;
use crate::pipeline::extract::html::code;
use dom_query::{Document, NodeRef};

/// The kinds of notes that are typed so.
const KINDS: [&str; 9] = [
    "note",
    "tip",
    "hint",
    "info",
    "important",
    "warning",
    "caution",
    "danger",
    "attention",
];
/// What is typed before the words of a note is no longer, in bytes.
const MARK_BYTES_MAX: usize = 40;

/// Makes notes of what was typed as such.
pub(super) fn mend(page: &Document, body: &NodeRef<'_>) {
    let is_mark = |node: &NodeRef<'_>| node.has_name("p") || node.has_name("dt");
    let marks: Vec<_> = body
        .descendants_it()
        .filter(is_mark)
        .filter_map(|node| Some((node, kind_of(&node)?)))
        .collect();
    for (mark, kind) in marks {
        let Some(told) = mark.next_element_sibling() else {
            continue;
        };
        let class = format!("admonition {kind}");
        if mark.has_name("dt") {
            let list = mark.parent();
            let is_only = told.has_name("dd")
                && told.next_element_sibling().is_none()
                && mark.prev_element_sibling().is_none();
            if let Some(list) = list.filter(|list| is_only && list.has_name("dl")) {
                told.rename("div");
                told.set_attr("class", &class);
                list.insert_before(&told);
                list.remove_from_parent();
            }
        } else if let Some(text) = listing(&told) {
            let note = page.tree.new_element("div");
            note.set_attr("class", &class);
            for words in text.split("\n\n").map(squash).filter(|it| !it.is_empty()) {
                let paragraph = page.tree.new_element("p");
                write(page, &words, &paragraph);
                note.append_child(&paragraph);
            }
            mark.insert_before(&note);
            mark.remove_from_parent();
            told.remove_from_parent();
        }
    }
}

/// Writes words into a paragraph, with code where a pair of backticks is around it.
fn write(page: &Document, words: &str, paragraph: &NodeRef<'_>) {
    let parts: Vec<&str> = words.split('`').collect();
    if parts.len().is_multiple_of(2) {
        paragraph.set_text(words);
        return;
    }
    for (at, part) in parts.into_iter().enumerate() {
        if at.is_multiple_of(2) {
            paragraph.append_child(&page.tree.new_text(part));
        } else {
            let code = page.tree.new_element("code");
            code.set_text(part);
            paragraph.append_child(&code);
        }
    }
}

/// The kind of note that an element says to begin, and nothing else.
fn kind_of(node: &NodeRef<'_>) -> Option<&'static str> {
    let text = node.text();
    let text = text.trim();
    if text.len() > MARK_BYTES_MAX {
        return None;
    }
    let word = match text.strip_prefix("!!!") {
        Some(word) => word.trim(),
        None => text.strip_prefix("..")?.trim().strip_suffix(':')?,
    };
    let word = word.trim_end_matches(':');
    KINDS
        .into_iter()
        .find(|kind| word.eq_ignore_ascii_case(kind))
}

/// The prose that an element shows as preformatted; none where it has fenced code in it.
fn listing(node: &NodeRef<'_>) -> Option<String> {
    let listing = match node.has_name("pre") {
        true => Some(*node),
        false => node
            .descendants_it()
            .take(8)
            .find(|inner| inner.has_name("pre"))
            .filter(|inner| inner.text().trim() == node.text().trim()),
    };
    let text = code::text(&listing?);
    (!text.contains("```")).then_some(text)
}

#[cfg(test)]
mod tests {
    use crate::pipeline::extract::html::chapters::Chapter;
    use crate::pipeline::extract::html::read_chapter;
    use crate::pipeline::markdown::write;

    #[test]
    fn a_note_in_the_mark_up_of_another_tool_is_a_note() {
        let chapter = Chapter {
            listed: Vec::new(),
            leads_on: &|_| false,
            is_index: false,
        };
        let told = |body: &str| write(&read_chapter(body, &chapter).blocks);
        let note = told("<div class='admonition note'><p>It is\nhot.</p></div>");
        for typed in [
            "<p>!!!note</p><div class=highlight-none><div class=highlight><pre>It is\nhot.\n</pre></div></div>",
            "<p>..note:</p><pre>It is\nhot.</pre>",
            "<dl><dt>..note::</dt><dd><p>It is hot.</p></dd></dl>",
        ] {
            assert_eq!(told(typed), note, "{typed}");
        }
        let text = told("<p>!!! note</p><pre>Call `fire()`.</pre>");
        assert!(text.contains("Call `fire()`."), "{text}");
        assert!(told("<p>!!! Kilns</p><pre>fire()</pre>").contains("```"));
    }
}
