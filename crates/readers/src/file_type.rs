//! Tells what a file is, from its bytes first and its name second, so that a mislabelled file is still read.

use crate::data::{code, mail};
use crate::decode;
use crate::markup::Markup;
use crate::pointers;
use crate::words::{Pairs, pairs};
use serde::{Deserialize, Serialize};
use skillkiln_document::failure::{Failure, Reason};
use std::borrow::Cow;
use url::Url;

/// What can be read, for the message that refuses the rest.
pub const READABLE: &str = "PDF, HTML, Markdown, reStructuredText, AsciiDoc, manual pages, LaTeX, Org, MediaWiki, DocBook, JATS, FictionBook, RSS and Atom, plain text, notebooks, e-mail, CSV, JSON, YAML, TOML, XML, source code, subtitles (SRT, VTT and others), office documents (DOCX, PPTX, XLSX, ODT, ODP, ODS, XLS, RTF), EPUB, and zip or tar.gz archives of these";

/// Media types by which programs name what is read here, with the endings of such files.
static MEDIA_TYPES: Pairs = pairs!(
    "application/csv csv  application/javascript js  application/json json  application/sql sql  application/toml toml \
     application/x-ndjson ndjson  application/x-subrip srt  application/x-tex tex  application/x-yaml yaml \
     application/xhtml+xml html  application/xml xml  application/yaml yaml  message/rfc822 eml  text/asciidoc adoc  text/csv csv \
     text/html html  text/javascript js  text/markdown md  text/tab-separated-values tsv  text/vtt vtt  text/x-markdown md \
     text/x-python py  text/x-rst rst  text/x-tex tex  text/xml xml  text/yaml yaml"
);

/// The types of file that are read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum FileType {
    /// A PDF.
    Pdf,
    /// A zip: an office document, an e-book or an archive, which only its entries tell.
    Zip,
    /// A tar.
    Tar,
    /// Anything packed with gzip: a tar as a rule.
    Gzip,
    /// What office programs wrote before 2007, and what they lock with a password.
    Compound,
    /// Rich Text.
    RichText,
    /// A web page.
    Html,
    /// Markdown, MDX included.
    Markdown,
    /// A text with a mark-up of another kind.
    Markup(Markup),
    /// Plain text, or a mark-up by its evidence.
    Text,
    /// Captions with their times: SubRip, WebVTT and the like.
    Subtitles,
    /// Separated values, with their separator when the name tells it.
    Separated(Option<char>),
    /// A message of e-mail.
    Mail,
    /// Source code or structured data in this language.
    Code(Cow<'static, str>),
}

impl FileType {
    /// Whether a few of its bytes can unfold to very many, or its readers are not ours: such a file is read in a process of its own.
    #[must_use]
    pub fn is_treacherous(&self) -> bool {
        self.is_certain()
    }

    /// Whether the bytes that tell this type tell it whatever the file is called.
    fn is_certain(&self) -> bool {
        matches!(
            self,
            Self::Pdf | Self::Zip | Self::Tar | Self::Gzip | Self::Compound | Self::RichText
        )
    }
}

