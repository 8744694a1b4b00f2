//! Owns what of a section stands together: a paragraph, a list or a listing with what announces it, the parts of one example, an item of a long
//! list. A piece is shown whole or not at all.

use crate::cues::{self, leans};
use crate::outline::Outline;
use crate::tokens::tokens;
use crate::units::{Form, Place, Row, Unit, UnitKind, is_mark};
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::markdown;
use skillkiln_document::text::{Inline, plain};
use std::ops::Range;

/// A list or a table of more tokens is shown item by item.
const LIST_TOKENS_MAX: usize = 300;
/// Steps of more tokens are.
const STEPS_TOKENS_MAX: usize = 1_100;
/// An item of more tokens, and anything else of more, is shown by its units.
const ITEM_TOKENS_MAX: usize = 400;
/// Of a longer item, what it begins with is shown in so many.
const BEGINNING_TOKENS_MAX: usize = 300;
const PIECE_TOKENS_MAX: usize = 700;
/// A paragraph of more tokens does not go with the listing behind it, and one that leans on what stands before it not with that.
const LEAD_TOKENS_MAX: usize = 150;
/// The parts of one example have no more tokens.
const EXAMPLE_TOKENS_MAX: usize = 400;
/// Words of a label above a part of an example.
const LABEL_WORDS_MAX: usize = 6;
/// Words of an item that is alone in its list and announces what follows.
const CAPTION_WORDS_MAX: usize = 12;

/// The pieces of a document in its order, and what each is worth: as much as the units in it.
#[must_use]
pub(crate) fn pieces(
    blocks: &[Block],
    outline: &Outline,
    units: &[Unit],
    worth: &[f32],
) -> (Vec<Unit>, Vec<f32>) {
    let mut cutter = Cutter {
        blocks,
        outline,
        units,
        worth,
        pieces: Vec::new(),
        sums: Vec::new(),
    };
    for (number, section) in outline.sections.iter().enumerate() {
        let mut at = section.blocks.start;
        while at < section.blocks.end {
            let end = cutter.extent(at, section.blocks.end);
            cutter.cut(number, at..end);
            at = end;
        }
    }
    (cutter.pieces, cutter.sums)
}

struct Cutter<'c> {
    blocks: &'c [Block],
    outline: &'c Outline,
    units: &'c [Unit],
    worth: &'c [f32],
    pieces: Vec<Unit>,
    sums: Vec<f32>,
}

