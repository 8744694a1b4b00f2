//! Readers of office documents.

use crate::domain::document::Document;
use crate::domain::failure::Failure;
use crate::domain::reading::Reading;
use crate::pipeline::extract::archive;
use crate::pipeline::extract::package::{Budget, Package, unreadable};

/// Reads a zip as what its entries tell: an office document, else an archive of documents.
///
/// # Errors
/// What its reader says.
pub(crate) fn read_zip(
    bytes: &[u8],
    limits: &Reading,
    budget: &Budget,
) -> Result<Document, Failure> {
    let package = Package::open(bytes, budget)?;
    if package.holds("[Content_Types].xml") || package.holds("mimetype") {
        return Err(unreadable(
            "office documents of this kind cannot be read; save it as PDF or text",
        ));
    }
    budget.deeper(|| archive::read_zip(package, limits, budget))
}
