//! Writes formulas that a page holds as MathML in TeX, so that a fraction does not read as two numbers side by side.

use crate::tex_signs::SIGNS;
use dom_query::NodeRef;
use skillkiln_document::text::squash;

/// Nesting that is followed.
const DEPTH_MAX: usize = 40;

/// The formula in the `math` element `node`, in TeX; `None` when there is nothing in it.
pub(crate) fn tex(node: &NodeRef<'_>) -> Option<String> {
    let mut out = String::new();
    inside(node, 0, &mut out);
    let tex = squash(&out);
    (!tex.is_empty()).then_some(tex)
}

fn inside(node: &NodeRef<'_>, depth: usize, out: &mut String) {
    for child in node.element_children() {
        write(&child, depth + 1, out);
    }
}

/// One element as an argument of a command.
fn group(node: Option<&NodeRef<'_>>, depth: usize) -> String {
    let mut inner = String::new();
    if let Some(node) = node {
        write(node, depth + 1, &mut inner);
    }
    format!("{{{}}}", inner.trim())
}

fn write(node: &NodeRef<'_>, depth: usize, out: &mut String) {
    if depth > DEPTH_MAX {
        out.push_str(&node.text());
        return;
    }
    let name = node.node_name().unwrap_or_default();
    let parts = node.element_children();
    let part = |at: usize| group(parts.get(at), depth);
    match name.as_ref() {
        "annotation" | "annotation-xml" | "mphantom" | "mspace" => out.push(' '),
        "mfrac" => out.push_str(&format!("\\frac{}{}", part(0), part(1))),
        "msqrt" => {
            let mut inner = String::new();
            inside(node, depth, &mut inner);
            out.push_str(&format!("\\sqrt{{{}}}", inner.trim()));
        }
        "mroot" => {
            let degree = part(1);
            let degree = degree.trim_matches(['{', '}']);
            out.push_str(&format!("\\sqrt[{degree}]{}", part(0)));
        }
        "msup" | "mover" => out.push_str(&format!("{}^{}", base(&parts, depth), part(1))),
        "msub" | "munder" => out.push_str(&format!("{}_{}", base(&parts, depth), part(1))),
        "msubsup" | "munderover" => {
            out.push_str(&format!("{}_{}^{}", base(&parts, depth), part(1), part(2)));
        }
        "mtable" => {
            let rows: Vec<String> = parts
                .iter()
                .map(|row| {
                    let cells: Vec<String> = row
                        .element_children()
                        .iter()
                        .map(|cell| {
                            let mut inner = String::new();
                            inside(cell, depth + 2, &mut inner);
                            inner.trim().to_owned()
                        })
                        .collect();
                    cells.join(" & ")
                })
                .collect();
            out.push_str(&format!(
                "\\begin{{matrix}} {} \\end{{matrix}}",
                rows.join(" \\\\ ")
            ));
        }
        "mtext" | "ms" => {
            let text = squash(&node.text());
            if !text.is_empty() {
                out.push_str(&format!("\\text{{{text}}}"));
            }
        }
        "mi" | "mn" | "mo" => sign(squash(&node.text()).as_str(), &name, out),
        _ => inside(node, depth, out),
    }
}

/// What an index or a power stands at; in braces unless it is a single sign.
fn base(parts: &[NodeRef<'_>], depth: usize) -> String {
    let inner = group(parts.first(), depth);
    let bare = inner.trim_start_matches('{').trim_end_matches('}');
    let is_single = bare.chars().count() <= 1
        || (bare.starts_with('\\') && bare.chars().skip(1).all(|c| c.is_ascii_alphabetic()));
    if is_single { bare.to_owned() } else { inner }
}

fn sign(text: &str, name: &str, out: &mut String) {
    let named = match text {
        // Signs that are seen by programs only.
        "\u{2061}" | "\u{2062}" => "",
        "\u{2063}" => ",",
        _ => SIGNS.get(text).copied().unwrap_or(text),
    };
    let is_word =
        name == "mi" && named.chars().count() > 1 && named.chars().all(char::is_alphabetic);
    match named {
        "" => {}
        "sin" | "cos" | "tan" | "log" | "ln" | "exp" | "lim" | "max" | "min" => {
            out.push('\\');
            out.push_str(named);
            out.push(' ');
        }
        word if is_word => out.push_str(&format!("\\mathrm{{{word}}}")),
        other => {
            out.push_str(other);
            // A command ends where a letter does not follow it.
            if other.starts_with('\\') && other.ends_with(|c: char| c.is_ascii_alphabetic()) {
                out.push(' ');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::tex;

    fn of(math: &str) -> Option<String> {
        let page = dom_query::Document::from(format!("<math>{math}</math>").as_str());
        let selected = page.select("math");
        tex(selected.nodes().first().expect("a formula"))
    }

    #[test]
    fn formulas_read_as_they_are_built() {
        for (math, expected) in [
            (
                "<mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac><mo>=</mo><msup><mi>c</mi><mn>2</mn></msup>",
                "\\frac{a}{b+1}=c^{2}",
            ),
            ("<msqrt><mi>n</mi></msqrt>", "\\sqrt{n}"),
            (
                "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>x</mi><mi>i</mi></msub>",
                "\\sum_{i=1}^{n}x_{i}",
            ),
            (
                "<mi>sin</mi><mi>α</mi><mo>≤</mo><mn>1</mn>",
                "\\sin \\alpha \\le 1",
            ),
            (
                "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable>",
                "\\begin{matrix} 1 & 0 \\\\ 0 & 1 \\end{matrix}",
            ),
        ] {
            assert_eq!(of(math).as_deref(), Some(expected));
        }
        assert_eq!(of(""), None);
    }

    #[test]
    fn a_formula_in_a_formula_without_end_is_cut() {
        let deep = format!(
            "{}<mi>x</mi>{}",
            "<mrow>".repeat(150),
            "</mrow>".repeat(150)
        );
        assert_eq!(of(&deep).as_deref(), Some("x"));
    }
}
