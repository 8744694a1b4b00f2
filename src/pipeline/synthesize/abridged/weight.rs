//! Owns how much of a body's room a section deserves: by what it is called, where it stands and what its source speaks of.

use super::referred::Referred;
use crate::pipeline::synthesize::outline::{Outline, Section};
use crate::pipeline::synthesize::roles::{self, Role};
use crate::pipeline::synthesize::series::is_release;
use crate::pipeline::synthesize::words::words;

/// With fewer words a section says nothing.
pub(super) const OPENING_WORDS: usize = 12;
/// The greatest weight of a section by what it is called and where it stands.
const MOST: usize = 6;
/// The weight of what a source itself speaks of most.
pub(super) const SOUGHT_WEIGHT: usize = 8;

/// How much room a section deserves: how the source opens, how things are done and what it speaks of most first, what only surrounds it
/// not at all.
pub(super) fn weight(outline: &Outline, referred: &Referred, number: usize) -> usize {
    match weight_by_title(outline, number) {
        2.. if referred.is_sought(number) => SOUGHT_WEIGHT,
        weight => weight,
    }
}

/// The same by what it is called and where it stands alone.
fn weight_by_title(outline: &Outline, number: usize) -> usize {
    let Some(section) = outline.sections.get(number).filter(|own| !own.is_aside) else {
        return 0;
    };
    match roles::of_title(&section.title) {
        _ if opens(outline, number) => MOST,
        _ if outline.path(number).into_iter().any(is_of_inside) => 1,
        _ if names_release(&section.title) => 1,
        Some(Role::Procedure | Role::Prerequisite) => match outline.depth(number) {
            // What a detail of a detail needs is not what its reader came for.
            0..=2 => MOST,
            3 => 4,
            _ => 2,
        },
        _ if is_of_call(outline, section) => 2,
        Some(Role::Options) => 5,
        Some(_) => 4,
        None if section.level > 2 => 2,
        None => 4,
    }
}

/// Whether a section only tells what the function takes or gives back that is told above it: it gets no more room than what that does.
fn is_of_call(outline: &Outline, section: &Section) -> bool {
    let above = section.parent.and_then(|above| outline.sections.get(above));
    let lower = section.title.to_lowercase();
    above.is_some_and(|above| above.title.contains('('))
        && matches!(
            lower.trim_end_matches(':'),
            "arguments"
                | "exceptions"
                | "parameters"
                | "raises"
                | "return"
                | "return value"
                | "return values"
                | "returns"
                | "throws"
        )
}

/// Whether a section of a manual tells what one release brought: `3.2 Version 5.7.0`.
fn names_release(title: &str) -> bool {
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let bare = title.split_once(' ');
    let bare = bare.filter(|(number, _)| number.chars().all(is_number));
    is_release(bare.map_or(title, |(_, bare)| bare))
}

/// Whether the source opens with a section: it is the first one that says something.
pub(super) fn opens(outline: &Outline, number: usize) -> bool {
    let before = outline.sections.get(..number).unwrap_or_default();
    before.iter().all(|section| section.words < OPENING_WORDS)
}

/// Whether a title announces what only those ask for who build the thing, or compare it.
fn is_of_inside(title: &str) -> bool {
    let lower = title.to_lowercase();
    words(&lower).any(|word| {
        matches!(
            word,
            "appendix"
                | "benchmark"
                | "benchmarks"
                | "comparison"
                | "deprecated"
                | "experimental"
                | "foreword"
                | "history"
                | "implementation"
                | "internal"
                | "internals"
                | "legacy"
                | "obsolete"
                | "performance"
                | "preface"
                | "rationale"
        )
    })
}

#[cfg(test)]
mod tests {
    use crate::pipeline::synthesize::outline::Outline;
    use crate::pipeline::synthesize::testing::document;

    #[test]
    fn what_a_function_takes_and_gives_back_gets_no_more_room_than_what_it_does() {
        let source = "# Kiln\n\nIt fires the pots that are put into it on any day.\n\n## Functions\n\n### fire ()\n\nIt fires.\n\n#### Parameters\n\nWood.\n\n\
                      #### Returns\n\nHeat.\n\n### Doors\n\n#### Parameters\n\nHeight.\n";
        let blocks = document(source).blocks;
        let outline = Outline::of(&blocks);
        let weights: Vec<(&str, usize)> = (0..outline.sections.len())
            .skip(2)
            .map(|number| {
                let title = outline.sections[number].title.as_str();
                (title, super::weight_by_title(&outline, number))
            })
            .collect();
        let expected = [
            ("fire ()", 2),
            ("Parameters", 2),
            ("Returns", 2),
            ("Doors", 2),
            ("Parameters", 5),
        ];
        assert_eq!(weights, expected);
    }

    #[test]
    fn what_one_release_of_a_manuals_subject_brought_gets_the_least_room() {
        for title in ["3.2 Version 5.7.0", "Version 2.1", "1.4.0"] {
            assert!(super::names_release(title), "{title}");
        }
        for title in ["3.2 Doors", "Version control", "2 Kilns of 1.4"] {
            assert!(!super::names_release(title), "{title}");
        }
    }
}
