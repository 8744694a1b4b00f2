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

    /// The lines of a page, each given with its size and how high it stands; below the height alone stand eight lines of text.
    fn page(text: &str) -> Vec<Line> {
        let told = "It is hot and nobody stands beside it in the night.";
        let rows = text
            .lines()
            .flat_map(|row| match row.trim().parse::<u16>() {
                Ok(y) => (0..8)
                    .map(|at| format!("10 {} {told}", y - 12 * at))
                    .collect(),
                Err(_) => vec![row.to_owned()],
            });
        let rows: Vec<String> = rows.collect();
        let rows = rows.join("\n");
        let lines = testing::rows(&rows).map(|([size, y], mut line)| {
            let (left, right) = (0.0, 400.0);
            for piece in &mut line.pieces {
                (piece.left, piece.right, piece.size) = (left, right, size);
            }
            Line {
                left,
                right,
                y,
                size,
                bounds: (left, right),
                ..line
            }
        });
        lines.collect()
    }

    /// What is found, each heading behind its level.
    fn found(lines: &[Line]) -> String {
        let mut found: Vec<(usize, Heading)> =
            find(lines, &Outline::default()).into_iter().collect();
        found.sort_by_key(|(at, _)| *at);
        let found = found.iter().map(|(at, heading)| {
            let words = words(lines, *at, heading.lines);
            format!("{} {words}", heading.level)
        });
        found.collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn sections_are_told_from_who_wrote_a_text_and_lie_below_those_whose_numbers_they_go_on_with() {
        for (text, headings) in [
            // Who wrote a text stands below its title, and is no section.
            (
                "18 760 Firing Kilns
                 14 730 Ada Lee
                 10 700 12 May 2001
                 14 660 Old Kilns
                 640",
                "1 Firing Kilns | 2 Old Kilns",
            ),
            // A numbered line in italics is a section of the one whose number it goes on with.
            (
                "14 760 3. Kilns
                 740
                 10 610 ~3.1. How doors are opened
                 590
                 10 460 ~4.1. How doors are shut
                 440",
                "1 3. Kilns | 2 3.1. How doors are opened",
            ),
            (
                "18 760 Firing Kilns
                 14 730 1 Doors
                 710
                 14 580 1.1 Wood
                 560
                 14 430 2 Ash
                 410",
                "1 Firing Kilns | 2 1 Doors | 3 1.1 Wood | 2 2 Ash",
            ),
            // A command that is set a little larger is no heading.
            (
                "740
                 11.5 600 `kilnctl open --all
                 580",
                "",
            ),
            // The number of a chapter is part of the heading below it.
            (
                "16 740 Chapter 3
                 20 700 Heat
                 660
                 16 500 Chapter 4
                 460",
                "1 Chapter 3 Heat | 2 Chapter 4",
            ),
        ] {
            assert_eq!(found(&page(text)), headings, "{text}");
        }
    }

    #[test]
    fn a_number_goes_on_below_a_chapter_that_the_outline_names_alone() {
        let lines = page(
            "17 760 *2 Kilns
             740
             10.9 610 *2.1 Doors
             590
             10 470 *2.1.1 Old doors
             450
             10.9 320 *3.1 Ash
             300",
        );
        let headings = find(&lines, &Outline::named("Kilns"));
        let mut levels: Vec<(usize, u8)> =
            headings.iter().map(|(at, it)| (*at, it.level)).collect();
        levels.sort_unstable();
        assert_eq!(levels, [(0, 1), (9, 2), (18, 3)]);
    }

    #[test]
    fn a_heading_is_as_large_as_its_number_though_the_command_behind_it_is_small() {
        let mut lines = page(
            "17 760 *1 Kilns
             740
             17 610 *2 ¦`fire
             590",
        );
        lines[9].size = 10.0;
        lines[9].pieces[1].size = 10.0;
        assert_eq!(found(&lines), "1 1 Kilns | 1 2 fire");
    }

    #[test]
    fn the_end_of_a_sentence_is_no_heading_though_the_outline_names_it() {
        let mut lines = page(
            "740
             10 644 It is opened by the one who has lit it, and by
             10 632 open_door/3.",
        );
        assert!(find(&lines, &Outline::named("open_door/3")).is_empty());
        lines.extend(page("10 600 open_door/3"));
        let found = find(&lines, &Outline::named("open_door/3"));
        assert_eq!(found.keys().collect::<Vec<_>>(), [&10]);
    }

    #[test]
    fn a_heading_over_two_lines_is_one_and_a_long_paragraph_in_its_face_is_none() {
        let long = "who fires the kiln at night and has not slept for very long";
        let long: String = (0..6)
            .map(|n| format!("14 {} {long}\n", 370 - 16 * n))
            .collect();
        let lines = page(&format!(
            "700
             604
             14 440 The age of the clay of the old kil-
             14 424 ns of the north
             10 400 It is old.
             {long}"
        ));
        let found = find(&lines, &Outline::default());
        assert_eq!(found.keys().collect::<Vec<_>>(), [&16]);
        assert_eq!(found.get(&16).map(|heading| heading.lines), Some(2));
    }

    #[test]
    fn labels_below_each_other_are_put_together_alike_each_time() {
        let lines = page(
            "24 740 Part 1
             20 700 Chapter 1
             20 660 Heat
             620",
        );
        let first = found(&lines);
        assert!((0..16).all(|_| found(&lines) == first), "{first:?}");
    }

    #[test]
    fn the_head_of_a_table_that_is_set_large_heads_no_section() {
        for (words, headings) in [
            ("Wood¦A¦B¦Heat", 0),
            ("4¦Wood of kilns¦12", 1),
            ("K¦I¦L¦N¦S", 1),
        ] {
            let mut lines = page(&format!("740\n12 600 {words}\n580"));
            for piece in lines[8].pieces.iter_mut().skip(1) {
                piece.is_apart = true;
            }
            assert_eq!(find(&lines, &Outline::default()).len(), headings, "{words}");
        }
    }

    #[test]
    fn the_number_of_a_chapter_may_be_larger_than_its_title() {
        let lines = page("30 740 10\n20 690 Heat\n660");
        let found = find(&lines, &Outline::named("Heat"));
        assert_eq!(found.get(&0).map(|heading| heading.lines), Some(2));
    }
}
