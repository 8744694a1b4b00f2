//! Reads what is drawn with the characters for boxes, as programs print it: tables as their rows, and everything else, trees and
//! diagrams, as a stretch that is to be kept to the letter.

use skillkiln_document::text::squash;

/// Lines of a table that are read; a longer one is kept to the letter.
const TABLE_LINES_MAX: usize = 10_000;
/// Lines around what is drawn that are looked at.
const LINES_MAX: usize = 400;
/// Among so many lines is one that is more than bars, or nothing is drawn.
const LINES_OF_BARS_MAX: usize = 40;
/// Columns of a table that are read.
const COLUMNS_MAX: usize = 100;
/// What stands at the root of a tree has no more words.
const ROOT_WORDS_MAX: usize = 4;

/// A stretch of lines that is drawn.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Drawn {
    /// How many lines it takes.
    pub(super) length: usize,
    /// The rows of the table that it is, the header first; anything else is to be kept to the letter.
    pub(super) table: Option<Vec<Vec<String>>>,
}

/// What `lines` begin with when it is drawn; they may go on with other things.
pub(super) fn begins<'t>(lines: impl Iterator<Item = &'t str> + Clone) -> Option<Drawn> {
    let mut ahead = lines.clone();
    let first = ahead.next()?;
    let is_root = !is_drawn(first);
    if is_root && !(is_named(first) && ahead.next().is_some_and(is_branch)) {
        return None;
    }
    if !is_root {
        let own: Vec<&str> = lines
            .clone()
            .take_while(|line| is_drawn(line))
            .take(TABLE_LINES_MAX + 1)
            .collect();
        if own.len() <= TABLE_LINES_MAX
            && let Some(rows) = table(&own)
        {
            let length = own.len();
            return Some(Drawn {
                length,
                table: Some(rows),
            });
        }
    }
    // What is drawn stands together with what is around it.
    let mut group: Vec<(&str, bool)> = Vec::new();
    let mut own = 0;
    for line in lines.take_while(|line| !line.trim().is_empty() && !is_fence(line)) {
        let is_drawn = is_drawn(line);
        if is_drawn && own == group.len() && own < TABLE_LINES_MAX {
            own += 1;
        }
        if group.len() >= own.max(1) + LINES_MAX {
            break;
        }
        if group.len() == LINES_OF_BARS_MAX && !has_line(&group) {
            return None;
        }
        group.push((line, is_drawn));
    }
    let drawn = group.iter().filter(|(_, is_drawn)| *is_drawn).count();
    if drawn < 2 {
        return None;
    }
    let kept = group.get(..length_of(&group)).unwrap_or_default();
    let says = |(line, is_drawn): &(&str, bool)| *is_drawn && line.contains(char::is_alphanumeric);
    let is_art = || drawn > 2 && kept.iter().all(|(_, is_drawn)| *is_drawn);
    let begins_so =
        |(line, is_drawn): &(&str, bool)| !is_drawn || line.trim_start().starts_with(is_box);
    // Words that stand below count where something is drawn within words.
    let is_most = |all: &[(&str, bool)]| drawn * 2 >= all.len();
    let is_drawing = (is_most(&group) || is_most(kept) && kept.iter().all(begins_so))
        && (kept.iter().any(says) || is_art())
        && has_line(kept);
    is_drawing.then_some(Drawn {
        length: kept.len(),
        table: None,
    })
}

/// Whether something but bars is drawn in lines: those alone part words that stand in one line.
fn has_line(lines: &[(&str, bool)]) -> bool {
    lines
        .iter()
        .any(|(line, _)| has_box(line, |c| !is_upright(c)))
}

