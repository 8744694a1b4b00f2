//! Puts glyphs together into lines in reading order: words by the room between letters, columns by the gutters between them.

use crate::pdf::accents::{self, combining};
use crate::pdf::bidi;
use crate::pdf::content::Shown;
use crate::pdf::faces::{Face, Faces};
use crate::pdf::glyph::{Glyph, Rule};
use crate::pdf::line::{Line, Piece};
use crate::pdf::rows;

/// The widest run of spaces inside a line that is kept.
const SPACES_MAX: usize = 160;
/// The least room between words, in sizes of their letters: what justified lines shrink a space to.
const WORD_GAP: f32 = 0.13;
/// The room between two words in a typewriter's face that are set with the text's space, in widths of its characters.
const FIXED_WORD_GAP: f32 = 0.38;
/// Letters of a typewriter's face stand no further apart where none is set wide, in widths of its characters.
const ABUTTING: f32 = 1.08;
/// Letters that stand no further apart, in their sizes, are of one word whatever is drawn between them.
const ABUTTING_GAP: f32 = 0.05;
/// A glyph that is drawn over itself stands no further aside, in sizes of its letters.
const AGAIN_OF_SIZE: f32 = 0.12;
/// The most underscores that a page draws as rules.
const UNDERSCORES_MAX: usize = 300;
/// Rules between the cells of a page's tables.
const UPRIGHTS_MAX: usize = 1_000;
/// What is wider than this share of a page's text crosses every gutter.
const ACROSS_OF_WIDTH: f32 = 0.6;
/// Lines of each of two columns at least.
const COLUMN_LINES_MIN: usize = 4;
/// Columns within columns.
const COLUMN_DEPTH_MAX: usize = 4;

/// Glyphs beside one another on one baseline.
#[derive(Debug, Clone)]
struct Fragment {
    glyphs: Vec<Glyph>,
    left: f32,
    right: f32,
    y: f32,
    size: f32,
    is_raised: bool,
}

impl Fragment {
    /// The size of most of its glyphs, whatever size the small capitals have that it begins with.
    fn usual_size(&self) -> f32 {
        let mut sizes: Vec<f32> = self.glyphs.iter().map(|glyph| glyph.size).collect();
        sizes.sort_by(f32::total_cmp);
        sizes.get(sizes.len() / 2).copied().unwrap_or(self.size)
    }

    /// Whether it may be the mark of a note: a number of a few digits.
    fn is_mark(&self) -> bool {
        self.glyphs.len() <= 3
            && self
                .glyphs
                .iter()
                .all(|glyph| glyph.character.is_ascii_digit())
    }

    fn letters(&self) -> usize {
        self.glyphs
            .iter()
            .filter(|glyph| !glyph.character.is_whitespace())
            .count()
    }
}

/// The lines of a page in reading order.
pub(crate) fn of(shown: &Shown, faces: &Faces, page: u32) -> Vec<Line> {
    let painted = shown.glyphs.iter().filter(|glyph| !glyph.hidden).count();
    // Text that nobody sees is what text recognition put behind a picture, or not meant to be read.
    let wants_hidden = painted * 2 < shown.glyphs.len() && shown.pictured > 0.3;
    let mut turns = [0usize; 4];
    for glyph in &shown.glyphs {
        if let Some(count) = turns.get_mut(usize::from(glyph.turn)) {
            *count += 1;
        }
    }
    let mut order: Vec<u8> = vec![0, 1, 2, 3];
    order.sort_by_key(|turn| std::cmp::Reverse(turns.get(usize::from(*turn)).copied()));
    let mut lines = Vec::new();
    let uprights: Vec<Rule> = shown
        .rules
        .iter()
        .filter(|rule| !rule.is_level())
        .take(UPRIGHTS_MAX)
        .copied()
        .collect();
    let all = accents::composed(underscored(shown.glyphs.clone(), &shown.rules));
    for turn in order {
        let glyphs = all.iter().filter(|glyph| {
            glyph.turn == turn && (wants_hidden || !glyph.hidden) && !glyph.character.is_control()
        });
        let fragments = merged(fragments(glyphs));
        let first = lines.last().map_or(0, |line: &Line| line.column + 1);
        let mut regions = Vec::new();
        columns(fragments, 0, &mut regions);
        for (column, region) in (first..).zip(regions) {
            let drawn = if turn == 0 { uprights.as_slice() } else { &[] };
            let mut region = lines_of(region, faces, page, column, drawn);
            if turn == 0 {
                mark_rules(&mut region, &shown.rules);
            }
            lines.extend(region);
        }
    }
    lines
}

