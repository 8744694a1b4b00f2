//! Owns the questions of each step: what is shown of the source, and what is asked of it.

use crate::author::{Author, EDITS_LONG_MAX, Edit, LINES_MAX, PARTS_MAX, Round, TASK_TOKENS};
use crate::check;
use crate::compile::Numbers;
use crate::coverage;
use crate::draft::{Form, Line, State};
use crate::listing;
use crate::marks::{Reference, ranges};
use crate::prompt::{Question, Step};
use crate::shorten::size;
use crate::units::{UnitId, UnitKind, Units};
use crate::verdict::{self, Asked};
use skillkiln_skills::tokens::tokens;
use std::collections::{BTreeSet, HashMap};

/// Words of the shortest text.
const WORDS_MIN: usize = 250;

impl Author {
    pub(super) fn question(&self, step: Step, listing: &str, words: &[(&str, &str)]) -> Question {
        Question::new(step, &self.fence, listing, words)
    }

    /// The source for a question about these units, beside so many tokens of other words: all of it where it fits, so that it stays the
    /// same.
    pub(super) fn listing(&self, units: impl Iterator<Item = u32>, beside: usize) -> String {
        let room = self
            .room()
            .saturating_sub(beside.saturating_sub(TASK_TOKENS / 2));
        if self.is_whole {
            let whole = listing::whole(&self.source.units);
            if tokens(&whole) <= room {
                return whole;
            }
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
                if spent > room {
                    return listing::of(&self.source.units, &numbers);
                }
                numbers.insert(number);
            }
        }
        listing::of(&self.source.units, &numbers)
    }

    pub(super) fn ask_brief(&self) -> Round {
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

    pub(super) fn ask_notes(&mut self) -> Option<Round> {
        if self.parts.is_empty() {
            let units = &self.source.units;
            let room = self.room() * PARTS_MAX / 2;
            let chosen = match self.brief.sections.is_empty() {
                true => fitting(units, salient(units), room),
                false => fitting(units, self.brief.sections.iter().copied(), room),
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

    /// How many words the text is to have: a short source is told in half of its words, a long one in as many as the body holds beside
    /// the code that is taken over.
    pub(super) fn words(&self) -> usize {
        let own = self.source.units.all().iter();
        let all: usize = own
            .map(|unit| unit.whole_text().split_whitespace().count())
            .sum();
        (WORDS_MIN + all / 4).min(self.limits.body_tokens_max * 3 / 8)
    }

    pub(super) fn ask_write(&mut self) -> Round {
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
        let brief = match self.brief.lines.is_empty() {
            true => "(no plan)".to_owned(),
            false => self.brief.lines.join("\n"),
        };
        let listing = match self.is_whole {
            true => listing::whole(&self.source.units),
            false => self.listing(
                code.into_iter().chain(rest),
                tokens(&facts) + tokens(&brief),
            ),
        };
        let words = self.words();
        let lines = (words / 6).clamp(40, LINES_MAX).to_string();
        let words = words.to_string();
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

    pub(super) fn ask_judge(&mut self) -> Option<Round> {
        let held: BTreeSet<usize> = self
            .page
            .held()
            .into_iter()
            .chain(self.edits.iter().flat_map(Edit::claims))
            .collect();
        let waiting = self.page.in_state(|state| *state == State::Waits);
        let waiting: Vec<usize> = waiting.into_iter().filter(|at| held.contains(at)).collect();
        if waiting.is_empty() {
            return None;
        }
        let places = self.places();
        let mut questions = Vec::new();
        self.asked.clear();
        for batch in self.batches(&waiting) {
            let claims: Vec<Asked<'_>> = batch
                .iter()
                .filter_map(|at| {
                    let claim = self.page.claims.get(*at)?;
                    let under = places.get(at).map_or("", String::as_str);
                    Some(Asked { claim, under })
                })
                .collect();
            questions.push(verdict::question(&self.source, &self.fence, &claims));
            self.asked.push(batch);
        }
        Some(Round {
            questions,
            words: format!("checking {} claims", waiting.len()),
        })
    }

    /// Claims as they are asked about together, with units that fit into a question.
    fn batches(&self, claims: &[usize]) -> Vec<Vec<usize>> {
        let mut out: Vec<Vec<usize>> = Vec::new();
        let mut shown: BTreeSet<u32> = BTreeSet::new();
        let mut spent = usize::MAX;
        for at in claims {
            let cited = self
                .page
                .claims
                .get(*at)
                .into_iter()
                .flat_map(|claim| &claim.cite.ids);
            let numbers: BTreeSet<u32> = cited.map(|id| id.number).collect();
            let cost = |number: &u32| self.source.units.get(*number).map_or(0, listing::cost);
            let is_full = out.last().is_none_or(|batch| batch.len() >= self.batch);
            let more: usize = numbers.difference(&shown).map(cost).sum();
            if is_full || spent.saturating_add(more) > self.room() {
                out.push(Vec::new());
                shown.clear();
                spent = 0;
            }
            spent += numbers.difference(&shown).map(cost).sum::<usize>();
            shown.extend(numbers);
            if let Some(batch) = out.last_mut() {
                batch.push(*at);
            }
        }
        out
    }

    /// Where each claim stands in the text: its headings, and the head of its table.
    fn places(&self) -> HashMap<usize, String> {
        let mut places = HashMap::new();
        let mut open: [&str; 3] = [""; 3];
        let mut note = |line: &Line, open: &[&str; 3]| {
            let under: Vec<&str> = open
                .iter()
                .copied()
                .filter(|words| !words.is_empty())
                .collect();
            for claim in &line.claims {
                places.insert(*claim, under.join(" > "));
            }
        };
        for (at, line) in self.page.lines.iter().enumerate() {
            open = match line.form {
                Form::Heading(2) => [&line.words, "", ""],
                Form::Heading(_) => [open[0], &line.words, ""],
                Form::Head => [open[0], open[1], &line.words],
                Form::Row => open,
                _ => [open[0], open[1], ""],
            };
            note(line, &open);
            for edit in self.edits.iter().filter(|edit| edit.line == at) {
                edit.lines.iter().for_each(|line| note(line, &open));
            }
        }
        places
    }

    pub(super) fn ask_repair(&mut self) -> Option<Round> {
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
            lines.push(format!(
                "{number}. {} [[{}]] — {why}",
                claim.text,
                ranges(&claim.cite.ids)
            ));
            units.extend(claim.cite.ids.iter().flat_map(|id| {
                let own = self.source.units.get(id.number);
                own.map(|unit| self.source.units.of_section(unit.section))
                    .unwrap_or_default()
            }));
        }
        let refused_words = lines.join("\n");
        let listing = self.listing(
            units.into_iter().map(|unit| unit.number),
            tokens(&refused_words),
        );
        let question = self.question(Step::Repair, &listing, &[("refused", &refused_words)]);
        self.asked = vec![refused];
        Some(Round {
            questions: vec![question],
            words: format!("mending {} lines", lines.len()),
        })
    }

    pub(super) fn ask_cover(&mut self) -> Option<Round> {
        let used: Vec<UnitId> = self.page.used().collect();
        let missed = coverage::missed(&self.source.units, used.into_iter(), |unit| {
            self.is_whole || self.parts.iter().any(|part| part.contains(&unit.number))
        });
        if missed.is_empty() {
            return None;
        }
        let units: Vec<String> = missed
            .iter()
            .filter_map(|number| self.source.units.get(*number))
            .map(|unit| format!("[{}] {}", unit.number, listing::clip(&unit.text, 160)))
            .collect();
        let units = units.join("\n");
        let listing = self.listing(missed.iter().copied(), tokens(&units));
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
            ("units", units),
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

    pub(super) fn ask_review(&mut self) -> Option<Round> {
        if self.page.lines.is_empty() {
            return None;
        }
        let mut numbers = Numbers::default();
        let lines: Vec<String> = (1..)
            .zip(&self.page.lines)
            .map(|(number, line): (usize, _)| {
                numbers.enter(&line.form);
                format!("{number}: {}", self.marked(line, &numbers))
            })
            .collect();
        let used: Vec<u32> = self.page.used().map(|id| id.number).collect();
        let page = lines.join("\n");
        let listing = self.listing(used.into_iter(), tokens(&page));
        let (tokens, lines_count) = size(&self.page, &self.source);
        let over =
            (tokens * 100 / self.limits.body_tokens_max.max(1)).max(lines_count * 100 / LINES_MAX);
        let mut findings = match over > 100 {
            true => format!(
                "\nIt is too long by {} percent: take out what is needed least, up to {EDITS_LONG_MAX} lines. What is over is cut from its longest sections.\n",
                over - 100
            ),
            false => String::new(),
        };
        for (number, line) in (1..).zip(&self.page.lines) {
            let number: usize = number;
            if let Form::Take(reference, _) = &line.form
                && self.is_torn(reference)
            {
                findings.push_str(&format!(
                    "\nThe code at line {number} has a quote or a bracket that is not closed, as in the source: remove it, or add what has to be mended.\n"
                ));
            }
        }
        for (what, words) in [
            ("title", &self.brief.title),
            ("description", &self.brief.description),
        ] {
            let faults = check::uncited(&self.source, words).faults;
            if !words.is_empty() && !faults.is_empty() {
                let why = faults.join("; ");
                findings.push_str(&format!(
                    "\nThe plan's {what} cannot be used, because {why}: give another.\n"
                ));
            }
        }
        let places = [
            ("page", page),
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

    /// Whether one line of code that is taken over opens a quote or a bracket that it does not close; the source has it so.
    fn is_torn(&self, reference: &Reference) -> bool {
        let unit = self.source.units.get(reference.number);
        let Some(code) = unit.filter(|unit| unit.is_code()) else {
            return false;
        };
        let inside = |number: usize| {
            reference
                .lines
                .is_none_or(|(first, last)| (first as usize..=last as usize).contains(&number))
        };
        let own = (1..).zip(&code.lines);
        let own = own.filter(|(number, line)| inside(*number) && !line.text.trim().is_empty());
        let own: Vec<&str> = own.map(|(_, line)| line.text.as_str()).collect();
        let [line] = own.as_slice() else {
            return false;
        };
        let count = |mark: char| line.matches(mark).count();
        // A quote may be closed in the next line.
        (code.lines.len() == 1 && count('"') % 2 == 1) || count(')') > count('(')
    }

    /// A line with its marks, as it was written.
    pub(super) fn marked(&self, line: &Line, numbers: &Numbers) -> String {
        let claims = line
            .claims
            .iter()
            .filter_map(|at| self.page.claims.get(*at))
            .map(|claim| {
                let mark = if claim.cite.is_inferred { "~" } else { "" };
                match claim.cite.ids.is_empty() {
                    true => claim.text.clone(),
                    false => format!("{} [[{mark}{}]]", claim.text, ranges(&claim.cite.ids)),
                }
            });
        let claims = claims.collect::<Vec<_>>().join(" ");
        match &line.form {
            Form::Heading(level) => format!("{} {}", "#".repeat(usize::from(*level)), line.words),
            Form::Paragraph => claims,
            Form::Item { is_ordered, depth } => {
                let mark = numbers.mark(*is_ordered);
                format!("{}{mark}{claims}", "  ".repeat(*depth))
            }
            Form::Head => format!("| {} |", line.words),
            Form::Row => format!("| {claims} |"),
            Form::Take(reference, _) => reference.to_string(),
        }
    }
}

/// The sections, those that hold the most that a reader needs first.
fn salient(units: &Units) -> impl Iterator<Item = usize> {
    let worth = |section: usize| {
        let own = units.of_section(section);
        let rules = own.iter().filter(|unit| coverage::is_needed(unit));
        let codes = own.iter().filter(|unit| unit.is_code());
        let cost: usize = own.iter().map(listing::cost).sum();
        (rules.count() * 3 + codes.count() * 2) * 1_000 / (cost + 100)
    };
    let mut all: Vec<(usize, usize)> = (0..units.sections().len())
        .map(|section| (worth(section), section))
        .collect();
    all.sort_by_key(|(worth, section)| (std::cmp::Reverse(*worth), *section));
    all.into_iter().map(|(_, section)| section)
}

/// As many of the sections as fit into so many tokens, the first ones first.
fn fitting(
    units: &Units,
    sections: impl Iterator<Item = usize>,
    tokens_max: usize,
) -> BTreeSet<usize> {
    let mut spent = 0;
    let mut chosen = BTreeSet::new();
    for section in sections {
        let cost: usize = units.of_section(section).iter().map(listing::cost).sum();
        if spent + cost <= tokens_max {
            spent += cost;
            chosen.insert(section);
        }
    }
    chosen
}
