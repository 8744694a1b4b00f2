//! Reads the codes of TeX's fonts that a file names no characters for: those below the letters, where ligatures, dashes and quotes are.
//!
//! What a code shows depends on how its font is encoded, and whether the font has words at all; both show only in what is set in it. So
//! a code is put down as a sign of its own first, and read once its page is.

use crate::pdf::glyph::Glyph;
use std::collections::HashMap;

/// Where the signs that stand for codes begin, among those that no text has.
const SIGNS: u32 = 0xF_0000;
/// So many words show that a font is one of text, and so many letters in a row are a word.
const WORDS_MIN: u32 = 2;
const WORD_LETTERS_MIN: usize = 3;
/// Of what is set in a font of signs, one of so many at most is more than one sign.
const RUNS_ONE_OF: u32 = 8;

/// The bullets of the fonts that hold what goes with text, and of those with the signs of mathematics: neither has words.
const BULLET: u8 = 0x88;
const SIGN_BULLET: u8 = 0x0f;

/// Whether a code may show something that no table of the file tells of.
pub(crate) fn is_code(code: u8) -> bool {
    code < 0x20 || code == 0x7f || code == BULLET
}

/// The sign that stands for `code` until its page is read.
pub(crate) fn sign(code: u8) -> char {
    char::from_u32(SIGNS + u32::from(code)).unwrap_or(' ')
}

fn code_of(sign: char) -> Option<u8> {
    let code = u32::from(sign).checked_sub(SIGNS)?;
    u8::try_from(code).ok()
}

/// What is known of the fonts without names, by their faces.
#[derive(Debug, Default)]
pub(crate) struct Codes {
    fonts: HashMap<u16, Font>,
}

/// What was set in a font so far.
#[derive(Debug, Default, Clone, Copy)]
struct Font {
    words: u32,
    /// How often something was set in it, and how often several signs at once.
    shows: u32,
    runs: u32,
    /// Codes that are ligatures in the old encoding, and in the newer one.
    old: u32,
    new: u32,
}

impl Font {
    /// What `code` shows, as far as it can be told; a ligature is the letters it joins.
    fn shows(self, code: u8) -> &'static str {
        if self.words < WORDS_MIN {
            return match code {
                BULLET | SIGN_BULLET if self.has_signs() => "•",
                _ => "",
            };
        }
        if self.old > self.new {
            old(code)
        } else {
            new(code)
        }
    }
}

impl Font {
    /// Whether most of what is set in it stands alone, as signs do and the words of no script.
    fn has_signs(self) -> bool {
        self.runs.saturating_mul(RUNS_ONE_OF) <= self.shows
    }
}

impl Codes {
    /// Learns from what is set in a face.
    pub(crate) fn observe(&mut self, face: u16, bytes: &[u8]) {
        let font = self.fonts.entry(face).or_default();
        font.shows = font.shows.saturating_add(1);
        font.runs = font.runs.saturating_add(u32::from(bytes.len() > 1));
        let mut letters = 0;
        for byte in bytes {
            letters = if byte.is_ascii_lowercase() {
                letters + 1
            } else {
                0
            };
            font.words = font
                .words
                .saturating_add(u32::from(letters == WORD_LETTERS_MIN));
            match byte {
                0x0b..=0x0f => font.old = font.old.saturating_add(1),
                0x10..=0x11 | 0x15..=0x16 | 0x1b..=0x1f => font.new = font.new.saturating_add(1),
                _ => {}
            }
        }
    }

    /// Puts what they show in the places of the codes of a page.
    pub(crate) fn read(&self, glyphs: &mut Vec<Glyph>) {
        if self.fonts.is_empty() {
            return;
        }
        let mut out = Vec::with_capacity(glyphs.len());
        for glyph in glyphs.drain(..) {
            let font = self.fonts.get(&glyph.face).copied();
            let Some(code) = code_of(glyph.character) else {
                let character = font.map_or(glyph.character, |font| font.dash(glyph.character));
                out.push(Glyph { character, ..glyph });
                continue;
            };
            let shown = font.map_or("", |font| font.shows(code));
            let width = (glyph.right - glyph.left) / shown.chars().count().max(1) as f32;
            let mut left = glyph.left;
            for character in shown.chars() {
                out.push(Glyph {
                    character,
                    left,
                    right: left + width,
                    ..glyph
                });
                left += width;
            }
        }
        *glyphs = out;
    }
}

