//! Every reader of text: the first byte chooses the file's ending, the rest is the file.

#![no_main]

mod files;
mod shared;

use files::FILES;
use libfuzzer_sys::fuzz_target;
use skillkiln_document::markdown;

fuzz_target!(|bytes: &[u8]| {
    if let Some((choice, bytes)) = bytes.split_first()
        && let Some(file) = FILES.get(usize::from(*choice) % FILES.len())
    {
        let _ = shared::document(file, bytes).map(|document| markdown::write(&document.blocks));
    }
});
