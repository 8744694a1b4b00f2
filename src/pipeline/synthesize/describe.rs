//! Owns what a skill says of itself before it is opened: its title, its name, and the description by which it is found.

use super::heading_words::{for_description, is_structural};
use super::hostile;
use super::lead_ins::{self, LeadIns};
use super::outline::{Outline, block_text, is_generic};
use super::phrases::key_phrases_in;
use super::sentences::sentences;
use super::title::without_section;
use super::words::language;
use crate::domain::document::{Block, BlockKind};
use crate::domain::text::{plain, squash};
use crate::pipeline::orders;
use crate::pipeline::scaffold::USE_WHEN;
use whatlang::Lang;

/// Longest description (V032).
pub(super) const DESCRIPTION_CHARS_MAX: usize = 1024;
/// A shorter one says too little (V039).
const DESCRIPTION_CHARS_MIN: usize = 48;
/// Where a description that we write stops; loaders keep all of them in memory.
const DESCRIPTION_CHARS_AIM: usize = 620;
/// The opening must leave room for the use within the first 250 characters (V038).
const OPENING_CHARS_MAX: usize = 165;
/// With fewer headings of the two highest levels, deeper ones tell too.
const HEADINGS_MIN: usize = 4;
/// Key phrases that a description is made of at most.
const PHRASES_MAX: usize = 10;
/// How much text is searched for phrases.
const SAMPLE_BYTES: usize = 96 << 10;

/// What is known of a text that is to be described.
pub(super) struct Subject<'a> {
    /// Its title.
    pub(super) title: &'a str,
    /// A summary that it carries.
    pub(super) summary: Option<&'a str>,
    /// Its blocks.
    pub(super) blocks: &'a [Block],
    /// Their outline.
    pub(super) outline: &'a Outline,
    /// What their beginning tells.
    pub(super) gist: &'a Gist,
}

/// What the beginning of a text tells: enough to know what it is about. Made once for all that is asked of it.
pub(super) struct Gist {
    /// Its language, where it is certain.
    pub(super) language: Option<Lang>,
    /// Our words in that language.
    own: &'static LeadIns,
    /// Its key phrases, the most telling first.
    phrases: Vec<String>,
}

impl Gist {
    /// Of these blocks.
    pub(super) fn of(blocks: &[Block]) -> Self {
        let text = sample(blocks);
        let language = language(&text);
        Self {
            phrases: key_phrases_in(&text, language, PHRASES_MAX),
            own: lead_ins::of(language, &text),
            language,
        }
    }

    /// The first key phrases, at most [`PHRASES_MAX`].
    pub(super) fn phrases(&self, limit: usize) -> &[String] {
        self.phrases.get(..limit).unwrap_or(&self.phrases)
    }
}

/// The description of a text: what it is about, when to use it, and what else it covers; at least a clear sentence.
pub(super) fn description(subject: &Subject<'_>) -> String {
    let mut title = for_description(without_section(subject.title));
    if is_personal(&title) || super::wording::is_unfinished(&title) {
        title = subject.gist.phrases(2).join(" and ");
    }
    if title.is_empty() {
        "the topic".clone_into(&mut title);
    }
    let own = subject.gist.own;
    let is_english = own.is_english();
    let headings = headings(subject, &title);
    let phrases = &subject.gist.phrases;
    let mut used = title.to_lowercase();
    let opening = opening(subject, &title);
    let mut listed = 0;
    let mut out = match opening {
        Some(sentence) => sentence,
        None => {
            let mut sentence = if is_english && is_order(&title.to_lowercase()) {
                format!("how to {}", uncapitalised(&title))
            } else {
                title.clone()
            };
            let topics: Vec<&String> = if headings.is_empty() {
                phrases
            } else {
                &headings
            }
            .iter()
            .filter(|topic| !used.contains(&topic.to_lowercase()))
            .take(4)
            .collect();
            for (number, topic) in topics.iter().enumerate() {
                if sentence.len() + topic.len() + 3 > OPENING_CHARS_MAX {
                    break;
                }
                sentence.push_str(if number == 0 { ": " } else { own.comma() });
                sentence.push_str(topic);
                listed = number + 1;
            }
            own.covers(&sentence)
        }
    };
    used.push_str(&out.to_lowercase());
    out.push(' ');
    out.push_str(&trigger(&title, &headings, &used, subject.gist));
    used.push_str(&out.to_lowercase());
    let mut rest = String::new();
    for topic in headings
        .iter()
        .skip(if rest.is_empty() { listed } else { 0 })
        .chain(
            phrases
                .iter()
                .filter(|_| has_telling_words(subject.gist.language)),
        )
    {
        let lower = topic.to_lowercase();
        if used.contains(&lower) {
            continue;
        }
        if out.chars().count() + rest.chars().count() + topic.chars().count() + 12
            > DESCRIPTION_CHARS_AIM
        {
            break;
        }
        if !rest.is_empty() {
            rest.push_str(own.comma());
        }
        rest.push_str(topic);
        used.push_str(&lower);
        used.push(' ');
    }
    if !rest.is_empty() {
        let more = if listed > 0 {
            own.also(&rest)
        } else {
            own.covers(&rest)
        };
        out.push_str(&format!(" {more}"));
    }
    if out.chars().count() < DESCRIPTION_CHARS_MIN && is_english {
        out.insert_str(
            out.trim_end_matches('.').len(),
            ", or answering questions about its topic",
        );
    }
    // To a check for the first person, the letter in "I/O" is one.
    one_line(&out).replace("I/O", "IO").replace("。 ", "。")
}

