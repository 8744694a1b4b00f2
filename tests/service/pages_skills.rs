//! The pages on which skills are made, found, read, changed and shared (decisions 39 and 58).

use crate::catalogue;
use crate::generate::TEXT;
use crate::support::app::App;
use crate::support::browser::{Browser, PASSWORD};
use crate::support::client::{Answer, Part};
use crate::support::site::Site;
use serde_json::json;
use skillkiln::domain::credits::{Credits, GrantReason};
use skillkiln::domain::user::Plan;
use skillkiln::services::admin::Account;
use std::time::Duration;

pub(crate) async fn roomy() -> App {
    App::with(|settings| settings.limits.other_per_minute = 1_000_000).await
}

/// What a browser without script does with the form on `/new`: it sends it and follows the run's page to its end.
pub(crate) async fn sent(browser: &mut Browser<'_>, target: &str, parts: &[Part<'_>]) -> Answer {
    let request = browser.request("POST", target);
    let request = request.header("Sec-Fetch-Site", "same-origin");
    request.form(parts).send().await
}

pub(crate) async fn followed(browser: &mut Browser<'_>, answer: &Answer) -> Answer {
    assert_eq!(answer.status, 303, "{}", answer.text());
    let run = answer.header("location").expect("a place").to_owned();
    assert!(run.starts_with("/runs/"), "{run}");
    for _ in 0..200_000 {
        let page = browser.get(&run).await;
        if !page.text().contains("http-equiv=\"refresh\"") {
            return page;
        }
    }
    panic!("the run never ended");
}

/// The path of a skill that was just made.
pub(crate) async fn made(browser: &mut Browser<'_>) -> String {
    let answer = sent(
        browser,
        "/new",
        &[Part::Text("source", TEXT), Part::Text("name", "kiln")],
    )
    .await;
    let end = followed(browser, &answer).await;
    let to = end.header("location").expect("a skill").to_owned();
    to.strip_suffix("?said=made")
        .expect("it is said")
        .to_owned()
}

/// A field that a page carries along unseen.
fn carried(page: &Answer, name: &str) -> String {
    let start = format!("name=\"{name}\" value=\"");
    let rest = page.text().split(&start).nth(1);
    let rest = rest.unwrap_or_else(|| panic!("{name}: {}", page.text()));
    rest.split('"').next().unwrap_or_default().to_owned()
}

/// Opens the editor of a skill, writes another text and saves it.
async fn write(browser: &mut Browser<'_>, path: &str, content: &str) {
    let tag = carried(&browser.get(&format!("{path}?view=edit")).await, "tag");
    let fields = [("tag", &*tag), ("content", content)];
    let saved = browser.post(path, &fields).await;
    assert_eq!(saved.status, 303, "{}", saved.text());
}

const HOSTILE: &str = "---\nname: \"kiln\"\ndescription: \"<script>alert(1)</script>\\\" onload=x\"\n---\n\n# <img src=x onerror=alert(1)>\n\n\
                       <script src=https://evil.example/x.js></script>\n\n![p](https://evil.example/p.png) [a](javascript:alert(1))\n";

#[tokio::test]
async fn a_skill_is_made_without_script_and_read_in_the_library() {
    let app = roomy().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let empty = ann.get("/library").await;
    assert!(empty.text().contains("Your library is empty"));
    let path = made(&mut ann).await;
    let page = ann.get(&path).await;
    assert_eq!(page.status, 200);
    assert!(
        page.text().contains("<h1 dir=\"auto\">kiln</h1>")
            && page.text().contains("class=\"card prose\"")
    );
    assert!(page.body.len() < 150_000);
    for view in [
        "?view=source",
        "?view=edit",
        "?view=versions",
        "?view=references",
        "?view=lab",
    ] {
        let page = ann.get(&format!("{path}{view}")).await;
        assert_eq!(page.status, 200, "{view}");
        assert!(page.text().contains("aria-current=\"page\""), "{view}");
    }
    let lab = ann.get(&format!("{path}?view=lab")).await;
    assert!(lab.text().contains("come up first") && lab.text().contains("Should not"));
    assert_eq!(ann.get(&format!("{path}?part=99")).await.status, 404);
    let list = ann.get("/library?q=KILN").await;
    assert!(list.text().contains(&format!("href=\"{path}\"")));
    let nothing = ann.get("/library?q=%3Cscript%3E").await;
    assert!(nothing.text().contains("Nothing matches") && !nothing.text().contains("<script>"));
}

