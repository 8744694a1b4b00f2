//! Owns payments that are none: a page of ours with a button, and events signed and told as the real provider's are, so that the
//! whole way can be tried without an account anywhere.

use crate::domain::clock::Timestamp;
use crate::domain::payment::{Deed, HostedPage, Payment};
use crate::domain::user::Plan;
use crate::providers::payment::order::{PAYMENT_KEY, Trouble, USER_KEY};
use serde_json::{Value, json};
use std::time::Duration;

/// How long a page can be paid.
const PAYABLE_FOR: Duration = Duration::from_secs(3600);
/// What a purchase is said to cost, in the smallest unit, so that refunds have something to give back.
const AMOUNT: i64 = 1_000;

/// The sandbox.
#[derive(Debug, Clone)]
pub struct Sandbox {
    /// The address that users see, without a slash at its end.
    pub public_url: String,
}

impl Sandbox {
    /// A page that nobody can guess.
    ///
    /// # Errors
    /// [`Trouble`] when the system gives no entropy.
    pub fn open(&self, now: Timestamp) -> Result<HostedPage, Trouble> {
        let mut entropy = [0; 32];
        getrandom::fill(&mut entropy)
            .map_err(|cause| Trouble::Refused(format!("the system gives no entropy: {cause}")))?;
        let secret: String = entropy.iter().map(|byte| format!("{byte:02x}")).collect();
        let session = format!("cs_sandbox_{secret}");
        Ok(HostedPage {
            url: format!("{}/sandbox/checkout/{session}", self.public_url),
            session,
            expires_at: now.plus(PAYABLE_FOR),
            money: None,
            livemode: false,
        })
    }

    /// The event that tells a deed. The same deed has the same name, so that it is heard once however often a button is pressed.
    #[must_use]
    pub fn tell(payment: &Payment, page: &HostedPage, deed: Deed, now: Timestamp) -> Vec<u8> {
        let subscribes = payment.plan == Plan::Unlimited;
        let (intent, subscription) = (format!("pi_{}", payment.id), format!("sub_{}", payment.id));
        let metadata = json!({
            PAYMENT_KEY: payment.id.to_string(),
            USER_KEY: payment.user_id.to_string(),
        });
        let session = |status: &str, paid: &str| {
            json!({
                "id": page.session, "object": "checkout.session", "status": status, "payment_status": paid,
                "mode": if subscribes { "subscription" } else { "payment" },
                "client_reference_id": payment.user_id.to_string(), "metadata": metadata,
                "amount_total": AMOUNT, "currency": "eur", "livemode": false,
                "payment_intent": if subscribes { Value::Null } else { json!(intent) },
                "subscription": if subscribes { json!(subscription) } else { Value::Null },
            })
        };
        let (kind, word, object) = match deed {
            Deed::Pay => (
                "checkout.session.completed",
                "paid",
                session("complete", "paid"),
            ),
            Deed::Cancel => (
                "checkout.session.expired",
                "left",
                session("expired", "unpaid"),
            ),
            Deed::Refund => (
                "charge.refunded",
                "back",
                json!({
                    "id": format!("ch_{}", payment.id), "object": "charge", "amount": AMOUNT, "amount_captured": AMOUNT,
                    "amount_refunded": AMOUNT, "currency": "eur", "payment_intent": intent, "metadata": metadata,
                }),
            ),
            Deed::End => (
                "customer.subscription.deleted",
                "ended",
                json!({
                    "id": subscription, "object": "subscription", "status": "canceled", "metadata": metadata,
                }),
            ),
        };
        json!({
            "id": format!("evt_sandbox_{}_{word}", payment.id), "object": "event", "type": kind, "livemode": false,
            "created": now.micros().div_euclid(1_000_000), "data": { "object": object },
        })
        .to_string()
        .into_bytes()
    }
}
