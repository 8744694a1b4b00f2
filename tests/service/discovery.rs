//! What installers of skills find: the index of one public skill and of the site, and the archives (decision 67).

use crate::library::{made, read};
use crate::support::app::{App, Someone};
use crate::support::client::Answer;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::io::{Cursor, Read};

const INDEX: &str = ".well-known/agent-skills/index.json";

async fn share(app: &App, someone: &Someone, path: &str, is_public: bool) {
    let share = app.post(&format!("{path}/share")).key(&someone.key);
    let answer = share.json(&json!({ "is_public": is_public })).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

async fn index(app: &App, target: &str) -> (Answer, Value) {
    let answer = app.get(target).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let json = answer.json();
    (answer, json)
}

fn digest(bytes: &[u8]) -> String {
    let hex: String = Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("sha256:{hex}")
}

#[tokio::test]
async fn a_shared_skill_is_found_by_installers_until_it_is_taken_back() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    let (id, path) = made(&app, &someone).await;
    let own = format!("/s/{id}/{INDEX}");
    assert_eq!(app.get(&own).send().await.status, 404);
    share(&app, &someone, &path, true).await;

    let skill = read(&app, &someone, &path).await;
    let (answer, listed) = index(&app, &own).await;
    let entry = &listed["skills"][0];
    let archive = app.get(entry["url"].as_str().expect("an address"));
    let archive = archive.send().await;
    assert_eq!(
        listed,
        json!({
            "$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
            "skills": [{
                "name": skill["name"],
                "type": "archive",
                "description": skill["description"],
                "url": format!("/s/{id}/.well-known/agent-skills/kiln.zip"),
                "digest": digest(&archive.body),
            }],
        })
    );
    assert_eq!(archive.header("content-type"), Some("application/zip"));
    let mut zip = zip::ZipArchive::new(Cursor::new(archive.body)).expect("a zip");
    let mut content = String::new();
    let mut file = zip.by_name("SKILL.md").expect("at the root");
    file.read_to_string(&mut content).expect("text");
    assert_eq!(skill["content"], content);

    let tag = answer.header("etag").expect("a tag").to_owned();
    let again = app.get(&own).header("If-None-Match", &tag).send().await;
    assert_eq!(again.status, 304);
    let (_, site) = index(&app, &format!("/{INDEX}")).await;
    assert_eq!(site["skills"], listed["skills"]);

    let edited =
        json!({ "content": "---\nname: cones\ndescription: Reads cones.\n---\n\n# Cones\n" });
    let edit = app.request("PUT", &path).key(&someone.key).json(&edited);
    assert_eq!(edit.send().await.status, 200);
    let changed = app.get(&own).header("If-None-Match", &tag).send().await;
    assert_eq!(changed.status, 200);
    assert_eq!(changed.json()["skills"][0]["name"], "cones");
    assert_ne!(
        changed.json()["skills"][0]["digest"],
        listed["skills"][0]["digest"]
    );
    let old = app.get(&format!("/s/{id}/.well-known/agent-skills/kiln.zip"));
    assert_eq!(old.send().await.status, 404, "it is called otherwise now");

    share(&app, &someone, &path, false).await;
    let gone = app.get(&own).header("If-None-Match", &tag).send().await;
    assert_eq!(gone.status, 404);
    let (_, site) = index(&app, &format!("/{INDEX}")).await;
    assert_eq!(site["skills"], json!([]));
}

#[tokio::test]
async fn the_index_of_the_site_is_read_page_by_page_and_names_each_public_skill_once() {
    let app = App::with(|settings| settings.limits.other_per_minute = 1_000).await;
    let someone = app.someone(1).await;
    let (id, path) = made(&app, &someone).await;
    share(&app, &someone, &path, true).await;
    let mut all = vec![id];
    for _ in 0..50 {
        let copy = app.post(&format!("{path}/duplicate")).key(&someone.key);
        let copy = copy.send().await.json();
        let id = copy["id"].as_str().expect("an id").to_owned();
        share(&app, &someone, &format!("/api/skills/{id}"), true).await;
        all.push(id);
    }
    let (first, listed) = index(&app, &format!("/{INDEX}")).await;
    assert_eq!(listed["skills"].as_array().map(Vec::len), Some(50));
    let link = first.header("link").expect("a next page");
    let next = link
        .strip_prefix('<')
        .and_then(|link| link.strip_suffix(">; rel=\"next\""))
        .expect("a link");
    let (last, rest) = index(&app, next).await;
    assert_eq!(last.header("link"), None);
    let urls = [&listed, &rest].into_iter().flat_map(|page| {
        let skills = page["skills"].as_array().expect("skills").clone();
        skills.into_iter().map(|skill| skill["url"].to_string())
    });
    let mut seen: Vec<String> = urls.collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), all.len());
    let bad = app.get(&format!("/{INDEX}?after=x")).send().await;
    assert_eq!(bad.status, 400);
}
