//! Owns the work on one source from its bytes to the checked skills, one request at a time: the same on the pool's threads and in a worker
//! process. What was made stays here between two requests; only what was asked for goes out.
//!
//! ```text
//! Read … Read ─▶ Assemble ─▶ Write ─▶ Check ─▶ Validated
//!                   ├─▶ Topics · Suggest · Look · Try · Prove
//!                   └─▶ Document
//! ```

use crate::domain::skill::Skill;
use crate::domain::topic::{Topic, Topics};
use crate::pipeline::assembly::{Assembly, assemble};
use crate::pipeline::product::{Extracted, Synthesized, Validated, Volume, Wish};
use crate::pipeline::synthesize::{self, Suggestion};
use crate::pipeline::validate::{self, check_skill};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use skillkiln_document::blocks::{About, BlockKind, Document, walk};
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_document::text::{Inline, word_count};
use skillkiln_readers::captions;
use skillkiln_readers::file_type::FileType;
use skillkiln_readers::html::links::{self, Links};
use skillkiln_readers::html::{self, embedded};
use skillkiln_readers::limits::Reading;
use skillkiln_readers::readers::{self, Task};
use skillkiln_readers::spoken::{Chapter, Transcript};
use skillkiln_readers::terminal::without_marks;
use skillkiln_readers::{decode, file_type, transcript};
use skillkiln_skills::report::Report;
use skillkiln_skills::validate::profile::Profile;
use std::borrow::Cow;
use std::sync::Arc;

/// Links of a text that are told.
const LINKS_MAX: usize = 5_000;
/// A longer page is not searched for links.
const SEARCHED_BYTES_MAX: usize = 512 << 10;

/// What is to be done next.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::pipeline) enum Request {
    /// Read the bytes that come with it.
    Read(Material),
    /// Put what was read together.
    Assemble(Assembly),
    /// Write skills.
    Write(Wish),
    /// Check them.
    Check,
    /// Look for topics.
    Topics,
    /// Say whether there is something on each of these.
    Find(Vec<Topic>),
    /// Suggest a name, a description and a category.
    Suggest,
    /// Both.
    Look,
    /// Write one skill and check it.
    Try,
    /// Check a skill that was changed since against the document; whether it is to hold all of it.
    Prove(Box<Skill>, bool),
    /// Hand out the document.
    Document,
}

/// What the bytes are.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::pipeline) enum Material {
    /// A text that somebody typed or sent.
    Text,
    /// A file whose type its name and its bytes tell.
    File {
        /// Its name.
        filename: String,
        /// How much is read.
        limits: Reading,
    },
    /// A page whose type is known.
    Page {
        /// How it is read.
        task: Task,
        /// Whether it matters where it leads.
        with_links: bool,
    },
    /// The data that a page's scripts would fill it with.
    Carried {
        /// The page's address.
        address: String,
    },
    /// Captions in a file, and what else is known of their video.
    Captions(Box<Video>),
    /// A transcript as JSON.
    Transcript,
}

impl Material {
    /// Whether it is read in a worker however short it is.
    pub(in crate::pipeline) fn is_treacherous(&self) -> bool {
        match self {
            Self::Page { task, .. } => task.file_type.is_treacherous(),
            Self::Text
            | Self::File { .. }
            | Self::Carried { .. }
            | Self::Captions(_)
            | Self::Transcript => false,
        }
    }
}

/// A video whose captions are a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::pipeline) struct Video {
    /// The video's title.
    pub(in crate::pipeline) title: Option<String>,
    /// Who made it.
    pub(in crate::pipeline) author: Option<String>,
    /// The language of the captions.
    pub(in crate::pipeline) language: Option<String>,
    /// Its address.
    pub(in crate::pipeline) address: String,
    /// Its chapters.
    pub(in crate::pipeline) chapters: Vec<Chapter>,
}

/// What came of a request.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::pipeline) enum Answer {
    /// What was read.
    Read(Box<Summary>),
    /// How much was put together.
    Assembled(Volume),
    /// How much was written.
    Written(Volume),
    /// The skills with their reports.
    Checked(Box<Validated>),
    /// The topics.
    Topics(Topics),
    /// There is something on each.
    Found,
    /// The suggestion.
    Suggested(Suggestion),
    /// Both.
    Looked(Suggestion, Topics),
    /// One skill with its report.
    Tried(Box<(Skill, Report)>),
    /// The report on a skill.
    Proved(Box<Report>),
    /// The document with where it comes from.
    Document(Box<Extracted>),
}

/// What is told of a piece that was read, whose document stays where it is.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::pipeline) struct Summary {
    /// The number of its document.
    pub(in crate::pipeline) document: usize,
    /// What it is called.
    pub(in crate::pipeline) title: Option<String>,
    /// What it says of itself.
    pub(in crate::pipeline) about: About,
    /// How many words it has, of a page.
    pub(in crate::pipeline) words: usize,
    /// The links in its text, of a page that is no web page.
    pub(in crate::pipeline) text_links: Vec<String>,
    /// Where the page leads.
    pub(in crate::pipeline) links: Links,
    /// Why there is no document, where something else may be read instead.
    pub(in crate::pipeline) failure: Option<Failure>,
}

