//! Owns the cookies: the token of a browser's session, what accounts know the browser by after that, and for some minutes the token of
//! one that is between the two steps of signing in, and the keepsake of one that was sent to somebody else who says who its person is.
//! No other secret ever travels in one.
//!
//! The token carries 256 random bits and nothing else, so it needs neither signature nor encryption; what it stands for lies in the
//! store. Under TLS its name begins with `__Host-`, which browsers accept from this very host alone and send by TLS alone. On
//! this very machine without TLS it has a plain name, because a browser would refuse the other.

use crate::http::cookie_value;
use crate::http::settings::HttpSettings;
use crate::services::members::openid::JOURNEY_MAX;
use crate::services::members::second_factor::HALFWAY_MAX;
use crate::services::members::sessions::Entry;
use actix_web::HttpResponse;
use actix_web::http::header::{self, HeaderMap, HeaderValue};
use std::time::Duration;

/// A cookie's names: under TLS, and without on this very machine.
type Names = (&'static str, &'static str);

const SESSION: Names = ("__Host-skillkiln", "skillkiln");
const DEVICE: Names = ("__Host-skillkiln-device", "skillkiln-device");
const HALFWAY: Names = ("__Host-skillkiln-halfway", "skillkiln-halfway");
const JOURNEY: Names = ("__Host-skillkiln-openid", "skillkiln-openid");

/// How long a browser is known after somebody came in by it.
const DEVICE_MAX: Duration = Duration::from_secs(365 * 24 * 3600);

fn name((secure, plain): Names, settings: &HttpSettings) -> &'static str {
    if settings.is_secure { secure } else { plain }
}

/// The token that came with a request.
pub(super) fn token_of<'a>(headers: &'a HeaderMap, settings: &HttpSettings) -> Option<&'a str> {
    value_of(headers, name(SESSION, settings))
}

/// What accounts know a request's browser by.
pub(super) fn device_of<'a>(headers: &'a HeaderMap, settings: &HttpSettings) -> Option<&'a str> {
    value_of(headers, name(DEVICE, settings))
}

/// The token of a request's browser that is between the two steps of signing in.
pub(super) fn halfway_of<'a>(headers: &'a HeaderMap, settings: &HttpSettings) -> Option<&'a str> {
    value_of(headers, name(HALFWAY, settings))
}

/// The keepsake of a journey that came with a request.
pub(super) fn journey_of<'a>(headers: &'a HeaderMap, settings: &HttpSettings) -> Option<&'a str> {
    value_of(headers, name(JOURNEY, settings))
}

fn value_of<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE);
    cookie_value::value_of(lines.filter_map(|line| line.to_str().ok()), name)
}

/// Tells the browser to keep its token, and what it is known by.
pub(super) fn keep(response: &mut HttpResponse, entry: &Entry, settings: &HttpSettings) {
    let kept = settings.session_max;
    set(response, SESSION, &entry.token, kept, settings);
    set(response, DEVICE, &entry.device, DEVICE_MAX, settings);
}

/// Tells the browser to keep the token of the way between the two steps.
pub(super) fn keep_halfway(response: &mut HttpResponse, token: &str, settings: &HttpSettings) {
    set(response, HALFWAY, token, HALFWAY_MAX, settings);
}

/// Tells the browser to forget the token of the way between the two steps: it is there.
pub(super) fn forget_halfway(response: &mut HttpResponse, settings: &HttpSettings) {
    set(response, HALFWAY, "", Duration::ZERO, settings);
}

/// Tells the browser to keep the keepsake of a journey.
pub(super) fn keep_journey(response: &mut HttpResponse, keepsake: &str, settings: &HttpSettings) {
    set(response, JOURNEY, keepsake, JOURNEY_MAX, settings);
}

/// Tells the browser to forget the keepsake of a journey: it is good once.
pub(super) fn forget_journey(response: &mut HttpResponse, settings: &HttpSettings) {
    set(response, JOURNEY, "", Duration::ZERO, settings);
}

/// Tells the browser to forget its token; it stays known to the accounts in which somebody was by it.
pub(super) fn forget(response: &mut HttpResponse, settings: &HttpSettings) {
    set(response, SESSION, "", Duration::ZERO, settings);
}

fn set(
    response: &mut HttpResponse,
    names: Names,
    token: &str,
    kept: Duration,
    settings: &HttpSettings,
) {
    let (name, seconds) = (name(names, settings), kept.as_secs());
    let secure = if settings.is_secure { "; Secure" } else { "" };
    let cookie =
        format!("{name}={token}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    if let Ok(value) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;
    use actix_web::test::TestRequest;

    fn settings(public_url: &str) -> HttpSettings {
        let mut settings = Settings::default();
        settings.server.public_url = public_url.into();
        HttpSettings::from(&settings)
    }

    fn token(public_url: &str, cookies: &[&str]) -> Option<String> {
        let mut request = TestRequest::default();
        for cookie in cookies {
            request = request.append_header(("Cookie", *cookie));
        }
        let request = request.to_http_request();
        token_of(request.headers(), &settings(public_url)).map(str::to_owned)
    }

    #[test]
    fn a_token_is_found_among_others_and_two_are_none() {
        let here = "http://127.0.0.1:8080";
        assert_eq!(token(here, &["a=b; skillkiln=t; c"]).as_deref(), Some("t"));
        assert_eq!(token(here, &["skillkiln=t", "skillkiln=u"]), None);
        assert_eq!(token(here, &["skillkiln=t; skillkiln=t"]), None);
        assert_eq!(
            token(here, &["skillkilnx=t; xskillkiln=t; SKILLKILN=t"]),
            None
        );
        let there = "https://kiln.example";
        assert_eq!(token(there, &["skillkiln=t"]), None);
        assert_eq!(token(there, &["__Host-skillkiln=t"]).as_deref(), Some("t"));
    }

    #[test]
    fn under_tls_the_cookie_belongs_to_this_host_and_to_tls() {
        let cookie = |public_url| {
            let mut response = HttpResponse::Ok().finish();
            let entry = Entry {
                token: "t".to_owned(),
                device: "d".to_owned(),
            };
            keep(&mut response, &entry, &settings(public_url));
            let set = response.headers().get_all("set-cookie");
            let set = set.map(|value| value.to_str().expect("ASCII").to_owned());
            <[String; 2]>::try_from(set.collect::<Vec<_>>()).expect("two cookies")
        };
        let [secure, device] = cookie("https://kiln.example");
        assert!(secure.starts_with("__Host-skillkiln=t; Path=/; "));
        assert!(device.starts_with("__Host-skillkiln-device=d; Path=/; Max-Age=31536000; "));
        for secure in [secure, device] {
            assert!(secure.ends_with("; HttpOnly; SameSite=Lax; Secure"));
            assert!(!secure.contains("Domain"));
        }
        let [here, _] = cookie("http://127.0.0.1:8080");
        assert!(here.starts_with("skillkiln=t;") && !here.contains("Secure"));
    }
}
