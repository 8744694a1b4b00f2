//! Owns the master index of a catalogue: a skill of its own, with one line for each of its siblings.

use crate::describe::CHARS_MAX;
use crate::header;
use crate::lead_ins::LeadIns;
use crate::page::{Page, bullet};
use crate::scaffold::SKILLS;
use crate::skill::Source;
use skillkiln_document::blocks::Block;
use skillkiln_document::host_syntax;
use skillkiln_document::text::{Inline, squash};

/// Longest statement of what a sibling is for.
const USE_CHARS_MAX: usize = 160;

/// A skill of the catalogue.
#[derive(Debug, Clone, Copy)]
pub struct Sibling<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it is called in words.
    pub title: &'a str,
    /// Its description.
    pub description: &'a str,
}

/// The index as a description and the whole of its SKILL.md.
#[must_use]
pub fn index(
    name: &str,
    title: &str,
    category: &str,
    siblings: &[Sibling<'_>],
    source: &Source,
    words: &LeadIns,
) -> (String, String) {
    let description = described(title, siblings, words);
    let mut page = Page::new(None);
    page.add(&header::write(name, &description, category, source), None);
    page.add_heading(1, title, None);
    page.add_heading(2, SKILLS, None);
    let lines = siblings.iter().map(|sibling| {
        let said = format!("{} → ", use_of(sibling, words));
        bullet(vec![Block::paragraph(vec![
            Inline::Text(said),
            Inline::Code(sibling.name.to_owned()),
        ])])
    });
    page.add(&lines.collect::<String>(), None);
    let (content, _) = page.finish();
    (description, host_syntax::escape(&content))
}

/// What the index is for: its subject, and as many of its topics as there is room for.
fn described(title: &str, siblings: &[Sibling<'_>], words: &LeadIns) -> String {
    let what = title.trim_end_matches(['.', '。', ' ']);
    let mut room = CHARS_MAX.saturating_sub(
        what.chars().count() + words.use_when.chars().count() + 2 * words.end.chars().count() + 1,
    );
    let mut listed: Vec<String> = Vec::new();
    for sibling in siblings {
        let title = squash(sibling.title);
        let cost = title.chars().count() + words.comma.chars().count();
        if cost > room {
            break;
        }
        room -= cost;
        listed.push(title);
    }
    let listed = listed.join(words.comma);
    let opening = match words.language {
        "en" => "choosing a skill for ",
        _ => "",
    };
    let said = match listed.is_empty() {
        true => String::new(),
        false => format!(" {}{opening}{listed}{}", words.use_when, words.end),
    };
    let described = format!("{what}{}{said}", words.end);
    match described.chars().count() <= CHARS_MAX {
        true => squash(&described),
        false => squash(&format!("{what}{}", words.end)),
    }
}

/// What a sibling is for: the tasks of its description, else its title.
fn use_of(sibling: &Sibling<'_>, words: &LeadIns) -> String {
    let tasks = sibling.description.split_once(words.use_when);
    let tasks = tasks.map(|(_, tasks)| tasks.trim_end_matches(['.', '。', ' ']));
    let tasks = tasks.filter(|tasks| tasks.chars().count() <= USE_CHARS_MAX);
    let title = squash(sibling.title);
    match tasks {
        Some(tasks) if !tasks.is_empty() => format!("{title}: {tasks}"),
        _ => title,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lead_ins::for_language;

    #[test]
    fn an_index_has_one_line_for_each_skill() {
        let siblings = [
            Sibling {
                name: "kiln-doors",
                title: "Kiln doors",
                description: "Doors of kilns. Use when opening a door, or sealing it.",
            },
            Sibling {
                name: "kiln-wood",
                title: "Wood",
                description: "Wood.",
            },
        ];
        let source = Source::default();
        let (description, content) = index(
            "kiln-index",
            "Kilns",
            "general",
            &siblings,
            &source,
            for_language("en"),
        );
        assert_eq!(
            description,
            "Kilns. Use when choosing a skill for Kiln doors, Wood."
        );
        assert!(
            content.ends_with(
                "## Skills\n\n- Kiln doors: opening a door, or sealing it → `kiln-doors`\n- Wood → `kiln-wood`\n"
            ),
            "{content}"
        );
    }
}