/// Marks the lines that a long rule parts from the line above.
fn mark_rules(lines: &mut [Line], rules: &[Rule]) {
    let long: Vec<&Rule> = rules
        .iter()
        .filter(|rule| rule.is_level() && rule.right - rule.left > 100.0)
        .take(500)
        .collect();
    let mut above = f32::MAX;
    for line in lines {
        line.is_below_rule = long.iter().any(|rule| {
            rule.bottom > line.y + 0.5 * line.size
                && rule.top < above
                && rule.left < line.right
                && rule.right > line.left
        });
        above = line.y;
    }
}

/// The glyphs, with the underscores that TeX draws as rules between two letters.
fn underscored(mut glyphs: Vec<Glyph>, rules: &[Rule]) -> Vec<Glyph> {
    let short = rules
        .iter()
        .filter(|rule| rule.is_level() && (2.0..9.0).contains(&(rule.right - rule.left)));
    for rule in short.take(UNDERSCORES_MAX) {
        let at = glyphs.iter().position(|glyph| {
            glyph.turn == 0
                && (glyph.right - rule.left).abs() < 0.15 * glyph.size
                && (glyph.y - rule.top).abs() < 0.3 * glyph.size
                && rule.right - rule.left < 0.7 * glyph.size
                && glyph.character.is_alphanumeric()
        });
        let Some((at, before)) = at.and_then(|at| Some((at, *glyphs.get(at)?))) else {
            continue;
        };
        // A rule under a letter is a part of what underlines a link; one that is rounded up reaches a little below the next one.
        let goes_on = glyphs.get(at + 1).is_some_and(|next| {
            (next.left - rule.right).abs() < 0.3 * next.size
                && next.left - before.right > 0.5 * (rule.right - rule.left)
                && (next.y - before.y).abs() < 1.0
        });
        if goes_on {
            let drawn = Glyph {
                character: '_',
                // The little room before it is none between words.
                left: before.right,
                right: rule.right.max(before.right),
                ..before
            };
            glyphs.insert(at + 1, drawn);
        }
    }
    glyphs
}

/// Whether a glyph is drawn over itself, a little aside, as some make letters bold.
fn is_drawn_again(before: &Glyph, glyph: &Glyph) -> bool {
    let near = AGAIN_OF_SIZE * glyph.size;
    before.character == glyph.character
        && glyph.character != ' '
        && (before.left - glyph.left).abs() < near.min(0.5 * (glyph.right - glyph.left))
        && (before.y - glyph.y).abs() < near
        && (before.size - glyph.size).abs() < near
}

