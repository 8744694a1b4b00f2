//! Owns the kind of a source that somebody named, which travels and is kept by its id.

use serde::{Deserialize, Serialize};
use skillkiln_skills::kind::{Kind, UnknownKind};
use std::str::FromStr;

/// What somebody says that a source is: it decides what leads in the skill, in place of what is recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub struct SourceKind(pub Kind);

impl FromStr for SourceKind {
    type Err = UnknownKind;

    fn from_str(word: &str) -> Result<Self, UnknownKind> {
        word.parse().map(Self)
    }
}

impl From<SourceKind> for &'static str {
    fn from(kind: SourceKind) -> Self {
        kind.0.as_str()
    }
}

impl TryFrom<String> for SourceKind {
    type Error = UnknownKind;

    fn try_from(word: String) -> Result<Self, UnknownKind> {
        word.parse()
    }
}
