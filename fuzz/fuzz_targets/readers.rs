//! Every reader of text: the first byte chooses the file's ending, the rest is the file.

#![no_main]

mod shared;

use libfuzzer_sys::fuzz_target;

/// An ending for each reader.
const FILES: &[&str] = &[
    "a.txt", "a.md", "a.mdx", "a.html", "a.rst", "a.adoc", "a.1", "a.tex", "a.org", "a.csv", "a.json",
    "a.yaml", "a.toml", "a.xml", "a.vtt", "a.srt", "a.eml", "a.rs", "a.py", "a.sh", "a.ipynb",
    "a.rtf", "a.proto", "a.c", "a.js",
];

fuzz_target!(|bytes: &[u8]| {
    if let Some((choice, bytes)) = bytes.split_first()
        && let Some(file) = FILES.get(usize::from(*choice) % FILES.len())
    {
        shared::read(file, bytes);
    }
});
