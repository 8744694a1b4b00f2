//! Two nodes on one PostgreSQL and one Redis: the limits hold over both together, whatever happens to the nodes and to Redis.
//!
//! The nodes' clocks stand still, days behind the server's, and are turned by hand: windows go by the server's clock alone.

use crate::generate::TEXT;
use crate::ops::{PAGE, observed, press};
use crate::postgres::FreshDatabase;
use crate::redis_server::Redis;
use crate::support::app::{App, Someone};
use crate::support::browser::Browser;
use crate::support::client::{Answer, Part, Request};
use crate::support::site::Site;
use futures_util::future::{join, join_all};
use serde_json::{Value, json};
use skillkiln::cluster::digests::Digests;
use skillkiln::cluster::relay::{News, Relay};
use skillkiln::config::outside::{BlobHome, Writer};
use skillkiln::config::{Role, Settings};
use skillkiln::domain::digest::{ActorDigest, Digest};
use skillkiln::domain::generation::Stage;
use skillkiln::domain::id::RunId;
use skillkiln::services;
use skillkiln::store::connection::Store;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::Duration;
use tempfile::TempDir;
use tokio::task::JoinHandle;

/// What nodes have in common.
struct Ground {
    database: FreshDatabase,
    redis: Redis,
    secrets: TempDir,
}

impl Ground {
    async fn new() -> Self {
        let secrets = TempDir::new().expect("a folder");
        std::fs::write(secrets.path().join("pepper"), "5e".repeat(32)).expect("written");
        Self {
            database: FreshDatabase::new().await,
            redis: Redis::start(),
            secrets,
        }
    }

    async fn node(&self) -> App {
        self.node_with(|_| {}).await
    }

    /// One that is asked often and whose operators press buttons.
    async fn watched(&self, change: impl FnOnce(&mut Settings)) -> App {
        self.node_with(|settings| {
            settings.server.admin_names = vec!["test".into()];
            settings.limits.other_per_minute = 1_000_000;
            change(settings);
        })
        .await
    }

    async fn node_with(&self, change: impl FnOnce(&mut Settings)) -> App {
        App::with(|settings| {
            settings.database.url = self.database.url();
            settings.database.pool_size = 3;
            settings.cluster.url = self.redis.url();
            settings.blobs.home = BlobHome::Database;
            settings.auth.pepper_file = self.secrets.path().join("pepper");
            change(settings);
        })
        .await
    }
}

async fn credits(node: &App, someone: &Someone) -> Answer {
    node.get("/api/v1/credits").key(&someone.key).send().await
}

/// So many requests at once, to one node after another; how many were admitted.
async fn admitted(nodes: &[&App], someone: &Someone, requests: usize) -> usize {
    let all = nodes.iter().cycle().take(requests);
    let answers = join_all(all.map(|node| credits(node, someone))).await;
    for answer in &answers {
        assert!([200, 429].contains(&answer.status), "{}", answer.text());
    }
    answers.iter().filter(|answer| answer.status == 200).count()
}

/// What a node says of itself to whoever balances the load.
async fn is_degraded(address: SocketAddr) -> bool {
    let answer = Request::new(address, "GET", "/readyz").send().await;
    assert_eq!(answer.status, 200, "it goes on taking orders");
    assert_eq!(answer.json()["status"], "ready");
    answer.text().contains("degraded")
}

async fn until_degraded(nodes: &[&App], degraded: bool) {
    for node in nodes {
        while is_degraded(node.public).await != degraded {}
    }
}

async fn metric(node: &App, name: &str) -> f64 {
    let answer = Request::new(node.operators, "GET", "/metrics")
        .by_number()
        .send()
        .await;
    let line = answer.text().lines().find(|line| line.starts_with(name));
    let value = line
        .and_then(|line| line.rsplit(' ').next())
        .expect("it is there");
    value.parse().expect("a number")
}

