//! Knows the faces of a document: which are a typewriter's, which are bold or italic.

use crate::words::{Pairs, pairs, sign_of};
use std::collections::{HashMap, HashSet};
use unpdf::parser::backend::BackendFontInfo;

/// The most faces that are told apart.
const FACES_MAX: usize = 4_000;
/// How the library calls a font that has no name, as those have whose glyphs are drawn by the file itself.
const NAMELESS: &str = "unknown";

/// What is known of a face.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Face {
    /// Every character is as wide as every other.
    pub(crate) is_fixed: bool,
    pub(crate) is_bold: bool,
    pub(crate) is_italic: bool,
    /// TeX's mathematical symbols, which many files give no characters for.
    pub(crate) is_symbols: bool,
    /// The file does not say what it is called.
    pub(crate) is_nameless: bool,
}

/// What the widths of a face's letters say.
#[derive(Debug, Clone, Copy, Default)]
struct Widths {
    width: f32,
    narrow: u8,
    wide: u8,
    letters: u8,
    varies: bool,
}

/// The faces of a document, by number.
#[derive(Debug)]
pub(crate) struct Faces {
    faces: Vec<Face>,
    widths: Vec<Widths>,
    /// Those of the society's signs, which TeX knows beside its own.
    society: HashSet<u16>,
    numbers: HashMap<(String, bool, bool, bool), u16>,
}

impl Default for Faces {
    fn default() -> Self {
        Self {
            faces: vec![Face::default()],
            widths: vec![Widths::default()],
            society: HashSet::new(),
            numbers: HashMap::new(),
        }
    }
}

impl Faces {
    /// The number of the face of `font`.
    pub(crate) fn of(&mut self, font: &BackendFontInfo) -> u16 {
        let name = font
            .base_font
            .split_once('+')
            .map_or(font.base_font.as_str(), |(_, name)| name)
            .to_ascii_lowercase();
        // Fonts without names are told apart by what the pages call them.
        let name = match name.as_str() {
            NAMELESS => format!("{NAMELESS} {}", String::from_utf8_lossy(&font.name)),
            _ => name,
        };
        let key = (name, font.bold, font.italic, font.fixed_pitch);
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        if self.faces.len() >= FACES_MAX {
            return 0;
        }
        let number = u16::try_from(self.faces.len()).unwrap_or(0);
        if key.0.starts_with("msam") {
            self.society.insert(number);
        }
        self.faces.push(face(&key.0, font));
        self.widths.push(Widths::default());
        self.numbers.insert(key, number);
        number
    }

    /// Learns how wide `character` is in a face, in thousandths of its size.
    pub(crate) fn observe(&mut self, number: u16, character: char, width: f32) {
        let Some(seen) = self.widths.get_mut(usize::from(number)) else {
            return;
        };
        if seen.varies || !character.is_ascii_alphanumeric() {
            return;
        }
        if seen.letters == 0 {
            seen.width = width;
        }
        seen.varies = (seen.width - width).abs() > 0.02 * seen.width.max(1.0);
        seen.letters = seen.letters.saturating_add(1);
        match character {
            'i' | 'j' | 'l' | 't' | 'f' | 'I' | 'r' => seen.narrow = seen.narrow.saturating_add(1),
            'm' | 'w' | 'M' | 'W' | 'o' | 'n' | 'e' | 'a' => {
                seen.wide = seen.wide.saturating_add(1);
            }
            _ => {}
        }
        // What the letters show is surer than what the file says.
        let (narrow, wide) = (seen.narrow, seen.wide);
        let varies = seen.varies;
        if let Some(face) = self.faces.get_mut(usize::from(number)) {
            // Of a font without a name, nothing is told that a few letters would have to gainsay.
            let least = if face.is_nameless { 1 } else { 6 };
            let fixed = narrow >= least && wide >= least && !varies;
            if varies {
                face.is_fixed = false;
            } else if fixed {
                face.is_fixed = true;
            }
        }
    }

    /// What is known of a face.
    pub(crate) fn get(&self, number: u16) -> Face {
        self.faces
            .get(usize::from(number))
            .copied()
            .unwrap_or_default()
    }
}

impl Faces {
    /// What a face draws for a character that its codes were read as, where it is one of signs.
    pub(crate) fn sign(&self, number: u16, character: char) -> Option<char> {
        if self.get(number).is_symbols {
            return Some(sign_of(&SYMBOLS, character));
        }
        let is_of_society = self.society.contains(&number);
        is_of_society.then(|| sign_of(&SOCIETY, character))
    }
}

/// What TeX's mathematical symbols show for a code below the letters, whose name no table of characters has.
pub(crate) fn tex_symbol(code: u8) -> Option<char> {
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

/// The signs that the society's symbols draw for codes that were read as ASCII.
static SOCIETY: Pairs = pairs!("6 ⩽  > ⩾  B ▷  C ◁  F ★  H ▼  I ▶  J ◀  M △  N ▲  O ▽  X ✓");

/// The signs that TeX's symbols draw for codes that were read as ASCII.
static SYMBOLS: Pairs = pairs!(
    "! →  \" ↑  # ↓  $ ↔  ( ⇐  ) ⇒  , ⇔  0 ′  1 ∞  2 ∈  8 ∀  9 ∃  ` ⊢  a ⊣  f {  g }  h ⟨  i ⟩  j |  k ‖  n \\  p √  r ∇  x §"
);

fn face(name: &str, font: &BackendFontInfo) -> Face {
    let has = |words: &str| words.split(' ').any(|word| name.contains(word));
    let starts = |words: &str| words.split(' ').any(|word| name.starts_with(word));
    let is_tex_typewriter = starts(
        "cmtt cmsltt cmitt cmtcsc cmvtt ectt sftt sfit sfst ecit ecst lmtt lmmono lmmonolt txtt pxtt tctt \
             t1xtt t1xbtt tcxtt zi4",
    );
    let is_fixed = font.fixed_pitch
        || is_tex_typewriter
        || has(
            "courier mono consol typewriter menlo inconsolata fixed luximon nimbusmon sourcecode firacode hack- \
             monaco cousine anonymous teletype lettergothic ocr-b iosevka jetbrains terminal andale",
        ) && !has("monotype");
    let is_tex_bold = starts("cmb ecbx sfbx cmssbx sfsx ecsx ecrb sfrb");
    let is_tex_slanted = starts("cmti cmsl cmitt cmbxti cmbxsl ecti sfti sfsl ecsl cmmi");
    Face {
        is_fixed,
        is_bold: font.bold
            || is_tex_bold
            || has("bold black heavy semibold demi -medi") && !has("unbold"),
        is_italic: font.italic || is_tex_slanted || has("italic oblique slanted"),
        is_symbols: starts("cmsy cmbsy"),
        is_nameless: starts(NAMELESS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_of_a_font_of_signs_is_the_sign_that_it_draws() {
        let mut faces = Faces::default();
        faces.society.insert(0);
        assert_eq!(faces.sign(0, 'I'), Some('▶'));
        assert_eq!(faces.sign(1, 'I'), None);
        assert_eq!(sign_of(&SYMBOLS, 'f'), '{');
    }
}
