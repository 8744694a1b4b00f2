//! Finds the pages of a file that was cut off or damaged, when what names them is lost.

use std::fmt::Write as _;
use unpdf::parser::raw::RawDocument;
use unpdf::parser::raw::tokenizer::dict_get;

/// The longest file that is mended.
const FILE_BYTES_MAX: usize = 64 << 20;
/// Numbers that objects are looked for under.
const NUMBERS_MAX: u32 = 400_000;
/// Numbers that the new root and the new list of pages have.
const ROOT: u32 = NUMBERS_MAX + 1;
const PAGES: u32 = NUMBERS_MAX + 2;

/// The file with a new list of all pages that are left in it, and how many there are.
pub(crate) fn mended(bytes: &[u8]) -> Option<(Vec<u8>, usize)> {
    if bytes.len() > FILE_BYTES_MAX || !bytes.starts_with(b"%PDF-") {
        return None;
    }
    let document = RawDocument::load(&with_root(bytes, &[])).ok()?;
    let is_page = |number: &u32| {
        let page = document.get_object((*number, 0))?.as_dict()?;
        let kind = dict_get(page, b"Type")?.as_name()?;
        (kind == b"Page" && dict_get(page, b"Contents").is_some()).then_some(())
    };
    let pages: Vec<u32> = (1..=NUMBERS_MAX)
        .filter(|number| is_page(number).is_some())
        .collect();
    (!pages.is_empty()).then(|| (with_root(bytes, &pages), pages.len()))
}

/// The file with a root of its own, and no table of where things stand: that is found anew from the objects.
fn with_root(bytes: &[u8], pages: &[u32]) -> Vec<u8> {
    let mut kids = String::new();
    for page in pages {
        // A string takes all that is written to it.
        _ = write!(kids, "{page} 0 R ");
    }
    let tail = format!(
        "\nendstream\nendobj\n{ROOT} 0 obj\n<< /Type /Catalog /Pages {PAGES} 0 R >>\nendobj\n\
         {PAGES} 0 obj\n<< /Type /Pages /Kids [{kids}] /Count {} >>\nendobj\n\
         trailer\n<< /Root {ROOT} 0 R >>\nstartxref\n0\n%%EOF\n",
        pages.len()
    );
    let mut whole = bytes.to_vec();
    whole.extend_from_slice(tail.as_bytes());
    whole
}