/// Glyphs that follow one another on a baseline, as they were drawn.
fn fragments<'a>(glyphs: impl Iterator<Item = &'a Glyph>) -> Vec<Fragment> {
    let mut fragments: Vec<Fragment> = Vec::new();
    for glyph in glyphs {
        let before = fragments.last().and_then(|last| last.glyphs.last());
        if before.is_some_and(|before| is_drawn_again(before, glyph)) {
            continue;
        }
        if let Some(last) = fragments.last_mut()
            && (last.y - glyph.y).abs() < 0.08 * glyph.size
            && (last.size - glyph.size).abs() < 0.12 * glyph.size
            && (glyph.left > last.right - 0.4 * glyph.size
                || glyph.left > last.right - glyph.size
                    && last
                        .glyphs
                        .last()
                        .is_some_and(|before| combining(before.character).is_some()))
            && glyph.left < last.right + 0.9 * glyph.size
        {
            last.right = last.right.max(glyph.right);
            last.glyphs.push(*glyph);
            continue;
        }
        fragments.push(Fragment {
            glyphs: vec![*glyph],
            left: glyph.left,
            right: glyph.right,
            y: glyph.y,
            size: glyph.size,
            is_raised: false,
        });
    }
    for fragment in &mut fragments {
        // Spaces at the ends are room, not ink.
        while fragment
            .glyphs
            .last()
            .is_some_and(|glyph| glyph.character == ' ')
        {
            fragment.glyphs.pop();
        }
        let leading = fragment
            .glyphs
            .iter()
            .take_while(|glyph| glyph.character == ' ')
            .count();
        fragment.glyphs.drain(..leading);
        fragment.left = fragment.glyphs.first().map_or(0.0, |glyph| glyph.left);
        fragment.right = fragment.glyphs.last().map_or(0.0, |glyph| glyph.right);
    }
    fragments.retain(|fragment| !fragment.glyphs.is_empty());
    fragments
}

/// Fragments that abut are one, in whatever order they were drawn; what is drawn twice is there once.
fn merged(mut fragments: Vec<Fragment>) -> Vec<Fragment> {
    let key = |fragment: &Fragment| ((-fragment.y * 2.0).round() as i64, fragment.left);
    fragments.sort_by(|a, b| {
        let ((y, left), (other_y, other_left)) = (key(a), key(b));
        y.cmp(&other_y).then(left.total_cmp(&other_left))
    });
    let mut out: Vec<Fragment> = Vec::with_capacity(fragments.len());
    for fragment in fragments {
        if let Some(last) = out.last_mut()
            && (last.y - fragment.y).abs() < 0.08 * fragment.size
        {
            let is_again = (fragment.left - last.left).abs() < 0.3 * fragment.size
                && last.glyphs.len() == fragment.glyphs.len()
                && last
                    .glyphs
                    .iter()
                    .zip(&fragment.glyphs)
                    .all(|(one, other)| one.character == other.character);
            if is_again {
                continue;
            }
            if (last.size - fragment.size).abs() < 0.12 * fragment.size
                && fragment.left > last.right - 0.4 * fragment.size
                && fragment.left < last.right + 0.9 * fragment.size
            {
                last.right = last.right.max(fragment.right);
                last.glyphs.extend(fragment.glyphs);
                continue;
            }
        }
        out.push(fragment);
    }
    out
}

/// Splits `fragments` into regions that are read one after the other.
fn columns(fragments: Vec<Fragment>, depth: usize, out: &mut Vec<Vec<Fragment>>) {
    if fragments.is_empty() {
        return;
    }
    let Some(gutter) = gutter(&fragments).filter(|_| depth < COLUMN_DEPTH_MAX) else {
        out.push(fragments);
        return;
    };
    // What crosses the gutter ends the columns above it.
    let mut rest = fragments;
    rest.sort_by(|a, b| b.y.total_cmp(&a.y));
    let (mut left, mut right, mut across) = (Vec::new(), Vec::new(), Vec::new());
    for fragment in rest {
        if fragment.left < gutter && fragment.right > gutter {
            columns(std::mem::take(&mut left), depth + 1, out);
            columns(std::mem::take(&mut right), depth + 1, out);
            across.push(fragment);
            continue;
        }
        if !across.is_empty() {
            out.push(std::mem::take(&mut across));
        }
        if fragment.right <= gutter {
            left.push(fragment);
        } else {
            right.push(fragment);
        }
    }
    if !across.is_empty() {
        out.push(across);
    }
    columns(left, depth + 1, out);
    columns(right, depth + 1, out);
}