impl Cutter<'_> {
    fn cost(&self, range: Range<usize>) -> usize {
        let costs = self.outline.costs.get(range);
        costs.unwrap_or_default().iter().sum()
    }

    /// The block behind the last one that stands together with this one.
    fn extent(&self, from: usize, end: usize) -> usize {
        let mut at = from + 1;
        while let (Some(last), Some(next)) = (self.blocks.get(at - 1), self.blocks.get(at)) {
            let has_room = |most: usize| self.cost(from..at + 1) <= most;
            let is_short = |block: usize| self.cost(block..block + 1) <= LEAD_TOKENS_MAX;
            let is_code = matches!(next.kind, BlockKind::Code { .. });
            let is_said = matches!(last.kind, BlockKind::Paragraph(_));
            let goes_on = matches!(&next.kind, BlockKind::Paragraph(words) if leans(&plain(words)));
            // A term that stands above what is said of it, which is indented.
            let is_entry = matches!(next.kind, BlockKind::Quote(_)) && is_said && is_short(at - 1);
            let is_together = announces(last, next)
                || is_entry
                || is_code && is_said && is_short(at - 1)
                || goes_on && is_short(at) && has_room(PIECE_TOKENS_MAX)
                || is_label(next) && self.is_example(from) && has_room(EXAMPLE_TOKENS_MAX);
            if at >= end || !is_together || self.is_cut(at - 1) {
                break;
            }
            at += 1;
        }
        at
    }

    /// Whether parts of an example begin here, each below its label.
    fn is_example(&self, from: usize) -> bool {
        let mut first = self.blocks.get(from..from + 2).unwrap_or_default().iter();
        first.any(is_label)
    }

    /// Whether a block is shown item by item.
    fn is_cut(&self, at: usize) -> bool {
        let most = match self.blocks.get(at).map(|block| &block.kind) {
            Some(BlockKind::List { start: Some(_), .. }) => STEPS_TOKENS_MAX,
            Some(BlockKind::List { .. } | BlockKind::Definitions(_) | BlockKind::Table { .. }) => {
                LIST_TOKENS_MAX
            }
            _ => return false,
        };
        self.cost(at..at + 1) > most
    }

    /// Adds the pieces of blocks that stand together.
    fn cut(&mut self, section: usize, range: Range<usize>) {
        let last = range.end - 1;
        let is_cut = self.is_cut(last);
        let whole = range.start..range.end - usize::from(is_cut);
        if !whole.is_empty() {
            self.blocks_of(section, whole);
        }
        if let Some(block) = self.blocks.get(last).filter(|_| is_cut) {
            self.items_of(section, last, block);
        }
    }

    fn blocks_of(&mut self, section: usize, range: Range<usize>) {
        let own = self.blocks.get(range.clone()).unwrap_or_default();
        let (Some(first), Some(last)) = (own.first(), own.last()) else {
            return;
        };
        if self.cost(range.clone()) > PIECE_TOKENS_MAX
            && !matches!(last.kind, BlockKind::List { .. })
        {
            return self.units_of((range.start, 0), (range.end, 0));
        }
        let form = match own {
            [
                Block {
                    kind: BlockKind::Paragraph(words),
                    ..
                },
            ] => Form::Sentence(words.clone()),
            _ => Form::Blocks(own.to_vec()),
        };
        let mut span = first.span.clone();
        span.bytes.end = span.bytes.end.max(last.span.bytes.end);
        let sum = self.sum((range.start, 0), (range.end, 0));
        self.add(section, (range.start, 0), form, span, sum);
    }

    fn items_of(&mut self, section: usize, at: usize, block: &Block) {
        let forms: Vec<Form> = match &block.kind {
            BlockKind::List { items, .. } => items.iter().cloned().map(Form::Item).collect(),
            BlockKind::Definitions(entries) => entries.iter().cloned().map(Form::Entry).collect(),
            BlockKind::Table { header, rows, .. } => {
                let row = |cells: &Vec<Vec<Inline>>| Row {
                    header: header.clone(),
                    cells: cells.clone(),
                };
                let rows = rows.iter().map(|cells| Form::Row(Box::new(row(cells))));
                rows.collect()
            }
            _ => Vec::new(),
        };
        for (part, form) in forms.into_iter().enumerate() {
            let span = match &form {
                Form::Item(inner) => inner.first().map(|first| first.span.clone()),
                Form::Entry(entry) => entry.blocks.first().map(|first| first.span.clone()),
                _ => None,
            };
            let home = (at, part);
            let next = (at, part + 1);
            let sum = self.sum(home, next);
            let before = self.pieces.len();
            let span = span.unwrap_or_else(|| block.span.clone());
            self.add(section, home, form, span.clone(), sum);
            let is_long = |pieces: &[Unit]| {
                pieces
                    .last()
                    .is_some_and(|own| own.tokens > ITEM_TOKENS_MAX)
            };
            if is_long(&self.pieces) {
                // What an item begins with can be understood without the rest, and nothing of the rest without its beginning.
                let whole = self.pieces.pop();
                let cost = whole.as_ref().map_or(0, |own| own.tokens);
                self.sums.truncate(before);
                if let Some(form) = whole.and_then(|own| beginning(own.form)) {
                    self.add(section, home, form, span, sum);
                    let shown = self.pieces.last().map_or(0, |own| own.tokens);
                    if let Some(last) = self.sums.last_mut() {
                        *last *= shown as f32 / cost.max(1) as f32;
                    }
                }
                if is_long(&self.pieces) || self.pieces.len() == before {
                    self.pieces.truncate(before);
                    self.sums.truncate(before);
                    self.units_of(home, next);
                }
            }
        }
    }

    /// Adds a piece; units of one list or table have the number of its block.
    fn add(&mut self, section: usize, home: (usize, usize), form: Form, span: Span, sum: f32) {
        let mut place = Place::of(self.blocks, section, home.0);
        place.run = home.0;
        let unit = place.unit(UnitKind::Statement, home.1, form, span);
        self.pieces.push(unit);
        self.sums.push(sum);
    }

    /// The units from a place to before another.
    fn range(&self, from: (usize, usize), to: (usize, usize)) -> Range<usize> {
        let at = |place| self.units.partition_point(|unit| unit.home < place);
        at(from)..at(to)
    }

    /// Adds the units from a place to before another as they are.
    fn units_of(&mut self, from: (usize, usize), to: (usize, usize)) {
        let range = self.range(from, to);
        let worth = self.worth.get(range.clone()).unwrap_or_default();
        let units = self.units.get(range).unwrap_or_default();
        for (unit, worth) in units.iter().zip(worth) {
            // Beginnings of items stand in the list of the items that are whole.
            let is_outer = unit.is_outer && matches!(unit.form, Form::Item(_) | Form::Entry(_));
            let (block, part) = match is_outer {
                true => unit.home,
                false => (self.blocks.len() + unit.block, unit.part),
            };
            self.pieces.push(Unit {
                block,
                part,
                ..unit.clone()
            });
            self.sums.push(*worth);
        }
    }

    /// What the units from a place to before another are worth.
    fn sum(&self, from: (usize, usize), to: (usize, usize)) -> f32 {
        let worth = self.worth.get(self.range(from, to));
        worth.unwrap_or_default().iter().sum()
    }
}

