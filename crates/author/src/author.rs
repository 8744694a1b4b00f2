//! Owns one skill while a model writes it: which questions come next, and what is made of their answers. It asks nothing itself and waits
//! for nothing, so that whoever drives it decides about time, money and retries.
//!
//! ```text
//! Brief ─▶ (Notes) ─▶ Write ─▶ Judge ─▶ Repair ─▶ Judge ─▶ Cover ─▶ Judge ─▶ Review ─▶ Judge ─▶ done
//! ```
//!
//! Up to the first verdicts a question that is lost ends in the draft; after them it only costs what it would have added.

use crate::brief::{Brief, DESCRIPTION_CHARS_MAX, best_description};
use crate::check::{self, Source};
use crate::coverage;
use crate::draft::{Claim, Form, Line, Page, State};
use crate::gaps;
use crate::json;
use crate::listing;
use crate::prompt::{Question, Step};
use crate::settle::{settle, shorten};
use crate::units::{UnitId, UnitKind, Units};
use crate::verdict;
use serde_json::Value;
use skillkiln_document::blocks::Block;
use skillkiln_skills::lead_ins::language_of;
use skillkiln_skills::scaffold::RULES;
use skillkiln_skills::tokens::tokens;
use std::collections::{BTreeSet, HashMap};

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
/// Edits of a review that are taken.
const EDITS_MAX: usize = 12;
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

/// A line that is to read otherwise, once its claims stand.
#[derive(Debug)]
struct Edit {
    line: usize,
    claims: Vec<usize>,
    words: Option<String>,
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

    fn question(&self, step: Step, listing: &str, words: &[(&str, &str)]) -> Question {
        Question::new(step, &self.fence, listing, words)
    }

    /// The source for a question about these units: all of it where it fits, so that it stays the same.
    fn listing(&self, units: impl Iterator<Item = u32>) -> String {
        if self.is_whole {
            return listing::whole(&self.source.units);
        }
        let mut numbers: BTreeSet<u32> = BTreeSet::new();
        let mut spent = 0;
        for number in units {
            let Some(unit) = self.source.units.get(number) else {
                continue;
            };
            for number in unit.under.iter().copied().chain([number]) {
                if numbers.contains(&number) {
                    continue;
                }
                spent += self.source.units.get(number).map_or(0, listing::cost);
                if spent > self.room() {
                    return listing::of(&self.source.units, &numbers);
                }
                numbers.insert(number);
            }
        }
        listing::of(&self.source.units, &numbers)
    }

    fn ask_brief(&self) -> Round {
        let units = &self.source.units;
        let listing = match self.is_whole {
            true => listing::whole(units),
            false => listing::outline(units, self.room()),
        };
        let gaps = match self.gaps.is_empty() {
            true => String::new(),
            false => format!(
                "\nThe program found these gaps:\n- {}\n",
                self.gaps.join("\n- ")
            ),
        };
        Round {
            questions: vec![self.question(Step::Brief, &listing, &[("gaps", &gaps)])],
            words: format!("planning {} sections", units.sections().len()),
        }
    }

    fn take_brief(&mut self, answer: &str) {
        self.brief = Brief::read(answer).unwrap_or_default();
        let count = self.source.units.sections().len();
        self.brief.sections.retain(|section| *section < count);
    }

    fn ask_notes(&mut self) -> Option<Round> {
        if self.parts.is_empty() {
            let units = &self.source.units;
            let chosen = match self.brief.sections.is_empty() {
                true => salient(units, self.room() * PARTS_MAX / 2),
                false => self.brief.sections.clone(),
            };
            self.parts = listing::batches(units, &chosen, self.room());
            self.parts.truncate(PARTS_MAX);
        }
        if self.parts.is_empty() {
            return None;
        }
        let notes = (600 / self.parts.len()).clamp(12, 60).to_string();
        let subject = match self.brief.title.is_empty() {
            true => &self.source.units.title,
            false => &self.brief.title,
        };
        let words = [("subject", subject.as_str()), ("notes", &notes)];
        let ask = |part: &BTreeSet<u32>| {
            let listing = listing::of(&self.source.units, part);
            self.question(Step::Notes, &listing, &words)
        };
        Some(Round {
            questions: self.parts.iter().map(ask).collect(),
            words: format!("reading {} parts", self.parts.len()),
        })
    }

