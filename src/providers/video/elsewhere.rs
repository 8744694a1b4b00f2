//! Owns which other video hosts are read, and by which reader of yt-dlp: only readers that are named here, never the generic one,
//! which would call any address.

use crate::providers::video::tracks::{Track, by_preference};
use crate::providers::video::{Chapter, Video, fallback};
use url::Url;

/// Hosts with the name of their reader. A host stands for its subdomains too.
const HOSTS: &[(&str, &str)] = &[
    ("vimeo.com", "vimeo"),
    ("dailymotion.com", "dailymotion"),
    ("dai.ly", "dailymotion"),
    ("ted.com", "tedtalk"),
    ("media.ccc.de", "media.ccc.de"),
    ("loom.com", "loom"),
    ("bilibili.com", "bilibili"),
    ("rutube.ru", "rutube"),
];
/// Tracks that are worth a try.
const TRACKS_MAX: usize = 3;

/// A video of another host, whose captions are still to be fetched.
#[derive(Debug, Clone, PartialEq)]
pub struct Elsewhere {
    /// The video's title.
    pub title: Option<String>,
    /// Who published it.
    pub author: Option<String>,
    /// Its chapters in the order of time.
    pub chapters: Vec<Chapter>,
    /// Where captions are, best first, each with its language. Any host may stand there, so they are fetched as pages are.
    pub tracks: Vec<(String, String)>,
}

/// The reader for the video at `address`, when its host is one of those.
fn reader_of(address: &str) -> Option<&'static str> {
    let url = Url::parse(address).ok()?;
    let host = url.host_str()?.trim_end_matches('.').to_ascii_lowercase();
    if url.path().trim_matches('/').is_empty() {
        return None;
    }
    HOSTS
        .iter()
        .find(|(known, _)| {
            host.strip_suffix(known)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        })
        .map(|(_, reader)| *reader)
}

impl Video {
    /// What yt-dlp knows of the video at `address`; `None` when it is no video of a host that is named here, when there is no
    /// yt-dlp, or when it knows of no captions.
    pub async fn elsewhere(&self, address: &str) -> Option<Elsewhere> {
        let settings = &self.0.settings;
        let program = settings.yt_dlp.as_deref()?;
        let reader = reader_of(address)?;
        let (watched, chapters) = fallback::ask(program, reader, address, settings).await?;
        let tracks: Vec<Track> = by_preference(watched.tracks, settings.language.as_deref());
        Some(Elsewhere {
            title: watched.title,
            author: watched.author,
            chapters,
            tracks: tracks
                .into_iter()
                .take(TRACKS_MAX)
                .map(|track| (track.address, track.language))
                .collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_named_hosts_have_a_reader() {
        for (address, reader) in [
            ("https://vimeo.com/76979871", Some("vimeo")),
            ("https://player.vimeo.com/video/76979871", Some("vimeo")),
            ("https://www.ted.com/talks/a_b", Some("tedtalk")),
            ("https://vimeo.com/", None),
            ("https://notvimeo.com/1", None),
            ("https://vimeo.com.example.org/1", None),
            ("https://example.org/vimeo.com/1", None),
            ("http://127.0.0.1/1", None),
            ("no address", None),
        ] {
            assert_eq!(reader_of(address), reader, "{address}");
        }
    }
}
