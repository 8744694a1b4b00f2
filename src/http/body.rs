//! Owns how a body is read: never more than is allowed, never for longer than is allowed, never inflated (decision 56).

use crate::http::error::{Kind, Problem};
use crate::http::settings::BodyLimits;
use actix_web::HttpRequest;
use actix_web::error::PayloadError;
use actix_web::http::header;
use actix_web::web::Payload;
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use serde::de::DeserializeOwned;
use std::time::{Duration, Instant};

/// Refuses a body by what its head says of it, before a byte is read.
pub(super) fn refuse_unread(req: &HttpRequest, bytes_max: usize) -> Result<(), Problem> {
    let headers = req.headers();
    if headers
        .get_all(header::CONTENT_ENCODING)
        .any(|value| !value.as_bytes().eq_ignore_ascii_case(b"identity"))
    {
        return Err(Problem::new(
            Kind::UnsupportedMediaType,
            "a compressed body is not accepted; send it without Content-Encoding",
        ));
    }
    let announced = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.parse::<u64>().ok());
    if announced.is_some_and(|announced| announced > bytes_max as u64) {
        return Err(too_large(bytes_max));
    }
    Ok(())
}

/// A body that holds too much.
pub(super) fn too_large(bytes_max: usize) -> Problem {
    Problem::new(
        Kind::TooLarge,
        format!("the request body is larger than {}", spoken(bytes_max)),
    )
}

/// A number of bytes as people say it; a limit is a round one.
pub(super) fn spoken(bytes: usize) -> String {
    match bytes {
        1_048_576.. if bytes.is_multiple_of(1 << 20) => format!("{} MB", bytes >> 20),
        1_048_576.. => format!("{:.1} MB", bytes as f64 / f64::from(1 << 20)),
        1_024.. if bytes.is_multiple_of(1 << 10) => format!("{} kB", bytes >> 10),
        _ => format!("{bytes} bytes"),
    }
}

/// The essence of the request's media type, in lower case.
pub(super) fn media_type(req: &HttpRequest) -> String {
    req.headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .map(|essence| essence.trim().to_ascii_lowercase())
        .unwrap_or_default()
}

/// Watches how long a body takes: each piece, and the whole.
pub(super) struct Patience {
    idle_max: Duration,
    ends: Instant,
}

impl Patience {
    /// Starts watching.
    pub(super) fn new(limits: &BodyLimits) -> Self {
        Self {
            idle_max: limits.idle_max,
            ends: Instant::now() + limits.total_max,
        }
    }

    /// Waits for the next piece.
    pub(super) async fn wait<T>(&self, piece: impl Future<Output = T>) -> Result<T, Problem> {
        let left = self.ends.saturating_duration_since(Instant::now());
        actix_web::rt::time::timeout(self.idle_max.min(left), piece)
            .await
            .map_err(|_| Problem::new(Kind::TooSlow, "the request body did not arrive in time"))
    }
}

/// Reads a body of at most `bytes_max`.
pub(super) async fn read(
    req: &HttpRequest,
    mut payload: Payload,
    bytes_max: usize,
    limits: &BodyLimits,
) -> Result<Bytes, Problem> {
    refuse_unread(req, bytes_max)?;
    let patience = Patience::new(limits);
    let mut body = BytesMut::new();
    while let Some(piece) = patience.wait(payload.next()).await? {
        let piece = piece.map_err(|error: PayloadError| broken(&error))?;
        if body.len() + piece.len() > bytes_max {
            return Err(too_large(bytes_max));
        }
        body.extend_from_slice(&piece);
    }
    Ok(body.freeze())
}

fn broken(error: &PayloadError) -> Problem {
    tracing::debug!(%error, "a request body broke off");
    Problem::invalid("the request body broke off or is malformed")
}

