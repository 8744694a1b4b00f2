//! Owns the way to Stripe's own page on which somebody manages their subscription: the card, the bills, the end of it.
//!
//! Whose it is, is asked when it is needed: a subscription knows its customer, and we keep no name of theirs.

use crate::providers::client;
use crate::providers::payment::order::Trouble;
use crate::providers::payment::stripe::{ANSWER_BYTES_MAX, ATTEMPT, Stripe, code_of};
use reqwest::RequestBuilder;
use reqwest::header;
use serde::Deserialize;
use tokio::time::timeout;
use url::{Url, form_urlencoded};

/// What we read of a subscription.
#[derive(Deserialize)]
struct Subscription {
    customer: String,
}

/// What we read of a page to manage it on.
#[derive(Deserialize)]
struct Session {
    url: String,
}

impl Stripe {
    /// The address of the page on which the owner of a subscription manages it; good for some minutes, so it is made each time.
    ///
    /// # Errors
    /// [`Trouble`]; its words are for the log.
    pub async fn portal(&self, subscription: &str) -> Result<String, Trouble> {
        if !is_name(subscription) {
            return Err(Trouble::Refused(
                "a subscription with a strange name".into(),
            ));
        }
        let base = &self.settings.base_url;
        let asked = self
            .client
            .get(format!("{base}/v1/subscriptions/{subscription}"));
        let owner: Subscription = answer_to(asked).await?;
        if !is_name(&owner.customer) {
            return Err(Trouble::Refused("a customer with a strange name".into()));
        }
        let form = form_urlencoded::Serializer::new(String::new())
            .append_pair("customer", &owner.customer)
            .append_pair(
                "return_url",
                &format!("{}/account#credits", self.settings.public_url),
            )
            .finish();
        let asked = self
            .client
            .post(format!("{base}/v1/billing_portal/sessions"))
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(form);
        let session: Session = answer_to(asked).await?;
        let plain = base.starts_with("http://");
        let is_safe = |url: &Url| url.scheme() == "https" || plain && url.scheme() == "http";
        match Url::parse(&session.url) {
            Ok(url) if is_safe(&url) && session.url.len() <= 8_192 => Ok(session.url),
            _ => Err(Trouble::Refused("a page whose address is not safe".into())),
        }
    }
}

/// Whether a word is a name as the provider gives them, so that it can stand in an address.
fn is_name(word: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !word.is_empty() && word.len() <= 255 && word.bytes().all(plain)
}

async fn answer_to<T: serde::de::DeserializeOwned>(request: RequestBuilder) -> Result<T, Trouble> {
    let unanswered =
        |error: reqwest::Error| Trouble::Unanswered(format!("stripe: {}", error.without_url()));
    let answering = async {
        let response = request.send().await.map_err(unanswered)?;
        let status = response.status();
        let (body, whole) = client::read(response, ANSWER_BYTES_MAX)
            .await
            .map_err(unanswered)?;
        if !status.is_success() {
            return Err(Trouble::Refused(format!(
                "stripe: {status}{}",
                code_of(&body)
            )));
        }
        serde_json::from_slice(&body)
            .ok()
            .filter(|_| whole)
            .ok_or_else(|| Trouble::Refused("stripe: an answer of another kind".into()))
    };
    timeout(ATTEMPT, answering)
        .await
        .unwrap_or_else(|_| Err(Trouble::Unanswered("stripe: no answer in time".into())))
}
