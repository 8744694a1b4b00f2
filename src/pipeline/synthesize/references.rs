//! Owns the reference files: the whole source in its order, one file a topic, each of a size that is read at once, with a
//! table of contents when it is long and a line for each section that says where in the source it stands.

use super::compose::same_words;
use super::contents::{Entry, entries};
use super::describe::clip;
use super::divided::divided;
use super::heading_words::{for_description, is_structural};
use super::outline::{Outline, Part, block_text, is_generic, is_peripheral};
use super::page::{Page, tokens};
use super::portions::written_tokens;
use super::provenance::source_line;
use super::segments::segments;
use super::signature;
use super::wording::is_unfinished;
use crate::domain::document::{Block, BlockKind};
use crate::domain::failure::{Failure, Reason};
use crate::domain::skill::ReferenceFile;
use crate::domain::text::{plain, slug, squash};
use crate::pipeline::product::{Origin, Trace};
use crate::pipeline::scaffold::{CONTENTS, VAGUE_FILES};
use std::collections::{HashSet, VecDeque};

/// A file is cut before it grows past this, so that it stays below the allowed 10,000 however tokens are counted.
const TOKENS_MAX: usize = 7_500;
/// A file that has grown past this all the same, because marks cost more than words, is written again as two.
const TOKENS_WRITTEN_MAX: usize = 9_500;
/// A smaller part shares a file with its neighbour.
const PART_WORDS_MIN: usize = 160;
/// A longer file begins with a table of contents (V065).
const LINES_WITHOUT_CONTENTS: u32 = 96;
/// Neighbours share a file while there are more files than these, and more than one for so many tokens: what an agent opens
/// should be worth the opening, and each pointer in SKILL.md costs a line that all readers pay.
const FILES_AIM: usize = 8;
const TOKENS_AIM: usize = 1_600;
/// More files than SKILL.md can point at.
const FILES_MAX: usize = 320;
/// Beyond so many, what points at them would leave a body nothing else: they are packed as full as they may be, and have short names.
pub(super) const MANY_FILES: usize = 60;
/// A file of so many sections is called by all of them, in so many letters.
const TITLES_MAX: usize = 3;
const TITLES_CHARS: usize = 80;
const BETWEEN_TITLES: &str = "; ";
const UNTIL_TITLE: &str = " … ";
const TOKENS_PACKED: usize = 8_500;
const NAME_CHARS: usize = 48;
const NAME_CHARS_OF_MANY: usize = 20;
/// A part with fewer words is no file, however large its neighbour is.
const FILE_WORDS_MIN: usize = 30;
/// A longer term is named by its first word.
const TERM_CHARS_MAX: usize = 32;
/// So many terms stand for all in a pointer.
const TOPICS_OF_TERMS: usize = 4;

/// A reference file and what a pointer to it says.
#[derive(Debug, Clone)]
pub(super) struct Reference {
    /// The file.
    pub(super) file: ReferenceFile,
    /// Which blocks of the source it holds.
    pub(super) blocks: std::ops::Range<usize>,
    /// Its title.
    pub(super) title: String,
    /// What it holds, in the source's words.
    pub(super) topics: Vec<String>,
}

impl Reference {
    /// Whether its title names a section.
    pub(super) fn names(&self, section: &str) -> bool {
        titles_in(&self.title).any(|own| same_words(own, section))
    }
}

