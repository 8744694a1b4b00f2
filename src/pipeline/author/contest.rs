//! Owns the contest between the model's text and the draft that the source alone made: the model's is delivered only when no check finds
//! more in it. What a check finds on a line costs that line its place, not the whole text.

use crate::domain::skill::Skill;
use crate::pipeline::author::desk::Without;
use crate::pipeline::product::{Authorship, Draft, Proof, Synthesized, Wish};
use crate::pipeline::synthesize::{Prepared, source_of};
use skillkiln_author::author::Work;
use skillkiln_author::check::Source;
use skillkiln_author::compile::{self, Compiled, Frame};
use skillkiln_author::settle::settle;
use skillkiln_author::shorten;
use skillkiln_document::markdown;
use skillkiln_skills::kind::Kind;
use skillkiln_skills::report::Bill;
use skillkiln_skills::validate::{Judge, Standing};
use skillkiln_skills::{header, naming, skill, wishes};
use std::sync::Arc;

/// How often lines are taken out for what the checks find on them.
const REPAIRS_MAX: usize = 4;
/// Most lines that were thrown away and are told.
const THROWN_MAX: usize = 12;

/// Puts the model's text in the place of each draft that is no better by any check, and says of each who wrote it.
pub(super) fn choose(
    synthesized: &mut Synthesized,
    parts: &[Arc<Prepared>],
    wish: &Wish,
    works: Vec<Result<(Work, Source), Without>>,
    bill: Bill,
) {
    let evidence = Arc::clone(&synthesized.evidence);
    let judge = Judge::of(&evidence.document, &evidence.origin.label);
    let share = bill.share(parts.len() as u64);
    for ((draft, part), work) in synthesized.drafts.iter_mut().zip(parts).zip(works) {
        let outcome = work.and_then(|(work, source)| {
            let described = wish
                .description
                .as_deref()
                .filter(|_| draft.topic.is_none())
                .and_then(wishes::description);
            let contest = Contest {
                judge: &judge,
                kind: wish.kind.map(|named| named.0),
                draft,
                part,
                source: &source,
            };
            contest.write(work, described, wish.name.is_some())
        });
        match outcome {
            Ok(mut better) => {
                if let Some(authorship) = &mut better.authorship {
                    authorship.words.push_str(&told(share));
                    authorship.bill = Some(share);
                }
                *draft = better;
            }
            Err(without) => {
                draft.authorship = Some(Authorship {
                    is_model: false,
                    is_away: without.is_away,
                    words: format!(
                        "the text is the extractive one, because {}{}",
                        without.words.trim_end_matches('.'),
                        told(share)
                    ),
                    thrown: Vec::new(),
                    bill: (share.tokens > 0).then_some(share),
                });
            }
        }
    }
}

/// What was used, in words.
fn told(bill: Bill) -> String {
    match (bill.tokens, bill.cost()) {
        (0, _) => String::new(),
        (tokens, cost) if cost > 0.0 => format!("; {tokens} tokens, {cost:.4} by the prices set"),
        (tokens, _) => format!("; {tokens} tokens"),
    }
}

/// What the header says.
#[derive(Clone, Copy)]
struct Head<'h> {
    name: &'h str,
    description: &'h str,
}

struct Contest<'c> {
    judge: &'c Judge,
    kind: Option<Kind>,
    draft: &'c Draft,
    part: &'c Prepared,
    source: &'c Source,
}

