//! Owns the words of a claim as running text: code between backticks, stress, links; everything else is words and nothing but words.

use crate::signs::spans;
use skillkiln_document::text::Inline;

/// A claim's words as running text.
#[must_use]
pub fn inlines(text: &str) -> Vec<Inline> {
    let mut out: Vec<Inline> = Vec::new();
    let mut strong: Option<Vec<Inline>> = None;
    for (is_code, span) in spans(text) {
        if is_code {
            push(&mut out, &mut strong, Inline::Code(span.to_owned()));
            continue;
        }
        for (number, piece) in span.split("**").enumerate() {
            if number > 0 {
                strong = match strong.take() {
                    Some(inner) if inner.is_empty() => None,
                    Some(inner) => {
                        out.push(Inline::Strong(inner));
                        None
                    }
                    None => Some(Vec::new()),
                };
            }
            for inline in linked(piece) {
                push(&mut out, &mut strong, inline);
            }
        }
    }
    // What is opened and not closed is no stress.
    out.extend(strong.into_iter().flatten());
    out
}

fn push(out: &mut Vec<Inline>, strong: &mut Option<Vec<Inline>>, inline: Inline) {
    match strong {
        Some(inner) => inner.push(inline),
        None => out.push(inline),
    }
}

/// Words with their links to the web.
fn linked(text: &str) -> Vec<Inline> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((start, end, link)) = link(rest) {
        add_words(rest.get(..start).unwrap_or_default(), &mut out);
        out.push(link);
        rest = rest.get(end..).unwrap_or_default();
    }
    add_words(rest, &mut out);
    out
}

fn add_words(text: &str, out: &mut Vec<Inline>) {
    if !text.is_empty() {
        out.push(Inline::Text(text.to_owned()));
    }
}

/// The first link of a text, `[words](https://...)`, with where it begins and ends.
fn link(text: &str) -> Option<(usize, usize, Inline)> {
    let middle = text.find("](http")?;
    let start = text.get(..middle)?.rfind('[')?;
    let words = text.get(start + 1..middle)?;
    let behind = text.get(middle + 2..)?;
    let length = behind.find(')')?;
    let address = behind
        .get(..length)
        .filter(|address| !address.contains(char::is_whitespace))?;
    let link = Inline::link(address.to_owned(), vec![Inline::Text(words.to_owned())]);
    Some((start, middle + 2 + length + 1, link))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_what_they_mean_and_nothing_else() {
        let text = |text: &str| Inline::Text(text.to_owned());
        assert_eq!(
            inlines("**Use `a`** <b> [x](https://e.example) now"),
            [
                Inline::Strong(vec![text("Use "), Inline::Code("a".into())]),
                text(" <b> "),
                Inline::link("https://e.example".into(), vec![text("x")]),
                text(" now"),
            ]
        );
        assert_eq!(inlines("a ** b"), [text("a "), text(" b")]);
        assert_eq!(inlines("[x](javascript:a)"), [text("[x](javascript:a)")]);
        assert_eq!(inlines(""), []);
    }
}
