//! Reads the slides of an OpenDocument presentation, and the pages of a drawing.

use crate::office::assemble::What;
use crate::office::odf::body::tables::cell;
use crate::office::odf::body::{Body, DEPTH_MAX};
use crate::xml_tree::{Content, Element};
use skillkiln_document::text::{Inline, squash};
use std::collections::{HashMap, HashSet};

/// What stands over a slide has at most so many words.
const WORDS_MAX: usize = 20;
/// And over so many other shapes with words at least.
const BELOW_MIN: usize = 2;

impl<'d> Body<'d> {
    /// Reads a presentation: a page for each slide.
    pub(crate) fn slides(&mut self, slides: Element<'d>) {
        let seen = seen_on(slides);
        for (at, slide) in slides.all("page").enumerate() {
            self.page = u32::try_from(at + 1).ok();
            let (titles, rest): (Vec<Element<'d>>, Vec<Element<'d>>) =
                slide.elements().partition(|shape| is_title(*shape));
            let mut titled = false;
            for shape in titles {
                titled |= self.slide_title(shape);
            }
            let head = topmost(&rest)
                .filter(|_| !titled)
                .filter(|(_, head)| {
                    place_of(*head).is_none_or(|place| seen.get(&place) == Some(&1))
                })
                .filter(|(at, _)| self.is_largest(*at, &rest));
            if let Some((_, head)) = head {
                self.slide_title(head);
            }
            for (at, shape) in rest.into_iter().enumerate() {
                if head.is_none_or(|(head, _)| head != at) {
                    self.shape(shape, 0);
                }
            }
            if let Some(notes) = slide.child("notes") {
                let own = self.apart(notes, 0);
                if !own.is_empty() {
                    self.push(What::Notes(own));
                }
            }
        }
    }

    /// Makes the words in a shape the heading of its slide; whether there are any.
    fn slide_title(&mut self, shape: Element<'d>) -> bool {
        let own = self.apart(shape, 0);
        let words: Vec<Inline> = cell(own).into_iter().flat_map(bare).collect();
        let is_titled = !words.is_empty();
        if is_titled {
            self.push(What::Heading(1, words));
        }
        is_titled
    }

    /// Whether no letters of the other shapes are larger than those of the shape at a place; sizes that are told for some only say
    /// nothing.
    fn is_largest(&self, at: usize, shapes: &[Element<'d>]) -> bool {
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for (place, shape) in shapes.iter().enumerate() {
            if shape.name() != "notes" {
                let sizes = if place == at { &mut own } else { &mut others };
                self.sizes(*shape, None, 0, sizes);
            }
        }
        let smallest = own.into_iter().min().flatten();
        others
            .iter()
            .all(|size| size.is_some() == smallest.is_some() && *size <= smallest)
    }

    /// The sizes of the words in a shape.
    fn sizes(
        &self,
        element: Element<'d>,
        outer: Option<u16>,
        depth: usize,
        sizes: &mut Vec<Option<u16>>,
    ) {
        let own = element
            .attribute("style-name")
            .and_then(|id| self.styles.size(id))
            .or(outer);
        if depth > DEPTH_MAX {
            sizes.push(None);
            return;
        }
        for content in element.content() {
            match content {
                Content::Text(text) if !text.trim().is_empty() => sizes.push(own),
                Content::Text(_) => {}
                Content::Element(inner) => self.sizes(inner, own, depth + 1, sizes),
            }
        }
    }

    fn shape(&mut self, shape: Element<'d>, depth: usize) {
        match shape.name() {
            "g" if depth <= DEPTH_MAX => shape
                .elements()
                .for_each(|inner| self.shape(inner, depth + 1)),
            "notes" => {}
            "frame" => self.frame(shape, depth),
            _ => self.container(shape, depth + 1),
        }
    }
}

/// A piece of a heading: without a break, and without the stress that a heading has anyhow.
fn bare(piece: Inline) -> Vec<Inline> {
    match piece {
        Inline::Break => vec![Inline::Text(" ".to_owned())],
        Inline::Strong(inner) => inner,
        other => vec![other],
    }
}

fn is_title(shape: Element<'_>) -> bool {
    shape.attribute("presentation:class") == Some("title")
        && shape.attribute("class") == Some("title")
}

/// The frame that stands above all other shapes with words on a slide that has no title, and its place among them.
fn topmost<'d>(shapes: &[Element<'d>]) -> Option<(usize, Element<'d>)> {
    let mut placed = Vec::new();
    for (at, shape) in shapes.iter().enumerate() {
        if shape.name() != "notes" && !shape.text().trim().is_empty() {
            let top = length(shape.attribute("svg:y")?)?;
            let height = length(shape.attribute("svg:height")?)?;
            placed.push((at, *shape, top, top + height));
        }
    }
    let (at, head, _, bottom) = placed
        .iter()
        .copied()
        .min_by(|(.., one, _), (.., other, _)| one.total_cmp(other))?;
    let mut below = placed.iter().filter(|(other, ..)| *other != at);
    let is_head = is_plain(head)
        && head.text().split_whitespace().count() <= WORDS_MAX
        && placed.len() > BELOW_MIN
        && below.all(|(_, _, top, _)| *top >= bottom);
    is_head.then_some((at, head))
}

