//! Puts accents that are drawn apart from their letters back over them, and circles around them: one character of a text, not two.

use crate::pdf::glyph::Glyph;
use unicode_normalization::char::compose;

/// How much higher than its letter an accent is set at most, in sizes of the letter: what lifts it over a capital.
const RISE_OF_SIZE: f32 = 0.5;
/// How far the middle of a lifted accent is from that of its letter at most: slanted faces set it aside.
const ASIDE_OF_SIZE: f32 = 0.25;
/// What is set no further apart, up or down, is on one line.
const LEVEL_OF_SIZE: f32 = 0.08;

/// Accents that stand alone, and what they are over a letter.
pub(crate) fn combining(accent: char) -> Option<char> {
    // Those that a font draws with its letters are accents, the hats and tildes of formulas are not.
    let alone = "´`¨ˆ˜¯˘˙˚ˇ¸˝^~".chars();
    let over = "\u{301}\u{300}\u{308}\u{302}\u{303}\u{304}\u{306}\u{307}\u{30a}\u{30c}\u{327}\u{30b}\u{302}\u{303}";
    let mut known = alone.zip(over.chars());
    known
        .find(|(sign, _)| *sign == accent)
        .map(|(_, over)| over)
}

/// The glyphs, as they were drawn, with each accent that was drawn over a letter in one with it.
pub(crate) fn composed(glyphs: Vec<Glyph>) -> Vec<Glyph> {
    let mut out: Vec<Glyph> = Vec::with_capacity(glyphs.len());
    for glyph in glyphs {
        let whole = out.last().and_then(|last| whole(last, &glyph));
        match (whole, out.last_mut()) {
            (Some(whole), Some(last)) => *last = whole,
            _ => out.push(glyph),
        }
    }
    out
}

/// The one character of two glyphs, where one is an accent over the other.
fn whole(first: &Glyph, second: &Glyph) -> Option<Glyph> {
    if let Some(circled) = circled(first, second).or_else(|| circled(second, first)) {
        return Some(circled);
    }
    let (letter, accent, mark) = match (combining(first.character), combining(second.character)) {
        (Some(mark), None) => (second, first, mark),
        (None, Some(mark)) => (first, second, mark),
        _ => return None,
    };
    if matches!(accent.character, '^' | '~') && accent.face != letter.face {
        return None;
    }
    let bare = match letter.character {
        'ı' => 'i',
        'ȷ' => 'j',
        other => other,
    };
    let character = compose(bare, mark)?;
    is_over(accent, letter).then_some(Glyph {
        character,
        ..*letter
    })
}

/// The sign of a letter within a circle that was drawn around it.
fn circled(circle: &Glyph, letter: &Glyph) -> Option<Glyph> {
    let character = match (circle.character, letter.character) {
        ('◯', 'c' | 'C') => '©',
        ('◯', 'r' | 'R') => '®',
        _ => return None,
    };
    let slack = 0.1 * circle.size;
    let is_within = letter.left > circle.left - slack
        && letter.right < circle.right + slack
        && (letter.y - circle.y).abs() < RISE_OF_SIZE * circle.size
        && letter.turn == circle.turn;
    is_within.then_some(Glyph {
        character,
        ..*circle
    })
}

/// Whether an accent is drawn over or under a letter: on its line where their boxes overlap, and lifted where it stands in the middle.
fn is_over(accent: &Glyph, letter: &Glyph) -> bool {
    let size = letter.size;
    let rise = accent.y - letter.y;
    let overlaps =
        accent.left < letter.right - 0.1 * size && letter.left < accent.right - 0.1 * size;
    let middle = |glyph: &Glyph| (glyph.left + glyph.right) / 2.0;
    let aside = (middle(accent) - middle(letter)).abs();
    let is_level = rise.abs() < LEVEL_OF_SIZE * size;
    let is_lifted = (0.0..RISE_OF_SIZE * size).contains(&rise) && aside < ASIDE_OF_SIZE * size;
    accent.turn == letter.turn
        && accent.hidden == letter.hidden
        && (accent.size - size).abs() < 0.12 * size
        && overlaps
        && (is_level || is_lifted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::testing;

    fn glyph(character: char, left: f32, y: f32) -> Glyph {
        Glyph {
            left,
            right: left + 5.0,
            y,
            ..testing::glyph(character)
        }
    }

    fn read(glyphs: &[Glyph]) -> String {
        let composed = composed(glyphs.to_vec());
        composed.iter().map(|glyph| glyph.character).collect()
    }

    #[test]
    fn an_accent_that_is_lifted_over_its_letter_is_one_character_with_it() {
        let (n, v) = (glyph('n', 0.0, 100.0), glyph('v', 10.0, 100.0));
        for (letter, whole) in [('i', 'í'), ('ı', 'í'), ('E', 'É')] {
            let drawn = [n, glyph('´', 5.5, 102.6), glyph(letter, 5.0, 100.0), v];
            assert_eq!(read(&drawn), format!("n{whole}v"));
        }
    }

    #[test]
    fn an_accent_may_be_drawn_behind_its_letter() {
        let drawn = [
            glyph('C', 0.0, 100.0),
            glyph('¸', 0.5, 100.0),
            glyph('A', 5.0, 100.0),
        ];
        assert_eq!(read(&drawn), "ÇA");
    }

    #[test]
    fn a_letter_within_a_circle_is_a_sign() {
        let circle = Glyph {
            right: 10.0,
            ..glyph('◯', 0.0, 100.0)
        };
        assert_eq!(read(&[circle, glyph('c', 2.5, 100.5)]), "©");
        assert_eq!(read(&[circle, glyph('c', 12.5, 100.5)]), "◯c");
    }

    #[test]
    fn an_accent_beside_a_letter_is_a_character_of_its_own() {
        let drawn = [
            glyph('a', 0.0, 100.0),
            glyph('`', 5.0, 100.0),
            glyph('e', 10.0, 100.0),
        ];
        assert_eq!(read(&drawn), "a`e");
        let power = [
            glyph('x', 0.0, 100.0),
            glyph('^', 5.0, 100.0),
            glyph('e', 10.0, 100.0),
        ];
        assert_eq!(read(&power), "x^e");
        let over = [glyph('^', 0.0, 100.0), glyph('e', 0.0, 100.0)];
        assert_eq!(read(&over), "ê");
        let hat = [Glyph { face: 1, ..over[0] }, over[1]];
        assert_eq!(read(&hat), "^e");
        // What stands in the line above is over nothing in this one.
        let above = [glyph('´', 0.0, 112.0), glyph('e', 0.0, 100.0)];
        assert_eq!(read(&above), "´e");
    }
}
