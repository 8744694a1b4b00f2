//! Owns `/api/skills/{id}/draft`: the text that waits beside a skill which was made again after its owner had changed it by hand
//! (decision 70), and the answer to it.

use crate::domain::id::{RunId, SkillId, UserId};
use crate::http::app::skills::id_of;
use crate::http::body;
use crate::http::caller::Caller;
use crate::http::context::Context;
use crate::http::error::{Kind, OnApp, Problem};
use crate::services::watches::Answered;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::{Deserialize, Serialize};
use skillkiln_skills::report::Report;

const BODY_BYTES_MAX: usize = 4 << 10;

/// The three texts but the one that the skill itself says.
#[derive(Serialize)]
struct Draft {
    generation_id: String,
    made_at: String,
    content: String,
    word_count: u32,
    validation: Report,
    /// What was made before the owner changed it, where that is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<String>,
}

/// Answers `GET /api/skills/{id}/draft`.
pub(in crate::http) async fn get(caller: Caller, req: HttpRequest) -> Result<HttpResponse, OnApp> {
    let (user_id, id) = (caller.user_id, id_of(&req)?);
    let library = &Context::of(&req).services.library;
    let draft = library.draft(user_id, id).await?;
    let draft = draft.ok_or_else(Problem::not_found)?;
    let versions = library.versions(user_id, id).await?;
    Ok(HttpResponse::Ok().json(Draft {
        generation_id: draft.run_id.to_string(),
        made_at: draft.made_at.iso(),
        content: draft.skill.content,
        word_count: draft.skill.word_count,
        validation: Report {
            bill: None,
            ..draft.skill.report
        },
        base: library.before_edits(user_id, id, &versions).await?,
    }))
}

#[derive(Deserialize)]
struct Deed {
    action: String,
    generation_id: String,
}

/// Answers the draft of a generation: it is accepted, or the skill stays as it is.
pub(in crate::http) async fn answered(
    req: &HttpRequest,
    user_id: UserId,
    id: SkillId,
    action: &str,
    generation_id: &str,
) -> Result<(), Problem> {
    let is_accepted = match action {
        "accept" => true,
        "dismiss" => false,
        _ => return Err(Problem::invalid("action must be accept or dismiss")),
    };
    let run_id = RunId::parse(generation_id)
        .ok_or_else(|| Problem::invalid("generation_id must be that of the draft"))?;
    let library = &Context::of(req).services.library;
    match library
        .answer_draft(user_id, id, run_id, is_accepted)
        .await?
    {
        Answered::Done => Ok(()),
        Answered::Missing => Err(Problem::not_found()),
        Answered::Nothing => Err(Problem::new(
            Kind::Conflict,
            "another text waits by now; read the draft again",
        )),
    }
}

/// Answers `POST /api/skills/{id}/draft`.
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
    answered(&req, caller.user_id, id_of(&req)?, &action, &generation_id).await?;
    Ok(HttpResponse::NoContent().finish())
}
