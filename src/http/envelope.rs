//! Owns what every answer carries, whoever wrote it: the request id, the limit headers, CORS, and its place in the figures.
//!
//! One middleware around everything. A panic below it becomes an ordinary 500, never a dropped connection.

use crate::domain::quota::Surface;
use crate::http::caller;
use crate::http::context::{Context, Notes};
use crate::http::error::{Problem, surface_of};
use crate::http::plain_path;
use crate::http::request_id::{self, RequestId};
use crate::http::throttle;
use crate::http::unread::Held;
use crate::telemetry::measure::Moment;
use crate::telemetry::traces::PARENT;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ResponseHead, ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap, HeaderValue};
use actix_web::http::{ConnectionType, Method, StatusCode, Version};
use actix_web::middleware::Next;
use actix_web::{Error, HttpResponse, ResponseError, web};
use futures_util::FutureExt;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::rc::Rc;
use tracing::field::Empty;
use tracing::{Instrument as _, Span};

/// Marks the requests of a resource with its place among the figures.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place(pub(super) usize);

/// Marks what is reached by the address that users see, and not by the operators' own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Public;

/// For how long a browser uses TLS alone once it was here: a year. Other names below this one are left to their owner.
const TLS_ONLY: HeaderValue = HeaderValue::from_static("max-age=31536000");

const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");
/// What an answer that is no page may do when a browser shows it all the same: nothing.
const INERT: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// The middleware.
pub(super) async fn wrap(
    mut req: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, Error> {
    let started = Moment::now();
    // The worker's own handle: counting on the shared one would make the workers wait for each other.
    let context = Rc::clone(
        req.app_data::<Rc<web::Data<Context>>>()
            .expect("every application is built with its context"),
    );
    plain_path::settle(&mut req);
    let method = req.method().clone();
    let surface = surface_of(req.path());
    let under_api = is_under_api(req.path());
    let is_old = req.version() < Version::HTTP_11;
    let tls_only = context.settings.is_tls && req.app_data::<Public>().is_some();
    let client = throttle::client_of(req.request(), &context.settings.trusted_proxies);
    let notes = Rc::new(Notes {
        request_id: RequestId::of(req.headers()),
        verdict: Cell::new(None),
        admission: RefCell::new(None),
        route: Cell::new(context.figures.elsewhere()),
        excused: Cell::new(false),
    });
    let held = Held::of(&mut req);

    let span = span_of(&req, &notes);
    let answering = notes.clone().while_current(next.call(req));
    let answering = answering.instrument(span.clone());
    let outcome = AssertUnwindSafe(answering).catch_unwind().await;

    let writer = Writer {
        span: &span,
        context: &context,
        notes: &notes,
        client,
        under_api,
        tls_only,
    };
    match outcome {
        Ok(Ok(mut response)) => {
            if let Some(Place(route)) = response.request().app_data::<Place>() {
                notes.route.set(*route);
            }
            if under_api && notes.verdict.get().is_none() {
                let now = context.clock.steady();
                let verdict = caller::look(response.request(), &context, now);
                notes.verdict.set(verdict);
            }
            writer.write(response.status(), response.headers_mut());
            writer.count(&method, response.status().as_u16(), started);
            if is_old && response.response().body().size() == BodySize::Stream {
                end_with_the_connection(response.response_mut().head_mut());
            }
            Ok(match held {
                Some(held) => response.map_body(|_, body| held.until_sent(body)),
                None => response,
            })
        }
        Ok(Err(error)) => {
            let mut response = error.error_response();
            writer.write(response.status(), response.headers_mut());
            writer.count(&method, response.status().as_u16(), started);
            Err(Answered::new(response, held).into())
        }
        Err(panic) => {
            tracing::error!(
                request.id = notes.request_id.text(),
                panic = said(&*panic),
                "a handler panicked"
            );
            let mut response = Problem::internal().response(surface);
            writer.write(response.status(), response.headers_mut());
            writer.count(&method, response.status().as_u16(), started);
            Err(Answered::new(response, held).into())
        }
    }
}

/// A body of unknown length for a client of HTTP/1.0, which cannot tell the sizes of pieces from what is in them (RFC 9112, 6.1): it is
/// sent plain, and its end is that of the connection.
fn end_with_the_connection(head: &mut ResponseHead) {
    head.no_chunking(true);
    head.set_connection_type(ConnectionType::Close);
}

/// The root of what is traced of a request, unless the caller brings one. At the level of details: the spans of runs name the
/// request too, and a span for each of a hundred thousand requests a second would be felt.
fn span_of(req: &ServiceRequest, notes: &Notes) -> Span {
    let method = req.method();
    let span = if method.is_safe() {
        tracing::trace_span!(
            "request",
            request.id = notes.request_id.text(),
            http.request.method = method.as_str(),
            http.route = Empty,
            http.response.status_code = Empty,
            trace.parent = Empty
        )
    } else {
        tracing::debug_span!(
            "request",
            request.id = notes.request_id.text(),
            http.request.method = method.as_str(),
            http.route = Empty,
            http.response.status_code = Empty,
            trace.parent = Empty
        )
    };
    if !span.is_disabled()
        && let Some(parent) = req.headers().get("traceparent")
        && let Ok(parent) = parent.to_str()
    {
        span.record(PARENT, parent);
    }
    span
}

struct Writer<'a> {
    span: &'a Span,
    context: &'a Context,
    notes: &'a Notes,
    client: IpAddr,
    under_api: bool,
    tls_only: bool,
}