/// Whether single words tell what a text is about: only where those that carry no topic are known well.
fn has_telling_words(language: Option<Lang>) -> bool {
    language.is_none_or(|language| language == Lang::Eng)
}

/// A description as the front matter may hold it: one line, no tags, no more than is allowed.
pub(super) fn one_line(text: &str) -> String {
    let line = squash(&hostile::redacted(&hostile::visible(text)))
        .replace(['<', '>'], "")
        .replace("---", "—");
    clip(&squash(&line), DESCRIPTION_CHARS_MAX)
}

/// The situation in which the skill helps.
fn trigger(title: &str, headings: &[String], used: &str, gist: &Gist) -> String {
    let lower = title.to_lowercase();
    // Headings name tasks and subjects; single words are all that is left to a text without them.
    let others: Vec<&str> = headings
        .iter()
        .filter(|heading| !heading.contains(['(', '.']) && heading.chars().count() <= 48)
        .chain(
            gist.phrases
                .iter()
                .filter(|_| has_telling_words(gist.language)),
        )
        .filter(|phrase| {
            let phrase = phrase.to_lowercase();
            !lower.contains(&phrase) && !used.contains(&phrase)
        })
        .take(3)
        .map(String::as_str)
        .collect();
    if !gist.own.is_english() {
        return gist.own.when(title, &others);
    }
    let first = lower.split_whitespace().next().unwrap_or("");
    let mut out = format!("{USE_WHEN} ");
    if let Some(task) = strip_prefix_ignoring_case(title, "how to ") {
        out.push_str(&format!("the task is to {task}"));
    } else if first.len() > 5
        && first.ends_with("ing")
        && title.is_ascii()
        && title.contains(' ')
        && ![
            "string",
            "everything",
            "nothing",
            "something",
            "spring",
            "during",
        ]
        .contains(&first)
    {
        out.push_str(&uncapitalised(title));
    } else if is_order(&lower) {
        out.push_str(&format!("the task is to {}", uncapitalised(title)));
    } else {
        out.push_str(&format!("working with {title}"));
    }
    if let [before @ .., last] = others.as_slice() {
        out.push_str(", or for questions about ");
        out.push_str(&before.join(", "));
        if !before.is_empty() {
            out.push_str(" or ");
        }
        out.push_str(last);
    }
    out.push('.');
    out
}

/// Whether a title, in lower case, tells somebody to do something: "fire a small kiln".
fn is_order(title: &str) -> bool {
    let mut words = title.split_whitespace();
    let (Some(first), Some(second)) = (words.next(), words.next()) else {
        return false;
    };
    let takes_object = matches!(second, "a" | "an" | "the")
        && first.len() > 2
        && first.chars().all(|c| c.is_ascii_lowercase())
        && !first.ends_with("ing")
        && !first.ends_with('s')
        && !NO_VERBS.contains(&first);
    IMPERATIVES.contains(&first) || takes_object
}

/// Words before an article that tell nobody to do anything.
const NO_VERBS: [&str; 34] = [
    "about", "above", "after", "all", "along", "and", "are", "around", "because", "before",
    "behind", "below", "beyond", "but", "for", "from", "half", "how", "inside", "into", "more",
    "near", "not", "once", "over", "than", "under", "what", "when", "where", "why", "who", "with",
    "without",
];

