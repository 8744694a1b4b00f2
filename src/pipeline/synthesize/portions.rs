//! Owns how a block that is too long for one file, or for one section of a file, is cut into several of its kind: lists between
//! items, definitions between terms, tables between rows under the same header, code between its parts.

use super::clean::joined;
use super::outline::block_text;
use super::page::tokens;
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::text::Inline;
use std::ops::Range;

/// A block of more tokens is cut, so that files of the allowed size can be packed from what it becomes.
const BLOCK_TOKENS_MAX: usize = 4_000;

/// Code stays whole as long as a file can hold it; beyond that each part takes at most so many tokens.
const CODE_TOKENS_MAX: usize = 7_000;
const WHOLE_CODE_TOKENS_MAX: usize = 9_000;

/// What is counted of a block.
#[derive(Debug, Clone, Copy)]
pub(super) enum Measure {
    /// What a model reads, by estimate.
    Tokens,
}

impl Measure {
    fn of(self, blocks: &[Block]) -> usize {
        blocks
            .iter()
            .map(|block| match self {
                Self::Tokens => written_tokens(block),
            })
            .sum()
    }

    fn of_cells(self, cells: &[Vec<Inline>]) -> usize {
        match self {
            Self::Tokens => cells.iter().map(|cell| inline_tokens(cell) + 1).sum(),
        }
    }
}

/// The tokens that a block takes once it is written: its words and the addresses of its links.
pub(super) fn written_tokens(block: &Block) -> usize {
    let mut addresses = 0;
    skillkiln_document::blocks::walk(std::slice::from_ref(block), &mut |block| {
        let mut add = |inlines: &[Inline]| addresses += address_bytes(inlines);
        match &block.kind {
            BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => add(text),
            BlockKind::Table {
                header,
                rows,
                caption,
            } => header
                .iter()
                .chain(rows.iter().flatten())
                .chain(caption)
                .for_each(|cell| add(cell)),
            BlockKind::Definitions(entries) => entries
                .iter()
                .flat_map(|entry| &entry.terms)
                .for_each(|term| add(term)),
            BlockKind::Figure { caption, .. } => add(caption),
            BlockKind::List { .. }
            | BlockKind::Code { .. }
            | BlockKind::Quote(_)
            | BlockKind::Admonition { .. }
            | BlockKind::Math(_) => {}
        }
    });
    tokens(&block_text(block)) + addresses / 4 + 4
}

fn inline_tokens(inlines: &[Inline]) -> usize {
    tokens(&skillkiln_document::text::plain(inlines)) + address_bytes(inlines) / 4
}

fn address_bytes(inlines: &[Inline]) -> usize {
    inlines
        .iter()
        .map(|inline| match inline {
            Inline::Link(link) => link.href.len() + 4 + address_bytes(&link.text),
            Inline::Emphasis(inner) | Inline::Strong(inner) => address_bytes(inner),
            Inline::Text(_) | Inline::Code(_) | Inline::Math(_) | Inline::Break => 0,
        })
        .sum()
}

/// Cuts what is too long for a file, in place.
pub(super) fn cut_overlong(blocks: &mut Vec<Block>) {
    let is_overlong = |block: &Block| {
        let most = match &block.kind {
            BlockKind::List { .. } => BLOCK_TOKENS_MAX,
            BlockKind::Definitions(entries) if entries.len() > 1 => BLOCK_TOKENS_MAX,
            BlockKind::Table { rows, .. } if rows.len() > 1 => BLOCK_TOKENS_MAX,
            BlockKind::Code { .. } => WHOLE_CODE_TOKENS_MAX,
            _ => return false,
        };
        written_tokens(block) > most
    };
    if !blocks.iter().any(is_overlong) {
        return;
    }
    *blocks = std::mem::take(blocks)
        .into_iter()
        .flat_map(|block| match is_overlong(&block) {
            true => cut(&block, BLOCK_TOKENS_MAX, Measure::Tokens),
            false => vec![block],
        })
        .collect();
}

