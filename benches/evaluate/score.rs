//! Measures how much of an expected text a reading holds: words and their order, code to the letter, headings, rows.

use skillkiln_document::blocks::{BlockKind, Document, walk};
use skillkiln_document::text::{Inline, plain};
use std::collections::HashMap;
use std::hash::Hash;

/// What of a document is compared.
#[derive(Debug, Default)]
pub(crate) struct Content {
    tokens: Vec<String>,
    code: Vec<(String, Option<String>)>,
    headings: Vec<String>,
    rows: Vec<String>,
}

impl Content {
    /// What `document` holds. Of a paged one the indentation that all lines of a listing share is left out: a page has
    /// margins, so it does not tell.
    pub(crate) fn of(document: &Document, paged: bool) -> Self {
        let mut content = Self::default();
        walk(&document.blocks, &mut |block| match &block.kind {
            BlockKind::Heading { text, .. } => {
                let words = plain(text);
                content.words(&words);
                content.headings.push(heading(&words));
            }
            BlockKind::Paragraph(text) => content.words(&plain(text)),
            BlockKind::Code { language, text } => {
                content.words(text);
                content.code.push((letters(text, paged), language.clone()));
            }
            BlockKind::Math(text) => content.words(text),
            BlockKind::Table {
                header,
                rows,
                caption,
            } => {
                if let Some(caption) = caption {
                    content.words(&plain(caption));
                }
                content.row(header);
                rows.iter().for_each(|row| content.row(row));
            }
            BlockKind::Figure {
                alternative,
                caption,
                ..
            } => {
                content.words(alternative);
                content.words(&plain(caption));
            }
            BlockKind::Admonition { title, .. } => {
                content.words(title.as_deref().unwrap_or_default());
            }
            BlockKind::Definitions(entries) => {
                for term in entries.iter().flat_map(|entry| &entry.terms) {
                    content.words(&plain(term));
                }
            }
            BlockKind::List { .. } | BlockKind::Quote(_) => {}
        });
        content
    }

    fn words(&mut self, text: &str) {
        let words = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        self.tokens.extend(words.map(str::to_lowercase));
    }

    fn row(&mut self, cells: &[Vec<Inline>]) {
        let cells: Vec<String> = cells.iter().map(|cell| plain(cell)).collect();
        cells.iter().for_each(|cell| self.words(cell));
        let row: Vec<String> = cells.iter().map(|cell| squashed(cell)).collect();
        let row = row.join("|");
        if row.chars().any(char::is_alphanumeric) {
            self.rows.push(row);
        }
    }
}

/// How well a reading holds what was expected; a figure is absent when there was nothing of its kind to find.
#[derive(Debug)]
pub(crate) struct Scores {
    /// F1 over words.
    pub(crate) tokens: f64,
    /// F1 over four words in a row.
    pub(crate) grams: f64,
    /// The share of code blocks that are kept to the letter.
    pub(crate) code: Option<f64>,
    /// The share of known languages that are told, of the blocks that were kept.
    pub(crate) languages: Option<f64>,
    /// The share of headings that are found.
    pub(crate) headings: Option<f64>,
    /// The share of headings found that are none.
    pub(crate) headings_extra: Option<f64>,
    /// The share of table rows that are found whole.
    pub(crate) rows: Option<f64>,
}

impl Scores {
    /// What the figures are called, in the order of [`Scores::cells`].
    pub(crate) const NAMES: [&str; 7] = [
        "token_f1",
        "four_gram_f1",
        "code",
        "code_languages",
        "headings",
        "headings_extra",
        "rows",
    ];

    /// Compares what was `read` with what was `expected`.
    pub(crate) fn of(expected: &Content, read: &Content) -> Self {
        let letters = |content: &Content| -> Vec<String> {
            content.code.iter().map(|(text, _)| text.clone()).collect()
        };
        let told: Vec<_> = expected.code.iter().filter(|(_, l)| l.is_some()).collect();
        let kept = letters(read);
        let told: Vec<_> = told.into_iter().filter(|(t, _)| kept.contains(t)).collect();
        let right = told
            .iter()
            .filter(|block| read.code.contains(block))
            .count();
        Self {
            tokens: f1(&expected.tokens, &read.tokens),
            grams: f1(&grams(&expected.tokens), &grams(&read.tokens)),
            code: share(&letters(expected), &kept),
            languages: (!told.is_empty()).then(|| right as f64 / told.len() as f64),
            headings: share(&expected.headings, &read.headings),
            headings_extra: share(&read.headings, &expected.headings).map(|share| 1.0 - share),
            rows: share(&expected.rows, &read.rows),
        }
    }

    /// All figures in a row.
    pub(crate) fn cells(&self) -> Vec<Option<f64>> {
        vec![
            Some(self.tokens),
            Some(self.grams),
            self.code,
            self.languages,
            self.headings,
            self.headings_extra,
            self.rows,
        ]
    }
}

/// Code without what no reader sees: spaces at line ends, empty lines at both ends. Paper has no tabs either, no spaces of
/// another kind, and sets an ellipsis as three dots.
fn letters(text: &str, paged: bool) -> String {
    let text = if paged {
        text.replace('\t', "        ")
            .replace('…', "...")
            .replace('\u{a0}', " ")
    } else {
        text.to_owned()
    };
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let indent = lines
        .iter()
        .filter(|line| !line.is_empty())
        .map(|line| line.len() - line.trim_start_matches(' ').len())
        .min()
        .filter(|_| paged)
        .unwrap_or(0);
    let lines: Vec<&str> = lines
        .iter()
        .map(|line| line.get(indent..).unwrap_or(""))
        .collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

/// A heading without its number.
fn heading(words: &str) -> String {
    let words = squashed(words);
    let words = ["chapter ", "appendix ", "part ", "section "]
        .iter()
        .find_map(|kind| words.strip_prefix(kind))
        .unwrap_or(&words);
    let rest = match words.split_once([' ', ':']) {
        Some((number, rest)) if is_number(number) => rest,
        _ => words,
    };
    rest.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Whether `word` numbers a section: `4`, `4.2.`, `A.1`, `B`.
fn is_number(word: &str) -> bool {
    let word = word.trim_end_matches([':', '.']);
    let mut parts = word.split('.');
    parts.next().is_some_and(|first| {
        first.len() == 1 && first.chars().all(char::is_alphanumeric)
            || !first.is_empty() && first.chars().all(|c| c.is_ascii_digit())
    }) && parts.all(|part| part.chars().all(|c| c.is_ascii_digit()))
}

fn squashed(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

fn grams(tokens: &[String]) -> Vec<&[String]> {
    tokens.windows(4).collect()
}

fn counts<T: Hash + Eq>(items: &[T]) -> HashMap<&T, usize> {
    let mut counts = HashMap::new();
    for item in items {
        *counts.entry(item).or_default() += 1;
    }
    counts
}

/// How many of `expected` are among `read`, each counted once.
fn common<T: Hash + Eq>(expected: &[T], read: &[T]) -> usize {
    let read = counts(read);
    counts(expected)
        .iter()
        .map(|(item, count)| (*count).min(read.get(*item).copied().unwrap_or(0)))
        .sum()
}

fn share<T: Hash + Eq>(expected: &[T], read: &[T]) -> Option<f64> {
    (!expected.is_empty()).then(|| common(expected, read) as f64 / expected.len() as f64)
}

fn f1<T: Hash + Eq>(expected: &[T], read: &[T]) -> f64 {
    let all = expected.len() + read.len();
    if all == 0 {
        return 1.0;
    }
    2.0 * common(expected, read) as f64 / all as f64
}
