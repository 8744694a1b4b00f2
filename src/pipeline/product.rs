//! Owns what each stage hands to the next.

use crate::domain::clock::Timestamp;
use crate::domain::skill::Skill;
use crate::domain::source::SourceType;
use crate::domain::source_kind::SourceKind;
use crate::domain::topic::Topic;
use serde::{Deserialize, Serialize};
use skillkiln_document::blocks::Document;
use skillkiln_skills::origins::PartOrigin;
use skillkiln_skills::report::{Bill, Report};
use skillkiln_skills::skill::Trace;
use std::sync::Arc;

/// A source that was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Extracted {
    /// What it says.
    pub document: Document,
    /// Where it came from.
    pub origin: Origin,
}

/// Where a document came from, so that a skill can name its source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The kind of source.
    pub kind: SourceType,
    /// The final address, the file name, or `text`.
    pub label: String,
    /// SHA-256 of the bytes that were read, in hexadecimal.
    pub digest: String,
    /// When they were read.
    pub read_at: Timestamp,
}

/// What the user asked for beyond the source; every field may be absent and is then derived.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Wish {
    /// The skill's or the catalogue's name.
    pub name: Option<String>,
    /// The description.
    pub description: Option<String>,
    /// The category.
    pub category: Option<String>,
    /// What the source is; recognised when absent.
    pub kind: Option<SourceKind>,
    /// The selected topics of a catalogue; empty for a single skill.
    pub topics: Vec<Topic>,
}

/// Skills written from a document, with the document.
#[derive(Debug, Clone, PartialEq)]
pub struct Synthesized {
    /// The document they were written from.
    pub evidence: Arc<Extracted>,
    /// One draft a selected topic in their order; exactly one without topics.
    pub drafts: Vec<Draft>,
    /// The catalogue's master index, a skill itself; `None` for a single skill.
    pub index: Option<Skill>,
}

/// One skill as written, with the evidence of each part.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The topic it was written for, in a catalogue.
    pub topic: Option<Topic>,
    /// The category it belongs to.
    pub category: String,
    /// The skill.
    pub skill: Skill,
    /// Which lines stand on which part of the source.
    pub traces: Vec<Trace>,
    /// What a model wrote in it, with the judge's proof of each statement.
    pub proofs: Vec<Proof>,
    /// Who wrote it, when a model was asked.
    pub authorship: Option<Authorship>,
}

/// Who wrote a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Authorship {
    /// The model; else its text was put aside for the extractive draft.
    pub is_model: bool,
    /// Whether the model gave no answer, so that nothing is owed for what it was to do.
    pub is_away: bool,
    /// What the report says of it.
    pub words: String,
    /// What of the model's text was thrown away, and why.
    pub thrown: Vec<String>,
    /// What the model took.
    pub bill: Option<Bill>,
}

/// The proof of a statement that a model wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// First and last line of SKILL.md, counted from 1.
    pub lines: (u32, u32),
    /// Which units of the source say it, and in which words.
    pub words: String,
}

/// Skills with the report on each: the product of the validate stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Validated {
    /// In the order of the drafts.
    pub skills: Vec<Checked>,
    /// The catalogue's master index.
    pub index: Option<Skill>,
}

/// A skill and what the checks found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    /// The topic it was written for, in a catalogue.
    pub topic: Option<Topic>,
    /// The category it belongs to.
    pub category: String,
    /// The skill.
    pub skill: Skill,
    /// Where each part of it comes from.
    pub origins: Vec<PartOrigin>,
    /// The findings.
    pub report: Report,
    /// Whether the credit for it is given back, since the model that was to write it was away.
    pub is_given_back: bool,
}

/// How much text there is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Volume {
    /// Bytes of text.
    pub bytes: u64,
    /// Words: pieces between white space, which are counted at some gigabytes a second.
    pub words: u64,
}

/// Bytes whose words a byte can count.
const CHUNK: usize = 255;

impl Volume {
    /// How much a text holds.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let begins = |before: &u8, byte: &u8| *before <= b' ' && *byte > b' ';
        let first = bytes.first().is_some_and(|byte| begins(&b' ', byte));
        // So many at once as a byte can count: then the compiler compares many bytes in one step.
        let pairs = bytes
            .chunks(CHUNK)
            .zip(bytes.get(1..).unwrap_or_default().chunks(CHUNK));
        let inside = pairs.map(|(before, at)| {
            let words = before
                .iter()
                .zip(at)
                .map(|(before, byte)| u8::from(begins(before, byte)));
            u64::from(words.fold(0, u8::wrapping_add))
        });
        Self {
            bytes: bytes.len() as u64,
            words: u64::from(first) + inside.sum::<u64>(),
        }
    }
}

impl std::ops::Add for Volume {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            bytes: self.bytes + other.bytes,
            words: self.words + other.words,
        }
    }
}

impl std::iter::Sum for Volume {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), std::ops::Add::add)
    }
}

/// Whose text is counted.
fn volume_of(skill: &Skill) -> Volume {
    let references = skill.references.iter();
    let references = references.map(|file| Volume::of(&file.content));
    references.sum::<Volume>() + Volume::of(&skill.content)
}

impl Synthesized {
    /// How much was written.
    #[must_use]
    pub fn volume(&self) -> Volume {
        let drafts = self.drafts.iter();
        drafts.map(|draft| volume_of(&draft.skill)).sum()
    }
}

impl Validated {
    /// How much was checked.
    #[must_use]
    pub fn volume(&self) -> Volume {
        let skills = self.skills.iter();
        skills.map(|checked| volume_of(&checked.skill)).sum()
    }
}
