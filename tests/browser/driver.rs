//! A browser by the WebDriver protocol: just what the journeys need. It waits for what it looks for, and gives up loudly.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Milliseconds that the browser may take to show what is looked for.
const PATIENCE_MS: u32 = 60_000;
/// How long the browser may take to end.
const QUIT_PATIENCE: Duration = Duration::from_secs(10);
/// What makes a page unusable for somebody who listens to it or uses the keyboard; answers with the faults.
const SOUND: &str = include_str!("sound.js");
/// Two widths: a desk and a phone.
const WIDTHS: [u32; 2] = [1280, 390];

/// A driver with the port that it says; none when it ended before it said one.
fn chromedriver() -> Option<(Child, u16, impl Iterator<Item = String> + Send + 'static)> {
    let mut driver = Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("chromedriver is there: apt-get install chromium chromium-driver");
    let stdout = driver.stdout.take().expect("its output is ours");
    let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
    let port = lines.find_map(|line| {
        line.split("successfully on port ")
            .nth(1)?
            .trim_end_matches('.')
            .parse()
            .ok()
    });
    match port {
        Some(port) => Some((driver, port, lines)),
        None => {
            let _ = driver.kill();
            let _ = driver.wait();
            None
        }
    }
}

/// A headless browser; it ends when dropped.
pub(crate) struct Browser {
    driver: Child,
    session: String,
    client: reqwest::Client,
}

impl Browser {
    /// As people have it.
    pub(crate) async fn open() -> Self {
        Self::with(true).await
    }

    /// One that runs no script.
    pub(crate) async fn without_script() -> Self {
        Self::with(false).await
    }

