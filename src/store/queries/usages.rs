//! What a language model took: kept for each run, added up for each account.

use super::super::{Conn, MONTH};
use crate::domain::id::UserId;
use crate::domain::usage::{MonthOfUse, RunUsage, Usage};
use crate::store::model::StoreError;
use crate::store::schema::usages;
use crate::store::types::{At, Id, SqlId};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use diesel_async::RunQueryDsl;
use std::collections::HashMap;

/// What is added up.
const SUMS: &str = "count(DISTINCT run_id) AS runs, CAST(sum(input) AS bigint) AS input, CAST(sum(cached) AS bigint) AS cached, \
     CAST(sum(output) AS bigint) AS output, CAST(sum(cost) AS bigint) AS cost";

#[derive(QueryableByName)]
struct Sums {
    #[diesel(sql_type = BigInt)]
    runs: i64,
    #[diesel(sql_type = BigInt)]
    input: i64,
    #[diesel(sql_type = BigInt)]
    cached: i64,
    #[diesel(sql_type = BigInt)]
    output: i64,
    #[diesel(sql_type = BigInt)]
    cost: i64,
}

impl Sums {
    fn read(&self) -> Usage {
        let count = |number: i64| u64::try_from(number).unwrap_or(0);
        Usage {
            runs: count(self.runs),
            input: count(self.input),
            cached: count(self.cached),
            output: count(self.output),
            cost_millionths: count(self.cost),
        }
    }
}

#[derive(QueryableByName)]
struct OfMonth {
    #[diesel(sql_type = Text)]
    month: String,
    #[diesel(embed)]
    sums: Sums,
}

#[derive(QueryableByName)]
struct OfAccount {
    #[diesel(sql_type = SqlId)]
    user_id: Id,
    #[diesel(embed)]
    sums: Sums,
}

/// Keeps what a model took for a run; told twice, it counts once.
pub(crate) async fn note_usage(conn: &mut Conn, run: RunUsage) -> Result<(), StoreError> {
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let usage = run.usage;
    diesel::insert_into(usages::table)
        .values((
            usages::run_id.eq(Id(run.run_id.0)),
            usages::attempt.eq(i32::try_from(run.attempt).unwrap_or(i32::MAX)),
            usages::user_id.eq(Id(run.user_id.0)),
            usages::at.eq(At(run.at)),
            usages::input.eq(number(usage.input)),
            usages::cached.eq(number(usage.cached)),
            usages::output.eq(number(usage.output)),
            usages::cost.eq(number(usage.cost_millionths)),
        ))
        .on_conflict_do_nothing()
        .execute(conn)
        .await?;
    Ok(())
}

/// What a model took for the runs of an account, month by month, the latest first.
pub(crate) async fn usage_by_month(
    conn: &mut Conn,
    user_id: UserId,
) -> Result<Vec<MonthOfUse>, StoreError> {
    let sql = format!(
        "SELECT {MONTH} AS month, {SUMS} FROM usages WHERE user_id = $1 GROUP BY 1 ORDER BY 1 DESC"
    );
    let query = diesel::sql_query(sql).bind::<SqlId, _>(Id(user_id.0));
    let months: Vec<OfMonth> = query.load(conn).await?;
    let read = |row: OfMonth| MonthOfUse {
        usage: row.sums.read(),
        month: row.month,
    };
    Ok(months.into_iter().map(read).collect())
}

/// What a model took for the runs of each account that had it asked anything.
pub(crate) async fn usage_by_account(
    conn: &mut Conn,
) -> Result<HashMap<UserId, Usage>, StoreError> {
    let sql = format!("SELECT user_id, {SUMS} FROM usages GROUP BY user_id");
    let accounts: Vec<OfAccount> = diesel::sql_query(sql).load(conn).await?;
    let read = |row: OfAccount| (UserId(row.user_id.0), row.sums.read());
    Ok(accounts.into_iter().map(read).collect())
}
