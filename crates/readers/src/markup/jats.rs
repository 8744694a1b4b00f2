//! Turns an article in JATS, the tag set of journals and of PubMed Central, into the page of HTML that its reader knows.
//!
//! Elements after the Journal Publishing Tag Set 1.3.

use crate::page::escape;
use crate::xml_tree::{Content, Element, Tree};
use std::fmt::Write;

/// How far into a file its type is looked for, in bytes.
const HEAD_BYTES: usize = 8 << 10;

/// The page that `text` is written as; `None` where it is no article.
pub(crate) fn page(text: &str) -> Option<String> {
    let head = text.get(..text.floor_char_boundary(HEAD_BYTES))?;
    let is_typed = head.contains("//NLM//DTD") || head.contains("JATS-");
    if !head.contains("<article") || !(is_typed || head.contains("<article-meta")) {
        return None;
    }
    let tree = Tree::read(text.as_bytes())?;
    let root = tree.root();
    let article = Some(root)
        .filter(|root| root.name() == "article")
        .or_else(|| root.child("article"))?;
    let mut writer = Writer::default();
    let meta = article
        .child("front")
        .and_then(|front| front.child("article-meta"));
    let title = meta
        .and_then(|meta| meta.child("title-group"))
        .and_then(|group| group.child("article-title"));
    if let Some(title) = title {
        writer.within("h1", title, 1);
    }
    for inner in meta.into_iter().flat_map(Element::elements) {
        if matches!(inner.name(), "abstract" | "trans-abstract") {
            writer.division(inner, 1);
        }
    }
    for part in ["body", "back", "floats-group"] {
        for inner in article.all(part) {
            writer.division(inner, 0);
        }
    }
    let title = title.map(Element::text).unwrap_or_default();
    // Named so, the page is read as documentation.
    let mut page = String::from("<!DOCTYPE html><meta name=generator content=jats><title>");
    escape(title.trim(), &mut page);
    page.push_str("</title><body><main>");
    page.push_str(&writer.page);
    page.push_str("</main>");
    Some(page)
}

#[derive(Default)]
struct Writer {
    page: String,
}

impl Writer {
    fn content(&mut self, element: Element<'_>, depth: usize) {
        for content in element.content() {
            match content {
                Content::Element(inner) => self.element(inner, depth),
                Content::Text(text) => escape(text, &mut self.page),
            }
        }
    }

    fn within(&mut self, tag: &str, element: Element<'_>, depth: usize) {
        let _ = write!(self.page, "<{tag}>");
        self.content(element, depth);
        let _ = write!(self.page, "</{}>", tag.split(' ').next().unwrap_or(tag));
    }

    /// A part below its heading, which carries the number that the text refers to it by.
    fn division(&mut self, element: Element<'_>, depth: usize) {
        if let Some(title) = element.child("title") {
            let level = (depth + 1).min(6);
            let _ = write!(self.page, "<h{level}>");
            if let Some(label) = element.child("label") {
                escape(&label.text(), &mut self.page);
                self.page.push(' ');
            }
            self.content(title, depth);
            let _ = write!(self.page, "</h{level}>");
        }
        for inner in element.elements() {
            if !matches!(inner.name(), "title" | "label" | "sec-meta") {
                self.element(inner, depth + 1);
            }
        }
    }

