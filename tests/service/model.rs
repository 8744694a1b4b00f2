//! Skills written with a language model (decision 54), against a server that speaks the real protocols: what the skill holds,
//! what is asked again, what fails and gives the credit back. The books balance after each.

use crate::support::app::{App, Someone};
use crate::support::brain::{OBEYED, ORDER, Script};
use crate::support::browser::Browser;
use crate::support::client::{Answer, Part, Request};
use crate::support::model::{ModelServer, Turn};
use serde_json::Value;
use skillkiln::config::Settings;
use skillkiln::config::outside::{OnFailure, Writer};
use std::io::Write;
use std::path::Path;
use tempfile::TempDir;

use crate::catalogue;
use crate::generate::TEXT;
use crate::pages_skills::{followed, made, sent};

const KEY: &str = "sk-Test-0123456789-Secret";

/// The service with a model behind it, and somebody with three credits.
struct House {
    app: App,
    model: ModelServer,
    someone: Someone,
    _key: tempfile::NamedTempFile,
}

async fn house(turns: &[Turn]) -> House {
    house_with(turns, |_| {}).await
}

async fn house_with(turns: &[Turn], change: impl FnOnce(&mut Settings)) -> House {
    let model = ModelServer::start(turns).await;
    let mut key = tempfile::NamedTempFile::new().expect("a file");
    writeln!(key, "{KEY}").expect("written");
    let app = app_before(&model, key.path(), change).await;
    let someone = app.someone(3).await;
    House {
        app,
        model,
        someone,
        _key: key,
    }
}

/// The service before a model.
async fn app_before(model: &ModelServer, key: &Path, change: impl FnOnce(&mut Settings)) -> App {
    App::with(|settings| {
        settings.limits.other_per_minute = 100_000;
        settings.limits.generate_per_minute = 1_000;
        settings.model.provider = Writer::OpenAi;
        settings.model.base_url = format!("http://{}/v1", model.address);
        settings.model.model = "some-model".into();
        settings.model.api_key_file = key.to_owned();
        settings.model.attempts_max = 2;
        // A model of one's own lies in a private network; sources may not.
        settings.fetch.allow_private_addresses = false;
        change(settings);
    })
    .await
}

impl House {
    async fn generate(&self, text: &str) -> Answer {
        let request = self.app.post("/api/v1/generate").key(&self.someone.key);
        request.form(&[Part::Text("source", text)]).send().await
    }

    async fn skill(&self, text: &str) -> Value {
        let answer = self.generate(text).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["skill"].clone()
    }

    /// Nothing was earned, and the message says what to do.
    async fn refuses(&self, text: &str) -> String {
        let answer = self.generate(text).await;
        assert_eq!(answer.refusal(), (500, "GENERATION_FAILED".to_owned()));
        let books = self.app.books().await;
        assert_eq!((books.available, books.reserved, books.posted), (3, 0, 0));
        answer.text().to_owned()
    }

    async fn earned_one(&self) {
        let books = self.app.books().await;
        assert_eq!((books.available, books.reserved, books.posted), (2, 0, 1));
    }
}

/// SKILL.md and all references.
fn whole(skill: &Value) -> String {
    let files = skill["reference_files"].as_array().expect("an array");
    let references = files.iter().map(|file| file["content"].as_str());
    let texts = std::iter::once(skill["content"].as_str()).chain(references);
    texts.map(|text| text.expect("text")).collect()
}

/// The application surface's page of the only skill in the library.
impl House {
    async fn page(&self) -> Value {
        let get = |path: String| self.app.get(&path).key(&self.someone.key).send();
        let list = get("/api/skills".to_owned()).await.json();
        let id = list["skills"][0]["id"].as_str().expect("an id").to_owned();
        let page = get(format!("/api/skills/{id}")).await.json();
        page.get("skill").unwrap_or(&page).clone()
    }

