//! Owns the sentence that a description opens with: what the source says of its subject, in its own words and the third person.
//!
//! Every sentence at a source's beginning, its summary and the tail of its title (`copy — Shallow and deep copy operations`) is a
//! candidate; [`told`] says how surely it tells what the subject is, and the surest opens. A line that is no sentence, as those
//! below a project's name, follows the name and a colon.

use super::describe::{Subject, capitalised};
use super::opening_words::{
    DOES, FINITE, KINDS, NAMELESS, NO_DEEDS, NO_KINDS, NO_NAMES, NO_TAGLINES, RELATIVE,
    RESERVATIONS, TELLS, TELLS_OF_TEXTS, TEXTS, THINGS, is_in,
};
use super::outline::{block_text, is_generic};
use super::sentences::sentences;
use super::title::without_section;
use super::wording::{ages_or_fills, is_furniture, is_imprint};
use crate::domain::document::BlockKind;
use crate::domain::text::{letters, plain, squash};
use crate::pipeline::orders;
use whatlang::Lang;

/// The opening must leave room for the use within the first 250 characters (V038).
const OPENING_CHARS_MAX: usize = 200;
/// What a cut sentence still has to say.
const CUT_CHARS_MIN: usize = 40;
/// So many paragraphs are looked at, and so many sentences of each.
const PARAGRAPHS: u32 = 4;
const SENTENCES: usize = 3;
/// Among so many blocks a section is looked for that says by its title what it is for.
const BLOCKS: usize = 80;
/// Behind so many sections, one called an introduction introduces a part.
const SECTIONS: usize = 2;

/// What a source is called: the whole of its title, and the name in it.
struct Name<'a> {
    /// The whole title.
    full: &'a str,
    /// What stands before a dash; else the whole.
    head: &'a str,
    /// What stands behind the dash.
    tail: Option<&'a str>,
}

impl<'a> Name<'a> {
    fn of(title: &'a str) -> Self {
        let title = title.trim_matches(|c: char| c == ' ' || c == '-' || c == '–' || c == '—');
        let cut = [" — ", " – ", " -- ", " - "]
            .iter()
            .find_map(|dash| title.split_once(dash));
        match cut {
            Some((head, tail)) if head.chars().count() <= 48 => Self {
                full: title,
                head: head.trim(),
                tail: Some(tail.trim()),
            },
            _ => Self {
                full: title,
                head: title,
                tail: None,
            },
        }
    }

    /// How the subject is called where its name begins a sentence: without a tail that explains it.
    fn spoken(&self) -> &'a str {
        match self.tail {
            Some(tail) if tail.contains(' ') => self.head,
            // `email.encoders: Encoders` says one thing twice.
            Some(tail) if self.head.to_lowercase().contains(&tail.to_lowercase()) => self.head,
            _ => self.full,
        }
    }

    /// Whether it is the name of one thing, so that a sentence may be said of it: neither the title of a text on it, nor a task, nor
    /// several things.
    fn is_noun(&self) -> bool {
        let spoken = self.spoken().to_lowercase();
        let words: Vec<&str> = spoken.split(' ').collect();
        let is_plural = |word: &&str| {
            word.len() > 3
                && word.chars().all(char::is_alphabetic)
                && word.ends_with('s')
                && !word.ends_with("ss")
                && !word.ends_with("us")
        };
        let first = words.first().copied().unwrap_or_default();
        spoken != NAMELESS
            && words.len() <= 5
            && spoken.chars().count() <= 56
            && !first.ends_with("ing")
            && !words.last().is_some_and(is_plural)
            && !words.iter().any(|word| is_in(NO_NAMES, word))
            && !matches!(words.get(1), Some(&"a" | &"an" | &"the"))
    }

    /// Whether a line, in lower case, says no more than the title does.
    fn is_said_by(&self, lower: &str) -> bool {
        letters(self.full).contains(&letters(lower))
    }

    /// All that it may be called by, in lower case.
    fn all(&self) -> Vec<String> {
        let mut out = vec![self.full.to_lowercase(), self.head.to_lowercase()];
        out.extend(self.tail.map(str::to_lowercase));
        // `mod_autoindex` of `Apache Module mod_autoindex`, and `suEXEC` of `suEXEC Support`.
        let words = || self.head.split(' ');
        let is_name = |word: &&str| {
            word.contains(['_', '.'])
                || word.chars().skip(1).any(char::is_uppercase) && word.len() > 2
        };
        out.extend(words().filter(is_name).map(str::to_lowercase));
        if let Some((name, kind)) = self.head.rsplit_once(' ')
            && is_in(KINDS, &kind.to_lowercase())
        {
            out.push(name.to_lowercase());
        }
        out
    }
}

