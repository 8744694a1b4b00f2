//! Owns the tests of the way to a transcript, against a scripted provider that speaks the real shapes.

use super::*;
use crate::providers::fakes::{Reply, Request, Site, answer_with, moved, not_found, page};
use serde_json::json;
use skillkiln_document::failure::Reason;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

const ADDRESS: &str = "https://youtu.be/dQw4w9WgXcQ";
const VISION: Option<&str> = Some("101");

fn video(site: &Site) -> Video {
    Video::new(settings(site)).unwrap()
}

fn settings(site: &Site) -> VideoSettings {
    VideoSettings {
        base_url: site.address(""),
        yt_dlp: None,
        timeout: Duration::from_secs(10),
        body_bytes_max: 1 << 20,
        language: None,
        proxy: None,
        clients: vec![client("VISIONOS", 101), client("ANDROID", 3)],
    }
}

fn client(name: &str, number: u32) -> Client {
    Client {
        name: name.to_owned(),
        number,
        version: "1.02".to_owned(),
        user_agent: format!("agent of {name}"),
        device: std::collections::BTreeMap::from([("osName".to_owned(), name.to_lowercase())]),
    }
}

fn json_reply(value: &Value) -> Reply {
    page("application/json; charset=UTF-8", &value.to_string())
}

/// A player that may be played, with tracks of the given languages; `a.` stands before those of a machine.
fn player(tracks: &[&str]) -> Value {
    let tracks: Vec<Value> = tracks
        .iter()
        .map(|id| match id.strip_prefix("a.") {
            Some(language) => json!({
                "baseUrl": format!("https://www.youtube.com/api/timedtext?v=dQw4w9WgXcQ&lang={language}&kind=asr"),
                "languageCode": language, "kind": "asr", "vssId": id,
            }),
            None => json!({
                "baseUrl": format!("https://www.youtube.com/api/timedtext?v=dQw4w9WgXcQ&lang={id}"),
                "languageCode": id, "vssId": format!(".{id}"),
            }),
        })
        .collect();
    json!({
        "playabilityStatus": { "status": "OK", "playableInEmbed": true },
        "videoDetails": {
            "videoId": "dQw4w9WgXcQ", "title": "Ownership explained", "author": "Ada",
            "lengthSeconds": "600", "shortDescription": "0:00 Why\n1:00 How\n2:00 End", "isLiveContent": false,
        },
        "captions": { "playerCaptionsTracklistRenderer": { "captionTracks": tracks } },
    })
}

fn refused(status: &str, reason: &str) -> Value {
    json!({ "playabilityStatus": { "status": status, "reason": reason } })
}

fn captions(words: &str) -> Reply {
    json_reply(&json!({ "wireMagic": "pb3", "events": [
        { "tStartMs": 0, "dDurationMs": 4000, "segs": [{ "utf8": words }] },
        { "tStartMs": 2000, "dDurationMs": 4000, "segs": [{ "utf8": "goodbye" }] },
    ]}))
}

/// What is common to all scripts: captions under their language, and a page with two chapters.
fn usual(request: &Request) -> Reply {
    let path = request.path.as_str();
    if path.starts_with("/youtubei/v1/next") {
        let marker = |start: u32, title: &str| {
            json!({ "macroMarkersListItemRenderer": {
                "title": { "simpleText": title },
                "onTap": { "watchEndpoint": { "startTimeSeconds": start } },
            }})
        };
        json_reply(
            &json!({ "engagementPanels": [{ "engagementPanelSectionListRenderer": {
                "panelIdentifier": "engagement-panel-macro-markers-description-chapters",
                "content": { "macroMarkersListRenderer": { "contents": [marker(0, "Moves"), marker(90, "Borrows")] } },
            }}]}),
        )
    } else if path.starts_with("/api/timedtext") && path.contains("fmt=json3") {
        let language = path.split("lang=").nth(1).unwrap_or_default();
        captions(&format!("hello in {}", language.split('&').next().unwrap()))
    } else {
        not_found()
    }
}

fn is_player(request: &Request) -> bool {
    request.method == "POST" && request.path == "/youtubei/v1/player?prettyPrint=false"
}

async fn failure(site: &Site) -> Failure {
    video(site).transcript(ADDRESS).await.unwrap_err()
}

/// A provider whose player always says the same.
async fn provider(player: Value) -> Site {
    Site::start(move |request| {
        if is_player(request) {
            json_reply(&player)
        } else {
            usual(request)
        }
    })
    .await
}

