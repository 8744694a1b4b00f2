//! Owns what the loader of a skill, or a renderer of its Markdown, reads as more than the words of a source: `@notes.md` is a file
//! to take in, `[a-z](x)` a link, and `$1` in code an argument of whoever calls the skill.

use skillkiln_document::blocks::{Block, BlockKind, walk};
use skillkiln_document::host_syntax;
use skillkiln_document::text::Inline;
use std::borrow::Cow;

/// Running text with such words as code, which loaders and renderers leave alone.
pub(super) fn set_apart(text: Cow<'_, str>) -> Vec<Inline> {
    if !text.contains('@') && !text.contains("](") {
        return vec![Inline::Text(text.into_owned())];
    }
    let mut out = Vec::new();
    let mut plain = String::new();
    // Where words are not parted by spaces, they are by the marks of their sentences.
    let ends = |c: char| c.is_whitespace() || is_wide_mark(c);
    for token in text.split_inclusive(ends) {
        let (before, word, after) = bare(token);
        if !(imports(word) || word.contains("](")) || word.contains('`') {
            plain.push_str(token);
            continue;
        }
        plain.push_str(before);
        if !plain.is_empty() {
            out.push(Inline::Text(std::mem::take(&mut plain)));
        }
        out.push(Inline::Code(word.to_owned()));
        plain.push_str(after);
    }
    if !plain.is_empty() {
        out.push(Inline::Text(plain));
    }
    out
}

