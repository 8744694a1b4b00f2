//! Owns one file of a skill while it is being written: its Markdown, and which of its lines stand on which part of the source.

use super::loaders;
use crate::pipeline::product::Trace;
use crate::pipeline::scaffold::{CAUTION, SOURCE_LABEL};
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::markdown;
use skillkiln_document::orders;
use skillkiln_document::text::{Inline, is_ideographic};

/// A caution takes so many lines, with the empty one above it.
const CAUTION_LINES: u32 = 2;

/// A file being written.
#[derive(Debug, Default)]
pub(super) struct Page {
    text: String,
    lines: u32,
    reference: Option<usize>,
    traces: Vec<Trace>,
    /// The original levels of the headings that are open, for bringing others below them without a gap.
    open: Vec<u8>,
    /// The level of the last heading.
    level: u8,
}

impl Page {
    /// An empty file: SKILL.md, or the reference with this index.
    pub(super) fn new(reference: Option<usize>) -> Self {
        Self {
            reference,
            ..Self::default()
        }
    }

    /// Appends Markdown as a block of its own.
    pub(super) fn add(&mut self, markdown: &str, span: Option<&Span>) {
        if !self.text.is_empty() {
            self.text.push('\n');
            self.lines += 1;
        }
        self.add_line(markdown, span);
    }

    /// Appends Markdown right below what is there.
    pub(super) fn add_line(&mut self, markdown: &str, span: Option<&Span>) {
        let markdown = markdown.trim_end_matches('\n');
        self.text.push_str(markdown);
        self.text.push('\n');
        let first = self.lines + 1;
        let count = markdown.bytes().filter(|b| *b == b'\n').count() + 1;
        self.lines = self
            .lines
            .saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        if let Some(span) = span {
            self.traces.push(Trace {
                reference: self.reference,
                lines: (first, self.lines),
                span: span.clone(),
            });
        }
    }

    /// Ends what announces something as a sentence, where nothing follows it but a heading that is no deeper (V094).
    fn end_lead_in(&mut self, next: u8) {
        if next > std::mem::replace(&mut self.level, next) {
            return;
        }
        let last = self.text.lines().next_back().unwrap_or_default();
        // "**Since the second:**" is stressed with its colon.
        let words = last.trim_end_matches(['*', '_']);
        let (colon, end) = match words.chars().next_back() {
            Some(colon @ ':') => (colon, "."),
            Some(colon @ '：') => (colon, "。"),
            _ => return,
        };
        if !last.starts_with('#') {
            let marks = last.len() - words.len();
            let behind = self.text.trim_end().len().saturating_sub(marks);
            let from = behind.saturating_sub(colon.len_utf8());
            self.text.replace_range(from..behind, end);
        }
    }

    /// Appends a heading.
    pub(super) fn add_heading(&mut self, level: u8, text: &str, span: Option<&Span>) {
        self.end_lead_in(level);
        self.add(&heading(level, loaders::set_apart(text.into())), span);
        self.open.clear();
    }

    /// Puts a caution below the title where commands of the source are better not run unseen.
    fn warn(&mut self) {
        if !orders::wants_caution(&self.text) {
            return;
        }
        let title = match self.text.starts_with("# ") {
            true => Some(0),
            false => self.text.find("\n# ").map(|at| at + 1),
        };
        let line_end = |from: usize| {
            let end = self.text.get(from..).and_then(|rest| rest.find('\n'));
            end.map(|end| from + end + 1)
        };
        let Some(mut at) = title.and_then(line_end) else {
            return;
        };
        // Where the title stands in the source is said right below it.
        let below = self.text.get(at..).unwrap_or_default();
        let mut lines = below.trim_start().lines();
        let is_origin = lines
            .next()
            .is_some_and(|line| line.starts_with(SOURCE_LABEL))
            && lines.next().is_none_or(str::is_empty);
        if is_origin && let Some(end) = line_end(at + 1) {
            at = end;
        }
        let above = self.text.get(..at).unwrap_or_default();
        let above = above.bytes().filter(|byte| *byte == b'\n').count();
        let above = u32::try_from(above).unwrap_or(u32::MAX);
        self.text
            .insert_str(at, &format!("\n> **Caution:** {CAUTION}\n"));
        self.lines = self.lines.saturating_add(CAUTION_LINES);
        for trace in &mut self.traces {
            let behind = |line: u32| line + if line > above { CAUTION_LINES } else { 0 };
            let (first, last) = trace.lines;
            trace.lines = (behind(first), behind(last));
        }
    }

    /// The Markdown and the evidence for its lines.
    pub(super) fn finish(mut self) -> (String, Vec<Trace>) {
        self.end_lead_in(0);
        self.warn();
        // A text that is only told to shrink keeps its place, and with it the room that it grew into.
        (self.text.as_str().to_owned(), self.traces)
    }
}

/// A heading as Markdown.
pub(super) fn heading(level: u8, text: Vec<Inline>) -> String {
    markdown::write(&[Block {
        kind: BlockKind::Heading { level, text },
        span: Span::default(),
    }])
}

/// How many tokens a model counts for a text, on the careful side: a quarter for an ASCII character, one for an ideograph,
/// half for others.
pub(super) fn tokens(text: &str) -> usize {
    let (mut quarters, mut rest) = (0_usize, text);
    if text.is_ascii() {
        quarters = text.len();
        rest = "";
    }
    for character in rest.chars() {
        quarters += match character {
            c if c.is_ascii() => 1,
            c if is_ideographic(c) => 4,
            _ => 2,
        };
    }
    quarters.div_ceil(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caution_stands_below_the_title_of_what_shows_dangerous_commands_and_lines_are_told_behind_it()
     {
        let (heading, code) = (Span::of(0..5), Span::of(6..20));
        let mut page = Page::new(Some(0));
        page.add_heading(1, "Kiln", Some(&heading));
        page.add_line("\nSource: a.md, Kiln", None);
        page.add("```sh\nrm -rf /\n```", Some(&code));
        let (text, traces) = page.finish();
        assert_eq!(
            text,
            format!(
                "# Kiln\n\nSource: a.md, Kiln\n\n> **Caution:** {CAUTION}\n\n```sh\nrm -rf /\n```\n"
            )
        );
        let lines: Vec<(u32, u32)> = traces.iter().map(|trace| trace.lines).collect();
        assert_eq!(lines, [(1, 1), (7, 9)]);
    }

    #[test]
    fn what_announces_something_ends_as_a_sentence_before_a_heading_also_where_it_is_stressed() {
        for (line, told) in [
            ("Wood:", "Wood."),
            ("- **Since 2.8:**", "- **Since 2.8.**"),
            ("木：", "木。"),
            ("`a:`", "`a:`"),
        ] {
            let mut page = Page::new(None);
            page.add_heading(2, "Kiln", None);
            page.add(line, None);
            page.add_heading(2, "Door", None);
            assert_eq!(page.finish().0, format!("## Kiln\n\n{told}\n\n## Door\n"));
        }
    }

    #[test]
    fn what_shows_no_dangerous_command_has_no_caution() {
        let mut page = Page::new(None);
        page.add("---\nname: a\n---", None);
        page.add_heading(1, "Kiln", None);
        page.add("```sh\nrm -rf pots\n```", None);
        assert!(!page.finish().0.contains(CAUTION));
    }
}
