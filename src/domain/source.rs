//! Owns what a source is: an address, a file or text, and how its kind is told from what was sent (decisions 18, 19 and 64).

use crate::domain::address::{is_lone_address, is_misspelt_address, web_address};
use crate::domain::clock::Timestamp;
use crate::domain::id::{SourceId, UserId};
use crate::domain::not_text;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use url::Url;

/// The four kinds of source, as the interface names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceType {
    /// A video address.
    Youtube,
    /// A web address.
    Url,
    /// An uploaded file.
    File,
    /// Raw text.
    Text,
}

impl SourceType {
    /// The word used on the wire and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Youtube => "youtube",
            Self::Url => "url",
            Self::File => "file",
            Self::Text => "text",
        }
    }

    /// Reads [`SourceType::as_str`] back.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Youtube, Self::Url, Self::File, Self::Text]
            .into_iter()
            .find(|kind| kind.as_str() == word)
    }
}

/// A source whose kind is settled, as a run carries it. File bytes lie in the blob store under their digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Source {
    /// A video address.
    Youtube {
        /// The address as sent.
        address: String,
    },
    /// A web address.
    Url {
        /// The address as sent.
        address: String,
        /// How many pages of its site are read; 1 for the page alone.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        pages: u32,
    },
    /// Uploaded files; several make one document with parts.
    File {
        /// The files in order.
        files: Vec<StoredFile>,
    },
    /// Raw text.
    Text {
        /// The text.
        text: String,
    },
}

/// A file that was sent to us and lies in the blob store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredFile {
    /// Its cleaned base name.
    pub filename: String,
    /// SHA-256 of its bytes, in hexadecimal: its address in the blob store.
    pub digest: String,
    /// Its length in bytes.
    pub size_bytes: u64,
    /// The uploaded source it came from, whose status follows the run; `None` when it was sent along with the order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_id: Option<SourceId>,
}

const fn one() -> u32 {
    1
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the serializer hands out references"
)]
const fn is_one(pages: &u32) -> bool {
    *pages == 1
}

impl Source {
    /// The same source with this many pages of its site.
    ///
    /// # Errors
    /// [`Unfit`] when it is no web address, which alone has pages.
    pub fn with_pages(self, pages: u32) -> Result<Self, Unfit> {
        match self {
            Self::Url { address, .. } => Ok(Self::Url { address, pages }),
            other if pages == 1 => Ok(other),
            _ => Err("max_pages is for web addresses only".into()),
        }
    }

    /// The uploaded sources it is made of.
    #[must_use]
    pub fn uploaded(&self) -> Vec<SourceId> {
        match self {
            Self::File { files } => files.iter().filter_map(|file| file.source_id).collect(),
            Self::Youtube { .. } | Self::Url { .. } | Self::Text { .. } => Vec::new(),
        }
    }

    /// The digests of the files it is made of.
    #[must_use]
    pub fn digests(&self) -> Vec<String> {
        match self {
            Self::File { files } => files.iter().map(|file| file.digest.clone()).collect(),
            Self::Youtube { .. } | Self::Url { .. } | Self::Text { .. } => Vec::new(),
        }
    }

    /// Its kind.
    #[must_use]
    pub const fn kind(&self) -> SourceType {
        match self {
            Self::Youtube { .. } => SourceType::Youtube,
            Self::Url { .. } => SourceType::Url,
            Self::File { .. } => SourceType::File,
            Self::Text { .. } => SourceType::Text,
        }
    }

    /// What a person is shown in a list: the address, the file names, or the first 80 characters of the text.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Youtube { address } | Self::Url { address, .. } => address.clone(),
            Self::File { files } => files
                .iter()
                .map(|file| file.filename.as_str())
                .collect::<Vec<_>>()
                .join(", "),
            Self::Text { text } => {
                let line =
                    skillkiln_document::text::squash(&text.chars().take(400).collect::<String>());
                let head: String = line.chars().take(80).collect();
                if head.len() < line.len() {
                    format!("{head}…")
                } else {
                    head
                }
            }
        }
    }
}

/// Why a value cannot be the kind of source that was asked for. The message tells the sender what to change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit(pub Cow<'static, str>);

impl From<&'static str> for Unfit {
    fn from(message: &'static str) -> Self {
        Self(message.into())
    }
}

