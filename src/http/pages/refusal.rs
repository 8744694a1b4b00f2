//! Owns how a page says no: the same problems as the surfaces know, in words and a look for people; to its script, as the envelope.

use crate::domain::quota::Surface;
use crate::http::error::{Kind, Problem};
use crate::http::pages::frame::{self, Frame, Link};
use actix_web::dev::RequestHead;
use actix_web::http::StatusCode;
use actix_web::http::header;
use actix_web::http::uri::PathAndQuery;
use actix_web::{HttpRequest, HttpResponse, ResponseError};
use askama::Template;
use std::fmt;
use url::form_urlencoded;

/// What a problem says, as a sentence on a page: its first word is written large, unless that is a name of somebody's.
pub(in crate::http) fn sentence(message: &str) -> String {
    let first = message.split(' ').next().unwrap_or_default();
    let is_ours = first
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte == b',');
    let mut sentence = message.to_owned();
    if let (true, Some(letter)) = (is_ours, sentence.get_mut(..1)) {
        letter.make_ascii_uppercase();
    }
    sentence
}

/// Whether it is the script that asks, which is told a run live.
pub(super) fn wants_a_stream(head: &RequestHead) -> bool {
    let accept = head.headers.get(header::ACCEPT);
    accept.is_some_and(|accept| accept.as_bytes().starts_with(b"text/event-stream"))
}

/// What a page refuses with.
#[derive(Debug)]
pub(in crate::http) struct OnPage {
    problem: Problem,
    sign_in: Option<String>,
    next: Option<Box<Link>>,
    /// Whether the script of a page asked, which reads the envelope.
    by_script: bool,
    /// Whether the page may be asked for again by itself.
    can_repeat: bool,
}

impl OnPage {
    /// Answers as the one who asks can read it: a script the envelope; and whoever only looks need not press anything to look again.
    pub(in crate::http) fn asked_by(self, head: &RequestHead) -> Self {
        Self {
            by_script: wants_a_stream(head),
            can_repeat: head.method.is_safe(),
            ..self
        }
    }

    /// Offers the reader a way on.
    pub(in crate::http) fn leading_to(self, next: Link) -> Self {
        let next = Some(Box::new(next));
        Self { next, ..self }
    }

    /// Leads to the sign-in page, and from there back to where the reader wanted to go.
    pub(in crate::http) fn sign_in_first(req: &HttpRequest) -> Self {
        let mut query = form_urlencoded::Serializer::new(String::new());
        if req.method().is_safe() {
            let wanted = req.uri().path_and_query();
            query.append_pair("next", wanted.map_or("/", PathAndQuery::as_str));
        } else {
            // Whoever sends a form was signed in when they opened it.
            query.append_pair("next", &form_at(req.path()));
            query.append_pair("said", "signed-out-meanwhile");
        }
        let query = query.finish();
        Self {
            sign_in: Some(format!("/signin?{query}")),
            ..Self::from(Problem::new(Kind::Unauthorized, "please sign in first"))
        }
    }
}

/// The page with the form that is sent to a path. What was typed on it comes back there by the script.
fn form_at(path: &str) -> String {
    let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    match parts.as_slice() {
        ["new", ..] => "/new".to_owned(),
        ["library", "copy"] => "/library".to_owned(),
        ["library", id] => format!("/library/{id}?view=edit"),
        ["library", id, ..] => format!("/library/{id}"),
        _ => "/account".to_owned(),
    }
}

impl<P: Into<Problem>> From<P> for OnPage {
    fn from(problem: P) -> Self {
        Self {
            problem: problem.into(),
            sign_in: None,
            next: None,
            by_script: false,
            can_repeat: false,
        }
    }
}

impl fmt::Display for OnPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.problem.message())
    }
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage {
    frame: Frame,
    status: u16,
    heading: &'static str,
    message: String,
    next: Link,
    /// Whether it is asked for again by itself.
    comes_back: bool,
}

impl ResponseError for OnPage {
    fn status_code(&self) -> StatusCode {
        if self.sign_in.is_some() {
            return StatusCode::SEE_OTHER;
        }
        self.problem.status(Surface::Application)
    }

