//! Finds lines whose letters were set apart, as those of titles and of emphasised words are (tracking, letter-spacing), and closes the
//! room between the letters of a word: `K i l n – M a n u a l` is "Kiln – Manual".

use crate::pdf::glyph::Glyph;

/// Room between two letters, in sizes of their letters, that would part two words, and none that is seen as letters set apart.
const TRACKING: std::ops::Range<f32> = 0.1..0.75;
/// How far the room between letters differs, in sizes of the letters; kerning makes it uneven.
const EVEN: f32 = 0.07;
/// Words stand apart by this much more than letters, in sizes of the letters.
const WORD_MORE: f32 = 0.15;
/// Letters of a line that tells, and how many of its words there are for each letter that stands alone.
const LETTERS_MIN: usize = 8;
/// The longest line that is looked at: text is set so for a title.
const LETTERS_MAX: usize = 120;
/// Letters of a word of the line, on the average.
const WORD_LETTERS: usize = 3;

/// Widens the letters of such lines by the room behind them.
pub(crate) fn close(glyphs: &mut [Glyph]) {
    let mut start = 0;
    while let Some(first) = glyphs.get(start).copied() {
        let goes_on = |pair: &[Glyph]| {
            matches!(pair, [before, next] if next.turn == first.turn
                && (next.y - first.y).abs() < 0.08 * first.size
                && (next.size - first.size).abs() < 0.02 * first.size
                && next.left >= before.left)
        };
        let rest = glyphs.get(start..).unwrap_or_default();
        let length = 1 + rest.windows(2).take_while(|pair| goes_on(pair)).count();
        if let Some(run) = glyphs.get_mut(start..start + length) {
            close_line(run);
        }
        start += length;
    }
}

fn close_line(run: &mut [Glyph]) {
    let is_short = (LETTERS_MIN..=LETTERS_MAX).contains(&run.len());
    // Where spaces were set, words are parted by them.
    if !is_short || run.iter().any(|glyph| glyph.character == ' ') {
        return;
    }
    let room: Vec<f32> = run
        .windows(2)
        .map(|pair| match pair {
            [before, next] => (next.left - before.right) / before.size.max(1.0),
            _ => 0.0,
        })
        .collect();
    let mut sorted = room.clone();
    sorted.sort_by(f32::total_cmp);
    let Some(tracking) = sorted.get(sorted.len() / 2).copied() else {
        return;
    };
    let is_between_letters = |room: &f32| (room - tracking).abs() <= EVEN;
    let is_between_words = |room: &f32| *room >= tracking + WORD_MORE;
    let words = 1 + room.iter().filter(|room| is_between_words(room)).count();
    let is_tracked = TRACKING.contains(&tracking)
        && words > 1
        && words * WORD_LETTERS <= run.len()
        && room
            .iter()
            .all(|room| is_between_letters(room) || is_between_words(room));
    if !is_tracked {
        return;
    }
    for (at, room) in room.iter().enumerate() {
        let next = run.get(at + 1).map(|next| next.left);
        if let (true, Some(next), Some(glyph)) = (is_between_letters(room), next, run.get_mut(at)) {
            glyph.right = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::testing;

    /// Letters of 5 points, 10 high, with so much room behind each, and more for a space.
    fn set(words: &str, room: f32, space: f32) -> Vec<Glyph> {
        let mut left = 0.0;
        let mut out = Vec::new();
        for character in words.chars() {
            if character == ' ' {
                left += space;
                continue;
            }
            out.push(Glyph {
                left,
                right: left + 5.0,
                ..testing::glyph(character)
            });
            left += 5.0 + room;
        }
        close(&mut out);
        out
    }

    fn words(glyphs: &[Glyph]) -> usize {
        let parted = |pair: &&[Glyph]| pair[1].left - pair[0].right > 0.13 * pair[0].size;
        1 + glyphs.windows(2).filter(parted).count()
    }

    #[test]
    fn letters_set_apart_are_words_and_the_letters_of_a_table_are_not() {
        let size = testing::glyph('a').size;
        let apart = 0.25 * size;
        assert_eq!(words(&set("Kiln – Manual", apart, 0.5 * size)), 3);
        // No word is told from another.
        assert_eq!(words(&set("ABCDEFGHIJ", apart, 0.0)), 10);
        assert_eq!(words(&set("a b c d e f g h i", apart, 0.5 * size)), 9);
        assert_eq!(words(&set("Kiln manual", 0.0, 0.3 * size)), 2);
    }
}
