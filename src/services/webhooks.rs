//! Owns what accounts are told outside of their requests (decision 66): their endpoints, the log, and the rounds that tell.
//!
//! ```text
//! history ─note: what ended since─▶ deliveries ─take: what is due─▶ endpoint ─▶ settled: arrived, due again, or given up
//! ```
//!
//! The history of generations is the queue: a run is written down there with its end, so nothing is lost between the two, and a run whose
//! account wants to hear nothing costs nothing. Several nodes may make their rounds at once: an event is noted once and sent by whoever
//! takes it.

use crate::domain::clock::{Clock, Timestamp};
use crate::domain::id::{DeliveryId, EndpointId, UserId};
use crate::domain::key::Pepper;
use crate::domain::webhook::{
    Attempt, Delivery, Due, ENDPOINTS_MAX, Endpoint, EndpointSecret, NewDelivery, URL_CHARS_MAX,
    pause_after,
};
use crate::providers::callback::Callback;
use crate::services::accounts::Unavailable;
use crate::store::connection::Store;
use crate::store::model::StoreError;
use futures_util::future::join_all;
use std::sync::Arc;
use std::time::Duration;

/// How often it is looked what ended and what is due.
const ROUND: Duration = Duration::from_secs(1);
/// A run that ended so long before is looked for again: its end may have been written down later than its time says.
const LOOK_BACK: Duration = Duration::from_secs(60);
/// After so long without a run it is noted that there was none, so that what the log has forgotten is never told again.
const NOTED_AFTER: Duration = Duration::from_mins(10);
/// For how long whoever takes an event has it for themselves; longer than any request may take.
const LEASE: Duration = Duration::from_secs(60);
/// Events that are sent at once.
const AT_ONCE: u32 = 16;
/// Lines of the log that are shown.
const LOG_MAX: u32 = 50;
/// For how long the log is kept.
const KEPT_FOR: Duration = Duration::from_hours(30 * 24);
/// An endpoint that answers so wants to hear nothing more of this.
const GONE: u16 = 410;

/// Why an endpoint is not added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotAdded {
    /// What is wrong with it, in words for its owner.
    Invalid(String),
    /// The service cannot answer.
    Unavailable,
}

impl From<Unavailable> for NotAdded {
    fn from(_: Unavailable) -> Self {
        Self::Unavailable
    }
}

/// Tells. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Webhooks(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    store: Store,
    pepper: Pepper,
    clock: Clock,
    callback: Callback,
}

fn cannot(doing: &'static str) -> impl Fn(StoreError) -> Unavailable {
    move |error| {
        tracing::error!(%error, "cannot {doing}");
        Unavailable
    }
}

impl Webhooks {
    /// Over a store.
    #[must_use]
    pub(super) fn new(store: Store, pepper: Pepper, clock: Clock, callback: Callback) -> Self {
        Self(Arc::new(Inner {
            store,
            pepper,
            clock,
            callback,
        }))
    }

    /// Adds an endpoint and answers its secret, which is shown once.
    ///
    /// # Errors
    /// [`NotAdded`].
    pub async fn add(&self, user_id: UserId, url: &str) -> Result<EndpointSecret, NotAdded> {
        let url = url.trim();
        if url.chars().count() > URL_CHARS_MAX {
            let words = format!("the address has more than {URL_CHARS_MAX} characters");
            return Err(NotAdded::Invalid(words));
        }
        self.0.callback.refuse(url).map_err(NotAdded::Invalid)?;
        let now = self.0.clock.now();
        let id = EndpointId::new();
        let new = Endpoint {
            id,
            user_id,
            url: url.to_owned(),
            created_at: now,
            noted_until: now,
        };
        let added = self.0.store.add_endpoint(new).await;
        if !added.map_err(cannot("add an endpoint"))? {
            return Err(NotAdded::Invalid(format!(
                "an account has at most {ENDPOINTS_MAX} endpoints; remove one first"
            )));
        }
        Ok(EndpointSecret::of(&self.0.pepper, id))
    }

