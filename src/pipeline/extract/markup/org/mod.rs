//! Reads Org: headings by their stars, blocks between `#+begin` and `#+end`, lists, tables and what is said of the document.

mod inline;

use crate::domain::document::{About, Block, BlockKind, Definition, Document};
use crate::domain::text::plain;
use crate::pipeline::extract::builder::put_below;
use crate::pipeline::extract::markup::lines::{
    Line, block, code, indented_length, lines_of, paragraph, table, trimmed, words,
};
use crate::pipeline::extract::markup::markdown::{first_title, language_of};
use std::collections::HashSet;

/// Deepest list or block within another that is kept.
const DEPTH_MAX: usize = 16;
/// A drawer has no more lines.
const DRAWER_LINES_MAX: usize = 500;

/// Reads a text in Org.
#[must_use]
pub fn read(text: String) -> Document {
    let lines = lines_of(&text);
    let mut about = About::default();
    let mut blocks = Vec::new();
    for line in &lines {
        match keyword(line) {
            Some((name, value)) if name == "title" && blocks.is_empty() => {
                let text = inline::read(value);
                blocks.push(block(BlockKind::Heading { level: 1, text }, &[*line]));
            }
            Some((name, value)) if name == "author" => about.author = Some(value.to_owned()),
            Some((name, value)) if name == "date" => about.date = Some(value.to_owned()),
            Some((name, value)) if name == "language" => about.language = Some(value.to_owned()),
            _ => {}
        }
    }
    let below = u8::from(!blocks.is_empty());
    read_lines(&lines, below, 0, &mut blocks);
    let title = first_title(&blocks);
    drop(lines);
    Document {
        title,
        about,
        text,
        blocks,
        ..Document::default()
    }
}

/// Reads lines; headings stand so far below what they are told to be.
fn read_lines(lines: &[Line<'_>], below: u8, depth: usize, out: &mut Vec<Block>) {
    let mut rest = lines;
    // Kinds of blocks that nothing ends: each is looked for to the end of the text once.
    let mut endless: HashSet<String> = HashSet::new();
    while let Some(line) = rest.first() {
        let used = if line.is_blank() || is_told_elsewhere(line) {
            1
        } else if let Some(heading) = heading(line, below) {
            out.push(heading);
            1
        } else if let Some(name) = begin(line) {
            let kind = kind_of(name).0.to_ascii_lowercase();
            let used = match endless.contains(&kind) {
                true => None,
                false => enclosed(rest, name, depth, out),
            };
            used.unwrap_or_else(|| {
                endless.insert(kind);
                1
            })
        } else if let Some(used) = drawer_length(rest) {
            used
        } else if is_fixed(line) {
            fixed(rest, out)
        } else if line.words().starts_with('|') {
            drawn(rest, out)
        } else if marker(line).is_some() && depth < DEPTH_MAX {
            list(rest, depth, out)
        } else {
            let used = 1 + rest.iter().skip(1).take_while(|line| goes_on(line)).count();
            let (own, _) = rest.split_at(used);
            out.push(paragraph(inline::read(&words(own)), own));
            used
        };
        rest = rest.get(used.max(1)..).unwrap_or_default();
    }
}

/// Whether a line goes on with the paragraph above it.
fn goes_on(line: &Line<'_>) -> bool {
    !line.is_blank()
        && !is_told_elsewhere(line)
        && !line.words().starts_with('|')
        && !is_fixed(line)
        && marker(line).is_none()
        && begin(line).is_none()
        && heading(line, 0).is_none()
}

/// `* Words  :tag:`, with the words of its state and its rank left out.
fn heading(line: &Line<'_>, below: u8) -> Option<Block> {
    let stars = line.text.bytes().take_while(|byte| *byte == b'*').count();
    let name = line.text.get(stars..)?.strip_prefix(' ')?.trim();
    if stars == 0 || name.is_empty() {
        return None;
    }
    let name = name.strip_prefix("TODO ").unwrap_or(name);
    let name = name.strip_prefix("DONE ").unwrap_or(name);
    let name = match name.rsplit_once(char::is_whitespace) {
        Some((own, tags)) if tags.len() > 2 && tags.starts_with(':') && tags.ends_with(':') => own,
        _ => name,
    };
    let level = u8::try_from(stars)
        .unwrap_or(6)
        .saturating_add(below)
        .min(6);
    let text = inline::read(name);
    Some(block(BlockKind::Heading { level, text }, &[*line]))
}

/// `#+name: value`.
fn keyword<'a>(line: &Line<'a>) -> Option<(String, &'a str)> {
    let (name, value) = line.words().strip_prefix("#+")?.split_once(':')?;
    let value = value.trim();
    (!value.is_empty()).then(|| (name.to_ascii_lowercase(), value))
}

