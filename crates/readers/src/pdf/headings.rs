//! Finds the headings among the lines: by the outline where there is one, else by size, weight and numbers.

use crate::pdf::bylines;
use crate::pdf::flow::text_size;
use crate::pdf::heading::{Heading, words};
use crate::pdf::labels::is_label;
use crate::pdf::line::{Line, Piece};
use crate::pdf::outline::{Outline, is_number, key};
use crate::pdf::samples;
use std::collections::{HashMap, HashSet};

/// Lines that one heading may be broken into.
const LINES_MAX: usize = 4;
/// Characters of a heading; whole paragraphs that are set large are none.
const CHARACTERS_MAX: usize = 180;
/// Characters of a heading that the outline names in the same words.
const OUTLINED_CHARACTERS_MAX: usize = 320;

/// What is set in letters of one width is code, unless it is so many times as large as the text.
const FIXED_TIMES: f32 = 1.3;
/// The heading of a numbered section that is set in the size of the text has so many characters.
const NUMBERED_CHARACTERS_MAX: usize = 90;

/// What ends with a colon and has so many words is a sentence.
const SAID_WORDS_MIN: usize = 8;

/// So many stretches of a row stand apart from what is before them.
const COLUMNS_MIN: usize = 3;

/// How a line is set, as far as it tells headings from text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Style {
    /// Half points.
    size: i32,
    is_bold: bool,
}

impl Style {
    fn of(line: &Line) -> Self {
        Self {
            size: (text_size(line) * 2.0).round() as i32,
            is_bold: line.share(|piece| piece.face.is_bold) > 0.8,
        }
    }
}

/// The size that most letters are set in.
pub(crate) fn body_size(lines: &[Line]) -> f32 {
    let mut letters: HashMap<i32, usize> = HashMap::new();
    for line in lines.iter().filter(|line| !line.is_fixed()) {
        *letters.entry((line.size * 2.0).round() as i32).or_default() += line.text().len();
    }
    letters
        .into_iter()
        .max_by_key(|(size, letters)| (*letters, *size))
        .map_or(10.0, |(size, _)| size as f32 / 2.0)
}

