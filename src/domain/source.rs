//! Owns what a source is: an address, a file or text, and how its kind is told from what was sent (decisions 18 and 19).

use crate::domain::clock::Timestamp;
use crate::domain::id::{SourceId, UserId};
use serde::{Deserialize, Serialize};
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
            _ => Err(Unfit("max_pages is for web addresses only")),
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
pub struct Unfit(pub &'static str);

/// Settles the kind of a value sent without a file name. `explicit` wins over detection where the value can be of that kind.
///
/// # Errors
/// [`Unfit`] when an explicit kind cannot fit the value, or the value is an address of a scheme we do not read.
pub fn resolve(value: &str, explicit: Option<SourceType>) -> Result<Source, Unfit> {
    let trimmed = value.trim();
    // What nobody can see is as blank as a space.
    if trimmed.chars().all(is_unseen) {
        return Err(Unfit("source is empty"));
    }
    let text = || Source::Text {
        text: value.to_owned(),
    };
    match explicit {
        Some(SourceType::Text) => Ok(text()),
        Some(SourceType::File) => Err(Unfit(
            "source_type is file, but source was not sent as a file",
        )),
        Some(SourceType::Url) => match web_address(trimmed) {
            Some(_) => Ok(Source::Url {
                address: trimmed.to_owned(),
                pages: 1,
            }),
            None => Err(Unfit(
                "source_type is url, but source is not an http or https address",
            )),
        },
        Some(SourceType::Youtube) => {
            match web_address(trimmed).or_else(|| web_address(&format!("https://{trimmed}"))) {
                Some(url) if is_video_host(&url) => Ok(Source::Youtube {
                    address: url.into(),
                }),
                _ => Err(Unfit(
                    "source_type is youtube, but source is not an address of a YouTube host",
                )),
            }
        }
        None => match web_address(trimmed) {
            Some(url) if is_video_host(&url) => Ok(Source::Youtube {
                address: trimmed.to_owned(),
            }),
            Some(_) => Ok(Source::Url {
                address: trimmed.to_owned(),
                pages: 1,
            }),
            None if is_lone_address(trimmed) => Err(Unfit(
                "source is an address, but not one of http or https that can be read",
            )),
            None if is_misspelt_address(trimmed) => Err(Unfit(
                "source looks like an address, but is none: write it as https://host/path, or send source_type=text",
            )),
            None => Ok(text()),
        },
    }
}

/// An http or https address with a host and no white space inside.
fn web_address(value: &str) -> Option<Url> {
    let scheme = value
        .get(..8)
        .map(str::to_ascii_lowercase)
        .or_else(|| value.get(..7).map(str::to_ascii_lowercase))?;
    if !(scheme.starts_with("http://") || scheme.starts_with("https://"))
        || value.chars().any(char::is_whitespace)
    {
        return None;
    }
    Url::parse(value).ok().filter(Url::has_host)
}

/// A single `scheme://…` token, of any scheme.
fn is_lone_address(value: &str) -> bool {
    let Some((scheme, _)) = value.split_once("://") else {
        return false;
    };
    !scheme.is_empty()
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        && !value.chars().any(char::is_whitespace)
}

/// A single token that begins as an address of http or https does, and does not go on as one.
fn is_misspelt_address(value: &str) -> bool {
    let scheme = value.split_once(':').map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| {
        ["http", "https"]
            .iter()
            .any(|read| scheme.eq_ignore_ascii_case(read))
    }) && !value.chars().any(char::is_whitespace)
}

/// The address that somebody typed without its scheme, as browsers show them: `example.org/guide`. None when it is no such thing.
#[must_use]
pub fn without_scheme(value: &str) -> Option<String> {
    let value = value.trim();
    let host = value.split(['/', '?', '#']).next()?;
    let host = match host.split_once(':') {
        Some((host, port)) if port.parse::<u16>().is_ok() => host,
        Some(_) => return None,
        None => host,
    };
    let is_label =
        |label: &str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-');
    let (rest, last) = host.rsplit_once('.')?;
    let is_host = rest.split('.').all(is_label)
        && last.len() >= 2
        && last.chars().all(|c| c.is_ascii_alphabetic());
    let address = format!("https://{value}");
    (is_host && web_address(&address).is_some()).then_some(address)
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
        resolve(value, None).ok().map(|source| source.kind())
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
            assert!(resolve(blank, None).is_err(), "{blank:?}");
        }
        assert!(resolve("\u{200b}a", None).is_ok());
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
    fn an_address_that_was_typed_without_its_scheme_is_known() {
        for typed in [
            "www.youtube.com/watch?v=abc",
            "example.org/guide.html",
            "example.org",
            " docs.example.org:8080/a#b ",
            "example.org?q=1",
        ] {
            let address = format!("https://{}", typed.trim());
            assert_eq!(without_scheme(typed), Some(address), "{typed}");
        }
        for other in [
            "",
            "words",
            "and/or",
            "see example.org/a",
            "1.5",
            "v1.2.3",
            "/etc/passwd",
            "C:\\x.pdf",
            "a..b",
            ".org",
            "https://example.org",
            "ann@example.org",
            "example.org:x/",
        ] {
            assert_eq!(without_scheme(other), None, "{other}");
        }
    }

    #[test]
    fn an_explicit_kind_wins_where_it_fits() {
        let address = "https://example.org";
        assert_eq!(
            resolve(address, Some(SourceType::Text)),
            Ok(Source::Text {
                text: address.into()
            })
        );
        assert!(resolve("words", Some(SourceType::Url)).is_err());
        assert!(resolve(address, Some(SourceType::Youtube)).is_err());
        assert!(resolve(address, Some(SourceType::File)).is_err());
        assert_eq!(
            resolve("https://youtu.be/x", Some(SourceType::Url)).map(|s| s.kind()),
            Ok(SourceType::Url)
        );
    }
}