#[tokio::test]
async fn two_nodes_admit_exactly_the_limit_whatever_their_clocks_say_and_a_restart_grants_nothing()
{
    let ground = Ground::new().await;
    let (first, second) = (ground.node().await, ground.node().await);
    let someone = first.someone(0).await;
    second.clock.set_by(3_600);
    assert_eq!(admitted(&[&first, &second], &someone, 90).await, 60);
    assert_eq!(metric(&first, "skillkiln_ratelimit_shared ").await, 1.0);

    let answers = [
        credits(&first, &someone).await,
        credits(&second, &someone).await,
    ];
    let [one, other] = &answers;
    assert_eq!(one.refusal(), (429, "RATE_LIMITED".into()));
    let reset = "x-ratelimit-reset";
    assert_eq!(one.number(reset), other.number(reset), "by one clock");
    assert!((1..=60).contains(&other.number("retry-after")));
    assert_eq!(other.number("x-ratelimit-remaining"), 0);
    // What is not there shows the window too.
    let nowhere = second.get("/api/v1/nope").key(&someone.key).send().await;
    assert_eq!(nowhere.number("x-ratelimit-remaining"), 0);

    // The other surface has a window of its own.
    let elsewhere = second.get("/api/credits").key(&someone.key).send().await;
    assert_eq!(elsewhere.number("x-ratelimit-remaining"), 59);

    drop(first);
    let first = ground.node().await;
    assert_eq!(admitted(&[&first, &second], &someone, 4).await, 0);
}

#[tokio::test]
async fn guesses_of_keys_are_counted_over_all_nodes() {
    let ground = Ground::new().await;
    let (first, second) = (ground.node().await, ground.node().await);
    let mut unknown = 0;
    for node in [&first, &second].into_iter().cycle().take(70) {
        let answer = node.get("/api/v1/credits").key("nonsense").send().await;
        unknown += u32::from(answer.status == 401);
    }
    assert_eq!(unknown, 60);
}

/// So many tries to come in from one address, to one node after another; how many were let through.
async fn let_through(nodes: &[&App], tries: usize, path: &str, fields: &[(&str, &str)]) -> usize {
    let mut let_through = 0;
    for node in nodes.iter().cycle().take(tries) {
        let answer = Browser::new(node).post(path, fields).await;
        let_through += usize::from(answer.status == 400);
        assert!([400, 429].contains(&answer.status), "{}", answer.text());
    }
    let_through
}

#[tokio::test]
async fn tries_to_come_in_are_counted_over_all_nodes_and_without_redis_each_has_its_share() {
    let mut ground = Ground::new().await;
    let (first, second) = (ground.node().await, ground.node().await);
    let both = [&first, &second];
    let guess = [("email", "nobody@example.org"), ("password", "a wrong one")];
    assert_eq!(let_through(&both, 14, "/signin", &guess).await, 10);
    let code = [
        ("email", "nobody@example.org"),
        ("code", "0123456789abcdef0123"),
        ("password", "a new password of mine"),
    ];
    assert_eq!(let_through(&both, 40, "/recover", &code).await, 30);

    ground.redis.kill();
    until_degraded(&both, true).await;
    let probe = first.someone(0).await;
    for node in both {
        while credits(node, &probe).await.number("x-ratelimit-limit") != 30 {}
    }
    let again = let_through(&both, 4, "/recover", &code).await;
    assert_eq!(again, 0, "each knows what it let through");
    ground.redis.start_again();
    until_degraded(&both, false).await;
    let again = let_through(&both, 4, "/recover", &code).await;
    assert_eq!(again, 0, "it was brought back");
}

#[tokio::test]
async fn who_comes_in_on_one_node_begins_anew_on_all() {
    let ground = Ground::new().await;
    let (first, second) = (ground.node().await, ground.node().await);
    Browser::joined(&first, "ann@example.org").await;
    let guess = [("email", "ann@example.org"), ("password", "a wrong one")];
    assert_eq!(let_through(&[&first], 9, "/signin", &guess).await, 9);
    Browser::signed_in(&second, "ann@example.org").await;
    assert_eq!(let_through(&[&first], 9, "/signin", &guess).await, 9);
}

/// How many of an account's runs have each of these statuses.
async fn statuses<const N: usize>(node: &App, someone: &Someone, of: [&str; N]) -> [usize; N] {
    let history = node
        .get("/api/v1/generations")
        .key(&someone.key)
        .send()
        .await;
    let history = history.json();
    let rows = history["generations"].as_array().expect("a list");
    of.map(|status| rows.iter().filter(|row| row["status"] == status).count())
}

