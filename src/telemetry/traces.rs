//! Owns traces: spans of ours, from the request over the run to its stages, on their way to a collector.
//!
//! A span is kept while it is open and put into a bounded queue when it ends; when the collector does not keep up it is dropped and
//! counted, and nobody waits. What a span may say is what our own code puts into it: ids, kinds, counts and outcomes, never a
//! source, an address or a key.
//!
//! The exporter is our own, of some hundred lines with [`crate::telemetry::otlp`] and the client that we have: the crates of OpenTelemetry
//! would bring 24 packages, two of which generate code, for one request with a stable form.

use crate::domain::vitals::TraceFigures;
use std::fmt::Debug;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::{mpsc, oneshot, watch};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Level, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;
use uuid::Uuid;

/// Spans that wait for the collector; each takes some hundred bytes.
const QUEUE_MAX: usize = 8_192;
/// The field in which a request's span carries the `traceparent` that came with it.
pub const PARENT: &str = "trace.parent";

static SENT: AtomicU64 = AtomicU64::new(0);
static DROPPED: AtomicU64 = AtomicU64::new(0);

/// What became of spans so far.
#[must_use]
pub fn observe() -> TraceFigures {
    TraceFigures {
        sent: SENT.load(Relaxed),
        dropped: DROPPED.load(Relaxed),
    }
}

/// Notes that the collector took so many spans.
pub fn sent(spans: usize) {
    SENT.fetch_add(spans as u64, Relaxed);
}

/// Notes that so many spans are lost.
pub fn dropped(spans: usize) {
    DROPPED.fetch_add(spans as u64, Relaxed);
}

/// A span that has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    /// The trace it belongs to.
    pub trace_id: u128,
    /// Its own identity.
    pub span_id: u64,
    /// The span it is a part of.
    pub parent_id: Option<u64>,
    /// Its name.
    pub name: &'static str,
    /// When it began, in nanoseconds since 1970.
    pub begun_unix_ns: u64,
    /// When it ended.
    pub ended_unix_ns: u64,
    /// What it says.
    pub says: Vec<(&'static str, Word)>,
}

/// What a span says about one thing.
#[derive(Debug, Clone, PartialEq)]
pub enum Word {
    /// In words.
    Text(String),
    /// In numbers.
    Number(i64),
}

/// What travels to whoever sends it on.
#[derive(Debug)]
pub enum Parcel {
    /// A span.
    Ended(Box<Ended>),
    /// Everything before this is to be sent now; the answer comes after it.
    Flush(oneshot::Sender<()>),
}

/// The way into the queue. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Tracer {
    queue: mpsc::Sender<Parcel>,
    /// How many spans are open now.
    open: watch::Sender<usize>,
}

impl Tracer {
    /// A queue with its two ends.
    #[must_use]
    pub fn new() -> (Self, mpsc::Receiver<Parcel>) {
        let (queue, parcels) = mpsc::channel(QUEUE_MAX);
        let open = watch::Sender::new(0);
        (Self { queue, open }, parcels)
    }

    /// Waits until no span is open: what was answered a moment ago may still be on its way out of an actor.
    pub async fn rest(&self) {
        let _ = self.open.subscribe().wait_for(|open| *open == 0).await;
    }

    /// Waits until everything that has ended was sent, or nobody sends any more.
    pub async fn flush(&self) {
        let (answer, answered) = oneshot::channel();
        if self.queue.send(Parcel::Flush(answer)).await.is_ok() {
            let _ = answered.await;
        }
    }

    /// Whether a span is exported: ours, but not of requests that change nothing.
    #[must_use]
    pub fn takes(metadata: &Metadata<'_>) -> bool {
        let is_ours = metadata.target().starts_with("skillkiln");
        metadata.is_span() && is_ours && *metadata.level() <= Level::DEBUG
    }
}

/// A span that is open.
#[derive(Debug)]
struct Open(Ended);

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Tracer {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let parent = span.parent().and_then(|parent| {
            let extensions = parent.extensions();
            let open = extensions.get::<Open>()?;
            Some((open.0.trace_id, open.0.span_id))
        });
        let mut ended = Ended {
            trace_id: parent.map_or_else(|| Uuid::new_v4().as_u128(), |(trace_id, _)| trace_id),
            span_id: Uuid::new_v4().as_u64_pair().0,
            parent_id: parent.map(|(_, span_id)| span_id),
            name: attributes.metadata().name(),
            begun_unix_ns: now_unix_ns(),
            ended_unix_ns: 0,
            says: Vec::new(),
        };
        attributes.record(&mut ended);
        span.extensions_mut().insert(Open(ended));
        self.open.send_modify(|open| *open += 1);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if let Some(open) = span.extensions_mut().get_mut::<Open>() {
            values.record(&mut open.0);
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else {
            return;
        };
        let Some(Open(mut ended)) = span.extensions_mut().remove::<Open>() else {
            return;
        };
        ended.ended_unix_ns = now_unix_ns();
        let queued = self.queue.try_send(Parcel::Ended(Box::new(ended)));
        if queued.is_err() {
            dropped(1);
        }
        // After it stands in the queue, so that a flush that waited for this comes behind it.
        self.open.send_modify(|open| *open -= 1);
    }
}

