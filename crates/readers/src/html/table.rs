//! Reads tables on web pages: header, rows of equal length, caption. Tables that only lay the page out are walked through.

use crate::builder::tidy;
use crate::html::blocks::Writer;
use crate::html::{code, inline};
use dom_query::NodeRef;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{Inline, plain, squash};

/// Columns that are kept.
const COLUMNS_MAX: usize = 64;
/// Cells that a table may hold once its merged cells are spread out.
const CELLS_MAX: usize = 200_000;

/// What several columns are called together is not longer, in characters.
const NAME_CHARS_MAX: usize = 80;
/// A table of no more rows may be labels with what they say, which are no longer, in words.
const LABELLED_ROWS_MAX: usize = 3;
const LABEL_WORDS_MAX: usize = 4;
const LABELLED_WORDS_MAX: usize = 12;

/// Writes the table `node`.
pub(crate) fn table(writer: &mut Writer, node: &NodeRef<'_>, depth: usize, out: &mut Vec<Block>) {
    if node.has_class("memname") {
        prototype(writer, node, out);
        return;
    }
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
    if let Some(code) = beside_numbers(&rows) {
        writer.code(&code, out);
        return;
    }
    if is_callouts(node, &rows) {
        writer.items(
            rows.iter().filter_map(|row| cells_of(&row.node).pop()),
            depth,
            out,
        );
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
    if is_labelled(node, &rows) {
        for row in &rows {
            let words = labelled(writer, &row.node);
            out.push(writer.builder.leaf(BlockKind::Paragraph(words)));
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

/// Whether a table is but a few labels with a colon, each with a word or two beside it: lines that a page sets below each other.
fn is_labelled(node: &NodeRef<'_>, rows: &[Row<'_>]) -> bool {
    let is_short = |cell: &NodeRef<'_>, words_max: usize| {
        let words = cell.text().split_whitespace().count();
        (1..=words_max).contains(&words)
            && !cell.descendants_it().any(|inner| {
                ["pre", "ul", "ol", "dl", "table", "br"]
                    .iter()
                    .any(|name| inner.has_name(name))
            })
    };
    let is_row = |row: &Row<'_>| match cells_of(&row.node).as_slice() {
        [label, told] => {
            !row.head
                && label.text().trim().ends_with(':')
                && is_short(label, LABEL_WORDS_MAX)
                && is_short(told, LABELLED_WORDS_MAX)
        }
        _ => false,
    };
    (1..=LABELLED_ROWS_MAX).contains(&rows.len())
        && !node
            .children_it(false)
            .any(|child| child.has_name("caption"))
        && rows.iter().all(is_row)
}

/// The label in the first cell of a row, and what stands beside it.
fn labelled(writer: &Writer, row: &NodeRef<'_>) -> Vec<Inline> {
    let mut cells = cells_of(row).into_iter().map(|cell| {
        let mut text = Vec::new();
        inline::children(&cell, &writer.base, 0, &mut text);
        tidy(text)
    });
    let label = match cells.next().unwrap_or_default() {
        label if matches!(label.as_slice(), [Inline::Strong(_)]) => label,
        label => vec![Inline::Strong(label)],
    };
    let between = [Inline::Text(" ".to_owned())];
    label
        .into_iter()
        .chain(between)
        .chain(cells.flatten())
        .collect()
}

/// Writes the declaration that Doxygen lays out in columns, a parameter a row, as the one line that it is.
fn prototype(writer: &mut Writer, node: &NodeRef<'_>, out: &mut Vec<Block>) {
    let mut text = String::new();
    for cell in node.descendants_it().filter(|inner| inner.has_name("td")) {
        let words = squash(&cell.text());
        let is_joined = text.is_empty() || text.ends_with('(') || words == "(" || words == ")";
        if !is_joined && !words.is_empty() {
            text.push(' ');
        }
        text.push_str(words.trim());
    }
    if !text.is_empty() {
        let language = None;
        out.push(writer.builder.leaf(BlockKind::Code { language, text }));
    }
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
    for (number, row) in rows.iter().enumerate() {
        let mut line: Vec<Vec<Inline>> = Vec::new();
        let row_cells = cells_of(&row.node);
        // What heads several columns heads each of them, where their own names stand below it; what heads all is a title.
        let heads_each =
            row.head && row_cells.len() > 1 && rows.get(number + 1).is_some_and(|next| next.head);
        for cell in row_cells {
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
            let text = tidy(text);
            let is_name = heads_each && plain(&text).chars().count() <= NAME_CHARS_MAX;
            let beside = if is_name { text.clone() } else { Vec::new() };
            line.push(text);
            line.resize((at + wide).min(COLUMNS_MAX), beside);
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
    let head_rows = match rows {
        [first, second, ..] if first.head && second.head && begins_rows(first, second) => 1,
        _ => rows.iter().take_while(|row| row.head).count(),
    };
    for line in &mut grid {
        line.resize(width, Vec::new());
    }
    let width = without_empty_columns(&mut grid, width);
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
    let block = writer.builder.leaf(kind);
    out.push(block);
}

/// Takes out the columns that nothing stands in, where two others are left; how many columns there are then.
fn without_empty_columns(grid: &mut [Vec<Vec<Inline>>], width: usize) -> usize {
    let mut filled = vec![false; width];
    for line in grid.iter() {
        for (cell, filled) in line.iter().zip(&mut filled) {
            *filled |= !plain(cell).trim().is_empty();
        }
    }
    let left = filled.iter().filter(|filled| **filled).count();
    if left < 2 || left == width {
        return width;
    }
    for line in grid {
        let mut places = filled.iter();
        line.retain(|_| places.next().copied().unwrap_or(true));
    }
    left
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

/// Whether the second row of a head is the first one of the table's own: each column has its name above it, and it names only what
/// the others would tell of.
fn begins_rows(first: &Row<'_>, second: &Row<'_>) -> bool {
    let (names, cells) = (cells_of(&first.node), cells_of(&second.node));
    let is_merged = |cell: &NodeRef<'_>| cell.has_attr("colspan") || cell.has_attr("rowspan");
    let is_filled = |cell: &NodeRef<'_>| !cell.text().trim().is_empty();
    names.len() > 2
        && names.len() == cells.len()
        && !names.iter().chain(&cells).any(is_merged)
        && names.iter().all(is_filled)
        && cells.first().is_some_and(is_filled)
        && cells
            .first()
            .is_some_and(|cell| !cell.text().trim().starts_with(char::is_lowercase))
        && !cells.iter().skip(1).any(is_filled)
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

/// Whether a table explains the numbers in a listing, one each row: a list that DocBook and AsciiDoctor lay out in columns.
fn is_callouts(node: &NodeRef<'_>, rows: &[Row<'_>]) -> bool {
    let is_marked = node
        .attr("summary")
        .is_some_and(|says| says.eq_ignore_ascii_case("callout list"))
        || node
            .parent()
            .is_some_and(|parent| parent.has_class("calloutlist") || parent.has_class("colist"));
    let is_entry = |row: &Row<'_>| {
        let cells = cells_of(&row.node);
        // The number is a picture, or a number.
        let is_number = |cell: &NodeRef<'_>| !cell.text().contains(char::is_alphabetic);
        cells.len() == 2 && cells.first().is_some_and(is_number)
    };
    is_marked && !rows.is_empty() && rows.iter().all(is_entry)
}

/// The code of a table that is one listing: beside it stand the numbers of its lines, in a cell of their own.
fn beside_numbers<'a>(rows: &[Row<'a>]) -> Option<NodeRef<'a>> {
    let [row] = rows else { return None };
    let cells = cells_of(&row.node);
    let [numbers, listing] = cells.as_slice() else {
        return None;
    };
    let holds = |cell: &NodeRef<'a>, name: &str| {
        let mut inside = cell.descendants_it();
        inside.find(|inner| inner.has_name(name))
    };
    let text = code::text(numbers);
    let count = text.split_whitespace().count();
    // Each number stands on a line of its own.
    if text.trim().lines().count() != count {
        return None;
    }
    let mut lines = text.split_whitespace().map(|word| word.parse::<u32>().ok());
    let first = lines.next()??;
    let mut last = first;
    let follow = lines.all(|line| {
        let follows = line == last.checked_add(1);
        last = line.unwrap_or(last);
        follows
    });
    let is_column = last > first || holds(numbers, "pre").is_some();
    let cell = listing;
    let listing = holds(cell, "pre").or_else(|| holds(cell, "br").map(|_| *cell))?;
    // Beside words, code is shown in what they say.
    let is_all = listing.text().trim().len() == cell.text().trim().len();
    let shown = code::text(&listing).trim_end().lines().count();
    let is_numbered = listing.has_name("pre") || shown.abs_diff(count) <= 1;
    (follow && is_column && is_all && is_numbered).then_some(listing)
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
    // A listing is set in by a cell without words.
    let is_listing = || {
        let cells = rows.iter().flat_map(|row| cells_of(&row.node));
        let mut filled = cells.filter(|cell| !cell.text().trim().is_empty());
        let only = filled.next().filter(|_| filled.next().is_none());
        only.is_some_and(|cell| cell.children_it(false).any(|inner| inner.has_name("pre")))
    };
    (width <= 1 && !holds(&["th"]))
        || rows.len() == 1 && is_listing()
        || (rows.len() <= 2
            && rows.iter().all(|row| heading_of(&row.node).is_none())
            && holds(&["h1", "h2", "table"]))
        || holds(&["h1", "table"])
}

