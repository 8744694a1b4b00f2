//! Reads files and writes what was read as Markdown or JSON: `cargo run -p skillkiln-readers --example read -- [--json] FILE`, or with
//! `--out FOLDER` every file below the given ones into `FOLDER/path.md`, for measures (`scripts/kept.py`).

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for the command line"
)]

use skillkiln_document::blocks::Document;
use skillkiln_document::failure::Failure;
use skillkiln_document::markdown::write;
use skillkiln_readers::limits::Reading;
use skillkiln_readers::readers::Task;
use skillkiln_readers::{file_type, finish, invisible, parts, pointers, readers};
use std::borrow::Cow;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Room for what is nested as deep as it may be.
const STACK_BYTES: usize = 64 << 20;

/// A slower reading is told of.
const SLOW_S: f64 = 2.0;

fn main() -> ExitCode {
    let worker = std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(run);
    worker
        .ok()
        .and_then(|worker| worker.join().ok())
        .unwrap_or(ExitCode::FAILURE)
}

fn run() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let json = take(&mut arguments, "--json");
    let out = arguments.iter().position(|word| word == "--out").map(|at| {
        arguments
            .drain(at..(at + 2).min(arguments.len()))
            .nth(1)
            .unwrap_or_default()
    });
    let mut code = ExitCode::SUCCESS;
    for root in arguments.iter().map(PathBuf::from) {
        for file in files(&root) {
            let start = Instant::now();
            let read = catch_unwind(|| read(&file));
            let seconds = start.elapsed().as_secs_f64();
            if seconds > SLOW_S {
                eprintln!("{}: {seconds:.1} s", file.display());
            }
            let shown = match read {
                Ok(Ok(document)) if json => {
                    serde_json::to_string_pretty(&document).unwrap_or_default()
                }
                Ok(Ok(document)) => write(&document.blocks),
                Ok(Err(failure)) => {
                    eprintln!("{}: {}", file.display(), failure.message);
                    code = ExitCode::FAILURE;
                    continue;
                }
                Err(_) => {
                    eprintln!("{}: PANIC", file.display());
                    code = ExitCode::FAILURE;
                    continue;
                }
            };
            let Some(out) = &out else {
                println!("{shown}");
                continue;
            };
            let relative = file.strip_prefix(&root).unwrap_or(&file);
            let target = PathBuf::from(out).join(format!("{}.md", relative.display()));
            let written = target
                .parent()
                .map_or(Ok(()), std::fs::create_dir_all)
                .and_then(|()| std::fs::write(&target, shown));
            if let Err(error) = written {
                eprintln!("{}: {error}", target.display());
                return ExitCode::FAILURE;
            }
        }
    }
    code
}

/// Takes `flag` out of the arguments, and says whether it was there.
fn take(arguments: &mut Vec<String>, flag: &str) -> bool {
    let before = arguments.len();
    arguments.retain(|word| word != flag);
    arguments.len() < before
}

/// Every file below `root`, which may be one itself.
fn files(root: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = match std::fs::read_dir(root) {
        Ok(entries) => entries
            .flatten()
            .flat_map(|entry| files(&entry.path()))
            .collect(),
        Err(_) => vec![root.to_owned()],
    };
    found.sort();
    found
}

/// A file as the service reads it.
fn read(path: &Path) -> Result<Document, Failure> {
    let bytes = std::fs::read(path).unwrap_or_default();
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let file_type = file_type::of_file(&name, &bytes)?;
    let task = Task {
        file_type,
        charset: None,
        address: None,
        filename: Some(name.clone()),
        limits: Reading::default(),
    };
    let mut document = parts::titled(&name, readers::read(&task, Cow::Owned(bytes))?);
    invisible::clear(&mut document.blocks);
    if let Some(failure) = pointers::refusal(&document.text) {
        return Err(failure);
    }
    finish::finish(&mut document);
    Ok(document)
}
