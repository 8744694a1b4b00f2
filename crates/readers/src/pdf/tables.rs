//! Finds tables by the rules that are drawn around and between their cells.

use crate::pdf::boxes;
use crate::pdf::glyph::Rule;
use crate::pdf::line::{Line, Piece};

/// Columns of a table that are told apart.
pub(crate) const COLUMNS_MAX: usize = 40;
/// How near ends of rules count as touching.
const NEAR: f32 = 3.0;

/// A rule that is so far within words goes through them, in points, and is none between columns where it does so in so many lines.
const STRUCK: f32 = 2.0;
const STRUCK_MIN: usize = 3;
/// White that a rule was meant for is no further from it, in points.
const WHITE_WITHIN: u16 = 24;

/// A table: rows of cells, each cell the lines in it.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) page: u32,
    pub(crate) left: f32,
    pub(crate) rows: Vec<Vec<Vec<Line>>>,
    /// Its rows are terms and what they mean.
    pub(crate) is_definitions: bool,
}

/// Takes the lines that stand in tables out of `lines`; each table with the number of the line that it stands before.
pub(crate) fn take(lines: &mut Vec<Line>, rules: &[Rule]) -> Vec<(usize, Table)> {
    let mut tables = Vec::new();
    let mut frames = frames(rules);
    let places: Vec<(f32, f32)> = frames.iter().map(|it| (it.bottom, it.top)).collect();
    frames.retain(|frame| !frame.is_of_page(&places) && !frame.open(lines));
    for mut frame in frames {
        frame.leave_prose(lines);
        let inside: Vec<usize> = (0..lines.len())
            .filter(|at| lines.get(*at).is_some_and(|line| frame.holds(line)))
            .collect();
        let (Some(first), true) = (inside.first().copied(), inside.len() >= 2) else {
            continue;
        };
        let within: Vec<Line> = inside
            .iter()
            .filter_map(|at| lines.get(*at).cloned())
            .collect();
        let Some(table) = frame.table(&within) else {
            continue;
        };
        let mut at = 0;
        lines.retain(|_| {
            at += 1;
            inside.binary_search(&(at - 1)).is_err()
        });
        // What was found before shifts by what is gone from before it.
        for (place, _) in &mut tables {
            let gone = inside.iter().filter(|at| **at < *place).count();
            *place -= gone;
        }
        tables.push((first, table));
    }
    tables.sort_by_key(|(place, _)| *place);
    tables
}

/// Rules that touch.
#[derive(Debug)]
struct Frame {
    left: f32,
    right: f32,
    bottom: f32,
    top: f32,
    /// Heights of the rules that go most of the way across, from top to bottom.
    levels: Vec<f32>,
    /// Places of the rules that go down.
    uprights: Vec<f32>,
    /// The same, as they are drawn.
    posts: Vec<Rule>,
}

fn frames(rules: &[Rule]) -> Vec<Frame> {
    let mut groups: Vec<(Rule, Vec<Rule>)> = Vec::new();
    let mut sorted: Vec<Rule> = rules.iter().take(4_000).copied().collect();
    sorted.sort_by(|a, b| b.top.total_cmp(&a.top));
    for rule in sorted {
        let touches = |all: &Rule| {
            all.left - NEAR <= rule.right
                && rule.left <= all.right + NEAR
                && all.bottom - NEAR <= rule.top
                && rule.bottom <= all.top + NEAR
        };
        // Level rules of the same width under one another hold together without uprights.
        let aligned = |all: &Rule, members: &[Rule]| {
            rule.is_level()
                && members.iter().all(Rule::is_level)
                && (all.left - rule.left).abs() < NEAR
                && (all.right - rule.right).abs() < NEAR
        };
        let mut home: Option<usize> = None;
        for at in (0..groups.len()).rev() {
            let joins = groups
                .get(at)
                .is_some_and(|(all, members)| touches(all) || aligned(all, members));
            if !joins {
                continue;
            }
            match home {
                None => home = Some(at),
                Some(to) => {
                    let (all, members) = groups.remove(at);
                    let to = to - 1;
                    if let Some((whole, rules)) = groups.get_mut(to) {
                        *whole = around(whole, &all);
                        rules.extend(members);
                    }
                    home = Some(to);
                }
            }
        }
        match home.and_then(|at| groups.get_mut(at)) {
            Some((all, members)) => {
                *all = around(all, &rule);
                members.push(rule);
            }
            None => groups.push((rule, vec![rule])),
        }
        if groups.len() > 200 {
            break;
        }
    }
    groups
        .into_iter()
        .filter_map(|(all, members)| {
            let width = all.right - all.left;
            let levels = distinct(
                members
                    .iter()
                    .filter(|rule| rule.is_level())
                    .map(|rule| (rule.bottom + rule.top) / 2.0),
            );
            // Rules drawn cell by cell count together.
            let across = |height: f32| -> f32 {
                members
                    .iter()
                    .filter(|rule| {
                        rule.is_level() && ((rule.bottom + rule.top) / 2.0 - height).abs() < 2.0
                    })
                    .map(|rule| rule.right - rule.left)
                    .sum()
            };
            let mut levels: Vec<f32> = levels
                .into_iter()
                .filter(|height| across(*height) > 0.7 * width)
                .collect();
            levels.reverse();
            let uprights = distinct(
                members
                    .iter()
                    .filter(|rule| !rule.is_level())
                    .map(|rule| (rule.left + rule.right) / 2.0),
            );
            (levels.len() >= 2 && width > 60.0).then_some(Frame {
                left: all.left,
                right: all.right,
                bottom: all.bottom,
                top: all.top,
                levels,
                uprights,
                posts: members
                    .into_iter()
                    .filter(|rule| !rule.is_level())
                    .collect(),
            })
        })
        .collect()
}

