//! The database gone and back: requests say so, nothing is charged, and what was under way is settled when it is back.

use crate::line::Line;
use crate::postgres::FreshDatabase;
use crate::server::Server;
use crate::service::{Service, client, generate};
use crate::site::Site;
use diesel::QueryableByName;
use diesel::sql_types::Bool;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use futures_util::future::join_all;
use std::time::{Duration, Instant};

const TEXT: &str = "# Kiln\n\nFire it slowly, and keep its lid closed below 200 degrees, because the glaze cracks when it is opened too early.";

#[tokio::test(flavor = "multi_thread")]
async fn while_the_database_is_gone_requests_say_so_and_afterwards_everything_goes_on() {
    let database = FreshDatabase::new().await;
    let line = Line::to(&database.url());
    let mut service = Service::with_database(line.url().to_owned());
    let site = Site::start();
    let key = service.key(3);
    service.serve();
    let client = client();
    let address = service.address().to_owned();
    let before = service.footprint();
    let under_way = tokio::spawn({
        let (client, key, address, page) =
            (client.clone(), key.clone(), address.clone(), site.page(0));
        async move { generate(&client, &address, &key, page).await.unwrap() }
    });
    site.wait_for(1);

    line.cut();
    site.open();
    let refused = generate(&client, &address, &key, TEXT.to_owned())
        .await
        .unwrap();
    assert_eq!(
        refused.status(),
        500,
        "the REST surface has no other code for it"
    );
    let error: serde_json::Value = refused.json().await.unwrap();
    assert_eq!(error["error"]["code"], "GENERATION_FAILED");
    assert!(
        !error.to_string().contains("127.0.0.1"),
        "causes stay in the log: {error}"
    );
    // What was seen half a second ago is said again; then it looks.
    while service.admin("/readyz").await.0 == 200 {}

    line.mend();
    assert_eq!(
        under_way.await.unwrap().status(),
        200,
        "the run was settled once the database was back"
    );
    let enough = |credits: &serde_json::Value| credits["credits_remaining"] == 2;
    service.until(&key, "/api/v1/credits", enough).await;
    let answer = generate(&client, &address, &key, TEXT.to_owned())
        .await
        .unwrap();
    assert_eq!(answer.status(), 200);
    service.is_back(before, "the database was gone").await;
    service.kill();
    service.ok(&["ledger", "verify"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_of_postgresql_under_load_loses_nothing_and_needs_no_hand() {
    let server = Server::start();
    let mut service = Service::with_database(server.url().to_owned());
    let key = service.key(60);
    let site = Site::start();
    service.serve();
    let (client, address) = (client(), service.address().to_owned());
    let order = |source: String| {
        let (client, key, address) = (client.clone(), key.clone(), address.clone());
        tokio::spawn(async move { generate(&client, &address, &key, source).await.unwrap() })
    };
    let mut completed = 0;
    let before = service.footprint();
    for round in 0..3 {
        // Some are being read while the server goes, the others come while it is away.
        let under_way: Vec<_> = (0..4).map(|page| order(site.page(page))).collect();
        if round == 0 {
            site.wait_for(4);
        }
        let coming: Vec<_> = (0..8).map(|_| order(TEXT.to_owned())).collect();
        tokio::task::block_in_place(|| server.restart());
        site.open();
        for answer in join_all(under_way.into_iter().chain(coming)).await {
            let status = answer.unwrap().status();
            assert!([200, 500, 503].contains(&status.as_u16()), "{status}");
            completed += u64::from(status == 200);
        }
    }
    assert!(completed > 0, "what was under way outlived the server");
    let settled = |credits: &serde_json::Value| {
        let number = |name: &str| credits[name].as_u64().unwrap_or(0);
        number("credits_remaining") + number("total_generations") == 60
            && number("total_generations") >= completed
    };
    service.until(&key, "/api/v1/credits", settled).await;
    let answer = order(TEXT.to_owned()).await.unwrap();
    assert_eq!(answer.status(), 200);
    service.is_back(before, "restarts of the database").await;
    service.kill();
    service.ok(&["ledger", "verify"]);
}

/// A server that was restarted has forgotten who is at work, and who is needs a moment to say it again.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_starts_as_postgresql_comes_back_takes_nothing_from_those_who_live() {
    const PAGES: usize = 4;
    let server = Server::start();
    let line = Line::to(server.url());
    let mut first = Service::with_database(line.url().to_owned());
    let key = first.key(8);
    let mut second = first.beside_at(server.url());
    let site = Site::start();
    first.serve();
    let before = first.footprint();
    let orders: Vec<_> = (0..PAGES)
        .map(|page| {
            let (client, key) = (client(), key.clone());
            let (address, page) = (first.address().to_owned(), site.page(page));
            tokio::spawn(async move { generate(&client, &address, &key, page).await.unwrap() })
        })
        .collect();
    site.wait_for(PAGES);

    // The first node is late: the second one finds nobody at work.
    line.cut();
    tokio::task::block_in_place(|| server.restart());
    let second = tokio::task::spawn_blocking(move || {
        second.serve();
        second
    });
    let mut conn = AsyncPgConnection::establish(server.url()).await.unwrap();
    while !is_at_work(&mut conn).await {}
    line.mend();
    let second = second.await.unwrap();
    site.open();
    for order in orders {
        assert_eq!(order.await.unwrap().status(), 200);
    }
    assert!(!site.was_asked_again(), "nobody else has read a page");
    let account = second.until(&key, "/api/v1/credits", |_| true).await;
    let numbers = (&account["credits_remaining"], &account["total_generations"]);
    assert_eq!(numbers, (&4.into(), &4.into()));
    first.is_back(before, "the database forgot it").await;
    let books = second.ok(&["ledger", "verify"]);
    assert!(books.contains("balance"), "{books}");
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = Bool)]
    found: bool,
}

