//! Owns the checks on the description as somebody's prose (V101 to V103): an author would sign it, it names what it is about, and hosts
//! show all of it.

use crate::scaffold::is_our_word;
use crate::validate::description::{described, description};
use crate::validate::finding::{Finding, Findings};
use crate::validate::page::Place;
use crate::validate::subject::Subject;
use skillkiln_document::patterns;
use skillkiln_document::text::{is_ideographic, letters};
use std::collections::HashSet;

/// Most single words between commas, one after the other.
const BARE_WORDS_MAX: usize = 4;
/// As much as hosts show of a description in a list of many.
const CHARS_MAX: usize = 320;
/// Words are compared by so many letters: what is behind them is an ending.
const STEM_CHARS: usize = 4;

patterns! {
    /// What a page says before it says what it is about: a caveat, who wrote it, a greeting.
    ASIDE = r#"(?x)
        ^\W* (?i: (?: note | warning | caution | important | disclaimer | deprecated | obsolete ) (?: : | \s-\s | \s that \b )
            | (?: this | the ) \s (?: page | article | tutorial | guide | document | post ) \s
                (?: was | is | has \s been ) \s (?: \w+ly \s | last \s )?
                (?: checked | tested | written | updated | maintained | deprecated | outdated | a \s work | in \s progress | under \s construction )
            | (?: written | maintained | posted | published | authored | edited | created ) \s (?: by | on ) \b
            | last \s (?: updated | modified | edited | reviewed )
            | (?: hello | hi | hey | welcome | greetings | thanks | thank \s you | congratulations ) \b )
        | ^\W* By \s \p{Lu} \p{L}+ \s \p{Lu}"#;
}

/// V101.
pub(super) fn reads_like_a_sentence(subject: &Subject<'_>) -> Findings {
    let (text, line) = description(subject)?;
    let mut findings = Vec::new();
    if let Some(list) = bare_list(text) {
        findings.push(Finding::at(
            line,
            format!("the description lists single words (`{list}`); write the tasks that they stand for, a verb and its object each"),
        ));
    }
    if let Some(aside) = ASIDE.find(text) {
        findings.push(Finding::at(
            line,
            format!(
                "the description begins with `{}`, which says nothing of the skill; begin with what it does",
                aside.as_str().trim()
            ),
        ));
    }
    Some(findings)
}

/// The start of a list of single words between commas, of more of them than a person would write.
fn bare_list(text: &str) -> Option<String> {
    for sentence in text.split(['.', ';', ':', '(', ')']) {
        let mut run: Vec<&str> = Vec::new();
        for piece in sentence.split(", ").skip(1) {
            let word = piece.trim();
            let word = word
                .strip_prefix("and ")
                .or_else(|| word.strip_prefix("or "))
                .unwrap_or(word);
            match word.is_empty() || word.contains([' ', '`', '-', '_', '/']) {
                true => run.clear(),
                false => run.push(word),
            }
            if run.len() > BARE_WORDS_MAX {
                return Some(run.join(", "));
            }
        }
    }
    None
}

/// V102.
pub(super) fn names_the_subject(subject: &Subject<'_>) -> Findings {
    let (text, line) = description(subject)?;
    let name = subject.front.field("name");
    let name = name.and_then(|field| field.value.as_text());
    let body = subject.body()?;
    let mut subjects = stems(name.unwrap_or_default());
    for heading in &body.headings {
        subjects.extend(stems(&heading.text));
    }
    // What a skill is of may be called otherwise by its owner than where it says what that is.
    let first = body
        .prose
        .iter()
        .find(|prose| prose.place == Place::Paragraph);
    subjects.extend(first.into_iter().flat_map(|prose| stems(&prose.text)));
    let said = stems(text);
    if subjects.is_empty() {
        return Some(Vec::new());
    }
    let title = body
        .headings
        .first()
        .map_or_else(String::new, |heading| letters(&heading.text));
    let is_named = subjects.iter().any(|stem| said.contains(stem))
        || !title.is_empty() && letters(text).contains(&title);
    let fault = (!is_named).then(|| {
        Finding::at(
            line,
            "the description names neither the product nor the subject of the skill; say whose tasks these are",
        )
    });
    Some(fault.into_iter().collect())
}

/// The beginnings of the words that carry meaning; of scripts without spaces, each pair of signs.
fn stems(text: &str) -> HashSet<String> {
    let mut stems = HashSet::new();
    for word in text.to_lowercase().split(|c: char| !c.is_alphanumeric()) {
        let signs: Vec<char> = word.chars().collect();
        if signs.iter().any(|sign| is_ideographic(*sign)) {
            let pairs = signs.windows(2);
            stems.extend(pairs.map(|pair| pair.iter().collect::<String>()));
        } else if signs.len() > 1 && !is_our_word(word) {
            stems.insert(signs.iter().take(STEM_CHARS).collect());
        }
    }
    stems
}

/// V103.
pub(super) fn is_as_short_as_lists_show(subject: &Subject<'_>) -> Findings {
    described(subject, |text| {
        let chars = text.chars().count();
        (chars > CHARS_MAX).then(|| {
            format!(
                "the description has {chars} characters; hosts that list many skills show about {CHARS_MAX}"
            )
        })
    })
}
