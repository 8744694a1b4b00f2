//! Owns the sentence that says what a source is about, in its own words: the line of a manual page that does, what a document says of itself, a
//! summary, else a sentence that defines what its title or its product names.

use crate::kind::Kind;
use crate::naming::says_nothing;
use crate::outline::block_text;
use crate::sentences::sentences;
use crate::stop_words::is_stop_word;
use crate::subject::{Subject, WHAT_CHARS_MAX, clean};
use crate::tasks::{bare_title, is_verb, third_person};
use crate::terms::Vocabulary;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{capitalised, is_ideographic, letters, plain, squash};

/// Sentences of Chinese or Japanese are shorter.
const WIDE_CHARS_MAX: usize = 80;
/// Shortest sentence that can say what something is.
const CHARS_MIN: usize = 32;
const WIDE_CHARS_MIN: usize = 10;
/// Paragraphs that are looked at, and sentences of each.
const PARAGRAPHS_MAX: usize = 12;
const SENTENCES_MAX: usize = 4;
/// Sentences from the beginning among which a document tells of itself.
const OWN_SENTENCES_MAX: usize = 10;

/// What a document calls itself.
const SELVES: &str = "article appendix book chapter checklist course cookbook crate document documentation extension file gem guide guideline \
    handbook library manual memo module note notes package page paper plugin post program project readme reference repository runbook section \
    sheet site specification standard style template tool tutorial wiki";

/// Verbs that define or tell what something does, with the blanks around them.
const DEFINING: [&str; 26] = [
    " is a ",
    " is an ",
    " is the ",
    " are a ",
    " are an ",
    " are the ",
    " provides ",
    " provide ",
    " describes ",
    " explains ",
    " lets ",
    " allows ",
    " enables ",
    " implements ",
    " defines ",
    " helps ",
    " keeps ",
    " sends ",
    " ist ",
    " est un",
    " es un",
    " é um",
    " è un",
    "это ",
    "是",
    "です",
];

/// Words of the first and second person, and of what no sentence on a subject holds.
const UNSUITED: [&str; 55] = [
    " i ",
    " we ",
    " you ",
    " your ",
    " my ",
    " our ",
    " us ",
    " i'm ",
    " we're ",
    " you're ",
    " let's ",
    " me ",
    " i've ",
    " we'll ",
    " you'll ",
    " você ",
    " vous ",
    " nous ",
    " usted ",
    " wir ",
    " мы ",
    " вы ",
    " copyright",
    " welcome",
    " cookie",
    "http://",
    "https://",
    "@",
    " click ",
    "license",
    "licence",
    " translat",
    " happy ",
    " thanks",
    " updated ",
    " also ",
    " author",
    " maintained by",
    " checked with",
    " product of ",
    " of the document",
    " this ",
    " these ",
    " those ",
    " goal ",
    " for example",
    " collection of all ",
    " such ",
    " table of contents",
    " if ",
    " for more",
    "learn more",
    "read more",
    " more about",
    " more info",
];

/// Words that open a sentence which holds for a case, or goes on from another.
const CASES: &str = " if when where while as because since although unless in on at for with from to by after before during once despite however many most some \
    wenn falls als si quand lorsque comme si cuando como quando se если когда ";

/// The sentence.
#[must_use]
pub fn what(subject: &Subject<'_>) -> Option<String> {
    let title = bare_title(subject.title);
    let paragraphs = subject.blocks.iter().filter_map(|block| match &block.kind {
        BlockKind::Paragraph(text) => Some(squash(&plain(text))),
        _ => None,
    });
    let texts: Vec<String> = paragraphs.take(PARAGRAPHS_MAX).collect();
    let said: Vec<&str> = texts
        .iter()
        .flat_map(|text| {
            let own = sentences(text).into_iter().take(SENTENCES_MAX);
            let own = own.filter_map(|range| text.get(range));
            // "This is where doors come in: A door is a thing that shuts."
            own.flat_map(|one| {
                std::iter::once(one).chain(one.split_once(": ").map(|(_, tail)| tail))
            })
        })
        .collect();
    let own = || {
        let mut first = said.iter().take(OWN_SENTENCES_MAX);
        first.find_map(|one| self_told(one, title).filter(|one| fits(one)))
    };
    let own_words = format!("{title} {}", subject.product.unwrap_or_default());
    let names = |one: &str| is_named(one, &own_words);
    let defined = || {
        let mut all = said.iter().filter(|one| fits(one));
        all.find(|one| defined_by(one).is_some_and(names))
            .map(|one| (*one).to_owned())
    };
    name_line(subject)
        .or_else(own)
        .or_else(|| summary(subject, title))
        .or_else(defined)
        .or_else(|| lead(subject, subject.blocks, title))
        .or_else(|| {
            let mut sections = subject.outline.sections.iter();
            let section = sections.find(|one| tells_of_all(&one.title))?;
            lead(subject, subject.blocks.get(section.blocks.clone())?, title)
        })
        .map(|one| clean(&one))
}

