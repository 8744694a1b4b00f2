//! Owns what the forms on a skill's page do: save, check, share, copy, make again, delete.

use crate::domain::clock::Timestamp;
use crate::domain::generation::Hears;
use crate::domain::id::SkillId;
use crate::domain::skill::Removed;
use crate::http::app::skills::sound;
use crate::http::context::Context;
use crate::http::error::{Kind, Problem};
use crate::http::pages::create;
use crate::http::pages::entrance::again;
use crate::http::pages::fields::{self, Fields};
use crate::http::pages::findings::{Finding, findings};
use crate::http::pages::frame::{self, Link};
use crate::http::pages::press::Press;
use crate::http::pages::refusal::{OnPage, sentence, wants_a_stream};
use crate::http::pages::session::{MakingMember, Member};
use crate::http::pages::skill::{Unsaved, View, id_of, page_of};
use crate::services::engine::Request;
use crate::services::library::changes::{Origin, Update};
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Serialize;

/// Reads a form that holds a whole SKILL.md: each byte may be spelt in three, and a browser ends lines with two characters.
async fn content_of(req: &HttpRequest, payload: web::Payload) -> Result<(Fields, String), Problem> {
    let most = Context::of(req).settings.limits.skill_bytes_max;
    let bytes_max = most.saturating_mul(4).saturating_add(fields::BYTES_MAX);
    let fields = Fields::read(req, payload, bytes_max).await?;
    let content = fields.text("content")?.replace("\r\n", "\n");
    Ok((fields, content))
}

/// Whether a text can be that of a skill.
fn can_be(req: &HttpRequest, content: &str) -> Result<(), Problem> {
    let most = Context::of(req).settings.limits.skill_bytes_max;
    sound("the text", content, most)
}

/// Answers `POST /library/{id}`: saves what was written.
pub(in crate::http) async fn save(
    member: Member,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let id = id_of(&req)?;
    let (fields, content) = content_of(&req, payload).await?;
    // A form that does not say what it was written over is one written over something else: never over what is there unseen.
    let tag = fields.text("tag")?.parse().ok();
    let saved = async {
        can_be(&req, &content)?;
        let expected = tag.map(Timestamp::from_micros).into_iter().collect();
        let library = &Context::of(&req).services.library;
        let update = library.update(member.user_id(), id, Some(expected), content.clone());
        Ok::<_, Problem>(update.await?)
    };
    match saved.await {
        Ok(Update::Saved { .. }) => {
            let to = format!("/library/{}?view=edit&said=saved", id.public());
            Ok(frame::see_other(&to))
        }
        Ok(Update::Missing) => Err(Problem::not_found().into()),
        Ok(Update::Stale) => {
            let message = "the skill was changed since you opened it. Your text is below; save it again to put it in the place of the other one, which is kept as a version.";
            let problem = Problem::new(Kind::PreconditionFailed, message);
            unsaved(&member, &req, id, None, content, &problem).await
        }
        Err(problem) => {
            let shown = unsaved(&member, &req, id, tag, content, &problem).await;
            // What keeps it from being saved may keep its page from being written, too.
            shown.map_err(|_| problem.into())
        }
    }
}

/// The editor with what was written and why it is not saved, so that it can be saved again, or copied elsewhere. It is written over what
/// was there at `tag`; over what is there now, which its reader is shown the way to, without one.
async fn unsaved(
    member: &Member,
    req: &HttpRequest,
    id: SkillId,
    tag: Option<i64>,
    content: String,
    why: &Problem,
) -> Result<HttpResponse, OnPage> {
    let context = Context::of(req);
    let library = &context.services.library;
    let stored = library.skill(member.user_id(), id).await?;
    let stored = stored.ok_or_else(Problem::not_found)?;
    // What cannot be saved for what it is cannot be checked either, and what can be may be too much for this moment.
    let checked = match can_be(req, &content) {
        Ok(()) => library.check(stored.clone(), content.clone()).await.ok(),
        Err(_) => None,
    };
    let view = View::Edit {
        tag: tag.unwrap_or(stored.updated_at.micros()),
        findings: checked.map(|edited| findings(&edited.report)),
        content,
        wrong: Some(Unsaved {
            why: sentence(why.message()),
            is_overtaken: tag.is_none(),
        }),
    };
    Ok(again(why, &page_of(member, context, stored, view).await?))
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
    can_be(&req, &content)?;
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
    match library.delete(member.user_id(), id, None).await? {
        Removed::Gone => Ok(frame::see_other("/library?said=deleted")),
        Removed::Stale | Removed::Missing => Err(Problem::not_found().into()),
    }
}

/// Answers `POST /library/{id}/regenerate`: a stream for the script, the page of the run for everybody else.
pub(in crate::http) async fn regenerate(
    member: MakingMember,
    req: HttpRequest,
) -> Result<HttpResponse, OnPage> {
    let context = Context::of(&req);
    let as_stream = wants_a_stream(req.head());
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
