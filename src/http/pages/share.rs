//! Owns `/s/sk_…`: the page of a skill that its owner shows to everybody (decisions 39 and 58), its files, and its picture for previews.
//!
//! The page runs nothing, sends nothing and loads nothing from elsewhere. What is private, deleted or unknown is the same 404 to
//! the byte, and nothing of it is kept by any cache.

use crate::domain::id::SkillId;
use crate::domain::skill::StoredSkill;
use crate::http::app::sharing::share_url;
use crate::http::context::Context;
use crate::http::download;
use crate::http::error::Problem;
use crate::http::pages::assets::Assets;
use crate::http::pages::findings::{Finding, errors, notes};
use crate::http::pages::headers::{self, Choice};
use crate::http::pages::markdown::{self, Rendered};
use crate::http::pages::moment::Moment;
use crate::http::pages::preview;
use crate::http::pages::refusal::OnPage;
use crate::http::pages::session;
use crate::http::pages::skill::part_of;
use crate::http::query::Query;
use crate::services::library::archive::{self, SKILL_FILE};
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use tokio::sync::Semaphore;

/// No script, no frame, no form, nothing from elsewhere (decision 58).
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Pictures that are drawn and folders that are packed at once.
pub(super) static DRAWING: Semaphore = Semaphore::const_new(2);

/// Nobody learns from whose page a reader comes.
const HEADERS: Choice = Choice {
    policy: POLICY,
    referrer: "no-referrer",
};

#[derive(Template)]
#[template(path = "share.html")]
struct SharePage<'a> {
    assets: &'static Assets,
    id: String,
    url: String,
    public_url: &'a str,
    folder: String,
    /// What the commands fetch from.
    install_url: Option<String>,
    name: String,
    description: String,
    category: String,
    word_count: u32,
    errors: u32,
    warnings: u32,
    notes: usize,
    blocking: Vec<Finding>,
    who: Reader,
    changed: Moment,
    part: Option<String>,
    parts: Vec<(usize, String)>,
    rendered: Rendered,
}

/// Who reads the page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reader {
    /// Nobody who is known.
    Visitor,
    /// Somebody who is signed in.
    Member,
    /// Whose skill it is.
    Owner,
}

impl Reader {
    async fn of(req: &HttpRequest, stored: &StoredSkill) -> Result<Self, OnPage> {
        Ok(match session::signed_in(req).await? {
            Some(signed_in) if signed_in.restricted => Self::Visitor,
            Some(signed_in) if signed_in.user_id == stored.user_id => Self::Owner,
            Some(_) => Self::Member,
            None => Self::Visitor,
        })
    }
}

#[derive(Template)]
#[template(path = "share_missing.html")]
struct Missing {
    assets: &'static Assets,
}

fn answer(status: StatusCode, template: &impl Template) -> HttpResponse {
    let Ok(text) = template.render() else {
        return HttpResponse::InternalServerError().finish();
    };
    let mut response = HttpResponse::build(status).body(text);
    headers::put_on(&mut response, HEADERS);
    response
}

/// What is answered for a page that nobody may see.
pub(super) fn missing() -> HttpResponse {
    let assets = Assets::get();
    answer(StatusCode::NOT_FOUND, &Missing { assets })
}

/// The public skill that a path names.
pub(super) async fn shared(req: &HttpRequest) -> Result<Option<StoredSkill>, Problem> {
    let id = req.match_info().get("id").and_then(SkillId::from_public);
    match id {
        Some(id) => Ok(Context::of(req).services.library.public_skill(id).await?),
        None => Ok(None),
    }
}

/// Answers `GET /s/{id}`.
pub(in crate::http) async fn get(req: HttpRequest) -> Result<HttpResponse, OnPage> {
    let context = Context::of(&req);
    let Some(stored) = shared(&req).await? else {
        return Ok(missing());
    };
    let wanted = Query::of(&req).text("part").ok().flatten().map(str::parse);
    let references = stored.skill.references.clone();
    let (part, text) = match wanted {
        None => (None, stored.skill.content.clone()),
        Some(number) => {
            let number: Option<usize> = number.ok();
            let file = number
                .and_then(|number| number.checked_sub(1))
                .and_then(|at| references.get(at));
            let Some(file) = file else {
                return Ok(missing());
            };
            (Some(file.filename.clone()), file.content.clone())
        }
    };
    let page = format!("/s/{}", stored.id.public());
    let parts = (1..)
        .zip(&references)
        .map(|(number, file)| (number, file.filename.clone()))
        .collect();
    let render = move || markdown::render(&text, &|target| part_of(&references, target, &page));
    let who = Reader::of(&req, &stored).await?;
    let rendered = web::block(render).await.map_err(|_| Problem::internal())?;
    Ok(answer(
        StatusCode::OK,
        &SharePage {
            assets: Assets::get(),
            id: stored.id.public(),
            url: share_url(context, stored.id),
            install_url: Some(share_url(context, stored.id)),
            public_url: &context.settings.public_url,
            folder: archive::folder(&stored.skill),
            name: stored.skill.name,
            description: stored.skill.description,
            category: stored.skill.category,
            word_count: stored.skill.word_count,
            errors: stored.skill.report.errors,
            warnings: stored.skill.report.warnings,
            notes: notes(&stored.skill.report),
            blocking: errors(&stored.skill.report),
            who,
            changed: Moment::day(stored.updated_at),
            part,
            parts,
            rendered,
        },
    ))
}

/// A file of a public skill: never kept by a cache, because it may be taken back.
fn unkept(mut response: HttpResponse) -> HttpResponse {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    );
    response
}

/// Answers `GET /s/{id}/{file}`: `SKILL.md`, `skill.zip`, or `preview.png`.
pub(in crate::http) async fn file(req: HttpRequest) -> Result<HttpResponse, OnPage> {
    let Some(stored) = shared(&req).await? else {
        return Ok(missing());
    };
    let wanted = req.match_info().get("file").unwrap_or_default();
    let made = match wanted {
        "SKILL.md" => download::markdown(&req, SKILL_FILE, stored.skill.content),
        "skill.zip" => {
            let name = format!("{}.zip", archive::folder(&stored.skill));
            let _place = DRAWING.acquire().await;
            let zip = web::block(move || archive::zip(&stored.skill)).await;
            let zip = zip
                .ok()
                .and_then(Result::ok)
                .ok_or_else(Problem::internal)?;
            download::file(&req, &name, "application/zip", zip)
        }
        "preview.png" => {
            // Anybody may ask, and nobody pays: the others wait.
            let _place = DRAWING.acquire().await;
            let draw = move || preview::png(&stored.skill.name, &stored.skill.description);
            let picture = web::block(draw).await.map_err(|_| Problem::internal())?;
            HttpResponse::Ok()
                .insert_header((header::CONTENT_TYPE, "image/png"))
                .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
                .body(picture)
        }
        _ => return Ok(missing()),
    };
    Ok(unkept(made))
}
