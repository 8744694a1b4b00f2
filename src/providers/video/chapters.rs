//! Owns how a video's chapters are found: in the panel beside it, else in the time stamps of its description.

use crate::providers::video::playability::text;
use serde_json::Value;
use skillkiln_readers::spoken::Chapter;

const CHAPTERS_MAX: usize = 500;
const TITLE_CHARS_MAX: usize = 200;

/// The chapters in the data of the page around a video. Those its maker wrote come before those a machine made up.
pub(super) fn of_page(page: &Value) -> Vec<Chapter> {
    let panels = page
        .get("engagementPanels")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|panel| panel.get("engagementPanelSectionListRenderer"));
    let mut best = Vec::new();
    for panel in panels {
        let made_up = ["panelIdentifier", "targetId"]
            .iter()
            .filter_map(|key| panel.get(key).and_then(Value::as_str))
            .any(|name| name.contains("auto-chapters"));
        let list = panel.pointer("/content/macroMarkersListRenderer/contents");
        let found = tidy(
            list.and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(|entry| entry.get("macroMarkersListItemRenderer"))
                .filter_map(chapter)
                .take(CHAPTERS_MAX)
                .collect(),
        );
        if found.len() < 2 {
            continue;
        }
        if !made_up {
            return found;
        }
        if best.is_empty() {
            best = found;
        }
    }
    best
}

fn chapter(marker: &Value) -> Option<Chapter> {
    let start_s = marker
        .pointer("/onTap/watchEndpoint/startTimeSeconds")
        .and_then(Value::as_f64)
        .or_else(|| stamp(text(marker.get("timeDescription")?).trim()))?;
    Some(Chapter {
        start_s,
        title: text(marker.get("title")?),
    })
}

/// The chapters that a description lists: at least three time stamps, one a line, from zero upwards.
pub(super) fn of_description(description: &str) -> Vec<Chapter> {
    let listed: Vec<Chapter> = description
        .lines()
        .filter_map(line)
        .take(CHAPTERS_MAX)
        .collect();
    let rises = listed
        .windows(2)
        .all(|two| matches!(two, [a, b] if a.start_s < b.start_s));
    let begins = listed.first().is_some_and(|first| first.start_s == 0.0);
    if listed.len() < 3 || !rises || !begins {
        return Vec::new();
    }
    tidy(listed)
}

/// `0:00 Title`, `(1:02:03) - Title` or `Title 0:00`.
fn line(line: &str) -> Option<Chapter> {
    const MARKS: &[char] = &[
        '-', '–', '—', '|', ':', '·', '•', '*', '(', ')', '[', ']', '►', '▶', '.', '>',
    ];
    let line = line.trim();
    let trim = |text: &str| {
        text.trim_matches(|c: char| c.is_whitespace() || MARKS.contains(&c))
            .to_owned()
    };
    let words = line.trim_start_matches(|c: char| c.is_whitespace() || MARKS.contains(&c));
    let (first, after) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    let (before, last) = line.rsplit_once(char::is_whitespace).unwrap_or(("", line));
    let (start_s, title) = match stamp(&trim(first)) {
        Some(start_s) => (start_s, trim(after)),
        None => (stamp(&trim(last))?, trim(before)),
    };
    (!title.is_empty()).then_some(Chapter { start_s, title })
}

/// `1:02:03` or `02:03` in seconds.
fn stamp(text: &str) -> Option<f64> {
    let parts: Vec<&str> = text.split(':').collect();
    if !(2..=3).contains(&parts.len()) {
        return None;
    }
    let mut seconds: u32 = 0;
    for (index, part) in parts.iter().enumerate() {
        if part.is_empty() || part.len() > 2 || !part.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let value: u32 = part.parse().ok()?;
        if index > 0 && value >= 60 {
            return None;
        }
        seconds = seconds * 60 + value;
    }
    Some(f64::from(seconds))
}

