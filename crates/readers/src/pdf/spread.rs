//! Finds the listings whose letters LaTeX spread over columns of one width, and sets them as a typewriter would.
//!
//! The package `listings` gives each character of code a column, also where the face is that of the text: each word is as wide as it
//! has columns, and what its letters leave of that is parted evenly between and around them. So the room between letters is another
//! in each word, and what looks like `p o l l ( 1. 0)` is `poll(1.0)`. The width of a column follows from each word by itself; where
//! those of a page agree, nothing else was set there.

use crate::pdf::faces::Faces;
use crate::pdf::glyph::{Glyph, Rule};

/// Letters of a word that tells the width of a column.
const LETTERS_MIN: usize = 4;
/// The room between them, in sizes of their letters: where there is none, any text is set so.
const ROOM_MIN: f32 = 0.03;
/// How even that room is, in sizes of the letters.
const EVEN: f32 = 0.012;
/// So many words of a page agree on the width of a column, of so many in a hundred that are set so, though the room in them differs.
const WORDS_MIN: usize = 3;
const WORDS_OF_HUNDRED: usize = 60;
const ROOM_DIFFERS: f32 = 0.03;
/// The width of a column, in sizes of its letters, and how near those are that agree.
const COLUMN: std::ops::Range<f32> = 0.4..0.8;
const COLUMN_NEAR: f32 = 0.006;
/// A word begins no further from its column, in widths of columns; so many of a hundred words of a line do.
const OFF_COLUMN: f32 = 0.22;
const ON_COLUMN_OF_HUNDRED: usize = 85;
/// A line whose words tell no width stands so near to one whose do, in sizes of its letters.
const BESIDE: f32 = 2.6;
/// Letters of a word.
const WORD_MAX: usize = 60;
/// The rule that TeX draws for an underscore is so wide, in sizes of the letters, with so much room before it.
const UNDERSCORE: std::ops::Range<f32> = 0.2..0.55;
const BEFORE_UNDERSCORE: f32 = 0.06;
/// Lines and rules of a page that are looked at.
const LINES_MAX: usize = 1_000;
const RULES_MAX: usize = 400;

/// What stands on one baseline, one after the other.
#[derive(Debug)]
struct Run {
    /// Each with its place among all glyphs; what is drawn as a rule has its place among the rules.
    glyphs: Vec<(Glyph, Source)>,
    y: f32,
    size: f32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Glyph(usize),
    Rule(usize),
}

/// The columns of the listings of one size.
#[derive(Debug, Clone, Copy)]
struct Columns {
    size: f32,
    width: f32,
}

/// A line with its columns: where they begin, and the column of each of its glyphs.
#[derive(Debug)]
struct Fitted {
    start: f32,
    columns: Vec<i32>,
}

/// Sets the spread letters among `glyphs` in the columns they stand for, and adds the underscores that are drawn among them as rules,
/// which are taken out of `rules`.
pub(crate) fn settle(glyphs: &mut Vec<Glyph>, rules: &mut Vec<Rule>) {
    let mut runs = runs(glyphs);
    add_underscores(&mut runs, rules);
    let widths = widths(&runs);
    if widths.is_empty() {
        return;
    }
    let fitted: Vec<Option<(Columns, Fitted)>> =
        runs.iter().map(|run| told(run, &widths)).collect();
    let beside = |run: &Run| {
        let near = |other: &Run| {
            (other.y - run.y).abs() < BESIDE * run.size
                && (other.size - run.size).abs() < EVEN * run.size
        };
        let all = runs.iter().zip(&fitted);
        all.filter_map(|(other, fitted)| fitted.as_ref().filter(|_| near(other)))
            .find_map(|(columns, fitted)| Some((*columns, at(run, *columns, fitted.start)?)))
    };
    let others: Vec<Option<(Columns, Fitted)>> = runs
        .iter()
        .zip(&fitted)
        .map(|(run, fitted)| if fitted.is_some() { None } else { beside(run) })
        .collect();
    let mut gone = Vec::new();
    let mut drawn: Vec<(usize, Glyph)> = Vec::new();
    for ((run, one), other) in runs.iter().zip(fitted).zip(others) {
        let Some((columns, fitted)) = one.or(other) else {
            continue;
        };
        let mut before = None;
        for ((glyph, source), column) in run.glyphs.iter().zip(fitted.columns) {
            let left = fitted.start + column as f32 * columns.width;
            let set = Glyph {
                character: typed(glyph.character),
                left,
                right: left + columns.width,
                y: run.y,
                face: Faces::spread(glyph.face),
                ..*glyph
            };
            match source {
                Source::Glyph(at) => {
                    before = Some(*at);
                    glyphs
                        .get_mut(*at)
                        .into_iter()
                        .for_each(|glyph| *glyph = set);
                }
                Source::Rule(at) => {
                    gone.push(*at);
                    drawn.push((before.map_or(0, |before| before + 1), set));
                }
            }
        }
    }
    // From the last to the first, the places before stay what they are; of those at one place, the last one comes first.
    drawn.sort_by(|(a, one), (b, other)| b.cmp(a).then(other.left.total_cmp(&one.left)));
    for (at, underscore) in drawn {
        glyphs.insert(at.min(glyphs.len()), underscore);
    }
    gone.sort_unstable();
    gone.dedup();
    for at in gone.into_iter().rev() {
        rules.remove(at);
    }
}

