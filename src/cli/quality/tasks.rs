//! What a skill costs whoever has a task: an agent is simulated that reads SKILL.md and, where the answer is not in it, opens the files whose
//! link lines say most of the question, one after another. The same agent reads the plainest alternative ([`super::split`]).

use super::split::{anchor, headings, sections};
use super::wording::{Quote, ranked, words};
use crate::domain::skill::Skill;
use regex::Regex;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::LazyLock;

/// What opening a file costs beside what it brings, in tokens.
const OPENING: usize = 250;
/// A source of fewer tokens stands whole; it counts for no cost.
const SHORT: usize = 2_000;
/// A source of more tokens is long.
const LONG: usize = 8_000;
/// What a question that is lost counts in the median, where the baseline answers it.
const LOST_RATIO: f64 = 9.0;
/// So many words beside its link make a pointer one that says when to follow it.
const SITUATION_WORDS_MIN: usize = 3;

static POINTER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\[[^\]]*\]\((references/[^)\s]+)\)").expect("a pattern that its tests use")
});

/// A task that somebody has with a document, and the words of the document that answer it.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Question {
    /// The document's path below the folder.
    pub(super) doc: String,
    question: String,
    pub(super) answer_quote: String,
}

/// The questions of a file, by their document: one as JSON a line.
///
/// # Errors
/// What is wrong with which line.
pub(super) fn questions_of(path: &Path) -> Result<BTreeMap<String, Vec<Question>>, String> {
    let text = std::fs::read_to_string(path)
        .map_err(|cause| format!("cannot read {}: {cause}", path.display()))?;
    let mut asked: BTreeMap<String, Vec<Question>> = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let question: Question = serde_json::from_str(line)
            .map_err(|cause| format!("{}, line {}: {cause}", path.display(), number + 1))?;
        asked
            .entry(question.doc.clone())
            .or_default()
            .push(question);
    }
    Ok(asked)
}

/// How one question was answered.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Answer {
    question: String,
    /// Tokens of the document's Markdown.
    source: usize,
    /// Tokens until the answer in the baseline.
    baseline: usize,
    /// Tokens until the answer in the skill; `None` when it is lost.
    skill: Option<usize>,
    /// Whether SKILL.md itself answers it.
    body: bool,
    /// Whether SKILL.md or the first file that is opened answers it.
    first: bool,
}

/// What is read until an answer.
struct Spent {
    tokens: usize,
    opened: usize,
}

/// A token is about four characters.
pub(super) fn tokens(text: &str) -> usize {
    (text.chars().count() / 4).max(1)
}

/// Asks a skill and the baseline; what the baseline does not answer either is left out.
pub(super) fn ask(skill: &Skill, markdown: &str, questions: &[Question]) -> Vec<Answer> {
    let parts = sections(markdown);
    let contents: Vec<&str> = parts.iter().map(|(label, _)| label.as_str()).collect();
    let contents = contents.join("\n");
    let sections: Vec<(&str, usize)> = parts
        .iter()
        .enumerate()
        .map(|(at, (label, _))| (label.as_str(), at))
        .collect();
    let links = links(&skill.content);
    let labels: Vec<(&str, &str)> = links
        .iter()
        .map(|(label, target)| (label.as_str(), *target))
        .collect();
    questions
        .iter()
        .filter_map(|question| {
            let quote = Quote::of(&question.answer_quote);
            let asked = &question.question;
            let section = |at: &usize| parts.get(*at).map_or("", |(_, text)| text);
            let baseline = until(&quote, &contents, &sections, asked, section)?;
            let own = until(&quote, &skill.content, &labels, asked, |target| {
                opened(skill, target)
            });
            Some(Answer {
                question: asked.clone(),
                source: tokens(markdown),
                baseline: baseline.tokens,
                skill: own.as_ref().map(|spent| spent.tokens),
                body: own.as_ref().is_some_and(|spent| spent.opened == 0),
                first: own.as_ref().is_some_and(|spent| spent.opened <= 1),
            })
        })
        .collect()
}

