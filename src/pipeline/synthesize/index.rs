//! Owns the master index of a catalogue: a skill of its own that says which of its siblings to open for what.

use super::describe::{clip, one_line};
use super::front_matter;
use super::lead_ins::{self, LeadIns};
use super::page::Page;
use crate::domain::skill::Skill;
use crate::pipeline::product::{Draft, Origin};
use crate::pipeline::scaffold::{DOES_NOT_COVER, OPEN, SKILLS, USE_WHEN, is_our_word};
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::host_syntax;
use skillkiln_document::markdown;
use skillkiln_document::text::Inline;
use std::collections::BTreeSet;

/// Longest statement of when to open a skill.
const USE_CHARS_MAX: usize = 400;
/// How much of the description is spent on naming topics.
const LISTED_CHARS_MAX: usize = 820;
/// How many siblings a row tells its skill from.
const NEAREST: usize = 2;

/// Writes the index over `drafts`, which have these titles.
pub(super) fn write(
    name: &str,
    title: &str,
    category: &str,
    drafts: &[Draft],
    titles: &[String],
    origin: &Origin,
    own: &LeadIns,
) -> Skill {
    let mut listed = String::new();
    for (number, topic) in titles.iter().enumerate() {
        let topic = super::heading_words::for_description(topic);
        if listed.chars().count() + topic.chars().count() > LISTED_CHARS_MAX {
            break;
        }
        if number > 0 {
            listed.push_str(own.comma());
        }
        listed.push_str(&topic);
    }
    let description = one_line(&format!("{} {}", own.index(title), own.covers(&listed)));
    let mut page = Page::new(None);
    page.add(
        &front_matter::write(name, &description, category, origin),
        None,
    );
    page.add_heading(1, title, None);
    page.add_heading(2, SKILLS, None);
    page.add(&routes(drafts, titles), None);
    let (content, _) = page.finish();
    let content = host_syntax::escape(&content);
    Skill {
        name: name.to_owned(),
        description,
        word_count: markdown::word_count(&content),
        content,
        references: Vec::new(),
    }
}

/// A table with a row for each skill: its name, when to open it, and what stands in the skills that it is most easily mistaken
/// for.
fn routes(drafts: &[Draft], titles: &[String]) -> String {
    let words = |text: String| vec![Inline::Text(text)];
    let vocabularies: Vec<BTreeSet<String>> = drafts
        .iter()
        .map(|draft| vocabulary(&draft.skill))
        .collect();
    let rows = drafts
        .iter()
        .enumerate()
        .map(|(number, draft)| {
            let use_for = lead_ins::use_of(&draft.skill.description);
            vec![
                vec![Inline::Code(draft.skill.name.clone())],
                words(clip(use_for.trim(), USE_CHARS_MAX)),
                nearest(number, &vocabularies)
                    .into_iter()
                    .filter_map(|other| drafts.get(other).zip(titles.get(other)))
                    .enumerate()
                    .flat_map(|(place, (other, topic))| {
                        let comma = if place > 0 { ", " } else { "" };
                        [
                            Inline::Text(format!("{comma}{} (", topic.trim_end_matches('.'))),
                            Inline::Code(other.skill.name.clone()),
                            Inline::Text(")".into()),
                        ]
                    })
                    .collect(),
            ]
        })
        .collect();
    let header = [OPEN, USE_WHEN, DOES_NOT_COVER];
    markdown::write(&[Block {
        kind: BlockKind::Table {
            header: header.map(|title| words(title.to_owned())).to_vec(),
            rows,
            caption: None,
        },
        span: Span::default(),
    }])
}

/// The telling words of a skill.
fn vocabulary(skill: &Skill) -> BTreeSet<String> {
    skill
        .content
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() > 3 && !is_our_word(&word.to_lowercase()))
        .map(str::to_lowercase)
        .collect()
}

/// The skills whose words are most like those of one, the likest first.
fn nearest(own: usize, vocabularies: &[BTreeSet<String>]) -> Vec<usize> {
    let empty = BTreeSet::new();
    let mine = vocabularies.get(own).unwrap_or(&empty);
    let mut others: Vec<(usize, usize)> = vocabularies
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != own)
        .map(|(other, theirs)| {
            let shared = mine.intersection(theirs).count();
            (shared * 1_000 / mine.union(theirs).count().max(1), other)
        })
        .collect();
    others.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
    others
        .into_iter()
        .take(NEAREST)
        .map(|(_, other)| other)
        .collect()
}
