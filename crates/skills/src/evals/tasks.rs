//! Owns the tasks that a skill is tried with, `evals/evals.json`: five whose answers stand in the source.

use crate::evals::needs::{Answered, Need, Needs};
use serde::Serialize;

/// Tasks of a skill.
const TASKS: usize = 5;
/// Most lines and longest line of an answer that are expected to the letter.
const LINES_MAX: usize = 3;
const LINE_CHARS_MAX: usize = 160;

/// The tasks of a skill, in the members of `evals/evals.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EvalSet {
    /// The name in its header.
    pub skill_name: String,
    /// The tasks.
    pub evals: Vec<Eval>,
}

/// One task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Eval {
    /// Its number, from 1.
    pub id: usize,
    /// What is asked.
    pub prompt: String,
    /// What answers it, and where that stands in the source.
    pub expected_output: String,
    /// Files that it needs: none.
    pub files: Vec<String>,
    /// What can be checked in the answer.
    pub expectations: Vec<String>,
}

/// Tasks for a skill of this name.
///
/// ```
/// use skillkiln_document::blocks::{Block, BlockKind, Document, Span};
/// use skillkiln_document::text::Inline;
/// use skillkiln_skills::evals::{needs::needs, tasks::tasks};
/// let said = Inline::Text("If the kiln of clay is cold, wait for one hour.".into());
/// let blocks = vec![Block { kind: BlockKind::Paragraph(vec![said]), span: Span::default() }];
/// let document = Document { blocks, ..Document::default() };
/// let set = tasks(&needs(&document, "kiln.md"), "firing-kilns");
/// assert!(set.evals[0].prompt.contains("the kiln of clay is cold"));
/// assert!(set.evals[0].expectations[0].contains("wait for one hour"));
/// ```
#[must_use]
pub fn tasks(needs: &Needs, skill_name: &str) -> EvalSet {
    let chosen = needs.all.iter().take(TASKS);
    let evals = (1..).zip(chosen).map(|(id, answered)| Eval {
        id,
        prompt: prompt(needs, answered),
        expected_output: match answered.place.is_empty() {
            true => answered.answer.clone(),
            false => format!("{}\n(in the source: {})", answered.answer, answered.place),
        },
        files: Vec::new(),
        expectations: expectations(answered),
    });
    EvalSet {
        skill_name: skill_name.to_owned(),
        evals: evals.collect(),
    }
}

fn prompt(needs: &Needs, answered: &Answered) -> String {
    let own = needs.about.as_str();
    let with = |text: &str| match text.to_lowercase().contains(&own.to_lowercase()) {
        true => String::new(),
        false => format!(" ({own})"),
    };
    match &answered.need {
        Need::Command(deed) => format!(
            "I need to {deed}{}. Show me exactly what I have to write or run.",
            with(deed)
        ),
        Need::Steps(deed) => format!(
            "I need to {deed}{}. What are the steps, in their order, with the command of each?",
            with(deed)
        ),
        Need::Deed(deed) => format!(
            "I am about to {deed}{}. What do I have to keep in mind?",
            with(deed)
        ),
        Need::Name(name) => format!(
            "I came across `{name}`{} and do not know it. What is it for?",
            with(name)
        ),
        Need::Case(case) => format!(
            "What holds when {case}{}, and what should I do?",
            with(case)
        ),
        Need::Subject(subject) => question(needs.language, subject),
    }
}

/// A question on a subject in a language.
pub(super) fn question(language: &str, subject: &str) -> String {
    match language {
        "de" => format!("Was muss ich über {subject} wissen?"),
        "fr" => format!("Que faut-il savoir sur {subject} ?"),
        "es" => format!("¿Qué debo saber sobre {subject}?"),
        "pt" => format!("O que devo saber sobre {subject}?"),
        "it" => format!("Che cosa devo sapere su {subject}?"),
        "ru" => format!("Что нужно знать про {subject}?"),
        "zh" => format!("关于{subject}，我需要知道什么？"),
        "ja" => format!("{subject}について教えてください。"),
        "ko" => format!("{subject}에 대해 알려 주세요."),
        "ar" => format!("ماذا يجب أن أعرف عن {subject}؟"),
        _ => format!("What do I need to know about {subject}?"),
    }
}

/// What an answer has to hold: the lines of code to the letter, or what is said.
fn expectations(answered: &Answered) -> Vec<String> {
    let lines = answered.answer.lines();
    let lines = lines.filter(|line| {
        line.chars().any(char::is_alphanumeric) && line.chars().count() <= LINE_CHARS_MAX
    });
    let mut out: Vec<String> = match answered.need {
        Need::Command(_) => lines
            .take(LINES_MAX)
            .map(|line| format!("The answer shows `{line}`"))
            .collect(),
        Need::Steps(_) => lines
            .take(LINES_MAX)
            .map(|line| format!("The answer has the step: {line}"))
            .collect(),
        _ => Vec::new(),
    };
    if out.is_empty() {
        out.push(format!(
            "The answer says: {}",
            answered.answer.replace('\n', " ")
        ));
    }
    out.push("Nothing in the answer contradicts the source or was made up".to_owned());
    out
}
