//! Owns the measure of the checks: claims of which it is known whether they are true, with the units that they name, and how many of
//! the true ones are refused and of the false ones accepted.

use crate::check::{self, Source};
use crate::draft::{Claim, State, new_claim};
use crate::json;
use crate::marks::Cite;
use crate::prompt::Question;
use crate::reading::unmarked;
use crate::units::{UnitId, Units};
use crate::verdict::{self, Asked};
use serde_json::Value;
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::text::Inline;
use std::collections::HashMap;

/// A claim of which it is known whether it is true.
#[derive(Debug, Clone)]
pub struct Known {
    /// What is claimed.
    pub claim: Claim,
    /// Whether it is true.
    pub is_true: bool,
}

/// The claims about one source.
#[derive(Debug)]
pub struct Case {
    /// The source.
    pub source: Source,
    /// The claims.
    pub claims: Vec<Known>,
}

/// How the claims were judged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// True claims.
    pub right: usize,
    /// False claims.
    pub wrong: usize,
    /// True claims that were refused, and why.
    pub refused_right: Vec<(String, String)>,
    /// False claims that were accepted.
    pub accepted_wrong: Vec<String>,
}

impl Case {
    /// Reads `{"document", "units": {"5": {"under", "text"}}, "claims": [{"text", "cites", "truth", "inferred"}]}`. `read` makes blocks of a
    /// unit's Markdown.
    #[must_use]
    pub fn read(value: &Value, read: impl Fn(&str) -> Vec<Block>) -> Self {
        let mut blocks: Vec<Block> = Vec::new();
        let mut numbers: HashMap<String, Vec<u32>> = HashMap::new();
        let mut path: Vec<String> = Vec::new();
        let mut count = 0_u32;
        let mut add = |own: Vec<Block>, blocks: &mut Vec<Block>| {
            let first = count;
            count += u32::try_from(Units::of("", &own).all().len()).unwrap_or_default();
            blocks.extend(own);
            (first + 1..=count).collect::<Vec<u32>>()
        };
        let units = value
            .get("units")
            .and_then(Value::as_object)
            .into_iter()
            .flatten();
        for (number, unit) in units {
            let under: Vec<String> = json::text(unit, "under")
                .split(" > ")
                .map(str::to_owned)
                .collect();
            let shared = under
                .iter()
                .zip(&path)
                .take_while(|(one, other)| one == other)
                .count();
            for (level, title) in (1..).zip(&under).skip(shared) {
                let heading = BlockKind::Heading {
                    level: u8::min(level, 6),
                    text: vec![Inline::Text(title.clone())],
                };
                add(
                    vec![Block {
                        kind: heading,
                        span: Span::default(),
                    }],
                    &mut blocks,
                );
            }
            path = under;
            let own = add(read(&json::text(unit, "text")), &mut blocks);
            numbers.insert(number.clone(), own);
        }
        let title = json::text(value, "document");
        let source = Source::of(Units::of(&title, &blocks));
        let claim = |value: &Value| {
            let cited = json::list(value, "cites")
                .iter()
                .filter_map(|id| numbers.get(&id.to_string()));
            Known {
                claim: new_claim(
                    unmarked(&json::text(value, "text")).to_owned(),
                    Cite {
                        ids: cited
                            .flatten()
                            .map(|number| UnitId::whole(*number))
                            .collect(),
                        is_inferred: value
                            .get("inferred")
                            .and_then(Value::as_bool)
                            .unwrap_or_default(),
                    },
                ),
                is_true: value
                    .get("truth")
                    .and_then(Value::as_bool)
                    .unwrap_or_default(),
            }
        };
        let claims = json::list(value, "claims").iter().map(claim).collect();
        Self { source, claims }
    }

    /// Makes the hard check.
    pub fn check(&mut self) {
        for known in &mut self.claims {
            let checked = check::claim(&self.source, &known.claim.text, &known.claim.cite);
            known.claim.cite.ids.extend(checked.widened);
            known.claim.flags = checked.flags;
            known.claim.state = match checked.faults.is_empty() {
                true => State::Waits,
                false => State::Refused(checked.faults.join("; ")),
            };
        }
    }

    /// The questions to a judge about what passed the hard check, with the claims of each.
    #[must_use]
    pub fn questions(&self, fence: &str, count: usize) -> Vec<(Question, Vec<usize>)> {
        let waits = |at: &usize| {
            self.claims
                .get(*at)
                .is_some_and(|known| known.claim.state == State::Waits)
        };
        let waiting: Vec<usize> = (0..self.claims.len()).filter(waits).collect();
        let ask = |batch: &[usize]| {
            let asked = |at: &usize| {
                let claim = &self.claims.get(*at)?.claim;
                Some(Asked { claim, under: "" })
            };
            let claims: Vec<Asked<'_>> = batch.iter().filter_map(asked).collect();
            (
                verdict::question(&self.source, fence, &claims),
                batch.to_vec(),
            )
        };
        waiting.chunks(count.max(1)).map(ask).collect()
    }

    /// Takes an answer to one of them.
    pub fn answer(&mut self, batch: &[usize], answer: &str) {
        for judged in verdict::read(answer) {
            let at = usize::try_from(judged.id)
                .ok()
                .and_then(|id| batch.get(id.checked_sub(1)?));
            if let Some(known) = at.and_then(|at| self.claims.get_mut(*at)) {
                known.claim.state = verdict::weigh(&self.source, &known.claim, &judged);
            }
        }
    }

    /// Ends the asking: what nobody judged has no proof.
    pub fn close(&mut self) {
        for known in &mut self.claims {
            if known.claim.state == State::Waits {
                known.claim.state = State::Refused("the judge said nothing of it".to_owned());
            }
        }
    }

    /// How they were judged. A claim that waits is counted as accepted by the hard check alone.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for known in &self.claims {
            let text = known.claim.text.clone();
            match (&known.claim.state, known.is_true) {
                (State::Refused(why), true) => tally.refused_right.push((text, why.clone())),
                (State::Refused(_), false) => {}
                (_, true) => {}
                (_, false) => tally.accepted_wrong.push(text),
            }
            match known.is_true {
                true => tally.right += 1,
                false => tally.wrong += 1,
            }
        }
        tally
    }
}
