//! Puts several files together as one document, each a part under a heading of its own.

use crate::builder::shift;
use crate::words::{WordList, words};
use skillkiln_document::blocks::{About, Block, BlockKind, Document, Moment, Span};
use skillkiln_document::text::{Inline, is_unspaced, plain, squash};
use std::collections::HashSet;

/// Gives a document without a title the name of its file.
pub fn titled(filename: &str, mut document: Document) -> Document {
    if document.title.is_none() {
        let name = match document.moments.is_empty() {
            true => name_of(filename),
            false => name_of_talk(filename, &document.text),
        };
        document.title = Some(name).filter(|name| !name.is_empty());
    }
    document
}

/// One document of several: each part's headings stand one level below its title.
pub fn join(documents: Vec<(String, Document)>) -> Document {
    let mut text = String::new();
    let mut blocks = Vec::new();
    let mut about = About::default();
    let mut moments = Vec::new();
    for (filename, document) in documents {
        let document = titled(&filename, document);
        let title = document.title.clone();
        let title = title
            .or_else(|| Some(name_of(&filename)).filter(|name| !name.is_empty()))
            .unwrap_or(filename);
        if about.language.is_none() {
            about.language.clone_from(&document.about.language);
        }
        let start = text.len();
        text.push_str(&title);
        let heading = Block {
            kind: BlockKind::Heading {
                level: 1,
                text: vec![Inline::Text(title.clone())],
            },
            span: Span::of(start..text.len()),
        };
        text.push('\n');
        let offset = text.len();
        text.push_str(&document.text);
        moments.extend(document.moments.into_iter().map(|moment| Moment {
            bytes: moment.bytes.start + offset..moment.bytes.end + offset,
            ..moment
        }));
        if !text.ends_with('\n') {
            text.push('\n');
        }
        blocks.push(heading);
        let mut part = document.blocks;
        // The part's own title would say the same again.
        if let Some(Block {
            kind: BlockKind::Heading { level: 1, text },
            ..
        }) = part.first()
            && squash(&plain(text)) == title
        {
            part.remove(0);
        }
        shift(&mut part, offset);
        for block in &mut part {
            if let BlockKind::Heading { level, .. } = &mut block.kind {
                *level = (*level + 1).min(6);
            }
        }
        blocks.extend(part);
    }
    Document {
        title: None,
        about,
        text,
        blocks,
        moments,
    }
}

/// A title from a file's name: without the extension, with spaces where names cannot have them.
fn name_of(filename: &str) -> String {
    let stem = filename.rsplit_once('.').map_or(filename, |(stem, _)| stem);
    squash(&stem.replace(['_', '-'], " "))
}

/// A title from the name of a file of captions: without the tag of their language, the identity of the video and what programs
/// add. Empty where nothing else is left, or what is left tells little: one word, or two that the talk does not say.
fn name_of_talk(filename: &str, said: &str) -> String {
    const ADDED: [&str; 5] = ["transcript", "captions", "subtitles", "auto", "orig"];
    let mut stem = filename
        .rsplit_once('.')
        .map_or(filename, |(stem, _)| stem)
        .trim();
    loop {
        let shorter = match stem.rsplit_once(['.', '_']) {
            Some((rest, tag)) if is_language(tag) => rest,
            _ if stem.ends_with("_otter_ai") => stem.trim_end_matches("_otter_ai"),
            Some((rest, tag)) if ADDED.contains(&tag.to_lowercase().as_str()) => rest,
            _ => match stem.strip_suffix(']').and_then(|it| it.rsplit_once('[')) {
                Some((rest, id)) if is_video_id(id) && !rest.trim().is_empty() => rest,
                _ => break,
            },
        };
        stem = shorter.trim();
    }
    let name = name_of(&format!("{stem}."));
    let lower = name.to_lowercase();
    let tells_subject = match lower.split(' ').collect::<Vec<_>>().as_slice() {
        [_] => lower.contains(is_unspaced),
        [_, _] => {
            let said = said.to_lowercase();
            let said: HashSet<&str> = said.split(|c: char| !c.is_alphanumeric()).collect();
            lower.split(' ').all(|word| said.contains(word))
        }
        _ => true,
    };
    let is_recording = lower
        .strip_prefix("gmt")
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let tells = tells_subject
        && name.chars().any(char::is_alphabetic)
        && !is_recording
        && !ADDED.contains(&lower.as_str())
        && !LANGUAGES.contains(&lower.as_str())
        && !is_language(stem)
        && !(is_video_id(stem)
            && stem.contains(char::is_uppercase)
            && stem.contains(|c: char| c.is_ascii_digit()));
    if tells { name } else { String::new() }
}

/// Languages that files of subtitles are called by.
static LANGUAGES: WordList = words!(
    "arabic chinese dutch english french german hindi italian japanese korean polish portuguese russian spanish"
);
/// The codes of those.
const CODES: [&str; 23] = [
    "ar", "cs", "da", "de", "el", "en", "es", "fi", "fr", "he", "hi", "it", "ja", "ko", "nl", "pl",
    "pt", "ru", "sv", "tr", "uk", "vi", "zh",
];

/// Whether this is the tag of a language: `en`, `pt-BR`, `zh-Hans`.
fn is_language(tag: &str) -> bool {
    let (code, rest) = tag.split_once('-').unwrap_or((tag, "x"));
    let is_region =
        (1..=4).contains(&rest.len()) && rest.bytes().all(|b| b.is_ascii_alphanumeric());
    is_region && CODES.contains(&code.to_ascii_lowercase().as_str())
}

/// Whether this may be the identity of a video on YouTube.
fn is_video_id(text: &str) -> bool {
    text.len() == 11
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::markdown;

    #[test]
    fn the_name_of_a_file_of_captions_is_a_title_where_it_tells_one() {
        for (filename, title) in [
            (
                "What the Books Get Wrong [z64a7USuGX0].en.srt",
                "What the Books Get Wrong",
            ),
            ("lecture_03-overfitting.en-US.vtt", "lecture 03 overfitting"),
            ("Kiln heat_otter_ai.srt", "Kiln heat"),
            ("kiln-auto.vtt", ""),
            ("Heat.transcript.vtt", ""),
            ("node.js.srt", ""),
            ("窯の使い方.srt", "窯の使い方"),
            ("z64a7USuGX0.srt", ""),
            ("zh.srt", ""),
            ("pt-BR.vtt", ""),
            ("english.srt", ""),
            ("captions.vtt", ""),
            ("GMT20260917-131000_Recording.transcript.vtt", ""),
            ("2026-09-17.srt", ""),
            ("programming.srt", ""),
        ] {
            assert_eq!(
                name_of_talk(filename, "The kiln's heat is great."),
                title,
                "{filename}"
            );
        }
    }

    #[test]
    fn several_files_are_parts_with_true_spans() {
        let joined = join(vec![
            ("a-b.md".into(), markdown::read("plain words\n".into())),
            (
                "c.md".into(),
                markdown::read("# Own title\n\n## Inner\n\nx\n".into()),
            ),
        ]);
        let seen: Vec<(u8, &str)> = joined
            .blocks
            .iter()
            .map(|block| {
                let level = match block.kind {
                    BlockKind::Heading { level, .. } => level,
                    _ => 0,
                };
                (level, joined.evidence(&block.span).trim())
            })
            .collect();
        assert_eq!(
            seen,
            [
                (1, "a b"),
                (0, "plain words"),
                (1, "Own title"),
                (3, "## Inner"),
                (0, "x")
            ]
        );
    }
}
