//! Owns where a block may be cut: what entries it has, which sentences stand with which, and what is shown whole or not at all.

use super::announcing::{ends_sentence, must, offers_another, promises};
use super::inner::{members, parted};
use super::names::{NAMED_LINES_MIN, entries_in};
use super::piece::{is_harmless, stresses};
use crate::pipeline::synthesize::options::{
    OPTIONS_CHARS, WHOLE_CHARS, announces_others, longer, shortened, warns,
};
use crate::pipeline::synthesize::outline::{block_text, blocks_text};
use crate::pipeline::synthesize::sentences::cut_sentences;
use crate::pipeline::synthesize::units::{leans_back, points_back, takes_back, tells_past};
use skillkiln_document::blocks::{Block, BlockKind, Definition};
use skillkiln_document::text::{Inline, plain, without_links};
use std::collections::HashMap;

/// A table, a list or a list of options that is longer may be cut between its entries.
const CUT_CHARS: usize = 1_200;
/// A longer paragraph may be cut between its sentences.
const PARAGRAPH_CHARS: usize = 200;
/// With fewer words a step is named and not told.
const STEP_WORDS_MIN: usize = 2;
/// Links that so many rows tell by the same words are told apart by where they lead.
const ALIKE_MIN: usize = 3;
/// A table of so many rows is shown as a whole or not at all.
const WHOLE_ENTRIES: usize = 12;

/// What a block is cut into, and the same at full length where it is shortened.
pub(super) struct Entry {
    pub(super) block: Block,
    pub(super) longer: Option<Block>,
    /// Whether its source says more than either.
    pub(super) loses: bool,
    /// What the members are called that it says no word of.
    pub(super) members: Vec<Vec<Inline>>,
    /// Of which item of the list it is a part.
    pub(super) within: Option<usize>,
}

impl From<Block> for Entry {
    fn from(block: Block) -> Self {
        Self {
            block,
            longer: None,
            loses: false,
            members: Vec::new(),
            within: None,
        }
    }
}

/// A block, or the entries of a long one, each as a block of the same kind. Of a list of options that is too long for any body,
/// what each is about.
pub(super) fn entries(block: &Block) -> Vec<Entry> {
    let spared = spared(block);
    let block = spared.as_ref().unwrap_or(block);
    let chars = block_text(block).len();
    let may_be_cut = chars > CUT_CHARS || !is_harmless(std::slice::from_ref(block));
    let of_kind = |kind: BlockKind| Block {
        kind,
        span: block.span.clone(),
    };
    let alone = |kind: BlockKind| Entry::from(of_kind(kind));
    let whole = || vec![Entry::from(block.clone())];
    match &block.kind {
        BlockKind::Paragraph(text) if chars > PARAGRAPH_CHARS => {
            let mut groups = with_warnings(cut_sentences(text));
            let loses = begins_above(&groups);
            if loses {
                groups.remove(0);
            }
            let groups = groups.into_iter().enumerate();
            groups
                .map(|(at, sentence)| Entry {
                    loses: loses && at == 0,
                    ..alone(BlockKind::Paragraph(sentence))
                })
                .collect()
        }
        _ if !may_be_cut => whole(),
        BlockKind::Table { rows, .. } if rows.len() <= WHOLE_ENTRIES => whole(),
        BlockKind::List { items, .. } if items.iter().any(|item| is_box(item)) => whole(),
        BlockKind::Definitions(entries) if chars > whole_chars(entries) => entries
            .iter()
            .map(|entry| (entry, shortened(entry)))
            .filter(|(_, short)| !announces_others(short))
            .map(|(entry, short)| {
                let longer = longer(entry, &short);
                // A name alone tells nothing of it.
                let is_brief =
                    |longer: &Definition| blocks_text(&longer.blocks).len() <= WHOLE_CHARS;
                let (short, longer) = match longer {
                    Some(longer) if short.blocks.is_empty() && is_brief(&longer) => (longer, None),
                    longer => (short, longer),
                };
                let most = longer.as_ref().unwrap_or(&short);
                Entry {
                    loses: blocks_text(&most.blocks).len() < blocks_text(&entry.blocks).len(),
                    members: members(entry, &short),
                    within: None,
                    longer: longer.map(|entry| of_kind(BlockKind::Definitions(vec![entry]))),
                    block: of_kind(BlockKind::Definitions(vec![short])),
                }
            })
            .collect(),
        BlockKind::Definitions(entries) => entries
            .iter()
            .filter(|entry| !announces_others(entry))
            .map(|entry| alone(BlockKind::Definitions(vec![entry.clone()])))
            .collect(),
        BlockKind::List { start: None, items } => items
            .iter()
            .enumerate()
            .flat_map(|(number, item)| {
                let parts = parted(item);
                let within = parts.is_some().then_some(number);
                let parts = parts.unwrap_or_else(|| vec![item.clone()]);
                parts.into_iter().map(move |item| (within, item))
            })
            .map(|(within, item)| {
                let of = |item: Vec<Block>| {
                    of_kind(BlockKind::List {
                        start: None,
                        items: vec![item],
                    })
                };
                // All steps are told in short before any at length.
                let short = in_short(&item).filter(|_| within.is_none());
                let longer = short.is_some().then(|| of(item.clone()));
                Entry {
                    within,
                    longer,
                    ..Entry::from(of(short.unwrap_or(item)))
                }
            })
            .collect(),
        BlockKind::Code { language, text } => match entries_in(text, NAMED_LINES_MIN) {
            Some(entries) => entries
                .into_iter()
                .map(|entry| {
                    alone(BlockKind::Code {
                        language: language.clone(),
                        text: entry.to_owned(),
                    })
                })
                .collect(),
            None => whole(),
        },
        BlockKind::Table {
            header,
            rows,
            caption,
        } => rows
            .iter()
            .map(|row| {
                alone(BlockKind::Table {
                    header: header.clone(),
                    rows: vec![row.clone()],
                    caption: caption.clone(),
                })
            })
            .collect(),
        _ => whole(),
    }
}

