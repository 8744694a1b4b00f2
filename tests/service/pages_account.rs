//! The account page: keys, browsers, the password, the history, and that nothing on it is anybody else's.

use crate::generate::TEXT;
use crate::support::app::App;
use crate::support::browser::{Browser, PASSWORD};
use crate::support::client::Part;

/// The key on a page that shows a new one.
fn key_on(page: &str) -> String {
    let shown = page.split("id=\"new-key\"").nth(1).expect("a key");
    let shown = shown
        .split('>')
        .nth(1)
        .and_then(|rest| rest.split('<').next());
    shown.expect("a key").to_owned()
}

#[tokio::test]
async fn a_key_is_shown_once_works_and_is_revoked() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let page = ann.get("/account").await;
    let press = page.text().split("name=\"press\" value=\"").nth(1);
    let press = press.and_then(|rest| rest.split('"').next());
    let form = [("name", "laptop"), ("press", press.expect("a token"))];
    let page = ann.shown("/account/keys", &form).await;
    let key = key_on(page.text());
    assert!(key.starts_with("skillkiln_sk_"), "{key}");
    assert_eq!(page.header("set-cookie"), None, "it travels in no cookie");
    assert_eq!(page.header("cache-control"), Some("no-store"));
    assert!(
        page.text()
            .contains("curl http://127.0.0.1:8080/api/v1/generate")
    );
    assert_eq!(
        app.get("/api/v1/credits").key(&key).send().await.status,
        200
    );

    let page = ann.get("/account").await;
    assert!(!page.text().contains(&key), "once");
    let again = ann.post("/account/keys", &form).await;
    assert_eq!(again.status, 409, "loaded again, it makes no other");
    assert!(again.text().contains("made and shown before"));
    assert!(!again.text().contains(&key));
    assert_eq!(again.text().matches("…").count(), 1);
    // The token of somebody else's form is good for another key.
    let mut bo = Browser::joined(&app, "bo@example.org").await;
    let theirs = bo.shown("/account/keys", &form).await;
    assert_ne!(key_on(theirs.text()), key);
    assert!(page.text().contains("laptop") && page.text().contains(&key[key.len() - 4..]));

    let id = app.admin.keys("ann@example.org").await.expect("keys")[0].id;
    let answer = ann.post(&format!("/account/keys/{id}/revoke"), &[]).await;
    assert_eq!(
        answer.header("location"),
        Some("/account?said=key-revoked#keys")
    );
    app.clock.advance(std::time::Duration::from_secs(1));
    assert_eq!(
        app.get("/api/v1/credits").key(&key).send().await.status,
        403
    );
    let page = ann.get("/account?said=key-revoked").await;
    assert!(page.text().contains("The key is revoked") && page.text().contains(">revoked<"));
}

#[tokio::test]
async fn a_key_or_a_browser_of_somebody_else_is_not_there() {
    let app = App::start().await;
    let someone = app.someone(0).await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let unknown = "018f0000-0000-7000-8000-000000000000";
    let theirs = ann
        .post(&format!("/account/keys/{}/revoke", someone.key_id), &[])
        .await;
    let nobodys = ann
        .post(&format!("/account/keys/{unknown}/revoke"), &[])
        .await;
    assert_eq!((theirs.status, theirs.text()), (404, nobodys.text()));
    assert_eq!(
        app.get("/api/v1/credits")
            .key(&someone.key)
            .send()
            .await
            .status,
        200
    );
    for id in ["x", "..%2f..", "%00", unknown] {
        let ended = ann.post(&format!("/account/sessions/{id}/end"), &[]).await;
        assert_eq!(ended.status, 404, "{id}");
    }
}

#[tokio::test]
async fn a_browser_is_signed_out_from_another_one() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let mut phone = Browser::signed_in(&app, "ann@example.org").await;
    let mut cafe = Browser::signed_in(&app, "ann@example.org").await;
    let mut bo = Browser::joined(&app, "bo@example.org").await;
    let page = ann.get("/account").await;
    let id = page.text().split("/account/sessions/").find_map(|rest| {
        let id = rest.split("/end").next()?;
        (id.len() == 36).then(|| id.to_owned())
    });
    let id = id.expect("another browser");
    let target = format!("/account/sessions/{id}/end");
    assert_eq!(bo.post(&target, &[]).await.status, 404);
    assert_eq!(ann.post(&target, &[]).await.status, 303);
    let left = [
        phone.get("/account").await.status,
        cafe.get("/account").await.status,
    ];
    assert_eq!(
        left.iter().filter(|status| **status == 200).count(),
        1,
        "{left:?}"
    );

    assert_eq!(ann.post("/account/sessions/end", &[]).await.status, 303);
    assert_eq!(phone.get("/account").await.status, 303);
    assert_eq!(cafe.get("/account").await.status, 303);
    assert_eq!(ann.get("/account").await.status, 200);
    assert_eq!(bo.get("/account").await.status, 200);
}

#[tokio::test]
async fn a_new_password_needs_the_old_one_and_signs_the_others_out() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let mut phone = Browser::signed_in(&app, "ann@example.org").await;
    let wrong = [
        ("current", "not her password"),
        ("password", "another kiln of mine"),
    ];
    let page = ann.post("/account/password", &wrong).await;
    assert_eq!(page.status, 400);
    assert!(page.text().contains("current password is not right"));
    let poor = [("current", PASSWORD), ("password", "123456789012")];
    assert_eq!(ann.post("/account/password", &poor).await.status, 400);
    assert_eq!(phone.get("/account").await.status, 200);

    let right = [("current", PASSWORD), ("password", "another kiln of mine")];
    assert_eq!(ann.post("/account/password", &right).await.status, 303);
    assert_eq!(phone.get("/account").await.status, 303);
    assert_eq!(ann.get("/account").await.status, 200);
    assert_eq!(phone.sign_in("ann@example.org", PASSWORD).await.status, 400);
    assert_eq!(
        phone
            .sign_in("ann@example.org", "another kiln of mine")
            .await
            .status,
        303
    );
}

