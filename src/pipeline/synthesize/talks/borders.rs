//! Owns where one part of a talk may end and the next one begin: in a silence, before what opens something, and not between a question
//! and its answer.

use super::told::is_untold;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{Inline, plain};
use skillkiln_readers::sentences::is_opener;

/// What it is worth that a block opens something, beside how much the vocabulary changes.
const OPENING: f32 = 0.3;
/// What the longest silence is worth, and how long that is.
const SILENCE: f32 = 0.4;
/// See [`SILENCE`].
const SILENCE_S: f64 = 4.0;
/// What it costs to part two who speak in one caption, or right behind one another.
const PAIR: f32 = 0.5;
/// A turn of so many characters is answered at once.
const TURN_CHARS: usize = 120;
/// What it costs to part what belongs together; no other place makes up for it.
const TOGETHER: f32 = 4.0;
/// Words that lead from what was said to more of it.
const JOINING: &str = " so and but then or because which well yes yeah no y e pero entonces porque o sí et mais alors puis donc ou parce oui non \
    und aber also dann denn oder doch ja nein então mas ma allora perché ";

/// What it is worth to end a part with `before` and begin one with `block`.
pub(super) fn worth(before: &Block, block: &Block) -> f32 {
    if is_untold(block) {
        return 0.0;
    }
    let (above, below) = (words_of(before), words_of(block));
    let Some(below) = below else { return OPENING };
    let above = above.unwrap_or_default();
    let first = below.split_whitespace().next().unwrap_or_default();
    let bare = first.trim_matches(|c: char| !c.is_alphanumeric());
    let joins = JOINING.contains(&format!(" {} ", bare.to_lowercase()));
    let asks = above.trim_end().ends_with(['?', '？', '؟', ',']);
    let goes_on = first.starts_with(char::is_lowercase);
    let gap_s = before
        .span
        .seconds()
        .zip(block.span.seconds())
        .map(|((_, end_s), (start_s, _))| start_s - end_s);
    let mut worth = 0.0;
    if !joins && is_opener(first) {
        worth += OPENING;
    }
    if joins || asks || goes_on {
        worth -= TOGETHER;
    }
    if let Some(gap_s) = gap_s {
        #[expect(clippy::cast_possible_truncation, reason = "a weight between 0 and 1")]
        let part = (gap_s.clamp(0.0, SILENCE_S) / SILENCE_S) as f32;
        worth += SILENCE * part;
        let is_short = |text: &str| text.chars().count() <= TURN_CHARS;
        if gap_s <= 0.0 && is_short(&above) && !above.is_empty() {
            worth -= PAIR;
        }
    }
    worth
}

/// What a paragraph says, without who says it.
pub(super) fn words_of(block: &Block) -> Option<String> {
    let BlockKind::Paragraph(text) = &block.kind else {
        return None;
    };
    let words = match text.as_slice() {
        [Inline::Strong(_), rest @ ..] => plain(rest),
        all => plain(all),
    };
    Some(words.trim_start_matches([':', ' ']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::blocks::{Landmark, Span};

    fn said(text: &str, seconds: (f64, f64)) -> Block {
        let landmark = Landmark {
            seconds: Some(seconds),
            ..Landmark::default()
        };
        Block {
            kind: BlockKind::Paragraph(vec![Inline::Text(text.to_owned())]),
            span: Span::at(0..1, Some(landmark.into())),
        }
    }

    #[test]
    fn no_part_begins_with_an_answer_or_with_what_leads_on() {
        let at =
            |above: &str, below: &str| worth(&said(above, (0.0, 2.0)), &said(below, (8.0, 9.0)));
        let free = at("It is hot.", "The door glows.");
        for (above, below) in [
            ("Is it hot?", "Very much."),
            ("It is hot.", "And it glows."),
            ("Es caliente.", "Pero brilla."),
            ("Il est chaud.", "Mais non."),
            ("It is", "hot."),
        ] {
            assert!(at(above, below) < free - 1.0, "{above} {below}");
        }
    }

    #[test]
    fn a_part_rather_begins_behind_a_silence_than_inside_a_caption() {
        let at = |start_s: f64| {
            let (above, below) = ("It is hot.", "The door glows.");
            worth(&said(above, (0.0, 2.0)), &said(below, (start_s, 9.0)))
        };
        assert!(at(6.0) > at(3.0) && at(3.0) > at(2.0));
        assert!(at(2.0) < 0.0);
    }
}
