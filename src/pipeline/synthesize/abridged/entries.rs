//! Owns which sections are the entries of a reference ("fn is_some", "AcceptFilter"), and the line that says what each is.
//!
//! Whoever looks up a name asks first which names there are: some entries told at length, while the others are not named, is a slice
//! of the alphabet. So each gets a line, its name and how it is described, as far as there is room.

use super::announcing::ends_sentence;
use super::cutting::with_turns;
use super::piece::Piece;
use crate::pipeline::synthesize::options::warns;
use crate::pipeline::synthesize::outline::{Outline, Section, block_text};
use crate::pipeline::synthesize::roles::{self, Role};
use crate::pipeline::synthesize::sentences::cut_sentences;
use crate::pipeline::synthesize::signature;
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::text::{Inline, plain};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// So many sections side by side are entries when they are called as code is, and so many when they are called by a word or two.
const NAMES_MIN: usize = 12;
const WORDS_MIN: usize = 30;
/// Entries called by a word or two are called alike so often at most.
const ALIKE_MAX: usize = 2;
/// So many of ten must be called so, and be described.
const OF_TEN: usize = 7;
/// Half of the entries of a reference have fewer words, and fewer where they are called by a word or two.
const NAMED_WORDS: usize = 400;
const TITLED_WORDS: usize = 150;
/// A longer name, in letters, is none for a line, and a longer description.
const TITLE_CHARS: usize = 90;
const LINE_CHARS: usize = 240;
/// Where there is room, so much is said of it.
const LONGER_CHARS: usize = 500;
/// What an entry is may stand so many blocks behind what its arguments are.
const BEHIND_MAX: usize = 3;
/// Among so many first sentences one is looked for that is said of the entry.
const SENTENCES: usize = 3;

/// The line of each section that is an entry, by the section's number.
pub(super) fn entries(blocks: &[Block], outline: &Outline) -> HashMap<usize, Piece> {
    let weights = outline.weights();
    let mut children: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
    for (number, section) in outline.sections.iter().enumerate() {
        if section.level > 0 && !section.is_aside {
            children.entry(section.parent).or_default().push(number);
        }
    }
    let mut out = HashMap::new();
    for siblings in children.into_values() {
        let titles = siblings
            .iter()
            .filter_map(|number| outline.sections.get(*number));
        let titles: Vec<&str> = titles.map(|section| section.title.as_str()).collect();
        let share = |is: fn(&str) -> bool| {
            let named = titles.iter().filter(|title| is(title)).count();
            named * 10 >= titles.len() * OF_TEN
        };
        let mut words: Vec<usize> = siblings
            .iter()
            .filter_map(|number| weights.get(*number).copied())
            .collect();
        words.sort_unstable();
        let median = words.get(words.len() / 2).copied().unwrap_or_default();
        let are_named = siblings.len() >= NAMES_MIN && median < NAMED_WORDS && share(is_name);
        let are_titled = siblings.len() >= WORDS_MIN && median < TITLED_WORDS && share(is_brief);
        let is_called_so: fn(&str) -> bool = match (are_named, are_titled) {
            (true, _) => is_name,
            (false, true) => is_brief,
            (false, false) => continue,
        };
        // "Parameters" below each of them is no entry.
        let mut times: HashMap<&str, usize> = HashMap::new();
        for title in &titles {
            *times.entry(title).or_default() += 1;
        }
        if !are_named && times.len() < WORDS_MIN {
            continue;
        }
        let is_one =
            |title: &str| are_named || times.get(title).is_none_or(|times| *times <= ALIKE_MAX);
        // What stands between them on the whole, and how it is used, is told as sections are.
        let entries = siblings.iter().filter_map(|number| {
            let section = outline.sections.get(*number)?;
            let is_entry = is_called_so(&section.title)
                && is_one(&section.title)
                && !shows_how(&section.title);
            is_entry.then_some((*number, section))
        });
        let entries: Vec<(usize, &Section)> = entries.collect();
        let lines: Vec<(usize, Piece)> = entries
            .iter()
            .filter_map(|(number, section)| Some((*number, line(blocks, section.own.clone())?)))
            .collect();
        if lines.len() * 10 < entries.len() * OF_TEN {
            continue;
        }
        // A line between sections is no list.
        let has_line: HashSet<usize> = lines.iter().map(|(number, _)| *number).collect();
        let neighbours = |number: usize| {
            let at = siblings.partition_point(|own| *own < number);
            let near = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
            near.filter_map(|at| siblings.get(at).copied())
        };
        let lines = lines.into_iter();
        out.extend(
            lines.filter(|(number, _)| neighbours(*number).any(|own| has_line.contains(&own))),
        );
    }
    out
}

