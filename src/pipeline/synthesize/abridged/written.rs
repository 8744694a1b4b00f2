//! Owns an abridged body as it is written: the sections with what is shown of them, and where each goes on.

use super::part::{NAMES_TOKENS, Part, name_tokens};
use super::piece::joined;
use crate::domain::document::{Block, BlockKind};
use crate::domain::text::{Inline, plain, squash};
use crate::pipeline::markdown;
use crate::pipeline::scaffold::{FOR_MORE, FOR_THE_REST_OF, READ, THE_REST};
use crate::pipeline::synthesize::compose::same_words;
use crate::pipeline::synthesize::loaders;
use crate::pipeline::synthesize::page::{Page, paragraph};
use crate::pipeline::synthesize::pointers::point_at;
use crate::pipeline::synthesize::references::Reference;
use std::ops::Range;

/// So many sections are named behind the file that holds the rest of them.
const TITLES_MAX: usize = 4;

/// SKILL.md with these parts of the sections, and pointers at the files that hold all of them.
pub(super) fn written(
    header: &str,
    title: &str,
    blocks: &[Block],
    parts: &[Part<'_>],
    references: &[Reference],
) -> Page {
    let mut page = Page::new(None);
    page.add(header, None);
    page.add_heading(1, title, blocks.first().map(|block| &block.span));
    let mut files = references.iter().peekable();
    let mut rest = Rest::default();
    for (number, part) in parts.iter().enumerate() {
        while let Some(file) = files.next_if(|file| file.blocks.end <= part.section.own.start) {
            std::mem::take(&mut rest).add_to(&mut page, file);
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
            && let names = part.names_from(first)
            && !names.is_empty()
        {
            page.add(&go_on(file, FOR_MORE, &names), None);
        }
        page.add_section(1, &shown(apart));
    }
    if let Some(file) = files.next() {
        rest.add_to(&mut page, file);
    }
    point_at(&mut page, references);
    page
}

/// What the body leaves out of a file: the titles of sections that are cut, and whether any was shown.
#[derive(Default)]
struct Rest<'a> {
    cut: Vec<&'a [Inline]>,
    is_cut: bool,
    is_shown: bool,
}

impl<'a> Rest<'a> {
    fn note(&mut self, part: &'a Part<'_>, is_shown: bool) {
        self.is_shown |= is_shown;
        if !part.is_cut() || part.weight == 0 {
            return;
        }
        self.is_cut = true;
        match part.heading.map(|heading| &heading.kind) {
            Some(BlockKind::Heading { text, .. }) if part.is_shown() => self.cut.push(text),
            _ => {}
        }
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
        let names: Vec<&Vec<Inline>> = names.iter().collect();
        let lead = match names.is_empty() {
            true => THE_REST,
            false => FOR_THE_REST_OF,
        };
        page.add(&go_on(file, lead, &names), None);
    }
}

/// A pointer at a file: its title, what leads on, and what it leads to.
fn go_on(file: &Reference, lead: &str, names: &[&Vec<Inline>]) -> String {
    let link = Inline::link(
        file.file.filename.clone(),
        loaders::set_apart(file.title.clone().into()),
    );
    let mut line = vec![
        Inline::Text(format!("{READ} ")),
        link,
        Inline::Text(format!(" {lead}")),
    ];
    let mut tokens = 0;
    for (number, name) in names.iter().enumerate() {
        tokens += name_tokens(name);
        if tokens > NAMES_TOKENS {
            break;
        }
        line.push(Inline::Text(if number > 0 { ", " } else { " " }.into()));
        line.extend(name.iter().cloned());
    }
    line.push(Inline::Text(".".into()));
    markdown::write(&[paragraph(line)])
}
