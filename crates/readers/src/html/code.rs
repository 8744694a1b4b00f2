//! Reads code on web pages: to the letter, without line numbers and buttons, with its language.

use crate::words::{WordList, words};
use dom_query::NodeRef;

/// Deepest nesting of marks inside code that is followed.
const DEPTH_MAX: usize = 100;
/// Classes of line numbers and buttons inside code.
static NO_CODE: WordList = words!(
    "lineno linenos line-numbers line-numbers-rows gutter linenodiv copy rouge-gutter lnt ln copybtn blob-num"
);
/// Class prefixes before a language.
static PREFIXES: WordList =
    words!("language- lang- highlight-source- highlight- brush: sourceCode-");
/// Words in that place which are no language.
static NO_LANGUAGE: WordList =
    words!("wrapper block source text-html container toolbar line lines area");

/// The code in `node`, without line breaks at its ends.
pub(crate) fn text(node: &NodeRef<'_>) -> String {
    let mut out = String::new();
    write_text(node, 0, &mut out);
    let text = out
        .replace("\r\n", "\n")
        .replace('\r', "\n")
        .replace('\u{a0}', " ");
    let text = text.trim_end();
    // Only whole empty lines go: the indentation of the first line is code.
    let start = text
        .find(|c: char| !c.is_whitespace())
        .and_then(|first| text.get(..first))
        .and_then(|lead| lead.rfind('\n'))
        .map_or(0, |at| at + 1);
    text.get(start..).unwrap_or("").to_owned()
}

fn write_text(node: &NodeRef<'_>, depth: usize, out: &mut String) {
    if depth > DEPTH_MAX {
        out.push_str(&node.text());
        return;
    }
    for child in node.children_it(false) {
        if child.is_text() {
            out.push_str(&child.text());
        } else if child.has_name("br") {
            out.push('\n');
        } else if child.is_element() {
            let classes = child.class().unwrap_or_default();
            let skipped = child.has_name("button")
                || classes
                    .split_whitespace()
                    .any(|class| NO_CODE.contains(&class));
            if skipped {
                continue;
            }
            let is_line = child.has_name("div")
                || child.has_name("p")
                || child.has_name("li")
                || child.has_name("tr");
            if is_line && !out.is_empty() && !out.ends_with('\n') {
                out.push('\n');
            }
            write_text(&child, depth + 1, out);
        }
    }
}

/// The language that `node`, a `code` inside it or one of seven elements around it names.
pub(crate) fn language(node: &NodeRef<'_>) -> Option<String> {
    let inner = node
        .descendants_it()
        .take(3)
        .find(|inner| inner.has_name("code"));
    let around = std::iter::successors(Some(*node), |node| node.parent())
        .take(8)
        .take_while(|node| {
            !["body", "article", "main"]
                .iter()
                .any(|name| node.has_name(name))
        });
    inner
        .into_iter()
        .chain(around)
        .find_map(|node| named(&node))
}

fn named(node: &NodeRef<'_>) -> Option<String> {
    if let Some(language) = node
        .attr("data-lang")
        .or_else(|| node.attr("data-language"))
    {
        return known(&language);
    }
    let classes = node.class()?;
    let classes: Vec<&str> = classes.split_whitespace().collect();
    for class in &classes {
        for prefix in PREFIXES.iter() {
            if let Some(word) = class.strip_prefix(prefix)
                && !word.is_empty()
                && !NO_LANGUAGE.contains(&word)
            {
                return known(word);
            }
        }
    }
    if classes.contains(&"sourceCode") {
        return classes
            .iter()
            .find(|class| **class != "sourceCode")
            .and_then(|class| known(class));
    }
    if node.has_name("pre") && classes.contains(&"rust") {
        return Some("rust".to_owned());
    }
    if node.has_name("pre")
        && classes
            .iter()
            .any(|class| matches!(*class, "programlisting" | "screen"))
    {
        return classes
            .iter()
            .find(|class| !matches!(**class, "programlisting" | "screen" | "literallayout"))
            .and_then(|class| known(class));
    }
    None
}

/// A language's one name; words for "no language" are none.
fn known(word: &str) -> Option<String> {
    let word = word.to_ascii_lowercase();
    let word = word.split([',', ';', ' ']).next().unwrap_or("");
    let name = match word {
        "" | "default" | "text" | "none" | "plaintext" | "plain" | "txt" | "notranslate"
        | "nohighlight" | "output" => return None,
        "python3" | "pycon" | "pycon3" | "ipython3" | "ipython" | "py" => "python",
        "rs" => "rust",
        "js" => "javascript",
        "ts" => "typescript",
        "yml" => "yaml",
        "sh" => "shell",
        other => other,
    };
    (name.len() <= 30).then(|| name.to_owned())
}
