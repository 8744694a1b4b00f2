//! Reads source code: what its authors wrote for readers as prose, each documented symbol under its name, and the code
//! to the letter. Of a long file only the signatures are shown, and what is left out is told.

mod comments;
mod docstrings;
mod extent;
mod head;
mod legal;
mod symbols;
mod syntax;
mod tags;

use crate::derived::Derived;
use crate::markup::lines::{self, Line};
use crate::markup::{markdown, pod, rest};
use crate::text;
use comments::{BODY_LINES_MIN, Closing, Comment, run_at};
use extent::Extents;
use head::{Head, Left};
use skillkiln_document::blocks::{Block, BlockKind, Document, Span};
use skillkiln_document::text::Inline;
use std::ops::Range;
use symbols::Symbol;
use syntax::Written;

/// A file up to this length is shown whole.
const WHOLE_BYTES_MAX: usize = 48 << 10;
/// Lines of a signature.
const SIGNATURE_LINES_MAX: usize = 12;
/// Lines at the start of a symbol's code, for those whose signature has no clear end.
const HEAD_LINES: usize = 1;
/// Lines of a file, and functions and types in it, from which on each of these has a heading.
const PARTED_LINES_MIN: usize = 120;
const PARTS_MIN: usize = 3;

/// Reads a file of code; `None` when nothing in it is written for readers, and it is too short to be parted.
pub(crate) fn read(text: &str, language: &str) -> Option<Document> {
    let syntax = syntax::of(language)?;
    let mut lines = lines::lines_of(text);
    let documentation = match language {
        "perl" => documentation(text, &mut lines),
        _ => None,
    };
    let named = match language {
        "elisp" => lines.first_mut().and_then(named),
        _ => None,
    };
    let extents = Extents::of(&lines, syntax, language);
    let mut writer = Writer::of(&extents, text.len() <= WHOLE_BYTES_MAX);
    let is_documented = documentation.is_some();
    let mut title = None;
    if let Some(document) = documentation {
        // The first heading names the program only where it says its name.
        title = document
            .title
            .filter(|title| !text.contains(&format!("=head1 {title}")));
        writer.blocks = document.blocks;
        writer.package();
    }
    if let Some((name, summary)) = named {
        title = Some(name);
        writer.blocks.push(summary);
    }
    let sections = sections(&extents, &mut writer);
    if !is_documented && writer.blocks.is_empty() && sections.is_empty() {
        return None;
    }
    writer.sections(&sections);
    writer.tell_what_is_left_out(text.len());
    Some(Document {
        title,
        text: text.to_owned(),
        blocks: writer.blocks,
        ..Document::default()
    })
}

/// What the first line of a package of Emacs calls it, and what it says of it: `;;; kiln.el --- Fires kilns  -*- lexical-binding: t -*-`.
/// The line is cut out.
fn named(line: &mut Line<'_>) -> Option<(String, Block)> {
    let words = line.text.strip_prefix(";;; ")?;
    let (name, summary) = words.split_once(".el --- ")?;
    let summary = summary.split("-*-").next().unwrap_or(summary).trim();
    if name.is_empty() || name.contains(' ') || summary.is_empty() {
        return None;
    }
    let told = vec![Inline::Text(summary.to_owned())];
    let summary = lines::paragraph(told, std::slice::from_ref(line));
    let name = name.to_owned();
    line.text = "";
    Some((name, summary))
}

/// What has a heading of its own, in its order; what is said of the file goes to `writer`.
fn sections(extents: &Extents<'_, '_>, writer: &mut Writer<'_, '_>) -> Vec<Comment> {
    let mut found = match extents.syntax.written {
        Written::Inside => docstrings::docstrings(extents),
        _ => Vec::new(),
    };
    let tells_itself = found.iter().any(|comment| comment.symbol.is_none());
    let head = match tells_itself {
        true => Head::default(),
        false => head::of(extents),
    };
    let from = writer.head(head);
    if extents.syntax.written != Written::Inside {
        found = comments::documented(extents, from);
    }
    let parts = parts(extents, &found, from);
    if parts.len() >= PARTS_MIN && extents.lines.len() >= PARTED_LINES_MIN {
        found.extend(parts);
        found.sort_by_key(Comment::begin);
    }
    found
}

