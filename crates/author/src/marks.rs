//! Owns the marks in what a model writes: `[[5,7]]` names the units that say a sentence, `[[~5,7]]` those that it follows from;
//! `{{code 54.22-29}}`, `{{cmd 61.1}}` and `{{table 72}}` stand for what is taken over from the source.

use crate::units::{UnitId, Units};
use std::fmt;

/// Units that one mark may name; a range counts each.
const CITED_MAX: usize = 120;

/// The units that a sentence names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cite {
    /// Their numbers as they were written.
    pub ids: Vec<UnitId>,
    /// Whether it is said to follow from them.
    pub is_inferred: bool,
}

/// What is taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// Code as it is.
    Code,
    /// What is typed alone, without prompts.
    Command,
    /// A table, or rows of it.
    Table,
}

/// Something of the source that is taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// As what.
    pub taken: Taken,
    /// The unit.
    pub number: u32,
    /// The first and the last line; none for all of it.
    pub lines: Option<(u32, u32)>,
}

impl Reference {
    /// Whether all of it is there.
    #[must_use]
    pub fn exists(&self, units: &Units) -> bool {
        let Some(unit) = units.get(self.number) else {
            return false;
        };
        let has_lines = self.lines.is_none_or(|(first, last)| {
            first >= 1 && first <= last && last as usize <= unit.lines.len()
        });
        has_lines && !unit.lines.is_empty()
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.taken {
            Taken::Code => "code",
            Taken::Command => "cmd",
            Taken::Table => "table",
        };
        write!(f, "{{{{{word} {}", self.number)?;
        match self.lines {
            Some((first, last)) if first == last => write!(f, ".{first}}}}}"),
            Some((first, last)) => write!(f, ".{first}-{last}}}}}"),
            None => write!(f, "}}}}"),
        }
    }
}

/// Units as they are written in a mark: `5-7,9.2`.
#[must_use]
pub fn ranges(ids: &[UnitId]) -> String {
    let mut out: Vec<(UnitId, UnitId)> = Vec::new();
    for id in ids {
        let follows = |last: &UnitId| match (last.line, id.line) {
            (None, None) => last.number + 1 == id.number,
            (Some(last_line), Some(line)) => last.number == id.number && last_line + 1 == line,
            _ => false,
        };
        match out.last_mut() {
            Some((_, last)) if follows(last) => *last = *id,
            _ => out.push((*id, *id)),
        }
    }
    let written = out.iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{}", last.line.unwrap_or(last.number)),
    });
    written.collect::<Vec<_>>().join(",")
}

/// A piece of a line that a model wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Words, which the next mark is about.
    Words(String),
    /// The units that the words before it name.
    Cite(Cite),
    /// Something that is taken over.
    Take(Reference),
}

/// The pieces of a line. What looks like a mark inside a code span is code.
#[must_use]
pub fn pieces(line: &str) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut words = String::new();
    let mut rest = line;
    let mut is_code = false;
    while let Some(first) = rest.chars().next() {
        if first == '`' {
            is_code = !is_code && rest.get(1..).is_some_and(|rest| rest.contains('`'));
        }
        if !is_code && let Some((piece, length)) = mark(rest) {
            flush(&mut words, &mut out);
            out.push(piece);
            rest = rest.get(length..).unwrap_or_default();
            continue;
        }
        words.push(first);
        rest = rest.get(first.len_utf8()..).unwrap_or_default();
    }
    flush(&mut words, &mut out);
    out
}

fn flush(words: &mut String, out: &mut Vec<Piece>) {
    let said = std::mem::take(words);
    if !said.trim().is_empty() {
        out.push(Piece::Words(said.trim().to_owned()));
    }
}

/// The mark at the beginning of a text, and its length.
fn mark(text: &str) -> Option<(Piece, usize)> {
    if let Some(inside) = text.strip_prefix("[[") {
        let end = inside.find("]]").filter(|end| *end < 400)?;
        let cite = cite(inside.get(..end)?)?;
        return Some((Piece::Cite(cite), end + 4));
    }
    let inside = text.strip_prefix("{{")?;
    let end = inside.find("}}").filter(|end| *end < 80)?;
    let (word, place) = inside.get(..end)?.trim().split_once([' ', ':'])?;
    let taken = match word.trim() {
        "code" => Taken::Code,
        "cmd" | "command" => Taken::Command,
        "table" => Taken::Table,
        _ => return None,
    };
    let (number, lines) = place_of(place)?;
    let reference = Reference {
        taken,
        number,
        lines,
    };
    Some((Piece::Take(reference), end + 4))
}

/// The numbers between the brackets of a mark: `5, 7.2, 9-11`, behind a tilde where it is inferred.
#[must_use]
pub fn cite(inside: &str) -> Option<Cite> {
    let is_mark = |c: char| {
        c.is_ascii_digit() || matches!(c, '.' | ',' | ';' | '-' | '–' | '~' | ' ' | '[' | ']')
    };
    if !inside.chars().all(is_mark) || !inside.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut cite = Cite {
        ids: Vec::new(),
        is_inferred: inside.contains('~'),
    };
    for part in inside.split([',', ';', ' ', '[', ']']) {
        let part = part.trim_matches(['~', '.']);
        if part.is_empty() {
            continue;
        }
        cite.ids.extend(ids(part));
        if cite.ids.len() >= CITED_MAX {
            break;
        }
    }
    cite.ids.truncate(CITED_MAX);
    cite.ids.dedup();
    Some(cite)
}

