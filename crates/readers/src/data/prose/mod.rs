//! Reads long data that is mostly running text, such as speeches, articles and answers, as the document that it holds.
//!
//! ```text
//! JSON, YAML ──▶ records ──┐
//! XML ─────────▶ elements ─┴─▶ writer ──▶ Document      running: what running text is
//! ```
//!
//! Invariant: data of which less than half the letters stand in running text is none of these, and is read as before.

mod elements;
mod records;
mod running;
mod writer;

use crate::data::yaml;
use serde_json::{Deserializer, Value};
use skillkiln_document::blocks::Document;

/// The document that `text` holds, whose `value` is known where it is JSON; `None` where it is no running text.
pub(crate) fn read(text: &str, language: &str, value: Option<&Value>) -> Option<Document> {
    match (language, value) {
        ("xml", _) => elements::read(text),
        ("json", Some(value)) => records::read(value),
        ("json", None) => records::read(&lines_of(text)?),
        ("yaml", _) if running::may_be(text) => records::read(&yaml::read(text)?),
        _ => None,
    }
}

/// The values of a file that has one on each line.
fn lines_of(text: &str) -> Option<Value> {
    let values: Result<Vec<Value>, _> = Deserializer::from_str(text).into_iter().collect();
    values.ok().map(Value::Array)
}
