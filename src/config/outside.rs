//! Owns the settings for what we call outside: web pages, videos, models, payments, mail.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// How web pages are read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Fetch {
    /// Whether addresses that are not public may be read: true only for tests and private networks. Default false.
    pub allow_private_addresses: bool,
    /// Seconds for a page with all its redirects. Default 20.
    pub timeout_s: u32,
    /// Bytes of a body, counted after decompression. Default 25 MiB.
    pub body_bytes_max: u64,
    /// What we call ourselves; the first word is the name that robots.txt files use. Default `skillkiln/<version>`.
    pub user_agent: String,
    /// The HTTP proxy through which pages and videos are asked for, such as `http://proxy.example.org:3128`; empty for none. Names are looked
    /// up and checked here all the same. Default empty.
    pub proxy: String,
    /// Hosts of Git repositories beside github.com, gitlab.com, codeberg.org and bitbucket.org, each with its kind: `github`, `gitlab`,
    /// `gitea` or `bitbucket`. Default none.
    pub git_hosts: Vec<String>,
}

impl Default for Fetch {
    fn default() -> Self {
        Self {
            allow_private_addresses: false,
            timeout_s: 20,
            body_bytes_max: 25 << 20,
            user_agent: concat!("skillkiln/", env!("CARGO_PKG_VERSION")).into(),
            proxy: String::new(),
            git_hosts: Vec::new(),
        }
    }
}

/// How videos are read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Video {
    /// Where the video service answers. Default `https://www.youtube.com`.
    pub base_url: String,
    /// The language preferred among captions, such as `de` or `pt-BR`; empty for the one that is spoken. Default empty.
    pub language: String,
    /// The path of `yt-dlp`, asked when the service itself refuses, and for the video hosts it knows; empty for none.
    /// Default empty.
    pub yt_dlp: PathBuf,
    /// As which of its own programs the service is asked, in this order. Their versions grow old within months. Default: two
    /// that were seen to be given captions.
    pub clients: Vec<VideoClient>,
}

/// One of the video service's own programs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VideoClient {
    /// Its name.
    pub name: String,
    /// Its number.
    pub number: u32,
    /// Its version.
    pub version: String,
    /// Its user agent.
    pub user_agent: String,
    /// What it says of the machine it runs on.
    #[serde(default)]
    pub device: BTreeMap<String, String>,
}

fn video_client(
    (name, number, version): (&str, u32, &str),
    user_agent: &str,
    device: &[(&str, &str)],
) -> VideoClient {
    VideoClient {
        name: name.into(),
        number,
        version: version.into(),
        user_agent: user_agent.into(),
        device: device
            .iter()
            .map(|(name, value)| ((*name).into(), (*value).into()))
            .collect(),
    }
}

impl Default for Video {
    fn default() -> Self {
        Self {
            base_url: "https://www.youtube.com".into(),
            language: String::new(),
            yt_dlp: PathBuf::new(),
            clients: vec![
                video_client(
                    ("VISIONOS", 101, "1.02"),
                    "Mozilla/5.0 (Macintosh; Intel Mac OS X 15_7_3) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
                    &[
                        ("deviceMake", "Apple"),
                        ("deviceModel", "RealityDevice17,1"),
                        ("osName", "visionOS"),
                        ("osVersion", "26.5.23O471"),
                    ],
                ),
                video_client(
                    ("ANDROID", 3, "21.02.35"),
                    "com.google.android.youtube/21.02.35 (Linux; U; Android 11) gzip",
                    &[
                        ("androidSdkVersion", "30"),
                        ("osName", "Android"),
                        ("osVersion", "11"),
                    ],
                ),
            ],
        }
    }
}

/// Where uploaded files are kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Blobs {
    /// `folder` keeps them in `blobs` below the data folder, for one node; several share `database`, which is PostgreSQL, or `s3`, a bucket
    /// of S3-compatible storage. Default `folder`.
    pub home: BlobHome,
    /// The storage's address; empty for Amazon's own. Default empty.
    pub endpoint: String,
    /// Its region. Default `us-east-1`.
    pub region: String,
    /// The bucket's name. Default empty.
    pub bucket: String,
    /// What the objects' names begin with. Default `skillkiln`.
    pub prefix: String,
    /// The public part of the key. Default empty.
    pub access_key: String,
    /// The file that holds the secret part. Default none.
    pub secret_key_file: PathBuf,
    /// Whether the bucket's name stands in the path and not in the host, as most storage other than Amazon's wants it.
    /// Default true.
    pub path_style: bool,
    /// Seconds that a request to the storage may take, its body and its repetitions included. Default 30.
    pub timeout_s: u32,
}

