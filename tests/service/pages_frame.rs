//! What pages have in common: what they load, how they are kept, and that nobody is a stranger to them.

use crate::generate::TEXT;
use crate::support::app::App;
use crate::support::browser::Browser;
use crate::support::client::Request;

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
        let media_type = asset.header("content-type").expect("a type");
        assert!(media_type.ends_with("; charset=utf-8"), "{media_type}");
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

#[tokio::test]
async fn a_visitor_tries_a_text_and_nothing_is_charged_or_kept() {
    let app = App::start().await;
    let mut visitor = Browser::new(&app);
    let page = visitor.post("/try", &[("text", TEXT)]).await;
    assert_eq!(page.status, 200);
    let text = page.text();
    assert!(
        text.contains("id=\"result\"") && text.contains("checks passed"),
        "{text}"
    );
    assert!(text.contains("name: "), "a SKILL.md is shown");
    let books = app.books().await;
    assert_eq!((books.users, books.transfers), (0, 0));
}

#[tokio::test]
async fn what_cannot_be_tried_is_said_with_the_text_still_there() {
    let app = App::start().await;
    let mut visitor = Browser::new(&app);
    let long = "word and ".repeat(2_500);
    let image = "<img src=x onerror=alert(1)>".repeat(3);
    for (text, status, says) in [
        ("", 400, "Paste a text first"),
        (" \r\n\t", 400, "Paste a text first"),
        (long.as_str(), 413, "22500 characters"),
        ("!!! ??? ...", 400, "no words"),
        ("manual.pdf", 400, "the name of a file"),
        ("https://kiln.example/guide", 400, "with an account"),
        ("Fire the kiln slowly.", 400, "at least 20"),
    ] {
        let page = visitor.post("/try", &[("text", text)]).await;
        assert_eq!(page.status, status, "{says}");
        assert!(page.text().contains(says), "{says}: {}", page.text());
        assert!(page.text().contains(text.trim()), "the text is still there");
    }
    let page = visitor.post("/try", &[("text", &image)]).await;
    assert!(!page.text().contains("<img src=x"), "{}", page.text());
}

#[tokio::test]
async fn an_address_tries_a_few_texts_a_minute() {
    let app = App::start().await;
    let mut visitor = Browser::new(&app);
    for _ in 0..6 {
        assert_eq!(visitor.post("/try", &[("text", TEXT)]).await.status, 200);
    }
    let page = visitor.post("/try", &[("text", TEXT)]).await;
    assert_eq!(page.status, 429);
    let wait = page.number("retry-after");
    app.clock
        .advance(std::time::Duration::from_secs(wait.unsigned_abs()));
    assert_eq!(visitor.post("/try", &[("text", TEXT)]).await.status, 200);
}

#[tokio::test]
async fn a_browser_that_is_lost_gets_a_page_and_a_program_the_envelope() {
    let app = App::start().await;
    let lost = |target| app.get(target).header("Accept", "text/html,*/*").send();
    let page = lost("/nowhere").await;
    assert_eq!(page.status, 404);
    assert!(page.text().contains("There is nothing here"));
    assert_eq!(
        lost("/api/nowhere").await.refusal(),
        (404, "NOT_FOUND".into())
    );
}

#[tokio::test]
async fn the_address_of_a_form_is_a_page_that_leads_to_the_form() {
    let app = App::start().await;
    for (target, way) in [
        ("/signout", "/library"),
        ("/try", "/#try"),
        ("/account/identities/acme/link", "/account"),
        ("/new/look", "/new"),
        ("/openid/acme", "/signin"),
        (
            "/library/sk_00000000000000000000000001/delete",
            "/library/sk_00000000000000000000000001",
        ),
    ] {
        let page = app.get(target).header("Accept", "text/html").send().await;
        assert_eq!(page.status, 405, "{target}");
        assert_eq!(page.header("allow"), Some("POST, OPTIONS"), "{target}");
        assert!(page.text().contains(&format!("href=\"{way}\"")), "{target}");
        let program = app.get(target).send().await;
        assert_eq!(program.refusal(), (405, "METHOD_NOT_ALLOWED".into()));
    }
    let put = app.request("PUT", "/signin").header("Accept", "text/html");
    assert_eq!(
        put.send().await.header("allow"),
        Some("GET, HEAD, POST, OPTIONS")
    );
    let api = app.get("/api/upload").header("Accept", "text/html");
    assert_eq!(
        api.send().await.refusal(),
        (405, "METHOD_NOT_ALLOWED".into())
    );
}

#[tokio::test]
async fn browsers_are_told_to_use_tls_alone_where_there_is_tls() {
    const HSTS: &str = "strict-transport-security";
    let app =
        App::with(|settings| settings.server.public_url = "https://kiln.example".into()).await;
    for target in [
        "/",
        "/signin",
        "/nowhere",
        "/api/v1/credits",
        "/api/nowhere",
        "/openapi.json",
    ] {
        let answer = app.get(target).send().await;
        assert_eq!(answer.header(HSTS), Some("max-age=31536000"), "{target}");
    }
    let operators = Request::new(app.operators, "GET", "/healthz").send().await;
    assert_eq!(operators.header(HSTS), None, "it speaks no TLS");
    drop(app);
    let plain = App::start().await;
    assert_eq!(plain.get("/").send().await.header(HSTS), None);
}
