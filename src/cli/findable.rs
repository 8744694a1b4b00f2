//! Owns how surely a skill is found by its description: questions are made from a document, and all descriptions are ranked
//! for each of them with BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009).

use crate::domain::skill::Skill;
use crate::pipeline::synthesize::words::SmallWords;
use pulldown_cmark::{Event, Parser};
use skillkiln_document::blocks::{Block, BlockKind, Document};
use skillkiln_document::markdown::{self, rendered};
use skillkiln_document::text::plain;
use std::collections::{HashMap, HashSet};
use unicode_segmentation::UnicodeSegmentation;

/// How soon a repeated term stops counting, and how much the length of a description counts.
const SATURATION: f64 = 1.2;
const LENGTH: f64 = 0.75;
/// Most questions of one document.
const QUESTIONS_MAX: usize = 12;
/// A section with fewer words asks nothing.
const SECTION_WORDS_MIN: usize = 40;
/// So many blocks tell the language of a document.
const SAMPLE_BLOCKS: usize = 40;
/// How many of a section's most frequent terms stand in its question beside the heading.
const TERMS: usize = 4;
/// Words that ask for nothing.
const COMMON: &str = "about after all also and any are because been before being both but can com could does doing down each even every \
    example following for from get gets guide had has have her here him his how however html http https into introduction its itself just \
    like made make makes manual many may more most much must need needs new nor not now off one only org other our out over own \
    per readme same she should since some still such than that the their them then there therefore these they this those thus too \
    two until upon use used user users using very via want was way well were what when where whether which while who why will with \
    without would www yet you your";

/// A question as the terms that a search would look for.
type Question = Vec<String>;

/// The questions that a document answers, asked in two ways.
pub(super) struct Questions {
    /// For each of its sections the heading, and the terms that the section comes back to.
    unnamed: Vec<Question>,
    /// The same with what they are asked of: "how do I fire a pot" by whoever speaks of something else already, "how do I fire a pot
    /// with Kiln" by all others.
    named: Vec<Question>,
}

impl Questions {
    /// Those of a document: what it is on says its title, or where that says nothing the first of its headings, or what its file is called.
    pub(super) fn of(document: &Document, file: &str) -> Self {
        let heading = document.blocks.iter().find_map(|block| match &block.kind {
            BlockKind::Heading { text, .. } => Some(plain(text)),
            _ => None,
        });
        let titles = [document.title.clone(), heading, Some(file.to_owned())];
        let mut subjects = titles.iter().flatten().map(|title| terms(title));
        let subject = subjects.find(|terms| !terms.is_empty()).unwrap_or_default();
        let unnamed = questions(document);
        let named = unnamed
            .iter()
            .map(|question| [subject.clone(), question.clone()].concat());
        Self {
            named: named.collect(),
            unnamed,
        }
    }
}

/// For each section of a document its heading, and the terms that the section comes back to.
fn questions(document: &Document) -> Vec<Question> {
    let is_code = |block: &&Block| matches!(block.kind, BlockKind::Code { .. });
    let beginning: Vec<String> = document
        .blocks
        .iter()
        .filter(|block| !is_code(block))
        .take(SAMPLE_BLOCKS)
        .map(shown)
        .collect();
    let small = SmallWords::of(&beginning.join(" "));
    let told = |text: &str| telling(text, |word| !small.has(word));
    let mut sections: Vec<(Vec<String>, Vec<String>)> = vec![(Vec::new(), Vec::new())];
    for block in &document.blocks {
        if let BlockKind::Heading { text, .. } = &block.kind {
            sections.push((told(&plain(text)), Vec::new()));
        } else if !is_code(&block)
            && let Some((_, words)) = sections.last_mut()
        {
            words.extend(told(&shown(block)));
        }
    }
    sections.retain(|(_, words)| words.len() >= SECTION_WORDS_MIN);
    let step = sections.len().div_ceil(QUESTIONS_MAX).max(1);
    sections
        .into_iter()
        .step_by(step)
        .map(|(mut question, words)| {
            let mut counts: HashMap<String, usize> = HashMap::new();
            for word in words {
                *counts.entry(word).or_default() += 1;
            }
            let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
            counts.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(&other.0)));
            question.extend(counts.into_iter().take(TERMS).map(|(term, _)| term));
            question
        })
        .collect()
}

