//! Who vouches for people: an OpenID Connect provider, asked by the authorization code flow with PKCE.
//!
//! ```text
//! discovery ─▶ way_in: where a browser is sent ─▶ … provider … ─▶ a code ─▶ exchange ─▶ id_token, checked with keys ─▶ Person
//! ```
//!
//! Whatever the provider sends is bounded in time and size, and nothing of it is believed before its signature is.

mod discovery;
mod id_token;
mod keys;
mod ring_signatures;
pub mod trouble;

use crate::domain::clock::Timestamp;
use crate::domain::user::Email;
use crate::providers::client;
use crate::providers::openid::discovery::Discovery;
use crate::providers::openid::id_token::{Claims, Expected, Wrong};
use crate::providers::openid::keys::Keys;
use crate::providers::openid::trouble::Trouble;
use bytes::Bytes;
use reqwest::header::{self, HeaderValue};
use reqwest::{RequestBuilder, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;
use url::{Url, form_urlencoded};

/// The time for one answer of a provider.
const PATIENCE: Duration = Duration::from_secs(10);
/// Its documents have some kilobytes.
const ANSWER_BYTES_MAX: usize = 256 << 10;

/// Who is asked, and as whom.
#[derive(Debug, Clone)]
pub struct OpenIdSettings {
    /// Its address, exactly as its tokens name it.
    pub issuer: String,
    /// Our name there.
    pub client_id: String,
    /// Our secret there. Its `Debug` shows nothing.
    pub client_secret: Option<SecretString>,
    /// What is asked for.
    pub scopes: Vec<String>,
    /// Where a browser comes back to.
    pub redirect_uri: String,
}

/// What binds an answer to the browser that was sent for it: nobody else knows them.
#[derive(Debug, Clone)]
pub struct Secrets {
    /// Comes back in the address.
    pub state: String,
    /// Comes back in the token.
    pub nonce: String,
    /// What the code can be exchanged with alone; its digest travels ahead.
    pub verifier: String,
}

/// Somebody as the provider knows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Their name there: it never changes and never passes to somebody else.
    pub subject: String,
    /// Their address, when the provider has one and says that it is theirs.
    pub email: Option<Email>,
}

/// A provider. Cheap to clone.
#[derive(Debug, Clone)]
pub struct OpenId(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    settings: OpenIdSettings,
    client: reqwest::Client,
    discovery: Discovery,
    keys: Keys,
}

/// What the token endpoint answers.
#[derive(Deserialize)]
struct Tokens {
    id_token: Option<String>,
    access_token: Option<String>,
}

