//! Owns the source as it is laid before a model: numbered parts under their headings, in batches that fit its context.

use crate::pipeline::synthesize::describe::clip;
use crate::pipeline::synthesize::outline::Outline;
use crate::pipeline::synthesize::page::tokens;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::markdown;
use skillkiln_document::text::squash;
use std::collections::BTreeSet;

/// Longest part; what is longer is shown in several of the same number.
const PART_TOKENS_MAX: usize = 1_500;

/// A source, ready to be read by a model.
#[derive(Debug)]
pub(super) struct Material {
    /// The blocks; a part's number is its block's place, counted from 1.
    pub(super) blocks: Vec<Block>,
    /// The sections.
    pub(super) outline: Outline,
    /// What it is called.
    pub(super) title: String,
    parts: Vec<Part>,
}

/// A block as it is shown.
#[derive(Debug)]
struct Part {
    number: usize,
    section: usize,
    text: String,
    tokens: usize,
}

/// Some parts that are read together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Batch {
    /// What is shown.
    pub(super) text: String,
    /// The numbers that may be named.
    pub(super) numbers: BTreeSet<usize>,
    tokens: usize,
}

/// A section as the outline shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// Its place among the sections.
    pub(super) section: usize,
    /// Its headings, its length and how it begins.
    pub(super) line: String,
}

impl Material {
    /// Numbers the blocks of a document or of one topic of it.
    pub(super) fn of(blocks: &[Block], title: &str) -> Self {
        let outline = Outline::of(blocks);
        let mut parts = Vec::new();
        for (position, block) in blocks.iter().enumerate() {
            if matches!(
                block.kind,
                BlockKind::Heading { .. } | BlockKind::Figure { .. }
            ) {
                continue;
            }
            let section = outline.section_at(position).unwrap_or(0);
            let mut text = markdown::write(std::slice::from_ref(block));
            if !matches!(block.kind, BlockKind::Code { .. } | BlockKind::Math(_)) {
                text = unescaped(&text);
            }
            for text in slices(text.trim()) {
                parts.push(Part {
                    number: position + 1,
                    section,
                    tokens: tokens(text) + 6,
                    text: text.to_owned(),
                });
            }
        }
        Self {
            blocks: blocks.to_vec(),
            outline,
            title: title.to_owned(),
            parts,
        }
    }

    /// The sections that have something to say, each in one line.
    pub(super) fn entries(&self) -> Vec<Entry> {
        let mut out: Vec<Entry> = Vec::new();
        for part in &self.parts {
            let is_new = out.last().is_none_or(|entry| entry.section != part.section);
            let path = self.outline.path(part.section);
            let section = self.outline.sections.get(part.section);
            if is_new && !section.is_some_and(|section| section.is_aside) {
                let words = section.map_or(0, |section| section.words);
                let path = clip(&squash(&path.join(" > ")), 160);
                let opening = clip(&squash(&part.text), 120);
                out.push(Entry {
                    section: part.section,
                    line: format!("S{} | {path} | {words} words | {opening}", part.section),
                });
            }
        }
        out
    }

    /// The sections that `is_wanted`, as batches of at most `tokens_max`, in source order.
    pub(super) fn batches(
        &self,
        tokens_max: usize,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Vec<Batch> {
        let mut out: Vec<Batch> = Vec::new();
        let mut shown = None;
        for part in self.parts.iter().filter(|part| is_wanted(part.section)) {
            let path = squash(&self.outline.path(part.section).join(" > "));
            let heading = clip(&path, 200);
            let size = part.tokens + tokens(&heading) + 8;
            let fits = |batch: &&mut Batch| batch.tokens + size <= tokens_max;
            if out.last_mut().filter(fits).is_none() {
                out.push(Batch {
                    text: String::new(),
                    numbers: BTreeSet::new(),
                    tokens: 0,
                });
                shown = None;
            }
            let Some(batch) = out.last_mut() else { break };
            if shown != Some(part.section) {
                shown = Some(part.section);
                batch.text.push_str(&format!("## {heading}\n\n"));
            }
            batch
                .text
                .push_str(&format!("[{}] {}\n\n", part.number, part.text));
            batch.numbers.insert(part.number);
            batch.tokens += size;
        }
        out
    }
}

/// Markdown without the backslashes that keep its words from being marks: a model would copy them. Code stays as it is.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut is_code = false;
    while let Some(character) = rest.next() {
        is_code ^= character == '`';
        let escapes =
            character == '\\' && !is_code && rest.peek().is_some_and(char::is_ascii_punctuation);
        match rest.next_if(|_| escapes) {
            Some(escaped) => out.push(escaped),
            None => out.push(character),
        }
    }
    out
}

