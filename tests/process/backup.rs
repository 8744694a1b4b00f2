//! A drill: a backup is written while the service works, the service is lost, and another one is put in its place. Every account, every
//! credit and every byte of every skill is there again.

use crate::service::{Service, client, generate};
use crate::site::Site;
use serde_json::Value;

const MANUAL: &[u8] = b"# Kiln care\n\nHow to keep a kiln in good order. Read this before you fire it.\n\n## Burner\n\nThe burner must never \
run above 40 degrees, because its seal softens.\n\n```sh\nkilnctl test --part burner\n```\n";

/// Uploads a file and makes a skill of it; its id.
async fn skill_of_a_file(service: &Service, key: &str) -> String {
    let client = client();
    let edge = "edge-of-a-part";
    let mut body = format!(
        "--{edge}\r\nContent-Disposition: form-data; name=\"files\"; filename=\"kiln.md\"\r\n\r\n"
    )
    .into_bytes();
    body.extend_from_slice(MANUAL);
    body.extend_from_slice(format!("\r\n--{edge}--\r\n").as_bytes());
    let uploaded = client
        .post(format!("{}/api/upload", service.address()))
        .bearer_auth(key)
        .header(
            "Content-Type",
            format!("multipart/form-data; boundary={edge}"),
        )
        .body(body);
    let uploaded: Value = uploaded.send().await.unwrap().json().await.unwrap();
    let id = &uploaded["sources"][0]["id"];
    let made = client
        .post(format!("{}/api/generate", service.address()))
        .bearer_auth(key)
        .json(&serde_json::json!({ "source_ids": [id] }));
    let events = made.send().await.unwrap().text().await.unwrap();
    let (_, complete) = events
        .split_once("event: complete\ndata: ")
        .expect("it is made");
    let complete: Value = serde_json::from_str(complete.trim()).unwrap();
    complete["skill_id"].as_str().unwrap().to_owned()
}

/// Makes a skill of a page, and has that watched; the path of the watch.
async fn watched_skill(service: &Service, key: &str) -> String {
    let site = Site::start();
    site.open();
    let made = generate(&client(), service.address(), key, site.page(1)).await;
    assert_eq!(made.unwrap().status(), 200);
    let list = service.until(key, "/api/skills?limit=1", |_| true).await;
    let path = format!(
        "/api/skills/{}/watch",
        list["skills"][0]["id"].as_str().unwrap()
    );
    let on = client()
        .put(format!("{}{path}", service.address()))
        .bearer_auth(key)
        .json(&serde_json::json!({ "every": "weekly", "on_change": "draft" }));
    assert_eq!(on.send().await.unwrap().status(), 200);
    path
}

/// Everything that an account sees of itself: its credits, its history and its skills with their archives.
async fn seen(service: &Service, key: &str) -> (Value, Value, Vec<(Value, Vec<u8>)>) {
    let always = |_: &Value| true;
    let credits = service.until(key, "/api/v1/credits", always).await;
    let history = service.until(key, "/api/v1/generations", always).await;
    let list = service.until(key, "/api/skills", always).await;
    let mut skills = Vec::new();
    for line in list["skills"].as_array().unwrap() {
        let path = format!("/api/skills/{}", line["id"].as_str().unwrap());
        let zip = client()
            .get(format!("{}{path}/download?format=zip", service.address()))
            .bearer_auth(key);
        let zip = zip.send().await.unwrap().bytes().await.unwrap();
        skills.push((service.until(key, &path, always).await, zip.to_vec()));
    }
    (credits, history, skills)
}