/// How many lines of a group belong to what is drawn in it, of which each is marked: up to the last such line, with what is set in
/// deeper than that, and, where something is framed, with what is written below the frames and is no sentence.
fn length_of(group: &[(&str, bool)]) -> usize {
    let is_rule = |line: &str| line.trim().chars().all(is_box);
    let last = group
        .iter()
        .rposition(|(line, is_drawn)| *is_drawn || is_rule(line));
    let Some(last) = last else { return 0 };
    let opens = |c| matches!(c, '┌' | '┏' | '╔' | '╭' | '╒' | '╓');
    let is_framed = group.iter().any(|(line, _)| has_box(line, opens));
    let indent = |line: &str| line.len() - line.trim_start().len();
    let least = group.get(last).map_or(0, |(line, _)| indent(line));
    let is_sentence = |line: &str| {
        let words = line.trim();
        let is_long = words.split_whitespace().count() > ROOT_WORDS_MAX && !words.contains("  ");
        is_long || words.ends_with(['.', '!', '?', ':'])
    };
    let below = group.get(last + 1..).unwrap_or_default();
    let below = below
        .iter()
        .take_while(|(line, _)| indent(line) > least || is_framed && !is_sentence(line));
    last + 1 + below.count()
}

/// Whether a line has something drawn in it that is more than a rule.
pub(super) fn is_drawn(line: &str) -> bool {
    has_box(line, |c| !is_level(c))
}

/// Whether a line has such a character for boxes in it.
fn has_box(line: &str, is_such: impl Fn(char) -> bool) -> bool {
    // Most lines of most texts are told by this alone.
    !line.is_ascii() && line.chars().any(|c| is_box(c) && is_such(c))
}

/// Whether a character draws boxes.
fn is_box(c: char) -> bool {
    ('\u{2500}'..='\u{257f}').contains(&c)
}

/// Whether a character is a piece of a level line.
fn is_level(c: char) -> bool {
    matches!(c, '─' | '━' | '┄' | '┅' | '┈' | '┉' | '═' | '╌' | '╍')
}

/// Whether a character is a piece of an upright line.
fn is_upright(c: char) -> bool {
    matches!(c, '│' | '┃' | '║' | '┆' | '┇' | '┊' | '┋' | '╎' | '╏')
}

/// Whether a character is the corner of a box.
fn is_corner(c: char) -> bool {
    matches!(c, '\u{250c}'..='\u{251b}' | '\u{2552}'..='\u{255d}' | '\u{256d}'..='\u{2570}')
}

/// Whether a line hangs on a tree.
fn is_branch(line: &str) -> bool {
    line.trim_start()
        .starts_with(['├', '└', '╰', '┣', '┗', '╠', '╚'])
}

/// Whether a line may be the root of a tree: a name, and no words that lead to it.
fn is_named(line: &str) -> bool {
    let line = line.trim();
    line.split_whitespace().count() <= ROOT_WORDS_MAX
        && line.starts_with(|c: char| c.is_alphanumeric() || "./~_@$<(".contains(c))
        && !line.ends_with([':', ',', ';'])
}

/// Whether a line opens or closes a fence of Markdown.
fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("```") || line.starts_with("~~~")
}

/// What a line of a table holds between its uprights; nothing where it is a rule. `None` when it is no line of a table.
fn cells(line: &str, is_framed: bool) -> Option<Vec<&str>> {
    let words = line.trim();
    let is_rule = words.chars().all(is_box) && words.contains(is_level)
        || words
            .chars()
            .all(|c| is_box(c) && !is_upright(c) || c == ' ');
    if is_rule {
        // What has its corners inside are several boxes beside each other.
        let mut inner = words
            .chars()
            .skip(1)
            .take(words.chars().count().saturating_sub(2));
        return (!inner.any(is_corner)).then(Vec::new);
    }
    // A joint beside words belongs to a rule under some of the columns.
    if words.contains(|c| is_box(c) && !is_upright(c) && !is_level(c)) {
        return None;
    }
    let inner = match is_framed {
        true => words.strip_prefix(is_upright)?.strip_suffix(is_upright)?,
        false => line,
    };
    Some(inner.split(is_upright).collect())
}

