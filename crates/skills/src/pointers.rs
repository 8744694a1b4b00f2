//! Owns the lines of a card that tell what it does not show: what lists, tables and long listings have beside what is shown of them, and the
//! sections that are left to the library.

use crate::cues::announces;
use crate::kind::Kind;
use crate::lead_ins::LeadIns;
use crate::library::{self, File};
use crate::outline::Outline;
use crate::section_role::{SectionRole, is_generic, role_of};
use crate::sentences::sentences;
use crate::tasks::bare_title;
use crate::units::{Form, Unit, of_section};
use skillkiln_document::blocks::BlockKind;
use skillkiln_document::markdown::inline::{Place, inline};
use skillkiln_document::text::{Inline, plain};
use std::collections::HashSet;

/// Most characters of the names of what a section has beside what is shown.
const BESIDE_CHARS_MAX: usize = 260;
/// Tokens for lines on sections that are not shown.
const SECTIONS_TOKENS_MAX: usize = 200;
/// A section that says less needs no line.
const SECTION_TOKENS_MIN: usize = 60;
/// Longest sentence that tells what such a section opens with.
const OPENING_CHARS_MAX: usize = 140;
/// Characters of a line on a section beside its title and the sentence.
const LINE_CHARS: usize = 16;
/// What is longer is no name.
const NAME_CHARS_MAX: usize = 40;

/// What the pointers of a card are made of.
pub(crate) struct Pointers<'p> {
    kind: Kind,
    outline: &'p Outline,
    left: &'p Outline,
    units: &'p [Unit],
    files: &'p [File],
    lead_ins: &'static LeadIns,
    /// Tokens that are left for lines on sections.
    room: usize,
    /// Which rests have been pointed at.
    told: HashSet<String>,
}

impl<'p> Pointers<'p> {
    /// Pointers to these files, which hold what is left of the sections.
    pub(crate) fn new(
        kind: Kind,
        outline: &'p Outline,
        left: &'p Outline,
        units: &'p [Unit],
        files: &'p [File],
        lead_ins: &'static LeadIns,
    ) -> Self {
        // Versions and requests are listed.
        let has_lines = !matches!(kind, Kind::ChangeLog | Kind::Api) && !files.is_empty();
        Self {
            kind,
            outline,
            left,
            units,
            files,
            lead_ins,
            room: if has_lines { SECTIONS_TOKENS_MAX } else { 0 },
            told: HashSet::new(),
        }
    }

    /// What the lists, glossaries, tables and long listings of a section have beside these units of it, by name, and where it stands.
    pub(crate) fn beside(&self, shown: &[&Unit]) -> Option<String> {
        let section = shown.first()?.section;
        if self.kind == Kind::ChangeLog {
            return None;
        }
        let own = self.units.get(of_section(self.units, section))?.iter();
        let parts: HashSet<(usize, usize)> =
            shown.iter().map(|one| (one.block, one.part)).collect();
        let blocks: HashSet<usize> = shown.iter().map(|one| one.block).collect();
        let beside = own.filter(|one| {
            let is_left = !parts.contains(&(one.block, one.part));
            one.is_large || is_left && (blocks.contains(&one.block) || is_entry(one))
        });
        let names: Vec<Vec<Inline>> = beside.filter_map(name_of).collect();
        let file = self.file_of(section)?;
        let path = match library::anchor(file, section, self.outline) {
            Some(anchor) => format!("{}#{anchor}", file.path()),
            None => file.path(),
        };
        let words = self.found_there(&names)?;
        Some(format!("{words} → [{}]({path})\n", self.lead_ins.read))
    }

    /// Where the rest of a section stands that has more than these units of it.
    pub(crate) fn rest(&mut self, shown: &[&Unit]) -> Option<String> {
        let section = shown.first()?.section;
        let has_more = shown.len() < of_section(self.units, section).len();
        let file = self.file_of(section)?;
        // A heading of ours, where a long section was cut, is no name.
        let mut around = self.outline.around(section);
        let is_own = |at: &usize| {
            self.outline
                .sections
                .get(*at)
                .is_some_and(|one| !one.is_made)
        };
        let rest = Left {
            title: self.title_of(around.find(is_own)?)?,
            file: file.path(),
            opening: None,
        };
        let is_told = has_more && self.kind != Kind::ChangeLog;
        let line = is_told.then(|| line_of(&[rest], self.lead_ins));
        // Of a long section that is shown in parts it is said once.
        line.filter(|line| self.told.insert(line.clone()))
    }