/// Writes the reference files for `blocks`.
///
/// # Errors
/// [`Reason::TooLarge`] when the source needs more files than a skill can point at.
pub(super) fn write(
    blocks: &[Block],
    outline: &Outline,
    title: &str,
    origin: &Origin,
) -> Result<(Vec<Reference>, Vec<Trace>), Failure> {
    let mut references = Vec::new();
    let mut traces = Vec::new();
    let mut taken = HashSet::new();
    let sizes: Vec<usize> = blocks.iter().map(written_tokens).collect();
    let common = outline.common_titles();
    let mut parts: VecDeque<Part> = plan(blocks, outline, &sizes).into();
    let name_chars = match parts.len() > MANY_FILES {
        true => NAME_CHARS_OF_MANY,
        false => NAME_CHARS,
    };
    while let Some(part) = parts.pop_front() {
        if references.len() >= FILES_MAX {
            return Err(Failure::new(
                Reason::TooLarge,
                "the source is too long for one skill; send a part of it, or select some of its topics as a catalogue",
            ));
        }
        let content = blocks.get(part.blocks.clone()).unwrap_or_default();
        let file_title = if content.len() == blocks.len() {
            title.to_owned()
        } else {
            file_title(&part, content, outline, title, &common)
        };
        let (text, mut evidence) = file(
            references.len(),
            &file_title,
            &part,
            blocks,
            outline,
            origin,
        );
        if part.blocks.len() > 1 && tokens(&text) > TOKENS_WRITTEN_MAX {
            let size: usize = sizes
                .get(part.blocks.clone())
                .unwrap_or_default()
                .iter()
                .sum();
            for half in halved(part, outline, &sizes, size / 2 + 1)
                .into_iter()
                .rev()
            {
                parts.push_front(half);
            }
            continue;
        }
        let base = base_name(
            titles_in(&file_title).next().unwrap_or_default(),
            title,
            references.len(),
            name_chars,
        );
        let filename = filename(base, &mut taken);
        traces.append(&mut evidence);
        let topics = topics(content, &file_title);
        references.push(Reference {
            file: ReferenceFile {
                filename,
                content: text,
            },
            blocks: part.blocks.clone(),
            title: title_apart(&references, &file_title, &topics),
            topics,
        });
    }
    Ok((references, traces))
}

/// Which blocks make a file each.
fn plan(blocks: &[Block], outline: &Outline, sizes: &[usize]) -> Vec<Part> {
    let has_headings = outline.sections.iter().any(|section| section.level > 0);
    let parts = if has_headings {
        outline.parts()
    } else {
        segments(blocks, FILES_MAX)
    };
    let size =
        |range: std::ops::Range<usize>| sizes.get(range).unwrap_or_default().iter().sum::<usize>();
    let mut out: Vec<Part> = Vec::new();
    for part in parts {
        match out.last_mut() {
            // A small part goes into its neighbour's file, a lead into that of what it leads to.
            Some(last)
                if (part.words < PART_WORDS_MIN || last.words < PART_WORDS_MIN)
                    && size(last.blocks.start..part.blocks.end) < TOKENS_MAX / 2
                    || holds_nothing(&part, sizes)
                    || holds_nothing(last, sizes) =>
            {
                if last.words < part.words {
                    last.name.clone_from(&part.name);
                }
                last.blocks.end = part.blocks.end;
                last.words += part.words;
            }
            _ => out.push(part),
        }
    }
    let total: usize = sizes.iter().sum();
    let aim = (total / TOKENS_AIM).clamp(1, FILES_AIM);
    let out = if out.len() > aim {
        join_while_small(out, sizes, (total / aim).clamp(TOKENS_AIM, TOKENS_MAX))
    } else {
        out
    };
    let cut = |parts: Vec<Part>, most: usize| -> Vec<Part> {
        let parts = parts.into_iter();
        parts
            .flat_map(|part| halved(part, outline, sizes, most))
            .collect()
    };
    let out = cut(out, TOKENS_MAX);
    if out.len() <= MANY_FILES {
        return out;
    }
    join_while_small(cut(out, TOKENS_PACKED / 3), sizes, TOKENS_PACKED)
}

/// Whether a part has neither words nor much else.
fn holds_nothing(part: &Part, sizes: &[usize]) -> bool {
    let size: usize = sizes
        .get(part.blocks.clone())
        .unwrap_or_default()
        .iter()
        .sum();
    part.words < FILE_WORDS_MIN && size < TOKENS_MAX / 16
}

