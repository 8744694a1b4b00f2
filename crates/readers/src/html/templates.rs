//! Owns addresses with places to be filled in, of which a page made only the beginning a link: `https://kiln.example/fires` and right
//! behind it `?wood=${wood}`. The whole is one address, to the letter, and leads nowhere as it stands.

use dom_query::NodeRef;

/// The address that the words of a link begin and the text right behind it ends; also how many bytes of that text.
pub(super) fn address(link: &NodeRef<'_>) -> Option<(String, usize)> {
    let behind = link.next_sibling().filter(NodeRef::is_text)?.text();
    if !behind.starts_with(BEGINNINGS) || !link.has_name("a") {
        return None;
    }
    let words = link.text();
    let (begun, leads) = (words.trim(), link.attr("href")?);
    let is_address = begun.starts_with("http://") || begun.starts_with("https://");
    if !is_address || begun.trim_end_matches('/') != leads.trim_end_matches('/') {
        return None;
    }
    let end = behind
        .find(|c: char| !c.is_ascii_graphic() || "\"'`<>|".contains(c))
        .unwrap_or(behind.len());
    let tail = ended(behind.get(..end)?);
    let asks = tail.starts_with('?') && tail.contains('=');
    (asks || tail.contains('{') && tail.contains('}'))
        .then(|| (format!("{begun}{tail}"), tail.len()))
}

/// How many bytes at the beginning of a text end the address that the link before it begins.
pub(super) fn ended_by(text: &NodeRef<'_>, words: &str) -> usize {
    match words.starts_with(BEGINNINGS) {
        true => text.prev_sibling().and_then(|link| address(&link)),
        false => None,
    }
    .map_or(0, |(_, length)| length)
}

/// What an address goes on with behind its beginning.
const BEGINNINGS: [char; 7] = ['?', '/', '&', '#', '$', '{', '['];

/// The end of an address without the marks of the sentence in which it stands.
fn ended(mut tail: &str) -> &str {
    let is_closed = |tail: &str, open: char, close: char| {
        tail.matches(open).count() >= tail.matches(close).count()
    };
    while let Some(last) = tail.chars().next_back() {
        let belongs = match last {
            '.' | ',' | ';' | ':' | '!' | '?' => false,
            ')' => is_closed(tail, '(', ')'),
            ']' => is_closed(tail, '[', ']'),
            '}' => is_closed(tail, '{', '}'),
            _ => true,
        };
        if belongs {
            break;
        }
        tail = tail.get(..tail.len() - last.len_utf8()).unwrap_or_default();
    }
    tail
}

#[cfg(test)]
mod tests {
    use crate::html::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn an_address_that_goes_on_behind_its_link_is_one_stretch_of_code() {
        let link = "<a href='https://kiln.example/fires'>https://kiln.example/fires</a>";
        let written = |behind: &str| {
            let html = format!("<main><h1>Kilns</h1><p>It is at “{link}{behind}</p></main>");
            write(&read(&html, None).expect("a page").blocks)
        };
        for (behind, shown) in [
            (
                "?wood=${oak}[&amp;heat=${heat}]” so",
                "“`https://kiln.example/fires?wood=${oak}[&heat=${heat}]`” so",
            ),
            ("/{id}).", "“`https://kiln.example/fires/{id}`)."),
            ("?", "“<https://kiln.example/fires>?"),
            ("[1] so", "“<https://kiln.example/fires>[1] so"),
        ] {
            let text = written(behind);
            assert!(text.contains(shown), "{text}");
        }
    }
}
