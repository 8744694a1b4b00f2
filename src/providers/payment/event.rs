//! Owns the reading of the provider's events: what each says of a purchase, in the words of the domain.
//!
//! The bytes were proved to be the provider's, but the account they come from may sell other things too, and older or newer versions
//! of the interface name things differently: whatever is missing is missing, and nothing is assumed.

use crate::domain::clock::Timestamp;
use crate::domain::id::{PaymentId, UserId};
use crate::domain::payment::{Fact, Money, Outcome, Stage, Standing};
use crate::providers::payment::order::{PAYMENT_KEY, USER_KEY};
use serde_json::Value;

/// Why an event cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// It is none.
    NoEvent,
    /// It only points at what happened, without saying it: the endpoint was set up for "thin" payloads.
    Thin,
}

/// What an event tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// The provider's name of it.
    pub event: String,
    /// Its kind, such as `charge.refunded`.
    pub kind: String,
    /// When it happened.
    pub at: Timestamp,
    /// Whether it is about real money, when it says so.
    pub livemode: Option<bool>,
    /// What it is about; nothing for kinds that do not concern us.
    pub about: Option<About>,
}

/// What an event is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// Our name of the purchase, when it carries it.
    pub payment_id: Option<PaymentId>,
    /// Everybody whom it names as the buyer; there should be one at most.
    pub users: Vec<String>,
    /// The hosted page that it is about.
    pub session: Option<String>,
    /// The provider's name of what it is about, under which the purchase may be found.
    pub reference: Option<String>,
    /// What it says.
    pub fact: Fact,
}

impl About {
    /// Whether it names nobody else than this user.
    #[must_use]
    pub fn is_of(&self, user_id: UserId) -> bool {
        let user = user_id.to_string();
        self.users.iter().all(|named| *named == user)
    }
}

/// Reads an event.
///
/// # Errors
/// [`Unreadable`] when it is no event, or one without its object.
pub fn read(body: &[u8]) -> Result<Told, Unreadable> {
    use Unreadable::NoEvent;
    let event: Value = serde_json::from_slice(body).map_err(|_| NoEvent)?;
    if text(&event, "object").is_some_and(|object| object.starts_with("v2.")) {
        return Err(Unreadable::Thin);
    }
    let name = text(&event, "id").filter(|name| name.len() <= 255);
    let kind = text(&event, "type").ok_or(NoEvent)?;
    let seconds = event.get("created").and_then(Value::as_i64);
    let seconds = seconds.filter(|seconds| (0..=253_402_300_799).contains(seconds));
    let object = event.pointer("/data/object").unwrap_or(&Value::Null);
    Ok(Told {
        event: name.filter(|name| !name.is_empty()).ok_or(NoEvent)?,
        about: about(&kind, object),
        kind,
        at: Timestamp::from_micros(seconds.ok_or(NoEvent)?.saturating_mul(1_000_000)),
        livemode: event.get("livemode").and_then(Value::as_bool),
    })
}

fn about(kind: &str, object: &Value) -> Option<About> {
    match kind {
        "checkout.session.completed" => {
            let settled = ["paid", "no_payment_required"];
            let status = text(object, "payment_status").unwrap_or_default();
            let paid = settled.contains(&status.as_str());
            page(
                object,
                if paid {
                    Outcome::Paid
                } else {
                    Outcome::Pending
                },
            )
        }
        "checkout.session.async_payment_succeeded" => page(object, Outcome::Paid),
        "checkout.session.async_payment_failed" => page(object, Outcome::Failed),
        "checkout.session.expired" => page(object, Outcome::Expired),
        "charge.refunded" => refunded(object),
        "refund.failed" | "refund.updated" | "charge.refund.updated" => refund(object),
        "charge.dispute.created"
        | "charge.dispute.updated"
        | "charge.dispute.closed"
        | "charge.dispute.funds_withdrawn"
        | "charge.dispute.funds_reinstated" => dispute(object),
        "customer.subscription.deleted" => subscription(object, Some(Standing::Ended)),
        "customer.subscription.created"
        | "customer.subscription.updated"
        | "customer.subscription.paused"
        | "customer.subscription.resumed" => subscription(object, None),
        "invoice.paid" => invoice(object),
        _ => None,
    }
}

