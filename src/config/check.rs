//! Owns which settings make sense: each within its range, and together something that this build can do.

use super::load::ConfigError;
use super::openid;
use super::outside::{BlobHome, MailSecurity, Till, Writer};
use super::{Role, Settings};
use crate::domain::repository;
use std::net::IpAddr;
use std::time::Duration;
use tracing_subscriber::EnvFilter;
use url::Url;

impl Settings {
    /// Refuses settings that cannot work, before anything is started with them.
    ///
    /// # Errors
    /// [`ConfigError::Refused`], naming the setting and what would do.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.check_ranges()?;
        self.check_texts()?;
        self.check_together()
    }

    fn check_ranges(&self) -> Result<(), ConfigError> {
        const DAY_S: u64 = 86_400;
        const GIB: u64 = 1 << 30;
        let whole = u64::from;
        let (limits, engine, uploads) = (&self.limits, &self.engine, &self.uploads);
        let (fetch, isolation, reading) = (&self.fetch, &self.isolation, &self.reading);
        for (setting, value, least, most) in [
            (
                "server.shutdown_grace_s",
                whole(self.server.shutdown_grace_s),
                0,
                DAY_S,
            ),
            (
                "server.shutdown_pause_s",
                whole(self.server.shutdown_pause_s),
                0,
                DAY_S,
            ),
            ("server.workers", whole(self.server.workers), 0, 1_024),
            (
                "database.pool_size",
                whole(self.database.pool_size),
                1,
                1_000,
            ),
            (
                "limits.generate_per_minute",
                whole(limits.generate_per_minute),
                1,
                100_000,
            ),
            (
                "limits.other_per_minute",
                whole(limits.other_per_minute),
                1,
                100_000,
            ),
            (
                "limits.running_per_account",
                whole(limits.running_per_account),
                1,
                10_000,
            ),
            (
                "auth.welcomes_per_network",
                whole(self.auth.welcomes_per_network),
                0,
                1_000_000,
            ),
            (
                "auth.session_idle_h",
                whole(self.auth.session_idle_h),
                1,
                8_760,
            ),
            ("auth.session_h", whole(self.auth.session_h), 1, 8_760),
            ("engine.deadline_s", whole(engine.deadline_s), 1, DAY_S),
            ("engine.workers", whole(engine.workers), 0, 1_024),
            ("engine.queue_max", whole(engine.queue_max), 1, 1_000_000),
            ("engine.running_max", whole(engine.running_max), 1, 100_000),
            (
                "engine.fetching_max",
                whole(engine.fetching_max),
                1,
                100_000,
            ),
            ("looks.bytes_max", self.looks.bytes_max, 1, GIB),
            ("looks.at_once", whole(self.looks.at_once), 1, 100_000),
            ("looks.deadline_s", whole(self.looks.deadline_s), 1, DAY_S),
            ("looks.processor_s", whole(self.looks.processor_s), 1, 3_600),
            (
                "watches.least_interval_h",
                whole(self.watches.least_interval_h),
                1,
                168,
            ),
            (
                "watches.per_account",
                whole(self.watches.per_account),
                0,
                10_000,
            ),
            (
                "engine.mailbox_capacity",
                whole(engine.mailbox_capacity),
                1,
                1_000_000,
            ),
            (
                "engine.settlement_batch_max",
                whole(engine.settlement_batch_max),
                1,
                4_096,
            ),
            ("engine.lease_s", whole(engine.lease_s), 1, DAY_S),
            ("engine.attempts_max", whole(engine.attempts_max), 1, 100),
            ("engine.words_min", whole(engine.words_min), 1, 1_000),
            ("uploads.files_max", whole(uploads.files_max), 1, 1_000),
            ("uploads.file_bytes_max", uploads.file_bytes_max, 1, GIB),
            (
                "uploads.request_bytes_max",
                uploads.request_bytes_max,
                1,
                4 * GIB,
            ),
            ("uploads.text_bytes_max", uploads.text_bytes_max, 1, GIB),
            ("uploads.skill_bytes_max", uploads.skill_bytes_max, 1, GIB),
            (
                "uploads.address_chars_max",
                whole(uploads.address_chars_max),
                16,
                65_536,
            ),
            ("uploads.idle_s", whole(uploads.idle_s), 1, 3_600),
            ("uploads.total_s", whole(uploads.total_s), 1, DAY_S),
            (
                "billing.signup_credits",
                whole(self.billing.signup_credits),
                0,
                1_000_000,
            ),
            (
                "billing.packs.starter",
                whole(self.billing.packs.starter),
                1,
                1_000_000,
            ),
            (
                "billing.packs.pro_pack",
                whole(self.billing.packs.pro_pack),
                1,
                1_000_000,
            ),
            ("fetch.timeout_s", whole(fetch.timeout_s), 1, 3_600),
            ("fetch.body_bytes_max", fetch.body_bytes_max, 1, GIB),
            (
                "model.context_tokens",
                whole(self.model.context_tokens),
                4_096,
                10_000_000,
            ),
            (
                "model.answer_tokens_max",
                whole(self.model.answer_tokens_max),
                512,
                1_000_000,
            ),
            ("blobs.timeout_s", whole(self.blobs.timeout_s), 1, 3_600),
            ("model.deadline_s", whole(self.model.deadline_s), 0, DAY_S),
            ("model.timeout_s", whole(self.model.timeout_s), 1, 3_600),
            ("model.attempts_max", whole(self.model.attempts_max), 1, 20),
            (
                "model.requests_at_once",
                whole(self.model.requests_at_once),
                1,
                1_024,
            ),
            ("model.cache_bytes_max", self.model.cache_bytes_max, 0, GIB),
            (
                "model.kept_bytes_max",
                self.model.kept_bytes_max,
                0,
                64 * GIB,
            ),
            (
                "isolation.inside_bytes_max",
                whole(isolation.inside_bytes_max),
                1 << 10,
                8 << 20,
            ),
            (
                "isolation.workers_max",
                whole(isolation.workers_max),
                0,
                1_024,
            ),
            (
                "isolation.answer_bytes_max",
                isolation.answer_bytes_max,
                1 << 20,
                GIB,
            ),
            ("isolation.timeout_s", whole(isolation.timeout_s), 1, 3_600),
            (
                "isolation.processor_s",
                whole(isolation.processor_s),
                1,
                3_600,
            ),
            (
                "isolation.memory_bytes",
                isolation.memory_bytes,
                256 << 20,
                64 * GIB,
            ),
            (
                "reading.pdf_pages_max",
                whole(reading.pdf_pages_max),
                1,
                100_000,
            ),
            (
                "reading.archive_entries_max",
                whole(reading.archive_entries_max),
                1,
                100_000,
            ),
            (
                "reading.archive_bytes_max",
                reading.archive_bytes_max,
                1,
                GIB,
            ),
            (
                "reading.archive_ratio_max",
                whole(reading.archive_ratio_max),
                1,
                10_000,
            ),
            (
                "reading.archive_depth_max",
                whole(reading.archive_depth_max),
                0,
                8,
            ),
            (
                "reading.site_pages_max",
                whole(reading.site_pages_max),
                1,
                1_000,
            ),
            (
                "reading.site_bytes_max",
                reading.site_bytes_max,
                1 << 16,
                GIB,
            ),
            (
                "reading.site_seconds_max",
                whole(reading.site_seconds_max),
                1,
                DAY_S,
            ),
        ] {
            if !(least..=most).contains(&value) {
                return refuse(
                    setting,
                    format!("{value} is not between {least} and {most}"),
                );
            }
        }
        Ok(())
    }

    fn check_texts(&self) -> Result<(), ConfigError> {
        for (setting, address) in [
            ("server.public_url", &self.server.public_url),
            ("video.base_url", &self.video.base_url),
            ("billing.base_url", &self.billing.base_url),
        ] {
            if !is_address(address) {
                return refuse(
                    setting,
                    format!(
                        "`{address}` is not an http or https address without a slash at its end"
                    ),
                );
            }
        }
        let public = Url::parse(&self.server.public_url);
        if !public
            .is_ok_and(|url| url.path() == "/" && url.query().is_none() && url.fragment().is_none())
        {
            return refuse(
                "server.public_url",
                format!(
                    "`{}` has a path: the service answers at the root of a host of its own only, such as https://kiln.example.org",
                    self.server.public_url
                ),
            );
        }
        let contact = &self.server.security_contact;
        let is_kind = ["mailto:", "https://", "tel:"]
            .iter()
            .any(|kind| contact.starts_with(kind));
        if !(contact.is_empty() || is_kind && contact.chars().all(|c| c.is_ascii_graphic())) {
            return refuse(
                "server.security_contact",
                format!("`{contact}` is no mailto:, https:// or tel: address"),
            );
        }
        let brand = &self.auth.key_brand;
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if brand.is_empty() || brand.len() > 32 || !brand.chars().all(plain) {
            return refuse(
                "auth.key_brand",
                format!("`{brand}` is not 1 to 32 of a-z, 0-9 and _"),
            );
        }
        let clients = &self.video.clients;
        if clients.is_empty() || clients.len() > 8 {
            return refuse(
                "video.clients",
                "it must name 1 to 8 of the video service's programs".into(),
            );
        }
        let sayable =
            |text: &String| !text.is_empty() && text.chars().all(|c| (' '..='~').contains(&c));
        if !clients.iter().all(|client| {
            [&client.name, &client.version, &client.user_agent]
                .into_iter()
                .all(sayable)
        }) {
            return refuse(
                "video.clients",
                "name, version and user_agent must be words of plain ASCII".into(),
            );
        }
        let agent = &self.fetch.user_agent;
        if agent.trim().is_empty() || !agent.chars().all(|c| c == ' ' || c.is_ascii_graphic()) {
            return refuse("fetch.user_agent", "it must be words of plain ASCII".into());
        }
        let proxy = &self.fetch.proxy;
        if !proxy.is_empty()
            && !Url::parse(proxy).is_ok_and(|url| url.scheme() == "http" && url.has_host())
        {
            return refuse(
                "fetch.proxy",
                format!("`{proxy}` is not the http address of a proxy"),
            );
        }
        let hosts = &self.fetch.git_hosts;
        if let Some(wrong) = hosts
            .iter()
            .find(|host| repository::host_of(host).is_none())
        {
            return refuse(
                "fetch.git_hosts",
                format!("`{wrong}` is no host with its kind, such as git.example.org=gitlab"),
            );
        }
        if let Err(cause) = EnvFilter::try_new(&self.log.level) {
            return refuse(
                "log.level",
                format!("`{}` is no list of levels: {cause}", self.log.level),
            );
        }
        let collector = &self.telemetry.otlp_url;
        let is_address = |text: &str| {
            Url::parse(text)
                .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
        };
        if !collector.is_empty() && !is_address(collector) {
            return refuse(
                "telemetry.otlp_url",
                "it must be an http or https address, such as http://127.0.0.1:4318".into(),
            );
        }
        let is_name = |name: &String| {
            !name.is_empty()
                && name
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "-.".contains(c))
        };
        if !self.server.admin_names.iter().all(is_name) {
            return refuse(
                "server.admin_names",
                "each must be the name of a host, without a port".into(),
            );
        }
        Ok(())
    }

    fn check_together(&self) -> Result<(), ConfigError> {
        let database = &self.database;
        let known = ["sqlite://", "postgres://", "postgresql://"];
        let is_url = known.iter().any(|scheme| {
            database
                .url
                .strip_prefix(scheme)
                .is_some_and(|rest| !rest.is_empty())
        });
        if database.url_file.as_os_str().is_empty() && !is_url {
            // The URL itself may hold a password, so it is not repeated.
            return refuse(
                "database.url",
                "it must be sqlite://path or postgres://user@host/database".into(),
            );
        }
        let is_sqlite =
            database.url_file.as_os_str().is_empty() && database.url.starts_with("sqlite://");
        if self.server.role != Role::All && is_sqlite {
            return refuse(
                "server.role",
                "api and worker are parts of several nodes, which share a PostgreSQL database"
                    .into(),
            );
        }
        let mail = &self.mail;
        if !mail.user.is_empty() && mail.security == MailSecurity::None {
            return refuse(
                "mail.security",
                "an account's password would travel in the clear; use starttls or tls".into(),
            );
        }
        if self.server.bind == self.server.admin_bind && self.server.bind.port() != 0 {
            return refuse(
                "server.admin_bind",
                "it must differ from server.bind: operator pages are never public".into(),
            );
        }
        if self.uploads.request_bytes_max < self.uploads.file_bytes_max {
            return refuse(
                "uploads.request_bytes_max",
                "it must be at least uploads.file_bytes_max".into(),
            );
        }
        let blobs = &self.blobs;
        if blobs.home == BlobHome::Database && is_sqlite {
            return refuse(
                "blobs.home",
                "files are kept in a PostgreSQL database alone; beside SQLite set it to folder"
                    .into(),
            );
        }
        let has_others = !self.cluster.url.is_empty() || self.server.role != Role::All;
        if blobs.home == BlobHome::Folder && has_others && !is_sqlite {
            return refuse("blobs.home", "other nodes do not find files in a folder of this one; with several nodes set it to database or s3".into());
        }
        if blobs.home == BlobHome::S3 {
            if blobs.bucket.is_empty() || blobs.access_key.is_empty() {
                return refuse(
                    "blobs.bucket",
                    "storage of the kind s3 needs blobs.bucket and blobs.access_key".into(),
                );
            }
            if blobs.secret_key_file.as_os_str().is_empty() {
                return refuse(
                    "blobs.secret_key_file",
                    "storage of the kind s3 needs the file with the secret key".into(),
                );
            }
            let is_address = |url: Url| matches!(url.scheme(), "http" | "https") && url.has_host();
            if !blobs.endpoint.is_empty() && !Url::parse(&blobs.endpoint).is_ok_and(is_address) {
                return refuse(
                    "blobs.endpoint",
                    "it must be an http or https address, or empty".into(),
                );
            }
        }
        let cluster = &self.cluster.url;
        let is_server = |url: Url| {
            let number = url.path().trim_start_matches('/');
            matches!(url.scheme(), "redis" | "rediss")
                && url.has_host()
                && (number.is_empty() || number.parse::<u16>().is_ok())
        };
        if !cluster.is_empty() && !Url::parse(cluster).is_ok_and(is_server) {
            // It may hold a password, so it is not repeated.
            return refuse(
                "cluster.url",
                "it must be redis://host:6379 or rediss://host:6379 (Redis or Valkey), with /number for another of its databases, or empty".into(),
            );
        }
        self.check_model()?;
        openid::check(&self.openid).or_else(|message| refuse("openid", message))?;
        self.check_billing()
    }

    fn check_billing(&self) -> Result<(), ConfigError> {
        let billing = &self.billing;
        let prices = [
            ("billing.prices.starter", &billing.prices.starter),
            ("billing.prices.pro_pack", &billing.prices.pro_pack),
            ("billing.prices.unlimited", &billing.prices.unlimited),
        ];
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        for (position, (setting, price)) in prices.iter().enumerate() {
            if price.len() > 255 || !price.chars().all(plain) {
                return refuse(setting, format!("`{price}` is no name of a price"));
            }
            let earlier = prices.iter().take(position);
            if !price.is_empty() && earlier.into_iter().any(|(_, other)| other == price) {
                return refuse(setting, "two plans cannot have the same price".into());
            }
        }
        if billing.provider == Till::Stripe && !is_private_talk(&billing.base_url) {
            return refuse(
                "billing.base_url",
                "a secret key is sent to https addresses only, or within this machine or network"
                    .into(),
            );
        }
        Ok(())
    }
}

