//! Owns code that a page sets as a paragraph, called code, with a break at the end of each line.

use dom_query::NodeRef;

/// What such a paragraph is called, and nothing else.
const CODE: [&str; 3] = ["code", "verbatim", "programlisting"];
/// What it may be called where it is parted into lines.
const LINED: [&str; 3] = ["listing", "screen", "source"];

/// The lines of such a paragraph.
pub(super) fn code(node: &NodeRef<'_>) -> Option<String> {
    if !(node.has_name("p") || node.has_name("div")) {
        return None;
    }
    let class = node.attr("class")?;
    let class = class.trim();
    let is_code = CODE.contains(&class);
    if !is_code && !LINED.contains(&class) {
        return None;
    }
    let is_part = |inner: &NodeRef<'_>| inner.is_text() || inner.has_name("br");
    let is_break = |inner: NodeRef<'_>| inner.has_name("br");
    let has_breaks = node.children_it(false).any(is_break);
    if !node
        .children_it(false)
        .all(|inner| is_part(&inner) || inner.is_comment())
        || !is_code && !has_breaks
    {
        return None;
    }
    let mut text = String::new();
    for inner in node.children_it(false) {
        if inner.has_name("br") {
            text.push('\n');
        } else if inner.is_text() && has_breaks {
            text.push_str(&line(&inner.text(), text.is_empty()));
        } else if inner.is_text() {
            text.push_str(&inner.text());
        }
    }
    let text = text.replace('\u{a0}', " ");
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let text = lines.join("\n");
    let text = match has_breaks {
        true => text.trim_matches('\n'),
        false => text.trim(),
    };
    (!text.is_empty()).then(|| text.to_owned())
}

/// A line of code without the break of the source before it; where the source goes on in another line, the code does not.
fn line(text: &str, is_first: bool) -> String {
    let text = match text.trim_start_matches([' ', '\t']).strip_prefix('\n') {
        Some(rest) if is_first => rest.trim_start_matches([' ', '\t', '\n']),
        Some(rest) => rest,
        None if is_first => text.trim_start_matches([' ', '\t']),
        None => text,
    };
    let text = text.trim_end_matches([' ', '\t', '\n']);
    text.split('\n').collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use crate::pipeline::extract::html::read_whole;
    use crate::pipeline::markdown::write;

    fn told(paragraph: &str) -> String {
        let page = format!("<main><h1>Kilns</h1><p>A kiln is heated slowly:</p>{paragraph}</main>");
        write(&read_whole(&page).blocks)
    }

    #[test]
    fn a_paragraph_that_is_called_code_is_code_to_the_line() {
        let text = told(
            "<p class=code id=o1>\n    $ cd kiln<br>\n$ fire -b<br>\n&nbsp;&nbsp;all<br><br>\n$ cool<br>\n  </p>",
        );
        assert!(
            text.ends_with("```\n$ cd kiln\n$ fire -b\n  all\n\n$ cool\n```\n"),
            "{text}"
        );
        assert!(told("<p class=code>\n   # fire\n </p>").contains("```\n# fire\n```"));
    }

    #[test]
    fn a_paragraph_that_has_more_than_lines_or_another_name_is_none() {
        for paragraph in [
            "<p class=code>Call <b>fire</b>.<br>Wait.</p>",
            "<p class='code note'>Call fire.<br>Wait.</p>",
            "<p class=source>Of wood.</p>",
        ] {
            assert!(!told(paragraph).contains("```"), "{paragraph}");
        }
    }
}
