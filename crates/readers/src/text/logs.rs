//! Owns the entries of logs: what `git log` prints, the change logs of GNU and of Debian's packages, and releases one below the
//! other. Each is a section, since its reader asks for the newest ones, and what somebody did is to stay below their name.

use super::log_heads::{Entry, Kind, MESSAGE_INDENT, heads, keep_series};
use super::{Layout, Line, code, headings, lists, running, stretch};
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::text::{Inline, squash};
use std::ops::Range;

/// Lines from the start that tell what a text is.
const LINES_MAX: usize = 400;
/// What belongs to a thing that was done lies so deep at most.
const DEPTH_MAX: usize = 4;

/// Whether `text` is evidently a log that is not written in Markdown: what is set in below its heads would be code there.
pub(super) fn is_log(text: &str) -> bool {
    let lines = text.split_inclusive('\n').take(LINES_MAX);
    let head = text.get(..lines.map(str::len).sum()).unwrap_or_default();
    let Log(entries) = Log::of(&super::lines_of(head));
    let is_marked = || ["](", "```"].iter().any(|mark| head.contains(mark));
    entries.iter().any(|entry| entry.kind != Kind::Released) || !entries.is_empty() && !is_marked()
}

/// The entries of a log, in their order.
#[derive(Debug, Default)]
pub(super) struct Log(Vec<Entry>);

