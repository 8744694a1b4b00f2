//! Owns notes that were typed in the mark-up of another tool, and which the generator of a book took for a paragraph with code below
//! it or for a term: `!!! note`, `..note::`.

use crate::html::{code, notes};
use dom_query::{Document, NodeRef};
use skillkiln_document::text::squash;

/// Lines of prose that was broken are at least so long, in letters, but for the last.
const PROSE_LINE_MIN: usize = 40;
/// How prose ends.
const PROSE_ENDS: [char; 8] = ['.', '!', '?', ':', ')', '"', '。', '”'];
/// What stands before a line that is none of prose.
const LINE_MARKS: [char; 8] = ['-', '*', '+', '#', '$', '>', '|', '%'];
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
            if !is_prose(&text) {
                mark.insert_before(&note);
                mark.remove_from_parent();
                note.append_child(&told);
                continue;
            }
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

/// Whether lines may be joined: none of them is set in or marked, and where they are several they are long and end as prose does.
fn is_prose(text: &str) -> bool {
    let is_set_in = |line: &str| {
        let is_blank = |c: char| c == ' ' || c == '\t';
        line.starts_with(is_blank) && !line.trim().is_empty()
    };
    if text.lines().any(is_set_in) {
        return false;
    }
    text.split("\n\n").all(|part| {
        let lines: Vec<&str> = part.lines().filter(|line| !line.is_empty()).collect();
        let [before @ .., last] = lines.as_slice() else {
            return true;
        };
        let is_short = |line: &&str| line.chars().count() < PROSE_LINE_MIN;
        before.is_empty()
            || last.trim_end().ends_with(PROSE_ENDS)
                && !lines.iter().any(|line| line.starts_with(LINE_MARKS))
                && before.iter().filter(|line| is_short(line)).count() < 2
    })
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
    notes::kind(word.trim_end_matches(':'))
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
    use crate::html::chapters::Chapter;
    use crate::html::read_chapter;
    use skillkiln_document::markdown::write;

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

    #[test]
    fn code_in_a_note_of_another_tool_keeps_its_lines() {
        let chapter = Chapter {
            listed: Vec::new(),
            leads_on: &|_| false,
            is_index: false,
        };
        for code in [
            "step one: fire\nstep two: wait\n  indented: cool.",
            "cd kiln\nfire -b\ncool",
            "fire\nwait\ncool down.",
        ] {
            let page = format!("<p>!!! note</p><pre>{code}</pre>");
            let text = write(&read_chapter(&page, &chapter).blocks);
            assert!(text.contains("```"), "{text}");
            for line in code.lines() {
                assert!(
                    text.lines().any(|it| it.ends_with(line)),
                    "{line} in {text}"
                );
            }
        }
    }
}