/// Joins neighbours while they are not more than `tokens` together.
fn join_while_small(parts: Vec<Part>, sizes: &[usize], tokens: usize) -> Vec<Part> {
    let size =
        |range: std::ops::Range<usize>| sizes.get(range).unwrap_or_default().iter().sum::<usize>();
    let mut out: Vec<Part> = Vec::new();
    let mut last_size = 0;
    for part in parts {
        let own = size(part.blocks.clone());
        match out.last_mut() {
            Some(last) if last_size + own <= tokens => {
                if last.words < part.words {
                    last.name.clone_from(&part.name);
                }
                last.blocks.end = part.blocks.end;
                last.words += part.words;
                last_size += own;
            }
            _ => {
                last_size = own;
                out.push(part);
            }
        }
    }
    out
}

/// Cuts a part that has more than `most` tokens: before headings where possible, the higher the better.
fn halved(part: Part, outline: &Outline, sizes: &[usize], most: usize) -> Vec<Part> {
    let mut out = Vec::new();
    let mut start = part.blocks.start;
    while start < part.blocks.end {
        let mut end = start;
        let mut total = 0;
        while let Some(size) = sizes.get(end).filter(|_| end < part.blocks.end) {
            if total + size > most && end > start {
                break;
            }
            total += size;
            end += 1;
        }
        if end < part.blocks.end {
            // The best place in the second half: the section that is highest, the last of equals.
            let first = outline.sections.partition_point(|s| s.own.start <= start);
            let last = outline.sections.partition_point(|s| s.own.start <= end);
            let mut reached = 0;
            let mut counted = start;
            let mut best: Option<(u8, usize)> = None;
            for section in outline.sections.get(first..last).unwrap_or_default() {
                reached += sizes
                    .get(counted..section.own.start)
                    .unwrap_or_default()
                    .iter()
                    .sum::<usize>();
                counted = section.own.start;
                if reached * 3 >= total && best.is_none_or(|(level, _)| section.level <= level) {
                    best = Some((section.level, section.own.start));
                }
            }
            if let Some((_, position)) = best {
                end = position;
            }
        }
        out.push(Part {
            name: part.name.clone(),
            is_lead: part.is_lead,
            blocks: start..end,
            words: part.words,
        });
        start = end;
    }
    out
}

/// The headings of the highest level in `blocks`.
pub(super) fn top_headings(blocks: &[Block]) -> Vec<String> {
    let headings = || {
        blocks.iter().filter_map(|block| match &block.kind {
            BlockKind::Heading { level, text } => Some((*level, text)),
            _ => None,
        })
    };
    let highest = headings().map(|(level, _)| level).min().unwrap_or(0);
    headings()
        .filter(|(level, _)| *level == highest)
        .map(|(_, text)| squash(&plain(text)))
        .collect()
}

/// The headings of the highest level below which there are too few words to name a file by them.
fn brief_sections(blocks: &[Block]) -> HashSet<String> {
    let levels = blocks.iter().filter_map(|block| match block.kind {
        BlockKind::Heading { level, .. } => Some(level),
        _ => None,
    });
    let highest = levels.min().unwrap_or(0);
    let mut sections: Vec<(String, usize)> = Vec::new();
    for block in blocks {
        match &block.kind {
            BlockKind::Heading { text, level } if *level == highest => {
                sections.push((squash(&plain(text)), 0));
            }
            _ => {
                if let Some((_, words)) = sections.last_mut() {
                    *words += block_text(block).split_whitespace().count();
                }
            }
        }
    }
    let brief = sections
        .into_iter()
        .filter(|(_, words)| *words < FILE_WORDS_MIN);
    brief.map(|(title, _)| title).collect()
}

