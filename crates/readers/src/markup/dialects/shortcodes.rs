//! The shortcodes of Hugo within a line, and what they show there.

use super::components::attribute;

/// A line with what the shortcodes of Hugo in it show; `None` where it has none outside of code.
pub(super) fn with_shortcodes(line: &str) -> Option<String> {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    let mut is_code = false;
    // Behind the last mark that ends one, none is looked for.
    let marks = [("<", ">}}"), ("%", "%}}")].map(|(sign, end)| (sign, end, line.rfind(end)));
    while let Some(at) = rest.find("{{") {
        let (before, behind) = rest.split_at(at);
        is_code ^= before.bytes().filter(|byte| *byte == b'`').count() % 2 == 1;
        out.push_str(before);
        let place = line.len() - behind.len();
        let mark = marks.iter().find(|(sign, _, last)| {
            !is_code && behind.get(2..3) == Some(sign) && *last >= Some(place)
        });
        let inner = mark.and_then(|(_, end, _)| behind.get(3..)?.split_once(end));
        match inner {
            Some((inner, after)) => {
                out.push_str(&shown(inner.trim()));
                rest = after;
            }
            None => {
                out.push_str("{{");
                rest = behind.get(2..).unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
    (out != line).then_some(out)
}

/// What a shortcode within a line shows: its text, what it refers to, or the heading that it stands for.
fn shown(shortcode: &str) -> String {
    let (name, rest) = shortcode.split_once(' ').unwrap_or((shortcode, ""));
    if let Some(text) = ["text", "title", "term_id"]
        .iter()
        .find_map(|key| attribute(rest, key))
    {
        return text.to_owned();
    }
    let first = rest.split('"').nth(1).unwrap_or_default();
    let mut letters = first.chars();
    match (name, letters.next()) {
        ("ref" | "relref" | "link", Some(_)) => first.to_owned(),
        ("heading", Some(initial)) => initial.to_uppercase().chain(letters).collect(),
        _ => String::new(),
    }
}
