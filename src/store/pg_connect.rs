//! Owns how a connection to PostgreSQL is made: over TLS as the address says with `sslmode` and `sslrootcert`, which are read as libpq
//! reads them. By default TLS is preferred and nobody's certificate is looked at; `verify-full` believes only the named host.

use crate::store::model::StoreError;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};
use rustls_platform_verifier::Verifier;
use std::error::Error as _;
use std::sync::Arc;
use tokio_postgres::config::SslMode;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{Client, Config, Connection, SimpleQueryMessage, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

type Stream = <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream;

/// How much of the server's certificate is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verified {
    Nothing,
    /// That an authority we trust issued it.
    Authority,
    /// That it is the named host's too.
    Host,
}

/// What an address says of TLS, and the address without it.
#[derive(Debug, PartialEq, Eq)]
struct Wish {
    address: String,
    mode: SslMode,
    verified: Verified,
    /// The file with the authorities; the platform's own where none is named.
    authorities: Option<String>,
}

impl Wish {
    fn of(url: &str) -> Result<Self, String> {
        let (before, query) = url.split_once('?').unwrap_or((url, ""));
        let (mut word, mut authorities, mut rest) = ("prefer", None, Vec::new());
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=') {
                Some(("sslmode", value)) => word = value,
                Some(("sslrootcert", "system")) => {}
                Some(("sslrootcert", file)) => authorities = Some(file.replace("%2F", "/")),
                _ => rest.push(pair),
            }
        }
        let (mode, verified) = match (word, &authorities) {
            ("disable", _) => (SslMode::Disable, Verified::Nothing),
            // A server that takes both is asked for the safer one.
            ("allow" | "prefer", _) => (SslMode::Prefer, Verified::Nothing),
            ("require", None) => (SslMode::Require, Verified::Nothing),
            ("require" | "verify-ca", _) => (SslMode::Require, Verified::Authority),
            ("verify-full", _) => (SslMode::Require, Verified::Host),
            (other, _) => {
                return Err(format!(
                    "sslmode={other} in the database's address is none of disable, allow, prefer, require, verify-ca and verify-full"
                ));
            }
        };
        let mark = if rest.is_empty() { "" } else { "?" };
        Ok(Self {
            address: format!("{before}{mark}{}", rest.join("&")),
            mode,
            verified,
            authorities,
        })
    }
}

/// Makes a connection.
///
/// # Errors
/// [`StoreError::Broken`] when the address makes no sense, [`StoreError::Unavailable`] when there is no answer or no agreement.
pub(crate) async fn open(url: &str) -> Result<(Client, Connection<Socket, Stream>), StoreError> {
    let wish = Wish::of(url).map_err(StoreError::Broken)?;
    let mut config: Config = wish
        .address
        .parse()
        .map_err(|error| StoreError::Broken(in_words(&error)))?;
    config.ssl_mode(wish.mode);
    let tls = tls(wish.verified, wish.authorities.as_deref()).map_err(StoreError::Broken)?;
    let connecting = config.connect(MakeRustlsConnect::new(tls)).await;
    connecting.map_err(|error| StoreError::Unavailable(in_words(&error)))
}

/// Refuses a pooler in front of the database that gives one session to several clients in turn, as PgBouncer does in transaction mode:
/// statements that were prepared, locks and settings would be somebody else's. It shows itself when a session is another one after
/// somebody else had it.
///
/// # Errors
/// [`StoreError::Broken`] for such a pooler, [`StoreError::Unavailable`] without an answer.
pub(crate) async fn refuse_shared_sessions(url: &str) -> Result<(), StoreError> {
    let (one, other) = (session(url).await?, session(url).await?);
    one.batch_execute("BEGIN").await.map_err(broken)?;
    let before = backend(&other).await?;
    one.batch_execute("COMMIT").await.map_err(broken)?;
    for _ in 0..ASKED_AGAIN {
        if backend(&other).await? != before {
            return Err(StoreError::Broken(
                "the database's address leads to a pooler that shares sessions among its clients, such as PgBouncer in transaction mode; name the server's own port in database.url, or set pool_mode = session there"
                    .to_owned(),
            ));
        }
    }
    Ok(())
}

/// How often it is asked: a pooler may take its sessions in turn.
const ASKED_AGAIN: usize = 3;

/// A connection that is driven by itself.
pub(crate) async fn session(url: &str) -> Result<Client, StoreError> {
    let (client, connection) = open(url).await?;
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection ended");
        }
    });
    Ok(client)
}

