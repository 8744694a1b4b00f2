//! Owns the reference of the API as people read it: the operations, fields and answers of the description for machines, flattened into
//! lines of tables. It is made once, since the description is part of the binary.

use crate::http::openapi;
use crate::http::pages::markdown;
use serde_json::{Map, Value};
use std::sync::LazyLock;

/// Deepest member of a member that is shown.
const DEPTH_MAX: usize = 5;

/// The operations of one tag.
pub(super) struct Section {
    pub(super) name: String,
    pub(super) about: String,
    pub(super) operations: Vec<Operation>,
}

/// One method of one path.
pub(super) struct Operation {
    pub(super) id: String,
    pub(super) method: String,
    pub(super) path: String,
    pub(super) title: String,
    pub(super) about: String,
    pub(super) takes_key: bool,
    pub(super) parameters: Vec<Field>,
    pub(super) body: Option<Body>,
    pub(super) answers: Vec<Answer>,
}

/// What is sent.
pub(super) struct Body {
    pub(super) media_type: String,
    pub(super) fields: Vec<Field>,
    /// What is sent as JSON, to begin with; empty for a form.
    pub(super) example: String,
}

impl Body {
    pub(super) fn is_form(&self) -> bool {
        self.example.is_empty()
    }

    /// The fields themselves, without their members.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| field.depth == 0)
    }
}

/// What is answered with one status.
pub(super) struct Answer {
    pub(super) status: String,
    pub(super) about: String,
    pub(super) media_types: String,
    pub(super) fields: Vec<Field>,
}

impl Answer {
    pub(super) fn is_good(&self) -> bool {
        self.status.starts_with('2')
    }
}

/// A parameter, or a member of a body.
pub(super) struct Field {
    /// With the names of what it is in: `skills[].topic.slug`.
    pub(super) name: String,
    /// `path`, `query` or `header`; empty for a member of a body.
    pub(super) place: String,
    /// What it may be, in words.
    pub(super) kind: String,
    pub(super) about: String,
    pub(super) example: String,
    pub(super) is_required: bool,
    pub(super) takes_file: bool,
    pub(super) takes_text: bool,
    pub(super) depth: usize,
}

static SECTIONS: LazyLock<Vec<Section>> = LazyLock::new(|| {
    let document = serde_json::from_str(openapi::document()).unwrap_or_default();
    Document(document).sections()
});

/// All operations, in the order of the description.
pub(super) fn sections() -> &'static [Section] {
    &SECTIONS
}

struct Document(Value);

impl Document {
    fn sections(&self) -> Vec<Section> {
        let tags = at(&self.0, "/tags").as_array().into_iter().flatten();
        let section = |tag: &Value| Section {
            name: text(&tag["name"]),
            about: rendered(&tag["description"]),
            operations: self.operations(&tag["name"]),
        };
        tags.map(section).collect()
    }

    fn operations(&self, tag: &Value) -> Vec<Operation> {
        let mut operations = vec![];
        for (path, methods) in members(at(&self.0, "/paths")) {
            for (method, operation) in members(methods) {
                if at(operation, "/tags/0") == tag {
                    operations.push(self.operation(path, method, operation));
                }
            }
        }
        operations
    }

    fn operation(&self, path: &str, method: &str, operation: &Value) -> Operation {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let answers = members(&operation["responses"]);
        Operation {
            id: text(&operation["operationId"]),
            method: method.to_uppercase(),
            path: path.to_owned(),
            title: text(&operation["summary"]),
            about: rendered(&operation["description"]),
            takes_key: operation.get("security").is_none(),
            parameters: parameters
                .map(|parameter| self.parameter(parameter))
                .collect(),
            body: self.body(&operation["requestBody"]),
            answers: answers
                .map(|(status, answer)| self.answer(status, answer))
                .collect(),
        }
    }

    fn parameter(&self, parameter: &Value) -> Field {
        Field {
            place: text(&parameter["in"]),
            about: rendered(&parameter["description"]),
            is_required: parameter["required"] == true,
            ..self.field(text(&parameter["name"]), &parameter["schema"], 0)
        }
    }

