//! Owns Gemini's `generateContent`, as Google's API for developers and its cloud speak it.

use crate::providers::model::trouble::Trouble;
use crate::providers::model::wire::demand::Demand;
use crate::providers::model::wire::parts::{choose, count, ended, repeat, said};
use crate::providers::model::{ModelSettings, Question, Tokens};
use serde_json::{Map, Value, json};

/// The body of a question; the model stands in the address.
pub(super) fn body(settings: &ModelSettings, question: &Question, demand: Demand) -> Value {
    let mut config = Map::new();
    if demand != Demand::Words {
        config.insert(
            "maxOutputTokens".to_owned(),
            settings.answer_tokens_max.into(),
        );
        choose(settings, &mut config);
        repeat(settings, &mut config);
        if let Some(schema) = &question.schema {
            config.insert("responseMimeType".to_owned(), "application/json".into());
            if demand == Demand::Form {
                config.insert("responseJsonSchema".to_owned(), schema.clone());
            }
        }
    }
    json!({
        "systemInstruction": { "parts": [{ "text": question.system }] },
        "contents": [{ "role": "user", "parts": [
            { "text": question.source },
            { "text": question.task },
        ] }],
        "generationConfig": config,
    })
}

/// The text of an answer.
pub(super) fn answer(body: &Value) -> Result<String, Trouble> {
    if body.pointer("/promptFeedback/blockReason").is_some() {
        return Err(Trouble::Declined);
    }
    let candidate = body.pointer("/candidates/0").ok_or(Trouble::Garbled)?;
    ended(candidate.get("finishReason"))?;
    said(candidate.pointer("/content/parts"))
}

/// What was used; what the model thought counts as written.
pub(super) fn usage(body: &Value) -> Tokens {
    let thought = count(body, "/usageMetadata/thoughtsTokenCount");
    Tokens {
        input: count(body, "/usageMetadata/promptTokenCount"),
        cached: count(body, "/usageMetadata/cachedContentTokenCount"),
        output: count(body, "/usageMetadata/candidatesTokenCount") + thought,
    }
}
