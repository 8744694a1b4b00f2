//! Owns the SKILL.md of a short source: all of it, to the letter.

use super::compose::same_words;
use super::heading_words::is_structural;
use super::loaders;
use super::outline::{block_text, is_generic, is_imprint_in, unnumbered};
use super::page::Page;
use super::pointers::go_on;
use super::project::is_titled;
use super::references::Reference;
use super::talks::told::is_untold;
use crate::pipeline::product::Origin;
use crate::pipeline::scaffold::{THE_REST, WHEN_NEEDED};
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{Inline, plain};

/// A source within these bounds is its own best skill.
const WHOLE_TOKENS_MAX: usize = 4_000;
const WHOLE_LINES_MAX: u32 = 420;
/// Of a longer text no body is tried.
const WHOLE_BYTES_MAX: usize = 16 * WHOLE_TOKENS_MAX;

/// So much of code that is left out is shown at least, if any.
const BEGINNING_LINES_MIN: usize = 5;

/// The title is repeated within so many blocks of the first.
const REPEATED_WITHIN: usize = 3;

/// A short source as SKILL.md.
pub(super) struct Whole {
    /// SKILL.md.
    pub(super) page: Page,
    /// Whether all of the source stands in it, so that no reference is needed.
    pub(super) is_complete: bool,
}

impl Whole {
    /// Of a text of which something is left out beforehand.
    pub(super) fn in_part(self) -> Self {
        Self {
            is_complete: false,
            ..self
        }
    }
}

/// SKILL.md with the whole of `blocks`, to the letter, when that fits. A sentence that ages or points at another stays: beside all
/// that it speaks of it is the source's own, and what follows it leans on it. Only code that arguments would change is left out: with
/// what leads to it, or, where `references` are known, for a line that says in which of them it stands.
pub(super) fn whole(
    header: &str,
    title: &str,
    blocks: &[Block],
    origin: &Origin,
    references: &[Reference],
) -> Option<Whole> {
    if is_longer(blocks, WHOLE_BYTES_MAX) {
        return None;
    }
    let is_complete = !blocks.iter().any(changes);
    let points = !references.is_empty();
    let mut left_out = vec![false; blocks.len()];
    for (at, (block, is_left_out)) in blocks.iter().zip(&mut left_out).enumerate() {
        *is_left_out = changes(block) || is_untold(block) || says_nothing(blocks, at, title);
    }
    // What leads to code goes with it.
    for at in 1..blocks.len() {
        let is_led_to = blocks.get(at).is_some_and(changes);
        let leads = blocks.get(at - 1).is_some_and(leads_on);
        if is_led_to
            && leads
            && !points
            && let Some(is_left_out) = left_out.get_mut(at - 1)
        {
            *is_left_out = true;
        }
    }
    let kept = |at: usize| !left_out.get(at).copied().unwrap_or_default();
    let mut own = blocks.iter().enumerate().filter(|(at, _)| kept(*at));
    if own.any(|(_, block)| loaders::take_arguments(std::slice::from_ref(block))) {
        return None;
    }
    let mut page = Page::new(None).telling_moments(origin);
    page.add(header, None);
    let header_tokens = page.tokens();
    let mut rest: &[Block] = blocks;
    let first = (0..blocks.len()).find(|at| kept(*at));
    let first_kept = first.and_then(|at| blocks.get(at));
    let span = first_kept.map(|block| block.span.clone());
    if let (
        Some(at),
        Some(Block {
            kind: BlockKind::Heading { text, .. } | BlockKind::Paragraph(text),
            ..
        }),
    ) = (first, first_kept)
        && (at + 1..blocks.len()).any(kept)
        && is_titled(title, &plain(text))
    {
        rest = blocks.get(at + 1..).unwrap_or_default();
    }
    page.add_heading(1, title, span.as_ref());
    let mut pointed: Option<&Reference> = None;
    // Whose a text is and who may copy it stands before its first section, and is what its reader looks for last.
    let is_heading = |block: &Block| matches!(block.kind, BlockKind::Heading { .. });
    let offset = blocks.len() - rest.len();
    let sections = offset + rest.iter().position(is_heading).unwrap_or_default();
    let mut imprint: Vec<&Block> = Vec::new();
    for (block, at) in rest.iter().zip(offset..) {
        if kept(at) && at < sections && tells_rights(block) {
            imprint.push(block);
        } else if kept(at) {
            page.add_section(1, std::slice::from_ref(block));
            pointed = None;
        } else if points && changes(block) {
            let file = references.iter().find(|file| file.blocks.contains(&at))?;
            let begins = beginning(block);
            let lead = begins.as_ref().map_or(WHEN_NEEDED, |_| THE_REST);
            let is_pointed_at = pointed.is_some_and(|last| std::ptr::eq(last, file));
            if let Some(begins) = begins {
                page.add_section(1, &[begins]);
            } else if is_pointed_at {
                continue;
            }
            page.add(&go_on(&[file], &[(lead, Vec::<Vec<Inline>>::new())]), None);
            pointed = Some(file);
        }
    }
    for block in imprint {
        page.add_section(1, std::slice::from_ref(block));
    }
    (page.tokens() - header_tokens <= WHOLE_TOKENS_MAX && page.lines() <= WHOLE_LINES_MAX)
        .then_some(Whole { page, is_complete })
}

/// Whether a block says whose a text is and who may copy it; of which version it is stands above what it tells.
fn tells_rights(block: &Block) -> bool {
    const RIGHTS: [&str; 6] = ["©", "copyright", "licen", "permission", "rights", "warrant"];
    let lower = block_text(block).to_lowercase();
    RIGHTS.iter().any(|word| lower.contains(word)) && is_imprint_in(std::slice::from_ref(block))
}

