//! Owns the settings: every one of them, with its unit, its default and what it is for.
//!
//! They flow from defaults, `config.toml`, the environment and flags, each overruling the one before ([`load`]). Settings
//! stop at the doors of the house: the wiring reads them and hands plain values to the rooms inside. The shipped
//! `config.toml` shows every setting with its default; a test keeps the two equal.

pub mod check;
pub mod load;
pub mod network;
pub mod openid;
pub mod outside;

use network::Network;
use openid::OpenId;
use outside::{Billing, Blobs, Fetch, Mail, Model, Video};
use serde::{Deserialize, Serialize};
use skillkiln_readers::limits::Reading;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// All settings. `Settings::default()` runs the service with nothing but the binary.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Where the service listens.
    pub server: Server,
    /// Where the truth is kept.
    pub database: Database,
    /// Where files are kept.
    pub storage: Storage,
    /// Where uploaded files are kept.
    pub blobs: Blobs,
    /// What nodes share beside the database.
    pub cluster: Cluster,
    /// How keys are made and kept.
    pub auth: Auth,
    /// How much one account or address may ask for.
    pub limits: Limits,
    /// How runs are run.
    pub engine: Engine,
    /// How much may be sent.
    pub uploads: Uploads,
    /// How web pages are read.
    pub fetch: Fetch,
    /// How much of a source is read.
    pub reading: Reading,
    /// What is looked into for free.
    pub looks: Looks,
    /// Which skills' sources are looked at again.
    pub watches: Watches,
    /// How sources are worked on in a process of their own.
    pub isolation: Isolation,
    /// How videos are read.
    pub video: Video,
    /// Who writes the skills.
    pub model: Model,
    /// Who takes the money.
    pub billing: Billing,
    /// How mail is sent.
    pub mail: Mail,
    /// Who vouches for people, so that they need no password here.
    pub openid: OpenId,
    /// What is logged.
    pub log: Log,
    /// Where traces go.
    pub telemetry: Telemetry,
}

/// Where traces go.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Telemetry {
    /// The collector that takes OTLP over HTTP, such as `http://127.0.0.1:4318`; empty exports no traces. Default empty.
    pub otlp_url: String,
    /// What the service is called there. Default `skillkiln`.
    pub service_name: String,
}

impl Default for Telemetry {
    fn default() -> Self {
        Self {
            otlp_url: String::new(),
            service_name: "skillkiln".to_owned(),
        }
    }
}

/// Where the service listens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Server {
    /// The public address and port. Port 0 picks a free one; the line printed at start names it. Default `127.0.0.1:8080`.
    pub bind: SocketAddr,
    /// The address under which users reach the service, without a slash at the end. Default `http://127.0.0.1:8080`.
    pub public_url: String,
    /// The operator's address and port: health, metrics, operator pages and nothing else. Default `127.0.0.1:8081`.
    pub admin_bind: SocketAddr,
    /// Names under which operators open that address in a browser, beside its numbers and `localhost`. Default none.
    pub admin_names: Vec<String>,
    /// Networks whose `X-Forwarded-For` is believed, such as `10.0.0.0/8`. Default none.
    pub trusted_proxies: Vec<Network>,
    /// Threads that answer requests; 0 for one a core. Default 0.
    pub workers: u32,
    /// Where people report a weakness of this service, for `/.well-known/security.txt`: an address such as `mailto:security@example.org`, or
    /// that of a page. Default none.
    pub security_contact: String,
    /// What the node does: `all`; `api` answers requests and leaves their runs to others; `worker` carries runs out and answers operators
    /// alone. The latter two need PostgreSQL. Default `all`.
    pub role: Role,
    /// Seconds between SIGTERM or SIGINT, when `/readyz` turns 503, and the end of listening, for load balancers to notice. Default 1.
    pub shutdown_pause_s: u32,
    /// Seconds that running generations get after SIGTERM or SIGINT. Default 60.
    pub shutdown_grace_s: u32,
}

impl Default for Server {
    fn default() -> Self {
        Self {
            bind: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)),
            public_url: "http://127.0.0.1:8080".into(),
            admin_bind: SocketAddr::from((Ipv4Addr::LOCALHOST, 8081)),
            admin_names: Vec::new(),
            trusted_proxies: Vec::new(),
            workers: 0,
            security_contact: String::new(),
            role: Role::All,
            shutdown_pause_s: 1,
            shutdown_grace_s: 60,
        }
    }
}

/// What a node does of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Everything.
    #[default]
    All,
    /// It answers requests; what they order is carried out by others.
    Api,
    /// It carries out what others were asked for.
    Worker,
}

impl Role {
    /// As it is written.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Api => "api",
            Self::Worker => "worker",
        }
    }
}

