//! Owns a piece of a section: what stands together or not at all, what it costs and what its entries are called.

use super::super::compose::BODY_TOKENS_MAX;
use super::TOKENS_OF_LINE;
use super::announcing::{is_call, must};
use super::inner::rejoin;
use super::names::{entries_in, names};
use crate::pipeline::synthesize::joining::join;
use crate::pipeline::synthesize::options::warns;
use crate::pipeline::synthesize::outline::{block_text, blocks_text};
use crate::pipeline::synthesize::page;
use crate::pipeline::synthesize::units::{self, leans_back, points_back};
use crate::pipeline::synthesize::wording::{is_unfinished, is_unfit};
use skillkiln_document::blocks::{Block, BlockKind, walk};
use skillkiln_document::markdown;
use skillkiln_document::text::{Inline, plain, write_plain};

/// What is stressed is a sentence where it has so many words.
const STRESSED_WORDS_MIN: usize = 4;

/// What stays together: a block with what announces it, or an entry of a long one.
pub(super) struct Piece {
    /// Where its last block stands in the source.
    pub(super) at: usize,
    pub(super) blocks: Vec<Block>,
    pub(super) cost: usize,
    /// What the entries of a list or a table are called.
    pub(super) names: Vec<Vec<Inline>>,
    /// What the members of its entries are called that are left out.
    pub(super) members: Vec<Vec<Inline>>,
    /// Of which item of its list it is a part.
    pub(super) within: Option<usize>,
    /// How many more are called as entries before them are.
    pub(super) repeated: usize,
    /// Its last block where there is room for more of it, and what that costs beyond this one.
    pub(super) longer: Option<(Block, usize)>,
    pub(super) is_lengthened: bool,
    /// Whether its last block says more in the source than is shown with all the room there is.
    pub(super) loses: bool,
}

impl Piece {
    /// What only says what entries are called for which there is no room in any body.
    pub(super) fn of_names(at: usize, names: Vec<Vec<Inline>>) -> Self {
        Self {
            at,
            blocks: Vec::new(),
            cost: BODY_TOKENS_MAX,
            names,
            members: Vec::new(),
            within: None,
            repeated: 0,
            longer: None,
            is_lengthened: false,
            loses: false,
        }
    }

    pub(super) fn of(at: usize, blocks: Vec<Block>) -> Self {
        Self {
            at,
            cost: cost(&blocks),
            names: blocks.last().map(names).unwrap_or_default(),
            members: Vec::new(),
            within: None,
            repeated: 0,
            blocks,
            longer: None,
            is_lengthened: false,
            loses: false,
        }
    }

    /// With its last block as it is where there is room for more of it; where that may be quoted.
    pub(super) fn or_longer(mut self, block: Option<Block>) -> Self {
        self.longer = block.map(|block| vec![block]).and_then(|longer| {
            let last = self.blocks.last().map(std::slice::from_ref)?;
            let more = cost(&longer).saturating_sub(cost(last));
            let may_stand = is_harmless(&longer) && !is_unfinished_in(&longer);
            longer
                .into_iter()
                .next()
                .filter(|_| may_stand)
                .map(|block| (block, more))
        });
        self
    }

    /// Each step of a list at its length, for which there is room or none.
    pub(super) fn in_full(mut self) -> Self {
        let is_step = self.longer.as_ref();
        let is_step =
            is_step.is_some_and(|(longer, _)| matches!(longer.kind, BlockKind::List { .. }));
        if let Some((longer, more)) = self.longer.take_if(|_| is_step) {
            self.blocks.pop();
            self.blocks.push(longer);
            self.cost += more;
        }
        self
    }

    /// What is shown of it.
    fn shown(&self) -> impl Iterator<Item = &Block> {
        let longer = self.longer.as_ref().filter(|_| self.is_lengthened);
        let kept = self.blocks.len() - usize::from(longer.is_some());
        let kept = self.blocks.iter().take(kept);
        kept.chain(longer.map(|(block, _)| block))
    }

