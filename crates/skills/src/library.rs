//! Owns the library: what a card leaves of the source, split at its headings, one subject a file, and how such a file is written.

use crate::choose::{Chosen, is_finished, is_nobodys_task};
use crate::cues::is_unfit;
use crate::kind::{Kind, version_of};
use crate::naming::{free, readable_slug};
use crate::outline::{Outline, Section, block_text};
use crate::page::Page;
use crate::provenance::source_line;
use crate::scaffold::{CONTENTS, VAGUE_FILES};
use crate::section_role::{SectionRole, is_generic, role_of};
use crate::skill::{Reference, Source, Trace};
use crate::tasks::bare_title;
use crate::units::Unit;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{Anchors, Inline, is_device_name, letters, plain, squash};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Most tokens of a file, where the source can be cut at headings.
pub const FILE_TOKENS_MAX: usize = 3_000;
/// Sections that stand beside each other share a file up to so many tokens.
pub const FILE_TOKENS_AIM: usize = 1300;
/// What stands before subsections has no file of its own below this.
const OPENING_TOKENS_MIN: usize = 160;
/// A file of which a card shows so much, in percent, stands there whole.
const HELD_PERCENT: usize = 75;
/// Longest name of a file without its ending.
const NAME_CHARS_MAX: usize = 30;
/// How much a table of contents tells of a part without a heading.
const BEGINNING_WORDS_MAX: usize = 8;
const BEGINNING_CHARS_MAX: usize = 80;
/// Lines from which a file has a table of contents (V065).
const LINES_WITHOUT_CONTENTS: u32 = 96;
/// Whether a name says nothing of what a file holds (V069), or is a device's on Windows.
fn says_nothing(name: &str) -> bool {
    VAGUE_FILES.contains(&name) || matches!(name, "index" | "readme") || is_device_name(name)
}

/// A file of the library before it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its title.
    pub title: String,
    /// Its name without folder and ending.
    pub slug: String,
    /// Its sections.
    pub sections: Range<usize>,
    /// The sections that lead it: one, or several that stand beside each other.
    pub tops: Vec<usize>,
    /// What it costs.
    pub tokens: usize,
}

impl File {
    /// Its path within the skill.
    #[must_use]
    pub fn path(&self) -> String {
        format!("references/{}.md", self.slug)
    }
}

/// A run of sections that goes into one file.
#[derive(Debug, Clone)]
struct Piece {
    sections: Range<usize>,
    tops: Vec<usize>,
    tokens: usize,
}

/// Divides a document into files. `percent` makes them larger where there would be too many to point at. Those of a log of changes are called
/// by their versions.
#[must_use]
pub fn plan(outline: &Outline, title: &str, kind: Kind, percent: usize) -> Vec<File> {
    let cutter = Cutter {
        outline,
        all: outline.tokens(),
        is_log: kind == Kind::ChangeLog,
        max: FILE_TOKENS_MAX * percent / 100,
        aim: FILE_TOKENS_AIM * percent / 100,
    };
    let pieces = cutter.all();
    let titles = cutter.titles(&pieces, title);
    let mut taken = HashSet::new();
    pieces
        .into_iter()
        .zip(titles)
        .map(|(piece, called)| {
            let slug = name(&called, &piece, outline, title, &mut taken);
            File {
                title: called,
                slug,
                sections: piece.sections,
                tops: piece.tops,
                tokens: piece.tokens,
            }
        })
        .collect()
}

struct Cutter<'o> {
    outline: &'o Outline,
    /// Tokens of all that was there before something was left out.
    all: usize,
    is_log: bool,
    max: usize,
    aim: usize,
}

