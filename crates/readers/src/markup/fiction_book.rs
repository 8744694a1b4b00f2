//! Turns an e-book in FictionBook 2 into the page of HTML that its reader knows: its sections below their titles, and its notes last.

use crate::page::Page;
use crate::xml_tree::{Element, Tree};
use skillkiln_document::text::squash;

/// How far into a file its outermost element is looked for, in bytes.
const HEAD_BYTES: usize = 4 << 10;

/// The page that `text` is written as; `None` where it is no such book.
pub(crate) fn page(text: &str) -> Option<String> {
    let head = text.get(..text.floor_char_boundary(HEAD_BYTES))?;
    if !head.contains("<FictionBook") {
        return None;
    }
    let tree = Tree::read(text.as_bytes())?;
    let root = Some(tree.root()).filter(|root| root.name() == "FictionBook")?;
    let about = root.at(&["description", "title-info"]);
    let mut page = Page::new(element);
    let title = about.and_then(|about| about.child("book-title"));
    if let Some(title) = title {
        page.within("h1", title, 0);
    }
    for author in about.into_iter().flat_map(|about| about.all("author")) {
        let names = ["first-name", "middle-name", "last-name", "nickname"];
        let names = names.iter().filter_map(|name| author.child(name));
        let names: Vec<String> = names.map(|name| squash(&name.text())).collect();
        page.tagged("p", |page| page.text(&names.join(" ")));
    }
    if let Some(annotation) = about.and_then(|about| about.child("annotation")) {
        page.content(annotation, 1);
    }
    for body in root.all("body") {
        match (body.attribute("name"), body.child("title")) {
            // It repeats the title of the book.
            (None, Some(_)) => inside(&mut page, body, 1),
            (Some(name), None) => {
                page.heading(1, |page| page.text(name));
                page.content(body, 2);
            }
            _ => page.content(body, 1),
        }
    }
    Some(page.finished(title, "fictionbook"))
}

/// What stands in a part below its title.
fn inside(page: &mut Page, part: Element<'_>, depth: usize) {
    for inner in part.elements().filter(|inner| inner.name() != "title") {
        page.element(inner, depth);
    }
}

fn element(page: &mut Page, element: Element<'_>, depth: usize) {
    match element.name() {
        "section" => {
            if let Some(title) = element.child("title") {
                page.element(title, depth);
            }
            inside(page, element, depth + 1);
        }
        // A title has several lines, and a number of its own each note.
        "title" => page.heading(depth, |page| {
            let lines: Vec<String> = element.all("p").map(|line| squash(&line.text())).collect();
            page.text(&lines.join(" "));
        }),
        "subtitle" => page.within("p", element, depth),
        "p" | "v" | "text-author" | "date" => page.within("p", element, depth),
        "epigraph" | "cite" | "poem" => page.within("blockquote", element, depth),
        "stanza" => {
            page.tagged("p", |page| {
                for (number, line) in element.all("v").enumerate() {
                    page.html.push_str(if number > 0 { "<br>" } else { "" });
                    page.content(line, depth);
                }
            });
        }
        "emphasis" => page.within("em", element, depth),
        "strikethrough" => page.within("s", element, depth),
        "strong" | "sub" | "sup" | "code" | "table" | "tr" | "td" | "th" => {
            page.within(element.name(), element, depth);
        }
        "a" => {
            let address = element
                .attribute("l:href")
                .or(element.attribute("xlink:href"));
            match address.filter(|address| address.starts_with("http")) {
                Some(address) => page.link(address, element, depth),
                None => page.content(element, depth),
            }
        }
        "image" | "empty-line" => {}
        _ => page.content(element, depth),
    }
}

#[cfg(test)]
mod tests {
    use super::page;
    use crate::html;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_book_is_its_sections_verses_and_notes_without_its_pictures() {
        let text = "<?xml version=\"1.0\"?><FictionBook xmlns=\"f\" xmlns:l=\"x\"><description><title-info><author><first-name>Ann</first-name><last-name>Potter</last-name></author>\
            <book-title>On Kilns</book-title><annotation><p>A book.</p></annotation></title-info><document-info><id>7</id></document-info></description>\
            <body><title><p>On Kilns</p></title><epigraph><p>Fire first.</p></epigraph><section><title><p>Part 1</p><p>Clay</p></title>\
            <p>Clay is <emphasis>wet</emphasis><a l:href=\"#n1\" type=\"note\">[1]</a>.</p><section><title><p>Red clay</p></title><p>Use <code>fire()</code>.</p><empty-line/>\
            <poem><stanza><v>Clay is mud</v><v>before the flood</v></stanza></poem><table><tr><th>Heat</th></tr><tr><td>800</td></tr></table></section></section></body>\
            <body name=\"notes\"><section id=\"n1\"><title><p>1</p></title><p>By weight.</p></section></body><binary id=\"c\">/9j/4AAQ</binary></FictionBook>";
        let document = html::read_whole(&page(text).expect("a book"));
        assert_eq!(
            write(&document.blocks),
            "# On Kilns\n\nAnn Potter\n\nA book.\n\n> Fire first.\n\n## Part 1 Clay\n\nClay is *wet*[1].\n\n### Red clay\n\nUse `fire()`.\n\n\
             > Clay is mud\\\n> before the flood\n\n| Heat |\n| --- |\n| 800 |\n\n## notes\n\n### 1\n\nBy weight.\n"
        );
        assert_eq!(page("<html>FictionBook</html>"), None);
    }
}
