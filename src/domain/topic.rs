//! Owns what a topic is: a part of a source that is worth a skill of its own.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Most topics that are detected or selected at once (decisions 22 and 23).
pub const TOPICS_MAX: usize = 20;

/// A topic of a source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Topic {
    /// Its name in the source's own words.
    pub name: String,
    /// Its name as a file name; unique among its siblings.
    pub slug: String,
    /// What it is about.
    pub description: String,
    /// How many words of the source belong to it.
    pub estimated_word_count: u64,
    /// Whatever else a client sent along with it; echoed, never read.
    #[serde(default)]
    pub extra: Map<String, Value>,
}

/// What looking for topics found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Topics {
    /// Whether the source is better served by several skills: only with at least two topics worth one each.
    pub should_catalogue: bool,
    /// Words of the source.
    pub word_count: usize,
    /// 1 to [`TOPICS_MAX`] topics with unique slugs, in source order.
    pub topics: Vec<Topic>,
}
