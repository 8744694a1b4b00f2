//! Reads what a mail that was saved as text has beside its words: the lines of its head, the quotes of other mails, and labels.

use super::{Layout, Line, headings, indentation, joined, marked, stretch, written};
use crate::builder::tidy;
use skillkiln_document::blocks::{About, Block, BlockKind, Span};
use skillkiln_document::text::Inline;
use std::collections::HashMap;
use std::ops::Range;

/// Deepest quote within a quote that is kept.
const DEPTH_MAX: usize = 6;

/// What a line of a head tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    From,
    Subject,
    Date,
    /// Something that is read as well, behind its name.
    Named,
    /// What only programs read.
    Carried,
}

#[derive(Debug)]
struct Field<'a> {
    told: Told,
    name: &'a str,
    value: String,
    range: Range<usize>,
}

/// The lines above the words of a mail that tell who wrote it, when and what of.
#[derive(Debug)]
pub(super) struct Head<'a> {
    lines: Range<usize>,
    fields: Vec<Field<'a>>,
}

impl<'a> Head<'a> {
    /// The head at line `at`; below the first one, only what is known of heads is a line of one.
    fn at(lines: &[Line<'a>], at: usize, is_first: bool) -> Self {
        let mut head = Head {
            lines: at..at,
            fields: Vec::new(),
        };
        for line in lines.get(at..).unwrap_or_default() {
            match (field(line, is_first), head.fields.last_mut()) {
                (Some(field), _) => head.fields.push(field),
                (None, Some(last)) if line.indent > 0 && !line.words.is_empty() => {
                    last.value.push(' ');
                    last.value.push_str(line.words);
                    last.range.end = line.range.end;
                }
                _ => break,
            }
            head.lines.end += 1;
        }
        head
    }

    fn field(&self, told: Told) -> Option<&Field<'a>> {
        let mut fields = self.fields.iter();
        fields.find(|field| field.told == told && !field.value.is_empty())
    }

    /// Whether this is a head and no list of journeys: who wrote and what of, or by what address and when.
    fn is_evident(&self) -> bool {
        self.field(Told::From).is_some_and(|from| {
            self.field(Told::Subject).is_some()
                || self.field(Told::Date).is_some() && from.value.contains('@')
        })
    }

    /// Who wrote it and when, and what else is read.
    fn blocks(&self, out: &mut Vec<Block>) {
        let (from, date) = (self.field(Told::From), self.field(Told::Date));
        let writer = from.map(|from| (name_of(&from.value), &from.range));
        let when = date.map(|date| (date.value.as_str(), &date.range));
        if let (Some((_, first)), last) = (writer, when) {
            let last = last.map_or(first, |(_, range)| range);
            let words: Vec<&str> = writer
                .iter()
                .chain(&when)
                .map(|(words, _)| *words)
                .collect();
            let range = first.start.min(last.start)..first.end.max(last.end);
            out.push(paragraph(words.join(", "), range));
        }
        for field in self.fields.iter().filter(|it| it.told == Told::Named) {
            let value = name_of(&field.value);
            // Addresses without a name are those of lists.
            if !value.is_empty() && !value.contains('@') {
                out.push(paragraph(
                    format!("{}: {value}", field.name),
                    field.range.clone(),
                ));
            }
        }
    }
}

fn paragraph(words: String, range: Range<usize>) -> Block {
    Block {
        kind: BlockKind::Paragraph(tidy(vec![Inline::Text(words)])),
        span: Span::of(range),
    }
}

/// The name before an address, or the address where there is none.
fn name_of(value: &str) -> &str {
    match value.split_once('<') {
        Some((name, address)) if name.trim().is_empty() => address.trim_end_matches('>'),
        Some((name, _)) => name.trim(),
        None => value,
    }
}

