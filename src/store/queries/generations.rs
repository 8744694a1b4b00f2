//! The generation history, as its owner reads it.

use super::super::Conn;
use crate::domain::generation::Generation;
use crate::domain::id::{GenerationId, UserId};
use crate::store::model::StoreError;
use crate::store::rows::runs::GenerationRow;
use crate::store::schema::generations;
use crate::store::types::Id;
use diesel::prelude::*;
use diesel_async::RunQueryDsl;

pub(crate) async fn generations_of(
    conn: &mut Conn,
    user_id: UserId,
    limit: u32,
    offset: u64,
) -> Result<(Vec<Generation>, u64), StoreError> {
    let offset = i64::try_from(offset).unwrap_or(i64::MAX);
    read_tx!(conn, async |conn| {
        let total: i64 = generations::table
            .filter(generations::user_id.eq(Id(user_id.0)))
            .count()
            .get_result(conn)
            .await?;
        let rows = generations::table
            .filter(generations::user_id.eq(Id(user_id.0)))
            .order((
                generations::created_at.desc(),
                generations::run_id.desc(),
                generations::ordinal,
            ))
            .limit(i64::from(limit))
            .offset(offset)
            .select(GenerationRow::as_select())
            .load(conn)
            .await?;
        let rows = rows
            .into_iter()
            .map(GenerationRow::read)
            .collect::<Result<_, StoreError>>()?;
        Ok::<_, StoreError>((rows, u64::try_from(total).unwrap_or(0)))
    })
}

pub(crate) async fn generation(
    conn: &mut Conn,
    user_id: UserId,
    id: GenerationId,
) -> Result<Option<Generation>, StoreError> {
    let row = generations::table
        .find(Id(id.0))
        .filter(generations::user_id.eq(Id(user_id.0)))
        .select(GenerationRow::as_select())
        .get_result(conn)
        .await
        .optional()?;
    row.map(GenerationRow::read).transpose()
}
