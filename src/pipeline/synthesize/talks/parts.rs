//! Owns how a long talk without chapters falls into headed parts: each of a few minutes, from where the speaker turns to something
//! else, called by what is said there and not elsewhere.

use super::signs::runs;
use super::{borders, is_said, names, names_nothing};
use crate::pipeline::synthesize::describe::capitalised;
use crate::pipeline::synthesize::outline::{Outline, block_text};
use crate::pipeline::synthesize::segments::stretches;
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::text::{Inline, is_unspaced, letters};
use std::collections::HashSet;
use std::ops::Range;

/// A talk of fewer words is read at once.
const WORDS_MIN: usize = 1_200;
/// Words of a part: about three to six minutes.
const PART_WORDS: Range<usize> = 380..760;
/// A heading of a talk that nobody divided stands below its title.
const LEVEL: u8 = 2;

/// The blocks with headings over the parts of the talks in them; none where there is no long one.
/// `title` is that of them all, and `outline` that of the blocks.
pub(in crate::pipeline::synthesize) fn headed(
    title: &str,
    blocks: &[Block],
    outline: &Outline,
    told: &[Block],
) -> Option<Headed> {
    let mut headings: Vec<(usize, Block)> = Vec::new();
    let mut taken: HashSet<String> = HashSet::new();
    for section in &outline.sections {
        taken.insert(letters(&section.title));
        let start = section.own.start + usize::from(section.level > 0);
        let own = start..section.own.end;
        let Some(said) = told.get(own.clone()) else {
            continue;
        };
        // Few sections are said, and to weigh one takes writing it.
        if !is_said(section, said) || weight(said) < WORDS_MIN {
            continue;
        }
        let level = (section.level + 1).max(LEVEL);
        // What the title says, or the part before, tells no part from others.
        let (own, mut last) = (letters(title), String::new());
        for part in stretches(said, PART_WORDS, borders::worth) {
            let inner = said.get(part.start..part.end).unwrap_or_default();
            let text: String = inner.iter().map(block_text).collect();
            let own_names = part.names.into_iter();
            let own_names = own_names.filter(|name| names::is_of_part(name, &text));
            // What a part is called whose script has no blanks.
            let in_signs = runs(&text, 6);
            let mut free = own_names.chain(in_signs).filter(|name| {
                !names_nothing(name)
                    && !taken.contains(&letters(name))
                    && !own.contains(&letters(name))
                    && !last.contains(&letters(name))
            });
            let is_free = |words: &String| !taken.contains(&letters(words));
            let begins = || names::beginning(inner).filter(is_free);
            let name = free.next().or_else(begins);
            let Some(name) = name.or_else(|| names::times(inner)) else {
                continue;
            };
            last = letters(&name);
            taken.insert(last.clone());
            let at = start + part.start;
            let span = blocks.get(at).map(|block| block.span.clone());
            headings.push((at, heading(level, &name, span.unwrap_or_default())));
        }
    }
    (!headings.is_empty()).then(|| Headed {
        blocks: with(blocks, &headings),
        told: with(told, &headings),
    })
}

/// A talk under headings: all of it, and what a body tells.
pub(in crate::pipeline::synthesize) struct Headed {
    pub(in crate::pipeline::synthesize) blocks: Vec<Block>,
    pub(in crate::pipeline::synthesize) told: Vec<Block>,
}

fn with(blocks: &[Block], headings: &[(usize, Block)]) -> Vec<Block> {
    let mut out = Vec::with_capacity(blocks.len() + headings.len());
    let mut headings = headings.iter().peekable();
    for (at, block) in blocks.iter().enumerate() {
        while let Some((_, heading)) = headings.next_if(|(before, _)| *before <= at) {
            out.push(heading.clone());
        }
        out.push(block.clone());
    }
    out
}

fn heading(level: u8, name: &str, span: Span) -> Block {
    let text = vec![Inline::Text(capitalised(name))];
    let kind = BlockKind::Heading { level, text };
    Block { kind, span }
}

