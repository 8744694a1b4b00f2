//! Tells the rows of tables apart where no rule does: a column of names beside what is told of them is no column of text, and lines
//! between two rules are rows of their own where their cells do not go on from line to line.

use crate::pdf::line::Line;

/// Baselines of one row are no further apart, in points.
const LEVEL: f32 = 0.8;
/// So many of a hundred names stand beside a line of what is told, and there are no more of them to a hundred of those.
const LEVEL_OF_HUNDRED: usize = 90;
const NAMES_OF_HUNDRED: usize = 75;
/// So often more of what is told stands below a name before the next one.
const TOLD_ON_MIN: usize = 3;
/// A space between two words, in sizes of their letters.
const SPACE: f32 = 0.3;
/// So many of a hundred lines of cells end where the next word has room, where lines are rows.
const ENDED_OF_HUNDRED: usize = 70;
/// Of each of its bands, so many do.
const BAND_OF_HUNDRED: usize = 40;
/// So many lines of a word a cell are rows.
const WORDS_MIN: usize = 3;

/// Whether what stands in two columns are rows of a table, by the baselines of both, from top to bottom: each on the left begins with
/// one on the right, and some of those go on below it.
pub(crate) fn are_beside(names: &[f32], told: &[f32]) -> bool {
    let (Some(top), Some(bottom)) = (names.first(), names.last()) else {
        return false;
    };
    let is_level = |y: &f32, others: &[f32]| others.iter().any(|other| (other - y).abs() < LEVEL);
    let level = names.iter().filter(|y| is_level(y, told)).count();
    let inside: Vec<bool> = told
        .iter()
        .filter(|y| **y < top + LEVEL && **y > bottom - LEVEL)
        .map(|y| is_level(y, names))
        .collect();
    let told_on = inside
        .windows(2)
        .filter(|pair| matches!(pair, [true, false]));
    level * 100 >= names.len() * LEVEL_OF_HUNDRED
        && names.len() * 100 <= inside.len() * NAMES_OF_HUNDRED
        && told_on.count() >= TOLD_ON_MIN
}

/// Of the bands of a table between its rules, those whose lines are each a row: all lines of one fill the same cells, and over the
/// whole table cells mostly end where the next word would have had room. `widths` are those of the columns.
pub(crate) fn of_lines(bands: &[Vec<&Vec<Option<Line>>>], widths: &[f32]) -> Vec<bool> {
    let is_even = |band: &Vec<&Vec<Option<Line>>>| {
        let filled = |cells: &Vec<Option<Line>>| -> Vec<bool> {
            cells.iter().map(Option::is_some).collect()
        };
        let mut all = band.iter().map(|cells| filled(cells));
        let first = all.next().unwrap_or_default();
        let is_row = first.first() == Some(&true) && first.iter().filter(|is| **is).count() > 1;
        band.len() > 1 && is_row && all.all(|other| other == first)
    };
    let counted: Vec<Option<(usize, usize)>> = bands
        .iter()
        .map(|band| is_even(band).then(|| ended(band, widths)))
        .collect();
    let sums = counted.iter().flatten();
    let (all_ended, all) = sums.fold((0, 0), |sum, own| (sum.0 + own.0, sum.1 + own.1));
    let mostly = all_ended * 100 >= all * ENDED_OF_HUNDRED;
    let bands = bands.iter().zip(counted);
    bands
        .map(|(band, counted)| {
            counted.is_some_and(|(ended, all)| {
                mostly && ended * 100 >= all * BAND_OF_HUNDRED || are_words(band)
            })
        })
        .collect()
}

/// How many lines of the cells of a band end where the next word has room, and of how many.
fn ended(band: &[&Vec<Option<Line>>], widths: &[f32]) -> (usize, usize) {
    let (mut ended, mut all) = (0, 0);
    for (above, below) in band.iter().zip(band.iter().skip(1)) {
        for ((above, below), width) in above.iter().zip(below.iter()).zip(widths) {
            if let (Some(above), Some(below)) = (above, below) {
                all += 1;
                ended += usize::from(ends(above, below, *width));
            }
        }
    }
    (ended, all)
}

/// Whether a line of a cell ends where it could have gone on with the first word of the one below.
fn ends(above: &Line, below: &Line, width: f32) -> bool {
    let text = below.text();
    let words = text.trim_start();
    let first = words.split_whitespace().next().unwrap_or("");
    let letter = (below.right - below.left) / words.chars().count().max(1) as f32;
    let word = first.chars().count() as f32 * letter;
    let taken = above.right - above.left;
    !above.text().trim_end().ends_with(['-', ',']) && taken + SPACE * above.size + word < width
}

/// Whether each cell of several lines is a word that nothing goes on from.
fn are_words(band: &[&Vec<Option<Line>>]) -> bool {
    let is_word = |cell: &Line| {
        let text = cell.text();
        let text = text.trim();
        !text.contains(char::is_whitespace) && !text.ends_with(['-', ',', '.', '('])
    };
    let mut cells = band.iter().flat_map(|cells| cells.iter().flatten());
    band.len() >= WORDS_MIN && cells.all(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::testing;

    #[test]
    fn names_beside_what_is_told_of_them_are_rows_and_two_columns_of_text_are_none() {
        let lines = |count: u8| -> Vec<f32> {
            (0..count)
                .map(|row| 700.0 - 12.0 * f32::from(row))
                .collect()
        };
        let every_third: Vec<f32> = lines(24).into_iter().step_by(3).collect();
        assert!(are_beside(&every_third, &lines(24)));
        assert!(!are_beside(&lines(24), &lines(24)));
        assert!(!are_beside(&lines(24), &lines(12)));
        let aside: Vec<f32> = every_third.iter().map(|y| y - 4.0).collect();
        assert!(!are_beside(&aside, &lines(24)));
    }

    #[test]
    fn lines_between_rules_are_rows_where_their_cells_could_have_gone_on() {
        let cell = |words: &str| {
            Some(Line {
                left: 72.0,
                right: 72.0 + 5.0 * words.len() as f32,
                ..testing::line(vec![testing::piece(words)])
            })
        };
        let row = |name: &str, told: &str| vec![cell(name), cell(told)];
        let are_rows = |lines: &[Vec<Option<Line>>], widths: &[f32]| {
            of_lines(&[lines.iter().collect()], widths) == [true]
        };
        let keys = [
            row("UP, DOWN", "Heat"),
            row("SHIFT", "Open the door"),
            row("1, 2", "Light"),
        ];
        assert!(are_rows(&keys, &[90.0, 100.0]));
        let wrapped = [
            row("the kiln of", "burns with wood"),
            row("the potter", "by day"),
        ];
        assert!(!are_rows(&wrapped, &[60.0, 80.0]));
        let told = [row("UP", "Heat"), vec![None, cell("it")]];
        assert!(!are_rows(&told, &[60.0, 70.0]));
        let words = [
            row("Kiln", "KilnOfClay"),
            row("KilnOfClay", "Kiln"),
            row("KilnDoor", "KilnVent"),
        ];
        assert!(are_rows(&words, &[50.0, 50.0]));
        assert!(!are_rows(&words[..2], &[50.0, 50.0]));
    }
}
