//! Reads the front matter of Markdown into what the document says of itself.

use serde::Deserialize;
use skillkiln_document::blocks::About;

/// Front matter longer than this is not read.
const FRONT_MATTER_BYTES_MAX: usize = 64 << 10;

/// Front matter that nobody closed: the lines `key: value` below the first `---`, up to the first blank line.
pub(super) fn split_unclosed(body: &str, offset: usize) -> (Option<&str>, &str, usize) {
    let none = (None, body, offset);
    let Some(rest) = body
        .strip_prefix("---\n")
        .or_else(|| body.strip_prefix("---\r\n"))
    else {
        return none;
    };
    let mut length = 0;
    let mut fields = 0;
    for line in rest.split_inclusive('\n') {
        let words = line.trim_end();
        let is_field = words.split_once(':').is_some_and(|(key, value)| {
            !key.is_empty()
                && key
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
                && (value.is_empty() || value.starts_with(' '))
        });
        let goes_on = fields > 0 && (words.starts_with([' ', '\t']) || words.starts_with("- "));
        if !(is_field || goes_on) {
            break;
        }
        fields += 1;
        length += line.len();
    }
    if fields == 0 {
        return none;
    }
    let skipped = body.len() - rest.len() + length;
    (
        rest.get(..length),
        rest.get(length..).unwrap_or(""),
        offset + skipped,
    )
}

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