/// The part of a title behind its dash, when it says what stands before it.
pub(super) fn explanation(title: &str) -> Option<(&str, &str)> {
    let name = Name::of(title);
    let tail = name.tail?;
    (tail.split(' ').count() >= 2 && tail.chars().count() >= 12).then_some((name.head, tail))
}

/// A sentence of the source that says what it is about, in the third person and short enough to open with.
pub(super) fn opening(subject: &Subject<'_>, title: &str) -> Option<String> {
    if let Some(line) = manual_line(subject, title) {
        return Some(line);
    }
    let candidates = candidates(subject);
    let is_english = subject
        .gist
        .language
        .is_none_or(|language| language == Lang::Eng);
    let explained = explanation(title)
        .map(|(head, tail)| format!("{head}: {}.", tail.trim_end_matches('.')))
        .filter(|line| opens_well(line));
    if !is_english {
        if explained.is_some() {
            return explained;
        }
        return candidates
            .into_iter()
            .map(|candidate| third_person(&candidate.words))
            .find(|sentence| opens_well(sentence));
    }
    let name = Name::of(title);
    let mut best: Option<(u32, String)> = None;
    let mut offer = |score: u32, sentence: String| {
        if best.as_ref().is_none_or(|(most, _)| score > *most) {
            best = Some((score, sentence));
        }
    };
    if let Some(line) = explained {
        offer(TAIL, line);
    }
    for candidate in candidates {
        if let Some((score, sentence)) = told(&candidate, &name) {
            offer(score.saturating_sub(candidate.depth), sentence);
        }
    }
    best.map(|(_, sentence)| sentence)
}

/// How surely a sentence says what its subject is; the figures only order the ways of saying it.
const SUBJECT_IS: u32 = 90;
const SUBJECT_DOES: u32 = 80;
const THIS_IS: u32 = 76;
const THIS_DOES: u32 = 72;
const TAGLINE: u32 = 66;
const TAIL: u32 = 62;
const TEXT_TELLS: u32 = 60;
const NEAR_SUBJECT: u32 = 40;

/// A sentence from where a source says what it is.
struct Candidate {
    words: String,
    /// How far from the beginning it stands.
    depth: u32,
    /// Whether it is the first thing said, so that it may be no sentence.
    leads: bool,
    /// Whether it speaks of the whole: what stands in a section speaks of that.
    is_of_all: bool,
}

/// How a manual page says what it is: its name, a dash, and a line.
fn manual_line(subject: &Subject<'_>, title: &str) -> Option<String> {
    let page = without_section(title);
    subject.blocks.iter().take(4).find_map(|block| {
        let BlockKind::Paragraph(text) = &block.kind else {
            return None;
        };
        let line = squash(&plain(text));
        let rest = line
            .split_at_checked(page.len())
            .filter(|(called, _)| called.eq_ignore_ascii_case(page))
            .map(|(_, rest)| rest)?;
        let (names, summary) = [" — ", " – ", " - ", " -- "]
            .iter()
            .find_map(|dash| rest.split_once(dash))?;
        // A page on several names tells of them all.
        if !(names.is_empty() || names.starts_with(',') && names.len() < 120) {
            return None;
        }
        let sentence = format!("{page}: {}.", summary.trim_end_matches('.'));
        opens_well(&sentence).then_some(sentence)
    })
}

