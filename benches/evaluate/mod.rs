//! Scores what the extract stage reads against what a careful person would have read:
//! `cargo bench --bench kiln -- evaluate FOLDER [--json]`.
//!
//! A folder holds documents and, beside each `name.ext`, its `name.ext.expected.md`. What another tool made of the same
//! document may lie there too, as `name.ext.TOOL.md`; it is scored by the same measure and shown as a row of its own.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for the command line"
)]

mod score;

use crate::support::reader;
use criterion::Criterion;
use score::{Content, Scores};
use serde_json::{Value, json};
use skillkiln::pipeline::extract::{Input, NamedBytes, Reader, extract};
use skillkiln_document::blocks::Document;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

const EXPECTED: &str = ".expected.md";
/// The name that our own rows stand under.
const OURS: &str = "skillkiln";

/// One document as one tool read it.
struct Row {
    document: String,
    tool: String,
    scores: Scores,
    pages: Option<u32>,
    bytes: usize,
    seconds: Option<f64>,
    failure: Option<String>,
}

/// The folder and whether JSON is wanted, when the command line asks for an evaluation.
pub(crate) fn asked() -> Option<(PathBuf, bool)> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let at = arguments.iter().position(|word| word == "evaluate")?;
    let folder = arguments.get(at + 1)?;
    let json = arguments.iter().any(|word| word == "--json");
    Some((PathBuf::from(folder), json))
}

/// Scores every document of `folder` and prints the table.
pub(crate) fn run(folder: &Path, json: bool) -> ExitCode {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let reader = reader();
    let mut rows = Vec::new();
    for (document, expected) in pairs(folder) {
        rows.extend(runtime.block_on(rows_of(&reader, &document, &expected)));
    }
    if rows.is_empty() {
        eprintln!(
            "no document in {} has an expected text beside it ({EXPECTED})",
            folder.display()
        );
        return ExitCode::FAILURE;
    }
    if json {
        println!("{:#}", as_json(&rows));
    } else {
        print(&rows);
    }
    ExitCode::SUCCESS
}

/// One small document scored, so that the evaluation itself is known to work.
pub(crate) fn bench(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let document = folder.path().join("kiln.html");
    let page = "<main><h1>Kiln</h1><p>Fire it slowly, and let it cool for a whole night before it is opened.</p>\
                <pre><code class=\"language-sh\">kiln --slow\n  # waits</code></pre></main>";
    std::fs::write(&document, page).expect("the folder is writable");
    let expected = folder.path().join("kiln.html.expected.md");
    let text = "# Kiln\n\nFire it slowly, and let it cool for a whole night before it is opened.\n\n\
                ```sh\nkiln --slow\n  # waits\n```\n";
    std::fs::write(&expected, text).expect("the folder is writable");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let reader = reader();
    criterion.bench_function("evaluate/sample", |bencher| {
        bencher.iter(|| {
            let rows = runtime.block_on(rows_of(&reader, &document, &expected));
            let row = rows.first().expect("one document");
            assert!(
                row.scores.grams > 0.99 && row.scores.code == Some(1.0),
                "{:?} {:?}",
                row.scores,
                row.failure
            );
            black_box(rows.len())
        });
    });
}

/// Documents with their expected texts, by name.
fn pairs(folder: &Path) -> Vec<(PathBuf, PathBuf)> {
    let mut pairs: Vec<(PathBuf, PathBuf)> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let expected = entry.path();
            let name = expected.file_name()?.to_str()?.strip_suffix(EXPECTED)?;
            let document = expected.with_file_name(name);
            document.is_file().then_some((document, expected))
        })
        .collect();
    pairs.sort();
    pairs
}

/// Our reading of `document` and that of every other tool beside it.
async fn rows_of(reader: &Reader, document: &Path, expected: &Path) -> Vec<Row> {
    let name = document
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let bytes = std::fs::read(document).expect("the document is readable");
    let paged = name.ends_with(".pdf");
    let expected = Content::of(&from_markdown(reader, expected).await, paged);
    let file = NamedBytes {
        filename: name.clone(),
        bytes: bytes.clone().into(),
    };
    let start = Instant::now();
    let read = extract(reader, Input::Files(vec![file])).await;
    let seconds = start.elapsed().as_secs_f64();
    let (read, failure) = match read {
        Ok(extracted) => (extracted.document, None),
        Err(failure) => (Document::default(), Some(failure.message)),
    };
    let mut pages = None;
    read.walk(&mut |block| pages = pages.max(block.span.page()));
    let row = |tool: &str, document: &Document| Row {
        document: name.clone(),
        tool: tool.to_owned(),
        scores: Scores::of(&expected, &Content::of(document, paged)),
        pages: None,
        bytes: bytes.len(),
        seconds: None,
        failure: None,
    };
    let mut rows = vec![Row {
        pages,
        seconds: Some(seconds),
        failure,
        ..row(OURS, &read)
    }];
    for (tool, path) in others(document, &name) {
        rows.push(row(&tool, &from_markdown(reader, &path).await));
    }
    rows
}

