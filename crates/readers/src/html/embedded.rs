//! Finds the text that a page carries as data for its scripts (`__NEXT_DATA__`, `__NUXT_DATA__`, states in `window`) or for
//! readers without scripts (`noscript`), when there is nothing else to read on it.

use crate::page::escaped;
use serde_json::Value;
use skillkiln_document::text::word_count;

/// Data that is looked through in one page.
const DATA_BYTES_MAX: usize = 4 << 20;
/// Nesting that is followed.
const DEPTH_MAX: usize = 64;
/// Fewer words are a label, not content.
const WORDS_MIN: usize = 20;
/// Pieces that are looked at.
const PIECES_MAX: usize = 20_000;

/// Text that a page carries beside its elements.
#[derive(Debug, Clone, PartialEq)]
pub enum Embedded {
    /// As mark-up.
    Html(String),
    /// As Markdown or plain text.
    Markdown(String),
}

/// The text that scripts would show on the page `html`, or what it shows without them.
pub fn find(html: &str) -> Option<Embedded> {
    let mut pieces = Vec::new();
    let mut bytes = 0;
    for (tag, content) in elements(html, "script") {
        bytes += content.len();
        if bytes > DATA_BYTES_MAX {
            break;
        }
        let is_data = tag.contains("application/json") || tag.contains("__NEXT_DATA__");
        if is_data {
            if let Ok(value) = serde_json::from_str(content.trim()) {
                collect("", &value, 0, &mut pieces);
            }
        } else if content.contains("window.__") || content.contains("window[\"__") {
            of_assignment(content, &mut pieces);
        }
    }
    best(pieces).or_else(|| without_scripts(html))
}

/// The text in data that was fetched by itself, such as a page's data of Gatsby.
pub fn of_json(bytes: &[u8]) -> Option<Embedded> {
    let value: Value = serde_json::from_slice(bytes.get(..DATA_BYTES_MAX).unwrap_or(bytes)).ok()?;
    let mut pieces = Vec::new();
    collect("", &value, 0, &mut pieces);
    best(pieces)
}

/// A piece of content with the name of the field that holds it.
struct Piece {
    field: String,
    text: String,
    words: usize,
}

/// The elements called `name` with the inside of their tag and their content.
fn elements<'a>(html: &'a str, name: &str) -> Vec<(&'a str, &'a str)> {
    let (open, close) = (format!("<{name}"), format!("</{name}"));
    let mut found = Vec::new();
    let mut rest = html;
    while let Some((_, after)) = rest.split_once(open.as_str()) {
        let Some((tag, content)) = after.split_once('>') else {
            break;
        };
        let Some((inside, next)) = content.split_once(close.as_str()) else {
            break;
        };
        found.push((tag, inside));
        rest = next;
    }
    found
}

/// `window.__STATE__ = {…}` as JSON, which may be a text that holds JSON.
fn of_assignment(script: &str, pieces: &mut Vec<Piece>) {
    let Some((_, value)) = script.split_once('=') else {
        return;
    };
    let parsed = serde_json::Deserializer::from_str(value.trim_start())
        .into_iter::<Value>()
        .next();
    match parsed {
        Some(Ok(Value::String(inner))) => match serde_json::from_str::<Value>(&inner) {
            Ok(value) => collect("", &value, 0, pieces),
            Err(_) => collect("", &Value::String(inner), 0, pieces),
        },
        Some(Ok(value)) => collect("", &value, 0, pieces),
        _ => {}
    }
}

fn collect(field: &str, value: &Value, depth: usize, pieces: &mut Vec<Piece>) {
    if depth > DEPTH_MAX || pieces.len() > PIECES_MAX {
        return;
    }
    match value {
        Value::String(text) => {
            // Data within data.
            if text.starts_with('{')
                && let Ok(inner @ Value::Object(_)) = serde_json::from_str(text)
            {
                collect(field, &inner, depth + 1, pieces);
            } else {
                take(field, text.clone(), pieces);
            }
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| collect(field, item, depth + 1, pieces)),
        Value::Object(fields) => fields
            .iter()
            .for_each(|(name, inner)| collect(name, inner, depth + 1, pieces)),
        _ => {}
    }
}

/// Keeps a text that a person is meant to read.
fn take(field: &str, text: String, pieces: &mut Vec<Piece>) {
    let words = text.split_whitespace().count();
    let is_program = "function(|function (|_jsx|=>{|=> {|@media|!important"
        .split('|')
        .any(|mark| text.contains(mark))
        && !text.contains("<pre")
        && !text.contains("```");
    if words >= WORDS_MIN && !is_program && text.len() < words * 40 {
        pieces.push(Piece {
            field: field.to_owned(),
            text,
            words,
        });
    }
}

