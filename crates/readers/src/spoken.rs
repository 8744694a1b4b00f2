//! Owns what is said in a video or a recording: the words with their times, and the chapters.

use serde::{Deserialize, Serialize};
use skillkiln_document::speaker::Speaker;

/// What is said in a video.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Transcript {
    /// The video's title.
    pub title: Option<String>,
    /// The name of its channel.
    pub author: Option<String>,
    /// The language of the captions, a BCP 47 tag.
    pub language: Option<String>,
    /// The language whose captions were to be read and are withheld, where these are in another.
    #[serde(default)]
    pub withheld: Option<String>,
    /// The video's one true address.
    pub address: String,
    /// What is said, in the order of time, without overlaps. Never empty.
    pub segments: Vec<Segment>,
    /// Its chapters in the order of time; empty when it has none.
    pub chapters: Vec<Chapter>,
}

/// A few words and when they are said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Segment {
    /// When they begin, in seconds.
    pub start_s: f64,
    /// When they end, in seconds; not before they begin.
    pub end_s: f64,
    /// The words, on one line.
    pub text: String,
    /// Who begins to speak with them, where the captions tell it.
    pub speaker: Option<Speaker>,
}

/// A chapter of a video. It lasts until the next one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Chapter {
    /// When it begins, in seconds.
    pub start_s: f64,
    /// Its title.
    pub title: String,
}

/// Words without a speaker, for tests.
#[cfg(test)]
pub(crate) fn segment(start_s: f64, end_s: f64, text: &str) -> Segment {
    Segment {
        start_s,
        end_s,
        text: text.to_owned(),
        speaker: None,
    }
}
