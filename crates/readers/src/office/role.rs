//! Tells from a style's name what a paragraph is: a heading in any language, code, a quotation, an item, only furniture.

use crate::words::{WordList, words};

/// The word for "heading" in the names that writers in other languages give their styles.
static HEADINGS: WordList = words!(
    "heading überschrift titre título titulo titolo título kop rubrik overskrift otsikko nagłówek nadpis заголовок 标题 標題 見出し 제목 cím \
     başlık titlu h"
);
/// Words in the names of styles for code.
static CODE: WordList = words!(
    "code sourcecode preformatted listing listings verbatim console terminal programlisting macro quellcode quelltext código codice \
     codeblock snippet screen literal"
);

/// What a paragraph's style makes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Running text.
    Body,
    /// A heading of this level, from 1.
    Heading(u8),
    /// The document's title.
    Title,
    /// Code.
    Code,
    /// A quotation.
    Quote,
    /// The words with a table or picture.
    Caption,
    /// A term that is defined.
    Term,
    /// What it means.
    Meaning,
    /// A line of a table of contents.
    Contents,
    /// An item of a list at this level: ordered, bulleted.
    Item(usize, bool),
    /// It goes on with the item before it, at this level.
    Continued(usize),
}

/// What a style's name, in lower case, says.
pub(crate) fn role_of_name(name: &str) -> Role {
    let name = name.replace(['_', '-'], " ");
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
    let number = name
        .get(stem.len()..)
        .and_then(|end| end.trim().parse::<usize>().ok());
    if let Some(level @ 1..=9) = number
        && HEADINGS.contains(&stem)
    {
        return Role::Heading(u8::try_from(level).unwrap_or(9));
    }
    let level = number.unwrap_or(1).saturating_sub(1).min(8);
    match stem {
        "title" | "titel" | "document title" => return Role::Title,
        "toc"
        | "toc heading"
        | "table of figures"
        | "table of authorities"
        | "contents"
        | "contents heading" => {
            return Role::Contents;
        }
        "quote" | "intense quote" | "block text" | "quotations" | "blockquote"
        | "block quotation" => return Role::Quote,
        "caption" | "illustration" | "table" | "drawing" | "table caption" | "image caption"
        | "figure caption" | "beschriftung" => {
            return Role::Caption;
        }
        "definition term" | "list heading" => return Role::Term,
        "definition" | "definition definition" | "list contents" => return Role::Meaning,
        "list bullet" => return Role::Item(level, false),
        "list number" => return Role::Item(level, true),
        "list continue" => return Role::Continued(level),
        _ => {}
    }
    let mut words = name.split([' ', '.']);
    if words.any(|word| CODE.contains(&word)) && !name.contains("zip") && !name.contains("title") {
        return Role::Code;
    }
    Role::Body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_a_style_is_for() {
        for (name, role) in [
            ("heading 1", Role::Heading(1)),
            ("überschrift 3", Role::Heading(3)),
            ("heading2", Role::Heading(2)),
            ("title", Role::Title),
            ("html preformatted", Role::Code),
            ("source code", Role::Code),
            ("list bullet 2", Role::Item(1, false)),
            ("list number", Role::Item(0, true)),
            ("toc 2", Role::Contents),
            ("block text", Role::Quote),
            ("body text", Role::Body),
            ("normal", Role::Body),
        ] {
            assert_eq!(role_of_name(name), role, "{name}");
        }
    }
}
