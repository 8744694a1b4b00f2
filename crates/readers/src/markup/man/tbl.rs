//! Reads the tables of manual pages: the rows between `.TS` and `.TE`.

use super::escapes::{Font, Strings, Writer, arguments};
use crate::builder::tidy;
use crate::markup::lines::{self, Line};
use skillkiln_document::blocks::Block;
use skillkiln_document::text::Inline;

/// Columns of a table that are read.
const COLUMNS_MAX: usize = 100;

/// A table from the lines between `.TS` and `.TE`.
pub(super) fn read(body: &[Line<'_>], strings: &Strings) -> Option<Block> {
    let mut separator = '\t';
    let mut at = 0;
    if let Some(first) = body.first().map(Line::words)
        && let Some(options) = first.strip_suffix(';')
    {
        at = 1;
        if let Some((_, after)) = options.split_once("tab")
            && let Some(mark) = after
                .trim_start()
                .strip_prefix('(')
                .and_then(|rest| rest.chars().next())
        {
            separator = mark;
        }
    }
    // The format ends with a full stop; the header is what it sets in bold.
    let mut bold = false;
    let mut formats = 0;
    while let Some(line) = body.get(at) {
        let words = line.words();
        at += 1;
        if formats == 0 {
            bold = words.to_ascii_lowercase().contains('b');
        }
        formats += 1;
        if words.ends_with('.') {
            break;
        }
        if formats > 50 {
            return None;
        }
    }
    let mut rows: Vec<Vec<Vec<Inline>>> = Vec::new();
    let mut ruled_after_first = false;
    let mut rest = body.get(at..).unwrap_or_default().iter();
    while let Some(line) = rest.next() {
        let words = line.words();
        // From here on the rows have another format, which ends with a full stop as the first one does.
        if words == ".T&" {
            let formats = rest.as_slice();
            let length = formats
                .iter()
                .take_while(|line| is_format(line.words()))
                .count();
            let end = formats
                .iter()
                .take(length)
                .position(|line| line.words().ends_with('.'));
            rest = formats
                .get(end.map_or(length, |end| end + 1)..)
                .unwrap_or_default()
                .iter();
            continue;
        }
        if words == ".TH" {
            ruled_after_first = true;
            continue;
        }
        if matches!(words, "_" | "=") {
            ruled_after_first |= rows.len() == 1;
            continue;
        }
        if words.starts_with(".\\\"")
            || words.is_empty()
            || words.starts_with('.') && !words.contains(separator)
        {
            continue;
        }
        let mut row = Vec::new();
        let mut cells: Vec<&str> = line.text.split(separator).collect();
        // A cell of several lines stands between `T{` and `T}`.
        while let Some(last) = cells.pop() {
            for cell in cells.drain(..) {
                row.push(cell_of(&[cell], strings));
            }
            if last.trim() != "T{" {
                row.push(cell_of(&[last], strings));
                break;
            }
            let mut stretch = Vec::new();
            for line in rest.by_ref() {
                if let Some(after) = line.text.strip_prefix("T}") {
                    cells = after.split(separator).skip(1).collect();
                    break;
                }
                stretch.push(line.text);
            }
            row.push(cell_of(&stretch, strings));
        }
        row.truncate(COLUMNS_MAX);
        rows.push(row);
    }
    let has_header = bold || ruled_after_first || names_columns(&rows);
    let header = if has_header && rows.len() > 1 {
        rows.remove(0).into_iter().map(unmarked).collect()
    } else {
        Vec::new()
    };
    lines::table(header, rows, None, body)
}

/// Whether a line says how the cells of a row are set: a letter for each, with what belongs to it.
fn is_format(words: &str) -> bool {
    words.starts_with(|c: char| "aclnrsxACLNRSX^|_-=".contains(c))
        && words
            .split([' ', '\t', '|', ','])
            .all(|cell| cell.chars().filter(|c| c.is_ascii_alphabetic()).count() <= 6)
        && words.chars().all(|c| {
            c.is_ascii_digit() || "abceilnrstuvwxzdfmpABCEILNRSTUVWXZDFMP^|_-=.,() \t".contains(c)
        })
}

/// Whether all words of the first row are marked and those of the second are not: go-md2man sets the header in this way.
fn names_columns(rows: &[Vec<Vec<Inline>>]) -> bool {
    let is_marked = |row: &Vec<Vec<Inline>>| {
        let mut cells = row.iter().flatten().peekable();
        cells.peek().is_some()
            && cells.all(|piece| matches!(piece, Inline::Strong(_) | Inline::Code(_)))
    };
    matches!(rows, [first, second, ..] if is_marked(first) && !is_marked(second))
}

/// The words of a cell of the header, which is marked as a whole.
fn unmarked(cell: Vec<Inline>) -> Vec<Inline> {
    match cell.as_slice() {
        [Inline::Strong(words)] => words.clone(),
        [Inline::Code(words)] => vec![Inline::Text(words.clone())],
        _ => cell,
    }
}

fn cell_of(stretch: &[&str], strings: &Strings) -> Vec<Inline> {
    let mut writer = Writer::new(Font::Plain);
    for line in stretch {
        if let Some((name, rest)) = line
            .strip_prefix('.')
            .map(|rest| rest.split_once(' ').unwrap_or((rest, "")))
        {
            // A font a word by turns; a macro of one font keeps the blanks between its words.
            let turns: Vec<char> = name.chars().collect();
            for (at, word) in arguments(rest).iter().enumerate() {
                if at > 0 && turns.len() == 1 {
                    writer.plainly(" ");
                }
                let turn = at.checked_rem(turns.len()).and_then(|turn| turns.get(turn));
                writer.font(match turn {
                    Some('B') => Font::Bold,
                    Some('I') => Font::Italic,
                    _ => Font::Plain,
                });
                writer.write(word, strings);
            }
            writer.font(Font::Plain);
        } else {
            writer.write(line, strings);
        }
        writer.plainly(" ");
    }
    let text = tidy(writer.finish());
    match text.as_slice() {
        // Vertical spans and rules hold no words.
        [Inline::Text(text)] if matches!(text.as_str(), "^" | "\\^" | "_" | "=") => Vec::new(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use crate::markup::man::read as read_page;
    use skillkiln_document::blocks::BlockKind;
    use skillkiln_document::text::Inline;

    #[test]
    fn a_first_row_that_alone_is_marked_names_the_columns() {
        let header = |second: &str| {
            let page = format!(
                ".TH X 1\n.TS\nallbox;\nl l\nl l .\n\\fB\\fCField\\fR\t\\fB\\fCHeat\\fR\n{second}\n.TE\n"
            );
            match read_page(page).blocks.pop().map(|block| block.kind) {
                Some(BlockKind::Table { header, .. }) => header.concat(),
                other => panic!("{other:?}"),
            }
        };
        let words = |word: &str| Inline::Text(word.to_owned());
        assert_eq!(header("clay\thot"), [words("Field"), words("Heat")]);
        assert!(header("\\fB\\fCclay\\fR\t\\fB\\fChot\\fR").is_empty());
    }

    #[test]
    fn formats_that_change_below_the_first_row_are_no_rows() {
        let written = skillkiln_document::markdown::write(
            &read_page(".TH X 1\n.SH HEAT\n.TS\nallbox tab(:);\nlB lB.\nT{\nWood\nT}:T{\nHeat\nT}\n.T&\nl l\n^ l\nl s.\nT{\noak\nT}:T{\n900\nT}\nash:800\n.TE\n".into()).blocks,
        );
        assert!(
            written.ends_with("| Wood | Heat |\n| --- | --- |\n| oak | 900 |\n| ash | 800 |\n"),
            "{written}"
        );
    }
}