/// What a reader sees of a block: no address, neither behind a link nor in the text. Nobody asks for one.
fn shown(block: &Block) -> String {
    let markdown = markdown::write(std::slice::from_ref(block));
    let mut out = String::new();
    for event in Parser::new_ext(&markdown, rendered::dialect()) {
        match event {
            Event::Text(part) | Event::Code(part) => out.push_str(&part),
            Event::SoftBreak | Event::HardBreak | Event::End(_) => out.push(' '),
            _ => {}
        }
    }
    let words: Vec<&str> = out
        .split_whitespace()
        .filter(|word| !word.contains("://"))
        .collect();
    words.join(" ")
}

/// What loaders show of all skills, indexed.
pub(super) struct Ranking {
    /// The descriptions, and the terms of each with those of its name.
    told: Vec<String>,
    descriptions: Vec<HashMap<String, f64>>,
    lengths: Vec<f64>,
    mean: f64,
    holders: HashMap<String, f64>,
}

impl Ranking {
    /// Indexes the names and descriptions of skills.
    pub(super) fn of<'a>(skills: impl Iterator<Item = &'a Skill>) -> Self {
        let mut ranking = Self {
            told: Vec::new(),
            descriptions: Vec::new(),
            lengths: Vec::new(),
            mean: 0.0,
            holders: HashMap::new(),
        };
        for skill in skills {
            let mut counts: HashMap<String, f64> = HashMap::new();
            let mut length = 0.0;
            for term in terms(&format!("{} {}", skill.name, skill.description)) {
                *counts.entry(term).or_default() += 1.0;
                length += 1.0;
            }
            for term in counts.keys() {
                *ranking.holders.entry(term.clone()).or_default() += 1.0;
            }
            ranking.told.push(skill.description.clone());
            ranking.descriptions.push(counts);
            ranking.lengths.push(length);
        }
        let all: f64 = ranking.lengths.iter().sum();
        ranking.mean = all / (ranking.lengths.len().max(1) as f64);
        ranking
    }

    /// The shares of the questions for which no other description ranks before that of the skill at `own`: of those that name what they
    /// are asked of, and of those that do not.
    pub(super) fn found(&self, own: usize, questions: &Questions) -> (f64, f64) {
        let share = |questions: &[Question]| self.share(own, questions);
        (share(&questions.named), share(&questions.unnamed))
    }

    /// 1 without questions. What is described to the letter as the skill is no other: a document that lies in the folder twice would hide
    /// itself.
    fn share(&self, own: usize, questions: &[Question]) -> f64 {
        if questions.is_empty() {
            return 1.0;
        }
        let first = questions
            .iter()
            .filter(|question| {
                let mine = self.score(own, question);
                mine > 0.0
                    && (0..self.descriptions.len())
                        .filter(|other| self.told.get(*other) != self.told.get(own))
                        .all(|other| self.score(other, question) < mine)
            })
            .count();
        first as f64 / questions.len() as f64
    }

    fn score(&self, number: usize, question: &[String]) -> f64 {
        let (Some(counts), Some(length)) =
            (self.descriptions.get(number), self.lengths.get(number))
        else {
            return 0.0;
        };
        let all = self.descriptions.len() as f64;
        let distinct: HashSet<&String> = question.iter().collect();
        distinct
            .into_iter()
            .filter_map(|term| {
                let count = counts.get(term)?;
                let holders = self.holders.get(term)?;
                let rarity = (1.0 + (all - holders + 0.5) / (holders + 0.5)).ln();
                let norm = SATURATION * (1.0 - LENGTH + LENGTH * length / self.mean.max(1.0));
                Some(rarity * count * (SATURATION + 1.0) / (count + norm))
            })
            .sum()
    }
}

/// The words of a text that a search would look for, in small letters and without a plural's `s`. Nobody asks for the number of a section.
fn terms(text: &str) -> Vec<String> {
    telling(text, |_| true)
}