fn around(one: &Rule, other: &Rule) -> Rule {
    Rule {
        left: one.left.min(other.left),
        right: one.right.max(other.right),
        bottom: one.bottom.min(other.bottom),
        top: one.top.max(other.top),
    }
}

/// Places, in ascending order, each once.
fn distinct(places: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut places: Vec<f32> = places.collect();
    places.sort_by(f32::total_cmp);
    places.dedup_by(|next, last| *next - *last < NEAR);
    places
}

impl Frame {
    /// Whether nothing but a rule above and one below make it, and other rules stand between them: those under the head and over the
    /// foot of a page. `places` are the bottoms and tops of all that touch.
    fn is_of_page(&self, places: &[(f32, f32)]) -> bool {
        let is_inside =
            |(bottom, top): &(f32, f32)| *bottom > self.bottom + NEAR && *top < self.top - NEAR;
        self.posts.is_empty() && self.levels.len() == 2 && places.iter().any(is_inside)
    }

    /// Puts the lines of a form that is laid out in boxes in their order; whether it is one.
    fn open(&self, lines: &mut Vec<Line>) -> bool {
        let within = lines.iter().filter(|line| self.holds(line));
        let mut boxes: Vec<Vec<Line>> = Vec::new();
        let mut band = usize::MAX;
        let mut from = 0;
        for line in within {
            if self.band(line) != band {
                band = self.band(line);
                from = boxes.len();
            }
            let middle = line.y + 0.3 * line.size;
            let crossing = self
                .posts
                .iter()
                .filter(|post| post.bottom < middle && post.top > middle);
            let borders = distinct(crossing.map(|post| (post.left + post.right) / 2.0));
            let parts = split(line, &borders);
            boxes.resize(boxes.len().max(from + parts.len()), Vec::new());
            for (part, own) in parts.into_iter().zip(boxes.iter_mut().skip(from)) {
                own.extend(part);
            }
        }
        let last_column = lines.iter().map(|line| line.column).max().unwrap_or(0);
        let Some(apart) = boxes::read_apart(boxes, last_column.saturating_add(1)) else {
            return false;
        };
        let place = lines.iter().position(|line| self.holds(line)).unwrap_or(0);
        lines.retain(|line| !self.holds(line));
        lines.splice(place..place, apart);
        true
    }

    /// Leaves out what rules part from the rows and is prose: the text between the rule under a running head and a table.
    fn leave_prose(&mut self, lines: &[Line]) {
        while let (Some(top), Some(next), true) = (
            self.levels.first().copied(),
            self.levels.get(1).copied(),
            self.levels.len() > 2,
        ) {
            let within = lines
                .iter()
                .filter(|line| self.holds(line) && line.y < top && line.y + 0.3 * line.size > next);
            let (mut prose, mut all) = (0, 0);
            for line in within {
                all += 1;
                let (mut longest, mut from) = (0.0f32, line.left);
                for piece in &line.pieces {
                    from = if piece.is_apart { piece.left } else { from };
                    longest = longest.max(piece.right - from);
                }
                prose += usize::from(longest > 0.6 * (self.right - self.left));
            }
            let middle = (top + next) / 2.0;
            let is_crossed = self.posts.iter().any(|post| {
                post.left > self.left + 2.0 * NEAR
                    && post.right < self.right - 2.0 * NEAR
                    && post.bottom < middle
                    && post.top > middle
            });
            if is_crossed || all < 2 || prose * 2 < all {
                break;
            }
            self.levels.remove(0);
            self.top = next;
        }
    }