    async fn with(script: bool) -> Self {
        // A second installation is refused, which is fine: the first one is the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        // A port that it finds free may be taken by another when it opens it: it ends then.
        let (driver, port, lines) = (0..5)
            .find_map(|_| chromedriver())
            .expect("chromedriver says its port");
        std::thread::spawn(move || lines.for_each(drop));
        let mut options = json!({
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"],
        });
        if !script {
            options["prefs"] = json!({ "profile.managed_default_content_settings.javascript": 2 });
        }
        let wanted = json!({
            "capabilities": { "alwaysMatch": { "timeouts": { "implicit": PATIENCE_MS }, "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" } } },
        });
        let base = format!("http://127.0.0.1:{port}");
        let answer = client
            .post(format!("{base}/session"))
            .json(&wanted)
            .send()
            .await
            .unwrap();
        let answer: Value = answer.json().await.unwrap();
        let id = answer["value"]["sessionId"].as_str();
        let id = id.unwrap_or_else(|| panic!("no browser: {answer}"));
        Self {
            driver,
            session: format!("{base}/session/{id}"),
            client,
        }
    }

    async fn call(&self, path: &str, body: &Value) -> Result<Value, String> {
        let request = self
            .client
            .post(format!("{}{path}", self.session))
            .json(body);
        read(request).await
    }

    async fn try_ask(&self, path: &str) -> Result<Value, String> {
        read(self.client.get(format!("{}{path}", self.session))).await
    }

    async fn ask(&self, path: &str) -> Value {
        self.try_ask(path).await.unwrap()
    }

    /// Opens an address.
    pub(crate) async fn go(&self, address: &str) {
        self.call("/url", &json!({ "url": address })).await.unwrap();
    }

    /// Presses the browser's button to go back.
    pub(crate) async fn back(&self) {
        self.call("/back", &json!({})).await.unwrap();
    }

    /// The cookies as they are sent.
    pub(crate) async fn cookies(&self) -> String {
        let kept = self.ask("/cookie").await;
        let pair = |cookie: &Value| {
            let part = |name: &str| cookie[name].as_str().unwrap().to_owned();
            format!("{}={}", part("name"), part("value"))
        };
        let pairs: Vec<String> = kept.as_array().unwrap().iter().map(pair).collect();
        pairs.join("; ")
    }

    /// Waits until a script of the test's answers true; the page may change meanwhile.
    pub(crate) async fn until(&self, script: &str) {
        let patience = Duration::from_millis(PATIENCE_MS.into());
        let holds = async {
            let body = json!({ "script": script, "args": [] });
            while self.call("/execute/sync", &body).await != Ok(Value::Bool(true)) {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let held = tokio::time::timeout(patience, holds).await;
        held.unwrap_or_else(|_| panic!("never: {script}"));
    }

    /// Where it is.
    pub(crate) async fn address(&self) -> String {
        self.ask("/url").await.as_str().unwrap().to_owned()
    }

    /// The element that a selector finds, as soon as it is there.
    async fn element(&self, css: &str) -> String {
        let wanted = json!({ "using": "css selector", "value": css });
        match self.call("/element", &wanted).await {
            Ok(found) => {
                let id = found.as_object().and_then(|found| found.values().next());
                id.and_then(Value::as_str).unwrap().to_owned()
            }
            Err(why) => panic!("{css} is not on {}: {why}", self.address().await),
        }
    }

    /// Does something with the element that a selector finds; a page that changes meanwhile is looked at again.
    async fn with_element(&self, css: &str, what: &str, body: Option<&Value>) -> (String, Value) {
        let patience = Duration::from_millis(PATIENCE_MS.into());
        let tries = async {
            loop {
                let id = self.element(css).await;
                let path = format!("/element/{id}/{what}");
                let done = match body {
                    Some(body) => self.call(&path, body).await,
                    None => self.try_ask(&path).await,
                };
                match done {
                    Ok(value) => return (id, value),
                    Err(why) if is_gone(&why) => {}
                    Err(why) => panic!("{what} of {css}: {why}"),
                }
            }
        };
        let done = tokio::time::timeout(patience, tries).await;
        done.unwrap_or_else(|_| panic!("{css} never stands still"))
    }

    /// Waits for an element.
    pub(crate) async fn wait_for(&self, css: &str) {
        self.element(css).await;
    }

    /// What an element says.
    pub(crate) async fn text(&self, css: &str) -> String {
        let (_, text) = self.with_element(css, "text", None).await;
        text.as_str().unwrap().to_owned()
    }

    /// Types into an element.
    pub(crate) async fn type_into(&self, css: &str, text: &str) {
        let keys = json!({ "text": text });
        self.with_element(css, "value", Some(&keys)).await;
    }

    /// Clicks on an element which changes the page that it is on.
    pub(crate) async fn click(&self, css: &str) {
        self.with_element(css, "click", Some(&json!({}))).await;
    }

    /// Clicks on an element which leads to another page, and waits until this page is gone: the answer to the click would
    /// otherwise overtake whatever the test does next.
    pub(crate) async fn follow(&self, css: &str) {
        let (id, _) = self.with_element(css, "click", Some(&json!({}))).await;
        let patience = Duration::from_millis(PATIENCE_MS.into());
        let gone = async {
            let path = format!("/element/{id}/name");
            loop {
                match self.try_ask(&path).await {
                    Err(why) if is_gone(&why) => return,
                    Err(why) => panic!("{css}: {why}"),
                    Ok(_) => {}
                }
            }
        };
        let gone = tokio::time::timeout(patience, gone).await;
        gone.unwrap_or_else(|_| panic!("{css} leads nowhere"));
    }

    /// Opens an address in a tab of its own.
    pub(crate) async fn go_on_in_another_tab(&self, address: &str) {
        let new = self
            .call("/window/new", &json!({ "type": "tab" }))
            .await
            .unwrap();
        self.call("/window", &json!({ "handle": new["handle"] }))
            .await
            .unwrap();
        self.go(address).await;
    }

    /// Looks at the first tab again.
    pub(crate) async fn back_to_the_first_tab(&self) {
        let all = self.ask("/window/handles").await;
        self.call("/window", &json!({ "handle": all[0] }))
            .await
            .unwrap();
    }

    /// Ends the session behind the back of the page that is open, as when it ran out.
    pub(crate) async fn sign_out(&self) {
        let request = self.client.delete(format!("{}/cookie", self.session));
        read(request).await.unwrap();
    }

    /// Runs a script of the test's, not of the page's.
    pub(crate) async fn run(&self, script: &str) -> Value {
        let body = json!({ "script": script, "args": [] });
        self.call("/execute/sync", &body).await.unwrap()
    }

    async fn devtools(&self, command: &str, parameters: Value) {
        let body = json!({ "cmd": command, "params": parameters });
        self.call("/goog/cdp/execute", &body).await.unwrap();
    }

    /// Looks at the page at every width, in light and dark: keeps the pictures, and holds the page against what every page promises.
    pub(crate) async fn look(&self, name: &str) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../screenshots");
        std::fs::create_dir_all(&folder).unwrap();
        for width in WIDTHS {
            for scheme in ["light", "dark"] {
                // Without motion, so that no colour is caught on its way to another.
                let feature = json!([
                    { "name": "prefers-color-scheme", "value": scheme },
                    { "name": "prefers-reduced-motion", "value": "reduce" },
                ]);
                self.devtools("Emulation.setEmulatedMedia", json!({ "features": feature }))
                    .await;
                self.resize(width, 900).await;
                let faults = self.run(SOUND).await;
                assert_eq!(faults, json!([]), "{name}, {scheme}, {width} wide");
                let size = self.run("const page = document.documentElement; return [page.scrollWidth, page.scrollHeight];").await;
                assert!(
                    size[0].as_u64().unwrap() <= u64::from(width),
                    "{name} is wider than {width}: {size}"
                );
                self.resize(width, size[1].as_u64().unwrap().clamp(600, 4_000))
                    .await;
                let picture = self.ask("/screenshot").await;
                let picture = decode(picture.as_str().unwrap());
                std::fs::write(folder.join(format!("{name}-{width}-{scheme}.png")), picture)
                    .unwrap();
            }
        }
        self.devtools("Emulation.clearDeviceMetricsOverride", json!({}))
            .await;
    }

    /// Makes the window another size.
    pub(crate) async fn resize(&self, width: u32, height: u64) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
        self.devtools("Emulation.setDeviceMetricsOverride", size)
            .await;
    }

    /// Nothing was refused by the pages' policy and no script broke.
    pub(crate) async fn is_content(&self) {
        let entries = self
            .call("/se/log", &json!({ "type": "browser" }))
            .await
            .unwrap();
        let severe: Vec<&Value> = entries
            .as_array()
            .unwrap()
            .iter()
            .filter(|entry| entry["level"] == "SEVERE")
            // A page that says no answers with the status of a no, and the browser notes it.
            .filter(|entry| entry["source"] != "network")
            .collect();
        assert!(severe.is_empty(), "{severe:?}");
    }
}

