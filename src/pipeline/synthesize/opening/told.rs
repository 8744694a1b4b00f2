//! Owns how surely a sentence says what its subject is, and how it is put in the third person.

use super::fitting::{
    OPENING_CHARS_MAX, before_reader, ended, opens_well, shortened, without_brackets,
};
use super::name::{Name, what_text_is_on};
use super::words::{
    ADAPTERS, ADAPTS, DOES, FINITE, GERMAN_TELLS, GERMAN_TEXTS, HOW_THEY_ARE, KINDS, LACKS,
    NO_DEEDS, NO_KINDS, NO_LEADS, NO_TAGLINES, RELATIVE, TELLS, TELLS_OF_TEXTS, TEXTS, THINGS,
    is_in,
};
use crate::pipeline::synthesize::describe::capitalised;
use skillkiln_document::text::straight;

/// How surely a sentence says what its subject is; the figures only order the ways of saying it.
const ADAPTER_DOES: u32 = 96;
pub(super) const SUBJECT_IS: u32 = 90;
const SUBJECT_DOES: u32 = 80;
const THIS_IS: u32 = 76;
const THIS_DOES: u32 = 72;
const TAGLINE: u32 = 66;
pub(super) const TAIL: u32 = 62;
const TEXT_TELLS: u32 = 60;
pub(super) const NEAR_SUBJECT: u32 = 40;
const SAYS: u32 = 20;

/// A sentence that only says something of its subject stands before so much, and has so many words.
const NEAR: u32 = 12;
/// A name is made of so many initials at least.
const INITIALS_MIN: usize = 3;
/// It speaks of what was said before it where one of so many words does.
const LEANING_WORDS: usize = 6;
const SAYS_WORDS: usize = 6;
/// It is called by so many words of a name at most.
const NAME_WORDS: usize = 5;
/// Behind these a verb is not said of how things are, or not of the subject: so many words are looked at.
const AUXILIARIES: &str = "also always can could cannot do does doesn't don't even if make makes may might must never no nobody not \
    nothing only or quite shall should still then to what which who whose will without won't would";
const TURN_WORDS: usize = 6;
/// A label that begins with a small letter has fewer words behind the first, which is none of these: such a line goes on with something.
const LABEL_WORDS: usize = 15;
const LABEL_LEADS: &str =
    "and as at but by for from if in into of on or that the then to when where which while with";
/// What something lets you do that is not done with it.
const NO_DEEDS_OF_IT: &str = "be do down have in know off out see use";
/// Where one of these stands before a name, what stands behind it may not be said of it, or no longer.
const NO_APPOSITION: &str = "after before besides but except if instead longer never no not than though unless unlike until when whereas \
    while without";
/// What is said to be somebody's with something.
const AIMS: &str = "aim goal intent intention objective purpose";
/// What becomes of something before anybody works with it.
const HAD: &str = "built cloned compiled downloaded fetched found had installed obtained ordered purchased upgraded";
/// What speaks of the text and its makers, and not of its subject.
const NO_SUBJECTS: [&str; 10] = [
    " this is ",
    "added in ",
    "available at ",
    "for more information",
    "maintained by",
    "this document",
    "this file",
    "this project",
    "written by",
    "work in progress",
];

/// A sentence from where a source says what it is.
pub(super) struct Candidate {
    pub words: String,
    /// How far from the beginning it stands.
    pub depth: u32,
    /// Whether it is the first thing said, so that it may be no sentence.
    pub leads: bool,
    /// Whether it opens a paragraph.
    pub opens: bool,
    /// Whether a paragraph says nothing else, so that it may have no stop.
    pub is_alone: bool,
    /// Whether it speaks of the whole: what stands in a section speaks of that.
    pub is_of_all: bool,
    /// Whether it is quoted below the name of what it speaks of.
    pub is_quoted: bool,
}