    /// How many of its rules are above a line.
    fn band(&self, line: &Line) -> usize {
        let middle = line.y + 0.3 * line.size;
        self.levels.iter().filter(|level| **level > middle).count()
    }

    fn holds(&self, line: &Line) -> bool {
        line.left >= self.left - NEAR
            && line.right <= self.right + NEAR
            && line.y > self.bottom - 1.0
            && line.y < self.top
    }

    fn table(&self, lines: &[Line]) -> Option<Table> {
        let page = lines.first()?.page;
        let inner: Vec<f32> = self
            .uprights
            .iter()
            .copied()
            .filter(|x| *x > self.left + 2.0 * NEAR && *x < self.right - 2.0 * NEAR)
            .collect();
        let is_grid = !inner.is_empty();
        let borders = if is_grid { inner } else { gaps(lines)? };
        // A rule through words parts columns where there is white beside it, and no words where there is none.
        let settled = |x: &f32| match is_grid && is_struck(lines, *x) {
            true => (
                white_beside(lines, *x).unwrap_or(*x),
                white_beside(lines, *x).is_some(),
            ),
            false => (*x, true),
        };
        let borders: Vec<(f32, bool)> = borders.iter().map(settled).collect();
        let cuts = borders.iter().filter(|(_, cuts)| *cuts);
        let cuts: Vec<f32> = cuts.map(|(x, _)| *x).collect();
        let borders: Vec<f32> = borders.into_iter().map(|(x, _)| x).collect();
        if borders.len() >= COLUMNS_MAX {
            return None;
        }
        let mut rows: Vec<Vec<Vec<Line>>> = Vec::new();
        let mut band = usize::MAX;
        let cells = lines.iter().map(|line| split_at(line, &borders, &cuts));
        let cells: Vec<Vec<Option<Line>>> = cells.collect();
        let bands: Vec<usize> = lines.iter().map(|line| self.band(line)).collect();
        for (here, cells) in bands.iter().copied().zip(cells) {
            // In a grid, rules part rows; where only some rules are drawn, each line is a row, except one that goes on.
            let is_ruled = is_grid && self.levels.len() > 3 || self.levels.len() > lines.len() / 2;
            let goes_on = here == band
                && (is_ruled
                    || cells.first().is_none_or(Option::is_none)
                    || rows.last().is_some_and(|row| goes_on(row, &cells)));
            if !goes_on {
                rows.push(vec![Vec::new(); borders.len() + 1]);
            }
            band = here;
            if let Some(row) = rows.last_mut() {
                for (cell, part) in row.iter_mut().zip(cells) {
                    cell.extend(part);
                }
            }
        }
        // What only keeps two columns apart is none.
        let is_filled: Vec<bool> = (0..=borders.len())
            .map(|at| {
                let mut cells = rows.iter().filter_map(|row| row.get(at));
                cells.any(|cell| !cell.is_empty())
            })
            .collect();
        for row in &mut rows {
            let mut filled = is_filled.iter();
            row.retain(|_| filled.next().copied().unwrap_or(true));
        }
        let columns = is_filled.iter().filter(|filled| **filled).count();
        let wide = rows
            .iter()
            .filter(|row| row.iter().filter(|cell| !cell.is_empty()).count() >= 2)
            .count();
        // The labels of a drawing stand here and there.
        let cells = rows.len() * columns;
        let filled = rows.iter().flatten().filter(|cell| !cell.is_empty());
        let is_drawing = columns > 4 && filled.count() * 3 < cells;
        (rows.len() >= 2 && wide * 2 >= rows.len() && !is_drawing).then_some(Table {
            page,
            left: self.left,
            rows,
            is_definitions: false,
        })
    }
}

