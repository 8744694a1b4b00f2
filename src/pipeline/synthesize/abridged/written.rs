//! Owns an abridged body as it is written: the sections with what is shown of them, and where each goes on.

use super::TITLES_TOKENS_MAX;
use super::names::name_tokens;
use super::part::Part;
use super::piece::joined;
use crate::pipeline::product::Origin;
use crate::pipeline::scaffold::{
    FOR_MORE, FOR_THE_REST_OF, READ, READ_WHEN_NEEDED, THE_REST, WHEN_NEEDED,
};
use crate::pipeline::synthesize::describe::without_half_address;
use crate::pipeline::synthesize::loaders;
use crate::pipeline::synthesize::outline::{Outline, Section, is_generic};
use crate::pipeline::synthesize::page::{Mark, Page, paragraph};
use crate::pipeline::synthesize::pointers::{go_on, link, point_at_rest, push_all, telling};
use crate::pipeline::synthesize::references::Reference;
use crate::pipeline::synthesize::references::names::UNTIL_TITLE;
use crate::pipeline::synthesize::series::without_urgency;
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::markdown;
use skillkiln_document::text::{Inline, letters, plain, squash};
use std::collections::HashSet;

/// What stands for the sections that are not named.
const AND_MORE: &str = "…";
/// A section whose title tells nothing is missed where it has so many words.
const MISSED_WORDS_MIN: usize = 80;
/// Of a longer title only the beginning names a section.
const TITLE_CHARS: usize = 60;
/// Of what names sections, one part of so many names those that are cut.
const CUT_OF: usize = 3;
/// So many names of code tell what the rest of a section is about, and fewer do not.
const UNSEEN_MAX: usize = 6;
const UNSEEN_MIN: usize = 2;

/// How a body points at the files.
#[derive(Debug, Clone, Copy)]
pub(super) enum Pointers {
    /// Where sections go on, and a table of all files at the end.
    Table,
    /// Behind what is shown of each file, with so many tokens of the titles in it; a table of those that only surround the rest.
    Lines(usize),
}

/// What a body opens with, and what it is made from.
pub(super) struct Opened<'a> {
    pub(super) header: &'a str,
    pub(super) title: &'a str,
    /// Where the title stands in the source.
    pub(super) span: Option<&'a Span>,
    pub(super) outline: &'a Outline,
    pub(super) origin: &'a Origin,
}

