//! The pipeline alone: a hundred pages from bytes to checked skills, and what a word costs in short and in long texts.

use super::server::resident_in;
use super::surface::rounds;
use super::{Goal, Row, Scale, in_turns};
use crate::documents;
use rustix::time::{ClockId, clock_gettime};
use serde_json::Value;
use skillkiln::config::Settings;
use skillkiln::domain::clock::Clock;
use skillkiln::services;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const PAGE_BYTES: usize = 20 << 10;

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
    let processor = rounds(scale, || {
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
    });
    let what = format!(
        "{count} {kind} HTML pages ({:.1} MB), whole pipeline",
        bytes as f64 / 1e6
    );
    vec![
        Row {
            what: format!("{what}, processor"),
            unit: "s",
            figure: processor,
            beside: None,
            goal: Goal::AtMost(0.3),
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

fn processor_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

fn resident_bytes() -> u64 {
    resident_in(&std::fs::read_to_string("/proc/self/status").expect("the system says so"))
}

pub(super) fn flat(scale: &Scale) -> Vec<Row> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let reader = runtime
        .block_on(async { services::reader(&Settings::default(), Clock::system()) })
        .expect("a reader");
    // A word of these texts is some six bytes.
    let text = |words: usize, seed: usize| crate::support::page(words * 6, seed);
    let each = |words: usize, times: usize| {
        let texts: Vec<String> = (0..times).map(|seed| text(words, seed)).collect();
        let counted: usize = texts
            .iter()
            .map(|text| text.split_whitespace().count())
            .sum();
        let begun = processor_time();
        for text in texts {
            runtime.block_on(crate::http::stages(&reader, text));
        }
        (processor_time() - begun).as_secs_f64() * 1e9 / counted as f64
    };
    let (long, short) = (scale.of(1_000_000, 2_000), 1_000);
    // What is allocated once is allocated before.
    each(short, 2);
    let before = resident_bytes();
    let (of_long, of_short) = in_turns(
        scale.rounds().min(3),
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
    let is_long_dearer = of_long >= of_short;
    let (dear, cheap) = match is_long_dearer {
        true => (format!("a text of {long} words"), "in texts of 1,000 words"),
        false => ("texts of 1,000 words".into(), "in a long text"),
    };
    vec![
        Row {
            what: format!("processor time a word in {dear}"),
            unit: "ns",
            figure: of_long.max(of_short),
            beside: Some((cheap, of_long.min(of_short))),
            goal: Goal::RatioAtMost(1.3),
        },
        Row {
            what: "memory after the large runs".into(),
            unit: "MB",
            figure: after as f64 / 1e6,
            beside: Some(("before them", before as f64 / 1e6)),
            goal: Goal::RatioAtMost(2.0),
        },
    ]
}
