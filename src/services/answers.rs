//! Owns what a language model answered, kept in the store: it outlives the process, and the nodes of one database share it.

use crate::domain::clock::{Clock, Timestamp};
use crate::providers::model::Shelf;
use crate::store::connection::Store;
use futures_util::future::BoxFuture;
use std::time::Duration;

/// How long an answer is kept that no run asks for.
const KEPT_FOR: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// An answer counts as used again after this time at the earliest, so that most uses write nothing.
const USED_AGAIN: Duration = Duration::from_secs(24 * 60 * 60);

/// Kept answers.
#[derive(Debug, Clone)]
pub(super) struct Answers {
    store: Store,
    clock: Clock,
    size_max: u64,
}

impl Answers {
    /// In this store, of at most so many bytes after each sweep.
    pub(super) const fn new(store: Store, clock: Clock, size_max: u64) -> Self {
        Self {
            store,
            clock,
            size_max,
        }
    }

    /// Forgets what nobody asked for in a month, and what is too much. What was not done is done by the next sweep.
    pub(super) async fn sweep(&self) {
        let before = self.clock.now().minus(KEPT_FOR);
        let size_max = i64::try_from(self.size_max).unwrap_or(i64::MAX);
        if let Err(error) = self.store.forget_answers(before, size_max).await {
            tracing::warn!(%error, "answers of the model that are too old were not forgotten");
        }
    }

    async fn used(&self, digest: &str, used_at: Timestamp) {
        let now = self.clock.now();
        if used_at >= now.minus(USED_AGAIN) {
            return;
        }
        if let Err(error) = self.store.use_answer(digest.to_owned(), now).await {
            tracing::warn!(%error, "the use of an answer of the model was not noted");
        }
    }
}

impl Shelf for Answers {
    fn take<'a>(&'a self, digest: &'a str) -> BoxFuture<'a, Option<String>> {
        Box::pin(async move {
            let kept = match self.store.answer(digest.to_owned()).await {
                Ok(kept) => kept,
                Err(error) => {
                    tracing::warn!(%error, "no answer of the model could be looked for");
                    None
                }
            };
            let (answer, used_at) = kept?;
            self.used(digest, used_at).await;
            Some(answer)
        })
    }

    fn put<'a>(&'a self, digest: &'a str, answer: &'a str) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            // One of them alone does not push out all others, and no database keeps a NUL in a text.
            let is_fit = answer.len() as u64 <= self.size_max / 8 && !answer.contains('\0');
            if !is_fit {
                return;
            }
            let kept =
                self.store
                    .keep_answer(digest.to_owned(), answer.to_owned(), self.clock.now());
            if let Err(error) = kept.await {
                tracing::warn!(%error, "an answer of the model was not kept");
            }
        })
    }
}
