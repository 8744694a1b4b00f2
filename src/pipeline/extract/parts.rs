//! Puts several files together as one document, each a part under a heading of its own.

use crate::domain::document::{About, Block, BlockKind, Document, Moment, Span};
use crate::domain::text::{Inline, plain, squash};
use crate::pipeline::extract::builder::shift;

/// Gives a document without a title the name of its file.
pub(crate) fn titled(filename: &str, mut document: Document) -> Document {
    if document.title.is_none() {
        document.title = Some(name_of(filename)).filter(|name| !name.is_empty());
    }
    document
}

/// One document of two, of which the first has the title.
pub(crate) fn followed(mut head: Document, mut rest: Document) -> Document {
    if !head.text.ends_with('\n') {
        head.text.push('\n');
    }
    let offset = head.text.len();
    head.text.push_str(&rest.text);
    shift(&mut rest.blocks, offset);
    head.blocks.append(&mut rest.blocks);
    let moved = |moment: Moment| Moment {
        bytes: moment.bytes.start + offset..moment.bytes.end + offset,
        ..moment
    };
    head.moments.extend(rest.moments.into_iter().map(moved));
    head
}

/// One document of several: each part's headings stand one level below its title.
pub(crate) fn join(documents: Vec<(String, Document)>) -> Document {
    let mut text = String::new();
    let mut blocks = Vec::new();
    let mut about = About::default();
    let mut moments = Vec::new();
    for (filename, document) in documents {
        let document = titled(&filename, document);
        let title = document.title.clone().unwrap_or(filename);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::extract::markup::markdown;

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