impl Cutter<'_> {
    fn all(&self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        if self
            .outline
            .sections
            .first()
            .is_some_and(|one| one.tokens > 0)
        {
            pieces.push(self.own(0));
        }
        let tops: Vec<usize> = self.left(None).collect();
        for section in tops {
            pieces.extend(self.cut(section));
        }
        self.joined(pieces)
    }

    /// The sections right below one of which something is left.
    fn left(&self, parent: Option<usize>) -> impl Iterator<Item = usize> {
        let inside = self.outline.children(parent);
        inside.filter(|section| self.outline.total(*section) > 0)
    }

    fn own(&self, section: usize) -> Piece {
        Piece {
            sections: section..section + 1,
            tops: vec![section],
            tokens: self
                .outline
                .sections
                .get(section)
                .map_or(0, |one| one.tokens),
        }
    }

    /// The pieces of a section: itself, where it fits, else its opening and its subsections.
    fn cut(&self, section: usize) -> Vec<Piece> {
        let total = self.outline.total(section);
        let end = self
            .outline
            .sections
            .get(section)
            .map_or(section + 1, |one| one.end);
        if total <= self.max || end == section + 1 {
            // What all of it is called by tells nothing of what is left of it.
            let is_rest = self.outline.is_root(section) && total < self.all;
            let inside = self.left(Some(section)).filter(|_| is_rest);
            let mut tops: Vec<usize> = inside.collect();
            if tops.is_empty() {
                tops.push(section);
            }
            return vec![Piece {
                sections: section..end,
                tops,
                tokens: total,
            }];
        }
        let opening = Some(self.own(section)).filter(|own| own.tokens > 0);
        let mut pieces: Vec<Piece> = opening.into_iter().collect();
        for child in self.left(Some(section)).collect::<Vec<_>>() {
            pieces.extend(self.cut(child));
        }
        self.joined(pieces)
    }

    /// Joins pieces that stand beside each other as long as they are small; an opening of a few words goes with what follows it.
    fn joined(&self, pieces: Vec<Piece>) -> Vec<Piece> {
        let mut out: Vec<Piece> = Vec::new();
        for piece in pieces {
            let Some(last) = out.last_mut() else {
                out.push(piece);
                continue;
            };
            let parent = |section: &usize| {
                self.outline
                    .sections
                    .get(*section)
                    .and_then(|one| one.parent)
            };
            let first = piece.tops.first();
            let is_opening = last.tokens < OPENING_TOKENS_MIN;
            let are_siblings = last.tops.last().map(parent) == first.map(parent)
                || last.tops.first() == first.and_then(parent).as_ref();
            let together = last.tokens + piece.tokens;
            if (are_siblings && together <= self.aim)
                || (is_opening && together <= self.max)
                || piece.tokens < 60
            {
                last.sections.end = piece.sections.end;
                last.tokens = together;
                // A few words that open a section are called by what follows them.
                let leads =
                    last.tops.as_slice() == first.and_then(parent_of(self.outline)).as_slice();
                if leads && is_opening {
                    last.tops = piece.tops;
                } else if !leads {
                    last.tops.extend(piece.tops);
                }
            } else {
                out.push(piece);
            }
        }
        out
    }

    /// What the pieces are called, each otherwise (V104): those of one name by what stands above them too.
    fn titles(&self, pieces: &[Piece], title: &str) -> Vec<String> {
        let own = |piece: &Piece| self.title(piece, &piece.tops, title);
        let titles: Vec<String> = pieces.iter().map(own).collect();
        let mut times: HashMap<String, usize> = HashMap::new();
        for title in &titles {
            *times.entry(letters(title)).or_default() += 1;
        }
        let mut taken: HashSet<String> = HashSet::new();
        let mut called = |piece: &Piece, own: String| {
            let is_shared = times.get(&letters(&own)).is_some_and(|times| *times > 1);
            let above = piece
                .tops
                .first()
                .map_or_else(Vec::new, |top| self.chain(*top));
            let above = above.iter().rev().skip(1).filter(|_| is_shared);
            let longer = above.filter_map(|section| self.outline.sections.get(*section));
            let longer = longer.map(|section| format!("{}: {own}", bare_title(&section.title)));
            let plain = std::iter::once(own.clone()).filter(|_| !is_shared);
            let parts = self.leading(piece);
            let parts = (parts != piece.tops).then(|| self.title(piece, &parts, title));
            let first = piece
                .tops
                .first()
                .and_then(|top| self.outline.sections.get(*top));
            let first = first
                .map(|one| bare_title(&one.title))
                .filter(|title| *title != own);
            let first = first.map(|title| format!("{own}: {title}"));
            let continued = std::iter::successors(Some(own.clone()), |title| {
                Some(format!("{title}, continued"))
            });
            let mut candidates = plain
                .chain(parts)
                .chain(longer)
                .chain(first)
                .chain(continued);
            candidates
                .find(|title| taken.insert(letters(title)))
                .unwrap_or(own)
        };
        let named = pieces.iter().zip(titles);
        named.map(|(piece, own)| called(piece, own)).collect()
    }

    /// A section with those above it, the outermost first.
    fn chain(&self, section: usize) -> Vec<usize> {
        let above = std::iter::successors(Some(section), parent_of(self.outline));
        let mut chain: Vec<usize> = above.collect();
        chain.reverse();
        chain
    }

    /// The sections that a piece goes through, each the highest that holds no other of them.
    fn leading(&self, piece: &Piece) -> Vec<usize> {
        let chains: Vec<Vec<usize>> = piece.tops.iter().map(|top| self.chain(*top)).collect();
        let depths = chains.iter().map(|chain| chain.len().saturating_sub(1));
        let depth = depths.min().unwrap_or(0);
        let is_common = |at: &usize| {
            let mut there = chains.iter().map(|chain| chain.get(*at));
            let first = there.next();
            there.all(|other| Some(other) == first)
        };
        let common = (0..depth).take_while(is_common).count();
        let mut leading: Vec<usize> = chains
            .iter()
            .filter_map(|chain| chain.get(common).copied())
            .collect();
        leading.dedup();
        leading
    }

    /// What a piece is called: by its one section, or by those that lead it.
    fn title(&self, piece: &Piece, leading: &[usize], title: &str) -> String {
        if let Some(versions) = versions(&piece.sections, self.outline).filter(|_| self.is_log) {
            return format!("Changes of {versions}");
        }
        let titles: Vec<&str> = leading
            .iter()
            .filter_map(|top| self.outline.sections.get(*top))
            .map(|one| bare_title(&one.title))
            .filter(|title| !title.is_empty())
            .collect();
        // What is unfinished or ages in a title is no name for several sections.
        let lasting = titles.iter().copied().filter(|title| !is_unfit(title));
        let lasting: Vec<&str> = lasting.collect();
        let titles = if titles.len() > 1 && !lasting.is_empty() {
            lasting
        } else {
            titles
        };
        match titles.as_slice() {
            [] => title.to_owned(),
            [one] => self.qualified(one, piece),
            [one, other] => format!("{one} and {other}"),
            [one, .., last] => {
                let all = titles.join(", ");
                match all.chars().count() <= 70 {
                    true => all,
                    false => format!("{one} to {last}"),
                }
            }
        }
    }

    /// A title that says nothing alone, with the one above it.
    fn qualified(&self, own: &str, piece: &Piece) -> String {
        let above = piece
            .tops
            .first()
            .and_then(|top| self.outline.sections.get(*top))
            .and_then(|one| one.parent)
            .and_then(|parent| self.outline.sections.get(parent));
        match above {
            Some(above) if is_generic(own) => format!("{}: {own}", bare_title(&above.title)),
            _ => own.to_owned(),
        }
    }
}

