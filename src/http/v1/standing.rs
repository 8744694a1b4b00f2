//! Owns how a run is followed without an open connection: `Prefer: respond-async` answers 202, and `GET /api/v1/generations/{id}` says
//! how it stands (decision 66).

use crate::domain::generation::{Made, Stage, Status};
use crate::domain::id::{GenerationId, UserId};
use crate::domain::quota::Surface;
use crate::http::authored::Authored;
use crate::http::caller::Caller;
use crate::http::context::Context;
use crate::http::error::{OnRest, Problem, REPLAYED};
use crate::http::run::Listener;
use crate::services::library;
use actix_web::http::header::{self, HeaderName};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use serde::Serialize;
use uuid::Uuid;

const PREFER: HeaderName = HeaderName::from_static("prefer");
const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");
const ASYNC: &str = "respond-async";
/// When it is worth asking again, in seconds.
const ASK_AGAIN_S: u32 = 2;

/// How a run stands.
#[derive(Serialize)]
struct Standing<'a> {
    id: Uuid,
    #[serde(skip_serializing_if = "Option::is_none")]
    catalogue_id: Option<Uuid>,
    status: &'static str,
    /// Where it is, while it runs on the node that answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    stage: Option<&'static str>,
    source_type: &'static str,
    source: &'a str,
    /// Who wrote what was made, once it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<&'static str>,
    /// Credits that it costs: what was charged, without what was given back.
    cost: u32,
    credits_charged: u32,
    credits_refunded: u32,
    /// Where what was made is downloaded: the skill, or the index of a catalogue.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    /// What was made and is still there.
    skills: Vec<Skill<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Told<'a>>,
    created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    completed_at: Option<String>,
}

#[derive(Serialize)]
struct Skill<'a> {
    id: Uuid,
    name: &'a str,
    filename: &'a str,
    word_count: u32,
    #[serde(flatten)]
    authored: Authored,
    errors: u32,
    warnings: u32,
    result: String,
}

#[derive(Serialize)]
struct Told<'a> {
    code: &'static str,
    message: &'a str,
}

/// Whether the client does not want to wait for the end (RFC 7240).
pub(super) fn prefers_async(req: &HttpRequest) -> bool {
    req.headers()
        .get_all(PREFER)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|preference| {
            let name = preference.split(';').next().unwrap_or_default();
            name.trim().eq_ignore_ascii_case(ASYNC)
        })
}

/// Answers a client that does not wait: the run is charged and goes on, whoever asks for it.
pub(super) async fn accepted(
    context: &Context,
    user_id: UserId,
    run: &Listener,
) -> Result<HttpResponse, OnRest> {
    let standing = context.services.library.run(user_id, run.run_id).await?;
    let standing = standing.ok_or_else(Problem::internal)?;
    let mut response = HttpResponse::Accepted();
    response
        .insert_header((header::LOCATION, address(run.run_id.0)))
        .insert_header((PREFERENCE_APPLIED, ASYNC));
    if run.repeated {
        response.insert_header(REPLAYED);
    }
    Ok(told(context, response, &standing))
}

/// Answers `GET /api/v1/generations/{id}`: any generation of a run leads to it, and a catalogue's own id.
pub(in crate::http) async fn get(caller: Caller, req: HttpRequest) -> Result<HttpResponse, OnRest> {
    let id = req.match_info().get("id").and_then(GenerationId::parse);
    let id = id.ok_or_else(Problem::not_found)?;
    let context = Context::of(&req);
    let standing = context.services.library.run_of(caller.user_id, id).await?;
    let standing = standing.ok_or_else(Problem::not_found)?;
    Ok(told(context, HttpResponse::Ok(), &standing))
}

fn told(
    context: &Context,
    mut response: HttpResponseBuilder,
    standing: &library::Standing,
) -> HttpResponse {
    let has_ended = matches!(standing.status, Status::Completed | Status::Failed);
    if !has_ended {
        response.insert_header((header::RETRY_AFTER, ASK_AGAIN_S));
    }
    let stage = context.services.engine.stage_of(standing.id);
    response
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(written(standing, stage.filter(|_| !has_ended)))
}

/// The address of a run.
fn address(id: Uuid) -> String {
    format!("/api/v1/generations/{}", id.hyphenated())
}

/// The address of what was made.
fn result(id: Uuid) -> String {
    format!("{}/skill", address(id))
}

fn written(standing: &library::Standing, stage: Option<Stage>) -> Standing<'_> {
    let id = standing.id.0;
    let problem = standing.failure.as_ref().map(|failure| Told {
        code: Problem::from(failure.clone()).told_on(Surface::Rest).0,
        message: &failure.message,
    });
    let author = |made: &Made| made.skill.report.author();
    let is_there = match standing.is_catalogue {
        true => standing.index.is_some(),
        false => !standing.skills.is_empty(),
    };
    Standing {
        id,
        catalogue_id: standing.is_catalogue.then_some(id),
        status: standing.status.as_str(),
        stage: stage.map(Stage::as_str),
        source_type: standing.source_type.as_str(),
        source: &standing.label,
        author: standing.skills.first().map(author),
        cost: standing.charged.0.saturating_sub(standing.refunded.0),
        credits_charged: standing.charged.0,
        credits_refunded: standing.refunded.0,
        result: is_there.then(|| result(id)),
        skills: standing
            .skills
            .iter()
            .map(|made| Skill {
                id: made.skill_id.0,
                name: &made.skill.name,
                filename: &made.skill.filename,
                word_count: made.skill.word_count,
                authored: Authored::of(&made.skill.report),
                errors: made.skill.report.errors,
                warnings: made.skill.report.warnings,
                // The first generation of a skill has the skill's own id (decision 15); any other is a run of its own.
                result: result(if standing.is_catalogue {
                    made.skill_id.0
                } else {
                    id
                }),
            })
            .collect(),
        error: problem,
        created_at: standing.ordered_at.iso(),
        completed_at: standing.ended_at.map(|at| at.iso()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    #[test]
    fn who_prefers_not_to_wait_says_so_among_other_preferences() {
        let prefers = |values: &[&str]| {
            let request = values
                .iter()
                .fold(TestRequest::default(), |request, value| {
                    request.append_header(("Prefer", *value))
                });
            prefers_async(&request.to_http_request())
        };
        for asked in [
            &["respond-async"][..],
            &["respond-async, wait=10"],
            &["return=minimal", "Respond-Async; x=y"],
        ] {
            assert!(prefers(asked), "{asked:?}");
        }
        for other in [&[][..], &["wait=10"], &["respond-asynchronously"]] {
            assert!(!prefers(other), "{other:?}");
        }
    }
}
