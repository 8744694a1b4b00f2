//! Reads what a page says of itself: title, author, date, language, its true address, site and summary.

use crate::domain::document::About;
use crate::domain::text::{letters, squash};
use dom_query::Document;
use serde_json::Value;
use url::Url;

/// Structured data nested deeper than this is not looked into.
const DEPTH_MAX: usize = 8;

/// What parts a page's title from the name of its site.
const SEPARATORS: [&str; 6] = [" | ", " — ", " – ", " · ", " :: ", " - "];
/// Headings among which the page's own is looked for, and words that end the name of a whole manual.
const HEADINGS_MAX: usize = 4;
const MANUALS: [&str; 6] = [
    "documentation",
    "faq",
    "guide",
    "handbook",
    "manual",
    "questions",
];

/// The page's own title, author, date and so on.
pub(crate) fn read(page: &Document, address: Option<&str>) -> (Option<String>, About) {
    let meta = |selectors: &[&str]| {
        selectors.iter().find_map(|selector| {
            let found = page.select_single(selector).attr("content")?;
            Some(squash(&found)).filter(|value| !value.is_empty())
        })
    };
    let data = structured_data(page);
    let from_data = |key: &str| data.iter().find_map(|value| find(value, key, 0));
    let site = meta(&[
        "meta[property='og:site_name']",
        "meta[name=application-name]",
    ]);
    let head = squash(&page.select_single("title").text());
    let site = site.or_else(|| site_in(&head, page));
    let title = meta(&["meta[property='og:title']", "meta[name='twitter:title']"])
        .or(Some(head))
        .map(|title| without_site(&title, site.as_deref()))
        .filter(|title| !title.is_empty());
    let canonical = page
        .select_single("link[rel=canonical]")
        .attr("href")
        .and_then(
            |href| match address.and_then(|base| Url::parse(base).ok()) {
                Some(base) => base.join(href.trim()).ok(),
                None => Url::parse(href.trim()).ok(),
            },
        )
        .filter(|url| matches!(url.scheme(), "http" | "https"))
        .map(String::from);
    let about = About {
        author: meta(&["meta[name=author]", "meta[property='article:author']"])
            .filter(|author| !author.starts_with("http"))
            .or_else(|| from_data("author")),
        date: meta(&[
            "meta[property='article:published_time']",
            "meta[name=date]",
            "meta[name='dc.date']",
            "meta[itemprop=datePublished]",
        ])
        .or_else(|| from_data("datePublished"))
        .or_else(|| {
            page.select_single("article time[datetime]")
                .attr("datetime")
                .map(|date| squash(&date))
        }),
        language: page
            .select_single("html")
            .attr("lang")
            .map(|tag| squash(&tag).replace('_', "-"))
            .filter(|tag| (2..=35).contains(&tag.len())),
        address: canonical.or_else(|| address.map(str::to_owned)),
        site,
        description: meta(&["meta[name=description]", "meta[property='og:description']"]),
        is_verbatim: false,
    };
    (title, about)
}

/// The title in a page's head.
pub(crate) fn title(html: &str) -> Option<String> {
    let start = html.find("<title")?;
    let (_, after) = html.get(start..)?.split_once('>')?;
    let (title, _) = after.split_once("</")?;
    let mut plain = String::new();
    crate::pipeline::markdown::rendered::write_text_of_html(title, &mut plain);
    Some(squash(&plain)).filter(|title| !title.is_empty())
}

/// Whether a heading stands over the name of a manual's page, and is no name itself.
pub(crate) fn is_no_title(heading: &str) -> bool {
    ["NAME", "NAMEN", "NOM", "NOMBRE", "NOME"].contains(&heading)
}

/// The article's text as structured data repeats it, for pages whose visible text only scripts fill.
pub(crate) fn article_body(page: &Document) -> Option<String> {
    structured_data(page)
        .iter()
        .find_map(|value| find(value, "articleBody", 0))
        .filter(|body| body.split_whitespace().count() >= 40)
}

fn structured_data(page: &Document) -> Vec<Value> {
    page.select("script[type='application/ld+json']")
        .iter()
        .take(10)
        .filter_map(|script| serde_json::from_str(script.text().trim()).ok())
        .collect()
}

