//! Owns skills whose sources are looked at again and again: the rounds that look, what is told of a change, and what is ordered for it.
//!
//! ```text
//! due ─take: for one node alone─▶ look ─▶ as it was
//!                                  ├─▶ unreadable: shown, and looked at later and later
//!                                  └─▶ changed: told, or a new text ordered beside the skill or in its place
//! ```
//!
//! What is ordered is written down before it is charged, and charged only while the watch names it (`store/settlement.rs`): whoever answers,
//! looks or switches off in between takes the name away, and nothing is charged; whoever comes after the charge finds the run.
//!
//! To look is free. What is made of a change is charged like every generation; its owner agreed to that when choosing it. A look never
//! deletes anything, and what waits for its owner is not made again before there is an answer.

use crate::domain::clock::{Clock, Timestamp};
use crate::domain::generation::{Hears, Order, Status};
use crate::domain::id::{GenerationId, RunId, SkillId, UserId};
use crate::domain::skill::{FinishedSkill, Skill, StoredSkill};
use crate::domain::watch::{
    Every, Found, Hold, Remedy, Seen, WATCH_ROUTE, Watch, pause_after, watchable,
};
use crate::pipeline::handle::LookedAgain;
use crate::services::accounts::Unavailable;
use crate::services::engine::{Engine, Rejected, Repeatable, Request};
use crate::services::looks::NoLook;
use crate::store::connection::Store;
use crate::store::model::{Origin, Saved, StoreError, Watched};
use crate::telemetry::looks::{LOOKS, Outcome};
use futures_util::future::join_all;
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_skills::changes::{self, Change, Changes, Kind};
use skillkiln_skills::origins::Place;
use skillkiln_skills::report::SUPPORT_RULE;
use skillkiln_skills::validate::header_of;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;

/// How often it is looked what is due.
const ROUND: Duration = Duration::from_secs(5);
/// For how long whoever takes a watch has it for themselves; longer than any look may take.
const LEASE: Duration = Duration::from_mins(30);
/// Looks at once on a node.
const AT_ONCE: u32 = 4;
/// Readings in a row of a part of a site that are no reading; what is read then is what there is of it.
const PARTS_MAX: u32 = 3;
/// After so long it is tried again where nothing was wrong with the source.
const SOON: Duration = Duration::from_mins(5);
/// Between two looks that its owner asks for.
const ASKED_PAUSE: Duration = Duration::from_mins(1);
/// What reads: another version may find other rules in the same bytes.
const READER: &str = env!("CARGO_PKG_VERSION");

/// How much is watched, by the settings.
#[derive(Debug, Clone, Copy)]
pub struct WatchRules {
    /// The least time between two looks.
    pub least: Duration,
    /// Skills that an account may watch.
    pub per_account: u32,
}

/// Why a skill is not watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotWatched {
    /// What is wrong with it, in words for its owner.
    Invalid(String),
    /// There is no such skill.
    Missing,
    /// The service cannot answer.
    Unavailable,
}

impl From<Unavailable> for NotWatched {
    fn from(_: Unavailable) -> Self {
        Self::Unavailable
    }
}

/// How a watch stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The watch.
    pub watch: Watch,
    /// What waits.
    pub state: State,
}

/// What waits of a watch.
#[derive(Debug, Clone, PartialEq)]
pub enum State {
    /// Nothing: the text is that of the source, as far as is known.
    Watching,
    /// The source has changed, and nothing was made of that.
    Changed,
    /// A new text is being made, by that run as soon as it is charged.
    Making(Option<RunId>),
    /// A new text waits for the owner.
    Draft(RunId, Box<FinishedSkill>),
}

impl State {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Watching => "watching",
            Self::Changed => "changed",
            Self::Making(_) => "making",
            Self::Draft(..) => "draft",
        }
    }
}

/// What became of an answer to a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answered {
    /// It is done.
    Done,
    /// There is nothing to be answered so, or something else than was shown.
    Nothing,
    /// Nobody watches the skill.
    Missing,
}

impl From<Saved> for Answered {
    fn from(saved: Saved) -> Self {
        match saved {
            Saved::At(_) => Self::Done,
            Saved::Stale => Self::Nothing,
            Saved::Missing => Self::Missing,
        }
    }
}

/// Watches. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Watches(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    store: Store,
    clock: Clock,
    engine: Engine,
    rules: WatchRules,
    asked: Notify,
}