#[tokio::test]
async fn a_transcript_comes_with_its_times_its_chapters_and_its_origin() {
    let site = provider(player(&["a.en", "en"])).await;
    let transcript = video(&site).transcript(ADDRESS).await.unwrap();
    let segment = |start_s, end_s, text: &str| Segment {
        start_s,
        end_s,
        text: text.to_owned(),
        speaker: None,
    };
    let chapter = |start_s, title: &str| Chapter {
        start_s,
        title: title.to_owned(),
    };
    assert_eq!(
        transcript,
        Transcript {
            title: Some("Ownership explained".to_owned()),
            author: Some("Ada".to_owned()),
            language: Some("en".to_owned()),
            withheld: None,
            address: "https://www.youtube.com/watch?v=dQw4w9WgXcQ".to_owned(),
            segments: vec![
                segment(0.0, 2.0, "hello in en"),
                segment(2.0, 6.0, "goodbye")
            ],
            chapters: vec![chapter(0.0, "Moves"), chapter(90.0, "Borrows")],
        }
    );
    let asked = site.requests();
    assert_eq!(asked[0].header("x-youtube-client-name"), VISION);
    assert_eq!(asked[0].header("user-agent").unwrap(), "agent of VISIONOS");
    let body: Value = serde_json::from_str(&asked[0].body).unwrap();
    assert_eq!(body["videoId"], "dQw4w9WgXcQ");
    assert_eq!(body["context"]["client"]["clientName"], "VISIONOS");
    assert!(!asked[1].path.contains("kind=asr"), "{}", asked[1].path);
}

#[tokio::test]
async fn the_language_of_the_settings_is_preferred() {
    let site = provider(player(&["en", "a.en", "pt-BR"])).await;
    let settings = VideoSettings {
        language: Some("pt".to_owned()),
        proxy: None,
        ..settings(&site)
    };
    let video = Video::new(settings).unwrap();
    let transcript = video.transcript(ADDRESS).await.unwrap();
    assert_eq!(transcript.language.as_deref(), Some("pt-BR"));
    assert_eq!(transcript.segments[0].text, "hello in pt-BR");
}

#[tokio::test]
async fn the_second_client_is_asked_when_the_first_is_blocked_or_gets_empty_captions() {
    for empty in [false, true] {
        let site = Site::start(move |request| {
            let first = request.header("x-youtube-client-name") == VISION;
            let from_first = request.header("user-agent") == Some("agent of VISIONOS");
            if is_player(request) && first && !empty {
                json_reply(&refused(
                    "LOGIN_REQUIRED",
                    "Sign in to confirm you’re not a bot",
                ))
            } else if is_player(request) {
                json_reply(&player(&["a.en"]))
            } else if request.path.starts_with("/api/timedtext") && from_first {
                page("text/html", "")
            } else {
                usual(request)
            }
        })
        .await;
        let transcript = video(&site).transcript(ADDRESS).await.unwrap();
        assert_eq!(transcript.segments[0].text, "hello in en");
    }
}

#[tokio::test]
async fn what_the_provider_refuses_is_told_to_the_user() {
    for (status, reason, words) in [
        (
            "LOGIN_REQUIRED",
            "Sign in to confirm you’re not a bot",
            "blocks this service",
        ),
        ("LOGIN_REQUIRED", "Private video", "private"),
        ("LOGIN_REQUIRED", "Sign in to confirm your age", "age"),
        ("ERROR", "Video unavailable", "no such video"),
        ("LIVE_STREAM_OFFLINE", "Premieres in 2 hours", "not begun"),
    ] {
        let site = provider(refused(status, reason)).await;
        let told = failure(&site).await;
        assert_eq!(told.reason, Reason::Unreachable);
        assert!(told.message.contains(words), "{}", told.message);
        assert!(!told.message.contains("127.0.0.1"));
    }
}

#[tokio::test]
async fn a_video_without_captions_is_told_apart_from_one_whose_captions_are_withheld() {
    let silent = failure(&provider(player(&[])).await).await;
    assert_eq!(silent.reason, Reason::Missing);
    assert!(silent.message.contains("no captions"));
    let mut music = player(&["a.en"]);
    music["captions"]["playerCaptionsTracklistRenderer"]["captionTracks"][0]["baseUrl"] =
        json!("/music");
    let site = Site::start(move |request| match request.path.as_str() {
        "/music?fmt=json3" => captions_of_music(),
        _ if is_player(request) => json_reply(&music),
        _ => usual(request),
    })
    .await;
    let wordless = failure(&site).await;
    assert_eq!(wordless.reason, Reason::Missing);
    let site = Site::start(|request| {
        if is_player(request) {
            json_reply(&player(&["en"]))
        } else {
            page("text/html", "")
        }
    })
    .await;
    let withheld = failure(&site).await;
    assert_eq!(withheld.reason, Reason::Unreachable);
    assert!(withheld.message.contains("withholds"));
}

