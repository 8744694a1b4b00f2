//! Owns how installers find skills: the index of Agent Skills Discovery 0.2.0 of one public skill and of the whole site, and the archives
//! (decision 67).
//!
//! What is private, deleted or unknown is the same 404 as its page; what is kept by a cache is asked for again by its tag each time.

use crate::domain::id::SkillId;
use crate::http::context::Context;
use crate::http::download;
use crate::http::error::Problem;
use crate::http::pages::refusal::OnPage;
use crate::http::pages::share::{DRAWING, missing, shared};
use crate::http::query::Query;
use crate::services::library::archive;
use crate::services::library::discovery::Entry;
use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Serialize;

/// The version of the index, as clients compare it.
const SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
/// Skills on a page of the site's index.
const PAGE: u32 = 50;

#[derive(Serialize)]
struct Index {
    #[serde(rename = "$schema")]
    schema: &'static str,
    skills: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    name: String,
    #[serde(rename = "type")]
    kind: &'static str,
    description: String,
    url: String,
    digest: String,
}

impl From<Entry> for Listed {
    fn from(entry: Entry) -> Self {
        let (id, folder) = (entry.id.public(), &entry.folder);
        Self {
            kind: "archive",
            url: format!("/s/{id}/.well-known/agent-skills/{folder}.zip"),
            digest: format!("sha256:{}", entry.digest),
            description: entry.description,
            name: entry.folder,
        }
    }
}

fn index(req: &HttpRequest, entries: Vec<Entry>) -> Result<HttpResponse, OnPage> {
    let index = Index {
        schema: SCHEMA,
        skills: entries.into_iter().map(Listed::from).collect(),
    };
    let json = serde_json::to_vec(&index).map_err(|_| Problem::internal())?;
    Ok(open(download::tagged(req, "application/json", json)))
}

/// Pages elsewhere may read it too.
fn open(mut response: HttpResponse) -> HttpResponse {
    let headers = response.headers_mut();
    headers.insert(
        header::ACCESS_CONTROL_ALLOW_ORIGIN,
        HeaderValue::from_static("*"),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// Answers `GET /s/{id}/.well-known/agent-skills/index.json`.
pub(in crate::http) async fn of_one(req: HttpRequest) -> Result<HttpResponse, OnPage> {
    let Some(stored) = shared(&req).await? else {
        return Ok(missing());
    };
    let library = Context::of(&req).services.library.clone();
    let _place = DRAWING.acquire().await;
    let entry = web::block(move || library.entry(&stored)).await;
    index(&req, vec![entry.map_err(|_| Problem::internal())?])
}

/// Answers `GET /s/{id}/.well-known/agent-skills/{file}`: the archive, with SKILL.md at its root.
pub(in crate::http) async fn archive(req: HttpRequest) -> Result<HttpResponse, OnPage> {
    let Some(stored) = shared(&req).await? else {
        return Ok(missing());
    };
    let name = format!("{}.zip", archive::folder(&stored.skill));
    if req.match_info().get("file") != Some(&name) {
        return Ok(missing());
    }
    let _place = DRAWING.acquire().await;
    let zip = web::block(move || archive::flat_zip(&stored.skill)).await;
    let zip = zip
        .ok()
        .and_then(Result::ok)
        .ok_or_else(Problem::internal)?;
    Ok(open(download::file(&req, &name, "application/zip", zip)))
}

/// Answers `GET /.well-known/agent-skills/index.json`: all public skills of the site, newest first, a page at a time.
pub(in crate::http) async fn of_all(req: HttpRequest) -> Result<HttpResponse, OnPage> {
    let query = Query::of(&req);
    let after = match query.text("after")? {
        Some(id) => Some(
            SkillId::from_public(id)
                .ok_or_else(|| Problem::invalid("after must be the id of a skill"))?,
        ),
        None => None,
    };
    let _place = DRAWING.acquire().await;
    let library = &Context::of(&req).services.library;
    let mut entries = library.entries(after, PAGE + 1).await?;
    let has_more = entries.len() > PAGE as usize;
    entries.truncate(PAGE as usize);
    let last = entries.last().map(|entry| entry.id.public());
    let mut response = index(&req, entries)?;
    if let Some(last) = last.filter(|_| has_more)
        && let Ok(link) = HeaderValue::from_str(&format!(
            "</.well-known/agent-skills/index.json?after={last}>; rel=\"next\""
        ))
    {
        response.headers_mut().insert(header::LINK, link);
    }
    Ok(response)
}
