//! Keeps readers of hostile formats in a child process: bytes in, a document out. A reader that panics, runs away or eats
//! memory takes only its child with it.
//!
//! ```text
//! answer = opening as JSON, line feed; the bytes of the text; each block as JSON, line feed
//! ```
//!
//! So the text is neither escaped nor copied. A child answers when it has read everything; from then on its answer is understood as
//! it comes, on a thread of its own, and never lies here as a whole. That thread is handed what has come and waits for nothing else: it ends
//! with the time that the child has, whoever else holds the ends of its pipes.
//!
//! A thread cannot be killed, a child can: it ends with its limits, its time, or the run that waits for it. There are never more
//! children than cores, and they are as polite as the pool's threads.

use crate::pipeline::pool::{NICENESS, be_polite};
use rustix::process::{Resource, Rlimit, Signal, setrlimit};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use skillkiln_document::blocks::{About, Block, Document, Moment, NESTING_MAX, exact};
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_readers::readers::{self, Task};
use std::io::{BufRead, BufReader, BufWriter, Cursor, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{ExitCode, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdout, Command};
use tokio::sync::{Semaphore, mpsc, oneshot};

/// The hidden subcommand that the child is started with; its argument is the order as JSON.
pub const SUBCOMMAND: &str = "read-isolated";
/// How much address space the child's allocator sets aside at a time, in KiB.
const ARENA_KIB: &str = "65536";
/// Where the allocator looks for how many milliseconds freed memory stays with it.
pub const PURGE_DELAY: &str = "MIMALLOC_PURGE_DELAY";
/// So many, unless the operator says otherwise: a text of a million words then takes a quarter less to read.
pub const PURGE_DELAY_MS: &str = "10";
/// Parts of an answer that wait to be understood.
const PARTS_WAITING: usize = 4;
/// How long a child that was killed is listened to.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// For JSON as deep as a document may be.
const STACK_BYTES: usize = 8 << 20;
/// The longest answer that is believed.
const ANSWER_BYTES_MAX: u64 = 128 << 20;
/// An answer is given and taken up to so much at once.
const TAKEN_BYTES_MAX: usize = 64 << 10;
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
    /// How much comes.
    bytes: usize,
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
    text_bytes: u64,
    blocks: usize,
}

/// What became of a child.
struct Ended {
    /// How much it answered.
    bytes: u64,
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
    ask(isolation, task, bytes).await.map_err(|error| {
        tracing::error!(%error, file_type = ?task.file_type, "cannot run an isolated reader");
        Failure::new(
            Reason::Internal,
            "this file could not be read; the fault is ours",
        )
    })?
}

/// An answer that is read as it comes.
struct Answer<R>(BufReader<std::io::Take<R>>);

impl<R: Read> Answer<R> {
    fn of(answer: R) -> Self {
        let believed = answer.take(ANSWER_BYTES_MAX + 1);
        Self(BufReader::with_capacity(TAKEN_BYTES_MAX, believed))
    }

    /// How much of it has come.
    fn bytes(&self) -> u64 {
        ANSWER_BYTES_MAX + 1 - self.0.get_ref().limit()
    }

