//! A person orders runs: several skills of one source, one that fails, and one whose stream breaks.

use crate::door::{TEXT, join};
use crate::driver::Browser;
use crate::kiln::Kiln;
use std::net::{TcpListener, TcpStream};

/// A text of two parts, each worth a skill.
fn long() -> String {
    let part = |title: &str, things: [&str; 4], line: &dyn Fn(&str, usize) -> String| {
        let section = |thing: &str| {
            let lines: String = (0..5).map(|step| line(thing, step)).collect();
            format!("## About {thing}\n\n{lines}")
        };
        format!("# {title}\n\n{}", things.map(section).concat())
    };
    let kiln = |thing: &str, step: usize| {
        format!(
            "Load the {thing} slowly and let the chamber reach {} degrees before any burner climbs. A cracked {thing} ruins the ware, so inspect bricks, elements and the thermocouple after each firing, and note the hour in the log.\n\n",
            100 + 20 * step
        )
    };
    let glaze = |thing: &str, step: usize| {
        format!(
            "Weigh silica, feldspar and {thing} on a balance, then stir the slurry with {} grams of water. Strain it twice through fine mesh, brush a sample tile, and compare its colour, gloss and viscosity with those you mixed earlier.\n\n",
            40 + 5 * step
        )
    };
    part(
        "Firing a kiln",
        ["shelves", "cones", "posts", "lids"],
        &kiln,
    ) + &part(
        "Mixing a glaze",
        ["kaolin", "cobalt", "borax", "rutile"],
        &glaze,
    )
}

/// Orders a skill from a source that is reached and says nothing: the run goes on as long as that is kept.
async fn order_from_silence(browser: &Browser, kiln: &Kiln) -> (TcpListener, TcpStream) {
    browser.go(&format!("{}/new", kiln.address)).await;
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let source = format!("http://{}/guide", silent.local_addr().unwrap());
    browser.type_into("#source", &source).await;
    browser.click("#new button.primary").await;
    let (reader, _) = silent.accept().unwrap();
    (silent, reader)
}

#[tokio::test]
async fn the_button_counts_the_topics_and_the_skills_come_with_their_index() {
    let kiln = Kiln::start();
    let browser = Browser::open().await;
    join(&browser, &kiln, "ida@example.org").await;
    browser.go(&format!("{}/new", kiln.address)).await;
    let text = serde_json::to_string(&long()).unwrap();
    browser
        .run(&format!(
            "document.getElementById('source').value = {text};"
        ))
        .await;
    browser.follow("button[formaction='/new/look']").await;
    browser.wait_for("input[name='topics']").await;
    let button = "#new button.primary";
    browser.click("[data-tick='none']").await;
    assert_eq!(
        browser.text(button).await,
        "Make the skill · 1 credit (you have 3)"
    );
    browser.click("[data-tick='all']").await;
    assert_eq!(
        browser.text(button).await,
        "Make 2 skills · 2 credits (you have 3)"
    );
    browser.look("topics").await;
    browser.follow(button).await;
    browser.wait_for("a[href$='/index']").await;
    assert_eq!(browser.text("h1").await, "2 skills are made");
    browser.look("made").await;

    // One credit is left: two topics are more than that, which is said before anything is sent.
    browser.go(&format!("{}/new", kiln.address)).await;
    browser
        .run(&format!(
            "document.getElementById('source').value = {text};"
        ))
        .await;
    browser.follow("button[formaction='/new/look']").await;
    browser.click("[data-tick='all']").await;
    browser
        .wait_for("[data-purse]:not([hidden]) a[href='/account#buy']")
        .await;
    browser.click(button).await;
    browser
        .wait_for("[data-failed]:not([hidden]) [data-short]:not([hidden])")
        .await;
    let said = browser.text("[data-failed] p").await;
    assert!(
        said.contains("2 skills cost 2 credits, and you have 1"),
        "{said}"
    );
    browser.is_content().await;
}

#[tokio::test]
async fn each_step_of_a_run_is_told_to_whoever_listens_and_a_file_is_seen_being_sent() {
    let kiln = Kiln::start();
    let browser = Browser::open().await;
    join(&browser, &kiln, "liv@example.org").await;
    let _silent = order_from_silence(&browser, &kiln).await;
    browser
        .wait_for("[data-step=extracting][aria-current=step]")
        .await;
    let told = "return document.getElementById('told').textContent;";
    let step = "return document.querySelector('[aria-current=step]').textContent;";
    assert_eq!(browser.run(told).await, "Step 1 of 3: Reading the source");
    assert_eq!(browser.run(step).await, "Reading the source: now");
    browser.look("run-under-way").await;

    // What is sent while the service says nothing: the step before the others, and no promise yet.
    browser.go(&format!("{}/new", kiln.address)).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kiln.md");
    std::fs::write(&file, TEXT).unwrap();
    browser.type_into("#files", file.to_str().unwrap()).await;
    let heard = "window.heard = []; const line = document.getElementById('told'); \
                 new MutationObserver(() => heard.push(line.textContent + '|' + document.querySelector('[data-waiting]').hidden)).observe(line, { childList: true }); \
                 document.querySelector('#new button.primary').click(); return new Promise((then) => setTimeout(() => then(heard[0]), 0));";
    let first = browser.run(heard).await;
    assert_eq!(first, "Step 1 of 4: Sending |true");
    browser.wait_for("nav.tabs").await;
    browser.is_content().await;
}

#[tokio::test]
async fn a_stream_that_breaks_leads_to_its_run_and_offers_no_second_charge() {
    let mut kiln = Kiln::start();
    let browser = Browser::open().await;
    join(&browser, &kiln, "jo@example.org").await;
    let _silent = order_from_silence(&browser, &kiln).await;
    browser
        .go_on_in_another_tab(&format!("{}/library", kiln.address))
        .await;
    browser.wait_for("#runs-title").await;
    browser.look("library-under-way").await;
    browser.back_to_the_first_tab().await;
    kiln.crash();
    browser.wait_for("[data-lost]:not([hidden])").await;
    browser.wait_for("[data-failed][hidden]").await;
    browser.wait_for("#new button.primary[aria-disabled]").await;
    browser.look("stream-broken").await;
    kiln.start_again();
    browser.wait_for("progress.meter").await;
    assert!(browser.address().await.contains("/runs/"));
}
