//! The disk full and free again: orders and uploads are refused uncharged and whole, nothing is lost, and afterwards everything goes on.

use crate::postgres::FreshDatabase;
use crate::service::{Service, client, generate, upload};
use crate::site::Site;
use diesel::QueryableByName;
use diesel::sql_types::BigInt;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};

#[tokio::test(flavor = "multi_thread")]
async fn while_the_disk_is_full_orders_are_refused_uncharged_and_afterwards_everything_goes_on() {
    let mut service = Service::new();
    let site = Site::start();
    let key = service.key(10);
    service.serve_within_file_limits();
    let before = service.footprint();
    let client = client();
    let order = |source: String| {
        let (client, key) = (client.clone(), key.clone());
        let address = service.address().to_owned();
        async move { generate(&client, &address, &key, source).await.unwrap() }
    };
    let text = || {
        "# Kiln\n\nFire the kiln slowly, and keep its lid closed below 200 degrees, because the glaze cracks when it is opened early.".to_owned()
    };
    assert_eq!(order(text()).await.status(), 200);
    let under_way = tokio::spawn(order(site.page(0)));
    site.wait_for(1);

    service.files_at_most(Some(service.size_of_log()));
    for _ in 0..2 {
        let refusal = order(text()).await;
        assert_eq!(refusal.status(), 500);
        let error: serde_json::Value = refusal.json().await.unwrap();
        assert_eq!(error["error"]["code"], "GENERATION_FAILED");
        // From here on the run that is under way cannot be written down either.
        site.open();
    }

    service.files_at_most(None);
    assert_eq!(
        under_way.await.unwrap().status(),
        200,
        "the run was settled once there was space"
    );
    assert_eq!(order(text()).await.status(), 200);
    let credits = service.until(&key, "/api/v1/credits", |_| true).await;
    assert_eq!(credits["credits_remaining"], 7, "three were made");
    service.is_back(before, "the disk was full").await;
    service.kill();
    service.ok(&["ledger", "verify"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_that_finds_no_room_is_refused_whole_and_afterwards_everything_goes_on() {
    let mut service = Service::new();
    let key = service.key(2);
    service.serve_within_file_limits();
    let before = service.footprint();
    let (client, address) = (client(), service.address().to_owned());
    let large = "Fire the kiln slowly, and keep its lid closed.\n".repeat(100_000);
    let small = "# Kiln\n\nFire the kiln slowly, and keep its lid closed below 200 degrees, because the glaze cracks when it is opened early.";
    assert_eq!(
        upload(&client, &address, &key, "# First").await.status(),
        200
    );
    let kept = service.kept_files();
    assert_eq!(kept.len(), 1);

    service.files_at_most(Some(service.size_of_log()));
    // There is room for nothing of it; and there would be for the file, but not for the line about it.
    for text in [&*large, small] {
        let refusal = upload(&client, &address, &key, text).await;
        assert_eq!(refusal.status(), 503);
        let error: serde_json::Value = refusal.json().await.unwrap();
        assert_eq!(error["error"]["code"], "SERVICE_UNAVAILABLE");
        let told = error.to_string();
        assert!(
            !told.contains("blobs") && !told.contains("os error"),
            "{told}"
        );
    }
    let unfinished = |path: &std::path::PathBuf| path.metadata().unwrap().len() > 1_000;
    let left = service.kept_files();
    assert!(!left.iter().any(unfinished), "{left:?}");

    service.files_at_most(None);
    for text in [&*large, small] {
        assert_eq!(upload(&client, &address, &key, text).await.status(), 200);
    }
    assert_eq!(service.kept_files().len(), 3);
    let answer = generate(&client, &address, &key, small.to_owned()).await;
    assert_eq!(answer.unwrap().status(), 200);
    let credits = service.until(&key, "/api/v1/credits", |_| true).await;
    assert_eq!(credits["credits_remaining"], 1, "one was made");
    service.is_back(before, "the disk was full").await;
    service.kill();
    service.ok(&["ledger", "verify"]);
}

/// Before each row that is written PostgreSQL asks a function, which finds that there is room. Whether there is any is changed by another
/// function in its place: that locks no table, for which a node might wait with others in its hands.
const ASKED: &str = r#"
CREATE FUNCTION ask() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
DO $$
DECLARE name text;
BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('CREATE SEQUENCE %I', 'refused_' || name);
        EXECUTE format('CREATE TRIGGER ask BEFORE INSERT OR UPDATE ON %I EXECUTE FUNCTION ask()', name);
    END LOOP;
END $$;
"#;
/// It says what PostgreSQL says when its disk is full, and counts that in a sequence, the only thing that outlives what is rolled back.
const NO_ROOM: &str = r#"
CREATE OR REPLACE FUNCTION ask() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM nextval('refused_' || TG_TABLE_NAME);
    RAISE EXCEPTION 'could not extend file "base/5/16401": No space left on device' USING ERRCODE = 'disk_full';
END $$;
"#;
const ROOM: &str = "CREATE OR REPLACE FUNCTION ask() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$";

#[derive(QueryableByName)]
struct Refused {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

/// How often an account or what a stage made could not be written.
async fn refused(conn: &mut AsyncPgConnection) -> i64 {
    let query = "SELECT a.last_value + a.is_called::int + p.last_value + p.is_called::int AS count FROM refused_users a, refused_products p";
    let refused: Refused = diesel::sql_query(query).get_result(conn).await.unwrap();
    refused.count
}

/// Where no room is left for the log of PostgreSQL, it ends; see [`crate::outage`].
#[tokio::test(flavor = "multi_thread")]
async fn while_postgresql_has_no_room_orders_are_refused_uncharged_and_afterwards_everything_goes_on()
 {
    let database = FreshDatabase::new().await;
    let mut service = Service::with_database(database.url());
    let site = Site::start();
    let key = service.key(10);
    let mut conn = AsyncPgConnection::establish(&database.url()).await.unwrap();
    conn.batch_execute(ASKED).await.unwrap();
    service.serve();
    let before = service.footprint();
    let client = client();
    let order = |source: String| {
        let (client, key) = (client.clone(), key.clone());
        let address = service.address().to_owned();
        async move { generate(&client, &address, &key, source).await.unwrap() }
    };
    let text = || {
        "# Kiln\n\nFire the kiln slowly, and keep its lid closed below 200 degrees, because the glaze cracks when it is opened early.".to_owned()
    };
    assert_eq!(order(text()).await.status(), 200);
    let under_way = tokio::spawn(order(site.page(0)));
    site.wait_for(1);

    conn.batch_execute(NO_ROOM).await.unwrap();
    for _ in 0..2 {
        let refusal = order(text()).await;
        assert_eq!(refusal.status(), 500);
        let error: serde_json::Value = refusal.json().await.unwrap();
        assert_eq!(error["error"]["code"], "GENERATION_FAILED");
        assert!(!error.to_string().contains("No space"), "{error}");
    }
    // The run that is under way cannot be written down either.
    let before_it = refused(&mut conn).await;
    site.open();
    let mut tries = 0..50_000;
    while refused(&mut conn).await == before_it {
        assert!(tries.next().is_some(), "it is never written down");
    }
    let refusal = upload(&client, service.address(), &key, "# Kiln").await;
    assert_eq!(refusal.status(), 503);
    // What is there can be read.
    let account = service.until(&key, "/api/v1/credits", |_| true).await;
    assert_eq!(account["total_generations"], 1);

    conn.batch_execute(ROOM).await.unwrap();
    assert_eq!(
        under_way.await.unwrap().status(),
        200,
        "the run was settled once there was room"
    );
    assert_eq!(order(text()).await.status(), 200);
    let credits = service.until(&key, "/api/v1/credits", |_| true).await;
    assert_eq!(credits["credits_remaining"], 7, "three were made");
    service.is_back(before, "PostgreSQL had no room").await;
    service.kill();
    service.ok(&["ledger", "verify"]);
}
