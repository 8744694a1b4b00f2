//! Owns the units of running text: a short paragraph whole, a long one sentence by sentence, each with what it leans on.

use super::{Extractor, Form, Place, Unit, kind_of};
use crate::cues::{leans, strip_filler};
use crate::sentences::cut_sentences;
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::text::{Inline, plain};

/// A paragraph stands whole up to so many characters.
const WHOLE_CHARS_MAX: usize = 450;
/// Sentences that lean on each other stand together up to so many characters.
const TOGETHER_CHARS_MAX: usize = 420;

pub(super) const EXTRACTOR: Extractor = Extractor {
    id: "sentence",
    takes: "a short paragraph, or the sentences of a long one, each with the one that it leans on",
    example: "Clay shrinks when it dries. It shrinks again when it is fired.",
    run,
};

fn run(place: &Place<'_>, units: &mut Vec<Unit>) -> usize {
    let Some(block) = place.next(0) else { return 0 };
    match &block.kind {
        BlockKind::Paragraph(text) => take(place, block, text, units),
        BlockKind::Quote(inner) => match inner.as_slice() {
            [
                Block {
                    kind: BlockKind::Paragraph(text),
                    ..
                },
            ] => take(place, block, text, units),
            _ => return 0,
        },
        _ => return 0,
    }
    1
}

fn take(place: &Place<'_>, block: &Block, text: &[Inline], units: &mut Vec<Unit>) {
    let said = plain(text);
    if said.chars().count() <= WHOLE_CHARS_MAX {
        push(place, text.to_vec(), 0, block.span.clone(), units);
    } else {
        sentences(place, &cut_sentences(text), units);
    }
}

/// Adds units of sentences that follow each other.
pub(super) fn sentences(place: &Place<'_>, sentences: &[Vec<Inline>], units: &mut Vec<Unit>) {
    let span = place
        .next(0)
        .map_or_else(Span::default, |block| block.span.clone());
    let mut together: Vec<Inline> = Vec::new();
    let (mut part, mut chars) = (0, 0);
    for sentence in sentences {
        let said = plain(sentence);
        let length = said.chars().count();
        let joins = !together.is_empty() && leans(&said) && chars + length <= TOGETHER_CHARS_MAX;
        if joins {
            together.push(Inline::Text(" ".into()));
            together.extend(sentence.iter().cloned());
            chars += length;
        } else {
            if !together.is_empty() {
                push(
                    place,
                    std::mem::take(&mut together),
                    part,
                    span.clone(),
                    units,
                );
                part += 1;
            }
            together.extend(sentence.iter().cloned());
            chars = length;
        }
    }
    if !together.is_empty() {
        push(place, together, part, span, units);
    }
}

fn push(place: &Place<'_>, mut words: Vec<Inline>, part: usize, span: Span, units: &mut Vec<Unit>) {
    strip_filler(&mut words);
    let said = plain(&words);
    if said.chars().filter(|c| c.is_alphabetic()).count() < 8 {
        return;
    }
    let unit = place.unit(kind_of(&said), part, Form::Sentence(words), span);
    units.push(unit);
}