impl Browser {
    /// Ends the session, and with it the browser; without a runtime, which may be gone.
    fn quit(&self) -> std::io::Result<()> {
        let (host, path) = self
            .session
            .trim_start_matches("http://")
            .split_once('/')
            .unwrap_or_default();
        let mut connection = TcpStream::connect(host)?;
        connection.set_read_timeout(Some(QUIT_PATIENCE))?;
        write!(
            connection,
            "DELETE /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        )?;
        connection.read(&mut [0; 64]).map(drop)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // A driver that is killed leaves its browser running.
        let _ = self.quit();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Whether an element was refused because its page, or its place on the page, is no more; while the page changes, the
/// browser says so in words of its own.
fn is_gone(why: &str) -> bool {
    [
        "stale element reference",
        "no such element",
        "does not belong to the document",
    ]
    .iter()
    .any(|gone| why.contains(gone))
}

async fn read(request: reqwest::RequestBuilder) -> Result<Value, String> {
    let mut answer: Value = request.send().await.unwrap().json().await.unwrap();
    let value = answer["value"].take();
    match value.get("error") {
        Some(error) if value.get("stacktrace").is_some() => {
            Err(format!("{error}: {}", value["message"]))
        }
        _ => Ok(value),
    }
}

/// Reads base64, in which pictures come.
fn decode(text: &str) -> Vec<u8> {
    let digits = text.bytes().filter_map(|byte| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    });
    let (mut bits, mut held, mut bytes) = (0u32, 0, vec![]);
    for digit in digits {
        bits = bits << 6 | u32::from(digit);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held & 255) as u8);
        }
    }
    bytes
}
