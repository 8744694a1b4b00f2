//! Chooses the part of a page that is its content: the container that documentation marks as such, else what a judge of
//! articles finds.

use dom_query::{Document, NodeRef};
use dom_smoothie::{Config, Readability, TextMode};

/// Generators of documentation, as their pages name themselves.
const GENERATORS: &[&str] = &[
    "sphinx",
    "docusaurus",
    "mkdocs",
    "vitepress",
    "rustdoc",
    "mdbook",
    "hugo",
    "asciidoctor",
    "asciidoc",
    "docbook",
    "javadoc",
    "doxygen",
    "gitbook",
    "jekyll",
    "gi-docgen",
    "starlight",
    "nextra",
    "vuepress",
    "zensical",
    "readthedocs",
    "docutils",
];
/// What is never content.
const CHROME: &str = "nav,aside:not(.admonition):not([class*=alert]):not([class*=note]),footer,header:not(main header):not(article header),[role=navigation],[role=search],[role=banner],[role=contentinfo],[role=complementary],.sidebar,.toc,.table-of-contents,.breadcrumb,.breadcrumbs,.pagination,.navheader,.navfooter,.related,.sphinxsidebar,#toc,#footer,#TOC,form,.theme-doc-toc-mobile,.theme-doc-footer,.prev-next-footer,.page-toc,.edit-this-page,.rst-footer-buttons,.mw-editsection,.navbox,.catlinks,#mw-navigation,.nav-wrapper,#sidebar,.nav-chapters";
/// Where content is, the most telling place first.
const PLACES: &[&str] = &[
    "main article",
    "[role=main]",
    "main",
    "article",
    ".markdown-body",
    "#main-content",
    "#mw-content-text",
    "div.body",
    "#content",
    ".content",
    "body",
];
/// What is stripped before anything is judged: hidden things, buttons, permalinks, line numbers.
const NOISE: &str = "style,noscript,template,svg,iframe,object,embed,button,input,select,textarea,[hidden],[aria-hidden=true]:not(.katex-html):not(.MathJax),a.headerlink,a.hash-link,a.header-anchor,a.anchorjs-link,a.anchor-link,a.heading-anchor,td.linenos,td.gutter,td.rouge-gutter,td.blob-num,.linenodiv,.linenos,.lineno,.line-numbers-wrapper,.line-numbers-rows,a.test-arrow,.sr-only,.visually-hidden,.copybtn,a.viewcode-link,a.srclink,.md-source-file,.tooltip,.code-block-copy-button,.katex-html,a.src,#copy-path,.out-of-band,.sidebar-toggle,.docs-skip-link,a.skip-link,a.md-skip";

/// What was chosen.
pub(crate) enum Chosen {
    /// An element of the page, by this selector's longest match.
    Place(Document, &'static str),
    /// A page made of the article alone.
    Article(Document),
}

impl Chosen {
    /// The element whose children are the content.
    pub(crate) fn node(&self) -> Option<NodeRef<'_>> {
        match self {
            Self::Place(page, place) => longest(page, place),
            Self::Article(page) => longest(page, "body"),
        }
    }
}

/// Strips what is no content anywhere.
pub(crate) fn strip(page: &Document) {
    page.select(NOISE).remove();
    for link in page.select("a[href]").nodes() {
        let text = link.text();
        let text = text.trim();
        let leads_here = link.attr("href").is_some_and(|href| href.contains('#'));
        let has_picture = || link.descendants_it().any(|inner| inner.has_name("img"));
        let mark = matches!(
            text,
            "¶" | "#" | "§" | "🔗" | "\u{f0c1}" | "Permalink" | "[source]"
        );
        if (mark && (leads_here || text == "[source]"))
            || (text.is_empty() && !has_picture() && link.id_attr().is_none())
        {
            link.remove_from_parent();
        }
    }
}

/// Chooses the content of `page`, which is stripped.
pub(crate) fn choose(page: &Document, address: Option<&str>) -> Option<Chosen> {
    let generator = page
        .select("meta[name=generator]")
        .attr("content")
        .unwrap_or_default()
        .to_ascii_lowercase();
    let bare = page.clone();
    bare.select(CHROME).remove();
    let body = longest(&bare, "body")
        .map(|body| Measure::of(&body))
        .unwrap_or_default();
    let is_documentation =
        GENERATORS.iter().any(|name| generator.contains(name)) || body.listings >= 2;
    let place = PLACES.iter().find_map(|place| {
        // Many of a kind are teasers, not the content.
        if bare.select(place).length() > 3 {
            return None;
        }
        let measure = Measure::of(&longest(&bare, place)?);
        // Documentation may be short; elsewhere a small container is a teaser.
        let letters_min = if is_documentation { 60 } else { 200 };
        (measure.letters > letters_min && measure.letters * 10 >= body.letters * 4)
            .then_some((*place, measure))
    });
    let article = Readability::with_document(
        page.clone(),
        address,
        Some(Config {
            keep_classes: true,
            text_mode: TextMode::Raw,
            ..Config::default()
        }),
    )
    .ok()
    .and_then(|mut judge| judge.parse().ok())
    .map(|article| Document::from(article.content.as_ref()));
    let judged = article
        .as_ref()
        .and_then(|article| longest(article, "body"))
        .map(|body| Measure::of(&body))
        .unwrap_or_default();
    if let Some((place, measure)) = place {
        let is_prose = measure.links * 10 < measure.letters * 8;
        let loses_much = place != "body"
            && judged.letters * 10 < measure.letters.saturating_sub(measure.links) * 6;
        if judged.letters < 200
            || (is_documentation && is_prose)
            || measure.listings > judged.listings
            || loses_much
        {
            return Some(Chosen::Place(bare, place));
        }
    }
    match article {
        Some(article) if judged.letters > 0 => Some(Chosen::Article(article)),
        _ if body.letters > 0 => Some(Chosen::Place(bare, "body")),
        _ => None,
    }
}

fn longest<'a>(page: &'a Document, place: &str) -> Option<NodeRef<'a>> {
    page.select(place)
        .nodes()
        .iter()
        .max_by_key(|node| node.normalized_char_count())
        .copied()
}

/// How much text an element holds, how much of it in links, and how many listings.
#[derive(Debug, Clone, Copy, Default)]
struct Measure {
    letters: usize,
    links: usize,
    listings: usize,
}

impl Measure {
    fn of(node: &NodeRef<'_>) -> Self {
        let mut measure = Self {
            letters: node.normalized_char_count(),
            ..Self::default()
        };
        for inner in node.descendants_it() {
            if inner.has_name("a") {
                measure.links += inner.normalized_char_count();
            } else if inner.has_name("pre") {
                measure.listings += 1;
            }
        }
        measure
    }
}
