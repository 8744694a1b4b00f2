//! Owns how content is handed over: its tag, and 304 for who has it already; a file with its name in two spellings (decision 27).

use crate::domain::key::to_hex;
use crate::http::error::Problem;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// How long content is kept: by its reader alone, who asks each time whether it is still so.
pub(super) const ASK_AGAIN: &str = "private, no-cache";

/// A Markdown file as an attachment.
pub(super) fn markdown(req: &HttpRequest, filename: &str, content: String) -> HttpResponse {
    file(req, filename, "text/markdown; charset=utf-8", content)
}

/// Any file as an attachment.
pub(super) fn file(
    req: &HttpRequest,
    filename: &str,
    media_type: &'static str,
    content: impl Into<Bytes>,
) -> HttpResponse {
    let mut response = tagged(req, media_type, content);
    if response.status() == StatusCode::OK
        && let Ok(name) = HeaderValue::from_str(&attachment(filename))
    {
        response
            .headers_mut()
            .insert(header::CONTENT_DISPOSITION, name);
    }
    response
}

/// Any content that is asked for again by its tag.
pub(super) fn tagged(
    req: &HttpRequest,
    media_type: &'static str,
    content: impl Into<Bytes>,
) -> HttpResponse {
    let content = content.into();
    let digest = to_hex(&Sha256::digest(&content));
    let tag = format!("\"{}\"", digest.get(..32).unwrap_or(&digest));
    if has_already(req, &tag) {
        return not_modified(tag);
    }
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, media_type))
        .insert_header((header::ETAG, tag))
        .insert_header((header::CACHE_CONTROL, ASK_AGAIN))
        .body(content)
}

/// A value as JSON, which is asked for again by its tag.
pub(super) fn json(req: &HttpRequest, value: &impl Serialize) -> Result<HttpResponse, Problem> {
    let content = serde_json::to_vec(value).map_err(|_| Problem::internal())?;
    Ok(tagged(req, "application/json", content))
}

/// For who has it already.
pub(super) fn not_modified(tag: String) -> HttpResponse {
    HttpResponse::NotModified()
        .insert_header((header::ETAG, tag))
        .insert_header((header::CACHE_CONTROL, ASK_AGAIN))
        .finish()
}

/// Whether `If-None-Match` names the tag.
pub(super) fn has_already(req: &HttpRequest, tag: &str) -> bool {
    req.headers()
        .get_all(header::IF_NONE_MATCH)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|given| given == "*" || given.strip_prefix("W/").unwrap_or(given) == tag)
}

/// `filename=` for everybody, `filename*` for those who read UTF-8.
fn attachment(filename: &str) -> String {
    let plain: String = filename
        .chars()
        .map(|c| match c {
            '"' | '\\' | '/' | '%' => '_',
            c if c == ' ' || c.is_ascii_graphic() => c,
            _ => '_',
        })
        .collect();
    let mut encoded = String::with_capacity(filename.len());
    for byte in filename.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    #[test]
    fn a_file_name_is_given_in_ascii_and_in_utf_8() {
        assert_eq!(
            attachment("install.md"),
            "attachment; filename=\"install.md\"; filename*=UTF-8''install.md"
        );
        assert_eq!(
            attachment("a \"ü\"\r\n.md"),
            "attachment; filename=\"a _____.md\"; filename*=UTF-8''a%20%22%C3%BC%22%0D%0A.md"
        );
    }

    #[test]
    fn who_has_the_file_already_gets_304() {
        let get = |tag: Option<&str>| {
            let mut request = TestRequest::default();
            if let Some(tag) = tag {
                request = request.insert_header(("If-None-Match", tag));
            }
            markdown(&request.to_http_request(), "a.md", "# A".into())
        };
        let first = get(None);
        let tag = first
            .headers()
            .get("etag")
            .and_then(|tag| tag.to_str().ok())
            .expect("a tag")
            .to_owned();
        assert_eq!(first.status(), 200);
        for given in [&tag, &format!("W/{tag}"), &format!("\"x\", {tag}"), "*"] {
            assert_eq!(get(Some(given)).status(), 304, "{given}");
        }
        assert_eq!(get(Some("\"x\"")).status(), 200);
    }
}
