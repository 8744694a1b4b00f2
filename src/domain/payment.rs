//! Owns what a purchase is: a promise of credits or of a subscription, and what its events say has become of it.
//!
//! Invariant: [`position`] reads the events as a set. Whatever order they come in and however often, the same events give the
//! same position, so that a payment never gives a credit twice or loses one.

use crate::domain::clock::Timestamp;
use crate::domain::credits::Credits;
use crate::domain::id::{PaymentId, UserId};
use crate::domain::user::Plan;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A sum of money, in the smallest unit of its currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Money {
    /// How much.
    pub amount: i64,
    /// Three letters in lower case.
    pub currency: String,
}

/// Who takes the money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    /// Pages of ours; no money at all.
    Sandbox,
    /// Stripe.
    Stripe,
}

impl Provider {
    /// The word kept in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
            Self::Stripe => "stripe",
        }
    }

    /// Reads [`Provider::as_str`] back.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Sandbox, Self::Stripe]
            .into_iter()
            .find(|provider| provider.as_str() == word)
    }
}

/// Where a subscription stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Its first payment is under way.
    Incomplete,
    /// It runs.
    Active,
    /// A payment failed and is tried again.
    PastDue,
    /// A payment failed for good, or it was paused.
    Unpaid,
    /// It is over.
    Ended,
}

impl Standing {
    /// The word kept in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Incomplete => "incomplete",
            Self::Active => "active",
            Self::PastDue => "past_due",
            Self::Unpaid => "unpaid",
            Self::Ended => "ended",
        }
    }

    /// Reads [`Standing::as_str`] back.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [
            Self::Incomplete,
            Self::Active,
            Self::PastDue,
            Self::Unpaid,
            Self::Ended,
        ]
        .into_iter()
        .find(|standing| standing.as_str() == word)
    }
}

/// How the hosted page of a purchase came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The money is there.
    Paid,
    /// The money is on its way.
    Pending,
    /// The money never came.
    Failed,
    /// Nobody paid in time, or the buyer left.
    Expired,
}

/// Where a dispute over the money stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The bank asks; no money moved.
    Inquiry,
    /// The bank took the money until it is decided.
    Open,
    /// The money is gone.
    Lost,
    /// The money came back, or never went.
    Won,
}

/// What one event says of a purchase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "fact", rename_all = "snake_case")]
pub enum Fact {
    /// The hosted page came out so.
    Page {
        /// How.
        outcome: Outcome,
        /// For how much.
        money: Option<Money>,
        /// The provider's name of the money's way, by which refunds and disputes name it.
        intent: Option<String>,
        /// The provider's name of the subscription.
        subscription: Option<String>,
    },
    /// Money went back to the buyer; the sums count from the beginning.
    Refunded {
        /// What had been paid.
        paid: i64,
        /// What went back of it, in all.
        back: i64,
        /// The provider's name of the money's way.
        intent: Option<String>,
    },
    /// A refund did not arrive: its money is ours again.
    RefundFailed {
        /// The provider's name of the refund.
        refund: String,
        /// How much.
        amount: i64,
    },
    /// The buyer's bank disputes the payment.
    Disputed {
        /// The provider's name of the dispute.
        dispute: String,
        /// Over how much.
        money: Money,
        /// Where it stands.
        stage: Stage,
    },
    /// A subscription stands so.
    Subscription {
        /// The provider's name of it.
        subscription: String,
        /// Where it stands.
        standing: Standing,
    },
    /// A bill of a subscription was paid.
    Renewed {
        /// The provider's name of the subscription.
        subscription: String,
    },
}

/// What a purchase promised when it was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Promise {
    /// The credits of the pack; none of a subscription.
    pub credits: Credits,
    /// The price that the provider named, when its answer arrived.
    pub money: Option<Money>,
}