/// Whether this is a mark of a sentence that is as wide as a letter: Chinese and Japanese have no spaces beside it.
fn is_wide_mark(c: char) -> bool {
    matches!(c, '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '！' | '（' | '）' | '，' | '：' | '；' | '？')
}

/// Inline code behind an exclamation mark is a command that some loaders run before they show a skill; a space parts the two.
pub(super) fn part_from_mark(out: &mut [Inline]) {
    if let Some(Inline::Text(text)) = out.last_mut()
        && text.ends_with('!')
    {
        text.push(' ');
    }
}

/// A word without the marks of the sentence around it.
fn bare(token: &str) -> (&str, &str, &str) {
    let opened = token.trim_start_matches(|c: char| {
        matches!(c, '(' | '"' | '\'' | '“' | '‘' | '*') || is_wide_mark(c)
    });
    let before = token.get(..token.len() - opened.len()).unwrap_or_default();
    let word = opened.trim_end_matches(|c: char| {
        c.is_whitespace()
            || is_wide_mark(c)
            || matches!(
                c,
                '.' | ',' | ';' | ':' | '!' | '?' | '"' | '\'' | '”' | '’' | '*'
            )
    });
    // What swallowed its mark is a mark itself: `@*`, `@:`.
    let word = match opened
        .get(word.len()..)
        .and_then(|rest| rest.chars().next())
    {
        Some('*' | ':') if word.ends_with('@') => opened.get(..=word.len()).unwrap_or(word),
        _ => word,
    };
    let word = match word.strip_suffix(')') {
        Some(inside) if !inside.contains('(') => inside.trim_end_matches(['.', ',', ';', ':']),
        _ => word,
    };
    let after = opened.get(word.len()..).unwrap_or_default();
    (before, word, after)
}

/// Whether a word holds an `@` with a path or a file's name behind it, which a host would take in.
fn imports(word: &str) -> bool {
    host_syntax::imports_in_word(word).next().is_some()
}

/// Whether code in `blocks` holds what is replaced by arguments when somebody calls the skill with some: it would not be shown to the
/// letter, and belongs into a reference.
pub(super) fn take_arguments(blocks: &[Block]) -> bool {
    let mut found = false;
    walk(blocks, &mut |block| {
        found |= match &block.kind {
            BlockKind::Code { text, .. } => is_argument(text),
            BlockKind::Paragraph(text) | BlockKind::Heading { text, .. } => in_line(text),
            BlockKind::Table { header, rows, .. } => header
                .iter()
                .chain(rows.iter().flatten())
                .any(|cell| in_line(cell)),
            BlockKind::Definitions(entries) => entries
                .iter()
                .flat_map(|entry| &entry.terms)
                .any(|term| in_line(term)),
            _ => false,
        };
    });
    found
}

/// Whether code in a line holds it.
pub(super) fn in_line(inlines: &[Inline]) -> bool {
    inlines.iter().any(|inline| match inline {
        Inline::Code(code) => is_argument(code),
        Inline::Emphasis(inner) | Inline::Strong(inner) => in_line(inner),
        Inline::Link(link) => in_line(&link.text),
        Inline::Text(_) | Inline::Math(_) | Inline::Break => false,
    })
}

/// Whether code holds it, or a command that a host runs.
pub(super) fn is_argument(code: &str) -> bool {
    host_syntax::changes_code(code)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{self, document, extracted};
    use super::super::write;
    use super::*;
    use crate::pipeline::product::Wish;

    #[test]
    fn what_a_loader_would_take_in_is_code_and_a_name_at_a_place_is_not() {
        let code = |text: &str| -> Vec<String> {
            set_apart(Cow::Borrowed(text))
                .into_iter()
                .filter_map(|inline| match inline {
                    Inline::Code(code) => Some(code),
                    _ => None,
                })
                .collect()
        };
        for (text, expected) in [
            ("Mail to @example.com, please.", &["@example.com"][..]),
            (
                "Versions (@KILN_4.0) and heat@@KILN_5.1.",
                &["@KILN_4.0", "heat@@KILN_5.1"],
            ),
            ("Write @<name> there.", &["@<name>"]),
            ("The arguments are in @_ there.", &["@_"]),
            (
                "Open kiln.pdf#src:kiln.tex:@:0 there.",
                &["kiln.pdf#src:kiln.tex:@:0"],
            ),
            ("It swears !@$#!@ there.", &["!@$#!@"]),
            ("Set \"@kiln:mono\" there.", &["@kiln:mono"]),
            ("@/: Break a line; @~: none; @*: all.", &["@/", "@~", "@*"]),
            ("Explain @\\, which Texinfo reads.", &["@\\"]),
            ("It says ~d~@*~d once more.", &["~d~@*~d"]),
            ("It matches [a-z]([a-z0-9]) alone.", &["[a-z]([a-z0-9])"]),
            (
                "窯は「@/etc/kiln.conf」に、@notes.md です。",
                &["@/etc/kiln.conf", "@notes.md"],
            ),
            ("Ask kiln@example.com or @anna or @media.", &[]),
        ] {
            assert_eq!(code(text), expected, "{text}");
            assert_eq!(
                skillkiln_document::text::plain(&set_apart(Cow::Borrowed(text))),
                text
            );
        }
    }

    #[test]
    fn a_word_in_two_pieces_of_text_is_set_apart_as_one() {
        let mut source = document("# Kiln\n\nIt fires clay by a plan that somebody wrote.");
        let pieces = ["Write @", "<name> there, and it is done."];
        source.blocks.push(testing::block(
            BlockKind::Paragraph(pieces.map(|piece| Inline::Text(piece.into())).to_vec()),
            0..10,
        ));
        let made = write(extracted(source).into(), &Wish::default()).unwrap();
        let body = &made.drafts.first().unwrap().skill.content;
        assert!(body.contains("Write `@<name>` there"), "{body}");
    }

    #[test]
    fn a_word_of_a_hundred_thousand_signs_is_a_word() {
        let signs = "@".repeat(100_000);
        assert_eq!(
            set_apart(Cow::Borrowed(&signs)),
            [Inline::Text(signs.clone())]
        );
    }

    #[test]
    fn a_title_takes_nothing_in_and_no_mark_makes_a_command_of_code() {
        let mut source =
            document("# Kiln @notes.md\n\nIt fires clay by a plan that somebody wrote.");
        source.blocks.push(testing::block(
            BlockKind::Paragraph(vec![
                Inline::Text("Beware of the fire!".into()),
                Inline::Code("fire --all".into()),
            ]),
            0..10,
        ));
        let made = write(extracted(source).into(), &Wish::default()).unwrap();
        let body = &made.drafts.first().unwrap().skill.content;
        assert!(body.contains("# Kiln `@notes.md`"), "{body}");
        assert!(body.contains("fire! `fire --all`"), "{body}");
    }

    #[test]
    fn code_that_arguments_would_change_is_known_wherever_it_stands() {
        for text in [
            "```sh\nfire \"$1\"\n```",
            "A\n\n```\n$ARGUMENTS\n```",
            "```\nprice: $55.00\nash: $5.00\n```",
            "```markdown\n- State: !`id > owned.txt`\n```",
        ] {
            assert!(take_arguments(&document(text).blocks), "{text}");
        }
        for text in ["It costs $5.", "```sh\n$ fire $HOME\n```"] {
            assert!(!take_arguments(&document(text).blocks), "{text}");
        }
    }
}