    fn element(&mut self, element: Element<'_>, depth: usize) {
        match element.name() {
            "sec" | "app" | "app-group" | "ack" | "glossary" | "notes" | "boxed-text" | "bio" => {
                self.division(element, depth.max(1));
            }
            "ref-list" => self.references(element, depth),
            "p" => self.within("p", element, depth),
            "title" => self.within("p", element, depth),
            "list" => {
                let is_ordered = element.attribute("list-type").is_some_and(|kind| {
                    matches!(
                        kind,
                        "order" | "alpha-lower" | "alpha-upper" | "roman-lower" | "roman-upper"
                    )
                });
                let tag = if is_ordered { "ol" } else { "ul" };
                let _ = write!(self.page, "<{tag}>");
                for item in element.all("list-item") {
                    self.page.push_str("<li>");
                    for inner in item.elements().filter(|inner| inner.name() != "label") {
                        self.element(inner, depth);
                    }
                    self.page.push_str("</li>");
                }
                let _ = write!(self.page, "</{tag}>");
            }
            "def-list" => {
                self.page.push_str("<dl>");
                for entry in element.all("def-item") {
                    for (part, tag) in [("term", "dt"), ("def", "dd")] {
                        for inner in entry.all(part) {
                            self.within(tag, inner, depth);
                        }
                    }
                }
                self.page.push_str("</dl>");
            }
            "table-wrap" | "fig" => self.captioned(element, depth),
            "table" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th" => {
                let spans: String = ["colspan", "rowspan"]
                    .iter()
                    .filter_map(|name| {
                        let span: u16 = element.attribute(name)?.parse().ok()?;
                        Some(format!(" {name}={span}"))
                    })
                    .collect();
                self.within(&format!("{}{spans}", element.name()), element, depth);
            }
            "code" | "preformat" => {
                self.page.push_str("<pre>");
                escape(element.text().trim_matches('\n'), &mut self.page);
                self.page.push_str("</pre>");
            }
            "monospace" => self.within("code", element, depth),
            "italic" => self.within("em", element, depth),
            "bold" => self.within("strong", element, depth),
            "sub" | "sup" => self.within(element.name(), element, depth),
            "break" => self.page.push_str("<br>"),
            "disp-quote" => self.within("blockquote", element, depth),
            "ext-link" | "uri" => {
                let address = element
                    .attribute("xlink:href")
                    .or_else(|| element.attribute("href"));
                match address.filter(|address| address.starts_with("http")) {
                    Some(address) => {
                        self.page.push_str("<a href=\"");
                        escape(address, &mut self.page);
                        self.page.push_str("\">");
                        self.content(element, depth);
                        self.page.push_str("</a>");
                    }
                    None => self.content(element, depth),
                }
            }
            "disp-formula" | "inline-formula" => self.formula(element, depth),
            // The same thing in several forms: one is read.
            "alternatives" => {
                let best = element.child("tex-math").or_else(|| element.child("table"));
                if let Some(best) = best.or_else(|| element.elements().next()) {
                    self.element(best, depth);
                }
            }
            "graphic"
            | "inline-graphic"
            | "media"
            | "object-id"
            | "supplementary-material"
            | "fn-group"
                if element.child("fn").is_none() => {}
            "fn" => {
                self.page.push_str("<p>");
                self.content(element, depth);
                self.page.push_str("</p>");
            }
            _ => self.content(element, depth),
        }
    }

    /// A table or a figure with its number and caption before it.
    fn captioned(&mut self, element: Element<'_>, depth: usize) {
        let label = element
            .child("label")
            .map(Element::text)
            .unwrap_or_default();
        if element.child("caption").is_some() || !label.is_empty() {
            self.page.push_str("<p>");
            escape(label.trim(), &mut self.page);
            if let Some(caption) = element.child("caption") {
                let mark = if label.is_empty() || label.trim().ends_with(['.', ':']) {
                    " "
                } else {
                    ": "
                };
                self.page.push_str(mark);
                for (number, inner) in caption.elements().enumerate() {
                    if number > 0 {
                        self.page.push(' ');
                    }
                    self.content(inner, depth);
                }
            }
            self.page.push_str("</p>");
        }
        for inner in element.elements() {
            if !matches!(inner.name(), "label" | "caption") {
                self.element(inner, depth);
            }
        }
    }

    fn formula(&mut self, element: Element<'_>, depth: usize) {
        let inner = element.child("alternatives").unwrap_or(element);
        match inner.child("tex-math") {
            Some(tex) => {
                let source = tex.text();
                // A whole document of LaTeX stands around the formula.
                let body = source
                    .split_once("\\begin{document}")
                    .map_or(source.as_str(), |(_, body)| body);
                let body = body.split("\\end{document}").next().unwrap_or_default();
                let body = body.trim().trim_matches('$').trim();
                self.page.push_str("<code>");
                escape(body, &mut self.page);
                self.page.push_str("</code>");
            }
            None if inner.child("math").is_some() || inner.child("mml:math").is_some() => {
                escape(
                    &inner
                        .text()
                        .split_whitespace()
                        .collect::<Vec<_>>()
                        .join(" "),
                    &mut self.page,
                );
            }
            None => self.content(element, depth),
        }
    }

    /// What the article refers to, a line each.
    fn references(&mut self, element: Element<'_>, depth: usize) {
        let level = (depth.max(1) + 1).min(6);
        let title = element.child("title").map(Element::text);
        let title = title.unwrap_or_else(|| "References".to_owned());
        let _ = write!(self.page, "<h{level}>");
        escape(title.trim(), &mut self.page);
        let _ = write!(self.page, "</h{level}><ul>");
        for reference in element.all("ref") {
            self.page.push_str("<li>");
            for citation in reference.elements().filter(|inner| inner.name() != "label") {
                match citation.name() {
                    "mixed-citation" => self.content(citation, depth),
                    _ => escape(&fields(citation).join(", "), &mut self.page),
                }
            }
            self.page.push_str("</li>");
        }
        self.page.push_str("</ul>");
    }
}

