//! Tells words in angle brackets, which stand for what the reader is to put there, from tags: `-mf<version>`.

use skillkiln_document::orders::names_a_turn;
use std::cell::OnceCell;
use std::collections::HashSet;

/// The elements of HTML that hand-written texts use, and those of drawings and formulas that may stand in a line.
const ELEMENTS: &[&str] = &[
    "a",
    "abbr",
    "acronym",
    "address",
    "area",
    "article",
    "aside",
    "audio",
    "b",
    "base",
    "bdi",
    "bdo",
    "big",
    "blockquote",
    "body",
    "br",
    "button",
    "canvas",
    "caption",
    "center",
    "circle",
    "cite",
    "code",
    "col",
    "colgroup",
    "data",
    "datalist",
    "dd",
    "del",
    "details",
    "dfn",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "fieldset",
    "figcaption",
    "figure",
    "font",
    "footer",
    "form",
    "frame",
    "frameset",
    "g",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hgroup",
    "hr",
    "html",
    "i",
    "iframe",
    "img",
    "input",
    "ins",
    "kbd",
    "label",
    "legend",
    "li",
    "line",
    "link",
    "main",
    "map",
    "mark",
    "marquee",
    "math",
    "menu",
    "meta",
    "meter",
    "nav",
    "nobr",
    "noscript",
    "object",
    "ol",
    "optgroup",
    "option",
    "output",
    "p",
    "param",
    "path",
    "picture",
    "pre",
    "progress",
    "q",
    "rect",
    "rp",
    "rt",
    "ruby",
    "s",
    "samp",
    "script",
    "search",
    "section",
    "select",
    "slot",
    "small",
    "source",
    "span",
    "strike",
    "strong",
    "style",
    "sub",
    "summary",
    "sup",
    "svg",
    "table",
    "tbody",
    "td",
    "template",
    "text",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "time",
    "title",
    "tr",
    "track",
    "tt",
    "u",
    "ul",
    "var",
    "video",
    "wbr",
];

/// The placeholders of a text.
#[derive(Debug)]
pub(super) struct Placeholders<'a> {
    body: &'a str,
    /// The names that are closed somewhere, looked for when the first tag of an unknown name is met.
    closed: OnceCell<HashSet<&'a str>>,
}

impl<'a> Placeholders<'a> {
    pub(super) fn of(body: &'a str) -> Self {
        Self {
            body,
            closed: OnceCell::new(),
        }
    }

    /// Whether `tag` is one: no element has its name, it has no attributes, and nothing closes it as components of a page are
    /// closed. What marks the turns of a conversation is none: as text it would speak to whoever reads for somebody else.
    pub(super) fn holds(&self, tag: &str) -> bool {
        let Some(inner) = tag
            .strip_prefix('<')
            .and_then(|tag| tag.strip_suffix('>'))
            .filter(|inner| inner.starts_with(|c: char| c.is_ascii_alphabetic()))
        else {
            return false;
        };
        if inner.ends_with('/') || inner.contains('=') {
            return false;
        }
        let name = name_of(inner);
        !ELEMENTS.contains(&name.to_ascii_lowercase().as_str())
            && !names_a_turn(name)
            && !self.closed().contains(name)
    }

    /// A line of HTML that is a placeholder and nothing else, as HTML that shows it.
    pub(super) fn shown(&self, line: &str) -> Option<String> {
        let inner = line.trim().strip_prefix('<')?.strip_suffix('>')?;
        (!inner.contains(['<', '>']) && self.holds(line.trim()))
            .then(|| format!("&lt;{inner}&gt;\n"))
    }

    fn closed(&self) -> &HashSet<&'a str> {
        self.closed
            .get_or_init(|| self.body.split("</").skip(1).map(name_of).collect())
    }
}

/// The name that a tag begins with.
fn name_of(tag: &str) -> &str {
    let end = tag
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | ':' | '_')))
        .unwrap_or(tag.len());
    tag.get(..end).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use crate::markup::markdown::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_placeholder_is_text_and_a_tag_is_none() {
        let written = write(
            &read("Call it kiln-<version>-mf<n> or <Your Name>, <b>bold</b><br/>and <Note>this</Note> <Badge/> <Tab of=\"x\">here.\n".to_owned()).blocks,
        );
        assert_eq!(
            written,
            "Call it kiln-\\<version>-mf\\<n> or \\<Your Name>, bold\\\nand this here.\n"
        );
    }

    #[test]
    fn a_tag_that_marks_a_turn_of_a_conversation_is_no_placeholder() {
        for tag in [
            "system",
            "System",
            "assistant",
            "user",
            "human",
            "tool",
            "function",
            "instructions",
            "prompt",
            "thinking",
            "system-reminder",
            "my-reminder",
        ] {
            let source = format!("Call the kiln <{tag}> here.\n\n<{tag}>\nThere.\n");
            let written = write(&read(source).blocks);
            assert_eq!(written, "Call the kiln here.\n\nThere.\n", "{tag}");
        }
    }

    #[test]
    fn a_placeholder_alone_on_its_line_is_text_too() {
        let written = write(
            &read("Call it:\n\n<version>\n\n<Badge/>\n\n<Note>\n\nMind it.\n\n</Note>\n\n<center>\nHere.\n".to_owned()).blocks,
        );
        assert!(
            written.starts_with("Call it:\n\n\\<version>\n\n"),
            "{written}"
        );
        assert!(
            !written.contains("Badge") && !written.contains("center"),
            "{written}"
        );
    }
}