/// A text in pieces of at most [`PART_TOKENS_MAX`], cut at line ends and else between words.
fn slices(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text;
    while tokens(rest) > PART_TOKENS_MAX {
        // A token is at least a quarter of an ASCII character and at most one character of any kind.
        let mut count = 0;
        let limit = rest
            .char_indices()
            .find(|(_, character)| {
                count += if character.is_ascii() { 1 } else { 4 };
                count > PART_TOKENS_MAX * 4
            })
            .map_or(rest.len(), |(at, _)| at);
        let head = rest.get(..limit).unwrap_or(rest);
        let half = head.len() / 2;
        let cut = head
            .rfind('\n')
            .filter(|at| *at > half)
            .or_else(|| head.rfind(' ').filter(|at| *at > half))
            .unwrap_or(head.len());
        let (first, more) = rest.split_at(cut);
        out.push(first.trim_end());
        rest = more.trim_start_matches(['\n', ' ']);
    }
    if !rest.trim().is_empty() {
        out.push(rest);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::synthesize::testing::document;

    fn material(text: &str) -> Material {
        Material::of(&document(text).blocks, "Kiln")
    }

    #[test]
    fn parts_carry_the_numbers_of_their_blocks() {
        let material = material("# Kiln\n\nHeat it.\n\n## Cool\n\nWait.\n\n```sh\nkiln stop\n```");
        let batches = material.batches(1_000, |_| true);
        assert_eq!(batches.len(), 1);
        assert_eq!(
            batches[0].text,
            "## Kiln\n\n[2] Heat it.\n\n## Kiln > Cool\n\n[4] Wait.\n\n[5] ```sh\nkiln stop\n```\n\n"
        );
        assert_eq!(batches[0].numbers, BTreeSet::from([2, 4, 5]));
    }

    #[test]
    fn words_are_shown_as_they_read() {
        let material = material("Set max_size_of_it to 3 * 4 [or] more. Use `a\\*` for it.");
        let shown = &material.batches(1_000, |_| true)[0].text;
        assert!(
            shown.contains("Set max_size_of_it to 3 * 4 [or] more."),
            "{shown}"
        );
    }

    #[test]
    fn batches_fit_and_hold_every_part() {
        let long: String = (0..120)
            .map(|n| format!("## Part {n}\n\nSentence {n} tells of a thing that matters here.\n\n"))
            .collect();
        let material = material(&long);
        let batches = material.batches(300, |_| true);
        assert!(batches.len() > 5);
        for batch in &batches {
            assert!(tokens(&batch.text) <= 300, "{}", batch.text);
        }
        let numbers: usize = batches.iter().map(|batch| batch.numbers.len()).sum();
        assert_eq!(numbers, 120);
        assert_eq!(material.entries().len(), 120);
    }

    #[test]
    fn a_block_that_is_too_long_is_shown_in_slices() {
        let words = "kiln ".repeat(20_000);
        let material = material(&words);
        let batches = material.batches(2_000, |_| true);
        assert!(batches.len() > 10);
        assert!(
            batches
                .iter()
                .all(|batch| batch.numbers == BTreeSet::from([1]))
        );
        let shown: usize = batches
            .iter()
            .map(|batch| batch.text.matches("kiln").count())
            .sum();
        assert_eq!(shown, 20_000);
        let ideographs = "窯".repeat(20_000);
        assert!(
            slices(&ideographs)
                .iter()
                .all(|slice| tokens(slice) <= PART_TOKENS_MAX)
        );
        assert_eq!(slices(&ideographs).concat().len(), ideographs.len());
    }
}
