//! Writes the formulas of OpenDocument files, which are MathML in parts of their own, in TeX.

use crate::office::tex::{accented, base, letter, letters};
use crate::xml_tree::Element;
use skillkiln_document::text::squash;

/// Deepest nesting of a formula that is followed.
const DEPTH_MAX: usize = 64;
/// Names that TeX has commands for.
const FUNCTIONS: &[&str] = &[
    "sin", "cos", "tan", "cot", "log", "ln", "exp", "lim", "max", "min", "det", "sup", "inf",
];
/// Signs whose limits stand below and above them.
const LARGE: &[&str] = &["\\sum", "\\prod", "\\int", "\\lim", "\\max", "\\min"];

/// The TeX of the formula `math`: as it was annotated, where that is TeX, else as it is built.
pub(crate) fn tex(math: Element<'_>) -> String {
    let annotation = math.inside("annotation").into_iter().find(|annotation| {
        annotation
            .attribute("encoding")
            .is_some_and(|encoding| encoding.to_lowercase().contains("tex"))
    });
    if let Some(annotation) = annotation {
        return squash(&annotation.text());
    }
    let mut out = String::new();
    inside(math, false, 0, &mut out);
    squash(&out)
}

fn inside(element: Element<'_>, is_italic: bool, depth: usize, out: &mut String) {
    for child in element.elements() {
        write(child, is_italic, depth + 1, out);
    }
}

fn write(element: Element<'_>, is_italic: bool, depth: usize, out: &mut String) {
    if depth > DEPTH_MAX {
        letters(&squash(&element.text()), out);
        return;
    }
    let is_italic = match element.attribute("fontstyle") {
        Some(style) => style == "italic",
        None => is_italic,
    };
    let parts: Vec<Element<'_>> = element.elements().collect();
    let part = |at: usize| {
        let mut inner = String::new();
        if let Some(part) = parts.get(at) {
            write(*part, is_italic, depth + 1, &mut inner);
        }
        inner.trim().to_owned()
    };
    match element.name() {
        "annotation" | "annotation-xml" | "mphantom" => {}
        "mspace" => out.push(' '),
        "mfrac" => *out += &format!("\\frac{{{}}}{{{}}}", part(0), part(1)),
        "msqrt" => {
            let mut inner = String::new();
            inside(element, is_italic, depth, &mut inner);
            *out += &format!("\\sqrt{{{}}}", inner.trim());
        }
        "mroot" => *out += &format!("\\sqrt[{}]{{{}}}", part(1), part(0)),
        "msup" => *out += &format!("{}^{{{}}}", base(&part(0)), part(1)),
        "msub" => *out += &format!("{}_{{{}}}", base(&part(0)), part(1)),
        "msubsup" | "munderover" => {
            *out += &format!("{}_{{{}}}^{{{}}}", base(&part(0)), part(1), part(2));
        }
        "munder" => *out += &format!("{}_{{{}}}", base(&part(0)), part(1)),
        "mover" => *out += &over(&part(0), parts.get(1).copied(), &part(1)),
        "mfenced" => fenced(element, &parts, is_italic, depth, out),
        "mtable" => table(element, is_italic, depth, out),
        "mtext" | "ms" | "mi" | "mn" | "mo" => token(element, is_italic, out),
        "math" | "semantics" | "mrow" | "mstyle" | "mpadded" | "merror" | "menclose"
        | "maction" => {
            inside(element, is_italic, depth, out);
        }
        _ => unknown(element, is_italic, depth, out),
    }
}

/// What is built in a way that is not known: its parts, each apart from the others.
fn unknown(element: Element<'_>, is_italic: bool, depth: usize, out: &mut String) {
    if element.elements().next().is_none() {
        letters(&squash(&element.text()), out);
    }
    for child in element.elements() {
        out.push(' ');
        write(child, is_italic, depth + 1, out);
    }
    out.push(' ');
}

/// What stands over something: the upper limit of a large sign, else an accent.
fn over(below: &str, above: Option<Element<'_>>, written: &str) -> String {
    if LARGE.contains(&below) {
        return format!("{below}^{{{written}}}");
    }
    let sign = above.map(|above| squash(&above.text())).unwrap_or_default();
    match sign.chars().count() {
        1 => accented(&sign, below),
        _ => format!("\\overset{{{written}}}{{{below}}}"),
    }
}

