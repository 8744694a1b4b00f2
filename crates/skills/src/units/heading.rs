//! Owns the units of headings that are rules themselves: "MUST use snake_case for query parameters", "Omit needless words".

use super::{Form, Place, Unit, UnitKind};
use crate::cues::Cues;
use crate::outline::Outline;
use crate::section_role::request;
use crate::tasks::{bare_title, is_verb};
use skillkiln_document::blocks::Block;
use skillkiln_document::text::Inline;

/// A document whose titles are orders for the most part is one of rules.
const ORDERS_MIN: usize = 6;

/// What the titles of a document are.
pub(super) struct Titles {
    /// Whether most of them tell what to do.
    are_orders: bool,
}

impl Titles {
    /// Looks at all titles.
    pub(super) fn of(outline: &Outline) -> Self {
        let all = outline.sections.iter().skip(1).filter(|one| !one.is_made);
        let (mut count, mut orders) = (0, 0);
        for section in all {
            count += 1;
            orders += usize::from(is_order(&section.title));
        }
        Self {
            are_orders: orders >= ORDERS_MIN && orders * 2 >= count,
        }
    }

    /// The unit of a section's title, where that says what to do by itself.
    pub(super) fn unit(&self, section: usize, outline: &Outline, blocks: &[Block]) -> Option<Unit> {
        let own = outline.sections.get(section)?;
        let title = bare_title(&own.title);
        let has_cue = has_duty(title);
        if own.is_made || !(has_cue || self.are_orders && is_order(title)) {
            return None;
        }
        let at = own.heading?;
        let block = blocks.get(at)?;
        let place = Place {
            run: usize::MAX - section,
            ..Place::of(blocks, section, at)
        };
        let words = vec![Inline::Text(title.to_owned())];
        let form = Form::Sentence(words);
        let unit = place.unit(UnitKind::Rule, 0, form, block.span.clone());
        Some(Unit {
            is_title: true,
            ..unit
        })
    }
}

/// Whether a title tells what to do: it opens with a verb, and says what of.
fn is_order(title: &str) -> bool {
    let title = bare_title(title);
    if request(title).is_some() {
        return false;
    }
    let (first, rest) = title.split_once(' ').unwrap_or((title, ""));
    let is_long = rest.contains(' ');
    is_long && is_verb(&first.to_lowercase()) || has_duty(title)
}

/// Whether a title says what must be or must not.
fn has_duty(title: &str) -> bool {
    let cues = Cues::of(title);
    (cues.must > 0 || cues.should > 0)
        && title.split_whitespace().count() >= 4
        && !title.ends_with('?')
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::testing::document;

    #[test]
    fn a_title_that_is_a_rule_is_a_unit() {
        let document = document(
            "# Clay\n\n## MUST use dry clay for pots\n\nWet clay bursts.\n\n## Door\n\nIt shuts.",
        );
        let outline = Outline::of(&document.blocks);
        let titles = Titles::of(&outline);
        let told: Vec<Option<String>> = (0..outline.sections.len())
            .map(|number| titles.unit(number, &outline, &document.blocks))
            .map(|unit| unit.map(|unit| unit.text))
            .collect();
        let rule = Some("MUST use dry clay for pots".to_owned());
        assert_eq!(told, [None, None, rule, None]);
    }
}