#[tokio::test]
async fn an_account_runs_as_many_at_once_on_all_nodes_together_as_on_one() {
    const PAGE: &str = "<html><body><h1>Kiln</h1><p>Close the lid of the kiln before you fire the pots, \
        and keep it closed below two hundred degrees, because the glaze cracks when it is opened too early.</p></body></html>";
    let site = Site::start(&[("/slow/page", 200, PAGE)]).await;
    let ground = Ground::new().await;
    let (first, second) = (ground.node().await, ground.node().await);
    let someone = first.someone(8).await;
    for node in [&first, &second].into_iter().cycle().take(8) {
        let order = node.post("/api/v1/generate").key(&someone.key);
        let order = order.form(&[Part::Text("source", &site.page("/slow/page"))]);
        let accepted = order.header("Prefer", "respond-async").send().await;
        assert_eq!(accepted.status, 202, "{}", accepted.text());
    }
    let now = statuses(&first, &someone, ["running", "queued"]).await;
    assert_eq!(now, [4, 4]);
    site.let_go();
    let store = Store::open(&ground.database.url()).await;
    let store = store.expect("the database");
    while store.unfinished_count().await.expect("answers") > 0 {}
    assert_eq!(statuses(&second, &someone, ["completed"]).await, [8]);
    first.books().await;
}

/// A node with so many places, whose runs ask a model that says nothing before the site is let go, and then no more than that it is not there.
async fn of_places(ground: &Ground, site: &Site, places: u32, per_account: u32) -> App {
    of_places_with(ground, site, (places, per_account), |_| {}).await
}

async fn of_places_with(
    ground: &Ground,
    site: &Site,
    (places, per_account): (u32, u32),
    change: impl FnOnce(&mut Settings),
) -> App {
    ground
        .watched(|settings| {
            change(settings);
            settings.engine.running_max = places;
            settings.limits.running_per_account = per_account;
            settings.limits.generate_per_minute = 1_000;
            settings.model.provider = Writer::OpenAi;
            settings.model.base_url = site.page("/slow");
            settings.model.attempts_max = 1;
        })
        .await
}

/// Waits until two nodes know of each other.
async fn until_met(first: &App, second: &App) {
    for (one, other) in [(first, second), (second, first)] {
        let id = observed(one).await["nodes"][0]["id"].clone();
        until_seen(other, id.as_str().expect("an identity"), "working").await;
    }
}

/// Orders so many runs at once, each with a stream to its end.
async fn streams(node: &App, someone: &Someone, orders: usize) -> Vec<JoinHandle<Answer>> {
    let file = Part::File("files", "kiln.md", TEXT.as_bytes());
    let upload = node.post("/api/upload").key(&someone.key);
    let uploaded = upload.form(&[file]).send().await.json();
    let order = json!({ "source_ids": [uploaded["sources"][0]["id"]] });
    let requests = (0..orders).map(|_| {
        let request = node.post("/api/generate").key(&someone.key);
        tokio::spawn(request.json(&order).send())
    });
    requests.collect()
}

/// Every stream tells its run's stages, once and in order, and its end.
async fn hear_their_ends(streams: Vec<JoinHandle<Answer>>) {
    for stream in streams {
        let answer = stream.await.expect("answered");
        let events = answer.events();
        let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
        let all = ["progress", "progress", "progress", "complete"];
        assert_eq!(names, all, "{}", answer.text());
    }
}

/// Waits until the nodes hold so many runs each.
async fn until_held<const N: usize>(nodes: [&App; N], held: [f64; N]) {
    loop {
        let now = nodes.map(|node| metric(node, "skillkiln_generations_in_flight "));
        if join_all(now).await == held {
            return;
        }
    }
}

#[tokio::test]
async fn runs_that_find_no_place_on_their_node_are_carried_out_by_one_that_has_room() {
    let site = Site::start(&[]).await;
    let ground = Ground::new().await;
    let first = of_places(&ground, &site, 5, 20).await;
    let second = of_places(&ground, &site, 5, 20).await;
    until_met(&first, &second).await;
    let someone = first.someone(20).await;
    let orders = streams(&first, &someone, 20).await;
    until_held([&first, &second], [5.0, 5.0]).await;
    while statuses(&second, &someone, ["running", "queued"]).await != [10, 10] {}
    site.let_go();
    hear_their_ends(orders).await;
    let completed = "skillkiln_generations_total{outcome=\"completed\"}";
    let [one, other] = [&first, &second].map(|node| metric(node, completed));
    let (one, other) = join(one, other).await;
    assert_eq!(one + other, 20.0, "each once");
    assert!(one >= 5.0 && other >= 5.0, "{one} and {other}");
    let books = first.books().await;
    assert_eq!((books.reserved, books.available + books.posted), (0, 20));
}