/// Whether a title is one that code has.
fn is_name(title: &str) -> bool {
    let whole = without_kind(parted(title).1);
    if names_file(whole) {
        return false;
    }
    let title = signature::short(whole);
    let is_signature = title != whole || whole.contains(" = ");
    let first = title.split_whitespace().next().unwrap_or_default();
    let has_inner = first
        .chars()
        .skip(1)
        .any(|c| c.is_uppercase() || matches!(c, '_' | '(' | ':' | '.'));
    let is_acronym = first.chars().all(|c| !c.is_lowercase());
    is_signature
        || title.split_whitespace().count() <= 2
            && (has_inner && !is_acronym || first.starts_with(['-', '$', '.', '@']))
        || title.contains(['(', '_']) && title.split_whitespace().count() <= 4
}

/// Whether a title is words with the name of a file behind them: "Doors (door.c)".
fn names_file(title: &str) -> bool {
    let file = title
        .split_once(" (")
        .and_then(|(_, file)| file.strip_suffix(')'));
    file.and_then(|file| file.rsplit_once('.'))
        .is_some_and(|(stem, ending)| {
            let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
            !stem.is_empty()
                && !ending.is_empty()
                && stem.chars().chain(ending.chars()).all(is_plain)
        })
}

/// A title as the number of its section with the space behind it, and what it is called: `2.1. ` and `open()`.
fn parted(title: &str) -> (&str, &str) {
    let title = title.trim();
    let is_number = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit())
            && word.chars().all(|c| c.is_ascii_digit() || c == '.')
    };
    match title.split_once(' ') {
        Some((number, called)) if is_number(number) => title.split_at(title.len() - called.len()),
        _ => ("", title),
    }
}

/// `open()` of `classmethod open()`.
pub(super) fn without_kind(title: &str) -> &str {
    const KINDS: [&str; 9] = [
        "abstract",
        "async",
        "class",
        "classmethod",
        "exception",
        "final",
        "property",
        "static",
        "staticmethod",
    ];
    let mut bare = title;
    while let Some((_, rest)) = bare
        .split_once(' ')
        .filter(|(kind, rest)| KINDS.contains(kind) && (!rest.contains(' ') || rest.contains('(')))
    {
        bare = rest;
    }
    bare
}

fn is_brief(title: &str) -> bool {
    title.split_whitespace().count() <= 2
}

/// Whether a title announces how to begin, or how something is done.
fn shows_how(title: &str) -> bool {
    let role = roles::of_title(title);
    roles::comes_first(title)
        || matches!(
            role,
            Some(Role::Procedure | Role::Prerequisite | Role::Example)
        )
}

/// Whether a paragraph only says since when something is there, or that it may change.
fn tells_version(text: &str) -> bool {
    const OPENINGS: [&str; 6] = [
        "added in",
        "changed in",
        "deprecated since",
        "introduced in",
        "new in version",
        "stability:",
    ];
    let lower = text.trim_start().to_lowercase();
    // A sign before it is the picture of a microscope.
    lower.len() < LINE_CHARS
        && (OPENINGS.iter().any(|opening| lower.starts_with(opening))
            || lower.contains("experimental api"))
}

