//! A line to the database that can be cut and mended: a relay between the server and PostgreSQL.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// The line.
pub(crate) struct Line {
    url: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    cut: bool,
    open: Vec<TcpStream>,
}

impl Line {
    /// A line to the database at `url`.
    pub(crate) fn to(url: &str) -> Self {
        let target = url::Url::parse(url).unwrap();
        let there = format!(
            "{}:{}",
            target.host_str().unwrap(),
            target.port().unwrap_or(5432)
        );
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut url = target;
        url.set_host(Some("127.0.0.1")).unwrap();
        url.set_port(Some(listener.local_addr().unwrap().port()))
            .unwrap();
        let state = Arc::new(Mutex::new(State::default()));
        let relay = Arc::clone(&state);
        std::thread::spawn(move || {
            for here in listener.incoming().map_while(Result::ok) {
                let mut state = relay.lock().unwrap();
                if state.cut {
                    let _ = here.shutdown(Shutdown::Both);
                    continue;
                }
                let there = TcpStream::connect(&there).unwrap();
                for (from, to) in [(&here, &there), (&there, &here)] {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    std::thread::spawn(move || pass_on(from, to));
                }
                state.open.extend([here, there]);
            }
        });
        Self {
            url: url.into(),
            state,
        }
    }

    /// The address at this end.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Breaks all connections and refuses new ones.
    pub(crate) fn cut(&self) {
        let mut state = self.state.lock().unwrap();
        state.cut = true;
        for stream in state.open.drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Lets connections through again.
    pub(crate) fn mend(&self) {
        self.state.lock().unwrap().cut = false;
    }
}

fn pass_on(mut from: TcpStream, mut to: TcpStream) {
    let mut buffer = [0; 16 << 10];
    while let Ok(read @ 1..) = from.read(&mut buffer) {
        if to.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}
