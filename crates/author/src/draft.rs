//! Owns what a model wrote, read into lines and claims: a claim is what stands before a mark that names units, and stands or falls alone.

use crate::check::{self, Source};
use crate::code_lines::LineKind;
use crate::json::head;
use crate::marks::{Cite, Piece, Reference, Taken, pieces};
use crate::units::UnitId;
use skillkiln_document::unseen::without_unseen;

/// Lines of an answer that are read.
const LINES_MAX: usize = 1_200;
/// Claims of an answer that are read, and of one of its lines.
const CLAIMS_MAX: usize = 400;
const CLAIMS_A_LINE_MAX: usize = 24;
/// Words that introduce what follows and say nothing need no unit.
const LEAD_IN_WORDS_MAX: usize = 10;
/// Deepest list.
const DEPTH_MAX: usize = 2;

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
    /// Reads an answer.
    #[must_use]
    pub fn read(answer: &str, source: &Source) -> Self {
        let mut reader = Reader {
            page: Self::default(),
            source,
            open: None,
            table: 0,
        };
        let answer = head(answer);
        let answer = answer.rsplit("</think>").next().unwrap_or(answer);
        let seen = without_unseen(answer);
        let lines: Vec<&str> = body(&seen).lines().take(LINES_MAX).collect();
        let mut at = 0;
        while let Some(line) = lines
            .get(at)
            .filter(|_| reader.page.claims.len() < CLAIMS_MAX)
        {
            at += 1;
            let trimmed = line.trim_start();
            let fence = trimmed
                .bytes()
                .take_while(|byte| matches!(byte, b'`' | b'~'))
                .count();
            if fence >= 3 && trimmed.starts_with(['`', '~']) {
                let mark = trimmed.get(..fence).unwrap_or("```");
                let rest = lines.get(at..).unwrap_or_default();
                let length = rest
                    .iter()
                    .position(|line| line.trim() == mark)
                    .unwrap_or(rest.len());
                reader.code(rest.get(..length).unwrap_or_default());
                at += length + 1;
                continue;
            }
            reader.line(line);
        }
        reader.page
    }

    /// Reads one line, as it comes back mended or added: its claims, and what it takes over. A row stays one claim.
    #[must_use]
    pub fn read_line(text: &str, is_row: bool) -> (Vec<Claim>, Vec<Reference>) {
        let seen = without_unseen(head(text));
        let one = seen
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty())
            .unwrap_or_default();
        let one = one
            .trim_matches('|')
            .trim_start_matches(['#', '>', ' '])
            .trim();
        let words = item(one).map_or(one, |(_, words)| words);
        let mut read = LineReader::default();
        read.read(words);
        if is_row && read.claims.len() > 1 {
            let mut cite = Cite::default();
            let mut words = Vec::new();
            for claim in read.claims.drain(..) {
                cite.is_inferred |= claim.cite.is_inferred;
                cite.ids.extend(claim.cite.ids);
                words.push(claim.text);
            }
            read.claims.push(new_claim(
                words.join(" ").trim_end_matches('|').trim().to_owned(),
                cite,
            ));
        }
        (read.claims, read.takes)
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
            let fault = match &line.form {
                Form::Heading(_) | Form::Head => {
                    let checked = check::uncited(source, &line.words);
                    (!checked.faults.is_empty()).then(|| checked.faults.join("; "))
                }
                Form::Take(reference, _) if !reference.exists(&source.units) => Some(format!(
                    "there is nothing to take over at {}",
                    reference.number
                )),
                _ => None,
            };
            if let Some(fault) = &fault {
                thrown.push((line.words.clone(), fault.clone()));
            }
            fault.is_none()
        });
        self.thrown.extend(thrown);
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

/// An answer without its front matter and without a fence around all of it.
fn body(answer: &str) -> &str {
    let mut text = answer.trim();
    if let Some(rest) = text.strip_prefix("```") {
        let (language, inside) = rest.split_once('\n').unwrap_or((rest, ""));
        if matches!(language.trim(), "" | "markdown" | "md")
            && let Some(inside) = inside.trim_end().strip_suffix("```")
        {
            text = inside.trim();
        }
    }
    match text
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---"))
    {
        Some((_, rest)) => rest,
        None => text,
    }
}

