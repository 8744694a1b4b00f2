//! Owns the checks that both required fields of the header pass: each is there, and is text (V010, V011, V030, V031).

use crate::validate::finding::{Finding, Findings};
use crate::validate::front_matter::Value;
use crate::validate::subject::Subject;

/// Whether the field is there; `missing` says what to add.
pub(super) fn is_present(subject: &Subject<'_>, key: &str, missing: &str) -> Findings {
    let is_missing = subject.front.field(key).is_none();
    let fault = is_missing.then(|| Finding::at(1, missing));
    subject
        .skill
        .filter(|_| !is_missing || !subject.front.is_cut)
        .map(|_| fault.into_iter().collect())
}

/// Whether the field is text that is not blank; `typed` is said of what reads as a number or a truth value, `empty` of everything else.
pub(super) fn is_text(subject: &Subject<'_>, key: &str, typed: &str, empty: &str) -> Findings {
    let field = subject.front.field(key)?;
    let fault = match &field.value {
        value if value.as_text().is_some_and(|text| !text.trim().is_empty()) => None,
        Value::Scalar(text, _) if !text.trim().is_empty() => Some(typed),
        _ => Some(empty),
    };
    let fault = fault.map(|message| Finding::at(field.line, message));
    Some(fault.into_iter().collect())
}
