//! Tells the types of a web interface: each described once, with its fields as a table.

use crate::data::openapi::{FIELDS_MAX, Reader, Row, items, members, shown, string, words_of};
use serde_json::Value;
use skillkiln_document::blocks::BlockKind;
use skillkiln_document::text::Inline;

/// How deep the fields of fields are shown.
const FIELDS_DEPTH_MAX: usize = 8;

impl<'v> Reader<'v> {
    /// What a body is: what is said of this use of its schema, and its fields.
    pub(super) fn body(&mut self, caption: &str, schema: &'v Value) {
        self.words(said_of_use(schema).and_then(Value::as_str));
        self.fields(caption, schema);
    }

    /// A table of the fields of a schema.
    pub(super) fn fields(&mut self, caption: &str, schema: &'v Value) {
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

    pub(super) fn collect(
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
    pub(super) fn type_of(&self, schema: &'v Value) -> Vec<Inline> {
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
            // A part that only describes has no type.
            let typed = parts.iter().filter(|part| {
                let keys = part.as_object().map(|part| part.keys());
                keys.is_none_or(|mut keys| {
                    keys.any(|key| {
                        !matches!(
                            key.as_str(),
                            "description" | "title" | "example" | "nullable" | "default"
                        )
                    })
                })
            });
            for (at, part) in typed.take(8).enumerate() {
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
    pub(super) fn described(&self, holder: &'v Value, schema: &'v Value) -> Vec<Inline> {
        let mut text = words_of(said_of_use(schema).or_else(|| holder.get("description")));
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
    pub(super) fn schemas(&mut self) {
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

/// What is said of a use of a schema stands beside the reference, and may be a part of a whole.
fn said_of_use(schema: &Value) -> Option<&Value> {
    let parts = ["/allOf", "/oneOf", "/anyOf"]
        .iter()
        .flat_map(|path| items(schema, path));
    let mut said = parts.filter_map(|part| part.get("description"));
    schema.get("description").or_else(|| said.next())
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

pub(super) fn required(is: bool) -> Vec<Inline> {
    if is {
        vec![Inline::Text("yes".to_owned())]
    } else {
        Vec::new()
    }
}