/// An item of several blocks by the first of them, where that tells what is done or meant, with the code that its sentence ends in;
/// `None` of one that has no more, or whose first block is only a name or announces the others.
fn in_short(item: &[Block]) -> Option<Vec<Block>> {
    let (first, behind) = item.split_first()?;
    let BlockKind::Paragraph(text) = &first.kind else {
        return None;
    };
    let words = plain(text);
    let words = words.trim_end();
    let tells = words.split_whitespace().nth(STEP_WORDS_MIN - 1).is_some();
    let is_short = words.chars().count() <= PARAGRAPH_CHARS;
    let ends_in_code =
        |next: &&Block| matches!(next.kind, BlockKind::Code { .. }) && !ends_sentence(words);
    let code = behind.first().filter(ends_in_code);
    let is_all = behind.len() <= usize::from(code.is_some()) || words.ends_with([':', '：']);
    let is_brief = code.is_none_or(|code| block_text(code).len() <= PARAGRAPH_CHARS);
    (tells && is_short && is_brief && !is_all)
        .then(|| [first].into_iter().chain(code).cloned().collect())
}

/// Up to how many characters each entry of a list is shown whole: of options each sentence may tell what they do not do, and of the
/// functions and fields of an interface the first tells what they are for.
fn whole_chars(entries: &[Definition]) -> usize {
    let is_option = |term: &Vec<Inline>| plain(term).trim_start().starts_with('-');
    let options = entries
        .iter()
        .filter(|entry| entry.terms.iter().any(is_option));
    match options.count() * 2 > entries.len() {
        true => OPTIONS_CHARS,
        false => CUT_CHARS,
    }
}

/// A table without the addresses of its links, where those take more than its words do and are not what it tells: each package of a
/// list with the pages on it. `None` of any other block.
fn spared(block: &Block) -> Option<Block> {
    let BlockKind::Table {
        header,
        rows,
        caption,
    } = &block.kind
    else {
        return None;
    };
    let (mut addresses, mut told) = (0, HashMap::new());
    for inline in rows.iter().flatten().flatten() {
        if let Inline::Link(link) = inline {
            addresses += link.href.len();
            *told.entry(plain(&link.text)).or_insert(0_usize) += 1;
        }
    }
    // "Homepage" in each row says nothing without its address.
    let is_word = |text: &str| text.contains(char::is_alphabetic);
    let say_alike = told
        .iter()
        .any(|(text, times)| *times >= ALIKE_MIN && is_word(text));
    let words = block_text(block).len();
    let is_spared = addresses > words && !say_alike && told.len() > rows.len() / 2;
    is_spared.then(|| Block {
        kind: BlockKind::Table {
            header: header.clone(),
            rows: rows
                .iter()
                .map(|row| row.iter().map(|cell| without_links(cell)).collect())
                .collect(),
            caption: caption.clone(),
        },
        span: block.span.clone(),
    })
}

