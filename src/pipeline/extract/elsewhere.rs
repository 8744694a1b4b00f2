//! Reads videos of other hosts: what yt-dlp knows of them, with captions that are fetched as safely as pages are.

use crate::pipeline::extract::Reader;
use skillkiln_document::blocks::Document;
use skillkiln_readers::spoken::Transcript;
use skillkiln_readers::{captions, decode, transcript};

/// The document of the video at `address`; `None` when it is none, or none with captions that can be read.
pub(super) async fn read(reader: &Reader, address: &str) -> Option<Document> {
    let found = reader.video.elsewhere(address).await?;
    for (track, language) in found.tracks {
        let Ok(page) = reader.web.fetch(&track).await else {
            continue;
        };
        let work = move || captions::of_file(&decode::decode(&page.bytes, None));
        let segments = reader
            .pool
            .run(work)
            .await
            .ok()
            .flatten()
            .unwrap_or_default();
        if segments.is_empty() {
            continue;
        }
        let transcript = Transcript {
            title: found.title,
            author: found.author,
            language: Some(language).filter(|language| !language.is_empty()),
            address: address.to_owned(),
            segments,
            chapters: found.chapters,
        };
        return reader
            .pool
            .run(move || transcript::read(transcript))
            .await
            .ok();
    }
    None
}
