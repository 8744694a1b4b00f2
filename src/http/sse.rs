//! Owns the shape of a stream: events, the pulse that keeps it open, and the answer it travels in (decisions 25 and 33). actix-web-lab writes
//! the events down.

use crate::http::error::REPLAYED;
use crate::telemetry::http::HttpFigures;
use actix_web::http::header;
use actix_web::{HttpResponse, HttpResponseBuilder};
use actix_web_lab::sse::{Data, Event, Sse};
use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use serde::Serialize;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, interval_at};

/// How often something is sent while there is nothing to say.
pub(super) const PING_EVERY: Duration = Duration::from_secs(15);
/// The media type of events.
pub(super) const EVENT_STREAM: &str = "text/event-stream";

/// What is sent while there is nothing to say: a comment, `: ping`.
pub(super) fn ping() -> Event {
    Event::Comment("ping".into())
}

/// One event: exactly an `event:` line and one `data:` line.
pub fn event(name: &'static str, data: &impl Serialize) -> Event {
    named(name, serde_json::to_string(data).unwrap_or_default())
}

/// One event whose data are JSON already. JSON as we write it has no line breaks, so it is one line.
pub(super) fn named(name: &'static str, json: String) -> Event {
    Data::new(json).event(name).into()
}

/// An event without a name.
pub(super) fn unnamed(json: String) -> Event {
    Data::new(json).into()
}

/// A stream of events as an answer: not cached, not buffered on the way.
pub(super) fn uncounted(events: impl Stream<Item = Event> + 'static) -> HttpResponse {
    answer(EVENT_STREAM, false).body(Sse::from_infallible_stream(events))
}

/// A stream of events as an answer: not cached, not buffered on the way, counted while it is open.
pub(super) fn events(
    figures: &Arc<HttpFigures>,
    repeated: bool,
    events: impl Stream<Item = Event> + 'static,
) -> HttpResponse {
    let events = counted(figures, events);
    answer(EVENT_STREAM, repeated).body(Sse::from_infallible_stream(events))
}

/// A stream of anything as an answer, as [`events`] is.
pub(super) fn response(
    figures: &Arc<HttpFigures>,
    media_type: &'static str,
    repeated: bool,
    pieces: impl Stream<Item = impl Into<Bytes> + 'static> + 'static,
) -> HttpResponse {
    let pieces = counted(figures, pieces).map(|piece| Ok::<_, Infallible>(piece.into()));
    answer(media_type, repeated).streaming(pieces)
}

fn answer(media_type: &'static str, repeated: bool) -> HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::CONTENT_TYPE, media_type))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header(("x-accel-buffering", "no"));
    if repeated {
        response.insert_header(REPLAYED);
    }
    response
}

/// The same stream, counted while it is open.
fn counted<S: Stream>(
    figures: &Arc<HttpFigures>,
    pieces: S,
) -> impl Stream<Item = S::Item> + use<S> {
    let open = Open::new(figures.clone());
    pieces.inspect(move |_| {
        let _still_open = &open;
    })
}

/// A document that takes its time: `beat` every now and then, then the document, then the end.
pub(super) fn pulse<T: Clone + 'static>(
    document: impl Future<Output = T> + 'static,
    beat: T,
    every: Duration,
) -> impl Stream<Item = T> {
    let ticks = interval_at(Instant::now() + every, every);
    stream::unfold(Some((Box::pin(document), ticks)), move |state| {
        let beat = beat.clone();
        async move {
            let (mut document, mut ticks) = state?;
            tokio::select! {
                biased;
                document = &mut document => Some((document, None)),
                _ = ticks.tick() => Some((beat, Some((document, ticks)))),
            }
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

/// Events as they are sent.
#[cfg(test)]
pub(in crate::http) async fn written(events: Vec<Event>) -> String {
    let body = Sse::from_infallible_stream(stream::iter(events));
    let sent = actix_web::body::to_bytes(body)
        .await
        .expect("it is written");
    String::from_utf8(sent.to_vec()).expect("it is text")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[tokio::test]
    async fn an_event_is_exactly_a_name_line_and_a_data_line() {
        let data = json!({ "stage": "extracting", "message": "a\nb" });
        let events = vec![event("progress", &data), ping(), unnamed("{}".to_owned())];
        assert_eq!(
            written(events).await,
            "event: progress\ndata: {\"stage\":\"extracting\",\"message\":\"a\\nb\"}\n\n: ping\n\ndata: {}\n\n"
        );
    }

    #[tokio::test]
    async fn a_document_that_is_slow_is_preceded_by_beats_and_ends_the_stream() {
        let (send, receive) = tokio::sync::oneshot::channel::<()>();
        let document = async move {
            let _ = receive.await;
            "{}".to_owned()
        };
        let mut pieces = Box::pin(pulse(document, "\n".to_owned(), Duration::from_millis(1)));
        assert_eq!(pieces.next().await.as_deref(), Some("\n"));
        assert_eq!(pieces.next().await.as_deref(), Some("\n"));
        drop(send);
        let rest: Vec<String> = pieces.collect().await;
        assert_eq!(rest.last().map(String::as_str), Some("{}"));
    }
}