    fn error_response(&self) -> HttpResponse {
        if let Some(sign_in) = &self.sign_in {
            return frame::see_other(sign_in);
        }
        if self.by_script {
            return self.problem.response(Surface::Application);
        }
        let status = self.status_code();
        let heading = heading_of(status);
        let next = match &self.next {
            Some(next) => Link::clone(next),
            None if status == StatusCode::UNAUTHORIZED => Link::new("/signin", "Sign in"),
            None if status == StatusCode::PAYMENT_REQUIRED => {
                Link::new("/account#credits", "Get credits")
            }
            None => Link::new("/library", "To your library"),
        };
        let page = ErrorPage {
            frame: Frame::bare(heading),
            status: status.as_u16(),
            heading,
            message: sentence(self.problem.message()),
            next,
            comes_back: self.can_repeat && self.problem.retry_after_s().is_some(),
        };
        let mut response = frame::page_as(status, &page);
        if let Some(seconds) = self.problem.retry_after_s() {
            let headers = response.headers_mut();
            headers.insert(header::RETRY_AFTER, seconds.into());
            if page.comes_back {
                headers.insert(header::REFRESH, seconds.into());
            }
        }
        response
    }
}

fn heading_of(status: StatusCode) -> &'static str {
    match status.as_u16() {
        401 => "Please sign in",
        402 => "No credits left",
        403 => "This is not allowed",
        404 => "There is nothing here",
        405 => "This page cannot do that",
        408 => "That took too long",
        409 => "Something else is under way",
        412 => "It was changed in the meantime",
        413 => "That is too large",
        429 => "Too many requests",
        503 => "Back in a moment",
        status if status < 500 => "That cannot be done",
        _ => "Something went wrong",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::body;
    use actix_web::test::TestRequest;

    #[tokio::test]
    async fn a_refusal_is_a_page_with_the_status_and_without_live_markup() {
        let refused = OnPage::from(Problem::invalid("<script>alert(1)</script> is no name"));
        let response = refused.error_response();
        assert_eq!(response.status(), 400);
        let bytes = body::to_bytes(response.into_body()).await.expect("a body");
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains("&#60;script&#62;alert(1)"), "{text}");
        assert!(!text.contains("<script>alert"));
    }

    #[test]
    fn a_sentence_begins_large_and_a_name_stays_as_it_is() {
        for (message, said) in [
            ("nothing was given", "Nothing was given"),
            ("empty.pdf is empty", "empty.pdf is empty"),
            ("éclair is empty", "éclair is empty"),
            ("2 things", "2 things"),
            ("", ""),
        ] {
            assert_eq!(sentence(message), said);
        }
    }

    #[test]
    fn a_page_that_is_busy_says_when_to_come_back() {
        let response = OnPage::from(Problem::rate_limited(7)).error_response();
        assert_eq!(response.headers().get("retry-after").expect("present"), "7");
        assert!(!response.headers().contains_key("refresh"));
    }

    fn busy(request: TestRequest) -> HttpResponse {
        let refused = OnPage::from(Problem::rate_limited(7));
        refused
            .asked_by(request.to_http_request().head())
            .error_response()
    }

    #[tokio::test]
    async fn a_page_that_is_only_looked_at_comes_back_by_itself_and_says_so() {
        let response = busy(TestRequest::get());
        assert_eq!(response.headers().get("refresh").expect("present"), "7");
        let bytes = body::to_bytes(response.into_body()).await.expect("a body");
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains("wait 7 seconds and try again"), "{text}");
        assert!(text.contains("by itself") && !text.contains("Retry-After"));
        // A form would be sent again as a mere look.
        assert!(!busy(TestRequest::post()).headers().contains_key("refresh"));
    }

    #[tokio::test]
    async fn the_script_of_a_page_reads_the_envelope() {
        let asked = TestRequest::post().insert_header(("Accept", "text/event-stream"));
        let response = busy(asked);
        assert_eq!(response.status(), 429);
        let bytes = body::to_bytes(response.into_body()).await.expect("a body");
        assert_eq!(
            String::from_utf8_lossy(&bytes),
            r#"{"error":{"code":"RATE_LIMITED","message":"too many requests; wait 7 seconds and try again"}}"#
        );
    }
}
