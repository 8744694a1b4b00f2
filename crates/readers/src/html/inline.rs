//! Reads running text on web pages: emphasis, code, links made absolute, formulas.

use crate::html::finder::{is_of_one, is_one_of};
use crate::html::{code, mathml, pictured, templates};
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
    /// Whether a `<base>` tells it, for pages that stand elsewhere: a place of the page itself is none of that address.
    pub(crate) is_told: bool,
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
                .filter(|url| !(self.is_told && is_place_of(url, base)))
                .map(String::from),
            None => {
                let scheme = href.split(':').next().unwrap_or("").to_ascii_lowercase();
                let harmless =
                    matches!(scheme.as_str(), "http" | "https" | "mailto") || !href.contains(':');
                // Without an address, an anchor leads nowhere.
                (harmless && !href.starts_with('#')).then(|| absolute(href))
            }
        }
    }
}

/// An address of another host that leaves out how it is asked, `//host/path`, with that; any other as it is.
pub(crate) fn absolute(href: &str) -> String {
    let host = href.strip_prefix("//").unwrap_or_default();
    let host = host.split(['/', '?', '#']).next().unwrap_or_default();
    match host.contains('.') && host.starts_with(char::is_alphanumeric) {
        true => format!("https:{href}"),
        false => href.to_owned(),
    }
}

/// Whether an address is a place of the page at `base`, which may have been joined already.
fn is_place_of(url: &Url, base: &Url) -> bool {
    let bare = |url: &Url| {
        let mut url = url.clone();
        url.set_fragment(None);
        url
    };
    url.fragment().is_some() && bare(url) == bare(base)
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
        let text = node.text();
        let ended = templates::ended_by(node, &text);
        let text = text.get(ended..).unwrap_or_default();
        let is_behind_code = matches!(out.last(), Some(Inline::Code(_) | Inline::Emphasis(_)));
        let text = match stop_below(text) {
            Some(stop) if is_behind_code => stop,
            _ => text,
        };
        out.push(Inline::Text(text.to_owned()));
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
        // What is code is set apart by that.
        "i" | "em" | "cite" | "dfn" | "var" => match nested() {
            inner if is_one_code(&inner) => out.extend(inner),
            inner => out.push(Inline::Emphasis(inner)),
        },
        "code" | "tt" | "kbd" | "samp" | "span" if name.as_ref() != "span" || is_literal(node) => {
            out.push(code(node, base));
            // What parts it from the words behind it may stand inside.
            if node.text().ends_with(char::is_whitespace) {
                out.push(Inline::Text(" ".to_owned()));
            }
        }
        "br" => out.push(Inline::Break),
        // What kind of thing a term is stands behind it in another colour.
        "span" if node.has_class("classifier") => {
            let mut before = out.iter().rev();
            let said = before
                .find(|piece| !matches!(piece, Inline::Text(words) if words.trim().is_empty()));
            let is_parted = |piece: &Inline| matches!(piece, Inline::Text(words) if words.trim_end().ends_with(':'));
            if said.is_some_and(|piece| !is_parted(piece)) {
                out.push(Inline::Text(" : ".to_owned()));
            }
            out.extend(nested());
        }
        // LDoc lists what a function takes: its name, of which types it is, and what it does.
        "span" if is_parameter(node) => out.push(Inline::Code(squash(&node.text()))),
        "span" if is_of_parameter(node) => {
            out.push(Inline::Text("(".to_owned()));
            out.extend(nested());
            out.push(Inline::Text(")".to_owned()));
        }
        // The number of a footnote is no word of the sentence.
        _ if is_note_number(node) => {
            let number = node.text();
            out.push(Inline::Text(format!("[{}]", number.trim())));
        }
        // Rustdoc shows the first words of what is told elsewhere.
        "a" if is_teaser(node) => {}
        "a" => {
            if let Some((address, _)) = templates::address(node) {
                out.push(Inline::Code(address));
                return;
            }
            let inner = nested();
            match node.attr("href").and_then(|href| base.resolve(&href)) {
                Some(href) if !node.text().trim().is_empty() => {
                    out.push(Inline::link(href, inner));
                }
                _ => out.extend(inner),
            }
        }
        // The number of a footnote is no part of the word before it.
        "sup" if is_raised_number(node) => {
            out.push(Inline::Text(format!("[{}]", node.text().trim())));
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
        // A dash alone in a cell, which Docutils took for a list.
        "ul" if is_dash(node) => out.push(Inline::Text("-".to_owned())),
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

/// The words from a stop on that stands alone at the beginning of the next line of the source: it ends what is before it.
fn stop_below(text: &str) -> Option<&str> {
    let words = text.strip_prefix('\n')?.trim_start();
    let behind = words.strip_prefix(['.', ',', ';'])?;
    (behind.is_empty() || behind.starts_with(char::is_whitespace)).then_some(words)
}

/// Whether running text is one stretch of code.
fn is_one_code(text: &[Inline]) -> bool {
    let mut said = text
        .iter()
        .filter(|piece| !matches!(piece, Inline::Text(words) if words.trim().is_empty()));
    matches!((said.next(), said.next()), (Some(Inline::Code(_)), None))
}

/// Whether a list is all that a cell has in it, and one empty item all that the list has.
fn is_dash(list: &NodeRef<'_>) -> bool {
    let is_alone = |cell: NodeRef<'_>| {
        cell.has_name("td") && cell.element_children().len() == 1 && cell.text().trim().is_empty()
    };
    let items = list.element_children();
    list.parent().is_some_and(is_alone)
        && matches!(items.as_slice(), [only] if only.has_name("li") && only.first_element_child().is_none())
}

/// Whether a stretch is code, as Docutils writes it into newer pages: `<span class="docutils literal">`.
fn is_literal(node: &NodeRef<'_>) -> bool {
    node.has_class("docutils") && node.has_class("literal")
}

/// Whether a stretch is the name of a parameter that an item begins with.
fn is_parameter(node: &NodeRef<'_>) -> bool {
    let is_item = || node.parent().is_some_and(|around| around.has_name("li"));
    let says = || !node.text().trim().is_empty();
    node.has_class("parameter") && is_item() && says()
}

/// Whether a stretch names the types of the parameter beside it.
fn is_of_parameter(node: &NodeRef<'_>) -> bool {
    node.has_class("types")
        && !node.text().trim().is_empty()
        && node
            .prev_element_sibling()
            .is_some_and(|before| is_parameter(&before))
}

/// Whether `node` is the bare number of a footnote, where it is referred to or where it stands: the page's style puts brackets around
/// it.
fn is_note_number(node: &NodeRef<'_>) -> bool {
    let is_marked = node.has_class("footnote-reference") || node.has_class("brackets");
    is_marked && !node.has_name("dl") && {
        let number = node.text();
        let number = number.trim();
        (1..=3).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit())
    }
}

