//! Decides which reader reads which type of file.

use crate::archive::Within;
use crate::captions;
use crate::data::{code, mail, separated};
use crate::decode;
use crate::file_type::FileType;
use crate::limits::Reading;
use crate::markup::{Markup, docbook, feed, fiction_book, jats, man, markdown, mediawiki};
use crate::package::Budget;
use crate::terminal::without_marks;
use crate::{archive, file_type, html, office, pdf, text, transcript};
use serde::{Deserialize, Serialize};
use skillkiln_document::blocks::Document;
use skillkiln_document::failure::Failure;
use std::borrow::Cow;

/// What a reader has to know besides the bytes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Task {
    /// What the bytes are.
    pub file_type: FileType,
    /// The character set that the server told.
    pub charset: Option<String>,
    /// The page's address, for what its links are relative to.
    pub address: Option<String>,
    /// The file's name, or its path in an archive.
    pub filename: Option<String>,
    /// How much is read.
    pub limits: Reading,
}

/// Reads `bytes` as `task` says.
///
/// # Errors
/// A [`Failure`] that tells the user what to do.
pub fn read(task: &Task, bytes: Cow<'_, [u8]>) -> Result<Document, Failure> {
    let budget = Budget::new(&task.limits, bytes.len());
    read_within(task, bytes, &budget)
}

/// Reads `bytes`, which may have been packed in something larger: `budget` is what that may still unpack to.
///
/// # Errors
/// As [`read`].
fn read_within(task: &Task, bytes: Cow<'_, [u8]>, budget: &Budget) -> Result<Document, Failure> {
    let text = |bytes| {
        let words = decode::line_ends(decode::decode_whole(bytes, task.charset.as_deref()));
        without_marks(words.into()).into_owned()
    };
    let within = Within {
        limits: &task.limits,
        budget,
        member,
    };
    match &task.file_type {
        FileType::Pdf => pdf::read(&bytes, &task.limits),
        FileType::Zip => office::read_zip(&bytes, &within),
        FileType::Tar => budget.deeper(|| archive::read_tar(&bytes, &within)),
        FileType::Compound => office::compound::read(&bytes),
        FileType::RichText => office::rtf::read(&bytes),
        FileType::Gzip => {
            budget.deeper(|| archive::read_gzip(&bytes, task.filename.as_deref(), &within))
        }
        FileType::Html => html::read(&text(bytes), task.address.as_deref()),
        FileType::Markdown => Ok(verbatim(markdown::read(text(bytes)))),
        FileType::Mail => mail::read(&bytes),
        // Wikitext is read by way of a page.
        FileType::Markup(Markup::MediaWiki) => Ok(Markup::MediaWiki.read(text(bytes))),
        // A log may be called `syslog.1`: only what has the macros is a manual page.
        FileType::Markup(Markup::Man) => {
            let text = text(bytes);
            let read = if man::is_man(&text) {
                man::read
            } else {
                text::read
            };
            Ok(verbatim(read(text)))
        }
        FileType::Markup(markup) => Ok(verbatim(markup.read(text(bytes)))),
        FileType::Text => {
            let text = text(bytes);
            let page = page_of(&text).map(|page| html::read_whole(&page));
            Ok(page.unwrap_or_else(|| plain(text)))
        }
        FileType::Subtitles => {
            let text = text(bytes);
            Ok(transcript::read_subtitles(&text).unwrap_or_else(|| plain(text)))
        }
        FileType::Separated(separator) => {
            let text = text(bytes);
            if let Some(document) = talk_in_data(&text) {
                return Ok(document);
            }
            let separator = separator.unwrap_or_else(|| separated::separator_of(&text));
            Ok(separated::read(text, separator))
        }
        FileType::Code(language) => {
            let text = text(bytes);
            let page = (language == "xml").then(|| page_of(&text)).flatten();
            let page = page.map(|page| html::read_whole(&page));
            let read = || talk_in_data(&text).unwrap_or_else(|| code::read(text, language));
            Ok(page.unwrap_or_else(read))
        }
    }
}

/// Reads a file of an archive.
fn member(path: &str, bytes: &[u8], within: &Within<'_>) -> Result<Document, Failure> {
    let task = Task {
        file_type: file_type::of_file(path, bytes)?,
        charset: None,
        address: None,
        filename: Some(path.to_owned()),
        limits: within.limits.clone(),
    };
    read_within(&task, bytes.into(), within.budget)
}

/// The page that a text in XML is written as.
fn page_of(text: &str) -> Option<String> {
    docbook::page(text)
        .or_else(|| jats::page(text))
        .or_else(|| mediawiki::exported(text))
        .or_else(|| feed::page(text))
        .or_else(|| fiction_book::page(text))
}

/// Plain text, or the mark-up that it is evidently written in.
pub fn plain(text: String) -> Document {
    verbatim(text::read(text))
}

/// The talk that structured data is.
fn talk_in_data(text: &str) -> Option<Document> {
    captions::may_be_data(text)
        .then(|| transcript::read_subtitles(text))
        .flatten()
}

/// A document whose text is the source itself.
pub(crate) fn verbatim(mut document: Document) -> Document {
    document.about.is_verbatim = true;
    document
}
