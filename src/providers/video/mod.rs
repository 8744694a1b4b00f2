//! Owns the way from a video's address to its transcript: the provider's own interface, asked as its own programs ask it.
//!
//! ```text
//! address ─▶ player (as each of clients, until one gets captions) ─▶ tracks ─▶ captions
//!                 │ playability says why not                └─▶ page ─▶ chapters
//!                 └──▶ fallback, where the operator has one
//! ```

use crate::providers::video::address::{VideoId, video_id};
use crate::providers::video::clients::Client;
use crate::providers::video::interface::{Interface, away};
use crate::providers::video::playability::Refusal;
use crate::providers::video::tracks::Track;
use serde_json::Value;
use skillkiln_document::failure::Failure;
use skillkiln_readers::captions;
use skillkiln_readers::spoken::{Chapter, Segment, Transcript};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use url::Url;

pub mod address;

pub mod clients;

mod interface;

mod playability;

mod tracks;

mod chapters;

mod fallback;

pub mod elsewhere;

/// How many tracks of one video are tried before the next way of asking.
const TRACKS_TRIED_MAX: usize = 3;
const TITLE_CHARS_MAX: usize = 500;

/// How transcripts are fetched.
#[derive(Debug, Clone)]
pub struct VideoSettings {
    /// Where the provider is: `https://www.youtube.com`, or a gateway to it.
    pub base_url: String,
    /// As whom the provider is asked, in this order.
    pub clients: Vec<Client>,
    /// The path of yt-dlp, asked when the provider refuses us.
    pub yt_dlp: Option<PathBuf>,
    /// The time for a transcript with its chapters.
    pub timeout: Duration,
    /// The largest answer, counted after decompression.
    pub body_bytes_max: usize,
    /// The language preferred among captions, a BCP 47 tag.
    pub language: Option<String>,
    /// The proxy through which the provider is asked.
    pub proxy: Option<Url>,
}

/// Fetches transcripts of videos. Clones share connections.
#[derive(Clone, Debug)]
pub struct Video(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    interface: Interface,
    settings: VideoSettings,
}

/// What is known of a video that may be played.
#[derive(Debug)]
struct Watched {
    title: Option<String>,
    author: Option<String>,
    description: String,
    tracks: Vec<Track>,
}

/// A video with captions that were read.
#[derive(Debug)]
struct Caught {
    watched: Watched,
    language: String,
    /// The language whose captions were to be read and are withheld.
    withheld: Option<String>,
    segments: Vec<Segment>,
    /// Those that came along; the page around the video is asked when there are none.
    chapters: Vec<Chapter>,
}

impl Video {
    /// A fetcher with its own connections.
    ///
    /// # Errors
    /// When the base address is not a web address, or the TLS set-up of this machine cannot be used.
    pub fn new(settings: VideoSettings) -> Result<Self, String> {
        let proxy = settings.proxy.as_ref();
        let interface = Interface::new(&settings.base_url, settings.body_bytes_max, proxy)?;
        Ok(Self(Arc::new(Inner {
            interface,
            settings,
        })))
    }

    /// Fetches the transcript of the video at `address`.
    ///
    /// # Errors
    /// A [`Failure`] whose message tells the user what to do.
    pub async fn transcript(&self, address: &str) -> Result<Transcript, Failure> {
        let video = &*self.0;
        let id = video_id(address)?;
        let deadline = Instant::now() + video.settings.timeout;
        let first = video.ask_players(&id, deadline).await;
        let is_worth_more = match &first {
            Ok(caught) => caught.withheld.is_some(),
            Err(refusal) => refusal.may_pass_elsewhere(),
        };
        let second = match is_worth_more {
            true => video.ask_fallback(&id).await,
            false => None,
        };
        let caught = match second {
            Some(second) if first.is_err() || second.withheld.is_none() => second,
            _ => first.map_err(Refusal::failure)?,
        };
        let mut chapters = caught.chapters;
        if chapters.is_empty() {
            chapters = video.chapters(&id, deadline).await;
        }
        if chapters.is_empty() {
            chapters = chapters::of_description(&caught.watched.description);
        }
        let short = |text: String| text.chars().take(TITLE_CHARS_MAX).collect::<String>();
        let some = |text: &String| !text.trim().is_empty();
        Ok(Transcript {
            title: caught.watched.title.map(short).filter(some),
            author: caught.watched.author.map(short).filter(some),
            language: Some(caught.language).filter(some),
            withheld: caught.withheld.filter(some),
            address: id.address(),
            segments: caught.segments,
            chapters,
        })
    }
}

