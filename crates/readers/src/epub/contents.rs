//! Reads the table of contents of an e-book, in its new form (nav) or its old one (ncx): which chapter has which title, at which
//! depth.

use crate::epub::Part;
use crate::package::{Package, joined};
use crate::xml_tree::{Element, Tree};
use skillkiln_document::failure::Failure;
use skillkiln_document::text::squash;
use std::collections::{HashMap, HashSet};

/// Chapters in chapters that are told apart.
const DEPTH_MAX: u8 = 6;

/// The entries by the path of their chapter, as they come, each with whether others stand below it.
type Found = HashMap<String, Vec<(Listed, bool)>>;

/// An entry of the table of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listed {
    /// What it says.
    pub(crate) title: String,
    /// How deep it stands, from 1.
    pub(crate) depth: u8,
    /// The anchor in the chapter that it leads to; empty where it leads to all of it.
    pub(crate) fragment: String,
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
    let mut titles = Found::new();
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
        return Ok(once_each(titles));
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
    Ok(once_each(titles))
}

/// Of the entries with one title for one target, the one that has others below it: generators list a chapter in full, and once more
/// where the text of another one leads to it. Where neither has any, it stands where it is listed the highest.
fn once_each(found: Found) -> HashMap<String, Vec<Listed>> {
    let once = |entries: Vec<(Listed, bool)>| {
        let mut best: HashMap<(String, String), usize> = HashMap::new();
        let key = |entry: &Listed| (entry.fragment.clone(), entry.title.clone());
        let rank = |(entry, leads): &(Listed, bool)| (!leads, entry.depth);
        for (at, entry) in entries.iter().enumerate() {
            let kept = best.entry(key(&entry.0)).or_insert(at);
            if entries
                .get(*kept)
                .is_some_and(|kept| rank(entry) < rank(kept))
            {
                *kept = at;
            }
        }
        let is_best =
            |(at, (entry, _)): &(usize, (Listed, bool))| best.get(&key(entry)) == Some(at);
        let kept = entries.into_iter().enumerate().filter(is_best);
        kept.map(|(_, (entry, _))| entry).collect()
    };
    let each = found.into_iter();
    each.map(|(path, entries)| (path, once(entries))).collect()
}

/// The paths of the chapters that the book calls its index.
pub(crate) fn indexes(opf: &Tree, root: &str) -> HashSet<String> {
    let guide = opf.root().child("guide").into_iter();
    let references = guide.flat_map(|guide| guide.all("reference"));
    references
        .filter(|reference| reference.attribute("type") == Some("index"))
        .filter_map(|reference| reference.attribute("href"))
        .map(|href| joined(root, &unescaped(href.split('#').next().unwrap_or(""))))
        .collect()
}

fn from_nav(list: Element<'_>, from: &str, depth: u8, titles: &mut Found) {
    for item in list.all("li") {
        if let Some(link) = item.child("a").or_else(|| {
            item.inside("a")
                .first()
                .copied()
                .filter(|_| item.child("ol").is_none())
        }) {
            let leads = item.child("ol").is_some();
            let target = link.attribute("href");
            insert(target, &link.text(), from, (depth, leads), titles);
        }
        if let Some(inner) = item.child("ol").filter(|_| depth < DEPTH_MAX) {
            from_nav(inner, from, depth + 1, titles);
        }
    }
}

fn from_ncx(map: Element<'_>, from: &str, depth: u8, titles: &mut Found) {
    for point in map.all("navPoint") {
        let target = point
            .child("content")
            .and_then(|content| content.attribute("src"));
        let label = point
            .at(&["navLabel", "text"])
            .map(Element::text)
            .unwrap_or_default();
        let leads = point.child("navPoint").is_some();
        insert(target, &label, from, (depth, leads), titles);
        if depth < DEPTH_MAX {
            from_ncx(point, from, depth + 1, titles);
        }
    }
}

fn insert(
    target: Option<&str>,
    title: &str,
    from: &str,
    (depth, leads): (u8, bool),
    titles: &mut Found,
) {
    let title = squash(title);
    let Some(target) = target.filter(|_| !title.is_empty()) else {
        return;
    };
    let (path, fragment) = target.split_once('#').unwrap_or((target, ""));
    let path = joined(from, &unescaped(path));
    let fragment = unescaped(fragment);
    let entry = Listed {
        title,
        depth,
        fragment,
    };
    titles.entry(path).or_default().push((entry, leads));
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
    fn a_chapter_that_is_listed_twice_stands_where_its_sections_are_listed() {
        let entry = |title: &str, depth, fragment: &str, leads| {
            let (title, fragment) = (title.to_owned(), fragment.to_owned());
            let listed = Listed {
                title,
                depth,
                fragment,
            };
            (listed, leads)
        };
        let found = vec![
            entry("Fire", 3, "", false),
            entry("Fire", 1, "", true),
            entry("Wood", 2, "wood", false),
            entry("Ash", 3, "", false),
            entry("Ash", 2, "", false),
        ];
        let found = HashMap::from([("fire.xhtml".to_owned(), found)]);
        let kept = once_each(found).remove("fire.xhtml").unwrap_or_default();
        let kept: Vec<(&str, u8)> = kept
            .iter()
            .map(|it| (it.title.as_str(), it.depth))
            .collect();
        assert_eq!(kept, [("Fire", 1), ("Wood", 2), ("Ash", 2)]);
    }

    #[test]
    fn a_path_is_read_without_its_escapes() {
        assert_eq!(unescaped("Chapter%201.xhtml"), "Chapter 1.xhtml");
        assert_eq!(unescaped("100%.xhtml"), "100%.xhtml");
    }
}
