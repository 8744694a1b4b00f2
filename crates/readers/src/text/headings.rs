//! Finds the headings of plain text: underlined, numbered, in capitals, or called a chapter; and how deep each lies.

use super::code::is_prompt;
use super::{Line, lists, shapes, starred};
use crate::builder::under_title;
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::text::{Inline, plain, squash};
use std::collections::HashSet;
use std::ops::Range;

/// The marks that underline headings, from the outermost in, as writers and generators of text use them.
const MARKS: [char; 11] = ['#', '*', '=', '-', '.', '~', '^', '"', '\'', '+', '`'];
/// How many of them have levels of their own: those behind lie one below the other as far as they are used.
const OUTER_MARKS: usize = 4;
/// So many headings with a number and a ruler show that numbers alone head nothing.
const NUMBERS_MIN: usize = 3;

/// The heading over the items of a release is not longer, in characters.
const RELEASE_CHARS_MAX: usize = 60;

/// So many lines behind a hash that stand below others are remarks.
const REMARKS_MIN: usize = 8;
/// The heading of a part of a section in a manual page has no more words.
const INNER_WORDS_MAX: usize = 8;
/// What is shown is indented so far at least.
const CODE_INDENT: usize = 4;

/// A heading in capitals is not longer, in characters.
const CAPITALS_CHARS_MAX: usize = 60;
/// So many lines in capitals right above paragraphs are headings.
const CAPITALS_MIN: usize = 3;
/// The first line of a paragraph has so many words at least.
const PROSE_WORDS_MIN: usize = 5;
/// A heading above a paragraph that is in capitals as well has no more words.
const HEAD_WORDS_MAX: usize = 3;

/// What the name of a section may begin with beside letters, where it is that of a file or of several: `5.18. {pre,post}inst`.
const NAMED_MARKS: &str = "{/“‘\"`<";
/// A line is set in the middle that is set in by so many columns.
const CENTRED_INDENT: usize = 8;

/// Which marks underline headings in this text: the same mark means another depth in another company.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rulers {
    /// Whether marks outside `=` are used, so that `=` is the second level.
    has_outer: bool,
    /// Which of the marks below `-` are used.
    deep: [bool; MARKS.len() - OUTER_MARKS],
    /// Whether numbers stand in headings that are underlined: a number alone, or hashes, make none then.
    is_ruled: bool,
    /// How far the headings of a manual page are indented.
    margin: usize,
    /// The level of what one star heads, in an outline.
    stars: Option<u8>,
    /// From where on one star heads nothing in an outline, in bytes.
    items_from: usize,
    /// Whether this is a manual page, of which each line in capitals above an indented one is a heading.
    is_manual: bool,
    /// Whether what stands behind a hash are remarks in a file of settings, mostly in several lines below each other.
    has_remarks: bool,
    /// Whether lines in capitals head the paragraphs right below them.
    has_capitals: bool,
    /// The marks under numbers of one part and of several alike: the numbers tell how deep those headings lie.
    mixed: [bool; MARKS.len()],
}

