//! Owns what people do to skills: write them anew, delete them, show them to everybody, copy them.

use crate::domain::clock::Timestamp;
use crate::domain::generation::Order;
use crate::domain::id::{SkillId, UserId};
use crate::domain::skill::{Edited, Removed, Skill, StoredSkill};
use crate::services::accounts::Unavailable;
use crate::services::library::{Library, cannot};
use crate::store::model::{self, Saved};
use skillkiln_document::markdown::word_count;
use skillkiln_skills::report::{Report, SUPPORT_RULE};
use skillkiln_skills::skill::Reference;
use skillkiln_skills::validate;
use skillkiln_skills::validate::package::Package;
use skillkiln_skills::validate::profile::Profile;

/// What became of an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Update {
    /// It is in the library.
    Saved {
        /// Its words.
        word_count: u32,
        /// What the checks found.
        report: Report,
        /// Since when.
        updated_at: Timestamp,
        /// Whether anybody may read it.
        is_public: bool,
    },
    /// The skill was changed since the caller read it; nothing was saved.
    Stale,
    /// There is no such skill.
    Missing,
}

/// What a skill can be made of again.
#[derive(Debug, Clone, PartialEq)]
pub enum Origin {
    /// What was ordered, for this skill alone.
    Order(Box<Order>),
    /// It is a copy of somebody else's, whose source is not the account's.
    NotOurs,
    /// There is no such skill.
    Missing,
}

impl Library {
    /// What the checks say of a text in the place of a skill's own, against its source where that is kept; nothing is saved.
    ///
    /// # Errors
    /// [`Unavailable`], also while too much heavy work waits.
    pub async fn check(&self, stored: StoredSkill, content: String) -> Result<Edited, Unavailable> {
        let (user_id, id) = (stored.user_id, stored.id);
        let before = stored.skill.report.clone();
        let checked = self.0.pool.run(move || examine(stored, content)).await;
        let (mut edited, skill) =
            checked.map_err(|failure| cannot("check an edit")(&failure.message))?;
        let origin = self.0.store.origin(user_id, id).await;
        let origin = origin.map_err(|error| cannot("look up what a skill was made of")(&error))?;
        if let model::Origin::Order(order) = origin
            && let Some(proved) = self.0.engine.prove(user_id, *order, skill).await
        {
            // A model's sentences stand on the judge's proof, which was of the lines as they were.
            edited.report = match before.author() {
                "model" => proved.without_failures_of(SUPPORT_RULE),
                _ => proved,
            };
        }
        edited.report.keep_author_of(&before);
        Ok(edited)
    }

    /// What the checks say of a skill that is in no library; nothing is saved.
    ///
    /// # Errors
    /// [`Unavailable`], also while too much heavy work waits.
    pub async fn validate(
        &self,
        content: String,
        references: Vec<Reference>,
    ) -> Result<Report, Unavailable> {
        let check = move || {
            let name = validate::header_of(&content).name.unwrap_or_default();
            validate::check(&Package::of(&name, content, references), Profile::Open)
        };
        let checked = self.0.pool.run(check).await;
        checked.map_err(|failure| cannot("check a skill")(&failure.message))
    }

    /// Saves another text of a skill, checked like a generated one, whatever the checks find (decision 36). With `expected`, only when
    /// the skill last changed at one of these instants.
    ///
    /// # Errors
    /// [`Unavailable`]; nothing is saved then.
    pub async fn update(
        &self,
        user_id: UserId,
        id: SkillId,
        expected: Option<Vec<Timestamp>>,
        content: String,
    ) -> Result<Update, Unavailable> {
        let Some(stored) = self.skill(user_id, id).await? else {
            return Ok(Update::Missing);
        };
        if expected
            .as_ref()
            .is_some_and(|expected| !expected.contains(&stored.updated_at))
        {
            return Ok(Update::Stale);
        }
        let is_public = stored.is_public;
        let edited = self.check(stored, content).await?;
        self.save((user_id, id, is_public), expected, edited).await
    }

