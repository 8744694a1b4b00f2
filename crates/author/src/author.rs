//! Owns one skill while a model writes it: which questions come next, and what is made of their answers. It asks nothing itself and waits
//! for nothing, so that whoever drives it decides about time, money and retries.
//!
//! ```text
//! Brief ─▶ (Notes) ─▶ Write ─▶ Judge ─▶ Repair ─▶ Judge ─▶ Cover ─▶ Judge ─▶ Review ─▶ Judge ─▶ done
//! ```
//!
//! Up to the first verdicts a question that is lost ends in the draft; after them it only costs what it would have added.

mod ask;
pub mod estimate;
mod take;

use crate::brief::{Brief, DESCRIPTION_CHARS_MAX, DESCRIPTION_CHARS_MIN, best_description};
use crate::check::{self, Source};
use crate::draft::{Line, Page, State};
use crate::gaps;
use crate::listing;
use crate::prompt::Question;
use crate::settle::settle;
use crate::shorten::shorten;
use crate::signs::{self, Sign, SignKind};
use crate::units::Units;
use skillkiln_document::blocks::Block;
use skillkiln_skills::tokens::tokens;
use std::collections::BTreeSet;

/// Claims of one question to the judge.
const CLAIMS_A_QUESTION: usize = 20;
/// Parts of a long source that are read at most.
const PARTS_MAX: usize = 24;
/// What our own words take of a question.
const TASK_TOKENS: usize = 1_600;
/// Fewer claims make no skill.
const CLAIMS_MIN: usize = 3;
/// Lines of a SKILL.md that a model writes.
const LINES_MAX: usize = 200;
/// Edits of a review that are taken; of a text that is too long, more.
const EDITS_MAX: usize = 12;
const EDITS_LONG_MAX: usize = 40;
/// Words from which on the language of a description is told.
const DESCRIPTION_WORDS_MIN: usize = 12;
/// How often a batch is halved because it does not fit.
const HALVINGS_MAX: usize = 3;

/// What a model can take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Tokens of question and answer together.
    pub context_tokens: usize,
    /// Tokens of one answer.
    pub answer_tokens_max: usize,
    /// Tokens of the body.
    pub body_tokens_max: usize,
}

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// In words for the report.
    pub why: String,
    /// Whether a shorter question may have one.
    pub is_too_long: bool,
}

/// Questions that can be asked at once.
#[derive(Debug, Clone)]
pub struct Round {
    /// They.
    pub questions: Vec<Question>,
    /// What is going on, for whoever waits.
    pub words: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Brief,
    Notes,
    Write,
    Judge(After),
    Repair,
    Cover,
    Review,
    Done,
}

/// Which step the judge comes after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum After {
    Write,
    Repair,
    Cover,
    Review,
}

/// How a line is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    Replace,
    Add,
    Remove,
}

/// A change of a line, made once all its claims stand.
#[derive(Debug)]
struct Edit {
    line: usize,
    how: How,
    lines: Vec<Line>,
}

impl Edit {
    fn claims(&self) -> Vec<usize> {
        self.lines
            .iter()
            .flat_map(|line| line.claims.clone())
            .collect()
    }
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct Work {
    /// The text.
    pub page: Page,
    /// The plan.
    pub brief: Brief,
    /// What was thrown away, and why.
    pub thrown: Vec<(String, String)>,
    /// Lines that were refused and mended.
    pub mended: usize,
    /// Steps that could not be taken, and why.
    pub skipped: Vec<String>,
    /// Sections of a long source that were not read.
    pub unread: usize,
}

/// A skill being written.
#[derive(Debug)]
pub struct Author {
    source: Source,
    gaps: Vec<String>,
    fence: String,
    limits: Limits,
    stage: Stage,
    /// Whether the whole source fits into a question.
    is_whole: bool,
    brief: Brief,
    parts: Vec<BTreeSet<u32>>,
    notes: Vec<String>,
    /// The units that the writer saw, of a long source.
    seen: BTreeSet<u32>,
    page: Page,
    has_verdicts: bool,
    batch: usize,
    halvings: usize,
    /// The claims of each question to the judge, or the lines of a question.
    asked: Vec<Vec<usize>>,
    edits: Vec<Edit>,
    /// The claims that were mended, each with those in its place.
    mended: Vec<(usize, Vec<usize>)>,
    descriptions: Vec<String>,
    thrown: Vec<(String, String)>,
    skipped: Vec<String>,
    failed: Option<String>,
}

impl Author {
    /// Begins with these blocks of a source. `fence` is a line that nobody can guess.
    #[must_use]
    pub fn new(title: &str, blocks: &[Block], fence: String, limits: Limits) -> Self {
        let units = Units::of(title, blocks);
        let gaps = gaps::of(&units, blocks);
        let mut author = Self {
            gaps,
            source: Source::of(units),
            fence,
            limits,
            stage: Stage::Brief,
            is_whole: true,
            brief: Brief::default(),
            parts: Vec::new(),
            notes: Vec::new(),
            seen: BTreeSet::new(),
            page: Page::default(),
            has_verdicts: false,
            batch: CLAIMS_A_QUESTION,
            halvings: 0,
            asked: Vec::new(),
            edits: Vec::new(),
            mended: Vec::new(),
            descriptions: Vec::new(),
            thrown: Vec::new(),
            skipped: Vec::new(),
            failed: None,
        };
        author.is_whole = tokens(&listing::whole(&author.source.units)) <= author.room();
        author
    }

