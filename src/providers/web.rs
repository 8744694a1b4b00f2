//! Owns the safe fetch of a web page: only public addresses, at a polite pace, within a time and a size.
//!
//! ```text
//! address ─▶ check as written ─▶ pace of the host ─▶ robots.txt ─▶ request (names checked in the resolver) ─▶ page
//!                  ▲                                                    │                                      │
//!                  └── redirect, at most five, with its host's cookies ◀┴────────── <meta http-equiv=refresh> ◀┘
//! ```

use crate::providers::cache::Cache;
use crate::providers::client;
use crate::providers::cookies::Cookies;
use crate::providers::fetch_failure as failed;
use crate::providers::pace::Pace;
use crate::providers::public_address;
use crate::providers::resolver::{GuardedResolver, Names, SystemNames, proxy_host};
use crate::providers::robots;
use crate::telemetry::providers::WEB;
use bytes::Bytes;
use flate2::read::{DeflateDecoder, ZlibDecoder};
use reqwest::header::{self, HeaderMap, HeaderValue};
use reqwest::{RequestBuilder, Response, StatusCode};
use skillkiln_document::failure::Failure;
use skillkiln_readers::html::links;
use std::io::Read;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use url::{Host, Url};

const REDIRECTS_MAX: usize = 5;
/// How long a page may wait for its host's turn.
const PATIENCE: Duration = Duration::from_secs(20);
/// A robots.txt that takes longer is treated as absent; the page itself will show whether the site is ill.
const ROBOTS_TIMEOUT: Duration = Duration::from_secs(5);
const ROBOTS_LIFETIME: Duration = Duration::from_secs(600);
const ROBOTS_CACHE_BYTES: usize = 8 << 20;
const PAGE_CACHE_BYTES: usize = 32 << 20;
const ACCEPT: &str =
    "text/html,application/xhtml+xml,text/markdown,text/plain,application/pdf;q=0.9,*/*;q=0.5";

/// How pages are fetched.
#[derive(Debug, Clone)]
pub struct WebSettings {
    /// Whether private networks may be read, on any port: only for tests and closed networks.
    pub allow_private_addresses: bool,
    /// The time for a page with all its redirects.
    pub timeout: Duration,
    /// The largest body, counted after decompression.
    pub body_bytes_max: usize,
    /// What we call ourselves. Its first word is the name that robots.txt files use.
    pub user_agent: String,
    /// The proxy through which everything is asked for.
    pub proxy: Option<Url>,
}

/// A page as it was delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Where it was found after all redirects.
    pub final_address: String,
    /// The header of that name, character set included.
    pub content_type: Option<String>,
    /// The body, decompressed.
    pub bytes: Bytes,
}

/// Fetches web pages. Clones share connections, paces and caches.
#[derive(Clone, Debug)]
pub struct Web(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    client: reqwest::Client,
    resolver: GuardedResolver,
    settings: WebSettings,
    /// Our name in robots.txt files.
    agent: String,
    pace: Pace,
    robots: Cache<(Instant, Bytes)>,
    pages: Cache<Kept>,
}

/// A page with what its site wants to be asked with next time.
#[derive(Debug, Clone)]
struct Kept {
    etag: Option<HeaderValue>,
    modified: Option<HeaderValue>,
    content_type: Option<String>,
    bytes: Bytes,
}

enum Answer {
    Page(Page),
    Redirect(Url),
}

impl Web {
    /// A fetcher with its own connections.
    ///
    /// # Errors
    /// When the TLS set-up of this machine cannot be used.
    pub fn new(settings: WebSettings) -> Result<Self, String> {
        Self::on_network(settings, Arc::new(SystemNames))
    }

