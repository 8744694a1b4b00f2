//! Reads what a page says of itself: title, author, date, language, its true address, site and summary.

use crate::html::finder::{Finder, List};
use crate::html::inline::Base;
use dom_query::{Document, NodeRef};
use serde_json::Value;
use skillkiln_document::blocks::About;
use skillkiln_document::text::{letters, squash};
use url::Url;

/// Structured data nested deeper than this is not looked into.
const DEPTH_MAX: usize = 8;

/// A browser that goes on to another page later shows this one until then.
const SOON_SECONDS: f64 = 30.0;

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

/// In what a page tells of itself.
static TELLING: List = List::new(|| Finder::of("html,base,meta,title,link,script,time,h1,h2"));

/// The elements in which a page tells of itself, in its order: looked up once for all that is asked of them.
pub(crate) struct Told<'p> {
    elements: Vec<NodeRef<'p>>,
    /// Its structured data.
    data: Vec<Value>,
    /// What the first page of its manual is called.
    home: Option<String>,
}

impl<'p> Told<'p> {
    /// Those of a page.
    pub(crate) fn of(page: &'p Document) -> Self {
        let elements = TELLING.find(page);
        let is_data = |node: &&NodeRef<'_>| {
            let of_type = |it: &str| it.eq_ignore_ascii_case("application/ld+json");
            node.has_name("script") && node.attr("type").is_some_and(|it| of_type(&it))
        };
        let data = elements
            .iter()
            .filter(is_data)
            .take(10)
            .filter_map(|script| serde_json::from_str(script.text().trim()).ok())
            .collect();
        let home = home(page, &elements);
        Self {
            elements,
            data,
            home,
        }
    }

    fn first(&self, name: &str) -> Option<&NodeRef<'p>> {
        self.elements.iter().find(|node| node.has_name(name))
    }

    /// What is said under the first of these names, each of them an attribute and its value.
    fn meta(&self, names: &[(&str, &str)]) -> Option<String> {
        names.iter().find_map(|(attribute, name)| {
            let is_named = |node: &&NodeRef<'_>| {
                node.has_name("meta") && node.attr(attribute).is_some_and(|own| &*own == *name)
            };
            let found = self.elements.iter().find(is_named)?.attr("content")?;
            Some(squash(&found)).filter(|value| !value.is_empty())
        })
    }

    /// Where a browser goes on to right away, without being asked.
    pub(crate) fn leads_on_to(&self) -> Option<String> {
        let is_refresh = |it: &str| it.eq_ignore_ascii_case("refresh");
        self.elements.iter().find_map(|node| {
            let told = node.attr("http-equiv").filter(|it| is_refresh(it));
            let content = told.and_then(|_| node.attr("content"))?;
            let is_aside = node.parent().is_some_and(|it| it.has_name("noscript"));
            let (seconds, rest) = content.split_once([';', ','])?;
            let is_soon = seconds
                .trim()
                .parse()
                .is_ok_and(|it: f64| it <= SOON_SECONDS);
            let rest = rest.trim_start();
            let (key, address) = rest.split_at_checked("url".len())?;
            let address = address.trim_start().strip_prefix('=')?;
            let address = address.trim().trim_matches(['\'', '"']);
            let is_told = key.eq_ignore_ascii_case("url") && !address.starts_with('#');
            (is_told && is_soon && !is_aside && !address.is_empty()).then(|| address.to_owned())
        })
    }

    fn in_data(&self, key: &str) -> Option<String> {
        self.data.iter().find_map(|value| find(value, key, 0))
    }

    /// The page's own title, author, date and so on.
    pub(crate) fn about(&self, address: Option<&str>) -> (Option<String>, About) {
        let site = self.meta(&[("property", "og:site_name"), ("name", "application-name")]);
        let head = squash(&self.first("title").map(NodeRef::text).unwrap_or_default());
        let site = site
            .or_else(|| site_in(&head, &self.elements))
            .or_else(|| self.home.clone());
        let title = self
            .meta(&[("property", "og:title"), ("name", "twitter:title")])
            .or(Some(head))
            .map(|title| without_site(&title, site.as_deref()))
            .filter(|title| !title.is_empty());
        let is_canonical = |node: &&NodeRef<'_>| {
            let canonical = |it: &str| it.eq_ignore_ascii_case("canonical");
            node.has_name("link") && node.attr("rel").is_some_and(|it| canonical(&it))
        };
        let canonical = self
            .elements
            .iter()
            .find(is_canonical)
            .and_then(|link| link.attr("href"))
            .and_then(
                |href| match address.and_then(|base| Url::parse(base).ok()) {
                    Some(base) => base.join(href.trim()).ok(),
                    None => Url::parse(href.trim()).ok(),
                },
            )
            .filter(|url| matches!(url.scheme(), "http" | "https"))
            .map(String::from);
        let is_date = |node: &&NodeRef<'_>| {
            node.has_name("time")
                && node.has_attr("datetime")
                && node.ancestors_it(None).any(|it| it.has_name("article"))
        };
        let shown_date = || self.elements.iter().find(is_date)?.attr("datetime");
        let about = About {
            author: self
                .meta(&[("name", "author"), ("property", "article:author")])
                .filter(|author| !author.starts_with("http"))
                .or_else(|| self.in_data("author")),
            date: self
                .meta(&[
                    ("property", "article:published_time"),
                    ("name", "date"),
                    ("name", "dc.date"),
                    ("itemprop", "datePublished"),
                ])
                .or_else(|| self.in_data("datePublished"))
                .or_else(|| shown_date().map(|date| squash(&date))),
            language: self
                .first("html")
                .and_then(|html| html.attr("lang"))
                .map(|tag| squash(&tag).replace('_', "-"))
                .filter(|tag| (2..=35).contains(&tag.len())),
            address: canonical.or_else(|| address.map(str::to_owned)),
            site,
            description: self.meta(&[("name", "description"), ("property", "og:description")]),
            is_verbatim: false,
        };
        (title, about)
    }

    /// The article's text as structured data repeats it, for pages whose visible text only scripts fill.
    pub(crate) fn article_body(&self) -> Option<String> {
        self.in_data("articleBody")
            .filter(|body| body.split_whitespace().count() >= 40)
    }

    /// What made the page, as it says.
    pub(crate) fn generator(&self) -> Option<String> {
        let is_named = |node: &&NodeRef<'_>| {
            node.has_name("meta") && node.attr("name").is_some_and(|name| &*name == "generator")
        };
        let found = self.elements.iter().find(is_named)?.attr("content")?;
        Some(found.to_string())
    }

    /// From where the page's links lead on.
    pub(crate) fn base(&self, address: Option<&str>) -> Option<Url> {
        let address = address.and_then(|address| Url::parse(address).ok());
        let leads = |node: &&NodeRef<'_>| node.has_name("base") && node.has_attr("href");
        let named = self.elements.iter().find(leads);
        match (address, named.and_then(|base| base.attr("href"))) {
            (Some(address), Some(href)) => address.join(href.trim()).ok().or(Some(address)),
            (Some(address), None) => Some(address),
            (None, Some(href)) => Url::parse(href.trim()).ok(),
            (None, None) => None,
        }
    }

    /// What the links of the page start from, found at `address`.
    pub(crate) fn base_of_links(&self, address: Option<&str>) -> Base {
        let url = self.base(address);
        let page = address.and_then(|address| Url::parse(address).ok());
        let is_told = url.is_some() && url != page;
        Base { url, is_told }
    }
}