/// The type of an uploaded file.
///
/// # Errors
/// When it is of no type that is read; the message names those that are.
pub fn of_file(filename: &str, bytes: &[u8]) -> Result<FileType, Failure> {
    let extension = extension_of(filename);
    let opening = bytes.get(..pointers::LFS.len()).unwrap_or(bytes);
    if let Some(failure) = pointers::refusal(&String::from_utf8_lossy(opening)) {
        return Err(failure);
    }
    let by_bytes = by_bytes(bytes)?;
    if let Some(found) = by_bytes.as_ref().filter(|found| found.is_certain()) {
        return Ok(found.clone());
    }
    if by_bytes.is_none() {
        is_in_ascii_family(bytes)?;
        if is_garbage(bytes) {
            return Err(unsupported("a file of binary data"));
        }
    }
    match extension.as_str() {
        "html" | "htm" | "xhtml" | "shtml" => return Ok(FileType::Html),
        "md" | "markdown" | "mdx" | "mdown" | "mkd" | "qmd" | "rmd" => {
            return Ok(FileType::Markdown);
        }
        "srt" | "vtt" if !is_timed(bytes) => {}
        "srt" | "vtt" | "json3" | "srv1" | "srv2" | "srv3" | "sbv" => {
            return Ok(FileType::Subtitles);
        }
        "csv" => return Ok(FileType::Separated(None)),
        "tsv" | "tab" => return Ok(FileType::Separated(Some('\t'))),
        "pdf" => {
            return Err(unreadable(
                "this file is called a PDF but is none; save it again from the program that made it",
            ));
        }
        _ => {}
    }
    if matches!(extension.as_str(), "eml" | "mbox" | "mht" | "mhtml")
        && mail::is_mail(&String::from_utf8_lossy(bytes.get(..8192).unwrap_or(bytes)))
    {
        return Ok(FileType::Mail);
    }
    if let Some(markup) = Markup::of_extension(&extension) {
        return Ok(FileType::Markup(markup));
    }
    if let Some(language) = code::language(&extension) {
        return Ok(FileType::Code(language.into()));
    }
    if let Some(found) = by_bytes {
        return Ok(found);
    }
    if is_text(bytes) {
        Ok(FileType::Text)
    } else {
        Err(unsupported("this type of file"))
    }
}

/// The type of a fetched page, from its bytes, then what the server calls it, then its address.
///
/// # Errors
/// When it is of no type that is read; the message names those that are.
pub fn of_page(
    content_type: Option<&str>,
    address: &str,
    bytes: &[u8],
) -> Result<FileType, Failure> {
    if let Some(found) = by_bytes(bytes)? {
        return Ok(found);
    }
    let kind = content_type
        .and_then(|value| value.split(';').next())
        .map(|value| value.trim().to_ascii_lowercase())
        .unwrap_or_default();
    let path = Url::parse(address)
        .map(|url| url.path().to_owned())
        .unwrap_or_default();
    let extension = extension_of(path.rsplit('/').next().unwrap_or(""));
    is_in_ascii_family(bytes)?;
    // Some servers call everything a page.
    if is_garbage(bytes) {
        return Err(unsupported("what this address leads to"));
    }
    match ending_of(&kind) {
        Some(ending) => of_file(&format!("page.{ending}"), bytes),
        // Code hosts send everything as plain text: the address tells more.
        None if is_text(bytes) && extension != "pdf" => {
            if extension.is_empty() {
                Ok(FileType::Text)
            } else {
                of_file(&path, bytes)
            }
        }
        _ => Err(unsupported("what this address leads to")),
    }
}

/// The ending of files of a media type, which tells what they are where nothing else does; `None` for those that say little, such as
/// `text/plain`.
pub fn ending_of(media_type: &str) -> Option<&'static str> {
    let kind = media_type.split(';').next().unwrap_or_default();
    let kind = kind.trim().to_ascii_lowercase();
    let known = MEDIA_TYPES.get(kind.as_str()).copied();
    match (known, kind.rsplit_once('+')) {
        (Some(ending), _) => Some(ending),
        (None, Some((_, "json"))) => Some("json"),
        (None, Some((_, "xml"))) => Some("xml"),
        (None, Some((_, "yaml"))) => Some("yaml"),
        _ => None,
    }
}

/// A name with the ending of its media type, where it has none of its own: "blob" of a browser, "-" of a command that reads a pipe.
pub fn name_with_ending(name: String, media_type: &str) -> String {
    match ending_of(media_type).filter(|_| extension_of(&name).is_empty()) {
        Some(ending) => format!("{name}.{ending}"),
        None => name,
    }
}

