//! Owns the rows of purchases and of what their provider told of them.

use crate::domain::clock::Timestamp;
use crate::domain::id::{PaymentId, UserId};
use crate::domain::payment::{Fact, HostedPage, Money, Payment, Promise, Provider, Standing};
use crate::store::model::{NewPayment, News, StoreError};
use crate::store::rows::{credits, from_json, plan, storable, to_json, unreadable};
use crate::store::schema::{payment_events, payments};
use crate::store::types::{At, Id};
use diesel::{Insertable, Queryable, Selectable};

/// A purchase.
#[derive(Debug, Clone, Queryable, Selectable, Insertable)]
#[diesel(table_name = payments, treat_none_as_default_value = false)]
pub(crate) struct PaymentRow {
    pub(crate) id: Id,
    pub(crate) user_id: Id,
    pub(crate) plan: String,
    pub(crate) provider: String,
    pub(crate) credits: i64,
    pub(crate) created_at: At,
    pub(crate) closed_at: Option<At>,
    pub(crate) session: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) expires_at: Option<At>,
    pub(crate) amount: Option<i64>,
    pub(crate) currency: Option<String>,
    pub(crate) livemode: Option<bool>,
    pub(crate) intent: Option<String>,
    pub(crate) subscription: Option<String>,
    pub(crate) standing: Option<String>,
    pub(crate) paid_at: Option<At>,
    pub(crate) counts: bool,
    pub(crate) given: i64,
    pub(crate) moves: i32,
}

impl PaymentRow {
    /// A purchase that was just opened.
    pub(crate) fn of(new: &NewPayment) -> Self {
        Self {
            id: Id(new.id.0),
            user_id: Id(new.user_id.0),
            plan: new.plan.as_str().to_owned(),
            provider: new.provider.as_str().to_owned(),
            credits: i64::from(new.credits.0),
            created_at: At(new.at),
            closed_at: None,
            session: None,
            url: None,
            expires_at: None,
            amount: None,
            currency: None,
            livemode: None,
            intent: None,
            subscription: None,
            standing: None,
            paid_at: None,
            counts: false,
            given: 0,
            moves: 0,
        }
    }

    pub(crate) fn promise(&self) -> Promise {
        Promise {
            credits: credits(self.credits),
            money: self.money(),
        }
    }

    fn money(&self) -> Option<Money> {
        Some(Money {
            amount: self.amount?,
            currency: self.currency.clone()?,
        })
    }

    fn page(&self) -> Option<HostedPage> {
        Some(HostedPage {
            session: self.session.clone()?,
            url: self.url.clone()?,
            expires_at: self.expires_at?.0,
            money: self.money(),
            livemode: self.livemode?,
        })
    }

    /// Where its subscription stands.
    pub(crate) fn standing(&self) -> Option<Standing> {
        self.standing.as_deref().and_then(Standing::parse)
    }

    pub(crate) fn read(&self) -> Result<Payment, StoreError> {
        Ok(Payment {
            id: PaymentId(self.id.0),
            user_id: UserId(self.user_id.0),
            plan: plan(&self.plan)?,
            provider: Provider::parse(&self.provider)
                .ok_or_else(|| unreadable("a provider", &self.provider))?,
            promise: self.promise(),
            created_at: self.created_at.0,
            closed_at: self.closed_at.map(|at| at.0),
            page: self.page(),
            subscription: self.subscription.clone(),
            standing: self.standing(),
            paid_at: self.paid_at.map(|at| at.0),
            counts: self.counts,
            given: credits(self.given),
        })
    }
}

/// What a provider told of a purchase.
#[derive(Debug, Clone, Queryable, Selectable, Insertable)]
#[diesel(table_name = payment_events, treat_none_as_default_value = false)]
pub(crate) struct EventRow {
    pub(crate) id: String,
    pub(crate) payment_id: Option<Id>,
    pub(crate) reference: Option<String>,
    pub(crate) livemode: bool,
    pub(crate) at: At,
    pub(crate) fact: String,
    pub(crate) received_at: At,
}

impl EventRow {
    pub(crate) fn of(news: &News, payment_id: Option<PaymentId>) -> Result<Self, StoreError> {
        Ok(Self {
            id: storable(&news.event).into_owned(),
            payment_id: payment_id.map(|id| Id(id.0)),
            reference: news
                .reference
                .as_deref()
                .map(|name| storable(name).into_owned()),
            livemode: news.livemode,
            at: At(news.at),
            fact: to_json("an event", &news.fact)?,
            received_at: At(news.received_at),
        })
    }

    /// When it happened, and what.
    pub(crate) fn fact(&self) -> Result<(Timestamp, Fact), StoreError> {
        Ok((self.at.0, from_json("an event", &self.fact)?))
    }

    pub(crate) fn read(self) -> Result<News, StoreError> {
        let (at, fact) = self.fact()?;
        Ok(News {
            event: self.id,
            reference: self.reference,
            livemode: self.livemode,
            at,
            fact,
            received_at: self.received_at.0,
        })
    }
}