    fn on_network(settings: WebSettings, names: Arc<dyn Names>) -> Result<Self, String> {
        let resolver = GuardedResolver {
            names,
            allow_private: settings.allow_private_addresses,
            proxy: proxy_host(settings.proxy.as_ref()),
        };
        let client = client::through(client::builder(), settings.proxy.as_ref())?
            .dns_resolver(Arc::new(resolver.clone()))
            .user_agent(&settings.user_agent)
            .referer(false)
            // Unpacked here: many servers send it without the head that the standard asks for.
            .no_deflate()
            .build()
            .map_err(|error| format!("cannot set up the web client: {error}"))?;
        let agent = settings
            .user_agent
            .split(['/', ' '])
            .next()
            .unwrap_or_default()
            .to_owned();
        Ok(Self(Arc::new(Inner {
            client,
            resolver,
            settings,
            agent,
            pace: Pace::new(),
            robots: Cache::new(ROBOTS_CACHE_BYTES),
            pages: Cache::new(PAGE_CACHE_BYTES),
        })))
    }

    /// Fetches the page at `address`.
    ///
    /// # Errors
    /// A [`Failure`] whose message tells the user what to do.
    pub async fn fetch(&self, address: &str) -> Result<Page, Failure> {
        let web = &*self.0;
        let mut url = Url::parse(address.trim())
            .map_err(|_| failed::refused(public_address::Refusal::Malformed, false))?;
        let mut deadline = Instant::now() + web.settings.timeout;
        let mut cookies = Cookies::default();
        for hop in 0..=REDIRECTS_MAX {
            public_address::check(&url, web.settings.allow_private_addresses)
                .map_err(|refusal| failed::refused(refusal, hop > 0))?;
            // Time spent in the queue is ours, not the site's.
            deadline += web.take_turn(&url).await?;
            let rules = web.robots_txt(&url, deadline).await;
            if !robots::allows(rules, web.agent.clone(), &url).await {
                return Err(failed::disallowed(&url));
            }
            url = match web.ask(&url, deadline, &mut cookies).await? {
                Answer::Redirect(next) => next,
                Answer::Page(page) => match refresh(&page).await {
                    Some(next) => next,
                    None => return Ok(page),
                },
            }
        }
        Err(failed::too_many_redirects(&url))
    }
}

impl Inner {
    /// Waits for the host's turn and says how long that took. A private network, where it is allowed, is its owner's to load.
    async fn take_turn(&self, url: &Url) -> Result<Duration, Failure> {
        if public_address::check(url, false) == Err(public_address::Refusal::Private) {
            return Ok(Duration::ZERO);
        }
        let started = Instant::now();
        let host = url.host_str().unwrap_or_default();
        if self.pace.turn(host, PATIENCE).await {
            Ok(started.elapsed())
        } else {
            Err(failed::crowded(url))
        }
    }

    /// Where a proxy looks the names up, they are looked up and checked here before: the client sees only the proxy's own.
    async fn check_name(&self, url: &Url) -> Result<(), Failure> {
        let (Some(_), Some(Host::Domain(name))) = (&self.settings.proxy, url.host()) else {
            return Ok(());
        };
        match self.resolver.addresses(name).await {
            Ok(_) => Ok(()),
            Err(error) => Err(failed::name(url, error)),
        }
    }