/// Reads a JSON object. Unknown members are ignored, a known one that is there twice is refused.
pub(super) async fn json<T: DeserializeOwned>(
    req: &HttpRequest,
    payload: Payload,
    bytes_max: usize,
    limits: &BodyLimits,
) -> Result<T, Problem> {
    if media_type(req) != "application/json" {
        return Err(Problem::new(
            Kind::UnsupportedMediaType,
            "send the request body as application/json",
        ));
    }
    let body = read(req, payload, bytes_max, limits).await?;
    // An array would be taken for the members of an object in their order.
    if body.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
        return Err(Problem::invalid("the request body is no JSON object"));
    }
    let mut reader = serde_json::Deserializer::from_slice(&body);
    let read = serde_path_to_error::deserialize(&mut reader)
        .map_err(|error| unlike(&error.path().to_string(), error.inner()))?;
    reader.end().map_err(|error| unlike("", &error))?;
    Ok(read)
}

/// What is wrong with a JSON body, in the words of its sender: the member, and what it must be.
fn unlike(path: &str, error: &serde_json::Error) -> Problem {
    if !error.is_data() {
        return Problem::invalid(format!(
            "the request body is no valid JSON: look at line {} column {}",
            error.line(),
            error.column()
        ));
    }
    let said = error.to_string();
    let quoted = |after: &str| {
        let name = said.strip_prefix(after)?.split('`').next()?;
        Some(name.to_owned())
    };
    if let Some(name) = quoted("missing field `") {
        return Problem::invalid(format!("{name} is missing"));
    }
    if let Some(name) = quoted("duplicate field `") {
        return Problem::invalid(format!("{name} is there twice"));
    }
    // Of what the reader says only the kinds that JSON itself has are repeated.
    let expected = said.rsplit_once("expected ").map_or("", |(_, rest)| rest);
    let kind = [
        "string", "boolean", "sequence", "map", "struct", "u", "i", "f",
    ]
    .into_iter()
    .find(|kind| expected.trim_start_matches("a ").starts_with(kind));
    let kind = match kind {
        Some("string") => "a string",
        Some("boolean") => "true or false",
        Some("sequence") => "an array",
        Some("map" | "struct") => "an object",
        Some(_) => "a number",
        None => "of another kind",
    };
    let place = if path == "." {
        "the request body"
    } else {
        path
    };
    Problem::invalid(format!("{place} must be {kind}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;
    use crate::domain::quota::Surface;
    use crate::http::settings::HttpSettings;
    use actix_web::FromRequest;
    use actix_web::dev;
    use actix_web::test::TestRequest;
    use serde::Deserialize;

    fn limits() -> BodyLimits {
        HttpSettings::from(&Settings::default()).limits
    }

    #[tokio::test]
    async fn an_array_is_no_object_whose_members_it_lists() {
        #[derive(Debug, Deserialize)]
        struct Plan {
            #[expect(dead_code, reason = "only whether it is read counts")]
            plan: String,
        }
        for (body, is_read) in [
            (r#"["starter"]"#, false),
            (r#" {"plan":"starter"}"#, true),
            ("", false),
        ] {
            let (req, mut payload) = TestRequest::post()
                .insert_header(("content-type", "application/json"))
                .set_payload(body)
                .to_http_parts();
            let payload = Payload::from_request(&req, &mut payload).await.unwrap();
            let read = json::<Plan>(&req, payload, 1_024, &limits()).await;
            assert_eq!(read.is_ok(), is_read, "{body}");
        }
    }

    #[derive(Debug, Deserialize)]
    struct Wish {
        name: String,
    }

    async fn wish(request: TestRequest) -> Result<String, u16> {
        let (req, mut payload) = request.to_http_parts();
        let payload = Payload::from_request(&req, &mut payload)
            .await
            .expect("a payload");
        json::<Wish>(&req, payload, 64, &limits())
            .await
            .map(|wish| wish.name)
            .map_err(|problem| problem.response(Surface::Application).status().as_u16())
    }

    #[tokio::test]
    async fn what_is_wrong_is_said_in_the_words_of_the_sender() {
        #[derive(Debug, Deserialize)]
        #[expect(dead_code, reason = "only what is said of it counts")]
        struct Inner {
            on: bool,
        }
        #[derive(Debug, Deserialize)]
        #[expect(dead_code, reason = "only what is said of it counts")]
        struct Outer {
            name: String,
            ids: Vec<String>,
            count: Option<u32>,
            inner: Option<Inner>,
        }
        for (body, says) in [
            (r#"{"ids":[]}"#, "name is missing"),
            (r#"{"name":"a","name":"b"}"#, "name is there twice"),
            (r#"{"name":{}}"#, "name must be a string"),
            (r#"{"name":null}"#, "name must be a string"),
            (r#"{"ids":"a"}"#, "ids must be an array"),
            (r#"{"ids":["a",7]}"#, "ids[1] must be a string"),
            (r#"{"count":-1}"#, "count must be a number"),
            (r#"{"count":"x"}"#, "count must be a number"),
            (r#"{"inner":7}"#, "inner must be an object"),
            (r#"{"inner":{"on":1}}"#, "inner.on must be true or false"),
            (
                "{\n \"name\": }",
                "the request body is no valid JSON: look at line 2 column 10",
            ),
            (
                r#"{"name":"a","ids":[]} x"#,
                "the request body is no valid JSON: look at line 1 column 23",
            ),
        ] {
            let (req, mut payload) = sent(body).to_http_parts();
            let payload = Payload::from_request(&req, &mut payload).await.unwrap();
            let problem = json::<Outer>(&req, payload, 1_024, &limits())
                .await
                .expect_err(body);
            assert_eq!(problem.message(), says, "{body}");
        }
    }

    fn sent(body: &str) -> TestRequest {
        TestRequest::post()
            .insert_header(("Content-Type", "application/json; charset=utf-8"))
            .set_payload(body.to_owned())
    }

    #[tokio::test]
    async fn a_json_body_is_read_and_unknown_members_are_ignored() {
        assert_eq!(wish(sent(r#"{"name":"a","x":1}"#)).await, Ok("a".into()));
    }

    #[tokio::test]
    async fn what_is_no_such_object_is_refused() {
        for bad in [
            "",
            "{",
            "[]",
            "{}",
            r#"{"name":1}"#,
            r#"{"name":null}"#,
            r#"{"name":"a","name":"b"}"#,
            "\u{0}",
        ] {
            assert_eq!(wish(sent(bad)).await, Err(400), "{bad}");
        }
    }

    #[tokio::test]
    async fn another_content_type_or_encoding_is_refused() {
        let form = TestRequest::post()
            .insert_header(("Content-Type", "text/plain"))
            .set_payload("{}");
        assert_eq!(wish(form).await, Err(415));
        assert_eq!(wish(TestRequest::post().set_payload("{}")).await, Err(415));
        assert_eq!(
            wish(sent("{}").insert_header(("Content-Encoding", "gzip"))).await,
            Err(415)
        );
    }

    #[tokio::test]
    async fn a_body_too_large_is_refused_whether_announced_or_not() {
        let long = format!("{{\"name\":\"{}\"}}", "x".repeat(64));
        assert_eq!(wish(sent(&long)).await, Err(413));
        assert_eq!(
            wish(sent("{}").insert_header(("Content-Length", "65"))).await,
            Err(413)
        );
    }

    #[tokio::test]
    async fn a_body_that_never_arrives_is_given_up() {
        let (req, _) = sent("").to_http_parts();
        let never = futures_util::stream::pending::<Result<Bytes, PayloadError>>();
        let mut payload = dev::Payload::from(
            Box::pin(never) as std::pin::Pin<Box<dyn futures_util::Stream<Item = _>>>
        );
        let payload = Payload::from_request(&req, &mut payload)
            .await
            .expect("a payload");
        let limits = BodyLimits {
            idle_max: Duration::from_millis(1),
            ..limits()
        };
        let problem = read(&req, payload, 64, &limits)
            .await
            .expect_err("given up");
        assert_eq!(problem.response(Surface::Rest).status(), 408);
    }

    #[test]
    fn a_limit_is_told_as_people_say_it() {
        for (bytes, said) in [
            (26_214_400, "25 MB"),
            (1_572_864, "1.5 MB"),
            (65_536, "64 kB"),
            (20, "20 bytes"),
        ] {
            assert_eq!(spoken(bytes), said);
        }
    }
}
