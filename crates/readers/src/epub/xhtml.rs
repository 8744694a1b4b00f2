//! Makes XHTML safe for a reader of HTML: an element that is closed where it opens would stay open there.

use std::borrow::Cow;

/// Elements that are never closed in HTML.
const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];
/// The longest tag that is looked at.
const TAG_BYTES_MAX: usize = 16 << 10;
/// The longest address in angle brackets.
const ADDRESS_BYTES_MAX: usize = 120;
/// Elements whose text stands as it is.
const CODE: [&str; 5] = ["code", "tt", "pre", "kbd", "samp"];

/// `text` with `<a id="x"/>` written as `<a id="x"></a>`.
pub(crate) fn opened(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        out.push('<');
        rest = after;
        let name: &str = after
            .split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, ':' | '-' | '_')))
            .next()
            .unwrap_or("");
        if name.is_empty() {
            continue;
        }
        let Some(end) = end_of_tag(after) else {
            continue;
        };
        let (Some(inside), Some(next)) = (after.get(..end), after.get(end + 1..)) else {
            continue;
        };
        let lower = name.to_ascii_lowercase();
        match inside.strip_suffix('/') {
            Some(open) if !VOID.contains(&lower.as_str()) => {
                out.push_str(open);
                out.push_str("></");
                out.push_str(name);
                out.push('>');
            }
            _ => {
                out.push_str(inside);
                out.push('>');
            }
        }
        rest = next;
    }
    out.push_str(rest);
    out
}

/// `text` with the addresses in angle brackets escaped once that were escaped twice: `&amp;lt;ann@kiln.example&amp;gt;`. Code may be
/// about just that, and stays.
pub(crate) fn escaped_once(text: &str) -> Cow<'_, str> {
    const OPEN: &str = "&amp;lt;";
    const CLOSE: &str = "&amp;gt;";
    if !text.contains(OPEN) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut depth = 0;
    while let Some((before, after)) = rest.split_once(OPEN) {
        out.push_str(before);
        depth = depth_behind(before, depth);
        let address = address(after).filter(|_| depth == 0);
        let behind = address.and_then(|address| after.get(address.len()..)?.strip_prefix(CLOSE));
        if let (Some(address), Some(behind)) = (address, behind) {
            out.push_str("&lt;");
            out.push_str(address);
            out.push_str("&gt;");
            rest = behind;
        } else {
            out.push_str(OPEN);
            rest = after;
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The address that a text begins with, up to a sign that stands in none.
fn address(text: &str) -> Option<&str> {
    let is_end = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'<' | b'>' | b'&');
    let mut bytes = text.bytes().take(ADDRESS_BYTES_MAX + 1);
    let address = text.get(..bytes.position(is_end)?)?;
    let is_address = address.contains('@') || address.contains("://");
    (is_address && !address.contains(char::is_whitespace)).then_some(address)
}

/// In how many elements of code one is behind `text` that was in `depth` of them before it.
fn depth_behind(text: &str, depth: usize) -> usize {
    let is_code = |tag: &str| {
        let name = tag.split(|c: char| !c.is_ascii_alphanumeric()).next();
        name.is_some_and(|name| CODE.iter().any(|code| name.eq_ignore_ascii_case(code)))
    };
    text.split('<')
        .skip(1)
        .fold(depth, |depth, tag| match tag.strip_prefix('/') {
            Some(closed) if is_code(closed) => depth.saturating_sub(1),
            None if is_code(tag) => depth + 1,
            _ => depth,
        })
}

/// Where the tag ends whose name `text` begins with: at the first `>` outside of quotes.
fn end_of_tag(text: &str) -> Option<usize> {
    let mut quote: Option<u8> = None;
    for (at, byte) in text.bytes().enumerate().take(TAG_BYTES_MAX) {
        match (quote, byte) {
            (None, b'>') => return Some(at),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{escaped_once, opened};

    #[test]
    fn an_address_that_is_escaped_twice_is_escaped_once() {
        assert_eq!(
            escaped_once(
                "Ann &amp;lt;ann@kiln.example&amp;gt;, &amp;lt;b&amp;gt; &amp;lt;x y@z&amp;gt;"
            ),
            "Ann &lt;ann@kiln.example&gt;, &amp;lt;b&amp;gt; &amp;lt;x y@z&amp;gt;"
        );
    }

    #[test]
    fn what_code_escapes_twice_stays_so() {
        for text in [
            "<p>Write <code class=x>&amp;lt;ann@kiln.example&amp;gt;</code>.</p>",
            "<pre><b>To</b>: Ann &amp;lt;ann@kiln.example&amp;gt;</pre>",
            "&amp;lt;&amp;lt;ann@kiln.example",
        ] {
            assert_eq!(escaped_once(text), text);
        }
        let long = format!("&amp;lt;ann@{}&amp;gt;", "kiln".repeat(40));
        assert_eq!(escaped_once(&long), long);
        assert_eq!(
            escaped_once("<code>x</code> &amp;lt;ann@kiln.example&amp;gt;"),
            "<code>x</code> &lt;ann@kiln.example&gt;"
        );
    }

    #[test]
    fn what_is_closed_at_once_is_closed() {
        assert_eq!(
            opened("<?xml?><title/><p><a id='a>b'/>x<br/><img alt=\"1\"/></p> 1 < 2 <td />"),
            "<?xml?><title></title><p><a id='a>b'></a>x<br/><img alt=\"1\"/></p> 1 < 2 <td ></td>"
        );
    }
}
