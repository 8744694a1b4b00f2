//! Owns which runs of pieces tell nothing of a source: the table of contents that stands in its text, and who made it.

use super::piece::Piece;
use crate::pipeline::synthesize::outline::{Outline, block_text};
use skillkiln_document::blocks::BlockKind;
use skillkiln_document::text::{letters, plain};
use std::collections::HashSet;

/// A table of contents has so many lines at least, and so many of ten of them are titles.
const LINES_MIN: usize = 4;
const TITLES_OF_TEN: usize = 7;
/// A longer line is no title and no name.
const LINE_CHARS: usize = 80;
/// So many names of people, one below another, say who made a text.
const NAMES_MIN: usize = 3;

/// What the sections are called, without numbers and signs.
pub(super) fn titles(outline: &Outline) -> HashSet<String> {
    let titles = outline.sections.iter();
    titles
        .map(|section| title_letters(&section.title))
        .filter(|title| !title.is_empty())
        .collect()
}

/// Takes out what only repeats the titles, and of the beginning of the source what only names people.
pub(super) fn keep_telling(pieces: &mut Vec<Piece>, titles: &HashSet<String>, is_first: bool) {
    let mut kept = vec![true; pieces.len()];
    let mut start = 0;
    while start < pieces.len() {
        let run = pieces.get(start..).unwrap_or_default().iter();
        let run: Vec<Vec<String>> = run.map_while(|piece| brief(piece, titles)).collect();
        let end = start + run.len();
        let lines = || run.iter().flatten();
        let known = lines().filter(|line| titles.contains(&title_letters(line)));
        let all = lines().count();
        let is_contents = all >= LINES_MIN && known.count() * 10 >= all * TITLES_OF_TEN;
        let own = || pieces.get(start..end).unwrap_or_default().iter();
        let are_names = is_first && all >= NAMES_MIN && !own().any(|piece| piece.entries() > 0);
        if is_contents || are_names {
            for kept in kept.get_mut(start..end).unwrap_or_default() {
                *kept = false;
            }
        }
        start = end + 1;
    }
    let mut kept = kept.into_iter();
    pieces.retain(|_| kept.next().unwrap_or(true));
}

/// The lines of a piece that has only short ones, in paragraphs and lists, and no sentence that is no title.
fn brief(piece: &Piece, titles: &HashSet<String>) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    for block in &piece.blocks {
        match &block.kind {
            BlockKind::Paragraph(text) => lines.push(plain(text)),
            BlockKind::List { .. } => {
                let text = block_text(block);
                lines.extend(text.lines().map(str::to_owned));
            }
            _ => return None,
        }
    }
    lines.retain(|line| !line.trim().is_empty());
    let is_brief = |line: &String| {
        line.chars().count() <= LINE_CHARS
            && (!line.trim_end().ends_with(['.', '!', '?', ':', '。'])
                || titles.contains(&title_letters(line))
                || leads_to_names(line))
    };
    (!lines.is_empty() && lines.iter().all(is_brief)).then_some(lines)
}

/// Whether a line stands over names of people.
fn leads_to_names(line: &str) -> bool {
    let lower = line.to_lowercase();
    lower.ends_with(':')
        && ["author", "contributor", "maintainer", "translator"]
            .iter()
            .any(|kind| lower.contains(kind))
}

/// The letters of a title without the numbers of sections and pages around it.
fn title_letters(title: &str) -> String {
    let words = title.split_whitespace();
    let words = words.filter(|word| word.contains(char::is_alphabetic));
    words.map(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::super::gathering::pieces;
    use super::*;
    use skillkiln_readers::markup::markdown;

    fn kept(source: &str) -> Vec<String> {
        let sections =
            ["Doors", "Wood", "Ash", "Smoke"].map(|title| format!("## {title}\n\nIt is told.\n\n"));
        let blocks = markdown::read(format!("# Kilns\n\n{source}\n\n{}", sections.concat())).blocks;
        let outline = Outline::of(&blocks);
        let own = outline.sections.first().unwrap().own.clone();
        let (mut pieces, _) = pieces(&blocks, own.start + 1..own.end, false, usize::MAX);
        keep_telling(&mut pieces, &titles(&outline), true);
        let texts = pieces.iter().flat_map(|piece| &piece.blocks);
        texts
            .map(|block| block_text(block).trim().to_owned())
            .collect()
    }

    #[test]
    fn a_table_of_contents_in_the_text_tells_nothing_and_another_list_does() {
        let told = "A kiln fires pots, and burns wood for that.";
        assert_eq!(
            kept(&format!(
                "{told}\n\n- 1. Doors 7\n- 2. Wood 8\n- 3. Ash\n- 4. Smoke\n"
            )),
            [told]
        );
        assert_eq!(
            kept("1 Doors\n\n2 Wood\n\n3 Ash\n\n4 Smoke\n\nIt burns."),
            ["It burns."]
        );
        assert_eq!(kept("- doors\n- walls\n- a roof\n- an arch\n").len(), 1);
    }

    #[test]
    fn who_made_a_source_is_told_by_a_run_of_names_and_not_by_sentences() {
        let copied = "- Copyright © 2019 Kim Potter\n- Copyright © 2020 Alex Mason\n";
        assert_eq!(kept(&format!("{copied}\nIt burns.")), ["It burns."]);
        let led =
            "A Firing Program\n\nKim Potter\n\nMajor contributors:\n\nAlex Mason,\n\nBo Brick";
        assert_eq!(kept(&format!("{led}\n\nIt burns.")), ["It burns."]);
        let made_by = "Kim Potter\n\nAlex Mason,\n\nThe Brick Works";
        assert_eq!(
            kept(&format!("{made_by}\n\nA kiln fires pots.")),
            ["A kiln fires pots."]
        );
        assert_eq!(kept("It is hot.\n\nIt is dry.\n\nIt burns.").len(), 3);
    }
}
