//! Owns which pictures leave no words: those whose label says only that they are one, and those whose label stands above them.

use crate::words::{WordList, words};
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{letters, plain};

/// Words that only say that something is shown.
static SHOWN: WordList = words!(
    "image img picture photo screenshot screen shot screencast figure fig diagram demo gif alt imgur thumbnail thumb video header hero \
     cover preview untitled am pm at"
);
/// What a project shows of itself.
static SIGNS: WordList = words!("logo logos logotype icon banner avatar badge");
/// Words of a label that ends with such a sign.
const SIGN_WORDS_MAX: usize = 4;

/// Whether a picture's label says nothing: "Screenshot 2", "Kiln logo".
pub(crate) fn is_mute(label: &str) -> bool {
    let label = label.to_lowercase();
    let words = label.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let is_sign = |word: &&str| SIGNS.contains(word);
    let is_shown = |word: &&str| {
        SHOWN.contains(word) || is_sign(word) || word.chars().all(|c| c.is_ascii_digit())
    };
    !words.is_empty() && words.iter().all(is_shown)
        || words.len() <= SIGN_WORDS_MAX && words.last().is_some_and(is_sign)
}

/// Takes the pictures out that say nothing, and the headings that stood over nothing else.
pub(crate) fn drop_mute(blocks: &mut Vec<Block>) {
    let mut kept: Vec<Block> = Vec::with_capacity(blocks.len());
    let mut above = String::new();
    let mut has_dropped = false;
    let drop_bare = |kept: &mut Vec<Block>, level: u8| {
        if kept.len() > 1
            && kept.last().is_some_and(
                |last| matches!(last.kind, BlockKind::Heading { level: own, .. } if own >= level),
            )
        {
            kept.pop();
        }
    };
    for block in blocks.drain(..) {
        match &block.kind {
            BlockKind::Figure {
                alternative,
                caption,
                ..
            } if caption.is_empty()
                && (is_mute(alternative) || !above.is_empty() && letters(alternative) == above) =>
            {
                has_dropped = true;
                continue;
            }
            BlockKind::Heading { level, text } => {
                if has_dropped {
                    drop_bare(&mut kept, *level);
                }
                above = letters(&plain(text));
            }
            _ => {}
        }
        has_dropped = false;
        kept.push(block);
    }
    if has_dropped {
        drop_bare(&mut kept, 1);
    }
    *blocks = kept;
}

#[cfg(test)]
mod tests {
    use super::is_mute;
    use crate::finish::finish;
    use crate::markup::markdown;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_label_that_only_says_that_something_is_shown_says_nothing() {
        for label in [
            "screenshot",
            "Image 2",
            "Kiln logo",
            "Screen Shot 2019-12-04 at 11 25 08 AM",
        ] {
            assert!(is_mute(label), "{label}");
        }
        for label in [
            "",
            "Create a bucket",
            "How the kiln shows its logo",
            "Demo of doors",
        ] {
            assert!(!is_mute(label), "{label}");
        }
    }

    #[test]
    fn a_front_page_keeps_no_heading_over_a_mere_picture() {
        let page = "![logo](logo.png)\n\n# ![](icon.svg) Kiln\n\n![Screenshot](https://kiln.example/a.png)\n\nIt fires.\n\n## Demo\n\n\
            [![Demo](demo.gif)](https://kiln.example/demo)\n\n## Use\n\n![How doors open](doors.png)\n\n## Screenshots\n\n![image](a.png) ![image](b.png)\n";
        let mut document = markdown::read(page.to_owned());
        finish(&mut document);
        assert_eq!(
            write(&document.blocks),
            "# Kiln\n\nIt fires.\n\n## Use\n\n![How doors open](doors.png)\n"
        );
    }
}