/// What the first page of the manual is called of which a page is one: as its head tells, or of DocBook's pages the way back in their
/// navigation.
fn home(page: &Document, elements: &[NodeRef<'_>]) -> Option<String> {
    let is_first = |node: &&NodeRef<'_>| {
        let is_first = |rel: &str| {
            ["home", "start", "top"]
                .iter()
                .any(|first| rel.trim().eq_ignore_ascii_case(first))
        };
        node.has_name("link") && node.attr("rel").is_some_and(|rel| is_first(&rel))
    };
    let is_docbook = |node: &NodeRef<'_>| {
        let content = node.attr("content").filter(|_| node.has_name("meta"));
        content.is_some_and(|content| content.starts_with("DocBook"))
    };
    let in_head = elements.iter().find(is_first);
    let in_head = in_head.and_then(|link| link.attr("title"));
    let told = in_head.or_else(|| {
        let is_one = elements.iter().any(is_docbook);
        is_one.then(|| page.select_single("a[accesskey=h]").attr("title"))?
    })?;
    // "Home page" is where somebody goes, and not what that is.
    const LABELS: [&str; 11] = [
        "contents", "front", "home", "homepage", "index", "main", "page", "post", "start", "top",
        "welcome",
    ];
    let title = squash(&told);
    let lower = title.to_lowercase();
    let is_label = lower
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| LABELS.contains(&word));
    (!is_label && title.contains(char::is_alphabetic)).then_some(title)
}

/// The title in a page's head.
pub(crate) fn title(html: &str) -> Option<String> {
    let start = html.find("<title")?;
    let (_, after) = html.get(start..)?.split_once('>')?;
    let (title, _) = after.split_once("</")?;
    let mut plain = String::new();
    skillkiln_document::markdown::rendered::write_text_of_html(title, &mut plain);
    Some(squash(&plain)).filter(|title| !title.is_empty())
}

/// Whether a heading stands over the name of a manual's page, and is no name itself.
pub(crate) fn is_no_title(heading: &str) -> bool {
    ["NAME", "NAMEN", "NOM", "NOMBRE", "NOME"].contains(&heading)
}

