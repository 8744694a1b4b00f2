//! Owns the pieces that a skill is put together from: sentences that can stand alone, and blocks with what introduces them.

use super::compose::OPTIONS_CHARS;
use super::loaders;
use super::outline::{Outline, block_text};
use super::roles::{self, Role};
use super::sentences::cut_sentences;
use super::wording;
use super::words::Lexicon;
use crate::domain::document::{Block, BlockKind, Definition, Span, walk};
use crate::domain::text::{Inline, plain, squash};
use crate::pipeline::orders;
use std::borrow::Cow;
use std::slice::from_ref;

/// A paragraph longer than this says more than what the block after it is.
const INTRO_CHARS_MAX: usize = 320;
/// Sentences outside these bounds are no use alone.
const SENTENCE_CHARS: std::ops::RangeInclusive<usize> = 24..=420;

/// A piece of the source.
#[derive(Debug, Clone)]
pub(super) struct Unit<'a> {
    /// What it is good for.
    pub(super) role: Role,
    /// How surely, from 0 to 1; more for what must not be missed.
    pub(super) sureness: f32,
    /// Where its content is.
    content: Content<'a>,
    /// Whether it is a single sentence, not blocks of the source.
    pub(super) is_sentence: bool,
    /// How many characters it costs.
    pub(super) chars: usize,
    /// Its terms, sorted.
    pub(super) terms: Box<[u32]>,
    /// The section it stands in.
    pub(super) section: usize,
    /// Its place among the pieces of its section.
    pub(super) place: usize,
    /// Where it begins among the blocks.
    pub(super) block: usize,
    /// How much it matters; set by ranking.
    pub(super) score: f32,
}

/// Where the content of a piece is. Few of the pieces of a long source are chosen: a copy of each would be a copy of it all.
#[derive(Debug, Clone)]
enum Content<'a> {
    /// The sentence with this number of a paragraph, which is cut when the sentence is wanted.
    Sentence(&'a Block, usize),
    /// Blocks of the source as they are.
    Whole(&'a [Block]),
    /// Blocks that were made shorter.
    Condensed(Box<[Block]>),
}

impl Content<'_> {
    /// The blocks that it stands in.
    fn of_source(&self) -> &[Block] {
        match self {
            Self::Sentence(paragraph, _) => from_ref(*paragraph),
            Self::Whole(blocks) => blocks,
            Self::Condensed(blocks) => blocks,
        }
    }
}

impl Unit<'_> {
    /// Its content; a sentence is a paragraph.
    pub(super) fn blocks(&self) -> Cow<'_, [Block]> {
        match &self.content {
            Content::Sentence(paragraph, number) => {
                let BlockKind::Paragraph(inlines) = &paragraph.kind else {
                    return Cow::Borrowed(&[]);
                };
                let sentence = cut_sentences(inlines).into_iter().nth(*number);
                Cow::Owned(
                    sentence
                        .map(|sentence| as_paragraph(sentence, paragraph))
                        .into_iter()
                        .collect(),
                )
            }
            content => Cow::Borrowed(content.of_source()),
        }
    }

    /// Where it stands in the source.
    pub(super) fn span(&self) -> Span {
        let blocks = self.content.of_source();
        match (blocks.first(), blocks.last()) {
            (Some(first), Some(last)) => super::clean::joined(&first.span, &last.span),
            _ => Span::default(),
        }
    }

    /// Whether it is a note or warning of one paragraph.
    pub(super) fn is_note(&self) -> bool {
        let Content::Whole(
            [
                Block {
                    kind: BlockKind::Admonition { blocks, .. },
                    ..
                },
            ],
        ) = &self.content
        else {
            return false;
        };
        matches!(
            blocks.as_slice(),
            [Block {
                kind: BlockKind::Paragraph(_),
                ..
            }]
        )
    }
}

/// A sentence of a paragraph as a paragraph of its own.
fn as_paragraph(sentence: Vec<Inline>, paragraph: &Block) -> Block {
    Block {
        kind: BlockKind::Paragraph(sentence),
        span: paragraph.span.clone(),
    }
}