/// What a long item or entry begins with, as far as that is short; `None` for a row.
fn beginning(form: Form) -> Option<Form> {
    let begun = |blocks: Vec<Block>| -> Vec<Block> {
        let mut spent = 0;
        let own = blocks.into_iter().enumerate().take_while(|(at, block)| {
            spent += tokens(&markdown::write(std::slice::from_ref(block)));
            *at == 0 || spent <= BEGINNING_TOKENS_MAX
        });
        let mut own: Vec<Block> = own.map(|(_, block)| block).collect();
        // What announces something is not told without it.
        while own.last().is_some_and(|last| matches!(&last.kind, BlockKind::Paragraph(words) if cues::announces(&plain(words)))) {
            own.pop();
        }
        own
    };
    match form {
        Form::Item(blocks) => Some(begun(blocks))
            .filter(|own| !own.is_empty())
            .map(Form::Item),
        Form::Entry(mut entry) => {
            entry.blocks = begun(entry.blocks);
            Some(Form::Entry(entry))
        }
        _ => None,
    }
}

/// Whether a block says too little without the one behind it.
fn announces(block: &Block, next: &Block) -> bool {
    match &block.kind {
        BlockKind::Paragraph(words) => {
            let said = plain(words);
            let is_said = matches!(next.kind, BlockKind::Paragraph(_));
            cues::announces(&said)
                || said.trim_end().ends_with(['?', '？'])
                || is_label(block) && !is_said
        }
        BlockKind::List { items, .. } => match items.as_slice() {
            [item] => match item.as_slice() {
                [
                    Block {
                        kind: BlockKind::Paragraph(words),
                        ..
                    },
                ] => {
                    let is_short = plain(words).split_whitespace().count() <= CAPTION_WORDS_MAX;
                    is_short && (is_label(next) || matches!(next.kind, BlockKind::Code { .. }))
                }
                _ => false,
            },
            _ => false,
        },
        _ => false,
    }
}