    /// The draft is delivered, nothing is owed for it, and the report says why.
    async fn delivers_the_draft(&self, text: &str) -> String {
        let answer = self.generate(text).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let answer = answer.json();
        assert_eq!(answer["metadata"]["author"], "extractive");
        assert_eq!(answer["metadata"]["credits_remaining"], 3);
        let books = self.app.books().await;
        assert_eq!((books.available, books.reserved, books.posted), (3, 0, 0));
        let history = self
            .app
            .get("/api/v1/generations")
            .key(&self.someone.key)
            .send();
        let row = history.await.json()["generations"][0].clone();
        assert_eq!(
            (
                &row["status"],
                &row["credits_charged"],
                &row["credits_refunded"]
            ),
            (&"completed".into(), &1.into(), &1.into())
        );
        let page = self.page().await;
        let checks = page["validation"]["checks"].as_array().expect("checks");
        let entry = checks
            .iter()
            .find(|check| check["id"] == "V099")
            .expect("an entry");
        assert_eq!(entry["passed"], false);
        entry["message"].as_str().expect("text").to_owned()
    }
}

impl House {
    /// The only skill's bill is the same in the answer, on its page, and in the metrics, where a token costs one.
    async fn tells_the_bill(&self) {
        let told = self.page().await["metadata"].clone();
        let tokens = told["tokens"].as_u64().expect("tokens");
        assert!(tokens > 0, "{told}");
        assert_eq!(told["cost"].as_f64(), Some(tokens as f64));
        let metrics = Request::new(self.app.operators, "GET", "/metrics");
        let metrics = metrics.by_number().send().await;
        let line = format!("skillkiln_model_cost_total {tokens}");
        assert!(
            metrics.text().lines().any(|one| one == line),
            "{line}: {}",
            metrics.text()
        );
    }
}

#[tokio::test]
async fn a_model_writes_the_skill_in_each_protocol() {
    let providers = [
        Writer::OpenAi,
        Writer::Azure,
        Writer::Anthropic,
        Writer::Gemini,
        Writer::Ollama,
    ];
    for provider in providers {
        let house = house_with(&[Turn::Say(Script::Good)], |settings| {
            settings.model.provider = provider;
        })
        .await;
        let answer = house.generate(TEXT).await.json();
        assert_eq!(answer["metadata"]["author"], "model");
        assert_eq!(answer["metadata"]["credits_remaining"], 2);
        assert!(
            answer["metadata"]["tokens"]
                .as_u64()
                .is_some_and(|tokens| tokens > 0)
        );
        assert!(answer["metadata"]["cost"].is_number());
        let kept = house.page().await["metadata"].clone();
        for field in ["author", "tokens", "cost"] {
            assert_eq!(kept[field], answer["metadata"][field], "{field}");
        }
        let skill = answer["skill"].clone();
        let body = skill["content"].as_str().expect("text");
        for part in [
            "1. Place the shelves on three posts.",
            "```sh\nkilnctl start --program bisque\n```",
            "## Where to read",
        ] {
            assert!(body.contains(part), "{body}");
        }
        assert!(whole(&skill).contains("Opening it early cracks the glaze."));
        house.earned_one().await;
        let asked = house.model.asked();
        assert_eq!(asked.len(), 4, "planned, written, judged, reviewed");
        assert!(asked.iter().all(|one| one.head.contains(KEY)));
    }
}

#[tokio::test]
async fn a_model_is_told_what_was_wrong_and_may_mend_it() {
    let house = house(&[Turn::Say(Script::Learning)]).await;
    let skill = house.skill(TEXT).await;
    assert!(!whole(&skill).contains("purge"));
    let asked = house.model.asked();
    assert!(
        asked
            .iter()
            .any(|one| one.body.contains("does not stand in the source"))
    );
    house.earned_one().await;
}

#[tokio::test]
async fn what_the_model_invents_is_not_in_the_skill() {
    for script in [
        Script::Inventing,
        Script::Misquoting,
        Script::Twisting,
        Script::Nodding,
    ] {
        let house = house(&[Turn::Say(script)]).await;
        let skill = house.skill(TEXT).await;
        let all = whole(&skill);
        for invented in [
            "purge",
            "4711",
            "Frobnicator",
            "invented.example",
            "degrees a day",
        ] {
            assert!(!all.contains(invented), "{script:?}: {all}");
        }
        assert!(all.contains("60 degrees an hour"), "{script:?}: {all}");
        house.earned_one().await;
    }
}

