//! Owns code that a page sets as a paragraph, called code, with a break at the end of each line.

use dom_query::NodeRef;

/// What such a paragraph is called, and nothing else.
const CODE: [&str; 3] = ["code", "verbatim", "programlisting"];
/// What it may be called where it is parted into lines.
const LINED: [&str; 3] = ["listing", "screen", "source"];

/// Signs that stand in code and hardly in prose.
const SIGNS: [char; 11] = ['{', '}', '=', '<', '>', '|', '\\', '`', '_', '~', '^'];
/// What else stands in code.
const CALLS: [&str; 3] = ["()", "::", "->"];
/// What stands before a line that is typed.
const PROMPTS: [&str; 4] = ["$ ", "# ", "> ", "% "];

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
    // A comment parts the text of a line, and not the line.
    let mut run = String::new();
    for inner in node.children_it(false) {
        if inner.has_name("br") {
            text.push_str(&line(&run, text.is_empty()));
            text.push('\n');
            run.clear();
        } else if inner.is_text() {
            run.push_str(&inner.text());
        }
    }
    match has_breaks {
        true => text.push_str(&line(&run, text.is_empty())),
        false if looks_like_code(&run) => text = run,
        false => return None,
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

/// Whether a text without breaks is code: it is set in by blanks that hold, stands behind a prompt, or has signs of code.
fn looks_like_code(text: &str) -> bool {
    let is_path_or_option = |word: &str| {
        let option = word.trim_start_matches('-');
        ["/", "./", "../", "~/"]
            .iter()
            .any(|start| word.starts_with(start))
            || option.len() < word.len() && option.starts_with(char::is_alphanumeric)
    };
    let blanks = [' ', '\t'];
    text.contains(SIGNS)
        || CALLS.iter().any(|call| text.contains(call))
        || text.split_whitespace().any(is_path_or_option)
        || text.lines().any(|line| {
            let line = line.trim_start_matches(blanks);
            line.starts_with('\u{a0}') || PROMPTS.iter().any(|prompt| line.starts_with(prompt))
        })
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
    use crate::html::read_whole;
    use skillkiln_document::markdown::write;

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
    fn a_comment_in_a_line_of_code_joins_no_words() {
        let text = told("<p class=code>fire <!-- c -->\nwait<br>cool<!-- c --> down</p>");
        assert!(
            text.ends_with("```\nfire  wait\ncool down\n```\n"),
            "{text}"
        );
    }

    #[test]
    fn a_paragraph_that_has_more_than_lines_or_another_name_is_none() {
        for paragraph in [
            "<p class=code>Call <b>fire</b>.<br>Wait.</p>",
            "<p class='code note'>Call fire.<br>Wait.</p>",
            "<p class=source>Of wood.</p>",
            "<p class=code>Every citizen shall keep the kiln cold. He who does not is fined.</p>",
        ] {
            assert!(!told(paragraph).contains("```"), "{paragraph}");
        }
    }
}
