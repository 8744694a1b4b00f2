//! Owns how a page becomes a tree. Half of what reading a long page takes was the parser's tokenizer, which goes from state to state and
//! moves names and values a character at a time; so what most of a page is made of, plain text and plain tags, is told apart here and
//! handed to the tree's builder as it stands in the page. All else goes to the tokenizer.

use crate::html::prefilter::prefilter;
use dom_query::{Document, NodeId};
use html5ever::buffer_queue::BufferQueue;
use html5ever::data::NAMED_ENTITIES;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, QualName, TokenizerResult, ns};
use std::ops::Range;

/// Elements in which the tokenizer reads otherwise, up to their end tags.
const RAW: &[&str] = &[
    "iframe",
    "noembed",
    "noframes",
    "noscript",
    "plaintext",
    "script",
    "style",
    "textarea",
    "title",
    "xmp",
];

/// The tree of the page `html`, without what is dangerous to parse.
pub(crate) fn of(html: &str) -> Document {
    parsed(&prefilter(html))
}

fn parsed(html: &str) -> Document {
    // As the tokenizer takes them.
    let html = html.strip_prefix('\u{feff}').unwrap_or(html);
    let page = if html.contains('\r') {
        StrTendril::from(html.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        StrTendril::from(html)
    };
    let tree = TreeBuilder::new(
        Document::default(),
        TreeBuilderOpts {
            scripting_enabled: false,
            ..TreeBuilderOpts::default()
        },
    );
    // What is handed over may begin with this sign, which only the page's first may be left out of.
    let kind = TokenizerOpts {
        discard_bom: false,
        ..TokenizerOpts::default()
    };
    let reader = Reader {
        tokenizer: Tokenizer::new(tree, kind),
        page,
    };
    reader.run();
    reader.tokenizer.end();
    reader.tokenizer.sink.sink
}

struct Reader {
    tokenizer: Tokenizer<TreeBuilder<NodeId, Document>>,
    page: StrTendril,
}

/// What a `<` begins.
enum Begun {
    /// Nothing: it is a sign of the text.
    Text,
    /// A tag, or what else ends at a `>`; up to where, and as a token where it is plain.
    Markup(usize, Option<Tag>),
    /// What reaches beyond its end tag, or what has no end: so does the rest of the page.
    Rest,
}

impl Reader {
    fn run(&self) {
        let bytes = self.page.as_bytes();
        // Everything before `done` is in the tree.
        let (mut done, mut at) = (0, 0);
        if memchr::memchr(0, bytes).is_some() {
            at = bytes.len();
        }
        while let Some(found) = memchr::memchr(b'<', bytes.get(at..).unwrap_or_default()) {
            let start = at + found;
            let (end, tag) = match self.begun_at(start) {
                Begun::Text => {
                    at = start + 1;
                    continue;
                }
                Begun::Markup(end, tag) => (end, tag),
                Begun::Rest => break,
            };
            match (tag, self.plain(done..start)) {
                (Some(tag), Some(text)) => {
                    if !text.is_empty() {
                        self.hand_over(Token::CharacterTokens(text));
                    }
                    self.hand_over(Token::TagToken(tag));
                }
                _ => self.tokenize(done..end),
            }
            (done, at) = (end, end);
        }
        self.tokenize(done..bytes.len());
    }

    fn hand_over(&self, token: Token) {
        // Only elements that are left to the tokenizer have it read otherwise.
        let _ = self.tokenizer.sink.process_token(token, 1);
    }

    fn tokenize(&self, part: Range<usize>) {
        let queue = BufferQueue::default();
        queue.push_back(self.part(part));
        while !matches!(self.tokenizer.feed(&queue), TokenizerResult::Done) {}
    }

    /// A part of the page, which is not copied.
    fn part(&self, part: Range<usize>) -> StrTendril {
        let number = |at| u32::try_from(at).unwrap_or(u32::MAX);
        let part = self
            .page
            .try_subtendril(number(part.start), number(part.end - part.start));
        part.unwrap_or_default()
    }

    /// What a part of the page says, where that is plain.
    fn plain(&self, part: Range<usize>) -> Option<StrTendril> {
        let text = self.page.get(part.clone())?;
        match memchr::memchr(b'&', text.as_bytes()) {
            None => Some(self.part(part)),
            Some(_) => Some(StrTendril::from(resolved(text)?)),
        }
    }

    fn begun_at(&self, start: usize) -> Begun {
        let bytes = self.page.as_bytes();
        let upto_sign = || match memchr::memchr(b'>', bytes.get(start..).unwrap_or_default()) {
            Some(end) => Begun::Markup(start + end + 1, None),
            None => Begun::Rest,
        };
        match bytes.get(start + 1) {
            Some(letter) if letter.is_ascii_alphabetic() => {}
            Some(b'/') => match bytes.get(start + 2) {
                Some(letter) if letter.is_ascii_alphabetic() => {}
                Some(_) => return upto_sign(),
                None => return Begun::Rest,
            },
            Some(b'?') => return upto_sign(),
            Some(b'!') => {
                let name = bytes.get(start + 2..start + 9);
                let is_type = name.is_some_and(|name| name.eq_ignore_ascii_case(b"doctype"));
                return if is_type { upto_sign() } else { Begun::Rest };
            }
            Some(_) => return Begun::Text,
            None => return Begun::Rest,
        }
        match self.tag_at(start) {
            None => Begun::Rest,
            Some((_, name, end)) if self.is_raw(start, name.clone()) => self.raw(name, end),
            Some((tag, _, end)) => Begun::Markup(end, tag),
        }
    }

    fn is_raw(&self, start: usize, name: Range<usize>) -> bool {
        let name = self
            .page
            .get(name.clone())
            .filter(|_| name.start == start + 1);
        name.is_some_and(|name| RAW.iter().any(|raw| name.eq_ignore_ascii_case(raw)))
    }

    /// An element in which the tokenizer reads otherwise, when nothing in it but its end looks like a tag.
    fn raw(&self, name: Range<usize>, end: usize) -> Begun {
        let bytes = self.page.as_bytes();
        let Some(inside) = memchr::memchr(b'<', bytes.get(end..).unwrap_or_default()) else {
            return Begun::Rest;
        };
        let start = end + inside;
        if bytes.get(start + 1) != Some(&b'/') {
            return Begun::Rest;
        }
        let is_named =
            |other: Range<usize>| match (self.page.get(name.clone()), self.page.get(other)) {
                (Some(name), Some(other)) => name.eq_ignore_ascii_case(other),
                _ => false,
            };
        match self.tag_at(start) {
            Some((_, other, end)) if is_named(other.clone()) => Begun::Markup(end, None),
            _ => Begun::Rest,
        }
    }

    /// The tag whose name begins behind `start`, its name and its end, by the rules of the tokenizer; itself only where it is plain.
    fn tag_at(&self, start: usize) -> Option<(Option<Tag>, Range<usize>, usize)> {
        let bytes = self.page.as_bytes();
        let byte = |at: usize| bytes.get(at).copied();
        let run = |from: usize, ends: fn(u8) -> bool| {
            let length = bytes.get(from..)?.iter().position(|byte| ends(*byte))?;
            Some(from + length)
        };
        let kind = match byte(start + 1) {
            Some(b'/') => TagKind::EndTag,
            _ => TagKind::StartTag,
        };
        let first = start + 1 + usize::from(kind == TagKind::EndTag);
        let name = first..run(first, |byte| is_space(byte) || matches!(byte, b'/' | b'>'))?;
        let mut is_plain = self.is_plain_name(name.clone());
        let mut attrs: Vec<Attribute> = Vec::new();
        let mut self_closing = false;
        let mut at = name.end;
        loop {
            at = run(at, |byte| !is_space(byte))?;
            match byte(at)? {
                b'>' => break,
                b'/' => {
                    at += 1;
                    if byte(at)? == b'>' {
                        self_closing = true;
                        break;
                    }
                    continue;
                }
                _ => {}
            }
            // Whatever stands here begins a name.
            let key = at..run(at + 1, |byte| {
                is_space(byte) || matches!(byte, b'/' | b'>' | b'=')
            })?;
            at = run(key.end, |byte| !is_space(byte))?;
            let mut value = 0..0;
            if byte(at)? == b'=' {
                at = run(at + 1, |byte| !is_space(byte))?;
                match byte(at)? {
                    b'>' => value = at..at,
                    quote @ (b'"' | b'\'') => {
                        let length = memchr::memchr(quote, bytes.get(at + 1..)?)?;
                        value = at + 1..at + 1 + length;
                        at = value.end + 1;
                    }
                    _ => {
                        value = at..run(at, |byte| is_space(byte) || byte == b'>')?;
                        at = value.end;
                    }
                }
            }
            is_plain = is_plain && self.is_plain_name(key.clone());
            if is_plain {
                let key = LocalName::from(self.page.get(key)?);
                if attrs.iter().any(|other| other.name.local == key) {
                    is_plain = false;
                } else if let Some(value) = self.plain(value) {
                    let name = QualName::new(None, ns!(), key);
                    attrs.push(Attribute { name, value });
                } else {
                    is_plain = false;
                }
            }
        }
        let is_plain = is_plain && (kind == TagKind::StartTag || attrs.is_empty());
        let plain_name = self.page.get(name.clone()).filter(|_| is_plain);
        let tag = plain_name.map(|name| Tag {
            kind,
            name: LocalName::from(name),
            self_closing,
            attrs,
            had_duplicate_attributes: false,
        });
        Some((tag, name, at + 1))
    }

    /// Whether a name means what stands there.
    fn is_plain_name(&self, name: Range<usize>) -> bool {
        let name = self.page.as_bytes().get(name).unwrap_or_default();
        name.iter()
            .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b':'))
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\x0c')
}

