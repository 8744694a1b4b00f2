//! Owns how what was read of a source, piece by piece, becomes its one document: files in a row, pages of a site, a page with its twin.

use crate::domain::not_text;
use crate::domain::source::SourceType;
use crate::pipeline::product::{Extracted, Origin};
use serde::{Deserialize, Serialize};
use skillkiln_document::blocks::{About, Block, BlockKind, Document, Span};
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_document::text::Inline;
use skillkiln_readers::builder::each_span;
use skillkiln_readers::{finish, invisible, parts, pointers};
use url::Url;

/// How a document is put together of those that were read, and where it comes from.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::pipeline) struct Assembly {
    /// Of which.
    pub(in crate::pipeline) parts: Parts,
    /// Where it comes from.
    pub(in crate::pipeline) origin: Origin,
    /// Words that a fetched page or a file has at least (decision 64); a text was counted when it was sent.
    pub(in crate::pipeline) words_min: usize,
}

/// What a document is made of.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::pipeline) enum Parts {
    /// All that was read, as it is.
    Whole,
    /// Files of a repository, of which so many more were too many.
    Chosen {
        /// How many were left out.
        left_out: usize,
    },
    /// Files under these names, in the order in which they were read.
    Files(Vec<String>),
    /// Pages in their order, and how many more of their site could not be read.
    Pages {
        /// The pages, the one that was asked for first.
        pages: Vec<PagePart>,
        /// How many could not be read.
        failed: usize,
    },
}

/// A page that was read.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::pipeline) struct PagePart {
    /// The number of its document among those that were read.
    pub(in crate::pipeline) document: usize,
    /// Where it was found.
    pub(in crate::pipeline) address: String,
    /// What the page says of itself whose twin this is.
    pub(in crate::pipeline) twin_of: Option<Said>,
}

/// What a page says of itself.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(in crate::pipeline) struct Said {
    /// Its title.
    pub(in crate::pipeline) title: Option<String>,
    /// Everything else.
    pub(in crate::pipeline) about: About,
}

/// Puts a document together and mends what is mended in every document.
///
/// # Errors
/// A [`Failure`] when there is nothing to read in it.
pub(in crate::pipeline) fn assemble(
    read: &mut [Option<Document>],
    assembly: Assembly,
) -> Result<Extracted, Failure> {
    let mut document = match assembly.parts {
        Parts::Whole => take(read, 0),
        Parts::Chosen { left_out } => {
            let mut document = take(read, 0);
            match left_out {
                0 => {}
                1 => remark(
                    &mut document,
                    "One more file of this repository was not read.",
                ),
                n => remark(
                    &mut document,
                    &format!("{n} more files of this repository were not read."),
                ),
            }
            document
        }
        Parts::Files(names) => files(read, names)?,
        Parts::Pages { pages, failed } => together(read, pages, failed),
    };
    invisible::clear_document(&mut document);
    if document.is_blank() {
        return Err(Failure::new(
            Reason::Unreadable,
            "there is no text in this source; send one that holds words",
        ));
    }
    if let Some(failure) = pointers::refusal(&document.text) {
        return Err(failure);
    }
    let origin = assembly.origin;
    if origin.kind != SourceType::Text
        && let Some(refusal) = not_text::too_short_inside(&document.text, assembly.words_min)
    {
        let message = match origin.kind {
            SourceType::File => format!("{}: {refusal}", origin.label),
            _ => refusal,
        };
        return Err(Failure::new(Reason::Unreadable, message));
    }
    finish::finish(&mut document);
    Ok(Extracted { document, origin })
}

fn take(read: &mut [Option<Document>], number: usize) -> Document {
    read.get_mut(number)
        .and_then(Option::take)
        .unwrap_or_default()
}

fn files(read: &mut [Option<Document>], names: Vec<String>) -> Result<Document, Failure> {
    let mut documents = Vec::with_capacity(names.len());
    for (number, filename) in names.into_iter().enumerate() {
        let document = take(read, number);
        if document.is_blank() {
            return Err(Failure::new(
                Reason::Unreadable,
                format!("{filename}: there is no text in this file; send one that holds words"),
            ));
        }
        documents.push((filename, document));
    }
    if documents.len() > 1 {
        return Ok(parts::join(documents));
    }
    let single = documents.pop();
    Ok(single
        .map(|(filename, document)| parts::titled(&filename, document))
        .unwrap_or_default())
}

/// One document of the pages of a site.
fn together(read: &mut [Option<Document>], pages: Vec<PagePart>, failed: usize) -> Document {
    let mut pages = pages.into_iter().map(|page| {
        let mut document = take(read, page.document);
        if let Some(said) = page.twin_of {
            document = joined(document, said);
        }
        let address = document
            .about
            .address
            .get_or_insert_with(|| page.address.clone());
        let _ = address;
        (page.address, document)
    });
    let Some((address, first)) = pages.next() else {
        return Document::default();
    };
    let (title, about) = (first.title.clone(), first.about.clone());
    let mut documents = vec![(name_of(&address), first)];
    documents.extend(pages.map(|(own, mut document)| {
        if own != address {
            placed(&mut document.blocks, &own);
        }
        (name_of(&own), document)
    }));
    let mut document = match documents.len() {
        1 => documents.pop().map(|(_, only)| only).unwrap_or_default(),
        _ => parts::join(documents),
    };
    document.title = title;
    document.about = about;
    match failed {
        0 => {}
        1 => remark(&mut document, &format!("One more page{UNREAD}")),
        n => remark(&mut document, &format!("{n} more pages{UNREAD}")),
    }
    document
}

/// What is said at the end of a site of which pages could not be read.
const UNREAD: &str = " of this site could not be read.";

/// What a document says of the pages of its site that could not be read.
pub(in crate::pipeline) fn unread(document: &Document) -> Option<String> {
    let last = document.blocks.last()?;
    let said = document.text.get(last.span.bytes.clone())?;
    said.ends_with(UNREAD).then(|| said.to_owned())
}

/// Says at the end of a document what is not in it.
fn remark(document: &mut Document, words: &str) {
    let start = document.text.len();
    document.text.push_str(words);
    let span = Span::of(start..document.text.len());
    document.text.push('\n');
    document.blocks.push(Block {
        kind: BlockKind::Paragraph(vec![Inline::Text(words.to_owned())]),
        span,
    });
}

/// The content of a page's twin under what the page says of itself.
fn joined(mut twin: Document, page: Said) -> Document {
    let about = page.about;
    twin.title = twin.title.or(page.title);
    twin.about = About {
        author: about.author.or(twin.about.author),
        date: about.date.or(twin.about.date),
        language: about.language.or(twin.about.language),
        address: about.address.or(twin.about.address),
        site: about.site.or(twin.about.site),
        description: about.description.or(twin.about.description),
        // Its lines are not those of the page that was asked for.
        is_verbatim: false,
    };
    twin
}

/// Blocks of another page than the first are found under that page's whole address.
fn placed(blocks: &mut [Block], address: &str) {
    each_span(blocks, &mut |span| {
        let fragment = span.fragment().unwrap_or_default();
        let whole = match fragment.trim_start_matches('#') {
            "" => address.to_owned(),
            fragment => format!("{address}#{fragment}"),
        };
        span.landmark_mut().fragment = Some(whole);
    });
}

/// A name for a page without a title.
fn name_of(address: &str) -> String {
    let path = Url::parse(address).map(|url| url.path().to_owned());
    let path = path.unwrap_or_default();
    let name = path.trim_end_matches('/').rsplit('/').next();
    name.filter(|name| !name.is_empty())
        .unwrap_or("page")
        .to_owned()
}