#[cfg(test)]
mod tests {
    use crate::html;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_cell_of_words_beside_numbers_is_no_listing() {
        for (cells, kept) in [
            (
                "<td>1<br>2</td><td>Set this first:<pre>x = 1</pre>Then wait.</td>",
                "Then wait.",
            ),
            ("<td>1 2</td><td>Fire it,<br>then cool it.</td>", "1 2"),
        ] {
            let page = format!(
                "<body><main><h1>Kilns</h1><p>They are hot.</p><table><tr>{cells}</tr></table></main></body>"
            );
            let text = write(&html::read(&page, None).expect("a page").blocks);
            assert!(text.contains(kept), "{text}");
        }
    }

    #[test]
    fn a_listing_beside_an_empty_cell_is_code_and_no_table() {
        let page = "<main><p>Words.</p><table><tr><td>&nbsp;</td><td><pre class=example>fire --hot\nfire --off</pre></td></tr></table></main>";
        let document = html::read(page, None).expect("a page");
        assert_eq!(
            write(&document.blocks),
            "Words.\n\n```\nfire --hot\nfire --off\n```\n"
        );
    }

    #[test]
    fn a_listing_beside_the_numbers_of_its_lines_is_code_without_them() {
        let page = "<main><p>Words.</p><table><tr><td><pre>\n\n8\n9</pre></td><td><pre><span class=info># kiln.rb</span>\n\ndef fire\nend</pre></td></tr></table>\
            <table><tr><td>1<br>2</td><td><code>light</code><br><code>cool</code></td></tr></table><table><tr><td>1</td><td>oak<br>ash</td></tr></table></main>";
        let document = html::read(page, None).expect("a page");
        assert_eq!(
            write(&document.blocks),
            "Words.\n\n```\n# kiln.rb\n\ndef fire\nend\n```\n\n```\nlight\ncool\n```\n\n| | |\n| --- | --- |\n| 1 | oak<br>ash |\n"
        );
    }

