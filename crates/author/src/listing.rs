//! Owns the source as a model reads it: numbered units under their headings, in batches that fit a context, and its outline.

use crate::code_lines::LineKind;
use crate::units::{Unit, UnitKind, Units};
use skillkiln_document::text::squash;
use skillkiln_skills::tokens::tokens;
use std::collections::BTreeSet;

/// Longest line that is shown whole.
const LINE_CHARS_MAX: usize = 1_200;
/// A section is told by one more opening for each of so many tokens.
const TOKENS_AN_OPENING: usize = 1_200;
/// Openings that are told of one section.
const OPENINGS_MAX: usize = 8;
/// How much of a section's opening its line in the outline tells.
const OPENING_CHARS_MAX: usize = 110;

/// Some units, each with its number, under their headings.
#[must_use]
pub fn of(units: &Units, numbers: &BTreeSet<u32>) -> String {
    let mut out = String::new();
    let mut section = None;
    let has_words = |unit: &&Unit| !unit.text.is_empty() || !unit.lines.is_empty();
    let shown = numbers.iter().filter_map(|number| units.get(*number));
    for unit in shown.filter(has_words) {
        let is_heading = matches!(unit.kind, UnitKind::Heading(_));
        if section != Some(unit.section) {
            if !out.is_empty() {
                out.push('\n');
            }
            // A batch may begin in the middle of a section.
            if !is_heading && let Some(own) = units.sections().get(unit.section) {
                out.push_str(&format!("(under {})\n", clip(&own.path, 200)));
            }
            section = Some(unit.section);
        }
        show(unit, &mut out);
    }
    out
}

/// Everything.
#[must_use]
pub fn whole(units: &Units) -> String {
    of(units, &units.all().iter().map(|unit| unit.number).collect())
}

fn show(unit: &Unit, out: &mut String) {
    let label = match unit.label.is_empty() {
        true => String::new(),
        false => format!("({}) ", clip(&unit.label, 80)),
    };
    let text = clip(&unit.text, LINE_CHARS_MAX * 4);
    let number = unit.number;
    match &unit.kind {
        UnitKind::Heading(level) => {
            let marks = "#".repeat(usize::from((*level).clamp(1, 6)));
            out.push_str(&format!("[{number}] {marks} {text}\n"));
        }
        UnitKind::Item(is_ordered) => {
            let mark = if *is_ordered { "1." } else { "-" };
            out.push_str(&format!("[{number}] {mark} {label}{text}\n"));
        }
        UnitKind::Code(language) => out.push_str(&format!("[{number}] {label}code {language}\n")),
        UnitKind::Table => out.push_str(&format!("[{number}] {label}table: {text}\n")),
        UnitKind::Paragraph | UnitKind::Math | UnitKind::Figure => {
            out.push_str(&format!("[{number}] {label}{text}\n"));
        }
    }
    for (line, code) in (1..).zip(&unit.lines) {
        let mark = match code.kind {
            LineKind::Command => "$ ",
            LineKind::Output => "> ",
            LineKind::Code | LineKind::Row => "",
        };
        out.push_str(&format!(
            "{number}.{line} {mark}{}\n",
            clip(&code.text, LINE_CHARS_MAX)
        ));
    }
}

/// The sections of these numbers, as batches of units that fit, in their order. A section is cut only where it does not fit alone.
#[must_use]
pub fn batches(units: &Units, sections: &BTreeSet<usize>, tokens_max: usize) -> Vec<BTreeSet<u32>> {
    let mut out: Vec<BTreeSet<u32>> = Vec::new();
    let mut spent = usize::MAX;
    for section in sections {
        let own = units.of_section(*section);
        let costs: Vec<usize> = own.iter().map(cost).collect();
        let all: usize = costs.iter().sum();
        if spent.saturating_add(all) > tokens_max {
            spent = usize::MAX;
        }
        for (unit, cost) in own.iter().zip(&costs) {
            if spent.saturating_add(*cost) > tokens_max {
                out.push(BTreeSet::new());
                spent = 0;
            }
            spent += cost;
            if let Some(batch) = out.last_mut() {
                batch.insert(unit.number);
            }
        }
    }
    out
}

