//! Owns `POST /api/v1/detect-topics`, and how a topic is written and read on the REST surface.

use crate::domain::topic::{TOPICS_MAX, Topic};
use crate::http::caller::Caller;
use crate::http::context::Context;
use crate::http::error::{OnRest, Problem};
use crate::http::form::{Form, Value};
use crate::http::v1::source::{Sent, pages};
use crate::services::looks::Looker;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value as Json};
use std::collections::HashSet;

const NAME_CHARS_MAX: usize = 200;
const SLUG_CHARS_MAX: usize = 100;
const DESCRIPTION_CHARS_MAX: usize = 2_000;
/// Deepest nesting of what a client sends along with a topic (decision 57).
const NESTING_MAX: usize = 64;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Detected<'a> {
    should_catalogue: bool,
    word_count: usize,
    topics: Vec<Shown<'a>>,
}

/// Answers `POST /api/v1/detect-topics`.
pub(in crate::http) async fn detect(
    caller: Caller,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnRest> {
    let context = Context::of(&req);
    let mut form = Form::read(
        &req,
        payload,
        &context.settings.limits,
        &["source", "max_pages"],
    )
    .await?;
    let pages = pages(&mut form, context)?;
    let source = Sent::take(&mut form, None, context)?
        .keep(context, pages)
        .await?;
    drop(form);
    let found = context
        .services
        .engine
        .detect_topics(Looker::Account(caller.user_id), source)
        .await
        .map_err(Problem::from)?;
    Ok(HttpResponse::Ok().json(Detected {
        should_catalogue: found.should_catalogue,
        word_count: found.word_count,
        topics: found.topics.iter().map(Shown).collect(),
    }))
}

/// A topic as the REST surface shows it, with whatever else a client sent along.
pub(super) struct Shown<'a>(pub(super) &'a Topic);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Topic {
            name,
            slug,
            description,
            estimated_word_count,
            extra,
        } = self.0;
        let mut map = serializer.serialize_map(Some(4 + extra.len()))?;
        map.serialize_entry("topicName", name)?;
        map.serialize_entry("slug", slug)?;
        map.serialize_entry("description", description)?;
        map.serialize_entry("estimatedWordCount", estimated_word_count)?;
        for (key, value) in extra {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// The topics that a client selected: one part that holds an array, or a part for each (decision 23).
pub(super) fn selected(parts: Vec<Value>) -> Result<Vec<Topic>, Problem> {
    if parts.is_empty() {
        return Err(Problem::invalid("selected_topics is missing"));
    }
    let several = parts.len() > 1;
    let mut topics = vec![];
    for part in parts {
        let json = match &part {
            Value::Text(text) => serde_json::from_str(text),
            Value::File(file) => serde_json::from_slice(&file.bytes),
        };
        match json.map_err(|_| Problem::invalid("selected_topics is not JSON"))? {
            Json::Array(elements) if !several => {
                for element in elements {
                    topics.push(topic(element)?);
                }
            }
            other => topics.push(topic(other)?),
        }
        if topics.len() > TOPICS_MAX {
            break;
        }
    }
    check(&topics)?;
    Ok(topics)
}

/// Whether topics can be ordered, wherever they come from: 1 to 20, each with a name and a slug that can name a file, no slug twice.
pub(in crate::http) fn check(topics: &[Topic]) -> Result<(), Problem> {
    if topics.is_empty() || topics.len() > TOPICS_MAX {
        return Err(Problem::invalid(format!(
            "selected_topics must hold 1 to {TOPICS_MAX} topics"
        )));
    }
    topics.iter().try_for_each(check_one)?;
    let mut slugs = HashSet::new();
    match topics
        .iter()
        .find(|topic| !slugs.insert(topic.slug.as_str()))
    {
        Some(twice) => Err(Problem::invalid(format!(
            "selected_topics holds the slug {} twice",
            twice.slug
        ))),
        None => Ok(()),
    }
}

fn check_one(topic: &Topic) -> Result<(), Problem> {
    if topic.name.trim().is_empty() {
        return Err(Problem::invalid("a selected topic has no topicName"));
    }
    for (name, text, chars_max) in [
        ("topicName", &topic.name, NAME_CHARS_MAX),
        ("slug", &topic.slug, SLUG_CHARS_MAX),
        ("description", &topic.description, DESCRIPTION_CHARS_MAX),
    ] {
        if text.chars().count() > chars_max || text.contains('\0') {
            return Err(not_text(name, chars_max));
        }
    }
    // A slug becomes a file name, so it must look like one of ours.
    let slug = &topic.slug;
    let sound = slug
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        && slug.bytes().any(|byte| byte != b'-');
    if !sound {
        return Err(Problem::invalid(
            "the slug of a selected topic must consist of lower-case letters, digits and hyphens",
        ));
    }
    if topic
        .extra
        .values()
        .any(|value| depth(value) >= NESTING_MAX)
    {
        return Err(unlike());
    }
    Ok(())
}

fn unlike() -> Problem {
    Problem::invalid("each of selected_topics must be an object as detect-topics returns it")
}

fn not_text(name: &str, chars_max: usize) -> Problem {
    Problem::invalid(format!(
        "{name} of a selected topic must be text of at most {chars_max} characters"
    ))
}

fn topic(json: Json) -> Result<Topic, Problem> {
    if depth(&json) > NESTING_MAX {
        return Err(unlike());
    }
    let Json::Object(mut fields) = json else {
        return Err(unlike());
    };
    let name = text(&mut fields, "topicName", NAME_CHARS_MAX)?
        .ok_or_else(|| Problem::invalid("a selected topic has no topicName"))?;
    let slug = text(&mut fields, "slug", SLUG_CHARS_MAX)?
        .ok_or_else(|| Problem::invalid("a selected topic has no slug"))?;
    let description = text(&mut fields, "description", DESCRIPTION_CHARS_MAX)?.unwrap_or_default();
    let estimated_word_count = match fields.shift_remove("estimatedWordCount") {
        None | Some(Json::Null) => 0,
        Some(number) => whole(&number)
            .ok_or_else(|| Problem::invalid("estimatedWordCount must be a whole number"))?,
    };
    Ok(Topic {
        name,
        slug,
        description,
        estimated_word_count,
        extra: fields,
    })
}

/// A number without a fraction, also where a client writes `12.0`, as one does that knows no other numbers.
fn whole(number: &Json) -> Option<u64> {
    /// Beyond it not every whole number is one of these.
    const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
    number.as_u64().or_else(|| {
        let number = number.as_f64()?;
        (number.fract() == 0.0 && (0.0..=EXACT_MAX).contains(&number)).then_some(number as u64)
    })
}

fn text(
    fields: &mut Map<String, Json>,
    name: &str,
    chars_max: usize,
) -> Result<Option<String>, Problem> {
    match fields.shift_remove(name) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(text)) => Ok(Some(text)),
        Some(_) => Err(not_text(name, chars_max)),
    }
}

