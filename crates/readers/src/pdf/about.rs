//! Reads what a PDF says of itself: its information dictionary, the language of its catalogue.

use skillkiln_document::blocks::About;
use skillkiln_document::text::squash;
use unpdf::parser::backend::PdfMetadataRaw;
use unpdf::parser::raw::RawDocument;
use unpdf::parser::raw::tokenizer::dict_get;

/// What the catalogue of a file says.
#[derive(Debug, Default)]
pub(crate) struct Catalogue {
    language: Option<String>,
}

impl Catalogue {
    /// The catalogue of `document`.
    pub(crate) fn of(document: &RawDocument) -> Self {
        let Ok(catalogue) = document.catalog() else {
            return Self::default();
        };
        let language = dict_get(catalogue, b"Lang")
            .and_then(|language| document.resolve(language).as_str_bytes())
            .map(|bytes| bytes.iter().copied().filter(u8::is_ascii_graphic).collect())
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .filter(|tag| is_language(tag));
        Self { language }
    }
}

/// Whether `tag` has the shape of a language tag.
fn is_language(tag: &str) -> bool {
    let mut parts = tag.split('-');
    let first = parts.next().unwrap_or("");
    (2..=3).contains(&first.len())
        && first.chars().all(|c| c.is_ascii_alphabetic())
        && tag.len() <= 35
        && parts.all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric()))
}

/// What the file says of itself.
pub(crate) fn of(metadata: &PdfMetadataRaw, catalogue: &Catalogue) -> About {
    let said = |words: &Option<String>| {
        words
            .as_deref()
            .map(squash)
            .filter(|words| words.chars().any(char::is_alphabetic))
    };
    About {
        author: said(&metadata.author).filter(|author| author.to_lowercase() != "unknown"),
        date: metadata.creation_date.as_deref().and_then(date),
        language: catalogue.language.clone(),
        description: said(&metadata.subject),
        ..About::default()
    }
}

/// A title in the metadata is believed when a person wrote it: not a file name of the program that made the PDF.
pub(crate) fn title(metadata: &PdfMetadataRaw) -> Option<String> {
    let title = metadata.title.as_deref().map(squash)?;
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
