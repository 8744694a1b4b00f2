//! Owns where the work on one source is done: a short one's on the pool's threads, within a budget of steps; a long or treacherous one's in a
//! worker process. Whoever holds the handle asks without knowing which; to drop it is to end the work.

use crate::domain::skill::Skill;
use crate::domain::topic::{Topic, Topics};
use crate::pipeline::assembly::unread;
use crate::pipeline::job::{Answer, Job, Material, Request, Summary};
use crate::pipeline::pool::{Limits, Pool};
use crate::pipeline::product::{Extracted, Synthesized, Validated, Volume, Wish};
use crate::pipeline::synthesize::{Suggestion, source_of};
use crate::pipeline::turn::Turn;
use crate::pipeline::validate::check_skill;
use crate::pipeline::worker::Isolation;
use crate::pipeline::worker::session::Session;
use bytes::Bytes;
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_skills::changes::{self, Rule};
use skillkiln_skills::report::Report;
use skillkiln_skills::validate::profile::Profile;
use std::sync::Arc;
use tokio::sync::Mutex;

/// A source that was read, wherever its document is: the product of the extract stage.
#[derive(Debug)]
pub struct Evidence {
    /// Where the work on it goes on.
    pub handle: JobHandle,
    /// How much there is of it.
    pub volume: Volume,
}

/// Skills that were written, wherever they are: the product of the synthesize stage.
#[derive(Debug)]
pub struct Written {
    /// Where the work on them goes on.
    pub handle: JobHandle,
    /// How much there is of them.
    pub volume: Volume,
}

/// What a source says since a skill was made of it.
#[derive(Debug)]
pub struct LookedAgain {
    /// SHA-256 of the bytes that were read, in hexadecimal.
    pub digest: String,
    /// What it says.
    pub rules: Vec<Rule>,
    /// What the checks find of the skill against it.
    pub proof: Report,
    /// What it says of the pages of its site that could not be read.
    pub unread: Option<String>,
}

/// The work on one source.
#[derive(Debug)]
pub struct JobHandle {
    pool: Pool,
    isolation: Isolation,
    turn: Turn,
    at: Mutex<At>,
}

/// Where it is done.
#[derive(Debug)]
struct At {
    /// What is done on the pool's threads; taken while it is done.
    here: Job,
    has_begun: bool,
    /// The bytes that were read here.
    bytes: usize,
    /// The worker, once there is one.
    there: Option<Box<Session>>,
    /// Whether the document is in the worker.
    is_there: bool,
}

/// A piece that was read.
#[derive(Debug, Clone, Default)]
pub(in crate::pipeline) struct Piece {
    /// What is known of it.
    pub(in crate::pipeline) summary: Summary,
    /// Whether it is in the worker.
    is_there: bool,
}

impl Piece {
    /// Whether it is in the worker.
    pub(in crate::pipeline) fn is_there(&self) -> bool {
        self.is_there
    }
}

impl JobHandle {
    /// The work on a source that is about to be read.
    pub(in crate::pipeline) fn new(pool: Pool, isolation: Isolation, turn: Turn) -> Self {
        Self::at(pool, isolation, turn, Job::default())
    }

    /// The work on a source that was read.
    #[must_use]
    pub fn of(pool: Pool, extracted: Extracted) -> Self {
        let bytes = extracted.document.text.len();
        let job = Job::of(Arc::new(extracted));
        let mut handle = Self::at(pool, Isolation::default(), Turn::default(), job);
        let at = handle.at.get_mut();
        (at.bytes, at.has_begun) = (bytes, true);
        handle
    }

    fn at(pool: Pool, isolation: Isolation, turn: Turn, here: Job) -> Self {
        let at = At {
            here,
            has_begun: false,
            bytes: 0,
            there: None,
            is_there: false,
        };
        Self {
            pool,
            isolation,
            turn,
            at: Mutex::new(at),
        }
    }

    /// The threads for heavy work.
    pub(in crate::pipeline) fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Has everything read in a worker, however short: for what is many short pieces.
    pub(in crate::pipeline) async fn go_there(&self, bytes: usize) -> Result<(), Failure> {
        let mut at = self.at.lock().await;
        self.open(&mut at, bytes).await
    }

    async fn open(&self, at: &mut At, bytes: usize) -> Result<(), Failure> {
        if at.there.is_none() {
            let session = Box::pin(Session::start(&self.isolation, &self.pool, bytes));
            at.there = Some(Box::new(session.await?));
        }
        Ok(())
    }

