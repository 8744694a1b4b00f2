//! Finds where a page leads: its twin in Markdown, the page after it, and the pages of its site in the order of the site's own
//! navigation.

use crate::html::{base_of, prefilter};
use serde::{Deserialize, Serialize};
use url::Url;

/// Links that are kept of each kind.
const LINKS_MAX: usize = 3_000;
/// Where sites list their pages.
const NAVIGATION: &str = "nav a[href],aside a[href],[role=navigation] a[href],.sidebar a[href],#sidebar a[href],.sphinxsidebar a[href],.toctree-wrapper a[href],.toc a[href],#toc a[href],.chapter a[href],.menu a[href],.wy-menu a[href],#sidebar-nav a[href],.nav-links a[href]";

/// Bytes in which a page can say that it leads on.
const HEAD_BYTES: usize = 32 << 10;
/// Seconds after which it does at the latest: what takes longer is a page to be read.
const PAUSE_SECONDS_MAX: f64 = 10.0;

/// Where a page leads. All addresses are absolute.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Links {
    /// The same page in Markdown.
    pub markdown: Option<Url>,
    /// The page after this one.
    pub next: Option<Url>,
    /// What the site's navigation lists, in its order.
    pub navigation: Vec<Url>,
    /// All links of the page.
    pub all: Vec<Url>,
}

/// Reads the links of the page `html` at `address`.
pub fn read(html: &str, address: &str) -> Links {
    let page = dom_query::Document::from(prefilter::prefilter(html).as_str());
    let Some(base) = base_of(&page, Some(address)) else {
        return Links::default();
    };
    let absolute = |href: &str| {
        base.join(href.trim())
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https"))
    };
    let first = |selector: &str| {
        let href = page.select_single(selector).attr("href")?;
        absolute(&href)
    };
    let every = |selector: &str| {
        page.select(selector)
            .nodes()
            .iter()
            .filter_map(|link| absolute(&link.attr("href")?))
            .take(LINKS_MAX)
            .collect()
    };
    Links {
        markdown: first("link[rel~=alternate][type='text/markdown']"),
        next: first("link[rel~=next]").or_else(|| first("a[rel~=next]")),
        navigation: every(NAVIGATION),
        all: every("a[href]"),
    }
}

/// The other page that the page `bytes` at `address` sends its reader on to by `<meta http-equiv=refresh>`.
pub fn refresh(bytes: &[u8], address: &str) -> Option<Url> {
    let head = String::from_utf8_lossy(bytes.get(..HEAD_BYTES).unwrap_or(bytes));
    if !head.to_ascii_lowercase().contains("refresh") {
        return None;
    }
    let page = dom_query::Document::from(prefilter::prefilter(&head).as_str());
    let base = base_of(&page, Some(address))?;
    let target = |meta: &dom_query::NodeRef<'_>| {
        let kind = meta.attr("http-equiv")?;
        let content = meta.attr("content")?;
        let content = content.trim();
        let (pause, target) = content.split_once([';', ',', ' '])?;
        let pause = pause.trim().parse::<f64>().ok()?;
        let target = target.trim_start_matches([';', ',', ' ']);
        let is_named = target
            .get(..3)
            .is_some_and(|word| word.eq_ignore_ascii_case("url"));
        let target = match target.get(3..).filter(|_| is_named) {
            Some(rest) => rest.trim_start().strip_prefix('=')?,
            None => target,
        };
        let next = base.join(target.trim().trim_matches(['"', '\''])).ok()?;
        let path = |address: &str| address.split('#').next().map(str::to_owned);
        let is_other = path(next.as_str()) != path(address);
        let is_due = kind.trim().eq_ignore_ascii_case("refresh") && pause <= PAUSE_SECONDS_MAX;
        (is_due && is_other).then_some(next)
    };
    // What stands in <noscript> is for those who are to know that scripts are wanted.
    let metas = page.select("head > meta[content]");
    metas.nodes().iter().find_map(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_moved_sends_its_reader_on() {
        for (head, next) in [
            (
                "<meta http-equiv=refresh content='0; url=../b/'>",
                Some("https://example.com/b/"),
            ),
            (
                "<META HTTP-EQUIV='Refresh' CONTENT='5;URL=\"/c\"'>",
                Some("https://example.com/c"),
            ),
            (
                "<base href='/x/'><meta http-equiv=refresh content='0, y.html'>",
                Some("https://example.com/x/y.html"),
            ),
            (
                "<meta http-equiv=refresh content='0 url=d#e'>",
                Some("https://example.com/docs/d#e"),
            ),
            ("<meta http-equiv=refresh content='300; url=/news'>", None),
            ("<meta http-equiv=refresh content='5'>", None),
            (
                "<meta http-equiv=refresh content='0; url=a.html#top'>",
                None,
            ),
            (
                "<noscript><meta http-equiv=refresh content='0; url=/nojs'></noscript>",
                None,
            ),
            (
                "<!-- <meta http-equiv=refresh content='0; url=/old'> -->",
                None,
            ),
            (
                "<title>How to refresh</title><meta name=description content='0; url=/z'>",
                None,
            ),
        ] {
            let page = format!("<html><head>{head}</head><body><p>Moved</p>");
            let found = refresh(page.as_bytes(), "https://example.com/docs/a.html");
            assert_eq!(found.map(String::from).as_deref(), next, "{head}");
        }
    }

    #[test]
    fn a_page_tells_its_twin_its_successor_and_its_site() {
        let page = "<link rel=alternate type=text/markdown href=a.md><link rel=next href=b.html><nav><a href=b.html>B</a><a href=c/>C</a></nav><p><a href='mailto:x@y.z'>mail</a> <a href='../d#e'>D</a>";
        let links = read(page, "https://example.com/docs/a.html");
        let shown = |urls: &[Url]| urls.iter().map(Url::to_string).collect::<Vec<_>>();
        assert_eq!(
            links.markdown.map(String::from).as_deref(),
            Some("https://example.com/docs/a.md")
        );
        assert_eq!(
            links.next.map(String::from).as_deref(),
            Some("https://example.com/docs/b.html")
        );
        assert_eq!(
            shown(&links.navigation),
            [
                "https://example.com/docs/b.html",
                "https://example.com/docs/c/"
            ]
        );
        assert_eq!(links.all.len(), 3);
    }
}