#[tokio::test]
async fn a_node_that_is_alone_keeps_what_waits_and_one_that_comes_has_its_share_of_it() {
    let site = Site::start(&[]).await;
    let ground = Ground::new().await;
    let first = of_places(&ground, &site, 2, 20).await;
    let someone = first.someone(12).await;
    let orders = streams(&first, &someone, 12).await;
    until_held([&first], [12.0]).await;
    let second = of_places(&ground, &site, 2, 20).await;
    until_held([&first, &second], [2.0, 2.0]).await;
    drop(second);
    // What it had begun goes back, and the first has it all again.
    until_held([&first], [12.0]).await;
    site.let_go();
    hear_their_ends(orders).await;
    let books = first.books().await;
    assert_eq!((books.reserved, books.available + books.posted), (0, 12));
}

#[tokio::test]
async fn what_waits_on_all_nodes_is_bounded_together_and_ends_with_the_last_of_them() {
    let site = Site::start(&[]).await;
    let ground = Ground::new().await;
    let node = async || {
        let bounded = |settings: &mut Settings| settings.engine.queue_max = 3;
        of_places_with(&ground, &site, (1, 20), bounded).await
    };
    let (mut first, mut second) = (node().await, node().await);
    until_met(&first, &second).await;
    let someone = first.someone(9).await;
    let order = async |node: &App| {
        let request = node.post("/api/v1/generate").key(&someone.key);
        let request = request.header("Prefer", "respond-async");
        request.form(&[Part::Text("source", TEXT)]).send().await
    };
    for runs in 1..=5_usize {
        assert_eq!(order(&first).await.status, 202);
        let due = [runs.min(2), runs.max(2) - 2];
        while statuses(&first, &someone, ["running", "queued"]).await != due {}
    }
    for node in [&first, &second] {
        assert_eq!(order(node).await.refusal().0, 429);
    }
    first.stop();
    second.stop();
    assert!(first.ended() && second.ended());
    let books = first.books().await;
    assert_eq!((books.available, books.reserved), (9, 0), "given back");
}

#[tokio::test]
async fn an_account_that_orders_more_than_it_may_run_keeps_no_other_from_a_place() {
    let site = Site::start(&[]).await;
    let ground = Ground::new().await;
    let first = of_places(&ground, &site, 2, 1).await;
    let second = of_places(&ground, &site, 2, 1).await;
    until_met(&first, &second).await;
    let (greedy, modest) = (first.someone(12).await, first.someone(1).await);
    let mut orders = streams(&first, &greedy, 12).await;
    while statuses(&second, &greedy, ["running", "queued"]).await != [1, 11] {}
    orders.extend(streams(&first, &modest, 1).await);
    while statuses(&second, &modest, ["running"]).await != [1] {}
    assert_eq!(statuses(&second, &greedy, ["running"]).await, [1]);
    site.let_go();
    hear_their_ends(orders).await;
    first.books().await;
}

#[tokio::test]
async fn a_key_that_is_revoked_or_an_account_that_is_restricted_is_refused_by_every_node_within_a_second()
 {
    let ground = Ground::new().await;
    let (first, second) = (ground.node().await, ground.node().await);
    let both = [&first, &second];
    let (someone, another) = (first.someone(0).await, first.someone(0).await);
    for node in both {
        assert_eq!(credits(node, &someone).await.status, 200);
        assert_eq!(credits(node, &another).await.status, 200);
    }
    first.admin.revoke(&someone.key_id).await.expect("revoked");
    let restricted = second.admin.set_restricted(&another.email, true).await;
    restricted.expect("restricted");
    for node in both {
        node.clock.advance(Duration::from_secs(1));
        for refused in [&someone, &another] {
            let answer = credits(node, refused).await;
            assert_eq!(answer.refusal(), (403, "FORBIDDEN".into()));
        }
    }
}