/// Where a purchase stands after its events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Position {
    /// The credits that it should have given by now, less those whose money went back.
    pub credits: Credits,
    /// Whether it counts as a paid pack: its money is there, and did not go back in full.
    pub counts: bool,
    /// When it was paid.
    pub paid_at: Option<Timestamp>,
    /// Whether its page can lead nowhere any more.
    pub closed: bool,
    /// Where its subscription stands.
    pub standing: Option<Standing>,
    /// The provider's name of the money's way.
    pub intent: Option<String>,
    /// The provider's name of the subscription.
    pub subscription: Option<String>,
    /// Whether another price was paid than the one that was named: nothing is given for that.
    pub mispaid: bool,
}

/// Where a purchase stands, by the set of its events.
#[must_use]
pub fn position(promise: &Promise, facts: &[(Timestamp, Fact)]) -> Position {
    let mut position = Position::default();
    let mut paid: Option<Money> = None;
    for (at, fact) in facts {
        match fact {
            Fact::Page {
                outcome,
                money,
                intent,
                subscription,
            } => {
                position.closed = true;
                keep_least(&mut position.intent, intent.as_ref());
                keep_least(&mut position.subscription, subscription.as_ref());
                if *outcome != Outcome::Paid {
                    continue;
                }
                if let (Some(named), Some(money)) = (&promise.money, money)
                    && named != money
                {
                    position.mispaid = true;
                    continue;
                }
                position.paid_at = Some(position.paid_at.map_or(*at, |known| known.min(*at)));
                if let Some(money) = money
                    && paid
                        .as_ref()
                        .is_none_or(|known| known.amount < money.amount)
                {
                    paid = Some(money.clone());
                }
            }
            Fact::Refunded { intent, .. } => keep_least(&mut position.intent, intent.as_ref()),
            Fact::Subscription { subscription, .. } | Fact::Renewed { subscription } => {
                keep_least(&mut position.subscription, Some(subscription));
            }
            Fact::RefundFailed { .. } | Fact::Disputed { .. } => {}
        }
    }
    position.standing = standing(facts);
    if position.paid_at.is_some() && promise.credits > Credits::ZERO {
        let (back, of) = money_back(paid.as_ref(), facts);
        position.credits = left(promise.credits, back, of);
        position.counts = back < of || of == 0;
    }
    position
}

/// Names are kept whatever order they are told in; there is one, and should there be two, the lesser.
fn keep_least(kept: &mut Option<String>, told: Option<&String>) {
    if let Some(told) = told
        && kept.as_ref().is_none_or(|kept| told < kept)
    {
        *kept = Some(told.clone());
    }
}

/// What is left of a pack when `back` of `of` went back: a part of a credit stays with the buyer.
fn left(credits: Credits, back: i64, of: i64) -> Credits {
    if of <= 0 || back <= 0 {
        return credits;
    }
    if back >= of {
        return Credits::ZERO;
    }
    let taken = i128::from(credits.0) * i128::from(back) / i128::from(of);
    Credits(
        credits
            .0
            .saturating_sub(u32::try_from(taken).unwrap_or(u32::MAX)),
    )
}

/// How much of the money went back, and of how much.
fn money_back(paid: Option<&Money>, facts: &[(Timestamp, Fact)]) -> (i64, i64) {
    let mut of = paid.map_or(0, |money| money.amount);
    // The latest word on the sum of refunds; within a second, the larger sum.
    let mut refunded: Option<(Timestamp, i64)> = None;
    let mut failed: HashMap<&str, (Timestamp, i64)> = HashMap::new();
    let mut disputes: HashMap<&str, (Timestamp, Stage, i64)> = HashMap::new();
    for (at, fact) in facts {
        match fact {
            Fact::Refunded { paid, back, .. } => {
                of = of.max(*paid);
                refunded = refunded.max(Some((*at, *back)));
            }
            Fact::RefundFailed { refund, amount } => {
                let known = failed.entry(refund).or_insert((*at, *amount));
                *known = (*known).min((*at, *amount));
            }
            _ => {}
        }
    }
    for (at, fact) in facts {
        if let Fact::Disputed {
            dispute,
            money,
            stage,
        } = fact
        {
            // A bank may dispute in its own currency: then it is the whole payment.
            let same = paid.is_none_or(|paid| paid.currency == money.currency);
            let amount = if same { money.amount } else { of };
            let known = disputes.entry(dispute).or_insert((*at, *stage, amount));
            // An end is an end, whatever is told after it.
            let rank = |(at, stage, amount): (Timestamp, Stage, i64)| {
                (stage >= Stage::Lost, at, stage, amount)
            };
            if rank((*at, *stage, amount)) > rank(*known) {
                *known = (*at, *stage, amount);
            }
        }
    }
    let (last, sum) = refunded.unwrap_or((Timestamp::from_micros(0), 0));
    // A sum that was told after a refund failed is without it already.
    let came_back = failed.values().filter(|(at, _)| *at >= last);
    let came_back = came_back.fold(0i64, |sum, (_, amount)| {
        sum.saturating_add((*amount).max(0))
    });
    let disputed = disputes
        .values()
        .filter(|(_, stage, _)| matches!(stage, Stage::Open | Stage::Lost))
        .fold(0i64, |sum, (.., amount)| {
            sum.saturating_add((*amount).max(0))
        });
    let back = sum.saturating_sub(came_back).max(0);
    (back.saturating_add(disputed), of)
}

