//! Owns how the address of a video is read, in all the forms that people copy.

use crate::domain::source::is_video_host;
use skillkiln_document::failure::{Failure, Reason};
use std::fmt;
use url::Url;

/// A video's identity: eleven characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VideoId(String);

impl VideoId {
    fn parse(text: &str) -> Option<Self> {
        let fits = text.len() == 11
            && text
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
        fits.then(|| Self(text.to_owned()))
    }

    /// The eleven characters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The one address under which everybody knows the video.
    #[must_use]
    pub fn address(&self) -> String {
        format!("https://www.youtube.com/watch?v={}", self.0)
    }
}

impl fmt::Display for VideoId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Which video an address means.
///
/// # Errors
/// When it means a list, a channel or a search, or nothing at all.
pub fn video_id(address: &str) -> Result<VideoId, Failure> {
    let url = parse(address.trim()).ok_or_else(|| wrong("this is not the address of a video"))?;
    read(&url, true)
}

fn parse(address: &str) -> Option<Url> {
    let lower = address.get(..8).unwrap_or(address).to_ascii_lowercase();
    let whole = if lower.starts_with("http://") || lower.starts_with("https://") {
        Url::parse(address)
    } else {
        Url::parse(&format!("https://{}", address.trim_start_matches('/')))
    };
    whole.ok().filter(is_video_host)
}

/// `follow` admits one attribution link, which carries the real address inside.
fn read(url: &Url, follow: bool) -> Result<VideoId, Failure> {
    let parts: Vec<&str> = url
        .path_segments()
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .collect();
    let first = parts.first().copied().unwrap_or_default();
    let second = parts.get(1).copied().unwrap_or_default();
    let query = |name: &str| {
        url.query_pairs()
            .find(|(key, value)| key == name && !value.is_empty())
            .map(|(_, value)| value.into_owned())
    };
    if url
        .host_str()
        .is_some_and(|host| host.trim_end_matches('.').ends_with("youtu.be"))
    {
        return identity(first);
    }
    match first {
        "watch" => match query("v") {
            Some(v) => identity(&v),
            None if !second.is_empty() => identity(second),
            None if query("list").is_some() => Err(list()),
            None => Err(wrong("the address names no video")),
        },
        "embed" if second == "videoseries" => Err(list()),
        "embed" if second == "live_stream" => Err(wrong(
            "this is the address of a channel's live stream; send the address of one recorded video",
        )),
        "shorts" | "live" | "embed" | "v" | "e" | "vi" => identity(second),
        "attribution_link" if follow => query("u")
            .and_then(|inner| url.join(&inner).ok())
            .filter(is_video_host)
            .ok_or_else(|| wrong("the address names no video"))
            .and_then(|inner| read(&inner, false)),
        "playlist" => Err(list()),
        "results" => Err(wrong(
            "this is the address of a search; send the address of one video",
        )),
        "clip" => Err(wrong(
            "this is the address of a clip; send the address of the whole video",
        )),
        "channel" | "c" | "user" | "feed" => Err(channel()),
        name if name.starts_with('@') => Err(channel()),
        // Old and rare pages around a player name it as the usual one does: `/watch_popup?v=`, `/?v=`.
        name => match query("v") {
            Some(v) => identity(&v),
            None if name.is_empty() => Err(channel()),
            None => Err(wrong("the address names no video")),
        },
    }
}

fn identity(text: &str) -> Result<VideoId, Failure> {
    VideoId::parse(text).ok_or_else(|| {
        wrong("the address names no video: its identity has eleven characters; copy the address again")
    })
}

fn list() -> Failure {
    wrong("this is the address of a list of videos; send the address of one of them")
}

fn channel() -> Failure {
    wrong("this is the address of a channel; send the address of one of its videos")
}

