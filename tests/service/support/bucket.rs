//! A bucket of S3-compatible storage, as small as can be, that checks the signature of every request as the real one does.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};

pub(crate) const NAME: &str = "kiln";
pub(crate) const ACCESS_KEY: &str = "AKIAKILN";
pub(crate) const SECRET_KEY: &str = "secret/of+the/kiln";
const REGION: &str = "eu-central-1";

/// What it holds, and what it was asked.
#[derive(Default)]
pub(crate) struct Held {
    pub(crate) objects: BTreeMap<String, Vec<u8>>,
    pub(crate) asked: Vec<String>,
    pub(crate) hush: Hush,
}

/// How much of an answer it leaves out for now.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Hush {
    #[default]
    Nothing,
    /// All of it.
    All,
    /// The second half, in the middle of the body where there is one.
    Half,
}

/// How often one that keeps silent looks whether it still has to.
const LOOK: Duration = Duration::from_millis(10);

pub(crate) struct Bucket {
    pub(crate) address: SocketAddr,
    pub(crate) held: Arc<Mutex<Held>>,
    runtime: Option<Runtime>,
}

impl Bucket {
    pub(crate) async fn start() -> Self {
        // On a thread of its own, because a service that is being started holds up the test's.
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let listener = TcpListener::bind("127.0.0.1:0");
        let listener = runtime.spawn(listener).await.expect("it ends");
        let listener = listener.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let held: Arc<Mutex<Held>> = Arc::default();
        let holds = held.clone();
        runtime.spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                tokio::spawn(serve(connection, holds.clone()));
            }
        });
        Self {
            address,
            held,
            runtime: Some(runtime),
        }
    }

    /// Leaves out so much of each answer from now on.
    pub(crate) fn hush(&self, hush: Hush) {
        self.held.lock().expect("sound").hush = hush;
    }

    /// How many objects it holds.
    pub(crate) fn count(&self) -> usize {
        self.held.lock().expect("sound").objects.len()
    }

    /// The methods it was asked with, each once.
    pub(crate) fn methods(&self) -> Vec<String> {
        let mut methods = self.held.lock().expect("sound").asked.clone();
        methods.sort_unstable();
        methods.dedup();
        methods
    }
}

impl Drop for Bucket {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

async fn serve(mut connection: TcpStream, held: Arc<Mutex<Held>>) {
    let mut bytes = vec![];
    loop {
        let end = loop {
            if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                break end;
            }
            if !matches!(connection.read_buf(&mut bytes).await, Ok(read) if read > 0) {
                return;
            }
        };
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let request = Asked::parse(&head);
        let length = request.header("content-length").parse().unwrap_or(0);
        while bytes.len() < end + 4 + length {
            if !matches!(connection.read_buf(&mut bytes).await, Ok(read) if read > 0) {
                return;
            }
        }
        let body = bytes[end + 4..end + 4 + length].to_vec();
        bytes.drain(..end + 4 + length);
        let (answer, hush) = {
            let mut held = held.lock().expect("sound");
            (answer(&request, body, &mut held), held.hush)
        };
        let said = match hush {
            Hush::Nothing => answer.len(),
            Hush::All => 0,
            Hush::Half if answer.ends_with(b"\r\n\r\n") => answer.len() / 2,
            Hush::Half => answer.len() - 1,
        };
        if connection.write_all(&answer[..said]).await.is_err() {
            return;
        }
        while said < answer.len() && held.lock().expect("sound").hush == hush {
            tokio::time::sleep(LOOK).await;
        }
        if connection.write_all(&answer[said..]).await.is_err() {
            return;
        }
    }
}

struct Asked {
    method: String,
    path: String,
    query: String,
    headers: BTreeMap<String, String>,
}

