//! Owns the choice among a video's caption tracks (decision 60).

use serde_json::Value;
use url::Url;

/// More tracks than any video has.
const TRACKS_MAX: usize = 500;

/// One set of captions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Track {
    /// Where its text is.
    pub(super) address: String,
    /// Its language, a BCP 47 tag.
    pub(super) language: String,
    /// Written down by a machine that listened.
    pub(super) automatic: bool,
    /// The one that plays unless the viewer chooses.
    pub(super) default: bool,
}

/// The tracks that a player's data lists.
pub(super) fn of_player(player: &Value) -> Vec<Track> {
    let Some(list) = player.pointer("/captions/playerCaptionsTracklistRenderer") else {
        return Vec::new();
    };
    let default = default_index(list);
    list.get("captionTracks")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .take(TRACKS_MAX)
        .enumerate()
        .filter_map(|(index, track)| {
            let field = |name: &str| track.get(name).and_then(Value::as_str);
            Some(Track {
                address: field("baseUrl")?.to_owned(),
                language: field("languageCode").unwrap_or_default().to_owned(),
                automatic: field("kind") == Some("asr")
                    || field("vssId").is_some_and(|id| id.starts_with("a.")),
                default: default == Some(index as u64),
            })
        })
        .collect()
}

fn default_index(list: &Value) -> Option<u64> {
    let audio = list.get("audioTracks")?.as_array()?;
    let chosen = list
        .get("defaultAudioTrackIndex")
        .and_then(Value::as_u64)
        .and_then(|index| usize::try_from(index).ok())
        .unwrap_or(0);
    audio.get(chosen)?.get("defaultCaptionTrackIndex")?.as_u64()
}

/// The tracks, best first: the requested language (as written by hand, then its close kin by hand, then as heard by a machine),
/// then by hand before by machine, the default track and the language that is spoken before others.
pub(super) fn by_preference(mut tracks: Vec<Track>, requested: Option<&str>) -> Vec<Track> {
    // The machine writes down the language that is spoken.
    let spoken = tracks
        .iter()
        .find(|track| track.automatic)
        .map(|track| track.language.clone());
    tracks.sort_by_key(|track| {
        let wanted = requested.map_or(3, |wanted| {
            match (
                same(&track.language, wanted),
                is_kin(&track.language, wanted),
                track.automatic,
            ) {
                (true, _, false) => 0,
                (false, true, false) => 1,
                (_, true, true) => 2,
                _ => 3,
            }
        });
        let foreign = spoken
            .as_deref()
            .is_some_and(|spoken| !is_kin(&track.language, spoken));
        (wanted, track.automatic, foreign, !track.default)
    });
    tracks
}

fn same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

/// Whether two tags are of one language, whatever the country or script.
pub(super) fn is_kin(one: &str, other: &str) -> bool {
    base(one) == base(other)
}

/// The language without country or script: `pt` of `pt-BR`.
fn base(tag: &str) -> String {
    tag.split(['-', '_'])
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase()
}

