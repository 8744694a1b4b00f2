//! Owns the far side for the tests of this room: a small scripted site and a network of scripted names.

use crate::providers::resolver::Names;
use futures_util::future::BoxFuture;
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What the site does with one request.
pub(crate) enum Reply {
    /// These bytes, then the end of the connection.
    Whole(Vec<u8>),
    /// These bytes, then silence on an open connection.
    Hang(Vec<u8>),
    /// The first bytes, then the second ones again and again.
    Endless(Vec<u8>, Vec<u8>),
}

/// A request as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    /// The header lines, in lower case up to the colon.
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Request {
    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head
            .lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.trim())
    }
}

/// A site on this machine that answers as its script says.
pub(crate) struct Site {
    pub(crate) socket: SocketAddr,
    seen: Arc<Mutex<Vec<Request>>>,
}

impl Site {
    /// Starts a site.
    pub(crate) async fn start(script: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let socket = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let script = Arc::new(script);
        tokio::spawn({
            let seen = Arc::clone(&seen);
            async move {
                while let Ok((mut stream, _)) = listener.accept().await {
                    let (script, seen) = (Arc::clone(&script), Arc::clone(&seen));
                    tokio::spawn(async move {
                        let Some(request) = read(&mut stream).await else {
                            return;
                        };
                        seen.lock().unwrap().push(request.clone());
                        let _ = answer(&mut stream, script(&request)).await;
                    });
                }
            }
        });
        Self { socket, seen }
    }

    /// The address of a path on this site.
    pub(crate) fn address(&self, path: &str) -> String {
        format!("http://{}{path}", self.socket)
    }

    /// All requests so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.seen.lock().unwrap().clone()
    }

    /// The paths asked for so far, robots.txt apart.
    pub(crate) fn pages(&self) -> Vec<String> {
        self.requests()
            .into_iter()
            .map(|request| request.path)
            .filter(|path| path != "/robots.txt")
            .collect()
    }
}

/// A full answer with a status line, header lines and a body.
pub(crate) fn answer_with(status: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
    let mut bytes = format!(
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n",
        body.len()
    )
    .into_bytes();
    for (name, value) in headers {
        bytes.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
    }
    bytes.extend_from_slice(b"\r\n");
    bytes.extend_from_slice(body);
    Reply::Whole(bytes)
}

/// An answer that carries a page.
pub(crate) fn page(content_type: &str, body: &str) -> Reply {
    answer_with("200 OK", &[("Content-Type", content_type)], body.as_bytes())
}

/// An answer that sends the client elsewhere.
pub(crate) fn moved(to: &str) -> Reply {
    answer_with("302 Found", &[("Location", to)], b"")
}

/// The answer for what does not exist.
pub(crate) fn not_found() -> Reply {
    answer_with("404 Not Found", &[], b"")
}

async fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break at;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
        // Whoever begins with a TLS handshake gets the plain answer that a web server gives.
        if bytes[0] == 0x16 {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
            return None;
        }
    };
    let text = String::from_utf8_lossy(&bytes[..head_end]).into_owned();
    let (line, head) = text.split_once("\r\n").unwrap_or((&text, ""));
    let mut words = line.split(' ');
    let mut request = Request {
        method: words.next()?.to_owned(),
        path: words.next()?.to_owned(),
        head: head.to_owned(),
        body: String::new(),
    };
    let length = request
        .header("content-length")
        .and_then(|length| length.parse::<usize>().ok())
        .unwrap_or(0);
    while bytes.len() < head_end + 4 + length {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            break;
        }
    }
    request.body = String::from_utf8_lossy(&bytes[head_end + 4..]).into_owned();
    Some(request)
}

async fn answer(stream: &mut TcpStream, reply: Reply) -> io::Result<()> {
    match reply {
        Reply::Whole(bytes) => {
            stream.write_all(&bytes).await?;
            stream.shutdown().await
        }
        Reply::Hang(bytes) => {
            stream.write_all(&bytes).await?;
            // Until the client gives up.
            stream.read_to_end(&mut Vec::new()).await.map(|_| ())
        }
        Reply::Endless(first, again) => {
            stream.write_all(&first).await?;
            loop {
                stream.write_all(&again).await?;
            }
        }
    }
}

/// Scripted names. Each look-up of a name gives its next answer, the last one for ever.
#[derive(Debug, Default)]
pub(super) struct Network {
    names: Mutex<HashMap<String, Vec<Vec<IpAddr>>>>,
    /// Public addresses that in truth are sites of the test.
    lands_at: HashMap<IpAddr, SocketAddr>,
}

impl Network {
    /// Adds a name with its successive answers.
    pub(super) fn name(self, name: &str, answers: &[&[&str]]) -> Self {
        let answers = answers
            .iter()
            .map(|answer| answer.iter().map(|ip| ip.parse().unwrap()).collect())
            .collect();
        self.names.lock().unwrap().insert(name.to_owned(), answers);
        self
    }

    /// Lets connections to a public address end at `site`.
    pub(super) fn lands(mut self, address: &str, site: &Site) -> Self {
        self.lands_at.insert(address.parse().unwrap(), site.socket);
        self
    }
}

impl Names for Network {
    fn lookup(&self, host: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let mut names = self.names.lock().unwrap();
        let answer = names.get_mut(&host).map(|answers| {
            if answers.len() > 1 {
                answers.remove(0)
            } else {
                answers[0].clone()
            }
        });
        Box::pin(async move { answer.ok_or_else(|| io::Error::other("no such name")) })
    }

    fn socket(&self, address: IpAddr) -> SocketAddr {
        self.lands_at
            .get(&address)
            .copied()
            .unwrap_or_else(|| SocketAddr::new(address, 0))
    }
}
