//! Tells the operations of a web interface: their parameters, bodies, answers and examples.

use crate::data::openapi::schemas::required;
use crate::data::openapi::{
    EXAMPLE_BYTES_MAX, METHODS, Reader, items, lower_first, members, string, words_of,
};
use serde_json::Value;
use skillkiln_document::text::{Inline, squash};

impl<'v> Reader<'v> {
    /// The operations under their tags, in the order of the tags, then of the paths.
    pub(super) fn operations(&mut self) {
        let root = self.root;
        let mut tags: Vec<(String, Option<&'v str>)> = items(root, "/tags")
            .iter()
            .filter_map(|tag| {
                Some((
                    string(tag, "/name")?.to_owned(),
                    string(tag, "/description"),
                ))
            })
            .collect();
        let mut known: std::collections::HashMap<String, usize> = tags
            .iter()
            .enumerate()
            .map(|(at, (name, _))| (name.clone(), at))
            .collect();
        let mut under: Vec<Vec<(&'v str, &'v str, &'v Value, &'v Value)>> =
            vec![Vec::new(); tags.len()];
        for (path, item) in members(root, "/paths")
            .into_iter()
            .chain(members(root, "/webhooks"))
            .flatten()
        {
            let item = self.resolved(item);
            for method in METHODS {
                let Some(operation) = item.get(method).filter(|operation| operation.is_object())
                else {
                    continue;
                };
                let tag = string(operation, "/tags/0")
                    .unwrap_or("Operations")
                    .to_owned();
                let at = *known.entry(tag.clone()).or_insert_with(|| {
                    tags.push((tag, None));
                    under.push(Vec::new());
                    tags.len() - 1
                });
                if let Some(list) = under.get_mut(at) {
                    list.push((method, path.as_str(), item, operation));
                }
            }
        }
        for ((tag, description), operations) in tags.into_iter().zip(under) {
            if operations.is_empty() {
                continue;
            }
            self.heading(2, vec![Inline::Text(squash(&tag))]);
            self.words(description);
            for (method, path, item, operation) in operations {
                self.operation(method, path, item, operation);
            }
        }
    }

    fn operation(&mut self, method: &str, path: &str, item: &'v Value, operation: &'v Value) {
        let mut title = vec![Inline::Code(format!("{} {path}", method.to_uppercase()))];
        let summary = string(operation, "/summary")
            .map(squash)
            .filter(|summary| !summary.is_empty());
        if let Some(summary) = &summary {
            title.push(Inline::Text(format!(" {}", summary.trim_end_matches('.'))));
        }
        self.heading(3, title);
        if operation.get("deprecated").and_then(Value::as_bool) == Some(true) {
            self.paragraph(vec![Inline::Strong(vec![Inline::Text(
                "Deprecated.".to_owned(),
            )])]);
        }
        let description =
            string(operation, "/description").filter(|words| Some(squash(words)) != summary);
        self.words(description);
        if let Some(id) = string(operation, "/operationId") {
            self.paragraph(vec![
                Inline::Text("Operation: ".to_owned()),
                Inline::Code(id.to_owned()),
            ]);
        }
        self.schemes("Authentication: ", operation);
        let parameters: Vec<&'v Value> = items(item, "/parameters")
            .iter()
            .chain(items(operation, "/parameters"))
            .map(|parameter| self.resolved(parameter))
            .collect();
        let rows = parameters
            .iter()
            .filter(|parameter| string(parameter, "/in") != Some("body"))
            .map(|parameter| {
                let schema = parameter.get("schema").unwrap_or(parameter);
                vec![
                    vec![Inline::Code(
                        string(parameter, "/name").unwrap_or("").to_owned(),
                    )],
                    vec![Inline::Text(
                        string(parameter, "/in").unwrap_or("").to_owned(),
                    )],
                    self.type_of(schema),
                    required(parameter.get("required").and_then(Value::as_bool) == Some(true)),
                    self.described(parameter, schema),
                ]
            })
            .collect();
        self.table(
            Some("Parameters".to_owned()),
            &["Name", "In", "Type", "Required", "Description"],
            rows,
        );
        for body in parameters
            .iter()
            .filter(|parameter| string(parameter, "/in") == Some("body"))
        {
            self.words(string(body, "/description"));
            if let Some(schema) = body.get("schema") {
                self.body("Request body", schema);
            }
        }
        if let Some(body) = operation.get("requestBody") {
            let body = self.resolved(body);
            self.words(string(body, "/description"));
            self.content("Request body", body, false);
        }
        self.answers(operation);
        for sample in items(operation, "/x-codeSamples")
            .iter()
            .chain(items(operation, "/x-code-samples"))
        {
            if let (Some(language), Some(source)) =
                (string(sample, "/lang"), string(sample, "/source"))
            {
                self.code(&language.to_lowercase(), source.trim_end().to_owned());
            }
        }
    }

    /// Tells by which schemes a request is allowed, where `of` says so: "`a` and `b` or `c` with scope `write`".
    pub(super) fn schemes(&mut self, words: &str, of: &Value) {
        let Some(all) = of.get("security").and_then(Value::as_array) else {
            return;
        };
        let mut told = vec![Inline::Text(words.into())];
        for schemes in all.iter().filter_map(Value::as_object) {
            for (number, (name, scopes)) in schemes.iter().enumerate() {
                match (told.len(), number) {
                    (1, _) => {}
                    (_, 0) => told.push(Inline::Text(" or ".into())),
                    _ => told.push(Inline::Text(" and ".into())),
                }
                told.push(Inline::Code(name.clone()));
                let scopes = scopes.as_array().into_iter().flatten();
                for (number, scope) in scopes.filter_map(Value::as_str).enumerate() {
                    let before = if number == 0 { " with scope " } else { ", " };
                    told.push(Inline::Text(before.into()));
                    told.push(Inline::Code(scope.into()));
                }
            }
        }
        if told.len() == 1 {
            told.push(Inline::Text("none".into()));
        }
        self.paragraph(told);
    }

    fn answers(&mut self, operation: &'v Value) {
        let answers: Vec<(&'v String, &'v Value)> = members(operation, "/responses")
            .into_iter()
            .flatten()
            .map(|(status, answer)| (status, self.resolved(answer)))
            .collect();
        let rows = answers
            .iter()
            .map(|(status, answer)| {
                let schema = answer.get("schema").or_else(|| {
                    first_content(answer).and_then(|(_, content)| content.get("schema"))
                });
                vec![
                    vec![Inline::Code((*status).clone())],
                    words_of(answer.get("description")),
                    schema
                        .map(|schema| self.type_of(schema))
                        .unwrap_or_default(),
                ]
            })
            .collect();
        self.table(
            Some("Responses".to_owned()),
            &["Status", "Description", "Type"],
            rows,
        );
        // The body of success is described where it has no name; what has one stands among the schemas, once for all answers.
        if let Some((status, answer)) = answers.iter().find(|(status, _)| status.starts_with('2')) {
            let caption = format!("Response {status}");
            match answer.get("schema") {
                Some(schema) if is_named(schema) => {}
                Some(schema) => self.body(&caption, schema),
                None => self.content(&caption, answer, true),
            }
        }
    }

    fn content(&mut self, caption: &str, body: &'v Value, is_answer: bool) {
        let Some((media, content)) = first_content(body) else {
            return;
        };
        let caption = format!("{caption} ({media})");
        let schema = content.get("schema");
        if let Some(schema) = schema.filter(|schema| !(is_answer && is_named(schema))) {
            self.body(&caption, schema);
        }
        let examples = members(content, "/examples")
            .into_iter()
            .flatten()
            .map(|(_, example)| self.resolved(example));
        let example = content
            .get("example")
            .or_else(|| examples.filter_map(|example| example.get("value")).next());
        if let Some(example) = example {
            self.example(&caption, example);
        }
    }

    fn example(&mut self, caption: &str, example: &Value) {
        let (language, text) = match example {
            Value::String(text) => ("", text.clone()),
            other => (
                "json",
                serde_json::to_string_pretty(other).unwrap_or_default(),
            ),
        };
        let language = if language.is_empty() && text.trim_start().starts_with(['{', '[']) {
            "json"
        } else {
            language
        };
        if text.len() > EXAMPLE_BYTES_MAX {
            let told = format!("{caption}: an example of {} bytes is left out.", text.len());
            self.paragraph(vec![Inline::Text(told)]);
        } else if !text.trim().is_empty() {
            self.paragraph(vec![Inline::Text(format!(
                "Example, {}:",
                lower_first(caption)
            ))]);
            self.code(
                if language.is_empty() {
                    "http"
                } else {
                    language
                },
                text.trim_end().to_owned(),
            );
        }
    }
}

/// Whether a schema, or that of the items of a list, is one that has a name.
fn is_named(schema: &Value) -> bool {
    let is_reference = |schema: &Value| schema.get("$ref").is_some();
    is_reference(schema) || schema.get("items").is_some_and(is_reference)
}

/// The first body a request or an answer may have, JSON before others.
fn first_content(body: &Value) -> Option<(&String, &Value)> {
    let content = body.get("content").and_then(Value::as_object)?;
    content
        .iter()
        .find(|(media, _)| media.contains("json"))
        .or_else(|| content.iter().next())
}