fn page(session: &Value, outcome: Outcome) -> Option<About> {
    let metadata = session.get("metadata");
    let reference = text(session, "client_reference_id");
    let mut about = About {
        payment_id: payment_in(metadata),
        users: users_in(metadata),
        session: Some(text(session, "id")?),
        reference: None,
        fact: Fact::Page {
            outcome,
            money: money(session, "amount_total"),
            intent: named(session, "payment_intent"),
            subscription: named(session, "subscription"),
        },
    };
    about.users.extend(reference);
    Some(about)
}

fn refunded(charge: &Value) -> Option<About> {
    let intent = named(charge, "payment_intent");
    let captured = charge.get("amount_captured").and_then(Value::as_i64);
    let whole = charge.get("amount").and_then(Value::as_i64);
    Some(About {
        payment_id: payment_in(charge.get("metadata")),
        users: users_in(charge.get("metadata")),
        session: None,
        reference: intent.clone(),
        fact: Fact::Refunded {
            paid: captured.filter(|amount| *amount > 0).or(whole)?,
            back: charge.get("amount_refunded")?.as_i64()?,
            intent,
        },
    })
}

/// Only a refund that came to nothing says something new: the sums are told by the charge.
fn refund(refund: &Value) -> Option<About> {
    let status = text(refund, "status")?;
    if !["failed", "canceled"].contains(&status.as_str()) {
        return None;
    }
    Some(About {
        payment_id: None,
        users: Vec::new(),
        session: None,
        reference: named(refund, "payment_intent"),
        fact: Fact::RefundFailed {
            refund: text(refund, "id")?,
            amount: refund.get("amount")?.as_i64()?,
        },
    })
}

fn dispute(dispute: &Value) -> Option<About> {
    let stage = match text(dispute, "status")?.as_str() {
        "won" => Stage::Won,
        "lost" => Stage::Lost,
        "needs_response" | "under_review" => Stage::Open,
        // Warnings and prevented disputes move no money.
        _ => Stage::Inquiry,
    };
    Some(About {
        payment_id: None,
        users: Vec::new(),
        session: None,
        reference: named(dispute, "payment_intent"),
        fact: Fact::Disputed {
            dispute: text(dispute, "id")?,
            money: money(dispute, "amount")?,
            stage,
        },
    })
}

fn subscription(object: &Value, standing: Option<Standing>) -> Option<About> {
    let standing = match standing {
        Some(standing) => standing,
        None => match text(object, "status")?.as_str() {
            "incomplete" => Standing::Incomplete,
            "trialing" | "active" => Standing::Active,
            "past_due" => Standing::PastDue,
            "unpaid" | "paused" => Standing::Unpaid,
            "canceled" | "incomplete_expired" => Standing::Ended,
            _ => return None,
        },
    };
    let subscription = text(object, "id")?;
    Some(About {
        payment_id: payment_in(object.get("metadata")),
        users: users_in(object.get("metadata")),
        session: None,
        reference: Some(subscription.clone()),
        fact: Fact::Subscription {
            subscription,
            standing,
        },
    })
}

/// The subscription moved within invoices as the interface grew; both places are read.
fn invoice(invoice: &Value) -> Option<About> {
    let details = invoice
        .pointer("/parent/subscription_details")
        .or_else(|| invoice.get("subscription_details"));
    let subscription = details
        .and_then(|details| named(details, "subscription"))
        .or_else(|| named(invoice, "subscription"))?;
    let metadata = details.and_then(|details| details.get("metadata"));
    Some(About {
        payment_id: payment_in(metadata),
        users: users_in(metadata),
        session: None,
        reference: Some(subscription.clone()),
        fact: Fact::Renewed { subscription },
    })
}

fn payment_in(metadata: Option<&Value>) -> Option<PaymentId> {
    PaymentId::parse(&text(metadata?, PAYMENT_KEY)?)
}

fn users_in(metadata: Option<&Value>) -> Vec<String> {
    metadata
        .and_then(|metadata| text(metadata, USER_KEY))
        .into_iter()
        .collect()
}