fn fenced(
    element: Element<'_>,
    parts: &[Element<'_>],
    is_italic: bool,
    depth: usize,
    out: &mut String,
) {
    let signs = element.attribute("separators").unwrap_or(",");
    let signs: Vec<char> = signs.chars().filter(|c| !c.is_whitespace()).collect();
    letters(element.attribute("open").unwrap_or("("), out);
    for (at, part) in parts.iter().enumerate() {
        // The last sign parts all that follow.
        let sign = at
            .checked_sub(1)
            .and_then(|at| signs.get(at).or(signs.last()));
        match sign {
            Some(sign) => letter(*sign, out),
            None if at > 0 => out.push(' '),
            None => {}
        }
        write(*part, is_italic, depth + 1, out);
    }
    letters(element.attribute("close").unwrap_or(")"), out);
}

fn table(element: Element<'_>, is_italic: bool, depth: usize, out: &mut String) {
    let rows: Vec<String> = element
        .elements()
        .filter(|row| matches!(row.name(), "mtr" | "mlabeledtr"))
        .map(|row| {
            let cells: Vec<String> = row
                .all("mtd")
                .map(|cell| {
                    let mut inner = String::new();
                    inside(cell, is_italic, depth + 2, &mut inner);
                    inner.trim().to_owned()
                })
                .collect();
            cells.join(" & ")
        })
        .collect();
    *out += &format!("\\begin{{matrix}}{}\\end{{matrix}}", rows.join(" \\\\ "));
}

/// A letter, a number, a sign or a word.
fn token(element: Element<'_>, is_italic: bool, out: &mut String) {
    let text = squash(&element.text());
    let is_word = text.chars().count() > 1 && text.chars().any(|c| c.is_ascii_alphabetic());
    match element.name() {
        _ if FUNCTIONS.contains(&text.as_str()) => *out += &format!("\\{text} "),
        "mtext" | "ms" if is_word && !is_italic => *out += &format!("\\text{{{}}}", escaped(&text)),
        "mi" if is_word && !is_italic => *out += &format!("\\mathrm{{{}}}", escaped(&text)),
        _ => letters(&text, out),
    }
}

/// Words with the signs escaped that TeX reads as its own.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '%' | '$' | '&' | '#' | '_' | '{' | '}') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml_tree::Tree;

    #[test]
    fn a_formula_reads_as_it_is_built() {
        for (math, written) in [
            (
                "<m:msubsup><m:mi>C</m:mi><m:mstyle m:fontstyle='italic'><m:mrow><m:mtext>ijkl</m:mtext></m:mrow></m:mstyle>\
                <m:mi>S</m:mi></m:msubsup><m:mo>=</m:mo><m:mfrac><m:mn>1</m:mn><m:mi>V</m:mi></m:mfrac>",
                "C_{ijkl}^{S}=\\frac{1}{V}",
            ),
            (
                "<m:mn>1</m:mn><m:mo>\u{e083}</m:mo><m:msub><m:mi>η</m:mi><m:mtext>11</m:mtext></m:msub>",
                "1+\\eta_{11}",
            ),
            (
                "<m:mfenced m:open='(' m:close=')'><m:mtable><m:mtr><m:mtd><m:mn>1</m:mn></m:mtd><m:mtd><m:mn>0</m:mn></m:mtd></m:mtr>\
                <m:mtr><m:mtd><m:mn>0</m:mn></m:mtd><m:mtd><m:mn>1</m:mn></m:mtd></m:mtr></m:mtable></m:mfenced>",
                "(\\begin{matrix}1 & 0 \\\\ 0 & 1\\end{matrix})",
            ),
            (
                "<m:mi>det</m:mi><m:mover><m:mi>V</m:mi><m:mo>↔</m:mo></m:mover>",
                "\\det \\overleftrightarrow{V}",
            ),
            (
                "<m:mmultiscripts><m:mi>U</m:mi><m:mn>92</m:mn><m:mn>235</m:mn></m:mmultiscripts><m:mo>,</m:mo><m:mx>a</m:mx>",
                "U 92 235 ,a",
            ),
            (
                "<m:mfenced m:separators=';,'><m:mi>a</m:mi><m:mi>b</m:mi><m:mi>c</m:mi><m:mi>d</m:mi></m:mfenced>",
                "(a;b,c,d)",
            ),
            (
                "<m:mtext>5 % of R&amp;D</m:mtext>",
                "\\text{5 \\% of R\\&D}",
            ),
        ] {
            let whole = format!(
                "<m:math xmlns:m='m'><m:semantics><m:mrow>{math}</m:mrow>\
                <m:annotation m:encoding='StarMath 5.0'>size 12</m:annotation></m:semantics></m:math>"
            );
            let tree = Tree::read(whole.as_bytes()).unwrap();
            assert_eq!(tex(tree.root()), written);
        }
    }
}
