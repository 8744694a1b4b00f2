//! Reads e-books (EPUB): the chapters in the order of the spine, each as a page, with the titles of the table of contents where a
//! chapter has none of its own.

pub mod contents;
mod depths;
mod furniture;
mod named;
mod related;
mod repeated;
pub mod xhtml;

use crate::builder::{shift, under_title};
use crate::epub::contents::Listed;
use crate::epub::named::Names;
use crate::epub::repeated::Said;
use crate::html::chapters::Chapter;
use crate::package::{Package, damaged, joined, unreadable};
use crate::xml_tree::{Element, Tree};
use crate::{decode, html};
use skillkiln_document::blocks::{About, Block, BlockKind, Document, Span, walk};
use skillkiln_document::failure::Failure;
use skillkiln_document::text::{Inline, letters, plain, squash, word_count};
use std::collections::{HashMap, HashSet};

/// Ways of making fonts harder to copy, which leave the text readable.
const FONTS_ONLY: &[&str] = &[
    "http://www.idpf.org/2008/embedding",
    "http://ns.adobe.com/pdf/enc#RC",
];

/// A title page has no more blocks.
const TITLE_PAGE_MAX: usize = 12;

/// What programs that make books write where they were told nothing.
const UNSET: &[&str] = &[
    "unknown",
    "Unknown",
    "UNTITLED",
    "Untitled",
    "Author name not set",
    "Project name not set",
];

/// A part of the book, as its manifest lists it.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    /// Its name in the package.
    pub(crate) path: String,
    /// What it is.
    pub(crate) media_type: String,
    /// Words for what it is for.
    pub(crate) properties: String,
}

/// Reads the book in `package`.
///
/// # Errors
/// When it is locked, damaged, or holds no chapter that can be read.
pub(crate) fn read(package: &mut Package<'_>) -> Result<Document, Failure> {
    let container = package.xml("META-INF/container.xml")?.ok_or_else(damaged)?;
    let roots: Vec<String> = container
        .root()
        .inside("rootfile")
        .into_iter()
        .filter_map(|file| Some(joined("", file.attribute("full-path")?)))
        .collect();
    let root = roots
        .into_iter()
        .find(|root| package.holds(root))
        .ok_or_else(damaged)?;
    let opf = package.xml(&root)?.ok_or_else(damaged)?;
    let parts = manifest(&opf, &root);
    let chapters = spine(&opf, &parts);
    check_lock(package, &chapters)?;
    let (title, about) = metadata(&opf);
    let titles = contents::titles(package, &opf, &parts)?;
    let mut document = Document {
        title,
        about,
        ..Document::default()
    };
    let paths: HashSet<&str> = chapters.iter().map(|it| it.path.as_str()).collect();
    let indexes = contents::indexes(&opf, &root);
    let mut said = Said::default();
    let mut names = Names::default();
    let mut unread = 0;
    for chapter in &chapters {
        // The table of contents repeats the headings.
        if chapter
            .properties
            .split_whitespace()
            .any(|word| word == "nav")
        {
            continue;
        }
        let Some(bytes) = package.part(&chapter.path)? else {
            unread += 1;
            continue;
        };
        let text = decode::decode(&bytes, None);
        let text = xhtml::opened(&xhtml::escaped_once(&related::without_bars(&text)));
        let listed = titles.get(&chapter.path).map_or(&[][..], Vec::as_slice);
        let leads_on = |href: &str| {
            let path = contents::unescaped(href.split('#').next().unwrap_or(""));
            let target = joined(&chapter.path, &path);
            target != chapter.path && paths.contains(target.as_str())
        };
        let anchors = listed.iter().filter(|entry| !entry.fragment.is_empty());
        let read = html::read_chapter(
            &text,
            &Chapter {
                listed: anchors
                    .map(|entry| (entry.fragment.as_str(), entry.title.as_str()))
                    .collect(),
                leads_on: &leads_on,
                is_index: indexes.contains(&chapter.path),
            },
        );
        if furniture::is_metadata(&read.blocks) {
            // What heads it at the end of the book heads nothing else.
            let is_last = chapters
                .last()
                .is_some_and(|last| last.path == chapter.path);
            let is_heading = |block: &mut Block| matches!(block.kind, BlockKind::Heading { .. });
            if is_last && document.blocks.len() > 1 {
                document.blocks.pop_if(is_heading);
            }
            continue;
        }
        if said.again(&read.blocks) {
            continue;
        }
        let name = names.of(&read, &chapter.path, document.title.as_deref());
        let named = match (listed, &name) {
            ([], Some(name)) => std::slice::from_ref(name),
            _ => listed,
        };
        add(&mut document, read, named, &leads_on);
    }
    if document.blocks.is_empty() {
        return Err(match unread {
            0 => unreadable(
                "there is no text in this e-book, it may hold pictures only; send one with text",
            ),
            _ => damaged(),
        });
    }
    if let Some(title) = named::in_full(&document) {
        document.title = Some(title);
    }
    if let Some(title) = &document.title {
        put_first(title, &mut document.blocks);
    }
    under_title(document.title.as_deref(), &mut document.blocks);
    Ok(document)
}

