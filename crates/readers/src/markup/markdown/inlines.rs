//! Builds the running text of Markdown, emphasis within emphasis.

use crate::builder::tidy;
use crate::markup::markdown::{INLINE_NESTING_MAX, InlineOpen, Reader};
use crate::pictures::is_mute;
use skillkiln_document::badge::is_badge;
use skillkiln_document::text::{Inline, plain, squash};
use std::ops::Range;

impl Reader {
    pub(super) fn open_inline(&mut self) {
        self.inlines.clear();
        self.pictures.clear();
        self.inlines.push((InlineOpen::Root, Vec::new()));
    }

    /// A piece of running text; in a tight list it arrives without a paragraph around it.
    pub(super) fn inline(&mut self, inline: Inline, range: Range<usize>) {
        self.ensure_inline(range.start);
        self.last_end = self.last_end.max(range.end);
        if let Some((_, pieces)) = self.inlines.last_mut() {
            pieces.push(inline);
        }
    }

    /// Takes the role of MyST off that stands before a piece of code, which it is the content of: `{func}`.
    pub(super) fn role(&mut self) -> Option<String> {
        let (_, pieces) = self.inlines.last_mut()?;
        let Some(Inline::Text(words)) = pieces.last_mut() else {
            return None;
        };
        let (before, role) = words.strip_suffix('}')?.rsplit_once('{')?;
        let is_name = role.starts_with(|c: char| c.is_ascii_alphabetic())
            && role
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-_:.+".contains(c))
            && !before.ends_with(['$', '{', '#', '%', '/']);
        let role = is_name.then(|| role.to_owned());
        if role.is_some() {
            words.truncate(before.len());
        }
        role
    }

    fn ensure_inline(&mut self, start: usize) {
        if self.inlines.is_empty() {
            self.open_inline();
            self.inline_start = Some(start);
        }
    }

    pub(super) fn nest(&mut self, open: InlineOpen, start: usize) {
        self.ensure_inline(start);
        let open = if self.inlines.len() > INLINE_NESTING_MAX
            && !matches!(open, InlineOpen::Image(_) | InlineOpen::Struck)
        {
            InlineOpen::Flat
        } else {
            open
        };
        self.inlines.push((open, Vec::new()));
    }

    /// Whether what is open innermost is struck out.
    pub(super) fn is_struck(&self) -> bool {
        matches!(self.inlines.last(), Some((InlineOpen::Struck, _)))
    }

    pub(super) fn unnest(&mut self) {
        if self.inlines.len() < 2 {
            return;
        }
        let Some((open, pieces)) = self.inlines.pop() else {
            return;
        };
        let pieces = match open {
            InlineOpen::Root | InlineOpen::Flat => pieces,
            InlineOpen::Struck => Vec::new(),
            InlineOpen::Emphasis => vec![Inline::Emphasis(pieces)],
            InlineOpen::Strong => vec![Inline::Strong(pieces)],
            InlineOpen::Link(_) if pieces.is_empty() => pieces,
            InlineOpen::Link(href) => vec![Inline::link(href, pieces)],
            // A sign of a project's state says nothing of its subject, and is out of date tomorrow.
            InlineOpen::Image(source) if is_badge(&source) => Vec::new(),
            InlineOpen::Image(source) => {
                let alternative = squash(&plain(&pieces));
                self.pictures.push((source, alternative.clone()));
                let says = (!is_mute(&alternative)).then_some(Inline::Text(alternative));
                says.into_iter().collect()
            }
        };
        if let Some((_, outer)) = self.inlines.last_mut() {
            outer.extend(pieces);
        }
    }

    pub(super) fn close_inlines(&mut self) -> Vec<Inline> {
        while self.inlines.len() > 1 {
            self.unnest();
        }
        self.inline_start = None;
        let pieces = self.inlines.pop().map(|(_, pieces)| pieces);
        tidy(pieces.unwrap_or_default())
    }

    /// Ends running text that stood in an item without a paragraph.
    pub(super) fn flush(&mut self, before: usize) {
        if let Some(start) = self.inline_start {
            let end = self.last_end.clamp(start, before.max(start));
            self.end_paragraph(start..end);
        }
    }
}