    /// Whether more is said of it than is shown.
    pub(super) fn is_shortened(&self) -> bool {
        self.loses || self.longer.is_some() && !self.is_lengthened
    }

    /// What the members are called that its entries have and that are not shown.
    pub(super) fn unshown_members(&self) -> &[Vec<Inline>] {
        match self.is_lengthened {
            true => &[],
            false => &self.members,
        }
    }

    /// Of a block that may be quoted apart from what it stands with.
    pub(super) fn harmless(at: usize, block: Block) -> Option<Self> {
        let blocks = vec![block];
        (is_harmless(&blocks) && !is_unfinished_in(&blocks)).then(|| Self::of(at, blocks))
    }

    /// How many entries of a list or a table it holds.
    pub(super) fn entries(&self) -> usize {
        match self.blocks.last().map(|block| &block.kind) {
            Some(BlockKind::Definitions(entries)) => entries.len(),
            Some(BlockKind::List { items, .. }) => items.len(),
            Some(BlockKind::Table { rows, .. }) => rows.len(),
            Some(BlockKind::Code { text, .. }) => {
                entries_in(text, 1).map_or(0, |lines| lines.len())
            }
            Some(_) => 0,
            None => self.names.len(),
        }
    }

    /// What the table is called that it ends in.
    pub(super) fn caption(&self) -> Option<&Vec<Inline>> {
        match self.blocks.last().map(|block| &block.kind) {
            Some(BlockKind::Table { caption, .. }) => caption.as_ref(),
            _ => None,
        }
    }

    /// Whether it holds entries of the list of which the piece before it holds others.
    pub(super) fn goes_on_with(&self, before: &Self) -> bool {
        let is_next = before.at == self.at || before.at + 1 == self.at && self.blocks.len() < 2;
        is_next && self.entries() > 0 && before.entries() > 0
    }

    /// Whether it begins with what a function, a command or the like is called with, or called: what comes behind is said of that.
    pub(super) fn names_other(&self) -> bool {
        match self.blocks.first().map(|block| &block.kind) {
            Some(BlockKind::Paragraph(text)) => {
                is_call(text) || matches!(text.as_slice(), [Inline::Strong(_)])
            }
            _ => false,
        }
    }

    /// Whether it warns, with what announces that: its author has set it apart.
    pub(super) fn is_warning(&self) -> bool {
        match self.blocks.last().map(|block| &block.kind) {
            Some(BlockKind::Admonition { class, blocks, .. }) => {
                let warns = matches!(class.as_str(), "warning" | "caution" | "danger");
                warns && !leans_back(&blocks_text(blocks))
            }
            Some(BlockKind::Paragraph(text)) => opens_as_warning(text),
            _ => false,
        }
    }

    /// Whether it is what a log tells of a commit beside its message.
    pub(super) fn is_commit(&self) -> bool {
        let first = self.blocks.first();
        first.is_some_and(|block| block_text(block).trim_start().starts_with("commit "))
    }

    /// Whether it says what must be, or what may be lost, and leans on nothing said before: with what is allowed, where that is a list.
    pub(super) fn requires(&self) -> bool {
        let text = match self.blocks.as_slice() {
            [only] => only,
            [first, list] if matches!(list.kind, BlockKind::List { .. }) => first,
            _ => return false,
        };
        let BlockKind::Paragraph(text) = &text.kind else {
            return false;
        };
        let is_stressed = stresses(text);
        let text = plain(text);
        let begins = text.starts_with(|c: char| c.is_uppercase() || !c.is_alphabetic());
        let matters = must(&text) || warns(&text) || is_stressed;
        begins && matters && !leans_back(&text) && !points_back(&text) && !is_unfit(&text)
    }

    pub(super) fn is_code(&self) -> bool {
        let mut blocks = self.blocks.iter();
        let is_list = self.entries() > 0;
        blocks.any(|block| matches!(block.kind, BlockKind::Code { .. })) && !is_list
    }
}

