//! What accounts are told outside of their requests: their endpoints, and the events that are due there.

use super::super::Conn;
use crate::domain::clock::Timestamp;
use crate::domain::generation::Status;
use crate::domain::id::{DeliveryId, EndpointId, RunId, SkillId, UserId};
use crate::domain::webhook::{
    Attempt, Delivery, Due, ENDPOINTS_MAX, EndedRun, Endpoint, NewDelivery,
};
use crate::store::model::StoreError;
use crate::store::rows::storable;
use crate::store::schema::{generations, users, webhook_deliveries, webhook_endpoints};
use crate::store::types::{At, Id};
use diesel::dsl::{exists, not};
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use std::time::Duration;

/// A run takes no longer from its order to its end, however often it was left behind.
const RUN_MAX: Duration = Duration::from_hours(24);

/// Adds an endpoint; false when the account has as many as it may.
pub(crate) async fn add_endpoint(conn: &mut Conn, new: Endpoint) -> Result<bool, StoreError> {
    write_tx!(conn, async |conn| {
        // The account is locked, so that two added at once are counted one after the other.
        let holder = locking!(users::table.find(Id(new.user_id.0)).select(users::id));
        if holder.get_result::<Id>(conn).await.optional()?.is_none() {
            return Err(StoreError::Conflict("no such account".to_owned()));
        }
        let there: i64 = webhook_endpoints::table
            .filter(webhook_endpoints::user_id.eq(Id(new.user_id.0)))
            .count()
            .get_result(conn)
            .await?;
        if usize::try_from(there).unwrap_or(usize::MAX) >= ENDPOINTS_MAX {
            return Ok(false);
        }
        diesel::insert_into(webhook_endpoints::table)
            .values((
                webhook_endpoints::id.eq(Id(new.id.0)),
                webhook_endpoints::user_id.eq(Id(new.user_id.0)),
                webhook_endpoints::url.eq(storable(&new.url).into_owned()),
                webhook_endpoints::created_at.eq(At(new.created_at)),
                webhook_endpoints::noted_until.eq(At(new.noted_until)),
            ))
            .execute(conn)
            .await?;
        Ok(true)
    })
}

/// Takes an endpoint away with all that was to be told there; false when there is none.
pub(crate) async fn remove_endpoint(
    conn: &mut Conn,
    user_id: UserId,
    id: EndpointId,
) -> Result<bool, StoreError> {
    write_tx!(conn, async |conn| {
        let known = locking!(
            webhook_endpoints::table
                .find(Id(id.0))
                .filter(webhook_endpoints::user_id.eq(Id(user_id.0)))
                .select(webhook_endpoints::id)
        );
        if known.get_result::<Id>(conn).await.optional()?.is_none() {
            return Ok(false);
        }
        diesel::delete(
            webhook_deliveries::table.filter(webhook_deliveries::endpoint_id.eq(Id(id.0))),
        )
        .execute(conn)
        .await?;
        diesel::delete(webhook_endpoints::table.find(Id(id.0)))
            .execute(conn)
            .await?;
        Ok::<_, StoreError>(true)
    })
}

/// The endpoints of an account, or all, oldest first.
pub(crate) async fn endpoints(
    conn: &mut Conn,
    user_id: Option<UserId>,
) -> Result<Vec<Endpoint>, StoreError> {
    let mut wanted = webhook_endpoints::table
        .order((webhook_endpoints::created_at, webhook_endpoints::id))
        .select((
            webhook_endpoints::id,
            webhook_endpoints::user_id,
            webhook_endpoints::url,
            webhook_endpoints::created_at,
            webhook_endpoints::noted_until,
        ))
        .into_boxed();
    if let Some(user_id) = user_id {
        wanted = wanted.filter(webhook_endpoints::user_id.eq(Id(user_id.0)));
    }
    let rows = wanted.load::<(Id, Id, String, At, At)>(conn).await?;
    let read = |(id, user_id, url, created_at, noted_until): (Id, Id, String, At, At)| Endpoint {
        id: EndpointId(id.0),
        user_id: UserId(user_id.0),
        url,
        created_at: created_at.0,
        noted_until: noted_until.0,
    };
    Ok(rows.into_iter().map(read).collect())
}

/// What is read of each generation of a run that has ended.
type EndedRow = (
    Id,
    Id,
    Option<Id>,
    String,
    String,
    Option<String>,
    Option<At>,
);

