//! Reads lines of plain text that stand for themselves because they share a shape: columns, fields with names, settings, times.
//! Joined to a paragraph they would say nothing.

use super::code::{self, is_prompt};
use super::{Line, glue, lists};
use crate::builder::tidy;
use crate::code_like;
use skillkiln_document::blocks::{Block, BlockKind, Definition, Span};
use skillkiln_document::text::Inline;
use std::ops::Range;

/// So many lines of one shape, one below the other, are no accident.
const LINES_MIN: usize = 3;
/// What a line of two columns begins with is not longer, in characters.
const TERM_CHARS_MAX: usize = 48;
/// The name of a field is not longer, in words.
const NAME_WORDS_MAX: usize = 4;

/// A key is not longer, in characters.
const KEY_CHARS_MAX: usize = 20;

/// A frame is drawn around no more lines.
const FRAMED_LINES_MAX: usize = 200;
/// A label in capitals is not shorter, in characters.
const LABEL_CHARS_MIN: usize = 3;

/// A statement on a line of its own has so many words.
const STATEMENT_WORDS: std::ops::RangeInclusive<usize> = 2..=18;
/// Running text is filled up to this column at least, or as far as its longest line goes; of statements so many of ten end before.
const FILLED_COLUMNS: usize = 72;
const EARLY_OF_TEN: usize = 6;
/// What leads to a word on the next line, so that a line that ends in it is not over.
const OPEN_WORDS: [&str; 18] = [
    "a", "an", "and", "as", "at", "by", "for", "from", "if", "in", "is", "of", "on", "or", "that",
    "the", "to", "with",
];

/// Whether lines that stand right below each other say something each, as those of a log do: each begins anew, as far in as the
/// others, and most end although the next word would have stood on them. `margin` is how far all of them are set in beside that.
pub(super) fn are_statements(lines: &[Line<'_>], margin: usize) -> bool {
    let Some(first) = lines.first().filter(|_| lines.len() >= LINES_MIN) else {
        return false;
    };
    let begins = |line: &Line<'_>| {
        let key = line.words.split(' ').next().unwrap_or_default();
        line.indent == first.indent
            && (line.words.starts_with(char::is_uppercase) || key.len() > 2 && key.ends_with(':'))
    };
    let is_over = |words: &str| {
        let last = words.rsplit(' ').next().unwrap_or_default();
        !words.ends_with([',', ';', '-', '(', '&', ':']) && !OPEN_WORDS.contains(&last)
    };
    let says = |line: &Line<'_>| {
        let words = line.words.split_whitespace().count();
        begins(line) && STATEMENT_WORDS.contains(&words) && is_over(line.words)
    };
    let width = |line: &Line<'_>| margin + line.indent + line.words.chars().count();
    let longest = lines.iter().map(width).max().unwrap_or_default();
    let filled = longest.max(FILLED_COLUMNS);
    let is_early = |pair: &&[Line<'_>]| match pair {
        [line, next] => {
            let word = next.words.split(' ').next().unwrap_or_default();
            width(line) + 1 + word.chars().count() <= filled
        }
        _ => false,
    };
    let early = lines.windows(2).filter(is_early).count();
    lines.iter().all(says) && early * 10 >= (lines.len() - 1) * EARLY_OF_TEN
}

/// Lines that say something each, as a list.
pub(super) fn statements(lines: &[Line<'_>], running: impl Fn(&str) -> Vec<Inline>) -> Block {
    let item = |line: &Line<'_>| {
        vec![Block {
            kind: BlockKind::Paragraph(running(line.words)),
            span: Span::of(line.range.clone()),
        }]
    };
    let ends = |line: Option<&Line<'_>>| line.map_or(0..0, |line| line.range.clone());
    Block {
        kind: BlockKind::List {
            start: None,
            items: lines.iter().map(item).collect(),
        },
        span: Span::of(ends(lines.first()).start..ends(lines.last()).end),
    }
}

