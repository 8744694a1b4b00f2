//! The first stage: reads a source into a document with spans.

use crate::domain::failure::Failure;
use crate::pipeline::product::Extracted;

/// What there is to read.
#[derive(Debug, Clone)]
pub enum Input {
    /// A video address.
    Video(String),
    /// A web address.
    Address(String),
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
    pub pool: crate::pipeline::pool::Pool,
}
impl Reader {
    /// With these.
    #[must_use]
    pub fn new(
        pool: crate::pipeline::pool::Pool,
        _: crate::domain::clock::Clock,
        _: crate::providers::web::Web,
        _: crate::providers::video::Video,
    ) -> Self {
        Self { pool }
    }
}

/// Reads `input` into a document.
///
/// # Errors
/// A [`Failure`] that tells the user what to do.
#[expect(
    clippy::unused_async,
    reason = "the readers arrive in the next commits"
)]
pub async fn extract(_reader: &Reader, _input: Input) -> Result<Extracted, Failure> {
    Err(Failure::new(
        crate::domain::failure::Reason::Internal,
        "no reader yet",
    ))
}
