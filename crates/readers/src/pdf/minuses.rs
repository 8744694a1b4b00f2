//! Gives hyphens back that a page shows as minus signs, as groff sets those of options and names: `−−help`, `read−eval−print`.

use crate::pdf::line::Line;
use skillkiln_document::patterns;

/// So many words that are written with minus signs show that a document writes its hyphens so.
const WORDS_MIN: usize = 3;
/// So many letters behind a sign and a figure are a word and no variable: `32−bit`.
const WORD_LETTERS: usize = 3;

patterns! {
    /// A long option, or two words of several letters each with a minus sign between them.
    WORD = r"(^|[\s\[(|,/“‘'\x22])−−[A-Za-z]{2}|[A-Za-z]{3}−[A-Za-z]{3}";
}

/// Makes hyphens of the minus signs of `lines`, where the document writes its options with them. Those of its formulas stay.
pub(crate) fn settle(lines: &mut [Vec<Line>]) {
    let words = lines.iter().flatten().map(Line::text);
    let words = words.filter(|text| text.contains('−') && WORD.is_match(text));
    if words.take(WORDS_MIN).count() < WORDS_MIN {
        return;
    }
    for line in lines.iter_mut().flatten() {
        typed(line);
    }
}

/// Makes hyphens of a line's minus signs that stand in words.
fn typed(line: &mut Line) {
    let shown: Vec<char> = line.text().chars().collect();
    if !shown.contains(&'−') {
        return;
    }
    let mut signs = (0..shown.len()).map(|at| is_hyphen(&shown, at));
    for piece in &mut line.pieces {
        let typed = piece.text.chars().map(|c| match signs.next() {
            Some(true) => '-',
            _ => c,
        });
        piece.text = typed.collect();
    }
}

/// Whether the character at a place is a minus sign that was typed as a hyphen: a letter or another one stands behind it, and no figure
/// or term of a formula before it. One that ends a line behind a letter breaks a word.
fn is_hyphen(shown: &[char], at: usize) -> bool {
    if shown.get(at) != Some(&'−') {
        return false;
    }
    let ahead = shown.get(..at).unwrap_or_default();
    let behind = shown.get(at + 1..).unwrap_or_default();
    let (before, next) = (ahead.last(), behind.first());
    // Two of them are typed as two hyphens, whatever stands around them.
    if before == Some(&'−') || next == Some(&'−') {
        return true;
    }
    let word = ahead.iter().rev().take_while(|c| c.is_alphabetic()).count();
    let apart = ahead
        .len()
        .checked_sub(word + 1)
        .and_then(|at| ahead.get(at));
    let is_apart =
        apart.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '−' | '-' | '‘' | '“'));
    let letters = behind.iter().take_while(|c| c.is_alphabetic()).count();
    match (before, next) {
        // What breaks a word stands behind some of its letters, and no mark of another kind before those.
        (Some(_), None) => word >= WORD_LETTERS && is_apart,
        // The names of keys: `C−[`.
        (Some('C' | 'M'), Some(next)) if word == 1 && is_apart => {
            !next.is_whitespace() && !next.is_ascii_digit()
        }
        (Some(before), Some(_)) if before.is_ascii_digit() => letters >= WORD_LETTERS,
        (Some(')' | ']'), Some(_)) => letters >= WORD_LETTERS,
        (_, Some(next)) => next.is_alphabetic(),
        (None, None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::testing;

    fn read(words: &[&str]) -> Vec<String> {
        let lines = words.iter().map(|words| {
            let (one, other) = words.split_at(words.find('[').unwrap_or(0));
            testing::line(vec![testing::piece(one), testing::piece(other)])
        });
        let mut pages = vec![lines.collect::<Vec<Line>>()];
        settle(&mut pages);
        pages.iter().flatten().map(Line::text).collect()
    }

    #[test]
    fn the_minus_signs_of_options_and_words_are_hyphens() {
        let shown = [
            "kiln [−−fire] | [−h] − burns wood",
            "−−heat and the oak−ash−coal of a 32−bit kiln",
            "Each low−heat kiln reads kiln−",
            "1000 − n, 2−n, x − (y) −z, −5",
            "A −− ends options, id++ id−−, and M−# or C−[ is typed",
            "Moves <&digit−",
        ];
        assert_eq!(
            read(&shown),
            [
                "kiln [--fire] | [-h] − burns wood",
                "--heat and the oak-ash-coal of a 32-bit kiln",
                "Each low-heat kiln reads kiln-",
                "1000 − n, 2−n, x − (y) -z, −5",
                "A -- ends options, id++ id--, and M-# or C-[ is typed",
                "Moves <&digit−",
            ]
        );
    }

    #[test]
    fn the_minus_signs_of_a_text_with_formulas_stay() {
        let shown = ["heat = a−b and −x", "max−min of it", "the rest"];
        assert_eq!(read(&shown), shown);
    }
}