    #[test]
    fn what_explains_the_numbers_in_a_listing_is_a_numbered_list() {
        let row = |number: u8, says: &str| {
            format!(
                "<tr><td><p><a href='#c{number}'><img class=callout alt={number} src=c.png></a></p></td><td><div>{says}</div></td></tr>"
            )
        };
        let page = format!(
            "<main><p>Words.</p><div class=calloutlist><table summary='Callout list'>{}{}</table></div></main>",
            row(1, "The heat."),
            row(2, "The wood.")
        );
        let document = html::read(&page, None).expect("a page");
        assert_eq!(
            write(&document.blocks),
            "Words.\n\n1. The heat.\n2. The wood.\n"
        );
    }

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

    #[test]
    fn a_prototype_that_is_laid_out_in_columns_is_one_line_of_code() {
        let page = "<main><p>Words.</p><table class=memname><tr><td class=memname><a href=k.html>Kiln</a> * fire </td><td>(</td><td class=paramtype>int&#160;</td><td class=paramname><em>heat</em>, </td></tr><tr><td class=paramkey></td><td></td><td class=paramtype>long&#160;</td><td class=paramname><em>n</em></td></tr><tr><td></td><td>)</td><td></td><td></td></tr></table><table class=memname><tr><td class=memname>#define HOT (1.0)</td><td></td></tr></table></main>";
        let document = html::read(page, None).expect("a page");
        assert_eq!(
            write(&document.blocks),
            "Words.\n\n```\nKiln * fire(int heat, long n)\n```\n\n```\n#define HOT (1.0)\n```\n"
        );
    }