struct Reader<'s> {
    page: Page,
    source: &'s Source,
    /// The line that the next one may go on.
    open: Option<usize>,
    /// Rows that were read of the table that is open.
    table: usize,
}

impl Reader<'_> {
    fn line(&mut self, line: &str) {
        let trimmed = line.trim();
        let indent = line.len() - line.trim_start().len();
        if !trimmed.starts_with('|') {
            self.table = 0;
        }
        if trimmed.is_empty()
            || trimmed
                .bytes()
                .all(|byte| matches!(byte, b'-' | b'*' | b'_' | b'='))
        {
            self.open = None;
            return;
        }
        let marks = trimmed.bytes().take_while(|byte| *byte == b'#').count();
        if (1..=6).contains(&marks)
            && trimmed
                .get(marks..)
                .is_some_and(|rest| rest.starts_with(' '))
        {
            let words = trimmed.get(marks..).unwrap_or_default();
            return self.heading(marks, words.trim());
        }
        if trimmed.starts_with('|') {
            return self.row(trimmed);
        }
        let trimmed = trimmed.trim_start_matches("> ").trim_start_matches('>');
        if let Some((is_ordered, words)) = item(trimmed) {
            let depth = (indent / 2).min(DEPTH_MAX);
            self.add(Form::Item { is_ordered, depth }, words);
            return;
        }
        // A line goes on the paragraph or the item above it.
        let goes_on = self.open.filter(|_| !trimmed.starts_with("{{"));
        match goes_on {
            Some(line) => self.claims(line, trimmed),
            None => {
                let depth = (indent >= 2).then(|| self.last_item()).flatten();
                match depth {
                    Some(depth) if trimmed.starts_with("{{") => self.takes(trimmed, Some(depth)),
                    _ => {
                        self.add(Form::Paragraph, trimmed);
                    }
                }
            }
        }
    }

    /// The depth of the item at the end.
    fn last_item(&self) -> Option<usize> {
        let lines = self.page.lines.iter().rev();
        match lines
            .map(|line| &line.form)
            .find(|form| !matches!(form, Form::Take(..)))
        {
            Some(Form::Item { depth, .. }) => Some(*depth),
            _ => None,
        }
    }

    fn heading(&mut self, marks: usize, words: &str) {
        self.open = None;
        // The title is ours, and marks say nothing of a heading.
        if marks == 1 {
            return;
        }
        let words: Vec<String> = pieces(words)
            .into_iter()
            .filter_map(|piece| match piece {
                Piece::Words(words) => Some(words),
                _ => None,
            })
            .collect();
        self.page.lines.push(Line {
            form: Form::Heading(if marks == 2 { 2 } else { 3 }),
            words: words.join(" ").trim_matches(['*', ' ', ':']).to_owned(),
            claims: Vec::new(),
        });
    }

    fn row(&mut self, trimmed: &str) {
        self.open = None;
        self.table += 1;
        let cells = trimmed.trim_matches('|');
        if cells.chars().all(|c| matches!(c, '-' | ':' | '|' | ' ')) {
            return;
        }
        let mut words = Vec::new();
        let mut cite = Cite::default();
        for piece in pieces(cells.trim()) {
            match piece {
                Piece::Words(text) => words.push(text),
                Piece::Cite(own) => {
                    cite.is_inferred |= own.is_inferred;
                    cite.ids.extend(own.ids);
                }
                Piece::Take(_) => {}
            }
        }
        let words = words
            .join(" ")
            .trim()
            .trim_end_matches('|')
            .trim()
            .to_owned();
        if self.table == 1 {
            self.page.lines.push(Line {
                form: Form::Head,
                words,
                claims: Vec::new(),
            });
            return;
        }
        let claim = new_claim(words, cite);
        self.push(Form::Row, vec![claim]);
    }

    fn add(&mut self, form: Form, words: &str) {
        let at = self.page.lines.len();
        self.push(form, Vec::new());
        self.open = Some(at);
        self.claims(at, words);
        let is_empty = |line: &Line| line.claims.is_empty() && matches!(line.form, Form::Paragraph);
        if self.page.lines.get(at).is_some_and(is_empty) {
            self.page.lines.remove(at);
            self.open = None;
        }
    }

    fn push(&mut self, form: Form, claims: Vec<Claim>) {
        let claims = self.page.adopt(claims);
        self.page.lines.push(Line {
            form,
            words: String::new(),
            claims,
        });
    }

    /// Reads the claims of a line, or of what goes on with it.
    fn claims(&mut self, at: usize, text: &str) {
        let mut read = LineReader::default();
        read.read(text);
        let LineReader { claims, takes } = read;
        let numbers = self.page.adopt(claims);
        let depth = match self.page.lines.get_mut(at) {
            Some(line) => {
                line.claims.extend(numbers);
                match line.form {
                    Form::Item { depth, .. } => Some(depth),
                    _ => None,
                }
            }
            None => None,
        };
        for reference in takes {
            self.push(Form::Take(reference, depth), Vec::new());
            self.open = None;
        }
    }

    fn takes(&mut self, text: &str, depth: Option<usize>) {
        self.open = None;
        for piece in pieces(text) {
            if let Piece::Take(reference) = piece {
                self.push(Form::Take(reference, depth), Vec::new());
            }
        }
    }

    /// Code that was written out: taken over where the source has it line by line, else thrown away.
    fn code(&mut self, lines: &[&str]) {
        self.open = None;
        let text = lines.join("\n");
        match found(self.source, lines) {
            Some(reference) => {
                let depth = self.last_item();
                self.push(Form::Take(reference, depth), Vec::new());
            }
            None => {
                let why = "code comes by reference alone, and this is not in the source".to_owned();
                self.page.thrown.push((text, why));
            }
        }
    }
}