    /// Puts what a skill said before in the place of what it says now, reference files too; what it says now becomes a version.
    ///
    /// # Errors
    /// [`Unavailable`]; nothing is saved then.
    pub async fn put_back(
        &self,
        user_id: UserId,
        id: SkillId,
        made_at: Timestamp,
        expected: Vec<Timestamp>,
    ) -> Result<Update, Unavailable> {
        let (stored, version) = (
            self.skill(user_id, id).await?,
            self.version(user_id, id, made_at).await?,
        );
        let (Some(mut stored), Some(version)) = (stored, version) else {
            return Ok(Update::Missing);
        };
        let is_public = stored.is_public;
        stored.skill.references.clone_from(&version.references);
        let edited = Edited {
            references: Some(version.references),
            ..self.check(stored, version.content).await?
        };
        self.save((user_id, id, is_public), Some(expected), edited)
            .await
    }

    async fn save(
        &self,
        (user_id, id, is_public): (UserId, SkillId, bool),
        expected: Option<Vec<Timestamp>>,
        edited: Edited,
    ) -> Result<Update, Unavailable> {
        let (word_count, report) = (edited.word_count, edited.report.clone());
        let now = self.0.clock.now();
        let saved = self.0.store.edit_skill(user_id, id, expected, edited, now);
        let saved = saved
            .await
            .map_err(|error| cannot("save an edit")(&error))?;
        Ok(match saved {
            Saved::At(updated_at) => Update::Saved {
                word_count,
                report,
                updated_at,
                is_public,
            },
            Saved::Stale => Update::Stale,
            Saved::Missing => Update::Missing,
        })
    }

    /// Deletes a skill for good; with `expected`, only when it last changed at one of these instants.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn delete(
        &self,
        user_id: UserId,
        id: SkillId,
        expected: Option<Vec<Timestamp>>,
    ) -> Result<Removed, Unavailable> {
        let deleted = self.0.store.delete_skill(user_id, id, expected).await;
        deleted.map_err(|error| cannot("delete a skill")(&error))
    }

    /// Shows a skill to everybody, or to its owner alone; false when there is none.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn share(
        &self,
        user_id: UserId,
        id: SkillId,
        is_public: bool,
    ) -> Result<bool, Unavailable> {
        let shared = self.0.store.share_skill(user_id, id, is_public).await;
        shared.map_err(|error| cannot("share a skill")(&error))
    }

    /// Copies a skill of the account, or anybody's public one, into the account's library (decision 40).
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn duplicate(
        &self,
        user_id: UserId,
        id: SkillId,
    ) -> Result<Option<StoredSkill>, Unavailable> {
        let (copy, now) = (SkillId::new(), self.0.clock.now());
        let copied = self.0.store.duplicate_skill(user_id, id, copy, now).await;
        copied.map_err(|error| cannot("copy a skill")(&error))
    }

    /// What a skill can be made of again, its files claimed.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn origin(&self, user_id: UserId, id: SkillId) -> Result<Origin, Unavailable> {
        let origin = self.0.store.origin(user_id, id).await;
        let origin = origin.map_err(|error| cannot("look up what a skill was made of")(&error))?;
        Ok(match origin {
            model::Origin::Order(order) => {
                self.claim(order.source.digests()).await?;
                Origin::Order(order)
            }
            model::Origin::NotOurs => Origin::NotOurs,
            model::Origin::Missing => Origin::Missing,
        })
    }
}

/// What a skill is with another text, and the skill itself: its name and its description are those of the header, as far as that can be read.
fn examine(stored: StoredSkill, content: String) -> (Edited, Skill) {
    let old = stored.skill;
    let header = validate::header_of(&content);
    let name = header
        .name
        .filter(|name| is_a_name(name))
        .unwrap_or(old.name);
    let description = header.description.unwrap_or(old.description);
    let skill = Skill {
        word_count: word_count(&content),
        name,
        description,
        content,
        references: old.references,
    };
    let report = validate::check(&skill.package(), Profile::Open);
    let edited = Edited {
        filename: skill.filename(),
        name: skill.name.clone(),
        description: skill.description.clone(),
        content: skill.content.clone(),
        references: None,
        word_count: u32::try_from(skill.word_count).unwrap_or(u32::MAX),
        report,
    };
    (edited, skill)
}

/// Whether a folder may have this name (V010 to V015).
fn is_a_name(name: &str) -> bool {
    const NAME_LEN_MAX: usize = 64;
    (1..=NAME_LEN_MAX).contains(&name.len())
        && !name.starts_with('-')
        && !name.ends_with('-')
        && !name.contains("--")
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}
