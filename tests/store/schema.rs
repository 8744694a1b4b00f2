//! Opening: what is made, what is brought up to date, and what is refused.

use crate::ground::*;
use diesel::sql_types::Bool;
use diesel::{QueryableByName, sql_query};
use diesel_async::{
    AsyncConnection as _, AsyncPgConnection, RunQueryDsl as _, SimpleAsyncConnection as _,
};
use skillkiln::store::connection::{Options, SqliteSynchronous, Store};
use skillkiln::store::model::{Claimable, StoreError};

/// All tables, each before those that it refers to.
const TABLES: [&str; 28] = [
    "webhook_deliveries",
    "webhook_endpoints",
    "usages",
    "answers",
    "marks",
    "identities",
    "applications",
    "invites",
    "tickets",
    "second_factors",
    "recovery_codes",
    "welcomes",
    "sessions",
    "blob_bytes",
    "blobs",
    "run_files",
    "watches",
    "drafts",
    "versions",
    "products",
    "sources",
    "skills",
    "generations",
    "transfers",
    "payment_events",
    "payments",
    "keys",
    "users",
];

on_both! {
    opening_again_changes_nothing,
    several_may_open_a_new_database_at_once,
    a_database_newer_than_the_program_is_refused,
    the_last_release_works_on_a_schema_that_was_only_expanded,
}

async fn opening_again_changes_nothing(ground: Ground) {
    let id = user(&ground.store, 3).await;
    let options = Options {
        sqlite_synchronous: SqliteSynchronous::Normal,
        pool_size: 2,
    };
    let again = Store::open_with(&ground.url, options).await.expect("opens");
    assert_eq!(holds(&again, id).await, (3, 0));
    Store::migrate(&ground.url).await.expect("up to date");
    sound(&ground.store).await;
}

async fn several_may_open_a_new_database_at_once(ground: Ground) {
    ground
        .tamper("DELETE FROM __diesel_schema_migrations")
        .await
        .expect("tampered");
    for table in TABLES {
        ground
            .tamper(&format!("DROP TABLE {table}"))
            .await
            .expect("dropped");
    }
    if ground.url.starts_with("postgres") {
        ground
            .tamper("DROP FUNCTION transfers_are_immutable")
            .await
            .expect("dropped");
    }
    let opened = futures_util::future::join_all((0..4).map(|_| Store::open(&ground.url))).await;
    for store in opened {
        assert_eq!(store.expect("opens").unfinished_count().await, Ok(0));
    }
}

async fn a_database_newer_than_the_program_is_refused(ground: Ground) {
    let sql = "INSERT INTO __diesel_schema_migrations (version) VALUES ('99999999999999')";
    ground.tamper(sql).await.expect("tampered");
    let Err(StoreError::Broken(why)) = Store::open(&ground.url).await else {
        panic!("opened");
    };
    assert!(
        why.contains("99999999999999") && why.contains("newer"),
        "{why}"
    );
}

async fn the_last_release_works_on_a_schema_that_was_only_expanded(ground: Ground) {
    let mut step = "CREATE TABLE later (id INTEGER NOT NULL PRIMARY KEY);".to_owned();
    for table in TABLES {
        step += &format!("ALTER TABLE {table} ADD COLUMN later TEXT;");
    }
    step += "INSERT INTO __diesel_schema_migrations (version) VALUES ('99999999999998expand');";
    ground.tamper_many(&step).await.expect("expanded");

    let store = Store::open(&ground.url).await.expect("opens");
    let id = user(&store, 3).await;
    let (done, failed) = (run(id), run(id));
    let ids = [done.id, failed.id];
    for new in [done, failed] {
        charge(&store, new).await.expect("charged");
    }
    assert_eq!(holds(&store, id).await, (1, 2));
    let claimed = store
        .claim_unfinished(
            OTHER_NODE,
            Claimable::ExceptAccounts(Vec::new()),
            judge(60),
            at(120),
            10,
        )
        .await
        .expect("answers");
    assert_eq!(claimed.len(), 2);
    complete(&store, ids[0], &["bread"]).await.expect("ended");
    fail(&store, ids[1]).await.expect("ended");
    assert_eq!(holds(&store, id).await, (2, 0));
    sound(&store).await;

    // What broke something after that is refused as ever.
    a_database_newer_than_the_program_is_refused(ground).await;
}

/// An index that is built concurrently waits for every statement that began before, also for one that waits for the lock.
#[tokio::test]
async fn an_index_is_built_concurrently_while_another_node_waits_to_migrate() {
    let ground = postgres().await;
    let mut first = AsyncPgConnection::establish(&ground.url)
        .await
        .expect("a connection");
    let lock = "SELECT pg_advisory_lock(1527843857)";
    first.batch_execute(lock).await.expect("locked");
    let url = ground.url.clone();
    let second = tokio::spawn(async move { Store::migrate(&url).await });
    let waiting = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() \
                   AND pid <> pg_backend_pid() AND query LIKE '%advisory_lock%') AS is_so";
    while !sql_query(waiting)
        .get_result::<Answer>(&mut first)
        .await
        .expect("answers")
        .is_so
    {}
    let index = "CREATE INDEX CONCURRENTLY later ON users (created_at)";
    first.batch_execute(index).await.expect("built");
    drop(first);
    assert_eq!(second.await.expect("ends"), Ok(()));
}

#[derive(QueryableByName)]
struct Answer {
    #[diesel(sql_type = Bool)]
    is_so: bool,
}

#[tokio::test]
async fn an_address_that_names_no_database_is_refused() {
    for url in [
        "",
        "data.db",
        "sqlite://",
        "sqlite://:memory:",
        "mysql://localhost/x",
        "sqlite:data.db",
    ] {
        assert!(
            matches!(Store::open(url).await, Err(StoreError::Broken(_))),
            "{url}"
        );
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_unavailable() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = nobody.local_addr().expect("an address").port();
    drop(nobody);
    let url = format!("postgres://nobody@127.0.0.1:{port}/x");
    assert!(matches!(
        Store::open(&url).await,
        Err(StoreError::Unavailable(_))
    ));
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_is_unavailable() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("file"), "").expect("written");
    let url = format!("sqlite://{}/file/test.db", folder.path().display());
    assert!(matches!(
        Store::open(&url).await,
        Err(StoreError::Unavailable(_))
    ));
}

/// Statistics of a young database are missing, and compiling costs more than what it would save.
#[tokio::test]
async fn connections_to_postgres_look_by_index_and_compile_no_statement() {
    let ground = postgres().await;
    for sql in [
        "CREATE TABLE seen (jit text, scans text)",
        "CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS \
         'BEGIN INSERT INTO seen VALUES (current_setting(''jit''), current_setting(''enable_seqscan'')); RETURN NEW; END'",
        "CREATE TRIGGER see AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION see()",
    ] {
        ground.tamper(sql).await.expect(sql);
    }
    user(&ground.store, 1).await;
    let seen = "DELETE FROM seen WHERE jit = 'off' AND scans = 'off'";
    assert_eq!(ground.tamper(seen).await, Ok(1));
}
