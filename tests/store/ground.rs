//! What every test stands on: a fresh database of each kind, and builders for what goes into it.

use crate::postgres::FreshDatabase;
use diesel::Connection;
use skillkiln::domain::clock::Timestamp;
use skillkiln::domain::credits::{Credits, GrantReason};
use skillkiln::domain::generation::Order;
use skillkiln::domain::id::{GenerationId, GrantId, RunId, SkillId, UserId};
use skillkiln::domain::lease::Judge;
use skillkiln::domain::skill::FinishedSkill;
use skillkiln::domain::source::{Source, SourceType};
use skillkiln::domain::user::{Email, Plan};
use skillkiln::store::connection::Store;
use skillkiln::store::model::{
    Completion, Entry, Idempotency, NewGeneration, NewRun, NewUser, Refused, Settled,
};
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_skills::origins::{PartOrigin, Place};
use skillkiln_skills::report::{Check, Report, Severity};
use skillkiln_skills::skill::Reference;
use std::time::Duration;
use uuid::Uuid;

/// Noon of some day.
pub(crate) const NOON: Timestamp = Timestamp::from_micros(1_795_176_000_000_000);
/// A node.
pub(crate) const NODE: Uuid = Uuid::from_u128(1);
/// Another node.
pub(crate) const OTHER_NODE: Uuid = Uuid::from_u128(2);

/// So many seconds after noon.
pub(crate) fn at(seconds: u64) -> Timestamp {
    NOON.plus(Duration::from_secs(seconds))
}

/// Who judges leases of a minute so many seconds after noon, whatever day it is.
pub(crate) fn judge(seconds: u64) -> Judge {
    Judge {
        now: at(seconds),
        length: Duration::from_secs(60),
        apart_max: Duration::MAX,
        is_sound: true,
    }
}

/// A database of the test's own.
pub(crate) struct Ground {
    pub(crate) store: Store,
    pub(crate) url: String,
    _database: Option<FreshDatabase>,
    _folder: Option<tempfile::TempDir>,
}

/// A fresh SQLite file.
pub(crate) async fn sqlite() -> Ground {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite://{}/deep/er/test.db", folder.path().display());
    let store = Store::open(&url).await.expect("opens");
    Ground {
        store,
        url,
        _database: None,
        _folder: Some(folder),
    }
}

/// A fresh PostgreSQL database on the server that the environment names.
pub(crate) async fn postgres() -> Ground {
    let database = FreshDatabase::new().await;
    let url = database.url();
    let store = Store::open(&url).await.expect("opens");
    Ground {
        store,
        url,
        _database: Some(database),
        _folder: None,
    }
}

impl Ground {
    /// Does something to the database behind the store's back; the error says why it could not.
    pub(crate) async fn tamper(&self, sql: &str) -> Result<usize, String> {
        match self.url.strip_prefix("sqlite://") {
            Some(path) => {
                let mut conn =
                    diesel::SqliteConnection::establish(path).map_err(|error| error.to_string())?;
                diesel::RunQueryDsl::execute(
                    diesel::sql_query("PRAGMA foreign_keys = ON"),
                    &mut conn,
                )
                .map_err(|error| error.to_string())?;
                diesel::RunQueryDsl::execute(diesel::sql_query(sql), &mut conn)
                    .map_err(|error| error.to_string())
            }
            None => {
                let mut conn =
                    <diesel_async::AsyncPgConnection as diesel_async::AsyncConnection>::establish(
                        &self.url,
                    )
                    .await
                    .map_err(|error| error.to_string())?;
                diesel_async::RunQueryDsl::execute(diesel::sql_query(sql), &mut conn)
                    .await
                    .map_err(|error| error.to_string())
            }
        }
    }

    /// Does several things to the database behind the store's back, in a transaction.
    pub(crate) async fn tamper_many(&self, sql: &str) -> Result<(), String> {
        match self.url.strip_prefix("sqlite://") {
            Some(path) => {
                let mut conn =
                    diesel::SqliteConnection::establish(path).map_err(|error| error.to_string())?;
                let sql = format!("PRAGMA foreign_keys = ON; BEGIN IMMEDIATE; {sql} COMMIT;");
                diesel::connection::SimpleConnection::batch_execute(&mut conn, &sql)
                    .map_err(|error| error.to_string())
            }
            None => {
                let mut conn =
                    <diesel_async::AsyncPgConnection as diesel_async::AsyncConnection>::establish(
                        &self.url,
                    )
                    .await
                    .map_err(|error| error.to_string())?;
                diesel_async::SimpleAsyncConnection::batch_execute(
                    &mut conn,
                    &format!("BEGIN; {sql} COMMIT;"),
                )
                .await
                .map_err(|error| error.to_string())
            }
        }
    }

    /// How an identity is written in this database's SQL.
    pub(crate) fn literal(&self, id: Uuid) -> String {
        if self.url.starts_with("sqlite") {
            format!("x'{}'", id.simple())
        } else {
            format!("'{id}'")
        }
    }
}

/// Runs each named test on both databases: `tests! { a_sentence, … }` in a module of async functions over [`Ground`].
macro_rules! on_both {
    ($($name:ident),* $(,)?) => {
        mod on_sqlite {
            $(
                #[tokio::test]
                async fn $name() {
                    super::$name(crate::ground::sqlite().await).await;
                }
            )*
        }
        mod on_postgres {
            $(
                #[tokio::test]
                async fn $name() {
                    super::$name(crate::ground::postgres().await).await;
                }
            )*
        }
    };
}
pub(crate) use on_both;

