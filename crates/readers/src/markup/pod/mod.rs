//! Reads Perl's documentation (POD): paragraphs between empty lines, commands behind an equal sign, and code that is indented.

mod inline;

use crate::markup::lines::{Line, block, code, lines_of, paragraph, span, trimmed, words};
use crate::markup::markdown::first_title;
use skillkiln_document::blocks::{Block, BlockKind, Definition, Document, Span};
use skillkiln_document::text::{Inline, plain, squash};

/// Deepest list within another that is kept.
const DEPTH_MAX: usize = 16;

/// Reads a text in POD. What stands outside of it is the program that it is written into.
#[must_use]
pub fn read(text: String) -> Document {
    let lines = lines_of(&text);
    let pieces = pieces(&lines);
    let title = title_of(&pieces);
    let mut reader = Reader {
        pieces: &pieces,
        at: 0,
        below: u8::from(title.is_some()),
    };
    let mut blocks: Vec<Block> = title.into_iter().collect();
    reader.read(0, &mut blocks);
    let title = first_title(&blocks);
    drop(pieces);
    drop(lines);
    Document {
        title,
        text,
        blocks,
        ..Document::default()
    }
}

/// Whether a text without a telling name is evidently POD: it begins with one of its commands, and has others.
pub(crate) fn is_pod(text: &str) -> bool {
    let text = text.trim_start();
    ["=pod", "=encoding", "=head1", "=head2"]
        .iter()
        .any(|name| text.starts_with(name))
        && ["\n=head", "\n=over", "\n=cut", "\n=pod"]
            .iter()
            .any(|name| text.contains(name))
}

/// What stands between empty lines.
#[derive(Debug)]
enum Piece<'l, 'a> {
    /// A command, and the words behind it.
    Command(&'a str, Vec<Line<'a>>),
    Words(&'l [Line<'a>]),
    /// Code, with the empty lines in it.
    Verbatim(&'l [Line<'a>]),
}

/// The name of a command, and where on its line the words behind it begin.
fn command<'a>(line: &Line<'a>) -> Option<(&'a str, Line<'a>)> {
    let rest = line.text.strip_prefix('=')?;
    let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let name = rest.get(..length)?;
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        .then(|| (name, line.after(1 + length)))
}

/// Takes the documentation out of `lines`, piece by piece.
fn pieces<'l, 'a>(lines: &'l [Line<'a>]) -> Vec<Piece<'l, 'a>> {
    let mut pieces = Vec::new();
    let mut is_inside = false;
    // The format that lines are in which are for another program.
    let mut foreign: Option<&str> = None;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let command = command(line);
        let rest = lines.get(at..).unwrap_or_default();
        let length = 1 + rest
            .iter()
            .skip(1)
            .take_while(|line| !line.is_blank() && self::command(line).is_none())
            .count();
        let Some((name, head)) = command else {
            if !is_inside || line.is_blank() {
                at += 1;
                continue;
            }
            let is_verbatim = line.text.starts_with([' ', '\t']);
            let used = if is_verbatim {
                verbatim_length(rest)
            } else {
                length
            };
            let own = rest.get(..used).unwrap_or_default();
            match foreign {
                None if is_verbatim => pieces.push(Piece::Verbatim(own)),
                None => pieces.push(Piece::Words(own)),
                Some("text") => pieces.push(Piece::Verbatim(own)),
                Some(_) => {}
            }
            at += used;
            continue;
        };
        is_inside = name != "cut";
        at += length;
        match name {
            "begin" => {
                let format = head.words();
                foreign = (!format.starts_with(':')).then_some(format);
            }
            "end" => foreign = None,
            "for" if head.words().starts_with("text") => {
                pieces.push(Piece::Verbatim(rest.get(1..length).unwrap_or_default()));
            }
            "cut" | "pod" | "encoding" | "for" => {}
            _ if foreign.is_some() => {}
            _ => {
                let mut own = vec![head];
                own.extend(rest.iter().take(length).skip(1));
                pieces.push(Piece::Command(name, own));
            }
        }
    }
    pieces
}

/// How many lines from the start are code: what is indented, and goes on behind empty lines.
fn verbatim_length(lines: &[Line<'_>]) -> usize {
    let mut length = 0;
    let mut is_open = true;
    for (at, line) in lines.iter().enumerate() {
        if line.is_blank() {
            is_open = false;
            continue;
        }
        // A line at the margin within a paragraph that began as code is code as well.
        if !line.text.starts_with([' ', '\t']) && !is_open || command(line).is_some() {
            break;
        }
        is_open = true;
        length = at + 1;
    }
    length
}

/// What the whole is called: a page of a manual says its name and what it is for under its first heading.
fn title_of(pieces: &[Piece<'_, '_>]) -> Option<Block> {
    let [Piece::Command("head1", head), Piece::Words(below), ..] = pieces else {
        return None;
    };
    if !words(head).trim().eq_ignore_ascii_case("name") {
        return None;
    }
    let said = plain(&inline::read(&words(below)));
    let (name, _) = said.split_once(" - ")?;
    let text = vec![Inline::Text(squash(name))];
    Some(block(BlockKind::Heading { level: 1, text }, below))
}

struct Reader<'r, 'l, 'a> {
    pieces: &'r [Piece<'l, 'a>],
    at: usize,
    /// How far below what they are told to be headings stand.
    below: u8,
}