/// The claims of a line, and what it takes over.
#[derive(Default)]
struct LineReader {
    claims: Vec<Claim>,
    takes: Vec<Reference>,
}

impl LineReader {
    fn read(&mut self, text: &str) {
        let mut is_open = false;
        for piece in pieces(text) {
            if self.claims.len() > CLAIMS_A_LINE_MAX {
                break;
            }
            match piece {
                Piece::Words(words) => {
                    // A sentence's full stop stands behind its mark.
                    let rest = words.trim_start_matches(['.', ',', ';', ':', '!', '?', ')']);
                    let stop = words.get(..words.len() - rest.len()).unwrap_or_default();
                    if let Some(last) = self.claims.last_mut() {
                        last.text.push_str(stop);
                    }
                    if !rest.trim().is_empty() {
                        self.claims
                            .push(new_claim(rest.trim().to_owned(), Cite::default()));
                        is_open = true;
                    }
                }
                Piece::Cite(cite) => {
                    if let Some(last) = self.claims.last_mut() {
                        last.cite.is_inferred |= cite.is_inferred;
                        last.cite.ids.extend(cite.ids);
                    }
                    is_open = false;
                }
                Piece::Take(reference) => {
                    // Words before what is taken over speak of it.
                    if is_open && let Some(last) = self.claims.last_mut() {
                        last.cite.ids.push(UnitId::whole(reference.number));
                    }
                    is_open = false;
                    self.takes.push(reference);
                }
            }
        }
    }
}

fn new_claim(text: String, cite: Cite) -> Claim {
    Claim {
        text,
        cite,
        state: State::New,
        flags: Vec::new(),
        tries: 0,
    }
}

/// The words of an item, and whether it is numbered.
fn item(text: &str) -> Option<(bool, &str)> {
    for mark in ["- ", "* ", "+ ", "• "] {
        if let Some(words) = text.strip_prefix(mark) {
            let words = words.trim_start();
            let words = words.strip_prefix("[ ] ").unwrap_or(words);
            return Some((false, words));
        }
    }
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = text.len() - rest.len();
    let words = rest.strip_prefix(['.', ')'])?.strip_prefix(' ')?;
    (1..=3)
        .contains(&digits)
        .then(|| (true, words.trim_start()))
}

