//! Owns the routing table: a row a file, with the task that it is for and the names by which somebody would look for it.

use crate::choose::is_nobodys_task;
use crate::kind::Kind;
use crate::lead_ins::LeadIns;
use crate::library::{File, versions};
use crate::outline::{Outline, block_text};
use crate::section_role::is_generic;
use crate::tasks::{bare_title, task};
use crate::terms::{Term, Vocabulary};
use skillkiln_document::blocks::{Block, BlockKind, walk};
use skillkiln_document::quick::{QuickMap, QuickSet};
use skillkiln_document::text::{Inline, is_ideographic, squash};

/// How much it counts that a word is of one file alone.
const SHARE_POWER: f32 = 0.5;
/// How much more a word counts that stands in a title.
const TITLE_WEIGHT: f32 = 10.0;
/// Characters of a row beside its words and its path.
const FRAME_CHARS: usize = 16;
/// Least and most characters of the words of a row.
const ROW_CHARS_MIN: usize = 60;
const ROW_CHARS_MAX: usize = 420;
/// How much of a row tells what it is for by titles; the names stand behind.
const TASKS_PERCENT: usize = 60;
/// Most names of a row.
const NAMES_MAX: usize = 5;
/// A word of hexadecimal digits that is as long is a digest.
const DIGEST_CHARS_MIN: usize = 7;
/// Terms that are looked at for a row.
const RANKED_MAX: usize = 80;

/// What is told of a file in the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// For which tasks it is opened.
    pub tasks: String,
    /// What it holds that somebody would ask for, best first.
    pub names: Vec<String>,
    /// What the link says.
    pub title: String,
    /// Where it leads.
    pub path: String,
}

/// What the rows are of.
pub struct Library<'l> {
    /// The files.
    pub files: &'l [File],
    /// The blocks of the source.
    pub blocks: &'l [Block],
    /// Its sections.
    pub outline: &'l Outline,
    /// What it is.
    pub kind: Kind,
    /// The words of its language.
    pub lead_ins: &'l LeadIns,
}

/// The rows of the files of a document, in so many tokens.
#[must_use]
pub fn rows(library: &Library<'_>, budget: usize, is_common: &dyn Fn(&str) -> bool) -> Vec<Row> {
    let &Library {
        files,
        blocks,
        outline,
        kind,
        lead_ins,
    } = library;
    let mut vocabulary = Vocabulary::default();
    let counts: Vec<Counts> = files
        .iter()
        .map(|file| Counts::of(file, blocks, outline, &mut vocabulary))
        .collect();
    let frame: usize = files
        .iter()
        .map(|file| file.path().len() + FRAME_CHARS)
        .sum();
    let chars = (4 * budget).saturating_sub(frame) / files.len().max(1);
    let chars = chars.clamp(ROW_CHARS_MIN, ROW_CHARS_MAX);
    let mut spread: QuickMap<Term, f32> = QuickMap::default();
    for (term, weight) in counts.iter().flat_map(|one| &one.times) {
        *spread.entry(*term).or_default() += weight;
    }
    let verb = match kind {
        Kind::Api => "call",
        _ => "look up",
    };
    files
        .iter()
        .zip(&counts)
        .map(|(file, count)| {
            // The days and headings of a log tell nothing of its versions.
            let log = match (kind, lead_ins.language) {
                (Kind::ChangeLog, "en") => versions(&file.sections, outline),
                _ => None,
            };
            let is_log = log.is_some();
            let tasks = match log {
                Some(versions) => format!("look up what changed in {versions}"),
                None => tasks_of(file, outline, verb, lead_ins, chars, is_common),
            };
            let used: QuickSet<Term> = vocabulary.terms(&tasks).into_iter().collect();
            let left = match is_log {
                true => 0,
                false => chars.saturating_sub(tasks.chars().count()),
            };
            let names = count.names(&vocabulary, &spread, &used, left);
            Row {
                tasks,
                names,
                title: file.title.clone(),
                path: file.path(),
            }
        })
        .collect()
}

/// The titles within a file as tasks: "start a cross build, machine entries, cross compile with several binaries".
fn tasks_of(
    file: &File,
    outline: &Outline,
    verb: &str,
    lead_ins: &LeadIns,
    chars: usize,
    is_common: &dyn Fn(&str) -> bool,
) -> String {
    let mut titles: Vec<&str> = Vec::new();
    // What all of it is called by tells nothing of a part, and nobody looks for its licence.
    let is_told = |at: &usize| {
        outline.total(*at) > 0 && !outline.is_root(*at) && !is_nobodys_task(outline, *at)
    };
    let others = file.sections.clone().filter(is_told);
    let others = others.filter(|at| !file.tops.contains(at));
    let leads = file.tops.iter().copied();
    let all = leads.chain(others);
    for section in all.filter_map(|at| outline.sections.get(at)) {
        let title = bare_title(&section.title);
        if !title.is_empty() && !titles.contains(&title) {
            titles.push(title);
        }
    }
    if titles.is_empty() {
        titles.push(&file.title);
    }
    let is_spaced = !titles.iter().any(|title| title.contains(is_ideographic));
    let room = match is_spaced {
        true => chars * TASKS_PERCENT / 100,
        // Where words are not told from each other, titles are all there is to say.
        false => chars,
    };
    let first = titles.first().copied().unwrap_or_default();
    let mut out = squash(&match lead_ins.language {
        "en" if is_generic(first) => task(&file.title, verb, is_common).infinitive(),
        "en" => task(first, verb, is_common).infinitive(),
        _ => first.to_owned(),
    });
    let mut others: Vec<&str> = Vec::new();
    let mut used = out.len();
    for title in titles
        .into_iter()
        .skip(1)
        .filter(|title| !is_generic(title) && !file.title.contains(title))
    {
        if used + title.len() <= room {
            used += title.len() + lead_ins.comma.len();
            others.push(title);
        }
    }
    if !others.is_empty() {
        let (open, shut) = if is_spaced {
            (" (", ")")
        } else {
            ("（", "）")
        };
        out.push_str(&format!("{open}{}{shut}", others.join(lead_ins.comma)));
    }
    out
}

