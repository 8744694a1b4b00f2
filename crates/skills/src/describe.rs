//! Owns the description: what the reader can do with the skill, the name of its product, up to five tasks and the subjects beside them. At most 320 characters.

use crate::definition::{names, what};
use crate::kind::{Kind, version_numbers, version_of};
use crate::lead_ins::LeadIns;
use crate::naming::{product_title, says_nothing, without_vague};
use crate::product::qualified;
use crate::subject::{Subject, WHAT_CHARS_MAX, clean, without_capitals};
use crate::tasks::{bare_title, in_sentence, is_verb, task};
use crate::usage::{Usage, usage};
use skillkiln_document::text::{capitalised, is_ideographic, letters, squash};

/// Longest description that we write.
pub const CHARS_MAX: usize = 320;
/// A description with less of its own says of what it answers questions.
const CHARS_MIN: usize = 48;
/// "This guide", before what a document says of itself.
const FRONT_BYTES_MAX: usize = 30;
/// Tasks that are named, and subjects beside them.
const TASKS_MAX: usize = 5;
const SUBJECTS_MAX: usize = 10;
/// Subjects of one word: a list of more of them is none that a person would write (V101).
const WORDS_MAX: usize = 3;

/// The sentence on what it is, and what it is used for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// In one sentence of the source.
    pub what: Option<String>,
    /// Its title as it stands within a sentence.
    pub title: String,
    /// Tasks and subjects, best first.
    pub usage: Usage,
}

impl Told {
    /// Whether a text says what it opens with and little else: most of that, or that with a few words in front ("This guide ..."). A label of
    /// one word, or a picture, is not said by a sentence that has its letters.
    #[must_use]
    pub fn says(&self, text: &str) -> bool {
        let told = letters(self.what.as_deref().unwrap_or_default());
        let said = letters(text);
        let is_most = said.len() * 2 >= told.len() && told.contains(&said);
        let is_all = said.len() <= told.len() + FRONT_BYTES_MAX && said.contains(&told);
        !told.is_empty() && (is_most || is_all)
    }
}

/// What is told of a subject.
#[must_use]
pub fn told(subject: &Subject<'_>, is_common: &dyn Fn(&str) -> bool) -> Told {
    Told {
        what: what(subject),
        title: within(subject, is_common),
        usage: usage(subject, is_common),
    }
}

/// The description.
#[must_use]
pub fn description(subject: &Subject<'_>, told: &Told) -> String {
    let words = subject.lead_ins;
    let end = words.end;
    let title = called(subject);
    let what = opening(subject, told, &title);
    let mut room = CHARS_MAX.saturating_sub(
        what.chars().count() + 1 + words.use_when.chars().count() + end.chars().count(),
    );
    let verb = match words.language {
        "en" => subject.kind.row().works_with,
        _ => "",
    };
    let own = crate::usage::words(&what);
    let mut take = |all: &mut dyn Iterator<Item = &String>, most: usize, once: usize| {
        let mut chosen: Vec<String> = Vec::new();
        for one in all {
            let first = if chosen.is_empty() { once } else { 0 };
            let cost = one.chars().count() + 5 + first;
            let is_word = !one.contains(' ') && !one.contains(is_ideographic);
            let words = chosen.iter().filter(|one| !one.contains(' ')).count();
            // A list within the list reads as more of them.
            if is_word && words >= WORDS_MAX || one.contains(", ") {
                continue;
            }
            if chosen.len() < most && cost <= room && !is_said(one, &own) {
                room -= cost;
                chosen.push(one.clone());
            }
        }
        chosen
    };
    let usage = &told.usage;
    let mut tasks = take(&mut usage.tasks.iter(), TASKS_MAX, 0);
    let subjects = take(&mut usage.subjects.iter(), SUBJECTS_MAX, verb.len());
    if words.language == "en" {
        tasks.extend(phrase(verb, &subjects));
    } else {
        tasks.extend(subjects);
        tasks.truncate(SUBJECTS_MAX);
    }
    let about = match words.language {
        "en" => format!("answering questions about {}", told.title),
        _ => title.clone(),
    };
    // What is too short to say anything (V039) tells more, at last of what it answers.
    let mut more = usage.tasks.iter().skip(tasks.len());
    while length(&what) + tasks.iter().map(|one| length(one)).sum::<usize>() < CHARS_MIN {
        let next = more.find(|one| !tasks.contains(one) && !is_said(one, &own));
        let Some(next) = next.or_else(|| (!tasks.contains(&about)).then_some(&about)) else {
            break;
        };
        tasks.push(next.clone());
    }
    if tasks.is_empty() && about.chars().count() <= room {
        tasks.push(about);
    }
    if alert(subject).is_some() {
        tasks.insert(0, "it fires".to_owned());
        // "it fires, when opening the door, or ..."
        if let Some(second) = tasks.get_mut(1) {
            second.insert_str(0, "when ");
        }
    }
    if tasks.is_empty() {
        return what;
    }
    let gap = match end {
        "。" => "",
        _ => " ",
    };
    let list = listed(&tasks, words);
    squash(&format!("{what}{gap}{}{list}{end}", words.use_when))
}