    /// Waits for somebody else's server; meanwhile the source takes no place from others.
    pub(in crate::pipeline) async fn away<T>(&self, waiting: impl Future<Output = T>) -> T {
        if let Some(session) = &mut self.at.lock().await.there {
            session.rest();
        }
        self.turn.away(waiting).await
    }

    /// Reads a piece: in the worker when there is one, when it is long, or when its format demands one.
    ///
    /// # Errors
    /// A [`Failure`] that tells the user what to do.
    pub(in crate::pipeline) async fn read(
        &self,
        material: Material,
        bytes: Bytes,
    ) -> Result<Piece, Failure> {
        let mut at = self.at.lock().await;
        if material.is_treacherous() || bytes.len() > self.isolation.inside_bytes_max {
            self.open(&mut at, bytes.len()).await?;
        }
        let is_there = at.there.is_some();
        at.bytes += if is_there { 0 } else { bytes.len() };
        let answer = self
            .perform(&mut at, is_there, vec![Request::Read(material)], bytes)
            .await?;
        match answer {
            Answer::Read(summary) => Ok(Piece {
                summary: *summary,
                is_there,
            }),
            _ => Err(unlike()),
        }
    }

    /// Reads a short text and goes on with it at once.
    ///
    /// # Errors
    /// A [`Failure`] that tells the user what to do.
    pub(in crate::pipeline) async fn read_and(
        &self,
        material: Material,
        bytes: Bytes,
        then: Request,
    ) -> Result<Answer, Failure> {
        let mut at = self.at.lock().await;
        if bytes.len() > self.isolation.inside_bytes_max {
            self.open(&mut at, bytes.len()).await?;
        }
        at.is_there = at.there.is_some();
        at.bytes += bytes.len();
        let is_there = at.is_there;
        let requests = vec![Request::Read(material), then];
        self.perform(&mut at, is_there, requests, bytes).await
    }

    /// Goes on with a piece that was read: where it is, everything else will be.
    pub(in crate::pipeline) async fn go_on_with(
        &self,
        piece: &Piece,
        request: Request,
    ) -> Result<Answer, Failure> {
        self.at.lock().await.is_there = piece.is_there;
        self.ask(request).await
    }

    /// Has something done with the document.
    ///
    /// # Errors
    /// A [`Failure`] that tells the user what to do.
    pub(in crate::pipeline) async fn ask(&self, request: Request) -> Result<Answer, Failure> {
        let mut at = self.at.lock().await;
        let is_there = at.is_there;
        self.perform(&mut at, is_there, vec![request], Bytes::new())
            .await
    }

    /// Performs requests one after the other, the bytes going with the first, and answers the last.
    async fn perform(
        &self,
        at: &mut At,
        is_there: bool,
        requests: Vec<Request>,
        bytes: Bytes,
    ) -> Result<Answer, Failure> {
        if !is_there {
            let mut job = std::mem::take(&mut at.here);
            let work = move || {
                let mut bytes = bytes;
                let mut last = Err(unlike());
                for request in requests {
                    last = job.perform(request, std::mem::take(&mut bytes));
                    if last.is_err() {
                        break;
                    }
                }
                (last, job)
            };
            let limits = Limits::of_source(at.bytes);
            let has_begun = std::mem::replace(&mut at.has_begun, true);
            let (last, job) = self.pool.run_within(limits, has_begun, work).await?;
            at.here = job;
            return last;
        }
        let Some(session) = &mut at.there else {
            return Err(unlike());
        };
        let mut bytes = bytes;
        let mut last = Err(unlike());
        for request in requests {
            let asked = Box::pin(session.ask(&request, std::mem::take(&mut bytes))).await;
            match asked {
                Ok(answer) => last = Ok(answer),
                Err(broken) => {
                    if broken.has_fallen {
                        self.turn.note_fall();
                    }
                    return Err(broken.failure);
                }
            }
        }
        last
    }

    /// The document itself, for work that needs it in this process. A worker's work is done then.
    ///
    /// # Errors
    /// When it cannot be had.
    pub async fn take_document(&self) -> Result<Arc<Extracted>, Failure> {
        let mut at = self.at.lock().await;
        if !at.is_there {
            return at.here.take_extracted();
        }
        let answer = self.perform(&mut at, true, vec![Request::Document], Bytes::new());
        match answer.await? {
            Answer::Document(extracted) => {
                at.there = None;
                at.is_there = false;
                at.bytes = extracted.document.text.len();
                Ok(Arc::new(*extracted))
            }
            _ => Err(unlike()),
        }
    }

