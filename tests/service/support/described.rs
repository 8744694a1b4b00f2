//! Holds every answer against the description of the API: its status, its headers, its body, and each event of a stream.
//!
//! Clients may be sent more than is described; we are stricter with ourselves: an object has no member that its schema does not name.

use crate::support::client::Answer;
use jsonschema::Validator;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let document = skillkiln::http::openapi::document();
    let mut document = serde_json::from_str(document).expect("JSON");
    close(&mut document);
    document
});

/// Schemas that were compiled, by their text.
static COMPILED: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// The description.
pub(crate) fn document() -> &'static Value {
    &DOCUMENT
}

/// Leaves no object open whose members are named, unless it says that it is.
fn close(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.values_mut().for_each(close);
            if members.contains_key("properties") && members.contains_key("type") {
                members
                    .entry("additionalProperties")
                    .or_insert(json!(false));
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(close),
        _ => {}
    }
}

/// What a value has against a schema of the description.
pub(crate) fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let mut compiled = COMPILED.lock().expect("no test died here");
    let validator = compiled.entry(schema.to_string()).or_insert_with(|| {
        let whole = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "components": DOCUMENT["components"],
            "allOf": [schema],
        });
        let options = jsonschema::options().should_validate_formats(true);
        Arc::new(options.build(&whole).expect("a schema"))
    });
    let validator = validator.clone();
    drop(compiled);
    let fault =
        |fault: jsonschema::ValidationError<'_>| format!("{}: {fault}", fault.instance_path());
    validator.iter_errors(value).map(fault).collect()
}

/// What a reference leads to, or the value itself.
fn followed(value: &'static Value) -> &'static Value {
    let to = value["$ref"].as_str().and_then(|to| to.strip_prefix('#'));
    to.map_or(value, |pointer| {
        DOCUMENT.pointer(pointer).expect("it leads somewhere")
    })
}

/// The described path that a target falls under: the one with the most fixed parts.
fn path_of(target: &str) -> Option<(&'static str, &'static Map<String, Value>)> {
    let path = target.split('?').next().unwrap_or_default();
    let parts: Vec<&str> = path.split('/').collect();
    let paths = DOCUMENT["paths"].as_object().expect("paths");
    let fits = |template: &str| {
        let wanted: Vec<&str> = template.split('/').collect();
        let same = |(wanted, part): (&&str, &&str)| {
            wanted == part || wanted.starts_with('{') && !part.is_empty()
        };
        wanted.len() == parts.len() && wanted.iter().zip(&parts).all(same)
    };
    let under = paths.iter().filter(|(template, _)| fits(template));
    let (template, methods) = under.min_by_key(|(template, _)| template.matches('{').count())?;
    Some((template, methods.as_object().expect("methods")))
}

/// Holds the answer to a request against the description, if the request is described.
pub(crate) fn holds(method: &str, target: &str, answer: &Answer) {
    let Some((path, methods)) = path_of(target) else {
        return;
    };
    let asked = if method == "HEAD" { "GET" } else { method };
    let Some(operation) = methods.get(&asked.to_ascii_lowercase()) else {
        assert!(
            matches!(answer.status, 204 | 405),
            "{method} {path}: {}",
            answer.status
        );
        return;
    };
    let told = format!("{method} {path}: {} {:?}", answer.status, answer.headers);
    let described = operation["responses"].get(answer.status.to_string());
    let described = followed(described.unwrap_or_else(|| panic!("not described: {told}")));
    let headers = described["headers"].as_object().into_iter().flatten();
    for (name, header) in headers {
        let header = followed(header);
        let value = answer.header(&name.to_ascii_lowercase());
        assert!(
            value.is_some() || header["required"] != true,
            "{name}: {told}"
        );
        if let Some(value) = value {
            let number = value.parse::<u64>().map(Value::from);
            let value = match header["schema"]["type"].as_str() {
                Some("integer") => number.expect("a whole number"),
                _ => Value::from(value),
            };
            assert_eq!(faults(&header["schema"], &value), [""; 0], "{name}: {told}");
        }
    }
    if method != "HEAD" {
        body_holds(described, answer, &told);
    }
}

fn body_holds(described: &'static Value, answer: &Answer, told: &str) {
    let Some(bodies) = described["content"].as_object() else {
        assert!(answer.body.is_empty(), "{told}");
        return;
    };
    let media_type = answer.header("content-type").unwrap_or_default();
    let media_type = media_type.split(';').next().unwrap_or_default();
    let body = bodies
        .get(media_type)
        .unwrap_or_else(|| panic!("{media_type} is not described: {told}"));
    match media_type {
        "application/json" | "application/linkset+json" => {
            assert_eq!(faults(&body["schema"], &answer.json()), [""; 0], "{told}");
        }
        "text/event-stream" => {
            for event in answer.text().split("\n\n") {
                event_holds(body, event, told);
            }
        }
        _ => assert!(
            media_type == "application/zip" || !answer.text().is_empty(),
            "{told}"
        ),
    }
}

/// An event by its name, or by the schema of all where it has none.
fn event_holds(body: &'static Value, event: &str, told: &str) {
    let line = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
    let Some(data) = line("data: ") else {
        return;
    };
    let data: Value = serde_json::from_str(data).expect("JSON");
    let schema = match line("event: ") {
        Some(name) => &body["x-events"][name],
        None => &body["schema"],
    };
    assert!(!schema.is_null(), "{event} is not described: {told}");
    assert_eq!(faults(schema, &data), [""; 0], "{told}");
}
