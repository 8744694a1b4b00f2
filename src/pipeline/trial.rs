//! What a skill is tried with, made from its source: tasks whose answers stand there, requests that should and that should not bring the
//! skill up, and the place at which its description comes up for them.

use crate::pipeline::handle::JobHandle;
use crate::pipeline::product::Wish;
use crate::pipeline::synthesize::prepared;
use serde::Serialize;
use skillkiln_document::failure::Failure;
use skillkiln_skills::evals::needs::needs;
use skillkiln_skills::evals::ranking::{Ranking, rank};
use skillkiln_skills::evals::tasks::{EvalSet, tasks};
use skillkiln_skills::evals::trigger::{TriggerCase, requests};
use skillkiln_skills::evals::{Described, common};

/// A skill as a host lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
}

impl Listed {
    fn described(&self) -> Described<'_> {
        Described {
            name: &self.name,
            description: &self.description,
        }
    }
}

/// What a skill is tried with, and how its description fares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    tasks: EvalSet,
    cases: Vec<TriggerCase>,
    /// The place of the skill for each request, among others of its owner and common ones.
    pub ranking: Ranking,
}

impl Trial {
    /// The files of it in the folder of the skill, by their paths there.
    #[must_use]
    pub fn files(&self) -> [(&'static str, String); 2] {
        [
            ("evals/evals.json", json(&self.tasks)),
            ("evals/trigger-eval.json", json(&self.cases)),
        ]
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

impl JobHandle {
    /// What a skill of the document is tried with, beside the others that its owner has. The wish tells which part of the document it is
    /// of. The work on the document is done then.
    ///
    /// # Errors
    /// When the document cannot be had, or has nothing on the wished topic.
    pub async fn trial(
        &self,
        wish: Wish,
        own: Listed,
        others: Vec<Listed>,
    ) -> Result<Trial, Failure> {
        let evidence = self.take_document().await?;
        let work = move || {
            let parts = prepared(&evidence, &wish)?;
            let part = parts.first().map(|part| &part.document);
            let document = part.unwrap_or(&evidence.document);
            let needs = needs(document, &evidence.origin.label);
            let others = others.iter().map(Listed::described);
            let others: Vec<Described<'_>> = others.chain(common()).collect();
            let cases = requests(&needs, own.described(), &others);
            Ok(Trial {
                ranking: rank(&cases, own.described(), &others),
                tasks: tasks(&needs, &own.name),
                cases,
            })
        };
        self.pool().go_on(work).await?
    }
}
