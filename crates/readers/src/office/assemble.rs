//! Puts the paragraphs of an office document together as blocks: items become nested lists, lines of code become code blocks,
//! terms with their meanings become definition lists.

use crate::builder::Builder;
use skillkiln_document::blocks::{Block, BlockKind, Definition};
use skillkiln_document::text::{Inline, plain};

/// The deepest level of a list that is told apart from the one above it.
const LEVEL_MAX: usize = 32;

/// A paragraph, a table or a picture, and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    /// What it is.
    pub(crate) what: What,
    /// Its place in a list, when it stands in one.
    pub(crate) item: Option<Item>,
    /// The page or slide it stands on.
    pub(crate) page: Option<u32>,
}

/// The kinds of piece.
#[derive(Debug, Clone)]
pub(crate) enum What {
    /// A line of the document's title.
    Title(Vec<Inline>),
    /// A heading and its level.
    Heading(u8, Vec<Inline>),
    /// Running text.
    Paragraph(Vec<Inline>),
    /// A paragraph of a quotation.
    Quote(Vec<Inline>),
    /// The words under a picture or over a table.
    Caption(Vec<Inline>),
    /// A term that is defined.
    Term(Vec<Inline>),
    /// What a term means.
    Meaning(Vec<Inline>),
    /// Code; when it joins, it is a line and goes on in the next.
    Code {
        /// The code.
        text: String,
        /// Whether it and a neighbour that joins are one block.
        joins: bool,
    },
    /// A table.
    Table {
        /// The header, as wide as the rows.
        header: Vec<Vec<Inline>>,
        /// The rows.
        rows: Vec<Vec<Vec<Inline>>>,
        /// The words over it.
        caption: Option<Vec<Inline>>,
    },
    /// A formula on a line of its own.
    Math(String),
    /// A picture, as the words that stand in for it.
    Figure(String, Vec<Inline>),
    /// Notes that accompany what is shown.
    Notes(Vec<Piece>),
}

/// A place in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Item {
    /// How deep, from 0.
    pub(crate) level: usize,
    /// The number of an ordered item.
    pub(crate) number: Option<u64>,
    /// Whether it goes on with the item before it.
    pub(crate) continues: bool,
}

impl Piece {
    /// A piece outside any list.
    pub(crate) fn new(what: What) -> Self {
        Self {
            what,
            item: None,
            page: None,
        }
    }
}

/// Writes `pieces` as blocks.
pub(crate) fn blocks(builder: &mut Builder, pieces: Vec<Piece>) -> Vec<Block> {
    let pieces = captioned(joined(pieces));
    let mut out = Vec::new();
    sequence(builder, &pieces, &mut out);
    out
}

/// Lines of code that follow one another, as one piece.
fn joined(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        // A title of several lines is one.
        if let (What::Title(words), Some(What::Title(before))) =
            (&piece.what, out.last_mut().map(|before| &mut before.what))
        {
            before.push(Inline::Text(" ".to_owned()));
            before.extend(words.iter().cloned());
            continue;
        }
        if let (
            What::Code { text, joins: true },
            Some(Piece {
                what:
                    What::Code {
                        text: before,
                        joins: true,
                    },
                item,
                page,
            }),
        ) = (&piece.what, out.last_mut())
            && *page == piece.page
            && item.map(|item| item.level) == piece.item.map(|item| item.level)
            && piece.item.is_none_or(|item| item.continues)
        {
            before.push('\n');
            before.push_str(text);
            continue;
        }
        out.push(piece);
    }
    out.retain_mut(|piece| match &mut piece.what {
        What::Code { text, .. } => {
            *text = trimmed_code(text);
            !text.is_empty()
        }
        What::Title(text)
        | What::Heading(_, text)
        | What::Paragraph(text)
        | What::Quote(text)
        | What::Caption(text)
        | What::Term(text)
        | What::Meaning(text) => !plain(text).trim().is_empty(),
        _ => true,
    });
    out
}

/// Code without empty lines at its ends; the indentation of its first line is code.
fn trimmed_code(text: &str) -> String {
    let text = text.replace('\u{a0}', " ");
    let end = text.trim_end();
    let start = end
        .find(|c: char| !c.is_whitespace())
        .and_then(|first| end.get(..first))
        .and_then(|lead| lead.rfind('\n'))
        .map_or(0, |at| at + 1);
    end.get(start..).unwrap_or("").to_owned()
}