impl Log {
    /// The entries that the lines hold; none where they are no log.
    pub(super) fn of(lines: &[Line<'_>]) -> Self {
        let mut entries: Vec<Entry> = heads(lines);
        keep_series(lines, &mut entries);
        let ends: Vec<usize> = entries
            .iter()
            .skip(1)
            .map(|entry| entry.at)
            .chain([lines.len()])
            .collect();
        for (entry, end) in entries.iter_mut().zip(ends) {
            entry.body.end = end.max(entry.body.start);
        }
        if let Some(end) = goes_on(lines, &entries)
            && let Some(last) = entries.last_mut()
        {
            last.body.end = end;
        }
        Self(entries)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The line at which the first entry begins.
    pub(super) fn first(&self) -> Option<usize> {
        self.0.first().map(|entry| entry.at)
    }

    /// The line behind the last entry: the text may go on.
    pub(super) fn end(&self) -> Option<usize> {
        self.0.last().map(|entry| entry.body.end)
    }

    /// Reads each entry as a section of its own.
    pub(super) fn read(
        &self,
        text: &str,
        lines: &[Line<'_>],
        layout: &Layout,
        out: &mut Vec<Block>,
    ) {
        let has = |kind| self.0.iter().any(|entry| entry.kind == kind);
        let is_nested = has(Kind::Released) && has(Kind::Dated);
        for entry in &self.0 {
            let level = match entry.kind {
                _ if self.end() < Some(lines.len()) => 3,
                Kind::Dated if is_nested => 3,
                _ => 2,
            };
            let Some(head) = lines.get(entry.at) else {
                continue;
            };
            out.push(headings::heading(level, &entry.title, head.range.clone()));
            out.extend(fields(lines, &entry.fields));
            let body = lines.get(entry.body.clone()).unwrap_or_default();
            let (body, summary) = match entry.kind {
                Kind::Commit => body.split_at(message_length(body)),
                _ => (body, [].as_slice()),
            };
            let mut blocks = Vec::new();
            told(text, &set_out(body, entry.kind), layout, &mut blocks);
            // What stands in capitals in a message heads nothing.
            blocks.iter_mut().for_each(|block| demote(block, layout));
            out.append(&mut blocks);
            out.extend(code::block(text, trimmed(summary)));
        }
    }
}

/// Where a text goes on behind the releases that it tells of, as a manual does behind its history: from the last of them on, underlined
/// headings stand at the margin, and in none of those before it.
fn goes_on(lines: &[Line<'_>], entries: &[Entry]) -> Option<usize> {
    let (last, before) = entries.split_last()?;
    let heads = |range: &Range<usize>| {
        let range = range.clone();
        range.filter(|at| {
            let rest = lines.get(*at..).unwrap_or_default();
            let is_word = |line: &&Line<'_>| line.indent == 0 && !headings::is_parting(line.words);
            rest.first().filter(is_word).is_some() && headings::mark_under(rest).is_some()
        })
    };
    let is_told = last.kind == Kind::Released
        && !before.is_empty()
        && before
            .iter()
            .all(|entry| heads(&entry.body).next().is_none());
    let mut found = heads(&last.body).take(2);
    let (first, _) = found.next().filter(|_| is_told).zip(found.next())?;
    // A heading may have a ruler above it too.
    let above = first.checked_sub(1).filter(|at| *at >= last.body.start);
    let ruler = above.filter(|at| {
        let line = lines.get(*at);
        line.is_some_and(|line| !line.words.is_empty() && headings::is_parting(line.words))
    });
    Some(ruler.unwrap_or(first))
}

/// How many lines of what stands below a commit's fields are its message; behind them, set in less, `git` lists the files that
/// were changed.
fn message_length(lines: &[Line<'_>]) -> usize {
    let is_listed = |line: &&Line<'_>| {
        !line.words.is_empty() && line.indent > 0 && line.indent < MESSAGE_INDENT
    };
    let first = lines.iter().position(|line| is_listed(&line));
    first.unwrap_or(lines.len())
}

/// Lines without the empty ones around them.
fn trimmed<'l, 'a>(lines: &'l [Line<'a>]) -> &'l [Line<'a>] {
    let is_said = |line: &Line<'_>| !line.words.is_empty();
    let first = lines.iter().position(is_said).unwrap_or(lines.len());
    let last = lines.iter().rposition(is_said).map_or(first, |at| at + 1);
    lines.get(first..last).unwrap_or_default()
}

/// Reads what is said in an entry: of one that names the files that were changed first, as GNU's logs made of commits do, those in a
/// line, and below them its message.
fn told(text: &str, lines: &[Line<'_>], layout: &Layout, out: &mut Vec<Block>) {
    match files(lines) {
        Some((block, message)) => {
            out.push(block);
            said(text, &set_out(message, Kind::Dated), layout, out);
        }
        None => said(text, lines, layout, out),
    }
}

/// The files that an entry begins with, each an item that ends in a colon, where all else is set in below them: its message.
fn files<'l, 'a>(lines: &'l [Line<'a>]) -> Option<(Block, &'l [Line<'a>])> {
    let lines = trimmed(lines);
    let first = lines.first()?;
    let name = |line: &Line<'a>| {
        let (length, number) = lists::marker(line.words)?;
        let name = line.words.get(length..)?.trim().strip_suffix(':')?;
        let is_file = number.is_none() && line.indent == first.indent && !name.contains(' ');
        is_file.then_some(name)
    };
    let names: Vec<&str> = lines.iter().map_while(name).collect();
    let (own, message) = lines.split_at(names.len());
    let is_message = |line: &Line<'_>| line.words.is_empty() || line.indent > first.indent;
    if names.is_empty() || message.is_empty() || !message.iter().all(is_message) {
        return None;
    }
    let end = own.last()?.range.end;
    let block = Block {
        kind: BlockKind::Paragraph(vec![Inline::Text(names.join(", "))]),
        span: Span::of(first.range.start..end),
    };
    Some((block, message))
}

