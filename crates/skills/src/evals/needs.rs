//! Owns what the readers of a source need of it, each with its answer and the place where that stands: something to do, a name to look up, a
//! case that goes wrong, a subject.

use crate::chunk::chunked;
use crate::clean::prepare;
use crate::keyphrase::keyphrases;
use crate::lead_ins::language_of;
use crate::lift::lifted;
use crate::names::Names;
use crate::naming::{self, without_vague};
use crate::outline::{Outline, block_text};
use crate::provenance::time;
use crate::salience;
use crate::section_role::{SectionRole, is_generic, role_of};
use crate::tasks::{announced, bare_title, in_sentence, task};
use crate::units::{self, Form, Unit, UnitKind};
use skillkiln_document::blocks::{BlockKind, Document, Span};
use skillkiln_document::markdown;
use skillkiln_document::quick::QuickSet;
use skillkiln_document::text::{plain, squash};

/// Longest answer and longest need.
const ANSWER_CHARS_MAX: usize = 400;
const NEED_CHARS_MAX: usize = 90;
/// Longest name of a product that a request holds.
const PRODUCT_CHARS_MAX: usize = 24;
/// Most needs that are told of a source.
const NEEDS_MAX: usize = 60;
/// Where its titles and sentences tell fewer, its key phrases and its names do.
const NEEDS_MIN: usize = 8;
const PHRASES_MAX: usize = 12;

/// What somebody needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Need {
    /// To do something by a command: "light the kiln".
    Command(String),
    /// To do something in steps.
    Steps(String),
    /// To do something.
    Deed(String),
    /// To know what a name means: "--slow".
    Name(String),
    /// To know what holds in a case: "the kiln is cold".
    Case(String),
    /// To know of a subject: "doors and ash".
    Subject(String),
}

/// A need with its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// What is needed.
    pub need: Need,
    /// The words of the source that answer it.
    pub answer: String,
    /// Where they stand: headings, page, time.
    pub place: String,
}

/// The needs of a source, best first, and what they are asked with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needs {
    /// Each need, no two of one section and kind behind each other.
    pub all: Vec<Answered>,
    /// The product or the title.
    pub about: String,
    /// The product, where it is short enough to stand in a request.
    pub product: Option<String>,
    /// The language of the source.
    pub language: &'static str,
}

/// What the readers of a document need, whose address or file name is `label`.
///
/// ```
/// use skillkiln_document::blocks::{Block, BlockKind, Document, Span};
/// use skillkiln_document::text::Inline;
/// use skillkiln_skills::evals::needs::{Need, needs};
/// let block = |kind| Block { kind, span: Span::default() };
/// let lead = Inline::Text("To start the kiln, run:".into());
/// let code = BlockKind::Code { language: Some("sh".into()), text: "kiln start".into() };
/// let blocks = vec![block(BlockKind::Paragraph(vec![lead])), block(code)];
/// let document = Document { blocks, ..Document::default() };
/// let needs = needs(&document, "kiln.md");
/// assert_eq!(needs.all[0].need, Need::Command("start the kiln".into()));
/// assert_eq!(needs.all[0].answer, "kiln start");
/// ```
#[must_use]
pub fn needs(document: &Document, label: &str) -> Needs {
    let document = prepare(document);
    let flat = lifted(&document.blocks);
    let blocks = flat.as_deref().unwrap_or(&document.blocks);
    let cut = chunked(blocks);
    let blocks = cut.as_deref().unwrap_or(blocks);
    let outline = Outline::of(blocks);
    let title = naming::title(&document, label);
    let names = Names::of(&document, blocks, &title, label);
    let sample: String = blocks.iter().take(400).map(block_text).collect();
    let language = language_of(&sample);
    let units = units::extract(blocks, &outline);
    let worth = salience::worth(&salience::features(&units, &outline, &title));
    let mut order: Vec<usize> = (0..units.len()).collect();
    let rate = |at: &usize| worth.get(*at).copied().unwrap_or_default();
    order.sort_by(|one, other| rate(other).total_cmp(&rate(one)).then(one.cmp(other)));
    let is_common = |word: &str| names.is_common(word);
    let search = Search {
        outline: &outline,
        is_common: &is_common,
        is_english: language == "en",
    };
    let (mut found, mut said) = (Vec::new(), QuickSet::default());
    for unit in order.into_iter().filter_map(|at| units.get(at)) {
        if found.len() >= NEEDS_MAX {
            break;
        }
        if let Some(answered) = search.of(unit)
            && said.insert(format!("{:?}", answered.need).to_lowercase())
        {
            found.push((unit.section, answered));
        }
    }
    let phrases = keyphrases(blocks, PHRASES_MAX).into_iter();
    let phrases: Vec<String> = phrases
        .chain(names.most_used().take(PHRASES_MAX).map(str::to_owned))
        .collect();
    for phrase in phrases {
        if found.len() >= NEEDS_MIN {
            break;
        }
        let lower = phrase.to_lowercase();
        let mut holders = units.iter();
        let holder = holders.find(|unit| unit.text.to_lowercase().contains(&lower));
        if let Some(unit) = holder
            && fits(&phrase)
        {
            let answered = search.answered(Need::Subject(phrase), &unit.text, unit);
            if said.insert(format!("{:?}", answered.need).to_lowercase()) {
                found.push((unit.section, answered));
            }
        }
    }
    let title = in_sentence(&without_vague(bare_title(&title)), is_common);
    let about = names.product().map_or(title, str::to_owned);
    let is_short = about.chars().count() <= PRODUCT_CHARS_MAX;
    Needs {
        all: spread(found),
        product: is_short.then(|| about.clone()),
        about,
        language,
    }
}