/// Puts the heading that is the title of the book above what its title page says, where that is the first of all; the page says the
/// title as well.
fn put_first(title: &str, blocks: &mut Vec<Block>) {
    let is_heading = |block: &Block| matches!(block.kind, BlockKind::Heading { .. });
    let says_title = |block: &Block| match &block.kind {
        BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => {
            letters(&plain(text)) == letters(title)
        }
        _ => false,
    };
    let first = blocks.iter().take(TITLE_PAGE_MAX + 1).position(is_heading);
    let Some(at) = first.filter(|at| blocks.get(*at).is_some_and(says_title)) else {
        return;
    };
    let heading = blocks.remove(at);
    let mut left = at;
    blocks.retain(|block| {
        let is_before = left > 0;
        left = left.saturating_sub(1);
        !(is_before && says_title(block))
    });
    blocks.insert(0, heading);
}

/// Whether the last heading of a book is that of the chapter which comes, but for its number: some generators write each title on a
/// page of its own, and again above its text.
fn is_numbered_again(book: &[Block], chapter: &[Block]) -> bool {
    let heading = |block: Option<&Block>| match &block?.kind {
        BlockKind::Heading { text, .. } => Some(plain(text)),
        _ => None,
    };
    let (Some(last), Some(first)) = (heading(book.last()), heading(chapter.first())) else {
        return false;
    };
    depths::names(&first).contains(&letters(&last))
}

/// Adds a chapter to the end.
fn add(
    document: &mut Document,
    mut chapter: Document,
    listed: &[Listed],
    leads_on: &dyn Fn(&str) -> bool,
) {
    furniture::without_contents(&mut chapter.blocks, leads_on);
    without_inner_links(&mut chapter.blocks);
    depths::put(&mut chapter.blocks, listed);
    // A cover, a half title and a title page say the same one after the other.
    if let (Some(last), Some(first)) = (document.blocks.last(), chapter.blocks.first())
        && let BlockKind::Heading { text: before, .. } = &last.kind
        && let BlockKind::Heading { text: again, .. } = &first.kind
        && letters(&plain(before)) == letters(&plain(again))
    {
        chapter.blocks.remove(0);
    }
    if is_numbered_again(&document.blocks, &chapter.blocks) {
        document.blocks.pop();
    }
    let is_book = |title: &str| {
        let own = document.title.as_deref().map(letters);
        !document.blocks.is_empty() && own == Some(letters(title))
    };
    if let Some(Listed {
        title,
        depth: level,
        ..
    }) = listed.first()
        && !is_book(title)
        && !furniture::names_contents(title)
        && !says(&chapter, title)
        && !chapter.blocks.is_empty()
    {
        let start = document.text.len();
        document.text.push_str(title);
        document.blocks.push(Block {
            kind: BlockKind::Heading {
                level: *level,
                text: vec![Inline::Text(title.clone())],
            },
            span: Span::of(start..document.text.len()),
        });
        document.text.push('\n');
    }
    shift(&mut chapter.blocks, document.text.len());
    document.text.push_str(&chapter.text);
    if !document.text.is_empty() && !document.text.ends_with('\n') {
        document.text.push('\n');
    }
    document.blocks.extend(chapter.blocks);
}