/// SKILL.md with these parts of the sections, and pointers at the files that hold all of them.
pub(super) fn written<'a>(
    opened: &Opened<'_>,
    parts: &'a [Part<'_>],
    references: &'a [Reference],
    way: Pointers,
) -> Page {
    let mut page = Page::new(None).telling_moments(opened.origin);
    page.add(opened.header, None);
    page.add_heading(1, opened.title, opened.span);
    let mut files = references.iter().peekable();
    let mut left: Vec<&Reference> = Vec::new();
    let mut rest = Rest::default();
    let common = opened.outline.common_titles();
    // Files of which nothing is shown, up to the next section that is.
    let mut hidden: Vec<Vec<Inline>> = Vec::new();
    let mut end_file = |page: &mut Page, hidden: &mut Vec<_>, rest: Rest<'_>, file| match (
        way,
        rest.is_beside(file, opened.outline),
    ) {
        (Pointers::Table, _) => left.push(file),
        (Pointers::Lines(_), true) => left.push(file),
        (Pointers::Lines(tokens), false) => {
            let mut names = rest.names(file, tokens - tokens / CUT_OF, &common);
            match rest.is_shown {
                true if names.is_empty() && rest.is_pointed_at => {}
                true if names.is_empty() => {
                    page.add(&go_on(&[file], &[(THE_REST, names)]), None);
                }
                true => {
                    names.splice(0..0, rest.taken_back(page, file));
                    let cut = match rest.cut_titles(tokens / CUT_OF) {
                        _ if !rest.is_cut => None,
                        cut if cut.is_empty() => Some((THE_REST, cut)),
                        cut => Some((FOR_THE_REST_OF, cut)),
                    };
                    let leads: Vec<_> = cut.into_iter().chain([(FOR_MORE, names)]).collect();
                    page.add(&go_on(&[file], &leads), None);
                }
                false => hidden.push(pointer(file, &names)),
            }
        }
    };
    let last_cut = last_cut(parts, references);
    let mut follows_entry = false;
    // Where the section that was headed last ends.
    let mut headed_until = usize::MAX;
    for (number, part) in parts.iter().enumerate() {
        while let Some(file) = files.next_if(|file| file.blocks.end <= part.section.own.start) {
            end_file(&mut page, &mut hidden, std::mem::take(&mut rest), file);
            follows_entry = false;
        }
        let holds_shown = || {
            let inner = parts.get(number + 1..).unwrap_or_default().iter();
            inner
                .take_while(|inner| inner.section.own.start < part.section.end)
                .any(Part::is_shown)
        };
        // "Parameters" below each function, of which only names would stand, says of none of them what they are.
        // An entry of which nothing but its name would stand is named with what else there is to read.
        let is_common = common.contains(part.section.title.as_str());
        let only_names = part.shown.first == 0 && (part.is_entry || is_common);
        let is_shown = part.is_shown() && !only_names || holds_shown();
        rest.note(part, is_shown, opened, &common);
        // Behind the last of what a file tells in full stands where to read it, and not behind what is whole again.
        let file = files.peek().filter(|_| last_cut.contains(&number));
        if !is_shown {
            if let (Pointers::Table, Some(file)) = (way, file) {
                rest.add_to(&mut page, file);
            }
            continue;
        }
        add_pointers(&mut page, std::mem::take(&mut hidden));
        let (first, apart) = (part.shown.first, part.apart());
        let shown = |numbers: &mut dyn Iterator<Item = usize>| {
            joined(numbers.filter_map(|number| part.pieces.get(number)))
        };
        let headings = match part.is_entry {
            // Entries stand under a section of which they are none only by a heading of their own.
            true if !follows_entry && part.section.own.start >= headed_until => {
                headed_until = usize::MAX;
                let heading = run_heading(parts.get(number..).unwrap_or_default());
                heading.into_iter().collect()
            }
            true => Vec::new(),
            false => {
                headed_until = part.heading.map_or(headed_until, |_| part.section.end);
                part.headings().cloned().collect::<Vec<_>>()
            }
        };
        let section = headings.into_iter().chain(shown(&mut (0..first)));
        let section: Vec<Block> = section.collect();
        match (part.is_entry && follows_entry, section.as_slice()) {
            (true, [line]) => page.add_line(&markdown::write(&section), Some(&line.span)),
            _ => page.add_section(1, &section),
        }
        follows_entry = part.is_entry;
        let (missing, are_all) = part.missing();
        let more = vec![Inline::Text(AND_MORE.into())];
        let (places, mut names): (Vec<usize>, Vec<_>) = missing.into_iter().unzip();
        if !names.is_empty() {
            follows_entry = false;
            names.extend((!are_all).then_some(&more));
            let holds = |file: &&Reference| places.iter().any(|at| file.blocks.contains(at));
            let holding: Vec<&Reference> = references.iter().filter(holds).collect();
            let before = page.mark();
            page.add(&go_on(&holding, &[(FOR_MORE, names.clone())]), None);
            let named = names.into_iter().filter(|name| *name != &more);
            rest.pointed = match holding.as_slice() {
                [file] => Some(Pointed {
                    file: file.file.filename.clone(),
                    names: named.cloned().collect(),
                    before,
                    after: page.mark(),
                }),
                _ => None,
            };
            rest.is_told(part);
        }
        rest.is_pointed_at = !places.is_empty();
        page.add_section(1, &shown(&mut apart.into_iter()));
        if let (Pointers::Table, Some(file)) = (way, file) {
            rest.add_to(&mut page, file);
            follows_entry = false;
        }
    }
    for file in files {
        end_file(&mut page, &mut hidden, std::mem::take(&mut rest), file);
    }
    add_pointers(&mut page, hidden);
    let told = told(parts);
    point_at_rest(&mut page, left, &|topic| told.contains(&letters(topic)));
    page
}

/// The numbers of the parts behind which it is told where to read on: of each file the last that is cut, or of which nothing is shown.
fn last_cut(parts: &[Part<'_>], references: &[Reference]) -> HashSet<usize> {
    let is_left_out = |part: &Part<'_>| {
        !part.section.is_aside && part.section.words > 0 && (!part.is_shown() || part.is_cut())
    };
    let starts = |part: &Part<'_>, file: &Reference| file.blocks.contains(&part.section.own.start);
    let last = |file: &Reference| {
        parts
            .iter()
            .rposition(|part| starts(part, file) && is_left_out(part))
    };
    references.iter().filter_map(last).collect()
}