/// The headings of a document, by the number of their first line.
pub(crate) fn find(lines: &[Line], outline: &Outline) -> HashMap<usize, Heading> {
    let body = body_size(lines);
    let mut headings = HashMap::new();
    let mut levels: HashMap<Style, HashMap<u8, usize>> = HashMap::new();
    for (first, heading) in outlined(lines, outline, body) {
        if let Some(line) = lines.get(first) {
            *levels
                .entry(Style::of(line))
                .or_default()
                .entry(heading.level)
                .or_default() += 1;
        }
        headings.insert(first, heading);
    }
    let known: HashMap<Style, u8> = levels
        .into_iter()
        .filter_map(|(style, levels)| {
            let (level, count) = levels
                .into_iter()
                .max_by_key(|(level, count)| (*count, *level))?;
            (count >= 2 || !outline.is_empty()).then_some((style, level))
        })
        .collect();
    let mut above: Vec<usize> = headings.keys().copied().collect();
    above.sort_unstable();
    for at in above {
        // "CHAPTER FOUR" stands on one line or on two.
        let label = (1..=2)
            .filter_map(|count| Some((at.checked_sub(count)?, count)))
            .find(|(from, count)| is_label(&words(lines, *from, *count)));
        let label = label.or_else(|| {
            // Where "CHAPTER" runs along the pages, its number alone is left.
            let (from, line) = at
                .checked_sub(1)
                .and_then(|from| Some((from, lines.get(from)?)))?;
            let is_first = from
                .checked_sub(1)
                .and_then(|above| lines.get(above))
                .is_none_or(|above| above.page != line.page);
            let text = line.text();
            let is_word = text.trim().chars().all(char::is_alphanumeric) && text.len() <= 12;
            // The number of a chapter may be set larger than its title.
            let is_figure = text.trim().chars().all(|c| c.is_ascii_digit());
            let is_chapter = lines.get(at).is_some_and(|heading| {
                heading.page == line.page
                    && (heading.size >= line.size || is_figure && heading.size > 1.2 * body)
            });
            (is_first && is_word && is_chapter && line.size > 1.1 * body).then_some((from, 1))
        });
        if let Some((from, count)) = label.filter(|(from, _)| !headings.contains_key(from))
            && let Some(heading) = headings.remove(&at)
        {
            headings.insert(
                from,
                Heading {
                    lines: count + heading.lines,
                    ..heading
                },
            );
        }
    }
    let first = headings.keys().min().copied().unwrap_or(0);
    let named: HashSet<usize> = headings.keys().copied().collect();
    let unknown = if outline.is_empty() {
        HashMap::new()
    } else {
        let largest = known.keys().map(|style| style.size).max().unwrap_or(0);
        recurring(lines, body, largest)
    };
    let title = if outline.is_empty() {
        None
    } else {
        title(lines, first, body)
    };
    let ranks = if outline.is_empty() {
        ranks(lines, body)
    } else {
        HashMap::new()
    };
    let mut taken = 0;
    // The levels of the numbers that headings so far begin with.
    let mut numbers: HashMap<String, u8> = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        if let Some(heading) = headings.get(&at) {
            taken = at + heading.lines;
            numbers.extend(number(&line.text()).map(|number| (number, heading.level)));
        }
        if at < taken {
            continue;
        }
        if !may_be(lines, at, body) {
            if let Some(level) = apart_by_number(lines, at, body, &numbers) {
                headings.insert(at, Heading { lines: 1, level });
                numbers.extend(number(&line.text()).map(|number| (number, level)));
                taken = at + 1;
            }
            continue;
        }
        let style = Style::of(line);
        let level = if title.is_some() && at < first {
            // Before the first chapter stands the title page: only its largest line is a heading.
            (title == Some(at)).then_some(1)
        } else if outline.is_empty() {
            let text = line.text();
            below_number(&text, &numbers)
                .or_else(|| numbered(&text))
                .or_else(|| ranks.get(&style).copied())
        } else {
            known
                .get(&style)
                .copied()
                .or_else(|| below_number(&line.text(), &numbers))
                .or_else(|| {
                    let often = unknown.get(&style).copied().unwrap_or(0);
                    (often >= 3).then(|| outline.deepest().saturating_add(1))
                })
        };
        let Some(level) = level else { continue };
        let mut count = 1;
        while count < LINES_MAX
            && !headings.contains_key(&(at + count))
            && lines.get(at + count).is_some_and(|next| {
                follows(lines.get(at + count - 1), next) && Style::of(next) == style
            })
        {
            count += 1;
        }
        let heading = Heading {
            lines: count,
            level: level.clamp(1, 6),
        };
        taken = at + count;
        let told = words(lines, at, count);
        // What leads to something over several lines is said as well.
        let is_said = count > 1
            && style.size as f32 / 2.0 < FIXED_TIMES * body
            && told.trim_end().ends_with(':')
            && told.split_whitespace().count() >= SAID_WORDS_MIN;
        if told.chars().count() <= CHARACTERS_MAX && !is_said {
            headings.insert(at, heading);
            numbers.extend(number(&line.text()).map(|number| (number, heading.level)));
            continue;
        }
        // The end of a paragraph that is too long for a heading is no heading either.
        taken = end_of(lines, taken, style);
    }
    join_labels(lines, &mut headings);
    bylines::remove(lines, &mut headings, &named);
    samples::remove(lines, &mut headings, &named);
    headings
}

/// Where lines from `at` on no longer go on in the same setting.
fn end_of(lines: &[Line], mut at: usize, style: Style) -> usize {
    let goes_on = |at: usize| {
        let last = at.checked_sub(1).and_then(|last| lines.get(last));
        lines
            .get(at)
            .is_some_and(|next| follows(last, next) && Style::of(next) == style)
    };
    while goes_on(at) {
        at += 1;
    }
    at
}

