//! Owns what a piece of a source is good for: a step, a rule, a command, a definition, an option, an error and its fix.

mod cues;

use self::cues::{
    AFTER_VERBS, NEEDED, NO_KINDS, NO_TERMS, NOUNS_TOO, RULES, STEPS, TROUBLE, VERIFY, WHEN,
};
use skillkiln_document::blocks::BlockKind;
use skillkiln_document::quick::QuickSet;
use std::ops::Deref;
use std::sync::LazyLock;

/// What a piece is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Role {
    /// Says when to do or use something.
    When,
    /// What must be there beforehand.
    Prerequisite,
    /// Steps in order.
    Procedure,
    /// What must or must not be done, and what surprises.
    Rule,
    /// A command or code to take over.
    Example,
    /// Options, settings, parameters.
    Options,
    /// What something is.
    Definition,
    /// What can go wrong, and its remedy.
    Trouble,
    /// How to check a result.
    Verify,
    /// Anything else.
    Plain,
}

/// The role of a sentence, and how surely it has it (0 to 1).
pub(super) fn of_sentence(text: &str) -> (Role, f32) {
    let padded = padded(text);
    let first = padded.split_whitespace().next().unwrap_or("");
    let strongest = |list: &[&str]| list.iter().any(|cue| padded.has(cue));
    let mut rule: f32 = 0.0;
    for (cue, weight) in RULES {
        if padded.has(cue) {
            rule = rule.max(weight) + 0.05;
        }
    }
    if strongest(&WHEN)
        || ((padded.starts_with(" use ") || padded.starts_with(" choose "))
            && (padded.has(" when ") || padded.has(" if ")))
    {
        return (Role::When, 0.8);
    }
    if opens(&padded, &VERIFY) {
        return (Role::Verify, 0.7);
    }
    if opens(&padded, &NEEDED) {
        return (Role::Prerequisite, 0.7);
    }
    if rule >= 0.7 {
        return (Role::Rule, rule.min(1.0));
    }
    if strongest(&TROUBLE)
        && (padded.starts_with(" if ")
            || padded.starts_with(" when ")
            || padded.has(" to fix ")
            || padded.has(" workaround"))
    {
        return (Role::Trouble, 0.6);
    }
    if is_step(first) {
        return (Role::Procedure, 0.6);
    }
    if rule >= 0.4 {
        return (Role::Rule, rule);
    }
    if defines(&padded)
        && !text
            .split(" is ")
            .next()
            .is_some_and(|subject| subject.contains(','))
    {
        return (Role::Definition, 0.6);
    }
    (Role::Plain, 0.0)
}

/// Whether a sentence, in lower case between spaces, opens with one of these; elsewhere in it they speak of something else: "the
/// instruction tells how to check that …".
fn opens(padded: &str, cues: &[&str]) -> bool {
    const LEADS: [&str; 6] = ["also", "finally", "first", "next", "now", "then"];
    let start = padded.trim_start();
    let after = start
        .split_once(' ')
        .filter(|(first, _)| LEADS.contains(first))
        .map_or(start, |(_, after)| after.trim_start());
    cues.iter().any(|cue| after.starts_with(cue.trim_start()))
}

/// Whether a sentence, in lower case between spaces, says of a short subject what it is.
fn defines(padded: &str) -> bool {
    let cue = [
        " is a ",
        " is an ",
        " is the ",
        " are the ",
        " refers to ",
        " stands for ",
        " is called ",
        " means ",
    ]
    .iter()
    .filter_map(|cue| padded.find(cue).map(|at| (at, cue.len())))
    .min();
    let Some((subject, said)) =
        cue.and_then(|(at, length)| Some((padded.get(..at)?.trim(), padded.get(at + length..)?)))
    else {
        return false;
    };
    let mut words = subject.split_whitespace().peekable();
    words.next_if(|word| ["the", "a", "an"].contains(word));
    let first = words.next().unwrap_or("");
    let kind = said
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or("");
    // "Creates a list that is the difference of two" defines no list.
    let of_clause = |word: &str| ["if", "that", "when", "whether", "which", "who"].contains(&word);
    !first.is_empty()
        && !words.clone().any(of_clause)
        && words.count() <= 4
        && !NO_TERMS.contains(&first)
        && !NO_KINDS.contains(&kind)
        && !subject.starts_with(['(', '['])
}