/// A title for a file: its one heading, the first of several, or where it goes on.
fn file_title(
    part: &Part,
    content: &[Block],
    outline: &Outline,
    title: &str,
    common: &HashSet<&str>,
) -> String {
    let starts_with_heading = matches!(
        content.first().map(|block| &block.kind),
        Some(BlockKind::Heading { .. })
    );
    let tops = top_headings(content);
    let brief = brief_sections(content);
    let tells = |heading: &&String| {
        let words = heading.trim_end_matches([':', ' ']);
        !common.contains(heading.as_str())
            && !is_generic(words)
            && !is_peripheral(words)
            && !is_structural(words)
    };
    let path = outline
        .section_at(part.blocks.start)
        .map(|section| outline.path(section))
        .unwrap_or_default();
    // An example or its like is called with the section that it belongs to.
    let above = path
        .iter()
        .rev()
        .nth(1)
        .copied()
        .filter(|above| *above != title);
    let chosen = match tops.as_slice() {
        [only] if starts_with_heading && (tells(&only) || above.is_none()) => only.clone(),
        [only] if starts_with_heading => {
            let above = above.unwrap_or_default();
            format!("{above}: {}", only.trim_end_matches([':', ' ']))
        }
        [first, ..] if starts_with_heading && content.len() > 1 => {
            // Several sections: all of them, or the one that gave the part its name, or the first that tells.
            let of_all = || {
                tops.iter()
                    .find(|heading| **heading == part.name)
                    .filter(tells)
                    .or_else(|| tops.iter().find(tells))
                    .or_else(|| tops.iter().find(|heading| names_contents(heading)))
                    .unwrap_or(first)
                    .clone()
            };
            let is_worth_naming = |heading: &&String| tells(heading) && !brief.contains(*heading);
            of_several(&tops, &is_worth_naming).unwrap_or_else(of_all)
        }
        _ if !part.name.is_empty() && part.blocks.start == section_start(part, outline) => {
            part.name.clone()
        }
        _ => {
            let own = path.last().copied().unwrap_or(&part.name);
            let stem = if own.is_empty() { title } else { own };
            match tops.iter().find(tells) {
                Some(heading) => heading.clone(),
                None if part.is_lead || outline.sections.len() <= 1 && !part.name.is_empty() => {
                    stem.to_owned()
                }
                None => continued(stem, content),
            }
        }
    };
    let chosen = clip(&squash(&chosen), 100);
    if chosen.is_empty() {
        title.to_owned()
    } else {
        chosen
    }
}

/// A title for several sections: each of a few, the first and the last of more; `None` where that is too long or does not tell.
fn of_several(tops: &[String], tells: &dyn Fn(&&String) -> bool) -> Option<String> {
    let bare = |heading: &String| heading.trim_end_matches([':', ' ']).to_owned();
    let title = match tops {
        [first, .., last] if tops.len() > TITLES_MAX => {
            if !(tells(&first) && tells(&last)) {
                return None;
            }
            [bare(first), bare(last)].join(UNTIL_TITLE)
        }
        _ => {
            let told: Vec<String> = tops.iter().filter(tells).map(bare).collect();
            told.join(BETWEEN_TITLES)
        }
    };
    let is_one = titles_in(&title).nth(1).is_none();
    (!is_one && title.chars().count() <= TITLES_CHARS).then_some(title)
}

/// Whether a heading says at least of what kind what stands below it is, and not only who made it.
fn names_contents(heading: &str) -> bool {
    let is_author = heading
        .get(..6)
        .is_some_and(|start| start.eq_ignore_ascii_case("author"));
    !is_generic(heading) && !is_peripheral(heading) && !is_author
}

/// A title for what begins in the middle of a section: the section with its first and last term, or with what it comes back to.
fn continued(section: &str, content: &[Block]) -> String {
    let section = section.trim_end_matches([':', ' ']);
    match terms(content).as_slice() {
        [first, .., last] => format!("{section}: {first} to {last}"),
        [only] => format!("{section}: {only}"),
        [] => match super::describe::Gist::of(content).phrases(2) {
            [] => section.to_owned(),
            phrases => format!("{section}: {}", phrases.join(", ")),
        },
    }
}

/// What the lists of definitions in a file define, each by its first name.
fn terms(content: &[Block]) -> Vec<String> {
    let entries = content.iter().filter_map(|block| match &block.kind {
        BlockKind::Definitions(entries) => Some(entries),
        _ => None,
    });
    let mut out: Vec<String> = Vec::new();
    for entry in entries.flatten() {
        let Some(term) = entry.terms.first().map(|term| squash(&plain(term))) else {
            continue;
        };
        let name = short_term(&term);
        if name.contains(char::is_alphabetic) && !is_unfinished(&name) && !out.contains(&name) {
            out.push(name);
        }
    }
    out
}