/// Whether a chapter begins with its title itself, or with any heading, or is a single line.
fn says(chapter: &Document, title: &str) -> bool {
    let wanted = letters(title);
    let mut headings = 0;
    let mut found = false;
    walk(&chapter.blocks, &mut |block| {
        if let BlockKind::Heading { text, .. } = &block.kind {
            headings += 1;
            let own = letters(&plain(text));
            found |= own.contains(&wanted) || wanted.contains(&own);
        }
    });
    let begins_with_heading = chapter
        .blocks
        .iter()
        .take(3)
        .any(|block| matches!(block.kind, BlockKind::Heading { .. }));
    let begins_with_it = chapter
        .text
        .lines()
        .take(3)
        .any(|line| letters(line) == wanted);
    found && headings > 0 || begins_with_heading || begins_with_it || word_count(&chapter.text) < 3
}

fn manifest(opf: &Tree, root: &str) -> HashMap<String, Part> {
    opf.root()
        .child("manifest")
        .into_iter()
        .flat_map(|manifest| manifest.all("item"))
        .filter_map(|item| {
            let href = item.attribute("href")?;
            Some((
                item.attribute("id")?.to_owned(),
                Part {
                    path: joined(root, &contents::unescaped(href)),
                    media_type: item.attribute("media-type").unwrap_or("").to_owned(),
                    properties: item.attribute("properties").unwrap_or("").to_owned(),
                },
            ))
        })
        .collect()
}

/// The chapters in reading order, those beside the main line (notes) where they stand.
fn spine(opf: &Tree, parts: &HashMap<String, Part>) -> Vec<Part> {
    opf.root()
        .child("spine")
        .into_iter()
        .flat_map(|spine| spine.all("itemref"))
        .filter_map(|reference| parts.get(reference.attribute("idref")?))
        .filter(|part| {
            part.media_type.contains("html")
                || part.media_type.is_empty()
                || part.media_type.contains("xml") && !part.media_type.contains("svg")
        })
        .cloned()
        .collect()
}

fn metadata(opf: &Tree) -> (Option<String>, About) {
    let Some(metadata) = opf.root().child("metadata") else {
        return (None, About::default());
    };
    // An older form keeps them one level deeper.
    let inner = metadata.child("dc-metadata").unwrap_or(metadata);
    let values = |name: &'static str| {
        inner
            .all(name)
            .map(|element: Element<'_>| squash(&element.text()))
            .filter(|value| !value.is_empty() && !UNSET.contains(&value.as_str()))
            .collect::<Vec<String>>()
    };
    let first = |name| values(name).into_iter().next();
    let authors = values("creator").join(", ");
    let about = About {
        author: Some(authors).filter(|authors| !authors.is_empty()),
        date: first("date"),
        language: first("language").filter(|tag| (2..=35).contains(&tag.len())),
        description: first("description").map(|text| squash(&html::read_whole(&text).text)),
        ..About::default()
    };
    (first("title"), about)
}

/// Says so when the chapters are locked to a reader's account or device.
fn check_lock(package: &mut Package<'_>, chapters: &[Part]) -> Result<(), Failure> {
    let locked = "this e-book is locked to a shop's reader (DRM) and cannot be read here; send a copy without that lock";
    if package.holds("META-INF/rights.xml")
        || package.holds("META-INF/sinf.xml")
        || package.holds("META-INF/license.lcpl")
    {
        return Err(unreadable(locked));
    }
    let Some(encryption) = package.xml("META-INF/encryption.xml")? else {
        return Ok(());
    };
    for data in encryption.root().inside("EncryptedData") {
        let method = data
            .child("EncryptionMethod")
            .and_then(|method| method.attribute("Algorithm"))
            .unwrap_or("");
        let target = data
            .at(&["CipherData", "CipherReference"])
            .and_then(|reference| reference.attribute("URI"))
            .map(|uri| joined("", &contents::unescaped(uri)))
            .unwrap_or_default();
        if !FONTS_ONLY.contains(&method) && chapters.iter().any(|chapter| chapter.path == target) {
            return Err(unreadable(locked));
        }
    }
    Ok(())
}