    fn take_notes(&mut self, answers: &[&str]) {
        for (answer, part) in answers.iter().zip(&self.parts) {
            let object = json::object(answer).unwrap_or(Value::Null);
            for fact in json::list(&object, "facts").iter().take(80) {
                let cite = json::cite(fact, "units");
                let known: Vec<UnitId> = cite
                    .ids
                    .into_iter()
                    .filter(|id| part.contains(&id.number))
                    .collect();
                let text = json::text(fact, "text");
                if text.is_empty() || known.is_empty() {
                    continue;
                }
                let ids: Vec<String> = known.iter().map(ToString::to_string).collect();
                self.notes.push(format!(
                    "- {} [{}]",
                    listing::clip(&text, 300),
                    ids.join(",")
                ));
                self.seen.extend(known.iter().map(|id| id.number));
            }
        }
    }

    fn ask_write(&mut self) -> Round {
        let mut facts = String::new();
        if !self.is_whole {
            let mut spent = 0;
            facts.push_str("\nThe source is long. These notes were taken from it; the source above shows code, tables and rules that they name:\n");
            for note in &self.notes {
                spent += tokens(note);
                if spent > self.room() / 2 {
                    break;
                }
                facts.push_str(note);
                facts.push('\n');
            }
        }
        // Code first: it can only be taken over by its number.
        let is_code = |number: &u32| {
            self.source
                .units
                .get(*number)
                .is_some_and(|unit| unit.is_code() || unit.kind == UnitKind::Table)
        };
        let code: Vec<u32> = self.seen.iter().copied().filter(is_code).collect();
        let rest = self.seen.iter().copied().filter(|number| !is_code(number));
        let listing = self.listing(code.into_iter().chain(rest));
        let source_words: usize = self
            .source
            .units
            .all()
            .iter()
            .map(|unit| unit.text.split_whitespace().count())
            .sum();
        let words = (source_words / 3).clamp(200, 1_100).to_string();
        let lines = (source_words / 10).clamp(40, 200).to_string();
        let brief = match self.brief.lines.is_empty() {
            true => "(no plan)".to_owned(),
            false => self.brief.lines.join("\n"),
        };
        let places = [
            ("brief", brief.as_str()),
            ("facts", &facts),
            ("words", &words),
            ("lines", &lines),
        ];
        Round {
            questions: vec![self.question(Step::Write, &listing, &places)],
            words: "writing".to_owned(),
        }
    }

    fn take_page(&mut self, answer: &str) {
        self.page = Page::read(answer, &self.source);
        self.page.check(&self.source);
        if self.speaks_otherwise() {
            self.stop("the model wrote in another language than the source");
        }
    }

    /// Whether the page is in another language than the source.
    fn speaks_otherwise(&self) -> bool {
        let sample = |texts: &mut dyn Iterator<Item = &str>| {
            let mut out = String::new();
            for text in texts.filter(|text| text.split_whitespace().count() > 3) {
                out.push_str(text);
                out.push(' ');
            }
            out
        };
        let own = sample(&mut self.page.claims.iter().map(|claim| claim.text.as_str()));
        let there = sample(
            &mut self
                .source
                .units
                .all()
                .iter()
                .map(|unit| unit.text.as_str())
                .take(400),
        );
        let is_long = own.split_whitespace().count() > 40 && there.split_whitespace().count() > 40;
        is_long && language_of(&own) != language_of(&there)
    }

    fn ask_judge(&mut self) -> Option<Round> {
        let held: BTreeSet<usize> = self
            .page
            .held()
            .into_iter()
            .chain(
                self.edits
                    .iter()
                    .flat_map(|edit| edit.claims.iter().copied()),
            )
            .collect();
        let waiting = self.page.in_state(|state| *state == State::Waits);
        let waiting: Vec<usize> = waiting.into_iter().filter(|at| held.contains(at)).collect();
        if waiting.is_empty() {
            return None;
        }
        let mut questions = Vec::new();
        self.asked.clear();
        for batch in waiting.chunks(self.batch) {
            let claims: Vec<&Claim> = batch
                .iter()
                .filter_map(|at| self.page.claims.get(*at))
                .collect();
            questions.push(verdict::question(&self.source, &self.fence, &claims));
            self.asked.push(batch.to_vec());
        }
        Some(Round {
            questions,
            words: format!("checking {} claims", waiting.len()),
        })
    }

