//! Owns an abridged body as it is written: the sections with what is shown of them, and where each goes on.

use super::part::{Part, name_tokens};
use super::piece::joined;
use crate::domain::document::{Block, BlockKind};
use crate::domain::text::{Inline, plain, squash};
use crate::pipeline::markdown;
use crate::pipeline::scaffold::{FOR_MORE, FOR_THE_REST_OF, READ, THE_REST};
use crate::pipeline::synthesize::compose::same_words;
use crate::pipeline::synthesize::loaders;
use crate::pipeline::synthesize::outline::{Outline, Section, is_generic};
use crate::pipeline::synthesize::page::{Page, paragraph};
use crate::pipeline::synthesize::pointers::{point_at, telling};
use crate::pipeline::synthesize::references::Reference;
use std::collections::HashSet;
use std::ops::Range;

/// So many sections are named behind the file that holds the rest of them.
const TITLES_MAX: usize = 4;
/// A longer title names no section.
const TITLE_CHARS: usize = 60;

/// How a body points at the files.
#[derive(Debug, Clone, Copy)]
pub(super) enum Pointers {
    /// Where sections go on, and a table of all files at the end.
    Table,
    /// Behind what is shown of each file, with so many tokens of the titles in it; a table of those that only surround the rest.
    Lines(usize),
}

/// SKILL.md with these parts of the sections, and pointers at the files that hold all of them.
pub(super) fn written(
    header: &str,
    title: &str,
    blocks: &[Block],
    outline: &Outline,
    parts: &[Part<'_>],
    references: &[Reference],
    way: Pointers,
) -> Page {
    let mut page = Page::new(None);
    page.add(header, None);
    page.add_heading(1, title, blocks.first().map(|block| &block.span));
    let mut files = references.iter().peekable();
    let mut left: Vec<&Reference> = Vec::new();
    let mut rest = Rest::default();
    let common = outline.common_titles();
    let mut end_file = |page: &mut Page, rest: Rest<'_>, file| match (way, rest.is_aside) {
        (Pointers::Table, _) => {
            rest.add_to(page, file);
            left.push(file);
        }
        (Pointers::Lines(_), true) => left.push(file),
        (Pointers::Lines(tokens), false) => rest.name_in(page, file, tokens, &common),
    };
    for (number, part) in parts.iter().enumerate() {
        while let Some(file) = files.next_if(|file| file.blocks.end <= part.section.own.start) {
            end_file(&mut page, std::mem::take(&mut rest), file);
        }
        let holds_shown = || {
            let inner = parts.get(number + 1..).unwrap_or_default().iter();
            inner
                .take_while(|inner| inner.section.own.start < part.section.end)
                .any(Part::is_shown)
        };
        let is_shown = part.is_shown() || holds_shown();
        rest.note(part, is_shown);
        if !is_shown {
            continue;
        }
        let (first, apart) = (part.shown.first, part.apart());
        let shown = |range: Range<usize>| joined(part.pieces.get(range).unwrap_or_default());
        let heading = part.heading.cloned();
        let section: Vec<Block> = heading.into_iter().chain(shown(0..first)).collect();
        page.add_section(1, &section);
        if let Some(file) = files.peek()
            && let names = part.missing()
            && !names.is_empty()
        {
            page.add(&go_on(file, FOR_MORE, names), None);
        }
        page.add_section(1, &shown(apart));
    }
    for file in files {
        end_file(&mut page, std::mem::take(&mut rest), file);
    }
    point_at(&mut page, left);
    page
}

/// What the body leaves out of a file: the sections that are cut, and whether any was shown.
struct Rest<'a> {
    cut: Vec<&'a [Inline]>,
    /// Those of which nothing is shown, with their titles.
    hidden: Vec<(&'a Section, &'a [Inline])>,
    is_cut: bool,
    is_shown: bool,
    /// Whether it only surrounds the subject.
    is_aside: bool,
}

