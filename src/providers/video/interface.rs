//! Owns one question to the video provider, and the bounds on its answer.

use crate::providers::client;
use crate::providers::resolver::{GuardedResolver, SystemNames, proxy_host};
use crate::providers::video::address::VideoId;
use crate::providers::video::clients::Client;
use crate::providers::video::playability::{Refusal, of_http, of_page};
use crate::providers::video::tracks;
use crate::telemetry::providers::VIDEO;
use bytes::Bytes;
use reqwest::header::LOCATION;
use reqwest::{RequestBuilder, Response, StatusCode};
use std::sync::Arc;
use tokio::time::Instant;
use url::Url;

/// The provider's answers are a few megabytes at most; a larger one is not parsed.
const ANSWER_BYTES_MAX: usize = 16 << 20;

/// The provider, where the settings say it is.
#[derive(Debug)]
pub(super) struct Interface {
    client: reqwest::Client,
    base: Url,
    bytes_max: usize,
}

impl Interface {
    /// The provider at `base_url`, whose answers are read up to `bytes_max`, asked through a proxy where there is one.
    pub(super) fn new(
        base_url: &str,
        bytes_max: usize,
        proxy: Option<&Url>,
    ) -> Result<Self, String> {
        let base = Url::parse(base_url)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            .ok_or_else(|| format!("{base_url} is not an http or https address"))?;
        // A gateway may be anywhere; the provider itself is never in a private network.
        let is_provider = base
            .host_str()
            .is_some_and(|host| host == "youtube.com" || host.ends_with(".youtube.com"));
        let client = client::through(client::builder(), proxy)?
            .dns_resolver(Arc::new(GuardedResolver {
                names: Arc::new(SystemNames),
                allow_private: !is_provider,
                proxy: proxy_host(proxy),
            }))
            .build()
            .map_err(|error| format!("cannot set up the video client: {error}"))?;
        Ok(Self {
            client,
            base,
            bytes_max: bytes_max.min(ANSWER_BYTES_MAX),
        })
    }

    /// Asks for one kind of data about a video: `player` or `next`.
    pub(super) async fn ask(
        &self,
        what: &str,
        client: &Client,
        id: &VideoId,
        deadline: Instant,
    ) -> Result<Bytes, Refusal> {
        let mut url = self.base.clone();
        let prefix = url.path().trim_end_matches('/').to_owned();
        url.set_path(&format!("{prefix}/youtubei/v1/{what}"));
        url.set_query(Some("prettyPrint=false"));
        let request = self
            .client
            .post(url)
            .header("Origin", "https://www.youtube.com")
            .header("X-YouTube-Client-Name", client.number)
            .header("X-YouTube-Client-Version", &client.version)
            .header("User-Agent", &client.user_agent)
            .json(&client.request(id.as_str()));
        self.send(request, deadline).await
    }

    /// Fetches the captions at a track's address, wherever the provider says they are, provided that it is the provider's.
    pub(super) async fn fetch(
        &self,
        track: &str,
        user_agent: &str,
        deadline: Instant,
    ) -> Result<Bytes, Refusal> {
        let url = tracks::address(track, &self.base).ok_or(Refusal::Garbled)?;
        let request = self.client.get(url).header("User-Agent", user_agent);
        match self.send(request, deadline).await {
            // The provider answers 200 with nothing when it would rather not.
            Ok(bytes) if bytes.is_empty() => Err(Refusal::Withheld),
            Err(Refusal::NotFound | Refusal::Garbled) => Err(Refusal::Withheld),
            other => other,
        }
    }

    async fn send(&self, request: RequestBuilder, deadline: Instant) -> Result<Bytes, Refusal> {
        let left = deadline.saturating_duration_since(Instant::now());
        let call = VIDEO.begin();
        let answer = request.timeout(left).send().await;
        let is_answered = |answer: &Response| answer.status() == StatusCode::OK;
        call.ended(answer.as_ref().is_ok_and(is_answered));
        let response = answer.map_err(|_| Refusal::Down)?;
        if response.status() != StatusCode::OK {
            let target = response.headers().get(LOCATION);
            let elsewhere = target.and_then(|target| of_page(target.to_str().ok()?));
            return Err(elsewhere.unwrap_or_else(|| of_http(response.status().as_u16())));
        }
        match client::read(response, self.bytes_max).await {
            Ok((bytes, true)) => Ok(bytes),
            Ok((_, false)) => Err(Refusal::Garbled),
            Err(_) => Err(Refusal::Down),
        }
    }
}

/// Parses away from the threads that serve requests. What cannot be parsed is `None`.
pub(super) async fn away<T: Send + 'static>(
    parse: impl FnOnce() -> Option<T> + Send + 'static,
) -> Option<T> {
    tokio::task::spawn_blocking(parse).await.ok().flatten()
}