/// Puts a heading that only counts chapters together with the one right below it, which it is the number of.
fn join_labels(lines: &[Line], headings: &mut HashMap<usize, Heading>) {
    let mut labels: Vec<(usize, Heading)> = headings
        .iter()
        .filter(|(at, heading)| is_label(&words(lines, **at, heading.lines)))
        .map(|(at, heading)| (*at, *heading))
        .collect();
    // From the last: of several below each other, each takes what those below it have become.
    labels.sort_unstable_by_key(|(at, _)| std::cmp::Reverse(*at));
    for (at, label) in labels {
        let below = at + label.lines;
        if let Some(named) = headings.remove(&below) {
            let joined = Heading {
                lines: label.lines + named.lines,
                level: label.level.min(named.level),
            };
            headings.insert(at, joined);
        }
    }
}

/// The level of a line whose number goes on below that of a heading so far: `3.1 Doors` below `3 Kilns`, also where the outline names
/// no more than chapters.
fn below_number(text: &str, numbers: &HashMap<String, u8>) -> Option<u8> {
    let number = number(text)?;
    let (above, _) = number.rsplit_once('.')?;
    numbers.get(above).map(|level| level + 1)
}

/// The level of a line in the size of the text that is set apart and whose number goes on below that of the last heading of the level
/// above: `3.1. Doors` below `3. Kilns`.
fn apart_by_number(
    lines: &[Line],
    at: usize,
    body: f32,
    numbers: &HashMap<String, u8>,
) -> Option<u8> {
    let line = lines.get(at)?;
    let text = line.text();
    let text = text.trim();
    numbered(text)?;
    let number = number(text)?;
    let (above, _) = number.rsplit_once('.')?;
    let level = numbers.get(above)?;
    let is_apart = line.share(|piece| piece.face.is_bold || piece.face.is_italic) > 0.9;
    let before = at.checked_sub(1).and_then(|before| lines.get(before));
    let has_room = before.is_none_or(|before| {
        before.page != line.page || before.y - line.y > 1.3 * line.size.max(before.size)
    });
    let ends_open = text.ends_with(['.', ',', ';', ':']);
    if !is_apart
        || !has_room
        || ends_open
        || line.size < 0.95 * body
        || text.chars().count() > NUMBERED_CHARACTERS_MAX
    {
        return None;
    }
    Some((level + 1).min(6))
}

/// The number that a heading begins with: `3.1` of `3.1. Doors`.
fn number(text: &str) -> Option<String> {
    let first = text.split_whitespace().next()?.trim_end_matches(['.', ':']);
    let is_number = first.contains(|c: char| c.is_ascii_digit()) && is_number(first);
    is_number.then(|| first.to_owned())
}

/// How often each setting recurs that is larger than the text and not larger than the largest known heading.
fn recurring(lines: &[Line], body: f32, largest: i32) -> HashMap<Style, usize> {
    let mut counts = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        let style = Style::of(line);
        if line.size >= 1.12 * body && style.size <= largest && may_be(lines, at, body) {
            *counts.entry(style).or_default() += 1;
        }
    }
    counts
}

/// The largest line of the title page.
fn title(lines: &[Line], first: usize, body: f32) -> Option<usize> {
    let page = lines.first()?.page;
    lines
        .iter()
        .take(first)
        .enumerate()
        .filter(|(_, line)| line.page == page && line.size >= 1.12 * body && !line.is_signs())
        .max_by(|(at, a), (other, b)| a.size.total_cmp(&b.size).then(other.cmp(at)))
        .map(|(at, _)| at)
}