impl Default for Rest<'_> {
    fn default() -> Self {
        Self {
            cut: Vec::new(),
            hidden: Vec::new(),
            is_cut: false,
            is_shown: false,
            is_aside: true,
        }
    }
}

impl<'a> Rest<'a> {
    fn note(&mut self, part: &'a Part<'_>, is_shown: bool) {
        self.is_shown |= is_shown;
        self.is_aside &= part.section.is_aside;
        let title = match part.heading.map(|heading| &heading.kind) {
            Some(BlockKind::Heading { text, .. }) => Some(text.as_slice()),
            _ => None,
        };
        if !is_shown
            && !part.section.is_aside
            && !is_generic(&part.section.title)
            && let Some(title) = title
        {
            self.hidden.push((part.section, title));
        }
        if !part.is_cut() || part.section.is_aside {
            return;
        }
        self.is_cut = true;
        self.cut.extend(title.filter(|_| part.is_shown()));
    }

    /// Adds where the sections above go on.
    fn add_to(self, page: &mut Page, file: &Reference) {
        if !(self.is_cut && self.is_shown) {
            return;
        }
        let is_named = |title: &&[Inline]| same_words(&plain(title), &file.title);
        let names: Vec<Vec<Inline>> = match self.cut.as_slice() {
            [] => Vec::new(),
            [title] if is_named(title) => Vec::new(),
            cut if cut.len() > TITLES_MAX => Vec::new(),
            cut => cut
                .iter()
                .map(|title| loaders::set_apart(format!("\"{}\"", squash(&plain(title))).into()))
                .collect(),
        };
        let lead = match names.is_empty() {
            true => THE_REST,
            false => FOR_THE_REST_OF,
        };
        page.add(&go_on(file, lead, &names), None);
    }

    /// Adds where the file is, with so many tokens of the titles of its highest sections that are not shown; of what it is about,
    /// where it has none.
    fn name_in(self, page: &mut Page, file: &Reference, tokens: usize, common: &HashSet<&str>) {
        let hidden = || {
            let told = self.hidden.iter();
            let told = told.filter(|(own, _)| !common.contains(own.title.as_str()));
            told.filter(|(own, _)| !same_words(&own.title, &file.title))
        };
        let highest = hidden().map(|(own, _)| own.level).min();
        let titles = hidden()
            .filter(|(own, _)| Some(own.level) == highest)
            .map(|(_, title)| squash(&plain(title)));
        let mut left = tokens;
        let mut names: Vec<Vec<Inline>> = titles
            .filter(|title| title.chars().count() <= TITLE_CHARS)
            .map(|title| loaders::set_apart(title.into()))
            .take_while(|name| match left.checked_sub(name_tokens(name)) {
                Some(after) => {
                    left = after;
                    true
                }
                None => false,
            })
            .collect();
        if names.is_empty() && !self.is_shown {
            let is_common = |topic: &String| common.iter().any(|title| title.ends_with(topic));
            let topics = telling(&file.topics).into_iter();
            let topics = topics.filter(|topic| !is_common(topic));
            names.extend(topics.map(|topic| loaders::set_apart(topic.into())));
        }
        let lead = match names.is_empty() {
            true => THE_REST,
            false => FOR_MORE,
        };
        page.add(&go_on(file, lead, &names), None);
    }
}

/// A pointer at a file: its title, what leads on, and what it leads to.
fn go_on<'a>(
    file: &Reference,
    lead: &str,
    names: impl IntoIterator<Item = &'a Vec<Inline>>,
) -> String {
    let link = Inline::link(
        file.file.filename.clone(),
        loaders::set_apart(file.title.clone().into()),
    );
    let mut line = vec![
        Inline::Text(format!("{READ} ")),
        link,
        Inline::Text(format!(" {lead}")),
    ];
    for (number, name) in names.into_iter().enumerate() {
        line.push(Inline::Text(if number > 0 { ", " } else { " " }.into()));
        line.extend(name.iter().cloned());
    }
    line.push(Inline::Text(".".into()));
    markdown::write(&[paragraph(line)])
}