impl Inner {
    /// Asks as each of the provider's programs in turn. What a refusal says of the video itself outweighs what it says of us, and
    /// captions in another language are taken only when no program gets those that were to be read.
    async fn ask_players(&self, id: &VideoId, deadline: Instant) -> Result<Caught, Refusal> {
        let mut worst: Option<Refusal> = None;
        let mut instead: Option<Caught> = None;
        for client in &self.settings.clients {
            match self.ask_player(client, id, deadline).await {
                Ok(caught) if caught.withheld.is_none() => return Ok(caught),
                Ok(caught) => instead = instead.or(Some(caught)),
                Err(refusal) => {
                    tracing::debug!(
                        client = client.number,
                        ?refusal,
                        "no captions from the video provider"
                    );
                    if worst.is_none_or(Refusal::may_pass_elsewhere)
                        && worst != Some(Refusal::Withheld)
                    {
                        worst = Some(refusal);
                    }
                    // Programs differ in what they may show, but not in whether a video exists.
                    if matches!(
                        refusal,
                        Refusal::NotFound | Refusal::Private | Refusal::Upcoming | Refusal::Live
                    ) {
                        break;
                    }
                }
            }
        }
        instead.ok_or(worst.unwrap_or(Refusal::Down))
    }

    async fn ask_player(
        &self,
        client: &Client,
        id: &VideoId,
        deadline: Instant,
    ) -> Result<Caught, Refusal> {
        let player = self.interface.ask("player", client, id, deadline).await?;
        let player = away(move || {
            let read = serde_json::from_slice::<Value>(&player);
            let refused = || playability::of_page(&String::from_utf8_lossy(&player));
            Some(read.map_err(|_| refused().unwrap_or(Refusal::Garbled)))
        });
        let player = player.await.unwrap_or(Err(Refusal::Garbled))?;
        if let Some(refusal) = playability::refusal(&player) {
            return Err(refusal);
        }
        let details = player.get("videoDetails");
        let field = |name: &str| {
            let value = details.and_then(|details| details.get(name));
            value.and_then(Value::as_str).map(str::to_owned)
        };
        // To programs it thinks outdated the provider plays another video, which says so.
        if field("videoId").is_some_and(|other| other != id.as_str()) {
            return Err(Refusal::Unplayable);
        }
        let watched = Watched {
            title: field("title"),
            author: field("author"),
            description: field("shortDescription").unwrap_or_default(),
            tracks: tracks::of_player(&player),
        };
        if watched.tracks.is_empty() {
            let live = details
                .and_then(|details| details.get("isLive"))
                .and_then(Value::as_bool);
            return Err(if live == Some(true) {
                Refusal::Live
            } else {
                Refusal::NoCaptions
            });
        }
        self.catch(watched, Vec::new(), &client.user_agent, deadline)
            .await
    }

    /// Reads the best of a video's tracks that holds any words and is handed out.
    async fn catch(
        &self,
        mut watched: Watched,
        chapters: Vec<Chapter>,
        user_agent: &str,
        deadline: Instant,
    ) -> Result<Caught, Refusal> {
        let requested = self.settings.language.as_deref();
        let tracks = tracks::by_preference(std::mem::take(&mut watched.tracks), requested);
        let mut worst = Refusal::NoCaptions;
        let mut withheld: Option<String> = None;
        for track in tracks.into_iter().take(TRACKS_TRIED_MAX) {
            match self.captions(&track, user_agent, deadline).await {
                Ok(segments) if segments.is_empty() => {}
                Ok(segments) => {
                    return Ok(Caught {
                        watched,
                        withheld: withheld.filter(|one| !tracks::is_kin(one, &track.language)),
                        language: track.language,
                        segments,
                        chapters,
                    });
                }
                Err(refusal) => {
                    worst = refusal;
                    withheld.get_or_insert(track.language);
                }
            }
        }
        Err(worst)
    }

    /// The captions of one track; empty when nobody speaks in it.
    async fn captions(
        &self,
        track: &Track,
        user_agent: &str,
        deadline: Instant,
    ) -> Result<Vec<Segment>, Refusal> {
        let bytes = self
            .interface
            .fetch(&track.address, user_agent, deadline)
            .await?;
        away(move || captions::read(&bytes))
            .await
            .ok_or(Refusal::Withheld)
    }

    /// The chapters on the page around the video. None at all is no failure.
    async fn chapters(&self, id: &VideoId, deadline: Instant) -> Vec<Chapter> {
        let Ok(page) = self
            .interface
            .ask("next", &Client::page(), id, deadline)
            .await
        else {
            return Vec::new();
        };
        away(move || Some(chapters::of_page(&serde_json::from_slice(&page).ok()?)))
            .await
            .unwrap_or_default()
    }

    async fn ask_fallback(&self, id: &VideoId) -> Option<Caught> {
        let program = self.settings.yt_dlp.as_deref()?;
        let timeout = self.settings.timeout;
        let (watched, chapters) =
            fallback::ask(program, "youtube", &id.address(), &self.settings).await?;
        let deadline = Instant::now() + timeout;
        self.catch(watched, chapters, &Client::page().user_agent, deadline)
            .await
            .ok()
    }
}

#[cfg(test)]
mod tests;
