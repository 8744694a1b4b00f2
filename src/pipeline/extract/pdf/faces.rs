//! Knows the faces of a document: which are a typewriter's, which are bold or italic, which come from TeX.

use std::collections::HashMap;
use unpdf::parser::backend::BackendFontInfo;

/// The most faces that are told apart.
const FACES_MAX: usize = 4_000;

/// What is known of a face.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Face {
    /// Every character is as wide as every other.
    pub(crate) is_fixed: bool,
    pub(crate) is_bold: bool,
    pub(crate) is_italic: bool,
    /// One of TeX's typewriters, whose quotes are curly by the font alone.
    pub(crate) is_tex: bool,
}

/// The faces of a document, by number.
#[derive(Debug)]
pub(crate) struct Faces {
    faces: Vec<Face>,
    numbers: HashMap<(String, bool, bool, bool), u16>,
}

impl Default for Faces {
    fn default() -> Self {
        Self {
            faces: vec![Face::default()],
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
        let key = (name, font.bold, font.italic, font.fixed_pitch);
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        if self.faces.len() >= FACES_MAX {
            return 0;
        }
        let number = u16::try_from(self.faces.len()).unwrap_or(0);
        self.faces.push(face(&key.0, font));
        self.numbers.insert(key, number);
        number
    }

    /// What is known of a face.
    pub(crate) fn get(&self, number: u16) -> Face {
        self.faces
            .get(usize::from(number))
            .copied()
            .unwrap_or_default()
    }
}

fn face(name: &str, font: &BackendFontInfo) -> Face {
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    let starts = |words: &[&str]| words.iter().any(|word| name.starts_with(word));
    let is_tex_typewriter = starts(&[
        "cmtt", "cmsltt", "cmitt", "cmtcsc", "cmvtt", "ectt", "sftt", "sfit", "sfst", "ecit",
        "ecst", "lmtt", "lmmono", "lmmonolt", "txtt", "pxtt", "tctt",
    ]);
    let is_fixed = font.fixed_pitch
        || is_tex_typewriter
        || has(&[
            "courier",
            "mono",
            "consol",
            "typewriter",
            "menlo",
            "inconsolata",
            "fixed",
            "luximon",
            "nimbusmon",
            "sourcecode",
            "firacode",
            "hack-",
            "monaco",
            "cousine",
            "anonymous",
            "teletype",
            "lettergothic",
            "ocr-b",
            "iosevka",
            "jetbrains",
            "terminal",
            "andale",
        ]) && !has(&["monotype"]);
    let is_tex_bold = starts(&[
        "cmb", "ecbx", "sfbx", "cmssbx", "sfsx", "ecsx", "ecrb", "sfrb",
    ]);
    let is_tex_slanted = starts(&[
        "cmti", "cmsl", "cmitt", "cmbxti", "cmbxsl", "ecti", "sfti", "sfsl", "ecsl", "cmmi",
    ]);
    Face {
        is_fixed,
        is_bold: font.bold
            || is_tex_bold
            || has(&["bold", "black", "heavy", "semibold", "demi", "-medi"]) && !has(&["unbold"]),
        is_italic: font.italic || is_tex_slanted || has(&["italic", "oblique", "slanted"]),
        is_tex: is_tex_typewriter,
    }
}
