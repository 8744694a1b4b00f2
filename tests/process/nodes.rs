//! Two nodes on one PostgreSQL and one Redis, as operators see them from either: on the page and in `top --all`.

use crate::redis_server::Redis;
use crate::service::{Service, client, generate};
use crate::site::Site;
use serde_json::Value;
use std::time::{Duration, Instant};

/// Within this time nodes have told each other what they are, and a dead one is gone.
const SEEN_WITHIN: Duration = Duration::from_secs(15);

fn top(node: &Service, how: &str) -> String {
    node.ok(&["top", "--url", node.operators(), "--all", how])
}

/// What a node says of all nodes, itself first.
fn nodes(node: &Service) -> Vec<Value> {
    let said: Value = serde_json::from_str(&top(node, "--json")).unwrap();
    said["nodes"].as_array().unwrap().clone()
}

/// Asks a node about all nodes until that is so.
fn until(node: &Service, is_so: impl Fn(&[Value]) -> bool) -> Vec<Value> {
    let begun = Instant::now();
    loop {
        let seen = nodes(node);
        if is_so(&seen) {
            return seen;
        }
        assert!(begun.elapsed() < SEEN_WITHIN, "{seen:#?}");
    }
}

/// Whether everything is told of a node.
fn is_told(node: &Value) -> bool {
    let has_ledger = |actors: &Vec<Value>| {
        let mut actors = actors.iter();
        actors.any(|actor| actor["kind"] == "ledger" && actor["handled_per_s"].is_f64())
    };
    node["version"] == env!("CARGO_PKG_VERSION")
        && node["standing"] == "working"
        && node["uptime_s"].as_f64() > Some(0.0)
        && node["cores"].is_f64()
        && node["hanging"] == Value::Array(Vec::new())
        && node["actors"].as_array().is_some_and(has_ledger)
}

fn alive(node: &Value, kind: &str) -> u64 {
    let actors = node["actors"].as_array().unwrap();
    let actor = actors.iter().find(|actor| actor["kind"] == kind);
    actor.unwrap()["alive"].as_u64().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn both_nodes_are_seen_from_either_with_their_actors_and_one_that_is_killed_is_gone() {
    let mut redis = Redis::start();
    let mut api = Service::on_postgres().await;
    let key = api.key(1);
    let mut carrier = api.beside();
    let cluster = format!("[cluster]\nurl = \"{}\"\n", redis.url());
    api.write(
        "config.toml",
        &format!("{cluster}[server]\nrole = \"api\"\n"),
    );
    carrier.write("config.toml", &cluster);
    api.serve();
    carrier.serve();

    // A run that is ordered on one and carried out by the other.
    let site = Site::start();
    let order = tokio::spawn({
        let (address, page) = (api.address().to_owned(), site.page(0));
        async move { generate(&client(), &address, &key, page).await.unwrap() }
    });
    site.wait_for(1);
    let by_role = |seen: &[Value], role: &str| -> Option<Value> {
        seen.iter().find(|node| node["role"] == role).cloned()
    };
    let mut ids = Vec::new();
    for looker in [&api, &carrier] {
        let seen = until(looker, |seen| {
            let carrier = by_role(seen, "all");
            let works = carrier.as_ref().is_some_and(|node| {
                is_told(node)
                    && (&node["held"], &node["runs"]) == (&1.into(), &1.into())
                    && alive(node, "extractor") == 1
            });
            works && by_role(seen, "api").is_some_and(|node| is_told(&node))
        });
        assert_eq!(seen.len(), 2, "{seen:#?}");
        let (one, other) = (&seen[0], &seen[1]);
        assert_eq!(
            (&one["is_this"], &other["is_this"]),
            (&true.into(), &false.into())
        );
        let of_api = by_role(&seen, "api").unwrap();
        assert_eq!(of_api["runs"], 0, "it leaves runs to the other");
        assert_eq!(alive(&of_api, "extractor"), 0);

        let id = |node: &Value| node["id"].as_str().unwrap().to_owned();
        ids = vec![id(&of_api), id(&by_role(&seen, "all").unwrap())];
        let page = top(looker, "--once");
        for (id, role, runs) in [(&ids[0], "api", "0"), (&ids[1], "all", "1")] {
            let rows: Vec<Vec<&str>> = page
                .lines()
                .filter(|line| line.starts_with(&**id))
                .map(|line| line.split_whitespace().collect())
                .collect();
            let [node, actors] = &rows[..] else {
                panic!("{id} is a node and has actors in\n{page}")
            };
            assert_eq!(node[1..4], [env!("CARGO_PKG_VERSION"), role, "working"]);
            assert_eq!(node.last(), Some(&runs), "{page}");
            assert!(actors.len() > 9, "every kind in\n{page}");
        }
        let (status, page) = looker.admin("/ops").await;
        assert_eq!(status, 200);
        for id in &ids {
            let row = format!("id=\"actors-of-{id}\"");
            assert!(page.contains(&row), "{row} in\n{page}");
        }
        assert!(!page.contains("not told"), "{page}");
    }
    site.open();
    assert_eq!(order.await.unwrap().status(), 200);

    // However the server that they share is away, a node knows itself, and afterwards the other again.
    let knows_both = |seen: &[Value]| seen.len() == 2 && seen.iter().all(is_told);
    let knows_itself =
        |seen: &[Value]| seen.len() == 2 && is_told(&seen[0]) && seen[1]["actors"] == Value::Null;
    redis.hang();
    until(&api, knows_itself);
    redis.go_on();
    until(&api, knows_both);
    redis.kill();
    until(&api, knows_itself);
    redis.start_again();
    until(&api, knows_both);

    carrier.kill();
    let left = until(&api, |seen| seen.len() == 1);
    assert_eq!(left[0]["id"], *ids[0]);
    assert!(!top(&api, "--once").contains(&*ids[1]));
}
