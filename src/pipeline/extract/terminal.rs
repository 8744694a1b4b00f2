//! Owns how text that was made for a terminal or a line printer is read: without the marks that colour it, and without the
//! letters that were struck twice.

use std::borrow::Cow;

/// The words of such a text; any other text as it is.
pub(crate) fn without_marks(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains(['\u{1b}', '\u{8}']) {
        return text;
    }
    let struck = without_overstrikes(&text);
    Cow::Owned(anstream::adapter::strip_str(&struck).to_string())
}

/// A letter struck twice is bold, and one struck over a line is underlined, as `nroff` writes them: the letter alone.
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
                out.push(if character == '_' { under } else { character });
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
        ] {
            assert_eq!(without_marks(struck.into()), words);
        }
    }
}