fn broken(error: tokio_postgres::Error) -> StoreError {
    StoreError::Unavailable(in_words(&error))
}

/// Which process of the server answers; asked without preparing anything.
async fn backend(client: &Client) -> Result<Option<String>, StoreError> {
    let answers = client.simple_query("SELECT pg_backend_pid()").await;
    let row = answers
        .map_err(broken)?
        .into_iter()
        .find_map(|answer| match answer {
            SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
            _ => None,
        });
    Ok(row)
}

/// What went wrong, and why.
pub(crate) fn in_words(error: &tokio_postgres::Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

fn tls(verified: Verified, authorities: Option<&str>) -> Result<ClientConfig, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let verifier: Arc<dyn ServerCertVerifier> = match (verified, authorities) {
        (Verified::Nothing, _) => Arc::new(Anybody(provider.clone())),
        (_, None) => Arc::new(Verifier::new(provider.clone()).map_err(|error| error.to_string())?),
        (_, Some(file)) => from_file(file, provider.clone())?,
    };
    let verifier = match verified {
        Verified::Authority => Arc::new(AnyHost(verifier)),
        Verified::Nothing | Verified::Host => verifier,
    };
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    Ok(builder
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth())
}

fn from_file(
    file: &str,
    provider: Arc<CryptoProvider>,
) -> Result<Arc<dyn ServerCertVerifier>, String> {
    let failed = |cause: String| format!("cannot use the certificates in {file}: {cause}");
    let mut roots = RootCertStore::empty();
    let found = CertificateDer::pem_file_iter(file).map_err(|error| failed(error.to_string()))?;
    for certificate in found {
        let certificate = certificate.map_err(|error| failed(error.to_string()))?;
        let added = roots.add(certificate);
        added.map_err(|error| failed(error.to_string()))?;
    }
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build();
    Ok(verifier.map_err(|error| failed(error.to_string()))?)
}

/// Believes any certificate, as libpq does where it is not told to verify: who listens along learns nothing, who stands between does.
#[derive(Debug)]
struct Anybody(Arc<CryptoProvider>);

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let known = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let known = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

/// Believes what another verifier believes, whichever host it was issued for.
#[derive(Debug)]
struct AnyHost(Arc<dyn ServerCertVerifier>);

impl ServerCertVerifier for AnyHost {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let verified =
            self.0
                .verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now);
        // The name is looked at last.
        match verified {
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0
            .verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0
            .verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(url: &str) -> (SslMode, Verified, Option<String>, String) {
        let wish = Wish::of(url).expect("an address");
        (wish.mode, wish.verified, wish.authorities, wish.address)
    }

    #[test]
    fn an_address_says_how_far_its_server_is_trusted() {
        let bare = "postgres://a@b/c".to_owned();
        for (query, mode, verified, authorities) in [
            ("", SslMode::Prefer, Verified::Nothing, None),
            (
                "?sslmode=disable",
                SslMode::Disable,
                Verified::Nothing,
                None,
            ),
            ("?sslmode=allow", SslMode::Prefer, Verified::Nothing, None),
            (
                "?sslmode=require",
                SslMode::Require,
                Verified::Nothing,
                None,
            ),
            (
                "?sslmode=verify-ca",
                SslMode::Require,
                Verified::Authority,
                None,
            ),
            (
                "?sslmode=verify-full&sslrootcert=system",
                SslMode::Require,
                Verified::Host,
                None,
            ),
            (
                "?sslrootcert=/x.pem&sslmode=require",
                SslMode::Require,
                Verified::Authority,
                Some("/x.pem"),
            ),
            (
                "?sslmode=verify-full&sslrootcert=%2Fx.pem",
                SslMode::Require,
                Verified::Host,
                Some("/x.pem"),
            ),
        ] {
            let expected = (mode, verified, authorities.map(str::to_owned), bare.clone());
            assert_eq!(read(&format!("{bare}{query}")), expected, "{query}");
        }
        let (.., rest) = read("postgres://a@b/c?connect_timeout=5&sslmode=require&options=-c%20x");
        assert_eq!(rest, "postgres://a@b/c?connect_timeout=5&options=-c%20x");
        let refused = Wish::of("postgres://a@b/c?sslmode=full").expect_err("no mode");
        assert!(refused.contains("verify-full"), "{refused}");
    }
}