/// Where a track is asked for: its address, led to the configured base, in the format we read best. `None` when its host is
/// neither the provider's nor the base's, so that a forged list of tracks cannot make us call anybody else.
pub(super) fn address(track: &str, base: &Url) -> Option<Url> {
    let found = base.join(track).ok()?;
    let provider = found.scheme() == "https"
        && found
            .host_str()
            .is_some_and(|host| host == "youtube.com" || host.ends_with(".youtube.com"))
        && found.port().is_none();
    if !provider && found.origin() != base.origin() {
        return None;
    }
    let mut url = base.clone();
    if provider {
        // A base may be a gateway with a path of its own.
        url.set_path(&format!(
            "{}{}",
            base.path().trim_end_matches('/'),
            found.path()
        ));
    } else {
        url.set_path(found.path());
    }
    let rest = found.query_pairs().filter(|(key, _)| key != "fmt");
    let query: Vec<(String, String)> = rest
        .map(|(key, value)| (key.into_owned(), value.into_owned()))
        .collect();
    url.query_pairs_mut()
        .clear()
        .extend_pairs(query)
        .append_pair("fmt", "json3");
    Some(url)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn track(language: &str, automatic: bool) -> Track {
        Track {
            address: format!("/{language}{}", if automatic { ".asr" } else { "" }),
            language: language.to_owned(),
            automatic,
            default: false,
        }
    }

    fn first(tracks: &[Track], requested: Option<&str>) -> String {
        by_preference(tracks.to_vec(), requested)[0].address.clone()
    }

    #[test]
    fn the_requested_language_comes_first_and_by_hand_before_by_machine() {
        let tracks = [
            track("en", true),
            track("de", false),
            track("pt-BR", false),
            track("en-GB", false),
        ];
        assert_eq!(first(&tracks, Some("de")), "/de");
        assert_eq!(first(&tracks, Some("PT-br")), "/pt-BR");
        assert_eq!(first(&tracks, Some("pt")), "/pt-BR");
        assert_eq!(first(&tracks, Some("en")), "/en-GB");
        let tracks = [track("de", false), track("en", true)];
        assert_eq!(first(&tracks, Some("en")), "/en.asr");
        assert_eq!(first(&tracks, Some("en-US")), "/en.asr");
        assert_eq!(first(&tracks, Some("fr")), "/de");
    }

    #[test]
    fn without_a_request_the_spoken_language_by_hand_is_best() {
        let tracks = [track("de", false), track("en", false), track("en", true)];
        assert_eq!(first(&tracks, None), "/en");
        let mut tracks = vec![track("fr", false), track("de", false)];
        tracks[1].default = true;
        assert_eq!(first(&tracks, None), "/de");
        assert_eq!(first(&[track("en", true), track("de", false)], None), "/de");
        assert_eq!(first(&[track("en", true)], None), "/en.asr");
    }

    #[test]
    fn tracks_are_read_from_the_player() {
        let player = json!({ "captions": { "playerCaptionsTracklistRenderer": {
            "captionTracks": [
                { "baseUrl": "https://www.youtube.com/api/timedtext?v=x&lang=en", "languageCode": "en", "kind": "asr", "vssId": "a.en" },
                { "baseUrl": "https://www.youtube.com/api/timedtext?v=x&lang=fr", "languageCode": "fr", "vssId": ".fr" },
                { "languageCode": "de" },
                7,
            ],
            "audioTracks": [{ "captionTrackIndices": [0, 1], "defaultCaptionTrackIndex": 1 }],
        }}});
        let tracks = of_player(&player);
        assert_eq!(tracks.len(), 2);
        assert!(tracks[0].automatic && !tracks[0].default);
        assert!(!tracks[1].automatic && tracks[1].default);
        assert_eq!(of_player(&json!({})), []);
    }

    #[test]
    fn a_track_is_only_asked_for_at_the_provider_or_the_base() {
        let base = Url::parse("http://127.0.0.1:9000/").unwrap();
        let ask = |track: &str| address(track, &base).map(String::from);
        assert_eq!(
            ask("https://www.youtube.com/api/timedtext?v=x&fmt=srv3&lang=en").as_deref(),
            Some("http://127.0.0.1:9000/api/timedtext?v=x&lang=en&fmt=json3")
        );
        assert_eq!(
            ask("/api/timedtext?v=x").as_deref(),
            Some("http://127.0.0.1:9000/api/timedtext?v=x&fmt=json3")
        );
        assert!(ask("http://127.0.0.1:9000/t").is_some());
        for foreign in [
            "http://127.0.0.1:9001/t",
            "https://youtube.com.example.org/api/timedtext",
            "https://evilyoutube.com/api/timedtext",
            "http://www.youtube.com/api/timedtext",
            "https://www.youtube.com:444/api/timedtext",
            "file:///etc/passwd",
            "//169.254.169.254/latest",
            "data:text/plain,x",
        ] {
            assert_eq!(ask(foreign), None, "{foreign}");
        }
    }
}