/// Verbs that open a heading as an order; those that are as often nouns are left out.
const IMPERATIVES: [&str; 26] = [
    "add",
    "allow",
    "apply",
    "choose",
    "configure",
    "connect",
    "convert",
    "create",
    "customize",
    "define",
    "delete",
    "deploy",
    "develop",
    "disable",
    "edit",
    "enable",
    "generate",
    "get",
    "install",
    "manage",
    "migrate",
    "optimize",
    "prepare",
    "publish",
    "remove",
    "secure",
];

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
fn opening(subject: &Subject<'_>, title: &str) -> Option<String> {
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
            || [
                "describes",
                "explains",
                "shows",
                "covers",
                "provides",
                "introduces",
                "documents",
                "lists",
            ]
            .iter()
            .any(|verb| lower.starts_with(verb))
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
    let tells = [
        "describes",
        "explains",
        "shows",
        "covers",
        "provides",
        "introduces",
        "documents",
        "lists",
        "demonstrates",
        "outlines",
        "presents",
        "discusses",
        "contains",
    ]
    .contains(&verb);
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

/// The headings that tell what a text covers, outermost first.
fn headings(subject: &Subject<'_>, title: &str) -> Vec<String> {
    let levels = {
        let mut levels: Vec<u8> = subject
            .outline
            .sections
            .iter()
            .filter(|section| section.level > 0 && section.title != subject.title)
            .map(|section| section.level)
            .collect();
        levels.sort_unstable();
        levels.dedup();
        levels
    };
    let mut out: Vec<String> = Vec::new();
    for (depth, level) in levels.into_iter().enumerate() {
        if depth >= 2 && out.len() >= HEADINGS_MIN {
            break;
        }
        for section in &subject.outline.sections {
            let words = for_description(&section.title);
            if section.level != level
                || is_generic(&section.title)
                || section.is_aside
                || is_structural(&section.title)
                || words.starts_with("impl ")
                || is_personal(&words)
                || super::wording::is_unfinished(&words)
                || words.to_lowercase().starts_with("step ")
                || words.chars().count() < 3
                || words.chars().count() > 70
                || words.eq_ignore_ascii_case(title)
                || orders::is_order(&words)
            {
                continue;
            }
            if !out.contains(&words) {
                out.push(words);
            }
            if out.len() >= 24 {
                return out;
            }
        }
    }
    out
}

/// Whether a phrase speaks of its writer or to its reader, as a description must not (V035).
fn is_personal(phrase: &str) -> bool {
    phrase
        .to_lowercase()
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .any(|word| {
            matches!(
                word,
                "i" | "i'm"
                    | "we"
                    | "we'll"
                    | "us"
                    | "me"
                    | "my"
                    | "our"
                    | "ours"
                    | "let's"
                    | "you"
                    | "your"
            )
        })
}

fn uncapitalised(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) if characters.clone().next().is_some_and(|c| !c.is_uppercase()) => {
            first.to_lowercase().chain(characters).collect()
        }
        _ => text.to_owned(),
    }
}

/// The text with a capital at its beginning.
pub(super) fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}

fn strip_prefix_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    text.get(..prefix.len())
        .filter(|head| head.eq_ignore_ascii_case(prefix))
        .and_then(|_| text.get(prefix.len()..))
        .filter(|rest| !rest.is_empty())
}

/// At most `chars_max` characters, cut between words where there are any, with a full stop when something was lost.
pub(super) fn clip(text: &str, chars_max: usize) -> String {
    let Some((cut, _)) = text.char_indices().nth(chars_max) else {
        return text.to_owned();
    };
    let head = text.get(..cut).unwrap_or("");
    let shorter: String = head.chars().take(chars_max.saturating_sub(1)).collect();
    let end = shorter
        .rfind(' ')
        .filter(|end| *end * 2 > shorter.len())
        .unwrap_or(shorter.len());
    let kept = shorter
        .get(..end)
        .unwrap_or("")
        .trim_end_matches([',', ';', ':', '.', ' ']);
    if chars_max > 200 {
        format!("{kept}.")
    } else {
        kept.to_owned()
    }
}

/// The beginning of a text: enough to know what it is about.
pub(super) fn sample(blocks: &[Block]) -> String {
    let mut out = String::new();
    for block in blocks {
        if matches!(block.kind, BlockKind::Code { .. } | BlockKind::Math(_)) {
            continue;
        }
        super::outline::write_block(block, &mut out);
        if out.len() > SAMPLE_BYTES {
            break;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_that_tells_to_do_something_is_a_task() {
        for title in ["fire a small kiln", "install packages", "open the door"] {
            assert!(is_order(title), "{title}");
        }
        for title in [
            "the stack and the heap",
            "under the hood",
            "what a skill is",
            "firing a kiln",
            "kilns",
            "covers a lot",
        ] {
            assert!(!is_order(title), "{title}");
        }
    }
}