/// The headings that the outline names.
fn outlined(lines: &[Line], outline: &Outline, body: f32) -> Vec<(usize, Heading)> {
    if outline.is_empty() {
        return Vec::new();
    }
    // Of all the places where an entry's words stand alone, the most conspicuous one is the heading.
    let mut best: HashMap<usize, (i32, usize, Heading)> = HashMap::new();
    for at in 0..lines.len() {
        for count in 1..=LINES_MAX {
            if count > 1 {
                let (last, next) = (lines.get(at + count - 2), lines.get(at + count - 1));
                if !next.is_some_and(|next| follows(last, next)) {
                    break;
                }
            }
            let words = words(lines, at, count);
            if words.chars().count() > OUTLINED_CHARACTERS_MAX {
                break;
            }
            let Some(line) = lines.get(at) else { break };
            let weight = (line.size * 2.0).round() as i32
                + 2 * i32::from(line.share(|piece| piece.face.is_bold) > 0.6);
            let is_plain = line.size < 1.05 * body && line.share(|p| p.face.is_bold) < 0.3;
            if ends_sentence(lines, at, count) && line.size < 1.05 * body {
                continue;
            }
            // A letter of an index stands out, and alone.
            let is_letter = key(&words).chars().count() == 1;
            if is_letter && (is_plain || words.trim().chars().count() > 1) {
                continue;
            }
            for (number, level) in outline.find(&words, line.page) {
                let heading = Heading {
                    lines: count,
                    level,
                };
                // A plain line that goes on as a paragraph is none.
                if is_plain
                    && lines
                        .get(at + count)
                        .is_some_and(|next| follows(Some(line), next))
                {
                    continue;
                }
                let held = best.get(&number);
                if held.is_none_or(|(other, _, _)| weight > *other) {
                    best.insert(number, (weight, at, heading));
                }
            }
        }
    }
    // Of two entries for one line, the first in the outline names it.
    let mut numbered: Vec<(usize, usize, Heading)> = best
        .into_iter()
        .map(|(number, (_, at, heading))| (number, at, heading))
        .collect();
    numbered.sort_by_key(|(number, at, heading)| (*at, std::cmp::Reverse(heading.lines), *number));
    let mut found: Vec<(usize, Heading)> = numbered
        .into_iter()
        .map(|(_, at, heading)| (at, heading))
        .collect();
    let mut end = 0;
    found.retain(|(at, heading)| {
        let is_free = *at >= end;
        if is_free {
            end = at + heading.lines;
        }
        is_free
    });
    found
}

/// Whether lines are the end of a sentence that was begun above them, though something may be called so as well.
fn ends_sentence(lines: &[Line], at: usize, count: usize) -> bool {
    let above = at.checked_sub(1).and_then(|above| lines.get(above));
    let is_open = above.is_some_and(|above| {
        let text = above.text();
        let text = text.trim_end();
        !text.ends_with(['.', '!', '?', ':', ';'])
            && above.right > above.bounds.0 + 0.7 * (above.bounds.1 - above.bounds.0)
    });
    is_open
        && words(lines, at, count).trim_end().ends_with('.')
        && lines.get(at).is_some_and(|line| follows(above, line))
}

/// Whether `next` goes on where `last` ends, in the same setting.
fn follows(last: Option<&Line>, next: &Line) -> bool {
    last.is_some_and(|last| {
        last.page == next.page
            && last.column == next.column
            && (last.size - next.size).abs() < 0.6
            && (0.0..1.6 * last.size.max(next.size)).contains(&(last.y - next.y))
    })
}

