//! Owns the checks on the form of SKILL.md's header (V001 to V005, V037, V040).

use crate::validate::front_matter::{Field, Value, is_typed};
use crate::validate::subject::{Finding, Findings, Subject};
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
                Value::Scalar(text, ScalarStyle::Plain) if !is_bare_word(text) => {
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

/// A single word that every YAML reader takes for text needs no quotes.
fn is_bare_word(text: &str) -> bool {
    text.is_empty()
        || (!is_typed(text)
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'))
}

/// V040.
pub(super) fn has_only_known_fields(subject: &Subject<'_>) -> Findings {
    let unknown = subject
        .front
        .fields
        .iter()
        .filter(|field| !FIELDS.contains(&field.key.as_str()));
    let findings = unknown
        .map(|field| {
            let message = format!(
                "`{}` is no field of a skill; move it under `metadata`, or remove it",
                field.key
            );
            Finding::at(field.line, message)
        })
        .collect();
    subject.front.is_closed.then_some(findings)
}