/// Where the subscription stands: an end is an end; otherwise the latest word, and within a second the furthest. A bill that was
/// paid after the word that it was not makes it run; one of several that are owed does not.
fn standing(facts: &[(Timestamp, Fact)]) -> Option<Standing> {
    let told = facts.iter().filter_map(|(at, fact)| match fact {
        Fact::Subscription { standing, .. } => Some((*at, *standing)),
        Fact::Page {
            outcome: Outcome::Paid,
            subscription: Some(_),
            ..
        } => Some((*at, Standing::Active)),
        _ => None,
    });
    let last = told.max_by_key(|(at, standing)| (*standing == Standing::Ended, *at, *standing));
    let renewed = facts
        .iter()
        .filter(|(_, fact)| matches!(fact, Fact::Renewed { .. }))
        .map(|(at, _)| *at)
        .max();
    match (last, renewed) {
        (None, Some(_)) => Some(Standing::Active),
        (Some((at, Standing::Incomplete | Standing::PastDue)), Some(renewed)) if renewed >= at => {
            Some(Standing::Active)
        }
        (last, _) => last.map(|(_, standing)| standing),
    }
}

/// A purchase, as the store has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    /// Its identity.
    pub id: PaymentId,
    /// Who buys.
    pub user_id: UserId,
    /// What.
    pub plan: Plan,
    /// From whom.
    pub provider: Provider,
    /// What was promised.
    pub promise: Promise,
    /// When it was opened.
    pub created_at: Timestamp,
    /// When its page stopped to lead anywhere.
    pub closed_at: Option<Timestamp>,
    /// The page where it is paid, once the provider made it.
    pub page: Option<HostedPage>,
    /// The provider's name of its subscription.
    pub subscription: Option<String>,
    /// Where its subscription stands.
    pub standing: Option<Standing>,
    /// When it was paid.
    pub paid_at: Option<Timestamp>,
    /// Whether it counts as a paid pack.
    pub counts: bool,
    /// The credits that it gave, less those that went back.
    pub given: Credits,
}

/// What can happen to a purchase of the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// The buyer pays.
    Pay,
    /// The buyer leaves.
    Cancel,
    /// The money goes back.
    Refund,
    /// The subscription ends.
    End,
}

impl Deed {
    /// Reads a button's word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "pay" => Some(Self::Pay),
            "cancel" => Some(Self::Cancel),
            "refund" => Some(Self::Refund),
            "end" => Some(Self::End),
            _ => None,
        }
    }
}

/// A page where a purchase is paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostedPage {
    /// The provider's name of it.
    pub session: String,
    /// Where it is.
    pub url: String,
    /// Until when it can be paid.
    pub expires_at: Timestamp,
    /// The price that it names.
    pub money: Option<Money>,
    /// Whether it takes real money.
    pub livemode: bool,
}

