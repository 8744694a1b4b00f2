//! What pages have in common: what they load, how they are kept, and that nobody is a stranger to them.

use crate::support::app::App;

fn addresses(page: &str) -> Vec<String> {
    page.split('"')
        .filter(|value| value.starts_with("/assets/"))
        .map(str::to_owned)
        .collect()
}

#[tokio::test]
async fn the_first_page_says_what_this_is_and_leads_to_an_account() {
    let app = App::start().await;
    let page = app.get("/").send().await;
    assert_eq!(page.status, 200);
    assert!(page.text().contains("/signup") && page.text().contains("/signin"));
    let mut size = page.body.len();
    for address in addresses(page.text()) {
        let asset = app.get(&address).send().await;
        assert_eq!(asset.status, 200, "{address}");
        let kept = asset.header("cache-control").expect("it is kept");
        assert!(kept.contains("immutable"), "{kept}");
        size += asset.body.len();
    }
    assert!(size < 150_000, "a page and all it loads is {size} bytes");
}

#[tokio::test]
async fn an_asset_that_is_not_there_is_a_page_that_says_so() {
    let app = App::start().await;
    for target in [
        "/assets/app.css",
        "/assets/..%2fCargo.toml",
        "/assets/%00",
        "/assets/%3Cscript%3E",
    ] {
        let page = app.get(target).send().await;
        assert_eq!(page.status, 404, "{target}");
        assert!(page.text().contains("There is nothing here"), "{target}");
    }
    let machine = app.get("/nowhere").send().await;
    assert_eq!(machine.refusal(), (404, "NOT_FOUND".into()));
}