#[tokio::test]
async fn the_report_says_who_wrote_the_skill_and_proves_each_line() {
    for (script, passed, word) in [
        (Script::Good, true, "a model wrote"),
        (Script::Misquoting, false, "extractive"),
    ] {
        let house = house(&[Turn::Say(script)]).await;
        house.skill(TEXT).await;
        let page = house.page().await;
        let checks = page["validation"]["checks"].as_array().expect("checks");
        let told: Vec<&Value> = checks
            .iter()
            .filter(|check| check["id"] == "V099")
            .collect();
        assert_eq!(told[0]["passed"], passed);
        let message = told[0]["message"].as_str().expect("text");
        assert!(message.contains(word), "{message}");
        let proofs = told.iter().filter(|check| check["line"].is_u64()).count();
        assert_eq!(proofs > 3, passed, "{told:?}");
    }
}

#[tokio::test]
async fn what_may_pass_is_asked_again_and_costs_one_credit() {
    let good = Turn::Say(Script::Good);
    for first in [
        Turn::Fail(500, None),
        Turn::Fail(529, None),
        Turn::Fail(429, Some(1)),
        Turn::Noise,
        Turn::Say(Script::Breaking),
        Turn::Say(Script::Rambling),
    ] {
        let house = house(&[first, good]).await;
        house.skill(TEXT).await;
        assert_eq!(house.model.asked().len(), 5, "{first:?}");
        house.earned_one().await;
    }
}

#[tokio::test]
async fn an_answer_that_is_cut_off_is_read_as_far_as_it_goes() {
    let house = house(&[Turn::Say(Script::Stopping)]).await;
    let skill = house.skill(TEXT).await;
    assert!(whole(&skill).contains("60 degrees an hour"));
    house.earned_one().await;
}

#[tokio::test]
async fn a_model_that_gives_no_usable_answer_costs_the_draft_nothing() {
    for turn in [
        Turn::Fail(500, None),
        Turn::Fail(429, Some(9_999)),
        Turn::Fail(401, None),
        Turn::Noise,
        Turn::Say(Script::Rambling),
        Turn::Say(Script::Breaking),
        Turn::Say(Script::Writing),
        Turn::Say(Script::Empty),
        Turn::Say(Script::Refusing),
    ] {
        let house = house(&[turn]).await;
        let message = house.delivers_the_draft(TEXT).await;
        assert!(
            message.contains("the model that writes the skills"),
            "{turn:?}: {message}"
        );
    }
}

#[tokio::test]
async fn a_model_whose_answers_say_nothing_of_the_source_ends_in_the_draft_with_the_reason() {
    for (script, why) in [
        (Script::Foreign, "in another language than the source"),
        (Script::Repeating, "could be proved"),
        (Script::Declining, "could be proved"),
    ] {
        let house = house(&[Turn::Say(script)]).await;
        let skill = house.skill(TEXT).await;
        assert!(whole(&skill).contains("60 degrees an hour"), "{script:?}");
        let page = house.page().await;
        assert_eq!(page["metadata"]["author"], "extractive", "{script:?}");
        let checks = page["validation"]["checks"].as_array().expect("checks");
        let is_told = |check: &Value| {
            let message = check["message"].as_str().unwrap_or_default();
            check["id"] == "V099" && check["passed"] == false && message.contains(why)
        };
        assert!(checks.iter().any(is_told), "{script:?}: {checks:?}");
        // It answered, as decision 54 counts it.
        house.earned_one().await;
    }
}

#[tokio::test]
async fn a_model_that_says_everything_over_and_over_is_heard_once() {
    let house = house(&[Turn::Say(Script::Echoing)]).await;
    let skill = house.skill(TEXT).await;
    let content = skill["content"].as_str().expect("text");
    assert_eq!(
        content.matches("60 degrees an hour").count(),
        1,
        "{content}"
    );
    house.earned_one().await;
}