/// The middle of the white stripe between two columns of prose, when there is one.
fn gutter(fragments: &[Fragment]) -> Option<f32> {
    let left = fragments.iter().map(|f| f.left).fold(f32::MAX, f32::min);
    let right = fragments.iter().map(|f| f.right).fold(f32::MIN, f32::max);
    let width = right - left;
    if fragments.len() < 2 * COLUMN_LINES_MIN || width < 200.0 {
        return None;
    }
    let all: Vec<&Fragment> = fragments.iter().collect();
    // Text across the whole page above and below two short columns says nothing of what is between them.
    let (across, narrow): (Vec<&Fragment>, Vec<&Fragment>) = all
        .iter()
        .partition(|f| f.right - f.left > ACROSS_OF_WIDTH * width);
    [(all, Vec::new()), (narrow, across)]
        .into_iter()
        .find_map(|(those, across)| {
            let gutter = stripe(&those, left, width)?;
            let ys = those.iter().filter(|f| f.left >= gutter).map(|f| f.y);
            let (bottom, top) = ys.fold((f32::MAX, f32::MIN), |(bottom, top), y| {
                (bottom.min(y), top.max(y))
            });
            // What stands above both columns or below the shorter one is none of what is beside each other.
            let is_beside = |f: &&Fragment| f.y >= bottom - 1.0 && f.y <= top + 1.0;
            let beside: Vec<&Fragment> = those.into_iter().filter(is_beside).collect();
            let is_free = !across.iter().any(is_beside);
            (is_free && are_columns(&beside, gutter, (left, right))).then_some(gutter)
        })
}

/// Whether what stands on both sides of `gutter` is prose: lines that fill most of their column, and are no rows of a table.
fn are_columns(fragments: &[&Fragment], gutter: f32, (left, right): (f32, f32)) -> bool {
    let side = |is_left: bool| -> Vec<&Fragment> {
        let those = fragments.iter().copied();
        those
            .filter(|f| {
                if is_left {
                    f.right <= gutter
                } else {
                    f.left >= gutter
                }
            })
            .collect()
    };
    let is_prose = |those: &[&Fragment], room: f32| {
        let is_full = |f: &&&Fragment| f.right - f.left > 0.6 * room && f.letters() >= 12;
        let full = those.iter().filter(is_full).count();
        those.len() >= COLUMN_LINES_MIN && full * 2 >= those.len()
    };
    // What is told stands beside its names, and is read with them.
    let baselines = |those: &[&Fragment]| -> Vec<f32> {
        let mut ys: Vec<f32> = those.iter().map(|f| f.y).collect();
        ys.sort_by(|a, b| b.total_cmp(a));
        ys.dedup_by(|next, last| (*next - *last).abs() < 1.0);
        ys
    };
    let (on_left, on_right) = (side(true), side(false));
    is_prose(&on_left, gutter - left)
        && is_prose(&on_right, right - gutter)
        && !rows::are_beside(&baselines(&on_left), &baselines(&on_right))
}

/// The middle of the widest stripe inside a region that hardly any of `fragments` reach into.
fn stripe(fragments: &[&Fragment], left: f32, width: f32) -> Option<f32> {
    const BINS: usize = 200;
    let bin = |x: f32| (((x - left) / width * BINS as f32) as usize).min(BINS - 1);
    let mut covered = vec![0usize; BINS];
    for fragment in fragments {
        let (first, last) = (bin(fragment.left), bin(fragment.right));
        if let Some(bins) = covered.get_mut(first..=last) {
            bins.iter_mut().for_each(|count| *count += 1);
        }
    }
    let few = fragments.len() / 12;
    let (mut best, mut start) = (None::<(usize, usize)>, None::<usize>);
    for (at, count) in covered.iter().enumerate().skip(BINS / 5).take(BINS * 3 / 5) {
        if *count <= few {
            let from = *start.get_or_insert(at);
            if best.is_none_or(|(a, b)| at - from > b - a) {
                best = Some((from, at));
            }
        } else {
            start = None;
        }
    }
    let (from, to) = best?;
    Some(left + ((from + to + 1) as f32 / 2.0) * width / BINS as f32)
}

