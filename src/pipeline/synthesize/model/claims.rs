//! Owns the form of what a model says: statements with a use and the numbers of the parts that support them, read from an
//! answer that may be wrapped in anything.

use serde_json::{Value, json};

/// What a statement is good for in a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Use {
    /// Says what it is about.
    Overview,
    /// Says in which situation it helps.
    When,
    /// What must be there beforehand.
    Prerequisite,
    /// One step, in order.
    Step,
    /// What must or must not be done, and what surprises.
    Rule,
    /// A command or code to take over.
    Example,
    /// Options, settings, parameters.
    Setting,
    /// What a term means.
    Term,
    /// What can go wrong, and its remedy.
    Trouble,
    /// How to check a result.
    Verify,
    /// Anything else worth knowing.
    Point,
}

/// Every use, the word for it, and what it is told to mean.
pub(super) const USES: [(Use, &str, &str); 11] = [
    (
        Use::Overview,
        "overview",
        "what the subject is and what it is for; at most two",
    ),
    (
        Use::When,
        "when",
        "in which situation or for which task it is the right thing",
    ),
    (
        Use::Prerequisite,
        "prerequisite",
        "what must be installed, known or done beforehand",
    ),
    (
        Use::Step,
        "step",
        "one step of a procedure, in the imperative; name its code block too, if it has one",
    ),
    (
        Use::Rule,
        "rule",
        "what must, must not or should be done, a default, a surprise",
    ),
    (
        Use::Example,
        "example",
        "a code block to take over whole; the text says in one sentence what it does",
    ),
    (
        Use::Setting,
        "option",
        "options or settings; name their table or list to take it over whole",
    ),
    (Use::Term, "term", "what a term means"),
    (
        Use::Trouble,
        "trouble",
        "what can go wrong and what helps then",
    ),
    (Use::Verify, "verify", "how to check that it worked"),
    (
        Use::Point,
        "point",
        "anything else that whoever does this must know",
    ),
];

/// A statement as a model made it; nothing in it is believed yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Claim {
    /// What it is good for.
    pub(super) role: Use,
    /// One sentence; code between backticks.
    pub(super) text: String,
    /// The numbers of the parts that are said to support it.
    pub(super) spans: Vec<u64>,
}

/// The form of an answer with statements.
pub(super) fn schema() -> Value {
    let words: Vec<&str> = USES.iter().map(|(_, word, _)| *word).collect();
    let claim = json!({
        "type": "object",
        "properties": {
            "role": { "type": "string", "enum": words },
            "text": { "type": "string" },
            "spans": { "type": "array", "items": { "type": "integer" } },
        },
        "required": ["role", "text", "spans"],
        "additionalProperties": false,
    });
    json!({
        "type": "object",
        "properties": { "claims": { "type": "array", "items": claim } },
        "required": ["claims"],
        "additionalProperties": false,
    })
}

/// The statements of an answer; `None` when it is no answer to the question. A page of Markdown is one, but each line of it
/// is a statement that names no part.
pub(super) fn read(answer: &str) -> Option<Vec<Claim>> {
    let Some(object) = object(answer) else {
        return is_page(answer).then(|| lines(answer));
    };
    let claims = object.get("claims")?.as_array()?;
    let read = |claim: &Value| {
        let word = claim.get("role").and_then(Value::as_str).unwrap_or("point");
        let role = USES.iter().find(|(_, known, _)| *known == word);
        let spans = claim.get("spans").and_then(Value::as_array);
        Some(Claim {
            role: role.map_or(Use::Point, |(role, _, _)| *role),
            text: claim.get("text")?.as_str()?.to_owned(),
            spans: spans
                .into_iter()
                .flatten()
                .filter_map(Value::as_u64)
                .collect(),
        })
    };
    Some(claims.iter().filter_map(read).collect())
}

/// The JSON object of an answer, which may stand between other words.
pub(super) fn object(answer: &str) -> Option<Value> {
    let answer = answer.rsplit("</think>").next().unwrap_or(answer);
    let (start, end) = (answer.find('{')?, answer.rfind('}')?);
    let object: Value = serde_json::from_str(answer.get(start..=end)?).ok()?;
    object.is_object().then_some(object)
}

/// Whether an answer is a page of Markdown instead of what was asked for.
pub(super) fn is_page(answer: &str) -> bool {
    let is_heading = |line: &str| {
        let words = line.trim_start_matches('#');
        words.len() < line.len() && words.starts_with(' ') && words.trim().len() > 2
    };
    let answer = answer.trim_start();
    answer.starts_with("---\n") || answer.lines().any(is_heading)
}

fn lines(page: &str) -> Vec<Claim> {
    let lines = page.lines().map(str::trim);
    lines
        .filter(|line| line.contains(' ') && !line.starts_with('#'))
        .take(64)
        .map(|line| Claim {
            role: Use::Point,
            text: line.to_owned(),
            spans: Vec::new(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_read_from_whatever_they_are_wrapped_in() {
        let bare = r#"{"claims":[{"role":"step","text":"Close it.","spans":[3,4]}]}"#;
        let expected = vec![Claim {
            role: Use::Step,
            text: "Close it.".into(),
            spans: vec![3, 4],
        }];
        for answer in [
            bare.to_owned(),
            format!("```json\n{bare}\n```"),
            format!("<think>{{hm}}</think>Here you are: {bare} Enjoy!"),
        ] {
            assert_eq!(read(&answer), Some(expected.clone()), "{answer}");
        }
    }

    #[test]
    fn what_is_no_answer_is_told_from_an_empty_one() {
        assert_eq!(read(r#"{"claims":[]}"#), Some(vec![]));
        for answer in [
            "",
            "I am sorry.",
            "{",
            "{\"claims\": [",
            "{\"claims\": 3}",
            "{\"other\": []}",
            "[1]",
        ] {
            assert_eq!(read(answer), None, "{answer}");
        }
    }

    #[test]
    fn a_page_is_an_answer_that_names_no_part() {
        let page = "---\nname: x\n---\n\n# Kilns\n\nRun `rm -rf /` first.\n";
        let claims = read(page).unwrap();
        assert!(claims.iter().any(|claim| claim.text.contains("rm -rf")));
        assert!(claims.iter().all(|claim| claim.spans.is_empty()));
    }

    #[test]
    fn odd_members_are_left_out() {
        let answer =
            r#"{"claims":[{"role":"bard","text":"A b.","spans":[1,-2,"x",2.5]},{"text":7},null]}"#;
        let claims = read(answer).unwrap();
        assert_eq!(claims.len(), 1);
        assert_eq!((claims[0].role, &claims[0].spans), (Use::Point, &vec![1]));
    }
}
