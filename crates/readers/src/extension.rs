//! Says which extension a file deserves: the one of its name when its bytes agree, else the one that its bytes tell.

use crate::file_type::{self, FileType};
use crate::limits::Reading;
use crate::office;

/// Extensions of the same bytes, the usual one first.
const FAMILIES: &[&[&str]] = &[
    &["docx", "docm", "dotx", "dotm"],
    &["pptx", "pptm", "potx", "potm", "ppsx", "ppsm"],
    &["xlsx", "xlsm", "xltx", "xltm", "xlsb"],
    &["odt", "ott"],
    &["odp", "otp"],
    &["ods", "ots"],
    &["gz", "tgz"],
    &[
        "ole", "doc", "xls", "ppt", "dot", "xlt", "pot", "msg", "docx", "xlsx", "pptx",
    ],
    &["html", "htm", "xhtml", "shtml", "xml"],
    &["zip", "kmz", "jar", "key", "pages", "numbers"],
];
/// What is no text, by how it begins.
const MARKS: &[(&[u8], &[&str])] = &[
    (b"\x89PNG", &["png"]),
    (b"\xff\xd8\xff", &["jpg", "jpeg"]),
    (b"GIF8", &["gif"]),
    (b"ID3", &["mp3"]),
    (b"7z\xbc\xaf\x27\x1c", &["7z"]),
    (b"Rar!", &["rar"]),
    (b"BZh", &["bz2", "tbz2"]),
    (b"\xfd7zXZ", &["xz", "txz"]),
];
/// What only bytes of its own kind may be called.
const NEVER_TEXT: &[&str] = &[
    "pdf", "epub", "rtf", "tar", "gz", "tgz", "zip", "docx", "pptx", "xlsx", "odt", "odp", "ods",
    "doc", "xls", "ppt", "png", "jpg", "jpeg", "gif", "mp3", "mp4", "7z", "rar", "bz2", "xz",
];

/// The lower-case extension of a file called `filename` that holds `bytes`; `bin` for bytes that tell nothing.
#[must_use]
pub fn confirmed(filename: &str, bytes: &[u8]) -> String {
    let told = filename
        .rsplit_once('.')
        .map_or("", |(_, extension)| extension)
        .to_ascii_lowercase();
    let found = match file_type::of_file(filename, bytes) {
        Ok(FileType::Pdf) => "pdf",
        Ok(FileType::Zip) => office::extension_of_zip(bytes, &Reading::default()),
        Ok(FileType::Tar) => "tar",
        Ok(FileType::Gzip) => "gz",
        Ok(FileType::Compound) => "ole",
        Ok(FileType::RichText) => "rtf",
        Ok(FileType::Html) => "html",
        Ok(_) if told.is_empty() || NEVER_TEXT.contains(&told.as_str()) => "txt",
        Ok(_) => return told,
        Err(_) if told == "pdf" && !file_type::is_garbage(bytes) => "txt",
        Err(_) => {
            let mark = MARKS.iter().find(|(mark, _)| bytes.starts_with(mark));
            return match mark {
                Some((_, names)) if names.contains(&told.as_str()) => told,
                Some((_, names)) => names.first().copied().unwrap_or("bin").to_owned(),
                None => "bin".to_owned(),
            };
        }
    };
    let is_kin = FAMILIES
        .iter()
        .any(|family| family.first() == Some(&found) && family.contains(&told.as_str()));
    if is_kin { told } else { found.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn zip(names: &[&str]) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for name in names {
            zip.start_file(*name, zip::write::SimpleFileOptions::default())
                .unwrap();
            zip.write_all(b"application/vnd.oasis.opendocument.text")
                .unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn an_extension_is_believed_only_when_the_bytes_agree() {
        let word = zip(&["[Content_Types].xml", "word/document.xml"]);
        for (name, bytes, expected) in [
            ("a.PDF", &b"%PDF-1.7"[..], "pdf"),
            ("a.md", b"%PDF-1.7", "pdf"),
            ("a.pdf", b"just words", "txt"),
            ("a.docx", b"just words", "txt"),
            ("a.docx", &word, "docx"),
            ("a.docm", &word, "docm"),
            ("a.xlsx", &word, "docx"),
            ("a.zip", &word, "docx"),
            ("a.docx", &zip(&["a.md"]), "zip"),
            ("a.docx", &zip(&["mimetype", "content.xml"]), "odt"),
            ("a.zip", &zip(&["META-INF/container.xml"]), "epub"),
            ("a.md", b"# words", "md"),
            ("a.rs", b"fn main() {}", "rs"),
            ("LICENSE", b"words", "txt"),
            ("a.txt", b"<!doctype html><p>x", "html"),
            ("a.htm", b"<!doctype html><p>x", "htm"),
            ("a.txt", b"\x89PNG\r\n\x1a\n", "png"),
            ("a.md", &[0; 100], "bin"),
            ("a.docx", b"PK\x03\x04 cut short", "zip"),
        ] {
            assert_eq!(confirmed(name, bytes), expected, "{name}");
        }
    }
}
