//! The disk full and free again: orders are refused uncharged, nothing is lost, and afterwards everything goes on.

use crate::service::{Service, client, generate};
use crate::site::Site;

#[tokio::test(flavor = "multi_thread")]
async fn while_the_disk_is_full_orders_are_refused_uncharged_and_afterwards_everything_goes_on() {
    let mut service = Service::new();
    let site = Site::start();
    let key = service.key(10);
    service.serve_within_file_limits();
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
    service.kill();
    service.ok(&["ledger", "verify"]);
}
