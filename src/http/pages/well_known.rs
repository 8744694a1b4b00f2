//! Owns what programs look for at addresses that they know by themselves: the description of the API.

use crate::http::context::Context;
use crate::http::openapi;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};

/// Answers `GET /openapi.json`; anybody may read it, from any page.
pub(in crate::http) async fn openapi(req: HttpRequest) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "application/json"))
        .insert_header((header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .body(openapi::served_at(&Context::of(&req).settings.public_url))
}