/// Whether a sentence is said of what a section is called: it begins with that, or with an article before it.
fn begins_with_name(sentence: &str, title: &str) -> bool {
    let name = signature::short(without_kind(parted(title).1));
    let name = name.split(['(', ' ']).next().unwrap_or_default();
    let bare = ["The ", "A ", "An "]
        .iter()
        .find_map(|article| sentence.strip_prefix(article))
        .unwrap_or(sentence);
    let rest = bare.strip_prefix(name).filter(|_| !name.is_empty());
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// Whether a sentence tells how things are without what is described.
fn is_of_others(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    ["by default", "normally", "usually", "without "]
        .iter()
        .any(|opening| lower.starts_with(opening))
}

/// The sentences of the paragraphs among some blocks.
fn behind(blocks: &[Block], range: Range<usize>) -> impl Iterator<Item = Vec<Inline>> {
    let blocks = blocks.get(range).unwrap_or_default().iter();
    blocks.flat_map(|block| match &block.kind {
        BlockKind::Paragraph(text) => with_turns(cut_sentences(text)),
        _ => Vec::new(),
    })
}

/// A sentence as it goes on behind another.
fn after_space(sentence: Vec<Inline>) -> impl Iterator<Item = Inline> {
    std::iter::once(Inline::Text(" ".into())).chain(sentence)
}

fn is_code(inline: &Inline) -> bool {
    matches!(inline, Inline::Code(_))
}

fn is_code_at(blocks: &[Block], at: usize) -> bool {
    let block = blocks.get(at);
    block.is_some_and(|block| matches!(block.kind, BlockKind::Code { .. }))
}

/// Which of the blocks of an entry says what it is: the first, or behind its signature, or behind what its arguments are, where
/// that is said of it by its name.
fn told_at(blocks: &[Block], own: Range<usize>, title: &str) -> usize {
    let block = |at: usize| blocks.get(at).filter(|_| at < own.end);
    match block(own.start).map(|block| &block.kind) {
        Some(BlockKind::Code { text, .. }) if begins_with_name(text, title) => own.start + 1,
        Some(
            BlockKind::List { .. }
            | BlockKind::Definitions(_)
            | BlockKind::Quote(_)
            | BlockKind::Admonition { .. },
        ) => {
            let mut behind = (own.start + 1..own.end).take(BEHIND_MAX);
            let names = |at: &usize| match block(*at).map(|block| &block.kind) {
                Some(BlockKind::Paragraph(text)) => begins_with_name(&plain(text), title),
                _ => false,
            };
            behind.find(names).unwrap_or(own.start)
        }
        _ => own.start,
    }
}

/// What is said of an entry: the sentence that tells it, the one that warns of it, and what goes on behind the first.
#[derive(Debug, Default)]
struct Said {
    told: Vec<Inline>,
    risk: Option<Vec<Inline>>,
    more: Vec<Vec<Inline>>,
}

/// What a paragraph, and those behind it as far as the entry goes, say of it.
fn said_in(
    text: &[Inline],
    blocks: &[Block],
    behind_it: Range<usize>,
    title: &str,
) -> Option<Said> {
    let mut sentences = with_turns(cut_sentences(text));
    let is_whole = ends_sentence(&plain(text)) || behind_it.is_empty();
    let names = |sentence: &Vec<Inline>| begins_with_name(&plain(sentence), title);
    // What is said of others may come first, to tell this one apart from them.
    let first = sentences.iter().take(SENTENCES).position(names);
    let told = sentences.drain(..=first.unwrap_or_default()).next_back()?;
    if !is_whole && !ends_sentence(&plain(&told)) {
        return None;
    }
    let behind = || behind(blocks, behind_it.clone());
    // How things are without it says the opposite of what it does.
    let turned = match first.is_none() && is_of_others(&plain(&told)) {
        true => behind().find(names),
        false => None,
    };
    let is_risk = |sentence: &Vec<Inline>| {
        let text = plain(sentence);
        text.chars().count() <= LINE_CHARS && ends_sentence(&text) && warns(&text)
    };
    let risk = sentences.iter().find(|sentence| is_risk(sentence)).cloned();
    let risk = risk.or_else(|| behind().find(is_risk));
    let (told, more) = match turned {
        Some(turned) => (turned, Vec::new()),
        None => (told, sentences),
    };
    let risk = risk.filter(|risk| *risk != told);
    let more = more
        .into_iter()
        .filter(|sentence| Some(sentence) != risk.as_ref());
    Some(Said {
        more: more.collect(),
        told,
        risk,
    })
}

/// What the first row of a table says of an entry.
fn said_in_row(header: &[Vec<Inline>], rows: &[Vec<Vec<Inline>>]) -> Option<Said> {
    let is_blank = header.iter().all(|cell| plain(cell).trim().is_empty());
    let first = if is_blank { rows.first()? } else { header };
    let mut cells = first.iter();
    let (label, told) = (cells.next()?, cells.next()?);
    let mut row = label.clone();
    row.push(Inline::Text(" ".into()));
    row.extend(cut_sentences(told).into_iter().next()?);
    Some(Said {
        told: row,
        ..Said::default()
    })
}

/// The line of an entry: what it is called, and the sentence or the first row of the table right below that.
fn line(blocks: &[Block], own: Range<usize>) -> Option<Piece> {
    let BlockKind::Heading { text, .. } = &blocks.get(own.start)?.kind else {
        return None;
    };
    let title = plain(text);
    if title.chars().count() > TITLE_CHARS {
        return None;
    }
    let is_note = |at: &usize| {
        let block = blocks.get(*at);
        block.is_some_and(|block| {
            matches!(block.kind, BlockKind::Paragraph(_)) && tells_version(&block_text(block))
        })
    };
    let first = (own.start + 1..own.end).find(|at| !is_note(at))?;
    let at = told_at(blocks, first..own.end, &title);
    let said = match &blocks.get(at).filter(|_| at < own.end)?.kind {
        BlockKind::Paragraph(text) => said_in(text, blocks, at + 1..own.end, &title)?,
        BlockKind::Table { header, rows, .. } => said_in_row(header, rows)?,
        _ => return None,
    };
    let words = plain(&said.told);
    let is_sentence = words.split_whitespace().count() >= 3
        && words.chars().count() <= LINE_CHARS
        && !words.trim_end().ends_with([':', '·', ',']);
    if !is_sentence {
        return None;
    }
    // A sentence that begins with the name says it already.
    let mut line = match begins_with_name(&words, &title) && said.told.iter().any(is_code) {
        true => Vec::new(),
        false if at > first && !is_code_at(blocks, first) => return None,
        false => {
            let (number, called) = parted(&title);
            let number = (!number.is_empty()).then(|| Inline::Text(number.to_owned()));
            let called = Inline::Code(called.to_owned());
            let named = number.into_iter().chain([called]);
            named.chain([Inline::Text(": ".into())]).collect()
        }
    };
    line.extend(said.told);
    line.extend(said.risk.into_iter().flat_map(after_space));
    let span = blocks
        .get(at)
        .map(|block| block.span.clone())
        .unwrap_or_default();
    let mut chars = words.chars().count();
    let fitting = said.more.into_iter().take_while(|sentence| {
        let text = plain(sentence);
        chars += text.chars().count();
        chars <= LONGER_CHARS && !text.trim_end().ends_with([':', '：'])
    });
    let more: Vec<Inline> = fitting.flat_map(after_space).collect();
    let longer = (!more.is_empty()).then(|| item([line.as_slice(), &more].concat(), &span));
    Piece::harmless(at, item(line, &span)).map(|piece| piece.or_longer(longer))
}

/// A list of one item.
fn item(line: Vec<Inline>, span: &Span) -> Block {
    let block = |kind: BlockKind| Block {
        kind,
        span: span.clone(),
    };
    block(BlockKind::List {
        start: None,
        items: vec![vec![block(BlockKind::Paragraph(line))]],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_readers::markup::markdown;

    fn lines(sections: impl IntoIterator<Item = String>) -> Vec<String> {
        let source: String = sections.into_iter().collect();
        let blocks = markdown::read(format!("# Kilns\n\n{source}")).blocks;
        let entries = entries(&blocks, &Outline::of(&blocks));
        let mut entries: Vec<(usize, Piece)> = entries.into_iter().collect();
        entries.sort_by_key(|(number, _)| *number);
        let texts = entries.iter().flat_map(|(_, piece)| &piece.blocks);
        texts
            .map(|block| block_text(block).trim().to_owned())
            .collect()
    }

    #[test]
    fn each_entry_of_a_reference_has_a_line_with_its_name_and_what_it_does() {
        let function = |number: usize| {
            format!(
                "## fn open_door_{number}(&self)\n\nOpens door {number} of the kiln. It is heavy.\n\n"
            )
        };
        let lines = lines((0..20).map(function));
        assert_eq!(lines.len(), 20);
        assert_eq!(lines[3], "fn open_door_3(&self): Opens door 3 of the kiln.");
    }

    #[test]
    fn the_number_of_a_section_is_none_of_its_name() {
        let command = |number: usize| {
            format!("## 2.{number}. OPEN_DOOR_{number}\n\nThis command opens a door.\n\n")
        };
        let blocks = markdown::read((1..20).map(command).collect::<String>()).blocks;
        let entries = entries(&blocks, &Outline::of(&blocks));
        let line = entries.values().find_map(|piece| piece.blocks.first());
        let line = skillkiln_document::markdown::write(&[line.unwrap().clone()]);
        assert!(line.starts_with("- 2."), "{line}");
        assert!(line.contains(". `OPEN_DOOR_"), "{line}");
        let titled = |number: usize| {
            format!("## 2.{number}. Doors (door{number}.c)\n\nIt opens a door.\n\n")
        };
        assert!(lines((1..20).map(titled)).is_empty());
    }

    #[test]
    fn an_entry_is_told_by_the_sentence_that_is_said_of_it_and_not_by_since_when_it_is() {
        let setting = |number: usize| {
            format!(
                "## door_{number}\n\nAdded in: v17.2.0\n\nA kiln usually has one door. The `door_{number}` setting says how wide it opens.\n\n"
            )
        };
        let lines = lines((0..20).map(setting));
        assert_eq!(lines[3], "The door_3 setting says how wide it opens.");
    }

    #[test]
    fn what_an_entry_is_may_stand_behind_its_arguments_or_its_signature() {
        let function = |number: usize| {
            format!(
                "## open_door_{number}(wide)\n\n- wide: number\n\nThe `open_door_{number}()` method opens door {number}.\n\n"
            )
        };
        assert_eq!(
            lines((0..20).map(function))[3],
            "The open_door_3() method opens door 3."
        );
        let function = |number: usize| {
            format!(
                "## classmethod open_door_{number}\n\n```\nopen_door_{number}(wide, slow)\n```\n\nOpens door {number} of the kiln.\n\n"
            )
        };
        assert_eq!(
            lines((0..20).map(function))[3],
            "classmethod open_door_3: Opens door 3 of the kiln."
        );
        let function = |number: usize| {
            format!(
                "## open_door_{number}(wide)\n\n- wide: number\n\nIt opens door {number} of the kiln.\n\n"
            )
        };
        assert!(lines((0..20).map(function)).is_empty());
    }

    #[test]
    fn an_entry_is_told_with_what_turns_it_and_with_its_risk_and_never_by_how_it_is_without_it() {
        let lines = |said: &str| {
            let setting = |number: usize| {
                format!(
                    "## door_{number}\n\n{}\n\n",
                    said.replace('#', &number.to_string())
                )
            };
            lines((0..20).map(setting))[3].clone()
        };
        assert_eq!(
            lines("Opens door #. However, it never shuts it. It is red."),
            "door_3: Opens door 3. However, it never shuts it."
        );
        assert_eq!(
            lines("By default, doors are shut.\n\nIt is red. The `door_#` setting opens them."),
            "The door_3 setting opens them."
        );
        assert_eq!(
            lines("Opens door # of the kiln.\n\nIt is red. Its use is discouraged."),
            "door_3: Opens door 3 of the kiln. Its use is discouraged."
        );
    }

    #[test]
    fn of_an_entry_that_opens_with_a_table_the_first_row_says_what_it_is() {
        let setting = |number: usize| {
            format!(
                "## KilnDoor{number}\n\n| | |\n|---|---|\n| Description: | The door {number} of it |\n| Default: | {number} |\n\n"
            )
        };
        let lines = lines((0..20).map(setting));
        assert_eq!(lines[3], "KilnDoor3: Description: The door 3 of it");
    }

    #[test]
    fn what_stands_between_entries_on_how_they_are_used_is_no_entry() {
        let function = |number: usize| {
            format!("## open_door_{number}()\n\nOpens door {number} of the kiln.\n\n")
        };
        let guide = "## Basic Examples\n\nThese are the ways to begin.\n\n## Slow doors\n\nOld doors need oil.\n\n";
        let lines = lines(std::iter::once(guide.to_owned()).chain((0..20).map(function)));
        assert_eq!(lines.len(), 20, "{lines:?}");
        assert!(lines.iter().all(|line| line.starts_with("open_door_")));
    }

    #[test]
    fn a_single_entry_between_sections_is_a_section_too() {
        let section =
            |number: usize| format!("## How the fire number {number} burns\n\nIt burns wood.\n\n");
        let function = |number: usize| {
            format!("## open_door_{number}()\n\nOpens door {number} of the kiln.\n\n")
        };
        let sections = [section(1), function(99), section(2)];
        let lines = lines(sections.into_iter().chain((0..20).map(function)));
        assert_eq!(lines.len(), 20, "{lines:?}");
    }

    #[test]
    fn chapters_of_a_guide_and_a_few_functions_are_no_entries() {
        let chapter = |number: usize| {
            format!(
                "## Firing {number}\n\n{}\n\n",
                "The kiln is fired with dry wood and closed. ".repeat(40)
            )
        };
        assert!(lines((0..40).map(chapter)).is_empty());
        let function =
            |number: usize| format!("## open_door_{number}()\n\nOpens the door of the kiln.\n\n");
        assert!(lines((0..5).map(function)).is_empty());
    }
}
