//! What must not appear: each word that is kept out of a room keeps the room's promise.

use crate::source::{SourceFile, files};

/// Words, the places that alone may say them, and why.
const ONLY_IN: &[(&[&str], &[&str], &str)] = &[
    (
        &["actix", "actix_rt"],
        &["src/actors/", "src/services/engine"],
        "actors live on one floor",
    ),
    (
        &["actix_web", "actix_cors", "actix_multipart"],
        &["src/http/"],
        "HTTP is a door, not the house",
    ),
    (
        &[
            "diesel",
            "diesel_async",
            "diesel_migrations",
            "libsqlite3_sys",
        ],
        &["src/store/"],
        "two databases, one place that knows",
    ),
    (
        &["redis"],
        &["src/cluster/"],
        "what nodes share has one place",
    ),
    (
        &["reqwest"],
        &["src/providers/"],
        "every fetch passes the guard against private addresses",
    ),
    (
        &[
            "clap",
            "clap_complete",
            "indicatif",
            "ratatui",
            "hdrhistogram",
        ],
        &["src/cli/"],
        "the command line is a surface",
    ),
];

/// Paths of ours, and the rooms that must not see them although they lie below.
const NEVER_SEEN: &[(&str, &[&str])] = &[
    ("crate::store", &["pipeline", "http", "cli"]),
    ("crate::actors", &["http", "cli"]),
    ("crate::config", &["store", "pipeline", "actors"]),
];

/// What would make the domain do something, wait for something or know the settings' format.
const NOT_IN_DOMAIN: &[&str] = &[
    "tokio", "async", "await", "toml", "fs", "net", "process", "thread", "env",
];

/// What the crates of the ground never see: what waits, what calls outside, the frameworks, and each other but as listed.
const NOT_IN_CRATES: &[&str] = &[
    "tokio",
    "async",
    "await",
    "reqwest",
    "actix",
    "actix_web",
    "diesel",
    "clap",
    "skillkiln",
];

/// Which crates of ours each of them may build on.
const CRATES: &[(&str, &[&str])] = &[
    (
        "crates/author/",
        &["skillkiln_author", "skillkiln_document", "skillkiln_skills"],
    ),
    ("crates/document/", &[]),
    ("crates/readers/", &["skillkiln_document"]),
    (
        "crates/skills/",
        &["skillkiln_document", "skillkiln_skills"],
    ),
];

fn faults_of(
    files: &[SourceFile],
    word: &str,
    allowed: impl Fn(&SourceFile) -> bool,
) -> Vec<String> {
    files
        .iter()
        .filter(|file| !allowed(file))
        .flat_map(|file| {
            file.words(word)
                .map(|at| format!("{} line {} says {word}", file.path, file.line(at)))
                .collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn every_framework_stays_in_its_room() {
    let files = files("src");
    for (words, places, reason) in ONLY_IN {
        for word in *words {
            let faults = faults_of(&files, word, |file| {
                places.iter().any(|place| file.path.starts_with(place))
            });
            assert!(faults.is_empty(), "{reason}:\n{}", faults.join("\n"));
        }
    }
}

#[test]
fn rooms_do_not_see_what_they_need_not() {
    let files = files("src");
    for (path, rooms) in NEVER_SEEN {
        let faults = faults_of(&files, path, |file| !rooms.contains(&file.room()));
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}

#[test]
fn the_domain_does_nothing_and_waits_for_nothing() {
    let files = files("src/domain");
    assert!(!files.is_empty());
    for word in NOT_IN_DOMAIN {
        let faults = faults_of(&files, word, |_| false);
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}

#[test]
fn the_crates_wait_for_nothing_and_know_only_what_lies_below() {
    let all = files("crates");
    for word in NOT_IN_CRATES {
        let faults = faults_of(&all, word, |_| false);
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
    let own = [
        "skillkiln_author",
        "skillkiln_document",
        "skillkiln_readers",
        "skillkiln_skills",
    ];
    for file in &all {
        let (_, seen) = CRATES
            .iter()
            .find(|(folder, _)| file.path.starts_with(folder))
            .unwrap_or_else(|| panic!("{} belongs to no listed crate", file.path));
        // An example and a test are users of their crate.
        let is_user = ["/examples/", "/tests/"]
            .iter()
            .any(|folder| file.path.contains(folder));
        let is_unseen = |name: &&&str| !seen.contains(name) && !is_user;
        for name in own.iter().filter(is_unseen) {
            assert_eq!(file.words(name).next(), None, "{} sees {name}", file.path);
        }
    }
}

#[test]
fn nothing_is_exported_twice() {
    let faults: Vec<String> = ["src", "crates"]
        .into_iter()
        .flat_map(files)
        .flat_map(|file| {
            let lines = file.code.lines().enumerate();
            lines
                .filter(|(_, line)| {
                    // A macro has no path; `pub(super) use name;` is how it is given to its neighbours.
                    let line = line.trim_start();
                    line.starts_with("pub use ")
                        || line.starts_with("pub(")
                            && line.contains(") use ")
                            && line.contains("::")
                })
                .map(|(at, _)| format!("{} line {}", file.path, at + 1))
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(
        faults.is_empty(),
        "import by the real path: {}",
        faults.join("\n")
    );
}

#[test]
fn every_file_begins_by_saying_what_it_owns() {
    for folder in ["src", "crates", "tests", "benches"] {
        for file in files(folder) {
            let first = file.text.lines().next().unwrap_or_default();
            assert!(
                first.starts_with("//! "),
                "{} begins with {first:?}",
                file.path
            );
        }
    }
}

#[test]
fn no_test_sleeps() {
    for folder in ["src", "crates", "tests"] {
        for file in files(folder) {
            let tests = match file.code.find("#[cfg(test)]") {
                _ if folder == "tests" => 0,
                Some(at) => at,
                None => continue,
            };
            let sleeps = file.code[tests..].contains("thread::sleep(");
            assert!(!sleeps, "{} sleeps; turn a manual clock instead", file.path);
        }
    }
}
