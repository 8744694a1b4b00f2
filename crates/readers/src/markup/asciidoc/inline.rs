//! Reads running text of AsciiDoc: formatting, links, cross references, attributes and macros.

use crate::words::{Pairs, WordList, pairs, words};
use skillkiln_document::text::Inline;
use skillkiln_document::work::step;
use std::collections::HashMap;

/// Attributes by name, as the document sets them.
pub(crate) type Attributes = HashMap<String, String>;

/// Marks that format: the doubled ones work inside words.
const MARKS: [&str; 11] = ["``", "**", "__", "##", "`", "*", "_", "#", "+", "^", "~"];

/// Reads `text`.
pub(crate) fn read(text: &str, attributes: &Attributes) -> Vec<Inline> {
    step(1 + text.len() / 4);
    Reader {
        text,
        attributes,
        dead: [false; MARKS.len()],
        words: String::new(),
        out: Vec::new(),
        depth: 0,
    }
    .read()
}

struct Reader<'a> {
    text: &'a str,
    attributes: &'a Attributes,
    /// Marks that nothing ends from here on; they are not looked for again.
    dead: [bool; MARKS.len()],
    words: String,
    out: Vec<Inline>,
    depth: usize,
}

/// Inline macros, and those of the usual extensions.
static MACROS: WordList = words!(
    "link xref image kbd btn menu footnote footnoteref mailto pass anchor stem latexmath asciimath icon indexterm linkgit \
     linkgittitle ifdef include"
);

/// Attributes that every document has.
static SIGNS: Pairs = pairs!(
    "plus +  asterisk *  ast *  caret ^  tilde ~  backtick `  backslash \\  startsb [  lsqb [  endsb ]  rsqb ]  vbar |  lt <  gt > \
     amp &  apos '  quot \"  ldquo “  rdquo ”  lsquo ‘  rsquo ’  deg °  two-colons ::  two-semicolons ;;  cpp C++  pp ++"
);