/// Settles the kind of a value sent without a file name. `explicit` wins over detection where the value can be of that kind. A text
/// has at least `words_min` words, whoever says that it is one: an explicit `text` keeps an address from being read as one, and makes no
/// skill of three words (decision 64).
///
/// # Errors
/// [`Unfit`] when an explicit kind cannot fit the value, the value is an address of a scheme we do not read, or no text.
pub fn resolve(
    value: &str,
    explicit: Option<SourceType>,
    words_min: usize,
) -> Result<Source, Unfit> {
    let trimmed = value.trim();
    // What nobody can see is as blank as a space.
    if trimmed.chars().all(is_unseen) {
        return Err("source is empty".into());
    }
    let text = || match not_text::too_short(value, words_min) {
        Some(refusal) => Err(Unfit(refusal.into())),
        None => Ok(Source::Text {
            text: value.to_owned(),
        }),
    };
    let web = || Source::Url {
        address: trimmed.to_owned(),
        pages: 1,
    };
    match explicit {
        Some(SourceType::Text) => text(),
        Some(SourceType::File) => {
            Err("source_type is file, but source was not sent as a file".into())
        }
        Some(SourceType::Url) => match web_address(trimmed) {
            Some(_) => Ok(web()),
            None => Err("source_type is url, but source is not an http or https address".into()),
        },
        Some(SourceType::Youtube) => {
            match web_address(trimmed).or_else(|| web_address(&format!("https://{trimmed}"))) {
                Some(url) if is_video_host(&url) => Ok(Source::Youtube {
                    address: url.into(),
                }),
                _ => Err(
                    "source_type is youtube, but source is not an address of a YouTube host".into(),
                ),
            }
        }
        None => match web_address(trimmed) {
            Some(url) if is_video_host(&url) => Ok(Source::Youtube {
                address: trimmed.to_owned(),
            }),
            Some(_) => Ok(web()),
            None if is_lone_address(trimmed) => {
                Err("source is an address, but not one of http or https that can be read".into())
            }
            None if is_misspelt_address(trimmed) => Err("source looks like an address, but is none: write it as https://host/path, or send source_type=text".into()),
            None => match not_text::mistaken(trimmed) {
                Some(mistake) => Err(mistake.advice().into()),
                None => text(),
            },
        },
    }
}

/// Whether an address belongs to a YouTube host (decision 60). Look-alikes such as `youtube.com.example.org` do not.
#[must_use]
pub fn is_video_host(url: &Url) -> bool {
    let Some(host) = url.host_str() else {
        return false;
    };
    let host = host.trim_end_matches('.');
    let bare = ["www.", "m.", "music."]
        .iter()
        .find_map(|label| host.strip_prefix(label))
        .unwrap_or(host);
    matches!(
        bare,
        "youtube.com" | "youtube-nocookie.com" | "youtubekids.com"
    ) || host == "youtu.be"
        || host == "www.youtu.be"
}

/// Where an uploaded source stands (decision 30).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceStatus {
    /// It lies in the blob store.
    Uploaded,
    /// A run that is paid for reads it, or waits to.
    Processing,
    /// The last run on it made a skill.
    Ready,
    /// The last run on it failed.
    Failed,
    /// It was not used for 24 h and is gone.
    Expired,
}

impl SourceStatus {
    /// All of them, in order.
    pub const ALL: [Self; 5] = [
        Self::Uploaded,
        Self::Processing,
        Self::Ready,
        Self::Failed,
        Self::Expired,
    ];

    /// The word on the wire and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Uploaded => "uploaded",
            Self::Processing => "processing",
            Self::Ready => "ready",
            Self::Failed => "failed",
            Self::Expired => "expired",
        }
    }

    /// Reads [`SourceStatus::as_str`] back.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }
}

/// An uploaded source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSource {
    /// Its identity.
    pub id: SourceId,
    /// Whose it is.
    pub user_id: UserId,
    /// Its cleaned base name.
    pub filename: String,
    /// Its lower-case extension, confirmed by the bytes.
    pub extension: String,
    /// Its length.
    pub size_bytes: u64,
    /// SHA-256 of its bytes, in hexadecimal.
    pub digest: String,
    /// Where it stands.
    pub status: SourceStatus,
    /// When it was uploaded.
    pub created_at: Timestamp,
}

