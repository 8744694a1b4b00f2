//! What the targets share: a file is read as the service does.

use skillkiln_document::blocks::{Document, walk};
use skillkiln_readers::limits::Reading;
use skillkiln_readers::readers::{self, Task};
use skillkiln_readers::{file_type, finish, invisible};

/// Reads a file; whether it is refused or read, it ends, and every span of what is read lies within the text.
pub fn document(file: &str, bytes: &[u8]) -> Option<Document> {
    let task = Task {
        file_type: file_type::of_file(file, bytes).ok()?,
        charset: None,
        address: None,
        filename: Some(file.to_owned()),
        limits: Reading::default(),
    };
    let mut document = readers::read(&task, bytes.into()).ok()?;
    invisible::clear(&mut document.blocks);
    finish::finish(&mut document);
    walk(&document.blocks, &mut |block| {
        assert!(document.text.get(block.span.bytes.clone()).is_some(), "{:?}", block.span);
    });
    Some(document)
}