impl Reader<'_> {
    fn read(mut self) -> Vec<Inline> {
        let mut at = 0;
        while let Some(character) = self.text.get(at..).and_then(|rest| rest.chars().next()) {
            let used = match character {
                '\\' => self.escape(at),
                '`' | '*' | '_' | '#' | '+' | '^' | '~' => self.marked(at),
                '"' | '\'' => self.curved(at),
                '{' => self.attribute(at),
                '<' => self.angle(at),
                '[' => self.anchor(at),
                '(' => self.term(at),
                ' ' => self.line_end(at),
                'a'..='z' => self.macro_or_address(at),
                _ => 0,
            };
            if used > 0 {
                at += used;
            } else {
                self.words.push(character);
                at += character.len_utf8();
            }
        }
        self.flush();
        self.out
    }

    fn rest(&self, at: usize) -> &str {
        step(1);
        self.text.get(at..).unwrap_or("")
    }

    fn before(&self, at: usize) -> Option<char> {
        self.text
            .get(..at)
            .and_then(|text| text.chars().next_back())
    }

    fn flush(&mut self) {
        if !self.words.is_empty() {
            self.out.push(Inline::Text(std::mem::take(&mut self.words)));
        }
    }

    fn push(&mut self, inline: Inline) {
        self.flush();
        self.out.push(inline);
    }

    fn inner(&self, text: &str) -> Vec<Inline> {
        if self.depth >= 8 {
            return vec![Inline::Text(text.to_owned())];
        }
        Reader {
            text,
            attributes: self.attributes,
            dead: [false; MARKS.len()],
            words: String::new(),
            out: Vec::new(),
            depth: self.depth + 1,
        }
        .read()
    }

    fn escape(&mut self, at: usize) -> usize {
        let rest = self.rest(at + 1);
        let run = rest
            .chars()
            .next()
            .filter(|c| "`*_#+^~{<[(\"'".contains(*c));
        match run {
            Some(mark) => {
                let doubled = rest.chars().take_while(|c| *c == mark).count().min(2);
                self.words.extend(std::iter::repeat_n(mark, doubled));
                1 + doubled
            }
            None if rest.starts_with("http") || rest.starts_with("include::") => 1,
            None => 0,
        }
    }

    fn marked(&mut self, at: usize) -> usize {
        let Some(index) = MARKS
            .iter()
            .position(|mark| self.rest(at).starts_with(mark))
        else {
            return 0;
        };
        let mark = MARKS.get(index).copied().unwrap_or("");
        let doubled = mark.len() == 2;
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let inside_words = matches!(mark, "^" | "~");
        if self.dead.get(index).copied().unwrap_or(true)
            || (!doubled && !inside_words && is_word(self.before(at)))
        {
            return 0;
        }
        let start = at + mark.len();
        if self
            .rest(start)
            .chars()
            .next()
            .is_none_or(char::is_whitespace)
        {
            return 0;
        }
        let mut from = start;
        while let Some(found) = self.rest(from).find(mark) {
            let end = from + found;
            let after = self.rest(end + mark.len()).chars().next();
            let before = self.before(end);
            let closes = end > start
                && before.is_some_and(|c| !c.is_whitespace() && c != '\\')
                && (doubled || inside_words || (!is_word(after) && after != mark.chars().next()));
            let blank_inside = inside_words
                && self
                    .text
                    .get(start..end)
                    .is_some_and(|text| text.contains(char::is_whitespace));
            if closes && !blank_inside {
                let content = self.text.get(start..end).unwrap_or("").to_owned();
                self.format(mark, &content);
                return end + mark.len() - at;
            }
            from = end + mark.len();
        }
        if let Some(dead) = self.dead.get_mut(index) {
            *dead = true;
        }
        0
    }

    fn format(&mut self, mark: &str, content: &str) {
        let piece = match mark {
            "`" | "``" => {
                // A literal monospace: `+text+`.
                let content = content
                    .strip_prefix('+')
                    .and_then(|text| text.strip_suffix('+'))
                    .unwrap_or(content);
                let shown = skillkiln_document::text::plain(&self.code_of(content));
                Inline::Code(shown.replace('\n', " "))
            }
            "*" | "**" => Inline::Strong(self.inner(content)),
            "_" | "__" => Inline::Emphasis(self.inner(content)),
            "+" => {
                self.words.push_str(content);
                return;
            }
            _ => {
                let inner = self.inner(content);
                self.flush();
                self.out.extend(inner);
                return;
            }
        };
        self.push(piece);
    }

    /// What monospace text shows: attributes are filled in, emphasis inside it is dropped.
    fn code_of(&self, content: &str) -> Vec<Inline> {
        if !content.contains(['{', '_', '*', '<']) {
            return vec![Inline::Text(content.to_owned())];
        }
        if content.contains("__")
            || content.contains("**")
            || content.contains('{')
            || content.starts_with(['_', '*', '<'])
        {
            self.inner(content)
        } else {
            vec![Inline::Text(content.to_owned())]
        }
    }

    /// `'stressed'`, as documents in the old spelling have it.
    fn old_stress(&mut self, at: usize) -> usize {
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let inner = self.rest(at + 1);
        if is_word(self.before(at)) || inner.starts_with(char::is_whitespace) {
            return 0;
        }
        let limit = inner
            .char_indices()
            .nth(200)
            .map_or(inner.len(), |(at, _)| at);
        let head = inner.get(..limit).unwrap_or("");
        let found = head.match_indices('\'').map(|(end, _)| end).find(|end| {
            let before = head.get(..*end).and_then(|head| head.chars().next_back());
            before.is_some_and(|c| !c.is_whitespace())
                && !is_word(inner.get(end + 1..).and_then(|after| after.chars().next()))
        });
        let Some(end) = found else { return 0 };
        let content = head.get(..end).unwrap_or("").to_owned();
        let inner = self.inner(&content);
        self.push(Inline::Emphasis(inner));
        end + 2
    }

    /// "`curved quotes`".
    fn curved(&mut self, at: usize) -> usize {
        if self.rest(at).starts_with('\'') && self.attributes.contains_key("compat-mode") {
            return self.old_stress(at);
        }
        let rest = self.rest(at);
        let mark = if rest.starts_with('"') { '"' } else { '\'' };
        let Some(inner) = rest.get(1..).and_then(|rest| rest.strip_prefix('`')) else {
            return 0;
        };
        let close = if mark == '"' { "`\"" } else { "`'" };
        let limit = inner
            .char_indices()
            .nth(500)
            .map_or(inner.len(), |(at, _)| at);
        let Some(end) = inner.get(..limit).and_then(|inner| inner.find(close)) else {
            return 0;
        };
        let content = inner.get(..end).unwrap_or("").to_owned();
        let (open, shut) = if mark == '"' {
            ("“", "”")
        } else {
            ("‘", "’")
        };
        let inner = self.inner(&content);
        self.words.push_str(open);
        self.flush();
        self.out.extend(inner);
        self.words.push_str(shut);
        end + 4
    }

    fn attribute(&mut self, at: usize) -> usize {
        let rest = self.rest(at + 1);
        let length = rest
            .bytes()
            .take(64)
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
            .count();
        if length == 0
            || !rest
                .get(length..)
                .is_some_and(|after| after.starts_with('}'))
        {
            return 0;
        }
        let name = rest.get(..length).unwrap_or("").to_lowercase();
        let value = match name.as_str() {
            "empty" | "zwsp" | "wj" | "blank" => "",
            "sp" | "nbsp" => " ",
            name => match SIGNS
                .get(name)
                .copied()
                .or(self.attributes.get(name).map(String::as_str))
            {
                Some(value) => value,
                None => return 0,
            },
        };
        let value = value.to_owned();
        // A value may hold a link; it is not expanded again beyond that.
        if value.contains("://") && self.depth < 2 {
            let joined = format!(
                "{value}{}",
                self.rest(at + length + 2)
                    .split(char::is_whitespace)
                    .next()
                    .unwrap_or("")
            );
            let tail = joined.len() - value.len();
            let inner = Reader {
                text: &joined,
                attributes: &Attributes::new(),
                dead: [false; MARKS.len()],
                words: String::new(),
                out: Vec::new(),
                depth: 4,
            }
            .read();
            // The text of the link may hold blanks.
            if !joined.contains('[') || joined.contains(']') {
                self.flush();
                self.out.extend(inner);
                return length + 2 + tail;
            }
        }
        self.words.push_str(&value);
        length + 2
    }

    /// `<<target,text>>` and `<address>`.
    fn angle(&mut self, at: usize) -> usize {
        let rest = self.rest(at);
        if let Some(inner) = rest.strip_prefix("<<") {
            let limit = inner
                .char_indices()
                .nth(300)
                .map_or(inner.len(), |(at, _)| at);
            if let Some(end) = inner.get(..limit).and_then(|inner| inner.find(">>")) {
                let content = inner.get(..end).unwrap_or("").to_owned();
                let (target, shown) = content.split_once(',').unwrap_or((&content, ""));
                let shown = if shown.trim().is_empty() {
                    bare(target)
                } else {
                    shown.trim().to_owned()
                };
                let inner = self.inner(&shown);
                self.flush();
                self.out.extend(inner);
                return end + 4;
            }
            return 0;
        }
        if rest.starts_with("<http") {
            let limit = rest
                .char_indices()
                .nth(500)
                .map_or(rest.len(), |(at, _)| at);
            if let Some(end) = rest.get(..limit).and_then(|rest| rest.find('>')) {
                let href = rest.get(1..end).unwrap_or("").to_owned();
                if !href.contains(char::is_whitespace) {
                    self.push(Inline::link(href.clone(), vec![Inline::Text(href)]));
                    return end + 1;
                }
            }
        }
        // A callout in text: `<1>`.
        0
    }

    /// `[[anchor]]` says nothing; `[.role]#text#` and `[quote]` only format.
    fn anchor(&mut self, at: usize) -> usize {
        let rest = self.rest(at);
        let limit = rest
            .char_indices()
            .nth(120)
            .map_or(rest.len(), |(at, _)| at);
        let head = rest.get(..limit).unwrap_or("");
        if let Some(inner) = head.strip_prefix("[[") {
            return match inner.find("]]") {
                Some(end) if !inner.starts_with('[') => end + 4,
                Some(end)
                    if inner
                        .get(end..)
                        .is_some_and(|after| after.starts_with("]]]")) =>
                {
                    let name = inner.get(1..end).unwrap_or("").to_owned();
                    self.words.push_str(&format!("[{name}]"));
                    end + 5
                }
                _ => 0,
            };
        }
        let Some((role, after)) = head.get(1..).and_then(|head| head.split_once(']')) else {
            return 0;
        };
        let formats = after.starts_with(['#', '`', '_', '*'])
            && !after.starts_with("# ")
            && !role.is_empty()
            && !role.contains([' ', '|'])
            && !self.before(at).is_some_and(char::is_alphanumeric);
        let (used, is_struck) = (role.len() + 2, role.ends_with("line-through"));
        if formats && is_struck {
            // What is struck out holds no longer.
            self.flush();
            let kept = self.out.len();
            let struck = self.marked(at + used);
            self.out.truncate(kept);
            return used + struck;
        }
        if formats { used } else { 0 }
    }

    /// `((term))` of the index is shown, `(((a,b)))` is not.
    fn term(&mut self, at: usize) -> usize {
        let rest = self.rest(at);
        if !rest.starts_with("((") {
            return 0;
        }
        let limit = rest
            .char_indices()
            .nth(200)
            .map_or(rest.len(), |(at, _)| at);
        let head = rest.get(..limit).unwrap_or("");
        if head.starts_with("(((") {
            return head.find(")))").map_or(0, |end| end + 3);
        }
        match head.find("))") {
            Some(end) => {
                let shown = head.get(2..end).unwrap_or("").to_owned();
                let inner = self.inner(&shown);
                self.flush();
                self.out.extend(inner);
                end + 2
            }
            None => 0,
        }
    }

    /// ` +` at the end of a line breaks it.
    fn line_end(&mut self, at: usize) -> usize {
        let rest = self.rest(at);
        if rest == " +" || rest.starts_with(" +\n") {
            self.push(Inline::Break);
            return 2;
        }
        0
    }

    fn macro_or_address(&mut self, at: usize) -> usize {
        if self
            .before(at)
            .is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '/'))
        {
            return 0;
        }
        let rest = self.rest(at);
        if rest.starts_with("http://") || rest.starts_with("https://") || rest.starts_with("ftp://")
        {
            return self.address(at, at);
        }
        let length = rest
            .bytes()
            .take(20)
            .take_while(u8::is_ascii_lowercase)
            .count();
        let Some(after) = rest.get(length..).and_then(|after| after.strip_prefix(':')) else {
            return 0;
        };
        let name = rest.get(..length).unwrap_or("").to_owned();
        if !MACROS.contains(&name.as_str()) {
            return 0;
        }
        let limit = after
            .char_indices()
            .nth(600)
            .map_or(after.len(), |(at, _)| at);
        let after = after
            .get(..limit)
            .unwrap_or("")
            .trim_start_matches(':')
            .to_owned();
        let colons = 1 + usize::from(
            rest.get(length + 1..)
                .is_some_and(|rest| rest.starts_with(':')),
        );
        let Some(open) = after
            .find(['[', ' ', '\n'])
            .filter(|open| after.get(*open..).is_some_and(|rest| rest.starts_with('[')))
        else {
            if name == "link" {
                let used = self.address(at + 5, at);
                return used;
            }
            return 0;
        };
        let Some(close) = closing(after.get(open..).unwrap_or("")) else {
            return 0;
        };
        let target = after.get(..open).unwrap_or("").to_owned();
        let content = after.get(open + 1..open + close).unwrap_or("").to_owned();
        let used = length + colons + open + close + 1;
        let first = content
            .split(',')
            .next()
            .unwrap_or("")
            .trim()
            .trim_matches('"')
            .to_owned();
        match name.as_str() {
            "link" | "mailto" => {
                let href = if name == "mailto" {
                    format!("mailto:{target}")
                } else {
                    self.filled(&target).replace("++", "")
                };
                let shown = link_text(&content);
                let shown = if shown.is_empty() { target } else { shown };
                let text = self.inner(&shown);
                self.push(Inline::link(href, text));
            }
            "linkgit" | "linkgittitle" => self.push(Inline::Strong(vec![Inline::Text(format!(
                "{target}({content})"
            ))])),
            "xref" => {
                let shown = link_text(&content);
                let shown = if shown.is_empty() {
                    bare(&target)
                } else {
                    shown
                };
                let text = self.inner(&shown);
                self.flush();
                self.out.extend(text);
            }
            "image" | "icon" => self.words.push_str(&first),
            "kbd" | "btn" => self.push(Inline::Code(content)),
            "menu" => {
                let mut path = vec![target];
                path.extend(
                    content
                        .split('>')
                        .map(|step| step.trim().to_owned())
                        .filter(|step| !step.is_empty()),
                );
                self.push(Inline::Strong(vec![Inline::Text(path.join(" › "))]));
            }
            "footnote" | "footnoteref" => {
                let text = if name == "footnoteref" {
                    content.split_once(',').map_or("", |(_, text)| text)
                } else {
                    content.as_str()
                };
                if !text.is_empty() {
                    let inner = self.inner(text);
                    self.words.push_str(" (");
                    self.flush();
                    self.out.extend(inner);
                    self.words.push(')');
                }
            }
            "stem" | "latexmath" | "asciimath" => self.push(Inline::Math(content)),
            "pass" => self.words.push_str(&content),
            "include" => self.push(Inline::Code(format!("include::{target}[]"))),
            _ => {}
        }
        used
    }

    fn filled(&self, text: &str) -> String {
        if text.contains('{') {
            skillkiln_document::text::plain(&self.inner(text))
        } else {
            text.to_owned()
        }
    }

    /// An address, with its text in brackets when it has one; what it takes counts from `from`.
    fn address(&mut self, at: usize, from: usize) -> usize {
        let rest = self.rest(at);
        let length = rest
            .find(|c: char| c.is_whitespace() || matches!(c, '[' | ']' | '<' | '>' | '"' | '`'))
            .unwrap_or(rest.len());
        let mut href = rest.get(..length).unwrap_or("").to_owned();
        if let Some(bracket) = rest.get(length..).filter(|after| after.starts_with('['))
            && let Some(close) = closing(bracket)
        {
            let shown = link_text(bracket.get(1..close).unwrap_or(""));
            let href = self.filled(&href);
            let shown = if shown.is_empty() {
                href.clone()
            } else {
                shown
            };
            let text = self.inner(&shown);
            self.push(Inline::link(href, text));
            return at - from + length + close + 1;
        }
        let kept = href
            .trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '\'', '*', '_'])
            .len();
        href.truncate(kept);
        if href.len() < 9 {
            return 0;
        }
        let text = vec![Inline::Text(href.clone())];
        let used = at - from + href.len();
        self.push(Inline::link(href, text));
        used
    }
}

