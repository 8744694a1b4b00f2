//! Owns how much parts of a source are alike: the cosine of their TF-IDF vectors.

use crate::outline::block_text;
use crate::terms::{Term, Vocabulary};
use skillkiln_document::blocks::Block;
use skillkiln_document::quick::QuickMap;
use std::ops::Range;

/// What a term that stands in every part weighs beside one that stands in one.
const COMMON_WEIGHT: f64 = 0.3;

/// How often each term stands in some blocks.
pub(super) fn counts(blocks: &[Block], vocabulary: &mut Vocabulary) -> QuickMap<Term, u32> {
    let mut counts = QuickMap::default();
    for block in blocks {
        for term in vocabulary.terms(&block_text(block)) {
            *counts.entry(term).or_insert(0) += 1;
        }
    }
    counts
}

/// A vector of unit length, by term.
pub(super) type Vector = Vec<(Term, f64)>;

/// The TF-IDF vectors of parts.
pub(super) fn vectors(blocks: &[Block], parts: impl Iterator<Item = Range<usize>>) -> Vec<Vector> {
    let mut vocabulary = Vocabulary::default();
    let counted: Vec<QuickMap<Term, u32>> = parts
        .map(|part| counts(blocks.get(part).unwrap_or_default(), &mut vocabulary))
        .collect();
    weighted(&counted)
}

/// The TF-IDF vectors of parts in which each term stands so often.
pub(super) fn weighted(counted: &[QuickMap<Term, u32>]) -> Vec<Vector> {
    let mut spread: QuickMap<Term, u32> = QuickMap::default();
    for term in counted.iter().flat_map(QuickMap::keys) {
        *spread.entry(*term).or_insert(0) += 1;
    }
    let parts = f64::from(u32::try_from(counted.len()).unwrap_or(u32::MAX));
    let weight = |term: &Term| {
        let places = spread.get(term).copied().unwrap_or(1);
        COMMON_WEIGHT + (parts / f64::from(places)).ln()
    };
    let one = |counts: &QuickMap<Term, u32>| {
        let mut vector: Vector = counts
            .iter()
            .map(|(term, count)| (*term, f64::from(*count) * weight(term)))
            .collect();
        // In one order, so that sums are the same each time.
        vector.sort_by_key(|(term, _)| *term);
        unit(vector)
    };
    counted.iter().map(one).collect()
}

/// A vector brought to unit length.
pub(super) fn unit(mut vector: Vector) -> Vector {
    let norm = vector.iter().map(|(_, w)| w * w).sum::<f64>().sqrt();
    if norm > 0.0 {
        vector.iter_mut().for_each(|(_, weight)| *weight /= norm);
    }
    vector
}

/// The sum of vectors, by term.
pub(super) fn sum(vectors: impl IntoIterator<Item = Vector>) -> Vector {
    let mut all: Vector = vectors.into_iter().flatten().collect();
    all.sort_by_key(|(term, _)| *term);
    let mut out: Vector = Vec::new();
    for (term, weight) in all {
        match out.last_mut() {
            Some((last, sum)) if *last == term => *sum += weight,
            _ => out.push((term, weight)),
        }
    }
    out
}

/// The cosine of two vectors of unit length.
pub(super) fn cosine(one: &Vector, other: &Vector) -> f64 {
    let mut others = other.iter().peekable();
    let mut product = 0.0;
    for (term, weight) in one {
        while others.next_if(|(known, _)| known < term).is_some() {}
        if let Some((_, theirs)) = others.next_if(|(known, _)| known == term) {
            product += weight * theirs;
        }
    }
    product
}

/// How much parts are alike, on the average of all pairs: by the length of the sum of their vectors, without comparing each pair.
pub(super) fn mean_likeness(vectors: &[Vector]) -> f64 {
    let count = f64::from(u32::try_from(vectors.len()).unwrap_or(u32::MAX));
    if count < 2.0 {
        return 1.0;
    }
    let total = sum(vectors.iter().cloned());
    let squared: f64 = total.iter().map(|(_, weight)| weight * weight).sum();
    (squared - count) / (count * (count - 1.0))
}
