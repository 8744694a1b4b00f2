//! Keeps listings to the letter: columns from where each character stands, empty lines from the room between lines.

use crate::pdf::line::Line;
use std::collections::HashMap;

/// Empty lines in a row that are kept.
const EMPTY_MAX: usize = 4;

/// So many lines of a listing are looked at for a brace that is open.
const OPEN_LINES_MAX: usize = 200;

/// So many lines show how far the lines of a listing stand apart.
const EVEN_LINES_MAX: usize = 8;

/// What a term means stands so much further in than it, in sizes of its letters.
const MEANING_IN: f32 = 0.8;
/// What stands so much further in than several lines of code is centred below them.
const CENTRED_IN: f32 = 12.0;

/// A listing as a sequence of lines of one or more pages.
pub(crate) fn text(lines: &[Line], quotes: Quotes) -> String {
    let advance = advance(lines);
    let base = lines.iter().map(|line| line.left).fold(f32::MAX, f32::min);
    let pitch = pitch(lines);
    let mut out = String::new();
    let mut before: Option<&Line> = None;
    let mut column_base = base;
    for line in lines {
        let text = letters(line, quotes);
        if let Some(before) = before {
            if before.page == line.page && before.column == line.column {
                let rows = ((before.y - line.y) / pitch).round().max(1.0) as usize;
                let empty = (rows - 1).min(EMPTY_MAX);
                let is_wide = before.y - line.y > 1.4 * pitch;
                out.extend(std::iter::repeat_n('\n', empty.max(usize::from(is_wide))));
            } else if before.column != line.column {
                column_base =
                    base + line.bounds.0 - lines.first().map_or(0.0, |first| first.bounds.0);
            }
            if let Some(arrow) = out.strip_suffix("←-").or_else(|| out.strip_suffix("←֓")) {
                // So does the end of a line, in the manner of DocBook.
                let kept = arrow.trim_end();
                let glue = if kept.ends_with(|c: char| c.is_alphanumeric() || c == ',') {
                    " "
                } else {
                    ""
                };
                out = format!("{kept}{glue}{}", text.trim());
                continue;
            }
            if let Some(rest) = continuation(&text) {
                // The page broke a long line, and says so.
                let kept = out.trim_end_matches(['␣', '↩', '\\']).len();
                let was_space = out.ends_with('␣');
                out.truncate(kept);
                if was_space {
                    out.push(' ');
                }
                out.push_str(rest);
                continue;
            }
            out.push('\n');
        }
        let indent = ((line.left - column_base) / advance).round().max(0.0) as usize;
        out.extend(std::iter::repeat_n(' ', indent.min(200)));
        out.push_str(text.trim_end());
        before = Some(line);
    }
    out
}

/// What follows the mark of a line that goes on.
fn continuation(text: &str) -> Option<&str> {
    let text = text.trim_start();
    ["↪", "↳", "→֒", "˓→", ",→"]
        .iter()
        .find_map(|mark| text.strip_prefix(mark))
        .map(str::trim_start)
}

/// The width of a character: that of the widest line, which is measured best.
fn advance(lines: &[Line]) -> f32 {
    let mut advances: Vec<f32> = lines
        .iter()
        .filter(|line| line.text().chars().count() >= 4)
        .map(Line::advance)
        .collect();
    advances.sort_by(f32::total_cmp);
    advances
        .get(advances.len() / 2)
        .copied()
        .or_else(|| lines.first().map(Line::advance))
        .filter(|advance| *advance > 0.5)
        .unwrap_or(6.0)
}

/// The usual room between lines of listings, in sizes of their letters.
pub(crate) fn usual_pitch(lines: &[Line]) -> f32 {
    let mut steps: HashMap<i32, usize> = HashMap::new();
    for (above, below) in lines.iter().zip(lines.iter().skip(1)) {
        let step = (above.y - below.y) / above.size.max(1.0);
        let is_same = above.page == below.page && above.column == below.column;
        if is_same && above.is_fixed() && below.is_fixed() && (0.85..1.8).contains(&step) {
            *steps.entry((step * 100.0).round() as i32).or_default() += 1;
        }
    }
    steps
        .into_iter()
        .max_by_key(|(step, count)| (*count, -step))
        .map_or(1.2, |(step, _)| step as f32 / 100.0)
}

