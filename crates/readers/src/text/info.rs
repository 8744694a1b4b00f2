//! Reads what GNU's info has beside plain text: nodes with lines that lead from one to the next, menus, indices, references, and
//! terms in quotes above what they mean.

use super::headings::is_parting;
use super::makeinfo::PARAGRAPH_INDENT;
use super::{DEFINED_DEPTH_MAX, Layout, Line, glue, hanging, headings, lists, running};
use skillkiln_document::blocks::{Block, BlockKind, Definition, Span};
use skillkiln_document::text::Inline;
use std::borrow::Cow;
use std::collections::HashSet;

/// What stands before each node.
const MARK: &str = "\u{1f}";
/// The name of a node, or of what leads to it, is not longer.
const NAME_CHARS_MAX: usize = 100;
/// What goes on with an entry of a menu is indented so far.
const MENU_INDENT: usize = 8;
/// The name of a part of a menu has no more words.
const PART_WORDS_MAX: usize = 5;

/// What stands above the entries of a menu or an index.
const MENU: &str = "* Menu:";
/// What begins the place to which an entry of an index leads.
const PLACE: &str = "(line ";
/// So many paragraphs that begin set in are no accident.
const BEGUN_MIN: usize = 2;
/// So many headings at the end are a table of contents.
const CONTENTS_MIN: usize = 4;

/// A command is called in so many ways at most, and so many terms mean the same.
const WAYS_MAX: usize = 64;
/// What parts a term from the column with its meaning.
const COLUMN_GAP: &str = "   ";
/// How much further than its term a meaning is set in.
const MEANING_INDENT: usize = 4;

/// Whether `text` is a file of info.
pub(super) fn is_info(text: &str) -> bool {
    text.split(MARK)
        .skip(1)
        .filter_map(|node| node.trim_start().strip_prefix("File: "))
        .any(|node| {
            node.lines()
                .next()
                .is_some_and(|line| line.contains("Node: "))
        })
}

