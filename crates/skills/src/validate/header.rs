//! Owns the checks on the form of SKILL.md's header (V001 to V005, V037, V040).

use crate::validate::finding::{Finding, Findings};
use crate::validate::front_matter::{Field, Value};
use crate::validate::profile::Profile;
use crate::validate::subject::Subject;
use serde_saphyr::granit_parser::ScalarStyle;

/// The fields that the specification knows.
const FIELDS: [&str; 6] = [
    "name",
    "description",
    "license",
    "compatibility",
    "metadata",
    "allowed-tools",
];

/// What a field of a host of its own may hold.
enum Shape {
    /// Text of one line.
    Text,
    /// `true` or `false`.
    Truth,
    /// One of some words.
    Word(&'static [&'static str]),
    /// Fields of its own.
    Mapping,
}

/// The fields that Claude Code knows beside those of the specification (its documentation of skills, seen 2026-11).
const CLAUDE_CODE_FIELDS: [(&str, Shape); 7] = [
    ("argument-hint", Shape::Text),
    ("context", Shape::Word(&["fork"])),
    ("user-invocable", Shape::Truth),
    ("disable-model-invocation", Shape::Truth),
    ("model", Shape::Text),
    ("hooks", Shape::Mapping),
    ("when_to_use", Shape::Text),
];

impl Shape {
    /// What a value should be that is not so.
    fn fault(&self, value: &Value) -> Option<String> {
        let text = match value {
            Value::Scalar(text, _) => text.trim(),
            Value::Mapping(_) | Value::Sequence => "",
        };
        let is_text = value.as_text().is_some_and(|text| !text.trim().is_empty());
        match self {
            Self::Text if !is_text => Some("is no text; write it on one line".to_owned()),
            Self::Truth if !matches!(text, "true" | "false") => {
                Some("is neither `true` nor `false`".to_owned())
            }
            Self::Word(words) if !words.contains(&text) => {
                Some(format!("may be {} only", words.join(", ")))
            }
            Self::Mapping if !matches!(value, Value::Mapping(_)) => {
                Some("is no mapping; write an event and its hooks below it".to_owned())
            }
            _ => None,
        }
    }
}

fn made(subject: &Subject<'_>, findings: Vec<Finding>) -> Findings {
    subject.skill.map(|_| findings)
}

/// V001.
pub(super) fn opens_at_the_first_byte(subject: &Subject<'_>) -> Findings {
    let fault = (!subject.front.is_open).then(|| {
        Finding::at(1, "the header is missing; start the file with a line `---`, then `name:` and `description:`, then `---`")
    });
    made(subject, fault.into_iter().collect())
}

/// V002.
pub(super) fn is_closed(subject: &Subject<'_>) -> Findings {
    if !subject.front.is_open {
        return None;
    }
    let fault = (!subject.front.is_closed).then(|| {
        Finding::at(
            1,
            "the header never ends; put a line `---` after its last field",
        )
    });
    made(subject, fault.into_iter().collect())
}

/// V003.
pub(super) fn has_no_byte_order_mark(subject: &Subject<'_>) -> Findings {
    let fault = subject.front.has_mark.then(|| {
        Finding::at(
            1,
            "the file starts with a byte-order mark; save it as UTF-8 without one",
        )
    });
    made(subject, fault.into_iter().collect())
}

/// V004.
pub(super) fn is_a_strict_mapping(subject: &Subject<'_>) -> Findings {
    if !subject.front.is_closed {
        return None;
    }
    let mut findings = subject.front.faults.clone();
    if findings.is_empty() && subject.front.fields.is_empty() {
        findings.push(Finding::at(
            1,
            "the header is empty; write `name:` and `description:`",
        ));
    }
    made(subject, findings)
}

/// V005.
pub(super) fn has_no_repeated_key(subject: &Subject<'_>) -> Findings {
    subject
        .front
        .is_closed
        .then(|| subject.front.repeated.clone())
}

/// V037.
pub(super) fn values_are_quoted_on_one_line(subject: &Subject<'_>) -> Findings {
    fn visit(fields: &[Field], findings: &mut Vec<Finding>) {
        for field in fields {
            match &field.value {
                Value::Mapping(inner) => visit(inner, findings),
                Value::Sequence => {}
                Value::Scalar(_, _) if field.last_line > field.line + 1 || is_block(field) => {
                    findings.push(Finding::at(
                        field.line,
                        format!(
                            "`{}` runs over several lines; write it on one, in double quotes",
                            field.key
                        ),
                    ))
                }
                Value::Scalar(text, ScalarStyle::Plain) if is_misread(text) => {
                    findings.push(Finding::at(
                        field.line,
                        format!("`{}` is not quoted; put it into double quotes", field.key),
                    ))
                }
                Value::Scalar(..) => {}
            }
        }
    }
    let mut findings = Vec::new();
    visit(&subject.front.fields, &mut findings);
    subject.front.is_closed.then_some(findings)
}

fn is_block(field: &Field) -> bool {
    matches!(
        field.value,
        Value::Scalar(_, ScalarStyle::Literal | ScalarStyle::Folded)
    ) || field.last_line > field.line
}

/// Whether some reader of YAML takes a value without quotes for something else: for a mapping, a comment, a mark of its own.
fn is_misread(text: &str) -> bool {
    text.contains(": ")
        || text.contains(" #")
        || text.ends_with(':')
        || text.starts_with(|c: char| "!&*-?|>@`%#,[]{}\"'".contains(c))
        || ["yes", "no", "on", "off"].contains(&text.to_ascii_lowercase().as_str())
}

/// V040.
pub(super) fn has_only_known_fields(subject: &Subject<'_>) -> Findings {
    let own: &[_] = match subject.profile {
        Profile::ClaudeCode => &CLAUDE_CODE_FIELDS,
        Profile::Open | Profile::Claude => &[],
    };
    let is_own = |field: &&Field| own.iter().find(|(key, _)| *key == field.key);
    let mistaken = subject.front.fields.iter().filter_map(|field| {
        let (key, shape) = is_own(&field)?;
        let demand = shape.fault(&field.value)?;
        Some(Finding::at(field.line, format!("`{key}` {demand}")))
    });
    let unknown = subject
        .front
        .fields
        .iter()
        .filter(|field| !FIELDS.contains(&field.key.as_str()) && is_own(field).is_none());
    let findings: Vec<Finding> = unknown
        .map(|field| {
            let message = format!(
                "`{}` is no field of a skill; move it under `metadata`, or remove it",
                field.key
            );
            Finding::at(field.line, message)
        })
        .chain(mistaken)
        .collect();
    subject.front.is_closed.then_some(findings)
}
