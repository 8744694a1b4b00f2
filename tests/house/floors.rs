//! The floors: a room imports only from floors below its own, so that drawn from imports the house is one downward spine.

use crate::source::{SourceFile, files};

/// The rooms from the ground up.
const FLOORS: [&[&str]; 9] = [
    &["domain"],
    &["telemetry", "config"],
    &["store", "providers", "cluster"],
    &["pipeline"],
    &["actors"],
    &["services"],
    &["http"],
    &["cli"],
    &["main"],
];

fn floor(room: &str) -> Option<usize> {
    FLOORS.iter().position(|rooms| rooms.contains(&room))
}

/// The rooms that a file names, each with the line: in `crate::room`, `crate::{room, …}`, and `super::room` at the root.
fn rooms_named(file: &SourceFile) -> Vec<(String, usize)> {
    let mut named = Vec::new();
    for start in ["crate::", "skillkiln::"] {
        for at in file.words(start.trim_end_matches(':')) {
            let Some(rest) = file.code[at..].strip_prefix(start) else {
                continue;
            };
            for room in heads(rest) {
                named.push((room, file.line(at)));
            }
        }
    }
    for at in file.words("super") {
        let mut rest = &file.code[at..];
        let mut up = 0;
        while let Some(after) = rest.strip_prefix("super::") {
            rest = after;
            up += 1;
        }
        if up >= file.depth() {
            let reached = heads(rest).into_iter().filter(|room| floor(room).is_some());
            named.extend(reached.map(|room| (room, file.line(at))));
        }
    }
    named
}

/// The first names of a path: one, or those of a group in braces.
fn heads(path: &str) -> Vec<String> {
    let name = |text: &str| -> String {
        let text = text.trim_start();
        text.chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
    let Some(group) = path.strip_prefix('{') else {
        return vec![name(path)];
    };
    let mut heads = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => {
                heads.push(name(&group[start..at]));
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                heads.push(name(&group[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    heads.retain(|head| !head.is_empty());
    heads
}

#[test]
fn a_room_imports_only_from_floors_below_its_own() {
    let mut faults = Vec::new();
    for file in files("src").iter().filter(|file| file.path != "src/lib.rs") {
        let own = floor(file.room())
            .unwrap_or_else(|| panic!("{} belongs to no room of the house", file.path));
        for (room, line) in rooms_named(file) {
            if room == file.room() {
                continue;
            }
            match floor(&room) {
                Some(other) if other < own => {}
                Some(_) => faults.push(format!("{} line {line} looks up at {room}", file.path)),
                None => faults.push(format!("{} line {line} names {room}, no room", file.path)),
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_start_knows_only_the_command_line() {
    let main = files("src")
        .into_iter()
        .find(|file| file.path == "src/main.rs")
        .expect("there is a start");
    let start = "skillkiln::";
    let named: Vec<&str> = main
        .words("skillkiln")
        .filter_map(|at| main.code[at..].strip_prefix(start))
        .collect();
    assert!(!named.is_empty());
    for path in named {
        let line = path.lines().next().unwrap_or_default();
        assert!(path.starts_with("cli::"), "the start knows {line}");
    }
}

#[test]
fn every_room_is_on_the_first_page() {
    let pages = files("src");
    let first = pages
        .iter()
        .find(|file| file.path == "src/lib.rs")
        .expect("there is a first page");
    for room in pages
        .iter()
        .map(SourceFile::room)
        .filter(|room| !["lib", "main"].contains(room))
    {
        assert!(
            first.code.contains(&format!("pub mod {room};")),
            "{room} is not on the first page"
        );
    }
}

#[test]
fn an_import_is_read_in_every_spelling() {
    let read = |path: &str, code: &str| {
        let file = SourceFile {
            path: path.into(),
            text: String::new(),
            code: code.into(),
        };
        rooms_named(&file)
            .into_iter()
            .map(|(room, _)| room)
            .collect::<Vec<_>>()
    };
    assert_eq!(read("src/a/b.rs", "use crate::store::model;"), ["store"]);
    assert_eq!(
        read(
            "src/a/b.rs",
            "use crate::{domain::{id::X, key}, http,\n store::S};"
        ),
        ["domain", "http", "store"]
    );
    assert_eq!(read("src/a/b.rs", "fn f() -> crate::http::E {}"), ["http"]);
    assert_eq!(read("src/a/b.rs", "super::super::http::E"), ["http"]);
    assert_eq!(read("src/a/mod.rs", "super::http::E"), ["http"]);
    assert!(read("src/a/b.rs", "super::http::E; my_crate::http").is_empty());
    assert_eq!(read("src/main.rs", "skillkiln::cli::main()"), ["cli"]);
}
