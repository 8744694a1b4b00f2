//! Owns where each part of a skill comes from, as its owner is shown it: the section, page, moment or lines of the source, with a link
//! where there is one.
//!
//! A part is what stands under a heading. It is kept by the heading's words and not by its lines, so that it is still found after its
//! owner changed something else.

use crate::provenance::{address, time};
use crate::skill::{Reference, Source, Trace};
use serde::{Deserialize, Serialize};
use skillkiln_document::blocks::{BlockKind, Document, Span};
use skillkiln_document::text::{plain, squash};
use std::ops::RangeInclusive;

/// Most parts that are kept of a skill, and most places of a part.
const PARTS_MAX: usize = 400;
const PLACES_MAX: usize = 8;
/// Lines without words between two pieces that stand together, at most.
const LINES_BETWEEN: usize = 3;
/// Longest heading or place, in characters.
const WORDS_MAX: usize = 200;

/// Where a part of a skill comes from: what stands under one heading of one of its files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartOrigin {
    /// `SKILL.md` or a reference file.
    pub file: String,
    /// The heading with those above it; empty before the first.
    pub heading: String,
    /// The places of the source, in the order in which the part uses them.
    pub places: Vec<Place>,
}

/// A place of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The section, the page or the moment.
    pub words: String,
    /// The address that leads there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
}

/// The parts of a skill, file by file, each with its places in the order in which it uses them.
#[must_use]
pub fn of(
    content: &str,
    references: &[Reference],
    traces: &[Trace],
    document: &Document,
    source: &Source,
) -> Vec<PartOrigin> {
    let sections = Sections::of(document);
    let lines = Lines::of(document);
    let files = std::iter::once((None, "SKILL.md", content)).chain(
        (0..)
            .zip(references)
            .map(|(at, file)| (Some(at), file.filename.as_str(), file.content.as_str())),
    );
    let mut parts: Vec<Part> = Vec::new();
    for (reference, file, content) in files {
        let headings = headings_of(content);
        for trace in traces.iter().filter(|trace| trace.reference == reference) {
            let above = headings.partition_point(|heading| heading.line <= trace.lines.0);
            let heading = above.checked_sub(1).and_then(|at| headings.get(at));
            let heading = heading.map_or("", |heading| heading.words.as_str());
            let same = |part: &&mut Part| part.file == file && part.heading == heading;
            let stand = Stand {
                place: place(&trace.span, &sections, source),
                lines: lines.of_span(&trace.span),
            };
            let has_room = parts.len() < PARTS_MAX;
            match parts.last_mut().filter(same) {
                Some(part) => part.add(stand),
                None if has_room => parts.push(Part {
                    file: file.to_owned(),
                    heading: heading.to_owned(),
                    stands: vec![stand],
                }),
                None => {}
            }
        }
    }
    parts.into_iter().map(Part::finish).collect()
}

/// A part whose places are still being gathered.
struct Part {
    file: String,
    heading: String,
    stands: Vec<Stand>,
}

/// A place, and the lines of it that are used, where the source has lines.
struct Stand {
    place: Place,
    lines: Option<RangeInclusive<usize>>,
}

impl Part {
    /// Adds a place; what follows the last one in the same section is one with it.
    fn add(&mut self, stand: Stand) {
        if let Some(last) = self.stands.last_mut()
            && last.place == stand.place
            && let (Some(own), Some(more)) = (&last.lines, &stand.lines)
            && (*own.start()..=own.end() + LINES_BETWEEN).contains(more.start())
        {
            last.lines = Some(*own.start()..=*own.end().max(more.end()));
            return;
        }
        let known = |known: &Stand| known.place == stand.place && known.lines == stand.lines;
        if self.stands.len() < PLACES_MAX && !self.stands.iter().any(known) {
            self.stands.push(stand);
        }
    }

    fn finish(self) -> PartOrigin {
        let said = |stand: Stand| {
            let mut place = stand.place;
            if let Some(lines) = stand.lines {
                let (first, last) = (lines.start(), lines.end());
                place.words.push_str(&match first == last {
                    true => format!(", line {first}"),
                    false => format!(", lines {first} to {last}"),
                });
            }
            place
        };
        PartOrigin {
            file: self.file,
            heading: self.heading,
            places: self.stands.into_iter().map(said).collect(),
        }
    }
}

