//! Owns which lines of a log head its entries: what `git log` prints, days with who did it, packages and releases.

use super::{Line, headings};
use skillkiln_document::text::MONTHS;
use skillkiln_document::text::squash;
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
/// So far `git log` sets a message in.
pub(super) const MESSAGE_INDENT: usize = 4;
/// So many digits of a digest name a commit.
const DIGEST_MIN: usize = 7;

/// How an entry is headed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
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
pub(super) struct Entry {
    pub(super) kind: Kind,
    pub(super) at: usize,
    pub(super) title: String,
    /// The lines that tell of the entry itself, below its title.
    pub(super) fields: Range<usize>,
    pub(super) body: Range<usize>,
}

/// What each line that may head an entry heads.
pub(super) fn heads(lines: &[Line<'_>]) -> Vec<Entry> {
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
        let is_ruled = is_over_ruler(lines, at);
        // A banner between two rulers heads what is below it, among entries too.
        let is_banner = is_ruled
            && lines
                .get(at + 1)
                .is_some_and(|line| line.words.starts_with('#'));
        let kind = (is_apart && line.indent == 0 && (!is_ruled || is_banner))
            .then(|| kind_of(words))
            .flatten();
        if let Some(kind) = kind {
            let below = at + 1 + usize::from(is_banner);
            out.push(Entry {
                kind,
                at,
                title: squash(words.trim_end_matches(':')),
                fields: below..below,
                body: below..below,
            });
        }
        is_apart = line.words.is_empty();
        at += 1;
    }
    out
}