/// The longest piece, with all the others that stand in fields of the same name.
fn best(pieces: Vec<Piece>) -> Option<Embedded> {
    let field = pieces.iter().max_by_key(|piece| piece.words)?.field.clone();
    let mut seen = std::collections::HashSet::new();
    let texts: Vec<String> = pieces
        .into_iter()
        .filter(|piece| piece.field == field && seen.insert(piece.text.clone()))
        .map(|piece| piece.text)
        .collect();
    let marked = texts.iter().any(|text| is_html(text));
    if !marked {
        return Some(Embedded::Markdown(texts.join("\n\n")));
    }
    let parts = texts.iter().map(|text| {
        if is_html(text) {
            text.clone()
        } else {
            format!("<p>{}</p>", escaped(text))
        }
    });
    Some(Embedded::Html(parts.collect::<Vec<_>>().join("\n")))
}

fn is_html(text: &str) -> bool {
    [
        "<p", "<h1", "<h2", "<h3", "<div", "<ul", "<ol", "<pre", "<section", "<article",
    ]
    .iter()
    .any(|tag| text.contains(tag))
}

/// What a page shows to readers without scripts, unless that is only the wish that they had some.
fn without_scripts(html: &str) -> Option<Embedded> {
    let shown: Vec<&str> = elements(html, "noscript")
        .into_iter()
        .map(|(_, content)| content)
        .filter(|content| {
            let lower = content.to_ascii_lowercase();
            word_count(content) >= WORDS_MIN * 2
                && !(lower.contains("javascript") && word_count(content) < 100)
        })
        .collect();
    (!shown.is_empty()).then(|| Embedded::Html(shown.join("\n")))
}

#[cfg(test)]
mod tests {
    use crate::html;
    use skillkiln_document::blocks::{BlockKind, Document};

    const SENTENCE: &str = "The kiln fires pots at nine hundred degrees, and its lid must stay closed until everything inside is cold again. Whoever opens it early risks that the glaze cracks, that the shelves bend, and that the next firing begins with a day of cleaning.";

    fn read(page: &str) -> Document {
        html::read(page, Some("https://example.com/docs/a")).expect("text")
    }

    #[test]
    fn the_data_of_next_is_read_as_the_markup_it_holds() {
        let content = format!(
            "<h2>Firing</h2><p>{SENTENCE}</p><pre><code class=\\\"language-sh\\\">kiln start</code></pre>"
        );
        let page = format!(
            "<title>Kiln</title><div id=\"__next\"></div><script id=\"__NEXT_DATA__\" type=\"application/json\">{{\"props\":{{\"pageProps\":{{\"post\":{{\"title\":\"Kiln\",\"body\":\"{content}\"}}}}}}}}</script>"
        );
        let document = read(&page);
        assert!(document.text.contains(SENTENCE), "{}", document.text);
        assert!(document.blocks.iter().any(|block| matches!(&block.kind, BlockKind::Code { language, text } if language.as_deref() == Some("shell") && text == "kiln start")));
        assert!(
            document
                .blocks
                .iter()
                .any(|block| matches!(&block.kind, BlockKind::Heading { level: 2, .. }))
        );
    }

    #[test]
    fn markdown_in_data_and_noscript_are_read() {
        let markdown = format!("# Kiln\\n\\n{SENTENCE}\\n\\n## Lid\\n\\n{SENTENCE}");
        let page = format!(
            "<div id=root></div><script type=\"application/json\">{{\"markdown\":\"{markdown}\"}}</script>"
        );
        assert!(read(&page).text.contains("## Lid"));
        let page = format!(
            "<div id=root></div><noscript><h1>Kiln</h1><p>{SENTENCE}</p><p>{SENTENCE} And again, so that there are enough words here.</p></noscript><script src=a.js></script>"
        );
        assert!(read(&page).text.contains("nine hundred"));
    }

    #[test]
    fn programs_and_settings_are_not_taken_for_text() {
        let program = format!(
            "var a = function() {{ return 1; }} {}",
            "x = y + z; ".repeat(40)
        );
        let page = format!(
            "<div id=\"root\"></div><script type=\"application/json\">{}</script><script src=app.js></script>",
            serde_json::json!({ "code": program, "label": "Sign up now" })
        );
        let failure = html::read(&page, Some("https://example.com/")).unwrap_err();
        assert!(failure.message.contains("scripts"), "{}", failure.message);
    }
}