/// Whether a frame holds nothing but a text box, and that only paragraphs.
fn is_plain(frame: Element<'_>) -> bool {
    let mut inner = frame.elements();
    frame.name() == "frame"
        && matches!((inner.next(), inner.next()), (Some(only), None) if only.name() == "text-box")
        && ["list", "table"]
            .iter()
            .all(|name| frame.inside(name).is_empty())
}

/// What a shape says and where it stands.
type Place = (String, String, String);

fn place_of(shape: Element<'_>) -> Option<Place> {
    let at = |name: &str| shape.attribute(name).map(str::to_owned);
    Some((
        squash(&shape.text()),
        at("svg:x").unwrap_or_default(),
        at("svg:y")?,
    ))
}

/// On how many slides each shape says the same at the same place: furniture is on more than one.
fn seen_on(slides: Element<'_>) -> HashMap<Place, usize> {
    let mut seen: HashMap<Place, usize> = HashMap::new();
    for slide in slides.all("page") {
        let own: HashSet<Place> = slide.elements().filter_map(place_of).collect();
        for place in own {
            *seen.entry(place).or_default() += 1;
        }
    }
    seen
}

/// A length in centimetres.
fn length(text: &str) -> Option<f32> {
    let unit = text.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    let number = text.strip_suffix(unit)?.parse::<f32>().ok()?;
    match unit {
        "cm" => Some(number),
        "mm" => Some(number / 10.0),
        "in" => Some(number * 2.54),
        "pt" => Some(number * 2.54 / 72.0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::office::assemble::Piece;
    use crate::office::odf::styles::Styles;
    use crate::xml_tree::Tree;
    use skillkiln_document::text::plain;

    #[test]
    fn the_frame_above_all_others_stands_over_a_slide_without_a_title() {
        let frame = |y: &str, words: &str| {
            format!(
                "<d:frame svg:y='{y}' svg:height='1cm'><d:text-box><t:p>{words}</t:p></d:text-box></d:frame>"
            )
        };
        let head_of = |frames: [String; 3]| {
            let page = format!("<d:page xmlns:d='d'>{}</d:page>", frames.concat());
            let tree = Tree::read(page.as_bytes()).unwrap();
            let shapes: Vec<Element<'_>> = tree.root().elements().collect();
            topmost(&shapes).map(|(_, head)| head.text())
        };
        let (left, right) = (frame("30mm", "oak"), frame("3cm", "ash"));
        let head = head_of([left.clone(), frame("1cm", "Wood"), right.clone()]);
        assert_eq!(head.as_deref(), Some("Wood"));
        assert_eq!(
            head_of([left.clone(), frame("2.5cm", "Wood"), right.clone()]),
            None
        );
        let table =
            "<d:frame svg:y='1cm' svg:height='1cm'><t:table><t:p>Wood</t:p></t:table></d:frame>";
        let list = frame("1cm", "<t:list><t:p>Wood</t:p></t:list>");
        for other in [table.to_owned(), list] {
            assert_eq!(head_of([left.clone(), other, right.clone()]), None);
        }
    }

    /// What is read of the slides of a presentation with these styles.
    fn headings(styles: &str, slides: &str) -> Vec<String> {
        let source = format!(
            "<o:document-content xmlns:o='o' xmlns:style='s' xmlns:fo='f' xmlns:d='d' xmlns:t='t' xmlns:svg='v'>\
             <o:automatic-styles>{styles}</o:automatic-styles><o:body><o:presentation>{slides}</o:presentation></o:body>\
             </o:document-content>"
        );
        let tree = Tree::read(source.as_bytes()).unwrap();
        let styles = Styles::read([Some(&tree)]);
        let mut body = Body::new(&styles, &[]);
        body.slides(tree.root().at(&["body", "presentation"]).unwrap());
        let heading = |piece: Piece| match piece.what {
            What::Heading(_, words) => Some(plain(&words)),
            _ => None,
        };
        body.finish().into_iter().filter_map(heading).collect()
    }

    #[test]
    fn what_recurs_or_is_smaller_than_what_stands_below_is_no_heading() {
        let styles = "<style:style style:name='S' style:family='paragraph'><style:text-properties fo:font-size='10pt'/></style:style>\
            <style:style style:name='L' style:family='paragraph'><style:text-properties fo:font-size='20pt'/></style:style>";
        let frame = |y: &str, style: &str, words: &str| {
            format!(
                "<d:frame svg:y='{y}' svg:height='1cm'><d:text-box><t:p t:style-name='{style}'>{words}</t:p></d:text-box></d:frame>"
            )
        };
        let slide = |style: &str, words: &str| {
            let (oak, ash) = (frame("3cm", "L", "oak"), frame("4cm", "L", "ash"));
            format!("<d:page>{}{oak}{ash}</d:page>", frame("1cm", style, words))
        };
        assert_eq!(headings(styles, &slide("L", "Wood")), ["Wood"]);
        assert!(headings(styles, &slide("S", "Wood")).is_empty());
        let two = slide("L", "The Kiln Company") + &slide("L", "The Kiln Company");
        assert!(headings(styles, &two).is_empty());
    }
}