/// Whether a node is at work on a server, or is about to be.
async fn is_at_work(conn: &mut AsyncPgConnection) -> bool {
    let nodes = diesel::sql_query(
        "SELECT count(*) > 0 AS found FROM pg_stat_activity WHERE application_name LIKE 'skillkiln %'",
    );
    let nodes: Found = nodes.get_result(conn).await.unwrap();
    nodes.found
}

/// Longer than a lease, a wait for a connection and the longest pause between two tries.
const LONG: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_go_on_by_themselves_after_postgresql_was_gone_for_longer_than_their_leases() {
    let server = Server::start();
    let mut one = Service::with_database(server.url().to_owned());
    let key = one.key(60);
    let mut other = one.beside();
    let site = Site::start();
    one.serve();
    other.serve();
    let before = [one.footprint(), other.footprint()];
    let client = client();
    let order = |node: &Service, source: String| {
        let (client, key, address) = (client.clone(), key.clone(), node.address().to_owned());
        tokio::spawn(async move { generate(&client, &address, &key, source).await.unwrap() })
    };
    let under_way: Vec<_> = (0..3)
        .flat_map(|page| [order(&one, site.page(page)), order(&other, site.page(page))])
        .collect();
    site.wait_for(6);

    tokio::task::block_in_place(|| server.fail());
    // What is read meanwhile cannot be settled, and nothing that comes is charged.
    site.open();
    let gone = Instant::now();
    while gone.elapsed() < LONG {
        let coming = [&one, &other].map(|node| order(node, TEXT.to_owned()));
        for answer in join_all(coming).await {
            let status = answer.unwrap().status().as_u16();
            assert!([500, 503].contains(&status), "{status}");
        }
    }
    assert_eq!(one.admin("/readyz").await.0, 503);
    tokio::task::block_in_place(|| server.restart());
    for answer in join_all(under_way).await {
        assert_eq!(answer.unwrap().status(), 200, "it outlived the server");
    }
    for (node, made) in [(&one, 6), (&other, 7)] {
        let settled = |credits: &serde_json::Value| {
            credits["credits_remaining"] == 60 - made && credits["total_generations"] == made
        };
        node.until(&key, "/api/v1/credits", settled).await;
        while node.admin("/readyz").await.0 != 200 {}
        assert_eq!(order(node, TEXT.to_owned()).await.unwrap().status(), 200);
    }
    for (node, before) in [&one, &other].into_iter().zip(before) {
        node.is_back(before, "half a minute without a database")
            .await;
    }
    one.kill();
    other.kill();
    let books = one.ok(&["ledger", "verify"]);
    assert!(books.contains("balance"), "{books}");
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_failover_a_node_goes_on_with_the_replica_that_was_promoted() {
    let primary = Server::start();
    let replica = primary.replica();
    let mut service = Service::with_database(primary.url_with(&replica));
    let key = service.key(20);
    let site = Site::start();
    service.serve();
    let (client, address) = (client(), service.address().to_owned());
    let order = |source: String| {
        let (client, key, address) = (client.clone(), key.clone(), address.clone());
        tokio::spawn(async move { generate(&client, &address, &key, source).await.unwrap() })
    };
    let before = service.footprint();
    assert_eq!(order(TEXT.to_owned()).await.unwrap().status(), 200);
    let under_way: Vec<_> = (0..4).map(|page| order(site.page(page))).collect();
    site.wait_for(4);

    tokio::task::block_in_place(|| primary.fail());
    // The replica alone answers, and takes nothing.
    let refused = order(TEXT.to_owned()).await.unwrap();
    assert_eq!(refused.status(), 500);
    tokio::task::block_in_place(|| replica.promote());
    site.open();
    for answer in join_all(under_way).await {
        assert_eq!(answer.unwrap().status(), 200, "it outlived the server");
    }
    let settled = |credits: &serde_json::Value| {
        credits["credits_remaining"] == 15 && credits["total_generations"] == 5
    };
    service.until(&key, "/api/v1/credits", settled).await;
    assert_eq!(order(TEXT.to_owned()).await.unwrap().status(), 200);
    service.is_back(before, "the failover").await;
    service.kill();
    let books = service.ok(&["ledger", "verify"]);
    assert!(books.contains("balance"), "{books}");
}
