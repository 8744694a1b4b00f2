//! Owns how a card tells a session at a terminal: by what is typed. What a long answer says is left to the library.

use crate::cues::announces;
use crate::tokens::tokens;
use skillkiln_document::blocks::{Block, BlockKind, walk};
use skillkiln_document::text::plain;
use std::ops::Range;

/// Answers of more tokens are left out.
const ANSWERS_TOKENS_MAX: usize = 60;

/// Blocks whose long sessions have what is typed alone, and which of the outer ones those are; `None` where there is no such session.
#[must_use]
pub(crate) fn typed(blocks: &[Block]) -> Option<(Vec<Block>, Vec<usize>)> {
    let mut any = false;
    walk(blocks, &mut |block| {
        any |= matches!(&block.kind, BlockKind::Code { text, .. } if commands(text).is_some());
    });
    if !any {
        return None;
    }
    let mut all = blocks.to_vec();
    let mut cut = Vec::new();
    for (number, block) in all.iter_mut().enumerate() {
        let before = number.checked_sub(1).and_then(|before| blocks.get(before));
        let is_read =
            before.is_some_and(announces_answers) || blocks.get(number + 1).is_some_and(reads_on);
        if !is_read && shorten(block) {
            cut.push(number);
        }
    }
    (!cut.is_empty()).then_some((all, cut))
}

/// Whether a paragraph announces what a program answers: "The command produces:".
fn announces_answers(block: &Block) -> bool {
    const WORDS: [&str; 9] = [
        "output",
        "produces",
        "prints",
        "shows",
        "returns",
        "displays",
        "looks like",
        "result",
        "will see",
    ];
    matches!(&block.kind, BlockKind::Paragraph(text) if {
        let said = plain(text);
        let last = said.rsplit(". ").next().unwrap_or_default();
        announces(&said) && WORDS.iter().any(|word| last.contains(word))
    })
}

/// Whether a paragraph says what is to be seen in the answers before it, and says nothing without them.
fn reads_on(block: &Block) -> bool {
    const OPENINGS: [&str; 10] = [
        "As you can see",
        "As we can see",
        "Here you can see",
        "Here we see",
        "In the output",
        "Note how",
        "Notice",
        "The output",
        "This shows",
        "You can see",
    ];
    matches!(&block.kind, BlockKind::Paragraph(text) if {
        let said = plain(text);
        OPENINGS.iter().any(|opening| said.starts_with(opening))
    })
}

/// Whether some blocks have one of those that were shortened.
#[must_use]
pub(crate) fn has_cut(cut: &[usize], blocks: &Range<usize>) -> bool {
    cut.iter().any(|at| blocks.contains(at))
}

/// Leaves out the answers of the sessions in a block; whether there were any.
fn shorten(block: &mut Block) -> bool {
    match &mut block.kind {
        BlockKind::Code { text, .. } => match commands(text) {
            Some(typed) => {
                *text = typed;
                true
            }
            None => false,
        },
        BlockKind::List { items, .. } => {
            let mut any = false;
            for block in items.iter_mut().flatten() {
                any |= shorten(block);
            }
            any
        }
        _ => false,
    }
}

/// What is typed in a session, where its answers are long: the lines behind a prompt, with those that they go on in.
fn commands(text: &str) -> Option<String> {
    let is_session = text
        .lines()
        .find(|line| !line.trim().is_empty())
        .is_some_and(is_typed);
    if !is_session {
        return None;
    }
    let (mut typed, mut answers) = (String::new(), 0);
    let mut goes_on = false;
    for line in text.lines() {
        if goes_on || is_typed(line) {
            goes_on = line.trim_end().ends_with('\\');
            typed.push_str(line);
            typed.push('\n');
        } else {
            answers += tokens(line);
        }
    }
    typed.truncate(typed.trim_end().len());
    (answers > ANSWERS_TOKENS_MAX).then_some(typed)
}

/// Whether a line has a prompt of a shell, alone or behind who works where: "$ ls", "tom@kiln:~$ ls".
fn is_typed(line: &str) -> bool {
    let Some((before, _)) = line.trim_start().split_once("$ ") else {
        return false;
    };
    before.is_empty() || before.contains('@') && !before.contains(' ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::testing::document;

    #[test]
    fn a_session_with_long_answers_is_told_by_what_is_typed() {
        let answer = "0.3 s: brick by brick the kiln says how hot it is\n".repeat(12);
        let session = format!(
            "```console\n$ kiln fire \\\n    --slow\n{answer}tom@kiln:~$ kiln shut\nshut\n```"
        );
        let (blocks, cut) =
            typed(&document(&format!("Fire it:\n\n{session}")).blocks).unwrap_or_default();
        let BlockKind::Code { text, .. } = &blocks[1].kind else {
            panic!("{blocks:?}")
        };
        assert_eq!(text, "$ kiln fire \\\n    --slow\ntom@kiln:~$ kiln shut");
        assert_eq!(cut, [1]);
        assert!(has_cut(&cut, &(0..2)) && !has_cut(&cut, &(2..3)));
    }

    #[test]
    fn answers_that_the_text_goes_on_to_speak_of_stay() {
        let answer = "0.3 s: brick by brick the kiln says how hot it is\n".repeat(12);
        let session = format!("```console\n$ kiln fire\n{answer}```");
        let read = format!("{session}\n\nNotice how hot it is.\n\n{session}\n\nShut it.");
        let (_, cut) = typed(&document(&read).blocks).unwrap_or_default();
        assert_eq!(cut, [2]);
        let told = format!("Firing it produces:\n\n{session}\n\nFire it:\n\n{session}");
        let (_, cut) = typed(&document(&told).blocks).unwrap_or_default();
        assert_eq!(cut, [3]);
    }

    #[test]
    fn short_answers_and_scripts_stay() {
        let short = "```console\n$ kiln shut\nshut\n```";
        let script = format!("```sh\nkiln shut\necho $ {}\n```", "and so on\n".repeat(40));
        assert_eq!(
            typed(&document(&format!("{short}\n\n{script}")).blocks),
            None
        );
    }
}
