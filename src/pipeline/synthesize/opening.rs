//! Owns the sentence that a description opens with: one of the source that says, in the third person, what it is about.

use super::describe::{Subject, capitalised};
use super::outline::block_text;
use super::sentences::sentences;
use super::title::without_section;
use crate::domain::document::BlockKind;
use crate::domain::text::{plain, squash};
use crate::pipeline::orders;
use whatlang::Lang;

/// The opening must leave room for the use within the first 250 characters (V038).
pub(super) const OPENING_CHARS_MAX: usize = 165;

/// How a manual page says what it is: its name, a dash, and a line.
fn manual_line(subject: &Subject<'_>, title: &str) -> Option<String> {
    let page = without_section(title);
    subject.blocks.iter().take(4).find_map(|block| {
        let BlockKind::Paragraph(text) = &block.kind else {
            return None;
        };
        let line = squash(&plain(text));
        let rest = line.strip_prefix(page)?;
        let summary = [" — ", " – ", " - ", " -- "]
            .iter()
            .find_map(|dash| rest.strip_prefix(dash))?;
        let sentence = format!("{page}: {}.", summary.trim_end_matches('.'));
        opens_well(&sentence).then_some(sentence)
    })
}

/// Whether a sentence, in lower case, says what its subject does: the title, and a verb in the third person.
fn is_said_of(title: &str, sentence: &str) -> bool {
    let bare: String = sentence
        .chars()
        .filter(|c| !matches!(c, '“' | '”' | '"' | '`' | '‘'))
        .collect();
    let subject = ["the ", "a ", "an "]
        .iter()
        .find_map(|article| bare.strip_prefix(article))
        .unwrap_or(&bare);
    subject
        .strip_prefix(title)
        .and_then(|rest| rest.strip_prefix(' '))
        .and_then(|rest| rest.split(' ').next())
        .is_some_and(|verb| {
            verb.len() > 3 && verb.ends_with('s') && verb.chars().all(char::is_alphabetic)
        })
}

/// A sentence of the source that says what it is about, in the third person and short enough to open with.
pub(super) fn opening(subject: &Subject<'_>, title: &str) -> Option<String> {
    if let Some(line) = manual_line(subject, title) {
        return Some(line);
    }
    let mut candidates: Vec<String> = Vec::new();
    if let Some(summary) = subject.summary {
        candidates.extend(cut(summary));
    }
    for block in subject
        .blocks
        .iter()
        .filter(|block| matches!(block.kind, BlockKind::Paragraph(_)))
        .take(4)
    {
        candidates.extend(cut(&block_text(block)).into_iter().take(3));
    }
    let title_words: Vec<String> = title
        .to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.len() > 3)
        .map(str::to_owned)
        .collect();
    let is_english = subject
        .gist
        .language
        .is_none_or(|language| language == Lang::Eng);
    let near = |lower: &str| {
        let start: String = lower.chars().take(48).collect();
        title_words.iter().any(|word| start.contains(word.as_str())) && start.contains(" is ")
    };
    candidates.into_iter().take(12).find_map(|sentence| {
        let sentence = third_person(&sentence);
        let lower = sentence.to_lowercase();
        let defines = [
            " is a ",
            " is an ",
            " is the ",
            " are ",
            " provides ",
            " lets ",
            " allows ",
            " helps ",
            " enables ",
            " supports ",
            " means ",
            " ist ",
            " sind ",
            " est ",
            " sont ",
            " es ",
            " son ",
        ]
        .iter()
        .any(|verb| lower.contains(verb))
            || TELLS.iter().any(|verb| lower.starts_with(verb))
            || is_said_of(&title.to_lowercase(), &lower);
        let about = title_words.iter().any(|word| lower.contains(word.as_str()))
            || sentence.starts_with(|c: char| c.is_uppercase())
                && lower
                    .split(' ')
                    .next()
                    .is_some_and(|w| w.ends_with('s') && w.len() > 4);
        let is_about = if is_english {
            (defines && about) || near(&lower)
        } else {
            true
        };
        (is_about && opens_well(&sentence)).then_some(sentence)
    })
}

fn cut(text: &str) -> Vec<String> {
    let squashed = squash(text);
    sentences(&squashed)
        .into_iter()
        .filter_map(|range| squashed.get(range))
        .map(str::to_owned)
        .collect()
}

/// What a text does with what it is about.
const TELLS: [&str; 8] = [
    "describes",
    "explains",
    "shows",
    "covers",
    "provides",
    "introduces",
    "documents",
    "lists",
];
/// The same, of verbs that are said of other things as well, so that a sentence may not be known by them.
const TELLS_OF_TEXTS: [&str; 5] = [
    "demonstrates",
    "outlines",
    "presents",
    "discusses",
    "contains",
];

/// Turns "This page describes …" into "Describes …".
fn third_person(sentence: &str) -> String {
    let mut words = sentence.splitn(4, ' ');
    let (Some(this), Some(thing), Some(verb), Some(rest)) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return sentence.to_owned();
    };
    let is_text = [
        "page",
        "guide",
        "tutorial",
        "document",
        "article",
        "chapter",
        "section",
        "topic",
        "book",
        "reference",
        "manual",
        "module",
        "post",
        "video",
    ]
    .contains(&thing.to_lowercase().as_str());
    let tells = TELLS.contains(&verb) || TELLS_OF_TEXTS.contains(&verb);
    if ["This", "The"].contains(&this) && is_text && tells {
        format!("{} {rest}", capitalised(verb))
    } else {
        sentence.to_owned()
    }
}

fn opens_well(sentence: &str) -> bool {
    let lower = format!(
        " {} ",
        sentence
            .to_lowercase()
            .replace([',', '.', ';', ':', '(', ')', '\u{2019}', '\''], " ")
    );
    let chars = sentence.chars().count();
    let least = if sentence.is_ascii() { 24 } else { 14 };
    (least..=OPENING_CHARS_MAX).contains(&chars)
        && sentence.ends_with(['.', '!', '。'])
        && !sentence.contains(['<', '>', '`', '{', '\n'])
        && !sentence.contains("://")
        && ![
            " i ",
            " we ",
            " you ",
            " your ",
            " our ",
            " my ",
            " us ",
            " let s ",
            " me ",
            " currently ",
            " todo ",
            " above ",
            " below ",
            " previous ",
            " following ",
            " cookies ",
            " subscribe ",
            " sign ",
            " keep a changelog ",
            " semantic versioning ",
            " reverse chronological ",
            " ich ",
            " wir ",
            " sie ",
            " nous ",
            " vous ",
            " je ",
        ]
        .iter()
        .any(|word| lower.contains(word))
        && ![
            " this ",
            " these ",
            " it ",
            " they ",
            " that ",
            " but ",
            " and ",
            " so ",
            " however ",
            " here ",
        ]
        .iter()
        .any(|word| lower.starts_with(word))
        && !orders::is_order(sentence)
}