/// Whether a line is a comment, a ruler, a time of the agenda, or what is told of the document as a whole.
fn is_told_elsewhere(line: &Line<'_>) -> bool {
    let words = line.words();
    words == "#"
        || words.starts_with("# ")
        || words.starts_with("#+") && begin(line).is_none()
        || words.len() >= 5 && words.bytes().all(|byte| byte == b'-')
        || ["SCHEDULED: ", "DEADLINE: ", "CLOSED: "]
            .iter()
            .any(|name| words.starts_with(name))
}

/// What stands behind `#+begin_`.
fn begin<'a>(line: &Line<'a>) -> Option<&'a str> {
    let (begin, name) = line.words().split_at_checked("#+begin_".len())?;
    begin.eq_ignore_ascii_case("#+begin_").then_some(name)
}

/// The kind of a block, and what else is told where it begins.
fn kind_of(name: &str) -> (&str, &str) {
    name.split_once(char::is_whitespace).unwrap_or((name, ""))
}

/// Reads a block up to its end, and gives how many lines it takes; none where nothing ends it.
fn enclosed(lines: &[Line<'_>], name: &str, depth: usize, out: &mut Vec<Block>) -> Option<usize> {
    let (kind, told) = kind_of(name);
    let is_end = |line: &Line<'_>| {
        line.words()
            .split_at_checked("#+end_".len())
            .is_some_and(|(end, name)| {
                end.eq_ignore_ascii_case("#+end_") && name.trim().eq_ignore_ascii_case(kind)
            })
    };
    let end = lines.iter().position(is_end)?;
    let inner = trimmed(lines.get(1..end).unwrap_or_default());
    match kind.to_ascii_lowercase().as_str() {
        _ if inner.is_empty() => {}
        "src" => out.push(code(language_of(told), inner)),
        "example" => out.push(code(None, inner)),
        "export" | "comment" => {}
        "quote" | "verse" if depth < DEPTH_MAX => {
            let mut blocks = Vec::new();
            read_lines(inner, 0, depth + 1, &mut blocks);
            out.push(block(BlockKind::Quote(blocks), inner));
        }
        _ if depth < DEPTH_MAX => read_lines(inner, 0, depth + 1, out),
        _ => out.push(paragraph(inline::read(&words(inner)), inner)),
    }
    Some(end + 1)
}

