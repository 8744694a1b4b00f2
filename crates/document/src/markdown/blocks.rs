//! Owns blocks as Markdown: headings, lists, code, tables, quotes and notes, nested as the document nests them.

use crate::blocks::{Block, BlockKind, Definition, NESTING_MAX};
use crate::markdown::inline::{Place, inline, longest_run, write_address};
use crate::text::{Inline, plain};
use crate::work::{BYTES_A_STEP, made, step};

/// `blocks` as Markdown, ending with a line break unless there is nothing to write.
#[must_use]
pub fn write(blocks: &[Block]) -> String {
    let mut out = sequence(blocks, 0);
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// The code fence and its content: the fence is longer than any inside.
#[must_use]
pub fn code(language: Option<&str>, text: &str) -> String {
    let fence = "`".repeat(3.max(longest_run(text, '`') + 1));
    let language: String = language
        .unwrap_or("")
        .chars()
        .filter(|c| !c.is_whitespace() && !c.is_control() && !matches!(c, '`' | '\\' | '&'))
        .take(40)
        .collect();
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    if text.is_empty() {
        format!("{fence}{language}\n{fence}")
    } else {
        format!("{fence}{language}\n{text}\n{fence}")
    }
}

/// Blocks one after the other, with an empty line between them and no line break at the end.
fn sequence(blocks: &[Block], depth: usize) -> String {
    let mut out = String::new();
    // Two lists of the same mark one after the other would be read as one, so the second takes the other mark.
    let mut previous_list = None;
    let mut other_mark = false;
    for block in blocks {
        let list = match &block.kind {
            BlockKind::List { start, .. } => Some(start.is_some()),
            BlockKind::Definitions(_) => Some(false),
            _ => None,
        };
        other_mark = list.is_some() && list == previous_list && !other_mark;
        let written = one(block, depth, other_mark);
        // What is nested is copied once for each level around it.
        step(1 + written.len() / BYTES_A_STEP);
        made(written.len());
        if written.is_empty() {
            continue;
        }
        previous_list = list;
        if !out.is_empty() {
            out.push_str("\n\n");
        }
        out.push_str(&written);
    }
    out
}

fn one(block: &Block, depth: usize, other_mark: bool) -> String {
    if depth > NESTING_MAX {
        // Readers never nest this deep; whoever does loses the structure, not the service its stack.
        return String::new();
    }
    match &block.kind {
        BlockKind::Heading { level, text } => {
            let line = inline(text, Place::Line);
            if line.is_empty() {
                return line;
            }
            format!("{} {line}", "#".repeat(usize::from((*level).clamp(1, 6))))
        }
        BlockKind::Paragraph(text) => inline(text, Place::Paragraph),
        BlockKind::List { start, items } => list(*start, items, depth, other_mark),
        BlockKind::Code { language, text } => code(language.as_deref(), text),
        BlockKind::Table {
            header,
            rows,
            caption,
        } => table(header, rows, caption.as_deref()),
        BlockKind::Quote(inner) => quoted(&sequence(inner, depth + 1)),
        BlockKind::Admonition {
            class,
            title,
            blocks,
        } => admonition(class, title.as_deref(), blocks, depth),
        BlockKind::Definitions(entries) => definitions(entries, depth, other_mark),
        BlockKind::Math(formula) => code(Some("math"), formula.trim_matches('\n')),
        BlockKind::Figure {
            source,
            alternative,
            caption,
        } => figure(source, alternative, caption),
    }
}

fn list(start: Option<u64>, items: &[Vec<Block>], depth: usize, other_mark: bool) -> String {
    let separator = if items.iter().all(|item| is_tight(item)) {
        "\n"
    } else {
        "\n\n"
    };
    let mut out = String::new();
    for (number, item) in (start.unwrap_or(0).min(999_000_000)..).zip(items) {
        let mark = match (start, other_mark) {
            (Some(_), false) => format!("{number}. "),
            (Some(_), true) => format!("{number}) "),
            (None, false) => "- ".to_owned(),
            (None, true) => "* ".to_owned(),
        };
        if !out.is_empty() {
            out.push_str(separator);
        }
        let body = if separator == "\n" {
            item.iter()
                .map(|block| one(block, depth + 1, false))
                .filter(|written| !written.is_empty())
                .collect::<Vec<_>>()
                .join("\n")
        } else {
            sequence(item, depth + 1)
        };
        push_item(&mark, &body, &mut out);
    }
    out
}

/// Whether an item can stand without empty lines: one paragraph, perhaps with one list that may interrupt it.
fn is_tight(item: &[Block]) -> bool {
    let is_text = |block: &Block| matches!(&block.kind, BlockKind::Paragraph(text) if !plain(text).trim().is_empty());
    match item {
        [only] => is_text(only),
        [first, second] => {
            is_text(first)
                && matches!(
                    &second.kind,
                    BlockKind::List { start: None | Some(1), items }
                        if items.iter().all(|item| is_tight(item))
                )
        }
        _ => false,
    }
}

/// Appends an item: its mark, then its lines indented below the mark's end.
fn push_item(mark: &str, body: &str, out: &mut String) {
    let indent = " ".repeat(mark.len());
    out.push_str(if body.is_empty() {
        mark.trim_end()
    } else {
        mark
    });
    for (number, line) in body.split('\n').enumerate() {
        if number > 0 {
            out.push('\n');
            if !line.is_empty() {
                out.push_str(&indent);
            }
        }
        out.push_str(line);
    }
}

fn quoted(body: &str) -> String {
    if body.is_empty() {
        return String::new();
    }
    let mut out = String::with_capacity(body.len() + 16);
    for (number, line) in body.split('\n').enumerate() {
        if number > 0 {
            out.push('\n');
        }
        out.push_str(if line.is_empty() { ">" } else { "> " });
        out.push_str(line);
    }
    out
}

fn admonition(class: &str, title: Option<&str>, blocks: &[Block], depth: usize) -> String {
    let mut label = class.to_owned();
    if let Some(first) = label.get(..1) {
        label = first.to_uppercase() + label.get(1..).unwrap_or("");
    }
    let words = match title {
        Some(title) if label.is_empty() => title.to_owned(),
        Some(title) => format!("{label}: {title}"),
        None => format!("{label}:"),
    };
    let label = inline(
        &[Inline::Strong(vec![Inline::Text(words)])],
        Place::Paragraph,
    );
    let body = sequence(blocks, depth + 1);
    let starts_with_text = matches!(
        blocks.first().map(|block| &block.kind),
        Some(BlockKind::Paragraph(text)) if !plain(text).trim().is_empty()
    );
    quoted(&match (title, starts_with_text) {
        (_, _) if body.is_empty() => label,
        (None, true) => format!("{label} {body}"),
        _ => format!("{label}\n\n{body}"),
    })
}

/// Terms and meanings as a list that every renderer knows: `- **Term**: meaning`.
fn definitions(entries: &[Definition], depth: usize, other_mark: bool) -> String {
    let mark = if other_mark { "* " } else { "- " };
    let loose = entries.iter().any(|entry| entry.blocks.len() > 1);
    let mut out = String::new();
    for entry in entries {
        let terms: Vec<String> = entry
            .terms
            .iter()
            .map(|term| match term.as_slice() {
                [Inline::Code(_)] => inline(term, Place::Paragraph),
                _ => inline(&[Inline::Strong(term.clone())], Place::Line),
            })
            .filter(|term| !term.is_empty())
            .collect();
        let terms = terms.join(", ");
        let body = sequence(&entry.blocks, depth + 1);
        let starts_with_text = matches!(
            entry.blocks.first().map(|block| &block.kind),
            Some(BlockKind::Paragraph(text)) if !plain(text).trim().is_empty()
        );
        let written = match (terms.is_empty(), body.is_empty()) {
            (true, true) => continue,
            (true, false) => body,
            (false, true) => terms,
            (false, false) if starts_with_text => {
                let joint = if terms.trim_end_matches('*').ends_with(':') {
                    ""
                } else {
                    ":"
                };
                format!("{terms}{joint} {body}")
            }
            (false, false) => format!("{terms}\n\n{body}"),
        };
        if !out.is_empty() {
            out.push_str(if loose { "\n\n" } else { "\n" });
        }
        push_item(mark, &written, &mut out);
    }
    out
}

fn table(header: &[Vec<Inline>], rows: &[Vec<Vec<Inline>>], caption: Option<&[Inline]>) -> String {
    let columns = header
        .len()
        .max(rows.iter().map(Vec::len).max().unwrap_or(0));
    if columns == 0 {
        return String::new();
    }
    let mut out = String::new();
    let title = caption.map(|caption| inline(caption, Place::Paragraph));
    if let Some(title) = title.filter(|title| !title.is_empty()) {
        out.push_str(&title);
        out.push_str("\n\n");
    }
    push_row(header, columns, &mut out);
    out.push_str("\n|");
    out.push_str(&" --- |".repeat(columns));
    for row in rows {
        out.push('\n');
        push_row(row, columns, &mut out);
    }
    out
}

fn push_row(cells: &[Vec<Inline>], columns: usize, out: &mut String) {
    out.push('|');
    for column in 0..columns {
        let cell = cells
            .get(column)
            .map(|cell| inline(cell, Place::Cell))
            .unwrap_or_default();
        out.push(' ');
        out.push_str(&cell);
        if !cell.is_empty() {
            out.push(' ');
        }
        out.push('|');
    }
}

/// A picture. Without words that stand in for it only its caption is worth a line.
fn figure(source: &str, alternative: &str, caption: &[Inline]) -> String {
    let caption = inline(caption, Place::Paragraph);
    let mut out = String::new();
    if !source.trim().is_empty() && !alternative.trim().is_empty() {
        let link = Inline::link("x".to_owned(), vec![Inline::Text(alternative.to_owned())]);
        let words = inline(&[link], Place::Line);
        out.push('!');
        out.push_str(words.strip_suffix("(x)").unwrap_or(&words));
        out.push('(');
        write_address(source.trim(), &mut out);
        out.push(')');
    }
    if !out.is_empty() && !caption.is_empty() {
        out.push_str("\n\n");
    }
    out.push_str(&caption);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::Span;
    use crate::markdown::rendered::rendered_text;

    fn block(kind: BlockKind) -> Block {
        Block {
            kind,
            span: Span::default(),
        }
    }

    fn words(text: &str) -> Vec<Inline> {
        vec![Inline::Text(text.to_owned())]
    }

    fn paragraph(text: &str) -> Block {
        block(BlockKind::Paragraph(words(text)))
    }

    #[test]
    fn code_keeps_every_byte_inside_lists_and_quotes() {
        let text = "fn main() {\n\tlet fence = \"```\";\n\n    \n}";
        let inner = block(BlockKind::Code {
            language: Some("rust".into()),
            text: text.into(),
        });
        let nested = block(BlockKind::Quote(vec![block(BlockKind::List {
            start: Some(9),
            items: vec![vec![paragraph("run"), inner]],
        })]));
        let markdown = write(&[nested]);
        assert!(
            markdown.contains("> 9. run\n>\n>    ````rust\n"),
            "{markdown}"
        );
        assert_eq!(rendered_text(&markdown), format!("run\n{text}\n"));
    }

    #[test]
    fn nested_lists_stay_tight_and_neighbours_stay_apart() {
        let inner = block(BlockKind::List {
            start: None,
            items: vec![vec![paragraph("b")], vec![paragraph("c")]],
        });
        let list = block(BlockKind::List {
            start: Some(1),
            items: vec![vec![paragraph("a"), inner], vec![paragraph("d")]],
        });
        let markdown = write(&[list.clone(), list]);
        assert_eq!(
            markdown,
            "1. a\n   - b\n   - c\n2. d\n\n1) a\n   - b\n   - c\n2) d\n"
        );
    }

    #[test]
    fn cells_keep_their_bars_and_breaks() {
        let table = block(BlockKind::Table {
            header: vec![words("a|b"), vec![Inline::Code("x|y".into())]],
            rows: vec![vec![vec![
                Inline::Text("one".into()),
                Inline::Break,
                Inline::Text("two".into()),
            ]]],
            caption: Some(words("Bars")),
        });
        let markdown = write(&[table]);
        assert_eq!(
            markdown,
            "Bars\n\n| a\\|b | `x\\|y` |\n| --- | --- |\n| one<br>two | |\n"
        );
        assert_eq!(rendered_text(&markdown), "Bars\na|b\tx|y\t\none\ntwo\t\t\n");
    }

    #[test]
    fn notes_and_terms_read_well_anywhere() {
        let markdown = write(&[
            block(BlockKind::Admonition {
                class: "note".into(),
                title: None,
                blocks: vec![paragraph("Mind the gap.")],
            }),
            block(BlockKind::Definitions(vec![Definition {
                terms: vec![vec![Inline::Code("-v".into())], words("verbose")],
                blocks: vec![paragraph("Says more.")],
            }])),
        ]);
        assert_eq!(
            markdown,
            "> **Note:** Mind the gap.\n\n- `-v`, **verbose**: Says more.\n"
        );
    }
}
