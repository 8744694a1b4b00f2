//! Owns what programs look for at addresses that they know by themselves: the description of the API, `/llms.txt` for language models,
//! and the catalogue of the site's APIs (RFC 9727).

use crate::http::context::Context;
use crate::http::download;
use crate::http::openapi;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};
use serde_json::json;

const LLMS: &str = include_str!("../../../assets/llms.txt");
/// The address of the service in it.
const ADDRESS: &str = "{public_url}";
const API_CATALOG: &str =
    "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\"";

/// Answers `GET /openapi.json`; anybody may read it, from any page.
pub(in crate::http) async fn openapi(req: HttpRequest) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "application/json"))
        .insert_header((header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .body(openapi::served_at(&Context::of(&req).settings.public_url))
}

/// Answers `GET /llms.txt`.
pub(in crate::http) async fn llms(req: HttpRequest) -> HttpResponse {
    let text = LLMS.replace(ADDRESS, &Context::of(&req).settings.public_url);
    download::tagged(&req, "text/plain; charset=utf-8", text)
}

/// Answers `GET /.well-known/api-catalog`.
pub(in crate::http) async fn api_catalog(req: HttpRequest) -> HttpResponse {
    let at = |path: &str| format!("{}{path}", Context::of(&req).settings.public_url);
    let catalogue = json!({ "linkset": [{
        "anchor": at("/api"),
        "service-desc": [{ "href": at("/openapi.json"), "type": "application/vnd.oai.openapi+json;version=3.1" }],
        "service-doc": [
            { "href": at("/docs"), "type": "text/html" },
            { "href": at("/docs/api.md"), "type": "text/markdown" },
        ],
        "status": [{ "href": at("/readyz"), "type": "application/json" }],
    }] });
    let mut response = download::tagged(&req, API_CATALOG, catalogue.to_string());
    let link = header::HeaderValue::from_static("</.well-known/api-catalog>; rel=\"api-catalog\"");
    response.headers_mut().insert(header::LINK, link);
    response
}