    /// One request for a page.
    async fn ask(
        &self,
        url: &Url,
        deadline: Instant,
        cookies: &mut Cookies,
    ) -> Result<Answer, Failure> {
        self.check_name(url).await?;
        let timeout = self.settings.timeout;
        let transport = |error: reqwest::Error| failed::transport(url, &error, timeout);
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, HeaderValue::from_static(ACCEPT));
        let own = cookies.of(url);
        // What is sent to one visitor is no other's.
        let is_shared = own.is_none();
        headers.extend(own.map(|own| (header::COOKIE, own)));
        let kept = self.pages.get(key(url)).filter(|_| is_shared);
        if let Some(kept) = &kept {
            if let Some(etag) = &kept.etag {
                headers.insert(header::IF_NONE_MATCH, etag.clone());
            }
            if let Some(modified) = &kept.modified {
                headers.insert(header::IF_MODIFIED_SINCE, modified.clone());
            }
        }
        let request = self
            .client
            .get(url.clone())
            .headers(headers)
            .timeout(left(deadline).ok_or_else(|| failed::timed_out(url, timeout))?);
        let response = counted(request).await.map_err(transport)?;
        cookies.learn(url, response.headers());
        let status = response.status();
        if let (StatusCode::NOT_MODIFIED, Some(kept)) = (status, kept) {
            return Ok(Answer::Page(kept.page(url)));
        }
        if let Some(next) = redirect(url, &response) {
            return next
                .map(Answer::Redirect)
                .ok_or_else(|| failed::lost_redirect(url));
        }
        if is_puzzle(&response) {
            return Err(failed::puzzled(url));
        }
        if !status.is_success() {
            let after = text_of(&response, header::RETRY_AFTER).and_then(|s| s.parse().ok());
            return Err(failed::status(url, status, after.map(Duration::from_secs)));
        }
        if let Some(kind) = wordless(url, &response) {
            return Err(failed::not_text(kind));
        }
        let bytes_max = self.settings.body_bytes_max;
        if announced_bytes(&response).is_some_and(|bytes| bytes > bytes_max as u64) {
            return Err(failed::too_large(url, bytes_max));
        }
        let mut kept = Kept::from(&response);
        let is_deflated = text_of(&response, header::CONTENT_ENCODING)
            .is_some_and(|coding| coding.trim().eq_ignore_ascii_case("deflate"));
        let (mut bytes, mut whole) = client::read(response, bytes_max).await.map_err(transport)?;
        if is_deflated && whole {
            (bytes, whole) = inflated(&bytes, bytes_max).ok_or_else(|| failed::broken_off(url))?;
        }
        if !whole {
            return Err(failed::too_large(url, bytes_max));
        }
        kept.bytes = bytes;
        let page = kept.page(url);
        if !is_shared {
            return Ok(Answer::Page(page));
        }
        if kept.etag.is_some() || kept.modified.is_some() {
            let size = kept.bytes.len();
            self.pages.put(key(url), kept, size);
        }
        Ok(Answer::Page(page))
    }

    /// The robots.txt of a site, empty when there is none. One that cannot be had is as good as none: we read a single page that
    /// somebody asked for, and its own answer will say what ails the site.
    async fn robots_txt(&self, page: &Url, deadline: Instant) -> Bytes {
        let origin = page.origin().ascii_serialization();
        if let Some((fetched, text)) = self.robots.get(&origin)
            && fetched.elapsed() < ROBOTS_LIFETIME
        {
            return text;
        }
        let half = left(deadline).unwrap_or_default() / 2;
        let deadline = Instant::now() + half.min(ROBOTS_TIMEOUT);
        let text = match page.join("/robots.txt") {
            Ok(url) => self.small_file(url, deadline).await.unwrap_or_default(),
            Err(_) => Bytes::new(),
        };
        let size = text.len();
        self.robots
            .put(&origin, (Instant::now(), text.clone()), size);
        text
    }

    async fn small_file(&self, mut url: Url, deadline: Instant) -> Option<Bytes> {
        for _ in 0..=REDIRECTS_MAX {
            public_address::check(&url, self.settings.allow_private_addresses).ok()?;
            self.check_name(&url).await.ok()?;
            let request = self.client.get(url.clone()).timeout(left(deadline)?);
            let response = counted(request).await.ok()?;
            match redirect(&url, &response) {
                Some(next) => url = next?,
                None if response.status().is_success() => {
                    let (bytes, _) = client::read(response, robots::SIZE_BYTES_MAX).await.ok()?;
                    return Some(bytes);
                }
                None => return None,
            }
        }
        None
    }
}

/// Sends a request and counts it; what a site answers with is a failure only when the site says that it is ill.
async fn counted(request: RequestBuilder) -> reqwest::Result<Response> {
    let call = WEB.begin();
    let answer = request.send().await;
    let is_answered = answer
        .as_ref()
        .is_ok_and(|answer| !answer.status().is_server_error());
    call.ended(is_answered);
    answer
}

impl Kept {
    fn page(&self, url: &Url) -> Page {
        Page {
            final_address: url.to_string(),
            content_type: self.content_type.clone(),
            bytes: self.bytes.clone(),
        }
    }
}

