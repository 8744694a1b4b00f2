//! Reads a page with the pages of its site below it, when somebody asks for that: each page a section, in the order of the site's
//! own navigation.
//!
//! Only pages of the same host under the same path are read, as many as were asked for, each once, within a time and a size; what
//! robots.txt keeps closed stays closed, since every request goes through the safe fetch. A page that fails is left out, and the
//! document says how many were.

use crate::pipeline::extract::Reader;
use crate::pipeline::extract::page::{self, Found};
use futures_util::future::join_all;
use skillkiln_document::blocks::{Block, BlockKind, Document, Span, walk};
use skillkiln_document::failure::Failure;
use skillkiln_document::text::Inline;
use skillkiln_readers::builder::each_span;
use skillkiln_readers::parts;
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
    /// All pages as one document.
    pub(super) document: Document,
    /// Where the first page was found.
    pub(super) address: String,
    /// What was delivered for each page.
    pub(super) bytes: Vec<bytes::Bytes>,
}

/// Reads the page at `address` and up to `pages_max` pages in all.
///
/// # Errors
/// When the first page cannot be read.
pub(super) async fn read(reader: &Reader, address: &str, pages_max: u32) -> Result<Site, Failure> {
    let pages_max = pages_max.min(reader.limits.site_pages_max) as usize;
    let first = page::read(reader, address, pages_max > 1).await?;
    let seconds = u64::from(reader.limits.site_seconds_max);
    let deadline = Instant::now() + Duration::from_secs(seconds);
    let Some(mut walk) = Walk::from(&first).filter(|_| pages_max > 1) else {
        return Ok(Site {
            bytes: vec![first.bytes],
            address: first.address,
            document: first.document,
        });
    };
    if walk.waiting.is_empty() {
        walk.ask_sitemap(reader).await;
    }
    let bytes_max = reader.limits.site_bytes_max;
    let mut size = first.bytes.len() as u64;
    let mut pages = vec![first];
    let mut failed = 0;
    while pages.len() < pages_max && failed < FAILURES_MAX + pages.len() && size < bytes_max {
        let batch = walk.next(AT_ONCE.min(pages_max - pages.len()));
        if batch.is_empty() {
            break;
        }
        let work = join_all(
            batch
                .iter()
                .map(|url| page::read(reader, url.as_str(), true)),
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
    Ok(together(pages, failed))
}

/// One document of many pages.
fn together(pages: Vec<Found>, failed: usize) -> Site {
    let title = pages.first().and_then(|page| page.document.title.clone());
    let about = pages
        .first()
        .map(|page| page.document.about.clone())
        .unwrap_or_default();
    let address = pages
        .first()
        .map(|page| page.address.clone())
        .unwrap_or_default();
    let bytes = pages.iter().map(|page| page.bytes.clone()).collect();
    let several = pages.len() > 1;
    let documents = pages.into_iter().map(|page| {
        let mut document = page.document;
        if page.address != address {
            placed(&mut document.blocks, &page.address);
        }
        let name = name_of(&page.address);
        (name, document)
    });
    let mut document = if several {
        parts::join(documents.collect())
    } else {
        documents
            .map(|(_, document)| document)
            .next()
            .unwrap_or_default()
    };
    document.title = title;
    document.about = about;
    if failed > 0 {
        let words = match failed {
            1 => "One more page of this site could not be read.".to_owned(),
            n => format!("{n} more pages of this site could not be read."),
        };
        let start = document.text.len();
        document.text.push_str(&words);
        let span = Span::of(start..document.text.len());
        document.text.push('\n');
        document.blocks.push(Block {
            kind: BlockKind::Paragraph(vec![Inline::Text(words)]),
            span,
        });
    }
    Site {
        document,
        address,
        bytes,
    }
}

/// Blocks of another page than the first are found under that page's whole address.
fn placed(blocks: &mut [Block], address: &str) {
    each_span(blocks, &mut |span| {
        let fragment = span.fragment().unwrap_or_default();
        let whole = match fragment.trim_start_matches('#') {
            "" => address.to_owned(),
            fragment => format!("{address}#{fragment}"),
        };
        span.landmark_mut().fragment = Some(whole);
    });
}

/// A name for a page without a title.
fn name_of(address: &str) -> String {
    let path = Url::parse(address).map(|url| url.path().to_owned());
    let path = path.unwrap_or_default();
    let name = path.trim_end_matches('/').rsplit('/').next();
    name.filter(|name| !name.is_empty())
        .unwrap_or("page")
        .to_owned()
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
        let title = found.document.title.clone();
        let canonical = found
            .document
            .about
            .address
            .as_deref()
            .and_then(|address| Url::parse(address).ok());
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
    async fn ask_sitemap(&mut self, reader: &Reader) {
        let Ok(list) = self.first.join("/sitemap.xml") else {
            return;
        };
        let Ok(list) = reader.web.fetch(list.as_str()).await else {
            return;
        };
        let mut listed = locations(&list.bytes);
        // A list of lists: the one that says most about our part of the site, or the first.
        if contains_index(&list.bytes) {
            let chosen = listed.iter().find(|url| self.is_inside(url));
            let Some(inner) = chosen.or_else(|| listed.first()) else {
                return;
            };
            if inner.origin() != self.first.origin() {
                return;
            }
            match reader.web.fetch(inner.as_str()).await {
                Ok(inner) => listed = locations(&inner.bytes),
                Err(_) => return,
            }
        }
        for url in listed {
            self.add(&url, false);
        }
    }
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
    links_in(&found.document)
        .into_iter()
        .filter_map(|href| base.join(&href).ok())
        .collect()
}

/// The links in the text of a document.
pub(super) fn links_in(document: &Document) -> Vec<String> {
    let mut found = Vec::new();
    walk(&document.blocks, &mut |block| match &block.kind {
        BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => links_of(text, &mut found),
        BlockKind::Table { rows, .. } => rows
            .iter()
            .flatten()
            .for_each(|cell| links_of(cell, &mut found)),
        _ => {}
    });
    found
}

fn links_of(text: &[Inline], found: &mut Vec<String>) {
    for piece in text {
        match piece {
            Inline::Link(link) => found.push(link.href.clone()),
            Inline::Emphasis(inner) | Inline::Strong(inner) => links_of(inner, found),
            _ => {}
        }
    }
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
