//! Owns what a source is used for: tasks of its titles and of the sentences that announce its steps and its commands, and the subjects that have
//! no verb.

use crate::keyphrase::keyphrases;
use crate::kind::Kind;
use crate::naming::{product_title, says_nothing, without_vague};
use crate::outline::block_text;
use crate::section_role::{SectionRole, is_generic, is_method, request, role_of};
use crate::stop_words::is_stop_word;
use crate::subject::{Subject, clean, without_capitals};
use crate::tasks::{announced, bare_title, in_sentence, order, task};
use crate::units::{Form, Unit, UnitKind};
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{is_ideographic, plain};

/// Longest task and longest subject.
const CHARS_MAX: usize = 64;
const SUBJECT_CHARS_MAX: usize = 48;
/// Tasks and subjects that are told.
const TOLD_MAX: usize = 12;
/// Key phrases that are told.
const PHRASES_MAX: usize = 5;
/// A source of which its titles and its names tell less is told by its key phrases.
const TOLD_MIN: usize = 2;
/// A source with as many titles that say something is told by them, and by nothing that stands in its text.
const TITLES_MIN: usize = 6;
/// How much more a request counts that changes something.
const WRITING_WEIGHT: f32 = 2.0;
/// Words that open a title which asks or promises.
const ASKING: &str = " what why when where which who whose what's is are does should can ";

/// Words that open a title which is of an order of steps (V044).
const ORDER: [&str; 5] = ["first ", "the first ", "next ", "the next ", "final "];
/// Words that open a title which leans on the one above it: "With a tool".
const LEANING: &str = " with without by for from in on at as via of ";
/// Titles that minutes of any meeting have.
const AGENDA: [&str; 14] = [
    "agenda",
    "attendance",
    "attendees",
    "meeting roles",
    "announcement",
    "check-in",
    "check-out",
    "clarification",
    "minutes",
    "standup",
    "reminder",
    "upcoming",
    "roll call",
    "nominated",
];

/// Titles in capitals, in percent of all, of a source whose titles all have them.
const SHOUTED_PERCENT: usize = 50;

/// What a source is used for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Usage {
    /// "starting a cross build", best first; in other languages than English titles as they are.
    pub tasks: Vec<String>,
    /// "machine entries", best first.
    pub subjects: Vec<String>,
}

/// Tells what a source is used for.
#[must_use]
pub fn usage(subject: &Subject<'_>, is_common: &dyn Fn(&str) -> bool) -> Usage {
    let mut candidates = titles(subject, is_common);
    if subject.lead_ins.language == "en" && candidates.len() < TITLES_MIN {
        candidates.extend(announcements(subject));
    }
    candidates.sort_by(|one, other| {
        let rates = other.rate.total_cmp(&one.rate);
        rates.then_with(|| one.text.cmp(&other.text))
    });
    let mut usage = Usage::default();
    let title = words(bare_title(subject.title));
    let is_title = |own: &[String]| own.iter().all(|word| title.contains(word));
    let mut said: Vec<Vec<String>> = Vec::new();
    for candidate in candidates {
        let list = match candidate.is_task {
            true => &mut usage.tasks,
            false => &mut usage.subjects,
        };
        let own = words(&candidate.text);
        let repeats = said.iter().any(|one| shares(one, &own));
        if list.len() < TOLD_MAX && !is_title(&own) && !repeats {
            said.push(own);
            list.push(candidate.text);
        }
    }
    if subject.kind == Kind::ChangeLog {
        usage = of_versions(subject);
    }
    if usage.tasks.len() + usage.subjects.len() < TOLD_MIN {
        let phrases = keyphrases(subject.blocks, PHRASES_MAX).into_iter();
        let others = phrases.filter(|phrase| !is_title(&words(phrase)));
        usage.subjects.extend(others);
    }
    let is_rare = subject.lead_ins.language == "en" || usage.tasks.len() < 2;
    let is_few = usage.tasks.len() + usage.subjects.len() < TITLES_MIN;
    // What an API is called for its requests say, and no name of a field.
    let is_told = subject.kind == Kind::Api && usage.tasks.len() >= TOLD_MIN;
    for name in subject
        .names
        .iter()
        .filter(|_| is_rare && is_few && !is_told && subject.kind != Kind::ChangeLog)
        .filter(|name| can_be_asked_for(name))
    {
        let own = words(name);
        if usage.subjects.len() < TOLD_MAX && !is_title(&own) && !said.contains(&own) {
            said.push(own);
            usage.subjects.push((*name).to_owned());
        }
    }
    if usage == Usage::default() {
        usage.subjects = columns(subject.blocks);
    }
    usage
}