/// Needs in turns, one of each section and kind of need before the second of any.
fn spread(found: Vec<(usize, Answered)>) -> Vec<Answered> {
    let mut rounds: Vec<(usize, Answered)> = Vec::with_capacity(found.len());
    let mut sections: Vec<usize> = Vec::new();
    let mut kinds: Vec<std::mem::Discriminant<Need>> = Vec::new();
    for (section, answered) in found {
        let kind = std::mem::discriminant(&answered.need);
        let before = sections.iter().filter(|one| **one == section).count();
        let round = before.max(kinds.iter().filter(|one| **one == kind).count() / 2);
        sections.push(section);
        kinds.push(kind);
        rounds.push((round, answered));
    }
    rounds.sort_by_key(|(round, _)| *round);
    rounds.into_iter().map(|(_, answered)| answered).collect()
}

struct Search<'s> {
    outline: &'s Outline,
    is_common: &'s dyn Fn(&str) -> bool,
    is_english: bool,
}

impl Search<'_> {
    fn of(&self, unit: &Unit) -> Option<Answered> {
        let (need, answer) = match &unit.form {
            _ if !self.is_english => (self.subject(unit)?, unit.text.clone()),
            Form::Blocks(blocks) => {
                let lead = match blocks.first().map(|block| &block.kind) {
                    Some(BlockKind::Paragraph(text)) => Some(plain(text)),
                    _ => None,
                };
                let deed = lead.as_deref().and_then(announced);
                let deed = deed.map(|task| task.infinitive()).filter(|deed| fits(deed));
                let steps = markdown::write(blocks.get(usize::from(lead.is_some())..)?);
                match (unit.kind, deed) {
                    (UnitKind::Command, deed) => (
                        Need::Command(deed.or_else(|| self.deed(unit))?),
                        code_of(unit)?,
                    ),
                    (UnitKind::Procedure, deed) => {
                        (Need::Steps(deed.or_else(|| self.deed(unit))?), steps)
                    }
                    _ => return None,
                }
            }
            Form::Entry(entry) => {
                let term = plain(entry.terms.first()?);
                (Need::Name(name_of(&term)?), unit.text.clone())
            }
            Form::Row(row) => {
                let mut cells = row.cells.iter().map(|cell| plain(cell));
                (Need::Name(name_of(&cells.next()?)?), unit.text.clone())
            }
            Form::Sentence(_) | Form::Item(_) => match case_of(&unit.text) {
                Some(case) => (Need::Case(case), unit.text.clone()),
                None => (
                    self.deed(unit)
                        .map(Need::Deed)
                        .or_else(|| self.subject(unit))?,
                    unit.text.clone(),
                ),
            },
        };
        Some(self.answered(need, &answer, unit))
    }

    fn answered(&self, need: Need, answer: &str, unit: &Unit) -> Answered {
        let answer = squash_lines(answer);
        Answered {
            need,
            answer: answer.chars().take(ANSWER_CHARS_MAX).collect(),
            place: self.place(unit.section, &unit.span),
        }
    }

    /// What the title of a unit's section says to do.
    fn deed(&self, unit: &Unit) -> Option<String> {
        let title = self.title(unit)?;
        let told = task(title, "", self.is_common);
        let deed = in_sentence(&told.infinitive(), self.is_common);
        (told.is_own && fits(&deed)).then_some(deed)
    }

    /// What a unit's section is about.
    fn subject(&self, unit: &Unit) -> Option<Need> {
        let title = self.title(unit)?;
        let title = match self.is_english {
            true => in_sentence(title, self.is_common),
            false => title.to_owned(),
        };
        fits(&title).then_some(Need::Subject(title))
    }

    fn title(&self, unit: &Unit) -> Option<&str> {
        let section = self.outline.sections.get(unit.section)?;
        let title = bare_title(&section.title);
        let is_said = !section.is_made
            && !title.is_empty()
            && !is_generic(title)
            && !title.contains(['?', '？'])
            && role_of(title) != SectionRole::Aside;
        is_said.then_some(title)
    }

    fn place(&self, section: usize, span: &Span) -> String {
        let mut place = self.outline.path(section).join(" > ");
        if let Some(page) = span.page() {
            place.push_str(&format!(", page {page}"));
        }
        if let Some((start, _)) = span.seconds() {
            place.push_str(&format!(", {}", time(start)));
        }
        place.trim_start_matches([',', ' ']).to_owned()
    }
}

