//! Makes XHTML safe for a reader of HTML: an element that is closed where it opens would stay open there.

/// Elements that are never closed in HTML.
const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];
/// The longest tag that is looked at.
const TAG_BYTES_MAX: usize = 16 << 10;

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
    use super::opened;

    #[test]
    fn what_is_closed_at_once_is_closed() {
        assert_eq!(
            opened("<?xml?><title/><p><a id='a>b'/>x<br/><img alt=\"1\"/></p> 1 < 2 <td />"),
            "<?xml?><title></title><p><a id='a>b'></a>x<br/><img alt=\"1\"/></p> 1 < 2 <td ></td>"
        );
    }
}