/// Takes a sequence of blocks apart.
pub(super) fn units<'a>(
    blocks: &'a [Block],
    outline: &Outline,
    lexicon: &mut Lexicon,
) -> Vec<Unit<'a>> {
    let mut out = Vec::new();
    for (number, section) in outline.sections.iter().enumerate() {
        let path = outline.path(number);
        let unfit = path
            .last()
            .is_some_and(|title| wording::ages_or_fills(title));
        if unfit || section.is_aside {
            continue;
        }
        let title_role = path.iter().rev().find_map(|title| roles::of_title(title));
        let start = section.own.start + usize::from(section.level > 0);
        let mut place = 0;
        let mut position = start;
        while position < section.own.end {
            let Some(block) = blocks.get(position) else {
                break;
            };
            let next = blocks
                .get(position + 1)
                .filter(|_| position + 1 < section.own.end);
            let mut add =
                |role: Role, sureness: f32, content: Content<'a>, sentence: Option<Block>| {
                    let said = sentence.as_ref().map_or(content.of_source(), from_ref);
                    let text: String = said.iter().map(block_text).collect();
                    if !is_fit(said, &text) {
                        return;
                    }
                    out.push(Unit {
                        role,
                        sureness,
                        chars: text.len() + 8,
                        terms: lexicon.count(&text).into_boxed_slice(),
                        is_sentence: sentence.is_some(),
                        content,
                        section: number,
                        place,
                        block: position,
                        score: 0.0,
                    });
                    place += 1;
                };
            let mut taken = 1;
            match &block.kind {
                BlockKind::Paragraph(inlines) => {
                    if let Some(next) = next.filter(|next| introduces(inlines, &next.kind)) {
                        let intro = plain(inlines);
                        let role = roles::of_block(&next.kind, title_role, &intro);
                        let pair = blocks.get(position..position + 2).unwrap_or_default();
                        let content = match condensed(next) {
                            Some(shown) => Content::Condensed(Box::new([block.clone(), shown])),
                            None => Content::Whole(pair),
                        };
                        add(role, sureness_of(next), content, None);
                        taken = 2;
                    } else {
                        // What goes on after an example is no sentence of its own.
                        let mut goes_on = continues(inlines)
                            && position > start
                            && blocks.get(position - 1).is_some_and(is_set_apart);
                        for (number, sentence) in cut_sentences(inlines).into_iter().enumerate() {
                            let text = squash(&plain(&sentence));
                            if std::mem::take(&mut goes_on) || !stands_alone(&text) {
                                continue;
                            }
                            let (role, sureness) = match (roles::of_sentence(&text), title_role) {
                                ((Role::Plain, _), Some(role))
                                    if matches!(
                                        role,
                                        Role::Rule
                                            | Role::When
                                            | Role::Prerequisite
                                            | Role::Trouble
                                            | Role::Verify
                                    ) =>
                                {
                                    (role, 0.45)
                                }
                                (own, _) => own,
                            };
                            add(
                                role,
                                sureness,
                                Content::Sentence(block, number),
                                Some(as_paragraph(sentence, block)),
                            );
                        }
                    }
                }
                BlockKind::Heading { .. }
                | BlockKind::Quote(_)
                | BlockKind::Figure { .. }
                | BlockKind::Math(_) => {}
                BlockKind::List { start: None, items } => {
                    for item in items {
                        if let [only] = item.as_slice()
                            && let BlockKind::Paragraph(inlines) = &only.kind
                        {
                            let text = squash(&plain(inlines));
                            let (role, sureness) = match (roles::of_sentence(&text), title_role) {
                                (
                                    (Role::Plain | Role::Procedure | Role::Definition, _),
                                    Some(role),
                                ) if !matches!(
                                    role,
                                    Role::Procedure | Role::Example | Role::Options
                                ) =>
                                {
                                    (role, 0.6)
                                }
                                (own, _) => own,
                            };
                            if stands_alone(&text) {
                                add(role, sureness, Content::Whole(item), Some(only.clone()));
                            }
                        }
                    }
                }
                kind => {
                    let role = roles::of_block(kind, title_role, "");
                    let content = match condensed(block) {
                        Some(shown) => Content::Condensed(Box::new([shown])),
                        None => Content::Whole(from_ref(block)),
                    };
                    add(role, sureness_of(block), content, None);
                }
            }
            position += taken;
        }
    }
    out
}

