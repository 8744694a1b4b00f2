//! Owns the headers that keep a page safe, one table for all pages: what each page chooses is what it may load and do, and what it
//! tells the pages that it leads to.

use actix_web::HttpResponse;
use actix_web::http::header::{self, HeaderName, HeaderValue};

/// What a page chooses of its headers.
#[derive(Debug, Clone, Copy)]
pub(in crate::http) struct Choice {
    /// What it may load and do (`Content-Security-Policy`).
    pub(in crate::http) policy: &'static str,
    /// To whom it tells where its reader comes from (`Referrer-Policy`).
    pub(in crate::http) referrer: &'static str,
}

/// Puts the headers on an answer. It is kept by nobody: it may show what only its reader may see, or what may be taken back, and
/// after signing out the browser's back button must not show it.
pub(in crate::http) fn put_on(response: &mut HttpResponse, choice: Choice) {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, choice.policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, choice.referrer),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("permissions-policy"),
            "camera=(), microphone=(), geolocation=(), payment=()",
        ),
    ];
    for (name, value) in headers {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_differ_in_nothing_but_their_choice() {
        let headers_of = |policy, referrer| {
            let mut response = HttpResponse::Ok().finish();
            put_on(&mut response, Choice { policy, referrer });
            let headers = response.headers().iter();
            let mut headers: Vec<(String, Vec<u8>)> = headers
                .map(|(name, value)| (name.to_string(), value.as_bytes().to_vec()))
                .collect();
            headers.sort();
            headers
        };
        let (one, other) = (headers_of("a", "b"), headers_of("c", "d"));
        assert_eq!(one.len(), 8);
        let differing: Vec<&str> = one
            .iter()
            .zip(&other)
            .filter(|(one, other)| one != other)
            .map(|((name, _), _)| name.as_str())
            .collect();
        assert_eq!(differing, ["content-security-policy", "referrer-policy"]);
    }
}
