//! Owns how the surfaces are set: plain values, so that no handler knows the names of settings.

use crate::config::network::Network;
use crate::config::{Role, Settings};
use crate::http::room::Room;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::time::Duration;
use url::{Host, Url};

/// How the surfaces are set.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// Where the public surfaces listen; port 0 picks one. None on a node that has none.
    pub bind: Option<SocketAddr>,
    /// Where the operators' surface listens.
    pub admin_bind: SocketAddr,
    /// Names under which it is opened in a browser, beside its numbers and `localhost`.
    pub admin_names: Vec<String>,
    /// The address that users see, without a slash at its end.
    pub public_url: String,
    /// Where a weakness is reported; empty for nowhere.
    pub security_contact: String,
    /// Whether browsers reach the service by TLS, so that they are told to send its cookie in no other way. Only an `http` address
    /// of this very machine does without.
    pub is_secure: bool,
    /// Whether the address that users see is one of TLS, so that browsers are told to use no other.
    pub is_tls: bool,
    /// How long a browser keeps the cookie.
    pub session_max: Duration,
    /// What keys begin with, before `_sk_`.
    pub key_brand: String,
    /// Whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
    /// Threads that answer; `None` for one a core.
    pub workers: Option<NonZeroUsize>,
    /// How long the service is not ready before it stops to listen.
    pub shutdown_pause: Duration,
    /// How long running generations get when the service stops.
    pub shutdown_grace: Duration,
    /// Most pages of a site that are read together.
    pub site_pages_max: u32,
    /// Words that a text has at least (decision 64).
    pub words_min: usize,
    /// What a request may hold.
    pub limits: BodyLimits,
}

/// What a request may hold (decisions 29 and 56).
#[derive(Debug, Clone)]
pub struct BodyLimits {
    /// Most bytes of one file.
    pub file_bytes_max: usize,
    /// Most bytes of a whole body.
    pub request_bytes_max: usize,
    /// Most bytes of a text.
    pub text_bytes_max: usize,
    /// Most bytes of a SKILL.md that its owner writes.
    pub skill_bytes_max: usize,
    /// Most characters of an address.
    pub address_chars_max: usize,
    /// Most files of an upload.
    pub files_max: usize,
    /// The room for all bodies that are read at once.
    pub(in crate::http) room: Room,
    /// Most time between two pieces of a body.
    pub idle_max: Duration,
    /// Most time for a whole body.
    pub total_max: Duration,
}

/// How many bodies of the largest size are kept in memory at once; more small ones fit in the same room.
const BODIES_AT_ONCE: usize = 4;

impl From<&Settings> for HttpSettings {
    fn from(settings: &Settings) -> Self {
        let seconds = |seconds: u32| Duration::from_secs(u64::from(seconds));
        let size = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
        let (server, uploads) = (&settings.server, &settings.uploads);
        Self {
            bind: (server.role != Role::Worker).then_some(server.bind),
            admin_bind: server.admin_bind,
            admin_names: server.admin_names.clone(),
            public_url: server.public_url.trim_end_matches('/').to_owned(),
            security_contact: server.security_contact.clone(),
            is_secure: is_secure(&server.public_url),
            is_tls: server.public_url.starts_with("https://"),
            session_max: Duration::from_secs(u64::from(settings.auth.session_h) * 3600),
            key_brand: settings.auth.key_brand.clone(),
            trusted_proxies: server.trusted_proxies.clone(),
            workers: NonZeroUsize::new(server.workers as usize),
            shutdown_pause: seconds(server.shutdown_pause_s),
            shutdown_grace: seconds(server.shutdown_grace_s),
            site_pages_max: settings.reading.site_pages_max,
            words_min: settings.engine.words_min as usize,
            limits: BodyLimits {
                file_bytes_max: size(uploads.file_bytes_max),
                request_bytes_max: size(uploads.request_bytes_max),
                text_bytes_max: size(uploads.text_bytes_max),
                skill_bytes_max: size(uploads.skill_bytes_max),
                address_chars_max: uploads.address_chars_max as usize,
                files_max: uploads.files_max as usize,
                room: Room::new(size(uploads.request_bytes_max).saturating_mul(BODIES_AT_ONCE)),
                idle_max: seconds(uploads.idle_s),
                total_max: seconds(uploads.total_s),
            },
        }
    }
}

/// Whether browsers must reach this address by TLS: always, but on this very machine.
fn is_secure(public_url: &str) -> bool {
    let Ok(url) = Url::parse(public_url) else {
        return true;
    };
    let is_here = match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    };
    url.scheme() != "http" || !is_here
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_very_machine_does_without_tls() {
        for here in [
            "http://127.0.0.1:8080",
            "http://localhost",
            "http://[::1]:1",
            "http://a.localhost",
        ] {
            assert!(!is_secure(here), "{here}");
        }
        for there in [
            "https://127.0.0.1",
            "http://kiln.example",
            "http://10.0.0.1",
            "https://kiln.example",
        ] {
            assert!(is_secure(there), "{there}");
        }
    }
}