/// What a unit takes in a listing.
#[must_use]
pub fn cost(unit: &Unit) -> usize {
    let mut out = String::new();
    show(unit, &mut out);
    tokens(&out) + 4
}

/// The sections, a line each: number, headings, size, what is in it, how it begins.
#[must_use]
pub fn outline(units: &Units, tokens_max: usize) -> String {
    let mut out = String::new();
    let mut spent = 0;
    for (section, own) in units.sections().iter().enumerate() {
        let inside = units.of_section(section);
        let size: usize = inside.iter().map(cost).sum();
        let codes = inside.iter().filter(|unit| unit.is_code()).count();
        let count = (size / TOKENS_AN_OPENING).clamp(1, OPENINGS_MAX);
        let openings: Vec<String> = openings(inside, count)
            .map(|opening| clip(&squash(opening), OPENING_CHARS_MAX))
            .collect();
        let line = format!(
            "S{section} | {} | {size} tokens, {codes} code | {}\n",
            clip(&own.path, 140),
            openings.join(" / ")
        );
        spent += tokens(&line);
        if spent > tokens_max {
            out.push_str("(more sections, which do not fit here)\n");
            break;
        }
        out.push_str(&line);
    }
    out
}

/// How some units begin: the first with words, and others in even steps.
fn openings(units: &[Unit], count: usize) -> impl Iterator<Item = &str> {
    let words = |unit: &&Unit| !matches!(unit.kind, UnitKind::Heading(_));
    let told: Vec<&str> = units
        .iter()
        .filter(words)
        .map(|unit| match (unit.text.is_empty(), unit.lines.first()) {
            (true, Some(line)) => line.text.as_str(),
            _ => unit.text.as_str(),
        })
        .filter(|text| !text.is_empty())
        .collect();
    let step = told.len().div_ceil(count).max(1);
    told.into_iter().step_by(step)
}

/// The beginning of a text.
#[must_use]
pub fn clip(text: &str, chars_max: usize) -> String {
    let mut rest = text.char_indices().skip(chars_max);
    match rest.next() {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default().trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::testing::document;

    fn units(text: &str) -> Units {
        Units::of("Kiln", &document(text).blocks)
    }

    #[test]
    fn units_are_shown_with_their_numbers() {
        let units = units("# Kiln\n\nHeat it.\n\n1. open\n\n```console\n$ kiln stop\nstopped\n```");
        assert_eq!(
            whole(&units),
            "[1] # Kiln\n[2] Heat it.\n[3] 1. open\n[4] code console\n4.1 $ kiln stop\n4.2 > stopped\n"
        );
        let part = of(&units, &BTreeSet::from([2]));
        assert_eq!(part, "(under Kiln)\n[2] Heat it.\n");
    }

    #[test]
    fn batches_fit_and_hold_every_unit() {
        let text: String = (0..60)
            .map(|n| format!("## Part {n}\n\nSentence {n} tells of a thing that matters here.\n\n"))
            .collect();
        let units = units(&text);
        let all: BTreeSet<usize> = (0..units.sections().len()).collect();
        let batches = batches(&units, &all, 120);
        assert!(batches.len() > 5);
        let shown: usize = batches.iter().map(BTreeSet::len).sum();
        assert_eq!(shown, units.all().len());
        assert!(
            batches.iter().all(|batch| batch.len() % 2 == 0),
            "no section is cut"
        );
        assert!(outline(&units, 100).ends_with("do not fit here)\n"));
        assert_eq!(outline(&units, 100_000).lines().count(), 60);
    }

    #[test]
    fn a_long_section_is_told_by_several_openings() {
        let text: String = (0..400)
            .map(|n| format!("Sentence {n} tells of a thing that matters here.\n\n"))
            .collect();
        let outline = outline(&units(&text), 100_000);
        assert_eq!(outline.lines().count(), 1);
        assert!(
            outline.contains("| Sentence 0 tells") && outline.contains(" / Sentence "),
            "{outline}"
        );
    }

    #[test]
    fn what_is_too_long_is_clipped_between_characters() {
        assert_eq!(clip("窯を焚く", 2), "窯を…");
        assert_eq!(clip("kiln", 4), "kiln");
    }
}