/// The same content in blocks of at most `most`, or of one entry each where that is more.
pub(super) fn cut(block: &Block, most: usize, measure: Measure) -> Vec<Block> {
    let whole = || block.span.clone();
    match &block.kind {
        BlockKind::List { start, items } => groups(items, most, |item| measure.of(item))
            .flat_map(|range| {
                let mut part = items.get(range.clone()).unwrap_or_default().to_vec();
                let mut rest = Vec::new();
                // What an overlong item holds goes on below it.
                if let [item] = part.as_mut_slice()
                    && measure.of(item) > most
                    && let Some(inner) = item.pop()
                {
                    let mut pieces = cut(&inner, most, measure).into_iter();
                    item.extend(pieces.next());
                    rest.extend(pieces);
                }
                let span = span_of(part.iter().flatten()).unwrap_or_else(whole);
                let number = u64::try_from(range.start).unwrap_or(u64::MAX);
                let kind = BlockKind::List {
                    start: start.map(|start| start.saturating_add(number)),
                    items: part,
                };
                std::iter::once(Block { kind, span }).chain(rest)
            })
            .collect(),
        BlockKind::Definitions(entries) => groups(entries, most, |entry| {
            measure.of(&entry.blocks) + measure.of_cells(&entry.terms)
        })
        .filter_map(|range| {
            let part = entries.get(range)?;
            let span = span_of(part.iter().flat_map(|entry| &entry.blocks)).unwrap_or_else(whole);
            let kind = BlockKind::Definitions(part.to_vec());
            Some(Block { kind, span })
        })
        .collect(),
        BlockKind::Table {
            header,
            rows,
            caption,
        } => groups(rows, most, |row| measure.of_cells(row))
            .filter_map(|range| {
                let kind = BlockKind::Table {
                    header: header.clone(),
                    rows: rows.get(range.clone())?.to_vec(),
                    caption: caption.clone().filter(|_| range.start == 0),
                };
                let span = whole();
                Some(Block { kind, span })
            })
            .collect(),
        BlockKind::Code { language, text } if matches!(measure, Measure::Tokens) => {
            let most = most.max(CODE_TOKENS_MAX);
            let part = |text: &str| {
                let kind = BlockKind::Code {
                    language: language.clone(),
                    text: text.to_owned(),
                };
                let span = whole();
                Block { kind, span }
            };
            code_parts(text, most).into_iter().map(part).collect()
        }
        _ => vec![block.clone()],
    }
}

/// A listing in parts of at most `most` tokens, cut where its author left a gap: before a line at the margin that follows an
/// empty one, else at an empty line, else between two lines. Only empty lines at the cuts are lost.
fn code_parts(text: &str, most: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while tokens(rest) > most {
        let (mut size, mut position) = (0, 0);
        let (mut was_empty, mut goes_on) = (false, false);
        // The last place of each kind; an early one would leave a part that is too small.
        let (mut at_margin, mut at_gap, mut at_line) = (0, 0, 0);
        for line in rest.split_inclusive('\n') {
            // Half of a command is another command.
            if position > 0 && !goes_on {
                at_line = position;
                if was_empty && !is_empty_line(line) {
                    at_gap = position;
                    if !line.starts_with([' ', '\t', '}', ')', ']']) {
                        at_margin = position;
                    }
                }
            }
            size += tokens(line);
            if size > most {
                break;
            }
            was_empty = is_empty_line(line);
            goes_on = line.trim_end_matches(['\r', '\n']).ends_with('\\');
            position += line.len();
        }
        let enough = at_line / 2;
        let place = [at_margin, at_gap]
            .into_iter()
            .find(|place| *place > enough)
            .or((at_line > 0).then_some(at_line))
            // One command as long as a file is cut all the same, where the file is full.
            .or((position > 0).then_some(position))
            // A line that is too long by itself.
            .or(rest.find('\n').map(|end| end + 1));
        let Some((part, after)) = place.and_then(|place| rest.split_at_checked(place)) else {
            break;
        };
        parts.push(without_empty_lines(part));
        rest = without_empty_lines(after);
    }
    parts.push(rest);
    parts.retain(|part| !part.is_empty());
    parts
}

