//! Reads what a page says of itself: title, author, date, language, its true address, site and summary.

use dom_query::Document;
use serde_json::Value;
use skillkiln_document::blocks::About;
use skillkiln_document::text::squash;
use url::Url;

/// Structured data nested deeper than this is not looked into.
const DEPTH_MAX: usize = 8;

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
    let title = meta(&["meta[property='og:title']", "meta[name='twitter:title']"])
        .or_else(|| Some(squash(&page.select_single("title").text())))
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
        ..About::default()
    };
    (title, about)
}

/// The title in a page's head.
pub(crate) fn title(html: &str) -> Option<String> {
    text_of_first(html, "title")
}

/// The words of the first element called `name`, whatever becomes of it when the page is read.
pub(super) fn text_of_first(html: &str, name: &str) -> Option<String> {
    let start = html.find(&format!("<{name}"))?;
    let (_, after) = html.get(start..)?.split_once('>')?;
    let (inner, _) = after.split_once(&format!("</{name}"))?;
    let mut plain = String::new();
    skillkiln_document::markdown::rendered::write_text_of_html(inner, &mut plain);
    Some(squash(&plain)).filter(|words| !words.is_empty())
}

/// The article's text as structured data repeats it, for pages whose visible text only scripts fill.
pub(crate) fn article_body(page: &Document) -> Option<String> {
    structured_data(page)
        .iter()
        .find_map(|value| find(value, "articleBody", 0))
        .filter(|body| body.split_whitespace().count() >= 40)
}

/// What the page says of itself as data.
pub(super) fn structured_data(page: &Document) -> Vec<Value> {
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

/// A page's title without the name of its site at the end.
fn without_site(title: &str, site: Option<&str>) -> String {
    for separator in [" | ", " — ", " – ", " · ", " :: ", " - "] {
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
