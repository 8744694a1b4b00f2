//! Uploaded files in a bucket of S3-compatible storage (decision 30).

use crate::generate::TEXT;
use crate::support::app::App;
use crate::support::bucket::{ACCESS_KEY, Bucket, Hush, NAME, SECRET_KEY};
use crate::support::client::{Part, Request};
use serde_json::json;
use skillkiln::config::outside::BlobHome;
use skillkiln::config::{Settings, load};
use std::time::{Duration, Instant};

/// A service that keeps its files in the bucket. The secret is in a file that lives as long as the test.
async fn in_bucket(bucket: &Bucket) -> (App, tempfile::NamedTempFile) {
    let secret = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(secret.path(), SECRET_KEY).expect("written");
    let app = App::with(|settings: &mut Settings| {
        settings.blobs.home = BlobHome::S3;
        settings.blobs.endpoint = format!("http://{}", bucket.address);
        settings.blobs.region = "eu-central-1".into();
        settings.blobs.bucket = NAME.into();
        settings.blobs.access_key = ACCESS_KEY.into();
        settings.blobs.secret_key_file = secret.path().to_path_buf();
        settings.blobs.timeout_s = 1;
    })
    .await;
    (app, secret)
}

#[tokio::test]
async fn a_skill_is_made_of_files_in_a_bucket_which_go_when_nothing_needs_them() {
    let bucket = Bucket::start().await;
    let (app, _secret) = in_bucket(&bucket).await;
    let someone = app.someone(1).await;
    let files = [
        Part::File("files", "kiln.md", TEXT.as_bytes()),
        Part::File("files", "again.md", TEXT.as_bytes()),
        Part::File("files", "other.txt", b"Glaze it thinly before it is fired."),
    ];
    let uploaded = app
        .post("/api/upload")
        .key(&someone.key)
        .form(&files)
        .send()
        .await;
    assert_eq!(uploaded.status, 200, "{}", uploaded.text());
    assert_eq!(bucket.count(), 2, "the same bytes are kept once");
    let id = uploaded.json()["sources"][0]["id"].clone();
    let request = app.post("/api/generate").key(&someone.key);
    let made = request.json(&json!({ "source_ids": [id] })).send().await;
    let events = made.events();
    let (name, complete) = events.last().expect("an event");
    assert_eq!(name, "complete", "{events:?}");

    app.clock.advance(Duration::from_hours(49));
    app.sweep().await;
    assert_eq!(bucket.count(), 1, "what a skill was made of stays");
    let skill = complete["skill_id"].as_str().expect("an id");
    let path = format!("/api/skills/{skill}");
    assert_eq!(
        app.request("DELETE", &path)
            .key(&someone.key)
            .send()
            .await
            .status,
        204
    );
    app.clock.advance(Duration::from_hours(25));
    app.sweep().await;
    assert_eq!(bucket.count(), 0);
    assert_eq!(bucket.methods(), ["DELETE", "GET", "HEAD", "PUT"]);
}

#[tokio::test]
async fn a_bucket_that_does_not_let_us_in_is_said_at_the_start() {
    let bucket = Bucket::start().await;
    let folder = tempfile::TempDir::new().expect("a folder");
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "another secret").expect("written");
    let mut settings = Settings::default();
    settings.database.url = format!("sqlite://{}", folder.path().join("test.db").display());
    settings.storage.path = folder.path().to_path_buf();
    settings.blobs.home = BlobHome::S3;
    settings.blobs.endpoint = format!("http://{}", bucket.address);
    settings.blobs.region = "eu-central-1".into();
    settings.blobs.bucket = NAME.into();
    settings.blobs.access_key = ACCESS_KEY.into();
    settings.blobs.secret_key_file = secret.clone();
    assert_eq!(load::secret(&secret), Ok(Some("another secret".into())));
    let clock = skillkiln::domain::clock::Clock::system();
    let refused = tokio::task::spawn_blocking(move || {
        let start = skillkiln::services::start(&settings, clock);
        actix_rt::System::new().block_on(start).err()
    });
    let refused = refused.await.expect("it ends").expect("it is refused");
    assert!(
        refused.contains("bucket") && !refused.contains("another secret"),
        "{refused}"
    );
}

/// Requests to the bucket that failed, as they are counted.
async fn failed(app: &App) -> f64 {
    let metrics = Request::new(app.operators, "GET", "/metrics").by_number();
    let metrics = metrics.send().await;
    let name = "skillkiln_provider_requests_total{provider=\"files\",outcome=\"failed\"} ";
    let text = metrics.text();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.parse().ok()).expect("a number")
}

#[tokio::test]
async fn a_bucket_that_never_answers_keeps_nobody_longer_than_is_set_and_is_called_by_its_name() {
    /// Each of the two that are asked for takes a second at most; the rest is for a busy machine.
    const BOUND: Duration = Duration::from_secs(10);
    let bucket = Bucket::start().await;
    let (app, _secret) = in_bucket(&bucket).await;
    let someone = app.someone(2).await;
    let upload = async |text: &str| {
        let file = [Part::File("files", "kiln.md", text.as_bytes())];
        let request = app.post("/api/upload").key(&someone.key).form(&file);
        let began = Instant::now();
        let answer = request.send().await;
        assert!(began.elapsed() < BOUND, "{:?}", began.elapsed());
        answer
    };
    let id = upload(TEXT).await.json()["sources"][0]["id"].clone();
    let make = async || {
        let request = app.post("/api/generate").key(&someone.key);
        let request = request.json(&json!({ "source_ids": [id] }));
        let began = Instant::now();
        let events = request.send().await.events();
        assert!(began.elapsed() < BOUND, "{:?}", began.elapsed());
        events.last().expect("an end").0.clone()
    };
    for hush in [Hush::Half, Hush::All] {
        let before = failed(&app).await;
        bucket.hush(hush);
        let refused = upload(&format!("# Kiln\n\n{before}")).await;
        assert_eq!(refused.refusal(), (503, "SERVICE_UNAVAILABLE".into()));
        assert_eq!(make().await, "error");
        let more = failed(&app).await - before;
        assert!(more >= 2.0, "{more} are counted");
        let books = app.books().await;
        assert_eq!((books.available, books.reserved, books.posted), (2, 0, 0));
    }
    let told = loop {
        let ready = Request::new(app.operators, "GET", "/readyz").by_number();
        let answer = ready.send().await;
        if answer.status != 200 {
            break answer.text().to_owned();
        }
    };
    assert!(told.contains("the store of uploaded files"), "{told}");
    bucket.hush(Hush::Nothing);
    assert_eq!(upload("# Kiln\n\nFire it.").await.status, 200);
    assert_eq!(make().await, "complete");
    let books = app.books().await;
    assert_eq!((books.available, books.reserved, books.posted), (1, 0, 1));
}