    /// The file that holds a section, where it is not told elsewhere.
    fn file_of(&self, section: usize) -> Option<&'p File> {
        let own = self.left.sections.get(section);
        let mut files = self
            .files
            .iter()
            .filter(|_| own.is_some_and(|one| one.tokens > 0));
        files.find(|file| file.sections.contains(&section))
    }

    /// Names the sections inside the one before `from`, up to the next that is shown, each with its file, which the table links, and the sentence that it opens with.
    pub(crate) fn left_out(&mut self, from: usize, shown: &HashSet<usize>) -> Option<String> {
        let all = &self.outline.sections;
        // What stands inside the section: of its neighbours the table tells.
        let end = from
            .checked_sub(1)
            .and_then(|at| all.get(at))
            .map_or(from, |one| one.end);
        let behind = (from..end).take_while(|at| !shown.contains(at));
        let mut left: Vec<Left> = Vec::new();
        for at in behind {
            let Some(one) = self
                .left(at)
                .filter(|one| !left.iter().any(|other| other.title == one.title))
            else {
                continue;
            };
            let Some(room) = self.room.checked_sub(one.tokens()) else {
                break;
            };
            self.room = room;
            left.push(one);
        }
        // Those of one file of which no more is told stand in one line.
        let lines = left.chunk_by(|one, other| {
            one.opening.is_none() && other.opening.is_none() && one.file == other.file
        });
        let lines: String = lines.map(|own| line_of(own, self.lead_ins)).collect();
        (!lines.is_empty()).then_some(lines)
    }

    /// What is told of a section that is not shown.
    fn left(&self, section: usize) -> Option<Left> {
        let own = self.outline.sections.get(section)?;
        let is_told = !own.is_made
            && !own.title.is_empty()
            && own.tokens > SECTION_TOKENS_MIN
            && role_of(&own.title) != SectionRole::Aside;
        let file = self.file_of(section).filter(|_| is_told)?;
        let title = self.title_of(section)?;
        let first = of_section(self.units, section).next();
        let first = first.and_then(|at| self.units.get(at));
        let said = match first.map(|unit| &unit.form) {
            Some(Form::Sentence(words)) => plain(words),
            _ => String::new(),
        };
        let opening = sentences(&said).into_iter().next();
        let opening = opening.and_then(|range| said.get(range));
        let opening =
            opening.filter(|one| one.chars().count() <= OPENING_CHARS_MAX && !announces(one));
        Some(Left {
            title,
            file: file.path(),
            opening: opening.map(str::to_owned),
        })
    }

    /// The title of a section, with the one above it where it says nothing alone.
    fn title_of(&self, section: usize) -> Option<String> {
        let own = self.outline.sections.get(section)?;
        let title = bare_title(&own.title);
        let above = own
            .parent
            .and_then(|above| self.outline.sections.get(above));
        let above = above.filter(|above| is_generic(title) && !above.title.is_empty());
        Some(match above {
            Some(above) => format!("{}: {title}", bare_title(&above.title)),
            None => title.to_owned(),
        })
    }

    /// What is looked up somewhere, by as many names as a line holds.
    fn found_there(&self, names: &[Vec<Inline>]) -> Option<String> {
        let mut words = vec![Inline::Text(self.lead_ins.to_read.into())];
        let mut chars = 0;
        for (number, name) in names.iter().enumerate() {
            chars += plain(name).chars().count() + 2;
            if chars > BESIDE_CHARS_MAX {
                break;
            }
            if number > 0 {
                words.push(Inline::Text(self.lead_ins.comma.into()));
            }
            words.extend(name.iter().cloned());
        }
        (words.len() > 1).then(|| inline(&words, Place::Line))
    }
}

/// A section that is left to the library.
struct Left {
    title: String,
    file: String,
    /// The sentence that it opens with.
    opening: Option<String>,
}