/// An account with so many credits.
pub(crate) async fn user(store: &Store, credits: u32) -> UserId {
    let id = UserId::new();
    let new = NewUser {
        id,
        email: Email::parse(&format!("{}@example.org", id.0.simple())).expect("an address"),
        plan: Plan::Free,
        password_hash: None,
        credits: Credits(credits),
        reason: GrantReason::Signup,
        at: NOON,
    };
    store.create_user(new).await.expect("an account");
    id
}

/// A run for a single skill, price 1, not waiting.
pub(crate) fn run(user_id: UserId) -> NewRun {
    let id = RunId::new();
    NewRun {
        id,
        user_id,
        key_id: None,
        price: Credits(1),
        idempotency: None,
        order: Order {
            source: Source::Text {
                text: "Knead, rest, bake.".to_owned(),
            },
            name: Some("Bread".to_owned()),
            description: None,
            category: None,
            kind: None,
            topics: Vec::new(),
        },
        generations: vec![row(GenerationId(id.0), SkillId(id.0))],
        catalogue_id: None,
        replaces: None,
        queued: false,
        node: NODE,
        lease_until: at(60),
        at: NOON,
    }
}

/// A run for a catalogue of so many skills.
pub(crate) fn catalogue(user_id: UserId, skills: usize) -> NewRun {
    let generations = (0..skills)
        .map(|_| row(GenerationId::new(), SkillId::new()))
        .collect();
    NewRun {
        generations,
        catalogue_id: Some(Uuid::now_v7()),
        ..run(user_id)
    }
}

fn row(id: GenerationId, skill_id: SkillId) -> NewGeneration {
    NewGeneration {
        id,
        skill_id,
        name: "bread".to_owned(),
        source_type: SourceType::Text,
        source: "Knead, rest, bake.".to_owned(),
    }
}

/// A client's wish under a key.
pub(crate) fn wish(key: &str) -> Option<Idempotency> {
    Some(Idempotency {
        route: "POST /api/v1/generate".to_owned(),
        key: key.to_owned(),
        digest: "d1".to_owned(),
    })
}

/// A finished skill.
pub(crate) fn skill(name: &str) -> FinishedSkill {
    let check = Check {
        id: "V010".into(),
        severity: Severity::Warning,
        passed: false,
        message: "too short".into(),
        line: Some(3),
    };
    FinishedSkill {
        name: name.to_owned(),
        filename: format!("{name}.md"),
        description: format!("How to make {name}"),
        category: "baking".to_owned(),
        content: format!("---\nname: {name}\n---\n\nKnead."),
        references: vec![Reference {
            filename: "references/a.md".to_owned(),
            content: "a \u{0} in JSON is kept".to_owned(),
        }],
        word_count: 7,
        report: Report::of(vec![check]),
        origins: vec![PartOrigin {
            file: "SKILL.md".to_owned(),
            heading: "Kneading \u{0}".to_owned(),
            places: vec![Place {
                words: "page 7".to_owned(),
                address: Some("https://bread.example#7".to_owned()),
            }],
        }],
    }
}

/// Charges a run.
pub(crate) async fn charge(store: &Store, run: NewRun) -> Result<Settled, Refused> {
    one(store, Entry::Charge(Box::new(run))).await
}

/// Completes a run with skills of these names.
pub(crate) async fn complete(
    store: &Store,
    run_id: RunId,
    names: &[&str],
) -> Result<Settled, Refused> {
    complete_at(store, run_id, names, at(10)).await
}

/// Completes a run then.
pub(crate) async fn complete_at(
    store: &Store,
    run_id: RunId,
    names: &[&str],
    at: Timestamp,
) -> Result<Settled, Refused> {
    let completion = Completion {
        run_id,
        skills: names.iter().map(|name| skill(name).into()).collect(),
        is_given_back: false,
        index: None,
        at,
    };
    one(store, Entry::Complete(Box::new(completion))).await
}

/// Fails a run.
pub(crate) async fn fail(store: &Store, run_id: RunId) -> Result<Settled, Refused> {
    one(store, failure_of(run_id)).await
}

/// The failure of a run.
pub(crate) fn failure_of(run_id: RunId) -> Entry {
    Entry::Fail {
        run_id,
        failure: Failure::new(Reason::Unreachable, "the page did not answer"),
        at: at(10),
    }
}

/// A grant.
pub(crate) fn grant(user_id: UserId, amount: u32) -> Entry {
    Entry::Grant {
        id: GrantId::new(),
        user_id,
        amount: Credits(amount),
        reason: GrantReason::Operator,
        at: NOON,
    }
}

/// Settles one entry alone.
pub(crate) async fn one(store: &Store, entry: Entry) -> Result<Settled, Refused> {
    let mut answers = store.settle(vec![entry]).await;
    assert_eq!(answers.len(), 1);
    answers.remove(0)
}

/// What an account can spend, and what is reserved.
pub(crate) async fn holds(store: &Store, id: UserId) -> (u32, u32) {
    let standing = store
        .standing(id)
        .await
        .expect("answers")
        .expect("an account");
    (standing.available.0, standing.reserved.0)
}

/// The books balance.
pub(crate) async fn sound(store: &Store) {
    let books = store.books().await.expect("answers");
    assert_eq!(books.faults, Vec::<String>::new());
}
