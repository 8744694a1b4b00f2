//! Owns the intermediate document: what a source says, as typed blocks, each of which knows where in the source it stands.
//!
//! Invariant: [`Document::text`] is the text that was read (the decoded source itself for text formats; for the others the
//! text in reading order), and each [`Span`] is a byte range of it on character borders. So whatever a later stage takes
//! over from a block, it can point at the evidence.

use crate::text::Inline;
use crate::work::step;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;

/// Deepest nesting of blocks that a reader may build (decision 57).
pub const NESTING_MAX: usize = 64;

/// A source, read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// What the source calls itself, when it does.
    pub title: Option<String>,
    /// What else it says of itself.
    pub about: About,
    /// The text that spans point into.
    pub text: String,
    /// The content in source order.
    pub blocks: Vec<Block>,
    /// When each sentence is said, of timed sources, in the order of time; empty for all others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moments: Vec<Moment>,
}

/// When a sentence is said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// Its bytes of [`Document::text`].
    pub bytes: Range<usize>,
    /// Start and end in seconds.
    pub seconds: (f64, f64),
}

/// What a source says of itself, apart from its content. All optional, all as the source states it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Who wrote it.
    pub author: Option<String>,
    /// When it was published, as written there.
    pub date: Option<String>,
    /// Its language, a BCP 47 tag.
    pub language: Option<String>,
    /// Its one true address.
    pub address: Option<String>,
    /// The site or publication it belongs to.
    pub site: Option<String>,
    /// A summary in the source's own words.
    pub description: Option<String>,
    /// Whether the text that spans point into is the source itself, line by line.
    #[serde(default)]
    pub is_verbatim: bool,
}

/// A piece of content and where it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Where it stands.
    pub span: Span,
}

impl Block {
    /// A paragraph that stands nowhere in a source.
    pub fn paragraph(text: Vec<Inline>) -> Self {
        Self {
            kind: BlockKind::Paragraph(text),
            span: Span::default(),
        }
    }

    /// Gives back the room that was set aside for more than it holds. What grew piece by piece takes up to four times its size.
    pub fn shrink_to_fit(&mut self) {
        let blocks = |blocks: &mut Vec<Self>| {
            exact(blocks);
            blocks.iter_mut().for_each(Self::shrink_to_fit);
        };
        let cells = |cells: &mut Vec<Vec<Inline>>| {
            exact(cells);
            cells.iter_mut().for_each(exact);
        };
        match &mut self.kind {
            BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => exact(text),
            BlockKind::List { items, .. } => {
                exact(items);
                items.iter_mut().for_each(blocks);
            }
            BlockKind::Table { header, rows, .. } => {
                cells(header);
                exact(rows);
                rows.iter_mut().for_each(cells);
            }
            BlockKind::Quote(inner) | BlockKind::Admonition { blocks: inner, .. } => blocks(inner),
            BlockKind::Definitions(entries) => {
                exact(entries);
                for entry in entries {
                    cells(&mut entry.terms);
                    blocks(&mut entry.blocks);
                }
            }
            BlockKind::Code { .. } | BlockKind::Math(_) | BlockKind::Figure { .. } => {}
        }
    }
}

/// Moves a list to a place of just its size. One that is only told to shrink keeps a place of up to twice that.
pub fn exact<T>(list: &mut Vec<T>) {
    if list.capacity() > list.len() {
        let mut moved = Vec::with_capacity(list.len());
        moved.append(list);
        *list = moved;
    }
}

/// The kinds of content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum BlockKind {
    /// A heading of level 1 to 6.
    Heading {
        /// 1 is the highest.
        level: u8,
        /// Its words.
        text: Vec<Inline>,
    },
    /// Running text.
    Paragraph(Vec<Inline>),
    /// A list; each item is a sequence of blocks.
    List {
        /// The first number of an ordered list; `None` for bullets.
        start: Option<u64>,
        /// The items.
        items: Vec<Vec<Block>>,
    },
    /// Preformatted text, to the letter, without a final line break.
    Code {
        /// Its language in lower case, when the source tells.
        language: Option<String>,
        /// The code.
        text: String,
    },
    /// A table; every row is as long as the header.
    Table {
        /// The header cells; empty strings when the source has no header.
        header: Vec<Vec<Inline>>,
        /// The rows.
        rows: Vec<Vec<Vec<Inline>>>,
        /// Its caption.
        caption: Option<Vec<Inline>>,
    },
    /// A quotation.
    Quote(Vec<Block>),
    /// A note, tip, warning: text that the source sets apart.
    Admonition {
        /// Which kind, in lower case: `note`, `tip`, `warning`, `danger`, `important`, `caution`, or the source's own word.
        class: String,
        /// Its title, when it is more than the kind.
        title: Option<String>,
        /// What it says.
        blocks: Vec<Block>,
    },
    /// Terms and what they mean.
    Definitions(Vec<Definition>),
    /// A displayed formula, in TeX where the source has it.
    Math(String),
    /// A picture: what stands in for it and what is written under it.
    Figure {
        /// Its address.
        source: String,
        /// The words that stand in for it.
        alternative: String,
        /// What is written under it.
        caption: Vec<Inline>,
    },
}

/// One entry of a definition list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Definition {
    /// The terms defined together.
    pub terms: Vec<Vec<Inline>>,
    /// What they mean.
    pub blocks: Vec<Block>,
}

