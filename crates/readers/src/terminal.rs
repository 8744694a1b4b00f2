//! Owns how text that was made for a terminal or a line printer is read: without the marks that colour it, and without the
//! letters that were struck twice.

use skillkiln_document::patterns;
use std::borrow::Cow;

patterns! {
    /// What a terminal is told, whole: a sequence of control with its last letter, a title or a link with its end, a set of
    /// characters (ECMA-48). Of one that has no end the first character alone is a mark: a parser would take text for its rest.
    MARK = r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|[()][A-Za-z0-9])?";
}

/// The words of such a text; any other text as it is.
pub fn without_marks(text: Cow<'_, str>) -> Cow<'_, str> {
    if memchr::memchr2(0x1b, 0x08, text.as_bytes()).is_none() {
        return text;
    }
    Cow::Owned(
        MARK.replace_all(&without_overstrikes(&text), "")
            .into_owned(),
    )
}

/// A letter struck twice is bold, and one struck over a line is underlined, as `nroff` writes them: the letter alone. A plus
/// struck over by an o is the mark of an item.
fn without_overstrikes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        let over = out.strip_suffix('\u{8}').and_then(|out| {
            let under = out.chars().next_back()?;
            Some((out.len() - under.len_utf8(), under))
        });
        match over {
            Some((at, under)) if !under.is_control() => {
                out.truncate(at);
                out.push(match (under, character) {
                    (_, '_') => under,
                    ('+', 'o') => '•',
                    _ => character,
                });
            }
            _ => out.push(character),
        }
    }
    out.retain(|c| c != '\u{8}');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_links_of_a_terminal_are_no_text() {
        for (marked, words) in [
            ("\u{1b}[1mman [22mfoo\u{1b}[0m\n", "man [22mfoo\n"),
            ("\u{1b}[1;31mred\u{1b}[0m\tcell", "red\tcell"),
            (
                "\u{1b}]8;;https://kiln.example\u{1b}\\kiln\u{1b}]8;;\u{1b}\\",
                "kiln",
            ),
            ("\u{1b}(B\u{1b}[mpläne", "pläne"),
            ("nothing [1m here", "nothing [1m here"),
            // What has no end is no mark: no text may be lost with it.
            (
                "Press \u{1b}P then words\n\nand the rest",
                "Press P then words\n\nand the rest",
            ),
            (
                "echo -ne '\u{1b}]0;kiln'\nkiln start",
                "echo -ne ']0;kiln'\nkiln start",
            ),
            ("5\u{1b} next line", "5 next line"),
            ("A\u{1b}[31\nbroken", "A[31\nbroken"),
        ] {
            assert_eq!(without_marks(marked.into()), words);
        }
    }

    #[test]
    fn a_letter_that_is_struck_twice_stands_once() {
        for (struck, words) in [
            ("N\u{8}NA\u{8}AM\u{8}ME\u{8}E", "NAME"),
            ("_\u{8}f_\u{8}i_\u{8}l_\u{8}e", "file"),
            ("f\u{8}_i\u{8}_", "fi"),
            ("_\u{8}_\u{8}__\u{8}_", "__"),
            ("o\u{8}o\u{8}ok", "ok"),
            ("\u{8}a\n\u{8}b", "a\nb"),
            ("+\u{8}o oak", "• oak"),
        ] {
            assert_eq!(without_marks(struck.into()), words);
        }
    }
}
