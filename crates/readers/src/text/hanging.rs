//! Reads terms of plain text that stand on lines of their own over what they mean, which is set in below them.

use super::{DEFINED_DEPTH_MAX, Layout, Line, code, headings, joined, lists, shapes, stretch};
use crate::builder::tidy;
use crate::code_like;
use crate::gnu_quotes;
use skillkiln_document::blocks::{Block, BlockKind, Definition, Span};
use skillkiln_document::text::Inline;
use std::rc::Rc;

/// How much further than its term a meaning is set in.
const MEANING_INDENT: usize = 2;
/// The same in a file of info, for a term that is set in itself.
const MANUAL_INDENT: usize = 4;
/// A term is not longer, in characters and in words.
const TERM_CHARS_MAX: usize = 50;
const TERM_WORDS_MAX: usize = 7;
/// What goes on with a call in a file of info is set in so far below it, and takes no more lines.
const CALL_INDENT: usize = 8;
const CALL_LINES_MAX: usize = 8;
/// So many terms are told of together.
const TERMS_MAX: usize = 16;
/// A meaning has so many words at least.
const MEANING_WORDS_MIN: usize = 4;
/// A meaning whose lines are counted has no more of them.
const MEANING_LINES_MAX: usize = 1_000;

/// The term that `lines` begin with, with what it means and how many lines both take. One alone may be anything: another one stands
/// `above` it or below.
pub(super) fn definition(
    text: &str,
    lines: &[Line<'_>],
    above: Option<&Block>,
    layout: &Layout,
    depth: usize,
) -> Option<(usize, Block)> {
    if depth >= DEFINED_DEPTH_MAX || !is_entry(lines, layout) {
        return None;
    }
    let first = lines.first()?;
    let (terms, taken) = terms(lines, layout);
    let below = lines.get(taken..)?;
    // A paragraph of info begins further in than it goes on, and not as far as what means something.
    let least = match layout.is_info {
        true => below.first()?.indent,
        false => first.indent + 1,
    };
    let length = set_in_length(below, least);
    let (meaning, next) = below.split_at_checked(length)?;
    let is_defined = |block: &Block| matches!(block.kind, BlockKind::Definitions(_));
    let gap = next.iter().take_while(|line| line.words.is_empty()).count();
    let next = next.get(gap..).unwrap_or_default();
    let has_next = next
        .first()
        .is_some_and(|line| line.indent == first.indent && is_entry(next, layout));
    // Capitals alone head sections.
    let is_named = |line: &Line<'_>| line.words.contains(char::is_lowercase);
    let is_term = is_named(first) || next.first().is_some_and(is_named);
    let is_marked = defined(first, layout).is_some();
    if !(is_marked || above.is_some_and(is_defined) || has_next && is_term) {
        return None;
    }
    // In a file of info, what is set in further than what it stands among is an example.
    let indent = match layout.is_info {
        true => meaning.first()?.indent,
        false => first.indent,
    };
    let blocks = body(text, meaning, indent, layout, depth);
    let end = blocks.last()?.span.bytes.end;
    let block = Block {
        kind: BlockKind::Definitions(vec![Definition { terms, blocks }]),
        span: Span::of(first.range.start..end),
    };
    Some((lines.len() - below.len() + length, block))
}

/// What a line of info defines: `-- Function: fire (wood)`.
pub(super) fn defined<'a>(line: &Line<'a>, layout: &Layout) -> Option<&'a str> {
    let words = line.words.strip_prefix("-- ").filter(|_| layout.is_info)?;
    words.contains(": ").then(|| words.trim_start_matches(": "))
}

/// What the first of `lines` defines in a file of info, with what goes on with it right below, set in further than what it means; and
/// how many lines that takes.
pub(super) fn call(lines: &[Line<'_>], layout: &Layout) -> Option<(String, usize)> {
    let (first, below) = lines.split_first()?;
    let mut call = defined(first, layout)?.to_owned();
    let goes_on = |line: &&Line<'_>| {
        !line.words.is_empty() && line.indent >= first.indent + CALL_INDENT && !line.is_marked
    };
    let mut length = 1;
    for line in below.iter().take(CALL_LINES_MAX).take_while(goes_on) {
        call.push(' ');
        call.push_str(line.words);
        length += 1;
    }
    Some((call, length))
}