impl Asked {
    fn parse(head: &str) -> Self {
        let mut lines = head.split("\r\n");
        let first: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
        let (path, query) = first[1].split_once('?').unwrap_or((first[1], ""));
        let headers = lines.filter_map(|line| line.split_once(": "));
        Self {
            method: first[0].to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            headers: headers
                .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
                .collect(),
        }
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// Whether the signature is the one that the secret key gives (AWS Signature Version 4).
    fn is_signed(&self, body: &[u8]) -> bool {
        let authorization = self.header("authorization");
        let field = |name: &str| {
            let (_, rest) = authorization.split_once(name)?;
            rest.split([',', ' ']).next()
        };
        let (Some(credential), Some(signed), Some(signature)) = (
            field("Credential="),
            field("SignedHeaders="),
            field("Signature="),
        ) else {
            return false;
        };
        let day = self.header("x-amz-date").get(..8).unwrap_or_default();
        let scope = format!("{day}/{REGION}/s3/aws4_request");
        if credential != format!("{ACCESS_KEY}/{scope}") {
            return false;
        }
        let digest = self.header("x-amz-content-sha256");
        if digest != "UNSIGNED-PAYLOAD" && digest != hex(&Sha256::digest(body)) {
            return false;
        }
        let headers: String = signed
            .split(';')
            .map(|name| format!("{name}:{}\n", self.header(name)))
            .collect();
        let mut pairs: Vec<&str> = self
            .query
            .split('&')
            .filter(|pair| !pair.is_empty())
            .collect();
        pairs.sort_unstable();
        let canonical = format!(
            "{}\n{}\n{}\n{headers}\n{signed}\n{digest}",
            self.method,
            self.path,
            pairs.join("&")
        );
        let to_sign = format!(
            "AWS4-HMAC-SHA256\n{}\n{scope}\n{}",
            self.header("x-amz-date"),
            hex(&Sha256::digest(canonical))
        );
        let start = format!("AWS4{SECRET_KEY}").into_bytes();
        let key = [day, REGION, "s3", "aws4_request"]
            .iter()
            .fold(start, |key, part| mac(&key, part));
        hex(&mac(&key, &to_sign)) == signature
    }
}

fn mac(key: &[u8], text: &str) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key of any length");
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn answer(asked: &Asked, body: Vec<u8>, held: &mut Held) -> Vec<u8> {
    held.asked.push(asked.method.clone());
    let said = |status: &str, headers: &str, body: &[u8]| {
        let length = body.len();
        let mut answer =
            format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\n{headers}\r\n").into_bytes();
        answer.extend_from_slice(body);
        answer
    };
    if !asked.is_signed(&body) {
        let why = b"<Error><Code>SignatureDoesNotMatch</Code><Message>no</Message></Error>";
        return said("403 Forbidden", "", why);
    }
    let Some(key) = asked.path.strip_prefix(&format!("/{NAME}")) else {
        return said(
            "404 Not Found",
            "",
            b"<Error><Code>NoSuchBucket</Code></Error>",
        );
    };
    let key = key.trim_start_matches('/').to_owned();
    let tag = |bytes: &[u8]| hex(&Sha256::digest(bytes))[..32].to_owned();
    let about = |bytes: &[u8]| {
        let tag = tag(bytes);
        format!("ETag: \"{tag}\"\r\nLast-Modified: Fri, 20 Nov 2026 09:15:00 GMT\r\n")
    };
    match asked.method.as_str() {
        "GET" if key.is_empty() => {
            let contents: String = held
                .objects
                .iter()
                .map(|(key, bytes)| {
                    let (size, tag) = (bytes.len(), tag(bytes));
                    format!("<Contents><Key>{key}</Key><LastModified>2026-11-20T09:15:00.000Z</LastModified><ETag>&quot;{tag}&quot;</ETag><Size>{size}</Size></Contents>")
                })
                .collect();
            let count = held.objects.len();
            let list = format!(
                "<?xml version=\"1.0\"?><ListBucketResult><Name>{NAME}</Name><KeyCount>{count}</KeyCount><IsTruncated>false</IsTruncated>{contents}</ListBucketResult>"
            );
            said(
                "200 OK",
                "Content-Type: application/xml\r\n",
                list.as_bytes(),
            )
        }
        "PUT" => {
            let about = about(&body);
            held.objects.insert(key, body);
            said("200 OK", &about, b"")
        }
        "DELETE" => {
            held.objects.remove(&key);
            said("204 No Content", "", b"")
        }
        method => match held.objects.get(&key) {
            None => said(
                "404 Not Found",
                "",
                if method == "HEAD" {
                    b""
                } else {
                    b"<Error><Code>NoSuchKey</Code></Error>"
                },
            ),
            Some(bytes) if method == "HEAD" => {
                let (length, about) = (bytes.len(), about(bytes));
                format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n{about}\r\n").into_bytes()
            }
            Some(bytes) => said("200 OK", &about(bytes), bytes),
        },
    }
}