/// Whether lines are what GNU's makeinfo writes of a manual without its nodes: chapters are underlined with stars, and paragraphs begin
/// set in by three columns and go on without.
pub(super) fn is_made(lines: &[Line<'_>]) -> bool {
    let is_chapter = |pair: &[Line<'_>]| headings::mark_under(pair) == Some('*');
    if !lines.windows(2).any(is_chapter) {
        return false;
    }
    let (mut begun, mut others) = (0_usize, 0_usize);
    let mut above: Option<&Line<'_>> = None;
    for (at, line) in lines.iter().enumerate() {
        let begins = above
            .replace(line)
            .is_none_or(|above| above.words.is_empty() || above.indent > PARAGRAPH_INDENT);
        if !begins || line.indent != PARAGRAPH_INDENT || lists::marker(line.words).is_some() {
            continue;
        }
        let next = lines.get(at + 1);
        match next
            .filter(|next| !next.words.is_empty())
            .map(|next| next.indent)
        {
            None | Some(0) => begun += 1,
            Some(indent) if indent > PARAGRAPH_INDENT => {}
            Some(_) => others += 1,
        }
    }
    begun >= BEGUN_MIN && begun > others
}

/// Takes out what only leads through what makeinfo writes of a manual: its indices, and the table of contents at its end.
pub(super) fn clear_made(lines: &mut [Line<'_>]) {
    let titles: HashSet<&str> = lines
        .windows(2)
        .filter(|pair| headings::mark_under(pair).is_some())
        .filter_map(|pair| pair.first())
        .map(|line| line.words)
        .collect();
    let is_menu = |line: &Line<'_>| line.indent == 0 && line.words == MENU;
    let menus: Vec<usize> = (0..lines.len())
        .filter(|at| lines.get(*at).is_some_and(is_menu))
        .collect();
    for at in menus {
        let below = lines.iter().enumerate().skip(at + 1);
        let is_own = |line: &Line<'_>| {
            line.words.is_empty() || is_entry(line) || line.words.starts_with(PLACE)
        };
        let own: Vec<usize> = below
            .take_while(|(_, line)| is_own(line))
            .map(|(at, _)| at)
            .collect();
        let is_place = |at: &&usize| {
            lines
                .get(**at)
                .is_some_and(|line| line.words.contains(PLACE))
        };
        if !own.iter().any(|at| is_place(&at)) {
            continue;
        }
        // The heading of an index has nothing else to head.
        let above = lines.get(..at).unwrap_or_default();
        let gap = above.iter().rev().take_while(|line| line.words.is_empty());
        let head = at.saturating_sub(gap.count() + 2);
        let is_head = lines
            .get(head..at)
            .is_some_and(|lines| headings::mark_under(lines).is_some());
        let from = if is_head { head } else { at };
        let to = own.last().map_or(at, |last| *last);
        for line in lines.get_mut(from..=to).unwrap_or_default() {
            line.words = "";
        }
    }
    // At the end, the headings stand once more, one below the other.
    let is_told = |line: &&Line<'_>| line.words.is_empty() || titles.contains(line.words);
    let told = lines.iter().rev().take_while(is_told).count();
    let from = lines.len() - told;
    let contents = lines.get_mut(from..).unwrap_or_default();
    if contents
        .iter()
        .filter(|line| !line.words.is_empty())
        .count()
        >= CONTENTS_MIN
    {
        contents.iter_mut().for_each(|line| line.words = "");
    }
    // What is left of the contents at the beginning: headings right above one.
    for at in 1..lines.len() {
        let is_title = |at: usize| {
            lines
                .get(at)
                .is_some_and(|line| titles.contains(line.words))
        };
        let is_over = |at: usize| lines.get(at + 1).is_some_and(|line| is_parting(line.words));
        if is_title(at - 1)
            && is_title(at)
            && !is_over(at - 1)
            && let Some(line) = lines.get_mut(at - 1)
        {
            line.words = "";
        }
    }
}

/// The files that the index of a manual in several files names.
pub(crate) fn files_of_index(text: &str) -> Option<Vec<&str>> {
    let mut parts = text.split(MARK).skip(1).map(str::trim_start);
    let listed = parts.find_map(|part| part.strip_prefix("Indirect:"))?;
    fn name(line: &str) -> Option<&str> {
        let (name, place) = line.split_once(": ")?;
        let is_place = place.trim().bytes().all(|b| b.is_ascii_digit());
        is_place.then_some(name)
    }
    let names: Vec<&str> = listed.lines().filter_map(name).collect();
    (!names.is_empty() && !is_info(text)).then_some(names)
}

/// Takes out what only leads through a file of info: menus, indices, and what stands before its first node and is told in it again.
pub(super) fn clear(lines: &mut [Line<'_>]) {
    let is_mark = |line: &Line<'_>| line.words == MARK;
    let first = lines.split(is_mark).nth(1).unwrap_or_default();
    let told: HashSet<String> = first
        .split(|line| line.words.is_empty())
        .map(said)
        .collect();
    for (number, node) in lines.split_mut(is_mark).enumerate() {
        if number == 0 {
            clear_preamble(node, &told);
            continue;
        }
        let name = node.iter_mut().find(|line| !line.words.is_empty());
        let name = name
            .filter(|line| line.words.starts_with("File: "))
            .map(|line| std::mem::take(&mut line.words));
        if name.is_some_and(|name| !is_index(name, node)) {
            clear_menus(node);
        } else {
            node.iter_mut().for_each(|line| line.words = "");
        }
    }
    put_below_title(lines);
    for line in lines.iter_mut().filter(|line| is_mark(line)) {
        line.words = "";
    }
}

/// What the lines of a paragraph say.
fn said(lines: &[Line<'_>]) -> String {
    let words: Vec<&str> = lines.iter().map(|line| line.words).collect();
    words.join(" ")
}

/// Takes out what stands before the first node and is told there, what made the file, and where it stands in a directory.
fn clear_preamble(lines: &mut [Line<'_>], told: &HashSet<String>) {
    let first = lines.iter().position(|line| !line.words.is_empty());
    let is_open = |line: &&Line<'_>| !line.words.is_empty() && !line.words.ends_with('.');
    let made = first.map_or(0, |first| {
        let words = lines.iter().skip(first);
        first + 1 + words.take_while(is_open).count()
    });
    let (maker, below) = lines.split_at_mut(made.min(lines.len()));
    maker.iter_mut().for_each(|line| line.words = "");
    let mut in_directory = false;
    for line in below.iter_mut() {
        let ends = line.words == "END-INFO-DIR-ENTRY";
        in_directory |= line.words.starts_with("INFO-DIR-SECTION")
            || line.words.starts_with("START-INFO-DIR-ENTRY");
        if in_directory {
            line.words = "";
        }
        in_directory &= !ends;
    }
    for paragraph in below.split_mut(|line| line.words.is_empty()) {
        if told.contains(&said(paragraph)) {
            paragraph.iter_mut().for_each(|line| line.words = "");
        }
    }
}

/// Puts what stands before the first node below its title.
fn put_below_title(lines: &mut [Line<'_>]) {
    let Some(mark) = lines.iter().position(|line| line.words == MARK) else {
        return;
    };
    let node = lines.iter().enumerate().skip(mark + 1);
    let mut said = node.filter(|(_, line)| !line.words.is_empty());
    if let (Some((title, _)), Some((ruler, line))) = (said.next(), said.next())
        && ruler == title + 1
        && is_parting(line.words)
        && let Some(lines) = lines.get_mut(..=ruler)
    {
        lines.rotate_left(mark);
    }
}

/// Takes out the menus of a node.
fn clear_menus(node: &mut [Line<'_>]) {
    let (mut has_menu, mut in_menu, mut below_empty) = (false, false, false);
    let mut is_detailed = false;
    for at in 0..node.len() {
        let is_said = node.get(at).is_some_and(|line| !line.words.is_empty());
        let mut below = node.iter().skip(at + 1);
        let next = below.find(|line| !line.words.is_empty());
        // A short line alone parts a menu that goes on below it.
        let parts = |line: &Line<'_>| {
            let is_name = line.words.split(' ').count() <= PART_WORDS_MAX
                && !line.words.ends_with(['.', ':', ','])
                && node.get(at + 1).is_some_and(|next| next.words.is_empty());
            has_menu && below_empty && is_name && next.is_some_and(|it| it.words.contains("::"))
        };
        let over_entry = is_said
            && next.is_some_and(is_entry)
            && (is_detailed || node.get(at).is_some_and(parts));
        let Some(line) = node.get_mut(at) else { break };
        let is_empty = line.words.is_empty();
        let goes_on = in_menu && line.indent >= MENU_INDENT && !below_empty;
        below_empty = is_empty;
        if is_empty {
            continue;
        }
        // Menus in detail name their parts between the entries.
        let leads = has_menu && line.words.contains("::");
        if line.words == MENU || line.words.contains("The Detailed Node Listing") {
            is_detailed |= line.words != MENU;
            (has_menu, in_menu) = (true, true);
            line.words = "";
        } else if over_entry && line.indent == 0 && !is_entry(line) {
            // The name of a chapter, over the entries of its parts.
            line.words = "";
        } else if is_entry(line) && (in_menu || leads) || goes_on {
            in_menu = true;
            line.words = "";
        } else if line.words.starts_with('\0') {
            // The mark of an index, whose menu follows.
            line.words = "";
        } else {
            in_menu = false;
        }
    }
}

fn is_entry(line: &Line<'_>) -> bool {
    line.indent == 0 && line.words.starts_with("* ")
}

/// Whether the node of this first line is an index: its entries have no names of their own.
fn is_index(name: &str, node: &[Line<'_>]) -> bool {
    let is_called = name
        .split_once("Node: ")
        .and_then(|(_, rest)| rest.split(',').next())
        .is_some_and(|name| name.ends_with("Index"));
    let mut entries = node.iter().filter(|line| is_entry(line));
    is_called
        && entries.any(|line| line.words == MENU)
        && entries.all(|line| !line.words.contains(":: ") && !line.words.ends_with("::"))
}

/// The terms that `lines` begin with, each a line in quotes, and what is indented below them; with how many lines they take.
pub(super) fn definition(
    text: &str,
    lines: &[Line<'_>],
    above: Option<&Block>,
    layout: &Layout,
    depth: usize,
) -> Option<(usize, Block)> {
    let first = lines.first()?;
    if let Some(row) = row(lines, layout) {
        return Some(row);
    }
    let named: Vec<Vec<&str>> = lines
        .iter()
        .take(WAYS_MAX)
        .take_while(|line| line.indent == first.indent)
        .map_while(|line| all_quoted(line.words))
        .collect();
    let used = named.len();
    let terms: Vec<Vec<Inline>> = named
        .into_iter()
        .flatten()
        .map(|term| vec![Inline::Code(term.to_owned())])
        .collect();
    if !layout.is_info || terms.is_empty() || depth >= DEFINED_DEPTH_MAX {
        return None;
    }
    let below = lines.get(used..)?;
    let told = below.iter().find(|line| !line.words.is_empty());
    let indent = told.map_or(0, |line| line.indent);
    if indent < first.indent + MEANING_INDENT {
        // Among terms that mean something may be some that nothing is said of.
        let is_next =
            told.is_some_and(|line| line.indent == first.indent && quoted(line.words).is_some());
        let is_behind = || {
            matches!(
                above.map(|block| &block.kind),
                Some(BlockKind::Definitions(_))
            )
        };
        let is_apart = below.first().is_none_or(|line| line.words.is_empty());
        return (is_apart && (is_next || is_behind())).then(|| {
            let last = lines.get(used - 1).unwrap_or(first);
            let span = Span::of(first.range.start..last.range.end);
            let entry = Definition {
                terms,
                blocks: Vec::new(),
            };
            (
                lines.len() - below.len(),
                Block {
                    kind: BlockKind::Definitions(vec![entry]),
                    span,
                },
            )
        });
    }
    let length = set_in_length(below, indent);
    let (body, _) = below.split_at(length);
    let blocks = hanging::body(text, body, indent, layout, depth);
    let end = blocks
        .last()
        .map_or(first.range.end, |block| block.span.bytes.end);
    let entry = Definition { terms, blocks };
    let block = Block {
        kind: BlockKind::Definitions(vec![entry]),
        span: Span::of(first.range.start..end),
    };
    Some((lines.len() - below.len() + length, block))
}

/// The term in quotes that `lines` begin with, with what it means in a column behind it: old manuals list options so, an empty line
/// between them.
fn row(lines: &[Line<'_>], layout: &Layout) -> Option<(usize, Block)> {
    let first = lines.first().filter(|_| layout.is_info)?;
    let (term, said) = first.words.split_once(COLUMN_GAP)?;
    let term = quoted(term.trim_end())?;
    let column = first.indent + first.words.len() - said.trim_start().len();
    let goes_on = |line: &&Line<'_>| !line.words.is_empty() && line.indent >= column;
    let more = lines.iter().skip(1).take_while(goes_on).count();
    let own = lines.get(..=more)?;
    let mut words = said.trim_start().to_owned();
    own.iter()
        .skip(1)
        .for_each(|line| glue(&mut words, line.words));
    let end = own.last().map_or(first.range.end, |line| line.range.end);
    let meaning = Block {
        kind: BlockKind::Paragraph(running(&words, layout)),
        span: Span::of(first.range.start..end),
    };
    let entry = Definition {
        terms: vec![vec![Inline::Code(term.to_owned())]],
        blocks: vec![meaning],
    };
    let block = Block {
        kind: BlockKind::Definitions(vec![entry]),
        span: Span::of(first.range.start..end),
    };
    // Below it stands an empty line: rows without one are a table.
    let is_apart = lines.get(more + 1).is_none_or(|line| line.words.is_empty());
    is_apart.then_some((more + 1, block))
}

/// How many lines from the start are set in so far, with the empty ones among them.
fn set_in_length(lines: &[Line<'_>], indent: usize) -> usize {
    lines
        .iter()
        .take_while(|line| line.words.is_empty() || line.indent >= indent)
        .count()
}

/// What stands between the quotes of a line of nothing but terms in quotes: one, or several behind commas.
fn all_quoted(words: &str) -> Option<Vec<&str>> {
    match quoted(words) {
        Some(term) => Some(vec![term]),
        None => words.split(", ").map(quoted).collect(),
    }
}

/// What stands between the quotes of a line that has one pair around it.
fn quoted(words: &str) -> Option<&str> {
    let between = |open: char, close: char| words.strip_prefix(open)?.strip_suffix(close);
    let inner = between('‘', '’')
        .or_else(|| between('\'', '\''))
        .or_else(|| between('`', '\''))?;
    // A quote that is escaped stands for itself.
    let bare = inner.replace("\\'", "");
    (!inner.is_empty() && !bare.contains(['‘', '’', '\'', '`'])).then_some(inner)
}

/// What `lines` begin with where a section tells of one command alone: what it is called with, each way in a line, and behind an empty
/// line or below the heading what it does, set in below it; with how many lines they take.
pub(super) fn command(
    text: &str,
    lines: &[Line<'_>],
    layout: &Layout,
    depth: usize,
    out: &mut Vec<Block>,
) -> Option<usize> {
    let first = lines.first()?;
    let mut ways: Vec<(String, Span)> = Vec::new();
    let mut called = 0;
    while let Some(rest) = lines.get(called..).filter(|_| ways.len() < WAYS_MAX)
        && let Some(way) = rest.first().filter(|way| way.indent == first.indent)
        && let Some((call, length)) = hanging::call(rest, layout)
    {
        let last = rest.get(length - 1).unwrap_or(way);
        ways.push((call, Span::of(way.range.start..last.range.end)));
        called += length;
    }
    // Asked of every line, it looks no further where nothing is defined.
    if ways.is_empty() || depth > 0 {
        return None;
    }
    let below = lines.get(called..)?;
    let indent = below.iter().find(|line| !line.words.is_empty())?.indent;
    if indent < first.indent + MEANING_INDENT {
        return None;
    }
    let length = set_in_length(below, indent);
    let (body, next) = below.split_at(length);
    let is_apart = below.first()?.words.is_empty();
    let is_headed = || {
        let above = out.last().map(|block| &block.kind);
        let goes_on = next
            .first()
            .is_some_and(|line| hanging::defined(line, layout).is_some());
        matches!(above, Some(BlockKind::Heading { .. })) && !goes_on
    };
    if !(is_apart || is_headed()) {
        return None;
    }
    for (way, span) in &ways {
        let (kind, call) = way.split_once(": ").unwrap_or(("", way));
        let mut told = vec![Inline::Code(call.to_owned())];
        if !kind.is_empty() {
            told.insert(0, Inline::Text(format!("{kind}: ")));
        }
        out.push(Block {
            kind: BlockKind::Paragraph(told),
            span: span.clone(),
        });
    }
    out.extend(hanging::body(text, body, indent, layout, depth));
    Some(called + length)
}

/// `words` with references as they are read: `(*note Heat::)` is "(see Heat)", and "For heat, *note Heat::" says so as well. Elsewhere
/// in a sentence, the writer says "see" himself, once for all that he lists.
pub(super) fn without_references(words: &str) -> Cow<'_, str> {
    if !words.contains("ote ") {
        return words.into();
    }
    let mut out = String::with_capacity(words.len());
    let mut rest = words;
    // Whether the sentence has led somewhere already.
    let mut has_led = false;
    while let Some((before, after)) = rest.split_once('*') {
        out.push_str(before);
        has_led &= !before.contains(['.', ';', '(', ')']);
        let Some((label, behind)) = reference(after) else {
            out.push('*');
            rest = after;
            continue;
        };
        let said = out.trim_end();
        if after.starts_with('N') {
            out.push_str("See ");
        } else if said.ends_with(['(', ';'])
            || said.ends_with(',')
                && !has_led
                && (behind.is_empty() || behind.starts_with(['.', ')']))
        {
            // Generators put references into sentences as well, where they are but words: "for pots, *note heat:: is high".
            out.push_str("see ");
        }
        match manual(label) {
            Some((manual, "")) => out.push_str(manual),
            Some((manual, node)) => out.extend([node, " (", manual, ")"]),
            None => out.push_str(label),
        }
        has_led = true;
        rest = behind;
    }
    out.push_str(rest);
    out.into()
}

/// The manual and its node that a label without words of its own names: `(kiln)Heat`.
fn manual(label: &str) -> Option<(&str, &str)> {
    let (manual, node) = label.strip_prefix('(')?.split_once(')')?;
    let node = node.trim();
    Some((manual, if node == "Top" { "" } else { node }))
}

/// The label of the reference that stands behind a star, and what stands behind it: `note Heat::`, or `note heat: (kiln)Heat.`,
/// whose label leads to a node with another name.
fn reference(after: &str) -> Option<(&str, &str)> {
    let name = after
        .strip_prefix("note ")
        .or_else(|| after.strip_prefix("Note "))?;
    let (label, target) = split_near(name, |mark, _| mark == ':')?;
    if label.contains("*note ") || label.contains("*Note ") {
        return None;
    }
    if let Some(behind) = target.strip_prefix("::") {
        return Some((label, behind));
    }
    let node = target.strip_prefix(": ")?;
    let node = match node.strip_prefix('(') {
        Some(manual) => split_near(manual, |mark, _| mark == ')')?.1,
        None => node,
    };
    // The point of a number or of a file's name does not end it.
    let is_end = |mark: char, next: Option<char>| {
        matches!(mark, '.' | ',') && !next.is_some_and(char::is_alphanumeric)
    };
    let (target, behind) = split_near(node, is_end)?;
    // Sphinx numbers its nodes, and names them as its modules are called: `*note kiln.fire: 162.`
    let is_numbered = !target.is_empty() && target.bytes().all(|b| b.is_ascii_hexdigit());
    // The point before a bracket is put there by the writer's program.
    // So is the one before words that go on with the sentence: Sphinx writes `*note Heat: 12c. of it`.
    let goes_on = |closing: &str| {
        let words = closing.strip_prefix(' ');
        words.is_some_and(|words| words.starts_with(|c: char| c.is_lowercase() || c == '‘'))
    };
    let behind = match behind.strip_prefix('.') {
        Some(closing) if closing.starts_with(')') || goes_on(closing) => closing,
        _ => behind,
    };
    (is_numbered || !label.contains('.')).then_some((label, behind))
}

/// Whether words end within a reference, whose label or whose node goes on in the next line: `see *note Heat:`.
pub(super) fn leaves_reference_open(words: &str) -> bool {
    let Some((_, label)) = words.rsplit_once("*note") else {
        return false;
    };
    let label = label.strip_suffix(':').unwrap_or(label);
    (label.is_empty() || label.starts_with(' '))
        && !label.contains(':')
        && label.len() <= NAME_CHARS_MAX
}

/// `words` before the first character that is an end beside the one behind it, and from it on: no further than a name is long.
fn split_near(words: &str, is_end: impl Fn(char, Option<char>) -> bool) -> Option<(&str, &str)> {
    let next = words.chars().skip(1).map(Some).chain([None]);
    words
        .char_indices()
        .take(NAME_CHARS_MAX)
        .zip(next)
        .find(|((_, character), next)| is_end(*character, *next))
        .and_then(|((at, _), _)| words.split_at_checked(at))
}

#[cfg(test)]
mod tests {
    use crate::text::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_file_of_info_is_its_nodes_without_what_leads_through_them() {
        let source = "This is kiln.info, produced by makeinfo.\n\nINFO-DIR-SECTION Kilns\n\n\u{1f}\nFile: kiln.info,  Node: Top,  Next: Heat,  Up: (dir)\n\nKilns\n*****\n\nThey are hot.\n\n* Menu:\n\n* Heat::        How hot they\n                  are.\n* Index::       All words.\n\n\u{1f}\nFile: kiln.info,  Node: Heat,  Prev: Top,  Up: Top\n\n1 Heat\n******\n\nIt is told by options (*note Colours of\nfire::).\n\n‘-m HEAT’\n‘--max=HEAT’\n     How hot.\n\n     ‘red’\n          It glows.\n\n‘--off’\n     Put it out:\n\n          $ kiln --off\n\n\u{1f}\nFile: kiln.info,  Node: Index,  Prev: Heat,  Up: Top\n\nIndex\n*****\n\n* Menu:\n\n* heat:   Heat.  (line 6)\n\n\u{1f}\nTag Table:\nNode: Top\u{7f}60\n\u{1f}\nEnd Tag Table\n";
        let document = read(source.to_owned());
        assert_eq!(document.title.as_deref(), Some("Kilns"));
        assert_eq!(
            write(&document.blocks),
            "# Kilns\n\nThey are hot.\n\n## 1 Heat\n\nIt is told by options (see Colours of fire).\n\n- `-m HEAT`, `--max=HEAT`: How hot.\n\n  - `red`: It glows.\n\n- `--off`: Put it out:\n\n  ```\n  $ kiln --off\n  ```\n"
        );
    }

    #[test]
    fn what_a_key_is_bound_to_is_a_term_its_example_code_and_centred_words_are_words() {
        let source = "\u{1f}\nFile: kiln.info,  Node: Fire,  Up: Top\n\n1 Fire\n******\n\n                     Version 1.3, 3 November 2008\n\n     KEYNAME: FUNCTION or MACRO\n          KEYNAME is the name of a key.  For\n          example:\n               Control-u: fire-argument\n               Meta-Rubout: cool-down\n               Control-o: \"> output\"\n\n          It burns.\n\n     \"KEYSEQ\": FUNCTION or MACRO\n          KEYSEQ is not KEYNAME.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "# 1 Fire\n\nVersion 1.3, 3 November 2008\n\n- **KEYNAME: FUNCTION or MACRO**: KEYNAME is the name of a key. For example:\n\n  ```\n  Control-u: fire-argument\n  Meta-Rubout: cool-down\n  Control-o: \"> output\"\n  ```\n\n  It burns.\n\n- **\"KEYSEQ\": FUNCTION or MACRO**: KEYSEQ is not KEYNAME.\n"
        );
    }

    #[test]
    fn words_beside_what_they_mean_are_terms_although_a_colon_leads_to_them() {
        let source = "\u{1f}\nFile: kiln.info,  Node: Fire,  Up: Top\n\n1 Fire\n******\n\n'-a'\n     It burns one of these woods:\n          'oak'      like coal\n          'ash'      like paper\n          'elm'      as nothing else\n";
        let text = write(&read(source.to_owned()).blocks);
        assert!(text.contains("**'oak'**: like coal"), "{text}");
    }

    #[test]
    fn the_index_and_the_contents_at_the_end_of_what_makeinfo_writes_are_left_out() {
        let source = "Kilns\n*****\n\nA Copying\nB Index\n1 Fire\n******\n\n1.1 Wood\n========\n\nIt is dry.\n\n   It burns for long and\nit is hot.\n\n   It cools.\n\n2 Ash\n*****\n\nIt is _not_ hot, but:\n       Wood     Heat\n                 \n       oak      900\n                 \n       elm      800\n                 \n   So it is.\n\nA Copying\n*********\n\nDo it.\n\nB Index\n*******\n\n* Menu:\n\n* ash:     Ash.    (line  17)\n* fire that burns:  Fire.\n                       (line   9)\n\n\n1 Fire\n  1.1 Wood\n2 Ash\nA Copying\nB Index\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "# Kilns\n\n## 1 Fire\n\n### 1.1 Wood\n\nIt is dry.\n\nIt burns for long and it is hot.\n\nIt cools.\n\n## 2 Ash\n\nIt is *not* hot, but:\n\n| Wood | Heat |\n| --- | --- |\n| oak | 900 |\n| elm | 800 |\n\nSo it is.\n\n## A Copying\n\nDo it.\n"
        );
    }

    #[test]
    fn terms_that_nothing_is_said_of_stand_among_the_others_and_head_nothing() {
        let source = "\u{1f}\nFile: kiln.info,  Node: Top,  Up: (dir)\n\nKilns\n*****\n\nThey are hot.\n\n* Menu:\n\n* Fire::    How hot.\n\n — The Detailed Node Listing —\n\nFire and Wood\n\n* Oak::     Hard.\n\n\u{1f}\nFile: kiln.info,  Node: Fire,  Up: Top\n\n1 Fire\n******\n\n‘-c’\n     cool it\n\n‘-D WOOD[=ASH]’\n\n‘-E’\n     end it\n\n'\\''\n     a quote\n\n‘KILN_PATH’\n\n   It needs:\n\n   • Wood Help (https://kiln.example/wood);\n   • Ash (https://kiln.example/ash/);\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "# Kilns\n\nThey are hot.\n\n## 1 Fire\n\n- `-c`: cool it\n- `-D WOOD[=ASH]`\n- `-E`: end it\n- `\\'`: a quote\n- `KILN_PATH`\n\nIt needs:\n\n- Wood Help (https://kiln.example/wood);\n- Ash (https://kiln.example/ash/);\n"
        );
    }

    #[test]
    fn a_term_in_quotes_with_its_meaning_in_a_column_is_one() {
        let source = "\u{1f}\nFile: kiln.info,  Node: Fire,  Up: Top\n\n1 Fire\n******\n\n`UP', `^P'\n     Go up.\n\n`-h'         print this\n             help\n\n`-v'         say more of `heat'\n\n   It burns.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "# 1 Fire\n\n- `UP`, `^P`: Go up.\n- `-h`: print this help\n- `-v`: say more of 'heat'\n\nIt burns.\n"
        );
    }

    #[test]
    fn a_reference_in_the_way_of_sphinx_goes_on_with_the_sentence_and_its_number_begins_no_item() {
        let source = "\u{1f}\nFile: kiln.info,  Node: Fire,  Up: Top\n\n1 Fire\n******\n\nSee *note Oak: 12c. for it, or *note Ash; and elm*: 12d.\n\n   * New *note -P: 15f. ‘dev’ option and *note KILN:\n     160. variable.  *note kiln.elm: 161. is light, and a *note\n     FIR: 162. is not.\n\n   Look at *note Fir: 12e.  It burns.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "# 1 Fire\n\nSee Oak for it, or Ash; and elm*.\n\n- New -P ‘dev’ option and KILN variable. kiln.elm is light, and a FIR is not.\n\nLook at Fir. It burns.\n"
        );
    }

    #[test]
    fn the_index_of_a_manual_in_several_files_names_them() {
        let index = "This is kiln.info.\n\n\u{1f}\nIndirect:\nkiln.info-1: 1201\nkiln.info-2: 312546\n\u{1f}\nTag Table:\n(Indirect)\nNode: Top\u{7f}1201\n\u{1f}\nEnd Tag Table\n";
        assert_eq!(
            super::files_of_index(index),
            Some(vec!["kiln.info-1", "kiln.info-2"])
        );
        assert_eq!(super::files_of_index("Indirect:\nkiln: 12\n"), None);
    }

    #[test]
    fn a_command_that_has_a_section_of_its_own_is_told_in_it() {
        let node = |body: &str| {
            let source = format!(
                "\u{1f}\nFile: kiln.info,  Node: Fire,  Up: Top\n\n1 Fire\n******\n\n{body}\n"
            );
            write(&read(source).blocks)
        };
        let told = "     Fires it _without_ wood.  WOOD must be one of\n     these, or more (see line\n     2) than those:\n        * oak\n        * ash\n\n     Example:\n\n          fire oak\n";
        let written = "# 1 Fire\n\nCommand: `fire WOOD`\n\nFires it *without* wood. WOOD must be one of these, or more (see line 2) than those:\n\n- oak\n- ash\n\nExample:\n\n```\nfire oak\n```\n";
        for way in [
            format!(" -- Command: fire WOOD\n\n{told}"),
            format!(" -- Command: fire WOOD\n{told}"),
        ] {
            assert_eq!(node(&way), written);
        }
        assert_eq!(
            node("'-h'\n'--heat'\n     how hot it is\n\n'-v'\n     what it is\n"),
            "# 1 Fire\n\n- `-h`, `--heat`: how hot it is\n- `-v`: what it is\n"
        );
    }

    #[test]
    fn thousands_of_calls_and_terms_that_nothing_is_said_of_are_looked_at_once_each() {
        for line in [" -- Command: fire WOOD\n", "'-h'\n"] {
            let source = format!(
                "\u{1f}\nFile: kiln.info,  Node: Fire,  Up: Top\n\n1 Fire\n******\n\n{}",
                line.repeat(20_000)
            );
            assert!(write(&read(source).blocks).len() > 20_000);
        }
    }

    #[test]
    fn dots_underline_the_fourth_level_and_a_table_with_a_wide_rule_is_one() {
        let source = "Kilns\n*****\n\n1 Ops\n=====\n\n1.1 Fires\n---------\n\nThe whole table follows.\nLeft        Op       Right\n--------------------------------\nwood        +        heat\nash         -        dust\n\n1.1.1 Comments\n..............\n\nThe *Potter's note:* is said.\n";
        let source = format!("\u{1f}\nFile: kiln.info,  Node: Top,  Up: (dir)\n\n{source}");
        assert_eq!(
            write(&read(source).blocks),
            "# Kilns\n\n## 1 Ops\n\n### 1.1 Fires\n\nThe whole table follows.\n\n| Left | Op | Right |\n| --- | --- | --- |\n| wood | + | heat |\n| ash | - | dust |\n\n#### 1.1.1 Comments\n\nThe **Potter's note:** is said.\n"
        );
    }

    #[test]
    fn a_reference_with_a_label_is_read_by_it() {
        for (words, shown) in [
            ("*Note Heat::.", "See Heat."),
            ("(*note heat: (kiln)Heat, and wood)", "(see heat, and wood)"),
            ("(*note heat: (kiln.info)Heat v1.2.)", "(see heat)"),
            ("(by default; *note Heat::)", "(by default; see Heat)"),
            (
                "see *note Heat::, as in *note Wood::.",
                "see Heat, as in Wood.",
            ),
            ("For heat, *note Heat::.", "For heat, see Heat."),
            (
                "see *note Heat::, *note Wood::, and *note Clay::. For more, *note Ash::.",
                "see Heat, Wood, and Clay. For more, see Ash.",
            ),
            (
                "for more, *note (kiln)Heat::. (*note (kiln)Top::)",
                "for more, see Heat (kiln). (see kiln)",
            ),
            (
                "For pots, *note heat:: is 'high', *note low::, or none.",
                "For pots, heat is 'high', low, or none.",
            ),
            ("a *note without an end", "a *note without an end"),
            ("5 * 3: a, b", "5 * 3: a, b"),
        ] {
            assert_eq!(super::without_references(words), shown);
        }
    }

    #[test]
    fn a_note_of_plain_text_leads_nowhere() {
        let source =
            "Kilns\n\n*Note that children must be accompanied by: a parent, or a teacher.\n";
        let markdown = write(&read(source.to_owned()).blocks);
        assert!(
            markdown.contains("Note that children must be accompanied by: a parent, or a teacher."),
            "{markdown}"
        );
    }

    #[test]
    fn what_stands_before_the_first_node_alone_is_kept() {
        let source = "This is kiln.info, produced by makeinfo from\nkiln.texi.\n\nThis is Edition 5.\n\nFire it\nwith care.\n\nINFO-DIR-SECTION Kilns\nSTART-INFO-DIR-ENTRY\n* Kiln: (kiln).\nEND-INFO-DIR-ENTRY\n\n\u{1f}\nFile: kiln.info,  Node: Top,  Up: (dir)\n\nKilns\n*****\n\nFire it with\ncare.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "# Kilns\n\nThis is Edition 5.\n\nFire it with care.\n"
        );
    }

    /// A node of this body, in a file of info.
    fn written(body: &str) -> String {
        let source = format!(
            "This is kiln.info.\n\n\u{1f}\nFile: kiln.info,  Node: Top,  Up: (dir)\n\nKilns\n*****\n\n{body}"
        );
        let markdown = write(&read(source).blocks);
        markdown.trim_start_matches("# Kilns\n\n").to_owned()
    }

    #[test]
    fn lines_that_are_not_filled_are_an_example() {
        assert_eq!(
            written(
                "Run:\n\n     make kiln\n     make ash\n\nThen:\n\n     rake -f\n\n‘red’\n     It glows in the dark of the night for hours and the one who looks at\n     it is blind.\n"
            ),
            "Run:\n\n```\nmake kiln\nmake ash\n```\n\nThen:\n\n```\nrake -f\n```\n\n- `red`: It glows in the dark of the night for hours and the one who looks at it is blind.\n"
        );
    }

    #[test]
    fn an_example_right_below_its_caption_is_one_listing_over_its_empty_lines() {
        assert_eq!(
            written(
                "   Lights a kiln.\n     int\n     fire (void)\n     {\n       light ();\n\n       /* It burns, so wait.  */\n\n       return 0;\n     }\n\n   It is hot.\n"
            ),
            "Lights a kiln.\n\n```\nint\nfire (void)\n{\n  light ();\n\n  /* It burns, so wait.  */\n\n  return 0;\n}\n```\n\nIt is hot.\n"
        );
        assert_eq!(
            written(
                "   Good:\n     /*\n      * It burns\n      * and it is hot.\n      */\n\n   Bad:\n     /* It burns\n        and it is hot. */\n\n     /* So\n      * is it. */\n"
            ),
            "Good:\n\n```\n/*\n * It burns\n * and it is hot.\n */\n```\n\nBad:\n\n```\n/* It burns\n   and it is hot. */\n\n/* So\n * is it. */\n```\n"
        );
        let long = "     kiln -L https://kiln.example/wood/that/is/dry/oak/and/ash/1.tar.gz \\\n         -o wood/dry\n";
        assert_eq!(
            written(&format!("Fetch it:\n\n{long}\nIt burns.\n"))
                .matches("```")
                .count(),
            2
        );
    }

    #[test]
    fn what_an_example_begins_with_stays_in_it_though_it_ends_in_a_colon() {
        for (first, second) in [("clean:", "rm $(objects)"), ("else:", "fire(wood)")] {
            let text = format!("It is told:\n\n     {first}\n             {second}\n\nIt burns.\n");
            let shown = format!("```\n{first}\n        {second}\n```");
            let written = written(&text);
            assert!(written.contains(&shown), "{written}");
        }
    }

    #[test]
    fn words_set_in_right_below_a_sentence_are_no_example() {
        let text =
            written("   It is told of kilns.\n     They burn all night\n     and are hot.\n");
        assert!(!text.contains("```"), "{text}");
        let text =
            written("   Write to us.\n     Kiln Street 5;\n     1234 Town\n     The North\n");
        assert!(!text.contains("```"), "{text}");
    }

    #[test]
    fn remarks_of_a_file_that_is_shown_are_part_of_it() {
        assert_eq!(
            written(
                "Here is it:\n\n     % The heat of the kiln, which somebody has to look at each night, ok\n     heat 900\n\n     % Never open it. It is hot.\n     door shut\n\nWait.\n"
            ),
            "Here is it:\n\n```\n% The heat of the kiln, which somebody has to look at each night, ok\nheat 900\n\n% Never open it. It is hot.\ndoor shut\n```\n\nWait.\n"
        );
    }

    #[test]
    fn an_indented_quotation_that_is_filled_is_words() {
        let quoted = "     The kiln is hot in the night and nobody who stands beside it has ever\n     been cold.\n";
        assert!(!written(quoted).contains("```"));
    }

    #[test]
    fn a_file_with_the_line_ends_of_windows_is_info() {
        let source = "Before.\r\n\r\n\u{1f}\r\nFile: k.info,  Node: Top,  Up: (dir)\r\n\r\nIt is hot.\r\n\r\n* Menu:\r\n\r\n* Fire:: One.\r\n";
        assert_eq!(write(&read(source.to_owned()).blocks), "It is hot.\n");
    }

    #[test]
    fn quoted_words_above_what_is_indented_are_terms_in_files_of_info_only() {
        let source = "He came.\n\n‘Is it hot?’\n    He asked her from the door.\n\n‘Burn’\n    \nIt burns.\n";
        assert!(!write(&read(source.to_owned()).blocks).contains('`'));
    }

    #[test]
    fn a_name_that_parts_a_menu_is_no_text() {
        let body = "It burns.\n\n* Menu:\n\n* Heat::   How.\n\nAppendices\n\n* Wood::   What.\n* Coal::   What else.\n\nIt cools.\n";
        assert_eq!(written(body), "It burns.\n\nIt cools.\n");
    }

    #[test]
    fn a_node_about_an_index_is_kept_and_so_is_what_stands_behind_a_menu() {
        let body = "* Menu:\n\n* Making an Index::   How.\n\n          $ kiln --on\n\n\u{1f}\nFile: kiln.info,  Node: Making an Index\n\nPots are counted.\n\n* kiln::heat is what it returns.\n";
        assert_eq!(
            written(body),
            "```\n$ kiln --on\n```\n\nPots are counted.\n\n- kiln::heat is what it returns.\n"
        );
    }

    #[test]
    fn many_references_are_read_in_one_pass() {
        let words = "see *note x:: ".repeat(100_000);
        assert_eq!(
            super::without_references(&words).len(),
            "see x ".len() * 100_000
        );
    }

    #[test]
    fn what_stands_right_below_a_call_and_deeper_than_what_it_does_is_part_of_it() {
        let text = written(
            "Of heat.\n\n -- Scheme Procedure: fire WOOD [HEAT]\n          [#:kiln 'old]\n     Lights it.\n\n -- Scheme Procedure: cool KILN\n     Waits.\n",
        );
        assert!(
            text.contains("fire WOOD [HEAT] [#:kiln 'old]**: Lights it.\n- **Scheme Procedure: cool KILN**: Waits."),
            "{text}"
        );
    }
}
