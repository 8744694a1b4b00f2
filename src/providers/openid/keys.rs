//! Owns the keys with which a provider signs: kept for a while, and read anew when a token names one that is not among them.

use crate::domain::clock::Timestamp;
use crate::providers::openid::trouble::Trouble;
use jsonwebtoken::jwk::Jwk;
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long they are believed before they are read again: a key that was taken back is good for so long at most.
const KEPT: Duration = Duration::from_secs(3_600);
/// How soon they may be read again for a token that names none of them: anybody's forgery looks like one of a new key.
const AGAIN: Duration = Duration::from_secs(60);
/// Most keys of a provider; real ones have a handful.
const KEYS_MAX: usize = 64;

/// The keys as they were last read.
#[derive(Debug, Default)]
pub(super) struct Keys(Mutex<Option<(Arc<Vec<Jwk>>, Timestamp)>>);

impl Keys {
    /// Those that were read lately.
    pub(super) fn known(&self, now: Timestamp) -> Option<Arc<Vec<Jwk>>> {
        let known = self
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        known
            .filter(|(_, at)| now.since(*at) < KEPT)
            .map(|(keys, _)| keys)
    }

    /// Whether they were read so lately that reading them again promises nothing.
    pub(super) fn are_new(&self, now: Timestamp) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().is_some_and(|(_, at)| now.since(*at) < AGAIN)
    }

    /// Reads a set of keys and keeps it.
    pub(super) fn keep(&self, document: &[u8], now: Timestamp) -> Result<Arc<Vec<Jwk>>, Trouble> {
        let (keys, left_out) = read(document)?;
        if left_out > 0 {
            tracing::warn!(
                kept = KEYS_MAX,
                left_out,
                "an identity provider has more keys than are kept; who is vouched for with another one is refused"
            );
        }
        let keys = Arc::new(keys);
        let kept = Some((Arc::clone(&keys), now));
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = kept;
        Ok(keys)
    }
}

/// The keys of a set that sign, and how many more there are. One that is of no kind we know takes no other with it.
fn read(document: &[u8]) -> Result<(Vec<Jwk>, usize), Trouble> {
    let set: Value = serde_json::from_slice(document).unwrap_or_default();
    let Some(keys) = set.get("keys").and_then(Value::as_array) else {
        return Err(Trouble::Unanswered(
            "what should be a set of keys is none".into(),
        ));
    };
    let signs = |key: &&Value| key.get("use").is_none_or(|purpose| purpose == "sig");
    let mut signing = keys.iter().filter(signs);
    let kept = signing
        .by_ref()
        .take(KEYS_MAX)
        .filter_map(|key| serde_json::from_value(key.clone()).ok())
        .collect();
    Ok((kept, signing.count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_for_another_use_are_left_out_and_a_strange_one_takes_no_other_with_it() {
        let set = br#"{"keys":[
            {"kty":"RSA","kid":"1","use":"sig","n":"AQAB","e":"AQAB"},
            {"kty":"RSA","kid":"2","use":"enc","n":"AQAB","e":"AQAB"},
            {"kty":"quantum","kid":"3"},
            {"kty":"EC","kid":"4","crv":"P-256","x":"AQ","y":"AQ"},
            7
        ]}"#;
        let names: Vec<_> = read(set)
            .expect("a set")
            .0
            .into_iter()
            .map(|key| key.common.key_id.unwrap_or_default())
            .collect();
        assert_eq!(names, ["1", "3", "4"]);
        for none in [&b"[]"[..], b"{}", b"<html>", b"{\"keys\":{}}"] {
            assert!(read(none).is_err());
        }
    }

    #[test]
    fn whoever_has_more_keys_than_are_kept_is_named_in_the_log() {
        let set_of = |count: usize| {
            let key = |n| format!(r#"{{"kty":"RSA","kid":"{n}","n":"AQAB","e":"AQAB"}}"#);
            let keys: Vec<String> = (0..count).map(key).collect();
            format!(r#"{{"keys":[{}]}}"#, keys.join(","))
        };
        let log = tempfile::NamedTempFile::new().expect("a file");
        let writer = Arc::new(log.reopen().expect("the file"));
        let subscriber = tracing_subscriber::fmt().with_writer(writer).finish();
        let said = || std::fs::read_to_string(log.path()).expect("text");
        tracing::subscriber::with_default(subscriber, || {
            let (keys, now) = (Keys::default(), Timestamp::from_micros(0));
            let kept = keys.keep(set_of(KEYS_MAX).as_bytes(), now).expect("a set");
            assert_eq!((kept.len(), said().as_str()), (KEYS_MAX, ""));
            let kept = keys.keep(set_of(KEYS_MAX + 3).as_bytes(), now);
            assert_eq!(kept.expect("a set").len(), KEYS_MAX);
        });
        assert!(said().contains("more keys than are kept"), "{}", said());
    }

    #[test]
    fn they_are_read_again_after_an_hour() {
        let keys = Keys::default();
        let start = Timestamp::from_micros(0);
        assert!(keys.known(start).is_none());
        keys.keep(b"{\"keys\":[]}", start).expect("a set");
        assert!(keys.known(start.plus(KEPT / 2)).is_some());
        assert!(keys.known(start.plus(KEPT)).is_none());
    }
}