/// What heads the entries with which `parts` begin: what the first is called, and the last.
fn run_heading(parts: &[Part<'_>]) -> Option<Block> {
    // What stands within an entry, such as its example, is not shown beside its line.
    let shown = || parts.iter().filter(|part| part.is_shown());
    let headings = || {
        let run = shown().take_while(|part| part.is_entry);
        run.filter_map(|part| part.heading)
    };
    let first = headings().next()?;
    let mut heading = first.clone();
    if let (BlockKind::Heading { text, .. }, Some(BlockKind::Heading { text: last, .. })) = (
        &mut heading.kind,
        headings().skip(1).last().map(|last| &last.kind),
    ) {
        text.push(Inline::Text(UNTIL_TITLE.to_owned()));
        text.extend(last.iter().cloned());
    }
    Some(heading)
}

/// A line that names what a file holds more.
struct Pointed {
    file: String,
    names: Vec<Vec<Inline>>,
    /// Where the page ended before it and behind it.
    before: Mark,
    after: Mark,
}

/// What the body leaves out of a file: the sections that are cut, and whether any was shown.
struct Rest<'a> {
    cut: Vec<&'a [Inline]>,
    /// Those of which nothing is shown, each as it is called.
    hidden: Vec<(&'a Section, String)>,
    /// What those that are cut speak of where they are not shown, as names of code.
    unseen: Vec<Vec<Inline>>,
    is_cut: bool,
    is_shown: bool,
    /// Whether any section begins in it.
    is_noted: bool,
    /// Whether the last line that is shown points at it already.
    is_pointed_at: bool,
    /// The last line that names what is left out of a section.
    pointed: Option<Pointed>,
    /// Whether it only surrounds the subject.
    is_aside: bool,
}

impl Default for Rest<'_> {
    fn default() -> Self {
        Self {
            cut: Vec::new(),
            hidden: Vec::new(),
            unseen: Vec::new(),
            is_cut: false,
            is_shown: false,
            is_noted: false,
            is_pointed_at: false,
            pointed: None,
            is_aside: true,
        }
    }
}

impl<'a> Rest<'a> {
    fn note(
        &mut self,
        part: &'a Part<'_>,
        is_shown: bool,
        opened: &Opened<'_>,
        common: &HashSet<&str>,
    ) {
        self.is_shown |= is_shown;
        self.is_noted = true;
        self.is_aside &= part.section.is_aside;
        let title = match part.heading.map(|heading| &heading.kind) {
            Some(BlockKind::Heading { text, .. }) => Some(text.as_slice()),
            _ => None,
        };
        let is_empty = opened.outline.is_void(part.section);
        if !is_shown
            && !is_empty
            && !part.section.is_aside
            && let Some(title) = title
            && let Some(called) = called(part.section, title, opened, common)
            && self.hidden.iter().all(|(_, told)| *told != called)
        {
            self.hidden.push((part.section, called));
        }
        if !part.is_cut() || part.section.is_aside {
            return;
        }
        self.is_cut = true;
        if self.unseen.len() < UNSEEN_MAX {
            self.unseen.extend(part.unseen());
            self.unseen.truncate(UNSEEN_MAX);
        }
        // What is called as others are is not named.
        let is_named = part.is_shown() && !common.contains(part.section.title.as_str());
        self.cut.extend(title.filter(|_| is_named));
    }

    /// That it was said of a section where it goes on.
    fn is_told(&mut self, part: &Part<'_>) {
        let title = part.heading.map(|heading| &heading.kind);
        if let Some(BlockKind::Heading { text, .. }) = title
            && self.cut.last().is_some_and(|last| last == text)
        {
            self.cut.pop();
        }
    }

    /// Whether the file only surrounds the subject: all of its sections, or the one that goes on there, where none begins.
    fn is_beside(&self, file: &Reference, outline: &Outline) -> bool {
        let section = outline.section_at(file.blocks.start);
        let section = section.and_then(|number| outline.sections.get(number));
        match self.is_noted {
            true => self.is_aside,
            false => section.is_some_and(|section| section.is_aside),
        }
    }

    /// What a line at the end of the page says that `file` holds more: it is taken back, and said with what else that holds.
    fn taken_back(&self, page: &mut Page, file: &Reference) -> Vec<Vec<Inline>> {
        let last = self.pointed.as_ref();
        let last = last.filter(|last| last.after == page.mark() && last.file == file.file.filename);
        last.map_or(Vec::new(), |last| {
            page.take_back(&last.before);
            last.names.clone()
        })
    }