/// The sentence as a description may open with it, and how surely it says what the subject is.
pub(super) fn told(candidate: &Candidate, name: &Name<'_>) -> Option<(u32, String)> {
    let shortened_words = shortened(&candidate.words, OPENING_CHARS_MAX);
    // Only a line that leads may have no stop of its own; elsewhere it breaks off.
    let sentence = match candidate.leads {
        true => ended(&shortened_words),
        false => shortened_words,
    };
    let lower = sentence.to_lowercase();
    let (score, sentence) = if spells_out(&sentence, name.spoken()) {
        (SUBJECT_IS, sentence)
    } else if let Some(score) = of_subject(&lower, name) {
        // Behind a colon something else follows, which is told of the subject only where its text begins.
        let opens_all = candidate.is_of_all && candidate.depth <= 3;
        let is_whole =
            sentence.ends_with(char::is_alphanumeric) || opens_all && sentence.ends_with(':');
        match candidate.is_alone && is_whole {
            true => (score, ended(&sentence)),
            false => (score, sentence),
        }
    } else if let Some(kind) = candidate
        .is_of_all
        .then(|| kind_beside(&sentence, name))
        .flatten()
    {
        (THIS_IS, kind)
    } else if let Some(told) = candidate
        .is_of_all
        .then(|| of_this(&sentence, name, candidate.depth <= 3))
        .flatten()
    {
        told
    } else if candidate.leads
        && (is_tagline(&sentence, &lower) || candidate.is_quoted && bids(&lower))
        && !name.is_said_by(&lower)
    {
        // Further down, what others follow may be a sentence whose verb is not known: "A kiln operates on a set of pots."
        let score = match candidate.is_alone || candidate.depth == 0 {
            true => TAGLINE,
            false => NEAR_SUBJECT,
        };
        if names_only(&lower, name) {
            return None;
        } else if tells_in_third_person(&lower) {
            (score, sentence)
        } else {
            let called = name.spoken();
            let room = OPENING_CHARS_MAX.saturating_sub(called.chars().count() + 3);
            let line = ended(&shortened(&candidate.words, room));
            (score, format!("{called}: {line}"))
        }
    } else if is_in(TELLS, lower.split(' ').next().unwrap_or_default()) {
        (TEXT_TELLS, sentence)
    } else if says_something(candidate, &sentence, name) {
        let called = name.spoken();
        let room = OPENING_CHARS_MAX.saturating_sub(called.chars().count() + 3);
        match name.is_within(&lower) {
            true => (SAYS, sentence),
            false => (
                SAYS,
                format!("{called}: {}", shortened(&candidate.words, room)),
            ),
        }
    } else {
        return None;
    };
    let sentence = impersonal(&sentence);
    if opens_well(&sentence) {
        return Some((score, sentence));
    }
    let sentence = before_reader(&sentence).filter(|_| score >= THIS_DOES)?;
    opens_well(&sentence).then_some((score, sentence))
}

/// "The kiln can be used to fire pots" of "The kiln allows you to fire pots": a description is in the third person.
fn impersonal(sentence: &str) -> String {
    const TURNS: [(&str, &str); 10] = [
        (" will allow you to ", " can be used to "),
        (" will enable you to ", " can be used to "),
        (" will let you ", " can be used to "),
        (" allow you to ", " can be used to "),
        (" allows you to ", " can be used to "),
        (" enable you to ", " can be used to "),
        (" enables you to ", " can be used to "),
        (" helps you to ", " helps to "),
        (" let you ", " can be used to "),
        (" lets you ", " can be used to "),
    ];
    let deed_of = |after: &str| {
        let deed = after.split(' ').next().unwrap_or_default();
        !is_in(NO_DEEDS_OF_IT, deed)
    };
    let opens = ["Allows you to ", "Enables you to ", "Lets you "];
    if let Some(deed) = opens.iter().find_map(|turn| sentence.strip_prefix(turn)) {
        return match deed_of(deed) {
            true => format!("Can be used to {deed}"),
            false => sentence.to_owned(),
        };
    }
    // Only what is told of something as it is: who may or would let you is another matter.
    let turned = TURNS.iter().find_map(|(turn, told)| {
        let (before, after) = sentence.split_once(turn)?;
        // "A command which allows you to ..." says what the command does.
        let clause = before.strip_suffix(" which");
        let mut last = clause.unwrap_or(before).rsplit(' ').take(TURN_WORDS);
        let denies =
            last.any(|word| word.ends_with(',') || is_in(AUXILIARIES, &word.to_lowercase()));
        (!denies && deed_of(after)).then(|| format!("{before}{told}{after}"))
    });
    turned.unwrap_or_else(|| sentence.to_owned())
}