impl Rulers {
    /// Looks through the lines for the marks that are used.
    pub(super) fn of(lines: &[Line<'_>], is_outline: bool) -> Self {
        let has_outer = lines
            .windows(2)
            .any(|pair| mark_under(pair).is_some_and(|mark| matches!(mark, '#' | '*')));
        let mut deep = [false; MARKS.len() - OUTER_MARKS];
        let mut numbers = 0;
        let (mut single, mut parted) = (String::new(), String::new());
        for pair in lines.windows(2) {
            let Some(mark) = mark_under(pair) else {
                continue;
            };
            if let Some(used) = place_of(mark).and_then(|place| deep.get_mut(place)) {
                *used = true;
            }
            let level = pair.first().and_then(level_of_number);
            numbers += usize::from(level.is_some());
            match level {
                Some(2) => single.push(mark),
                Some(_) => parted.push(mark),
                None => {}
            }
        }
        let names_manual = lines
            .iter()
            .find(|line| !line.words.is_empty())
            .is_some_and(|line| name_of_manual(line.words).is_some());
        let head = lines.windows(2).find(|pair| {
            stands_over(pair)
                && matches!(
                    pair.first().map(|line| line.words),
                    Some("NAME" | "SYNOPSIS" | "DESCRIPTION")
                )
        });
        let margin = head
            .and_then(|pair| pair.first())
            .map_or(0, |line| line.indent);
        let is_manual = names_manual || head.is_some();
        let stars = starred::base(lines, is_outline);
        let is_remark = |line: &Line<'_>| line.words.starts_with('#');
        let remarks = lines.iter().filter(|line| is_remark(line)).count();
        let joined = lines
            .windows(2)
            .filter(|pair| pair.iter().all(is_remark))
            .count();
        Self {
            has_outer,
            deep,
            is_ruled: numbers >= NUMBERS_MIN,
            mixed: MARKS.map(|mark| single.contains(mark) && parted.contains(mark)),
            margin,
            stars,
            items_from: stars.map_or(usize::MAX, |_| starred::items_from(lines)),
            is_manual,
            has_remarks: joined >= REMARKS_MIN && joined * 2 >= remarks,
            has_capitals: !is_manual && has_capitals(lines),
        }
    }

    /// The heading with stars that `lines` begin with: its level and its words.
    pub(super) fn starred<'a>(&self, lines: &[Line<'a>]) -> Option<(u8, &'a str)> {
        let is_heading = lines.first()?.range.start < self.items_from;
        starred::heading(lines, self.stars?).filter(|_| is_heading)
    }

    /// The level of the line over items that have a star each, which tells what release they are of.
    pub(super) fn over_items(&self, lines: &[Line<'_>]) -> Option<u8> {
        let line = lines.first()?;
        let is_release = line.words.contains(|c: char| c.is_ascii_digit())
            && line.words.chars().count() <= RELEASE_CHARS_MAX;
        (line.range.start >= self.items_from && is_release && starred::leads(lines))
            .then_some(self.stars?)
    }

    /// The level of a line in capitals right above the paragraph that it heads, where several are set so.
    pub(super) fn over_paragraph(&self, lines: &[Line<'_>]) -> Option<u8> {
        let heads = || over_paragraph(lines).is_some();
        (self.has_capitals && heads()).then_some(2)
    }

    /// How far the headings of a manual page are indented, where they are.
    pub(super) fn margin(&self) -> Option<usize> {
        (self.margin > 0).then_some(self.margin)
    }

    /// The heading that a line of a manual page is, as terminals show it: not indented, in capitals, what it heads indented
    /// below it.
    pub(super) fn of_manual(&self, lines: &[Line<'_>]) -> Option<u8> {
        let line = lines.first()?;
        let is_name = line
            .words
            .chars()
            .all(|c| c.is_uppercase() || c.is_ascii_digit() || " -/&,()".contains(c));
        let stands = stands_over(lines) || self.is_inner(lines.get(1..).unwrap_or_default());
        (self.is_manual && is_name && stands && line.indent == self.margin)
            .then(|| evident(line, false))
            .flatten()
            .map(|level| level + u8::from(self.margin > 0))
            .or_else(|| self.is_inner(lines).then_some(3))
    }

    /// Whether `lines` begin with the heading of a part of a section, which stands half as far in as what it heads.
    fn is_inner(&self, lines: &[Line<'_>]) -> bool {
        let [line, below, ..] = lines else {
            return false;
        };
        let is_between = matches!((line.indent, below.indent), (2, 4) | (3, 7));
        self.is_manual
            && self.margin == 0
            && is_between
            && !below.words.is_empty()
            && line
                .words
                .starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
            && line.words.split_whitespace().count() <= INNER_WORDS_MAX
            && !line.words.ends_with(['.', ',', ';', ':', '!', '?', '-'])
            && !line.words.contains("  ")
            && lists::marker(line.words).is_none()
            && !is_parting(line.words)
    }

    /// The level of the name that stands alone over an entry of a manual whose headings are indented.
    pub(super) fn over_manual(&self, lines: &[Line<'_>]) -> Option<u8> {
        let line = lines.first()?;
        let below = lines
            .iter()
            .skip(1)
            .skip_while(|line| line.words.is_empty())
            .take(2)
            .collect::<Vec<_>>();
        let heads = matches!(below.as_slice(), [name, next]
            if name.indent == self.margin && name.words == "SYNOPSIS" && next.indent > name.indent);
        (self.is_manual && self.margin > 0 && line.indent == 0 && heads).then_some(2)
    }

    /// The level of a line that stands alone, when it is evidently a heading in this text.
    pub(super) fn evident(&self, line: &Line<'_>, first_of_all: bool) -> Option<u8> {
        let is_weak = || {
            is_atx_heading(line.words)
                || level_of_number(line).is_some()
                    && line.words.split_whitespace().next().is_some_and(|it| {
                        it.trim_end_matches('.').bytes().all(|b| b.is_ascii_digit())
                    })
        };
        // In a manual whose headings are indented they lie below the names that are not.
        let is_inner = self.is_manual && self.margin > 0 && line.indent == self.margin;
        evident(line, first_of_all)
            .filter(|_| !self.is_ruled || !is_weak())
            .filter(|_| !self.has_remarks || !is_atx_heading(line.words))
            .map(|level| if is_inner { level.max(3) } else { level })
    }

    /// The level of the heading that `lines` begin with when it is underlined: it takes two lines.
    pub(super) fn underlined(&self, lines: &[Line<'_>]) -> Option<u8> {
        let mark = mark_under(lines)?;
        let rank = match mark {
            '#' | '*' => 1,
            '=' => 1 + u8::from(self.has_outer),
            '-' => 2 + u8::from(self.has_outer),
            _ => {
                let above = self.deep.iter().take(place_of(mark)?);
                let above = above.filter(|used| **used).count();
                (3 + u8::from(self.has_outer) + u8::try_from(above).unwrap_or(0)).min(6)
            }
        };
        let place = MARKS.iter().position(|known| *known == mark);
        let is_mixed = place.and_then(|place| self.mixed.get(place)) == Some(&true);
        let number = lines.first().filter(|_| is_mixed);
        let below = number
            .and_then(level_of_number)
            .map_or(0, |level| level - 2);
        Some((rank + below).min(6))
    }
}

/// The place among the marks that lie deep in a text: alone such marks are also code, quotes, or point at what is above.
fn place_of(mark: char) -> Option<usize> {
    let marks = MARKS.iter().skip(OUTER_MARKS);
    marks.copied().position(|deep| deep == mark)
}

/// Whether a ruler is about as long as the words that it would underline.
pub(super) fn is_as_long(ruler: &str, title: &str) -> bool {
    let length = title.chars().count();
    title.contains(char::is_alphanumeric)
        && ruler.chars().count().abs_diff(length) <= 2.max(length / 5)
}

/// The mark of the ruler under the first line, when it is about as long as the line.
pub(super) fn mark_under(lines: &[Line<'_>]) -> Option<char> {
    let (title, ruler) = (lines.first()?, lines.get(1)?);
    let mark = ruler.words.chars().next().filter(|c| MARKS.contains(c))?;
    let length = ruler.words.chars().count();
    let title_length = title.words.chars().count();
    // Two or three signs of equality are enough where nothing else stands on the line: nobody means anything else by them.
    let is_short = mark == '='
        && length >= 2
        && title_length <= 60
        && lines.get(2).is_none_or(|next| next.words.is_empty());
    let is_ruler = (length >= 3 || is_short) && ruler.words.chars().all(|c| c == mark);
    if !is_ruler
        || !title.words.contains(char::is_alphanumeric)
        || title_length > 100
        || (length * 2 < title_length && !is_short)
    {
        return None;
    }
    // Stars and hashes also part stretches of text: under a heading they are as long as it.
    if matches!(mark, '#' | '*') && !is_as_long(ruler.words, title.words) {
        return None;
    }
    let is_beside = || ruler.indent != title.indent || !is_as_long(ruler.words, title.words);
    if place_of(mark).is_some() && is_beside() {
        return None;
    }
    Some(mark)
}

/// Whether signs of equality underline the first line that are fewer than its own: two of them are enough.
pub(super) fn is_over_short(lines: &[Line<'_>]) -> bool {
    let ruler = lines.get(1).map_or("", |line| line.words);
    let title = lines.first().map_or("", |line| line.words);
    ruler.starts_with("==") && ruler.len() < title.len() && mark_under(lines) == Some('=')
}

/// A heading of these words.
pub(super) fn heading(level: u8, words: &str, range: Range<usize>) -> Block {
    let bare = words.trim_start_matches('#');
    // A box of hashes has one on either side; `C#` ends in its own.
    let boxed = bare.trim_end().trim_end_matches('#');
    let bare = match bare.len() < words.len() && boxed.ends_with(' ') {
        true => boxed.trim_end(),
        false => bare,
    };
    let words = bare.trim_end_matches(':');
    Block {
        kind: BlockKind::Heading {
            level,
            text: vec![Inline::Text(squash(words))],
        },
        span: Span::of(range),
    }
}

/// The level of a line that stands alone when it is numbered like a section, in capitals, or called a chapter.
fn evident(line: &Line<'_>, first_of_all: bool) -> Option<u8> {
    let words = line.words;
    let length = words.chars().count();
    if !(3..=90).contains(&length) || words.ends_with(['.', ',', ';']) {
        return None;
    }
    if let Some(level) = level_of_number(line).or_else(|| called(words)) {
        return Some(level);
    }
    if words.ends_with(['?', '!']) {
        return None;
    }
    if is_atx_heading(words) && !is_prompt(words) {
        let level = words.bytes().take_while(|b| *b == b'#').count();
        return u8::try_from(level).ok();
    }
    // A constant that is shown, set in from the words around it, is not one of them.
    if words.contains('_') && line.indent >= CODE_INDENT {
        return None;
    }
    // Nor is one that is set: `HEAT=-DHOT -DKILN`.
    let is_set = words.split(' ').next().is_some_and(|first| {
        first
            .split_once('=')
            .is_some_and(|(name, value)| !name.is_empty() && !value.is_empty())
    });
    if is_set {
        return None;
    }
    is_in_capitals(words).then_some(if first_of_all { 1 } else { 2 })
}

/// Whether words are a few in capitals.
fn is_in_capitals(words: &str) -> bool {
    let letters = words.chars().filter(|c| c.is_alphabetic()).count();
    let capitals = words.chars().filter(|c| c.is_uppercase()).count();
    letters >= 4
        && capitals == letters
        && words.chars().count() <= CAPITALS_CHARS_MAX
        && !words.starts_with('*')
}

/// Whether several lines in capitals, each another, stand right above paragraphs: who speaks is named so as well, but again and again.
fn has_capitals(lines: &[Line<'_>]) -> bool {
    let mut names = HashSet::new();
    let mut found = 0;
    for at in 0..lines.len() {
        let is_first = at
            .checked_sub(1)
            .and_then(|above| lines.get(above))
            .is_none_or(|line| line.words.is_empty());
        let Some((first, _)) = lines
            .get(at..)
            .and_then(|rest| rest.split_first())
            .filter(|_| is_first)
        else {
            continue;
        };
        if lines.get(at..).and_then(over_paragraph) == Some(true) {
            found += 1;
            names.insert(first.words);
        }
    }
    names.len() >= CAPITALS_MIN && names.len() == found
}

/// What is called so warns or hints, and heads nothing.
const LABELS: [&str; 8] = [
    "ATTENTION",
    "CAUTION",
    "DANGER",
    "HINT",
    "IMPORTANT",
    "NOTE",
    "TIP",
    "WARNING",
];

/// Whether the first line is in capitals and stands right above a paragraph, and whether that has small letters as prose has: of those
/// that have none, only words that are few may head it.
fn over_paragraph(lines: &[Line<'_>]) -> Option<bool> {
    let (line, next) = (lines.first()?, lines.get(1)?);
    let count = |words: &str| words.split_whitespace().count();
    let is_head = is_in_capitals(line.words)
        && !LABELS.contains(&line.words.trim_end_matches(':'))
        && line.words.starts_with(char::is_uppercase)
        && line
            .words
            .ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | '"' | ':'))
        && !line
            .words
            .contains(['_', '=', '<', '>', '{', '}', '|', '$', ';'])
        && line.indent == next.indent;
    let is_prose = next
        .words
        .starts_with(|c: char| c.is_alphanumeric() || "\"“‘'(".contains(c))
        && count(next.words) >= PROSE_WORDS_MIN;
    if !is_head || !is_prose {
        return None;
    }
    let small = next.words.chars().filter(|c| c.is_lowercase()).count();
    let capitals = next.words.chars().filter(|c| c.is_uppercase()).count();
    match small > capitals * 2 {
        true => Some(true),
        false => (small == 0 && count(line.words) <= HEAD_WORDS_MAX).then_some(false),
    }
}

/// Whether the first line is not indented and the second one is; or the first one by one blank, and the second one by two.
fn stands_over(lines: &[Line<'_>]) -> bool {
    matches!(lines, [line, next, ..] if !next.words.is_empty()
        && (line.indent == 0 && next.indent >= 3 || line.indent == 1 && next.indent == 2))
}

/// The name of a manual page in its first line, which gives it at both ends: `TLS(8)     TLS(8)`.
pub(super) fn name_of_manual(words: &str) -> Option<String> {
    let (first, last) = (
        words.split("  ").next()?.trim(),
        words.rsplit("  ").next()?.trim(),
    );
    if first.len() == words.len() {
        return None;
    }
    let (name, section) = first.strip_suffix(')')?.split_once('(')?;
    let is_section = section.starts_with(|c: char| c.is_ascii_digit()) && section.len() <= 4;
    let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
    (first == last && is_section && is_name).then(|| {
        if first.contains(char::is_lowercase) {
            first.to_owned()
        } else {
            first.to_lowercase()
        }
    })
}

/// Whether a line that stands alone is drawn, to part what is above it from what is below.
pub(super) fn is_parting(words: &str) -> bool {
    let mark = words.chars().next();
    let length = words.chars().count();
    mark.is_some_and(|mark| {
        let is_long = length >= 5 && "=_*~#━─".contains(mark) || length >= 3 && mark == '-';
        is_long && words.chars().all(|c| c == mark)
    })
}

/// "3 Title", "3.2. Title" or "A.1. Title": one below the book's title for each part of the number.
pub(super) fn level_of_number(line: &Line<'_>) -> Option<u8> {
    let words = line.words;
    let number = words.split_whitespace().next()?;
    let parts: Vec<&str> = number.trim_end_matches('.').split('.').collect();
    let is_number = parts.iter().enumerate().all(|(at, part)| {
        let is_letter = at == 0
            && parts.len() > 1
            && part.len() == 1
            && part.bytes().all(|b| b.is_ascii_uppercase());
        let is_digits =
            !part.is_empty() && part.len() <= 3 && part.bytes().all(|b| b.is_ascii_digit());
        is_letter || is_digits
    });
    let name = words.get(number.len()..)?.trim_start().chars().next()?;
    // A single number begins an item as well: it is a section's where it is not indented and what follows is a name.
    let is_named = match parts.len() {
        1 => name.is_uppercase() && line.indent <= 3 && !words.ends_with(['?', '!']),
        _ => {
            let begins = name.is_alphanumeric() || NAMED_MARKS.contains(name);
            begins && (name.is_uppercase() || line.indent <= 3)
        }
    };
    (is_number && is_named && words.split_whitespace().count() <= 16)
        .then(|| u8::try_from(parts.len().min(5)).unwrap_or(5) + 1)
}

/// "Chapter 2. Title", "Appendix A".
fn called(words: &str) -> Option<u8> {
    let (name, rest) = words.split_once(char::is_whitespace)?;
    let number = rest.split_whitespace().next()?.trim_end_matches(['.', ':']);
    let is_number = !number.is_empty()
        && (number.bytes().all(|b| b.is_ascii_digit())
            || number.bytes().all(|b| b"IVXLC".contains(&b))
            || (number.len() == 1 && number.bytes().all(|b| b.is_ascii_uppercase()))
            || NUMBERS.contains(&number.to_lowercase().as_str()));
    let is_name = ["chapter", "part", "appendix"].contains(&name.to_lowercase().as_str());
    (is_name && is_number).then_some(2)
}

/// Numbers of chapters in words.
const NUMBERS: [&str; 12] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
];

/// The title that the first line is, and how many lines it takes: it stands over fields, over a conversation, or alone at the head of
/// a whole document.
pub(super) fn title(lines: &[Line<'_>], over_talk: bool, is_whole: bool) -> Option<(usize, Block)> {
    let at = lines.iter().position(|line| !line.words.is_empty())?;
    let line = lines.get(at)?;
    let next = lines.get(at + 1).map_or("", |line| line.words);
    let is_field = shapes::field(line.words).is_some();
    let is_over = match shapes::field(next) {
        // A title may have a colon as well, where what is below it can only belong to a head.
        Some((name, _)) => !is_field || matches!(name, "Date" | "Author" | "By" | "Status"),
        None => {
            let goes_on = lines.iter().skip(at + 1).any(|line| !line.words.is_empty());
            next.is_empty() && (over_talk || is_whole && goes_on && stands_alone(line)) && !is_field
        }
    };
    let names = || {
        is_whole
            && is_name_line(line.words)
            && !goes_on_naming(lines.get(at + 1..).unwrap_or_default())
    };
    // What is set in the middle over a text that begins at the margin may begin with a name in small letters.
    let is_centred = || {
        let below = lines
            .iter()
            .skip(at + 1)
            .find(|line| !line.words.is_empty());
        line.indent >= CENTRED_INDENT
            && below.is_some_and(|below| below.indent == 0)
            && line.words.contains(char::is_uppercase)
            && line.words.split_whitespace().count() > 1
            && is_short(line.words)
    };
    (is_over && (is_title(line.words) || names() || is_centred()))
        .then(|| (at + 1, heading(1, line.words, line.range.clone())))
}

/// Whether a line names a program and says what it is, as the first line of a manual does: `kiln - fire clay`.
fn is_name_line(words: &str) -> bool {
    let parts = words.split_once(" - ").or_else(|| words.split_once(" – "));
    words.chars().count() <= 80
        && !words.ends_with(['.', ',', ';', ':', '?', '!'])
        && parts.is_some_and(|(name, told)| {
            name.starts_with(char::is_alphabetic)
                && name
                    .chars()
                    .all(|c| c.is_alphanumeric() || "-_+.".contains(c))
                && told.trim_start().starts_with(char::is_alphabetic)
                && told.split_whitespace().count() >= 2
        })
}

/// Whether what is below says the same of another name: a list, then, and no title.
fn goes_on_naming(lines: &[Line<'_>]) -> bool {
    let next = lines.iter().find(|line| !line.words.is_empty());
    next.is_some_and(|line| is_name_line(line.words))
}

/// Whether the first line of a document has nothing that begins a list, a section or code.
fn stands_alone(line: &Line<'_>) -> bool {
    line.words.chars().filter(|c| c.is_alphabetic()).count() >= 4
        && !line.words.contains("  ")
        && name_of_manual(line.words).is_none()
        && evident(line, true).is_none()
}

/// Whether a name may begin so: scripts without capitals have no other letters.
fn begins_name(first: char) -> bool {
    first.is_uppercase() || first.is_alphabetic() && !first.is_lowercase()
}

/// Whether a line may be the title of a text: a few words, and no sentence.
fn is_title(words: &str) -> bool {
    words.chars().next().is_some_and(begins_name) && is_short(words)
}

/// Whether words are few, and end as no sentence does.
fn is_short(words: &str) -> bool {
    words.chars().count() <= 80
        && words.split_whitespace().count() <= 12
        && !words.ends_with([
            '.', ',', ';', ':', '?', '!', '。', '，', '、', '；', '：', '？', '！',
        ])
}

/// Puts the first line above the headings when it is evidently the title, and the headings below it.
pub(super) fn settle(blocks: &mut [Block]) {
    let count = blocks
        .iter()
        .filter(|block| matches!(block.kind, BlockKind::Heading { .. }))
        .count();
    if let Some(first) = blocks.first_mut()
        && let BlockKind::Paragraph(text) = &first.kind
        && let [Inline::Text(words)] = text.as_slice()
        && count >= 3
        && is_title(words)
        // A line for itself: nothing was joined.
        && first.span.bytes.len() <= words.len() + 8
    {
        let text = text.clone();
        first.kind = BlockKind::Heading { level: 1, text };
    }
    // Sections that stand as high as the first may be its equals; those of a book are numbered, and its title is not.
    let is_numbered = |text: &[Inline]| {
        let words = plain(text);
        words.starts_with(|c: char| c.is_ascii_digit()) || called(&words).is_some()
    };
    let highest: Vec<bool> = blocks
        .iter()
        .filter_map(|block| match &block.kind {
            BlockKind::Heading { level: 1, text } => Some(is_numbered(text)),
            _ => None,
        })
        .collect();
    let numbered = highest.iter().filter(|is| **is).count();
    let starts_unnumbered = blocks.first().is_some_and(
        |block| matches!(&block.kind, BlockKind::Heading { level: 1, text } if !is_numbered(text)),
    );
    if starts_unnumbered && numbered * 2 > highest.len().saturating_sub(1) {
        under_title(None, blocks);
    }
}

/// Whether `line` is a heading in the way of Markdown.
pub(super) fn is_atx_heading(line: &str) -> bool {
    let level = line.bytes().take_while(|b| *b == b'#').count();
    (1..=6).contains(&level) && line.as_bytes().get(level) == Some(&b' ') && line.len() > level + 1
}

#[cfg(test)]
mod tests {
    use crate::text::read;
    use skillkiln_document::markdown::write;

    fn written(source: &str) -> String {
        write(&read(source.to_owned()).blocks)
    }

    #[test]
    fn a_line_set_in_the_middle_is_the_title_although_it_begins_with_a_name_in_small_letters() {
        let plans = |indent: usize| {
            let title = " ".repeat(indent);
            written(&format!(
                "{title}kilnctl Plans\n\nDoors:\n\n * Mend it.\n\n * Paint it.\n"
            ))
        };
        assert!(plans(21).starts_with("# kilnctl Plans\n"), "{}", plans(21));
        assert!(!plans(0).contains('#'), "{}", plans(0));
    }

    #[test]
    fn where_one_mark_is_under_numbers_of_all_depths_they_tell_the_level() {
        let part = |name: &str, mark: &str| {
            format!("{name}\n{}\n\nIt is hot.\n\n", mark.repeat(name.len()))
        };
        let source = [
            part("Kilns", "="),
            part("1. What is it?", "-"),
            part("2. Heat it", "-"),
            part("2.1 By day", "-"),
            part("2.1.1 At noon", "-"),
            part("3. Cool it", "-"),
        ]
        .concat();
        let text = written(&source);
        for head in [
            "## 1. What is it?\n",
            "## 2. Heat it\n",
            "### 2.1 By day\n",
            "#### 2.1.1 At noon\n",
            "## 3. Cool it\n",
        ] {
            assert!(text.contains(&format!("\n{head}")), "{text}");
        }
    }

    #[test]
    fn marks_that_lie_deep_take_the_levels_that_are_used() {
        assert_eq!(
            written(
                "Kilns\n=====\n\nHeat\n----\n\nGas\n~~~\n\nIt is hot.\n\nBlue flame\n\"\"\"\"\"\"\"\"\"\"\n\nIt is hotter.\n"
            ),
            "# Kilns\n\n## Heat\n\n### Gas\n\nIt is hot.\n\n#### Blue flame\n\nIt is hotter.\n"
        );
    }

    #[test]
    fn waves_under_headings_open_no_fence() {
        let source = "Kilns\n*****\n\n1. Heat\n=======\n\nIt **is** hot and `high`.\n\n1.1. Gas of the kiln\n~~~~~~~~~~~~~~~~~~~~\n\nIt burns.\n\n1.2. Wood of the kiln\n~~~~~~~~~~~~~~~~~~~~~\n\nIt **burns** too.\n";
        let text = written(source);
        assert!(!text.contains("```"), "{text}");
        assert!(
            text.contains("#### 1.1. Gas of the kiln\n\nIt burns.\n\n#### 1.2. Wood"),
            "{text}"
        );
    }

    #[test]
    fn waves_around_code_are_a_fence_of_markdown() {
        assert_eq!(
            written(
                "Light it:\n\n~~~~\nkiln on\nkiln --heat 900\n~~~~\n\nWait.\n\n~~~~\nkiln\n~~~~\n"
            ),
            "Light it:\n\n```\nkiln on\nkiln --heat 900\n```\n\nWait.\n\n```\nkiln\n```\n"
        );
    }

    #[test]
    fn what_points_at_code_is_no_ruler() {
        let text = written("It says:\n\nfire(the, kiln)\n     ^^^^^^^^\nis wrong.\n");
        assert!(!text.contains('#'), "{text}");
    }

    #[test]
    fn a_part_of_a_section_of_a_manual_stands_half_as_far_in_as_its_words() {
        let source = "NAME\n    kiln - fires clay\n\nOPTIONS\n    -h, --heat   heats it\n    -c, --cool   cools it\n    -q, --calm   says less\n\nDESCRIPTION\n  INTRODUCTION\n    It heats the kiln until the clay is\n    hard.\n\n  How to cool it\n    Wait for a day.\n";
        assert_eq!(
            written(source),
            "## NAME\n\nkiln - fires clay\n\n## OPTIONS\n\n- **-h, --heat**: heats it\n- **-c, --cool**: cools it\n- **-q, --calm**: says less\n\n## DESCRIPTION\n\n### INTRODUCTION\n\nIt heats the kiln until the clay is hard.\n\n### How to cool it\n\nWait for a day.\n"
        );
    }

    #[test]
    fn a_constant_that_is_set_in_is_no_heading() {
        let text = written("It is the heat of\n\n     KILN_HEAT_MAX\n\nand of nothing else.\n");
        assert!(!text.contains("# KILN"), "{text}");
    }

    #[test]
    fn a_heading_in_a_box_of_hashes_has_none_of_them() {
        let text = written(
            "#############\n# The kiln  #\n#############\n\nIt is hot.\n\n# On C#\n\nIt burns.\n",
        );
        assert!(text.contains("# The kiln\n"), "{text}");
        assert!(
            text.contains("On C#\n") || text.contains("On C\\#\n"),
            "{text}"
        );
    }

    #[test]
    fn what_is_set_in_capitals_is_no_heading() {
        let text = written("It is built with\n\nHEAT=-DHOT -DKILN\n\nand with nothing else.\n");
        assert!(!text.contains("# HEAT"), "{text}");
    }

    #[test]
    fn the_line_that_names_a_program_is_the_title_of_its_manual() {
        let text = written("     kiln - fire clay in the yard\n\n     Ada Lee\n\nIt is hot.\n");
        assert!(
            text.starts_with("# kiln - fire clay in the yard\n"),
            "{text}"
        );
        let text = written("oak - a hard wood\n\nash - a light wood\n\nIt burns.\n");
        assert!(!text.contains("# oak"), "{text}");
    }

    #[test]
    fn lines_in_capitals_right_above_paragraphs_head_them_where_several_do() {
        let prose = "The kiln is free to use for all, and it\nburns every day.\n\n";
        let source = format!(
            "The kiln of the yard is described below.\n\nPREAMBLE\n{prose}WOOD & ASH\n{prose}TERMINATION\n{prose}DISCLAIMER\nTHE KILN IS HOT, AND NOBODY SAYS THAT IT\nIS FIT FOR ANYTHING.\n"
        );
        let text = written(&source);
        for head in ["PREAMBLE", "WOOD & ASH", "TERMINATION", "DISCLAIMER"] {
            assert!(
                text.contains(&format!("## {head}\n\nTHE KILN IS HOT"))
                    || text.contains(&format!("## {head}\n\nThe kiln is free")),
                "{text}"
            );
        }
        // Who speaks is named again.
        let play = format!("ROMEO\n{prose}JULIET\n{prose}MERCUTIO\n{prose}ROMEO\n{prose}");
        assert!(!written(&play).contains("# ROMEO"), "{}", written(&play));
        let one = format!("It is said.\n\nWARNING\n{prose}");
        assert!(!written(&one).contains('#'), "{}", written(&one));
        let labels = format!("It is said.\n\nWARNING\n{prose}CAUTION:\n{prose}NOTE\n{prose}");
        assert!(!written(&labels).contains('#'), "{}", written(&labels));
    }

    #[test]
    fn sections_may_be_called_as_files_are() {
        let text = written(
            "5. Files\n\nThey are old.\n\n5.18. {pre,post}fire\n\nIt burns.\n\n5.19. /etc/kiln\n\nIt is hot.\n",
        );
        for head in ["### 5.18. {pre,post}fire\n", "### 5.19. /etc/kiln\n"] {
            assert!(text.contains(head), "{text}");
        }
    }

    #[test]
    fn numbers_alone_head_nothing_where_headings_have_rulers() {
        let text = written(
            "1. Heat\n=======\n\nIt is hot.\n\n2. Wood\n=======\n\nTwo kinds:\n\n1. Oak\n\n   It is hard.\n\n2. Ash\n\n   It is light.\n\n3. Clay\n=======\n\nIt is wet.\n",
        );
        assert!(
            text.contains("# 2. Wood") && text.contains("# 3. Clay"),
            "{text}"
        );
        assert!(
            !text.contains("# 1. Oak") && !text.contains("# 2. Ash"),
            "{text}"
        );
    }
}
