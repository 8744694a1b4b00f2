//! Owns what a description is made of, and the form of its words.

use crate::kind::Kind;
use crate::lead_ins::LeadIns;
use crate::outline::Outline;
use crate::units::Unit;
use skillkiln_document::blocks::Block;
use skillkiln_document::text::squash;

/// Longest sentence on what it is.
pub const WHAT_CHARS_MAX: usize = 200;

/// What a description is made of.
pub struct Subject<'s> {
    /// The title of the skill.
    pub title: &'s str,
    /// What all of it is about, where the title does not name it.
    pub product: Option<&'s str>,
    /// Whether the source is surely of the product, and does not only name it widely.
    pub is_sure: bool,
    /// What the source is.
    pub kind: Kind,
    /// What the source says of itself in a summary.
    pub summary: Option<&'s str>,
    /// Whether the summary stands in the source itself, and is not that of its site.
    pub is_own_summary: bool,
    /// Its blocks.
    pub blocks: &'s [Block],
    /// Its sections.
    pub outline: &'s Outline,
    /// Its units.
    pub units: &'s [Unit],
    /// Names that somebody would say, most used first.
    pub names: &'s [&'s str],
    /// How much each section matters.
    pub weights: &'s [f32],
    /// The words of its language.
    pub lead_ins: &'static LeadIns,
}

/// A title in capitals without them.
#[must_use]
pub fn without_capitals(title: &str) -> String {
    let letters = title.chars().filter(|c| c.is_alphabetic()).count();
    let capitals = title.chars().filter(|c| c.is_uppercase()).count();
    match letters > 5 && capitals * 10 > letters * 8 && title.contains(' ') {
        true => title.to_lowercase(),
        false => title.to_owned(),
    }
}

/// A text as a description may hold it.
#[must_use]
pub fn clean(text: &str) -> String {
    squash(&text.replace(['<', '>', '`', '*'], "").replace("---", "—"))
}
