//! Reads plain text: paragraphs, and the lists, headings, columns and code that its layout makes evident; conversations, and the
//! files of GNU's info. Raw text that is written as Markdown is recognised by its own evidence.
//!
//! Spans are byte ranges of the text itself, so whatever is uncertain can be looked up.

mod ahead;
mod asn1;
mod beside;
mod boxes;
mod code;
mod contents;
mod drawings;
mod evidence;
mod hanging;
mod headings;
pub(crate) mod help;
pub(crate) mod info;
mod leavings;
mod listing;
mod lists;
mod log_heads;
mod logs;
mod mail;
mod makeinfo;
mod marked;
mod pages;
mod quotations;
mod records;
mod shapes;
mod shown;
mod signatures;
mod signs;
mod spans;
mod starred;
mod stress;
mod tables;
pub(crate) mod turns;
mod typed;
mod valued;

use crate::builder::{put_below, shift, tidy};
use crate::data::separated;
use crate::gnu_quotes;
use crate::hyphens::{Words, is_hyphen};
use crate::line_ends::breaks_path;
use crate::markup::{Markup, markdown};
use crate::text::ahead::Ahead;
use crate::text::evidence::is_markdown;
use crate::text::headings::Rulers;
use crate::text::logs::Log;
use skillkiln_document::blocks::{Block, BlockKind, Document, Span};
use skillkiln_document::text::{Inline, plain};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// Reads raw text, as the mark-up that it is evidently written in.
#[must_use]
pub fn read(text: String) -> Document {
    if info::is_info(&text) || help::is_help(&text) {
        return read_plain(text);
    }
    if starred::is_outline(&text) {
        return read_lines(text, false, true);
    }
    if logs::is_log(&text) {
        return read_lines(text, false, true);
    }
    if let Some(document) = asn1::read(&text).or_else(|| listing::read(&text)) {
        return document;
    }
    if separated::of_tabs(&text) {
        return separated::read(text, '\t');
    }
    if let Some(markup) = Markup::of_text(&text) {
        return markup.read(text);
    }
    let is_markdown = is_markdown(&text);
    if is_markdown && turns::of(&lines_of(&text), true).is_none() {
        markdown::read(text)
    } else {
        read_lines(text, is_markdown, true)
    }
}

/// Reads text that has no mark-up.
#[must_use]
pub fn read_plain(text: String) -> Document {
    read_lines(text, false, false)
}

/// Reads text line by line; of a conversation in Markdown, `is_markdown`, what stands between the turns is read as that. Where it is
/// a whole document, `is_whole`, its first line may be its title.
fn read_lines(text: String, is_markdown: bool, is_whole: bool) -> Document {
    let mut lines = lines_of(&text);
    pages::clear(&text, &mut lines);
    leavings::clear(&mut lines);
    boxes::open(&mut lines);
    contents::clear(&mut lines);
    let is_info = info::is_info(&text);
    if is_info {
        info::clear(&mut lines);
    }
    let is_help = help::is_help(&text);
    if is_help {
        help::clear(&mut lines);
    }
    let is_outline = starred::is_outline(&text);
    starred::clear(&mut lines);
    lists::open(&mut lines);
    let is_made = !is_info && !is_help && !is_markdown && info::is_made(&lines);
    if is_made {
        info::clear_made(&mut lines);
    }
    let log = match is_info || is_made || is_help || is_outline || is_markdown {
        true => Log::default(),
        false => Log::of(&lines),
    };
    let heads = match log.is_empty() {
        true => mail::heads(&lines),
        false => Vec::new(),
    };
    mail::clear(&mut lines, &heads);
    let is_mail = !heads.is_empty() || log.is_empty() && mail::quotes(&lines);
    if is_mail {
        mail::unescape(&mut lines);
    }
    let layout = Layout {
        rulers: Rulers::of(&lines, is_outline),
        is_info: is_info || is_made,
        is_help,
        is_markdown,
        is_mail,
        stresses: !is_help && stress::is_used(&lines),
        margin: 0,
        words: breaks_words(&lines)
            .then(|| Arc::new(Words::of(lines.iter().map(|line| line.words)))),
        ahead: Rc::new(Ahead::of(&lines)),
    };
    // The mails of a thread are its turns.
    let turns = match heads.len() {
        0 | 1 if log.is_empty() => turns::of(&lines, is_markdown).unwrap_or_default(),
        _ => Vec::new(),
    };
    let mut blocks = Vec::new();
    let first = turns.first().map(|first| first.at).or(log.first());
    let mut rest = first.and_then(|at| lines.get(..at)).unwrap_or(&lines);
    if !heads.is_empty() {
        mail::read(&text, rest, &heads, &layout, &mut blocks);
    } else {
        if let Some((used, title)) = headings::title(rest, !turns.is_empty(), is_whole) {
            blocks.push(title);
            rest = rest.get(used..).unwrap_or_default();
        }
        written(&text, rest, &layout, &mut blocks);
    }
    blocks.extend(turns::read(&text, &lines, &turns, &layout));
    log.read(&text, &lines, &layout, &mut blocks);
    if let Some(behind) = log.end().and_then(|end| lines.get(end..)) {
        written(&text, behind, &layout, &mut blocks);
    }
    let mut blocks = joined(blocks);
    headings::settle(&mut blocks);
    let title = markdown::first_title(&blocks);
    Document {
        title,
        about: mail::about(&heads),
        text,
        blocks,
        moments: Vec::new(),
    }
}

