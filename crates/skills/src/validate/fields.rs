//! Owns the checks on the optional fields of the header (V041 to V043, V047).

use crate::validate::finding::{Finding, Findings};
use crate::validate::front_matter::Value;
use crate::validate::subject::Subject;
use serde_saphyr::granit_parser::ScalarStyle;
use skillkiln_document::patterns;

/// Longest `compatibility`, in characters.
const COMPATIBILITY_CHARS_MAX: usize = 500;

patterns! {
    /// A file that a licence statement names.
    NAMED_FILE = r#"(?x)
        \b[A-Za-z0-9_][A-Za-z0-9_./-]*\.(?:txt|md|rst|html)\b
        |\b(?:LICENSE|LICENCE|COPYING)(?:[-.][A-Za-z0-9]+)?\b"#;
    /// A shell that may run anything.
    OPEN_SHELL = r"(?:^|[\s,])(?:Bash|Shell|PowerShell|sh|bash)(?:\(\s*\*?\s*(?::\s*\*\s*)?\))?(?:$|[\s,])";
    /// What stands inside parentheses of a tool.
    SCOPE = r"\([^()]*\)";
}

/// V041.
pub(super) fn compatibility_is_short_text(subject: &Subject<'_>) -> Findings {
    let field = subject.front.field("compatibility")?;
    let fault = match field.value.as_text() {
        None => Some("`compatibility` is no text; write one sentence in double quotes".to_owned()),
        Some(text) if text.trim().is_empty() => {
            Some("`compatibility` is empty; say what the skill needs, or remove it".to_owned())
        }
        Some(text) => {
            let chars = text.chars().count();
            (chars > COMPATIBILITY_CHARS_MAX).then(|| {
                format!(
                    "`compatibility` has {chars} characters; use at most {COMPATIBILITY_CHARS_MAX}"
                )
            })
        }
    };
    Some(
        fault
            .map(|message| Finding::at(field.line, message))
            .into_iter()
            .collect(),
    )
}

/// V042.
pub(super) fn metadata_is_flat(subject: &Subject<'_>) -> Findings {
    let field = subject.front.field("metadata")?;
    let Value::Mapping(inner) = &field.value else {
        return Some(vec![Finding::at(
            field.line,
            "`metadata` is no mapping; write `key: \"value\"` lines below it",
        )]);
    };
    let nested = inner
        .iter()
        .filter(|entry| entry.value.as_text().is_none())
        .map(|entry| {
            Finding::at(
                entry.line,
                format!(
                    "`metadata.{}` is no text; write one line of text in double quotes",
                    entry.key
                ),
            )
        });
    Some(nested.collect())
}

/// V043.
pub(super) fn tools_are_one_scoped_list(subject: &Subject<'_>) -> Findings {
    let field = subject.front.field("allowed-tools")?;
    let Value::Scalar(text, _) = &field.value else {
        return Some(vec![Finding::at(
            field.line,
            "`allowed-tools` is no text; write the tools on one line, separated by spaces",
        )]);
    };
    let mut findings = Vec::new();
    if SCOPE.replace_all(text, "").contains(',') {
        findings.push(Finding::at(
            field.line,
            "`allowed-tools` is separated by commas; use spaces",
        ));
    }
    if OPEN_SHELL.is_match(text) {
        findings.push(Finding::at(
            field.line,
            "`allowed-tools` admits every shell command; name the commands, as in `Bash(git:*)`",
        ));
    }
    Some(findings)
}

/// V047.
pub(super) fn licence_is_text_and_its_file_exists(subject: &Subject<'_>) -> Findings {
    let field = subject.front.field("license")?;
    let Value::Scalar(text, style) = &field.value else {
        return Some(vec![Finding::at(
            field.line,
            "`license` is no text; write its name, or the name of its file",
        )]);
    };
    if text.trim().is_empty() || (*style == ScalarStyle::Plain && field.value.as_text().is_none()) {
        return Some(vec![Finding::at(
            field.line,
            "`license` is empty or no text; write its name, or remove the field",
        )]);
    }
    let missing = NAMED_FILE
        .find_iter(text)
        .filter(|file| !subject.has(file.as_str()))
        .map(|file| {
            Finding::at(
                field.line,
                format!(
                    "`license` names {}, which is not here; add the file",
                    file.as_str()
                ),
            )
        });
    Some(missing.collect())
}