#[tokio::test]
async fn captions_in_another_language_are_taken_only_when_nobody_gets_the_wanted_ones_and_are_told()
{
    let site = |also_second: bool| {
        Site::start(move |request| {
            let from_first = request.header("user-agent") == Some("agent of VISIONOS");
            if is_player(request) {
                json_reply(&player(&["en", "de"]))
            } else if request.path.contains("lang=en") && (from_first || also_second) {
                page("text/html", "")
            } else {
                usual(request)
            }
        })
    };
    let settings = |site: &Site| VideoSettings {
        language: Some("en".to_owned()),
        ..settings(site)
    };
    for (also_second, words, withheld) in [
        (false, "hello in en", None),
        (true, "hello in de", Some("en")),
    ] {
        let site = site(also_second).await;
        let video = Video::new(settings(&site)).unwrap();
        let transcript = video.transcript(ADDRESS).await.unwrap();
        assert_eq!(transcript.segments[0].text, words);
        assert_eq!(transcript.withheld.as_deref(), withheld);
        let document = skillkiln_readers::transcript::read(transcript);
        let told = skillkiln_document::markdown::write(&document.blocks);
        let note =
            "The video provider withholds the captions in `en`: what follows are those in `de`.";
        assert_eq!(told.contains(note), also_second, "{told}");
    }
}

fn captions_of_music() -> Reply {
    json_reply(&json!({ "events": [{ "tStartMs": 0, "segs": [{ "utf8": "[Music]" }] }] }))
}

#[tokio::test]
async fn faults_of_the_provider_end_in_words_and_not_in_a_panic() {
    for (status, body, words) in [
        ("429 Too Many Requests", "", "blocks this service"),
        ("503 Service Unavailable", "", "cannot be reached"),
        ("200 OK", "<html>hello</html>", "does not understand"),
        (
            "200 OK",
            "<form action=\"https://consent.youtube.com/save\">",
            "its cookies",
        ),
        ("200 OK", "<div class=\"g-recaptcha\">", "a captcha"),
        ("200 OK", "[[[[[[", "does not understand"),
        ("200 OK", "{\"playabilityStatus\":7}", "does not play"),
        (
            "200 OK",
            "{\"playabilityStatus\":{\"status\":\"OK\"},\"captions\":[]}",
            "no captions",
        ),
    ] {
        let site = Site::start(move |_| answer_with(status, &[], body.as_bytes())).await;
        let told = failure(&site).await;
        assert!(told.message.contains(words), "{body}: {}", told.message);
    }
    for (target, words) in [
        ("https://consent.youtube.com/m", "its cookies"),
        ("https://www.google.com/sorry/index?continue=x", "a captcha"),
        ("https://elsewhere.example/", "blocks"),
    ] {
        let site = Site::start(move |_| moved(target)).await;
        assert!(failure(&site).await.message.contains(words), "{target}");
    }
    let nested = "[".repeat(100_000);
    let site = Site::start(move |_| page("application/json", &nested)).await;
    assert!(failure(&site).await.message.contains("does not understand"));
    let endless = Reply::Endless;
    let site =
        Site::start(move |_| endless(b"HTTP/1.1 200 OK\r\n\r\n".to_vec(), vec![b' '; 1024])).await;
    assert!(failure(&site).await.message.contains("does not understand"));
}

#[tokio::test]
async fn another_video_in_the_place_of_the_wanted_one_is_not_taken() {
    let mut other = player(&["en"]);
    other["videoDetails"]["videoId"] = json!("aQvGIIdgFDM");
    let told = failure(&provider(other).await).await;
    assert!(told.message.contains("does not play"), "{}", told.message);
}

#[tokio::test]
async fn a_track_on_a_foreign_host_is_never_asked_for() {
    let foreign = Site::start(|_| captions("inside")).await;
    let mut forged = player(&["en"]);
    forged["captions"]["playerCaptionsTracklistRenderer"]["captionTracks"][0]["baseUrl"] =
        json!(foreign.address("/api/timedtext"));
    let site = provider(forged).await;
    assert!(video(&site).transcript(ADDRESS).await.is_err());
    assert!(foreign.requests().is_empty());
}