/// What a sign of the text's faces is in code.
fn typed(shown: char) -> char {
    match shown {
        '’' => '\'',
        '‘' => '`',
        '“' | '”' => '"',
        '−' => '-',
        '∗' => '*',
        '∼' => '~',
        other => other,
    }
}

/// The glyphs of a page by baselines, as they were drawn.
fn runs(glyphs: &[Glyph]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (at, glyph) in glyphs.iter().enumerate() {
        if glyph.turn != 0 || glyph.hidden || glyph.character.is_whitespace() {
            continue;
        }
        if let Some(run) = runs.last_mut()
            && (run.y - glyph.y).abs() < 0.02 * run.size
            && (run.size - glyph.size).abs() < 0.02 * run.size
            && run
                .glyphs
                .last()
                .is_some_and(|(last, _)| glyph.left > last.right - 0.4 * run.size)
        {
            run.glyphs.push((*glyph, Source::Glyph(at)));
            continue;
        }
        if runs.len() >= LINES_MAX {
            break;
        }
        runs.push(Run {
            glyphs: vec![(*glyph, Source::Glyph(at))],
            y: glyph.y,
            size: glyph.size,
        });
    }
    runs
}

/// Puts the short rules that stand below letters where underscores do among the glyphs of their line.
fn add_underscores(runs: &mut [Run], rules: &[Rule]) {
    let short = rules.iter().enumerate().filter(|(_, rule)| rule.is_level());
    for (at, rule) in short.take(RULES_MAX) {
        let wide = rule.right - rule.left;
        let is_of = |run: &&mut Run| {
            let drop = run.y - rule.top;
            let first = run.glyphs.first().map_or(f32::MAX, |(glyph, _)| glyph.left);
            let last = run.glyphs.last().map_or(f32::MIN, |(glyph, _)| glyph.right);
            let is_free = |(glyph, _): &(Glyph, Source)| {
                let shared = glyph.right.min(rule.right) - glyph.left.max(rule.left);
                shared < 0.25 * wide
            };
            (-0.06 * run.size..0.35 * run.size).contains(&drop)
                && UNDERSCORE.contains(&(wide / run.size.max(1.0)))
                && rule.left > first - 2.0 * run.size
                && rule.right < last + 2.0 * run.size
                && run.glyphs.iter().all(is_free)
        };
        let Some(run) = runs.iter_mut().find(is_of) else {
            continue;
        };
        let behind = run
            .glyphs
            .iter()
            .position(|(glyph, _)| glyph.left > rule.left);
        let place = behind.unwrap_or(run.glyphs.len());
        let Some((near, _)) = run.glyphs.get(place.saturating_sub(1)) else {
            continue;
        };
        let underscore = Glyph {
            character: '_',
            left: rule.left - BEFORE_UNDERSCORE * run.size,
            right: rule.right,
            y: run.y,
            ..*near
        };
        run.glyphs.insert(place, (underscore, Source::Rule(at)));
    }
}