    /// The source with its numbers.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Tokens of the source that one question may hold; a quarter is left, because tokens are only estimated.
    fn room(&self) -> usize {
        let spare = self.limits.answer_tokens_max + TASK_TOKENS;
        (self.limits.context_tokens.saturating_sub(spare) * 3 / 4).max(800)
    }

    /// The questions that come next; none when it is done.
    pub fn next_round(&mut self) -> Option<Round> {
        loop {
            let round = match self.stage {
                Stage::Brief => Some(self.ask_brief()),
                Stage::Notes => self.ask_notes(),
                Stage::Write => Some(self.ask_write()),
                Stage::Judge(_) => self.ask_judge(),
                Stage::Repair => self.ask_repair(),
                Stage::Cover => self.ask_cover(),
                Stage::Review => self.ask_review(),
                Stage::Done => return None,
            };
            match round {
                Some(round) => return Some(round),
                None => self.advance(),
            }
        }
    }

    /// Ends it where it is: what has its proof is delivered, else the draft.
    pub fn stop(&mut self, why: &str) {
        match self.has_verdicts {
            true => self.skipped.push(why.to_owned()),
            false => self.failed = Some(why.to_owned()),
        }
        self.stage = Stage::Done;
    }

    fn advance(&mut self) {
        self.stage = match self.stage {
            Stage::Brief if self.is_whole => Stage::Write,
            Stage::Brief => Stage::Notes,
            Stage::Notes => Stage::Write,
            Stage::Write => Stage::Judge(After::Write),
            Stage::Judge(after) => {
                self.apply_edits();
                match after {
                    After::Write => Stage::Repair,
                    After::Repair => Stage::Cover,
                    After::Cover => {
                        self.settle();
                        Stage::Review
                    }
                    After::Review => Stage::Done,
                }
            }
            Stage::Repair => Stage::Judge(After::Repair),
            Stage::Cover => Stage::Judge(After::Cover),
            Stage::Review => Stage::Judge(After::Review),
            Stage::Done => Stage::Done,
        };
    }

    /// Takes the answers of the last round, in the order of its questions.
    pub fn answer(&mut self, answers: &[Result<String, Lost>]) {
        let lost = answers
            .iter()
            .find_map(|answer| answer.as_ref().err().cloned());
        let is_lost = answers.iter().all(Result::is_err);
        if lost.as_ref().is_some_and(|lost| lost.is_too_long) && self.halve() {
            return;
        }
        let texts: Vec<&str> = answers
            .iter()
            .map(|answer| answer.as_deref().unwrap_or_default())
            .collect();
        let first = texts.first().copied().unwrap_or_default();
        let why = lost.map(|lost| lost.why).unwrap_or_default();
        match self.stage {
            Stage::Brief | Stage::Notes | Stage::Write if is_lost => return self.stop(&why),
            Stage::Brief => self.take_brief(first),
            Stage::Notes => self.take_notes(&texts),
            Stage::Write => self.take_page(first),
            Stage::Judge(_) => {
                self.take_verdicts(answers);
                let is_open = self.page.in_state(|state| *state == State::Waits);
                if !self.has_verdicts && is_lost {
                    return self.stop(&why);
                }
                // Claims that the judge passed over are asked about once more.
                if !is_open.is_empty() {
                    return;
                }
            }
            Stage::Repair | Stage::Cover | Stage::Review if is_lost => {
                let word = match self.stage {
                    Stage::Repair => "mending",
                    Stage::Cover => "looking for what is missing",
                    _ => "the review",
                };
                self.skipped.push(format!("{word}: {why}"));
            }
            Stage::Repair => self.take_repairs(first),
            Stage::Cover => self.take_cover(first),
            Stage::Review => self.take_review(first),
            Stage::Done => {}
        }
        if self.stage != Stage::Done {
            self.advance();
        }
    }