#[tokio::test]
async fn the_history_says_what_moved_the_credits_and_ends_at_the_balance() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let key = key_on(ann.shown("/account/keys", &[("name", "k")]).await.text());
    for parts in [
        [
            Part::Text("source", TEXT),
            Part::Text("name", "<b>kiln</b>"),
        ],
        [
            Part::File("source", "a.pdf", b"%PDF-1.4 broken"),
            Part::Text("name", "broken"),
        ],
    ] {
        app.clock.advance(std::time::Duration::from_secs(60));
        app.post("/api/v1/generate")
            .key(&key)
            .form(&parts)
            .send()
            .await;
    }
    let page = ann.get("/account").await;
    let text = page.text();
    assert!(!text.contains("<b>kiln"), "names are words");
    let rows: Vec<String> = text
        .split("<tr>")
        .skip(2)
        .map(|row| {
            let cells = row.split("</tr>").next().unwrap_or_default().split('>');
            let words = cells.filter_map(|cell| cell.split('<').next());
            words
                .filter(|word| !word.trim().is_empty())
                .collect::<Vec<_>>()
                .join("|")
        })
        .collect();
    let ends: Vec<&str> = rows
        .iter()
        .map(|row| row.rsplit_once("UTC|").expect("a time").1)
        .collect();
    assert_eq!(ends, ["+1|2", "−1|1", "−1|2", "+3|3"], "{rows:?}");
    assert!(rows[0].starts_with("Credit returned"), "{rows:?}");
    assert!(rows[3].starts_with("Welcome credits"), "{rows:?}");
    app.books().await;
}

#[tokio::test]
async fn a_key_needs_a_name_and_twenty_are_enough() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    for name in ["", "  ", "a\r\nX: y", &"x".repeat(65)] {
        let page = ann.post("/account/keys", &[("name", name)]).await;
        assert_eq!(page.status, 400, "{name:?}");
        assert!(page.text().contains("printable characters"));
    }
    for _ in 0..20 {
        app.admin
            .add_key("ann@example.org", "k")
            .await
            .expect("a key");
    }
    let page = ann.post("/account/keys", &[("name", "one more")]).await;
    assert_eq!(page.status, 400);
    assert!(page.text().contains("at most 20 live keys"));
}

#[tokio::test]
async fn a_pack_is_bought_from_the_account_page_and_visiting_the_till_gives_nothing() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let page = ann.get("/account").await;
    assert!(
        page.text().contains("10 credits, good for ever"),
        "{}",
        page.text()
    );
    let answer = ann.post("/account/buy", &[("plan", "starter")]).await;
    assert_eq!(answer.status, 303);
    let till = answer.header("location").expect("an address");
    let (_, path) = till.split_once("127.0.0.1:8080").expect("a page of ours");
    assert_eq!(ann.get(path).await.status, 200);
    assert_eq!(app.books().await.granted, 3, "nothing is given for a visit");
    let unknown = ann.post("/account/buy", &[("plan", "platinum")]).await;
    assert_eq!(unknown.status, 400);
}

#[tokio::test]
async fn after_paying_one_is_still_signed_in_sees_the_balance_and_is_led_on() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let page = ann.get("/account").await;
    assert!(page.text().contains("rehearsal of the payment page"));
    let answer = ann.post("/account/buy", &[("plan", "starter")]).await;
    let till = answer.header("location").expect("an address");
    let (_, path) = till.split_once("127.0.0.1:8080").expect("a page of ours");
    let paid = ann.post(path, &[("deed", "pay")]).await;
    assert_eq!(paid.header("location"), Some("/billing/success"));
    let thanks = ann.get("/billing/success").await;
    for words in [
        "<strong>13</strong> credits to spend now",
        "class=\"button primary\" href=\"/new\"",
        "action=\"/signout\"",
    ] {
        assert!(thanks.text().contains(words), "{words}: {}", thanks.text());
    }
    let nobody = app.get("/billing/success").send().await;
    assert!(nobody.text().contains("Thank you") && nobody.text().contains("/signin"));
}

#[tokio::test]
async fn a_secret_is_shown_in_the_answer_to_its_form_and_nowhere_else() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let page = ann
        .shown("/account/recovery-codes", &[("current", PASSWORD)])
        .await;
    let codes = page.text().split("id=\"codes\"").nth(1).expect("codes");
    let codes = codes.split("</pre>").next().expect("an end");
    assert_eq!(codes.lines().count(), 10, "{codes}");
    assert_eq!(page.header("set-cookie"), None, "they travel in no cookie");
    let page = ann.get("/account").await;
    assert!(
        !page.text().contains("id=\"codes\"") && page.text().contains("You have 10 of 10 left")
    );
    for (form, part) in [
        ("/account/keys", "/account#keys"),
        ("/account/recovery-codes", "/account#recovery"),
        ("/account/password", "/account#password"),
    ] {
        let answer = ann.get(form).await;
        assert_eq!(
            (answer.status, answer.header("location")),
            (303, Some(part))
        );
    }
}