#[tokio::test]
async fn where_that_is_set_a_model_that_is_away_fails_the_run_with_the_refund() {
    let house = house_with(&[Turn::Fail(500, None)], |settings| {
        settings.model.on_failure = OnFailure::Fail;
    })
    .await;
    let message = house.refuses(TEXT).await;
    assert!(
        message.contains("the model that writes the skills"),
        "{message}"
    );
}

#[tokio::test]
async fn a_silent_model_ends_in_the_draft_within_the_deadline() {
    let house = house_with(&[Turn::Silence], |settings| settings.model.deadline_s = 3).await;
    let began = std::time::Instant::now();
    let message = house.delivers_the_draft(TEXT).await;
    // Far below `engine.deadline_s` and the time for two answers.
    assert!(began.elapsed().as_secs() < 40, "{:?}", began.elapsed());
    assert!(message.contains("does not answer now"), "{message}");
}

#[tokio::test]
async fn a_budget_that_is_used_up_ends_in_the_draft() {
    let house = house_with(&[Turn::Say(Script::Good)], |settings| {
        settings.model.tokens_max = 100;
    })
    .await;
    let message = house.delivers_the_draft(TEXT).await;
    assert!(message.contains("used up"), "{message}");
}

/// A token costs one, and a run may cost no more than that.
fn dear(settings: &mut Settings) {
    settings.model.prices.input = 1e6;
    settings.model.prices.output = 1e6;
    settings.model.cost_max = 1.0;
}

#[tokio::test]
async fn a_run_that_has_cost_what_it_may_ends_in_the_draft_with_its_bill() {
    for on_failure in [OnFailure::Draft, OnFailure::Fail] {
        let house = house_with(&[Turn::Say(Script::Good)], |settings| {
            dear(settings);
            settings.model.on_failure = on_failure;
        })
        .await;
        let message = house.delivers_the_draft(TEXT).await;
        assert!(
            message.contains("what a run may cost is used up"),
            "{message}"
        );
        assert_eq!(house.model.asked().len(), 1, "and nothing after that");
        house.tells_the_bill().await;
    }
}

#[tokio::test]
async fn a_run_that_costs_less_than_it_may_is_the_models_and_its_bill_is_told() {
    let house = house_with(&[Turn::Say(Script::Good)], |settings| {
        dear(settings);
        settings.model.cost_max = 1e9;
    })
    .await;
    let answer = house.generate(TEXT).await.json();
    assert_eq!(answer["metadata"]["author"], "model");
    house.tells_the_bill().await;
    house.earned_one().await;
}

#[tokio::test]
async fn the_page_of_a_skill_shows_what_the_model_took() {
    let house = house_with(&[Turn::Say(Script::Good)], |settings| {
        dear(settings);
        settings.model.cost_max = 1e9;
    })
    .await;
    let mut ann = Browser::joined(&house.app, "ann@example.org").await;
    let path = made(&mut ann).await;
    let page = ann.get(&path).await;
    let bill = page.text().split("<dt>Bill of the model</dt><dd>").nth(1);
    let bill = bill.and_then(|rest| rest.split(" tokens, ").next());
    let tokens: u64 = bill.expect("a bill").parse().expect("a number");
    let cost = format!("{tokens} tokens, {tokens}.0000 by the prices set");
    assert!(page.text().contains(&cost), "{cost}");
}