/// How surely a block is what its kind says. The flags of a command come before its files and variables.
fn sureness_of(block: &Block) -> f32 {
    match &block.kind {
        BlockKind::Definitions(entries) => {
            let flags = entries
                .iter()
                .filter(|entry| {
                    entry
                        .terms
                        .iter()
                        .any(|term| plain(term).trim_start().starts_with('-'))
                })
                .count();
            if flags * 2 > entries.len() { 1.5 } else { 0.7 }
        }
        _ => 0.75,
    }
}

/// A list of options that is too long for a body: each with the first sentence that is said of it, as many as fit.
fn condensed(block: &Block) -> Option<Block> {
    let BlockKind::Definitions(entries) = &block.kind else {
        return None;
    };
    if block_text(block).len() + 8 <= OPTIONS_CHARS {
        return None;
    }
    let mut chars = 0;
    let entries: Vec<Definition> = entries
        .iter()
        .filter_map(|entry| {
            let said = entry.blocks.iter().find_map(|block| match &block.kind {
                BlockKind::Paragraph(text) => cut_sentences(text).into_iter().next(),
                _ => None,
            })?;
            let text = squash(&plain(&said));
            let is_whole = text.len() <= *SENTENCE_CHARS.end()
                && text.ends_with(['.', '!', '。'])
                && !wording::is_unfit(&text)
                && !wording::names_home(&text);
            is_whole.then(|| Definition {
                terms: entry.terms.clone(),
                blocks: vec![Block {
                    kind: BlockKind::Paragraph(said),
                    span: block.span.clone(),
                }],
            })
        })
        .take_while(|entry| {
            let terms: usize = entry.terms.iter().map(|term| plain(term).len() + 4).sum();
            chars += terms
                + entry
                    .blocks
                    .iter()
                    .map(|block| block_text(block).len())
                    .sum::<usize>();
            chars + 8 <= OPTIONS_CHARS
        })
        .collect();
    (entries.len() >= 2).then(|| Block {
        kind: BlockKind::Definitions(entries),
        span: block.span.clone(),
    })
}

/// Whether blocks can stand in a body: nothing in their prose ages or points elsewhere, and their code harms nobody.
fn is_fit(blocks: &[Block], text: &str) -> bool {
    if wording::names_home(text) || orders::runs_unseen(text) || loaders::take_arguments(blocks) {
        return false;
    }
    blocks.iter().all(|block| {
        let mut fit = true;
        walk(from_ref(block), &mut |inner| {
            let holds_prose = !matches!(
                inner.kind,
                BlockKind::Code { .. }
                    | BlockKind::List { .. }
                    | BlockKind::Quote(_)
                    | BlockKind::Admonition { .. }
            );
            fit &= !(holds_prose && wording::is_unfit(&block_text(inner)));
        });
        fit
    })
}

/// Whether a paragraph begins in the middle of a sentence.
fn continues(inlines: &[Inline]) -> bool {
    matches!(inlines.first(), Some(Inline::Text(text)) if text.trim_start().starts_with(char::is_lowercase))
}

/// Whether a block stands between the lines of running text.
fn is_set_apart(block: &Block) -> bool {
    matches!(
        block.kind,
        BlockKind::Code { .. }
            | BlockKind::Table { .. }
            | BlockKind::Math(_)
            | BlockKind::Figure { .. }
    )
}

/// Whether a paragraph only says what the block after it is.
fn introduces(inlines: &[Inline], next: &BlockKind) -> bool {
    if !matches!(
        next,
        BlockKind::Code { .. }
            | BlockKind::List { .. }
            | BlockKind::Table { .. }
            | BlockKind::Definitions(_)
    ) {
        return false;
    }
    let text = plain(inlines);
    let trimmed = text.trim_end();
    trimmed.len() <= INTRO_CHARS_MAX
        && (trimmed.ends_with([':', '：'])
            || matches!(next, BlockKind::Code { .. }) && trimmed.len() <= 200)
        && !wording::ages_or_fills(trimmed)
}

