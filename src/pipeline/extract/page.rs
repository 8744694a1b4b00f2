//! Reads what an address leads to: the page itself, or its twin in Markdown where the site offers one or only scripts would fill
//! the page.
//!
//! ```text
//! address ─▶ page ─▶ reader of its type ─▶ document
//!              │ twin offered: <link rel=alternate type=text/markdown>
//!              └ filled by scripts: the data of its scripts, the address with .md, /llms.txt
//! ```

use crate::pipeline::assembly::{PagePart, Said};
use crate::pipeline::extract::Reader;
use crate::pipeline::handle::{JobHandle, Piece};
use crate::pipeline::job::Material;
use crate::providers::web::Page;
use bytes::Bytes;
use skillkiln_document::failure::Failure;
use skillkiln_readers::file_type::{self, FileType};
use skillkiln_readers::html::links::Links;
use skillkiln_readers::readers::Task;
use url::Url;

/// A twin with fewer words is none.
const WORDS_MIN: usize = 25;

/// An address, read.
#[derive(Debug)]
pub(super) struct Found {
    /// What was read of it.
    pub(super) read: Piece,
    /// What the page says of itself, where its twin was read instead.
    pub(super) twin_of: Option<Said>,
    /// Where it was found after all redirects.
    pub(super) address: String,
    /// What was delivered.
    pub(super) bytes: Bytes,
    /// As what it was read.
    pub(super) material: Material,
    /// Where it leads, when that was asked for and it is a web page.
    pub(super) links: Links,
}

impl Found {
    /// What it is called.
    pub(super) fn title(&self) -> Option<&str> {
        let page = self.twin_of.as_ref();
        let title = self.read.summary.title.as_deref();
        title.or_else(|| page?.title.as_deref())
    }

    /// What it calls its one true address, or where it was found.
    pub(super) fn canonical(&self) -> &str {
        let page = self.twin_of.as_ref();
        let of_page = page.and_then(|page| page.about.address.as_deref());
        let own = self.read.summary.about.address.as_deref();
        of_page.or(own).unwrap_or(&self.address)
    }

    /// What it adds to a document.
    pub(super) fn part(self) -> PagePart {
        PagePart {
            document: self.read.summary.document,
            address: self.address,
            twin_of: self.twin_of,
        }
    }
}

/// Markdown that was read instead of a page.
struct Twin {
    read: Piece,
    bytes: Bytes,
    material: Material,
}

/// Reads the page at `address`; `with_links` tells whether it matters where it leads.
pub(super) async fn read(
    reader: &Reader,
    handle: &JobHandle,
    address: &str,
    with_links: bool,
) -> Result<Found, Failure> {
    let page = handle.away(reader.web.fetch(address)).await?;
    let file_type = type_of(&page)?;
    let is_html = file_type == FileType::Html;
    let offers_twin = is_html && contains(&page.bytes, b"text/markdown");
    let with_links = is_html && (with_links || offers_twin);
    let material = material(reader, file_type, &page, with_links);
    let mut read = handle.read(material.clone(), page.bytes.clone()).await?;
    let links = std::mem::take(&mut read.summary.links);
    let twin = match (&read.summary.failure, &links.markdown) {
        (Some(_), offered) => instead(reader, handle, &page, offered.as_ref()).await,
        (None, Some(twin)) if is_same_site(twin, &page.final_address) => {
            let enough = read.summary.words.max(WORDS_MIN) / 10 * 8;
            markdown_at(reader, handle, twin.as_str())
                .await
                .filter(|twin| twin.read.summary.words >= enough)
        }
        (None, _) => None,
    };
    let address = page.final_address;
    if let Some(twin) = twin {
        let said = match read.summary.failure {
            Some(_) => Said::default(),
            None => Said {
                title: read.summary.title,
                about: read.summary.about,
            },
        };
        return Ok(Found {
            read: twin.read,
            twin_of: Some(said),
            address,
            bytes: twin.bytes,
            material: twin.material,
            links,
        });
    }
    match read.summary.failure.take() {
        Some(failure) => Err(failure),
        None => Ok(Found {
            read,
            twin_of: None,
            address,
            bytes: page.bytes,
            material,
            links,
        }),
    }
}