    fn take_verdicts(&mut self, answers: &[Result<String, Lost>]) {
        let asked = std::mem::take(&mut self.asked);
        for (answer, batch) in answers.iter().zip(&asked) {
            let judged: HashMap<u64, verdict::Judged> = answer
                .as_deref()
                .map(verdict::read)
                .unwrap_or_default()
                .into_iter()
                .map(|judged| (judged.id, judged))
                .collect();
            self.has_verdicts |= !judged.is_empty();
            for (number, at) in (1..).zip(batch) {
                let Some(claim) = self.page.claims.get_mut(*at) else {
                    continue;
                };
                match judged.get(&number) {
                    Some(judged) => claim.state = verdict::weigh(&self.source, claim, judged),
                    None if claim.tries > 0 || answer.is_err() => {
                        claim.state = State::Refused("the judge said nothing of it".to_owned());
                    }
                    None => claim.tries += 1,
                }
            }
        }
    }

    fn ask_repair(&mut self) -> Option<Round> {
        let held = self.page.held();
        let refused: Vec<usize> = held
            .into_iter()
            .filter(|at| {
                self.page
                    .claims
                    .get(*at)
                    .is_some_and(|claim| matches!(claim.state, State::Refused(_)))
            })
            .take(60)
            .collect();
        if refused.is_empty() {
            return None;
        }
        let mut lines = Vec::new();
        let mut units = Vec::new();
        for (number, at) in (1..).zip(&refused) {
            let number: usize = number;
            let Some(claim) = self.page.claims.get(*at) else {
                continue;
            };
            let State::Refused(why) = &claim.state else {
                continue;
            };
            let ids: Vec<String> = claim.cite.ids.iter().map(ToString::to_string).collect();
            lines.push(format!(
                "{number}. {} [[{}]] — {why}",
                claim.text,
                ids.join(",")
            ));
            units.extend(claim.cite.ids.iter().flat_map(|id| {
                let own = self.source.units.get(id.number);
                own.map(|unit| self.source.units.of_section(unit.section))
                    .unwrap_or_default()
            }));
        }
        let listing = self.listing(units.into_iter().map(|unit| unit.number));
        let question = self.question(Step::Repair, &listing, &[("refused", &lines.join("\n"))]);
        self.asked = vec![refused];
        Some(Round {
            questions: vec![question],
            words: format!("mending {} lines", lines.len()),
        })
    }

    fn take_repairs(&mut self, answer: &str) {
        let asked = self.asked.pop().unwrap_or_default();
        let object = json::object(answer).unwrap_or(Value::Null);
        for mended in json::list(&object, "lines").iter().take(asked.len()) {
            let id = mended
                .get("id")
                .and_then(Value::as_u64)
                .and_then(|id| usize::try_from(id).ok());
            let old = id.and_then(|id| asked.get(id.checked_sub(1)?)).copied();
            let text = json::text(mended, "line");
            let (Some(old), false) = (old, text.is_empty()) else {
                continue;
            };
            let Some(line) = self
                .page
                .lines
                .iter()
                .position(|line| line.claims.contains(&old))
            else {
                continue;
            };
            let is_row = self
                .page
                .lines
                .get(line)
                .is_some_and(|line| line.form == Form::Row);
            let (claims, _) = Page::read_line(&text, is_row);
            self.throw(old);
            let numbers = self.page.adopt(claims);
            if let Some(line) = self.page.lines.get_mut(line)
                && let Some(at) = line.claims.iter().position(|claim| *claim == old)
            {
                line.claims.splice(at..=at, numbers);
            }
        }
        self.page.check(&self.source);
    }

    /// Notes that a claim was thrown away.
    fn throw(&mut self, at: usize) {
        if let Some(Claim {
            text,
            state: State::Refused(why),
            ..
        }) = self.page.claims.get(at)
        {
            self.thrown.push((text.clone(), why.clone()));
        }
    }

    fn ask_cover(&mut self) -> Option<Round> {
        let used: Vec<UnitId> = self.page.used().collect();
        let missed = coverage::missed(&self.source.units, used.into_iter(), |unit| {
            self.is_whole || self.parts.iter().any(|part| part.contains(&unit.number))
        });
        if missed.is_empty() {
            return None;
        }
        let listing = self.listing(missed.iter().copied());
        let units: Vec<String> = missed
            .iter()
            .filter_map(|number| self.source.units.get(*number))
            .map(|unit| format!("[{}] {}", unit.number, listing::clip(&unit.text, 160)))
            .collect();
        let sections: Vec<&str> = self
            .page
            .lines
            .iter()
            .filter(|line| matches!(line.form, Form::Heading(_)))
            .map(|line| line.words.as_str())
            .collect();
        let lines = (missed.len() / 2).clamp(2, 12).to_string();
        let places = [
            ("sections", sections.join("; ")),
            ("units", units.join("\n")),
            ("lines", lines),
        ];
        let places: Vec<(&str, &str)> = places
            .iter()
            .map(|(name, text)| (*name, text.as_str()))
            .collect();
        Some(Round {
            questions: vec![self.question(Step::Cover, &listing, &places)],
            words: format!("looking at {} units that no line names", missed.len()),
        })
    }