    /// The document or the failure that it holds; `None` when it is none.
    fn parsed(&mut self) -> Option<Result<Document, Failure>> {
        let mut line = Vec::new();
        let frame = match self.next_line(&mut line)? {
            Opening::Read(frame) => *frame,
            Opening::Failed(failure) => return Some(Err(failure)),
        };
        // A child may have been taken over: what it announces is believed once it is there.
        if frame.text_bytes > ANSWER_BYTES_MAX {
            return Some(Err(too_long()));
        }
        let text_bytes = usize::try_from(frame.text_bytes).ok()?;
        let mut text = Vec::with_capacity(text_bytes);
        let mut part = self.0.by_ref().take(frame.text_bytes);
        part.read_to_end(&mut text).ok()?;
        if text.len() != text_bytes {
            return None;
        }
        let mut blocks = Vec::new();
        for _ in 0..frame.blocks {
            let mut block: Block = self.next_line(&mut line)?;
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

    /// What the next line holds. It is as deep as its document, which is bounded in its levels, each of them several deep in JSON.
    fn next_line<T: DeserializeOwned>(&mut self, line: &mut Vec<u8>) -> Option<T> {
        line.clear();
        self.0.read_until(b'\n', line).ok()?;
        if depth_of(line) > DEPTH_MAX {
            return None;
        }
        let mut json = serde_json::Deserializer::from_slice(line);
        json.disable_recursion_limit();
        T::deserialize(&mut json).ok()
    }
}

/// Writes a document as an answer.
fn write_answer(document: &Document, out: &mut impl Write) -> std::io::Result<()> {
    let frame = Frame {
        title: document.title.clone(),
        about: document.about.clone(),
        moments: document.moments.clone(),
        text_bytes: document.text.len() as u64,
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

/// How many brackets are open at once, or a number that is no smaller and still as deep as may be.
fn depth_of(json: &[u8]) -> usize {
    // As deep as it has opening brackets at most, and these are counted many times faster.
    let opened = json.iter().filter(|byte| matches!(byte, b'[' | b'{'));
    let opened = opened.count();
    if opened <= DEPTH_MAX {
        return opened;
    }
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
    if ended.bytes > ANSWER_BYTES_MAX {
        return too_long();
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

fn too_long() -> Failure {
    too_large(&format!(
        "this file holds more than the {} MB of text and structure that are read of one; send a part of it",
        ANSWER_BYTES_MAX >> 20
    ))
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

/// Starts a child and understands what it answers.
///
/// # Errors
/// When no child can be run.
async fn ask(
    isolation: &Isolation,
    task: &Task,
    bytes: bytes::Bytes,
) -> std::io::Result<Result<Document, Failure>> {
    let program = match &isolation.program {
        Some(program) => program.clone(),
        None => running_program()?,
    };
    let order = serde_json::to_string(&Order {
        task: task.clone(),
        bytes: bytes.len(),
        processor_s: isolation.processor_s,
        memory_bytes: isolation.memory_bytes,
    })?;
    let mut child = Command::new(program)
        .arg(SUBCOMMAND)
        .arg(order)
        .env_clear()
        // The allocator would set more address space aside than the child may have.
        .env("MIMALLOC_ARENA_RESERVE", ARENA_KIB)
        .env(
            PURGE_DELAY,
            std::env::var_os(PURGE_DELAY).unwrap_or(PURGE_DELAY_MS.into()),
        )
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
    let complain = async move {
        let mut complaint = Vec::new();
        if let Some(stderr) = stderr {
            let mut beginning = stderr.take(COMPLAINT_BYTES_MAX);
            let _ = beginning.read_to_end(&mut complaint).await;
        }
        complaint
    };
    let last_words = async { tokio::join!(send, complain).1 };
    let answer = tokio::time::timeout(isolation.timeout, answer(stdout));
    tokio::pin!(answer, last_words);
    let mut complaint = None;
    let answer = loop {
        tokio::select! {
            answer = &mut answer => break answer,
            said = &mut last_words, if complaint.is_none() => complaint = Some(said),
        }
    };
    // Whatever it still does is of no use. One that has died by itself keeps its own status.
    let _ = child.start_kill();
    let complaint = match complaint {
        Some(said) => said,
        // Somebody else may hold its end.
        None => {
            let said = tokio::time::timeout(LAST_WORDS, last_words).await;
            said.unwrap_or_default()
        }
    };
    let status = child.wait().await?;
    let Ok(answer) = answer else {
        return Ok(Err(too_slow()));
    };
    let (parsed, bytes) = answer?;
    let ended = Ended {
        bytes,
        status,
        complaint,
    };
    Ok(parsed.unwrap_or_else(|| Err(unanswered(&ended))))
}

/// What a child's answer holds, and how long it is.
type Understood = (Option<Result<Document, Failure>>, u64);

/// Waits for a child's answer and has it understood.
///
/// # Errors
/// When the answer cannot be read.
async fn answer(output: Option<ChildStdout>) -> std::io::Result<Understood> {
    let Some(mut output) = output else {
        return Ok((None, 0));
    };
    let mut taken = Vec::with_capacity(TAKEN_BYTES_MAX);
    output.read_buf(&mut taken).await?;
    let (give, coming) = mpsc::channel(PARTS_WAITING);
    let mut understood = understand(coming)?;
    let hand_over = async move {
        while !taken.is_empty() && give.send(taken).await.is_ok() {
            taken = Vec::with_capacity(TAKEN_BYTES_MAX);
            output.read_buf(&mut taken).await?;
        }
        Ok::<(), std::io::Error>(())
    };
    tokio::select! {
        understood = &mut understood => return understood.map_err(std::io::Error::other),
        handed_over = hand_over => handed_over?,
    }
    understood.await.map_err(std::io::Error::other)
}

/// Understands an answer on a thread of its own, as polite as those of the pool: a long one is as heavy as a long text.
fn understand(coming: mpsc::Receiver<Vec<u8>>) -> std::io::Result<oneshot::Receiver<Understood>> {
    let (tell, told) = oneshot::channel();
    std::thread::Builder::new()
        .name("answer".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || {
            be_polite();
            let mut answer = Answer::of(Parts {
                coming,
                part: Cursor::default(),
            });
            let parsed = answer.parsed();
            let _ = tell.send((parsed, answer.bytes()));
        })?;
    Ok(told)
}

/// An answer in the parts in which it comes.
struct Parts {
    coming: mpsc::Receiver<Vec<u8>>,
    part: Cursor<Vec<u8>>,
}

impl Read for Parts {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        loop {
            let read = Read::read(&mut self.part, out)?;
            if read > 0 || out.is_empty() {
                return Ok(read);
            }
            match self.coming.blocking_recv() {
                Some(part) => self.part = Cursor::new(part),
                None => return Ok(0),
            }
        }
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
    // Its room at once: a list that doubles takes twice as many pages of memory that nobody had.
    let mut bytes = Vec::with_capacity(order.bytes);
    let input = std::io::stdin().lock();
    if input.take(INPUT_BYTES_MAX).read_to_end(&mut bytes).is_err() {
        return ExitCode::FAILURE;
    }
    // Readers recurse; a deep file should reach their own limits before the end of the stack.
    let work = std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(move || readers::read(&order.task, bytes.into()));
    let Some(result) = work.ok().and_then(|thread| thread.join().ok()) else {
        return ExitCode::FAILURE;
    };
    // As much at once as is taken: each part wakes two threads.
    let mut out = BufWriter::with_capacity(TAKEN_BYTES_MAX, std::io::stdout().lock());
    let written = match result {
        Ok(document) => {
            let written = write_answer(&document, &mut out);
            // The process ends; to take the document apart before would be work for nothing.
            std::mem::forget(document);
            written
        }
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
    use skillkiln_document::blocks::{BlockKind, Span};
    use skillkiln_document::text::Inline;

    /// What comes in pieces of this size.
    struct Pieces<'a>(&'a [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            let most = out.len().min(self.1);
            Read::read(&mut self.0, &mut out[..most])
        }
    }

    fn answered(answer: &[u8], piece: usize) -> Option<Result<Document, Failure>> {
        Answer::of(Pieces(answer, piece)).parsed()
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
                bytes: 0,
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
