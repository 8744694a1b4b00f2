//! Reads descriptions of web interfaces (OpenAPI 3, Swagger 2): one section an operation under its tag, with its
//! parameters, bodies and answers as tables.
//!
//! What `$ref` names is shown by its name and described once, in a section of its own; so a description that refers to
//! itself ends, and the work grows with the description and not with its references.

use crate::domain::document::{About, Block, BlockKind, Document};
use crate::domain::text::{Inline, plain, squash};
use crate::pipeline::extract::builder::Builder;
use crate::pipeline::extract::markup::markdown;
use serde_json::Value;

/// Rows of a table of fields that are shown; the rest is counted.
const FIELDS_MAX: usize = 60;
/// How deep the fields of fields are shown.
const FIELDS_DEPTH_MAX: usize = 3;
/// How often a reference is followed to another.
const REFERENCES_MAX: usize = 8;
/// The longest example that is shown.
const EXAMPLE_BYTES_MAX: usize = 4_000;

const METHODS: [&str; 8] = [
    "get", "post", "put", "patch", "delete", "head", "options", "trace",
];

/// Whether `value` describes a web interface.
pub(crate) fn is_openapi(value: &Value) -> bool {
    let versioned = ["openapi", "swagger"].iter().any(|key| {
        value
            .get(key)
            .is_some_and(|v| v.is_string() || v.is_number())
    });
    versioned && value.get("info").is_some_and(Value::is_object)
}

/// Whether `text` may be such a description, told from its beginning.
pub(crate) fn may_be(text: &str) -> bool {
    let head: String = text.chars().take(4_000).collect();
    (head.contains("openapi") || head.contains("swagger")) && head.contains("info")
}

/// Reads a description.
pub(crate) fn read(root: &Value) -> Document {
    let mut reader = Reader {
        root,
        builder: Builder::default(),
        blocks: Vec::new(),
    };
    let title = string(root, "/info/title")
        .map(squash)
        .unwrap_or_else(|| "API".to_owned());
    reader.heading(1, vec![Inline::Text(title.clone())]);
    reader.front();
    reader.operations();
    reader.schemas();
    let about = About {
        description: string(root, "/info/summary").map(squash),
        author: string(root, "/info/contact/name").map(squash),
        address: string(root, "/externalDocs/url").map(str::to_owned),
        ..About::default()
    };
    reader.builder.finish(Some(title), about, reader.blocks)
}

struct Reader<'v> {
    root: &'v Value,
    builder: Builder,
    blocks: Vec<Block>,
}

type Row = Vec<Vec<Inline>>;

impl<'v> Reader<'v> {
    fn heading(&mut self, level: u8, text: Vec<Inline>) {
        let block = self.builder.leaf(BlockKind::Heading { level, text });
        self.blocks.push(block);
    }

    fn paragraph(&mut self, text: Vec<Inline>) {
        let block = self.builder.leaf(BlockKind::Paragraph(text));
        self.blocks.push(block);
    }

    /// Words in Markdown; their headings would break the order of the sections and become strong words.
    fn words(&mut self, words: Option<&str>) {
        let Some(words) = words.filter(|words| !words.trim().is_empty()) else {
            return;
        };
        let mut blocks = self.builder.append(markdown::read(words.to_owned()));
        for block in &mut blocks {
            if let BlockKind::Heading { text, .. } = &mut block.kind {
                block.kind = BlockKind::Paragraph(vec![Inline::Strong(std::mem::take(text))]);
            }
        }
        self.blocks.extend(blocks);
    }

    fn table(&mut self, caption: Option<String>, header: &[&str], rows: Vec<Row>) {
        if rows.is_empty() {
            return;
        }
        // A column that is empty in every row tells nothing.
        let kept: Vec<usize> = (0..header.len())
            .filter(|column| {
                rows.iter()
                    .any(|row| row.get(*column).is_some_and(|cell| !cell.is_empty()))
            })
            .collect();
        let pick = |row: Row| -> Row {
            let mut row: Vec<Option<Vec<Inline>>> = row.into_iter().map(Some).collect();
            kept.iter()
                .map(|at| row.get_mut(*at).and_then(Option::take).unwrap_or_default())
                .collect()
        };
        let header = pick(
            header
                .iter()
                .map(|name| vec![Inline::Text((*name).to_owned())])
                .collect(),
        );
        let rows = rows.into_iter().map(pick).collect();
        let block = self.builder.leaf(BlockKind::Table {
            header,
            rows,
            caption: caption.map(|caption| vec![Inline::Text(caption)]),
        });
        self.blocks.push(block);
    }

