//! Owns how we speak HTTP and TLS to anybody outside: one builder from which each provider makes its client.

use bytes::{Bytes, BytesMut};
use reqwest::Response;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, SignatureScheme};
use rustls_platform_verifier::Verifier;
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;
use url::Url;

/// How long a connection may take to be made, TLS and the name's resolution included.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// A client builder that trusts the machine's root certificates and, so that a bare container without any can call out as
/// well, those of the Mozilla programme that we carry along. It follows no redirects and uses no proxy: both would carry
/// a request past the checks of the address.
pub fn builder() -> reqwest::ClientBuilder {
    // A second installation is refused, which is fine: the first one is the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    static TLS: LazyLock<ClientConfig> = LazyLock::new(|| {
        let mut tls = ClientConfig::builder()
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(Roots::default()))
            .with_no_client_auth();
        tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        tls
    });
    reqwest::Client::builder()
        .tls_backend_preconfigured(TLS.clone())
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_idle_timeout(Duration::from_secs(30))
        .pool_max_idle_per_host(4)
}

/// A client that asks through a proxy, where there is one.
pub(super) fn through(
    builder: reqwest::ClientBuilder,
    proxy: Option<&Url>,
) -> Result<reqwest::ClientBuilder, String> {
    let Some(proxy) = proxy else {
        return Ok(builder);
    };
    let proxy = reqwest::Proxy::all(proxy.clone());
    let proxy = proxy.map_err(|error| format!("cannot use the proxy: {error}"))?;
    Ok(builder.proxy(proxy))
}

/// The machine's own verifier of certificates, made when the first certificate is shown to us: what reads no address, such
/// as a file that becomes a skill at the command line, reads no roots either, and all clients share them.
#[derive(Debug, Default)]
struct Roots(OnceLock<Result<Verifier, rustls::Error>>);

impl Roots {
    fn verifier(&self) -> Result<&Verifier, rustls::Error> {
        self.0
            .get_or_init(|| {
                Verifier::new_with_extra_roots(
                    webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().cloned(),
                    Arc::new(rustls::crypto::ring::default_provider()),
                )
            })
            .as_ref()
            .map_err(Clone::clone)
    }
}

impl ServerCertVerifier for Roots {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        self.verifier()?.verify_server_cert(
            end_entity,
            intermediates,
            server_name,
            ocsp_response,
            now,
        )
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.verifier()?
            .verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.verifier()?
            .verify_tls13_signature(message, certificate, signature)
    }

    /// Known without any root, so that a greeting can be sent before they are read.
    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        rustls::crypto::ring::default_provider()
            .signature_verification_algorithms
            .supported_schemes()
    }
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

#[cfg(test)]
mod tests {
    use super::Roots;
    use rustls::client::danger::ServerCertVerifier;
    use rustls::pki_types::pem::PemObject;
    use rustls::pki_types::{CertificateDer, ServerName, UnixTime};

    /// Signed by itself, for example.org, for a hundred years.
    const OWN: &[u8] = b"-----BEGIN CERTIFICATE-----
MIIBmDCCAT6gAwIBAgIUB0UnN0g7iG1XnMs6xSyL4o6XJJUwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLZXhhbXBsZS5vcmcwIBcNMjYxMTIyMjEyOTE1WhgPMjEyNjEw
MjkyMTI5MTVaMBYxFDASBgNVBAMMC2V4YW1wbGUub3JnMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEira4YXrJIgaE0Wj+f7wenlUBsaipNRFrQPOUPPnI9SdDObys
J0WftiSuJe6L7j2FRw5PSm2zzuoKzS8hjchjh6NoMGYwHQYDVR0OBBYEFC4SIQ3Z
WGEnEtpePSy8kdVj/LadMB8GA1UdIwQYMBaAFC4SIQ3ZWGEnEtpePSy8kdVj/Lad
MBYGA1UdEQQPMA2CC2V4YW1wbGUub3JnMAwGA1UdEwEB/wQCMAAwCgYIKoZIzj0E
AwIDSAAwRQIgcWIG5fPXljK426RTG/B6nkdWKA8KX9nGr3Yc1lh8+R0CIQCG3SYZ
NRDOmayltuvuaG2NrCnKiLjE1qx0NlGYY6YzAw==
-----END CERTIFICATE-----
";

    #[test]
    fn a_certificate_that_no_root_stands_for_is_refused() {
        let own = CertificateDer::from_pem_slice(OWN).expect("a certificate");
        let name = ServerName::try_from("example.org").expect("a name");
        let refused = Roots::default()
            .verify_server_cert(&own, &[], &name, &[], UnixTime::now())
            .expect_err("refused");
        assert_eq!(refused, rustls::CertificateError::UnknownIssuer.into());
    }

    #[test]
    fn a_greeting_names_what_the_roots_may_be_signed_with() {
        let roots = Roots::default();
        let before = roots.supported_verify_schemes();
        assert!(roots.0.get().is_none(), "no roots were read for it");
        let read = roots.verifier().expect("roots");
        assert_eq!(before, read.supported_verify_schemes());
    }
}