impl Writer<'_> {
    fn write(&self, status: StatusCode, headers: &mut HeaderMap) {
        // Nobody else writes these, so nothing is looked for that they would replace.
        headers.append(request_id::NAME, self.notes.request_id.header());
        let limits = &self.context.services.limits;
        // Who is told to come again because there is no room is not counted as having come.
        if status == StatusCode::TOO_MANY_REQUESTS
            && let Some(admission) = self.notes.admission.take()
        {
            let said = self.notes.verdict.get();
            let verdict = limits.take_back(admission, said);
            self.notes.verdict.set(Some(verdict));
        }
        let verdict = self
            .notes
            .verdict
            .get()
            .unwrap_or_else(|| limits.failures(self.client));
        throttle::write_headers(verdict, limits.set_forward_s(), headers);
        // What no handler said of its answer: it is what its type says, does nothing, and nobody keeps it.
        if !headers.contains_key(header::X_CONTENT_TYPE_OPTIONS) {
            headers.append(header::X_CONTENT_TYPE_OPTIONS, NOSNIFF);
        }
        if !headers.contains_key(header::CONTENT_SECURITY_POLICY) {
            headers.append(header::CONTENT_SECURITY_POLICY, INERT);
        }
        if !headers.contains_key(header::CACHE_CONTROL) {
            headers.append(header::CACHE_CONTROL, NO_STORE);
        }
        if self.tls_only {
            headers.append(header::STRICT_TRANSPORT_SECURITY, TLS_ONLY);
        }
        if self.under_api {
            headers.append(
                header::ACCESS_CONTROL_ALLOW_ORIGIN,
                HeaderValue::from_static("*"),
            );
            headers.append(
                header::ACCESS_CONTROL_EXPOSE_HEADERS,
                HeaderValue::from_static(EXPOSED),
            );
        }
    }

    fn count(&self, method: &Method, status: u16, started: Moment) {
        let route = self.notes.route.get();
        if !self.span.is_disabled() {
            self.span
                .record("http.route", self.context.figures.name_of(route));
            self.span.record("http.response.status_code", status);
        }
        self.context
            .figures
            .answered(route, method.as_str(), status, Moment::now().since(started));
        let is_fault = status >= 500 && !self.notes.excused.get();
        if is_fault {
            self.context.figures.at_fault(route);
        }
        if is_fault && status == 500 {
            tracing::error!(
                request.id = self.notes.request_id.text(),
                http.route = self.context.figures.name_of(route),
                http.method = method.as_str(),
                http.status = status,
                "a request failed"
            );
        } else {
            tracing::debug!(
                request.id = self.notes.request_id.text(),
                http.route = self.context.figures.name_of(route),
                http.method = method.as_str(),
                http.status = status,
                "a request was answered"
            );
        }
    }
}

/// What a browser's script may read of an answer beside the body (decision 49).
const EXPOSED: &str = "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy, Retry-After, \
                       X-Should-Retry, X-Request-Id, Content-Disposition, ETag, Link, Idempotent-Replayed, Location, Preference-Applied";

/// What is asked with a key.
fn is_under_api(path: &str) -> bool {
    let is_api = path.strip_prefix("/api");
    path == "/mcp" || is_api.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn said(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("something that is not text")
}

/// An answer that takes the way of an error, because the request it belongs to is gone.
struct Answered(RefCell<Option<HttpResponse>>);

impl Answered {
    fn new(response: HttpResponse, held: Option<Held>) -> Self {
        let response = match held {
            Some(held) => response.map_body(|_, body| held.until_sent(body)),
            None => response,
        };
        Self(RefCell::new(Some(response)))
    }
}

impl fmt::Debug for Answered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Answered")
    }
}

impl fmt::Display for Answered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an answer that was written already")
    }
}

impl ResponseError for Answered {
    fn error_response(&self) -> HttpResponse {
        self.0
            .take()
            .unwrap_or_else(|| Problem::internal().response(Surface::Application))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;
    use crate::domain::clock::Clock;
    use crate::http::settings::HttpSettings;
    use crate::services;
    use actix_web::middleware::from_fn;
    use actix_web::rt::System;
    use actix_web::test::{TestRequest, init_service, try_call_service};
    use actix_web::{App, body};

    async fn boom() -> HttpResponse {
        panic!("the handler said too much");
    }

    /// What a handler that panics answers, as the server writes it.
    async fn answer_at(path: &'static str) -> (u16, HeaderMap, String) {
        let folder = tempfile::TempDir::new().expect("a folder");
        let settings = Settings::in_folder(folder.path());
        let clock = Clock::system();
        let services = services::start(&settings, clock.clone())
            .await
            .expect("it starts");
        let context = Context::new(HttpSettings::from(&settings), services, clock, &[]);
        let app = App::new()
            .app_data(Rc::new(web::Data::new(context)))
            .wrap(from_fn(wrap))
            .route(path, web::get().to(boom));
        let app = init_service(app).await;
        let request = TestRequest::get().uri(path).to_request();
        let error = try_call_service(&app, request)
            .await
            .expect_err("a panic is an error");
        let response = error.error_response();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = body::to_bytes(response.into_body()).await.expect("a body");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        (status, headers, text)
    }

    #[test]
    fn a_panic_in_a_handler_is_an_ordinary_answer_that_tells_nothing_of_it() {
        for (path, code) in [
            ("/api/v1/boom", "GENERATION_FAILED"),
            ("/api/boom", "INTERNAL_ERROR"),
        ] {
            let (status, headers, body) = System::new().block_on(answer_at(path));
            assert_eq!(status, 500);
            assert!(
                body.contains(code) && !body.contains("said too much"),
                "{body}"
            );
            for name in [
                "x-ratelimit-limit",
                "x-ratelimit-remaining",
                "x-ratelimit-reset",
                "x-request-id",
            ] {
                assert!(headers.contains_key(name), "{name}");
            }
        }
    }
}