/// Whether a line stands out: larger than the text, or bold and alone.
fn may_be(lines: &[Line], at: usize, body: f32) -> bool {
    let Some(line) = lines.get(at) else {
        return false;
    };
    let text = line.text();
    let text = text.trim();
    let size = text_size(line);
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    // What leads to something is said, as is what goes on with a sentence to its end.
    let is_said = text.ends_with(':')
        || text.ends_with('.') && text.starts_with(char::is_lowercase) && text.contains(' ');
    if letters < 2
        || is_said && size < FIXED_TIMES * body
        || text.chars().count() > CHARACTERS_MAX
        || line.is_fixed() && size < FIXED_TIMES * body
        || is_row(line)
        || is_item(text)
    {
        return false;
    }
    let above = at.checked_sub(1).and_then(|above| lines.get(above));
    let is_below_room = above.is_none_or(|above| {
        above.page != line.page
            || above.column != line.column
            || above.y - line.y > 1.3 * size.max(above.size)
            || (text_size(above) - size).abs() > 0.6
    });
    if size >= 1.08 * body {
        return is_below_room || above.is_some_and(|above| (text_size(above) - size).abs() < 0.6);
    }
    let is_bold = line.share(|piece| piece.face.is_bold) > 0.95;
    let ends_open = text.ends_with(['.', ',', ';', ':']);
    let is_apart = line.pieces.iter().any(|piece| piece.is_apart);
    size >= 0.95 * body
        && is_bold
        && is_below_room
        && !ends_open
        && !is_apart
        && text.chars().count() <= 90
        && text.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
        && lines
            .get(at + 1)
            .is_none_or(|next| Style::of(next) != Style::of(line) || next.page != line.page)
}

/// Whether a line begins with a bullet, or with what a shell asks with: an item of a list, or a command.
fn is_item(text: &str) -> bool {
    text.starts_with(['•', '◦', '‣', '▸', '▶', '◮', '∙']) || text.starts_with("$ ")
}

/// Whether a line is set in so many columns that it is a row of a table, or its head: a heading has its number apart, and the number of
/// its page. Letters that are set wide are no columns.
fn is_row(line: &Line) -> bool {
    let apart = line.pieces.iter().filter(|piece| piece.is_apart).count();
    let is_word = |piece: &Piece| piece.text.trim().chars().count() > 2;
    apart >= COLUMNS_MIN && line.pieces.iter().filter(|piece| is_word(piece)).count() > 1
}

/// The level that a heading's number tells.
fn numbered(text: &str) -> Option<u8> {
    let (number, rest) = text.trim().split_once(' ')?;
    let number = number.trim_end_matches(['.', ':']);
    let starts = number.starts_with(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase());
    (starts
        && is_number(number)
        && number.contains('.')
        && rest.trim().chars().any(char::is_alphabetic))
    .then(|| u8::try_from(number.matches('.').count() + 1).unwrap_or(6))
}

