//! Topics, and several skills with a master index (decisions 22 to 25).

use crate::support::app::{App, Someone};
use crate::support::client::{Answer, Part, Request};
use crate::support::site::Site;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::LazyLock;

/// A text of two parts, each long enough and with words enough of its own to be worth a skill.
pub(crate) static TEXT: LazyLock<String> = LazyLock::new(|| {
    let kiln = |thing: &str, step: usize| {
        format!(
            "Load the {thing} slowly and let the chamber reach {} degrees before any burner climbs. A cracked {thing} ruins the ware, \
             so inspect bricks, elements and the thermocouple after each firing, and note the hour in the log.\n\n",
            100 + 20 * step
        )
    };
    let glaze = |thing: &str, step: usize| {
        format!(
            "Weigh silica, feldspar and {thing} on a balance, then stir the slurry with {} grams of water. Strain it twice through fine \
             mesh, brush a sample tile, and compare its colour, gloss and viscosity with those you mixed earlier.\n\n",
            40 + 5 * step
        )
    };
    let part = |title: &str, things: [&str; 4], line: &dyn Fn(&str, usize) -> String| {
        let sections = things.map(|thing| {
            let lines: String = (0..5).map(|step| line(thing, step)).collect();
            format!("## About {thing}\n\n{lines}")
        });
        format!("# {title}\n\n{}", sections.concat())
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
});

fn catalogue(app: &App, someone: &Someone, parts: &[Part<'_>]) -> Request {
    app.post("/api/v1/generate/catalogue")
        .key(&someone.key)
        .form(parts)
}

async fn detected(app: &App, someone: &Someone) -> Value {
    let answer = app
        .post("/api/v1/detect-topics")
        .key(&someone.key)
        .form(&[Part::Text("source", &TEXT)])
        .send()
        .await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// Two topics of the text, the second with a field of the client's own, in the order of the client.
pub(crate) async fn two(app: &App, someone: &Someone) -> Value {
    let mut topics = detected(app, someone).await["topics"]
        .as_array()
        .expect("topics")
        .clone();
    assert!(topics.len() >= 2, "the text has several topics: {topics:?}");
    topics.truncate(2);
    topics.reverse();
    topics[1]["mine"] = json!({ "a": [1, null] });
    Value::Array(topics)
}

async fn available(app: &App) -> i64 {
    app.books().await.available
}

fn refused(answer: &Answer) -> bool {
    answer.refusal() == (400, "VALIDATION_ERROR".into())
}

#[tokio::test]
async fn topics_have_exactly_their_fields_unique_slugs_and_cost_nothing() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    let found = detected(&app, &someone).await;
    let members: Vec<&String> = found.as_object().expect("an object").keys().collect();
    assert_eq!(members, ["shouldCatalogue", "wordCount", "topics"]);
    let topics = found["topics"].as_array().expect("topics");
    assert!((1..=20).contains(&topics.len()));
    let mut slugs = HashSet::new();
    for topic in topics {
        let members: Vec<&String> = topic.as_object().expect("an object").keys().collect();
        assert_eq!(
            members,
            ["topicName", "slug", "description", "estimatedWordCount"]
        );
        assert!(slugs.insert(topic["slug"].as_str().expect("a slug")));
    }
    assert!(found["wordCount"].as_u64().is_some_and(|words| words > 50));
    assert_eq!(available(&app).await, 1);
}

#[tokio::test]
async fn topics_of_a_source_that_fails_when_fetched_are_500() {
    let app = App::start().await;
    let site = Site::start(&[]).await;
    let someone = app.someone(0).await;
    let answer = app
        .post("/api/v1/detect-topics")
        .key(&someone.key)
        .form(&[Part::Text("source", &site.page("/missing"))])
        .send()
        .await;
    assert_eq!(answer.refusal(), (500, "GENERATION_FAILED".into()));
}

#[tokio::test]
async fn a_catalogue_is_one_skill_a_topic_in_their_order_and_an_index_for_one_credit_each() {
    let app = App::start().await;
    let someone = app.someone(3).await;
    let topics = two(&app, &someone).await;
    let selected = topics.to_string();
    let parts = [
        Part::Text("source", &TEXT),
        Part::Text("selected_topics", &selected),
        Part::Text("name", "Kiln Work"),
    ];
    let answer = catalogue(&app, &someone, &parts).send().await;
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, Some("application/json")),
        "{}",
        answer.text()
    );
    let json = answer.json();
    let members: Vec<&String> = json.as_object().expect("an object").keys().collect();
    assert_eq!(
        members,
        ["catalogueId", "skills", "masterIndex", "creditsRemaining"]
    );
    assert_eq!(json["creditsRemaining"], 1);
    assert_eq!(json["masterIndex"]["filename"], "kiln-work-index.md");
    let skills = json["skills"].as_array().expect("skills");
    let echoed: Vec<Value> = skills.iter().map(|skill| skill["topic"].clone()).collect();
    assert_eq!(Value::Array(echoed), topics, "echoed, in order");
    let names: HashSet<&str> = skills
        .iter()
        .filter_map(|skill| skill["filename"].as_str())
        .collect();
    assert_eq!(names.len(), 2, "file names are unique");
    for skill in skills {
        let members: Vec<&String> = skill.as_object().expect("an object").keys().collect();
        assert_eq!(
            members,
            [
                "topic",
                "filename",
                "content",
                "referenceFiles",
                "wordCount"
            ]
        );
    }
    let last_line: Value = serde_json::from_str(answer.text().lines().last().expect("a line"))
        .expect("the last line alone is the document");
    assert_eq!(last_line, json);
    let history = app
        .get("/api/v1/generations")
        .key(&someone.key)
        .send()
        .await
        .json();
    assert_eq!(history["total"], 2, "a catalogue of two is two rows");
    for row in history["generations"].as_array().expect("rows") {
        assert_eq!(row["catalogue_id"], json["catalogueId"]);
    }
    let credits = app
        .get("/api/v1/credits")
        .key(&someone.key)
        .send()
        .await
        .json();
    assert_eq!(
        (&credits["credits_remaining"], &credits["total_generations"]),
        (&1.into(), &2.into())
    );
    app.books().await;
}

