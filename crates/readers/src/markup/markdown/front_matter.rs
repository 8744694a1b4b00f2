//! Reads the front matter of Markdown into what the document says of itself.

use serde::Deserialize;
use skillkiln_document::blocks::About;

/// Front matter longer than this is not read.
const FRONT_MATTER_BYTES_MAX: usize = 64 << 10;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct FrontMatter {
    title: Option<String>,
    name: Option<String>,
    description: Option<String>,
    summary: Option<String>,
    author: Option<Authors>,
    date: Option<String>,
    lang: Option<String>,
    language: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Authors {
    One(String),
    Several(Vec<String>),
}

pub(super) fn read_front_matter(text: &str) -> (Option<String>, About) {
    if text.len() > FRONT_MATTER_BYTES_MAX {
        return Default::default();
    }
    let Ok(fields) = serde_saphyr::from_str::<FrontMatter>(text) else {
        return Default::default();
    };
    let about = About {
        author: fields.author.map(|authors| match authors {
            Authors::One(name) => name,
            Authors::Several(names) => names.join(", "),
        }),
        date: fields.date,
        language: fields.lang.or(fields.language),
        description: fields.description.or(fields.summary),
        ..About::default()
    };
    (fields.title.or(fields.name), about)
}