/// How much each term of a file weighs, and the names among them.
struct Counts {
    times: QuickMap<Term, f32>,
    /// Terms of its titles.
    titles: QuickSet<Term>,
    /// Words that are code within a line, to the letter.
    named: QuickSet<String>,
}

impl Counts {
    /// A term weighs more the more often it stands in a file, and most in its titles.
    fn of(file: &File, blocks: &[Block], outline: &Outline, vocabulary: &mut Vocabulary) -> Self {
        let own: Vec<&Block> = outline.blocks_in(file.sections.clone(), blocks).collect();
        let mut times: QuickMap<Term, f32> = QuickMap::default();
        let mut named = QuickSet::default();
        let mut titles = QuickSet::default();
        for block in &own {
            let terms = vocabulary.terms(&block_text(block));
            if matches!(block.kind, BlockKind::Heading { .. }) {
                titles.extend(terms.iter().copied());
            }
            for term in terms {
                *times.entry(term).or_default() += 1.0;
            }
        }
        let mut read = |block: &Block| match &block.kind {
            BlockKind::Paragraph(text) => names_in(text, &mut named),
            BlockKind::Definitions(entries) => {
                for term in entries.iter().flat_map(|entry| &entry.terms) {
                    names_in(term, &mut named);
                }
            }
            _ => {}
        };
        for block in own {
            walk(std::slice::from_ref(block), &mut read);
        }
        Self {
            times,
            titles,
            named,
        }
    }

    /// The words that tell this file from the others, as they are written.
    fn names(
        &self,
        vocabulary: &Vocabulary,
        spread: &QuickMap<Term, f32>,
        used: &QuickSet<Term>,
        room: usize,
    ) -> Vec<String> {
        let mut ranked: Vec<(f64, Term)> = self
            .times
            .iter()
            .filter(|(term, _)| {
                let word = vocabulary.written(**term);
                let is_telling = self.titles.contains(*term) || self.named.contains(word);
                !used.contains(term) && is_name(word) && (is_telling || is_noun(word))
            })
            .map(|(term, weight)| {
                let share = weight
                    / spread
                        .get(term)
                        .copied()
                        .unwrap_or(1.0)
                        .max(f32::MIN_POSITIVE);
                let title = if self.titles.contains(term) {
                    TITLE_WEIGHT
                } else {
                    1.0
                };
                (
                    f64::from(weight.sqrt() * share.powf(SHARE_POWER) * title),
                    *term,
                )
            })
            .collect();
        ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let mut left = room;
        let mut names = Vec::new();
        for (_, term) in ranked.into_iter().take(RANKED_MAX) {
            if names.len() >= NAMES_MAX {
                break;
            }
            let word = vocabulary.written(term);
            let Some(after) = left.checked_sub(word.chars().count() + 2) else {
                continue;
            };
            left = after;
            names.push(match self.named.contains(word) {
                true => format!("`{word}`"),
                false => word.to_owned(),
            });
        }
        names
    }
}

/// Pairs of signs of a script without blanks are compared and never shown: most are no words.
fn is_name(word: &str) -> bool {
    if word.starts_with(is_ideographic) {
        return false;
    }
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let digits = word.chars().filter(char::is_ascii_digit).count();
    // A digest, or the number of a process, is nobody's name.
    let is_digest = digits > 1
        && word.chars().count() >= DIGEST_CHARS_MIN
        && word.chars().all(|c| c.is_ascii_hexdigit());
    letters >= 2 && word.chars().count() <= 32 && !is_digest
}

/// Whether a word may be called a thing, by its looks: one that is written in small letters alone is neither short nor a form of a verb nor
/// an adverb.
fn is_noun(word: &str) -> bool {
    let is_form = ["ed", "ing", "ly"].iter().any(|end| word.ends_with(end));
    word.chars().any(|c| !c.is_lowercase()) || !is_form && word.chars().count() >= 4
}

fn names_in(text: &[Inline], named: &mut QuickSet<String>) {
    for inline in text {
        match inline {
            Inline::Code(code) => {
                named.insert(code.clone());
            }
            Inline::Strong(inner) | Inline::Emphasis(inner) => names_in(inner, named),
            Inline::Link(link) => names_in(&link.text, named),
            Inline::Text(_) | Inline::Math(_) | Inline::Break => {}
        }
    }
}