/// Whether the titles of a source are written in capitals.
fn is_shouted(subject: &Subject<'_>) -> bool {
    let titles = subject.outline.sections.iter().map(|one| &one.title);
    let letters =
        titles.filter(|title| title.chars().any(|c| c.is_lowercase() || c.is_uppercase()));
    let (mut all, mut shouted) = (0, 0);
    for title in letters {
        all += 1;
        shouted += usize::from(!title.chars().any(char::is_lowercase));
    }
    all > 2 && subject.lead_ins.language == "en" && shouted * 100 >= all * SHOUTED_PERCENT
}

/// The part of a title that says what it is about: "Doors" of "Preface: doors" and of "Doors: which fit", without the number of a part
/// behind it.
fn headline(title: &str) -> &str {
    let title = match title.split_once(": ") {
        Some((head, tail)) if says_nothing(&head.to_lowercase()) => tail,
        Some((head, _)) => head,
        None => title,
    };
    let part = title
        .strip_suffix(')')
        .and_then(|rest| rest.rsplit_once(" ("));
    match part {
        Some((own, behind)) if behind.to_lowercase().starts_with("part ") => own,
        _ => title,
    }
}

/// The columns of the first table.
fn columns(blocks: &[Block]) -> Vec<String> {
    let header = blocks.iter().find_map(|block| match &block.kind {
        BlockKind::Table { header, .. } => Some(header),
        _ => None,
    });
    let cells = header.into_iter().flatten().map(|cell| clean(&plain(cell)));
    let told = cells.filter(|cell| {
        cell.chars().any(char::is_alphabetic) && cell.chars().count() <= SUBJECT_CHARS_MAX
    });
    told.take(TOLD_MAX).collect()
}

/// What a log of changes is used for, whatever it holds.
fn of_versions(subject: &Subject<'_>) -> Usage {
    let tasks = match subject.lead_ins.language {
        "en" => vec![
            format!(
                "upgrading {}",
                without_vague(&product_title(subject.title, subject.product))
            ),
            "finding out in which version something changed, broke, or was added".to_owned(),
        ],
        _ => Vec::new(),
    };
    Usage {
        tasks,
        subjects: Vec::new(),
    }
}

struct Candidate {
    rate: f32,
    text: String,
    is_task: bool,
}

