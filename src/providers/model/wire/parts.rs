//! Owns what the protocols share: how freely words are chosen, whether a model would not go on, text alone or in parts, counts.

use crate::providers::model::ModelSettings;
use crate::providers::model::trouble::Trouble;
use serde_json::{Map, Value};

/// How freely words are chosen.
pub(super) fn choose(settings: &ModelSettings, fields: &mut Map<String, Value>) {
    if let Some(temperature) = settings.temperature {
        fields.insert("temperature".to_owned(), temperature.into());
    }
}

/// A number that makes answers alike.
pub(super) fn repeat(settings: &ModelSettings, fields: &mut Map<String, Value>) {
    if let Some(seed) = settings.seed {
        fields.insert("seed".to_owned(), seed.into());
    }
}

/// Whether the model would not go on. What was cut off is an answer as far as it goes.
pub(super) fn ended(reason: Option<&Value>) -> Result<(), Trouble> {
    const DECLINED: [&str; 8] = [
        "content_filter",
        "refusal",
        "SAFETY",
        "RECITATION",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "LANGUAGE",
    ];
    match reason.and_then(Value::as_str) {
        Some(reason) if DECLINED.contains(&reason) => Err(Trouble::Declined),
        _ => Ok(()),
    }
}

/// Text, alone or in parts.
pub(super) fn said(content: Option<&Value>) -> Result<String, Trouble> {
    let text = match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts
            .iter()
            .filter(|part| part.get("thought") != Some(&Value::Bool(true)))
            .filter_map(|part| part.get("text")?.as_str())
            .collect(),
        _ => String::new(),
    };
    if text.trim().is_empty() {
        return Err(Trouble::Garbled);
    }
    Ok(text)
}

/// A number of tokens as the server counts them; 0 where it does not.
pub(super) fn count(body: &Value, path: &str) -> u64 {
    body.pointer(path).and_then(Value::as_u64).unwrap_or(0)
}
