//! Owns `POST /api/upload`: files that a skill will be made of, all or none (decision 29).

use crate::domain::source::StoredSource;
use crate::http::caller::Caller;
use crate::http::context::Context;
use crate::http::error::{OnApp, Problem};
use crate::http::form::{Form, Value};
use crate::services::library::files::Upload;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Serialize;

#[derive(Serialize)]
struct Uploaded {
    sources: Vec<Source>,
}

#[derive(Serialize)]
struct Source {
    id: String,
    filename: String,
    r#type: String,
    size: u64,
    status: &'static str,
}

impl From<StoredSource> for Source {
    fn from(stored: StoredSource) -> Self {
        Self {
            id: stored.id.public(),
            filename: stored.filename,
            r#type: stored.extension,
            size: stored.size_bytes,
            status: stored.status.as_str(),
        }
    }
}

/// Answers it.
pub(in crate::http) async fn post(
    caller: Caller,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnApp> {
    let context = Context::of(&req);
    let mut form = Form::read(&req, payload, &context.settings.limits, &["files"]).await?;
    let uploads: Vec<Upload> = form
        .all("files")
        .into_iter()
        .map(|value| match value {
            Value::File(file) => Ok(file.into()),
            Value::Text(_) => Err(Problem::invalid("each of files must be a file with a name")),
        })
        .collect::<Result<_, _>>()?;
    if uploads.is_empty() {
        return Err(
            Problem::invalid("no files were sent; send one or more parts named files").into(),
        );
    }
    let stored = context
        .services
        .library
        .upload(caller.user_id, uploads)
        .await?;
    let sources = stored.into_iter().map(Source::from).collect();
    Ok(HttpResponse::Ok().json(Uploaded { sources }))
}