#[tokio::test]
async fn the_script_hears_a_run_live_and_refusals_as_the_envelope() {
    let app = App::start().await;
    let ann = Browser::joined(&app, "ann@example.org").await;
    let ask = |parts: &[Part<'_>]| {
        let request = ann
            .request("POST", "/new")
            .header("Accept", "text/event-stream");
        let request = request.header("Sec-Fetch-Site", "same-origin");
        request.form(parts).send()
    };
    let told = ask(&[Part::File("files", "kiln.md", TEXT.as_bytes())]).await;
    // Should the stream break, the script knows where the run is.
    let place = told.header("content-location").expect("a place").to_owned();
    let events = told.events();
    let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["progress", "progress", "progress", "complete"]);
    assert!(
        events[3].1["skill_id"]
            .as_str()
            .is_some_and(|id| id.starts_with("sk_"))
    );
    let nothing = ask(&[Part::Text("source", "  ")]).await;
    assert_eq!(nothing.refusal(), (400, "VALIDATION_ERROR".into()));
    let broken = ask(&[Part::File("files", "a.pdf", b"%PDF-1.7\nno document")])
        .await
        .events();
    assert_eq!(broken.last().expect("an end").0, "error");
    let mut ann = ann;
    let made = ann.get(&place).await;
    let skill = events[3].1["skill_id"].as_str().expect("a skill");
    let to = format!("/library/{skill}?said=made");
    assert_eq!(made.header("location"), Some(to.as_str()));
    let books = app.books().await;
    assert_eq!((books.posted, books.reserved), (1, 0));
}

#[tokio::test]
async fn a_form_that_cannot_be_comes_back_with_what_was_typed_and_a_failed_run_says_the_credit_is_back()
 {
    let app = roomy().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let parts = [
        Part::Text("source", "http://127.0.0.1:99999/"),
        Part::Text("name", "\"><script>x</script>"),
        Part::File("files", "", b""),
    ];
    let page = sent(&mut ann, "/new", &parts).await;
    assert_eq!(page.status, 400, "{}", page.text());
    assert!(
        page.text().contains("role=\"alert\"") && page.text().contains("http://127.0.0.1:99999/")
    );
    assert!(!page.text().contains("<script>x"));
    let broken = sent(
        &mut ann,
        "/new",
        &[Part::File("files", "a.pdf", b"%PDF-1.7\nno document")],
    )
    .await;
    let end = followed(&mut ann, &broken).await;
    assert!(end.text().contains("The credit is back"), "{}", end.text());
    let books = app.books().await;
    assert_eq!((books.available, books.reserved), (3, 0));
    let mut bob = Browser::joined(&app, "bob@example.org").await;
    let run = broken.header("location").expect("a place");
    assert_eq!(bob.get(run).await.status, 404, "nobody else's");
}

#[tokio::test]
async fn a_file_and_a_text_together_are_refused_before_anything_is_charged() {
    let app = roomy().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let both = [
        Part::File("files", "kiln.md", TEXT.as_bytes()),
        Part::Text("source", "Glaze notes <of mine>"),
    ];
    for target in ["/new", "/new/look"] {
        let page = sent(&mut ann, target, &both).await;
        assert_eq!(page.status, 400, "{target}");
        for words in ["both the file kiln.md and", "Glaze notes &#60;of mine&#62;"] {
            assert!(page.text().contains(words), "{words}: {}", page.text());
        }
    }
    let request = ann
        .request("POST", "/new")
        .header("Accept", "text/event-stream");
    let request = request.header("Sec-Fetch-Site", "same-origin");
    let told = request.form(&both).send().await;
    assert_eq!(told.refusal(), (400, "VALIDATION_ERROR".into()));
    let books = app.books().await;
    assert_eq!((books.available, books.posted), (3, 0));
}