/// Whether a rule at `x` goes through the words of several lines.
fn is_struck(lines: &[Line], x: f32) -> bool {
    let crosses = |piece: &Piece| {
        let letters = piece.text.chars().count().max(1);
        let width = (piece.right - piece.left) / letters as f32;
        let before = ((x - piece.left) / width.max(0.1)).round() as usize;
        // The letters on both sides of it.
        let mut around = piece.text.chars().skip(before.saturating_sub(1)).take(2);
        piece.left < x - STRUCK && piece.right > x + STRUCK && around.all(|c| c != ' ')
    };
    let struck = lines.iter().filter(|line| line.pieces.iter().any(crosses));
    struck.count() >= STRUCK_MIN
}

/// The nearest place to a rule at `x` where no line has words.
fn white_beside(lines: &[Line], x: f32) -> Option<f32> {
    let is_white = |x: f32| {
        let mut pieces = lines.iter().flat_map(|line| &line.pieces);
        !pieces.any(|piece| piece.left < x + 0.5 && piece.right > x - 0.5)
    };
    let aside = (1..=WHITE_WITHIN).map(f32::from);
    let places = aside.flat_map(|aside| [x - aside, x + aside]);
    places.into_iter().find(|x| is_white(*x))
}

/// Whether `cells` goes on with `row`: it has fewer cells and stands right below.
fn goes_on(row: &[Vec<Line>], cells: &[Option<Line>]) -> bool {
    let filled = cells.iter().flatten().count();
    let had = row.iter().filter(|cell| !cell.is_empty()).count();
    filled < had && filled == 1 && cells.first().is_some_and(Option::is_none)
}

/// The white stripes between columns that no rule marks. Where no line has two cells, what stands on the right is no column.
fn gaps(lines: &[Line]) -> Option<Vec<f32>> {
    let is_parted = |line: &Line| line.pieces.iter().skip(1).any(|piece| piece.is_apart);
    if !lines.iter().any(is_parted) {
        return None;
    }
    let mut starts: Vec<(f32, f32)> = Vec::new();
    for line in lines {
        let mut cell: Option<(f32, f32)> = None;
        for piece in &line.pieces {
            match &mut cell {
                Some((_, right)) if !piece.is_apart => *right = piece.right,
                _ => {
                    starts.extend(cell);
                    cell = Some((piece.left, piece.right));
                }
            }
        }
        starts.extend(cell);
    }
    starts.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut columns: Vec<(f32, f32)> = Vec::new();
    for (left, right) in starts {
        match columns.last_mut() {
            Some((_, end)) if left <= *end => *end = end.max(right),
            _ => columns.push((left, right)),
        }
    }
    let borders: Vec<f32> = columns
        .iter()
        .zip(columns.iter().skip(1))
        .map(|((_, end), (start, _))| (end + start) / 2.0)
        .collect();
    (!borders.is_empty()).then_some(borders)
}

/// The parts of a line between the borders.
pub(crate) fn split(line: &Line, borders: &[f32]) -> Vec<Option<Line>> {
    split_at(line, borders, borders)
}

/// The parts of a line between the borders, of which those in `cuts` go between its words.
fn split_at(line: &Line, borders: &[f32], cuts: &[f32]) -> Vec<Option<Line>> {
    let mut cells: Vec<Option<Line>> = vec![None; borders.len() + 1];
    for piece in line.pieces.iter().flat_map(|piece| parted(piece, cuts)) {
        let at = borders
            .iter()
            .filter(|x| **x < (piece.left + piece.right) / 2.0)
            .count();
        if let Some(cell) = cells.get_mut(at) {
            match cell {
                Some(part) => {
                    part.right = piece.right;
                    part.pieces.push(piece);
                }
                None => {
                    *cell = Some(Line {
                        left: piece.left,
                        right: piece.right,
                        pieces: vec![piece],
                        ..line.clone()
                    });
                }
            }
        }
    }
    cells
}

