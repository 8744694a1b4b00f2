//! Owns what you buy: opens the page where it is paid, and hears what became of it. Nothing is given but for a signed event.
//!
//! ```text
//! checkout ─▶ open purchase (one an account and plan) ─▶ till ─▶ address of the page
//! event ─▶ signature ─▶ whose purchase? ─▶ the buyer's ledger: heard once, with the credits, in one transaction
//!                          └─ not known yet ─▶ waits under its reference ─▶ heard as soon as its purchase is known
//! ```

use crate::actors::ledger::{Hear, Ledgers};
use crate::domain::clock::{Clock, Timestamp};
use crate::domain::credits::Credits;
use crate::domain::id::{PaymentId, UserId};
use crate::domain::payment::{Deed, Payment, Provider, Standing};
use crate::domain::user::Plan;
use crate::providers::payment::Till;
use crate::providers::payment::event::{self, About, Told, Unreadable};
use crate::providers::payment::order::{Order, Trouble};
use crate::providers::payment::sandbox::Sandbox;
use crate::providers::payment::signature::WebhookSecret;
use crate::services::accounts::Unavailable;
use crate::store::connection::Store;
use crate::store::model::{NewPayment, News, Opened, Settled, StoreError};
use std::sync::Arc;
use std::time::Duration;

/// An open page is handed out again while it can be paid for so long.
const PAYABLE_AT_LEAST: Duration = Duration::from_secs(300);
/// The provider keeps an idempotency key for a day; a purchase without an answer that is older begins anew.
const UNANSWERED_AT_MOST: Duration = Duration::from_secs(23 * 3600);
/// Purchases among which a subscription is looked for; only one runs at a time.
const PURCHASES_MAX: u32 = 200;
/// How long an event waits for its purchase; providers try for days.
const STRAY_KEPT_FOR: Duration = Duration::from_secs(30 * 24 * 3600);

/// What the packs hold.
#[derive(Debug, Clone, Copy)]
pub struct PackSizes {
    /// The small one.
    pub starter: Credits,
    /// The large one.
    pub pro_pack: Credits,
}

impl PackSizes {
    /// The credits that buying a plan promises; none of a subscription.
    #[must_use]
    pub const fn of(self, plan: Plan) -> Credits {
        match plan {
            Plan::Starter => self.starter,
            Plan::ProPack => self.pro_pack,
            Plan::Free | Plan::Unlimited => Credits::ZERO,
        }
    }
}

/// Why there is no page to pay on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotSold {
    /// There is no such plan to buy.
    UnknownPlan,
    /// The account has a subscription.
    Subscribed,
    /// The operator has not set up payments.
    NotConfigured,
    /// The payment provider did not do it.
    Failed,
    /// The account has no subscription that could be managed.
    NotSubscribed,
    /// The database does not answer.
    Unavailable,
}

/// Why an event was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotHeard {
    /// It is not proved to come from the provider, or is no event.
    Disbelieved,
    /// It only points at what happened: the provider's endpoint was set up for thin payloads.
    Thin,
    /// There is nothing to prove it with.
    NotConfigured,
    /// The database does not answer; the provider tells it again.
    Unavailable,
}

/// Sells. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Billing(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    store: Store,
    ledgers: Ledgers,
    clock: Clock,
    till: Till,
    secret: Option<WebhookSecret>,
    packs: PackSizes,
}

impl Billing {
    /// Sells at this till, believing events that are signed with this secret.
    #[must_use]
    pub fn new(
        store: Store,
        ledgers: Ledgers,
        clock: Clock,
        till: Till,
        secret: Option<WebhookSecret>,
        packs: PackSizes,
    ) -> Self {
        Self(Arc::new(Inner {
            store,
            ledgers,
            clock,
            till,
            secret,
            packs,
        }))
    }

    /// What the packs hold.
    #[must_use]
    pub fn packs(&self) -> PackSizes {
        self.0.packs
    }

    /// Whether payments are played, not made.
    #[must_use]
    pub fn is_sandbox(&self) -> bool {
        matches!(self.0.till, Till::Sandbox(_))
    }

    /// Whether a plan can be bought here.
    #[must_use]
    pub fn sells(&self, plan: Plan) -> bool {
        self.0.till.sells(plan)
    }

