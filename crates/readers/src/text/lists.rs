//! Reads the lists of plain text, lists within lists, by their marks and their indentation.

use super::{Layout, Line, code, glue, headings, info, running, shapes, signs, typed, valued};
use crate::line_ends::goes_on_over;
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::text::{Inline, is_ideographic, plain, squash};

/// Who signs a text is called by no more words.
const SIGNED_WORDS_MAX: usize = 5;

/// Deepest list in a list that is kept; what lies deeper joins the last.
const DEPTH_MAX: usize = 12;

/// What belongs to an item is indented further than its mark by this much at least.
const ITEM_INDENT: usize = 2;

/// What begins so much further left than an item does not belong to it.
const OUTSIDE_INDENT: usize = 4;

/// Nobody breaks lines that are not longer, in columns.
const ROOM_COLUMNS: usize = 50;

/// The label of an item is not longer, in words.
const LABEL_WORDS_MAX: usize = 4;

/// The mark of a list item at the start of a line: its length and its number.
pub(super) fn marker(words: &str) -> Option<(usize, Option<u64>)> {
    let mut characters = words.chars();
    let first = characters.next()?;
    if matches!(first, '-' | '*' | '+' | '•' | '‣' | '◦' | '–') {
        let second = characters.next()?;
        return (matches!(second, ' ' | '\t') && words.len() > 2)
            .then_some((first.len_utf8() + 1, None));
    }
    if first == '−' {
        let is_mark = is_said_behind_minus(characters.as_str());
        return is_mark.then_some((first.len_utf8() + 1, None));
    }
    if first == '·' {
        return is_dotted(characters.as_str()).then_some((first.len_utf8() + 1, None));
    }
    let digits = words.bytes().take_while(u8::is_ascii_digit).count();
    let after = words.get(digits..)?;
    let is_mark = [". ", ") ", ".\t", ")\t"]
        .iter()
        .any(|mark| after.starts_with(mark));
    if (1..=3).contains(&digits) && is_mark {
        return Some((digits + 2, words.get(..digits)?.parse().ok()));
    }
    None
}

/// Whether what stands behind a sign of minus is an item, as makeinfo marks them with it: words, and no terms of a formula.
fn is_said_behind_minus(behind: &str) -> bool {
    let words = behind.strip_prefix(' ').unwrap_or_default();
    let letters = words.chars().filter(|c| c.is_alphabetic()).count();
    words.starts_with(|c: char| c.is_alphabetic() || c == '‘')
        && letters > 2
        && !words.contains(['=', '+', '−', '^', '·', '×', '*'])
}

/// Takes the mark of an item that says nothing from each line that begins with another item right behind it: `*    * Heat`, which
/// browsers that write text make of a list within a list.
pub(super) fn open(lines: &mut [Line<'_>]) {
    const GAPS: std::ops::RangeInclusive<usize> = 4..=6;
    for line in lines {
        while let Some(behind) = line.words.strip_prefix("* ") {
            let words = behind.trim_start();
            let gap = line.words.len() - words.len();
            if !GAPS.contains(&gap) || !words.starts_with("* ") {
                break;
            }
            line.words = words;
            line.range.start += gap;
            line.lead += gap;
            line.indent += gap;
        }
    }
}

/// Whether what stands behind a dot at half height is an item: some words, and no row of links or factors that are parted by such dots.
fn is_dotted(behind: &str) -> bool {
    let words = behind.strip_prefix([' ', '\t']).unwrap_or_default();
    let letters = words.chars().filter(|c| c.is_alphabetic()).count();
    words.starts_with(|c: char| !c.is_whitespace() && !c.is_ascii_digit())
        && (letters > 2 || words.contains(is_ideographic))
        && !words.contains(" · ")
}

/// Whether an item begins with `line` right below the words of the line `above`: a number may as well be their end, as in "file
/// descriptor 2) of it".
pub(super) fn interrupts(above: &Line<'_>, line: &Line<'_>) -> bool {
    // A dot at half height may part factors, or links, where nothing announces items.
    let may_part = line.words.starts_with('·')
        && !above.words.trim_end().ends_with(':')
        && marker(above.words).is_none()
        && line.indent <= above.indent;
    // The number of a node ends the reference that the line above leaves open.
    let is_referred = info::leaves_reference_open(above.words);
    !may_part
        && !is_referred
        && marker(line.words).is_some_and(|(_, number)| {
            let ends = || above.words.ends_with(['.', ':', ';', '!', '?', ')']);
            number.is_none() || line.indent != above.indent || number == Some(1) && ends()
        })
        && (is_item_beside(above, line) || !goes_on_over(above.words, line.words))
}

/// Whether a line that may be an item stands no further in than another with such a mark.
fn is_item_beside(item: &Line<'_>, line: &Line<'_>) -> bool {
    let kind = |line: &Line<'_>| {
        let first = line.words.chars().next();
        first.map(|mark| if mark.is_ascii_digit() { '1' } else { mark })
    };
    marker(item.words).is_some() && kind(item) == kind(line) && line.indent <= item.indent
}

