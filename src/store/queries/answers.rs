//! What a language model answered: found by its digest, and forgotten once nobody has used it for long or there is too much of it.

use super::super::Conn;
use crate::domain::clock::Timestamp;
use crate::store::model::StoreError;
use crate::store::schema::answers;
use crate::store::types::At;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use diesel_async::RunQueryDsl;

pub(crate) async fn answer(
    conn: &mut Conn,
    digest: String,
) -> Result<Option<(String, Timestamp)>, StoreError> {
    let kept = answers::table
        .filter(answers::digest.eq(digest))
        .select((answers::answer, answers::used_at));
    let kept = kept.get_result::<(String, At)>(conn).await.optional()?;
    Ok(kept.map(|(answer, used_at)| (answer, used_at.0)))
}

pub(crate) async fn keep_answer(
    conn: &mut Conn,
    digest: String,
    answer: String,
    at: Timestamp,
) -> Result<(), StoreError> {
    let size = i64::try_from(answer.len()).unwrap_or(i64::MAX);
    diesel::insert_into(answers::table)
        .values((
            answers::digest.eq(digest),
            answers::answer.eq(answer),
            answers::size.eq(size),
            answers::used_at.eq(At(at)),
        ))
        .on_conflict(answers::digest)
        .do_update()
        .set(answers::used_at.eq(At(at)))
        .execute(conn)
        .await?;
    Ok(())
}

pub(crate) async fn use_answer(
    conn: &mut Conn,
    digest: String,
    at: Timestamp,
) -> Result<(), StoreError> {
    diesel::update(answers::table.filter(answers::digest.eq(digest)))
        .set(answers::used_at.eq(At(at)))
        .execute(conn)
        .await?;
    Ok(())
}

pub(crate) async fn forget_answers(
    conn: &mut Conn,
    before: Timestamp,
    size_max: i64,
) -> Result<u64, StoreError> {
    let old = diesel::delete(answers::table.filter(answers::used_at.lt(At(before))))
        .execute(conn)
        .await?;
    // Those used last are kept as far as they fit.
    let sql = "DELETE FROM answers WHERE digest IN (SELECT digest FROM (SELECT digest, \
         CAST(sum(size) OVER (ORDER BY used_at DESC, digest) AS bigint) AS held FROM answers) AS sized WHERE held > $1)";
    let more = diesel::sql_query(sql)
        .bind::<BigInt, _>(size_max)
        .execute(conn)
        .await?;
    Ok(u64::try_from(old + more).unwrap_or(u64::MAX))
}