/// `--heat` of `-h, --heat=DEGREES`, and the first words of what is no option.
fn short_term(term: &str) -> String {
    let words = term
        .split([' ', ',', '=', '[', '<', '|'])
        .filter(|word| !word.is_empty());
    let is_option = |word: &&str| word.starts_with('-') && word.contains(char::is_alphabetic);
    let long = words
        .clone()
        .find(|word| word.starts_with("--") && word.len() > 3);
    match long.or_else(|| words.clone().next().filter(is_option)) {
        Some(option) => option.to_owned(),
        None if term.chars().count() <= TERM_CHARS_MAX => {
            term.trim_end_matches([':', ',', '.']).to_owned()
        }
        None => words.clone().next().unwrap_or_default().to_owned(),
    }
}

fn section_start(part: &Part, outline: &Outline) -> usize {
    outline
        .section_at(part.blocks.start)
        .and_then(|number| outline.sections.get(number))
        .map_or(usize::MAX, |section| section.own.start)
}

/// The name of a file, without its folder and ending.
fn base_name(title: &str, whole: &str, number: usize, chars: usize) -> String {
    match slug(&signature::short(title), chars) {
        nothing if nothing.len() < 2 => format!("section-{}", number + 1),
        // A version or a date tells only beside what it is one of.
        vague if VAGUE_FILES.contains(&vague.as_str()) || !vague.contains(char::is_alphabetic) => {
            let room = chars.saturating_sub(vague.len() + 1);
            let named = slug(&format!("{} {vague}", slug(whole, room)), chars);
            if named.contains(char::is_alphabetic) {
                named
            } else {
                format!("section-{vague}")
            }
        }
        base => base,
    }
}

fn filename(base: String, taken: &mut HashSet<String>) -> String {
    let mut candidate = base.clone();
    let mut next = 2;
    while !taken.insert(candidate.clone()) {
        candidate = format!("{base}-{next}");
        next += 1;
    }
    format!("references/{candidate}.md")
}

/// A title as a pointer shows it: the first topic where the file's own title stands already.
fn title_apart(references: &[Reference], title: &str, topics: &[String]) -> String {
    let own = signature::heading(title);
    match topics.first() {
        Some(topic) if references.iter().any(|other| other.title == own) => topic.clone(),
        _ => own.into_owned(),
    }
}

/// What a file holds, for the pointer that leads to it.
fn topics(content: &[Block], title: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for block in content {
        if let BlockKind::Heading { text, .. } = &block.kind {
            let words = topic(&plain(text));
            if !words.is_empty()
                && words.chars().count() <= 60
                && !is_named_in(title, &words)
                && !is_generic(&words)
                && !is_structural(&words)
                && !is_peripheral(&words)
                && !super::wording::ages_or_fills(&words)
                && !out.contains(&words)
            {
                out.push(words);
            }
        }
        if out.len() >= 4 {
            return out;
        }
    }
    let terms = terms(content);
    if out.is_empty() && terms.len() > 2 {
        let last = terms.len() - 1;
        let spread =
            (0..TOPICS_OF_TERMS).filter_map(|at| terms.get(at * last / (TOPICS_OF_TERMS - 1)));
        out = spread.cloned().collect();
        out.dedup();
    }
    if out.is_empty() {
        let lower = title.to_lowercase();
        let phrases: Vec<String> = super::describe::Gist::of(content)
            .phrases(6)
            .iter()
            .filter(|phrase| !lower.contains(&phrase.to_lowercase()))
            .cloned()
            .collect();
        // A run of words tells more than a word.
        let (runs, single): (Vec<String>, Vec<String>) = phrases
            .into_iter()
            .partition(|phrase| phrase.contains([' ', '-']));
        out = runs.into_iter().chain(single).take(3).collect();
    }
    out
}