/// Where in the source something stands.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "Told", into = "Told")]
pub struct Span {
    /// Bytes of [`Document::text`].
    pub bytes: Range<usize>,
    /// Its landmark; what stands beside each other shares it.
    landmark: Option<Arc<Landmark>>,
}

/// What else than its bytes leads to a place in a source that has pages, a time or anchors.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Landmark {
    /// The page, counted from 1, of paged sources.
    pub page: Option<u32>,
    /// Start and end in seconds, of timed sources.
    pub seconds: Option<(f64, f64)>,
    /// The fragment (`#anchor`) that leads to it, of web pages.
    pub fragment: Option<String>,
}

impl PartialEq for Span {
    fn eq(&self, other: &Self) -> bool {
        let place = |span: &Self| (span.page(), span.seconds());
        self.bytes == other.bytes
            && place(self) == place(other)
            && self.fragment() == other.fragment()
    }
}

impl Span {
    /// A span that knows only its bytes.
    #[must_use]
    pub fn of(bytes: Range<usize>) -> Self {
        Self {
            bytes,
            landmark: None,
        }
    }

    /// A span at a landmark.
    #[must_use]
    pub fn at(bytes: Range<usize>, landmark: Option<Arc<Landmark>>) -> Self {
        Self { bytes, landmark }
    }

    /// Its landmark, to be shared.
    #[must_use]
    pub fn landmark(&self) -> Option<&Arc<Landmark>> {
        self.landmark.as_ref()
    }

    /// Its landmark, to be changed for this span alone.
    pub fn landmark_mut(&mut self) -> &mut Landmark {
        Arc::make_mut(self.landmark.get_or_insert_default())
    }

    /// The page, counted from 1, of paged sources.
    #[must_use]
    pub fn page(&self) -> Option<u32> {
        self.landmark.as_ref()?.page
    }

    /// Start and end in seconds, of timed sources.
    #[must_use]
    pub fn seconds(&self) -> Option<(f64, f64)> {
        self.landmark.as_ref()?.seconds
    }

    /// The fragment (`#anchor`) that leads to it, of web pages.
    #[must_use]
    pub fn fragment(&self) -> Option<&str> {
        self.landmark.as_ref()?.fragment.as_deref()
    }
}

/// A span as it is written down.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Span")]
struct Told {
    bytes: Range<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    page: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seconds: Option<(f64, f64)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fragment: Option<String>,
}

impl From<Told> for Span {
    fn from(told: Told) -> Self {
        let landmark = Landmark {
            page: told.page,
            seconds: told.seconds,
            fragment: told.fragment,
        };
        let is_any = landmark != Landmark::default();
        Self::at(told.bytes, is_any.then(|| Arc::new(landmark)))
    }
}

impl From<Span> for Told {
    fn from(span: Span) -> Self {
        let landmark = span.landmark.map(Arc::unwrap_or_clone).unwrap_or_default();
        Self {
            bytes: span.bytes,
            page: landmark.page,
            seconds: landmark.seconds,
            fragment: landmark.fragment,
        }
    }
}

impl Document {
    /// What is told by a text that takes no time.
    #[must_use]
    pub fn of(title: Option<String>, about: About, text: String, blocks: Vec<Block>) -> Self {
        let moments = Vec::new();
        Self {
            title,
            about,
            text,
            blocks,
            moments,
        }
    }

    /// The evidence behind a span; empty when the span lies outside (which a reader never produces).
    #[must_use]
    pub fn evidence(&self, span: &Span) -> &str {
        self.text.get(span.bytes.clone()).unwrap_or("")
    }

    /// When the words at `bytes` are said: from the beginning of the first sentence they touch to the end of the last.
    #[must_use]
    pub fn seconds_of(&self, bytes: &Range<usize>) -> Option<(f64, f64)> {
        let first = self
            .moments
            .partition_point(|moment| moment.bytes.end <= bytes.start);
        let touched = self.moments.get(first..)?;
        let (start, mut end) = touched
            .first()
            .filter(|moment| moment.bytes.start < bytes.end.max(bytes.start + 1))?
            .seconds;
        for moment in touched.iter().take_while(|m| m.bytes.start < bytes.end) {
            end = end.max(moment.seconds.1);
        }
        Some((start, end))
    }

    /// Whether there is anything to read: a letter, a digit, a line of code.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        !self.text.chars().any(char::is_alphanumeric) || self.blocks.is_empty()
    }

    /// Calls `visit` for every block, outer before inner, in source order.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Block)) {
        walk(&self.blocks, visit);
    }
}

/// Calls `visit` for each of `blocks` and every block inside them, outer before inner, in source order.
pub fn walk<'a>(blocks: &'a [Block], visit: &mut dyn FnMut(&'a Block)) {
    step(blocks.len());
    for block in blocks {
        visit(block);
        match &block.kind {
            BlockKind::List { items, .. } => items.iter().for_each(|item| walk(item, visit)),
            BlockKind::Quote(inner) | BlockKind::Admonition { blocks: inner, .. } => {
                walk(inner, visit)
            }
            BlockKind::Definitions(entries) => {
                entries.iter().for_each(|entry| walk(&entry.blocks, visit))
            }
            BlockKind::Heading { .. }
            | BlockKind::Paragraph(_)
            | BlockKind::Code { .. }
            | BlockKind::Table { .. }
            | BlockKind::Math(_)
            | BlockKind::Figure { .. } => {}
        }
    }
}
