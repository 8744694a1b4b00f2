//! Owns how a page says no: the same problems as the surfaces know, in words and a look for people.

use crate::domain::quota::Surface;
use crate::http::error::Problem;
use crate::http::pages::frame::{self, Frame, Link};
use actix_web::http::StatusCode;
use actix_web::http::header;
use actix_web::{HttpResponse, ResponseError};
use askama::Template;
use std::fmt;

/// What a page refuses with.
#[derive(Debug)]
pub(in crate::http) struct OnPage(Problem);

impl<P: Into<Problem>> From<P> for OnPage {
    fn from(problem: P) -> Self {
        Self(problem.into())
    }
}

impl fmt::Display for OnPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.message())
    }
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'a> {
    frame: Frame,
    status: u16,
    heading: &'static str,
    message: &'a str,
    next: Link,
}

impl ResponseError for OnPage {
    fn status_code(&self) -> StatusCode {
        self.0.status(Surface::Application)
    }

    fn error_response(&self) -> HttpResponse {
        let status = self.status_code();
        let heading = heading_of(status);
        let next = if status == StatusCode::UNAUTHORIZED {
            Link::new("/signin", "Sign in")
        } else {
            Link::new("/library", "To your library")
        };
        let page = ErrorPage {
            frame: Frame::bare(heading),
            status: status.as_u16(),
            heading,
            message: self.0.message(),
            next,
        };
        let mut response = frame::page_as(status, &page);
        if let Some(seconds) = self.0.retry_after_s() {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, seconds.into());
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
    fn a_page_that_is_busy_says_when_to_come_back() {
        let response = OnPage::from(Problem::rate_limited(7)).error_response();
        assert_eq!(response.headers().get("retry-after").expect("present"), "7");
    }
}