/// The titles of sections that make the title of a file.
fn titles_in(title: &str) -> impl Iterator<Item = &str> {
    title
        .split(BETWEEN_TITLES)
        .flat_map(|own| own.split(UNTIL_TITLE))
}

/// Whether the title of a file names this one of its sections.
fn is_named_in(title: &str, words: &str) -> bool {
    titles_in(title).any(|own| for_description(own).eq_ignore_ascii_case(words))
}

/// A heading as a topic of a pointer: a short signature as it stands, for without its types it is in no source.
fn topic(heading: &str) -> String {
    let heading = squash(heading);
    let repeated = signature::heading(&heading);
    if signature::short(&heading) != heading && repeated == heading {
        heading
    } else {
        for_description(&heading)
    }
}

fn file(
    number: usize,
    title: &str,
    part: &Part,
    blocks: &[Block],
    outline: &Outline,
    origin: &Origin,
) -> (String, Vec<Trace>) {
    let content = blocks.get(part.blocks.clone()).unwrap_or_default();
    let draft = body(number, title, part, content, outline, origin, None);
    if draft.lines() <= LINES_WITHOUT_CONTENTS {
        return draft.finish();
    }
    let divided = divided(title, content);
    let content = divided.as_deref().unwrap_or(content);
    let entries = entries(title, content);
    if entries.is_empty() {
        return draft.finish();
    }
    body(
        number,
        title,
        part,
        content,
        outline,
        origin,
        Some(&entries),
    )
    .finish()
}