/// The line of a head that `line` is; any name of one word is one where `is_first`.
fn field<'a>(line: &Line<'a>, is_first: bool) -> Option<Field<'a>> {
    let (name, value) = line.words.split_once([':', '：'])?;
    let name = name.trim_end();
    let is_token =
        || !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let told = match name {
        "From" | "Von" | "De" | "Da" | "Van" | "差出人" | "发件人" | "寄件者" => {
            Told::From
        }
        "Subject" | "Betreff" | "Objet" | "Asunto" | "Oggetto" | "Assunto" | "Onderwerp"
        | "件名" | "主题" | "主旨" => Told::Subject,
        "Date" | "Sent" | "Datum" | "Gesendet" | "Envoyé" | "Fecha" | "Enviado" | "Data"
        | "Inviato" | "Verzonden" | "日時" | "送信日時" | "日期" | "发送时间" => {
            Told::Date
        }
        "To" | "Cc" | "CC" | "An" | "Kopie" | "À" | "Para" | "Aan" | "宛先" | "收件人" => {
            Told::Named
        }
        "Received" | "Sender" | "Precedence" | "Bcc" | "References" | "Lines" | "Message" => {
            Told::Carried
        }
        _ if name.contains('-') && is_token() => Told::Carried,
        _ if is_first && is_token() => Told::Named,
        _ => return None,
    };
    Some(Field {
        told,
        name,
        value: value.trim().to_owned(),
        range: line.range.clone(),
    })
}

/// The heads of the mail that `lines` are, or of the mails of a thread; none where the first does not begin the text and say what it
/// is about.
pub(super) fn heads<'a>(lines: &[Line<'a>]) -> Vec<Head<'a>> {
    let mut heads: Vec<Head<'a>> = Vec::new();
    let mut start = lines.iter().position(|line| !line.words.is_empty());
    while let Some(at) = start {
        let begins = lines
            .get(at)
            .is_some_and(|line| line.words.starts_with("From "));
        let mut head = Head::at(lines, at + usize::from(begins), heads.is_empty());
        let end = head.lines.end.max(at + 1);
        if head.is_evident() {
            head.lines.start = at;
            heads.push(head);
        }
        if heads
            .first()
            .is_none_or(|first| first.field(Told::Subject).is_none())
        {
            return Vec::new();
        }
        start = Some(end).filter(|end| *end < lines.len());
    }
    heads
}

/// Takes the heads out of the lines.
pub(super) fn clear(lines: &mut [Line<'_>], heads: &[Head<'_>]) {
    for head in heads {
        for line in lines.get_mut(head.lines.clone()).unwrap_or_default() {
            line.words = "";
        }
    }
}