/// The place of a span.
pub(crate) fn place(span: &Span, sections: &Sections, source: &Source) -> Place {
    let mut words = sections.at(span.bytes.start).to_owned();
    let mut add = |more: String| {
        if !words.is_empty() {
            words.push_str(", ");
        }
        words.push_str(&more);
    };
    if let Some(page) = span.page() {
        add(format!("page {page}"));
    }
    if let Some((start, _)) = span.seconds() {
        add(time(start));
    }
    if words.is_empty() {
        words.clone_from(&source.label);
    }
    if let Some((end, _)) = words.char_indices().nth(WORDS_MAX) {
        words.truncate(end);
    }
    Place {
        words,
        address: source.is_address().then(|| address(source, span)),
    }
}

/// Where the lines of a source begin; none where its text is not the source itself.
struct Lines<'t> {
    text: &'t str,
    starts: Option<Vec<usize>>,
}

impl<'t> Lines<'t> {
    fn of(document: &'t Document) -> Self {
        let text = document.text.as_str();
        let starts = || text.match_indices('\n').map(|(at, _)| at + 1).collect();
        Self {
            text,
            starts: document.about.is_verbatim.then(starts),
        }
    }

    /// The lines of a span, counted from 1; line ends at its end are no lines of it.
    fn of_span(&self, span: &Span) -> Option<RangeInclusive<usize>> {
        let starts = self.starts.as_ref()?;
        let line = |at: usize| 1 + starts.partition_point(|start| *start <= at);
        let words = self.text.get(span.bytes.clone())?.trim_end();
        let last = span.bytes.start + words.len().saturating_sub(1);
        Some(line(span.bytes.start)..=line(last))
    }
}

/// Where the sections of a source begin, and the headings above each.
pub(crate) struct Sections(Vec<(usize, String)>);

impl Sections {
    pub(crate) fn of(document: &Document) -> Self {
        let mut open: Vec<(u8, String)> = Vec::new();
        let mut sections = Vec::new();
        for block in &document.blocks {
            let BlockKind::Heading { level, text } = &block.kind else {
                continue;
            };
            open.retain(|(above, _)| above < level);
            open.push((*level, squash(&plain(text))));
            let words: Vec<&str> = open.iter().map(|(_, words)| words.as_str()).collect();
            sections.push((block.span.bytes.start, words.join(" > ")));
        }
        sections.sort_by_key(|(start, _)| *start);
        Self(sections)
    }

    /// The headings above a place, from the outermost to the innermost.
    fn at(&self, start: usize) -> &str {
        let above = self.0.partition_point(|(begins, _)| *begins <= start);
        let section = above.checked_sub(1).and_then(|at| self.0.get(at));
        section.map_or("", |(_, words)| words)
    }
}

/// A heading of a Markdown file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// Its line, counted from 1.
    pub line: u32,
    /// Its words with those of the headings above it, but for the title.
    pub words: String,
}

