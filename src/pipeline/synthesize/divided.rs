//! Owns the headings that a long text without any gets, so that a reader finds the way: each made of the words that follow it.

use super::loaders;
use super::outline::block_text;
use super::portions::{Measure, cut};
use super::wording::is_unfinished;
use super::words::is_ideograph;
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::markdown;
use skillkiln_document::text::{Inline, plain, squash};

/// After so many lines, a heading is made.
const LINES_WITHOUT_HEADING: usize = 45;

/// Longest heading that is made.
const OPENING_CHARS_MAX: usize = 60;

/// A long text without headings of its own, with headings made of the words that follow them; `None` when it has its own.
pub(super) fn divided(title: &str, content: &[Block]) -> Option<Vec<Block>> {
    let is_title = |block: &Block| matches!(&block.kind, BlockKind::Heading { text, .. } if squash(&plain(text)) == title);
    let is_divided = content.iter().enumerate().any(|(offset, block)| {
        matches!(block.kind, BlockKind::Heading { .. }) && !(offset == 0 && is_title(block))
    });
    if is_divided {
        return None;
    }
    let level = match content.first().map(|block| &block.kind) {
        Some(BlockKind::Heading { level, .. }) => level.saturating_add(1).min(6),
        _ => 2,
    };
    let content = &entries_lifted(content);
    // Code tells little by its first line: it is headed where it is long, and sooner only where nothing else is.
    let made = with_headings(content, level, LINES_WITHOUT_HEADING * 2);
    if made.len() > content.len() {
        return Some(made);
    }
    Some(with_headings(content, level, LINES_WITHOUT_HEADING))
}

/// The same with what is said of a term that stands alone as text of its own below the term, where that is long: an entry cannot be cut.
fn entries_lifted(content: &[Block]) -> Vec<Block> {
    let mut out = Vec::with_capacity(content.len());
    for block in content {
        let lines = || markdown::write(std::slice::from_ref(block)).lines().count();
        match &block.kind {
            BlockKind::Definitions(entries) if lines() > LINES_WITHOUT_HEADING * 2 => {
                let [entry] = entries.as_slice() else {
                    out.push(block.clone());
                    continue;
                };
                let mut terms: Vec<Inline> = Vec::new();
                for term in &entry.terms {
                    if !terms.is_empty() {
                        terms.push(Inline::Text(", ".to_owned()));
                    }
                    terms.push(Inline::Strong(term.clone()));
                }
                out.push(Block {
                    kind: BlockKind::Paragraph(terms),
                    span: block.span.clone(),
                });
                out.extend(entry.blocks.iter().cloned());
            }
            _ => out.push(block.clone()),
        }
    }
    out
}

/// The same with headings of a level, over code after so many lines.
fn with_headings(content: &[Block], level: u8, code_after: usize) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::with_capacity(content.len() + content.len() / 16);
    let mut lines = 0;
    for block in content {
        let own = markdown::write(std::slice::from_ref(block)).lines().count() + 1;
        let parts = if own > LINES_WITHOUT_HEADING * 2 {
            cut(block, LINES_WITHOUT_HEADING, Measure::Lines)
        } else {
            vec![block.clone()]
        };
        let own = own / parts.len().max(1);
        let is_cut = parts.len() > 1;
        for part in parts {
            let is_due = match &part.kind {
                BlockKind::Code { .. } | BlockKind::Math(_) | BlockKind::Figure { .. } => {
                    lines.max(own) >= code_after
                }
                _ => {
                    lines >= LINES_WITHOUT_HEADING
                        || (lines > 0 && lines + own >= LINES_WITHOUT_HEADING * 2)
                        || is_cut
                }
            };
            // What is announced stays with what announces it.
            let at = out.len() - usize::from(out.last().is_some_and(announces));
            let first = out.get(at).unwrap_or(&part);
            if is_due
                && !(at > 1 && is_heading(out.get(at - 1)))
                && let Some(opening) = opening(first, at.checked_sub(1).and_then(|at| out.get(at)))
            {
                let span = Span::of(first.span.bytes.clone());
                let text = loaders::set_apart(opening.into());
                let kind = BlockKind::Heading { level, text };
                out.insert(at, Block { kind, span });
                lines = 0;
            }
            lines += own;
            out.push(part);
        }
    }
    out
}

fn is_heading(block: Option<&Block>) -> bool {
    block.is_some_and(|block| matches!(block.kind, BlockKind::Heading { .. }))
}

