//! Writes the page of HTML that a text in another mark-up stands for: its reader knows the rest.

use crate::xml_tree::{Content, Element};

/// Appends `text` as it is written in HTML.
pub(crate) fn escape(text: &str, out: &mut String) {
    for sign in text.chars() {
        match sign {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            sign => out.push(sign),
        }
    }
}

/// `text` as it is written in HTML.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape(text, &mut out);
    out
}

/// How deep the headings of HTML go.
const LEVEL_MAX: usize = 6;

/// The page of a document in XML, in the making.
pub(crate) struct Page {
    pub(crate) html: String,
    /// Writes an element that stands so deep in the document.
    pub(crate) element: fn(&mut Page, Element<'_>, usize),
}

impl Page {
    /// A page with what `element` makes of the elements that it is given.
    pub(crate) fn new(element: fn(&mut Page, Element<'_>, usize)) -> Self {
        let html = String::new();
        Self { html, element }
    }

    /// The whole page. Named a generator's, it is read as documentation.
    pub(crate) fn finished(self, title: Option<Element<'_>>, generator: &str) -> String {
        let title = escaped(title.map(Element::text).unwrap_or_default().trim());
        format!(
            "<!DOCTYPE html><meta name=generator content={generator}><title>{title}</title><body><main>{}</main>",
            self.html
        )
    }

    pub(crate) fn element(&mut self, element: Element<'_>, depth: usize) {
        (self.element)(self, element, depth);
    }

    pub(crate) fn text(&mut self, text: &str) {
        escape(text, &mut self.html);
    }

    /// What stands in an element.
    pub(crate) fn content(&mut self, element: Element<'_>, depth: usize) {
        for content in element.content() {
            match content {
                Content::Element(inner) => self.element(inner, depth),
                Content::Text(text) => self.text(text),
            }
        }
    }

    /// What `write` writes, as an element of HTML: a tag with its attributes.
    pub(crate) fn tagged(&mut self, tag: &str, write: impl FnOnce(&mut Self)) {
        self.html.push_str(&format!("<{tag}>"));
        write(self);
        let name = tag.split(' ').next().unwrap_or(tag);
        self.html.push_str(&format!("</{name}>"));
    }

    /// An element as one of HTML.
    pub(crate) fn within(&mut self, tag: &str, element: Element<'_>, depth: usize) {
        self.tagged(tag, |page| page.content(element, depth));
    }

    /// A heading so deep in the document.
    pub(crate) fn heading(&mut self, depth: usize, write: impl FnOnce(&mut Self)) {
        self.tagged(&format!("h{}", (depth + 1).min(LEVEL_MAX)), write);
    }

    /// A listing to the letter.
    pub(crate) fn listing(&mut self, element: Element<'_>) {
        let language = element.attribute("language");
        let language =
            language.filter(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        let class = language.map(|language| format!(" class=\"language-{language}\""));
        let text = element.text();
        self.html.push_str("<pre>");
        self.tagged(&format!("code{}", class.unwrap_or_default()), |page| {
            page.text(text.trim_matches('\n'));
        });
        self.html.push_str("</pre>");
    }

    /// A link, which shows its address where it shows nothing else.
    pub(crate) fn link(&mut self, address: &str, element: Element<'_>, depth: usize) {
        self.tagged(&format!("a href=\"{}\"", escaped(address)), |page| {
            let before = page.html.len();
            page.content(element, depth);
            if page.html.len() == before {
                page.text(address);
            }
        });
    }
}