/// Whether a sentence says something of the subject, though not what it is: it leads, or shares a word with the title, and stands by
/// itself.
fn says_something(candidate: &Candidate, sentence: &str, name: &Name<'_>) -> bool {
    let lower = sentence.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’')
        .filter(|word| !word.is_empty())
        .collect();
    let first = words.first().copied().unwrap_or_default();
    let telling = words.iter().filter(|word| word.len() > 3).count();
    let is_near = candidate.depth < NEAR
        && (candidate.is_of_all && candidate.opens || name.shares_word(&words));
    let is_verb = |word: &&str| matches!(*word, "is" | "are");
    let what = words.iter().skip_while(|word| !is_verb(word)).nth(1);
    let is_of_manner = what.is_some_and(|what| is_in(HOW_THEY_ARE, what));
    let leans = words.iter().take(LEANING_WORDS).enumerate();
    let leans = leans.filter(|(at, word)| match **word {
        // What makes it easy to do something speaks of nothing before it.
        "it" => at
            .checked_sub(1)
            .and_then(|at| words.get(at))
            .is_none_or(|verb| !verb.starts_with("mak")),
        word => matches!(word, "he" | "its" | "she" | "their" | "they"),
    });
    is_near
        && !is_of_manner
        && !lower.starts_with("in addition")
        && !lower.contains("licensed")
        && leans.count() == 0
        && candidate.words.ends_with('.')
        && sentence.starts_with(char::is_alphabetic)
        && !sentence.contains(" - ")
        && words.len() >= SAYS_WORDS
        && (telling * 2 >= words.len()
            || telling * 9 >= words.len() * 4 && !words.contains(&"will"))
        && !is_in(NO_LEADS, first)
        && !words.iter().any(|word| is_in(LACKS, word))
        // What is better is another one.
        && !words.contains(&"better")
        && !denies(&lower)
        && !NO_SUBJECTS.iter().any(|turn| lower.contains(turn))
}

/// Whether a sentence, in lower case, says what something does not do or is not.
fn denies(lower: &str) -> bool {
    const DENIALS: [&str; 6] = [
        " cannot ",
        " can't ",
        " does not ",
        " doesn't ",
        " is not ",
        " isn't ",
    ];
    let lower = straight(lower);
    DENIALS.iter().any(|denial| lower.contains(denial))
}

/// Whether a sentence says what something is by the words that its name stands for: "The Hot Oven Toolkit is a collection of …" of HOT.
fn spells_out(sentence: &str, name: &str) -> bool {
    let spelled = [" is a ", " is an ", " is the "]
        .iter()
        .filter_map(|verb| sentence.split_once(verb))
        .map(|(spelled, _)| {
            let article = ["The ", "A ", "An "];
            let bare = article
                .iter()
                .find_map(|article| spelled.strip_prefix(article));
            without_brackets(bare.unwrap_or(spelled))
        })
        .min_by_key(String::len);
    let initials = spelled.iter().flat_map(|words| {
        words
            .split([' ', '-'])
            .filter_map(|word| word.chars().next().filter(|c| c.is_uppercase()))
    });
    name.chars().count() >= INITIALS_MIN
        && name.chars().all(char::is_uppercase)
        && initials.eq(name.chars())
}

