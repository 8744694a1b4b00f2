//! Owns the reference files: the whole source in its order, one file a topic, each of a size that is read at once, with a
//! table of contents when it is long and a line for each section that says where in the source it stands.

pub(super) mod names;

use self::names::{base_name, file_title, filename, title_apart, titles_in, top_headings, topics};
use super::compose::same_words;
use super::contents::{Entry, entries};
use super::divided::divided;
use super::outline::{Outline, Part};
use super::page::{Page, tokens};
use super::portions::written_tokens;
use super::provenance::source_line;
use super::segments::segments;
use super::wording::is_unfinished;
use crate::domain::skill::ReferenceFile;
use crate::pipeline::product::{Origin, Trace};
use crate::pipeline::scaffold::CONTENTS;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_document::text::{letters, plain, squash};
use std::collections::{HashSet, VecDeque};

/// The title of a file names a section by so many letters of its beginning.
const NAMED_CHARS_MIN: usize = 20;
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
/// What is no more than this share of an ordinary file shares one with its neighbour, although a chapter begins between them.
const ENDS_SHARE: usize = 8;
/// More files than SKILL.md can point at.
const FILES_MAX: usize = 320;
/// Beyond so many, what points at them would leave a body nothing else: they are packed as full as they may be, and have short names.
pub(super) const MANY_FILES: usize = 60;
const TOKENS_PACKED: usize = 8_500;
const NAME_CHARS: usize = 48;
const NAME_CHARS_OF_MANY: usize = 20;
/// A part with fewer words is no file, however large its neighbour is.
const FILE_WORDS_MIN: usize = 30;

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
        let begins = |own: &str| {
            own.chars().count() >= NAMED_CHARS_MIN && letters(section).starts_with(&letters(own))
        };
        titles_in(&self.title).any(|own| same_words(own, section) || begins(own))
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
    let mut parts = parts.into_iter().peekable();
    while let Some(part) = parts.next() {
        let leads = parts
            .peek()
            .is_some_and(|next| begins_higher(&part, next, outline));
        match out.last_mut() {
            // A small part goes into its neighbour's file, a lead into that of what it leads to.
            Some(last)
                if (part.words < PART_WORDS_MIN || last.words < PART_WORDS_MIN)
                    && size(last.blocks.start..part.blocks.end) < TOKENS_MAX / 2
                    && !(leads
                        && last.words >= PART_WORDS_MIN
                        && begins_higher(&part, last, outline))
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
        let tokens = (total / aim).clamp(TOKENS_AIM, TOKENS_MAX);
        let is_end = |part: &Part, last: &Part, sizes: [usize; 2]| {
            begins_higher(part, last, outline)
                && sizes.iter().all(|size| size * ENDS_SHARE > tokens)
        };
        join_while_small(out, sizes, tokens, &is_end)
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
    let out = cut(out, TOKENS_PACKED / 3);
    // A file that is as full as it must become anyway ends before a chapter.
    let is_end = |part: &Part, last: &Part, [_, size]: [usize; 2]| {
        begins_higher(part, last, outline) && size * 3 >= TOKENS_PACKED * 2
    };
    join_while_small(out, sizes, TOKENS_PACKED, &is_end)
}

/// Whether a part begins a section that is higher than the one in which the last one begins: a chapter after a section of the chapter
/// before. What begins it leads to what follows, and a file of both would be called by half of it.
fn begins_higher(part: &Part, last: &Part, outline: &Outline) -> bool {
    let level = |part: &Part| {
        let section = outline.section_at(part.blocks.start)?;
        outline.sections.get(section).map(|section| section.level)
    };
    level(part) < level(last)
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

/// Joins neighbours while they are not more than `tokens` together, unless a file ends before the second, as `is_end` says of it, of the
/// first and of the tokens of both.
fn join_while_small(
    parts: Vec<Part>,
    sizes: &[usize],
    tokens: usize,
    is_end: &dyn Fn(&Part, &Part, [usize; 2]) -> bool,
) -> Vec<Part> {
    let size =
        |range: std::ops::Range<usize>| sizes.get(range).unwrap_or_default().iter().sum::<usize>();
    let mut out: Vec<Part> = Vec::new();
    let mut last_size = 0;
    for part in parts {
        let own = size(part.blocks.clone());
        match out.last_mut() {
            Some(last) if last_size + own <= tokens && !is_end(&part, last, [own, last_size]) => {
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
    let path = place(outline, part.blocks.start);
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
            let path = place(outline, part.blocks.start + offset);
            page.add(&source_line(&path, &block.span, origin, false), None);
            page.note_moment(&block.span);
        }
    }
    page
}

/// The headings under which a block stands, the highest first; without those that say of something that it is missing (V070).
fn place(outline: &Outline, block: usize) -> String {
    let section = outline.section_at(block);
    let mut path = section.map_or_else(Vec::new, |section| outline.path(section));
    path.retain(|heading| !is_unfinished(heading));
    path.join(" > ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::blocks::Span;
    use skillkiln_document::text::Inline;

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

    #[test]
    fn a_chapter_begins_no_file_in_which_the_one_before_ends() {
        let text = |kind| Block {
            kind,
            span: Span::default(),
        };
        let section = |level: u8, title: &str| {
            let text_of = vec![Inline::Text(title.to_owned())];
            let heading = BlockKind::Heading {
                level,
                text: text_of,
            };
            let words = BlockKind::Paragraph(vec![Inline::Text("fire it ".repeat(400))]);
            [text(heading), text(words)]
        };
        let blocks: Vec<Block> = (1..40)
            .flat_map(|chapter| {
                let own = section(1, &format!("Chapter {chapter}"));
                let below =
                    (1..7).flat_map(move |number| section(2, &format!("{chapter}.{number} Part")));
                own.into_iter().chain(below)
            })
            .collect();
        let sizes: Vec<usize> = (0..blocks.len())
            .map(|at| if at % 2 == 0 { 5 } else { 2_000 })
            .collect();
        let parts = plan(&blocks, &Outline::of(&blocks), &sizes);
        assert!(parts.len() > MANY_FILES, "{}", parts.len());
        // A chapter has fourteen blocks.
        for part in parts {
            let begun = part.blocks.clone().skip(1).find(|at| at % 14 == 0);
            let before = part.blocks.start..begun.unwrap_or(part.blocks.start);
            let tokens: usize = sizes[before].iter().sum();
            assert!(tokens < TOKENS_PACKED * 2 / 3, "{:?}", part.blocks);
        }
    }

    fn written(text: &str) -> Vec<Reference> {
        let blocks = skillkiln_readers::markup::markdown::read(text.to_owned()).blocks;
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
        let blocks = skillkiln_readers::markup::markdown::read(
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