impl OpenId {
    /// A provider, with connections of its own. It is not asked anything yet, so the service starts without it.
    ///
    /// # Errors
    /// When the TLS set-up of this machine cannot be used.
    pub fn new(settings: OpenIdSettings) -> Result<Self, String> {
        ring_signatures::install();
        let client = client::builder()
            .user_agent(concat!("skillkiln/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| format!("cannot set up the client for identities: {error}"))?;
        Ok(Self(Arc::new(Inner {
            settings,
            client,
            discovery: Discovery::default(),
            keys: Keys::default(),
        })))
    }

    /// Its address, as identities are kept by it.
    #[must_use]
    pub fn issuer(&self) -> &str {
        &self.0.settings.issuer
    }

    /// Where a browser is sent, so that its person says there who they are.
    ///
    /// # Errors
    /// [`Trouble::Unanswered`].
    pub async fn way_in(&self, secrets: &Secrets, now: Timestamp) -> Result<Url, Trouble> {
        let inner = &*self.0;
        let metadata = inner.metadata(now).await?;
        let mut url = metadata.authorization_endpoint.clone();
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &inner.settings.client_id)
            .append_pair("redirect_uri", &inner.settings.redirect_uri)
            .append_pair("scope", &inner.settings.scopes.join(" "))
            .append_pair("state", &secrets.state)
            .append_pair("nonce", &secrets.nonce)
            .append_pair("code_challenge", &id_token::digest_of(&secrets.verifier))
            .append_pair("code_challenge_method", "S256");
        Ok(url)
    }

    /// Exchanges the code that a browser brought back, and says who its person is. `iss` is what the answer says of its sender.
    ///
    /// # Errors
    /// [`Trouble`].
    pub async fn exchange(
        &self,
        code: &str,
        iss: Option<&str>,
        secrets: &Secrets,
        now: Timestamp,
    ) -> Result<Person, Trouble> {
        let inner = &*self.0;
        let metadata = inner.metadata(now).await?;
        // Which provider an answer is from must not be mixed up when there are several (RFC 9207).
        let is_theirs = iss.map_or(!metadata.names_itself, |iss| iss == inner.settings.issuer);
        if !is_theirs {
            let cause = "the answer does not say that it is this provider's";
            return Err(Trouble::Untrusted(cause.into()));
        }
        let tokens = inner.tokens(&metadata, code, secrets).await?;
        let token = tokens
            .id_token
            .ok_or_else(|| Trouble::Untrusted("an answer without an ID token".into()))?;
        let expected = Expected {
            issuer: &inner.settings.issuer,
            client_id: &inner.settings.client_id,
            nonce: &secrets.nonce,
            access_token: tokens.access_token.as_deref(),
            now,
        };
        let mut claims = inner.believed(&metadata, &token, &expected, now).await?;
        if !claims.tells_the_address()
            && let (Some(endpoint), Some(access)) =
                (&metadata.userinfo_endpoint, &tokens.access_token)
        {
            let told = inner.get(endpoint, Some(access)).await?;
            claims.add(&told)?;
        }
        Ok(Person {
            email: claims.own_address(),
            subject: claims.sub,
        })
    }
}

impl Inner {
    async fn metadata(&self, now: Timestamp) -> Result<Arc<discovery::Metadata>, Trouble> {
        let issuer = &self.settings.issuer;
        self.discovery
            .of(issuer, now, |url| async move { self.get(&url, None).await })
            .await
    }

    /// The token's claims, once its signature and everything that it must say is right. A key that is not known yet is looked
    /// for once: providers change theirs. A token that names no key is no sign of a new one, so that the keys are not read for each.
    async fn believed(
        &self,
        metadata: &discovery::Metadata,
        token: &str,
        expected: &Expected<'_>,
        now: Timestamp,
    ) -> Result<Claims, Trouble> {
        let known = self.keys.known(now);
        if let Some(keys) = known {
            match id_token::check(token, &keys, expected) {
                Err(Wrong::UnknownKey) => {}
                Err(Wrong::Unsigned) if !self.keys.are_new(now) => {}
                checked => return checked.map_err(Trouble::from),
            }
        }
        let document = self.get(&metadata.jwks_uri, None).await?;
        let keys = self.keys.keep(&document, now)?;
        Ok(id_token::check(token, &keys, expected)?)
    }

    async fn tokens(
        &self,
        metadata: &discovery::Metadata,
        code: &str,
        secrets: &Secrets,
    ) -> Result<Tokens, Trouble> {
        let settings = &self.settings;
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.append_pair("grant_type", "authorization_code")
            .append_pair("code", code)
            .append_pair("redirect_uri", &settings.redirect_uri)
            .append_pair("code_verifier", &secrets.verifier);
        let mut request = self.client.post(metadata.token_endpoint.clone());
        match &settings.client_secret {
            // As RFC 6749 has it, each is spelt like a field of a form before they are put together.
            Some(secret) if metadata.takes_basic => {
                let spelt = |text: &str| -> String {
                    form_urlencoded::byte_serialize(text.as_bytes()).collect()
                };
                let secret = spelt(secret.expose_secret());
                request = request.basic_auth(spelt(&settings.client_id), Some(secret));
            }
            Some(secret) => {
                form.append_pair("client_id", &settings.client_id)
                    .append_pair("client_secret", secret.expose_secret());
            }
            None => {
                form.append_pair("client_id", &settings.client_id);
            }
        }
        let request = request
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::ACCEPT, "application/json")
            .body(form.finish());
        let (status, body) = answer_to(request).await?;
        if !status.is_success() {
            let said = format!("the token endpoint answers {status}{}", code_of(&body));
            return Err(if status.is_client_error() {
                Trouble::Refused(said)
            } else {
                Trouble::Unanswered(said)
            });
        }
        serde_json::from_slice(&body)
            .map_err(|_| Trouble::Unanswered("the token endpoint answers something else".into()))
    }