/// Whether a section tells what all of the document is about: in a manual page, and in a standard.
fn tells_of_all(title: &str) -> bool {
    ["description", "abstract"].contains(&bare_title(title).to_lowercase().as_str())
}

/// Words behind a verb that orders something.
const OBJECTS: &str = " a all an any each it that the them these this those your ";

/// The sentence that some blocks open with, where it names what the title or the product names and orders nothing.
fn lead(subject: &Subject<'_>, blocks: &[Block], title: &str) -> Option<String> {
    let mut opening = blocks
        .iter()
        .filter(|block| !matches!(block.kind, BlockKind::Heading { .. }));
    // "Version: 7.5" is no sentence.
    let text = opening.find_map(|block| match &block.kind {
        BlockKind::Paragraph(text) => {
            Some(squash(&plain(text))).filter(|text| text.ends_with(['.', ':', '。']))
        }
        _ => Some(String::new()),
    })?;
    let first = plainly(text.get(sentences(&text).into_iter().next()?)?);
    let product = subject.product.unwrap_or_default();
    let first = without_clause(&first, product).unwrap_or(first);
    let mut opening = first.split(' ');
    let verb = opening.next().unwrap_or_default().to_lowercase();
    let orders = is_verb(&verb)
        && opening
            .next()
            .is_some_and(|word| OBJECTS.contains(&format!(" {word} ")));
    let is_named = !says_nothing(&title.to_lowercase()) && names(&first, title)
        || !product.is_empty() && letters(&first).contains(&letters(product))
        || product.is_empty() && is_told_of(&first);
    // "Enables logging of requests": what is called by its title does so.
    let does = verb
        .strip_suffix('s')
        .is_some_and(|stem| is_verb(stem) && third_person(stem) == verb);
    (fits(&first) && (is_named && !orders || does)).then_some(first)
}

/// Whether a sentence opens with one name and tells what that does.
fn is_told_of(sentence: &str) -> bool {
    defined_by(sentence).is_some_and(|name| {
        name.starts_with(char::is_uppercase)
            && name.chars().all(char::is_alphanumeric)
            && !is_stop_word(&name.to_lowercase())
    })
}

/// A sentence without the clause before the one that `product` opens, or what has a name and is told of: "To keep pots whole, Brenn lets them
/// cool slowly."
fn without_clause(sentence: &str, product: &str) -> Option<String> {
    let (clause, rest) = sentence.split_once(", ")?;
    let first = clause.split(' ').next().unwrap_or_default().to_lowercase();
    let is_clause = CASES.contains(&format!(" {first} "));
    let is_named =
        !product.is_empty() && letters(rest).starts_with(&letters(product)) || is_told_of(rest);
    (is_clause && is_named).then(|| capitalised(rest))
}

/// A sentence without what stands in brackets.
fn plainly(sentence: &str) -> String {
    let mut depth = 0_u32;
    let mut out = String::with_capacity(sentence.len());
    for c in sentence.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    squash(&out).replace(" .", ".").replace(" ,", ",")
}

/// "tmux - terminal multiplexer" below the heading NAME, as every manual page has it.
fn name_line(subject: &Subject<'_>) -> Option<String> {
    let mut sections = subject.outline.sections.iter();
    let section = sections.find(|one| one.title.eq_ignore_ascii_case("name"))?;
    let line = block_text(subject.blocks.get(section.blocks.start)?);
    let line = squash(&line);
    let (name, kind) = [" - ", " – ", " — "]
        .iter()
        .find_map(|dash| line.split_once(dash))?;
    let is_short = kind.chars().count() <= WHAT_CHARS_MAX - name.chars().count().min(100);
    (is_short && !name.is_empty())
        .then(|| clean(&format!("{name}: {}.", kind.trim_end_matches('.'))))
}