/// Whether running text begins here, with words: what is left of a sentence that the block before does not end, a formula, digits and
/// who wrote an entry of a bibliography would head nothing.
fn begins_to_tell(text: &str, before: Option<&Block>) -> bool {
    let text = text.trim_start();
    let goes_on = text.chars().next().is_some_and(char::is_lowercase)
        && before.is_some_and(|block| {
            let is_text = matches!(block.kind, BlockKind::Paragraph(_));
            is_text
                && block_text(block)
                    .trim_end()
                    .ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '-' | '\u{ad}'))
        });
    let words = text.split_whitespace().take(8);
    let is_word = |word: &&str| {
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        letters >= 3 || word.contains(is_ideograph)
    };
    let are_initials = text.split_whitespace().take(2).any(|word| {
        word.len() >= 2
            && word.ends_with('.')
            && word.split('.').all(|part| part.len() <= 1)
            && word.starts_with(char::is_uppercase)
    });
    let told = words.filter(is_word).count();
    !goes_on && !are_initials && (told >= 2 || text.contains(is_ideograph))
}

/// The first words of a block, as a heading over it, behind the block before.
fn opening(block: &Block, before: Option<&Block>) -> Option<String> {
    let text = block_text(block);
    if matches!(block.kind, BlockKind::Paragraph(_)) && !begins_to_tell(&text, before) {
        return None;
    }
    let is_code = matches!(block.kind, BlockKind::Code { .. });
    let mut lines = text.lines().map(squash).map(|line| match is_code {
        true => without_mark(&line).to_owned(),
        // "... then you may", and not ".NET is".
        false if line.starts_with("..") => line.trim_start_matches(['.', ' ']).to_owned(),
        false => line.trim_start_matches(['…', ' ']).to_owned(),
    });
    let first = lines.find(|line| line.contains(char::is_alphanumeric))?;
    // No word is cut: half of an address is another address.
    let mut opening = String::new();
    for word in first.split(' ').take(8) {
        if opening.chars().count() + word.chars().count() >= OPENING_CHARS_MAX {
            // A script without spaces is cut between its characters.
            if opening.is_empty() && word.contains(is_ideograph) {
                opening.extend(word.chars().take(OPENING_CHARS_MAX / 2));
            }
            break;
        }
        if !opening.is_empty() {
            opening.push(' ');
        }
        opening.push_str(word);
    }
    let is_cut = opening.len() < first.len();
    let mut opening = opening
        .trim_end_matches([',', ';', ':', '.', ' '])
        .to_owned();
    let tells = opening.contains(char::is_alphanumeric) && !is_unfinished(&opening);
    // What only begins so says that it goes on.
    if is_cut && opening.contains(' ') && !opening.ends_with('…') {
        opening.push_str(" …");
    }
    tells.then_some(opening)
}

/// What a remark in code says, without what makes it one: "Opens the door" of "-- | Opens the door" and of "/** Opens the door".
fn without_mark(line: &str) -> &str {
    let rest = line.trim_start_matches(['-', '/', '*', '#', ';', '%', '|', '!', ' ']);
    let mark = line.len() - rest.len();
    // `--open` and `#include` are no remarks, and an item of YAML has a hyphen.
    let mark = line.get(..mark).unwrap_or_default();
    match mark.ends_with(' ') && mark != "- " {
        true => rest.trim_end_matches("*/").trim_end(),
        false => line,
    }
}

