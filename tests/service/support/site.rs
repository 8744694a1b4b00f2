//! A small web site to read from: pages with their statuses, and a page that waits until a test lets it go.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// A web site, as long as it is held.
pub(crate) struct Site {
    pub(crate) address: SocketAddr,
    gate: watch::Sender<bool>,
    task: tokio::task::JoinHandle<()>,
}

impl Site {
    /// Serves these pages: path, status, HTML. Paths under `/slow/` wait for [`Site::let_go`].
    pub(crate) async fn start(pages: &[(&str, u16, &str)]) -> Self {
        let pages: HashMap<String, (u16, String)> = pages
            .iter()
            .map(|(path, status, html)| ((*path).to_owned(), (*status, (*html).to_owned())))
            .collect();
        let pages = Arc::new(pages);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let gate = watch::Sender::new(false);
        let opened = gate.subscribe();
        let task = tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                tokio::spawn(answer(connection, Arc::clone(&pages), opened.clone()));
            }
        });
        Self {
            address,
            gate,
            task,
        }
    }

    /// The address of a page.
    pub(crate) fn page(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Holds the slow pages up again.
    pub(crate) fn hold(&self) {
        self.gate.send_replace(false);
    }

    /// Lets the slow pages go.
    pub(crate) fn let_go(&self) {
        self.gate.send_replace(true);
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(
    mut connection: TcpStream,
    pages: Arc<HashMap<String, (u16, String)>>,
    mut opened: watch::Receiver<bool>,
) {
    let mut head = vec![];
    let mut piece = [0; 4096];
    while !head.windows(4).any(|four| four == b"\r\n\r\n") {
        match connection.read(&mut piece).await {
            Ok(read) if read > 0 => head.extend_from_slice(&piece[..read]),
            _ => return,
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or("/").to_owned();
    if path.starts_with("/slow/") {
        let _ = opened.wait_for(|opened| *opened).await;
    }
    let (status, html) = pages.get(&path).cloned().unwrap_or((404, "gone".into()));
    let answer = format!(
        "HTTP/1.1 {status} Said\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{html}",
        html.len()
    );
    let _ = connection.write_all(answer.as_bytes()).await;
}
