//! Owns how a request that charges says that it may be sent again and must be done once (decision 48).

use crate::domain::key::to_hex;
use crate::http::error::Problem;
use crate::services::engine::Repeatable;
use actix_web::HttpRequest;
use actix_web::http::header::HeaderName;
use serde::Serialize;
use sha2::{Digest, Sha256};

const KEY: HeaderName = HeaderName::from_static("idempotency-key");
const KEY_LEN_MAX: usize = 255;

/// The client's key, when there is one: 1 to 255 visible ASCII characters.
pub(super) fn key_of(req: &HttpRequest) -> Result<Option<&str>, Problem> {
    let mut values = req.headers().get_all(KEY);
    let Some(value) = values.next() else {
        return Ok(None);
    };
    if values.next().is_some() {
        return Err(Problem::invalid("Idempotency-Key was sent more than once"));
    }
    let key = value.to_str().unwrap_or_default();
    check("Idempotency-Key", key)?;
    Ok(Some(key))
}

/// Refuses what cannot be such a key.
pub(super) fn check(name: &str, key: &str) -> Result<(), Problem> {
    let is_key =
        (1..=KEY_LEN_MAX).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    match is_key {
        true => Ok(()),
        false => Err(Problem::invalid(format!(
            "{name} must be 1 to {KEY_LEN_MAX} visible ASCII characters"
        ))),
    }
}

/// Ties a key to its route and to what was asked for: the parsed fields, a file by its digest.
pub(super) fn repeatable(
    key: Option<&str>,
    route: &'static str,
    fields: &impl Serialize,
) -> Result<Option<Repeatable>, Problem> {
    key.map(|key| {
        let fields = serde_json::to_vec(fields).map_err(|_| Problem::internal())?;
        Ok(Repeatable {
            route,
            key: key.to_owned(),
            digest: to_hex(&Sha256::digest(&fields)),
        })
    })
    .transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    fn read(values: &[&str]) -> Result<Option<String>, Problem> {
        let mut request = TestRequest::default();
        for value in values {
            request = request.append_header(("Idempotency-Key", *value));
        }
        key_of(&request.to_http_request()).map(|key| key.map(str::to_owned))
    }

    #[test]
    fn a_key_is_optional_and_of_visible_ascii() {
        assert_eq!(read(&[]), Ok(None));
        assert_eq!(read(&["8e03978e-40d5"]), Ok(Some("8e03978e-40d5".into())));
        assert_eq!(
            read(&[&"x".repeat(255)]).map(|key| key.map(|key| key.len())),
            Ok(Some(255))
        );
        for bad in ["", "a b", "ü", &"x".repeat(256)] {
            assert!(read(&[bad]).is_err(), "{bad}");
        }
        assert!(read(&["a", "a"]).is_err());
    }

    #[test]
    fn the_digest_follows_the_fields() {
        let digest = |fields: &[&str]| {
            repeatable(Some("k"), "POST /x", &fields)
                .expect("JSON")
                .expect("a key")
                .digest
        };
        assert_eq!(digest(&["a", "b"]), digest(&["a", "b"]));
        assert_ne!(digest(&["a", "b"]), digest(&["ab"]));
        assert_eq!(digest(&["a"]).len(), 64);
    }
}