#[tokio::test]
async fn looking_first_suggests_metadata_and_topics_and_the_chosen_ones_become_skills() {
    let app = roomy().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let text: &str = &catalogue::TEXT;
    let page = sent(&mut ann, "/new/look", &[Part::Text("source", text)]).await;
    assert_eq!(page.status, 200, "{}", page.text());
    let value = |name: &str| {
        let rest = page
            .text()
            .split(&format!("name=\"{name}\""))
            .nth(1)
            .expect(name);
        let rest = rest.split("value=\"").nth(1).expect("a value");
        let text = rest.split('"').next().unwrap_or_default();
        text.replace("&#34;", "\"")
            .replace("&#39;", "'")
            .replace("&#38;", "&")
            .replace("&#60;", "<")
            .replace("&#62;", ">")
    };
    assert!(!value("name").is_empty() && !value("category").is_empty());
    let topics: Vec<serde_json::Value> =
        serde_json::from_str(&value("all_topics")).expect("topics");
    assert!(topics.len() >= 2);
    let slug = |at: usize| topics[at]["slug"].as_str().expect("a slug").to_owned();
    let (id, all) = (value("source_ids"), value("all_topics"));
    let parts = [
        Part::Text("source_ids", &id),
        Part::Text("all_topics", &all),
        Part::Text("topics", &slug(0)),
        Part::Text("topics", &slug(1)),
    ];
    // A refusal keeps what was sent and offered.
    let long = "n".repeat(201);
    let mut wrong = parts.to_vec();
    wrong.push(Part::Text("name", &long));
    let refused = sent(&mut ann, "/new", &wrong).await;
    assert_eq!(refused.status, 400);
    assert!(refused.text().contains(&id) && refused.text().contains("name=\"all_topics\""));
    let answer = sent(&mut ann, "/new", &parts).await;
    let end = followed(&mut ann, &answer).await;
    assert!(end.text().contains("2 skills are made"), "{}", end.text());
    let run = answer.header("location").expect("a run").to_owned();
    assert!(end.text().contains(&format!("href=\"{run}/index\"")));
    let index = ann.get(&format!("{run}/index")).await;
    assert_eq!(
        index.header("content-type"),
        Some("text/markdown; charset=utf-8")
    );
    let saved = index.header("content-disposition").expect("a name");
    assert!(saved.contains("-index.md"), "{saved}");
    for topic in topics.iter().take(2) {
        let name = topic["name"].as_str().expect("a name");
        assert!(index.text().contains(name), "{name}: {}", index.text());
    }
    // The library and the history lead to the index, too.
    let library = ann.get("/library").await;
    assert!(library.text().contains("2 skills"));
    for page in [library, ann.get("/account").await] {
        let way = format!("href=\"{run}\"");
        assert!(page.text().contains(&way), "{}", page.text());
    }
    assert_eq!(app.books().await.posted, 2);
    let mut bob = Browser::joined(&app, "bob@example.org").await;
    let theirs = sent(&mut bob, "/new", &[Part::Text("source_ids", &id)]).await;
    assert_eq!(theirs.status, 404);
    for theirs in [run.clone(), format!("{run}/index")] {
        assert_eq!(bob.get(&theirs).await.status, 404, "{theirs}");
    }
}

#[tokio::test]
async fn an_edit_is_saved_kept_as_a_version_and_a_stale_one_is_not_lost() {
    let app = roomy().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let path = made(&mut ann).await;
    let old = carried(&ann.get(&format!("{path}?view=edit")).await, "tag");
    let save = async |browser: &mut Browser<'_>, tag: &str, content: &str| {
        browser
            .post(&path, &[("tag", tag), ("content", content)])
            .await
    };
    let saved = save(&mut ann, &old, "---\r\nname: \"kiln\"\r\n---\r\n# Mine\r\n").await;
    assert_eq!(
        saved.header("location"),
        Some(format!("{path}?view=edit&said=saved").as_str())
    );
    let stale = save(&mut ann, &old, "# Another </textarea><script>x</script>").await;
    assert_eq!(stale.status, 412);
    assert!(stale.text().contains("# Another") && !stale.text().contains("</textarea><script>"));
    let versions = ann.get(&format!("{path}?view=versions")).await;
    let at = versions
        .text()
        .split("?view=versions&amp;at=")
        .nth(1)
        .expect("a version");
    let at = at.split('"').next().unwrap_or_default().to_owned();
    let diff = ann.get(&format!("{path}?view=versions&at={at}")).await;
    assert!(
        diff.text().contains("<ins>+ # Mine</ins>"),
        "{}",
        diff.text()
    );
    let body = [("content", "no header")];
    let found = ann.post(&format!("{path}/check"), &body).await.json();
    assert!(found["errors"].as_u64() >= Some(1) && found["findings"][0]["severity"] == "error");
}