/// The first sentence of a summary, where that is of this page: one of a whole site names less than half of what the title names, or not what
/// the title begins with. What the summary of a title such as "Version 5" tells is taken as it is.
fn summary(subject: &Subject<'_>, title: &str) -> Option<String> {
    let summary = squash(subject.summary?);
    let first = sentences(&summary).into_iter().next()?;
    let first = summary.get(first)?.trim();
    let ended = match first.ends_with(['.', '。', '!', '…', ')']) {
        true => first.to_owned(),
        false => format!("{first}."),
    };
    let told = self_told(&ended, title).unwrap_or(ended);
    let mut vocabulary = Vocabulary::default();
    let said = vocabulary.terms(&summary);
    let own = vocabulary.terms(title);
    let held = own.iter().filter(|term| said.contains(term)).count();
    let is_of_page = held * 2 > own.len() && own.first().is_some_and(|term| said.contains(term));
    let is_told = subject.kind == Kind::Api || subject.is_own_summary || own.is_empty();
    ((is_of_page || is_told || says_nothing(&title.to_lowercase())) && fits(&told)).then_some(told)
}

/// What a document says of itself, told of its subject: "This guide covers the doors of kilns" is "Covers the doors of kilns", "It is intended
/// to give you a survey" is "Gives a survey", "In this guide, you will learn how to fire" is "Shows how to fire", and "This guide is short" has
/// its title in front. What "This" alone is nobody knows.
fn self_told(sentence: &str, title: &str) -> Option<String> {
    let is_own = |word: &str| format!(" {SELVES} ").contains(&format!(" {} ", word.to_lowercase()));
    if let Some(shown) = promised(sentence, is_own) {
        return Some(shown);
    }
    // "The goal of this guide is to present the rules" presents them.
    let purpose = [
        "The goal of this ",
        "The aim of this ",
        "The purpose of this ",
    ];
    if let Some(rest) = purpose
        .iter()
        .find_map(|front| sentence.strip_prefix(front))
    {
        let (own, purpose) = rest.split_once(" is to ")?;
        let (verb, after) = purpose.split_once(' ')?;
        let is_verb =
            own.split(' ').next_back().is_some_and(is_own) && !matches!(verb, "be" | "have");
        return is_verb.then(|| capitalised(&format!("{} {after}", third_person(verb))));
    }
    let fronts = ["This ", "The following "];
    let rest = fronts
        .iter()
        .find_map(|front| sentence.strip_prefix(front))?;
    let (first, rest) = rest.split_once(' ')?;
    // "This cheat sheet", "This user guide".
    let rest = match rest.split_once(' ') {
        Some((second, rest)) if !is_own(first) && is_own(second) => rest,
        _ if is_own(first) => rest,
        _ => return None,
    };
    let rest = rest.replacen(" you ", " ", 1);
    let rest = rest
        .strip_suffix(':')
        .filter(|rest| !rest.ends_with(" this"))
        .unwrap_or(&rest);
    if rest.ends_with(':') {
        return None;
    }
    let rest = rest.trim_end_matches('.');
    let rest = &*format!("{rest}.");
    if let Some(purpose) = ["is intended to ", "aims to ", "is meant to "]
        .iter()
        .find_map(|opening| rest.strip_prefix(opening))
    {
        let (verb, after) = purpose.split_once(' ')?;
        return Some(capitalised(&format!("{} {after}", third_person(verb))));
    }
    let (verb, after) = rest.split_once(' ')?;
    // "Makes no attempt to" says what it is not.
    if after.starts_with("no ") || after.starts_with("not ") {
        return None;
    }
    let is_verb = verb.ends_with('s') && verb.chars().all(char::is_lowercase);
    match verb {
        "is" => Some(format!("{title} is {after}")),
        _ if is_verb && !matches!(verb, "was" | "has" | "does") => {
            Some(capitalised(&format!("{verb} {after}")))
        }
        _ => None,
    }
}

/// What a reader is promised: "In this tutorial, we will build a kiln" and "Learn how to build a kiln" show how to build one.
fn promised(sentence: &str, is_own: impl Fn(&str) -> bool) -> Option<String> {
    const PROMISES: [&str; 10] = [
        "you will learn ",
        "you'll learn ",
        "we will learn ",
        "you learn ",
        "we will look at ",
        "we'll look at ",
        "we will ",
        "we'll ",
        "you will ",
        "you'll ",
    ];
    if let Some(rest) = sentence.strip_prefix("Learn ") {
        return rest
            .strip_prefix("how to ")
            .map(|rest| format!("Shows how to {rest}"));
    }
    let (opening, rest) = sentence.strip_prefix("In this ")?.split_once(", ")?;
    if !opening.split(' ').next_back().is_some_and(is_own) || opening.contains(" of ") {
        return None;
    }
    let rest = rest.replace('\u{2019}', "'");
    let (promise, rest) = PROMISES
        .iter()
        .find_map(|one| Some((one, rest.strip_prefix(one)?)))?;
    let first = rest.split(' ').next().unwrap_or_default();
    match (
        rest.strip_prefix("how to "),
        promise.trim_end().ends_with("look at"),
    ) {
        (Some(rest), _) => Some(format!("Shows how to {rest}")),
        (None, true) => Some(format!("Looks at {rest}")),
        (None, false) if is_verb(first) => Some(format!("Shows how to {rest}")),
        (None, false) => None,
    }
}