/// Captions given to the picture before them or the table beside them.
fn captioned(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    for mut piece in pieces {
        if let What::Table {
            caption: caption @ None,
            ..
        } = &mut piece.what
            && let Some(Piece {
                what: What::Caption(words),
                ..
            }) = out.last_mut()
        {
            *caption = Some(std::mem::take(words));
            out.pop();
        }
        if let What::Caption(words) = &mut piece.what
            && let Some(Piece {
                what: What::Figure(_, caption),
                ..
            }) = out.last_mut()
            && caption.is_empty()
        {
            *caption = std::mem::take(words);
            continue;
        }
        out.push(piece);
    }
    // A picture without a word is not content.
    out.retain(|piece| match &piece.what {
        What::Figure(alternative, caption) => !alternative.is_empty() || !caption.is_empty(),
        _ => true,
    });
    out
}

fn sequence(builder: &mut Builder, pieces: &[Piece], out: &mut Vec<Block>) {
    let mut rest = pieces;
    while let Some(first) = rest.first() {
        let is_same_kind = |piece: &&Piece| match (&first.what, &piece.what, first.item, piece.item)
        {
            (_, _, Some(_), item) => item.is_some(),
            (_, _, None, Some(_)) => false,
            (What::Quote(_), What::Quote(_), ..) => true,
            (What::Term(_) | What::Meaning(_), What::Term(_) | What::Meaning(_), ..) => true,
            _ => false,
        };
        let count = rest.iter().take_while(is_same_kind).count().max(1);
        let Some((run, after)) = rest.split_at_checked(count) else {
            return;
        };
        rest = after;
        match (&first.what, first.item) {
            (_, Some(_)) => lists(builder, run, out),
            (What::Quote(_), _) => quote(builder, run, out),
            (What::Term(_) | What::Meaning(_), _) => definitions(builder, run, out),
            _ => out.extend(leaf(builder, first)),
        }
    }
}

fn leaf(builder: &mut Builder, piece: &Piece) -> Option<Block> {
    if let Some(page) = piece.page {
        builder.at_page(page);
    }
    let kind = match piece.what.clone() {
        What::Title(text) => BlockKind::Heading { level: 1, text },
        What::Heading(level, text) => BlockKind::Heading {
            level: level.clamp(1, 6),
            text,
        },
        What::Paragraph(text)
        | What::Quote(text)
        | What::Caption(text)
        | What::Term(text)
        | What::Meaning(text) => BlockKind::Paragraph(text),
        What::Code { text, .. } => BlockKind::Code {
            language: None,
            text,
        },
        What::Table {
            header,
            rows,
            caption,
        } => BlockKind::Table {
            header,
            rows,
            caption,
        },
        What::Math(text) => BlockKind::Math(text),
        What::Figure(alternative, caption) => BlockKind::Figure {
            source: String::new(),
            alternative,
            caption,
        },
        What::Notes(pieces) => {
            let start = builder.here();
            let inner = blocks(builder, pieces);
            return (!inner.is_empty()).then(|| {
                builder.around(
                    start,
                    BlockKind::Admonition {
                        class: "notes".to_owned(),
                        title: None,
                        blocks: inner,
                    },
                )
            });
        }
    };
    Some(builder.leaf(kind))
}

fn quote(builder: &mut Builder, run: &[Piece], out: &mut Vec<Block>) {
    let start = builder.here();
    let inner: Vec<Block> = run
        .iter()
        .filter_map(|piece| leaf(builder, piece))
        .collect();
    out.push(builder.around(start, BlockKind::Quote(inner)));
}

fn definitions(builder: &mut Builder, run: &[Piece], out: &mut Vec<Block>) {
    let start = builder.here();
    let mut entries: Vec<Definition> = Vec::new();
    for piece in run {
        if let What::Term(term) = &piece.what {
            builder.line(term);
            match entries.last_mut() {
                Some(entry) if entry.blocks.is_empty() => entry.terms.push(term.clone()),
                _ => entries.push(Definition {
                    terms: vec![term.clone()],
                    blocks: Vec::new(),
                }),
            }
        } else if let Some(block) = leaf(builder, piece) {
            match entries.last_mut() {
                Some(entry) => entry.blocks.push(block),
                None => entries.push(Definition {
                    terms: Vec::new(),
                    blocks: vec![block],
                }),
            }
        }
    }
    out.push(builder.around(start, BlockKind::Definitions(entries)));
}

/// A list in the making.
struct List {
    start: usize,
    number: Option<u64>,
    items: Vec<Vec<Block>>,
}

