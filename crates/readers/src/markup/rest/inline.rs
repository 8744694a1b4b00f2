//! Reads running text of reStructuredText: emphasis, literals, roles, links, substitutions and references.

use crate::words::{WordList, words};
use skillkiln_document::text::{Inline, plain};
use skillkiln_document::work::step;
use std::cell::Cell;
use std::collections::HashMap;

/// What names in running text stand for.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Targets by their folded names: `.. _name: address`.
    pub(crate) targets: HashMap<String, String>,
    /// The titles of the sections that targets stand above.
    pub(crate) titles: HashMap<String, String>,
    /// Substitutions: `.. |name| replace:: words`.
    pub(crate) substitutions: HashMap<String, String>,
    /// The numbers of footnotes that are named, and how many without a name were referred to and defined so far.
    pub(crate) notes: HashMap<String, usize>,
    referred: Cell<usize>,
    defined: Cell<usize>,
}

impl Names {
    /// The number of the footnote that is referred to.
    fn note_referred(&self, name: &str) -> String {
        self.note(name, &self.referred)
    }

    /// The number of the footnote that is defined.
    pub(crate) fn note_defined(&self, name: &str) -> String {
        self.note(name, &self.defined)
    }

    fn note(&self, name: &str, count: &Cell<usize>) -> String {
        if let Some(number) = self.notes.get(name) {
            return number.to_string();
        }
        if name != "#" {
            return name.to_owned();
        }
        count.set(count.get() + 1);
        (count.get() + self.notes.len()).to_string()
    }
}

/// A name as references compare it: folded case and white space.
pub(crate) fn fold(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// Marks that begin a piece and what ends it, longer ones first.
const MARKS: [(&str, &str); 5] = [
    ("``", "``"),
    ("**", "**"),
    ("*", "*"),
    ("`", "`"),
    ("|", "|"),
];

/// Reads `text`.
pub(crate) fn read(text: &str, names: &Names) -> Vec<Inline> {
    step(1 + text.len() / 4);
    Reader {
        text,
        names,
        closed: [false; MARKS.len()],
        words: String::new(),
        out: Vec::new(),
    }
    .read()
}

struct Reader<'a> {
    text: &'a str,
    names: &'a Names,
    /// Marks that nothing ends from here on: they are not looked for again, which keeps the work linear.
    closed: [bool; MARKS.len()],
    words: String,
    out: Vec<Inline>,
}