fn cannot(doing: &'static str) -> impl Fn(StoreError) -> Unavailable {
    move |error| {
        tracing::error!(%error, "cannot {doing}");
        Unavailable
    }
}

impl Watches {
    /// Over a store; looks and orders go through `engine`.
    #[must_use]
    pub(super) fn new(store: Store, clock: Clock, engine: Engine, rules: WatchRules) -> Self {
        Self(Arc::new(Inner {
            store,
            clock,
            engine,
            rules,
            asked: Notify::new(),
        }))
    }

    /// How often a source may be looked at here; empty where nothing is watched.
    #[must_use]
    pub fn offered(&self) -> Vec<Every> {
        let rules = self.0.rules;
        let may = |every: &Every| rules.per_account > 0 && every.pause() >= rules.least;
        [Every::Daily, Every::Weekly]
            .into_iter()
            .filter(may)
            .collect()
    }

    /// Why a skill cannot be watched, in words for its owner; nothing where it can.
    ///
    /// # Errors
    /// [`NotWatched`].
    pub async fn refuse(&self, user_id: UserId, id: SkillId) -> Result<(), NotWatched> {
        let origin = self.0.store.origin(user_id, id).await;
        let why = match origin.map_err(cannot("look up what a skill was made of"))? {
            Origin::Order(order) => match watchable(&order.source) {
                Ok(()) => return Ok(()),
                Err(why) => why,
            },
            Origin::NotOurs => "this skill is a copy of somebody else's, without its source",
            Origin::Missing => return Err(NotWatched::Missing),
        };
        Err(NotWatched::Invalid(why.to_owned()))
    }

    /// Watches a skill from now on, or otherwise than before. Whoever chooses anything but to be told agrees to a credit for each change.
    ///
    /// # Errors
    /// [`NotWatched`].
    pub async fn switch_on(
        &self,
        user_id: UserId,
        id: SkillId,
        every: Every,
        remedy: Remedy,
    ) -> Result<(), NotWatched> {
        self.refuse(user_id, id).await?;
        let offered = self.offered();
        if !offered.contains(&every) {
            return Err(NotWatched::Invalid(match offered.first() {
                None => "skills are not watched here".to_owned(),
                Some(least) => format!(
                    "sources are not looked at so often here; the most is {}",
                    least.as_str()
                ),
            }));
        }
        let inner = &*self.0;
        let known = inner.store.watch(user_id, id).await;
        let known = known.map_err(cannot("read a watch"))?;
        let at = known.map_or_else(|| inner.clock.now(), |watch| inner.soon(&watch));
        let (how, most) = ((every, remedy), inner.rules.per_account);
        let watched = inner.store.watch_skill(user_id, id, how, at, most).await;
        match watched.map_err(cannot("watch a skill"))? {
            Watched::Done => {
                inner.asked.notify_one();
                Ok(())
            }
            Watched::Missing => Err(NotWatched::Missing),
            Watched::TooMany => Err(NotWatched::Invalid(format!(
                "an account watches at most {most} skills; switch another one off first"
            ))),
        }
    }

