//! A language model's server: it speaks every protocol, can be ill, slow or silent, and remembers what it was asked.

use crate::support::brain::{Script, answer};
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What the server does with one request.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Turn {
    /// The model answers.
    Say(Script),
    /// This status, asking to wait so many seconds.
    Fail(u16, Option<u32>),
    /// Bytes that are no answer.
    Noise,
    /// Nothing, on an open connection.
    Silence,
}

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) head: String,
    pub(crate) body: String,
}

/// The server, as long as it is held.
pub(crate) struct ModelServer {
    pub(crate) address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
    task: tokio::task::JoinHandle<()>,
}

impl ModelServer {
    /// Takes these turns one after the other, the last one for ever.
    pub(crate) async fn start(turns: &[Turn]) -> Self {
        let turns = Arc::new(Mutex::new(turns.to_vec()));
        let asked = Arc::new(Mutex::new(vec![]));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let seen = Arc::clone(&asked);
        let task = tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                tokio::spawn(attend(connection, Arc::clone(&turns), Arc::clone(&seen)));
            }
        });
        Self {
            address,
            asked,
            task,
        }
    }

    /// Everything it was asked.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("no panic").clone()
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn attend(
    mut connection: TcpStream,
    turns: Arc<Mutex<Vec<Turn>>>,
    seen: Arc<Mutex<Vec<Asked>>>,
) {
    let Some(asked) = read(&mut connection).await else {
        return;
    };
    let turn = {
        let mut turns = turns.lock().expect("no panic");
        if turns.len() > 1 {
            turns.remove(0)
        } else {
            turns[0]
        }
    };
    seen.lock().expect("no panic").push(asked.clone());
    let (status, headers, body) = match turn {
        Turn::Silence => {
            let _ = connection.read_to_end(&mut vec![]).await;
            return;
        }
        Turn::Noise => (200, String::new(), "<html>\0\u{1}not an answer".to_owned()),
        Turn::Fail(status, wait) => {
            let wait = wait.map(|seconds| format!("Retry-After: {seconds}\r\n"));
            // As servers do, it repeats the key in its error.
            let body = format!(
                "{{\"error\":{{\"message\":\"no: {}\"}}}}",
                key_of(&asked.head)
            );
            (status, wait.unwrap_or_default(), body)
        }
        Turn::Say(script) => {
            let question: Value = serde_json::from_str(&asked.body).expect("JSON");
            let path = asked.head.split(' ').nth(1).unwrap_or_default();
            let body = answer(path, script, &question);
            let body = body.unwrap_or_else(|| panic!("no model answers at {path}"));
            (200, String::new(), body.to_string())
        }
    };
    let whole = format!(
        "HTTP/1.1 {status} Said\r\nContent-Type: application/json\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let _ = connection.write_all(whole.as_bytes()).await;
}

fn key_of(head: &str) -> &str {
    let mut lines = head.lines().filter_map(|line| line.split_once(": "));
    lines
        .find(|(name, _)| {
            ["authorization", "x-api-key"].contains(&name.to_ascii_lowercase().as_str())
        })
        .map_or("", |(_, value)| value)
}

async fn read(connection: &mut TcpStream) -> Option<Asked> {
    let mut bytes = vec![];
    loop {
        if connection.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let length = head
            .lines()
            .filter_map(|line| line.split_once(": "))
            .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
            .and_then(|(_, value)| value.parse::<usize>().ok())
            .unwrap_or(0);
        if body.len() >= length {
            return Some(Asked {
                head: head.to_owned(),
                body: body.to_owned(),
            });
        }
    }
}