/// The headings of a Markdown file as we write them, front matter and code left out.
#[must_use]
pub fn headings_of(content: &str) -> Vec<Heading> {
    let mut open: Vec<(usize, String)> = Vec::new();
    let mut found = Vec::new();
    let (mut fence, mut in_header) = (None, content.starts_with("---\n"));
    for (number, line) in (1..).zip(content.lines()) {
        if in_header {
            in_header = number == 1 || line != "---";
            continue;
        }
        let marks = |c| line.len() - line.trim_start_matches(c).len();
        match fence {
            Some((mark, count)) => {
                if marks(mark) >= count && line.trim_matches(mark).trim().is_empty() {
                    fence = None;
                }
                continue;
            }
            None => {
                let opened = ['`', '~'].into_iter().find(|mark| marks(*mark) >= 3);
                fence = opened.map(|mark| (mark, marks(mark)));
            }
        }
        let level = marks('#');
        let Some(words) = line.get(level..).and_then(|rest| rest.strip_prefix(' ')) else {
            continue;
        };
        if !(1..=6).contains(&level) {
            continue;
        }
        let words: String = words
            .chars()
            .filter(|c| !matches!(c, '*' | '`' | '\\'))
            .take(WORDS_MAX)
            .collect();
        open.retain(|(above, _)| *above < level);
        open.push((level, words.trim().to_owned()));
        let below_title: Vec<&str> = open
            .iter()
            .filter(|(above, _)| *above > 1 || level == 1)
            .map(|(_, words)| words.as_str())
            .collect();
        found.push(Heading {
            line: number,
            words: below_title.join(" > "),
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::blocks::{Block, Landmark};
    use skillkiln_document::text::Inline;
    use std::sync::Arc;

    fn words(content: &str) -> Vec<(u32, String)> {
        let headings = headings_of(content).into_iter();
        headings.map(|one| (one.line, one.words)).collect()
    }

    #[test]
    fn headings_are_found_with_those_above_them_and_code_has_none() {
        let content = "---\nname: x\n# no\n---\n# Kiln\n\n## Firing *slowly*\n\n```sh\n# no\n~~~\n```\n~~~~\n## no\n~~~\n~~~~\n### `cone`\n#no\n####### no\n## Cooling\n";
        assert_eq!(
            words(content),
            [
                (5, "Kiln".into()),
                (7, "Firing slowly".into()),
                (17, "Firing slowly > cone".into()),
                (20, "Cooling".into()),
            ]
        );
        assert_eq!(words(""), []);
        assert_eq!(words("---\nnever closed\n# x"), []);
    }

    fn at(start: usize) -> Span {
        Span::of(start..start + 1)
    }

    fn heading(level: u8, text: &str, start: usize) -> Block {
        Block {
            kind: BlockKind::Heading {
                level,
                text: vec![Inline::Text(text.to_owned())],
            },
            span: at(start),
        }
    }

    #[test]
    fn each_part_leads_to_its_section_its_page_or_its_moment() {
        let trace = |reference, line, span: Span| Trace {
            reference,
            lines: (line, line),
            span,
        };
        let content = "---\nname: kiln\n---\n# Kiln\n\n## Firing\n\nx\n\ny\n";
        let references = [Reference {
            filename: "references/cones.md".into(),
            content: "# Cones\n\nx\n".into(),
        }];
        let landmark = |page, seconds| {
            Some(Arc::new(Landmark {
                page,
                seconds,
                ..Landmark::default()
            }))
        };
        let traces = [
            trace(None, 8, at(20)),
            trace(None, 8, at(21)),
            trace(None, 10, Span::at(35..36, landmark(Some(7), None))),
            trace(
                Some(0),
                3,
                Span::at(2..3, landmark(None, Some((75.0, 80.0)))),
            ),
        ];
        let document = Document {
            blocks: vec![
                heading(1, "Clay", 10),
                heading(2, "Heat", 15),
                heading(2, "Cold", 30),
            ],
            ..Document::default()
        };
        let of = |label: &str| {
            let source = Source {
                label: label.to_owned(),
                ..Source::default()
            };
            of(content, &references, &traces, &document, &source)
        };
        let parts = of("https://kiln.example/clay");
        let shown: Vec<(&str, &str, Vec<&str>)> = parts
            .iter()
            .map(|part| {
                let places = part.places.iter().map(|place| place.words.as_str());
                (part.file.as_str(), part.heading.as_str(), places.collect())
            })
            .collect();
        assert_eq!(
            shown,
            [
                (
                    "SKILL.md",
                    "Firing",
                    vec!["Clay > Heat", "Clay > Cold, page 7"]
                ),
                ("references/cones.md", "Cones", vec!["1:15"]),
            ]
        );
        let link = parts[0].places[0].address.as_deref();
        assert_eq!(link, Some("https://kiln.example/clay"));
        assert_eq!(of("javascript:alert(1)")[0].places[0].address, None);
    }

    #[test]
    fn of_a_text_each_part_leads_to_its_lines() {
        let text =
            "# Kiln\n\nThe kiln\nburns wood.\n\nIt is hot.\n\n## Cooling\n\nKeep it closed.\n";
        let mut document = Document {
            text: text.to_owned(),
            ..Document::default()
        };
        let span = |words: &str| {
            let start = text.find(words).unwrap();
            Span::of(start..start + words.len())
        };
        let place = |lines: &Lines<'_>, words: &str| lines.of_span(&span(words));
        assert_eq!(place(&Lines::of(&document), "Keep"), None);
        document.about.is_verbatim = true;
        let lines = Lines::of(&document);
        assert_eq!(place(&lines, "# Kiln\n\n"), Some(1..=1));
        assert_eq!(place(&lines, "The kiln\nburns wood.\n"), Some(3..=4));
        assert_eq!(place(&lines, "Keep it closed.\n"), Some(10..=10));
        let stand = |words: &str| Stand {
            place: Place {
                words: "Kiln".into(),
                address: None,
            },
            lines: place(&lines, words),
        };
        let mut part = Part {
            file: "SKILL.md".into(),
            heading: String::new(),
            stands: Vec::new(),
        };
        for words in ["The kiln\nburns wood.", "It is hot.", "Keep it closed."] {
            part.add(stand(words));
        }
        let places = part.finish().places;
        let said: Vec<&str> = places.iter().map(|place| place.words.as_str()).collect();
        assert_eq!(said, ["Kiln, lines 3 to 6", "Kiln, line 10"]);
    }
}
