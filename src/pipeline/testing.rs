//! Owns what the tests of the stages read: a text as a source.

use crate::domain::clock::Timestamp;
use crate::domain::source::SourceType;
use crate::pipeline::product::{Extracted, Origin};
use skillkiln_readers::markup::markdown;

/// A text of Markdown that was read.
pub(in crate::pipeline) fn extracted(text: &str) -> Extracted {
    Extracted {
        document: markdown::read(text.to_owned()),
        origin: Origin {
            kind: SourceType::Text,
            label: "text".into(),
            digest: "1a2b3c4d".repeat(8),
            read_at: Timestamp::from_micros(1_795_000_000_000_000),
        },
    }
}