#[tokio::test]
async fn a_share_page_is_inert_whatever_the_skill_says() {
    let app = roomy().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let path = made(&mut ann).await;
    write(&mut ann, &path, HOSTILE).await;
    let shared = ann
        .post(&format!("{path}/share"), &[("is_public", "true")])
        .await;
    assert_eq!(shared.status, 303);
    let public = path.replace("/library/", "/s/");
    let page = app.get(&public).send().await;
    assert_eq!(page.status, 200);
    let policy = page.header("content-security-policy").expect("a policy");
    for part in [
        "default-src 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    ] {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(
        !policy.contains("script-src") && !policy.contains("http"),
        "{policy}"
    );
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(page.header("cache-control"), Some("no-store"));
    let text = page.text();
    for never in [
        "<script",
        "<form",
        "<iframe",
        "javascript:alert(1)\"",
        "src=\"http",
        " onerror=alert(1)>\n<",
        "style=",
    ] {
        assert!(!text.contains(never), "{never}");
    }
    assert_eq!(text.matches("<img ").count(), 1, "ours alone");
    assert!(
        text.contains("href=\"https://evil.example/p.png\""),
        "a picture is a link"
    );
    for (file, media_type) in [
        ("SKILL.md", "text/markdown; charset=utf-8"),
        ("skill.zip", "application/zip"),
        ("preview.png", "image/png"),
    ] {
        let file = app.get(&format!("{public}/{file}")).send().await;
        assert_eq!(
            (file.status, file.header("content-type")),
            (200, Some(media_type))
        );
        assert_eq!(file.header("cache-control"), Some("no-store"));
    }
}

#[tokio::test]
async fn private_deleted_and_unknown_share_pages_are_the_same_404() {
    let app = roomy().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let path = made(&mut ann).await;
    let public = path.replace("/library/", "/s/");
    let unknown = app.get("/s/sk_00000000000000000000000000").send().await;
    assert_eq!(unknown.status, 404);
    let same = async |target: &str| {
        let answer = app.get(target).send().await;
        assert_eq!(
            (answer.status, answer.text()),
            (404, unknown.text()),
            "{target}"
        );
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    };
    same(&public).await;
    same("/s/nonsense").await;
    for file in ["SKILL.md", "skill.zip", "preview.png"] {
        same(&format!("{public}/{file}")).await;
    }
    ann.post(&format!("{path}/share"), &[("is_public", "true")])
        .await;
    assert_eq!(app.get(&public).send().await.status, 200);
    same(&format!("{public}/other")).await;
    same(&format!("{public}?part=1000")).await;
    ann.post(&format!("{path}/share"), &[("is_public", "false")])
        .await;
    same(&public).await;
    ann.post(&format!("{path}/share"), &[("is_public", "true")])
        .await;
    ann.post(&format!("{path}/delete"), &[]).await;
    same(&public).await;
    assert_eq!(ann.get(&path).await.status, 404);
}

#[tokio::test]
async fn a_public_skill_is_copied_into_another_library_and_nothing_else_of_it_can_be_touched() {
    let app = roomy().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let mut bob = Browser::joined(&app, "bob@example.org").await;
    let path = made(&mut ann).await;
    let id = path.strip_prefix("/library/").expect("an id").to_owned();
    let from = format!("/library/copy?from={id}");
    assert_eq!(bob.get(&from).await.status, 404, "it is private");
    assert_eq!(
        bob.post("/library/copy", &[("from", &id)]).await.status,
        404
    );
    ann.post(&format!("{path}/share"), &[("is_public", "true")])
        .await;
    assert!(bob.get(&from).await.text().contains("Copy it"));
    let copied = bob.post("/library/copy", &[("from", &id)]).await;
    let copy = copied.header("location").expect("a place").to_owned();
    let page = bob.get(&copy).await;
    assert!(page.text().contains("This is your copy") && !page.text().contains("Make it again"));
    let before = ann.get(&path).await;
    assert_eq!(bob.get(&path).await.status, 404);
    let fields = [("content", "# x"), ("is_public", "false"), ("tag", "")];
    for rest in [
        "",
        "/check",
        "/share",
        "/duplicate",
        "/regenerate",
        "/delete",
    ] {
        let refused = bob.post(&format!("{path}{rest}"), &fields).await;
        assert_eq!(refused.status, 404, "{rest}");
    }
    // All but the token of the button, which is another on each page.
    let said = |page: &Answer| {
        let (before, after) = page.text().split_once("press=").expect("a button");
        let (_, after) = after.split_once('"').expect("its end");
        (before.to_owned(), after.to_owned())
    };
    assert_eq!(said(&ann.get(&path).await), said(&before));
    let stranger = app.get(&from).send().await;
    assert!(
        stranger
            .header("location")
            .is_some_and(|to| to.starts_with("/signin?next="))
    );
}

