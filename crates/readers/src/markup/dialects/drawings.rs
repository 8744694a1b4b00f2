//! Rewrites tables that programs draw, with the characters for boxes or with a ruler of dashes under their columns, into those of
//! Markdown, and puts a fence around whatever else is drawn.

use super::Writer;
use crate::drawn;
use crate::markup::lines::{self, Line};
use crate::text;
use skillkiln_document::blocks::BlockKind;
use skillkiln_document::text::plain;

/// So many rows below a ruler stand in its columns, at least.
const ROWS_MIN: usize = 1;
/// Lines above that are looked at for HTML and for tables.
const LINES_ABOVE_MAX: usize = 400;

/// Whether something may be drawn in a text.
pub(super) fn may_be_in(body: &str) -> bool {
    body.lines()
        .any(|line| drawn::is_drawn(line) || is_ruler(line))
}

impl Writer<'_> {
    /// Rewrites what is drawn from the line on that is read; whether anything is.
    pub(super) fn drawing(&mut self) -> bool {
        let lines = self.lines;
        let before = self.at.checked_sub(1).and_then(|at| lines.get(at));
        let rest = lines.get(self.at..).unwrap_or_default();
        let [first, next, ..] = rest else {
            return false;
        };
        let is_drawn = |line: &Line<'_>| drawn::is_drawn(line.text);
        let (length, rows) = if !before.is_some_and(is_drawn) && (is_drawn(first) || is_drawn(next))
        {
            if is_marked(first.words()) {
                return false;
            }
            match drawn::begins(rest.iter().map(|line| line.text)) {
                Some(drawn) => (drawn.length, drawn.table),
                None => return false,
            }
        } else if let Some(over) = ruled(rest) {
            let length = rest.iter().take_while(|line| !line.is_blank()).count();
            let own = rest.get(over..length).unwrap_or_default();
            let stands = |line: &&Line<'_>| gaps(line.text);
            let below = own.iter().skip(2);
            let in_columns = below.clone().filter(stands).count();
            if in_columns < ROWS_MIN || in_columns * 2 < below.count() {
                return false;
            }
            (length, aligned(own))
        } else {
            return false;
        };
        let above = lines.get(..self.at).unwrap_or_default();
        if is_in_html(above) || is_drawn(first) && is_in_table(above) {
            return false;
        }
        let own = rest.get(..length).unwrap_or_default();
        self.show(own, rows);
        self.taken = self.at + length;
        true
    }

    /// Writes the rows of the table that these lines are, or the lines to the letter.
    fn show(&mut self, own: &[Line<'_>], rows: Option<Vec<Vec<String>>>) {
        let (Some(first), Some(last)) = (own.first(), own.last()) else {
            return;
        };
        let indent = " ".repeat(first.indent());
        let (start, end) = (first.range().start, last.range().end);
        self.blank(first);
        let Some(rows) = rows else {
            self.ours(&format!("{indent}```"), first);
            own.iter().for_each(|line| self.write(line));
            self.ours(&format!("{indent}```"), last);
            return self.blank(last);
        };
        // Who marks words or links in a table that is set with blanks means Markdown.
        let has_marks = |cell: &String| ["`", "](", "**"].iter().any(|mark| cell.contains(mark));
        let is_marked = !drawn::is_drawn(first.text) && rows.iter().flatten().any(has_marks);
        let prefix = format!("{}{indent}", self.prefix());
        for (number, row) in rows.iter().enumerate() {
            let at = self.offset + if number == 0 { start } else { end };
            let cells: Vec<String> = row.iter().map(|cell| escaped(cell, is_marked)).collect();
            let row = format!("| {} |", cells.join(" | "));
            self.derived.instead(&prefix, at, 0, &row);
            if number == 0 {
                let ruler = format!("|{}", " --- |".repeat(cells.len()));
                self.derived.instead(&prefix, at, 0, &ruler);
            }
        }
        self.blank(last);
    }
}

/// Whether a line rules columns off from their names: several runs of one mark, parted by blanks.
fn is_ruler(line: &str) -> bool {
    let line = line.trim();
    let runs = line.split_whitespace();
    let of_mark = |mark: char| {
        let is_run = |run: &str| run.len() > 1 && run.chars().all(|c| c == mark);
        runs.clone().count() > 1
            && runs.clone().all(is_run)
            && runs.clone().any(|run| run.len() > 2)
    };
    line.starts_with(['-', '=']) && (of_mark('-') || of_mark('='))
}

/// Whether blanks part columns in a line.
fn gaps(line: &str) -> bool {
    line.trim().contains("  ")
}

