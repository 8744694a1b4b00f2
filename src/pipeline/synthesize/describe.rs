//! Owns what a skill says of itself before it is opened: its title, its name, and the description by which it is found.

use super::changes::Log;
use super::heading_words::{for_description, in_sentence};
use super::headlines::{headings, is_personal, most_telling};
use super::hostile;
use super::lead_ins::{self, LeadIns};
use super::opening::fitting::OPENING_CHARS_MAX;
use super::opening::meant::Meant;
use super::opening::name::explanation;
use super::opening::opening;
use super::opening::words::NAMELESS;
use super::outline::{Outline, block_text, is_generic, tells_changes};
use super::phrases::{is_worn, key_phrases_in};
use super::places::{Place, visit};
use super::subjects::Subjects;
use super::talks::{is_talk, names_nothing};
use super::tasks::{is_doing, is_named, is_order, speaks_of, strip_prefix_ignoring_case, tasks};
use super::title::{without_section, without_welcome};
use super::wording::{is_imprint, is_unfinished};
use super::words::{language, names_no_subject};
use crate::pipeline::scaffold::USE_WHEN;
use crate::pipeline::secret::redacted;
use skillkiln_document::blocks::Block;
use skillkiln_document::text::{letters, squash};
use std::collections::HashSet;
use whatlang::Lang;

/// What leads from the situation to what may be asked.
const ASKS: &str = ", or for questions about ";
/// Longest description (V032).
pub(super) const DESCRIPTION_CHARS_MAX: usize = 1024;
/// A shorter one says too little (V039).
const DESCRIPTION_CHARS_MIN: usize = 48;
/// Where a description that we write stops; loaders keep all of them in memory.
const DESCRIPTION_CHARS_AIM: usize = 700;
/// How long a first sentence gets that lists what is covered.
const LIST_CHARS_MAX: usize = 165;
/// How long a list of a log's entries gets.
const ENTRIES_CHARS_MAX: usize = 180;
/// Room for what leads in the last sentence.
const LEAD_IN_CHARS: usize = 14;
/// Key phrases that a description is made of at most.
const PHRASES_MAX: usize = 40;
/// How much of it tells its language.
const PROSE_BYTES: usize = 8 << 10;
/// So many tasks tell when it is used, of so many headings from the outermost: deep inside, a task is a detail.
const TASKS_MAX: usize = 3;
const TASK_HEADINGS_MAX: usize = 10;
/// So many terms follow them at most.
const TERMS_MAX: usize = 12;
/// How much text is searched for phrases.
const SAMPLE_BYTES: usize = 96 << 10;

/// What is known of a text that is to be described.
pub(super) struct Subject<'a> {
    /// Its title.
    pub(super) title: &'a str,
    /// How it is told where nothing else says of what it is the title.
    pub(super) called: &'a str,
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
    /// What it defines, and what it tells in code.
    terms: Vec<String>,
    /// What it is on.
    subjects: Subjects,
    /// The text that all this was told from.
    pub(super) sample: String,
}

impl Gist {
    /// Of these runs of blocks.
    pub(super) fn of(runs: &[&[Block]]) -> Self {
        let text = sample(runs);
        let language = language(&prose(runs));
        let subjects = Subjects::of(runs, &text);
        // Which words are nouns is known of English alone.
        let is_talk = runs.iter().any(|blocks| is_talk(blocks));
        let is_filler = |phrase: &str| is_talk && names_nothing(phrase);
        let is_empty = |phrase: &str| names_no_subject(&phrase.to_lowercase());
        let is_subject = |phrase: &str| {
            !is_unfinished(phrase)
                && !is_empty(phrase)
                && !is_filler(phrase)
                && !is_personal(phrase)
                && (!has_telling_words(language) || subjects.has(phrase))
        };
        let phrases = key_phrases_in(&text, language, PHRASES_MAX, is_subject);
        let mut terms = subjects.terms().to_vec();
        // A word of another language in code may be one of a sentence.
        let is_word = |term: &str| term.chars().all(char::is_alphabetic);
        terms.retain(|term| {
            !is_unfinished(term)
                && !is_empty(term)
                && !is_personal(term)
                && (has_telling_words(language) || !is_word(term))
        });
        Self {
            phrases,
            terms,
            subjects,
            own: lead_ins::of(language, &text),
            language,
            sample: text,
        }
    }

