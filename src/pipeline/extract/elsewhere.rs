//! Reads videos of other hosts: what yt-dlp knows of them, with captions that are fetched as safely as pages are.

use crate::pipeline::extract::{Reader, digest};
use crate::pipeline::handle::{JobHandle, Piece};
use crate::pipeline::job::{Material, Video};

/// The video at `address`, read, with the digest of its captions; `None` when it is none, or none with captions that can be read.
pub(super) async fn read(
    reader: &Reader,
    handle: &JobHandle,
    address: &str,
) -> Option<(Piece, String)> {
    let found = handle.away(reader.video.elsewhere(address)).await?;
    let mut video = Video {
        title: found.title,
        author: found.author,
        language: None,
        address: address.to_owned(),
        chapters: found.chapters,
    };
    for (track, language) in found.tracks {
        let Ok(page) = handle.away(reader.web.fetch(&track)).await else {
            continue;
        };
        video.language = Some(language).filter(|language| !language.is_empty());
        let digest = digest([page.bytes.as_ref()]);
        let material = Material::Captions(Box::new(video.clone()));
        if let Ok(piece) = handle.read(material, page.bytes).await {
            return Some((piece, digest));
        }
    }
    None
}
