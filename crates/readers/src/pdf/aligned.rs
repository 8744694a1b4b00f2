//! Finds tables that no rule marks: rows whose cells stand under one another, with white stripes between them.

use crate::pdf::line::{Line, Piece};
use crate::pdf::lists;
use crate::pdf::tables::{COLUMNS_MAX, Table, split};

/// Rows with more than one cell that make a table of two columns; of wider ones and below a bold heading, two do.
const ROWS_MIN: usize = 3;
/// Letters of a cell from which on it is prose.
const PROSE_MIN: usize = 25;
/// Lines that a table takes on one page.
const LINES_MAX: usize = 200;
/// How near the edges of cells are that stand under one another.
const NEAR: f32 = 2.5;

/// Takes the lines of tables out of the `lines` of a page; `tables` are those found so far, by the line they stand before.
pub(crate) fn take(lines: &mut Vec<Line>, tables: &mut Vec<(usize, Table)>) {
    let cells: Vec<Vec<Cell>> = lines.iter().map(cells_of).collect();
    let mut found: Vec<(usize, usize, Table)> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let limit = tables
            .iter()
            .map(|(place, _)| *place)
            .filter(|place| *place > at)
            .min()
            .unwrap_or(lines.len());
        match Run::from(lines, &cells, at, limit).and_then(|run| run.table(lines, &cells)) {
            Some((end, table)) => {
                found.push((at, end, table));
                at = end;
            }
            None => at += 1,
        }
    }
    if found.is_empty() {
        return;
    }
    let gone_before = |place: usize| -> usize {
        let gone = found.iter().take_while(|(from, _, _)| *from < place);
        gone.map(|(from, to, _)| to - from).sum()
    };
    for (place, _) in tables.iter_mut() {
        *place -= gone_before(*place);
    }
    let mut at = 0;
    lines.retain(|_| {
        at += 1;
        !found
            .iter()
            .any(|(from, to, _)| (*from..*to).contains(&(at - 1)))
    });
    let mut gone = 0;
    for (from, to, table) in found {
        tables.push((from - gone, table));
        gone += to - from;
    }
    tables.sort_by_key(|(place, _)| *place);
}

/// A stretch of a line that stands apart from its neighbours.
#[derive(Debug, Clone, Copy)]
struct Cell {
    left: f32,
    right: f32,
}

fn cells_of(line: &Line) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    for piece in &line.pieces {
        match cells.last_mut() {
            Some(cell) if !piece.is_apart => cell.right = cell.right.max(piece.right),
            _ => cells.push(Cell {
                left: piece.left,
                right: piece.right,
            }),
        }
    }
    cells
}

/// Lines that may be rows of one table, and its columns so far.
#[derive(Debug)]
struct Run {
    from: usize,
    to: usize,
    columns: Vec<Cell>,
}

impl Run {
    /// The rows from line `at` on, up to `limit` at most.
    fn from(lines: &[Line], cells: &[Vec<Cell>], at: usize, limit: usize) -> Option<Self> {
        let first = lines.get(at).filter(|line| may_begin(line))?;
        let own = cells.get(at).filter(|own| own.len() > 1)?;
        let mut run = Self {
            from: at,
            to: at + 1,
            columns: own.clone(),
        };
        let mut end = at + 1;
        while end < limit.min(at + LINES_MAX) {
            let (Some(last), Some(line), Some(own)) =
                (lines.get(end - 1), lines.get(end), cells.get(end))
            else {
                break;
            };
            let step = last.y - line.y;
            let is_near = line.page == first.page
                && line.column == first.column
                && (line.size - first.size).abs() < 0.25 * first.size
                && step > 0.0
                && step < 3.0 * first.size;
            let before = cells.get(at..end).unwrap_or_default();
            if !is_near || !run.takes(line, own, before, first.size) {
                break;
            }
            end += 1;
            // What stands alone under the first column belongs to the table when more rows follow.
            let is_inner = own.len() > 1
                || own
                    .first()
                    .is_some_and(|cell| run.place(*cell).is_some_and(|place| place > 0));
            if is_inner {
                run.to = end;
            }
        }
        Some(run)
    }

    /// The column that a cell falls into alone.
    fn place(&self, cell: Cell) -> Option<usize> {
        let mut touched = self
            .columns
            .iter()
            .enumerate()
            .filter(|(_, column)| cell.left < column.right && column.left < cell.right)
            .map(|(at, _)| at);
        let place = touched.next()?;
        touched.next().is_none().then_some(place)
    }