impl Default for Blobs {
    fn default() -> Self {
        Self {
            home: BlobHome::Folder,
            endpoint: String::new(),
            region: "us-east-1".into(),
            bucket: String::new(),
            prefix: "skillkiln".into(),
            access_key: String::new(),
            secret_key_file: PathBuf::new(),
            path_style: true,
            timeout_s: 30,
        }
    }
}

/// The homes of uploaded files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BlobHome {
    /// A folder on this machine.
    #[default]
    Folder,
    /// The PostgreSQL database.
    Database,
    /// S3-compatible storage.
    S3,
}

/// Who writes the skills.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Model {
    /// `extractive` selects and reorders what the source says and needs nobody; `openai` is any compatible server;
    /// `anthropic`. Default `extractive`.
    pub provider: Writer,
    /// The server's address, with `/v1` where it has one; it may lie in a private network. Empty for the provider's own.
    /// Default empty.
    pub base_url: String,
    /// The model's name; a server with one model may need none. Default empty.
    pub model: String,
    /// The name of the model that writes, where it is another one. Default empty.
    pub writer: String,
    /// The name of the model that judges what was written, where it is another one. Default empty.
    pub judge: String,
    /// The file that holds the key; a server of one's own may need none. Default none.
    pub api_key_file: PathBuf,
    /// What happens when the model gives no answer that can be used: `draft` delivers the extractive skill and gives the credit
    /// back; `fail` ends the run with the refund. Default `draft`.
    pub on_failure: OnFailure,
    /// Tokens that one run may use, read and written; 0 for any number. What goes beyond ends in the draft. Default 0.
    pub tokens_max: u64,
    /// What one run may cost, in the currency of the prices; 0 for anything. What goes beyond ends in the draft. Default 0.
    pub cost_max: f64,
    /// What a million tokens cost, for the bill of a run.
    pub prices: TokenPrices,
    /// Tokens that the model takes in and gives out together; a longer source is read in parts. Default 16384.
    pub context_tokens: u32,
    /// Tokens of one answer at most. Default 4096.
    pub answer_tokens_max: u32,
    /// How freely the model chooses its words, from 0; below 0 leaves that to the server. Default -1.
    pub temperature: f64,
    /// A number that makes answers alike, for servers that know it; 0 leaves it out. Default 0.
    pub seed: u64,
    /// How long a model of OpenAI's protocol thinks before it answers: `low`, `medium`, `high` or what the server knows; empty leaves
    /// that to the server. Default empty.
    pub reasoning_effort: String,
    /// The version of the interface that Azure is asked for. Default `2024-10-21`.
    pub api_version: String,
    /// What else goes with each request, for gateways: names and values. Default none.
    pub headers: BTreeMap<String, String>,
    /// Seconds from the order to the end of a run with a model, in place of `engine.deadline_s`; 0 for those. Default 0.
    pub deadline_s: u32,
    /// Seconds for one answer. Default 60.
    pub timeout_s: u32,
    /// How often a question is asked before the run fails, all within its deadline. Default 4.
    pub attempts_max: u32,
    /// Questions that are asked at once; further ones wait. Default 8.
    pub requests_at_once: u32,
    /// Bytes of answers kept in memory, so that making a skill again costs little; 0 keeps none. Default 32 MiB.
    pub cache_bytes_max: u64,
    /// Bytes of answers kept in the database, over a restart and for all nodes; those that no run has asked for in 30 days are forgotten. 0
    /// keeps none. Default 256 MiB.
    pub kept_bytes_max: u64,
}

