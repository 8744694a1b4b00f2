//! Owns what a source names and does not hold: includes that nobody resolved, what was taken out, figures without words.

use crate::units::{UnitKind, Units};
use skillkiln_document::blocks::{Block, BlockKind, walk};
use skillkiln_document::missing;

/// Most gaps that are told.
const GAPS_MAX: usize = 12;
/// What stands where something was taken out.
const REDACTED: &str = "[redacted]";

/// The gaps of a source, each with its unit where it has one.
#[must_use]
pub fn of(units: &Units, blocks: &[Block]) -> Vec<String> {
    let mut out = Vec::new();
    for unit in units.all() {
        let text = unit.whole_text();
        if text.contains(REDACTED) {
            out.push(format!("[{}] something was taken out", unit.number));
        }
    }
    for missing in missing::of(blocks) {
        let name = crate::listing::clip(&missing.name, 120);
        out.push(match missing.times {
            1 => format!("{name} belongs here and was not given"),
            times => format!("{name} belongs here, at {times} places, and was not given"),
        });
    }
    let mut figures = 0;
    walk(blocks, &mut |block| {
        let is_mute = matches!(&block.kind, BlockKind::Figure { alternative, caption, .. } if alternative.is_empty() && caption.is_empty());
        figures += usize::from(is_mute);
    });
    if figures > 0 {
        out.push(format!("{figures} figures without words"));
    }
    let shows = |unit: &&crate::units::Unit| unit.kind == UnitKind::Figure;
    let captions = units.all().iter().filter(shows).count();
    if captions > 0 {
        out.push(format!(
            "{captions} figures of which only the captions are here"
        ));
    }
    out.truncate(GAPS_MAX);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::testing::document;

    #[test]
    fn what_is_named_and_not_there_is_told() {
        let source =
            document("# Kiln\n\nIncluded here: `kiln.py`\n\nThe key is [redacted].\n\nPlain.");
        let units = Units::of("Kiln", &source.blocks);
        let gaps = of(&units, &source.blocks);
        assert_eq!(
            gaps,
            [
                "[3] something was taken out",
                "kiln.py belongs here and was not given"
            ]
        );
    }
}
