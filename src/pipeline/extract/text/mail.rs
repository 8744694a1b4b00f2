//! Reads what a mail that was saved as text has beside its words: the lines of its head, the quotes of other mails, and labels.

use super::{Layout, Line, indentation, joined, marked, stretch};
use crate::domain::document::{Block, BlockKind, Span};
use std::ops::Range;

/// What the lines of a head begin with.
const NAMES: [&str; 12] = [
    "From",
    "To",
    "Cc",
    "Bcc",
    "Subject",
    "Date",
    "Sent",
    "Reply-To",
    "Message-ID",
    "In-Reply-To",
    "References",
    "List-Id",
];
/// Deepest quote within a quote that is kept.
const DEPTH_MAX: usize = 6;

/// What a mail is called, and where that stands.
pub(super) struct Subject<'a> {
    pub(super) words: &'a str,
    pub(super) range: Range<usize>,
}

/// The subject of the mail that `lines` are, when they begin with a head; of a thread, that of the first.
pub(super) fn subject<'a>(lines: &[Line<'a>]) -> Option<Subject<'a>> {
    let start = lines.iter().position(|line| !line.words.is_empty())?;
    let lines = lines.get(start..)?;
    lines
        .get(..head_length(lines))?
        .iter()
        .find_map(|line| match header(line.words)? {
            ("Subject", words) => Some(Subject {
                words: own_subject(words),
                range: line.range.clone(),
            }),
            _ => None,
        })
        .filter(|subject| !subject.words.is_empty())
}

/// Takes out the heads of mails; of a thread, who wrote each of them stays.
pub(super) fn clear(lines: &mut [Line<'_>]) {
    let heads: Vec<Range<usize>> = (0..lines.len())
        .filter(|at| {
            at.checked_sub(1)
                .and_then(|above| lines.get(above))
                .is_none_or(|above| header(above.words).is_none())
        })
        .map(|at| at..at + head_length(lines.get(at..).unwrap_or_default()))
        .filter(|head| !head.is_empty())
        .collect();
    let is_thread = heads.len() > 1;
    for head in heads {
        for line in lines.get_mut(head).unwrap_or_default() {
            line.words = match header(line.words) {
                Some(("From", words)) if is_thread => {
                    words.split(['<', '(']).next().unwrap_or("").trim()
                }
                _ => "",
            };
        }
    }
}

/// How many lines from the start are the head of a mail: who wrote it, or what of, and one thing more.
fn head_length(lines: &[Line<'_>]) -> usize {
    let mut length = 0;
    let mut names = Vec::new();
    for line in lines {
        match header(line.words) {
            Some((name, _)) => names.push(name),
            None if length > 0 && line.indent > 0 && !line.words.is_empty() => {}
            None => break,
        }
        length += 1;
    }
    let is_head =
        names.contains(&"From") && (names.contains(&"Subject") || names.contains(&"Date"));
    if is_head { length } else { 0 }
}

/// The name of a line of a head, and what it says.
fn header(words: &str) -> Option<(&'static str, &str)> {
    let (name, value) = words.split_once(':')?;
    let name = NAMES.into_iter().find(|known| *known == name)?;
    Some((name, value.trim()))
}

/// A subject without the marks of answers and of mailing lists.
fn own_subject(words: &str) -> &str {
    let mut rest = words.trim();
    loop {
        let bare = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((_, own)) => own,
            None => rest,
        };
        let bare = ["Re:", "RE:", "AW:", "Fwd:", "FW:", "Fw:", "WG:"]
            .iter()
            .find_map(|mark| bare.trim_start().strip_prefix(mark))
            .unwrap_or(bare)
            .trim();
        if bare.is_empty() || bare.len() == rest.len() {
            return rest;
        }
        rest = bare;
    }
}

/// Whether a text quotes as mails do: somebody wrote what stands behind the marks.
pub(super) fn quotes(lines: &[Line<'_>]) -> bool {
    lines.windows(2).any(|pair| {
        let [above, line] = pair else { return false };
        is_quoted(line.words)
            && [
                "wrote:",
                "writes:",
                "schrieb:",
                "écrit :",
                "écrit:",
                "escribió:",
                "scritto:",
            ]
            .iter()
            .any(|said| above.words.ends_with(said))
    })
}

/// Whether a line is quoted.
fn is_quoted(words: &str) -> bool {
    words.starts_with('>')
}

/// Takes out the mark that mailboxes put before words that would begin a mail: `>From here on`.
pub(super) fn unescape(lines: &mut [Line<'_>]) {
    let mut below_quote = false;
    for at in 0..lines.len() {
        let above_quote = lines.get(at + 1).is_some_and(|it| is_quoted(it.words));
        let Some(line) = lines.get_mut(at) else { break };
        let is_escaped = line.words.starts_with(">From ") && !below_quote && !above_quote;
        below_quote = is_quoted(line.words);
        if let Some(words) = line.words.strip_prefix('>').filter(|_| is_escaped) {
            line.words = words;
            line.range.start += 1;
        }
    }
}

/// What is said before the first quote, or code that has the marks of one, in `lines`; and the lines from it on.
pub(super) fn own<'l, 'a>(
    lines: &'l [Line<'a>],
    layout: &Layout,
) -> (&'l [Line<'a>], &'l [Line<'a>]) {
    if !layout.is_mail {
        return lines.split_at(lines.len());
    }
    let is_own = |at: &usize| {
        lines.get(*at..).is_some_and(|rest| {
            let is_quoted = rest.first().is_some_and(|line| is_quoted(line.words));
            !is_quoted && marked::length(rest) == 0
        })
    };
    lines.split_at((0..lines.len()).take_while(is_own).count())
}

