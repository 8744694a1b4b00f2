//! Owns one file of a skill while it is being written: its Markdown, and which of its lines stand on which part of the source.

use crate::provenance::Moments;
use crate::scaffold::{CAUTION, GAPS, SOURCE_LABEL};
use crate::skill::{Source, Trace};
use crate::tokens::tokens;
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::markdown;
use skillkiln_document::orders;
use skillkiln_document::text::Inline;

/// A caution takes so many lines, with the empty one above it.
const CAUTION_LINES: u32 = 2;

/// A place at the end of a file that is being written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    bytes: usize,
    lines: u32,
}

/// A file being written.
#[derive(Debug, Clone, Default)]
pub struct Page {
    text: String,
    lines: u32,
    reference: Option<usize>,
    traces: Vec<Trace>,
    /// The original levels of the headings that are open, for bringing others below them without a gap.
    open: Vec<u8>,
    /// The level of the last heading.
    level: u8,
    /// The moments that were told, of a source that is heard.
    moments: Option<Moments>,
}

impl Page {
    /// An empty file: SKILL.md, or the reference with this index.
    pub fn new(reference: Option<usize>) -> Self {
        Self {
            reference,
            ..Self::default()
        }
    }

    /// The same, with lines that say when what stands below them is heard.
    pub fn telling_moments(mut self, origin: &Source) -> Self {
        self.moments = Some(Moments::of(origin));
        self
    }

    /// Takes note of a moment that a line tells.
    pub fn note_moment(&mut self, span: &Span) {
        if let Some(moments) = &mut self.moments {
            moments.note(span);
        }
    }

    /// Tells when something is heard, where that is due; whether it was.
    fn tell_moment(&mut self, span: &Span, is_chapter: bool) -> bool {
        let moments = self.moments.as_mut();
        let line = moments.and_then(|moments| moments.due(span, is_chapter));
        if let Some(line) = &line {
            self.add(line, None);
        }
        line.is_some()
    }

    /// Appends Markdown as a block of its own.
    pub fn add(&mut self, markdown: &str, span: Option<&Span>) {
        if !self.text.is_empty() {
            self.text.push('\n');
            self.lines += 1;
        }
        self.add_line(markdown, span);
    }

    /// Where the file ends by now.
    pub fn mark(&self) -> Mark {
        Mark {
            bytes: self.text.len(),
            lines: self.lines,
        }
    }

    /// Takes back what was added since `mark`, which tells nothing of a source.
    pub fn take_back(&mut self, mark: &Mark) {
        self.text.truncate(mark.bytes);
        self.lines = mark.lines;
    }

    /// Appends Markdown right below what is there.
    pub fn add_line(&mut self, markdown: &str, span: Option<&Span>) {
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

    /// Appends a block of the source as it is.
    pub fn add_block(&mut self, block: &Block) {
        let markdown = markdown::write(std::slice::from_ref(block));
        let is_told =
            matches!(block.kind, BlockKind::Paragraph(_)) && self.tell_moment(&block.span, false);
        match is_told {
            // Right below its moment, so that it is plain which words that tells of.
            true => self.add_line(&markdown, Some(&block.span)),
            false => self.add(&markdown, Some(&block.span)),
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

    /// Appends a heading of the source.
    pub fn add_heading_of(&mut self, level: u8, text: Vec<Inline>, span: Option<&Span>) {
        self.end_lead_in(level);
        self.add(&heading(level, text), span);
        self.open.clear();
    }

    /// Appends a heading.
    pub fn add_heading(&mut self, level: u8, text: &str, span: Option<&Span>) {
        self.end_lead_in(level);
        self.add(&heading(level, vec![Inline::Text(text.to_owned())]), span);
        self.open.clear();
    }

    /// Appends blocks of the source in their order; their headings come below `above` without skipping a level.
    pub fn add_section(&mut self, above: u8, blocks: &[Block]) {
        for block in blocks {
            match &block.kind {
                BlockKind::Heading { level, text } => {
                    let level = self.below(above, *level);
                    self.end_lead_in(level);
                    self.add(&heading(level, text.clone()), Some(&block.span));
                    self.tell_moment(&block.span, true);
                }
                _ => self.add_block(block),
            }
        }
    }

    /// The level of the next heading below `above`, whose own level in the source is `original`.
    pub fn below(&mut self, above: u8, original: u8) -> u8 {
        while self.open.pop_if(|level| *level >= original).is_some() {}
        self.open.push(original);
        u8::try_from(self.open.len())
            .unwrap_or(u8::MAX)
            .saturating_add(above)
            .min(6)
    }

    /// How many lines there are.
    pub fn lines(&self) -> u32 {
        self.lines
    }

    /// What a model is charged for it, on the careful side.
    pub fn tokens(&self) -> usize {
        tokens(&self.text)
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

    /// Appends the section of what the source leaves out, where it does: a line each.
    pub fn add_gaps(&mut self, gaps: &[String]) {
        if !gaps.is_empty() {
            self.add_heading(2, GAPS, None);
            let list: String = gaps.iter().map(|gap| format!("- {gap}\n")).collect();
            self.add(&list, None);
        }
    }

    /// The Markdown and the evidence for its lines.
    pub fn finish(mut self) -> (String, Vec<Trace>) {
        self.end_lead_in(0);
        self.warn();
        // A text that is only told to shrink keeps its place, and with it the room that it grew into.
        (self.text.as_str().to_owned(), self.traces)
    }
}

/// A heading as Markdown.
pub fn heading(level: u8, text: Vec<Inline>) -> String {
    markdown::write(&[Block {
        kind: BlockKind::Heading { level, text },
        span: Span::default(),
    }])
}

/// A bullet as Markdown.
pub fn bullet(blocks: Vec<Block>) -> String {
    markdown::write(&[Block {
        kind: BlockKind::List {
            start: None,
            items: vec![blocks],
        },
        span: Span::default(),
    }])
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