    /// The address of the page where a plan is paid. Asked again, it is the same until it was paid or ran out.
    ///
    /// # Errors
    /// [`NotSold`].
    pub async fn checkout(&self, user_id: UserId, plan: &str) -> Result<String, NotSold> {
        let inner = &*self.0;
        let plan = Plan::parse(plan)
            .filter(|plan| *plan != Plan::Free)
            .ok_or(NotSold::UnknownPlan)?;
        let now = inner.clock.now();
        let new = NewPayment {
            id: PaymentId::new(),
            user_id,
            plan,
            provider: inner.till.provider(),
            credits: inner.packs.of(plan),
            at: now,
            payable_until: now.plus(PAYABLE_AT_LEAST),
            unanswered_after: now.minus(UNANSWERED_AT_MOST),
        };
        if !inner.till.sells(plan) {
            return Err(NotSold::NotConfigured);
        }
        let payment = match inner.store.open_payment(new).await.map_err(unsold)? {
            Opened::Open(payment) => payment,
            Opened::Subscribed => return Err(NotSold::Subscribed),
            Opened::Unknown => return Err(NotSold::Unavailable),
        };
        if let Some(page) = payment.page {
            return Ok(page.url);
        }
        let order = Order {
            payment_id: payment.id,
            user_id,
            plan,
        };
        let page = match inner.till.open(order, now).await {
            Ok(page) => page,
            Err(trouble) => {
                tracing::error!(payment.id = %payment.id, ?trouble, "a purchase cannot be opened");
                return Err(self.give_up(payment.id, &trouble).await);
            }
        };
        let noted = inner.store.note_page(payment.id, page).await;
        let page = noted.map_err(unsold)?.and_then(|payment| payment.page);
        page.map(|page| page.url).ok_or(NotSold::Unavailable)
    }

