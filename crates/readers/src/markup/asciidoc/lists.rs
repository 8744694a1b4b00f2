//! Reads the lists of AsciiDoc: bullets, numbers, callouts and terms, with what `+` attaches to their items.

use crate::markup::asciidoc::delimiter::delimiter;
use crate::markup::asciidoc::metadata::Metadata;
use crate::markup::asciidoc::{DEPTH_MAX, Reader, section};
use crate::markup::lines::{self, Line};
use skillkiln_document::blocks::{Block, BlockKind, Definition};

/// What an item begins with.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Marker {
    /// The mark, the same for all items of a list.
    mark: String,
    kind: Kind,
    /// Where the words after it begin, in bytes of the line.
    width: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Bullet,
    Number(u64),
    Callout,
    /// A term that ends at this byte.
    Term(usize),
}

/// The mark a line begins with, when it begins an item.
pub(super) fn marker(line: &Line<'_>) -> Option<Marker> {
    let text = line.text.trim_start();
    let lead = line.text.len() - text.len();
    let first = text.chars().next()?;
    let after_run = |run: usize| {
        text.get(run..)
            .filter(|rest| rest.starts_with([' ', '\t']) && !rest.trim().is_empty())
            .map(|rest| lead + run + (rest.len() - rest.trim_start().len()))
    };
    let run = text.chars().take_while(|c| *c == first).count();
    let found = match first {
        '*' | '-' | '•' if run <= 6 && (first == '*' || run == 1) => {
            after_run(run * first.len_utf8()).map(|width| {
                (
                    text.get(..run * first.len_utf8()).unwrap_or("").to_owned(),
                    Kind::Bullet,
                    width,
                )
            })
        }
        '.' if run <= 6 => after_run(run).map(|width| (".".repeat(run), Kind::Number(1), width)),
        '0'..='9' => {
            let digits = text.bytes().take(9).take_while(u8::is_ascii_digit).count();
            let number = text.get(..digits).and_then(|number| number.parse().ok());
            text.get(digits..)
                .filter(|rest| rest.starts_with('.'))
                .and_then(|_| after_run(digits + 1))
                .zip(number)
                .map(|(width, number)| ("1.".to_owned(), Kind::Number(number), width))
        }
        'a'..='z' | 'A'..='Z' if text.get(1..2) == Some(".") => after_run(2)
            .filter(|_| lead > 0 || text.starts_with(['a', 'b', 'c', 'd', 'e', 'f', 'i']))
            .map(|width| ("a.".to_owned(), Kind::Number(1), width)),
        '<' => text
            .find('>')
            .filter(|end| {
                *end <= 4
                    && text.get(1..*end).is_some_and(|n| {
                        n == "." || !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())
                    })
            })
            .and_then(|end| after_run(end + 1))
            .map(|width| ("<>".to_owned(), Kind::Callout, width)),
        _ => None,
    };
    if let Some((mark, kind, width)) = found {
        return Some(Marker { mark, kind, width });
    }
    term(text, lead)
}

/// `term::` at the end of its line or before a blank.
fn term(text: &str, lead: usize) -> Option<Marker> {
    let bytes = text.as_bytes();
    if text.starts_with("//") || !text.contains("::") && !text.contains(";;") {
        return None;
    }
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        if !matches!(byte, b':' | b';') {
            at += 1;
            continue;
        }
        let run = bytes.iter().skip(at).take_while(|b| *b == byte).count();
        let ends = bytes
            .get(at + run)
            .is_none_or(|b| matches!(b, b' ' | b'\t'));
        let is_mark = if *byte == b':' {
            (2..=4).contains(&run)
        } else {
            run == 2
        };
        if ends && is_mark {
            let rest = text.get(at + run..).unwrap_or("");
            let width = lead + at + run + (rest.len() - rest.trim_start().len());
            return Some(Marker {
                mark: text.get(at..at + run).unwrap_or("").to_owned(),
                kind: Kind::Term(lead + at),
                width,
            });
        }
        at += run;
    }
    None
}

