//! Owns the reading of what a model wrote: an answer falls into lines, and a line into claims; a claim is what stands before a mark that
//! names units.

use crate::check::Source;
use crate::code_lines::{CodeLine, LineKind};
use crate::draft::{Claim, Form, Line, Page, new_claim};
use crate::json::head;
use crate::marks::{Cite, Piece, Reference, Taken, pieces};
use crate::units::UnitId;
use skillkiln_document::unseen::without_unseen;

/// Lines of an answer that are read.
const LINES_MAX: usize = 1_200;
/// Claims of an answer that are read, and of one of its lines.
const CLAIMS_MAX: usize = 400;
const CLAIMS_A_LINE_MAX: usize = 24;
/// Lines that are read of what is mended or added.
const FRAGMENT_LINES_MAX: usize = 16;
/// Deepest list.
const DEPTH_MAX: usize = 2;

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

    /// Reads what comes back mended or added, and adopts its claims: a few lines, of which the first has this form where one is given.
    pub fn read_fragment(&mut self, text: &str, form: Option<&Form>, source: &Source) -> Vec<Line> {
        let text = text.trim();
        let is_row = form == Some(&Form::Row) || (text.starts_with('|') && !text.contains('\n'));
        // The first row of what is read is its head.
        let read = match is_row {
            true => Self::read(
                &format!("|head|\n|{}", text.trim_start_matches('|')),
                source,
            ),
            false => Self::read(text, source),
        };
        let mut lines = read.lines;
        lines.truncate(FRAGMENT_LINES_MAX);
        if is_row && !lines.is_empty() {
            lines.remove(0);
        }
        let first = self.claims.len();
        self.claims.extend(read.claims);
        self.thrown.extend(read.thrown);
        for line in &mut lines {
            line.claims.iter_mut().for_each(|claim| *claim += first);
        }
        if let (Some(form), Some(line)) = (form, lines.first_mut())
            && !matches!(line.form, Form::Take(..))
        {
            line.form = match (&line.form, form) {
                (Form::Item { is_ordered, .. }, Form::Item { depth, .. }) => Form::Item {
                    is_ordered: *is_ordered,
                    depth: *depth,
                },
                _ => form.clone(),
            };
        }
        if let Some(Form::Item { depth, .. }) = form {
            for line in &mut lines {
                if let Form::Take(_, own) = &mut line.form {
                    *own = own.or(Some(*depth));
                }
            }
        }
        lines.retain(|line| line.fault(source).is_none());
        lines
    }
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
        let words = joined(pieces(words).into_iter().filter_map(|piece| match piece {
            Piece::Words(words) => Some(words),
            _ => None,
        }));
        self.page.lines.push(Line {
            form: Form::Heading(if marks == 2 { 2 } else { 3 }),
            words: words.trim_matches(['*', ' ', ':']).to_owned(),
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
        let words = joined(words.into_iter());
        let words = words.trim().trim_end_matches('|').trim().to_owned();
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

/// Pieces of a line from which the marks were taken: a stop stands right behind the word before it.
fn joined(pieces: impl Iterator<Item = String>) -> String {
    pieces.fold(String::new(), |mut out, piece| {
        if !out.is_empty() && !piece.starts_with(['.', ',', ';', ':', '!', '?', ')']) {
            out.push(' ');
        }
        out.push_str(&piece);
        out
    })
}

/// A line without the mark of an item.
#[must_use]
pub fn unmarked(line: &str) -> &str {
    item(line.trim()).map_or(line, |(_, words)| words)
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
        let own: Vec<(u32, &CodeLine)> = (1..)
            .zip(&unit.lines)
            .filter(|(_, line)| !line.text.trim().is_empty())
            .collect();
        // A line of a session may be written with its prompt or without.
        let same = |window: &&[(u32, &CodeLine)]| {
            window.iter().zip(&sought).all(|((_, own), sought)| {
                own.text.trim() == *sought
                    || own.raw.trim() == *sought
                    || own.text.trim() == sought.trim_start_matches("$ ")
            })
        };
        if let Some(window) = own.windows(sought.len()).find(same) {
            let (first, last) = (window.first()?.0, window.last()?.0);
            let is_typed = window
                .iter()
                .all(|(_, line)| line.kind == LineKind::Command);
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
    use crate::draft::State;
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
        let typed = Page::read("```sh\n$ kilnctl start\nheating\n```", &source());
        assert!(matches!(&typed.lines[0].form, Form::Take(one, _) if one.lines == Some((1, 2))));
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
    fn a_row_that_comes_back_is_one_with_its_marks_or_without() {
        let source = source();
        for text in ["| start | slowly [[2]] |", "start | slowly [[2]]"] {
            let mut page = Page::default();
            let lines = page.read_fragment(text, Some(&Form::Row), &source);
            assert_eq!(lines.len(), 1, "{text}");
            assert_eq!(
                (
                    &lines[0].form,
                    page.claims[lines[0].claims[0]].text.as_str()
                ),
                (&Form::Row, "start | slowly")
            );
        }
        let mut page = Page::default();
        let lines = page.read_fragment("| start | slowly [[2]] |", None, &source);
        assert_eq!(lines.len(), 1);
    }

    #[test]
    fn no_blank_stands_before_a_stop_where_a_mark_was() {
        let page = Page::read("|a|b|\n|x|`y` [[2]]; z [[4]], and w [[~2]]|", &source());
        assert_eq!(page.claims[0].text, "x|`y`; z, and w");
        assert!(page.claims[0].cite.is_inferred);
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
