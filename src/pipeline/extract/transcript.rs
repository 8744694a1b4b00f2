//! Reads transcripts: what a video or a subtitle file says becomes paragraphs with seconds, under its chapters as headings.
//!
//! Captions are cut by screen, not by sentence. They are joined into sentences and paragraphs; no word is added or changed, and
//! every sentence keeps its time.

use crate::domain::document::{About, Block, BlockKind, Document, Moment};
use crate::domain::text::{Inline, squash};
use crate::pipeline::extract::builder::Builder;
use crate::pipeline::extract::parts;
use crate::pipeline::extract::sentences::{self, Sentence};
use crate::providers::video::{Chapter, Segment, Transcript, captions};
use std::ops::Range;

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

/// Puts segments together as sentences and paragraphs, under their chapters.
pub(crate) fn from_segments(
    title: Option<String>,
    about: About,
    segments: &[Segment],
    chapters: &[Chapter],
) -> Document {
    let mut talk = Talk::default();
    if let Some(title) = title
        .as_deref()
        .map(squash)
        .filter(|title| !title.is_empty())
    {
        talk.heading(1, &title);
    }
    let mut chapters = chapters.iter().peekable();
    let starts: Vec<f64> = chapters.clone().map(|chapter| chapter.start_s).collect();
    for sentence in sentences::read(segments, &starts) {
        // A chapter begins with the first sentence whose middle lies in it.
        let middle = f64::midpoint(sentence.start_s, sentence.end_s);
        while let Some(chapter) = chapters.next_if(|chapter| chapter.start_s <= middle) {
            talk.flush();
            let end = chapters.peek().map_or(sentence.end_s, |next| next.start_s);
            talk.builder
                .at_seconds(chapter.start_s, end.max(chapter.start_s));
            talk.heading(2, &squash(&chapter.title));
        }
        let pause = sentence.start_s - talk.end_s;
        let length = talk.chars;
        let ends = (talk.sentence_ended && (pause >= PAUSE_S || length >= PARAGRAPH_CHARS))
            || pause >= LONG_PAUSE_S
            || length >= PARAGRAPH_CHARS_MAX;
        if ends {
            talk.flush();
        }
        talk.push(sentence);
    }
    talk.flush();
    let mut document = talk.builder.finish(title, about, talk.blocks);
    document.moments = talk.moments;
    document
}

/// A transcript in the making: the paragraph that is being written, and what stands before it.
#[derive(Debug, Default)]
struct Talk {
    builder: Builder,
    blocks: Vec<Block>,
    moments: Vec<Moment>,
    text: String,
    chars: usize,
    /// The sentences of the paragraph: their bytes in it and their seconds.
    said: Vec<(Range<usize>, (f64, f64))>,
    start_s: f64,
    end_s: f64,
    sentence_ended: bool,
}

impl Talk {
    fn heading(&mut self, level: u8, words: &str) {
        let text = vec![Inline::Text(words.to_owned())];
        self.blocks
            .push(self.builder.leaf(BlockKind::Heading { level, text }));
    }

    fn push(&mut self, sentence: Sentence) {
        if self.text.is_empty() {
            self.start_s = sentence.start_s;
        } else {
            self.text.push(' ');
        }
        let start = self.text.len();
        self.text.push_str(&sentence.text);
        self.chars += sentence.text.chars().count() + 1;
        let seconds = (sentence.start_s, sentence.end_s);
        self.said.push((start..self.text.len(), seconds));
        self.end_s = sentence.end_s;
        self.sentence_ended = sentence.ended;
    }

    fn flush(&mut self) {
        if self.text.is_empty() {
            return;
        }
        self.builder.at_seconds(self.start_s, self.end_s);
        let offset = self.builder.here();
        let said = std::mem::take(&mut self.said);
        self.moments
            .extend(said.into_iter().map(|(bytes, seconds)| Moment {
                bytes: bytes.start + offset..bytes.end + offset,
                seconds,
            }));
        let text = vec![Inline::Text(std::mem::take(&mut self.text))];
        self.chars = 0;
        self.blocks
            .push(self.builder.leaf(BlockKind::Paragraph(text)));
    }
}