/// How surely a sentence, in lower case, is said of the subject by its name.
fn of_subject(lower: &str, name: &Name<'_>) -> Option<u32> {
    let bare: String = lower
        .chars()
        .filter(|c| !matches!(c, '“' | '”' | '"' | '`' | '‘'))
        .collect();
    let bare = without_brackets(without_article(&bare));
    let rest = name
        .all()
        .into_iter()
        .filter(|called| !called.is_empty())
        .find_map(|called| {
            let rest = before_name(&bare, &called).strip_prefix(called.as_str())?;
            // `The venv module supports …` is said of venv as well.
            let rest = match rest.strip_prefix(", ") {
                Some(beside) => behind_apposition(beside)?,
                None => rest.strip_prefix(' ')?,
            };
            let (next, after) = rest.split_once(' ')?;
            Some(if is_in(THINGS, next) {
                (is_in(ADAPTERS, next), after.to_owned())
            } else {
                (false, rest.to_owned())
            })
        });
    if let Some((is_adapter, rest)) = rest {
        let verb = rest.split(' ').next().unwrap_or_default();
        if is_adapter && is_in(ADAPTS, verb) {
            return Some(ADAPTER_DOES);
        }
        if is_defining(&rest) {
            // What something is not comes after what it is.
            return Some(match rest.contains(" and does not ") {
                true => SAYS,
                false => SUBJECT_IS,
            });
        }
        let is_for = ["is used for ", "is used to ", "is used as "];
        if is_for.iter().any(|used| rest.starts_with(used)) {
            return Some(SUBJECT_DOES);
        }
        let can = ["can ", "is able to "];
        let can = can.iter().find_map(|can| rest.strip_prefix(can));
        let is_able = can.is_some_and(|able| !is_had(able));
        // "KBN templates embed …" is said of the templates that "KBN template compiler" speaks of.
        let is_own = verb
            .strip_suffix('s')
            .is_some_and(|one| name.full.to_lowercase().split(' ').any(|own| own == one));
        if is_third_person(verb) && !is_own || is_able {
            // "Kiln works with clay 2 and 3" leaves room for what it is.
            return Some(match is_in(NO_DEEDS, verb) {
                true => NEAR_SUBJECT,
                false => SUBJECT_DOES,
            });
        }
    }
    // "Kilnd is a server" of "The Kilnd Heat Keeping System".
    if let Some((first, rest)) = bare.split_once(' ')
        && name.has_name(first)
        && is_defining(rest)
    {
        return Some(TEXT_TELLS);
    }
    // "The goal of pathlib2 is to provide ..."
    let aim = AIMS.split(' ').find_map(|aim| bare.strip_prefix(aim));
    let aim = aim.and_then(|of| of.strip_prefix(" of "));
    let is_aim = |of: &str| {
        let of = without_article(of);
        let called = |called: &String| {
            let rest = of.strip_prefix(called.as_str());
            rest.is_some_and(|rest| rest.starts_with(" is to "))
        };
        name.all()
            .iter()
            .any(|name| !name.is_empty() && called(name))
    };
    if aim.is_some_and(is_aim) {
        return Some(SUBJECT_DOES);
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

/// Whether what something can be, in lower case, is only how one comes by it: "can be installed with pip".
fn is_had(able: &str) -> bool {
    able.strip_prefix("be ")
        .is_some_and(|rest| is_in(HAD, rest.split(' ').next().unwrap_or_default()))
}

/// "Kiln is a collection of tools for potters." of "This text covers the newest release of kiln, a collection of tools for potters,
/// and ...".
fn kind_beside(sentence: &str, name: &Name<'_>) -> Option<String> {
    let sentence = &without_brackets(sentence);
    let on = what_text_is_on(name.spoken());
    // Of a text on something it is said what that is: "This is the manual of kiln, the ...".
    let own = std::iter::once((name.spoken(), name.is_noun()));
    let (called, before, article, kind) = own
        .chain(on.map(|on| (on, true)))
        .filter(|(called, is_noun)| *is_noun && !sentence.starts_with(called))
        .flat_map(|(called, _)| ["a", "an", "the"].map(|article| (called, article)))
        .find_map(|(called, article)| {
            let (before, kind) = sentence.split_once(&format!(" {called}, {article} "))?;
            Some((called, before, article, kind))
        })?;
    // "Before kiln, a collection of tools had to ..." goes on with another subject.
    let is_apposition = before
        .split(' ')
        .all(|word| !is_in(NO_APPOSITION, &word.to_lowercase()));
    let end = kind.find([',', ';', '.', '(', '–', '—'])?;
    let kind = kind.get(..end)?.trim_end();
    let tells_more = kind
        .split(' ')
        .any(|word| is_in(FINITE, &word.to_lowercase()) || is_in("be is was", word));
    (is_apposition && !tells_more && names_kind(kind) && kind.contains(' '))
        .then(|| format!("{called} is {article} {kind}."))
}

fn without_article(lower: &str) -> &str {
    ["the ", "a ", "an "]
        .iter()
        .find_map(|article| lower.strip_prefix(article))
        .unwrap_or(lower)
}

/// A sentence from the name on, where what kind of thing that is stands before it: "kiln-c fires pots" of "c++ package kiln-c fires pots".
fn before_name<'a>(bare: &'a str, called: &str) -> &'a str {
    let at = bare.find(called).filter(|at| *at > 0);
    let lead = at.and_then(|at| bare.get(..at)).unwrap_or_default();
    let mut words = lead.split_whitespace().rev();
    // Some makers stand before the names of all that they make.
    let is_kind = lead.ends_with(' ')
        && words
            .next()
            .is_some_and(|word| is_in(THINGS, word) || word == "gnu" || word == "apache");
    match is_kind && words.count() <= 2 {
        true => bare.get(lead.len()..).unwrap_or(bare),
        false => bare,
    }
}

