//! Owns our conversation with Stripe: an order goes out as a form, a hosted page comes back.
//!
//! An order has one page: its idempotency key is our name of the purchase, so that sending it again, here or after a crash, finds
//! the page that the first attempt made.

use crate::domain::clock::Timestamp;
use crate::domain::payment::{HostedPage, Money};
use crate::domain::user::Plan;
use crate::providers::client;
use crate::providers::payment::order::{Order, PAYMENT_KEY, PLAN_KEY, Trouble, USER_KEY};
use crate::telemetry::providers::PAYMENT;
use reqwest::header::{self, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Response, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};
use url::Url;

/// The version of the interface that this was written for; Stripe answers in its words whatever the account's own version is.
pub const API_VERSION: &str = "2026-02-25.clover";
/// The time for one attempt, and for all.
pub(super) const ATTEMPT: Duration = Duration::from_secs(10);
const PATIENCE: Duration = Duration::from_secs(20);
/// The pauses before a further attempt.
const PAUSES: [Duration; 2] = [Duration::from_millis(250), Duration::from_millis(1_000)];
/// A session's answer has some kilobytes.
pub(super) const ANSWER_BYTES_MAX: usize = 256 << 10;
/// How long a page can be paid when Stripe does not say.
const PAYABLE_FOR: Duration = Duration::from_secs(24 * 3600);

/// How Stripe is reached, and under which names it sells.
#[derive(Debug, Clone)]
pub struct StripeSettings {
    /// Its address, without a slash at its end.
    pub base_url: String,
    /// What proves who we are. Its `Debug` shows nothing.
    pub secret_key: SecretString,
    /// The price of the small pack; empty when it is not sold.
    pub starter: String,
    /// The price of the large pack.
    pub pro_pack: String,
    /// The price of the subscription.
    pub unlimited: String,
    /// The address that users see, without a slash at its end.
    pub public_url: String,
}

/// Stripe.
#[derive(Debug, Clone)]
pub struct Stripe {
    pub(super) client: reqwest::Client,
    pub(super) settings: StripeSettings,
}

/// What we read of a session.
#[derive(Debug, Deserialize)]
struct Session {
    id: String,
    url: Option<String>,
    expires_at: Option<i64>,
    amount_total: Option<i64>,
    currency: Option<String>,
    livemode: Option<bool>,
}

/// What one attempt came to, beside a page.
enum Missed {
    /// Trying again may help.
    Passing(Trouble),
    /// It will not.
    Final(Trouble),
}

