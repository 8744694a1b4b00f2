//! Owns the outline of a source: its sections under their headings, and the parts it falls into.

use super::manuals::{ManualPart, part_of_manual};
use super::talks::is_transcript;
use super::wording::is_imprint;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{plain, squash, straight, word_count, write_plain};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A title of so many sections names none of them.
const COMMON_MIN: usize = 3;

/// Headings that name no subject of their own.
const GENERIC: [&str; 62] = [
    "hello",
    "welcome",
    "master menu",
    "main menu",
    "status",
    "introduction",
    "overview",
    "summary",
    "contents",
    "table of contents",
    "readme",
    "about",
    "background",
    "conclusion",
    "abstract",
    "preface",
    "foreword",
    "acknowledgements",
    "acknowledgments",
    "references",
    "see also",
    "further reading",
    "external links",
    "notes",
    "appendix",
    "index",
    "home",
    "license",
    "copyright",
    "legal notice",
    "next steps",
    "what's next",
    "related",
    "resources",
    "in this article",
    "on this page",
    "documentation",
    "docs",
    "description",
    "synopsis",
    "untitled",
    "name",
    "note",
    "bugs",
    "bug reports",
    "standards",
    "exit status",
    "return value",
    "files",
    "environment",
    "diagnostics",
    "caveats",
    "panics",
    "errors",
    "safety",
    "directories",
    "answer",
    "cause",
    "problem",
    "question",
    "solution",
    "symptom",
];

/// A heading and what stands under it.
#[derive(Debug, Clone)]
pub(super) struct Section {
    /// The heading's words; empty for what stands before the first heading.
    pub(super) title: String,
    /// The heading's level, 0 for what stands before the first heading.
    pub(super) level: u8,
    /// The section that holds this one.
    pub(super) parent: Option<usize>,
    /// The blocks of its own, the heading included, subsections not.
    pub(super) own: Range<usize>,
    /// Where it ends with all its subsections.
    pub(super) end: usize,
    /// Words of its own.
    pub(super) words: usize,
    /// Whether it only surrounds the subject: it, or a section above it, by its title.
    pub(super) is_aside: bool,
}

/// What only says whose text it is has no more words.
const IMPRINT_WORDS: usize = 24;

/// The sections of a sequence of blocks.
#[derive(Debug, Clone)]
pub(super) struct Outline {
    /// In source order; the first may be what stands before any heading.
    pub(super) sections: Vec<Section>,
}

/// Whether a section only says whose text it is, or to what it belongs ("Part of the git(1) suite").
fn is_only_imprint(blocks: &[Block], section: &Section) -> bool {
    let own = blocks.get(section.own.start + 1..section.own.end);
    match own {
        Some([only])
            if section.words <= IMPRINT_WORDS
                && section.level > 0
                && section.end == section.own.end =>
        {
            is_imprint(&block_text(only).trim().to_lowercase())
        }
        _ => false,
    }
}

/// A run of blocks that belongs together.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// Its name in the source's words; empty when the source gives none.
    pub(super) name: String,
    /// Whether it only opens what the parts after it belong to.
    pub(super) is_lead: bool,
    /// Its blocks.
    pub(super) blocks: Range<usize>,
    /// Its words.
    pub(super) words: usize,
}

impl Outline {
    /// Reads the headings of `blocks`.
    pub(super) fn of(blocks: &[Block]) -> Self {
        let mut sections: Vec<Section> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut text = String::new();
        for (position, block) in blocks.iter().enumerate() {
            if let BlockKind::Heading { level, text: words } = &block.kind {
                let title = squash(&plain(words));
                while let Some(last) = open.pop_if(|last| {
                    sections
                        .get(*last)
                        .is_none_or(|section| section.level >= *level || section.level == 0)
                }) {
                    if let Some(section) = sections.get_mut(last) {
                        section.end = position;
                    }
                }
                let parent = open.last().copied();
                open.push(sections.len());
                sections.push(Section {
                    words: word_count(&title),
                    title,
                    level: *level,
                    parent,
                    own: position..position + 1,
                    end: position + 1,
                    is_aside: false,
                });
                continue;
            }
            if sections.is_empty() {
                open.push(0);
                sections.push(Section {
                    title: String::new(),
                    level: 0,
                    parent: None,
                    own: position..position,
                    end: position,
                    words: 0,
                    is_aside: false,
                });
            }
            text.clear();
            write_block(block, &mut text);
            if let Some(section) = sections.last_mut() {
                section.own.end = position + 1;
                section.words += word_count(&text);
            }
        }
        for last in open {
            if let Some(section) = sections.get_mut(last) {
                section.end = blocks.len();
            }
        }
        let imprints: Vec<bool> = sections
            .iter()
            .map(|section| is_only_imprint(blocks, section))
            .collect();
        let mut outline = Self { sections };
        outline.set_asides();
        for (section, is_imprint) in outline.sections.iter_mut().zip(imprints) {
            section.is_aside |= is_imprint;
        }
        outline
    }

