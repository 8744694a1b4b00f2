//! Owns the keys with which a provider signs: kept for a while, and read anew when a token names one that is not among them.

use crate::domain::clock::Timestamp;
use crate::providers::openid::Trouble;
use jsonwebtoken::jwk::Jwk;
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long they are believed before they are read again: a key that was taken back is good for so long at most.
const KEPT: Duration = Duration::from_secs(3_600);
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

    /// Reads a set of keys and keeps it.
    pub(super) fn keep(&self, document: &[u8], now: Timestamp) -> Result<Arc<Vec<Jwk>>, Trouble> {
        let keys = Arc::new(read(document)?);
        let kept = Some((Arc::clone(&keys), now));
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = kept;
        Ok(keys)
    }
}

/// The keys of a set that sign. One that is of no kind we know takes no other with it.
fn read(document: &[u8]) -> Result<Vec<Jwk>, Trouble> {
    let set: Value = serde_json::from_slice(document).unwrap_or_default();
    let Some(keys) = set.get("keys").and_then(Value::as_array) else {
        return Err(Trouble::Unanswered(
            "what should be a set of keys is none".into(),
        ));
    };
    let signs = |key: &&Value| key.get("use").is_none_or(|purpose| purpose == "sig");
    Ok(keys
        .iter()
        .filter(signs)
        .take(KEYS_MAX)
        .filter_map(|key| serde_json::from_value(key.clone()).ok())
        .collect())
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
            .into_iter()
            .map(|key| key.common.key_id.unwrap_or_default())
            .collect();
        assert_eq!(names, ["1", "3", "4"]);
        for none in [&b"[]"[..], b"{}", b"<html>", b"{\"keys\":{}}"] {
            assert!(read(none).is_err());
        }
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
