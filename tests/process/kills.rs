//! `kill -9` under load, at every stage, on one node and on two: each run ends once, no credit is lost or doubled, and of two nodes the
//! other one takes up what was left behind within [`TAKEN_OVER`], and ends it.
//!
//! `SKILLKILN_TEST_KILLS` says how often in each of the two, here as often as there are moments; `scripts/test` does it fifty times.

use crate::service::{Service, client, generate, upload};
use crate::site::Site;
use futures_util::future::{join_all, select_all};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;

/// When the node is killed. Some pages are always being read then.
#[derive(Debug, Clone, Copy)]
enum Moment {
    /// The orders are on their way.
    Ordered,
    /// A run is charged and has not begun, because as many are under way as the account may have.
    Charged,
    /// One more page is being read.
    Extracting,
    /// Somebody who follows a run is told so.
    Heard(&'static str),
    /// The account shows the end of a run, which was committed just now; whoever waits for it may not have heard.
    Committed,
    /// So many orders are answered.
    Answered(usize),
}

const MOMENTS: [Moment; 8] = [
    Moment::Ordered,
    Moment::Charged,
    Moment::Extracting,
    Moment::Heard("synthesizing"),
    Moment::Heard("validating"),
    Moment::Committed,
    Moment::Answered(1),
    Moment::Answered(5),
];

/// Runs that an account may have under way; see [`Service`].
const RUNNING: usize = 8;
/// At most so many credits are taken by one round.
const A_ROUND: usize = RUNNING + 8;
/// Pairs of nodes that are tried at once: most of the time they wait for a lease to run out.
const PAIRS: usize = 10;
/// Within this time after a node was killed the other one has taken up what it held.
const TAKEN_OVER: Duration = Duration::from_secs(15);
/// How often the account is looked at meanwhile.
const LOOK: Duration = Duration::from_millis(100);

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
async fn hear(client: &reqwest::Client, address: &str, key: &str, text: String, stage: &str) {
    let uploaded = upload(client, address, key, &text).await;
    let uploaded: Value = uploaded.json().await.unwrap();
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

/// Nodes on one database, and an account there.
struct Nodes {
    nodes: Vec<Service>,
    key: String,
    credits: usize,
    client: reqwest::Client,
}

impl Nodes {
    /// Starts them, with credits for so many rounds.
    fn serve(mut nodes: Vec<Service>, rounds: usize) -> Self {
        let credits = A_ROUND * rounds;
        let key = nodes[0].key(u32::try_from(credits).unwrap());
        nodes.iter_mut().for_each(Service::serve);
        Self {
            nodes,
            key,
            credits,
            client: client(),
        }
    }

    /// Kills one of them while orders come to all, and starts it again when its runs have ended elsewhere. Answers after how long they were
    /// taken up, where there is an elsewhere.
    async fn kill(&mut self, round: usize) -> Option<Duration> {
        let (site, moment) = (Site::start(), MOMENTS[round % MOMENTS.len()]);
        let doomed = (round + round / MOMENTS.len()) % self.nodes.len();
        let made = self.account(doomed).await["total_generations"].as_u64();
        let order = |place: usize, source: String| {
            let (client, key) = (self.client.clone(), self.key.clone());
            let address = self.nodes[place % self.nodes.len()].address().to_owned();
            tokio::spawn(async move {
                let answer = generate(&client, &address, &key, source).await;
                answer.map(|answer| answer.status().as_u16())
            })
        };
        let held = match moment {
            Moment::Charged => RUNNING,
            _ => 2,
        };
        let mut orders: Vec<_> = (0..held)
            .map(|page| order(doomed, site.page(page)))
            .collect();
        site.wait_for(held);
        orders.extend((0..6).map(|number| order(doomed + number, text(round, number))));
        let address = self.nodes[doomed].address();
        match moment {
            Moment::Ordered => {}
            Moment::Charged => {
                let queued = |history: &Value| {
                    let runs = history["generations"].as_array().unwrap();
                    runs.iter().any(|run| run["status"] == "queued")
                };
                let path = "/api/v1/generations";
                self.nodes[doomed].until(&self.key, path, queued).await;
            }
            Moment::Extracting => {
                orders.push(order(doomed, site.page(held)));
                site.wait_for(1);
            }
            Moment::Heard(stage) => {
                hear(&self.client, address, &self.key, text(round, 9), stage).await;
            }
            Moment::Committed => {
                let ended = |account: &Value| account["total_generations"].as_u64() > made;
                let path = "/api/v1/credits";
                self.nodes[doomed].until(&self.key, path, ended).await;
            }
            Moment::Answered(count) => {
                for _ in 0..count {
                    // Those for pages come first, and are answered last.
                    let (answer, _, rest) = select_all(orders).await;
                    assert_eq!(answer.unwrap().unwrap(), 200);
                    orders = rest;
                }
            }
        }
        let killed = Instant::now();
        self.nodes[doomed].kill();
        site.open();
        let mut took = None;
        if self.nodes.len() > 1 {
            // What was being read is read once more by the one that lives.
            site.wait_for(held);
            let elapsed = killed.elapsed();
            assert!(
                elapsed < TAKEN_OVER,
                "round {round}, {moment:?}: {elapsed:?}"
            );
            took = Some(elapsed);
        }
        for answer in join_all(orders).await {
            // Whoever waited at the node that died is told nothing; all others are served.
            let status = answer.unwrap().unwrap_or(200);
            assert_eq!(status, 200, "round {round}, {moment:?}");
        }
        let books = self.nodes[doomed].ok(&["ledger", "verify"]);
        assert!(books.contains("balance"), "{books}");
        if took.is_some() {
            self.ended((doomed + 1) % self.nodes.len()).await;
        }
        self.nodes[doomed].serve();
        took
    }

    async fn account(&self, node: usize) -> Value {
        self.nodes[node]
            .ask(&self.client, &self.key, "/api/v1/credits")
            .await
    }

    /// Waits until no run of the account is under way, as one of the nodes shows it.
    async fn ended(&self, node: usize) {
        let mut look = tokio::time::interval(LOOK);
        loop {
            look.tick().await;
            let account = self.account(node).await;
            let number = |name: &str| usize::try_from(account[name].as_u64().unwrap()).unwrap();
            // A generation costs a credit, and one that fails gives it back: what is missing is under way.
            if number("credits_remaining") + number("total_generations") == self.credits {
                return;
            }
        }
    }

    /// Goes through rounds, the numbers of which say where and when is killed, and answers how long each takeover took.
    async fn kill_again_and_again(mut self, rounds: &[usize]) -> Vec<Duration> {
        let mut took = Vec::new();
        for round in rounds {
            took.extend(self.kill(*round).await);
        }
        self.ended(0).await;
        let made = self.account(0).await["total_generations"].as_u64();
        assert!(made >= Some(rounds.len() as u64), "{made:?}");
        let books = self.nodes[0].ok(&["ledger", "verify"]);
        assert!(books.contains("balance"), "{books}");
        took
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_run_ends_once_however_often_the_only_node_is_killed() {
    let rounds: Vec<usize> = (0..kills()).collect();
    let only = Nodes::serve(vec![Service::new()], rounds.len());
    only.kill_again_and_again(&rounds).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_run_ends_once_within_seconds_however_often_one_of_two_nodes_is_killed() {
    let rounds: Vec<usize> = (0..kills()).collect();
    let each = rounds.len().div_ceil(PAIRS).max(4);
    let pairs = rounds.chunks(each).map(|rounds| {
        let rounds = rounds.to_vec();
        let here = Handle::current();
        let pair = async move {
            let first = Service::on_postgres().await;
            // The pepper is made with the first key.
            first.key(1);
            let second = first.beside();
            let nodes = Nodes::serve(vec![first, second], rounds.len());
            nodes.kill_again_and_again(&rounds).await
        };
        // A thread for each: they wait for processes that start and end.
        tokio::task::spawn_blocking(move || here.block_on(pair))
    });
    let took = join_all(pairs).await.into_iter().flat_map(Result::unwrap);
    let mut took: Vec<Duration> = took.collect();
    took.sort_unstable();
    println!(
        "{} of {} taken over within {TAKEN_OVER:?}, the median after {:.1?}, the last after {:.1?}",
        took.len(),
        rounds.len(),
        took[took.len() / 2],
        took[took.len() - 1]
    );
    assert_eq!(took.len(), rounds.len());
}
