//! Owns OpenAI's chat completions, which most servers speak, Azure's among them.

use crate::providers::model::trouble::Trouble;
use crate::providers::model::wire::demand::Demand;
use crate::providers::model::wire::parts::{choose, count, ended, repeat, said};
use crate::providers::model::{ModelSettings, Question, Tokens};
use serde_json::{Value, json};

/// The body of a question. The provider's own servers count an answer's length under another name than those that speak like them.
pub(super) fn body(
    settings: &ModelSettings,
    question: &Question,
    demand: Demand,
    is_own: bool,
) -> Value {
    let mut body = json!({
        "model": settings.name_for(question),
        "messages": [
            { "role": "system", "content": question.system },
            { "role": "user", "content": format!("{}\n\n{}", question.source, question.task) },
        ],
    });
    if demand != Demand::Words
        && let Some(fields) = body.as_object_mut()
    {
        let length = if is_own {
            "max_completion_tokens"
        } else {
            "max_tokens"
        };
        fields.insert(length.to_owned(), settings.answer_tokens_max.into());
        choose(settings, fields);
        repeat(settings, fields);
        if !settings.reasoning_effort.is_empty() {
            fields.insert(
                "reasoning_effort".to_owned(),
                settings.reasoning_effort.as_str().into(),
            );
        }
        if let Some(schema) = &question.schema {
            let form = json!({ "name": question.form, "strict": true, "schema": schema });
            let form = match demand {
                Demand::Form => json!({ "type": "json_schema", "json_schema": form }),
                _ => json!({ "type": "json_object" }),
            };
            fields.insert("response_format".to_owned(), form);
        }
    }
    body
}

/// The text of an answer.
pub(super) fn answer(body: &Value) -> Result<String, Trouble> {
    let choice = body.pointer("/choices/0").ok_or(Trouble::Garbled)?;
    let message = choice.get("message").ok_or(Trouble::Garbled)?;
    ended(choice.get("finish_reason"))?;
    if message.get("refusal").is_some_and(Value::is_string) {
        return Err(Trouble::Declined);
    }
    said(message.get("content"))
}

/// What was used.
pub(super) fn usage(body: &Value) -> Tokens {
    Tokens {
        input: count(body, "/usage/prompt_tokens"),
        cached: count(body, "/usage/prompt_tokens_details/cached_tokens"),
        output: count(body, "/usage/completion_tokens"),
    }
}
