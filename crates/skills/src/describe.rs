//! Owns the description: what the reader can do with the skill, the name of its subject, and up to three tasks. At most 320 characters.

use crate::lead_ins::LeadIns;
use crate::outline::{Outline, block_text};
use crate::section_role::{SectionRole, is_generic, role_of};
use crate::sentences::sentences;
use crate::stop_words::is_stop_word;
use crate::tasks::{bare_title, in_sentence, task};
use crate::terms::Vocabulary;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{capitalised, plain, squash};

/// Longest description that we write.
pub const CHARS_MAX: usize = 320;
/// Longest sentence on what it is.
pub const WHAT_CHARS_MAX: usize = 200;
/// A description with less of its own says of what it answers questions.
const CHARS_MIN: usize = 48;
/// Longest task.
const TASK_CHARS_MAX: usize = 64;
/// Tasks that are named.
const TASKS_MAX: usize = 3;

/// What a document calls itself.
const SELVES: &str = "article appendix book chapter checklist course cookbook crate document documentation extension file gem guide guideline \
    handbook library manual memo module note notes package page paper plugin post program project readme reference repository runbook section \
    site specification standard style template tool tutorial wiki";
/// Sentences from the beginning among which a document tells of itself.
const OWN_SENTENCES_MAX: usize = 10;

/// Opens a task whose title has no verb; said once for all of them.
const WORKING_WITH: &str = "working with ";

/// What a description is made of.
pub struct Subject<'s> {
    /// The title of the skill.
    pub title: &'s str,
    /// What the source says of itself in a summary.
    pub summary: Option<&'s str>,
    /// Its blocks.
    pub blocks: &'s [Block],
    /// Its sections.
    pub outline: &'s Outline,
    /// How much each section matters.
    pub weights: &'s [f32],
    /// The words of its language.
    pub lead_ins: &'static LeadIns,
}

/// The sentence on what it is, and the tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// In one sentence.
    pub what: Option<String>,
    /// In verbs, best first.
    pub tasks: Vec<String>,
}

/// What is told of a subject.
#[must_use]
pub fn told(subject: &Subject<'_>, is_common: &dyn Fn(&str) -> bool) -> Told {
    Told {
        what: what(subject),
        tasks: tasks(subject, is_common),
    }
}

/// The description.
#[must_use]
pub fn description(subject: &Subject<'_>, told: &Told) -> String {
    let words = subject.lead_ins;
    let title = impersonal(&clean(bare_title(subject.title)));
    let end = words.end;
    let what = match &told.what {
        Some(what) if names(what, &title) => what.clone(),
        Some(what) if what.chars().count() + title.chars().count() + 2 <= WHAT_CHARS_MAX => {
            format!("{title}: {what}")
        }
        _ => {
            let mut title = title.trim_end_matches(['.', '!', '?', '。']).to_owned();
            title.push_str(end);
            title
        }
    };
    let what = capitalised(&what);
    let mut room = CHARS_MAX.saturating_sub(
        what.chars().count() + 1 + words.use_when.chars().count() + end.chars().count(),
    );
    let mut chosen: Vec<&str> = Vec::new();
    for one in &told.tasks {
        let cost = one.chars().count() + 5;
        if cost <= room && chosen.len() < TASKS_MAX {
            room -= cost;
            chosen.push(one);
        }
    }
    let fallback = match words.language {
        "en" => format!("working with {title}"),
        _ => title.clone(),
    };
    if chosen.is_empty() && fallback.chars().count() <= room {
        chosen.push(&fallback);
    }
    let about = match words.language {
        "en" => format!("answering questions about {title}"),
        _ => title.clone(),
    };
    // What is too short to say anything (V039) says of what it answers.
    let said = what.chars().count() + chosen.iter().map(|one| one.chars().count()).sum::<usize>();
    if said < CHARS_MIN && chosen.iter().all(|one| *one != about) {
        chosen.push(&about);
    }
    let list = joined(&chosen, words);
    if list.is_empty() {
        return what;
    }
    let gap = match end {
        "。" => "",
        _ => " ",
    };
    squash(&format!("{what}{gap}{}{list}{end}", words.use_when))
}

/// Tasks as one list: those with a verb of their own first, then all others behind one verb.
fn joined(tasks: &[&str], words: &LeadIns) -> String {
    let (nouns, verbs): (Vec<&str>, Vec<&str>) = tasks
        .iter()
        .partition(|task| task.starts_with(WORKING_WITH));
    let mut all: Vec<String> = verbs.iter().map(|task| (*task).to_owned()).collect();
    for (number, task) in nouns.iter().enumerate() {
        all.push(match number {
            0 => (*task).to_owned(),
            _ => task.strip_prefix(WORKING_WITH).unwrap_or(task).to_owned(),
        });
    }
    match all.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [one, other] => format!("{one}{}{other}", words.or.replace(", or", " or")),
        [all @ .., last] => format!("{}{}{last}", all.join(words.comma), words.or),
    }
}

