//! Shows a large file of data by its outline and a sample of its lines, and tells that it does.

use crate::markup::lines::{self, Line};
use serde_json::Value;
use skillkiln_document::blocks::{Block, BlockKind, Document, Span};
use skillkiln_document::text::{Inline, squash};

/// Data up to this length is shown whole.
pub(crate) const WHOLE_BYTES_MAX: usize = 256 << 10;
/// Lines of the sample.
const SAMPLE_LINES: usize = 120;
/// Bytes of the sample: data is often one long line.
const SAMPLE_BYTES_MAX: usize = 16 << 10;
/// Rows of the outline.
const ROWS_MAX: usize = 200;
/// The longest value that the outline shows whole; a longer one shows that it is cut.
const EXAMPLE_CHARS: usize = 200;
/// How deep the outline goes.
const DEPTH_MAX: usize = 3;

/// Reads a large file: its outline where it is JSON, a sample, and what is left out.
pub(crate) fn read(text: String, language: &str, value: Option<&Value>) -> Document {
    let lines = lines::lines_of(&text);
    let mut end = 0;
    let mut shown = Vec::new();
    for line in lines.iter().take(SAMPLE_LINES) {
        let room = SAMPLE_BYTES_MAX.saturating_sub(end);
        if line.text.len() > room {
            let cut = (0..=room)
                .rev()
                .find(|at| line.text.is_char_boundary(*at))
                .unwrap_or(0);
            shown.push(Line {
                start: line.start,
                text: line.text.get(..cut).unwrap_or(""),
            });
            break;
        }
        end += line.text.len() + 1;
        shown.push(*line);
    }
    let told = format!(
        "This file is too long to be shown: {} lines, {} KiB. Here are its outline and its beginning.",
        lines.len(),
        text.len() >> 10
    );
    let nowhere = Span::of(0..0);
    let mut blocks = vec![Block {
        kind: BlockKind::Paragraph(vec![Inline::Text(told)]),
        span: nowhere.clone(),
    }];
    if let Some(value) = value {
        let mut rows = Vec::new();
        let mut left = 0;
        outline("", value, 0, &mut rows, &mut left);
        let caption = (left > 0).then(|| {
            vec![Inline::Text(format!(
                "The first {ROWS_MAX} names; {left} more are left out"
            ))]
        });
        let header = ["Name", "Type", "Example"]
            .iter()
            .map(|name| vec![Inline::Text((*name).to_owned())])
            .collect();
        if !rows.is_empty() {
            blocks.push(Block {
                kind: BlockKind::Table {
                    header,
                    rows,
                    caption,
                },
                span: Span::of(0..text.len()),
            });
        }
    }
    let kind = BlockKind::Code {
        language: Some(language.to_owned()),
        text: lines::joined(&shown),
    };
    blocks.push(lines::block(kind, &shown));
    Document {
        text,
        blocks,
        ..Document::default()
    }
}

fn outline(
    path: &str,
    value: &Value,
    depth: usize,
    rows: &mut Vec<Vec<Vec<Inline>>>,
    left: &mut usize,
) {
    match value {
        Value::Object(members) if depth < DEPTH_MAX => {
            for (name, inner) in members {
                let path = if path.is_empty() {
                    name.clone()
                } else {
                    format!("{path}.{name}")
                };
                if rows.len() >= ROWS_MAX {
                    *left += 1;
                    continue;
                }
                let (kind, example) = described(inner);
                rows.push(vec![
                    vec![Inline::Code(path.clone())],
                    vec![Inline::Text(kind)],
                    if example.is_empty() {
                        Vec::new()
                    } else {
                        vec![Inline::Code(example)]
                    },
                ]);
                outline(&path, inner, depth + 1, rows, left);
            }
        }
        // The items of a list are mostly alike: the first stands for them.
        Value::Array(items) if depth < DEPTH_MAX => {
            if let Some(first) = items.first() {
                outline(&format!("{path}[]"), first, depth + 1, rows, left);
            }
        }
        _ => {}
    }
}

fn described(value: &Value) -> (String, String) {
    let short = |text: String| {
        let words = squash(&text);
        let mut shown: String = words.chars().take(EXAMPLE_CHARS).collect();
        if shown.len() < words.len() {
            shown.push('…');
        }
        shown
    };
    match value {
        Value::Null => ("null".to_owned(), String::new()),
        Value::Bool(is) => ("boolean".to_owned(), is.to_string()),
        Value::Number(number) => ("number".to_owned(), number.to_string()),
        Value::String(text) => ("string".to_owned(), short(text.clone())),
        Value::Array(items) => (format!("list of {}", items.len()), String::new()),
        Value::Object(members) => (format!("object of {}", members.len()), String::new()),
    }
}
