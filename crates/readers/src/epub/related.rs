//! Takes the bars out of a chapter that Sphinx sets around each page: where the next one is and the last, and who wrote it with what.
//! Its own theme for books has none; a manual that sets another theme for them keeps those of its web pages.

use std::borrow::Cow;

/// How any of them begins.
const DIVISION: &str = "<div class=\"";
/// How a bar begins that leads to other pages, and the one at the foot.
const RELATED: &str = "<div class=\"related\"";
const FOOTER: &str = "<div class=\"footer\"";
/// The longest bar.
const BAR_BYTES_MAX: usize = 8 << 10;

/// `text` without the bars around the page.
pub(super) fn without_bars(text: &str) -> Cow<'_, str> {
    if !text.contains(RELATED) && !text.contains(FOOTER) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(DIVISION) {
        let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        match bar(after) {
            Some(end) => rest = after.get(end..).unwrap_or(""),
            None => {
                // The sign alone goes on, so that what follows it is looked at.
                out.push('<');
                rest = after.get(1..).unwrap_or("");
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Where the bar ends that `text` begins with: it holds no element of its kind, and says what it is for.
fn bar(text: &str) -> Option<usize> {
    if !text.starts_with(RELATED) && !text.starts_with(FOOTER) {
        return None;
    }
    let text = text.get(..text.floor_char_boundary(BAR_BYTES_MAX))?;
    let (tag, inside) = text.split_once('>')?;
    let (inner, _) = inside.split_once("</div>")?;
    let is_bar = match tag.starts_with(RELATED) {
        true => tag.contains("role=\"navigation\"") || inner.trim_start().starts_with("<h3>"),
        false => tag.contains("role=\"contentinfo\"") || inner.contains("Sphinx</a>"),
    };
    let end = tag.len() + 1 + inner.len() + "</div>".len();
    (is_bar && !inner.contains("<div")).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bars_around_a_page_are_no_text_of_the_chapter() {
        let page = "<body><div class=\"related\" role=\"navigation\"><h3>Navigation</h3><ul><li>weiter</li></ul></div>\
                    <div class=\"body\"><p>Kilns burn.</p></div><div class=\"footer\" role=\"contentinfo\">&#169; Ada Lee.</div></body>";
        assert_eq!(
            without_bars(page),
            "<body><div class=\"body\"><p>Kilns burn.</p></div></body>"
        );
        let told = "<div class=\"related\"><p>Ash is <div>old</div>.</p></div><div class=\"footer\">Fire</div>";
        assert_eq!(without_bars(told), told);
    }
}