impl Reader {
    /// Reads the list that begins with the first line; gives how many lines it takes.
    pub(super) fn list(
        &mut self,
        lines: &[Line<'_>],
        metadata: &Metadata,
        depth: usize,
        out: &mut Vec<Block>,
    ) -> usize {
        let mut outer = Vec::new();
        let start = metadata.named("start").and_then(|start| start.parse().ok());
        self.items(lines, start, &mut outer, depth, out)
    }

    fn items(
        &mut self,
        lines: &[Line<'_>],
        start: Option<u64>,
        outer: &mut Vec<String>,
        depth: usize,
        out: &mut Vec<Block>,
    ) -> usize {
        let Some(first) = lines.first().and_then(marker) else {
            return 1;
        };
        outer.push(first.mark.clone());
        let mut items: Vec<Vec<Block>> = Vec::new();
        let mut entries: Vec<Definition> = Vec::new();
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            let Some(found) = marker(line).filter(|found| found.mark == first.mark) else {
                break;
            };
            let rest = lines.get(at..).unwrap_or_default();
            let (used, blocks) = self.item(rest, &found, outer, depth);
            at += used;
            if let Kind::Term(end) = found.kind {
                let term = self.inline(line.text.get(..end).unwrap_or("").trim());
                match entries.last_mut() {
                    Some(entry) if entry.blocks.is_empty() => {
                        entry.terms.push(term);
                        entry.blocks = blocks;
                    }
                    _ => entries.push(Definition {
                        terms: vec![term],
                        blocks,
                    }),
                }
            } else if !blocks.is_empty() {
                items.push(blocks);
            }
            at += next_item(lines.get(at..).unwrap_or_default(), &first.mark);
        }
        outer.pop();
        let taken = lines.get(..at).unwrap_or_default();
        let kind = match first.kind {
            Kind::Term(_) if entries.is_empty() => return at.max(1),
            Kind::Term(_) => BlockKind::Definitions(entries),
            _ if items.is_empty() => return at.max(1),
            Kind::Bullet => BlockKind::List { start: None, items },
            Kind::Number(number) => BlockKind::List {
                start: Some(start.unwrap_or(number)),
                items,
            },
            Kind::Callout => BlockKind::List {
                start: Some(1),
                items,
            },
        };
        out.push(lines::block(kind, taken));
        at.max(1)
    }

    /// Reads an item with what belongs to it.
    fn item(
        &mut self,
        lines: &[Line<'_>],
        found: &Marker,
        outer: &mut Vec<String>,
        depth: usize,
    ) -> (usize, Vec<Block>) {
        let mut blocks = Vec::new();
        let Some(first) = lines.first() else {
            return (1, blocks);
        };
        let mut body = vec![first.after(found.width)];
        let mut at = 1;
        // The words of a term may begin on a later line.
        if body.first().is_some_and(Line::is_blank) {
            body.clear();
            let gap = lines
                .iter()
                .skip(1)
                .position(|line| !line.is_blank())
                .unwrap_or(0);
            let next = lines.get(1 + gap);
            let goes_on = next.is_some_and(|line| {
                let words = line.text.trim_end();
                marker(line).is_none()
                    && words != "+"
                    && delimiter(words).is_none()
                    && !words.starts_with(['[', '.', ':', '/', '='])
                    && section(lines.get(1 + gap..).unwrap_or_default()).is_none()
            });
            if goes_on {
                at = 1 + gap;
            }
        }
        while let Some(line) = lines.get(at) {
            let words = line.text.trim_end();
            let ends = line.is_blank()
                || words == "+"
                || marker(line).is_some()
                || delimiter(words).is_some()
                || words.starts_with("//")
                || words.starts_with('[')
                    && words.ends_with(']')
                    && Metadata::default().take(words)
                || ["ifdef::", "ifndef::", "endif::", "include::"]
                    .iter()
                    .any(|name| words.starts_with(name));
            if ends {
                break;
            }
            body.push(*line);
            at += 1;
        }
        let text = self.inline(&lines::words(&body));
        if !text.is_empty() {
            blocks.push(lines::paragraph(text, &body));
        }
        if depth >= DEPTH_MAX {
            return (at, blocks);
        }
        loop {
            let rest = lines.get(at..).unwrap_or_default();
            let blank = rest
                .iter()
                .position(|line| !line.is_blank())
                .unwrap_or(rest.len());
            let Some(line) = rest.get(blank) else { break };
            let words = line.text.trim_end();
            if words == "+" {
                // After a blank line it attaches to the item outside.
                if blank > 0 && outer.len() > 1 {
                    break;
                }
                let rest = rest.get(blank + 1..).unwrap_or_default();
                let empty = rest.iter().take_while(|line| line.is_blank()).count();
                let rest = rest.get(empty..).unwrap_or_default();
                at += blank + 1 + empty + self.block(rest, depth + 1, true, &mut blocks);
                continue;
            }
            let mut skipped = ["ifdef::", "ifndef::", "endif::", "//"].iter();
            if blank == 0 && skipped.any(|name| words.starts_with(name)) {
                let Some(used) = self.skipped(rest, &mut blocks) else {
                    break;
                };
                at += used.max(1);
                continue;
            }
            // The attributes of a list inside.
            let mut skip = blank;
            while rest.get(skip).is_some_and(|line| {
                line.text.starts_with('[') && Metadata::default().take(line.text.trim_end())
            }) {
                skip += 1;
            }
            let Some(line) = rest.get(skip) else { break };
            if let Some(inner) = marker(line) {
                if outer.contains(&inner.mark) || outer.len() + depth >= DEPTH_MAX {
                    break;
                }
                let rest = rest.get(skip..).unwrap_or_default();
                at += skip + self.items(rest, None, outer, depth + 1, &mut blocks);
                continue;
            }
            // Literal lines below an item belong to it.
            if blank > 0 && skip == blank && line.text.starts_with([' ', '\t']) {
                let rest = rest.get(blank..).unwrap_or_default();
                at += blank + self.block(rest, depth + 1, true, &mut blocks);
                continue;
            }
            break;
        }
        (at, blocks)
    }
}

/// Blank lines and comments before the next item with `mark`; 0 when there is none.
fn next_item(lines: &[Line<'_>], mark: &str) -> usize {
    for (at, line) in lines.iter().enumerate() {
        if line.is_blank() {
            continue;
        }
        let goes_on = marker(line).is_some_and(|found| found.mark == mark);
        return if goes_on { at } else { 0 };
    }
    0
}