fn body(
    number: usize,
    title: &str,
    part: &Part,
    content: &[Block],
    outline: &Outline,
    origin: &Origin,
    contents: Option<&[Entry]>,
) -> Page {
    let mut page = Page::new(Some(number)).telling_moments(origin);
    page.add_heading(1, title, content.first().map(|block| &block.span));
    let path = outline
        .section_at(part.blocks.start)
        .map(|section| outline.path(section).join(" > "))
        .unwrap_or_default();
    let first = content
        .first()
        .map(|block| block.span.clone())
        .unwrap_or_default();
    page.add(&source_line(&path, &first, origin, true), None);
    page.note_moment(&first);
    if let Some(entries) = contents {
        page.add_heading(2, CONTENTS, None);
        for (position, entry) in entries.iter().enumerate() {
            let line = format!(
                "{}- [{}](#{})",
                "  ".repeat(entry.depth),
                entry.label,
                entry.anchor
            );
            if position == 0 {
                page.add(&line, None);
            } else {
                page.add_line(&line, None);
            }
        }
    }
    let mut title_due = true;
    for (offset, block) in content.iter().enumerate() {
        let BlockKind::Heading { level, text } = &block.kind else {
            page.add_block(block);
            continue;
        };
        // The file's title stands for the heading it repeats.
        if title_due
            && offset == 0
            && squash(&plain(text)) == title
            && top_headings(content).len() == 1
        {
            title_due = false;
            continue;
        }
        let out_level = page.below(1, *level);
        page.add(
            &super::page::heading(out_level, text.clone()),
            Some(&block.span),
        );
        if out_level == 2
            && (block.span.page().is_some()
                || block.span.seconds().is_some()
                || block.span.fragment().is_some())
        {
            let path = outline
                .section_at(part.blocks.start + offset)
                .map(|section| outline.path(section).join(" > "))
                .unwrap_or_default();
            page.add(&source_line(&path, &block.span, origin, false), None);
            page.note_moment(&block.span);
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::Span;
    use crate::domain::text::Inline;

    #[test]
    fn a_file_of_several_sections_is_called_by_all_of_a_few_and_by_the_ends_of_many() {
        let title = |tops: &[&str]| {
            let tops: Vec<String> = tops.iter().map(|top| (*top).to_owned()).collect();
            of_several(&tops, &|heading| *heading != "Notes")
        };
        assert_eq!(title(&["Doors", "Wood:"]).unwrap(), "Doors; Wood");
        assert_eq!(title(&["1.4", "1.3", "1.2", "1.1"]).unwrap(), "1.4 … 1.1");
        assert_eq!(title(&["Doors", "Notes"]), None);
        assert_eq!(title(&["Notes", "Doors", "Wood", "Ash"]), None);
        assert_eq!(title(&["Doors", &"Wood and ash ".repeat(9)]), None);
    }

    #[test]
    fn files_that_are_many_are_packed_as_full_as_they_may_be() {
        let text = |kind| Block {
            kind,
            span: Span::default(),
        };
        let section = |number: usize| {
            let heading = BlockKind::Heading {
                level: 2,
                text: vec![Inline::Text(format!("Kiln {number}"))],
            };
            let words = || BlockKind::Paragraph(vec![Inline::Text("fire it ".repeat(100))]);
            [text(heading), text(words()), text(words())]
        };
        let blocks: Vec<Block> = (0..300).flat_map(section).collect();
        let sizes: Vec<usize> = (0..900)
            .map(|at| if at % 3 == 0 { 5 } else { 2_000 })
            .collect();
        let parts = plan(&blocks, &Outline::of(&blocks), &sizes);
        assert!(parts.len() < 160, "{}", parts.len());
        let mut end = 0;
        for part in parts {
            assert_eq!(part.blocks.start, end, "nothing is left out");
            end = part.blocks.end;
            assert!(sizes[part.blocks].iter().sum::<usize>() <= TOKENS_PACKED);
        }
        assert_eq!(end, blocks.len());
    }

    fn written(text: &str) -> Vec<Reference> {
        let blocks = crate::pipeline::extract::markup::markdown::read(text.to_owned()).blocks;
        let origin = super::super::testing::origin();
        write(&blocks, &Outline::of(&blocks), "kiln", &origin)
            .unwrap()
            .0
    }

    #[test]
    fn a_file_that_begins_among_options_is_called_by_the_first_and_the_last() {
        let option = |number: usize| {
            format!(
                "`-{number}`, `--heat{number}=DEGREES`\n: {}\n\n",
                "Heats it up slowly. ".repeat(60)
            )
        };
        let options: String = (100..240).map(option).collect();
        let files = written(&format!(
            "# Names\n\n{}\n\n# OPTIONS\n\n{options}",
            "Words. ".repeat(400)
        ));
        let last = files.last().unwrap();
        assert!(
            last.title.starts_with("OPTIONS: --heat") && last.title.ends_with(" to --heat239"),
            "{}",
            last.title
        );
        assert_eq!(last.topics.len(), 4);
        assert!(
            last.topics.iter().all(|topic| topic.starts_with("--heat")),
            "{:?}",
            last.topics
        );
    }

    #[test]
    fn a_part_of_a_few_words_is_no_file() {
        let text = format!(
            "# Kilns\n\n![A kiln](a.png)\n\n# Firing\n\n{}\n\n# AUTHOR\n\nAnna.\n",
            "Fire it slowly and well.\n\n".repeat(1_000)
        );
        let files = written(&text);
        assert!(
            files.iter().all(|file| file.title.starts_with("Firing")),
            "{:?}",
            files.iter().map(|file| &file.title).collect::<Vec<_>>()
        );
    }

    #[test]
    fn an_example_is_called_with_its_section() {
        let blocks = crate::pipeline::extract::markup::markdown::read(
            "# Doors\n\n## Example:\n\nOpen it.\n".to_owned(),
        )
        .blocks;
        let part = Part {
            name: String::new(),
            is_lead: false,
            blocks: 1..3,
            words: 3,
        };
        let title = file_title(
            &part,
            &blocks[1..3],
            &Outline::of(&blocks),
            "Kilns",
            &HashSet::new(),
        );
        assert_eq!(title, "Doors: Example");
    }

    #[test]
    fn names_of_many_files_are_short() {
        let name = |chars| base_name("Installing the kiln on other systems", "Kilns", 3, chars);
        assert_eq!(name(NAME_CHARS), "installing-the-kiln-on-other-systems");
        assert!(name(NAME_CHARS_OF_MANY).len() <= 20);
    }
}
