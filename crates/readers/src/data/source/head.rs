//! Takes out of the comments at the start of a file of source code what they say of it, and leaves there what they say of rights.

use super::comments::{Closing, Run, is_prose, run_at};
use super::extent::Extents;
use super::legal;
use super::symbols;
use crate::markup::lines::Line;

/// What the comments say that stand before all code.
#[derive(Default)]
pub(crate) struct Head {
    pub(crate) told: Vec<Told>,
    /// The line behind the last of these comments.
    pub(crate) end: usize,
}

/// What a comment says of the file that it stands in.
pub(crate) struct Told {
    pub(crate) run: Run,
    /// How much of the comment is shown as code too.
    pub(crate) left: Left,
}

/// What is left of a comment beside what is told of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    /// Nothing: it says nothing else.
    Nothing,
    /// Its lines on rights, on authors and for tools, where each line is a comment of its own.
    Lines,
    /// All of it, for code.
    All,
}

impl Told {
    /// The lines of the comment that are not told and say something.
    pub(crate) fn rest<'a>(&self, lines: &[Line<'a>]) -> Vec<Line<'a>> {
        let own = lines.get(self.run.lines.clone()).unwrap_or_default();
        let is_told = |line: &Line<'_>| {
            let mut words = self.run.words.iter().filter(|(_, words)| !words.is_empty());
            words.any(|(start, _)| (line.start..=line.start + line.text.len()).contains(start))
        };
        let says = |line: &&Line<'_>| line.text.contains(char::is_alphanumeric) && !is_told(line);
        own.iter().filter(says).copied().collect()
    }
}

/// Whether each line of a comment is one of its own.
fn is_in_lines(lines: &[Line<'_>]) -> bool {
    let mark = lines.first().map(|line| line.words());
    let mark = mark.and_then(|words| {
        ["//", "#", ";", "--", "%"]
            .into_iter()
            .find(|mark| words.starts_with(mark))
    });
    mark.is_some_and(|mark| lines.iter().all(|line| line.words().starts_with(mark)))
}

/// What the comments say that stand before all code.
pub(crate) fn of(extents: &Extents<'_, '_>) -> Head {
    let lines = extents.lines;
    let closing = Closing::of(lines, extents.syntax);
    let mut head = Head::default();
    let mut at = 0;
    let mut has_code = false;
    while let Some(line) = lines.get(at) {
        if line.is_blank() {
            at += 1;
            continue;
        }
        let Some(mut run) = run_at(lines, at, extents.syntax, extents.language, &closing) else {
            let Some(length) = opening(lines.get(at..).unwrap_or_default()) else {
                break;
            };
            has_code = true;
            at += length;
            continue;
        };
        let end = run.lines.end;
        // What stands right above a declaration is about that.
        let below = lines.get(end).filter(|line| !line.is_blank());
        if below.is_some_and(|line| is_declared(line, extents.language)) {
            break;
        }
        // A short one above any code, or one behind what was told, is about that code.
        let is_short = run.lines.len() < 2 || !head.told.is_empty();
        if !run.is_marked && is_short && below.is_some_and(|line| !is_import(line.words())) {
            // One on rights may stand right above the comment that tells what the file is.
            let other = run_at(lines, end, extents.syntax, extents.language, &closing);
            let tells = run.words.iter().any(|(_, words)| !words.is_empty());
            if other.is_some() && tells && telling(run.words).is_empty() {
                at = end;
                continue;
            }
            break;
        }
        at = end;
        let is_marked = run.is_marked;
        let before = said(&run);
        run.words = telling(run.words);
        let own = lines.get(run.lines.clone()).unwrap_or_default();
        let left = match said(&run) {
            // What is only on rights is code of no function; behind what was told it stands with that, and not over the code.
            0 if head.told.is_empty() => continue,
            0 => {
                head.end = end;
                continue;
            }
            told if told < before && is_in_lines(own) => Left::Lines,
            told if told == before && (is_marked || !has_code) => Left::Nothing,
            _ => Left::All,
        };
        has_code |= left == Left::All;
        if is_marked || is_prose(&run.words) {
            head.told.push(Told { run, left });
            head.end = end;
        } else {
            has_code = true;
        }
    }
    head
}

/// Lines of a comment with words.
fn said(run: &Run) -> usize {
    run.words
        .iter()
        .filter(|(_, line)| !line.is_empty())
        .count()
}

/// How many lines from the start may stand above the comment that tells what a file is.
fn opening(lines: &[Line<'_>]) -> Option<usize> {
    let words = lines.first()?.words();
    if words.starts_with("#![") {
        let end = lines.iter().position(|line| {
            let code = line.text.split(" //").next().unwrap_or("");
            code.trim_end().ends_with(']')
        })?;
        return Some(end + 1);
    }
    is_opening(words).then_some(1)
}

fn is_opening(words: &str) -> bool {
    words.starts_with("#!")
        || words.starts_with("<?php")
        || words.starts_with("#pragma once")
        || words.starts_with("#ifndef ")
        || words.starts_with("@echo")
        || words.trim_end_matches(';').trim_matches(['"', '\'']) == "use strict"
}

/// Whether a line takes in what other files hold, as those at the start do.
fn is_import(words: &str) -> bool {
    [
        "#include", "import ", "from ", "use ", "using ", "require", "package ", "module ",
        "(require", "library(", "source ", "set -", "open ",
    ]
    .iter()
    .any(|begin| words.starts_with(begin))
        || opening(&[Line {
            start: 0,
            text: words,
        }])
        .is_some()
}

fn is_declared(line: &Line<'_>, language: &str) -> bool {
    !line.text.starts_with([' ', '\t'])
        && !line.text.starts_with('#')
        && symbols::of_line(line.text, language).is_some()
}

/// The paragraphs of a comment that are about what the file is for.
fn telling(words: Vec<(usize, String)>) -> Vec<(usize, String)> {
    let mut out: Vec<(usize, String)> = Vec::new();
    let mut paragraph: Vec<(usize, String)> = Vec::new();
    let end = (0, String::new());
    // How far a line is set in that names who wrote something: those set in further below it name others.
    let mut signed: Option<usize> = None;
    for (start, line) in words.into_iter().chain([end]) {
        let set_in = line.len() - line.trim_start().len();
        let is_blank = line.trim().is_empty();
        if signed.is_some_and(|above| set_in > above) && !is_blank {
            continue;
        }
        signed = legal::is_byline(&line).then_some(set_in);
        if legal::is_note_to_tools(&line) || signed.is_some() {
            continue;
        }
        if !line.trim().is_empty() {
            paragraph.push((start, line));
            continue;
        }
        if !legal::is_legal(&paragraph) {
            out.append(&mut paragraph);
        }
        paragraph.clear();
        if out.last().is_some_and(|(_, line)| !line.is_empty()) {
            out.push((start, line));
        }
    }
    while out.last().is_some_and(|(_, line)| line.is_empty()) {
        out.pop();
    }
    out
}
