//! Owns the second way to a video's captions: yt-dlp, where the operator has installed and named it.
//!
//! It only looks: it saves nothing, reads no settings, and uses one named reader alone, never the generic one that would
//! call any address. The captions themselves are then fetched by us, from the provider's host only.

use crate::providers::video::VideoSettings;
use crate::providers::video::tracks::Track;
use crate::providers::video::{Chapter, Watched};
use rustix::process::{Pid, Signal, geteuid, kill_process_group};
use serde_json::Value;
use std::path::Path;
use std::process::Stdio;
use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};
use url::Url;

/// The user and group that own nothing.
const NOBODY: u32 = 65_534;

/// Ends the child with everything it started, however the wait for it ends.
struct Leash(Child);

impl Drop for Leash {
    fn drop(&mut self) {
        let group = self
            .0
            .id()
            .and_then(|id| i32::try_from(id).ok())
            .and_then(Pid::from_raw);
        if let Some(group) = group {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// Asks the program about a video, which only its reader of that name may look at; `None` when it does not know or is not there.
pub(super) async fn ask(
    program: &Path,
    reader: &str,
    address: &str,
    settings: &VideoSettings,
) -> Option<(Watched, Vec<Chapter>)> {
    let (timeout, bytes_max) = (settings.timeout, settings.body_bytes_max);
    let proxy = settings.proxy.as_ref();
    let said = tokio::time::timeout(timeout, run(program, reader, address, bytes_max, proxy))
        .await
        .ok()??;
    tokio::task::spawn_blocking(move || understand(&serde_json::from_slice(&said).ok()?))
        .await
        .ok()?
}

async fn run(
    program: &Path,
    reader: &str,
    address: &str,
    bytes_max: usize,
    proxy: Option<&Url>,
) -> Option<Vec<u8>> {
    let mut command = Command::new(program);
    command
        .args([
            "--ignore-config",
            "--use-extractors",
            reader,
            "--no-playlist",
            "--skip-download",
            "--no-cache-dir",
            "--no-warnings",
            "--no-progress",
            "--dump-single-json",
            "--",
            address,
        ])
        .env_clear()
        .env("LANG", "C.UTF-8")
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .envs(proxy.map(|proxy| ("https_proxy", proxy.as_str())))
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .kill_on_drop(true);
    if geteuid().is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    let mut child = match command.spawn() {
        Ok(child) => Leash(child),
        Err(error) => {
            tracing::warn!(%error, "cannot start the program named in video.yt_dlp");
            return None;
        }
    };
    let mut said = Vec::new();
    let out = child.0.stdout.take()?;
    out.take(
        u64::try_from(bytes_max)
            .unwrap_or(u64::MAX)
            .saturating_add(1),
    )
    .read_to_end(&mut said)
    .await
    .ok()?;
    if said.len() > bytes_max {
        return None;
    }
    child.0.wait().await.ok()?.success().then_some(said)
}

fn understand(video: &Value) -> Option<(Watched, Vec<Chapter>)> {
    let field = |name: &str| video.get(name).and_then(Value::as_str).map(str::to_owned);
    let mut tracks = of_kind(video, "subtitles", |language| {
        (language != "live_chat").then(|| language.to_owned())
    });
    // The program lists machine translations into every language too; what was heard is marked, or is the video's own language.
    let spoken = field("language");
    let mut heard = of_kind(video, "automatic_captions", |language| {
        language.strip_suffix("-orig").map(str::to_owned)
    });
    if heard.is_empty() {
        heard = of_kind(video, "automatic_captions", |language| {
            (spoken.as_deref() == Some(language)).then(|| language.to_owned())
        });
    }
    tracks.extend(heard.into_iter().map(|track| Track {
        automatic: true,
        ..track
    }));
    let chapters = video
        .get("chapters")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|chapter| {
            Some(Chapter {
                start_s: chapter.get("start_time")?.as_f64()?,
                title: chapter.get("title")?.as_str()?.to_owned(),
            })
        })
        .collect();
    (!tracks.is_empty()).then(|| {
        let watched = Watched {
            title: field("title"),
            author: field("channel").or_else(|| field("uploader")),
            description: field("description").unwrap_or_default(),
            tracks,
        };
        (watched, chapters)
    })
}

/// The tracks under one heading; `language` reads the key, or refuses the track.
fn of_kind(video: &Value, kind: &str, language: impl Fn(&str) -> Option<String>) -> Vec<Track> {
    video
        .get(kind)
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .filter_map(|(key, formats)| {
            let formats = formats.as_array()?;
            let is_known = |format: &&Value| {
                let known = ["json3", "vtt", "srt", "srv3", "srv1"];
                format
                    .get("ext")
                    .and_then(Value::as_str)
                    .is_some_and(|ext| known.contains(&ext))
            };
            let address = formats
                .iter()
                .find(is_known)
                .or(formats.first())
                .and_then(|format| format.get("url").and_then(Value::as_str))?;
            Some(Track {
                address: address.to_owned(),
                language: language(key)?,
                automatic: false,
                default: false,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn translations_and_chats_are_not_taken_for_captions() {
        let url = |name: &str| json!([{ "ext": "json3", "url": format!("https://www.youtube.com/api/timedtext?{name}") }]);
        let video = json!({
            "title": "A talk", "channel": "Ada", "language": "en", "description": "d",
            "chapters": [{ "start_time": 0.0, "end_time": 5.0, "title": "Start" }, { "title": 7 }],
            "subtitles": { "live_chat": url("chat"), "de": url("de") },
            "automatic_captions": { "en-orig": url("heard"), "en": url("t1"), "fr": url("t2") },
        });
        let (watched, chapters) = understand(&video).unwrap();
        let found: Vec<(&str, bool)> = watched
            .tracks
            .iter()
            .map(|track| (track.language.as_str(), track.automatic))
            .collect();
        assert_eq!(found, [("de", false), ("en", true)]);
        assert_eq!(watched.author.as_deref(), Some("Ada"));
        assert_eq!(chapters.len(), 1);
        assert!(understand(&json!({ "title": "silent" })).is_none());
    }
}