/// The lines of a drawer, which holds what programs keep: `:PROPERTIES:` to `:END:`.
fn drawer_length(lines: &[Line<'_>]) -> Option<usize> {
    let name = lines
        .first()?
        .words()
        .strip_prefix(':')?
        .strip_suffix(':')?;
    let is_drawer = name.chars().all(|c| c.is_uppercase() || "_-".contains(c)) && name != "END";
    let end = lines
        .iter()
        .take(DRAWER_LINES_MAX)
        .take_while(|line| heading(line, 0).is_none())
        .position(|line| line.words() == ":END:")?;
    is_drawer.then_some(end + 1)
}

fn is_fixed(line: &Line<'_>) -> bool {
    line.words() == ":" || line.words().starts_with(": ")
}

/// Lines that are kept to the letter, each behind a colon.
fn fixed(lines: &[Line<'_>], out: &mut Vec<Block>) -> usize {
    let used = lines.iter().take_while(|line| is_fixed(line)).count();
    let bare: Vec<Line<'_>> = lines
        .iter()
        .take(used)
        .map(|line| {
            let at = line.text.find(':').map_or(0, |at| at + 1);
            line.after(at).dedent(1)
        })
        .collect();
    out.push(code(None, &bare));
    used
}

/// A table: its first row names the columns where a ruler stands below it.
fn drawn(lines: &[Line<'_>], out: &mut Vec<Block>) -> usize {
    let used = lines
        .iter()
        .take_while(|line| line.words().starts_with('|'))
        .count();
    let (own, _) = lines.split_at(used);
    let is_ruler = |line: &Line<'_>| line.words().starts_with("|-");
    let has_header = own.get(1).is_some_and(is_ruler);
    let mut rows = own.iter().filter(|line| !is_ruler(line)).map(|line| {
        let row = line.words().trim_start_matches('|');
        let row = row.strip_suffix('|').unwrap_or(row);
        row.split('|')
            .map(|cell| inline::read(cell.trim()))
            .collect()
    });
    let header = if has_header { rows.next() } else { None };
    out.extend(table(header.unwrap_or_default(), rows.collect(), None, own));
    used
}

/// The mark of an item: how many bytes it takes, and its number.
fn marker(line: &Line<'_>) -> Option<(usize, Option<u64>)> {
    let words = line.words();
    let digits = words.bytes().take_while(u8::is_ascii_digit).count();
    let (mark, rest) = if digits > 0 {
        words.split_at_checked(digits + 1)?
    } else {
        words.split_at_checked(1)?
    };
    let is_bullet = matches!(mark, "-" | "+") || mark == "*" && line.indent() > 0;
    let is_mark = is_bullet || digits > 0 && digits < 10 && mark.ends_with(['.', ')']);
    let number = mark.get(..digits).and_then(|digits| digits.parse().ok());
    (is_mark && (rest.is_empty() || rest.starts_with(' '))).then_some((mark.len() + 1, number))
}

/// Reads a list, or terms with what they mean; gives how many lines it takes.
fn list(lines: &[Line<'_>], depth: usize, out: &mut Vec<Block>) -> usize {
    let Some((indent, Some((_, start)))) =
        lines.first().map(|first| (first.indent(), marker(first)))
    else {
        return 1;
    };
    let mut used = 0;
    let mut items = Vec::new();
    let mut entries = Vec::new();
    while let Some(line) = lines.get(used) {
        let Some((length, number)) = marker(line).filter(|_| line.indent() == indent) else {
            break;
        };
        if number.is_some() != start.is_some() || used > 0 && heading(line, 0).is_some() {
            break;
        }
        let rest = lines.get(used + 1..).unwrap_or_default();
        let more = indented_length(rest, indent + 1);
        let words = line.dedent(indent).after(length);
        let (term, words) = match words.text.find(" :: ").filter(|_| start.is_none()) {
            Some(at) => (Some(words.part(0..at)), words.after(at + " :: ".len())),
            None => (None, words),
        };
        let mut inner = vec![words];
        inner.extend(
            rest.iter()
                .take(more)
                .map(|line| line.dedent(indent + length)),
        );
        let mut blocks = Vec::new();
        read_lines(&inner, 0, depth + 1, &mut blocks);
        match term {
            Some(term) => entries.push(Definition {
                terms: vec![inline::read(term.words())],
                blocks,
            }),
            None => items.push(blocks),
        }
        used += 1 + more;
        let gap = lines
            .iter()
            .skip(used)
            .take_while(|line| line.is_blank())
            .count();
        // Two empty lines end a list.
        let next = lines.get(used + gap);
        if gap < 2 && next.is_some_and(|next| next.indent() == indent && marker(next).is_some()) {
            used += gap;
        }
    }
    let own = lines.get(..used).unwrap_or_default();
    if !items.is_empty() {
        put_below(out, block(BlockKind::List { start, items }, own));
    }
    if !entries.is_empty() {
        put_below(out, block(BlockKind::Definitions(entries), own));
    }
    used
}

/// Whether a text without a telling name is evidently Org: it says so in its first lines.
pub(crate) fn is_org(text: &str) -> bool {
    let lines = lines_of(text.get(..text.floor_char_boundary(4_096)).unwrap_or(text));
    let told = lines
        .iter()
        .filter_map(keyword)
        .filter(|(name, _)| matches!(name.as_str(), "title" | "author" | "options" | "startup"))
        .count();
    told >= 2
        && lines
            .iter()
            .any(|line| heading(line, 0).is_some_and(|it| is_named(&it)))
}

fn is_named(block: &Block) -> bool {
    matches!(&block.kind, BlockKind::Heading { text, .. } if !plain(text).trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::markdown::write;

    #[test]
    fn headings_blocks_lists_and_tables_of_org_are_read() {
        let source = "#+TITLE: Kilns\n#+AUTHOR: Ada\n#+OPTIONS: toc:nil\n\n* TODO Heat :hot:\n:PROPERTIES:\n:ID: 1\n:END:\nUse ~kiln --on~ and =kiln=, see [[https://kiln.example][the *site*]].\n# a comment\n\n** Wood\n- oak\n  burns long\n\n  1. dry\n  2. fire\n- ash\n\n- heat :: how hot\n\n#+begin_src sh\n  kiln --look | head\n#+end_src\n\n#+BEGIN_QUOTE\nIt is hot.\n#+END_QUOTE\n\n: fixed  line\n\n| Wood | Heat |\n|------+------|\n| oak  |  900 |\n";
        let document = read(source.to_owned());
        assert_eq!(document.title.as_deref(), Some("Kilns"));
        assert_eq!(document.about.author.as_deref(), Some("Ada"));
        assert_eq!(
            write(&document.blocks),
            "# Kilns\n\n## Heat\n\nUse `kiln --on` and `kiln`, see [the **site**](https://kiln.example).\n\n### Wood\n\n- oak burns long\n  1. dry\n  2. fire\n- ash\n\n* **heat**: how hot\n\n```sh\nkiln --look | head\n```\n\n> It is hot.\n\n```\nfixed  line\n```\n\n| Wood | Heat |\n| --- | --- |\n| oak | 900 |\n"
        );
        assert!(is_org(source) && !is_org("* Heat\n\nIt is hot.\n"));
    }

    #[test]
    fn what_has_no_end_is_read_to_the_end() {
        for source in [
            "#+begin_src sh\nkiln\n",
            ":A:\nx\n",
            "- \n- ",
            "* \n|",
            "#+begin_quote",
        ] {
            let _ = read(source.to_owned());
        }
        let deep: String = (0..400)
            .map(|n| format!("{}- x\n", " ".repeat(n)))
            .collect();
        assert!(write(&read(deep).blocks).contains('x'));
    }
}