/// Reads `first`, then what the labels lead to by how much these say of the question, until the quotation stands there.
fn until<'t, T: PartialEq + Copy + std::hash::Hash + Eq>(
    quote: &Quote,
    first: &str,
    choices: &[(&str, T)],
    question: &str,
    read: impl Fn(&T) -> &'t str,
) -> Option<Spent> {
    let mut spent = Spent {
        tokens: tokens(first),
        opened: 0,
    };
    if quote.is_in(first) {
        return Some(spent);
    }
    let labels: Vec<&str> = choices.iter().map(|(label, _)| *label).collect();
    let mut seen = HashSet::new();
    for at in ranked(question, &labels) {
        let Some((_, target)) = choices.get(at) else {
            continue;
        };
        if !seen.insert(*target) {
            continue;
        }
        let text = read(target);
        spent.tokens += tokens(text) + OPENING;
        spent.opened += 1;
        if quote.is_in(text) {
            return Some(spent);
        }
    }
    None
}

/// SKILL.md without its front matter.
pub(super) fn body(content: &str) -> &str {
    content.splitn(3, "---\n").nth(2).unwrap_or(content)
}

/// Each link to a reference, labelled by its line and the heading above it.
fn links(content: &str) -> Vec<(String, &str)> {
    let mut links = Vec::new();
    let mut heading = "";
    for line in body(content).lines() {
        if line.starts_with('#') {
            heading = line.trim_start_matches(['#', ' ']);
        }
        for target in POINTER.captures_iter(line).filter_map(|found| found.get(1)) {
            links.push((format!("{line} {heading}"), target.as_str()));
        }
    }
    links
}

/// What a link opens: a file, or the section of it that its anchor names.
fn opened<'s>(skill: &'s Skill, target: &str) -> &'s str {
    let (name, fragment) = target.split_once('#').unwrap_or((target, ""));
    let Some(file) = skill.references.iter().find(|file| file.filename == name) else {
        return "";
    };
    let text = file.content.as_str();
    if fragment.is_empty() {
        return text;
    }
    let heads = headings(text);
    let Some(at) = heads
        .iter()
        .position(|head| anchor(&head.title) == fragment)
    else {
        return text;
    };
    let mut later = heads.iter().skip(at);
    let Some(own) = later.next() else {
        return text;
    };
    let end = later
        .find(|head| head.level <= own.level)
        .map_or(text.len(), |head| head.at);
    text.get(own.at..end).unwrap_or(text)
}

/// The lines of a body that point at a file, and how many of them say when to follow them.
pub(super) fn pointers(content: &str) -> (usize, usize) {
    let lines = body(content).lines().filter(|line| POINTER.is_match(line));
    lines.fold((0, 0), |(all, situated), line| {
        let said = words(&POINTER.replace_all(line, " "));
        let says_when = said.len() >= SITUATION_WORDS_MIN;
        (all + 1, situated + usize::from(says_when))
    })
}

/// The figures of all questions.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(super) struct Figures {
    questions: usize,
    /// Share of the questions that SKILL.md answers.
    body: f64,
    /// Share that SKILL.md or the first file opened answers.
    first: f64,
    /// The same of sources above 8,000 tokens.
    long_questions: usize,
    long_body: f64,
    long_first: f64,
    /// Tokens until the answer against the baseline, as the ratio of the means, of sources above 2,000 tokens.
    cost: f64,
    /// The same as the median of the ratios.
    cost_median: f64,
    /// Questions that the baseline answers and the skill does not.
    lost: usize,
}

