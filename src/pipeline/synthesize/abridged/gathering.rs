//! Owns what of a section stands together: its blocks are gathered into pieces, each with what announces it, takes it back or comes of it.

use super::TOKENS_OF_LINE;
use super::announcing::{
    announces, awaits_result, behind_steps, goes_on, has_counterpart, is_call, is_counted,
    is_label, is_refused, is_structure, is_within, leads_to_code, promises, speaks_of_next,
    supposes,
};
use super::cutting::{Entry, entries};
use super::inner::inner_names;
use super::names::names;
use super::piece::{Piece, is_harmless, is_unfinished_in, is_unfit_in};
use crate::pipeline::synthesize::outline::{block_text, is_imprint_in};
use crate::pipeline::synthesize::talks::told::is_untold;
use crate::pipeline::synthesize::units::{leans_back, points_back};
use crate::pipeline::synthesize::wording::{is_unfinished, is_unfit, names_home};
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{Inline, plain};
use std::ops::Range;

/// What code printed is shown beside it up to so many lines.
const RECORDED_LINES_MAX: usize = 10;
/// So many blocks stand together at most, and so many between what not to do and what to do instead.
const TOGETHER_MAX: usize = 5;
const INSTEAD_MAX: usize = 6;
/// And so many from what is given to what comes of it.
const CHAIN_MAX: usize = 8;