/// Whether a character leaves no trace: white space, a control character, a mark of no width.
fn is_unseen(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(value: &str) -> Option<SourceType> {
        resolve(value, None, 2).ok().map(|source| source.kind())
    }

    #[test]
    fn the_pages_of_a_site_are_kept_with_the_order_and_only_addresses_have_them() {
        let site = Source::Url {
            address: "https://example.com/docs/".into(),
            pages: 1,
        };
        let plain = serde_json::to_string(&site).unwrap();
        assert!(!plain.contains("pages"), "as it was written before");
        let asked = site.with_pages(7).unwrap();
        let kept = serde_json::to_string(&asked).unwrap();
        assert_eq!(serde_json::from_str::<Source>(&kept).unwrap(), asked);
        let old: Source = serde_json::from_str(&plain).unwrap();
        assert!(matches!(old, Source::Url { pages: 1, .. }));
        let text = Source::Text {
            text: "words".into(),
        };
        assert!(text.clone().with_pages(1).is_ok());
        assert!(text.with_pages(2).is_err());
    }

    #[test]
    fn a_source_of_characters_that_nobody_sees_is_blank() {
        for blank in ["", " \n\t ", "\u{a0}\u{200b}\u{feff}", "\u{1}\u{2}"] {
            assert!(resolve(blank, None, 0).is_err(), "{blank:?}");
        }
        assert!(resolve("\u{200b}a", None, 1).is_ok());
    }

    #[test]
    fn the_kind_is_told_from_the_value() {
        assert_eq!(
            kind("https://www.youtube.com/watch?v=abc"),
            Some(SourceType::Youtube)
        );
        assert_eq!(kind("https://youtu.be/abc"), Some(SourceType::Youtube));
        assert_eq!(
            kind("HTTPS://music.youtube.com/watch?v=abc"),
            Some(SourceType::Youtube)
        );
        assert_eq!(
            kind("https://youtube.com.example.org/watch"),
            Some(SourceType::Url)
        );
        assert_eq!(kind(" https://example.org/a "), Some(SourceType::Url));
        assert_eq!(
            kind("see https://example.org/a for more"),
            Some(SourceType::Text)
        );
        assert_eq!(kind("ftp://example.org/a"), None);
        assert_eq!(kind("file:///etc/passwd"), None);
        assert_eq!(kind("http://"), None);
        for misspelt in [
            "http:/example.org/guide",
            "HTTPS:example.org",
            "http:\\\\a\\",
        ] {
            assert_eq!(kind(misspelt), None, "{misspelt}");
        }
        assert_eq!(kind("https: what it is"), Some(SourceType::Text));
        assert_eq!(kind("just words"), Some(SourceType::Text));
        assert_eq!(kind("  \n "), None);
    }

    #[test]
    fn an_explicit_kind_wins_where_it_fits() {
        let address = "https://example.org";
        assert_eq!(
            resolve(address, Some(SourceType::Text), 1),
            Ok(Source::Text {
                text: address.into()
            })
        );
        assert!(resolve("words", Some(SourceType::Url), 1).is_err());
        assert!(resolve(address, Some(SourceType::Youtube), 1).is_err());
        assert!(resolve(address, Some(SourceType::File), 1).is_err());
        assert_eq!(
            resolve("https://youtu.be/x", Some(SourceType::Url), 1).map(|s| s.kind()),
            Ok(SourceType::Url)
        );
    }

    #[test]
    fn a_text_of_fewer_words_than_a_skill_needs_is_none_whoever_says_that_it_is_one() {
        let words = |count: usize| "kiln ".repeat(count);
        for explicit in [None, Some(SourceType::Text)] {
            let refused = resolve(&words(19), explicit, 20).expect_err("too few");
            assert!(refused.0.contains("19") && refused.0.contains("20"));
            assert!(resolve(&words(20), explicit, 20).is_ok());
        }
        // Said to be text, an address is never read as one; nothing is made of its three words either.
        let address = "https://example.org/a";
        assert!(resolve(address, Some(SourceType::Text), 20).is_err());
        let many = format!("{address}\n").repeat(10);
        assert!(resolve(&many, None, 20).is_err());
        assert_eq!(
            resolve(&many, Some(SourceType::Text), 20).map(|source| source.kind()),
            Ok(SourceType::Text)
        );
    }

    #[test]
    fn what_people_and_clients_send_by_mistake_is_refused_with_advice() {
        for (value, advice) in [
            ("youtube.com/watch?v=dQw4w9WgXcQ", "https://"),
            ("www.kiln.example/guide", "https://"),
            ("https://kiln.example/My Guide.html", "%20"),
            ("manual.pdf", "attach the file"),
            ("C:\\Users\\me\\manual.pdf", "attach the file"),
            ("[object Object]", "append"),
            ("undefined", "append"),
        ] {
            // The word count is not what refuses them.
            let refused = resolve(value, None, 0).expect_err(value);
            assert!(refused.0.contains(advice), "{value}: {}", refused.0);
        }
    }
}