/// The code of a unit, without what announces it.
fn code_of(unit: &Unit) -> Option<String> {
    let Form::Blocks(blocks) = &unit.form else {
        return None;
    };
    blocks.iter().find_map(|block| match &block.kind {
        BlockKind::Code { text, .. } => Some(text.clone()),
        _ => None,
    })
}

/// What a term is called by whoever asks: its first word with what joins it.
fn name_of(term: &str) -> Option<String> {
    let name = term.split([' ', ',', '=', '(', '[']).next()?.trim();
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    (letters >= 3 && name.chars().count() <= 40).then(|| name.to_owned())
}

/// The case that a sentence tells of: "the kiln is cold" of "If the kiln is cold, wait."
fn case_of(sentence: &str) -> Option<String> {
    let rest = sentence
        .trim()
        .strip_prefix("If ")
        .or_else(|| sentence.trim().strip_prefix("When "))?;
    let (case, _) = rest.split_once(", ")?;
    let words = case.split(' ').map(|word| match word {
        "you" => "I",
        "your" => "my",
        "you're" => "I'm",
        "are" if case.starts_with("you ") => "am",
        word => word,
    });
    let case = words.collect::<Vec<_>>().join(" ");
    // What leans on the sentence before is no case of its own.
    const LEANING: &str = " this that it they these those them so ";
    let leans = case
        .split(' ')
        .any(|word| LEANING.contains(&format!(" {word} ")));
    (fits(&case) && case.contains(' ') && !leans).then_some(case)
}

/// Whether a need can stand in a request.
fn fits(need: &str) -> bool {
    let count = need.chars().count();
    (3..=NEED_CHARS_MAX).contains(&count) && !need.contains(['<', '>', '{', '}', '\n', '|'])
}

/// A text of which each line is without more blanks than it needs.
fn squash_lines(text: &str) -> String {
    let lines = text.lines().map(squash).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_told_as_whoever_meets_it_says_it() {
        for (sentence, case) in [
            (
                "If the kiln is cold, wait an hour.",
                Some("the kiln is cold"),
            ),
            (
                "When you open your door, it cracks.",
                Some("I open my door"),
            ),
            ("If so, wait.", None),
            ("The kiln is cold.", None),
        ] {
            assert_eq!(case_of(sentence).as_deref(), case, "{sentence}");
        }
    }
}
