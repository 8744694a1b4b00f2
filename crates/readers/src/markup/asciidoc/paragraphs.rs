//! Reads the paragraphs of AsciiDoc, with the admonitions and the literals among them.

use crate::markup::asciidoc::delimiter::delimiter;
use crate::markup::asciidoc::metadata::{Metadata, is_admonition};
use crate::markup::asciidoc::{Reader, lists};
use crate::markup::lines::language_of;
use crate::markup::lines::{self, Line};
use skillkiln_document::blocks::{Block, BlockKind};

impl Reader {
    pub(super) fn paragraph(
        &mut self,
        lines: &[Line<'_>],
        metadata: Metadata,
        in_list: bool,
        out: &mut Vec<Block>,
    ) -> usize {
        let Some(first) = lines.first() else { return 1 };
        let length = paragraph_length(lines, in_list);
        let taken = lines.get(..length).unwrap_or_default();
        let style = metadata.style().to_lowercase();
        self.titled(&metadata, first, out);
        let is_code =
            matches!(style.as_str(), "source" | "listing" | "literal") || metadata.has_language();
        // Lines that begin with a blank are literal.
        if is_code
            || first.text.starts_with([' ', '\t'])
                && !matches!(style.as_str(), "normal" | "quote" | "verse")
        {
            let language = metadata
                .language()
                .and_then(|language| language_of(&language));
            out.push(lines::code(language, taken));
            return length;
        }
        let words = lines::words(taken);
        if style == "verse" {
            let text = self.verse(taken);
            out.push(lines::block(
                BlockKind::Quote(vec![lines::paragraph(text, taken)]),
                taken,
            ));
            return length;
        }
        let inline_kind = ["NOTE: ", "TIP: ", "IMPORTANT: ", "WARNING: ", "CAUTION: "]
            .into_iter()
            .find(|kind| words.starts_with(kind));
        let rest = inline_kind
            .and_then(|kind| words.strip_prefix(kind))
            .unwrap_or(&words);
        let text = self.inline(rest);
        if text.is_empty() {
            return length;
        }
        let inner = lines::paragraph(text, taken);
        let class = match inline_kind {
            Some(kind) => Some(kind.trim_end_matches([':', ' ']).to_lowercase()),
            None => Some(style.clone()).filter(|style| is_admonition(style)),
        };
        let block = match class {
            Some(class) => {
                let kind = BlockKind::Admonition {
                    class,
                    title: None,
                    blocks: vec![inner],
                };
                lines::block(kind, taken)
            }
            None if style == "quote" => {
                let mut blocks = vec![inner];
                blocks.extend(self.attribution(&metadata, taken));
                lines::block(BlockKind::Quote(blocks), taken)
            }
            None => inner,
        };
        out.push(block);
        length
    }
}

/// How many lines make a paragraph.
fn paragraph_length(lines: &[Line<'_>], in_list: bool) -> usize {
    lines
        .iter()
        .enumerate()
        .skip(1)
        .find(|(_, line)| {
            let words = line.text.trim_end();
            line.is_blank()
                || words == "+"
                || delimiter(words).is_some()
                || words.starts_with('[') && words.ends_with(']') && Metadata::default().take(words)
                || words.starts_with("//") && !words.starts_with("///")
                || ["ifdef::", "ifndef::", "endif::", "ifeval::"]
                    .iter()
                    .any(|name| words.starts_with(name))
                || in_list && lists::marker(line).is_some()
        })
        .map_or(lines.len(), |(at, _)| at)
}