impl Reader<'_> {
    fn read(mut self) -> Vec<Inline> {
        let mut at = 0;
        while let Some(character) = self.text.get(at..).and_then(|rest| rest.chars().next()) {
            let used = match character {
                '\\' => self.escape(at),
                '*' | '`' | '|' => self.marked(at),
                ':' => self.role(at),
                '[' => self.note(at),
                '_' => self.reference(at),
                'h' => self.address(at),
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

    fn flush(&mut self) {
        if !self.words.is_empty() {
            self.out.push(Inline::Text(std::mem::take(&mut self.words)));
        }
    }

    fn push(&mut self, inline: Inline) {
        self.flush();
        self.out.push(inline);
    }

    /// A backslash takes the next character's meaning away; before white space both vanish.
    fn escape(&mut self, at: usize) -> usize {
        match self.rest(at).chars().nth(1) {
            Some(next) if next.is_whitespace() => 1 + next.len_utf8(),
            Some(next) => {
                self.words.push(next);
                1 + next.len_utf8()
            }
            None => 1,
        }
    }

    /// Whether a piece may begin here: after white space or an opening mark.
    fn may_begin(&self, at: usize) -> bool {
        let before = self
            .text
            .get(..at)
            .and_then(|text| text.chars().next_back());
        before.is_none_or(|c| {
            c.is_whitespace()
                || "'\"([{<-/:\\“‘«–—„".contains(c)
                || !c.is_ascii() && !c.is_alphanumeric()
        })
    }

    /// The content of the piece that begins with mark number `mark` at `at`, and where it ends.
    fn content(&mut self, mark: usize, at: usize) -> Option<(usize, usize)> {
        let (open, close) = MARKS.get(mark).copied()?;
        if self.closed.get(mark).copied().unwrap_or(true) {
            return None;
        }
        let start = at + open.len();
        if self
            .rest(start)
            .chars()
            .next()
            .is_none_or(char::is_whitespace)
        {
            return None;
        }
        let mut from = start;
        while let Some(found) = self.rest(from).find(close) {
            let mut end = from + found;
            // The last of a run of the mark's character ends a literal.
            while close == "``" && self.rest(end + 1).starts_with("``") {
                end += 1;
            }
            let before = self
                .text
                .get(..end)
                .and_then(|text| text.chars().next_back());
            let after = self.rest(end + close.len()).chars().next();
            let escaped = close != "``" && before == Some('\\');
            let doubled = close == "*" && (after == Some('*') || before == Some('*'));
            let ends = before.is_some_and(|c| !c.is_whitespace())
                && end > start
                && !escaped
                && !doubled
                && after.is_none_or(|c| !c.is_alphanumeric() || close == "`");
            if ends {
                return Some((start, end));
            }
            from = end + close.len();
        }
        if let Some(closed) = self.closed.get_mut(mark) {
            *closed = true;
        }
        None
    }

    fn marked(&mut self, at: usize) -> usize {
        let Some(mark) = MARKS
            .iter()
            .position(|(open, _)| self.rest(at).starts_with(open))
        else {
            return 0;
        };
        if !self.may_begin(at) {
            return 0;
        }
        let Some((start, end)) = self.content(mark, at) else {
            return 0;
        };
        let content = self.text.get(start..end).unwrap_or("").to_owned();
        let mut after = end + MARKS.get(mark).map_or(1, |(_, close)| close.len());
        match mark {
            0 => self.push(Inline::Code(one_line(&content))),
            1 => self.push(Inline::Strong(vec![Inline::Text(unescaped(&content))])),
            2 => self.push(Inline::Emphasis(vec![Inline::Text(unescaped(&content))])),
            4 => {
                let Some(stands_for) = self.names.substitutions.get(&fold(&content)) else {
                    // Sphinx fills these in; anything else is a bar.
                    if matches!(content.as_str(), "release" | "version" | "today") {
                        self.push(Inline::Text(content));
                        return after - at;
                    }
                    return 0;
                };
                self.words.push_str(stands_for);
                after += self
                    .rest(after)
                    .bytes()
                    .take_while(|b| *b == b'_')
                    .count()
                    .min(2);
            }
            _ => {
                let underscores = self.rest(after).bytes().take_while(|b| *b == b'_').count();
                if underscores > 0 {
                    after += underscores.min(2);
                    let link = self.link(&content);
                    self.flush();
                    self.out.extend(link);
                } else if let Some((role, used)) = suffix_role(self.rest(after)) {
                    let role = role.to_owned();
                    after += used;
                    self.interpreted(&role, &content);
                } else {
                    // The default role stresses; in practice what stands there is a name of code.
                    self.interpreted("", &content);
                }
            }
        }
        after - at
    }

    /// `` :role:`content` ``.
    fn role(&mut self, at: usize) -> usize {
        if !self.may_begin(at) {
            return 0;
        }
        let rest = self.rest(at + 1);
        let length = rest
            .bytes()
            .take(60)
            .take_while(|b| {
                b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b':' | b'.' | b'+')
            })
            .count();
        let Some(role) = rest.get(..length).and_then(|name| name.strip_suffix(':')) else {
            return 0;
        };
        if role.is_empty()
            || !rest
                .get(length..)
                .is_some_and(|after| after.starts_with('`'))
        {
            return 0;
        }
        let role = role.to_owned();
        let Some((start, end)) = self.content(3, at + 1 + length) else {
            return 0;
        };
        let content = self.text.get(start..end).unwrap_or("").to_owned();
        self.interpreted(&role, &content);
        end + 1 - at
    }

    fn interpreted(&mut self, name: &str, content: &str) {
        let piece = role(name, content, self.names);
        self.push(piece);
    }

    /// What a named reference leads to: an address in it, a target, or nothing but its words.
    fn link(&self, content: &str) -> Vec<Inline> {
        let (shown, target) = titled(content);
        let text = vec![Inline::Text(unescaped(&shown))];
        let href = match &target {
            Some(target) => match target.strip_suffix('_') {
                Some(name) => self.names.targets.get(&fold(name)).cloned(),
                None => Some(target.replace([' ', '\n'], "")),
            },
            None => self.names.targets.get(&fold(&shown)).cloned(),
        };
        match href {
            Some(href) if !href.is_empty() => vec![Inline::link(href, text)],
            _ => text,
        }
    }

    /// `word_`: the word before is a reference.
    fn reference(&mut self, at: usize) -> usize {
        let after = self.rest(at + 1);
        let more = usize::from(after.starts_with('_'));
        let ends = after
            .get(more..)
            .and_then(|rest| rest.chars().next())
            .is_none_or(|c| !c.is_alphanumeric() && c != '_');
        if !ends {
            return 0;
        }
        let cut = self
            .words
            .rfind(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_' | '.' | '+' | ':'))
            .map_or(0, |at| {
                at + self
                    .words
                    .get(at..)
                    .and_then(|rest| rest.chars().next())
                    .map_or(1, char::len_utf8)
            });
        let name = self.words.get(cut..).unwrap_or("").to_owned();
        if name.is_empty() {
            return 0;
        }
        let href = self.names.targets.get(&fold(&name)).cloned();
        match href {
            Some(href) if !href.is_empty() => {
                self.words.truncate(cut);
                let text = vec![Inline::Text(name)];
                self.push(Inline::link(href, text));
                1 + more
            }
            Some(_) => 1 + more,
            None => 0,
        }
    }

    /// `[1]_`, `[#name]_`, `[Citation]_`: kept as `[1]`.
    fn note(&mut self, at: usize) -> usize {
        let rest = self.rest(at + 1);
        let length = rest
            .bytes()
            .take(60)
            .take_while(|b| {
                b.is_ascii_alphanumeric() || matches!(b, b'#' | b'*' | b'-' | b'_' | b'.' | b'+')
            })
            .count();
        if length > 0
            && rest
                .get(length..)
                .is_some_and(|after| after.starts_with("]_"))
        {
            let name = rest.get(..length).unwrap_or("").to_owned();
            let name = self.names.note_referred(&name);
            self.words.push_str(&format!("[{name}]"));
            length + 3
        } else {
            0
        }
    }

    /// A bare address is a link.
    fn address(&mut self, at: usize) -> usize {
        let rest = self.rest(at);
        if !(rest.starts_with("https://") || rest.starts_with("http://")) || !self.may_begin(at) {
            return 0;
        }
        let length = rest
            .find(|c: char| {
                c.is_whitespace()
                    || matches!(c, '<' | '>' | '"' | '`' | '|' | '\\' | ')' | ']' | '}')
            })
            .unwrap_or(rest.len());
        let address = rest
            .get(..length)
            .unwrap_or("")
            .trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*'])
            .to_owned();
        if address.len() < 11 {
            return 0;
        }
        let used = address.len();
        self.push(Inline::link(address.clone(), vec![Inline::Text(address)]));
        used
    }
}

/// What a role makes of its content, whose domain says nothing.
pub(crate) fn role(role: &str, content: &str, names: &Names) -> Inline {
    let name = role.rsplit(':').next().unwrap_or(role);
    let (shown, target) = titled(content);
    let words = unescaped(&shown);
    match name {
        "math" => Inline::Math(one_line(content)),
        "code" | "literal" | "file" | "samp" | "kbd" | "command" | "program" | "option"
        | "envvar" | "makevar" | "regexp" | "token" | "keyword" | "opcode" | "dfn-code" => {
            Inline::Code(one_line(content))
        }
        "strong" | "guilabel" | "menuselection" => Inline::Strong(vec![Inline::Text(words)]),
        "emphasis" | "dfn" | "title-reference" | "title" | "t" => {
            Inline::Emphasis(vec![Inline::Text(words)])
        }
        // What is struck out holds no longer.
        "del" | "strike" | "strikethrough" | "line-through" => Inline::Text(String::new()),
        "pep" | "PEP" => Inline::Text(format!("PEP {words}")),
        "rfc" | "RFC" => Inline::Text(format!("RFC {words}")),
        "abbr" => Inline::Text(content.to_owned()),
        "issue" | "gh" | "pr" | "pull" if words.starts_with(|c: char| c.is_ascii_digit()) => {
            Inline::Text(format!("#{words}"))
        }
        "ref" | "doc" | "numref" if target.is_none() => {
            let title = names.titles.get(&fold(&words)).cloned();
            Inline::Text(title.unwrap_or_else(|| said_by(&words)))
        }
        "class" | "func" | "meth" | "mod" | "attr" | "exc" | "data" | "obj" | "const" | "type"
        | "macro" | "member" | "struct" | "enum" | "union" | "var" | "expr" | "texpr" | "dir"
        | "rst" | "role" | "directive" | "confval" | "deco" | "2to3fixer" => {
            let shown = if target.is_some() {
                words
            } else {
                short(&words)
            };
            let called =
                matches!(name, "func" | "meth") && target.is_none() && !shown.ends_with(')');
            Inline::Code(if called { shown + "()" } else { shown })
        }
        "" => match names.targets.get(&fold(&shown)) {
            Some(href) => Inline::link(href.clone(), vec![Inline::Text(words)]),
            None => Inline::Emphasis(vec![Inline::Text(words)]),
        },
        _ => Inline::Text(words),
    }
}

/// What a label says that leads to another place, without the kind of that place: `ref_param_wood`, `/guide/dry-wood`.
pub(crate) fn said_by(label: &str) -> String {
    static KINDS: WordList =
        words!("ref label sec section chap chapter fig figure tab table param");
    let mut name = label
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or(label);
    while let Some((kind, rest)) = name.split_once(['_', '-', ':'])
        && KINDS.contains(&kind)
    {
        name = rest;
    }
    let is_slug = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    match name.chars().all(is_slug) {
        true => name.replace('-', " ").trim().to_owned(),
        false => name.to_owned(),
    }
}

/// `:role:` behind interpreted text, and its length.
fn suffix_role(after: &str) -> Option<(&str, usize)> {
    let rest = after.strip_prefix(':')?;
    let end = rest.get(..rest.len().min(60)).unwrap_or("").find(':')?;
    let role = rest.get(..end)?;
    let is_name = !role.is_empty() && role.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    is_name.then_some((role, end + 2))
}

/// `shown <target>` in its two parts.
fn titled(content: &str) -> (String, Option<String>) {
    if let Some(inner) = content.strip_suffix('>')
        && let Some((shown, target)) = inner.rsplit_once('<')
    {
        let shown = shown.trim();
        let shown = if shown.is_empty() { target } else { shown };
        return (shown.to_owned(), Some(target.trim().to_owned()));
    }
    (content.trim_start_matches('!').to_owned(), None)
}

/// `~package.module.name` is shown as `name`.
fn short(name: &str) -> String {
    match name.strip_prefix('~') {
        Some(name) => name.rsplit('.').next().unwrap_or(name).to_owned(),
        None => name.trim_start_matches('.').to_owned(),
    }
}

fn one_line(text: &str) -> String {
    if text.contains('\n') {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        lines.join(" ")
    } else {
        text.to_owned()
    }
}

fn unescaped(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => out.extend(characters.next().filter(|c| !c.is_whitespace())),
            other => out.push(other),
        }
    }
    out
}