impl Figures {
    /// Of these answers.
    pub(super) fn of<'a>(answers: impl Iterator<Item = &'a Answer>) -> Self {
        let answers: Vec<&Answer> = answers.collect();
        let long: Vec<&Answer> = answers
            .iter()
            .copied()
            .filter(|answer| answer.source > LONG)
            .collect();
        let share = |answers: &[&Answer], holds: fn(&Answer) -> bool| {
            let holding = answers.iter().filter(|answer| holds(answer)).count();
            holding as f64 / answers.len().max(1) as f64
        };
        let costly = || answers.iter().filter(|answer| answer.source > SHORT);
        let (own, baseline) = costly()
            .filter_map(|answer| Some((answer.skill?, answer.baseline)))
            .fold((0, 0), |sums, (own, baseline)| {
                (sums.0 + own, sums.1 + baseline)
            });
        let mut ratios: Vec<f64> = costly()
            .map(|answer| {
                answer
                    .skill
                    .map_or(LOST_RATIO, |own| own as f64 / answer.baseline.max(1) as f64)
            })
            .collect();
        ratios.sort_by(f64::total_cmp);
        let is_none = ratios.is_empty();
        Self {
            questions: answers.len(),
            body: share(&answers, |answer| answer.body),
            first: share(&answers, |answer| answer.first),
            long_questions: long.len(),
            long_body: share(&long, |answer| answer.body),
            long_first: share(&long, |answer| answer.first),
            cost: if baseline == 0 {
                1.0
            } else {
                own as f64 / baseline as f64
            },
            cost_median: if is_none { 1.0 } else { super::middle(&ratios) },
            lost: answers
                .iter()
                .filter(|answer| answer.skill.is_none())
                .count(),
        }
    }

    /// In one line.
    pub(super) fn line(&self) -> String {
        format!(
            "{} questions: body {:.3}, first {:.3}; {} on long sources: body {:.3}, first {:.3}; cost {:.3} by means, {:.3} by the median; lost {}",
            self.questions,
            self.body,
            self.first,
            self.long_questions,
            self.long_body,
            self.long_first,
            self.cost,
            self.cost_median,
            self.lost
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_skills::skill::Reference;

    fn skill() -> Skill {
        let file = |filename: &str, content: &str| Reference {
            filename: filename.to_owned(),
            content: content.to_owned(),
        };
        Skill {
            name: "kilns".to_owned(),
            description: "Fires kilns.".to_owned(),
            content: "---\nname: kilns\n---\n# Kilns\n\nRun `kiln --slow` first.\n\n## More\n\n- To glaze a bowl thinly: [glaze](references/glaze.md#tin)\n- [fire](references/fire.md)\n".to_owned(),
            references: vec![
                file("references/glaze.md", "# Glaze\n\n## Tin\n\nDip the bowl twice in tin.\n\n## Lead\n\nNever use lead.\n"),
                file("references/fire.md", "# Fire\n\nOpen the damper at 900 degrees.\n"),
            ],
            word_count: 12,
        }
    }

    fn question(question: &str, answer: &str) -> Question {
        Question {
            doc: "kilns.md".to_owned(),
            question: question.to_owned(),
            answer_quote: answer.to_owned(),
        }
    }

    #[test]
    fn an_answer_is_found_in_the_body_in_the_first_file_later_or_never() {
        let markdown = "# Kilns\n\nRun `kiln --slow` first.\n\n## Glaze\n\nDip the bowl twice in tin. Never use lead.\n\n## Fire\n\nOpen the damper at 900 degrees.\n\n## Sweep\n\nSweep the chimney yearly.\n";
        let answers = ask(
            &skill(),
            markdown,
            &[
                question("How do I begin?", "kiln --slow"),
                question("How often is a bowl glazed?", "Dip the bowl twice in tin"),
                question(
                    "When is a glaze bowl damper opened?",
                    "Open the damper at 900",
                ),
                question("Who sweeps?", "Sweep the chimney yearly"),
                question("Who eats?", "nobody has said such a thing"),
            ],
        );
        let told: Vec<(bool, bool, bool)> = answers
            .iter()
            .map(|answer| (answer.body, answer.first, answer.skill.is_none()))
            .collect();
        assert_eq!(
            told,
            [
                (true, true, false),
                (false, true, false),
                (false, false, false),
                (false, false, true)
            ]
        );
        let figures = Figures::of(answers.iter());
        assert_eq!((figures.questions, figures.lost), (4, 1));
        assert!((figures.body - 0.25).abs() < 1e-9 && (figures.first - 0.5).abs() < 1e-9);
    }

    #[test]
    fn a_link_with_an_anchor_opens_its_section_alone() {
        assert_eq!(
            opened(&skill(), "references/glaze.md#tin"),
            "## Tin\n\nDip the bowl twice in tin.\n\n"
        );
        assert!(opened(&skill(), "references/glaze.md").contains("lead"));
        assert_eq!(opened(&skill(), "references/none.md"), "");
    }

    #[test]
    fn a_pointer_that_only_names_a_file_says_no_situation() {
        assert_eq!(pointers(&skill().content), (2, 1));
    }
}
