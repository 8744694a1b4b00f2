//! A web site that answers when the test says so.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex};

const PAGE: &str = "<!doctype html><html><head><title>Firing pots</title></head><body><main><h1>Firing pots</h1>\
<p>The kiln fires pots slowly. You must close the lid before you start it, because heat escapes otherwise.</p>\
<h2>Start</h2><p>Run the start command and wait until the gauge shows nine hundred degrees.</p>\
<pre><code class=\"language-sh\">kiln start --heat 900</code></pre></main></body></html>";

/// The site. Pages are held back until [`Site::open`]; `robots.txt` is missing at once.
pub(crate) struct Site {
    address: SocketAddr,
    gate: Arc<(Mutex<bool>, Condvar)>,
    asked: Receiver<()>,
}

impl Site {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let gate = Arc::new((Mutex::new(false), Condvar::new()));
        let (tell, asked) = channel();
        let held = Arc::clone(&gate);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (held, tell) = (Arc::clone(&held), tell.clone());
                std::thread::spawn(move || answer(stream, &held, &tell));
            }
        });
        Self {
            address,
            gate,
            asked,
        }
    }

    /// The address of the `n`-th page.
    pub(crate) fn page(&self, n: usize) -> String {
        format!("http://{}/page-{n}.html", self.address)
    }

    /// Waits until somebody has asked for `count` pages.
    pub(crate) fn wait_for(&self, count: usize) {
        for _ in 0..count {
            self.asked.recv().unwrap();
        }
    }

    /// Whether somebody has asked for a page since what was waited for.
    pub(crate) fn was_asked_again(&self) -> bool {
        self.asked.try_recv().is_ok()
    }

    /// Lets all answers go, now and later.
    pub(crate) fn open(&self) {
        *self.gate.0.lock().unwrap() = true;
        self.gate.1.notify_all();
    }
}

fn answer(mut stream: TcpStream, (open, opened): &(Mutex<bool>, Condvar), tell: &Sender<()>) {
    let mut head = Vec::new();
    let mut buffer = [0; 1024];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut buffer) {
            Ok(read) if read > 0 => head.extend_from_slice(&buffer[..read]),
            _ => return,
        }
    }
    let (status, body) = if head.starts_with(b"GET /robots.txt") {
        ("404 Not Found", "")
    } else {
        let _ = tell.send(());
        let guard = open.lock().unwrap();
        drop(opened.wait_while(guard, |open| !*open).unwrap());
        ("200 OK", PAGE)
    };
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
}
