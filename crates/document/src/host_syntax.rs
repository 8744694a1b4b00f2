//! Owns what a host of skills executes or rewrites while it loads a SKILL.md (decision 68), and how such text is written so that it
//! stays text.
//!
//! A host looks at the bytes of the body and not at its Markdown: `` !`command` `` and ```` ```! ```` are run, and `$1`, `$12` and
//! `$ARGUMENTS` are replaced by the words of whoever calls the skill, in prose, tables and code alike. `@notes.md` is a file to take in,
//! but for code. [`find`] tells where these stand and [`escape`] leaves none. Prose reads the same afterwards. Code cannot in every
//! host: what has to be quoted to the letter belongs into a reference, which no host rewrites ([`changes_code`] tells of it), and code that
//! stays is escaped as the hosts say, with a word about it behind the name of its language.

use crate::markdown::rendered::{dialect, split_front_matter};
use pulldown_cmark::{CodeBlockKind, Event, LinkType, Parser, Tag, TagEnd, TextMergeWithOffset};
use std::ops::Range;

/// What a host does with a piece of a SKILL.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// It runs a command.
    Runs,
    /// It puts arguments in.
    Replaces,
    /// It takes a file in.
    Imports,
}

/// A piece that a host executes or rewrites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// What the host does.
    pub deed: Deed,
    /// The line it begins in, counted from 1.
    pub line: u32,
    /// Its bytes in the file.
    pub bytes: Range<usize>,
}

/// What is said of code in which a backslash was put before a dollar sign.
const SAID_OF_CODE: &str = "(\\$ is a plain $)";
/// How often a text is looked over.
const ROUNDS_MAX: usize = 4;
/// The name of a language for a fence that had none, or an order in its place.
const NO_LANGUAGE: &str = "text";

/// What a host executes or rewrites in a SKILL.md, in the order of its lines.
#[must_use]
pub fn find(markdown: &str) -> Vec<Found> {
    let body = body_of(markdown);
    if !may_hold(body) {
        return Vec::new();
    }
    let offset = markdown.len() - body.len();
    let mut found: Vec<(Deed, Range<usize>)> = Vec::new();
    found.extend(commands(body).map(|bytes| (Deed::Runs, bytes)));
    found.extend(arguments(body).map(|bytes| (Deed::Replaces, bytes)));
    let mut in_code = false;
    for (event, range) in events(body) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                in_code = true;
                if let Some(info) = info_of(&kind, body, &range)
                    && is_order(body.get(info.clone()).unwrap_or_default())
                {
                    found.push((Deed::Runs, info));
                }
            }
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Text(_) if !in_code => {
                let text = body.get(range.clone()).unwrap_or_default();
                let marks = imports(text).map(|at| range.start + at);
                // A mark that begins a piece may have its backslash before it.
                let read = marks.filter(|at| !is_escaped(body.get(..*at).unwrap_or_default()));
                found.extend(read.map(|at| (Deed::Imports, at..at + 1)));
            }
            _ => {}
        }
    }
    found.sort_by_key(|(_, bytes)| (bytes.start, bytes.end));
    // A fence's order is seen as its bytes too.
    found.dedup_by(|later, earlier| {
        later.0 == earlier.0 && later.1.start <= earlier.1.end && later.0 == Deed::Runs
    });
    let (mut line, mut counted) = (1_u32, 0_usize);
    found
        .into_iter()
        .map(|(deed, bytes)| {
            let bytes = bytes.start + offset..bytes.end + offset;
            let between = markdown.get(counted..bytes.start).unwrap_or_default();
            let breaks = between.bytes().filter(|byte| *byte == b'\n').count();
            line = line.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX));
            counted = bytes.start;
            Found { deed, line, bytes }
        })
        .collect()
}

/// The same SKILL.md without anything that a host executes or rewrites. It has as many lines, and its prose reads the same.
#[must_use]
pub fn escape(markdown: &str) -> String {
    let body = body_of(markdown);
    if !may_hold(body) {
        return markdown.to_owned();
    }
    let (front, _) = markdown.split_at(markdown.len() - body.len());
    let mut escaped = escape_body(body);
    // What is written otherwise may be read as another piece of Markdown, in texts that nobody writes.
    for _ in 1..ROUNDS_MAX {
        if find(&escaped)
            .iter()
            .all(|found| found.deed == Deed::Imports)
        {
            break;
        }
        escaped = escape_body(&escaped);
    }
    format!("{front}{escaped}")
}

