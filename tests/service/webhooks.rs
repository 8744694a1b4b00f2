//! Webhooks: what became of a run is told to its owner's server, signed, again until it arrives, and written down (decision 66).

use crate::generate::TEXT;
use crate::support::app::App;
use crate::support::browser::Browser;
use crate::support::client::Part;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;
use std::collections::HashMap;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// A server that is told.
struct Receiver(TcpListener);

/// What it was told: its headers and its body.
struct Told(HashMap<String, String>, String);

impl Receiver {
    async fn new() -> Self {
        Self(TcpListener::bind("127.0.0.1:0").await.expect("a port"))
    }

    fn url(&self) -> String {
        format!("http://{}/hook", self.0.local_addr().expect("an address"))
    }

    /// The next event, which is answered with this status.
    async fn hears(&self, status: &str) -> Told {
        let heard = async {
            let (mut stream, _) = self.0.accept().await.expect("somebody");
            let mut text = String::new();
            loop {
                let mut piece = [0; 4_096];
                let read = stream.read(&mut piece).await.expect("bytes");
                text.push_str(std::str::from_utf8(&piece[..read]).expect("UTF-8"));
                let Some((head, body)) = text.split_once("\r\n\r\n") else {
                    continue;
                };
                let lines = head
                    .lines()
                    .skip(1)
                    .filter_map(|line| line.split_once(": "));
                let headers: HashMap<String, String> = lines
                    .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
                    .collect();
                if body.len().to_string() == headers["content-length"] {
                    let answer = format!(
                        "HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    );
                    stream.write_all(answer.as_bytes()).await.expect("sent");
                    return Told(headers, body.to_owned());
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(20), heard)
            .await
            .expect("an event")
    }
}

impl Told {
    /// The event, if its signature is good.
    fn checked(&self, secret: &str) -> Value {
        let Self(headers, body) = self;
        let key = secret.strip_prefix("whsec_").expect("a secret");
        let key = STANDARD.decode(key).expect("base64");
        let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&key).expect("a key");
        let (id, second) = (&headers["webhook-id"], &headers["webhook-timestamp"]);
        mac.update(format!("{id}.{second}.{body}").as_bytes());
        let expected = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
        assert_eq!(headers["webhook-signature"], expected);
        assert_eq!(headers["content-type"], "application/json");
        serde_json::from_str(body).expect("JSON")
    }
}

/// Adds an endpoint and answers its secret.
async fn added(browser: &mut Browser<'_>, url: &str) -> String {
    let page = browser.post("/account/webhooks", &[("url", url)]).await;
    assert_eq!(page.status, 200, "{}", page.text());
    let shown = page
        .text()
        .split("id=\"new-secret\"")
        .nth(1)
        .expect("a secret");
    let shown = shown.split(['>', '<']).nth(1).expect("a secret").to_owned();
    let later = browser.get("/account/webhooks").await;
    assert!(
        later.text().contains(url) && !later.text().contains(&shown),
        "it is shown once"
    );
    shown
}

/// The page, once its log says this.
async fn log(browser: &mut Browser<'_>, words: &str) -> String {
    let looked = async {
        loop {
            let page = browser.get("/account/webhooks").await;
            if page.text().contains(words) {
                return page.text().to_owned();
            }
            tokio::task::yield_now().await;
        }
    };
    let looked = tokio::time::timeout(Duration::from_secs(20), looked).await;
    looked.unwrap_or_else(|_| panic!("the log never says {words}"))
}

#[tokio::test]
async fn what_became_of_a_run_is_told_until_it_arrives_and_again_when_asked() {
    let app = App::start().await;
    let receiver = Receiver::new().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let secret = added(&mut ann, &receiver.url()).await;
    let parts = [Part::File("files", "kiln.md", TEXT.as_bytes())];
    let ordered = ann
        .request("POST", "/new")
        .header("Accept", "text/event-stream");
    let ordered = ordered.header("Sec-Fetch-Site", "same-origin").form(&parts);
    assert_eq!(
        ordered.send().await.events().last().expect("an end").0,
        "complete"
    );
    let first = receiver.hears("503 Busy").await;
    let event = first.checked(&secret);
    assert_eq!(event["type"], "generation.completed");
    assert_eq!(event["data"]["status"], "completed");
    assert_eq!(event["data"]["skills"].as_array().map(Vec::len), Some(1));
    // It did not arrive: the same event comes again.
    log(&mut ann, "the server answered 503").await;
    app.clock.advance(Duration::from_secs(5));
    let second = receiver.hears("204 No Content").await;
    assert_eq!(second.checked(&secret), event);
    assert_eq!(first.0["webhook-id"], second.0["webhook-id"]);
    let page = log(&mut ann, ">arrived<").await;
    let again = page
        .split("/account/webhooks/events/")
        .nth(1)
        .expect("a button");
    let again = again.split('"').next().expect("an address");
    let sent = ann
        .post(&format!("/account/webhooks/events/{again}"), &[])
        .await;
    assert_eq!(sent.status, 303);
    let third = receiver.hears("204 No Content").await;
    assert_eq!(first.0["webhook-id"], third.0["webhook-id"]);
    // A failure is told too.
    let broken = [Part::File("files", "a.pdf", b"%PDF-1.7\nno document")];
    let ordered = ann
        .request("POST", "/new")
        .header("Accept", "text/event-stream");
    ordered
        .header("Sec-Fetch-Site", "same-origin")
        .form(&broken)
        .send()
        .await;
    let event = receiver.hears("204 No Content").await.checked(&secret);
    assert_eq!(event["type"], "generation.failed");
    assert!(
        event["data"]["error"]["message"]
            .as_str()
            .is_some_and(|words| words.contains("a.pdf"))
    );
    // Somebody else's button does nothing, and an endpoint that is gone hears nothing.
    let mut bob = Browser::joined(&app, "bob@example.org").await;
    let theirs = bob
        .post(&format!("/account/webhooks/events/{again}"), &[])
        .await;
    assert_eq!(theirs.status, 404);
    let id = page
        .split("/account/webhooks/")
        .find(|part| part.contains("/remove\""));
    let id = id
        .and_then(|part| part.split('/').next())
        .expect("an endpoint");
    assert_eq!(
        bob.post(&format!("/account/webhooks/{id}/remove"), &[])
            .await
            .status,
        404
    );
    assert_eq!(
        ann.post(&format!("/account/webhooks/{id}/remove"), &[])
            .await
            .status,
        303
    );
    assert!(
        ann.get("/account/webhooks")
            .await
            .text()
            .contains("Nothing yet")
    );
}

#[tokio::test]
async fn an_address_in_a_private_network_is_no_endpoint() {
    let app = App::with(|settings| settings.fetch.allow_private_addresses = false).await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    for url in [
        "",
        "example.org",
        "http://example.org/hook",
        "https://127.0.0.1/hook",
        "https://localhost/hook",
        "https://169.254.169.254/latest",
        "https://u:p@example.org/hook",
    ] {
        let page = ann.post("/account/webhooks", &[("url", url)]).await;
        assert_eq!(page.status, 400, "{url}");
        assert!(page.text().contains("alert bad"), "{url}");
    }
    for _ in 0..5 {
        added(&mut ann, "https://example.org/hook").await;
    }
    let full = ann
        .post("/account/webhooks", &[("url", "https://example.org/hook")])
        .await;
    assert_eq!(full.status, 400);
    assert!(full.text().contains("at most 5"), "{}", full.text());
}