/// What stays together, in order, and whether more follows that is not shown. What only a whole section may quote stays in the
/// references: a note of its author on what is still to be written; somebody's own folder, code that arguments would change and
/// what would run unseen, together with all that follows them in the section, since it may lean on them, unless they are one of
/// several in a list; and what comes when twice the `room` is taken: what is named behind what is shown is known until then.
pub(super) fn pieces(
    all: &[Block],
    range: Range<usize>,
    is_ours: bool,
    room: usize,
) -> (Vec<Piece>, bool) {
    let mut out: Vec<Piece> = Vec::new();
    let mut cost = 0;
    let mut is_broken = false;
    // Whether what stands before is left out, and with it what leans on it.
    let mut is_after_gap = false;
    let mut announced: Vec<Block> = Vec::new();
    // Whether what is announced shows what not to do: it waits for what to do instead.
    let mut is_against = false;
    // Where the last step stands of those that are counted one by one.
    let mut last_step = range.start;
    for at in range.clone() {
        let Some(block) = all.get(at) else { break };
        if matches!(block.kind, BlockKind::Figure { .. }) || is_untold(block) {
            continue;
        }
        let above = at.checked_sub(1).filter(|above| *above >= range.start);
        let above = above.and_then(|above| all.get(above));
        if announced.is_empty() && above.is_some_and(|above| is_recorded(above, block)) {
            is_broken = true;
            continue;
        }
        let rest = all.get(at..range.end).unwrap_or_default();
        last_step = last_step.max(at + behind_steps(rest));
        if at < last_step {
            announced.push(block.clone());
            continue;
        }
        let next = all.get(at + 1).filter(|_| at + 1 < range.end);
        let next = next.map(|block| &block.kind);
        if let BlockKind::Code { text, .. } = &block.kind {
            is_against = is_refused(text, next);
        }
        if is_against && announced.len() < INSTEAD_MAX {
            announced.push(block.clone());
            continue;
        }
        let before = announced.last().map(|block| &block.kind);
        let mut cut = match (&block.kind, before) {
            (_, Some(BlockKind::Paragraph(text))) if is_counted(&plain(text), block) => {
                vec![Entry::from(block.clone())]
            }
            _ => entries(block),
        };
        let speaks = |entry: &Entry| speaks_of_next(&block_text(&entry.block));
        let announcing = match &block.kind {
            BlockKind::Paragraph(_) if is_structure(next) && cut.iter().any(speaks) => {
                let first = cut.iter().position(speaks).unwrap_or_default();
                together(cut.split_off(first))
            }
            BlockKind::Paragraph(text)
                if announces(text, next)
                    || cut.len() > 1 && matches!(next, Some(BlockKind::List { .. })) =>
            {
                cut.pop()
            }
            // What follows at the end of a section are others, which may not be shown.
            BlockKind::Paragraph(_) if next.is_none() && cut.last().is_some_and(speaks) => {
                cut.pop()
            }
            BlockKind::Paragraph(text)
                if promises(&plain(text)) && matches!(next, Some(BlockKind::Paragraph(_))) =>
            {
                cut.pop()
            }
            BlockKind::List { items, .. }
                if is_label(items) && is_within(next) || leads_to_code(items, next) =>
            {
                cut.pop()
            }
            BlockKind::Paragraph(text)
                if is_call(text) && matches!(next, Some(BlockKind::Paragraph(_))) =>
            {
                cut.pop()
            }
            _ => None,
        };
        let announcing = announcing.map(|entry| entry.block);
        if cut.is_empty() {
            match announcing {
                Some(sentence) => announced.push(sentence),
                None => announced.clear(),
            }
            continue;
        }
        let is_one_of_many = cut.len() > 1 && !matches!(block.kind, BlockKind::Paragraph(_));
        let mut lead = std::mem::take(&mut announced);
        announced.extend(announcing);
        let mut entries = cut.into_iter();
        while let Some(entry) = entries.next() {
            let mut blocks = std::mem::take(&mut lead);
            blocks.push(entry.block);
            if is_imprint_in(&blocks) || is_ours && is_unfit_in(&blocks) {
                continue;
            }
            let leans = || {
                let text = blocks.first().map(block_text).unwrap_or_default();
                leans_back(&text) || points_back(&text)
            };
            // A note alone is nothing to lean on.
            let shows = || {
                let is_code = |block: &Block| matches!(block.kind, BlockKind::Code { .. });
                blocks.iter().any(is_code)
            };
            let is_unfinished = is_unfinished_in(&blocks);
            let is_left_out = is_unfinished || is_after_gap && leans();
            is_after_gap = is_unfinished && shows() || is_after_gap && is_left_out;
            if is_left_out {
                is_broken |= is_after_gap;
                continue;
            }
            let is_harmless = is_harmless(&blocks);
            if !is_harmless && is_one_of_many && cost / 2 <= room {
                is_broken = true;
                blocks.pop();
                lead = blocks;
                continue;
            }
            if !is_harmless || cost / 2 > room {
                let left = blocks.pop().into_iter();
                let left = left.chain(entries.map(|entry| entry.block));
                if !is_ours {
                    out.extend(names_beyond(all, at, left, range.end));
                }
                return (out, true);
            }
            let is_step = || matches!(block.kind, BlockKind::Code { .. });
            let most = match supposes(&blocks) || is_step() {
                true => CHAIN_MAX,
                false => TOGETHER_MAX,
            };
            if next.is_some()
                && entries.len() == 0
                && blocks.len() < most
                && (goes_on(block, next)
                    || awaits_result(&blocks, next)
                    || has_counterpart(&blocks, next))
            {
                announced = blocks;
                continue;
            }
            let has_longer = entry.longer.is_some();
            let longer = entry
                .longer
                .filter(|block| !is_ours || !is_unfit(&block_text(block)));
            let piece = Piece::of(at, blocks).or_longer(longer);
            let mut piece = Piece {
                // What may not be quoted at its length says more there.
                loses: entry.loses || has_longer && piece.longer.is_none(),
                members: entry.members,
                within: entry.within,
                ..piece
            };
            if piece.within.is_some() {
                piece.names = piece.blocks.last().map(inner_names).unwrap_or_default();
            }
            // What the list stands in is said once.
            if piece.within.is_some()
                && let Some(before) = out.last()
                && (before.at, before.within) == (at, piece.within)
            {
                piece.cost = piece.cost.saturating_sub(2 * TOKENS_OF_LINE);
            }
            cost += piece.cost;
            out.push(piece);
        }
    }
    // What announces something that does not come announces nothing.
    (out, is_broken || is_against)
}

/// Whether a block is what the code right above it printed once, at length: it says how that went, and the code is what is needed.
fn is_recorded(above: &Block, block: &Block) -> bool {
    const PROGRAMS: [&str; 5] = ["ipython", "julia", "python", "python3", "r"];
    let (
        BlockKind::Code {
            language: Some(language),
            ..
        },
        BlockKind::Code {
            language: printed,
            text,
        },
    ) = (&above.kind, &block.kind)
    else {
        return false;
    };
    PROGRAMS.contains(&language.as_str())
        && printed
            .as_deref()
            .is_none_or(|printed| matches!(printed, "text" | "output" | "txt"))
        && text.lines().count() > RECORDED_LINES_MAX
}

