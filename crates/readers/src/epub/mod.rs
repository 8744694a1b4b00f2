//! Reads e-books (EPUB): the chapters in the order of the spine, each as a page, with the titles of the table of contents where a
//! chapter has none of its own.

pub mod contents;
pub mod xhtml;

use crate::builder::{each_block, each_words, shift, under_title};
use crate::epub::contents::{Listed, Part};
use crate::package::{Package, damaged, joined, unreadable};
use crate::xml_tree::{Element, Tree};
use crate::{decode, html};
use skillkiln_document::blocks::{About, Block, BlockKind, Document, Span, walk};
use skillkiln_document::failure::Failure;
use skillkiln_document::text::{Inline, plain, squash, word_count};
use std::collections::HashMap;

/// Ways of making fonts harder to copy, which leave the text readable.
const FONTS_ONLY: &[&str] = &[
    "http://www.idpf.org/2008/embedding",
    "http://ns.adobe.com/pdf/enc#RC",
];

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
        let text = xhtml::opened(&decode::decode(&bytes, None));
        let read = html::read_whole(&text);
        let listed = titles.get(&chapter.path).map_or(&[][..], Vec::as_slice);
        let leads_on = |href: &str| {
            let path = contents::unescaped(href.split('#').next().unwrap_or(""));
            let target = joined(&chapter.path, &path);
            target != chapter.path && chapters.iter().any(|other| other.path == target)
        };
        add(&mut document, read, listed, &leads_on);
    }
    if document.blocks.is_empty() {
        return Err(match unread {
            0 => unreadable(
                "there is no text in this e-book, it may hold pictures only; send one with text",
            ),
            _ => damaged(),
        });
    }
    under_title(document.title.as_deref(), &mut document.blocks);
    Ok(document)
}

/// Adds a chapter to the end.
fn add(
    document: &mut Document,
    mut chapter: Document,
    listed: &[Listed],
    leads_on: &dyn Fn(&str) -> bool,
) {
    without_contents(&mut chapter.blocks, leads_on);
    without_inner_links(&mut chapter.blocks);
    at_depth(&mut chapter.blocks, listed);
    // A cover, a half title and a title page say the same one after the other.
    if let (Some(last), Some(first)) = (document.blocks.last(), chapter.blocks.first())
        && let BlockKind::Heading { text: before, .. } = &last.kind
        && let BlockKind::Heading { text: again, .. } = &first.kind
        && letters(&plain(before)) == letters(&plain(again))
    {
        chapter.blocks.remove(0);
    }
    let is_book = |title: &str| {
        let own = document.title.as_deref().map(letters);
        !document.blocks.is_empty() && own == Some(letters(title))
    };
    if let Some(Listed {
        title,
        depth: level,
    }) = listed.first()
        && !is_book(title)
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

/// Gives the headings of a chapter the depth that the table of contents gives them; those it does not name keep their distance
/// from the one above.
fn at_depth(blocks: &mut [Block], listed: &[Listed]) {
    let mut rest = listed;
    let mut distance = 0i16;
    for block in blocks {
        let BlockKind::Heading { level, text } = &mut block.kind else {
            continue;
        };
        let own = letters(&plain(text));
        let found = rest
            .iter()
            .position(|entry| is_same(&own, &letters(&entry.title)));
        if let Some(at) = found
            && let Some(entry) = rest.get(at)
        {
            distance = i16::from(entry.depth) - i16::from(*level);
            rest = rest.get(at + 1..).unwrap_or_default();
        }
        *level = u8::try_from((i16::from(*level) + distance).clamp(1, 6)).unwrap_or(6);
    }
}

/// Whether two titles are one: alike but for a number or the word "chapter" before it.
fn is_same(own: &str, listed: &str) -> bool {
    own == listed
        || listed.chars().count() >= 4 && own.ends_with(listed)
        || own.chars().count() >= 4 && listed.ends_with(own)
}

/// Takes out tables of contents: lists of nothing but links to other chapters, whose headings say the same.
fn without_contents(blocks: &mut Vec<Block>, leads_on: &dyn Fn(&str) -> bool) {
    let mut kept: Vec<Block> = Vec::with_capacity(blocks.len());
    for block in blocks.drain(..) {
        let is_contents = matches!(
            block.kind,
            BlockKind::List { .. } | BlockKind::Definitions(_)
        ) && Links::of(&block, leads_on).are_contents();
        if !is_contents {
            kept.push(block);
            continue;
        }
        let is_announced = kept.last().is_some_and(|before| match &before.kind {
            BlockKind::Paragraph(text) | BlockKind::Heading { text, .. } => matches!(
                letters(&plain(text)).as_str(),
                "tableofcontents"
                    | "contents"
                    | "inhaltsverzeichnis"
                    | "inhalt"
                    | "tabledesmatières"
                    | "目次"
                    | "目录"
            ),
            _ => false,
        });
        if is_announced {
            kept.pop();
        }
    }
    *blocks = kept;
}

/// How many links a block holds to other chapters, and whether it holds anything else.
#[derive(Default)]
struct Links {
    count: usize,
    others: bool,
}

impl Links {
    fn of(block: &Block, leads_on: &dyn Fn(&str) -> bool) -> Self {
        let mut links = Self::default();
        walk(
            std::slice::from_ref(block),
            &mut |block| match &block.kind {
                BlockKind::Paragraph(text) => links.add(text, leads_on),
                BlockKind::Definitions(entries) => entries
                    .iter()
                    .flat_map(|entry| &entry.terms)
                    .for_each(|term| links.add(term, leads_on)),
                BlockKind::List { .. } => {}
                _ => links.others = true,
            },
        );
        links
    }

    fn add(&mut self, inlines: &[Inline], leads_on: &dyn Fn(&str) -> bool) {
        for inline in inlines {
            match inline {
                Inline::Link(link) if leads_on(&link.href) => self.count += 1,
                Inline::Strong(inner) | Inline::Emphasis(inner) => self.add(inner, leads_on),
                Inline::Break => {}
                Inline::Text(text) if !text.chars().any(char::is_alphabetic) => {}
                _ => self.others = true,
            }
        }
    }

    fn are_contents(&self) -> bool {
        self.count >= 3 && !self.others
    }
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

fn letters(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
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
            .filter(|value| !value.is_empty())
            .collect::<Vec<String>>()
    };
    let first = |name| values(name).into_iter().next();
    let authors = values("creator").join(", ");
    let about = About {
        author: Some(authors).filter(|authors| !authors.is_empty()),
        date: first("date"),
        language: first("language").filter(|tag| (2..=35).contains(&tag.len())),
        site: first("publisher"),
        description: first("description").map(|text| squash(&html::read_whole(&text).text)),
        ..About::default()
    };
    let title = first("title").filter(|title| title != "UNTITLED" && title != "Untitled");
    (title, about)
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
    each_words(blocks, &mut unlinked);
    each_block(blocks, &mut |block| {
        if let BlockKind::Figure { source, .. } = &mut block.kind
            && !is_address(source)
        {
            source.clear();
        }
    });
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
