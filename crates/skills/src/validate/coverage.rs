//! Owns what the proofs say when they hold: how much of a skill stands in its source, and how much of the source in the skill.
//!
//! Words are compared in runs of five, as the evaluation of whole folders does; code blocks by their lines; tables by their
//! cells. Everything is a set of 64-bit digests: linear in both texts.

use crate::scaffold::is_ours;
use crate::validate::digests::{Digests, Growing, digest};
use crate::validate::package::SKILL_FILE;
use crate::validate::page::{Page, Place, Prose};
use crate::validate::proof::sentences;
use crate::validate::subject::Subject;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::orders::is_order;
use skillkiln_document::quick::QuickSet;
use skillkiln_document::secret::REDACTED;
use skillkiln_document::text::{self, plain};
use std::collections::HashSet;

/// Words in a run.
const RUN: usize = 5;
/// Commands that are shown by name.
const SHOWN_MAX: usize = 6;
/// A longer command is only counted.
const SHOWN_CHARS_MAX: usize = 48;

/// What a source says, as far as it is counted.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// Its runs of words, each once.
    runs: Digests,
    /// The cells of each of its tables.
    tables: Vec<Vec<u64>>,
    /// How many of its passages give orders to whoever reads them for somebody else.
    orders: usize,
    /// How often it says itself that something was taken out.
    redactions: usize,
}

/// What a source says while it is being counted.
#[derive(Debug, Default)]
pub(super) struct Counting {
    runs: Growing,
    tables: Vec<Vec<u64>>,
    orders: usize,
    redactions: usize,
}

impl Counting {
    /// Counts a block without those inside it.
    pub(super) fn add(&mut self, block: &Block) {
        let mut take = |text: &str| {
            self.orders += usize::from(is_order(text));
            self.redactions += text.matches(REDACTED).count();
            add_runs(text, &mut |run| self.runs.insert(run));
        };
        self.tables.extend(count(block, &mut take));
    }

    /// What was counted.
    pub(super) fn finish(self) -> Said {
        Said {
            runs: self.runs.seal(),
            tables: self.tables,
            orders: self.orders,
            redactions: self.redactions,
        }
    }
}

/// Hands out the texts of one block without those inside it; of a table, the cells come back.
fn count(block: &Block, take: &mut impl FnMut(&str)) -> Option<Vec<u64>> {
    match &block.kind {
        BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => take(&plain(text)),
        BlockKind::Code { text, .. } => take(text),
        BlockKind::Table { header, rows, .. } => {
            let cells = header.iter().chain(rows.iter().flatten());
            let cells = cells.map(|cell| plain(cell)).filter_map(|cell| {
                take(&cell);
                words(&cell)
            });
            return Some(cells.collect());
        }
        BlockKind::Definitions(entries) => entries
            .iter()
            .flat_map(|entry| &entry.terms)
            .for_each(|term| take(&plain(term))),
        BlockKind::Figure { caption, .. } => take(&plain(caption)),
        BlockKind::Math(_)
        | BlockKind::List { .. }
        | BlockKind::Quote(_)
        | BlockKind::Admonition { .. } => {}
    }
    None
}

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

/// The runs of words of a body, as often as they stand there: two of the proofs count them.
#[derive(Debug)]
pub(super) struct Runs {
    all: Vec<u64>,
    /// So many of them, the first ones, are not of texts of ours.
    own: usize,
}

impl Runs {
    fn of(body: &Page<'_>) -> Self {
        let mut all = Vec::new();
        let (ours, others): (Vec<&str>, Vec<&str>) = texts(body).partition(|text| is_ours(text));
        for text in others {
            add_runs(text, &mut |run| all.push(run));
        }
        let own = all.len();
        for text in ours {
            add_runs(text, &mut |run| all.push(run));
        }
        Self { all, own }
    }
}

/// The running text and the code of a page.
fn texts<'p>(page: &'p Page<'_>) -> impl Iterator<Item = &'p str> {
    let prose = page.prose.iter().map(|prose| prose.text.as_ref());
    prose.chain(page.codes.iter().map(|code| code.text.as_ref()))
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
        let lost = crate::validate::proof::lost_code(subject, evidence).len();
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

/// Puts out the digests of every run of words; of a shorter text, that of all its words.
fn add_runs(text: &str, out: &mut impl FnMut(u64)) {
    let mut run = [0_u64; RUN];
    let mut count = 0;
    for word in text::words(text).map(word_digest) {
        run.rotate_left(1);
        run[RUN - 1] = word;
        count += 1;
        if count >= RUN {
            out(digest(run));
        }
    }
    if (1..RUN).contains(&count) {
        out(digest(run.get(RUN - count..)));
    }
}

/// The digest of all words of a text; none of a text without words.
fn words(text: &str) -> Option<u64> {
    text::words(text)
        .map(word_digest)
        .reduce(|before, word| digest((before, word)))
}

/// The digest of a word in lower case.
fn word_digest(word: &str) -> u64 {
    const SHORT: usize = 32;
    let mut lower = [0; SHORT];
    match lower.get_mut(..word.len()) {
        Some(lower) if word.is_ascii() => {
            lower.copy_from_slice(word.as_bytes());
            lower.make_ascii_lowercase();
            digest(lower)
        }
        _ => digest(word.to_lowercase().as_bytes()),
    }
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