/// Whether a line says whom a text is from, as the last one of it: `- The kiln team`.
fn is_signed(words: &str) -> bool {
    let name = words
        .strip_prefix("- The ")
        .or(words.strip_prefix("- the "));
    name.is_some_and(|name| {
        let name = name.trim_end_matches('.');
        name.split(' ').count() <= SIGNED_WORDS_MAX
            && (name.ends_with(" team") || name.ends_with(" Team"))
    })
}

/// Whether the list that begins at `first` goes on with `line`, behind an empty line.
pub(super) fn goes_on(first: &Line<'_>, line: &Line<'_>) -> bool {
    line.indent >= first.indent + 2 || (line.indent >= first.indent && is_alike(first, line))
}

/// Whether both are items of one list: with bullets, or with numbers.
fn is_alike(first: &Line<'_>, line: &Line<'_>) -> bool {
    match (marker(first.words), marker(line.words)) {
        (Some((_, one)), Some((_, other))) => one.is_some() == other.is_some(),
        _ => false,
    }
}

/// Reads the list that `lines` begin with; gives the number of lines it took.
pub(super) fn list(
    text: &str,
    lines: &[Line<'_>],
    layout: &Layout,
    depth: usize,
    out: &mut Vec<Block>,
) -> usize {
    let Some(first) = lines.first() else { return 0 };
    let is_more = |next: &Line<'_>| marker(next.words).is_some() || next.indent > first.indent;
    if is_signed(first.words) && !next(lines, 1).is_some_and(|(_, next)| is_more(next)) {
        out.push(Block {
            kind: BlockKind::Paragraph(vec![Inline::Text(first.words.to_owned())]),
            span: Span::of(first.range.clone()),
        });
        return 1;
    }
    if let Some((block, length)) = signs::meanings(lines, layout) {
        out.push(block);
        return length;
    }
    let start = number_of(first);
    let mut last = start;
    let mut items: Vec<Vec<Block>> = Vec::new();
    let mut used = 0;
    let mut end = first.range.end;
    while let Some((at, line)) = next(lines, used) {
        let is_beside = is_alike(first, line) && line.indent.abs_diff(first.indent) <= 1;
        if is_beside && !items.is_empty() && !follows(start, number_of(line), items.len(), last) {
            break;
        }
        let is_item = is_beside;
        if is_item {
            last = number_of(line);
        }
        if is_item {
            let length = marker(line.words).map_or(0, |(length, _)| length);
            let words = line.words.get(length..).unwrap_or("");
            let mut item = Vec::new();
            let lines = lines.get(at..).unwrap_or_default();
            used = at
                + match label(lines, words, layout) {
                    Some(label) => {
                        item.push(label);
                        let below = lines.get(1..).unwrap_or_default();
                        let words = below.first().map_or("", |line| line.words);
                        2 + paragraph(below, words, layout, &mut item)
                    }
                    None => 1 + paragraph(lines, words, layout, &mut item),
                };
            items.push(item);
        } else if line.indent > first.indent + 1 && used > 0 {
            let rest = lines.get(at..).unwrap_or_default();
            let mut inner = Vec::new();
            let inside = first.indent + ITEM_INDENT;
            let marked = code::marked_length(rest);
            let above = at.checked_sub(1).and_then(|above| lines.get(above));
            let keys = shapes::keys_length(rest, above.map_or("", |above| above.words));
            let typed = match above {
                _ if marked > 0 => marked,
                Some(above) if at == used => {
                    code::glued_length(rest, above.words, column(above), layout)
                }
                _ => code::length(rest, inside, leads(&items).then_some(inside), layout),
            };
            used = at
                + if marker(line.words).is_some() && depth < DEPTH_MAX {
                    list(text, rest, layout, depth + 1, &mut inner)
                } else if keys > 0 {
                    inner.push(shapes::keys(rest.get(..keys).unwrap_or_default()));
                    keys
                } else if typed > 0 {
                    let (typed, _) = rest.split_at(typed.min(rest.len()));
                    inner.extend(code::block(text, typed));
                    typed.len()
                } else {
                    1 + paragraph(rest, line.words, layout, &mut inner)
                };
            match items.last_mut() {
                Some(item) => item.extend(inner),
                None => items.push(inner),
            }
        } else {
            let (above, rest) = lines.split_at(at.min(lines.len()));
            let shown = typed::set_out_length(first, above, rest);
            let Some(item) = items.last_mut().filter(|_| shown > 0) else {
                break;
            };
            item.extend(code::block(text, rest.get(..shown).unwrap_or_default()));
            used = at + shown;
        }
        if let Some(block) = items.last().and_then(|item| item.last()) {
            end = block.span.bytes.end;
        }
    }
    if used == 0 {
        return 0;
    }
    out.push(Block {
        kind: BlockKind::List { start, items },
        span: Span::of(first.range.start..end.max(first.range.start)),
    });
    used
}

fn number_of(line: &Line<'_>) -> Option<u64> {
    marker(line.words).and_then(|(_, number)| number)
}

/// Whether an item with this `number` goes on with a list of so many `items`, the `last` of which has that number: what is counted
/// otherwise is another list, unless its writer gives each item the same number and leaves the counting to who reads it.
fn follows(start: Option<u64>, number: Option<u64>, items: usize, last: Option<u64>) -> bool {
    let counted = start.map(|start| start.saturating_add(items as u64));
    number == counted || (number == start && last == start)
}

/// Where the words of a line begin, behind the mark of an item.
fn column(line: &Line<'_>) -> usize {
    line.indent + marker(line.words).map_or(0, |(length, _)| length)
}

/// Whether the words that the last item ends with lead to what is below them.
fn leads(items: &[Vec<Block>]) -> bool {
    let last = items.last().and_then(|item| item.last());
    last.is_some_and(|block| match &block.kind {
        BlockKind::Paragraph(words) => code::announces(&plain(words)),
        _ => false,
    })
}

/// Whether a line begins anew at the margin: with a capital, below a line that had room for its first word.
fn begins_below(above: &Line<'_>, line: &Line<'_>) -> bool {
    let width = |words: &str| words.chars().count();
    let word = line.words.split(' ').next().unwrap_or("");
    line.words.starts_with(char::is_uppercase)
        && line.words.contains(' ')
        && !above.words.ends_with([',', ':', ';', '-'])
        && above.indent + width(above.words) + 1 + width(word) <= ROOM_COLUMNS
}

/// The label that the first line of an item is, which says `words`: short, without an end or with a colon, and what is below it
/// begins anew.
fn label(lines: &[Line<'_>], words: &str, layout: &Layout) -> Option<Block> {
    let (line, below) = (lines.first()?, lines.get(1)?);
    let is_label =
        words.split(' ').count() <= LABEL_WORDS_MAX && words.starts_with(char::is_uppercase);
    let is_name = words.ends_with(char::is_alphanumeric) && number_of(line).is_some();
    let rest = lines.get(1..).unwrap_or_default();
    // What a name with a colon leads to is no name of its own, and neither typed nor a row of keys.
    let leads = words.ends_with(':')
        && code::glued_length(rest, words, column(line), layout) == 0
        && shapes::keys_length(rest, words) == 0;
    let begins = below.words.starts_with(char::is_uppercase)
        && (leads || below.words.split(' ').count() > LABEL_WORDS_MAX)
        && below.indent > line.indent
        && marker(below.words).is_none();
    if !(is_label && begins && (is_name || leads)) {
        return None;
    }
    let start = line.range.end - words.len();
    let words = Inline::Text(squash(words));
    Some(Block {
        kind: BlockKind::Paragraph(match leads {
            true => vec![words],
            false => vec![Inline::Strong(vec![words])],
        }),
        span: Span::of(start..line.range.end),
    })
}

/// The first line from `from` on that is not empty.
fn next<'l, 'a>(lines: &'l [Line<'a>], from: usize) -> Option<(usize, &'l Line<'a>)> {
    lines
        .iter()
        .enumerate()
        .skip(from)
        .find(|(_, line)| !line.words.is_empty())
}

/// Reads a paragraph whose first line says `words`; gives the number of further lines it took.
pub(super) fn paragraph(
    lines: &[Line<'_>],
    words: &str,
    layout: &Layout,
    out: &mut Vec<Block>,
) -> usize {
    let Some(first) = lines.first() else { return 0 };
    let mut words = words.to_owned();
    let mut end = first.range.end;
    let mut more = 0;
    let below = (1..).map_while(|at| lines.get(at - 1).zip(lines.get(at..)));
    for (above, rest) in below {
        let Some(line) = rest.first() else { break };
        // Who did what is said below stands beside the marks of the items, as in Debian's logs: `[ Ada Lee ]`.
        let is_name = line.indent <= first.indent
            && line.words.starts_with("[ ")
            && line.words.ends_with(" ]");
        let is_item = || is_item_beside(first, line) || !goes_on_over(above.words, line.words);
        let is_own = !info::leaves_reference_open(above.words)
            && (marker(line.words).is_some() && is_item()
                || is_name
                || shapes::is_labelled(line.words)
                || headings::is_parting(line.words)
                || shapes::keys_length(rest, above.words) > 0
                || valued::begins(above, rest)
                || code::glued_length(rest, above.words, column(above), layout) > 0);
        // What stands far outside of the list is said below it.
        let is_outside = line.indent + OUTSIDE_INDENT <= first.indent
            || line.indent <= first.indent && begins_below(above, line);
        if line.words.is_empty() || is_own || is_outside {
            break;
        }
        glue(&mut words, line.words);
        end = line.range.end;
        more += 1;
    }
    out.push(Block {
        kind: BlockKind::Paragraph(running(&words, layout)),
        span: Span::of(first.range.start..end),
    });
    more
}

#[cfg(test)]
mod tests {
    use crate::text::read_plain;
    use skillkiln_document::markdown::write;

    #[test]
    fn an_item_that_ends_in_a_sign_or_within_a_bracket_is_over_where_the_next_begins() {
        for source in [
            "- make it larger: press +\n- make it smaller: press -\n- next: press >\n- last: press <\n",
            "1. Open the menu Edit > Doors >\n2. Fire it &&\n3. Wait\n",
            "- Doors do not open yet :(\n- Wood burns well :)\n",
            "1) Open it (slowly\n2) Put wood in\n",
        ] {
            let written = write(&read_plain(source.to_owned()).blocks);
            let items = written.lines().filter(|line| !line.is_empty()).count();
            assert_eq!(items, source.lines().count(), "{written}");
        }
    }

    #[test]
    fn an_item_that_says_nothing_is_the_list_that_stands_in_it() {
        assert_eq!(
            write(&read_plain("It has:\n\n  * Kilns\n  *    * Heat of\n         the day\n       *    * Wood\n            * Coal\n  * Pots\n".to_owned()).blocks),
            "It has:\n\n- Kilns\n  - Heat of the day\n    - Wood\n    - Coal\n- Pots\n"
        );
    }

    #[test]
    fn numbers_that_do_not_follow_each_other_are_kept() {
        for (source, shown) in [
            (
                "Codes:\n\n1. no gas\n5. no wood\n404. no kiln\n",
                "Codes:\n\n1. no gas\n\n5) no wood\n\n404. no kiln\n",
            ),
            (
                "Two:\n\n1. one\n2. two\n\n1. other one\n2. other two\n",
                "Two:\n\n1. one\n2. two\n\n1) other one\n2) other two\n",
            ),
            (
                "All:\n\n1. one\n1. two\n1. three\n",
                "All:\n\n1. one\n2. two\n3. three\n",
            ),
        ] {
            assert_eq!(write(&read_plain(source.to_owned()).blocks), shown);
        }
    }

    #[test]
    fn a_name_with_a_colon_does_not_swallow_the_paragraph_below_it() {
        assert_eq!(
            write(&read_plain("It says:\n\n- Bug fixes:\n  Issue 21: The door of the kiln was red, and nobody\n  saw it.\n\n  Issue 22: Too hot\n".to_owned()).blocks),
            "It says:\n\n- Bug fixes:\n\n  Issue 21: The door of the kiln was red, and nobody saw it.\n\n  Issue 22: Too hot\n"
        );
    }

    #[test]
    fn a_line_at_the_margin_below_a_short_item_is_said_below_the_list() {
        assert_eq!(
            write(&read_plain("It can:\n\n * fire clay\n * cool down\nIt also rests a day.\n\nAnd:\n\n- it is heated until the clay in it is red and the wood of\n  Ada is gone\n- so it ends\n".to_owned()).blocks),
            "It can:\n\n- fire clay\n- cool down\n\nIt also rests a day.\n\nAnd:\n\n- it is heated until the clay in it is red and the wood of Ada is gone\n- so it ends\n"
        );
    }

    #[test]
    fn dots_at_half_height_mark_items_and_part_no_links() {
        let source = "Fixes:\n\n• Doors:\n  · Mend the red\n    one (x#1)\n  · Paint the blue one\n• Wood is dry\n";
        assert_eq!(
            write(&read_plain(source.to_owned()).blocks),
            "Fixes:\n\n- Doors:\n  - Mend the red one (x#1)\n  - Paint the blue one\n- Wood is dry\n"
        );
        for source in [
            "It leads to the kilns\n· Doors · Wood\n",
            "The heat is the mass\n· 2 m of the clay\n",
        ] {
            let text = write(&read_plain(source.to_owned()).blocks);
            assert!(!text.contains("- "), "{text}");
        }
    }

    #[test]
    fn signs_of_minus_mark_items_where_words_stand_behind_them() {
        let source =
            "It makes:\n\n− a fire that burns, when it is dry,\n  in the kiln\n\n− ‘ash’ files\n";
        assert_eq!(
            write(&read_plain(source.to_owned()).blocks),
            "It makes:\n\n- a fire that burns, when it is dry, in the kiln\n- ‘ash’ files\n"
        );
        let text = write(
            &read_plain("The heat is the mass\n− 2 m of the clay\n− ash = 3\n".to_owned()).blocks,
        );
        assert!(!text.contains("- "), "{text}");
    }

    #[test]
    fn a_formula_that_goes_on_in_the_next_line_is_no_item() {
        assert_eq!(
            write(&read_plain("It is so long: the room is (wide * high\n+ 7) / 8 in bytes, if heat !=\n- 2 of it.\n\n- of (wide\n  + 7) bytes\n- or\n- less\n\nThese (all dry) burn\n- oak\n- ash\n".to_owned()).blocks),
            "It is so long: the room is (wide * high + 7) / 8 in bytes, if heat != - 2 of it.\n\n- of (wide + 7) bytes\n- or\n- less\n\nThese (all dry) burn\n\n- oak\n- ash\n"
        );
    }

    #[test]
    fn who_a_text_is_from_is_no_item_and_many_that_are_thanked_are_items() {
        for (source, shown) in [
            (
                "It is hot.\n\nThank you for trying this kiln.\n- The Kiln team.\n",
                "It is hot.\n\nThank you for trying this kiln.\n\n\\- The Kiln team.\n",
            ),
            (
                "Thanks to:\n\n- The Kiln team\n- The Clay team\n",
                "Thanks to:\n\n- The Kiln team\n- The Clay team\n",
            ),
        ] {
            assert_eq!(write(&read_plain(source.to_owned()).blocks), shown);
        }
    }
}