/// The widths of columns that the words of a page agree on.
fn widths(runs: &[Run]) -> Vec<Columns> {
    // Of each word: the size of its letters, the width of a column and the room between letters, in sizes.
    let mut words: Vec<(f32, f32, f32)> = Vec::new();
    for run in runs {
        let mut from = 0;
        while from < run.glyphs.len() {
            let rest = run.glyphs.get(from..).unwrap_or_default();
            let gaps: Vec<f32> = rest
                .windows(2)
                .take(WORD_MAX)
                .map(|pair| gap(pair) / run.size)
                .collect();
            let first = gaps.first().copied().unwrap_or(0.0);
            let even = gaps
                .iter()
                .take_while(|gap| (**gap - first).abs() < EVEN)
                .count();
            let count = even + 1;
            if count >= LETTERS_MIN && first > ROOM_MIN {
                let word = rest.get(..count).unwrap_or_default();
                let wide = ink(word) / run.size + (count + 1) as f32 * first;
                words.push((run.size, wide / count as f32, first));
            }
            // The last letter of what is set evenly may be the first of the next word.
            from += even.max(1);
        }
    }
    let mut found: Vec<Columns> = Vec::new();
    for (size, width, _) in &words {
        let is_known = found
            .iter()
            .any(|known| (known.size - size).abs() < EVEN * size);
        if is_known || !COLUMN.contains(width) {
            continue;
        }
        let alike: Vec<&(f32, f32, f32)> = words
            .iter()
            .filter(|(other, _, _)| (other - size).abs() < EVEN * size)
            .collect();
        let agree: Vec<&&(f32, f32, f32)> = alike
            .iter()
            .filter(|(_, other, _)| (other - width).abs() < COLUMN_NEAR)
            .collect();
        let rooms = agree.iter().map(|(_, _, room)| *room);
        let (least, most) = rooms.fold((f32::MAX, f32::MIN), |(least, most), room| {
            (least.min(room), most.max(room))
        });
        if agree.len() >= WORDS_MIN
            && agree.len() * 100 >= alike.len() * WORDS_OF_HUNDRED
            && most - least > ROOM_DIFFERS
        {
            let sum: f32 = agree.iter().map(|(_, width, _)| *width).sum();
            found.push(Columns {
                size: *size,
                width: sum / agree.len() as f32 * size,
            });
        }
    }
    found
}

/// The columns of a line that holds a word which tells their width.
fn told(run: &Run, widths: &[Columns]) -> Option<(Columns, Fitted)> {
    let columns = widths
        .iter()
        .find(|columns| (columns.size - run.size).abs() < EVEN * run.size)?;
    let words = words(run, *columns);
    let tells = |word: &&Word| word.letters >= LETTERS_MIN && word.room > ROOM_MIN * run.size;
    let first = words.iter().find(tells)?;
    // Columns are counted from the first word.
    let ahead = words.first().map_or(0.0, |word| {
        ((word.left - first.left) / columns.width).round()
    });
    let start = first.left + ahead * columns.width;
    Some((*columns, at(run, *columns, start)?))
}

/// The columns of a line, where they begin at `start` and its words stand in them.
fn at(run: &Run, columns: Columns, start: f32) -> Option<Fitted> {
    let words = words(run, columns);
    let mut on_column = 0;
    let mut places: Vec<i32> = Vec::new();
    for word in &words {
        let place = (word.left - start) / columns.width;
        on_column += usize::from((place - place.round()).abs() <= OFF_COLUMN);
        let least = places.last().map_or(i32::MIN, |last| last + 1);
        let first = (place.round() as i32).max(least);
        places.extend((first..).take(word.letters));
    }
    (on_column * 100 >= words.len() * ON_COLUMN_OF_HUNDRED).then_some(Fitted {
        start,
        columns: places,
    })
}

/// A word of a line in columns: where it begins, with the room before its first letter.
#[derive(Debug)]
struct Word {
    left: f32,
    letters: usize,
    room: f32,
}

/// The words of a line: each as long as the room between its letters is what columns of that width leave.
fn words(run: &Run, columns: Columns) -> Vec<Word> {
    let mut words = Vec::new();
    let mut from = 0;
    while from < run.glyphs.len() {
        let rest = run.glyphs.get(from..).unwrap_or_default();
        let gaps: Vec<f32> = rest.windows(2).take(WORD_MAX).map(gap).collect();
        let first = gaps.first().copied().unwrap_or(0.0);
        let near = EVEN * run.size;
        let even = gaps
            .iter()
            .take_while(|gap| (**gap - first).abs() < 2.0 * near)
            .count();
        let room = |count: usize| {
            let word = rest.get(..count).unwrap_or_default();
            (count as f32 * columns.width - ink(word)) / (count + 1) as f32
        };
        let fits = |count: &usize| (room(*count) - first).abs() < 1.5 * near;
        let letters = (2..=even + 1).rev().find(fits).unwrap_or(1);
        let left = rest.first().map_or(0.0, |(glyph, _)| glyph.left);
        words.push(Word {
            left: left - room(letters),
            letters,
            room: room(letters),
        });
        from += letters;
    }
    words
}

