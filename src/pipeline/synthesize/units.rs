//! Owns the pieces that a skill is put together from: sentences that can stand alone, and blocks with what introduces them.

use super::loaders;
use super::options::{OPTIONS_CHARS, announces_others, shortened};
use super::outline::{Outline, block_text};
use super::roles::{self, Role};
use super::sentences::cut_sentences;
use super::wording;
use super::words::Lexicon;
use skillkiln_document::blocks::{Block, BlockKind, Definition, Span, walk};
use skillkiln_document::orders;
use skillkiln_document::text::{Inline, plain, squash, straight};
use std::borrow::Cow;
use std::slice::from_ref;

/// An item of so many words says something by itself.
const ITEM_WORDS: usize = 12;
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
    /// The items of its lists that say something by themselves, in plain words.
    pub(super) fn items(&self) -> impl Iterator<Item = String> {
        let lists = self.content.of_source().iter();
        let items = lists.filter_map(|block| match &block.kind {
            BlockKind::List { items, .. } => Some(items),
            _ => None,
        });
        let texts = items
            .flatten()
            .filter_map(|item| item.first())
            .map(block_text);
        texts.filter(|text| text.split(' ').count() >= ITEM_WORDS)
    }

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

    /// The block of which it is a sentence, and which one it is there.
    pub(super) fn sentence(&self) -> Option<(usize, usize)> {
        match self.content {
            Content::Sentence(_, number) => Some((self.block, number)),
            _ => None,
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
/// A sentence as a paragraph that stands where its own does.
pub(super) fn as_paragraph(sentence: Vec<Inline>, paragraph: &Block) -> Block {
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
        let title_role = role_of_titles(&path);
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
                        if leans_back(&intro) {
                            position += 2;
                            continue;
                        }
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
                        let sentences: Vec<Vec<Inline>> = cut_sentences(inlines);
                        let texts: Vec<String> =
                            sentences.iter().map(|own| squash(&plain(own))).collect();
                        let behind = next.and_then(first_sentence);
                        for (number, sentence) in sentences.into_iter().enumerate() {
                            let text = texts.get(number).cloned().unwrap_or_default();
                            let after = texts.get(number + 1).or(behind.as_ref());
                            if std::mem::take(&mut goes_on)
                                || !stands_alone(&text)
                                || after.is_some_and(|after| takes_back(after))
                            {
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

/// The role that the titles above a section give to it: the nearest that has one. What is needed, and how to check it, is told right
/// under its own title; and the title over all says what the whole is about, not what each part of it is good for.
fn role_of_titles(path: &[&str]) -> Option<Role> {
    let own = path.last().and_then(|title| roles::of_title(title));
    let above = || {
        let above = path
            .get(1..path.len().saturating_sub(1))
            .unwrap_or_default();
        above.iter().rev().find_map(|title| roles::of_title(title))
    };
    own.or_else(|| {
        above().filter(|role| !matches!(role, Role::When | Role::Prerequisite | Role::Verify))
    })
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

/// A list of options that is too long for a body: each with what it is about, and when that is still too long, by its name.
fn condensed(block: &Block) -> Option<Block> {
    let BlockKind::Definitions(entries) = &block.kind else {
        return None;
    };
    let is_told = |entry: &Definition| !entry.blocks.is_empty();
    let fits = block_text(block).len() + 8 <= OPTIONS_CHARS;
    let told = entries.iter().filter(|entry| is_told(entry)).count();
    // Names without a word on them are left out between others; a list of nothing else is one of names.
    if fits && (told == entries.len() || told * 2 < entries.len()) {
        return None;
    }
    let shown = |entry: &Definition| match fits {
        true => entry.clone(),
        false => shortened(entry),
    };
    let told: Vec<Definition> = entries
        .iter()
        .map(shown)
        .filter(|entry| is_told(entry) || !(fits || announces_others(entry)))
        .collect();
    let named = |entry: &Definition| Definition {
        terms: entry.terms.clone(),
        blocks: Vec::new(),
    };
    let list = |entries: Vec<Definition>| Block {
        kind: BlockKind::Definitions(entries),
        span: block.span.clone(),
    };
    let told = list(told);
    if block_text(&told).len() + 8 <= OPTIONS_CHARS {
        return Some(told);
    }
    let names = list(entries.iter().map(named).collect());
    (block_text(&names).len() + 8 <= OPTIONS_CHARS).then_some(names)
}

/// Whether blocks harm nobody who loads them apart from what stands around them.
pub(super) fn is_harmless(blocks: &[Block], text: &str) -> bool {
    !wording::names_home(text) && !orders::runs_unseen(text) && !loaders::take_arguments(blocks)
}

/// Whether blocks can stand in a body: nothing in their prose ages or points elsewhere, and their code harms nobody.
pub(super) fn is_fit(blocks: &[Block], text: &str) -> bool {
    is_harmless(blocks, text)
        && blocks.iter().all(|block| {
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
const POINTS_BACK: [&str; 100] = [
    "(",
    "as these ",
    "as they ",
    "as this ",
    "because it ",
    "because these ",
    "because they ",
    "by doing so",
    "if it ",
    "if so",
    "if these ",
    "if they ",
    "since it ",
    "since these ",
    "since they ",
    "since this ",
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
    "for these ",
    "once again",
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

/// Whether what introduces a block goes on with what was said before it.
pub(super) fn leans_back(intro: &str) -> bool {
    let first = intro
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .trim_end_matches(',')
        .to_lowercase();
    [
        "and",
        "but",
        "finally",
        "or",
        "otherwise",
        "resulting",
        "then",
    ]
    .contains(&first.as_str())
}

/// The first sentence of a paragraph.
fn first_sentence(block: &Block) -> Option<String> {
    let BlockKind::Paragraph(inlines) = &block.kind else {
        return None;
    };
    let first = cut_sentences(inlines).into_iter().next()?;
    Some(squash(&plain(&first)))
}

/// Whether a sentence takes back what the one before it says, or narrows it: without it, that says what its author did not.
pub(super) fn takes_back(sentence: &str) -> bool {
    const OPENINGS: [&str; 24] = [
        "a diferença",
        "aber ",
        "actually",
        "allerdings ",
        "but ",
        "cependant",
        "contudo",
        "der unterschied",
        "however",
        "it turns out",
        "jedoch ",
        "la différence",
        "la diferencia",
        "mais ",
        "mas ",
        "no entanto",
        "no,",
        "pero ",
        "porém",
        "sin embargo",
        "the difference",
        "toutefois",
        "tuttavia",
        "yet ",
    ];
    const TURNS: [&str; 5] = [
        "it's also wrong",
        "not the case",
        "this is wrong",
        "turned out not",
        "turns out not",
    ];
    let lower = straight(sentence).to_lowercase();
    OPENINGS.iter().any(|opening| lower.starts_with(opening))
        || TURNS.iter().any(|turn| lower.contains(turn))
}

/// Whether a sentence tells what one might suppose, and not what is.
fn supposes(lower: &str) -> bool {
    const OPENINGS: [&str; 8] = [
        "one might think",
        "one would expect",
        "we might expect",
        "we would expect",
        "what if ",
        "you might expect",
        "you might think",
        "you would expect",
    ];
    OPENINGS.iter().any(|opening| lower.starts_with(opening))
}

/// Whether a sentence begins by what was said before it.
pub(super) fn points_back(text: &str) -> bool {
    let lower = straight(text).to_lowercase();
    // "Thus, it …" leans on what stands before it as "Thus it …" does.
    let start = lower
        .get(..lower.len().min(24))
        .unwrap_or(&lower)
        .replacen(',', "", 1);
    // "Please do not be discouraged by this."
    let bare = lower.trim_end().trim_end_matches(['.', '!']);
    let ends_back = [" this", " these", " that"].iter().any(|end| {
        let before = bare.strip_suffix(end).unwrap_or_default();
        [" about", " by", " for", " from", " of", " with"]
            .iter()
            .any(|turn| before.ends_with(turn))
    });
    ends_back
        || POINTS_BACK
            .iter()
            .any(|opening| lower.starts_with(opening) || start.starts_with(opening))
}

/// Whether a sentence tells how things were: what they are now is said next.
pub(super) fn tells_past(sentence: &str) -> bool {
    const PAST: [&str; 10] = [
        " and earlier ",
        "earlier releases",
        "earlier versions",
        "formerly",
        "in the past",
        "older versions",
        "previous releases",
        "previous versions",
        "previously",
        "prior to ",
    ];
    let lower = sentence.to_lowercase();
    PAST.iter().any(|turn| lower.contains(turn))
        && ![" now ", " no longer"]
            .iter()
            .any(|turn| lower.contains(turn))
}

/// Whether a sentence means the same without its neighbours.
pub(super) fn stands_alone(text: &str) -> bool {
    if !SENTENCE_CHARS.contains(&text.len()) || text.ends_with([':', '?', '：', '？', ',']) {
        return false;
    }
    let lower = straight(text).to_lowercase();
    !points_back(text)
        && !supposes(&lower)
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
    fn what_the_next_sentence_takes_back_and_what_one_might_suppose_is_not_chosen() {
        let chosen = |text: &str| {
            let blocks = crate::pipeline::synthesize::testing::document(text).blocks;
            let outline = Outline::of(&blocks);
            let mut lexicon = Lexicon::new(None);
            let units = units(&blocks, &outline, &mut lexicon);
            let texts = units
                .iter()
                .map(|unit| unit.blocks().iter().map(block_text).collect());
            texts.collect::<Vec<String>>().len()
        };
        let rule = "A large kiln must burn more wood than a small one.";
        assert_eq!(
            chosen(&format!(
                "{rule} The door stays shut until the pots are cold."
            )),
            2
        );
        assert_eq!(
            chosen(&format!("{rule} But this turned out not to be the case.")),
            0
        );
        assert_eq!(
            chosen(&format!(
                "{rule}\n\nHowever, the door stays shut until it is cold."
            )),
            0
        );
        assert_eq!(
            chosen("We would expect a large kiln to burn more wood than others."),
            0
        );
    }

    #[test]
    fn what_begins_or_ends_with_what_was_said_points_back() {
        for text in [
            "Please do not be discouraged by this.",
            "Since these are set by the kiln, nothing is to be done.",
        ] {
            assert!(points_back(text), "{text}");
        }
        assert!(!points_back("Do not be discouraged by this kiln."));
    }

    #[test]
    fn a_fragment_a_synopsis_and_a_reference_to_others_do_not_stand_alone() {
        for text in [
            "Exactly one of them must be given to the program.",
            "You can find the whole manual in various formats online at",
            "tar {--diff|--compare} [--file ARCHIVE] [OPTIONS] [FILE]",
            "kiln [OPTIONS] SHELF [DOOR...]",
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

    fn option(term: &str, blocks: Vec<Block>) -> Definition {
        Definition {
            terms: vec![vec![Inline::Text(term.to_owned())]],
            blocks,
        }
    }

    fn paragraph(text: &str) -> Block {
        Block {
            kind: BlockKind::Paragraph(vec![Inline::Text(text.to_owned())]),
            span: Span::default(),
        }
    }

    #[test]
    fn a_long_list_of_options_says_of_each_what_it_is_about_and_drops_none() {
        let told = |n: usize| {
            let more = "It takes the number of a door. ".repeat(6);
            option(
                &format!("--door{n}"),
                vec![paragraph(&format!("Opens door{n} of the kiln. {more}"))],
            )
        };
        let mut entries: Vec<Definition> = (0..20).map(told).collect();
        entries.push(option("--input", vec![paragraph("input file")]));
        entries.push(option("At most one of these:", vec![]));
        let list = Block {
            kind: BlockKind::Definitions(entries),
            span: Span::default(),
        };
        let short = condensed(&list).expect("it is too long");
        let text = block_text(&short);
        assert!((0..20).all(|n| text.contains(&format!("Opens door{n} of the kiln."))));
        assert!(text.contains("input file"), "a few words are all there is");
        assert!(
            !text.contains("It takes") && !text.contains("At most"),
            "{text}"
        );
    }

    #[test]
    fn what_goes_on_with_an_answer_does_not_open_a_group() {
        let document = super::super::testing::document(
            "# Kilns\n\n## Firing\n\nor on the second shelf:\n\n```sh\nkiln fire --shelf 2\n```\n\nOn the first shelf:\n\n```sh\nkiln fire\n```",
        );
        let outline = Outline::of(&document.blocks);
        let units = units(&document.blocks, &outline, &mut Lexicon::of("kiln shelf"));
        let texts: Vec<String> = units
            .iter()
            .map(|unit| unit.blocks().iter().map(block_text).collect())
            .collect();
        assert!(texts.iter().any(|text| text.contains("On the first shelf")));
        assert!(
            !texts.iter().any(|text| text.contains("--shelf 2")),
            "{texts:?}"
        );
    }
}
