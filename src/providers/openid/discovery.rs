//! Owns what a provider says of itself: where a browser is sent, where codes are exchanged, where its keys are.

use crate::domain::clock::Timestamp;
use crate::providers::openid::trouble::Trouble;
use bytes::Bytes;
use serde::Deserialize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use url::Url;

/// How long it is believed before it is asked again.
const KEPT: Duration = Duration::from_secs(3_600);

/// What was said, kept for a while.
#[derive(Debug, Default)]
pub(super) struct Discovery(Mutex<Option<(Arc<Metadata>, Timestamp)>>);

/// What we need of it.
#[derive(Debug)]
pub(super) struct Metadata {
    pub(super) authorization_endpoint: Url,
    pub(super) token_endpoint: Url,
    pub(super) jwks_uri: Url,
    pub(super) userinfo_endpoint: Option<Url>,
    /// Whether our secret travels in a header; otherwise in the form.
    pub(super) takes_basic: bool,
    /// Whether each of its answers says that it is its own.
    pub(super) names_itself: bool,
}

/// The document as it comes.
#[derive(Deserialize)]
struct Document {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    userinfo_endpoint: Option<String>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    code_challenge_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

impl Discovery {
    /// What an issuer says of itself, asked by `get` when it is not known or was not asked for long.
    pub(super) async fn of<F: Future<Output = Result<Bytes, Trouble>>>(
        &self,
        issuer: &str,
        now: Timestamp,
        get: impl FnOnce(Url) -> F,
    ) -> Result<Arc<Metadata>, Trouble> {
        let known = self
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        if let Some((metadata, _)) = known.filter(|(_, at)| now.since(*at) < KEPT) {
            return Ok(metadata);
        }
        let url = format!(
            "{}/.well-known/openid-configuration",
            issuer.trim_end_matches('/')
        );
        let url = Url::parse(&url).map_err(|_| unlike("no address"))?;
        let metadata = Arc::new(read(issuer, &get(url).await?)?);
        let kept = Some((Arc::clone(&metadata), now));
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = kept;
        Ok(metadata)
    }
}

fn unlike(what: &str) -> Trouble {
    Trouble::Unanswered(format!("what the provider says of itself: {what}"))
}

/// Reads what an issuer says of itself. It must be that issuer, and safe to talk to wherever it points.
fn read(issuer: &str, body: &[u8]) -> Result<Metadata, Trouble> {
    let document: Document =
        serde_json::from_slice(body).map_err(|_| unlike("it is no such document"))?;
    if document.issuer != issuer {
        return Err(unlike("it calls itself by another name"));
    }
    let challenges = document.code_challenge_methods_supported;
    if challenges.is_some_and(|known| !known.iter().any(|method| method == "S256")) {
        return Err(unlike("it does not know PKCE with S256"));
    }
    // Only a provider on this very machine is reached without TLS, so only such a one may point at what is.
    let plain = issuer.starts_with("http://");
    let address = |text: String| {
        let is_safe = |url: &Url| {
            (url.scheme() == "https" || plain && url.scheme() == "http")
                && url.has_host()
                && url.fragment().is_none()
                && text.len() <= 2_048
        };
        Url::parse(&text)
            .ok()
            .filter(is_safe)
            .ok_or_else(|| unlike("an address that is not safe"))
    };
    let methods = document.token_endpoint_auth_methods_supported;
    Ok(Metadata {
        authorization_endpoint: address(document.authorization_endpoint)?,
        token_endpoint: address(document.token_endpoint)?,
        jwks_uri: address(document.jwks_uri)?,
        userinfo_endpoint: document.userinfo_endpoint.map(address).transpose()?,
        takes_basic: methods
            .is_none_or(|known| known.iter().any(|method| method == "client_secret_basic")),
        names_itself: document.authorization_response_iss_parameter_supported,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const ISSUER: &str = "https://id.example.org";

    fn document() -> Value {
        json!({
            "issuer": ISSUER,
            "authorization_endpoint": "https://id.example.org/authorize?tenant=1",
            "token_endpoint": "https://id.example.org/token",
            "jwks_uri": "https://keys.example.org/jwks",
        })
    }

    fn changed(name: &str, value: Value) -> Result<Metadata, Trouble> {
        let mut document = document();
        document[name] = value;
        read(ISSUER, document.to_string().as_bytes())
    }

    #[test]
    fn a_provider_that_says_little_is_understood() {
        let metadata = changed("x", Value::Null).expect("understood");
        assert!(metadata.takes_basic && !metadata.names_itself);
        assert_eq!(metadata.userinfo_endpoint, None);
        let methods = json!(["client_secret_post"]);
        let name = "token_endpoint_auth_methods_supported";
        assert!(!changed(name, methods).expect("understood").takes_basic);
    }

    #[test]
    fn somebody_else_or_something_unsafe_is_refused() {
        for (name, value) in [
            ("issuer", json!("https://id.example.org/")),
            ("issuer", json!("https://evil.example")),
            ("token_endpoint", json!("http://id.example.org/token")),
            ("token_endpoint", json!("javascript:alert(1)")),
            ("authorization_endpoint", json!("https://id.example.org/#x")),
            ("jwks_uri", json!("file:///etc/passwd")),
            ("jwks_uri", Value::Null),
            ("userinfo_endpoint", json!("data:,x")),
            ("code_challenge_methods_supported", json!(["plain"])),
        ] {
            assert!(changed(name, value.clone()).is_err(), "{name} {value}");
        }
        assert!(read(ISSUER, b"<html>").is_err());
    }

    #[tokio::test]
    async fn it_is_asked_once_an_hour_and_a_failure_is_not_kept() {
        let discovery = Discovery::default();
        let at = |seconds: u64| Timestamp::from_micros(0).plus(Duration::from_secs(seconds));
        let asked = std::cell::Cell::new(0);
        let ask = async |now, answer: Result<Bytes, Trouble>| {
            let get = |_| {
                asked.set(asked.get() + 1);
                async { answer }
            };
            discovery.of(ISSUER, now, get).await.is_ok()
        };
        let well = || Ok(Bytes::from(document().to_string()));
        assert!(!ask(at(0), Err(Trouble::Unanswered("ill".into()))).await);
        assert!(ask(at(0), well()).await);
        assert!(ask(at(3_599), well()).await);
        assert_eq!(asked.get(), 2);
        assert!(ask(at(3_600), well()).await);
        assert_eq!(asked.get(), 3);
    }
}