impl Contest<'_> {
    fn write(
        &self,
        mut work: Work,
        described: Option<String>,
        is_named: bool,
    ) -> Result<Draft, Without> {
        let beaten = |words: String| Without {
            is_away: false,
            is_spent: false,
            words,
        };
        let origin = source_of(&self.part.origin);
        let own = &self.draft.skill;
        let said = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let description = described
            .or(said(&work.brief.description))
            .unwrap_or_else(|| own.description.clone());
        // A name that somebody chose, or that sets a topic apart from the others, stays.
        let suggested = said(&work.brief.name).filter(|_| !is_named && self.draft.topic.is_none());
        let mut name = suggested.map_or_else(
            || own.name.clone(),
            |name| naming::name(&name, &own.name, &self.part.origin.digest, &[]),
        );
        let mut title = said(&work.brief.title)
            .filter(|_| self.draft.topic.is_none())
            .unwrap_or_else(|| self.part.title.clone());
        let wish = skill::Wish {
            title: Some(self.part.title.clone()),
            name: Some(own.name.clone()),
            description: Some(description),
            category: Some(self.draft.category.clone()),
            kind: self.kind,
            is_part: self.draft.topic.is_some(),
            ..skill::Wish::default()
        };
        let document = &self.part.document;
        let frame = Frame::of(document, &document.blocks, &origin, &wish)
            .map_err(|refusal| beaten(refusal.0))?;
        let cut = shorten::fit(&mut work.page, self.source, frame.lines()).into_iter();
        let too_long = |text: String| (text, "it did not fit".to_owned());
        work.thrown.extend(cut.map(too_long));
        let is_whole = self.draft.topic.is_none();
        let bar = self.judge.standing(&own.package(), is_whole, &[]);
        let mut description = frame.card.description.clone();
        for round in 0..=REPAIRS_MAX {
            let header = header::write(&name, &description, &self.draft.category, &origin);
            let compiled = compile::write(&work.page, self.source, &frame, &title, &header);
            let head = Head {
                name: &name,
                description: &description,
            };
            let written = self.draft(&compiled, &frame, head, &work);
            let judged: Vec<(u32, u32)> = written.proofs.iter().map(|proof| proof.lines).collect();
            let package = written.skill.package();
            let now = self.judge.standing(&package, is_whole, &judged);
            if !now.is_worse_than(&bar) {
                return Ok(written);
            }
            // What was found on no line may be found in the header.
            let is_repaired = take_out(&now, &compiled, &mut work, self.source)
                || replace(&mut description, &own.description)
                || replace(&mut name, &own.name) | replace(&mut title, &self.part.title);
            if round == REPAIRS_MAX || !is_repaired {
                return Err(beaten(format!(
                    "the checks found more in the model's text ({})",
                    now.ids().join(", ")
                )));
            }
        }
        Err(beaten(
            "the checks found more in the model's text".to_owned(),
        ))
    }

    fn draft(&self, compiled: &Compiled, frame: &Frame, head: Head<'_>, work: &Work) -> Draft {
        let proof = |proof: &compile::Proof| {
            let how = if proof.is_inferred {
                "inferred from"
            } else {
                "said in"
            };
            let under = match proof.under.is_empty() {
                true => String::new(),
                false => format!(" under “{}”", proof.under),
            };
            Proof {
                lines: proof.lines,
                words: format!("{how} [{}]{under}: “{}”", proof.units, proof.quote),
            }
        };
        let proofs: Vec<Proof> = compiled.proofs.iter().map(proof).collect();
        let inferred = compiled
            .proofs
            .iter()
            .filter(|proof| proof.is_inferred)
            .count();
        let mut words = format!(
            "a model wrote {} statements: the source says {}, {inferred} follow from it; {} were thrown away",
            proofs.len(),
            proofs.len() - inferred,
            work.thrown.len()
        );
        if work.mended > 0 {
            words.push_str(&format!(", {} were mended", work.mended));
        }
        if work.unread > 0 {
            words.push_str(&format!(
                "; {} sections stand in the references alone",
                work.unread
            ));
        }
        for skipped in &work.skipped {
            words.push_str(&format!("; left out: {skipped}"));
        }
        let thrown = work.thrown.iter().take(THROWN_MAX);
        Draft {
            topic: self.draft.topic.clone(),
            category: self.draft.category.clone(),
            skill: Skill {
                name: head.name.to_owned(),
                description: head.description.to_owned(),
                word_count: markdown::word_count(&compiled.content),
                content: compiled.content.clone(),
                references: frame.card.references.clone(),
            },
            traces: compiled.traces.clone(),
            proofs,
            authorship: Some(Authorship {
                is_model: true,
                is_away: false,
                words,
                thrown: thrown
                    .map(|(text, why)| format!("thrown away, because {why}: {text}"))
                    .collect(),
                bill: None,
            }),
        }
    }
}

/// Puts the draft's own words in the place of the model's; `false` where they are the same.
fn replace(words: &mut String, own: &str) -> bool {
    let is_other = words != own;
    own.clone_into(words);
    is_other
}

/// Takes out the lines on which something was found; `false` when there are none.
fn take_out(standing: &Standing, compiled: &Compiled, work: &mut Work, source: &Source) -> bool {
    let lines = standing.lines();
    let mut hit: Vec<usize> = compiled
        .origin
        .iter()
        .filter(|((first, last), _)| lines.range(first..=last).next().is_some())
        .map(|(_, at)| *at)
        .collect();
    hit.sort_unstable();
    hit.dedup();
    for at in hit.iter().rev() {
        if *at >= work.page.lines.len() {
            continue;
        }
        let line = work.page.lines.remove(*at);
        for claim in line
            .claims
            .iter()
            .filter_map(|claim| work.page.claims.get(*claim))
        {
            work.thrown
                .push((claim.text.clone(), "a check found fault with it".to_owned()));
        }
    }
    settle(&mut work.page, source);
    !hit.is_empty()
}
