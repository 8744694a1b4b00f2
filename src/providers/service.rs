//! Owns how a command of ours talks to a running service, at the address that its operator named.

use crate::providers::client;
use bytes::Bytes;
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use std::time::Duration;

/// Most bytes of an answer that are read: a skill with all its references has room.
const ANSWER_BYTES_MAX: usize = 64 << 20;

/// A running service. Cheap to clone; connections are kept open.
#[derive(Debug, Clone)]
pub struct Service {
    client: reqwest::Client,
    base_url: String,
}

/// What it answered.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// What `Retry-After` says, in seconds.
    pub retry_after_s: Option<u64>,
    /// The whole body.
    pub body: Bytes,
}

impl Service {
    /// The service at `base_url`, such as `http://127.0.0.1:8080`; an answer may take `timeout`.
    ///
    /// # Errors
    /// When that is no address of a service, or no client can be made.
    pub fn at(base_url: &str, timeout: Duration) -> Result<Self, String> {
        let url = url::Url::parse(base_url)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            .ok_or_else(|| {
                format!("{base_url} is no address of a service, such as http://127.0.0.1:8080")
            })?;
        let client = client::builder()
            .timeout(timeout)
            .pool_max_idle_per_host(usize::MAX)
            .build()
            .map_err(|error| format!("cannot make a client: {error}"))?;
        Ok(Self {
            client,
            base_url: url.as_str().trim_end_matches('/').to_owned(),
        })
    }

    /// Asks for `path`, with a key where one is needed.
    ///
    /// # Errors
    /// In words, when the service does not answer.
    pub async fn get(&self, path: &str, key: Option<&str>) -> Result<Answer, String> {
        let request = self.client.get(format!("{}{path}", self.base_url));
        self.ask(request, key).await
    }

    /// Sends `body` to `path`.
    ///
    /// # Errors
    /// In words, when the service does not answer.
    pub async fn post(
        &self,
        path: &str,
        key: Option<&str>,
        content_type: &str,
        body: Bytes,
    ) -> Result<Answer, String> {
        let request = self
            .client
            .post(format!("{}{path}", self.base_url))
            .header(CONTENT_TYPE, content_type)
            .body(body);
        self.ask(request, key).await
    }

    async fn ask(
        &self,
        request: reqwest::RequestBuilder,
        key: Option<&str>,
    ) -> Result<Answer, String> {
        let request = match key {
            Some(key) => request.bearer_auth(key),
            None => request,
        };
        let response = request.send().await.map_err(|error| self.silence(&error))?;
        let status = response.status().as_u16();
        let retry_after_s = response
            .headers()
            .get(RETRY_AFTER)
            .and_then(|value| value.to_str().ok()?.parse().ok());
        let (body, whole) = client::read(response, ANSWER_BYTES_MAX)
            .await
            .map_err(|error| self.silence(&error))?;
        if !whole {
            return Err(format!(
                "the answer of {} is larger than {ANSWER_BYTES_MAX} bytes",
                self.base_url
            ));
        }
        Ok(Answer {
            status,
            retry_after_s,
            body,
        })
    }

    /// Why there is no answer, in one line.
    fn silence(&self, error: &reqwest::Error) -> String {
        let mut cause: &dyn std::error::Error = error;
        while let Some(deeper) = cause.source() {
            cause = deeper;
        }
        let what = if error.is_timeout() {
            "does not answer in time"
        } else {
            "does not answer"
        };
        format!("{} {what}: {cause}", self.base_url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    #[test]
    fn only_addresses_of_services_are_taken() {
        let timeout = Duration::from_secs(1);
        for good in ["http://127.0.0.1:8081", "https://kiln.example.org/"] {
            assert!(Service::at(good, timeout).is_ok(), "{good}");
        }
        for bad in ["127.0.0.1:8081", "ftp://example.org", "kiln", ""] {
            assert!(Service::at(bad, timeout).is_err(), "{bad}");
        }
    }

    #[tokio::test]
    async fn an_answer_comes_with_its_status_and_what_it_says() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let serving = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = vec![0; 4096];
            let read = stream.read(&mut request).await.unwrap();
            stream
                .write_all(
                    b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Length: 2\r\n\r\n{}",
                )
                .await
                .unwrap();
            String::from_utf8_lossy(&request[..read]).into_owned()
        });
        let service = Service::at(&url, Duration::from_secs(5)).unwrap();
        let answer = service.get("/api/v1/credits", Some("k")).await.unwrap();
        assert_eq!((answer.status, answer.retry_after_s), (429, Some(7)));
        assert_eq!(&answer.body[..], b"{}");
        let request = serving.await.unwrap();
        assert!(request.starts_with("GET /api/v1/credits "), "{request}");
        assert!(request.contains("authorization: Bearer k"), "{request}");
    }

    #[tokio::test]
    async fn a_service_that_is_not_there_is_named() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        drop(listener);
        let service = Service::at(&url, Duration::from_secs(5)).unwrap();
        let error = service.get("/", None).await.unwrap_err();
        assert!(error.contains(&url), "{error}");
    }
}
