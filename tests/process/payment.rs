//! `kill -9` between a grant and its answer: the event comes again, and nothing more is given.

use crate::service::{Service, client};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use std::time::{SystemTime, UNIX_EPOCH};

const SECRET: &str = "whsec_process";

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap().as_secs()
}

/// Tells an event, signed; the answer may never come.
async fn tell(address: String, event: Value) -> reqwest::Result<u16> {
    let (body, seconds) = (event.to_string(), now());
    let mut mac = Hmac::<Sha256>::new_from_slice(SECRET.as_bytes()).unwrap();
    mac.update(format!("{seconds}.{body}").as_bytes());
    let proof = mac.finalize().into_bytes();
    let hex: String = proof.iter().map(|byte| format!("{byte:02x}")).collect();
    let request = client().post(format!("{address}/webhooks/stripe"));
    let request = request.header("Stripe-Signature", format!("t={seconds},v1={hex}"));
    Ok(request.body(body).send().await?.status().as_u16())
}

async fn a_kill_between_grant_and_answer_gives_nothing_twice(mut service: Service) {
    service.write("secret", SECRET);
    service.write(
        "config.toml",
        "[billing]\nwebhook_secret_file = \"secret\"\n",
    );
    let key = service.key(0);
    let mut due = 0;
    for round in 0..4 {
        service.serve();
        let order = client().post(format!("{}/api/checkout", service.address()));
        let order = order.bearer_auth(&key).json(&json!({ "plan": "starter" }));
        let opened: Value = order.send().await.unwrap().json().await.unwrap();
        let url = opened["checkout_url"].as_str().unwrap();
        let session = url.rsplit('/').next().unwrap();
        let event = json!({
            "id": format!("evt_{round}"), "type": "checkout.session.completed", "created": now(), "livemode": false,
            "data": { "object": { "id": session, "payment_status": "paid" } },
        });
        // Told many times at once; the server dies when the first answer is there, or before any.
        let telling: Vec<_> = (0..8)
            .map(|_| tokio::spawn(tell(service.address().to_owned(), event.clone())))
            .collect();
        if round % 2 == 0 {
            let given = |credits: &Value| credits["credits"] == due + 10;
            service.until(&key, "/api/credits", given).await;
        }
        service.kill();
        for told in telling {
            let _ = told.await.unwrap();
        }
        service.ok(&["ledger", "verify"]);

        service.serve();
        let again = tell(service.address().to_owned(), event.clone()).await;
        assert_eq!(again.unwrap(), 200);
        assert_eq!(
            tell(service.address().to_owned(), event).await.unwrap(),
            200
        );
        due += 10;
        let credits = service.until(&key, "/api/v1/credits", |_| true).await;
        assert_eq!(credits["credits_remaining"], due);
        assert_eq!(credits["credit_packs_purchased"], due / 10);
        service.kill();
    }
    service.ok(&["ledger", "verify"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_survives_kills_on_sqlite() {
    a_kill_between_grant_and_answer_gives_nothing_twice(Service::new()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_survives_kills_on_postgresql() {
    a_kill_between_grant_and_answer_gives_nothing_twice(Service::on_postgres().await).await;
}