/// Which versions some sections of a log of changes tell of: "3.1 to 2.8". What stands before a version's title is of the one above.
#[must_use]
pub fn versions(sections: &Range<usize>, outline: &Outline) -> Option<String> {
    let of = |range: Range<usize>| {
        let sections = outline.sections.get(range).unwrap_or_default();
        sections.iter().filter_map(|one| version_of(&one.title))
    };
    let opens = outline.sections.get(sections.start)?;
    let above = || of(0..sections.start).next_back();
    let first = version_of(&opens.title).or_else(above);
    let first = first.or_else(|| of(sections.clone()).next())?;
    match of(sections.clone()).next_back() {
        Some(last) if last != first => Some(format!("{first} to {last}")),
        _ => Some(first.to_owned()),
    }
}

fn parent_of(outline: &Outline) -> impl Fn(&usize) -> Option<usize> {
    |section| outline.sections.get(*section).and_then(|one| one.parent)
}

/// A name for a file that no other has.
fn name(
    called: &str,
    piece: &Piece,
    outline: &Outline,
    title: &str,
    taken: &mut HashSet<String>,
) -> String {
    let has_kana = |one: &Section| {
        one.title
            .contains(|c: char| matches!(c, '\u{3041}'..='\u{30fa}'))
    };
    let is_japanese = outline.sections.iter().any(has_kana);
    let slug = |text: &str| readable_slug(text, is_japanese, NAME_CHARS_MAX);
    let mut base = slug(called);
    // The numbers of releases tell nothing without the name of what is released.
    let is_number =
        |word: &str| matches!(word, "to" | "and") || word.bytes().all(|byte| byte.is_ascii_digit());
    let is_vague = |name: &str| {
        name.len() < 3
            || says_nothing(name)
            || name.split('-').all(is_number)
            || is_generic(&name.replace('-', " "))
    };
    if is_vague(&base) {
        let above = piece.tops.first().map(|top| outline.path(*top));
        let above = above.and_then(|path| path.iter().rev().nth(1).map(|one| (*one).to_owned()));
        let longer = format!("{} {called}", above.unwrap_or_else(|| title.to_owned()));
        base = slug(&longer);
    }
    if base.len() < 3 || says_nothing(&base) || base.split('-').all(is_number) {
        base = format!("section-{}", piece.sections.start + 1);
    }
    let own = free(base, |name| taken.contains(name));
    taken.insert(own.clone());
    own
}

