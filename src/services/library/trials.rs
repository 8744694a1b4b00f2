//! Owns what a skill of the library is tried with, made of its source and its owner's other skills.

use crate::domain::id::UserId;
use crate::domain::skill::{SkillFilter, StoredSkill};
use crate::pipeline::trial::{Listed, Trial};
use crate::services::accounts::Unavailable;
use crate::services::library::Library;
use crate::services::library::changes::Origin;
use crate::services::looks::NoLook;

/// Why there is nothing to try a skill with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoTrial {
    /// It is a copy of somebody else's, without its source.
    NotOurs,
    /// Its source cannot be read now.
    Unread(NoLook),
    /// The service cannot answer.
    Unavailable,
}

impl From<Unavailable> for NoTrial {
    fn from(_: Unavailable) -> Self {
        Self::Unavailable
    }
}

impl Library {
    /// What one of the account's skills is tried with; its source is read for it, which is free.
    ///
    /// # Errors
    /// [`NoTrial`].
    pub async fn trial(&self, user_id: UserId, stored: &StoredSkill) -> Result<Trial, NoTrial> {
        let Origin::Order(order) = self.origin(user_id, stored.id).await? else {
            return Err(NoTrial::NotOurs);
        };
        let own = Listed {
            name: stored.skill.name.clone(),
            description: stored.skill.description.clone(),
        };
        let all = self.skills(user_id, SkillFilter::default()).await?;
        let others = all.into_iter().filter(|line| line.id != stored.id);
        let others = others.map(|line| Listed {
            name: line.name,
            description: line.description,
        });
        let tried = self.0.engine.trial(user_id, *order, own, others.collect());
        tried.await.map_err(NoTrial::Unread)
    }
}
