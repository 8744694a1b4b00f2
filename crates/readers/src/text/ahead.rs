//! Owns how far the lines of a plain text are looked at ahead of what is read.

use super::{Line, code};
use std::cell::Cell;

/// What the looks of every text may have.
const AHEAD_LEAST: usize = 20_000;
/// What they may have for each line.
const AHEAD_PER_LINE: usize = 20;
/// How many lines each look has when all of that is used up.
const AHEAD_AT_LAST: usize = 32;

/// How many lines the looks for code may have in all. Of lines without an empty one between them, each of which begins something of
/// its own, every look would go over all the others.
#[derive(Debug)]
pub(super) struct Ahead(Cell<usize>);

impl Ahead {
    /// What is enough for every text in which most lines are looked at a few times.
    pub(super) fn of(lines: &[Line<'_>]) -> Self {
        Self(Cell::new(AHEAD_LEAST + lines.len() * AHEAD_PER_LINE))
    }

    /// As many of the lines as may be looked at for what begins with the first of them.
    pub(super) fn of_these<'l, 'a>(&self, lines: &'l [Line<'a>]) -> &'l [Line<'a>] {
        let Self(left) = self;
        if left.get() == 0 {
            return lines.get(..AHEAD_AT_LAST).unwrap_or(lines);
        }
        let looked_at = code::stretch(lines).count();
        left.set(left.get().saturating_sub(looked_at));
        lines
    }
}