/// Running text without mark-up.
pub(crate) fn plain_of(text: &str, names: &Names) -> String {
    plain(&read(text, names))
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::blocks::{Block, BlockKind, Span};
    use skillkiln_document::markdown::write;

    fn written(text: &str) -> String {
        let mut names = Names::default();
        names
            .targets
            .insert("python".into(), "https://python.org".into());
        names.substitutions.insert("v".into(), "3.2".into());
        write(&[Block {
            kind: BlockKind::Paragraph(read(text, &names)),
            span: Span::default(),
        }])
    }

    #[test]
    fn marks_roles_and_links_read_as_they_render() {
        for (source, markdown) in [
            ("a *b* **c** ``d e``", "a *b* **c** `d e`"),
            (
                "2*3*4 and *args and **kwargs",
                "2\\*3\\*4 and \\*args and \\*\\*kwargs",
            ),
            (
                ":func:`os.path.join` :class:`~a.b.C` :ref:`the guide <guide>`",
                "`os.path.join()` `C` the guide",
            ),
            (
                "`Docs <https://x.org/a b>`_ and python_, not a_b_c",
                "[Docs](https://x.org/ab) and [python](https://python.org), not a_b_c",
            ),
            ("|v| of [1]_ |unknown|", "3.2 of [1] |unknown|"),
            ("re\\ *structured* \\*x\\*", "re*structured* \\*x*"),
            (":math:`a_1` x:sub:`2`", "$a_1$ x:sub:*2*"),
            ("costs 70 :del:`80`", "costs 70"),
        ] {
            assert_eq!(written(source).trim_end(), markdown, "{source}");
        }
    }
}