/// What a sentence defines or tells of: the words before the verb that does.
fn defined_by(sentence: &str) -> Option<&str> {
    let at = DEFINING
        .iter()
        .filter_map(|mark| sentence.find(mark))
        .min()?;
    sentence.get(..at)
}

/// Whether what a sentence speaks of is what the title or the product names, with one word more at most: "The Kiln program" of kilns. What
/// stands behind a comma or in brackets is another name of it: "Clay Body (CB)".
fn is_named(spoken_of: &str, own: &str) -> bool {
    let mut vocabulary = Vocabulary::default();
    let own: Vec<String> = vocabulary
        .terms(own)
        .into_iter()
        .map(|term| vocabulary.written(term).to_lowercase())
        .collect();
    let is_own = |word: &str| {
        let lower = word.to_lowercase();
        own.iter().any(|one| {
            *one == lower
                || one.len() > 3 && lower.contains(one.as_str())
                || lower.len() > 3 && one.contains(lower.as_str())
        })
    };
    let mut terms = |text: &str| -> Vec<bool> {
        let terms = vocabulary.terms(text);
        terms
            .into_iter()
            .map(|term| is_own(vocabulary.written(term)))
            .collect()
    };
    let (head, aside) = spoken_of.split_once([',', '(']).unwrap_or((spoken_of, ""));
    let (head, aside) = (terms(head), terms(aside));
    let others = head.iter().filter(|is_own| !**is_own).count();
    // "The Kiln program" is the kiln, "the immediate strategy" one of several.
    let is_head =
        head.contains(&true) && (others == 0 || others == 1 && head.last() == Some(&false));
    is_head || aside.contains(&true) && aside.len() <= 2 && head.len() <= 4
}

/// Whether a text names what a title names: half of the title's words.
pub(crate) fn names(text: &str, title: &str) -> bool {
    let mut vocabulary = Vocabulary::default();
    let said = vocabulary.terms(text);
    let own = vocabulary.terms(title);
    let held = own.iter().filter(|term| said.contains(term)).count();
    held * 2 >= own.len().max(1)
}

