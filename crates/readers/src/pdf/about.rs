//! Reads what a PDF says of itself: its information dictionary, the language of its catalogue, its XMP packet.

use skillkiln_document::blocks::About;
use skillkiln_document::text::squash;
use unpdf::parser::backend::PdfMetadataRaw;
use unpdf::parser::raw::RawDocument;
use unpdf::parser::raw::stream::decompress;
use unpdf::parser::raw::tokenizer::dict_get;

/// The longest XMP packet that is read.
const PACKET_BYTES_MAX: usize = 1 << 20;

/// What the catalogue of a file says.
#[derive(Debug, Default)]
pub(crate) struct Catalogue {
    language: Option<String>,
    packet: String,
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
        let packet = dict_get(catalogue, b"Metadata")
            .and_then(|packet| document.resolve(packet).as_stream())
            .and_then(|stream| decompress(stream).ok())
            .filter(|packet| packet.len() <= PACKET_BYTES_MAX)
            .map(|packet| String::from_utf8_lossy(&packet).into_owned())
            .unwrap_or_default();
        Self { language, packet }
    }

    /// What stands in the first element `name` of the packet, without its inner mark-up.
    fn said(&self, name: &str) -> Option<String> {
        let (_, rest) = self.packet.split_once(&format!("<{name}"))?;
        let (_, rest) = rest.split_once('>')?;
        let (inner, _) = rest.split_once(&format!("</{name}>"))?;
        let mut words = String::new();
        for part in inner.split('<') {
            // The first part has no tag before it.
            let text = part.split_once('>').map_or_else(
                || {
                    if words.is_empty() && inner.starts_with(part) {
                        part
                    } else {
                        ""
                    }
                },
                |(_, text)| text,
            );
            if !words.trim().is_empty() && !text.trim().is_empty() {
                words.push_str(", ");
            }
            words.push_str(text.trim());
        }
        let words = words
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&apos;", "'")
            .replace("&amp;", "&");
        Some(squash(&words)).filter(|words| words.chars().any(char::is_alphabetic))
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
        author: said(&metadata.author)
            .or_else(|| catalogue.said("dc:creator"))
            .filter(|author| author.to_lowercase() != "unknown"),
        date: metadata.creation_date.as_deref().and_then(date),
        language: catalogue
            .language
            .clone()
            .or_else(|| catalogue.said("dc:language").filter(|tag| is_language(tag))),
        description: said(&metadata.subject).or_else(|| catalogue.said("dc:description")),
        ..About::default()
    }
}

/// A title in the metadata is believed when a person wrote it: not a file name of the program that made the PDF.
pub(crate) fn title(metadata: &PdfMetadataRaw, catalogue: &Catalogue) -> Option<String> {
    let said = metadata.title.as_deref().map(squash);
    let title = said
        .filter(|title| !title.is_empty())
        .or_else(|| catalogue.said("dc:title"))?;
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
    fn a_packet_tells_what_the_dictionary_does_not() {
        let catalogue = Catalogue {
            language: None,
            packet: "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">Clay &amp; Fire</rdf:li></rdf:Alt></dc:title>\
                     <dc:creator><rdf:Seq><rdf:li>A. Potter</rdf:li><rdf:li>B. Kiln</rdf:li></rdf:Seq></dc:creator>\
                     <dc:language><rdf:Bag><rdf:li>en-GB</rdf:li></rdf:Bag></dc:language>"
                .to_owned(),
        };
        let metadata = PdfMetadataRaw::default();
        assert_eq!(title(&metadata, &catalogue).as_deref(), Some("Clay & Fire"));
        let about = of(&metadata, &catalogue);
        assert_eq!(about.author.as_deref(), Some("A. Potter, B. Kiln"));
        assert_eq!(about.language.as_deref(), Some("en-GB"));
        assert_eq!(about.description, None);
    }

    #[test]
    fn a_file_name_is_no_title() {
        let titled = |title: &str| {
            let metadata = PdfMetadataRaw {
                title: Some(title.to_owned()),
                ..PdfMetadataRaw::default()
            };
            super::title(&metadata, &Catalogue::default())
        };
        assert_eq!(titled("  Field \n Guide ").as_deref(), Some("Field Guide"));
        assert_eq!(titled("Microsoft Word - guide.doc"), None);
        assert_eq!(titled("guide.tex"), None);
        assert_eq!(titled("1"), None);
    }
}