    /// Adds where the sections above go on, and where those stand that are left out.
    fn add_to(&self, page: &mut Page, file: &Reference) {
        if !(self.is_cut && self.is_shown) {
            return;
        }
        let is_named = |title: &&[Inline]| file.names(&plain(title));
        let hidden = self.hidden_in(file, TITLES_TOKENS_MAX);
        let cut: Vec<Vec<Inline>> = match self.cut.as_slice() {
            // Beside others, what is cut is named even where the file's name does it.
            [title] if is_named(title) && hidden.is_empty() => Vec::new(),
            _ => self.cut_titles(TITLES_TOKENS_MAX),
        };
        let mut leads = vec![(FOR_THE_REST_OF, cut), (FOR_MORE, hidden)];
        leads.retain(|(_, names)| !names.is_empty());
        match leads.is_empty() {
            true if self.is_pointed_at => return,
            // What is hidden is called as the file is.
            true if !self.hidden.is_empty() => leads.push((THE_REST, Vec::new())),
            true if self.unseen.len() >= UNSEEN_MIN => leads.push((FOR_MORE, self.unseen.clone())),
            true => leads.push((THE_REST, Vec::new())),
            false => {}
        }
        let more = self.taken_back(page, file);
        match leads.iter_mut().find(|(lead, _)| *lead == FOR_MORE) {
            Some((_, names)) => {
                names.splice(0..0, more);
            }
            None if more.is_empty() => {}
            None => leads.push((FOR_MORE, more)),
        }
        page.add(&go_on(&[file], &leads), None);
    }

    /// So many tokens of the titles of sections that are cut.
    fn cut_titles(&self, tokens: usize) -> Vec<Vec<Inline>> {
        let titles = self.cut.iter().map(|title| squash(&plain(title)));
        let quoted = titles.map(|title| format!("\"{}\"", shortened(&title)));
        within(quoted, tokens)
    }

    /// So many tokens of the titles of the highest sections in a file that are not shown.
    fn hidden_in(&self, file: &Reference, tokens: usize) -> Vec<Vec<Inline>> {
        let hidden = || {
            let told = self.hidden.iter();
            told.filter(|(_, called)| !file.names(called))
        };
        let highest = hidden().map(|(own, _)| own.level).min();
        let titles = hidden()
            .filter(|(own, _)| Some(own.level) == highest)
            .map(|(_, called)| shortened(without_types(called)));
        within(titles, tokens)
    }

    /// What a file holds that is not shown; what it is about, where nothing of it is and none of its sections tells.
    fn names(&self, file: &Reference, tokens: usize, common: &HashSet<&str>) -> Vec<Vec<Inline>> {
        let names = self.hidden_in(file, tokens);
        if !names.is_empty() || self.is_shown {
            return names;
        }
        let is_common = |topic: &String| common.iter().any(|title| title.ends_with(topic));
        let topics = telling(&file.topics).into_iter();
        let topics = topics.filter(|topic| !is_common(topic));
        topics
            .map(|topic| loaders::set_apart(topic.into()))
            .collect()
    }
}

