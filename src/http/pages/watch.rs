//! Owns the watch on a skill's page: the switch, what waits, how a new text differs, and what its forms do.

use crate::domain::skill::StoredSkill;
use crate::domain::watch::{Every, Remedy};
use crate::http::app::skills::id_of;
use crate::http::app::watches::{done, wanted};
use crate::http::context::Context;
use crate::http::error::Problem;
use crate::http::pages::by_hand;
use crate::http::pages::diff::{self, Difference};
use crate::http::pages::fields::{self, Fields};
use crate::http::pages::frame::{self, Link};
use crate::http::pages::moment::Moment;
use crate::http::pages::refusal::{OnPage, sentence};
use crate::http::pages::session::Member;
use crate::services::watches::{NotWatched, Standing, State};
use actix_web::{HttpRequest, HttpResponse, web};
use skillkiln_skills::changes::{Change, Kind as Changed};

/// What the page shows of a watch.
pub(super) struct WatchView {
    /// Why the skill cannot be watched.
    pub(super) refused: Option<String>,
    /// How often may be chosen.
    pub(super) offered: Vec<&'static str>,
    /// How it is watched now; none when it is not.
    pub(super) now: Option<Watched>,
}

/// A watch that is on.
pub(super) struct Watched {
    /// Whether it is looked at still; else only what waits is left of it.
    pub(super) is_on: bool,
    pub(super) every: &'static str,
    pub(super) remedy: &'static str,
    pub(super) looked_at: Option<Moment>,
    pub(super) next: Moment,
    pub(super) trouble: Option<String>,
    pub(super) state: &'static str,
    pub(super) changes: Vec<ChangeLine>,
    pub(super) more: usize,
    /// How the new text differs, when one waits.
    pub(super) difference: Option<Difference>,
    /// What its owner had changed by hand in the text that is there, when a new one waits.
    pub(super) by_hand: Option<Difference>,
    /// The run that made the new text, when one waits.
    pub(super) draft: Option<String>,
    /// The page of the run that makes one.
    pub(super) run: Option<String>,
}

/// A rule that changed.
pub(super) struct ChangeLine {
    pub(super) word: &'static str,
    pub(super) tone: &'static str,
    pub(super) text: String,
    pub(super) was: Option<String>,
    pub(super) place: String,
    pub(super) address: Option<String>,
}

impl From<Change> for ChangeLine {
    fn from(change: Change) -> Self {
        Self {
            word: change.kind.as_str(),
            tone: match change.kind {
                Changed::Added => "ok",
                Changed::Changed => "warn",
                Changed::Removed => "bad",
            },
            text: change.text,
            was: change.was,
            place: change.place.words,
            address: change.place.address,
        }
    }
}

impl WatchView {
    pub(super) fn is_on(&self) -> bool {
        self.now.as_ref().is_some_and(|now| now.is_on)
    }

    pub(super) fn is_every(&self, word: &str) -> bool {
        self.now
            .as_ref()
            .map_or(word == Every::Daily.as_str(), |now| now.every == word)
    }

    pub(super) fn is_remedy(&self, word: &str) -> bool {
        let now = self.now.as_ref();
        now.map_or(word == Remedy::Tell.as_str(), |now| now.remedy == word)
    }
}

/// What the owner of a skill is told of its watch on every view.
pub(super) fn news(standing: &Standing) -> Option<&'static str> {
    match standing.state {
        State::Changed => Some("The source of this skill has changed."),
        State::Draft(..) => {
            Some("The source of this skill has changed, and a new text waits for you.")
        }
        State::Watching | State::Making(_) if standing.watch.found.failures > 0 => {
            Some("The source of this skill cannot be read any more.")
        }
        State::Watching | State::Making(_) => None,
    }
}

/// The view of a skill's watch.
pub(super) async fn view(
    member: &Member,
    context: &Context,
    stored: &StoredSkill,
) -> Result<WatchView, OnPage> {
    let watches = &context.services.watches;
    let refused = match watches.refuse(member.user_id(), stored.id).await {
        Ok(()) => None,
        Err(NotWatched::Invalid(words)) => Some(sentence(&words)),
        Err(other) => return Err(Problem::from(other).into()),
    };
    let standing = watches.standing(member.user_id(), stored.id).await?;
    let now = match standing {
        None => None,
        Some(standing) => {
            let by_hand = match standing.state {
                State::Draft(..) => {
                    let library = &context.services.library;
                    let versions = library.versions(member.user_id(), stored.id).await?;
                    by_hand::of(member, context, stored.id, &versions, &stored.skill.content)
                        .await?
                }
                State::Watching | State::Changed | State::Making(_) => None,
            };
            let mut watched = shown(standing, stored.skill.content.clone()).await?;
            watched.by_hand = by_hand;
            Some(watched)
        }
    };
    let offered = watches.offered();
    Ok(WatchView {
        refused,
        offered: offered.into_iter().map(Every::as_str).collect(),
        now,
    })
}

async fn shown(standing: Standing, content: String) -> Result<Watched, Problem> {
    let Standing { watch, state } = standing;
    let word = state.as_str();
    let run = match &state {
        State::Making(run_id) => run_id.map(|run_id| format!("/runs/{run_id}")),
        State::Watching | State::Changed | State::Draft(..) => None,
    };
    let draft = match &state {
        State::Draft(run_id, _) => Some(run_id.to_string()),
        State::Watching | State::Changed | State::Making(_) => None,
    };
    let difference = match state {
        State::Draft(_, draft) => {
            let between = web::block(move || diff::between(&content, &draft.content));
            Some(between.await.map_err(|_| Problem::internal())?)
        }
        State::Watching | State::Changed | State::Making(_) => None,
    };
    let changes = watch.found.changes.unwrap_or_default();
    Ok(Watched {
        is_on: watch.is_on,
        every: watch.every.as_str(),
        remedy: watch.remedy.as_str(),
        looked_at: watch.found.looked_at.map(Moment::at),
        next: Moment::at(watch.due_at),
        trouble: watch.found.trouble.map(|words| sentence(&words)),
        state: word,
        more: changes.total.saturating_sub(changes.told.len()),
        changes: changes.told.into_iter().map(ChangeLine::from).collect(),
        difference,
        by_hand: None,
        draft,
        run,
    })
}

/// Answers `POST /library/{id}/watch`.
pub(in crate::http) async fn post(
    member: Member,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let (user_id, id) = (member.user_id(), id_of(&req)?);
    let page = format!("/library/{}?view=watch", id.public());
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let watches = &Context::of(&req).services.watches;
    let led_back = |problem: Problem| {
        OnPage::from(problem).leading_to(Link::new(page.clone(), "To the watch"))
    };
    let said = match fields.text("do")? {
        "on" => {
            let chosen = wanted(fields.text("every")?, fields.text("on_change")?);
            let (every, remedy) = chosen.map_err(led_back)?;
            let switched = watches.switch_on(user_id, id, every, remedy).await;
            switched.map_err(|why| led_back(Problem::from(why)))?;
            "watched"
        }
        "off" => match watches.switch_off(user_id, id).await? {
            true => "unwatched",
            false => return Err(Problem::not_found().into()),
        },
        action => {
            // To accept names what was shown, always: a newer text is not taken for it.
            let shown =
                Some(fields.text("draft")?).filter(|shown| action == "accept" || !shown.is_empty());
            let done = done(&req, user_id, id, action, shown);
            done.await.map_err(led_back)?;
            match action {
                "accept" => "accepted",
                "dismiss" => "dismissed",
                _ => "looking",
            }
        }
    };
    Ok(frame::see_other(&format!("{page}&said={said}")))
}
