//! Reads what a PDF says of itself: its information dictionary.

use crate::domain::document::About;
use crate::domain::text::squash;
use unpdf::parser::backend::PdfMetadataRaw;

/// What the file says of itself.
pub(crate) fn of(metadata: &PdfMetadataRaw) -> About {
    let said = |words: &Option<String>| {
        words
            .as_deref()
            .map(squash)
            .filter(|words| words.chars().any(char::is_alphabetic))
    };
    About {
        author: said(&metadata.author).filter(|author| author.to_lowercase() != "unknown"),
        date: metadata.creation_date.as_deref().and_then(date),
        description: said(&metadata.subject),
        ..About::default()
    }
}

/// A title in the metadata is believed when a person wrote it: not a file name of the program that made the PDF.
pub(crate) fn title(metadata: &PdfMetadataRaw) -> Option<String> {
    let title = squash(metadata.title.as_deref()?);
    let lower = title.to_lowercase();
    let endings = [
        ".doc", ".docx", ".tex", ".dvi", ".indd", ".qxd", ".pdf", ".ps", ".xml", ".rtf", ".odt",
    ];
    let is_written = title.chars().filter(|c| c.is_alphabetic()).count() >= 3
        && !lower.starts_with("microsoft word")
        && !lower.starts_with("untitled")
        && !endings.iter().any(|ending| lower.ends_with(ending));
    is_written.then_some(title)
}

/// `D:20240131120000Z` as `2024-01-31`.
fn date(written: &str) -> Option<String> {
    let digits = written.trim().trim_start_matches("D:");
    let part = |from: usize, to: usize| {
        digits
            .get(from..to)
            .filter(|part| part.chars().all(|c| c.is_ascii_digit()))
    };
    let year = part(0, 4)?;
    let month = part(4, 6).filter(|month| ("01"..="12").contains(month));
    let day = part(6, 8).filter(|day| ("01"..="31").contains(day));
    Some(match (month, day) {
        (Some(month), Some(day)) => format!("{year}-{month}-{day}"),
        (Some(month), None) => format!("{year}-{month}"),
        _ => year.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_written_as_far_as_it_is_known() {
        assert_eq!(
            date("D:20240131120000+01'00'").as_deref(),
            Some("2024-01-31")
        );
        assert_eq!(date("D:202402").as_deref(), Some("2024-02"));
        assert_eq!(date("2024").as_deref(), Some("2024"));
        assert_eq!(date("D:19999999").as_deref(), Some("1999"));
        assert_eq!(date("yesterday"), None);
    }

    #[test]
    fn a_file_name_is_no_title() {
        let titled = |title: &str| {
            let metadata = PdfMetadataRaw {
                title: Some(title.to_owned()),
                ..PdfMetadataRaw::default()
            };
            super::title(&metadata)
        };
        assert_eq!(titled("  Field \n Guide ").as_deref(), Some("Field Guide"));
        assert_eq!(titled("Microsoft Word - guide.doc"), None);
        assert_eq!(titled("guide.tex"), None);
        assert_eq!(titled("1"), None);
    }
}
