//! Turns an article in JATS, the tag set of journals and of PubMed Central, into the page of HTML that its reader knows.
//!
//! Elements after the Journal Publishing Tag Set 1.3.

use crate::page::Page;
use crate::xml_tree::{Element, Tree};
use skillkiln_document::text::squash;

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
    let mut page = Page::new(element);
    let meta = article
        .child("front")
        .and_then(|front| front.child("article-meta"));
    let title = meta
        .and_then(|meta| meta.child("title-group"))
        .and_then(|group| group.child("article-title"));
    if let Some(title) = title {
        page.within("h1", title, 1);
    }
    for inner in meta.into_iter().flat_map(Element::elements) {
        if matches!(inner.name(), "abstract" | "trans-abstract") {
            division(&mut page, inner, 1);
        }
    }
    for part in ["body", "back", "floats-group"] {
        for inner in article.all(part) {
            division(&mut page, inner, 0);
        }
    }
    Some(page.finished(title, "jats"))
}

/// A part below its heading, which carries the number that the text refers to it by.
fn division(page: &mut Page, element: Element<'_>, depth: usize) {
    if let Some(title) = element.child("title") {
        page.heading(depth, |page| {
            if let Some(label) = element.child("label") {
                page.text(&format!("{} ", label.text()));
            }
            page.content(title, depth);
        });
    }
    without(page, &["title", "label", "sec-meta"], element, depth + 1);
}

/// The elements in it but those of these names.
fn without(page: &mut Page, names: &[&str], element: Element<'_>, depth: usize) {
    for inner in element
        .elements()
        .filter(|inner| !names.contains(&inner.name()))
    {
        page.element(inner, depth);
    }
}

fn element(page: &mut Page, element: Element<'_>, depth: usize) {
    match element.name() {
        "sec" | "app" | "app-group" | "ack" | "glossary" | "notes" | "boxed-text" | "bio" => {
            division(page, element, depth.max(1));
        }
        "ref-list" => references(page, element, depth),
        "p" | "title" => page.within("p", element, depth),
        "list" => {
            let kind = element.attribute("list-type").unwrap_or_default();
            let is_ordered =
                kind == "order" || kind.starts_with("alpha-") || kind.starts_with("roman-");
            page.tagged(if is_ordered { "ol" } else { "ul" }, |page| {
                for item in element.all("list-item") {
                    page.tagged("li", |page| without(page, &["label"], item, depth));
                }
            });
        }
        "def-list" => {
            page.tagged("dl", |page| {
                for entry in element.all("def-item") {
                    for (part, tag) in [("term", "dt"), ("def", "dd")] {
                        entry
                            .all(part)
                            .for_each(|inner| page.within(tag, inner, depth));
                    }
                }
            });
        }
        "table-wrap" | "fig" => captioned(page, element, depth),
        "table" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th" => {
            let spans: String = ["colspan", "rowspan"]
                .iter()
                .filter_map(|name| {
                    let span: u16 = element.attribute(name)?.parse().ok()?;
                    Some(format!(" {name}={span}"))
                })
                .collect();
            page.within(&format!("{}{spans}", element.name()), element, depth);
        }
        "code" | "preformat" => page.listing(element),
        "monospace" => page.within("code", element, depth),
        "italic" => page.within("em", element, depth),
        "bold" => page.within("strong", element, depth),
        "sub" | "sup" => page.within(element.name(), element, depth),
        "break" => page.html.push_str("<br>"),
        "disp-quote" => page.within("blockquote", element, depth),
        "ext-link" | "uri" => {
            let address = element.attribute("xlink:href");
            let address = address.or_else(|| element.attribute("href"));
            match address.filter(|address| address.starts_with("http")) {
                Some(address) => page.link(address, element, depth),
                None => page.content(element, depth),
            }
        }
        "disp-formula" | "inline-formula" => formula(page, element, depth),
        // The same thing in several forms: one is read.
        "alternatives" => {
            let best = element.child("tex-math").or_else(|| element.child("table"));
            if let Some(best) = best.or_else(|| element.elements().next()) {
                page.element(best, depth);
            }
        }
        "graphic"
        | "inline-graphic"
        | "media"
        | "object-id"
        | "supplementary-material"
        | "fn-group"
            if element.child("fn").is_none() => {}
        "fn" => page.within("p", element, depth),
        _ => page.content(element, depth),
    }
}

/// A table or a figure with its number and caption before it.
fn captioned(page: &mut Page, element: Element<'_>, depth: usize) {
    let label = element.child("label").map(Element::text);
    let label = label.as_deref().map_or("", str::trim);
    let caption = element.child("caption");
    if caption.is_some() || !label.is_empty() {
        let is_closed = label.is_empty() || label.ends_with(['.', ':']);
        page.tagged("p", |page| {
            page.text(label);
            for (number, inner) in caption.into_iter().flat_map(Element::elements).enumerate() {
                page.text(if number == 0 && !is_closed { ": " } else { " " });
                page.content(inner, depth);
            }
        });
    }
    without(page, &["label", "caption"], element, depth);
}

fn formula(page: &mut Page, element: Element<'_>, depth: usize) {
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
            page.tagged("code", |page| page.text(body));
        }
        None if inner.child("math").is_some() || inner.child("mml:math").is_some() => {
            page.text(&squash(&inner.text()));
        }
        None => page.content(element, depth),
    }
}

/// What the article refers to, a line each.
fn references(page: &mut Page, element: Element<'_>, depth: usize) {
    let title = element.child("title").map(Element::text);
    page.heading(depth.max(1), |page| {
        page.text(title.as_deref().map_or("References", str::trim))
    });
    page.tagged("ul", |page| {
        for reference in element.all("ref") {
            page.tagged("li", |page| {
                for citation in reference.elements().filter(|inner| inner.name() != "label") {
                    match citation.name() {
                        "mixed-citation" => page.content(citation, depth),
                        _ => page.text(&fields(citation).join(", ")),
                    }
                }
            });
        }
    });
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
            _ => out.push(squash(&inner.text())),
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
