//! Owns what is ordered of whoever takes the money, under which names it carries our words, and why there may be no page.

use crate::domain::id::{PaymentId, UserId};
use crate::domain::user::Plan;

/// The names under which a provider carries our words through its objects and back into its events.
pub(crate) const PAYMENT_KEY: &str = "skillkiln_payment";
pub(crate) const USER_KEY: &str = "skillkiln_user";
pub(crate) const PLAN_KEY: &str = "skillkiln_plan";

/// What is to be bought.
#[derive(Debug, Clone, Copy)]
pub struct Order {
    /// Our name of the purchase. One order has one hosted page, however often it is sent.
    pub payment_id: PaymentId,
    /// Who buys.
    pub user_id: UserId,
    /// What.
    pub plan: Plan,
}

/// Why there is no hosted page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// The settings do not say how this is sold.
    NotConfigured,
    /// The provider said no: the same order will not succeed.
    Refused(String),
    /// The provider did not answer in time: the same order may have been taken, and may be sent again.
    Unanswered(String),
}