/// The runs of an account that ended since an instant and are not noted for an endpoint of it.
pub(crate) async fn ended_since(
    conn: &mut Conn,
    user_id: UserId,
    endpoint_id: EndpointId,
    since: Timestamp,
) -> Result<Vec<EndedRun>, StoreError> {
    let noted = webhook_deliveries::table
        .filter(webhook_deliveries::endpoint_id.eq(Id(endpoint_id.0)))
        .filter(webhook_deliveries::run_id.eq(generations::run_id));
    let rows = generations::table
        .filter(generations::user_id.eq(Id(user_id.0)))
        .filter(generations::created_at.gt(At(since.minus(RUN_MAX))))
        .filter(generations::completed_at.ge(At(since)).assume_not_null())
        .filter(not(exists(noted)))
        .order((generations::run_id, generations::ordinal))
        .select((
            generations::run_id,
            generations::skill_id,
            generations::catalogue_id,
            generations::status,
            generations::name,
            generations::failure_message,
            generations::completed_at,
        ))
        .load::<EndedRow>(conn)
        .await?;
    let mut runs: Vec<EndedRun> = Vec::new();
    for (run_id, skill_id, catalogue_id, status, name, failure, at) in rows {
        let has_failed = status == Status::Failed.as_str();
        if runs.last().is_none_or(|run| run.id.0 != run_id.0) {
            runs.push(EndedRun {
                id: RunId(run_id.0),
                is_catalogue: catalogue_id.is_some(),
                at: at.map_or(since, |at| at.0),
                skills: Vec::new(),
                failure: has_failed.then(|| failure.unwrap_or_default()),
            });
        }
        if let Some(run) = runs.last_mut().filter(|_| !has_failed) {
            run.skills.push((SkillId(skill_id.0), name));
        }
    }
    Ok(runs)
}

/// Notes events for an endpoint, each once, and until when its runs are noted.
pub(crate) async fn note_deliveries(
    conn: &mut Conn,
    endpoint_id: EndpointId,
    new: Vec<NewDelivery>,
    until: Timestamp,
) -> Result<(), StoreError> {
    write_tx!(conn, async |conn| {
        // It may have been taken away meanwhile.
        let known = locking!(
            webhook_endpoints::table
                .find(Id(endpoint_id.0))
                .select(webhook_endpoints::id)
        );
        if known.get_result::<Id>(conn).await.optional()?.is_none() {
            return Ok(());
        }
        for delivery in &new {
            diesel::insert_into(webhook_deliveries::table)
                .values((
                    webhook_deliveries::id.eq(Id(delivery.id.0)),
                    webhook_deliveries::endpoint_id.eq(Id(endpoint_id.0)),
                    webhook_deliveries::run_id.eq(Id(delivery.run_id.0)),
                    webhook_deliveries::event.eq(&delivery.event),
                    webhook_deliveries::body.eq(storable(&delivery.body).into_owned()),
                    webhook_deliveries::created_at.eq(At(until)),
                    webhook_deliveries::due_at.eq(Some(At(until))),
                    webhook_deliveries::attempts.eq(0),
                ))
                .on_conflict_do_nothing()
                .execute(conn)
                .await?;
        }
        diesel::update(webhook_endpoints::table.find(Id(endpoint_id.0)))
            .set(webhook_endpoints::noted_until.eq(At(until)))
            .execute(conn)
            .await?;
        Ok::<_, StoreError>(())
    })
}

/// Takes events that are due; until `lease_until` nobody else takes them.
pub(crate) async fn take_due(
    conn: &mut Conn,
    now: Timestamp,
    lease_until: Timestamp,
    most: u32,
) -> Result<Vec<Due>, StoreError> {
    write_tx!(conn, async |conn| {
        let due = locking_free!(
            webhook_deliveries::table
                .filter(webhook_deliveries::due_at.le(At(now)).assume_not_null())
                .order(webhook_deliveries::due_at)
                .limit(i64::from(most))
                .select((
                    webhook_deliveries::id,
                    webhook_deliveries::endpoint_id,
                    webhook_deliveries::body,
                    webhook_deliveries::attempts,
                ))
        );
        let due = due.load::<(Id, Id, String, i32)>(conn).await?;
        let ids: Vec<Id> = due.iter().map(|row| row.0).collect();
        diesel::update(webhook_deliveries::table.filter(webhook_deliveries::id.eq_any(&ids)))
            .set(webhook_deliveries::due_at.eq(Some(At(lease_until))))
            .execute(conn)
            .await?;
        let whose: Vec<Id> = due.iter().map(|row| row.1).collect();
        let urls = webhook_endpoints::table
            .filter(webhook_endpoints::id.eq_any(&whose))
            .select((webhook_endpoints::id, webhook_endpoints::url))
            .load::<(Id, String)>(conn)
            .await?;
        let read = |(id, endpoint_id, body, attempts): (Id, Id, String, i32)| {
            let (_, url) = urls.iter().find(|(id, _)| *id == endpoint_id)?;
            Some(Due {
                id: DeliveryId(id.0),
                endpoint_id: EndpointId(endpoint_id.0),
                url: url.clone(),
                body,
                attempts: attempts.unsigned_abs(),
            })
        };
        Ok::<_, StoreError>(due.into_iter().filter_map(read).collect())
    })
}