/// Writes a file of the library.
#[must_use]
pub fn write(
    file: &File,
    index: usize,
    blocks: &[Block],
    outline: &Outline,
    source: &Source,
) -> (Reference, Vec<Trace>) {
    let own = outline.blocks_in(file.sections.clone(), blocks);
    let own: Vec<Block> = own.cloned().collect();
    let mut page = Page::new(Some(index)).telling_moments(source);
    let span = own
        .first()
        .map(|block| block.span.clone())
        .unwrap_or_default();
    let heading = match own.first().map(|block| &block.kind) {
        Some(BlockKind::Heading { text, .. })
            if file.tops == [file.sections.start]
                && file.title == bare_title(&squash(&plain(text))) =>
        {
            Some(text.clone())
        }
        _ => None,
    };
    let behind = usize::from(heading.is_some());
    let rest = own.get(behind..).unwrap_or_default();
    match heading {
        Some(text) => page.add_heading_of(1, text, Some(&span)),
        None => page.add_heading(1, &file.title, Some(&span)),
    }
    let path = file
        .tops
        .first()
        .map(|top| outline.path(*top).join(" > "))
        .unwrap_or_default();
    page.note_moment(&span);
    page.add(&source_line(&path, &span, source, false), None);
    let mark = page.clone();
    page.add_section(1, rest);
    if page.lines() > LINES_WITHOUT_CONTENTS
        && let Some(contents) = contents(rest).or_else(|| beginnings(rest))
    {
        page = mark;
        page.add_heading(2, CONTENTS, None);
        page.add(&contents, None);
        page.add_section(1, rest);
    }
    let (content, traces) = page.finish();
    let filename = file.path();
    (Reference { filename, content }, traces)
}

/// The sections of the files that a card holds for the most part: they stand in it whole, as far as the rest of them fits into so many tokens, but
/// what is nobody's task.
#[must_use]
pub fn held(
    files: &[File],
    units: &[Unit],
    chosen: &Chosen,
    outline: &Outline,
    room: usize,
) -> Vec<usize> {
    let mut shown = vec![0_usize; outline.sections.len()];
    for number in &chosen.whole {
        if let (Some(shown), Some(own)) = (shown.get_mut(*number), outline.sections.get(*number)) {
            *shown = own.tokens;
        }
    }
    for unit in chosen.units.iter().filter_map(|number| units.get(*number)) {
        if let Some(shown) = shown.get_mut(unit.section) {
            *shown += unit.tokens;
        }
    }
    let mut room = room;
    let mut held = Vec::new();
    for file in files {
        let tasks = file.sections.clone();
        let is_task = |at: &usize| !is_nobodys_task(outline, *at) && is_finished(units, *at);
        let tasks: Vec<usize> = tasks.filter(is_task).collect();
        let cost = |at: &usize| outline.sections.get(*at).map_or(0, |one| one.tokens);
        let all: usize = tasks.iter().map(cost).sum();
        let own: usize = tasks.iter().filter_map(|at| shown.get(*at)).sum();
        let more = all.saturating_sub(own);
        if own * 100 >= all * HELD_PERCENT && more <= room {
            room -= more;
            held.extend(tasks);
        }
    }
    held
}

