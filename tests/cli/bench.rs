//! `skillkiln bench` with tiny loads: every target and every kind of load, and what is refused.

use crate::program::{Desk, Ended};
use crate::serve::Service;
use serde_json::Value;
use std::process::Stdio;

fn stages(figures: &Value) -> Vec<&str> {
    let stages = figures["stages"].as_array().expect("stages");
    stages
        .iter()
        .filter_map(|part| part["stage"].as_str())
        .collect()
}

fn books_hold(figures: &Value, made: u64) {
    let books = &figures["books"];
    assert_eq!(
        (
            &books["made"],
            &books["earned"],
            &books["lost"],
            &books["doubled"]
        ),
        (&made.into(), &made.into(), &0.into(), &0.into()),
        "{figures}"
    );
}

#[test]
fn the_engine_is_loaded_and_says_how_long_every_part_takes() {
    let desk = Desk::new();
    let figures = desk.json(&[
        "bench",
        "--generations",
        "6",
        "--concurrency",
        "2",
        "--warm-up",
        "2",
        "--json",
    ]);
    assert_eq!(
        (
            &figures["target"],
            &figures["generations"],
            &figures["failed"]
        ),
        (&"engine".into(), &6.into(), &0.into())
    );
    assert_eq!(
        stages(&figures),
        [
            "charging",
            "waiting",
            "extracting",
            "synthesizing",
            "validating",
            "generation"
        ]
    );
    for part in figures["stages"].as_array().expect("stages") {
        assert_eq!(part["count"], 6, "{part}");
    }
    for figure in [
        "charges_per_second",
        "words_per_second",
        "bytes_per_second",
        "peak_memory_bytes",
        "processor_s",
    ] {
        assert!(
            figures[figure].as_f64() > Some(0.0),
            "{figure} in {figures}"
        );
    }
    books_hold(&figures, 8);
    assert!(
        !desk.path().join("data").exists(),
        "it has a database of its own"
    );
}

#[test]
fn the_stages_alone_are_measured_in_the_same_way() {
    let desk = Desk::new();
    std::fs::write(
        desk.path().join("a.md"),
        "# Kiln\n\nFire it slowly, for a whole night.\n",
    )
    .expect("written");
    let page = desk.done(&[
        "bench",
        "--target",
        "pipeline",
        "--source",
        "a.md",
        "--generations",
        "3",
        "--concurrency",
        "1",
        "--warm-up",
        "0",
    ]);
    assert!(
        page.starts_with("the stages alone; 1 at once; a.md;"),
        "{page}"
    );
    assert!(
        page.contains("\n3 generations in ") && page.contains("p99.9 ms"),
        "{page}"
    );
    assert!(!page.contains("charging"), "{page}");
}

#[test]
fn the_service_is_loaded_over_http() {
    let desk = Desk::new();
    let figures = desk.json(&[
        "bench",
        "--target",
        "http",
        "--generations",
        "4",
        "--warm-up",
        "0",
        "--json",
    ]);
    assert_eq!(
        (&figures["generations"], &figures["failed"]),
        (&4.into(), &0.into())
    );
    assert_eq!(
        stages(&figures),
        ["extracting", "synthesizing", "validating", "generation"]
    );
    assert_eq!(figures["stages"][0]["is_approximate"], true);
    books_hold(&figures, 4);
}

#[test]
fn a_service_that_runs_is_loaded_with_its_keys() {
    let desk = Desk::new();
    let service = Service::start(&desk);
    desk.done(&["user", "add", "ann@example.org", "--credits", "5"]);
    let key = desk.done(&["key", "add", "ann@example.org", "--name", "bench"]);
    std::fs::write(desk.path().join("keys"), key).expect("written");
    let url = format!("http://{}", service.public);
    let load = [
        "bench",
        "--target",
        "http",
        "--url",
        &url,
        "--key-file",
        "keys",
        "--warm-up",
        "0",
        "--json",
    ];
    let figures = desk.json(&[&load[..], &["--generations", "2"]].concat());
    assert_eq!(
        (&figures["generations"], &figures["peak_memory_bytes"]),
        (&2.into(), &Value::Null)
    );
    books_hold(&figures, 2);
    // Three credits are left: what comes beyond is counted by its cause, and the command says so.
    let ended = desk.run(&[&load[..], &["--generations", "4"]].concat());
    assert_eq!(ended.code, 1, "{}", ended.err);
    let figures: Value = serde_json::from_str(&ended.out).expect("JSON");
    assert_eq!(
        (
            &figures["generations"],
            &figures["failures"]["insufficient_credits"]
        ),
        (&3.into(), &1.into()),
        "{figures}"
    );
    assert!(ended.err.contains("not enough credits"), "{}", ended.err);
}

