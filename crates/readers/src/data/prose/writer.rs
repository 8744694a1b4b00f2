//! Writes the sections, paragraphs and short lists that data turns out to hold.

use crate::builder::Builder;
use crate::data::prose::running::ENDS;
use skillkiln_document::blocks::{About, Block, BlockKind, Document};
use skillkiln_document::text::{Inline, squash};

/// A line that is broken where the page ends is so many characters long.
const BROKEN: std::ops::RangeInclusive<usize> = 40..=100;

/// A document in the making.
#[derive(Debug, Default)]
pub(super) struct Writer {
    builder: Builder,
    blocks: Vec<Block>,
    /// The items of the list that is being written.
    items: Vec<String>,
}

impl Writer {
    /// A heading; those deeper than six are of the sixth level.
    pub(super) fn heading(&mut self, level: usize, words: &str) {
        self.leaf(BlockKind::Heading {
            level: u8::try_from(level.clamp(1, 6)).unwrap_or(6),
            text: vec![Inline::Text(squash(words))],
        });
    }

    /// An item of the list that stands here.
    pub(super) fn item(&mut self, words: &str) {
        let words = squash(words);
        if !words.is_empty() {
            self.items.push(words);
        }
    }

    /// Paragraphs, each of which ends with its line unless the lines are broken at the end of a page.
    pub(super) fn paragraphs(&mut self, text: &str) {
        let is_broken = is_broken(text);
        let mut words = String::new();
        for line in text.lines() {
            if !words.is_empty() && (!is_broken || line.trim().is_empty()) {
                self.paragraph(&words);
                words.clear();
            }
            words.push_str(line);
            words.push('\n');
        }
        self.paragraph(&words);
    }

    /// One paragraph.
    pub(super) fn paragraph(&mut self, words: &str) {
        let words = squash(words);
        if !words.is_empty() {
            self.leaf(BlockKind::Paragraph(vec![Inline::Text(words)]));
        }
    }

    /// The document.
    pub(super) fn finish(mut self, title: Option<String>) -> Document {
        self.end_list();
        self.builder.finish(title, About::default(), self.blocks)
    }

    fn leaf(&mut self, kind: BlockKind) {
        self.end_list();
        let block = self.builder.leaf(kind);
        self.blocks.push(block);
    }

    fn end_list(&mut self) {
        if self.items.is_empty() {
            return;
        }
        let start = self.builder.here();
        let builder = &mut self.builder;
        let items = std::mem::take(&mut self.items)
            .into_iter()
            .map(|words| vec![builder.leaf(BlockKind::Paragraph(vec![Inline::Text(words)]))])
            .collect();
        let list = self
            .builder
            .around(start, BlockKind::List { start: None, items });
        self.blocks.push(list);
    }
}

/// Whether lines go on in the next one: most of those that another follows are as long as a page is wide and end no
/// sentence.
fn is_broken(text: &str) -> bool {
    let mut followed = 0;
    let mut full = 0;
    let mut lines = text.lines().map(str::trim).peekable();
    while let Some(line) = lines.next() {
        if !line.is_empty() && lines.peek().is_some_and(|next| !next.is_empty()) {
            followed += 1;
            let goes_on = !line.ends_with(ENDS) && BROKEN.contains(&line.chars().count());
            full += usize::from(goes_on);
        }
    }
    full >= 3 && full * 10 >= followed * 7
}

#[cfg(test)]
mod tests {
    use super::Writer;
    use skillkiln_document::markdown;

    fn written(text: &str) -> String {
        let mut writer = Writer::default();
        writer.paragraphs(text);
        markdown::write(&writer.finish(None).blocks)
    }

    #[test]
    fn a_line_is_a_paragraph() {
        assert_eq!(
            written("One.\nTwo.\n\nThree.").trim(),
            "One.\n\nTwo.\n\nThree."
        );
    }

    #[test]
    fn lines_that_are_broken_at_the_end_of_a_page_are_one_paragraph() {
        let line = "the potter sets the kiln on a slow fire and waits";
        let text = format!("{line}\n{line}\n{line}\n{line}.\n\nTwo.");
        assert_eq!(
            written(&text).trim(),
            format!("{line} {line} {line} {line}.\n\nTwo.")
        );
    }
}
