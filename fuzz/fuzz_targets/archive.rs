//! What is packed: archives, office documents, e-books, PDFs, by their own first bytes.

#![no_main]

mod shared;

use libfuzzer_sys::fuzz_target;
use skillkiln_document::markdown;

fuzz_target!(|bytes: &[u8]| {
    for file in ["a.zip", "a.tar", "a.gz", "a.docx", "a.epub", "a.odt", "a.xlsx"] {
        let _ = shared::document(file, bytes).map(|document| markdown::write(&document.blocks));
    }
});
