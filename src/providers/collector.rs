//! Owns the way of traces to a collector: spans leave in batches over HTTP, and are lost rather than waited for.

use crate::providers::client;
use crate::telemetry::otlp;
use crate::telemetry::traces::{Ended, Parcel, dropped, sent};
use reqwest::StatusCode;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};
use url::Url;

/// Spans of one request, and how long the first of them waits for company.
const BATCH_MAX: usize = 512;
const GATHER: Duration = Duration::from_secs(1);
/// The time for one request, and the pauses before it is sent again.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSES: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(2)];
/// How often it is said that spans are lost.
const SAY_EVERY: Duration = Duration::from_secs(60);

/// A collector that takes OTLP over HTTP.
#[derive(Debug, Clone)]
pub struct Collector {
    client: reqwest::Client,
    url: Url,
    service: String,
    node: String,
}

impl Collector {
    /// The collector at `url`; an address without a path gets the usual one, `/v1/traces`. There the service is called
    /// `service`, and `node` tells its processes apart.
    ///
    /// # Errors
    /// When this is no web address, or the TLS set-up of this machine cannot be used.
    pub fn new(url: &str, service: String, node: String) -> Result<Self, String> {
        let mut url = Url::parse(url)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            .ok_or_else(|| format!("{url} is not an http or https address"))?;
        if url.path() == "/" {
            url.set_path("/v1/traces");
        }
        let client = client::builder()
            .timeout(PATIENCE)
            .build()
            .map_err(|error| format!("cannot set up the client of the collector: {error}"))?;
        Ok(Self {
            client,
            url,
            service,
            node,
        })
    }

    /// Sends what comes out of the queue, until nobody can put anything into it.
    pub async fn serve(&self, parcels: &mut mpsc::Receiver<Parcel>) {
        let mut said: Option<Instant> = None;
        while let Some(first) = parcels.recv().await {
            let (batch, flushes) = gather(first, parcels).await;
            if !batch.is_empty() {
                match self.send(&batch).await {
                    Ok(()) => sent(batch.len()),
                    Err(cause) => {
                        dropped(batch.len());
                        if said.is_none_or(|said| said.elapsed() >= SAY_EVERY) {
                            said = Some(Instant::now());
                            tracing::warn!(
                                cause,
                                spans = batch.len(),
                                "the collector of traces does not take them; they are lost"
                            );
                        }
                    }
                }
            }
            for flush in flushes {
                let _ = flush.send(());
            }
        }
    }

    async fn send(&self, batch: &[Ended]) -> Result<(), String> {
        let body = otlp::body(batch, &self.service, &self.node);
        let mut pauses = PAUSES.iter();
        loop {
            let answer = self.client.post(self.url.clone()).json(&body).send().await;
            let (cause, may_pass) = match answer.map(|answer| answer.status()) {
                Ok(status) if status.is_success() => return Ok(()),
                Ok(status) => {
                    let busy = status == StatusCode::TOO_MANY_REQUESTS;
                    (status.to_string(), busy || status.is_server_error())
                }
                Err(error) => (error.without_url().to_string(), true),
            };
            match pauses.next().filter(|_| may_pass) {
                Some(pause) => tokio::time::sleep(*pause).await,
                None => return Err(cause),
            }
        }
    }
}

/// The spans that are sent together, and who waits until they are.
async fn gather(
    first: Parcel,
    parcels: &mut mpsc::Receiver<Parcel>,
) -> (Vec<Ended>, Vec<oneshot::Sender<()>>) {
    let (mut batch, mut flushes) = (Vec::new(), Vec::new());
    let until = Instant::now() + GATHER;
    let mut next = Some(first);
    while let Some(parcel) = next {
        match parcel {
            Parcel::Ended(span) => batch.push(*span),
            Parcel::Flush(answer) => flushes.push(answer),
        }
        if batch.len() >= BATCH_MAX || !flushes.is_empty() {
            break;
        }
        next = timeout_at(until, parcels.recv()).await.ok().flatten();
    }
    (batch, flushes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::traces::Tracer;

    #[test]
    fn an_address_without_a_path_gets_the_usual_one() {
        let url = |text: &str| {
            let made = Collector::new(text, String::new(), String::new());
            made.map(|collector| collector.url.to_string())
        };
        assert_eq!(
            url("http://127.0.0.1:4318").as_deref(),
            Ok("http://127.0.0.1:4318/v1/traces")
        );
        assert_eq!(
            url("https://example.org/otlp/v1/traces").as_deref(),
            Ok("https://example.org/otlp/v1/traces")
        );
        assert!(url("127.0.0.1:4318").is_err());
        assert!(url("ftp://example.org").is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn a_collector_that_is_not_there_costs_spans_and_nothing_else() {
        let (tracer, mut parcels) = Tracer::new();
        let collector =
            Collector::new("http://127.0.0.1:9", "s".into(), "n".into()).expect("a client");
        let serving = tokio::spawn(async move { collector.serve(&mut parcels).await });
        tracer.flush().await;
        drop(tracer);
        serving.await.expect("it ends when nobody is left");
    }
}