impl<'a> Reader<'_, '_, 'a> {
    /// Reads up to the end of the list that is open, if one is.
    fn read(&mut self, depth: usize, out: &mut Vec<Block>) {
        while let Some(piece) = self.pieces.get(self.at) {
            match piece {
                Piece::Command("item" | "back", _) if depth > 0 => return,
                Piece::Command("over", _) => {
                    self.at += 1;
                    self.list(depth + 1, out);
                    continue;
                }
                Piece::Command("back", _) => {}
                Piece::Command(name, own) => match name.strip_prefix("head") {
                    // A list that nobody closed ends with its section.
                    Some(_) if depth > 0 => return,
                    Some(level) => out.extend(self.heading(level, own)),
                    None => out.extend(said(own)),
                },
                Piece::Words(own) => out.extend(said(own)),
                Piece::Verbatim(own) if trimmed(own).is_empty() => {}
                Piece::Verbatim(own) => out.push(code(None, own)),
            }
            self.at += 1;
        }
    }

    fn heading(&self, level: &str, own: &[Line<'a>]) -> Option<Block> {
        let level: u8 = level.parse().ok()?;
        let text = inline::read(&words(own));
        let level = level.saturating_add(self.below).clamp(1, 6);
        (!text.is_empty()).then(|| block(BlockKind::Heading { level, text }, own))
    }

    /// Reads a list up to its end: bullets, numbers, or terms with what they mean; or words that are set in.
    fn list(&mut self, depth: usize, out: &mut Vec<Block>) {
        let mut kept = Kept::default();
        while let Some(piece) = self.pieces.get(self.at) {
            match piece {
                Piece::Command("back", _) => {
                    self.at += 1;
                    break;
                }
                Piece::Command("item", own) => {
                    self.at += 1;
                    let (mark, rest) = mark_of(own);
                    let mut blocks: Vec<Block> = Vec::new();
                    if !matches!(mark, Mark::Term) {
                        blocks.extend(said(&rest));
                    }
                    self.inner(depth, &mut blocks);
                    kept.item(mark, own, blocks, out);
                }
                Piece::Command(name, _) if name.starts_with("head") => break,
                _ => {
                    kept.flush(out);
                    let from = self.at;
                    self.inner(depth, out);
                    self.at = self.at.max(from + 1);
                }
            }
        }
        kept.flush(out);
    }

    /// What stands in an item. Lists too deep within others stand beside them.
    fn inner(&mut self, depth: usize, blocks: &mut Vec<Block>) {
        if depth < DEPTH_MAX {
            self.read(depth, blocks);
            return;
        }
        while let Some(piece) = self.pieces.get(self.at) {
            match piece {
                Piece::Command("back", _) => return,
                Piece::Command(name, _) if name.starts_with("head") => return,
                Piece::Command("over", _) => {}
                Piece::Command("item", own) => blocks.extend(said(&mark_of(own).1)),
                Piece::Command(_, own) => blocks.extend(said(own)),
                Piece::Words(own) => blocks.extend(said(own)),
                Piece::Verbatim(own) => blocks.push(code(None, own)),
            }
            self.at += 1;
        }
    }
}

fn said(own: &[Line<'_>]) -> Option<Block> {
    let text = inline::read(&words(own));
    (!text.is_empty()).then(|| paragraph(text, own))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Bullet,
    Number(u64),
    Term,
}

/// What an item begins with, and the words behind that.
fn mark_of<'a>(own: &[Line<'a>]) -> (Mark, Vec<Line<'a>>) {
    let Some(first) = own.first() else {
        return (Mark::Bullet, Vec::new());
    };
    let lead = first.text.len() - first.text.trim_start().len();
    let word = first.words().split_whitespace().next().unwrap_or("");
    let digits = word.strip_suffix(['.', ')']).unwrap_or(word);
    let mark = match digits.parse() {
        Ok(number) if digits.len() < 10 => Mark::Number(number),
        _ if matches!(word, "*" | "" | "-" | "o" | "+") => Mark::Bullet,
        _ => return (Mark::Term, own.to_vec()),
    };
    let mut rest = own.to_vec();
    if let Some(line) = rest.first_mut() {
        *line = first.after(lead + word.len());
    }
    (mark, rest)
}