const WAITS: &str = "A new text waits beside yours";

/// Accepts the text that waits beside a skill, as its page offers it.
async fn accepted(ann: &mut Browser<'_>, path: &str) {
    let page = ann.get(&format!("{path}?view=draft")).await;
    assert!(page.text().contains("How the new text differs from yours"));
    let id = carried(&page, "generation_id");
    let fields = [("do", "accept"), ("generation_id", id.as_str())];
    let answer = ann.post(&format!("{path}/draft"), &fields).await;
    let place = format!("{path}?said=accepted");
    assert_eq!(answer.header("location"), Some(place.as_str()));
}

#[tokio::test]
async fn a_skill_is_made_again_from_its_page() {
    let app = roomy().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let path = made(&mut ann).await;
    write(&mut ann, &path, "# Mine\n").await;
    let answer = ann.post(&format!("{path}/regenerate"), &[]).await;
    followed(&mut ann, &answer).await;
    let page = ann.get(&path).await;
    assert!(page.text().contains("Mine") && page.text().contains(WAITS));
    accepted(&mut ann, &path).await;
    assert!(
        ann.get(&path)
            .await
            .text()
            .contains("A kiln is fired slowly")
    );
    let duplicated = ann.post(&format!("{path}/duplicate"), &[]).await;
    assert_eq!(duplicated.status, 303);
    assert!(ann.get("/library").await.text().contains("2 skills"));
}

#[tokio::test]
async fn a_text_that_is_made_again_waits_beside_an_edit_and_once_accepted_the_edit_is_put_back() {
    let app = App::with(|settings| {
        settings.limits.other_per_minute = 1_000_000;
        settings.billing.signup_credits = 9;
    })
    .await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let page = "<h1>Kiln</h1><p>Fire it slowly, so that the water can leave the clay. Keep the lid closed until it is below 200 degrees.</p>";
    let site = Site::start(&[("/slow/kiln", 200, page)]).await;
    site.let_go();
    let source = site.page("/slow/kiln");
    let ordered = sent(&mut ann, "/new", &[Part::Text("source", &source)]).await;
    let end = followed(&mut ann, &ordered).await;
    let to = end.header("location").expect("a skill");
    let path = to.split('?').next().expect("a path").to_owned();
    let told = "You had changed this skill by hand";
    site.hold();
    app.clock.advance(Duration::from_secs(60));
    let ordered = ann.post(&format!("{path}/regenerate"), &[]).await;
    app.clock.advance(Duration::from_secs(1));
    let mine = "---\nname: \"kiln\"\ndescription: \"Mine.\"\n---\n\n# Written by hand\n";
    write(&mut ann, &path, mine).await;
    assert!(!ann.get(&path).await.text().contains(WAITS), "not yet");
    app.clock.advance(Duration::from_secs(1));
    site.let_go();
    followed(&mut ann, &ordered).await;
    let page = ann.get(&path).await;
    assert!(page.text().contains(WAITS) && page.text().contains("Written by hand"));
    assert!(!page.text().contains(told));
    // It is shown three-way, kept out, and made again.
    let three = ann.get(&format!("{path}?view=draft")).await;
    for words in [
        "What you changed by hand",
        "<ins>+ # Written by hand</ins>",
        "<del>- # Written by hand</del>",
    ] {
        assert!(three.text().contains(words), "{words}: {}", three.text());
    }
    let id = carried(&three, "generation_id");
    let fields = [("do", "dismiss"), ("generation_id", id.as_str())];
    let kept = ann.post(&format!("{path}/draft"), &fields).await;
    let place = format!("{path}?said=kept");
    assert_eq!(kept.header("location"), Some(place.as_str()));
    let twice = ann.post(&format!("{path}/draft"), &fields).await;
    assert_eq!(twice.status, 404);
    let page = ann.get(&path).await;
    assert!(!page.text().contains(WAITS) && page.text().contains("Written by hand"));
    let ordered = ann.post(&format!("{path}/regenerate"), &[]).await;
    followed(&mut ann, &ordered).await;
    app.clock.advance(Duration::from_secs(1));
    accepted(&mut ann, &path).await;
    let page = ann.get(&path).await;
    assert!(page.text().contains(told) && !page.text().contains("Written by hand"));

    let restore = format!("{path}/restore");
    let (at, tag) = (carried(&page, "at"), carried(&page, "tag"));
    for (at, stale, status) in [
        (&at, "", 412),
        (&at, "1", 412),
        (&"7".to_owned(), &tag, 404),
    ] {
        let refused = ann.post(&restore, &[("at", at), ("tag", stale)]).await;
        assert_eq!(refused.status, status, "{at} {stale}");
    }
    let mut bob = Browser::joined(&app, "bob@example.org").await;
    let theirs = bob.post(&restore, &[("at", &at), ("tag", &tag)]).await;
    assert_eq!(theirs.status, 404);
    let back = ann.post(&restore, &[("at", &at), ("tag", &tag)]).await;
    assert_eq!(
        back.header("location"),
        Some(format!("{path}?said=put-back").as_str())
    );
    let page = ann.get(&path).await;
    assert!(!page.text().contains(told) && page.text().contains("Written by hand"));
    assert!(page.text().contains("Versions (3)"));
    assert!(page.text().contains("You changed this text by hand"));

    // What was put back is theirs too, and both are shown against what was made before.
    app.clock.advance(Duration::from_secs(1));
    let ordered = ann.post(&format!("{path}/regenerate"), &[]).await;
    followed(&mut ann, &ordered).await;
    app.clock.advance(Duration::from_secs(1));
    accepted(&mut ann, &path).await;
    let page = ann.get(&path).await;
    assert!(page.text().contains(told));
    let at = carried(&page, "at");
    let both = ann.get(&format!("{path}?view=versions&at={at}")).await;
    for words in [
        "What you had changed by hand",
        "<ins>+ # Written by hand</ins>",
        "<del>- # Written by hand</del>",
        "Put this version back",
    ] {
        assert!(both.text().contains(words), "{words}: {}", both.text());
    }
}

