//! Owns what a model is asked: one text a step, kept as a file with a version, the source before the task, and the fence around the
//! words of strangers.
//!
//! The fence is one for a whole run and drawn by whoever starts it, from random numbers: a source cannot know the line that ends it. What
//! stays the same stands first, so that a provider need not read it again for the next question.

use crate::json;
use serde_json::{Value, json};

/// What a question is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// A name and a description before anything is made.
    Prefill,
    /// The plan.
    Brief,
    /// The facts of a part of a long source.
    Notes,
    /// The text.
    Write,
    /// Whether claims are true.
    Judge,
    /// What was refused, mended.
    Repair,
    /// What no line names.
    Cover,
    /// The whole.
    Review,
}

impl Step {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Prefill,
        Self::Brief,
        Self::Notes,
        Self::Write,
        Self::Judge,
        Self::Repair,
        Self::Cover,
        Self::Review,
    ];

    /// Its word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Prefill => "prefill",
            Self::Brief => "brief",
            Self::Notes => "notes",
            Self::Write => "write",
            Self::Judge => "judge",
            Self::Repair => "repair",
            Self::Cover => "cover",
            Self::Review => "review",
        }
    }

    const fn file(self) -> &'static str {
        match self {
            Self::Prefill => include_str!("../prompts/prefill.md"),
            Self::Brief => include_str!("../prompts/brief.md"),
            Self::Notes => include_str!("../prompts/notes.md"),
            Self::Write => include_str!("../prompts/write.md"),
            Self::Judge => include_str!("../prompts/judge.md"),
            Self::Repair => include_str!("../prompts/repair.md"),
            Self::Cover => include_str!("../prompts/cover.md"),
            Self::Review => include_str!("../prompts/review.md"),
        }
    }

    const fn system(self) -> &'static str {
        match self {
            Self::Judge => include_str!("../prompts/judge_system.md"),
            _ => include_str!("../prompts/system.md"),
        }
    }

    /// The member that an answer has at least; none where it is Markdown.
    const fn member(self) -> Option<&'static str> {
        match self {
            Self::Prefill => Some("description"),
            Self::Brief => Some("tasks"),
            Self::Notes => Some("facts"),
            Self::Write => None,
            Self::Judge => Some("verdicts"),
            Self::Repair | Self::Cover => Some("lines"),
            Self::Review => Some("edits"),
        }
    }
}

/// A question to a model.
#[derive(Debug, Clone)]
pub struct Question {
    /// What it is for.
    pub step: Step,
    /// Who the model is and what it must not do, the same for all questions of a run.
    pub system: String,
    /// The fenced source.
    pub source: String,
    /// What is to be done with it.
    pub task: String,
    /// The form of the answer, a JSON schema of an object; none where it is Markdown.
    pub schema: Option<Value>,
    /// What makes two questions the same although their fences differ.
    pub sameness: String,
}

impl Question {
    /// A question about a part of the source, fenced by `fence`. `words` fill the places of the step's text.
    #[must_use]
    pub fn new(step: Step, fence: &str, listing: &str, words: &[(&str, &str)]) -> Self {
        let (version, task) = versioned(step.file());
        let (own, system) = versioned(step.system());
        let task = fill(task, words);
        Self {
            step,
            system: fill(system, &[("fence", fence)]),
            source: format!("{fence}\n{}\n{fence}", listing.trim_end()),
            sameness: format!("{} {own}.{version}\n{listing}\n{task}", step.as_str()),
            task,
            schema: schema(step),
        }
    }

    /// Whether an answer can be read at all; what cannot is asked again.
    #[must_use]
    pub fn accepts(&self, answer: &str) -> bool {
        let Some(member) = self.step.member() else {
            // What cites nothing is a refusal, or a page of the model's own.
            return answer.contains("[[");
        };
        json::object(answer).is_some_and(|object| object.get(member).is_some())
    }
}

/// The version of a file and its text.
fn versioned(file: &'static str) -> (&'static str, &'static str) {
    let (first, rest) = file.split_once('\n').unwrap_or(("", file));
    (first.strip_prefix("version ").unwrap_or(first), rest.trim())
}