    /// Watches a skill no more; false when nobody did. A new text that waits, or is being made, waits on.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn switch_off(&self, user_id: UserId, id: SkillId) -> Result<bool, Unavailable> {
        let inner = &*self.0;
        let off = inner.store.unwatch_skill(user_id, id, inner.clock.now());
        off.await.map_err(cannot("watch a skill no more"))
    }

    /// How the watch of a skill stands; none when nobody watches it and nothing waits of that.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn standing(
        &self,
        user_id: UserId,
        id: SkillId,
    ) -> Result<Option<Standing>, Unavailable> {
        let read = async {
            let Some(mut watch) = self.0.store.watch(user_id, id).await? else {
                return Ok(None);
            };
            let state = self.0.settle(&mut watch).await?;
            let waits = matches!(state, State::Making(_) | State::Draft(..));
            Ok((watch.is_on || waits).then_some(Standing { watch, state }))
        };
        read.await.map_err(cannot("read a watch"))
    }

    /// Looks as soon as may be; false when nobody watches the skill.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn look_soon(&self, user_id: UserId, id: SkillId) -> Result<bool, Unavailable> {
        let inner = &*self.0;
        let known = inner.store.watch(user_id, id).await;
        let Some(watch) = known.map_err(cannot("read a watch"))? else {
            return Ok(false);
        };
        let at = inner.soon(&watch);
        let hastened = inner.store.hasten_look(user_id, id, at).await;
        let is_there = hastened.map_err(cannot("look at a source"))?;
        inner.asked.notify_one();
        Ok(is_there)
    }

    /// Puts the new text in the place of the old one, which is kept as a version; that of the run `shown` and no other, where one is named.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn accept(
        &self,
        user_id: UserId,
        id: SkillId,
        shown: Option<RunId>,
    ) -> Result<Answered, Unavailable> {
        let Some(standing) = self.standing(user_id, id).await? else {
            return Ok(Answered::Missing);
        };
        let State::Draft(run_id, _) = standing.state else {
            return Ok(Answered::Nothing);
        };
        if shown.is_some_and(|shown| shown != run_id) {
            return Ok(Answered::Nothing);
        }
        let inner = &*self.0;
        let at = inner.clock.now();
        let taken = inner.store.take_draft(user_id, id, run_id, at).await;
        Ok(taken.map_err(cannot("accept a new text"))?.into())
    }

    /// Keeps the text as it is: the change is not told again, and what was made of it is thrown away; what the run `shown` made and no
    /// other, where one is named.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn dismiss(
        &self,
        user_id: UserId,
        id: SkillId,
        shown: Option<RunId>,
    ) -> Result<Answered, Unavailable> {
        let inner = &*self.0;
        let dismissed = async {
            let Some(mut watch) = inner.store.watch(user_id, id).await? else {
                return Ok(Saved::Missing);
            };
            let named = watch.found.run_id;
            match inner.settle(&mut watch).await? {
                State::Draft(run_id, _) if shown.is_none_or(|shown| shown == run_id) => {}
                State::Changed if shown.is_none() && watch.is_on => {}
                _ => return Ok(Saved::Stale),
            }
            let at = inner.clock.now();
            inner.store.dismiss_change(user_id, id, named, at).await
        };
        let dismissed = dismissed.await;
        Ok(dismissed.map_err(cannot("dismiss a change"))?.into())
    }

    /// What changed from version to version of a watched skill, in Markdown, newest first; none where nothing did, or nobody watches it.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn change_log(&self, stored: &StoredSkill) -> Result<Option<String>, Unavailable> {
        let read = async {
            let store = &self.0.store;
            if store.watch(stored.user_id, stored.id).await?.is_none() {
                return Ok(None);
            }
            store.texts_of(stored.user_id, stored.id).await.map(Some)
        };
        let texts = read.await.map_err(cannot("read versions"))?;
        Ok(texts
            .filter(|(_, versions)| !versions.is_empty())
            .map(|(number, versions)| crate::services::change_log::of(stored, number, &versions)))
    }

    /// Makes rounds for as long as the service runs.
    pub(super) async fn make_rounds(self) {
        let mut rounds = tokio::time::interval(ROUND);
        rounds.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = rounds.tick() => {}
                () = self.0.asked.notified() => {}
            }
            if self.0.engine.is_ready()
                && let Err(error) = self.0.round().await
            {
                tracing::warn!(%error, "watches wait for the next round");
            }
        }
    }
}

impl Inner {
    /// When a look is made that its owner asks for.
    fn soon(&self, watch: &Watch) -> Timestamp {
        let now = self.clock.now();
        let last = watch.found.looked_at;
        last.map_or(now, |last| now.max(last.plus(ASKED_PAUSE)))
    }

    async fn round(&self) -> Result<(), StoreError> {
        loop {
            let now = self.clock.now();
            if self.store.next_look().await?.is_none_or(|next| next > now) {
                return Ok(());
            }
            let lease = now.plus(LEASE);
            let due = self.store.take_watches(now, lease, AT_ONCE).await?;
            if due.is_empty() {
                return Ok(());
            }
            let looks = due.into_iter().map(async |watch| {
                let id = watch.skill_id;
                if let Err(error) = self.visit(watch).await {
                    tracing::error!(skill = %id, %error, "a watch waits until its lease is over");
                }
            });
            join_all(looks).await;
        }
    }

