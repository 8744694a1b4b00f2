//! Reads notebooks: cells of words as Markdown, cells of code in the kernel's language, and what they printed.

use crate::builder::Builder;
use crate::markup::markdown;
use crate::terminal::without_marks;
use serde_json::Value;
use skillkiln_document::blocks::{About, Block, BlockKind, Document};
use skillkiln_document::text::Inline;

/// Lines of one output that are taken over; what is left out is told.
const OUTPUT_LINES_MAX: usize = 40;
/// Characters of one output that are taken over.
const OUTPUT_CHARS_MAX: usize = 4_000;

/// Whether `value` is a notebook.
pub(crate) fn is_notebook(value: &Value) -> bool {
    value.get("nbformat").is_some() && value.get("cells").is_some()
}

/// Reads a notebook.
pub(crate) fn read(notebook: &Value) -> Document {
    let mut builder = Builder::default();
    let mut blocks = Vec::new();
    let language = language(notebook);
    let empty = Vec::new();
    let cells = notebook
        .get("cells")
        .and_then(Value::as_array)
        .unwrap_or(&empty)
        .iter();
    for cell in cells {
        let source = text_of(cell.get("source"));
        match cell.get("cell_type").and_then(Value::as_str).unwrap_or("") {
            "markdown" => {
                blocks.extend(builder.append(markdown::read(without_attachments(source))))
            }
            "code" => {
                let code = source.trim_matches('\n').trim_end().to_owned();
                if !code.is_empty() {
                    let language = magic(&code).map(str::to_owned).or_else(|| language.clone());
                    blocks.push(builder.leaf(BlockKind::Code {
                        language,
                        text: code,
                    }));
                }
                let outputs = cell
                    .get("outputs")
                    .and_then(Value::as_array)
                    .unwrap_or(&empty);
                printed(outputs, &mut builder, &mut blocks);
            }
            // A raw cell is for a converter; its words are kept as they are.
            _ => {
                let text = source.trim().to_owned();
                if !text.is_empty() {
                    blocks.push(builder.leaf(BlockKind::Code {
                        language: None,
                        text,
                    }));
                }
            }
        }
    }
    let told = notebook.pointer("/metadata/title").and_then(Value::as_str);
    let title = told
        .map(str::to_owned)
        .or_else(|| crate::markup::lines::first_title(&blocks));
    let authors: Vec<&str> = notebook
        .pointer("/metadata/authors")
        .and_then(Value::as_array)
        .unwrap_or(&empty)
        .iter()
        .filter_map(|author| author.get("name").and_then(Value::as_str))
        .collect();
    let about = About {
        author: Some(authors.join(", ")).filter(|authors| !authors.is_empty()),
        ..About::default()
    };
    builder.finish(title, about, blocks)
}

fn language(notebook: &Value) -> Option<String> {
    [
        "/metadata/language_info/name",
        "/metadata/kernelspec/language",
        "/metadata/kernelspec/name",
    ]
    .iter()
    .find_map(|path| notebook.pointer(path).and_then(Value::as_str))
    .map(|name| match name.to_lowercase() {
        name if name.starts_with("python") || name == "ipython" => "python".to_owned(),
        name if name.starts_with("julia") => "julia".to_owned(),
        name if name == "ir" => "r".to_owned(),
        name => name,
    })
    .or_else(|| Some("python".to_owned()))
}

/// The language that the first line of a cell switches to.
fn magic(code: &str) -> Option<&'static str> {
    Some(match code.lines().next()?.split_whitespace().next()? {
        "%%bash" | "%%sh" | "%%script" => "bash",
        "%%html" => "html",
        "%%javascript" | "%%js" => "javascript",
        "%%latex" => "latex",
        "%%sql" => "sql",
        "%%R" => "r",
        "%%cython" => "cython",
        "%%writefile" => return None,
        _ => return None,
    })
}

/// A string, or a list of the lines of one.
fn text_of(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    }
}

/// Pictures that a cell carries in itself are no text: `attachment:` and `data:` addresses are cut.
fn without_attachments(source: String) -> String {
    if !source.contains("](data:") {
        return source;
    }
    let mut out = String::with_capacity(source.len());
    let mut rest = source.as_str();
    while let Some((before, after)) = rest.split_once("](data:") {
        out.push_str(before);
        out.push_str("](");
        let end = after.find(')').unwrap_or(after.len());
        rest = after.get(end..).unwrap_or("");
    }
    out.push_str(rest);
    out
}