impl Left {
    /// What it takes in a list.
    fn tokens(&self) -> usize {
        let opening = self.opening.as_deref().unwrap_or_default();
        let chars = self.title.len() + opening.len() + LINE_CHARS;
        chars.div_ceil(4)
    }
}

/// A line on sections of one file.
fn line_of(own: &[Left], lead_ins: &LeadIns) -> String {
    let mut words: Vec<Inline> = Vec::new();
    for (number, one) in own.iter().enumerate() {
        if number > 0 {
            words.push(Inline::Text(lead_ins.comma.into()));
        }
        words.push(Inline::Strong(vec![Inline::Text(one.title.clone())]));
    }
    if let Some(last) = own.last() {
        words.push(Inline::Text(" → ".into()));
        words.push(Inline::Code(last.file.clone()));
        let opening = last.opening.as_ref();
        words.extend(opening.map(|one| Inline::Text(format!(": {one}"))));
    }
    format!("- {}\n", inline(&words, Place::Line))
}

/// Whether some blocks are a term above what is said of it, which is indented.
fn is_entry(unit: &Unit) -> bool {
    let Form::Blocks(blocks) = &unit.form else {
        return false;
    };
    let kinds: Vec<&BlockKind> = blocks.iter().take(2).map(|block| &block.kind).collect();
    matches!(
        kinds.as_slice(),
        [BlockKind::Paragraph(_), BlockKind::Quote(_)]
    )
}

/// What an entry, a row or an item is called.
fn name_of(unit: &Unit) -> Option<Vec<Inline>> {
    let name = match &unit.form {
        Form::Entry(entry) => entry.terms.first()?.clone(),
        Form::Row(row) => row.cells.first()?.clone(),
        Form::Item(item) => match &item.first()?.kind {
            BlockKind::Paragraph(words) => match words.first()? {
                name @ (Inline::Strong(_) | Inline::Code(_)) => vec![name.clone()],
                _ => return None,
            },
            _ => return None,
        },
        Form::Blocks(blocks) if unit.is_large || is_entry(unit) => match &blocks.first()?.kind {
            BlockKind::Paragraph(words) => {
                let said = plain(words);
                vec![Inline::Text(
                    said.trim_end_matches([':', '：', ' ']).to_owned(),
                )]
            }
            _ => return None,
        },
        _ => return None,
    };
    let said = plain(&name);
    let length = said.trim().chars().count();
    let tells = said.contains(char::is_alphabetic) && !is_generic(&said);
    (tells && length <= NAME_CHARS_MAX).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lead_ins::for_language;
    use skillkiln_document::testing::document;

    #[test]
    fn sections_that_are_left_out_are_told_by_their_file_and_what_they_open_with() {
        let filler = "It is brought by Tom every Monday. ".repeat(12);
        let text = format!(
            "# Kiln\n\n## Light\n\nLight it.\n\n### Doors\n\nA door shuts tightly. {filler}\n\n### Notes\n\nShort.\n\n### Ash\n\nAsh is grey. {filler}\n\n## Lamp\n\nThe lamp burns oil. {filler}"
        );
        let document = document(&text);
        let outline = Outline::of(&document.blocks);
        let units = crate::units::extract(&document.blocks, &outline);
        let files = library::plan(&outline, "Kiln", Kind::HowTo, 100);
        let left_out = |kind: Kind, shown: &[usize], language: &str| {
            let shown: HashSet<usize> = shown.iter().copied().collect();
            let mut pointers = Pointers::new(
                kind,
                &outline,
                &outline,
                &units,
                &files,
                for_language(language),
            );
            pointers.left_out(3, &shown)
        };
        assert_eq!(
            left_out(Kind::HowTo, &[2], "de").as_deref(),
            Some(
                "- **Doors** → `references/kiln.md`: A door shuts tightly.\n- **Ash** → `references/kiln.md`: Ash is grey.\n"
            )
        );
        let before_ash = left_out(Kind::HowTo, &[2, 5], "en").unwrap_or_default();
        assert!(
            before_ash.contains("Doors") && !before_ash.contains("Ash"),
            "{before_ash}"
        );
        assert_eq!(left_out(Kind::ChangeLog, &[2], "en"), None);
    }
}
