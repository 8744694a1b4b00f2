//! Owns what a skill is: one Markdown document with a front-matter header, its reference files, and what became of both.

use crate::domain::clock::Timestamp;
use crate::domain::id::{RunId, SkillId, UserId};
use serde::{Deserialize, Serialize};
use skillkiln_skills::origins::PartOrigin;
use skillkiln_skills::report::Report;
use skillkiln_skills::skill::Reference;
use skillkiln_skills::validate::package::Package;

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
    pub references: Vec<Reference>,
    /// Words of the rendered text without front matter (decision 16).
    pub word_count: usize,
}

impl Skill {
    /// The name of the Markdown file when it stands alone.
    #[must_use]
    pub fn filename(&self) -> String {
        format!("{}.md", self.name)
    }

    /// The package that it is delivered as.
    #[must_use]
    pub fn package(&self) -> Package {
        Package::of(&self.name, self.content.clone(), self.references.clone())
    }
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
    pub references: Vec<Reference>,
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

/// What became of a deletion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removed {
    /// It is gone.
    Gone,
    /// The skill was changed since the caller read it.
    Stale,
    /// There is no such skill.
    Missing,
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

/// A text that waits beside the skill that it was made for.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The run that made it.
    pub run_id: RunId,
    /// When.
    pub made_at: Timestamp,
    /// What it is.
    pub skill: FinishedSkill,
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
    /// Which of the skill's texts it was, from 1; 0 where that was not counted.
    pub number: u32,
    /// Its words.
    pub word_count: u32,
    /// The whole SKILL.md.
    pub content: String,
    /// The reference files.
    pub references: Vec<Reference>,
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
    /// Which of the skill's texts it was, from 1; 0 where that was not counted.
    pub number: u32,
    /// Its words.
    pub word_count: u32,
}

impl VersionLine {
    /// The text that was last made, where what came after all these versions, newest first, was changed by hand; none where it was not,
    /// or where that text is kept no more.
    #[must_use]
    pub fn before_edits(newest_first: &[Self]) -> Option<&Self> {
        let is_edit = |version: &&Self| version.replaced_by == Change::Edit;
        let edits = newest_first.iter().take_while(is_edit).count();
        let made = newest_first.get(edits.checked_sub(1)?)?;
        (made.number == 1 || edits < newest_first.len()).then_some(made)
    }
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
    pub references: Option<Vec<Reference>>,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_that_was_last_made_is_the_one_before_the_first_edit() {
        let kept = |changes: &[Change], oldest: u32| -> Vec<VersionLine> {
            let lines = (oldest..).zip(changes).map(|(number, change)| VersionLine {
                made_at: Timestamp::from_micros(i64::from(number)),
                replaced_at: Timestamp::from_micros(i64::from(number) + 1),
                replaced_by: *change,
                number,
                word_count: 1,
            });
            let mut lines: Vec<VersionLine> = lines.collect();
            lines.reverse();
            lines
        };
        let found = |changes: &[Change], oldest: u32| {
            VersionLine::before_edits(&kept(changes, oldest)).map(|version| version.number)
        };
        let (edit, made) = (Change::Edit, Change::Regeneration);
        assert_eq!(found(&[], 1), None);
        assert_eq!(found(&[edit], 1), Some(1));
        assert_eq!(found(&[edit, edit, edit], 1), Some(1));
        assert_eq!(found(&[edit, made, edit, edit], 1), Some(3));
        assert_eq!(found(&[edit, made], 1), None, "nobody changed it since");
        assert_eq!(found(&[edit, edit], 4), None, "it is kept no more");
    }
}
