//! Reads Word documents (.docx): headings by their styles, lists as they count, code to the letter, tables, notes, changes
//! taken as accepted.

pub mod body;
pub mod formula;
pub mod numbering;
pub mod styles;
pub mod table;

use crate::builder::Builder;
use crate::office::docx::body::Body;
use crate::office::docx::numbering::Numbering;
use crate::office::docx::styles::Styles;
use crate::office::{assemble, drawn, opc};
use crate::package::{Package, damaged};
use crate::xml_tree::{Element, Tree};
use skillkiln_document::blocks::{BlockKind, Document};
use skillkiln_document::failure::Failure;
use skillkiln_document::text::plain;
use std::collections::HashMap;

/// Reads the document in `package`, whose main part is `main`.
///
/// # Errors
/// When a part is damaged or too large.
pub(crate) fn read(package: &mut Package<'_>, main: &str) -> Result<Document, Failure> {
    let tree = package.xml(main)?.ok_or_else(damaged)?;
    let relationships = opc::relationships(package, main)?;
    let styles = opc::part_of_kind(package, &relationships, "styles")?;
    let numbering = opc::part_of_kind(package, &relationships, "numbering")?;
    let footnotes = opc::part_of_kind(package, &relationships, "footnotes")?;
    let endnotes = opc::part_of_kind(package, &relationships, "endnotes")?;
    let (title, about) = opc::properties(package)?;
    let styles = Styles::read(styles.as_ref());
    let mut notes = notes_of(footnotes.as_ref(), "footnote");
    notes.extend(notes_of(endnotes.as_ref(), "endnote"));
    let root = tree.root();
    let body = root.child("body").unwrap_or(root);
    let mut reader = Body::new(
        &styles,
        Numbering::read(numbering.as_ref()),
        &relationships,
        drawn::parts(package, &relationships)?,
        notes,
    );
    reader.learn(body);
    reader.container(body, 0);
    let pieces = reader.finish();
    let mut builder = Builder::default();
    let blocks = assemble::blocks(&mut builder, pieces);
    let first = blocks.iter().find_map(|block| match &block.kind {
        BlockKind::Heading { level: 1, text } => Some(plain(text)),
        _ => None,
    });
    // Properties outlive the text they were written for: what stands on the page is believed first.
    let on_page = blocks.first().and_then(|block| match &block.kind {
        BlockKind::Heading { level: 1, text } => Some(plain(text)),
        _ => None,
    });
    Ok(builder.finish(on_page.or(title).or(first), about, blocks))
}

/// Footnotes or endnotes by their kind and id.
fn notes_of<'t>(
    tree: Option<&'t Tree>,
    kind: &'static str,
) -> HashMap<(&'static str, String), Element<'t>> {
    tree.into_iter()
        .flat_map(|tree| tree.root().all(kind))
        .filter_map(|note| Some(((kind, note.attribute("id")?.to_owned()), note)))
        .collect()
}