impl Stripe {
    /// Stripe, with connections of its own.
    ///
    /// # Errors
    /// When the key cannot be sent, or the TLS set-up of this machine cannot be used.
    pub fn new(settings: StripeSettings) -> Result<Self, String> {
        let mut key =
            HeaderValue::from_str(&format!("Bearer {}", settings.secret_key.expose_secret()))
                .map_err(|_| "billing.secret_key_file holds what is no key".to_owned())?;
        key.set_sensitive(true);
        let mut headers = HeaderMap::new();
        headers.insert(header::AUTHORIZATION, key);
        headers.insert(
            HeaderName::from_static("stripe-version"),
            HeaderValue::from_static(API_VERSION),
        );
        let client = client::builder()
            .default_headers(headers)
            .user_agent(concat!("skillkiln/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| format!("cannot set up the payment client: {error}"))?;
        Ok(Self { client, settings })
    }

    /// The price of a plan, when it is sold.
    #[must_use]
    pub fn price(&self, plan: Plan) -> Option<&str> {
        let price = match plan {
            Plan::Free => "",
            Plan::Starter => &self.settings.starter,
            Plan::ProPack => &self.settings.pro_pack,
            Plan::Unlimited => &self.settings.unlimited,
        };
        Some(price).filter(|price| !price.is_empty())
    }

    /// The hosted page for an order.
    ///
    /// # Errors
    /// [`Trouble`]; its words are for the log.
    pub async fn open(&self, order: Order, now: Timestamp) -> Result<HostedPage, Trouble> {
        let form = self.form(order).ok_or(Trouble::NotConfigured)?;
        let key = format!("skillkiln-{}", order.payment_id);
        let deadline = Instant::now() + PATIENCE;
        let mut pauses = PAUSES.iter();
        loop {
            let missed = match self.attempt(&form, &key, now, deadline).await {
                Ok(page) => return Ok(page),
                Err(Missed::Final(trouble)) => return Err(trouble),
                Err(Missed::Passing(trouble)) => trouble,
            };
            match pauses.next() {
                Some(pause) if Instant::now() + *pause < deadline => {
                    PAYMENT.again();
                    tokio::time::sleep(*pause).await;
                }
                _ => return Err(missed),
            }
        }
    }

    /// The order as Stripe reads it.
    fn form(&self, order: Order) -> Option<Vec<(String, String)>> {
        let price = self.price(order.plan)?;
        let (mode, inner) = match order.plan {
            Plan::Unlimited => ("subscription", "subscription_data"),
            _ => ("payment", "payment_intent_data"),
        };
        let public = &self.settings.public_url;
        let mut form: Vec<(String, String)> = [
            ("mode", mode.to_owned()),
            ("line_items[0][price]", price.to_owned()),
            ("line_items[0][quantity]", "1".to_owned()),
            ("client_reference_id", order.user_id.to_string()),
            (
                "success_url",
                format!("{public}/billing/success?session_id={{CHECKOUT_SESSION_ID}}"),
            ),
            ("cancel_url", format!("{public}/billing/cancel")),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        // What the money and the subscription carry comes back with their own events, whichever is first.
        for (name, value) in [
            (PAYMENT_KEY, order.payment_id.to_string()),
            (USER_KEY, order.user_id.to_string()),
            (PLAN_KEY, order.plan.as_str().to_owned()),
        ] {
            form.push((format!("metadata[{name}]"), value.clone()));
            form.push((format!("{inner}[metadata][{name}]"), value));
        }
        Some(form)
    }

    async fn attempt(
        &self,
        form: &[(String, String)],
        key: &str,
        now: Timestamp,
        deadline: Instant,
    ) -> Result<HostedPage, Missed> {
        let unanswered =
            |cause: String| Missed::Passing(Trouble::Unanswered(format!("stripe: {cause}")));
        let body = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(form)
            .finish();
        let call = PAYMENT.begin();
        let answering = async {
            let response = self
                .client
                .post(format!("{}/v1/checkout/sessions", self.settings.base_url))
                .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
                .header("Idempotency-Key", key)
                .body(body)
                .send()
                .await
                // The address in the error says nothing new, and the rest of it holds no secret.
                .map_err(|error| unanswered(error.without_url().to_string()))?;
            let status = response.status();
            let again = should_retry(&response);
            let (body, whole) = client::read(response, ANSWER_BYTES_MAX)
                .await
                .map_err(|error| unanswered(error.without_url().to_string()))?;
            if !whole {
                return Err(Missed::Final(Trouble::Refused(
                    "stripe: an answer without end".into(),
                )));
            }
            if !status.is_success() {
                let trouble = Trouble::Refused(format!("stripe: {status}{}", code_of(&body)));
                return Err(if again {
                    Missed::Passing(trouble)
                } else {
                    Missed::Final(trouble)
                });
            }
            self.page(&body, now)
                .map_err(|cause| Missed::Final(Trouble::Refused(format!("stripe: {cause}"))))
        };
        let outcome = timeout_at(deadline.min(Instant::now() + ATTEMPT), answering)
            .await
            .unwrap_or_else(|_| Err(unanswered("no answer in time".into())));
        call.ended(outcome.is_ok());
        outcome
    }

    fn page(&self, body: &[u8], now: Timestamp) -> Result<HostedPage, &'static str> {
        let session: Session =
            serde_json::from_slice(body).map_err(|_| "an answer that is no session")?;
        let address = session.url.ok_or("a session without an address")?;
        let url = Url::parse(&address).map_err(|_| "a session with no address")?;
        let plain = url.scheme() == "http" && self.settings.base_url.starts_with("http://");
        if url.scheme() != "https" && !plain {
            return Err("a session whose address is not safe");
        }
        if session.id.is_empty() || session.id.len() > 255 || address.len() > 8_192 {
            return Err("a session with strange names");
        }
        let expires_at = session
            .expires_at
            .map(|seconds| Timestamp::from_micros(seconds.saturating_mul(1_000_000)));
        Ok(HostedPage {
            session: session.id,
            url: address,
            expires_at: expires_at.unwrap_or_else(|| now.plus(PAYABLE_FOR)),
            money: session
                .amount_total
                .zip(session.currency)
                .map(|(amount, currency)| Money {
                    amount,
                    currency: currency.to_ascii_lowercase(),
                }),
            livemode: session.livemode.unwrap_or(false),
        })
    }
}

/// Stripe says itself whether another attempt makes sense; where it does not, what may pass is tried again.
fn should_retry(response: &Response) -> bool {
    let said = response.headers().get("stripe-should-retry");
    match said.and_then(|said| said.to_str().ok()) {
        Some("true") => true,
        Some("false") => false,
        _ => {
            let status = response.status();
            status.is_server_error()
                || status == StatusCode::CONFLICT
                || status == StatusCode::TOO_MANY_REQUESTS
        }
    }
}

/// The short words by which Stripe names an error. Its sentences may repeat what was sent, so they are not kept.
pub(super) fn code_of(body: &[u8]) -> String {
    let answer: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
    let word = |name: &str| {
        let word = answer.pointer(&format!("/error/{name}"))?.as_str()?;
        let plain = word.len() <= 64
            && word
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        plain.then(|| format!(" {word}"))
    };
    [word("type"), word("code")].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::id::{PaymentId, UserId};
    use std::net::TcpListener;

    fn stripe(base_url: &str) -> Stripe {
        Stripe::new(StripeSettings {
            base_url: base_url.into(),
            secret_key: "sk_test_1".to_owned().into(),
            starter: "price_1".into(),
            pro_pack: String::new(),
            unlimited: "price_3".into(),
            public_url: "https://kiln.example".into(),
        })
        .expect("a client")
    }

    fn order(plan: Plan) -> Order {
        Order {
            payment_id: PaymentId::new(),
            user_id: UserId::new(),
            plan,
        }
    }

    #[test]
    fn the_key_is_never_shown() {
        let shown = format!("{:?}", stripe("https://api.stripe.com"));
        assert!(!shown.contains("sk_test"), "{shown}");
    }

    #[test]
    fn what_has_no_price_is_not_sold() {
        let stripe = stripe("https://api.stripe.com");
        assert_eq!(stripe.price(Plan::Starter), Some("price_1"));
        assert_eq!(stripe.price(Plan::ProPack), None);
        assert!(stripe.form(order(Plan::ProPack)).is_none());
        assert!(stripe.form(order(Plan::Free)).is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn a_stripe_that_never_answers_is_given_up_and_the_order_may_have_been_taken() {
        let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", silent.local_addr().expect("an address"));
        let now = Timestamp::from_micros(0);
        let opened = stripe(&address).open(order(Plan::Starter), now).await;
        assert!(matches!(opened, Err(Trouble::Unanswered(_))), "{opened:?}");
    }

    #[test]
    fn a_page_must_be_safe_and_what_is_missing_is_filled_in() {
        let now = Timestamp::from_micros(5_000_000);
        let safe = stripe("https://api.stripe.com");
        let page = safe
            .page(br#"{"id":"cs_1","url":"https://checkout.example/x","amount_total":900,"currency":"EUR"}"#, now)
            .expect("a page");
        assert_eq!(page.expires_at, now.plus(PAYABLE_FOR));
        assert_eq!(
            page.money.map(|money| (money.amount, money.currency)),
            Some((900, "eur".into()))
        );
        for bad in [
            "",
            "[]",
            r#"{"id":"cs_1"}"#,
            r#"{"id":"cs_1","url":null}"#,
            r#"{"id":"","url":"https://checkout.example/x"}"#,
            r#"{"id":"cs_1","url":"javascript:alert(1)"}"#,
            r#"{"id":"cs_1","url":"http://checkout.example/x"}"#,
        ] {
            assert!(safe.page(bad.as_bytes(), now).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_error_is_kept_by_its_code_and_never_by_its_sentence() {
        let body = br#"{"error":{"type":"invalid_request_error","code":"resource_missing","message":"No such price: sk_live_x"}}"#;
        assert_eq!(code_of(body), " invalid_request_error resource_missing");
        assert_eq!(code_of(b"<html>"), "");
        assert_eq!(code_of(br#"{"error":{"type":"a\nb SECRET"}}"#), "");
    }
}