/// The titles of the sections that are told to their end, as letters alone: none of those that several sections have, of which one is not.
fn told(parts: &[Part<'_>]) -> HashSet<String> {
    let title = |part: &Part<'_>| letters(&part.section.title);
    let is_whole = |part: &Part<'_>| part.is_shown() && !part.is_cut();
    let rest = parts
        .iter()
        .filter(|part| !is_whole(part) && part.section.words > 0);
    let rest: HashSet<String> = rest.map(title).collect();
    let whole = parts.iter().filter(|part| is_whole(part)).map(title);
    whole.filter(|title| !rest.contains(title)).collect()
}

/// As many titles as so many tokens hold, with a mark where there are others.
fn within(titles: impl Iterator<Item = String>, tokens: usize) -> Vec<Vec<Inline>> {
    let mut left = tokens;
    let mut names: Vec<Vec<Inline>> = Vec::new();
    let mut is_all = true;
    for title in titles {
        let name = loaders::set_apart(title.into());
        let Some(after) = left.checked_sub(name_tokens(&name)) else {
            is_all = false;
            break;
        };
        left = after;
        names.push(name);
    }
    // Who looks for one that is not named knows that there are others.
    if !is_all && !names.is_empty() {
        names.push(vec![Inline::Text(AND_MORE.into())]);
    }
    names
}

/// A title as a pointer names it: of a longer one, the words that it begins with. A scheme alone or half an address would be another
/// address (V090).
fn shortened(title: &str) -> String {
    let title = without_urgency(title);
    let Some((end, _)) = title.char_indices().nth(TITLE_CHARS) else {
        return title.to_owned();
    };
    let head = title.get(..end).unwrap_or_default();
    let words = head.rsplit_once(' ').map_or(head, |(words, _)| words);
    let words = without_half_address(title, words.len());
    format!(
        "{}{AND_MORE}",
        words.trim_end_matches([',', ':', ';', '(', '/'])
    )
}

/// `kiln.open` of `kiln.open({ ...params }) -> Kiln.Door`: what it gives tells no function from another.
fn without_types(title: &str) -> &str {
    let name = title.split_once('(').map(|(name, _)| name);
    let is_name = |name: &&str| {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':');
        name.contains('.') && name.chars().all(is_part) && !name.ends_with(['.', ':'])
    };
    let gives = title.contains(") -> ") || title.contains(") → ");
    name.filter(is_name).filter(|_| gives).unwrap_or(title)
}

/// How a section that is not shown is called: by its title, or where that tells nothing ("Introduction", or "Fixes" of each release)
/// by that of the section which it belongs to; `None` where neither tells, or it is too short to be missed.
fn called(
    section: &Section,
    title: &[Inline],
    opened: &Opened<'_>,
    common: &HashSet<&str>,
) -> Option<String> {
    let tells = |title: &str| !is_generic(title) && !common.contains(title);
    if tells(&section.title) {
        return Some(without_urgency(&squash(&plain(title))).to_owned());
    }
    let above = opened.outline.sections.get(section.parent?)?;
    let is_whole = above.level == 0 || above.title == opened.title;
    let is_long = section.words >= MISSED_WORDS_MIN || common.contains(section.title.as_str());
    (is_long && !is_whole && tells(&above.title)).then(|| above.title.clone())
}

/// Adds what points at files of which nothing is shown: a line, or a list of several.
fn add_pointers(page: &mut Page, mut pointers: Vec<Vec<Inline>>) {
    let said = |text: &str| vec![Inline::Text(text.to_owned())];
    if pointers.len() < 2 {
        if let Some(mut pointer) = pointers.pop() {
            pointer.insert(0, Inline::Text(format!("{READ} ")));
            pointer.push(Inline::Text(".".into()));
            page.add(&markdown::write(&[paragraph(pointer)]), None);
        }
        return;
    }
    let items = pointers.into_iter().map(|pointer| vec![paragraph(pointer)]);
    let list = Block {
        kind: BlockKind::List {
            start: None,
            items: items.collect(),
        },
        span: Span::default(),
    };
    let lead = paragraph(said(&format!("{READ_WHEN_NEEDED}:")));
    page.add(&markdown::write(&[lead, list]), None);
}

/// A pointer at a file of which nothing is shown: its title, and what it holds.
fn pointer(file: &Reference, names: &[Vec<Inline>]) -> Vec<Inline> {
    let lead = match names.is_empty() {
        true => WHEN_NEEDED,
        false => FOR_MORE,
    };
    let mut line = vec![link(file), Inline::Text(format!(" {lead}"))];
    push_all(&mut line, names);
    line
}

#[cfg(test)]
mod tests {
    use super::super::gathering::pieces;
    use super::*;
    use crate::domain::skill::ReferenceFile;
    use crate::pipeline::synthesize::testing;
    use skillkiln_readers::markup::markdown;

    #[test]
    fn a_function_is_pointed_at_by_its_name_without_what_it_gives() {
        for (title, name) in [
            ("kiln.open({ ...params }) -> Kiln.Door", "kiln.open"),
            ("kiln.open(door)", "kiln.open(door)"),
            (
                "Open the door (slowly) -> it is hot",
                "Open the door (slowly) -> it is hot",
            ),
        ] {
            assert_eq!(without_types(title), name);
        }
    }

