//! A mail server that speaks SMTP and keeps what it gets.

use mail_parser::MessageParser;
use std::net::SocketAddr;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// A message as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Letter {
    pub(crate) to: String,
    pub(crate) subject: String,
    pub(crate) text: String,
}

impl Letter {
    /// The path and query of the link in it.
    pub(crate) fn link(&self) -> String {
        let rest = self.text.split("http://127.0.0.1:8080").nth(1);
        let link = rest.and_then(|rest| rest.split_whitespace().next());
        link.unwrap_or_else(|| panic!("a link in {}", self.text))
            .to_owned()
    }
}

/// The server; it ends with the test's runtime.
pub(crate) struct PostOffice {
    pub(crate) address: SocketAddr,
    letters: mpsc::UnboundedReceiver<Letter>,
}

impl PostOffice {
    pub(crate) async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (keep, letters) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                tokio::spawn(converse(connection, keep.clone()));
            }
        });
        Self { address, letters }
    }

    /// The next letter; a test that waits for one that never comes hangs, and so fails.
    pub(crate) async fn letter(&mut self) -> Letter {
        self.letters.recv().await.expect("the office is open")
    }

    /// Whether no letter is there.
    pub(crate) fn is_empty(&mut self) -> bool {
        self.letters.try_recv().is_err()
    }
}

async fn converse(connection: TcpStream, keep: mpsc::UnboundedSender<Letter>) {
    let (read, mut write) = connection.into_split();
    let mut lines = BufReader::new(read).lines();
    let mut to = String::new();
    let _ = write.write_all(b"220 test ready\r\n").await;
    while let Ok(Some(line)) = lines.next_line().await {
        let word = line
            .split([' ', ':'])
            .next()
            .unwrap_or_default()
            .to_ascii_uppercase();
        let answer = match word.as_str() {
            "EHLO" => "250-test\r\n250 8BITMIME\r\n",
            "RCPT" => {
                line.clone_into(&mut to);
                "250 ok\r\n"
            }
            "DATA" => {
                let _ = write.write_all(b"354 go on\r\n").await;
                let mut raw = String::new();
                while let Ok(Some(line)) = lines.next_line().await {
                    if line == "." {
                        break;
                    }
                    raw.push_str(line.strip_prefix('.').unwrap_or(&line));
                    raw.push_str("\r\n");
                }
                let message = MessageParser::default()
                    .parse(raw.as_bytes())
                    .expect("a message");
                let letter = Letter {
                    to: to.clone(),
                    subject: message.subject().unwrap_or_default().to_owned(),
                    text: message.body_text(0).unwrap_or_default().into_owned(),
                };
                let _ = keep.send(letter);
                "250 kept\r\n"
            }
            "QUIT" => {
                let _ = write.write_all(b"221 bye\r\n").await;
                return;
            }
            _ => "250 ok\r\n",
        };
        let _ = write.write_all(answer.as_bytes()).await;
    }
}
