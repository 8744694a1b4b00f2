//! `kill -9` under load, at every stage, on one node and on two: each run ends once, and no credit is lost or doubled.
//!
//! `SKILLKILN_TEST_KILLS` says how often, here as often as there are moments.

use crate::service::{Service, client, generate};
use crate::site::Site;
use futures_util::future::join_all;
use serde_json::{Value, json};

/// When the node is killed.
#[derive(Debug, Clone, Copy)]
enum Moment {
    /// The orders are on their way.
    Ordered,
    /// A page is being read.
    Extracting,
    /// Somebody who follows a run is told so.
    Heard(&'static str),
    /// So many orders are answered.
    Answered(usize),
}

const MOMENTS: [Moment; 6] = [
    Moment::Ordered,
    Moment::Extracting,
    Moment::Heard("synthesizing"),
    Moment::Heard("validating"),
    Moment::Answered(1),
    Moment::Answered(5),
];

fn kills() -> usize {
    let set = std::env::var("SKILLKILN_TEST_KILLS");
    set.map_or(MOMENTS.len(), |set| set.parse().expect("a number"))
}

fn text(round: usize, number: usize) -> String {
    format!(
        "# Kiln {round}.{number}\n\nFire the pots at nine hundred degrees. You must close the lid first, and keep it closed until the gauge is below two hundred.\n"
    )
}

/// Uploads a text, orders a skill of it in the application, and returns when the stream tells of a stage, or has ended.
async fn hear(address: &str, key: &str, text: String, stage: &str) {
    const EDGE: &str = "edge-of-a-part";
    let body = format!(
        "--{EDGE}\r\nContent-Disposition: form-data; name=\"files\"; filename=\"kiln.md\"\r\nContent-Type: text/markdown\r\n\r\n{text}\r\n--{EDGE}--\r\n"
    );
    let client = client();
    let uploaded = client
        .post(format!("{address}/api/upload"))
        .bearer_auth(key)
        .header(
            "Content-Type",
            format!("multipart/form-data; boundary={EDGE}"),
        )
        .body(body)
        .send();
    let uploaded: Value = uploaded.await.unwrap().json().await.unwrap();
    let ordered = client
        .post(format!("{address}/api/generate"))
        .bearer_auth(key)
        .json(&json!({ "source_ids": [uploaded["sources"][0]["id"]] }))
        .send();
    let mut answer = ordered.await.unwrap();
    assert_eq!(answer.status(), 200);
    let mut heard = String::new();
    while let Ok(Some(bytes)) = answer.chunk().await {
        heard.push_str(&String::from_utf8_lossy(&bytes));
        if heard.contains(stage) {
            return;
        }
    }
}

/// Kills one of the nodes while orders come to all of them, and starts it again.
async fn kill(nodes: &mut [Service], key: &str, round: usize) {
    let (site, moment) = (Site::start(), MOMENTS[round % MOMENTS.len()]);
    let doomed = round / MOMENTS.len() % nodes.len();
    let order = |place: usize, source: String| {
        let (client, key) = (client(), key.to_owned());
        let address = nodes[place % nodes.len()].address().to_owned();
        tokio::spawn(async move {
            let answer = generate(&client, &address, &key, source).await;
            answer.map(|answer| answer.status().as_u16())
        })
    };
    let pages = (0..2).map(|page| order(doomed, site.page(page)));
    let texts = (0..6).map(|number| order(doomed + number, text(round, number)));
    let mut orders: Vec<_> = texts.chain(pages).collect();
    match moment {
        Moment::Ordered => {}
        Moment::Extracting => site.wait_for(1),
        Moment::Heard(stage) => {
            let address = nodes[doomed].address();
            hear(address, key, text(round, 9), stage).await;
        }
        Moment::Answered(count) => {
            for _ in 0..count {
                let (answer, _, rest) = futures_util::future::select_all(orders).await;
                assert_eq!(answer.unwrap().unwrap(), 200);
                orders = rest;
            }
        }
    }
    nodes[doomed].kill();
    site.open();
    for answer in join_all(orders).await {
        // Whoever waited at the node that died is told nothing; all others are served.
        let status = answer.unwrap().unwrap_or(200);
        assert_eq!(status, 200, "round {round}, {moment:?}");
    }
    let books = nodes[doomed].ok(&["ledger", "verify"]);
    assert!(books.contains("balance"), "{books}");
    nodes[doomed].serve();
}

async fn every_run_ends_once_however_often_its_node_is_killed(mut nodes: Vec<Service>) {
    let credits = 100 + 12 * kills();
    let key = nodes[0].key(u32::try_from(credits).unwrap());
    nodes.iter_mut().for_each(Service::serve);
    for round in 0..kills() {
        kill(&mut nodes, &key, round).await;
    }
    // A generation costs a credit, and one that fails gives it back: what is missing is under way.
    let all_ended = |account: &Value| {
        let number = |name: &str| usize::try_from(account[name].as_u64().unwrap_or(0));
        let left = number("credits_remaining").unwrap();
        left + number("total_generations").unwrap() == credits
    };
    let account = nodes[0].until(&key, "/api/v1/credits", all_ended).await;
    assert!(
        account["total_generations"].as_u64() >= Some(6),
        "{account}"
    );
    let books = nodes[0].ok(&["ledger", "verify"]);
    assert!(books.contains("balance"), "{books}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_run_ends_once_however_often_the_only_node_is_killed() {
    every_run_ends_once_however_often_its_node_is_killed(vec![Service::new()]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_run_ends_once_however_often_one_of_two_nodes_is_killed() {
    let first = Service::on_postgres().await;
    // The pepper is made with the first key.
    first.key(1);
    let second = first.beside();
    every_run_ends_once_however_often_its_node_is_killed(vec![first, second]).await;
}
