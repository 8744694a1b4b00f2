//! Owns the table in SKILL.md that points at the references: what to read, and when.

use super::describe::{capitalised, clip};
use super::heading_words::for_description;
use super::loaders;
use super::page::{Page, paragraph};
use super::references::{MANY_FILES, Reference};
use super::wording::ages_or_fills;
use crate::pipeline::scaffold::is_our_word;
use crate::pipeline::scaffold::{READ, READ_WHEN_NEEDED, REFERENCES, WHEN_YOU_NEED};
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::markdown;
use skillkiln_document::text::Inline;

/// Longest title in a pointer that is nothing else.
const TITLE_CHARS_OF_MANY: usize = 32;
/// Of more files that hold a list the first and the last are named.
const FILES_MAX: usize = 3;
/// A topic of fewer letters tells nothing.
const LETTERS_MIN: usize = 3;

/// Adds the section that points at these of the references.
pub(super) fn point_at<'a>(page: &mut Page, references: impl IntoIterator<Item = &'a Reference>) {
    point_at_rest(page, references, &|_| false);
}

/// The same beside a body that tells some topics to their end: what else a file holds says when to read it.
pub(super) fn point_at_rest<'a>(
    page: &mut Page,
    references: impl IntoIterator<Item = &'a Reference>,
    is_told: &dyn Fn(&str) -> bool,
) {
    let references: Vec<&Reference> = references.into_iter().collect();
    if !references.is_empty() {
        page.add_heading(2, REFERENCES, None);
        page.add(&table(references, is_told), None);
    }
}

/// A table with a row for each reference: what to read, and when. The words of ours stand once, in its header.
pub(super) fn pointers<'a>(references: impl IntoIterator<Item = &'a Reference>) -> String {
    table(references, &|_| false)
}

fn table<'a>(
    references: impl IntoIterator<Item = &'a Reference>,
    is_told: &dyn Fn(&str) -> bool,
) -> String {
    let references: Vec<&Reference> = references.into_iter().collect();
    let many = references.len() > MANY_FILES;
    // Single words tell one file from others; of the only one they tell nothing.
    let tells_nothing = matches!(references.as_slice(), [only]
        if !only.topics.iter().any(|topic| topic.contains([' ', '-'])));
    let words = |text: &str| loaders::set_apart(text.to_owned().into());
    let rows = references
        .iter()
        .map(|reference| {
            let title = if many {
                clip(&reference.title, TITLE_CHARS_OF_MANY)
            } else {
                reference.title.clone()
            };
            let link = vec![Inline::link(reference.file.filename.clone(), words(&title))];
            if many || tells_nothing {
                return vec![link];
            }
            let untold = reference.topics.iter().filter(|topic| !is_told(topic));
            let untold = telling(&untold.cloned().collect::<Vec<_>>());
            let topics = match untold.is_empty() {
                true => telling(&reference.topics),
                false => untold,
            };
            let needed = match topics {
                // A release in brackets is called with both of them.
                topics if topics.is_empty() && title.starts_with('[') => title.clone(),
                topics if topics.is_empty() => for_description(&title),
                topics => topics.join(", "),
            };
            vec![link, words(&needed)]
        })
        .collect();
    let header = if many || tells_nothing {
        vec![words(READ_WHEN_NEEDED)]
    } else {
        vec![words(READ), words(&capitalised(WHEN_YOU_NEED))]
    };
    markdown::write(&[Block {
        kind: BlockKind::Table {
            header,
            rows,
            caption: None,
        },
        span: Span::default(),
    }])
}

/// Whether a topic tells when a file is needed: a name or several words do, a single word ("url", "disk") or letter tells too
/// little.
fn tells(topic: &str) -> bool {
    let letters = topic.chars().filter(|c| c.is_alphanumeric()).count();
    topic.contains(|c: char| !c.is_alphabetic() || c.is_uppercase() || !c.is_ascii())
        && (letters >= LETTERS_MIN || !topic.is_ascii())
}

/// The topics that a pointer names, where one of them tells when a file is needed.
pub(super) fn telling(topics: &[String]) -> Vec<String> {
    let needed = needed(topics);
    match needed.iter().any(|topic| tells(topic)) {
        true => needed,
        false => Vec::new(),
    }
}

/// The topics that a pointer names: few enough that most of its words stand side by side in the source (V091).
fn needed(topics: &[String]) -> Vec<String> {
    let count = |text: &str| {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.chars().count() >= 3 && !is_our_word(&word.to_lowercase()))
            .count()
    };
    let mut out: Vec<String> = Vec::new();
    let mut words = 0;
    for topic in topics.iter().filter(|topic| !ages_or_fills(topic)) {
        let (more, pieces) = (words + count(topic), out.len() + 1);
        if out.len() < 2 && (more < 4 || (more - pieces) * 3 >= (more - 1) * 2) {
            out.push(topic.clone());
            words = more;
        }
    }
    out
}

/// A pointer at files: their titles, of many the first and the last, and what each lead leads to.
pub(super) fn go_on<T: AsRef<[Inline]>>(files: &[&Reference], leads: &[(&str, Vec<T>)]) -> String {
    let mut line = vec![Inline::Text(format!("{READ} "))];
    let separator = match files.len() > FILES_MAX {
        true => " … ",
        false => ", ",
    };
    for (number, file) in files.iter().enumerate() {
        if files.len() > FILES_MAX && number > 0 && number + 1 < files.len() {
            continue;
        }
        if number > 0 {
            line.push(Inline::Text(separator.into()));
        }
        line.push(link(file));
    }
    for (number, (lead, names)) in leads.iter().enumerate() {
        let mark = if number > 0 { "; " } else { " " };
        line.push(Inline::Text(format!("{mark}{lead}")));
        push_all(&mut line, names);
    }
    line.push(Inline::Text(".".into()));
    markdown::write(&[paragraph(line)])
}

/// A link to a file, by its title.
pub(super) fn link(file: &Reference) -> Inline {
    let title = loaders::set_apart(file.title.clone().into());
    Inline::link(file.file.filename.clone(), title)
}

/// Adds names to a line, parted by commas.
pub(super) fn push_all<T: AsRef<[Inline]>>(line: &mut Vec<Inline>, names: &[T]) {
    for (number, name) in names.iter().enumerate() {
        line.push(Inline::Text(if number > 0 { ", " } else { " " }.into()));
        line.extend(name.as_ref().iter().cloned());
    }
}

#[cfg(test)]
mod tests {
    use super::tells;

    #[test]
    fn a_single_word_does_not_tell_when_a_file_is_needed() {
        for topic in ["kiln doors", "site_dir", "--port", "SQLite", "窯"] {
            assert!(tells(topic), "{topic}");
        }
        for topic in ["url", "disk", "-c", "F", "\\a"] {
            assert!(!tells(topic), "{topic}");
        }
    }
}
