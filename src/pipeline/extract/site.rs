//! Reads a page with the pages of its site below it, when somebody asks for that: each page a section, in the order of the site's
//! own navigation.
//!
//! Only pages of the same host under the same path are read, as many as were asked for, each once, within a time and a size; what
//! robots.txt keeps closed stays closed, since every request goes through the safe fetch. A page that fails is left out, and the
//! document says how many were.

use crate::pipeline::assembly::{PagePart, Parts};
use crate::pipeline::extract::page::{self, Found};
use crate::pipeline::extract::{Reader, digest};
use crate::pipeline::handle::{JobHandle, Piece};
use futures_util::future::join_all;
use skillkiln_document::failure::{Failure, Reason};
use std::collections::{HashSet, VecDeque};
use std::time::Duration;
use tokio::time::Instant;
use url::Url;

/// Pages that are asked for at once; the pace of their host holds all the same.
const AT_ONCE: usize = 3;
/// Addresses that are kept for later.
const WAITING_MAX: usize = 5_000;
/// Pages that may fail beyond those that were read.
const FAILURES_MAX: usize = 20;
/// Endings of addresses that lead to no page.
const NO_PAGES: &[&str] = &[
    "png", "jpg", "jpeg", "gif", "svg", "webp", "ico", "css", "js", "mjs", "json", "xml", "zip",
    "gz", "tgz", "bz2", "xz", "exe", "dmg", "deb", "rpm", "whl", "jar", "mp3", "mp4", "webm",
    "woff", "woff2", "ttf", "pdf", "epub", "rss", "atom",
];
/// Parameters that only tell where a reader came from.
const TRACKING: &[&str] = &[
    "gclid", "fbclid", "msclkid", "mc_cid", "mc_eid", "ref", "ref_src", "igshid",
];

/// A site, read.
#[derive(Debug)]
pub(super) struct Site {
    /// Its pages, to be put together.
    pub(super) parts: Parts,
    /// The last of them, where all others are.
    pub(super) piece: Piece,
    /// Where the first page was found.
    pub(super) address: String,
    /// The digest of what was delivered for all of them.
    pub(super) digest: String,
}

/// Reads the page at `address` and up to `pages_max` pages in all.
///
/// # Errors
/// When the first page cannot be read.
pub(super) async fn read(
    reader: &Reader,
    handle: &JobHandle,
    address: &str,
    pages_max: u32,
) -> Result<Site, Failure> {
    let pages_max = pages_max.min(reader.limits.site_pages_max) as usize;
    let first = page::read(reader, handle, address, pages_max > 1).await?;
    if is_sitemap(&first.bytes) {
        let pages_max = match pages_max {
            1 => reader.limits.site_pages_max as usize,
            some => some,
        };
        return listed(reader, handle, &first, pages_max).await;
    }
    let seconds = u64::from(reader.limits.site_seconds_max);
    let deadline = Instant::now() + Duration::from_secs(seconds);
    let Some(mut walk) = Walk::from(&first).filter(|_| pages_max > 1) else {
        return together(reader, handle, vec![first], 0).await;
    };
    if walk.waiting.is_empty() {
        walk.ask_sitemap(reader, handle).await;
    }
    go(reader, handle, walk, vec![first], pages_max, deadline).await
}

/// Reads the pages that a sitemap lists, wherever on its site they are, and not the list itself.
async fn listed(
    reader: &Reader,
    handle: &JobHandle,
    list: &Found,
    pages_max: usize,
) -> Result<Site, Failure> {
    let seconds = u64::from(reader.limits.site_seconds_max);
    let deadline = Instant::now() + Duration::from_secs(seconds);
    let nothing = || {
        Failure::new(
            Reason::Unreadable,
            "none of the pages that this sitemap lists can be read; send the address of one of them",
        )
    };
    let mut walk = Walk::from(list).ok_or_else(nothing)?;
    walk.prefix = "/".to_owned();
    walk.learn_sitemap(reader, handle, &list.bytes).await;
    let site = go(reader, handle, walk, Vec::new(), pages_max, deadline).await?;
    match site.address.is_empty() {
        true => Err(nothing()),
        false => Ok(site),
    }
}