/// Whether a sentence can say what a skill is: of some length, of the third person, leaning on nothing.
fn fits(sentence: &str) -> bool {
    let chars = sentence.chars().count();
    let is_wide = sentence.chars().any(is_ideographic);
    let (least, most) = match is_wide {
        true => (WIDE_CHARS_MIN, WIDE_CHARS_MAX),
        false => (CHARS_MIN, WHAT_CHARS_MAX),
    };
    let lower = format!(" {} ", sentence.to_lowercase().replace(['\u{2019}'], "'"));
    let first = lower.split([' ', ',']).nth(1).unwrap_or_default();
    (least..=most).contains(&chars)
        && !crate::cues::leans(sentence)
        && !crate::cues::points_elsewhere(sentence)
        && !crate::cues::is_unfit(sentence)
        && !CASES.contains(&format!(" {first} "))
        && !UNSUITED.iter().any(|word| lower.contains(word))
        && sentence.matches('(').count() == sentence.matches(')').count()
        && sentence.matches('"').count().is_multiple_of(2)
        && !sentence.contains(['<', '>', '{', '}', '[', '|', '→', '↑'])
        && !sentence.contains(": ")
        && !sentence.trim_end().ends_with("..")
        && sentence.trim_end().ends_with(['.', '。', '!', '…', ')'])
        && sentence.starts_with(|c: char| {
            c.is_alphanumeric() && !c.is_ascii_digit() || c == '`' || c == '"'
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lead_ins::for_language;
    use crate::outline::Outline;
    use skillkiln_document::testing::document;

    fn what_of(title: &str, summary: Option<&str>, text: &str) -> Option<String> {
        let document = document(text);
        let outline = Outline::of(&document.blocks);
        what(&Subject {
            title,
            product: Some("Brenn"),
            is_sure: false,
            kind: Kind::HowTo,
            summary,
            is_own_summary: false,
            blocks: &document.blocks,
            outline: &outline,
            units: &[],
            names: &[],
            weights: &[],
            lead_ins: for_language("en"),
        })
    }

    #[test]
    fn a_document_tells_of_itself_and_a_manual_page_in_its_first_line() {
        let told = |text: &str| what_of("Kiln doors", None, text).unwrap_or_default();
        assert_eq!(
            told(
                "# NAME\n\nkiln - fires pots slowly\n\n# DESCRIPTION\n\nA kiln door is a thing that shuts tightly."
            ),
            "kiln: fires pots slowly."
        );
        assert_eq!(
            told("Some words first.\n\nThis guide covers the doors of kilns and how they shut."),
            "Covers the doors of kilns and how they shut."
        );
        assert_eq!(
            told("This guide is for everybody who shuts a kiln."),
            "Kiln doors is for everybody who shuts a kiln."
        );
        assert_eq!(
            told("This guide is intended to give a survey of all the doors."),
            "Gives a survey of all the doors."
        );
        assert_eq!(told("This is the door of another kiln, not ours."), "");
        assert_eq!(
            told("This cheat sheet advises you on the proper ways to shut one."),
            "Advises on the proper ways to shut one."
        );
        assert_eq!(
            told("In this tutorial, you'll learn how to open and shut a kiln."),
            "Shows how to open and shut a kiln."
        );
        assert_eq!(
            told("Learn how to open and shut the door of a kiln."),
            "Shows how to open and shut the door of a kiln."
        );
        assert_eq!(
            told("In this mode, you will open the door of the kiln."),
            ""
        );
        assert_eq!(
            told("The goal of this guide is to present the rules of kiln doors."),
            "Presents the rules of kiln doors."
        );
        assert_eq!(
            told("The following section explains how the doors of kilns shut."),
            "Explains how the doors of kilns shut."
        );
    }

    #[test]
    fn a_document_opens_with_what_its_title_names() {
        let told = |text: &str| what_of("Kiln doors", None, text).unwrap_or_default();
        assert_eq!(told("The heavy door is a part that shuts tightly."), "");
        assert_eq!(
            told("# Kiln doors\n\nOpens the lid, and shuts it again."),
            "Opens the lid, and shuts it again."
        );
        assert_eq!(
            told(
                "# DOORS\n\n- Section: 1\n\n# DESCRIPTION\n\nThe kiln doors accept heat of the fire and pass it on to the clay. They shut."
            ),
            "The kiln doors accept heat of the fire and pass it on to the clay."
        );
        assert_eq!(
            told(
                "# Kiln doors\n\nVersion: 7.5\n\nBrenn has full support for kiln doors (and lids) of iron. They shut."
            ),
            "Brenn has full support for kiln doors of iron."
        );
        assert_eq!(
            told("# Kiln doors\n\nTo keep the pots whole, Brenn lets them cool for a night."),
            "Brenn lets them cool for a night."
        );
        assert_eq!(
            told("# Kiln doors\n\nRemove the kiln doors before anything else."),
            ""
        );
        assert_eq!(
            told("# Kiln doors\n\n- Clay\n\nSomebody has seen the kiln doors of iron."),
            ""
        );
    }

    #[test]
    fn a_definition_is_of_the_title_or_the_product_and_of_no_single_case() {
        let told = |text: &str| what_of("Options", None, text).unwrap_or_default();
        assert_eq!(
            told(
                "Clay is a soft kind of stone from the river.\n\nBrenn is a program that fires kilns."
            ),
            "Brenn is a program that fires kilns."
        );
        assert_eq!(told("If it is cold, Brenn is a program that waits."), "");
        assert_eq!(
            told("This is where Brenn comes in: Brenn is a program that fires kilns."),
            "Brenn is a program that fires kilns."
        );
    }

    #[test]
    fn a_summary_of_the_site_says_nothing_of_its_pages() {
        let text = "# Kiln shelf cheat sheet\n\nA kiln shelf is a thing that shuts tightly.";
        let of =
            |summary| what_of("Kiln shelf cheat sheet", Some(summary), text).unwrap_or_default();
        let site = "A website with all of the cheat sheets of the project.";
        assert_eq!(of(site), "A kiln shelf is a thing that shuts tightly.");
        let page = "The cheat sheet of each kiln shelf that was ever made.";
        assert_eq!(of(page), page);
    }
}
