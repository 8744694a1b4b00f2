//! Owns what a model wrote: its lines, and its claims, each of which stands or falls alone.

use crate::check::{self, Source};
use crate::marks::{Cite, Reference};
use crate::units::UnitId;
use std::collections::HashSet;

/// Words that introduce what follows and say nothing need no unit.
const LEAD_IN_WORDS_MAX: usize = 16;

/// What a line is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// A heading of level 2 or 3.
    Heading(u8),
    /// Running text.
    Paragraph,
    /// An item of a list.
    Item {
        /// Whether it is numbered.
        is_ordered: bool,
        /// How deep it stands.
        depth: usize,
    },
    /// The head of a table.
    Head,
    /// A row of a table.
    Row,
    /// Something that is taken over, under an item of this depth or by itself.
    Take(Reference, Option<usize>),
}

/// A line of what a model wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What it is.
    pub form: Form,
    /// The words of a heading or of a table's head.
    pub words: String,
    /// The claims in it.
    pub claims: Vec<usize>,
}

impl Line {
    /// What is wrong with a line beside its claims: words that cite nothing and invent something, nothing to take over.
    #[must_use]
    pub fn fault(&self, source: &Source) -> Option<String> {
        match &self.form {
            Form::Heading(_) | Form::Head => {
                let checked = check::uncited(source, &self.words);
                (!checked.faults.is_empty()).then(|| checked.faults.join("; "))
            }
            Form::Take(reference, _) if !reference.exists(&source.units) => Some(format!(
                "there is nothing to take over at {}",
                reference.number
            )),
            _ => None,
        }
    }
}

/// How a claim stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Nobody looked at it yet.
    New,
    /// It passed the hard check and waits for the judge.
    Waits,
    /// The source says it.
    Said {
        /// Where.
        unit: u32,
        /// In which words.
        quote: String,
    },
    /// It follows from what the source says.
    Inferred {
        /// Of what.
        unit: u32,
        /// In which words.
        quote: String,
    },
    /// It only introduces what follows.
    LeadIn,
    /// It is refused, and why.
    Refused(String),
}

impl State {
    /// Whether it may be delivered.
    #[must_use]
    pub const fn stands(&self) -> bool {
        matches!(
            self,
            Self::Said { .. } | Self::Inferred { .. } | Self::LeadIn
        )
    }
}

/// Something that a model says of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Its words, without marks.
    pub text: String,
    /// The units that it names, and those in which its signs stand.
    pub cite: Cite,
    /// How it stands.
    pub state: State,
    /// What the judge should look at.
    pub flags: Vec<String>,
    /// How often it was asked about in vain.
    pub tries: u8,
}

/// What a model wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// Its lines.
    pub lines: Vec<Line>,
    /// Its claims.
    pub claims: Vec<Claim>,
    /// What was thrown away before it was a claim, and why.
    pub thrown: Vec<(String, String)>,
}

impl Page {
    /// Puts lines in at a place; what stands there already is not taken over twice.
    pub fn insert(&mut self, at: usize, mut lines: Vec<Line>) {
        let at = at.min(self.lines.len());
        let next = self.lines.get(at).map(|line| &line.form);
        let is_there = |line: &Line| match (&line.form, next) {
            (Form::Take(new, _), Some(Form::Take(old, _))) => new.number == old.number,
            _ => false,
        };
        lines.retain(|line| !is_there(line));
        self.lines.splice(at..at, lines);
    }

    /// The place below a line and what it takes over.
    #[must_use]
    pub fn below(&self, line: usize) -> usize {
        let rest = self.lines.get(line + 1..).unwrap_or_default();
        let is_taken = |line: &&Line| matches!(line.form, Form::Take(..));
        line + 1 + rest.iter().take_while(is_taken).count()
    }

    /// Takes in the claims of another page, and gives their numbers.
    pub fn adopt(&mut self, other: Vec<Claim>) -> Vec<usize> {
        let first = self.claims.len();
        self.claims.extend(other);
        (first..self.claims.len()).collect()
    }

    /// Makes the hard check of every claim that is new.
    pub fn check(&mut self, source: &Source) {
        for claim in &mut self.claims {
            if claim.state != State::New {
                continue;
            }
            let mut named = HashSet::new();
            claim.cite.ids.retain(|id| named.insert(*id));
            if claim.cite.ids.is_empty() && is_lead_in(&claim.text) {
                let checked = check::uncited(source, &claim.text);
                claim.state = match checked.faults.is_empty() {
                    true => State::LeadIn,
                    false => State::Refused(checked.faults.join("; ")),
                };
                continue;
            }
            let checked = check::claim(source, &claim.text, &claim.cite);
            for id in checked.widened {
                if !claim.cite.ids.contains(&id) {
                    claim.cite.ids.push(id);
                }
            }
            claim.flags = checked.flags;
            claim.state = match checked.faults.is_empty() {
                true => State::Waits,
                false => State::Refused(checked.faults.join("; ")),
            };
        }
        let mut thrown = Vec::new();
        self.lines.retain(|line| {
            let fault = line.fault(source);
            if let Some(fault) = &fault {
                thrown.push((line.words.clone(), fault.clone()));
            }
            fault.is_none()
        });
        self.thrown.extend(thrown);
    }

    /// Gives claims that wait the verdict of a claim that says the same of the same units.
    pub fn keep_verdicts(&mut self) {
        for at in self.in_state(|state| *state == State::Waits) {
            let Some(own) = self.claims.get(at) else {
                continue;
            };
            let is_same = |other: &&Claim| {
                let is_judged = matches!(other.state, State::Said { .. } | State::Inferred { .. });
                is_judged && other.text == own.text && other.cite == own.cite
            };
            let state = self
                .claims
                .iter()
                .find(is_same)
                .map(|one| one.state.clone());
            if let (Some(state), Some(own)) = (state, self.claims.get_mut(at)) {
                own.state = state;
            }
        }
    }

    /// The claims in this state, by their numbers.
    pub fn in_state(&self, is_it: impl Fn(&State) -> bool) -> Vec<usize> {
        let found = self
            .claims
            .iter()
            .enumerate()
            .filter(|(_, claim)| is_it(&claim.state));
        found.map(|(number, _)| number).collect()
    }

    /// The claims that some line still holds.
    #[must_use]
    pub fn held(&self) -> Vec<usize> {
        self.lines
            .iter()
            .flat_map(|line| line.claims.iter().copied())
            .collect()
    }

    /// Every unit that what stands names or takes over.
    pub fn used(&self) -> impl Iterator<Item = UnitId> {
        let claims = self
            .lines
            .iter()
            .flat_map(|line| &line.claims)
            .filter_map(|at| self.claims.get(*at));
        let cited = claims
            .filter(|claim| claim.state.stands())
            .flat_map(|claim| claim.cite.ids.iter().copied());
        let taken = self.lines.iter().filter_map(|line| match &line.form {
            Form::Take(reference, _) => Some(UnitId::whole(reference.number)),
            _ => None,
        });
        cited.chain(taken)
    }
}

/// Whether words only introduce what follows.
fn is_lead_in(text: &str) -> bool {
    text.trim_end().ends_with([':', '：']) && text.split_whitespace().count() <= LEAD_IN_WORDS_MAX
}

/// A claim that nobody looked at yet.
#[must_use]
pub fn new_claim(text: String, cite: Cite) -> Claim {
    Claim {
        text,
        cite,
        state: State::New,
        flags: Vec::new(),
        tries: 0,
    }
}