/// Whether a sentence names what a title names: half of the title's words.
fn names(sentence: &str, title: &str) -> bool {
    let (held, all) = held(sentence, title);
    held * 2 >= all
}

/// How many of a title's words a sentence has, and how many there are.
fn held(sentence: &str, title: &str) -> (usize, usize) {
    let mut vocabulary = Vocabulary::default();
    let said = vocabulary.terms(sentence);
    let own = vocabulary.terms(title);
    let held = own.iter().filter(|term| said.contains(term)).count();
    (held, own.len())
}

/// The sentence that says what the subject is: the line of a manual page that does, what a document says of itself, a summary, else an
/// opening that defines, else one that names the subject and defines it.
fn what(subject: &Subject<'_>) -> Option<String> {
    let title = bare_title(subject.title);
    // A summary of a whole site says nothing of its pages: one names more than half of what the title names.
    let is_of_page = |summary: &String| {
        let (held, all) = held(summary, title);
        all == 0 || held * 2 > all
    };
    let summary = subject.summary.map(squash).filter(is_of_page);
    let paragraphs = subject.blocks.iter().filter_map(|block| match &block.kind {
        BlockKind::Paragraph(text) => Some(squash(&plain(text))),
        _ => None,
    });
    let texts: Vec<String> = paragraphs.take(30).collect();
    let said: Vec<&str> = texts
        .iter()
        .flat_map(|text| {
            sentences(text)
                .into_iter()
                .take(4)
                .filter_map(|range| text.get(range))
        })
        .collect();
    let of_summary = summary.as_deref().and_then(|summary| {
        let first = sentences(summary).into_iter().next()?;
        summary.get(first)
    });
    let own = said
        .iter()
        .take(OWN_SENTENCES_MAX)
        .find_map(|one| self_told(one, title))
        .filter(|one| fits(one));
    let told = own.as_deref().or(of_summary.filter(|one| fits(one)));
    let defined = said
        .iter()
        .copied()
        .find(|one| fits(one) && defines(one) && names(one, title));
    let opening = said
        .iter()
        .take(5)
        .copied()
        .find(|one| fits(one) && defines(one) && !one.contains(": "));
    name_line(subject).or_else(|| told.or(opening).or(defined).map(clean))
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

/// What a document says of itself, told of its subject: "This guide covers the doors of kilns." is "Covers the doors of kilns.", and "This
/// guide is short" has its title in front. What "This" alone is nobody knows.
fn self_told(sentence: &str, title: &str) -> Option<String> {
    let rest = sentence.strip_prefix("This ")?;
    let (first, rest) = rest.split_once(' ')?;
    let is_own = |word: &str| format!(" {SELVES} ").contains(&format!(" {} ", word.to_lowercase()));
    if !is_own(first) {
        return None;
    }
    let (verb, after) = rest.split_once(' ')?;
    let is_verb = verb.ends_with('s') && verb.chars().all(char::is_lowercase);
    match verb {
        "is" => Some(format!("{title} is {after}")),
        _ if is_verb && !matches!(verb, "was" | "has" | "does") => {
            Some(capitalised(&format!("{verb} {after}")))
        }
        _ => None,
    }
}

/// Whether a sentence says what something is or does.
fn defines(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    [
        " is a ",
        " is an ",
        " is the ",
        " are ",
        " provides ",
        " describes ",
        " explains ",
        " lets ",
        " allows ",
        " enables ",
        " shows ",
        " contains ",
        " implements ",
        " ist ",
        " est un",
        " est une",
        " es un",
        " es una",
        " é um",
        " é uma",
        " — ",
        "это ",
        "是",
        "です",
        "입니다",
        " defines ",
        " covers ",
        " helps ",
    ]
    .iter()
    .any(|mark| lower.contains(mark))
}

/// Whether a sentence can say what a skill is: of some length, of the third person, leaning on nothing.
fn fits(sentence: &str) -> bool {
    let chars = sentence.chars().count();
    let is_wide = sentence
        .chars()
        .any(skillkiln_document::text::is_ideographic);
    let least = if is_wide { 10 } else { 32 };
    let lower = format!(" {} ", sentence.to_lowercase().replace(['\u{2019}'], "'"));
    const PERSONS: [&str; 27] = [
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
    ];
    (least..=WHAT_CHARS_MAX).contains(&chars)
        && !crate::cues::leans(sentence)
        && !crate::cues::points_elsewhere(sentence)
        && !crate::cues::is_unfit(sentence)
        && !PERSONS.iter().any(|word| lower.contains(word))
        && !sentence.contains(['<', '>', '{', '}', '[', '|', '→', '↑'])
        && !sentence.trim_end().ends_with('?')
        && sentence.trim_end().ends_with(['.', '。', '!', '…', ')'])
        && !lower.contains(" updated ")
        && !lower.contains(" also ")
        && !lower.contains(" author")
        && !lower.contains(" maintained by")
        && !lower.contains(" checked with")
        && sentence.starts_with(|c: char| {
            c.is_alphanumeric() && !c.is_ascii_digit() || c == '`' || c == '"'
        })
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

/// A text as a description may hold it.
fn clean(text: &str) -> String {
    squash(&text.replace(['<', '>', '`', '*'], "").replace("---", "—"))
}

/// The tasks that the most telling sections are for.
fn tasks(subject: &Subject<'_>, is_common: &dyn Fn(&str) -> bool) -> Vec<String> {
    let outline = subject.outline;
    let own = bare_title(subject.title).to_lowercase();
    let mut ranked: Vec<(f32, usize)> = Vec::new();
    for (number, section) in outline.sections.iter().enumerate() {
        let title = bare_title(&section.title);
        let count = title.chars().count();
        let wide = title.chars().any(skillkiln_document::text::is_ideographic);
        if title.is_empty()
            || count > TASK_CHARS_MAX
            || (count < 5 && !wide)
            || title.to_lowercase() == own
            || is_generic(title)
        {
            continue;
        }
        if section.is_made
            || role_of(title) == SectionRole::Aside
            || title.contains([
                '<', '>', '{', '}', '[', ']', '|', '$', '#', '@', '→', '…', '"',
            ])
        {
            continue;
        }
        let weight = subject.weights.get(number).copied().unwrap_or_default();
        let told = task(title, "", |_| true);
        let verbal = if told.is_own { 2.0 } else { 1.0 };
        let role = match role_of(title) {
            SectionRole::Once => 0.3,
            _ => 1.0,
        };
        let depth = 1.0 / (1.0 + f32::from(section.level.saturating_sub(2)) * 0.5);
        ranked.push((weight * verbal * role * depth, number));
    }
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let mut out: Vec<String> = Vec::new();
    let mut said: Vec<String> = Vec::new();
    for (_, number) in ranked {
        if out.len() >= TASKS_MAX * 2 {
            break;
        }
        let Some(section) = outline.sections.get(number) else {
            continue;
        };
        let title = clean(bare_title(&section.title));
        let told = match subject.lead_ins.language {
            "en" => {
                let told = task(&quiet(&title), "", is_common);
                match told.is_own {
                    true => in_sentence(&told.gerund(), is_common),
                    false => format!("{WORKING_WITH}{}", told.object),
                }
            }
            _ => title.clone(),
        };
        let key: String = title.to_lowercase();
        let repeats = said.iter().any(|one| shares(one, &key));
        let speaks = format!(" {} ", key).contains(" you ")
            || key.contains(" we ")
            || key.contains(" i ")
            || key.contains(" our ")
            || key.contains(" your ");
        if !repeats && !speaks && told.chars().count() <= TASK_CHARS_MAX + 14 {
            said.push(key);
            out.push(told.trim_end_matches(['.', '!', '。']).to_owned());
        }
    }
    out
}

/// A title in capitals without them.
fn quiet(title: &str) -> String {
    let title = title.trim_start_matches(|c: char| !c.is_alphanumeric());
    let bare = title
        .split_once(". ")
        .filter(|(number, _)| number.chars().all(|c| matches!(c, 'I' | 'V' | 'X')))
        .map_or(title, |(_, rest)| rest);
    let letters = bare.chars().filter(|c| c.is_alphabetic()).count();
    let capitals = bare.chars().filter(|c| c.is_uppercase()).count();
    match letters > 5 && capitals * 10 > letters * 8 && bare.contains(' ') {
        true => bare.to_lowercase(),
        false => bare.to_owned(),
    }
}

/// Whether two titles share most of their words.
fn shares(one: &str, other: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty() && !is_stop_word(word))
            .map(str::to_owned)
            .collect()
    };
    let (one, other) = (words(one), words(other));
    let shared = one.iter().filter(|word| other.contains(word)).count();
    let least = one.len().min(other.len()).max(1);
    shared * 2 > least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lead_ins::for_language;
    use skillkiln_document::testing::document;

    fn what_of(title: &str, summary: Option<&str>, text: &str) -> Option<String> {
        let document = document(text);
        let outline = Outline::of(&document.blocks);
        what(&Subject {
            title,
            summary,
            blocks: &document.blocks,
            outline: &outline,
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
        assert_eq!(told("This is the door of another kiln, not ours."), "");
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