    fn body(&self, body: &Value) -> Option<Body> {
        let (media_type, content) = members(&body["content"]).next()?;
        let given = members(&content["examples"]).next();
        let example = given.map_or(&Value::Null, |(_, example)| &example["value"]);
        let is_json = media_type == "application/json";
        Some(Body {
            media_type: media_type.clone(),
            fields: self.fields(&content["schema"]),
            example: match example {
                _ if !is_json => String::new(),
                Value::Null => serde_json::to_string_pretty(&self.sample(&content["schema"]))
                    .unwrap_or_default(),
                example => serde_json::to_string_pretty(example).unwrap_or_default(),
            },
        })
    }

    /// An object of the examples of its members.
    fn sample(&self, schema: &Value) -> Value {
        let sample = |(name, member): (&String, &Value)| {
            let member = self.followed(member);
            let value = [
                at(member, "/examples/0"),
                at(member, "/enum/0"),
                &member["default"],
            ];
            let value = value.into_iter().find(|value| !value.is_null());
            (name.clone(), value.cloned().unwrap_or(Value::Bool(true)))
        };
        let all = members(&self.followed(schema)["properties"]).map(sample);
        Value::Object(all.collect::<Map<_, _>>())
    }

    fn answer(&self, status: &str, answer: &Value) -> Answer {
        let answer = self.followed(answer);
        let content = &answer["content"];
        let media_types: Vec<&str> = members(content).map(|(name, _)| name.as_str()).collect();
        let mut fields = vec![];
        for (_, body) in members(content).filter(|_| status.starts_with('2')) {
            let events = members(&body["x-events"]);
            let mut events = events
                .map(|(name, schema)| (format!("event {name}: "), schema))
                .peekable();
            if events.peek().is_none() {
                fields.extend(self.fields(&body["schema"]));
            }
            for (event, schema) in events {
                let named = |field: Field| Field {
                    name: format!("{event}{}", field.name),
                    ..field
                };
                fields.extend(self.fields(schema).into_iter().map(named));
            }
        }
        fields.dedup_by(|one, other| one.name == other.name);
        Answer {
            status: status.to_owned(),
            about: rendered(&answer["description"]),
            media_types: media_types.join(", "),
            fields,
        }
    }

    /// The members of a schema and theirs; of a schema with alternatives, those of the first.
    fn fields(&self, schema: &Value) -> Vec<Field> {
        let mut fields = vec![];
        self.collect(schema, "", 0, &mut fields);
        fields
    }

    fn collect(&self, schema: &Value, within: &str, depth: usize, fields: &mut Vec<Field>) {
        let schema = self.followed(schema);
        let first = schema["anyOf"]
            .get(0)
            .filter(|first| first.get("$ref").is_some());
        let schema = first.map_or(schema, |first| self.followed(first));
        if depth >= DEPTH_MAX {
            return;
        }
        let required = schema["required"].as_array();
        for (name, member) in members(&schema["properties"]) {
            let path = format!("{within}{name}");
            let is_required = required.is_some_and(|names| names.iter().any(|known| known == name));
            fields.push(Field {
                is_required,
                ..self.field(path.clone(), member, depth)
            });
            match self.followed(member).get("items") {
                Some(items) => self.collect(items, &format!("{path}[]."), depth + 1, fields),
                None => self.collect(member, &format!("{path}."), depth + 1, fields),
            }
        }
    }

    fn field(&self, name: String, schema: &Value, depth: usize) -> Field {
        let whole = self.followed(schema);
        let about = schema.get("description").unwrap_or(&whole["description"]);
        let is_file = |schema: &Value| schema["format"] == "binary";
        let alternatives = whole["anyOf"].as_array();
        let any = |is: &dyn Fn(&Value) -> bool| alternatives.is_some_and(|all| all.iter().any(is));
        let takes_file = is_file(whole) || is_file(&whole["items"]) || any(&is_file);
        Field {
            name,
            place: String::new(),
            kind: self.kind(schema),
            about: rendered(about),
            example: text(at(whole, "/examples/0")),
            is_required: false,
            takes_file,
            takes_text: !takes_file || any(&|one| !is_file(one)),
            depth,
        }
    }