fn candidates(subject: &Subject<'_>) -> Vec<Candidate> {
    let mut out: Vec<Candidate> = Vec::new();
    let mut add = |text: &str, depth: u32, leads: bool, is_of_all: bool| {
        for (words, place) in cut(text).into_iter().zip(0..).take(SENTENCES) {
            out.push(Candidate {
                words,
                depth: depth + 3 * place,
                leads: leads && place == 0,
                is_of_all,
            });
        }
    };
    // A site says the same of all its pages.
    if let Some(summary) = subject
        .summary
        .filter(|summary| is_said_of(summary, &subject.gist.sample))
    {
        add(summary, 0, true, true);
    }
    let mut paragraphs = 0;
    let mut sections = 0;
    let mut leads = true;
    let mut under_lead = false;
    for block in subject.blocks.iter().take(BLOCKS) {
        match &block.kind {
            BlockKind::Heading { text, .. } => {
                let title = squash(&plain(text));
                // A section on a part of the subject has its own introduction.
                under_lead = sections <= SECTIONS && is_lead_title(&title);
                sections += usize::from(!is_generic(&title) && title != subject.title);
            }
            BlockKind::Paragraph(_) | BlockKind::Quote(_) => {
                let text = block_text(block);
                if paragraphs >= PARAGRAPHS && !under_lead || is_byline(&text) {
                    continue;
                }
                let depth = if under_lead { 2 } else { 4 * paragraphs };
                let is_of_all = under_lead || sections == 0;
                add(&text, depth, is_of_all && leads || under_lead, is_of_all);
                paragraphs += 1;
                leads = false;
                under_lead = false;
            }
            BlockKind::Table { header, rows, .. } if paragraphs == 0 => {
                let first = rows.first().filter(|_| header.iter().all(Vec::is_empty));
                if let Some([label, says, ..]) = first.map(Vec::as_slice)
                    && is_lead_title(plain(label).trim_end_matches(':'))
                {
                    add(&squash(&plain(says)), 0, true, true);
                }
            }
            _ => {}
        }
    }
    out
}

/// Whether most telling words of a summary stand in the text as well.
fn is_said_of(summary: &str, text: &str) -> bool {
    let text = text.to_lowercase();
    let words: Vec<String> = summary
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() > 3 || !word.is_ascii())
        .map(str::to_lowercase)
        .collect();
    let found = words
        .iter()
        .filter(|word| text.contains(word.as_str()))
        .count();
    found * 10 >= words.len() * 6
}

/// Whether a section's title says that it tells what all is about.
fn is_lead_title(title: &str) -> bool {
    let lower = title
        .trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ' ')
        .to_lowercase();
    matches!(
        lower.as_str(),
        "abstract"
            | "about"
            | "description"
            | "introduction"
            | "overview"
            | "purpose"
            | "summary"
            | "synopsis"
    ) || lower.starts_with("what is ")
}

/// Whether a paragraph only says who wrote it, when, and where else it can be had.
fn is_byline(text: &str) -> bool {
    (text.is_ascii() && text.split_whitespace().count() < 3)
        || text.contains(['|', '@', '©'])
        || is_furniture(&text.to_lowercase())
        || is_imprint(&text.to_lowercase())
}

/// The sentences of a text; a line that stands by itself is one.
fn cut(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for line in text.split('\n') {
        let squashed = squash(line);
        let cut = sentences(&squashed);
        out.extend(
            cut.into_iter()
                .filter_map(|range| squashed.get(range))
                .map(str::to_owned),
        );
    }
    out
}

