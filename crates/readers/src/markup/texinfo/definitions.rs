//! Reads the lines on which Texinfo's manuals define functions, variables and types.

use super::{Names, inline};
use skillkiln_document::text::{Inline, squash};

/// What a line of the command `name` defines: what is written in code, and behind it its kind.
pub(super) fn term(name: &str, line: &str, names: &Names) -> Vec<Inline> {
    let mut words = words(line).into_iter();
    // The kind stands first, or the command says it.
    let kind = match kind(name.trim_end_matches('x')) {
        "" => words.next().map(|kind| inline::letters(&kind, names)),
        kind => Some(kind.to_owned()),
    };
    let code: Vec<String> = words.map(|word| inline::letters(&word, names)).collect();
    let code = squash(&code.join(" "));
    let kind = kind.map(|kind| squash(&kind)).unwrap_or_default();
    match (code.as_str(), kind.as_str()) {
        ("", kind) => vec![Inline::Text(kind.to_owned())],
        (_, "") => vec![Inline::Code(code)],
        (_, kind) => vec![
            Inline::Code(code.clone()),
            Inline::Text(format!(" ({kind})")),
        ],
    }
}

/// The kind of what a command defines; empty where the line says it.
fn kind(name: &str) -> &'static str {
    match name {
        "defun" | "deftypefun" => "Function",
        "defmac" => "Macro",
        "defspec" => "Special Form",
        "defvar" | "deftypevar" => "Variable",
        "defopt" => "User Option",
        "defmethod" | "deftypemethod" => "Method",
        "defivar" | "deftypeivar" => "Instance Variable",
        _ => "",
    }
}

/// The words of a line, those in braces as one.
fn words(line: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut word = String::new();
    let mut rest = line.trim();
    while let Some(c) = rest.chars().next() {
        if c == '{'
            && word.is_empty()
            && let Some((inside, after)) = inline::braced(rest)
        {
            out.push(inside.to_owned());
            rest = after;
            continue;
        }
        // A command keeps what stands in its braces, blanks and all.
        if c == '{'
            && let Some((inside, after)) = inline::braced(rest)
        {
            word += &format!("{{{inside}}}");
            rest = after;
            continue;
        }
        rest = rest.get(c.len_utf8()..).unwrap_or("");
        if c == '@'
            && let Some(escaped) = rest.chars().next()
        {
            word.push(c);
            word.push(escaped);
            rest = rest.get(escaped.len_utf8()..).unwrap_or("");
        } else if c.is_whitespace() {
            if !word.is_empty() {
                out.push(std::mem::take(&mut word));
            }
        } else {
            word.push(c);
        }
    }
    if !word.is_empty() {
        out.push(word);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::text::plain;

    #[test]
    fn what_is_defined_stands_in_code_before_its_kind() {
        for (name, line, shown) in [
            (
                "deffn",
                "{Interactive Command} fire @var{n} &optional heat",
                "fire n &optional heat (Interactive Command)",
            ),
            ("defun", "fire n", "fire n (Function)"),
            (
                "deftypefun",
                "{struct kiln *} kiln_new (int @var{n})",
                "struct kiln * kiln_new (int n) (Function)",
            ),
            ("defvar", "heat", "heat (Variable)"),
            ("deftp", "{Data type} kiln", "kiln (Data type)"),
            ("defvrx", "Option --hot@{n@}", "--hot{n} (Option)"),
        ] {
            assert_eq!(plain(&term(name, line, &Names::default())), shown, "{line}");
        }
    }
}