    /// Tells what surrounds the subject. A section that is most of the source is the subject, whatever it is called; and where
    /// most of the source is a log of changes, sections of changes are what it says.
    fn set_asides(&mut self) {
        let total = self.words();
        let weights = self.weights();
        // A licence may well be longer than what it is of.
        let is_most = |section: &Section, weight: usize| {
            let title = section.title.to_lowercase();
            let is_licence = title.contains("license") || title.contains("licence");
            let rest = if is_licence { total / 10 } else { total / 2 };
            weight + rest >= total && section.end > section.own.end
        };
        let is_below_log = |section: &Section| {
            let above = section.parent.and_then(|parent| self.sections.get(parent));
            above.is_some_and(|above| is_log(&above.title))
        };
        let logged: usize = self
            .sections
            .iter()
            .zip(&weights)
            .filter(|(section, _)| is_log(&section.title) && !is_below_log(section))
            .map(|(_, weight)| weight)
            .sum();
        let tells_changes = logged * 2 >= total;
        let mut asides: Vec<bool> = Vec::with_capacity(self.sections.len());
        for (section, weight) in self.sections.iter().zip(&weights) {
            let above = section
                .parent
                .and_then(|parent| asides.get(parent))
                .copied();
            let own = is_peripheral(&section.title)
                && !is_most(section, *weight)
                && !(tells_changes && is_log(&section.title));
            asides.push(own || above.unwrap_or(false));
        }
        for (section, is_aside) in self.sections.iter_mut().zip(asides) {
            section.is_aside = is_aside;
        }
    }