fn money(object: &Value, amount: &str) -> Option<Money> {
    Some(Money {
        amount: object.get(amount)?.as_i64()?,
        currency: text(object, "currency")?.to_ascii_lowercase(),
    })
}

fn text(object: &Value, member: &str) -> Option<String> {
    object.get(member)?.as_str().map(str::to_owned)
}

/// The name of another object, whether it stands there as a name or in full.
fn named(object: &Value, member: &str) -> Option<String> {
    let there = object.get(member)?;
    let name = there.as_str().map(str::to_owned);
    name.or_else(|| text(there, "id"))
        .filter(|name| !name.is_empty() && name.len() <= 255)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn event(kind: &str, object: Value) -> Told {
        let event = json!({
            "id": "evt_1", "object": "event", "type": kind, "created": 1_795_166_100, "livemode": false,
            "data": { "object": object },
        });
        read(event.to_string().as_bytes()).expect("readable")
    }

    fn fact(kind: &str, object: Value) -> Option<Fact> {
        event(kind, object).about.map(|about| about.fact)
    }

    #[test]
    fn a_completed_page_is_paid_when_it_says_so() {
        let (payment, user) = (PaymentId::new(), UserId::new());
        let mut session = json!({
            "id": "cs_1", "payment_status": "paid", "amount_total": 900, "currency": "EUR", "payment_intent": "pi_1",
            "subscription": null, "client_reference_id": user.to_string(),
            "metadata": { PAYMENT_KEY: payment.to_string(), USER_KEY: user.to_string() },
        });
        let told = event("checkout.session.completed", session.clone());
        let about = told.about.expect("it concerns us");
        assert_eq!(about.payment_id, Some(payment));
        assert!(about.is_of(user) && !about.is_of(UserId::new()));
        let paid = |outcome| Fact::Page {
            outcome,
            money: Some(Money {
                amount: 900,
                currency: "eur".into(),
            }),
            intent: Some("pi_1".into()),
            subscription: None,
        };
        assert_eq!(about.fact, paid(Outcome::Paid));
        session["payment_status"] = json!("unpaid");
        session["payment_intent"] = json!({ "id": "pi_1", "object": "payment_intent" });
        for (kind, outcome) in [
            ("checkout.session.completed", Outcome::Pending),
            ("checkout.session.async_payment_succeeded", Outcome::Paid),
            ("checkout.session.async_payment_failed", Outcome::Failed),
            ("checkout.session.expired", Outcome::Expired),
        ] {
            assert_eq!(fact(kind, session.clone()), Some(paid(outcome)), "{kind}");
        }
    }

    #[test]
    fn a_subscription_is_read_from_its_own_events_and_from_invoices_of_any_age() {
        for (status, standing) in [
            ("incomplete", Standing::Incomplete),
            ("trialing", Standing::Active),
            ("active", Standing::Active),
            ("past_due", Standing::PastDue),
            ("unpaid", Standing::Unpaid),
            ("paused", Standing::Unpaid),
            ("canceled", Standing::Ended),
            ("incomplete_expired", Standing::Ended),
        ] {
            let told = fact(
                "customer.subscription.updated",
                json!({ "id": "sub_1", "status": status }),
            );
            let expected = Fact::Subscription {
                subscription: "sub_1".into(),
                standing,
            };
            assert_eq!(told, Some(expected), "{status}");
        }
        let renewed = Some(Fact::Renewed {
            subscription: "sub_1".into(),
        });
        for invoice in [
            json!({ "subscription": "sub_1" }),
            json!({ "parent": { "subscription_details": { "subscription": "sub_1" } } }),
            json!({ "subscription": { "id": "sub_1" }, "parent": null }),
        ] {
            assert_eq!(fact("invoice.paid", invoice), renewed);
        }
        assert_eq!(fact("invoice.paid", json!({ "subscription": null })), None);
    }

    #[test]
    fn money_that_goes_back_is_read_as_sums_and_stages() {
        let charge = json!({ "amount": 900, "amount_captured": 900, "amount_refunded": 300, "payment_intent": "pi_1" });
        let told = event("charge.refunded", charge).about.expect("told");
        assert_eq!(told.reference.as_deref(), Some("pi_1"));
        assert!(matches!(
            told.fact,
            Fact::Refunded {
                paid: 900,
                back: 300,
                ..
            }
        ));
        let refund = |status| json!({ "id": "re_1", "amount": 300, "status": status, "payment_intent": "pi_1" });
        assert!(fact("refund.updated", refund("succeeded")).is_none());
        assert!(fact("refund.failed", refund("failed")).is_some());
        for (status, stage) in [
            ("warning_needs_response", Stage::Inquiry),
            ("prevented", Stage::Inquiry),
            ("needs_response", Stage::Open),
            ("lost", Stage::Lost),
            ("won", Stage::Won),
        ] {
            let dispute = json!({ "id": "dp_1", "amount": 900, "currency": "eur", "status": status, "payment_intent": "pi_1" });
            let told = fact("charge.dispute.updated", dispute);
            assert!(
                matches!(told, Some(Fact::Disputed { stage: read, .. }) if read == stage),
                "{status}"
            );
        }
    }

    #[test]
    fn what_is_no_event_is_unreadable_and_other_kinds_concern_nobody() {
        for bad in [
            "",
            "null",
            "[]",
            "{}",
            r#"{"id":"evt_1","type":"x"}"#,
            r#"{"id":"","type":"x","created":1}"#,
            r#"{"id":7,"type":"x","created":1}"#,
            r#"{"id":"evt_1","type":"x","created":-1}"#,
            r#"{"id":"evt_1","type":"x","created":99999999999999999}"#,
        ] {
            assert_eq!(read(bad.as_bytes()), Err(Unreadable::NoEvent), "{bad}");
        }
        assert_eq!(
            read("[".repeat(100_000).as_bytes()),
            Err(Unreadable::NoEvent)
        );
        assert_eq!(fact("product.created", json!({ "id": "prod_1" })), None);
        for kind in [
            "checkout.session.completed",
            "charge.refunded",
            "invoice.paid",
        ] {
            for hostile in [json!(null), json!([]), json!({ "id": 7, "metadata": [] })] {
                assert_eq!(fact(kind, hostile), None, "{kind}");
            }
        }
    }

    #[test]
    fn an_event_of_thin_payloads_is_told_from_one_that_is_none() {
        let thin = r#"{"id":"evt_1","object":"v2.core.event","type":"v1.checkout.session.completed","livemode":false,
            "created":"2026-11-27T22:00:00.000Z","related_object":{"id":"cs_1","type":"checkout.session","url":"/v1/x"}}"#;
        assert_eq!(read(thin.as_bytes()), Err(Unreadable::Thin));
    }

    /// Any value that an event of some kind may hold in the place of another.
    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            "\\PC{0,12}".prop_map(Value::from),
        ];
        let keys = prop::sample::select(vec![
            "id",
            "amount",
            "amount_total",
            "currency",
            "metadata",
            "payment_intent",
            "charge",
            "charges",
            "data",
            "status",
            "payment_status",
            "lines",
            "parent",
            "subscription",
            "customer",
        ]);
        leaf.prop_recursive(4, 40, 6, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::hash_map(keys.clone(), inner, 0..6).prop_map(|fields| {
                    Value::Object(
                        fields
                            .into_iter()
                            .map(|(key, value)| (key.to_owned(), value))
                            .collect(),
                    )
                }),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// Whatever stands in the place of an event or of a part of one is read, or is none.
        #[test]
        fn any_bytes_are_an_event_or_none(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            kind in prop::sample::select(vec![
                "checkout.session.completed", "checkout.session.expired", "charge.refunded", "charge.dispute.created",
                "charge.dispute.closed", "invoice.paid", "customer.subscription.deleted", "refund.updated",
            ]),
            object in values(),
        ) {
            let _ = read(&bytes);
            let event = json!({ "id": "evt_1", "type": kind, "created": 1, "data": { "object": object } });
            prop_assert!(read(event.to_string().as_bytes()).is_ok());
        }
    }
}