    /// What a value may be, in words.
    fn kind(&self, schema: &Value) -> String {
        let schema = self.followed(schema);
        if let Some(alternatives) = schema["anyOf"].as_array() {
            let kinds: Vec<String> = alternatives.iter().map(|one| self.kind(one)).collect();
            return kinds.join(" or ");
        }
        if let Some(values) = schema["enum"].as_array() {
            let values: Vec<String> = values.iter().map(text).collect();
            return values.join(", ");
        }
        if let Some(value) = schema.get("const") {
            return value.to_string();
        }
        let name = text(&schema["type"]);
        let bound = |name: &str| schema[name].as_u64();
        let (least, most, unit) = match name.as_str() {
            "string" => (None, bound("maxLength"), " characters"),
            "array" => (bound("minItems"), bound("maxItems"), ""),
            _ => (bound("minimum"), bound("maximum"), ""),
        };
        let range = match (least, most) {
            (Some(least), Some(most)) => format!(", {least} to {most}{unit}"),
            (None, Some(most)) => format!(", at most {most}{unit}"),
            _ => String::new(),
        };
        let named = match (name.as_str(), schema["format"].as_str()) {
            ("array", _) => format!("list of {}", self.kind(&schema["items"])),
            (_, Some("binary")) => "file".to_owned(),
            (_, Some(format)) => format!("{name}, {format}"),
            _ => name,
        };
        let default = schema
            .get("default")
            .map(|value| format!(", else {}", text(value)));
        named + &range + &default.unwrap_or_default()
    }

    fn followed<'a>(&'a self, value: &'a Value) -> &'a Value {
        let to = value["$ref"].as_str().and_then(|to| to.strip_prefix('#'));
        to.and_then(|pointer| self.0.pointer(pointer))
            .unwrap_or(value)
    }
}

/// The members of an object, in their order.
fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// What a pointer leads to, or nothing.
fn at<'a>(value: &'a Value, pointer: &str) -> &'a Value {
    static NOTHING: Value = Value::Null;
    value.pointer(pointer).unwrap_or(&NOTHING)
}

/// A text as it is, anything else as JSON, nothing as nothing.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

fn rendered(description: &Value) -> String {
    markdown::render(description.as_str().unwrap_or_default(), &|_| None).html
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(id: &str) -> &'static Operation {
        let mut all = sections().iter().flat_map(|section| &section.operations);
        all.find(|operation| operation.id == id)
            .expect("it is described")
    }

    #[test]
    fn a_form_shows_what_may_be_a_file_and_what_a_text() {
        let body = operation("restGenerate").body.as_ref().expect("a form");
        assert!(body.is_form());
        let kinds: Vec<(&str, bool, bool)> = body
            .parts()
            .map(|field| (field.name.as_str(), field.takes_file, field.takes_text))
            .collect();
        assert_eq!(
            kinds,
            [
                ("source", true, true),
                ("name", false, true),
                ("source_type", false, true),
                ("max_pages", false, true),
                ("kind", false, true)
            ]
        );
        assert_eq!(body.fields[0].kind, "file or string");
        assert_eq!(body.fields[3].kind, "integer, 1 to 50, else 1");
        let upload = operation("upload").body.as_ref().expect("a form");
        assert!(upload.fields[0].takes_file && !upload.fields[0].takes_text);
    }

    #[test]
    fn members_are_named_by_where_they_are_and_events_by_their_event() {
        let names = |id: &str| -> Vec<&str> {
            let answer = operation(id)
                .answers
                .iter()
                .find(|answer| answer.status == "200");
            let fields = answer.expect("it is described").fields.iter();
            fields.map(|field| field.name.as_str()).collect()
        };
        assert!(names("restGenerate").contains(&"skill.reference_files[].filename"));
        assert!(names("restGenerateCatalogue").contains(&"skills[].topic.slug"));
        let told = names("generate");
        assert_eq!(told[0], "event progress: stage");
        assert!(
            told.contains(&"event complete: validation.errors"),
            "{told:?}"
        );
        assert!(told.contains(&"event error: error.code"));
    }

    #[test]
    fn what_is_sent_as_json_is_shown_whole() {
        for section in sections() {
            for operation in &section.operations {
                let Some(body) = operation.body.as_ref().filter(|body| !body.is_form()) else {
                    continue;
                };
                let example: Value = serde_json::from_str(&body.example).expect("JSON");
                assert!(example.is_object(), "{}", operation.id);
            }
        }
        let plan = operation("checkout").body.as_ref().expect("JSON");
        assert_eq!(plan.example, "{\n  \"plan\": \"starter\"\n}");
    }
}