/// Fills `%name%` in one pass, so that no word that is filled in is taken for a place.
fn fill(text: &str, words: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(text.len());
    for (number, piece) in text.split('%').enumerate() {
        match words
            .iter()
            .find(|(name, _)| number % 2 == 1 && *name == piece)
        {
            Some((_, word)) => out.push_str(word),
            None if number % 2 == 1 => out.push_str(&format!("%{piece}%")),
            None => out.push_str(piece),
        }
    }
    out
}

fn schema(step: Step) -> Option<Value> {
    let text = json!({"type": "string"});
    let texts = json!({"type": "array", "items": text});
    let of = |members: &[(&str, Value)]| {
        let properties: serde_json::Map<String, Value> = members
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect();
        let required: Vec<&str> = members.iter().map(|(name, _)| *name).collect();
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
    };
    let many = |items: Value| json!({"type": "array", "items": items});
    let number = json!({"type": "integer"});
    let t = || text.clone();
    Some(match step {
        Step::Write => return None,
        Step::Prefill => of(&[
            ("title", t()),
            ("name", t()),
            ("description", t()),
            ("category", t()),
        ]),
        Step::Brief => {
            let task = of(&[("do", t()), ("steps", texts.clone()), ("units", t())]);
            let point = of(&[("text", t()), ("units", t())]);
            of(&[
                ("title", t()),
                ("name", t()),
                ("description", t()),
                ("tasks", many(task)),
                ("decisions", many(point.clone())),
                ("failures", many(point)),
                ("gaps", texts.clone()),
                ("leave_out", texts),
                ("sections", many(number)),
            ])
        }
        Step::Notes => of(&[("facts", many(of(&[("text", t()), ("units", t())])))]),
        Step::Judge => {
            let verdicts = [
                "supported",
                "follows",
                "partly",
                "contradicted",
                "not there",
                "order",
            ];
            let verdict = json!({"type": "string", "enum": verdicts});
            let one = of(&[
                ("id", number),
                ("ask", t()),
                ("verdict", verdict),
                ("unit", t()),
                ("quote", t()),
                ("lost", t()),
            ]);
            of(&[("verdicts", many(one))])
        }
        Step::Repair => of(&[("lines", many(of(&[("id", number), ("line", t())])))]),
        Step::Cover => {
            let one = of(&[
                ("units", t()),
                ("section", t()),
                ("line", t()),
                ("why", t()),
            ]);
            of(&[("lines", many(one))])
        }
        Step::Review => {
            let how = json!({"type": "string", "enum": ["replace", "add", "remove"]});
            let edit = of(&[("line", number), ("how", how), ("text", t())]);
            of(&[
                ("edits", many(edit)),
                ("descriptions", texts),
                ("title", t()),
            ])
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_a_version_and_places_that_are_filled() {
        for step in Step::ALL {
            let (version, text) = versioned(step.file());
            assert!(
                version.parse::<u32>().is_ok() && text.len() > 100,
                "{}",
                step.as_str()
            );
            assert!(!step.system().contains("%%") && step.system().contains("%fence%"));
        }
    }

    #[test]
    fn the_source_stands_between_the_fence_and_before_the_task() {
        let question = Question::new(
            Step::Cover,
            "F-1",
            "[1] # %units% F",
            &[("units", "%sections%"), ("sections", "S"), ("lines", "3")],
        );
        assert_eq!(question.source, "F-1\n[1] # %units% F\nF-1");
        assert!(question.system.contains("F-1") && !question.task.contains("F-1"));
        assert!(
            question.task.contains("%sections%"),
            "what is filled in is no place"
        );
        let other = Question::new(
            Step::Cover,
            "F-2",
            "[1] # %units% F",
            &[("units", "%sections%"), ("sections", "S"), ("lines", "3")],
        );
        assert_eq!(question.sameness, other.sameness);
    }

    #[test]
    fn answers_of_another_kind_are_not_accepted() {
        let question = |step| Question::new(step, "F", "", &[]);
        assert!(question(Step::Write).accepts("A [[1]]"));
        assert!(!question(Step::Write).accepts("I am sorry."));
        assert!(question(Step::Judge).accepts("{\"verdicts\": [{\"id\": 1}"));
        assert!(!question(Step::Judge).accepts("{\"claims\": []}"));
        assert!(!question(Step::Brief).accepts("# A page"));
    }
}
