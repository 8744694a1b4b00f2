//! Who takes the money: Stripe, or the sandbox, which takes none and asks nobody.
//!
//! ```text
//! order ─▶ stripe::Stripe ──▶ hosted page ─▶ … buyer … ─▶ webhook ─▶ signature::WebhookSecret ─▶ event::read ─▶ Told
//!          sandbox::Sandbox ─▶ page of ours ─▶ button ──▶ signed event ────────┘
//! ```
//!
//! Both tell what happened by signed events, which are read in one place; nothing is given for visiting a page.

pub mod event;
pub mod order;
mod portal;
pub mod sandbox;
pub mod signature;
pub mod stripe;

use crate::domain::clock::Timestamp;
use crate::domain::payment::{HostedPage, Payment, Provider};
use crate::domain::user::Plan;
use crate::providers::payment::order::{Order, Trouble};
use crate::providers::payment::sandbox::Sandbox;
use crate::providers::payment::stripe::Stripe;

/// The one whom the settings chose.
#[derive(Debug, Clone)]
pub enum Till {
    /// Pages of ours.
    Sandbox(Sandbox),
    /// Stripe.
    Stripe(Box<Stripe>),
    /// Stripe, but the settings lack its secrets: nothing is sold.
    Closed,
}

impl Till {
    /// Which one it is.
    #[must_use]
    pub fn provider(&self) -> Provider {
        match self {
            Self::Sandbox(_) => Provider::Sandbox,
            Self::Stripe(_) | Self::Closed => Provider::Stripe,
        }
    }

    /// Whether a plan can be bought here.
    #[must_use]
    pub fn sells(&self, plan: Plan) -> bool {
        match self {
            Self::Sandbox(_) => plan != Plan::Free,
            Self::Stripe(stripe) => stripe.price(plan).is_some(),
            Self::Closed => false,
        }
    }

    /// The hosted page for an order.
    ///
    /// # Errors
    /// [`Trouble`].
    pub async fn open(&self, order: Order, now: Timestamp) -> Result<HostedPage, Trouble> {
        match self {
            Self::Sandbox(sandbox) => sandbox.open(now),
            Self::Stripe(stripe) => stripe.open(order, now).await,
            Self::Closed => Err(Trouble::NotConfigured),
        }
    }

    /// The address of the page on which a subscription is managed: the provider's own, or the sandbox's, where it was paid.
    ///
    /// # Errors
    /// [`Trouble`].
    pub async fn portal(&self, payment: &Payment) -> Result<String, Trouble> {
        match (self, &payment.subscription, &payment.page) {
            (Self::Sandbox(_), _, Some(page)) => Ok(page.url.clone()),
            (Self::Stripe(stripe), Some(subscription), _) => stripe.portal(subscription).await,
            _ => Err(Trouble::NotConfigured),
        }
    }
}