#[test]
fn a_benchmark_that_is_told_to_stop_takes_its_folder_away() {
    for signal in ["-TERM", "-INT"] {
        let desk = Desk::new();
        let within = desk.path().join("within");
        std::fs::create_dir(&within).expect("made");
        let made = || std::fs::read_dir(&within).expect("a folder").count();
        let load = ["bench", "--dir", "within", "--generations", "1000000"];
        let mut bench = desk
            .command(&load)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        while made() == 0 && bench.try_wait().expect("known").is_none() {
            std::thread::yield_now();
        }
        let told = std::process::Command::new("kill")
            .args([signal, &bench.id().to_string()])
            .status();
        assert!(told.expect("there is kill").success());
        let ended = Ended::from(bench.wait_with_output().expect("it ends"));
        assert_eq!(ended.code, 1, "{}", ended.err);
        assert!(ended.err.contains("interrupted"), "{}", ended.err);
        assert_eq!(made(), 0, "{signal}");
    }
}

#[test]
fn an_open_loop_begins_at_its_rate() {
    let desk = Desk::new();
    for extra in [&[][..], &["--poisson"]] {
        let load = [
            "bench",
            "--rate",
            "40",
            "--duration",
            "0.25",
            "--warm-up",
            "0",
            "--json",
        ];
        let figures = desk.json(&[&load[..], extra].concat());
        assert_eq!(
            (&figures["rate"], &figures["failed"]),
            (&40.0.into(), &0.into())
        );
        assert!(figures["generations"].as_u64() > Some(2), "{figures}");
        assert!(figures["begun_late_ms_max"].as_f64().is_some());
    }
}

#[test]
fn a_saved_run_is_compared_with() {
    let desk = Desk::new();
    let load = [
        "bench",
        "--target",
        "pipeline",
        "--generations",
        "4",
        "--warm-up",
        "0",
        "--repeat",
        "3",
    ];
    desk.done(&[&load[..], &["--save", "before.json"]].concat());
    let page = desk.done(&[&load[..], &["--compare", "before.json"]].concat());
    assert!(
        page.contains("3 repetitions") && page.contains("generation p99 ms"),
        "{page}"
    );
    let other = [
        "bench",
        "--target",
        "pipeline",
        "--generations",
        "4",
        "--concurrency",
        "1",
        "--compare",
        "before.json",
        "--json",
    ];
    let compared = desk.json(&other);
    assert_eq!(
        compared["comparison"]["differences"][0],
        "concurrency: 2 before, 1 now"
    );
    assert_eq!(compared["comparison"]["lines"][0]["verdict"], "unknown");
    assert_eq!(desk.run(&["bench", "--compare", "none.json"]).code, 1);
}

#[test]
fn the_knee_is_looked_for_and_every_rate_is_shown() {
    let desk = Desk::new();
    let load = [
        "bench",
        "--knee",
        "--target",
        "pipeline",
        "--duration",
        "0.02",
        "--size-bytes",
        "300",
        "--warm-up",
        "0",
    ];
    let page = desk.done(&load);
    assert!(
        page.contains("rate") && page.contains("with 99 of 100 within"),
        "{page}"
    );
    // Nothing ends within a microsecond.
    let found = desk.json(&[&load[..], &["--p99-ms", "0.001", "--json"]].concat());
    assert_eq!(
        (&found["knee_per_second"], &found["p99_ms_max"]),
        (&Value::Null, &0.001.into())
    );
    let tried = found["tried"].as_array().expect("rates");
    assert!(
        !tried.is_empty() && tried.iter().all(|tried| tried["held"] == false),
        "{found}"
    );
}

#[test]
fn a_database_with_accounts_of_people_is_refused() {
    let desk = Desk::new();
    desk.done(&["user", "add", "ann@example.org"]);
    let url = format!("sqlite://{}/data/skillkiln.db", desk.path().display());
    let ended = desk.run(&["bench", "--generations", "1", "--database", &url]);
    assert_eq!(ended.code, 2, "{}", ended.err);
    assert!(
        ended
            .err
            .contains("1 accounts that are not the benchmark's"),
        "{}",
        ended.err
    );
}

#[test]
fn what_makes_no_sense_is_refused_with_what_to_do() {
    let desk = Desk::new();
    for (arguments, words) in [
        (
            &["--rate", "5", "--concurrency", "3"][..],
            "cannot be used with",
        ),
        (&["--duration", "3"], "--duration goes with --rate"),
        (
            &["--target", "pipeline", "--database", "sqlite://x"],
            "take --target engine",
        ),
        (
            &["--url", "http://127.0.0.1:1", "--key-file", "k"],
            "--target http",
        ),
        (&["--size-bytes", "3"], "--size-bytes"),
    ] {
        let ended = desk.run(&[&["bench"], arguments].concat());
        assert_eq!(ended.code, 2, "{arguments:?}: {}", ended.err);
        assert!(ended.err.contains(words), "{words} in {}", ended.err);
    }
}