/// The rows of the table that all the lines are, the header first: it has two columns at least, and as many in every line. Where rules
/// part the rows, a row is what stands between two of them; otherwise it is a line.
fn table(lines: &[&str]) -> Option<Vec<Vec<String>>> {
    let is_framed = |line: &&&str| line.trim().starts_with(is_upright);
    let has_cells = |line: &&&str| line.contains(char::is_alphanumeric);
    let is_framed = lines
        .iter()
        .find(has_cells)
        .is_some_and(|line| is_framed(&line));
    // What stands between two rules.
    let mut bands: Vec<Vec<Vec<&str>>> = vec![Vec::new()];
    let mut has_rule = false;
    let mut width = 0;
    for line in lines {
        let cells = cells(line, is_framed)?;
        if cells.is_empty() {
            has_rule = true;
            bands.push(Vec::new());
            continue;
        }
        if width > 0 && cells.len() != width {
            return None;
        }
        width = cells.len();
        bands.last_mut()?.push(cells);
    }
    bands.retain(|band| !band.is_empty());
    let count: usize = bands.iter().map(Vec::len).sum();
    if !has_rule || !(2..=COLUMNS_MAX).contains(&width) || count < 2 {
        return None;
    }
    let is_ruled = bands.len() > 1;
    let mut rows: Vec<Vec<String>> = Vec::new();
    let header = match is_ruled {
        true => joined(&bands.remove(0)),
        false => vec![String::new(); width],
    };
    rows.push(header);
    let is_parted = bands.len() > 1
        && bands.iter().all(|band| {
            band.windows(2).all(|pair| match pair {
                [above, line] => said_in(line) < 2 || goes_on(above, line),
                _ => true,
            })
        });
    for band in &bands {
        if is_parted {
            rows.push(joined(band));
            continue;
        }
        let mut rest = band.as_slice();
        while !rest.is_empty() {
            let more = rest.windows(2).take_while(
                |pair| matches!(pair, [above, line] if is_empty(line.first()) && goes_on(above, line)),
            );
            let (row, below) = rest.split_at(1 + more.count());
            rows.push(joined(row));
            rest = below;
        }
    }
    rows.retain(|row| row.iter().any(|cell| !cell.is_empty()) || !is_ruled);
    (rows.len() > 1).then_some(rows)
}

/// Whether a cell has nothing in it.
fn is_empty(cell: Option<&&str>) -> bool {
    cell.is_none_or(|cell| cell.trim().is_empty())
}

/// In how many cells of a line something is said.
fn said_in(line: &[&str]) -> usize {
    line.iter().filter(|cell| !is_empty(Some(cell))).count()
}

/// Whether all that a line says goes on with cells above it, which had no room for its first word. Of several cells that are one word
/// each, as values are, none goes on: their columns have no room for more.
fn goes_on(above: &[&str], line: &[&str]) -> bool {
    let mut pairs = above.iter().zip(line);
    let is_of_words = |(above, cell): (&&str, &&str)| {
        !is_empty(Some(cell)) && above.split_whitespace().nth(1).is_some()
    };
    if said_in(line) > 1 && !pairs.any(is_of_words) {
        return false;
    }
    above.iter().zip(line).all(|(above, cell)| {
        let Some(word) = cell.split_whitespace().next() else {
            return true;
        };
        let count = |words: &str| words.chars().count();
        !above.trim().is_empty() && count(above.trim_end()) + 1 + count(word) + 1 > count(above)
    })
}