/// The sentence as a description may open with it, and how surely it says what the subject is.
fn told(candidate: &Candidate, name: &Name<'_>) -> Option<(u32, String)> {
    let shortened_words = shortened(&candidate.words, OPENING_CHARS_MAX);
    // Only a line that leads may have no stop of its own; elsewhere it breaks off.
    let sentence = match candidate.leads {
        true => ended(&shortened_words),
        false => shortened_words,
    };
    let lower = sentence.to_lowercase();
    let (score, sentence) = if let Some(score) = of_subject(&lower, name) {
        (score, sentence)
    } else if let Some(told) = candidate
        .is_of_all
        .then(|| of_this(&sentence, name, candidate.depth <= 3))
        .flatten()
    {
        told
    } else if candidate.leads && is_tagline(&sentence, &lower) && !name.is_said_by(&lower) {
        if tells_in_third_person(&lower) {
            (TAGLINE, sentence)
        } else {
            let called = name.spoken();
            let room = OPENING_CHARS_MAX.saturating_sub(called.chars().count() + 3);
            let line = ended(&shortened(&candidate.words, room));
            (TAGLINE, format!("{called}: {line}"))
        }
    } else if is_in(TELLS, lower.split(' ').next().unwrap_or_default()) {
        (TEXT_TELLS, sentence)
    } else {
        return None;
    };
    opens_well(&sentence).then_some((score, sentence))
}

/// How surely a sentence, in lower case, is said of the subject by its name.
fn of_subject(lower: &str, name: &Name<'_>) -> Option<u32> {
    let bare: String = lower
        .chars()
        .filter(|c| !matches!(c, '“' | '”' | '"' | '`' | '‘'))
        .collect();
    let bare = without_article(&bare);
    let rest = name
        .all()
        .into_iter()
        .filter(|called| !called.is_empty())
        .find_map(|called| {
            let rest = bare.strip_prefix(called.as_str())?;
            // `The venv module supports …` is said of venv as well.
            let rest = rest.strip_prefix(' ')?;
            let (next, after) = rest.split_once(' ')?;
            Some(if is_in(THINGS, next) {
                after.to_owned()
            } else {
                rest.to_owned()
            })
        });
    if let Some(rest) = rest {
        let verb = rest.split(' ').next().unwrap_or_default();
        if is_defining(&rest) {
            return Some(SUBJECT_IS);
        }
        if is_third_person(verb) {
            return Some(SUBJECT_DOES);
        }
    }
    // The subject of the sentence is the title in other words: its own, in any order, with an article.
    let at = [" is a ", " is an ", " is the ", " are used "]
        .iter()
        .filter_map(|verb| bare.find(verb))
        .min()?;
    let subject = bare.get(..at)?;
    let is_word = |word: &&str| word.len() > 3 && !is_in(KINDS, word) && !is_in(THINGS, word);
    let parts = |text: &str| -> Vec<String> {
        let lower = text.to_lowercase();
        lower
            .split(|c: char| !c.is_alphanumeric())
            .filter(is_word)
            .map(str::to_owned)
            .collect()
    };
    let (mut title, said) = (parts(name.full), parts(subject));
    // "Installing the kiln" is on the kiln.
    title.retain(|word| !word.ends_with("ing") || said.contains(word));
    (!said.is_empty()
        && title.iter().all(|word| said.contains(word))
        && said.iter().all(|word| title.contains(word)))
    .then_some(NEAR_SUBJECT)
}

fn without_article(lower: &str) -> &str {
    ["the ", "a ", "an "]
        .iter()
        .find_map(|article| lower.strip_prefix(article))
        .unwrap_or(lower)
}

fn is_defining(rest: &str) -> bool {
    ["is a ", "is an ", "is the ", "are "]
        .iter()
        .any(|verb| rest.starts_with(verb))
}

/// Whether a word, in lower case, is a verb in the third person: the sentence says what its subject does.
fn is_third_person(verb: &str) -> bool {
    verb.len() > 3
        && verb.ends_with('s')
        && !verb.ends_with("ss")
        && verb.chars().all(char::is_alphabetic)
        && !["does", "this", "thus", "always", "versus"].contains(&verb)
}