    fn code(&mut self, language: &str, text: String) {
        let block = self.builder.leaf(BlockKind::Code {
            language: Some(language.to_owned()),
            text,
        });
        self.blocks.push(block);
    }

    /// What `$ref` leads to inside the description; the value itself when it is none.
    fn resolved(&self, value: &'v Value) -> &'v Value {
        let mut value = value;
        for _ in 0..REFERENCES_MAX {
            let Some(target) = value.get("$ref").and_then(Value::as_str) else {
                return value;
            };
            let found = target.strip_prefix('#').and_then(|path| {
                self.root
                    .pointer(&path.replace("%7B", "{").replace("%7D", "}"))
            });
            let Some(found) = found else { return value };
            value = found;
        }
        value
    }

    fn front(&mut self) {
        let root = self.root;
        if let Some(version) = string(root, "/info/version") {
            self.paragraph(vec![Inline::Text(format!("Version {version}"))]);
        }
        self.words(string(root, "/info/description"));
        let servers: Vec<Row> = items(root, "/servers")
            .iter()
            .filter_map(|server| {
                Some(vec![
                    vec![Inline::Code(string(server, "/url")?.to_owned())],
                    words_of(server.get("description")),
                ])
            })
            .collect();
        self.table(
            Some("Servers".to_owned()),
            &["Address", "Description"],
            servers,
        );
        if let Some(host) = string(root, "/host") {
            let scheme = root
                .pointer("/schemes/0")
                .and_then(Value::as_str)
                .unwrap_or("https");
            let base = string(root, "/basePath").unwrap_or("");
            self.paragraph(vec![
                Inline::Text("Server: ".to_owned()),
                Inline::Code(format!("{scheme}://{host}{base}")),
            ]);
        }
        let schemes = members(root, "/components/securitySchemes")
            .or_else(|| members(root, "/securityDefinitions"));
        let rows = schemes
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
    }

    /// The operations under their tags, in the order of the tags, then of the paths.
    fn operations(&mut self) {
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
                self.fields("Request body", schema);
            }
        }
        if let Some(body) = operation.get("requestBody") {
            let body = self.resolved(body);
            self.words(string(body, "/description"));
            self.content("Request body", body);
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
        // The body of success is described; those of failures are mostly alike and stand among the schemas.
        if let Some((status, answer)) = answers.iter().find(|(status, _)| status.starts_with('2')) {
            let caption = format!("Response {status}");
            match answer.get("schema") {
                Some(schema) => self.fields(&caption, schema),
                None => self.content(&caption, answer),
            }
        }
    }