    /// Takes an endpoint away; false when there is none.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn remove(&self, user_id: UserId, id: EndpointId) -> Result<bool, Unavailable> {
        let removed = self.0.store.remove_endpoint(user_id, id).await;
        removed.map_err(cannot("remove an endpoint"))
    }

    /// The account's endpoints, oldest first.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn endpoints(&self, user_id: UserId) -> Result<Vec<Endpoint>, Unavailable> {
        let read = self.0.store.endpoints(Some(user_id)).await;
        read.map_err(cannot("list endpoints"))
    }

    /// The latest events of the account, newest first.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn log(&self, user_id: UserId) -> Result<Vec<Delivery>, Unavailable> {
        let read = self.0.store.deliveries_of(user_id, LOG_MAX).await;
        read.map_err(cannot("list events"))
    }

    /// Sends an event of the account once more; false when there is none.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn send_again(&self, user_id: UserId, id: DeliveryId) -> Result<bool, Unavailable> {
        let now = self.0.clock.now();
        let due = self.0.store.send_again(user_id, id, now).await;
        due.map_err(cannot("send an event again"))
    }

    /// Forgets what is too old to be asked for.
    pub(super) async fn keep_house(&self) {
        let before = self.0.clock.now().minus(KEPT_FOR);
        if let Err(error) = self.0.store.forget_deliveries(before).await {
            tracing::warn!(%error, "old events cannot be forgotten");
        }
    }

    /// Makes rounds for as long as the service runs.
    pub(super) async fn make_rounds(self) {
        let mut rounds = tokio::time::interval(ROUND);
        rounds.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            rounds.tick().await;
            if let Err(error) = self.round().await {
                tracing::warn!(%error, "webhooks wait for the next round");
            }
        }
    }

    async fn round(&self) -> Result<(), StoreError> {
        let inner = &*self.0;
        let endpoints = inner.store.endpoints(None).await?;
        if endpoints.is_empty() {
            return Ok(());
        }
        for endpoint in endpoints {
            inner.note(endpoint).await?;
        }
        loop {
            let now = inner.clock.now();
            let due = inner.store.take_due(now, now.plus(LEASE), AT_ONCE).await?;
            if due.is_empty() {
                return Ok(());
            }
            join_all(due.into_iter().map(|due| inner.send(due))).await;
        }
    }
}

impl Inner {
    /// Notes what ended for an endpoint since it was last looked.
    async fn note(&self, endpoint: Endpoint) -> Result<(), StoreError> {
        let now = self.clock.now();
        let since = endpoint.noted_until.minus(LOOK_BACK);
        let since = Ord::max(since, endpoint.created_at);
        let ended = self
            .store
            .ended_since(endpoint.user_id, endpoint.id, since)
            .await?;
        if ended.is_empty() && now.since(endpoint.noted_until) < NOTED_AFTER {
            return Ok(());
        }
        let new = ended.iter().map(|run| NewDelivery {
            id: DeliveryId::new(),
            run_id: run.id,
            event: run.event().to_owned(),
            body: run.body(),
        });
        self.store
            .note_deliveries(endpoint.id, new.collect(), now)
            .await
    }

    async fn send(&self, due: Due) {
        let now = self.clock.now();
        let second = now.micros().div_euclid(1_000_000);
        let secret = EndpointSecret::of(&self.pepper, due.endpoint_id);
        let headers = [
            ("webhook-id", due.id.to_string()),
            ("webhook-timestamp", second.to_string()),
            ("webhook-signature", secret.sign(due.id, second, &due.body)),
        ];
        let answer = self.callback.post(&due.url, headers, due.body).await;
        let attempt = settled(answer, due.attempts.saturating_add(1), self.clock.now());
        let settled = self.store.settle_delivery(due.id, attempt).await;
        if let Err(error) = settled {
            tracing::warn!(%error, "what came of an event cannot be written down; it may be sent twice");
        }
    }
}

/// What came of the nth attempt.
fn settled(answer: Result<u16, String>, attempts: u32, at: Timestamp) -> Attempt {
    let (status, trouble) = match answer {
        Ok(status @ 200..=299) => (Some(status), None),
        Ok(status) => (Some(status), Some(format!("the server answered {status}"))),
        Err(words) => (None, Some(words)),
    };
    let pause = match (&trouble, status) {
        (None, _) | (_, Some(GONE)) => None,
        _ => pause_after(attempts),
    };
    Attempt {
        status,
        trouble,
        at,
        again_at: pause.map(|pause| at.plus(pause)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_arrived_is_done_and_what_did_not_is_sent_again_until_it_is_given_up() {
        let at = Timestamp::from_micros(0);
        assert_eq!(settled(Ok(204), 1, at).trouble, None);
        assert_eq!(settled(Ok(204), 1, at).again_at, None);
        let first = settled(Ok(500), 1, at);
        assert_eq!(first.again_at, Some(at.plus(Duration::from_secs(5))));
        assert!(
            settled(Ok(302), 1, at).again_at.is_some(),
            "no redirect is followed"
        );
        let silent = settled(Err("silence".into()), 7, at);
        assert!(silent.again_at > first.again_at);
        assert_eq!(settled(Err("silence".into()), 8, at).again_at, None);
        let gone = settled(Ok(GONE), 1, at);
        assert!(gone.trouble.is_some() && gone.again_at.is_none());
    }
}
