//! The disk full and free again: orders and uploads are refused uncharged and whole, nothing is lost, and afterwards everything goes on.

use crate::service::{Service, client, generate, upload};
use crate::site::Site;

#[tokio::test(flavor = "multi_thread")]
async fn while_the_disk_is_full_orders_are_refused_uncharged_and_afterwards_everything_goes_on() {
    let mut service = Service::new();
    let site = Site::start();
    let key = service.key(10);
    service.serve_within_file_limits();
    let before = service.footprint();
    let client = client();
    let order = |source: String| {
        let (client, key) = (client.clone(), key.clone());
        let address = service.address().to_owned();
        async move { generate(&client, &address, &key, source).await.unwrap() }
    };
    let text = || {
        "# Kiln\n\nFire the kiln slowly, and keep its lid closed below 200 degrees, because the glaze cracks when it is opened early.".to_owned()
    };
    assert_eq!(order(text()).await.status(), 200);
    let under_way = tokio::spawn(order(site.page(0)));
    site.wait_for(1);

    service.files_at_most(Some(service.size_of_log()));
    for _ in 0..2 {
        let refusal = order(text()).await;
        assert_eq!(refusal.status(), 500);
        let error: serde_json::Value = refusal.json().await.unwrap();
        assert_eq!(error["error"]["code"], "GENERATION_FAILED");
        // From here on the run that is under way cannot be written down either.
        site.open();
    }

    service.files_at_most(None);
    assert_eq!(
        under_way.await.unwrap().status(),
        200,
        "the run was settled once there was space"
    );
    assert_eq!(order(text()).await.status(), 200);
    let credits = service.until(&key, "/api/v1/credits", |_| true).await;
    assert_eq!(credits["credits_remaining"], 7, "three were made");
    service.is_back(before, "the disk was full").await;
    service.kill();
    service.ok(&["ledger", "verify"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_that_finds_no_room_is_refused_whole_and_afterwards_everything_goes_on() {
    let mut service = Service::new();
    let key = service.key(2);
    service.serve_within_file_limits();
    let before = service.footprint();
    let (client, address) = (client(), service.address().to_owned());
    let large = "Fire the kiln slowly, and keep its lid closed.\n".repeat(100_000);
    let small = "# Kiln\n\nFire the kiln slowly, and keep its lid closed below 200 degrees, because the glaze cracks when it is opened early.";
    assert_eq!(
        upload(&client, &address, &key, "# First").await.status(),
        200
    );
    let kept = service.kept_files();
    assert_eq!(kept.len(), 1);

    service.files_at_most(Some(service.size_of_log()));
    // There is room for nothing of it; and there would be for the file, but not for the line about it.
    for text in [&*large, small] {
        let refusal = upload(&client, &address, &key, text).await;
        assert_eq!(refusal.status(), 503);
        let error: serde_json::Value = refusal.json().await.unwrap();
        assert_eq!(error["error"]["code"], "SERVICE_UNAVAILABLE");
        let told = error.to_string();
        assert!(
            !told.contains("blobs") && !told.contains("os error"),
            "{told}"
        );
    }
    let unfinished = |path: &std::path::PathBuf| path.metadata().unwrap().len() > 1_000;
    let left = service.kept_files();
    assert!(!left.iter().any(unfinished), "{left:?}");

    service.files_at_most(None);
    for text in [&*large, small] {
        assert_eq!(upload(&client, &address, &key, text).await.status(), 200);
    }
    assert_eq!(service.kept_files().len(), 3);
    let answer = generate(&client, &address, &key, small.to_owned()).await;
    assert_eq!(answer.unwrap().status(), 200);
    let credits = service.until(&key, "/api/v1/credits", |_| true).await;
    assert_eq!(credits["credits_remaining"], 1, "one was made");
    service.is_back(before, "the disk was full").await;
    service.kill();
    service.ok(&["ledger", "verify"]);
}
