//! What comes in from outside: only licences without copyleft, and only what is used.

use crate::source::{files, root};
use spdx::{Expression, ParseMode};
use std::process::Command;

/// What `deny.toml` lets in.
fn licences() -> toml::Table {
    let text = std::fs::read_to_string(root().join("deny.toml")).expect("deny.toml");
    let deny: toml::Table = text.parse().expect("TOML");
    deny["licenses"].as_table().expect("a section").clone()
}

/// Licences that ask for nothing but to be named.
fn allowed() -> Vec<String> {
    let licences = licences()["allow"].clone();
    licences.try_into().expect("names")
}

/// Packages that come in under a licence of their own.
fn excepted() -> Vec<(String, String)> {
    let exceptions = licences()["exceptions"].clone();
    let each = |exception: &toml::Value| {
        let name = exception["crate"].as_str().expect("a name").to_owned();
        let allow: [String; 1] = exception["allow"].clone().try_into().expect("one licence");
        (name, allow.concat())
    };
    exceptions
        .as_array()
        .expect("a list")
        .iter()
        .map(each)
        .collect()
}

fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(root())
        .output()
        .expect("the Rust tools are there when tests run");
    assert!(
        output.status.success(),
        "{program} failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("the Rust tools write UTF-8")
}

/// Name, version and licence of every package that is compiled for this machine.
fn packages() -> Vec<(String, Option<String>)> {
    let version = output("rustc", &["-vV"]);
    let host = version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .expect("rustc names its host");
    let text = output(
        env!("CARGO"),
        &[
            "metadata",
            "--format-version=1",
            "--locked",
            "--offline",
            "--filter-platform",
            host,
        ],
    );
    let metadata: serde_json::Value = serde_json::from_str(&text).expect("cargo writes JSON");
    metadata["packages"]
        .as_array()
        .expect("metadata lists packages")
        .iter()
        .map(|package| {
            let name = package["name"].as_str().unwrap_or_default();
            let version = package["version"].as_str().unwrap_or_default();
            let licence = package["license"].as_str().map(str::to_owned);
            (format!("{name} {version}"), licence)
        })
        .collect()
}

/// Whether a licence expression can be met by allowed licences alone.
fn is_allowed(allowed: &[String], expression: &str) -> bool {
    let Ok(expression) = Expression::parse_mode(expression, ParseMode::LAX) else {
        return false;
    };
    expression.evaluate(|requirement| {
        let known = requirement.license.id().map(|id| id.name);
        known.is_some_and(|name| allowed.iter().any(|allowed| allowed == name))
    })
}

#[test]
fn no_package_comes_with_a_copyleft_licence() {
    let packages = packages();
    assert!(packages.len() > 100, "the whole tree is looked at");
    let (allowed, excepted) = (allowed(), excepted());
    let refused: Vec<String> = packages
        .into_iter()
        .filter(|(package, licence)| {
            let name = package.split(' ').next().unwrap_or_default();
            let licence = licence.as_deref().unwrap_or_default();
            let is_excepted = excepted
                .iter()
                .any(|(package, of)| package == name && of == licence);
            !is_excepted && !is_allowed(&allowed, licence)
        })
        .map(|(package, licence)| format!("{package}: {licence:?}"))
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn licences_are_weighed_as_expressions() {
    let allowed = allowed();
    let is_allowed = |expression| is_allowed(&allowed, expression);
    assert!(is_allowed("MIT OR GPL-3.0-only"));
    assert!(is_allowed("MIT/Apache-2.0"));
    assert!(is_allowed("(MIT OR Apache-2.0) AND Unicode-3.0"));
    assert!(is_allowed("Apache-2.0 WITH LLVM-exception"));
    assert!(!is_allowed("MIT AND LGPL-2.1-or-later"));
    assert!(!is_allowed("MPL-2.0"));
    assert!(!is_allowed("GPL-2.0-only WITH Classpath-exception-2.0"));
    assert!(!is_allowed("whatever"));
}
/// The compiler itself tells which of the other dependencies are not used (see the head of `src/lib.rs`).
#[test]
fn every_dependency_of_the_tests_is_used() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("a manifest");
    let manifest: toml::Table = manifest.parse().expect("the manifest is TOML");
    let names = manifest["dev-dependencies"].as_table().expect("a section");
    let code: Vec<_> = ["src", "tests", "benches"]
        .into_iter()
        .flat_map(files)
        .collect();
    for name in names.keys() {
        let word = name.replace('-', "_");
        let used = code.iter().any(|file| file.words(&word).next().is_some());
        assert!(used, "nothing uses {name}");
    }
}
