//! Reads the front page of a document of the internet's standards: its title and number, who wrote it and when. What the page says of
//! every such document (its status, its copyright) and the table of contents are none of the text.

use crate::text::line::Line;
use crate::words::{WordList, words};
use skillkiln_document::text::squash;
use std::ops::Range;

/// How such a document is numbered, and how a draft calls itself.
const NUMBERED: &str = "Request for Comments:";
const DRAFT: &str = "Internet-Draft";
/// Lines in which the front page says that.
const LINES_MAX: usize = 12;
/// Sections that are not the document's own, in lower case.
const SKIPPED: [&str; 5] = [
    "status of this memo",
    "status of this document",
    "copyright notice",
    "table of contents",
    "iesg note",
];
/// The months, by which a date is known.
static MONTHS: WordList =
    words!("January February March April May June July August September October November December");

/// A front page.
#[derive(Debug)]
pub(super) struct FrontPage {
    /// The title, with the number of the document.
    pub(super) title: String,
    /// Where the title stands.
    pub(super) range: Range<usize>,
    pub(super) author: Option<String>,
    pub(super) date: Option<String>,
    /// Lines up to the end of the title.
    pub(super) lines: usize,
}

/// The front page that `lines` begin with.
pub(super) fn of(lines: &[Line<'_>]) -> Option<FrontPage> {
    let start = lines.iter().position(|line| !line.words.is_empty())?;
    let group = |from: usize| {
        let from = from
            + lines
                .iter()
                .skip(from)
                .take_while(|line| line.words.is_empty())
                .count();
        let length = lines
            .iter()
            .skip(from)
            .take_while(|line| !line.words.is_empty())
            .count();
        from..from + length
    };
    let head = lines.get(start..(start + LINES_MAX).min(lines.len()))?;
    let number = head.iter().find_map(|line| {
        let rest = line.words.strip_prefix(NUMBERED)?;
        rest.split_whitespace()
            .next()
            .filter(|number| number.bytes().all(|b| b.is_ascii_digit()))
    });
    let is_draft = head.iter().any(|line| {
        line.words
            .to_ascii_lowercase()
            .starts_with(&DRAFT.to_ascii_lowercase())
    });
    if number.is_none() && !is_draft {
        return None;
    }
    let header = group(start);
    let titled = group(header.end);
    let title = lines.get(titled.clone())?;
    // The title is set in the middle, and the sections are not.
    if title.is_empty() || title.iter().any(|line| line.indent < 4) {
        return None;
    }
    let words: Vec<&str> = title
        .iter()
        .map(|line| line.words)
        .filter(|words| !words.starts_with("draft-"))
        .collect();
    let words = squash(&words.join(" "));
    let beside = lines
        .get(header)?
        .iter()
        .filter_map(|line| match line.words.rsplit_once("   ") {
            Some((_, right)) => Some(right.trim()),
            None => (line.indent > 20).then_some(line.words),
        });
    let (mut authors, mut date) = (Vec::new(), None);
    for said in beside {
        if MONTHS.iter().any(|month| said.contains(month)) {
            date = Some(said.to_owned());
        } else if is_name(said) {
            authors.push(said);
        }
    }
    Some(FrontPage {
        title: match number {
            Some(number) => format!("{words} (RFC {number})"),
            None => words,
        },
        range: title.first()?.range.start..title.last()?.range.end,
        author: (!authors.is_empty()).then(|| authors.join(", ")),
        date,
        lines: titled.end,
    })
}

/// "A. Heron" or "B. Stork, Ed.", and no organisation.
fn is_name(words: &str) -> bool {
    let mut characters = words.chars();
    characters.next().is_some_and(char::is_uppercase) && characters.next() == Some('.')
}

/// The lines of a section that is not the document's own, from its heading on; 0 where `lines` begin with another.
pub(super) fn skipped(lines: &[Line<'_>]) -> usize {
    let Some(first) = lines.first() else { return 0 };
    let name = first.words.to_lowercase();
    if first.indent > 0 || !SKIPPED.contains(&name.as_str()) {
        return 0;
    }
    let rest = lines.iter().skip(1);
    1 + rest
        .take_while(|line| line.words.is_empty() || line.indent > 0)
        .count()
}

/// Whether a line heads a section: it alone is not set in.
pub(super) fn is_heading(lines: &[Line<'_>]) -> bool {
    let [first, second, rest @ ..] = lines else {
        return false;
    };
    let below = rest.iter().find(|line| !line.words.is_empty());
    first.indent == 0
        && !first.words.is_empty()
        && second.words.is_empty()
        && below.is_some_and(|line| line.indent > 0)
}