/// Levels by size and weight, for files without an outline: larger is higher.
fn ranks(lines: &[Line], body: f32) -> HashMap<Style, u8> {
    let mut styles: Vec<Style> = (0..lines.len())
        .filter(|at| may_be(lines, *at, body))
        .filter_map(|at| lines.get(at).map(Style::of))
        .collect();
    styles.sort_unstable();
    styles.dedup();
    styles.reverse();
    // The largest is the title's alone when it stands once; sizes beyond six share the lowest level.
    styles
        .into_iter()
        .zip(1..)
        .map(|(style, level): (Style, usize)| (style, u8::try_from(level.min(6)).unwrap_or(6)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::testing;

    fn line(words: &str, size: f32, y: f32) -> Line {
        let (left, right) = (0.0, 400.0);
        let piece = Piece {
            left,
            right,
            size,
            ..testing::piece(words)
        };
        Line {
            left,
            right,
            y,
            size,
            bounds: (left, right),
            ..testing::line(vec![piece])
        }
    }

    fn found(lines: &[Line]) -> Vec<(String, u8)> {
        let headings = find(lines, &Outline::default());
        let mut found: Vec<(usize, Heading)> = headings.into_iter().collect();
        found.sort_by_key(|(at, _)| *at);
        let found = found.into_iter();
        found
            .map(|(at, heading)| (words(lines, at, heading.lines), heading.level))
            .collect()
    }

    fn told(from: f32) -> impl Iterator<Item = Line> {
        (0_u8..8).map(move |row| {
            let y = from - 12.0 * f32::from(row);
            line(
                "It is hot and nobody stands beside it in the night.",
                10.0,
                y,
            )
        })
    }

    #[test]
    fn who_wrote_a_text_stands_below_its_title_and_is_no_section() {
        let mut lines = vec![
            line("Firing Kilns", 18.0, 760.0),
            line("Ada Lee", 14.0, 730.0),
            line("12 May 2001", 10.0, 700.0),
            line("Old Kilns", 14.0, 660.0),
        ];
        lines.extend(told(640.0));
        let titles: Vec<String> = found(&lines).into_iter().map(|(title, _)| title).collect();
        assert_eq!(titles, ["Firing Kilns", "Old Kilns"]);
    }

    #[test]
    fn a_number_goes_on_below_a_chapter_that_the_outline_names_alone() {
        let bold = |words: &str, size: f32, y: f32| {
            let mut line = line(words, size, y);
            line.pieces[0].face.is_bold = true;
            line
        };
        let mut lines = vec![bold("2 Kilns", 17.0, 760.0)];
        lines.extend(told(740.0));
        lines.push(bold("2.1 Doors", 10.9, 610.0));
        lines.extend(told(590.0));
        lines.push(bold("2.1.1 Old doors", 10.0, 470.0));
        lines.extend(told(450.0));
        lines.push(bold("3.1 Ash", 10.9, 320.0));
        lines.extend(told(300.0));
        let headings = find(&lines, &Outline::named("Kilns"));
        let mut levels: Vec<(usize, u8)> =
            headings.iter().map(|(at, it)| (*at, it.level)).collect();
        levels.sort_unstable();
        assert_eq!(levels, [(0, 1), (9, 2), (18, 3)]);
    }

    #[test]
    fn a_heading_is_as_large_as_its_number_though_the_command_behind_it_is_small() {
        let mut lines = vec![line("1 Kilns", 17.0, 760.0)];
        lines[0].pieces[0].face.is_bold = true;
        lines.extend(told(740.0));
        let mut command = lines[0].clone();
        command.y = 610.0;
        command.size = 10.0;
        command.pieces[0].text = "2 ".to_owned();
        let mut code = command.pieces[0].clone();
        (code.text, code.size, code.face.is_fixed) = ("fire".to_owned(), 10.0, true);
        command.pieces.push(code);
        lines.push(command);
        lines.extend(told(590.0));
        assert_eq!(
            found(&lines),
            [("1 Kilns".to_owned(), 1), ("2 fire".to_owned(), 1)]
        );
    }

    #[test]
    fn a_numbered_line_in_italics_is_a_section_of_the_one_whose_number_it_goes_on_with() {
        let italic = |words: &str, y: f32| {
            let mut line = line(words, 10.0, y);
            line.pieces[0].face.is_italic = true;
            line
        };
        let mut lines = vec![line("3. Kilns", 14.0, 760.0)];
        lines.extend(told(740.0));
        lines.push(italic("3.1. How doors are opened", 610.0));
        lines.extend(told(590.0));
        lines.push(italic("4.1. How doors are shut", 460.0));
        lines.extend(told(440.0));
        assert_eq!(
            found(&lines),
            [
                ("3. Kilns".to_owned(), 1),
                ("3.1. How doors are opened".to_owned(), 2)
            ]
        );
    }

    #[test]
    fn a_numbered_section_lies_below_the_one_whose_number_it_goes_on_with() {
        let mut lines = vec![
            line("Firing Kilns", 18.0, 760.0),
            line("1 Doors", 14.0, 730.0),
        ];
        lines.extend(told(710.0));
        lines.push(line("1.1 Wood", 14.0, 580.0));
        lines.extend(told(560.0));
        lines.push(line("2 Ash", 14.0, 430.0));
        lines.extend(told(410.0));
        let levels: Vec<u8> = found(&lines).into_iter().map(|(_, level)| level).collect();
        assert_eq!(levels, [1, 2, 3, 2]);
    }

    #[test]
    fn a_command_that_is_set_a_little_larger_is_no_heading() {
        let mut command = line("kilnctl open --all", 11.5, 600.0);
        command.pieces[0].face.is_fixed = true;
        let mut lines: Vec<Line> = told(740.0).collect();
        lines.push(command);
        lines.extend(told(580.0));
        assert!(found(&lines).is_empty());
    }

    #[test]
    fn the_end_of_a_sentence_is_no_heading_though_the_outline_names_it() {
        let mut lines: Vec<Line> = told(740.0).collect();
        lines.push(line(
            "It is opened by the one who has lit it, and by",
            10.0,
            644.0,
        ));
        lines.push(line("open_door/3.", 10.0, 632.0));
        assert!(find(&lines, &Outline::named("open_door/3")).is_empty());
        lines.push(line("open_door/3", 10.0, 600.0));
        let found = find(&lines, &Outline::named("open_door/3"));
        assert_eq!(found.keys().collect::<Vec<_>>(), [&10]);
    }

    #[test]
    fn a_heading_over_two_lines_is_one_and_a_long_paragraph_in_its_face_is_none() {
        let long = "who fires the kiln at night and has not slept for very long ".trim_end();
        let mut lines: Vec<Line> = (0..20)
            .map(|n| {
                line(
                    "It is hot and nobody stands beside it in the night.",
                    10.0,
                    700.0 - 12.0 * n as f32,
                )
            })
            .collect();
        lines.push(line("The age of the clay of the old kil-", 14.0, 440.0));
        lines.push(line("ns of the north", 14.0, 424.0));
        lines.push(line("It is old.", 10.0, 400.0));
        lines.extend((0..6).map(|n| line(long, 14.0, 370.0 - 16.0 * n as f32)));
        let found = find(&lines, &Outline::default());
        assert_eq!(found.keys().collect::<Vec<_>>(), [&20]);
        assert_eq!(found.get(&20).map(|heading| heading.lines), Some(2));
    }

    #[test]
    fn the_number_of_a_chapter_is_part_of_the_heading_below_it() {
        let mut lines = vec![line("Chapter 3", 16.0, 740.0), line("Heat", 20.0, 700.0)];
        lines.extend(told(660.0));
        lines.push(line("Chapter 4", 16.0, 500.0));
        lines.extend(told(460.0));
        let found: Vec<String> = found(&lines).into_iter().map(|(words, _)| words).collect();
        assert_eq!(found, ["Chapter 3 Heat", "Chapter 4"]);
    }

    #[test]
    fn labels_below_each_other_are_put_together_alike_each_time() {
        let mut lines = vec![
            line("Part 1", 24.0, 740.0),
            line("Chapter 1", 20.0, 700.0),
            line("Heat", 20.0, 660.0),
        ];
        lines.extend(told(620.0));
        let words =
            || -> Vec<String> { found(&lines).into_iter().map(|(words, _)| words).collect() };
        let first = words();
        assert!((0..16).all(|_| words() == first), "{first:?}");
    }

    #[test]
    fn the_head_of_a_table_that_is_set_large_heads_no_section() {
        let row = |words: &[&str]| {
            let mut row = line(words[0], 12.0, 600.0);
            row.pieces = words
                .iter()
                .enumerate()
                .map(|(at, words)| Piece {
                    text: (*words).to_owned(),
                    is_apart: at > 0,
                    ..row.pieces[0].clone()
                })
                .collect();
            row
        };
        let titles = |words: &[&str]| {
            let mut lines: Vec<Line> = told(740.0).collect();
            lines.push(row(words));
            lines.extend(told(580.0));
            found(&lines).len()
        };
        assert_eq!(titles(&["Wood", "A", "B", "Heat"]), 0);
        assert_eq!(titles(&["4", "Wood of kilns", "12"]), 1);
        assert_eq!(titles(&["K", "I", "L", "N", "S"]), 1);
    }

    #[test]
    fn the_number_of_a_chapter_may_be_larger_than_its_title() {
        let mut lines = vec![line("10", 30.0, 740.0), line("Heat", 20.0, 690.0)];
        lines.extend(told(660.0));
        let found = find(&lines, &Outline::named("Heat"));
        assert_eq!(found.get(&0).map(|heading| heading.lines), Some(2));
    }
}
