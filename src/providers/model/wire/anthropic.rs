//! Owns Anthropic's messages: the form of an answer is that of a tool which is to be called.

use crate::providers::model::trouble::Trouble;
use crate::providers::model::wire::demand::Demand;
use crate::providers::model::wire::parts::{choose, count, ended, said};
use crate::providers::model::{ModelSettings, Question, Tokens};
use serde_json::{Value, json};

/// The body of a question.
pub(super) fn body(settings: &ModelSettings, question: &Question, demand: Demand) -> Value {
    let mut body = json!({
        "model": settings.name_for(question),
        "max_tokens": settings.answer_tokens_max,
        "system": question.system,
        "messages": [{ "role": "user", "content": [
            { "type": "text", "text": question.source, "cache_control": { "type": "ephemeral" } },
            { "type": "text", "text": question.task },
        ] }],
    });
    if demand != Demand::Words
        && let Some(fields) = body.as_object_mut()
    {
        choose(settings, fields);
        let Some(schema) = &question.schema else {
            return body;
        };
        let tool = json!({
            "name": question.form,
            "description": "Takes the answer.",
            "input_schema": schema,
        });
        fields.insert("tools".to_owned(), json!([tool]));
        fields.insert(
            "tool_choice".to_owned(),
            json!({ "type": "tool", "name": question.form }),
        );
    }
    body
}

/// The text of an answer.
pub(super) fn answer(body: &Value) -> Result<String, Trouble> {
    ended(body.get("stop_reason"))?;
    let parts = body.get("content").and_then(Value::as_array);
    let parts = parts.ok_or(Trouble::Garbled)?;
    let given = parts
        .iter()
        .filter(|part| part.get("type").is_some_and(|kind| kind == "tool_use"))
        .find_map(|part| part.get("input"));
    match given {
        Some(input) => Ok(input.to_string()),
        None => said(body.get("content")),
    }
}

/// What was used.
pub(super) fn usage(body: &Value) -> Tokens {
    let cached = count(body, "/usage/cache_read_input_tokens");
    let written = count(body, "/usage/cache_creation_input_tokens");
    Tokens {
        input: count(body, "/usage/input_tokens") + cached + written,
        cached,
        output: count(body, "/usage/output_tokens"),
    }
}