/// The role that a section's title gives to what stands under it. A question gives none: what stands under it answers it.
pub(super) fn of_title(title: &str) -> Option<Role> {
    let lower = padded(title);
    let has = |words: &[&str]| words.iter().any(|word| lower.has(word));
    let begins = |words: &[&str]| words.iter().any(|word| lower.starts_with(word));
    if is_question(title) {
        None
    } else if has(&[" prerequisite", " requirement", " before you", " you need"]) {
        Some(Role::Prerequisite)
    } else if has(&[
        " troubleshoot",
        " error",
        " problem",
        " common issues",
        " debugging",
        " fix ",
    ]) {
        Some(Role::Trouble)
    } else if begins(&[
        " verify",
        " verification",
        " check ",
        " checking ",
        " test the ",
        " test your ",
        " testing the ",
        " testing your ",
    ]) {
        Some(Role::Verify)
    } else if has(&[
        " option ",
        " options",
        " parameter",
        " configuration",
        " settings",
        " flags",
        " arguments",
        " attributes",
        " fields",
        " environment variables",
        " properties",
    ]) {
        Some(Role::Options)
    } else if has(&[
        " caveat",
        " limitation",
        " best practice",
        " gotcha",
        " warning",
        " rules",
        " pitfall",
        " security",
        " guidelines",
        " restrictions",
        " dos and don",
    ]) {
        Some(Role::Rule)
    } else if begins(&[" when to use ", " use cases", " why use"]) {
        Some(Role::When)
    } else if has(&[
        " glossary",
        " terminology",
        " concepts",
        " definitions",
        " terms",
    ]) {
        Some(Role::Definition)
    } else if has(&[" step by step", " step-by-step"]) {
        Some(Role::Procedure)
    } else if has(&[" example", " examples", " recipes", " snippets"]) {
        Some(Role::Example)
    } else if has(&[
        " install",
        " setup",
        " set up",
        " getting started",
        " get started",
        " quick start",
        " quickstart",
        " usage",
        " how to",
        " steps",
        " step ",
        " tutorial",
        " walkthrough",
        " instructions",
        " procedure",
        " deploy",
        " build",
        " running",
        " run ",
    ]) || names_task(&lower)
    {
        Some(Role::Procedure)
    } else {
        None
    }
}

/// Whether a title asks, as those of lists of questions and answers do.
pub(super) fn is_question(title: &str) -> bool {
    title.trim_end().ends_with(['?', '？'])
}

/// Whether a title tells how to undo, to renew or to take part: nobody begins with that.
pub(super) fn comes_late(title: &str) -> bool {
    const LATE: [&str; 15] = [
        " uninstall",
        " remov",
        " upgrad",
        " updating ",
        " reporting ",
        " bug report",
        " contribut",
        " develop",
        " retir",
        " migrat",
        " deprecat",
        " building from source",
        " compiling from source",
        " releas",
        " downgrad",
    ];
    let lower = padded(unnumbered(title));
    LATE.iter().any(|word| lower.starts_with(word))
}

/// A title without the number of its section.
fn unnumbered(title: &str) -> &str {
    title.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' '))
}

/// Whether a title tells how to begin.
pub(super) fn comes_first(title: &str) -> bool {
    const FIRST: [&str; 8] = [
        " install",
        " quick start",
        " quickstart",
        " getting started",
        " get started",
        " tutorial",
        " usage",
        " step by step",
    ];
    let lower = padded(title);
    let is_first = FIRST.iter().any(|word| lower.has(word));
    // "Basic usage", and not the part of that name of something else.
    (is_first || padded(unnumbered(title)).starts_with(" basic ")) && !comes_late(title)
}