#[tokio::test]
async fn a_skills_page_says_where_each_part_comes_from() {
    let app = roomy().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let page = "<h1>Kiln</h1><p>A kiln bakes clay.</p><h2 id=\"heat\">Heating</h2><p>Heat it by 80 degrees an hour.</p>\
                <h2 id=\"cool\">Cooling</h2><p>Let it cool for twelve hours before you open the lid.</p>";
    let site = Site::start(&[("/kiln", 200, page)]).await;
    let source = site.page("/kiln");
    let ordered = sent(&mut ann, "/new", &[Part::Text("source", &source)]).await;
    let end = followed(&mut ann, &ordered).await;
    let to = end.header("location").expect("a skill");
    let path = to.split('?').next().expect("a path").to_owned();
    let shown = ann.get(&format!("{path}?view=origin")).await;
    let heat =
        format!("<a href=\"{source}#heat\" rel=\"noreferrer nofollow\">Kiln &#62; Heating</a>");
    assert!(shown.text().contains(&heat), "{}", shown.text());
    assert!(shown.text().contains(&format!("{source}#cool")));
    // What its owner took out has no origin any more; what they wrote has none either.
    write(
        &mut ann,
        &path,
        "# Mine\n\n## Heating\n\nx\n\n## Mine\n\ny\n",
    )
    .await;
    let shown = ann.get(&format!("{path}?view=origin")).await;
    let title = |name: &str| format!("<td class=\"title\" dir=\"auto\">{name}</td>");
    assert!(shown.text().contains(&title("Heating")), "{}", shown.text());
    assert!(!shown.text().contains(&title("Cooling")) && !shown.text().contains(&title("Mine")));
}

#[tokio::test]
async fn a_form_without_a_sound_tag_is_not_saved_and_keeps_its_text() {
    let app = roomy().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let path = made(&mut ann).await;
    for fields in [
        &[("content", "# By hand")][..],
        &[("content", "# By hand"), ("tag", "")],
        &[("content", "# By hand"), ("tag", "7x")],
        &[("content", "# By hand"), ("tag", "7")],
    ] {
        let page = ann.post(&path, fields).await;
        assert_eq!(page.status, 412, "{fields:?}");
        assert!(page.text().contains("# By hand") && page.text().contains("Not saved"));
    }
    let nul = [("content", "# By\0hand"), ("tag", "7")];
    let page = ann.post(&path, &nul).await;
    assert_eq!(page.status, 400);
    assert!(page.text().contains("NUL character in line 1"));
    assert!(!ann.get(&path).await.text().contains("By hand"));
}