/// The first text under `key`; an author may be an object with a name, or several.
fn find(value: &Value, key: &str, depth: usize) -> Option<String> {
    if depth > DEPTH_MAX {
        return None;
    }
    match value {
        Value::Object(fields) => match fields.get(key) {
            Some(found) => text_of(found, depth),
            None => fields
                .get("@graph")
                .and_then(|graph| find(graph, key, depth + 1)),
        },
        Value::Array(items) => items.iter().find_map(|item| find(item, key, depth + 1)),
        _ => None,
    }
}

fn text_of(value: &Value, depth: usize) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
        Value::Array(items) => {
            let names: Vec<String> = items
                .iter()
                .filter_map(|item| text_of(item, depth + 1))
                .collect();
            Some(names.join(", ")).filter(|names| !names.is_empty())
        }
        Value::Object(_) => find(value, "name", depth + 1),
        _ => None,
    }
}

/// The name of the site in the title that stands in a page's head: what is left of it beside the page's own heading, and what is
/// called a documentation; a manual of several pages may give all of them its own title.
fn site_in(head: &str, page: &Document) -> Option<String> {
    let headings: Vec<String> = page
        .select("h1,h2")
        .iter()
        .take(HEADINGS_MAX)
        .map(|heading| letters(&heading.text()))
        .collect();
    let is_heading = |words: &str| {
        let words = letters(words);
        !words.is_empty() && headings.contains(&words)
    };
    let cut = SEPARATORS.iter().find_map(|separator| {
        let (own, rest) = head.rsplit_once(separator)?;
        let first = head.split_once(separator).map_or(own, |(first, _)| first);
        let is_site =
            rest.to_lowercase().contains("documentation") || is_heading(own) || is_heading(first);
        match is_site {
            true => Some(rest),
            false => is_heading(rest).then_some(own),
        }
    });
    let last = head.rsplit(' ').next().unwrap_or_default().to_lowercase();
    let is_manual = MANUALS.contains(&last.as_str()) && !is_heading(head) && !headings.is_empty();
    cut.or(is_manual.then_some(head))
        .map(|site| site.trim().to_owned())
        .filter(|site| site.contains(char::is_alphabetic))
}

/// A page's title without the name of its site at the end.
fn without_site(title: &str, site: Option<&str>) -> String {
    for separator in SEPARATORS {
        if let Some((head, tail)) = title.rsplit_once(separator) {
            let is_site = site.is_some_and(|site| site.eq_ignore_ascii_case(tail.trim()))
                || tail.to_lowercase().contains("documentation")
                || (separator == " | " && head.chars().count() >= 3);
            if is_site && !head.trim().is_empty() {
                return head.trim().to_owned();
            }
        }
    }
    title.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_site_of_a_page_is_what_its_title_says_beside_its_heading() {
        for (head, heading, site) in [
            (
                "Routing &#8212; Kiln 1.8 documentation",
                "Routing¶",
                Some("Kiln 1.8 documentation"),
            ),
            (
                "Workspaces - The Kiln Book",
                "Workspaces",
                Some("The Kiln Book"),
            ),
            ("Kiln | Workspaces", "Workspaces", Some("Kiln")),
            (
                "Kiln Frequently-Asked Questions",
                "Chapter 3: Ash",
                Some("Kiln Frequently-Asked Questions"),
            ),
            ("Firing - and what comes after", "Firing a kiln", None),
            ("Firing a kiln", "Firing a kiln", None),
            ("Kiln manual", "Kiln manual", None),
        ] {
            let html = format!("<head><title>{head}</title></head><body><h1>{heading}</h1></body>");
            let (_, about) = read(&Document::from(html.as_str()), None);
            assert_eq!(about.site.as_deref(), site, "{head}");
        }
        let html = "<head><title>Routing - Kiln</title><meta property='og:site_name' content=Pots></head><h1>Routing</h1>";
        let (_, about) = read(&Document::from(html), None);
        assert_eq!(about.site.as_deref(), Some("Pots"));
    }
}
