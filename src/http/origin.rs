//! Owns whether a request was written by a page of ours: what another site makes a browser send is refused.
//!
//! Browsers say where a request comes from (`Sec-Fetch-Site`, and `Origin` with every post); a page cannot make them lie. A
//! request that changes something and says neither is refused too, so that an old browser is no way in.

use crate::http::context::Context;
use crate::http::error::{Kind, Problem};
use crate::http::pages::refusal::OnPage;
use crate::http::settings::HttpSettings;
use actix_web::Error;
use actix_web::body::BoxBody;
use actix_web::dev::{RequestHead, ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap};
use actix_web::middleware::Next;
use url::Url;

const FETCH_SITE: &str = "sec-fetch-site";

/// Whether a request that changes something was written by somebody else than a page of ours.
pub(super) fn is_forged(head: &RequestHead, settings: &HttpSettings) -> bool {
    !head.method.is_safe() && !is_ours(&head.headers, settings)
}

/// What somebody is told whose browser was used by another site.
pub(super) fn forged() -> Problem {
    Problem::new(
        Kind::Forbidden,
        "this request was not sent by a page of this service; open the page again and repeat it there",
    )
}

/// Stands before every form of a page, with or without a cookie: nobody is signed in or out by others either.
pub(super) async fn guard(
    req: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, Error> {
    let is_forged = is_forged(req.head(), &Context::of(req.request()).settings);
    if is_forged && !is_program_in_sandbox(req.head()) {
        let refused = OnPage::from(forged()).asked_by(req.head());
        return Err(refused.into());
    }
    next.call(req).await
}

/// The address of a sandbox's page is a secret that no other site knows: a program, which says nothing, is let in.
fn is_program_in_sandbox(head: &RequestHead) -> bool {
    let says_something = [FETCH_SITE, "origin"]
        .iter()
        .any(|name| head.headers.contains_key(*name));
    head.uri.path().starts_with("/sandbox/") && !says_something
}

/// Whether a page of ours wrote a request.
fn is_ours(headers: &HeaderMap, settings: &HttpSettings) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if headers.contains_key(FETCH_SITE) {
        return text(FETCH_SITE) == Some("same-origin");
    }
    let Some(origin) = headers.get(header::ORIGIN) else {
        return false;
    };
    let ours = Url::parse(&settings.public_url).map(|url| url.origin().ascii_serialization());
    origin.to_str().ok() == ours.ok().as_deref()
}

/// Whether a page of ours, or the reader's own hand, asked for something; for reading with a cookie.
pub(super) fn may_read(headers: &HeaderMap) -> bool {
    headers
        .get(FETCH_SITE)
        .is_none_or(|site| site == "same-origin" || site == "none")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;
    use actix_web::test::TestRequest;

    fn forged(headers: &[(&str, &str)]) -> bool {
        let mut settings = Settings::default();
        settings.server.public_url = "https://kiln.example".into();
        let mut request = TestRequest::post();
        for (name, value) in headers {
            request = request.append_header((*name, *value));
        }
        let request = request.to_http_request();
        is_forged(request.head(), &HttpSettings::from(&settings))
    }

    fn is_silent(path: &str, headers: &[(&str, &str)]) -> bool {
        let mut request = TestRequest::post().uri(path);
        for (name, value) in headers {
            request = request.append_header((*name, *value));
        }
        is_program_in_sandbox(request.to_http_request().head())
    }

    #[test]
    fn what_another_site_makes_a_browser_send_is_forged() {
        for says in [
            ("Sec-Fetch-Site", "cross-site"),
            ("Sec-Fetch-Site", "same-site"),
            ("Sec-Fetch-Site", "none"),
            ("Sec-Fetch-Site", ""),
            ("Origin", "https://evil.example"),
            ("Origin", "null"),
            ("Origin", "http://kiln.example"),
            ("Origin", "https://kiln.example.evil.example"),
            ("X-Other", "x"),
        ] {
            assert!(forged(&[says]), "{says:?}");
        }
        let both = [
            ("Sec-Fetch-Site", "cross-site"),
            ("Origin", "https://kiln.example"),
        ];
        assert!(forged(&both));
    }

    #[test]
    fn what_our_pages_send_is_not() {
        assert!(!forged(&[("Sec-Fetch-Site", "same-origin")]));
        assert!(!forged(&[("Origin", "https://kiln.example")]));
        assert!(is_silent("/sandbox/checkout/x", &[]));
        assert!(!is_silent("/sandboxed", &[]));
        assert!(!is_silent("/sandbox/checkout/x", &[("Origin", "null")]));
        let says = [("Sec-Fetch-Site", "cross-site")];
        assert!(!is_silent("/sandbox/checkout/x", &says));
    }
}