/// The rows of the table that lines with a ruler are.
fn aligned(own: &[Line<'_>]) -> Option<Vec<Vec<String>>> {
    let Some(BlockKind::Table { header, rows, .. }) = text::aligned(&lines::joined(own)) else {
        return None;
    };
    let rows = std::iter::once(header).chain(rows);
    Some(
        rows.map(|row| row.iter().map(|cell| plain(cell)).collect())
            .collect(),
    )
}

/// How many lines stand over the names of the columns in a table that is ruled off: none, or a ruler more.
fn ruled(lines: &[Line<'_>]) -> Option<usize> {
    let is_head =
        |line: &Line<'_>| gaps(line.text) && !line.text.contains('|') && !is_ruler(line.text);
    let rules = |line: &Line<'_>| is_ruler(line.text);
    match lines {
        [head, ruler, ..] if is_head(head) && rules(ruler) => Some(0),
        [upper, head, ruler, ..] if rules(upper) && is_head(head) && rules(ruler) => Some(1),
        _ => None,
    }
}

/// Whether a line begins as a row, a quote, a heading or an item of Markdown does, and what is drawn in it is what it tells of.
fn is_marked(words: &str) -> bool {
    let rest = words.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = rest.len() < words.len() && rest.starts_with(['.', ')']);
    is_numbered
        || words.starts_with(['|', '>', '#'])
        || ["- ", "* ", "+ "]
            .iter()
            .any(|mark| words.starts_with(mark))
}

/// Whether what is below these lines stands in a table of Markdown, whose rows may begin with their words.
fn is_in_table(above: &[Line<'_>]) -> bool {
    let is_ruler = |words: &str| {
        words.contains('|') && words.contains('-') && words.chars().all(|c| "|-: ".contains(c))
    };
    let above = above.iter().rev().take(LINES_ABOVE_MAX);
    let mut above = above.take_while(|line| !line.is_blank());
    above.any(|line| is_ruler(line.words()))
}

/// Whether what is below these lines is HTML, which has its own ways to show things to the letter.
fn is_in_html(above: &[Line<'_>]) -> bool {
    let above = || above.iter().rev().take(LINES_ABOVE_MAX);
    let shows = |line: &&Line<'_>| line.text.contains("<pre") || line.text.contains("</pre");
    let is_shown = above()
        .find(shows)
        .is_some_and(|line| !line.text.contains("</pre"));
    let first = above().take_while(|line| !line.is_blank()).last();
    is_shown || first.is_some_and(|line| line.words().starts_with('<'))
}

/// Words that Markdown would take for marks, as they are; where they are marks, `is_marked`, only what would part cells.
fn escaped(words: &str, is_marked: bool) -> String {
    let mut out = String::with_capacity(words.len());
    for character in words.chars() {
        let is_mark = match is_marked {
            true => character == '|',
            false => character.is_ascii_punctuation() && !".,;%?".contains(character),
        };
        if is_mark {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::markup::markdown::read;
    use skillkiln_document::markdown::write;

    fn written(source: &str) -> String {
        write(&read(source.to_owned()).blocks)
    }

    #[test]
    fn a_table_that_is_drawn_outside_of_fences_is_a_table_where_it_stands() {
        let table =
            "┌──────┬──────┐\n│ Wood │ Heat │\n├──────┼──────┤\n│ a*h* │ 9|0  │\n└──────┴──────┘";
        let source = format!("# Kilns\n\nThey burn:\n{table}\n\n```\n{table}\n```\n");
        let document = read(source.clone());
        assert_eq!(
            write(&document.blocks),
            format!(
                "# Kilns\n\nThey burn:\n\n| Wood | Heat |\n| --- | --- |\n| a\\*h* | 9\\|0 |\n\n```\n{table}\n```\n"
            )
        );
        assert_eq!(document.evidence(&document.blocks[2].span), table);
    }

    #[test]
    fn a_tree_outside_of_fences_is_shown_to_the_letter() {
        assert_eq!(
            written("Files:\n\nkiln\n├── *door*\n└── wood\n\nIt burns.\n"),
            "Files:\n\n```\nkiln\n├── *door*\n└── wood\n```\n\nIt burns.\n"
        );
    }

    #[test]
    fn rows_items_and_quotes_with_something_drawn_in_them_stay_what_they_are() {
        for table in [
            "| Sign | Is |\n|---|---|\n| ├── | a branch |\n| └── | the end |\n",
            "Sign | Is\n---|---\n├── | a branch\n└── | the end\n",
        ] {
            let text = written(table);
            assert!(
                text.contains("| ├── | a branch |\n| └── | the end |") && !text.contains("```"),
                "{text}"
            );
        }
        for source in [
            "- ├── means a branch, see [x](https://a.org/y)\n- └── means the end\n",
            "1. First │ second ─ third\n2. Third │ fourth\n",
            "> ┌──────┐\n> │ Wood │\n> └──────┘\n",
        ] {
            assert!(!written(source).contains("```"), "{}", written(source));
        }
    }

    #[test]
    fn words_right_below_a_tree_are_a_paragraph() {
        let text = written("Output:\n├── a\n└── b\nMore is said of it.\nAnd it burns.\n");
        assert!(
            text.starts_with("Output:\n\n```\n├── a\n└── b\n```\n\nMore is said of it."),
            "{text}"
        );
    }

    #[test]
    fn what_is_drawn_in_html_is_left_to_it() {
        let text = written("It is so:\n\n<pre>\nkiln\n\n├── door\n└── wood\n</pre>\n\nIt burns.\n");
        assert!(
            text.contains("├── door") && !text.contains("```\n├"),
            "{text}"
        );
    }

    #[test]
    fn columns_under_names_with_a_ruler_are_a_table_or_at_least_no_paragraph() {
        assert_eq!(
            written(
                "Wood      Heat  Kind\n----      ----  ----\nash->oak  900   ---\noak       800   *hard*\n\nIt burns.\n"
            ),
            "| Wood | Heat | Kind |\n| --- | --- | --- |\n| ash->oak | 900 | --- |\n| oak | 800 | \\*hard* |\n\nIt burns.\n"
        );
        assert_eq!(
            written(
                "=====  =====\nWood   Heat\n=====  =====\n`ash`  **9**\noak    8\n=====  =====\n"
            ),
            "| Wood | Heat |\n| --- | --- |\n| `ash` | **9** |\n| oak | 8 |\n"
        );
        let odd = "1 Wood  2 Heat\n------  ------\nash  and oak  900";
        assert_eq!(written(odd), format!("```\n{odd}\n```\n"));
    }
}
