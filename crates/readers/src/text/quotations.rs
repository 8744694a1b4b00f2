//! Reads the quotations of GNU's info: words set in, and far behind them who said them.

use super::{Layout, Line, glue, running};
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::text::Inline;

/// How far makeinfo sets quotations in.
const QUOTED_INDENT: usize = 5;
/// How much further the name of who is quoted.
const NAMED_INDENT: usize = 10;
/// A quotation is not longer, in lines.
const LINES_MAX: usize = 40;

/// The quotation that `lines` begin with, and how many lines it takes: up to the line that names somebody.
pub(super) fn begins(text: &str, lines: &[Line<'_>], layout: &Layout) -> Option<(usize, Block)> {
    let first = lines.first().filter(|_| layout.is_info)?;
    if first.indent < QUOTED_INDENT {
        return None;
    }
    let near = lines.get(..lines.len().min(LINES_MAX))?;
    let said = near
        .iter()
        .take_while(|line| {
            line.words.is_empty() || line.indent == first.indent && named(line).is_none()
        })
        .count();
    let name = near.get(said)?;
    let who = named(name).filter(|_| name.indent >= first.indent + NAMED_INDENT)?;
    let mut blocks = Vec::new();
    for paragraph in lines.get(..said)?.split(|line| line.words.is_empty()) {
        let (Some(first), Some(last)) = (paragraph.first(), paragraph.last()) else {
            continue;
        };
        let mut words = String::new();
        paragraph
            .iter()
            .for_each(|line| glue(&mut words, line.words));
        blocks.push(Block {
            kind: BlockKind::Paragraph(running(&words, layout)),
            span: Span::of(first.range.start..last.range.end),
        });
    }
    let by = vec![
        Inline::Text("— ".to_owned()),
        Inline::Emphasis(vec![Inline::Text(who.to_owned())]),
    ];
    blocks.push(Block {
        kind: BlockKind::Paragraph(by),
        span: Span::of(name.range.clone()),
    });
    let end = name.range.end.min(text.len());
    let kind = BlockKind::Quote(blocks);
    let span = Span::of(first.range.start..end);
    Some((said + 1, Block { kind, span }))
}

/// Who a line names as makeinfo sets it: `— _Ada Lee_`.
fn named<'a>(line: &Line<'a>) -> Option<&'a str> {
    let name = line
        .words
        .strip_prefix("— ")
        .or(line.words.strip_prefix("-- "))?;
    let name = name.strip_prefix(['_', '*'])?.strip_suffix(['_', '*'])?;
    (!name.trim().is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use crate::text::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn words_set_in_over_a_name_are_what_somebody_said() {
        let source = "\u{1f}\nFile: kiln.info,  Node: Fire,  Up: Top\n\n1 Fire\n******\n\n     To get ash: burn wood.\n     It takes a day.\n\n                             — _Ada Lee_\n\n   So it is.  Others say\n\n     kiln --fire\n\nand wait.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "# 1 Fire\n\n> To get ash: burn wood. It takes a day.\n>\n> — *Ada Lee*\n\nSo it is. Others say\n\n```\nkiln --fire\n```\n\nand wait.\n"
        );
    }
}
