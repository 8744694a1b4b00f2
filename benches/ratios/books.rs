//! Charges: what the actors reach beside the SQLite C library with the same batches, and beside one transaction each on PostgreSQL.

use super::{Goal, Row, Scale, in_turns};
use crate::ledger::{House, WAITING};
use crate::support::{postgres, sqlite, users};
use actix::prelude::*;
use rusqlite::{Connection, TransactionBehavior, params};
use skillkiln::domain::clock::Clock;
use std::cell::Cell;
use std::path::Path;
use std::time::Instant;
use uuid::Uuid;

const USERS: usize = 1_000;

pub(super) fn charges(scale: &Scale) -> Vec<Row> {
    let times = scale.of(40_000, WAITING as u64);
    let rounds = scale.of(9, 1);
    let system = System::new();
    let mut rows = Vec::new();

    let database = system.block_on(sqlite());
    let house = House::of(&system, &database.store);
    let other = tempfile::tempdir().expect("a folder");
    let plain = Plain::open(&system, other.path());
    let batch = Cell::new(WAITING as u64);
    let turns = in_turns(
        rounds,
        || {
            let before = house.batches();
            let rate = house.together(&system, times);
            batch.set(times / (house.batches() - before).max(1));
            rate
        },
        || plain.charge(times, batch.get()),
    );
    rows.push(Row {
        what: format!(
            "charges on SQLite, {WAITING} waiting, {} a batch",
            batch.get()
        ),
        unit: "/s",
        figure: turns.one,
        beside: turns.beside("the C library, as many a batch"),
        goal: Goal::RatioAtLeast(0.95),
    });
    drop(house);

    if let Some((store, _database)) = system.block_on(postgres()) {
        let house = House::of(&system, &store);
        let turns = in_turns(
            rounds,
            || house.together(&system, times),
            || house.one_by_one(&system, times / scale.of(8, 1)),
        );
        rows.push(Row {
            what: format!("charges on PostgreSQL, {WAITING} waiting"),
            unit: "/s",
            figure: turns.one,
            beside: turns.beside("one transaction each"),
            goal: Goal::RatioAtLeast(8.0),
        });
    }
    rows
}

/// The same rows of the same schema, written through the C library by one thread that waits for nobody.
struct Plain {
    connection: std::cell::RefCell<Connection>,
    who: Vec<Uuid>,
}

impl Plain {
    fn open(system: &SystemRunner, folder: &Path) -> Self {
        let path = folder.join("plain.db");
        let url = format!("sqlite://{}", path.display());
        let clock = Clock::system();
        let who = system.block_on(async {
            let store = skillkiln::store::connection::Store::open(&url)
                .await
                .expect("a database");
            users(&store, USERS, &clock).await
        });
        let connection = Connection::open(&path).expect("it opens");
        connection
            .execute_batch(
                "PRAGMA busy_timeout = 5000; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
                 PRAGMA recursive_triggers = ON; PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -16384;",
            )
            .expect("it is set");
        connection.set_prepared_statement_cache_capacity(16);
        Self {
            connection: connection.into(),
            who: who.into_iter().map(|id| id.0).collect(),
        }
    }

    /// Charges so many, `batch` a transaction, and answers how many a second.
    fn charge(&self, times: u64, batch: u64) -> f64 {
        let mut connection = self.connection.borrow_mut();
        let begun = Instant::now();
        let mut left = times;
        while left > 0 {
            let transaction = connection
                .transaction_with_behavior(TransactionBehavior::Immediate)
                .expect("it begins");
            for _ in 0..left.min(batch) {
                left -= 1;
                let at = usize::try_from(left).unwrap_or(0).wrapping_mul(7_919) % self.who.len();
                let user = self.who.get(at).expect("there are users");
                one(&transaction, *user);
            }
            transaction.commit().expect("it commits");
        }
        times as f64 / begun.elapsed().as_secs_f64()
    }
}

/// Reads the account, takes the price, writes the run and the transfer down.
fn one(connection: &Connection, user: Uuid) {
    const NOW: i64 = 1_795_166_100_000_000;
    const ORDER: &str = r#"{"source":{"type":"url","address":"https://example.org/some/page"},"name":"a skill","description":null,"category":null,"topics":[]}"#;
    let run = Uuid::now_v7();
    let (user, run) = (user.as_bytes(), run.as_bytes());
    let (available, reserved): (i64, i64) = connection
        .prepare_cached("SELECT available, reserved FROM users WHERE id = ?1")
        .and_then(|mut read| read.query_row([user], |row| Ok((row.get(0)?, row.get(1)?))))
        .expect("an account");
    let written = |sql: &str, values: &[&dyn rusqlite::ToSql]| {
        let rows = connection
            .prepare_cached(sql)
            .and_then(|mut write| write.execute(values))
            .expect("it is written");
        assert_eq!(rows, 1);
    };
    written(
        "UPDATE users SET available = ?2, reserved = ?3 WHERE id = ?1",
        params![user, available - 1, reserved + 1],
    );
    written(
        "INSERT INTO generations (id, run_id, ordinal, user_id, skill_id, status, name, source_type, source, word_count, \
         credits_charged, credits_refunded, created_at, ordered, node, lease_until, attempts, balance_after) \
         VALUES (?1, ?1, 0, ?2, ?1, 'running', 'a skill', 'url', 'https://example.org/some/page', 0, 1, 0, ?3, ?4, ?5, ?6, 1, ?7)",
        params![
            run,
            user,
            NOW,
            ORDER,
            [0_u8; 16],
            NOW + 3_600_000_000,
            available - 1
        ],
    );
    written(
        "INSERT INTO transfers (key, phase, kind, user_id, debit, credit, amount, at) \
         VALUES (?1, 0, 'reserve', ?2, 'available', 'reserved', 1, ?3)",
        params![run, user, NOW],
    );
}