/// Whether a block is a label: a few words, all of them stressed, before a colon, or of those that mark a good or a bad example.
fn is_label(block: &Block) -> bool {
    let BlockKind::Paragraph(words) = &block.kind else {
        return false;
    };
    let is_stressed = |one: &Inline| match one {
        Inline::Strong(_) | Inline::Emphasis(_) => true,
        Inline::Text(text) => !text.contains(char::is_alphanumeric),
        _ => false,
    };
    let said = plain(words);
    let is_short = said.split_whitespace().count() <= LABEL_WORDS_MAX;
    let is_set_apart = words.iter().all(is_stressed) || cues::announces(&said);
    is_short && is_set_apart || is_mark(block)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::extract;
    use skillkiln_document::testing::document;

    /// The words of the pieces of a text, and what each is worth where each unit is worth 1.
    fn cut(text: &str) -> Vec<(String, f32)> {
        let document = document(text);
        let outline = Outline::of(&document.blocks);
        let units = extract(&document.blocks, &outline);
        let worth = vec![1.0; units.len()];
        let (all, sums) = pieces(&document.blocks, &outline, &units, &worth);
        let words = all.iter().map(|one| one.text.trim().replace('\n', " / "));
        words.zip(sums).collect()
    }

    #[test]
    fn what_is_announced_stands_with_what_announces_it() {
        let text = "# Kiln\n\nLight it:\n\n- with a match\n- with a torch\n\nThis takes an hour.\n\nShut the door with the latch.\n\n```sh\nkiln shut\n```";
        let told: Vec<String> = cut(text).into_iter().map(|(words, _)| words).collect();
        assert_eq!(
            told,
            [
                "Light it: / with a match / with a torch / This takes an hour.",
                "Shut the door with the latch. / kiln shut"
            ]
        );
    }

    #[test]
    fn of_a_long_item_only_what_it_begins_with_is_told() {
        let rest = "Tom brings the wood of the jail on each Monday. ".repeat(40);
        let said = |words: &str| Block::paragraph(vec![Inline::Text(words.into())]);
        let item = vec![
            said("The jail is shut."),
            said(&rest),
            said("With none it is open."),
        ];
        let first = item[..1].to_vec();
        assert_eq!(beginning(Form::Item(item)), Some(Form::Item(first)));
        let announcing = vec![said("It is shut:"), said(&rest)];
        assert_eq!(beginning(Form::Item(announcing)), None);
    }

    #[test]
    fn the_parts_of_an_example_stand_together() {
        let text = "# Codec\n\n- with a name\n\nPacket:\n\n```\n{ a: 1 }\n```\n\nEncoded:\n\n```\n0a1\n```\n\n- without a name\n\nPacket:\n\n```\n{ }\n```\n\nEncoded:\n\n```\n0\n```";
        let told: Vec<String> = cut(text).into_iter().map(|(words, _)| words).collect();
        assert_eq!(
            told,
            [
                "with a name / Packet: / { a: 1 } / Encoded: / 0a1",
                "without a name / Packet: / { } / Encoded: / 0"
            ]
        );
    }

    #[test]
    fn a_long_list_is_cut_into_its_items_and_a_long_item_into_its_units() {
        let filler = "It burns for an hour, and then it is cold again for a day or two. ";
        let item =
            |name: &str, times: usize| format!("- Fire it {name}. {}\n", filler.repeat(times));
        let items = [item("slowly", 14), item("at once", 40)].concat();
        let text = format!("# Kiln\n\nThe ways are:\n\n{items}");
        let all = cut(&text);
        let told: Vec<&str> = all.iter().map(|(words, _)| &**words).collect();
        assert!(told[0] == "The ways are:" && told[1].starts_with("Fire it slowly"));
        // The second is told sentence by sentence.
        let parts = told.get(2..).unwrap_or_default();
        assert!(parts.len() > 3 && parts[0].starts_with("Fire it at once"));
        assert!(
            parts.iter().all(|words| words.len() < told[1].len()),
            "{told:?}"
        );
    }
}
