//! Owns how a list that is longer than its answer says where it goes on: `Link` with `rel="next"` (RFC 8288).

use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, HttpResponse};
use url::form_urlencoded;

/// Says where the list goes on: the same request with this offset.
pub(super) fn link_next(req: &HttpRequest, response: &mut HttpResponse, limit: u32, next: u64) {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in form_urlencoded::parse(req.query_string().as_bytes()) {
        if name != "limit" && name != "offset" {
            query.append_pair(&name, &value);
        }
    }
    query.append_pair("limit", &limit.to_string());
    query.append_pair("offset", &next.to_string());
    let link = format!("<{}?{}>; rel=\"next\"", req.path(), query.finish());
    if let Ok(link) = HeaderValue::from_str(&link) {
        response.headers_mut().insert(header::LINK, link);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    #[test]
    fn what_was_asked_for_is_asked_for_further_on() {
        let request =
            TestRequest::with_uri("/api/skills?q=a%20%3E&limit=2&offset=4").to_http_request();
        let mut response = HttpResponse::Ok().finish();
        link_next(&request, &mut response, 2, 6);
        let link = response.headers().get("link").expect("a link");
        assert_eq!(link, "</api/skills?q=a+%3E&limit=2&offset=6>; rel=\"next\"");
    }
}
