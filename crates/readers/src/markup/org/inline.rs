//! Reads the running text of Org: code, stress and links.

use crate::builder::tidy;
use skillkiln_document::text::Inline;
use skillkiln_document::work::step;

/// What is marked is not longer, in bytes: a mark alone must not be looked for to the end of the text.
const MARKED_BYTES_MAX: usize = 1_000;
/// Deepest stress within stress that is kept.
const DEPTH_MAX: usize = 8;

/// The running text that `words` are.
pub(super) fn read(words: &str) -> Vec<Inline> {
    tidy(pieces(words, 0))
}

fn pieces(words: &str, depth: usize) -> Vec<Inline> {
    step(1 + words.len() / 4);
    let mut out = Vec::new();
    let mut rest = words;
    let mut text = String::new();
    let mut before = ' ';
    while let Some(at) = rest.find(['~', '=', '*', '/', '_', '+', '[', '<']) {
        let (plain, from) = rest.split_at(at);
        text.push_str(plain);
        before = plain.chars().next_back().unwrap_or(before);
        if let Some((inline, behind)) = marked(from, before, depth) {
            out.push(Inline::Text(std::mem::take(&mut text)));
            out.push(inline);
            before = ')';
            rest = behind;
        } else {
            let mark = from.chars().next().unwrap_or(' ');
            text.push(mark);
            before = mark;
            rest = from.get(mark.len_utf8()..).unwrap_or("");
        }
    }
    text.push_str(rest);
    out.push(Inline::Text(text));
    out
}

/// What the mark at the start of `from` makes of the words behind it, and what is left.
fn marked(from: &str, before: char, depth: usize) -> Option<(Inline, &str)> {
    let near = from.get(..from.floor_char_boundary(MARKED_BYTES_MAX))?;
    if let Some(inner) = near.strip_prefix("[[") {
        let (inner, _) = inner.split_once("]]")?;
        let (href, shown) = inner.split_once("][").unwrap_or((inner, inner));
        let shown = match depth < DEPTH_MAX {
            true => pieces(shown.trim_start_matches("file:"), depth + 1),
            false => vec![Inline::Text(shown.to_owned())],
        };
        let behind = from.get(inner.len() + "[[]]".len()..)?;
        return Some((Inline::link(href.to_owned(), shown), behind));
    }
    if let Some(inner) = near.strip_prefix('<') {
        let (href, _) = inner.split_once('>')?;
        let is_address = href.starts_with("http") && !href.contains(char::is_whitespace);
        let link = || Inline::link(href.to_owned(), vec![Inline::Text(href.to_owned())]);
        return is_address.then(link).zip(from.get(href.len() + 2..));
    }
    let mark = near
        .chars()
        .next()
        .filter(|mark| "~=*/_+".contains(*mark))?;
    let may_open = before.is_whitespace() || "-–—('\"{".contains(before);
    let inner = near.get(1..)?;
    if !may_open || inner.starts_with(char::is_whitespace) {
        return None;
    }
    let end = inner.match_indices(mark).map(|(at, _)| at).find(|at| {
        let closes = inner
            .get(..*at)
            .is_some_and(|inner| !inner.is_empty() && !inner.ends_with(char::is_whitespace));
        let next = inner.get(at + 1..).and_then(|rest| rest.chars().next());
        closes && next.is_none_or(|next| next.is_whitespace() || "-–—.,:!?;'\")}[\\".contains(next))
    })?;
    let shown = inner.get(..end)?;
    let stressed = || match depth < DEPTH_MAX {
        true => pieces(shown, depth + 1),
        false => vec![Inline::Text(shown.to_owned())],
    };
    let inline = match mark {
        '~' | '=' => Inline::Code(shown.replace('\n', " ")),
        '*' => Inline::Strong(stressed()),
        '/' | '_' => Inline::Emphasis(stressed()),
        // What is struck out holds no longer.
        _ => Inline::Text(String::new()),
    };
    Some((inline, from.get(end + 2..)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::text::plain;

    #[test]
    fn marks_within_words_and_without_ends_are_words() {
        for words in [
            "a/b/c and x_y_z",
            "5 * 3 * 2",
            "~ and =",
            "[[open",
            "a <b c> d",
        ] {
            assert_eq!(read(words), [Inline::Text(words.to_owned())]);
        }
        assert_eq!(
            read("~a~, *b*"),
            [
                Inline::Code("a".into()),
                Inline::Text(", ".into()),
                Inline::Strong(vec![Inline::Text("b".into())]),
            ]
        );
        assert_eq!(read("=a  b\nc="), [Inline::Code("a  b c".into())]);
        assert_eq!(plain(&read("80 +70+ 60, C++ +1")), "80 60, C++ +1");
        assert_eq!(plain(&read(&"~a ".repeat(20_000))).len(), 59_999);
    }
}