    /// Writes skills of the document, without a model.
    ///
    /// # Errors
    /// A [`Failure`] that tells the user what to do: nothing to read, a topic that the source does not cover, a source too long.
    pub async fn write(&self, wish: Wish) -> Result<Volume, Failure> {
        match self.ask(Request::Write(wish)).await? {
            Answer::Written(volume) => Ok(volume),
            _ => Err(unlike()),
        }
    }

    /// Checks the skills that were written; the work is done then.
    ///
    /// # Errors
    /// When they cannot be checked; never for what the checks find.
    pub async fn check(self) -> Result<Validated, Failure> {
        match self.ask(Request::Check).await? {
            Answer::Checked(validated) => Ok(*validated),
            _ => Err(unlike()),
        }
    }

    /// Looks for topics in the document.
    ///
    /// # Errors
    /// When that takes too much.
    pub async fn topics(&self) -> Result<Topics, Failure> {
        match self.ask(Request::Topics).await? {
            Answer::Topics(topics) => Ok(topics),
            _ => Err(unlike()),
        }
    }

    /// Whether the document has something on each of some topics.
    ///
    /// # Errors
    /// When it has nothing on one of them, or that takes too much to tell.
    pub async fn find(&self, selected: Vec<Topic>) -> Result<(), Failure> {
        match self.ask(Request::Find(selected)).await? {
            Answer::Found => Ok(()),
            _ => Err(unlike()),
        }
    }

    /// Suggests a name, a description and a category, and looks for topics.
    ///
    /// # Errors
    /// When that takes too much.
    pub async fn look(&self) -> Result<(Suggestion, Topics), Failure> {
        match self.ask(Request::Look).await? {
            Answer::Looked(suggestion, topics) => Ok((suggestion, topics)),
            _ => Err(unlike()),
        }
    }

    /// Suggests a name, a description and a category, without a model.
    ///
    /// # Errors
    /// When that takes too much.
    pub async fn suggest(&self) -> Result<Suggestion, Failure> {
        match self.ask(Request::Suggest).await? {
            Answer::Suggested(suggestion) => Ok(suggestion),
            _ => Err(unlike()),
        }
    }

    /// Writes one skill and checks it, for somebody who only tries.
    ///
    /// # Errors
    /// A [`Failure`] when there is nothing to make a skill of.
    pub async fn try_out(&self) -> Result<(Skill, Report), Failure> {
        match self.ask(Request::Try).await? {
            Answer::Tried(made) => Ok(*made),
            _ => Err(unlike()),
        }
    }

    /// Checks a skill that was changed since against the document, all of which it is to hold when it `is_whole`.
    ///
    /// # Errors
    /// When that takes too much; never for what the checks find.
    pub async fn prove(&self, skill: Skill, is_whole: bool) -> Result<Report, Failure> {
        match self.ask(Request::Prove(Box::new(skill), is_whole)).await? {
            Answer::Proved(report) => Ok(*report),
            _ => Err(unlike()),
        }
    }

    /// What the document says, rule by rule, and what the checks find of a skill that was made of an earlier state of it; nothing when its
    /// bytes have the digest `known`.
    ///
    /// # Errors
    /// When that takes too much.
    pub async fn look_again(
        self,
        known: Option<String>,
        skill: Skill,
        is_whole: bool,
    ) -> Result<Option<LookedAgain>, Failure> {
        let extracted = self.take_document().await?;
        if known.as_ref() == Some(&extracted.origin.digest) {
            return Ok(None);
        }
        let limits = Limits::of_source(extracted.document.text.len());
        let work = move || LookedAgain {
            rules: changes::of_document(&extracted.document, &source_of(&extracted.origin)),
            proof: check_skill(&skill, &extracted, is_whole, Profile::Open),
            digest: extracted.origin.digest.clone(),
            unread: unread(&extracted.document),
        };
        self.pool.run_within(limits, true, work).await.map(Some)
    }

    /// Puts skills in the place of the document that they were written from elsewhere.
    pub(in crate::pipeline) async fn put_written(&self, synthesized: Synthesized) {
        self.at.lock().await.here = Job::written(synthesized);
    }
}

/// An answer to another question: a fault of ours, or a worker that was taken over.
pub(in crate::pipeline) fn unlike() -> Failure {
    Failure::new(
        Reason::Internal,
        "something went wrong while this source was processed; the fault is ours",
    )
}
