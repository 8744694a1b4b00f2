//! Layouts as users send them, each a small file written for its test, and the Markdown that becomes of it.

mod office;
mod pdf;
#[path = "../../../../tests/shared/pdf.rs"]
mod pdf_file;

use skillkiln_document::blocks::Document;
use skillkiln_document::markdown;
use skillkiln_readers::limits::Reading;
use skillkiln_readers::readers::{self, Task};
use skillkiln_readers::{file_type, finish};

/// A file, read.
fn read(filename: &str, bytes: &[u8]) -> Document {
    let task = Task {
        file_type: file_type::of_file(filename, bytes).expect("a file of a known type"),
        charset: None,
        address: None,
        filename: Some(filename.to_owned()),
        limits: Reading::default(),
    };
    let mut document = readers::read(&task, bytes.into()).expect("a file that can be read");
    finish::finish(&mut document);
    document
}

/// What is read of a file, as Markdown.
fn shown(filename: &str, bytes: &[u8]) -> String {
    markdown::write(&read(filename, bytes).blocks)
}
