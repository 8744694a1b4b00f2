//! Owns how mail leaves the house: one plain-text message to one address, over SMTP.
//!
//! The transport and the wire format are lettre's. A message's head is written by it from parsed addresses, so nothing that
//! somebody typed can add a line to it.

use crate::domain::user::Email;
use crate::telemetry::providers::MAIL;
use lettre::message::header::ContentType;
use lettre::message::{Mailbox, Message};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use std::time::Duration;

/// How long the server may take for each of its answers.
const TIMEOUT: Duration = Duration::from_secs(15);

/// How the way to the mail server is kept private.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Privacy {
    /// TLS is asked for on the plain port, and insisted on.
    StartTls,
    /// TLS from the first byte.
    Tls,
    /// Nothing: for a server on this machine.
    Open,
}

/// How mail is sent. Plain values: settings stop at the door.
#[derive(Clone)]
pub struct MailSettings {
    /// The server's name.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How the way is kept private.
    pub privacy: Privacy,
    /// The account there and its password.
    pub account: Option<(String, String)>,
    /// Whom messages are from.
    pub from: String,
}

/// Sends mail. Cheap to clone.
#[derive(Clone)]
pub struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl std::fmt::Debug for Mailer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Mailer({})", self.from)
    }
}

impl Mailer {
    /// Speaks to nobody yet.
    ///
    /// # Errors
    /// When the sender is no address, or the server's name cannot stand in a certificate.
    pub fn new(settings: MailSettings) -> Result<Self, String> {
        let from = settings
            .from
            .parse()
            .map_err(|error| format!("mail.from is no address: {error}"))?;
        let tls = || {
            // A second installation is refused, which is fine: the first one is the same.
            let _ = rustls::crypto::ring::default_provider().install_default();
            webpki_root_certs::TLS_SERVER_ROOT_CERTS
                .iter()
                .filter_map(|root| Certificate::from_der(root.to_vec()).ok())
                .fold(
                    TlsParameters::builder(settings.host.clone()),
                    lettre::transport::smtp::client::TlsParametersBuilder::add_root_certificate,
                )
                .build_rustls()
                .map_err(|error| format!("cannot prepare TLS for {}: {error}", settings.host))
        };
        let tls = match settings.privacy {
            Privacy::StartTls => Tls::Required(tls()?),
            Privacy::Tls => Tls::Wrapper(tls()?),
            Privacy::Open => Tls::None,
        };
        let mut transport = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&settings.host)
            .port(settings.port)
            .timeout(Some(TIMEOUT))
            .tls(tls);
        if let Some((user, password)) = settings.account {
            transport = transport.credentials(Credentials::new(user, password));
        }
        Ok(Self {
            transport: transport.build(),
            from,
        })
    }

    /// Sends a message, and answers when the server has taken it.
    ///
    /// # Errors
    /// For the log: why the server did not take it.
    pub async fn send(&self, to: &Email, subject: &str, text: String) -> Result<(), String> {
        let to: Mailbox = to
            .as_str()
            .parse()
            .map_err(|error| format!("the address cannot be written to: {error}"))?;
        let message = Message::builder()
            .from(self.from.clone())
            .to(to)
            .subject(subject)
            .header(ContentType::TEXT_PLAIN)
            .body(text)
            .map_err(|error| format!("the message cannot be written: {error}"))?;
        let call = MAIL.begin();
        let sent = self.transport.send(message).await;
        call.ended(sent.is_ok());
        sent.map(drop).map_err(|error| error.to_string())
    }
}
