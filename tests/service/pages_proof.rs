//! What a skill's pages say of its checks: to its owner before everybody reads it, and to everybody.

use crate::generate::TEXT;
use crate::support::app::App;
use crate::support::browser::Browser;
use crate::support::client::{Answer, Part};

/// Makes a skill as the script does, and says its path.
async fn made(ann: &Browser<'_>) -> String {
    let request = ann.request("POST", "/new");
    let request = request.header("Sec-Fetch-Site", "same-origin");
    let request = request.header("Accept", "text/event-stream");
    let told = request.form(&[Part::Text("source", TEXT)]).send().await;
    let (name, end) = told.events().pop().expect("an end");
    assert_eq!(name, "complete", "{end}");
    format!("/library/{}", end["skill_id"].as_str().expect("a skill"))
}

/// Writes another text over a skill.
async fn write(ann: &mut Browser<'_>, path: &str, content: &str) {
    let page = ann.get(&format!("{path}?view=edit")).await;
    let tag = page.text().split("name=\"tag\" value=\"").nth(1);
    let tag = tag.and_then(|rest| rest.split('"').next()).expect("a tag");
    let fields = [("tag", tag), ("content", content)];
    let saved = ann.post(path, &fields).await;
    assert_eq!(saved.status, 303, "{}", saved.text());
}

async fn show(ann: &mut Browser<'_>, path: &str) -> String {
    let shared = ann
        .post(&format!("{path}/share"), &[("is_public", "true")])
        .await;
    assert_eq!(shared.status, 303);
    path.replace("/library/", "/s/")
}

fn says(page: &Answer, words: &str) {
    assert!(page.text().contains(words), "{words}: {}", page.text());
}

#[tokio::test]
async fn a_skill_with_errors_is_made_public_with_a_word_and_its_page_says_so() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let path = made(&ann).await;
    let page = ann.get(&path).await;
    assert!(
        !page.text().contains("all the same"),
        "there is nothing to say"
    );
    write(&mut ann, &path, "# <b>no</b> header\n").await;
    let page = ann.get(&path).await;
    says(&page, "Make it public all the same");
    let public = show(&mut ann, &path).await;
    let shown = app.get(&public).send().await;
    says(&shown, "in this skill</strong></summary>");
    says(&shown, "<span class=\"badge bad\">error</span>");
    assert!(!shown.text().contains("<b>no</b>"));
}

#[tokio::test]
async fn a_share_page_knows_its_owner_and_its_readers() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let mut bob = Browser::joined(&app, "bob@example.org").await;
    let path = made(&ann).await;
    let public = show(&mut ann, &path).await;
    let (own, others, nobodys) = (
        ann.get(&public).await,
        bob.get(&public).await,
        app.get(&public).send().await,
    );
    says(&own, &format!("href=\"{path}\">Open in my library"));
    says(&others, "Copy to my library");
    says(&nobodys, &format!("href=\"/signin?next={public}\">Sign in"));
    for page in [own, others] {
        assert!(!page.text().contains("Sign in"));
    }
}

#[tokio::test]
async fn a_skills_page_says_what_was_proved_and_lists_what_passed() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let path = made(&ann).await;
    let page = ann.get(&path).await;
    says(&page, "Proved against its source");
    let proof = page.text().split("id=\"proof\"").nth(1).expect("a proof");
    let proof = proof.split("</section>").next().expect("an end");
    assert!(
        proof.contains("SKILL.md and references hold") && proof.contains("%"),
        "{proof}"
    );
    assert!(
        proof.contains("<strong>100 %</strong> of the source"),
        "{proof}"
    );
    let source = ann.get(&format!("{path}?view=source")).await;
    says(&source, "checks passed</summary>");
    says(&source, "<span class=\"badge ok\">passed</span>");
}

#[tokio::test]
async fn the_commands_to_install_a_skill_are_on_its_owners_page_too() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let path = made(&ann).await;
    let own = ann.get(&path).await;
    says(&own, "unzip ~/Downloads/");
    assert!(!own.text().contains("curl "), "nobody else can fetch it");
    let public = show(&mut ann, &path).await;
    let fetched = format!("http://127.0.0.1:8080{public}/skill.zip");
    says(&ann.get(&path).await, &fetched);
    says(&app.get(&public).send().await, &fetched);
}