/// The titles of sections that say what is done there or what they are about.
fn titles(subject: &Subject<'_>, is_common: &dyn Fn(&str) -> bool) -> Vec<Candidate> {
    let mut out = Vec::new();
    let is_shouted = is_shouted(subject);
    for (number, section) in subject.outline.sections.iter().enumerate() {
        let is_request = request(&section.title).is_some();
        // A request to no path, as of a webhook, says nothing.
        let first = section.title.split(' ').next().unwrap_or_default();
        let is_call = subject.kind == Kind::Api && is_method(first);
        let is_said = can_be_said(bare_title(&section.title)) && !is_call;
        if section.is_made || !is_request && !is_said {
            continue;
        }
        // What a request is for is said behind its path, else in its first sentence.
        let first = subject
            .blocks
            .get(section.blocks.start)
            .map(block_text)
            .unwrap_or_default();
        let told = match request(&section.title) {
            Some((_, _, "")) => first
                .lines()
                .next()
                .unwrap_or_default()
                .trim_end_matches('.'),
            Some((_, _, said)) => said,
            None => &section.title,
        };
        let told = match is_request {
            true => told.split(". ").next().unwrap_or(told),
            false => told,
        };
        if loses_a_sign(bare_title(told)) {
            continue;
        }
        let title = clean(&quiet(bare_title(told)));
        let title = match is_shouted {
            true => title.to_lowercase(),
            false => headline(&title).to_owned(),
        };
        let is_agenda = subject.kind == Kind::Minutes
            && AGENDA
                .iter()
                .any(|word| title.to_lowercase().contains(word));
        let (role, weight) = match role_of(&title) {
            SectionRole::Aside => continue,
            _ if is_agenda => continue,
            _ if subject.kind == Kind::ChangeLog => continue,
            SectionRole::Once => (0.3, weight_of(subject, number)),
            _ => (1.0, weight_of(subject, number)),
        };
        let depth = 1.0 / (1.0 + f32::from(section.level.saturating_sub(2)) * 0.5);
        let (text, is_task) = match subject.lead_ins.language {
            "en" => {
                let order = is_request.then(|| order(&title)).flatten();
                let told = order.unwrap_or_else(|| task(&title, "", is_common));
                // Nobody learns from minutes how something is done.
                match told.is_own {
                    true if subject.kind != Kind::Minutes => {
                        (in_sentence(&told.gerund(), is_common), true)
                    }
                    true => (small(&in_sentence(&title, is_common), is_common), false),
                    false => (small(&told.object, is_common), false),
                }
            }
            _ => (title.clone(), true),
        };
        let most = if is_task {
            CHARS_MAX
        } else {
            SUBJECT_CHARS_MAX
        };
        let text = text.trim_end_matches(['.', '!', '。', ':', ',']);
        let is_step = |text: &str| {
            ORDER
                .iter()
                .any(|word| text.to_lowercase().starts_with(word))
        };
        let told = impersonal(text)
            .filter(|text| text.chars().count() <= most && !is_step(text) && is_whole(text));
        if let Some(text) = told {
            let changes = request(&section.title).is_some_and(|(method, ..)| method != "GET");
            let rate = weight * role * depth * if changes { WRITING_WEIGHT } else { 1.0 };
            out.push(Candidate {
                rate,
                text,
                is_task,
            });
        }
    }
    out
}

/// The sentences that announce steps and commands, told as tasks.
fn announcements(subject: &Subject<'_>) -> Vec<Candidate> {
    let mut out = Vec::new();
    for unit in subject.units {
        let is_shown = matches!(unit.kind, UnitKind::Command | UnitKind::Procedure);
        let told = is_shown.then(|| announcement(unit)).flatten();
        let told = told.and_then(|told| impersonal(&clean(&told.gerund())));
        if let Some(text) = told
            .filter(|text| text.chars().count() <= CHARS_MAX && can_be_said(text) && is_whole(text))
        {
            let rate = weight_of(subject, unit.section) * 0.5;
            out.push(Candidate {
                rate,
                text,
                is_task: true,
            });
        }
    }
    out
}

/// The task that a unit's first paragraph announces.
fn announcement(unit: &Unit) -> Option<crate::tasks::Task> {
    let Form::Blocks(blocks) = &unit.form else {
        return None;
    };
    match blocks.first().map(|block| &block.kind) {
        Some(BlockKind::Paragraph(text)) => announced(&plain(text)),
        _ => None,
    }
}

/// A word in capitals as one that the text writes small.
fn small(text: &str, is_common: &dyn Fn(&str) -> bool) -> String {
    let lower = text.to_lowercase();
    let is_shouted = text.chars().count() > 4 && !text.chars().any(char::is_lowercase);
    match is_shouted && is_common(&lower) {
        true => lower,
        false => text.to_owned(),
    }
}

fn weight_of(subject: &Subject<'_>, section: usize) -> f32 {
    subject.weights.get(section).copied().unwrap_or_default()
}

/// Whether a title can stand in a description: it says something alone, asks nothing, and is no listing.
fn can_be_said(title: &str) -> bool {
    let count = title.chars().count();
    let is_wide = title.chars().any(is_ideographic);
    let first = title.split(' ').next().unwrap_or_default().to_lowercase();
    let first = first.replace('\u{2019}', "'");
    (count >= 5 || is_wide && count >= 2)
        && !is_generic(title)
        && !crate::cues::is_unfit(title)
        && !title.ends_with(['?', '？'])
        && !matches!(&*first, "pub" | "fn" | "impl" | "def" | "struct")
        && !ASKING.contains(&format!(" {first} "))
        && !LEANING.contains(&format!(" {first} "))
        && !title.contains([
            '<', '>', '{', '}', '[', ']', '|', '$', '#', '@', '→', '…', '"', '=',
        ])
        && title.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '.'))
        && title.chars().filter(|c| c.is_alphabetic()).count() * 2 > count
}

