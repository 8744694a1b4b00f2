//! Finds the pictures and the text boxes that stand in a Word paragraph.

use crate::office::assemble::Piece;
use crate::xml_tree::{Content, Element};
use skillkiln_document::text::squash;

/// What a paragraph holds besides words.
#[derive(Default)]
pub(super) struct Extras<'d> {
    pub(super) boxes: Vec<Element<'d>>,
    pub(super) pictures: Vec<String>,
    pub(super) drawn: Vec<Piece>,
    pub(super) formulas: Vec<String>,
}

/// The branch of an alternative that is read: the one for today's programs, which holds the text boxes as text.
pub(super) fn chosen(alternative: Element<'_>) -> Option<Element<'_>> {
    alternative
        .child("Choice")
        .or_else(|| alternative.child("Fallback"))
}

/// Whether a frame holds a table of contents.
pub(super) fn is_contents(frame: Element<'_>) -> bool {
    frame
        .val(&["sdtPr", "docPartObj", "docPartGallery"])
        .is_some_and(|gallery| gallery == "Table of Contents")
}

/// The text boxes in a drawing, and the words that stand in for its pictures.
pub(super) fn drawing<'d>(element: Element<'d>, extras: &mut Extras<'d>) {
    let boxes: Vec<Element<'d>> = text_boxes(element);
    if boxes.is_empty() {
        let words = element
            .inside("docPr")
            .into_iter()
            .chain(element.inside("shape"))
            .find_map(|picture| {
                let words = squash(picture.attribute("descr").or(picture.attribute("alt"))?);
                // Programs put the picture's file there.
                let is_file = !words.contains(' ') && words.contains(['/', '\\', '.']);
                (!words.is_empty() && !is_file).then_some(words)
            });
        // Without words it still may have a caption.
        extras.pictures.push(words.unwrap_or_default());
    }
    extras.boxes.extend(boxes);
}

/// The outermost text boxes in `element`: what stands in one is read with it.
fn text_boxes(element: Element<'_>) -> Vec<Element<'_>> {
    let mut found = Vec::new();
    let mut waiting = vec![element];
    while let Some(element) = waiting.pop() {
        let at = waiting.len();
        for content in element.content() {
            match content {
                Content::Element(inner) if inner.name() == "txbxContent" => found.push(inner),
                Content::Element(inner) if inner.name() == "AlternateContent" => {
                    waiting.extend(chosen(inner));
                }
                Content::Element(inner) => waiting.push(inner),
                Content::Text(_) => {}
            }
        }
        if let Some(added) = waiting.get_mut(at..) {
            added.reverse();
        }
    }
    found
}
