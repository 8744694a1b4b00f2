//! Readers of office documents: Word, PowerPoint, Excel, OpenDocument, and what came before them.
//!
//! ```text
//! zip ─▶ opc ─▶ docx · pptx · xlsx ─┐
//!     └▶ odf ─▶ text · slides · sheets ─▶ pieces ─▶ assemble ─▶ blocks
//! ```

pub mod assemble;
pub mod chart;
pub mod compound;
pub mod docx;
pub mod drawn;
pub mod grid;
pub mod number_format;
pub mod odf;
pub mod opc;
pub mod ordinal;
pub mod pptx;
pub mod role;
pub mod rtf;
pub mod runs;
pub mod sheet;
pub mod xlsx;

use crate::archive::Within;
use crate::limits::Reading;
use crate::package::{Budget, Package, unreadable};
use crate::{archive, epub};
use skillkiln_document::blocks::Document;
use skillkiln_document::failure::Failure;

/// What the entries of a zip make it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    /// Word, with the name of its main part.
    Word(String),
    /// PowerPoint.
    Slides(String),
    /// Excel.
    Sheets(String),
    /// OpenDocument.
    Open,
    /// An e-book.
    Book,
    /// Documents of a kind that is not read.
    Unread(&'static str),
    /// Any other zip.
    Archive,
}

/// Reads a zip as what its entries tell: an office document or an e-book, else an archive of documents.
///
/// # Errors
/// What its reader says.
pub(crate) fn read_zip(bytes: &[u8], within: &Within<'_>) -> Result<Document, Failure> {
    let mut package = Package::open(bytes, within.budget)?;
    match kind(&mut package)? {
        Kind::Word(main) => docx::read(&mut package, &main),
        Kind::Slides(main) => pptx::read(&mut package, &main),
        Kind::Sheets(main) => xlsx::read(&mut package, &main),
        Kind::Open => odf::read(&mut package),
        Kind::Book => epub::read(&mut package),
        Kind::Unread(message) => Err(unreadable(message)),
        Kind::Archive => within.budget.deeper(|| archive::read_zip(package, within)),
    }
}

/// The extension of the documents that are zips with such entries, told by their names alone; `zip` for any other.
pub(crate) fn extension_of_zip(bytes: &[u8], limits: &Reading) -> &'static str {
    let budget = Budget::new(limits, 0);
    let Ok(mut package) = Package::open(bytes, &budget) else {
        return "zip";
    };
    if package.holds("[Content_Types].xml") {
        let folder = package.entries().into_iter().find_map(|entry| {
            match entry.name.to_lowercase().split_once('/')?.0 {
                "word" => Some("docx"),
                "ppt" => Some("pptx"),
                "xl" => Some("xlsx"),
                _ => None,
            }
        });
        return folder.unwrap_or("zip");
    }
    if package.holds("META-INF/container.xml") {
        return "epub";
    }
    let mimetype = package.part("mimetype").ok().flatten().unwrap_or_default();
    match mimetype.strip_prefix(b"application/vnd.oasis.opendocument.") {
        Some(kind) if kind.starts_with(b"presentation") => "odp",
        Some(kind) if kind.starts_with(b"spreadsheet") => "ods",
        Some(_) => "odt",
        None => "zip",
    }
}

/// Looks into a zip's entries: names and extensions of files lie, these do not.
fn kind(package: &mut Package<'_>) -> Result<Kind, Failure> {
    if let Some(types) = package.xml("[Content_Types].xml")?
        && let Some(main) = opc::main_part(package)?
    {
        let told = |part: &str| {
            let name = format!("/{part}");
            types
                .root()
                .all("Override")
                .find(|found| {
                    found
                        .attribute("PartName")
                        .is_some_and(|found| found.eq_ignore_ascii_case(&name))
                })
                .and_then(|found| found.attribute("ContentType"))
                .unwrap_or("")
                .to_lowercase()
        };
        let (name, content_type) = (main.to_lowercase(), told(&main));
        let is = |word: &str, folder: &str| content_type.contains(word) || name.starts_with(folder);
        if is("wordprocessingml", "word/") || content_type.contains("ms-word") {
            return Ok(Kind::Word(main));
        }
        if is("presentationml", "ppt/") || content_type.contains("ms-powerpoint") {
            return Ok(Kind::Slides(main));
        }
        if name.ends_with(".bin") {
            return Ok(Kind::Unread(
                "binary Excel workbooks (.xlsb) cannot be read; save it as XLSX",
            ));
        }
        if is("spreadsheetml", "xl/") || content_type.contains("ms-excel") {
            return Ok(Kind::Sheets(main));
        }
        return Ok(Kind::Unread(
            "office documents of this kind cannot be read; save it as DOCX, PPTX, XLSX or PDF",
        ));
    }
    if package.holds("META-INF/container.xml") {
        return Ok(Kind::Book);
    }
    let mimetype = match package.holds("mimetype") {
        true => package.part("mimetype")?.unwrap_or_default(),
        false => Vec::new(),
    };
    let is_open = mimetype.starts_with(b"application/vnd.oasis.opendocument.");
    if is_open || package.holds("content.xml") && package.holds("META-INF/manifest.xml") {
        return Ok(Kind::Open);
    }
    Ok(Kind::Archive)
}