/// The functions and types that nothing is said of.
fn parts(extents: &Extents<'_, '_>, found: &[Comment], from: usize) -> Vec<Comment> {
    let closing = Closing::of(extents.lines, extents.syntax);
    let mut told: Vec<usize> = found
        .iter()
        .filter_map(|comment| comment.symbol.as_ref())
        .map(|symbol| name_line(extents, symbol.line))
        .collect();
    told.sort_unstable();
    let mut parts = Vec::new();
    let mut at = from;
    while let Some(line) = extents.lines.get(at) {
        if let Some(run) = run_at(
            extents.lines,
            at,
            extents.syntax,
            extents.language,
            &closing,
        ) {
            at = run.lines.end;
            continue;
        }
        let name = symbols::of_line(line.text, extents.language)
            .filter(|_| !symbols::is_namespace(line.text, extents.language))
            .filter(|_| symbols::is_told_by_word(line.text) || is_defined(extents, at))
            .or_else(|| Some(symbols::implementation(line.text, extents.language)?.to_owned()));
        let end = name.as_ref().and_then(|_| extents.end(at));
        match (name, end) {
            (Some(name), Some(end)) if end >= at + BODY_LINES_MIN => {
                // What has documented parts is begun by these.
                let next = told.get(told.partition_point(|line| *line < at));
                if next.is_none_or(|line| *line >= end) {
                    parts.push(part(extents, at, name));
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    parts
}

/// The line on which the name of what begins on line `at` stands: in C what a function gives back may stand above it.
fn name_line(extents: &Extents<'_, '_>, at: usize) -> usize {
    let is_type = extents
        .lines
        .get(at)
        .is_some_and(|line| symbols::of_line(line.text, extents.language).is_none());
    at + usize::from(is_type)
}

/// Whether a line defines a function without a word that says so: it has a type before its name, and a body.
fn is_defined(extents: &Extents<'_, '_>, at: usize) -> bool {
    if extents.syntax.written != Written::Marked {
        return true;
    }
    let Some(line) = extents.lines.get(at) else {
        return false;
    };
    let words = line.words();
    let before = words.split('(').next().unwrap_or("").trim_end();
    let above = at.checked_sub(1).and_then(|above| extents.lines.get(above));
    let is_typed = before.contains([' ', '*'])
        || above.is_some_and(|above| symbols::is_type(above.words(), extents.language));
    is_typed && !words.ends_with(';') && !words.starts_with('#')
}

/// The part that begins on line `at`, with what stands right above it.
fn part(extents: &Extents<'_, '_>, at: usize, name: String) -> Comment {
    let above = extents.lines.get(..at).unwrap_or_default();
    let length = above
        .iter()
        .rev()
        .take_while(|line| {
            !line.is_blank()
                && !line.words().ends_with(['}', ';', '{'])
                && line.indent() == extents.lines.get(at).map_or(0, Line::indent)
        })
        .count();
    let begin = at - length;
    Comment {
        lines: begin..begin,
        words: Vec::new(),
        symbol: Some(Symbol {
            name,
            line: at,
            inner: false,
        }),
        above: true,
        from: begin,
        is_plain: false,
    }
}

/// The documentation in a program of Perl, whose lines are cut out of `lines`; `None` where there is none.
fn documentation(text: &str, lines: &mut [Line<'_>]) -> Option<Document> {
    let mut is_inside = false;
    let mut is_any = false;
    for line in lines.iter_mut() {
        let is_command = line
            .text
            .strip_prefix('=')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
        if is_command {
            is_inside = !line.text.starts_with("=cut");
            is_any = true;
        }
        let is_end = matches!(line.words(), "__END__" | "__DATA__");
        if is_inside || is_command || is_end && is_any {
            line.text = "";
        }
    }
    if !is_any {
        return None;
    }
    let document = pod::read(text.to_owned());
    (!document.blocks.is_empty()).then_some(document)
}

struct Writer<'x, 'a> {
    extents: &'x Extents<'x, 'a>,
    lines: &'x [Line<'a>],
    language: &'x str,
    whole: bool,
    /// The line from which on code was not shown yet.
    at: usize,
    /// The type whose parts the headings are of that come now.
    within: String,
    left_out: usize,
    blocks: Vec<Block>,
}

impl<'x, 'a> Writer<'x, 'a> {
    fn of(extents: &'x Extents<'x, 'a>, whole: bool) -> Self {
        Self {
            extents,
            lines: extents.lines,
            language: extents.language,
            whole,
            at: 0,
            within: String::new(),
            left_out: 0,
            blocks: Vec::new(),
        }
    }

    /// What is said of the file; gives the line from which on comments are about what stands below them.
    fn head(&mut self, head: Head) -> usize {
        let mut above = Vec::new();
        let mut is_taken = false;
        for told in head.told {
            let lines = told.run.lines.clone();
            is_taken = told.left != Left::All;
            if is_taken {
                let before = self.lines.get(self.at..lines.start).unwrap_or_default();
                let mut left = before.to_vec();
                if told.left == Left::Lines {
                    left.extend(told.rest(self.lines));
                }
                above.push(left);
                self.at = lines.end;
            }
            let comment = told.run.into_comment(None, self.extents);
            self.prose(&comment);
        }
        // What is said of rights behind it is none of the code below.
        if is_taken && self.at < head.end {
            above.push(
                self.lines
                    .get(self.at..head.end)
                    .unwrap_or_default()
                    .to_vec(),
            );
            self.at = head.end;
        }
        // What stands above it comes with the code below.
        for left in above {
            self.shown(&left);
        }
        head.end
    }

    /// The package that the code of Perl is of, as the heading of what is not documentation.
    fn package(&mut self) {
        let found = self
            .lines
            .iter()
            .find(|line| line.text.starts_with("package "));
        let name = found.and_then(|line| symbols::of_line(line.text, self.language));
        if let (Some(line), Some(name)) = (found, name) {
            self.heading(1, name, *line);
        }
    }

    fn heading(&mut self, level: u8, name: String, line: Line<'_>) {
        let text = vec![Inline::Code(name)];
        let kind = BlockKind::Heading { level, text };
        self.blocks.push(lines::block(kind, &[line]));
    }

    fn sections(&mut self, sections: &[Comment]) {
        for (number, comment) in sections.iter().enumerate() {
            let next = sections
                .get(number + 1)
                .map_or(self.lines.len(), Comment::begin);
            if comment.begin() < self.at {
                continue;
            }
            let above = self.at..comment.begin();
            // What a file says of itself comes first, and behind it what stands above that.
            if comment.symbol.is_none() && self.blocks.is_empty() {
                self.at = self.section(comment, next);
                self.other(above);
                continue;
            }
            self.between(above, comment);
            self.at = self.section(comment, next);
        }
        self.other(self.at..self.lines.len());
    }

    /// Code that stands before a section: the beginning of the type that this is a part of has a heading.
    fn between(&mut self, range: Range<usize>, comment: &Comment) {
        let is_inner = comment.symbol.as_ref().is_some_and(|symbol| symbol.inner);
        let begun = is_inner.then(|| self.begun(range.clone())).flatten();
        let Some((at, name)) = begun else {
            self.other(range);
            return;
        };
        self.other(range.start..at);
        if self.within != name
            && let Some(line) = self.lines.get(at)
        {
            self.heading(2, name.clone(), *line);
            self.within = name;
        }
        self.other(at..range.end);
    }

    /// The last type or implementation that begins in `range` and goes on behind it, and its name.
    fn begun(&self, range: Range<usize>) -> Option<(usize, String)> {
        let end = range.end;
        range.rev().find_map(|at| {
            let line = self.lines.get(at)?;
            let of = symbols::implementation(line.text, self.language);
            if of.is_none()
                && (!symbols::is_container(line.text)
                    || symbols::is_namespace(line.text, self.language))
            {
                return None;
            }
            let name = match of {
                // Its functions stand with the type itself.
                Some(of) => symbols::implemented(of)
                    .filter(|name| *name == self.within)
                    .unwrap_or(of)
                    .to_owned(),
                None => symbols::of_line(line.text, self.language)?,
            };
            (self.extents.end(at)? > end).then_some((at, name))
        })
    }

    fn tell_what_is_left_out(&mut self, end: usize) {
        if self.left_out == 0 {
            return;
        }
        let told = format!(
            "(Of this long file the signatures are shown; {} lines of other code are left out.)",
            self.left_out
        );
        let kind = BlockKind::Paragraph(vec![Inline::Text(told)]);
        self.blocks.push(Block {
            kind,
            span: Span::of(end..end),
        });
    }

    /// Code that no comment introduces.
    fn other(&mut self, range: Range<usize>) {
        let taken = self.lines.get(range).unwrap_or_default();
        self.shown(taken);
    }

    fn shown(&mut self, taken: &[Line<'_>]) {
        if lines::trimmed(taken).is_empty() {
            return;
        }
        if self.whole {
            self.code(taken);
        } else {
            self.left_out += lines::trimmed(taken).len();
        }
    }

    /// Code to the letter, its own indentation kept.
    fn code(&mut self, taken: &[Line<'_>]) {
        let taken = lines::trimmed(taken);
        if taken.is_empty() {
            return;
        }
        let kind = BlockKind::Code {
            language: Some(self.language.to_owned()),
            text: lines::joined(taken),
        };
        self.blocks.push(lines::block(kind, taken));
    }

    /// A comment with the symbol it is about, up to that one's end or the next one on line `next`; gives the line behind it.
    fn section(&mut self, comment: &Comment, next: usize) -> usize {
        let next = next.max(comment.end());
        let Some(symbol) = &comment.symbol else {
            self.prose(comment);
            return comment.end();
        };
        // What stands behind its end is none of it.
        let end = self.extents.end(symbol.line).unwrap_or(next);
        let end = end.clamp(comment.end(), next);
        let level = if symbol.inner { 3 } else { 2 };
        if let Some(line) = self.lines.get(symbol.line) {
            self.heading(level, symbol.name.clone(), *line);
        }
        if !symbol.inner {
            self.within.clone_from(&symbol.name);
        }
        if comment.above {
            self.prose(comment);
            let code = self.lines.get(comment.end()..end).unwrap_or_default();
            self.body(code, symbol.line.saturating_sub(comment.end()));
        } else {
            // A docstring stands inside: the signature, what it says, the rest.
            let signature = self
                .lines
                .get(comment.begin()..comment.lines.start)
                .unwrap_or_default();
            self.code(signature);
            self.prose(comment);
            self.other(comment.end()..end);
        }
        end
    }

    /// The code of a symbol whose line is `at` lines down.
    fn body(&mut self, code: &[Line<'_>], at: usize) {
        if self.whole {
            self.code(code);
            return;
        }
        let ends = code
            .iter()
            .enumerate()
            .skip(at)
            .take(SIGNATURE_LINES_MAX)
            .find(|(_, line)| {
                line.words().ends_with(['{', ';', '}'])
                    || line.words().ends_with("=>")
                    || line.is_blank()
            })
            .map_or(at + HEAD_LINES, |(at, _)| at + 1);
        let (signature, rest) = code.split_at(ends.min(code.len()));
        self.code(signature);
        self.left_out += lines::trimmed(rest).len();
    }

    /// What a comment says, as Markdown or reStructuredText, its spans in the source.
    fn prose(&mut self, comment: &Comment) {
        let mut derived = Derived::default();
        for (start, words) in &comment.words {
            derived.line("", *start, words);
        }
        let mut blocks = if self.language == "python" && rest::is_docstring(&derived.text) {
            rest::read_inner(&derived.text)
        } else if comment.is_plain && !derived.text.contains("```") {
            text::read_plain(derived.text.clone()).blocks
        } else {
            markdown::read(std::mem::take(&mut derived.text)).blocks
        };
        derived.put_back(&mut blocks);
        let inner = comment
            .symbol
            .as_ref()
            .map(|symbol| if symbol.inner { 3 } else { 2 });
        for block in &mut blocks {
            if let BlockKind::Heading { level, text } = &mut block.kind {
                match inner {
                    // A heading inside a comment stands below its symbol.
                    Some(_) => {
                        block.kind =
                            BlockKind::Paragraph(vec![Inline::Strong(std::mem::take(text))])
                    }
                    None => *level = (*level).min(6),
                }
            }
            // Examples without a language are in the language of the file.
            if let BlockKind::Code { language, .. } = &mut block.kind
                && self.language == "rust"
                && language.as_deref().is_none_or(|language| {
                    matches!(
                        language,
                        "no_run" | "should_panic" | "ignore" | "compile_fail" | "edition2021"
                    )
                })
            {
                *language = Some("rust".to_owned());
            }
        }
        self.blocks.extend(blocks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::markdown::write;

    fn written(text: &str, language: &str) -> String {
        let document = read(text, language).unwrap();
        for block in &document.blocks {
            assert!(document.text.get(block.span.bytes.clone()).is_some());
        }
        write(&document.blocks)
    }

    #[test]
    fn rust_keeps_its_documents_and_its_code() {
        let text = "//! Kilns.\n//!\n//! Hot.\n\nuse std::fmt;\n\n/// Fires *once*.\n///\n/// ```\n/// fire(1);\n/// ```\n#[must_use]\npub fn fire(n: u8) -> u8 {\n    // inner\n    n\n}\n\npub struct Kiln {\n    /// How hot.\n    pub heat: u8,\n}\n";
        assert_eq!(
            written(text, "rust"),
            "Kilns.\n\nHot.\n\n```rust\nuse std::fmt;\n```\n\n## `fire`\n\nFires *once*.\n\n```rust\nfire(1);\n```\n\n```rust\n#[must_use]\npub fn fire(n: u8) -> u8 {\n    // inner\n    n\n}\n```\n\n```rust\npub struct Kiln {\n    /// How hot.\n    pub heat: u8,\n}\n```\n"
        );
    }

    #[test]
    fn rights_behind_what_a_file_says_of_itself_stand_over_no_code_and_its_lines_may_have_marks_of_two_kinds()
     {
        assert_eq!(
            written(
                "/**\n * Fires kilns with wood and waits until all of them are cold again.\n */\n\n/*\n * Copyright 2020 Ada Lee\n */\n\nconst kiln = 1;\n",
                "javascript"
            ),
            "Fires kilns with wood and waits until all of them are cold again.\n\n```javascript\n/*\n * Copyright 2020 Ada Lee\n */\n```\n\n```javascript\nconst kiln = 1;\n```\n"
        );
        assert_eq!(
            written(
                "// Copyright 2020 Ada Lee\n///\n/// Fires kilns with wood and waits until all of them are cold again.\n///\n\nusing Kiln;\n\nclass Fire {\n  void Go() { Kiln.Fire(); }\n}\n",
                "csharp"
            ),
            "Fires kilns with wood and waits until all of them are cold again.\n\n```csharp\n// Copyright 2020 Ada Lee\n```\n\n```csharp\nusing Kiln;\n\nclass Fire {\n  void Go() { Kiln.Fire(); }\n}\n```\n"
        );
    }

    #[test]
    fn python_shows_signatures_then_docstrings_then_bodies() {
        let text = "\"\"\"Kilns.\n\nHot.\n\"\"\"\nimport os\n\n@cached\ndef fire(n,\n         m=1):\n    \"\"\"Fire it.\n\n    :param n: How often.\n    \"\"\"\n    return n\n";
        assert_eq!(
            written(text, "python"),
            "Kilns.\n\nHot.\n\n```python\nimport os\n```\n\n## `fire`\n\n```python\n@cached\ndef fire(n,\n         m=1):\n```\n\nFire it.\n\n- `n`: How often.\n\n```python\n    return n\n```\n"
        );
    }

    #[test]
    fn comments_of_other_languages_are_prose_as_well() {
        let markdown = written(
            "/**\n * Adds.\n *\n * @param a The first\n * @returns the sum\n */\nexport function add(a, b) {\n  return a + b;\n}\n",
            "javascript",
        );
        assert!(markdown.starts_with("## `add`\n\nAdds.\n\n- `a`: The first\n- Returns: the sum\n\n```javascript\nexport function add(a, b) {"), "{markdown}");
        let markdown = written(
            "// Package kiln fires.\npackage kiln\n\n// Fire fires n times.\nfunc (k *Kiln) Fire(n int) error {\n\treturn nil\n}\n",
            "go",
        );
        assert!(
            markdown.contains("## `Fire`\n\nFire fires n times.\n\n```go\nfunc (k *Kiln)"),
            "{markdown}"
        );
        assert!(markdown.starts_with("Package kiln fires."), "{markdown}");
    }

    #[test]
    fn a_long_file_shows_signatures_and_tells_what_is_left_out() {
        let text = format!(
            "/// Fires.\npub fn fire(\n    n: u8,\n) {{\n{}}}\n",
            "    go();\n".repeat(9_000)
        );
        let markdown = written(&text, "rust");
        assert!(
            markdown.starts_with(
                "## `fire`\n\nFires.\n\n```rust\npub fn fire(\n    n: u8,\n) {\n```\n"
            ),
            "{markdown}"
        );
        assert!(
            markdown.contains("9001 lines of other code are left out"),
            "{markdown}"
        );
    }

    #[test]
    fn what_the_first_comment_says_of_a_file_is_told_and_its_licence_is_not() {
        let text = "#!/bin/sh\n# Copyright 2024 A. Potter\n# License: MIT\n#\n# Fires every kiln of a pottery.\n\nfire all\n";
        let markdown = written(text, "bash");
        assert_eq!(
            markdown,
            "Fires every kiln of a pottery.\n\n```bash\n#!/bin/sh\n# Copyright 2024 A. Potter\n# License: MIT\n```\n\n```bash\nfire all\n```\n"
        );
        let text = "/*\n * Fires every kiln of a pottery.\n */\n#include <kiln.h>\n";
        assert_eq!(
            written(text, "c"),
            "Fires every kiln of a pottery.\n\n```c\n#include <kiln.h>\n```\n"
        );
        for (text, language) in [
            (
                "// Copyright 2024 A. Potter. All rights reserved.\nuse std::fmt;\n",
                "rust",
            ),
            ("# n = 1\n# fire(n);\nfire(2)\n", "ruby"),
            ("# How hot a kiln is.\nheat=900\n", "bash"),
            ("fire all\n", "bash"),
        ] {
            assert!(read(text, language).is_none(), "{text}");
        }
    }

    #[test]
    fn whoever_else_wrote_a_file_is_named_in_a_line_set_in_below() {
        let text = ";;; kiln.el --- Fires kilns\n\n;; Author: A. Potter\n;;    B. Clay <b@clay.example>\n;; Keywords: fire\n\n;; This package fires kilns, and cools them.\n\n(defun kiln () t)\n";
        assert_eq!(read(text, "elisp").unwrap().title.as_deref(), Some("kiln"));
        let markdown = written(text, "elisp");
        assert!(markdown.starts_with("Fires kilns\n\n"), "{markdown}");
        assert!(!markdown.contains("kiln.el"), "{markdown}");
        let told = markdown.split("```").next().unwrap();
        assert!(!told.contains("Clay") && told.contains("fire"), "{told}");
    }

    #[test]
    fn a_line_for_the_system_stands_behind_what_a_file_says_of_itself() {
        assert_eq!(
            written(
                "#!/usr/bin/env python\n\"\"\"Fires kilns.\"\"\"\nimport os\n",
                "python"
            ),
            "Fires kilns.\n\n```python\n#!/usr/bin/env python\n```\n\n```python\nimport os\n```\n"
        );
    }

    #[test]
    fn a_plain_comment_above_a_function_is_about_it() {
        for (text, language, begins) in [
            (
                "#include <a.h>\n\n/* Fires a kiln once. */\nstatic void\nfire(int n)\n{\n  go(n);\n}\n",
                "c",
                "```c\n#include <a.h>\n```\n\n## `fire`\n\nFires a kiln once.\n\n```c\nstatic void\nfire(int n)\n",
            ),
            (
                "x=1\n\n# Fires a kiln once.\nfire() {\n  go\n}\n\nfire\n",
                "bash",
                "```bash\nx=1\n```\n\n## `fire`\n\nFires a kiln once.\n\n```bash\nfire() {\n  go\n}\n```\n\n```bash\nfire\n```\n",
            ),
            (
                "class Kiln\n  # Fires the kiln once.\n  def fire\n    go\n  end\nend\n",
                "ruby",
                "## `Kiln`\n\n```ruby\nclass Kiln\n```\n\n### `fire`\n\nFires the kiln once.\n\n```ruby\n  def fire\n    go\n  end\nend\n```\n",
            ),
        ] {
            let markdown = written(text, language);
            assert!(markdown.starts_with(begins), "{markdown}");
        }
    }

    #[test]
    fn what_a_comment_says_within_a_body_or_of_a_value_stays_with_the_code() {
        for (text, language) in [
            (
                "int fire(int n)\n{\n  /* Then it is hot. */\n  go(n);\n}\n",
                "c",
            ),
            (
                "int n;\n\n/* How hot it is at most. */\n#define HEAT 900\n",
                "c",
            ),
            (
                "go();\n\n// How hot it is at most.\nconst heat = 900;\n",
                "javascript",
            ),
            (
                "go();\n\n// fire(n);\nfunction fire(n) {\n}\n",
                "javascript",
            ),
            ("x\n\n# ------------\nfire() {\n  go\n}\n", "bash"),
        ] {
            assert!(read(text, language).is_none(), "{text}");
        }
    }

    #[test]
    fn what_is_implemented_for_a_type_stands_under_its_name() {
        let text = "/// A kiln.\npub struct Kiln;\n\n/// An oven.\npub fn oven() {}\n\nimpl Kiln {\n    /// Fires.\n    pub fn fire() {}\n}\n\nimpl Drop for Kiln {\n    /// Cools.\n    fn drop(&mut self) {}\n}\n";
        let markdown = written(text, "rust");
        let heads: Vec<&str> = markdown
            .lines()
            .filter(|line| line.starts_with('#'))
            .collect();
        assert_eq!(
            heads,
            [
                "## `Kiln`",
                "## `oven`",
                "## `impl Kiln`",
                "### `fire`",
                "## `impl Drop for Kiln`",
                "### `drop`"
            ]
        );
        assert!(!markdown.contains("```rust\n}"), "{markdown}");
    }

    #[test]
    fn a_long_file_without_documentation_is_parted_at_its_functions() {
        let body = "  go();\n".repeat(50);
        let function = |name: &str| format!("void {name}(int n)\n{{\n{body}}}\n\n");
        let text = format!(
            "#include <a.h>\n\n{}{}{}",
            function("fire"),
            function("cool"),
            function("open")
        );
        let markdown = written(&text, "c");
        let heads: Vec<&str> = markdown
            .lines()
            .filter(|line| line.starts_with("##"))
            .collect();
        assert_eq!(heads, ["## `fire`", "## `cool`", "## `open`"]);
        assert!(read(&format!("{}{}", function("fire"), function("cool")), "c").is_none());
        assert!(read("void a() {\n  b();\n}\n", "c").is_none());
    }

    #[test]
    fn the_documentation_of_a_perl_module_stands_before_its_code() {
        let text = "package Kiln;\n\nsub fire {\n  1;\n}\n\n=head1 NAME\n\nKiln - fires pots\n\n=head1 METHODS\n\n=head2 fire\n\nFires.\n\n=cut\n\n1;\n";
        let document = read(text, "perl").unwrap();
        assert_eq!(document.title.as_deref(), Some("Kiln"));
        let markdown = write(&document.blocks);
        assert!(markdown.starts_with("# Kiln\n\n"), "{markdown}");
        assert!(
            markdown.ends_with(
                "# `Kiln`\n\n```perl\npackage Kiln;\n\nsub fire {\n  1;\n}\n\n1;\n```\n"
            ) || markdown.contains("# `Kiln`\n\n```perl\npackage Kiln;"),
            "{markdown}"
        );
        let text = "=head1 PURPOSE\n\nFires.\n\n=cut\n\nfire();\n";
        assert_eq!(read(text, "perl").unwrap().title, None);
    }
}
