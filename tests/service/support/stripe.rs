//! A Stripe of our own: it reads orders as strictly as the real one, remembers idempotency keys, signs events, and can be ill.

use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

pub(crate) const SECRET_KEY: &str = "sk_test_kiln";
pub(crate) const WEBHOOK_SECRET: &str = "whsec_kiln";

/// How the next request is answered, instead of well.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ill {
    /// With this status and an error of Stripe's shape; nothing is done.
    Status(u16),
    /// The session is made, but the connection breaks before the answer.
    Dropped,
    /// With something that is no JSON.
    Garbage,
}

/// An order as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Ordered {
    pub(crate) key: String,
    pub(crate) form: BTreeMap<String, String>,
    pub(crate) session: Value,
}

#[derive(Default)]
struct Memory {
    orders: Vec<Ordered>,
    ill: VecDeque<Ill>,
    requests: usize,
}

/// Stripe, as long as it is held.
pub(crate) struct Stripe {
    address: SocketAddr,
    memory: Arc<Mutex<Memory>>,
    task: tokio::task::JoinHandle<()>,
}

impl Stripe {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let memory = Arc::new(Mutex::new(Memory::default()));
        let of_task = Arc::clone(&memory);
        let task = tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                tokio::spawn(answer(connection, Arc::clone(&of_task)));
            }
        });
        Self {
            address,
            memory,
            task,
        }
    }

    pub(crate) fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Answers the next requests so.
    pub(crate) fn fall_ill(&self, ill: &[Ill]) {
        self.memory.lock().expect("sound").ill.extend(ill);
    }

    /// The sessions that were made, in order.
    pub(crate) fn orders(&self) -> Vec<Ordered> {
        self.memory.lock().expect("sound").orders.clone()
    }

    /// How often somebody asked for anything.
    pub(crate) fn requests(&self) -> usize {
        self.memory.lock().expect("sound").requests
    }
}

impl Drop for Stripe {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The signature header for a body, as the real one makes it.
pub(crate) fn signature(secret: &str, seconds: i64, body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("any length");
    mac.update(format!("{seconds}.").as_bytes());
    mac.update(body);
    let hex: String = mac
        .finalize()
        .into_bytes()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("t={seconds},v1={hex}")
}

/// An event about an object.
pub(crate) fn event(id: &str, kind: &str, seconds: i64, object: &Value) -> Value {
    json!({
        "id": id, "object": "event", "api_version": "2026-02-25.clover", "type": kind, "created": seconds, "livemode": false,
        "pending_webhooks": 1, "request": null, "data": { "object": object },
    })
}

impl Ordered {
    /// The session once its page came out so.
    pub(crate) fn session_as(&self, payment_status: &str) -> Value {
        let mut session = self.session.clone();
        let number = session["id"]
            .as_str()
            .expect("an id")
            .replace("cs_test_", "");
        session["payment_status"] = json!(payment_status);
        session["status"] = json!("complete");
        if session["mode"] == "subscription" {
            session["subscription"] = json!(format!("sub_{number}"));
        } else {
            session["payment_intent"] = json!(format!("pi_{number}"));
        }
        session
    }

    fn metadata_of(&self, prefix: &str) -> Value {
        nested(&self.form, prefix)
    }

    /// Its charge, of which so much went back in all.
    pub(crate) fn charge(&self, back: i64) -> Value {
        let session = self.session_as("paid");
        json!({
            "id": "ch_1", "object": "charge", "amount": 900, "amount_captured": 900, "amount_refunded": back,
            "refunded": back == 900, "currency": "eur", "payment_intent": session["payment_intent"],
            "metadata": self.metadata_of("payment_intent_data[metadata]"),
        })
    }

    /// A dispute over its charge.
    pub(crate) fn dispute(&self, status: &str) -> Value {
        let session = self.session_as("paid");
        json!({
            "id": "dp_1", "object": "dispute", "amount": 900, "currency": "eur", "charge": "ch_1", "status": status,
            "payment_intent": session["payment_intent"], "metadata": {},
        })
    }

    /// Its subscription.
    pub(crate) fn subscription(&self, status: &str) -> Value {
        let session = self.session_as("paid");
        json!({
            "id": session["subscription"], "object": "subscription", "status": status,
            "metadata": self.metadata_of("subscription_data[metadata]"),
        })
    }
}

/// What stands under `prefix[name]` in a form.
fn nested(form: &BTreeMap<String, String>, prefix: &str) -> Value {
    let inner = form.iter().filter_map(|(name, value)| {
        let name = name
            .strip_prefix(prefix)?
            .strip_prefix('[')?
            .strip_suffix(']')?;
        Some((name.to_owned(), json!(value)))
    });
    Value::Object(inner.collect())
}

async fn answer(mut connection: TcpStream, memory: Arc<Mutex<Memory>>) {
    let Some((head, body)) = read(&mut connection).await else {
        return;
    };
    let ill = {
        let mut memory = memory.lock().expect("sound");
        memory.requests += 1;
        memory.ill.pop_front()
    };
    if let Some(Ill::Status(status)) = ill {
        let error =
            json!({ "error": { "type": "api_error", "message": format!("echo {SECRET_KEY}") } });
        return say(&mut connection, status, &error.to_string()).await;
    }
    let (status, said) = match portal(&head, &body, &memory) {
        Some(said) => said,
        None => session(&head, &body, &memory),
    };
    match ill {
        Some(Ill::Dropped) => {}
        Some(Ill::Garbage) => say(&mut connection, 200, "<html>busy</html>").await,
        _ => say(&mut connection, status, &said.to_string()).await,
    }
}

async fn read(connection: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut bytes = vec![];
    let mut piece = [0; 8192];
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let length = header(&head, "content-length");
            let length: usize = length.map_or(Some(0), |length| length.parse().ok())?;
            let body = &bytes[end + 4..];
            if body.len() >= length {
                return Some((head, body[..length].to_vec()));
            }
        }
        match connection.read(&mut piece).await {
            Ok(read) if read > 0 => bytes.extend_from_slice(&piece[..read]),
            _ => return None,
        }
    }
}

