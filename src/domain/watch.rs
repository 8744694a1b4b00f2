//! Owns what a watch is: a skill whose source is looked at again and again, what is done when that says something else, and when it is
//! looked at next.

use crate::domain::clock::Timestamp;
use crate::domain::id::{RunId, SkillId, UserId};
use crate::domain::source::Source;
use serde::{Deserialize, Serialize};
use skillkiln_skills::changes::{Changes, Rule};
use std::time::Duration;

/// After so many failures in a row the pauses grow no more: eight times the usual one.
const DOUBLINGS_MAX: u32 = 3;

/// The route of runs that watches order: they are charged only while their watch names them, and what they make waits for its owner beside
/// the skill, unless the watch may take it when they end.
pub const WATCH_ROUTE: &str = "a draft for a watch";

/// How often a source is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Every {
    /// Once a day.
    Daily,
    /// Once a week.
    Weekly,
}

impl Every {
    /// The word on the wire and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Daily => "daily",
            Self::Weekly => "weekly",
        }
    }

    /// Reads [`Every::as_str`] back.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Daily, Self::Weekly]
            .into_iter()
            .find(|every| every.as_str() == word)
    }

    /// The time between two looks.
    #[must_use]
    pub const fn pause(self) -> Duration {
        match self {
            Self::Daily => Duration::from_hours(24),
            Self::Weekly => Duration::from_hours(7 * 24),
        }
    }
}

/// What is done when a source has changed. Its owner agrees to what costs credits by choosing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// The owner is told; nothing is made.
    Tell,
    /// A new text is made, for one credit each time, and waits until its owner accepts it.
    Draft,
    /// A new text is made, for one credit each time, and takes the place of the old one, which is kept as a version; of a skill that its
    /// owner changed by hand it waits (decision 70).
    Take,
}

impl Remedy {
    /// The word on the wire and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tell => "tell",
            Self::Draft => "draft",
            Self::Take => "take",
        }
    }

    /// Reads [`Remedy::as_str`] back.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Tell, Self::Draft, Self::Take]
            .into_iter()
            .find(|remedy| remedy.as_str() == word)
    }
}

/// What a source said at a look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// SHA-256 of the bytes that were read, in hexadecimal.
    pub digest: String,
    /// The version of the program that read them: another one may find other rules in the same bytes.
    pub reader: String,
    /// What it said.
    pub rules: Vec<Rule>,
}

/// What a look leaves behind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    /// When the source was last read.
    pub looked_at: Option<Timestamp>,
    /// How many looks in a row failed.
    pub failures: u32,
    /// Why the last one failed, or why nothing was made of what it found.
    pub trouble: Option<String>,
    /// The run that the skill's text was made by when `seen` was settled.
    pub made_by: Option<RunId>,
    /// What the source said when the skill's text was settled; none where that is not known.
    pub seen: Option<Seen>,
    /// What it says while a change waits.
    pub pending: Option<Seen>,
    /// What changed from the one to the other.
    pub changes: Option<Changes>,
    /// The run that was ordered for it.
    pub run_id: Option<RunId>,
    /// Whether what that run makes waits for the owner.
    pub beside: bool,
}

impl Found {
    /// The change that waited is settled: the skill's text is that of what the source says now, or stays all the same.
    pub fn settle(&mut self, made_by: Option<RunId>) {
        self.seen = self.pending.take().or(self.seen.take());
        (self.changes, self.run_id, self.beside) = (None, None, false);
        self.made_by = made_by;
    }
}

/// A watch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watch {
    /// The skill.
    pub skill_id: SkillId,
    /// Whose it is.
    pub user_id: UserId,
    /// How often its source is looked at.
    pub every: Every,
    /// What is done about a change.
    pub remedy: Remedy,
    /// When it is looked at next; until when it is taken, where somebody looks.
    pub due_at: Timestamp,
    /// Whether it is looked at still: one that was switched off stays as long as a text waits for its owner.
    pub is_on: bool,
    /// What was found.
    pub found: Found,
    /// The run that the skill's text is made by now.
    pub origin_run: Option<RunId>,
}

/// What whoever takes a watch finds there: it is theirs to write in for as long as that stays so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hold {
    /// Until when it is taken.
    pub lease: Timestamp,
    /// The run that it names.
    pub run_id: Option<RunId>,
    /// Whether what that run makes waits for the owner.
    pub beside: bool,
}

impl Hold {
    /// Whether what a run makes waits for the owner.
    #[must_use]
    pub fn waits_for(self, run_id: RunId) -> bool {
        self.beside && self.run_id == Some(run_id)
    }
}

impl Watch {
    /// What is found there.
    #[must_use]
    pub const fn hold(&self) -> Hold {
        Hold {
            lease: self.due_at,
            run_id: self.found.run_id,
            beside: self.found.beside,
        }
    }
}

/// How long after so many failures in a row the next look is made.
#[must_use]
pub fn pause_after(failures: u32, pause: Duration) -> Duration {
    pause.saturating_mul(1 << failures.saturating_sub(1).min(DOUBLINGS_MAX))
}

/// Whether what lies behind a source can change: an address.
///
/// # Errors
/// Why it cannot, in words for its owner.
pub fn watchable(source: &Source) -> Result<(), &'static str> {
    match source {
        Source::Url { .. } | Source::Youtube { .. } => Ok(()),
        Source::File { .. } => Err(
            "this skill was made of a file, which never changes here: only a web page, a repository or a video can be watched",
        ),
        Source::Text { .. } => Err(
            "this skill was made of a text, which never changes here: only a web page, a repository or a video can be watched",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pauses_grow_with_each_failure_up_to_eight_times() {
        let day = Every::Daily.pause();
        let days: Vec<u32> = (0..6)
            .map(|failures| pause_after(failures, day).as_secs() as u32 / 86_400)
            .collect();
        assert_eq!(days, [1, 1, 2, 4, 8, 8]);
    }

    #[test]
    fn a_settled_change_is_what_the_next_one_is_told_from() {
        let seen = |digest: &str| Seen {
            digest: digest.into(),
            reader: "1".into(),
            rules: vec![],
        };
        let mut found = Found {
            seen: Some(seen("a")),
            pending: Some(seen("b")),
            run_id: Some(RunId::new()),
            beside: true,
            changes: Some(Changes::default()),
            ..Found::default()
        };
        found.settle(None);
        assert_eq!(found.seen, Some(seen("b")));
        found.settle(None);
        assert_eq!(found.seen, Some(seen("b")), "nothing waited");
        assert!(found.run_id.is_none() && found.changes.is_none() && !found.beside);
    }
}
