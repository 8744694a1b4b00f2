//! The Model Context Protocol over streamable HTTP: `POST /mcp`, with the keys, limits and credits of the REST surface.
//!
//! `tools` describes tools for both ways to them, `server` does what they are asked for an account. Here each request is let in, counted on
//! its key's window (a call that generates on the window for that) and handed to the SDK. No session is kept, so that any node can
//! answer any request.

mod server;
pub mod tools;

use crate::domain::quota::Surface;
use crate::http::body;
use crate::http::caller::{self, counted};
use crate::http::context::{Context, Notes};
use crate::http::error::{OnApp, Problem};
use crate::http::mcp::server::{Server, TOOLS};
use crate::http::sse;
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use bytes::Bytes;
use futures_util::StreamExt as _;
use http_body_util::{BodyDataStream, BodyExt as _, Full};
use rmcp::model::{ClientJsonRpcMessage, ClientRequest};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use std::sync::Arc;

/// What a message takes beside the longest text that is allowed in it.
const AROUND_TEXT: usize = 64 << 10;
/// How much longer a text may be as JSON.
const ESCAPED: usize = 2;

/// Answers it.
pub(in crate::http) async fn post(
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnApp> {
    let context = Context::of(&req);
    let found = caller::shown(&req).await?;
    let limits = &context.settings.limits;
    let longest = limits.text_bytes_max.max(limits.skill_bytes_max);
    let bytes_max = longest * ESCAPED + AROUND_TEXT;
    let sent = body::read(&req, payload, bytes_max, limits).await?;
    // On which window a message counts is known once it is read.
    let generates = generates(&sent);
    match generates {
        true => counted::<true>(context, found.cell, Surface::Rest).await?,
        false => counted::<false>(context, found.cell, Surface::Rest).await?,
    }
    let server = Server {
        context: context.clone(),
        user_id: found.user_id,
        key_id: found.key_id,
        request_id: Notes::current_id(),
    };
    let mut config = StreamableHttpServerConfig::default()
        // Who may ask is decided by the key, which no browser sends by itself.
        .disable_allowed_hosts();
    config.legacy_session_mode = false;
    // A run is told as events, whose beats keep the connection open; all else is at hand.
    config.json_response = !generates;
    config.sse_keep_alive = Some(sse::PING_EVERY);
    config.max_request_body_bytes = bytes_max;
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    let answer = service.handle(translated(&req, sent)?).await;
    let (head, body) = answer.into_parts();
    let status = StatusCode::from_u16(head.status.as_u16()).map_err(|_| Problem::internal())?;
    let media_type = head.headers.get("content-type");
    if status == StatusCode::OK && media_type.is_some_and(|kind| kind == sse::EVENT_STREAM) {
        let pieces = BodyDataStream::new(body).map(Result::unwrap_or_default);
        return Ok(sse::response(
            &context.figures,
            sse::EVENT_STREAM,
            false,
            pieces,
        ));
    }
    let body = body.collect().await.map(|body| body.to_bytes());
    let body = body.unwrap_or_default();
    // The SDK says what is wrong with a request in plain words, we in our envelope.
    if media_type.is_none_or(|kind| kind != "application/json") && !body.is_empty() {
        let words = String::from_utf8_lossy(&body).into_owned();
        return Ok(HttpResponse::build(status)
            .content_type("application/json")
            .body(Problem::invalid(words).document(Surface::Application)));
    }
    let mut response = HttpResponse::build(status);
    if !body.is_empty() {
        response.content_type("application/json");
    }
    Ok(response.body(body))
}

/// Whether a message orders a run. It is read as the SDK reads it, so that both see the same call.
fn generates(sent: &Bytes) -> bool {
    let Ok(ClientJsonRpcMessage::Request(message)) = serde_json::from_slice(sent) else {
        return false;
    };
    match message.request {
        ClientRequest::CallToolRequest(call) => {
            let mut makers = TOOLS.iter().filter(|tool| tool.makes);
            makers.any(|tool| tool.name == call.params.name)
        }
        _ => false,
    }
}

/// The request in the words of the SDK.
fn translated(req: &HttpRequest, sent: Bytes) -> Result<http::Request<Full<Bytes>>, Problem> {
    let mut request = http::Request::post(req.path());
    for (name, value) in req.headers() {
        request = request.header(name.as_str(), value.as_bytes());
    }
    request
        .body(Full::new(sent))
        .map_err(|_| Problem::invalid("the request has a header that cannot be read"))
}