/// Whether a new listing begins with `next`, which follows `lines` in a typewriter's face too: there is more room between
/// them than between lines and less than an empty line takes, or `next` stands further out than all of `lines`. Lines that all stand
/// so far apart are one listing, unless `after`, which follows `next`, is closer to it.
pub(crate) fn parts(lines: &[Line], next: &Line, after: Option<&Line>, usual: f32) -> bool {
    let Some(before) = lines.last() else {
        return false;
    };
    if before.page != next.page || before.column != next.column {
        return false;
    }
    let step = (before.y - next.y) / before.size.max(1.0);
    let base = lines.iter().map(|line| line.left).fold(f32::MAX, f32::min);
    let is_between = step > 1.07 * usual && step < 1.42 * usual;
    let is_out = step > 1.42 * usual && next.left < base - 0.8 * next.size;
    (is_between && !is_even(lines, before, next, after) || is_out) && !is_open(lines)
        || next.is_below_rule
}

/// Whether the last brace of `lines` was not closed: what follows is inside of it. Of a long listing only the end is looked at.
fn is_open(lines: &[Line]) -> bool {
    let tail = lines.get(lines.len().saturating_sub(OPEN_LINES_MAX)..);
    let pieces = tail
        .unwrap_or_default()
        .iter()
        .flat_map(|line| &line.pieces);
    let mut depth = 0_i32;
    for sign in pieces.flat_map(|piece| piece.text.bytes()) {
        match sign {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    depth > 0
}

/// Whether the listing of `lines` ends with its page, although the first line of the next page is set in a typewriter's face too: that
/// stands further out than all of them, or is bold where none of them is, as the name over the next entry of a manual.
pub(crate) fn ends_with_page(lines: &[Line], next: &Line) -> bool {
    let Some(before) = lines.last().filter(|before| before.page != next.page) else {
        return false;
    };
    // Pages on the left and on the right have other margins.
    let inset = |line: &Line| line.left - line.bounds.0;
    let own = lines.iter().filter(|line| line.page == before.page);
    let base = own.map(inset).fold(f32::MAX, f32::min);
    let says = next.text().contains(char::is_alphanumeric);
    let is_out = inset(next) < base - 0.4 * next.size;
    let bold = |line: &Line| line.share(|piece| piece.face.is_bold);
    let is_name = bold(next) > 0.95 && next.text().trim().contains(' ');
    says && (is_out || is_name && lines.iter().all(|line| bold(line) <= 0.0))
}

/// Whether `next` stands as far below `before` as all the lines above it stand from each other, at the same margin, and no line is
/// nearer to it from below.
fn is_even(lines: &[Line], before: &Line, next: &Line, after: Option<&Line>) -> bool {
    let step = before.y - next.y;
    let is_beside = |one: &Line, other: &Line| (one.left - other.left).abs() < 0.3 * one.size;
    let is_step = |above: &Line, below: &Line| {
        is_beside(above, below) && (above.y - below.y - step).abs() < 0.04 * step
    };
    let tail = lines.get(lines.len().saturating_sub(EVEN_LINES_MAX)..);
    let tail = tail.unwrap_or_default();
    let is_near = |after: &Line| {
        after.page == next.page
            && after.column == next.column
            && after.is_fixed()
            && (0.0..0.96 * step).contains(&(next.y - after.y))
    };
    is_beside(before, next)
        && tail
            .windows(2)
            .all(|pair| matches!(pair, [above, below] if is_step(above, below)))
        && !after.is_some_and(is_near)
}

/// The room between lines that follow one another.
fn pitch(lines: &[Line]) -> f32 {
    let mut steps: Vec<f32> = lines
        .iter()
        .zip(lines.iter().skip(1))
        .filter(|(above, below)| above.page == below.page && above.column == below.column)
        .map(|(above, below)| above.y - below.y)
        .filter(|step| *step > 0.5)
        .collect();
    steps.sort_by(f32::total_cmp);
    let size = lines.first().map_or(10.0, |line| line.size);
    let least = steps.iter().copied().find(|step| *step >= 0.8 * size);
    // A listing whose lines all stand far apart is set so; one step alone tells nothing.
    match least {
        Some(step) if step <= 1.6 * size => step,
        _ => 1.2 * size,
    }
}

/// Which quotes of a typewriter's face are curly because they were typed so, not because the font draws them so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quotes {
    are_single_kept: bool,
    are_double_kept: bool,
}

impl Quotes {
    /// Where straight quotes stand too, the curly ones are meant.
    pub(crate) fn of(lines: &[Line]) -> Self {
        let has = |quote: char| {
            let pieces = lines.iter().flat_map(|line| &line.pieces);
            pieces
                .filter(|piece| piece.face.is_fixed)
                .any(|piece| piece.text.contains(quote))
        };
        Self {
            are_single_kept: has('\''),
            are_double_kept: has('"'),
        }
    }

    /// The character that was typed where a page shows `shown`.
    pub(crate) fn typed(self, shown: char) -> char {
        match shown {
            '−' | '\u{2010}' | '\u{2011}' | '\u{ad}' => '-',
            '∗' | '⁎' => '*',
            '∼' | '\u{2dc}' => '~',
            'ˆ' => '^',
            '’' | '´' if !self.are_single_kept => '\'',
            '‘' if !self.are_single_kept => '`',
            '”' | '“' if !self.are_double_kept => '"',
            '\u{a0}' => ' ',
            other => other,
        }
    }
}

/// A line's characters as they were typed. A quote of a font of its own, which the file does not name, is a straight one: it was drawn
/// in the place of a curly one.
pub(crate) fn letters(line: &Line, quotes: Quotes) -> String {
    let mut out = String::new();
    for piece in &line.pieces {
        let is_quote = || piece.face.is_nameless && piece.text.trim() == "’";
        if piece.face.is_fixed || is_quote() {
            out.extend(piece.text.chars().map(|c| quotes.typed(c)));
        } else {
            out.push_str(&piece.text);
        }
    }
    out
}

/// Whether a run of typewriter lines is a listing rather than a term or a piece of a paragraph.
///
/// `before` and `after` are the lines around it.
pub(crate) fn is_listing(lines: &[Line], before: Option<&Line>, after: Option<&Line>) -> bool {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return false;
    };
    // Nothing but a listing leaves a brace open from line to line, or goes on behind a mark.
    let breaks = |line: &Line| line.text().trim_end().ends_with(" \\");
    let goes_over = || lines.iter().rev().skip(1).any(breaks);
    if lines.len() > 1 && (is_open(lines) || goes_over()) {
        return true;
    }
    let near = |above: &Line, below: &Line| {
        above.page == below.page
            && above.column == below.column
            && (0.0..1.5 * above.size.max(below.size)).contains(&(above.y - below.y))
    };
    if let Some(before) = before.filter(|before| near(before, first) && !before.is_fixed()) {
        // The middle of a paragraph that happens to be all code: it starts where the paragraph's lines do.
        let is_filled = before.right > before.bounds.1 - 0.25 * (before.bounds.1 - before.bounds.0);
        if lines.len() <= 2 && is_filled && (before.left - first.left).abs() < 3.0 {
            return false;
        }
    }
    if let Some(after) = after.filter(|after| near(last, after)) {
        // A term, and below it, further in, what it means.
        let inset = (after.left - first.left) / first.size.max(1.0);
        let is_meaning = inset > MEANING_IN && (lines.len() == 1 || inset < CENTRED_IN);
        if lines.len() <= 3 && is_meaning {
            return false;
        }
    }
    if let Some(after) = after.filter(|after| near(last, after) && !after.is_fixed()) {
        // A term, and below it another one with what both mean beside it.
        let is_term = after
            .pieces
            .first()
            .is_some_and(|piece| piece.face.is_fixed);
        let is_short = last.right < last.left + 0.3 * (last.bounds.1 - last.bounds.0);
        if lines.len() <= 2 && is_term && is_short && (after.left - first.left).abs() < 3.0 {
            return false;
        }
        // The start of a paragraph that begins with a long piece of code.
        let is_filled = last.right > last.bounds.1 - 0.2 * (last.bounds.1 - last.bounds.0);
        if lines.len() == 1 && is_filled && (after.left - first.left).abs() < 3.0 {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::faces::Face;
    use crate::pdf::line::Piece;
    use crate::pdf::testing;

    fn line(left: f32, y: f32, words: &str, is_fixed: bool) -> Line {
        let face = Face {
            is_fixed,
            ..Face::default()
        };
        let piece = Piece {
            face,
            ..testing::piece(words)
        };
        Line {
            left,
            right: left + 100.0,
            y,
            ..testing::line(vec![piece])
        }
    }

    #[test]
    fn code_above_a_centred_name_is_a_listing_and_above_what_it_means_a_term() {
        let code = [
            line(72.0, 100.0, "PROG = kiln", true),
            line(72.0, 76.0, ".include <kiln.mk>", true),
        ];
        let centred = line(220.0, 64.0, "kiln.c", false);
        let meaning = line(90.0, 64.0, "what burns in it", false);
        assert!(is_listing(&code, None, Some(&centred)));
        assert!(!is_listing(&code, None, Some(&meaning)));
    }

    #[test]
    fn code_that_goes_on_in_the_next_line_is_a_listing() {
        let code = [
            line(72.0, 100.0, "ls *.oak | \\", true),
            line(72.0, 88.0, "fire -x", true),
        ];
        let after = line(90.0, 76.0, "It burns.", false);
        assert!(is_listing(&code, None, Some(&after)));
    }
}