/// Whether nothing stands on a line; a space in a comparison of files is something.
fn is_empty_line(line: &str) -> bool {
    line.trim_end_matches(['\r', '\n']).is_empty()
}

/// Code without the empty lines before and after it.
fn without_empty_lines(code: &str) -> &str {
    let code = code.trim_end_matches(['\r', '\n']);
    let blank = code
        .split_inclusive('\n')
        .take_while(|line| is_empty_line(line));
    code.get(blank.map(str::len).sum()..).unwrap_or(code)
}

/// Runs of entries that are together at most `most`.
fn groups<T>(
    entries: &[T],
    most: usize,
    weigh: impl Fn(&T) -> usize,
) -> impl Iterator<Item = Range<usize>> {
    let mut ends = Vec::new();
    let mut total = 0;
    for (position, entry) in entries.iter().enumerate() {
        let weight = weigh(entry);
        if total > 0 && total + weight > most {
            ends.push(position);
            total = 0;
        }
        total += weight;
    }
    ends.push(entries.len());
    let starts = std::iter::once(0).chain(ends.clone());
    starts.zip(ends).map(|(start, end)| start..end)
}

fn span_of<'a>(blocks: impl Iterator<Item = &'a Block>) -> Option<Span> {
    let mut spans = blocks.map(|block| &block.span);
    let first = spans.next()?;
    Some(joined(first, spans.last().unwrap_or(first)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paragraph(text: &str, at: usize) -> Block {
        Block {
            kind: BlockKind::Paragraph(vec![Inline::Text(text.to_owned())]),
            span: Span::of(at..at + 10),
        }
    }

    #[test]
    fn a_long_list_becomes_several_that_go_on_counting() {
        let items: Vec<Vec<Block>> = (0..900)
            .map(|number| {
                vec![paragraph(
                    &format!("{number} {}", "word ".repeat(12)),
                    number * 10,
                )]
            })
            .collect();
        let mut blocks = vec![Block {
            kind: BlockKind::List {
                start: Some(1),
                items: items.clone(),
            },
            span: Span::default(),
        }];
        cut_overlong(&mut blocks);
        assert!(blocks.len() > 2, "{}", blocks.len());
        let mut all = Vec::new();
        for block in &blocks {
            assert!(written_tokens(block) <= BLOCK_TOKENS_MAX);
            let BlockKind::List { start, items } = &block.kind else {
                panic!("a list stays a list")
            };
            assert_eq!(*start, Some(all.len() as u64 + 1));
            assert_eq!(block.span.bytes.start, all.len() * 10);
            all.extend(items.clone());
        }
        assert_eq!(all, items);
    }

    #[test]
    fn a_long_table_becomes_several_under_the_same_header() {
        let cell = |text: String| vec![Inline::Text(text)];
        let rows: Vec<Vec<Vec<Inline>>> = (0..2_000)
            .map(|row| {
                vec![
                    cell(format!("--flag-{row}")),
                    cell("says little".to_owned()),
                ]
            })
            .collect();
        let mut blocks = vec![Block {
            kind: BlockKind::Table {
                header: vec![cell("Flag".to_owned()), cell("Meaning".to_owned())],
                rows: rows.clone(),
                caption: Some(cell("All flags".to_owned())),
            },
            span: Span::default(),
        }];
        cut_overlong(&mut blocks);
        assert!(blocks.len() > 2, "{}", blocks.len());
        let parts: Vec<_> = blocks
            .iter()
            .map(|block| match &block.kind {
                BlockKind::Table {
                    header,
                    rows,
                    caption,
                } => (header.len(), rows.clone(), caption.is_some()),
                other => panic!("a table stays a table: {other:?}"),
            })
            .collect();
        assert!(parts.iter().all(|(columns, ..)| *columns == 2));
        assert_eq!(parts.iter().filter(|(.., captioned)| *captioned).count(), 1);
        assert_eq!(
            parts
                .into_iter()
                .flat_map(|(_, rows, _)| rows)
                .collect::<Vec<_>>(),
            rows
        );
    }

    #[test]
    fn a_listing_that_no_file_can_hold_is_cut_where_its_author_left_a_gap() {
        let function = |number: usize| {
            let lines: Vec<String> = (0..30)
                .map(|line| format!("    let value_{line} = compute({number}, {line});"))
                .collect();
            format!(
                "fn part_{number}() {{\n{}\n\n    done();\n}}",
                lines.join("\n")
            )
        };
        let listing = |functions: usize| {
            let all: Vec<String> = (0..functions).map(function).collect();
            vec![Block {
                kind: BlockKind::Code {
                    language: Some("rust".to_owned()),
                    text: all.join("\n\n"),
                },
                span: Span::of(0..10),
            }]
        };
        let mut whole = listing(20);
        assert!(written_tokens(&whole[0]) > BLOCK_TOKENS_MAX);
        cut_overlong(&mut whole);
        assert_eq!(whole.len(), 1, "a file can hold it");

        let mut blocks = listing(100);
        cut_overlong(&mut blocks);
        assert!(blocks.len() > 2, "{}", blocks.len());
        let parts: Vec<&str> = blocks
            .iter()
            .map(|block| match &block.kind {
                BlockKind::Code { language, text } => {
                    assert_eq!(language.as_deref(), Some("rust"));
                    assert!(written_tokens(block) <= CODE_TOKENS_MAX + 4);
                    assert!(text.starts_with("fn part_"), "{text:.40}");
                    assert!(text.ends_with("\n}"));
                    text.as_str()
                }
                other => panic!("code stays code: {other:?}"),
            })
            .collect();
        let [
            Block {
                kind: BlockKind::Code { text, .. },
                ..
            },
        ] = &listing(100)[..]
        else {
            panic!("one listing")
        };
        assert_eq!(&parts.join("\n\n"), text, "nothing is lost");
    }

    #[test]
    fn a_command_that_goes_on_is_not_cut_in_half() {
        let command = |number: usize| {
            format!("kiln start \\\n  --stage {number} \\\n  --pots {number} \\\n  --watch\n")
        };
        let listing: String = (0..1_000).map(command).collect();
        let parts = code_parts(&listing, 7_000);
        assert!(parts.len() > 2);
        for part in parts {
            assert!(part.starts_with("kiln start") && part.trim_end().ends_with("--watch"));
        }
    }

    #[test]
    fn a_command_that_no_file_can_hold_makes_few_parts() {
        let listing = "    --watch the-vent-of-the-kiln \\\n".repeat(3_000);
        let parts = code_parts(&listing, 7_000);
        assert!((3..8).contains(&parts.len()), "{}", parts.len());
        assert_eq!(parts.join("\n"), listing.trim_end());
    }

    #[test]
    fn empty_lines_around_a_cut_make_no_part_and_a_space_is_no_empty_line() {
        let line = "x".repeat(60_000);
        assert_eq!(code_parts(&format!("{line}\n\n\n"), 7_000), [line.as_str()]);
        assert_eq!(code_parts(&format!("\n\n{line}"), 7_000), [line.as_str()]);
        let diff = "-a\n+b\n \n".repeat(4_000);
        assert_eq!(
            code_parts(&diff, 7_000).join("\n"),
            diff.trim_end_matches('\n')
        );
    }

    #[test]
    fn a_line_that_no_file_can_hold_stays_as_it_is() {
        let line = "x".repeat(60_000);
        assert_eq!(code_parts(&line, 7_000), [line.as_str()]);
        let after = format!("begin\n{line}\nend");
        assert_eq!(code_parts(&after, 7_000), ["begin", line.as_str(), "end"]);
    }

    #[test]
    fn the_addresses_of_links_count_as_they_are_written() {
        let link = Inline::link(
            format!("https://kiln.example/{}", "a".repeat(380)),
            vec![Inline::Text("kiln".to_owned())],
        );
        let block = Block {
            kind: BlockKind::Paragraph(vec![link]),
            span: Span::default(),
        };
        assert!(written_tokens(&block) > 100);
    }
}
