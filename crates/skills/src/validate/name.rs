//! Owns the checks on the name of a skill (V010 to V021).

use crate::scaffold::VAGUE_NAMES;
use crate::validate::finding::{Finding, Findings};
use crate::validate::front_matter::Field;
use crate::validate::required;
use crate::validate::subject::Subject;
use unicode_normalization::UnicodeNormalization;

/// Longest name, in characters.
const CHARS_MAX: usize = 64;
const RESERVED: [&str; 2] = ["anthropic", "claude"];
/// Verbs that name an order where a name of the activity would read better.
const ORDERS: [&str; 24] = [
    "add",
    "analyze",
    "build",
    "check",
    "clean",
    "configure",
    "convert",
    "create",
    "debug",
    "deploy",
    "do",
    "extract",
    "fix",
    "generate",
    "get",
    "handle",
    "install",
    "make",
    "manage",
    "process",
    "run",
    "setup",
    "use",
    "write",
];

fn field<'s>(subject: &'s Subject<'_>) -> Option<&'s Field> {
    subject.front.field("name")
}

/// The name and its line, when it is text that is not blank.
fn name(subject: &Subject<'_>) -> Option<(String, u32)> {
    let field = field(subject)?;
    let text = field.value.as_text()?.trim();
    (!text.is_empty()).then(|| (text.nfkc().collect(), field.line))
}

/// Makes a check that a name fails with a message.
fn named(subject: &Subject<'_>, fault: impl FnOnce(&str) -> Option<String>) -> Findings {
    let (name, line) = name(subject)?;
    Some(
        fault(&name)
            .map(|message| Finding::at(line, message))
            .into_iter()
            .collect(),
    )
}

/// V010.
pub(super) fn is_present(subject: &Subject<'_>) -> Findings {
    required::is_present(
        subject,
        "name",
        "the name is missing; add `name: \"the-folder's-name\"` to the header",
    )
}

/// V011.
pub(super) fn is_text(subject: &Subject<'_>) -> Findings {
    required::is_text(
        subject,
        "name",
        "the name reads as a number or a truth value; put it into double quotes",
        "the name is no text; write lower-case letters, digits and hyphens in double quotes",
    )
}

/// V012.
pub(super) fn has_only_allowed_characters(subject: &Subject<'_>) -> Findings {
    named(subject, |name| {
        // Letters outside ASCII are V020's; what is neither letter nor digit, or has a lower case, is refused everywhere.
        let is_wrong = |c: &char| match c {
            'a'..='z' | '0'..='9' | '-' => false,
            c if c.is_ascii() => true,
            c => !c.is_alphanumeric() || c.to_lowercase().next() != Some(*c),
        };
        let wrong = name.chars().find(is_wrong)?;
        Some(format!(
            "the name holds `{}`; use lower-case letters a to z, digits and hyphens",
            wrong.escape_debug()
        ))
    })
}

/// V013.
pub(super) fn has_no_hyphen_at_an_edge(subject: &Subject<'_>) -> Findings {
    named(subject, |name| {
        (name.starts_with('-') || name.ends_with('-'))
            .then(|| "the name starts or ends with a hyphen; remove it".to_owned())
    })
}

/// V014.
pub(super) fn has_no_double_hyphen(subject: &Subject<'_>) -> Findings {
    named(subject, |name| {
        name.contains("--")
            .then(|| "the name holds `--`; use single hyphens".to_owned())
    })
}

/// V015.
pub(super) fn is_short(subject: &Subject<'_>) -> Findings {
    named(subject, |name| {
        let chars = name.chars().count();
        (chars > CHARS_MAX)
            .then(|| format!("the name has {chars} characters; use at most {CHARS_MAX}"))
    })
}

/// V016.
pub(super) fn is_the_folder(subject: &Subject<'_>) -> Findings {
    let folder: String = subject.package.folder.as_ref()?.nfkc().collect();
    named(subject, |name| {
        (name != folder).then(|| {
            format!("the name is `{name}` and the folder `{folder}`; give both the same name")
        })
    })
}

/// V017.
pub(super) fn has_no_reserved_word(subject: &Subject<'_>) -> Findings {
    named(subject, |name| {
        let lower = name.to_lowercase();
        let word = RESERVED.into_iter().find(|word| lower.contains(word))?;
        Some(format!(
            "the name holds the reserved word `{word}`; choose another"
        ))
    })
}

/// V018.
pub(super) fn has_no_tag(subject: &Subject<'_>) -> Findings {
    named(subject, |name| {
        name.contains(['<', '>'])
            .then(|| "the name holds an XML tag; remove it".to_owned())
    })
}

/// V019.
pub(super) fn is_specific(subject: &Subject<'_>) -> Findings {
    named(subject, |name| {
        let lower = name.to_lowercase();
        let is_vague = lower
            .split('-')
            .filter(|part| !part.is_empty())
            .all(|part| VAGUE_NAMES.contains(&part));
        is_vague.then(|| format!("`{name}` says nothing about what the skill is for; name the subject or the activity"))
    })
}

/// V020.
pub(super) fn is_ascii(subject: &Subject<'_>) -> Findings {
    named(subject, |name| {
        let letter = name
            .chars()
            .find(|c| !c.is_ascii() && c.is_alphanumeric())?;
        Some(format!(
            "the name holds `{letter}`, which not every loader accepts; use a to z"
        ))
    })
}

/// V021.
pub(super) fn names_an_activity(subject: &Subject<'_>) -> Findings {
    named(subject, |name| {
        let (first, rest) = name.split_once('-')?;
        (ORDERS.contains(&first) && !rest.is_empty()).then(|| {
            format!(
                "`{name}` reads as an order; a gerund (`{}`) or a noun phrase reads better",
                gerund(first, rest)
            )
        })
    })
}

fn gerund(verb: &str, rest: &str) -> String {
    let stem = match verb {
        "get" | "run" => format!("{verb}{}", verb.chars().last().unwrap_or_default()),
        "setup" => return format!("setting-up-{rest}"),
        _ => verb.strip_suffix('e').unwrap_or(verb).to_owned(),
    };
    format!("{stem}ing-{rest}")
}
