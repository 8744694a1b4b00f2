//! Turns what a program tells of itself for software centres (AppStream's metadata) into a page of HTML, whose reader knows the rest:
//! its name, what it is, what it does, and what is new in its releases. What is told again in other languages is left out.
//!
//! Elements after the AppStream 1.0 specification and the AppData files before it.

use crate::markup::docbook::escape;
use crate::xml_tree::{Content, Element, Tree};
use std::collections::HashSet;
use std::fmt::Write;

/// How the outermost element begins, and one that stands in each of them.
const ROOTS: [&str; 2] = ["component", "application"];
const NAMED: &str = "id";
/// What others have not, whose outermost element is called so too.
const OWN: [&str; 5] = [
    "<metadata_license",
    "<project_license",
    "<launchable",
    "type=\"desktop",
    "type=\"addon",
];
/// How far into a file they are looked for, in bytes.
const HEAD_BYTES: usize = 4 << 10;
/// Elements of a description nested deeper give their text only.
const DEPTH_MAX: usize = 8;

/// The page that `text` is written as; `None` where it is written otherwise.
pub(crate) fn page(text: &str) -> Option<String> {
    if !is_appstream(text) {
        return None;
    }
    let tree = Tree::read(text.as_bytes())?;
    let root = tree.root();
    let told = |name: &str| {
        let own = root
            .all(name)
            .find(|element| element.attribute("lang").is_none());
        own.map(|element| element.text().trim().to_owned())
    };
    let name = told("name")?;
    let description = root.child("description");
    let summary = told("summary");
    if description.is_none() && summary.is_none() {
        return None;
    }
    // Named so, the page is read as documentation.
    let mut page = String::from("<!DOCTYPE html><meta name=generator content=docbook><title>");
    escape(&name, &mut page);
    page.push_str("</title><body><main><h1>");
    escape(&name, &mut page);
    page.push_str("</h1>");
    if let Some(summary) = summary {
        page.push_str("<p>");
        escape(&summary, &mut page);
        page.push_str("</p>");
    }
    if let Some(description) = description {
        inside(description, 0, &mut page);
    }
    releases(root, &mut page);
    page.push_str("</main>");
    Some(page)
}

/// Whether `text` is such a file, by its outermost element.
fn is_appstream(text: &str) -> bool {
    let mut end = text.len().min(HEAD_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let head = text.get(..end).unwrap_or_default();
    let mut rest = head;
    // A comment may hold the address of whoever wrote the file, which is no element.
    let mut elements = std::iter::from_fn(|| {
        loop {
            let (_, tag) = rest.split_once('<')?;
            rest = match tag.strip_prefix("!--") {
                Some(comment) => comment.split_once("-->")?.1,
                None => tag,
            };
            if tag.starts_with(|c: char| c.is_ascii_alphabetic()) {
                return Some(tag);
            }
        }
    });
    let begins = |tag: &str, name: &str| {
        let behind = tag.strip_prefix(name);
        behind.is_some_and(|behind| behind.starts_with(|c: char| c.is_whitespace() || c == '>'))
    };
    head.trim_start().starts_with('<')
        && elements
            .next()
            .is_some_and(|root| ROOTS.iter().any(|name| begins(root, name)))
        && elements.any(|tag| begins(tag, NAMED))
        && OWN.iter().any(|own| text.contains(own))
}

/// What stands in an element, in the language of the file.
fn inside(element: Element<'_>, depth: usize, page: &mut String) {
    let inner = element.content().filter_map(|content| match content {
        Content::Element(inner) => Some(inner),
        Content::Text(_) => None,
    });
    // What is told without a language is not told again in one kind of English.
    let told: HashSet<&str> = inner
        .filter(|inner| inner.attribute("lang").is_none())
        .map(Element::name)
        .collect();
    for content in element.content() {
        let inner = match content {
            Content::Text(text) => {
                escape(text, page);
                continue;
            }
            Content::Element(inner) => inner,
        };
        let is_told_again = |lang: &str| !lang.starts_with("en") || told.contains(inner.name());
        if inner.attribute("lang").is_some_and(is_told_again) {
            continue;
        }
        match inner.name() {
            tag @ ("p" | "ul" | "ol" | "li" | "em" | "code") if depth < DEPTH_MAX => {
                let _ = write!(page, "<{tag}>");
                inside(inner, depth + 1, page);
                let _ = write!(page, "</{tag}>");
            }
            _ => escape(&inner.text(), page),
        }
    }
}

/// The releases of which something is told, each under its version and its day.
fn releases(root: Element<'_>, page: &mut String) {
    let all = root
        .child("releases")
        .into_iter()
        .flat_map(|releases| releases.all("release"));
    for release in all {
        let (Some(version), Some(told)) =
            (release.attribute("version"), release.child("description"))
        else {
            continue;
        };
        page.push_str("<h2>");
        escape(version, page);
        if let Some(day) = release.attribute("date") {
            page.push_str(" (");
            escape(day, page);
            page.push(')');
        }
        page.push_str("</h2>");
        inside(told, 0, page);
    }
}

#[cfg(test)]
mod tests {
    use super::page;
    use crate::html;
    use skillkiln_document::markdown::write;

    #[test]
    fn what_only_has_elements_of_these_names_is_no_such_file() {
        let part = "<component><id>R12</id><name>Resistor</name><description>A part.</description><warning>Never exceed 5 V.</warning></component>";
        assert!(page(part).is_none());
    }

    #[test]
    fn what_a_program_tells_of_itself_is_its_name_and_what_it_does() {
        let source = "<?xml version=\"1.0\"?>\n<!-- by Ada <ada@kiln.example> -->\n<component type=\"desktop\">\n<id>org.kiln</id>\n<metadata_license>CC0-1.0</metadata_license>\n<name>Kiln</name>\n<name xml:lang=\"de\">Ofen</name>\n<summary>Fires clay &amp; more</summary>\n<description>\n<p>It heats the kiln slowly, and opens it\n  a day after.</p>\n<p xml:lang=\"de\">Er heizt.</p>\n<p xml:lang=\"en_US\">It heats it.</p>\n<p>It does these:</p>\n<ul>\n<li>fires <code>clay</code></li>\n<li xml:lang=\"de\">brennt</li>\n<li>cools</li>\n</ul>\n</description>\n<releases><release version=\"1.2\" date=\"2020-03-01\"><description><p>Hotter.</p></description></release><release version=\"1.1\"/></releases>\n</component>\n";
        let page = page(source).expect("it is one");
        let document = html::read(&page, None).expect("it is read");
        assert_eq!(document.title.as_deref(), Some("Kiln"));
        assert_eq!(
            write(&document.blocks),
            "# Kiln\n\nFires clay & more\n\nIt heats the kiln slowly, and opens it a day after.\n\nIt does these:\n\n- fires `clay`\n- cools\n\n## 1.2 (2020-03-01)\n\nHotter.\n"
        );
        for other in [
            "<components><component><id>a</id></component></components>",
            "<component><part/></component>",
            "Say <component> and <id>.",
        ] {
            assert!(super::page(other).is_none(), "{other}");
        }
    }
}