#[tokio::test]
async fn what_a_node_of_the_api_is_asked_a_worker_carries_out_and_its_stream_tells_it() {
    let ground = Ground::new().await;
    let node = async |role| {
        let node = ground.node_with(|settings| settings.server.role = role);
        node.await
    };
    let (api, worker) = (node(Role::Api).await, node(Role::Worker).await);
    let someone = api.someone(2).await;
    let file = Part::File("files", "kiln.md", TEXT.as_bytes());
    let uploaded = api
        .post("/api/upload")
        .key(&someone.key)
        .form(&[file])
        .send()
        .await;
    let order = serde_json::json!({ "source_ids": [uploaded.json()["sources"][0]["id"]] });
    let stream = api
        .post("/api/generate")
        .key(&someone.key)
        .json(&order)
        .send()
        .await;
    let events = stream.events();
    let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        ["progress", "progress", "progress", "complete"],
        "{}",
        stream.text()
    );
    let text = [Part::Text("source", TEXT)];
    let made = api
        .post("/api/v1/generate")
        .key(&someone.key)
        .form(&text)
        .send()
        .await;
    assert_eq!(made.status, 200, "{}", made.text());
    let books = api.books().await;
    assert_eq!((books.available, books.reserved, books.posted), (0, 0, 2));

    let page = Request::new(worker.operators, "GET", "/ops/observe").by_number();
    let mut nodes = Vec::new();
    while nodes.len() < 2 {
        let seen = page.clone().send().await.json();
        nodes = seen["nodes"].as_array().expect("a list").clone();
    }
    let roles: Vec<_> = nodes.iter().map(|node| &node["role"]).collect();
    assert_eq!(roles, ["worker", "api"], "this one first");

    let asked = Request::new(worker.public, "GET", "/api/v1/credits").key(&someone.key);
    assert_eq!(
        asked.send().await.status,
        404,
        "operators alone are answered"
    );
}

#[tokio::test]
async fn who_repeats_an_order_on_another_node_gets_the_end_of_the_run_there() {
    let ground = Ground::new().await;
    let (first, second) = (ground.watched(|_| {}).await, ground.watched(|_| {}).await);
    let site = Site::start(&[("/slow", 200, PAGE)]).await;
    site.hold();
    let someone = first.someone(1).await;
    let page = site.page("/slow");
    let order = async |node: &App| {
        let request = node.post("/api/v1/generate").key(&someone.key);
        let request = request.header("Idempotency-Key", "once");
        request.form(&[Part::Text("source", &page)]).send().await
    };
    let joining = async {
        let history = second.get("/api/v1/generations").key(&someone.key);
        while history.clone().send().await.json()["total"] != 1 {}
        let letting_go = async { site.let_go() };
        join(order(&second), letting_go).await.0
    };
    let (one, other) = join(order(&first), joining).await;
    assert_eq!((one.status, other.status), (200, 200), "{}", other.text());
    assert_eq!(one.json(), other.json());
    first.books().await;
}

#[tokio::test]
async fn what_happens_to_a_run_is_called_out_to_other_nodes_and_what_is_lost_is_asked_for() {
    let mut redis = Redis::start();
    let url = redis.url();
    let relay = || {
        let relay = Relay::new(&url).expect("an address");
        tokio::spawn(relay.clone().keep());
        relay
    };
    let (here, there) = (relay(), relay());
    let until = async |is_joined: bool| {
        while [&here, &there]
            .iter()
            .any(|relay| relay.is_joined() != is_joined)
        {
            tokio::task::yield_now().await;
        }
    };
    until(true).await;
    let run_id = RunId::new();
    let mut followed = there.follow(run_id);
    // Of other runs nothing is heard.
    here.tell(RunId::new(), News::Ended);
    here.tell(run_id, News::Entered(Stage::Synthesizing));
    assert_eq!(followed.next().await, (Some(Stage::Synthesizing), false));
    here.tell(run_id, News::Ended);
    assert_eq!(followed.next().await, (Some(Stage::Synthesizing), true));

    redis.kill();
    until(false).await;
    here.tell(run_id, News::Ended);
    redis.start_again();
    assert_eq!(
        followed.next().await,
        (Some(Stage::Synthesizing), true),
        "nobody knows what was missed"
    );
}