/// In the order of time, with titles, each moment once.
fn tidy(mut chapters: Vec<Chapter>) -> Vec<Chapter> {
    for chapter in &mut chapters {
        let title = chapter
            .title
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        chapter.title = title.chars().take(TITLE_CHARS_MAX).collect();
    }
    chapters.retain(|chapter| !chapter.title.is_empty() && chapter.start_s >= 0.0);
    chapters.sort_by(|a, b| a.start_s.total_cmp(&b.start_s));
    chapters.dedup_by(|later, earlier| later.start_s == earlier.start_s);
    chapters
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn listed(chapters: &[Chapter]) -> Vec<(f64, &str)> {
        chapters
            .iter()
            .map(|chapter| (chapter.start_s, chapter.title.as_str()))
            .collect()
    }

    fn panel(name: &str, markers: &[(u32, &str)]) -> Value {
        let contents: Vec<Value> = markers
            .iter()
            .map(|(start, title)| {
                json!({ "macroMarkersListItemRenderer": {
                    "title": { "simpleText": title },
                    "timeDescription": { "simpleText": "9:59" },
                    "onTap": { "watchEndpoint": { "startTimeSeconds": start } },
                }})
            })
            .collect();
        json!({ "engagementPanelSectionListRenderer": {
            "panelIdentifier": name,
            "content": { "macroMarkersListRenderer": { "contents": contents } },
        }})
    }

    #[test]
    fn chapters_of_the_maker_win_over_made_up_ones() {
        let page = json!({ "engagementPanels": [
            { "engagementPanelSectionListRenderer": { "content": {} } },
            panel("engagement-panel-macro-markers-auto-chapters", &[(0, "Guess"), (9, "Guess again")]),
            panel("engagement-panel-macro-markers-description-chapters", &[(67, "Later"), (0, " Intro "), (67, "Twice")]),
        ]});
        assert_eq!(listed(&of_page(&page)), [(0.0, "Intro"), (67.0, "Later")]);
        let page = json!({ "engagementPanels": [
            panel("engagement-panel-macro-markers-auto-chapters", &[(0, "Guess"), (9, "Guess again")]),
        ]});
        assert_eq!(of_page(&page).len(), 2);
        assert!(of_page(&json!({ "engagementPanels": 7 })).is_empty());
    }

    #[test]
    fn the_shown_time_serves_where_the_link_has_none() {
        let marker = json!({
            "title": { "runs": [{ "text": "Second " }, { "text": "part" }] },
            "timeDescription": { "simpleText": "1:07" },
        });
        let found = chapter(&marker).unwrap();
        assert_eq!((found.start_s, found.title.as_str()), (67.0, "Second part"));
    }

    #[test]
    fn time_stamps_of_a_description_are_read_in_the_usual_forms() {
        let text = "About this video\n\n0:00 Intro\n(01:30) - Ownership: a start\n• 10:05 | Borrowing\nThe end 1:02:03\n\nMeet us at 5 pm";
        assert_eq!(
            listed(&of_description(text)),
            [
                (0.0, "Intro"),
                (90.0, "Ownership: a start"),
                (605.0, "Borrowing"),
                (3_723.0, "The end"),
            ]
        );
    }

    #[test]
    fn scattered_time_stamps_are_not_chapters() {
        for text in [
            "0:00 Intro\n1:00 End",
            "0:10 One\n1:00 Two\n2:00 Three",
            "0:00 One\n2:00 Two\n1:00 Three",
            "0:00\n1:00\n2:00",
            "at 0:61 One\n1:75 Two\n2:99 Three",
            "",
        ] {
            assert!(of_description(text).is_empty(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_description_makes_the_reader_panic(text in "[0-9: ()\\-a\\n–]{0,120}") {
            let found = of_description(&text);
            prop_assert!(found.windows(2).all(|two| two[0].start_s < two[1].start_s));
        }
    }
}