#[tokio::test]
async fn what_the_model_took_is_added_up_for_the_account_and_outlives_the_skill() {
    let house = house_with(&[Turn::Say(Script::Good)], |settings| {
        dear(settings);
        settings.model.cost_max = 0.0;
    })
    .await;
    let mut ann = Browser::joined(&house.app, "ann@example.org").await;
    let usage = || house.app.get("/api/usage").key(&house.someone.key).send();
    let before = usage().await.json();
    assert_eq!(before["total"]["runs"], 0);
    assert_eq!(before["months"], serde_json::json!([]));
    assert!(
        !ann.get("/account")
            .await
            .text()
            .contains("What the model took")
    );
    let bill = house.generate(TEXT).await.json()["metadata"].clone();
    let after = usage().await.json();
    let total = &after["total"];
    let count = |name: &str| total[name].as_u64().expect("a count");
    assert_eq!(count("runs"), 1);
    assert_eq!(
        count("tokens_in") + count("tokens_out"),
        bill["tokens"].as_u64().expect("tokens")
    );
    assert_eq!(total["cost"], bill["cost"]);
    let month = &after["months"][0];
    assert_eq!(month["month"].as_str().map(str::len), Some(7), "{month}");
    for name in ["runs", "tokens_in", "tokens_cached", "tokens_out", "cost"] {
        assert_eq!(month[name], total[name], "{name}");
    }
    // A skill that is deleted was paid for all the same, and nobody sees what another account took.
    let list = house.app.get("/api/skills").key(&house.someone.key).send();
    let id = list.await.json()["skills"][0]["id"].clone();
    let path = format!("/api/skills/{}", id.as_str().expect("an id"));
    let gone = house.app.request("DELETE", &path).key(&house.someone.key);
    assert_eq!(gone.send().await.status, 204);
    assert_eq!(usage().await.json(), after);
    assert!(
        !ann.get("/account")
            .await
            .text()
            .contains("What the model took")
    );
    // Of another text, because what was answered before is not asked again.
    let text = format!("{TEXT}\n\nKeep a window open while the kiln is fired.\n");
    let answer = sent(&mut ann, "/new", &[Part::Text("source", &text)]).await;
    followed(&mut ann, &answer).await;
    let page = ann.get("/account").await;
    for words in ["What the model took", "In all"] {
        assert!(page.text().contains(words), "{words}: {}", page.text());
    }
}

#[tokio::test]
async fn what_a_run_took_that_ended_without_the_model_s_text_is_counted() {
    for on_failure in [OnFailure::Draft, OnFailure::Fail] {
        // It plans, and then is away.
        let turns = [Turn::Say(Script::Good), Turn::Fail(500, None)];
        let house = house_with(&turns, |settings| {
            settings.model.on_failure = on_failure;
            settings.model.requests_at_once = 1;
        })
        .await;
        house.generate(TEXT).await;
        let used = house.app.get("/api/usage").key(&house.someone.key).send();
        let total = used.await.json()["total"].clone();
        assert_eq!(
            (&total["runs"], &total["tokens_in"]),
            (&1.into(), &100.into()),
            "{on_failure:?}"
        );
        assert_eq!(total["cost"], 0.0);
    }
}

/// The number that stands before some words of a page.
fn before(page: &Answer, words: &str) -> u64 {
    let text = page.text().split(words).next().expect("words");
    let number = text.rsplit([' ', '>']).next().expect("a number");
    number.parse().expect(words)
}

#[tokio::test]
async fn looking_first_tells_what_the_model_will_take_and_asks_nobody() {
    let house = house_with(&[Turn::Say(Script::Good)], |settings| {
        dear(settings);
        settings.model.cost_max = 0.0;
    })
    .await;
    let mut ann = Browser::joined(&house.app, "ann@example.org").await;
    let form = ann.get("/new").await;
    assert!(form.text().contains("it tells what the model will take"));
    let page = sent(&mut ann, "/new/look", &[Part::Text("source", TEXT)]).await;
    assert_eq!(page.status, 200, "{}", page.text());
    let (read, written) = (
        before(&page, " tokens to read and "),
        before(&page, " to write, about "),
    );
    assert!(read > 0 && written > 0 && read % 100 == 0);
    let cost = page.text().split(" to write, about ").nth(1);
    let cost = cost.and_then(|rest| rest.split(" by the prices set").next());
    let cost: f64 = cost.expect("a cost").parse().expect("a number");
    // A token costs one; the tokens are told in hundreds.
    let told = (read + written) as f64;
    assert!(cost > told - 200.0 && cost <= told, "{cost} of {told}");
    assert!(!page.text().contains("more than a run may use"));
    assert!(house.model.asked().is_empty());
    // Several skills of one source are told beside the one.
    let text: &str = &catalogue::TEXT;
    let page = sent(&mut ann, "/new/look", &[Part::Text("source", text)]).await;
    for way in [
        "One skill of the whole: about ",
        "One of each topic: about ",
    ] {
        assert!(page.text().contains(way), "{way}: {}", page.text());
    }
}

