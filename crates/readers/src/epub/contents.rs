//! Reads the table of contents of an e-book, in its new form (nav) or its old one (ncx): which chapter has which title, at which
//! depth.

use crate::package::{Package, joined};
use crate::xml_tree::{Element, Tree};
use skillkiln_document::failure::Failure;
use skillkiln_document::text::squash;
use std::collections::HashMap;

/// Chapters in chapters that are told apart.
const DEPTH_MAX: u8 = 6;

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

/// An entry of the table of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listed {
    /// What it says.
    pub(crate) title: String,
    /// How deep it stands, from 1.
    pub(crate) depth: u8,
}

/// The entries by the path of the chapter that they lead to; a chapter's first is its own, later ones lead into it.
///
/// # Errors
/// When a part is damaged or too large.
pub(crate) fn titles(
    package: &mut Package<'_>,
    opf: &Tree,
    parts: &HashMap<String, Part>,
) -> Result<HashMap<String, Vec<Listed>>, Failure> {
    let mut titles = HashMap::new();
    let nav = parts
        .values()
        .find(|part| part.properties.split_whitespace().any(|word| word == "nav"));
    if let Some(Part { path, .. }) = nav
        && let Some(tree) = package.xml(path)?
    {
        let navs = tree.root().inside("nav");
        let chosen = navs
            .iter()
            .find(|nav| nav.attribute("epub:type").is_some_and(|kind| kind == "toc"))
            .or(navs.first());
        if let Some(list) = chosen.and_then(|nav| nav.child("ol")) {
            from_nav(list, path, 1, &mut titles);
        }
    }
    if !titles.is_empty() {
        return Ok(titles);
    }
    let named = opf
        .root()
        .child("spine")
        .and_then(|spine| parts.get(spine.attribute("toc")?));
    let ncx = named.or_else(|| {
        parts
            .values()
            .find(|part| part.media_type == "application/x-dtbncx+xml")
    });
    if let Some(Part { path, .. }) = ncx
        && let Some(tree) = package.xml(path)?
        && let Some(map) = tree.root().child("navMap")
    {
        from_ncx(map, path, 1, &mut titles);
    }
    Ok(titles)
}

fn from_nav(list: Element<'_>, from: &str, depth: u8, titles: &mut HashMap<String, Vec<Listed>>) {
    for item in list.all("li") {
        if let Some(link) = item.child("a").or_else(|| {
            item.inside("a")
                .first()
                .copied()
                .filter(|_| item.child("ol").is_none())
        }) {
            insert(link.attribute("href"), &link.text(), from, depth, titles);
        }
        if let Some(inner) = item.child("ol").filter(|_| depth < DEPTH_MAX) {
            from_nav(inner, from, depth + 1, titles);
        }
    }
}

fn from_ncx(map: Element<'_>, from: &str, depth: u8, titles: &mut HashMap<String, Vec<Listed>>) {
    for point in map.all("navPoint") {
        let target = point
            .child("content")
            .and_then(|content| content.attribute("src"));
        let label = point
            .at(&["navLabel", "text"])
            .map(Element::text)
            .unwrap_or_default();
        insert(target, &label, from, depth, titles);
        if depth < DEPTH_MAX {
            from_ncx(point, from, depth + 1, titles);
        }
    }
}

fn insert(
    target: Option<&str>,
    title: &str,
    from: &str,
    depth: u8,
    titles: &mut HashMap<String, Vec<Listed>>,
) {
    let title = squash(title);
    let Some(target) = target.filter(|_| !title.is_empty()) else {
        return;
    };
    let path = joined(from, &unescaped(target.split('#').next().unwrap_or("")));
    titles
        .entry(path)
        .or_default()
        .push(Listed { title, depth });
}

/// A path without the escapes that addresses need.
pub(crate) fn unescaped(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after
            .get(..2)
            .filter(|_| *first == b'%')
            .and_then(|code| std::str::from_utf8(code).ok())
            .and_then(|code| u8::from_str_radix(code, 16).ok());
        match code {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_without_its_escapes() {
        assert_eq!(unescaped("Chapter%201.xhtml"), "Chapter 1.xhtml");
        assert_eq!(unescaped("100%.xhtml"), "100%.xhtml");
    }
}
