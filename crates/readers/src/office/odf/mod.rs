//! Reads OpenDocument files: texts (.odt), presentations (.odp) and spreadsheets (.ods).

pub mod body;
pub mod objects;
pub mod outline;
pub mod rows;
pub mod sheets;
pub mod styles;

use crate::builder::Builder;
use crate::office::assemble;
use crate::office::odf::body::Body;
use crate::office::odf::outline::Outline;
use crate::office::odf::styles::Styles;
use crate::office::sheet::Book;
use crate::package::{Package, damaged, locked};
use crate::xml_tree::Tree;
use skillkiln_document::blocks::{About, BlockKind, Document};
use skillkiln_document::failure::Failure;
use skillkiln_document::text::{plain, squash};

/// Reads the document in `package`.
///
/// # Errors
/// When it is locked, or a part is damaged or too large.
pub(crate) fn read(package: &mut Package<'_>) -> Result<Document, Failure> {
    if let Some(manifest) = package.xml("META-INF/manifest.xml")?
        && !manifest.root().inside("encryption-data").is_empty()
    {
        return Err(locked());
    }
    let content = package.xml("content.xml")?.ok_or_else(damaged)?;
    let common = package.xml("styles.xml")?;
    let meta = package.xml("meta.xml")?;
    let objects = objects::read(package, &content)?;
    let (title, about) = properties(meta.as_ref());
    let body = content.root().child("body").ok_or_else(damaged)?;
    if let Some(sheets) = body.child("spreadsheet") {
        let mut book = Book::new(title, about);
        sheets::read(sheets, &mut book);
        return Ok(book.finish());
    }
    let styles = Styles::read([common.as_ref(), Some(&content)]);
    let mut reader = Body::new(&styles, &objects, Outline::read(common.as_ref()));
    if let Some(slides) = body.child("presentation").or_else(|| body.child("drawing")) {
        reader.slides(slides);
    } else {
        let text = body.child("text").unwrap_or(body);
        reader.learn(text);
        reader.container(text, 0);
    }
    let mut builder = Builder::default();
    let blocks = assemble::blocks(&mut builder, reader.finish());
    let on_page = blocks.first().and_then(|block| match &block.kind {
        BlockKind::Heading { level: 1, text } => Some(plain(text)),
        _ => None,
    });
    Ok(builder.finish(on_page.or(title), about, blocks))
}

fn properties(meta: Option<&Tree>) -> (Option<String>, About) {
    let value = |names: &[&str]| {
        let meta = meta?.root().child("meta")?;
        names.iter().find_map(|name| {
            let text = squash(&meta.child(name)?.text());
            Some(text).filter(|text| !text.is_empty())
        })
    };
    let about = About {
        author: value(&["initial-creator", "creator"]),
        date: value(&["creation-date", "date"]),
        language: value(&["language"]).filter(|tag| (2..=35).contains(&tag.len())),
        description: value(&["description"]),
        ..About::default()
    };
    (value(&["title"]), about)
}