    #[test]
    fn what_heads_several_columns_heads_each_of_them() {
        let page = |head: &str| {
            let page = format!(
                "<main><p>Words.</p><table>{head}<tr><th>low</th><th>high</th></tr><tr><td>Oak</td><td>700</td><td>900</td></tr></table></main>"
            );
            write(&html::read(&page, None).expect("a page").blocks)
        };
        let text = page("<tr><th rowspan=2>Wood</th><th colspan=2>Heat</th></tr>");
        assert!(text.contains("| Wood | Heat low | Heat high |"), "{text}");
    }

    #[test]
    fn a_row_in_the_head_that_only_names_what_it_tells_of_is_a_row() {
        let page = |second: &str| {
            let page = format!(
                "<main><p>Words.</p><table><thead><tr><th>Wood</th><th>Heat</th><th>Ash</th></tr><tr>{second}</tr></thead><tbody><tr><td>Oak</td><td>900</td><td>2</td></tr></tbody></table></main>"
            );
            write(&html::read(&page, None).expect("a page").blocks)
        };
        let text = page("<th>Fir</th><th></th><th></th>");
        assert!(text.contains("| Wood | Heat | Ash |"), "{text}");
        assert!(text.contains("| Fir"), "{text}");
        let text = page("<th></th><th>degrees</th><th>grams</th>");
        assert!(
            text.contains("| Wood | Heat degrees | Ash grams |"),
            "{text}"
        );
    }

    #[test]
    fn a_column_that_nothing_stands_in_is_none() {
        let page = "<main><p>Words.</p><table><tr><td>heat</td><td>How hot.</td><td>&nbsp;</td></tr><tr><td>wood</td><td>Of oak.</td><td></td></tr></table>\
            <table><tr><th>Kiln</th><th>Remarks</th></tr><tr><td>small</td><td></td></tr></table></main>";
        let document = html::read(page, None).expect("a page");
        assert_eq!(
            write(&document.blocks),
            "Words.\n\n| | |\n| --- | --- |\n| heat | How hot. |\n| wood | Of oak. |\n\n| Kiln | Remarks |\n| --- | --- |\n| small | |\n"
        );
    }

    #[test]
    fn a_few_labels_with_a_word_beside_each_are_lines() {
        let row = |label: &str, told: &str| format!("<tr><th>{label}</th><td>{told}</td></tr>");
        let written = |rows: &str| {
            let page =
                format!("<main><h1>Kilns</h1><p>They are hot.</p><table>{rows}</table></main>");
            write(&html::read(&page, None).expect("a page").blocks)
        };
        let two = format!(
            "{}{}",
            row("Release:", "1.3.2"),
            row("<b>Date:</b>", "May 2026")
        );
        assert!(
            written(&two).ends_with("hot.\n\n**Release:** 1.3.2\n\n**Date:** May 2026\n"),
            "{}",
            written(&two)
        );
        for rows in [two.repeat(2), row("Release", "1.3.2")] {
            assert!(written(&rows).contains("1.3.2 |"), "{}", written(&rows));
        }
    }
}