/// Reads what is said in an entry: lines that were not broken to fit stay lines, of fields as of things that were done.
fn said(text: &str, lines: &[Line<'_>], layout: &Layout, out: &mut Vec<Block>) {
    let mut pending = 0;
    let mut at = 0;
    let read = |from: usize, to: usize, out: &mut Vec<Block>| {
        stretch(
            text,
            lines.get(from..to).unwrap_or_default(),
            layout,
            0,
            out,
        );
    };
    while let Some(line) = lines.get(at) {
        if line.words.is_empty() {
            at += 1;
            continue;
        }
        let rest = lines.get(at..).unwrap_or_default();
        let length = rest
            .iter()
            .take_while(|line| !line.words.is_empty())
            .count();
        let group = rest.get(..length).unwrap_or_default();
        let closing = group.iter().rev().take_while(|line| is_field(line)).count();
        let block = match () {
            // What is set in belongs to an item above it.
            () if line.indent > 0 => None,
            // One line alone that looks like a field may be a sentence.
            () if closing > 0 && length > 1 => {
                read(pending, at + length - closing, out);
                pending = at + length - closing;
                fields(lines, &(pending..at + length))
            }
            () if are_done(group) => Some(list(group, 0)),
            () => None,
        };
        if let Some(block) = block {
            read(pending, at.max(pending), out);
            out.push(block);
            pending = at + length;
        }
        at += length;
    }
    read(pending, lines.len(), out);
}

/// Whether a line is a field of the entry, as `Signed-off-by: Ada Lee`.
fn is_field(line: &Line<'_>) -> bool {
    line.words.split_once(": ").is_some_and(|(name, _)| {
        name.starts_with(|c: char| c.is_ascii_uppercase())
            && name
                .chars()
                .all(|c| c.is_ascii_alphabetic() || matches!(c, '-'))
    })
}

/// Whether each of several lines tells of something that was done: each begins anew, and most end although there was room for more.
fn are_done(lines: &[Line<'_>]) -> bool {
    let begins = |line: &Line<'_>| line.words.starts_with(char::is_uppercase);
    if lines.len() < 2 || !lines.iter().all(begins) {
        return false;
    }
    let length = |words: &str| words.chars().count();
    let widest = lines.iter().map(|line| line.indent + length(line.words));
    let widest = widest.max().unwrap_or(0);
    let broken = lines.windows(2).filter(|pair| {
        matches!(pair, [line, next] if next
            .words
            .split(' ')
            .next()
            .is_some_and(|word| line.indent + length(line.words) + 1 + length(word) > widest))
    });
    broken.count() * 2 < lines.len()
}

/// The list of lines that each tell of something; what is set in below one belongs to it.
fn list(lines: &[Line<'_>], depth: usize) -> Block {
    let span = |lines: &[Line<'_>]| {
        let start = lines.first().map_or(0, |line| line.range.start);
        Span::of(start..lines.last().map_or(start, |line| line.range.end))
    };
    let margin = lines.first().map_or(0, |line| line.indent);
    let mut items = Vec::new();
    let mut rest = lines;
    while let Some((first, after)) = rest.split_first() {
        let is_below = |line: &&Line<'_>| depth < DEPTH_MAX && line.indent > margin;
        let below = after.iter().take_while(is_below);
        let (below, after) = after.split_at(below.count());
        let mut item = vec![Block {
            kind: BlockKind::Paragraph(vec![Inline::Text(squash(first.words))]),
            span: Span::of(first.range.clone()),
        }];
        if !below.is_empty() {
            item.push(list(below, depth + 1));
        }
        items.push(item);
        rest = after;
    }
    Block {
        kind: BlockKind::List { start: None, items },
        span: span(lines),
    }
}

/// The fields of an entry, a line each.
fn fields(lines: &[Line<'_>], range: &Range<usize>) -> Option<Block> {
    let lines = lines.get(range.clone())?;
    let mut text = Vec::new();
    for line in lines {
        if !text.is_empty() {
            text.push(Inline::Break);
        }
        text.push(Inline::Text(squash(line.words)));
    }
    Some(Block {
        kind: BlockKind::Paragraph(text),
        span: Span::of(lines.first()?.range.start..lines.last()?.range.end),
    })
}

/// The lines of an entry without what the log itself sets them in by.
fn set_out<'a>(lines: &[Line<'a>], kind: Kind) -> Vec<Line<'a>> {
    let least = || {
        let said = lines.iter().filter(|line| !line.words.is_empty());
        said.map(|line| line.indent).min().unwrap_or(0)
    };
    let margin = match kind {
        Kind::Commit => MESSAGE_INDENT,
        _ => least(),
    };
    let mut out = lines.to_vec();
    for line in &mut out {
        line.indent = line.indent.saturating_sub(margin);
    }
    out
}

/// Makes a paragraph of what only looks like a heading inside an entry.
fn demote(block: &mut Block, layout: &Layout) {
    if let BlockKind::Heading { text, .. } = &block.kind {
        let words = skillkiln_document::text::plain(text);
        block.kind = BlockKind::Paragraph(running(&words, layout));
    }
}

#[cfg(test)]
mod tests {
    use crate::text::read;
    use skillkiln_document::markdown::write;

    fn written(source: &str) -> String {
        write(&read(source.to_owned()).blocks)
    }

    #[test]
    fn a_manual_goes_on_behind_its_history() {
        let (double, single) = ("=".repeat(80), "-".repeat(80));
        let versions = "version 0.3: 2004-06-19:\n  Some typos fixed\n\nversion 0.2: 2004-02-09:\n  Some words changed\n\n\
                        version 0.1: 2003-04-13:\n  First release\n";
        let manual = format!(
            "The kiln's documentation\n\n{double}\nPREFACE\n{double}\n\nRevisions\n{single}\n\n{versions}\n\n{double}\nFIRE\n{double}\n\n\
             Dry wood\n{single}\n\nBurn dry wood only.\n\nAsh\n{single}\n\nTake it out.\n"
        );
        let markdown = write(&read(manual).blocks);
        let headings: Vec<&str> = markdown
            .lines()
            .filter(|line| line.starts_with('#'))
            .collect();
        assert_eq!(
            headings,
            [
                "# The kiln's documentation",
                "# PREFACE",
                "## Revisions",
                "### version 0.3: 2004-06-19",
                "### version 0.2: 2004-02-09",
                "### version 0.1: 2003-04-13",
                "# FIRE",
                "## Dry wood",
                "## Ash",
            ],
            "{markdown}"
        );
    }

    #[test]
    fn each_commit_is_a_section_by_its_day_and_subject_with_who_made_it_below() {
        let commit = |digest: &str, day: u8, message: &str| {
            format!(
                "commit {digest}4fe5d1ac5bb85e39188d96fb214\nAuthor: Ada Lee <ada@kiln.example>\nDate:   Thu Feb {day} 23:21:54 2023 +1100\n\n{message}\n"
            )
        };
        let source = [
            commit(
                "9fe2075",
                2,
                "    Mend the door\n\n    It was hot.\n\n    Signed-off-by: Ada Lee\n    Fixes: 12\n\n door.rs | 2 +-\n 1 file changed",
            ),
            commit("9fe2076", 1, "    Burn less wood"),
            commit("9fe2077", 1, &"    It is a message without a subject of its own that\n    goes on and on\n".repeat(3)),
        ]
        .concat();
        let text = written(&source);
        assert!(
            text.starts_with(
                "## 2023-02-02 Mend the door\n\ncommit 9fe20754fe5d1ac5bb85e39188d96fb214\\\nAuthor: Ada Lee \\<ada@kiln.example>\\\nDate: Thu Feb 2 23:21:54 2023 +1100\n\nIt was hot.\n\nSigned-off-by: Ada Lee\\\nFixes: 12\n\n```\ndoor.rs | 2 +-\n1 file changed\n```\n\n## 2023-02-01 Burn less wood\n"
            ),
            "{text}"
        );
        assert!(text.contains("\n## 2023-02-01 commit 9fe2077\n"), "{text}");
    }

    #[test]
    fn what_somebody_did_stays_below_their_name() {
        let text = written(
            "2015-07-10  Ada Lee  ada@kiln.example\n\n\tMend the door\n\n\tBurn wood\n\n2015-07-06  Tom Oak  <tom@kiln.example>\n\n\t* door.c: Mended.\n\n2015-07-04  Tom Oak  <tom@kiln.example>\n\n\t* oven.c: New.\n",
        );
        assert_eq!(
            text,
            "## 2015-07-10 Ada Lee ada@kiln.example\n\nMend the door\n\nBurn wood\n\n## 2015-07-06 Tom Oak \\<tom@kiln.example>\n\n- door.c: Mended.\n\n## 2015-07-04 Tom Oak \\<tom@kiln.example>\n\n- oven.c: New.\n"
        );
    }

    #[test]
    fn the_message_of_an_entry_stands_below_its_files_and_its_fields_at_the_end() {
        let entry = "2023-01-18 16:07:39 +0100  Ada Lee <ada@kiln.example>\n\n\t* po/de.po:\n\t* door.c:\n\t  door: Mend the hinge\n\t  It was hot.\n\t  Part-of: <https://kiln.example/1>\n\n";
        let text = written(&entry.repeat(3));
        assert!(
            text.starts_with(
                "## 2023-01-18 16:07:39 +0100 Ada Lee \\<ada@kiln.example>\n\npo/de.po, door.c\n\ndoor: Mend the hinge It was hot.\n\nPart-of: \\<https://kiln.example/1>\n\n## "
            ),
            "{text}"
        );
    }

    #[test]
    fn packages_and_releases_are_sections_too() {
        let text = written(
            "kiln (2.1-3) unstable; urgency=medium\n\n  * Mend it.\n\n -- Ada Lee <ada@kiln.example>  Fri, 09 May 2025 16:50:00 +0200\n\nkiln (2.1-2) unstable; urgency=low\n\n  * Burn it.\n\nkiln (2.1-1) unstable; urgency=low\n\n  * Begin.\n",
        );
        assert!(
            text.starts_with("## kiln (2.1-3) unstable; urgency=medium\n\n- Mend it.\n\n"),
            "{text}"
        );
        let text = written(
            "Kiln change log\n\nKiln 2.5.13 Release (2022/07/14)\n\tMended the door of clay\n\tBuild\n\t\tAdded the oven\n\nKiln 2.5.12 Release (2022/05/04)\n\tBegun\n\nKiln 2.5.11 Release (2022/05/01)\n\tPlanned\n",
        );
        assert!(
            text.starts_with(
                "# Kiln change log\n\n## Kiln 2.5.13 Release (2022/07/14)\n\n- Mended the door of clay\n- Build\n  - Added the oven\n\n## Kiln 2.5.12"
            ),
            "{text}"
        );
    }

    #[test]
    fn days_in_front_of_versions_head_releases() {
        let text = written(
            "Kilns\n\n4 May 2012\n- d\n\n2 May 2011, v2.4\n- a\n- c\n\n1 May 2010, v2.3\n- b\n\n3 May 2009, v1.7\n\n- c\n",
        );
        assert_eq!(
            text,
            "# Kilns\n\n## 4 May 2012\n\n- d\n\n## 2 May 2011, v2.4\n\n- a\n- c\n\n## 1 May 2010, v2.3\n\n- b\n\n## 3 May 2009, v1.7\n\n- c\n"
        );
    }

    #[test]
    fn days_in_figures_in_front_of_versions_head_releases_too() {
        assert_eq!(
            written(
                "2023-02-03 v3.6.0\n  It is faster.\n\n  - Doors\n    * A red one.\n\n2022-08-31 v3.5.0\n  It is hot.\n\n2020-05-07 v2.0.0 \"Clay\"\n  Begun.\n"
            ),
            "## 2023-02-03 v3.6.0\n\nIt is faster.\n\n- Doors\n  - A red one.\n\n## 2022-08-31 v3.5.0\n\nIt is hot.\n\n## 2020-05-07 v2.0.0 \"Clay\"\n\nBegun.\n"
        );
    }

    #[test]
    fn who_did_what_stands_below_in_brackets_is_no_part_of_the_item_above() {
        let entry = |number: u8, told: &str| {
            format!(
                "kiln (2.1-{number}) unstable; urgency=low\n\n{told}\n -- Ada Lee <ada@kiln.example>  Fri, 09 May 2025 16:50:00 +0200\n\n"
            )
        };
        let source = [
            entry(3, "  * Team upload\n  [ Tom Oak ]\n  * Add a door\n"),
            entry(2, "  * Apply from HEAD:\n    door: make it red (Closes: #95)\n    oven: mend it again\n"),
            entry(1, "  * Begun.\n"),
        ]
        .concat();
        let text = written(&source);
        for part in [
            "- Team upload\n\n[ Tom Oak ]\n\n",
            "- Apply from HEAD:\n\n  - **door**: make it red (Closes: #95)\n  - **oven**: mend it again\n",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn numbers_that_stand_alone_are_no_log() {
        for source in [
            "It fires.\n\nkiln=10.0.0.1 door\n\nkiln=10.0.0.2 oven\n\nkiln=10.0.0.3 roof\n",
            "Kiln 2.1 is hot.\n\nKiln 2.0 is cold.\n\nKiln 1.9 is old.\n",
            "Day 1.5 of the run\n\nIt burns.\n\nHeat 2.5\n\nIt glows.\n",
        ] {
            let text = written(source);
            assert!(!text.contains("## "), "{text}");
        }
    }

    #[test]
    fn lines_that_were_broken_to_fit_are_no_list() {
        let text = written(
            "Version 2.1\n\nThe kiln fires clay until it is hard and somebody\nStays awake beside it, which nobody likes, so that\nAll of it glows.\n\nVersion 2.0\n\nBegun.\n\nVersion 1.9\n\nPlanned.\n",
        );
        assert!(text.contains("hard and somebody Stays awake"), "{text}");
    }
}
