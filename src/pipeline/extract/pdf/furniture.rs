//! Tells the furniture of printed pages from their content: running heads, page numbers, printed tables of contents.

use crate::domain::text::squash;
use std::collections::{HashMap, HashSet};
use unpdf::{Block, Document as Pdf, Page};

/// What repeats from page to page.
#[derive(Debug, Default)]
pub(crate) struct Furniture {
    running: HashSet<String>,
    seen: HashSet<String>,
}

impl Furniture {
    /// Learns what repeats at the top and bottom of the pages of `pdf`.
    pub(crate) fn of(pdf: &Pdf) -> Self {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for page in &pdf.pages {
            let paragraphs: Vec<String> = page.elements.iter().filter_map(words).collect();
            let edges = paragraphs
                .iter()
                .take(2)
                .chain(paragraphs.iter().skip(2).rev().take(2));
            let edges: HashSet<String> = edges
                .filter(|words| words.len() <= 120)
                .map(|words| key(words))
                .collect();
            for edge in edges {
                *counts.entry(edge).or_default() += 1;
            }
        }
        let often = 4.max(pdf.pages.len() / 60);
        let running = counts
            .into_iter()
            .filter(|(_, count)| *count >= often)
            .map(|(words, _)| words)
            .collect();
        Self {
            running,
            seen: HashSet::new(),
        }
    }

    /// Whether `words` are a running head or foot that was seen before, or a page number.
    pub(crate) fn is_repeated(&mut self, words: &str) -> bool {
        if words.len() > 120 {
            return false;
        }
        let key = key(words);
        let bare = !key.chars().any(char::is_alphabetic);
        self.running.contains(&key) && (bare || !self.seen.insert(key))
    }

    /// Whether a page is a printed table of contents: mostly lines that end with dots and a number.
    pub(crate) fn is_contents(&self, page: &Page) -> bool {
        let text = page.plain_text();
        let (mut leaders, mut lines) = (0, 0);
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            lines += 1;
            let dotted = line.contains(". . .") || line.contains("....") || line.contains("……");
            leaders += usize::from(
                dotted
                    && line.ends_with(|c: char| c.is_ascii_digit() || matches!(c, 'i' | 'v' | 'x')),
            );
        }
        let dots = text.matches(". . . .").count() + text.matches(".....").count();
        (leaders >= 3 && leaders * 2 >= lines) || (dots >= 12 && dots >= lines)
    }
}

fn words(block: &Block) -> Option<String> {
    match block {
        Block::Paragraph(paragraph) => {
            Some(squash(&paragraph.plain_text())).filter(|words| !words.is_empty())
        }
        _ => None,
    }
}

/// Words with their numbers taken out, so that "12 | Chapter 1" repeats.
fn key(words: &str) -> String {
    words
        .chars()
        .filter(|c| !c.is_ascii_digit())
        .collect::<String>()
        .trim()
        .to_lowercase()
}
