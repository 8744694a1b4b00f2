//! Keeps readers of hostile formats in a child process: bytes in, a document out. A reader that panics, runs away or eats
//! memory takes only its child with it.
//!
//! ```text
//! answer = opening as JSON, line feed; the bytes of the text; each block as JSON, line feed
//! ```
//!
//! So the text is neither escaped nor copied, and what has been understood of a long answer is let go before the next block.
//!
//! A thread cannot be killed, a child can: it ends with its limits, its time, or the run that waits for it. There are never more
//! children than cores, and they are as polite as the pool's threads.

use crate::domain::document::{About, Block, Document, Moment, NESTING_MAX, exact};
use crate::domain::failure::{Failure, Reason};
use crate::pipeline::extract::readers::{self, Task};
use crate::pipeline::pool::{NICENESS, Pool};
use rustix::process::{Resource, Rlimit, Signal, setrlimit};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::io::{BufRead, BufWriter, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{ExitCode, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;
use tokio::sync::Semaphore;

/// The hidden subcommand that the child is started with; its argument is the order as JSON.
pub const SUBCOMMAND: &str = "read-isolated";
/// How much address space the child's allocator sets aside at a time, in KiB.
const ARENA_KIB: &str = "65536";
/// The longest answer that is believed.
const ANSWER_BYTES_MAX: u64 = 128 << 20;
/// An answer is taken as it comes, up to so much at once,
const TAKEN_BYTES_MAX: usize = 64 << 10;
/// and kept in pieces so small that what they leave behind is taken up again by the blocks that are read from them.
const CHUNK_BYTES: usize = 8 << 10;
/// No block is told in less.
const BLOCK_BYTES_MIN: usize = 48;
/// How much is kept of what a dying child says.
const COMPLAINT_BYTES_MAX: u64 = 4 << 10;
/// What a child says before it dies for want of memory.
const OUT_OF_MEMORY: &[u8] = b"memory allocation of";
/// How deep an answer may be: eight brackets for each level of a document.
const DEPTH_MAX: usize = 8 * NESTING_MAX;
/// The most bytes that a child reads.
const INPUT_BYTES_MAX: u64 = 128 << 20;

/// How children are started and bounded.
#[derive(Debug, Clone)]
pub struct Isolation {
    /// The program that knows [`SUBCOMMAND`]; `None` is the running one.
    pub program: Option<PathBuf>,
    /// The time a child may take by the wall clock: for one that waits, or that a busy machine leaves waiting.
    pub timeout: Duration,
    /// The processor time a child may use, in seconds: what bounds a reader, since children are polite and get little of a busy machine.
    pub processor_s: u64,
    /// The memory a child may have.
    pub memory_bytes: u64,
    /// One permit for each child that may run at once.
    pub places: Arc<Semaphore>,
}

impl Default for Isolation {
    fn default() -> Self {
        Self {
            program: None,
            timeout: Duration::from_secs(150),
            processor_s: 30,
            memory_bytes: 2 << 30,
            places: Arc::new(Semaphore::new(
                std::thread::available_parallelism().map_or(1, usize::from),
            )),
        }
    }
}

/// What a child is told.
#[derive(Debug, Serialize, Deserialize)]
struct Order {
    task: Task,
    processor_s: u64,
    memory_bytes: u64,
}

/// How an answer begins.
#[derive(Debug, Serialize, Deserialize)]
enum Opening {
    Read(Box<Frame>),
    Failed(Failure),
}

/// A document without its text and blocks, and how much of these follows.
#[derive(Debug, Serialize, Deserialize)]
struct Frame {
    title: Option<String>,
    about: About,
    moments: Vec<Moment>,
    text_bytes: usize,
    blocks: usize,
}

/// What became of a child.
struct Ended {
    answer: Chunks,
    status: ExitStatus,
    /// The beginning of what it said when it died. It stays here: it may hold words of the file.
    complaint: Vec<u8>,
}

/// Has `bytes` read in a child.
///
/// # Errors
/// What the reader itself says, or that it did not come back.
pub(crate) async fn read(
    isolation: &Isolation,
    pool: &Pool,
    task: &Task,
    bytes: bytes::Bytes,
) -> Result<Document, Failure> {
    if bytes.len() as u64 > INPUT_BYTES_MAX {
        return Err(too_large(&format!(
            "this file is larger than the {} MB that are read of one; send a part of it",
            INPUT_BYTES_MAX >> 20
        )));
    }
    let _place = isolation.places.acquire().await;
    let ended = tokio::time::timeout(isolation.timeout, ask(isolation, task, bytes));
    match ended.await {
        // A long answer is as heavy as a long text.
        Ok(Ok(ended)) => pool.run(move || understood(ended)).await?,
        Ok(Err(error)) => {
            tracing::error!(%error, file_type = ?task.file_type, "cannot run an isolated reader");
            Err(Failure::new(
                Reason::Internal,
                "this file could not be read; the fault is ours",
            ))
        }
        Err(_) => Err(too_slow()),
    }
}

/// What a child answered.
fn understood(mut ended: Ended) -> Result<Document, Failure> {
    match parsed(&mut ended.answer) {
        Some(result) => result,
        None => Err(unanswered(&ended)),
    }
}

/// The document or the failure that an answer holds; `None` when it is none.
fn parsed(answer: &mut Chunks) -> Option<Result<Document, Failure>> {
    let mut line = Vec::new();
    let frame = match next_line(answer, &mut line)? {
        Opening::Read(frame) => *frame,
        Opening::Failed(failure) => return Some(Err(failure)),
    };
    if frame.text_bytes.max(frame.blocks) > answer.left() {
        return None;
    }
    let mut text = vec![0; frame.text_bytes];
    answer.read_exact(&mut text).ok()?;
    // Room for what is there, never for what is announced: a child may have been taken over.
    let mut blocks = Vec::with_capacity(frame.blocks.min(answer.left() / BLOCK_BYTES_MIN));
    for _ in 0..frame.blocks {
        let mut block: Block = next_line(answer, &mut line)?;
        block.shrink_to_fit();
        blocks.push(block);
    }
    exact(&mut blocks);
    Some(Ok(Document {
        title: frame.title,
        about: frame.about,
        text: String::from_utf8(text).ok()?,
        blocks,
        moments: frame.moments,
    }))
}

/// What the next line of an answer holds. It is as deep as its document, which is bounded in its levels, each of them several
/// deep in JSON.
fn next_line<T: DeserializeOwned>(answer: &mut Chunks, line: &mut Vec<u8>) -> Option<T> {
    line.clear();
    answer.read_until(b'\n', line).ok()?;
    if depth_of(line) > DEPTH_MAX {
        return None;
    }
    let mut json = serde_json::Deserializer::from_slice(line);
    json.disable_recursion_limit();
    T::deserialize(&mut json).ok()
}

/// Writes a document as an answer.
fn write_answer(document: &Document, out: &mut impl Write) -> std::io::Result<()> {
    let frame = Frame {
        title: document.title.clone(),
        about: document.about.clone(),
        moments: document.moments.clone(),
        text_bytes: document.text.len(),
        blocks: document.blocks.len(),
    };
    serde_json::to_writer(&mut *out, &Opening::Read(Box::new(frame)))?;
    out.write_all(b"\n")?;
    out.write_all(document.text.as_bytes())?;
    for block in &document.blocks {
        serde_json::to_writer(&mut *out, block)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// How many brackets are open at once at most.
fn depth_of(json: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    let (mut in_string, mut escaped) = (false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Why a child died before it could answer: one of its limits, or a fault in its reader.
fn unanswered(ended: &Ended) -> Failure {
    if ended.answer.bytes > ANSWER_BYTES_MAX {
        return too_large(&format!(
            "this file holds more than the {} MB of text and structure that are read of one; send a part of it",
            ANSWER_BYTES_MAX >> 20
        ));
    }
    if ended.status.signal() == Some(Signal::XCPU.as_raw()) {
        return too_slow();
    }
    if ended
        .complaint
        .windows(OUT_OF_MEMORY.len())
        .any(|said| said == OUT_OF_MEMORY)
    {
        return too_large(
            "this file takes more memory to read than a file may have; send a part of it",
        );
    }
    Failure::new(
        Reason::Unreadable,
        "this file is damaged or too complicated to read; try to export it again, or send its text",
    )
}

fn too_slow() -> Failure {
    too_large("this file takes too long to read; send a part of it")
}

fn too_large(message: &str) -> Failure {
    Failure::new(Reason::TooLarge, message)
}

/// The running program, also after its file was replaced by a newer one: the kernel's own handle on it outlives the name.
fn running_program() -> std::io::Result<PathBuf> {
    let own = PathBuf::from("/proc/self/exe");
    if own.exists() {
        Ok(own)
    } else {
        std::env::current_exe()
    }
}

async fn ask(isolation: &Isolation, task: &Task, bytes: bytes::Bytes) -> std::io::Result<Ended> {
    let program = match &isolation.program {
        Some(program) => program.clone(),
        None => running_program()?,
    };
    let order = serde_json::to_string(&Order {
        task: task.clone(),
        processor_s: isolation.processor_s,
        memory_bytes: isolation.memory_bytes,
    })?;
    let mut child = Command::new(program)
        .arg(SUBCOMMAND)
        .arg(order)
        .env_clear()
        // The allocator would set more address space aside than the child may have.
        .env("MIMALLOC_ARENA_RESERVE", ARENA_KIB)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let send = async move {
        if let Some(mut stdin) = stdin {
            // A child that has seen enough closes its end; its answer tells why.
            let _ = stdin.write_all(&bytes).await;
            let _ = stdin.shutdown().await;
        }
    };
    let ((), answer, complaint) = tokio::join!(
        send,
        Chunks::of(stdout, ANSWER_BYTES_MAX + 1),
        Chunks::of(stderr, COMPLAINT_BYTES_MAX)
    );
    // Whatever it still does after its answer is of no use.
    if answer.as_ref().is_ok_and(|answer| answer.bytes > 0) {
        let _ = child.start_kill();
    }
    Ok(Ended {
        status: child.wait().await?,
        answer: answer?,
        complaint: complaint?.chunks.into_iter().flatten().collect(),
    })
}

/// What came from a child, in pieces that are let go one by one as they are read.
#[derive(Debug, Default)]
struct Chunks {
    chunks: VecDeque<Vec<u8>>,
    /// How much of the first piece has been read.
    start: usize,
    /// How much came altogether.
    bytes: u64,
}

impl Chunks {
    /// The first `bytes_max` bytes of what comes.
    async fn of(output: Option<impl AsyncRead + Unpin>, bytes_max: u64) -> std::io::Result<Self> {
        let mut all = Self::default();
        let Some(output) = output else {
            return Ok(all);
        };
        let mut output = output.take(bytes_max);
        let mut taken = Vec::with_capacity(TAKEN_BYTES_MAX);
        while output.read_buf(&mut taken).await? > 0 {
            all.bytes += taken.len() as u64;
            all.keep(&taken);
            taken.clear();
        }
        Ok(all)
    }

    fn keep(&mut self, mut taken: &[u8]) {
        while !taken.is_empty() {
            let is_full = |last: &Vec<u8>| last.len() >= CHUNK_BYTES;
            if self.chunks.back().is_none_or(is_full) {
                self.chunks.push_back(Vec::with_capacity(CHUNK_BYTES));
            }
            let Some(last) = self.chunks.back_mut() else {
                return;
            };
            let (now, later) = taken.split_at(taken.len().min(CHUNK_BYTES - last.len()));
            last.extend_from_slice(now);
            taken = later;
        }
    }

    /// How many bytes are still to be read.
    fn left(&self) -> usize {
        let all: usize = self.chunks.iter().map(Vec::len).sum();
        all - self.start
    }
}

impl BufRead for Chunks {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        while self
            .chunks
            .front()
            .is_some_and(|chunk| self.start >= chunk.len())
        {
            self.chunks.pop_front();
            self.start = 0;
        }
        let first = self.chunks.front().map(Vec::as_slice).unwrap_or_default();
        Ok(first.get(self.start..).unwrap_or_default())
    }

    fn consume(&mut self, count: usize) {
        self.start += count;
    }
}

impl Read for Chunks {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let mut piece = self.fill_buf()?;
        let count = Read::read(&mut piece, out)?;
        self.consume(count);
        Ok(count)
    }
}

/// What the child does: bounds itself, reads standard input as `order` says (JSON), writes the answer to standard output.
#[must_use]
pub fn child_main(order: &str) -> ExitCode {
    let Ok(order) = serde_json::from_str::<Order>(order) else {
        return ExitCode::FAILURE;
    };
    let up_to = |current, maximum| Rlimit {
        current: Some(current),
        maximum: Some(maximum),
    };
    let bound = |limit| up_to(limit, limit);
    let (seconds, last) = (order.processor_s, order.processor_s.saturating_add(5));
    let bounded = setrlimit(Resource::As, bound(order.memory_bytes)).is_ok()
        // The softer limit ends it with a signal of its own, by which its parent knows what happened.
        && setrlimit(Resource::Cpu, up_to(seconds, last)).is_ok()
        && setrlimit(Resource::Core, bound(0)).is_ok();
    if !bounded {
        return ExitCode::FAILURE;
    }
    let _ = rustix::process::setpriority_process(None, NICENESS);
    let mut bytes = Vec::new();
    let input = std::io::stdin().lock();
    if input.take(INPUT_BYTES_MAX).read_to_end(&mut bytes).is_err() {
        return ExitCode::FAILURE;
    }
    // Readers recurse; a deep file should reach their own limits before the end of the stack.
    let work = std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(move || readers::read(&order.task, &bytes));
    let Some(result) = work.ok().and_then(|thread| thread.join().ok()) else {
        return ExitCode::FAILURE;
    };
    let mut out = BufWriter::new(std::io::stdout().lock());
    let written = match result {
        Ok(document) => write_answer(&document, &mut out),
        Err(failure) => {
            serde_json::to_writer(&mut out, &Opening::Failed(failure)).map_err(std::io::Error::from)
        }
    };
    let written = written.and_then(|()| out.flush());
    if written.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::{BlockKind, Span};
    use crate::domain::text::Inline;

    fn answered(answer: &[u8], piece: usize) -> Option<Result<Document, Failure>> {
        parsed(&mut Chunks {
            chunks: answer.chunks(piece).map(<[u8]>::to_vec).collect(),
            start: 0,
            bytes: answer.len() as u64,
        })
    }

    #[test]
    fn an_answer_is_understood_however_it_is_cut_and_not_when_it_is_cut_off() {
        let block = |text: &str| Block {
            kind: BlockKind::Paragraph(vec![Inline::Text(text.to_owned())]),
            span: Span::default(),
        };
        let document = Document {
            title: Some("A kiln".to_owned()),
            text: "Fire\nthe \"kiln\" — slowly.\n".to_owned(),
            blocks: vec![block("Fire"), block("the \"kiln\"\n— slowly.")],
            ..Document::default()
        };
        let mut answer = Vec::new();
        write_answer(&document, &mut answer).unwrap();
        for piece in [1, 7, 64, answer.len()] {
            assert_eq!(answered(&answer, piece), Some(Ok(document.clone())));
        }
        for end in 0..answer.len() - 1 {
            assert_eq!(answered(&answer[..end], 16), None, "cut at {end}");
        }
        // An opening that announces more than any memory holds costs none.
        let mut promise = br#"{"Read":{"title":null,"about":{"author":null,"date":null,"language":null,"address":null,"site":null,"description":null},"moments":[],"text_bytes":0,"blocks":4000000}}"#.to_vec();
        promise.push(b'\n');
        promise.resize(promise.len() + 4_000_000, b' ');
        assert_eq!(answered(&promise, 1 << 20), None);
        let deep = format!("{}{}\n", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(answered(deep.as_bytes(), 4_096), None);
    }

    #[test]
    fn a_child_that_used_up_its_processor_time_was_too_slow_and_one_that_crashed_was_not() {
        let reason = |signal| {
            unanswered(&Ended {
                answer: Chunks::default(),
                status: ExitStatus::from_raw(signal),
                complaint: Vec::new(),
            })
            .reason
        };
        assert_eq!(reason(Signal::XCPU.as_raw()), Reason::TooLarge);
        assert_eq!(reason(Signal::SEGV.as_raw()), Reason::Unreadable);
        assert_eq!(reason(Signal::ABORT.as_raw()), Reason::Unreadable);
    }
}
