//! Owns `POST /api/generate`, a skill from uploaded sources (decision 32), and `POST /api/skills/{id}/regenerate`, the same one again
//! (decision 41). Both are told as a stream of events.

use crate::domain::generation::{Hears, Order};
use crate::domain::id::{SourceId, UserId};
use crate::domain::source::{Source, StoredFile, StoredSource};
use crate::http::app::progress;
use crate::http::app::skills::id_of;
use crate::http::body;
use crate::http::caller::Maker;
use crate::http::context::Context;
use crate::http::error::{OnApp, Problem};
use crate::http::form::line;
use crate::http::idempotency;
use crate::http::v1::source::kind_of;
use crate::services::engine::Request;
use crate::services::library::changes::Origin;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use std::collections::HashSet;

const BODY_BYTES_MAX: usize = 64 << 10;
const NAME_CHARS_MAX: usize = 200;
const DESCRIPTION_CHARS_MAX: usize = 1_024;
const CATEGORY_CHARS_MAX: usize = 64;

#[derive(Deserialize)]
struct Wanted {
    source_ids: Vec<String>,
    name: Option<String>,
    description: Option<String>,
    category: Option<String>,
    kind: Option<String>,
}

/// Answers it.
pub(in crate::http) async fn post(
    maker: Maker,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnApp> {
    let context = Context::of(&req);
    let key = idempotency::key_of(&req)?;
    let limits = &context.settings.limits;
    let wanted: Wanted = body::json(&req, payload, BODY_BYTES_MAX, limits).await?;
    let wish = |name, text: Option<String>, chars_max| {
        text.map_or(Ok(None), |text| line(name, &text, chars_max))
    };
    let name = wish("name", wanted.name, NAME_CHARS_MAX)?;
    let description = wish("description", wanted.description, DESCRIPTION_CHARS_MAX)?;
    let category = wish("category", wanted.category, CATEGORY_CHARS_MAX)?;
    let kind = wanted.kind.as_deref().map_or(Ok(None), kind_of)?;
    let ids = ids_of(&wanted.source_ids, limits.files_max)?;
    let files = files_of(context, maker.user_id, &ids).await?;
    let order = Order {
        source: Source::File { files },
        name,
        description,
        category,
        kind,
        topics: vec![],
    };
    let request = Request {
        user_id: maker.user_id,
        key_id: maker.key_id,
        idempotency: idempotency::repeatable(
            key,
            "POST /api/generate",
            &(&wanted.source_ids, &order),
        )?,
        order,
        replaces: None,
        hears: Hears::EachStage,
    };
    Ok(progress::told(context, request).await?)
}

/// The ids of sources in a request: at least one, none twice. A malformed one is one that is not there.
pub(in crate::http) fn ids_of(given: &[String], most: usize) -> Result<Vec<SourceId>, Problem> {
    if given.is_empty() || given.len() > most {
        return Err(Problem::invalid(format!(
            "source_ids must hold 1 to {most} ids"
        )));
    }
    let mut seen = HashSet::new();
    if let Some(twice) = given.iter().find(|id| !seen.insert(id.as_str())) {
        return Err(Problem::invalid(format!(
            "source_ids holds {twice:?} twice"
        )));
    }
    given
        .iter()
        .map(|id| SourceId::from_public(id).ok_or_else(Problem::not_found))
        .collect()
}

/// The files of an account's sources, in their order.
pub(in crate::http) async fn files_of(
    context: &Context,
    user_id: UserId,
    ids: &[SourceId],
) -> Result<Vec<StoredFile>, Problem> {
    let sources = context.services.library.sources(user_id, ids).await?;
    let sources = sources.ok_or_else(Problem::not_found)?;
    let file = |source: StoredSource| StoredFile {
        filename: source.filename,
        digest: source.digest,
        size_bytes: source.size_bytes,
        source_id: Some(source.id),
    };
    Ok(sources.into_iter().map(file).collect())
}

/// Answers `POST /api/skills/{id}/regenerate` (decision 41).
pub(in crate::http) async fn again(
    maker: Maker,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnApp> {
    let context = Context::of(&req);
    let key = idempotency::key_of(&req)?;
    let sent = body::read(&req, payload, BODY_BYTES_MAX, &context.settings.limits).await?;
    let is_object = serde_json::from_slice::<serde_json::Map<_, serde_json::Value>>(&sent).is_ok();
    if !sent.is_empty() && !is_object {
        return Err(Problem::invalid("send no request body, or an empty JSON object").into());
    }
    let id = id_of(&req)?;
    let library = &context.services.library;
    let order = match library.origin(maker.user_id, id).await? {
        Origin::Order(order) => *order,
        Origin::NotOurs => {
            let message = "this skill is a copy of somebody else's, without its source; make one from a source of your own";
            return Err(Problem::invalid(message).into());
        }
        Origin::Missing => return Err(Problem::not_found().into()),
    };
    let request = Request {
        user_id: maker.user_id,
        key_id: maker.key_id,
        idempotency: idempotency::repeatable(key, "POST /api/skills/{id}/regenerate", &id)?,
        order,
        replaces: Some(id),
        hears: Hears::EachStage,
    };
    Ok(progress::told(context, request).await?)
}
