//! Owns texts that a program shows by their keys, as the help of GnuPG is kept: each key stands behind a stop, a stop alone ends what is
//! told of it, and remarks stand behind hashes. Of other texts, the remark that they begin with is read as words.

use super::{Layout, Line, headings, stretch, uncomment};
use crate::domain::document::Block;
use std::ops::Range;

/// So many of them show how a text is kept.
const RECORDS_MIN: usize = 3;
/// A remark of so many lines tells of the text itself.
const REMARK_LINES_MIN: usize = 3;

/// One key, and the lines that tell of it.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) at: usize,
    body: Range<usize>,
}

/// The records of a text; none where it has few.
pub(super) fn of(lines: &[Line<'_>]) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let body = lines.get(at + 1..).unwrap_or_default();
        let ends = |line: &Line<'_>| line.words == "." || key(line).is_some();
        let is_key = lines.get(at).is_some_and(|line| key(line).is_some());
        let end = match is_key {
            true => at + 1 + body.iter().position(ends).unwrap_or(body.len()),
            false => at,
        };
        if lines.get(end).is_some_and(|line| line.words == ".") && is_key {
            records.push(Record {
                at,
                body: at + 1..end,
            });
        }
        at = end.max(at + 1);
    }
    if records.len() < RECORDS_MIN {
        records.clear();
    }
    records
}

/// The key that a line is: `.kiln.heat`, or `.#kiln.heat` where nobody has told of it in the language of the text.
fn key<'a>(line: &Line<'a>) -> Option<&'a str> {
    let name = line.words.strip_prefix('.')?.trim_start_matches('#');
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    (is_name && line.indent == 0).then_some(name)
}

/// Reads each record as a section of its own.
pub(super) fn read(
    text: &str,
    lines: &[Line<'_>],
    records: &[Record],
    layout: &Layout,
    out: &mut Vec<Block>,
) {
    for record in records {
        let Some((head, name)) = lines
            .get(record.at)
            .and_then(|head| Some((head, key(head)?)))
        else {
            continue;
        };
        out.push(headings::heading(2, name, head.range.clone()));
        let body = lines.get(record.body.clone()).unwrap_or_default();
        let mut body = body.to_vec();
        for line in body.iter_mut().filter(|line| line.words.starts_with('#')) {
            line.words = "";
        }
        stretch(text, &body, layout, 0, out);
    }
}

/// Takes the hashes off the remark that a text begins with, where it is words over several paragraphs.
pub(super) fn open(lines: &mut [Line<'_>]) {
    let first = lines.iter().position(|line| !line.words.is_empty());
    let rest = lines.get_mut(first.unwrap_or(0)..).unwrap_or_default();
    let length = rest
        .iter()
        .take_while(|line| line.words.starts_with('#'))
        .count();
    let ends = rest.get(length).is_none_or(|line| line.words.is_empty());
    let remark = rest.get_mut(..length).unwrap_or_default();
    let is_bare = |line: &Line<'_>| line.words == "#";
    let is_sentence = |line: &Line<'_>| {
        line.words.ends_with(['.', ',', ';']) && line.words.split(' ').count() > REMARK_LINES_MIN
    };
    let says = remark.iter().any(is_bare) && remark.iter().any(is_sentence);
    if length >= REMARK_LINES_MIN && ends && says {
        remark.iter_mut().for_each(uncomment);
    }
}

#[cfg(test)]
mod tests {
    use crate::pipeline::extract::text::read;
    use crate::pipeline::markdown::write;

    #[test]
    fn what_is_told_by_keys_is_a_section_for_each_and_the_remark_above_is_words() {
        let record = |name: &str| {
            format!(
                ".#kiln.{name}\n# fixme: Please translate it.\nTells of the {name}.\n\nIt is hot.\n.\n\n"
            )
        };
        let records = ["door", "roof", "wood"].map(record).concat();
        let source = format!(
            "# kiln.txt - The help of kilns\n# Copyright Ada Lee.\n#\n# It is given away, and nobody\n# is to blame.\n#\n\n{records}"
        );
        assert_eq!(
            write(&read(source).blocks),
            "kiln.txt - The help of kilns Copyright Ada Lee.\n\nIt is given away, and nobody is to blame.\n\n## kiln.door\n\nTells of the door.\n\nIt is hot.\n\n## kiln.roof\n\nTells of the roof.\n\nIt is hot.\n\n## kiln.wood\n\nTells of the wood.\n\nIt is hot.\n"
        );
    }

    #[test]
    fn a_stop_before_a_name_elsewhere_is_no_key() {
        let source = "It has these files:\n\n.bashrc\n.profile\n.kilnrc\n\nThat is all.\n";
        assert!(!write(&read(source.to_owned()).blocks).contains("## "));
    }
}