/// The role of a block that is taken over whole.
pub(super) fn of_block(kind: &BlockKind, title: Option<Role>, intro: &str) -> Role {
    match kind {
        BlockKind::List {
            start: Some(_),
            items,
        } if items.len() >= 2 => match title {
            Some(Role::Trouble) => Role::Trouble,
            Some(Role::Prerequisite) => Role::Prerequisite,
            Some(Role::Rule) => Role::Rule,
            _ if are_links(items) => Role::Plain,
            // Examples that a manual numbers are no steps of one task.
            Some(Role::Example) if items.iter().any(|item| holds_code(item)) => Role::Example,
            Some(Role::Procedure) => Role::Procedure,
            _ if are_steps(items) || padded(intro).has(" step") => Role::Procedure,
            _ => Role::Plain,
        },
        BlockKind::Code { .. } => match title {
            Some(Role::Verify) => Role::Verify,
            Some(Role::Trouble) => Role::Trouble,
            _ => Role::Example,
        },
        BlockKind::Table { header, .. } => {
            let lower = padded(
                &header
                    .iter()
                    .map(|cell| skillkiln_document::text::plain(cell))
                    .collect::<Vec<_>>()
                    .join(" "),
            );
            let optional = [
                " option",
                " flag",
                " parameter",
                " name ",
                " field",
                " setting",
                " default",
                " argument",
                " key ",
                " property",
                " command",
                " variable",
                " attribute",
                " method",
            ]
            .iter()
            .any(|word| lower.has(word));
            match title {
                Some(Role::Trouble) => Role::Trouble,
                _ if optional || title == Some(Role::Options) => Role::Options,
                _ => Role::Plain,
            }
        }
        BlockKind::Definitions(_) => Role::Options,
        BlockKind::Admonition { class, .. } => match class.as_str() {
            "note" | "info" | "tip" | "hint" | "seealso" | "example" => Role::Plain,
            _ => Role::Rule,
        },
        BlockKind::List { items, .. } => match title.unwrap_or_else(|| of_sentence(intro).0) {
            Role::Procedure if !are_steps(items) => Role::Plain,
            role => role,
        },
        _ => title.unwrap_or_else(|| of_sentence(intro).0),
    }
}

fn holds_code(item: &[skillkiln_document::blocks::Block]) -> bool {
    item.iter()
        .any(|block| matches!(block.kind, BlockKind::Code { .. }))
}

/// Whether most items are nothing but addresses and links.
fn are_links(items: &[Vec<skillkiln_document::blocks::Block>]) -> bool {
    use skillkiln_document::text::Inline;
    let links = items
        .iter()
        .filter(|item| {
            item.iter().all(|block| match &block.kind {
                BlockKind::Paragraph(text) => text.iter().all(|inline| match inline {
                    Inline::Link(_) => true,
                    Inline::Text(words) => {
                        words.contains("://") || !words.contains(char::is_alphanumeric)
                    }
                    _ => false,
                }),
                _ => false,
            })
        })
        .count();
    links * 2 > items.len()
}

/// Whether at least half of the items begin as steps do.
fn are_steps(items: &[Vec<skillkiln_document::blocks::Block>]) -> bool {
    let steps = items
        .iter()
        .filter(|item| {
            let text = item
                .first()
                .map(super::outline::block_text)
                .unwrap_or_default();
            let start: String = text.chars().take(120).collect();
            let lower = padded(&start);
            let mut words = lower.split_whitespace();
            let first = words.next().unwrap_or("");
            is_step(first)
                || [
                    "first", "then", "next", "now", "finally", "if", "in", "on", "after", "to",
                    "once", "from",
                ]
                .contains(&first)
                    && words.take(12).any(is_step)
        })
        .count();
    steps * 2 >= items.len()
}

/// Whether a word, in lower case, begins a step.
pub(super) fn is_step(word: &str) -> bool {
    static ALL: LazyLock<QuickSet<&str>> = LazyLock::new(|| STEPS.split_whitespace().collect());
    ALL.contains(word)
}

/// Whether a title, in lower case, names a task: it begins with a verb's gerund, or with its base form used as a verb.
fn names_task(title: &str) -> bool {
    let listed = |list: &str, word: &str| list.contains(&format!(" {word} "));
    let mut words = title.split_whitespace();
    let (first, second) = (words.next().unwrap_or(""), words.next());
    is_task(first)
        && (!listed(NOUNS_TOO, first) || second.is_some_and(|next| listed(AFTER_VERBS, next)))
}

/// Whether a word names a task: a verb's base form or its gerund.
fn is_task(word: &str) -> bool {
    is_step(word)
        || word.strip_suffix("ing").is_some_and(|stem| {
            is_step(stem) || is_step(&format!("{stem}e")) || {
                let mut letters = stem.chars().rev();
                letters
                    .next()
                    .is_some_and(|last| letters.next() == Some(last))
                    && stem
                        .char_indices()
                        .next_back()
                        .and_then(|(at, _)| stem.get(..at))
                        .is_some_and(is_step)
            }
        })
}

