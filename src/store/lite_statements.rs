//! Owns the statements that settle a batch on SQLite: fixed texts that are prepared once and carried out with one row's values after
//! another.
//!
//! Diesel's own insert goes through a row's columns four times for each execution, and its update is prepared anew at each. These go
//! through them once to know that they may be kept prepared, where nothing is done, and once to bind them. The types of the columns
//! are those of the schema, so a row that does not fit its table is not compiled.

use crate::store::rows::accounts::Account;
use crate::store::rows::library::SkillRow;
use crate::store::rows::runs::{ChargedRow, Ending};
use crate::store::rows::transfers::TransferRow;
use crate::store::schema::{generations, skills, transfers, users};
use diesel::expression::Expression;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::sqlite::Sqlite;

/// A row as it is to be written.
pub(crate) struct Written<'r, T>(pub(crate) &'r T);

macro_rules! statement {
    (INSERT INTO $table:ident ($first:ident $(, $column:ident)*) FROM $row:ty) => {
        statement! {
            $row, $table:
            [concat!(
                "INSERT INTO ", stringify!($table), " (", stringify!($first), $(", ", stringify!($column),)* ") VALUES ("
            ) => $first] $([", " => $column])*; ")"
        }
    };
    (UPDATE $table:ident SET ($first:ident $(, $column:ident)*) FROM $row:ty) => {
        statement! {
            $row, $table:
            [concat!("UPDATE ", stringify!($table), " SET ", stringify!($first), " = ") => $first]
            $([concat!(", ", stringify!($column), " = ") => $column])*
            [" WHERE id = " => id]; ""
        }
    };
    ($row:ty, $table:ident: $([$before:expr => $column:ident])+; $after:expr) => {
        impl QueryId for Written<'_, $row> {
            type QueryId = Written<'static, $row>;
        }

        impl RunQueryDsl<SqliteConnection> for Written<'_, $row> {}

        impl QueryFragment<Sqlite> for Written<'_, $row> {
            fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
                $(
                    out.push_sql($before);
                    out.push_bind_param::<<$table::$column as Expression>::SqlType, _>(&self.0.$column)?;
                )+
                out.push_sql($after);
                Ok(())
            }
        }
    };
}

statement! {
    UPDATE users SET (available, reserved, packs_purchased, total_generations, owed, plan, plan_given) FROM Account
}

statement! {
    INSERT INTO generations (
        id, run_id, ordinal, user_id, skill_id, catalogue_id, status, name, source_type, source, word_count, credits_charged,
        credits_refunded, created_at, ordered, key_id, node, lease_until, attempts, replaces, route, idempotency_key, digest,
        balance_after
    ) FROM ChargedRow
}

statement! {
    UPDATE generations SET (
        status, name, filename, word_count, credits_refunded, failure_reason, failure_message, completed_at, index_filename,
        index_content
    ) FROM Ending
}

statement! {
    INSERT INTO transfers (key, phase, opening, kind, user_id, debit, credit, amount, reason, at, payment_id) FROM TransferRow
}

statement! {
    INSERT INTO skills (
        id, user_id, name, filename, description, category, search, word_count, is_public, created_at, updated_at, content,
        reference_files, report, origin_run, origin_ordinal, origins
    ) FROM SkillRow
}
