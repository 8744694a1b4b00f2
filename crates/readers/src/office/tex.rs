//! Owns the signs of formulas in TeX, whatever a formula is read from: letters and operators by their commands, accents by theirs,
//! and what holds together what an exponent stands on.

use crate::office::symbols;

/// Signs with a command in TeX.
const SIGNS: &[(char, &str)] = &[
    ('α', "alpha"),
    ('β', "beta"),
    ('γ', "gamma"),
    ('δ', "delta"),
    ('ε', "epsilon"),
    ('ζ', "zeta"),
    ('η', "eta"),
    ('θ', "theta"),
    ('ι', "iota"),
    ('κ', "kappa"),
    ('λ', "lambda"),
    ('μ', "mu"),
    ('ν', "nu"),
    ('ξ', "xi"),
    ('π', "pi"),
    ('ρ', "rho"),
    ('σ', "sigma"),
    ('τ', "tau"),
    ('υ', "upsilon"),
    ('φ', "phi"),
    ('χ', "chi"),
    ('ψ', "psi"),
    ('ω', "omega"),
    ('Γ', "Gamma"),
    ('Δ', "Delta"),
    ('Θ', "Theta"),
    ('Λ', "Lambda"),
    ('Ξ', "Xi"),
    ('Π', "Pi"),
    ('Σ', "Sigma"),
    ('Φ', "Phi"),
    ('Ψ', "Psi"),
    ('Ω', "Omega"),
    ('∑', "sum"),
    ('∏', "prod"),
    ('∫', "int"),
    ('≤', "le"),
    ('≥', "ge"),
    ('≠', "ne"),
    ('≈', "approx"),
    ('×', "times"),
    ('⋅', "cdot"),
    ('·', "cdot"),
    ('±', "pm"),
    ('∞', "infty"),
    ('∈', "in"),
    ('→', "to"),
    ('∂', "partial"),
    ('√', "surd"),
    ('∇', "nabla"),
    ('{', "{"),
    ('}', "}"),
];
/// Accents, as they stand over a letter or combine with it, and their commands.
const ACCENTS: &[(&str, &str)] = &[
    ("`\u{300}", "\\grave"),
    ("´\u{301}", "\\acute"),
    ("^ˆ\u{302}", "\\hat"),
    ("~˜\u{303}", "\\tilde"),
    ("\u{304}\u{305}", "\\bar"),
    ("¯‾", "\\overline"),
    ("˘\u{306}", "\\breve"),
    ("˙\u{307}", "\\dot"),
    ("¨\u{308}", "\\ddot"),
    ("˚\u{30a}", "\\mathring"),
    ("ˇ\u{30c}", "\\check"),
    ("→\u{20d7}", "\\vec"),
    ("←\u{20d6}", "\\overleftarrow"),
    ("↔\u{20e1}", "\\overleftrightarrow"),
    ("\u{20db}", "\\dddot"),
    ("⏞", "\\overbrace"),
];
/// Operators that old formula editors wrote as signs of their own font, in the area for private use.
const OF_FONT: &[(char, char)] = &[('\u{e083}', '+'), ('\u{e09e}', '('), ('\u{e09f}', ')')];

/// What a sign of a font of its own shows, where that is known; any other sign is kept.
fn meant(letter: char) -> char {
    match letter {
        '\u{f020}'..='\u{f0ff}' => symbols::sign(u32::from(letter) & 0xff).unwrap_or(letter),
        _ => OF_FONT
            .iter()
            .find(|(sign, _)| *sign == letter)
            .map_or(letter, |(_, meant)| *meant),
    }
}

/// Writes one sign of a formula.
pub(crate) fn letter(letter: char, out: &mut String) {
    let letter = meant(letter);
    if let Some((_, name)) = SIGNS.iter().find(|(sign, _)| *sign == letter) {
        out.push('\\');
        out.push_str(name);
        if name.len() > 1 {
            out.push(' ');
        }
        return;
    }
    match letter {
        '−' => out.push('-'),
        // Signs that are seen by programs only.
        '\u{2061}' | '\u{2062}' | '\u{200b}' => {}
        other => out.push(other),
    }
}

/// Writes the signs of `text`.
pub(crate) fn letters(text: &str, out: &mut String) {
    text.chars().for_each(|c| letter(c, out));
}

/// What an exponent stands on, held together when it is more than a letter.
pub(crate) fn base(text: &str) -> String {
    let text = text.trim();
    if text.chars().count() <= 1 || text.starts_with('\\') && !text.contains([' ', '{']) {
        text.to_owned()
    } else {
        format!("{{{text}}}")
    }
}

/// `inner` under the accent `sign`; one without a command of its own stands over it as it is.
pub(crate) fn accented(sign: &str, inner: &str) -> String {
    let mut signs = sign.chars();
    let single = signs.next().filter(|_| signs.next().is_none());
    let command = single.and_then(|sign| ACCENTS.iter().find(|(signs, _)| signs.contains(sign)));
    match command {
        Some((_, command)) => format!("{command}{{{inner}}}"),
        None => {
            let mut over = String::new();
            letters(sign, &mut over);
            format!("\\overset{{{}}}{{{inner}}}", over.trim())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_accents_have_their_commands() {
        let mut out = String::new();
        letters("2η\u{e083}1−x\u{e0ff}\u{f061}\u{f0b3}\u{f0ff}", &mut out);
        assert_eq!(out, "2\\eta +1-x\u{e0ff}\\alpha \\ge \u{f0ff}");
        for (sign, written) in [
            ("\u{30c}", "\\check{a}"),
            ("\u{301}", "\\acute{a}"),
            ("\u{302}", "\\hat{a}"),
            ("↔", "\\overleftrightarrow{a}"),
            ("∗", "\\overset{∗}{a}"),
        ] {
            assert_eq!(accented(sign, "a"), written);
        }
    }
}