#[tokio::test]
async fn topics_that_a_page_carried_are_checked_like_those_of_a_program() {
    let app = roomy().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let topic = |name: &str, slug: &str| json!({"name": name, "slug": slug, "description": "", "estimated_word_count": 1});
    let many: Vec<_> = (0..21).map(|n| topic("A", &format!("a{n}"))).collect();
    for (offered, chosen) in [
        (json!([topic("A", "../a")]), "../a"),
        (json!([topic(" ", "a")]), "a"),
        (json!([topic(&"n".repeat(201), "a")]), "a"),
        (json!([topic("A", &"a".repeat(101))]), &*"a".repeat(101)),
        (json!([topic("A\0", "a")]), "a"),
        (json!([topic("A", "a"), topic("B", "a")]), "a"),
        (json!([topic("A", "a")]), "b"),
        (json!(many), "a0"),
        (json!({"a": 1}), "a"),
    ] {
        let offered = offered.to_string();
        let parts = [
            Part::Text("source", TEXT),
            Part::Text("all_topics", &offered),
            Part::Text("topics", chosen),
        ];
        let page = sent(&mut ann, "/new", &parts).await;
        assert_eq!(page.status, 400, "{offered}");
        assert!(page.text().contains("The topics cannot be read"));
    }
    assert_eq!(app.books().await.posted, 0);
}

#[tokio::test]
async fn whoever_pays_nothing_is_not_told_that_a_credit_is_back() {
    let app = roomy().await;
    let account = Account {
        email: "ann@example.org".into(),
        plan: Plan::Unlimited,
        credits: Credits(0),
        reason: GrantReason::Operator,
        password: Some(PASSWORD.to_owned()),
    };
    app.admin.add_user(account).await.expect("an account");
    let mut ann = Browser::signed_in(&app, "ann@example.org").await;
    let page = ann.get("/new").await;
    for words in ["credit is back", "costs 1 credit", "1 credit each"] {
        assert!(!page.text().contains(words), "{words}");
    }
    let path = made(&mut ann).await;
    let page = ann.get(&path).await;
    assert!(page.text().contains("Make it again") && !page.text().contains("Costs 1 credit"));
    let broken = [Part::File("files", "a.pdf", b"%PDF-1.7\nno document")];
    let broken = sent(&mut ann, "/new", &broken).await;
    let end = followed(&mut ann, &broken).await;
    assert!(end.text().contains("Nothing was charged"), "{}", end.text());
    assert!(!end.text().contains("back</strong>"));
    let mut bo = Browser::joined(&app, "bo@example.org").await;
    assert!(bo.get("/new").await.text().contains("the credit is back"));
}

#[tokio::test]
async fn a_library_is_leafed_through_and_hostile_words_stay_words() {
    let app = roomy().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let path = made(&mut ann).await;
    for _ in 0..25 {
        ann.post(&format!("{path}/duplicate"), &[]).await;
    }
    write(&mut ann, &path, HOSTILE).await;
    let first = ann.get("/library?sort=name").await;
    assert!(first.text().contains("26 skills") && first.text().contains("Page 1 of 2"));
    assert_eq!(first.text().matches("class=\"grid-item\"").count(), 24);
    assert!(!first.text().contains("<script>alert"));
    let second = ann.get("/library?sort=name&page=2").await;
    assert_eq!(second.text().matches("class=\"grid-item\"").count(), 2);
    for odd in [
        "?page=0",
        "?page=-1",
        "?page=x",
        "?page=99999999999",
        "?sort=nothing",
        "?category=%00",
    ] {
        assert_eq!(
            ann.get(&format!("/library{odd}")).await.status,
            200,
            "{odd}"
        );
    }
    let posted = app
        .request("POST", &path)
        .header("Cookie", ann.cookie.as_deref().unwrap_or_default());
    let posted = posted
        .header("Sec-Fetch-Site", "cross-site")
        .json(&json!({}));
    assert_eq!(posted.send().await.status, 403, "no other site writes here");
}