/// A text with what its references stand for, where all of them are whole.
fn resolved(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('&') {
        out.push_str(before);
        rest = behind;
        let first = behind.as_bytes().first().copied().unwrap_or(b' ');
        if first == b'#' {
            let (number, after) = behind.get(1..)?.split_once(';')?;
            out.push(numbered(number)?);
            rest = after;
        } else if first.is_ascii_alphanumeric() {
            let end = behind
                .bytes()
                .position(|byte| !byte.is_ascii_alphanumeric())?;
            let name = behind.get(..=end).filter(|name| name.ends_with(';'))?;
            let (one, other) = *NAMED_ENTITIES.get(name)?;
            let one = char::from_u32(one).filter(|one| *one != '\0')?;
            out.push(one);
            out.extend(char::from_u32(other).filter(|other| *other != '\0'));
            rest = behind.get(end + 1..)?;
        } else {
            out.push('&');
        }
    }
    out.push_str(rest);
    Some(out)
}

/// The letter with this number, where it stands for itself.
fn numbered(number: &str) -> Option<char> {
    let (digits, radix) = match number.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16),
        None => (number, 10),
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, radix)
        .ok()
        .filter(|_| is_number)?;
    let stands_for_itself = matches!(number, 0x20..=0x7e | 0xa0..=0xd7ff);
    char::from_u32(number).filter(|_| stands_for_itself)
}