    /// The first key phrases, at most [`PHRASES_MAX`].
    pub(super) fn phrases(&self, limit: usize) -> &[String] {
        self.phrases.get(..limit).unwrap_or(&self.phrases)
    }

    /// Whether a phrase may be a name in its language: German writes nouns with a capital.
    pub(super) fn may_name(&self, phrase: &str) -> bool {
        !self.has_great_nouns() || phrase.contains(char::is_uppercase)
    }

    /// Whether its language writes nouns with a capital.
    pub(super) fn has_great_nouns(&self) -> bool {
        self.language == Some(Lang::Deu)
    }

    /// Phrases as one, joined in their language.
    pub(super) fn joined(&self, phrases: &[String]) -> String {
        phrases.join(self.own.and())
    }
}

/// What a text called "TODO" is on, where it has no phrases: the word itself marks a text as unfinished (V036).
const OPEN_TASKS: &str = "open tasks";

/// The sentence that a description opens with, where the text has one.
pub(super) fn opening_sentence(subject: &Subject<'_>) -> Option<String> {
    let title = for_description(told_behind(without_section(subject.called)));
    opening_of(subject, &title).map(|sentence| one_line(&sentence))
}

/// The description of a text: what it is about, when to use it, and what else it covers; at least a clear sentence.
pub(super) fn description(subject: &Subject<'_>) -> String {
    let mut title = for_description(told_behind(without_section(subject.called)));
    if is_personal(&title) {
        title = without_owners(&without_asker(&title));
    }
    if is_personal(&title) || is_unfinished(&title) {
        title = subject.gist.joined(subject.gist.phrases(2));
    }
    if title.is_empty() && letters(subject.called) == "todo" {
        OPEN_TASKS.clone_into(&mut title);
    }
    if title.is_empty() {
        NAMELESS.clone_into(&mut title);
    }
    let own = subject.gist.own;
    let is_english = own.is_english();
    let mut headings = headings(subject, &title);
    // What several sections are called ("Examples") tells nothing of the text.
    let common: HashSet<String> = subject
        .outline
        .common_titles()
        .into_iter()
        .map(str::to_lowercase)
        .collect();
    let phrases = subject.gist.phrases.iter();
    // What any documentation speaks of comes last, where there is anything else.
    let (mut worn, mut phrases): (Vec<&String>, Vec<&String>) = phrases
        .filter(|phrase| !common.contains(&phrase.to_lowercase()))
        .partition(|phrase| is_worn(phrase));
    if phrases.is_empty() {
        std::mem::swap(&mut worn, &mut phrases);
    }
    let mut used = title.to_lowercase();
    // What opens a log is said of the log, or of its newest entry.
    let log = is_english.then(|| Log::of(&title, subject.blocks, subject.outline));
    let log = log.flatten();
    if log.is_some() {
        // What stands over some changes is of what kind they are, and not on what.
        headings.clear();
    }
    let opening = match log {
        Some(_) => None,
        None => opening_of(subject, &title),
    };
    let mut listed = 0;
    let mut out = match opening {
        Some(sentence) => sentence,
        None => {
            let mut sentence = if let Some(log) = &log {
                log.subject()
            } else if is_english
                && is_order(&title.to_lowercase())
                && !speaks_of(&subject.gist.sample, &title)
            {
                format!("how to {}", in_sentence(&title, &subject.gist.sample))
            } else {
                title.clone()
            };
            let topics: Vec<&String> = match headings.is_empty() {
                true => phrases.clone(),
                false => headings.iter().collect(),
            };
            let topics: Vec<&String> = topics
                .into_iter()
                .filter(|topic| !used.contains(&topic.to_lowercase()))
                .take(4)
                .collect();
            let mut named: Vec<&str> = Vec::new();
            for topic in topics {
                if named.iter().any(|named| named.eq_ignore_ascii_case(topic)) {
                    continue;
                }
                if sentence.len() + topic.len() + 3 > LIST_CHARS_MAX {
                    break;
                }
                sentence.push_str(if named.is_empty() { ": " } else { own.comma() });
                sentence.push_str(topic);
                named.push(topic);
            }
            listed = named.len();
            own.covers(&sentence)
        }
    };
    used.push_str(&out.to_lowercase());
    out.push(' ');
    // What a title explains of itself is not said twice.
    let called = explanation(&title)
        .filter(|(_, tail)| used.matches(&tail.to_lowercase()).count() > 1)
        .map_or(title.as_str(), |(head, _)| head);
    let meant = Meant::of(subject.blocks);
    let is_spoken = is_talk(subject.blocks);
    // What is done is told by the title alone, and where by what stands behind it: "when firing pots (Kiln)".
    let bare = for_description(told_behind(without_section(subject.title)));
    let place = called.strip_prefix(bare.as_str());
    let place = place.filter(|place| place.starts_with(" (") && meant.when.is_none());
    let case = match place.map(|place| (place, trigger(&bare, subject.gist, &meant, is_spoken))) {
        Some((place, Some(Case::Told(case)))) => Some(Case::Told(format!("{case}{place}"))),
        _ => trigger(called, subject.gist, &meant, is_spoken),
    };
    let tasks = match (&case, &log) {
        (Some(Case::Subject), None) => {
            let outermost = headings.get(..TASK_HEADINGS_MAX).unwrap_or(&headings);
            tasks(outermost, &subject.gist.sample, TASKS_MAX)
        }
        _ => Vec::new(),
    };
    // What one task is says less than what is worked with.
    let tasks = if tasks.len() > 1 { tasks } else { Vec::new() };
    let is_called = used.contains(&called.to_lowercase());
    for (place, _) in &tasks {
        let heading = headings.get(*place).map(|heading| heading.to_lowercase());
        used.push(' ');
        used.push_str(&heading.unwrap_or_default());
    }
    let mut others = others(called, &headings, &phrases, &used, subject.gist, &meant);
    if others.is_empty() && is_generic(called) {
        others = self::others(called, &headings, &phrases, "", subject.gist, &meant);
    }
    let use_when = match (&log, case) {
        (Some(log), _) => with_questions(log.use_when(), ASKS, &others),
        (None, None) => own.when(called, &others),
        (None, Some(Case::Told(case))) => {
            with_questions(format!("{USE_WHEN} {case}"), ASKS, &others)
        }
        (None, Some(Case::Asked(of))) => {
            let asks = if others.len() > 1 { ", " } else { " or " };
            with_questions(
                format!("{USE_WHEN} answering questions about {of}"),
                asks,
                &others,
            )
        }
        // Nobody works with a readme, but may ask for what it tells.
        (None, Some(Case::Subject)) if is_generic(called) && !others.is_empty() => with_questions(
            format!("{USE_WHEN} answering questions"),
            " about ",
            &others,
        ),
        (None, Some(Case::Subject)) => {
            let of = &with_small_article(without_kind_of_text(called));
            let mut cases: Vec<&str> = tasks.iter().map(|(_, task)| task.as_str()).collect();
            let working = format!("working with {of}");
            if cases.is_empty() || !is_called {
                cases.insert(0, &working);
            }
            let case = match cases.as_slice() {
                [before @ .., last] if !before.is_empty() => {
                    format!("{} or {last}", before.join(", "))
                }
                cases => cases.concat(),
            };
            with_questions(format!("{USE_WHEN} {case}"), ASKS, &others)
        }
    };
    out.push_str(&use_when);
    used.push_str(&out.to_lowercase());
    let phrases = phrases
        .into_iter()
        .filter(|_| has_telling_words(subject.gist.language));
    let mut named = HashSet::new();
    let candidates: Vec<&str> = headings
        .iter()
        .skip(listed)
        .chain(phrases)
        .filter(|topic| named.insert(topic.to_lowercase()))
        .filter(|topic| !used.contains(&topic.to_lowercase()))
        .filter(|topic| !meant.excludes(topic, &subject.gist.sample))
        .map(String::as_str)
        .collect();
    let entries = log.map_or(String::new(), |log| log.entries(ENTRIES_CHARS_MAX));
    let taken = out.chars().count() + entries.chars().count() + LEAD_IN_CHARS;
    let room = DESCRIPTION_CHARS_AIM.saturating_sub(taken);
    let between = own.comma().chars().count();
    let times = |word: &str| subject.gist.subjects.times(word);
    let mut rest = most_telling(&candidates, &used, times, room, between);
    let said: usize = rest
        .iter()
        .map(|topic| topic.chars().count() + between)
        .sum();
    let used = format!("{used} {}", rest.join(" ").to_lowercase());
    let mut left = room.saturating_sub(said);
    if !has_telling_words(subject.gist.language) {
        worn.clear();
    }
    // What is only told in code stands where headings and phrases leave room, and then what any documentation speaks of.
    let terms: Vec<&String> = subject.gist.terms.iter().collect();
    for more in [terms, worn] {
        let more: Vec<&str> = more
            .into_iter()
            .filter(|term| !used.contains(&term.to_lowercase()))
            .map(String::as_str)
            .collect();
        let told = most_telling(&more, &used, times, left, between);
        for term in told.into_iter().take(TERMS_MAX) {
            left = left.saturating_sub(term.chars().count() + between);
            rest.push(term);
        }
    }
    let rest = rest.join(own.comma());
    if !rest.is_empty() {
        let more = if listed > 0 {
            own.also(&rest)
        } else {
            own.covers(&rest)
        };
        out.push_str(&format!(" {more}"));
    }
    if !entries.is_empty() {
        out.push_str(&format!(" {entries}"));
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

/// The sentence that a description opens with: a text calls itself by its title, and where it is told with what it belongs to, the
/// sentence is told so too.
fn opening_of(subject: &Subject<'_>, spoken: &str) -> Option<String> {
    let bare = for_description(told_behind(without_section(subject.title)));
    let sentence = opening(subject, &bare)?;
    let rest = sentence.strip_prefix(bare.as_str());
    let rest =
        rest.filter(|rest| spoken != bare && rest.starts_with([' ', ':']) && !is_personal(&bare));
    // "Firing pots (Kiln) with Kiln" would say twice to what it belongs.
    let is_named = |rest: &&str| {
        let whole = spoken
            .rsplit_once(" (")
            .map(|(_, whole)| whole.trim_end_matches(')'));
        whole.is_some_and(|whole| rest.to_lowercase().contains(&whole.to_lowercase()))
    };
    let told = rest
        .filter(|rest| !is_named(rest))
        .map(|rest| format!("{spoken}{rest}"));
    let told = told.filter(|told| told.chars().count() <= OPENING_CHARS_MAX);
    Some(told.unwrap_or(sentence))
}

/// What a title is on, where what it begins with is the same for any: "doors" of "Introduction: doors", "Kilns" of "README - Kilns" and
/// of "Welcome to Kilns!".
fn told_behind(title: &str) -> &str {
    if let Some(name) = without_welcome(title) {
        return name;
    }
    let opens_any = |head: &str| is_generic(head) || tells_changes(&head.to_lowercase());
    let cut = [": ", " - ", " – ", " — "]
        .iter()
        .filter_map(|mark| title.split_once(mark))
        .min_by_key(|(head, _)| head.len());
    match cut {
        Some((head, tail)) if opens_any(head) && tail.contains(char::is_alphabetic) => tail.trim(),
        _ => title,
    }
}

/// "Where to find help" of "Where can I find help".
fn without_asker(title: &str) -> String {
    const ASKS: [&str; 7] = ["can", "could", "do", "may", "must", "shall", "should"];
    let words: Vec<&str> = title.split(' ').collect();
    let asked = words.windows(2).position(|pair| match pair {
        [verb, who] => ASKS.contains(verb) && matches!(*who, "I" | "i" | "we" | "you"),
        _ => false,
    });
    match asked.map(|at| words.split_at(at)) {
        Some((before, after)) if !before.is_empty() && after.len() > 2 => {
            let rest = after.get(2..).unwrap_or_default();
            format!("{} to {}", before.join(" "), rest.join(" "))
        }
        _ => title.to_owned(),
    }
}

/// A title without whose a thing is: "monitor your kiln" is on monitoring a kiln, whoever has it.
fn without_owners(title: &str) -> String {
    let is_owner = |word: &&str| {
        let lower = word.to_lowercase();
        matches!(lower.as_str(), "your" | "my" | "our")
    };
    let words: Vec<&str> = title.split(' ').filter(|word| !is_owner(word)).collect();
    match words.len() {
        0 | 1 => title.to_owned(),
        _ => words.join(" "),
    }
}

/// Whether single words tell what a text is about: only where those that carry no topic are known well.
pub(super) fn has_telling_words(language: Option<Lang>) -> bool {
    language.is_none_or(|language| language == Lang::Eng)
}

/// A description as the front matter may hold it: one line, no tags, no more than is allowed.
pub(super) fn one_line(text: &str) -> String {
    let line = squash(&redacted(&hostile::visible(text)))
        .replace(['<', '>'], "")
        .replace("---", "—");
    clip(&squash(&line), DESCRIPTION_CHARS_MAX)
}

/// What may be asked beside what the title names: headings name tasks and subjects; single words are all that is left to a text
/// without them.
fn others<'a>(
    title: &str,
    headings: &'a [String],
    phrases: &[&'a String],
    used: &str,
    gist: &Gist,
    meant: &Meant,
) -> Vec<&'a str> {
    let lower = title.to_lowercase();
    headings
        .iter()
        .filter(|heading| !heading.contains(['(', '.']) && heading.chars().count() <= 48)
        .chain(
            phrases
                .iter()
                .copied()
                .filter(|_| has_telling_words(gist.language)),
        )
        .filter(|phrase| {
            let phrase = phrase.to_lowercase();
            !lower.contains(&phrase)
                && !used.contains(&phrase)
                && !meant.excludes(&phrase, &gist.sample)
        })
        .map(String::as_str)
        .fold(Vec::new(), |mut others: Vec<&str>, phrase| {
            if others.len() < 3 && !others.iter().any(|said| said.eq_ignore_ascii_case(phrase)) {
                others.push(phrase);
            }
            others
        })
}

/// The situation in which a skill helps.
enum Case {
    /// As it stands behind "when".
    Told(String),
    /// Questions about what was spoken of: nobody works with a talk.
    Asked(String),
    /// Whatever is done with its subject.
    Subject,
}

/// The situation in which the skill helps; none in a language other than English.
fn trigger(title: &str, gist: &Gist, meant: &Meant, is_spoken: bool) -> Option<Case> {
    if !gist.own.is_english() {
        return None;
    }
    let lower = title.to_lowercase();
    Some(if let Some(case) = &meant.when {
        Case::Told(case.clone())
    } else if let Some(task) = strip_prefix_ignoring_case(title, "how to ") {
        Case::Told(format!("the task is to {task}"))
    } else if title.is_ascii() && !is_spoken && is_doing(&lower) && !is_named(title, &gist.sample) {
        Case::Told(in_sentence(title, &gist.sample))
    } else if is_order(&lower) && !is_named_first(title) && !speaks_of(&gist.sample, title) {
        Case::Told(format!(
            "the task is to {}",
            in_sentence(title, &gist.sample)
        ))
    } else if is_spoken {
        Case::Asked(in_sentence(title, &gist.sample))
    } else {
        Case::Subject
    })
}

/// Whether a title begins with a name, by its capitals: "KILNfire a manual" tells nobody to do anything.
fn is_named_first(title: &str) -> bool {
    let first = title.split(' ').next().unwrap_or_default();
    first.chars().skip(1).any(char::is_uppercase)
}

/// "the door of a kiln" of "The door of a kiln", as it goes on in a sentence.
fn with_small_article(title: &str) -> String {
    let article = ["The ", "A ", "An "]
        .iter()
        .find_map(|article| Some((article, title.strip_prefix(article)?)));
    match article {
        // "The GNU ed" is called so.
        Some((article, rest)) if rest.starts_with(char::is_lowercase) => {
            format!("{}{rest}", article.to_lowercase())
        }
        _ => title.to_owned(),
    }
}

/// What a text is on that its title calls a manual or an introduction: nobody works with that.
fn without_kind_of_text(title: &str) -> &str {
    const OPENS: [&str; 4] = [
        "introduction to ",
        "overview of ",
        "guide to ",
        "source code for ",
    ];
    // What stands behind these is what the text is on, whatever word it is.
    const OF: [&str; 7] = [
        "documentation of ",
        "documentation for ",
        "handbook of ",
        "manual for ",
        "user guide for ",
        "user guide to ",
        "user manual for ",
    ];
    let of = OF
        .iter()
        .find_map(|kind| strip_prefix_ignoring_case(title, kind));
    if let Some(subject) = of.filter(|subject| subject.len() > 2) {
        return subject;
    }
    const ENDS: [&str; 9] = [
        " reference manual",
        " user manual",
        " user guide",
        " documentation",
        " handbook",
        " manual",
        " reference",
        " tutorial",
        " guide",
    ];
    let opened = OPENS
        .iter()
        .find_map(|kind| strip_prefix_ignoring_case(title, kind));
    let ended = || {
        ENDS.iter().find_map(|kind| {
            let at = title.len().checked_sub(kind.len())?;
            let (head, tail) = title.split_at_checked(at)?;
            // "Kiln API - Reference" is on the kiln's API.
            let article = [" a", " an"]
                .iter()
                .find_map(|article| head.strip_suffix(article));
            let head = article.unwrap_or(head);
            let head = head.trim_end_matches([' ', '-', '–', '—', ':', ',']);
            tail.eq_ignore_ascii_case(kind).then_some(head)
        })
    };
    opened
        .or_else(ended)
        .filter(|subject| {
            let last = subject.split(' ').next_back().unwrap_or_default();
            // "The Owner's Guide" is no guide to the owner, and a style is none.
            subject.len() > 2
                && !last.ends_with(['\'', '’'])
                && !last.ends_with("'s")
                && !last.ends_with("’s")
                && (subject.contains(' ') || is_named(subject, ""))
        })
        .unwrap_or(title)
}

/// The situation as a sentence, with what else may be asked.
fn with_questions(mut out: String, asks: &str, others: &[&str]) -> String {
    if let [before @ .., last] = others {
        out.push_str(asks);
        out.push_str(&before.join(", "));
        if !before.is_empty() {
            out.push_str(" or ");
        }
        out.push_str(last);
    }
    out.push('.');
    out
}

/// The text with a capital at its beginning.
pub(super) fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}

