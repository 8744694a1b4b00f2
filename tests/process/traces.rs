//! Traces, as a collector gets them: one generation is one trace, from the request to the last stage, and says nothing it should not. And the
//! log, as machines read it.

use crate::service::{Service, client};
use serde_json::Value;
use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const SOURCE: &str = "# Firing a kiln\n\nThe secret glaze is celadon. Raise the temperature by 60 degrees an hour up to 200 degrees.\n\n\
## Cooling\n\nKeep the lid closed below 200 degrees. Opening it early cracks the glaze.\n";
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

/// A collector that takes everything.
struct Collector {
    address: SocketAddr,
    bodies: Receiver<(String, Vec<u8>)>,
}

impl Collector {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (tell, bodies) = channel();
        std::thread::spawn(move || {
            for mut stream in listener.incoming().map_while(Result::ok) {
                let mut bytes = Vec::new();
                let mut piece = [0; 16 * 1024];
                let (head, mut body, length) = loop {
                    let read = stream.read(&mut piece).unwrap();
                    assert_ne!(read, 0, "a request without an end");
                    bytes.extend_from_slice(&piece[..read]);
                    if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                        let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
                        let length = head.split("content-length: ").nth(1).unwrap();
                        let length: usize = length.lines().next().unwrap().trim().parse().unwrap();
                        break (head, bytes.split_off(end + 4), length);
                    }
                };
                while body.len() < length {
                    let read = stream.read(&mut piece).unwrap();
                    assert_ne!(read, 0, "a body without an end");
                    body.extend_from_slice(&piece[..read]);
                }
                let _ = tell.send((head, body));
                let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{}";
                let _ = stream.write_all(answer);
            }
        });
        Self { address, bodies }
    }

    /// Waits for spans until there is one of this name, and answers all of them.
    fn until(&self, name: &str) -> (Vec<Value>, String) {
        let (mut spans, mut all) = (Vec::new(), String::new());
        while !spans.iter().any(|span: &Value| span["name"] == name) {
            let (head, body) = self.bodies.recv_timeout(Duration::from_secs(60)).unwrap();
            assert!(head.starts_with("post /v1/traces "), "{head}");
            assert!(head.contains("content-type: application/json"), "{head}");
            all.push_str(&String::from_utf8_lossy(&body));
            let body: Value = serde_json::from_slice(&body).unwrap();
            let resource = &body["resourceSpans"][0];
            assert_eq!(
                resource["resource"]["attributes"][0]["value"]["stringValue"],
                "skillkiln"
            );
            let scope = resource["scopeSpans"][0]["spans"].as_array().unwrap();
            spans.extend(scope.iter().cloned());
        }
        (spans, all)
    }
}