impl Default for Model {
    fn default() -> Self {
        Self {
            provider: Writer::default(),
            base_url: String::new(),
            model: String::new(),
            writer: String::new(),
            judge: String::new(),
            api_key_file: PathBuf::new(),
            on_failure: OnFailure::default(),
            tokens_max: 0,
            cost_max: 0.0,
            prices: TokenPrices::default(),
            context_tokens: 16_384,
            answer_tokens_max: 4_096,
            temperature: -1.0,
            seed: 0,
            reasoning_effort: String::new(),
            api_version: "2024-10-21".into(),
            headers: BTreeMap::new(),
            deadline_s: 0,
            timeout_s: 60,
            attempts_max: 4,
            requests_at_once: 8,
            cache_bytes_max: 32 << 20,
            kept_bytes_max: 256 << 20,
        }
    }
}

/// What happens when a model gives no answer that can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnFailure {
    /// The extractive skill is delivered and the credit given back.
    #[default]
    Draft,
    /// The run fails with the refund.
    Fail,
}

/// What a million tokens cost.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TokenPrices {
    /// Those that are read. Default 0.
    pub input: f64,
    /// Those that had been read before. Default 0.
    pub cached: f64,
    /// Those that are written. Default 0.
    pub output: f64,
}

/// The kinds of writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Writer {
    /// Selects and reorders; never invents.
    #[default]
    Extractive,
    /// A server that speaks OpenAI's protocol.
    OpenAi,
    /// The same on Azure.
    Azure,
    /// Anthropic's.
    Anthropic,
    /// Gemini's.
    Gemini,
    /// Ollama's own.
    Ollama,
}

/// Who takes the money.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Billing {
    /// `sandbox` asks nobody and pays with a button; `stripe`. Default `sandbox`.
    pub provider: Till,
    /// The payment provider's address. Default `https://api.stripe.com`.
    pub base_url: String,
    /// The file that holds the provider's secret key. Default none.
    pub secret_key_file: PathBuf,
    /// The file that holds the webhook's secret. Default none.
    pub webhook_secret_file: PathBuf,
    /// Credits of a new account. Default 3.
    pub signup_credits: u32,
    /// Credits in a pack.
    pub packs: Packs,
    /// The provider's price ids.
    pub prices: Prices,
}

impl Default for Billing {
    fn default() -> Self {
        Self {
            provider: Till::Sandbox,
            base_url: "https://api.stripe.com".into(),
            secret_key_file: PathBuf::new(),
            webhook_secret_file: PathBuf::new(),
            signup_credits: 3,
            packs: Packs::default(),
            prices: Prices::default(),
        }
    }
}

/// The kinds of payment provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Till {
    /// Pages of ours with a button to pay and one to cancel.
    #[default]
    Sandbox,
    /// Stripe.
    Stripe,
}

/// Credits in a pack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Packs {
    /// The small one. Default 10.
    pub starter: u32,
    /// The large one. Default 50.
    pub pro_pack: u32,
}

impl Default for Packs {
    fn default() -> Self {
        Self {
            starter: 10,
            pro_pack: 50,
        }
    }
}

/// The provider's price ids.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Prices {
    /// Of the small pack. Default empty.
    pub starter: String,
    /// Of the large pack. Default empty.
    pub pro_pack: String,
    /// Of the subscription. Default empty.
    pub unlimited: String,
}

/// How mail is sent: links to make an account, to verify an address or to set a new password.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mail {
    /// The SMTP server's name; empty sends no mail: accounts are made at once then, and their addresses are not verified. Default
    /// empty.
    pub host: String,
    /// Its port. Default 587.
    pub port: u16,
    /// `starttls` on a plain port, `tls` from the first byte (port 465), `none` for a server on this machine. Default `starttls`.
    pub security: MailSecurity,
    /// The account there; empty for none. Default empty.
    pub user: String,
    /// The file that holds its password. Default none.
    pub password_file: PathBuf,
    /// Whom messages are from. Default `skillkiln <skillkiln@localhost>`.
    pub from: String,
}

impl Default for Mail {
    fn default() -> Self {
        Self {
            host: String::new(),
            port: 587,
            security: MailSecurity::StartTls,
            user: String::new(),
            password_file: PathBuf::new(),
            from: "skillkiln <skillkiln@localhost>".into(),
        }
    }
}

/// How the way to the mail server is kept private.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MailSecurity {
    /// TLS is asked for, and insisted on.
    #[default]
    StartTls,
    /// TLS from the first byte.
    Tls,
    /// Nothing.
    None,
}