/// Who wrote a mail that stands alone, and when.
pub(super) fn about(heads: &[Head<'_>]) -> About {
    let [head] = heads else {
        return About::default();
    };
    let told = |told| head.field(told).map(|field| field.value.clone());
    About {
        author: told(Told::From),
        date: told(Told::Date),
        ..About::default()
    }
}

/// Reads mails, each below its head; what has another subject than the one above begins a section.
pub(super) fn read(
    text: &str,
    lines: &[Line<'_>],
    heads: &[Head<'_>],
    layout: &Layout,
    out: &mut Vec<Block>,
) {
    let mut tags: HashMap<&str, usize> = HashMap::new();
    for subject in heads.iter().filter_map(|head| head.field(Told::Subject)) {
        for tag in parts(&subject.value).filter_map(|(tag, _)| tag) {
            *tags.entry(tag).or_default() += 1;
        }
    }
    let mut above = "";
    for (number, head) in heads.iter().enumerate() {
        if let Some(subject) = head.field(Told::Subject) {
            let own = own_subject(&subject.value, &tags);
            if own != above {
                let level = if number == 0 { 1 } else { 2 };
                out.push(headings::heading(level, own, subject.range.clone()));
            }
            above = own;
        }
        head.blocks(out);
        let next = heads.get(number + 1);
        let end = next.map_or(lines.len(), |next| next.lines.start);
        let own = lines.get(head.lines.end..end.min(lines.len()));
        written(text, own.unwrap_or_default(), layout, out);
    }
}

/// What stands before a subject, each with what is behind it: the name of a mailing list in brackets, or the mark of an answer.
fn parts(subject: &str) -> impl Iterator<Item = (Option<&str>, &str)> {
    let mut rest = subject.trim();
    std::iter::from_fn(move || {
        let tagged = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        let (tag, behind) = match tagged {
            Some((tag, behind)) => (Some(tag), behind),
            None => (None, behind_mark(rest)?),
        };
        rest = behind.trim_start();
        (!rest.is_empty()).then_some((tag, rest))
    })
}

/// What stands behind the mark of an answer or of a mail that was sent on.
fn behind_mark(subject: &str) -> Option<&str> {
    let (mark, behind) = subject.split_once(':')?;
    matches!(
        mark,
        "Re" | "RE" | "AW" | "Aw" | "Fwd" | "FWD" | "FW" | "Fw" | "WG" | "TR" | "SV" | "Antw"
    )
    .then_some(behind)
}

/// A subject without the marks of answers and without the names of mailing lists, which come again; a number may stand nowhere else.
fn own_subject<'s>(subject: &'s str, tags: &HashMap<&str, usize>) -> &'s str {
    parts(subject)
        .take_while(|(tag, behind)| {
            tag.is_none_or(|tag| {
                let comes_again = tags.get(tag) > Some(&1) || behind_mark(behind).is_some();
                comes_again && !tag.contains(|c: char| c.is_ascii_digit())
            })
        })
        .last()
        .map_or(subject.trim(), |(_, behind)| behind)
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
                is_marked: false,
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
    use crate::text::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_mail_is_called_by_its_subject_and_its_quotes_stand_apart() {
        let source = "From: Ada <a@kiln.example>\nTo: all\nSubject: Re: [kiln] Plan of the kiln\nDate: Mon, 3 Mar 2025\n\nHi all,\n\nBen wrote:\n> Take the small kiln\n> and close the door.\n\nNo, the large one.\n\n---\nFrom: Ben <b@kiln.example>\nSubject: Re: [kiln] Plan of the kiln\nDate: Tue, 4 Mar 2025\n\nIt is hot.\n";
        let document = read(source.to_owned());
        assert_eq!(document.title.as_deref(), Some("Plan of the kiln"));
        assert_eq!(
            write(&document.blocks),
            "# Plan of the kiln\n\nAda, Mon, 3 Mar 2025\n\nTo: all\n\nHi all,\n\nBen wrote:\n\n> Take the small kiln and close the door.\n\nNo, the large one.\n\nBen, Tue, 4 Mar 2025\n\nIt is hot.\n"
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

    #[test]
    fn each_mail_of_a_digest_or_sent_on_has_its_subject_its_writer_and_its_date() {
        let source = "From a@kiln.example Mon Mar  3 10:00:00 2025\nReturn-Path: <l@kiln.example>\nSubject: Kiln digest of\n March\nFrom: l@kiln.example\nDate: Mon, 3 Mar\n\nMessage: 1\nFrom: Ada <a@kiln.example>\nTo: <l@kiln.example>\nSubject: [Kiln] Heat is gone\nMessage-ID: <1@kiln.example>\n\nIt is cold.\n\nMessage: 2\nFrom: Ben <b@kiln.example>\nSubject: [Kiln] Re: [DSA 5-1] Wood is wet\n\nIt rains.\n\nVon: Carl\nGesendet: Sonntag\nAn: Ben\nBetreff: Es kostet 900 Euro\n\nZu viel.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "# Kiln digest of March\n\nl@kiln.example, Mon, 3 Mar\n\n## Heat is gone\n\nAda\n\nIt is cold.\n\n## [DSA 5-1] Wood is wet\n\nBen\n\nIt rains.\n\n## Es kostet 900 Euro\n\nCarl, Sonntag\n\nAn: Ben\n\nZu viel.\n"
        );
    }

    #[test]
    fn a_journey_in_a_mail_is_no_head() {
        let source = "From: Ada <a@kiln.example>\nMIME-Version: 1.0\nSubject: Journey\nDate: Monday\n\nI go so.\n\nFrom: Berlin\nTo: Paris\nDate: 4 March at 10:00\n";
        let document = read(source.to_owned());
        assert_eq!(
            write(&document.blocks),
            "# Journey\n\nAda, Monday\n\nI go so.\n\n- **From**: Berlin\n- **To**: Paris\n- **Date**: 4 March at 10:00\n"
        );
        let about = (document.about.author, document.about.date);
        assert_eq!(
            about,
            (Some("Ada <a@kiln.example>".into()), Some("Monday".into()))
        );
    }
}
