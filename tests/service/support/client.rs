//! A plain HTTP/1.1 client: one request a connection, to the letter, so that it can also send what no decent client sends.
//!
//! Every answer is held against what all answers promise (the limit headers, the request id, the shape of an error) and against the
//! description of the API.

use crate::support::described;
use serde_json::Value;
use std::io::Read as _;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// What no form of the tests holds.
const BOUNDARY: &str = "----skillkiln-test-boundary";

/// A request that is being written.
#[derive(Clone)]
pub(crate) struct Request {
    address: SocketAddr,
    method: String,
    target: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    length: bool,
    is_described: bool,
}

/// A part of a form.
#[derive(Clone, Copy)]
pub(crate) enum Part<'a> {
    Text(&'a str, &'a str),
    File(&'a str, &'a str, &'a [u8]),
}

impl Request {
    pub(crate) fn new(address: SocketAddr, method: &str, target: &str) -> Self {
        Self {
            address,
            method: method.to_owned(),
            target: target.to_owned(),
            headers: vec![],
            body: vec![],
            length: true,
            is_described: false,
        }
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With a key.
    pub(crate) fn key(self, key: &str) -> Self {
        self.header("Authorization", &format!("Bearer {key}"))
    }

    pub(crate) fn body(mut self, media_type: &str, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self.header("Content-Type", media_type)
    }

    pub(crate) fn json(self, value: &Value) -> Self {
        self.body("application/json", value.to_string())
    }

    /// A form of these parts.
    pub(crate) fn form(self, parts: &[Part<'_>]) -> Self {
        let mut body = vec![];
        for part in parts {
            body.extend_from_slice(format!("--{BOUNDARY}\r\n").as_bytes());
            let (head, content) = match part {
                Part::Text(name, text) => (
                    format!("Content-Disposition: form-data; name=\"{name}\"\r\n\r\n"),
                    text.as_bytes(),
                ),
                Part::File(name, filename, bytes) => (
                    format!(
                        "Content-Disposition: form-data; name=\"{name}\"; filename=\"{filename}\"\r\nContent-Type: application/octet-stream\r\n\r\n"
                    ),
                    *bytes,
                ),
            };
            body.extend_from_slice(head.as_bytes());
            body.extend_from_slice(content);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
        self.body(&format!("multipart/form-data; boundary={BOUNDARY}"), body)
    }

    /// To the public address, which the description of the API is about.
    pub(crate) fn described(mut self) -> Self {
        self.is_described = true;
        self
    }

    /// To an address that is called by its number, as whoever scrapes the operators' does.
    pub(crate) fn by_number(self) -> Self {
        let host = self.address.to_string();
        self.header("Host", &host)
    }

    /// Without a `Content-Length` of ours, for a test that brings its own.
    pub(crate) fn without_length(mut self) -> Self {
        self.length = false;
        self
    }

    /// Cuts the body off after so many bytes, whatever its length says.
    fn head(&self) -> Vec<u8> {
        let mut head = format!(
            "{} {} HTTP/1.1\r\nConnection: close\r\n",
            self.method, self.target
        );
        if self.headers.iter().all(|(name, _)| name != "Host") {
            head.push_str("Host: test\r\n");
        }
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if self.length && (!self.body.is_empty() || self.method == "POST") {
            head.push_str(&format!("Content-Length: {}\r\n", self.body.len()));
        }
        head.push_str("\r\n");
        head.into_bytes()
    }

    /// Sends it and waits for the whole answer.
    pub(crate) async fn send(self) -> Answer {
        let is_head = self.method == "HEAD";
        let mut connection = self.open().await;
        let mut bytes = vec![];
        // The other side may hang up on a body it does not want; what it said before counts.
        let _ = connection.read_to_end(&mut bytes).await;
        let answer = Answer::parse(&bytes, is_head);
        answer.keeps_the_promises(&self_description(&answer, is_head));
        if self.is_described {
            described::holds(&self.method, &self.target, &answer);
        }
        answer
    }

    /// Sends it and hands over the connection, for a test that reads piece by piece or leaves early.
    pub(crate) async fn open(&self) -> TcpStream {
        let mut connection = TcpStream::connect(self.address)
            .await
            .expect("a connection");
        connection
            .write_all(&self.head())
            .await
            .expect("the head is sent");
        let _ = connection.write_all(&self.body).await;
        connection
    }
}

fn self_description(answer: &Answer, is_head: bool) -> String {
    let body = if is_head {
        "".into()
    } else {
        String::from_utf8_lossy(&answer.body)
    };
    format!(
        "{} {:?} {}",
        answer.status,
        answer.headers,
        body.chars().take(300).collect::<String>()
    )
}

/// An answer.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    fn parse(bytes: &[u8], is_head: bool) -> Self {
        let end = bytes
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .unwrap_or_else(|| {
                panic!("an answer has a head: {:?}", String::from_utf8_lossy(bytes))
            });
        let head = std::str::from_utf8(&bytes[..end]).expect("a readable head");
        let mut lines = head.split("\r\n");
        let status = lines
            .next()
            .and_then(|line| line.split(' ').nth(1))
            .and_then(|code| code.parse().ok());
        let headers: Vec<(String, String)> = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect();
        let chunked = headers
            .iter()
            .any(|(name, value)| name == "transfer-encoding" && value == "chunked");
        let body = &bytes[end + 4..];
        let body = if chunked && !is_head {
            joined(body)
        } else {
            body.to_vec()
        };
        let packed = headers
            .iter()
            .any(|(name, value)| name == "content-encoding" && value == "gzip");
        let body = match packed && !is_head {
            true => {
                let mut text = Vec::new();
                let mut unpacked = flate2::read::GzDecoder::new(&*body);
                unpacked.read_to_end(&mut text).expect("gzip");
                text
            }
            false => body,
        };
        Self {
            status: status.expect("a status"),
            headers,
            body,
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// A header that is a number.
    pub(crate) fn number(&self, name: &str) -> i64 {
        let value = self
            .header(name)
            .unwrap_or_else(|| panic!("{name} in {:?}", self.headers));
        value.parse().expect("a number")
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("UTF-8")
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// Status and code of a refusal.
    pub(crate) fn refusal(&self) -> (u16, String) {
        let code = self.json()["error"]["code"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        (self.status, code)
    }

    /// The events of a stream: name and data.
    pub(crate) fn events(&self) -> Vec<(String, Value)> {
        self.text()
            .split("\n\n")
            .filter(|frame| !frame.is_empty() && !frame.starts_with(':'))
            .map(|frame| {
                let lines: Vec<&str> = frame.split('\n').collect();
                let [name, data] = lines[..] else {
                    panic!("a frame is two lines: {frame:?}");
                };
                let name = name.strip_prefix("event: ").expect("a name line");
                let data = data.strip_prefix("data: ").expect("a data line");
                (name.to_owned(), serde_json::from_str(data).expect("JSON"))
            })
            .collect()
    }

    /// What every page promises: nothing inline, nothing from elsewhere, kept by nobody.
    fn keeps_a_pages_promises(&self, shown: &str) {
        let policy = self.header("content-security-policy").unwrap_or_default();
        assert!(
            policy.starts_with("default-src 'none'") && !policy.contains("unsafe"),
            "{shown}"
        );
        assert_eq!(
            self.header("x-content-type-options"),
            Some("nosniff"),
            "{shown}"
        );
        assert_eq!(self.header("cache-control"), Some("no-store"), "{shown}");
        let text = self.text();
        assert!(!text.contains("<style") && !text.contains(" style="));
        assert_eq!(
            text.matches("<script").count(),
            text.matches("<script src=\"/assets/").count()
                + text.matches("<script src=\"/ops/assets/").count()
        );
    }

    /// What every answer of the service promises (decisions 1, 2, 45, 46).
    fn keeps_the_promises(&self, shown: &str) {
        for name in [
            "x-ratelimit-limit",
            "x-ratelimit-remaining",
            "x-ratelimit-reset",
        ] {
            let value = self
                .header(name)
                .unwrap_or_else(|| panic!("{name} is missing: {shown}"));
            assert!(value.parse::<u64>().is_ok(), "{name}: {shown}");
        }
        assert!(
            self.header("x-request-id").is_some_and(|id| !id.is_empty()),
            "{shown}"
        );
        let is_page = self
            .header("content-type")
            .is_some_and(|media_type| media_type.starts_with("text/html"));
        if is_page {
            self.keeps_a_pages_promises(shown);
        } else if self.status >= 400 && !self.body.is_empty() {
            let json = self.json();
            if json.get("status").is_some() {
                return;
            }
            let members: Vec<&String> = json.as_object().expect("an object").keys().collect();
            assert_eq!(members, ["error"], "{shown}");
            let inside: Vec<&String> = json["error"]
                .as_object()
                .expect("an object")
                .keys()
                .collect();
            assert_eq!(inside, ["code", "message"], "{shown}");
            assert!(
                json["error"]["message"]
                    .as_str()
                    .is_some_and(|message| !message.is_empty()),
                "{shown}"
            );
            assert_eq!(
                self.header("content-type"),
                Some("application/json"),
                "{shown}"
            );
        }
        if self.status == 429 {
            assert!(self.number("retry-after") >= 1, "{shown}");
        }
    }
}

/// The body of a chunked answer, as far as it came.
fn joined(mut rest: &[u8]) -> Vec<u8> {
    let mut body = vec![];
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
        let Some(length) = std::str::from_utf8(&rest[..end])
            .ok()
            .and_then(|hex| usize::from_str_radix(hex, 16).ok())
        else {
            break;
        };
        let start = end + 2;
        let stop = (start + length).min(rest.len());
        body.extend_from_slice(&rest[start..stop]);
        rest = rest.get(stop + 2..).unwrap_or_default();
        if length == 0 {
            break;
        }
    }
    body
}
