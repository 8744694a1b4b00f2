//! What belongs to the database and lies elsewhere, told by a digest: the pepper.

use super::super::Conn;
use crate::store::model::StoreError;
use crate::store::schema::{marks, second_factors};
use diesel::prelude::*;
use diesel_async::RunQueryDsl;

const PEPPER: &str = "pepper";

pub(crate) async fn pepper_mark(conn: &mut Conn) -> Result<Option<String>, StoreError> {
    let kept = marks::table
        .filter(marks::name.eq(PEPPER))
        .select(marks::value);
    Ok(kept.get_result(conn).await.optional()?)
}

pub(crate) async fn keep_pepper_mark(
    conn: &mut Conn,
    mark: String,
    replace: bool,
) -> Result<(), StoreError> {
    write_tx!(conn, async |conn| {
        if replace {
            diesel::delete(marks::table.filter(marks::name.eq(PEPPER)))
                .execute(conn)
                .await?;
            // They are sealed under the pepper that is given up: nobody could open them, and their owners could not come in.
            diesel::delete(second_factors::table).execute(conn).await?;
        }
        diesel::insert_into(marks::table)
            .values((marks::name.eq(PEPPER), marks::value.eq(mark)))
            .on_conflict_do_nothing()
            .execute(conn)
            .await?;
        Ok(())
    })
}
