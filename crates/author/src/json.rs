//! Owns the JSON in a model's answer, which may stand between other words and be cut off: it is read as far as it goes.

use serde_json::Value;

/// Longest answer that is read.
const BYTES_MAX: usize = 1 << 20;
/// Deepest nesting that is read.
const DEPTH_MAX: usize = 64;

/// The object in an answer; of one that was cut off, what is whole of it.
#[must_use]
pub fn object(answer: &str) -> Option<Value> {
    let answer = head(answer);
    let answer = answer.rsplit("</think>").next().unwrap_or(answer);
    let mut at = 0;
    // Words before the answer may hold a bracket of their own.
    for _ in 0..8 {
        let start = at + answer.get(at..)?.find('{')?;
        if let Some(value) = read(answer.get(start..)?)
            .filter(|value| value.as_object().is_some_and(|object| !object.is_empty()))
        {
            return Some(value);
        }
        at = start + 1;
    }
    None
}

/// The first bytes of an answer, cut between characters.
#[must_use]
pub fn head(answer: &str) -> &str {
    let mut end = answer.len().min(BYTES_MAX);
    while !answer.is_char_boundary(end) {
        end -= 1;
    }
    answer.get(..end).unwrap_or_default()
}

/// Reads the object at the beginning of a text. What is open at its end is closed behind the last part that is whole.
fn read(text: &str) -> Option<Value> {
    let mut out = String::with_capacity(text.len());
    let mut open: Vec<char> = Vec::new();
    // How much of `out` is whole, and what was open there.
    let mut whole: (usize, Vec<char>) = (0, Vec::new());
    let (mut in_string, mut is_escaped) = (false, false);
    for c in text.chars() {
        if in_string {
            match c {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                '"' => in_string = false,
                '\n' => {
                    out.push_str("\\n");
                    continue;
                }
                '\t' => {
                    out.push_str("\\t");
                    continue;
                }
                c if c.is_control() => continue,
                _ => {}
            }
            out.push(c);
            continue;
        }
        match c {
            '"' => in_string = true,
            '{' | '[' if open.len() >= DEPTH_MAX => return None,
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' => {
                drop_comma(&mut out);
                if open.pop() != Some(c) {
                    return None;
                }
                out.push(c);
                if open.is_empty() {
                    return serde_json::from_str(&out).ok();
                }
                whole = (out.len(), open.clone());
                continue;
            }
            ',' => whole = (out.len(), open.clone()),
            _ => {}
        }
        out.push(c);
    }
    out.truncate(whole.0);
    whole.1.iter().rev().for_each(|close| out.push(*close));
    serde_json::from_str(&out).ok()
}

/// Takes back a comma before a bracket that closes.
fn drop_comma(out: &mut String) {
    let rest = out.trim_end();
    if rest.ends_with(',') {
        out.truncate(rest.len() - 1);
    }
}

/// The text of a member; empty where there is none.
#[must_use]
pub fn text(value: &Value, name: &str) -> String {
    value
        .get(name)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .trim()
        .to_owned()
}

/// The elements of a member; none where there is none.
#[must_use]
pub fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value
        .get(name)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// The units that a member names, which may be numbers, texts, or one text.
#[must_use]
pub fn cite(value: &Value, name: &str) -> crate::marks::Cite {
    let told = match value.get(name) {
        Some(Value::Array(all)) => all.iter().map(plain).collect::<Vec<_>>().join(","),
        Some(one) => plain(one),
        None => String::new(),
    };
    crate::marks::cite(&told).unwrap_or_default()
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim_matches(['[', ']']).to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_object_is_found_in_whatever_it_is_wrapped_in() {
        let expected = json!({"a": [1, 2]});
        for answer in [
            "{\"a\":[1,2]}",
            "```json\n{\"a\":[1,2]}\n```",
            "<think>{hm}</think>Here: {\"a\":[1,2,],} enjoy {this}",
            "A {b} then {\"a\":[1,2]}",
        ] {
            assert_eq!(object(answer), Some(expected.clone()), "{answer}");
        }
    }

    #[test]
    fn a_cut_answer_is_read_as_far_as_it_goes() {
        let whole =
            "{\"verdicts\":[{\"id\":1,\"quote\":\"a, b\"},{\"id\":2,\"quote\":\"c\"}],\"more\":3}";
        for length in 0..whole.len() {
            let _ = object(&whole[..length]);
        }
        let cut = "{\"verdicts\":[{\"id\":1,\"quote\":\"a\\\" b\"},{\"id\":2,\"qu";
        assert_eq!(
            object(cut),
            Some(json!({"verdicts": [{"id": 1, "quote": "a\" b"}, {"id": 2}]}))
        );
        assert_eq!(object("{\"a\": \"one\ntwo"), None);
        assert_eq!(
            object("{\"a\": \"one\ntwo\"}"),
            Some(json!({"a": "one\ntwo"}))
        );
    }

    #[test]
    fn what_is_no_object_is_none() {
        for answer in ["", "no", "{", "{}", "[1]", "}{", "{\"a\": }"] {
            assert_eq!(object(answer), None, "{answer}");
        }
        assert_eq!(object(&"{\"a\":[".repeat(10_000)), None);
        let long = "窯".repeat(BYTES_MAX);
        assert!(head(&long).len() <= BYTES_MAX && object(&long).is_none());
    }

    #[test]
    fn units_are_named_in_several_ways() {
        let value = json!({"a": [3, "4.2", "[[5]]"], "b": "~7,8", "c": 9});
        let told = |name| {
            let ids = cite(&value, name).ids;
            ids.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(told("a"), ["3", "4.2", "5"]);
        assert_eq!(told("b"), ["7", "8"]);
        assert_eq!(told("c"), ["9"]);
        assert!(told("d").is_empty());
    }
}
