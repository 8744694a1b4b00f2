//! Owns the instructions that a page repeats as structured data (`HowTo`, `Recipe`): what is needed and the steps, as mark-up.

use crate::page::escaped;
use serde_json::Value;
use skillkiln_document::text::squash;
use std::collections::HashSet;
use std::fmt::Write;

/// Structured data nested deeper than this is not looked into.
const DEPTH_MAX: usize = 16;
/// Steps and things that are read.
const ITEMS_MAX: usize = 2_000;
/// Fields of what is needed, and what a list of them is called where it does not speak for itself.
const NEEDS: [(&str, &str); 3] = [
    ("recipeIngredient", "Ingredients"),
    ("supply", ""),
    ("tool", ""),
];
/// Fields of what is done.
const STEPS: [&str; 2] = ["recipeInstructions", "step"];

/// The instructions in `data` as a page, when they have steps.
pub(super) fn page(data: &[Value]) -> Option<String> {
    let found = data.iter().find_map(|value| instructions(value, 0))?;
    let mut page = String::new();
    if let Some(name) = found.get("name").and_then(Value::as_str) {
        let _ = write!(page, "<h1>{}</h1>", shown(name));
    }
    for (field, heading) in NEEDS {
        let mut things = Vec::new();
        collect(found.get(field), 0, &mut things);
        if things.is_empty() {
            continue;
        }
        if !heading.is_empty() {
            let _ = write!(page, "<h2>{heading}</h2>");
        }
        let items: String = things.iter().map(|(_, words)| item(words)).collect();
        let _ = write!(page, "<ul>{items}</ul>");
    }
    let mut steps = Vec::new();
    for field in STEPS {
        collect(found.get(field), 0, &mut steps);
    }
    if steps.is_empty() {
        return None;
    }
    let items: String = steps
        .iter()
        .map(|(name, words)| match name {
            Some(name) if name != words => {
                let bold = format!("<strong>{}</strong>: {}", shown(name), shown(words));
                format!("<li>{bold}</li>")
            }
            _ => item(words),
        })
        .collect();
    let _ = write!(page, "<ol>{items}</ol>");
    Some(format!("<body>{page}</body>"))
}

/// Whether `text` says less than six in ten of the words of `page`.
pub(super) fn are_missing(page: &str, text: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect()
    };
    let known: HashSet<String> = words(text).into_iter().collect();
    let mut bare = String::new();
    skillkiln_document::markdown::rendered::write_text_of_html(page, &mut bare);
    let wanted = words(&bare);
    let found = wanted.iter().filter(|word| known.contains(*word)).count();
    found * 10 < wanted.len() * 6
}

fn item(words: &str) -> String {
    format!("<li>{}</li>", shown(words))
}

/// Text of structured data, which some sites write as mark-up, as mark-up of ours.
fn shown(text: &str) -> String {
    let mut plain = String::new();
    skillkiln_document::markdown::rendered::write_text_of_html(text, &mut plain);
    escaped(&squash(&plain))
}

/// The first object of a kind that has steps.
fn instructions(value: &Value, depth: usize) -> Option<&Value> {
    if depth > DEPTH_MAX {
        return None;
    }
    match value {
        Value::Object(fields) => {
            let is_kind = |kind: &Value| matches!(kind.as_str(), Some("HowTo" | "Recipe"));
            let is_one = match fields.get("@type") {
                Some(Value::Array(kinds)) => kinds.iter().any(is_kind),
                Some(kind) => is_kind(kind),
                None => false,
            };
            if is_one && STEPS.iter().any(|field| fields.contains_key(*field)) {
                return Some(value);
            }
            ["@graph", "mainEntity"]
                .iter()
                .find_map(|field| instructions(fields.get(*field)?, depth + 1))
        }
        Value::Array(items) => items.iter().find_map(|item| instructions(item, depth + 1)),
        _ => None,
    }
}

/// The things or steps below `value`, in order: a name where there is one beside the words, and the words.
fn collect(value: Option<&Value>, depth: usize, out: &mut Vec<(Option<String>, String)>) {
    if depth > DEPTH_MAX || out.len() >= ITEMS_MAX {
        return;
    }
    match value {
        Some(Value::String(text)) if !text.trim().is_empty() => {
            out.push((None, text.trim().to_owned()));
        }
        Some(Value::Array(items)) => {
            for item in items {
                collect(Some(item), depth + 1, out);
            }
        }
        Some(Value::Object(fields)) => {
            let word = |field: &str| {
                let text = fields.get(field).and_then(Value::as_str)?.trim();
                (!text.is_empty()).then(|| text.to_owned())
            };
            let name = word("name");
            let mut inner = Vec::new();
            for field in ["itemListElement", "steps"] {
                collect(fields.get(field), depth + 1, &mut inner);
            }
            let is_section = fields.get("@type").and_then(Value::as_str) == Some("HowToSection");
            match (word("text"), name) {
                // A section of steps: its name leads the first of them.
                (None, name) if is_section => {
                    let mut name = name;
                    out.extend(
                        inner
                            .into_iter()
                            .map(|(own, words)| (own.or(name.take()), words)),
                    );
                }
                (Some(text), name) => out.push((name, text)),
                (None, Some(name)) if inner.is_empty() => out.push((None, name)),
                (None, name) => {
                    let words: Vec<String> = inner.into_iter().map(|(_, words)| words).collect();
                    if !words.is_empty() {
                        out.push((name, words.join(" ")));
                    }
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::html;
    use skillkiln_document::markdown::write;

    fn shown(data: &str, body: &str) -> String {
        let page = format!(
            "<title>Turn a bowl</title><script type=\"application/ld+json\">{data}</script><body>{body}<script src=a.js></script></body>"
        );
        write(
            &html::read(&page, Some("https://example.com/a"))
                .expect("text")
                .blocks,
        )
    }

    const HOW_TO: &str = r#"{"@graph": [{"@type": ["HowTo"], "name": "Turn a bowl", "supply": "Clay", "step": [
        {"@type": "HowToSection", "name": "Before", "itemListElement": [{"@type": "HowToStep", "text": "Wedge the clay until no air is left in it."}]},
        {"@type": "HowToStep", "name": "Centre it", "itemListElement": [{"text": "Press the clay with both hands"}, {"text": "while the wheel turns."}]},
        "Lift the wall &amp; smooth it."]}]}"#;

    #[test]
    fn steps_that_only_data_holds_are_read() {
        let notice = "<p>Your browser is out of date. Load a newer one free of charge for a better time here.</p>";
        assert_eq!(
            shown(HOW_TO, notice),
            "# Turn a bowl\n\n- Clay\n\n1. **Before**: Wedge the clay until no air is left in it.\n2. **Centre it**: Press the clay with both hands while the wheel turns.\n3. Lift the wall & smooth it.\n"
        );
    }

    #[test]
    fn a_page_that_shows_its_steps_is_read_as_it_stands() {
        let body = "<main><h1>Turn a bowl</h1><p>You need clay. Before you begin, wedge the clay until no air is left in it.</p><p>Centre it: press the clay with both hands while the wheel turns. Lift the wall and smooth it.</p></main>";
        assert!(shown(HOW_TO, body).contains("You need clay."));
    }
}