#[tokio::test]
async fn chapters_of_the_description_serve_where_the_page_has_none() {
    let site = Site::start(|request| {
        if is_player(request) {
            json_reply(&player(&["en"]))
        } else if request.path.starts_with("/youtubei/v1/next") {
            answer_with("500 Internal Server Error", &[], b"")
        } else {
            usual(request)
        }
    })
    .await;
    let transcript = video(&site).transcript(ADDRESS).await.unwrap();
    let titles: Vec<&str> = transcript
        .chapters
        .iter()
        .map(|chapter| chapter.title.as_str())
        .collect();
    assert_eq!(titles, ["Why", "How", "End"]);
}

/// A program in the place of yt-dlp, in a folder that everybody may enter.
fn program(script: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let (draft, ready) = (folder.path().join("draft"), folder.path().join("yt-dlp"));
    std::fs::write(&draft, format!("#!/bin/sh\n{script}\n")).unwrap();
    // Another process writes the program: a file that one of our threads has open for writing cannot be run.
    let done = Command::new("install")
        .args(["-m", "755"])
        .args([&draft, &ready])
        .status();
    assert!(done.unwrap().success());
    (folder, ready)
}

async fn with_program(site: &Site, script: &str, timeout: Duration) -> Result<Transcript, Failure> {
    let (_folder, program) = program(script);
    let settings = VideoSettings {
        yt_dlp: Some(program),
        timeout,
        ..settings(site)
    };
    Video::new(settings).unwrap().transcript(ADDRESS).await
}

fn blocked() -> Value {
    refused("LOGIN_REQUIRED", "Sign in to confirm you’re not a bot")
}

/// Says what yt-dlp would, and tells in the title as whom and about what it was asked.
const TELLS: &str = r#"
        for last; do :; done
        cat <<END
        { "title": "$(id -u) ${HOME:-homeless} $last", "uploader": "Ada", "language": "en",
          "subtitles": {}, "chapters": [{ "start_time": 0, "title": "Only" }],
          "automatic_captions": { "en": [{ "ext": "json3", "url": "https://www.youtube.com/api/timedtext?lang=en&fmt=srv1" }] } }
END"#;

#[tokio::test]
async fn the_fallback_is_asked_as_nobody_when_the_provider_blocks_us() {
    let site = provider(blocked()).await;
    let found = with_program(&site, TELLS, Duration::from_secs(10))
        .await
        .unwrap();
    let title = found.title.unwrap();
    assert!(!title.starts_with("0 "), "{title}");
    assert!(title.ends_with(" homeless https://www.youtube.com/watch?v=dQw4w9WgXcQ"));
    assert_eq!(found.segments[0].text, "hello in en");
    assert_eq!(found.chapters[0].title, "Only");
}

#[tokio::test]
async fn a_fallback_that_fails_hangs_or_never_ends_leaves_the_first_reason() {
    let site = provider(blocked()).await;
    for script in [
        "exit 1",
        "echo nonsense",
        "tail -f /dev/null",
        "cat /dev/zero",
    ] {
        let told = with_program(&site, script, Duration::from_millis(800))
            .await
            .unwrap_err();
        assert!(told.message.contains("blocks this service"), "{script}");
    }
}

#[tokio::test]
async fn the_fallback_is_not_asked_about_a_private_video() {
    let site = provider(refused("LOGIN_REQUIRED", "Private video")).await;
    let told = with_program(&site, TELLS, Duration::from_secs(10))
        .await
        .unwrap_err();
    assert!(told.message.contains("private"));
}

#[tokio::test]
async fn a_base_that_is_no_web_address_is_refused_at_the_start() {
    for base_url in ["", "www.youtube.com", "file:///tmp"] {
        let settings = VideoSettings {
            base_url: base_url.to_owned(),
            yt_dlp: None,
            timeout: Duration::from_secs(1),
            body_bytes_max: 1,
            language: None,
            proxy: None,
            clients: Vec::new(),
        };
        assert!(Video::new(settings).is_err(), "{base_url}");
    }
}

#[tokio::test]
async fn a_broadcast_is_told_apart_from_an_announcement() {
    let mut live = player(&[]);
    live["videoDetails"]["isLive"] = json!(true);
    let told = failure(&provider(live).await).await;
    assert!(told.message.contains("live"), "{}", told.message);
    let announced = refused("LIVE_STREAM_OFFLINE", "Premieres in 3 hours");
    let told = failure(&provider(announced).await).await;
    assert!(told.message.contains("announced"), "{}", told.message);
}
