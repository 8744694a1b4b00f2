//! Writes the formulas of office documents in TeX.

use crate::tex_signs::SIGNS;
use crate::xml_tree::Element;
use skillkiln_document::text::squash;

/// Deepest nesting of a formula that is followed.
const DEPTH_MAX: usize = 64;

/// The TeX of the formula `element`.
pub(crate) fn tex(element: Element<'_>) -> String {
    let mut out = String::new();
    write(element, 0, &mut out);
    squash(&out)
}

fn write(element: Element<'_>, depth: usize, out: &mut String) {
    if depth > DEPTH_MAX {
        return;
    }
    for child in element.elements() {
        node(child, depth + 1, out);
    }
}

fn node(element: Element<'_>, depth: usize, out: &mut String) {
    let part = |name: &str| {
        let mut inner = String::new();
        if let Some(found) = element.child(name) {
            write(found, depth, &mut inner);
        }
        inner.trim().to_owned()
    };
    let property = |kind: &str, name: &str| element.val(&[kind, name]).map(str::to_owned);
    match element.name() {
        "t" => element.text().chars().for_each(|c| letter(c, out)),
        "r" => element
            .all("t")
            .for_each(|text| text.text().chars().for_each(|c| letter(c, out))),
        "f" => {
            let is_bare = property("fPr", "type").as_deref() == Some("noBar");
            let command = if is_bare { "\\binom" } else { "\\frac" };
            *out += &format!("{command}{{{}}}{{{}}}", part("num"), part("den"));
        }
        "sSup" => *out += &format!("{}^{{{}}}", base(&part("e")), part("sup")),
        "sSub" => *out += &format!("{}_{{{}}}", base(&part("e")), part("sub")),
        "sSubSup" => {
            *out += &format!(
                "{}_{{{}}}^{{{}}}",
                base(&part("e")),
                part("sub"),
                part("sup")
            );
        }
        "rad" => match part("deg") {
            degree if degree.is_empty() => *out += &format!("\\sqrt{{{}}}", part("e")),
            degree => *out += &format!("\\sqrt[{degree}]{{{}}}", part("e")),
        },
        "nary" => {
            let sign = property("naryPr", "chr").unwrap_or_else(|| "∫".to_owned());
            sign.chars().for_each(|c| letter(c, out));
            let (low, high) = (part("sub"), part("sup"));
            if !low.is_empty() {
                *out += &format!("_{{{low}}}");
            }
            if !high.is_empty() {
                *out += &format!("^{{{high}}}");
            }
            *out += &format!(" {}", part("e"));
        }
        "d" => {
            let open = property("dPr", "begChr").unwrap_or_else(|| "(".to_owned());
            let close = property("dPr", "endChr").unwrap_or_else(|| ")".to_owned());
            let parts: Vec<String> = element
                .all("e")
                .map(|inner| {
                    let mut text = String::new();
                    write(inner, depth, &mut text);
                    text.trim().to_owned()
                })
                .collect();
            open.chars().for_each(|c| letter(c, out));
            *out += &parts.join(" | ");
            close.chars().for_each(|c| letter(c, out));
        }
        "func" => *out += &format!("{} {}", part("fName"), part("e")),
        "limLow" => *out += &format!("{}_{{{}}}", part("e"), part("lim")),
        "limUpp" => *out += &format!("{}^{{{}}}", part("e"), part("lim")),
        "bar" => *out += &format!("\\overline{{{}}}", part("e")),
        "acc" => {
            let command = match property("accPr", "chr").as_deref() {
                Some("\u{303}") => "\\tilde",
                Some("\u{304}" | "\u{305}") => "\\bar",
                Some("\u{20d7}") => "\\vec",
                Some("\u{307}") => "\\dot",
                _ => "\\hat",
            };
            *out += &format!("{command}{{{}}}", part("e"));
        }
        "m" => {
            let rows: Vec<String> = element
                .all("mr")
                .map(|row| {
                    let cells: Vec<String> = row
                        .all("e")
                        .map(|cell| {
                            let mut text = String::new();
                            write(cell, depth, &mut text);
                            text.trim().to_owned()
                        })
                        .collect();
                    cells.join(" & ")
                })
                .collect();
            *out += &format!("\\begin{{matrix}}{}\\end{{matrix}}", rows.join(" \\\\ "));
        }
        name if name.ends_with("Pr") => {}
        _ => write(element, depth, out),
    }
}

/// What an exponent stands on, held together when it is more than a letter.
fn base(text: &str) -> String {
    if text.chars().count() <= 1 || text.starts_with('\\') && !text.contains([' ', '{']) {
        text.to_owned()
    } else {
        format!("{{{text}}}")
    }
}

fn letter(letter: char, out: &mut String) {
    match SIGNS.get(letter.encode_utf8(&mut [0; 4]) as &str) {
        // Signs that are seen by programs only.
        None if matches!(letter, '\u{2061}' | '\u{2062}' | '\u{200b}') => {}
        None => out.push(letter),
        Some(name) => {
            out.push_str(name);
            // A command ends where a letter does not follow it.
            if name.ends_with(|c: char| c.is_ascii_alphabetic()) {
                out.push(' ');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml_tree::Tree;

    #[test]
    fn a_formula_is_written_in_tex() {
        let tree = Tree::read(
            b"<m:oMath xmlns:m='m'><m:r><m:t>x=</m:t></m:r><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den>\
            <m:rad><m:radPr/><m:deg/><m:e><m:sSup><m:e><m:r><m:t>y</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:e></m:rad>\
            </m:den></m:f></m:oMath>",
        )
        .unwrap();
        assert_eq!(tex(tree.root()), "x=\\frac{1}{\\sqrt{y^{2}}}");
    }
}
