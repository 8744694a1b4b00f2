//! Owns how a question goes out in each protocol, where its answer's text stands, and what was used: a file a protocol.

pub(super) mod demand;

mod anthropic;
mod gemini;
mod ollama;
mod openai;
mod parts;

use crate::providers::model::trouble::Trouble;
use crate::providers::model::wire::demand::Demand;
use crate::providers::model::{ModelSettings, Protocol, Question, Tokens};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, RequestBuilder};
use secrecy::ExposeSecret;
use serde_json::Value;

/// Where the providers themselves answer; Ollama, on this machine.
const OPENAI: &str = "https://api.openai.com/v1";
const ANTHROPIC: &str = "https://api.anthropic.com/v1";
const GEMINI: &str = "https://generativelanguage.googleapis.com/v1beta";
const OLLAMA: &str = "http://127.0.0.1:11434";
/// The version of Anthropic's protocol that is spoken here.
const ANTHROPIC_VERSION: &str = "2023-06-01";

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
    let name = settings.name_for(question);
    let mut headers = HeaderMap::new();
    let mut prove = |name: &'static str, start: &str| {
        let key = settings.key.as_ref().map(ExposeSecret::expose_secret);
        let value = key.and_then(|key| HeaderValue::from_str(&format!("{start}{key}")).ok());
        if let Some(mut value) = value {
            value.set_sensitive(true);
            headers.insert(name, value);
        }
    };
    let (address, mut body) = match settings.protocol {
        Protocol::OpenAi => {
            prove("authorization", "Bearer ");
            let address = base(OPENAI);
            let body = openai::body(settings, question, demand, address == OPENAI);
            (format!("{address}/chat/completions"), body)
        }
        Protocol::Azure => {
            prove("api-key", "");
            let address = format!(
                "{}/openai/deployments/{name}/chat/completions?api-version={}",
                settings.base_url, settings.api_version
            );
            (address, openai::body(settings, question, demand, true))
        }
        Protocol::Anthropic => {
            prove("x-api-key", "");
            headers.insert(
                "anthropic-version",
                HeaderValue::from_static(ANTHROPIC_VERSION),
            );
            let body = anthropic::body(settings, question, demand);
            (format!("{}/messages", base(ANTHROPIC)), body)
        }
        Protocol::Gemini => {
            prove("x-goog-api-key", "");
            let body = gemini::body(settings, question, demand);
            let address = format!("{}/models/{name}:generateContent", base(GEMINI));
            (address, body)
        }
        Protocol::Ollama => {
            prove("authorization", "Bearer ");
            let body = ollama::body(settings, question, demand);
            (format!("{}/api/chat", base(OLLAMA)), body)
        }
    };
    if name.is_empty()
        && let Some(fields) = body.as_object_mut()
    {
        // A server with one model of its own knows which.
        fields.remove("model");
    }
    for (name, value) in &settings.headers {
        let name = HeaderName::from_bytes(name.as_bytes());
        if let (Ok(name), Ok(mut value)) = (name, HeaderValue::from_str(value)) {
            value.set_sensitive(true);
            headers.insert(name, value);
        }
    }
    client.post(address).headers(headers).json(&body)
}

/// The text of an answer.
pub(super) fn answer(protocol: Protocol, body: &Value) -> Result<String, Trouble> {
    match protocol {
        Protocol::OpenAi | Protocol::Azure => openai::answer(body),
        Protocol::Anthropic => anthropic::answer(body),
        Protocol::Gemini => gemini::answer(body),
        Protocol::Ollama => ollama::answer(body),
    }
}

/// What was used, as far as the server counts it.
pub(super) fn usage(protocol: Protocol, body: &Value) -> Tokens {
    match protocol {
        Protocol::OpenAi | Protocol::Azure => openai::usage(body),
        Protocol::Anthropic => anthropic::usage(body),
        Protocol::Gemini => gemini::usage(body),
        Protocol::Ollama => ollama::usage(body),
    }
}
