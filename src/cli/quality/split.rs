//! The plainest alternative to a skill: the document's own Markdown, split at its headings under a list of contents. It is what a skill has to
//! cost less than.

use super::wording::plain;
use regex::Regex;
use std::sync::LazyLock;

/// The characters from which a section is split further.
const PART_CHARS_MAX: usize = 12_000;

static FENCE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s*(`{3,}|~{3,})").expect("a pattern that its tests use"));
static HEADING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(#{1,6})\s+(.*?)\s*#*\s*$").expect("a pattern that its tests use")
});

/// A heading of a text in Markdown.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Heading {
    pub(super) level: usize,
    pub(super) title: String,
    /// Where its line begins, in bytes.
    pub(super) at: usize,
}

/// The headings outside of code.
pub(super) fn headings(markdown: &str) -> Vec<Heading> {
    let mut found = Vec::new();
    let mut fence: Option<String> = None;
    let mut at = 0;
    for line in markdown.split_inclusive('\n') {
        let mark = FENCE.captures(line).and_then(|found| found.get(1));
        if let Some(mark) = mark.map(|mark| mark.as_str()) {
            match &fence {
                None => fence = mark.get(..3).map(str::to_owned),
                Some(open) if mark.starts_with(open.as_str()) => fence = None,
                Some(_) => {}
            }
        } else if fence.is_none()
            && let Some(parts) = HEADING.captures(line.trim_end_matches('\n'))
            && let (Some(level), Some(title)) = (parts.get(1), parts.get(2))
        {
            found.push(Heading {
                level: level.len(),
                title: plain(title.as_str()),
                at,
            });
        }
        at += line.len();
    }
    found
}

/// A section and the titles that lead to it.
struct Section<'a> {
    trail: Vec<String>,
    text: &'a str,
}

/// The sections of a document at the second level of headings, larger ones at the third and below, each under its label.
pub(super) fn sections(markdown: &str) -> Vec<(String, &str)> {
    let mut cut = Vec::new();
    let whole = Section {
        trail: Vec::new(),
        text: markdown,
    };
    at_level(whole, &headings(markdown), 0, 1, &mut cut);
    let mut parts = Vec::new();
    for section in cut {
        at_second_level(section, &mut parts);
    }
    parts
        .into_iter()
        .map(|Section { trail, text }| {
            let inner: Vec<String> = headings(text)
                .into_iter()
                .map(|heading| heading.title)
                .filter(|title| !trail.contains(title))
                .collect();
            let named = trail.into_iter().filter(|title| !title.is_empty());
            let label: Vec<String> = named.chain(inner).collect();
            (label.join(" / "), text)
        })
        .collect()
}

/// Cuts a section, which begins at `from` of the document, at its headings of one level.
fn at_level<'a>(
    section: Section<'a>,
    headings: &[Heading],
    from: usize,
    level: usize,
    out: &mut Vec<Section<'a>>,
) {
    let to = from + section.text.len();
    let marks: Vec<&Heading> = headings
        .iter()
        .filter(|heading| (from..to).contains(&heading.at) && heading.level == level)
        .collect();
    let is_short = |text: &str| text.chars().count() <= PART_CHARS_MAX;
    if marks.is_empty() || (is_short(section.text) && level > 2) {
        out.push(section);
        return;
    }
    let ends = marks
        .iter()
        .map(|mark| (mark.at, Some(&mark.title)))
        .chain([(to, None)]);
    let (mut at, mut trail) = (from, section.trail.clone());
    for (end, title) in ends {
        let text = section.text.get(at - from..end - from).unwrap_or_default();
        if !text.trim().is_empty() {
            let is_cut = !is_short(text) && level < 6;
            let piece = Section { trail, text };
            match is_cut {
                true => at_level(piece, headings, at, level + 1, out),
                false => out.push(piece),
            }
        }
        at = end;
        trail = section.trail.iter().chain(title).cloned().collect();
    }
}

/// A section that still has several of the second level is cut there, as a person would.
fn at_second_level<'a>(section: Section<'a>, out: &mut Vec<Section<'a>>) {
    let heads: Vec<Heading> = headings(section.text)
        .into_iter()
        .filter(|heading| heading.level == 2)
        .collect();
    if heads.len() < 2 {
        out.push(section);
        return;
    }
    let ends = heads
        .iter()
        .map(|head| (head.at, Some(&head.title)))
        .chain([(section.text.len(), None)]);
    let (mut at, mut trail) = (0, section.trail.clone());
    for (end, title) in ends {
        let text = section.text.get(at..end).unwrap_or_default();
        if !text.trim().is_empty() {
            out.push(Section {
                trail: trail.clone(),
                text,
            });
        }
        at = end;
        trail = section.trail.iter().chain(title).cloned().collect();
    }
}

/// The anchor that leads to a heading.
pub(super) fn anchor(title: &str) -> String {
    title
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_code_is_no_heading() {
        let found = headings("# Kilns\n```sh\n# fire\n```\n## Firing `slow` ##\n");
        let titles: Vec<(usize, &str)> = found
            .iter()
            .map(|head| (head.level, head.title.as_str()))
            .collect();
        assert_eq!(titles, [(1, "Kilns"), (2, "Firing slow")]);
        assert_eq!(anchor("Firing (slow), `--x`"), "firing-slow---x");
    }

    #[test]
    fn a_document_is_split_at_its_second_level_under_labels() {
        let parts = sections(
            "# Kilns\n\nAll of them.\n\n## Fire\n\nSlowly.\n\n## Glaze\n\n### Tin\n\nThin.\n",
        );
        let labels: Vec<&str> = parts.iter().map(|(label, _)| label.as_str()).collect();
        assert_eq!(labels, ["Kilns", "Kilns / Fire", "Kilns / Glaze / Tin"]);
        let long = format!(
            "# Kilns\n\n## Fire\n\n{}\n\n### Wood\n\nDry.\n",
            "word ".repeat(4_000)
        );
        let parts = sections(&long);
        assert_eq!(
            parts.last().map(|(label, _)| label.as_str()),
            Some("Kilns / Fire / Wood")
        );
    }
}
