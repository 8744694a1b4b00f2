//! Reads Rich Text (.rtf): paragraphs, headings by their styles or outline level, lists, tables and letters of every code page.

pub mod control;
pub mod words;

use crate::builder::Builder;
use crate::office::assemble::{self, Piece, What};
use crate::office::grid::Grid;
use crate::office::role::Role;
use crate::office::runs::Run;
use encoding_rs::{Encoding, WINDOWS_1252};
use skillkiln_document::blocks::{About, BlockKind, Document};
use skillkiln_document::failure::Failure;
use skillkiln_document::text::plain;
use std::collections::{HashMap, HashSet};

/// What a group's text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum For {
    Text,
    Nothing,
    Fonts,
    Styles,
    Title,
    Author,
    Instruction,
    /// The mark of an item, as older programs see it.
    Mark,
}

/// What holds inside a group.
#[derive(Debug, Clone)]
struct State {
    purpose: For,
    bold: bool,
    italic: bool,
    hidden: bool,
    deleted: bool,
    font: i32,
    /// Characters that follow a Unicode one for programs that do not know it.
    skip: usize,
    encoding: &'static Encoding,
}

/// What holds for a paragraph.
#[derive(Debug, Clone, Default)]
struct Paragraph {
    style: i32,
    outline: Option<u8>,
    in_table: bool,
    level: usize,
    /// How far it stands in, in twentieths of a point.
    indent: i32,
    mark: Option<String>,
    listed: bool,
}

struct Rtf<'a> {
    bytes: &'a [u8],
    at: usize,
    state: State,
    stack: Vec<State>,
    deeper: usize,
    to_skip: usize,
    half: Option<u16>,
    raw: Vec<u8>,
    fonts: HashSet<i32>,
    font_encodings: HashMap<i32, &'static Encoding>,
    styles: HashMap<i32, Role>,
    style_at: i32,
    /// Words gathered for what is not text: a font's or style's name, a title, a field's instruction.
    aside: String,
    title: Option<String>,
    author: Option<String>,
    runs: Vec<Run>,
    paragraph: Paragraph,
    cell: Vec<(What, bool)>,
    grid: Option<Grid>,
    grid_has_head: bool,
    pieces: Vec<Piece>,
    /// Fields that are open: the depth of their group, their address, and where their result began.
    fields: Vec<(usize, Option<String>, usize)>,
}

/// Reads the Rich Text `bytes`.
///
/// # Errors
/// When there is no text in it.
pub(crate) fn read(bytes: &[u8]) -> Result<Document, Failure> {
    let mut rtf = Rtf {
        bytes,
        at: 0,
        state: State {
            purpose: For::Text,
            bold: false,
            italic: false,
            hidden: false,
            deleted: false,
            font: -1,
            skip: 1,
            encoding: WINDOWS_1252,
        },
        stack: Vec::new(),
        deeper: 0,
        to_skip: 0,
        half: None,
        raw: Vec::new(),
        fonts: HashSet::new(),
        font_encodings: HashMap::new(),
        styles: HashMap::new(),
        style_at: 0,
        aside: String::new(),
        title: None,
        author: None,
        runs: Vec::new(),
        paragraph: Paragraph::default(),
        cell: Vec::new(),
        grid: None,
        grid_has_head: false,
        pieces: Vec::new(),
        fields: Vec::new(),
    };
    rtf.run();
    rtf.end_paragraph();
    rtf.end_table();
    let about = About {
        author: rtf.author.take(),
        ..About::default()
    };
    let title = rtf.title.take();
    let mut builder = Builder::default();
    let blocks = assemble::blocks(&mut builder, rtf.pieces);
    let on_page = blocks.first().and_then(|block| match &block.kind {
        BlockKind::Heading { level: 1, text } => Some(plain(text)),
        _ => None,
    });
    Ok(builder.finish(on_page.or(title), about, blocks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::markdown::write;

    #[test]
    fn rich_text_is_read_with_its_structure() {
        let source = br#"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}{\f1\fmodern Courier New;}{\f2\fcharset204 Arial Cyr;}}
{\stylesheet{\s1 heading 1;}{\s0 Normal;}}{\info{\title A title}{\author Ann}}
{\*\unknown skipped}\pard\s1 Gr\'f6\'dfe\par\pard Plain {\strike gone }\b bold\b0  and \u8212\'97 dash {\f2\'cf}.\par
\pard{\listtext 1.\tab}\ls1 first\par{\listtext 2.\tab}\ls1 second\par
\pard\f1 let a = 1;\par   let b = \{\};\par
\pard\f0{\field{\*\fldinst HYPERLINK "https://example.org/"}{\fldrslt here}}\par
\trowd\intbl K\cell V\cell\row\trowd\intbl a\cell b\cell\row\pard End.\par}"#;
        let document = read(source).unwrap();
        assert_eq!(document.about.author.as_deref(), Some("Ann"));
        assert_eq!(
            write(&document.blocks),
            "# Größe\n\nPlain **bold** and — dash П.\n\n1. first\n2. second\n\n```\nlet a = 1;\n  let b = {};\n```\n\n[here](https://example.org/)\n\n| K | V |\n| --- | --- |\n| a | b |\n\nEnd.\n"
        );
    }

    #[test]
    fn hostile_rich_text_ends() {
        for source in [
            "{\\rtf1".to_owned() + &"{".repeat(100_000),
            "{\\rtf1 ".to_owned() + &"}".repeat(100_000),
            "{\\rtf1\\bin99999999999 x".to_owned(),
            "{\\rtf1\\u-1\\uc99999\\u55357\\'".to_owned(),
            "{\\rtf1".to_owned() + &"\\cell\\row".repeat(50_000),
            "{\\rtf1{\\field".to_owned()
                + &"{\\field{\\*\\fldinst HYPERLINK \"http://a\"}".repeat(5_000),
        ] {
            let _ = read(source.as_bytes());
        }
    }
}
