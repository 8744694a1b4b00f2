//! Owns which entries of a reference a source itself speaks of most: what it names where it opens, and what its other sections name.
//!
//! Whoever comes to the page of a module looks for `request()` before `validateHeaderName()`. The order of a reference, often that of the
//! alphabet, does not say so; how often its own text refers to an entry does.

use super::OPENING_WORDS;
use super::entries::without_kind;
use crate::pipeline::synthesize::outline::Outline;
use crate::pipeline::synthesize::signature;
use skillkiln_document::blocks::{Block, BlockKind, walk};
use skillkiln_document::text::Inline;
use std::collections::{HashMap, HashSet};

/// An opening that names more entries is a table of contents.
const OPENING_MAX: usize = 8;
/// What so many other sections name, and more than three of four entries are named by, is spoken of most.
const SECTIONS_MIN: usize = 4;
/// With fewer entries there is nothing to choose from.
const ENTRIES_MIN: usize = 8;

/// What a source speaks of; by default, nothing is sought.
#[derive(Default)]
pub(super) struct Referred {
    /// By the section's number, how many other sections name it.
    times: Vec<usize>,
    /// From so many on it is spoken of most.
    most: usize,
    /// The sections that are named where the source opens.
    opening: HashSet<usize>,
}

impl Referred {
    pub(super) fn of(blocks: &[Block], outline: &Outline) -> Self {
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (number, section) in outline.sections.iter().enumerate() {
            let heading = blocks.get(section.own.start).filter(|_| section.level > 0);
            if let Some(BlockKind::Heading { text, .. }) = heading.map(|block| &block.kind)
                && let Some(name) = named(&section.title, text)
            {
                by_name.entry(name).or_default().push(number);
            }
        }
        let mut times = vec![0; outline.sections.len()];
        let mut opening = HashSet::new();
        let mut sections = outline.sections.iter();
        let first = sections.position(|section| section.words >= OPENING_WORDS);
        if by_name.len() >= ENTRIES_MIN {
            for (number, section) in outline.sections.iter().enumerate() {
                let start = section.own.start + usize::from(section.level > 0);
                let own = blocks.get(start..section.own.end).unwrap_or_default();
                let mut spoken: HashSet<&str> = HashSet::new();
                let names = names_in(own);
                for name in &names {
                    if by_name.contains_key(name) {
                        spoken.insert(name);
                    }
                }
                let numbers = || {
                    spoken
                        .iter()
                        .filter_map(|name| by_name.get(*name))
                        .flatten()
                };
                for named in numbers().filter(|named| **named != number) {
                    if let Some(times) = times.get_mut(*named) {
                        *times += 1;
                    }
                }
                if Some(number) <= first && spoken.len() <= OPENING_MAX {
                    opening.extend(numbers().copied());
                }
            }
        }
        let mut counts: Vec<usize> = by_name
            .values()
            .flatten()
            .filter_map(|number| times.get(*number).copied())
            .collect();
        counts.sort_unstable();
        let quarter = counts.get(counts.len() * 3 / 4).copied();
        Self {
            times,
            most: quarter.unwrap_or_default().saturating_add(1),
            opening,
        }
    }

    /// How many other sections name one.
    pub(super) fn times(&self, number: usize) -> usize {
        self.times.get(number).copied().unwrap_or_default()
    }

    /// Whether it is one of those that whoever reads the source looks for.
    pub(super) fn is_sought(&self, number: usize) -> bool {
        self.opening.contains(&number) || self.times(number) >= self.most.max(SECTIONS_MIN)
    }
}

/// By what name text speaks of a section: `http.request` of `http.request(url[, options])`; `None` where its heading names no code.
fn named(title: &str, heading: &[Inline]) -> Option<String> {
    let short = signature::short(without_kind(title.trim()));
    let is_code = heading
        .iter()
        .any(|inline| matches!(inline, Inline::Code(_)));
    let is_call = title.contains('(');
    (is_code || is_call).then(|| bare(&short)).flatten()
}

/// A name without what is given to it.
fn bare(name: &str) -> Option<String> {
    // An event stands behind the word for it: `Event: 'close'`.
    let name = name.trim().rsplit(": ").next()?;
    let name = name.split(['(', '[', ' ']).next()?;
    let name = name.trim_matches(['\'', '"', '`', ':']);
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    (letters > 1).then(|| name.to_owned())
}

/// The names of code that the text of blocks has.
fn names_in(blocks: &[Block]) -> HashSet<String> {
    fn add(inlines: &[Inline], out: &mut HashSet<String>) {
        for inline in inlines {
            match inline {
                Inline::Code(code) => out.extend(bare(code)),
                Inline::Emphasis(inner) | Inline::Strong(inner) => add(inner, out),
                Inline::Link(link) => add(&link.text, out),
                _ => {}
            }
        }
    }
    let mut out = HashSet::new();
    walk(blocks, &mut |block| match &block.kind {
        BlockKind::Paragraph(text) => add(text, &mut out),
        BlockKind::Table { rows, .. } => rows.iter().flatten().for_each(|cell| add(cell, &mut out)),
        _ => {}
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_readers::markup::markdown;

    #[test]
    fn what_a_source_opens_with_and_what_its_sections_refer_to_is_sought() {
        let function = |number: usize| {
            let other = if number == 9 {
                ""
            } else {
                "See `kiln.door_9()`."
            };
            format!("## `kiln.door_{number}(wide)`\n\nOpens door {number}. {other}\n\n")
        };
        let functions: String = (0..12).map(function).collect();
        let source = format!(
            "# Kiln\n\nDoors of a kiln are opened by `kiln.door_3()`, which lets the air in, and shut by hand.\n\n{functions}"
        );
        let blocks = markdown::read(source).blocks;
        let outline = Outline::of(&blocks);
        let referred = Referred::of(&blocks, &outline);
        let sought: Vec<&str> = (0..outline.sections.len())
            .filter(|number| referred.is_sought(*number))
            .map(|number| outline.sections[number].title.as_str())
            .collect();
        assert_eq!(sought, ["kiln.door_3(wide)", "kiln.door_9(wide)"]);
    }
}
