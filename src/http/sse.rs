//! Owns the shape of a stream: frames of events, the pulse that keeps it open, and the answer it travels in (decisions 25 and 33).

use crate::http::error::REPLAYED;
use crate::telemetry::http::HttpFigures;
use actix_web::HttpResponse;
use actix_web::http::header;
use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use serde::Serialize;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, interval_at};

/// What is sent while there is nothing to say.
pub(super) const PING: &str = ": ping\n\n";
/// How often it is sent.
pub(super) const PING_EVERY: Duration = Duration::from_secs(15);
/// The media type of events.
pub(super) const EVENT_STREAM: &str = "text/event-stream";

/// One event: exactly an `event:` line and one `data:` line.
pub fn frame(name: &str, data: &impl Serialize) -> String {
    frame_of_json(name, &serde_json::to_string(data).unwrap_or_default())
}

/// One event whose data are JSON already. JSON as we write it has no line breaks, so it is one line.
pub(super) fn frame_of_json(name: &str, json: &str) -> String {
    format!("event: {name}\ndata: {json}\n\n")
}

/// An event without a name.
pub(super) fn unnamed(json: &str) -> String {
    format!("data: {json}\n\n")
}

/// A stream as an answer: not cached, not buffered on the way, counted while it is open.
pub(super) fn response(
    figures: &Arc<HttpFigures>,
    media_type: &'static str,
    repeated: bool,
    pieces: impl Stream<Item = impl Into<Bytes>> + 'static,
) -> HttpResponse {
    let open = Open::new(figures.clone());
    let pieces = pieces.map(move |piece| {
        let _still_open = &open;
        Ok::<_, Infallible>(piece.into())
    });
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::CONTENT_TYPE, media_type))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header(("x-accel-buffering", "no"));
    if repeated {
        response.insert_header(REPLAYED);
    }
    response.streaming(pieces)
}

/// A document that takes its time: `beat` every now and then, then the document, then the end.
pub(super) fn pulse(
    document: impl Future<Output = String> + 'static,
    beat: &'static str,
    every: Duration,
) -> impl Stream<Item = String> {
    let ticks = interval_at(Instant::now() + every, every);
    stream::unfold(Some((Box::pin(document), ticks)), move |state| async move {
        let (mut document, mut ticks) = state?;
        tokio::select! {
            biased;
            document = &mut document => Some((document, None)),
            _ = ticks.tick() => Some((beat.to_owned(), Some((document, ticks)))),
        }
    })
}

/// Counts an open stream.
struct Open(Arc<HttpFigures>);

impl Open {
    fn new(figures: Arc<HttpFigures>) -> Self {
        figures.stream(1);
        Self(figures)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.stream(-1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_event_is_exactly_a_name_line_and_a_data_line() {
        assert_eq!(
            frame(
                "progress",
                &json!({ "stage": "extracting", "message": "a\nb" })
            ),
            "event: progress\ndata: {\"stage\":\"extracting\",\"message\":\"a\\nb\"}\n\n"
        );
    }

    #[tokio::test]
    async fn a_document_that_is_slow_is_preceded_by_beats_and_ends_the_stream() {
        let (send, receive) = tokio::sync::oneshot::channel::<()>();
        let document = async move {
            let _ = receive.await;
            "{}".to_owned()
        };
        let mut pieces = Box::pin(pulse(document, "\n", Duration::from_millis(1)));
        assert_eq!(pieces.next().await.as_deref(), Some("\n"));
        assert_eq!(pieces.next().await.as_deref(), Some("\n"));
        drop(send);
        let rest: Vec<String> = pieces.collect().await;
        assert_eq!(rest.last().map(String::as_str), Some("{}"));
    }
}