/// What it is: the sentence that the source has for it, with the title or the product in front where it names neither; else what is done with
/// a source of its kind.
fn opening(subject: &Subject<'_>, told: &Told, title: &str) -> String {
    let end = subject.lead_ins.end;
    let product = subject.product.unwrap_or_default();
    let is_plain = says_nothing(&subject.title.to_lowercase());
    let said = match &told.what {
        Some(what) if !product.is_empty() && is_plain && !holds(what, product) => {
            format!("{product}: {what}")
        }
        Some(what)
            if is_plain || names(what, title) && (product.is_empty() || holds(what, product)) =>
        {
            what.clone()
        }
        Some(what) if names(what, title) && !holds(title, product) => what.clone(),
        Some(what) if what.chars().count() + title.chars().count() + 2 <= WHAT_CHARS_MAX => {
            format!("{title}: {what}")
        }
        _ if subject.lead_ins.language == "en" => composed(subject, title, &told.title),
        _ => format!("{title}{end}"),
    };
    // The name of a program keeps its small letter.
    let first = said.split(' ').next().unwrap_or_default();
    let is_program = first.contains(['-', '_', '.']) && first == first.to_lowercase();
    let is_product = !product.is_empty() && said.starts_with(product);
    match said.starts_with(title) || is_product || is_program {
        true => said,
        false => capitalised(&said),
    }
}

/// What a source is called in its description.
fn called(subject: &Subject<'_>) -> String {
    let title = product_title(subject.title, subject.product);
    let title = match subject.is_sure && !task(&title, "", |_| true).is_own {
        true => qualified(&title, subject.product),
        false => title,
    };
    let title = clean(&without_capitals(bare_title(&title))).replace(['[', ']'], "");
    impersonal(title.trim_end_matches(['.', '!', '?', '。']))
}

/// Whether most words of a title have a capital.
fn is_title_case(title: &str) -> bool {
    let words = title.split(' ').skip(1);
    let words: Vec<&str> = words
        .filter(|word| word.starts_with(char::is_alphabetic))
        .collect();
    let capitals = words
        .iter()
        .filter(|word| word.starts_with(char::is_uppercase));
    capitals.count() * 2 > words.len()
}

/// A title within a sentence: "the style guide of clay". That of a book or a talk is a name.
fn within(subject: &Subject<'_>, is_common: &dyn Fn(&str) -> bool) -> String {
    const DOCUMENTS: &str = " book checklist cookbook faq glossary guide guidelines handbook howto manual overview paper policy primer reference runbook \
        sheet specification standard template tutorial whitepaper ";
    let title = called(subject);
    let title = match subject.kind {
        Kind::Book | Kind::Talk | Kind::Minutes => title,
        // A title with a capital at most of its words is a name.
        _ if is_title_case(&title) => title,
        _ => in_sentence(&title, is_common),
    };
    if let Some(rest) = title.strip_prefix("The ") {
        return format!("the {rest}");
    }
    let (before, last) = title.rsplit_once(' ').unwrap_or_default();
    let is_document = DOCUMENTS.contains(&format!(" {} ", last.to_lowercase()));
    let first = before.split(' ').next().unwrap_or_default();
    let has_article = matches!(first, "the" | "a" | "an") || first.ends_with("'s");
    match is_document && !before.is_empty() && !has_article && !is_verb(first) {
        true => format!("the {title}"),
        false => title,
    }
}

