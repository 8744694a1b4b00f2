//! What a page refuses is not lost: what was written stays, the reason is told to whoever asks, and the way on leads back.

use crate::generate::TEXT;
use crate::pages_skills::{made, roomy};
use crate::support::app::App;
use crate::support::browser::Browser;
use crate::support::client::{Answer, Part};

/// What the page's script sends for the form on `/new`.
async fn pressed(browser: &Browser<'_>, site: &str) -> Answer {
    let request = browser.request("POST", "/new");
    let request = request.header("Accept", "text/event-stream");
    let request = request.header("Sec-Fetch-Site", site);
    request.form(&[Part::Text("source", "  ")]).send().await
}

/// The instant that the editor of a skill was written over.
fn tag_of(page: &Answer) -> String {
    let rest = page.text().split("name=\"tag\" value=\"").nth(1);
    let rest = rest.unwrap_or_else(|| panic!("{}", page.text()));
    rest.split('"').next().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn the_script_is_told_in_the_envelope_why_it_is_refused_before_its_form_is_read() {
    let app = App::with(|settings| settings.limits.generate_per_minute = 1).await;
    let ann = Browser::joined(&app, "ann@example.org").await;
    let forged = pressed(&ann, "cross-site").await;
    assert_eq!(forged.refusal(), (403, "FORBIDDEN".into()));
    assert_eq!(pressed(&ann, "same-origin").await.status, 400);
    let hasty = pressed(&ann, "same-origin").await;
    assert_eq!(hasty.refusal(), (429, "RATE_LIMITED".into()));
    let said = hasty.json();
    let said = said["error"]["message"].as_str().expect("a message");
    assert!(said.starts_with("too many requests; wait "), "{said}");
    let led = pressed(&Browser::new(&app), "same-origin").await;
    assert_eq!(led.status, 303, "to the door, and back from there");
}

#[tokio::test]
async fn a_page_that_was_asked_for_too_often_comes_back_by_itself() {
    let app = App::with(|settings| settings.limits.other_per_minute = 2).await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let mut page = ann.get("/library").await;
    for _ in 0..2 {
        page = ann.get("/library").await;
    }
    assert_eq!(page.status, 429);
    assert_eq!(page.header("refresh"), page.header("retry-after"));
    assert!(page.text().contains("This page looks again by itself"));
    assert!(!page.text().contains("Retry-After"), "{}", page.text());
    let sent = ann.post("/library/copy", &[("from", "x")]).await;
    assert_eq!((sent.status, sent.header("refresh")), (429, None));
}

#[tokio::test]
async fn a_text_that_cannot_be_saved_stays_in_the_editor_with_the_reason() {
    let app = App::with(|settings| {
        settings.limits.other_per_minute = 1_000_000;
        settings.uploads.skill_bytes_max = 1_000;
    })
    .await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let path = made(&mut ann).await;
    let editor = ann.get(&format!("{path}?view=edit")).await;
    let tag = tag_of(&editor);
    let long = "Wear goggles. ".repeat(100);
    for (content, status, why) in [(long.as_str(), 413, "larger than"), ("a \0 b", 400, "NUL")] {
        let fields = [("tag", tag.as_str()), ("content", content)];
        let refused = ann.post(&path, &fields).await;
        assert_eq!(refused.status, status, "{why}");
        let text = refused.text();
        assert!(text.contains("Not saved") && text.contains(why), "{text}");
        assert!(text.contains(content), "what was written is there");
        assert!(text.contains("This text was not checked"));
        assert!(!text.contains("Every check passed") && !text.contains("See what it says now"));
        assert_eq!(tag_of(&refused), tag, "written over what it was before");
    }
}

#[tokio::test]
async fn a_text_that_was_overtaken_is_shown_with_its_own_findings_and_a_way_to_the_other() {
    let app = roomy().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let path = made(&mut ann).await;
    let old = tag_of(&ann.get(&format!("{path}?view=edit")).await);
    let fine = format!(
        "---\nname: kiln\ndescription: Fires a kiln. Use it when you fire clay.\n---\n{TEXT}"
    );
    let saved = ann.post(&path, &[("tag", &old), ("content", &fine)]).await;
    assert_eq!(saved.status, 303, "{}", saved.text());
    let stale = ann
        .post(&path, &[("tag", &old), ("content", "no header")])
        .await;
    assert_eq!(stale.status, 412);
    let text = stale.text();
    let findings = text.split("id=\"found\"").nth(1).expect("findings");
    assert!(
        findings.contains("badge bad"),
        "of the text shown: {findings}"
    );
    assert!(text.contains(&format!("href=\"{path}?view=source\"")));
    let again = [("tag", &*tag_of(&stale)), ("content", "no header")];
    assert_eq!(ann.post(&path, &again).await.status, 303);
}

#[tokio::test]
async fn a_download_hands_over_the_file_and_leads_to_the_door_whoever_was_signed_out() {
    let app = roomy().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let path = made(&mut ann).await;
    let page = ann.get(&path).await;
    for (file, media_type) in [
        ("skill.zip", "application/zip"),
        ("SKILL.md", "text/markdown; charset=utf-8"),
    ] {
        let address = format!("{path}/{file}");
        assert!(page.text().contains(&format!("href=\"{address}\"")));
        let handed = ann.get(&address).await;
        assert_eq!(handed.header("content-type"), Some(media_type));
        let name = handed.header("content-disposition").expect("a name");
        assert!(name.starts_with("attachment; "), "{name}");
        let led = app.get(&address).send().await;
        let door = format!("/signin?next={}", address.replace('/', "%2F"));
        assert_eq!(led.header("location"), Some(door.as_str()));
        let mut bob = Browser::joined(&app, &format!("{}@example.org", file.len())).await;
        assert_eq!(bob.get(&address).await.status, 404, "nobody else's");
    }
    assert_eq!(ann.get(&format!("{path}/other")).await.status, 404);
}