    fn take_cover(&mut self, answer: &str) {
        let object = json::object(answer).unwrap_or(Value::Null);
        for one in json::list(&object, "lines").iter().take(EDITS_MAX) {
            let text = json::text(one, "line");
            let (claims, _) = Page::read_line(&text, false);
            if claims.is_empty() {
                continue;
            }
            let numbers = self.page.adopt(claims);
            let line = Line {
                form: Form::Item {
                    is_ordered: false,
                    depth: 0,
                },
                words: String::new(),
                claims: numbers,
            };
            let at = self.end_of_section(&json::text(one, "section"));
            self.page.lines.insert(at, line);
        }
        self.page.check(&self.source);
    }

    /// Where a line is added to the section of this name; one for rules is made where there is none.
    fn end_of_section(&mut self, name: &str) -> usize {
        let is_it = |line: &Line, name: &str| {
            matches!(line.form, Form::Heading(_)) && line.words.eq_ignore_ascii_case(name)
        };
        let found = |lines: &[Line], name: &str| lines.iter().position(|line| is_it(line, name));
        let name = name.trim_matches(['#', ' ']);
        let Some(heading) =
            found(&self.page.lines, name).or_else(|| found(&self.page.lines, RULES))
        else {
            self.page.lines.push(Line {
                form: Form::Heading(2),
                words: RULES.to_owned(),
                claims: Vec::new(),
            });
            return self.page.lines.len();
        };
        let behind = self.page.lines.get(heading + 1..).unwrap_or_default();
        let length = behind
            .iter()
            .position(|line| matches!(line.form, Form::Heading(_)))
            .unwrap_or(behind.len());
        heading + 1 + length
    }

    fn settle(&mut self) {
        let fallen: Vec<usize> = self.page.held();
        for at in fallen {
            self.throw(at);
        }
        settle(&mut self.page, &self.source);
        shorten(
            &mut self.page,
            &self.source,
            self.limits.body_tokens_max,
            LINES_MAX,
        );
    }

    fn ask_review(&mut self) -> Option<Round> {
        if self.page.lines.is_empty() {
            return None;
        }
        let lines: Vec<String> = (1..)
            .zip(&self.page.lines)
            .map(|(number, line): (usize, _)| format!("{number}: {}", self.marked(line)))
            .collect();
        let used: Vec<u32> = self.page.used().map(|id| id.number).collect();
        let listing = self.listing(used.into_iter());
        let findings = match self.page.lines.len() > LINES_MAX {
            true => format!("\nIt is too long: {} lines.\n", self.page.lines.len()),
            false => String::new(),
        };
        let places = [
            ("page", lines.join("\n")),
            ("tasks", self.brief.tasks.join("; ")),
            ("findings", findings),
        ];
        let places: Vec<(&str, &str)> = places
            .iter()
            .map(|(name, text)| (*name, text.as_str()))
            .collect();
        Some(Round {
            questions: vec![self.question(Step::Review, &listing, &places)],
            words: format!("reviewing {} lines", self.page.lines.len()),
        })
    }

    /// A line with its marks, as it was written.
    fn marked(&self, line: &Line) -> String {
        let claims = line
            .claims
            .iter()
            .filter_map(|at| self.page.claims.get(*at))
            .map(|claim| {
                let ids: Vec<String> = claim.cite.ids.iter().map(ToString::to_string).collect();
                let mark = if claim.cite.is_inferred { "~" } else { "" };
                match ids.is_empty() {
                    true => claim.text.clone(),
                    false => format!("{} [[{mark}{}]]", claim.text, ids.join(",")),
                }
            });
        let claims = claims.collect::<Vec<_>>().join(" ");
        match &line.form {
            Form::Heading(level) => format!("{} {}", "#".repeat(usize::from(*level)), line.words),
            Form::Paragraph => claims,
            Form::Item { is_ordered, depth } => {
                let mark = if *is_ordered { "1." } else { "-" };
                format!("{}{mark} {claims}", "  ".repeat(*depth))
            }
            Form::Head => format!("| {} |", line.words),
            Form::Row => format!("| {claims} |"),
            Form::Take(reference, _) => {
                let lines = reference
                    .lines
                    .map(|(first, last)| format!(".{first}-{last}"))
                    .unwrap_or_default();
                format!("{{{{code {}{lines}}}}}", reference.number)
            }
        }
    }