/// "is a tool" of "an acronym for something, is a tool", which stands behind the comma after a name.
fn behind_apposition(beside: &str) -> Option<&str> {
    const CHARS_MAX: usize = 80;
    let first = beside.split(' ').next().unwrap_or_default();
    let at = beside.find(", is ").filter(|at| *at <= CHARS_MAX)?;
    let is_one = !is_in(NO_APPOSITION, first);
    beside.get(at + ", ".len()..).filter(|_| is_one)
}

fn is_defining(rest: &str) -> bool {
    let is_one = ["is a ", "is an ", "is the "]
        .iter()
        .any(|verb| rest.starts_with(verb));
    // "Type objects are fairly large" says how they are, and not what.
    let are = rest.strip_prefix("are ").map(|what| what.split(' ').next());
    is_one || are.is_some_and(|what| !is_in(HOW_THEY_ARE, what.unwrap_or_default()))
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
        return (name.is_noun() && leads && names_kind(rest) && !says_name(rest, name))
            .then(|| (THIS_IS, format!("{} is {verb} {rest}", name.spoken())));
    }
    let lower = thing.to_lowercase();
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
    if let Some(told) = as_told_by_text(sentence) {
        return Some((THIS_DOES, told));
    }
    if is_thing && leads && name.is_noun() && is_third_person(verb) && !is_in(NO_DEEDS, verb) {
        return Some((THIS_DOES, format!("{} {rest}", capitalised(verb))));
    }
    // "This clay module allows …" of the module for clay.
    let full = name.full.to_lowercase();
    let is_own = this == "This"
        && is_in(THINGS, &verb.to_lowercase())
        && full
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word == lower);
    let deed = rest.split(' ').next().unwrap_or_default();
    if is_own && leads && name.is_noun() && is_third_person(deed) && !is_in(NO_DEEDS, deed) {
        return Some((THIS_DOES, capitalised(rest)));
    }
    if leads && let Some(told) = of_these(sentence, name) {
        return Some((THIS_IS, told));
    }
    (is_thing
        && leads
        && name.is_noun()
        && verb == "is"
        && !says_name(rest, name)
        && ["a ", "an ", "the "]
            .iter()
            .any(|article| rest.strip_prefix(article).is_some_and(names_kind)))
    .then(|| (THIS_IS, format!("{} is {rest}", name.spoken())))
}