/// Sentences, each together with those that take it back, how things were with how they are, what holds if something is so with
/// what holds if it is not, and what says that something follows, or asks, with what does.
pub(super) fn with_turns(sentences: Vec<Vec<Inline>>) -> Vec<Vec<Inline>> {
    let mut told_past = false;
    let mut promised = false;
    let mut condition = None;
    let mut supposed = false;
    let mut counting = Counting::default();
    folded(sentences, |sentence| {
        let text = plain(sentence);
        let was_supposed = std::mem::replace(&mut supposed, supposes(&text));
        let is_counted = counting.goes_on(&text);
        let was_past = std::mem::replace(&mut told_past, tells_past(&text));
        let was_promised = std::mem::replace(&mut promised, promises(&text));
        // "Reasons for (2) are these" is said of what was numbered before.
        let names_second = names_number(&text, "(2)") && !names_number(&text, "(1)");
        let own = condition_of(&text);
        let before = std::mem::replace(&mut condition, own);
        let is_other_case = matches!((before, own), (Some(before), Some(own)) if before != own);
        was_past
            || was_promised
            || was_supposed
            || is_counted
            || names_second
            || is_other_case
            || takes_back(text.trim_start())
            || offers_another(text.trim_start())
    })
}

/// Whether the first sentence of a paragraph only speaks of what stands above it ("The above table tells the heats"), and the second
/// stands without it.
fn begins_above(groups: &[Vec<Inline>]) -> bool {
    const ABOVE: [&str; 5] = [
        "The above ",
        "The last section ",
        "The preceding ",
        "The previous ",
        "The table above ",
    ];
    let [first, second, ..] = groups else {
        return false;
    };
    let (first, second) = (plain(first), plain(second));
    let second = second.trim_start();
    ABOVE
        .iter()
        .any(|above| first.trim_start().starts_with(above))
        && !leans_back(second)
        && !points_back(second)
}

/// Whether a sentence says what holds for those behind it: "Let z be the value."
fn supposes(sentence: &str) -> bool {
    let words = sentence.trim_start();
    let begins = ["Assume ", "Let ", "Suppose "];
    begins.iter().any(|begin| words.starts_with(begin))
        && !["Let us ", "Let me "]
            .iter()
            .any(|no| words.starts_with(no))
}

/// What is counted in a paragraph: "There are three ways. First, ... The second ... Finally, ..."
#[derive(Default)]
struct Counting {
    /// How many the sentence before announces.
    announced: Option<usize>,
    /// How many there are, and how many were told.
    told: Option<(usize, usize)>,
}

impl Counting {
    /// Whether the next sentence is one of those that are counted, or says more of one.
    fn goes_on(&mut self, sentence: &str) -> bool {
        const NUMBERS: [&str; 5] = ["two", "three", "four", "five", "six"];
        const ORDINALS: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];
        const LAST: [&str; 3] = ["finally", "last", "lastly"];
        let lower = sentence.to_lowercase();
        let mut words = lower
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty() && *word != "the");
        let opens = words.next().unwrap_or_default();
        let ordinal = ORDINALS
            .iter()
            .position(|own| opens.strip_suffix("ly").unwrap_or(opens) == *own)
            .map(|at| at + 1);
        let announced = lower
            .split(|c: char| !c.is_alphanumeric())
            .find_map(|word| NUMBERS.iter().position(|number| *number == word))
            .map(|at| at + 2);
        let announced = std::mem::replace(&mut self.announced, announced);
        if ordinal == Some(1) && announced.is_some() {
            self.told = announced.map(|all| (all, 1));
            return true;
        }
        let Some((all, told)) = &mut self.told else {
            return false;
        };
        *told = ordinal.unwrap_or(*told).max(*told);
        if *told >= *all || LAST.contains(&opens) {
            self.told = None;
        }
        true
    }
}

/// Whether a sentence has this number of what was counted; `open(2)` is a page of a manual.
fn names_number(text: &str, number: &str) -> bool {
    text.match_indices(number).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        before.is_empty() || before.ends_with(char::is_whitespace)
    })
}

/// Of a sentence on what holds if something is true, or is enabled, whether it is: "If set to TRUE, ...".
fn condition_of(sentence: &str) -> Option<bool> {
    const CASES: [(&str, bool); 6] = [
        ("disabled", false),
        ("enabled", true),
        ("false", false),
        ("non-zero", true),
        ("true", true),
        ("zero", false),
    ];
    let lower = sentence.trim_start().to_lowercase();
    let begins = ["if ", "when "].iter().any(|word| lower.starts_with(word));
    let clause = lower.split([',', ';']).next().filter(|_| begins)?;
    let mut words = clause.split(|c: char| !c.is_alphanumeric() && c != '-');
    words.find_map(|word| {
        let case = CASES.iter().find(|(case, _)| *case == word);
        case.map(|(_, is_so)| *is_so)
    })
}

