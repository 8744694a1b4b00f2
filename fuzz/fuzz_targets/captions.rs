//! Captions and transcripts in every form.

#![no_main]

use libfuzzer_sys::fuzz_target;
use skillkiln_readers::{captions, transcript};

fuzz_target!(|bytes: &[u8]| {
    let _ = captions::read(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = transcript::read_subtitles(text);
    }
});
