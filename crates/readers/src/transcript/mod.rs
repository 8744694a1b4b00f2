//! Reads transcripts: what a video or a subtitle file says becomes paragraphs with seconds, under its chapters as headings.
//!
//! Captions are cut by screen, not by sentence. They are joined into sentences and paragraphs; no word is added or changed, and
//! every sentence keeps its time.

use crate::builder::{Builder, tidy};
use crate::captions;
use crate::paragraphs;
use crate::sentences::{self, Sentence};
use crate::spoken::{Chapter, Segment, Transcript};
use skillkiln_document::blocks::{About, Block, BlockKind, Document, Moment};
use skillkiln_document::speaker::Speaker;
use skillkiln_document::text::{Inline, squash};

/// Reads a video's transcript.
pub fn read(transcript: Transcript) -> Document {
    let code = |tag: &str| Inline::Code(tag.to_owned());
    let text = |words: &str| Inline::Text(words.to_owned());
    let note = transcript.withheld.as_deref().map(|withheld| {
        vec![
            text("The video provider withholds the captions in "),
            code(withheld),
            text(": what follows are those in "),
            code(transcript.language.as_deref().unwrap_or("another language")),
            text("."),
        ]
    });
    let about = About {
        author: transcript.author,
        language: transcript.language,
        address: Some(transcript.address),
        ..About::default()
    };
    from_segments(
        transcript.title,
        about,
        note,
        &transcript.segments,
        &transcript.chapters,
    )
}

/// Puts segments together as sentences and paragraphs, under their chapters and below what is to be said first.
pub fn from_segments(
    title: Option<String>,
    about: About,
    note: Option<Vec<Inline>>,
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
    if let Some(note) = note {
        talk.blocks
            .push(talk.builder.leaf(BlockKind::Paragraph(note)));
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
        talk.said.push(sentence);
    }
    talk.flush();
    let mut document = talk.builder.finish(title, about, talk.blocks);
    document.moments = talk.moments;
    document
}

/// A transcript in the making: what was written, and the sentences of a chapter that are to be.
#[derive(Debug, Default)]
struct Talk {
    builder: Builder,
    blocks: Vec<Block>,
    moments: Vec<Moment>,
    said: Vec<Sentence>,
}

impl Talk {
    fn heading(&mut self, level: u8, words: &str) {
        let text = vec![Inline::Text(words.to_owned())];
        self.blocks
            .push(self.builder.leaf(BlockKind::Heading { level, text }));
    }

    /// Writes the paragraphs of the chapter so far.
    fn flush(&mut self) {
        let said = std::mem::take(&mut self.said);
        for paragraph in paragraphs::of(&said) {
            self.paragraph(said.get(paragraph).unwrap_or_default());
        }
    }

    fn paragraph(&mut self, sentences: &[Sentence]) {
        let (Some(first), Some(last)) = (sentences.first(), sentences.last()) else {
            return;
        };
        self.builder.at_seconds(first.start_s, last.end_s);
        let offset = self.builder.here();
        let mut inlines = Vec::new();
        let mut before = 0;
        if let Some(Speaker::Named(name)) = &first.speaker {
            inlines.push(Inline::Strong(vec![Inline::Text(name.clone())]));
            inlines.push(Inline::Text(": ".to_owned()));
            before = name.len() + 2;
        }
        let mut text = String::new();
        for sentence in sentences {
            if !text.is_empty() && captions::is_parted(&text, &sentence.text) {
                text.push(' ');
            }
            let start = offset + before + text.len();
            text.push_str(&sentence.text);
            self.moments.push(Moment {
                bytes: start..offset + before + text.len(),
                seconds: (sentence.start_s, sentence.end_s),
            });
        }
        inlines.push(Inline::Text(text));
        self.blocks
            .push(self.builder.leaf(BlockKind::Paragraph(tidy(inlines))));
    }
}

/// Reads a file of captions in any of the formats. `None` when it is none.
pub fn read_subtitles(text: &str) -> Option<Document> {
    let segments = captions::of_file(text)?;
    Some(from_segments(None, About::default(), None, &segments, &[]))
}

/// The seconds of a time: `1:02`, `00:01:02,500`.
pub fn seconds(stamp: &str) -> Option<f64> {
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
    use crate::spoken::segment;
    use skillkiln_document::text::plain;

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
            None,
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
            None,
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
