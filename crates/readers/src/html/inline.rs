//! Reads running text on web pages: emphasis, code, links made absolute, formulas.

use crate::html::{code, mathml};
use dom_query::NodeRef;
use skillkiln_document::text::{Inline, squash};
use url::Url;

/// Deepest nesting of inline mark-up that is kept.
const DEPTH_MAX: usize = 24;

/// What links are resolved against.
#[derive(Debug, Clone, Default)]
pub(crate) struct Base {
    /// The page's address, or its `<base>`.
    pub(crate) url: Option<Url>,
}

impl Base {
    /// `href` made absolute; `None` when it leads nowhere a reader could go.
    pub(crate) fn resolve(&self, href: &str) -> Option<String> {
        let href = href.trim();
        if href.is_empty() {
            return None;
        }
        match &self.url {
            Some(base) => base
                .join(href)
                .ok()
                .filter(|url| matches!(url.scheme(), "http" | "https" | "mailto"))
                .map(String::from),
            None => {
                let scheme = href.split(':').next().unwrap_or("").to_ascii_lowercase();
                let harmless =
                    matches!(scheme.as_str(), "http" | "https" | "mailto") || !href.contains(':');
                // Without an address, an anchor leads nowhere.
                (harmless && !href.starts_with('#')).then(|| href.to_owned())
            }
        }
    }
}

/// The inline content of `node`.
pub(crate) fn children(node: &NodeRef<'_>, base: &Base, depth: usize, out: &mut Vec<Inline>) {
    for child in node.children_it(false) {
        piece(&child, base, depth, out);
    }
}

/// One node of running text.
pub(crate) fn piece(node: &NodeRef<'_>, base: &Base, depth: usize, out: &mut Vec<Inline>) {
    if node.is_text() {
        out.push(Inline::Text(node.text().to_string()));
        return;
    }
    if !node.is_element() {
        return;
    }
    if depth > DEPTH_MAX {
        out.push(Inline::Text(node.text().to_string()));
        return;
    }
    if let Some(formula) = formula(node) {
        out.push(Inline::Math(formula));
        return;
    }
    let name = node.node_name().unwrap_or_default();
    let nested = || {
        let mut inner = Vec::new();
        children(node, base, depth + 1, &mut inner);
        inner
    };
    match name.as_ref() {
        "b" | "strong" => out.push(Inline::Strong(nested())),
        "i" | "em" | "cite" | "dfn" | "var" => out.push(Inline::Emphasis(nested())),
        "code" | "tt" | "kbd" | "samp" => out.push(code(node, base)),
        "br" => out.push(Inline::Break),
        "a" => {
            let inner = nested();
            match node.attr("href").and_then(|href| base.resolve(&href)) {
                Some(href) if !node.text().trim().is_empty() => {
                    out.push(Inline::link(href, inner));
                }
                _ => out.extend(inner),
            }
        }
        // A power, which would else read as one number with what it stands above.
        "sup" if is_power(node, out) => {
            out.push(Inline::Text("^".to_owned()));
            out.extend(nested());
        }
        // A word below or above the line is not part of the word before it.
        "sub" | "sup" if node.normalized_char_count() > 3 => {
            out.push(Inline::Text(" ".to_owned()));
            out.extend(nested());
        }
        "q" => {
            out.push(Inline::Text("“".to_owned()));
            out.extend(nested());
            out.push(Inline::Text("”".to_owned()));
        }
        "wbr" | "img" | "script" | "style" | "svg" | "button" | "input" | "select" | "video"
        | "audio" | "canvas" => {}
        // Blocks inside running text (a list in a cell): a line for each.
        "li" => {
            out.push(Inline::Break);
            out.push(Inline::Text("• ".to_owned()));
            out.extend(nested());
        }
        "p" | "div" | "tr" | "dt" | "dd" | "ul" | "ol" | "section" | "blockquote" => {
            out.push(Inline::Break);
            out.extend(nested());
            out.push(Inline::Break);
        }
        "pre" => {
            for line in code::text(node).lines() {
                out.push(Inline::Break);
                out.push(Inline::Code(line.to_owned()));
            }
            out.push(Inline::Break);
        }
        _ => out.extend(nested()),
    }
}