    fn take_review(&mut self, answer: &str) {
        let object = json::object(answer).unwrap_or(Value::Null);
        let descriptions = json::list(&object, "descriptions")
            .iter()
            .filter_map(Value::as_str);
        self.descriptions = descriptions.take(5).map(str::to_owned).collect();
        for edit in json::list(&object, "edits").iter().take(EDITS_MAX) {
            let line = edit
                .get("line")
                .and_then(Value::as_u64)
                .and_then(|line| usize::try_from(line).ok());
            let Some(line) = line.and_then(|line| line.checked_sub(1)) else {
                continue;
            };
            let Some(form) = self.page.lines.get(line).map(|line| line.form.clone()) else {
                continue;
            };
            let text = json::text(edit, "text");
            let edit = match form {
                Form::Take(..) | Form::Head => continue,
                // A procedure stays whole.
                Form::Item {
                    is_ordered: true, ..
                } if text.is_empty() => continue,
                Form::Heading(_) => {
                    let words = text.trim_start_matches(['#', ' ']).to_owned();
                    let is_fine = check::uncited(&self.source, &words).faults.is_empty();
                    Edit {
                        line,
                        claims: Vec::new(),
                        words: Some(words).filter(|words| is_fine && !words.contains("[[")),
                    }
                }
                _ => {
                    let (claims, _) = Page::read_line(&text, form == Form::Row);
                    if claims.is_empty() && !text.is_empty() {
                        continue;
                    }
                    let claims = self.page.adopt(claims);
                    Edit {
                        line,
                        claims,
                        words: None,
                    }
                }
            };
            self.edits.push(edit);
        }
        self.page.check(&self.source);
    }

    /// Changes the lines whose new claims all stand.
    fn apply_edits(&mut self) {
        for edit in std::mem::take(&mut self.edits) {
            let claims = &self.page.claims;
            let all = edit
                .claims
                .iter()
                .all(|at| claims.get(*at).is_some_and(|claim| claim.state.stands()));
            let Some(line) = self.page.lines.get_mut(edit.line) else {
                continue;
            };
            match (&line.form, edit.words) {
                (Form::Heading(_), Some(words)) => line.words = words,
                (Form::Heading(_), None) => {}
                _ if all => line.claims = edit.claims,
                _ => edit.claims.iter().for_each(|at| {
                    if let Some(claim) = claims.get(*at)
                        && let State::Refused(why) = &claim.state
                    {
                        self.thrown.push((claim.text.clone(), why.clone()));
                    }
                }),
            }
        }
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
        let candidates: Vec<String> = std::iter::once(self.brief.description.clone())
            .chain(std::mem::take(&mut self.descriptions))
            .filter(|text| {
                text.chars().count() <= DESCRIPTION_CHARS_MAX
                    && check::uncited(&self.source, text).faults.is_empty()
            })
            .collect();
        let best =
            best_description(&candidates, &self.brief.title, &self.brief.tasks).unwrap_or_default();
        self.brief.description = best.to_owned();
        if !check::uncited(&self.source, &self.brief.title)
            .faults
            .is_empty()
        {
            self.brief.title = String::new();
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

/// The sections that hold the most that a reader needs, in so many tokens.
fn salient(units: &Units, tokens_max: usize) -> BTreeSet<usize> {
    let needed = coverage::missed(units, std::iter::empty(), |_| true);
    let worth = |section: usize| {
        let own = units.of_section(section);
        let rules = own
            .iter()
            .filter(|unit| needed.contains(&unit.number))
            .count();
        let codes = own.iter().filter(|unit| unit.is_code()).count();
        let cost: usize = own.iter().map(listing::cost).sum();
        ((rules * 3 + codes * 2) * 1_000 / (cost + 100), cost)
    };
    let mut all: Vec<(usize, usize, usize)> = (0..units.sections().len())
        .map(|section| {
            let (worth, cost) = worth(section);
            (section, worth, cost)
        })
        .collect();
    all.sort_by_key(|(section, worth, _)| (std::cmp::Reverse(*worth), *section));
    let mut spent = 0;
    let mut chosen = BTreeSet::new();
    for (section, _, cost) in all {
        if spent + cost <= tokens_max {
            spent += cost;
            chosen.insert(section);
        }
    }
    chosen
}