/// Writes down what came of sending an event.
pub(crate) async fn settle_delivery(
    conn: &mut Conn,
    id: DeliveryId,
    attempt: Attempt,
) -> Result<(), StoreError> {
    diesel::update(webhook_deliveries::table.find(Id(id.0)))
        .set((
            webhook_deliveries::attempts.eq(webhook_deliveries::attempts + 1),
            webhook_deliveries::due_at.eq(attempt.again_at.map(At)),
            webhook_deliveries::answered_at.eq(Some(At(attempt.at))),
            webhook_deliveries::status.eq(attempt.status.map(i32::from)),
            webhook_deliveries::trouble
                .eq(attempt.trouble.map(|words| storable(&words).into_owned())),
        ))
        .execute(conn)
        .await?;
    Ok(())
}

/// What is read of a line of the log.
type LogRow = (
    Id,
    String,
    String,
    Id,
    At,
    Option<At>,
    i32,
    Option<At>,
    Option<i32>,
    Option<String>,
);

/// The latest events of an account.
pub(crate) async fn deliveries_of(
    conn: &mut Conn,
    user_id: UserId,
    most: u32,
) -> Result<Vec<Delivery>, StoreError> {
    let rows = webhook_deliveries::table
        .inner_join(
            webhook_endpoints::table.on(webhook_endpoints::id.eq(webhook_deliveries::endpoint_id)),
        )
        .filter(webhook_endpoints::user_id.eq(Id(user_id.0)))
        .order((
            webhook_deliveries::created_at.desc(),
            webhook_deliveries::id.desc(),
        ))
        .limit(i64::from(most))
        .select((
            webhook_deliveries::id,
            webhook_endpoints::url,
            webhook_deliveries::event,
            webhook_deliveries::run_id,
            webhook_deliveries::created_at,
            webhook_deliveries::due_at,
            webhook_deliveries::attempts,
            webhook_deliveries::answered_at,
            webhook_deliveries::status,
            webhook_deliveries::trouble,
        ))
        .load::<LogRow>(conn)
        .await?;
    let read = |row: LogRow| {
        let (id, url, event, run_id, created_at, due_at, attempts, answered_at, status, trouble) =
            row;
        let due_at = due_at.map(|at| at.0);
        Delivery {
            id: DeliveryId(id.0),
            url,
            event,
            run_id: RunId(run_id.0),
            created_at: created_at.0,
            due_at,
            attempts: attempts.unsigned_abs(),
            last: answered_at.map(|at| Attempt {
                status: status.and_then(|status| u16::try_from(status).ok()),
                trouble,
                at: at.0,
                again_at: due_at,
            }),
        }
    };
    Ok(rows.into_iter().map(read).collect())
}

/// Makes an event of an account due once more; false when there is none.
pub(crate) async fn send_again(
    conn: &mut Conn,
    user_id: UserId,
    id: DeliveryId,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let own = webhook_endpoints::table
        .filter(webhook_endpoints::user_id.eq(Id(user_id.0)))
        .select(webhook_endpoints::id);
    let changed = diesel::update(webhook_deliveries::table.find(Id(id.0)))
        .filter(webhook_deliveries::endpoint_id.eq_any(own))
        .set((
            webhook_deliveries::due_at.eq(Some(At(at))),
            webhook_deliveries::attempts.eq(0),
        ))
        .execute(conn)
        .await?;
    Ok(changed == 1)
}

/// Forgets the events from before an instant that are not due any more.
pub(crate) async fn forget_deliveries(
    conn: &mut Conn,
    before: Timestamp,
) -> Result<(), StoreError> {
    diesel::delete(webhook_deliveries::table)
        .filter(webhook_deliveries::created_at.lt(At(before)))
        .filter(webhook_deliveries::due_at.is_null())
        .execute(conn)
        .await?;
    Ok(())
}
