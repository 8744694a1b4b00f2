//! Owns how spans are written for a collector: OTLP in its JSON form, which is stable and which every collector reads.

use crate::telemetry::traces::{Ended, Word};
use serde_json::{Value, json};

/// A batch of spans of a service as the body of one request; `node` tells its processes apart.
#[must_use]
pub fn body(spans: &[Ended], service: &str, node: &str) -> Value {
    let about_us = [
        ("service.name", service),
        ("service.version", env!("CARGO_PKG_VERSION")),
        ("service.instance.id", node),
    ];
    let about_us = about_us.map(|(key, value)| attribute(key, &Word::Text(value.to_owned())));
    json!({
        "resourceSpans": [{
            "resource": { "attributes": about_us },
            "scopeSpans": [{
                "scope": { "name": "skillkiln" },
                "spans": spans.iter().map(span).collect::<Vec<_>>(),
            }],
        }],
    })
}

/// The kinds of spans: something inside, and a request that was received.
const INTERNAL: u8 = 1;
const SERVER: u8 = 2;
/// The statuses: not said, and an error.
const UNSET: u8 = 0;
const ERROR: u8 = 2;

fn span(span: &Ended) -> Value {
    let attributes = span.says.iter().map(|(key, word)| attribute(key, word));
    let (kind, name) = match span.name {
        "request" => (SERVER, request_name(span)),
        name => (INTERNAL, name.to_owned()),
    };
    let mut written = json!({
        "traceId": format!("{:032x}", span.trace_id),
        "spanId": format!("{:016x}", span.span_id),
        "name": name,
        "kind": kind,
        // 64-bit numbers are text in the JSON form of protocol buffers.
        "startTimeUnixNano": span.begun_unix_ns.to_string(),
        "endTimeUnixNano": span.ended_unix_ns.to_string(),
        "attributes": attributes.collect::<Vec<_>>(),
        "status": { "code": if is_error(span) { ERROR } else { UNSET } },
    });
    if let (Some(parent_id), Some(fields)) = (span.parent_id, written.as_object_mut()) {
        fields.insert(
            "parentSpanId".to_owned(),
            format!("{parent_id:016x}").into(),
        );
    }
    written
}

/// What a request is called among others: its method and its route, whose parts that differ have no values.
fn request_name(span: &Ended) -> String {
    let word = |wanted: &str| {
        let said = span.says.iter().find(|(key, _)| *key == wanted);
        said.and_then(|(_, word)| match word {
            Word::Text(text) => Some(text.as_str()),
            Word::Number(_) => None,
        })
    };
    let parts = [word("http.request.method"), word("http.route")];
    let name = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    match name.is_empty() {
        true => span.name.to_owned(),
        false => name,
    }
}

/// Whether a span ended badly: a stage or a run that failed, an answer that is a fault of ours.
fn is_error(span: &Ended) -> bool {
    span.says.iter().any(|(key, word)| match word {
        Word::Text(outcome) => {
            *key == "outcome" && !["completed", "passed", "halted"].contains(&outcome.as_str())
        }
        Word::Number(status) => *key == "http.response.status_code" && *status >= 500,
    })
}

fn attribute(key: &str, word: &Word) -> Value {
    match word {
        Word::Text(text) => json!({ "key": key, "value": { "stringValue": text } }),
        Word::Number(number) => json!({ "key": key, "value": { "intValue": number.to_string() } }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_written_as_collectors_read_it() {
        let ended = Ended {
            trace_id: 0xa,
            span_id: 0xb,
            parent_id: Some(0xc),
            name: "stage",
            begun_unix_ns: 1,
            ended_unix_ns: 2,
            says: vec![
                ("stage", Word::Text("extracting".into())),
                ("words", Word::Number(7)),
                ("outcome", Word::Text("unreadable".into())),
            ],
        };
        let body = body(std::slice::from_ref(&ended), "kiln", "n1");
        let scope = &body["resourceSpans"][0]["scopeSpans"][0];
        assert_eq!(
            scope["spans"][0],
            json!({
                "traceId": "0000000000000000000000000000000a",
                "spanId": "000000000000000b",
                "parentSpanId": "000000000000000c",
                "name": "stage",
                "kind": 1,
                "startTimeUnixNano": "1",
                "endTimeUnixNano": "2",
                "attributes": [
                    { "key": "stage", "value": { "stringValue": "extracting" } },
                    { "key": "words", "value": { "intValue": "7" } },
                    { "key": "outcome", "value": { "stringValue": "unreadable" } },
                ],
                "status": { "code": 2 },
            })
        );
        let says = &body["resourceSpans"][0]["resource"]["attributes"];
        assert_eq!(says[0]["value"]["stringValue"], "kiln");
        assert_eq!(says[2]["value"]["stringValue"], "n1");
        let request = Ended {
            name: "request",
            says: vec![
                ("http.request.method", Word::Text("GET".into())),
                ("http.route", Word::Text("/api/skills/{id}".into())),
            ],
            ..ended.clone()
        };
        assert_eq!(span(&request)["name"], "GET /api/skills/{id}");
        assert_eq!(span(&request)["kind"], 2);
        let good = Ended {
            parent_id: None,
            says: vec![("outcome", Word::Text("passed".into()))],
            ..ended
        };
        assert_eq!(span(&good)["status"]["code"], 0);
        assert!(span(&good).get("parentSpanId").is_none());
    }
}