/// The lists that a run of items makes: those at its lowest level, with the deeper ones inside.
fn lists(builder: &mut Builder, run: &[Piece], out: &mut Vec<Block>) {
    let level_of = |piece: &Piece| piece.item.map_or(0, |item| item.level.min(LEVEL_MAX));
    let opens = |piece: &Piece| piece.item.is_some_and(|item| !item.continues);
    let Some(base) = run.iter().filter(|piece| opens(piece)).map(level_of).min() else {
        out.extend(run.iter().filter_map(|piece| leaf(builder, piece)));
        return;
    };
    let is_head = |piece: &Piece| opens(piece) && level_of(piece) == base;
    let mut list: Option<List> = None;
    let mut rest = run;
    while let Some(first) = rest.first() {
        let count = 1 + rest
            .iter()
            .skip(1)
            .take_while(|piece| !is_head(piece))
            .count();
        let Some((own, after)) = rest.split_at_checked(count) else {
            return;
        };
        rest = after;
        if !is_head(first) {
            // Deeper than the first item: a list of its own before it.
            inner(builder, own, base, out);
            continue;
        }
        let number = first.item.and_then(|item| item.number);
        let goes_on = list.as_ref().is_some_and(|list| {
            let next = list.number.map(|first| first + list.items.len() as u64);
            next == number
        });
        if !goes_on {
            close(builder, list.take(), out);
            list = Some(List {
                start: builder.here(),
                number,
                items: Vec::new(),
            });
        }
        let entered = builder.enter();
        let mut blocks: Vec<Block> = leaf(builder, first).into_iter().collect();
        inner(builder, own.get(1..).unwrap_or_default(), base, &mut blocks);
        if entered {
            builder.leave();
        }
        if let Some(list) = &mut list {
            list.items.push(blocks);
        }
    }
    close(builder, list, out);
}

/// What stands in an item at `base` besides its first paragraph.
fn inner(builder: &mut Builder, pieces: &[Piece], base: usize, out: &mut Vec<Block>) {
    let belongs = |piece: &Piece| {
        piece
            .item
            .is_none_or(|item| item.continues && item.level.min(LEVEL_MAX) <= base)
    };
    let mut rest = pieces;
    while let Some(first) = rest.first() {
        let own = belongs(first);
        let count = rest
            .iter()
            .take_while(|piece| belongs(piece) == own)
            .count();
        let Some((run, after)) = rest.split_at_checked(count) else {
            return;
        };
        rest = after;
        if own {
            out.extend(run.iter().filter_map(|piece| leaf(builder, piece)));
        } else {
            lists(builder, run, out);
        }
    }
}

fn close(builder: &Builder, list: Option<List>, out: &mut Vec<Block>) {
    if let Some(list) = list {
        let kind = BlockKind::List {
            start: list.number,
            items: list.items,
        };
        out.push(builder.around(list.start, kind));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::markdown::write;

    fn words(text: &str) -> Vec<Inline> {
        vec![Inline::Text(text.to_owned())]
    }

    fn item(text: &str, level: usize, number: Option<u64>) -> Piece {
        Piece {
            item: Some(Item {
                level,
                number,
                continues: false,
            }),
            ..Piece::new(What::Paragraph(words(text)))
        }
    }

    fn code(text: &str, joins: bool) -> Piece {
        Piece::new(What::Code {
            text: text.to_owned(),
            joins,
        })
    }

    #[test]
    fn items_become_nested_lists() {
        let mut goes_on = item("goes on", 0, None);
        goes_on.item = Some(Item {
            level: 0,
            number: None,
            continues: true,
        });
        let pieces = vec![
            item("one", 0, Some(1)),
            item("inner", 1, None),
            goes_on,
            item("two", 0, Some(2)),
            item("bullet", 0, None),
        ];
        let written = write(&blocks(&mut Builder::default(), pieces));
        assert_eq!(
            written,
            "1. one\n\n   - inner\n\n   goes on\n\n2. two\n\n- bullet\n"
        );
    }

    #[test]
    fn lines_of_code_are_one_block_and_blocks_stay_apart() {
        let pieces = vec![
            code("", true),
            code("  a", true),
            code("", true),
            code("b", true),
            code("c\nd", false),
            code("e", false),
        ];
        let mut builder = Builder::default();
        let texts: Vec<String> = blocks(&mut builder, pieces)
            .into_iter()
            .map(|block| match block.kind {
                BlockKind::Code { text, .. } => text,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(texts, ["  a\n\nb", "c\nd", "e"]);
    }
}
