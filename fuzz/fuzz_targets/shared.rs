//! What the targets share: a file is read as the service does, to its Markdown.

use skillkiln_document::blocks::walk;
use skillkiln_document::markdown;
use skillkiln_readers::limits::Reading;
use skillkiln_readers::readers::{self, Task};
use skillkiln_readers::{file_type, finish, invisible};

/// Reads a file; whether it is refused or read, it ends, and every span of what is read lies within the text.
pub fn read(file: &str, bytes: &[u8]) {
    let Ok(file_type) = file_type::of_file(file, bytes) else {
        return;
    };
    let task = Task {
        file_type,
        charset: None,
        address: None,
        filename: Some(file.to_owned()),
        limits: Reading::default(),
    };
    if let Ok(mut document) = readers::read(&task, bytes.into()) {
        invisible::clear(&mut document.blocks);
        finish::finish(&mut document);
        walk(&document.blocks, &mut |block| {
            assert!(document.text.get(block.span.bytes.clone()).is_some(), "{:?}", block.span);
        });
        let _ = markdown::write(&document.blocks);
    }
}