/// Whether a block is code that arguments would change.
fn changes(block: &Block) -> bool {
    matches!(block.kind, BlockKind::Code { .. })
        && loaders::take_arguments(std::slice::from_ref(block))
}

/// The beginning of code that arguments would change: the lines before the first of those, to the end of a passage if it has one.
fn beginning(block: &Block) -> Option<Block> {
    let BlockKind::Code { language, text } = &block.kind else {
        return None;
    };
    let lines = text.lines();
    let clean = lines.take_while(|line| !loaders::is_argument(line)).count();
    let lines: Vec<&str> = text.lines().take(clean).collect();
    let passage = lines.iter().rposition(|line| line.trim().is_empty());
    let end = passage.filter(|end| *end >= BEGINNING_LINES_MIN);
    let lines = lines.get(..end.unwrap_or(lines.len()))?;
    let kind = BlockKind::Code {
        language: language.clone(),
        text: lines.join("\n"),
    };
    (lines.len() >= BEGINNING_LINES_MIN).then(|| Block {
        kind,
        span: block.span.clone(),
    })
}

/// Whether a paragraph announces what follows it.
fn leads_on(block: &Block) -> bool {
    matches!(&block.kind, BlockKind::Paragraph(text) if plain(text).trim_end().ends_with([':', '：']))
}

/// Whether a block is a heading that tells nothing: the title once more behind it, or one of those that every text has
/// ("Description", "Contents") with nothing below it.
fn says_nothing(blocks: &[Block], at: usize, title: &str) -> bool {
    let heading = |at: usize| match blocks.get(at).map(|block| &block.kind) {
        Some(BlockKind::Heading { level, text }) => Some((*level, plain(text))),
        _ => None,
    };
    let Some((level, words)) = heading(at) else {
        return false;
    };
    let is_empty = match heading(at + 1) {
        Some((next, _)) => next <= level,
        None => at + 1 == blocks.len(),
    };
    let bare = unnumbered(&words);
    (1..=REPEATED_WITHIN).contains(&at) && same_words(&words, title)
        || is_empty && at > 0 && (is_generic(&bare) || is_structural(&bare))
}

fn is_longer(blocks: &[Block], bytes_max: usize) -> bool {
    let mut bytes = 0;
    blocks.iter().any(|block| {
        bytes += block_text(block).len();
        bytes > bytes_max
    })
}

#[cfg(test)]
mod tests {
    use super::{says_nothing, whole};
    use crate::pipeline::synthesize::outline::Outline;
    use crate::pipeline::synthesize::references;
    use crate::pipeline::synthesize::testing::{document, origin};

    #[test]
    fn a_heading_without_text_and_the_title_once_more_say_nothing() {
        let void = |source: &str| -> Vec<usize> {
            let blocks = document(source).blocks;
            let all = 0..blocks.len();
            all.filter(|at| says_nothing(&blocks, *at, "Kilns"))
                .collect()
        };
        assert_eq!(void("# Kilns\n\nmod kilns\n\n## Kilns\n\nThey burn."), [2]);
        assert_eq!(void("# Kilns\n\n## Description\n\n## 2. Overview"), [1, 2]);
        assert!(void("# Kilns\n\n## Description\n\nThey burn.\n\n## Close the door").is_empty());
    }

    #[test]
    fn whose_a_text_is_stands_behind_what_it_tells() {
        let written = |text: &str| {
            let blocks = document(text).blocks;
            let whole = whole("", "Kilns", &blocks, &origin(), &[]).unwrap();
            whole.page.finish().0
        };
        let text = written(
            "# Kilns\n\nCopyright (c) 2024 Ada Lee\n\nThey burn.\n\n## Doors\n\nThey open.",
        );
        let copyright = text.find("Copyright").unwrap();
        assert!(copyright > text.find("They open.").unwrap(), "{text}");
        let text = written("# Kilns\n\nThey burn.\n\nCopyright (c) 2024 Ada Lee");
        assert!(text.contains("Copyright"), "{text}");
    }

    #[test]
    fn what_leads_to_code_that_is_left_out_is_left_out_with_it() {
        let text = "# Kilns\n\nThey burn.\n\nFor example:\n\n```\nfire $1\n```\n\nIt is hot.\n\nSo is this:\n\n```\nfire\n```";
        let blocks = document(text).blocks;
        let written = whole("", "Kilns", &blocks, &origin(), &[]).unwrap();
        assert!(!written.is_complete);
        let (text, _) = written.page.finish();
        assert!(
            !text.contains("For example") && text.contains("So is this:"),
            "{text}"
        );
    }

    #[test]
    fn code_that_is_left_out_is_pointed_at_and_begins_where_it_can() {
        let text = "# Kilns\n\nThey burn.\n\nFor example:\n\n```\nfire $1\n```\n\nSo is this:\n\n```yaml\na: 1\nb: 2\nc: 3\nd: 4\ne: 5\nf: $1\ng: 7\n```";
        let blocks = document(text).blocks;
        let outline = Outline::of(&blocks);
        let (references, _) = references::write(&blocks, &outline, "Kilns", &origin()).unwrap();
        let written = whole("", "Kilns", &blocks, &origin(), &references).unwrap();
        assert!(!written.is_complete);
        let (text, _) = written.page.finish();
        let link = format!("[{}]({})", references[0].title, references[0].file.filename);
        assert!(
            text.contains(&format!("For example:\n\nRead {link} when you need it.\n")),
            "{text}"
        );
        assert!(
            text.contains(&format!(
                "d: 4\ne: 5\n```\n\nRead {link} when you need the rest."
            )),
            "{text}"
        );
        assert!(!text.contains("$1"), "{text}");
    }
}
