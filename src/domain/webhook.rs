//! Owns what an account is told outside of its requests: which events there are, what they say, and how they are signed
//! (Standard Webhooks, decision 66).

use crate::domain::clock::Timestamp;
use crate::domain::id::{DeliveryId, EndpointId, RunId, SkillId, UserId};
use crate::domain::key::{Digest, Pepper};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde::Serialize;
use sha2::Sha256;
use std::time::Duration;

/// Most endpoints of an account.
pub const ENDPOINTS_MAX: usize = 5;
/// Longest address of an endpoint.
pub const URL_CHARS_MAX: usize = 2_048;
/// How long after an attempt that failed the next is made; after the last of them an event is given up.
const PAUSES_S: [u64; 7] = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
/// What the secret of an endpoint is made for.
const PURPOSE: &str = "webhook";

/// How long after so many attempts the next is made; none when it is given up.
#[must_use]
pub fn pause_after(attempts: u32) -> Option<Duration> {
    let at = usize::try_from(attempts).ok()?.checked_sub(1)?;
    PAUSES_S.get(at).copied().map(Duration::from_secs)
}

/// An address that is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Its identity.
    pub id: EndpointId,
    /// Whose it is.
    pub user_id: UserId,
    /// Where events are sent.
    pub url: String,
    /// Since when.
    pub created_at: Timestamp,
    /// Runs that ended before are noted.
    pub noted_until: Timestamp,
}

/// The secret that an endpoint shares with us. It lies nowhere: it is made of the pepper each time.
#[derive(Debug, Clone)]
pub struct EndpointSecret(Digest);

impl EndpointSecret {
    /// Of an endpoint.
    #[must_use]
    pub fn of(pepper: &Pepper, id: EndpointId) -> Self {
        Self(pepper.digest(PURPOSE, &id.to_string()))
    }

    /// As its owner is shown it, once.
    #[must_use]
    pub fn reveal(&self) -> String {
        format!("whsec_{}", STANDARD.encode(self.0.0))
    }

    /// What `webhook-signature` says of an event sent at a second.
    #[must_use]
    pub fn sign(&self, id: DeliveryId, second: i64, body: &str) -> String {
        let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&self.0.0)
            .expect("HMAC takes keys of any length");
        mac.update(format!("{id}.{second}.{body}").as_bytes());
        format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    }
}

/// A run that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedRun {
    /// Its identity.
    pub id: RunId,
    /// Whether it makes a catalogue.
    pub is_catalogue: bool,
    /// When it ended.
    pub at: Timestamp,
    /// The skills it made, in order; none when it failed.
    pub skills: Vec<(SkillId, String)>,
    /// Why it failed, in words for its owner.
    pub failure: Option<String>,
}

#[derive(Serialize)]
struct Event<'e> {
    #[serde(rename = "type")]
    kind: &'e str,
    timestamp: String,
    data: Data<'e>,
}

#[derive(Serialize)]
struct Data<'e> {
    id: String,
    status: &'static str,
    url: String,
    skills: Vec<Skill<'e>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Error<'e>>,
}

#[derive(Serialize)]
struct Skill<'e> {
    id: String,
    name: &'e str,
}

#[derive(Serialize)]
struct Error<'e> {
    code: &'static str,
    message: &'e str,
}

impl EndedRun {
    /// The name of its event.
    #[must_use]
    pub fn event(&self) -> &'static str {
        match (self.is_catalogue, &self.failure) {
            (false, None) => "generation.completed",
            (false, Some(_)) => "generation.failed",
            (true, None) => "catalogue.completed",
            (true, Some(_)) => "catalogue.failed",
        }
    }

    /// What its event says.
    #[must_use]
    pub fn body(&self) -> String {
        let failure = self.failure.as_deref();
        let event = Event {
            kind: self.event(),
            timestamp: self.at.iso(),
            data: Data {
                id: self.id.to_string(),
                status: if failure.is_some() {
                    "failed"
                } else {
                    "completed"
                },
                url: format!("/api/v1/generations/{}", self.id),
                skills: self
                    .skills
                    .iter()
                    .map(|(id, name)| Skill {
                        id: id.to_string(),
                        name,
                    })
                    .collect(),
                error: failure.map(|message| Error {
                    code: "GENERATION_FAILED",
                    message,
                }),
            },
        };
        serde_json::to_string(&event).unwrap_or_default()
    }
}