/// Where the bracket that `text` begins with closes.
fn closing(text: &str) -> Option<usize> {
    let limit = text
        .char_indices()
        .nth(500)
        .map_or(text.len(), |(at, _)| at);
    let mut depth = 0;
    let mut escaped = false;
    for (at, character) in text.get(..limit)?.char_indices() {
        match character {
            '\\' => {
                escaped = true;
                continue;
            }
            '[' if !escaped => depth += 1,
            ']' if !escaped => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
        escaped = false;
    }
    None
}

/// What a link shows: without attributes and the mark for a new window.
fn link_text(content: &str) -> String {
    let content = match content
        .strip_prefix('"')
        .and_then(|rest| rest.split_once('"'))
    {
        Some((shown, _)) => shown,
        None => match content
            .find(",window=")
            .or_else(|| content.find(",role="))
            .or_else(|| content.find(", window="))
        {
            Some(end) => content.get(..end).unwrap_or(content),
            None => content,
        },
    };
    content
        .trim_end_matches('^')
        .replace("\\]", "]")
        .trim()
        .to_owned()
}

/// A reference without a text shows its target's name.
fn bare(target: &str) -> String {
    let name = target
        .rsplit('#')
        .find(|part| !part.is_empty())
        .unwrap_or(target);
    name.trim_start_matches('_')
        .replace(['_', '-'], " ")
        .trim()
        .to_owned()
}