/// Reads page after page on the way through a site, beside those that were read.
async fn go(
    reader: &Reader,
    handle: &JobHandle,
    mut walk: Walk,
    mut pages: Vec<Found>,
    pages_max: usize,
    deadline: Instant,
) -> Result<Site, Failure> {
    let bytes_max = reader.limits.site_bytes_max;
    let mut size = pages
        .iter()
        .map(|page| page.bytes.len() as u64)
        .sum::<u64>();
    let mut failed = 0;
    while pages.len() < pages_max && failed < FAILURES_MAX + pages.len() && size < bytes_max {
        let batch = walk.next(AT_ONCE.min(pages_max - pages.len()));
        if batch.is_empty() {
            break;
        }
        let work = join_all(
            batch
                .iter()
                .map(|url| page::read(reader, handle, url.as_str(), true)),
        );
        let Ok(read) = tokio::time::timeout_at(deadline, work).await else {
            failed += batch.len();
            break;
        };
        for found in read {
            match found {
                Ok(found) if !walk.is_new(&found) => {}
                Ok(found) => {
                    size += found.bytes.len() as u64;
                    walk.learn(&found);
                    pages.push(found);
                }
                Err(failure) => {
                    tracing::debug!(
                        reason = failure.reason.as_str(),
                        "a page of a site was left out"
                    );
                    failed += 1;
                }
            }
        }
    }
    together(reader, handle, pages, failed).await
}

/// Brings the pages to one place: together they may be long where each of them is short, and then they are read once more in a worker.
async fn together(
    reader: &Reader,
    handle: &JobHandle,
    mut pages: Vec<Found>,
    failed: usize,
) -> Result<Site, Failure> {
    let digest = digest(pages.iter().map(|page| page.bytes.as_ref()));
    let address = pages
        .first()
        .map(|page| page.address.clone())
        .unwrap_or_default();
    let size = pages.iter().map(|page| page.bytes.len()).sum::<usize>();
    let is_long = size > reader.isolation.inside_bytes_max;
    if is_long || pages.iter().any(|page| page.read.is_there()) {
        handle.go_there(size).await?;
        for page in pages.iter_mut().filter(|page| !page.read.is_there()) {
            let bytes = std::mem::take(&mut page.bytes);
            page.read = handle.read(page.material.clone(), bytes).await?;
        }
    }
    let piece = pages
        .last()
        .map(|page| page.read.clone())
        .unwrap_or_default();
    let pages: Vec<PagePart> = pages.into_iter().map(Found::part).collect();
    Ok(Site {
        parts: Parts::Pages { pages, failed },
        piece,
        address,
        digest,
    })
}

/// The way through a site.
struct Walk {
    first: Url,
    /// What the path of every page begins with.
    prefix: String,
    waiting: VecDeque<Url>,
    /// The keys of all addresses that wait or were asked for.
    seen: HashSet<String>,
    /// The keys of the pages that were read, with their titles.
    read: HashSet<(String, Option<String>)>,
}

impl Walk {
    /// Begins at the first page.
    fn from(first: &Found) -> Option<Self> {
        let url = Url::parse(&first.address).ok()?;
        let links = linked(first);
        let path = url.path();
        let folder = path.rsplit_once('/').map_or("/", |(folder, _)| folder);
        let folder = format!("{}/", folder.trim_end_matches('/'));
        // An address without a slash at its end may name a folder all the same.
        let below = format!("{}/", path.trim_end_matches('/'));
        let lead_below = links
            .iter()
            .filter(|link| link.origin() == url.origin() && link.path().starts_with(&below));
        let prefix = if lead_below.count() >= 2 {
            below
        } else {
            folder
        };
        let mut walk = Self {
            seen: HashSet::from([key(&url)]),
            first: url,
            prefix,
            waiting: VecDeque::new(),
            read: HashSet::new(),
        };
        walk.is_new(first);
        walk.learn(first);
        Some(walk)
    }

    /// The next addresses to ask for.
    fn next(&mut self, count: usize) -> Vec<Url> {
        let count = count.min(self.waiting.len());
        self.waiting.drain(..count).collect()
    }

    /// Whether a page is none of those that were read, under whatever address; remembers it.
    fn is_new(&mut self, found: &Found) -> bool {
        let Ok(url) = Url::parse(&found.address) else {
            return false;
        };
        if !self.is_inside(&url) && url != self.first {
            return false;
        }
        let title = found.title().map(str::to_owned);
        let canonical = Url::parse(found.canonical()).ok();
        self.seen.insert(key(&url));
        let by_address = self.read.insert((key(&url), None));
        // Pages that name one address for all of the site differ in their titles at least.
        let by_canonical = match (canonical, title) {
            (Some(url), Some(title)) => self.read.insert((key(&url), Some(title))),
            _ => true,
        };
        by_address && by_canonical
    }

