//! Tells how the callers of an interface show who they are, and what each operation asks of them.

use crate::data::openapi::{Reader, Row, members, string, words_of};
use serde_json::Value;
use skillkiln_document::text::Inline;

impl<'v> Reader<'v> {
    /// The schemes that there are, and those that every operation asks for which names none itself.
    pub(super) fn authentication(&mut self) {
        let root = self.root;
        let schemes = members(root, "/components/securitySchemes")
            .or_else(|| members(root, "/securityDefinitions"));
        let rows: Vec<Row> = schemes
            .into_iter()
            .flatten()
            .map(|(name, scheme)| {
                let scheme = self.resolved(scheme);
                let kind = string(scheme, "/type").unwrap_or("");
                let place = match (
                    string(scheme, "/in"),
                    string(scheme, "/name"),
                    string(scheme, "/scheme"),
                ) {
                    (Some(place), Some(key), _) => format!("{kind}: {key} in {place}"),
                    (_, _, Some(scheme)) => format!("{kind}: {scheme}"),
                    _ => kind.to_owned(),
                };
                vec![
                    vec![Inline::Code(name.clone())],
                    vec![Inline::Text(place)],
                    words_of(scheme.get("description")),
                ]
            })
            .collect();
        self.table(
            Some("Authentication".to_owned()),
            &["Name", "Type", "Description"],
            rows,
        );
        if root.pointer("/security/0").is_some() {
            self.asked(
                "Authentication of every operation that names no other: ",
                root,
            );
        }
    }

    /// What `whole`, an operation or the whole interface, asks its callers for, behind `label`; nothing where it says nothing of that.
    pub(super) fn asked(&mut self, label: &str, whole: &'v Value) {
        let Some(ways) = whole.get("security").and_then(Value::as_array) else {
            return;
        };
        let mut told = vec![Inline::Text(label.to_owned())];
        let mut between = "";
        for way in ways.iter().filter_map(Value::as_object) {
            if way.is_empty() {
                told.push(Inline::Text(format!("{between}none")));
            }
            for (name, scopes) in way {
                if !between.is_empty() {
                    told.push(Inline::Text(between.to_owned()));
                }
                told.push(Inline::Code(name.clone()));
                let scopes: Vec<&str> = scopes
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str)
                    .collect();
                if !scopes.is_empty() {
                    told.push(Inline::Text(format!(" ({})", scopes.join(", "))));
                }
                // All of one way are needed, and any of the ways will do.
                between = " and ";
            }
            between = " or ";
        }
        if ways.is_empty() {
            told.push(Inline::Text("none".to_owned()));
        }
        self.paragraph(told);
    }
}
