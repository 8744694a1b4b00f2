//! Owns whether a request was written by a page of ours: what another site makes a browser send is refused.
//!
//! Browsers say where a request comes from (`Sec-Fetch-Site`, and `Origin` with every post); a page cannot make them lie. A
//! request that changes something and says neither is refused too, so that an old browser is no way in.

use crate::http::HttpSettings;
use crate::http::cookie;
use actix_web::dev::RequestHead;
use actix_web::http::header::{self, HeaderMap};
use url::{Host, Url};

const FETCH_SITE: &str = "sec-fetch-site";

/// Whether browsers must reach this address by TLS: always, but on this very machine.
pub(super) fn is_secure(public_url: &str) -> bool {
    let Ok(url) = Url::parse(public_url) else {
        return true;
    };
    let is_here = match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    };
    url.scheme() != "http" || !is_here
}

/// Whether a request changes something in the name of a browser although no page of ours wrote it.
pub(super) fn is_forged(head: &RequestHead, settings: &HttpSettings) -> bool {
    if head.method.is_safe() {
        return false;
    }
    let path = head.uri.path();
    let under = |prefix: &str| {
        let rest = path.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    if under("/webhooks") {
        return false;
    }
    // The address of the sandbox's page is a secret that no other site knows: a program, which says nothing, is let in.
    let says_nothing = ![FETCH_SITE, "origin"]
        .iter()
        .any(|name| head.headers.contains_key(*name));
    if under("/sandbox") && says_nothing {
        return false;
    }
    // A key is never sent by itself, a cookie is. A page's form is refused without a cookie too: nobody is signed in by others.
    let by_cookie = !head.headers.contains_key(header::AUTHORIZATION)
        && cookie::token_of(&head.headers, settings).is_some();
    (by_cookie || !under("/api")) && !is_ours(&head.headers, settings)
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

    const COOKIE: (&str, &str) = ("Cookie", "__Host-skillkiln=t");

    fn forged(path: &str, headers: &[(&str, &str)]) -> bool {
        let mut settings = Settings::default();
        settings.server.public_url = "https://kiln.example".into();
        let mut request = TestRequest::post().uri(path);
        for (name, value) in headers {
            request = request.append_header((*name, *value));
        }
        let request = request.to_http_request();
        is_forged(request.head(), &HttpSettings::from(&settings))
    }

    #[test]
    fn what_another_site_makes_a_browser_send_is_forged() {
        for path in ["/signin", "/account/keys", "/api/upload"] {
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
                assert!(forged(path, &[COOKIE, says]), "{path} {says:?}");
            }
        }
        let both = [
            COOKIE,
            ("Sec-Fetch-Site", "cross-site"),
            ("Origin", "https://kiln.example"),
        ];
        assert!(forged("/account/keys", &both));
    }

    #[test]
    fn what_our_pages_and_other_programs_send_is_not() {
        assert!(!forged("/signin", &[("Sec-Fetch-Site", "same-origin")]));
        assert!(!forged("/sandbox/checkout/x", &[]));
        assert!(forged(
            "/sandbox/checkout/x",
            &[("Sec-Fetch-Site", "cross-site")]
        ));
        assert!(forged("/sandbox/checkout/x", &[("Origin", "null")]));
        assert!(!forged(
            "/signin",
            &[COOKIE, ("Origin", "https://kiln.example")]
        ));
        assert!(
            !forged("/api/upload", &[("Sec-Fetch-Site", "cross-site")]),
            "no cookie"
        );
        let key = ("Authorization", "Bearer x");
        assert!(!forged("/api/upload", &[COOKIE, key]), "the key decides");
        assert!(!forged("/webhooks/stripe", &[]));
        assert!(forged("/webhooksx", &[]) && forged("/apix", &[]));
    }

    #[test]
    fn only_this_very_machine_does_without_tls() {
        for here in [
            "http://127.0.0.1:8080",
            "http://localhost",
            "http://[::1]:1",
            "http://a.localhost",
        ] {
            assert!(!is_secure(here), "{here}");
        }
        for there in [
            "https://127.0.0.1",
            "http://kiln.example",
            "http://10.0.0.1",
            "https://kiln.example",
        ] {
            assert!(is_secure(there), "{there}");
        }
    }
}
