//! The database gone and back: requests say so, nothing is charged, and what was under way is settled when it is back.

use crate::line::Line;
use crate::postgres::FreshDatabase;
use crate::service::{Service, client, generate};
use crate::site::Site;

#[tokio::test(flavor = "multi_thread")]
async fn while_the_database_is_gone_requests_say_so_and_afterwards_everything_goes_on() {
    let database = FreshDatabase::new().await;
    let line = Line::to(&database.url());
    let mut service = Service::with_database(line.url().to_owned());
    let site = Site::start();
    let key = service.key(3);
    service.serve();
    let client = client();
    let address = service.address().to_owned();
    let under_way = tokio::spawn({
        let (client, key, address, page) =
            (client.clone(), key.clone(), address.clone(), site.page(0));
        async move { generate(&client, &address, &key, page).await.unwrap() }
    });
    site.wait_for(1);

    line.cut();
    site.open();
    let refused = generate(&client, &address, &key, "# Kiln\n\nFire it slowly, and keep its lid closed below 200 degrees, because the glaze cracks when it is opened too early.".to_owned())
        .await
        .unwrap();
    assert_eq!(
        refused.status(),
        500,
        "the REST surface has no other code for it"
    );
    let error: serde_json::Value = refused.json().await.unwrap();
    assert_eq!(error["error"]["code"], "GENERATION_FAILED");
    assert!(
        !error.to_string().contains("127.0.0.1"),
        "causes stay in the log: {error}"
    );
    // What was seen half a second ago is said again; then it looks.
    while service.admin("/readyz").await.0 == 200 {}

    line.mend();
    assert_eq!(
        under_way.await.unwrap().status(),
        200,
        "the run was settled once the database was back"
    );
    let enough = |credits: &serde_json::Value| credits["credits_remaining"] == 2;
    service.until(&key, "/api/v1/credits", enough).await;
    let answer = generate(&client, &address, &key, "# Kiln\n\nFire it slowly, and keep its lid closed below 200 degrees, because the glaze cracks when it is opened too early.".to_owned())
        .await
        .unwrap();
    assert_eq!(answer.status(), 200);
    service.kill();
    service.ok(&["ledger", "verify"]);
}