    /// Whether an account has a subscription that it can manage: one that is not over, from the till that is used.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn has_subscription(&self, user_id: UserId) -> Result<bool, Unavailable> {
        let found = self.subscription(user_id).await;
        Ok(found.map_err(|_| Unavailable)?.is_some())
    }

    /// The address of the page on which an account's subscription is managed.
    ///
    /// # Errors
    /// [`NotSold`].
    pub async fn manage(&self, user_id: UserId) -> Result<String, NotSold> {
        let payment = self.subscription(user_id).await?;
        let payment = payment.ok_or(NotSold::NotSubscribed)?;
        self.0.till.portal(&payment).await.map_err(|trouble| {
            tracing::error!(payment.id = %payment.id, ?trouble, "a subscription cannot be managed");
            NotSold::Failed
        })
    }

    async fn subscription(&self, user_id: UserId) -> Result<Option<Payment>, NotSold> {
        let inner = &*self.0;
        let bought = inner.store.payments_of(user_id, PURCHASES_MAX).await;
        let runs = |payment: &Payment| {
            payment.provider == inner.till.provider()
                && payment
                    .standing
                    .is_some_and(|standing| standing != Standing::Ended)
        };
        Ok(bought.map_err(unsold)?.into_iter().find(runs))
    }

    /// What was refused would be refused again under the same name, so that the next order needs another; what was not answered
    /// may have been done, and is asked again under its name.
    async fn give_up(&self, id: PaymentId, trouble: &Trouble) -> NotSold {
        let inner = &*self.0;
        match trouble {
            Trouble::NotConfigured => NotSold::NotConfigured,
            Trouble::Unanswered(_) => NotSold::Failed,
            Trouble::Refused(_) => {
                let closed = inner.store.close_payment(id, inner.clock.now()).await;
                if let Err(error) = closed {
                    tracing::warn!(%error, "a purchase that was refused cannot be closed");
                }
                NotSold::Failed
            }
        }
    }

    /// Hears an event of the provider. When this returns well, what it says is done, now or before.
    ///
    /// # Errors
    /// [`NotHeard`].
    pub async fn receive(&self, body: &[u8], signature: &str) -> Result<(), NotHeard> {
        let inner = &*self.0;
        let secret = inner.secret.as_ref().ok_or(NotHeard::NotConfigured)?;
        let now = inner.clock.now();
        secret.check(signature, body, now).map_err(|why| {
            tracing::warn!(?why, "a payment event is not believed");
            NotHeard::Disbelieved
        })?;
        let told = event::read(body).map_err(|why| match why {
            Unreadable::Thin => {
                tracing::error!(
                    "a payment event says nothing itself: the provider's endpoint sends thin payloads; choose snapshot payloads there"
                );
                NotHeard::Thin
            }
            Unreadable::NoEvent => {
                tracing::warn!("a payment event is well signed and cannot be read");
                NotHeard::Disbelieved
            }
        })?;
        self.hear(told, now).await.map_err(|error| {
            tracing::error!(%error, "a payment event cannot be heard now");
            NotHeard::Unavailable
        })
    }

    async fn hear(&self, told: Told, now: Timestamp) -> Result<(), StoreError> {
        let Some(about) = told.about else {
            return Ok(());
        };
        let (kind, event) = (told.kind.as_str(), told.event.as_str());
        let payment = self.payment_of(&about).await?;
        let news = News {
            event: told.event.clone(),
            reference: about.reference.clone(),
            livemode: told.livemode.unwrap_or(false),
            at: told.at,
            fact: about.fact.clone(),
            received_at: now,
        };
        let Some(payment) = payment else {
            // What carries a name of somebody else's never becomes ours; a page is ours from the beginning.
            if about.payment_id.is_none() && about.session.is_none() && news.reference.is_some() {
                self.0.store.park_event(news).await?;
                tracing::info!(kind, event, "a payment event waits for its purchase");
                return self.hear_strays().await;
            }
            tracing::warn!(kind, event, "a payment event is about nothing of ours");
            return Ok(());
        };
        if let Some(why) = foreign(&payment, &about, told.livemode) {
            tracing::error!(kind, event, payment.id = %payment.id, why, "a payment event is ignored");
            return Ok(());
        }
        if self.tell_ledger(&payment, news, kind).await? {
            self.hear_strays().await?;
        }
        Ok(())
    }

    /// The purchase that an event is about.
    async fn payment_of(&self, about: &About) -> Result<Option<Payment>, StoreError> {
        let store = &self.0.store;
        if let Some(id) = about.payment_id {
            return store.payment(id).await;
        }
        if let Some(session) = &about.session {
            return store.payment_by_session(session.clone()).await;
        }
        match &about.reference {
            Some(reference) => store.payment_by_reference(reference.clone()).await,
            None => Ok(None),
        }
    }

    /// Hears news of a purchase; whether they were new.
    async fn tell_ledger(
        &self,
        payment: &Payment,
        news: News,
        kind: &str,
    ) -> Result<bool, StoreError> {
        let hear = Hear {
            payment_id: payment.id,
            news: Box::new(news),
        };
        let unavailable = || StoreError::Unavailable("the ledger does not answer".to_owned());
        let answer = self.0.ledgers.of(payment.user_id).ask(hear).await;
        match answer.map_err(|_| unavailable())? {
            Ok(Settled::Heard {
                fresh,
                given,
                taken,
                mispaid,
                ..
            }) => {
                if mispaid {
                    tracing::error!(payment.id = %payment.id, kind, "another price was paid than was named: nothing is given for it");
                }
                tracing::info!(
                    payment.id = %payment.id,
                    kind,
                    fresh,
                    credits.given = given.0,
                    credits.taken = taken.0,
                    "a payment event was heard"
                );
                Ok(fresh)
            }
            Ok(_) => Err(StoreError::Broken(
                "an event was settled as something else".to_owned(),
            )),
            Err(refused) => Err(refused.into()),
        }
    }

    /// Hears the events that waited for a purchase which is known by now. Whoever keeps an event and whoever names a purchase both
    /// look here afterwards, so that one of them sees the other.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn hear_strays(&self) -> Result<(), StoreError> {
        for stray in self.0.store.strays().await? {
            let page = stray.payment.page.as_ref();
            if page.is_some_and(|page| page.livemode != stray.news.livemode) {
                continue;
            }
            self.tell_ledger(&stray.payment, stray.news, "waited")
                .await?;
        }
        Ok(())
    }

    /// Hears what waits, and forgets what waited too long.
    pub async fn keep_house(&self) {
        let before = self.0.clock.now().minus(STRAY_KEPT_FOR);
        let kept = async {
            self.hear_strays().await?;
            self.0.store.forget_strays(before).await
        };
        match kept.await {
            Ok(0) => {}
            Ok(events) => tracing::warn!(
                events,
                "payment events that found no purchase are forgotten"
            ),
            Err(error) => tracing::warn!(%error, "payment events that wait cannot be looked at"),
        }
    }

    /// A purchase of the sandbox, by the secret name of its page.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn sandbox_purchase(&self, session: &str) -> Result<Option<Payment>, Unavailable> {
        if !self.is_sandbox() || session.len() > 128 {
            return Ok(None);
        }
        let found = self.0.store.payment_by_session(session.to_owned()).await;
        let found = found.map_err(|error| {
            tracing::error!(%error, "a purchase cannot be read");
            Unavailable
        })?;
        Ok(found.filter(|payment| payment.provider == Provider::Sandbox))
    }

    /// Does in the sandbox what a button says, by the way that real events take: signed, checked, heard once. False when it is too
    /// late for that.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn sandbox_do(&self, payment: &Payment, deed: Deed) -> Result<bool, Unavailable> {
        let inner = &*self.0;
        let (Some(page), Some(secret)) = (&payment.page, &inner.secret) else {
            return Ok(false);
        };
        let now = inner.clock.now();
        let is_open = payment.closed_at.is_none() && now < page.expires_at;
        let in_time = match deed {
            Deed::Pay | Deed::Cancel => is_open,
            Deed::Refund => payment.counts,
            Deed::End => payment.standing == Some(Standing::Active),
        };
        if !in_time {
            return Ok(false);
        }
        let body = Sandbox::tell(payment, page, deed, now);
        let heard = self.receive(&body, &secret.sign(&body, now)).await;
        heard.map(|()| true).map_err(|_| Unavailable)
    }
}

/// Why an event is not about this purchase, whatever it says.
fn foreign(payment: &Payment, about: &About, livemode: Option<bool>) -> Option<&'static str> {
    let page = payment.page.as_ref();
    if !about.is_of(payment.user_id) {
        return Some("it names another buyer");
    }
    if page.is_some_and(|page| livemode.is_some_and(|livemode| livemode != page.livemode)) {
        return Some("it mixes real and played money");
    }
    let named = about.session.as_ref();
    if page.is_some_and(|page| named.is_some_and(|named| *named != page.session)) {
        return Some("it names another page");
    }
    None
}

fn unsold(error: StoreError) -> NotSold {
    tracing::error!(%error, "a purchase cannot be written down");
    NotSold::Unavailable
}
