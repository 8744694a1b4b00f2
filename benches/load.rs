//! A load from one thread or from one a core: requests over connections that are kept open, each answer read to its end.

use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Sends at least `times` requests over `connections`, the `n`-th being `request(n)`, and answers how long each took.
pub(crate) async fn ask(
    address: SocketAddr,
    connections: u64,
    times: u64,
    request: impl Fn(u64) -> Vec<u8>,
) -> Vec<Duration> {
    let share = times.div_ceil(connections);
    let request = &request;
    let asking = (0..connections).map(|connection| async move {
        let mut connection_to = Connection::open(address).await;
        let mut took = Vec::with_capacity(usize::try_from(share).unwrap_or(0));
        for n in 0..share {
            let begun = Instant::now();
            connection_to.ask(&request(connection * share + n)).await;
            took.push(begun.elapsed());
        }
        took
    });
    futures_util::future::join_all(asking).await.concat()
}

/// Sends requests at least `times` times from as many threads as there are cores, each over `connections` that keep to one of the
/// `requests`, and answers how often.
pub(crate) fn ask_from_every_core(
    address: SocketAddr,
    connections: u64,
    times: u64,
    requests: &[Vec<u8>],
) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let share = times.div_ceil(cores as u64);
    std::thread::scope(|scope| {
        let asking: Vec<_> = (0..cores)
            .map(|core| {
                scope.spawn(move || {
                    let runtime = tokio::runtime::Builder::new_current_thread()
                        .enable_all()
                        .build()
                        .expect("a runtime");
                    let each = share.div_ceil(connections).max(1);
                    let asked = ask(address, connections, share, |n| {
                        let connection = core as u64 * connections + n / each;
                        let kept = usize::try_from(connection).unwrap_or(0) % requests.len();
                        requests.get(kept).cloned().expect("there are requests")
                    });
                    runtime.block_on(asked).len()
                })
            })
            .collect();
        let asked = asking
            .into_iter()
            .map(|thread| thread.join().expect("it asks"));
        asked.sum()
    })
}

/// The share of `took` that is asked for, `0.99` for the 99th percentile.
pub(crate) fn percentile(mut took: Vec<Duration>, share: f64) -> Duration {
    took.sort_unstable();
    let position = (took.len() as f64 * share) as usize;
    took.get(position.min(took.len().saturating_sub(1)))
        .copied()
        .unwrap_or_default()
}

struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
    /// How long the last answer was: the next one most likely is as long, and need not be taken apart to know its end.
    last: usize,
}

impl Connection {
    async fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address)
            .await
            .expect("the server listens");
        stream.set_nodelay(true).expect("a socket option");
        Self {
            stream,
            buffer: Vec::with_capacity(64 << 10),
            last: 0,
        }
    }

    /// Sends one request and reads its answer, which must be a 200 or a 202 with a length.
    async fn ask(&mut self, request: &[u8]) {
        self.stream
            .write_all(request)
            .await
            .expect("the server reads");
        self.buffer.clear();
        let mut length = None;
        while length.is_none_or(|length| self.buffer.len() < length) {
            let read = self
                .stream
                .read_buf(&mut self.buffer)
                .await
                .expect("the server answers");
            assert!(read > 0, "the server closed the connection");
            if self.buffer.len() == self.last && self.buffer.ends_with(b"}") {
                break;
            }
            length = length.or_else(|| length_of(&self.buffer));
        }
        self.last = self.buffer.len();
        assert!(
            self.buffer.starts_with(b"HTTP/1.1 20"),
            "{}",
            String::from_utf8_lossy(&self.buffer)
        );
    }
}

/// How long the whole answer is, once its head is there.
fn length_of(answer: &[u8]) -> Option<usize> {
    let head = answer.windows(4).position(|end| end == b"\r\n\r\n")? + 4;
    let text = std::str::from_utf8(answer.get(..head)?).ok()?;
    let body = text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.trim().parse::<usize>().ok())?
    })?;
    Some(head + body)
}
