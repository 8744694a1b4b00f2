//! Reads records with running text, as JSON and YAML have them: a section for each, under what names it.

use crate::data::prose::running::{Share, is_running};
use crate::data::prose::writer::Writer;
use serde_json::{Map, Value};
use skillkiln_document::blocks::Document;
use std::collections::HashSet;

/// What the value is called that names a record, in the order of what names it best.
const TITLES: [&str; 14] = [
    "title", "headline", "heading", "name", "subject", "topic", "label", "caption", "titel",
    "titre", "titolo", "título", "nombre", "nom",
];
/// What whoever says it is called, which names a record that has no title.
const PEOPLE: [&str; 6] = ["speaker", "author", "by", "redner", "sprecher", "autor"];
/// What the day is called, which tells what the same person says at one time from another.
const DATES: [&str; 6] = ["date", "datum", "fecha", "year", "published", "jahr"];
/// A longer value names nothing.
const NAME_CHARS_MAX: usize = 120;
/// Words of a text from which on it is a record of its own in a list of texts.
const RECORD_WORDS: usize = 200;
/// Values of a list without text that are shown.
const VALUES_MAX: usize = 40;
/// Characters of a value without text that are shown: more of them are no words but packed bytes or measurements.
const FLAT_CHARS_MAX: usize = 1_000;

/// The document that records are; `None` where little of them is running text.
pub(super) fn read(value: &Value) -> Option<Document> {
    let mut share = Share::default();
    let mut records = Records::default();
    see(value, &mut share, &mut records.holding);
    if !share.is_most() {
        return None;
    }
    let title = match value {
        Value::Object(members) => {
            let named = named(members);
            records.members(members, &named.1, 1);
            Some(named.0).filter(|name| !name.is_empty())
        }
        _ => {
            records.value("", value, 1);
            None
        }
    };
    Some(records.writer.finish(title))
}

