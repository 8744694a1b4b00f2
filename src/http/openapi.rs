//! Owns the description of the API for machines: `GET /openapi.json`, OpenAPI 3.1, written by hand beside this file.
//!
//! A test reads it against the URL map, so that neither can change alone.

use actix_web::HttpResponse;
use actix_web::http::header;

const DOCUMENT: &str = include_str!("openapi.json");

/// The whole document.
#[must_use]
pub const fn document() -> &'static str {
    DOCUMENT
}

/// Answers `GET /openapi.json`; anybody may read it, from any page.
pub(super) async fn get() -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "application/json"))
        .insert_header((header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .body(DOCUMENT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::routes;
    use serde_json::Value;
    use std::collections::BTreeSet;

    fn parsed() -> Value {
        serde_json::from_str(DOCUMENT).expect("JSON")
    }

    #[test]
    fn the_document_describes_every_route_and_nothing_else() {
        let document = parsed();
        let paths = document["paths"].as_object().expect("paths");
        let described: BTreeSet<(String, String)> = paths
            .iter()
            .flat_map(|(path, methods)| {
                let methods = methods.as_object().expect("methods").keys();
                methods.map(move |method| (path.clone(), method.to_uppercase()))
            })
            .collect();
        let served: BTreeSet<(String, String)> = routes::operations()
            .into_iter()
            .map(|(path, method)| (path.to_owned(), method.to_owned()))
            .collect();
        assert_eq!(described, served);
        assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
    }

    #[test]
    fn every_reference_leads_somewhere() {
        fn walk(document: &Value, value: &Value) {
            match value {
                Value::Object(members) => {
                    if let Some(Value::String(to)) = members.get("$ref") {
                        let pointer = to.strip_prefix('#').expect("a reference inside");
                        assert!(document.pointer(pointer).is_some(), "{to}");
                    }
                    members.values().for_each(|member| walk(document, member));
                }
                Value::Array(elements) => {
                    elements.iter().for_each(|element| walk(document, element));
                }
                _ => {}
            }
        }
        let document = parsed();
        walk(&document, &document);
    }
}
