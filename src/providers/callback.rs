//! Owns how we tell somebody's server of an event: one request to an address that its owner named, which is never one of a private network,
//! however it is written or resolved.

use crate::providers::client;
use crate::providers::public_address;
use crate::providers::resolver::{GuardedResolver, SystemNames};
use std::sync::Arc;
use std::time::Duration;

/// How long a server may take.
const PATIENCE: Duration = Duration::from_secs(15);

/// Sends events. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Callback {
    client: reqwest::Client,
    allow_private: bool,
}

impl Callback {
    /// With connections of its own.
    ///
    /// # Errors
    /// When the TLS set-up of this machine cannot be used.
    pub fn new(allow_private: bool) -> Result<Self, String> {
        let resolver = GuardedResolver {
            proxy: None,
            names: Arc::new(SystemNames),
            allow_private,
        };
        let client = client::builder()
            .dns_resolver(Arc::new(resolver))
            .user_agent(concat!("skillkiln/", env!("CARGO_PKG_VERSION")))
            .referer(false)
            .timeout(PATIENCE)
            .build()
            .map_err(|error| format!("cannot set up the client for webhooks: {error}"))?;
        Ok(Self {
            client,
            allow_private,
        })
    }

    /// Refuses an address that can be told to be bad without asking anybody.
    ///
    /// # Errors
    /// A message for its owner.
    pub fn refuse(&self, url: &str) -> Result<(), String> {
        if !self.allow_private && !url.starts_with("https://") {
            return Err("the address must begin with https://".to_owned());
        }
        public_address::refuse_literal(url, self.allow_private)
    }

    /// Sends an event and answers the status; of the body nothing is read.
    ///
    /// # Errors
    /// Why it did not arrive, in words for the owner of the address.
    pub async fn post(
        &self,
        url: &str,
        headers: [(&'static str, String); 3],
        body: String,
    ) -> Result<u16, String> {
        self.refuse(url)?;
        let mut request = self
            .client
            .post(url)
            .header("content-type", "application/json")
            .body(body);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        match request.send().await {
            Ok(response) => Ok(response.status().as_u16()),
            Err(error) if error.is_timeout() => Err(format!(
                "the server did not answer within {} seconds",
                PATIENCE.as_secs()
            )),
            Err(error) if error.is_connect() => Err(
                "the server cannot be reached: its name, its port, its certificate, or it is in a private network".to_owned(),
            ),
            Err(_) => Err("the connection broke before there was an answer".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn nothing_is_sent_into_a_private_network() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.set_nonblocking(true).expect("it does");
        let port = listener.local_addr().expect("an address").port();
        let strict = Callback::new(false).expect("a client");
        let headers = || ["a", "b", "c"].map(|name| (name, String::new()));
        for url in [
            format!("http://127.0.0.1:{port}/"),
            format!("https://127.0.0.1:{port}/"),
            format!("https://localhost:{port}/"),
            format!("https://[::1]:{port}/"),
            "https://169.254.169.254/".to_owned(),
            "https://user:pass@example.org/".to_owned(),
            "ftp://example.org/".to_owned(),
        ] {
            assert!(strict.refuse(&url).is_err(), "{url}");
            let sent = strict.post(&url, headers(), "{}".into()).await;
            assert!(sent.is_err(), "{url}");
        }
        assert!(listener.accept().is_err(), "nobody knocked");
        assert_eq!(strict.refuse("https://example.org/hooks"), Ok(()));
    }
}
