//! Reads the front matter of Markdown into what the document says of itself.

use serde::Deserialize;
use serde::de::IgnoredAny;
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
    author: Option<Words>,
    date: Option<Words>,
    lang: Option<String>,
    language: Option<String>,
}

/// What is said of a document, as far as it is words.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Words {
    One(String),
    Several(Vec<String>),
    /// Fields of fields, as those of an Internet-Draft's authors.
    Other(IgnoredAny),
}

impl Words {
    fn joined(self) -> Option<String> {
        match self {
            Self::One(words) => Some(words),
            Self::Several(words) => Some(words.join(", ")),
            Self::Other(_) => None,
        }
    }
}

pub(super) fn read_front_matter(text: &str) -> (Option<String>, About) {
    if text.len() > FRONT_MATTER_BYTES_MAX {
        return Default::default();
    }
    let options =
        serde_saphyr::options! { duplicate_keys: serde_saphyr::DuplicateKeyPolicy::FirstWins };
    let Ok(fields) = serde_saphyr::from_str_with_options::<FrontMatter>(text, options) else {
        return Default::default();
    };
    let about = About {
        author: fields.author.and_then(Words::joined),
        date: fields.date.and_then(Words::joined),
        language: fields.lang.or(fields.language),
        description: fields.description.or(fields.summary),
        ..About::default()
    };
    (fields.title.or(fields.name), about)
}
