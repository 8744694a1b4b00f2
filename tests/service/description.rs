//! The description of the API: what it shows is what it says, and it names the service that serves it.

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
