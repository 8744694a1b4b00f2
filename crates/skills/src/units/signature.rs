//! Owns the units of long listings of programs: a declaration with the comment above it. What is too long to be shown says so what it holds.

use super::{Extractor, Form, Place, Unit, UnitKind};
use skillkiln_document::blocks::{Block, BlockKind};

/// A shorter listing is shown whole, or not at all.
const LINES_MIN: usize = 40;
/// Longest comment and longest declaration, in lines and in characters.
const COMMENT_LINES_MAX: usize = 12;
const DECLARATION_CHARS_MAX: usize = 160;

/// What a declaration begins with.
const DECLARING: [&str; 16] = [
    "function ",
    "export function ",
    "export default function ",
    "async function ",
    "export async function ",
    "export class ",
    "class ",
    "def ",
    "async def ",
    "pub fn ",
    "pub struct ",
    "pub trait ",
    "func ",
    "public ",
    "interface ",
    "export interface ",
];

pub(super) const EXTRACTOR: Extractor = Extractor {
    id: "signature",
    takes: "the declarations of a long listing, each with the comment above it",
    example: "```js\n// Fires a pot.\nfunction fire(pot) {\n```",
    run,
};

fn run(place: &Place<'_>, units: &mut Vec<Unit>) -> usize {
    let Some(block) = place.next(0) else { return 0 };
    let BlockKind::Code { language, text } = &block.kind else {
        return 0;
    };
    let lines: Vec<&str> = text.lines().collect();
    if lines.len() < LINES_MIN {
        return 0;
    }
    let mut taken = 0;
    for (at, line) in lines.iter().enumerate() {
        let own = line.trim_start();
        if !declares(line)
            || own.chars().count() > DECLARATION_CHARS_MAX
            || !own.contains(['(', '{', ':'])
        {
            continue;
        }
        let above = lines
            .get(at.saturating_sub(COMMENT_LINES_MAX)..at)
            .unwrap_or_default();
        let comment = above
            .iter()
            .rev()
            .take_while(|line| is_comment(line))
            .count();
        // What has no comment, or a longer one that would be cut, says too little.
        // A name with `$1` could not stand to the letter beside the hosts' marks.
        if comment == 0 || comment == COMMENT_LINES_MAX || own.contains('$') {
            continue;
        }
        let told = lines.get(at - comment..=at).unwrap_or_default().join("\n");
        let code = Block {
            kind: BlockKind::Code {
                language: language.clone(),
                text: told,
            },
            span: block.span.clone(),
        };
        let form = Form::Blocks(vec![code]);
        units.push(place.unit(UnitKind::Operation, taken, form, block.span.clone()));
        taken += 1;
    }
    usize::from(taken > 0)
}

/// Whether a line begins a declaration.
pub(crate) fn declares(line: &str) -> bool {
    let own = line.trim_start();
    DECLARING.iter().any(|opening| own.starts_with(opening))
}

/// Whether a line is part of a comment, in the languages that are common.
fn is_comment(line: &str) -> bool {
    let own = line.trim_start();
    ["//", "#", "/*", "*", "--"]
        .iter()
        .any(|mark| own.starts_with(mark))
        && !own.starts_with("#include")
        && !own.starts_with("#define")
}

#[cfg(test)]
mod tests {
    use crate::outline::Outline;
    use skillkiln_document::testing::document;

    #[test]
    fn a_long_listing_tells_its_declarations_by_their_comments() {
        let body = "  burn();\n".repeat(30);
        let text = format!(
            "```js\n// Fires a pot. Shut the door before.\nfunction fire(pot) {{\n{body}}}\nfunction hidden() {{\n{body}}}\n```"
        );
        let document = document(&text);
        let outline = Outline::of(&document.blocks);
        let units = crate::units::extract(&document.blocks, &outline);
        let told: Vec<&str> = units.iter().map(|unit| unit.text.trim()).collect();
        assert_eq!(
            told,
            ["// Fires a pot. Shut the door before.\nfunction fire(pot) {"]
        );
    }
}
