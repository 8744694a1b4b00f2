//! Owns `/assets/{name}` and `/favicon.ico`: what pages load, or a page that says that it is not there.

use crate::http::error::Problem;
use crate::http::pages::assets;
use crate::http::pages::refusal::OnPage;
use actix_web::{HttpRequest, HttpResponse};

/// Answers `GET /assets/{name}`.
pub(in crate::http) async fn get(req: HttpRequest) -> Result<HttpResponse, OnPage> {
    Ok(assets::answer(req.path()).ok_or_else(Problem::not_found)?)
}

/// Answers `GET /favicon.ico`.
pub(in crate::http) async fn favicon() -> HttpResponse {
    assets::icon()
}