/// Whether a paragraph begins by saying that it warns, and of what: **Warning:** never open the door.
fn opens_as_warning(text: &[Inline]) -> bool {
    const CALLED: [&str; 12] = [
        "achtung",
        "advertencia",
        "attention",
        "aviso",
        "avertissement",
        "caution",
        "danger",
        "gefahr",
        "peligro",
        "vorsicht",
        "warning",
        "warnung",
    ];
    let text = plain(text);
    let Some((called, of)) = text.split_once([':', '!', '：']) else {
        return false;
    };
    CALLED.contains(&called.trim().to_lowercase().as_str())
        && of.split_whitespace().count() >= STRESSED_WORDS_MIN
        && !leans_back(of)
        && !points_back(of.trim_start())
}

/// Whether the author of a paragraph stressed a whole sentence of it.
pub(super) fn stresses(text: &[Inline]) -> bool {
    text.iter().any(|inline| {
        let (Inline::Strong(words) | Inline::Emphasis(words)) = inline else {
            return false;
        };
        let words = plain(words);
        let is_sentence = words.starts_with(char::is_uppercase) && words.ends_with(['.', '!']);
        is_sentence && words.split(' ').count() >= STRESSED_WORDS_MIN
    })
}

/// Whether what blocks say is still to be written, and not what somebody calls so as code: `TODO` may be a value.
pub(super) fn is_unfinished_in(blocks: &[Block]) -> bool {
    is_unfinished(&blocks_text(blocks)) && is_unfinished(&said(blocks))
}

/// The text of blocks without the names of code in its sentences.
fn said(blocks: &[Block]) -> String {
    fn say(inlines: &[Inline], out: &mut String) {
        for inline in inlines {
            match inline {
                Inline::Code(_) => out.push('…'),
                Inline::Emphasis(inner) | Inline::Strong(inner) => say(inner, out),
                Inline::Link(link) => say(&link.text, out),
                other => write_plain(std::slice::from_ref(other), out),
            }
        }
        out.push('\n');
    }
    let mut out = String::new();
    walk(blocks, &mut |block| match &block.kind {
        BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => say(text, &mut out),
        BlockKind::Table { header, rows, .. } => {
            let cells = header.iter().chain(rows.iter().flatten());
            cells.for_each(|cell| say(cell, &mut out));
        }
        BlockKind::Definitions(entries) => {
            let terms = entries.iter().flat_map(|entry| &entry.terms);
            terms.for_each(|term| say(term, &mut out));
        }
        BlockKind::List { .. } | BlockKind::Quote(_) => {}
        BlockKind::Admonition { title, .. } => out.extend(title.iter().map(String::as_str)),
        // What an option is set to, whoever runs it replaces.
        BlockKind::Code { text, .. } => out.push_str(&text.replace("=XXX", "=…")),
        BlockKind::Math(_) | BlockKind::Figure { .. } => out.push_str(&block_text(block)),
    });
    out
}

pub(super) fn is_harmless(blocks: &[Block]) -> bool {
    units::is_harmless(blocks, &blocks_text(blocks))
}

pub(super) fn is_unfit_in(blocks: &[Block]) -> bool {
    blocks.iter().any(|block| is_unfit(&block_text(block)))
}

/// What a piece takes of a body: its tokens, or its lines where those are many.
pub(super) fn cost(blocks: &[Block]) -> usize {
    let text = markdown::write(blocks);
    page::tokens(&text).max((text.lines().count() + 1) * TOKENS_OF_LINE)
}

/// The blocks of some pieces, the entries of one block joined again.
pub(super) fn joined<'a>(pieces: impl IntoIterator<Item = &'a Piece>) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    let mut last = None;
    for piece in pieces {
        let mut blocks = piece.shown();
        if last.is_some_and(|(at, _)| at == piece.at)
            && let Some(block) = blocks.next()
            && let Some(whole) = out.last_mut()
        {
            match piece.within {
                Some(_) if last == Some((piece.at, piece.within)) => rejoin(whole, block),
                _ => join(whole, block),
            }
        }
        out.extend(blocks.cloned());
        last = Some((piece.at, piece.within));
    }
    out
}