impl Font {
    /// What the old encoding shows in the places of signs of ASCII.
    fn dash(self, character: char) -> char {
        if self.words < WORDS_MIN || self.old <= self.new {
            return character;
        }
        match character {
            '{' => '–',
            '|' => '—',
            '\\' => '“',
            '"' => '”',
            other => other,
        }
    }
}

/// TeX's old encoding of text.
fn old(code: u8) -> &'static str {
    match code {
        0x0b => "ff",
        0x0c => "fi",
        0x0d => "fl",
        0x0e => "ffi",
        0x0f => "ffl",
        0x10 => "ı",
        0x19 => "ß",
        0x1a => "æ",
        0x1b => "œ",
        0x1c => "ø",
        0x1d => "Æ",
        0x1e => "Œ",
        0x1f => "Ø",
        _ => "",
    }
}

/// The encoding of Cork.
fn new(code: u8) -> &'static str {
    match code {
        0x0d => "‚",
        0x0e => "‹",
        0x0f => "›",
        0x10 => "“",
        0x11 => "”",
        0x12 => "„",
        0x13 => "«",
        0x14 => "»",
        0x15 => "–",
        0x16 => "—",
        0x19 => "ı",
        0x1b => "ff",
        0x1c => "fi",
        0x1d => "fl",
        0x1e => "ffi",
        0x1f => "ffl",
        0x7f => "-",
        _ => "",
    }
}

/// What TeX's mathematical symbols show for a code below the letters, whose name no table of characters has.
pub(crate) fn symbol(code: u8) -> Option<char> {
    Some(match code {
        0x05 => '⋄',
        0x07 => '∓',
        0x0d => '◯',
        0x10 => '≍',
        0x16 => '≼',
        0x17 => '≽',
        0x1c => '≪',
        0x1d => '≫',
        0x1e => '≺',
        0x1f => '≻',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::testing;

    fn shown(bytes: &[u8]) -> String {
        let mut codes = Codes::default();
        codes.observe(1, b"kiln fire clay");
        codes.observe(1, bytes);
        let letters = bytes.iter().zip(0_u8..);
        let mut glyphs: Vec<Glyph> = letters
            .map(|(byte, at)| Glyph {
                left: f32::from(at),
                right: f32::from(at + 1),
                face: 1,
                ..testing::glyph(match is_code(*byte) {
                    true => sign(*byte),
                    false => char::from(*byte),
                })
            })
            .collect();
        codes.read(&mut glyphs);
        assert!(glyphs.is_sorted_by(|one, next| one.left <= next.left));
        glyphs.iter().map(|glyph| glyph.character).collect()
    }

    #[test]
    fn codes_of_fonts_without_a_table_are_the_ligatures_and_dashes_they_show() {
        for (bytes, words) in [
            (
                &b"su\x1ecient \x1cre \x16 and o\x1b"[..],
                "sufficient fire — and off",
            ),
            (b"\x10hot\x11, 2\x153", "“hot”, 2–3"),
            (b"su\x0ecient \x0cre | 2{3", "sufficient fire — 2–3"),
            (b"a{b|c", "a{b|c"),
        ] {
            assert_eq!(shown(bytes), words);
        }
    }

    #[test]
    fn a_font_without_words_shows_signs_that_nobody_knows() {
        let mut codes = Codes::default();
        codes.observe(1, b"\x1bx");
        let mut glyphs = vec![Glyph {
            face: 1,
            ..testing::glyph(sign(0x1b))
        }];
        codes.read(&mut glyphs);
        assert!(glyphs.is_empty());
    }

    #[test]
    fn the_bullet_of_a_font_without_words_is_read() {
        for code in [0x88, 0x0f] {
            let mut codes = Codes::default();
            codes.observe(1, &[code]);
            let mut glyphs = vec![Glyph {
                face: 1,
                ..testing::glyph(sign(code))
            }];
            codes.read(&mut glyphs);
            assert!(is_code(code) && glyphs.iter().all(|glyph| glyph.character == '•'));
            assert_eq!(glyphs.len(), 1);
        }
    }

    #[test]
    fn a_relation_without_a_character_is_told_by_its_code() {
        assert_eq!(symbol(0x1c), Some('≪'));
        assert_eq!(symbol(b'a'), None);
    }
}
