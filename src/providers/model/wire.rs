//! Owns the two protocols of models: how a question is written in each, and where in an answer its text stands.

use crate::providers::model::trouble::Trouble;
use crate::providers::model::{ModelSettings, Protocol, Question, Tokens};
use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::{Client, RequestBuilder};
use secrecy::ExposeSecret;
use serde_json::{Map, Value, json};

/// Where the providers themselves answer.
const OPENAI: &str = "https://api.openai.com/v1";
const ANTHROPIC: &str = "https://api.anthropic.com/v1";
/// The version of Anthropic's protocol that is spoken here.
const ANTHROPIC_VERSION: &str = "2023-06-01";

/// How much of what not every server knows is asked of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Demand {
    /// An answer of this very form.
    Form,
    /// An object, whatever is in it.
    Object,
    /// Words alone.
    Words,
}

impl Demand {
    /// The one that a server is left with after it refused so many.
    pub(super) const fn after(refused: u8) -> Self {
        match refused {
            0 => Self::Form,
            1 => Self::Object,
            _ => Self::Words,
        }
    }

    /// What a server that refuses this may know; none where there is nothing less. Whether it can be asked for any object depends on the
    /// protocol and the question.
    pub(super) const fn next(self, has_object: bool) -> Option<Self> {
        match self {
            Self::Form if has_object => Some(Self::Object),
            Self::Form | Self::Object => Some(Self::Words),
            Self::Words => None,
        }
    }
}

/// A question as a request. A demand for words leaves out what not every server knows: how the answer is chosen, its form, and its length
/// where that is no duty.
pub(super) fn request(
    client: &Client,
    settings: &ModelSettings,
    question: &Question,
    demand: Demand,
) -> RequestBuilder {
    let base = |own| match settings.base_url.as_str() {
        "" => own,
        set => set,
    };
    let mut headers = HeaderMap::new();
    let mut prove = |name: &'static str, start: &str| {
        let key = settings.key.as_ref().map(ExposeSecret::expose_secret);
        let value = key.and_then(|key| HeaderValue::from_str(&format!("{start}{key}")).ok());
        if let Some(mut value) = value {
            value.set_sensitive(true);
            headers.insert(name, value);
        }
    };
    let (address, body) = match settings.protocol {
        Protocol::OpenAi => {
            prove("authorization", "Bearer ");
            let address = base(OPENAI);
            let body = openai(settings, question, demand, address == OPENAI);
            (format!("{address}/chat/completions"), body)
        }
        Protocol::Anthropic => {
            prove("x-api-key", "");
            headers.insert(
                "anthropic-version",
                HeaderValue::from_static(ANTHROPIC_VERSION),
            );
            let body = anthropic(settings, question, demand);
            (format!("{}/messages", base(ANTHROPIC)), body)
        }
    };
    let mut body = body;
    if settings.name_for(question).is_empty()
        && let Some(fields) = body.as_object_mut()
    {
        // A server with one model of its own knows which.
        fields.remove("model");
    }
    client.post(address).headers(headers).json(&body)
}

fn openai(settings: &ModelSettings, question: &Question, demand: Demand, is_own: bool) -> Value {
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
        if let Some(seed) = settings.seed {
            fields.insert("seed".to_owned(), seed.into());
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

/// How freely words are chosen.
fn choose(settings: &ModelSettings, fields: &mut Map<String, Value>) {
    if let Some(temperature) = settings.temperature {
        fields.insert("temperature".to_owned(), temperature.into());
    }
}

fn anthropic(settings: &ModelSettings, question: &Question, demand: Demand) -> Value {
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
pub(super) fn answer(protocol: Protocol, body: &Value) -> Result<String, Trouble> {
    match protocol {
        Protocol::OpenAi => {
            let choice = body.pointer("/choices/0").ok_or(Trouble::Garbled)?;
            let message = choice.get("message").ok_or(Trouble::Garbled)?;
            ended(choice.get("finish_reason"))?;
            if message.get("refusal").is_some_and(Value::is_string) {
                return Err(Trouble::Declined);
            }
            said(message.get("content"))
        }
        Protocol::Anthropic => {
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
    }
}

/// Whether the model would not go on. What was cut off is an answer as far as it goes.
fn ended(reason: Option<&Value>) -> Result<(), Trouble> {
    match reason.and_then(Value::as_str).unwrap_or_default() {
        "content_filter" | "refusal" => Err(Trouble::Declined),
        _ => Ok(()),
    }
}

/// Text, alone or in parts.
fn said(content: Option<&Value>) -> Result<String, Trouble> {
    let text = match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts
            .iter()
            .filter_map(|part| part.get("text")?.as_str())
            .collect(),
        _ => String::new(),
    };
    if text.trim().is_empty() {
        return Err(Trouble::Garbled);
    }
    Ok(text)
}

/// What was used, as far as the server counts it.
pub(super) fn usage(protocol: Protocol, body: &Value) -> Tokens {
    let count = |path: &str| {
        let count = body.pointer(&format!("/usage/{path}"));
        count.and_then(Value::as_u64).unwrap_or(0)
    };
    match protocol {
        Protocol::OpenAi => Tokens {
            input: count("prompt_tokens"),
            cached: count("prompt_tokens_details/cached_tokens"),
            output: count("completion_tokens"),
        },
        Protocol::Anthropic => {
            let cached = count("cache_read_input_tokens");
            Tokens {
                input: count("input_tokens") + cached + count("cache_creation_input_tokens"),
                cached,
                output: count("output_tokens"),
            }
        }
    }
}