/// The file's name in an address.
pub fn name_in(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let name = url.path_segments()?.next_back()?;
    Some(name.to_owned()).filter(|name| !name.is_empty())
}

/// The character set that a `Content-Type` names.
pub fn charset(content_type: &str) -> Option<String> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case("charset")
            .then(|| value.trim().trim_matches(['"', '\'']).to_owned())
    })
}

/// What the bytes themselves tell for certain.
fn by_bytes(bytes: &[u8]) -> Result<Option<FileType>, Failure> {
    let head = bytes.get(..1024).unwrap_or(bytes);
    // Readers of PDF tolerate some bytes before the mark.
    if head.windows(5).any(|window| window == b"%PDF-") {
        return Ok(Some(FileType::Pdf));
    }
    let packed: [(&[u8], FileType); 6] = [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", FileType::Compound),
        (b"{\\rtf", FileType::RichText),
        (b"PK\x03\x04", FileType::Zip),
        (b"PK\x05\x06", FileType::Zip),
        (b"PK\x07\x08PK", FileType::Zip),
        (b"\x1f\x8b", FileType::Gzip),
    ];
    if let Some((_, found)) = packed.into_iter().find(|(mark, _)| head.starts_with(mark)) {
        return Ok(Some(found));
    }
    if is_tar(bytes) {
        return Ok(Some(FileType::Tar));
    }
    let marks: [(&[u8], &str); 9] = [
        (
            b"7z\xbc\xaf\x27\x1c",
            "an archive of this kind (pack it as zip or tar.gz)",
        ),
        (
            b"Rar!",
            "an archive of this kind (pack it as zip or tar.gz)",
        ),
        (b"BZh", "an archive of this kind (pack it as zip or tar.gz)"),
        (
            b"\xfd7zXZ",
            "an archive of this kind (pack it as zip or tar.gz)",
        ),
        (b"\x89PNG", "a picture"),
        (b"\xff\xd8\xff", "a picture"),
        (b"GIF8", "a picture"),
        (b"\x7fELF", "a program"),
        (b"ID3", "a sound recording"),
    ];
    if let Some((_, what)) = marks.iter().find(|(mark, _)| head.starts_with(mark)) {
        return Err(unsupported(what));
    }
    let lower = String::from_utf8_lossy(head)
        .trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t'])
        .to_ascii_lowercase();
    let is_html = lower.starts_with("<!doctype html")
        || lower.starts_with("<html")
        || ((lower.starts_with("<?xml")
            || lower.starts_with("<!--")
            || lower.starts_with("<head"))
            && lower.contains("<html"));
    if is_html {
        return Ok(Some(FileType::Html));
    }
    let is_captions = lower.starts_with("webvtt")
        || lower.starts_with("<timedtext")
        || lower.starts_with("<?xml") && lower.contains("<timedtext");
    if is_captions {
        return Ok(Some(FileType::Subtitles));
    }
    Ok(None)
}

/// Whether the bytes are a tar: their first record counts itself, which no other kind of file does.
pub fn is_tar(bytes: &[u8]) -> bool {
    let (Some(record), Some(told)) = (bytes.get(..512), bytes.get(148..156)) else {
        return false;
    };
    let told = std::str::from_utf8(told)
        .ok()
        .and_then(|told| u32::from_str_radix(told.trim_matches(['\0', ' ']), 8).ok());
    let sum = record.iter().enumerate().map(|(at, byte)| match at {
        // The sum counts its own place as spaces.
        148..156 => 32,
        _ => u32::from(*byte),
    });
    told.is_some_and(|told| told > 0 && told == sum.sum::<u32>())
}

/// Whether a byte is none of text, nor of what a terminal or a line printer is told: pages, colours, letters struck twice.
fn is_control(byte: u8) -> bool {
    byte < 32 && !matches!(byte, b'\n' | b'\r' | b'\t' | 8 | 12 | 27)
}