/// The lines of a region, from top to bottom.
fn lines_of(
    mut fragments: Vec<Fragment>,
    faces: &Faces,
    page: u32,
    column: u16,
    uprights: &[Rule],
) -> Vec<Line> {
    fragments.sort_by(|a, b| b.y.total_cmp(&a.y).then(a.left.total_cmp(&b.left)));
    let bounds = fragments
        .iter()
        .fold((f32::MAX, f32::MIN), |(left, right), f| {
            (left.min(f.left), right.max(f.right))
        });
    // Larger text makes the rows; smaller text beside it, a little higher or lower, belongs to them.
    let mut rows: Vec<Vec<Fragment>> = Vec::new();
    let mut heights: Vec<(f32, f32)> = Vec::new();
    let mut loose = Vec::new();
    for fragment in fragments {
        let same = heights
            .iter()
            .rev()
            .take(4)
            .position(|(y, size)| (y - fragment.y).abs() < 0.25 * fragment.size.min(*size));
        match same {
            Some(back) => {
                let at = rows.len() - 1 - back;
                if let (Some(row), Some(height)) = (rows.get_mut(at), heights.get_mut(at)) {
                    if fragment.size > height.1 {
                        *height = (fragment.y, fragment.size);
                    }
                    row.push(fragment);
                }
            }
            None if fragment.letters() <= 6 => loose.push(fragment),
            None => {
                heights.push((fragment.y, fragment.size));
                rows.push(vec![fragment]);
            }
        }
    }
    let mut late = Vec::new();
    for fragment in loose {
        match home(&fragment, &rows, &heights, false) {
            // The mark of a note may be beside words that are looked at after it, such as small capitals.
            None if fragment.is_mark() => late.push(fragment),
            found => put(fragment, found, &mut rows, &mut heights),
        }
    }
    for fragment in late {
        let found = home(&fragment, &rows, &heights, true);
        put(fragment, found, &mut rows, &mut heights);
    }
    let mut lines: Vec<Line> = rows
        .into_iter()
        .zip(heights)
        .map(|(row, (y, size))| {
            let middle = y + 0.3 * size;
            let crossing: Vec<f32> = uprights
                .iter()
                .filter(|rule| rule.bottom < middle && rule.top > middle)
                .map(|rule| (rule.left + rule.right) / 2.0)
                .collect();
            let place = Place {
                y,
                page,
                column,
                bounds,
                crossing,
            };
            line_of(row, faces, &place)
        })
        .collect();
    lines.sort_by(|a, b| b.y.total_cmp(&a.y));
    lines
}

/// The row that a fragment of few letters belongs to: it stands on its line, or beside it, smaller and a little higher or lower. What
/// was put off may stand further from letters that are smaller than their line.
fn home(
    fragment: &Fragment,
    rows: &[Vec<Fragment>],
    heights: &[(f32, f32)],
    is_late: bool,
) -> Option<usize> {
    let beside = |row: &[Fragment], size: f32| {
        row.iter().any(|f| {
            let letters = if is_late {
                f.usual_size().max(size)
            } else {
                f.size
            };
            let room = 0.6 * letters;
            fragment.left < f.right + room && fragment.right > f.left - room
        })
    };
    heights.iter().zip(rows).position(|((y, size), row)| {
        let rise = fragment.y - y;
        (rise.abs() < 0.25 * size.min(fragment.size))
            || (fragment.size < 0.9 * size
                && (-0.35 * size..0.65 * size).contains(&rise)
                && beside(row, *size))
    })
}

