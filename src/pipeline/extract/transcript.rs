//! Reads transcripts: what a video or a subtitle file says becomes paragraphs with seconds, under its chapters as headings.
//!
//! Captions are cut by screen, not by sentence. They are joined into sentences and paragraphs; no word is added or changed.

use crate::domain::document::{About, Block, BlockKind, Document};
use crate::domain::text::{Inline, squash};
use crate::pipeline::extract::builder::Builder;
use crate::providers::video::{Chapter, Segment, Transcript};

/// A pause that ends a paragraph once its sentence has ended.
const PAUSE_S: f64 = 2.0;
/// A pause that ends a paragraph wherever it is.
const LONG_PAUSE_S: f64 = 6.0;
/// About how many characters a paragraph holds before it ends with a sentence.
const PARAGRAPH_CHARS: usize = 500;
/// A paragraph of captions without punctuation ends here.
const PARAGRAPH_CHARS_MAX: usize = 900;

/// Reads a video's transcript.
pub(crate) fn read(transcript: Transcript) -> Document {
    let about = About {
        author: transcript.author,
        language: transcript.language,
        address: Some(transcript.address),
        ..About::default()
    };
    from_segments(
        transcript.title,
        about,
        &transcript.segments,
        &transcript.chapters,
    )
}

/// Puts segments together under their chapters.
pub(crate) fn from_segments(
    title: Option<String>,
    about: About,
    segments: &[Segment],
    chapters: &[Chapter],
) -> Document {
    let mut builder = Builder::default();
    let mut blocks = Vec::new();
    if let Some(title) = title
        .as_deref()
        .map(squash)
        .filter(|title| !title.is_empty())
    {
        blocks.push(builder.leaf(BlockKind::Heading {
            level: 1,
            text: vec![Inline::Text(title)],
        }));
    }
    let mut chapters = chapters.iter().peekable();
    let mut paragraph = Paragraph::default();
    for segment in segments {
        let words = squash(&segment.text);
        if words.is_empty() {
            continue;
        }
        // A chapter begins with the first segment whose middle lies in it.
        let middle = f64::midpoint(segment.start_s, segment.end_s);
        while let Some(chapter) = chapters.next_if(|chapter| chapter.start_s <= middle) {
            paragraph.flush(&mut builder, &mut blocks);
            let end = chapters.peek().map_or(segment.end_s, |next| next.start_s);
            builder.at_seconds(chapter.start_s, end.max(chapter.start_s));
            blocks.push(builder.leaf(BlockKind::Heading {
                level: 2,
                text: vec![Inline::Text(squash(&chapter.title))],
            }));
        }
        let pause = segment.start_s - paragraph.end_s;
        let sentence_ended = paragraph
            .text
            .ends_with(['.', '!', '?', '…', '。', '？', '！']);
        let length = paragraph.text.chars().count();
        let ends = (sentence_ended && (pause >= PAUSE_S || length >= PARAGRAPH_CHARS))
            || pause >= LONG_PAUSE_S
            || length >= PARAGRAPH_CHARS_MAX;
        if ends {
            paragraph.flush(&mut builder, &mut blocks);
        }
        paragraph.push(&words, segment);
    }
    paragraph.flush(&mut builder, &mut blocks);
    builder.finish(title, about, blocks)
}

#[derive(Debug, Default)]
struct Paragraph {
    text: String,
    start_s: f64,
    end_s: f64,
}

impl Paragraph {
    fn push(&mut self, words: &str, segment: &Segment) {
        if self.text.is_empty() {
            self.start_s = segment.start_s;
        } else {
            self.text.push(' ');
        }
        self.text.push_str(words);
        self.end_s = segment.end_s;
    }

    fn flush(&mut self, builder: &mut Builder, blocks: &mut Vec<Block>) {
        if self.text.is_empty() {
            return;
        }
        builder.at_seconds(self.start_s, self.end_s);
        let text = std::mem::take(&mut self.text);
        blocks.push(builder.leaf(BlockKind::Paragraph(vec![Inline::Text(text)])));
    }
}