/// Whether the bytes are no text whatever their name says. A stray control character in a text is forgiven.
pub fn is_garbage(bytes: &[u8]) -> bool {
    let head = bytes.get(..8192).unwrap_or(bytes);
    let controls = head.iter().filter(|b| is_control(**b)).count();
    !is_text(bytes) && controls * 20 > head.len()
}

/// Whether the bytes are text in some character set: no zeros (UTF-16 aside) and hardly any control characters.
fn is_text(bytes: &[u8]) -> bool {
    let head = bytes.get(..8192).unwrap_or(bytes);
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return true;
    }
    let zeros = head.iter().filter(|b| **b == 0).count();
    if zeros > 0 {
        // UTF-16 without a mark has a zero in nearly every pair.
        return zeros * 10 >= head.len() * 4 && zeros * 10 <= head.len() * 6;
    }
    let controls = head.iter().filter(|b| is_control(**b)).count();
    controls * 100 <= head.len()
}

/// Whether there is a cue among the first lines of what is called subtitles.
fn is_timed(bytes: &[u8]) -> bool {
    decode::decode(bytes.get(..8192).unwrap_or(bytes), None).contains("-->")
}

/// Refuses a text of mainframes, whose character sets share nothing with the others: its space is their `@`, its letters are
/// beyond ASCII.
fn is_in_ascii_family(bytes: &[u8]) -> Result<(), Failure> {
    let head = bytes.get(..8192).unwrap_or(bytes);
    let count = |is: fn(&u8) -> bool| head.iter().filter(|byte| is(byte)).count();
    let spaces = count(|byte| *byte == 0x40);
    let letters = count(
        |byte| matches!(byte, 0x81..=0x89 | 0x91..=0x99 | 0xa2..=0xa9 | 0xc1..=0xc9 | 0xd1..=0xd9 | 0xe2..=0xe9 | 0xf0..=0xf9),
    );
    let is_ebcdic = head.len() >= 16
        && spaces * 50 > head.len()
        && letters * 10 > head.len() * 6
        && count(|byte| matches!(byte, b' ' | b'\n')) * 100 <= head.len();
    if is_ebcdic && std::str::from_utf8(bytes).is_err() {
        return Err(unreadable(
            "this text is written in EBCDIC, the character set of mainframes; convert it to UTF-8 (iconv -f CP500 -t UTF-8) and send it again",
        ));
    }
    Ok(())
}

fn extension_of(filename: &str) -> String {
    let lower = filename
        .rsplit('/')
        .next()
        .unwrap_or(filename)
        .to_ascii_lowercase();
    match lower.rsplit_once('.') {
        // Generators of documentation put the sources beside the pages under such names.
        Some((stem, "txt")) => match stem.rsplit_once('.') {
            Some((_, inner @ ("rst" | "rest" | "adoc" | "asciidoc" | "md" | "markdown"))) => {
                inner.to_owned()
            }
            _ => "txt".to_owned(),
        },
        Some((_, extension)) => extension.to_owned(),
        None if matches!(lower.as_str(), "dockerfile" | "makefile") => lower,
        None => String::new(),
    }
}

fn unsupported(what: &str) -> Failure {
    unreadable(&format!("{what} cannot be read; supported are {READABLE}"))
}

