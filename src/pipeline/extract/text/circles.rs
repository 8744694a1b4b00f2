//! Owns which lines of plain text begin with a small letter that is drawn as a bullet: `o wood`. In some languages it is a word.

use super::indentation;
use std::borrow::Cow;

/// A run of items that are still open.
struct Run {
    indent: usize,
    items: usize,
    /// Whether nothing but its mark was read of the last item.
    is_fresh: bool,
}

/// `text` with stars in place of such bullets, byte by byte as long: what belongs to an item is set in further than its mark, and one
/// run of several items shows that the text has them.
pub(super) fn starred(text: &str) -> Cow<'_, str> {
    let mut marks: Vec<usize> = Vec::new();
    let mut is_repeated = false;
    let mut run: Option<Run> = None;
    // How far the line above is set in; nothing stands above an empty one.
    let mut above: Option<usize> = None;
    let mut position = 0;
    for line in text.split_inclusive('\n') {
        let start = position + line.len() - line.trim_start().len();
        position += line.len();
        let words = line.trim();
        if words.is_empty() {
            above = None;
            continue;
        }
        let indent = indentation(line);
        let begins = above.is_none_or(|above| above < indent);
        above = Some(indent);
        let is_open = run.as_ref().is_some_and(|run| run.indent == indent);
        if is_item(words) && (is_open || begins) {
            let items = run.filter(|_| is_open).map_or(0, |run| run.items) + 1;
            is_repeated |= items > 1;
            marks.push(start);
            run = Some(Run {
                indent,
                items,
                is_fresh: true,
            });
            continue;
        }
        if let Some(open) = &mut run {
            if indent > open.indent + 1 {
                open.is_fresh = false;
                continue;
            }
            // A paragraph that goes on as far in as it began had no mark.
            if open.is_fresh && indent == open.indent && !begins {
                marks.pop();
            }
            run = None;
        }
    }
    if !is_repeated {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for mark in marks {
        out.push_str(text.get(from..mark).unwrap_or(""));
        out.push('*');
        from = mark + 1;
    }
    out.push_str(text.get(from..).unwrap_or(""));
    Cow::Owned(out)
}

/// Whether a line is the letter alone and words behind it.
fn is_item(words: &str) -> bool {
    let said = words.strip_prefix("o ").map(str::trim_start);
    said.is_some_and(|said| {
        let is_word = |word: &str| word.chars().filter(|c| c.is_alphabetic()).count() > 1;
        said.split(' ').any(is_word)
    })
}

#[cfg(test)]
mod tests {
    use crate::pipeline::extract::text::read_plain;
    use crate::pipeline::markdown::write;

    fn written(source: &str) -> String {
        write(&read_plain(source.to_owned()).blocks)
    }

    #[test]
    fn a_small_letter_before_items_is_their_bullet() {
        assert_eq!(
            written(
                "It is fast:\n\n  * Doors:\n    o ~6% less heat for doors\n    o 15% less wood for roofs (of\n      red clay)\n  * Roofs:\n    o all of them\n"
            ),
            "It is fast:\n\n- Doors:\n  - ~6% less heat for doors\n  - 15% less wood for roofs (of red clay)\n- Roofs:\n  - all of them\n"
        );
    }

    #[test]
    fn a_small_letter_that_is_a_word_is_none() {
        for source in [
            "Deve abrir\no forno e a porta\n",
            "Opções:\n\n  -a\n     o forno que\n     arde\n  -b\n     o nome dele\n",
        ] {
            assert!(written(source).contains("o forno"), "{}", written(source));
        }
    }
}
