//! Owns what the proofs say when they hold: how much of a skill stands in its source, and how much of the source in the skill.

use crate::scaffold::is_ours;
use crate::validate::package::SKILL_FILE;
use crate::validate::page::{Place, Prose};
use crate::validate::proof::{lost_code, sentences};
use crate::validate::runs::{Runs, Said, add_runs, texts, words};
use crate::validate::subject::Subject;
use skillkiln_document::quick::QuickSet;
use skillkiln_document::secret::REDACTED;
use std::collections::HashSet;

/// Commands that are shown by name.
const SHOWN_MAX: usize = 6;
/// A longer command is only counted.
const SHOWN_CHARS_MAX: usize = 48;

/// V090, when it holds: what was found to the letter.
pub(super) fn found_to_the_letter(subject: &Subject<'_>) -> Option<String> {
    subject.evidence?;
    let mut commands: Vec<&str> = Vec::new();
    let mut seen: HashSet<&str> = HashSet::new();
    let mut blocks = 0;
    for page in &subject.pages {
        blocks += page.codes.len();
        for prose in &page.prose {
            for code in prose
                .code()
                .iter()
                .filter_map(|range| prose.text.get(range.clone()))
            {
                let code = code.trim();
                if seen.insert(code) {
                    commands.push(code);
                }
            }
        }
    }
    let counts = [
        (
            commands.len(),
            "command or name in code",
            "commands and names in code",
        ),
        (blocks, "code block", "code blocks"),
    ];
    let shown = counts.into_iter().filter(|(count, ..)| *count > 0);
    let shown: Vec<String> = shown.map(|(n, one, many)| counted(n, one, many)).collect();
    let mut message = match shown.is_empty() {
        true => {
            "all flags, paths, addresses and numbers stand in the source to the letter".to_owned()
        }
        false => format!(
            "{} stand in the source to the letter, and so do all flags, paths, addresses and numbers",
            shown.join(" and ")
        ),
    };
    let shown: Vec<String> = commands
        .iter()
        .filter(|code| code.contains(' ') && code.chars().count() <= SHOWN_CHARS_MAX)
        .take(SHOWN_MAX)
        .map(|code| format!("`{code}`"))
        .collect();
    if !shown.is_empty() {
        message.push_str(&format!(" (among them {})", shown.join(", ")));
    }
    Some(message)
}

/// V091, when it holds: how many sentences have support, and how much of SKILL.md is the source's own wording.
pub(super) fn supported(subject: &Subject<'_>) -> Option<String> {
    let said = &subject.evidence?.said;
    let body = subject.body()?;
    let all = subject
        .pages
        .iter()
        .flat_map(|page| &page.prose)
        .filter(|prose| prose.place != Place::Heading)
        .flat_map(|prose| sentences(&prose.text))
        .filter(|sentence| !is_ours(sentence) && sentence.chars().any(char::is_alphanumeric))
        .count();
    let runs = subject.runs.get_or_init(|| Runs::of(body));
    let own = runs.all.get(..runs.own).unwrap_or_default();
    let kept = own.iter().filter(|run| said.runs.contains(**run)).count();
    Some(format!(
        "{} supported by the source; {} of the wording of SKILL.md is the source's own",
        match all {
            1 => "1 sentence is".to_owned(),
            all => format!("{all} sentences are"),
        },
        percent(kept, own.len())
    ))
}

/// V092, when it holds: how much of the source the package holds.
pub(super) fn covered(subject: &Subject<'_>) -> Option<String> {
    let evidence = subject.evidence.filter(|_| subject.is_whole)?;
    let said = &evidence.said;
    let mut held = said.runs.tally();
    let mut cells: QuickSet<u64> = QuickSet::default();
    for page in &subject.pages {
        if subject.body().is_some_and(|body| std::ptr::eq(body, page)) {
            let runs = subject.runs.get_or_init(|| Runs::of(page));
            runs.all.iter().for_each(|run| held.meet(*run));
        } else {
            texts(page).for_each(|text| add_runs(text, &mut |run| held.meet(run)));
        }
        if !said.tables.is_empty() {
            let prose = page.prose.iter();
            cells.extend(prose.filter_map(|prose: &Prose<'_>| words(&prose.text)));
        }
    }
    let tables = said
        .tables
        .iter()
        .filter(|table| table.iter().all(|cell| cells.contains(cell)))
        .count();
    let mut message = format!(
        "SKILL.md and references hold {} of the source's text",
        percent(held.met(), said.runs.len())
    );
    if !evidence.codes.is_empty() {
        let codes = evidence.codes.len();
        let lost = lost_code(subject, evidence).len();
        message.push_str(&format!(
            ", {} of its {}",
            codes - lost,
            counted(codes, "code block", "code blocks")
        ));
    }
    if !said.tables.is_empty() {
        let all = said.tables.len();
        message.push_str(&format!(
            ", {tables} of its {}",
            counted(all, "table", "tables")
        ));
    }
    let left_out = left_out(subject, said);
    if !left_out.is_empty() {
        message.push_str("; left out on purpose: ");
        message.push_str(&left_out.join(", "));
    }
    Some(message)
}

/// What the package does not hold although the source does, because it would harm whoever loads it.
fn left_out(subject: &Subject<'_>, said: &Said) -> Vec<String> {
    // A short source is the body; of a longer one the references hold all, and the body some of it once more.
    let marks = |text: &str| text.matches(REDACTED).count();
    let (mut body, mut references) = (0, 0);
    for file in subject.texts {
        let count = match file.path == SKILL_FILE {
            true => &mut body,
            false => &mut references,
        };
        *count += marks(&file.text);
    }
    let secrets = body.max(references).saturating_sub(said.redactions);
    let mut out = Vec::new();
    if said.orders > 0 {
        let orders = "passage that gives orders to a model";
        let many = "passages that give orders to a model";
        out.push(counted(said.orders, orders, many));
    }
    if secrets > 0 {
        out.push(counted(secrets, "secret", "secrets"));
    }
    out
}

/// A share in whole percent; never 100 when something is missing.
fn percent(part: usize, whole: usize) -> String {
    let share = if part >= whole {
        100
    } else {
        part * 100 / whole
    };
    format!("{share} %")
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