fn wrong(message: &str) -> Failure {
    Failure::new(Reason::Unreachable, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_form_of_address_leads_to_the_video() {
        for address in [
            "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
            "https://www.youtube.com/watch?list=PL1&t=3s&v=dQw4w9WgXcQ#t=1",
            "HTTP://YouTube.com/watch?app=desktop&v=dQw4w9WgXcQ",
            "youtube.com/watch?v=dQw4w9WgXcQ",
            "//www.youtube.com/watch?v=dQw4w9WgXcQ",
            "www.youtube.com/watch/dQw4w9WgXcQ",
            "https://m.youtube.com/watch?v=dQw4w9WgXcQ&feature=share",
            "https://www.youtube.com/watch_popup?v=dQw4w9WgXcQ&vq=large",
            "https://www.youtube.com/?v=dQw4w9WgXcQ&feature=youtu.be",
            "youtube.com?v=dQw4w9WgXcQ",
            "https://music.youtube.com/watch?v=dQw4w9WgXcQ",
            "https://www.youtubekids.com/watch?v=dQw4w9WgXcQ",
            "https://youtu.be/dQw4w9WgXcQ?si=abc&t=42",
            "youtu.be/dQw4w9WgXcQ",
            "https://youtu.be./dQw4w9WgXcQ/",
            "https://www.youtube.com/shorts/dQw4w9WgXcQ?feature=share",
            "https://www.youtube.com/live/dQw4w9WgXcQ",
            "https://www.youtube.com/embed/dQw4w9WgXcQ?start=3",
            "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
            "https://www.youtube.com/v/dQw4w9WgXcQ",
            "https://www.youtube.com/e/dQw4w9WgXcQ",
            "https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3DdQw4w9WgXcQ%26feature%3Dshare",
            "  https://youtu.be/dQw4w9WgXcQ\n",
        ] {
            let id = video_id(address).map(|id| id.as_str().to_owned());
            assert_eq!(id.as_deref(), Ok("dQw4w9WgXcQ"), "{address}");
        }
    }

    #[test]
    fn what_is_not_one_video_is_explained() {
        for (address, words) in [
            (
                "https://www.youtube.com/playlist?list=PL123",
                "list of videos",
            ),
            ("https://www.youtube.com/watch?list=PL123", "list of videos"),
            ("https://www.youtube.com/embed/videoseries?list=PL1", "list"),
            ("https://www.youtube.com/@somebody/videos", "channel"),
            ("https://www.youtube.com/channel/UC123", "channel"),
            ("https://www.youtube.com/", "channel"),
            (
                "https://www.youtube.com/results?search_query=rust",
                "search",
            ),
            ("https://www.youtube.com/clip/Ugk123", "clip"),
            ("https://www.youtube.com/watch?v=short", "eleven characters"),
            ("https://www.youtube.com/watch?v=dQw4w9WgXcQQ", "eleven"),
            ("https://youtu.be/", "eleven characters"),
            ("https://www.youtube.com/about", "no video"),
            (
                "https://youtube.com.example.org/watch?v=dQw4w9WgXcQ",
                "not the address",
            ),
            (
                "https://notyoutube.com/watch?v=dQw4w9WgXcQ",
                "not the address",
            ),
            (
                "https://youtube.com@example.org/watch?v=dQw4w9WgXcQ",
                "not the address",
            ),
            (
                "https://www.youtube.com/attribution_link?u=https%3A%2F%2Fexample.org%2Fwatch%3Fv%3DdQw4w9WgXcQ",
                "no video",
            ),
            ("", "not the address"),
        ] {
            let failure = video_id(address).unwrap_err();
            assert!(
                failure.message.contains(words),
                "{address}: {}",
                failure.message
            );
        }
    }

    proptest! {
        #[test]
        fn no_address_makes_the_reader_panic(address in "\\PC{0,80}", tail in "\\PC{0,40}") {
            let _ = video_id(&address);
            let _ = video_id(&format!("https://www.youtube.com/{tail}"));
        }
    }
}
