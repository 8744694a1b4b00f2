//! Writes the formulas of office documents in TeX.

use crate::office::tex::{accented, base, letters};
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
    let property = |kind: &str, name: &str| {
        element
            .at(&[kind, name])
            .and_then(|found| found.attribute("val"))
            .map(str::to_owned)
    };
    match element.name() {
        "t" => letters(&element.text(), out),
        "r" => element.all("t").for_each(|text| letters(&text.text(), out)),
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
            letters(&sign, out);
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
            letters(&open, out);
            *out += &parts.join(" | ");
            letters(&close, out);
        }
        "func" => *out += &format!("{} {}", part("fName"), part("e")),
        "limLow" => *out += &format!("{}_{{{}}}", part("e"), part("lim")),
        "limUpp" => *out += &format!("{}^{{{}}}", part("e"), part("lim")),
        "bar" => {
            let is_below = property("barPr", "pos").as_deref() == Some("bot");
            let command = if is_below {
                "\\underline"
            } else {
                "\\overline"
            };
            *out += &format!("{command}{{{}}}", part("e"));
        }
        "acc" => {
            let sign = property("accPr", "chr").unwrap_or_else(|| "\u{302}".to_owned());
            *out += &accented(&sign, &part("e"));
        }
        "groupChr" => {
            let sign = property("groupChrPr", "chr").unwrap_or_else(|| "⏟".to_owned());
            let is_above = property("groupChrPr", "pos").as_deref() == Some("top");
            *out += &grouped(&sign, is_above, &part("e"));
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

/// `inner` with a sign that holds all of it together, above it or below.
fn grouped(sign: &str, is_above: bool, inner: &str) -> String {
    match (sign, is_above) {
        ("⏟", false) => format!("\\underbrace{{{inner}}}"),
        (_, true) => accented(sign, inner),
        (_, false) => {
            let mut below = String::new();
            letters(sign, &mut below);
            format!("\\underset{{{}}}{{{inner}}}", below.trim())
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

    #[test]
    fn an_accent_keeps_its_sign_and_so_does_what_groups() {
        let of = |inner: &str| {
            let whole = format!("<m:oMath xmlns:m='m'>{inner}</m:oMath>");
            tex(Tree::read(whole.as_bytes()).unwrap().root())
        };
        let accent = |sign: &str| {
            of(&format!(
                "<m:acc><m:accPr><m:chr m:val='{sign}'/></m:accPr><m:e><m:r><m:t>a</m:t></m:r></m:e></m:acc>"
            ))
        };
        assert_eq!(accent("\u{30c}"), "\\check{a}");
        assert_eq!(accent("\u{301}"), "\\acute{a}");
        assert_eq!(
            of("<m:acc><m:e><m:r><m:t>a</m:t></m:r></m:e></m:acc>"),
            "\\hat{a}"
        );
        assert_eq!(
            of("<m:groupChr><m:e><m:r><m:t>a+b</m:t></m:r></m:e></m:groupChr>"),
            "\\underbrace{a+b}"
        );
    }
}
