//! Owns how an identity and an instant are kept: natively in PostgreSQL, as 16 bytes and as microseconds in SQLite.

use crate::domain::clock::Timestamp;
use diesel::backend::Backend;
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::pg::data_types::PgTimestamp;
use diesel::pg::{Pg, PgValue};
use diesel::query_builder::QueryId;
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_types::{BigInt, SqlType, Timestamptz, Uuid as PgUuid};
use diesel::sqlite::Sqlite;
use uuid::Uuid;

/// Microseconds from 1970 to 2000, where PostgreSQL begins to count.
const PG_EPOCH_MICROS: i64 = 946_684_800_000_000;
/// The years that PostgreSQL can hold, by a wide margin around any time that means something.
const PG_MICROS: std::ops::RangeInclusive<i64> =
    -60_000_000_000_000_000..=9_000_000_000_000_000_000;

/// `uuid` in PostgreSQL, a 16-byte `BLOB` in SQLite.
#[derive(Debug, Clone, Copy, Default, QueryId, SqlType)]
#[diesel(postgres_type(oid = 2950, array_oid = 2951))]
#[diesel(sqlite_type(name = "Binary"))]
pub struct SqlId;

/// `timestamptz` in PostgreSQL, an `INTEGER` of microseconds in SQLite.
#[derive(Debug, Clone, Copy, Default, QueryId, SqlType)]
#[diesel(postgres_type(oid = 1184, array_oid = 1185))]
#[diesel(sqlite_type(name = "Long"))]
pub struct SqlTime;

/// Any identity, on its way in or out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, AsExpression, FromSqlRow)]
#[diesel(sql_type = SqlId)]
pub(crate) struct Id(pub(crate) Uuid);

/// An instant, on its way in or out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, AsExpression, FromSqlRow)]
#[diesel(sql_type = SqlTime)]
pub(crate) struct At(pub(crate) Timestamp);

impl ToSql<SqlId, Pg> for Id {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        ToSql::<PgUuid, Pg>::to_sql(&self.0, out)
    }
}

impl ToSql<SqlId, Sqlite> for Id {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.0.as_bytes().as_slice());
        Ok(IsNull::No)
    }
}

impl FromSql<SqlId, Pg> for Id {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        <Uuid as FromSql<PgUuid, Pg>>::from_sql(value).map(Id)
    }
}

impl FromSql<SqlId, Sqlite> for Id {
    fn from_sql(mut value: <Sqlite as Backend>::RawValue<'_>) -> deserialize::Result<Self> {
        Ok(Self(Uuid::from_slice(value.read_blob())?))
    }
}

impl ToSql<SqlTime, Pg> for At {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        let micros = self.0.micros().clamp(*PG_MICROS.start(), *PG_MICROS.end());
        ToSql::<Timestamptz, Pg>::to_sql(
            &PgTimestamp(micros - PG_EPOCH_MICROS),
            &mut out.reborrow(),
        )
    }
}

impl ToSql<SqlTime, Sqlite> for At {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.0.micros());
        Ok(IsNull::No)
    }
}

impl FromSql<SqlTime, Pg> for At {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        let PgTimestamp(micros) = FromSql::<Timestamptz, Pg>::from_sql(value)?;
        Ok(Self(Timestamp::from_micros(
            micros.saturating_add(PG_EPOCH_MICROS),
        )))
    }
}

impl FromSql<SqlTime, Sqlite> for At {
    fn from_sql(value: <Sqlite as Backend>::RawValue<'_>) -> deserialize::Result<Self> {
        let micros = <i64 as FromSql<BigInt, Sqlite>>::from_sql(value)?;
        Ok(Self(Timestamp::from_micros(micros)))
    }
}