/// At most `chars_max` characters, cut between words where there are any, with a full stop when something was lost.
pub(super) fn clip(text: &str, chars_max: usize) -> String {
    let Some((cut, _)) = text.char_indices().nth(chars_max) else {
        return text.to_owned();
    };
    let head = text.get(..cut).unwrap_or("");
    let shorter: String = head.chars().take(chars_max.saturating_sub(1)).collect();
    let is_past_half = |end: &usize| *end * 2 > shorter.len();
    // Where a word is longer than that, it is cut between its parts: half a number is another number.
    let end = shorter
        .rfind(' ')
        .filter(is_past_half)
        .or_else(|| {
            let parted = shorter.rfind(|c: char| !c.is_alphanumeric());
            parted.filter(is_past_half)
        })
        .unwrap_or(shorter.len());
    let kept = without_half_address(text, end).trim_end_matches([',', ';', ':', '.', ' ']);
    if chars_max > 200 {
        format!("{kept}.")
    } else {
        kept.to_owned()
    }
}

/// What stands before `end`, which is no longer than the text, without an address that would be cut there: a part of it is another
/// address (V090). An address alone gives its host.
pub(super) fn without_half_address(text: &str, end: usize) -> &str {
    let kept = text.get(..end).unwrap_or("");
    let Some(scheme) = kept.rfind("://") else {
        return kept;
    };
    let is_whole = kept.get(scheme..).is_some_and(|rest| rest.contains(' '))
        || text.get(end..).is_none_or(|rest| rest.starts_with(' '));
    if is_whole {
        return kept;
    }
    match kept.get(..scheme).and_then(|before| before.rfind(' ')) {
        Some(before) => kept.get(..before).unwrap_or(kept),
        None => kept
            .get(scheme + 3..)
            .and_then(|address| address.split('/').next())
            .unwrap_or(kept),
    }
}