/// Reads a file of captions in any of the formats. `None` when it is none.
pub(crate) fn read_subtitles(text: &str) -> Option<Document> {
    let segments = captions::of_file(text)?;
    Some(from_segments(None, About::default(), &segments, &[]))
}

/// Reads a text that is nearly all a talk with its times; what stands above it is read by `head`. `None` when it is something
/// else.
pub(crate) fn in_text(text: &str, head: impl FnOnce(String) -> Document) -> Option<Document> {
    let talk = captions::of_text(text)?;
    let said = from_segments(None, About::default(), &talk.segments, &talk.chapters);
    if talk.head.trim().is_empty() {
        return Some(said);
    }
    Some(parts::followed(head(talk.head), said))
}

/// The seconds of a time: `1:02`, `00:01:02,500`.
pub(crate) fn seconds(stamp: &str) -> Option<f64> {
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

    fn subtitles(text: &str) -> Document {
        read_subtitles(text).unwrap()
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
        assert_eq!(document.blocks[2].span.seconds(), Some((0.0, 4.0)));
        assert_eq!(document.evidence(&document.blocks[5].span), "Second part.");
    }

    #[test]
    fn rolling_subtitles_are_said_once() {
        let document = subtitles(
            "WEBVTT\n\n00:00.000 --> 00:02.000\n<c>so today</c>\n\n00:02.000 --> 00:04.000\nso today\nwe build\n\n3\n00:00:04,000 --> 00:00:06,000\nwe build\na thing.\n",
        );
        assert_eq!(words(&document), ["so today we build a thing."]);
        assert_eq!(document.blocks[0].span.seconds(), Some((0.0, 6.0)));
    }

    #[test]
    fn what_a_machine_heard_is_said_once_without_its_times() {
        let document = subtitles(
            "WEBVTT\n\n00:00.000 --> 00:01.990\n \nso<00:00:00.300><c> today</c>\n\n00:01.990 --> 00:02.000\nso today\n \n\n00:02.000 --> 00:04.000\nso today\nwe<00:00:02.300><c> build</c>\n",
        );
        assert_eq!(words(&document), ["So today we build."]);
    }

    #[test]
    fn every_sentence_keeps_its_time() {
        let document = from_segments(
            None,
            About::default(),
            &[
                segment(0.0, 4.0, "We start. Then"),
                segment(4.0, 8.0, "we go on. It ends"),
                segment(8.0, 10.0, "here."),
            ],
            &[],
        );
        let told: Vec<(&str, (f64, f64))> = document
            .moments
            .iter()
            .map(|moment| (&document.text[moment.bytes.clone()], moment.seconds))
            .collect();
        assert_eq!(told.len(), 3);
        assert_eq!(told[0].0, "We start.");
        assert_eq!(told[1].0, "Then we go on.");
        assert_eq!(told[2].0, "It ends here.");
        assert_eq!(told[0].1.0, 0.0);
        assert!(told.windows(2).all(|two| two[0].1.1 <= two[1].1.0));
        assert_eq!(told[2].1.1, 10.0);
        let end = document.text.find("go on").unwrap();
        assert_eq!(document.seconds_of(&(end..end + 2)), Some(told[1].1));
        assert_eq!(document.seconds_of(&(900..901)), None);
    }

    #[test]
    fn captions_of_the_provider_are_read_from_a_file() {
        let document = subtitles(
            r#"{"wireMagic":"pb3","events":[{"tStartMs":0,"dDurationMs":900,"segs":[{"utf8":"Hello there."}]}]}"#,
        );
        assert_eq!(words(&document), ["Hello there."]);
    }
}
