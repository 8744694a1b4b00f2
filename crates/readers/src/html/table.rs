//! Reads tables on web pages: header, rows of equal length, caption. Tables that only lay the page out are walked through.

use crate::builder::tidy;
use crate::html::inline;
use crate::html::writer::Writer;
use dom_query::NodeRef;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{Inline, plain};

/// Columns that are kept.
const COLUMNS_MAX: usize = 64;
/// Cells that a table may hold once its merged cells are spread out.
const CELLS_MAX: usize = 200_000;

/// Writes the table `node`.
pub(crate) fn table(writer: &mut Writer, node: &NodeRef<'_>, depth: usize, out: &mut Vec<Block>) {
    let mut rows = Vec::new();
    rows_of(node, false, 0, &mut rows);
    // A code listing with line numbers is its code.
    let is_listing = node.class().is_some_and(|classes| {
        ["highlight", "rouge", "lntable", "linenums", "listing_frame"]
            .iter()
            .any(|word| classes.contains(word))
    });
    if is_listing
        && let Some(code) = node
            .descendants_it()
            .filter(|inner| inner.has_name("pre"))
            .last()
    {
        writer.code(&code, out);
        return;
    }
    if is_layout(node, &rows) {
        for row in &rows {
            for cell in cells_of(&row.node) {
                out.extend(writer.inside(&cell, depth + 1));
            }
        }
        return;
    }
    let caption = node
        .children_it(false)
        .find(|child| child.has_name("caption"))
        .map(|caption| {
            let mut text = Vec::new();
            inline::children(&caption, &writer.base, 0, &mut text);
            tidy(text)
        })
        .filter(|caption| !caption.is_empty());
    // A row that is one heading divides a table in two.
    let mut rest = rows.as_slice();
    let mut caption = caption;
    while let Some(at) = rest.iter().position(|row| heading_of(&row.node).is_some()) {
        let (above, below) = rest.split_at(at);
        part(writer, above, caption.take(), out);
        if let Some((row, below)) = below.split_first() {
            if let Some(head) = heading_of(&row.node) {
                let name = head.node_name().unwrap_or_default();
                writer.heading(&head, &name, out);
            }
            rest = below;
        } else {
            break;
        }
    }
    part(writer, rest, caption, out);
}

/// The heading that a row consists of.
fn heading_of<'a>(row: &NodeRef<'a>) -> Option<NodeRef<'a>> {
    let cells = cells_of(row);
    let [cell] = cells.as_slice() else {
        return None;
    };
    let head = cell.descendants_it().take(6).find(|inner| {
        ["h2", "h3", "h4", "h5"]
            .iter()
            .any(|name| inner.has_name(name))
    })?;
    (head.normalized_char_count() == cell.normalized_char_count()).then_some(head)
}