/// The anchor of a section in its file; `None` where the file begins with it, or has another of that title.
#[must_use]
pub fn anchor(file: &File, section: usize, outline: &Outline) -> Option<String> {
    let title = &outline.sections.get(section)?.title;
    let all = outline.sections.get(file.sections.clone())?;
    let same = all
        .iter()
        .filter(|one| one.title.eq_ignore_ascii_case(title));
    let is_first = section == file.sections.start || file.title.eq_ignore_ascii_case(title);
    let anchor = Anchors::default().next_of(title);
    (same.count() == 1 && !is_first && !anchor.is_empty()).then_some(anchor)
}

/// The headings of a file, each with a link to it; of many only the highest.
fn contents(blocks: &[Block]) -> Option<String> {
    let mut anchors = Anchors::default();
    let headings: Vec<(u8, String)> = blocks
        .iter()
        .filter_map(|block| match &block.kind {
            BlockKind::Heading { level, text } => Some((*level, squash(&plain(text)))),
            _ => None,
        })
        .filter(|(_, title)| !title.is_empty())
        .collect();
    anchors.next_of(CONTENTS);
    let highest = headings.iter().map(|(level, _)| *level).min()?;
    let depth = match headings.len() > 24 {
        true => highest,
        false => u8::MAX,
    };
    let mut out = String::new();
    for (level, title) in headings {
        let anchor = anchors.next_of(&title);
        let is_read = role_of(&title) != SectionRole::Aside;
        if level <= depth && !anchor.is_empty() && is_read {
            let link = Inline::link(format!("#{anchor}"), vec![Inline::Text(title)]);
            let block = Block::paragraph(vec![link]);
            out.push_str(&crate::page::bullet(vec![block]));
        }
    }
    (!out.is_empty()).then_some(out)
}

/// Of a file without headings, how every tenth part of it begins: of its blocks and entries, or of its lines where it is one block.
fn beginnings(blocks: &[Block]) -> Option<String> {
    let told = |text: &str| {
        let text = squash(text);
        text.chars().any(char::is_alphanumeric).then_some(text)
    };
    let begins = |block: &Block| match &block.kind {
        BlockKind::Definitions(entries) => entries
            .iter()
            .filter_map(|entry| entry.terms.first())
            .filter_map(|term| told(&plain(term)))
            .collect(),
        _ => {
            let text = block_text(block);
            let first = text.trim().lines().next().and_then(told);
            first.into_iter().collect::<Vec<_>>()
        }
    };
    let mut parts: Vec<String> = blocks.iter().flat_map(begins).collect();
    if parts.len() < 2 {
        let texts = blocks.iter().map(block_text);
        parts = texts
            .flat_map(|text| text.lines().filter_map(told).collect::<Vec<_>>())
            .collect();
    }
    let step = parts.len().div_ceil(10).max(1);
    let shown = parts.iter().step_by(step).map(|text| {
        let words = vec![Inline::Text(first_words(text))];
        crate::page::bullet(vec![Block::paragraph(words)])
    });
    let list: String = shown.collect();
    (!list.is_empty()).then_some(list)
}

