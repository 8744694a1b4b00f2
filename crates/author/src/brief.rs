//! Owns the plan of a skill: title, name, description, tasks in a reader's order, decisions, failures, gaps.

use crate::evidence::Evidence;
use crate::json;
use crate::marks::ranges;
use crate::signs::Sign;
use serde_json::Value;
use std::collections::BTreeSet;

/// Longest title.
pub const TITLE_CHARS_MAX: usize = 80;
/// Longest description (decision 69).
pub const DESCRIPTION_CHARS_MAX: usize = 320;
/// Shorter words describe nothing.
pub const DESCRIPTION_CHARS_MIN: usize = 20;
/// Tasks that are kept.
const TASKS_MAX: usize = 16;
/// Longest text of one point.
const POINT_CHARS_MAX: usize = 400;

/// A plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Brief {
    /// What the skill is called.
    pub title: String,
    /// Its name in the header.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Its category, where it was asked for.
    pub category: String,
    /// What a reader does with it.
    pub tasks: Vec<String>,
    /// The whole plan in lines, with units.
    pub lines: Vec<String>,
    /// The sections it is made of, of a long source, the most needed first.
    pub sections: Vec<usize>,
}

impl Brief {
    /// Reads an answer.
    #[must_use]
    pub fn read(answer: &str) -> Option<Self> {
        let object = json::object(answer)?;
        let clip = |text: &str| crate::listing::clip(text, POINT_CHARS_MAX);
        let mut brief = Self {
            title: crate::listing::clip(&json::text(&object, "title"), TITLE_CHARS_MAX),
            name: json::text(&object, "name"),
            description: json::text(&object, "description"),
            category: json::text(&object, "category"),
            ..Self::default()
        };
        for task in json::list(&object, "tasks").iter().take(TASKS_MAX) {
            let name = match task.as_str() {
                Some(text) => text.to_owned(),
                None => json::text(task, "do"),
            };
            if name.is_empty() {
                continue;
            }
            brief
                .lines
                .push(format!("- task: {}{}", clip(&name), units(task)));
            for step in json::list(task, "steps")
                .iter()
                .filter_map(Value::as_str)
                .take(24)
            {
                brief.lines.push(format!("  - {}", clip(step)));
            }
            brief.tasks.push(clip(&name));
        }
        for (member, word) in [("decisions", "decision"), ("failures", "failure")] {
            for point in json::list(&object, member).iter().take(TASKS_MAX) {
                let text = point
                    .as_str()
                    .map_or_else(|| json::text(point, "text"), str::to_owned);
                brief
                    .lines
                    .push(format!("- {word}: {}{}", clip(&text), units(point)));
            }
        }
        for (member, word) in [("gaps", "gap"), ("leave_out", "leave out")] {
            for text in json::list(&object, member)
                .iter()
                .filter_map(Value::as_str)
                .take(TASKS_MAX)
            {
                brief.lines.push(format!("- {word}: {}", clip(text)));
            }
        }
        let number = |value: &Value| {
            let text = value
                .as_str()
                .map(|text| text.trim_start_matches(['S', 's']).parse().ok());
            text.unwrap_or_else(|| value.as_u64())
        };
        let sections = json::list(&object, "sections").iter().filter_map(number);
        brief.sections = sections
            .filter_map(|one| usize::try_from(one).ok())
            .collect();
        Some(brief)
    }
}

fn units(value: &Value) -> String {
    let cite = json::cite(value, "units");
    match cite.ids.is_empty() {
        true => String::new(),
        false => format!(" [{}]", ranges(&cite.ids)),
    }
}

/// Which of several descriptions finds the skill best: one that names the subject, says when to use it, and holds the words of its tasks
/// and the names that its text is about.
#[must_use]
pub fn best_description<'d>(
    candidates: &'d [String],
    title: &str,
    tasks: &[String],
    names: &[Sign],
) -> Option<&'d str> {
    let words = |text: &str| -> BTreeSet<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.chars().count() > 2)
            .map(str::to_lowercase)
            .collect()
    };
    let (title, tasks) = (words(title), words(&tasks.join(" ")));
    let score = |text: &str| {
        let own = words(text);
        let length = text.chars().count();
        let fits = usize::from((60..=DESCRIPTION_CHARS_MAX).contains(&length));
        let ends = usize::from(text.ends_with(['.', '。']));
        let when = usize::from(text.contains("Use when") || text.contains("use when"));
        fits * 1_000
            + ends * 200
            + when * 100
            + own.intersection(&title).count() * 40
            + own.intersection(&tasks).count() * 10
            + names
                .iter()
                .filter(|name| Evidence::stands_in(text, name))
                .count()
                * 15
    };
    candidates
        .iter()
        .map(String::as_str)
        .filter(|text| !text.is_empty())
        .reduce(|best, other| {
            if score(other) > score(best) {
                other
            } else {
                best
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signs::of;

    #[test]
    fn a_plan_is_read_as_far_as_it_goes() {
        let answer = r#"{"title":"Kiln","name":"fire-kiln","description":"d","tasks":[{"do":"fire it","steps":["heat","hold"],"units":[2,"3.1"]},"cool it",{"x":1}],
            "decisions":[{"text":"slow or fast","units":"4"}],"gaps":["the chart"],"sections":["S3",4,-1]"#;
        let brief = Brief::read(answer).unwrap();
        assert_eq!(brief.tasks, ["fire it", "cool it"]);
        assert_eq!(brief.lines[0], "- task: fire it [2,3.1]");
        assert!(
            brief
                .lines
                .contains(&"- decision: slow or fast [4]".to_owned())
        );
        assert_eq!(brief.sections, [3, 4]);
        assert_eq!(Brief::read("no plan"), None);
    }

    #[test]
    fn the_description_that_names_the_subject_and_its_tasks_is_best() {
        let candidates = [
            "Helps.".to_owned(),
            "Fires a kiln and cools it. Use when a kiln is fired, cooled or will not close its door.".to_owned(),
            format!("Fires a kiln. {}", "long ".repeat(80)),
        ];
        let best = best_description(
            &candidates,
            "Kiln",
            &["fire it".into(), "close the door".into()],
            &[],
        );
        assert_eq!(best, Some(candidates[1].as_str()));
        assert_eq!(best_description(&[], "Kiln", &[], &[]), None);
    }

    #[test]
    fn the_names_that_a_user_would_say_count_more_than_the_title_said_again() {
        let candidates = [
            "Fires a kiln of clay. Use when a kiln of clay is fired.".to_owned(),
            "Fires a kiln with `kilnctl start`, Bisque and Raku programs. Use when a kiln is fired."
                .to_owned(),
        ];
        let names = of("Run `kilnctl start` with Bisque or Raku.", true);
        let best = best_description(&candidates, "Kiln of clay", &["fire clay".into()], &names);
        assert_eq!(best, Some(candidates[1].as_str()));
    }
}