/// What "This crate is …" and "This module provides …" say of the subject.
fn of_this(sentence: &str, name: &Name<'_>, leads: bool) -> Option<(u32, String)> {
    let mut words = sentence.splitn(4, ' ');
    let (this, thing, verb, rest) = (words.next()?, words.next()?, words.next()?, words.next()?);
    if this == "This" && thing == "is" && ["a", "an", "the"].contains(&verb) {
        return (name.is_noun() && leads && names_kind(rest))
            .then(|| (THIS_IS, format!("{} is {verb} {rest}", name.spoken())));
    }
    let lower = thing.to_lowercase();
    let is_text = is_in(TEXTS, &lower);
    let is_thing = this == "This" && is_in(THINGS, &lower);
    // "This repository contains kilnctl, a tool that …"
    let called = name.spoken();
    let appositive = rest
        .split_at_checked(called.len())
        .filter(|(start, _)| start.eq_ignore_ascii_case(called))
        .and_then(|(_, after)| after.strip_prefix(", "))
        .filter(|kind| {
            ["a ", "an ", "the "]
                .iter()
                .any(|article| kind.starts_with(article))
        });
    if let Some(kind) = appositive
        && this == "This"
        && name.is_noun()
        && ["contains", "hosts", "implements", "is", "provides"].contains(&verb)
    {
        return Some((THIS_IS, format!("{called} is {kind}")));
    }
    if (is_text && ["This", "The"].contains(&this) && tells_as_text(verb))
        || (is_thing && leads && name.is_noun() && is_third_person(verb) && !is_in(NO_DEEDS, verb))
    {
        return Some((THIS_DOES, format!("{} {rest}", capitalised(verb))));
    }
    (is_thing
        && leads
        && name.is_noun()
        && verb == "is"
        && ["a ", "an ", "the "]
            .iter()
            .any(|article| rest.strip_prefix(article).is_some_and(names_kind)))
    .then(|| (THIS_IS, format!("{} is {rest}", name.spoken())))
}

/// Whether what follows "is a" says of what kind something is, and not what became of it or where it stands.
fn names_kind(rest: &str) -> bool {
    !rest
        .split(|c: char| !c.is_alphanumeric())
        .take(3)
        .any(|word| is_in(NO_KINDS, &word.to_lowercase()))
}

fn tells_as_text(verb: &str) -> bool {
    is_in(TELLS, verb) || is_in(TELLS_OF_TEXTS, verb)
}

/// Turns "This page describes …" into "Describes …".
fn third_person(sentence: &str) -> String {
    let mut words = sentence.splitn(4, ' ');
    match (words.next(), words.next(), words.next(), words.next()) {
        (Some("This" | "The"), Some(thing), Some(verb), Some(rest))
            if is_in(TEXTS, &thing.to_lowercase()) && tells_as_text(verb) =>
        {
            format!("{} {rest}", capitalised(verb))
        }
        _ => sentence.to_owned(),
    }
}

/// Whether a line without a verb of its own says what stands above it: "A Rust library for …", "Fast checksums", "Return the
/// value of …".
fn is_tagline(sentence: &str, lower: &str) -> bool {
    let outside = without_brackets(lower);
    let words: Vec<&str> = outside
        .split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’' && c != '-')
        .filter(|word| !word.is_empty())
        .collect();
    let first = words.first().copied().unwrap_or_default();
    let is_told = words.windows(2).any(
        |pair| matches!(pair, [before, verb] if is_in(FINITE, verb) && !is_in(RELATIVE, before)),
    );
    // Names alone are those of its authors.
    let small_words = sentence
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| word.len() > 3 && word.starts_with(char::is_lowercase))
        .count();
    let plain_words = words
        .iter()
        .filter(|word| word.len() > 2 && word.chars().all(char::is_alphabetic))
        .count();
    sentence.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
        && words.len() >= 4
        && plain_words * 2 > words.len()
        && plain_words >= 3
        && (small_words >= 2 || ["a", "an"].contains(&first))
        && !sentence.contains(": ")
        && !sentence.contains("--")
        && !sentence.contains(" - ")
        && sentence
            .chars()
            .filter(|c| c.is_alphabetic() && !c.is_ascii())
            .count()
            <= 2
        && !is_told
        && !is_in(NO_TAGLINES, first)
        && !is_in(FINITE, first)
        && !sentence.contains(['|', '@', ';'])
        && !sentence.ends_with(['?', '!'])
}

/// Whether a sentence without a subject begins with a verb in the third person: "Allows …".
fn tells_in_third_person(lower: &str) -> bool {
    let first = lower.split(' ').next().unwrap_or_default();
    is_in(TELLS, first) || is_in(DOES, first)
}

