//! The pipeline alone: a hundred pages from bytes to checked skills, and what a word costs in short and in long texts.

use super::server::resident_in;
use super::surface::rounds;
use super::{Beside, Goal, Row, Scale, in_turns, processor_s};
use crate::documents;
use crate::support::reader;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const PAGE_BYTES: usize = 20 << 10;
/// What a hundred pages may take, in seconds of processor time, where the best-known Python tool takes so many.
const PROCESSOR_S_MAX: f64 = 0.3;
const PEER_S: f64 = 3.0;

/// HTML pages below a folder, the same ones each time.
fn below(folder: &Path, count: usize) -> Vec<PathBuf> {
    let mut pages = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "html")
            {
                pages.push(path);
            }
        }
    }
    pages.sort();
    // Spread over all there are, so that no one kind of page decides.
    let step = (pages.len() / count.max(1)).max(1);
    pages.into_iter().step_by(step).take(count).collect()
}

pub(super) fn hundred(scale: &Scale) -> Vec<Row> {
    let count = scale.of(100, 3);
    let made_up = tempfile::tempdir().expect("a folder");
    let (pages, kind) = match &scale.pages {
        Some(folder) => (below(folder, count), "real"),
        None => {
            let write = |number: usize| {
                let path = made_up.path().join(format!("{number}.html"));
                std::fs::write(&path, documents::html(PAGE_BYTES + number * 50)).expect("written");
                path
            };
            ((0..count).map(write).collect(), "made up")
        }
    };
    assert!(!pages.is_empty(), "there are no pages");
    let bytes: u64 = pages
        .iter()
        .filter_map(|page| Some(std::fs::metadata(page).ok()?.len()))
        .sum();
    let count = pages.len();
    let mut peak = 0.0;
    let ours = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skillkiln"));
        command.args(["bench", "--target", "pipeline", "--warm-up", "0", "--json"]);
        command.args(["--generations", &count.to_string()]);
        for page in &pages {
            command.arg("--source").arg(page);
        }
        let done = command.output().expect("the program starts");
        let figures: Value = serde_json::from_slice(&done.stdout).expect("JSON");
        let figure = |name: &str| figures.get(name).and_then(Value::as_f64).expect("a number");
        assert!(figure("failed") == 0.0, "{figures}");
        peak = figure("peak_memory_bytes") / 1e6;
        figure("processor_s")
    };
    let (processor, beside, goal) = match &scale.peer {
        None => (rounds(scale, ours), None, Goal::AtMost(PROCESSOR_S_MAX)),
        Some(command) => {
            let folder = gathered(&pages);
            let command = command.replace("{}", &folder.path().display().to_string());
            let turns = in_turns(scale.rounds(), ours, || processor_of(&command));
            let goal = Goal::RatioAtMost(PROCESSOR_S_MAX / PEER_S);
            (turns.one, turns.beside("what else reads them"), goal)
        }
    };
    let what = format!(
        "{count} {kind} HTML pages ({:.1} MB), whole pipeline",
        bytes as f64 / 1e6
    );
    vec![
        Row {
            what: format!("{what}, processor"),
            unit: "s",
            figure: processor,
            beside,
            goal,
        },
        Row {
            what: format!("{what}, peak memory"),
            unit: "MB",
            figure: peak,
            beside: None,
            goal: Goal::AtMost(60.0),
        },
    ]
}

/// The pages in one folder, with names that are their own.
fn gathered(pages: &[PathBuf]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (number, page) in pages.iter().enumerate() {
        let name = page.file_name().expect("a file").to_string_lossy();
        let copy = folder.path().join(format!("{number:03}_{name}"));
        std::fs::copy(page, copy).expect("it is copied");
    }
    folder
}

/// The processor time of a command of the shell and of what it starts, in seconds.
fn processor_of(command: &str) -> f64 {
    let script = format!("({command}) >/dev/null 2>&1 || exit 1; times");
    let done = Command::new("sh").args(["-c", &script]).output();
    let done = done.expect("there is a shell");
    assert!(done.status.success(), "it fails: {command}");
    // The second line is of those that were waited for: `0m1.25s 0m0.10s`, of the user and of the system.
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    let of_children = said.lines().nth(1).expect("a line of the children");
    let seconds = of_children.split_whitespace().map(|time| {
        let (minutes, seconds) = time.trim_end_matches('s').split_once('m')?;
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
    });
    seconds.sum::<Option<f64>>().expect("minutes and seconds")
}

fn resident_bytes() -> u64 {
    resident_in(&std::fs::read_to_string("/proc/self/status").expect("the system says so"))
}

pub(super) fn flat(scale: &Scale) -> Vec<Row> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let mut reader = runtime.block_on(async { reader() });
    // What a word costs is asked of the work itself, and of one process.
    reader.isolation.inside_bytes_max = usize::MAX;
    // A word of these texts is some six bytes.
    let text = |words: usize, seed: usize| crate::support::page(words * 6, seed);
    let each = |words: usize, times: usize| {
        let texts: Vec<String> = (0..times).map(|seed| text(words, seed)).collect();
        let counted: usize = texts
            .iter()
            .map(|text| text.split_whitespace().count())
            .sum();
        let begun = processor_s();
        for text in texts {
            runtime.block_on(crate::http::stages(&reader, text));
        }
        (processor_s() - begun) * 1e9 / counted as f64
    };
    let (long, short) = (scale.of(1_000_000, 2_000), 1_000);
    // What is allocated once is allocated before.
    each(short, 2);
    let before = resident_bytes();
    let turns = in_turns(
        scale.rounds(),
        || each(long, 1),
        || each(short, scale.of(300, 2)),
    );
    // Memory that was let go is given back a moment later.
    let mut after = resident_bytes();
    for _ in 0..scale.of(20, 0) {
        each(short, 20);
        after = after.min(resident_bytes());
    }
    // Flat is what costs neither more nor less: the dearer is judged beside the cheaper, whichever they are.
    let (dear, cheap) = match turns.ratio >= 1.0 {
        true => (format!("a text of {long} words"), "in texts of 1,000 words"),
        false => ("texts of 1,000 words".into(), "in a long text"),
    };
    let beside = Beside {
        what: cheap,
        figure: turns.one.min(turns.other),
        ratio: turns.ratio.max(1.0 / turns.ratio),
    };
    vec![
        Row {
            what: format!("processor time a word in {dear}"),
            unit: "ns",
            figure: turns.one.max(turns.other),
            beside: Some(beside),
            goal: Goal::RatioAtMost(1.3),
        },
        Row {
            what: "memory after the large runs".into(),
            unit: "MB",
            figure: after as f64 / 1e6,
            beside: Some(Beside {
                what: "before them",
                figure: before as f64 / 1e6,
                ratio: after as f64 / before as f64,
            }),
            goal: Goal::RatioAtMost(2.0),
        },
    ]
}