    /// Makes do with less room; `false` when that was done often enough.
    fn halve(&mut self) -> bool {
        if self.halvings >= HALVINGS_MAX {
            return false;
        }
        self.halvings += 1;
        self.limits.context_tokens /= 2;
        self.limits.answer_tokens_max = self
            .limits
            .answer_tokens_max
            .min(self.limits.context_tokens / 3);
        self.batch = (self.batch / 2).max(1);
        self.is_whole = tokens(&listing::whole(&self.source.units)) <= self.room();
        // What was planned for parts of another size is planned anew.
        if matches!(self.stage, Stage::Notes | Stage::Write) && !self.is_whole {
            self.parts.clear();
            self.notes.clear();
            self.seen.clear();
            self.stage = Stage::Notes;
        }
        true
    }

    /// Leaves what stands.
    fn settle(&mut self) {
        // What was mended in vain was thrown away.
        let (mended, lost) = std::mem::take(&mut self.mended)
            .into_iter()
            .partition(|(_, new)| {
                let stands = |at: &usize| {
                    self.page
                        .claims
                        .get(*at)
                        .is_some_and(|claim| claim.state.stands())
                };
                new.iter().any(stands)
            });
        let lost: Vec<(usize, Vec<usize>)> = lost;
        lost.iter().for_each(|(old, _)| self.throw(*old));
        self.mended = mended;
        for at in self.page.held() {
            self.throw(at);
        }
        settle(&mut self.page, &self.source);
    }

    /// The best of the descriptions that name nothing which the source does not; empty where none does.
    fn describe(&mut self) -> String {
        let mut candidates = vec![std::mem::take(&mut self.brief.description)];
        candidates.append(&mut self.descriptions);
        candidates.retain(|text| {
            let fits =
                (DESCRIPTION_CHARS_MIN..=DESCRIPTION_CHARS_MAX).contains(&text.chars().count());
            fits && !self.is_foreign(text, DESCRIPTION_WORDS_MIN)
        });
        candidates.retain(|text| {
            let faults = check::uncited(&self.source, text).faults;
            if !faults.is_empty() {
                let why = faults.join("; ");
                self.skipped.push(format!("a description, because {why}"));
            }
            faults.is_empty()
        });
        let mut names: Vec<Sign> = Vec::new();
        let claims = self.page.held().into_iter();
        for claim in claims.filter_map(|at| self.page.claims.get(at)) {
            let own = signs::of(&claim.text, self.source.has_capital_names).into_iter();
            let is_name = |sign: &Sign| matches!(sign.kind, SignKind::Code | SignKind::Name);
            names.extend(own.filter(is_name));
        }
        names.sort_by(|one, other| one.text.cmp(&other.text));
        names.dedup_by(|one, other| one.text == other.text);
        let best = best_description(&candidates, &self.brief.title, &self.brief.tasks, &names);
        best.unwrap_or_default().to_owned()
    }

    /// What came of it.
    ///
    /// # Errors
    /// Why the draft is delivered in its place.
    pub fn finish(mut self) -> Result<(Work, Source), String> {
        if let Some(why) = self.failed {
            return Err(why);
        }
        self.apply_edits();
        self.settle();
        let tokens_max = self.limits.body_tokens_max;
        let cut = shorten(&mut self.page, &self.source, tokens_max, LINES_MAX);
        let counts = |state: &State| matches!(state, State::Said { .. } | State::Inferred { .. });
        let held = self.page.held();
        let standing = held
            .iter()
            .filter(|at| {
                self.page
                    .claims
                    .get(**at)
                    .is_some_and(|claim| counts(&claim.state))
            })
            .count();
        self.thrown.append(&mut self.page.thrown);
        let written = standing + self.thrown.len();
        if standing < CLAIMS_MIN || standing * 3 < written {
            return Err(format!(
                "only {standing} of the model's {written} lines could be proved"
            ));
        }
        let too_long = |text: String| (text, "it did not fit".to_owned());
        self.thrown.extend(cut.into_iter().map(too_long));
        self.brief.description = self.describe();
        if !check::is_title(&self.source, &self.brief.title) {
            self.brief.title = String::new();
        }
        if !check::is_name(&self.source, &self.brief.name) {
            self.brief.name = String::new();
        }
        let sections = self.source.units.sections().len();
        let read: BTreeSet<usize> = self
            .parts
            .iter()
            .flatten()
            .filter_map(|number| self.source.units.get(*number))
            .map(|unit| unit.section)
            .collect();
        let work = Work {
            page: self.page,
            brief: self.brief,
            thrown: self.thrown,
            mended: self.mended.len(),
            skipped: self.skipped,
            unread: if self.is_whole {
                0
            } else {
                sections - read.len().min(sections)
            },
        };
        Ok((work, self.source))
    }
}