async fn everything_is_there_again(mut service: Service, mut other: Service) {
    let site = Site::start();
    service.serve();
    let keys = [service.key(5), service.key(7)];
    let skill = skill_of_a_file(&service, &keys[0]).await;
    let text = String::from_utf8(MANUAL.to_vec()).unwrap();
    for _ in 0..3 {
        let made = generate(&client(), service.address(), &keys[1], text.clone()).await;
        assert_eq!(made.unwrap().status(), 200);
    }
    let watched = watched_skill(&service, &keys[1]).await;
    let looked = |watch: &Value| watch["looked_at"].is_string();
    let watch = service.until(&keys[1], &watched, looked).await;
    let before = [
        seen(&service, &keys[0]).await,
        seen(&service, &keys[1]).await,
    ];
    // A run is under way while the backup is written.
    let (address, key, page) = (service.address().to_owned(), keys[0].clone(), site.page(1));
    let under_way = tokio::spawn(async move { generate(&client(), &address, &key, page).await });
    site.wait_for(1);
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("backup");
    let folder = folder.to_str().unwrap();
    let about: Value = serde_json::from_str(&service.ok(&["backup", folder, "--json"])).unwrap();
    assert_eq!(about["blobs"].as_array().map(Vec::len), Some(1));
    assert!(
        !service.run(&["backup", folder]).status.success(),
        "it is not written over"
    );
    // What happens later is not in it.
    let made = generate(&client(), service.address(), &keys[1], text).await;
    assert_eq!(made.unwrap().status(), 200);
    service.kill();
    assert!(under_way.await.unwrap().is_err());

    let put_back = other.ok(&["restore", folder]);
    assert!(put_back.contains("the books balance"), "{put_back}");
    other.ok(&["ledger", "verify"]);
    let again = other.run(&["restore", folder]);
    assert!(!again.status.success(), "it is not put over something");
    other.serve();
    site.open();
    let ended = |history: &Value| history["generations"][0]["status"] == "completed";
    other.until(&keys[0], "/api/v1/generations", ended).await;
    let after = [seen(&other, &keys[0]).await, seen(&other, &keys[1]).await];
    assert_eq!(after[1], before[1]);
    assert_eq!(other.until(&keys[1], &watched, looked).await, watch);
    let (credits, history, skills) = &after[0];
    assert_eq!(
        credits["credits_remaining"], 3,
        "the run that was under way was charged once, and ended"
    );
    assert_eq!(history["total"], 2);
    assert_eq!(skills[1..], before[0].2);
    // The uploaded file is there too.
    let made_again = client()
        .post(format!("{}/api/skills/{skill}/regenerate", other.address()))
        .bearer_auth(&keys[0]);
    let events = made_again.send().await.unwrap().text().await.unwrap();
    assert!(events.contains("event: complete"), "{events}");
    other.ok(&["ledger", "verify"]);

    // A backup that is damaged, or whose pepper is another one, is not put back.
    let third = Service::new();
    third.write("pepper", &"ab".repeat(32));
    let refused = String::from_utf8(third.run(&["restore", folder]).stderr).unwrap();
    assert!(refused.contains("another pepper"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_is_put_back_from_its_backup_on_sqlite() {
    everything_is_there_again(Service::new(), Service::new()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_is_put_back_from_its_backup_on_postgresql() {
    let (service, other) = (Service::on_postgres().await, Service::on_postgres().await);
    everything_is_there_again(service, other).await;
}

#[test]
fn a_backup_that_is_damaged_or_unfinished_is_not_put_back() {
    let service = Service::new();
    service.key(3);
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("backup");
    let path = folder.to_str().unwrap();
    service.ok(&["backup", path, "--without-pepper"]);
    assert!(!folder.join("pepper").exists());
    let refused = |says: &str| {
        let other = Service::new();
        other.write("pepper", &service.read("pepper"));
        let output = other.run(&["restore", path]);
        let words = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && words.contains(says), "{words}");
    };
    let database = folder.join("database.db");
    let whole = std::fs::read(&database).unwrap();
    let mut torn = whole.clone();
    let middle = torn.len() / 2;
    torn[middle] ^= 1;
    std::fs::write(&database, torn).unwrap();
    refused("not as it was written");
    std::fs::write(&database, whole).unwrap();
    let without = Service::new().run(&["restore", path]);
    let words = String::from_utf8(without.stderr).unwrap();
    assert!(words.contains("without the pepper"), "{words}");
    std::fs::remove_file(folder.join("backup.json")).unwrap();
    refused("no finished backup");
}