fn gap(pair: &[(Glyph, Source)]) -> f32 {
    match pair {
        [(one, _), (next, _)] => next.left - one.right,
        _ => 0.0,
    }
}

/// How wide the letters of a word are together.
fn ink(word: &[(Glyph, Source)]) -> f32 {
    word.iter().map(|(glyph, _)| glyph.right - glyph.left).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::testing;

    /// The letters of a line of code in columns of six points, each word spread over its own.
    fn spread(code: &str, y: f32) -> Vec<Glyph> {
        let wide = |letter: char| match letter {
            'i' | 'l' | '.' | '(' | ')' | 't' | 'f' => 2.8,
            'm' | 'w' => 8.0,
            _ => 5.0,
        };
        let mut glyphs = Vec::new();
        let mut column = 0.0;
        for word in code.split_inclusive(|c: char| !c.is_alphabetic()) {
            let (name, sign) = match word.char_indices().last() {
                Some((at, last)) if !last.is_alphabetic() => {
                    (word.get(..at).unwrap_or(""), Some(last))
                }
                _ => (word, None),
            };
            let sign = sign.map(String::from).unwrap_or_default();
            for unit in [name, &sign] {
                let count = unit.chars().count() as f32;
                let ink: f32 = unit.chars().map(wide).sum();
                let room = (6.0 * count - ink) / (count + 1.0);
                let mut left = 72.0 + 6.0 * column + room;
                for letter in unit.chars() {
                    if letter != ' ' {
                        glyphs.push(Glyph {
                            left,
                            right: left + wide(letter),
                            y,
                            ..testing::glyph(letter)
                        });
                    }
                    left += wide(letter) + room;
                }
                column += count;
            }
        }
        glyphs
    }

    fn read(glyphs: &[Glyph], y: f32) -> String {
        let mut text = String::new();
        let mut end = 72.0;
        for glyph in glyphs.iter().filter(|glyph| (glyph.y - y).abs() < 0.1) {
            let spaces = ((glyph.left - end) / 6.0).round().max(0.0) as usize;
            text.extend(std::iter::repeat_n(' ', spaces));
            text.push(glyph.character);
            end = glyph.right;
        }
        text
    }

    #[test]
    fn letters_that_are_spread_over_columns_are_set_as_a_typewriter_does() {
        let code = [
            "kiln = light(fuel)",
            "  while kiln.filling():",
            "    burn(fuel)",
            "}",
        ];
        let mut glyphs: Vec<Glyph> = (0_u8..)
            .zip(code)
            .flat_map(|(row, line)| spread(line, 700.0 - 12.0 * f32::from(row)))
            .collect();
        settle(&mut glyphs, &mut Vec::new());
        for (row, line) in (0_u8..).zip(code) {
            assert_eq!(read(&glyphs, 700.0 - 12.0 * f32::from(row)), line);
        }
        assert!(glyphs.iter().all(|glyph| glyph.face == Faces::spread(0)));
    }

    #[test]
    fn letters_of_prose_stay_where_they_are_however_far_apart() {
        for room in [0.0, 0.4, 1.0] {
            let mut glyphs: Vec<Glyph> = Vec::new();
            let mut left = 72.0;
            for letter in "the kiln is filled with wood and lit below at dawn".chars() {
                let right = left
                    + if matches!(letter, 'i' | 'l' | 't') {
                        2.8
                    } else {
                        5.0
                    };
                glyphs.push(Glyph {
                    left,
                    right,
                    ..testing::glyph(letter)
                });
                left = right + room;
            }
            let before = format!("{glyphs:?}");
            settle(&mut glyphs, &mut Vec::new());
            assert_eq!(format!("{glyphs:?}"), before);
        }
    }

    #[test]
    fn a_rule_between_the_letters_of_a_name_is_its_underscore() {
        let mut glyphs = spread("light(fuel, filling)", 700.0);
        glyphs.extend(spread("kiln_fill = still", 688.0));
        let at = glyphs.iter().position(|glyph| glyph.character == '_');
        let underscore = glyphs.remove(at.unwrap());
        let mut rules = vec![Rule {
            left: underscore.left + 1.0,
            right: underscore.right - 1.0,
            bottom: 687.0,
            top: 687.4,
        }];
        settle(&mut glyphs, &mut rules);
        assert_eq!(read(&glyphs, 688.0), "kiln_fill = still");
        assert!(rules.is_empty());
    }
}