/// Counts what a value says, and notes in `holding` where running text stands in it, once for all depths; tells whether it does.
fn see(value: &Value, share: &mut Share, holding: &mut HashSet<*const Value>) -> bool {
    let mut holds = false;
    match value {
        Value::String(text) => {
            share.value(text);
            holds = is_running(text);
        }
        Value::Array(items) => {
            for item in items {
                holds |= see(item, share, holding);
            }
        }
        Value::Object(members) => {
            for (name, inner) in members {
                share.name(name);
                holds |= see(inner, share, holding);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    if holds {
        holding.insert(std::ptr::from_ref(value));
    }
    holds
}

/// Writes records.
#[derive(Debug, Default)]
struct Records {
    writer: Writer,
    /// Where the values stand in which running text stands, or which are that.
    holding: HashSet<*const Value>,
}

impl Records {
    /// Whether running text stands anywhere in a value.
    fn holds_text(&self, value: &Value) -> bool {
        self.holding.contains(&std::ptr::from_ref(value))
    }

    /// What stands under `name`, whose heading is written already.
    fn value(&mut self, name: &str, value: &Value, level: usize) {
        match value {
            Value::String(text) => self.writer.paragraphs(text),
            Value::Object(members) => self.members(members, &[], level),
            Value::Array(items) => self.items(name, items, level),
            Value::Null | Value::Bool(_) | Value::Number(_) => self.writer.item(&flat(value)),
        }
    }

    /// A list: a section for each record, or the paragraphs of one text, where running text stands in it.
    fn items(&mut self, name: &str, items: &[Value], level: usize) {
        if !items.iter().any(|item| self.holds_text(item)) {
            items.iter().for_each(|item| self.writer.item(&flat(item)));
            return;
        }
        let texts = items.iter().filter_map(Value::as_str);
        let long = texts.filter(|text| {
            text.contains('\n') || text.split_whitespace().nth(RECORD_WORDS).is_some()
        });
        let are_records = long.count() * 2 >= items.len();
        for (at, item) in items.iter().enumerate() {
            match item {
                Value::String(text) if are_records => {
                    let heading = speaker(text).map_or_else(|| numbered(name, at), str::to_owned);
                    self.writer.heading(level, &heading);
                    self.writer.paragraphs(text);
                }
                Value::Object(members) => self.record(&numbered(name, at), members, level),
                Value::Array(inner) => {
                    self.writer.heading(level, &numbered(name, at));
                    self.items(name, inner, level + 1);
                }
                _ => self.value(name, item, level),
            }
        }
    }

    /// A record under what names it, else under `or`.
    fn record(&mut self, or: &str, members: &Map<String, Value>, level: usize) {
        let (heading, used) = named(members);
        let heading = if heading.is_empty() { or } else { &heading };
        self.writer.heading(level, heading);
        self.members(members, &used, level + 1);
    }

    /// The values of a record: the short ones as a list, then its texts, then what stands deeper.
    fn members(&mut self, members: &Map<String, Value>, used: &[&str], level: usize) {
        let mut texts = Vec::new();
        let mut deeper = Vec::new();
        for (name, value) in members {
            match value {
                _ if used.contains(&name.as_str()) => {}
                Value::String(text) if is_text(text) => texts.push((name, text)),
                Value::Array(_) | Value::Object(_) if self.holds_text(value) => {
                    deeper.push((name, value));
                }
                _ => self.member(name, value),
            }
        }
        let is_one = texts.len() + deeper.len() == 1;
        for (name, text) in texts {
            if !is_one {
                self.writer.heading(level, name);
            }
            self.writer.paragraphs(text);
        }
        for (name, value) in deeper {
            match value {
                Value::Object(inner)
                    if inner
                        .values()
                        .any(|value| value.as_str().is_some_and(is_running)) =>
                {
                    self.record(name, inner, level);
                }
                _ if is_one => self.value(name, value, level),
                _ => {
                    self.writer.heading(level, name);
                    self.value(name, value, level + 1);
                }
            }
        }
    }

    /// A value without running text, after its name; those of an object one by one.
    fn member(&mut self, name: &str, value: &Value) {
        if let Value::Object(members) = value {
            for (inner, value) in members {
                let words = flat(value);
                if !words.is_empty() {
                    self.writer.item(&format!("{name}.{inner}: {words}"));
                }
            }
            return;
        }
        let words = flat(value);
        if !words.is_empty() {
            self.writer.item(&format!("{name}: {words}"));
        }
    }
}

/// Whether a value is to be read as paragraphs: running text, or words too many for a list.
fn is_text(text: &str) -> bool {
    is_running(text)
        || (text.len() > FLAT_CHARS_MAX && text.split_whitespace().count() * 20 > text.len())
}

/// What names a record, and the keys of the values that do.
fn named(members: &Map<String, Value>) -> (String, Vec<&str>) {
    let among = |names: &[&str]| {
        names.iter().find_map(|name| {
            let (key, value) = members.iter().find(|(key, _)| is_called(key, name))?;
            let words = match value {
                Value::String(words) => words.trim().to_owned(),
                Value::Number(number) => number.to_string(),
                _ => return None,
            };
            let is_short = !words.is_empty() && words.chars().count() <= NAME_CHARS_MAX;
            (is_short && !words.contains('\n')).then_some((key.as_str(), words))
        })
    };
    let has_letters = |(_, words): &(&str, String)| words.contains(char::is_alphabetic);
    if let Some((key, title)) = among(&TITLES).filter(has_letters) {
        return (title, vec![key]);
    }
    let both = [among(&PEOPLE).filter(has_letters), among(&DATES)];
    let (keys, words): (Vec<&str>, Vec<String>) = both.into_iter().flatten().unzip();
    (words.join(", "), keys)
}

/// Whether a key ends with the word `name`.
pub(super) fn is_called(key: &str, name: &str) -> bool {
    let key = key.to_lowercase();
    key.strip_suffix(name)
        .is_some_and(|before| !before.ends_with(char::is_alphanumeric))
}

/// What a record without a name is called.
fn numbered(name: &str, at: usize) -> String {
    let name = if name.is_empty() { "Record" } else { name };
    format!("{name} {}", at + 1)
}

/// Who speaks first in a talk whose speakers are written in capitals before what they say.
fn speaker(text: &str) -> Option<&str> {
    text.lines().take(3).find_map(|line| {
        let (label, said) = line.split_once(": ")?;
        let label = label.trim();
        let words = label.split_whitespace().count();
        let is_label = (2..=6).contains(&words)
            && !said.is_empty()
            && label.chars().count() <= NAME_CHARS_MAX
            && !label.contains(char::is_lowercase)
            && label.contains(char::is_uppercase);
        is_label.then_some(label)
    })
}

/// A value on one line.
fn flat(value: &Value) -> String {
    let mut words = String::new();
    write_flat(value, &mut words);
    match words.char_indices().nth(FLAT_CHARS_MAX) {
        Some((cut, _)) => {
            let all = words.chars().count();
            words.truncate(cut);
            let left = all - FLAT_CHARS_MAX;
            format!("{words}… ({left} more characters are left out)")
        }
        None => words,
    }
}

fn write_flat(value: &Value, words: &mut String) {
    match value {
        Value::Null => {}
        Value::String(text) => words.push_str(text.trim()),
        Value::Bool(is) => words.push_str(if *is { "true" } else { "false" }),
        Value::Number(number) => words.push_str(&number.to_string()),
        Value::Array(items) => {
            for (at, item) in items.iter().take(VALUES_MAX).enumerate() {
                words.push_str(if at == 0 { "" } else { ", " });
                write_flat(item, words);
            }
            if items.len() > VALUES_MAX {
                let left = items.len() - VALUES_MAX;
                words.push_str(&format!(", … ({left} more are left out)"));
            }
        }
        Value::Object(members) => {
            for (at, (name, value)) in members.iter().enumerate() {
                words.push_str(if at == 0 { "" } else { ", " });
                words.push_str(name);
                words.push_str(": ");
                write_flat(value, words);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::read;
    use serde_json::{Value, json};
    use skillkiln_document::markdown;

    const TEXT: &str = "The potter sets the kiln on a slow fire and waits until the glaze has melted. Then she lets it cool for a day, and opens it.";

    fn written(value: &Value) -> String {
        let document = read(value).expect("records with running text");
        markdown::write(&document.blocks)
    }

    #[test]
    fn a_record_is_a_section_under_its_title() {
        let value =
            json!([{"id": 7, "title": "First firing", "tags": ["clay", "fire"], "text": TEXT}]);
        assert_eq!(
            written(&value).trim(),
            format!("# First firing\n\n- id: 7\n- tags: clay, fire\n\n{TEXT}")
        );
    }

    #[test]
    fn a_record_without_a_title_is_named_by_who_speaks_and_when() {
        let value = json!([{"speaker": "Ada Kiln", "date": "2026-01-02", "text": TEXT}]);
        assert!(written(&value).starts_with("# Ada Kiln, 2026-01-02\n"));
    }

    #[test]
    fn a_line_end_ends_a_paragraph() {
        let value = json!([{"name": "Two", "text": format!("{TEXT}\nIt holds.")}]);
        assert!(written(&value).contains(&format!("{TEXT}\n\nIt holds.")));
    }

    #[test]
    fn texts_in_a_list_are_sections_of_the_record_that_holds_them() {
        let value = json!([{"name": "red", "speeches": [format!("(Cheers.)\nADA KILN: {TEXT}"), format!("{TEXT}\nIt holds.")]}]);
        let markdown = written(&value);
        assert!(markdown.starts_with("# red\n\n## ADA KILN\n"), "{markdown}");
        assert!(markdown.contains("\n## speeches 2\n"), "{markdown}");
    }

    #[test]
    fn a_record_under_a_key_is_named_by_it() {
        let value = json!({"kiln": {"body": TEXT}, "wheel": {"body": TEXT}});
        let markdown = written(&value);
        assert!(
            markdown.contains("# kiln\n") && markdown.contains("# wheel\n"),
            "{markdown}"
        );
    }

    #[test]
    fn each_of_several_texts_stands_under_its_key() {
        let value = json!([{"title": "Firing", "question": TEXT, "answer": TEXT}]);
        let markdown = written(&value);
        assert!(
            markdown.contains("## question\n") && markdown.contains("## answer\n"),
            "{markdown}"
        );
    }

    #[test]
    fn many_measurements_are_counted() {
        let value = json!([{"title": "Firing", "text": TEXT, "heat": vec![7; 100]}]);
        assert!(written(&value).contains("7, … (60 more are left out)"));
    }

    #[test]
    fn data_with_short_values_is_no_document() {
        let record = json!({"name": "kiln", "kind": "oven", "note": "Wait until it is cool."});
        assert_eq!(read(&Value::Array(vec![record; 50])), None);
    }

    #[test]
    fn data_of_which_little_is_running_text_is_no_document() {
        let labels: Vec<String> = (0..40).map(|n| format!("label of number {n}")).collect();
        assert_eq!(read(&json!({"labels": labels, "text": TEXT})), None);
    }

    #[test]
    fn running_text_is_found_however_deep_it_stands() {
        let body = [TEXT; 10].join(" ");
        let mut value = json!({"note": "Wait.", "body": body});
        for _ in 0..100 {
            value = json!({"in": value, "heat": 900});
        }
        let markdown = written(&value);
        assert!(markdown.contains(TEXT), "{markdown}");
        assert_eq!(markdown.matches("- heat: 900").count(), 100);
    }
}