#[tokio::test]
async fn what_a_topic_may_leave_out_may_be_said_to_be_nothing() {
    let app = App::start().await;
    let someone = app.someone(2).await;
    let mut topics = two(&app, &someone).await;
    topics[0]["description"] = json!(null);
    topics[0]["estimatedWordCount"] = json!(null);
    let parts = [
        Part::Text("source", &TEXT),
        Part::Text("selected_topics", &topics.to_string()),
    ];
    let answer = catalogue(&app, &someone, &parts).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

#[tokio::test]
async fn topics_may_come_as_a_part_each_and_the_result_as_an_event() {
    let app = App::start().await;
    let someone = app.someone(2).await;
    let topics = two(&app, &someone).await;
    let (one, other) = (topics[0].to_string(), topics[1].to_string());
    let parts = [
        Part::Text("source", &TEXT),
        Part::Text("selected_topics", &one),
        Part::Text("selected_topics", &other),
    ];
    let answer = catalogue(&app, &someone, &parts)
        .header("Accept", "text/event-stream")
        .send()
        .await;
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, Some("text/event-stream")),
        "{}",
        answer.text()
    );
    let frames: Vec<&str> = answer
        .text()
        .split("\n\n")
        .filter(|frame| !frame.is_empty() && !frame.starts_with(':'))
        .collect();
    assert_eq!(frames.len(), 1);
    let data = frames[0].strip_prefix("data: ").expect("unnamed");
    let json: Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(json["skills"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn a_repeat_of_a_catalogue_says_all_that_was_not_deleted_since() {
    let app = App::start().await;
    let someone = app.someone(3).await;
    let selected = two(&app, &someone).await.to_string();
    let parts = [
        Part::Text("source", &TEXT),
        Part::Text("selected_topics", &selected),
    ];
    let request = catalogue(&app, &someone, &parts).header("Idempotency-Key", "one");
    let first = request.clone().send().await.json();
    let skills = first["skills"].as_array().expect("skills");
    let delete = async |skill: &Value| {
        let listed = app.get("/api/skills").key(&someone.key).send().await.json();
        let listed = listed["skills"].as_array().expect("skills").clone();
        let id = listed
            .iter()
            .find(|listed| listed["word_count"] == skill["wordCount"])
            .and_then(|listed| listed["id"].as_str())
            .expect("in the library");
        let path = format!("/api/skills/{id}");
        let deletion = app.request("DELETE", &path).key(&someone.key);
        assert_eq!(deletion.send().await.status, 204);
    };
    delete(&skills[0]).await;
    let again = request.clone().send().await;
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.json()["skills"], json!([skills[1]]));
    assert_eq!(again.json()["masterIndex"], first["masterIndex"]);
    delete(&skills[1]).await;
    assert_eq!(request.send().await.refusal(), (404, "NOT_FOUND".into()));
    assert_eq!(available(&app).await, 1);
}

#[tokio::test]
async fn a_selection_that_cannot_be_is_400_and_costs_nothing() {
    let app = App::with(|settings| settings.limits.generate_per_minute = 1_000).await;
    let someone = app.someone(30).await;
    let topic = |n: usize| json!({ "topicName": format!("T{n}"), "slug": format!("t{n}") });
    let many = Value::Array((0..21).map(topic).collect()).to_string();
    let twice = Value::Array(vec![topic(1), topic(1)]).to_string();
    for selected in [
        "",
        "[]",
        "null",
        "{",
        "7",
        "\"x\"",
        r#"["a"]"#,
        r#"[{"topicName":"A"}]"#,
        r#"[{"slug":"a"}]"#,
        r#"[{"topicName":null,"slug":"a"}]"#,
        &many,
        &twice,
    ] {
        let parts = [
            Part::Text("source", &TEXT),
            Part::Text("selected_topics", selected),
        ];
        assert!(
            refused(&catalogue(&app, &someone, &parts).send().await),
            "{selected}"
        );
    }
    let good = topic(1).to_string();
    assert!(
        refused(
            &catalogue(&app, &someone, &[Part::Text("source", &TEXT)])
                .send()
                .await
        ),
        "no topics"
    );
    assert!(
        refused(
            &catalogue(&app, &someone, &[Part::Text("selected_topics", &good)])
                .send()
                .await
        ),
        "no source"
    );
    let file = [
        Part::File("source", "a.md", TEXT.as_bytes()),
        Part::Text("selected_topics", &good),
    ];
    assert!(
        refused(&catalogue(&app, &someone, &file).send().await),
        "a file"
    );
    assert_eq!(available(&app).await, 30);
}

#[tokio::test]
async fn a_catalogue_needs_a_credit_a_topic() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    let selected = two(&app, &someone).await.to_string();
    let answer = catalogue(
        &app,
        &someone,
        &[
            Part::Text("source", &TEXT),
            Part::Text("selected_topics", &selected),
        ],
    )
    .send()
    .await;
    assert_eq!(answer.refusal(), (402, "INSUFFICIENT_CREDITS".into()));
    assert_eq!(available(&app).await, 1);
}

#[tokio::test]
async fn a_catalogue_whose_source_fails_is_500_and_all_its_credits_come_back() {
    let app = App::start().await;
    let site = Site::start(&[]).await;
    let someone = app.someone(2).await;
    let selected = two(&app, &someone).await.to_string();
    let parts = [
        Part::Text("source", &site.page("/missing")),
        Part::Text("selected_topics", &selected),
    ];
    let answer = catalogue(&app, &someone, &parts).send().await;
    assert_eq!(answer.refusal(), (500, "GENERATION_FAILED".into()));
    assert_eq!(available(&app).await, 2);
    assert_eq!(app.books().await.reserved, 0);
}
