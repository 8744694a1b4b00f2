//! Makes a page safe to parse, in one pass over its bytes: bounds how deep elements nest, drops scripts, styles and
//! comments, and cuts tags of absurd length. The parser behind is quadratic in depth and ends the whole process when its
//! stack runs out, so nothing reaches it without this.

use crate::words::{WordList, words};
use std::collections::HashMap;

/// Elements that may be open at once; deeper ones lose their tags, never their text.
const OPEN_MAX: usize = 200;
/// A longer tag loses its attributes.
const TAG_BYTES_MAX: usize = 64 << 10;
/// Structured data longer than this is dropped with the other scripts.
const JSON_LD_BYTES_MAX: usize = 200_000;
/// Tags beyond this are dropped; the text goes on.
const TAGS_MAX: usize = 300_000;
/// Formatting elements that may be open at once. The parser opens each of them again in every block that follows, so they
/// multiply.
const FORMATTING_MAX: usize = 8;
const FORMATTING: &[&str] = &[
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
];
/// Tables, lists and quotes that may be open at once. What they hold is read again for each of them, so they multiply too.
const CONTAINERS_MAX: usize = 16;
const CONTAINERS: &[&str] = &["blockquote", "dl", "menu", "ol", "table", "ul"];
/// Elements that the end tag of an ordinary one cannot reach past.
static SPECIAL: WordList = words!(
    "address applet article aside blockquote button caption center details dir div dl fieldset figcaption figure footer form frameset h1 \
     h2 h3 h4 h5 h6 header hgroup listing main marquee menu nav object ol plaintext pre search section select summary table title ul xmp"
);
/// Elements that no end tag of a block reaches past.
const SCOPES: &[&str] = &["applet", "caption", "marquee", "object", "table", "select"];
/// Elements that the parser closes by itself, so that they do not nest by being opened again.
const SELF_CLOSING: &[&str] = &[
    "p", "li", "dt", "dd", "option", "optgroup", "tr", "td", "th", "thead", "tbody", "tfoot",
    "colgroup", "rt", "rp", "html", "head", "body", "br", "hr", "img", "input", "meta", "link",
    "base", "area", "col", "embed", "source", "track", "wbr", "param",
];
/// Elements whose content is no text of the page.
const DROPPED: &[&str] = &[
    "script", "style", "noscript", "template", "iframe", "svg", "textarea",
];

/// `html`, safe to parse.
#[must_use]
pub(crate) fn prefilter(html: &str) -> String {
    let mut filter = Filter {
        html,
        out: String::with_capacity(html.len()),
        copied: 0,
        open: Vec::new(),
        dropped: HashMap::new(),
        tags: 0,
    };
    filter.run();
    filter.out
}

struct Filter<'a> {
    html: &'a str,
    out: String,
    /// Everything before this is decided.
    copied: usize,
    open: Vec<String>,
    /// How many end tags of each name belong to start tags that were dropped.
    dropped: HashMap<String, usize>,
    tags: usize,
}

struct Tag {
    name: String,
    closes: bool,
    closed_itself: bool,
    end: usize,
}