/// Whether a block says that something follows.
fn announces(block: &Block) -> bool {
    matches!(&block.kind, BlockKind::Paragraph(text) if plain(text).trim_end().ends_with([':', '：']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::blocks::Definition;

    fn content(markdown: &str) -> Vec<Block> {
        skillkiln_readers::markup::markdown::read(markdown.to_owned()).blocks
    }

    fn headings(title: &str, content: &[Block]) -> Option<Vec<String>> {
        let out = divided(title, content)?;
        let headings = out.iter().filter(|block| is_heading(Some(block)));
        Some(
            headings
                .map(|block| block_text(block).trim().to_owned())
                .collect(),
        )
    }

    #[test]
    fn a_list_of_sixty_lines_after_forty_of_text_begins_under_a_heading() {
        let about = |number: usize| format!("Stage {number} heats the shelf below it.\n\n");
        let entry =
            |number: usize| format!("- `stage_{number}()` begins.\n\n  It may be called once.\n\n");
        let abouts: String = (0..20).map(about).collect();
        let entries: String = (0..14).map(entry).collect();
        let content = content(&format!("# Stages\n\n{abouts}{entries}"));
        assert_eq!(
            headings("Stages", &content).unwrap(),
            ["Stages", "stage_0() begins"]
        );
    }

    #[test]
    fn a_single_entry_that_is_long_is_text_below_its_term() {
        let about = |number: usize| {
            let text = format!("Stage {number} heats the shelf below it.");
            Block {
                kind: BlockKind::Paragraph(vec![Inline::Text(text)]),
                span: Span::default(),
            }
        };
        let entry = Definition {
            terms: vec![
                vec![Inline::Code("fire".into())],
                vec![Inline::Code("burn".into())],
            ],
            blocks: (0..70).map(about).collect(),
        };
        let block = Block {
            kind: BlockKind::Definitions(vec![entry]),
            span: Span::default(),
        };
        let out = divided("Builtins: fire", &[block]).unwrap();
        assert_eq!(markdown::write(&out[..1]).trim(), "**`fire`**, **`burn`**");
        let headings = out.iter().filter(|block| is_heading(Some(block)));
        assert!(headings.count() >= 2);
        let few = content("# Doors\n\nfire\n: It heats.\n");
        assert_eq!(entries_lifted(&few).len(), few.len());
    }

    #[test]
    fn a_listing_that_is_announced_stays_with_what_announces_it() {
        let listing = "kiln start\n".repeat(150);
        let content = content(&format!(
            "# Recipes\n\nThese start the kiln again and again:\n\n```sh\n{listing}```\n"
        ));
        assert_eq!(
            headings("Recipes", &content).unwrap(),
            ["Recipes", "These start the kiln again and again"]
        );
    }

    #[test]
    fn two_listings_of_fifty_lines_alone_are_headed_by_their_first_lines() {
        let listing =
            |name: &str| format!("```sh\n{name} begins\n{}```\n\n", "kiln start\n".repeat(46));
        let content = content(&format!(
            "# Recipes\n\nThere are two.\n\n{}{}",
            listing("first"),
            listing("second")
        ));
        assert_eq!(
            headings("Recipes", &content).unwrap(),
            ["Recipes", "first begins", "second begins"]
        );
    }

    #[test]
    fn a_listing_that_begins_with_a_remark_is_headed_by_what_it_says() {
        for (line, said) in [
            ("-- | Opens the door", "Opens the door"),
            ("/** Opens the door", "Opens the door"),
            ("/* Opens the door. */", "Opens the door."),
            ("- name: door", "- name: door"),
            ("# Opens the door", "Opens the door"),
            ("#include <door.h>", "#include <door.h>"),
            ("--open door", "--open door"),
        ] {
            assert_eq!(without_mark(line), said);
        }
        let listing = format!("-- | Opens the door\n{}", "open :: Door\n".repeat(50));
        let listings =
            format!("# Doors\n\nThere are two.\n\n```\n{listing}```\n\n```\n{listing}```\n");
        let found = headings("Doors", &content(&listings)).unwrap();
        assert_eq!(found[1], "Opens the door");
    }

    #[test]
    fn a_heading_that_is_only_how_a_sentence_begins_says_so() {
        let told =
            "The shelf below it is heated by every one of the stages in turn.\n\n".repeat(60);
        let found = headings("Stages", &content(&format!("# Stages\n\n{told}"))).unwrap();
        assert_eq!(found[1], "The shelf below it is heated by every …");
    }

    #[test]
    fn what_is_no_beginning_of_a_sentence_heads_nothing() {
        let unended = content("It is of the kind that is called Taxon-");
        let ended = content("It is done.");
        assert!(!begins_to_tell("omy, EGGNOG and KEGG", unended.first()));
        for text in [
            "3 1",
            "(11,1,1) (1) (1,1)",
            "C.M. Hurvich and C.L. Tsai. Regression and time",
            "x = y",
            "1",
        ] {
            assert!(!begins_to_tell(text, ended.first()), "{text}");
        }
        for text in [
            "The shelf is hot.",
            "“Open it,” she says.",
            "窯を開ける",
            "1. Open the door",
            "newban <ban> <creator>",
        ] {
            assert!(begins_to_tell(text, ended.first()), "{text}");
        }
    }

    #[test]
    fn no_blank_stands_twice_where_a_heading_is_cut_before_a_mark_of_its_own() {
        let told =
            "It is a list of all the stages : with the shelf below each, and what heats it.\n\n"
                .repeat(60);
        let found = headings("Stages", &content(&format!("# Stages\n\n{told}"))).unwrap();
        assert_eq!(found[1], "It is a list of all the stages …");
    }

    #[test]
    fn no_heading_holds_half_of_an_address() {
        let entry = |number: usize| {
            format!(
                "See https://kiln.example/firing/stages/of/every/kind/and/size/{number}234567 first.\n\nThen wait.\n\n"
            )
        };
        let entries: String = (0..60).map(entry).collect();
        let found = headings("Stages", &content(&format!("# Stages\n\n{entries}"))).unwrap();
        assert!(found.len() > 2);
        assert!(
            found.iter().all(|heading| !heading.contains("https")),
            "{found:?}"
        );
    }
}