/// "These BPF programs allow …" of what is called "LSM BPF Programs", by its whole name.
fn of_these(sentence: &str, name: &Name<'_>) -> Option<String> {
    let rest = ["These ", "This "]
        .iter()
        .find_map(|this| sentence.strip_prefix(this))?;
    let called = name.spoken();
    let tails = called.match_indices(' ').map(|(at, _)| at + 1);
    let tails = std::iter::once(0).chain(tails);
    let told = tails.take(NAME_WORDS).find_map(|start| {
        let tail = called.get(start..)?;
        let (said, told) = rest.split_at_checked(tail.len())?;
        let is_whole = told.starts_with(' ');
        (is_whole && said.eq_ignore_ascii_case(tail)).then_some(told)
    })?;
    let verb = told.split_whitespace().next()?;
    let goes_on = !verb.ends_with(',') && !is_in(RELATIVE, verb);
    goes_on.then(|| format!("{}{told}", capitalised(called)))
}

/// Whether what is said of a subject names it once more: "This is the place of Kiln" is said of the page.
fn says_name(rest: &str, name: &Name<'_>) -> bool {
    let (rest, name) = (rest.to_lowercase(), name.spoken().to_lowercase());
    [" of ", " for "]
        .iter()
        .any(|word| rest.contains(&format!("{word}{name}")))
}

/// Whether what follows "is a" says of what kind something is, and not what became of it or where it stands.
fn names_kind(rest: &str) -> bool {
    !rest
        .split(|c: char| !c.is_alphanumeric())
        .take(3)
        .any(|word| is_in(NO_KINDS, &word.to_lowercase()))
}

/// "This page describes …" as "Describes …", where a text says what it tells.
pub(super) fn as_told_by_text(sentence: &str) -> Option<String> {
    if let Some(told) = as_meant_by_text(sentence) {
        return Some(told);
    }
    let mut words = sentence.splitn(4, ' ');
    let (this, thing, verb, rest) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let lower = thing.to_lowercase();
    let is_english = ["This", "The"].contains(&this)
        && is_in(TEXTS, &lower)
        && (is_in(TELLS, verb) || is_in(TELLS_OF_TEXTS, verb));
    let is_german = ["Diese", "Dieser", "Dieses"].contains(&this)
        && is_in(GERMAN_TEXTS, &lower)
        && is_in(GERMAN_TELLS, verb.trim_end_matches(','));
    (is_english || is_german).then(|| format!("{} {rest}", capitalised(verb)))
}

/// "Describes …" of "The purpose of this page is to describe …" and of "This page tries to describe …".
fn as_meant_by_text(sentence: &str) -> Option<String> {
    const PURPOSES: [&str; 4] = [
        "The aim of this ",
        "The goal of this ",
        "The intent of this ",
        "The purpose of this ",
    ];
    const MEANS: [&str; 6] = [
        "aims to ",
        "attempts to ",
        "intends to ",
        "is meant to ",
        "tries to ",
        "will ",
    ];
    const VERBS: [&str; 8] = [
        "cover",
        "define",
        "describe",
        "document",
        "explain",
        "introduce",
        "provide",
        "specify",
    ];
    let behind = |start: &str| {
        let (text, rest) = sentence.strip_prefix(start)?.split_once(' ')?;
        is_in(TEXTS, &text.to_lowercase()).then_some(rest)
    };
    let of_purpose = || {
        let rest = PURPOSES.iter().find_map(|start| behind(start))?;
        rest.strip_prefix("is to ")
    };
    let of_text = || {
        let rest = behind("This ")?;
        MEANS.iter().find_map(|means| rest.strip_prefix(means))
    };
    let (verb, rest) = of_purpose().or_else(of_text)?.split_once(' ')?;
    VERBS.contains(&verb).then(|| {
        let ending = if verb == "specify" {
            "specifies".to_owned()
        } else {
            format!("{verb}s")
        };
        format!("{} {rest}", capitalised(&ending))
    })
}

