//! Builds the running text of Markdown, emphasis within emphasis.

use crate::builder::tidy;
use crate::markup::markdown::{INLINE_NESTING_MAX, InlineOpen, Reader};
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

    fn ensure_inline(&mut self, start: usize) {
        if self.inlines.is_empty() {
            self.open_inline();
            self.inline_start = Some(start);
        }
    }

    pub(super) fn nest(&mut self, open: InlineOpen, start: usize) {
        self.ensure_inline(start);
        let open =
            if self.inlines.len() > INLINE_NESTING_MAX && !matches!(open, InlineOpen::Image(_)) {
                InlineOpen::Flat
            } else {
                open
            };
        self.inlines.push((open, Vec::new()));
    }

    /// Begins what a tag does; too deep, it begins nothing.
    pub(super) fn nest_tag(&mut self, open: InlineOpen, start: usize) {
        if self.inlines.len() <= INLINE_NESTING_MAX {
            self.nest(open, start);
        }
    }

    /// How many tags were begun since one, where nothing but tags began anything since.
    fn tags_above(&self, is_it: impl Fn(&InlineOpen) -> bool) -> Option<usize> {
        let tags = self.inlines.iter().rev().map(|(open, _)| open);
        let mut tags = tags.take_while(|open| is_of_tag(open));
        tags.position(is_it)
    }

    /// Ends what a tag began; what others began in it has no end.
    pub(super) fn end_tag(&mut self, is_it: impl Fn(&InlineOpen) -> bool) {
        if let Some(above) = self.tags_above(is_it) {
            for _ in 0..above {
                self.give_up_tag();
            }
            self.unnest_one();
        }
    }

    /// Gives up what a tag began, and what others began in it.
    pub(super) fn give_up_tags(&mut self, is_it: impl Fn(&InlineOpen) -> bool) {
        if let Some(above) = self.tags_above(is_it) {
            for _ in 0..=above {
                self.give_up_tag();
            }
        }
    }

    /// Gives up what the innermost tag began: how far it reaches is not known, and its words are words like others.
    fn give_up_tag(&mut self) {
        if let Some((open, _)) = self.inlines.last_mut() {
            *open = InlineOpen::Flat;
        }
        if let Some(told) = &mut self.told {
            told.is_partial = true;
        }
        self.unnest_one();
    }

    /// Ends what a mark of Markdown began, and gives up what tags began in it.
    pub(super) fn unnest(&mut self) {
        while self.inlines.last().is_some_and(|(open, _)| is_of_tag(open)) {
            self.give_up_tag();
        }
        self.unnest_one();
    }

    fn unnest_one(&mut self) {
        if self.inlines.len() < 2 {
            return;
        }
        let Some((open, pieces)) = self.inlines.pop() else {
            return;
        };
        let pieces = match open {
            InlineOpen::Root | InlineOpen::Flat => pieces,
            InlineOpen::Emphasis => vec![Inline::Emphasis(pieces)],
            InlineOpen::Strong => vec![Inline::Strong(pieces)],
            InlineOpen::Link(_) | InlineOpen::Anchor(_) if pieces.is_empty() => pieces,
            InlineOpen::Link(href) | InlineOpen::Anchor(href) => vec![Inline::link(href, pieces)],
            InlineOpen::Typed => match squash(&plain(&pieces)) {
                code if code.is_empty() => Vec::new(),
                code => vec![Inline::Code(code)],
            },
            // A sign of a project's state says nothing of its subject, and is out of date tomorrow.
            // What it says of what is required is true tomorrow as well.
            InlineOpen::Image(source) if is_badge(&source) => {
                let words = squash(&plain(&pieces));
                match requires(&words) {
                    true => vec![Inline::Text(words)],
                    false => Vec::new(),
                }
            }
            InlineOpen::Image(source) => {
                let alternative = squash(&plain(&pieces));
                self.pictures.push((source, alternative.clone()));
                vec![Inline::Text(alternative)]
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

/// Whether a tag of HTML opened it.
fn is_of_tag(open: &InlineOpen) -> bool {
    matches!(open, InlineOpen::Anchor(_) | InlineOpen::Typed)
}

/// Whether words name the version of something that is needed: `Rustc Version 1.71+`.
fn requires(words: &str) -> bool {
    let is_version = |word: &str| {
        let number = word
            .strip_prefix(">=")
            .or_else(|| word.strip_prefix('≥'))
            .or_else(|| word.strip_suffix('+'));
        number.is_some_and(|number| {
            let number = number.trim_start_matches('v');
            number.starts_with(|c: char| c.is_ascii_digit())
                && number.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        })
    };
    const NEEDED: [&str; 10] = [
        "go", "java", "minimum", "msrv", "node", "php", "python", "requires", "rust", "rustc",
    ];
    let lower = words.to_lowercase();
    let is_needed = lower
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| NEEDED.contains(&word));
    is_needed && words.split(' ').any(is_version)
}

#[cfg(test)]
mod tests {
    use crate::markup::markdown::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_picture_that_leads_elsewhere_is_a_link_with_its_words() {
        let source = "See this:\n\n[![the kiln at work](./kiln.png)](//video.org/kiln?t=1)\n\n![kiln.png](images/kiln.png)\n\n![A kiln](a.png)\n\n[x](//y)\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "See this:\n\n[the kiln at work](https://video.org/kiln?t=1)\n\n![A kiln](a.png)\n\n[x](//y)\n"
        );
    }

    #[test]
    fn a_badge_that_names_a_version_which_is_needed_is_read() {
        let badge = |words: &str| {
            let source = format!("# Kiln\n\n![{words}](https://img.shields.io/x.svg)\n\nHot.\n");
            write(&read(source).blocks)
        };
        assert_eq!(
            badge("Rustc Version 1.71+"),
            "# Kiln\n\nRustc Version 1.71+\n\nHot.\n"
        );
        for state in ["Build 1.71", "build 1.2+", "coverage 90+", "Downloads 100+"] {
            assert_eq!(badge(state), "# Kiln\n\nHot.\n");
        }
    }
}