/// Asks a node for what it says of the node with this identity, until it is so.
async fn until_seen(node: &App, id: &str, standing: &str) {
    let is_it = |one: &Value| one["id"] == id && one["standing"] == standing;
    while !observed(node).await["nodes"]
        .as_array()
        .is_some_and(|nodes| nodes.iter().any(is_it))
    {}
}

#[tokio::test]
async fn an_operator_takes_a_node_out_of_work_on_the_page_of_another() {
    let ground = Ground::new().await;
    let first = ground.watched(|settings| settings.engine.running_max = 1);
    let (first, second) = (first.await, ground.watched(|_| {}).await);
    let id = observed(&first).await["nodes"][0]["id"].clone();
    let id = id.as_str().expect("an identity");
    until_seen(&second, id, "working").await;
    let wish = async |node: &App, id: &str, wish: &str| {
        let path = format!("/ops/nodes/{id}/{wish}");
        press(node, &path, "http://test").await.status
    };
    assert_eq!(wish(&second, "00000000", "cordon").await, 404);
    assert_eq!(wish(&second, id, "dance").await, 404);

    // One run has the only place of the first node, and another waits for it.
    let site = Site::start(&[("/slow/kiln", 200, PAGE)]).await;
    let (slow, quick) = (first.someone(1).await, first.someone(1).await);
    let page = site.page("/slow/kiln");
    let order = async |someone: &Someone, source: &str| {
        let request = first.post("/api/v1/generate").key(&someone.key);
        let answer = request.form(&[Part::Text("source", source)]).send().await;
        (answer.status, answer.text().to_owned())
    };
    let draining = async {
        let ordered = async |someone: &Someone| {
            let history = first.get("/api/v1/generations").key(&someone.key);
            while history.clone().send().await.json()["total"] != 1 {}
        };
        ordered(&slow).await;
        let answered = order(&quick, TEXT);
        let draining = async {
            ordered(&quick).await;
            while wish(&second, id, "drain").await == 409 {}
            until_seen(&second, id, "cordoned").await;
        };
        let (answered, ()) = join(answered, draining).await;
        assert_eq!(answered.0, 200, "{}", answered.1);
        site.let_go();
    };
    let (answered, ()) = join(order(&slow, &page), draining).await;
    assert_eq!(answered.0, 200, "what had begun goes on: {}", answered.1);
    let ready = Request::new(first.operators, "GET", "/readyz");
    let answer = ready.clone().send().await;
    assert_eq!(
        (answer.status, answer.json()["status"].as_str()),
        (503, Some("cordoned"))
    );
    assert_eq!(wish(&first, id, "uncordon").await, 303);
    assert_eq!(ready.send().await.status, 200);
    until_seen(&second, id, "working").await;
    first.books().await;
}

#[tokio::test]
async fn digests_are_told_for_seconds_and_what_nobody_can_read_is_nothing() {
    let mut redis = Redis::start();
    let digests = || Digests::new(&redis.url()).expect("an address");
    let (here, there) = (digests(), digests());
    let nodes = ["a", "b", "c", "d"].map(str::to_owned);
    assert_eq!(there.of(&nodes).await, None, "it has not joined");
    let ledgers = Digest {
        actors: Some(vec![ActorDigest {
            kind: "ledger".to_owned(),
            alive: Some(3),
            ..ActorDigest::default()
        }]),
        ..Digest::default()
    };
    here.tell("a", &ledgers).await;
    there.tell("b", &Digest::default()).await;
    let client = redis::Client::open(redis.url()).expect("an address");
    let hands = client.get_multiplexed_async_connection().await;
    let mut hands = hands.expect("it answers");
    let mut plant = redis::cmd("SET");
    plant.arg("skillkiln:digest:c").arg(&b"\xff{"[..]);
    plant.query_async::<()>(&mut hands).await.expect("planted");
    let heard = HashMap::from([
        ("a".to_owned(), ledgers.clone()),
        ("b".to_owned(), Digest::default()),
    ]);
    assert_eq!(there.of(&nodes).await, Some(heard));
    assert_eq!(there.of(&[]).await, Some(HashMap::new()));
    let mut left = redis::cmd("PTTL");
    left.arg("skillkiln:digest:a");
    let left: u64 = left.query_async(&mut hands).await.expect("an answer");
    assert!((1..=10_000).contains(&left), "{left} ms");

    redis.kill();
    assert_eq!(there.of(&nodes).await, None);
    here.tell("a", &ledgers).await;
    redis.start_again();
    here.tell("a", &ledgers).await;
    there.tell("b", &Digest::default()).await;
    let heard = there.of(&nodes).await.expect("it is back");
    assert_eq!(heard.get("a"), Some(&ledgers));
}