/// The same, and with those that say of it what matters: "This deletes all pots."
fn with_warnings(sentences: Vec<Vec<Inline>>) -> Vec<Vec<Inline>> {
    folded(with_turns(sentences), |sentence| {
        let text = plain(sentence);
        let text = text.trim_start();
        let matters = || must(text) || warns(text) || stresses(sentence);
        (leans_back(text) || points_back(text)) && matters()
    })
}

/// Sentences, each together with those behind it that belong to it.
fn folded(
    sentences: Vec<Vec<Inline>>,
    mut belongs: impl FnMut(&[Inline]) -> bool,
) -> Vec<Vec<Inline>> {
    let mut out: Vec<Vec<Inline>> = Vec::with_capacity(sentences.len());
    for sentence in sentences {
        let belongs = belongs(&sentence);
        match out.last_mut() {
            Some(before) if belongs => {
                before.push(Inline::Text(" ".into()));
                before.extend(sentence);
            }
            _ => out.push(sentence),
        }
    }
    out
}

/// Whether an item is one to tick off.
fn is_box(item: &[Block]) -> bool {
    let Some(BlockKind::Paragraph(text)) = item.first().map(|block| &block.kind) else {
        return false;
    };
    let words = plain(text);
    ["[ ]", "[x]", "[X]"]
        .iter()
        .any(|mark| words.trim_start().starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::synthesize::testing::words;
    use skillkiln_document::blocks::Span;

    /// The sentences of a text that stand together, each group as one text.
    fn told(text: &str) -> Vec<String> {
        let groups = with_turns(cut_sentences(&words(text)));
        groups.iter().map(|group| plain(group)).collect()
    }

    #[test]
    fn a_paragraph_that_is_cut_does_not_begin_with_what_stands_above_it() {
        let cut = |second: &str| {
            let told = "It burns all the wood that there is in the house. ".repeat(12);
            let text = format!("The above table tells the heats of kilns. {second} {told}");
            let block = Block {
                kind: BlockKind::Paragraph(words(&text)),
                span: Span::default(),
            };
            let first = entries(&block).into_iter().next().unwrap();
            (block_text(&first.block).trim().to_owned(), first.loses)
        };
        let second = "For your convenience, doors were added.";
        assert_eq!(cut(second), (second.to_owned(), true));
        let above = "The above table tells the heats of kilns.";
        assert_eq!(cut("This is all of them."), (above.to_owned(), false));
    }

    #[test]
    fn what_says_that_something_follows_stands_with_it() {
        let handshake = "The handshake is as follows. First, the door opens.";
        assert_eq!(
            told(&format!("{handshake} Ash is grey.")),
            [handshake, "Ash is grey."]
        );
        let asked = "What burns? Wood does.";
        assert_eq!(told(asked), [asked]);
        let numbered = "It is (1) hot or (2) cold. Ash is why (2) holds.";
        assert_eq!(told(numbered), [numbered]);
        assert_eq!(told("It opens the door. See open(2) for more.").len(), 2);
    }

    #[test]
    fn what_is_counted_stands_together_and_so_does_what_is_supposed() {
        let all = "There are three ways to stop. First comes the lid. It is heavy. The second is the gauge. Finally, wait. It is cold.";
        assert_eq!(
            told(all),
            [
                all.strip_suffix(" It is cold.").expect("the end"),
                "It is cold."
            ]
        );
        let supposed = "It stops early. Let z be the heat. If z is small, the kiln stops.";
        assert_eq!(
            told(supposed),
            [
                "It stops early.",
                "Let z be the heat. If z is small, the kiln stops."
            ]
        );
        // Nothing was announced.
        let first = "The kiln is hot. First open the lid. Wait.";
        assert_eq!(told(first).len(), 3);
    }

    #[test]
    fn what_holds_in_one_case_stands_with_what_holds_in_the_other() {
        let both =
            "When hot is set to FALSE, the door stays open. If set to TRUE, it waits for the ash.";
        assert_eq!(told(both), [both]);
        for apart in [
            "When hot is TRUE, the door is shut. If wet is true, it is open.",
            "When hot is TRUE, the door is shut. It is not false.",
        ] {
            assert_eq!(told(apart).len(), 2, "{apart}");
        }
    }
}