/// Openings that point back at something that is not there any more.
const POINTS_BACK: [&str; 83] = [
    "(",
    "maybe ",
    "such ",
    "yet ",
    "because by ",
    "in other words",
    "in addition",
    "in this ",
    "in that ",
    "in such",
    "in these",
    "notably",
    "unfortunately",
    "on such",
    "as a special case",
    "though ",
    "now ",
    "for example",
    "for instance",
    "additionally",
    "finally",
    "next",
    "second",
    "third",
    "first,",
    "to do this",
    "to do so",
    "even so",
    "by contrast",
    "on the other hand",
    "conversely",
    "meanwhile",
    "because of this",
    "given this",
    "with this",
    "after this",
    "after that",
    "for more",
    "see ",
    "yes",
    "no,",
    "unlike ",
    "we would be",
    "this ",
    "these ",
    "those ",
    "that ",
    "it ",
    "its ",
    "it's ",
    "they ",
    "their ",
    "them ",
    "such ",
    "he ",
    "she ",
    "his ",
    "her ",
    "but ",
    "and ",
    "or ",
    "so ",
    "however",
    "therefore",
    "thus ",
    "hence ",
    "also ",
    "then ",
    "otherwise",
    "instead",
    "similarly",
    "likewise",
    "furthermore",
    "moreover",
    "nevertheless",
    "consequently",
    "in this case",
    "in that case",
    "as a result",
    "for this reason",
    "both ",
    "here ",
    "again",
];

/// Turns that lean on a neighbour.
const LEANS: [&str; 28] = [
    "of them ",
    "of these ",
    "of those ",
    "such an ",
    "such a ",
    "listed here",
    "can be found",
    "shown above",
    "shown below",
    "the following",
    "as follows",
    "previous section",
    "next section",
    "this section",
    "this chapter",
    "this page",
    "this article",
    "this tutorial",
    "this guide",
    "the example",
    "in the figure",
    "see figure",
    "see table",
    "as we saw",
    "earlier",
    "see also",
    "the former",
    "the latter",
];

/// Whether a sentence means the same without its neighbours.
pub(super) fn stands_alone(text: &str) -> bool {
    if !SENTENCE_CHARS.contains(&text.len()) || text.ends_with([':', '?', '：', '？', ',']) {
        return false;
    }
    let lower = text.to_lowercase();
    // "Thus, it …" leans on what stands before it as "Thus it …" does.
    let start = lower
        .get(..lower.len().min(24))
        .unwrap_or(&lower)
        .replacen(',', "", 1);
    !POINTS_BACK
        .iter()
        .any(|opening| lower.starts_with(opening) || start.starts_with(opening))
        && !LEANS.iter().any(|turn| lower.contains(turn))
        && !wording::points_up_or_down(&lower)
        && !lower.starts_with([')', ',', ';', '–', '—', '…'])
        && !wording::is_unfit(text)
        && !wording::is_furniture(&lower)
        && !wording::is_synopsis(text)
        && !wording::breaks_off(&lower)
        && !lower.match_indices(" such ").any(|(at, _)| {
            lower
                .get(at + 6..)
                .is_some_and(|rest| !rest.starts_with("as "))
        })
        && text.split_whitespace().count() + usize::from(!text.is_ascii()) * 4 >= 4
        && ![" i ", " i'm ", " i've ", " my ", " we'll ", " me "]
            .iter()
            .any(|word| lower.contains(word) || lower.starts_with(word.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fragment_a_synopsis_and_a_reference_to_others_do_not_stand_alone() {
        for text in [
            "Exactly one of them must be given to the program.",
            "You can find the whole manual in various formats online at",
            "tar {--diff|--compare} [--file ARCHIVE] [OPTIONS] [FILE]",
        ] {
            assert!(!stands_alone(text), "{text}");
        }
        assert!(stands_alone(
            "The kiln must cool before its door is opened."
        ));
    }

    #[test]
    fn what_goes_on_after_an_example_is_no_sentence_of_its_own() {
        let document = super::super::testing::document(
            "# Manual\n\nThe command prints the whole manual.\n\n```\ninfo kiln\n```\n\nshould give you access to the complete manual.",
        );
        let outline = Outline::of(&document.blocks);
        let units = units(&document.blocks, &outline, &mut Lexicon::of("kiln manual"));
        assert!(
            !units
                .iter()
                .any(|unit| unit.is_sentence
                    && block_text(&unit.blocks()[0]).contains("should give"))
        );
    }
}
