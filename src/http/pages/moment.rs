//! Owns how an instant stands on a page: in words for the reader, and to the millisecond for what reads the page to them.

use crate::domain::clock::Timestamp;
use askama::filters::HtmlSafe;
use std::fmt;

/// An instant on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    at: Timestamp,
    is_day: bool,
}

impl Moment {
    /// To the minute.
    pub(super) fn at(at: Timestamp) -> Self {
        Self { at, is_day: false }
    }

    /// The day alone.
    pub(super) fn day(at: Timestamp) -> Self {
        Self { at, is_day: true }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match self.is_day {
            true => self.at.date(),
            false => self.at.spoken(),
        };
        write!(f, "<time datetime=\"{}\">{words}</time>", self.at.iso())
    }
}

/// Nothing of it was written by others.
impl HtmlSafe for Moment {}

#[cfg(test)]
mod tests {
    use super::*;
    use askama::Template;

    #[derive(Template)]
    #[template(
        source = "{{ at }}{% if let Some(day) = day %}, {{ day }}{% endif %}",
        ext = "html"
    )]
    struct Page {
        at: Moment,
        day: Option<Moment>,
    }

    #[test]
    fn an_instant_is_read_by_people_and_by_programs() {
        let at = Timestamp::from_micros(1_795_166_100_000_000);
        let page = Page {
            at: Moment::at(at),
            day: Some(Moment::day(at)),
        };
        assert_eq!(
            page.render().expect("a page"),
            "<time datetime=\"2026-11-20T09:15:00.000Z\">20 Nov 2026, 09:15 UTC</time>, \
             <time datetime=\"2026-11-20T09:15:00.000Z\">2026-11-20</time>"
        );
    }
}