#[tokio::test]
async fn no_more_topics_are_chosen_beforehand_than_can_be_paid_and_a_refusal_counts() {
    let app = App::with(|settings| settings.billing.signup_credits = 1).await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let text: &str = &catalogue::TEXT;
    let page = sent(&mut ann, "/new/look", &[Part::Text("source", text)]).await;
    let boxes = page.text().matches("name=\"topics\"").count();
    assert!(boxes > 1, "{}", page.text());
    assert_eq!(page.text().matches(" checked>").count(), 1, "she has one");
    assert!(
        page.text()
            .contains("Make {n} skills · {n} credits (you have 1)")
    );
    let all = carried(&page, "all_topics").replace("&#34;", "\"");
    let topics: Vec<serde_json::Value> = serde_json::from_str(&all).expect("topics");
    let slugs: Vec<&str> = topics
        .iter()
        .filter_map(|topic| topic["slug"].as_str())
        .collect();
    let id = carried(&page, "source_ids");
    let mut parts = vec![
        Part::Text("source_ids", &id),
        Part::Text("all_topics", &all),
    ];
    parts.extend(slugs.iter().map(|slug| Part::Text("topics", slug)));
    let refused = sent(&mut ann, "/new", &parts).await;
    assert_eq!(refused.status, 402);
    let words = format!("{boxes} skills cost {boxes} credits, and you have 1");
    for words in [words.as_str(), "href=\"/account#buy\""] {
        assert!(refused.text().contains(words), "{}", refused.text());
    }
    assert_eq!(
        refused.text().matches(" checked>").count(),
        boxes,
        "what was chosen stays"
    );
}

#[tokio::test]
async fn who_has_no_credits_is_told_beforehand_and_led_to_buy_some() {
    let app = App::with(|settings| settings.billing.signup_credits = 0).await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let page = ann.get("/new").await;
    assert!(
        page.text().contains("You have no credits left"),
        "{}",
        page.text()
    );
    assert!(page.text().contains("href=\"/account#buy\""));
    let refused = sent(&mut ann, "/new", &[Part::Text("source", TEXT)]).await;
    assert_eq!(refused.status, 402);
    assert!(
        refused
            .text()
            .contains("A skill costs 1 credit, and you have none")
    );
    assert!(refused.text().contains("href=\"/account#buy\""));
}

#[tokio::test]
async fn a_run_that_failed_is_in_the_library_with_its_reason_and_a_way_to_try_again() {
    let app = roomy().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let site = Site::start(&[("/gone", 404, "nothing")]).await;
    let source = site.page("/gone");
    let ordered = sent(&mut ann, "/new", &[Part::Text("source", &source)]).await;
    let end = followed(&mut ann, &ordered).await;
    let run = ordered.header("location").expect("a run").to_owned();
    let encoded: String = url::form_urlencoded::byte_serialize(source.as_bytes()).collect();
    let again = format!("href=\"/new?source={encoded}\"");
    assert!(end.text().contains(&again), "{}", end.text());
    let library = ann.get("/library").await;
    for words in [
        "Under way, or failed of late",
        &again,
        &format!("href=\"{run}\""),
    ] {
        assert!(
            library.text().contains(words),
            "{words}: {}",
            library.text()
        );
    }
    let form = ann.get(&format!("/new?source={encoded}")).await;
    assert!(form.text().contains(&format!("{source}</textarea>")));
    let account = ann.get("/account").await;
    let failed = format!("<a class=\"badge bad\" href=\"{run}\">failed</a>");
    assert!(account.text().contains(&failed), "{}", account.text());
    let path = made(&mut ann).await;
    let account = ann.get("/account").await;
    let text = account.text();
    let run = text.split("<a class=\"badge ok\" href=\"").nth(1);
    let run = run.and_then(|rest| rest.split('"').next());
    let led = ann.get(run.expect("a link to what was made")).await;
    let to = led.header("location").expect("another page");
    assert!(to.starts_with(path.as_str()), "{to}");
    app.clock.advance(Duration::from_secs(25 * 3600));
    let library = ann.get("/library").await;
    assert!(!library.text().contains("failed of late"));
    let mut bob = Browser::joined(&app, "bob@example.org").await;
    assert!(!bob.get("/library").await.text().contains("failed of late"));
}

#[tokio::test]
async fn an_address_is_read_on_the_page_though_it_was_typed_without_its_scheme() {
    let app = roomy().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    // The port answers nothing, so the run fails and is free; what matters is that it was no text.
    let parts = [Part::Text("source", "kiln.invalid:9/guide.html")];
    let ordered = sent(&mut ann, "/new", &parts).await;
    let end = followed(&mut ann, &ordered).await;
    assert!(end.text().contains("The credit is back"), "{}", end.text());
    assert!(end.text().contains("https://kiln.invalid:9/guide.html"));
    let parts = [Part::Text("source", "http:/kiln.invalid/guide")];
    let refused = sent(&mut ann, "/new", &parts).await;
    assert_eq!(refused.status, 400);
    assert!(refused.text().contains("https://host/path"));
    let books = app.books().await;
    assert_eq!((books.available, books.posted), (3, 0));
}