/// What can be read instead of a page that scripts fill; at most four requests.
async fn instead(
    reader: &Reader,
    handle: &JobHandle,
    page: &Page,
    offered: Option<&Url>,
) -> Option<Twin> {
    let address = Url::parse(&page.final_address).ok()?;
    if let Some(twin) = offered.filter(|twin| is_same_site(twin, &page.final_address))
        && let Some(found) = markdown_at(reader, handle, twin.as_str()).await
    {
        return Some(found);
    }
    if contains(&page.bytes, b"___gatsby")
        && let Some(found) = gatsby(reader, handle, &address).await
    {
        return Some(found);
    }
    let path = address.path().trim_end_matches('/').to_owned();
    if !path.is_empty()
        && let Some(twin) = sibling(&address, &format!("{path}.md"))
        && let Some(found) = markdown_at(reader, handle, twin.as_str()).await
    {
        return Some(found);
    }
    let list = sibling(&address, "/llms.txt")?;
    let found = markdown_at(reader, handle, list.as_str()).await?;
    if path.is_empty() {
        return Some(found);
    }
    // The list names the page, usually as its twin.
    let base = Url::parse(list.as_str()).ok()?;
    let listed = found.read.summary.text_links.iter();
    let twin = listed.filter_map(|href| base.join(href).ok()).find(|url| {
        let listed = url.path().trim_end_matches('/');
        let listed = listed.strip_suffix(".md").unwrap_or(listed);
        listed.trim_end_matches("/index") == path.trim_end_matches(".html")
    })?;
    if !is_same_site(&twin, &page.final_address) || twin == address {
        return None;
    }
    markdown_at(reader, handle, twin.as_str()).await
}

/// The data that Gatsby keeps beside each page.
async fn gatsby(reader: &Reader, handle: &JobHandle, address: &Url) -> Option<Twin> {
    let path = match address.path().trim_matches('/') {
        "" => "index".to_owned(),
        path => path.to_owned(),
    };
    let data = sibling(address, &format!("/page-data/{path}/page-data.json"))?;
    let page = handle.away(reader.web.fetch(data.as_str())).await.ok()?;
    let material = Material::Carried {
        address: address.to_string(),
    };
    let read = handle.read(material.clone(), page.bytes.clone()).await;
    Some(Twin {
        read: read.ok()?,
        bytes: page.bytes,
        material,
    })
}

/// What stands at `address`, when it is Markdown or plain text with something to say.
async fn markdown_at(reader: &Reader, handle: &JobHandle, address: &str) -> Option<Twin> {
    let page = handle.away(reader.web.fetch(address)).await.ok()?;
    let file_type = type_of(&page).ok()?;
    if !matches!(file_type, FileType::Markdown | FileType::Text) {
        return None;
    }
    let material = material(reader, FileType::Markdown, &page, false);
    let read = handle.read(material.clone(), page.bytes.clone()).await;
    let read = read.ok()?;
    (read.summary.words >= WORDS_MIN).then_some(Twin {
        read,
        bytes: page.bytes,
        material,
    })
}

fn type_of(page: &Page) -> Result<FileType, Failure> {
    file_type::of_page(
        page.content_type.as_deref(),
        &page.final_address,
        &page.bytes,
    )
}

fn material(reader: &Reader, file_type: FileType, page: &Page, with_links: bool) -> Material {
    let charset = page.content_type.as_deref().and_then(file_type::charset);
    Material::Page {
        task: Task {
            file_type,
            charset,
            address: Some(page.final_address.clone()),
            filename: file_type::name_in(&page.final_address),
            limits: reader.limits.clone(),
        },
        with_links,
    }
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
