//! Owns who is let in to the operators' page: browsers that were sent to this address itself, and forms of the page alone.
//!
//! Whoever reaches the address is an operator; it is the network that keeps others out. But a browser on that network also runs
//! other people's pages. So a request has to name a host that is ours (a number, `localhost`, or a name of the settings), or a
//! name that somebody else points here would pass for us; and what changes something has to come from this very page.

use crate::domain::quota::Surface;
use crate::http::context::Context;
use crate::http::error::{Kind, Problem, Refused};
use crate::http::settings::HttpSettings;
use actix_web::Error;
use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap};
use actix_web::middleware::Next;
use url::{Host, Url};

/// Stands before everything that a browser opens here.
pub(in crate::http) async fn guard(
    req: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, Error> {
    let settings = &Context::of(req.request()).settings;
    if !is_our_host(req.headers(), settings) {
        let problem = Problem::new(
            Kind::Forbidden,
            "open this page by the address's number or as localhost, or put the name into server.admin_names",
        );
        return Err(Refused(Surface::Application, problem).into());
    }
    if !req.method().is_safe() && !is_from_here(req.headers()) {
        let problem = Problem::new(
            Kind::Forbidden,
            "this request was not sent by the operators' page; open the page again and repeat it there",
        );
        return Err(Refused(Surface::Application, problem).into());
    }
    next.call(req).await
}

fn text(headers: &HeaderMap, name: impl header::AsHeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn is_our_host(headers: &HeaderMap, settings: &HttpSettings) -> bool {
    let host = text(headers, header::HOST).unwrap_or_default();
    let Ok(url) = Url::parse(&format!("http://{host}/")) else {
        return false;
    };
    match url.host() {
        Some(Host::Ipv4(_) | Host::Ipv6(_)) => true,
        Some(Host::Domain(name)) => {
            let is_ours = |ours: &String| ours.eq_ignore_ascii_case(name);
            name == "localhost"
                || name.ends_with(".localhost")
                || settings.admin_names.iter().any(is_ours)
        }
        None => false,
    }
}

/// Browsers say where a form comes from: `Sec-Fetch-Site` where the connection is one they trust, `Origin` with every post.
fn is_from_here(headers: &HeaderMap) -> bool {
    if headers.contains_key("sec-fetch-site") {
        return text(headers, "sec-fetch-site") == Some("same-origin");
    }
    let origin = text(headers, header::ORIGIN).and_then(|origin| Url::parse(origin).ok());
    let host = text(headers, header::HOST).unwrap_or_default();
    // The scheme may be another one where a proxy of the operator's speaks TLS.
    let here = ["http", "https"].map(|scheme| Url::parse(&format!("{scheme}://{host}")).ok());
    origin.is_some_and(|origin| {
        here.iter()
            .flatten()
            .any(|here| here.origin() == origin.origin())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;
    use actix_web::test::TestRequest;

    fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
        let request = pairs.iter().fold(TestRequest::post(), |request, pair| {
            request.append_header(*pair)
        });
        request.to_http_request().headers().clone()
    }

    #[test]
    fn a_name_that_somebody_else_points_here_is_not_ours() {
        let mut settings = Settings::default();
        settings.server.admin_names = vec!["kiln.internal".into()];
        let settings = HttpSettings::from(&settings);
        let ours = |host: &str| is_our_host(&headers(&[("host", host)]), &settings);
        for host in [
            "127.0.0.1:8081",
            "[::1]:8081",
            "localhost:1",
            "10.0.0.7",
            "a.localhost",
            "Kiln.internal:8081",
        ] {
            assert!(ours(host), "{host}");
        }
        for host in [
            "evil.example:8081",
            "kiln.internal.evil.example",
            "",
            "localhost.evil.example",
            "a b",
        ] {
            assert!(!ours(host), "{host}");
        }
    }

    #[test]
    fn only_this_very_page_changes_anything() {
        let host = ("host", "10.0.0.7:8081");
        let from_here = |says: (&str, &str)| is_from_here(&headers(&[host, says]));
        assert!(from_here(("sec-fetch-site", "same-origin")));
        assert!(from_here(("origin", "http://10.0.0.7:8081")));
        assert!(from_here(("origin", "https://10.0.0.7:8081")));
        for says in [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
            ("sec-fetch-site", "none"),
            ("origin", "null"),
            ("origin", "http://10.0.0.7:9999"),
            ("origin", "http://evil.example"),
            ("x-other", "x"),
        ] {
            assert!(!from_here(says), "{says:?}");
        }
        let both = [
            host,
            ("sec-fetch-site", "cross-site"),
            ("origin", "http://10.0.0.7:8081"),
        ];
        assert!(!is_from_here(&headers(&both)));
    }
}