    /// Adds where a page leads: what the site's navigation lists, the next page first.
    fn learn(&mut self, found: &Found) {
        if let Some(next) = &found.links.next {
            self.add(next, true);
        }
        for link in linked(found) {
            self.add(&link, false);
        }
    }

    fn add(&mut self, url: &Url, at_once: bool) {
        let mut url = url.clone();
        url.set_fragment(None);
        if self.waiting.len() >= WAITING_MAX || !self.is_inside(&url) || !is_page(&url) {
            return;
        }
        let key = key(&url);
        if self.seen.contains(&key) {
            return;
        }
        self.seen.insert(key);
        if at_once {
            self.waiting.push_front(url);
        } else {
            self.waiting.push_back(url);
        }
    }

    fn is_inside(&self, url: &Url) -> bool {
        url.origin() == self.first.origin()
            && (url.path().starts_with(&self.prefix) || format!("{}/", url.path()) == self.prefix)
    }

    /// Learns the pages of the site's own list of them.
    async fn ask_sitemap(&mut self, reader: &Reader, handle: &JobHandle) {
        let Ok(list) = self.first.join("/sitemap.xml") else {
            return;
        };
        let Ok(list) = handle.away(reader.web.fetch(list.as_str())).await else {
            return;
        };
        self.learn_sitemap(reader, handle, &list.bytes).await;
    }

    /// Learns the pages of a list of them.
    async fn learn_sitemap(&mut self, reader: &Reader, handle: &JobHandle, list: &[u8]) {
        let mut listed = locations(list);
        // A list of lists: the one that says most about our part of the site, or the first.
        if contains_index(list) {
            let chosen = listed.iter().find(|url| self.is_inside(url));
            let Some(inner) = chosen.or_else(|| listed.first()) else {
                return;
            };
            if inner.origin() != self.first.origin() {
                return;
            }
            match handle.away(reader.web.fetch(inner.as_str())).await {
                Ok(inner) => listed = locations(&inner.bytes),
                Err(_) => return,
            }
        }
        for url in listed {
            self.add(&url, false);
        }
    }
}

/// Whether a page is a list of pages, or of such lists.
fn is_sitemap(page: &[u8]) -> bool {
    let head = page.get(..4096).unwrap_or(page);
    let is_list = head.windows(7).any(|window| window == b"<urlset");
    (is_list || contains_index(head)) && head.trim_ascii_start().starts_with(b"<")
}

fn contains_index(list: &[u8]) -> bool {
    list.windows(13)
        .take(4096)
        .any(|window| window == b"<sitemapindex")
}

/// The addresses of a sitemap.
fn locations(list: &[u8]) -> Vec<Url> {
    let text = String::from_utf8_lossy(list);
    text.split("<loc>")
        .skip(1)
        .take(WAITING_MAX)
        .filter_map(|rest| {
            let (address, _) = rest.split_once("</loc>")?;
            Url::parse(&address.trim().replace("&amp;", "&")).ok()
        })
        .collect()
}

/// Where a page leads: its navigation, then its other links; the links of its text when it is no web page.
fn linked(found: &Found) -> Vec<Url> {
    let links = &found.links;
    if !links.all.is_empty() || !links.navigation.is_empty() {
        return links.navigation.iter().chain(&links.all).cloned().collect();
    }
    let Ok(base) = Url::parse(&found.address) else {
        return Vec::new();
    };
    let links = found.read.summary.text_links.iter();
    links.filter_map(|href| base.join(href).ok()).collect()
}

/// What two addresses of one page have in common: no fragment, no name of an index, no slash at the end, no word of where
/// somebody came from.
fn key(url: &Url) -> String {
    let path = url.path();
    let path = ["index.html", "index.htm", "index.md"]
        .iter()
        .find_map(|index| path.strip_suffix(index))
        .unwrap_or(path);
    let mut query: Vec<String> = url
        .query_pairs()
        .filter(|(name, _)| !name.starts_with("utm_") && !TRACKING.contains(&name.as_ref()))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    query.sort();
    let host = url
        .host_str()
        .unwrap_or_default()
        .trim_start_matches("www.");
    format!("{host}{}?{}", path.trim_end_matches('/'), query.join("&"))
}

fn is_page(url: &Url) -> bool {
    let name = url.path().rsplit('/').next().unwrap_or("");
    match name.rsplit_once('.') {
        Some((_, ending)) => !NO_PAGES.contains(&ending.to_ascii_lowercase().as_str()),
        None => true,
    }
}

#[cfg(test)]
#[path = "site_tests.rs"]
mod tests;
