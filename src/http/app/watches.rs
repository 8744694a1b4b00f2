//! Owns `/api/skills/{id}/watch`: whether the source of a skill is looked at again, what is done when it has changed, and the answer to a
//! change that waits.

use crate::domain::id::{RunId, SkillId, UserId};
use crate::domain::watch::{Every, Remedy};
use crate::http::app::skills::id_of;
use crate::http::body;
use crate::http::caller::Caller;
use crate::http::context::Context;
use crate::http::error::{Kind, OnApp, Problem};
use crate::services::watches::{Answered, Standing, State};
use actix_web::{HttpRequest, HttpResponse, web};
use serde::{Deserialize, Serialize};
use skillkiln_skills::changes::Change;
use skillkiln_skills::report::Report;

const BODY_BYTES_MAX: usize = 4 << 10;

#[derive(Serialize)]
struct Watch {
    every: &'static str,
    on_change: &'static str,
    is_on: bool,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    looked_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_look_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trouble: Option<String>,
    changes: Vec<Changed>,
    changes_total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    draft: Option<Draft>,
}

/// A rule that changed.
#[derive(Serialize)]
struct Changed {
    change: &'static str,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    was: Option<String>,
    place: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
}

impl From<Change> for Changed {
    fn from(change: Change) -> Self {
        Self {
            change: change.kind.as_str(),
            text: change.text,
            was: change.was,
            place: change.place.words,
            address: change.place.address,
        }
    }
}

/// A new text that waits.
#[derive(Serialize)]
struct Draft {
    generation_id: String,
    content: String,
    word_count: u32,
    validation: Report,
}

impl From<Standing> for Watch {
    fn from(standing: Standing) -> Self {
        let Standing { watch, state } = standing;
        let word = state.as_str();
        let changes = watch.found.changes.unwrap_or_default();
        Self {
            every: watch.every.as_str(),
            on_change: watch.remedy.as_str(),
            state: word,
            looked_at: watch.found.looked_at.map(|at| at.iso()),
            is_on: watch.is_on,
            next_look_at: watch.is_on.then(|| watch.due_at.iso()),
            trouble: watch.found.trouble,
            changes_total: changes.total,
            changes: changes.told.into_iter().map(Changed::from).collect(),
            draft: match state {
                State::Draft(run_id, draft) => Some(Draft {
                    generation_id: run_id.to_string(),
                    content: draft.content,
                    word_count: draft.word_count,
                    validation: Report {
                        bill: None,
                        ..draft.report
                    },
                }),
                State::Watching | State::Changed | State::Making(_) => None,
            },
        }
    }
}

/// How a watch stands, as it is answered.
async fn told(caller: &Caller, req: &HttpRequest) -> Result<HttpResponse, OnApp> {
    let watch = standing(caller, req).await?;
    let watch = watch.ok_or_else(Problem::not_found)?;
    Ok(HttpResponse::Ok().json(watch))
}

async fn standing(caller: &Caller, req: &HttpRequest) -> Result<Option<Watch>, Problem> {
    let watches = &Context::of(req).services.watches;
    let standing = watches.standing(caller.user_id, id_of(req)?).await?;
    Ok(standing.map(Watch::from))
}

/// Answers `GET /api/skills/{id}/watch`.
pub(in crate::http) async fn get(caller: Caller, req: HttpRequest) -> Result<HttpResponse, OnApp> {
    told(&caller, &req).await
}

#[derive(Deserialize)]
struct Wanted {
    every: String,
    on_change: String,
}

/// How often a source is to be looked at, and what is to be done about a change.
pub(in crate::http) fn wanted(every: &str, on_change: &str) -> Result<(Every, Remedy), Problem> {
    let every =
        Every::parse(every).ok_or_else(|| Problem::invalid("every must be daily or weekly"))?;
    let remedy = Remedy::parse(on_change)
        .ok_or_else(|| Problem::invalid("on_change must be tell, draft or take"))?;
    Ok((every, remedy))
}

/// Answers `PUT /api/skills/{id}/watch`.
pub(in crate::http) async fn put(
    caller: Caller,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnApp> {
    let context = Context::of(&req);
    let limits = &context.settings.limits;
    let Wanted { every, on_change } = body::json(&req, payload, BODY_BYTES_MAX, limits).await?;
    let (every, remedy) = wanted(&every, &on_change)?;
    let watches = &context.services.watches;
    let switched = watches.switch_on(caller.user_id, id_of(&req)?, every, remedy);
    switched.await.map_err(Problem::from)?;
    told(&caller, &req).await
}

/// Answers `DELETE /api/skills/{id}/watch`.
pub(in crate::http) async fn delete(
    caller: Caller,
    req: HttpRequest,
) -> Result<HttpResponse, OnApp> {
    let watches = &Context::of(&req).services.watches;
    match watches.switch_off(caller.user_id, id_of(&req)?).await? {
        true => Ok(HttpResponse::NoContent().finish()),
        false => Err(Problem::not_found().into()),
    }
}

#[derive(Deserialize)]
struct Deed {
    action: String,
    generation_id: Option<String>,
}

/// Does what its owner wants done with a watch: looks soon, accepts the new text, or keeps the old one. `shown` names the new text that
/// this was decided on: another one is not answered with it.
pub(in crate::http) async fn done(
    req: &HttpRequest,
    user_id: UserId,
    id: SkillId,
    action: &str,
    shown: Option<&str>,
) -> Result<(), Problem> {
    let watches = &Context::of(req).services.watches;
    let shown = match shown.map(str::parse) {
        None => None,
        Some(Ok(run_id)) => Some(RunId(run_id)),
        Some(Err(_)) => {
            return Err(Problem::invalid(
                "name the draft that you were shown by its generation_id",
            ));
        }
    };
    let answered = match action {
        "accept" => watches.accept(user_id, id, shown).await?,
        "dismiss" => watches.dismiss(user_id, id, shown).await?,
        "look" => match watches.look_soon(user_id, id).await? {
            true => Answered::Done,
            false => Answered::Missing,
        },
        _ => {
            return Err(Problem::invalid("action must be accept, dismiss or look"));
        }
    };
    match answered {
        Answered::Done => Ok(()),
        Answered::Missing => Err(Problem::not_found()),
        Answered::Nothing => Err(Problem::new(
            Kind::Conflict,
            "nothing waits that could be answered so, or another text than you were shown; read the watch again",
        )),
    }
}

/// Answers `POST /api/skills/{id}/watch`.
pub(in crate::http) async fn post(
    caller: Caller,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnApp> {
    let limits = &Context::of(&req).settings.limits;
    let Deed {
        action,
        generation_id,
    } = body::json(&req, payload, BODY_BYTES_MAX, limits).await?;
    let (user_id, shown) = (caller.user_id, generation_id.as_deref());
    done(&req, user_id, id_of(&req)?, &action, shown).await?;
    Ok(match standing(&caller, &req).await? {
        Some(watch) => HttpResponse::Ok().json(watch),
        // It was switched off, and only what waited was left of it.
        None => HttpResponse::NoContent().finish(),
    })
}