/// Reads a subtitle file (SubRip or WebVTT): its cues in order, rolling repetitions joined.
pub(crate) fn read_subtitles(text: &str) -> Document {
    let mut segments: Vec<Segment> = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((start_s, end_s)) = timing(line) else {
            continue;
        };
        let mut words = String::new();
        while let Some(line) =
            lines.next_if(|line| !line.trim().is_empty() && timing(line).is_none())
        {
            let shown = without_tags(line);
            // Rolling captions repeat the line above: it was said once.
            let said = segments
                .last()
                .is_some_and(|last: &Segment| last.text.ends_with(shown.trim()));
            if !said && !shown.trim().is_empty() {
                words.push_str(shown.trim());
                words.push(' ');
            }
        }
        let text = squash(&words);
        if !text.is_empty() {
            segments.push(Segment {
                start_s,
                end_s: end_s.max(start_s),
                text,
            });
        }
    }
    from_segments(None, About::default(), &segments, &[])
}

/// `00:01:02,500 --> 00:01:04.000 align:start` in seconds.
fn timing(line: &str) -> Option<(f64, f64)> {
    let (start, rest) = line.split_once("-->")?;
    let end = rest.split_whitespace().next()?;
    Some((seconds(start.trim())?, seconds(end)?))
}

fn seconds(stamp: &str) -> Option<f64> {
    let stamp = stamp.replace(',', ".");
    let mut total = 0.0;
    let parts: Vec<&str> = stamp.split(':').collect();
    if !(2..=3).contains(&parts.len()) {
        return None;
    }
    for part in parts {
        let value: f64 = part.parse().ok()?;
        if !(0.0..1e6).contains(&value) {
            return None;
        }
        total = total * 60.0 + value;
    }
    Some(total)
}

fn without_tags(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    crate::pipeline::markdown::rendered::write_text_of_html(line, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::text::plain;

    fn segment(start_s: f64, end_s: f64, text: &str) -> Segment {
        Segment {
            start_s,
            end_s,
            text: text.into(),
        }
    }

    fn words(document: &Document) -> Vec<String> {
        document
            .blocks
            .iter()
            .map(|block| match &block.kind {
                BlockKind::Heading { level, text } => format!("{level} {}", plain(text)),
                BlockKind::Paragraph(text) => plain(text),
                _ => String::new(),
            })
            .collect()
    }

    #[test]
    fn chapters_are_headings_and_captions_join_into_paragraphs() {
        let document = from_segments(
            Some("Talk".into()),
            About::default(),
            &[
                segment(0.0, 2.0, "Hello and"),
                segment(2.0, 4.0, "welcome."),
                segment(9.0, 11.0, "Later."),
                segment(30.0, 32.0, "Second part."),
            ],
            &[
                Chapter {
                    start_s: 0.0,
                    title: "Intro".into(),
                },
                Chapter {
                    start_s: 30.0,
                    title: "Main".into(),
                },
            ],
        );
        assert_eq!(
            words(&document),
            [
                "1 Talk",
                "2 Intro",
                "Hello and welcome.",
                "Later.",
                "2 Main",
                "Second part."
            ]
        );
        assert_eq!(document.blocks[2].span.seconds, Some((0.0, 4.0)));
        assert_eq!(document.evidence(&document.blocks[5].span), "Second part.");
    }

    #[test]
    fn rolling_subtitles_are_said_once() {
        let document = read_subtitles(
            "WEBVTT\n\n00:00.000 --> 00:02.000\n<c>so today</c>\n\n00:02.000 --> 00:04.000\nso today\nwe build\n\n3\n00:00:04,000 --> 00:00:06,000\nwe build\na thing.\n",
        );
        assert_eq!(words(&document), ["so today we build a thing."]);
        assert_eq!(document.blocks[0].span.seconds, Some((0.0, 6.0)));
    }
}
