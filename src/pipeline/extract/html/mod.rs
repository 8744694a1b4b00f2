//! Reads web pages: what the page is about, without its navigation, as blocks with the anchors that lead to them.

pub mod about;
pub mod blocks;
pub mod code;
pub mod container;
pub mod inline;
pub mod notes;
pub mod prefilter;
pub mod table;

use crate::domain::document::{Block, BlockKind, Document};
use crate::domain::failure::{Failure, Reason};
use crate::domain::text::word_count;
use crate::pipeline::extract::builder::Builder;
use crate::pipeline::extract::html::blocks::Writer;
use crate::pipeline::extract::html::inline::Base;
use crate::pipeline::extract::markup::markdown;
use url::Url;

/// A page with fewer words than this that runs scripts is taken to be filled by them.
const WORDS_MIN: usize = 25;

/// Reads the page `html` that was found at `address`.
///
/// # Errors
/// When there is nothing to read, or only what scripts would fill in.
pub fn read(html: &str, address: Option<&str>) -> Result<Document, Failure> {
    let page = dom_query::Document::from(prefilter::prefilter(html).as_str());
    let (title, about) = about::read(&page, address);
    let body = about::article_body(&page);
    let base = Base {
        url: base_of(&page, address),
    };
    container::strip(&page);
    let mut writer = Writer {
        builder: Builder::default(),
        base,
    };
    let mut blocks = Vec::new();
    if let Some(chosen) = container::choose(&page, address)
        && let Some(node) = chosen.node()
    {
        blocks = writer.inside(&node, 0);
    }
    let words = word_count(writer.builder.text());
    if words < WORDS_MIN
        && let Some(body) = body
    {
        let mut document = markdown::read(body);
        document.title = title;
        document.about = about;
        return Ok(document);
    }
    if words < WORDS_MIN && is_filled_by_scripts(html, words) {
        return Err(Failure::new(
            Reason::Unreadable,
            "this page is filled in by scripts, which are not run here; send its text, a saved copy or an address that holds the text (many sites offer the same page as .md, or /llms.txt)",
        ));
    }
    if blocks.is_empty() {
        return Err(Failure::new(
            Reason::Unreadable,
            "there is no text on this page; send an address that holds words",
        ));
    }
    let title = markdown::first_title(&blocks)
        .or(title)
        .or_else(|| first_heading(&blocks));
    Ok(writer.builder.finish(title, about, blocks))
}

/// Reads all of a page that is known to be content from end to end: a chapter of a book.
pub(crate) fn read_whole(html: &str) -> Document {
    let page = dom_query::Document::from(prefilter::prefilter(html).as_str());
    let (title, about) = about::read(&page, None);
    container::strip(&page);
    let mut writer = Writer {
        builder: Builder::default(),
        base: Base::default(),
    };
    let blocks = match page.select_single("body").nodes().first() {
        Some(body) => writer.inside(body, 0),
        None => Vec::new(),
    };
    writer.builder.finish(title, about, blocks)
}

fn first_heading(blocks: &[Block]) -> Option<String> {
    blocks.iter().find_map(|block| match &block.kind {
        BlockKind::Heading { text, .. } => Some(crate::domain::text::plain(text)),
        _ => None,
    })
}

fn base_of(page: &dom_query::Document, address: Option<&str>) -> Option<Url> {
    let address = address.and_then(|address| Url::parse(address).ok());
    let named = page.select_single("base[href]").attr("href");
    match (address, named) {
        (Some(address), Some(href)) => address.join(href.trim()).ok().or(Some(address)),
        (Some(address), None) => Some(address),
        (None, Some(href)) => Url::parse(href.trim()).ok(),
        (None, None) => None,
    }
}

/// Whether a page with hardly a word leaves its content to scripts.
fn is_filled_by_scripts(html: &str, words: usize) -> bool {
    let lower = html.to_ascii_lowercase();
    if !lower.contains("<script") {
        return false;
    }
    let has_root = [
        "id=\"root\"",
        "id=\"app\"",
        "id=\"__next\"",
        "id=\"___gatsby\"",
        "id=root",
        "id=app",
        "<app-root",
    ]
    .iter()
    .any(|mark| lower.contains(mark));
    let asks = lower.contains("enable javascript") || lower.contains("requires javascript");
    words == 0 || has_root || asks
}
