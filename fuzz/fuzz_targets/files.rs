//! The endings by which the first byte of an input chooses its reader.

/// An ending for each reader of text.
pub(crate) const FILES: &[&str] = &[
    "a.txt", "a.md", "a.mdx", "a.html", "a.rst", "a.adoc", "a.1", "a.tex", "a.org", "a.csv",
    "a.json", "a.yaml", "a.toml", "a.xml", "a.vtt", "a.srt", "a.eml", "a.rs", "a.py", "a.sh",
    "a.ipynb", "a.rtf", "a.proto", "a.c", "a.js", "a.wiki",
];
