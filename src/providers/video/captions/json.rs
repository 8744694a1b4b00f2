//! Owns captions that are written as JSON: the provider's json3.

use super::{Cue, Line, SEGMENTS_MAX, plausible};
use serde_json::Value;

/// Reads captions from JSON. `None` when it holds none.
pub(super) fn read(document: &Value) -> Option<Vec<Cue>> {
    json3(document)
}

/// Events, each with its words; those that only move a line up are appended to another.
fn json3(document: &Value) -> Option<Vec<Cue>> {
    let events = document.get("events")?.as_array()?;
    let cues = events
        .iter()
        .take(SEGMENTS_MAX)
        .filter(|event| event.get("aAppend").is_none())
        .filter_map(|event| {
            let start_s = milliseconds(event.get("tStartMs")?)?;
            let length_s = event
                .get("dDurationMs")
                .and_then(milliseconds)
                .unwrap_or(0.0);
            let words = event.get("segs")?.as_array()?.iter().filter_map(|seg| {
                let word = seg.get("utf8").and_then(Value::as_str)?;
                let offset_s = seg.get("tOffsetMs").and_then(milliseconds);
                Some((offset_s, word.to_owned()))
            });
            Some(Cue {
                start_s,
                end_s: start_s + length_s,
                lines: vec![Line {
                    words: words.collect(),
                }],
            })
        });
    Some(cues.collect())
}

/// Milliseconds, as a number or as text.
fn milliseconds(value: &Value) -> Option<f64> {
    let ms = match value {
        Value::String(text) => text.trim().parse().ok()?,
        other => other.as_f64()?,
    };
    plausible(ms / 1_000.0)
}
