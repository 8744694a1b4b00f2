//! Owns what the signs of symbol fonts are: files keep them by their place in the font, in the area for private use.

/// The signs of the font "Symbol" from 0x41 to 0x5a, and from 0x61 to 0x7a.
const LETTERS: [&str; 2] = ["ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", "αβχδεφγηιϕκλμνοπθρστυϖωξψζ"];
/// Its other signs that are not those of ASCII.
const SIGNS: &[(u32, char)] = &[
    (0x22, '∀'),
    (0x24, '∃'),
    (0x27, '∋'),
    (0x2a, '∗'),
    (0x2d, '−'),
    (0x40, '≅'),
    (0x5c, '∴'),
    (0x5e, '⊥'),
    (0x7e, '∼'),
    (0xa3, '≤'),
    (0xa5, '∞'),
    (0xab, '↔'),
    (0xac, '←'),
    (0xad, '↑'),
    (0xae, '→'),
    (0xaf, '↓'),
    (0xb0, '°'),
    (0xb1, '±'),
    (0xb2, '″'),
    (0xb3, '≥'),
    (0xb4, '×'),
    (0xb5, '∝'),
    (0xb6, '∂'),
    (0xb7, '•'),
    (0xb8, '÷'),
    (0xb9, '≠'),
    (0xba, '≡'),
    (0xbb, '≈'),
    (0xbc, '…'),
    (0xc4, '⊗'),
    (0xc5, '⊕'),
    (0xc6, '∅'),
    (0xc7, '∩'),
    (0xc8, '∪'),
    (0xc9, '⊃'),
    (0xca, '⊇'),
    (0xcb, '⊄'),
    (0xcc, '⊂'),
    (0xcd, '⊆'),
    (0xce, '∈'),
    (0xcf, '∉'),
    (0xd0, '∠'),
    (0xd1, '∇'),
    (0xd2, '®'),
    (0xd3, '©'),
    (0xd4, '™'),
    (0xd5, '∏'),
    (0xd6, '√'),
    (0xd7, '⋅'),
    (0xd8, '¬'),
    (0xd9, '∧'),
    (0xda, '∨'),
    (0xdb, '⇔'),
    (0xdc, '⇐'),
    (0xdd, '⇑'),
    (0xde, '⇒'),
    (0xdf, '⇓'),
    (0xe5, '∑'),
    (0xf2, '∫'),
];

/// Whether `font` is the font "Symbol", whose letters are Greek.
pub(crate) fn is_symbol(font: &str) -> bool {
    let name = font.trim_matches(|c: char| !c.is_alphabetic());
    name.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ')
        .eq_ignore_ascii_case("symbol")
}

/// `text` that is set in the font "Symbol", with the signs that it shows; what is not kept by its place in the font stays.
pub(crate) fn shown(text: &str) -> String {
    text.chars()
        .map(|c| match u32::from(c) {
            code @ 0xf020..=0xf0ff => sign(code & 0xff).unwrap_or(c),
            _ => c,
        })
        .collect()
}

/// The sign at a place of the font "Symbol".
pub(crate) fn sign(code: u32) -> Option<char> {
    if let Some((_, sign)) = SIGNS.iter().find(|(place, _)| *place == code) {
        return Some(*sign);
    }
    let [upper, lower] = LETTERS;
    let at = |letters: &str, first: u32| {
        let at = usize::try_from(code.checked_sub(first)?).ok()?;
        letters.chars().nth(at)
    };
    let letter = match code {
        0x41..=0x5a => at(upper, 0x41),
        0x61..=0x7a => at(lower, 0x61),
        _ => None,
    };
    letter.or_else(|| char::from_u32(code).filter(|c| c.is_ascii() && !c.is_control()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letters_of_a_symbol_font_are_greek() {
        assert_eq!(
            shown("\u{f073}\u{f03d}\u{f044}x \u{f0b3} \u{f0ff}"),
            "σ=Δx ≥ \u{f0ff}"
        );
        assert!(is_symbol("Symbol") && is_symbol("Symbol1") && is_symbol("'Symbol'"));
        assert!(!is_symbol("OpenSymbol") && !is_symbol("Segoe UI Symbol"));
    }
}
