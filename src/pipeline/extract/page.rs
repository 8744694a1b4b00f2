//! Reads what an address leads to: the page itself, or its twin in Markdown where the site offers one or only scripts would fill
//! the page.
//!
//! ```text
//! address ─▶ page ─▶ reader of its type ─▶ document
//!              │ twin offered: <link rel=alternate type=text/markdown>
//!              └ filled by scripts: the data of its scripts, the address with .md, /llms.txt
//! ```

use crate::pipeline::extract::Reader;
use crate::providers::web::Page;
use bytes::Bytes;
use skillkiln_document::blocks::{About, Document};
use skillkiln_document::failure::Failure;
use skillkiln_document::text::word_count;
use skillkiln_readers::decode;
use skillkiln_readers::file_type::{self, FileType};
use skillkiln_readers::html::links::Links;
use skillkiln_readers::html::{self, embedded, links};
use url::Url;

/// A longer page is not searched for links.
const SEARCHED_BYTES_MAX: usize = 512 << 10;
/// A twin with fewer words is none.
const WORDS_MIN: usize = 25;

/// An address, read.
#[derive(Debug)]
pub(super) struct Found {
    /// What it says.
    pub(super) document: Document,
    /// Where it was found after all redirects.
    pub(super) address: String,
    /// What was delivered.
    pub(super) bytes: Bytes,
    /// Where it leads, when that was asked for and it is a web page.
    pub(super) links: Links,
}

/// Reads the page at `address`; `with_links` tells whether it matters where it leads.
pub(super) async fn read(
    reader: &Reader,
    address: &str,
    with_links: bool,
) -> Result<Found, Failure> {
    let page = reader.web.fetch(address).await?;
    let file_type = type_of(&page)?;
    let is_html = file_type == FileType::Html;
    let offers_twin = is_html && contains(&page.bytes, b"text/markdown");
    let links = if is_html && (with_links || offers_twin) {
        links_of(reader, &page).await?
    } else {
        Links::default()
    };
    let mut read = read_page(reader, file_type, &page).await;
    let mut bytes = page.bytes.clone();
    let is_scripted = is_html && matches!(&read, Err(failure) if failure.message == html::SCRIPTED);
    let twin = if is_scripted {
        instead(reader, &page, links.markdown.as_ref()).await
    } else {
        let enough = read.as_ref().map_or(usize::MAX, |document| {
            word_count(&document.text).max(WORDS_MIN) / 10 * 8
        });
        match &links.markdown {
            Some(twin) if is_same_site(twin, &page.final_address) => {
                markdown_at(reader, twin.as_str())
                    .await
                    .filter(|(document, _)| word_count(&document.text) >= enough)
            }
            _ => None,
        }
    };
    if let Some((document, delivered)) = twin {
        let page_says = read.ok();
        let about = page_says.as_ref().map(|page| page.about.clone());
        let title = page_says.and_then(|page| page.title);
        read = Ok(joined(document, title, about.unwrap_or_default()));
        bytes = delivered;
    }
    let mut document = read?;
    document
        .about
        .address
        .get_or_insert_with(|| page.final_address.clone());
    Ok(Found {
        document,
        address: page.final_address,
        bytes,
        links,
    })
}

/// The twin's content under what the page says of itself.
fn joined(mut twin: Document, title: Option<String>, about: About) -> Document {
    twin.title = twin.title.or(title);
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

/// What can be read instead of a page that scripts fill; at most four requests.
async fn instead(reader: &Reader, page: &Page, offered: Option<&Url>) -> Option<(Document, Bytes)> {
    let address = Url::parse(&page.final_address).ok()?;
    if let Some(twin) = offered.filter(|twin| is_same_site(twin, &page.final_address))
        && let Some(found) = markdown_at(reader, twin.as_str()).await
    {
        return Some(found);
    }
    if contains(&page.bytes, b"___gatsby")
        && let Some(found) = gatsby(reader, &address).await
    {
        return Some(found);
    }
    let path = address.path().trim_end_matches('/').to_owned();
    if !path.is_empty()
        && let Some(twin) = sibling(&address, &format!("{path}.md"))
        && let Some(found) = markdown_at(reader, twin.as_str()).await
    {
        return Some(found);
    }
    let list = sibling(&address, "/llms.txt")?;
    let (document, bytes) = markdown_at(reader, list.as_str()).await?;
    if path.is_empty() {
        return Some((document, bytes));
    }
    // The list names the page, usually as its twin.
    let base = Url::parse(list.as_str()).ok()?;
    let twin = super::site::links_in(&document)
        .into_iter()
        .filter_map(|href| base.join(&href).ok())
        .find(|url| {
            let listed = url.path().trim_end_matches('/');
            let listed = listed.strip_suffix(".md").unwrap_or(listed);
            listed.trim_end_matches("/index") == path.trim_end_matches(".html")
        })?;
    if !is_same_site(&twin, &page.final_address) || twin == address {
        return None;
    }
    markdown_at(reader, twin.as_str()).await
}

/// The data that Gatsby keeps beside each page.
async fn gatsby(reader: &Reader, address: &Url) -> Option<(Document, Bytes)> {
    let path = match address.path().trim_matches('/') {
        "" => "index".to_owned(),
        path => path.to_owned(),
    };
    let data = sibling(address, &format!("/page-data/{path}/page-data.json"))?;
    let page = reader.web.fetch(data.as_str()).await.ok()?;
    let (bytes, base) = (page.bytes.clone(), address.to_string());
    let work = move || html::carried(embedded::of_json(&bytes)?, Some(&base));
    let document = reader.pool.run(work).await.ok()??;
    Some((document, page.bytes))
}

/// The document at `address`, when it is Markdown or plain text with something to say.
async fn markdown_at(reader: &Reader, address: &str) -> Option<(Document, Bytes)> {
    let page = reader.web.fetch(address).await.ok()?;
    let file_type = type_of(&page).ok()?;
    if !matches!(file_type, FileType::Markdown | FileType::Text) {
        return None;
    }
    let document = read_page(reader, FileType::Markdown, &page).await.ok()?;
    (word_count(&document.text) >= WORDS_MIN).then_some((document, page.bytes))
}

fn type_of(page: &Page) -> Result<FileType, Failure> {
    file_type::of_page(
        page.content_type.as_deref(),
        &page.final_address,
        &page.bytes,
    )
}

async fn read_page(reader: &Reader, file_type: FileType, page: &Page) -> Result<Document, Failure> {
    let charset = page.content_type.as_deref().and_then(file_type::charset);
    let address = Some(page.final_address.clone());
    let name = file_type::name_in(&page.final_address);
    super::read(
        reader,
        file_type,
        page.bytes.clone(),
        charset,
        address,
        name,
    )
    .await
}

async fn links_of(reader: &Reader, page: &Page) -> Result<Links, Failure> {
    let bytes = page.bytes.slice(..page.bytes.len().min(SEARCHED_BYTES_MAX));
    let charset = page.content_type.as_deref().and_then(file_type::charset);
    let address = page.final_address.clone();
    let work = move || links::read(&decode::decode(&bytes, charset.as_deref()), &address);
    reader.pool.run(work).await
}

fn sibling(address: &Url, path: &str) -> Option<Url> {
    let mut url = address.clone();
    url.set_path(path);
    url.set_query(None);
    url.set_fragment(None);
    (url != *address).then_some(url)
}

fn is_same_site(url: &Url, address: &str) -> bool {
    Url::parse(address).is_ok_and(|address| address.origin() == url.origin())
}

fn contains(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|window| window == word)
}