#[tokio::test]
async fn looking_first_warns_of_a_run_that_its_budget_will_end() {
    let house = house_with(&[Turn::Say(Script::Good)], |settings| {
        settings.model.tokens_max = 1;
    })
    .await;
    let mut ann = Browser::joined(&house.app, "ann@example.org").await;
    let page = sent(&mut ann, "/new/look", &[Part::Text("source", TEXT)]).await;
    assert!(
        page.text()
            .contains(" to write. That is more than a run may use here")
    );
    // Without prices no cost is told, and without a model nothing.
    assert!(!page.text().contains("by the prices set"));
    let plain = App::start().await;
    let mut ann = Browser::joined(&plain, "ann@example.org").await;
    let page = sent(&mut ann, "/new/look", &[Part::Text("source", TEXT)]).await;
    assert!(!page.text().contains("data-estimate"));
    assert!(!ann.get("/new").await.text().contains("the model"));
}

#[tokio::test]
async fn a_run_that_costs_what_it_may_ends_in_the_draft() {
    let house = house_with(&[Turn::Say(Script::Good)], |settings| {
        settings.model.prices.input = 1_000.0;
        settings.model.prices.output = 1_000.0;
        settings.model.cost_max = 0.000_001;
    })
    .await;
    let message = house.delivers_the_draft(TEXT).await;
    assert!(message.contains("may cost is used up"), "{message}");
    assert!(message.contains("by the prices set"), "{message}");
}

#[tokio::test]
async fn of_a_catalogue_whose_model_is_away_every_credit_comes_back() {
    let house = house(&[Turn::Fail(500, None)]).await;
    let topics = r#"[{"topicName":"Loading","slug":"loading","description":"","estimatedWordCount":1},{"topicName":"Heating","slug":"heating","description":"","estimatedWordCount":1}]"#;
    let request = house
        .app
        .post("/api/v1/generate/catalogue")
        .key(&house.someone.key);
    let answer = request
        .form(&[
            Part::Text("source", TEXT),
            Part::Text("selected_topics", topics),
        ])
        .send()
        .await;
    let made = answer.json();
    assert_eq!(made["skills"].as_array().map(Vec::len), Some(2), "{made}");
    assert_eq!(made["creditsRemaining"], 3);
    let books = house.app.books().await;
    assert_eq!((books.available, books.reserved, books.posted), (3, 0, 0));
}

#[tokio::test]
async fn what_a_run_may_cost_is_for_all_skills_of_a_catalogue_together() {
    let topics = r#"[{"topicName":"Loading","slug":"loading","description":"","estimatedWordCount":1},{"topicName":"Heating","slug":"heating","description":"","estimatedWordCount":1}]"#;
    for (cost_max, is_bound) in [(1e9, false), (1.0, true)] {
        let house = house_with(&[Turn::Say(Script::Good)], |settings| {
            dear(settings);
            settings.model.cost_max = cost_max;
        })
        .await;
        let request = house.app.post("/api/v1/generate/catalogue");
        let request = request.key(&house.someone.key).form(&[
            Part::Text("source", TEXT),
            Part::Text("selected_topics", topics),
        ]);
        let made = request.send().await.json();
        assert_eq!(made["skills"].as_array().map(Vec::len), Some(2), "{made}");
        let (credits, posted) = match is_bound {
            true => (3, 0),
            false => (1, 2),
        };
        assert_eq!(made["creditsRemaining"], credits, "{made}");
        let books = house.app.books().await;
        let ended = (books.available, books.reserved, books.posted);
        assert_eq!(ended, (credits, 0, posted));
        let get = |path: String| house.app.get(&path).key(&house.someone.key).send();
        let list = get("/api/skills".to_owned()).await.json();
        for skill in list["skills"].as_array().expect("skills") {
            let path = format!("/api/skills/{}", skill["id"].as_str().expect("an id"));
            let page = get(path).await.json();
            let checks = page["validation"]["checks"].as_array().expect("checks");
            let entry = checks.iter().find(|check| check["id"] == "V099");
            let message = entry.expect("an entry")["message"].as_str();
            let is_told = message.is_some_and(|words| words.contains("may cost is used up"));
            assert_eq!(is_told, is_bound, "{message:?}");
        }
        // Its bill is one, and what was asked until the bound was reached is on it.
        let used = get("/api/usage".to_owned()).await.json()["total"].clone();
        assert_eq!(used["runs"], 1);
        let tokens = used["tokens_in"].as_u64().expect("tokens")
            + used["tokens_out"].as_u64().expect("tokens");
        assert!(tokens > 0);
        assert_eq!(used["cost"].as_f64(), Some(tokens as f64));
    }
}

