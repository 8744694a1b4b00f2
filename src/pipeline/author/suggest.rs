//! Owns what a model suggests for a source before anybody asks: a name, a description and a category in which nothing stands that the
//! source does not hold; what the source's own headings give stands wherever the model does not (decision 31).

use crate::domain::skill::Skill;
use crate::pipeline::author::Author;
use crate::pipeline::author::desk::{Desk, fence};
use crate::pipeline::handle::JobHandle;
use crate::pipeline::product::{Extracted, Wish};
use crate::pipeline::synthesize::{self, Suggestion, prepared, source_of};
use crate::providers::model::Meter;
use skillkiln_author::brief::{Brief, DESCRIPTION_CHARS_MAX};
use skillkiln_author::check::{Source, is_name, uncited};
use skillkiln_author::listing;
use skillkiln_author::prompt::{Question, Step};
use skillkiln_author::units::Units;
use skillkiln_document::failure::Failure;
use skillkiln_skills::category::CATEGORIES;
use skillkiln_skills::validate::Judge;
use skillkiln_skills::{header, naming, wishes};
use std::sync::Arc;
use tokio::time::Instant;

/// Tokens of a source that are shown: its beginning tells what it is about.
const SHOWN_TOKENS_MAX: usize = 6_000;

impl Author {
    /// Suggests metadata for a source. A model that fails, stays silent until `until` or makes something up changes nothing.
    ///
    /// # Errors
    /// Only when the threads for heavy work are too busy.
    pub async fn suggest(&self, handle: &JobHandle, until: Instant) -> Result<Suggestion, Failure> {
        let Some(model) = &self.model else {
            return handle.suggest().await;
        };
        let evidence = handle.take_document().await?;
        let own = Arc::clone(&evidence);
        let fence = fence()?;
        let room = SHOWN_TOKENS_MAX.min(model.context_tokens() / 2);
        let prepare = move || {
            let plain = synthesize::suggest(&own)?;
            let part = prepared(&own, &Wish::default())
                .ok()
                .and_then(|mut all| all.pop());
            let source = part.map(|part| Source::of(Units::of(&part.title, &part.document.blocks)));
            let question = source.as_ref().and_then(|source| {
                let sections = (0..source.units.sections().len()).collect();
                let opening = listing::batches(&source.units, &sections, room)
                    .into_iter()
                    .next()?;
                let listing = listing::of(&source.units, &opening);
                let categories: Vec<&str> = CATEGORIES.iter().map(|one| one.name).collect();
                let words = [("categories", categories.join(", "))];
                let words = words.each_ref().map(|(name, text)| (*name, text.as_str()));
                Some(Question::new(Step::Prefill, &fence, &listing, &words))
            });
            Ok((plain, source, question))
        };
        let (plain, source, question) = self.pool.go_on(prepare).await??;
        let (Some(source), Some(question)) = (source, question) else {
            return Ok(plain);
        };
        let desk = Desk {
            pool: &self.pool,
            model,
            terms: self.terms,
            meter: Meter::default(),
            until,
            tell: &|_| {},
        };
        match desk.ask(&question).await {
            Ok(answer) => {
                let judge = move || judge(&evidence, &source, plain, &answer);
                self.pool.go_on(judge).await
            }
            Err(_) => Ok(plain),
        }
    }
}

/// The model's words where the source holds their signs and no check prefers the plain ones.
fn judge(evidence: &Extracted, source: &Source, plain: Suggestion, answer: &str) -> Suggestion {
    let Some(brief) = Brief::read(answer) else {
        return plain;
    };
    let judge = Judge::of(&evidence.document, &evidence.origin.label);
    let standing = |one: &Suggestion| {
        let origin = source_of(&evidence.origin);
        let header = header::write(&one.name, &one.description, &one.category, &origin);
        let skill = Skill {
            name: one.name.clone(),
            description: one.description.clone(),
            content: format!("{header}\n# {}\n", source.units.title),
            references: Vec::new(),
            word_count: 1,
        };
        judge.standing(&skill.package(), true, &[])
    };
    let bar = standing(&plain);
    let mut best = plain;
    let holds = |text: &str| uncited(source, text).faults.is_empty();
    let description = wishes::description(&brief.description)
        .filter(|text| text.chars().count() <= DESCRIPTION_CHARS_MAX && holds(text));
    let candidates = [
        is_name(source, &brief.name).then(|| Suggestion {
            name: naming::name(&brief.name, &best.name, &evidence.origin.digest, &[]),
            ..best.clone()
        }),
        description.map(|description| Suggestion {
            description,
            ..best.clone()
        }),
    ];
    let [named, described] = candidates
        .map(|candidate| candidate.filter(|candidate| !standing(candidate).is_worse_than(&bar)));
    if let Some(own) = CATEGORIES.iter().find(|one| one.name == brief.category) {
        own.name.clone_into(&mut best.category);
    }
    if let Some(named) = named {
        best.name = named.name;
    }
    if let Some(described) = described {
        best.description = described.description;
    }
    best
}