    /// Of `blocks` the runs that are on the subject, without the sections that surround it. Where no section is on the subject, all.
    pub(super) fn subject<'b>(&self, blocks: &'b [Block]) -> Vec<&'b [Block]> {
        let mut runs = Vec::new();
        for run in self
            .sections
            .chunk_by(|one, next| one.is_aside == next.is_aside)
        {
            if let [first, ..] = run
                && let [.., last] = run
                && !first.is_aside
            {
                runs.extend(blocks.get(first.own.start..last.own.end));
            }
        }
        if runs.is_empty() {
            runs.push(blocks);
        }
        runs
    }

    /// What several sections are called ("Value", "Arguments"): it names none of them.
    pub(super) fn common_titles(&self) -> HashSet<&str> {
        let mut times: HashMap<&str, usize> = HashMap::new();
        for section in &self.sections {
            *times.entry(&section.title).or_default() += 1;
        }
        times.retain(|_, times| *times >= COMMON_MIN);
        times.into_keys().collect()
    }

    /// Whether a section, and each below it, is a heading alone.
    pub(super) fn is_void(&self, section: &Section) -> bool {
        let from = self
            .sections
            .partition_point(|other| other.own.start < section.own.start);
        let within = self.sections.get(from..).unwrap_or_default();
        let mut within = within
            .iter()
            .take_while(|other| other.own.start < section.end);
        section.level > 0 && within.all(|other| other.own.len() == 1)
    }

    /// The words of each section with all its subsections.
    pub(super) fn weights(&self) -> Vec<usize> {
        let mut weights: Vec<usize> = self.sections.iter().map(|section| section.words).collect();
        for (number, section) in self.sections.iter().enumerate().rev() {
            let weight = weights.get(number).copied().unwrap_or(0);
            if let Some(above) = section.parent.and_then(|parent| weights.get_mut(parent)) {
                *above += weight;
            }
        }
        weights
    }

    /// Words of the whole.
    pub(super) fn words(&self) -> usize {
        self.sections.iter().map(|section| section.words).sum()
    }

    /// The parts the whole falls into: the highest sections of which there are at least two. Below a title that stands
    /// over everything, or a section that is nearly everything, its subsections; what stands before those is a lead.
    /// Every block is in exactly one part, in order; without headings there is one part.
    pub(super) fn parts(&self) -> Vec<Part> {
        let weights = self.weights();
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.sections.len()];
        let mut cut = Vec::new();
        for (number, section) in self.sections.iter().enumerate() {
            match section.parent.and_then(|parent| children.get_mut(parent)) {
                Some(siblings) => siblings.push(number),
                None => cut.push(number),
            }
        }
        let total: usize = self.words();
        let weight = |number: usize| weights.get(number).copied().unwrap_or(0);
        // The cut holds the sections at which a part begins; it is refined while one of them holds nearly everything.
        let mut leads = Vec::new();
        while let Some(position) = cut.iter().position(|number| {
            (cut.len() == 1 || weight(*number) * 10 >= total * 8)
                && children
                    .get(*number)
                    .is_some_and(|inner| inner.len() >= 2 || (inner.len() == 1 && cut.len() == 1))
        }) {
            let Some(number) = cut.get(position).copied() else {
                break;
            };
            let inner = children.get(number).cloned().unwrap_or_default();
            cut.splice(position + 1..position + 1, inner);
            // Its own blocks stay as a part before its subsections; it cannot be cut again.
            leads.push(number);
            if let Some(children) = children.get_mut(number) {
                children.clear();
            }
        }
        let mut parts: Vec<Part> = Vec::with_capacity(cut.len());
        for (position, number) in cut.iter().enumerate() {
            let Some(section) = self.sections.get(*number) else {
                continue;
            };
            let start = section.own.start;
            let end = cut
                .get(position + 1)
                .and_then(|next| self.sections.get(*next))
                .map_or_else(
                    || self.sections.iter().map(|s| s.end).max().unwrap_or(0),
                    |next| next.own.start,
                );
            let last = cut
                .get(position + 1)
                .copied()
                .unwrap_or(self.sections.len());
            let words = self
                .sections
                .get(*number..last)
                .unwrap_or_default()
                .iter()
                .map(|s| s.words)
                .sum();
            parts.push(Part {
                name: section.title.clone(),
                is_lead: section.level == 0 || leads.contains(number),
                blocks: start..end,
                words,
            });
        }
        parts
    }
}

/// Whether a heading names no subject of its own.
pub(super) fn is_generic(title: &str) -> bool {
    let lower = straight(title)
        .trim()
        .trim_end_matches([':', '.', '!'])
        .to_lowercase();
    GENERIC.contains(&lower.as_str())
        || is_transcript(&lower)
        || part_of_manual(title).is_some_and(ManualPart::is_generic)
}

/// Whether a heading stands over what surrounds a subject: how the text came to be, who made it, what changed when.
pub(super) fn is_peripheral(title: &str) -> bool {
    let lower = unnumbered(title);
    // A numbered chapter of that name says what the chapters after it are about.
    let is_chapter = || lower == "roadmap" && title.starts_with(|c: char| c.is_ascii_digit());
    surrounds(&lower) && !is_chapter() || tells_changes(&lower) || {
        part_of_manual(title).is_some_and(ManualPart::is_peripheral)
    }
}

/// Whether a heading stands over what changed when.
fn is_log(title: &str) -> bool {
    tells_changes(&unnumbered(title)) || part_of_manual(title) == Some(ManualPart::Log)
}

/// A title in lower case, without the number of its section and the stop behind it.
pub(super) fn unnumbered(title: &str) -> String {
    let numbered = |c: char| c.is_ascii_digit() || matches!(c, '.' | ' ');
    let words = title.trim_start_matches(numbered).trim_end();
    let lower = words.trim_end_matches([':', '.']).to_lowercase();
    match lower
        .strip_prefix("appendix ")
        .and_then(|rest| rest.split_once(' '))
    {
        Some((letter, named)) if letter.trim_end_matches(['.', ':']).len() < 2 => named.to_owned(),
        _ => lower,
    }
}