#[tokio::test]
async fn an_order_in_the_source_changes_nothing() {
    let house = house(&[Turn::Say(Script::Obedient)]).await;
    let skill = house
        .skill(&format!(
            "{TEXT}\n## Notes\n\n{ORDER} The shelves last for years.\n"
        ))
        .await;
    let all = whole(&skill);
    assert!(
        !all.contains(OBEYED) && !all.contains("Ignore all"),
        "{all}"
    );
    assert!(all.contains("The shelves last for years."));
    house.earned_one().await;
}

#[tokio::test]
async fn making_a_skill_again_asks_the_model_nothing() {
    let house = house(&[Turn::Say(Script::Good)]).await;
    let first = house.skill(TEXT).await;
    let asked = house.model.asked().len();
    assert_eq!(house.skill(TEXT).await["content"], first["content"]);
    assert_eq!(house.model.asked().len(), asked);
}

#[tokio::test]
async fn making_a_skill_again_after_a_restart_asks_the_model_nothing_unless_no_answers_are_kept() {
    for (kept_bytes_max, more) in [(1 << 20, false), (0, true)] {
        let folder = TempDir::new().expect("a folder");
        let at_home = |settings: &mut Settings| {
            settings.database.url = format!("sqlite://{}", folder.path().join("a.db").display());
            settings.storage.path = folder.path().to_path_buf();
            settings.model.kept_bytes_max = kept_bytes_max;
        };
        let House {
            app,
            model,
            someone,
            _key: key,
        } = house_with(&[Turn::Say(Script::Good)], at_home).await;
        let generate = async |app: &App| {
            let request = app.post("/api/v1/generate").key(&someone.key);
            let answer = request.form(&[Part::Text("source", TEXT)]).send().await;
            answer.json()["skill"]["content"].clone()
        };
        let first = generate(&app).await;
        let asked = model.asked().len();
        drop(app);
        let app = app_before(&model, key.path(), at_home).await;
        assert_eq!(generate(&app).await, first);
        assert!(
            asked > 0
                && first
                    .as_str()
                    .is_some_and(|text| text.contains("60 degrees"))
        );
        assert_eq!(model.asked().len() > asked, more);
    }
}

#[tokio::test]
async fn the_key_is_in_no_answer_and_no_figure() {
    let house = house(&[Turn::Fail(401, None)]).await;
    let message = house.delivers_the_draft(TEXT).await;
    let history = house
        .app
        .get("/api/v1/generations")
        .key(&house.someone.key)
        .send()
        .await;
    let observed = Request::new(house.app.operators, "GET", "/ops/observe")
        .by_number()
        .send()
        .await;
    let metrics = Request::new(house.app.operators, "GET", "/metrics")
        .by_number()
        .send()
        .await;
    assert!(
        observed.text().contains("\"circuit\""),
        "{}",
        observed.text()
    );
    for text in [
        message.as_str(),
        history.text(),
        observed.text(),
        metrics.text(),
    ] {
        assert!(!text.contains("sk-Test"), "{text}");
    }
}