/// An event that is to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDelivery {
    /// Its identity, the same at each attempt.
    pub id: DeliveryId,
    /// The run that it tells of.
    pub run_id: RunId,
    /// Its name.
    pub event: String,
    /// What it says.
    pub body: String,
}

/// An event that is to be sent now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// Its identity.
    pub id: DeliveryId,
    /// Whom it is for.
    pub endpoint_id: EndpointId,
    /// Where that is.
    pub url: String,
    /// What it says.
    pub body: String,
    /// How often it was sent before.
    pub attempts: u32,
}

/// What came of sending an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// What the endpoint answered, if it did.
    pub status: Option<u16>,
    /// Why it did not arrive; none when it did.
    pub trouble: Option<String>,
    /// When it ended.
    pub at: Timestamp,
    /// When it is sent again.
    pub again_at: Option<Timestamp>,
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Its identity.
    pub id: DeliveryId,
    /// Whom it is for.
    pub url: String,
    /// Its name.
    pub event: String,
    /// The run that it tells of.
    pub run_id: RunId,
    /// When it was noted.
    pub created_at: Timestamp,
    /// When it is sent next; none when it arrived or was given up.
    pub due_at: Option<Timestamp>,
    /// How often it was sent.
    pub attempts: u32,
    /// What came of the last time.
    pub last: Option<Attempt>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn an_event_is_signed_as_the_standard_has_it() {
        // The secret, the message and the signature of the standard's own libraries' tests.
        let bytes = STANDARD
            .decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
            .expect("base64");
        let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&bytes).expect("a key");
        mac.update(b"msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{\"test\": 2432232314}");
        let expected = "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(STANDARD.encode(mac.finalize().into_bytes()), expected);
        let pepper = Pepper::new([7; 32]);
        let secret = EndpointSecret::of(&pepper, EndpointId(Uuid::from_u128(1)));
        let shown = secret.reveal();
        let key = STANDARD.decode(shown.strip_prefix("whsec_").expect("a prefix"));
        let id = DeliveryId(Uuid::from_u128(2));
        let mut mac =
            <Hmac<Sha256> as KeyInit>::new_from_slice(&key.expect("base64")).expect("a key");
        mac.update(format!("{id}.1614265330.{{}}").as_bytes());
        let expected = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
        assert_eq!(secret.sign(id, 1_614_265_330, "{}"), expected);
        let other = EndpointSecret::of(&pepper, EndpointId(Uuid::from_u128(3)));
        assert_ne!(other.reveal(), shown);
    }

    #[test]
    fn an_event_that_never_arrives_is_given_up_after_a_day() {
        let pauses: Vec<Duration> = (1..).map_while(pause_after).collect();
        assert!(pauses.is_sorted() && pauses.len() == PAUSES_S.len());
        let all: Duration = pauses.iter().sum();
        assert!(all > Duration::from_hours(24) && all < Duration::from_hours(72));
        assert_eq!(pause_after(0), None);
    }

    #[test]
    fn a_failed_catalogue_says_why() {
        let run = EndedRun {
            id: RunId(Uuid::from_u128(1)),
            is_catalogue: true,
            at: Timestamp::from_micros(0),
            skills: vec![],
            failure: Some("the page is gone".into()),
        };
        assert_eq!(
            run.body(),
            r#"{"type":"catalogue.failed","timestamp":"1970-01-01T00:00:00.000Z","data":{"id":"00000000-0000-0000-0000-000000000001","status":"failed","url":"/api/v1/generations/00000000-0000-0000-0000-000000000001","skills":[],"error":{"code":"GENERATION_FAILED","message":"the page is gone"}}}"#
        );
    }
}