/// Whether one of `words`, which end in a space, stands at the beginning, or one that begins with a space at the end.
fn is_framed(lower: &str, words: &[&str]) -> bool {
    let stands = |word: &&str| match word.starts_with(' ') {
        true => lower.ends_with(word),
        false => lower.starts_with(word),
    };
    words.iter().any(stands)
}

/// Whether a title, in lower case, is one of what changed when.
pub(super) fn tells_changes(lower: &str) -> bool {
    const FRAMES: [&str; 12] = [
        "change log ",
        "changelog ",
        "changes between ",
        "changes from ",
        "changes in ",
        "changes since ",
        "release history ",
        "release notes ",
        "version history ",
        "what's new ",
        " changelog",
        " release notes",
    ];
    let lower = &*straight(lower);
    matches!(
        lower,
        "change log"
            | "changelog"
            | "changes"
            | "history"
            | "news"
            | "older news"
            | "release history"
            | "release notes"
            | "releases"
            | "version history"
            | "what's new"
    ) || is_framed(lower, &FRAMES)
}

/// Whether a title, in lower case, is one of what else surrounds a subject.
fn surrounds(lower: &str) -> bool {
    const FRAMES: [&str; 30] = [
        "a word from our sponsor",
        "about the author",
        "about this document",
        "about this manual",
        "acknowledgements ",
        "acknowledgments ",
        "addendum: ",
        "citing ",
        "contributing ",
        "contributors ",
        "copying this manual",
        "history of this ",
        "how to cite",
        "obtaining this document",
        "obtaining this manual",
        "project membership ",
        "sponsor: ",
        "sponsored by ",
        "terms of distribution",
        "this manual's history",
        "today's sponsor",
        " acknowledgements",
        " code of conduct",
        " concept index",
        " contributors",
        " documentation license",
        " external links",
        " further reading",
        " public license",
        " variable index",
    ];
    let lower = &*straight(lower);
    matches!(
        lower,
        "acknowledgements"
            | "acknowledgments"
            | "addendum"
            | "author"
            | "authors"
            | "badges"
            | "bug reports"
            | "citation"
            | "code of conduct"
            | "comments"
            | "community"
            | "concept index"
            | "contact"
            | "contents"
            | "contributing"
            | "contribution"
            | "contributors"
            | "contacting the author"
            | "contacting the authors"
            | "contacting the maintainer"
            | "contacting the maintainers"
            | "copyright"
            | "copyright and license"
            | "copyright and licensing"
            | "credits"
            | "document conventions"
            | "documentation license"
            | "donate"
            | "external links"
            | "feedback"
            | "financial support"
            | "function index"
            | "funding"
            | "further reading"
            | "general index"
            | "getting help"
            | "gnu licenses"
            | "index"
            | "key index"
            | "legalese"
            | "licence"
            | "license"
            | "licensing"
            | "maintainers"
            | "new contributors"
            | "next steps"
            | "outro"
            | "project membership"
            | "public license"
            | "references"
            | "related pages"
            | "related projects"
            | "reporting bugs"
            | "roadmap"
            | "see also"
            | "sponsor"
            | "sponsors"
            | "support the project"
            | "table of contents"
            | "thanks"
            | "typographical conventions"
            | "variable index"
            | "variables index"
            | "what's next"
    ) || is_framed(lower, &FRAMES)
}

/// Appends the plain text of a block and all that is in it, one line for each piece.
pub(super) fn write_block(block: &Block, out: &mut String) {
    write_with::<true>(block, out);
}

/// The same, without code and formulas, of which most words are those of examples.
pub(super) fn write_told(block: &Block, out: &mut String) {
    write_with::<false>(block, out);
}

