//! Reads Org: headings by their stars, blocks between `#+begin` and `#+end`, lists, tables and what is said of the document.

mod inline;

use crate::builder::{put_below, tidy};
use crate::includes;
use crate::markup::lines::{
    Line, block, code, indented_length, lines_of, paragraph, table, trimmed, verbatim, words,
};
use crate::markup::lines::{first_title, language_of};
use skillkiln_document::blocks::{About, Block, BlockKind, Definition, Document};
use skillkiln_document::missing;
use skillkiln_document::text::{Inline, plain};
use std::collections::HashMap;

/// Deepest list or block within another that is kept.
const DEPTH_MAX: usize = 16;
/// A drawer has no more lines.
const DRAWER_LINES_MAX: usize = 500;
/// A formula has no more lines.
const FORMULA_LINES_MAX: usize = 200;

/// Reads a text in Org.
#[must_use]
pub fn read(text: String) -> Document {
    let lines = lines_of(&text);
    let mut about = About::default();
    let mut blocks = Vec::new();
    let mut subtitles = Vec::new();
    let head = lines.iter().take_while(|line| !begins_part(line)).count();
    for (at, line) in lines.iter().enumerate() {
        match keyword(line) {
            Some((name, value)) if name == "title" && blocks.is_empty() => {
                let text = inline::read(value);
                blocks.push(block(BlockKind::Heading { level: 1, text }, &[*line]));
            }
            Some((name, value)) if matches!(&*name, "title" | "subtitle") && at < head => {
                subtitles.push(paragraph(inline::read(value), &[*line]));
            }
            Some((name, value)) if name == "author" => about.author = Some(value.to_owned()),
            Some((name, value)) if name == "date" => about.date = Some(value.to_owned()),
            Some((name, value)) if name == "language" => about.language = Some(value.to_owned()),
            _ => {}
        }
    }
    let below = u8::from(!blocks.is_empty());
    blocks.append(&mut subtitles);
    read_lines(&lines, below, 0, &mut blocks);
    let title = first_title(&blocks);
    drop(lines);
    Document::of(title, about, text, blocks)
}

