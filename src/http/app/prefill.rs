//! Owns `POST /api/prefill`: suggested metadata for uploaded sources, free (decision 31).

use crate::domain::source::Source;
use crate::http::app::generate::{files_of, ids_of};
use crate::http::body;
use crate::http::caller::Caller;
use crate::http::context::Context;
use crate::http::error::{OnApp, Problem};
use crate::services::looks::Looker;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::{Deserialize, Serialize};

const BODY_BYTES_MAX: usize = 64 << 10;

#[derive(Deserialize)]
struct Wanted {
    source_ids: Vec<String>,
}

#[derive(Serialize)]
struct Suggested {
    name: String,
    description: String,
    category: String,
}

/// Answers it.
pub(in crate::http) async fn post(
    caller: Caller,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnApp> {
    let context = Context::of(&req);
    let limits = &context.settings.limits;
    let wanted: Wanted = body::json(&req, payload, BODY_BYTES_MAX, limits).await?;
    let ids = ids_of(&wanted.source_ids, limits.files_max)?;
    let files = files_of(context, caller.user_id, &ids).await?;
    let suggestion = context
        .services
        .engine
        .prefill(Looker::Account(caller.user_id), Source::File { files })
        .await
        .map_err(Problem::from)?;
    Ok(HttpResponse::Ok().json(Suggested {
        name: suggestion.name,
        description: suggestion.description,
        category: suggestion.category,
    }))
}