/// The text in lower case between spaces, without the marks that would hide a word's border.
fn padded(text: &str) -> Padded {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(' ');
    for character in text.chars() {
        match character {
            '.' | ',' | ';' | ':' | '!' | '?' | '(' | ')' | '"' | '\n' | '*' | '“' | '”' => {
                out.push(' ')
            }
            '’' => out.push('\''),
            c if c.is_ascii() => out.push(c.to_ascii_lowercase()),
            c => out.extend(c.to_lowercase()),
        }
    }
    out.push(' ');
    let starts = starts_of(&out);
    Padded { text: out, starts }
}

/// A text in which many words are looked for.
struct Padded {
    text: String,
    /// With which two letters its words begin.
    starts: u64,
}

impl Padded {
    /// Whether words that begin with a space stand in the text. Most of them begin with letters with which no word there begins, and
    /// need not be searched.
    fn has(&self, words: &str) -> bool {
        let first = words.get(..3).map_or(0, starts_of);
        first & self.starts == first && self.text.contains(words)
    }
}

impl Deref for Padded {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

/// A bit for each two bytes behind a space; others may share it.
fn starts_of(text: &str) -> u64 {
    text.as_bytes().windows(3).fold(0, |starts, bytes| {
        let [b' ', first, second] = bytes else {
            return starts;
        };
        starts | 1 << ((first.wrapping_mul(31) ^ second) % 64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_not_searched_for_does_not_stand_there(text in "( ?(mu|mü|ne|at|t|le|ss|st|ver|sen|o|!)){0,12}") {
            let padded = padded(&text);
            for cue in [" must ", " müssen ", " never ", " at least ", " to ", "ver"] {
                prop_assert_eq!(padded.has(cue), padded.contains(cue), "{:?} in {:?}", cue, &*padded);
            }
        }
    }

    #[test]
    fn a_sentence_is_known_by_its_cues() {
        for (text, role) in [
            ("You must not edit the generated file.", Role::Rule),
            ("The port is 8080 by default.", Role::Rule),
            ("Verify that the service answers.", Role::Verify),
            ("Use a queue when messages may not be lost.", Role::When),
            ("A queue is a list of messages that wait.", Role::Definition),
            ("Open the settings page and choose a name.", Role::Procedure),
            ("If the build fails, clear the cache.", Role::Trouble),
            ("The sky was grey that day.", Role::Plain),
            ("Kilnctl is the product of hard work.", Role::Plain),
            ("The default of 5 is a reasonable balance.", Role::Plain),
            ("Whether to look at the purpose as well.", Role::Plain),
            ("Then verify that the service answers.", Role::Verify),
            (
                "The call tells the kiln how to verify that it is warm.",
                Role::Plain,
            ),
            (
                "Whoever wants it twice, you will need a name for it.",
                Role::Plain,
            ),
            ("Even if it is a new kiln, it burns wood.", Role::Plain),
            (
                "Creates a list that is the difference of two kilns.",
                Role::Plain,
            ),
            ("Don’t open the door.", Role::Rule),
        ] {
            assert_eq!(of_sentence(text).0, role, "{text}");
        }
    }

    #[test]
    fn nobody_begins_with_undoing_or_taking_part() {
        assert!(comes_first("Installing the kiln") && comes_first("Quick start"));
        for late in [
            "Uninstalling the kiln",
            "Reporting bugs",
            "Contributing",
            "Upgrading from 1.x",
        ] {
            assert!(comes_late(late) && !comes_first(late), "{late}");
        }
    }

    #[test]
    fn a_title_tells_what_stands_under_it() {
        assert_eq!(of_title("Prerequisites"), Some(Role::Prerequisite));
        assert_eq!(of_title("Configuring the proxy"), Some(Role::Procedure));
        assert_eq!(of_title("Command-line options"), Some(Role::Options));
        assert_eq!(of_title("The history of bread"), None);
        assert_eq!(of_title("Return Values and Scope"), None);
        assert_eq!(of_title("Return the book"), Some(Role::Procedure));
        assert_eq!(of_title("A step by step example"), Some(Role::Procedure));
        for silent in [
            "Kiln FAQ",
            "Can I disable checking the door?",
            "The testing distribution",
        ] {
            assert_eq!(of_title(silent), None, "{silent}");
        }
    }
}
