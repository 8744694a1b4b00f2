//! Reads signs that a text explains one below the other, a star first: there `*` is a sign as `?` and `[]` are, and marks no item.

use super::{Layout, Line, lists};
use skillkiln_document::blocks::{Block, BlockKind, Definition, Span};
use skillkiln_document::text::Inline;

/// So many signs one below the other are explained, and are no marks of items.
const SIGNS_MIN: usize = 3;
/// A sign is not longer, in characters.
const SIGN_CHARS_MAX: usize = 2;
/// Signs that mark items as well.
const MARKS: [&str; 5] = ["*", "-", "+", "•", "–"];

/// The signs that `lines` begin with and what they mean, and how many lines that takes.
pub(super) fn meanings(lines: &[Line<'_>], layout: &Layout) -> Option<(Block, usize)> {
    let first = lines.first().filter(|line| line.words.starts_with('*'))?;
    let mut heads: Vec<(usize, &str, &str)> = Vec::new();
    let mut length = 0;
    for (at, line) in lines.iter().enumerate() {
        if line.words.is_empty() || line.indent < first.indent {
            break;
        }
        if line.indent == first.indent {
            let (sign, meaning) = sign(line.words)?;
            // The same sign again marks items.
            if heads.iter().any(|(_, before, _)| *before == sign) {
                return None;
            }
            heads.push((at, sign, meaning));
        }
        length = at + 1;
    }
    let are_marks = heads.iter().all(|(_, sign, _)| MARKS.contains(sign));
    if heads.len() < SIGNS_MIN || are_marks {
        return None;
    }
    let ends = heads.iter().skip(1).map(|(at, ..)| *at).chain([length]);
    let entries = heads
        .iter()
        .zip(ends)
        .map(|((at, sign, meaning), end)| Definition {
            terms: vec![vec![Inline::Code((*sign).to_owned())]],
            blocks: said(lines.get(*at..end).unwrap_or_default(), meaning, layout),
        })
        .collect();
    let end = lines.get(length - 1)?.range.end;
    let block = Block {
        kind: BlockKind::Definitions(entries),
        span: Span::of(first.range.start..end),
    };
    Some((block, length))
}

/// A sign at the start of a line, and what stands behind it.
fn sign(words: &str) -> Option<(&str, &str)> {
    let (sign, meaning) = words.split_once([' ', '\t'])?;
    let is_sign = sign.chars().count() <= SIGN_CHARS_MAX && !sign.contains(char::is_alphanumeric);
    let is_told = meaning.contains(char::is_alphabetic);
    (is_sign && is_told).then(|| (sign, meaning.trim_start()))
}

/// What the first of `lines` says with `words`, and the others below it.
fn said(lines: &[Line<'_>], words: &str, layout: &Layout) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut at = 0;
    while let Some(rest) = lines.get(at..)
        && let Some(line) = rest.first()
    {
        let words = if at == 0 { words } else { line.words };
        at += 1 + lists::paragraph(rest, words, layout, &mut blocks);
    }
    blocks
}

#[cfg(test)]
mod tests {
    use crate::text::read_plain;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_star_among_other_signs_is_a_sign_and_among_stars_an_item() {
        for (source, shown) in [
            (
                "These are known where:\n   * matches any letters (and\n     none as well).\n   ? matches one letter.\n   [] delimits a range.\n",
                "These are known where:\n\n- `*`: matches any letters (and none as well).\n- `?`: matches one letter.\n- `[]`: delimits a range.\n",
            ),
            (
                "They are:\n\n* of oak\n* of ash\n* of elm\n",
                "They are:\n\n- of oak\n- of ash\n- of elm\n",
            ),
        ] {
            assert_eq!(write(&read_plain(source.to_owned()).blocks), shown);
        }
    }
}
