//! The first stage: reads a source into a document with spans.
//!
//! ```text
//! video ──▶ transcript ─┐
//! address ─▶ page ──▶ file_type ──▶ html · markdown · text · data · pdf · office · epub · archive ──▶ Document
//! files ──────────────▶┘  readers: which reads which          (in a worker, when they are long or treacherous)
//! ```
//!
//! This is what fetches; the reading itself is a [`job`](crate::pipeline::job), on the pool or in a worker process.

mod elsewhere;
mod page;
mod repository;
mod site;

use crate::domain::clock::Clock;
use crate::domain::key::to_hex;
use crate::domain::repository::Forge;
use crate::domain::source::SourceType;
use crate::pipeline::assembly::{Assembly, Parts};
use crate::pipeline::handle::{Evidence, JobHandle, Piece, unlike};
use crate::pipeline::job::{Answer, Material, Request};
use crate::pipeline::pool::Pool;
use crate::pipeline::product::{Extracted, Origin};
use crate::pipeline::turn::Turn;
use crate::pipeline::worker::Isolation;
use crate::providers::video::Video;
use crate::providers::web::Web;
use bytes::Bytes;
use sha2::{Digest, Sha256};
use skillkiln_document::failure::Failure;
use skillkiln_readers::file_type;
use skillkiln_readers::limits::Reading;
use std::sync::Arc;

/// What there is to read.
#[derive(Debug, Clone)]
pub enum Input {
    /// A video address.
    Video(String),
    /// A web address, and how many pages of its site are read: 1 for the page alone.
    Address {
        /// The address.
        address: String,
        /// How many pages.
        pages: u32,
    },
    /// Files in order; several make one document with parts.
    Files(Vec<NamedBytes>),
    /// Raw text: plain or Markdown.
    Text(String),
}

/// A file's bytes under its cleaned base name.
#[derive(Debug, Clone)]
pub struct NamedBytes {
    /// The base name, with the extension.
    pub filename: String,
    /// The bytes.
    pub bytes: Bytes,
}

/// What the extract stage reads with.
#[derive(Debug, Clone)]
pub struct Reader {
    /// The threads for heavy work.
    pub pool: Pool,
    /// Tells when something was read.
    pub clock: Clock,
    /// Fetches pages.
    pub web: Web,
    /// Fetches transcripts.
    pub video: Video,
    /// How readers of hostile formats are kept apart.
    pub isolation: Isolation,
    /// How much of a source is read.
    pub limits: Reading,
    /// Words that a fetched page or a file has at least (decision 64); a text was counted when it was sent.
    pub words_min: usize,
    /// Hosts of Git repositories beside those that everybody knows.
    pub git_hosts: Arc<[(String, Forge)]>,
    /// The place of the run that it reads for.
    pub turn: Turn,
}

impl Reader {
    /// With these, the isolation that is right for the running program, and no least length of a source.
    #[must_use]
    pub fn new(pool: Pool, clock: Clock, web: Web, video: Video) -> Self {
        Self {
            pool,
            clock,
            web,
            video,
            isolation: Isolation::default(),
            limits: Reading::default(),
            words_min: 0,
            git_hosts: Arc::from([]),
            turn: Turn::default(),
        }
    }

    /// The work on a source that is about to be read.
    fn open(&self) -> JobHandle {
        JobHandle::new(self.pool.clone(), self.isolation.clone(), self.turn.clone())
    }
}