/// What a span says.
fn says(span: &Value) -> HashMap<String, String> {
    let attributes = span["attributes"].as_array().unwrap().iter();
    let words = attributes.map(|attribute| {
        let value = &attribute["value"];
        let word = value["stringValue"].as_str().or(value["intValue"].as_str());
        (
            attribute["key"].as_str().unwrap().to_owned(),
            word.unwrap().to_owned(),
        )
    });
    words.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_generation_is_one_trace_and_its_source_and_key_are_not_in_it() {
    let collector = Collector::start();
    let mut service = Service::new();
    let settings = format!("[telemetry]\notlp_url = \"http://{}\"\n", collector.address);
    service.write("config.toml", &settings);
    let key = service.key(3);
    service.serve();
    let body = format!(
        "--edge\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\n{SOURCE}\r\n--edge--\r\n"
    );
    let answer = client()
        .post(format!("{}/api/v1/generate", service.address()))
        .bearer_auth(&key)
        .header("Content-Type", "multipart/form-data; boundary=edge")
        .header("X-Request-Id", "order-4711")
        .header("traceparent", format!("00-{TRACE}-00f067aa0ba902b7-01"))
        .body(body)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 200);
    service.ask_to_stop();
    assert_eq!(service.wait(), Some(0));

    // What has ended when the service stops is sent before it has stopped.
    let (spans, all) = collector.until("POST /api/v1/generate");
    let named =
        |name: &str| -> Vec<&Value> { spans.iter().filter(|span| span["name"] == name).collect() };
    let [request] = named("POST /api/v1/generate")[..] else {
        panic!("{spans:#?}")
    };
    let [generation] = named("generation")[..] else {
        panic!("{spans:#?}")
    };
    assert!(
        spans.iter().all(|span| span["traceId"] == TRACE),
        "{spans:#?}"
    );
    assert_eq!(request["parentSpanId"], "00f067aa0ba902b7");
    assert_eq!(generation["parentSpanId"], request["spanId"]);
    let (of_request, of_run) = (says(request), says(generation));
    assert_eq!(of_request["http.route"], "/api/v1/generate");
    assert_eq!(of_request["http.response.status_code"], "200");
    assert_eq!(
        (&of_request["request.id"], &of_run["request.id"]),
        (&"order-4711".into(), &"order-4711".into())
    );
    assert_eq!(
        (of_run["source"].as_str(), of_run["outcome"].as_str()),
        ("text", "completed")
    );
    let mut stages = named("stage");
    stages.sort_by_key(|span| span["startTimeUnixNano"].as_str().unwrap().to_owned());
    let words: Vec<String> = stages
        .iter()
        .map(|span| says(span)["stage"].clone())
        .collect();
    assert_eq!(words, ["extracting", "synthesizing", "validating"]);
    for part in stages
        .into_iter()
        .chain(named("charge"))
        .chain(named("settle"))
    {
        assert_eq!(part["parentSpanId"], generation["spanId"], "{part}");
        assert_eq!(part["status"]["code"], 0, "{part}");
    }
    assert_eq!((named("charge").len(), named("settle").len()), (1, 1));
    for secret in ["celadon", "kiln\\n", key.as_str(), "example.org", "Bearer"] {
        assert!(!all.contains(secret), "{secret} in {all}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_is_gone_stops_nobody() {
    let mut service = Service::new();
    service.write(
        "config.toml",
        "[telemetry]\notlp_url = \"http://127.0.0.1:9\"\n",
    );
    let key = service.key(3);
    service.serve();
    let source = SOURCE.to_owned();
    let answer = crate::service::generate(&client(), service.address(), &key, source).await;
    assert_eq!(answer.unwrap().status(), 200);
    service.ask_to_stop();
    assert_eq!(service.wait(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_no_person_reads_is_json_and_names_the_request_of_a_run() {
    let mut service = Service::new();
    let key = service.key(3);
    service.serve_logging_to("log");
    let body = "--edge\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\nhttp://127.0.0.1:9/secret-page\r\n--edge--\r\n";
    let answer = client()
        .post(format!("{}/api/v1/generate", service.address()))
        .bearer_auth(&key)
        .header("Content-Type", "multipart/form-data; boundary=edge")
        .header("X-Request-Id", "order-4712")
        .body(body)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 500);
    service.ask_to_stop();
    assert_eq!(service.wait(), Some(0));
    let log = service.read("log");
    let lines = log.lines().filter(|line| line.starts_with('{'));
    let lines: Vec<Value> = lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let failed = lines.iter().find(|line| line["reason"] == "unreachable");
    let failed = failed.unwrap_or_else(|| panic!("{log}"));
    assert_eq!(failed["level"], "INFO");
    let spans = failed["spans"].as_array().unwrap();
    assert!(
        spans.iter().any(|span| span["request.id"] == "order-4712"),
        "{failed}"
    );
    assert!(!log.contains("secret-page") && !log.contains(&key), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_in_and_who_is_refused_is_logged_without_a_name_or_a_secret() {
    const EMAIL: &str = "ann@example.org";
    const PASSWORD: &str = "four small words here";
    let mut service = Service::new();
    service.serve_logging_to("log");
    let send = async |path: &str, fields: [(&str, &str); 2]| {
        let request = client().post(format!("{}{path}", service.address()));
        let fields = fields.map(|(name, text)| format!("{name}={}", text.replace(' ', "+")));
        let request = request
            .header("Sec-Fetch-Site", "same-origin")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .body(fields.join("&"));
        request.send().await.unwrap().status().as_u16()
    };
    let asked = client()
        .get(format!("{}/api/v1/credits", service.address()))
        .bearer_auth("kiln_sk_secret");
    assert_eq!(asked.send().await.unwrap().status(), 401);
    let right = [("email", EMAIL), ("password", PASSWORD)];
    let joined = send("/signup", right).await;
    assert!((200..400).contains(&joined), "{joined}");
    send("/signin", [("email", EMAIL), ("password", "celadon glaze")]).await;
    send("/signin", right).await;
    let unknown = [("email", "bob@example.org"), ("password", PASSWORD)];
    send("/signin", unknown).await;
    service.ask_to_stop();
    assert_eq!(service.wait(), Some(0));
    let log = service.read("log");
    let lines = log.lines().filter(|line| line.starts_with('{'));
    let lines = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    let deeds: Vec<Value> = lines.filter(|line| line["deed"].is_string()).collect();
    let told = |line: &Value| {
        assert_eq!(line["network"], "127.0.0.0/24", "{line}");
        let text = |name: &str| line[name].as_str().unwrap().to_owned();
        (text("deed"), text("outcome"), line["user.id"].is_string())
    };
    let told: Vec<_> = deeds.iter().map(told).collect();
    let deed =
        |deed: &str, outcome: &str, is_known| (deed.to_owned(), outcome.to_owned(), is_known);
    assert_eq!(
        told,
        [
            deed("key or session", "refused", false),
            deed("account made", "done", true),
            deed("signed in", "done", true),
            deed("password", "refused", true),
            deed("signed in", "done", true),
            deed("password", "done", true),
            deed("password", "refused", false),
        ],
        "{log}"
    );
    let one = &deeds[1]["user.id"];
    assert!(deeds[1..6].iter().all(|line| line["user.id"] == *one));
    for hidden in ["example.org", PASSWORD, "celadon glaze", "kiln_sk_secret"] {
        assert!(!log.contains(hidden), "{hidden} in {log}");
    }
}