    /// What waits of a watch: a run that it ordered may have ended since, and its owner may have made the skill anew.
    async fn settle(&self, watch: &mut Watch) -> Result<State, StoreError> {
        let (user_id, id) = (watch.user_id, watch.skill_id);
        let found = &mut watch.found;
        if let Some(run_id) = found.run_id {
            let run = self.store.run(run_id).await?;
            let run = run.map(|run| (run.status, run.failure));
            if matches!(run, Some((Status::Completed, _))) && !found.beside {
                // Where the text was not taken after all, that was written down with its end, maybe since the watch was read.
                let now = self.store.watch(user_id, id).await?;
                found.beside = now.is_some_and(|now| now.hold().waits_for(run_id));
            }
            match run {
                // Whoever ordered it is about to charge it, or was lost: the next look tells.
                None => return Ok(State::Making(None)),
                Some((Status::Queued | Status::Running, _)) => {
                    return Ok(State::Making(Some(run_id)));
                }
                Some((Status::Completed, _)) if !found.beside => found.settle(Some(run_id)),
                Some((Status::Completed, _)) => {
                    let made = GenerationId(run_id.0);
                    if found.made_by == watch.origin_run
                        && let Some(draft) = self.store.product(user_id, made).await?
                    {
                        return Ok(State::Draft(run_id, Box::new(draft)));
                    }
                    found.run_id = None;
                }
                // What failed was given back.
                Some((Status::Failed, failure)) => {
                    found.run_id = None;
                    found.trouble = failure.map(|failure| {
                        format!(
                            "a new text could not be made, and its credit is back: {}",
                            failure.message
                        )
                    });
                }
            }
        }
        if found.made_by != watch.origin_run {
            // It was made anew by other means: of what, only a look can tell.
            *found = Found {
                looked_at: found.looked_at,
                failures: found.failures,
                trouble: found.trouble.take(),
                made_by: watch.origin_run,
                ..Found::default()
            };
        }
        Ok(match &found.changes {
            Some(changes) if changes.total > 0 => State::Changed,
            _ => State::Watching,
        })
    }

    /// Looks at a source that is due, and does what its owner wants done.
    async fn visit(&self, mut watch: Watch) -> Result<(), StoreError> {
        let (user_id, id) = (watch.user_id, watch.skill_id);
        let pause = watch.every.pause().max(self.rules.least);
        let mut hold = watch.hold();
        let mut state = self.settle(&mut watch).await?;
        if let State::Making(None) = state {
            if !self.store.give_up_run(id, hold).await? {
                return Ok(());
            }
            (watch.found.run_id, watch.found.beside) = (None, false);
            hold = watch.hold();
            state = self.settle(&mut watch).await?;
        }
        let note = |found: Found, after: Duration| {
            let due_at = self.clock.now().plus(after);
            self.store.note_look(id, hold, found, due_at)
        };
        if let State::Making(_) = state {
            note(watch.found, SOON).await?;
            return Ok(());
        }
        if !watch.is_on {
            match state {
                State::Draft(..) => note(watch.found, pause).await?,
                _ => self.store.forget_watch(id, hold).await?,
            };
            return Ok(());
        }
        let is_shut_out = async {
            let user = self.store.user(user_id).await?;
            Ok::<_, StoreError>(user.is_none_or(|user| user.restricted))
        };
        if is_shut_out.await? {
            note(watch.found, pause).await?;
            return Ok(());
        }
        let (stored, origin) = (
            self.store.skill(user_id, id).await?,
            self.store.origin(user_id, id).await?,
        );
        let (Some(stored), Origin::Order(order)) = (stored, origin) else {
            watch.found.trouble = Some("its source is not known any more".to_owned());
            note(watch.found, pause).await?;
            return Ok(());
        };
        let looked = self.look(&watch, &stored, (*order).clone()).await;
        let last = &watch.found;
        let looked = looked.and_then(|looked| match looked {
            Some(looked) if last.failures < PARTS_MAX && is_partial(last.seen.as_ref(), &looked) => {
                Err(NoLook::Failed(Failure::new(
                    Reason::Unreachable,
                    "some pages of this site could not be read; what changed is told when they can be",
                )))
            }
            looked => Ok(looked),
        });
        let found = &mut watch.found;
        let looked = match looked {
            Ok(looked) => looked,
            Err(NoLook::Busy { .. }) => {
                note(watch.found, SOON).await?;
                return Ok(());
            }
            Err(NoLook::Failed(failure)) => {
                LOOKS.count(Outcome::Failed);
                found.failures = found.failures.saturating_add(1);
                found.trouble = Some(failure.message);
                found.looked_at = Some(self.clock.now());
                let after = pause_after(found.failures, pause);
                note(watch.found, after).await?;
                return Ok(());
            }
        };
        (found.failures, found.trouble) = (0, None);
        let looked_at = Some(self.clock.now());
        let draft_waits = matches!(state, State::Draft(..));
        if let Some(looked) = looked
            && !draft_waits
        {
            compare(found, looked, &stored);
        }
        let has_changed = found.changes.as_ref().is_some_and(|all| all.total > 0);
        LOOKS.count(match has_changed {
            true => Outcome::Changed,
            false => Outcome::Unchanged,
        });
        if !has_changed || draft_waits || watch.remedy == Remedy::Tell {
            found.looked_at = looked_at;
            note(watch.found, pause).await?;
            return Ok(());
        }
        self.order(watch, *order, hold, pause).await
    }