/// What a cell printed, as text; pictures and widgets have none.
fn printed(outputs: &[Value], builder: &mut Builder, blocks: &mut Vec<Block>) {
    for output in outputs {
        let text = match output
            .get("output_type")
            .and_then(Value::as_str)
            .unwrap_or("")
        {
            "stream" => text_of(output.get("text")),
            "error" | "pyerr" => {
                let name = output
                    .get("ename")
                    .and_then(Value::as_str)
                    .unwrap_or("Error");
                let value = output.get("evalue").and_then(Value::as_str).unwrap_or("");
                format!("{name}: {value}")
            }
            _ => {
                let data = output.get("data").unwrap_or(output);
                if let Some(words) = data.get("text/markdown") {
                    blocks.extend(
                        builder.append(markdown::read(without_attachments(text_of(Some(words))))),
                    );
                    continue;
                }
                let shown = text_of(data.get("text/plain").or_else(|| output.get("text")));
                // What stands in for a picture names an object in memory, which tells nobody anything.
                let is_picture = data.as_object().is_some_and(|data| {
                    data.keys()
                        .any(|kind| kind.starts_with("image/") || kind == "png")
                });
                if is_picture && shown.trim_start().starts_with('<') {
                    continue;
                }
                shown
            }
        };
        let text = as_shown(&text);
        let text = text.trim_matches('\n').trim_end();
        if text.is_empty() {
            continue;
        }
        let count = text.lines().count();
        let mut shown: String = text
            .lines()
            .take(OUTPUT_LINES_MAX)
            .collect::<Vec<_>>()
            .join("\n");
        let mut told = (count > OUTPUT_LINES_MAX)
            .then(|| format!("(The first {OUTPUT_LINES_MAX} of {count} lines of this output.)"));
        if let Some((cut, _)) = shown.char_indices().nth(OUTPUT_CHARS_MAX) {
            shown.truncate(cut);
            told = Some(format!(
                "(The first {OUTPUT_CHARS_MAX} of {} characters of this output.)",
                text.chars().count()
            ));
        }
        blocks.push(builder.leaf(BlockKind::Code {
            language: None,
            text: shown,
        }));
        if let Some(told) = told {
            blocks.push(builder.leaf(BlockKind::Paragraph(vec![Inline::Text(told)])));
        }
    }
}

/// What a cell printed, without the marks of a terminal, and with only the last state of a progress bar.
fn as_shown(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let line = line.trim_end_matches('\r');
        line.rsplit('\r').next().unwrap_or(line)
    });
    let last: Vec<&str> = lines.collect();
    without_marks(last.join("\n").into()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use skillkiln_document::markdown::write;

    #[test]
    fn cells_keep_their_order_their_language_and_what_they_printed() {
        let long: Vec<String> = (0..50).map(|n| format!("{n}\n")).collect();
        let document = read(&json!({
            "nbformat": 4, "metadata": {"kernelspec": {"name": "python3"}},
            "cells": [
                {"cell_type": "markdown", "source": ["# Fit\n", "\n", "Some $x$."]},
                {"cell_type": "code", "source": "print(1)\n", "outputs": [
                    {"output_type": "stream", "text": ["\u{1b}[31m1\u{1b}[0m\n"]},
                    {"output_type": "display_data", "data": {"image/png": "iVBORw0"}},
                    {"output_type": "stream", "text": long},
                    {"output_type": "error", "ename": "KeyError", "evalue": "'a'", "traceback": ["x"]},
                ]},
                {"cell_type": "code", "source": ["%%bash\n", "ls"], "outputs": []},
            ],
        }));
        assert_eq!(document.title.as_deref(), Some("Fit"));
        let markdown = write(&document.blocks);
        assert!(
            markdown.starts_with(
                "# Fit\n\nSome $x$.\n\n```python\nprint(1)\n```\n\n```\n1\n```\n\n```\n0\n1\n"
            ),
            "{markdown}"
        );
        assert!(
            markdown.contains("(The first 40 of 50 lines of this output.)"),
            "{markdown}"
        );
        assert!(
            markdown.contains("KeyError: 'a'") && markdown.ends_with("```bash\n%%bash\nls\n```\n"),
            "{markdown}"
        );
        assert!(!markdown.contains("iVBOR"));
        for block in &document.blocks {
            assert!(!document.evidence(&block.span).is_empty());
        }
    }
}
