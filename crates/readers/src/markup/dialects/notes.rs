//! Parts the lines of notes that are written as components: `<Note title="Hot">Mind it.` and `so.</Note>` are a tag and words each.

use super::components::{TAG_LINES_MAX, note_class};
use super::components::{component, component_around};
use super::{DEPTH_MAX, fences};
use crate::markup::lines::Line;
use std::collections::HashSet;

/// The lines of a text with the tags of notes on lines of their own.
#[derive(Debug, Default)]
pub(super) struct Parted<'t> {
    pub(super) lines: Vec<Line<'t>>,
    /// The first line that each line of the text became.
    pub(super) firsts: Vec<usize>,
    /// The lines that end where the writer ended them, not where the width of the page does.
    pub(super) broken: HashSet<usize>,
}

impl<'t> Parted<'t> {
    /// The lines of a text, parted.
    pub(super) fn of(lines: Vec<Line<'t>>) -> Self {
        let mut parted = Self::default();
        let mut open: Vec<(&str, bool)> = Vec::new();
        let mut fence: Option<(char, usize)> = None;
        for (at, line) in lines.iter().enumerate() {
            parted.firsts.push(parted.lines.len());
            let words = line.words();
            let was_open = fence.is_some();
            fence = match fence {
                Some(open) => Some(open).filter(|open| !fences::ends(words, *open)),
                None => fences::opening(words),
            };
            if was_open || fence.is_some() {
                parted.lines.push(*line);
                continue;
            }
            let is_whole = component_around(words).is_some();
            let may_open = line.indent() < 4 && !is_whole;
            parted.part(*line, &mut open, |name, behind| {
                let later = lines.iter().skip(at + 1).take(TAG_LINES_MAX);
                let end = format!("</{name}>");
                may_open
                    && (behind.contains(&end)
                        || later.map(Line::words).any(|line| line.contains(&end)))
            });
            let next = lines.get(at + 1).map_or("", Line::words);
            let is_within = open.last().is_some_and(|(_, is_parted)| *is_parted);
            if is_within && ends_itself(words, next) {
                parted.broken.insert(parted.lines.len() - 1);
            }
        }
        parted
    }

    /// Parts one line; `ends` tells whether a note of a name is ended in what stands behind its tag.
    fn part(
        &mut self,
        line: Line<'t>,
        open: &mut Vec<(&'t str, bool)>,
        ends: impl Fn(&str, &str) -> bool,
    ) {
        let mut rest = line;
        loop {
            if let Some((name, length)) = opening(rest.words())
                && open.len() < DEPTH_MAX
            {
                let lead = rest.text.len() - rest.text.trim_start().len();
                let behind = rest.text.get(lead + length..).unwrap_or_default();
                if ends(name, behind) {
                    let is_parted = !behind.trim().is_empty();
                    open.push((name, is_parted));
                    if is_parted {
                        self.lines.push(rest.part(0..lead + length));
                        rest = rest.part(lead + length..rest.text.len());
                        continue;
                    }
                }
            }
            let end = open.last().and_then(|(name, _)| {
                let end = format!("</{name}>");
                Some((rest.text.find(&end)?, end.len()))
            });
            let Some((at, length)) = end else {
                break;
            };
            open.pop();
            let before = rest.part(0..at);
            if !before.is_blank() {
                self.lines.push(before);
            }
            self.lines.push(rest.part(at..at + length));
            rest = rest.part(at + length..rest.text.len());
            if rest.is_blank() {
                return;
            }
        }
        self.lines.push(rest);
    }
}

/// The name of the note whose tag begins `words`, and the length of the tag.
fn opening(words: &str) -> Option<(&str, usize)> {
    let mut quote = None;
    let end = words.starts_with('<').then(|| {
        words.char_indices().find(|(_, sign)| {
            match quote {
                Some(open) if open == *sign => quote = None,
                None if matches!(sign, '"' | '\'') => quote = Some(*sign),
                _ => {}
            }
            quote.is_none() && *sign == '>'
        })
    })??;
    let length = end.0 + 1;
    let (name, attributes, ends) = component(words.get(..length)?)?;
    let is_note = !ends && !name.starts_with('/') && note_class(name, attributes).is_some();
    is_note.then_some((name, length))
}

/// Whether a line ends where its writer ended it: what follows begins anew, and no sign tells that it goes on.
fn ends_itself(words: &str, next: &str) -> bool {
    let anew = next.starts_with(|c: char| c.is_uppercase() || c.is_numeric());
    anew && words.ends_with(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use crate::markup::markdown::read;
    use skillkiln_document::markdown::write;

    fn written(source: &str) -> String {
        write(&read(source.to_owned()).blocks)
    }

    #[test]
    fn a_note_keeps_its_title_whatever_its_line_breaks() {
        for source in [
            "<Note title=\"Only > some\">It is *for* some.\nMore.</Note>\nIt burns.\n",
            "<Note title=\"Only > some\">\nIt is *for* some.\nMore.</Note>\n\nIt burns.\n",
            "<Note title=\"Only > some\">It is *for* some.\nMore.\n</Note>\nIt burns.\n",
            "<dl>\n<dd>\n\n<Note title=\"Only > some\">It is *for* some.\nMore.</Note>It burns.\n</dd>\n</dl>\n",
        ] {
            assert_eq!(
                written(source),
                "> **Note: Only > some**\n>\n> It is *for* some. More.\n\nIt burns.\n",
                "{source}"
            );
        }
    }

    #[test]
    fn notes_that_follow_each_other_are_two() {
        assert_eq!(
            written(
                "# A\n\n<Warning>Hot.\nSo hot.</Warning>\n<Tip>Wait\nIt cools</Tip><Info>One.</Info>\n"
            ),
            "# A\n\n> **Warning:** Hot. So hot.\n\n> **Tip:** Wait\\\n> It cools\n\n> **Info:** One.\n"
        );
    }

    #[test]
    fn what_nothing_ends_and_what_is_code_is_no_note() {
        let source = "<Note>Hot.\n\n```\n<Note>a\nb</Tip>\n```\n";
        assert_eq!(
            written(source),
            "\\<Note>Hot.\n\n```\n<Note>a\nb</Tip>\n```\n"
        );
        let many = "<Note> ".repeat(100_000);
        assert!(written(&format!("{many}\n\nEnd.\n")).ends_with("\n\nEnd.\n"));
    }

    #[test]
    fn lines_of_notes_keep_their_places() {
        let source = "<Note>Mind it.\nNow.</Note>\nAfter words.\n";
        let document = read(source.to_owned());
        let last = document.blocks.last().expect("words");
        assert_eq!(document.evidence(&last.span).trim(), "After words.");
    }
}