/// The plan of an account (decision 43): `unlimited` while a subscription runs, else the last pack bought, else what it was given.
/// Packs are named by when they were paid.
#[must_use]
pub fn plan_of(
    given: Plan,
    subscribed: bool,
    packs: impl Iterator<Item = (Timestamp, PaymentId, Plan)>,
) -> Plan {
    if subscribed || given == Plan::Unlimited {
        return Plan::Unlimited;
    }
    packs
        .max_by_key(|(at, id, _)| (*at, *id))
        .map_or(given, |(_, _, plan)| plan)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000)
    }

    fn paid(amount: i64) -> Fact {
        Fact::Page {
            outcome: Outcome::Paid,
            money: Some(Money {
                amount,
                currency: "eur".into(),
            }),
            intent: None,
            subscription: None,
        }
    }

    fn pack(credits: u32, facts: &[(Timestamp, Fact)]) -> Position {
        let promise = Promise {
            credits: Credits(credits),
            money: None,
        };
        position(&promise, facts)
    }

    fn back(back: i64) -> Fact {
        Fact::Refunded {
            paid: 1_000,
            back,
            intent: None,
        }
    }

    #[test]
    fn a_part_of_a_credit_stays_with_the_buyer() {
        for (sum, left) in [
            (0, 7),
            (1, 7),
            (142, 7),
            (143, 6),
            (999, 1),
            (1_000, 0),
            (i64::MAX, 0),
        ] {
            let position = pack(7, &[(at(1), paid(1_000)), (at(2), back(sum))]);
            assert_eq!(position.credits, Credits(left), "{sum}");
            assert_eq!(position.counts, sum < 1_000, "{sum}");
        }
        let most = pack(
            u32::MAX,
            &[(at(1), paid(i64::MAX)), (at(2), back(i64::MAX - 1))],
        );
        assert_eq!(most.credits, Credits(1));
        assert_eq!(
            pack(7, &[(at(1), paid(0)), (at(2), back(-5))]).credits,
            Credits(7)
        );
    }

    #[test]
    fn nothing_is_due_before_it_is_paid_and_what_was_paid_stays_paid() {
        let page = |outcome| Fact::Page {
            outcome,
            money: None,
            intent: None,
            subscription: None,
        };
        for outcome in [Outcome::Pending, Outcome::Failed, Outcome::Expired] {
            let before = pack(7, &[(at(1), page(outcome))]);
            assert_eq!(
                (before.credits, before.closed),
                (Credits::ZERO, true),
                "{outcome:?}"
            );
            let after = pack(7, &[(at(1), paid(1_000)), (at(9), page(outcome))]);
            assert_eq!(after.credits, Credits(7), "{outcome:?}");
        }
        assert_eq!(pack(7, &[]), Position::default());
    }

    #[test]
    fn a_bill_that_was_paid_does_not_hide_others_that_are_owed() {
        let told = |standing| Fact::Subscription {
            subscription: "sub_1".into(),
            standing,
        };
        let renewed = Fact::Renewed {
            subscription: "sub_1".into(),
        };
        for (before, after) in [
            (Standing::Incomplete, Standing::Active),
            (Standing::PastDue, Standing::Active),
            (Standing::Unpaid, Standing::Unpaid),
            (Standing::Ended, Standing::Ended),
        ] {
            let facts = [(at(5), told(before)), (at(9), renewed.clone())];
            assert_eq!(standing(&facts), Some(after), "{before:?}");
            let facts = [(at(5), told(before)), (at(4), renewed.clone())];
            assert_eq!(standing(&facts), Some(before), "{before:?}");
        }
        assert_eq!(standing(&[(at(1), renewed)]), Some(Standing::Active));
    }

    #[test]
    fn a_running_subscription_goes_before_packs_and_packs_before_what_was_given() {
        let (first, second) = (PaymentId::new(), PaymentId::new());
        let packs = || {
            [
                (at(2), second, Plan::Starter),
                (at(1), first, Plan::ProPack),
            ]
            .into_iter()
        };
        assert_eq!(plan_of(Plan::Free, true, packs()), Plan::Unlimited);
        assert_eq!(plan_of(Plan::Unlimited, false, packs()), Plan::Unlimited);
        assert_eq!(plan_of(Plan::Free, false, packs()), Plan::Starter);
        assert_eq!(
            plan_of(Plan::ProPack, false, std::iter::empty()),
            Plan::ProPack
        );
    }
}
