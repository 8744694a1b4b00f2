//! Finds the tables of contents that writers set as common paragraphs: lines under a heading "Contents" that end in rising numbers,
//! and name the headings that follow.

use crate::office::assemble::{Piece, What};
use crate::office::heads;
use skillkiln_document::text::plain;
use std::collections::HashSet;
use std::ops::Range;

/// So many lines make a table of contents.
const ENTRIES_MIN: usize = 5;

/// The lines under a heading "Contents".
#[derive(Debug)]
pub(super) struct Listing {
    /// Where the heading stands among the pieces.
    heading: usize,
    /// What each line says, without the number of its page.
    entries: Vec<String>,
    /// Where the lines stand among the pieces.
    places: Vec<usize>,
    /// The page of the last line.
    page: u32,
    /// Whether a page comes before that of the line above.
    falls: bool,
}

impl Listing {
    /// No line yet under the heading at a place.
    pub(super) fn under(heading: usize) -> Self {
        Self {
            heading,
            entries: Vec::new(),
            places: Vec::new(),
            page: 0,
            falls: false,
        }
    }

    /// Takes a line: its words and its page.
    pub(super) fn add(&mut self, words: &str, page: u32) {
        self.falls |= page < self.page;
        self.page = page;
        self.entries.push(heads::named(words));
    }

    /// The last line is one piece, and where; what became several is no line of a table of contents, and stays.
    pub(super) fn is_written_at(&mut self, pieces: Range<usize>) {
        if pieces.len() == 1 {
            self.places.push(pieces.start);
        }
    }

    /// Whether this is a table of contents: its pages never fall, and headings that follow have the words of half the lines at least.
    fn is_contents(&self, pieces: &[Piece]) -> bool {
        let is_over = |piece: &Piece| matches!(&piece.what, What::Heading(_, words) if heads::names_contents(words));
        let rest = pieces.get(self.heading..).unwrap_or_default();
        let headings: HashSet<String> = rest
            .iter()
            .skip(1)
            .filter_map(|piece| match &piece.what {
                What::Heading(_, words) => Some(heads::named(&plain(words))),
                _ => None,
            })
            .filter(|words| !words.is_empty())
            .collect();
        let named = self
            .entries
            .iter()
            .filter(|entry| headings.contains(*entry));
        !self.falls
            && self.entries.len() >= ENTRIES_MIN
            && rest.first().is_some_and(is_over)
            && named.count() * 2 >= self.entries.len()
    }
}

/// Leaves the tables of contents out, each with its heading; all else stays.
pub(super) fn leave_out(pieces: &mut Vec<Piece>, listings: &[Listing]) {
    let gone: HashSet<usize> = listings
        .iter()
        .filter(|listing| listing.is_contents(pieces))
        .flat_map(|listing| listing.places.iter().copied().chain([listing.heading]))
        .collect();
    let mut at = 0..;
    pieces.retain(|_| at.next().is_none_or(|at| !gone.contains(&at)));
}
