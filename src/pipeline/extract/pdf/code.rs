//! Keeps listings to the letter: columns from where each character stands, empty lines from the room between lines.

use crate::pipeline::extract::pdf::lines::Line;

/// Empty lines in a row that are kept.
const EMPTY_MAX: usize = 4;

/// A listing as a sequence of lines of one or more pages.
pub(crate) fn text(lines: &[Line]) -> String {
    let advance = advance(lines);
    let base = lines.iter().map(|line| line.left).fold(f32::MAX, f32::min);
    let pitch = pitch(lines);
    let mut out = String::new();
    let mut before: Option<&Line> = None;
    let mut page_base = base;
    for line in lines {
        let text = letters(line);
        if let Some(before) = before {
            if before.page != line.page || before.column != line.column {
                // Margins of left and right pages differ.
                let same = |other: &&Line| other.page == line.page && other.column == line.column;
                let here = lines.iter().filter(same).map(|line| line.left);
                let margin = line.bounds.0 - before.bounds.0;
                let here = here.fold(f32::MAX, f32::min);
                page_base = if (here - page_base - margin).abs() < 0.5 * advance {
                    here
                } else {
                    page_base + margin
                };
                page_base = page_base.min(here);
            } else {
                let rows = ((before.y - line.y) / pitch).round().max(1.0) as usize;
                let empty = (rows - 1).min(EMPTY_MAX);
                let is_wide = before.y - line.y > 1.4 * pitch;
                out.extend(std::iter::repeat_n('\n', empty.max(usize::from(is_wide))));
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
        let indent = ((line.left - page_base) / advance).round().max(0.0) as usize;
        out.extend(std::iter::repeat_n(' ', indent.min(200)));
        out.push_str(text.trim_end());
        before = Some(line);
    }
    out
}

/// What follows the mark of a line that goes on.
fn continuation(text: &str) -> Option<&str> {
    let text = text.trim_start();
    ["↪", "↳", "→֒", ",→"]
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

/// A line's characters, with the typewriter's own quotes where the font drew curly ones.
pub(crate) fn letters(line: &Line) -> String {
    let mut out = String::new();
    for piece in &line.pieces {
        if piece.face.is_fixed {
            out.extend(piece.text.chars().map(|c| typed(c, piece.face.is_tex)));
        } else {
            out.push_str(&piece.text);
        }
    }
    out
}

/// The character that was typed where a page shows `shown`.
pub(crate) fn typed(shown: char, is_tex: bool) -> char {
    match shown {
        '−' | '\u{2010}' | '\u{2011}' | '\u{ad}' => '-',
        '∗' | '⁎' => '*',
        '∼' | '\u{2dc}' => '~',
        'ˆ' => '^',
        '’' if is_tex => '\'',
        '‘' if is_tex => '`',
        '´' if is_tex => '\'',
        '”' if is_tex => '"',
        '\u{a0}' => ' ',
        other => other,
    }
}

/// Whether a run of typewriter lines is a listing rather than a term or a piece of a paragraph.
///
/// `before` and `after` are the lines around it.
pub(crate) fn is_listing(lines: &[Line], before: Option<&Line>, after: Option<&Line>) -> bool {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return false;
    };
    let near = |above: &Line, below: &Line| {
        above.page == below.page
            && above.column == below.column
            && (0.0..1.32 * above.size.max(below.size)).contains(&(above.y - below.y))
    };
    if let Some(before) = before.filter(|before| near(before, first) && !before.is_fixed()) {
        // The middle of a paragraph that happens to be all code: it starts where the paragraph's lines do.
        let is_filled = before.right > before.bounds.1 - 0.25 * (before.bounds.1 - before.bounds.0);
        if lines.len() <= 2 && is_filled && (before.left - first.left).abs() < 3.0 {
            return false;
        }
    }
    if let Some(after) = after.filter(|after| near(last, after) && !after.is_fixed()) {
        // A term, and below it, further in, what it means.
        if lines.len() <= 3 && after.left > first.left + 0.8 * first.size {
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
