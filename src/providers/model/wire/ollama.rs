//! Owns Ollama's own chat, since only there its context can be set: left alone it cuts a long question off without a word.

use crate::providers::model::trouble::Trouble;
use crate::providers::model::wire::demand::Demand;
use crate::providers::model::wire::parts::{choose, count, repeat, said};
use crate::providers::model::{ModelSettings, Question, Tokens};
use serde_json::{Map, Value, json};

/// The body of a question.
pub(super) fn body(settings: &ModelSettings, question: &Question, demand: Demand) -> Value {
    let mut options = Map::new();
    options.insert("num_ctx".to_owned(), settings.context_tokens.into());
    options.insert("num_predict".to_owned(), settings.answer_tokens_max.into());
    choose(settings, &mut options);
    repeat(settings, &mut options);
    let mut body = json!({
        "model": settings.name_for(question),
        "stream": false,
        "messages": [
            { "role": "system", "content": question.system },
            { "role": "user", "content": format!("{}\n\n{}", question.source, question.task) },
        ],
        "options": options,
    });
    let form = match (demand, &question.schema) {
        (Demand::Form, Some(schema)) => Some(schema.clone()),
        (Demand::Object, Some(_)) => Some("json".into()),
        _ => None,
    };
    if let (Some(form), Some(fields)) = (form, body.as_object_mut()) {
        fields.insert("format".to_owned(), form);
    }
    body
}

/// The text of an answer.
pub(super) fn answer(body: &Value) -> Result<String, Trouble> {
    said(body.pointer("/message/content"))
}

/// What was used.
pub(super) fn usage(body: &Value) -> Tokens {
    Tokens {
        input: count(body, "/prompt_eval_count"),
        cached: 0,
        output: count(body, "/eval_count"),
    }
}
