//! Owns how a path is read before anything judges it: what needs no encoding is decoded, so that a path has one spelling.
//!
//! Routes are found by the decoded path. Whoever judged by the one that was sent would take `/api/%76%31/credits` for a path of
//! another surface, with its own rules of who may come in and how often.

use actix_web::dev::ServiceRequest;
use actix_web::http::Uri;
use actix_web::http::uri::PathAndQuery;

/// Gives a request the plain spelling of its path (RFC 3986, 6.2.2.2).
pub(super) fn settle(req: &mut ServiceRequest) {
    let Some(uri) = plain_uri(req.uri()) else {
        return;
    };
    req.match_info_mut().get_mut().update(&uri);
    req.head_mut().uri = uri;
}

/// The address with its path in the plain spelling; `None` where it is spelled so already.
fn plain_uri(uri: &Uri) -> Option<Uri> {
    let mut whole = plain(uri.path())?;
    if let Some(query) = uri.query() {
        whole.push('?');
        whole.push_str(query);
    }
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(whole).ok()?);
    Uri::from_parts(parts).ok()
}

/// A path without the encoding of unreserved characters; `None` where none is encoded.
fn plain(path: &str) -> Option<String> {
    let mut rest = path;
    let mut out = String::new();
    let mut is_other = false;
    while let Some((before, encoded)) = rest.split_once('%') {
        out.push_str(before);
        match unreserved(encoded) {
            Some(character) => {
                is_other = true;
                out.push(character);
                rest = encoded.get(2..).unwrap_or_default();
            }
            None => {
                out.push('%');
                rest = encoded;
            }
        }
    }
    out.push_str(rest);
    is_other.then_some(out)
}

/// The unreserved character (RFC 3986, 2.3) that two figures at the beginning of `encoded` stand for.
fn unreserved(encoded: &str) -> Option<char> {
    let figures = encoded.get(..2)?;
    let byte = figures
        .bytes()
        .all(|figure| figure.is_ascii_hexdigit())
        .then(|| u8::from_str_radix(figures, 16).ok())??;
    let character = char::from(byte);
    (character.is_ascii_alphanumeric() || matches!(character, '-' | '.' | '_' | '~'))
        .then_some(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_no_encoding_is_decoded_and_the_rest_stays() {
        for (path, told) in [
            ("/api/%76%31/credits", Some("/api/v1/credits")),
            (
                "/%61pi/v1/generations/a%2Fb%20c",
                Some("/api/v1/generations/a%2Fb%20c"),
            ),
            ("/api/v1/credits", None),
            ("/s/%C3%A9%2f%", None),
            ("/%4", None),
            ("/%+1", None),
        ] {
            assert_eq!(plain(path).as_deref(), told, "{path}");
        }
    }

    #[test]
    fn the_question_stays_as_it_was_asked() {
        let uri: Uri = "/%61?x=%61".parse().unwrap();
        assert_eq!(plain_uri(&uri).unwrap(), "/a?x=%61");
    }
}
