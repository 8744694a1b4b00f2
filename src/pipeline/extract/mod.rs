//! The first stage: reads a source into a document with spans.
//!
//! ```text
//! video ──▶ transcript ─┐
//! address ─▶ page ──▶ file_type ──▶ html · markdown · text · data · pdf · office · epub · archive ──▶ Document
//! files ──────────────▶┘  readers: which reads which          (in a child: isolation)
//! ```
//!
//! What is heavy runs on the pool; what a stranger's bytes could crash runs in a child process.

mod elsewhere;
pub mod isolation;
mod page;
mod site;

use crate::domain::clock::Clock;
use crate::domain::key::to_hex;
use crate::domain::not_text;
use crate::domain::source::SourceType;
use crate::pipeline::extract::isolation::Isolation;
use crate::pipeline::pool::Pool;
use crate::pipeline::product::{Extracted, Origin};
use crate::providers::video::Video;
use crate::providers::web::Web;
use sha2::{Digest, Sha256};
use skillkiln_document::blocks::Document;
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_readers::file_type::FileType;
use skillkiln_readers::limits::Reading;
use skillkiln_readers::readers::Task;
use skillkiln_readers::terminal::without_marks;
use skillkiln_readers::{
    decode, file_type, finish, invisible, parts, pointers, readers, transcript,
};
use std::borrow::Cow;

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
    pub bytes: bytes::Bytes,
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
        }
    }
}

/// Reads `input` into a document.
///
/// What reads anything but a text is large while it waits, and is made where it is needed: a future that has room for all of it is
/// copied whole each time it is handed on, which was a fifth of the instructions on the runs' thread.
///
/// # Errors
/// A [`Failure`] that tells the user what to do.
pub async fn extract(reader: &Reader, input: Input) -> Result<Extracted, Failure> {
    let (mut document, kind, label, digest) = match input {
        Input::Text(text) => {
            let digest = digest(&[text.as_bytes()]);
            let document = reader
                .pool
                .run(move || {
                    let words = without_marks(decode::line_ends(text).into());
                    readers::plain(words.into_owned())
                })
                .await?;
            (document, SourceType::Text, "text".to_owned(), digest)
        }
        Input::Video(address) => {
            let transcript = Box::pin(reader.video.transcript(&address)).await?;
            let words: Vec<&[u8]> = transcript
                .segments
                .iter()
                .map(|segment| segment.text.as_bytes())
                .collect();
            let digest = digest(&words);
            let label = transcript.address.clone();
            let document = reader
                .pool
                .run(move || transcript::read(transcript))
                .await?;
            (document, SourceType::Youtube, label, digest)
        }
        Input::Address { address, pages } => {
            if let Some(document) = Box::pin(elsewhere::read(reader, &address)).await {
                let digest = digest(&[document.text.as_bytes()]);
                (document, SourceType::Url, address, digest)
            } else {
                let site = Box::pin(site::read(reader, &address, pages)).await?;
                let bytes: Vec<&[u8]> = site.bytes.iter().map(AsRef::as_ref).collect();
                let digest = digest(&bytes);
                (site.document, SourceType::Url, site.address, digest)
            }
        }
        Input::Files(files) => {
            let bytes: Vec<&[u8]> = files.iter().map(|file| file.bytes.as_ref()).collect();
            let digest = digest(&bytes);
            let names: Vec<&str> = files.iter().map(|file| file.filename.as_str()).collect();
            let label = names.join(", ");
            let document = Box::pin(read_files(reader, files)).await?;
            (document, SourceType::File, label, digest)
        }
    };
    invisible::clear_document(&mut document);
    if document.is_blank() {
        return Err(Failure::new(
            Reason::Unreadable,
            "there is no text in this source; send one that holds words",
        ));
    }
    if let Some(failure) = pointers::refusal(&document.text) {
        return Err(failure);
    }
    if kind != SourceType::Text
        && let Some(refusal) = not_text::too_short_inside(&document.text, reader.words_min)
    {
        let message = match kind {
            SourceType::File => format!("{label}: {refusal}"),
            _ => refusal,
        };
        return Err(Failure::new(Reason::Unreadable, message));
    }
    finish::finish(&mut document);
    Ok(Extracted {
        document,
        origin: Origin {
            kind,
            label,
            digest,
            read_at: reader.clock.now(),
        },
    })
}

async fn read_files(reader: &Reader, files: Vec<NamedBytes>) -> Result<Document, Failure> {
    let single = files.len() == 1;
    let mut documents = Vec::with_capacity(files.len());
    for file in files {
        let NamedBytes { filename, bytes } = file;
        let named = |failure: Failure| Failure {
            message: format!("{filename}: {}", failure.message),
            ..failure
        };
        let file_type = file_type::of_file(&filename, &bytes).map_err(named)?;
        // The bytes go with the reader: a long source is not kept beside what was read of it.
        let document = read(reader, file_type, bytes, None, None, Some(filename.clone()))
            .await
            .map_err(named)?;
        if document.is_blank() {
            return Err(named(Failure::new(
                Reason::Unreadable,
                "there is no text in this file; send one that holds words",
            )));
        }
        documents.push((filename, document));
    }
    if single {
        Ok(documents
            .pop()
            .map(|(filename, document)| parts::titled(&filename, document))
            .unwrap_or_default())
    } else {
        Ok(parts::join(documents))
    }
}

/// Reads bytes whose type is known, in a child where a stranger's bytes could do harm.
async fn read(
    reader: &Reader,
    file_type: FileType,
    bytes: bytes::Bytes,
    charset: Option<String>,
    address: Option<String>,
    filename: Option<String>,
) -> Result<Document, Failure> {
    let task = Task {
        file_type,
        charset,
        address,
        filename,
        limits: reader.limits.clone(),
    };
    if task.is_apart(bytes.len()) {
        return isolation::read(&reader.isolation, &task, bytes).await;
    }
    let work = move || readers::read(&task, Cow::Borrowed(&bytes));
    reader.pool.run(work).await?
}

/// SHA-256 of the bytes that were read, in hexadecimal.
fn digest(parts: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    to_hex(&hasher.finalize())
}