/// Where the source has these lines one after the other.
fn found(source: &Source, lines: &[&str]) -> Option<Reference> {
    let sought: Vec<&str> = lines
        .iter()
        .map(|line| line.trim())
        .filter(|line| !line.is_empty())
        .collect();
    if sought.is_empty() {
        return None;
    }
    for unit in source.units.all().iter().filter(|unit| unit.is_code()) {
        let own: Vec<(u32, &str, LineKind)> = (1..)
            .zip(&unit.lines)
            .map(|(number, line)| (number, line.text.trim(), line.kind))
            .filter(|(_, text, _)| !text.is_empty())
            .collect();
        let same = |window: &&[(u32, &str, LineKind)]| {
            window.iter().zip(&sought).all(|((_, own, _), sought)| {
                own == sought || sought.trim_start_matches("$ ") == *own
            })
        };
        if let Some(window) = own.windows(sought.len()).find(same) {
            let (first, last) = (window.first()?.0, window.last()?.0);
            let is_typed = window.iter().all(|(_, _, kind)| *kind == LineKind::Command);
            return Some(Reference {
                taken: if is_typed {
                    Taken::Command
                } else {
                    Taken::Code
                },
                number: unit.number,
                lines: Some((first, last)),
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Units;
    use skillkiln_document::testing::document;

    fn source() -> Source {
        let text = "# Firing\n\nRaise it by 60 degrees.\n\n```sh\n$ kilnctl start\nheating\n$ kilnctl stop\n```\n\nNever open the lid.";
        Source::of(Units::of("Firing", &document(text).blocks))
    }

    #[test]
    fn an_answer_falls_into_lines_and_claims() {
        let answer = "---\nname: x\n---\n# Title\n\n## Fire [[1]]\n\nRaise it slowly. [[2]] Keep the lid shut [[~4]].\n\n\
            1. Start: {{cmd 3.1}}\n2. Stop it\n   at the end [[3]]\n   {{code 3.2-3}}\n\n| do | with |\n|---|---|\n| start [[3]] | `kilnctl start` |\n";
        let page = Page::read(answer, &source());
        let forms: Vec<&Form> = page.lines.iter().map(|line| &line.form).collect();
        let take = |taken, lines| {
            let number = 3;
            Form::Take(
                Reference {
                    taken,
                    number,
                    lines: Some(lines),
                },
                Some(0),
            )
        };
        let item = Form::Item {
            is_ordered: true,
            depth: 0,
        };
        assert_eq!(
            forms,
            [
                &Form::Heading(2),
                &Form::Paragraph,
                &item,
                &take(Taken::Command, (1, 1)),
                &item,
                &take(Taken::Code, (2, 3)),
                &Form::Head,
                &Form::Row
            ]
        );
        let texts: Vec<&str> = page.claims.iter().map(|claim| &*claim.text).collect();
        assert_eq!(
            texts,
            [
                "Raise it slowly.",
                "Keep the lid shut.",
                "Start:",
                "Stop it",
                "at the end",
                "start | `kilnctl start`"
            ]
        );
        assert!(page.claims[1].cite.is_inferred);
        assert_eq!(page.claims[2].cite.ids, [UnitId::whole(3)]);
    }

    #[test]
    fn code_that_is_written_out_is_taken_over_or_thrown_away() {
        let page = Page::read("```sh\nkilnctl start\n```\n\n```\nrm -rf /\n```", &source());
        assert_eq!(page.lines.len(), 1);
        assert!(matches!(&page.lines[0].form, Form::Take(one, _) if one.lines == Some((1, 1))));
        assert_eq!(page.thrown.len(), 1);
    }

    #[test]
    fn claims_are_checked_once_and_headings_invent_nothing() {
        let mut page = Page::read(
            "## Use Frobnicator\n\nRaise it by 90 degrees [[2]]. Then this:\n\nFoo [[9]]\n\n{{code 9}}",
            &source(),
        );
        page.check(&source());
        let states: Vec<&State> = page.claims.iter().map(|claim| &claim.state).collect();
        assert!(matches!(states[0], State::Refused(why) if why.contains("90")));
        assert_eq!(states[1], &State::LeadIn);
        assert!(matches!(states[2], State::Refused(why) if why.contains("no unit 9")));
        assert_eq!(page.thrown.len(), 2);
    }

    #[test]
    fn whatever_comes_is_read() {
        let source = source();
        for answer in [
            "",
            "```",
            "| |",
            "- ",
            "1. ",
            "> > >",
            "# ",
            "[[",
            "\u{202e}a [[1]]",
            "````\n```\n````",
            "|a|\n|b|",
        ] {
            let mut page = Page::read(answer, &source);
            page.check(&source);
        }
    }
}
