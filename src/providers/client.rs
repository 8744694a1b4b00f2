//! Owns how we speak HTTP and TLS to anybody outside: one builder from which each provider makes its client.

use bytes::{Bytes, BytesMut};
use reqwest::Response;
use std::time::Duration;

/// How long a connection may take to be made, TLS and the name's resolution included.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// A client builder that trusts the machine's root certificates and, so that a bare container without any can call out as
/// well, those of the Mozilla programme that we carry along. It follows no redirects and uses no proxy: both would carry
/// a request past the checks of the address.
pub fn builder() -> reqwest::ClientBuilder {
    // A second installation is refused, which is fine: the first one is the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let roots = webpki_root_certs::TLS_SERVER_ROOT_CERTS
        .iter()
        .filter_map(|root| reqwest::Certificate::from_der(root).ok());
    reqwest::Client::builder()
        .tls_certs_merge(roots)
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_idle_timeout(Duration::from_secs(30))
        .pool_max_idle_per_host(4)
}

/// Reads at most `bytes_max` bytes of the decompressed body; `false` when there were more.
pub(super) async fn read(
    mut response: Response,
    bytes_max: usize,
) -> Result<(Bytes, bool), reqwest::Error> {
    let mut body = BytesMut::new();
    while let Some(chunk) = response.chunk().await? {
        let room = bytes_max - body.len();
        if chunk.len() > room {
            body.extend_from_slice(chunk.get(..room).unwrap_or_default());
            return Ok((body.freeze(), false));
        }
        body.extend_from_slice(&chunk);
    }
    Ok((body.freeze(), true))
}
