//! Owns `POST /api/v1/generate`: one skill from one source, for one credit, answered when it is made.

use crate::domain::generation::{Hears, Made, Order};
use crate::http::authored::Authored;
use crate::http::caller::Maker;
use crate::http::context::Context;
use crate::http::error::{OnRest, Problem, REPLAYED};
use crate::http::form::Form;
use crate::http::idempotency;
use crate::http::run::Listener;
use crate::http::v1::source::{Sent, explicit_type, kind, pages};
use crate::http::v1::standing::{self, prefers_async};
use crate::services::engine::Request;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Serialize;
use skillkiln_skills::skill::Reference;

/// Most characters of a name (decision 19).
pub(in crate::http) const NAME_CHARS_MAX: usize = 200;

#[derive(Serialize)]
struct Generated<'a> {
    skill: Skill<'a>,
    metadata: Metadata,
}

#[derive(Serialize)]
struct Skill<'a> {
    id: String,
    filename: &'a str,
    content: &'a str,
    reference_files: &'a [Reference],
    word_count: u32,
}

#[derive(Serialize)]
struct Metadata {
    source_type: &'static str,
    credits_remaining: u32,
    #[serde(flatten)]
    authored: Authored,
}

/// Answers it.
pub(in crate::http) async fn post(
    maker: Maker,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnRest> {
    let context = Context::of(&req);
    let key = idempotency::key_of(&req)?;
    let limits = &context.settings.limits;
    let mut form = Form::read(
        &req,
        payload,
        limits,
        &["source", "name", "source_type", "max_pages", "kind"],
    )
    .await?;
    let explicit = explicit_type(&mut form)?;
    let name = form.line("name", NAME_CHARS_MAX)?;
    let pages = pages(&mut form, context)?;
    let kind = kind(&mut form)?;
    let source = Sent::take(&mut form, explicit, context)?
        .keep(context, pages)
        .await?;
    drop(form);

    let source_type = source.kind().as_str();
    let order = Order {
        source,
        name,
        description: None,
        category: None,
        kind,
        topics: vec![],
    };
    let request = Request {
        user_id: maker.user_id,
        key_id: maker.key_id,
        idempotency: idempotency::repeatable(key, "POST /api/v1/generate", &order)?,
        order,
        replaces: None,
        hears: Hears::TheEnd,
    };
    let mut run = Listener::order(context, request).await?;
    if prefers_async(&req) {
        return standing::accepted(context, maker.user_id, &run).await;
    }
    let ended = run.end().await;
    let finished = ended.map_err(|failure| Problem::from(failure).repeated(run.repeated))?;
    let Some(Made {
        skill_id, skill, ..
    }) = finished.skills.first()
    else {
        return Err(Problem::internal().into());
    };
    let mut response = HttpResponse::Ok();
    if run.repeated {
        response.insert_header(REPLAYED);
    }
    Ok(response.json(Generated {
        skill: Skill {
            id: skill_id.to_string(),
            filename: &skill.filename,
            content: &skill.content,
            reference_files: &skill.references,
            word_count: skill.word_count,
        },
        metadata: Metadata {
            source_type,
            credits_remaining: run.available.0 + finished.refunded.0,
            authored: Authored::of(&skill.report),
        },
    }))
}