/// The words that a text begins with, as far as they have room. None is cut but a first one that is longer: half an address leads elsewhere
/// (V090).
fn first_words(text: &str) -> String {
    let mut out = String::new();
    for word in text.split(' ').take(BEGINNING_WORDS_MAX) {
        if out.chars().count() + word.chars().count() >= BEGINNING_CHARS_MAX {
            break;
        }
        out.push_str(if out.is_empty() { "" } else { " " });
        out.push_str(word);
    }
    match out.is_empty() {
        true => text.chars().take(BEGINNING_CHARS_MAX).collect(),
        false => out,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::testing::document;

    #[test]
    fn small_sections_share_a_file_and_large_ones_have_their_own() {
        let long = "The kiln is fired with wood that is dry. ".repeat(300);
        let text = format!(
            "# Kiln\n\nIt fires.\n\n## Door\n\nShut it.\n\n## Ash\n\nTake it out.\n\n## Wood\n\n{long}\n\n## Clay\n\nWet it."
        );
        let document = document(&text);
        let outline = Outline::of(&document.blocks);
        let files = plan(&outline, "Kiln", Kind::HowTo, 100);
        let titles: Vec<&str> = files.iter().map(|file| &*file.title).collect();
        assert_eq!(titles, ["Door and Ash", "Wood and Clay"]);
        let covered: usize = files.iter().map(|file| file.sections.len()).sum();
        assert_eq!(covered + 1, outline.sections.len());
    }

    #[test]
    fn the_files_of_a_log_of_changes_are_called_by_versions() {
        let long = "The kiln is fired with wood that is dry. ".repeat(200);
        let text = format!(
            "# Log\n\n## 3.1\n\n### Added\n\n{long}\n\n## [3.0] - 2026-01-02\n\n### Added\n\n{long}"
        );
        let document = document(&text);
        let outline = Outline::of(&document.blocks);
        let files = plan(&outline, "Log", Kind::ChangeLog, 100);
        let slugs: Vec<&str> = files.iter().map(|file| &*file.slug).collect();
        assert_eq!(slugs, ["changes-of-3-1", "changes-of-3-0"]);
    }

    #[test]
    fn sections_of_one_name_are_told_apart_by_what_stands_above_them() {
        let long = "The kiln is fired with wood that is dry. ".repeat(300);
        let part = |name: &str| format!("## {name}\n\n### Door\n\n{long}\n\n### Ash\n\n{long}\n\n");
        let text = format!("# Kiln\n\n{}{}", part("North"), part("South"));
        let document = document(&text);
        let files = plan(&Outline::of(&document.blocks), "Kiln", Kind::Reference, 100);
        let titles: HashSet<String> = files.iter().map(|file| letters(&file.title)).collect();
        assert_eq!(titles.len(), files.len(), "{files:?}");
        assert!(
            files.iter().any(|file| file.title == "South: Door"),
            "{files:?}"
        );
    }

    #[test]
    fn a_file_across_parts_of_one_form_is_called_by_the_parts() {
        let said = "The kiln is fired with wood that is dry. ".repeat(28);
        let part =
            |name: &str| format!("## {name}\n\n### Added\n\n{said}\n\n### Fixed\n\n{said}\n\n");
        let text: String = ["6.0", "5.0", "4.0", "3.0", "2.0", "1.0"]
            .map(part)
            .concat();
        let document = document(&format!("# Kiln\n\n{text}"));
        let files = plan(&Outline::of(&document.blocks), "Kiln", Kind::Reference, 100);
        let titles: Vec<&str> = files.iter().map(|file| &*file.title).collect();
        assert_eq!(titles, ["6.0 and 5.0", "4.0 and 3.0", "2.0 and 1.0"]);
    }

    #[test]
    fn no_address_is_cut_in_a_table_of_contents() {
        let address = format!("https://kiln.example/{}", "doors/".repeat(12));
        assert_eq!(first_words(&format!("See {address} now")), "See");
        assert_eq!(first_words("a b c d e f g h i"), "a b c d e f g h");
    }

    #[test]
    fn a_file_says_where_it_stands_in_the_source() {
        let document = document("# Kiln\n\nIt fires.");
        let outline = Outline::of(&document.blocks);
        let file = plan(&outline, "Kiln", Kind::HowTo, 100).remove(0);
        let source = Source {
            label: "kiln.md".into(),
            ..Source::default()
        };
        let (reference, traces) = write(&file, 0, &document.blocks, &outline, &source);
        assert_eq!(reference.filename, "references/kiln.md");
        assert_eq!(reference.content, "# Kiln\n\nSource: Kiln\n\nIt fires.\n");
        assert_eq!(traces.len(), 2);
    }
}