impl Ended {
    fn say(&mut self, field: &Field, word: Word) {
        let name = field.name();
        self.says.retain(|(known, _)| *known != name);
        self.says.push((name, word));
    }

    /// Joins the trace of whoever asked, by its `traceparent`: `00-<trace>-<span>-<flags>`.
    fn join(&mut self, traceparent: &str) {
        let mut parts = traceparent.split('-').skip(1);
        let trace_id = parts.next().filter(|part| part.len() == 32);
        let span_id = parts.next().filter(|part| part.len() == 16);
        let trace_id = trace_id.and_then(|part| u128::from_str_radix(part, 16).ok());
        let span_id = span_id.and_then(|part| u64::from_str_radix(part, 16).ok());
        if let (Some(trace_id @ 1..), Some(span_id @ 1..)) = (trace_id, span_id) {
            (self.trace_id, self.parent_id) = (trace_id, Some(span_id));
        }
    }
}

impl Visit for Ended {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == PARENT {
            self.join(value);
        } else if !value.is_empty() {
            self.say(field, Word::Text(value.to_owned()));
        }
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.say(field, Word::Number(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.say(
            field,
            Word::Number(i64::try_from(value).unwrap_or(i64::MAX)),
        );
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.say(field, Word::Text(format!("{value:?}")));
    }
}

fn now_unix_ns() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing_subscriber::filter::filter_fn;
    use tracing_subscriber::prelude::*;

    fn traced(work: impl FnOnce()) -> Vec<Ended> {
        let (tracer, mut parcels) = Tracer::new();
        let layer = tracer.with_filter(filter_fn(Tracer::takes));
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), work);
        let mut spans = Vec::new();
        while let Ok(Parcel::Ended(span)) = parcels.try_recv() {
            spans.push(*span);
        }
        spans
    }

    #[test]
    fn spans_within_each_other_are_one_trace() {
        let spans = traced(|| {
            let outer = tracing::info_span!("outer", outcome = tracing::field::Empty);
            let inner = tracing::info_span!(parent: &outer, "inner", words = 3u64);
            drop(inner);
            outer.record("outcome", "passed");
            drop(outer);
            drop(tracing::info_span!("another"));
            drop(tracing::trace_span!("unheard"));
        });
        let [inner, outer, another] = &spans[..] else {
            panic!("{spans:?}")
        };
        assert_eq!(inner.parent_id, Some(outer.span_id));
        assert_eq!((inner.trace_id, outer.parent_id), (outer.trace_id, None));
        assert_ne!(another.trace_id, outer.trace_id);
        assert_eq!(inner.says, [("words", Word::Number(3))]);
        assert_eq!(outer.says, [("outcome", Word::Text("passed".into()))]);
        assert!(outer.begun_unix_ns <= inner.begun_unix_ns);
        assert!(inner.ended_unix_ns <= outer.ended_unix_ns);
    }

    #[test]
    fn a_trace_that_came_with_the_request_is_joined_and_nonsense_is_not() {
        let traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        let of = |value: &str| {
            let spans = traced(|| drop(tracing::info_span!("request", trace.parent = value)));
            (spans[0].trace_id, spans[0].parent_id)
        };
        assert_eq!(
            of(traceparent),
            (0x4bf92f3577b34da6a3ce929d0e0e4736, Some(0x00f067aa0ba902b7))
        );
        for nonsense in [
            "",
            "00",
            "00-xyz-1-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "é-é-é",
        ] {
            assert_eq!(of(nonsense).1, None, "{nonsense}");
        }
    }

    #[tokio::test]
    async fn whoever_waits_for_rest_finds_in_the_queue_what_was_still_open() {
        let (tracer, mut parcels) = Tracer::new();
        let layer = tracer.clone().with_filter(filter_fn(Tracer::takes));
        let _heard = tracing::subscriber::set_default(tracing_subscriber::registry().with(layer));
        let span = tracing::info_span!("late");
        let waiting = tracer.rest();
        tokio::pin!(waiting);
        assert!(futures_util::poll!(&mut waiting).is_pending());
        tokio::spawn(async move { drop(span) });
        waiting.await;
        assert!(matches!(parcels.try_recv(), Ok(Parcel::Ended(_))));
    }

    #[test]
    fn a_collector_that_does_not_keep_up_loses_spans_and_stops_nobody() {
        let before = observe().dropped;
        let spans = traced(|| {
            for _ in 0..QUEUE_MAX + 10 {
                drop(tracing::info_span!("one"));
            }
        });
        assert_eq!(spans.len(), QUEUE_MAX);
        assert!(observe().dropped >= before + 10);
    }
}