/// Reads `input` into a document, which stays where it was read.
///
/// What reads anything but a text is large while it waits, and is made where it is needed: a future that has room for all of it is
/// copied whole each time it is handed on, which was a fifth of the instructions on the runs' thread.
///
/// # Errors
/// A [`Failure`] that tells the user what to do.
pub async fn read(reader: &Reader, input: Input) -> Result<Evidence, Failure> {
    let handle = reader.open();
    let origin = |kind, label, digest| Origin {
        kind,
        label,
        digest,
        read_at: reader.clock.now(),
    };
    let whole = |origin| {
        Request::Assemble(Assembly {
            parts: Parts::Whole,
            origin,
            words_min: reader.words_min,
        })
    };
    let answer = match input {
        Input::Text(text) => {
            let bytes = Bytes::from(text);
            let then = whole(origin(
                SourceType::Text,
                "text".to_owned(),
                digest([bytes.as_ref()]),
            ));
            handle.read_and(Material::Text, bytes, then).await?
        }
        Input::Video(address) => {
            let transcript = handle.away(reader.video.transcript(&address));
            let transcript = Box::pin(transcript).await?;
            let words = transcript.segments.iter();
            let digest = digest(words.map(|segment| segment.text.as_bytes()));
            let then = whole(origin(
                SourceType::Youtube,
                transcript.address.clone(),
                digest,
            ));
            let bytes = serde_json::to_vec(&transcript).map_err(|_| unlike())?;
            drop(transcript);
            handle
                .read_and(Material::Transcript, bytes.into(), then)
                .await?
        }
        Input::Address { address, pages } => {
            if let Some(found) = Box::pin(repository::read(reader, &address)).await {
                let then = Request::Assemble(Assembly {
                    parts: found.parts,
                    origin: origin(SourceType::Url, address, found.digest),
                    words_min: reader.words_min,
                });
                let answer = found.handle.go_on_with(&found.piece, then).await?;
                return evidence(found.handle, answer);
            }
            match Box::pin(elsewhere::read(reader, &handle, &address)).await {
                Some((piece, digest)) => {
                    let then = whole(origin(SourceType::Url, address, digest));
                    handle.go_on_with(&piece, then).await?
                }
                None => {
                    let site = Box::pin(site::read(reader, &handle, &address, pages)).await?;
                    let then = Request::Assemble(Assembly {
                        parts: site.parts,
                        origin: origin(SourceType::Url, site.address, site.digest),
                        words_min: reader.words_min,
                    });
                    handle.go_on_with(&site.piece, then).await?
                }
            }
        }
        Input::Files(files) => {
            let digest = digest(files.iter().map(|file| file.bytes.as_ref()));
            let names: Vec<String> = files.iter().map(|file| file.filename.clone()).collect();
            let then = Request::Assemble(Assembly {
                origin: origin(SourceType::File, names.join(", "), digest),
                parts: Parts::Files(names),
                words_min: reader.words_min,
            });
            Box::pin(read_files(reader, &handle, files, then)).await?
        }
    };
    evidence(handle, answer)
}

fn evidence(handle: JobHandle, answer: Answer) -> Result<Evidence, Failure> {
    match answer {
        Answer::Assembled(volume) => Ok(Evidence { handle, volume }),
        _ => Err(unlike()),
    }
}

/// Reads `input` into a document and hands it out.
///
/// # Errors
/// A [`Failure`] that tells the user what to do.
pub async fn extract(reader: &Reader, input: Input) -> Result<Extracted, Failure> {
    let evidence = read(reader, input).await?;
    let extracted = evidence.handle.take_document().await?;
    Ok(Arc::unwrap_or_clone(extracted))
}

/// Reads files, all of them in one place: where the longest or the most treacherous of them has to be read.
async fn read_files(
    reader: &Reader,
    handle: &JobHandle,
    files: Vec<NamedBytes>,
    then: Request,
) -> Result<Answer, Failure> {
    let bytes = files.iter().map(|file| file.bytes.len()).sum::<usize>();
    let is_apart = |file: &NamedBytes| {
        let found = file_type::of_file(&file.filename, &file.bytes);
        found.is_ok_and(|found| found.is_treacherous())
    };
    if bytes > reader.isolation.inside_bytes_max || files.iter().any(is_apart) {
        handle.go_there(bytes).await?;
    }
    let mut last = Piece::default();
    // The bytes go with the reader: a long source is not kept beside what was read of it.
    for NamedBytes { filename, bytes } in files {
        let limits = reader.limits.clone();
        let material = Material::File {
            filename: filename.clone(),
            limits,
        };
        // What a worker died of names no file by itself.
        let named = |failure: Failure| match failure.message.starts_with(&filename) {
            true => failure,
            false => Failure {
                message: format!("{filename}: {}", failure.message),
                ..failure
            },
        };
        last = handle.read(material, bytes).await.map_err(named)?;
    }
    handle.go_on_with(&last, then).await
}

/// SHA-256 of the bytes that were read, in hexadecimal.
fn digest<'b>(parts: impl IntoIterator<Item = &'b [u8]>) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    to_hex(&hasher.finalize())
}