fn escape_body(body: &str) -> String {
    let mut edits = Edits::default();
    let mut place = Place::Prose;
    for (event, range) in events(body) {
        let text = body.get(range.clone()).unwrap_or_default();
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let info = info_of(&kind, body, &range);
                if let Some(info) = info
                    .clone()
                    .filter(|info| is_order(body.get(info.clone()).unwrap_or_default()))
                {
                    edits.replace(info, NO_LANGUAGE);
                }
                place = Place::Code {
                    info,
                    is_told: false,
                };
            }
            Event::Start(Tag::Link {
                link_type: LinkType::Autolink | LinkType::Email,
                ..
            }) => place = Place::Autolink,
            Event::End(TagEnd::CodeBlock | TagEnd::Link) => place = Place::Prose,
            Event::Text(_) => match &mut place {
                Place::Prose => edits.in_prose(body, range, text),
                Place::Code { info, is_told } => {
                    let changed = edits.in_code(range.start, text);
                    if changed && !std::mem::replace(is_told, true) {
                        edits.tell(body, info.as_ref());
                    }
                }
                Place::Autolink => {
                    for at in dollars(text) {
                        edits.replace(range.start + at..range.start + at + 1, "%24");
                    }
                }
            },
            Event::Code(_) => edits.in_code_span(body, range, text),
            Event::InlineMath(_) | Event::DisplayMath(_) => {
                for at in dollars(text) {
                    edits.insert(range.start + at + 1, "{}");
                }
            }
            Event::Html(_) | Event::InlineHtml(_) => {
                for at in dollars(text) {
                    edits.replace(range.start + at..range.start + at + 1, "&#36;");
                }
            }
            _ => {}
        }
    }
    let mut escaped = edits.apply(body);
    // What stands in no text of the Markdown, such as the address or the title of a link, is found by its bytes.
    if commands(&escaped).next().is_some() || arguments(&escaped).next().is_some() {
        escaped = by_bytes(&escaped);
    }
    escaped
}

/// Whether code holds what a host would run or replace, so that it is not read to the letter where it is loaded.
#[must_use]
pub fn changes_code(code: &str) -> bool {
    may_hold(code) && (commands(code).next().is_some() || arguments(code).next().is_some())
        || code.ends_with('!')
}

/// Code as it was before [`escape`] put backslashes into it.
#[must_use]
pub fn unescape_code(code: &str) -> String {
    let mut out = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find("\\$") {
        let (before, from) = rest.split_at(at);
        let after = from.strip_prefix('\\').unwrap_or(from);
        out.push_str(before);
        if argument_length(after).is_none() {
            out.push('\\');
        }
        out.push('$');
        rest = after.strip_prefix('$').unwrap_or(after);
    }
    out.push_str(rest);
    out
}

/// The places of the marks in running text with which a host would take a file in: an `@` with a path or the name of a file behind it,
/// which an address of mail has not.
pub fn imports(text: &str) -> impl Iterator<Item = usize> {
    text.split_inclusive(char::is_whitespace)
        .scan(0, |start, word| {
            let at = *start;
            *start += word.len();
            Some((at, word))
        })
        .flat_map(|(start, word)| imports_in_word(word).map(move |at| start + at))
}

/// The same in one word.
pub fn imports_in_word(word: &str) -> impl Iterator<Item = usize> {
    let word = word.trim_end_matches(|c: char| {
        c.is_whitespace() || matches!(c, '.' | ',' | ';' | '!' | '?' | '"' | '\'' | '”' | '’')
    });
    // Looked for once: a word may be a hundred thousand signs.
    let last_mark = word.rfind(['.', '/']);
    let mut colons = word.match_indices(':').map(|(at, _)| at).peekable();
    word.match_indices('@').filter_map(move |(at, _)| {
        while colons.next_if(|colon| *colon < at).is_some() {}
        let before = word.get(..at).unwrap_or_default();
        let path = word.get(at + 1..).unwrap_or_default();
        if before.ends_with(|c: char| c.is_alphanumeric()) || is_escaped(before) {
            return None;
        }
        let is_path = last_mark.is_some_and(|mark| mark > at) || path.starts_with('~');
        // Escaped as Markdown wants it, what begins so is a path to a host: `@\_`, `@\*`.
        let is_sign = path.starts_with(['_', '*', '<', '[', '$', '\\', ':']);
        // What stands behind a name and a colon is looked for as a file too: `@kiln:door`.
        let is_named = colons
            .peek()
            .and_then(|colon| word.as_bytes().get(colon + 1))
            .is_some_and(u8::is_ascii_alphanumeric);
        let is_root = path.starts_with(['/', '~']);
        (is_path && path.len() > 1 || is_root || is_named || is_sign).then_some(at)
    })
}

