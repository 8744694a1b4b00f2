//! Owns the entries of logs: what `git log` prints, the change logs of GNU and of Debian's packages, and releases one below the
//! other. Each is a section, since its reader asks for the newest ones, and what somebody did is to stay below their name.

use super::{Layout, Line, code, headings, lists, running, stretch};
use crate::domain::document::{Block, BlockKind, Span};
use crate::domain::text::{Inline, squash};
use std::collections::HashMap;
use std::ops::Range;

/// So many entries of a kind make a log.
const ENTRIES_MIN: usize = 3;
/// The head of an entry is not longer, in characters.
const HEAD_CHARS_MAX: usize = 110;
/// Nor has it more words.
const HEAD_WORDS_MAX: usize = 14;
/// What is released is called by so many words at most, in front of its number.
const RELEASED_WORDS_MAX: usize = 5;
/// The first words of a message are its subject up to so many characters.
const SUBJECT_CHARS_MAX: usize = 120;
/// Lines from the start that tell what a text is.
const LINES_MAX: usize = 400;
/// So far `git log` sets a message in.
const MESSAGE_INDENT: usize = 4;
/// What belongs to a thing that was done lies so deep at most.
const DEPTH_MAX: usize = 4;
/// So many digits of a digest name a commit.
const DIGEST_MIN: usize = 7;

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// How an entry is headed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// By `commit` and its digest, with fields below it.
    Commit,
    /// By the day and who did it.
    Dated,
    /// By a package, its version in brackets and how urgent it is.
    Packaged,
    /// By a number, with nothing else that is not said of releases.
    Released,
}

/// One entry: how it is headed, at which line, and what is said in it.
#[derive(Debug)]
struct Entry {
    kind: Kind,
    at: usize,
    title: String,
    /// The lines that tell of the entry itself, below its title.
    fields: Range<usize>,
    body: Range<usize>,
}

/// Whether `text` is evidently a log that is not written in Markdown: what is set in below its heads would be code there.
pub(super) fn is_log(text: &str) -> bool {
    let lines = text.split_inclusive('\n').take(LINES_MAX);
    let head = text.get(..lines.map(str::len).sum()).unwrap_or_default();
    let Log(entries) = Log::of(&super::lines_of(head));
    let is_marked = || ["](", "```"].iter().any(|mark| head.contains(mark));
    entries.iter().any(|entry| entry.kind != Kind::Released) || !entries.is_empty() && !is_marked()
}

/// The entries of a log, in their order.
#[derive(Debug, Default)]
pub(super) struct Log(Vec<Entry>);