    /// Reads a document of the provider's, with what the person's token opens when there is one.
    async fn get(&self, url: &Url, access_token: Option<&str>) -> Result<Bytes, Trouble> {
        let mut request = self
            .client
            .get(url.clone())
            .header(header::ACCEPT, "application/json");
        if let Some(token) = access_token {
            let mut value = HeaderValue::from_str(&format!("Bearer {token}"))
                .map_err(|_| Trouble::Untrusted("an access token that cannot be sent".into()))?;
            value.set_sensitive(true);
            request = request.header(header::AUTHORIZATION, value);
        }
        let (status, body) = answer_to(request).await?;
        if status == StatusCode::OK {
            return Ok(body);
        }
        let place = url.path();
        Err(Trouble::Unanswered(format!("{place} answers {status}")))
    }
}

/// An answer, read whole within its bounds.
async fn answer_to(request: RequestBuilder) -> Result<(StatusCode, Bytes), Trouble> {
    let unanswered = |error: reqwest::Error| Trouble::Unanswered(error.without_url().to_string());
    let answering = async {
        let response = request.send().await.map_err(unanswered)?;
        let status = response.status();
        let (body, whole) = client::read(response, ANSWER_BYTES_MAX)
            .await
            .map_err(unanswered)?;
        if whole {
            Ok((status, body))
        } else {
            Err(Trouble::Unanswered("an answer without end".into()))
        }
    };
    timeout(PATIENCE, answering)
        .await
        .unwrap_or_else(|_| Err(Trouble::Unanswered("no answer in time".into())))
}

/// The short word by which a provider names an error. Its sentences may repeat what was sent, so they are not kept.
fn code_of(body: &[u8]) -> String {
    let answer: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
    let word = answer.get("error").and_then(serde_json::Value::as_str);
    let is_word =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-.".contains(&byte);
    match word {
        Some(word) if word.len() <= 64 && word.bytes().all(is_word) => format!(" {word}"),
        _ => String::new(),
    }
}

impl From<Wrong> for Trouble {
    fn from(wrong: Wrong) -> Self {
        Self::Untrusted(match wrong {
            Wrong::UnknownKey | Wrong::Unsigned => {
                "the ID token is signed with a key that the provider does not have".into()
            }
            Wrong::Said(what) => format!("the ID token: {what}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_secret_is_never_shown_and_an_error_is_kept_by_its_word_only() {
        let openid = OpenId::new(OpenIdSettings {
            issuer: "https://id.example.org".into(),
            client_id: "kiln".into(),
            client_secret: Some("hush hush".to_owned().into()),
            scopes: vec!["openid".into()],
            redirect_uri: "https://kiln.example/openid/x/callback".into(),
        })
        .expect("a client");
        assert!(!format!("{openid:?}").contains("hush"));
        let body =
            br#"{"error":"invalid_grant","error_description":"code SplxlOBeZQQYbYS6WxSbIA"}"#;
        assert_eq!(code_of(body), " invalid_grant");
        assert_eq!(code_of(br#"{"error":"a\nb SECRET"}"#), "");
        assert_eq!(code_of(b"<html>"), "");
    }
}
