//! Reads a text that was derived from the source line by line (comments without their marks, mark-up rewritten into what
//! a reader knows), and puts every span back to where its words stand in the source.

use crate::builder::each_span;
use skillkiln_document::blocks::Block;

/// A text with the origin of its lines.
#[derive(Debug, Default)]
pub(crate) struct Derived {
    /// The text that is read.
    pub(crate) text: String,
    /// Where each piece begins: here, and in the source.
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone, Copy)]
struct Piece {
    here: usize,
    there: usize,
    length: usize,
}

impl Derived {
    /// Appends a line that stands at `start` in the source, with `before` that does not stand there.
    pub(crate) fn line(&mut self, before: &str, start: usize, words: &str) {
        self.text.push_str(before);
        self.pieces.push(Piece {
            here: self.text.len(),
            there: start,
            length: words.len(),
        });
        self.text.push_str(words);
        self.text.push('\n');
    }

    /// The place in the source of what stands at `at` here.
    fn origin(&self, at: usize) -> usize {
        let after = self.pieces.partition_point(|piece| piece.here <= at);
        match after
            .checked_sub(1)
            .and_then(|index| self.pieces.get(index))
        {
            Some(piece) => piece.there + (at - piece.here).min(piece.length),
            None => self.pieces.first().map_or(0, |piece| piece.there),
        }
    }

    /// The place in the source of the end of what ends at `at` here.
    fn end(&self, at: usize) -> usize {
        let after = self.pieces.partition_point(|piece| piece.here < at);
        match after
            .checked_sub(1)
            .and_then(|index| self.pieces.get(index))
        {
            Some(piece) => piece.there + (at - piece.here).min(piece.length),
            None => self.origin(at),
        }
    }

    /// Puts the spans of `blocks` back into the source.
    pub(crate) fn put_back(&self, blocks: &mut [Block]) {
        each_span(blocks, &mut |span| {
            let start = self.origin(span.bytes.start);
            // The end of a line is not the start of the next: it counts from the piece that holds what comes before it.
            let end = self.end(span.bytes.end);
            span.bytes = start..end.max(start);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::markdown;

    #[test]
    fn spans_point_at_the_words_in_the_source() {
        let source = "/// # Über\n///\n/// Two\n/// lines.\n";
        let mut derived = Derived::default();
        let mut start = 0;
        for line in source.lines() {
            let words = line.trim_start_matches("///").trim_start();
            derived.line("", start + line.len() - words.len(), words);
            start += line.len() + 1;
        }
        let mut document = markdown::read(derived.text.clone());
        derived.put_back(&mut document.blocks);
        let seen: Vec<&str> = document
            .blocks
            .iter()
            .map(|block| &source[block.span.bytes.clone()])
            .collect();
        assert_eq!(seen, ["# Über", "Two\n/// lines."]);
    }
}