impl Settings {
    /// How long a run may take, from its order to its end.
    #[must_use]
    pub fn run_deadline(&self) -> Duration {
        let has_own = self.model.provider != Writer::Extractive && self.model.deadline_s > 0;
        let seconds = match has_own {
            true => self.model.deadline_s,
            false => self.engine.deadline_s,
        };
        Duration::from_secs(u64::from(seconds))
    }

    /// What a model needs; nothing while none is asked.
    fn check_model(&self) -> Result<(), ConfigError> {
        let model = &self.model;
        if model.provider == Writer::Extractive {
            return Ok(());
        }
        let names_its_model = matches!(
            model.provider,
            Writer::Azure | Writer::Gemini | Writer::Ollama
        );
        if names_its_model && model.model.trim().is_empty() {
            return refuse(
                "model.model",
                "name the model (on Azure: its deployment) that is to answer".into(),
            );
        }
        if model.provider == Writer::Azure && model.base_url.is_empty() {
            return refuse(
                "model.base_url",
                "name the address of the resource, such as https://NAME.openai.azure.com".into(),
            );
        }
        let is_header = |(name, value): (&String, &String)| {
            let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
            let is_said = |byte: u8| byte == b' ' || byte.is_ascii_graphic();
            !name.is_empty() && name.bytes().all(is_word) && value.bytes().all(is_said)
        };
        if !model.headers.iter().all(is_header) {
            return refuse(
                "model.headers",
                // A value may be a secret, so it is not repeated.
                "a name or a value cannot stand in a request".into(),
            );
        }
        let is_local = model.provider == Writer::Ollama;
        if model.base_url.is_empty() && !is_local {
            if model.model.trim().is_empty() {
                return refuse(
                    "model.model",
                    "name the model that the provider is to answer with".into(),
                );
            }
            if model.api_key_file.as_os_str().is_empty() {
                return refuse(
                    "model.api_key_file",
                    "the provider's own server needs a key; name the file that holds it, or set model.base_url to a server of your own".into(),
                );
            }
        } else if !model.base_url.is_empty() && !is_address(model.base_url.trim_end_matches('/')) {
            return refuse(
                "model.base_url",
                // It may hold a password, so it is not repeated.
                "it is not an http or https address".into(),
            );
        }
        if model.answer_tokens_max > model.context_tokens / 2 {
            return refuse(
                "model.answer_tokens_max",
                "it must be at most half of model.context_tokens, so that the source has room"
                    .into(),
            );
        }
        Ok(())
    }
}