/// Writes some rows of a table as a table.
fn part(writer: &mut Writer, rows: &[Row<'_>], caption: Option<Vec<Inline>>, out: &mut Vec<Block>) {
    let mut grid: Vec<Vec<Vec<Inline>>> = Vec::new();
    let mut cells = 0;
    // Columns that a cell above still covers, with how many rows it goes on.
    let mut covered: Vec<usize> = Vec::new();
    let mut columns_lost = false;
    for row in rows {
        let mut line: Vec<Vec<Inline>> = Vec::new();
        for cell in cells_of(&row.node) {
            skip_covered(&mut line, &mut covered);
            if line.len() >= COLUMNS_MAX {
                columns_lost = true;
                break;
            }
            let mut text = Vec::new();
            inline::children(&cell, &writer.base, 0, &mut text);
            let span = |name: &str| {
                cell.attr(name)
                    .and_then(|span| span.trim().parse::<usize>().ok())
                    .unwrap_or(1)
                    .clamp(1, COLUMNS_MAX)
            };
            let (wide, high) = (span("colspan"), span("rowspan"));
            let at = line.len();
            line.push(tidy(text));
            line.resize((at + wide).min(COLUMNS_MAX), Vec::new());
            if high > 1 {
                covered.resize(covered.len().max(line.len()), 0);
                for column in covered.iter_mut().take(line.len()).skip(at) {
                    *column = high - 1;
                }
            }
        }
        skip_covered(&mut line, &mut covered);
        cells += line.len();
        if cells > CELLS_MAX {
            break;
        }
        grid.push(line);
    }
    let width = grid.iter().map(Vec::len).max().unwrap_or(0);
    let caption = told(caption, grid.len(), rows.len(), columns_lost);
    let head_rows = rows.iter().take_while(|row| row.head).count();
    for line in &mut grid {
        line.resize(width, Vec::new());
    }
    let mut lines = grid.into_iter();
    // Several header rows: the last one names the columns.
    let header = match head_rows {
        0 => vec![Vec::new(); width],
        n => lines
            .by_ref()
            .take(n)
            .reduce(merge_headers)
            .unwrap_or_default(),
    };
    let rows: Vec<_> = lines
        .filter(|line| line.iter().any(|cell| !plain(cell).trim().is_empty()))
        .collect();
    if width == 0 || (rows.is_empty() && header.iter().all(Vec::is_empty)) {
        return;
    }
    let kind = BlockKind::Table {
        header,
        rows,
        caption,
    };
    out.push(writer.builder.leaf(kind));
}

/// The caption of a table, which tells what of the table was left out.
fn told(
    caption: Option<Vec<Inline>>,
    kept: usize,
    rows: usize,
    columns_lost: bool,
) -> Option<Vec<Inline>> {
    let mut says = Vec::new();
    if kept < rows {
        says.push(format!("the first {kept} of {rows} rows"));
    }
    if columns_lost {
        says.push(format!("the first {COLUMNS_MAX} columns"));
    }
    if says.is_empty() {
        return caption;
    }
    let mut caption = caption.unwrap_or_default();
    let lead = if caption.is_empty() { "" } else { " " };
    caption.push(Inline::Text(format!("{lead}(only {})", says.join(", "))));
    Some(caption)
}

fn skip_covered(line: &mut Vec<Vec<Inline>>, covered: &mut [usize]) {
    while let Some(rows) = covered.get_mut(line.len()).filter(|rows| **rows > 0) {
        *rows -= 1;
        line.push(Vec::new());
    }
}

fn merge_headers(above: Vec<Vec<Inline>>, below: Vec<Vec<Inline>>) -> Vec<Vec<Inline>> {
    above
        .into_iter()
        .zip(below)
        .map(|(mut above, below)| {
            if above.is_empty() {
                below
            } else {
                if !below.is_empty() {
                    above.push(Inline::Text(" ".to_owned()));
                    above.extend(below);
                }
                above
            }
        })
        .collect()
}

struct Row<'a> {
    node: NodeRef<'a>,
    head: bool,
}

/// The rows of this table, not those of tables inside it.
fn rows_of<'a>(node: &NodeRef<'a>, in_head: bool, depth: usize, out: &mut Vec<Row<'a>>) {
    if depth > 3 {
        return;
    }
    for child in node.children_it(false) {
        if child.has_name("tr") {
            let cells = cells_of(&child);
            let all_heads = !cells.is_empty() && cells.iter().all(|cell| cell.has_name("th"));
            // A row of headings counts as header only at the top.
            let at_top = out.iter().all(|row| row.head);
            out.push(Row {
                node: child,
                head: at_top && (in_head || all_heads),
            });
        } else if child.has_name("thead") || child.has_name("tbody") || child.has_name("tfoot") {
            rows_of(&child, child.has_name("thead"), depth + 1, out);
        }
    }
}

fn cells_of<'a>(row: &NodeRef<'a>) -> Vec<NodeRef<'a>> {
    row.children_it(false)
        .filter(|child| child.has_name("td") || child.has_name("th"))
        .collect()
}

/// Whether a table only lays the page out: its role says so, it has one column, or its cells hold what no cell should.
fn is_layout(node: &NodeRef<'_>, rows: &[Row<'_>]) -> bool {
    if node
        .attr("role")
        .is_some_and(|role| matches!(&*role, "presentation" | "none"))
    {
        return true;
    }
    let width = rows
        .iter()
        .map(|row| cells_of(&row.node).len())
        .max()
        .unwrap_or(0);
    let holds = |names: &[&str]| {
        node.descendants_it()
            .skip(1)
            .any(|inner| names.iter().any(|name| inner.has_name(name)))
    };
    (width <= 1 && !holds(&["th"]))
        || (rows.len() <= 2
            && rows.iter().all(|row| heading_of(&row.node).is_none())
            && holds(&["h1", "h2", "table"]))
        || holds(&["h1", "table"])
}

#[cfg(test)]
mod tests {
    use crate::html;

    #[test]
    fn a_table_too_wide_or_too_long_says_what_is_left_out() {
        let wide = format!("<tr>{}</tr>", "<td>kiln".repeat(70)).repeat(2);
        let long = "<tr><td colspan=63>kiln<td>fire</tr>".repeat(3_200);
        for (rows, told) in [
            (wide.as_str(), "(only the first 64 columns)"),
            (&long, "(only the first 3125 of 3200 rows)"),
        ] {
            let page = format!("<main><p>Words.</p><table><caption>Kilns</caption>{rows}</table>");
            let document = html::read(&page, None).expect("a page");
            assert!(document.text.contains(&format!("Kilns {told}")));
        }
    }
}