/// A piece cut where a border goes through a space of it.
fn parted(piece: &Piece, borders: &[f32]) -> Vec<Piece> {
    let mut parts: Vec<Piece> = Vec::new();
    let mut rest = piece.clone();
    let inside = |x: &&f32| **x > piece.left + 1.0 && **x < piece.right - 1.0;
    for border in borders.iter().filter(inside) {
        let width = (rest.right - rest.left) / rest.text.chars().count().max(1) as f32;
        let spaces = rest.text.char_indices().enumerate();
        let nearest = spaces
            .filter(|(_, (_, character))| *character == ' ')
            .map(|(count, (at, _))| (at, rest.left + (count as f32 + 0.5) * width))
            .min_by(|(_, a), (_, b)| (a - border).abs().total_cmp(&(b - border).abs()))
            .filter(|(_, x)| (x - border).abs() < 1.5 * piece.size);
        let Some((before, after, x)) =
            nearest.and_then(|(at, x)| Some((rest.text.get(..at)?, rest.text.get(at..)?, x)))
        else {
            continue;
        };
        if before.trim().is_empty() || after.trim().is_empty() {
            continue;
        }
        parts.push(Piece {
            text: before.to_owned(),
            right: x.min(*border),
            ..rest.clone()
        });
        rest = Piece {
            text: after.trim_start().to_owned(),
            left: x.max(*border),
            is_apart: true,
            ..rest
        };
    }
    parts.push(rest);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::testing;

    fn line(y: f32, words: &[(&str, f32)]) -> Line {
        let pieces = words.iter().enumerate().map(|(at, (words, left))| Piece {
            left: *left,
            right: left + 40.0,
            is_apart: at > 0,
            ..testing::piece(words)
        });
        let pieces: Vec<Piece> = pieces.collect();
        Line {
            left: pieces[0].left,
            right: pieces[pieces.len() - 1].right,
            y,
            ..testing::line(pieces)
        }
    }

    fn rule(left: f32, bottom: f32, right: f32, top: f32) -> Rule {
        Rule {
            left,
            right,
            bottom,
            top,
        }
    }

    #[test]
    fn a_rule_through_the_words_of_a_column_parts_none() {
        let told = [
            "The kiln is hot",
            "Wood burns it",
            "No fire in it",
            "Ash is left",
        ];
        let mut lines: Vec<Line> = (0_u8..)
            .zip(told)
            .map(|(row, told)| {
                line(
                    690.0 - 20.0 * f32::from(row),
                    &[("KILN", 76.0), (told, 276.0)],
                )
            })
            .collect();
        let mut rules: Vec<Rule> = (0_u8..5)
            .map(|row| 706.0 - 20.0 * f32::from(row))
            .map(|level| rule(72.0, level, 520.0, level))
            .collect();
        rules.push(rule(250.0, 626.0, 250.0, 706.0));
        rules.push(rule(282.0, 626.0, 282.0, 706.0));
        let tables = take(&mut lines, &rules);
        let widths = tables
            .iter()
            .flat_map(|(_, table)| table.rows.iter().map(Vec::len));
        assert_eq!(widths.collect::<Vec<usize>>(), [2, 2, 2, 2]);
    }

    #[test]
    fn rules_between_rows_hold_a_name_to_what_stands_above_and_below_it() {
        let mut lines = vec![
            line(700.0, &[("OAK", 76.0), ("hot", 276.0)]),
            line(686.0, &[("very", 276.0)]),
            line(674.0, &[("ASH", 76.0), ("hot,", 276.0)]),
            line(662.0, &[("dry", 276.0)]),
            line(648.0, &[("burns", 276.0)]),
            line(642.0, &[("ELM", 76.0)]),
            line(636.0, &[("long", 276.0)]),
            line(622.0, &[("FIR", 76.0), ("none", 276.0)]),
            line(590.0, &[("Wood", 72.0)]),
            line(570.0, &[("It is said of wood.", 72.0)]),
        ];
        // Those of the head and the foot of the page, and between two columns one that holds nothing.
        let mut rules = vec![
            rule(72.0, 760.0, 500.0, 760.0),
            rule(72.0, 40.0, 500.0, 40.0),
            rule(250.0, 616.0, 250.0, 712.0),
            rule(262.0, 616.0, 262.0, 712.0),
        ];
        for level in [712.0, 696.0, 658.0, 632.0, 616.0] {
            rules.push(rule(72.0, level, 250.0, level));
            rules.push(rule(250.0, level, 262.0, level));
            rules.push(rule(262.0, level, 520.0, level));
        }
        let tables = take(&mut lines, &rules);
        let [(place, table)] = tables.as_slice() else {
            panic!("{tables:?}");
        };
        let cell = |cell: &Vec<Line>| {
            let words: Vec<String> = cell.iter().map(Line::text).collect();
            words.join(" ")
        };
        let rows: Vec<Vec<String>> = table
            .rows
            .iter()
            .map(|row| row.iter().map(cell).collect())
            .collect();
        assert_eq!(
            rows,
            [
                ["OAK", "hot"],
                ["ASH", "very hot, dry"],
                ["ELM", "burns long"],
                ["FIR", "none"]
            ]
        );
        assert_eq!((*place, lines.len()), (0, 2));
    }
}