impl From<&Response> for Kept {
    fn from(response: &Response) -> Self {
        let says = |name: header::HeaderName, words: &[&str]| {
            text_of(response, name).is_some_and(|value| {
                let value = value.to_ascii_lowercase();
                words.iter().any(|word| value.contains(word))
            })
        };
        // What a site made for one visitor, or makes anew for each, is not kept for others. All our requests whose answers are kept
        // carry the same headers and no cookies, so an answer that varies by any of them is the same for all of us.
        let keep = !says(header::CACHE_CONTROL, &["no-store", "private"])
            && !says(header::VARY, &["*", "cookie", "authorization"])
            && !response.headers().contains_key(header::SET_COOKIE);
        let header = |name| response.headers().get(name).filter(|_| keep).cloned();
        Self {
            etag: header(header::ETAG),
            modified: header(header::LAST_MODIFIED),
            content_type: text_of(response, header::CONTENT_TYPE).map(str::to_owned),
            bytes: Bytes::new(),
        }
    }
}

/// The body that was packed as deflate, up to `bytes_max` bytes and whether that is all: with the head of zlib, as the standard has
/// it, or without. `None` when it is neither.
fn inflated(packed: &[u8], bytes_max: usize) -> Option<(Bytes, bool)> {
    let unpack = |reader: &mut dyn Read| {
        let mut bytes = Vec::new();
        let most = bytes_max as u64 + 1;
        reader.take(most).read_to_end(&mut bytes).ok()?;
        let is_whole = bytes.len() <= bytes_max;
        Some((Bytes::from(bytes), is_whole))
    };
    unpack(&mut ZlibDecoder::new(packed)).or_else(|| unpack(&mut DeflateDecoder::new(packed)))
}

/// Where a page of HTML sends its reader on to.
async fn refresh(page: &Page) -> Option<Url> {
    let is_html = page
        .content_type
        .as_deref()
        .is_none_or(|kind| kind.to_ascii_lowercase().contains("html"));
    if !is_html {
        return None;
    }
    let (bytes, address) = (page.bytes.clone(), page.final_address.clone());
    let found = tokio::task::spawn_blocking(move || links::refresh(&bytes, &address));
    found.await.ok().flatten()
}

/// The address of a page without its fragment, which no server hears of.
fn key(url: &Url) -> &str {
    url.as_str().split('#').next().unwrap_or_default()
}

/// Whether the answer says that it is a check for robots and not the page.
fn is_puzzle(response: &Response) -> bool {
    let has = |name: &str, word: &str| {
        let value = response.headers().get(name);
        value.is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(word.as_bytes()))
    };
    has("cf-mitigated", "challenge")
        || has("x-amzn-waf-action", "challenge")
        || has("x-amzn-waf-action", "captcha")
        || (response.status() == StatusCode::FORBIDDEN
            && response.headers().contains_key("x-datadome"))
}

/// The time left, if any.
fn left(deadline: Instant) -> Option<Duration> {
    deadline
        .checked_duration_since(Instant::now())
        .filter(|left| !left.is_zero())
}

fn text_of(response: &Response, name: header::HeaderName) -> Option<&str> {
    response.headers().get(name)?.to_str().ok()
}

/// The length a server promises. Absent for compressed bodies, whose length says nothing about what they hold.
fn announced_bytes(response: &Response) -> Option<u64> {
    text_of(response, header::CONTENT_LENGTH)?.parse().ok()
}

/// Where a response leads: `None` when it is no redirect, `Some(None)` when it is one to nowhere.
fn redirect(url: &Url, response: &Response) -> Option<Option<Url>> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let target = response.headers().get(header::LOCATION);
    // Servers send raw UTF-8 here although they should not; browsers follow it, and so do we.
    let target = target.and_then(|value| std::str::from_utf8(value.as_bytes()).ok());
    Some(target.and_then(|target| url.join(target).ok()))
}

/// Content in which there are no words, in words of ours. TypeScript shares its ending, and so its type, with a video format.
fn wordless(url: &Url, response: &Response) -> Option<&'static str> {
    let kind = text_of(response, header::CONTENT_TYPE)?.to_ascii_lowercase();
    let typescript = [".ts", ".mts"]
        .iter()
        .any(|ending| url.path().ends_with(ending));
    match kind.split('/').next()?.trim() {
        "image" => Some("an image"),
        "audio" => Some("a sound recording"),
        "video" if !typescript => Some("a video file"),
        "font" => Some("a font"),
        _ => None,
    }
}

#[cfg(test)]
#[path = "web_tests.rs"]
mod tests;