/// The cells of lines that are one row.
fn joined(lines: &[Vec<&str>]) -> Vec<String> {
    let width = lines.first().map_or(0, Vec::len);
    let column = |at: usize| {
        let cells: Vec<&str> = lines
            .iter()
            .filter_map(|line| line.get(at).copied())
            .collect();
        squash(&cells.join(" "))
    };
    (0..width).map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::{Drawn, begins};

    fn drawn(text: &str) -> Option<Drawn> {
        begins(text.lines())
    }

    fn rows(text: &str) -> Vec<String> {
        let drawn = drawn(text).and_then(|drawn| drawn.table);
        let rows = drawn.unwrap_or_default();
        rows.iter().map(|row| row.join("|")).collect()
    }

    #[test]
    fn a_row_is_what_stands_between_two_rules() {
        let text = "┌──────┬───────────┐\n│ Wood │ Heat      │\n├──────┼───────────┤\n│ ash  │ hot, and  │\n│      │ dry       │\n├──────┼───────────┤\n│      │ cold      │\n└──────┴───────────┘\nIt burns.";
        assert_eq!(rows(text), ["Wood|Heat", "ash|hot, and dry", "|cold"]);
        assert_eq!(drawn(text).map(|drawn| drawn.length), Some(8));
    }

    #[test]
    fn a_row_is_a_line_where_no_rules_part_the_rows() {
        let text = "╔══════╦════════╗\n║ Wood ║ Heat   ║\n╠══════╬════════╣\n║ ash  ║ 900    ║\n║ oak  ║ so hot ║\n║      ║ as     ║\n║      ║ 3      ║\n╚══════╩════════╝";
        assert_eq!(rows(text), ["Wood|Heat", "ash|900", "oak|so hot as", "|3"]);
        let text = " Wood │ Heat\n──────┼──────\n ash  │ 900\n oak  │ ";
        assert_eq!(rows(text), ["Wood|Heat", "ash|900", "oak|"]);
    }

    #[test]
    fn values_below_values_are_a_row_of_their_own_although_its_first_cell_is_empty() {
        let text = "┌──────┬─────┬─────┐\n│ Wood │ Hot │ Dry │\n├──────┼─────┼─────┤\n│ oak  │ 900 │ yes │\n│      │ 800 │ no  │\n├──────┼─────┼─────┤\n│ ash  │ 700 │ yes │\n└──────┴─────┴─────┘";
        assert_eq!(
            rows(text),
            ["Wood|Hot|Dry", "oak|900|yes", "|800|no", "ash|700|yes"]
        );
        let text = text
            .replace(" │\n", "         │\n")
            .replace("┐", "────────┐");
        assert_eq!(rows(&text).len(), 4, "{text}");
        let text = "┌──────┬──────────┬─────┐\n│ Wood │ Heat     │ Dry │\n├──────┼──────────┼─────┤\n│ oak  │ hot, and │ at  │\n│      │ then not │ all │\n├──────┼──────────┼─────┤\n│ ash  │ cold     │ no  │\n└──────┴──────────┴─────┘";
        assert_eq!(
            rows(text),
            [
                "Wood|Heat|Dry",
                "oak|hot, and then not|at all",
                "ash|cold|no"
            ]
        );
    }

    #[test]
    fn words_right_below_what_is_drawn_are_no_part_of_it() {
        let below = "More is said of it here.\nAnd more, and so on.\nIt burns.\nAnd is hot.\n";
        for text in [
            "├── a\n└── b\n",
            "src\n├── a\n└── b # which\n          is old\n",
            "├── a\n└── b\n───────\n",
            "╭─────────╮\n│ Be kind │\n╰────┬────╯\n     ▼\nto all\n",
        ] {
            let length = Some(text.lines().count());
            let drawn = |text: &str| drawn(text).map(|drawn| drawn.length);
            assert_eq!(drawn(&format!("{text}{below}")), length, "{text}");
            assert_eq!(drawn(text), length, "{text}");
        }
    }

    #[test]
    fn what_is_drawn_and_no_table_is_kept_to_the_letter() {
        for text in [
            "src\n├── main.rs\n└── lib.rs",
            "╭─────────╮\n│ Be kind │\n╰─────────╯",
            "┌───┬───┐\n│ a │ b │\n├───┴───┤\n│ c     │\n└───────┘",
            "┌──────┐    ┌──────┐\n│ kiln │──▶ │ wood │\n│ hot  │    │ dry  │\n└──────┘    └──────┘",
        ] {
            let length = text.lines().count();
            assert_eq!(
                drawn(text),
                Some(Drawn {
                    length,
                    table: None
                }),
                "{text}"
            );
        }
    }

    #[test]
    fn words_that_bars_or_rules_part_are_not_drawn() {
        for text in [
            "[Kiln](k) │ [Wood](w)\n[Heat](h) │ [Ash](a)",
            "Kilns\n─────\nThey burn.",
            "It burns ─ and how.",
            "The tree\nof wood",
        ] {
            assert_eq!(drawn(text), None, "{text}");
        }
        let bars = "Kiln │ Wood\nIt burns.\n".repeat(30);
        assert_eq!(drawn(&format!("{bars}├── a\n└── b\n")), None);
    }
}
