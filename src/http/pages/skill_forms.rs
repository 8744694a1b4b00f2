//! Owns what the forms on a skill's page do: save, check, share, copy, make again, delete.

use crate::domain::clock::Timestamp;
use crate::domain::generation::Hears;
use crate::http::app::skills::sound;
use crate::http::context::Context;
use crate::http::error::{Kind, Problem};
use crate::http::pages::create;
use crate::http::pages::fields::{self, Fields};
use crate::http::pages::findings::{Finding, findings};
use crate::http::pages::frame::{self, Link};
use crate::http::pages::press::Press;
use crate::http::pages::refusal::OnPage;
use crate::http::pages::session::{MakingMember, Member};
use crate::http::pages::skill::{edit, id_of, page_of};
use crate::services::engine::Request;
use crate::services::library::changes::{Origin, Update};
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Serialize;

/// Reads a form that holds a whole SKILL.md: each byte may be spelt in three, and a browser ends lines with two characters.
async fn content_of(req: &HttpRequest, payload: web::Payload) -> Result<(Fields, String), Problem> {
    let most = Context::of(req).settings.limits.skill_bytes_max;
    let bytes_max = most.saturating_mul(4).saturating_add(fields::BYTES_MAX);
    let fields = Fields::read(req, payload, bytes_max).await?;
    let content = fields.text("content")?.replace("\r\n", "\n");
    sound("the text", &content, most)?;
    Ok((fields, content))
}

/// Answers `POST /library/{id}`: saves what was written.
pub(in crate::http) async fn save(
    member: Member,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let context = Context::of(&req);
    let id = id_of(&req)?;
    let (fields, content) = content_of(&req, payload).await?;
    // A form that does not say what it was written over is one written over something else: never over what is there unseen.
    let expected = fields.text("tag")?.parse().map(Timestamp::from_micros);
    let expected = Some(expected.into_iter().collect());
    let library = &context.services.library;
    let user_id = member.user_id();
    match library
        .update(user_id, id, expected, content.clone())
        .await?
    {
        Update::Saved { .. } => {
            let to = format!("/library/{}?view=edit&said=saved", id.public());
            Ok(frame::see_other(&to))
        }
        Update::Stale => {
            // What was written is not lost: it can be saved over what came in between, or copied elsewhere.
            let stored = library.skill(user_id, id).await?;
            let stored = stored.ok_or_else(Problem::not_found)?;
            let wrong = "The skill was changed since you opened it. Your text is below; save it again to put it in the place of the other one, which is kept as a version.";
            let view = edit(&stored, Some(content), Some(wrong.to_owned()));
            let page = page_of(&member, context, stored, view).await?;
            Ok(frame::page_as(StatusCode::PRECONDITION_FAILED, &page))
        }
        Update::Missing => Err(Problem::not_found().into()),
    }
}

/// Answers `POST /library/{id}/restore`: puts back what the skill said before.
pub(in crate::http) async fn restore(
    member: Member,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let id = id_of(&req)?;
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let instant = |name| Ok::<_, Problem>(fields.text(name)?.parse().map(Timestamp::from_micros));
    let made_at = instant("at")?.map_err(|_| Problem::not_found())?;
    let expected = instant("tag")?.into_iter().collect();
    let library = &Context::of(&req).services.library;
    let put_back = library.put_back(member.user_id(), id, made_at, expected);
    match put_back.await? {
        Update::Saved { .. } => {
            let to = format!("/library/{}?said=put-back", id.public());
            Ok(frame::see_other(&to))
        }
        Update::Stale => {
            let message = "the skill was changed since you opened it; look at it again before you put an earlier version in its place";
            let to = Link::new(format!("/library/{}", id.public()), "To the skill");
            Err(OnPage::from(Problem::new(Kind::PreconditionFailed, message)).leading_to(to))
        }
        Update::Missing => Err(Problem::not_found().into()),
    }
}

#[derive(Serialize)]
struct Checked {
    word_count: u32,
    errors: u32,
    warnings: u32,
    findings: Vec<Finding>,
}

/// Answers `POST /library/{id}/check`: what the checks say of what is being written. Asked by the script.
pub(in crate::http) async fn check(
    member: Member,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let id = id_of(&req)?;
    let (_, content) = content_of(&req, payload).await?;
    let library = &Context::of(&req).services.library;
    let stored = library.skill(member.user_id(), id).await?;
    let stored = stored.ok_or_else(Problem::not_found)?;
    let edited = library.check(stored, content).await?;
    Ok(HttpResponse::Ok().json(Checked {
        word_count: edited.word_count,
        errors: edited.report.errors,
        warnings: edited.report.warnings,
        findings: findings(&edited.report),
    }))
}

/// Answers `POST /library/{id}/share`.
pub(in crate::http) async fn share(
    member: Member,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let id = id_of(&req)?;
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let (is_public, said) = match fields.text("is_public")? {
        "true" => (true, "shared"),
        "false" => (false, "taken-back"),
        _ => return Err(Problem::invalid("is_public must be true or false").into()),
    };
    let library = &Context::of(&req).services.library;
    if !library.share(member.user_id(), id, is_public).await? {
        return Err(Problem::not_found().into());
    }
    Ok(frame::see_other(&format!(
        "/library/{}?said={said}",
        id.public()
    )))
}

/// Answers `POST /library/{id}/duplicate`.
pub(in crate::http) async fn duplicate(
    member: Member,
    req: HttpRequest,
) -> Result<HttpResponse, OnPage> {
    let id = id_of(&req)?;
    let library = &Context::of(&req).services.library;
    // Only one's own: a public one of somebody else's is copied from its public page.
    if library.skill(member.user_id(), id).await?.is_none() {
        return Err(Problem::not_found().into());
    }
    let copy = library.duplicate(member.user_id(), id).await?;
    let copy = copy.ok_or_else(Problem::not_found)?;
    Ok(frame::see_other(&format!(
        "/library/{}?said=copied",
        copy.id.public()
    )))
}

/// Answers `POST /library/{id}/delete`.
pub(in crate::http) async fn delete(
    member: Member,
    req: HttpRequest,
) -> Result<HttpResponse, OnPage> {
    let id = id_of(&req)?;
    let library = &Context::of(&req).services.library;
    if !library.delete(member.user_id(), id).await? {
        return Err(Problem::not_found().into());
    }
    Ok(frame::see_other("/library?said=deleted"))
}

/// Answers `POST /library/{id}/regenerate`: a stream for the script, the page of the run for everybody else.
pub(in crate::http) async fn regenerate(
    member: MakingMember,
    req: HttpRequest,
) -> Result<HttpResponse, OnPage> {
    let context = Context::of(&req);
    let as_stream = create::wants_a_stream(&req);
    let ordered = async {
        let id = id_of(&req)?;
        let press = Press::of(&req, "POST /library/{id}/regenerate", &id)?;
        let library = &context.services.library;
        let order = match library.origin(member.user_id(), id).await? {
            Origin::Order(order) => *order,
            Origin::NotOurs => {
                let message = "this skill is a copy of somebody else's, without its source";
                return Err(Problem::invalid(message));
            }
            Origin::Missing => return Err(Problem::not_found()),
        };
        let request = Request {
            user_id: member.user_id(),
            key_id: None,
            idempotency: None,
            order,
            replaces: Some(id),
            hears: Hears::EachStage,
        };
        create::ordered(context, press, request, as_stream).await
    };
    match ordered.await {
        Err(problem) if as_stream => Ok(create::as_json(&problem)),
        outcome => Ok(outcome?),
    }
}