/// The body as Markdown has it, a run of text in one piece whatever is escaped in it.
fn events(body: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    TextMergeWithOffset::new(Parser::new_ext(body, dialect()).into_offset_iter())
}

/// What a host reads the orders of: all behind the front matter.
fn body_of(markdown: &str) -> &str {
    split_front_matter(markdown).1
}

/// Whether a text needs a look: most have no such sign.
fn may_hold(text: &str) -> bool {
    text.contains(['$', '@'])
        || text.contains('!')
            && (text.contains("!`") || text.contains("```") || text.contains("~~~"))
}

/// Commands by their bytes: `` !` `` with whatever is behind, and the order of a fence.
fn commands(text: &str) -> impl Iterator<Item = Range<usize>> {
    let inline = text
        .match_indices("!`")
        .map(|(at, mark)| at..at + mark.len());
    let fenced = text
        .match_indices("```!")
        .map(|(at, mark)| at..at + mark.len());
    inline.chain(fenced)
}

/// Arguments by their bytes.
fn arguments(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.match_indices('$').filter_map(move |(at, _)| {
        let length = argument_length(text.get(at..)?)?;
        (!is_escaped(text.get(..at)?)).then_some(at..at + length)
    })
}

/// The length of the argument at the beginning of a text: `$1`, `$12` and no letter behind it, `$ARGUMENTS`.
fn argument_length(text: &str) -> Option<usize> {
    let name = text.strip_prefix('$')?;
    if name.starts_with("ARGUMENTS") {
        return Some("$ARGUMENTS".len());
    }
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    let next = name.as_bytes().get(digits);
    let goes_on = next.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    (digits > 0 && !goes_on).then_some(1 + digits)
}

/// The dollar signs of arguments.
fn dollars(text: &str) -> impl Iterator<Item = usize> {
    arguments(text).map(|bytes| bytes.start)
}

/// Whether what follows is escaped: an odd number of backslashes stands before it.
fn is_escaped(before: &str) -> bool {
    let backslashes = before.len() - before.trim_end_matches('\\').len();
    backslashes % 2 == 1
}

/// Where the info string of a fence stands; of one that has none, the empty place behind its marks. `None` for indented code.
fn info_of(kind: &CodeBlockKind<'_>, body: &str, block: &Range<usize>) -> Option<Range<usize>> {
    let CodeBlockKind::Fenced(_) = kind else {
        return None;
    };
    let first = body.get(block.clone())?.lines().next()?;
    let marks = first.len() - first.trim_start_matches(['`', '~']).len();
    let info = first.get(marks..)?.trim();
    let start = match info.is_empty() {
        true => block.start + marks,
        false => block.start + first.find(info).filter(|at| *at >= marks)?,
    };
    Some(start..start + info.len())
}

/// Whether an info string is an order to run the code.
fn is_order(info: &str) -> bool {
    info.starts_with('!')
}

/// Where the parser is.
enum Place {
    Prose,
    Code {
        info: Option<Range<usize>>,
        is_told: bool,
    },
    Autolink,
}