/// The fields of a citation that has no words between them.
fn fields(citation: Element<'_>) -> Vec<String> {
    let mut out = Vec::new();
    for inner in citation.elements() {
        match inner.name() {
            "person-group" | "citation-alternatives" | "element-citation" => {
                out.extend(fields(inner))
            }
            "name" => {
                let part = |name| inner.child(name).map(Element::text).unwrap_or_default();
                out.push(
                    format!("{} {}", part("surname"), part("given-names"))
                        .trim()
                        .to_owned(),
                );
            }
            _ => out.push(
                inner
                    .text()
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" "),
            ),
        }
    }
    out.retain(|field| !field.is_empty());
    out
}

#[cfg(test)]
mod tests {
    use super::page;
    use crate::html;
    use skillkiln_document::markdown::write;

    #[test]
    fn an_article_of_a_journal_is_its_abstract_sections_tables_and_references() {
        let source = "<?xml version=\"1.0\"?><!DOCTYPE article PUBLIC \"-//NLM//DTD JATS (Z39.96) Journal Publishing DTD v1.3 20210610//EN\" \"x.dtd\">\
            <article><front><journal-meta><journal-title>Letters</journal-title></journal-meta><article-meta><title-group><article-title>How fast a wall dries</article-title></title-group>\
            <contrib-group><contrib><name><surname>Alder</surname></name></contrib></contrib-group><abstract><p>We dried forty walls.</p></abstract></article-meta></front>\
            <body><sec><label>1</label><title>Methods</title><p>Walls stood in <italic>the shade</italic> <xref rid=\"b1\">[1]</xref>.</p>\
            <list list-type=\"order\"><list-item><p>Weigh the wall.</p></list-item><list-item><p>Wait.</p></list-item></list>\
            <table-wrap><label>Table 1</label><caption><p>Water lost.</p></caption><table><thead><tr><th>Hour</th><th>Lost</th></tr></thead><tbody><tr><td>1</td><td>4%</td></tr></tbody></table></table-wrap></sec></body>\
            <back><ref-list><ref><element-citation><person-group><name><surname>Brook</surname><given-names>A</given-names></name></person-group><article-title>On shade</article-title><year>2019</year></element-citation></ref></ref-list></back></article>";
        let page = page(source).expect("an article");
        let document = html::read_whole(&page);
        assert_eq!(
            write(&document.blocks),
            "# How fast a wall dries\n\nWe dried forty walls.\n\n## 1 Methods\n\nWalls stood in *the shade* [1].\n\n\
             1. Weigh the wall.\n2. Wait.\n\nTable 1: Water lost.\n\n| Hour | Lost |\n| --- | --- |\n| 1 | 4% |\n\n\
             ## References\n\n- Brook A, On shade, 2019\n"
        );
    }

    #[test]
    fn a_page_of_html_with_an_article_is_no_journal() {
        assert_eq!(
            page("<!DOCTYPE html><html><body><article><p>x</p></article></body></html>"),
            None
        );
    }
}