/// Whether a heading stands over all that a page says, on whatever that is: Haddock puts one over what a module has.
pub(crate) fn heads_anything(heading: &str) -> bool {
    heading.eq_ignore_ascii_case("documentation")
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
fn site_in(head: &str, elements: &[NodeRef<'_>]) -> Option<String> {
    let headings: Vec<String> = elements
        .iter()
        .filter(|node| node.has_name("h1") || node.has_name("h2"))
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
    // `Kiln Docs: Routing`: only what calls itself the documentation stands in front of a colon.
    let in_front = || {
        let (site, own) = head.split_once(": ")?;
        let last = site.rsplit(' ').next().unwrap_or_default().to_lowercase();
        let is_site = last == "docs" || MANUALS.contains(&last.as_str());
        (is_site && is_heading(own)).then_some(site)
    };
    let cut = cut.or_else(in_front);
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
    let in_front = title.split_once(": ").filter(|(head, _)| {
        let is_docs = head.to_lowercase().ends_with(" docs");
        is_docs && site.is_some_and(|site| site.eq_ignore_ascii_case(head.trim()))
    });
    in_front.map_or(title, |(_, own)| own).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_tells_of_itself_in_its_head_and_in_its_data() {
        let page = Document::from(
            "<html lang=en_GB><head><title>Kilns</title><meta name=generator content=Kilnpress><base href='https://kilns.example/docs/'>\
             <link rel=Canonical href='https://kilns.example/heat'><meta name=description content=' All  of heat '>\
             <script type='application/ld+json'>{\"author\": {\"name\": \"Ada\"}}</script></head>\
             <body><time datetime=2020-01-01>then</time><article><time datetime=2024-05-06>now</time></article></body></html>",
        );
        let told = Told::of(&page);
        let (title, about) = told.about(None);
        assert_eq!(title.as_deref(), Some("Kilns"));
        assert_eq!(about.author.as_deref(), Some("Ada"));
        assert_eq!(about.date.as_deref(), Some("2024-05-06"));
        assert_eq!(about.language.as_deref(), Some("en-GB"));
        assert_eq!(about.address.as_deref(), Some("https://kilns.example/heat"));
        assert_eq!(about.description.as_deref(), Some("All of heat"));
        assert_eq!(told.generator().as_deref(), Some("Kilnpress"));
        let base = told.base(Some("https://kilns.example/"));
        assert_eq!(base.unwrap().as_str(), "https://kilns.example/docs/");
    }

    #[test]
    fn a_page_is_called_as_its_head_says_where_its_heading_would_do_for_any() {
        let called = |head: &str| {
            let told = "It opens the door of a kiln, and returns whether that was shut before.";
            let html = format!(
                "<head>{head}</head><body><div><p>Kiln.Door</p><h1>Documentation</h1><p>{told}</p></div></body>"
            );
            let document = crate::html::read(&html, None).expect("a page");
            document.title
        };
        let own = called("<title>Kiln.Door</title>");
        assert_eq!(own.as_deref(), Some("Kiln.Door"));
        assert_eq!(called("").as_deref(), Some("Documentation"));
    }

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
            ("Kiln Docs: Routing", "Routing", Some("Kiln Docs")),
            ("Chapter 4: Ash", "Ash", None),
        ] {
            let html = format!("<head><title>{head}</title></head><body><h1>{heading}</h1></body>");
            let (_, about) = Told::of(&Document::from(html.as_str())).about(None);
            assert_eq!(about.site.as_deref(), site, "{head}");
        }
        let html = "<head><title>Chapter 4. Routing</title><link rel=home href=index.html title='Kiln Reference'></head><h2>Chapter 4. Routing</h2>";
        let (_, about) = Told::of(&Document::from(html)).about(None);
        assert_eq!(about.site.as_deref(), Some("Kiln Reference"));
        let html = "<head><title>Overview</title><link rel=home href=/ title='Home page'></head><h1>Overview</h1>";
        let (_, about) = Told::of(&Document::from(html)).about(None);
        assert_eq!(about.site, None);
        let html = "<head><title>Chapter 4. Routing</title><meta name=generator content='DocBook XSL'></head><h2>Chapter 4. Routing</h2>\
            <a accesskey=h href=index.html title='Kiln 15 Documentation'>Home</a>";
        let (_, about) = Told::of(&Document::from(html)).about(None);
        assert_eq!(about.site.as_deref(), Some("Kiln 15 Documentation"));
        let html = "<head><title>Routing - Kiln</title><meta property='og:site_name' content=Pots></head><h1>Routing</h1>";
        let (_, about) = Told::of(&Document::from(html)).about(None);
        assert_eq!(about.site.as_deref(), Some("Pots"));
    }
}