/// How many words are said: scripts without blanks have about two signs to a word.
fn weight(blocks: &[Block]) -> usize {
    let words = |block: &Block| {
        let text = block_text(block);
        let signs = text.chars().filter(|c| is_unspaced(*c)).count();
        signs / 2 + text.split_whitespace().count()
    };
    blocks.iter().map(words).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::blocks::Landmark;
    use skillkiln_document::text::plain;

    fn said(text: &str, second: u32) -> Block {
        let second = f64::from(second);
        let landmark = Landmark {
            seconds: Some((second, second + 30.0)),
            ..Landmark::default()
        };
        let text = Inline::Text(text.to_owned());
        Block {
            kind: BlockKind::Paragraph(vec![text]),
            span: Span::at(0..1, Some(landmark.into())),
        }
    }

    fn talk(paragraphs: usize) -> Vec<Block> {
        let on = |words: [&str; 3], opener: &str| {
            let [a, b, c] = words;
            let own =
                format!("the {a} of the {b} makes every {a} {c} good and the {b} {c} better. ");
            format!("{opener} {}", own.repeat(5))
        };
        (0..paragraphs)
            .map(|number| {
                let opener = if number % 6 == 0 { "Now" } else { "Also" };
                let text = match number * 4 / paragraphs {
                    0 => on(["dough", "oven", "crust"], opener),
                    1 => on(["sail", "mast", "rope"], opener),
                    2 => on(["kiln", "glaze", "clay"], opener),
                    _ => on(["wheel", "gear", "chain"], opener),
                };
                said(&text, u32::try_from(number).unwrap_or(0) * 30)
            })
            .collect()
    }

    fn titles(blocks: &[Block]) -> Vec<String> {
        let headings = blocks.iter().filter_map(|block| match &block.kind {
            BlockKind::Heading { level: 2, text } => Some(plain(text)),
            _ => None,
        });
        headings.collect()
    }

    #[test]
    fn a_long_talk_falls_into_parts_that_are_called_by_what_is_said_in_them() {
        let blocks = talk(24);
        let headed = headed("Crafts", &blocks, &Outline::of(&blocks), &blocks).unwrap();
        let titles = titles(&headed.blocks);
        assert!((3..=5).contains(&titles.len()), "{titles:?}");
        let on_bread = |title: &String| {
            ["Dough", "Oven", "Crust"]
                .iter()
                .any(|word| title.contains(word) || title.contains(&word.to_lowercase()))
        };
        assert!(
            on_bread(&titles[0]) && !on_bread(titles.last().unwrap()),
            "{titles:?}"
        );
        let apart: HashSet<&String> = titles.iter().collect();
        assert_eq!(apart.len(), titles.len());
        assert_eq!(headed.blocks.len(), headed.told.len());
        assert_eq!(headed.blocks[0].span.seconds(), Some((0.0, 30.0)));
    }

    #[test]
    fn a_part_without_a_name_is_called_by_its_first_sentence() {
        let text =
            "Hey. We went on and saw how hot it was. Pasé y dije que no, and they gave it up. "
                .repeat(20);
        let blocks: Vec<Block> = (0..12).map(|at| said(&text, at * 60)).collect();
        let headed = headed("Crafts", &blocks, &Outline::of(&blocks), &blocks).unwrap();
        let titles = titles(&headed.blocks);
        assert_eq!(titles[0], "We went on and saw how hot it…");
        assert!(titles[1].contains(':'), "{titles:?}");
    }

    #[test]
    fn a_short_talk_and_a_text_have_no_parts() {
        let short = talk(6);
        assert!(headed("Crafts", &short, &Outline::of(&short), &short).is_none());
        let mut text = talk(24);
        text.iter_mut()
            .for_each(|block| block.span = Span::of(0..1));
        assert!(headed("Crafts", &text, &Outline::of(&text), &text).is_none());
    }

    #[test]
    fn a_transcript_under_its_heading_has_parts_below_it() {
        let mut text = talk(24);
        text.iter_mut()
            .for_each(|block| block.span = Span::of(0..1));
        text.insert(0, heading(2, "Transcript", Span::default()));
        let headed = headed("Crafts", &text, &Outline::of(&text), &text).unwrap();
        let levels = headed.blocks.iter().filter_map(|block| match block.kind {
            BlockKind::Heading { level, .. } => Some(level),
            _ => None,
        });
        let levels: Vec<u8> = levels.collect();
        assert_eq!(levels[0], 2);
        assert!(levels.len() > 3 && levels[1..].iter().all(|level| *level == 3));
    }
}