fn unreadable(message: &str) -> Failure {
    Failure::new(Reason::Unreadable, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_win_over_names() {
        let is =
            |name, bytes: &[u8], told| assert_eq!(of_file(name, bytes).ok(), Some(told), "{name}");
        is("notes.txt", b"%PDF-1.7\n", FileType::Pdf);
        is("page.txt", b"<!DOCTYPE html><p>x", FileType::Html);
        assert!(of_file("fake.md", b"\x89PNG\r\n\x1a\n").is_err());
        assert!(of_file("fake.pdf", b"just words").is_err());
        is("fake.srt", b"just words", FileType::Text);
        is(
            "film.srt",
            b"1\n00:00:01,000 --> 00:00:02,000\nWords\n",
            FileType::Subtitles,
        );
        for (name, expected) in [
            ("guide.rst.txt", FileType::Markup(Markup::Rest)),
            ("guide.adoc.txt", FileType::Markup(Markup::AsciiDoc)),
            ("guide.MD.txt", FileType::Markdown),
            ("1.8.1.txt", FileType::Text),
        ] {
            is(name, b"just words", expected);
        }
        is("main.rs", b"fn main() {}", FileType::Code("rust".into()));
    }

    #[test]
    fn binary_data_is_refused_under_every_name_and_a_stray_control_character_is_forgiven() {
        let noise: Vec<u8> = (0..4096u32)
            .map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()[0])
            .collect();
        for name in ["a.md", "a.html", "a.csv", "a.rs", "a.srt", "a.txt", "a"] {
            assert!(of_file(name, &noise).is_err(), "{name}");
        }
        for kind in ["text/html", "text/plain", "application/json", "text/csv"] {
            let page = of_page(Some(kind), "https://x.org/a.html", &noise);
            assert!(page.is_err(), "{kind}");
        }
        assert_eq!(
            of_file("a.md", b"# Install\n\nRun \0 the installer and wait.\n").ok(),
            Some(FileType::Markdown)
        );
    }

    #[test]
    fn a_text_of_mainframes_is_named() {
        // "Heat the kiln slowly to 1200 degrees." in code page 500.
        let text = b"\xc8\x85\x81\xa3@\xa3\x88\x85@\x92\x89\x93\x95@\xa2\x93\x96\xa6\x93\xa8@\xa3\x96@\xf1\xf2\xf0\xf0@\x84\x85\x87\x99\x85\x85\xa2K";
        for name in ["a.txt", "a.md", "a"] {
            let refusal = of_file(name, text).unwrap_err();
            assert!(refusal.message.contains("EBCDIC"), "{}", refusal.message);
        }
        assert!(of_page(Some("text/plain"), "https://x.org/a", text).is_err());
        // A list of addresses in Latin-1 and Cyrillic words in KOI8-R are none.
        let addresses = "@@@@ é@é.org, "
            .repeat(9)
            .chars()
            .map(|c| c as u8)
            .collect::<Vec<u8>>();
        assert!(of_file("a.txt", &addresses).is_ok());
        let words =
            b"\xee\xc1\xc7\xd2\xc5\xca\xd4\xc5 \xd0\xc5\xde\xd8 \xcd\xc5\xc4\xcc\xc5\xce\xce\xcf";
        assert!(of_file("a.txt", words).is_ok());
    }

    #[test]
    fn a_refusal_names_what_is_supported() {
        let refusal = of_file("photo.jpg", b"\xff\xd8\xff\xe0").unwrap_err();
        assert!(refusal.message.starts_with("a picture cannot be read"));
        assert!(refusal.message.contains("PDF, HTML, Markdown"));
    }

    #[test]
    fn a_page_is_told_by_bytes_then_header_then_address() {
        for (kind, address, bytes, told) in [
            ("text/plain", "README.md", "# hi", FileType::Markdown),
            ("text/plain", "a", "hi", FileType::Text),
            ("text/html; charset=utf-8", "", "<p>hi", FileType::Html),
            ("text/html", "", "%PDF-1.4", FileType::Pdf),
            ("text/html", "", "PK\x03\x04", FileType::Zip),
        ] {
            let found = of_page(
                Some(kind),
                &format!("https://x.org/{address}"),
                bytes.as_bytes(),
            );
            assert_eq!(found.ok(), Some(told), "{kind} {address} {bytes}");
        }
        assert_eq!(
            name_in("https://x.org/a/b.tar.gz?x=1").as_deref(),
            Some("b.tar.gz")
        );
        assert_eq!(
            charset("text/html; Charset=\"koi8-r\"").as_deref(),
            Some("koi8-r")
        );
    }
}