/// What is changed, each place once.
#[derive(Default)]
struct Edits(Vec<(Range<usize>, &'static str)>);

impl Edits {
    fn insert(&mut self, at: usize, what: &'static str) {
        self.replace(at..at, what);
    }

    fn replace(&mut self, range: Range<usize>, with: &'static str) {
        self.0.push((range, with));
    }

    fn in_prose(&mut self, body: &str, range: Range<usize>, text: &str) {
        let escaped = |at: usize| is_escaped(body.get(..at).unwrap_or_default());
        for at in dollars(text).map(|at| range.start + at) {
            if !escaped(at) {
                self.insert(at, "\\");
            }
        }
        for at in imports(text).map(|at| range.start + at) {
            if !escaped(at) {
                self.insert(at, "\\");
            }
        }
        // A backtick of the text, which begins no code.
        for (at, _) in text.match_indices("!`") {
            self.insert(range.start + at + 1, "\\");
        }
        let before = body.get(..range.start).unwrap_or_default();
        if text.starts_with('`') && before.ends_with('!') {
            self.insert(range.start, "\\");
        }
    }

    /// Whether anything was escaped that a host is told to show without its backslash.
    fn in_code(&mut self, start: usize, code: &str) -> bool {
        let mut is_escaped = false;
        for at in dollars(code) {
            self.insert(start + at, "\\");
            is_escaped = true;
        }
        self.part_commands(start, code);
        is_escaped
    }

    /// Parts the marks of commands, in code that has to stay.
    fn part_commands(&mut self, start: usize, code: &str) {
        for (at, _) in code.match_indices("!`") {
            self.insert(start + at + 1, " ");
        }
        for (at, mark) in code.match_indices("```!") {
            self.insert(start + at + mark.len() - 1, " ");
        }
    }

    fn in_code_span(&mut self, body: &str, range: Range<usize>, span: &str) {
        let ticks = span.len() - span.trim_start_matches('`').len();
        let Some(code) = span.get(ticks..span.len() - ticks) else {
            return;
        };
        let start = range.start + ticks;
        self.in_code(start, code);
        // One space on either side of code is none of it.
        if code.ends_with('!') || ticks >= 3 && code.starts_with('!') {
            self.insert(start, " ");
            self.insert(start + code.len(), " ");
        }
        if body
            .get(..range.start)
            .is_some_and(|before| before.ends_with('!'))
        {
            self.insert(range.start, " ");
        }
    }

    /// Says behind the language of a fence that its backslashes are no part of the code.
    fn tell(&mut self, body: &str, info: Option<&Range<usize>>) {
        let Some(info) = info else { return };
        let language = body.get(info.clone()).unwrap_or_default();
        if language.contains(SAID_OF_CODE) {
            return;
        }
        if language.is_empty() {
            self.insert(info.end, NO_LANGUAGE);
        }
        self.insert(info.end, " ");
        self.insert(info.end, SAID_OF_CODE);
    }

    fn apply(mut self, body: &str) -> String {
        // Edits of one place stay in the order in which they were made.
        self.0.sort_by_key(|(range, _)| range.start);
        let mut out = String::with_capacity(body.len() + 2 * self.0.len());
        let mut done = 0;
        for (range, with) in self.0 {
            out.push_str(body.get(done..range.start).unwrap_or_default());
            out.push_str(with);
            done = done.max(range.end);
        }
        out.push_str(body.get(done..).unwrap_or_default());
        out
    }
}

/// Escapes what is left by its bytes alone.
fn by_bytes(body: &str) -> String {
    let mut edits = Edits::default();
    edits.part_commands(0, body);
    for at in dollars(body) {
        edits.insert(at, "\\");
    }
    edits.apply(body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::rendered::rendered_text;
    use proptest::prelude::*;

    fn deeds(markdown: &str) -> Vec<(Deed, u32)> {
        let found = find(markdown);
        found.iter().map(|found| (found.deed, found.line)).collect()
    }

    #[test]
    fn what_a_host_runs_replaces_or_takes_in_is_found_in_any_shape() {
        for (markdown, expected) in [
            ("Look at !`cat ~/.ssh/id_rsa`.", vec![(Deed::Runs, 1)]),
            (
                "---\nname: a\n---\n\n```markdown\n- State: !`id > owned.txt`\n```\n",
                vec![(Deed::Runs, 6)],
            ),
            ("a\n\n```!\nid\n```\n", vec![(Deed::Runs, 3)]),
            ("~~~ !\nid\n~~~\n", vec![(Deed::Runs, 1)]),
            ("````markdown\n```!\nid\n```\n````\n", vec![(Deed::Runs, 2)]),
            ("It is `!` and `x`.", vec![(Deed::Runs, 1)]),
            (
                "### \\@kiln.fire\n\n### @kiln.fire\n",
                vec![(Deed::Imports, 3)],
            ),
            ("| a |\n|---|\n| !`id` |\n", vec![(Deed::Runs, 3)]),
            ("It costs $0.01 by night.", vec![(Deed::Replaces, 1)]),
            ("```sh\nawk '{ print $1 }'\n```", vec![(Deed::Replaces, 2)]),
            ("Sum of `$B$6` and $12.", vec![(Deed::Replaces, 1); 2]),
            ("Do $ARGUMENTS now.", vec![(Deed::Replaces, 1)]),
            ("Two backslashes \\\\$1.", vec![(Deed::Replaces, 1)]),
            ("Read @notes.md first.", vec![(Deed::Imports, 1)]),
            ("Read @~/.ssh/id_rsa first.", vec![(Deed::Imports, 1)]),
        ] {
            assert_eq!(deeds(markdown), expected, "{markdown}");
        }
    }

    #[test]
    fn what_no_host_touches_is_left_alone() {
        for markdown in [
            "Beware! `fire` burns.",
            "It costs \\$1.20, \\$ARGUMENTS or 5$.",
            "```sh\necho $HOME $1a ${x}\n```",
            "Write to ann@example.org or @anna.",
            "Read `@notes.md` first.",
            "```\n@notes.md\n```",
            "---\ndescription: costs $5\n---\nA kiln.",
        ] {
            assert_eq!(deeds(markdown), [], "{markdown}");
            assert_eq!(escape(markdown), markdown);
        }
    }

    #[test]
    fn a_price_reads_the_same_and_is_no_argument() {
        let prices = "A firing costs $0.01 by night, $12 by day.\n\n| Firing | Price |\n| --- | --- |\n| bisque | $1.50 |\n";
        let escaped = escape(prices);
        assert!(escaped.contains("costs \\$0.01 by night, \\$12 by day"));
        assert!(escaped.contains("| \\$1.50 |"));
        assert_eq!(rendered_text(&escaped), rendered_text(prices));
        assert_eq!(escape(&escaped), escaped, "once is enough");
    }

    #[test]
    fn nothing_is_run_and_what_can_read_the_same_does() {
        for (markdown, expected) in [
            ("Fire!`x` it.", "Fire! `x` it."),
            ("It is `!` alone.", "It is ` ! ` alone."),
            ("Code ```!x``` here.", "Code ``` !x ``` here."),
            ("```!\nid\n```", "```text\nid\n```"),
            ("```! bash\nid\n```", "```text\nid\n```"),
            ("A lone !` tick.", "A lone !\\` tick."),
            ("Read @notes.md.", "Read \\@notes.md."),
            ("$1+2$ is three.", "${}1+2$ is three."),
            (
                "See <https://a.example/$1>.",
                "See <https://a.example/%241>.",
            ),
            (
                "See [it](https://a.example/$1).",
                "See [it](https://a.example/\\$1).",
            ),
            (
                "```sh\nawk '{ print $1 }'\n```",
                "```sh (\\$ is a plain $)\nawk '{ print \\$1 }'\n```",
            ),
            (
                "```\necho $1 $2\n```",
                "```text (\\$ is a plain $)\necho \\$1 \\$2\n```",
            ),
        ] {
            let escaped = escape(markdown);
            assert_eq!(escaped, expected);
            assert_eq!(find(&escaped), []);
            assert_eq!(escape(&escaped), escaped);
        }
        assert_eq!(
            unescape_code("awk '{ print \\$1 }' \\$x \\\\"),
            "awk '{ print $1 }' \\$x \\\\"
        );
    }

    #[test]
    fn code_that_a_host_would_change_is_known() {
        for code in [
            "fire \"$1\"",
            "price: $5.00",
            "$ARGUMENTS",
            "- !`id`",
            "```!",
            "!",
        ] {
            assert!(changes_code(code), "{code}");
        }
        for code in ["$ fire $HOME", "echo hi! `date`", "a != b"] {
            assert!(!changes_code(code), "{code}");
        }
    }

    proptest! {
        /// Whatever arrives, nothing is left that a host would run or replace, and no line is added or taken away.
        #[test]
        fn nothing_is_left(markdown in "([a-z$@!`~0-9 .|<>\\\\\\[\\]()*_-]|```!|\\$1|!`|\n|\\$ARGUMENTS|@a/b ){0,60}") {
            let escaped = escape(&markdown);
            let left: Vec<Found> = find(&escaped).into_iter().filter(|found| found.deed != Deed::Imports).collect();
            prop_assert_eq!(&left, &vec![], "{:?} became {:?}", markdown, escaped);
            prop_assert_eq!(escaped.matches('\n').count(), markdown.matches('\n').count());
        }
    }
}