/// What a text says at its beginning without code, which is in no language.
fn prose(runs: &[&[Block]]) -> String {
    let mut out = String::new();
    for block in runs.iter().copied().flatten() {
        // A licence is in English, whatever the language of what is under it.
        if is_imprint(&block_text(block).to_lowercase()) {
            continue;
        }
        visit(std::slice::from_ref(block), &mut |place, piece| {
            if !matches!(place, Place::Code | Place::Listing(_)) {
                out.push_str(piece);
            }
        });
        out.push('\n');
        if out.len() > PROSE_BYTES {
            break;
        }
    }
    out
}

/// The beginning of a text: enough to know what it is about.
pub(super) fn sample(runs: &[&[Block]]) -> String {
    let mut out = String::new();
    for block in runs.iter().copied().flatten() {
        super::outline::write_told(block, &mut out);
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
    fn neither_an_address_nor_a_number_is_cut_in_half() {
        let address = "https://kiln.example/pots/of/clay.html";
        assert_eq!(clip(address, 30), "kiln.example");
        assert_eq!(clip(&format!("The pots of {address}"), 30), "The pots of");
        assert_eq!(clip(&format!("{address} and pots"), 43), address);
        assert_eq!(
            clip("kiln (2.90.1~git2011.f101562-1)", 27),
            "kiln (2.90.1~git2011"
        );
        assert_eq!(clip("kiln of clay", 40), "kiln of clay");
    }

    #[test]
    fn a_title_is_called_by_what_it_is_on() {
        for (title, on) in [
            ("Introduction: the door", "the door"),
            ("Overview - Kilns", "Kilns"),
            ("CHANGES - Changes of Kiln 2", "Changes of Kiln 2"),
            ("Introduction: 2.1", "Introduction: 2.1"),
            ("Kilns: the door", "Kilns: the door"),
            ("Introduction", "Introduction"),
        ] {
            assert_eq!(told_behind(title), on);
        }
    }

    #[test]
    fn nobody_works_with_the_documentation_of_something() {
        for (title, on) in [
            ("Documentation of kilnctl", "kilnctl"),
            ("User Manual for Kilnctl V0.5", "Kilnctl V0.5"),
            ("Kiln API Manual", "Kiln API"),
        ] {
            assert_eq!(without_kind_of_text(title), on);
        }
    }

    #[test]
    fn a_question_is_asked_without_who_asks_it() {
        for (asked, told) in [
            ("Where else can I find help", "Where else to find help"),
            ("How do we fire a kiln", "How to fire a kiln"),
            ("Can I fire it", "Can I fire it"),
            ("What I do", "What I do"),
        ] {
            assert_eq!(without_asker(asked), told);
        }
    }
}