/// What is done with a source that says nothing of itself: "Shows how to migrate from the old kiln.", "Gives the rules of clay."
fn composed(subject: &Subject<'_>, title: &str, within: &str) -> String {
    let row = subject.kind.row();
    match alert(subject) {
        Some(name) => format!("Diagnoses and mitigates the alert {name}."),
        None if subject.kind == Kind::ChangeLog => {
            format!(
                "{} {}{}.",
                row.tells,
                without_vague(title),
                versions(subject)
            )
        }
        None => {
            let told = task(within, "", |_| true);
            let with = subject.product.filter(|product| {
                subject.is_sure && subject.kind == Kind::HowTo && !holds(within, product)
            });
            let with = with.map_or(String::new(), |product| format!(" with {product}"));
            match told.is_own {
                true => format!("Shows how to {}{with}.", told.infinitive()),
                false => format!("{} {within}.", row.tells),
            }
        }
    }
}

/// From which to which version a log of changes goes: " from 1.0 to 3.2".
fn versions(subject: &Subject<'_>) -> String {
    let titles = subject.outline.sections.iter();
    let mut all = titles.filter_map(|one| version_of(&one.title));
    match (all.next(), all.next_back()) {
        (Some(last), Some(first)) if version_numbers(first) > version_numbers(last) => {
            format!(" from {last} to {first}")
        }
        (Some(last), Some(first)) if first != last => format!(" from {first} to {last}"),
        _ => String::new(),
    }
}

/// The name of the alert that a runbook is for: one word with capitals inside.
fn alert<'s>(subject: &Subject<'s>) -> Option<&'s str> {
    let title = bare_title(subject.title);
    let is_name = !title.contains(' ')
        && title.chars().filter(|c| c.is_uppercase()).count() > 1
        && subject.lead_ins.language == "en";
    (subject.kind == Kind::Runbook && is_name).then_some(title)
}

/// Subjects behind the words for what is done with them: "working with doors, ash, and wood".
fn phrase(verb: &str, subjects: &[String]) -> Option<String> {
    let list = match subjects {
        [] => return None,
        [one] => one.clone(),
        [one, other] => format!("{one} and {other}"),
        [all @ .., last] => format!("{}, and {last}", all.join(", ")),
    };
    Some(format!("{verb}{list}"))
}

/// Tasks as one list.
fn listed(tasks: &[String], words: &LeadIns) -> String {
    match tasks {
        [] => String::new(),
        [one] => one.clone(),
        // "or working with doors, ash, and wood" has commas of its own.
        [one, other] if other.contains(',') => format!("{one}{}{other}", words.or),
        [one, other] => format!("{one}{}{other}", words.or.replace(", or", " or")),
        [all @ .., last] => format!("{}{}{last}", all.join(words.comma), words.or),
    }
}

/// How much a text says, in letters: a Chinese sign says as much as three.
fn length(text: &str) -> usize {
    let of = |c: char| if is_ideographic(c) { 3 } else { 1 };
    text.chars().map(of).sum()
}

/// Whether a text holds a name, however it is written.
fn holds(text: &str, name: &str) -> bool {
    letters(text).contains(&letters(name))
}

/// Whether a sentence of these words says a subject already.
fn is_said(subject: &str, sentence: &[String]) -> bool {
    crate::usage::words(subject)
        .iter()
        .all(|word| sentence.contains(word))
}