/// Whether a word of a title is nothing but signs that a description does not hold: the `>` of "a full wildcard `>`".
fn loses_a_sign(title: &str) -> bool {
    title.split(' ').any(|word| {
        let left = clean(word);
        left != word && !left.contains(char::is_alphanumeric)
    })
}

/// Whether a phrase ends with a word that is one, not with one that leads to another: "preferring the" lost what it is of.
fn is_whole(text: &str) -> bool {
    const LEADING: &str =
        " a an the of to and or for with in on at by from into as is are than via ";
    let last = text.rsplit(' ').next().unwrap_or_default().to_lowercase();
    !LEADING.contains(&format!(" {last} "))
}

/// Whether a name is one that somebody would ask for: no person ("P Smith") and no place or value of an example ("US/Eastern").
fn can_be_asked_for(name: &str) -> bool {
    let is_initial = |word: &str| {
        let mut letters = word.trim_end_matches('.').chars();
        letters.next().is_some_and(char::is_uppercase) && letters.next().is_none()
    };
    let is_value = name.contains('/') && !name.starts_with(['/', '-']);
    let is_person = name.contains(' ') && name.split(' ').any(is_initial);
    !is_value && !is_person
}

/// A text that speaks to nobody: "your server" is "the server". None where it speaks of "you" or "we" (V035).
fn impersonal(text: &str) -> Option<String> {
    const PERSONS: &str = " i we you me us i'm we're you're let's ourselves yourself ";
    const OWNERS: &str = " your our my this these ";
    let mut out: Vec<&str> = Vec::new();
    for word in text.split(' ') {
        let lower = format!(" {} ", word.to_lowercase().replace('\u{2019}', "'"));
        if PERSONS.contains(&lower) {
            return None;
        }
        out.push(if OWNERS.contains(&lower) { "the" } else { word });
    }
    Some(out.join(" "))
}

/// A title in capitals without them.
fn quiet(title: &str) -> String {
    let title = title.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '.' && c != '-');
    let bare = title
        .split_once(". ")
        .filter(|(number, _)| number.chars().all(|c| matches!(c, 'I' | 'V' | 'X')))
        .map_or(title, |(_, rest)| rest);
    without_capitals(bare)
}

/// The words of a text that say something, in lower case.
pub(crate) fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty() && !is_stop_word(word))
        .map(|word| root(crate::terms::stem(word)).to_owned())
        .collect()
}

/// A stem without what differs between the forms of a verb: "restor" of "restore", "run" of "runn".
fn root(stem: &str) -> &str {
    let mut signs = stem.chars().rev();
    let (last, before) = (signs.next(), signs.next());
    let is_doubled =
        last == before && last.is_some_and(|c| c.is_ascii_lowercase() && !"aeiosl".contains(c));
    match stem.strip_suffix('e') {
        Some(root) if root.len() > 2 => root,
        _ if is_doubled => stem.get(..stem.len() - 1).unwrap_or(stem),
        _ => stem,
    }
}

/// Whether two texts share most of their words.
fn shares(one: &[String], other: &[String]) -> bool {
    let shared = one.iter().filter(|word| other.contains(word)).count();
    let least = one.len().min(other.len()).max(1);
    shared * 2 > least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_that_names_a_sign_is_not_told_without_it() {
        assert!(loses_a_sign("A full wildcard `>`") && loses_a_sign("Match '*' alone"));
        assert!(!loses_a_sign("**Doors** of `kiln`") && !loses_a_sign("Doors - and lids"));
    }

    #[test]
    fn nobody_asks_for_a_person_or_a_value_of_an_example() {
        assert!(can_be_asked_for("Clay Works") && can_be_asked_for("/pots"));
        assert!(!can_be_asked_for("Anna P") && !can_be_asked_for("US/Eastern"));
    }

    #[test]
    fn a_phrase_that_lost_its_object_is_told_by_its_last_word() {
        assert!(!is_whole("preferring the") && !is_whole("storing the clay and"));
        assert!(is_whole("preferring the red clay"));
    }
}