/// Whether a line, in lower case, says no more than on what the text is: "Reference for kiln.Door".
fn names_only(lower: &str, name: &Name<'_>) -> bool {
    const TEXTS_ON: [&str; 4] = [
        "api reference for ",
        "documentation for ",
        "manual for ",
        "reference for ",
    ];
    let on = TEXTS_ON.iter().find_map(|text| lower.strip_prefix(text));
    let on = on.map(|on| without_article(on.trim_end_matches('.')));
    on.is_some_and(|on| name.all().iter().any(|called| called == on))
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
    let is_begun = sentence.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    (is_begun || is_label(lower))
        && words.len() >= 4
        && plain_words * 2 > words.len()
        && plain_words >= 3
        && (small_words >= 2 || ["a", "an"].contains(&first) || says_with_what(sentence))
        && !sentence.contains(": ")
        && !sentence.contains("--")
        && !sentence.contains(" - ")
        && sentence
            .chars()
            .filter(|c| c.is_alphabetic() && !c.is_ascii())
            .count()
            <= 2
        && !is_told
        && (!is_in(NO_TAGLINES, first) || tells_of_contents(lower))
        && !is_in(FINITE, first)
        && !sentence.contains(['|', '@', ';'])
        && !sentence.ends_with(['?', '!'])
}

/// Whether a line, in lower case, bids to do what something is there for, as what projects quote below their names: "Check if a kiln
/// has a door". What calls to somewhere else is none.
fn bids(lower: &str) -> bool {
    const BIDS: &str = "add build bump check copy edit find get make run";
    const ELSEWHERE: [&str; 4] = [" here", " this ", "support", "in touch"];
    let mut words = lower.split(' ');
    words.next().is_some_and(|verb| is_in(BIDS, verb))
        && words.count() >= 3
        && !lower.ends_with(['?', '!'])
        && !lower.contains(['|', '@', ';'])
        && !ELSEWHERE.iter().any(|turn| lower.contains(turn))
}

/// Whether a line in capitals is a sentence's, and says what for or with what something is: "Telephone Numbers with Kiln."
fn says_with_what(sentence: &str) -> bool {
    sentence.ends_with('.')
        && !sentence.contains([',', '&'])
        && [" for ", " with "]
            .iter()
            .any(|word| sentence.contains(word))
}

/// Whether a line that begins with a small letter says of what kind something is, and what it is for: "loader of pots for kilns".
fn is_label(lower: &str) -> bool {
    let mut words = lower.trim_end_matches('.').split(' ');
    let first = words.next().unwrap_or_default();
    let is_word = !first.is_empty() && first.chars().all(|c| c.is_alphabetic() || c == '-');
    let says_what_for = words
        .clone()
        .skip(1)
        .any(|word| matches!(word, "for" | "of" | "to" | "in"));
    is_word
        && says_what_for
        && !is_in(NO_LEADS, first)
        && !is_in(LABEL_LEADS, first)
        && words.count() < LABEL_WORDS
}

/// Whether a line, in lower case, says what a text tells: "What the kiln reaches, how to measure it, and what limits it".
fn tells_of_contents(lower: &str) -> bool {
    ["what ", "how "]
        .iter()
        .any(|start| lower.starts_with(start))
        && [", what ", ", how ", " and what ", " and how "]
            .iter()
            .any(|turn| lower.contains(turn))
}

/// Whether a sentence without a subject begins with a verb in the third person: "Allows …".
fn tells_in_third_person(lower: &str) -> bool {
    let first = lower.split(' ').next().unwrap_or_default();
    is_in(TELLS, first) || is_in(DOES, first)
}