fn depth(json: &Json) -> usize {
    match json {
        Json::Array(elements) => 1 + elements.iter().map(depth).max().unwrap_or(0),
        Json::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(parts: &[&str]) -> Result<Vec<Topic>, Problem> {
        selected(
            parts
                .iter()
                .map(|part| Value::Text((*part).to_owned()))
                .collect(),
        )
    }

    #[test]
    fn an_array_in_one_part_and_an_object_in_each_part_say_the_same() {
        let [a, b] = [
            r#"{"topicName":"A","slug":"a"}"#,
            r#"{"topicName":"B","slug":"b"}"#,
        ];
        let one = read(&[&format!("[{a},{b}]")]).expect("topics");
        assert_eq!(one, read(&[a, b]).expect("topics"));
        assert_eq!(read(&[a]).expect("a topic").len(), 1);
    }

    #[test]
    fn a_whole_number_may_be_written_with_a_point() {
        let words = |count: &str| {
            let sent = format!(r#"{{"topicName":"A","slug":"a","estimatedWordCount":{count}}}"#);
            read(&[&sent]).map(|topics| topics[0].estimated_word_count)
        };
        for (count, expected) in [("12", 12), ("12.0", 12), ("1.2e1", 12), ("null", 0)] {
            assert_eq!(words(count).expect("a number"), expected, "{count}");
        }
        for bad in ["12.5", "-1", "-1.0", "1e300", "\"12\""] {
            assert!(words(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn further_fields_are_echoed_in_their_order() {
        let sent = r#"{"topicName":"A","slug":"a","description":"d","estimatedWordCount":7,"z":null,"b":[1]}"#;
        let topics = read(&[sent]).expect("a topic");
        assert_eq!(
            serde_json::to_string(&Shown(&topics[0])).expect("JSON"),
            sent
        );
    }

    #[test]
    fn what_is_no_selection_is_refused() {
        let many = format!(
            "[{}]",
            (0..21)
                .map(|n| format!(r#"{{"topicName":"A","slug":"a{n}"}}"#))
                .collect::<Vec<_>>()
                .join(",")
        );
        let deep = format!(
            r#"{{"topicName":"A","slug":"a","x":{}{}}}"#,
            "[".repeat(65),
            "]".repeat(65)
        );
        let deeper = "[".repeat(100_000);
        let long = format!(r#"{{"topicName":"{}","slug":"a"}}"#, "x".repeat(201));
        for bad in [
            "",
            "[]",
            "null",
            "7",
            "[7]",
            "{}",
            r#"[{"topicName":"A"}]"#,
            r#"[{"slug":"a"}]"#,
            r#"{"topicName":" ","slug":"a"}"#,
            r#"{"topicName":"A","slug":""}"#,
            r#"{"topicName":"A","slug":"../a"}"#,
            r#"{"topicName":"A","slug":"-"}"#,
            r#"{"topicName":1,"slug":"a"}"#,
            r#"{"topicName":"A","slug":"a","estimatedWordCount":-1}"#,
            r#"[{"topicName":"A","slug":"a"},{"topicName":"B","slug":"a"}]"#,
            &many,
            &deep,
            &deeper,
            &long,
        ] {
            assert!(
                read(&[bad]).is_err(),
                "{}",
                bad.chars().take(80).collect::<String>()
            );
        }
        assert!(read(&[]).is_err());
        assert!(
            read(&[
                r#"[{"topicName":"A","slug":"a"}]"#,
                r#"{"topicName":"B","slug":"b"}"#
            ])
            .is_err()
        );
    }
}