impl Filter<'_> {
    fn run(&mut self) {
        let mut at = 0;
        while let Some(found) = self.from(at).find('<') {
            let start = at + found;
            let rest = self.from(start);
            if rest.starts_with("<!--") {
                self.keep_until(start);
                at = match self.from(start + 4).find("-->") {
                    Some(end) => start + 4 + end + 3,
                    // An open comment swallows the rest, as in browsers.
                    None => self.html.len(),
                };
                self.copied = at;
                continue;
            }
            let Some(tag) = self.tag_at(start) else {
                at = start + 1;
                continue;
            };
            at = tag.end;
            if !tag.closes && !tag.closed_itself && DROPPED.contains(&tag.name.as_str()) {
                at = self.drop_element(start, &tag);
            } else {
                self.judge(start, &tag);
            }
        }
        self.keep_until(self.html.len());
    }

    fn from(&self, at: usize) -> &str {
        self.html.get(at..).unwrap_or("")
    }

    fn keep_until(&mut self, end: usize) {
        self.out
            .push_str(self.html.get(self.copied..end).unwrap_or(""));
        self.copied = self.copied.max(end);
    }

    fn tag_at(&self, start: usize) -> Option<Tag> {
        let bytes = self.html.as_bytes();
        let closes = bytes.get(start + 1) == Some(&b'/');
        let name_start = start + 1 + usize::from(closes);
        if !bytes.get(name_start)?.is_ascii_alphabetic() {
            return None;
        }
        let name_length = bytes
            .get(name_start..)?
            .iter()
            .position(|b| b.is_ascii_whitespace() || matches!(b, b'>' | b'/'))
            .unwrap_or(bytes.len() - name_start);
        let mut quote = 0u8;
        let mut previous = b' ';
        let mut end = bytes.len();
        for (offset, byte) in bytes.get(name_start + name_length..)?.iter().enumerate() {
            match *byte {
                b if quote != 0 && b == quote => quote = 0,
                _ if quote != 0 => {}
                b'"' | b'\'' if previous == b'=' || previous.is_ascii_whitespace() => quote = *byte,
                b'>' => {
                    end = name_start + name_length + offset + 1;
                    break;
                }
                _ => {}
            }
            previous = *byte;
        }
        let name = self
            .html
            .get(name_start..name_start + name_length.min(64))
            .unwrap_or("x")
            .to_ascii_lowercase();
        Some(Tag {
            name,
            closes,
            closed_itself: end >= 2 && bytes.get(end - 2) == Some(&b'/'),
            end,
        })
    }

    /// Drops an element with its content, unless it holds structured data; gives where the page goes on.
    fn drop_element(&mut self, start: usize, tag: &Tag) -> usize {
        let closing = self.from(tag.end).match_indices("</").find(|(at, _)| {
            let name = tag.end + at + 2;
            self.html
                .get(name..name + tag.name.len())
                .is_some_and(|found| found.eq_ignore_ascii_case(&tag.name))
        });
        let stop = match closing {
            Some((at, _)) => {
                let close = tag.end + at;
                self.from(close)
                    .find('>')
                    .map_or(self.html.len(), |end| close + end + 1)
            }
            None => self.html.len(),
        };
        let opening = self.html.get(start..tag.end).unwrap_or("");
        let is_data = tag.name == "script"
            && (opening.contains("ld+json") || opening.contains("math/tex"))
            && closing.is_some()
            && stop - tag.end < JSON_LD_BYTES_MAX;
        if !is_data {
            self.keep_until(start);
            self.copied = stop;
        }
        stop
    }

    fn drop_tag(&mut self, start: usize, tag: &Tag) {
        self.keep_until(start);
        self.copied = tag.end;
    }

    /// Does for the open elements what the parser will do for an end tag; where the two could differ, it keeps more open,
    /// which is safe.
    fn close(&mut self, start: usize, name: &str) {
        let Some(at) = self.open.iter().rposition(|open| open == name) else {
            return;
        };
        // The parser closes these alone and leaves open what was opened inside.
        if FORMATTING.contains(&name) || name == "form" {
            self.open.remove(at);
            return;
        }
        let inside = self.open.get(at + 1..).unwrap_or_default();
        let walls = match SPECIAL.contains(&name) {
            true => SCOPES,
            false => SPECIAL.as_slice(),
        };
        if inside.iter().any(|open| walls.contains(&open.as_str())) {
            return;
        }
        // Formatting that is not closed would be opened again in all that follows, ever deeper.
        let ends: String = inside
            .iter()
            .rev()
            .filter(|open| FORMATTING.contains(&open.as_str()))
            .map(|open| format!("</{open}>"))
            .collect();
        self.open.truncate(at);
        self.keep_until(start);
        self.out.push_str(&ends);
    }

    /// Whether `name` is of a family of which as many are open as may be.
    fn is_full(&self, family: &[&str], most: usize, name: &str) -> bool {
        let open = self.open.iter();
        family.contains(&name)
            && open.filter(|open| family.contains(&open.as_str())).count() >= most
    }

    /// Keeps a tag, bares it of its attributes or drops it.
    fn judge(&mut self, start: usize, tag: &Tag) {
        self.tags += 1;
        let name = tag.name.as_str();
        let counts = !SELF_CLOSING.contains(&name) && !tag.closed_itself;
        if self.tags > TAGS_MAX {
            self.drop_tag(start, tag);
            return;
        }
        if counts && tag.closes {
            if let Some(owed) = self.dropped.get_mut(name).filter(|owed| **owed > 0) {
                *owed -= 1;
                self.drop_tag(start, tag);
                return;
            }
            self.close(start, name);
        } else if counts {
            // A link ends the link before it.
            if name == "a"
                && let Some(at) = self.open.iter().rposition(|open| open == "a")
            {
                self.open.remove(at);
            }
            if self.is_full(FORMATTING, FORMATTING_MAX, name)
                || self.is_full(CONTAINERS, CONTAINERS_MAX, name)
                || self.open.len() >= OPEN_MAX
            {
                *self.dropped.entry(tag.name.clone()).or_default() += 1;
                self.drop_tag(start, tag);
                return;
            }
            self.open.push(tag.name.clone());
        }
        if tag.end - start > TAG_BYTES_MAX {
            self.keep_until(start);
            self.out.push_str(if tag.closes { "</" } else { "<" });
            self.out.push_str(&tag.name);
            self.out.push('>');
            self.copied = tag.end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::prefilter;

    #[test]
    fn scripts_and_comments_go_and_structured_data_stays() {
        assert_eq!(
            prefilter(
                "<p>a<!-- b --><script>if (a < b) {}</script><STYLE>x</STYLE>c<script type=\"application/ld+json\">{}</script>"
            ),
            "<p>ac<script type=\"application/ld+json\">{}</script>"
        );
    }

    #[test]
    fn depth_is_bounded_and_words_are_kept() {
        let deep = format!("{}x{}y", "<div>".repeat(5_000), "</div>".repeat(5_000));
        let safe = prefilter(&deep);
        assert_eq!(safe.matches("<div>").count(), 200);
        assert_eq!(safe.matches("</div>").count(), 200);
        assert!(safe.contains('x') && safe.ends_with('y'));
    }

    #[test]
    fn tables_and_lists_within_each_other_are_few_and_their_words_are_kept() {
        for piece in ["<table><tr><td>", "<ul><li>", "<blockquote><ol><li>"] {
            let safe = prefilter(&format!("{}x", piece.repeat(1_000)));
            let open: usize = ["<table>", "<ul>", "<ol>", "<blockquote>"]
                .iter()
                .map(|tag| safe.matches(tag).count())
                .sum();
            assert_eq!(open, 16, "{piece}");
            assert!(safe.ends_with('x'), "{piece}");
        }
    }

    #[test]
    fn badly_nested_tags_cannot_hide_depth() {
        let depth_of = |page: &str| {
            let tree = dom_query::Document::from(prefilter(page).as_str());
            tree.select("*")
                .nodes()
                .iter()
                .map(|node| node.ancestors_it(None).count())
                .max()
                .unwrap_or(0)
        };
        for piece in [
            "<b><div></b>",
            "<span><div></span>",
            "<form><div></form>",
            "<div><b id=1></div>",
            "<div><table><tr><td></div>",
            "<p><i>x</p>",
            "<ul><li><a href=x>",
            "<dl><dd>",
        ] {
            let page: String = (0..1_000)
                .map(|n| piece.replace("id=1", &format!("id={n}")))
                .collect();
            let depth = depth_of(&page);
            assert!(depth <= 1_000, "{piece}: {depth}");
        }
    }

    #[test]
    fn endless_attributes_are_cut() {
        let page = format!("<p title=\"{}\">x", "a".repeat(100_000));
        assert_eq!(prefilter(&page), "<p>x");
    }
}
