//! Owns what a card says of an API before its requests: the list of them, and what the API opens with.

use crate::outline::{Outline, Section};
use crate::section_role::request;
use crate::tokens::tokens;
use skillkiln_document::markdown;
use skillkiln_document::text::Inline;

/// Most tokens of the list.
const TOKENS_MAX: usize = 2_000;

/// The requests that an API has by the titles of its sections, each as an item of a list, as far as a card has room for them.
#[must_use]
pub fn operations(outline: &Outline) -> Vec<(usize, String)> {
    let sections = outline.sections.iter().enumerate();
    let of = |(number, section): (usize, &Section)| {
        let (method, path, said) = request(&section.title)?;
        let words = [
            Inline::Code(format!("{method} {path}")),
            Inline::Text(format!(" {said}")),
        ];
        let words = markdown::inline::inline(&words, markdown::inline::Place::Line);
        Some((number, format!("- {}\n", words.trim_end())))
    };
    let mut room = TOKENS_MAX;
    let mut fits = |line: &str| {
        let cost = tokens(line);
        room = room.saturating_sub(cost);
        room > 0
    };
    let all = sections.filter_map(of);
    all.take_while(|(_, line)| fits(line)).collect()
}

/// What an API opens with, where its requests go and how they are allowed.
#[must_use]
pub fn front(outline: &Outline) -> Option<usize> {
    let mut sections = outline.sections.iter();
    let front = sections.position(|one| one.tokens > 0)?;
    let is_request = outline
        .sections
        .get(front)
        .and_then(|one| request(&one.title));
    is_request.is_none().then_some(front)
}