/// What other tools made of `document`.
fn others(document: &Path, name: &str) -> Vec<(String, PathBuf)> {
    let folder = document.parent().unwrap_or(Path::new("."));
    let mut found: Vec<(String, PathBuf)> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let other = entry.file_name().into_string().ok()?;
            let tool = other
                .strip_prefix(name)?
                .strip_prefix('.')?
                .strip_suffix(".md")?;
            (tool != "expected").then(|| (tool.to_owned(), entry.path()))
        })
        .collect();
    found.sort();
    found
}

async fn from_markdown(reader: &Reader, path: &Path) -> Document {
    let file = NamedBytes {
        filename: "text.md".to_owned(),
        bytes: std::fs::read(path).expect("the text is readable").into(),
    };
    extract(reader, Input::Files(vec![file]))
        .await
        .map(|extracted| extracted.document)
        .unwrap_or_default()
}

fn print(rows: &[Row]) {
    println!(
        "{:<28} {:<14} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>8} {:>7}",
        "document",
        "tool",
        "token",
        "4-gram",
        "code",
        "lang",
        "head",
        "extra",
        "rows",
        "pages/s",
        "MB/s"
    );
    for row in rows {
        let speed = |amount: Option<f64>| match (amount, row.seconds) {
            (Some(amount), Some(seconds)) => format!("{:.1}", amount / seconds.max(1e-6)),
            _ => "–".to_owned(),
        };
        println!(
            "{:<28} {:<14} {} {:>8} {:>7}",
            row.document.chars().take(28).collect::<String>(),
            row.tool,
            cells(&row.scores.cells()),
            speed(row.pages.map(f64::from)),
            speed(row.seconds.map(|_| row.bytes as f64 / 1e6)),
        );
        if let Some(failure) = &row.failure {
            println!("    {failure}");
        }
    }
    for (tool, medians) in medians(rows) {
        println!("{:<28} {:<14} {}", "median", tool, cells(&medians));
    }
}

fn cells(scores: &[Option<f64>]) -> String {
    let cells: Vec<String> = scores
        .iter()
        .map(|score| match score {
            Some(score) => format!("{score:>6.3}"),
            None => format!("{:>6}", "–"),
        })
        .collect();
    cells.join(" ")
}

/// The median of each figure over all documents, for each tool.
fn medians(rows: &[Row]) -> BTreeMap<String, Vec<Option<f64>>> {
    let mut all: BTreeMap<String, Vec<Vec<f64>>> = BTreeMap::new();
    for row in rows {
        let cells = row.scores.cells();
        let columns = all
            .entry(row.tool.clone())
            .or_insert_with(|| vec![Vec::new(); cells.len()]);
        for (column, cell) in columns.iter_mut().zip(cells) {
            column.extend(cell);
        }
    }
    all.into_iter()
        .map(|(tool, columns)| (tool, columns.into_iter().map(median).collect()))
        .collect()
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 {
        values.get(middle).copied()
    } else {
        Some((values.get(middle)? + values.get(middle.checked_sub(1)?)?) / 2.0)
    }
}

fn as_json(rows: &[Row]) -> Value {
    let named = |cells: &[Option<f64>]| -> Value {
        Scores::NAMES
            .iter()
            .zip(cells)
            .map(|(name, cell)| ((*name).to_owned(), json!(cell)))
            .collect::<serde_json::Map<String, Value>>()
            .into()
    };
    let documents: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!({
                "document": row.document,
                "tool": row.tool,
                "scores": named(&row.scores.cells()),
                "pages": row.pages,
                "size_bytes": row.bytes,
                "duration_s": row.seconds,
                "failure": row.failure,
            })
        })
        .collect();
    let medians: serde_json::Map<String, Value> = medians(rows)
        .into_iter()
        .map(|(tool, cells)| (tool, named(&cells)))
        .collect();
    json!({ "documents": documents, "medians": medians })
}
