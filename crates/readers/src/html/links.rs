//! Finds where a page leads: its twin in Markdown, the page after it, and the pages of its site in the order of the site's own
//! navigation.

use crate::html::{base_of, prefilter};
use serde::{Deserialize, Serialize};
use url::Url;

/// Links that are kept of each kind.
const LINKS_MAX: usize = 3_000;
/// Where sites list their pages.
const NAVIGATION: &str = "nav a[href],aside a[href],[role=navigation] a[href],.sidebar a[href],#sidebar a[href],.sphinxsidebar a[href],.toctree-wrapper a[href],.toc a[href],#toc a[href],.chapter a[href],.menu a[href],.wy-menu a[href],#sidebar-nav a[href],.nav-links a[href]";

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

#[cfg(test)]
mod tests {
    use super::*;

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
