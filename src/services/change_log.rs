//! Owns the change log of a skill: what each of its versions says that the one before did not, in Markdown.

use crate::domain::clock::Timestamp;
use crate::domain::skill::{Change, StoredSkill, Version};
use skillkiln_skills::changes::{self, Changes, Kind};

/// Changes of a version that are listed; the others are counted.
const LISTED_MAX: usize = 30;
/// Characters of a rule that are shown.
const SHOWN_MAX: usize = 160;

/// The change log of a skill that is in its `number`th text, after earlier ones, newest first.
pub(super) fn of(stored: &StoredSkill, number: u32, earlier: &[Version]) -> String {
    let skill = &stored.skill;
    let now = (number, stored.updated_at, &skill.content, &skill.references);
    let before = earlier
        .iter()
        .map(|old| (old.number, old.made_at, &old.content, &old.references));
    let texts: Vec<_> = std::iter::once(now).chain(before).collect();
    let mut log = format!("# Changes of {}\n", skill.name);
    for (pair, old) in texts.windows(2).zip(earlier) {
        let [(number, at, content, references), (_, _, was, had)] = pair else {
            continue;
        };
        let how = match old.replaced_by {
            Change::Edit => "edited by hand",
            Change::Regeneration => "made again from its source",
        };
        heading(&mut log, *number, *at, how);
        list(
            &mut log,
            &changes::between(
                &changes::of_skill(was, had),
                &changes::of_skill(content, references),
            ),
        );
    }
    if let Some((number, at, ..)) = texts.last() {
        let how = match number {
            1 => "made from its source",
            _ => "the oldest version that is kept",
        };
        heading(&mut log, *number, *at, how);
    }
    log
}

fn heading(log: &mut String, number: u32, at: Timestamp, how: &str) {
    let day = at.date();
    log.push_str(&match number {
        0 => format!("\n## {day}: {how}\n"),
        _ => format!("\n## {number} ({day}): {how}\n"),
    });
}

fn list(log: &mut String, changes: &Changes) {
    log.push('\n');
    if changes.total == 0 {
        log.push_str("Its header alone.\n");
    }
    let listed = changes.told.iter().take(LISTED_MAX);
    for change in listed.clone() {
        let (text, place) = (shown(&change.text), &change.place.words);
        log.push_str(&match (change.kind, &change.was) {
            (Kind::Changed, Some(was)) => {
                format!("- Changed ({place}): {text} (it said: {})\n", shown(was))
            }
            (Kind::Changed, None) => format!("- Changed ({place}): {text}\n"),
            (Kind::Added, _) => format!("- Added ({place}): {text}\n"),
            (Kind::Removed, _) => format!("- Removed ({place}): {text}\n"),
        });
    }
    match changes.total - listed.len() {
        0 => {}
        1 => log.push_str("- One more change.\n"),
        more => log.push_str(&format!("- {more} more changes.\n")),
    }
}

/// A rule on one line, without the mark of the list that it stands in.
fn shown(text: &str) -> String {
    let text = text.trim_start_matches(['-', '*', '#', '>', ' ']);
    match text.char_indices().nth(SHOWN_MAX) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
