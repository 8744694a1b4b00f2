//! Owns the description of the API for machines, OpenAPI 3.1, written by hand beside this file.
//!
//! Tests read it against the URL map and the codes of errors, so that none can change alone; the service tests hold every answer
//! against it.

const DOCUMENT: &str = include_str!("openapi.json");
/// The address of the service in the document, relative to wherever the document was read.
const SERVER: &str = r#""url": "/","#;

/// The whole document.
#[must_use]
pub const fn document() -> &'static str {
    DOCUMENT
}

/// The document of a service that its users reach under this address.
pub(super) fn served_at(public_url: &str) -> String {
    let address = serde_json::Value::from(public_url);
    DOCUMENT.replacen(SERVER, &format!(r#""url": {address},"#), 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::routes;
    use serde_json::{Map, Value};
    use std::collections::BTreeSet;

    fn parsed() -> Value {
        serde_json::from_str(DOCUMENT).expect("JSON")
    }

    /// Each operation with its path and method.
    fn operations(document: &Value) -> Vec<(&str, &str, &Value)> {
        let paths = document["paths"].as_object().expect("paths");
        paths
            .iter()
            .flat_map(|(path, methods)| {
                let methods = methods.as_object().expect("methods");
                methods
                    .iter()
                    .map(move |(method, operation)| (path.as_str(), method.as_str(), operation))
            })
            .collect()
    }

    /// Shows every object of the document, and where it stands.
    fn walk(value: &Value, at: &str, see: &mut impl FnMut(&str, &Map<String, Value>)) {
        match value {
            Value::Object(members) => {
                see(at, members);
                for (name, member) in members {
                    walk(member, &format!("{at}/{name}"), see);
                }
            }
            Value::Array(elements) => {
                for (place, element) in elements.iter().enumerate() {
                    walk(element, &format!("{at}/{place}"), see);
                }
            }
            _ => {}
        }
    }

    #[test]
    fn the_document_describes_every_route_and_nothing_else() {
        let document = parsed();
        let described: BTreeSet<(String, String)> = operations(&document)
            .into_iter()
            .map(|(path, method, _)| (path.to_owned(), method.to_uppercase()))
            .collect();
        let served: BTreeSet<(String, String)> = routes::operations()
            .into_iter()
            .map(|(path, method)| (path.to_owned(), method.to_owned()))
            .collect();
        assert_eq!(described, served);
        assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
        let licence = &document["info"]["license"]["identifier"];
        assert_eq!(licence, env!("CARGO_PKG_LICENSE"));
    }

    #[test]
    fn a_service_names_its_own_address() {
        let address = "https://skills.example.org/\"kiln\"";
        let served: Value = serde_json::from_str(&served_at(address)).expect("JSON");
        assert_eq!(served["servers"][0]["url"], address);
        assert_eq!(parsed()["servers"][0]["url"], "/");
        assert_eq!(served["paths"], parsed()["paths"]);
    }

    #[test]
    fn every_reference_leads_somewhere_and_whatever_can_be_referred_to_is() {
        let document = parsed();
        let mut used = BTreeSet::new();
        walk(&document, "", &mut |at, members| {
            if let Some(Value::String(to)) = members.get("$ref") {
                let pointer = to.strip_prefix('#').expect("a reference inside");
                assert!(document.pointer(pointer).is_some(), "{at}: {to}");
                used.insert(pointer.to_owned());
            }
        });
        for kind in ["schemas", "responses", "headers"] {
            let named = document["components"][kind].as_object().expect("an object");
            for name in named.keys() {
                assert!(
                    used.contains(&format!("/components/{kind}/{name}")),
                    "{name}"
                );
            }
        }
    }

    #[test]
    fn everything_is_described() {
        let document = parsed();
        let mut properties = 0;
        walk(&document, "", &mut |at, members| {
            let must = at.ends_with("/responses/200")
                || members.contains_key("operationId")
                || members.contains_key("in")
                || at.starts_with("/components/") && at.matches('/').count() == 3;
            let is_described = |value: &Value| {
                value["description"]
                    .as_str()
                    .is_some_and(|text| text.len() > 3)
            };
            assert!(
                !must || is_described(&Value::Object(members.clone())),
                "{at}"
            );
            let described = members.get("properties").and_then(Value::as_object);
            for (name, property) in described.into_iter().flatten() {
                let referred = property["$ref"]
                    .as_str()
                    .and_then(|to| document.pointer(&to[1..]));
                let is_described = is_described(property) || referred.is_some_and(is_described);
                assert!(is_described, "{at}: {name}");
                properties += 1;
            }
        });
        assert!(properties > 100, "{properties}");
    }

    #[test]
    fn every_operation_lists_what_it_can_answer() {
        for (path, method, operation) in operations(&parsed()) {
            let answers = operation["responses"].as_object().expect("answers");
            let is_rest = path.starts_with("/api/v1/");
            let takes_key = operation.get("security").is_none();
            let mut due = vec!["405"];
            if takes_key {
                due.extend(["401", "403", "429", "500"]);
            }
            if operation.get("requestBody").is_some() {
                due.extend(["400", "408", "413", "429"]);
                due.extend((!is_rest).then_some("415"));
            }
            if path.contains('{') {
                due.push("404");
            }
            let about_to_pay = operation["summary"]
                .as_str()
                .is_some_and(|text| text.contains("costs 1 credit"));
            if about_to_pay {
                due.push("402");
            }
            if is_rest {
                let foreign = ["409", "415", "502", "503"];
                assert!(
                    foreign.iter().all(|status| !answers.contains_key(*status)),
                    "{path}"
                );
            }
            for status in due {
                assert!(answers.contains_key(status), "{method} {path}: {status}");
            }
        }
    }

    #[test]
    fn the_codes_are_those_of_errors() {
        let (code, _) = include_str!("error.rs")
            .split_once("#[cfg(test)]")
            .expect("tests");
        let is_code = |word: &&str| {
            word.len() > 3 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_')
        };
        let given: BTreeSet<&str> = code.split('"').filter(is_code).collect();
        let document = parsed();
        let listed = document["components"]["schemas"]["ErrorCode"]["enum"].as_array();
        let listed: BTreeSet<&str> = listed
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        assert_eq!(listed, given);
    }
}
