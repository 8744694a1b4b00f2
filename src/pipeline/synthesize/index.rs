//! Owns the master index of a catalogue: a skill of its own that says which of its siblings to open for what.

use super::describe::{clip, one_line};
use super::front_matter;
use super::page::{Page, bullet, paragraph};
use crate::domain::skill::Skill;
use crate::domain::text::Inline;
use crate::pipeline::markdown;
use crate::pipeline::product::{Draft, Origin};
use crate::pipeline::scaffold::{COVERS, SKILLS, USE_WHEN};

/// Writes the index over `drafts`.
pub(super) fn write(
    name: &str,
    title: &str,
    category: &str,
    drafts: &[Draft],
    origin: &Origin,
) -> Skill {
    let topics: Vec<&str> = drafts
        .iter()
        .filter_map(|draft| draft.topic.as_ref().map(|topic| topic.name.as_str()))
        .collect();
    let mut description =
        format!("{USE_WHEN} looking for the skill about a topic of {title}. {COVERS} ");
    for (number, topic) in topics.iter().enumerate() {
        let topic = super::heading_words::for_description(topic);
        if description.chars().count() + topic.chars().count() > 900 {
            break;
        }
        if number > 0 {
            description.push_str(", ");
        }
        description.push_str(&topic);
    }
    description.push('.');
    let description = one_line(&description);
    let mut page = Page::new(None);
    page.add(
        &front_matter::write(name, &description, category, origin),
        None,
    );
    page.add_heading(1, title, None);
    page.add_heading(2, SKILLS, None);
    for (number, draft) in drafts.iter().enumerate() {
        let use_for = draft
            .skill
            .description
            .find(USE_WHEN)
            .and_then(|start| draft.skill.description.get(start..))
            .unwrap_or(&draft.skill.description);
        let topic = draft.topic.as_ref().map_or("", |topic| topic.name.as_str());
        let mut text = vec![
            Inline::Code(draft.skill.name.clone()),
            Inline::Text(format!(": {}. ", topic.trim_end_matches('.'))),
            Inline::Text(clip(use_for, 400)),
        ];
        if topic.is_empty() {
            text.remove(1);
        }
        let line = bullet(vec![paragraph(text)]);
        if number == 0 {
            page.add(&line, None);
        } else {
            page.add_line(&line, None);
        }
    }
    let (content, _) = page.finish();
    Skill {
        name: name.to_owned(),
        description,
        word_count: markdown::word_count(&content),
        content,
        references: Vec::new(),
    }
}