/// Puts a fragment into the row that was found for it, else into one of its own.
fn put(
    mut fragment: Fragment,
    found: Option<usize>,
    rows: &mut Vec<Vec<Fragment>>,
    heights: &mut Vec<(f32, f32)>,
) {
    match found.and_then(|at| Some((rows.get_mut(at)?, heights.get(at)?))) {
        Some((row, (y, size))) => {
            fragment.is_raised = fragment.size < 0.9 * size && fragment.y > y + 0.12 * size;
            row.push(fragment);
        }
        None => {
            heights.push((fragment.y, fragment.size));
            rows.push(vec![fragment]);
        }
    }
}

/// Where a line stands.
struct Place {
    y: f32,
    page: u32,
    column: u16,
    bounds: (f32, f32),
    /// The rules that go down through it.
    crossing: Vec<f32>,
}

fn line_of(mut row: Vec<Fragment>, faces: &Faces, place: &Place) -> Line {
    row.sort_by(|a, b| a.left.total_cmp(&b.left));
    let size = row
        .iter()
        .max_by_key(|fragment| fragment.letters())
        .map_or(0.0, Fragment::usual_size);
    let left = row.iter().map(|f| f.left).fold(f32::MAX, f32::min);
    let right = row.iter().map(|f| f.right).fold(f32::MIN, f32::max);
    let mut pieces: Vec<Piece> = Vec::new();
    let mut end = None::<f32>;
    // What was drawn into a gap of another fragment stands there, whenever it was drawn.
    let mut glyphs: Vec<(&Glyph, bool)> = row
        .iter()
        .flat_map(|fragment| {
            fragment
                .glyphs
                .iter()
                .map(|glyph| (glyph, fragment.is_raised))
        })
        .collect();
    if row
        .iter()
        .zip(row.iter().skip(1))
        .any(|(one, next)| next.left < one.right)
    {
        glyphs.sort_by(|(a, _), (b, _)| a.left.total_cmp(&b.left));
    }
    {
        let behind: Vec<Option<char>> = glyphs
            .iter()
            .skip(1)
            .map(|(glyph, _)| Some(glyph.character))
            .chain([None])
            .collect();
        for ((glyph, is_raised), next) in glyphs.into_iter().zip(behind) {
            let face = faces.get(glyph.face);
            let gap = end.map_or(0.0, |end| glyph.left - end);
            // A rule may be drawn through a word: its letters abut there.
            let is_parted = gap.abs() > ABUTTING_GAP * glyph.size;
            let is_parted = is_parted
                && end.is_some_and(|end| {
                    let between = |x: &f32| *x > end - 1.0 && *x < glyph.left + 1.0;
                    place.crossing.iter().any(between)
                });
            let is_apart = end.is_some() && gap > 1.4 * size || is_parted;
            let spaces = if end.is_some() {
                spaces(gap, glyph, face, pieces.last())
            } else {
                0
            };
            // A path may begin with a stop.
            let begins_path = glyph.character == '.' && next == Some('/');
            let follows_word = pieces
                .last()
                .is_some_and(|last| !last.text.ends_with([' ', '.']));
            let spaces = match begins_path && follows_word && gap > WORD_GAP * glyph.size {
                true => spaces.max(1),
                false => spaces,
            };
            end = Some(glyph.right);
            let last = pieces.last_mut().filter(|last| {
                last.face == face
                    && last.link == glyph.link
                    && last.is_raised == is_raised
                    && !is_apart
            });
            let character = if glyph.character.is_whitespace() {
                ' '
            } else {
                glyph.character
            };
            match last {
                Some(last) => {
                    last.text.extend(std::iter::repeat_n(' ', spaces));
                    last.text.push(character);
                    last.right = glyph.right;
                }
                None => {
                    if let Some(last) = pieces.last_mut() {
                        last.text.extend(std::iter::repeat_n(' ', spaces));
                        if last.face.is_fixed {
                            last.right += spaces as f32 * last.size * 0.6;
                        }
                    }
                    pieces.push(Piece {
                        text: character.to_string(),
                        face,
                        link: glyph.link,
                        left: glyph.left,
                        right: glyph.right,
                        size: glyph.size,
                        is_raised,
                        is_apart,
                    });
                }
            }
        }
    }
    Line {
        page: place.page,
        column: place.column,
        left,
        right,
        y: place.y,
        size,
        bounds: place.bounds,
        pieces: bidi::read(pieces),
        is_below_rule: false,
    }
}