/// The work on one source.
#[derive(Debug, Default)]
pub(in crate::pipeline) struct Job {
    read: Vec<Option<Document>>,
    extracted: Option<Arc<Extracted>>,
    synthesized: Option<Synthesized>,
}

impl Job {
    /// A job whose document is there already.
    pub(in crate::pipeline) fn of(extracted: Arc<Extracted>) -> Self {
        Self {
            extracted: Some(extracted),
            ..Self::default()
        }
    }

    /// A job whose skills are written already.
    pub(in crate::pipeline) fn written(synthesized: Synthesized) -> Self {
        Self {
            synthesized: Some(synthesized),
            ..Self::default()
        }
    }

    /// Does what is asked, with the bytes that came along.
    ///
    /// # Errors
    /// A [`Failure`] that tells the user what to do.
    pub(in crate::pipeline) fn perform(
        &mut self,
        request: Request,
        bytes: Bytes,
    ) -> Result<Answer, Failure> {
        match request {
            Request::Read(material) => {
                let (document, summary) = match material {
                    Material::Page { task, with_links } => read_page(&task, with_links, &bytes)?,
                    material => (read(material, bytes)?, Summary::default()),
                };
                let summary = Summary {
                    document: self.read.len(),
                    ..summary
                };
                self.read.push(Some(document));
                Ok(Answer::Read(Box::new(summary)))
            }
            Request::Assemble(assembly) => {
                let extracted = assemble(&mut self.read, assembly)?;
                self.read = Vec::new();
                let volume = Volume::of(&extracted.document.text);
                self.extracted = Some(Arc::new(extracted));
                Ok(Answer::Assembled(volume))
            }
            Request::Write(wish) => {
                let written = synthesize::write(self.take_extracted()?, &wish)?;
                let volume = written.volume();
                self.synthesized = Some(written);
                Ok(Answer::Written(volume))
            }
            Request::Check => {
                let written = self.synthesized.take().ok_or_else(out_of_turn)?;
                Ok(Answer::Checked(Box::new(validate::examine_all(written))))
            }
            Request::Topics => {
                let found = synthesize::detect(self.extracted()?);
                Ok(Answer::Topics(found))
            }
            Request::Find(selected) => {
                synthesize::find(self.extracted()?, &selected)?;
                Ok(Answer::Found)
            }
            Request::Suggest => {
                let found = synthesize::suggest(self.extracted()?)?;
                Ok(Answer::Suggested(found))
            }
            Request::Look => {
                let extracted = self.extracted()?;
                let suggestion = synthesize::suggest(extracted)?;
                Ok(Answer::Looked(suggestion, synthesize::detect(extracted)))
            }
            Request::Try => tried(self.take_extracted()?).map(|made| Answer::Tried(Box::new(made))),
            Request::Prove(skill, is_whole) => {
                let report = check_skill(&skill, self.extracted()?, is_whole, Profile::Open);
                Ok(Answer::Proved(Box::new(report)))
            }
            Request::Document => {
                let extracted = Arc::unwrap_or_clone(self.take_extracted()?);
                Ok(Answer::Document(Box::new(extracted)))
            }
        }
    }

    fn extracted(&self) -> Result<&Extracted, Failure> {
        self.extracted.as_deref().ok_or_else(out_of_turn)
    }

    /// Takes the document: who writes of it lends its blocks, which nobody else may hold then.
    pub(in crate::pipeline) fn take_extracted(&mut self) -> Result<Arc<Extracted>, Failure> {
        self.extracted.take().ok_or_else(out_of_turn)
    }
}

/// A request came before what it needs: a fault of ours.
fn out_of_turn() -> Failure {
    Failure::new(
        Reason::Internal,
        "something went wrong while this source was processed; the fault is ours",
    )
}

/// Reads one piece of a source that is no page.
fn read(material: Material, bytes: Bytes) -> Result<Document, Failure> {
    Ok(match material {
        Material::Text => {
            let text = match String::from_utf8_lossy(&bytes) {
                Cow::Borrowed(text) => text.to_owned(),
                Cow::Owned(text) => text,
            };
            let words = without_marks(decode::line_ends(text).into());
            readers::plain(words.into_owned())
        }
        Material::File { filename, limits } => {
            let named = |failure: Failure| Failure {
                message: format!("{filename}: {}", failure.message),
                ..failure
            };
            let task = Task {
                file_type: file_type::of_file(&filename, &bytes).map_err(named)?,
                charset: None,
                address: None,
                filename: Some(filename.clone()),
                limits,
            };
            readers::read(&task, Cow::Borrowed(&bytes)).map_err(named)?
        }
        Material::Page { task, .. } => readers::read(&task, Cow::Borrowed(&bytes))?,
        Material::Carried { address } => embedded::of_json(&bytes)
            .and_then(|found| html::carried(found, Some(&address)))
            .ok_or_else(nothing)?,
        Material::Captions(video) => {
            let segments = captions::of_file(&decode::decode(&bytes, None));
            transcript::read(Transcript {
                withheld: None,
                title: video.title,
                author: video.author,
                language: video.language,
                address: video.address,
                segments: segments
                    .filter(|segments| !segments.is_empty())
                    .ok_or_else(nothing)?,
                chapters: video.chapters,
            })
        }
        Material::Transcript => {
            let transcript = serde_json::from_slice(&bytes).map_err(|_| out_of_turn())?;
            transcript::read(transcript)
        }
    })
}

