//! Owns the index of descriptions by which a request is answered: BM25 over names and descriptions.

use crate::evals::Described;
use crate::terms::{Term, Vocabulary};
use skillkiln_document::quick::QuickMap;

/// How much a repeated word and a long description count, as in the literature.
const SATURATION: f64 = 1.2;
const LENGTH_SHARE: f64 = 0.75;

/// Descriptions by their terms.
pub(super) struct Index {
    pub(super) vocabulary: Vocabulary,
    pub(super) documents: Vec<QuickMap<Term, u32>>,
    /// In how many descriptions a term stands.
    spread: QuickMap<Term, u32>,
    mean: f64,
}

impl Index {
    /// Of names and descriptions.
    pub(super) fn of<'d>(all: impl Iterator<Item = Described<'d>>) -> Self {
        let mut vocabulary = Vocabulary::default();
        let mut documents = Vec::new();
        let mut spread: QuickMap<Term, u32> = QuickMap::default();
        for one in all {
            let mut counts: QuickMap<Term, u32> = QuickMap::default();
            let name = one.name.replace('-', " ");
            for term in vocabulary.terms(&format!("{name} {}", one.description)) {
                *counts.entry(term).or_default() += 1;
            }
            for term in counts.keys() {
                *spread.entry(*term).or_default() += 1;
            }
            documents.push(counts);
        }
        let total: u32 = documents.iter().map(length).sum();
        let mean = f64::from(total) / number(documents.len().max(1));
        Self {
            vocabulary,
            documents,
            spread,
            mean: mean.max(1.0),
        }
    }

    /// How well each description answers a request.
    pub(super) fn scores(&self, query: &str) -> Vec<f64> {
        let terms = self.known(query);
        let of = |document: &QuickMap<Term, u32>| {
            terms.iter().map(|term| self.part(*term, document)).sum()
        };
        self.documents.iter().map(of).collect()
    }

    /// The terms of a text that some description has, each once.
    fn known(&self, text: &str) -> Vec<Term> {
        let mut terms = self.vocabulary.known_terms(text);
        terms.sort_unstable();
        terms.dedup();
        terms
    }

    /// What one term of a request adds to the score of a description.
    pub(super) fn part(&self, term: Term, document: &QuickMap<Term, u32>) -> f64 {
        let times = document.get(&term).copied().map_or(0.0, f64::from);
        let share = 1.0 - LENGTH_SHARE + LENGTH_SHARE * f64::from(length(document)) / self.mean;
        self.rarity(term) * times * (SATURATION + 1.0) / (times + SATURATION * share)
    }

    fn rarity(&self, term: Term) -> f64 {
        let spread = f64::from(self.spread.get(&term).copied().unwrap_or_default());
        (1.0 + (number(self.documents.len()) - spread + 0.5) / (spread + 0.5)).ln()
    }
}

fn length(document: &QuickMap<Term, u32>) -> u32 {
    document.values().sum()
}

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