/// A sentence that is too long, without what it says in brackets or in a clause behind its main one.
fn shortened(sentence: &str, room: usize) -> String {
    if sentence.chars().count() <= room {
        return sentence.to_owned();
    }
    let bare = without_brackets(sentence);
    // What is left out may not turn what is said round.
    let kept = bare.split(' ').count();
    if reservations(sentence) > reservations(&bare) {
        return sentence.to_owned();
    }
    if bare.chars().count() <= room && kept > 3 {
        return bare;
    }
    let end = [
        "; ",
        " – ",
        " — ",
        " -- ",
        ", which ",
        ", where ",
        ", including ",
        ", such as ",
        ", so that ",
        ", with ",
        ", and ",
        ": ",
    ]
    .iter()
    .find_map(|border| {
        bare.match_indices(border)
            .map(|(at, _)| at)
            .filter(|at| {
                let chars = bare.get(..*at).map_or(0, |head| head.chars().count());
                let head = bare.get(..*at).unwrap_or_default();
                let cuts_a_list = border.starts_with(", ") && head.contains(", ");
                (CUT_CHARS_MIN..room).contains(&chars)
                    && !cuts_a_list
                    && reservations(head) == reservations(&bare)
            })
            .last()
    });
    match end.and_then(|end| bare.get(..end)) {
        Some(head) => format!("{head}."),
        None => bare,
    }
}

/// How many words of a text deny or except something.
fn reservations(text: &str) -> usize {
    text.to_lowercase()
        .split(|c: char| !c.is_alphabetic() && c != '\'' && c != '’')
        .filter(|word| is_in(RESERVATIONS, word) || word.ends_with("n't") || word.ends_with("n’t"))
        .count()
}

fn without_brackets(text: &str) -> String {
    let mut depth = 0_usize;
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    squash(&out).replace(" .", ".").replace(" ,", ",")
}