/// Whether a link leads to the rest of what a block of Rustdoc tells.
fn is_teaser(node: &NodeRef<'_>) -> bool {
    let tells = |around: &NodeRef<'_>| around.has_class("docblock");
    node.ancestors_it(Some(2)).any(|around| tells(&around)) && node.text().trim() == "Read more"
}

/// Whether words end as what has a power does: with a number, a bracket, or a single letter.
pub(crate) fn has_power(base: &str) -> bool {
    let mut letters = base.chars().rev();
    match (letters.next(), letters.next()) {
        (Some(c), _) if c.is_ascii_digit() || c == ')' => true,
        // A single letter is a variable or a unit; after a word stands a note.
        (Some(c), before) => c.is_alphabetic() && before.is_none_or(|b| !b.is_alphanumeric()),
        (None, _) => false,
    }
}

/// A footnote has no longer number.
const NOTE_DIGITS_MAX: usize = 3;

/// Whether what is raised above the line is a number alone that leads to a footnote.
fn is_raised_number(node: &NodeRef<'_>) -> bool {
    let words = node.text();
    let number = words.trim();
    let is_number =
        (1..=NOTE_DIGITS_MAX).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    let leads = |link: &NodeRef<'_>| {
        link.has_name("a") && link.attr("href").is_some_and(|href| href.contains('#'))
    };
    is_number
        && (node.parent().is_some_and(|around| leads(&around))
            || node.children_it(false).any(|inner| leads(&inner)))
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
    let follows = has_power(base);
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
    if node.has_name("img") {
        return pictured::formula(node);
    }
    const MATH: [&str; 4] = ["katex", "katex-display", "mwe-math-element", "MathJax"];
    let is_math = is_one_of(node, &["math", "mjx-container"]) || is_of_one(node, &MATH);
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
    if !is_of_one(node, &["math", "arithmatex"]) {
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

#[cfg(test)]
mod tests {
    use crate::html;

    #[test]
    fn the_number_of_a_footnote_is_no_part_of_the_word_before_it() {
        let page = "<main><h1>Kilns</h1><p>They are hot.<a href='#fn1'><sup>1</sup></a> And 10<sup>2</sup> of them <sup><a href='notes.html#f'>7</a></sup>.</p></main>";
        let document = html::read(page, None).expect("a page");
        let text = skillkiln_document::markdown::write(&document.blocks);
        assert!(
            text.ends_with("They are hot.\\[1] And 10^2 of them \\[7].\n")
                || text.ends_with("They are hot.[1] And 10^2 of them [7].\n"),
            "{text}"
        );
    }

    #[test]
    fn what_classifies_a_term_stands_apart_from_it() {
        for term in [
            "<strong>heat</strong><span class=classifier>int</span>",
            "<strong>heat</strong> <span class=classifier-delimiter>:</span> <span class=classifier>int</span>",
        ] {
            let page =
                format!("<main><p>Words.</p><dl><dt>{term}</dt><dd>How hot.</dd></dl></main>");
            let document = html::read(&page, None).expect("a page");
            assert_eq!(
                skillkiln_document::markdown::write(&document.blocks),
                "Words.\n\n- **heat : int**: How hot.\n",
                "{term}"
            );
        }
    }

    #[test]
    fn a_link_to_a_place_of_the_page_leads_nowhere_where_the_page_has_another_base() {
        let page = "<head><base href='https://kiln.example/'></head><main><p>Of <a href='#heat'>heat</a> and <a href='wood'>wood</a>.</p></main>";
        for address in [None, Some("https://kiln.example/docs/fire")] {
            let document = html::read(page, address).expect("a page");
            assert_eq!(
                skillkiln_document::markdown::write(&document.blocks),
                "Of heat and [wood](https://kiln.example/wood).\n"
            );
        }
    }

    #[test]
    fn the_number_of_a_footnote_is_no_word_of_its_sentence() {
        let page = "<main><p>Words <a class='footnote-reference brackets' href='#n'>1</a> of <code class='brackets'>heat</code>.</p><dl class='footnote brackets'><dt class='label' id='n'><span class='brackets'><a href='#w'>1</a></span></dt><dd>Said.</dd></dl></main>";
        let document = html::read(page, None).expect("a page");
        assert_eq!(
            skillkiln_document::markdown::write(&document.blocks),
            "Words [1] of `heat`.\n\n- **[1]**: Said.\n"
        );
    }

    #[test]
    fn what_docutils_calls_a_literal_is_code_and_no_other_stretch_is() {
        let page = "<main><p>Set <span class='docutils literal'><span class=pre>heat</span> <span class=pre>--hot</span></span> with <span class=literal>care</span>.</p></main>";
        let document = html::read(page, None).expect("a page");
        assert_eq!(
            skillkiln_document::markdown::write(&document.blocks),
            "Set `heat --hot` with care.\n"
        );
    }

    #[test]
    fn an_item_of_ldoc_names_a_parameter_its_types_and_what_it_does() {
        let page = "<main><p>Takes:</p><ul><li><span class=parameter>heat</span>\n <span class=types><span class=type>number</span></span>\n How hot.</li><li><span class=parameter>wood</span>\n Of oak.</li></ul><p><span class=parameter>So</span> <span class=types>it</span> is.</p></main>";
        let document = html::read(page, None).expect("a page");
        assert_eq!(
            skillkiln_document::markdown::write(&document.blocks),
            "Takes:\n\n- `heat` (number) How hot.\n- `wood` Of oak.\n\nSo it is.\n"
        );
    }

    #[test]
    fn a_dash_in_a_cell_is_no_list() {
        let page = "<main><p>Kilns.</p><table><tr><th>Flag</th><th>Short</th></tr><tr><td>--heat</td><td><ul class=simple>\n<li></li>\n</ul></td></tr></table></main>";
        let document = html::read(page, None).expect("a page");
        let text = skillkiln_document::markdown::write(&document.blocks);
        assert!(text.contains("--heat | - |"), "{text}");
    }

    #[test]
    fn emphasis_around_code_is_code_and_a_stop_in_the_next_line_stands_right_behind_it() {
        let page = "<main><p>Lights <em class=parameter><code>kiln</code></em>\n. Then <i>the <code>pot</code></i> is hot.</p></main>";
        let document = html::read(page, None).expect("a page");
        assert_eq!(
            skillkiln_document::markdown::write(&document.blocks),
            "Lights `kiln`. Then *the `pot`* is hot.\n"
        );
    }
}
