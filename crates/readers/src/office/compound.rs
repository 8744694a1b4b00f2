//! Reads what office programs wrote before 2007, and what they lock: old Excel workbooks (.xls) are read, the others say what
//! would help.

use crate::office::number_format::number;
use crate::office::sheet::Book;
use crate::package::{damaged, locked, unreadable};
use calamine::{Data, Reader, SheetVisible, Xls};
use skillkiln_document::blocks::{About, Document};
use skillkiln_document::failure::Failure;
use skillkiln_document::text::squash;
use std::io::Cursor;

/// Reads the compound file `bytes`.
///
/// # Errors
/// When it is locked, damaged, or of a kind that is not read.
pub(crate) fn read(bytes: &[u8]) -> Result<Document, Failure> {
    let holds = |name: &str| holds(bytes, name);
    if holds("EncryptedPackage") {
        return Err(locked());
    }
    if holds("Workbook") || holds("Book") {
        return workbook(bytes);
    }
    Err(unreadable(if holds("WordDocument") {
        "old Word documents (.doc) cannot be read; open it and save it as DOCX or PDF"
    } else if holds("PowerPoint Document") {
        "old PowerPoint presentations (.ppt) cannot be read; open it and save it as PPTX or PDF"
    } else if holds("__properties_version1.0") {
        "Outlook messages (.msg) cannot be read; save it as text or EML"
    } else {
        "this kind of old office document cannot be read; open it and save it as DOCX, XLSX, PPTX or PDF"
    }))
}

/// Whether the directory of a compound file names a stream so. Names are UTF-16 and end with a zero.
fn holds(bytes: &[u8], name: &str) -> bool {
    let mut wanted: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
    wanted.extend([0, 0]);
    // Entries of the directory are 128 bytes long and begin with their name.
    bytes
        .chunks_exact(128)
        .any(|entry| entry.starts_with(&wanted))
}

fn workbook(bytes: &[u8]) -> Result<Document, Failure> {
    let mut workbook: Xls<_> = Xls::new(Cursor::new(bytes)).map_err(|error| match error {
        calamine::XlsError::Password => locked(),
        _ => damaged(),
    })?;
    let mut book = Book::new(None, About::default());
    for known in workbook.sheets_metadata().to_vec() {
        let Ok(range) = workbook.worksheet_range(&known.name) else {
            continue;
        };
        let mut sheet = book.sheet(&known.name, known.visible != SheetVisible::Visible);
        let (row_start, column_start) = range.start().unwrap_or((0, 0));
        for (row, column, value) in range.used_cells() {
            sheet.cell(
                row + row_start as usize,
                column + column_start as usize,
                says(value),
            );
        }
        book.add(sheet);
    }
    Ok(book.finish())
}

fn says(value: &Data) -> String {
    match value {
        Data::Int(value) => value.to_string(),
        Data::Float(value) => number(*value),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => squash(text),
        Data::Bool(value) => if *value { "TRUE" } else { "FALSE" }.to_owned(),
        Data::DateTime(moment) => {
            let days = moment.as_f64();
            let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
            let time = format!("{hour:02}:{minute:02}:{second:02}");
            if moment.is_duration() || days < 1.0 {
                time
            } else if days.fract() == 0.0 {
                format!("{year:04}-{month:02}-{day:02}")
            } else {
                format!("{year:04}-{month:02}-{day:02} {time}")
            }
        }
        Data::Error(error) => error.to_string(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The directory entry of a stream with this name, on its border.
    fn entry(name: &str) -> Vec<u8> {
        let mut bytes: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        bytes.resize(128, 0);
        bytes
    }

    #[test]
    fn old_and_locked_documents_say_what_would_help() {
        for (name, help) in [
            ("EncryptedPackage", "remove the password"),
            ("WordDocument", "save it as DOCX"),
            ("PowerPoint Document", "save it as PPTX"),
            ("Else", "save it as DOCX, XLSX, PPTX or PDF"),
            ("Workbook", "damaged"),
        ] {
            let mut bytes = vec![0; 512];
            bytes.extend(entry(name));
            let failure = read(&bytes).unwrap_err();
            assert!(
                failure.message.contains(help),
                "{name}: {}",
                failure.message
            );
        }
    }
}