#[cfg(test)]
mod tests {
    use super::parsed;
    use proptest::prelude::*;

    /// The same tree as the parser itself makes, with the same attributes and as many nodes.
    fn agrees(page: &str) {
        let (own, whole) = (parsed(page), dom_query::Document::from(page));
        assert_eq!(own.html(), whole.html(), "{page:?}");
        let told = |page: &dom_query::Document| {
            let nodes = page.root().descendants();
            let told = nodes
                .iter()
                .map(|node| format!("{:?} {:?}", node.node_name(), node.attrs()));
            told.collect::<Vec<_>>()
        };
        assert_eq!(told(&own), told(&whole), "{page:?}");
    }

    const PIECES: &[&str] = &[
        "<!DOCTYPE html>",
        "<!doctype html public '>'>",
        "<html lang=en>",
        "<head>",
        "</head>",
        "<body class=\"a b\">",
        "<title>",
        "</title>",
        "<title>A &amp; B</title>",
        "<title>a<b>c</title>",
        "<textarea>",
        "</textarea >",
        "<meta charset=\"utf-8\">",
        "<meta http-equiv=content-type content='text/html; charset=latin1'>",
        "<p>",
        "</p>",
        "<p class=\"x\" id='y' hidden>",
        "<p CLASS=X>",
        "<DIV>",
        "<div/>",
        "<br/>",
        "</br>",
        "</br class=x>",
        "<a href=/a/b/>",
        "<a href=\"?a=1&b=2&amp;c\">",
        "</a>",
        "<a b=1 b=2>",
        "<a =c>",
        "<a b = 'c' d>",
        "<a b=>",
        "<a \"b\">",
        "<a b='<'c>",
        "<b>",
        "</b>",
        "<i>",
        "</i>",
        "<table>",
        "<tr>",
        "<td>",
        "</table>",
        "<pre>",
        "\n",
        "\n\nx",
        "</pre>",
        "<ul>",
        "<li>",
        "</ul>",
        "<select>",
        "<option>",
        "</select>",
        "<svg viewBox=\"0 0 1 1\">",
        "<title>x<g/></title>",
        "</svg>",
        "<math>",
        "<mi>",
        "</math>",
        "<![CDATA[ <a> ]]>",
        "<!-- c > d -->",
        "<!x>",
        "<?xml version=\"1.0\"?>",
        "</>",
        "</ x>",
        "</3>",
        "<3",
        "< b",
        "<",
        "&",
        "&lt;",
        "&lt",
        "&amp;lt;",
        "&nbsp;",
        "&notit;",
        "&not;",
        "&acE;",
        "&#39;",
        "&#x27;",
        "&#0;",
        "&#128;",
        "&#xD800;",
        "&#x110000;",
        "&#;",
        "&#x;",
        "&#+3;",
        "&x",
        "&;",
        "a & b",
        "AT&T",
        " ",
        "words of it",
        "kiln é",
        "\r\n",
        "\r",
        "\0",
        "</body>",
        "</html>",
        "<frameset>",
        "<noframes>",
        "</noframes>",
        "<plaintext>",
        "<script>if (a<b) {}</script>",
        "<style>",
        "</STYLE>",
        "<template>",
        "</template>",
        "<p",
        "<p a",
        "<p a=",
        "<p a='",
        "\u{c}",
        "\t",
        "<x-y_z:1>",
        "<é>",
        "<pé>",
        "<p é=é>",
        "<form>",
        "</form>",
        "<input type=hidden>",
        "<h1>",
        "</h2>",
    ];

    proptest! {
        #[test]
        fn a_page_becomes_the_tree_that_the_parser_makes_of_it(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..24)) {
            agrees(&pieces.concat());
        }
    }

    #[test]
    fn each_piece_becomes_the_tree_that_the_parser_makes_of_it() {
        agrees("\u{feff}<p>a");
        for one in PIECES {
            agrees(one);
            agrees(&format!("<p>a{one}b</p>c"));
            for other in PIECES {
                agrees(&format!("{one}{other}x"));
            }
        }
    }
}
