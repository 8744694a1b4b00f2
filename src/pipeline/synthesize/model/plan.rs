//! Owns the outline: which sections of a source matter, asked before anything is written; for long sources in chunks that
//! fit (map), then once more about the best of all chunks (reduce).

use super::Desk;
use super::claims::{is_page, object};
use super::material::{Batch, Entry, Material};
use super::question;
use crate::pipeline::synthesize::page::tokens;
use futures_util::future::try_join_all;
use serde_json::Value;
use skillkiln_document::failure::Failure;
use std::collections::HashMap;

/// Most chunks of an outline that are asked about; sections beyond them count as background.
const CHUNKS_MAX: usize = 12;
/// Most batches that are read of one source; beyond them the sections that matter less stand in the references alone.
const BATCHES_MAX: usize = 32;
/// The most that a section can matter.
const WEIGHT_MAX: u8 = 3;

/// How much each section matters, 0 to [`WEIGHT_MAX`].
#[derive(Debug, Default)]
pub(super) struct Weights(HashMap<usize, u8>);

impl Weights {
    /// Of one section; 1 when nothing was said of it.
    pub(super) fn of(&self, section: usize) -> u8 {
        self.0.get(&section).copied().unwrap_or(1)
    }
}

/// Asks which sections matter.
pub(super) async fn weights(desk: &Desk<'_>, material: &Material) -> Result<Weights, Failure> {
    let entries = material.entries();
    // One section needs no plan; that it is asked about all the same shows whether the model is there.
    let mut chunks = chunks(&entries, desk.room());
    chunks.truncate(CHUNKS_MAX);
    let asked = chunks.iter().map(|chunk| ask(desk, material, chunk));
    let answers = try_join_all(asked).await?;
    let mut weights: HashMap<usize, u8> = answers.into_iter().flatten().collect();
    if chunks.len() > 1 {
        let is_good = |entry: &&Entry| weights.get(&entry.section).is_some_and(|w| *w > 1);
        let best: Vec<Entry> = entries.iter().filter(is_good).cloned().collect();
        if let Some(first) = self::chunks(&best, desk.room()).first() {
            weights.extend(ask(desk, material, first).await?);
        }
    }
    Ok(Weights(weights))
}

async fn ask(
    desk: &Desk<'_>,
    material: &Material,
    entries: &[Entry],
) -> Result<Vec<(usize, u8)>, Failure> {
    let question = question::outline(&material.title, entries);
    let known = |section: &usize| entries.iter().any(|entry| entry.section == *section);
    let answer = desk.model.ask(&question, desk.until, read).await?;
    let known = answer.into_iter().filter(|(section, _)| known(section));
    Ok(known.collect())
}

/// The weights of an answer; `None` when it is no answer to the question.
fn read(answer: &str) -> Option<Vec<(usize, u8)>> {
    let Some(object) = object(answer) else {
        // A page is an answer, though not to this question.
        return is_page(answer).then(Vec::new);
    };
    let sections = object.get("sections")?.as_array()?;
    let read = |entry: &Value| {
        let section = usize::try_from(entry.get("id")?.as_u64()?).ok()?;
        let weight = entry.get("weight")?.as_u64()?.min(u64::from(WEIGHT_MAX));
        Some((section, u8::try_from(weight).ok()?))
    };
    Some(sections.iter().filter_map(read).collect())
}

/// The lines of an outline in chunks that fit.
fn chunks(entries: &[Entry], tokens_max: usize) -> Vec<Vec<Entry>> {
    let mut out: Vec<Vec<Entry>> = Vec::new();
    let mut spent = usize::MAX;
    for entry in entries {
        let size = tokens(&entry.line) + 1;
        if spent.saturating_add(size) > tokens_max {
            out.push(Vec::new());
            spent = 0;
        }
        spent += size;
        if let Some(chunk) = out.last_mut() {
            chunk.push(entry.clone());
        }
    }
    out
}

/// What is read: everything that matters at all when that is not too much, else only what matters more. Also how many
/// sections are left out.
pub(super) fn batches(
    material: &Material,
    weights: &Weights,
    tokens_max: usize,
) -> (Vec<Batch>, usize) {
    let entries = material.entries();
    let sections = || entries.iter().map(|entry| entry.section);
    let mut batches = Vec::new();
    for least in 1..=WEIGHT_MAX {
        let wanted: std::collections::HashSet<usize> = sections()
            .filter(|section| weights.of(*section) >= least)
            .collect();
        let fewer = material.batches(tokens_max, |section| wanted.contains(&section));
        // A plan that leaves nothing is no plan.
        if fewer.is_empty() {
            break;
        }
        batches = fewer;
        if batches.len() <= BATCHES_MAX {
            let unread = sections()
                .filter(|s| !wanted.contains(s) && weights.of(*s) > 0)
                .count();
            return (batches, unread);
        }
    }
    if batches.is_empty() {
        batches = material.batches(tokens_max, |_| true);
    }
    let unread = batches.len().saturating_sub(BATCHES_MAX);
    batches.truncate(BATCHES_MAX);
    (batches, unread)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::synthesize::testing::document;

    fn material(sections: usize) -> Material {
        let text: String = (0..sections)
            .map(|n| {
                format!(
                    "## Part {n}\n\n{}\n\n",
                    format!("Sentence of part {n}. ").repeat(40)
                )
            })
            .collect();
        Material::of(&document(&text).blocks, "Parts")
    }

    #[test]
    fn weights_are_read_and_held_within_their_bounds() {
        let answer = r#"{"sections":[{"id":1,"weight":9},{"id":2,"weight":0},{"id":-1,"weight":1},{"id":3}]}"#;
        assert_eq!(read(answer), Some(vec![(1, 3), (2, 0)]));
        assert_eq!(read("# A page\n"), Some(vec![]));
        assert_eq!(read("no"), None);
        assert_eq!(read("{}"), None);
    }

    #[test]
    fn what_matters_less_is_left_out_only_when_there_is_too_much() {
        let few = material(4);
        let weights = Weights(HashMap::from([(0, 3), (1, 0)]));
        let (found, unread) = batches(&few, &weights, 400);
        assert_eq!((found.len(), unread), (3, 0));
        let many = material(100);
        let weights = Weights((0..100).map(|n| (n, if n < 10 { 3 } else { 1 })).collect());
        let (found, unread) = batches(&many, &weights, 400);
        assert_eq!((found.len(), unread), (10, 90));
        let (found, unread) = batches(&many, &Weights::default(), 400);
        assert_eq!((found.len(), unread), (BATCHES_MAX, 100 - BATCHES_MAX));
    }

    #[test]
    fn a_plan_that_leaves_nothing_is_no_plan() {
        let weights = Weights((0..4).map(|n| (n, 0)).collect());
        assert!(!batches(&material(4), &weights, 400).0.is_empty());
    }

    #[test]
    fn an_outline_is_cut_into_chunks_that_fit() {
        let entries = material(100).entries();
        let chunks = chunks(&entries, 500);
        assert!(chunks.len() > 3);
        assert_eq!(chunks.concat(), entries);
        for chunk in chunks {
            let size: usize = chunk.iter().map(|entry| tokens(&entry.line) + 1).sum();
            assert!(size <= 500);
        }
    }
}
