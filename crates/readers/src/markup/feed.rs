//! Turns a feed in RSS or Atom into the page of HTML that its reader knows: a heading for each entry, above what it says.
//!
//! Elements after RSS 2.0 with its module for content, RSS 1.0 and RFC 4287.

use crate::page::Page;
use crate::xml_tree::{Element, Tree};

/// How far into a file its outermost element is looked for, in bytes.
const HEAD_BYTES: usize = 8 << 10;

/// The page that `text` is written as; `None` where it is no feed.
pub(crate) fn page(text: &str) -> Option<String> {
    let head = text.get(..text.floor_char_boundary(HEAD_BYTES))?;
    if !["<rss", "<feed", "<rdf:RDF"]
        .iter()
        .any(|name| head.contains(name))
    {
        return None;
    }
    let tree = Tree::read(text.as_bytes())?;
    let root = tree.root();
    let channel = match root.name() {
        "rss" | "RDF" => root.child("channel")?,
        "feed" => root,
        _ => return None,
    };
    let mut page = Page::new(|page, element, depth| {
        let name = element.name();
        page.within(name, element, depth);
    });
    let title = channel.child("title");
    page.heading(0, |page| inline(page, title));
    let about = ["description", "subtitle"];
    if let Some(about) = about.iter().find_map(|name| channel.child(name)) {
        page.tagged("p", |page| inline(page, Some(about)));
    }
    // Those of RSS 1.0 stand beside the channel.
    for entry in root.inside("item").into_iter().chain(root.inside("entry")) {
        page.tagged("section", |page| {
            page.heading(1, |page| inline(page, entry.child("title")));
            let dates = ["pubDate", "published", "updated", "date"];
            if let Some(date) = dates.iter().find_map(|name| entry.child(name)) {
                page.tagged("p", |page| page.text(&date.text()));
            }
            let bodies = ["encoded", "content", "description", "summary"];
            if let Some(body) = bodies.iter().find_map(|name| entry.child(name)) {
                block(page, body);
            }
            link(page, entry);
        });
    }
    Some(page.finished(title, "feed"))
}

/// What an entry says, in HTML as most are. A text that is none is a paragraph.
fn block(page: &mut Page, body: Element<'_>) {
    let text = body.text();
    if body.attribute("type") == Some("xhtml") {
        page.content(body, 0);
    } else if is_html(body, &text) {
        page.html.push_str(&text);
    } else {
        page.tagged("p", |page| page.text(&text));
    }
}

/// A title or a line, of which only the words count. Many write it in HTML, whatever the standard says.
fn inline(page: &mut Page, line: Option<Element<'_>>) {
    let Some(line) = line else {
        return;
    };
    let text = line.text();
    match is_html(line, &text) {
        true if text.contains("</") => page.html.push_str(&text),
        true => page.html.push_str(&text.replace('<', "&lt;")),
        false => page.text(text.trim()),
    }
}

/// Whether a text is HTML: said to be, or with its character references or closing tags.
fn is_html(element: Element<'_>, text: &str) -> bool {
    let has_reference = text.split('&').skip(1).any(|rest| {
        rest.split_once(';').is_some_and(|(name, _)| {
            let name = name.strip_prefix('#').unwrap_or(name);
            !name.is_empty() && name.len() < 9 && name.bytes().all(|b| b.is_ascii_alphanumeric())
        })
    });
    match element.attribute("type") {
        Some("html" | "text/html") => true,
        Some("text" | "text/plain") => false,
        _ => has_reference || text.contains("</") || text.contains("/>") || text.contains("<p>"),
    }
}

/// Where the whole entry stands.
fn link(page: &mut Page, entry: Element<'_>) {
    let links = || entry.all("link");
    let own = links().find(|link| matches!(link.attribute("rel"), None | Some("alternate")));
    let Some(own) = own else {
        return;
    };
    let address = own
        .attribute("href")
        .map_or_else(|| own.text(), str::to_owned);
    let address = address.trim();
    if address.starts_with("http") {
        page.tagged("p", |page| {
            page.tagged(
                &format!("a href=\"{}\"", crate::page::escaped(address)),
                |page| {
                    page.text(address);
                },
            );
        });
    }
}

#[cfg(test)]
mod tests {
    use super::page;
    use crate::html;
    use skillkiln_document::markdown::write;

    fn shown(text: &str) -> String {
        write(&html::read_whole(&page(text).expect("a feed")).blocks)
    }

    #[test]
    fn titles_of_rss_with_entities_and_bodies_in_cdata_or_escaped_are_read() {
        let text = "<?xml version=\"1.0\"?><rss version=\"2.0\" xmlns:content=\"c\"><channel><title>Kiln &amp; news</title><description>All of it</description>\
            <item><title>Doors &amp;amp; a Vec&lt;T&gt;</title><link>https://kiln.example/1</link><pubDate>1 June</pubDate><description>Short.</description>\
            <content:encoded><![CDATA[<p>It opens <b>outwards</b>.</p><ul><li>one</li></ul>]]></content:encoded></item>\
            <item><title><![CDATA[A Vec<T> & more]]></title><description>&lt;p&gt;The &amp;quot;new&amp;quot; roof.&lt;/p&gt;</description></item></channel></rss>";
        assert_eq!(
            shown(text),
            "# Kiln & news\n\nAll of it\n\n## Doors & a Vec\\<T>\n\n1 June\n\nIt opens **outwards**.\n\n- one\n\n<https://kiln.example/1>\n\n\
             ## A Vec\\<T> & more\n\nThe \"new\" roof.\n"
        );
    }

    #[test]
    fn entries_of_atom_are_read_in_html_xhtml_and_plain_words() {
        let text = "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title type=\"html\">Kiln &lt;em&gt;notes&lt;/em&gt;</title>\
            <entry><title>First</title><link rel=\"self\" href=\"https://k.example/x\"/><content type=\"xhtml\"><div><p>Open the <code>door</code>.</p></div></content></entry>\
            <entry><title>Second</title><updated>May</updated><summary>a &lt; b words</summary></entry></feed>";
        assert_eq!(
            shown(text),
            "# Kiln *notes*\n\n## First\n\nOpen the `door`.\n\n## Second\n\nMay\n\na < b words\n"
        );
        assert_eq!(page("<html><body>&lt;rss</body></html>"), None);
    }
}