/// Links between chapters lead nowhere once the book is one text: their words stay.
fn without_inner_links(blocks: &mut [Block]) {
    for block in blocks {
        match &mut block.kind {
            BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => unlinked(text),
            BlockKind::List { items, .. } => {
                items.iter_mut().for_each(|item| without_inner_links(item));
            }
            BlockKind::Table {
                header,
                rows,
                caption,
            } => {
                header.iter_mut().for_each(unlinked);
                rows.iter_mut().flatten().for_each(unlinked);
                caption.iter_mut().for_each(unlinked);
            }
            BlockKind::Quote(inner) | BlockKind::Admonition { blocks: inner, .. } => {
                without_inner_links(inner);
            }
            BlockKind::Definitions(entries) => {
                for entry in entries {
                    entry.terms.iter_mut().for_each(unlinked);
                    without_inner_links(&mut entry.blocks);
                }
            }
            BlockKind::Figure {
                source, caption, ..
            } => {
                if !is_address(source) {
                    source.clear();
                }
                unlinked(caption);
            }
            BlockKind::Code { .. } | BlockKind::Math(_) => {}
        }
    }
}

fn unlinked(inlines: &mut Vec<Inline>) {
    let mut out = Vec::with_capacity(inlines.len());
    for mut inline in inlines.drain(..) {
        match &mut inline {
            Inline::Link(link) if !is_address(&link.href) => {
                unlinked(&mut link.text);
                for piece in link.text.drain(..) {
                    match (out.last_mut(), piece) {
                        (Some(Inline::Text(before)), Inline::Text(words)) => {
                            before.push_str(&words)
                        }
                        (_, piece) => out.push(piece),
                    }
                }
                continue;
            }
            Inline::Emphasis(inner) | Inline::Strong(inner) => unlinked(inner),
            Inline::Link(link) => unlinked(&mut link.text),
            _ => {}
        }
        match (out.last_mut(), inline) {
            (Some(Inline::Text(before)), Inline::Text(words)) => before.push_str(&words),
            (_, inline) => out.push(inline),
        }
    }
    *inlines = out;
}

fn is_address(href: &str) -> bool {
    let lower = href.to_ascii_lowercase();
    ["http://", "https://", "mailto:"]
        .iter()
        .any(|scheme| lower.starts_with(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_of_a_book_stands_above_its_title_page() {
        let page =
            "<p>Kilns of old</p><p>Ada Lee</p><h1>Kilns of Old</h1><h2>Oak</h2><p>Kilns of old</p>";
        let mut blocks = html::read_whole(page).blocks;
        put_first("Kilns of Old", &mut blocks);
        assert_eq!(
            skillkiln_document::markdown::write(&blocks),
            "# Kilns of Old\n\nAda Lee\n\n## Oak\n\nKilns of old\n"
        );
        let mut others = html::read_whole("<p>Ada Lee</p><h1>Oak</h1><h1>Kilns</h1>").blocks;
        let before = others.len();
        put_first("Kilns", &mut others);
        assert_eq!(others.len(), before);
        assert!(matches!(
            others.first().map(|it| &it.kind),
            Some(BlockKind::Paragraph(_))
        ));
    }

    #[test]
    fn a_title_that_stands_again_with_its_number_is_one_heading() {
        let blocks = |page: &str| html::read_whole(page).blocks;
        let book = blocks("<p>Hot.</p><h2>Kilns</h2>");
        let next = |title: &str| blocks(&format!("<h3>{title}</h3><p>They are hot.</p>"));
        assert!(is_numbered_again(&book, &next("4. Kilns")));
        assert!(!is_numbered_again(&book, &next("4. Ovens")));
        assert!(!is_numbered_again(
            &blocks("<h2>Kilns</h2><p>Hot.</p>"),
            &next("4. Kilns")
        ));
    }
}