    /// Reads a source, unless it is as it was.
    async fn look(
        &self,
        watch: &Watch,
        stored: &StoredSkill,
        order: Order,
    ) -> Result<Option<LookedAgain>, NoLook> {
        let last = watch.found.pending.as_ref().or(watch.found.seen.as_ref());
        let known = last.filter(|seen| seen.reader == READER);
        let skill = Skill {
            name: stored.skill.name.clone(),
            description: stored.skill.description.clone(),
            content: stored.skill.content.clone(),
            references: stored.skill.references.clone(),
            word_count: stored.skill.word_count as usize,
        };
        let known = known.map(|seen| seen.digest.clone());
        let engine = &self.engine;
        engine.look_again(stored.user_id, order, known, skill).await
    }

    /// Orders a new text. That it was ordered is written down before it is charged, so that whatever it makes finds its place, and
    /// nobody else orders it. Whether it may take the place of the skill is asked again when it ends.
    async fn order(
        &self,
        mut watch: Watch,
        order: Order,
        hold: Hold,
        pause: Duration,
    ) -> Result<(), StoreError> {
        let id = watch.skill_id;
        let run_id = RunId::new();
        watch.found.run_id = Some(run_id);
        watch.found.beside = watch.remedy == Remedy::Draft || self.store.is_edited(id).await?;
        let lease = hold.lease;
        let written = self.store.note_look(id, hold, watch.found.clone(), lease);
        if !written.await? {
            return Ok(());
        }
        let hold = Hold {
            lease,
            run_id: Some(run_id),
            beside: watch.found.beside,
        };
        let request = Request {
            user_id: watch.user_id,
            key_id: None,
            order,
            idempotency: Some(Repeatable {
                route: WATCH_ROUTE,
                key: run_id.to_string(),
                digest: String::new(),
            }),
            replaces: Some(id),
            hears: Hears::TheEnd,
        };
        let ordered = self
            .engine
            .generate_as(run_id, request, &format!("watch-{run_id}"))
            .await;
        let after = match ordered {
            // It goes on whoever listens.
            Ok(_) => pause,
            // Whether it was charged is not known: the next look finds it, or finds that it is not there.
            Err(Rejected::Unavailable) => SOON,
            Err(why) => {
                watch.found.run_id = None;
                match why {
                    Rejected::InsufficientCredits => {
                        watch.found.trouble = Some("the source has changed, and there is no credit left for a new text: nothing was made of it".to_owned());
                        pause
                    }
                    // The skill is gone, or the watch was answered or switched off meanwhile, or looks again.
                    Rejected::NotFound => return Ok(()),
                    Rejected::Busy { .. }
                    | Rejected::AlreadyRegenerating
                    | Rejected::KeyReused
                    | Rejected::Deleted
                    | Rejected::Stopping
                    | Rejected::Unavailable => SOON,
                }
            }
        };
        let now = self.clock.now();
        watch.found.looked_at = Some(now);
        let due_at = now.plus(after);
        let noted = self.store.note_look(id, hold, watch.found, due_at).await?;
        tracing::debug!(noted, "what came of a change is written down");
        Ok(())
    }
}

/// Notes what a source says now, and what of that it did not say before.
fn compare(found: &mut Found, looked: LookedAgain, stored: &StoredSkill) {
    let changes = changed(found.seen.as_ref(), &looked, || unborne(&looked, stored));
    let now = Seen {
        digest: looked.digest,
        reader: READER.to_owned(),
        rules: looked.rules,
    };
    if changes.total == 0 {
        (found.seen, found.pending, found.changes) = (Some(now), None, None);
    } else {
        (found.pending, found.changes) = (Some(now), Some(changes));
    }
}