    fn content(&mut self, caption: &str, body: &'v Value) {
        let Some((media, content)) = first_content(body) else {
            return;
        };
        let caption = format!("{caption} ({media})");
        if let Some(schema) = content.get("schema") {
            self.fields(&caption, schema);
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

    /// A table of the fields of a schema.
    fn fields(&mut self, caption: &str, schema: &'v Value) {
        let mut rows = Vec::new();
        let mut count = 0;
        self.collect("", schema, 0, &mut rows, &mut count);
        if rows.is_empty() {
            return;
        }
        let caption = if count > rows.len() {
            format!("{caption}: the first {} of {count} fields", rows.len())
        } else {
            caption.to_owned()
        };
        self.table(
            Some(caption),
            &["Field", "Type", "Required", "Description"],
            rows,
        );
    }

    fn collect(
        &self,
        prefix: &str,
        schema: &'v Value,
        depth: usize,
        rows: &mut Vec<Row>,
        count: &mut usize,
    ) {
        let named = schema.get("$ref").is_some();
        // Below the first level a schema with a name is shown by its name.
        if depth > FIELDS_DEPTH_MAX || named && depth > 0 || *count > FIELDS_MAX * 10 {
            return;
        }
        let schema = self.resolved(schema);
        let schema = match schema.get("items").filter(|_| kind_of(schema) == "array") {
            Some(items) if depth > 0 && items.get("$ref").is_some() => return,
            Some(items) => self.resolved(items),
            None => schema,
        };
        for part in ["/allOf", "/oneOf", "/anyOf"]
            .iter()
            .flat_map(|path| items(schema, path))
            .take(20)
        {
            // The parts of a whole are read in place.
            let part = if depth == 0 {
                self.resolved(part)
            } else {
                part
            };
            self.collect(prefix, part, depth + 1, rows, count);
        }
        let needed: Vec<&str> = items(schema, "/required")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        for (name, field) in members(schema, "/properties").into_iter().flatten() {
            *count += 1;
            let path = if prefix.is_empty() {
                name.clone()
            } else {
                format!("{prefix}.{name}")
            };
            if rows.len() < FIELDS_MAX {
                rows.push(vec![
                    vec![Inline::Code(path.clone())],
                    self.type_of(field),
                    required(needed.contains(&name.as_str())),
                    self.described(self.resolved(field), field),
                ]);
            }
            let is_list = kind_of(field) == "array";
            let path = if is_list { format!("{path}[]") } else { path };
            self.collect(&path, field, depth + 1, rows, count);
        }
    }

    /// A type in a few words: `array of Pet`, `string (date-time)`, `"a" | "b"`.
    fn type_of(&self, schema: &'v Value) -> Vec<Inline> {
        let mut words = String::new();
        self.write_type(schema, 0, &mut words);
        if words.is_empty() {
            Vec::new()
        } else {
            vec![Inline::Text(words)]
        }
    }

    fn write_type(&self, schema: &'v Value, depth: usize, out: &mut String) {
        if depth > 3 {
            return;
        }
        if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
            out.push_str(target.rsplit('/').next().unwrap_or(target));
            return;
        }
        for key in ["allOf", "oneOf", "anyOf"] {
            let Some(parts) = schema.get(key).and_then(Value::as_array) else {
                continue;
            };
            let mark = if key == "allOf" { " & " } else { " | " };
            for (at, part) in parts.iter().take(8).enumerate() {
                if at > 0 {
                    out.push_str(mark);
                }
                self.write_type(part, depth + 1, out);
            }
            return;
        }
        let kind = kind_of(schema);
        if kind == "array" {
            out.push_str("array of ");
            match schema.get("items") {
                Some(items) => self.write_type(items, depth + 1, out),
                None => out.push_str("anything"),
            }
            return;
        }
        out.push_str(&kind);
        if let Some(format) = string(schema, "/format") {
            out.push_str(&format!(" ({format})"));
        }
        if schema.get("nullable").and_then(Value::as_bool) == Some(true) {
            out.push_str(" or null");
        }
    }

    /// The description with what else limits a value.
    fn described(&self, holder: &'v Value, schema: &'v Value) -> Vec<Inline> {
        let mut text = words_of(
            holder
                .get("description")
                .or_else(|| schema.get("description")),
        );
        let schema = self.resolved(schema);
        let mut more = String::new();
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            let shown: Vec<String> = values.iter().take(30).map(shown).collect();
            let rest = if values.len() > 30 {
                format!(" and {} more", values.len() - 30)
            } else {
                String::new()
            };
            more.push_str(&format!("One of {}{rest}.", shown.join(", ")));
        }
        if let Some(default) = schema.get("default") {
            more.push_str(&format!(" Default {}.", shown(default)));
        }
        for (key, words) in [
            ("minimum", "At least"),
            ("maximum", "At most"),
            ("maxLength", "Length at most"),
            ("pattern", "Pattern"),
        ] {
            if let Some(value) = schema.get(key) {
                more.push_str(&format!(" {words} {}.", shown(value)));
            }
        }
        if !more.is_empty() {
            if !text.is_empty() {
                text.push(Inline::Text(" ".to_owned()));
            }
            text.push(Inline::Text(more.trim().to_owned()));
        }
        text
    }

    /// Each schema with a name, once.
    fn schemas(&mut self) {
        let root = self.root;
        let schemas =
            members(root, "/components/schemas").or_else(|| members(root, "/definitions"));
        let mut opened = false;
        for (name, schema) in schemas.into_iter().flatten() {
            if !opened {
                self.heading(2, vec![Inline::Text("Schemas".to_owned())]);
                opened = true;
            }
            self.heading(3, vec![Inline::Code(name.clone())]);
            let before = self.blocks.len();
            self.words(string(schema, "/description"));
            self.fields("Fields", schema);
            if self.blocks.len() == before
                || !matches!(
                    self.blocks.last().map(|block| &block.kind),
                    Some(BlockKind::Table { .. })
                )
            {
                let mut text = self.type_of(schema);
                let more = self.described(&Value::Null, schema);
                if !more.is_empty() && schema.get("description").is_none() {
                    text.push(Inline::Text(". ".to_owned()));
                    text.extend(more);
                }
                if !text.is_empty() {
                    self.paragraph(text);
                }
            }
        }
    }
}

