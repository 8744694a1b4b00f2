//! No circles: inside a room and inside a crate, what a file imports never leads back to it, so that each can be read after those below it.

use crate::source::{SourceFile, files};
use std::collections::{BTreeMap, BTreeSet};

/// The circles that are still there, each by its files. Whoever breaks one takes it out; none comes in.
const KNOWN: &[&[&str]] = &[];

/// A module by its path from the root of its crate.
type Module = Vec<String>;

/// The crates of the repository, each by the folder of its sources.
fn crates() -> BTreeMap<String, Vec<SourceFile>> {
    let mut crates: BTreeMap<String, Vec<SourceFile>> = BTreeMap::new();
    for file in files("src").into_iter().chain(files("crates")) {
        if let Some((before, _)) = file.path.split_once("src/") {
            let root = format!("{before}src/");
            crates.entry(root).or_default().push(file);
        }
    }
    crates
}

/// The module that a file is.
fn module_of(root: &str, path: &str) -> Module {
    let inside = path.strip_prefix(root).expect("a file of the crate");
    let mut steps: Module = inside
        .trim_end_matches(".rs")
        .split('/')
        .map(str::to_owned)
        .collect();
    if steps.last().is_some_and(|last| last == "mod") || steps == ["lib"] {
        steps.pop();
    }
    steps
}

/// The code of a file without its tests.
fn without_tests(code: &str) -> &str {
    let tests = code.find("#[cfg(test)]\nmod ").filter(|at| {
        let rest = &code[*at..];
        rest.find('{').unwrap_or(usize::MAX) < rest.find(';').unwrap_or(usize::MAX)
    });
    &code[..tests.unwrap_or(code.len())]
}

/// The paths that begin at `text`, those of a group in braces each by itself.
fn paths(text: &str, before: &[String], out: &mut Vec<Vec<String>>) {
    let mut steps = before.to_vec();
    let mut rest = text.trim_start();
    loop {
        if let Some(group) = rest.strip_prefix('{') {
            for part in parts(group) {
                paths(part, &steps, out);
            }
            return;
        }
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        if end == 0 {
            break;
        }
        steps.push(rest[..end].to_owned());
        match rest[end..].strip_prefix("::") {
            Some(after) => rest = after.trim_start(),
            None => break,
        }
    }
    out.push(steps);
}

/// The parts of a group in braces, whose first brace is gone.
fn parts(group: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            ',' if depth == 0 => {
                parts.push(&group[start..at]);
                start = at + 1;
            }
            '}' if depth == 0 => {
                parts.push(&group[start..at]);
                break;
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    parts.retain(|part| !part.trim().is_empty());
    parts
}

/// The modules that a file names by `crate::`, `super::` and `self::`.
fn named(file: &SourceFile, own: &Module, known: &BTreeSet<Module>) -> BTreeSet<Module> {
    let code = without_tests(&file.code);
    let mut named = BTreeSet::new();
    for start in ["crate", "super", "self"] {
        for at in file.words(start).take_while(|at| *at < code.len()) {
            let is_inner = code[..at].ends_with("::") || code[..at].ends_with("(in ");
            if is_inner || !code[at + start.len()..].starts_with("::") {
                continue;
            }
            let mut found = Vec::new();
            paths(&code[at..], &[], &mut found);
            for path in found {
                let mut module = match start {
                    "crate" => Module::new(),
                    _ => own.clone(),
                };
                for step in path {
                    match step.as_str() {
                        "crate" | "self" => {}
                        "super" => {
                            module.pop();
                        }
                        _ => {
                            module.push(step);
                            if !known.contains(&module) {
                                module.pop();
                                break;
                            }
                        }
                    }
                }
                if module != *own && known.contains(&module) {
                    named.insert(module);
                }
            }
        }
    }
    named
}

/// The modules that a module leads to, over any number of others.
fn reached(from: &Module, edges: &BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<Module> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(module) = waiting.pop() {
        for next in edges.get(module).into_iter().flatten() {
            if reached.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    reached
}

/// The circles of a crate, each by the paths of its files.
fn circles(root: &str, files: &[SourceFile]) -> Vec<BTreeSet<String>> {
    let paths: BTreeMap<Module, String> = files
        .iter()
        .map(|file| (module_of(root, &file.path), file.path.clone()))
        .collect();
    let known: BTreeSet<Module> = paths.keys().cloned().collect();
    let edges: BTreeMap<Module, BTreeSet<Module>> = files
        .iter()
        .map(|file| {
            let own = module_of(root, &file.path);
            let named = named(file, &own, &known);
            (own, named)
        })
        .collect();
    let all: BTreeMap<&Module, BTreeSet<Module>> = edges
        .keys()
        .map(|from| (from, reached(from, &edges)))
        .collect();
    let mut circles: Vec<BTreeSet<String>> = Vec::new();
    for (from, to) in &all {
        if to.contains(*from) {
            let with = to.iter().filter(|other| all[other].contains(*from));
            let circle: BTreeSet<String> = with.map(|module| paths[module].clone()).collect();
            if !circles.contains(&circle) {
                circles.push(circle);
            }
        }
    }
    circles
}

#[test]
fn what_a_file_imports_never_leads_back_to_it() {
    let mut found: Vec<BTreeSet<String>> = Vec::new();
    for (root, files) in crates() {
        found.extend(circles(&root, &files));
    }
    let known: Vec<BTreeSet<String>> = KNOWN
        .iter()
        .map(|circle| circle.iter().map(|path| (*path).to_owned()).collect())
        .collect();
    let new: Vec<_> = found
        .iter()
        .filter(|circle| !known.iter().any(|known| circle.is_subset(known)))
        .collect();
    assert!(new.is_empty(), "new circles: {new:#?}");
    let is_gone = |known: &&BTreeSet<String>| !found.iter().any(|circle| circle.is_subset(known));
    let gone: Vec<_> = known.iter().filter(is_gone).collect();
    assert!(
        gone.is_empty(),
        "broken, to be taken from the list: {gone:#?}"
    );
}

#[test]
fn a_circle_is_found_in_every_spelling() {
    let file = |path: &str, code: &str| SourceFile {
        path: path.into(),
        text: String::new(),
        code: code.into(),
    };
    let found = |one: &str, other: &str| {
        let files = [
            file("src/a/b.rs", one),
            file("src/a/mod.rs", other),
            file("src/c.rs", ""),
        ];
        circles("src/", &files).len()
    };
    assert_eq!(found("use crate::a::X;", "use crate::a::b::Y;"), 1);
    assert_eq!(found("use super::X;", "use crate::{c, a::{b::Y}};"), 1);
    assert_eq!(found("fn f() -> super::X {}", "self::b::f()"), 1);
    assert_eq!(found("use crate::c;", "use crate::a::b::Y;"), 0);
    assert_eq!(found("pub(in crate::a) fn f() {}", "use self::b::f;"), 0);
    assert_eq!(
        found(
            "#[cfg(test)]\nmod tests { use crate::a::X; }",
            "use self::b::f;"
        ),
        0
    );
}
