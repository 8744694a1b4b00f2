//! Owns scripts that stand beside what they are, each line in a column of its own, as makeinfo writes the cells of a table.

use super::Line;
use super::code::CODE_LINES_MAX;
use skillkiln_document::blocks::{Block, BlockKind, Span};

/// Where in a line a script begins that stands beside what it is: `Shell script:    #!/bin/sh`.
fn beside(line: &Line<'_>) -> Option<(usize, usize)> {
    let at = line.words.find("  #!")? + 2;
    let before = line.words.get(..at)?;
    let is_term = before.trim_end().ends_with(':');
    is_term.then(|| (at, line.indent + before.chars().count()))
}

/// How many lines from the start are words with a script beside them that goes on in its own column.
pub(super) fn beside_length(lines: &[Line<'_>]) -> usize {
    let Some((_, column)) = lines.first().and_then(beside) else {
        return 0;
    };
    let below = lines.iter().take(CODE_LINES_MAX).skip(1);
    let below = below.take_while(|line| !line.words.is_empty() && line.indent >= column);
    match below.count() {
        0 => 0,
        below => 1 + below,
    }
}

/// The words that `lines` begin with and the script beside them, with how many lines these are.
pub(super) fn script_beside<'a>(lines: &[Line<'a>]) -> Option<(usize, &'a str, Block)> {
    let length = beside_length(lines);
    let (first, last) = (lines.first()?, lines.get(length.checked_sub(1)?)?);
    let (at, column) = beside(first)?;
    let (name, shebang) = first.words.split_at_checked(at)?;
    let mut script = shebang.to_owned();
    for line in lines.get(1..length)? {
        script.push('\n');
        script.push_str(&" ".repeat(line.indent.saturating_sub(column)));
        script.push_str(line.words);
    }
    let kind = BlockKind::Code {
        language: None,
        text: script,
    };
    let span = Span::of(first.range.start + at..last.range.end);
    Some((length, name.trim_end(), Block { kind, span }))
}

#[cfg(test)]
mod tests {
    use crate::text::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_script_beside_what_it_is_has_its_first_line() {
        let source = "\u{1f}\nFile: kiln.info,  Node: Fire,  Up: Top\n\n1 Fire\n******\n\n   Kilns have it in their first line:\n\nShell script:         #!/bin/sh\n                      echo hot\n                 \nFire script:          #!/usr/bin/fire\n                      if hot\n                        print \"hot\\n\";\n                 \n   It burns.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "# 1 Fire\n\nKilns have it in their first line:\n\nShell script:\n\n```\n#!/bin/sh\necho hot\n```\n\nFire script:\n\n```\n#!/usr/bin/fire\nif hot\n  print \"hot\\n\";\n```\n\nIt burns.\n"
        );
    }
}