    #[test]
    fn a_file_is_pointed_at_once_where_nothing_stands_between() {
        let file = Reference {
            file: ReferenceFile {
                filename: "references/doors.md".to_owned(),
                content: String::new(),
            },
            blocks: 0..9,
            title: "Doors".to_owned(),
            topics: Vec::new(),
        };
        let names = |name: &str| vec![vec![Inline::Text(name.to_owned())]];
        let written = |between: Option<&str>| {
            let mut page = Page::new(None);
            page.add("They open.", None);
            let before = page.mark();
            page.add(&go_on(&[&file], &[(FOR_MORE, names("hinges"))]), None);
            let rest = Rest {
                is_cut: true,
                is_shown: true,
                unseen: [names("locks"), names("keys")].concat(),
                pointed: Some(Pointed {
                    file: file.file.filename.clone(),
                    names: names("hinges"),
                    before,
                    after: page.mark(),
                }),
                ..Rest::default()
            };
            if let Some(between) = between {
                page.add(between, None);
            }
            rest.add_to(&mut page, &file);
            page.finish().0
        };
        let read = "Read [Doors](references/doors.md) for more:";
        assert_eq!(
            written(None),
            format!("They open.\n\n{read} hinges, locks, keys.\n")
        );
        assert_eq!(
            written(Some("They close.")),
            format!("They open.\n\n{read} hinges.\n\nThey close.\n\n{read} locks, keys.\n")
        );
    }

    #[test]
    fn a_title_that_is_cut_behind_a_scheme_makes_no_address() {
        let title = "Compression of pots over the wire in connections by kiln:// and more";
        assert_eq!(
            shortened(title),
            "Compression of pots over the wire in connections by kiln…"
        );
    }

    #[test]
    fn a_title_that_is_an_address_is_never_cut_within_it() {
        let address = "http://kilns.example.org/index/of/all/kilns-and-their-doors.html?door=4";
        assert_eq!(shortened(address), "kilns.example.org…");
        assert_eq!(shortened(&format!("Doors, see {address}")), "Doors, see…");
    }

    #[test]
    fn entries_with_examples_of_their_own_stand_below_the_first_and_the_last_of_them() {
        let entry = |number: usize| {
            format!("### open_{number}(door)\n\nOpens it.\n\n#### Examples\n\n```\nopen()\n```\n\n")
        };
        let entries: String = (0..3).map(entry).collect();
        let blocks = markdown::read(entries).blocks;
        let outline = Outline::of(&blocks);
        let mut parts: Vec<Part<'_>> = Vec::new();
        for section in &outline.sections {
            let range = section.own.start + 1..section.own.end;
            let (pieces, _) = pieces(&blocks, range, false, usize::MAX);
            let heading = blocks.get(section.own.start);
            let mut part = Part::of(section, heading, pieces, false);
            part.is_entry = section.title.starts_with("open");
            part.fill(if part.is_entry { 100 } else { 0 });
            parts.push(part);
        }
        let heading = run_heading(&parts).map(|heading| heading.kind);
        let Some(BlockKind::Heading { text, .. }) = heading else {
            panic!("{heading:?}")
        };
        assert_eq!(plain(&text), "open_0(door) … open_2(door)");
    }

    #[test]
    fn what_is_hidden_is_called_by_the_section_around_it_where_its_own_title_tells_nothing() {
        let told = "It burns wood. ".repeat(40);
        let release = |number: usize| format!("## Kiln 2.{number}\n\n### Fixes\n\nIt cools.\n\n");
        let releases: String = (0..4).map(release).collect();
        let source = format!(
            "# Kilns\n\n## Overview\n\n{told}\n\n## Doors\n\n### Introduction\n\n{told}\n\n### Overview\n\nIt opens.\n\n{releases}"
        );
        let blocks = markdown::read(source).blocks;
        let outline = Outline::of(&blocks);
        let origin = testing::origin();
        let opened = Opened {
            header: "",
            title: "Kilns",
            span: None,
            outline: &outline,
            origin: &origin,
        };
        let common = outline.common_titles();
        let called: Vec<Option<String>> = outline
            .sections
            .iter()
            .map(|section| {
                let title = [Inline::Text(section.title.clone())];
                called(section, &title, &opened, &common)
            })
            .collect();
        let told: Vec<&str> = called
            .iter()
            .map(|name| name.as_deref().unwrap_or("-"))
            .collect();
        assert_eq!(
            told,
            [
                "Kilns", "-", "Doors", "Doors", "-", "Kiln 2.0", "Kiln 2.0", "Kiln 2.1",
                "Kiln 2.1", "Kiln 2.2", "Kiln 2.2", "Kiln 2.3", "Kiln 2.3"
            ]
        );
    }
}
