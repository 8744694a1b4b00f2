//! Owns the page as the judge of articles is to have it: without the names by which the judge would drop what is content.

use crate::html::container::HEADINGS;
use crate::html::finder::is_one_of;
use dom_query::{Document, NodeRef};

/// Characters in one stretch of text that the judge of articles may have to escape: it writes the page out, in time that grows
/// with the square of them.
const ESCAPED_MAX: usize = 5_000;

/// Whether it would take too long.
pub(super) fn is_slow_to_write(html: &str) -> bool {
    html.split('<').any(|text| {
        let escaped = text.bytes().filter(|byte| matches!(byte, b'&' | 0xc2));
        escaped.count() > ESCAPED_MAX
    })
}

/// What the judge of articles takes for the line that names the author, and drops, where an element is called so.
const BYLINES: [&str; 5] = ["author", "byline", "dateline", "writtenby", "Author"];
/// What the judge of articles takes for what readers say, for menus and the like, and drops; in code they are the names of its parts.
const CROWD: [&str; 14] = [
    "banner",
    "comment",
    "community",
    "extra",
    "footer",
    "header",
    "legends",
    "menu",
    "pager",
    "related",
    "remark",
    "sidebar",
    "social",
    "supplemental",
];
/// Elements around a part of code that are looked at.
const IN_CODE_MAX: usize = 12;
/// What parts such a name while the page is judged: two signs that nobody writes.
pub(super) const SEAM: &str = "\u{e000}\u{e001}";
/// Elements that name no author of the page, however they are called, nor does what is inside of them and called so alone.
const NO_BYLINES: &[&str] = &["h1", "h2", "h3", "h4", "h5", "h6", "section", "pre", "code"];
/// The same where one alone is called so: a class of items may be that of authors.
const NO_BYLINES_ALONE: &[&str] = &["li", "dt", "dd", "td", "th"];

/// The page as the judge of articles is to have it: what is no line of an author is called otherwise, and so are the parts
/// of code; and a heading takes over the name of its place from an empty element in it, which the judge would drop.
pub(super) fn prepared(page: &Document) -> Document {
    let page = page.clone();
    for heading in HEADINGS.find(&page) {
        let inside = || heading.descendants_it().take(8);
        let place = inside().find_map(|inner| {
            let is_empty = inner.has_name("a") && inner.text().trim().is_empty();
            let name = || inner.id_attr().or_else(|| inner.attr("name"));
            is_empty.then(name).flatten()
        });
        if let Some(place) = place.filter(|_| heading.id_attr().is_none()) {
            heading.set_attr("id", &place);
        }
    }
    let is_called = |node: &NodeRef<'_>, name: &str, words: &[&str]| {
        node.attr(name)
            .is_some_and(|value| words.iter().any(|word| value.contains(word)))
    };
    let words = [BYLINES.as_slice(), CROWD.as_slice()].concat();
    let root = page.root();
    let called: Vec<NodeRef<'_>> = root
        .descendants_it()
        .filter(|node| is_called(node, "id", &words) || is_called(node, "class", &words))
        .collect();
    for node in called {
        // What still looks around does not let it be changed.
        let is_code = {
            let mut around = node.ancestors_it(Some(IN_CODE_MAX));
            around.any(|around| is_one_of(&around, &["pre", "code"]))
        };
        for name in ["id", "class"] {
            let words = if is_code { words.as_slice() } else { &BYLINES };
            let Some(value) = node.attr(name).filter(|_| is_called(&node, name, words)) else {
                continue;
            };
            let is_none = |around: &NodeRef<'_>| {
                let has_name = |name: &&str| around.has_name(name);
                NO_BYLINES.iter().any(has_name)
                    || name == "id" && NO_BYLINES_ALONE.iter().any(has_name)
            };
            if is_code || is_none(&node) || node.ancestors_it(Some(3)).any(|it| is_none(&it)) {
                let parted = words.iter().fold(value.to_string(), |value, word| {
                    let (head, tail) = word.split_at(2);
                    value.replace(word, &format!("{head}{SEAM}{tail}"))
                });
                node.set_attr(name, &parted);
            }
        }
    }
    page
}