fn write_with<const CODE: bool>(block: &Block, out: &mut String) {
    match &block.kind {
        BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => write_plain(text, out),
        BlockKind::List { items, .. } => items
            .iter()
            .flatten()
            .for_each(|b| write_with::<CODE>(b, out)),
        BlockKind::Code { .. } | BlockKind::Math(_) if !CODE => return,
        BlockKind::Code { text, .. } | BlockKind::Math(text) => out.push_str(text),
        BlockKind::Table {
            header,
            rows,
            caption,
        } => {
            for cell in caption.iter().chain(header).chain(rows.iter().flatten()) {
                write_plain(cell, out);
                out.push('\n');
            }
        }
        BlockKind::Quote(inner) => inner.iter().for_each(|b| write_with::<CODE>(b, out)),
        BlockKind::Admonition { title, blocks, .. } => {
            if let Some(title) = title {
                out.push_str(title);
                out.push('\n');
            }
            blocks.iter().for_each(|b| write_with::<CODE>(b, out));
        }
        BlockKind::Definitions(entries) => {
            for entry in entries {
                for term in &entry.terms {
                    write_plain(term, out);
                    out.push('\n');
                }
                entry.blocks.iter().for_each(|b| write_with::<CODE>(b, out));
            }
        }
        BlockKind::Figure {
            alternative,
            caption,
            ..
        } => {
            out.push_str(alternative);
            out.push('\n');
            write_plain(caption, out);
        }
    }
    if !out.ends_with('\n') {
        out.push('\n');
    }
}

/// The plain text of a block and all that is in it.
pub(super) fn block_text(block: &Block) -> String {
    let mut out = String::new();
    write_block(block, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::{Outline, is_peripheral};

    #[test]
    fn a_section_is_void_where_headings_alone_stand_in_it() {
        let text = "# Kilns\n\n## Doors\n\n### Hinges\n\n## Wood\n\nIt burns.\n\n## Ash";
        let outline = Outline::of(&crate::pipeline::synthesize::testing::document(text).blocks);
        let void = outline
            .sections
            .iter()
            .map(|section| outline.is_void(section));
        assert_eq!(void.collect::<Vec<_>>(), [false, true, true, false, true]);
    }

    #[test]
    fn what_only_says_to_what_a_page_belongs_surrounds_it() {
        let blocks = crate::pipeline::synthesize::testing::document(
            "# Kilns\n\nIt burns dry wood.\n\n## AUTHOR\n\nWritten by Kim Potter.\n\n## REPORTING BUGS\n\nTo the author.\n\n\
             ## KILN\n\nPart of the kiln(1) suite\n",
        )
        .blocks;
        let outline = Outline::of(&blocks);
        let asides: Vec<bool> = outline.sections.iter().map(|own| own.is_aside).collect();
        assert_eq!(asides, [false, true, true, true]);
        assert_eq!(outline.subject(&blocks).concat().len(), 2);
    }

    #[test]
    fn a_licence_that_is_longer_than_what_it_is_of_is_not_the_subject() {
        let terms: String = (1..=12)
            .map(|number| {
                format!(
                    "## {number}. Terms\n\n{}\n\n",
                    "The copies are free. ".repeat(20)
                )
            })
            .collect();
        let licence = format!("# GNU Free Documentation License\n\nIt is one.\n\n{terms}");
        let told = format!(
            "# Firing\n\n{}\n\n",
            "The kiln burns dry wood. ".repeat(100)
        );
        let asides = |source: &str| {
            let blocks = crate::pipeline::synthesize::testing::document(source).blocks;
            let sections = Outline::of(&blocks).sections;
            sections
                .iter()
                .map(|section| section.is_aside)
                .collect::<Vec<_>>()
        };
        let both = asides(&format!("{told}{licence}"));
        assert!(
            !both[0] && both[1..].iter().all(|is_aside| *is_aside),
            "{both:?}"
        );
        assert!(asides(&licence).iter().all(|is_aside| !is_aside));
    }

    #[test]
    fn what_surrounds_a_subject_is_told_also_from_a_numbered_title_and_not_from_one_that_only_begins_so()
     {
        for title in [
            "2. NEWS",
            "3. OLDER NEWS",
            "12 License",
            "1. The GNU General Public License",
            "Appendix C GNU Free Documentation License",
            "Appendix E Concept index",
            "Changes in version 2",
            "Contributing to Kilns",
            "Appendix F References",
            "ADDENDUM: How to use this License",
            "THANKS",
            "Sponsor: KilnCo",
            "Today's sponsor",
        ] {
            assert!(is_peripheral(title), "{title}");
        }
        for title in [
            "14.1 History Expansion",
            "3 Roadmap",
            "References to functions",
            "Weak references",
            "Comments in code",
            "Contents of a package",
            "Credits and payments",
            "Index expressions",
        ] {
            assert!(!is_peripheral(title), "{title}");
        }
    }
}