fn header(head: &str, name: &str) -> Option<String> {
    head.lines().skip(1).find_map(|line| {
        let (known, value) = line.split_once(':')?;
        known
            .eq_ignore_ascii_case(name)
            .then(|| value.trim().to_owned())
    })
}

fn wrong(status: u16, kind: &str, code: &str) -> (u16, Value) {
    (
        status,
        json!({ "error": { "type": kind, "code": code, "message": code } }),
    )
}

/// What is asked for managing a subscription: whose it is, and a page for them.
fn portal(head: &str, body: &[u8], memory: &Mutex<Memory>) -> Option<(u16, Value)> {
    let line = head.lines().next().unwrap_or_default();
    let name = line
        .strip_prefix("GET /v1/subscriptions/")
        .and_then(|rest| rest.strip_suffix(" HTTP/1.1"));
    let makes_page = line == "POST /v1/billing_portal/sessions HTTP/1.1";
    if name.is_none() && !makes_page {
        return None;
    }
    if header(head, "authorization") != Some(format!("Bearer {SECRET_KEY}"))
        || header(head, "stripe-version").as_deref() != Some("2026-02-25.clover")
    {
        return Some(wrong(401, "invalid_request_error", "api_key_invalid"));
    }
    let missing = || Some(wrong(404, "invalid_request_error", "resource_missing"));
    if let Some(name) = name {
        let memory = memory.lock().expect("sound");
        let mut orders = memory.orders.iter();
        return match orders.find(|order| order.session_as("paid")["subscription"] == name) {
            Some(_) => Some((
                200,
                json!({ "id": name, "object": "subscription", "customer": format!("cus_of_{name}") }),
            )),
            None => missing(),
        };
    }
    let form: BTreeMap<String, String> = url::form_urlencoded::parse(body).into_owned().collect();
    let names: Vec<&str> = form.keys().map(String::as_str).collect();
    if names != ["customer", "return_url"] || !form["customer"].starts_with("cus_of_sub_") {
        return missing();
    }
    let url = format!("https://billing.stripe.com/p/session/{}", form["customer"]);
    Some((
        200,
        json!({ "object": "billing_portal.session", "url": url, "return_url": form["return_url"] }),
    ))
}

/// Makes a session, or finds the one that was made under this key.
fn session(head: &str, body: &[u8], memory: &Mutex<Memory>) -> (u16, Value) {
    let invalid = |code: &str| wrong(400, "invalid_request_error", code);
    if !head.starts_with("POST /v1/checkout/sessions HTTP/1.1") {
        return wrong(404, "invalid_request_error", "url_invalid");
    }
    if header(head, "authorization") != Some(format!("Bearer {SECRET_KEY}")) {
        return wrong(401, "invalid_request_error", "api_key_invalid");
    }
    if header(head, "content-type").as_deref() != Some("application/x-www-form-urlencoded") {
        return invalid("content_type");
    }
    if header(head, "stripe-version").as_deref() != Some("2026-02-25.clover") {
        return invalid("version_missing");
    }
    let Some(key) = header(head, "idempotency-key") else {
        return invalid("idempotency_key_missing");
    };
    let form: BTreeMap<String, String> = url::form_urlencoded::parse(body).into_owned().collect();
    let subscribes = form.get("mode").map(String::as_str) == Some("subscription");
    let inner = if subscribes {
        "subscription_data"
    } else {
        "payment_intent_data"
    };
    let known = [
        "mode",
        "line_items[0][price]",
        "line_items[0][quantity]",
        "client_reference_id",
        "success_url",
        "cancel_url",
    ];
    for name in form.keys() {
        let carried =
            name.starts_with("metadata[") || name.starts_with(&format!("{inner}[metadata]["));
        if !known.contains(&name.as_str()) && !carried {
            return invalid("parameter_unknown");
        }
    }
    if known.iter().any(|name| !form.contains_key(*name)) {
        return invalid("parameter_missing");
    }
    let fits = match form["line_items[0][price]"].as_str() {
        "price_starter" | "price_pro" => !subscribes,
        "price_unlimited" => subscribes,
        _ => return invalid("resource_missing"),
    };
    if !fits {
        return invalid("price_and_mode");
    }
    let mut memory = memory.lock().expect("sound");
    if let Some(before) = memory.orders.iter().find(|order| order.key == key) {
        if before.form != form {
            return wrong(400, "idempotency_error", "idempotency_key_in_use");
        }
        return (200, before.session.clone());
    }
    let id = format!("cs_test_{}", memory.orders.len());
    let session = json!({
        "id": id, "object": "checkout.session", "url": format!("https://checkout.stripe.com/c/pay/{id}"),
        "mode": form["mode"], "status": "open", "payment_status": "unpaid", "amount_total": 900, "currency": "eur",
        "livemode": false, "expires_at": 1_795_166_100 + 86_400, "payment_intent": null, "subscription": null,
        "client_reference_id": form["client_reference_id"], "metadata": nested(&form, "metadata"),
    });
    memory.orders.push(Ordered {
        key,
        form,
        session: session.clone(),
    });
    (200, session)
}

async fn say(connection: &mut TcpStream, status: u16, body: &str) {
    let answer = format!(
        "HTTP/1.1 {status} Said\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let _ = connection.write_all(answer.as_bytes()).await;
}
