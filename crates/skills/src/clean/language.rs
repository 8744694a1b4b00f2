//! Owns the language of code that does not tell its own, by how it begins.

/// What the command lines of a shell begin with.
const SHELL: [&str; 34] = [
    "sudo ",
    "apt ",
    "apt-get ",
    "cd ",
    "git ",
    "npm ",
    "npx ",
    "pip ",
    "pip3 ",
    "curl ",
    "wget ",
    "docker ",
    "cargo ",
    "brew ",
    "mkdir ",
    "export ",
    "echo ",
    "ls ",
    "cp ",
    "mv ",
    "rm ",
    "make ",
    "yarn ",
    "go ",
    "python ",
    "python3 ",
    "kubectl ",
    "chmod ",
    "cat ",
    "systemctl ",
    "ssh ",
    "rustup ",
    "tar ",
    "source ",
];

/// The language of some code; `text` where its beginning tells nothing.
pub(super) fn guess(code: &str) -> &'static str {
    let first = code.lines().find(|line| !line.trim().is_empty());
    let first = first.unwrap_or_default().trim_start();
    let begins = |marks: &[&str]| marks.iter().any(|mark| first.starts_with(mark));
    if begins(&["#!/bin/", "#!/usr/bin/env bash"]) || begins(&SHELL) {
        "bash"
    } else if begins(&["$ ", "% "]) {
        "console"
    } else if begins(&[">>> "]) {
        "pycon"
    } else if begins(&["{", "["]) && code.trim_end().ends_with(['}', ']']) && code.contains("\":") {
        "json"
    } else if begins(&["<?xml"]) {
        "xml"
    } else if begins(&["<!DOCTYPE", "<html"]) {
        "html"
    } else {
        "text"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_of_code_is_told_by_how_it_begins() {
        for (code, language) in [
            ("\n  sudo kiln --fire\n", "bash"),
            ("$ kiln\n", "console"),
            (">>> import kiln\n", "pycon"),
            ("{\"heat\": 1200}\n", "json"),
            ("{ heat }\n", "text"),
            ("# include the wood\nheat: 1200\n", "text"),
        ] {
            assert_eq!(guess(code), language, "{code}");
        }
    }
}
