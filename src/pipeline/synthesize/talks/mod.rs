//! Owns what is done with a talk before a skill is made of it: it gets headed parts, and what is said in it for the recording's sake
//! alone stays out of the body.
//!
//! ```text
//! blocks ─▶ parts: a long talk without chapters falls into headed parts ─▶ told: without sponsors, greetings, ghosts ─▶ body
//! ```

pub(super) mod announced;
mod borders;
mod names;
pub(super) mod parts;
pub(super) mod signs;
pub(super) mod told;

use super::outline::Section;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{plain, squash};

/// What stands over the words of a talk.
const TRANSCRIPTS: [&str; 12] = [
    "full transcript",
    "transcript",
    "transcripción",
    "transcripció",
    "transcription",
    "transcrição",
    "transkript",
    "transcriptie",
    "trascrizione",
    "文字起こし",
    "文字稿",
    "逐字稿",
];

/// Words of speech that name nothing at the end of a phrase.
const FILLERS: &str = " ago bit bits boring bunch click couple cool curious god good great guy guys hand inside kind lot lots maybe nice okay one \
    ones outside place places press right someone sort stuff sure thing things three two way ways yeah ";
/// Words of speech that begin no name.
const LEADING: &str = " actually basically basic boring just little maybe newly pretty quite really simple simply very ";

/// Whether a phrase is one of those that anybody says who speaks: "little bit", "pretty good", "boring boring".
pub(super) fn names_nothing(phrase: &str) -> bool {
    let lower = phrase.to_lowercase();
    let is_in = |word: &str, list: &str| list.contains(&format!(" {word} "));
    let mut words = lower.split(' ');
    let first = words.next().unwrap_or_default();
    let last = words.next_back();
    is_in(last.unwrap_or(first), FILLERS) || last == Some(first) || is_in(first, LEADING)
}

/// Whether a text was heard.
pub(super) fn is_heard(blocks: &[Block]) -> bool {
    let mut paragraphs = blocks
        .iter()
        .filter(|block| matches!(block.kind, BlockKind::Paragraph(_)));
    paragraphs.any(|block| block.span.seconds().is_some())
}

/// Whether a text is a talk: heard, or written down under a heading that says so.
pub(super) fn is_talk(blocks: &[Block]) -> bool {
    let mut headings = blocks.iter().filter_map(|block| match &block.kind {
        BlockKind::Heading { text, .. } => Some(squash(&plain(text))),
        _ => None,
    });
    is_heard(blocks) || headings.any(|title| is_transcript(&title))
}

/// Whether a heading stands over the words of a talk.
pub(super) fn is_transcript(title: &str) -> bool {
    let lower = title.trim_end_matches(':').to_lowercase();
    TRANSCRIPTS.contains(&lower.as_str())
}

/// Whether a section holds what somebody said.
fn is_said(section: &Section, own: &[Block]) -> bool {
    is_transcript(&section.title) || is_heard(own)
}

#[cfg(test)]
mod tests {
    use super::names_nothing;

    #[test]
    fn what_anybody_says_who_speaks_names_nothing() {
        for phrase in [
            "little bit",
            "pretty good",
            "Boring boring",
            "stuff",
            "simply type shadow",
        ] {
            assert!(names_nothing(phrase), "{phrase}");
        }
        for phrase in [
            "kiln door",
            "bit rate",
            "good example of glaze",
            "right angle",
        ] {
            assert!(!names_nothing(phrase), "{phrase}");
        }
    }
}