/// Whether a raised number follows a number or a variable directly, and is no reference to a note.
fn is_power(node: &NodeRef<'_>, before: &[Inline]) -> bool {
    let text = node.text();
    let base = match before.last() {
        Some(Inline::Text(word) | Inline::Code(word)) => word.as_str(),
        Some(Inline::Emphasis(inner)) => match inner.as_slice() {
            [Inline::Text(word)] => word.as_str(),
            _ => "",
        },
        _ => "",
    };
    let mut letters = base.chars().rev();
    let follows = match (letters.next(), letters.next()) {
        (Some(c), _) if c.is_ascii_digit() || c == ')' => true,
        // A single letter is a variable or a unit; after a word stands a note.
        (Some(c), before) => c.is_alphabetic() && before.is_none_or(|b| !b.is_alphanumeric()),
        (None, _) => false,
    };
    let is_number = text
        .trim()
        .strip_prefix(['-', '−'])
        .unwrap_or(text.trim())
        .chars()
        .all(|c| c.is_ascii_digit());
    let is_note = node.id_attr().is_some()
        || node
            .descendants_it()
            .take(4)
            .any(|inner| inner.has_name("a"));
    follows && is_number && !text.trim().is_empty() && text.len() <= 4 && !is_note
}

/// Code inside a line; when all of it is one link, the link around it.
fn code(node: &NodeRef<'_>, base: &Base) -> Inline {
    let text = code::text(node);
    // A browser folds white space here, but a single space at the ends may be meant.
    let code = Inline::Code(squash(&text));
    let link = node
        .descendants_it()
        .take(4)
        .find(|inner| inner.has_name("a") && inner.text().trim() == text.trim());
    match link
        .and_then(|link| link.attr("href"))
        .and_then(|href| base.resolve(&href))
    {
        Some(href) => Inline::link(href, vec![code]),
        None => code,
    }
}

/// The TeX of a formula, when `node` is one.
pub(crate) fn formula(node: &NodeRef<'_>) -> Option<String> {
    let is_math = node.has_name("math")
        || node.has_name("mjx-container")
        || ["katex", "katex-display", "mwe-math-element", "MathJax"]
            .iter()
            .any(|class| node.has_class(class));
    if is_math {
        let annotated = node
            .descendants_it()
            .find(|inner| inner.has_name("annotation"))
            .map(|inner| inner.text().to_string());
        let tex = annotated.or_else(|| node.attr("alttext").map(|text| text.to_string()));
        let tex = tex
            .map(|tex| squash(&tex))
            .filter(|tex| !tex.is_empty())
            .or_else(|| {
                let math = node.descendants_it().find(|inner| inner.has_name("math"));
                mathml::tex(&math.unwrap_or(*node))
                    .filter(|_| math.is_some() || node.has_name("math"))
            });
        return tex.map(|tex| {
            tex.strip_prefix("{\\displaystyle ")
                .and_then(|tex| tex.strip_suffix('}'))
                .unwrap_or(&tex)
                .trim()
                .to_owned()
        });
    }
    if node.has_name("script")
        && node
            .attr("type")
            .is_some_and(|kind| kind.starts_with("math/tex"))
    {
        return Some(node.text().trim().to_owned()).filter(|tex| !tex.is_empty());
    }
    if !node.has_class("math") && !node.has_class("arithmatex") {
        return None;
    }
    let text = node.text();
    let text = text.trim();
    [("\\(", "\\)"), ("\\[", "\\]"), ("$$", "$$"), ("$", "$")]
        .iter()
        .find_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close))
        .map(|tex| tex.trim().to_owned())
        .filter(|tex| !tex.is_empty())
}
