//! Owns the compression of answers (gzip): of text that is long enough, for who accepts it. Streams are never held back for it, and what
//! is packed already is left as it is.

use actix_web::Error;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{self, AcceptEncoding, Encoding, Header, HeaderMap, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};

/// A shorter text is hardly made shorter by it.
const BYTES_MIN: u64 = 1_024;
/// A longer one is compressed where nobody else waits for it.
const HERE_BYTES_MAX: usize = 32 << 10;
/// More is hardly shorter, and takes several times as long.
const LEVEL: Compression = Compression::new(4);

/// The middleware. It stands inside the envelope, which writes headers that know nothing of it.
pub(super) async fn wrap(
    req: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, Error> {
    let accepts = accepts_gzip(&req);
    let mut response = next.call(req).await?;
    let length = match response.response().body().size() {
        BodySize::Sized(length) if length >= BYTES_MIN => length,
        _ => return Ok(response),
    };
    if response.status() != StatusCode::OK || !is_text(response.headers()) {
        return Ok(response);
    }
    let vary = HeaderValue::from_static("Accept-Encoding");
    response.headers_mut().append(header::VARY, vary);
    if !accepts {
        return Ok(response);
    }
    tracing::trace!(length, "an answer is compressed");
    let (req, response) = response.into_parts();
    let (mut response, body) = response.into_parts();
    let packed = match body.try_into_bytes() {
        Ok(bytes) if bytes.len() <= HERE_BYTES_MAX => pack(&bytes).ok().ok_or(bytes),
        Ok(bytes) => {
            let work = bytes.clone();
            let packed = web::block(move || pack(&work)).await;
            packed.ok().and_then(Result::ok).ok_or(bytes)
        }
        // It comes piece by piece, although its length is known.
        Err(body) => return Ok(ServiceResponse::new(req, response.set_body(body))),
    };
    let body = packed.unwrap_or_else(|bytes| bytes);
    let is_packed = body.starts_with(&[0x1f, 0x8b]);
    if is_packed {
        let gzip = HeaderValue::from_static("gzip");
        response
            .headers_mut()
            .insert(header::CONTENT_ENCODING, gzip);
    }
    Ok(ServiceResponse::new(
        req,
        response.set_body(body).map_into_boxed_body(),
    ))
}

fn pack(bytes: &[u8]) -> io::Result<Bytes> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 2), LEVEL);
    encoder.write_all(bytes)?;
    encoder.finish().map(Bytes::from)
}

fn accepts_gzip(req: &ServiceRequest) -> bool {
    let given = req.headers().contains_key(header::ACCEPT_ENCODING);
    given
        && AcceptEncoding::parse(req).is_ok_and(|accepted| {
            let ours = [Encoding::gzip(), Encoding::identity()];
            accepted.negotiate(ours.iter()) == Some(Encoding::gzip())
        })
}

/// Whether an answer is text that was not packed by its handler.
fn is_text(headers: &HeaderMap) -> bool {
    let media_type = headers.get(header::CONTENT_TYPE);
    let media_type = media_type.and_then(|value| value.to_str().ok());
    let media_type = media_type.unwrap_or_default().split(';').next();
    let media_type = media_type.unwrap_or_default().trim();
    let is_text = media_type.starts_with("text/") && media_type != "text/event-stream"
        || media_type.ends_with("json")
        || media_type == "image/svg+xml";
    is_text && !headers.contains_key(header::CONTENT_ENCODING)
}