/// The terms that `lines` begin with: one, or options and functions that are told of together; and how many lines they take.
fn terms(lines: &[Line<'_>], layout: &Layout) -> (Vec<Vec<Inline>>, usize) {
    let Some(first) = lines.first() else {
        return (Vec::new(), 0);
    };
    let is_stressed = |words: &str| layout.is_info && stressed(words).is_some();
    let named = |words: &str| {
        let words = match stressed(words).filter(|_| layout.is_info) {
            Some(inner) => inner.to_owned(),
            None => gnu_quotes::straight(words).into_owned(),
        };
        tidy(vec![Inline::Text(words)])
    };
    if defined(first, layout).is_some() {
        let (mut terms, mut at) = (Vec::new(), 0);
        while let Some(rest) = lines.get(at..).filter(|_| terms.len() < TERMS_MAX)
            && rest.first().is_some_and(|line| line.indent == first.indent)
            && let Some((call, length)) = call(rest, layout)
        {
            terms.push(named(&call));
            at += length;
        }
        return (terms, at);
    }
    let are_many = first.words.starts_with("--") || is_stressed(first.words);
    let terms: Vec<Vec<Inline>> = lines
        .iter()
        .enumerate()
        .take(if are_many { TERMS_MAX } else { 1 })
        .take_while(|(at, line)| {
            let is_alike = line.words.starts_with("--") || is_stressed(line.words);
            let goes_on = is_alike && line.indent == first.indent;
            *at == 0 || goes_on && is_term(line.words, layout)
        })
        .map(|(_, line)| named(defined(line, layout).unwrap_or(line.words)))
        .collect();
    let length = terms.len();
    (terms, length)
}

/// What a term says that info stresses as a whole: `_fire_`.
fn stressed(words: &str) -> Option<&str> {
    let inner = words.strip_prefix('_')?.strip_suffix('_')?;
    (!inner.is_empty() && !inner.starts_with('_')).then_some(inner)
}

/// What stands below a term in `lines`, which are set in by `indent`.
pub(super) fn body(
    text: &str,
    lines: &[Line<'_>],
    indent: usize,
    layout: &Layout,
    depth: usize,
) -> Vec<Block> {
    let body: Vec<Line<'_>> = lines
        .iter()
        .map(|line| Line {
            indent: line.indent.saturating_sub(indent),
            ..line.clone()
        })
        .collect();
    let layout = Layout {
        margin: layout.margin + indent,
        words: layout.words.clone(),
        ahead: Rc::clone(&layout.ahead),
        ..*layout
    };
    let mut blocks = Vec::new();
    stretch(text, &body, &layout, depth + 1, &mut blocks);
    joined(blocks)
}

/// How many lines from the start are set in by `least` and more, without the empty ones at their end.
fn set_in_length(lines: &[Line<'_>], least: usize) -> usize {
    let mut length = 0;
    for (at, line) in lines.iter().take(MEANING_LINES_MAX).enumerate() {
        if line.words.is_empty() {
            continue;
        }
        if line.indent < least {
            break;
        }
        length = at + 1;
    }
    length
}

/// Whether `lines` begin with terms over a paragraph that tells what they mean.
fn is_entry(lines: &[Line<'_>], layout: &Layout) -> bool {
    let Some(first) = lines.first() else {
        return false;
    };
    let is_marked = defined(first, layout).is_some();
    if !is_marked && !is_term(first.words, layout) {
        return false;
    }
    let below = lines.get(terms(lines, layout).1..).unwrap_or_default();
    // What is set in less than that in a manual is an example, whose lines go on so.
    let by = match layout.is_info && first.indent > 0 {
        true => MANUAL_INDENT,
        false => MEANING_INDENT,
    };
    let is_set_in = below
        .first()
        .is_some_and(|line| !line.words.is_empty() && line.indent >= first.indent + by);
    is_set_in && (is_marked || is_told(below, first.indent, layout) && !is_heading(lines, layout))
}

/// Whether a paragraph that is set in further than `indent` tells what a term means. In a file of info, it stands below nothing else.
fn is_told(lines: &[Line<'_>], indent: usize, layout: &Layout) -> bool {
    // An example of info is set in further than the words that it stands among.
    let told_at = lines.first().map(|line| line.indent);
    let meaning: Vec<&str> = lines
        .iter()
        .take(MEANING_LINES_MAX)
        .take_while(|line| !line.words.is_empty() && line.indent > indent)
        .filter(|line| !layout.is_info || Some(line.indent) == told_at)
        .map(|line| line.words)
        .collect();
    let (Some(first), Some(last)) = (meaning.first(), meaning.last()) else {
        return false;
    };
    let words: usize = meaning.iter().map(|line| line.split(' ').count()).sum();
    let code = meaning.iter().filter(|line| code_like::line(line)).count();
    let is_sentence = || {
        first.starts_with(|c: char| c.is_uppercase() || "\"'`(".contains(c))
            && last.ends_with(['.', '!', '?', ')', ':'])
            && words >= MEANING_WORDS_MIN
    };
    (layout.is_info || is_sentence()) && code * 2 < meaning.len().max(1)
}

fn is_heading(lines: &[Line<'_>], layout: &Layout) -> bool {
    layout.rulers.of_manual(lines).is_some()
        || layout.rulers.underlined(lines).is_some()
        || layout.rulers.margin().is_some()
}

/// Whether a line may name what is told below it. What is a label elsewhere stands for a word in a manual: `KEY: FUNCTION`.
fn is_term(words: &str, layout: &Layout) -> bool {
    !words.is_empty()
        && words.chars().count() <= TERM_CHARS_MAX
        && words.split(' ').count() <= TERM_WORDS_MAX
        && !words.ends_with(['.', ':', ';', ',', '!', '?', '{', '\\'])
        && words.contains(char::is_alphanumeric)
        && lists::marker(words).is_none()
        && !headings::is_parting(words)
        && !headings::is_atx_heading(words)
        && (layout.is_info || !shapes::is_labelled(words))
        && !shapes::is_setting(words)
        && !code::announces(words)
}

#[cfg(test)]
mod tests {
    use crate::text::read;
    use skillkiln_document::markdown::write;

    fn written(source: &str) -> String {
        write(&read(source.to_owned()).blocks)
    }

    #[test]
    fn terms_over_what_is_set_in_below_them_are_told_apart_from_it() {
        assert_eq!(
            written(
                "Kilns of the north\n\nWhat they have, all of them:\n\n  A fire box\n     It is where the wood burns for as long as it has to.\n  Doors\n     You open them a day after.\n\n     They are heavy.\n\n\"fire()\"\n   Lights it, in these ways:\n\n   * with wood\n\n\"cool()\"\n   Puts it out and waits.\n\nThat is all.\n"
            ),
            "# Kilns of the north\n\nWhat they have, all of them:\n\n- **A fire box**: It is where the wood burns for as long as it has to.\n\n- **Doors**: You open them a day after.\n\n  They are heavy.\n\n- **\"fire()\"**: Lights it, in these ways:\n\n  - with wood\n\n- **\"cool()\"**: Puts it out and waits.\n\nThat is all.\n"
        );
    }

    #[test]
    fn one_line_over_others_verses_and_headings_are_no_terms() {
        for source in [
            "Kilns\n=====\n\nWood and fire\n   It burns for as long as it has to.\n\nThat is all.\n",
            "Kilns\n=====\n\nThe night is long\n   and dark it is.\nThe kiln is hot\n   and all is well.\n",
            "HEAT\n   It is very hot in there.\n\nWOOD\n   It burns for a long time.\n",
        ] {
            let text = written(source);
            assert!(!text.contains("**"), "{text}");
        }
    }

    #[test]
    fn terms_within_terms_are_read_once_for_each_depth() {
        let source: String = (0..400)
            .map(|n| {
                format!(
                    "{}Term\n{}It is told here.\n",
                    " ".repeat(2 * n),
                    " ".repeat(2 * n + 2)
                )
            })
            .collect();
        assert!(written(&source).contains("It is told here."));
    }

    #[test]
    fn what_info_defines_is_a_term_however_long_and_options_share_their_meaning() {
        let node = "\u{1f}\nFile: kiln.info,  Node: Heat,  Up: Top\n\n1 Heat\n******\n\nSo:\n\n -- Function: fire-the-kiln-with-all-the-wood wood heat day night [wind]\n -- : fire\n     Fires it,\n\n          (fire)\n\n";
        let text = written(node);
        assert!(
            text.contains("- **Function: fire-the-kiln-with-all-the-wood wood heat day night [wind]**, **fire**: Fires it,\n\n  ```\n  (fire)\n  ```\n"),
            "{text}"
        );
        assert_eq!(
            written(
                "Kilns\n=====\n\n--hot\n--heat\n    It is hot in there.\n\n--cold\n    It is cold in there.\n"
            ),
            "# Kilns\n\n- **--hot**, **--heat**: It is hot in there.\n- **--cold**: It is cold in there.\n"
        );
    }

    #[test]
    fn stressed_terms_of_info_that_share_a_meaning_are_told_of_together() {
        let node = "\u{1f}\nFile: kiln.info,  Node: Heat,  Up: Top\n\n1 Heat\n******\n\nSo:\n\n_fire_\n_burn_\n     Sets wood on fire.\n_cool_\n     Waits for a day, so:\n          cool(wood);\n          cool(coal);\n          cool(gas);\n\n";
        let text = written(node);
        assert!(
            text.contains("- **fire**, **burn**: Sets wood on fire.\n\n- **cool**: Waits for a day, so:\n\n  ```\n  cool(wood);"),
            "{text}"
        );
    }

    #[test]
    fn paragraphs_around_what_info_defines_are_no_part_of_it() {
        let node = "\u{1f}\nFile: kiln.info,  Node: Heat,  Up: Top\n\n1 Heat\n******\n\nSo:\n\n -- Function: fire wood\n     Fires it with one of these:\n      -- Variable: OAK\n          Burns for long.\n      -- Variable: ASH\n          Burns clean.\n     It is hot then.\n\n   To see whether the kiln is hot, look at it by day.  For\nexample from behind.\n\n";
        let text = written(node);
        assert!(
            text.ends_with("- **Function: fire wood**: Fires it with one of these:\n\n  - **Variable: OAK**: Burns for long.\n  - **Variable: ASH**: Burns clean.\n\n  It is hot then.\n\nTo see whether the kiln is hot, look at it by day. For example from behind.\n"),
            "{text}"
        );
    }
}
