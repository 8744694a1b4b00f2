//! Reads the runs of an OpenDocument paragraph: its spans, links, notes, fields and formulas.

use crate::office::odf::body::{Body, DEPTH_MAX};
use crate::office::odf::objects::Object;
use crate::office::opc::address;
use crate::office::runs::{Run, Words};
use crate::xml_tree::{Content, Element};
use skillkiln_document::text::Inline;

/// Spaces that one element may stand for.
const SPACES_MAX: usize = 400;

/// Running text while it is read.
#[derive(Default)]
pub(super) struct Line<'d> {
    pub(super) runs: Vec<Run>,
    pub(super) frames: Vec<Element<'d>>,
    /// Whether white space would follow white space.
    pub(super) after_space: bool,
}

impl<'d> Body<'d> {
    pub(super) fn line(&mut self, element: Element<'d>) -> Line<'d> {
        let mut line = Line {
            after_space: true,
            ..Line::default()
        };
        let style = element.attribute("style-name").unwrap_or("");
        let format = Words {
            mono: self.styles.is_mono(style),
            ..Words::default()
        };
        self.collect(element, &format, &mut line, 0);
        line
    }

    pub(super) fn collect(
        &mut self,
        element: Element<'d>,
        format: &Words,
        line: &mut Line<'d>,
        depth: usize,
    ) {
        if depth > DEPTH_MAX {
            return;
        }
        let words = |text: String| {
            Run::Words(Words {
                text,
                ..format.clone()
            })
        };
        for content in element.content() {
            let child = match content {
                Content::Text(text) => {
                    let mut folded = String::with_capacity(text.len());
                    for character in text.chars() {
                        if !matches!(character, ' ' | '\n' | '\t' | '\r') {
                            folded.push(character);
                            line.after_space = false;
                        } else if !line.after_space {
                            folded.push(' ');
                            line.after_space = true;
                        }
                    }
                    if !folded.is_empty() {
                        line.runs.push(words(folded));
                    }
                    continue;
                }
                Content::Element(child) => child,
            };
            match child.name() {
                "s" => {
                    let count = child
                        .attribute("text:c")
                        .and_then(|count| count.parse().ok())
                        .unwrap_or(1);
                    line.runs.push(words(" ".repeat(count.min(SPACES_MAX))));
                    line.after_space = false;
                }
                "tab" => {
                    line.runs.push(words("\t".to_owned()));
                    line.after_space = false;
                }
                "line-break" => {
                    line.runs.push(Run::Break);
                    line.after_space = true;
                }
                "span" => {
                    if let Some(format) = self.span(child, format) {
                        self.collect(child, &format, line, depth + 1);
                    }
                }
                "a" => {
                    let outer = std::mem::take(&mut line.runs);
                    self.collect(child, format, line, depth + 1);
                    let inner = std::mem::replace(&mut line.runs, outer);
                    match child.attribute("xlink:href").and_then(address) {
                        Some(href) => line.runs.push(Run::Link(href, inner)),
                        None => line.runs.extend(inner),
                    }
                }
                "note" => {
                    if let Some(body) = child.child("note-body") {
                        self.notes.push(body);
                        let mark = format!("[{}]", self.notes.len());
                        line.runs.push(Run::Other(Inline::Text(mark)));
                        line.after_space = false;
                    }
                }
                "frame" => match self.object(child) {
                    Some(Object::Formula(formula)) => {
                        line.runs.push(Run::Other(Inline::Math(formula.clone())));
                    }
                    _ => line.frames.push(child),
                },
                "custom-shape" | "text-box" | "rect" | "ellipse" => line.frames.push(child),
                "ruby" => {
                    if let Some(base) = child.child("ruby-base") {
                        self.collect(base, format, line, depth + 1);
                    }
                }
                "annotation" | "annotation-end" | "ruby-text" | "tracked-changes" | "title"
                | "desc" | "soft-page-break" => {}
                _ => self.collect(child, format, line, depth + 1),
            }
        }
    }

    /// The format inside a span; `None` when it is hidden.
    fn span(&self, span: Element<'_>, outer: &Words) -> Option<Words> {
        let id = span.attribute("style-name").unwrap_or("");
        let (bold, italic, hidden) = self.styles.format(id);
        let is_code = self.styles.is_inline_code(id);
        (!hidden).then(|| Words {
            text: String::new(),
            bold: bold.unwrap_or(outer.bold),
            italic: italic.unwrap_or(outer.italic),
            mono: outer.mono || is_code || self.styles.is_mono(id),
            is_inline_code: outer.is_inline_code || is_code && !outer.mono,
        })
    }

    /// The object that a frame shows.
    pub(super) fn object(&self, frame: Element<'_>) -> Option<&'d Object> {
        let name = frame.child("object")?.attribute("xlink:href")?;
        self.objects.get(name)
    }
}
