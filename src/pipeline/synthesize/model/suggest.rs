//! Owns what a model suggests for a source before anybody asks: a name and a description that the source itself supports; what
//! the source's own headings give stands wherever the model does not (decision 31).

use super::claims::object;
use super::material::Material;
use super::{Author, Desk, materials, question};
use crate::domain::skill::Skill;
use crate::pipeline::handle::JobHandle;
use crate::pipeline::product::{Extracted, Wish};
use crate::pipeline::synthesize::front_matter::{self, wished_description};
use crate::pipeline::synthesize::hostile::visible;
use crate::pipeline::synthesize::prefill::{self, Suggestion};
use crate::pipeline::synthesize::title;
use crate::pipeline::validate::Judge;
use crate::pipeline::validate::statement::Support;
use serde_json::Value;
use skillkiln_document::failure::Failure;
use skillkiln_document::orders::is_order;
use skillkiln_document::text::Inline;
use std::sync::Arc;
use tokio::time::Instant;

impl Author {
    /// Suggests metadata for a source. A model that fails, stays silent until `until` or makes something up changes nothing.
    ///
    /// # Errors
    /// Only when the threads for heavy work are too busy.
    pub async fn suggest(&self, handle: &JobHandle, until: Instant) -> Result<Suggestion, Failure> {
        if self.model.is_none() {
            return handle.suggest().await;
        }
        let evidence = handle.take_document().await?;
        let source = Arc::clone(&evidence);
        let prepare = move || {
            let plain = prefill::suggest(&source.document, &source.origin);
            let materials = materials(&source, &Wish::default());
            (plain, materials.ok().and_then(|mut all| all.pop()))
        };
        let (plain, material) = self.pool.go_on(prepare).await?;
        let (Some(model), Some(material)) = (&self.model, material) else {
            return Ok(plain);
        };
        let desk = Desk {
            pool: &self.pool,
            model,
            until,
        };
        let opening = material.batches(desk.room(), |_| true).into_iter().next();
        let Some(opening) = opening else {
            return Ok(plain);
        };
        let question = question::metadata(&material.title, &opening);
        match model.ask(&question, until, read).await {
            Ok(answer) => {
                let judge = move || judge(&evidence, &material, plain, &answer);
                self.pool.go_on(judge).await
            }
            Err(_) => Ok(plain),
        }
    }
}

/// A name and a description as a model made them.
struct Answer {
    name: String,
    description: String,
}

fn read(answer: &str) -> Option<Answer> {
    let object = object(answer)?;
    let text = |name: &str| object.get(name).and_then(Value::as_str).map(visible);
    Some(Answer {
        name: text("name")?,
        description: text("description")?,
    })
}

/// The model's words where the source supports them and no check prefers the plain ones.
fn judge(
    evidence: &Extracted,
    material: &Material,
    plain: Suggestion,
    answer: &Answer,
) -> Suggestion {
    let support = Support::of(
        std::iter::once(material.title.as_str()),
        material.blocks.iter(),
    );
    let judge = Judge::of(evidence);
    let standing = |one: &Suggestion| {
        let header =
            front_matter::write(&one.name, &one.description, &one.category, &evidence.origin);
        let skill = Skill {
            name: one.name.clone(),
            description: one.description.clone(),
            content: format!("{header}\n# {}\n", material.title),
            references: Vec::new(),
            word_count: 1,
        };
        judge.standing(&skill, true)
    };
    let bar = standing(&plain);
    let mut best = plain;
    let words = answer.name.split(|c: char| !c.is_alphanumeric());
    let is_named = words
        .filter(|word| word.len() > 2)
        .all(|word| support.names(word));
    let description = wished_description(Some(&answer.description))
        .filter(|text| !is_order(text) && support.faults(&[Inline::Text(text.clone())]).is_empty());
    let candidates = [
        is_named.then(|| Suggestion {
            name: title::name(&[&answer.name, &best.name], &[], &evidence.origin.digest),
            ..best.clone()
        }),
        description.map(|description| Suggestion {
            description,
            ..best.clone()
        }),
    ];
    let [named, described] = candidates
        .map(|candidate| candidate.filter(|candidate| !standing(candidate).is_worse_than(&bar)));
    if let Some(named) = named {
        best.name = named.name;
    }
    if let Some(described) = described {
        best.description = described.description;
    }
    best
}
