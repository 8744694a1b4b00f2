//! Owns what a skill is: one Markdown document with a front-matter header, its reference files, and the report on both.

use crate::domain::clock::Timestamp;
use crate::domain::id::{SkillId, UserId};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A skill, ready to be put into a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skill {
    /// The front matter's `name`, which is also the folder's.
    pub name: String,
    /// The front matter's `description`, as plain text.
    pub description: String,
    /// The whole SKILL.md.
    pub content: String,
    /// Files one level below, in order.
    pub references: Vec<ReferenceFile>,
    /// Words of the rendered text without front matter (decision 16).
    pub word_count: usize,
}

impl Skill {
    /// The name of the Markdown file when it stands alone.
    #[must_use]
    pub fn filename(&self) -> String {
        format!("{}.md", self.name)
    }
}

/// A reference file of a skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReferenceFile {
    /// `references/<slug>.md`.
    pub filename: String,
    /// Its Markdown.
    pub content: String,
}

/// How much a failed check matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The skill breaks a rule that loaders enforce.
    Error,
    /// The skill loads, but is worse than it should be.
    Warning,
    /// Worth knowing.
    Info,
}

/// The outcome of one check (decision 34).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// `V000` to `V099`.
    pub id: Cow<'static, str>,
    /// How much it matters when it fails.
    pub severity: Severity,
    /// Whether it passed.
    pub passed: bool,
    /// What was found, and what to do about it; what holds, when it passed.
    pub message: Cow<'static, str>,
    /// The line of SKILL.md it is about, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// What the checks found. Findings never fail a generation.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Report {
    /// Failed checks of severity error.
    pub errors: u32,
    /// Failed checks of severity warning.
    pub warnings: u32,
    /// Every check that was made, in the order of their ids; a failed one once for each finding.
    pub checks: Vec<Check>,
}

/// The check that says who wrote a skill, when a model was asked; the first of them is about the whole.
pub const AUTHOR_RULE: &str = "V099";

impl Report {
    /// Who wrote the skill: `model`, else `extractive` (decision 65).
    #[must_use]
    pub fn author(&self) -> &'static str {
        let told = self.checks.iter().find(|check| check.id == AUTHOR_RULE);
        match told.is_some_and(|check| check.passed) {
            true => "model",
            false => "extractive",
        }
    }

    /// A report whose counts are those of its checks.
    #[must_use]
    pub fn of(checks: Vec<Check>) -> Self {
        let failed = |severity| {
            let count = checks
                .iter()
                .filter(|check| !check.passed && check.severity == severity)
                .count();
            u32::try_from(count).unwrap_or(u32::MAX)
        };
        Self {
            errors: failed(Severity::Error),
            warnings: failed(Severity::Warning),
            checks,
        }
    }
}

/// Where a part of a skill comes from: what stands under one heading of one of its files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartOrigin {
    /// `SKILL.md` or a reference file.
    pub file: String,
    /// The heading with those above it; empty before the first.
    pub heading: String,
    /// The places of the source, in the order in which the part uses them.
    pub places: Vec<Place>,
}

/// A place of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The section, the page or the moment.
    pub words: String,
    /// The address that leads there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
}

/// A skill to be saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedSkill {
    /// Its front-matter name.
    pub name: String,
    /// Its file name in the answer, unique within a catalogue.
    pub filename: String,
    /// Its description.
    pub description: String,
    /// Its category.
    pub category: String,
    /// The whole SKILL.md.
    pub content: String,
    /// Its reference files.
    pub references: Vec<ReferenceFile>,
    /// Its words.
    pub word_count: u32,
    /// What the checks found.
    pub report: Report,
    /// Where each part of it comes from.
    pub origins: Vec<PartOrigin>,
}

/// A skill in somebody's library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSkill {
    /// Its identity.
    pub id: SkillId,
    /// Whose it is.
    pub user_id: UserId,
    /// What it is.
    pub skill: FinishedSkill,
    /// Whether anybody may read it.
    pub is_public: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed; strictly increasing.
    pub updated_at: Timestamp,
}

/// What took the place of a version of a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Its owner wrote another text.
    Edit,
    /// It was made again from its source.
    Regeneration,
}

impl Change {
    /// The word in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Edit => "edit",
            Self::Regeneration => "regeneration",
        }
    }

    /// Reads [`Change::as_str`] back.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Edit, Self::Regeneration]
            .into_iter()
            .find(|change| change.as_str() == word)
    }
}

/// What a skill said before it was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// Since when it said so; names the version.
    pub made_at: Timestamp,
    /// Until when.
    pub replaced_at: Timestamp,
    /// What came in its place.
    pub replaced_by: Change,
    /// Its words.
    pub word_count: u32,
    /// The whole SKILL.md.
    pub content: String,
    /// The reference files.
    pub references: Vec<ReferenceFile>,
}

/// A version in a list: everything but its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionLine {
    /// Since when the skill said so; names the version.
    pub made_at: Timestamp,
    /// Until when.
    pub replaced_at: Timestamp,
    /// What came in its place.
    pub replaced_by: Change,
    /// Its words.
    pub word_count: u32,
}

/// What a skill says after its owner changed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// Its front-matter name.
    pub name: String,
    /// Its file name.
    pub filename: String,
    /// Its description.
    pub description: String,
    /// The whole SKILL.md.
    pub content: String,
    /// The reference files, when they changed too.
    pub references: Option<Vec<ReferenceFile>>,
    /// Its words.
    pub word_count: u32,
    /// What the checks found.
    pub report: Report,
}

/// A skill in a list: everything but its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillLine {
    /// Its identity.
    pub id: SkillId,
    /// Its front-matter name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Its category.
    pub category: String,
    /// Its words.
    pub word_count: u32,
    /// Whether anybody may read it.
    pub is_public: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// In which order a library is listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SkillOrder {
    /// Newest change first.
    #[default]
    Changed,
    /// Newest first.
    Made,
    /// By name.
    Name,
    /// Longest first.
    Words,
}

/// Which skills of a library to list (decision 35).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkillFilter {
    /// Only those whose name or description contains this, whatever the case.
    pub query: Option<String>,
    /// Only this category.
    pub category: Option<String>,
    /// In which order.
    pub order: SkillOrder,
    /// At most so many; `None` for all.
    pub limit: Option<u32>,
    /// Leaving out so many first.
    pub offset: u32,
}