/// The items that were read and are not put down yet.
#[derive(Debug, Default)]
struct Kept {
    start: Option<u64>,
    items: Vec<Vec<Block>>,
    entries: Vec<Definition>,
    span: Option<(usize, usize)>,
}

impl Kept {
    fn item(&mut self, mark: Mark, own: &[Line<'_>], blocks: Vec<Block>, out: &mut Vec<Block>) {
        let number = match mark {
            Mark::Number(number) => Some(number),
            Mark::Bullet | Mark::Term => None,
        };
        let is_other = match mark {
            Mark::Term => !self.items.is_empty(),
            _ => {
                !self.entries.is_empty()
                    || !self.items.is_empty() && self.start.is_some() != number.is_some()
            }
        };
        if is_other {
            self.flush(out);
        }
        let range = span(own).bytes;
        let from = blocks.first().map_or(range.start, |it| it.span.bytes.start);
        let start = match range.is_empty() {
            true => from,
            false => range.start,
        };
        let end = blocks.last().map_or(range.end, |it| it.span.bytes.end);
        self.span = Some((self.span.map_or(start, |(start, _)| start), end));
        if mark != Mark::Term {
            if self.items.is_empty() {
                self.start = number;
            }
            self.items.push(blocks);
            return;
        }
        let term = inline::read(&words(own));
        // Terms one below the other are told of together.
        match self.entries.last_mut() {
            Some(last) if last.blocks.is_empty() => {
                last.terms.push(term);
                last.blocks = blocks;
            }
            _ => self.entries.push(Definition {
                terms: vec![term],
                blocks,
            }),
        }
    }

    fn flush(&mut self, out: &mut Vec<Block>) {
        let Some((start, end)) = self.span.take() else {
            return;
        };
        let items = std::mem::take(&mut self.items);
        let entries = std::mem::take(&mut self.entries);
        let kind = if items.is_empty() {
            BlockKind::Definitions(entries)
        } else {
            let start = self.start.take();
            BlockKind::List { start, items }
        };
        let span = Span::of(start..end.max(start));
        out.push(Block { kind, span });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::markdown::write;

    fn written(source: &str) -> String {
        write(&read(source.to_owned()).blocks)
    }

    #[test]
    fn headings_lists_and_code_of_pod_are_read() {
        let source = "package Kiln;\n\n=encoding utf8\n\n=head1 NAME\n\nKiln - fires B<clay>\n\n=head1 SYNOPSIS\n\n    use Kiln;\n\n    Kiln->fire;\n\n=head2 Heat\n\nCall C<< $kiln->heat >>.\n\n=over 4\n\n=item *\n\nOak\n\n=item * Ash\n\n=over\n\n=item 1.\n\nDry it.\n\n=item 2.\n\nFire it.\n\n=back\n\n=back\n\n=over\n\n=item B<fire>\n\n=item B<light>(I<wood>)\n\nLights it.\n\n  kiln fire\n\n=back\n\n=cut\n\nmy $heat = 7;\n";
        let document = read(source.to_owned());
        assert_eq!(document.title.as_deref(), Some("Kiln"));
        assert_eq!(
            write(&document.blocks),
            "# Kiln\n\n## NAME\n\nKiln - fires **clay**\n\n## SYNOPSIS\n\n```\nuse Kiln;\n\nKiln->fire;\n```\n\n### Heat\n\nCall `$kiln->heat`.\n\n- Oak\n- Ash\n  1. Dry it.\n  2. Fire it.\n\n* **fire**, **light(wood)**: Lights it.\n\n  ```\n  kiln fire\n  ```\n"
        );
        assert!(is_pod("=head1 NAME\n\nKiln\n\n=cut\n"));
        assert!(!is_pod("== Kiln\n\n=over the hill\n") && !is_pod(source));
    }

    #[test]
    fn what_is_for_other_formats_is_left_out_and_what_has_no_end_ends() {
        assert_eq!(
            written(
                "=head1 Kiln\n\n=begin html\n\n<b>hot</b>\n\n=end html\n\n=for comment nobody sees it\n\n=over 2\n\nSet in.\n\n=item Heat\n\n=head1 Wood\n\nDry.\n"
            ),
            "# Kiln\n\nSet in.\n\n- **Heat**\n\n# Wood\n\nDry.\n"
        );
        let deep = format!("=pod\n\n{}x\n", "=over\n\n=item *\n\n".repeat(3_000));
        assert!(written(&deep).contains('x'));
        let words = "=pod\n\n=back\n\n=item a\n\n=unknown b\n\nc\n";
        assert_eq!(written(words), "a\n\nb\n\nc\n");
    }
}
