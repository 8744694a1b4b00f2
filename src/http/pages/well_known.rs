//! Owns what programs look for at addresses that they know by themselves: the description of the API, `/llms.txt` for language models, the
//! catalogue of the site's APIs (RFC 9727), and where a weakness is reported (RFC 9116).

use crate::domain::clock::Timestamp;
use crate::http::context::Context;
use crate::http::download;
use crate::http::error::{OnApp, Problem};
use crate::http::openapi;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};
use serde_json::json;
use std::time::Duration;

const LLMS: &str = include_str!("../../../assets/llms.txt");
/// The address of the service in it.
const ADDRESS: &str = "{public_url}";
const API_CATALOG: &str =
    "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\"";
/// How long what `security.txt` says may be believed.
const BELIEVED: Duration = Duration::from_secs(180 * 24 * 60 * 60);

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

/// Answers `GET /.well-known/security.txt`, where somebody can be told.
pub(in crate::http) async fn security(req: HttpRequest) -> Result<HttpResponse, OnApp> {
    let context = Context::of(&req);
    let contact = &context.settings.security_contact;
    if contact.is_empty() {
        return Err(Problem::not_found().into());
    }
    let text = written(contact, &context.settings.public_url, context.clock.now());
    Ok(HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .body(text))
}

fn written(contact: &str, public_url: &str, now: Timestamp) -> String {
    let expires = now.plus(BELIEVED).iso();
    format!(
        "Contact: {contact}\nExpires: {expires}\nPreferred-Languages: en\nCanonical: {public_url}/.well-known/security.txt\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_security_txt_says_runs_out() {
        let now = Timestamp::from_micros(1_795_166_100_000_000);
        assert_eq!(
            written(
                "mailto:security@example.org",
                "https://skills.example.org",
                now
            ),
            "Contact: mailto:security@example.org\nExpires: 2027-05-19T09:15:00.000Z\nPreferred-Languages: en\n\
             Canonical: https://skills.example.org/.well-known/security.txt\n"
        );
    }
}