/// What a line looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// What is typed at a prompt.
    Command,
    /// `[section]` or `key=value`.
    Setting,
    /// Two columns, far apart.
    Columns,
    /// More columns than two.
    Table,
    /// A row or a ruler of a table that is drawn with lines.
    Drawn,
    /// `Name: value`.
    Field,
    /// `12:30 words`.
    Time,
    /// `key: words`, where each line begins as far in.
    Key,
}

impl Shape {
    fn of(words: &str) -> Option<Self> {
        if code_like::is_prompted(words) || is_prompt(words) {
            Some(Self::Command)
        } else if is_setting(words) {
            Some(Self::Setting)
        } else if is_drawn(words) {
            Some(Self::Drawn)
        } else if let Some((_, rest)) = columns(words) {
            Some(match columns(rest) {
                None => Self::Columns,
                Some(_) => Self::Table,
            })
        } else if field(words).is_some() {
            Some(Self::Field)
        } else if is_timed(words) {
            Some(Self::Time)
        } else if key(words).is_some() {
            Some(Self::Key)
        } else {
            None
        }
    }
}

/// Lines of one shape, as far as they were read.
struct Run {
    shape: Shape,
    /// The lines that have it; others go on with the one above.
    own: usize,
    /// Where the second column begins, where that is known.
    place: Option<usize>,
    indent: usize,
    /// Whether the first column was one name in each of them.
    is_named: bool,
}

impl Run {
    /// Whether a line belongs to them: it is alike, or indented deeper and goes on with the one above.
    fn takes(&mut self, line: &Line<'_>) -> bool {
        let in_columns = |shape| matches!(shape, Shape::Columns | Shape::Table);
        match Shape::of(line.words) {
            Some(other) if in_columns(other) && in_columns(self.shape) => {
                // Words that a printer spread over the width of a page have their gaps anywhere.
                let place = second_column(line);
                let is_named = columns(line.words).is_some_and(|(name, _)| is_name(name));
                let may_move = self.begins_row(line) && is_named;
                if place.is_some() && self.place.is_some() && place != self.place && !may_move {
                    return false;
                }
                self.place = self.place.or(place);
                self.is_named &= is_named;
                // A row of a table may have empty cells.
                if other == Shape::Table {
                    self.shape = other;
                }
            }
            Some(Shape::Key) if self.shape == Shape::Key && line.indent != self.indent => {
                return false;
            }
            Some(other) if other == self.shape => {}
            // A name that is too long for its column leaves one blank behind it.
            None if self.begins_row(line) && self.overflows(line.words) => {}
            other => {
                let may_go_on = in_columns(self.shape)
                    || matches!(self.shape, Shape::Field | Shape::Key)
                        && !stands_alone(line.words, other);
                return may_go_on && !line.words.is_empty() && line.indent >= self.indent + 4;
            }
        }
        self.own += 1;
        true
    }

    /// Whether a line begins where rows do of which there are enough, each with a name in its first column.
    fn begins_row(&self, line: &Line<'_>) -> bool {
        self.shape == Shape::Columns
            && self.is_named
            && self.own >= LINES_MIN
            && line.indent == self.indent
    }

    /// Whether words begin with a name that ends where the second column should begin, or behind that.
    fn overflows(&self, words: &str) -> bool {
        let name = words.split(' ').next().unwrap_or_default();
        let end = self.indent + name.chars().count() + 1;
        is_name(name) && name.len() < words.len() && self.place.is_some_and(|place| end >= place)
    }
}

/// Whether words are one name, as those of options are: no word that begins a sentence.
fn is_name(words: &str) -> bool {
    words
        .chars()
        .all(|c| c.is_alphanumeric() || "_-.".contains(c))
        && !words.starts_with(char::is_uppercase)
}

/// Whether an indented line says something of its own and does not go on with the field above it: code, or an item.
fn stands_alone(words: &str, shape: Option<Shape>) -> bool {
    matches!(shape, Some(Shape::Command | Shape::Setting | Shape::Drawn))
        || lists::marker(words).is_some()
        || code_like::line(words)
}