/// A title without whose it is (V035): "my app" is an app.
fn impersonal(title: &str) -> String {
    const OWNERS: [&str; 8] = ["my", "our", "your", "i", "we", "you", "me", "us"];
    let words = title
        .split(' ')
        .filter(|word| !OWNERS.contains(&word.to_lowercase().as_str()));
    let left = words.collect::<Vec<_>>().join(" ");
    match left.chars().any(char::is_alphanumeric) {
        true => left,
        false => title.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lead_ins::for_language;
    use crate::outline::Outline;
    use skillkiln_document::testing::document;

    fn described(title: &str, product: Option<&str>, kind: Kind, text: &str) -> String {
        described_of(title, product, false, kind, text)
    }

    fn described_of(
        title: &str,
        product: Option<&str>,
        is_sure: bool,
        kind: Kind,
        text: &str,
    ) -> String {
        let document = document(text);
        let outline = Outline::of(&document.blocks);
        let units = crate::units::extract(&document.blocks, &outline);
        let weights = vec![1.0; outline.sections.len()];
        let subject = Subject {
            title,
            product,
            is_sure,
            kind,
            summary: None,
            is_own_summary: false,
            blocks: &document.blocks,
            outline: &outline,
            units: &units,
            names: &["--slow"],
            weights: &weights,
            lead_ins: for_language("en"),
        };
        description(&subject, &told(&subject, &|_| true))
    }

    #[test]
    fn a_label_or_a_picture_is_not_what_a_skill_opens_with() {
        let told = Told {
            what: Some("Covers the doors of Brenn and how they shut.".into()),
            title: "doors".into(),
            usage: Usage::default(),
        };
        assert!(told.says("This guide covers the doors of Brenn and how they shut."));
        assert!(!told.says("Brenn") && !told.says("→") && !told.says(""));
    }

    #[test]
    fn a_description_names_the_product_and_tells_tasks_of_titles_and_announcements() {
        let text = "# Tutorial\n\n## Share it\n\nNobody sees it.\n\n## Doors\n\nTo open the door, run:\n\n```sh\nbrenn open\n```";
        assert_eq!(
            described("Tutorial", Some("brenn"), Kind::HowTo, text),
            "Guides through the brenn tutorial. Use when sharing it, opening the door, or working with doors and --slow."
        );
    }

    #[test]
    fn a_sure_product_is_named_beside_the_task_and_a_program_keeps_its_small_letter() {
        let text = "# Restoring pots\n\n## Night kilns\n\nLook.";
        let told = described_of("Restoring pots", Some("brenn"), true, Kind::HowTo, text);
        assert!(
            told.starts_with("Shows how to restore pots with brenn. Use"),
            "{told}"
        );
        let text =
            "# Kilns\n\nbrenn-server has full support for kilns of iron.\n\n## Doors\n\nLook.";
        let told = described("Kilns", None, Kind::HowTo, text);
        assert!(told.starts_with("brenn-server has full support"), "{told}");
        let text = "# Kilns\n\nKilns can either be hot or cold for a night...\n\n## Doors\n\nLook.";
        let told = described("Kilns", None, Kind::HowTo, text);
        assert!(told.starts_with("Guides through kilns."), "{told}");
    }

    #[test]
    fn what_every_meeting_has_and_what_is_called_at_no_path_are_no_triggers() {
        let text = "# Meeting\n\n## Attendance\n\nAnna.\n\n## Update the doors\n\nShut.\n\n## Call for clarifications\n\nNone.";
        let told = described("Meeting", None, Kind::Minutes, text);
        assert_eq!(
            told,
            "Tells what was decided in Meeting. Use when answering questions about update the doors and --slow."
        );
        let text = "# Pots\n\n## GET /pots List pots\n\nAll.\n\n## POST newPot New pot\n\nOne.\n\n## DELETE /pots/1 Deletes a pot\n\nOne.";
        let told = described("Pots", None, Kind::Api, text);
        assert!(
            told.contains("deleting a pot")
                && told.contains("listing pots")
                && !told.contains("newPot"),
            "{told}"
        );
    }

    #[test]
    fn a_title_that_orders_is_told_in_its_form_and_not_again() {
        let text = "# Back up, restore and upgrade\n\n## Restoring pots\n\nTo restore and upgrade, wait.\n\n## Night kilns\n\nLook.";
        assert_eq!(
            described("Back up, restore and upgrade pots", None, Kind::HowTo, text),
            "Shows how to back up, restore and upgrade pots. Use when working with night kilns and --slow."
        );
    }

    #[test]
    fn a_runbook_is_for_its_alert_and_rules_are_followed() {
        let text = "# Low\n\n## Valves and gauges\n\nLook.";
        assert_eq!(
            described("KilnPressureLow", None, Kind::Runbook, text),
            "Diagnoses and mitigates the alert KilnPressureLow. Use when it fires or when working with valves and gauges and --slow."
        );
        assert_eq!(
            described("Clay style guide", None, Kind::Rules, text),
            "Gives the rules of the clay style guide. Use when following the rules on valves and gauges and --slow."
        );
    }
}