/// Keeps the entries of kinds of which there are several; releases only where they are all called alike and nothing else has a
/// heading.
pub(super) fn keep_series(lines: &[Line<'_>], entries: &mut Vec<Entry>) {
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

/// What a release is called by in front of its number, in lower case; its day, which may stand there as well, is no name.
fn prefix(title: &str) -> String {
    let words = title
        .split(' ')
        .take_while(|word| !is_version(word))
        .collect::<Vec<_>>()
        .join(" ");
    match is_full_day(&words) {
        true => String::new(),
        false => words.to_lowercase(),
    }
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
    let month = 1 + MONTHS.iter().position(|own| is_short_for(month, own))?;
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

/// What stands behind the version that an entry names after its day, and the file or the part which that is of: `Ada Lee` of
/// `6.83c  Ada Lee` and of `doors 2.4 Ada Lee`.
fn behind_version(rest: &str) -> &str {
    let mut rest = rest.trim_start();
    loop {
        let (word, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let behind = behind.trim_start();
        let bare = word.trim_start_matches('.');
        let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        let names_part = word.starts_with(char::is_lowercase)
            && (is_number(behind) || word.contains('.') && !word.contains('@'));
        if behind.is_empty() || !(is_number(bare) || names_part) {
            return rest;
        }
        rest = behind;
    }
}

/// `2015-07-10  Ada Lee  <ada@kiln.example>`, `Mon Mar 3 12:00:00 1997  Ada Lee  <ada@kiln.example>` or `Ada Lee (20 Feb 2023)`.
fn is_dated(words: &str) -> bool {
    let who = |rest: &str| {
        let rest = rest.trim_start_matches(|c: char| {
            c.is_ascii_digit() || matches!(c, ':' | '+' | '-' | ' ' | '\t')
        });
        let rest = behind_version(rest);
        rest.contains('@')
            || ["release", "released"].contains(&rest.to_lowercase().as_str())
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
/// Or the day before the version, or alone, where what was released has no number yet: `11 May 2023, v2.4`, `2023-05-11 v2.4`.
fn is_released(words: &str) -> bool {
    let words = words.trim_end_matches(':');
    if is_full_day(words) {
        return true;
    }
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
                || is_full_day(name)
                || name.starts_with(char::is_alphabetic) && !name.contains(['=', '(', '/', '"'])
        });
        return before <= RELEASED_WORDS_MAX && is_named && tells_release(without_remark(rest));
    }
    false
}

/// What is said of a release without the remark in square brackets behind its day: `(20 May 96) [1.0 was skipped]`.
fn without_remark(rest: &str) -> &str {
    let told = rest
        .strip_suffix(']')
        .and_then(|rest| rest.rsplit_once(") ["));
    match told {
        Some((day, remark)) if day.starts_with('(') && !remark.contains(['[', ']']) => day,
        _ => rest,
    }
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

/// Whether words are a day in full: `11 May 2023`, `May 11, 2023` or `2023-05-11`.
fn is_full_day(words: &str) -> bool {
    let words = words.trim_end_matches([',', ':', ' ']);
    if is_day(words) {
        return true;
    }
    let mut parts = words.split_whitespace();
    let (Some(first), Some(second), Some(year), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let is_date = |word: &str| {
        let word = word.trim_end_matches([',', '.']);
        is_number(word) && word.len() <= 2
    };
    year.len() == 4
        && is_number(year)
        && (is_date(first) && is_month(second) || is_month(first) && is_date(second))
}

/// Whether a word is the three letters that a month begins with, in either case.
fn is_short_for(word: &str, month: &str) -> bool {
    month
        .get(..3)
        .is_some_and(|short| word.eq_ignore_ascii_case(short))
}

/// Whether a word is a month, in full or by its first letters.
fn is_month(word: &str) -> bool {
    let word = word.trim_end_matches([',', '.']);
    word.len() >= 3
        && word.bytes().all(|b| b.is_ascii_alphabetic())
        && word
            .get(..3)
            .is_some_and(|start| MONTHS.iter().any(|own| is_short_for(start, own)))
        && (word.len() <= 4
            || word
                .to_lowercase()
                .ends_with(['y', 'h', 'l', 'e', 't', 'r']))
}

/// `2015-07-10`, or `2015/07/10`.
fn is_day(word: &str) -> bool {
    let bytes = word.as_bytes();
    let mark = bytes.get(4).copied().filter(|mark| b"-/.".contains(mark));
    bytes.len() == 10
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => mark == Some(*byte),
            _ => byte.is_ascii_digit(),
        })
}

/// Whether a ruler underlines the line: it is a heading already.
fn is_over_ruler(lines: &[Line<'_>], at: usize) -> bool {
    let words = |at: usize| lines.get(at).map_or("", |line| line.words);
    let ruler = words(at + 1);
    let is_long = headings::is_parting(ruler) && headings::is_as_long(ruler, words(at));
    is_long || headings::is_over_short(lines.get(at..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{is_dated, is_released};

    #[test]
    fn a_day_heads_an_entry_also_where_a_version_stands_between_it_and_who_did_it() {
        for head in [
            "2003-04-14  6.73z  Ada Lee",
            "2019-09-12 2.45 doors.sty Ada Lee",
            "2019-09-16 doors 2.46 Ada Lee/Bo Berg",
            "2019-10-03  Ada Lee",
            "2019-10-03 Release",
            "2019/10/03  Ada Lee",
        ] {
            assert!(is_dated(head), "{head}");
        }
        for line in [
            "2019-10-03 6.73z",
            "2019-10/03  Ada Lee",
            "2019-10-03 the door was red",
        ] {
            assert!(!is_dated(line), "{line}");
        }
    }

    #[test]
    fn releases_over_short_rulers_are_headings_of_one_level() {
        let entry = |number: u8, ruler: &str| {
            format!("Kiln 1.{number} (2016-01-0{number})\n{ruler}\n\nThe door is red.\n\n")
        };
        let ruler = "=".repeat(21);
        let source = [
            entry(6, &ruler),
            entry(5, "=="),
            entry(4, "=="),
            entry(3, "=="),
        ]
        .concat();
        let text = skillkiln_document::markdown::write(&crate::text::read_plain(source).blocks);
        assert_eq!(text.matches("\n# Kiln 1.").count(), 3, "{text}");
        assert!(!text.contains("=="), "{text}");
        let source = [6, 5, 4]
            .map(|number| entry(number, "The wood is dry."))
            .concat();
        let text = skillkiln_document::markdown::write(&crate::text::read_plain(source).blocks);
        assert_eq!(text.matches("## Kiln 1.").count(), 3, "{text}");
    }

    #[test]
    fn a_remark_behind_the_day_of_a_release_leaves_it_a_head() {
        for head in [
            "Changes in 1.0.1 (20 May 96) [1.0 was skipped for the heat]",
            "Changes in 0.99 (27 Jan 96)",
        ] {
            assert!(is_released(head), "{head}");
        }
        for line in [
            "Kiln 1.0.1 [it is said to be hot]",
            "Kiln 1.0.1 (as it is called) [in the yard]",
        ] {
            assert!(!is_released(line), "{line}");
        }
    }
}