impl Log {
    /// The entries that the lines hold; none where they are no log.
    pub(super) fn of(lines: &[Line<'_>]) -> Self {
        let mut entries: Vec<Entry> = heads(lines);
        keep_series(lines, &mut entries);
        let ends: Vec<usize> = entries
            .iter()
            .skip(1)
            .map(|entry| entry.at)
            .chain([lines.len()])
            .collect();
        for (entry, end) in entries.iter_mut().zip(ends) {
            entry.body.end = end.max(entry.body.start);
        }
        Self(entries)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The line at which the first entry begins.
    pub(super) fn first(&self) -> Option<usize> {
        self.0.first().map(|entry| entry.at)
    }

    /// Reads each entry as a section of its own.
    pub(super) fn read(
        &self,
        text: &str,
        lines: &[Line<'_>],
        layout: &Layout,
        out: &mut Vec<Block>,
    ) {
        let has = |kind| self.0.iter().any(|entry| entry.kind == kind);
        let is_nested = has(Kind::Released) && has(Kind::Dated);
        for entry in &self.0 {
            let level = match entry.kind {
                Kind::Dated if is_nested => 3,
                _ => 2,
            };
            let Some(head) = lines.get(entry.at) else {
                continue;
            };
            out.push(headings::heading(level, &entry.title, head.range.clone()));
            out.extend(fields(lines, &entry.fields));
            let body = lines.get(entry.body.clone()).unwrap_or_default();
            let (body, summary) = match entry.kind {
                Kind::Commit => body.split_at(message_length(body)),
                _ => (body, [].as_slice()),
            };
            let mut blocks = Vec::new();
            told(text, &set_out(body, entry.kind), layout, &mut blocks);
            // What stands in capitals in a message heads nothing.
            blocks.iter_mut().for_each(|block| demote(block, layout));
            out.append(&mut blocks);
            out.extend(code::block(text, trimmed(summary)));
        }
    }
}

/// How many lines of what stands below a commit's fields are its message; behind them, set in less, `git` lists the files that
/// were changed.
fn message_length(lines: &[Line<'_>]) -> usize {
    let is_listed = |line: &&Line<'_>| {
        !line.words.is_empty() && line.indent > 0 && line.indent < MESSAGE_INDENT
    };
    let first = lines.iter().position(|line| is_listed(&line));
    first.unwrap_or(lines.len())
}

/// Lines without the empty ones around them.
fn trimmed<'l, 'a>(lines: &'l [Line<'a>]) -> &'l [Line<'a>] {
    let is_said = |line: &Line<'_>| !line.words.is_empty();
    let first = lines.iter().position(is_said).unwrap_or(lines.len());
    let last = lines.iter().rposition(is_said).map_or(first, |at| at + 1);
    lines.get(first..last).unwrap_or_default()
}

/// Reads what is said in an entry: of one that names the files that were changed first, as GNU's logs made of commits do, those in a
/// line, and below them its message.
fn told(text: &str, lines: &[Line<'_>], layout: &Layout, out: &mut Vec<Block>) {
    match files(lines) {
        Some((block, message)) => {
            out.push(block);
            said(text, &set_out(message, Kind::Dated), layout, out);
        }
        None => said(text, lines, layout, out),
    }
}

/// The files that an entry begins with, each an item that ends in a colon, where all else is set in below them: its message.
fn files<'l, 'a>(lines: &'l [Line<'a>]) -> Option<(Block, &'l [Line<'a>])> {
    let lines = trimmed(lines);
    let first = lines.first()?;
    let name = |line: &Line<'a>| {
        let (length, number) = lists::marker(line.words)?;
        let name = line.words.get(length..)?.trim().strip_suffix(':')?;
        let is_file = number.is_none() && line.indent == first.indent && !name.contains(' ');
        is_file.then_some(name)
    };
    let names: Vec<&str> = lines.iter().map_while(name).collect();
    let (own, message) = lines.split_at(names.len());
    let is_message = |line: &Line<'_>| line.words.is_empty() || line.indent > first.indent;
    if names.is_empty() || message.is_empty() || !message.iter().all(is_message) {
        return None;
    }
    let end = own.last()?.range.end;
    let block = Block {
        kind: BlockKind::Paragraph(vec![Inline::Text(names.join(", "))]),
        span: Span::of(first.range.start..end),
    };
    Some((block, message))
}