/// How many lines from the start share a shape and stand for themselves, and what they are; none when there are too few.
pub(super) fn read(text: &str, lines: &[Line<'_>]) -> Option<(usize, Block)> {
    let first = lines.first()?;
    let framed = framed_length(lines);
    if framed > 0 {
        let (framed, _) = lines.split_at(framed);
        return Some((framed.len(), code::block(text, framed)?));
    }
    let mut run = Run {
        shape: Shape::of(first.words)?,
        own: 0,
        place: None,
        indent: first.indent,
        is_named: true,
    };
    let length = lines.iter().take_while(|line| run.takes(line)).count();
    let Run { shape, own, .. } = run;
    let enough = match shape {
        Shape::Command => 1,
        Shape::Setting if first.words.starts_with('[') => 2,
        _ => LINES_MIN,
    };
    if own < enough {
        return None;
    }
    let (stretch, _) = lines.split_at(length);
    // Names of sections alone set nothing: brackets stand around what is heard as well.
    if shape == Shape::Setting && !stretch.iter().any(|line| line.words.contains('=')) {
        return None;
    }
    let block = match shape {
        Shape::Command | Shape::Setting | Shape::Table | Shape::Drawn => {
            code::block(text, stretch)?
        }
        // What a sign alone stands for is a table and no definition.
        Shape::Columns if !stretch.iter().all(names_something) => code::block(text, stretch)?,
        Shape::Columns => definitions(stretch, shape, columns),
        Shape::Field => definitions(stretch, shape, field),
        Shape::Key => definitions(stretch, shape, key),
        Shape::Time => items(stretch),
    };
    Some((length, block))
}

/// Whether the first column of a line has letters in it, where it has one.
fn names_something(line: &Line<'_>) -> bool {
    columns(line.words).is_none_or(|(name, _)| name.contains(char::is_alphanumeric))
}

/// How many lines from the start stand in a frame: from its upper corner to its lower one.
fn framed_length(lines: &[Line<'_>]) -> usize {
    if !lines
        .first()
        .is_some_and(|line| line.words.starts_with(['┌', '╔', '╭']))
    {
        return 0;
    }
    lines
        .iter()
        .take(FRAMED_LINES_MAX)
        .take_while(|line| !line.words.is_empty())
        .position(|line| line.words.starts_with(['└', '╚', '╰']))
        .map_or(0, |end| end + 1)
}

/// How many lines from the start are typed, whatever is above them: at a prompt, or as settings.
pub(super) fn typed_length(lines: &[Line<'_>]) -> usize {
    let Some((first, below)) = lines.split_first() else {
        return 0;
    };
    // Behind a hash stands a comment as well.
    let shape = match Shape::of(first.words) {
        Some(Shape::Command) if code_like::is_prompted(first.words) => Shape::Command,
        Some(Shape::Setting) => Shape::Setting,
        _ => return 0,
    };
    let is_own =
        |line: &Line<'_>| line.indent >= first.indent && Shape::of(line.words) == Some(shape);
    let sets = |line: &Line<'_>| is_own(line) && line.words.contains('=');
    let (others, is_section) = (below.first(), first.words.starts_with('['));
    // Names of sections alone set nothing.
    if shape == Shape::Setting && is_section && !others.is_some_and(sets) {
        return 0;
    }
    let length = 1 + below.iter().take_while(|line| is_own(line)).count();
    if shape == Shape::Command || is_section || length >= LINES_MIN {
        length
    } else {
        0
    }
}

/// Where the second column of a line begins that is parted by blanks; where a tab puts it is not known.
fn second_column(line: &Line<'_>) -> Option<usize> {
    let (_, rest) = columns(line.words)?;
    let before = line.words.strip_suffix(rest)?;
    let before = before.strip_suffix("- ").unwrap_or(before);
    (!before.contains('\t')).then(|| line.indent + before.chars().count())
}

/// Terms and what is told of them, from lines that have both.
fn definitions(lines: &[Line<'_>], shape: Shape, parts: fn(&str) -> Option<(&str, &str)>) -> Block {
    let margin = lines.first().map_or(0, |line| line.indent);
    let mut entries: Vec<(&str, String, Range<usize>)> = Vec::new();
    for line in lines {
        let own = Shape::of(line.words);
        // A row whose name leaves one blank behind it has no shape of its own.
        let is_row = shape == Shape::Columns && own.is_none() && line.indent == margin;
        let parted = match own == Some(shape) {
            true => parts(line.words),
            false if is_row => line.words.split_once(' '),
            false => None,
        };
        if let Some((term, words)) = parted {
            let start = line.range.end - words.len();
            entries.push((term, words.to_owned(), start..line.range.end));
        } else if let Some((_, words, range)) = entries.last_mut() {
            glue(words, line.words);
            range.end = line.range.end;
        }
    }
    let running = |words: String| tidy(vec![Inline::Text(words)]);
    let entries = entries
        .into_iter()
        .map(|(term, words, range)| Definition {
            terms: vec![running(term.to_owned())],
            blocks: vec![Block {
                kind: BlockKind::Paragraph(running(words)),
                span: Span::of(range),
            }],
        })
        .collect();
    let start = lines.first().map_or(0, |line| line.range.start);
    let end = lines.last().map_or(start, |line| line.range.end);
    Block {
        kind: BlockKind::Definitions(entries),
        span: Span::of(start..end),
    }
}

fn items(lines: &[Line<'_>]) -> Block {
    let start = lines.first().map_or(0, |line| line.range.start);
    let end = lines.last().map_or(start, |line| line.range.end);
    let items = lines
        .iter()
        .map(|line| {
            vec![Block {
                kind: BlockKind::Paragraph(tidy(vec![Inline::Text(line.words.to_owned())])),
                span: Span::of(line.range.clone()),
            }]
        })
        .collect();
    Block {
        kind: BlockKind::List { start: None, items },
        span: Span::of(start..end),
    }
}

/// `[section]`, or `key=value` with a key of one word.
pub(super) fn is_setting(words: &str) -> bool {
    let section = words
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    if let Some(name) = section {
        return !name.is_empty() && !name.contains([']', '[']);
    }
    words.split_once('=').is_some_and(|(key, value)| {
        let key = key.trim_end();
        !key.is_empty()
            && !value.starts_with('=')
            && key
                .chars()
                .all(|c| c.is_alphanumeric() || "_-.".contains(c))
    })
}

/// The first column of a line with a wide gap in it, and the rest. A sentence may end before a wide gap as well.
pub(super) fn columns(words: &str) -> Option<(&str, &str)> {
    let gap = words.find("  ").into_iter().chain(words.find('\t')).min()?;
    let (term, rest) = words.split_at_checked(gap)?;
    let term = term.trim_end();
    let rest = rest.trim_start();
    // A dash may part the columns; before a number it is its sign.
    let rest = rest
        .strip_prefix("- ")
        .filter(|rest| !rest.trim_start().starts_with(|c: char| c.is_ascii_digit()))
        .unwrap_or(rest);
    let is_term = !term.is_empty()
        && !term.ends_with(['.', '!', '?', ':', ','])
        && term.chars().count() <= TERM_CHARS_MAX;
    (is_term && !rest.is_empty()).then_some((term, rest))
}

/// A row between lines, or a line between rows.
fn is_drawn(words: &str) -> bool {
    words.len() > 2 && words.starts_with('|') && words.ends_with('|') || words.starts_with("+-")
}

/// `Name: value`, with a name of few words.
pub(super) fn field(words: &str) -> Option<(&str, &str)> {
    let (name, value) = words.split_once(": ")?;
    let is_name = name.chars().next().is_some_and(char::is_uppercase)
        && name.split_whitespace().count() <= NAME_WORDS_MAX
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || " -_/()'".contains(c));
    let value = value.trim_start();
    (is_name && !value.is_empty()).then_some((name, value))
}

/// `key: value`, where the key is a short word or several of them.
fn key(words: &str) -> Option<(&str, &str)> {
    let (keys, value) = words.split_once(": ")?;
    let is_key = |key: &str| {
        (1..=KEY_CHARS_MAX).contains(&key.chars().count())
            && key.starts_with(char::is_alphabetic)
            && key.chars().all(|c| c.is_alphanumeric() || "_-".contains(c))
    };
    let value = value.trim_start();
    let is_value = !value.is_empty() && !value.ends_with(',');
    (is_value && keys.split(", ").all(is_key)).then_some((keys, value))
}

/// How many lines from the start begin with a key each: two are enough below words that lead to them.
pub(super) fn keys_length(lines: &[Line<'_>], above: &str) -> usize {
    let Some(first) = lines.first() else { return 0 };
    let is_one =
        |line: &&Line<'_>| line.indent == first.indent && Shape::of(line.words) == Some(Shape::Key);
    let length = lines.iter().take_while(is_one).count();
    let least = if above.ends_with(':') { 2 } else { LINES_MIN };
    if length >= least { length } else { 0 }
}

/// Terms and what is told of them, from lines that begin with a key each.
pub(super) fn keys(lines: &[Line<'_>]) -> Block {
    definitions(lines, Shape::Key, key)
}

/// Whether a line begins with a label in capitals, as the minutes of a meeting have them: `ACTION (Ada): buy wood`.
pub(super) fn is_labelled(words: &str) -> bool {
    let label = words.split(['(', ':']).next().unwrap_or("").trim_end();
    let is_label = label.chars().count() >= LABEL_CHARS_MIN
        && label.chars().all(|c| c.is_uppercase() || c == ' ')
        && label.split(' ').count() <= NAME_WORDS_MAX;
    is_label
        && words
            .get(label.len()..)
            .is_some_and(|rest| rest.starts_with(": ") || rest.contains("): "))
}

/// Whether a line begins with a time of the day, a moment of a recording or a date.
fn is_timed(words: &str) -> bool {
    let stamp = words.trim_start_matches(['[', '(']);
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let first = stamp
        .split([' ', ']', ')', 'T', ',', '.'])
        .next()
        .unwrap_or("");
    let is_clock = (2..=3).contains(&first.split(':').count()) && first.split(':').all(digits);
    let is_date =
        first.len() == 10 && first.split('-').count() == 3 && first.split('-').all(digits);
    (is_clock || is_date) && words.len() > first.len() + 2
}

#[cfg(test)]
mod tests {
    use crate::text::read_plain;
    use skillkiln_document::markdown::write;

    fn written(source: &str) -> String {
        write(&read_plain(source.to_owned()).blocks)
    }

    #[test]
    fn two_columns_are_terms_and_what_they_mean() {
        assert_eq!(
            written(
                "Usage of it\n\nkiln on \t\tlight it\nkiln off|cold\tput it out\n\t\t\tand wait\nkiln heat N\tset the heat\n"
            ),
            "Usage of it\n\n- **kiln on**: light it\n- **kiln off|cold**: put it out and wait\n- **kiln heat N**: set the heat\n"
        );
    }

    #[test]
    fn a_name_that_is_too_long_for_its_column_begins_a_row_and_a_sign_alone_is_no_term() {
        assert_eq!(
            written(
                "heat       How hot it is.\nwood       The wood.\ndoor       Whether it is open.\nchimneyheight The size of it. It is the\n              width where it is unset.\nroof_colours   All of them.\nash        What is left.\n"
            ),
            "- **heat**: How hot it is.\n- **wood**: The wood.\n- **door**: Whether it is open.\n- **chimneyheight**: The size of it. It is the width where it is unset.\n- **roof_colours**: All of them.\n- **ash**: What is left.\n"
        );
        let signs = "=>   heat it\n<>   cool it\n&&   wait\n";
        assert_eq!(written(signs), format!("```\n{signs}```\n"));
    }

    #[test]
    fn more_columns_than_two_without_names_are_kept_to_the_letter() {
        let drawn =
            "oak      900   burns long\nwillow   700   burns fast\nash      800   burns clean\n";
        assert_eq!(written(drawn), format!("```\n{drawn}```\n"));
    }

    #[test]
    fn tables_drawn_with_lines_are_kept_to_the_letter() {
        let drawn =
            "+------+-----+\n| Wood | Hot |\n+------+-----+\n| oak  | yes |\n+------+-----+\n";
        assert_eq!(written(drawn), format!("```\n{drawn}```\n"));
    }

    #[test]
    fn prose_with_wide_gaps_behind_its_sentences_stays_prose() {
        let prose = "It is hot.  And the\nwood is dry.  Then it\nburns fast.  It is loud.\n";
        assert_eq!(written(prose).lines().count(), 1);
    }

    #[test]
    fn settings_are_code_and_fields_are_terms() {
        assert_eq!(
            written(
                "Write:\n\n[Unit]\nRequires=kiln.service\nAfter=kiln.service\n\nDate: today\nPlace: here\nHeat of it: 900\n"
            ),
            "Write:\n\n```\n[Unit]\nRequires=kiln.service\nAfter=kiln.service\n```\n\n- **Date**: today\n- **Place**: here\n- **Heat of it**: 900\n"
        );
    }

    #[test]
    fn lines_with_a_key_each_stand_apart_in_items_too() {
        let keys = "e: heat of the kiln\n    f: wood in it\n    E, F: likewise by night\n";
        assert_eq!(
            written(&format!(
                "It tells\n    {keys}\n* A letter of these:\n    {keys}  and more.\n\nnote: it is\nhot: so\n"
            )),
            "It tells\n\n- **e**: heat of the kiln\n- **f**: wood in it\n- **E, F**: likewise by night\n\n* A letter of these:\n\n  - **e**: heat of the kiln\n  - **f**: wood in it\n  - **E, F**: likewise by night\n\n  and more.\n\nnote: it is hot: so\n"
        );
    }

    #[test]
    fn lines_with_times_stand_apart() {
        assert_eq!(
            written("The log:\n\n10:02 it is lit\n10:30 it is hot\n11:00 it is out\n"),
            "The log:\n\n- 10:02 it is lit\n- 10:30 it is hot\n- 11:00 it is out\n"
        );
    }

    #[test]
    fn commands_below_words_are_code() {
        assert_eq!(
            written("Light it with:\n# kiln --on\n$ kiln --look\n\nIt burns.\n"),
            "Light it with:\n\n```\n# kiln --on\n$ kiln --look\n```\n\nIt burns.\n"
        );
    }

    #[test]
    fn the_sign_of_a_number_is_kept_in_columns() {
        assert_eq!(
            written("Monday     - 5 degrees\nTuesday    - 7 degrees\nnever      - too cold\n"),
            "- **Monday**: \\- 5 degrees\n- **Tuesday**: \\- 7 degrees\n- **never**: too cold\n"
        );
    }

    #[test]
    fn code_and_items_below_a_field_are_not_its_words() {
        assert_eq!(
            written(
                "Name: kiln\nLicence: MIT\nExample: look\n    $ kiln --on\n    $ kiln --look\nWood: these\n    - oak\n    - ash\n"
            ),
            "- **Name**: kiln\n- **Licence**: MIT\n- **Example**: look\n\n```\n$ kiln --on\n$ kiln --look\n```\n\nWood: these\n\n- oak\n- ash\n"
        );
    }

    #[test]
    fn what_is_heard_stands_in_brackets_and_is_no_setting() {
        assert!(!written("[Intro music]\n[A door opens]\n\nHello.\n").contains("```"));
    }

    #[test]
    fn a_field_that_goes_on_over_many_lines_is_folded_once() {
        let source = format!("Aa: b\nBb: c\nCc: d\n{}", "    more of it\n".repeat(40_000));
        assert!(written(&source).len() > 40_000 * "more of it".len());
    }

    #[test]
    fn what_is_framed_keeps_its_lines() {
        let framed = "┌───\n    FireKiln\n\theat: CARD32\n      ▶\n\twood: CARD32\n└───\n";
        assert_eq!(
            written(&format!(
                "Requests\n\n{framed}\tErrors: Heat\n\nFires it.\n"
            )),
            format!("Requests\n\n```\n{framed}```\n\nErrors: Heat\n\nFires it.\n")
        );
    }
}