/// How many spaces stand in the room before a glyph.
fn spaces(gap: f32, glyph: &Glyph, face: Face, last: Option<&Piece>) -> usize {
    if glyph.character == ' ' {
        // Room beside a space that is there anyway counts only where columns count.
        let is_fixed = face.is_fixed && last.is_some_and(|last| last.face.is_fixed);
        let width = glyph.right - glyph.left;
        return if is_fixed && width > 0.0 && gap > 0.7 * width {
            ((gap / width).round() as usize).min(SPACES_MAX)
        } else {
            0
        };
    }
    let follows_space = last.is_some_and(|last| last.text.ends_with(' '));
    let fixed_width = last
        .filter(|last| last.face.is_fixed && (face.is_fixed || last.text.len() > 1))
        .map(|last| (last.right - last.left) / last.text.chars().count().max(1) as f32)
        .filter(|width| *width > 0.0);
    let own_width = glyph.right - glyph.left;
    match fixed_width {
        // After a sign of another face, columns go on as wide as the letters are.
        None if face.is_fixed && !follows_space && own_width > 0.0 && gap > 1.5 * own_width => {
            ((gap / own_width).round() as usize).min(SPACES_MAX)
        }
        Some(width) if face.is_fixed => {
            // TeX sets words in a typewriter's face with the space of the text around them. A listing may be set wide, and
            // an underscore that is drawn has room beside it.
            let own_before = last.map_or(1.0, |last| last.size / glyph.size.max(1.0)) * own_width;
            let is_word = width < ABUTTING * own_before
                && gap > FIXED_WORD_GAP * own_width
                && glyph.character != '_'
                && !last.is_some_and(|last| last.text.ends_with([' ', '_']));
            let columns = (gap / width).round().max(0.0) as usize;
            columns.max(usize::from(is_word)).min(SPACES_MAX)
        }
        _ if follows_space => 0,
        _ => {
            // The slant of a letter leaves room before a stop that is no space; code may begin with one.
            let begins_code = face.is_fixed && last.is_some_and(|last| !last.face.is_fixed);
            let is_stop =
                !begins_code && matches!(glyph.character, '.' | ',' | ';' | ':' | ')' | ']');
            let least = if is_stop { 2.0 * WORD_GAP } else { WORD_GAP };
            usize::from(gap > least * glyph.size)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::testing;

    #[test]
    fn code_that_begins_with_a_stop_stands_apart_from_the_word_before_it() {
        let stop = Glyph {
            left: 10.0,
            right: 16.0,
            ..testing::glyph('.')
        };
        let fixed = Face {
            is_fixed: true,
            ..Face::default()
        };
        let word = Piece {
            left: 0.0,
            right: 8.0,
            ..testing::piece("the")
        };
        assert_eq!(spaces(2.0, &stop, fixed, Some(&word)), 1);
        assert_eq!(spaces(2.0, &stop, Face::default(), Some(&word)), 0);
    }

    #[test]
    fn typewriter_words_with_the_space_of_the_text_between_them_are_parted() {
        let fixed = Face {
            is_fixed: true,
            ..Face::default()
        };
        let after = |words: &str, advance: f32, gap: f32| {
            let word = Piece {
                left: 0.0,
                right: advance * words.len() as f32,
                ..testing::piece(words)
            };
            let word = Piece {
                face: fixed,
                ..word
            };
            let next = Glyph {
                left: word.right + gap,
                right: word.right + gap + 6.5,
                ..testing::glyph('f')
            };
            spaces(gap, &next, fixed, Some(&word))
        };
        assert_eq!(after("kiln", 6.5, 3.0), 1);
        assert_eq!(after("kiln", 6.5, 2.0), 0);
        assert_eq!(after("kiln_", 6.5, 3.0), 0);
        // Letters that are set wide are no words.
        assert_eq!(after("kiln", 8.0, 3.0), 0);
        assert_eq!(after("kiln", 6.5, 13.0), 2);
    }

    #[test]
    fn a_letter_that_is_drawn_over_itself_is_there_once() {
        let glyph = |character: char, left: f32| Glyph {
            left,
            right: left + 6.0,
            y: 100.0,
            ..testing::glyph(character)
        };
        let drawn = [
            glyph('K', 0.0),
            glyph('K', 0.4),
            glyph('i', 6.0),
            glyph('i', 6.4),
            glyph('l', 12.0),
            glyph('l', 18.0),
        ];
        let fragments = fragments(drawn.iter());
        let letters = fragments.iter().flat_map(|fragment| &fragment.glyphs);
        let letters: String = letters.map(|glyph| glyph.character).collect();
        assert_eq!(letters, "Kill");
    }

    #[test]
    fn a_rule_is_an_underscore_in_a_gap_between_letters_and_none_below_one() {
        let read = |next: f32| {
            let glyph = |character: char, left: f32| Glyph {
                left,
                right: left + 6.0,
                y: 100.0,
                ..testing::glyph(character)
            };
            let shown = Shown {
                glyphs: vec![glyph('a', 0.0), glyph('b', next)],
                rules: vec![Rule {
                    left: 6.5,
                    right: 9.5,
                    bottom: 99.0,
                    top: 99.4,
                }],
                ..Shown::default()
            };
            let letters = underscored(shown.glyphs.clone(), &shown.rules).into_iter();
            letters.map(|glyph| glyph.character).collect::<String>()
        };
        assert_eq!(read(9.6), "a_b");
        assert_eq!(read(8.5), "a_b");
        assert_eq!(read(7.0), "ab");
    }

    #[test]
    fn a_line_that_begins_with_small_capitals_is_as_large_as_its_other_letters() {
        let glyph = |(character, size)| Glyph {
            size,
            ..testing::glyph(character)
        };
        let letters = [
            ('R', 9.9),
            (' ', 10.9),
            ('f', 10.9),
            ('i', 10.9),
            ('t', 10.9),
        ];
        let fragment = Fragment {
            glyphs: letters.map(glyph).to_vec(),
            left: 0.0,
            right: 0.0,
            y: 0.0,
            size: 9.9,
            is_raised: false,
        };
        assert_eq!(fragment.usual_size(), 10.9);
    }

    #[test]
    fn the_mark_of_a_note_stands_before_words_in_small_capitals() {
        let drawn = |words: &str, left: f32, y: f32, size: f32| {
            let width = 0.5 * size;
            let letters = words.chars().zip(0_u8..);
            letters
                .map(|(character, at)| Glyph {
                    left: left + f32::from(at) * width,
                    right: left + f32::from(at + 1) * width,
                    y,
                    size,
                    ..testing::glyph(character)
                })
                .collect::<Vec<Glyph>>()
        };
        let glyphs = [
            drawn("10", 94.0, 103.0, 6.0),
            drawn("OAK", 104.9, 100.0, 8.0),
            drawn("burns in the kiln", 118.4, 100.0, 9.0),
        ]
        .concat();
        let lines = lines_of(fragments(glyphs.iter()), &Faces::default(), 1, 0, &[]);
        let texts: Vec<String> = lines.iter().map(Line::text).collect();
        assert_eq!(texts.len(), 1, "{texts:?}");
        assert!(
            lines
                .first()
                .is_some_and(|line| line.pieces.first().is_some_and(|it| it.is_raised))
        );
    }
}