/// Asks a node until it says this of the node with this identity.
async fn until_told(node: &App, id: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    loop {
        let seen = observed(node).await;
        let mut nodes = seen["nodes"].as_array().expect("nodes").iter();
        if let Some(one) = nodes.find(|one| one["id"] == id && is_so(one)) {
            return one.clone();
        }
    }
}

#[tokio::test]
async fn the_actors_of_each_node_are_seen_on_the_page_of_any_and_without_redis_those_of_its_own() {
    let mut ground = Ground::new().await;
    let (first, second) = (ground.watched(|_| {}).await, ground.watched(|_| {}).await);
    let someone = first.someone(0).await;
    assert_eq!(credits(&first, &someone).await.status, 200);
    let ids =
        [&first, &second].map(|node| async { observed(node).await["nodes"][0]["id"].clone() });
    let ids = join_all(ids).await;
    let ids: Vec<&str> = ids
        .iter()
        .map(|id| id.as_str().expect("an identity"))
        .collect();
    let is_told = |node: &Value| node["actors"].is_array();
    // What somebody asked there is in the numbers.
    let has_limiter = |node: &Value| {
        let actors = node["actors"].as_array();
        actors.is_some_and(|actors| {
            let mut actors = actors.iter();
            actors.any(|it| it["kind"] == "limiter" && it["alive"].as_u64() >= Some(1))
        })
    };
    let told = until_told(&second, ids[0], has_limiter).await;
    assert_eq!(told["hanging"], json!([]));
    until_told(&first, ids[1], is_told).await;
    let page = async |node: &App| {
        let page = Request::new(node.operators, "GET", "/ops").send().await;
        page.text().to_owned()
    };
    let rows = |page: &str| {
        ids.iter()
            .filter(|id| page.contains(&format!("actors-of-{id}")))
            .count()
    };
    for node in [&first, &second] {
        let page = page(node).await;
        assert!(rows(&page) == 2 && !page.contains("not told"), "{page}");
    }

    // Somebody forgets a node that was cordoned.
    let cordon = format!("/ops/nodes/{}/cordon", ids[0]);
    assert_eq!(press(&first, &cordon, "http://test").await.status, 303);
    let cordoned = until_told(&second, ids[0], |node| node["cordoned_at"].is_string()).await;
    assert_eq!(cordoned["standing"], "cordoned");
    assert!(!page(&second).await.contains("forgotten"));
    second.clock.advance(Duration::from_secs(7_500));
    let text = page(&second).await;
    let verdict = format!("The node {} has been cordoned for 2 h 05 min", ids[0]);
    assert!(
        text.contains(&verdict) && text.contains("forgotten"),
        "{text}"
    );
    let uncordon = format!("/ops/nodes/{}/uncordon", ids[0]);
    assert_eq!(press(&first, &uncordon, "http://test").await.status, 303);
    let working = until_told(&second, ids[0], |node| node["standing"] == "working").await;
    assert_eq!(working["cordoned_at"], Value::Null);

    ground.redis.kill();
    let untold = until_told(&second, ids[0], |node| node["actors"].is_null()).await;
    assert_eq!(untold["standing"], "working", "the database still names it");
    until_degraded(&[&second], true).await;
    let text = page(&second).await;
    assert!(rows(&text) == 2, "{text}");
    assert_eq!(
        text.matches("not told: the server that nodes share does not answer")
            .count(),
        1
    );
    assert!(
        is_told(&until_told(&second, ids[1], is_told).await),
        "its own"
    );
    ground.redis.start_again();
    until_told(&second, ids[0], is_told).await;
}

