//! Owns how a text without headings is cut: between the places where its vocabulary changes most.

use super::Part;
use super::likeness::{Vector, cosine, counts, sum, unit, weighted};
use crate::terms::{Term, Vocabulary};
use skillkiln_document::blocks::Block;
use skillkiln_document::quick::QuickMap;
use skillkiln_document::text::capitalised;
use std::ops::Range;

/// Words that are compared on either side of a gap between two blocks.
const WINDOW_WORDS: usize = 160;
/// Words of what is compared at once, at least.
const UNIT_WORDS: usize = 20;
/// A stretch between two changes of vocabulary has at least so many words.
const STRETCH_WORDS_MIN: usize = 260;
/// Terms that name a stretch.
const STRETCH_TERMS: usize = 3;

/// The stretches of a text without headings, between the places where its vocabulary changes most: TextTiling (Hearst 1997), with runs of
/// short blocks as its units. Each is called by the terms that tell it from the others.
pub(super) fn stretches(blocks: &[Block], words: &[usize]) -> Vec<Part> {
    let mut vocabulary = Vocabulary::default();
    let units = units(words);
    let of_unit =
        |unit: &Range<usize>| -> usize { words.get(unit.clone()).unwrap_or_default().iter().sum() };
    let counted: Vec<Counted> = units
        .iter()
        .map(|unit| Counted {
            words: of_unit(unit),
            times: counts(
                blocks.get(unit.clone()).unwrap_or_default(),
                &mut vocabulary,
            ),
        })
        .collect();
    let likeness: Vec<f64> = (1..counted.len())
        .map(|gap| {
            let (before, behind) = counted.split_at(gap);
            cosine(&window(before.iter().rev()), &window(behind.iter()))
        })
        .collect();
    let mut starts = vec![0];
    let mut said = 0;
    let mut left: usize = words.iter().sum();
    let depths = depths(&likeness);
    let count = f64::from(u32::try_from(depths.len().max(1)).unwrap_or(u32::MAX));
    let mean = depths.iter().sum::<f64>() / count;
    let spread = (depths.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / count).sqrt();
    for ((depth, unit), next) in depths.iter().zip(&units).zip(units.iter().skip(1)) {
        let own = of_unit(unit);
        said += own;
        left = left.saturating_sub(own);
        let is_deep = *depth > mean + spread / 2.0 && *depth > 0.1;
        if is_deep && said >= STRETCH_WORDS_MIN && left >= STRETCH_WORDS_MIN {
            starts.push(next.start);
            said = 0;
        }
    }
    let ends: Vec<usize> = starts.iter().skip(1).copied().collect();
    let ranges: Vec<Range<usize>> = starts
        .into_iter()
        .zip(ends.into_iter().chain([blocks.len()]))
        .map(|(start, end)| start..end)
        .collect();
    let inside: Vec<QuickMap<Term, u32>> = ranges
        .iter()
        .map(|range| {
            let own = blocks.get(range.clone()).unwrap_or_default();
            counts(own, &mut vocabulary)
        })
        .collect();
    let weighted = weighted(&inside);
    ranges
        .into_iter()
        .zip(weighted)
        .map(|(range, mut vector)| {
            vector.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
            let terms = vector.iter().map(|(term, _)| vocabulary.written(*term));
            let terms: Vec<&str> = terms
                .filter(|term| term.chars().count() > 2 && term.chars().all(char::is_alphabetic))
                .take(STRETCH_TERMS)
                .collect();
            let name = terms.join(", ");
            Part {
                titles: vec![capitalised(&name)],
                words: words.get(range.clone()).unwrap_or_default().iter().sum(),
                blocks: range,
            }
        })
        .collect()
}

/// What is compared: some blocks with how often each term stands there.
struct Counted {
    words: usize,
    times: QuickMap<Term, u32>,
}

/// Blocks in runs of at least [`UNIT_WORDS`]: what is shorter tells too little to be compared.
fn units(words: &[usize]) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut said = UNIT_WORDS;
    for (at, own) in words.iter().enumerate() {
        match out.last_mut() {
            Some(last) if said < UNIT_WORDS => last.end = at + 1,
            _ => {
                out.push(at..at + 1);
                said = 0;
            }
        }
        said += own;
    }
    out
}

/// The terms from a gap on, up to a window's words, as a vector.
fn window<'c>(units: impl Iterator<Item = &'c Counted>) -> Vector {
    let mut seen = 0;
    let mut all: Vector = Vec::new();
    for unit in units {
        let own = unit.times.iter();
        all.extend(own.map(|(term, count)| (*term, f64::from(*count))));
        seen += unit.words;
        if seen >= WINDOW_WORDS {
            break;
        }
    }
    unit(sum([all]))
}

/// How deep the valley is that each gap lies in: how far it is up to the next tops on both sides.
fn depths(likeness: &[f64]) -> Vec<f64> {
    let before = tops(likeness.iter().copied());
    let mut behind = tops(likeness.iter().rev().copied());
    behind.reverse();
    likeness
        .iter()
        .zip(before.iter().zip(&behind))
        .map(|(own, (before, behind))| (before - own) + (behind - own))
        .collect()
}

/// For each height the top that is reached by going back from it without going down.
fn tops(heights: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut last: Option<(f64, f64)> = None;
    heights
        .map(|height| {
            let top = match last {
                Some((before, top)) if before >= height => top,
                _ => height,
            };
            last = Some((height, top));
            top
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_valley_is_as_deep_as_its_sides_are_high() {
        let depths = depths(&[0.5, 0.25, 0.25, 1.0, 0.5]);
        assert_eq!(depths, [0.0, 1.0, 1.0, 0.0, 0.5]);
    }
}
