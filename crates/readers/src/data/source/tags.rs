//! Reads the tags of JSDoc, Javadoc, Doxygen and C#'s documentation in comments, as the Markdown that says the same.

/// Tags of JSDoc, Javadoc and Doxygen as items of a list.
pub(crate) fn told(words: Vec<(usize, String)>, language: &str) -> Vec<(usize, String)> {
    let words = match language {
        "csharp" => words
            .into_iter()
            .map(|(start, line)| (start, without_elements(&line)))
            .collect(),
        _ => words,
    };
    let mut out = Vec::with_capacity(words.len());
    let mut listed = false;
    for (start, line) in words {
        let text = line.trim_start();
        let Some(rest) = text
            .strip_prefix(['@', '\\'])
            .filter(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
        else {
            // Lines below a tag go on it.
            let line = if listed && !line.trim().is_empty() {
                format!("  {text}")
            } else {
                line
            };
            out.push((start, line));
            continue;
        };
        let (tag, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let tag = tag.split('[').next().unwrap_or(tag);
        let after = after.trim();
        // A type in braces says less than the signature.
        let (kind, after) = match after
            .strip_prefix('{')
            .and_then(|inner| inner.split_once('}'))
        {
            Some((kind, rest)) => (Some(kind), rest.trim()),
            None => (None, after),
        };
        let (name, said) = after.split_once(char::is_whitespace).unwrap_or((after, ""));
        let said = said.trim().trim_start_matches("- ");
        let kind = kind.map(|kind| format!(" (`{kind}`)")).unwrap_or_default();
        let item = match tag {
            "param" | "tparam" | "arg" | "property" | "prop" | "template" => {
                format!("- `{name}`{kind}: {said}")
            }
            "throws" | "exception" | "retval" => format!("- Throws `{name}`: {said}"),
            "return" | "returns" | "result" => format!("- Returns{kind}: {after}"),
            "deprecated" => format!("- Deprecated: {after}"),
            "since" | "version" => format!("- Since: {after}"),
            "see" | "sa" => format!("- See: {after}"),
            "note" | "warning" | "remark" | "attention" => format!(
                "- {}: {after}",
                if tag == "note" { "Note" } else { "Warning" }
            ),
            "brief" | "details" | "short" | "desc" | "description" | "summary" => {
                out.push((start, after.to_owned()));
                continue;
            }
            "code" | "endcode" | "verbatim" | "endverbatim" | "example" => {
                let line = if tag == "example" {
                    format!("Example: {after}")
                } else {
                    "```".to_owned()
                };
                out.push((start, line));
                listed = false;
                continue;
            }
            _ => format!("- {tag}{kind}: {after}"),
        };
        if !listed
            && out
                .last()
                .is_some_and(|(_, last): &(usize, String)| !last.is_empty())
        {
            out.push((start, String::new()));
        }
        listed = true;
        out.push((start, item));
    }
    out
}

/// A line of C#'s documentation without its elements, what they tell kept as a tag or between backticks.
fn without_elements(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, inside)) = rest.split_once('<') {
        out.push_str(before);
        let Some((element, after)) = inside.split_once('>') else {
            out.push('<');
            rest = inside;
            continue;
        };
        let name = element
            .trim_start_matches('/')
            .split([' ', '/'])
            .next()
            .unwrap_or("");
        let of = element.split('"').nth(1).unwrap_or("");
        let is_end = element.starts_with('/');
        match name {
            "summary" | "remarks" | "para" | "value" | "list" | "description" | "inheritdoc" => {}
            "param" | "typeparam" if !is_end => out += &format!("@param {of} "),
            "returns" if !is_end => out += "@returns ",
            "exception" if !is_end => out += &format!("@exception {} ", without_kind(of)),
            "example" if !is_end => out += "@example ",
            "param" | "typeparam" | "returns" | "exception" | "example" => {}
            "item" if !is_end => out += "- ",
            "item" | "term" => {}
            "see" | "seealso" | "paramref" | "typeparamref" if !of.is_empty() => {
                out += &format!("`{}`", without_kind(of));
            }
            "see" | "seealso" => {}
            "c" => out.push('`'),
            "code" => out += "@code",
            _ => out += &format!("<{element}>"),
        }
        rest = after;
    }
    out.push_str(rest);
    out.trim_end().to_owned()
}

/// "Kiln.Fire" of "M:Kiln.Fire".
fn without_kind(name: &str) -> &str {
    match name.split_once(':') {
        Some((kind, name)) if kind.len() == 1 => name,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_c_sharp_are_read_as_tags() {
        for (line, told) in [
            ("<summary>", ""),
            (
                "Fires <see cref=\"T:Kiln\"/> at <c>n</c>.</summary>",
                "Fires `Kiln` at `n`.",
            ),
            (
                "<param name=\"n\">How often.</param>",
                "@param n How often.",
            ),
            ("<returns>The heat.</returns>", "@returns The heat."),
            ("a List<int> of x < y", "a List<int> of x < y"),
        ] {
            assert_eq!(without_elements(line), told, "{line}");
        }
    }
}