/// Reads what is said in an entry: lines that were not broken to fit stay lines, of fields as of things that were done.
fn said(text: &str, lines: &[Line<'_>], layout: &Layout, out: &mut Vec<Block>) {
    let mut pending = 0;
    let mut at = 0;
    let read = |from: usize, to: usize, out: &mut Vec<Block>| {
        stretch(
            text,
            lines.get(from..to).unwrap_or_default(),
            layout,
            0,
            out,
        );
    };
    while let Some(line) = lines.get(at) {
        if line.words.is_empty() {
            at += 1;
            continue;
        }
        let rest = lines.get(at..).unwrap_or_default();
        let length = rest
            .iter()
            .take_while(|line| !line.words.is_empty())
            .count();
        let group = rest.get(..length).unwrap_or_default();
        let closing = group.iter().rev().take_while(|line| is_field(line)).count();
        let block = match () {
            // What is set in belongs to an item above it.
            () if line.indent > 0 => None,
            // One line alone that looks like a field may be a sentence.
            () if closing > 0 && length > 1 => {
                read(pending, at + length - closing, out);
                pending = at + length - closing;
                fields(lines, &(pending..at + length))
            }
            () if are_done(group) => Some(list(group, 0)),
            () => None,
        };
        if let Some(block) = block {
            read(pending, at.max(pending), out);
            out.push(block);
            pending = at + length;
        }
        at += length;
    }
    read(pending, lines.len(), out);
}

/// Whether a line is a field of the entry, as `Signed-off-by: Ada Lee`.
fn is_field(line: &Line<'_>) -> bool {
    line.words.split_once(": ").is_some_and(|(name, _)| {
        name.starts_with(|c: char| c.is_ascii_uppercase())
            && name
                .chars()
                .all(|c| c.is_ascii_alphabetic() || matches!(c, '-'))
    })
}

/// Whether each of several lines tells of something that was done: each begins anew, and most end although there was room for more.
fn are_done(lines: &[Line<'_>]) -> bool {
    let begins = |line: &Line<'_>| line.words.starts_with(char::is_uppercase);
    if lines.len() < 2 || !lines.iter().all(begins) {
        return false;
    }
    let length = |words: &str| words.chars().count();
    let widest = lines.iter().map(|line| line.indent + length(line.words));
    let widest = widest.max().unwrap_or(0);
    let broken = lines.windows(2).filter(|pair| {
        matches!(pair, [line, next] if next
            .words
            .split(' ')
            .next()
            .is_some_and(|word| line.indent + length(line.words) + 1 + length(word) > widest))
    });
    broken.count() * 2 < lines.len()
}

/// The list of lines that each tell of something; what is set in below one belongs to it.
fn list(lines: &[Line<'_>], depth: usize) -> Block {
    let span = |lines: &[Line<'_>]| {
        let start = lines.first().map_or(0, |line| line.range.start);
        Span::of(start..lines.last().map_or(start, |line| line.range.end))
    };
    let margin = lines.first().map_or(0, |line| line.indent);
    let mut items = Vec::new();
    let mut rest = lines;
    while let Some((first, after)) = rest.split_first() {
        let is_below = |line: &&Line<'_>| depth < DEPTH_MAX && line.indent > margin;
        let below = after.iter().take_while(is_below);
        let (below, after) = after.split_at(below.count());
        let mut item = vec![Block {
            kind: BlockKind::Paragraph(vec![Inline::Text(squash(first.words))]),
            span: Span::of(first.range.clone()),
        }];
        if !below.is_empty() {
            item.push(list(below, depth + 1));
        }
        items.push(item);
        rest = after;
    }
    Block {
        kind: BlockKind::List { start: None, items },
        span: span(lines),
    }
}

/// What each line that may head an entry heads.
fn heads(lines: &[Line<'_>]) -> Vec<Entry> {
    let mut out = Vec::new();
    let mut at = 0;
    let mut is_apart = true;
    while let Some(line) = lines.get(at) {
        if line.indent == 0
            && let Some(entry) = commit(lines, at)
        {
            at = entry.body.start;
            is_apart = false;
            out.push(entry);
            continue;
        }
        // Who draws rulers around a release means a heading as well: `=== release 1.22.0 ===`.
        let words = line.words.trim_matches(['=', ' ']);
        let kind = (is_apart && line.indent == 0 && !is_over_ruler(lines, at))
            .then(|| kind_of(words))
            .flatten();
        if let Some(kind) = kind {
            out.push(Entry {
                kind,
                at,
                title: squash(words.trim_end_matches(':')),
                fields: at + 1..at + 1,
                body: at + 1..at + 1,
            });
        }
        is_apart = line.words.is_empty();
        at += 1;
    }
    out
}

/// Keeps the entries of kinds of which there are several; releases only where they are all called alike and nothing else has a
/// heading.
fn keep_series(lines: &[Line<'_>], entries: &mut Vec<Entry>) {
    let mut prefixes: HashMap<String, usize> = HashMap::new();
    for entry in entries.iter().filter(|own| own.kind == Kind::Released) {
        *prefixes.entry(prefix(&entry.title)).or_default() += 1;
    }
    let first = entries.iter().find(|own| own.kind == Kind::Released);
    // What stands over all of them is the title.
    let is_headed = first.is_some_and(|first| {
        let mut below = (first.at..).map_while(|at| Some((at, lines.get(at)?)));
        below.any(|(at, line)| {
            is_over_ruler(lines, at) || line.indent == 0 && headings::is_atx_heading(line.words)
        })
    });
    let count = |kind| entries.iter().filter(|own| own.kind == kind).count();
    let (commits, packaged) = (count(Kind::Commit), count(Kind::Packaged));
    let dated = count(Kind::Dated) + commits;
    entries.retain(|entry| match entry.kind {
        Kind::Commit => commits >= ENTRIES_MIN,
        Kind::Packaged => packaged >= ENTRIES_MIN,
        Kind::Dated => dated >= ENTRIES_MIN,
        Kind::Released => {
            !is_headed
                && prefixes
                    .get(&prefix(&entry.title))
                    .is_some_and(|count| *count >= ENTRIES_MIN)
        }
    });
}

/// What a release is called by in front of its number, in lower case.
fn prefix(title: &str) -> String {
    let words = title
        .split(' ')
        .take_while(|word| !is_version(word))
        .collect::<Vec<_>>();
    words.join(" ").to_lowercase()
}

/// The entry that a line of `git log` begins: its fields, and the first words of its message as its title, behind the day.
fn commit(lines: &[Line<'_>], at: usize) -> Option<Entry> {
    let digest = lines.get(at)?.words.strip_prefix("commit ")?;
    let digest = digest.split(' ').next()?;
    let is_digest = digest.len() >= DIGEST_MIN && digest.bytes().all(|b| b.is_ascii_hexdigit());
    if !is_digest {
        return None;
    }
    let below = lines.get(at + 1..)?;
    let is_field = |line: &&Line<'_>| line.indent == 0 && line.words.contains(": ");
    let count = below.iter().take_while(is_field).count();
    if count == 0 {
        return None;
    }
    let fields = below.get(..count)?;
    let date = |name: &str| {
        let value = fields
            .iter()
            .find_map(|line| line.words.strip_prefix(name))?;
        day(value)
    };
    let date = date("Date:").or_else(|| date("CommitDate:"))?;
    let start = at + 1 + count;
    let gap = lines
        .get(start..)?
        .iter()
        .take_while(|line| line.words.is_empty())
        .count();
    let message = lines.get(start + gap..).unwrap_or_default();
    let is_said = |line: &&Line<'_>| line.indent >= MESSAGE_INDENT && !line.words.is_empty();
    let opening: Vec<&str> = message
        .iter()
        .take_while(is_said)
        .map(|line| line.words)
        .collect();
    let subject = squash(&opening.join(" "));
    let is_subject = !subject.is_empty() && subject.chars().count() <= SUBJECT_CHARS_MAX;
    let (title, used) = match is_subject {
        true => (subject, gap + opening.len()),
        false => (format!("commit {}", digest.get(..DIGEST_MIN)?), gap),
    };
    Some(Entry {
        kind: Kind::Commit,
        at,
        title: format!("{date} {title}"),
        fields: at..start,
        body: start + used..start + used,
    })
}

/// The day of `Thu Feb 2 23:21:54 2023 +1100`, or of a date that begins with it, as `2023-02-02`.
fn day(value: &str) -> Option<String> {
    let value = value.trim();
    if let Some(day) = value.get(..10).filter(|day| is_day(day)) {
        return Some(day.to_owned());
    }
    let words: Vec<&str> = value.split_whitespace().collect();
    let [_, month, day, _, year, ..] = words.as_slice() else {
        return None;
    };
    let month = 1 + MONTHS
        .iter()
        .position(|own| month.eq_ignore_ascii_case(own))?;
    let (day, year) = (day.parse::<u8>().ok()?, year.parse::<u16>().ok()?);
    Some(format!("{year:04}-{month:02}-{day:02}"))
}

/// How a line that stands apart heads an entry.
fn kind_of(words: &str) -> Option<Kind> {
    let is_short = words.chars().count() <= HEAD_CHARS_MAX
        && words.split_whitespace().count() <= HEAD_WORDS_MAX;
    if !is_short || words.ends_with(['.', ',', ';']) && !words.contains('@') {
        return None;
    }
    if is_packaged(words) {
        return Some(Kind::Packaged);
    }
    if is_dated(words) {
        return Some(Kind::Dated);
    }
    is_released(words).then_some(Kind::Released)
}

/// `kiln (2.1-3) unstable; urgency=medium`.
fn is_packaged(words: &str) -> bool {
    let Some((name, rest)) = words.split_once(" (") else {
        return false;
    };
    let is_name = !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    is_name
        && rest.starts_with(|c: char| c.is_ascii_digit())
        && rest.contains(") ")
        && rest.contains("; urgency=")
}

/// `2015-07-10  Ada Lee  <ada@kiln.example>`, `Mon Mar 3 12:00:00 1997  Ada Lee  <ada@kiln.example>` or `Ada Lee (20 Feb 2023)`.
fn is_dated(words: &str) -> bool {
    let who = |rest: &str| {
        let rest = rest.trim_start_matches(|c: char| {
            c.is_ascii_digit() || matches!(c, ':' | '+' | '-' | ' ' | '\t')
        });
        rest.contains('@')
            || rest.starts_with(char::is_uppercase) && (2..=5).contains(&rest.split(' ').count())
    };
    // `20200120`, alone.
    if words.len() == 8 && is_number(words) && words.starts_with(['1', '2']) {
        let (month, day) = (words.get(4..6), words.get(6..));
        let within = |part: Option<&str>, most| part.is_some_and(|it| ("01"..=most).contains(&it));
        return within(month, "12") && within(day, "31");
    }
    if words.get(..10).is_some_and(is_day) {
        return words
            .get(10..)
            .is_some_and(|rest| rest.starts_with(char::is_whitespace) && who(rest));
    }
    let mut tokens = words.split_whitespace();
    let first = tokens.next().unwrap_or_default();
    let second = tokens.next().unwrap_or_default();
    if words.contains('@')
        && (is_month(first) || is_month(second))
        && words
            .split_whitespace()
            .take(6)
            .any(|token| token.len() == 4 && token.bytes().all(|b| b.is_ascii_digit()))
    {
        return true;
    }
    // A number in front of the bracket is that of a release.
    let named = words
        .strip_suffix(')')
        .and_then(|rest| rest.rsplit_once(" ("));
    named.is_some_and(|(name, date)| {
        let tokens: Vec<&str> = date.split(' ').collect();
        let is_date = matches!(tokens.as_slice(), [day, month, year]
            if is_month(month) && is_number(day) && year.len() == 4 && is_number(year));
        is_date
            && !name.contains(|c: char| c.is_ascii_digit())
            && name.starts_with(char::is_alphabetic)
    })
}

/// `Version 1.3.5 (2020 June 3)`, `kiln 2.1 -- "Clay"`, `Changes in 1.2.13 (13 Oct 2022)`, `3.0.9`: a version, and behind it no
/// more than a date, a name of its own in quotes or a colon.
fn is_released(words: &str) -> bool {
    let words = words.trim_end_matches(':');
    let mut before = 0;
    for word in words.split(' ') {
        if !is_version(word) {
            before += 1;
            continue;
        }
        let start = (word.as_ptr() as usize).saturating_sub(words.as_ptr() as usize);
        let rest = words.get(start + word.len()..).unwrap_or_default().trim();
        let is_named = words.get(..start).is_some_and(|name| {
            name.is_empty()
                || name.starts_with(char::is_alphabetic) && !name.contains(['=', '(', '/', '"'])
        });
        return before <= RELEASED_WORDS_MAX && is_named && tells_release(rest);
    }
    false
}

/// Whether nothing stands behind a version but when it was released and what it is called.
fn tells_release(rest: &str) -> bool {
    rest.split(|c: char| c.is_whitespace() || "()[]{},;/".contains(c))
        .filter(|word| !word.is_empty())
        .take_while(|word| !word.starts_with(['"', '“']))
        .all(|word| {
            let word = word.trim_end_matches(['.', ':']).to_lowercase();
            let digits = word.trim_end_matches(char::is_alphabetic);
            word.bytes()
                .all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'.' | b':'))
                || is_number(digits) && digits.len() <= 2
                || is_version(&word)
                || is_month(&word)
                || [
                    "release", "released", "to", "version", "stable", "beta", "alpha", "–", "—",
                ]
                .contains(&word.as_str())
        })
}

/// Whether a word is the number of a release: `1.2`, `v3.0.1-rc2`, `4.1.*`.
fn is_version(word: &str) -> bool {
    let word = word.trim_end_matches([':', ',']);
    let number = word.strip_prefix(['v', 'V']).unwrap_or(word);
    let mut parts = number.split('.');
    parts.next().is_some_and(is_number)
        && number.contains('.')
        && parts.all(|part| {
            part == "*"
                || part.starts_with(|c: char| c.is_ascii_digit())
                    && part
                        .chars()
                        .all(|c| c.is_ascii_alphanumeric() || "-+_~".contains(c))
        })
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a word is a month, in full or by its first letters.
fn is_month(word: &str) -> bool {
    let word = word.trim_end_matches([',', '.']);
    word.len() >= 3
        && word.bytes().all(|b| b.is_ascii_alphabetic())
        && word
            .get(..3)
            .is_some_and(|start| MONTHS.iter().any(|own| start.eq_ignore_ascii_case(own)))
        && (word.len() <= 4
            || word
                .to_lowercase()
                .ends_with(['y', 'h', 'l', 'e', 't', 'r']))
}

/// `2015-07-10`.
fn is_day(word: &str) -> bool {
    let bytes = word.as_bytes();
    bytes.len() == 10
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

/// Whether a ruler underlines the line: it is a heading already.
fn is_over_ruler(lines: &[Line<'_>], at: usize) -> bool {
    let words = |at: usize| lines.get(at).map_or("", |line| line.words);
    let ruler = words(at + 1);
    headings::is_parting(ruler) && headings::is_as_long(ruler, words(at))
}

/// The fields of an entry, a line each.
fn fields(lines: &[Line<'_>], range: &Range<usize>) -> Option<Block> {
    let lines = lines.get(range.clone())?;
    let mut text = Vec::new();
    for line in lines {
        if !text.is_empty() {
            text.push(Inline::Break);
        }
        text.push(Inline::Text(squash(line.words)));
    }
    Some(Block {
        kind: BlockKind::Paragraph(text),
        span: Span::of(lines.first()?.range.start..lines.last()?.range.end),
    })
}

/// The lines of an entry without what the log itself sets them in by.
fn set_out<'a>(lines: &[Line<'a>], kind: Kind) -> Vec<Line<'a>> {
    let least = || {
        let said = lines.iter().filter(|line| !line.words.is_empty());
        said.map(|line| line.indent).min().unwrap_or(0)
    };
    let margin = match kind {
        Kind::Commit => MESSAGE_INDENT,
        _ => least(),
    };
    let mut out = lines.to_vec();
    for line in &mut out {
        line.indent = line.indent.saturating_sub(margin);
    }
    out
}

/// Makes a paragraph of what only looks like a heading inside an entry.
fn demote(block: &mut Block, layout: &Layout) {
    if let BlockKind::Heading { text, .. } = &block.kind {
        let words = crate::domain::text::plain(text);
        block.kind = BlockKind::Paragraph(running(&words, layout));
    }
}

#[cfg(test)]
mod tests {
    use crate::pipeline::extract::text::read;
    use crate::pipeline::markdown::write;

    fn written(source: &str) -> String {
        write(&read(source.to_owned()).blocks)
    }

    #[test]
    fn each_commit_is_a_section_by_its_day_and_subject_with_who_made_it_below() {
        let commit = |digest: &str, day: u8, message: &str| {
            format!(
                "commit {digest}4fe5d1ac5bb85e39188d96fb214\nAuthor: Ada Lee <ada@kiln.example>\nDate:   Thu Feb {day} 23:21:54 2023 +1100\n\n{message}\n"
            )
        };
        let source = [
            commit(
                "9fe2075",
                2,
                "    Mend the door\n\n    It was hot.\n\n    Signed-off-by: Ada Lee\n    Fixes: 12\n\n door.rs | 2 +-\n 1 file changed",
            ),
            commit("9fe2076", 1, "    Burn less wood"),
            commit("9fe2077", 1, &"    It is a message without a subject of its own that\n    goes on and on\n".repeat(3)),
        ]
        .concat();
        let text = written(&source);
        assert!(
            text.starts_with(
                "## 2023-02-02 Mend the door\n\ncommit 9fe20754fe5d1ac5bb85e39188d96fb214\\\nAuthor: Ada Lee \\<ada@kiln.example>\\\nDate: Thu Feb 2 23:21:54 2023 +1100\n\nIt was hot.\n\nSigned-off-by: Ada Lee\\\nFixes: 12\n\n```\ndoor.rs | 2 +-\n1 file changed\n```\n\n## 2023-02-01 Burn less wood\n"
            ),
            "{text}"
        );
        assert!(text.contains("\n## 2023-02-01 commit 9fe2077\n"), "{text}");
    }

    #[test]
    fn what_somebody_did_stays_below_their_name() {
        let text = written(
            "2015-07-10  Ada Lee  ada@kiln.example\n\n\tMend the door\n\n\tBurn wood\n\n2015-07-06  Tom Oak  <tom@kiln.example>\n\n\t* door.c: Mended.\n\n2015-07-04  Tom Oak  <tom@kiln.example>\n\n\t* oven.c: New.\n",
        );
        assert_eq!(
            text,
            "## 2015-07-10 Ada Lee ada@kiln.example\n\nMend the door\n\nBurn wood\n\n## 2015-07-06 Tom Oak \\<tom@kiln.example>\n\n- door.c: Mended.\n\n## 2015-07-04 Tom Oak \\<tom@kiln.example>\n\n- oven.c: New.\n"
        );
    }

    #[test]
    fn the_message_of_an_entry_stands_below_its_files_and_its_fields_at_the_end() {
        let entry = "2023-01-18 16:07:39 +0100  Ada Lee <ada@kiln.example>\n\n\t* po/de.po:\n\t* door.c:\n\t  door: Mend the hinge\n\t  It was hot.\n\t  Part-of: <https://kiln.example/1>\n\n";
        let text = written(&entry.repeat(3));
        assert!(
            text.starts_with(
                "## 2023-01-18 16:07:39 +0100 Ada Lee \\<ada@kiln.example>\n\npo/de.po, door.c\n\ndoor: Mend the hinge It was hot.\n\nPart-of: \\<https://kiln.example/1>\n\n## "
            ),
            "{text}"
        );
    }

    #[test]
    fn packages_and_releases_are_sections_too() {
        let text = written(
            "kiln (2.1-3) unstable; urgency=medium\n\n  * Mend it.\n\n -- Ada Lee <ada@kiln.example>  Fri, 09 May 2025 16:50:00 +0200\n\nkiln (2.1-2) unstable; urgency=low\n\n  * Burn it.\n\nkiln (2.1-1) unstable; urgency=low\n\n  * Begin.\n",
        );
        assert!(
            text.starts_with("## kiln (2.1-3) unstable; urgency=medium\n\n- Mend it.\n\n"),
            "{text}"
        );
        let text = written(
            "Kiln change log\n\nKiln 2.5.13 Release (2022/07/14)\n\tMended the door of clay\n\tBuild\n\t\tAdded the oven\n\nKiln 2.5.12 Release (2022/05/04)\n\tBegun\n\nKiln 2.5.11 Release (2022/05/01)\n\tPlanned\n",
        );
        assert!(
            text.starts_with(
                "# Kiln change log\n\n## Kiln 2.5.13 Release (2022/07/14)\n\n- Mended the door of clay\n- Build\n  - Added the oven\n\n## Kiln 2.5.12"
            ),
            "{text}"
        );
    }

    #[test]
    fn numbers_that_stand_alone_are_no_log() {
        for source in [
            "It fires.\n\nkiln=10.0.0.1 door\n\nkiln=10.0.0.2 oven\n\nkiln=10.0.0.3 roof\n",
            "Kiln 2.1 is hot.\n\nKiln 2.0 is cold.\n\nKiln 1.9 is old.\n",
            "Day 1.5 of the run\n\nIt burns.\n\nHeat 2.5\n\nIt glows.\n",
        ] {
            let text = written(source);
            assert!(!text.contains("## "), "{text}");
        }
    }

    #[test]
    fn lines_that_were_broken_to_fit_are_no_list() {
        let text = written(
            "Version 2.1\n\nThe kiln fires clay until it is hard and somebody\nStays awake beside it, which nobody likes, so that\nAll of it glows.\n\nVersion 2.0\n\nBegun.\n\nVersion 1.9\n\nPlanned.\n",
        );
        assert!(text.contains("hard and somebody Stays awake"), "{text}");
    }
}
