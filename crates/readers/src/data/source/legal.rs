//! Tells what source code says of rights, versions and its authors from what it says of itself.

/// What the words of licences and of notices on rights contain.
const RIGHTS: [&str; 26] = [
    "copyright",
    "(c) ",
    "©",
    "license",
    "licence",
    "spdx-",
    "all rights reserved",
    "public domain",
    "warranty",
    "warranties",
    "permission is hereby granted",
    "permission to use",
    "redistribut",
    "free software",
    "neither the name",
    "this file is part of",
    "this file is not part of",
    "under the terms of",
    "in no event shall",
    "unless required by applicable law",
    "provided \"as is\"",
    "liable for",
    "disclaimer",
    "the original code is",
    "must not be misrepresented",
    "may not be removed or altered",
];

/// What lines begin with that name who wrote something, and when.
const BYLINES: [&str; 16] = [
    "author",
    "authors",
    "written by",
    "maintainer",
    "created",
    "created by",
    "created on",
    "modified",
    "last modified",
    "contributed by",
    "contributors",
    "version",
    "date",
    "revision",
    "file name",
    "filename",
];

/// Whether a line only speaks to a tool: the note of a version control system or the settings of an editor.
pub(crate) fn is_note_to_tools(line: &str) -> bool {
    let line = line.trim();
    let is_keyword = [
        "$Id",
        "$Revision",
        "$Date",
        "$Header",
        "$Author",
        "$Source",
        "$URL",
    ]
    .iter()
    .any(|keyword| line.contains(keyword) && line.ends_with('$'));
    // Emacs names the parts of a file so.
    let is_part = matches!(line, "Commentary:" | "Code:");
    is_keyword
        || is_part
        || line.starts_with("-*-")
        || [
            "vim:",
            "vi:",
            "ex:",
            "coding:",
            "eslint",
            "jshint",
            "pylint:",
            "shellcheck ",
            "clang-format",
            "NOLINT",
        ]
        .iter()
        .any(|tool| line.starts_with(tool))
}

/// Whether a paragraph, its lines with their places, is about rights.
pub(crate) fn is_legal(paragraph: &[(usize, String)]) -> bool {
    let said: Vec<String> = paragraph
        .iter()
        .map(|(_, line)| line.trim().to_lowercase())
        .filter(|line| !line.is_empty())
        .collect();
    // A licence breaks its lines anywhere.
    let whole = said.join(" ");
    RIGHTS.iter().any(|words| whole.contains(words))
        || said.first().is_some_and(|line| is_byline(line))
}

/// Whether a line names who wrote something, or when.
pub(crate) fn is_byline(line: &str) -> bool {
    let line = line.to_lowercase();
    let line = line.trim_start_matches(['@', '\\', '*', ' ', '-']);
    BYLINES.iter().any(|begin| {
        let Some(rest) = line.strip_prefix(begin) else {
            return false;
        };
        rest.trim_start().starts_with(':') || begin.ends_with(" by") || begin.ends_with(" on")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paragraph(text: &str) -> Vec<(usize, String)> {
        text.lines().map(|line| (0, line.to_owned())).collect()
    }

    #[test]
    fn rights_and_authors_are_told_from_what_code_does() {
        for (text, expected) in [
            ("Copyright 2024 A. Potter", true),
            (
                "This program is distributed in the hope that it will be useful,\nbut WITHOUT ANY WARRANTY",
                true,
            ),
            ("Fires a kiln and waits until it is cold.", false),
        ] {
            assert_eq!(is_legal(&paragraph(text)), expected, "{text}");
        }
        for (line, expected) in [
            ("Author  : A. Potter", true),
            ("Created : Tue 03 Jul", true),
            ("Written by A. Potter", true),
            ("Authors of glazes call this with a name.", false),
            ("Version 2 of the protocol is spoken.", false),
        ] {
            assert_eq!(is_byline(line), expected, "{line}");
        }
    }

    #[test]
    fn notes_to_tools_are_told() {
        for line in [
            "$Id: a.c,v 1.1 2015/01/24 a Exp $",
            "-*- mode: c -*-",
            "vim: set ts=4:",
            "Commentary:",
        ] {
            assert!(is_note_to_tools(line), "{line}");
        }
        assert!(!is_note_to_tools("Costs $5 at most."));
    }
}