/// Whether pages of a site could not be read of which the last reading says no such thing.
fn is_partial(seen: Option<&Seen>, looked: &LookedAgain) -> bool {
    let is_known = |unread: &String| {
        seen.is_some_and(|seen| seen.rules.iter().any(|rule| rule.text == *unread))
    };
    looked
        .unread
        .as_ref()
        .is_some_and(|unread| !is_known(unread))
}

/// What changed since a source was seen. Another version of the program may find other rules in the same bytes: then nothing did.
fn changed(
    seen: Option<&Seen>,
    looked: &LookedAgain,
    unborne: impl FnOnce() -> Changes,
) -> Changes {
    match seen {
        Some(seen) if seen.digest == looked.digest => Changes::default(),
        Some(seen) if seen.reader == READER => changes::between(&seen.rules, &looked.rules),
        _ => unborne(),
    }
}

/// What a skill says that its source does not bear out any more, and what that says which the skill does not: what is known of a change
/// where it is not known what the source said before.
fn unborne(looked: &LookedAgain, stored: &StoredSkill) -> Changes {
    let content = &stored.skill.content;
    let header = header_of(content).metadata;
    let made_of = header.iter().find(|(name, _)| name == "source_digest");
    if made_of.is_some_and(|(_, digest)| digest.strip_prefix("sha256:") == Some(&looked.digest)) {
        return Changes::default();
    }
    let report = &stored.skill.report;
    let is_model = report.author() == "model";
    let said: Vec<&str> = content.lines().collect();
    let new = looked.proof.checks.iter().filter(|check| {
        let known = |before: &skillkiln_skills::report::Check| {
            before.id == check.id && before.message == check.message
        };
        let is_judged = is_model && check.id == SUPPORT_RULE;
        !check.passed
            && !is_judged
            && *check.id >= *"V090"
            && *check.id < *"V093"
            && !report.checks.iter().any(known)
    });
    let change = |check: &skillkiln_skills::report::Check| {
        let line = check.line.and_then(|line| {
            let at = usize::try_from(line).ok()?.checked_sub(1)?;
            said.get(at).map(|words| (line, words.trim().to_owned()))
        });
        let words = match &line {
            Some((line, _)) => format!("SKILL.md, line {line}: {}", check.message),
            None => check.message.to_string(),
        };
        Change {
            kind: match line {
                Some(_) => Kind::Removed,
                None => Kind::Changed,
            },
            text: line.map_or_else(String::new, |(_, words)| words),
            was: None,
            place: Place {
                words,
                address: None,
            },
        }
    };
    Changes::of(new.map(change).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_skills::changes::Rule;
    use skillkiln_skills::report::Report;

    #[test]
    fn the_same_bytes_read_by_another_version_are_no_change() {
        let looked = LookedAgain {
            digest: "1a".into(),
            rules: Vec::new(),
            proof: Report::default(),
            unread: None,
        };
        let seen = |digest: &str| Seen {
            digest: digest.into(),
            reader: "0.0.1".into(),
            rules: Vec::new(),
        };
        let one = || Changes {
            total: 1,
            ..Changes::default()
        };
        assert_eq!(changed(Some(&seen("1a")), &looked, one).total, 0);
        assert_eq!(changed(Some(&seen("2b")), &looked, one).total, 1);
        assert_eq!(changed(None, &looked, one).total, 1);
    }

    #[test]
    fn a_site_is_read_in_part_where_it_was_whole_before() {
        let said = "One more page of this site could not be read.";
        let looked = |unread: Option<&str>| LookedAgain {
            digest: "1a".into(),
            rules: Vec::new(),
            proof: Report::default(),
            unread: unread.map(str::to_owned),
        };
        let seen = |texts: &[&str]| Seen {
            digest: "2b".into(),
            reader: READER.into(),
            rules: texts
                .iter()
                .map(|text| Rule {
                    mark: 1,
                    text: (*text).into(),
                    place: Place {
                        words: String::new(),
                        address: None,
                    },
                })
                .collect(),
        };
        let part = looked(Some(said));
        assert!(is_partial(None, &part) && is_partial(Some(&seen(&["Shut it."])), &part));
        assert!(!is_partial(Some(&seen(&[said])), &part));
        assert!(!is_partial(Some(&seen(&[])), &looked(None)));
    }
}
