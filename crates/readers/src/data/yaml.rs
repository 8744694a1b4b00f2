//! Reads YAML, and what most programs take for it: a quoted value that goes on no deeper than its key stands.

use serde_json::Value;

/// Deeper than any key stands.
const DEEP: &str = "                                        ";

/// A text that becomes so many times as long is no description of an interface.
const GROWTH_MAX: usize = 4;

/// The value that `text` holds; `None` where it is no YAML.
pub(crate) fn read(text: &str) -> Option<Value> {
    let strict = serde_saphyr::from_str(text).ok();
    strict.or_else(|| serde_saphyr::from_str(&deepened(text)?).ok())
}

/// The text with the further lines of quoted values indented, which folding takes out again; `None` where those are most of it.
fn deepened(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut open = None;
    // How far the key of a block is indented whose lines are what they are.
    let mut block = None;
    for line in text.split_inclusive('\n') {
        let words = line.trim();
        let indent = line.len() - line.trim_start().len();
        if let Some(quote) = open {
            if out.len() > GROWTH_MAX * text.len() {
                return None;
            }
            out.push_str(DEEP);
            out.push_str(line.trim_start_matches(' '));
            open = (!closes(words, quote)).then_some(quote);
            continue;
        }
        out.push_str(line);
        if words.is_empty() || block.is_some_and(|key| indent > key) {
            continue;
        }
        let value = words.trim_start_matches("- ");
        let value = value
            .split_once(": ")
            .map_or(value, |(_, value)| value)
            .trim_start();
        block = value.starts_with(['|', '>']).then_some(indent);
        open = value
            .chars()
            .next()
            .filter(|quote| matches!(quote, '"' | '\''))
            .filter(|quote| !value.get(1..).is_some_and(|rest| closes(rest, *quote)));
    }
    Some(out)
}

/// Whether a quoted value ends within `text`.
fn closes(text: &str, quote: char) -> bool {
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '\\' if quote == '"' => {
                signs.next();
            }
            // Two of them are one that is meant.
            '\'' if quote == '\'' && signs.peek() == Some(&'\'') => {
                signs.next();
            }
            sign if sign == quote => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_quoted_value_may_go_on_as_deep_as_its_key() {
        let text = "paths:\n  /a:\n    get:\n      description: \"A list for\n      all systems.\"\n      note: |\n        \"It is\n        open.\n      summary: 'It''s\n      hot.'\n      tags: [a]\n";
        let value = read(text).unwrap_or_default();
        let get = &value["paths"]["/a"]["get"];
        assert_eq!(get["description"], "A list for all systems.");
        assert_eq!(get["note"], "\"It is\nopen.\n");
        assert_eq!(get["summary"], "It's hot.");
        assert_eq!(get["tags"][0], "a");
    }

    #[test]
    fn what_is_no_yaml_is_nothing() {
        assert_eq!(read("a: [b\nc: \"d"), None);
    }
}