/// The quote that `lines` begin with, and how many lines it takes. What is quoted deeper than is kept stands in the last quote,
/// without its marks.
pub(super) fn quote(
    text: &str,
    lines: &[Line<'_>],
    layout: &Layout,
    depth: usize,
) -> Option<(usize, Block)> {
    let length = lines
        .iter()
        .take_while(|line| is_quoted(line.words))
        .count();
    let quoted = lines.get(..length)?;
    let (first, last) = (quoted.first()?, quoted.last()?);
    let inner: Vec<Line<'_>> = quoted
        .iter()
        .map(|line| {
            let bare = match line.words.strip_prefix('>') {
                Some(bare) if depth < DEPTH_MAX => bare,
                _ => line.words.trim_start_matches(['>', ' ', '\t']),
            };
            let bare = bare.strip_prefix(' ').unwrap_or(bare);
            let words = bare.trim_start();
            Line {
                range: line.range.end - words.len()..line.range.end,
                lead: bare.len() - words.len(),
                indent: indentation(bare),
                words,
            }
        })
        .collect();
    let mut blocks = Vec::new();
    stretch(text, &inner, layout, depth + 1, &mut blocks);
    let block = Block {
        kind: BlockKind::Quote(joined(blocks)),
        span: Span::of(first.range.start..last.range.end),
    };
    Some((length, block))
}

#[cfg(test)]
mod tests {
    use crate::pipeline::extract::text::read;
    use crate::pipeline::markdown::write;

    #[test]
    fn a_mail_is_called_by_its_subject_and_its_quotes_stand_apart() {
        let source = "From: Ada <a@kiln.example>\nTo: all\nSubject: Re: [kiln] Plan of the kiln\nDate: Mon, 3 Mar 2025\n\nHi all,\n\nBen wrote:\n> Take the small kiln\n> and close the door.\n\nNo, the large one.\n\n---\nFrom: Ben <b@kiln.example>\nSubject: Re: [kiln] Plan of the kiln\nDate: Tue, 4 Mar 2025\n\nIt is hot.\n";
        let document = read(source.to_owned());
        assert_eq!(document.title.as_deref(), Some("Plan of the kiln"));
        assert_eq!(
            write(&document.blocks),
            "# Plan of the kiln\n\nAda\n\nHi all,\n\nBen wrote:\n\n> Take the small kiln and close the door.\n\nNo, the large one.\n\nBen\n\nIt is hot.\n"
        );
    }

    #[test]
    fn quotes_of_any_depth_are_read_to_their_end() {
        for depth in [7, 100_000] {
            let marks = "> ".repeat(depth);
            let source = format!("Ben wrote:\n{marks}It is hot.\n> It is not.\n\nAsh burns.\n");
            let markdown = write(&read(source).blocks);
            assert!(markdown.contains("> It is hot.\n"), "{markdown}");
            assert!(
                markdown.ends_with("\n> It is not.\n\nAsh burns.\n"),
                "{markdown}"
            );
        }
    }

    #[test]
    fn whoever_quotes_code_is_not_code() {
        let source = "They know. Ben wrote:\n> Do it so:\n>\n>     for x in kilns():\n>         fire(x);\n>     done();\n";
        let markdown = write(&read(source.to_owned()).blocks);
        assert!(
            markdown.starts_with("They know. Ben wrote:\n\n> Do it so:\n>\n> ```\n"),
            "{markdown}"
        );
    }

    #[test]
    fn quoted_code_keeps_its_indentation() {
        let source = "Ben wrote:\n> Do it so:\n>\n>     for x in kilns():\n>         fire(x);\n>     done();\n";
        let markdown = write(&read(source.to_owned()).blocks);
        assert!(
            markdown.contains("> for x in kilns():\n>     fire(x);\n>"),
            "{markdown}"
        );
    }

    #[test]
    fn words_that_a_mailbox_marked_are_no_quote() {
        let source = "Ben wrote:\n> It is hot.\n\n>From here on it burns.\n";
        let markdown = write(&read(source.to_owned()).blocks);
        assert!(
            markdown.ends_with("\n\nFrom here on it burns.\n"),
            "{markdown}"
        );
    }
}
