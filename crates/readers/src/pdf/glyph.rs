//! What a page shows, piece by piece: a character where it stands, and a straight rule.

/// A character where it stands, in a frame in which its text runs left to right and up is positive.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Glyph {
    pub(crate) character: char,
    pub(crate) left: f32,
    pub(crate) right: f32,
    /// The baseline.
    pub(crate) y: f32,
    pub(crate) size: f32,
    /// Index into [`Faces`].
    pub(crate) face: u16,
    /// Index into [`Shown::links`], counted from 1; 0 is none.
    pub(crate) link: u16,
    /// Quarter turns, anticlockwise, that the text is set at.
    pub(crate) turn: u8,
    /// Set so that nobody sees it.
    pub(crate) hidden: bool,
}

/// A straight line across or down the page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule {
    pub(crate) left: f32,
    pub(crate) right: f32,
    pub(crate) bottom: f32,
    pub(crate) top: f32,
}

impl Rule {
    /// Whether it goes across.
    pub(crate) fn is_level(&self) -> bool {
        self.right - self.left >= self.top - self.bottom
    }
}