/// Where the truth is kept: accounts, credits, runs, skills.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Database {
    /// `sqlite://path` (made when missing) or `postgres://user@host/database`. Default `sqlite://data/skillkiln.db`.
    pub url: String,
    /// A file that holds the URL instead, for a URL with a password. Default none.
    pub url_file: PathBuf,
    /// Connections to PostgreSQL at most; SQLite has threads of its own. Default 8.
    pub pool_size: u32,
}

impl Default for Database {
    fn default() -> Self {
        Self {
            url: "sqlite://data/skillkiln.db".into(),
            url_file: PathBuf::new(),
            pool_size: 8,
        }
    }
}

/// Where files are kept: uploaded sources, and the pepper when the database is elsewhere.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Storage {
    /// The data folder, made when missing. Default `data`.
    pub path: PathBuf,
    /// Bytes that are free on its disk, and on that of a SQLite database, as long as the node is ready. Default 64 MiB.
    pub free_bytes_min: u64,
}

impl Default for Storage {
    fn default() -> Self {
        Self {
            path: PathBuf::from("data"),
            free_bytes_min: 64 << 20,
        }
    }
}

/// What nodes share beside the database.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cluster {
    /// The Redis or Valkey server on which nodes share the windows of the limits: `redis://host:6379`, or `rediss://` for TLS; empty for
    /// one node. Default empty.
    pub url: String,
}

/// How keys are made and kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Auth {
    /// What keys begin with, before `_sk_`. Changing it makes every key issued before unknown. Default `skillkiln`.
    pub key_brand: String,
    /// The secret under which keys are hashed: a file of 64 hexadecimal characters. Every node needs the same one. When
    /// empty, it is made beside the SQLite database, or in the data folder with PostgreSQL. Default empty.
    pub pepper_file: PathBuf,
    /// Who may make an account in the browser: `open` anybody, `invite` whoever was invited (`skillkiln user invite`), `closed`
    /// nobody. Default `open`.
    pub signup: SignUp,
    /// New accounts from one network (an IPv4 /24 or an IPv6 /64) a day that get the first credits; further ones get none, but
    /// for those from the machine itself as long as `server.public_url` is an address of it. Default 5.
    pub welcomes_per_network: u32,
    /// Hours without a request after which a browser is signed out. Default 24.
    pub session_idle_h: u32,
    /// Hours after which a browser is signed out in any case. Default 720.
    pub session_h: u32,
}

/// Who may make an account in the browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SignUp {
    /// Anybody.
    #[default]
    Open,
    /// Whoever has an invitation.
    Invite,
    /// Nobody.
    Closed,
}

impl Default for Auth {
    fn default() -> Self {
        Self {
            key_brand: "skillkiln".into(),
            pepper_file: PathBuf::new(),
            signup: SignUp::Open,
            welcomes_per_network: 5,
            session_idle_h: 24,
            session_h: 720,
        }
    }
}

/// How much one account or address may ask for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Requests that generate, a minute, key and surface. Default 10.
    pub generate_per_minute: u32,
    /// All other requests, a minute, key and surface. Default 60.
    pub other_per_minute: u32,
    /// Runs of one account at once; further ones wait. Default 4.
    pub running_per_account: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            generate_per_minute: 10,
            other_per_minute: 60,
            running_per_account: 4,
        }
    }
}

/// How runs are run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Engine {
    /// Seconds from the order to the end of a run; later it fails and the credits come back. Default 180.
    pub deadline_s: u32,
    /// Threads for parsing and writing; 0 for one a core. Default 0.
    pub workers: u32,
    /// Runs of this node at once, without those that wait for a web page; more only takes memory. Default 64.
    pub running_max: u32,
    /// Runs of this node that wait for a web page at once. Default 256.
    pub fetching_max: u32,
    /// Accepted runs that wait for their turn, on several nodes together; further orders answer 429. Default 1000.
    pub queue_max: u32,
    /// Messages that wait for one actor. Default 256.
    pub mailbox_capacity: u32,
    /// Credit movements settled in one transaction. Default 256.
    pub settlement_batch_max: u32,
    /// Seconds for which a node holds a run before another may take it up. Default 9.
    pub lease_s: u32,
    /// How often a run is begun, counting crashes, before it fails and the credits come back. Default 3.
    pub attempts_max: u32,
    /// Words that a source has at least; a shorter text is refused, a shorter page or file fails and its credit comes back. Default 20.
    pub words_min: u32,
}

impl Default for Engine {
    fn default() -> Self {
        Self {
            deadline_s: 180,
            workers: 0,
            running_max: 64,
            fetching_max: 256,
            queue_max: 1000,
            mailbox_capacity: 256,
            settlement_batch_max: 256,
            lease_s: 9,
            attempts_max: 3,
            words_min: 20,
        }
    }
}