/// Sentences of one paragraph as one.
fn together(sentences: Vec<Entry>) -> Option<Entry> {
    sentences.into_iter().reduce(|mut whole, sentence| {
        if let (BlockKind::Paragraph(text), BlockKind::Paragraph(more)) =
            (&mut whole.block.kind, sentence.block.kind)
        {
            text.push(Inline::Text(" ".into()));
            text.extend(more);
        }
        whole
    })
}

/// What the entries are called for which there is no room: those of a list that goes on at `at`, or else of the next one.
fn names_beyond(
    all: &[Block],
    at: usize,
    left: impl Iterator<Item = Block>,
    end: usize,
) -> Vec<Piece> {
    let may_be_named = |name: &Vec<Inline>| {
        let name = plain(name);
        !names_home(&name) && !is_unfinished(&name)
    };
    let named = |at: usize, mut names: Vec<Vec<Inline>>| {
        names.retain(may_be_named);
        (!names.is_empty()).then(|| Piece::of_names(at, names))
    };
    let own = named(at, left.flat_map(|entry| names(&entry)).collect());
    let mut out: Vec<Piece> = own.into_iter().collect();
    for at in at + 1..end {
        let names = all.get(at).map(names).unwrap_or_default();
        match named(at, names) {
            Some(piece) => out.push(piece),
            None if out.is_empty() => {}
            None => break,
        }
    }
    out
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Block, pieces};
    use crate::pipeline::synthesize::outline::{block_text, blocks_text};
    use crate::pipeline::synthesize::testing::document;
    use skillkiln_document::text::plain;
    use skillkiln_readers::markup::markdown;

    fn texts(source: &str) -> Vec<String> {
        let blocks = document(source).blocks;
        let (pieces, _) = pieces(&blocks, 0..blocks.len(), false, usize::MAX);
        let shown = |blocks: &[Block]| {
            let texts = blocks
                .iter()
                .map(|block| block_text(block).trim_end().to_owned());
            texts.collect::<Vec<_>>().join("|")
        };
        pieces.iter().map(|piece| shown(&piece.blocks)).collect()
    }

    #[test]
    fn a_mark_of_something_unfinished_that_is_a_value_drops_no_entry() {
        let pieces = texts("It is marked as `TODO` then.\n\nTODO: say how it burns.\n\nIt is hot.");
        let markdown = |source: &str| {
            let blocks = markdown::read(source.to_owned()).blocks;
            super::pieces(&blocks, 0..blocks.len(), false, usize::MAX)
                .0
                .len()
        };
        assert_eq!(pieces.len(), 1);
        assert_eq!(
            markdown("It is marked as `TODO` then.\n\nTODO: say how it burns.\n\nIt is hot."),
            2
        );
    }

    #[test]
    fn what_announces_a_block_stands_with_it_and_alone_not_at_all() {
        let long = "The kiln has a door for each of its chambers. ".repeat(10);
        let pieces = texts(&format!(
            "{long}Each door is opened so:\n\n```\nkilnctl open\n```\n\nOr\n\n```\nkilnctl lift\n```\n\nThe doors are these:"
        ));
        let last = pieces.iter().rev().take(3).rev();
        assert_eq!(
            last.map(String::as_str).collect::<Vec<_>>(),
            [
                "The kiln has a door for each of its chambers.",
                "Each door is opened so:|kilnctl open",
                "Or|kilnctl lift"
            ]
        );
    }

    #[test]
    fn an_option_that_only_an_ageing_sentence_tells_is_quoted_and_no_bare_name() {
        let told = "Opens the door of the kiln wide. ".repeat(6);
        let options: String = (0..30)
            .map(|number| format!("--door-{number}\n:   {told}\n\n"))
            .collect();
        let source = format!(
            "{options}--fields\n:   Prints all fields that are currently used in the log.\n"
        );
        let blocks = markdown::read(source).blocks;
        let (pieces, _) = pieces(&blocks, 0..blocks.len(), false, usize::MAX);
        let last = pieces
            .last()
            .map(|piece| blocks_text(&piece.blocks))
            .unwrap();
        assert!(last.contains("currently used"), "{last}");
    }

    #[test]
    fn another_way_stands_with_the_one_that_it_is_beside() {
        let told =
            "The kiln burns dry wood and coal, and a little straw when it is cold. ".repeat(3);
        let pieces = texts(&format!(
            "{told}Pull the handle to open it. If you prefer, push the lever. It is red."
        ));
        let both = "Pull the handle to open it. If you prefer, push the lever.";
        assert!(pieces.contains(&both.to_owned()), "{pieces:?}");
    }

    #[test]
    fn steps_with_code_are_told_in_short_before_any_at_length() {
        let step = |number: usize| {
            format!(
                "- Open door number {number}\n\n  {}\n\n  ```sh\n  kilnctl open {number}\n  ```\n\n",
                "It is one of the doors that may be opened. ".repeat(4)
            )
        };
        let steps: String = (0..9).map(step).collect();
        let blocks = markdown::read(format!("It is easy, here is how:\n\n{steps}")).blocks;
        let (pieces, _) = pieces(&blocks, 0..blocks.len(), false, usize::MAX);
        assert_eq!(pieces.len(), 9);
        for (number, piece) in pieces.iter().enumerate() {
            let short = blocks_text(&piece.blocks);
            assert!(
                short.contains(&format!("Open door number {number}")),
                "{short}"
            );
            assert!(!short.contains("kilnctl"), "{short}");
            let (longer, _) = piece.longer.as_ref().expect("there is more");
            assert!(block_text(longer).contains(&format!("kilnctl open {number}")));
        }
    }

    #[test]
    fn a_sentence_stands_with_the_one_that_takes_it_back() {
        let told =
            "The kiln burns dry wood and coal, and a little straw when it is cold. ".repeat(3);
        let pieces = texts(&format!(
            "{told}It has a second door. However, that never opens. It is red.\n\nIt has a bell.\n\nBut that is broken."
        ));
        assert!(
            pieces.contains(&"It has a second door. However, that never opens.".to_owned()),
            "{pieces:?}"
        );
        assert_eq!(pieces.last().unwrap(), "It has a bell.|But that is broken.");
    }

    #[test]
    fn a_sentence_stands_with_the_one_that_says_of_it_what_matters() {
        let told =
            "The kiln burns dry wood and coal, and a little straw when it is cold. ".repeat(3);
        for warning in [
            "This deletes all pots, so be careful.",
            "**This breaks the door each time.**",
        ] {
            let source = format!("{told}Pull the handle twice. {warning} It is red.");
            let blocks = markdown::read(source).blocks;
            let (pieces, _) = pieces(&blocks, 0..blocks.len(), false, usize::MAX);
            let whole = format!("Pull the handle twice. {}", warning.replace('*', ""));
            let told = |piece: &super::Piece| blocks_text(&piece.blocks).trim() == whole;
            assert!(pieces.iter().any(told), "{warning}");
        }
    }

    #[test]
    fn what_code_printed_at_length_gives_its_place_to_what_is_run() {
        let source = |lines: usize| {
            let printed = "done 34 of 50\n".repeat(lines);
            format!(
                "It is fitted:\n\n```python\nfit(kiln)\n```\n\n```text\n{printed}```\n\nIt is hot."
            )
        };
        assert!(texts(&source(3)).join("|").contains("done 34"));
        let pieces = texts(&source(30));
        assert_eq!(pieces, ["It is fitted:|fit(kiln)", "It is hot."]);
    }

    #[test]
    fn what_is_old_is_not_shown_without_what_is_new() {
        let source = "It is changed so:\n\nKiln v4:\n\n```\nfire(kiln)\n```\n\nKiln v5:\n\n```\nkiln.fire()\n```\n\nIt is hot.";
        let all = "It is changed so:|Kiln v4:|fire(kiln)|Kiln v5:|kiln.fire()";
        assert_eq!(texts(source), [all, "It is hot."]);
    }

    #[test]
    fn a_sentence_with_a_printers_apostrophe_announces_code_as_well() {
        let source = "Here’s how it fires.\n\n```\nfire(kiln)\n```\n\nIt is hot.";
        assert_eq!(
            texts(source),
            ["Here’s how it fires.|fire(kiln)", "It is hot."]
        );
    }

    #[test]
    fn what_leans_on_what_is_left_out_is_left_out_with_it() {
        let told = "The kiln burns wood.";
        let gap = format!(
            "{told}\n\nAsk for it:\n\n```\nfire() # TODO\n```\n\nHere, the doors are red.\n\nWood is dry."
        );
        assert_eq!(texts(&gap), [told, "Wood is dry."]);
        let placeholder = gap.replace("() # TODO", " --key=XXX");
        assert!(texts(&placeholder).join("|").contains("fire --key=XXX"));
        let unfinished = gap.replace("() # TODO", " mib-2 XXX");
        assert_eq!(texts(&unfinished), [told, "Wood is dry."]);
    }

    #[test]
    fn what_may_be_lost_or_is_stressed_as_a_sentence_matters() {
        let requires = |text: &str| {
            let blocks = markdown::read(text.to_owned()).blocks;
            super::Piece::of(0, blocks).requires()
        };
        assert!(requires("Old wood may corrupt the door."));
        assert!(requires("Doors open. *A door never opens twice.*"));
        assert!(requires(
            "Note that a kiln can only hold its heat if all of its sides have doors."
        ));
        assert!(!requires("Doors open *wide*. They are red."));
        assert!(
            !requires("This may corrupt the door."),
            "it leans on what was said"
        );
    }

    #[test]
    fn steps_that_are_counted_stand_together() {
        let step = |number: usize| {
            let told = "Open the door of the kiln and look at the fire. ".repeat(3);
            format!("**Step {number}.** {told}\n\nIt is hot in there.\n\n")
        };
        let of = |numbers: &[usize]| {
            let steps: String = numbers.iter().map(|number| step(*number)).collect();
            let source = format!("A kiln burns.\n\n{steps}All is well.");
            let blocks = markdown::read(source).blocks;
            let (pieces, _) = pieces(&blocks, 0..blocks.len(), false, usize::MAX);
            pieces.iter().map(|piece| piece.blocks.len()).max()
        };
        assert_eq!(of(&[1, 2, 3, 4]), Some(7));
        assert_eq!(of(&[2, 4, 7]), Some(1));
    }

    #[test]
    fn what_is_given_stands_with_what_comes_of_it() {
        let pieces = texts(
            "It cools. Given this door:\n\n```\ndoor = 1\n```\n\nand this wood:\n\n```\nwood = 2\n```\n\nThe fire will be:\n\n```\n3\n```\n\nwhich is hot.\n\nAll is well.",
        );
        assert_eq!(pieces.len(), 2, "{pieces:?}");
        assert!(pieces[0].ends_with("3|which is hot."), "{pieces:?}");
        let consequence = texts(
            "Suppose the door is open:\n\n```\ndoor = 1\n```\n\nThe fire goes out.\n\nAll is well.",
        );
        assert!(
            consequence[0].ends_with("The fire goes out."),
            "{consequence:?}"
        );
        let example = texts(
            "For example, assuming this door:\n\n```\ndoor = 1\n```\n\nThe fire goes out.\n\nAll is well.",
        );
        assert!(example[0].ends_with("The fire goes out."), "{example:?}");
    }

    #[test]
    fn what_promises_something_stands_with_it_and_a_half_with_its_other_half() {
        let told =
            "The kiln burns dry wood and coal, and a little straw when it is cold. ".repeat(3);
        let pieces = texts(&format!(
            "{told}Some rules follow.\n\nNever open it.\n\nThe fire goes\n\nout when it rains.\n\nIt is red."
        ));
        let last: Vec<&str> = pieces
            .iter()
            .rev()
            .take(3)
            .rev()
            .map(String::as_str)
            .collect();
        assert_eq!(
            last,
            [
                "Some rules follow.|Never open it.",
                "The fire goes|out when it rains.",
                "It is red."
            ]
        );
    }

    #[test]
    fn the_steps_behind_a_first_one_stand_with_it() {
        let pieces = texts(
            "Search the line and put this there:\n\n```\nkiln unstable\n```\n\nReplace it with this one:\n\n```\nkiln testing\n```\n\nFinally, remove the file.\n\nAll is well.",
        );
        assert_eq!(pieces.len(), 2, "{pieces:?}");
        assert!(
            pieces[0].ends_with("kiln testing|Finally, remove the file."),
            "{pieces:?}"
        );
    }

    #[test]
    fn what_says_that_there_are_things_stands_with_their_list() {
        let told =
            "The kiln burns dry wood and coal, and a little straw when it is cold. ".repeat(3);
        let pieces = texts(&format!(
            "{told}There are three doors.\n\n- The first opens.\n- The second is shut.\n- The third is a wall.\n"
        ));
        let last = pieces.last().unwrap();
        assert!(
            last.starts_with("There are three doors.|The first"),
            "{pieces:?}"
        );
    }

    #[test]
    fn what_is_done_first_stands_with_what_is_done_then() {
        let source = "It is so.\n\nFirst, shut the door.\n\n```\nkilnctl shut\n```\n\nThe fire needs a file:\n\n```\nheat = 9\n```\n\nThen light it.\n\n```\nkilnctl light\n```\n\nAll is well.";
        let pieces = texts(source);
        assert_eq!(pieces.len(), 3, "{pieces:?}");
        assert!(pieces[1].starts_with("First, shut") && pieces[1].ends_with("kilnctl light"));
        let told = texts("First, there was clay.\n\nIt was red.\n\nThen came fire.");
        assert_eq!(told.len(), 3, "{told:?}");
    }

    #[test]
    fn code_stands_with_the_note_that_says_how_it_is_read() {
        for note in [
            "(The numbers of the lines were added.)",
            "Here, `DOOR` is any door.",
        ] {
            let pieces = texts(&format!(
                "A rule is this:\n\n```\n1 fire:\n```\n\n{note}\n\nAll is well."
            ));
            assert_eq!(pieces.len(), 2, "{pieces:?}");
        }
    }

    #[test]
    fn how_things_were_stands_with_how_they_are() {
        let told =
            "The kiln burns dry wood and coal, and a little straw when it is cold. ".repeat(3);
        let pieces = texts(&format!(
            "{told}Kiln 1.8 and earlier had one door. Kiln 1.9 has two. It is red."
        ));
        let whole = "Kiln 1.8 and earlier had one door. Kiln 1.9 has two.";
        assert!(pieces.iter().any(|piece| piece == whole), "{pieces:?}");
    }

    #[test]
    fn a_table_whose_addresses_take_more_than_its_words_is_shown_without_them() {
        let row = |name: &str, said: &str| {
            format!("| [{name}](https://kilns.example/packages/{name}/index.html) | {said} |\n")
        };
        let table = |said: &str| {
            let rows: String = ["oak", "ash", "elm"].map(|name| row(name, said)).concat();
            format!("| name | heat |\n| --- | --- |\n{rows}")
        };
        let shown = |source: String| {
            let blocks = markdown::read(source).blocks;
            let (pieces, _) = pieces(&blocks, 0..blocks.len(), false, usize::MAX);
            let blocks = pieces.into_iter().flat_map(|piece| piece.blocks);
            skillkiln_document::markdown::write(&blocks.collect::<Vec<_>>())
        };
        assert!(!shown(table("hot")).contains("https"));
        assert!(shown(table(&"it is hot ".repeat(9))).contains("https"));
        let home = table("hot").replace("[oak]", "[Home]");
        let home = home.replace("[ash]", "[Home]").replace("[elm]", "[Home]");
        assert!(shown(home).contains("https"));
    }

    #[test]
    fn a_question_stands_with_its_answer() {
        let source = "# Kilns\n\nSo what did that code do?\n\n1. It loads the kiln.\n2. It lights it.\n\nThat is all. Why is it so hot?\n\nThe wood is dry. It burns.\n";
        assert_eq!(
            texts(source),
            [
                "Kilns",
                "So what did that code do?|It loads the kiln.\nIt lights it.",
                "That is all. Why is it so hot?|The wood is dry. It burns."
            ]
        );
    }

    #[test]
    fn what_announces_only_other_sections_announces_nothing() {
        assert_eq!(
            texts("A kiln is an emitter with the following events."),
            Vec::<String>::new()
        );
        let told =
            "The kiln burns dry wood and coal, and a little straw when it is cold. ".repeat(3);
        let pieces = texts(&format!("{told}It knows the events listed below."));
        assert_eq!(pieces.len(), 3, "{pieces:?}");
    }

    #[test]
    fn a_sentence_that_goes_on_behind_its_code_stands_with_that() {
        let pieces = texts(
            "Instead of\n\n```\nkilnctl burn\n```\n\nyou should use\n\n```\nkilnctl heat\n```\n\nA kiln burns wood.",
        );
        assert_eq!(
            pieces,
            [
                "Instead of|kilnctl burn|you should use|kilnctl heat",
                "A kiln burns wood."
            ]
        );
    }

    #[test]
    fn what_is_shown_as_wrong_stands_with_what_is_right_or_not_at_all() {
        let wrong = "A kiln is lit so:\n\n```sh\n# WRONG: the door is open\nkilnctl light\n```";
        let right = "Close the door first.\n\n```sh\nkilnctl light --shut\n```";
        assert_eq!(texts(wrong), [""; 0]);
        let pieces = texts(&format!("{wrong}\n\n{right}"));
        assert_eq!(pieces.len(), 1);
        assert!(pieces[0].ends_with("Close the door first.|kilnctl light --shut"));
        assert_eq!(
            texts(&wrong.replace("WRONG: the door is open", "NEVER DO THIS")),
            [""; 0]
        );
        let told = "```sh\nkilnctl light\n```\n\nThis naive way is wrong: the door is open.";
        let pieces = texts(&format!("{told}\n\n{right}"));
        assert!(pieces[0].starts_with("kilnctl light|This naive way") && pieces.len() == 1);
    }

    #[test]
    fn what_is_against_a_thing_stands_with_what_is_for_it() {
        let pieces = texts(
            "Wood has advantages:\n\n- It is cheap.\n\nBut there are disadvantages:\n\n- It smokes.\n\nBricks are red.",
        );
        assert_eq!(
            pieces,
            [
                "Wood has advantages:|It is cheap.|But there are disadvantages:|It smokes.",
                "Bricks are red."
            ]
        );
    }

    #[test]
    fn of_a_list_only_the_item_that_names_a_home_is_left_out() {
        let source = "It is called so:\n\n- kilnctl /home/potter/kiln\n- kilnctl /srv/kiln\n- kilnctl .\n\nIt burns.";
        let blocks = document(source).blocks;
        let (pieces, is_broken) = pieces(&blocks, 0..blocks.len(), false, usize::MAX);
        let text: String = pieces
            .iter()
            .map(|piece| blocks_text(&piece.blocks))
            .collect();
        assert!(text.contains("It is called so:") && text.contains("/srv/kiln"));
        assert!(
            text.contains("It burns.") && !text.contains("potter"),
            "{text}"
        );
        assert!(is_broken);
    }

    #[test]
    fn a_note_on_what_is_unfinished_stays_in_the_references() {
        let pieces = texts("The kiln burns wood.\n\nTODO: say which wood.\n\nIt never burns coal.");
        assert_eq!(pieces, ["The kiln burns wood.", "It never burns coal."]);
    }

    #[test]
    fn what_follows_a_command_that_is_left_out_may_lean_on_it_and_is_left_out_too() {
        let pieces = texts(
            "The kiln burns wood.\n\nSave it as /home/potter/kilns here.\n\nThis writes the file mentioned above.",
        );
        assert_eq!(pieces, ["The kiln burns wood."]);
    }

    #[test]
    fn a_sentence_that_goes_on_in_the_list_below_it_stands_with_that() {
        let pieces = texts("It burns wood. Among other things it has\n\n- a door,\n- a roof.");
        assert_eq!(pieces.len(), 1, "{pieces:?}");
    }

    #[test]
    fn whose_text_it_is_stays_in_the_references_and_how_it_works_by_default_does_not() {
        let pieces = texts(
            "Version 5.9 (2022-11-10)\n\nCopyright 2022 Kim Potter\n\nBy default the door is open.",
        );
        assert_eq!(pieces, ["By default the door is open."]);
    }

    #[test]
    fn a_paragraph_that_speaks_of_what_follows_stands_with_it() {
        let pieces = texts(
            "The following is a whole kiln.\n\n```\nkilnctl open\n```\n\nA kiln burns wood.\n\n```\nkilnctl burn\n```\n",
        );
        assert_eq!(
            pieces,
            [
                "The following is a whole kiln.|kilnctl open",
                "A kiln burns wood.",
                "kilnctl burn"
            ]
        );
    }

    #[test]
    fn a_sentence_that_announces_stands_with_what_it_announces_though_others_follow_it() {
        let told =
            "A kiln is looked after by whoever built it, and by nobody else at all. ".repeat(3);
        let pieces = texts(&format!(
            "{told}It reads its orders from the files in the following list. Each may hold any order.\n\n- kiln.ini\n- fire.ini\n"
        ));
        assert_eq!(
            pieces.last().unwrap(),
            "It reads its orders from the files in the following list. Each may hold any order.|kiln.ini\nfire.ini"
        );
    }

    #[test]
    fn what_begins_with_the_code_above_it_stands_with_that() {
        let told = texts("```\nfire\n```\n\nThe fire above is the simplest one.\n\nIt is hot.\n");
        assert_eq!(
            told,
            ["fire|The fire above is the simplest one.", "It is hot."]
        );
    }

    #[test]
    fn an_item_that_breaks_off_stands_with_the_code_below_it() {
        let told = texts(
            "- A kiln burns.\n- Where a door is missing the kiln prints\n\n```\nno door\n```\n\nIt is then shown with this command.\n\n```\nfire\n```\n",
        );
        assert_eq!(
            told,
            [
                "A kiln burns.\nWhere a door is missing the kiln prints|no door",
                "It is then shown with this command.|fire"
            ]
        );
    }

    #[test]
    fn an_item_that_is_only_called_something_stands_with_what_is_quoted_below_it() {
        let told =
            "It is heated by wood, that is dry and burns for a long while in there. ".repeat(20);
        let source = format!("- Many pots\n\n> {told}\n\nIt burns.");
        let blocks = markdown::read(source).blocks;
        let (pieces, _) = pieces(&blocks, 0..blocks.len(), false, usize::MAX);
        let own: Vec<usize> = pieces.iter().map(|piece| piece.blocks.len()).collect();
        assert_eq!(own, [2, 1]);
    }

    #[test]
    fn a_short_list_that_is_announced_is_shown_as_a_whole() {
        let item = |number: usize| {
            format!(
                "- It opens {} {number}.\n",
                "a chamber of the kiln ".repeat(18)
            )
        };
        let list: String = (1..=3).map(item).collect();
        assert_eq!(
            texts(&format!("Note the following doors:\n\n{list}")).len(),
            1
        );
        let many: String = (1..=9).map(item).collect();
        assert_eq!(
            texts(&format!("Note the following doors:\n\n{many}")).len(),
            9
        );
    }

    #[test]
    fn a_question_is_a_name_though_it_is_long() {
        let asked = "How do I keep the door of the kiln shut while it burns?";
        let told = "It is heated by wood. ".repeat(80);
        let source = format!("- **{asked}** {told}\n- **Why?** {told}\n");
        let blocks = markdown::read(source).blocks;
        let (pieces, _) = pieces(&blocks, 0..blocks.len(), false, usize::MAX);
        let names: Vec<String> = pieces
            .iter()
            .flat_map(|piece| &piece.names)
            .map(|name| plain(name))
            .collect();
        assert_eq!(names, [asked, "Why?"]);
    }

    /// A list of doors, too long to stand together.
    pub(in super::super) fn long_items(count: usize) -> String {
        let item = |number: usize| {
            format!(
                "- **door {number}** opens {}.\n",
                "a chamber of the kiln ".repeat(12)
            )
        };
        (1..=count).map(item).collect()
    }

    #[test]
    fn a_way_through_menus_is_no_trail_of_pages() {
        let step = "Step 4. In the window, select Kiln > the door > Open.";
        assert_eq!(texts(step), [step]);
        assert_eq!(texts("Home > Kilns > Doors\n\nIt burns."), ["It burns."]);
    }

    #[test]
    fn a_list_is_not_cut_whose_entries_were_counted_or_are_ticked_off() {
        let list = long_items(5);
        assert_eq!(texts(&format!("It has many doors:\n\n{list}")).len(), 5);
        assert_eq!(texts(&format!("It has five doors:\n\n{list}")).len(), 1);
        let boxes = list.replace("- **", "- [ ] **");
        assert_eq!(texts(&format!("Before the fire:\n\n{boxes}")).len(), 1);
    }
}