fn string<'v>(value: &'v Value, path: &str) -> Option<&'v str> {
    value.pointer(path).and_then(Value::as_str)
}

fn items<'v>(value: &'v Value, path: &str) -> &'v [Value] {
    value
        .pointer(path)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

fn members<'v>(value: &'v Value, path: &str) -> Option<&'v serde_json::Map<String, Value>> {
    value.pointer(path).and_then(Value::as_object)
}

/// The first body a request or an answer may have, JSON before others.
fn first_content(body: &Value) -> Option<(&String, &Value)> {
    let content = body.get("content").and_then(Value::as_object)?;
    content
        .iter()
        .find(|(media, _)| media.contains("json"))
        .or_else(|| content.iter().next())
}

fn kind_of(schema: &Value) -> String {
    match schema.get("type") {
        Some(Value::String(kind)) => kind.clone(),
        Some(Value::Array(kinds)) => kinds
            .iter()
            .filter_map(Value::as_str)
            .collect::<Vec<_>>()
            .join(" or "),
        _ if schema.get("properties").is_some() => "object".to_owned(),
        _ if schema.get("enum").is_some() => "enum".to_owned(),
        _ if schema.get("const").is_some() => "constant".to_owned(),
        _ => String::new(),
    }
}

fn required(is: bool) -> Vec<Inline> {
    if is {
        vec![Inline::Text("yes".to_owned())]
    } else {
        Vec::new()
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => squash(text),
        other => other.to_string().chars().take(80).collect(),
    }
}

/// A description in a cell, without its mark-up of blocks.
fn words_of(value: Option<&Value>) -> Vec<Inline> {
    let Some(words) = value
        .and_then(Value::as_str)
        .filter(|words| !words.trim().is_empty())
    else {
        return Vec::new();
    };
    if !words.contains(['*', '`', '[', '_', '\n', '<']) {
        return vec![Inline::Text(squash(words))];
    }
    let blocks = markdown::read(words.to_owned()).blocks;
    let text = crate::pipeline::extract::markup::lines::flat(&blocks);
    if plain(&text).trim().is_empty() {
        Vec::new()
    } else {
        text
    }
}

fn lower_first(words: &str) -> String {
    let mut characters = words.chars();
    characters.next().map_or(String::new(), |first| {
        first.to_lowercase().collect::<String>() + characters.as_str()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::markdown::write;
    use serde_json::json;

    #[test]
    fn operations_stand_under_their_tags_with_tables() {
        let root = json!({
            "openapi": "3.0.0", "info": {"title": "Pets", "version": "1", "description": "About *pets*."},
            "servers": [{"url": "https://p.org/v1"}],
            "paths": {"/pets/{id}": {"parameters": [{"$ref": "#/components/parameters/Id"}],
                "get": {"tags": ["pets"], "summary": "One pet", "operationId": "getPet",
                    "responses": {"200": {"description": "It", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}, "example": {"id": 1}}}}}}}},
            "components": {"parameters": {"Id": {"name": "id", "in": "path", "required": true, "description": "Which", "schema": {"type": "integer"}}},
                "schemas": {"Pet": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}, "parent": {"$ref": "#/components/schemas/Pet"},
                    "kind": {"type": "string", "enum": ["cat", "dog"]}, "tags": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}}}}}},
        });
        assert!(is_openapi(&root));
        let document = read(&root);
        let markdown = write(&document.blocks);
        for expected in [
            "# Pets\n\nVersion 1\n\nAbout *pets*.",
            "| `https://p.org/v1` |",
            "## pets\n\n### `GET /pets/{id}` One pet",
            "| `id` | path | integer | yes | Which |",
            "| `200` | It | Pet |",
            "| `parent` | Pet |",
            "| `kind` | string | | One of cat, dog. |",
            "| `tags[].name` | string |",
            "```json\n{\n  \"id\": 1\n}\n```",
            "## Schemas\n\n### `Pet`",
        ] {
            assert!(markdown.contains(expected), "{expected} in\n{markdown}");
        }
    }

    #[test]
    fn a_description_that_refers_to_itself_ends() {
        let root = json!({"swagger": "2.0", "info": {"title": "X"}, "definitions": {
            "A": {"$ref": "#/definitions/B"}, "B": {"$ref": "#/definitions/A"},
            "C": {"allOf": [{"$ref": "#/definitions/C"}, {"properties": {"c": {"$ref": "#/definitions/C"}}}]},
        }});
        let markdown = write(&read(&root).blocks);
        assert!(markdown.contains("| `c` | C |"), "{markdown}");
    }
}