    /// Takes a line's cells in when they leave the columns apart, those of the lines `before` it too.
    fn takes(&mut self, line: &Line, cells: &[Cell], before: &[Vec<Cell>], size: f32) -> bool {
        if cells.len() == 1 {
            // The rest of a cell stands under its beginning.
            let Some((cell, place)) = cells
                .first()
                .and_then(|cell| Some((*cell, self.place(*cell)?)))
            else {
                return false;
            };
            let is_under = self
                .columns
                .get(place)
                .is_some_and(|column| (column.left - cell.left).abs() < NEAR + 0.5 * size);
            let clear = self
                .columns
                .get(place + 1)
                .is_none_or(|next| cell.right < next.left - 0.5 * size);
            if !is_under || !clear || line.is_fixed() && place == 0 {
                return false;
            }
        }
        let mut columns = self.columns.clone();
        columns.extend(cells.iter().copied());
        columns.sort_by(|a, b| a.left.total_cmp(&b.left));
        let mut merged: Vec<Cell> = Vec::new();
        for cell in columns {
            match merged.last_mut() {
                Some(last) if cell.left < last.right + 0.4 * size => {
                    last.right = last.right.max(cell.right);
                }
                _ => merged.push(cell),
            }
        }
        let widened = Self {
            columns: merged,
            ..*self
        };
        let is_apart = |cells: &[Cell]| {
            let mut places: Vec<Option<usize>> =
                cells.iter().map(|cell| widened.place(*cell)).collect();
            places.dedup();
            places.len() == cells.len() && places.iter().all(Option::is_some)
        };
        let is_kept = is_apart(cells)
            && before.iter().all(|cells| is_apart(cells))
            && widened.columns.len() >= self.columns.len()
            && widened.columns.len() <= COLUMNS_MAX;
        if is_kept {
            self.columns = widened.columns;
        }
        is_kept
    }

    /// The table, with the line after its last, when its cells do stand under one another.
    fn table(&self, lines: &[Line], cells: &[Vec<Cell>]) -> Option<(usize, Table)> {
        let those = lines.get(self.from..self.to)?;
        let cells = cells.get(self.from..self.to)?;
        let first = those.first()?;
        let wide = cells.iter().filter(|cells| cells.len() > 1).count();
        let fixed = those.iter().filter(|line| line.is_fixed()).count();
        let in_sentence = those.iter().filter(|line| is_words(line)).count();
        let is_headed = match those {
            [head, next, ..] => is_bold(head) && !is_bold(next),
            _ => false,
        };
        let rows_min = ROWS_MIN - usize::from(self.columns.len() > 2 || is_headed);
        let is_table = wide >= rows_min
            && wide * 3 >= those.len()
            && fixed * 2 < those.len()
            && in_sentence * 3 >= those.len() * 2
            && self.is_aligned(cells)
            && !self.is_contents(those, cells);
        if !is_table {
            return None;
        }
        let borders: Vec<f32> = self
            .columns
            .iter()
            .zip(self.columns.iter().skip(1))
            .map(|(column, next)| (column.right + next.left) / 2.0)
            .collect();
        let begins = self.beginnings(those, cells);
        let mut rows: Vec<Vec<Vec<Line>>> = Vec::new();
        for (line, begins) in those.iter().zip(begins) {
            if begins || rows.is_empty() {
                rows.push(vec![Vec::new(); self.columns.len()]);
            }
            if let Some(row) = rows.last_mut() {
                for (cell, part) in row.iter_mut().zip(split(line, &borders)) {
                    cell.extend(part);
                }
            }
        }
        // The labels of a drawing stand here and there.
        let filled = rows
            .iter()
            .flatten()
            .filter(|cell| !cell.is_empty())
            .count();
        let is_filled = rows.len() >= rows_min && filled * 2 > rows.len() * self.columns.len();
        is_filled.then_some((
            self.to,
            Table {
                page: first.page,
                left: first.left,
                is_definitions: is_definitions(&rows),
                rows,
            },
        ))
    }

    /// Whether the cells of every column share an edge or their middle.
    fn is_aligned(&self, cells: &[Vec<Cell>]) -> bool {
        let mut columns: Vec<Vec<Cell>> = vec![Vec::new(); self.columns.len()];
        for cell in cells.iter().flatten() {
            if let Some(column) = self.place(*cell).and_then(|at| columns.get_mut(at)) {
                column.push(*cell);
            }
        }
        let shares = |column: &[Cell], edge: fn(&Cell) -> f32| {
            let mut edges: Vec<f32> = column.iter().map(edge).collect();
            edges.sort_by(f32::total_cmp);
            let most = edges
                .iter()
                .enumerate()
                .map(|(at, edge)| {
                    let rest = edges.iter().skip(at);
                    rest.take_while(|other| **other - edge < NEAR).count()
                })
                .max()
                .unwrap_or(0);
            most * 10 >= column.len() * 7
        };
        columns.iter().all(|column| {
            shares(column, |cell| cell.left)
                || shares(column, |cell| cell.right)
                || shares(column, |cell| (cell.left + cell.right) / 2.0)
        })
    }

    /// Whether the last column holds pages that go up: a list of chapters.
    fn is_contents(&self, lines: &[Line], cells: &[Vec<Cell>]) -> bool {
        let mut pages: Vec<u32> = Vec::new();
        for (line, cells) in lines.iter().zip(cells) {
            let text = line.text();
            let last = text.split_whitespace().next_back().unwrap_or("");
            if let (Some(_), Ok(page)) = (cells.get(1), last.parse()) {
                pages.push(page);
            }
        }
        pages.len() * 3 >= lines.len() * 2
            && self.columns.len() <= 3
            && pages.windows(2).all(|pair| pair.first() <= pair.get(1))
            && lines.iter().any(|line| line.bounds.1 - line.right < 3.0)
    }

