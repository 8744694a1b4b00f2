//! Reads the slides of Beamer: each frame with its title, and the titled boxes on it.

use crate::builder::tidy;
use crate::markup::latex::groups::{argument_after, group, optional};
use crate::markup::latex::inline::inline;
use crate::markup::latex::{Open, Reader};
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::text::{Inline, plain};

/// The longest words on which slides something is shown.
const OVERLAY_BYTES_MAX: usize = 200;

/// How long the `<2->` is that `text` begins with, which says on which slides something is shown; 0 where it does not end.
fn overlay(text: &str) -> usize {
    let near = text.get(..text.floor_char_boundary(OVERLAY_BYTES_MAX));
    near.and_then(|near| near.find('>'))
        .map_or(0, |end| end + 1)
}

impl<'a> Reader<'a> {
    /// The title behind `\begin{frame}`, where it stands there and not in a command of its own; what says how the frame is shown
    /// is skipped.
    pub(super) fn begin_frame(&mut self) {
        loop {
            let rest = self.rest();
            let used = match rest.as_bytes().first() {
                Some(b'<') => overlay(rest),
                Some(b'[') => optional(rest).1,
                _ => 0,
            };
            if used == 0 {
                break;
            }
            self.at += used;
        }
        if self.rest().starts_with('{') {
            self.frame_title(0);
            let (_, more) = group(self.rest());
            self.at += if self.rest().starts_with('{') {
                more
            } else {
                0
            };
        }
    }

    /// `\frametitle{words}`, whose name is `used` bytes long: a heading below those of the section. A frame that only repeats the
    /// heading above it has none of its own.
    pub(super) fn frame_title(&mut self, used: usize) {
        let after = self.rest().get(used..).unwrap_or("");
        let shown_on = match after.starts_with('<') {
            true => overlay(after),
            false => 0,
        };
        let (argument, length) = argument_after(after.get(shown_on..).unwrap_or(""));
        let text = tidy(inline(argument, self.place()));
        let length = used + shown_on + length;
        let is_apart = self
            .levels
            .iter()
            .all(|level| matches!(level.open, Open::Root | Open::Plain(_)));
        if !is_apart {
            return self.inline(text, length);
        }
        self.end_paragraph();
        let span = Span::of(self.at..(self.at + length).min(self.text.len()));
        self.at += length;
        let last = self
            .levels
            .iter()
            .rev()
            .find_map(|level| level.blocks.last());
        let is_said = last.is_some_and(|block| {
            matches!(&block.kind, BlockKind::Heading { text: said, .. } if plain(said) == plain(&text))
        });
        if text.is_empty() || is_said {
            return;
        }
        let level = 2 + u8::from(self.title.is_some()) + u8::from(self.has_subsections);
        let kind = BlockKind::Heading { level, text };
        self.push(Block { kind, span });
    }

    /// The title behind `\begin{block}`, which is set over the box.
    pub(super) fn box_title(&mut self) {
        let (argument, length) = argument_after(self.rest());
        let text = tidy(inline(argument, self.place()));
        let span = Span::of(self.at..self.at + length);
        self.at += length;
        if !text.is_empty() {
            let kind = BlockKind::Paragraph(vec![Inline::Strong(text)]);
            self.push(Block { kind, span });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::markup::latex::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn the_title_of_a_slide_is_a_heading_below_its_section() {
        let source = "\\title{Kilns}\\begin{document}\n\\section{Heat}\n\\begin{frame}\n\\frametitle{Heat}\nIt is hot.\n\\end{frame}\n\\begin{frame}[fragile]\n  \\frametitle<1>{Dry \\emph{wood}}\n\\begin{itemize}\\item oak\\end{itemize}\n\\end{frame}\n\\begin{frame}<2>[t]{Doors}{of clay}\n\\begin{block}{Care}\nOpen it late.\n\\end{block}\n\\end{frame}\n\\end{document}\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "# Kilns\n\n## Heat\n\nIt is hot.\n\n### Dry *wood*\n\n- oak\n\n### Doors\n\n**Care**\n\nOpen it late.\n"
        );
    }
}