/// A line with a full stop at its end.
fn ended(sentence: &str) -> String {
    let trimmed = sentence.trim_end_matches([':', ',', ';', ' ']);
    if trimmed.ends_with(['.', '!', '?', '。', '…']) {
        trimmed.to_owned()
    } else {
        format!("{trimmed}.")
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
        && !sentence.ends_with("..")
        && !sentence.contains(['<', '>', '`', '{', '\n'])
        && !["://", "->", "→"]
            .iter()
            .any(|mark| sentence.contains(mark))
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
            " copyright ",
            " permission is granted ",
            " licensed under ",
            " warranty ",
            " this chapter ",
            " this section ",
            " this page ",
            " last updated ",
            " then ",
            " step 1 ",
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
        && ![" these ", " those ", " such "]
            .iter()
            .any(|word| lower.replace(" such as ", " ").contains(word))
        && !ages_or_fills(sentence)
        && !orders::is_order(sentence)
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::super::write;
    use super::*;
    use crate::pipeline::product::Wish;

    fn opened(title: &str, words: &str) -> Option<String> {
        let candidate = Candidate {
            words: words.to_owned(),
            depth: 0,
            leads: true,
            is_of_all: true,
        };
        told(&candidate, &Name::of(title)).map(|(_, sentence)| sentence)
    }

    #[test]
    fn what_a_source_says_of_its_subject_opens_in_the_third_person() {
        for (title, words, opening) in [
            (
                "kilnctl",
                "Kilnctl is an agent that fires kilns by a plan.",
                "Kilnctl is an agent that fires kilns by a plan.",
            ),
            (
                "burner — Control of burners",
                "The burner module supports two fuels and any number of valves.",
                "The burner module supports two fuels and any number of valves.",
            ),
            (
                "Apache Module mod_kiln",
                "This module allows kilns to be fired over HTTP.",
                "Allows kilns to be fired over HTTP.",
            ),
            (
                "kiln-rs",
                "This crate is a thin layer over the protocol of burners.",
                "kiln-rs is a thin layer over the protocol of burners.",
            ),
            (
                "kiln-rs",
                "This is a thin layer over the protocol of burners.",
                "kiln-rs is a thin layer over the protocol of burners.",
            ),
            (
                "kiln-rs",
                "This repository contains kiln-rs, a library that fires clay slowly.",
                "kiln-rs is a library that fires clay slowly.",
            ),
            (
                "kiln-rs",
                "A Rust library for firing clay (slowly)",
                "kiln-rs: A Rust library for firing clay (slowly).",
            ),
            (
                "kiln_list",
                "Parse the shelves of a kiln into a list",
                "kiln_list: Parse the shelves of a kiln into a list.",
            ),
            (
                "Function kiln_heat",
                "Returns the heat of a kiln in its middle.",
                "Returns the heat of a kiln in its middle.",
            ),
            (
                "Kiln guide",
                "This guide explains how clay becomes stone.",
                "Explains how clay becomes stone.",
            ),
        ] {
            assert_eq!(opened(title, words).as_deref(), Some(opening), "{words}");
        }
    }

    #[test]
    fn what_says_something_else_opens_nothing() {
        for words in [
            "Permission is granted to make and distribute verbatim copies of this manual.",
            "Josip Rodin and Osamu Aoki.",
            "Source code: Lib/kiln.py and Lib/clay.py.",
            "For small kilns this is the place of the burner's file.",
            "Recall from Chapter 20 that the server provides many variables.",
            "Kiln manual.",
            "NAME kiln - fires clay in a kiln.",
            "This is a known bug of kilns in old versions.",
            "This is the first part of a series on clay.",
            "A broken kiln is a danger for all who stand beside it.",
            "This guide focuses on the most common case, wood.",
            "You can fire a kiln with it.",
            "Is it a good idea to fire clay in a kiln of wood?",
        ] {
            assert_eq!(opened("Kiln manual", words), None, "{words}");
        }
    }

    #[test]
    fn a_long_sentence_loses_its_clauses_and_no_word_of_the_main_one() {
        let long = "Kilnctl is an agent (written in Rust) that fires kilns of every size by a plan which somebody wrote down before, so that \
                    nobody has to sit beside them through the night, and that tells each of them in the morning how it went.";
        assert_eq!(
            opened("kilnctl", long).as_deref(),
            Some(
                "Kilnctl is an agent that fires kilns of every size by a plan which somebody wrote down before."
            )
        );
        for turned in [
            "Kilnctl is (not yet) a tool that is ready for use in houses with more than one kiln, since nobody has ever tried that before \
             the winter came and the wood was wet in the whole of the country where it was written.",
            "Kilnctl is a replacement for everybody who fires clay, with every burner and every door of every kiln in the world that was \
             ever built by hand or by a machine, unless the kiln is an old one, of which there are many.",
        ] {
            assert_eq!(opened("kilnctl", turned), None, "{turned}");
        }
    }

    #[test]
    fn what_is_no_name_is_said_to_be_nothing() {
        for title in [
            "Changelog",
            "Release notes",
            "Benchmarks",
            "Kilns and Ovens",
            "Fire the kiln",
            "Migration guide",
            "the topic",
        ] {
            let words = "This is a thin layer over the protocol of burners.";
            assert_eq!(opened(title, words), None, "{title}");
        }
    }

    #[test]
    fn the_surest_sentence_opens_and_a_titles_explanation_is_not_said_twice() {
        let description = |text: &str| {
            let source = testing::extracted(testing::document(text));
            let made = write(source.into(), &Wish::default()).unwrap();
            made.drafts.into_iter().next().unwrap().skill.description
        };
        let surest = description(
            "# burner\n\nWood smokes, and gas does not. Burner is a tool that mixes gas with air.\n\n## Valves\n\nEach valve has a name.",
        );
        assert!(
            surest.starts_with("Burner is a tool that mixes gas with air. Use when"),
            "{surest}"
        );
        let explained = description(
            "# burner — Mixing of gas and air\n\nWood smokes, and gas does not.\n\n## Valves\n\nEach valve has a name.",
        );
        assert!(
            explained
                .starts_with("burner: Mixing of gas and air. Use when working with burner, or"),
            "{explained}"
        );
    }
}