/// Whether a text is the address of a server, as settings spell it.
fn is_address(text: &str) -> bool {
    let is_http = |url: Url| matches!(url.scheme(), "http" | "https") && url.has_host();
    Url::parse(text).is_ok_and(is_http) && !text.ends_with('/')
}

/// Whether nobody outside can listen: TLS, or an address that is not on the public network.
fn is_private_talk(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else {
        return false;
    };
    let host = url.host_str().unwrap_or_default();
    let host = host.trim_matches(['[', ']']);
    url.scheme() == "https"
        || match host.parse::<IpAddr>() {
            Ok(IpAddr::V4(v4)) => v4.is_loopback() || v4.is_private() || v4.is_link_local(),
            Ok(IpAddr::V6(v6)) => v6.is_loopback() || v6.is_unique_local(),
            Err(_) => !host.contains('.') || host.ends_with(".localhost"),
        }
}

fn refuse(setting: &'static str, message: String) -> Result<(), ConfigError> {
    Err(ConfigError::Refused { setting, message })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(flags: &[&str]) -> Option<&'static str> {
        let flags: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
        let settings = Settings::default().with_flags(&flags).expect("well formed");
        match settings.check() {
            Ok(()) => None,
            Err(ConfigError::Refused { setting, .. }) => Some(setting),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn the_defaults_make_sense() {
        assert_eq!(refused(&[]), None);
    }

    #[test]
    fn what_this_build_cannot_do_is_said_at_the_start() {
        for wrong in ["127.0.0.1:6379", "http://x", "redis://", "redis://x/y"] {
            let set = format!("cluster.url={wrong}");
            assert_eq!(refused(&[&set]), Some("cluster.url"), "{wrong}");
        }
        for right in ["redis://x", "rediss://:secret@x:6380/2"] {
            let set = format!("cluster.url={right}");
            assert_eq!(refused(&[&set]), None, "{right}");
        }
        assert_eq!(refused(&["database.url=mysql://x/y"]), Some("database.url"));
        assert_eq!(refused(&["database.url=sqlite://"]), Some("database.url"));
    }

    #[test]
    fn a_model_needs_a_name_and_a_key_or_a_server_of_ones_own() {
        for provider in ["model.provider=openai", "model.provider=anthropic"] {
            let named = "model.model=any";
            assert_eq!(refused(&[provider]), Some("model.model"));
            assert_eq!(refused(&[provider, named]), Some("model.api_key_file"));
            let key = "model.api_key_file=/run/key";
            assert_eq!(refused(&[provider, named, key]), None);
            let own = "model.base_url=http://127.0.0.1:9/v1";
            assert_eq!(refused(&[provider, named, own]), None);
            assert_eq!(refused(&[provider, own]), None);
            let wrong = "model.base_url=127.0.0.1:9";
            assert_eq!(refused(&[provider, named, wrong]), Some("model.base_url"));
            let small = "model.context_tokens=5000";
            assert_eq!(
                refused(&[provider, named, own, small]),
                Some("model.answer_tokens_max")
            );
        }
    }

    #[test]
    fn a_run_with_a_model_has_a_deadline_of_its_own_where_that_is_set() {
        let deadline = |flags: &[&str]| {
            let flags: Vec<String> = flags.iter().map(|one| (*one).to_owned()).collect();
            let settings = Settings::default().with_flags(&flags);
            settings.expect("well formed").run_deadline().as_secs()
        };
        let (engine, model) = ("engine.deadline_s=90", "model.deadline_s=900");
        assert_eq!(deadline(&[engine, model]), 90);
        assert_eq!(deadline(&[engine, model, "model.provider=openai"]), 900);
        assert_eq!(deadline(&[engine, "model.provider=openai"]), 90);
        assert_eq!(
            refused(&["model.deadline_s=86401"]),
            Some("model.deadline_s")
        );
    }

    #[test]
    fn a_secret_key_is_never_sent_in_the_clear_and_no_price_sells_two_plans() {
        let at = |address: &str| {
            refused(&[
                "billing.provider=stripe",
                &format!("billing.base_url={address}"),
            ])
        };
        for good in [
            "https://api.stripe.com",
            "http://127.0.0.1:9",
            "http://[::1]:9",
            "http://stripe-mock:12111",
        ] {
            assert_eq!(at(good), None, "{good}");
        }
        for bad in ["http://api.stripe.com", "http://203.0.113.7"] {
            assert_eq!(at(bad), Some("billing.base_url"), "{bad}");
        }
        assert_eq!(
            refused(&[
                "billing.prices.starter=price_1",
                "billing.prices.unlimited=price_1"
            ]),
            Some("billing.prices.unlimited")
        );
        assert_eq!(
            refused(&["billing.prices.starter=a b"]),
            Some("billing.prices.starter")
        );
        assert_eq!(
            refused(&["billing.packs.starter=0"]),
            Some("billing.packs.starter")
        );
    }

    #[test]
    fn values_out_of_range_are_named() {
        assert_eq!(
            refused(&["limits.other_per_minute=0"]),
            Some("limits.other_per_minute")
        );
        assert_eq!(refused(&["engine.lease_s=0"]), Some("engine.lease_s"));
        assert_eq!(
            refused(&["auth.key_brand=My Brand"]),
            Some("auth.key_brand")
        );
        assert_eq!(
            refused(&["server.public_url=example.org"]),
            Some("server.public_url")
        );
        assert_eq!(
            refused(&["server.security_contact=security@example.org"]),
            Some("server.security_contact")
        );
        assert_eq!(
            refused(&["server.public_url=https://a.example/"]),
            Some("server.public_url")
        );
        assert_eq!(refused(&["fetch.proxy=proxy:3128"]), Some("fetch.proxy"));
        assert_eq!(refused(&["fetch.proxy=http://proxy:3128"]), None);
        assert_eq!(
            refused(&["fetch.git_hosts=[\"git.example.org\"]"]),
            Some("fetch.git_hosts")
        );
        assert_eq!(
            refused(&["server.public_url=https://a.example/kiln"]),
            Some("server.public_url")
        );
        assert_eq!(
            refused(&["server.public_url=https://a.example?kiln"]),
            Some("server.public_url")
        );
        assert_eq!(refused(&["log.level=info,=,"]), Some("log.level"));
        assert_eq!(
            refused(&["telemetry.otlp_url=localhost:4318"]),
            Some("telemetry.otlp_url")
        );
        assert_eq!(refused(&["telemetry.otlp_url=http://localhost:4318"]), None);
        assert_eq!(
            refused(&["server.admin_names=[\"a:1\"]"]),
            Some("server.admin_names")
        );
    }

    #[test]
    fn settings_that_contradict_each_other_are_named() {
        assert_eq!(
            refused(&["server.bind=127.0.0.1:9", "server.admin_bind=127.0.0.1:9"]),
            Some("server.admin_bind")
        );
        assert_eq!(
            refused(&["server.bind=127.0.0.1:0", "server.admin_bind=127.0.0.1:0"]),
            None
        );
        assert_eq!(
            refused(&["mail.user=kiln", "mail.security=none"]),
            Some("mail.security")
        );
        assert_eq!(
            refused(&["uploads.request_bytes_max=10"]),
            Some("uploads.request_bytes_max")
        );
        assert_eq!(refused(&["blobs.home=s3"]), Some("blobs.bucket"));
        assert_eq!(refused(&["blobs.home=database"]), Some("blobs.home"));
        let url = "database.url=postgres://a@b/c";
        for several in ["cluster.url=redis://c", "server.role=api"] {
            assert_eq!(refused(&[url, several]), Some("blobs.home"), "{several}");
            assert_eq!(refused(&[url, several, "blobs.home=database"]), None);
        }
        assert_eq!(refused(&[url]), None);
        let named = ["blobs.home=s3", "blobs.bucket=b", "blobs.access_key=a"];
        assert_eq!(refused(&named), Some("blobs.secret_key_file"));
    }
}
