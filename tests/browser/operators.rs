//! An operator looks on while skills are made, cancels one, and its owner's credit is back.

use crate::door::{TEXT, join};
use crate::driver::Browser;
use crate::kiln::Kiln;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};

/// A web site that takes a connection and never answers.
fn silent_site() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let mut open = Vec::new();
        for mut stream in listener.incoming().map_while(Result::ok) {
            let mut head = [0; 4096];
            let read = stream.read(&mut head).unwrap_or(0);
            if String::from_utf8_lossy(&head[..read]).contains("/robots.txt") {
                let answer = "HTTP/1.1 404 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
                let _ = stream.write_all(answer.as_bytes());
            } else {
                open.push(stream);
            }
        }
    });
    address
}

/// Sends sources to be made into skills, some at a time, until it is dropped.
struct Load(tokio::task::JoinHandle<()>);

impl Load {
    fn start(address: String, key: String) -> Self {
        Self(tokio::spawn(async move {
            let client = reqwest::Client::builder().no_proxy().build().unwrap();
            for round in 0u64.. {
                let source = format!(
                    "{TEXT}\n\n## Round {round}\n\nWrite down the number {round} on the shelf.\n"
                );
                let body = format!(
                    "--edge\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\n{source}\r\n--edge--\r\n"
                );
                let request = client
                    .post(format!("{address}/api/v1/generate"))
                    .bearer_auth(&key)
                    .header("Content-Type", "multipart/form-data; boundary=edge")
                    .body(body);
                let _ = request.send().await;
            }
        }))
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[tokio::test]
async fn an_operator_sees_the_kiln_work_and_cancels_a_run_whose_credit_is_back() {
    // The run that waits must not give up by itself, however slow the browser is.
    let kiln = Kiln::with(&[
        ("SKILLKILN__FETCH__TIMEOUT_S", "3600"),
        ("SKILLKILN__ENGINE__DEADLINE_S", "3600"),
    ]);
    let owner = Browser::open().await;
    join(&owner, &kiln, "owner@example.org").await;
    owner.go(&format!("{}/account", kiln.address)).await;
    let before = owner.text(".credits").await;
    owner.type_into("#key-name", "load").await;
    owner.follow("#keys form button.primary").await;
    let key = owner.text("#new-key").await;

    // A run that waits for a site which never answers.
    owner.go(&format!("{}/new", kiln.address)).await;
    let page = format!("http://{}/slow", silent_site());
    owner.run(&format!("fetch('/api/v1/generate', {{ method: 'POST', headers: {{ Authorization: 'Bearer {key}' }}, body: (() => {{ const f = new FormData(); f.append('source', '{page}'); return f; }})() }}).then((a) => {{ document.title = 'status ' + a.status; }});")).await;

    let load_key = kiln.key("load@example.org", 100_000);
    let load = Load::start(kiln.address.clone(), load_key);
    let operator = Browser::open().await;
    operator.go(&format!("{}/ops", kiln.operators)).await;
    operator.wait_for("[data-live='on']").await;
    let completed = |text: String| -> u64 {
        text.split(' ')
            .next()
            .unwrap()
            .replace(',', "")
            .parse()
            .unwrap()
    };
    let first = completed(operator.text("#completed").await);
    loop {
        if completed(operator.text("#completed").await) > first + 5 {
            break;
        }
    }
    operator.wait_for("#plot-runs .plot-line[d^='M']").await;
    operator.wait_for("#running .badge.accent").await;
    operator.look("operators").await;

    // What is opened stays open while the page changes under it.
    operator.click("#running .confirm summary").await;
    operator
        .wait_for("#running .confirm[open] form button")
        .await;
    let then = operator.text("#verdict .facts").await;
    while operator.text("#verdict .facts").await == then {}
    operator.look("operators-cancelling").await;
    operator.click("#running .confirm[open] form button").await;
    operator.wait_for(".toast").await;
    owner.wait_for("html").await;
    while owner.run("return document.title;").await.as_str() != Some("status 500") {}
    owner.go(&format!("{}/account", kiln.address)).await;
    assert_eq!(owner.text(".credits").await, before, "the credit is back");

    operator.click("[data-pause]").await;
    operator.wait_for("[data-pause][aria-pressed='true']").await;
    drop(load);
    operator.is_content().await;
}

#[tokio::test]
async fn without_script_the_page_is_a_snapshot_that_can_be_taken_again() {
    let kiln = Kiln::start();
    let browser = Browser::without_script().await;
    browser.go(&format!("{}/ops", kiln.operators)).await;
    // A machine that is busy with other tests may have a slow disk, and nothing else.
    let verdict = browser.text("#verdict").await;
    let is_well = verdict.contains("All is well") || verdict.contains("calls to the database");
    assert!(is_well, "{verdict}");
    browser.look("operators-at-rest").await;
    browser.follow("a.without-js").await;
    assert!(browser.text("#ledger").await.contains("Imbalance"));
    assert!(browser.address().await.ends_with("/ops"));
}
