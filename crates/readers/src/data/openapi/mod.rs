//! Reads descriptions of web interfaces (OpenAPI 3, Swagger 2): one section an operation under its tag, with its
//! parameters, bodies and answers as tables.
//!
//! What `$ref` names is shown by its name and described once, in a section of its own; so a description that refers to
//! itself ends, and the work grows with the description and not with its references.

mod operations;
mod schemas;

use crate::builder::Builder;
use crate::markup::markdown;
use serde_json::Value;
use skillkiln_document::blocks::{About, Block, BlockKind, Document};
use skillkiln_document::text::{Inline, plain, squash};

/// Rows of a table of fields that are shown; the rest is counted.
const FIELDS_MAX: usize = 600;
/// How often a reference is followed to another.
const REFERENCES_MAX: usize = 8;
/// The longest example that is shown.
const EXAMPLE_BYTES_MAX: usize = 16_000;

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
        description: string(root, "/info/summary")
            .or_else(|| string(root, "/info/description").and_then(first_line))
            .map(squash),
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
        self.blocks
            .push(self.builder.leaf(BlockKind::Heading { level, text }));
    }

    fn paragraph(&mut self, text: Vec<Inline>) {
        self.blocks
            .push(self.builder.leaf(BlockKind::Paragraph(text)));
    }

    /// Words in Markdown; their headings would break the order of the sections and become strong words.
    fn words(&mut self, words: Option<&str>) {
        let Some(words) = words.filter(|words| !words.trim().is_empty()) else {
            return;
        };
        let mut blocks = self.builder.append(markdown::read(with_angles(words)));
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
        self.schemes(
            "Authentication of every operation that names no other: ",
            root,
        );
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

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => squash(text),
        other => other.to_string().chars().take(80).collect(),
    }
}

/// A description whose angle brackets around an address of mail stay: they are the form that is to be written, as in
/// `"Your Name <you@example.org>"`, and no link. The ends of lines that a description without quotes writes as `\n` are some.
fn with_angles(words: &str) -> String {
    let words = match words.contains('\n') {
        true => words.to_owned(),
        false => words.replace("\\n", "\n"),
    };
    let mut out = String::with_capacity(words.len());
    let mut rest = words.as_str();
    while let Some((before, behind)) = rest.split_once('<') {
        out.push_str(before);
        let inner = behind
            .split(['>', '<', '\n', ' '])
            .next()
            .unwrap_or_default();
        let is_mail = inner.contains('@')
            && behind
                .get(inner.len()..)
                .is_some_and(|end| end.starts_with('>'));
        out.push_str(if is_mail { "\\<" } else { "<" });
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// A description in a cell, without its mark-up of blocks.
fn words_of(value: Option<&Value>) -> Vec<Inline> {
    let Some(words) = value
        .and_then(Value::as_str)
        .filter(|words| !words.trim().is_empty())
    else {
        return Vec::new();
    };
    if !words.contains(['*', '`', '[', '_', '\n', '<', '\\']) {
        return vec![Inline::Text(squash(words))];
    }
    let blocks = markdown::read(with_angles(words)).blocks;
    let text = crate::markup::lines::flat(&blocks);
    if plain(&text).trim().is_empty() {
        Vec::new()
    } else {
        text
    }
}

/// The first line of a description, where that is no heading.
fn first_line(words: &str) -> Option<&str> {
    let first = words.trim().split('\n').next()?;
    let first = first.split("\\n").next().unwrap_or(first);
    (!first.starts_with('#')).then_some(first)
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
    use serde_json::json;
    use skillkiln_document::markdown::write;

    #[test]
    fn what_stands_beside_a_reference_and_the_angles_of_an_address_are_kept() {
        let root = json!({
            "openapi": "3.1.0", "info": {"title": "Post", "version": "1"}, "paths": {},
            "components": {"schemas": {
                "Send": {"type": "object", "properties": {
                    "from": {"type": "string", "description": "Use the format \"Your Name <you@example.org>\"."},
                    "template": {"allOf": [{"$ref": "#/components/schemas/Template"}, {"description": "If given, leave out html."}]},
                    "copy": {"$ref": "#/components/schemas/Template", "description": "Sent beside it."}}},
                "Template": {"type": "object", "description": "A template.", "properties": {"id": {"type": "string"}}}}},
        });
        let markdown = write(&read(&root).blocks);
        for expected in [
            "\"Your Name \\<you@example.org>\"",
            "| `template` | Template | If given, leave out html. |",
            "| `copy` | Template | Sent beside it. |",
        ] {
            assert!(markdown.contains(expected), "{expected} in\n{markdown}");
        }
    }

    #[test]
    fn operations_stand_under_their_tags_with_tables() {
        let root = json!({
            "openapi": "3.0.0", "info": {"title": "Pets", "version": "1", "description": "About *pets*.\\n\\nOf all kinds."},
            "servers": [{"url": "https://p.org/v1"}], "security": [{"key": []}],
            "paths": {"/pets/{id}": {"parameters": [{"$ref": "#/components/parameters/Id"}],
                "get": {"tags": ["pets"], "summary": "One pet", "operationId": "getPet",
                    "security": [{"key": [], "app": []}, {"token": ["read", "write"]}],
                    "responses": {"200": {"description": "It", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}, "example": {"id": 1}}}}}}}},
            "components": {"parameters": {"Id": {"name": "id", "in": "path", "required": true, "description": "Which", "schema": {"type": "integer"}}},
                "schemas": {"Pet": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}, "parent": {"$ref": "#/components/schemas/Pet"},
                    "kind": {"type": "string", "enum": ["cat", "dog"]}, "tags": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}}}}}},
        });
        assert!(is_openapi(&root));
        let document = read(&root);
        let markdown = write(&document.blocks);
        for expected in [
            "# Pets\n\nVersion 1\n\nAbout *pets*.\n\nOf all kinds.",
            "| `https://p.org/v1` |",
            "## pets\n\n### `GET /pets/{id}` One pet",
            "| `id` | path | integer | yes | Which |",
            "| `200` | It | Pet |",
            "| `parent` | Pet |",
            "| `kind` | string | | One of cat, dog. |",
            "| `tags[].name` | string |",
            "```json\n{\n  \"id\": 1\n}\n```",
            "## Schemas\n\n### `Pet`",
            "Authentication of every operation that names no other: `key`\n",
            "Authentication: `key` and `app` or `token` with scope `read`, `write`\n",
        ] {
            assert!(markdown.contains(expected), "{expected} in\n{markdown}");
        }
        // What an answer has stands once, among the schemas.
        assert_eq!(markdown.matches("| `parent` |").count(), 1, "{markdown}");
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
