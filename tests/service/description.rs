//! The description of the API: what it shows is what it says, it names the service that serves it, and people and programs find it.

use crate::support::app::App;
use crate::support::described::{document, faults};
use serde_json::{Value, json};

/// Each schema of the description that has examples, in whatever it is.
fn with_examples(value: &Value, found: &mut Vec<Value>) {
    match value {
        Value::Object(members) => {
            if members.get("examples").is_some_and(Value::is_array) {
                found.push(value.clone());
            }
            members
                .values()
                .for_each(|member| with_examples(member, found));
        }
        Value::Array(elements) => elements
            .iter()
            .for_each(|element| with_examples(element, found)),
        _ => {}
    }
}

#[test]
fn every_example_is_one() {
    let mut schemas = vec![];
    with_examples(document(), &mut schemas);
    assert!(schemas.len() > 50, "{}", schemas.len());
    for schema in schemas {
        for example in schema["examples"].as_array().into_iter().flatten() {
            assert_eq!(faults(&schema, example), [""; 0], "{example}");
        }
    }
    let mut bodies = 0;
    for path in document()["paths"].as_object().expect("paths").values() {
        for operation in path.as_object().expect("methods").values() {
            let content = operation["requestBody"]["content"].as_object();
            for body in content.into_iter().flat_map(|content| content.values()) {
                for example in body["examples"]
                    .as_object()
                    .into_iter()
                    .flat_map(|all| all.values())
                {
                    assert_eq!(
                        faults(&body["schema"], &example["value"]),
                        [""; 0],
                        "{example}"
                    );
                    bodies += 1;
                }
            }
        }
    }
    assert!(bodies >= 3, "{bodies}");
}

#[test]
fn an_answer_that_has_more_less_or_other_than_is_described_is_at_fault() {
    let schema = json!({ "$ref": "#/components/schemas/CreditBalance" });
    let good = json!({ "credits": 3, "plan": "free", "is_unlimited": false });
    assert_eq!(faults(&schema, &good), [""; 0]);
    for (member, value) in [
        ("credits", json!(-1)),
        ("plan", json!("gold")),
        ("more", json!(1)),
    ] {
        let mut bad = good.clone();
        bad[member] = value;
        assert_eq!(faults(&schema, &bad).len(), 1, "{bad}");
    }
    assert_eq!(
        faults(&schema, &json!({ "credits": 3, "plan": "free" })).len(),
        1
    );
}

#[tokio::test]
async fn a_service_describes_itself_under_its_own_address() {
    let address = "https://skills.example.org";
    let app = App::with(|settings| settings.server.public_url = address.into()).await;
    let served = app.get("/openapi.json").send().await;
    assert_eq!(served.header("access-control-allow-origin"), Some("*"));
    assert_eq!(served.json()["servers"][0]["url"], address);
}

#[tokio::test]
async fn the_page_of_the_api_shows_every_operation_and_the_guides() {
    let address = "https://skills.example.org";
    let app = App::with(|settings| settings.server.public_url = address.into()).await;
    let page = app.get("/docs").send().await;
    assert_eq!(page.status, 200);
    let mut operations = 0;
    for (path, methods) in document()["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let id = operation["operationId"].as_str().expect("an id");
            assert!(
                page.text()
                    .contains(&format!("<details class=\"card operation\" id=\"{id}\">")),
                "{id}"
            );
            let form = format!(
                "data-method=\"{}\" data-path=\"{path}\"",
                method.to_uppercase()
            );
            assert!(page.text().contains(&form), "{form}");
            operations += 1;
        }
    }
    assert!(operations > 25, "{operations}");
    assert!(page.text().contains(&format!("URL={address}")));
    let script = page
        .text()
        .split("src=\"")
        .find(|rest| rest.starts_with("/assets/docs."));
    let script = script
        .and_then(|rest| rest.split('"').next())
        .expect("a script");
    assert_eq!(app.get(script).send().await.status, 200);
}

#[tokio::test]
async fn whatever_programs_are_led_to_is_there() {
    let app = App::start().await;
    let here = "http://127.0.0.1:8080";
    let llms = app.get("/llms.txt").send().await;
    assert!(llms.text().starts_with("# skillkiln\n\n> "));
    let catalogue = app.get("/.well-known/api-catalog").send().await;
    let link = catalogue.header("link").expect("a link");
    assert_eq!(link, "</.well-known/api-catalog>; rel=\"api-catalog\"");
    let catalogue = catalogue.json().to_string();
    let of_llms = llms
        .text()
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    let of_catalogue = catalogue
        .split("\"href\":\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next());
    let mut links = 0;
    for link in of_llms.chain(of_catalogue) {
        let path = link.strip_prefix(here).expect("an address here");
        assert_eq!(app.get(path).send().await.status, 200, "{path}");
        links += 1;
    }
    assert!(links >= 9, "{links}");
    let guides = app.get("/docs/api.md").send().await;
    let tag = guides.header("etag").expect("a tag").to_owned();
    let again = app
        .get("/docs/api.md")
        .header("If-None-Match", &tag)
        .send()
        .await;
    assert_eq!(again.status, 304);
}

#[tokio::test]
async fn a_weakness_is_reported_where_the_operator_says() {
    let path = "/.well-known/security.txt";
    let silent = App::start().await;
    assert_eq!(
        silent.get(path).send().await.refusal(),
        (404, "NOT_FOUND".into())
    );
    drop(silent);
    let contact = "https://skills.example.org/report";
    let app = App::with(|settings| settings.server.security_contact = contact.into()).await;
    let told = app.get(path).send().await;
    assert_eq!(
        told.header("content-type"),
        Some("text/plain; charset=utf-8")
    );
    assert!(
        told.text()
            .starts_with(&format!("Contact: {contact}\nExpires: 2027-"))
    );
}