    /// Which of the lines begin a row.
    fn beginnings(&self, lines: &[Line], cells: &[Vec<Cell>]) -> Vec<bool> {
        let in_first: Vec<bool> = cells
            .iter()
            .map(|cells| {
                cells
                    .first()
                    .is_some_and(|cell| self.place(*cell) == Some(0))
            })
            .collect();
        let steps: Vec<f32> = lines
            .iter()
            .zip(lines.iter().skip(1))
            .map(|(above, below)| above.y - below.y)
            .collect();
        // Where lines of a cell stand closer than rows do, the room tells.
        let inner: Vec<f32> = steps
            .iter()
            .zip(in_first.iter().skip(1))
            .filter(|(_, first)| !**first)
            .map(|(step, _)| *step)
            .collect();
        let pitch = inner.iter().copied().fold(f32::MAX, f32::min);
        let outer: Vec<f32> = steps
            .iter()
            .zip(in_first.iter().skip(1))
            .filter(|(_, first)| **first)
            .map(|(step, _)| *step)
            .collect();
        let further = outer.iter().filter(|step| **step > 1.12 * pitch).count();
        let tells = !inner.is_empty() && further * 2 > outer.len();
        let mut begins = vec![true];
        for (at, step) in steps.iter().enumerate() {
            let Some(own) = cells.get(at + 1) else { break };
            let is_first = in_first.get(at + 1).copied().unwrap_or(true);
            begins.push(if tells {
                *step > 1.12 * pitch
            } else {
                is_first || own.len() > 1 && !self.goes_on(cells.get(at), own)
            });
        }
        begins
    }

    /// Whether each of `cells` may be the rest of one above that filled its column.
    fn goes_on(&self, above: Option<&Vec<Cell>>, cells: &[Cell]) -> bool {
        cells.iter().all(|cell| {
            let column = self.place(*cell).and_then(|place| self.columns.get(place));
            column.is_some_and(|column| {
                above.into_iter().flatten().any(|above| {
                    above.left < column.right
                        && column.left < above.right
                        && column.right - above.right < 0.35 * (column.right - column.left)
                })
            })
        })
    }
}

/// Whether rows are terms and what they mean, without a heading: the terms set in a face of their own, or prose beside them.
fn is_definitions(rows: &[Vec<Vec<Line>>]) -> bool {
    let is_marked = |cell: &[Line]| {
        let is_set =
            |piece: &Piece| piece.face.is_fixed || piece.face.is_bold || piece.face.is_italic;
        let pieces = || cell.iter().flat_map(|line| &line.pieces);
        pieces().any(is_set)
            && pieces().all(|piece| is_set(piece) || !piece.text.chars().any(char::is_alphanumeric))
    };
    let length = |cell: &[Line]| -> usize { cell.iter().map(|line| line.text().len()).sum() };
    let mut marked = [0usize; 2];
    let mut letters = [0usize; 2];
    for row in rows {
        let [term, meaning] = row.as_slice() else {
            return false;
        };
        for (at, cell) in [term, meaning].into_iter().enumerate() {
            if let (Some(marked), Some(letters)) = (marked.get_mut(at), letters.get_mut(at)) {
                *marked += usize::from(is_marked(cell));
                *letters += length(cell);
            }
        }
    }
    let [terms, meanings] = marked;
    let [short, long] = letters;
    let has_heading = match rows {
        [first, others @ ..] => {
            let alike = |at: usize| {
                let is = first.get(at).is_some_and(|cell| is_marked(cell));
                let often = others
                    .iter()
                    .filter(|row| row.get(at).is_some_and(|cell| is_marked(cell)) == is)
                    .count();
                often * 2 > others.len()
            };
            !(alike(0) && alike(1))
        }
        [] => true,
    };
    let are_terms = terms * 10 >= rows.len() * 9 && meanings * 2 < rows.len();
    !has_heading && (are_terms || long > PROSE_MIN * rows.len() && long > 2 * short)
}

/// Whether a table may begin with a line: it is no item of a list and no definition of a function.
fn may_begin(line: &Line) -> bool {
    lists::marker(line).is_none()
        && !line
            .pieces
            .last()
            .is_some_and(|piece| piece.text.trim_end().ends_with(']') && piece.is_apart)
}

fn is_bold(line: &Line) -> bool {
    line.share(|piece| piece.face.is_bold) > 0.95
}

/// Whether a line holds words or numbers, not a formula's signs.
fn is_words(line: &Line) -> bool {
    let text = line.text();
    let all = text.chars().filter(|c| !c.is_whitespace()).count();
    let words = text
        .chars()
        .filter(|c| c.is_alphanumeric() || c.is_ascii_punctuation())
        .count();
    words * 10 >= all * 7
}
