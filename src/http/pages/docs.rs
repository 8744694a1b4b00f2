//! Owns `GET /docs`, the API for people: the guides of `docs/api.md`, and the reference that is made of the description for machines, with
//! forms to try it with a key. `GET /docs/api.md` has the guides as they are written.

use crate::http::context::Context;
use crate::http::download;
use crate::http::pages::frame::{self, Frame};
use crate::http::pages::markdown;
use crate::http::pages::reference::{self, Section};
use crate::http::pages::refusal::OnPage;
use crate::http::pages::session::frame_for_anybody;
use actix_web::{HttpRequest, HttpResponse};
use askama::Template;

const GUIDES: &str = include_str!("../../../docs/api.md");
/// The address of the service in the guides.
const ADDRESS: &str = "http://127.0.0.1:8080";

#[derive(Template)]
#[template(path = "docs.html")]
struct Docs {
    frame: Frame,
    guides: String,
    sections: &'static [Section],
}

/// The guides, for a service at an address.
fn guides_at(public_url: &str) -> String {
    GUIDES.replace(ADDRESS, public_url)
}

/// Answers `GET /docs`.
pub(in crate::http) async fn get(req: HttpRequest) -> Result<HttpResponse, OnPage> {
    let public_url = &Context::of(&req).settings.public_url;
    let guides = guides_at(public_url);
    // The page has a title of its own.
    let (_, guides) = guides.split_once('\n').unwrap_or_default();
    Ok(frame::page(&Docs {
        frame: frame_for_anybody(&req, "The API").await?,
        guides: markdown::render(guides, &|_| None).html,
        sections: reference::sections(),
    }))
}

/// Answers `GET /docs/api.md`.
pub(in crate::http) async fn guides(req: HttpRequest) -> HttpResponse {
    let guides = guides_at(&Context::of(&req).settings.public_url);
    download::tagged(&req, "text/markdown; charset=utf-8", guides)
}
