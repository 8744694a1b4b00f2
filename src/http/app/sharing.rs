//! Owns how a skill goes to others: as a file (`GET …/download`), shown to everybody (`POST …/share`), and copied (`POST …/duplicate`).

use crate::domain::id::SkillId;
use crate::domain::skill::StoredSkill;
use crate::http::app::skills::id_of;
use crate::http::body;
use crate::http::caller::Caller;
use crate::http::context::Context;
use crate::http::download;
use crate::http::error::{OnApp, Problem};
use crate::http::query::Query;
use crate::services::library::archive::{self, SKILL_FILE};
use actix_web::{HttpRequest, HttpResponse, web};
use serde::{Deserialize, Serialize};

const BODY_BYTES_MAX: usize = 4 << 10;
/// What says in a watched skill's folder what changed from version to version.
const CHANGE_LOG: &str = "CHANGELOG.md";

/// Answers `GET /api/skills/{id}/download` (decision 38).
pub(in crate::http) async fn download(
    caller: Caller,
    req: HttpRequest,
) -> Result<HttpResponse, OnApp> {
    let zipped = match Query::of(&req).text("format")? {
        None | Some("md") => false,
        Some("zip") => true,
        Some(_) => return Err(Problem::invalid("format must be md or zip").into()),
    };
    let id = id_of(&req)?;
    let library = &Context::of(&req).services.library;
    let stored = library
        .skill(caller.user_id, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    Ok(handed_over(&req, stored, zipped).await?)
}

/// A skill as a file: its folder, with what changed since when it is watched, and what it is tried with when `evals=1`; or its SKILL.md
/// alone.
pub(in crate::http) async fn handed_over(
    req: &HttpRequest,
    stored: StoredSkill,
    zipped: bool,
) -> Result<HttpResponse, Problem> {
    let with_evals = match Query::of(req).text("evals")? {
        None | Some("0") => false,
        Some("1") if zipped => true,
        Some("1") => {
            return Err(Problem::invalid(
                "evals go into the zip: ask for format=zip",
            ));
        }
        Some(_) => return Err(Problem::invalid("evals must be 0 or 1")),
    };
    if !zipped {
        return Ok(download::markdown(req, SKILL_FILE, stored.skill.content));
    }
    let services = &Context::of(req).services;
    let log = services.watches.change_log(&stored).await?;
    let mut files: Vec<_> = log.map(|log| (CHANGE_LOG, log)).into_iter().collect();
    if with_evals {
        files.extend(
            services
                .library
                .trial(stored.user_id, &stored)
                .await?
                .files(),
        );
    }
    let skill = stored.skill;
    let filename = format!("{}.zip", archive::folder(&skill));
    let zip = web::block(move || archive::with_files(&skill, &files)).await;
    let zip = zip
        .ok()
        .and_then(Result::ok)
        .ok_or_else(Problem::internal)?;
    Ok(download::file(req, &filename, "application/zip", zip))
}

#[derive(Deserialize)]
struct Visibility {
    is_public: bool,
}

#[derive(Serialize)]
struct Shared {
    is_public: bool,
    share_url: String,
}

/// The address of a skill's public page, whether or not it is public now.
pub(in crate::http) fn share_url(context: &Context, id: SkillId) -> String {
    format!("{}/s/{}", context.settings.public_url, id.public())
}

/// Answers `POST /api/skills/{id}/share` (decision 39).
pub(in crate::http) async fn share(
    caller: Caller,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnApp> {
    let context = Context::of(&req);
    let Visibility { is_public } =
        body::json(&req, payload, BODY_BYTES_MAX, &context.settings.limits).await?;
    let id = id_of(&req)?;
    let library = &context.services.library;
    if !library.share(caller.user_id, id, is_public).await? {
        return Err(Problem::not_found().into());
    }
    Ok(HttpResponse::Ok().json(Shared {
        is_public,
        share_url: share_url(context, id),
    }))
}

#[derive(Serialize)]
struct Copied {
    id: String,
    name: String,
    is_public: bool,
}

/// Answers `POST /api/skills/{id}/duplicate` (decision 40).
pub(in crate::http) async fn duplicate(
    caller: Caller,
    req: HttpRequest,
) -> Result<HttpResponse, OnApp> {
    let id = id_of(&req)?;
    let library = &Context::of(&req).services.library;
    let copy = library
        .duplicate(caller.user_id, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    Ok(HttpResponse::Ok().json(Copied {
        id: copy.id.public(),
        name: copy.skill.name,
        is_public: copy.is_public,
    }))
}
