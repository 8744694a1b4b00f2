//! Readers of texts that are marked up by hand, and which of them a text is given to.

pub mod lines;
pub mod markdown;
pub mod rest;

use crate::domain::document::Document;
use serde::{Deserialize, Serialize};

/// The mark-ups that are read besides Markdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Markup {
    /// reStructuredText.
    Rest,
}

impl Markup {
    /// The mark-up of files with this extension.
    pub(crate) fn of_extension(extension: &str) -> Option<Self> {
        Some(match extension {
            "rst" | "rest" => Self::Rest,
            _ => return None,
        })
    }

    /// Reads `text`.
    pub(crate) fn read(self, text: String) -> Document {
        match self {
            Self::Rest => rest::read(text),
        }
    }
}