/// Reads a page, and what decides about it: its words, and where it leads. Of one that only scripts fill that is told, and no document.
fn read_page(task: &Task, with_links: bool, bytes: &Bytes) -> Result<(Document, Summary), Failure> {
    let links = match &task.address {
        Some(address) if with_links => {
            let searched = bytes.slice(..bytes.len().min(SEARCHED_BYTES_MAX));
            links::read(&decode::decode(&searched, task.charset.as_deref()), address)
        }
        _ => Links::default(),
    };
    let (document, failure) = match readers::read(task, Cow::Borrowed(bytes)) {
        Ok(document) => (document, None),
        Err(failure) if failure.message == html::SCRIPTED => (Document::default(), Some(failure)),
        Err(failure) => return Err(failure),
    };
    let summary = Summary {
        document: 0,
        title: document.title.clone(),
        about: document.about.clone(),
        words: word_count(&document.text),
        text_links: match task.file_type {
            FileType::Html => Vec::new(),
            _ => links_in(&document),
        },
        links,
        failure,
    };
    Ok((document, summary))
}

fn nothing() -> Failure {
    Failure::new(Reason::Unreadable, "there is no text in this source")
}

/// A skill of a text, written without a model.
fn tried(extracted: Arc<Extracted>) -> Result<(Skill, Report), Failure> {
    let written = synthesize::write(extracted, &Wish::default())?;
    let nothing = || {
        Failure::new(
            Reason::Internal,
            "no skill came of this text; try another one",
        )
    };
    let draft = written.drafts.into_iter().next().ok_or_else(nothing)?;
    let report = check_skill(&draft.skill, &written.evidence, true, Profile::Open);
    Ok((draft.skill, report))
}

/// The links in the text of a document.
fn links_in(document: &Document) -> Vec<String> {
    let mut found = Vec::new();
    walk(&document.blocks, &mut |block| match &block.kind {
        BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => links_of(text, &mut found),
        BlockKind::Table { rows, .. } => rows
            .iter()
            .flatten()
            .for_each(|cell| links_of(cell, &mut found)),
        _ => {}
    });
    found.truncate(LINKS_MAX);
    found
}

fn links_of(text: &[Inline], found: &mut Vec<String>) {
    for piece in text {
        match piece {
            Inline::Link(link) if found.len() < LINKS_MAX => found.push(link.href.clone()),
            Inline::Emphasis(inner) | Inline::Strong(inner) => links_of(inner, found),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::clock::Timestamp;
    use crate::domain::source::SourceType;
    use crate::pipeline::assembly::Parts;
    use crate::pipeline::pool::Limits;
    use crate::pipeline::product::Origin;
    use skillkiln_document::work::counted;

    fn requests(text: &'static str) -> [(Request, Bytes); 4] {
        let assembly = Assembly {
            parts: Parts::Whole,
            origin: Origin {
                kind: SourceType::Text,
                label: "text".to_owned(),
                digest: String::new(),
                read_at: Timestamp::from_micros(0),
            },
            words_min: 0,
        };
        let text = Bytes::from_static(text.as_bytes());
        [
            (Request::Read(Material::Text), text),
            (Request::Assemble(assembly), Bytes::new()),
            (Request::Write(Wish::default()), Bytes::new()),
            (Request::Check, Bytes::new()),
        ]
    }

    #[test]
    fn an_ordinary_text_takes_a_small_part_of_what_it_may() {
        for text in [
            include_str!("../../README.md"),
            include_str!("../../docs/quality.md"),
            include_str!("job.rs"),
        ] {
            let mut job = Job::default();
            for (request, bytes) in requests(text) {
                let name = format!("{request:?}").chars().take(12).collect::<String>();
                let work = || job.perform(request, bytes);
                let (done, steps) = counted(work);
                assert!(done.is_ok(), "{name}");
                let limits = Limits::of_source(text.len());
                assert!(
                    steps * 20 < limits.steps,
                    "{name} of {} bytes takes {steps} of {} steps",
                    text.len(),
                    limits.steps
                );
            }
        }
    }

    #[test]
    fn a_request_out_of_turn_is_refused() {
        let mut job = Job::default();
        let requests = [
            Request::Write(Wish::default()),
            Request::Check,
            Request::Topics,
        ];
        for request in requests {
            let failure = job.perform(request, Bytes::new()).unwrap_err();
            assert_eq!(failure.reason, Reason::Internal);
        }
    }
}