#[tokio::test]
async fn nodes_that_stop_together_hand_nothing_to_each_other() {
    let ground = Ground::new().await;
    let (mut first, mut second) = (ground.node().await, ground.node().await);
    let site = Site::start(&[("/slow/kiln", 200, PAGE)]).await;
    let page = site.page("/slow/kiln");
    for node in [&first, &second] {
        let id = observed(node).await["nodes"][0]["id"].clone();
        let other = if std::ptr::eq(node, &first) {
            &second
        } else {
            &first
        };
        until_seen(other, id.as_str().expect("an identity"), "working").await;
    }
    let (one, other) = (first.someone(1).await, first.someone(1).await);
    let order = |node: &App, someone: &Someone| {
        let request = node.post("/api/v1/generate").key(&someone.key);
        let order = request.form(&[Part::Text("source", &page)]);
        tokio::spawn(async move { order.send().await.status })
    };
    let orders = [order(&first, &one), order(&second, &other)];
    while first
        .admin
        .verify_books()
        .await
        .expect("the books")
        .reserved
        != 2
    {}
    first.stop();
    second.stop();
    for order in orders {
        assert_eq!(order.await.expect("answered"), 500);
    }
    assert!(first.ended() && second.ended());
    let books = first.books().await;
    assert_eq!((books.available, books.reserved), (2, 0), "given back");
}

#[tokio::test]
async fn without_redis_each_node_admits_its_share_and_tells_it_and_afterwards_the_limit_is_exact_again()
 {
    let mut ground = Ground::new().await;
    let (first, second) = (ground.node().await, ground.node().await);
    let both = [&first, &second];
    let someone = first.someone(0).await;
    assert_eq!(admitted(&both, &someone, 20).await, 20);
    let orders = || first.post("/api/v1/generate").key(&someone.key);

    ground.redis.kill();
    until_degraded(&both, true).await;
    assert_eq!(metric(&second, "skillkiln_ratelimit_shared ").await, 0.0);
    // Each has seen the other by now, and knows what it admitted before.
    let probe = first.someone(0).await;
    for node in both {
        while credits(node, &probe).await.number("x-ratelimit-limit") != 30 {}
    }
    assert_eq!(
        orders().form(&[]).send().await.number("x-ratelimit-limit"),
        5
    );
    for node in both {
        assert_eq!(admitted(&[node], &someone, 40).await, 20);
    }

    ground.redis.start_again();
    until_degraded(&both, false).await;
    // It holds what was admitted before it was lost and without it.
    assert_eq!(admitted(&both, &someone, 10).await, 0);
    let another = first.someone(0).await;
    assert_eq!(admitted(&both, &another, 90).await, 60);
}

#[tokio::test]
async fn a_node_starts_without_redis_and_joins_when_it_is_there() {
    let mut ground = Ground::new().await;
    ground.redis.kill();
    let node = ground.node().await;
    assert!(is_degraded(node.operators).await);
    let someone = node.someone(0).await;
    assert_eq!(admitted(&[&node], &someone, 70).await, 60, "it is alone");
    ground.redis.start_again();
    until_degraded(&[&node], false).await;
    assert_eq!(admitted(&[&node], &someone, 5).await, 0);
}

#[tokio::test]
async fn a_node_with_another_pepper_or_files_in_its_own_folder_refuses_to_start_and_says_why() {
    let ground = Ground::new().await;
    let first = ground.node().await;
    let someone = first.someone(0).await;
    let folder = TempDir::new().expect("a folder");
    let other = folder.path().join("pepper");
    std::fs::write(&other, "6f".repeat(32)).expect("written");
    let same = ground.secrets.path().join("pepper");
    for (pepper, home, named) in [
        (other, BlobHome::Database, "pepper"),
        (same, BlobHome::Folder, "blobs.home"),
    ] {
        let mut settings = Settings::default();
        settings.database.url = ground.database.url();
        settings.storage.path = folder.path().to_owned();
        settings.auth.pepper_file = pepper;
        settings.blobs.home = home;
        let clock = first.clock.clone();
        let start = move || {
            let starting = services::start(&settings, clock);
            actix_rt::System::new().block_on(starting).map(|_| ())
        };
        let started = std::thread::spawn(start).join().expect("no panic");
        let words = started.expect_err("it refuses");
        assert!(words.contains(named), "{words}");
    }
    assert_eq!(credits(&first, &someone).await.status, 200);
}