/// Reads lines that belong to no turn, as the text they stand in is written.
fn written(text: &str, lines: &[Line<'_>], layout: &Layout, out: &mut Vec<Block>) {
    if !layout.is_markdown {
        stretch(text, lines, layout, 0, out);
        return;
    }
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return;
    };
    let start = first.range.start - first.lead;
    let source = text.get(start..last.range.end).unwrap_or_default();
    let mut blocks = markdown::read(source.to_owned()).blocks;
    shift(&mut blocks, start);
    out.append(&mut blocks);
}

/// Reads the lines of a stretch, which may lie below a term. Of a mail, what stands between its quotes is read by itself, so that a
/// quote is neither code nor words of what is above it.
fn stretch(text: &str, lines: &[Line<'_>], layout: &Layout, depth: usize, out: &mut Vec<Block>) {
    let mut rest = lines;
    while !rest.is_empty() {
        let (own, quoted) = mail::own(rest, layout);
        groups(text, own, layout, depth, out);
        rest = quoted;
        let (code, quoted) = rest.split_at(marked::length(rest));
        if !code.is_empty() {
            out.extend(code::block(text, code));
            rest = quoted;
        } else if let Some((used, block)) = mail::quote(text, rest, layout, depth) {
            out.push(block);
            rest = rest.get(used..).unwrap_or_default();
        }
    }
}

/// The header and the rows of the table that all of `text` is, its columns parted by spaces and ruled off from their names.
pub(crate) fn aligned(text: &str) -> Option<BlockKind> {
    tables::table(text, &lines_of(text)).map(|table| table.kind)
}

/// Reads lines that nobody quotes, group by group.
fn groups(text: &str, lines: &[Line<'_>], layout: &Layout, depth: usize, out: &mut Vec<Block>) {
    let mut rest = lines;
    // The indentation of words above that lead to what follows.
    let mut announced = None;
    while let Some(first) = rest.first() {
        if first.words.is_empty() {
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        let above = announced.take();
        let (marked, after) = rest.split_at(code::marked_length(rest));
        if !marked.is_empty() {
            out.extend(code::block(text, marked));
            rest = after;
            continue;
        }
        if let Some((used, block)) = drawings::begins(text, rest) {
            out.push(block);
            rest = rest.get(used..).unwrap_or_default();
            continue;
        }
        if above.is_none()
            && let Some(used) = help::entry(text, rest, layout, depth, out)
        {
            rest = rest.get(used..).unwrap_or_default();
            continue;
        }
        let rows = match layout.is_info {
            true => tables::spaced_length(rest),
            false => 0,
        };
        if rows > 0 {
            let (table, after) = rest.split_at(rows);
            read_group(text, table, rest, layout, out);
            rest = after;
            continue;
        }
        if let Some((used, block)) = info::definition(text, rest, out.last(), layout, depth) {
            out.push(block);
            rest = rest.get(used..).unwrap_or_default();
            continue;
        }
        if let Some((used, block)) = quotations::begins(text, rest, layout) {
            out.push(block);
            rest = rest.get(used..).unwrap_or_default();
            continue;
        }
        if let Some(used) = info::command(text, rest, layout, depth, out) {
            rest = rest.get(used..).unwrap_or_default();
            continue;
        }
        if let Some((used, block)) = help::title(rest, layout) {
            out.push(block);
            rest = rest.get(used..).unwrap_or_default();
            continue;
        }
        if let Some((used, block)) = hanging::definition(text, rest, out.last(), layout, depth) {
            out.push(block);
            rest = rest.get(used..).unwrap_or_default();
            continue;
        }
        // Help files part code from words by nothing but its indentation.
        let reach = match layout.is_help {
            true => help::group_length(rest, above),
            false => rest.len(),
        };
        let length = group_length(rest, layout).min(reach);
        let length = makeinfo::with_example(rest, length, layout);
        let (group, after) = rest.split_at(length);
        // Code may hold empty lines: the stretch goes on while what follows is indented as well.
        let code_lines = match layout.rulers.underlined(rest) {
            // What makeinfo puts a bullet before is an item.
            None if layout.is_info && is_bulleted(first) => 0,
            Some(_) => shown::length(rest, above, layout),
            None => code::length(rest.get(..reach).unwrap_or(rest), 0, above, layout),
        };
        if code_lines > 0 {
            let (code, after) = rest.split_at(code_lines);
            out.extend(code::block(text, code));
            rest = after;
            continue;
        }
        match tables::table(text, group) {
            Some(table) => out.push(table),
            None => read_group(text, group, rest, layout, out),
        }
        announced = group
            .last()
            .filter(|line| code::announces(line.words))
            .map(|line| line.indent);
        rest = after;
    }
}

/// Blocks with the lists joined that empty lines part.
fn joined(blocks: Vec<Block>) -> Vec<Block> {
    let mut out = Vec::with_capacity(blocks.len());
    blocks
        .into_iter()
        .for_each(|block| put_below(&mut out, block));
    out
}

/// Deepest term below a term that is kept.
const DEFINED_DEPTH_MAX: usize = 8;

/// How a text is laid out, as far as it changes what its lines mean.
#[derive(Debug)]
struct Layout {
    rulers: Rulers,
    /// Whether this is a file of GNU's info, or what makeinfo writes without its nodes.
    is_info: bool,
    /// Whether this is a help file of Vim.
    is_help: bool,
    /// Whether this is a conversation with Markdown between its turns.
    is_markdown: bool,
    /// Whether this is a mail, or quotes as mails do.
    is_mail: bool,
    /// Whether words between stars are stressed.
    stresses: bool,
    /// How far what is read is indented in the text itself: below a term, indentation is counted from what explains it.
    margin: usize,
    /// The words of the text, where its lines break any.
    words: Option<Arc<Words>>,
    /// How far it may still be looked ahead for code.
    ahead: Rc<Ahead>,
}

/// Whether lines end with a hyphen that may break a word.
fn breaks_words(lines: &[Line<'_>]) -> bool {
    lines.windows(2).any(|pair| {
        matches!(pair, [line, next] if line.words.ends_with(is_hyphen) && next.words.starts_with(char::is_lowercase))
    })
}

#[derive(Debug, Clone)]
struct Line<'a> {
    range: Range<usize>,
    /// The bytes of white space before its words.
    lead: usize,
    indent: usize,
    words: &'a str,
    /// Whether the text itself marks it as typed or shown to the letter.
    is_marked: bool,
}

fn lines_of(text: &str) -> Vec<Line<'_>> {
    let mut position = 0;
    let mut lines = Vec::new();
    for raw in text.split_inclusive('\n') {
        let words = raw.trim();
        let lead = if words.is_empty() {
            0
        } else {
            raw.len() - raw.trim_start().len()
        };
        let start = position + lead;
        lines.push(Line {
            range: start..start + words.len(),
            lead,
            indent: indentation(raw),
            words,
            is_marked: false,
        });
        position += raw.len();
    }
    lines
}

/// Takes the hashes of a remark from the beginning of a line.
fn uncomment(line: &mut Line<'_>) {
    let words = line.words.trim_start_matches('#').trim_start();
    let mark = line.words.len() - words.len();
    line.words = words;
    line.range.start += mark;
    line.lead += mark;
}

/// The columns of white space that a line begins with.
fn indentation(line: &str) -> usize {
    line.chars()
        .take_while(|c| c.is_whitespace())
        .map(|c| if c == '\t' { 4 } else { 1 })
        .sum()
}

/// How many lines from the start belong together: up to an empty one; of a list, up to where its indentation ends.
fn group_length(lines: &[Line<'_>], layout: &Layout) -> usize {
    let is_empty = |line: &Line<'_>| line.words.is_empty();
    let is_starred = |at: usize| {
        let rest = lines.get(at..);
        rest.is_some_and(|rest| layout.rulers.starred(rest).is_some())
    };
    if is_starred(0) {
        return 1;
    }
    let is_list = lines
        .first()
        .is_some_and(|first| lists::marker(first.words).is_some());
    let ends = |(at, line): (usize, &Line<'_>)| {
        is_empty(line)
            || drawings::begins_below(lines, at)
            || is_starred(at)
            || !is_list && line.is_marked
            || layout.is_help && help::is_mark(line.words)
            || at > 0 && hanging::defined(line, layout).is_some()
    };
    let end = |from: usize| {
        let mut lines = lines.iter().enumerate().skip(from);
        lines.find(|line| ends(*line)).map(|(at, _)| at)
    };
    let mut length = end(0).unwrap_or(lines.len());
    let Some(first) = lines.first().filter(|_| is_list) else {
        return length;
    };
    // A numbered line that stands alone is a section's heading; what follows it is not its item.
    if length == 1 && layout.rulers.evident(first, false).is_some() {
        return length;
    }
    while let Some(rest) = lines.get(length..).filter(|rest| !rest.is_empty()) {
        let gap = rest.iter().take_while(|line| is_empty(line)).count();
        let is_named = |next: &Line<'_>| layout.is_help && help::is_mark(next.words);
        let goes_on = |next: &&Line<'_>| lists::goes_on(first, next) && !is_named(next);
        let Some(next) = rest.get(gap).filter(goes_on) else {
            let above = lines.get(..length).unwrap_or_default();
            let below = rest.get(gap..).unwrap_or_default();
            match typed::set_out_length(first, above, below) {
                0 => break,
                shown => length += gap + shown,
            }
            continue;
        };
        // A number may begin a section: it stands alone and is not indented.
        let is_ruled = || {
            rest.get(gap..)
                .is_some_and(|next| layout.rulers.underlined(next).is_some())
        };
        if next.indent == 0 && (layout.rulers.evident(next, false).is_some() || is_ruled())
            || is_starred(length + gap)
        {
            break;
        }
        // What is defined among items is read on its own: nothing of it goes on with them.
        match end(length + gap).unwrap_or(lines.len()) {
            more if more > length + gap => length = more,
            _ => break,
        }
    }
    length
}

/// Lines that belong together: a heading, list items, a paragraph, in this order of preference.
fn read_group(
    text: &str,
    group: &[Line<'_>],
    whole: &[Line<'_>],
    layout: &Layout,
    out: &mut Vec<Block>,
) {
    let mut rest = group;
    // The line that a paragraph right above ends with.
    let mut above: Option<&Line<'_>> = None;
    while let Some(line) = rest.first() {
        let leads = above.take();
        if line.words.is_empty() {
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        let typed = leads.map_or_else(
            || code::marked_length(rest),
            |above| code::glued_length(rest, above.words, above.indent, layout),
        );
        if typed > 0 {
            let (typed, after) = rest.split_at(typed);
            out.extend(code::block(text, typed));
            rest = after;
            continue;
        }
        if layout.is_info
            && let Some((used, name, script)) = beside::script_beside(rest)
        {
            out.push(Block {
                kind: BlockKind::Paragraph(running(name, layout)),
                span: Span::of(line.range.start..script.span.bytes.start),
            });
            out.push(script);
            rest = rest.get(used..).unwrap_or_default();
            continue;
        }
        if let Some((level, words)) = layout.rulers.starred(rest) {
            out.push(headings::heading(level, words, line.range.clone()));
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        if layout.is_info
            && let Some((used, mut table)) =
                tables::ruled(text, rest).or_else(|| tables::spaced(rest))
        {
            if let BlockKind::Table { header, rows, .. } = &mut table.kind {
                let cells = header.iter_mut().chain(rows.iter_mut().flatten());
                cells.for_each(|cell| *cell = running(&plain(cell), layout));
            }
            out.push(table);
            rest = rest.get(used..).unwrap_or_default();
            continue;
        }
        if let Some(level) = layout.rulers.underlined(rest) {
            out.push(headings::heading(level, line.words, line.range.clone()));
            rest = rest.get(2..).unwrap_or_default();
            continue;
        }
        if headings::is_parting(line.words) {
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        if out.is_empty()
            && let Some(name) = headings::name_of_manual(line.words)
        {
            out.push(headings::heading(1, &name, line.range.clone()));
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        if let Some(level) = layout.rulers.of_manual(rest) {
            out.push(headings::heading(level, line.words, line.range.clone()));
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        if group.len() == 1
            && let Some(level) = layout
                .rulers
                .over_manual(whole)
                .or_else(|| layout.rulers.over_items(whole))
                .or_else(|| layout.rulers.evident(line, out.is_empty()))
        {
            out.push(headings::heading(level, line.words, line.range.clone()));
            return;
        }
        if rest.len() == group.len()
            && let Some(level) = layout.rulers.over_paragraph(rest)
        {
            out.push(headings::heading(level, line.words, line.range.clone()));
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        if lists::marker(line.words).is_some() {
            let used = lists::list(text, rest, layout, 0, out);
            rest = rest.get(used.max(1)..).unwrap_or_default();
            continue;
        }
        if let Some((used, block)) = shapes::read(text, rest) {
            out.push(block);
            rest = rest.get(used..).unwrap_or_default();
            continue;
        }
        let (valued, after) = rest.split_at(valued::length(rest));
        if let Some(last) = valued.last() {
            let mut words = Vec::new();
            for line in valued {
                if !words.is_empty() {
                    words.push(Inline::Break);
                }
                words.extend(running(line.words, layout));
            }
            out.push(Block {
                kind: BlockKind::Paragraph(words),
                span: Span::of(line.range.start..last.range.end),
            });
            rest = after;
            continue;
        }
        let used = paragraph_length(text, rest, layout);
        let (lines, after) = rest.split_at(used);
        if shapes::are_statements(lines, layout.margin) {
            out.push(shapes::statements(lines, |words| running(words, layout)));
            above = lines.last();
            rest = after;
            continue;
        }
        let end = lines.last().map_or(line.range.end, |line| line.range.end);
        let mut words = String::new();
        lines.iter().for_each(|line| glue(&mut words, line.words));
        out.push(Block {
            kind: BlockKind::Paragraph(running(&words, layout)),
            span: Span::of(line.range.start..end),
        });
        above = lines.last();
        rest = after;
    }
}

/// How many lines the paragraph takes that `lines` begin with.
fn paragraph_length(text: &str, lines: &[Line<'_>], layout: &Layout) -> usize {
    let below = (1..).map_while(|at| lines.get(at - 1).zip(lines.get(at..)));
    let goes_on = |(above, rest): &(&Line<'_>, &[Line<'_>])| {
        rest.first().is_some_and(|line| !line.words.is_empty())
            && !begins_anew(text, above, rest, layout)
            && code::glued_length(rest, above.words, above.indent, layout) == 0
    };
    1 + below.take_while(goes_on).count()
}

/// Whether `lines` begin with what does not go on with the words of the line `above`: an item, lines of one shape, or a heading.
fn begins_anew(text: &str, above: &Line<'_>, lines: &[Line<'_>], layout: &Layout) -> bool {
    if layout.is_info && info::leaves_reference_open(above.words) {
        return false;
    }
    lines.first().is_some_and(|line| {
        lists::interrupts(above, line)
            || headings::is_parting(line.words)
            || shapes::is_labelled(line.words)
            || is_remark(line.words) && above.words.ends_with(['.', '!', '?', ':'])
    }) || valued::begins(above, lines)
        || shapes::read(text, lines).is_some()
        || layout.rulers.underlined(lines).is_some()
        || layout.is_info && tables::spaced_length(lines) > 0
}

/// Whether a line of a file of info is an item: a star may begin one of an example as well, which is set in further.
fn is_bulleted(line: &Line<'_>) -> bool {
    line.words.starts_with("• ")
        || line.words.starts_with("* ") && line.indent == makeinfo::PARAGRAPH_INDENT
}

/// Whether a line begins behind a hash, as remarks do.
fn is_remark(words: &str) -> bool {
    let said = words.strip_prefix("# ");
    said.is_some_and(|said| !said.starts_with(char::is_lowercase))
}

/// Puts the words of a line behind those of the lines above it.
fn glue(words: &mut String, line: &str) {
    if !words.is_empty() && !breaks_path(words, line) {
        words.push(' ');
    }
    words.push_str(line);
}

/// Words of a paragraph.
fn running(words: &str, layout: &Layout) -> Vec<Inline> {
    let mended = layout.words.as_ref().and_then(|known| known.mended(words));
    let words = mended.unwrap_or_else(|| words.to_owned());
    let words = match layout.is_info {
        true => info::without_references(&words).into_owned(),
        false => words,
    };
    let marks: &[char] = match (layout.is_info, layout.stresses) {
        (true, _) => &['_', '*'],
        (false, true) => &['*'],
        (false, false) => &[],
    };
    let mut out = Vec::new();
    for piece in gnu_quotes::in_pieces(tidy(spans::marked(&words))) {
        match piece {
            Inline::Text(text) if !marks.is_empty() => out.extend(stress::stressed(&text, marks)),
            piece => out.push(piece),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_macro_that_is_defined_among_items_ends_their_list() {
        let source = "\u{1f}\nFile: kiln.info,  Node: Fire,  Up: Top\n\n1 Fire\n******\n\n   − Make the fire.\n\n      -- Macro: KILN_FIRE (WOOD)\n          The wood is fired.\n\n   − Look at the ash.\n";
        let text = skillkiln_document::markdown::write(&read(source.to_owned()).blocks);
        assert_eq!(
            text,
            "# 1 Fire\n\n- Make the fire.\n\n* **Macro: KILN_FIRE (WOOD)**: The wood is fired.\n\n- Look at the ash.\n"
        );
    }

    #[test]
    fn lines_that_say_something_each_are_items_and_those_of_running_text_are_not() {
        let log = "Kiln\n====\n\n  Add a door to the kiln\n  Burn dry wood only\n  oven: The variable AVERAGE sets how many earlier measurements of its temperature are averaged\n  glaze: Fix the red one\n";
        let markdown = skillkiln_document::markdown::write(&read(log.to_owned()).blocks);
        assert!(
            markdown.contains(
                "- Add a door to the kiln\n- Burn dry wood only\n- oven: The variable AVERAGE sets how many earlier measurements of its temperature are averaged\n- glaze: Fix the red one\n"
            ),
            "{markdown}"
        );
        let prose = "A kiln burns wood, and it is hot in there for a\nNight and a day. Nobody opens the door before the\nMorning comes.\n";
        assert_eq!(
            skillkiln_document::markdown::write(&read(prose.to_owned()).blocks)
                .lines()
                .count(),
            1
        );
    }

    #[test]
    fn a_path_that_a_line_broke_is_whole_in_paragraphs_items_and_terms() {
        assert_eq!(
            skillkiln_document::markdown::write(
                &read_plain("Look into /usr/\nshare/kiln of it.\n\n- It is in /usr/share/\n  kiln/README and\n  elsewhere\n".to_owned()).blocks
            ),
            "Look into /usr/share/kiln of it.\n\n- It is in /usr/share/kiln/README and elsewhere\n"
        );
    }

    #[test]
    fn capitals_above_an_indented_line_head_it_in_manual_pages_only() {
        for source in [
            "Ask it:\n\nSELECT NAME, COUNTRY\n   FROM KILNS\n",
            "It is given away.\n\nTHE SOFTWARE IS GIVEN WITHOUT WARRANTY OF ANY KIND\n   and nobody is to blame.\n",
            "Write so:\n\nBEGIN\n   fire it until it is hard\n",
        ] {
            let blocks = read_plain(source.to_owned()).blocks;
            assert!(
                !blocks
                    .iter()
                    .any(|block| matches!(block.kind, BlockKind::Heading { .. })),
                "{blocks:?}"
            );
        }
        let source = "NAME\n   kiln - fire clay\n\nSEE ALSO\n   clay\n";
        assert_eq!(
            skillkiln_document::markdown::write(&read_plain(source.to_owned()).blocks),
            "## NAME\n\nkiln - fire clay\n\n## SEE ALSO\n\nclay\n"
        );
    }

    #[test]
    fn words_that_lines_break_are_whole() {
        let source = "Mind the environment of\nit. Each environ-\nment is hot, in two-\nand threefold ways.\n";
        assert_eq!(
            skillkiln_document::markdown::write(&read_plain(source.to_owned()).blocks),
            "Mind the environment of it. Each environment is hot, in two- and threefold ways.\n"
        );
    }

    #[test]
    fn a_script_in_plain_text_makes_it_no_markdown() {
        let words = "The kiln fires clay until it is hard, and somebody stays awake beside it.\n\n"
            .repeat(6);
        let script = "#\n# Heat of the burner. Never let it\n# run out of air.\n#\n$heat = 7;\n\n    # Return ``hot\'\' or ``cold\'\', as the\n    # burner ``tells\'\' it, or ``none\'\'.\n    # See ``heat\'\'.\n";
        assert!(!is_markdown(&format!("{words}{script}")));
        assert!(is_markdown(
            "# Kilns\n## Heat\nIt is hot.\n# Clay\nIt is wet.\n"
        ));
    }

    #[test]
    fn prompts_of_root_are_no_headings() {
        let source = "Kilns\n-----\n\nLight it:\n# kiln start\n\nOr by a script:\n\n# /lib/kiln/start now\n\nThen wait.\n";
        assert!(!is_markdown(source));
        let noted = format!("Clay*, wood** and coal**\n\n** dry\n\n{source}");
        assert!(!is_markdown(&noted));
        assert_eq!(
            skillkiln_document::markdown::write(&read(source.to_owned()).blocks),
            "## Kilns\n\nLight it:\n\n```\n# kiln start\n```\n\nOr by a script:\n\n```\n# /lib/kiln/start now\n```\n\nThen wait.\n"
        );
        assert!(is_markdown("# kiln\n\nIt fires clay.\n"));
    }

    #[test]
    fn a_title_above_fields_stands_alone() {
        let document = read_plain("Kilns of the north\nAuthor: Ada\n\nThey are cold.\n".into());
        assert_eq!(document.title.as_deref(), Some("Kilns of the north"));
    }

    #[test]
    fn sections_stand_under_the_title_whatever_marks_them() {
        for source in [
            "Kilns\n*****\n\nOf heat.\n\n1. Fire\n*******\n\n1.1. Wood\n=========\n\nDry.\n\n1.1.1. Oak\n----------\n\nHard.\n",
            "Kilns\n\nOf heat.\n\n1. Fire\n\n1.1. Wood\n\n    Dry.\n\n1.1.1. Oak\n\n    Hard.\n",
        ] {
            let document = read(source.to_owned());
            assert_eq!(document.title.as_deref(), Some("Kilns"), "{source}");
            assert_eq!(
                skillkiln_document::markdown::write(&document.blocks),
                "# Kilns\n\nOf heat.\n\n## 1. Fire\n\n### 1.1. Wood\n\nDry.\n\n#### 1.1.1. Oak\n\nHard.\n",
                "{source}"
            );
        }
    }

    #[test]
    fn a_short_ruler_of_equal_signs_makes_a_heading() {
        let source =
            "Introduction\n===\n\nOf heat.\n\nHow to stay safe\n==\n\nWear gloves.\n\na\n== b\n";
        assert_eq!(
            skillkiln_document::markdown::write(&read_plain(source.to_owned()).blocks),
            "# Introduction\n\nOf heat.\n\n# How to stay safe\n\nWear gloves.\n\na == b\n"
        );
    }

    #[test]
    fn lists_in_lists_and_their_paragraphs_keep_their_depth() {
        let source = "Before.\n\n  * one\n    goes on\n\n    A second paragraph.\n\n      + inner\n\n          1. deep\n\n  * two\n\nAfter.\n";
        assert_eq!(
            skillkiln_document::markdown::write(&read_plain(source.to_owned()).blocks),
            "Before.\n\n- one goes on\n\n  A second paragraph.\n\n  - inner\n    1. deep\n\n- two\n\nAfter.\n"
        );
    }

    #[test]
    fn words_far_left_of_a_list_are_said_below_it() {
        let source =
            "It has\n         - an oven\n         - a door\nand more of these:\n         - a lid\n";
        assert_eq!(
            skillkiln_document::markdown::write(&read_plain(source.to_owned()).blocks),
            "It has\n\n- an oven\n- a door\n\nand more of these:\n\n- a lid\n"
        );
    }

    #[test]
    fn a_tab_may_part_an_item_from_its_mark() {
        assert_eq!(
            skillkiln_document::markdown::write(
                &read_plain("+\toak\n+\tash\n\n1.\tdry\n2.\tfire\n".into()).blocks
            ),
            "- oak\n- ash\n\n1. dry\n2. fire\n"
        );
    }

    #[test]
    fn a_table_drawn_with_spaces_is_a_table_and_wide_prose_is_not() {
        let drawn = "Name      Heat  Note\noak       900   burns long\nwillow    700   burns fast\n                and light\n";
        assert_eq!(
            skillkiln_document::markdown::write(&read_plain(drawn.to_owned()).blocks),
            "| Name | Heat | Note |\n| --- | --- | --- |\n| oak | 900 | burns long |\n| willow | 700 | burns fast and light |\n"
        );
        let prose =
            "The kiln is  hot and the\nwood is dry  but it was not\nready for us to  begin.\n";
        let blocks = read_plain(prose.to_owned()).blocks;
        assert!(
            matches!(blocks[0].kind, BlockKind::Paragraph(_)),
            "{blocks:?}"
        );
    }

    #[test]
    fn items_with_labels_and_lines_in_capitals_stand_apart_below_a_title_with_a_colon() {
        let source = "Design review: the kiln\nDate: 6 May\n\n1. Heat\n   Ada showed how hot it is. Fine.\n   DECISION: no gas.\n   ACTION (Ben, by May): buy wood.\n\n2. Clay\n   It is wet and nobody knows why.\n---\nEnd of it.\n";
        let document = read(source.to_owned());
        assert_eq!(document.title.as_deref(), Some("Design review: the kiln"));
        assert_eq!(
            skillkiln_document::markdown::write(&document.blocks),
            "# Design review: the kiln\n\nDate: 6 May\n\n1. **Heat**\n\n   Ada showed how hot it is. Fine.\n\n   DECISION: no gas.\n\n   ACTION (Ben, by May): buy wood.\n\n2. **Clay**\n\n   It is wet and nobody knows why.\n\nEnd of it.\n"
        );
    }

    #[test]
    fn the_first_line_of_a_document_is_its_title_when_it_stands_alone() {
        for (source, title) in [
            (
                "How to hold a pot\n\nWith both hands.\n",
                Some("How to hold a pot"),
            ),
            ("Dear Ada,\n\nit is hot.\n", None),
            ("It is hot.\n\nIt is wet.\n", None),
            ("How to hold a pot\n", None),
        ] {
            assert_eq!(read(source.to_owned()).title.as_deref(), title, "{source}");
        }
    }

    #[test]
    fn entries_of_a_manual_with_indented_headings_have_their_names_over_them() {
        let source = "fire\n\n SYNOPSIS\n  Lights a kiln\n\n DESCRIPTION\n  It lights `the kiln' and says `hot' or `cold' of\n  what it found in there.\n\n EXAMPLE\n  Look at the heat\n\n      900     800     700\n      600     500     400\n\n  of three kilns.\n\n-------------------\n\nlook\n\n SYNOPSIS\n  Looks at it\n\n EXAMPLE\n\n      look(kiln);\n      cool(kiln);\n";
        assert_eq!(
            skillkiln_document::markdown::write(&read(source.to_owned()).blocks),
            "## fire\n\n### SYNOPSIS\n\nLights a kiln\n\n### DESCRIPTION\n\nIt lights 'the kiln' and says 'hot' or 'cold' of what it found in there.\n\n### EXAMPLE\n\nLook at the heat\n\n```\n900     800     700\n600     500     400\n```\n\nof three kilns.\n\n## look\n\n### SYNOPSIS\n\nLooks at it\n\n### EXAMPLE\n\n```\nlook(kiln);\ncool(kiln);\n```\n"
        );
    }

    #[test]
    fn comments_over_settings_make_no_markdown() {
        let text = skillkiln_document::markdown::write(
            &read("Set it so:\n\n# Host of the kiln\n<VirtualHost *:80>\n    ServerName kiln.example\n    Require all granted\n</VirtualHost>\n\n# Ports\nPort 22\n\nThen start it.\n".to_owned()).blocks,
        );
        assert_eq!(
            text,
            "Set it so:\n\n```\n# Host of the kiln\n<VirtualHost *:80>\n    ServerName kiln.example\n    Require all granted\n</VirtualHost>\n```\n\n```\n# Ports\nPort 22\n```\n\nThen start it.\n"
        );
    }

    #[test]
    fn a_text_in_a_script_without_capitals_has_a_title_and_no_code_of_words() {
        let document = read("窯の使い方\n\n次のように使います：\n\n   まず薪を乾かして、火をつけます。\n   そして一晩待ちます。\n\n次です。\n".to_owned());
        assert_eq!(document.title.as_deref(), Some("窯の使い方"));
        let text = skillkiln_document::markdown::write(&document.blocks);
        assert!(!text.contains("```"), "{text}");
    }
}