/// `5`, `5.2`, `5-7`, `5.2-4`.
fn ids(part: &str) -> Vec<UnitId> {
    let (first, last) = part.split_once(['-', '–']).unwrap_or((part, ""));
    let number = |text: &str| text.parse::<u32>().ok();
    let (unit, line) = match first.split_once('.') {
        Some((unit, line)) => (number(unit), number(line)),
        None => (number(first), None),
    };
    // A number that is none of ours is kept, so that it is refused and not overlooked.
    let Some(unit) = unit else {
        return vec![UnitId::whole(0)];
    };
    let last = last.rsplit('.').next().and_then(number);
    match (line, last) {
        (None, None) => vec![UnitId::whole(unit)],
        (Some(line), None) => vec![UnitId {
            number: unit,
            line: Some(line),
        }],
        (None, Some(last)) => (unit..=last).take(CITED_MAX).map(UnitId::whole).collect(),
        (Some(line), Some(last)) => (line..=last)
            .take(CITED_MAX)
            .map(|line| UnitId {
                number: unit,
                line: Some(line),
            })
            .collect(),
    }
}

/// `54`, `54.22`, `54.22-29`.
fn place_of(place: &str) -> Option<(u32, Option<(u32, u32)>)> {
    let place = place.trim();
    let (unit, lines) = match place.split_once('.') {
        Some((unit, lines)) => (unit, Some(lines)),
        None => (place, None),
    };
    let unit = unit.trim().parse().ok()?;
    let Some(lines) = lines else {
        return Some((unit, None));
    };
    let (first, last) = lines.split_once(['-', '–']).unwrap_or((lines, lines));
    let last = last.rsplit('.').next().unwrap_or(last);
    Some((
        unit,
        Some((first.trim().parse().ok()?, last.trim().parse().ok()?)),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(ids: &[UnitId]) -> Vec<String> {
        ids.iter().map(UnitId::to_string).collect()
    }

    #[test]
    fn marks_are_read_in_the_ways_in_which_they_are_written() {
        for (inside, expected, is_inferred) in [
            ("5,7", vec!["5", "7"], false),
            ("~5, 7", vec!["5", "7"], true),
            ("54.22-24", vec!["54.22", "54.23", "54.24"], false),
            ("3-5", vec!["3", "4", "5"], false),
            ("5]][[6", vec!["5", "6"], false),
        ] {
            let cite = cite(inside).unwrap();
            assert_eq!(
                (told(&cite.ids), cite.is_inferred),
                (
                    expected.iter().map(|one| (*one).to_owned()).collect(),
                    is_inferred
                )
            );
        }
        for other in ["", "-f x", "package", "~"] {
            assert_eq!(cite(other), None, "{other}");
        }
        assert_eq!(told(&cite("99999999999").unwrap().ids), ["0"]);
        assert_eq!(cite("1-4000000000").unwrap().ids.len(), CITED_MAX);
    }

    #[test]
    fn marks_are_written_as_they_are_read() {
        for written in ["5-7,9.2", "54.22-24", "3", "5,7", "61.1"] {
            assert_eq!(ranges(&cite(written).unwrap().ids), written);
        }
        for written in ["{{cmd 61.1}}", "{{code 54.22-29}}", "{{table 72}}"] {
            let Piece::Take(reference) = &pieces(written)[0] else {
                panic!("{written}");
            };
            assert_eq!(reference.to_string(), written);
        }
    }

    #[test]
    fn a_line_falls_into_words_and_marks() {
        let pieces = pieces(
            "Run `[[ -f x ]]` now [[5]]. Then wait [[~6,7]] {{cmd 61.1}} {{code 54.22-29}} {{huh 3}}",
        );
        let words = |text: &str| Piece::Words(text.to_owned());
        assert_eq!(pieces[0], words("Run `[[ -f x ]]` now"));
        assert_eq!(pieces[2], words(". Then wait"));
        assert!(matches!(&pieces[3], Piece::Cite(cite) if cite.is_inferred && cite.ids.len() == 2));
        let take = |taken, number, lines| {
            Piece::Take(Reference {
                taken,
                number,
                lines,
            })
        };
        assert_eq!(pieces[4], take(Taken::Command, 61, Some((1, 1))));
        assert_eq!(pieces[5], take(Taken::Code, 54, Some((22, 29))));
        assert_eq!(pieces[6], words("{{huh 3}}"));
    }

    #[test]
    fn marks_that_are_not_closed_are_words() {
        for line in ["a [[5", "a {{code 5", "`a [[5]]", "[[", "{{}}", "]]"] {
            let _ = pieces(line);
        }
        assert_eq!(pieces("a [[5"), [Piece::Words("a [[5".into())]);
    }
}