/// How much may be sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Uploads {
    /// Files a request. Default 10.
    pub files_max: u32,
    /// Bytes a file. Default 25 MiB.
    pub file_bytes_max: u64,
    /// Bytes a request. Default 60 MiB.
    pub request_bytes_max: u64,
    /// Bytes of raw text. Default 1 MiB.
    pub text_bytes_max: u64,
    /// Bytes of a skill's SKILL.md as its owner may write it. Default 1 MiB.
    pub skill_bytes_max: u64,
    /// Characters of an address. Default 2048.
    pub address_chars_max: u32,
    /// Seconds between two pieces of a body after which it is given up. Default 15.
    pub idle_s: u32,
    /// Seconds for a whole body. Default 300.
    pub total_s: u32,
}

impl Default for Uploads {
    fn default() -> Self {
        Self {
            files_max: 10,
            file_bytes_max: 25 << 20,
            request_bytes_max: 60 << 20,
            text_bytes_max: 1 << 20,
            skill_bytes_max: 1 << 20,
            address_chars_max: 2048,
            idle_s: 15,
            total_s: 300,
        }
    }
}

/// What is looked into for free: topics, suggestions, and texts that are tried without an account. One at a time an account or address, with
/// a thread and a worker of their own, so that they never keep a paid order waiting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Looks {
    /// Bytes of a source. Default 8 MiB.
    pub bytes_max: u64,
    /// Looks of all accounts and addresses at once; further ones answer 429. Default 32.
    pub at_once: u32,
    /// Seconds for one, and as long at most for its turn after others of the same account. Default 60.
    pub deadline_s: u32,
    /// Seconds of processor time of its worker. Default 10.
    pub processor_s: u32,
}

impl Default for Looks {
    fn default() -> Self {
        Self {
            bytes_max: 8 << 20,
            at_once: 32,
            deadline_s: 60,
            processor_s: 10,
        }
    }
}

/// Which skills' sources are looked at again, so that their owners hear when they say something else. To look is free, within the bounds of
/// [`Looks`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Watches {
    /// Least hours between two looks at a source: with more than 24, daily watches are not offered, and those that there are wait as long.
    /// Default 24.
    pub least_interval_h: u32,
    /// Skills that an account may watch; 0 for none. Default 50.
    pub per_account: u32,
}

impl Default for Watches {
    fn default() -> Self {
        Self {
            least_interval_h: 24,
            per_account: 50,
        }
    }
}

/// How long and treacherous sources are worked on: in a worker process, which can be killed and may do nothing else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Isolation {
    /// Bytes of a source beyond which it is read, written and checked in a worker. Those of PDFs, archives and office documents always are.
    /// Default 64 KiB.
    pub inside_bytes_max: u32,
    /// Workers at once; 0 for one a core. Default 0.
    pub workers_max: u32,
    /// Seconds that one answer of a worker may take, however busy the machine is. Default 150.
    pub timeout_s: u32,
    /// Seconds of processor time of a worker, of its three stages together; a short source has less. Default 30.
    pub processor_s: u32,
    /// Bytes of memory of a worker. Default 2 GiB.
    pub memory_bytes: u64,
    /// Bytes that are taken of what a worker answers: what a source may take of the service's own memory. Default 64 MiB.
    pub answer_bytes_max: u64,
    /// The user that workers are when the service runs as root; 0 leaves them root. Default 65534.
    pub uid: u32,
}

impl Default for Isolation {
    fn default() -> Self {
        Self {
            inside_bytes_max: 64 << 10,
            workers_max: 0,
            timeout_s: 150,
            processor_s: 30,
            memory_bytes: 2 << 30,
            answer_bytes_max: 64 << 20,
            uid: 65_534,
        }
    }
}

/// What is logged, on standard error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Log {
    /// A level (`error`, `warn`, `info`, `debug`, `trace`), or levels by place: `info,skillkiln::store=debug`. Default
    /// `info,actix_server=warn`.
    pub level: String,
    /// `text` for people, `json` for machines, `auto` for whichever fits: text in a terminal, else JSON. Default `auto`.
    pub format: LogFormat,
}

impl Default for Log {
    fn default() -> Self {
        Self {
            level: "info,actix_server=warn".into(),
            format: LogFormat::Auto,
        }
    }
}

/// How log lines are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people in a terminal, else for machines.
    #[default]
    Auto,
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

#[cfg(test)]
impl Settings {
    /// Those of a service that keeps all it has in a folder and listens on free ports of this machine.
    pub(crate) fn in_folder(folder: &std::path::Path) -> Self {
        let mut settings = Self::default();
        settings.database.url = format!("sqlite://{}", folder.join("test.db").display());
        settings.storage.path = folder.to_owned();
        settings.server.bind = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        settings.server.admin_bind = settings.server.bind;
        settings
    }
}