/// Reads lines; headings stand so far below what they are told to be.
fn read_lines(lines: &[Line<'_>], below: u8, depth: usize, out: &mut Vec<Block>) {
    let mut rest = lines;
    let mut ends: Option<HashMap<String, usize>> = None;
    let mut caption: Option<Block> = None;
    while let Some(line) = rest.first() {
        if let Some((_, words)) = keyword(line).filter(|(name, _)| name == "caption") {
            out.extend(caption.replace(paragraph(inline::read(words), &[*line])));
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        if let Some(file) = includes::target(line.words()).filter(|_| keyword(line).is_some()) {
            out.push(paragraph(missing::paragraph([file.as_str()]), &[*line]));
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        if line.is_blank() || is_told_elsewhere(line) {
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        if line.words().starts_with('|') {
            let used = drawn(rest, caption.take(), out);
            rest = rest.get(used..).unwrap_or_default();
            continue;
        }
        out.extend(caption.take());
        let used = if let Some(heading) = heading(line, below) {
            out.push(heading);
            ends = None;
            1
        } else if let Some(name) = begin(line) {
            let kind = kind_of(name).0.to_ascii_lowercase();
            let ends = ends.get_or_insert_with(|| last_ends(rest));
            match ends.get(&kind) {
                Some(left) if *left < rest.len() => enclosed(rest, name, depth, out),
                _ => 1,
            }
        } else if let Some(used) = drawer(rest, depth, out) {
            used
        } else if is_fixed(line) {
            fixed(rest, out)
        } else if let Some(used) = formula_length(rest) {
            let (own, _) = rest.split_at(used);
            out.push(block(BlockKind::Math(verbatim(own)), own));
            used
        } else if marker(line).is_some() && depth < DEPTH_MAX {
            list(rest, depth, out)
        } else {
            running(rest, out)
        };
        rest = rest.get(used.max(1)..).unwrap_or_default();
    }
    out.extend(caption);
}

/// Reads a paragraph, and gives how many lines it takes.
fn running(lines: &[Line<'_>], out: &mut Vec<Block>) -> usize {
    let used = 1 + lines
        .iter()
        .enumerate()
        .skip(1)
        .take_while(|(at, line)| {
            goes_on(line) && formula_length(lines.get(*at..).unwrap_or_default()).is_none()
        })
        .count();
    let own = lines.get(..used).unwrap_or_default();
    out.push(paragraph(inline::read(&words(own)), own));
    used
}

/// How many of `lines` are left from the last end of each kind of block on, as far as the section goes.
fn last_ends(lines: &[Line<'_>]) -> HashMap<String, usize> {
    lines
        .iter()
        .enumerate()
        .take_while(|(_, line)| heading(line, 0).is_none())
        .filter_map(|(at, line)| Some((end(line)?.to_ascii_lowercase(), lines.len() - at)))
        .collect()
}

/// How many lines a formula takes that stands between `\\begin{equation}` and its end.
fn formula_length(lines: &[Line<'_>]) -> Option<usize> {
    let name = lines.first()?.words().strip_prefix("\\begin{")?;
    let (name, _) = name.split_once('}')?;
    let is_end = |line: &Line<'_>| {
        line.words()
            .strip_suffix('}')
            .and_then(|line| line.strip_suffix(name))
            .is_some_and(|line| line.ends_with("\\end{"))
    };
    lines
        .iter()
        .take(FORMULA_LINES_MAX)
        .take_while(|line| !line.is_blank())
        .position(is_end)
        .map(|end| end + 1)
}

/// Whether a line begins what is no longer told of the document as a whole.
fn begins_part(line: &Line<'_>) -> bool {
    begin(line).is_some() || heading(line, 0).is_some()
}

/// Whether a line goes on with the paragraph above it.
fn goes_on(line: &Line<'_>) -> bool {
    !line.is_blank()
        && !is_told_elsewhere(line)
        && !line.words().starts_with('|')
        && !is_fixed(line)
        && marker(line).is_none()
        && !begins_part(line)
}

/// `* TODO Words  :tag:`, with its tags left out.
fn heading(line: &Line<'_>, below: u8) -> Option<Block> {
    let stars = line.text.bytes().take_while(|byte| *byte == b'*').count();
    let name = line.text.get(stars..)?.strip_prefix(' ')?.trim();
    if stars == 0 || name.is_empty() {
        return None;
    }
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
    is_comment(words)
        || words.starts_with("#+") && begin(line).is_none()
        || words.len() >= 5 && words.bytes().all(|byte| byte == b'-')
        || ["SCHEDULED: ", "DEADLINE: ", "CLOSED: "]
            .iter()
            .any(|name| {
                let time = words.strip_prefix(name);
                time.is_some_and(|time| time.starts_with(['<', '[']))
            })
}

fn is_comment(words: &str) -> bool {
    words == "#" || words.starts_with("# ")
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

/// What stands behind `#+end_`.
fn end<'a>(line: &Line<'a>) -> Option<&'a str> {
    let (end, name) = line.words().split_at_checked("#+end_".len())?;
    end.eq_ignore_ascii_case("#+end_").then_some(name.trim())
}

/// Reads a block up to its end, and gives how many lines it takes.
fn enclosed(lines: &[Line<'_>], name: &str, depth: usize, out: &mut Vec<Block>) -> usize {
    let (kind, told) = kind_of(name);
    let is_end = |line: &Line<'_>| end(line).is_some_and(|name| name.eq_ignore_ascii_case(kind));
    let Some(end) = lines.iter().position(is_end) else {
        return 1;
    };
    let inner = trimmed(lines.get(1..end).unwrap_or_default());
    match kind.to_ascii_lowercase().as_str() {
        _ if inner.is_empty() => {}
        "src" => out.push(unescaped(language_of(told), inner)),
        "example" => out.push(unescaped(None, inner)),
        "export" | "comment" => {}
        "verse" => {
            let verses = inner.split(Line::is_blank).filter(|it| !it.is_empty());
            let blocks = verses.map(verse).collect();
            out.push(block(BlockKind::Quote(blocks), inner));
        }
        "quote" if depth < DEPTH_MAX => {
            let mut blocks = Vec::new();
            read_lines(inner, 0, depth + 1, &mut blocks);
            out.push(block(BlockKind::Quote(blocks), inner));
        }
        _ if depth < DEPTH_MAX => read_lines(inner, 0, depth + 1, out),
        _ => out.push(paragraph(inline::read(&words(inner)), inner)),
    }
    end + 1
}

/// Lines of a verse, each for itself.
fn verse(lines: &[Line<'_>]) -> Block {
    let mut text = Vec::new();
    for line in lines {
        if !text.is_empty() {
            text.push(Inline::Break);
        }
        text.extend(inline::read(line.words()));
    }
    block(BlockKind::Paragraph(tidy(text)), lines)
}

/// Code, without the comma that Org puts before what would begin a heading or a block in it.
fn unescaped(language: Option<String>, lines: &[Line<'_>]) -> Block {
    let mut block = code(language, lines);
    if let BlockKind::Code { text, .. } = &mut block.kind {
        let lines: Vec<String> = text
            .split('\n')
            .map(|line| {
                let bare = line.trim_start();
                let shown = bare.trim_start_matches(',');
                let is_escaped = shown.starts_with('*') || shown.starts_with("#+");
                match is_escaped && bare.starts_with(',') {
                    true => line.replacen(',', "", 1),
                    false => line.to_owned(),
                }
            })
            .collect();
        *text = lines.join("\n");
    }
    block
}

/// Reads a drawer, and gives how many lines it takes; what programs keep in it is left out: properties, and the times of a clock.
fn drawer(lines: &[Line<'_>], depth: usize, out: &mut Vec<Block>) -> Option<usize> {
    let name = lines
        .first()?
        .words()
        .strip_prefix(':')?
        .strip_suffix(':')?;
    let is_end = |line: &Line<'_>| line.words().eq_ignore_ascii_case(":END:");
    let is_name = name
        .chars()
        .all(|c| c.is_alphanumeric() || "_-".contains(c));
    if !is_name || name.is_empty() || name.eq_ignore_ascii_case("END") {
        return None;
    }
    let end = lines
        .iter()
        .take(DRAWER_LINES_MAX)
        .take_while(|line| heading(line, 0).is_none())
        .position(is_end)?;
    if !name.eq_ignore_ascii_case("PROPERTIES") {
        let inner = lines.get(1..end).unwrap_or_default().iter();
        let inner: Vec<Line<'_>> = inner
            .filter(|line| !line.words().starts_with("CLOCK: "))
            .copied()
            .collect();
        read_lines(&inner, 0, depth, out);
    }
    Some(end + 1)
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

/// A table below its caption: its first row names the columns where a ruler stands below it.
fn drawn(lines: &[Line<'_>], caption: Option<Block>, out: &mut Vec<Block>) -> usize {
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
    let caption = caption.and_then(|caption| match caption.kind {
        BlockKind::Paragraph(words) => Some(words),
        _ => None,
    });
    out.extend(table(
        header.unwrap_or_default(),
        rows.collect(),
        caption,
        own,
    ));
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
    // Where the items or the terms begin that were read last.
    let mut from = 0;
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
        // In an item, the sign of a comment is that of a number.
        let first = match is_comment(words.words()) {
            true => running(&inner, &mut blocks),
            false => 0,
        };
        let below = inner.get(first..).unwrap_or_default();
        read_lines(below, 0, depth + 1, &mut blocks);
        let is_other = match term {
            Some(_) => !items.is_empty(),
            None => !entries.is_empty(),
        };
        if is_other {
            let own = lines.get(from..used).unwrap_or_default();
            put_list(start, &mut items, &mut entries, own, out);
            from = used;
        }
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
    let own = lines.get(from..used).unwrap_or_default();
    put_list(start, &mut items, &mut entries, own, out);
    used
}

/// Puts down the items, or the terms, that `lines` are.
fn put_list(
    start: Option<u64>,
    items: &mut Vec<Vec<Block>>,
    entries: &mut Vec<Definition>,
    lines: &[Line<'_>],
    out: &mut Vec<Block>,
) {
    if !items.is_empty() {
        let items = std::mem::take(items);
        put_below(out, block(BlockKind::List { start, items }, lines));
    }
    if !entries.is_empty() {
        let entries = std::mem::take(entries);
        put_below(out, block(BlockKind::Definitions(entries), lines));
    }
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
    use skillkiln_document::markdown::write;

    #[test]
    fn headings_blocks_lists_and_tables_of_org_are_read() {
        let source = "#+TITLE: Kilns\n#+AUTHOR: Ada\n#+OPTIONS: toc:nil\n\n* TODO Heat :hot:\n:PROPERTIES:\n:ID: 1\n:END:\nUse ~kiln --on~ and =kiln=, see [[https://kiln.example][the *site*]].\n# a comment\n\n** Wood\n- oak\n  burns long\n\n  1. dry\n  2. fire\n- ash\n\n- heat :: how hot\n\n#+begin_src sh\n  kiln --look | head\n#+end_src\n\n#+BEGIN_QUOTE\nIt is hot.\n#+END_QUOTE\n\n: fixed  line\n\n| Wood | Heat |\n|------+------|\n| oak  |  900 |\n";
        let document = read(source.to_owned());
        assert_eq!(document.title.as_deref(), Some("Kilns"));
        assert_eq!(document.about.author.as_deref(), Some("Ada"));
        assert_eq!(
            write(&document.blocks),
            "# Kilns\n\n## TODO Heat\n\nUse `kiln --on` and `kiln`, see [the **site**](https://kiln.example).\n\n### Wood\n\n- oak burns long\n  1. dry\n  2. fire\n- ash\n\n* **heat**: how hot\n\n```sh\nkiln --look | head\n```\n\n> It is hot.\n\n```\nfixed  line\n```\n\n| Wood | Heat |\n| --- | --- |\n| oak | 900 |\n"
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

    fn written(source: &str) -> String {
        write(&read(source.to_owned()).blocks)
    }

    #[test]
    fn what_was_written_keeps_its_order_and_its_words() {
        let is = |source: &str, told| assert_eq!(written(source), told);
        is(
            "- oak\n- heat :: how hot\n- # 1 rule\n\nCLOSED: Mondays.\nCLOSED: [2024-01-01]\n",
            "- oak\n\n* **heat**: how hot\n\n- \\# 1 rule\n\nCLOSED: Mondays.\n",
        );
        is(
            "#+TITLE: Kilns\n#+SUBTITLE: of the north\n#+CAPTION: All woods\n#+NAME: woods\n| Wood |\n|---|\n| oak |\n\n#+CAPTION: Alone\nAsh.\n",
            "# Kilns\n\nof the north\n\nAll woods\n\n| Wood |\n| --- |\n| oak |\n\nAlone\n\nAsh.\n",
        );
        is(
            "* DONE Ash\n:properties:\n:ID: 3\n:end:\n:LOGBOOK:\nCLOCK: [2024]\n- Note of Ben\n:END:\n:NOTES:\nMy words.\n:END:\n",
            "# DONE Ash\n\n- Note of Ben\n\nMy words.\n",
        );
    }

    #[test]
    fn code_verses_and_formulas_are_kept_to_the_letter() {
        assert_eq!(
            written(
                "#+begin_src org\n,* Heat\n  ,,#+end_src\na,*b\n*c,d\n#+end_src\n\n#+begin_verse\nGreat clouds\nrise\n#+end_verse\n\nWith\n\\begin{equation}\nx_1 =\ny\n\\end{equation}\n"
            ),
            "```org\n* Heat\n  ,#+end_src\na,*b\n*c,d\n```\n\n> Great clouds\\\n> rise\n\nWith\n\n```math\n\\begin{equation}\nx_1 =\ny\n\\end{equation}\n```\n"
        );
    }

    #[test]
    fn a_block_without_an_end_ends_with_its_section() {
        assert_eq!(
            written("* Oak\n#+begin_src sh\nkiln\n* Ash\n#+begin_src sh\nrake\n#+end_src\n"),
            "# Oak\n\nkiln\n\n# Ash\n\n```sh\nrake\n```\n"
        );
        let kinds: String = (0..100_000).map(|n| format!("#+begin_k{n}\n")).collect();
        assert_eq!(written(&format!("{kinds}x\n#+end_x\n")), "x\n");
    }
}
