//! Owns what goes in and what comes out: where a document came from, what somebody wishes, and the skill with its evidence.

use crate::kind::Kind;
use serde::{Deserialize, Serialize};
use skillkiln_document::blocks::Span;

/// Where a document came from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Source {
    /// The final address, the file name, or `text`.
    pub label: String,
    /// The kind of source as the header names it: `file`, `url`, `youtube`, `text`.
    pub source_type: String,
    /// SHA-256 of the bytes that were read, in hexadecimal.
    pub digest: String,
    /// The day on which they were read, `2026-11-20`.
    pub read_on: String,
    /// Who writes, for the header.
    pub generator: String,
}

impl Source {
    /// Whether a reader can follow its label.
    #[must_use]
    pub fn is_address(&self) -> bool {
        self.label.starts_with("http://") || self.label.starts_with("https://")
    }
}

/// What somebody asked for beyond the source; every field may be absent and is then derived.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wish {
    /// What the skill is called in words.
    pub title: Option<String>,
    /// What the skill is called in the header.
    pub name: Option<String>,
    /// The description.
    pub description: Option<String>,
    /// The category.
    pub category: Option<String>,
    /// What the source is, where that is known better than the text shows.
    pub kind: Option<Kind>,
    /// Whether it is of a part of the document, of which the document's own summary does not tell.
    pub is_part: bool,
    /// Names that are taken already.
    pub taken: Vec<String>,
}

/// A skill as written.
#[derive(Debug, Clone, PartialEq)]
pub struct Skill {
    /// Its name in the header.
    pub name: String,
    /// What it is called in words.
    pub title: String,
    /// Its description.
    pub description: String,
    /// Its category.
    pub category: String,
    /// What its source is.
    pub kind: Kind,
    /// The whole of SKILL.md.
    pub content: String,
    /// The library.
    pub references: Vec<Reference>,
    /// Which lines stand on which part of the source.
    pub traces: Vec<Trace>,
    /// What the source names and does not hold.
    pub gaps: Vec<String>,
}

/// One file of the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// `references/name.md`.
    pub filename: String,
    /// Its Markdown.
    pub content: String,
}

/// The evidence for some lines of one file.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// `None` for SKILL.md, else the index of the reference.
    pub reference: Option<usize>,
    /// First and last line, counted from 1.
    pub lines: (u32, u32),
    /// Where in the source it stands.
    pub span: Span,
}

/// Why no skill was written, in words for whoever asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(pub String);
