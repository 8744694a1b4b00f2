//! Owns what is free: looks into a source before anybody pays, texts that are tried, and the proofs of what was changed by hand. Nothing is
//! charged, and the bounds are those of [`crate::services::looks`].

use crate::domain::generation::Order;
use crate::domain::id::UserId;
use crate::domain::skill::Skill;
use crate::domain::source::Source;
use crate::domain::topic::Topics;
use crate::pipeline::author::Estimate;
use crate::pipeline::handle::{JobHandle, LookedAgain};
use crate::pipeline::product::Wish;
use crate::pipeline::synthesize::Suggestion;
use crate::pipeline::trial::{Listed, Trial};
use crate::services::engine::{Engine, Inner};
use crate::services::looks::{Looker, NoLook};
use skillkiln_document::failure::Failure;
use skillkiln_skills::report::Report;
use std::time::Duration;
use tokio::time::Instant;

/// How long a model may take for a suggestion, before the source's own headings do.
const SUGGESTING_MAX: Duration = Duration::from_secs(15);

/// What is seen of a source before anybody pays.
#[derive(Debug)]
pub struct Look {
    /// What it suggests.
    pub suggestion: Suggestion,
    /// What it is about.
    pub topics: Topics,
    /// What a model would take for one skill of the whole, and for one of each topic where there are several; empty without a model.
    pub estimates: Vec<Estimate>,
}

impl Engine {
    /// Looks for topics in a source; free.
    ///
    /// # Errors
    /// [`NoLook`] when the source cannot be read, or too much is looked at.
    pub async fn detect_topics(&self, looker: Looker, source: Source) -> Result<Topics, NoLook> {
        self.look_into(
            looker,
            source,
            self.words_min(),
            async |handle: JobHandle| handle.topics().await,
        )
        .await
    }

    /// Suggests a name, a description and a category for a source; free. A model that is slow or ill is not waited for.
    ///
    /// # Errors
    /// As [`Engine::detect_topics`].
    pub async fn prefill(&self, looker: Looker, source: Source) -> Result<Suggestion, NoLook> {
        let author = &self.0.tools.author;
        self.look_into(looker, source, 0, async |handle: JobHandle| {
            let until = Instant::now() + SUGGESTING_MAX;
            author.suggest(&handle, until).await
        })
        .await
    }

    /// Suggests metadata for a source, looks for topics in it, and tells what a model would take of it; free, and no model is asked.
    ///
    /// # Errors
    /// As [`Engine::detect_topics`].
    pub async fn look(&self, looker: Looker, source: Source) -> Result<Look, NoLook> {
        let author = &self.0.tools.author;
        let words_min = self.words_min();
        self.look_into(looker, source, words_min, async |handle: JobHandle| {
            let (suggestion, topics) = handle.look().await?;
            let all = Wish {
                topics: topics.topics.clone(),
                ..Wish::default()
            };
            let mut wishes = vec![Wish::default()];
            wishes.extend(Some(all).filter(|all| all.topics.len() > 1));
            Ok(Look {
                suggestion,
                topics,
                // What was seen is shown without it, too.
                estimates: author.estimate(&handle, wishes).await.unwrap_or_default(),
            })
        })
        .await
    }

    /// Makes a skill of a text for somebody who only tries: nothing is charged, saved or asked of a model.
    ///
    /// # Errors
    /// As [`Engine::detect_topics`], and when there is nothing in it to make a skill of.
    pub async fn try_text(&self, looker: Looker, text: String) -> Result<(Skill, Report), NoLook> {
        let source = Source::Text { text };
        self.look_into(
            looker,
            source,
            self.words_min(),
            async |handle: JobHandle| handle.try_out().await,
        )
        .await
    }

    /// Checks a skill that was changed by hand against what it was made of; free, and none where that is not kept here or cannot be read
    /// now.
    pub async fn prove(&self, user_id: UserId, order: Order, skill: Skill) -> Option<Report> {
        let (source, is_whole) = (order.source, order.topics.is_empty());
        if !matches!(source, Source::File { .. } | Source::Text { .. }) {
            return None;
        }
        let proving = self.look_into(
            Looker::Account(user_id),
            source,
            0,
            async |handle: JobHandle| handle.prove(skill, is_whole).await,
        );
        proving.await.ok()
    }

    /// What a skill of an order is tried with, beside the others that its owner has; free.
    ///
    /// # Errors
    /// As [`Engine::detect_topics`].
    pub async fn trial(
        &self,
        user_id: UserId,
        order: Order,
        own: Listed,
        others: Vec<Listed>,
    ) -> Result<Trial, NoLook> {
        let wish = Wish {
            topics: order.topics,
            ..Wish::default()
        };
        let looker = Looker::Account(user_id);
        self.look_into(looker, order.source, 0, async |handle: JobHandle| {
            handle.trial(wish, own, others).await
        })
        .await
    }

    /// Reads a source again, and says what it says now, unless its bytes have the digest `known`; free.
    ///
    /// # Errors
    /// As [`Engine::detect_topics`].
    pub async fn look_again(
        &self,
        user_id: UserId,
        order: Order,
        known: Option<String>,
        skill: Skill,
    ) -> Result<Option<LookedAgain>, NoLook> {
        let is_whole = order.topics.is_empty();
        let looker = Looker::Account(user_id);
        self.look_into(looker, order.source, 0, async |handle: JobHandle| {
            handle.look_again(known, skill, is_whole).await
        })
        .await
    }

    /// Whether a model writes the skills.
    #[must_use]
    pub fn has_model(&self) -> bool {
        self.0.tools.author.model().is_some()
    }

    /// Words that a source has at least, so that it is worth a look and a price.
    fn words_min(&self) -> usize {
        self.0.tools.reader.words_min
    }

    async fn look_into<T, Looking: Future<Output = Result<T, Failure>>>(
        &self,
        looker: Looker,
        source: Source,
        words_min: usize,
        what: impl FnOnce(JobHandle) -> Looking,
    ) -> Result<T, NoLook> {
        let Inner { looks, tools, .. } = &*self.0;
        Box::pin(looks.look(looker, &tools.blobs, source, words_min, what)).await
    }
}
