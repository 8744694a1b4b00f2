//! Purchases: opening and finding them, and the events that wait for theirs. What an event does is settled with the ledger.

use super::super::Conn;
use crate::domain::clock::Timestamp;
use crate::domain::id::{PaymentId, UserId};
use crate::domain::payment::{HostedPage, Payment, Standing};
use crate::domain::user::Plan;
use crate::store::model::{NewPayment, News, Opened, StoreError, Stray};
use crate::store::rows::payments::{EventRow, PaymentRow};
use crate::store::schema::{payment_events, payments, users};
use crate::store::types::{At, Id};
use diesel::prelude::*;
use diesel_async::RunQueryDsl;

/// Strays that are looked at together.
const STRAYS_MAX: i64 = 256;

pub(crate) async fn open_payment(conn: &mut Conn, new: NewPayment) -> Result<Opened, StoreError> {
    write_tx!(conn, async |conn| {
        // The account's lock is held by everybody who changes its purchases.
        let plan = locking!(users::table.find(Id(new.user_id.0)).select(users::plan));
        let Some(plan) = plan.get_result::<String>(conn).await.optional()? else {
            return Ok(Opened::Unknown);
        };
        if new.plan == Plan::Unlimited
            && (plan == Plan::Unlimited.as_str() || is_subscribed(conn, new.user_id).await?)
        {
            return Ok(Opened::Subscribed);
        }
        let open = payments::table
            .filter(payments::user_id.eq(Id(new.user_id.0)))
            .filter(payments::plan.eq(new.plan.as_str()))
            .filter(payments::closed_at.is_null())
            .select(PaymentRow::as_select())
            .get_result(conn)
            .await
            .optional()?;
        if let Some(open) = open {
            let payable = match open.expires_at {
                Some(at) => at.0 >= new.payable_until,
                None => open.created_at.0 > new.unanswered_after,
            };
            let same =
                open.provider == new.provider.as_str() && open.credits == i64::from(new.credits.0);
            if payable && same {
                return Ok(Opened::Open(Box::new(open.read()?)));
            }
            // It may still be paid; what its events say counts as before.
            diesel::update(payments::table.find(open.id))
                .set(payments::closed_at.eq(Some(At(new.at))))
                .execute(conn)
                .await?;
        }
        let row = PaymentRow::of(&new);
        diesel::insert_into(payments::table)
            .values(&row)
            .execute(conn)
            .await?;
        Ok::<_, StoreError>(Opened::Open(Box::new(row.read()?)))
    })
}

/// Whether there is a subscription that has not ended, whether or not it is paid now: a second one would be paid beside it.
async fn is_subscribed(conn: &mut Conn, user_id: UserId) -> Result<bool, StoreError> {
    let standing = payments::table
        .filter(payments::user_id.eq(Id(user_id.0)))
        .filter(payments::standing.is_not_null())
        .filter(payments::standing.ne(Standing::Ended.as_str()))
        .select(payments::id)
        .get_result::<Id>(conn)
        .await
        .optional()?;
    Ok(standing.is_some())
}

/// The first page stands: whoever opened one at the same time gets it too.
pub(crate) async fn note_page(
    conn: &mut Conn,
    id: PaymentId,
    page: HostedPage,
) -> Result<Option<Payment>, StoreError> {
    write_tx!(conn, async |conn| {
        diesel::update(payments::table.find(Id(id.0)))
            .filter(payments::session.is_null())
            .set((
                payments::session.eq(Some(page.session)),
                payments::url.eq(Some(page.url)),
                payments::expires_at.eq(Some(At(page.expires_at))),
                payments::amount.eq(page.money.as_ref().map(|money| money.amount)),
                payments::currency.eq(page.money.map(|money| money.currency)),
                payments::livemode.eq(Some(page.livemode)),
            ))
            .execute(conn)
            .await?;
        payment(conn, id).await
    })
}

pub(crate) async fn close_payment(
    conn: &mut Conn,
    id: PaymentId,
    at: Timestamp,
) -> Result<(), StoreError> {
    diesel::update(payments::table.find(Id(id.0)))
        .filter(payments::closed_at.is_null())
        .set(payments::closed_at.eq(Some(At(at))))
        .execute(conn)
        .await?;
    Ok(())
}

pub(crate) async fn payment(conn: &mut Conn, id: PaymentId) -> Result<Option<Payment>, StoreError> {
    let row = payments::table
        .find(Id(id.0))
        .select(PaymentRow::as_select())
        .get_result(conn)
        .await
        .optional()?;
    row.as_ref().map(PaymentRow::read).transpose()
}

pub(crate) async fn payment_by_session(
    conn: &mut Conn,
    session: String,
) -> Result<Option<Payment>, StoreError> {
    let row = payments::table
        .filter(payments::session.eq(session))
        .select(PaymentRow::as_select())
        .get_result(conn)
        .await
        .optional()?;
    row.as_ref().map(PaymentRow::read).transpose()
}

pub(crate) async fn payment_by_reference(
    conn: &mut Conn,
    reference: String,
) -> Result<Option<Payment>, StoreError> {
    let named = payments::intent
        .eq(&reference)
        .or(payments::subscription.eq(&reference));
    let row = payments::table
        .filter(named)
        .order(payments::id)
        .select(PaymentRow::as_select())
        .first(conn)
        .await
        .optional()?;
    row.as_ref().map(PaymentRow::read).transpose()
}

pub(crate) async fn payments_of(
    conn: &mut Conn,
    user_id: UserId,
    limit: u32,
) -> Result<Vec<Payment>, StoreError> {
    let rows = payments::table
        .filter(payments::user_id.eq(Id(user_id.0)))
        .order((payments::created_at.desc(), payments::id.desc()))
        .limit(i64::from(limit))
        .select(PaymentRow::as_select())
        .load(conn)
        .await?;
    rows.iter().map(PaymentRow::read).collect()
}

pub(crate) async fn park_event(conn: &mut Conn, news: News) -> Result<(), StoreError> {
    let row = EventRow::of(&news, None)?;
    diesel::insert_into(payment_events::table)
        .values(&row)
        .on_conflict_do_nothing()
        .execute(conn)
        .await?;
    Ok(())
}

pub(crate) async fn strays(conn: &mut Conn) -> Result<Vec<Stray>, StoreError> {
    read_tx!(conn, async |conn| {
        let named = payments::intent
            .eq(payment_events::reference)
            .or(payments::subscription.eq(payment_events::reference));
        let found = payment_events::table
            .inner_join(payments::table.on(named))
            .filter(payment_events::payment_id.is_null())
            .order((
                payment_events::received_at,
                payment_events::id,
                payments::id,
            ))
            .limit(STRAYS_MAX)
            .select((EventRow::as_select(), PaymentRow::as_select()))
            .load::<(EventRow, PaymentRow)>(conn)
            .await?;
        let read = |(event, payment): (EventRow, PaymentRow)| {
            Ok(Stray {
                news: event.read()?,
                payment: payment.read()?,
            })
        };
        found
            .into_iter()
            .map(read)
            .collect::<Result<_, StoreError>>()
    })
}

pub(crate) async fn forget_strays(conn: &mut Conn, before: Timestamp) -> Result<u64, StoreError> {
    let forgotten = diesel::delete(payment_events::table)
        .filter(payment_events::payment_id.is_null())
        .filter(payment_events::received_at.lt(At(before)))
        .execute(conn)
        .await?;
    Ok(forgotten as u64)
}