/// The same of those that are wanted, as they stand there in small letters.
fn telling(text: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
    text.unicode_words()
        .map(str::to_lowercase)
        .filter(|word| word.chars().count() > 2 && word.chars().any(char::is_alphabetic))
        .filter(|word| is_wanted(word))
        .filter(|word| !COMMON.split(' ').any(|common| common == word))
        .map(|word| match word.strip_suffix('s') {
            Some(stem) if stem.len() > 2 && !stem.ends_with('s') => stem.to_owned(),
            _ => word,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skill(name: &str, description: &str) -> Skill {
        Skill {
            name: name.into(),
            description: description.into(),
            word_count: 0,
            content: String::new(),
            references: Vec::new(),
        }
    }

    #[test]
    fn the_description_that_names_what_is_asked_for_comes_first() {
        let skills = [
            skill("kiln", "Covers firing a kiln, cones and glazes."),
            skill("bread", "Covers baking bread, ovens and dough."),
            skill("tea", "Covers tea."),
        ];
        let ranking = Ranking::of(skills.iter());
        let asked = |question: &str| vec![terms(question)];
        assert_eq!(ranking.share(0, &asked("which cone for firing glaze")), 1.0);
        assert_eq!(ranking.share(1, &asked("which cone for firing glaze")), 0.0);
        assert_eq!(ranking.share(2, &asked("nothing of this is known")), 0.0);
        assert_eq!(ranking.share(2, &[]), 1.0);
    }

    #[test]
    fn a_document_that_lies_there_twice_does_not_hide_itself() {
        let kiln = |name| skill(name, "Covers firing a kiln, cones and glazes.");
        let skills = [kiln("kiln"), skill("tea", "Covers tea."), kiln("kiln-2")];
        let ranking = Ranking::of(skills.iter());
        let asked = vec![terms("which cone for firing glaze")];
        assert_eq!(ranking.share(0, &asked), 1.0);
        assert_eq!(ranking.share(1, &asked), 0.0);
    }

    #[test]
    fn a_question_asks_for_what_a_reader_sees() {
        let text = "## Firing\n\n".to_owned()
            + &"The [kiln](https://kilns.example/a) and the cone, see https://kilns.example. "
                .repeat(30);
        let document = skillkiln_readers::markup::markdown::read(text);
        let mut asked = questions(&document).concat();
        asked.sort();
        assert_eq!(asked, ["cone", "firing", "kiln"]);
    }

    #[test]
    fn a_question_names_what_it_is_asked_of_as_the_title_does_or_the_first_heading() {
        let text = format!(
            "# Kilnctl\n\n## Firing\n\n{}",
            "The cone melts, and les cones. ".repeat(20)
        );
        let mut document = skillkiln_readers::markup::markdown::read(text);
        for (title, file, subject) in [
            (Some("Kiln tools"), "a", "tool"),
            (Some("README"), "a", "kilnctl"),
            (None, "a", "kilnctl"),
        ] {
            document.title = title.map(str::to_owned);
            let Questions { unnamed, named } = Questions::of(&document, file);
            assert_eq!(unnamed.len(), 1);
            assert!(named[0].contains(&subject.to_owned()), "{named:?}");
            assert!(!unnamed[0].contains(&subject.to_owned()), "{unnamed:?}");
        }
        let text = format!("# Introduction\n\n{}", "The cone melts. ".repeat(40));
        let mut document = skillkiln_readers::markup::markdown::read(text);
        document.title = Some("User Manual".into());
        let Questions { named, .. } = Questions::of(&document, "kilnfile");
        assert!(named[0].contains(&"kilnfile".to_owned()), "{named:?}");
    }

    #[test]
    fn nobody_asks_for_the_small_words_of_a_language_or_for_the_number_of_a_section() {
        let text = format!(
            "# Le four\n\n## 3.1.2 Les cônes\n\n{}",
            "Avec les cônes, dans le four, pour la cuisson des pots. ".repeat(20)
        );
        let document = skillkiln_readers::markup::markdown::read(text);
        let mut asked = questions(&document).concat();
        asked.sort();
        assert_eq!(asked, ["cuisson", "cône", "cône", "four", "pot"]);
    }

    #[test]
    fn a_question_is_a_heading_and_what_its_section_comes_back_to() {
        let text = "# Kilns\n\nA line.\n\n## Firing\n\n".to_owned()
            + &"The kiln reaches its temperature slowly, cone after cone, until glaze melts. "
                .repeat(6);
        let document = skillkiln_readers::markup::markdown::read(text);
        let questions = questions(&document);
        assert_eq!(questions.len(), 1);
        assert!(
            questions[0].contains(&"firing".to_owned())
                && questions[0].contains(&"cone".to_owned())
        );
    }
}
