//! Owns what the reference files are called, and what is said of each where something points at it: the words of its own headings.

use super::{FILE_WORDS_MIN, Reference};
use crate::pipeline::scaffold::VAGUE_FILES;
use crate::pipeline::synthesize::describe::{Gist, clip, has_telling_words};
use crate::pipeline::synthesize::heading_words::{for_description, is_structural};
use crate::pipeline::synthesize::outline::{Outline, Part, block_text, is_generic, is_peripheral};
use crate::pipeline::synthesize::series::{day_of, tells_change, told_by, without_urgency};
use crate::pipeline::synthesize::signature;
use crate::pipeline::synthesize::wording::is_unfinished;
use crate::pipeline::synthesize::words::is_english_stop;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{file_slug, plain, slug, squash};
use std::collections::HashSet;

/// A file of so many sections is called by all of them, in so many letters.
const TITLES_MAX: usize = 3;
const TITLES_CHARS: usize = 80;
/// A file of a log is called by two of its entries, in so many letters.
const LOG_TITLE_CHARS: usize = 100;
const BETWEEN_TITLES: &str = "; ";
pub(in crate::pipeline::synthesize) const UNTIL_TITLE: &str = " … ";
/// A longer term is named by its first word.
const TERM_CHARS_MAX: usize = 32;
const QUESTION_CHARS: usize = 72;
/// So many terms stand for all in a pointer.
const TOPICS_OF_TERMS: usize = 4;

/// The headings of the highest level in `blocks`.
pub(in crate::pipeline::synthesize) fn top_headings(blocks: &[Block]) -> Vec<String> {
    let headings = || {
        blocks.iter().filter_map(|block| match &block.kind {
            BlockKind::Heading { level, text } => Some((*level, text)),
            _ => None,
        })
    };
    let highest = headings().map(|(level, _)| level).min().unwrap_or(0);
    headings()
        .filter(|(level, _)| *level == highest)
        .map(|(_, text)| squash(&plain(text)))
        .collect()
}

/// The headings of the highest level, each with how many words stand below it.
fn sections(blocks: &[Block]) -> Vec<(String, usize)> {
    let levels = blocks.iter().filter_map(|block| match block.kind {
        BlockKind::Heading { level, .. } => Some(level),
        _ => None,
    });
    let highest = levels.min().unwrap_or(0);
    let mut sections: Vec<(String, usize)> = Vec::new();
    for block in blocks {
        match &block.kind {
            BlockKind::Heading { text, level } if *level == highest => {
                sections.push((squash(&plain(text)), 0));
            }
            _ => {
                if let Some((_, words)) = sections.last_mut() {
                    *words += block_text(block).split_whitespace().count();
                }
            }
        }
    }
    sections
}

/// What a file mostly holds: where it begins inside a section, and that is more than half of it, what stands before the next one.
fn mostly(content: &[Block]) -> &[Block] {
    let level = |block: &Block| match block.kind {
        BlockKind::Heading { level, .. } => Some(level),
        _ => None,
    };
    let highest = content.iter().filter_map(level).min();
    let next = content.iter().position(|block| level(block) == highest);
    let lead = content.get(..next.unwrap_or_default()).unwrap_or_default();
    let words = |blocks: &[Block]| {
        let words = blocks
            .iter()
            .map(|block| block_text(block).split_whitespace().count());
        words.sum::<usize>()
    };
    match lead.first().and_then(level) {
        Some(_) if words(lead) * 2 > words(content) => lead,
        _ => content,
    }
}

/// A title for a file: its one heading, the first of several, or where it goes on.
pub(super) fn file_title(
    part: &Part,
    content: &[Block],
    outline: &Outline,
    title: &str,
    common: &HashSet<&str>,
) -> String {
    let content = mostly(content);
    let starts_with_heading = matches!(
        content.first().map(|block| &block.kind),
        Some(BlockKind::Heading { .. })
    );
    let tops = top_headings(content);
    let sections = sections(content);
    let words: usize = sections.iter().map(|(_, words)| words).sum();
    let is_brief = |heading: &String| {
        let mut own = sections.iter().filter(|(title, _)| title == heading);
        own.all(|(_, words)| *words < FILE_WORDS_MIN)
    };
    // What most of a file stands below.
    let main = || {
        let main = sections.iter().find(|(_, own)| own * 2 > words);
        main.map(|(title, _)| title)
    };
    let tells = |heading: &&String| {
        let words = heading.trim_end_matches([':', ' ']);
        !common.contains(heading.as_str())
            && !is_generic(words)
            && !is_peripheral(words)
            && !is_structural(words)
    };
    let path = outline
        .section_at(part.blocks.start)
        .map(|section| outline.path(section))
        .unwrap_or_default();
    // An example or its like is called with the section that it belongs to.
    let above = path
        .iter()
        .rev()
        .nth(1)
        .copied()
        .filter(|above| *above != title);
    let chosen = match tops.as_slice() {
        [only] if starts_with_heading && (tells(&only) || above.is_none()) => {
            from_below(content, &tops).unwrap_or_else(|| only.clone())
        }
        [only] if starts_with_heading => {
            let above = above.unwrap_or_default();
            format!("{above}: {}", only.trim_end_matches([':', ' ']))
        }
        [first, ..] if starts_with_heading && content.len() > 1 => {
            // Several sections: all of them, or the one that gave the part its name, or the first that tells.
            let of_all = || {
                tops.iter()
                    .find(|heading| **heading == part.name)
                    .filter(tells)
                    .or_else(|| {
                        main().filter(|heading| {
                            !is_peripheral(heading) && !common.contains(heading.as_str())
                        })
                    })
                    .or_else(|| tops.iter().find(tells))
                    .or_else(|| tops.iter().find(|heading| names_contents(heading)))
                    .unwrap_or(first)
                    .clone()
            };
            // How to contribute is what a file is on of which most is on that.
            let is_main =
                |heading: &&String| main() == Some(*heading) && !common.contains(heading.as_str());
            let is_worth_naming =
                |heading: &&String| (tells(heading) || is_main(heading)) && !is_brief(heading);
            // What is numbered is looked for by its number, whatever it is on.
            let is_in_order = |_: &&String| tops.iter().all(|top| is_numbered(top));
            of_log(&tops)
                .or_else(|| from_below(content, &tops))
                .or_else(|| of_several(&tops, &is_in_order))
                .or_else(|| of_several(&tops, &is_worth_naming))
                .unwrap_or_else(of_all)
        }
        _ if !part.name.is_empty() && part.blocks.start == section_start(part, outline) => {
            part.name.clone()
        }
        _ => {
            let own = path.last().copied().unwrap_or(&part.name);
            let stem = if own.is_empty() { title } else { own };
            match tops.iter().find(tells) {
                Some(heading) => heading.clone(),
                None if part.is_lead || outline.sections.len() <= 1 && !part.name.is_empty() => {
                    stem.to_owned()
                }
                None => continued(stem, content),
            }
        }
    };
    // A list of what is to be done is told by what that is, and not by a mark that something is missing here (V070).
    let chosen = match is_unfinished(&chosen) {
        true => continued(title, content),
        false => chosen,
    };
    let chosen = clip(&squash(&chosen), 100);
    if chosen.is_empty() {
        title.to_owned()
    } else {
        chosen
    }
}

/// Whether a heading begins with its number, such as "4.2 Doors".
fn is_numbered(heading: &str) -> bool {
    let first = heading.split_whitespace().next().unwrap_or_default();
    first.starts_with(|c: char| c.is_ascii_digit())
        && first.chars().all(|c| c.is_ascii_digit() || c == '.')
        && heading.contains(' ')
}

/// A title for what begins within a numbered section and goes on to a higher one: "4.1.11 Lids … 4.2 Doors".
fn from_below(content: &[Block], tops: &[String]) -> Option<String> {
    let headings = || {
        content.iter().filter_map(|block| match &block.kind {
            BlockKind::Heading { level, text } => Some((*level, squash(&plain(text)))),
            _ => None,
        })
    };
    let (level, first) = headings().next()?;
    let is_below = headings().any(|(other, _)| other < level);
    let last = tops.last()?;
    match is_below && is_numbered(&first) && is_numbered(last) {
        true => fitted(vec![first, last.clone()], UNTIL_TITLE),
        false => None,
    }
}

/// A title for several sections: each of a few, the first and the last of more that tell; `None` where fewer than two do.
fn of_several(tops: &[String], tells: &dyn Fn(&&String) -> bool) -> Option<String> {
    let bare = |heading: &String| heading.trim_end_matches([':', ' ']).to_owned();
    let told: Vec<String> = tops.iter().filter(tells).map(bare).collect();
    let (named, between) = match told.as_slice() {
        [first, .., last] if tops.len() > TITLES_MAX => {
            (vec![first.clone(), last.clone()], UNTIL_TITLE)
        }
        _ => (told, BETWEEN_TITLES),
    };
    fitted(named, between)
}

/// Titles in a row, each as long as there is room for all; `None` where they are one.
fn fitted(named: Vec<String>, between: &str) -> Option<String> {
    if named.len() < 2 || named.first() == named.last() {
        return None;
    }
    let named = without_common_lead(named);
    // Of long headings each gives the words that it begins with, as many as the short ones leave.
    let mut room = TITLES_CHARS.saturating_sub(between.len() * (named.len() - 1));
    let mut by_length: Vec<(usize, usize)> = (0..)
        .zip(&named)
        .map(|(at, title)| (title.chars().count(), at))
        .collect();
    by_length.sort_unstable();
    let mut shown = named.clone();
    for (number, (chars, at)) in by_length.iter().enumerate() {
        let share = room / (named.len() - number);
        if let (true, Some(title)) = (*chars > share, shown.get_mut(*at)) {
            *title = before_small_words(&clip(title, share)).to_owned();
        }
        let taken = shown.get(*at).map_or(0, |title| title.chars().count());
        room = room.saturating_sub(taken);
    }
    Some(shown.join(between))
}

/// "Advanced: Doors" and "Lids" of "Advanced: Doors" and "Advanced: Lids": what all headings begin with is said once.
fn without_common_lead(titles: Vec<String>) -> Vec<String> {
    let lead = |title: &str| {
        title
            .find(": ")
            .and_then(|at| title.get(..at + 2))
            .map(str::to_owned)
    };
    let Some(common) = titles.first().and_then(|first| lead(first)) else {
        return titles;
    };
    if !titles.iter().all(|title| title.starts_with(&common)) {
        return titles;
    }
    let bare = |(number, title): (usize, &String)| match number {
        0 => title.clone(),
        _ => title.get(common.len()..).unwrap_or(title).to_owned(),
    };
    titles.iter().enumerate().map(bare).collect()
}

/// A title that was cut, without the small words at its end, which lead to what is gone.
fn before_small_words(title: &str) -> &str {
    let mut kept = title;
    while let Some((head, last)) = kept.rsplit_once(' ')
        && is_english_stop(&last.to_lowercase())
    {
        kept = head;
    }
    kept.trim_end_matches([',', ':', ';', ' '])
}

/// A title for entries of a log: the first and the last, by their days where they begin with them.
fn of_log(tops: &[String]) -> Option<String> {
    let (first, last) = (tops.first()?, tops.last().filter(|_| tops.len() > 1)?);
    let is_log = tops.iter().all(|top| tells_change(top));
    let name = |top: &String| day_of(top).unwrap_or(without_urgency(top)).to_owned();
    let (first, last) = (name(first), name(last));
    let title = match first == last {
        true => first,
        false => [first, last].join(UNTIL_TITLE),
    };
    (is_log && title.chars().count() <= LOG_TITLE_CHARS).then_some(title)
}

/// Whether a heading says at least of what kind what stands below it is, and not only who made it.
fn names_contents(heading: &str) -> bool {
    let is_author = heading
        .get(..6)
        .is_some_and(|start| start.eq_ignore_ascii_case("author"));
    !is_generic(heading) && !is_peripheral(heading) && !is_author
}

/// A title for what begins in the middle of a section: the section with its first and last term, or with what it comes back to.
fn continued(section: &str, content: &[Block]) -> String {
    let section = section.trim_end_matches([':', ' ']);
    match terms(content).as_slice() {
        [first, .., last] => format!("{section}: {first} to {last}"),
        [only] => format!("{section}: {only}"),
        [] => match Gist::of(&[content]).phrases(2) {
            [] => section.to_owned(),
            phrases => format!("{section}: {}", phrases.join(", ")),
        },
    }
}

/// What the lists of definitions in a file define, each by its first name.
fn terms(content: &[Block]) -> Vec<String> {
    let entries = content.iter().filter_map(|block| match &block.kind {
        BlockKind::Definitions(entries) => Some(entries),
        _ => None,
    });
    let mut out: Vec<String> = Vec::new();
    for entry in entries.flatten() {
        let Some(term) = entry.terms.first().map(|term| squash(&plain(term))) else {
            continue;
        };
        let name = short_term(&term);
        if name.contains(char::is_alphabetic) && !is_unfinished(&name) && !out.contains(&name) {
            out.push(name);
        }
    }
    out
}

/// `--heat` of `-h, --heat=DEGREES`, and the first words of what is no option.
fn short_term(term: &str) -> String {
    let words = term
        .split([' ', ',', '=', '[', '<', '|'])
        .filter(|word| !word.is_empty());
    let is_option = |word: &&str| word.starts_with('-') && word.contains(char::is_alphabetic);
    let long = words
        .clone()
        .find(|word| word.starts_with("--") && word.len() > 3);
    match long.or_else(|| words.clone().next().filter(is_option)) {
        Some(option) => option.to_owned(),
        // A question is asked by its words.
        None if term.ends_with('?') && term.chars().count() <= QUESTION_CHARS => term.to_owned(),
        None if term.chars().count() <= TERM_CHARS_MAX => {
            term.trim_end_matches([':', ',', '.']).to_owned()
        }
        None => words.clone().next().unwrap_or_default().to_owned(),
    }
}

fn section_start(part: &Part, outline: &Outline) -> usize {
    outline
        .section_at(part.blocks.start)
        .and_then(|number| outline.sections.get(number))
        .map_or(usize::MAX, |section| section.own.start)
}

/// The name of a file, without its folder and ending.
pub(super) fn base_name(title: &str, whole: &str, number: usize, chars: usize) -> String {
    match slug(&signature::short(title), chars) {
        nothing if nothing.len() < 2 => format!("section-{}", number + 1),
        // A version or a date tells only beside what it is one of.
        vague if VAGUE_FILES.contains(&vague.as_str()) || !vague.contains(char::is_alphabetic) => {
            let room = chars.saturating_sub(vague.len() + 1);
            let named = slug(&format!("{} {vague}", slug(whole, room)), chars);
            if named.contains(char::is_alphabetic) {
                named
            } else {
                format!("section-{vague}")
            }
        }
        base => file_slug(&base, chars),
    }
}

pub(super) fn filename(base: String, taken: &mut HashSet<String>) -> String {
    let mut candidate = base.clone();
    let mut next = 2;
    while !taken.insert(candidate.clone()) {
        candidate = format!("{base}-{next}");
        next += 1;
    }
    format!("references/{candidate}.md")
}

/// A title as a pointer shows it: the first topic where the file's own title stands already.
pub(super) fn title_apart(references: &[Reference], title: &str, topics: &[String]) -> String {
    let own = signature::heading(title);
    match topics.first() {
        Some(topic) if references.iter().any(|other| other.title == own) => topic.clone(),
        _ => own.into_owned(),
    }
}

/// What a file holds, for the pointer that leads to it.
pub(super) fn topics(content: &[Block], title: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for (at, block) in content.iter().enumerate() {
        if let BlockKind::Heading { text, level } = &block.kind {
            let next = content.get(at + 1).map(|next| &next.kind);
            let is_void = match next {
                Some(BlockKind::Heading { level: next, .. }) => next <= level,
                Some(_) => false,
                None => true,
            };
            let heading = squash(&plain(text));
            let Some(words) = told_by(&heading).filter(|_| !is_void).map(topic) else {
                continue;
            };
            if !words.is_empty()
                && words.chars().count() <= 60
                && !is_named_in(title, &words)
                && !is_generic(&words)
                && !is_structural(&words)
                && !is_peripheral(&words)
                && !crate::pipeline::synthesize::wording::ages_or_fills(&words)
                && !out.contains(&words)
            {
                out.push(words);
            }
        }
        if out.len() >= 4 {
            return out;
        }
    }
    let terms = terms(content);
    if out.is_empty() && terms.len() > 2 {
        let last = terms.len() - 1;
        let spread =
            (0..TOPICS_OF_TERMS).filter_map(|at| terms.get(at * last / (TOPICS_OF_TERMS - 1)));
        out = spread.cloned().collect();
        out.dedup();
    }
    if out.is_empty() {
        let lower = title.to_lowercase();
        let gist = Gist::of(&[content]);
        // Elsewhere a word that comes back may be any word.
        let phrases = gist.phrases(6).iter();
        let phrases: Vec<String> = phrases
            .filter(|phrase| has_telling_words(gist.language) || phrase.contains([' ', '-']))
            .filter(|phrase| !lower.contains(&phrase.to_lowercase()))
            .cloned()
            .collect();
        // A run of words tells more than a word.
        let (runs, single): (Vec<String>, Vec<String>) = phrases
            .into_iter()
            .partition(|phrase| phrase.contains([' ', '-']));
        out = runs.into_iter().chain(single).take(3).collect();
    }
    out
}

/// The titles of sections that make the title of a file.
pub(super) fn titles_in(title: &str) -> impl Iterator<Item = &str> {
    title
        .split(BETWEEN_TITLES)
        .flat_map(|own| own.split(UNTIL_TITLE))
}

/// Whether the title of a file names this one of its sections.
fn is_named_in(title: &str, words: &str) -> bool {
    titles_in(title).any(|own| for_description(own).eq_ignore_ascii_case(words))
}

/// A heading as a topic of a pointer: a short signature as it stands, for without its types it is in no source.
fn topic(heading: &str) -> String {
    let heading = squash(heading);
    let repeated = signature::heading(&heading);
    if signature::short(&heading) != heading && repeated == heading {
        heading
    } else {
        for_description(&heading)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_several_sections_is_called_by_all_of_a_few_and_by_the_ends_of_many() {
        let title = |tops: &[&str]| {
            let tops: Vec<String> = tops.iter().map(|top| (*top).to_owned()).collect();
            of_several(&tops, &|heading| *heading != "Notes")
        };
        assert_eq!(title(&["Doors", "Wood:"]).unwrap(), "Doors; Wood");
        assert_eq!(title(&["1.4", "1.3", "1.2", "1.1"]).unwrap(), "1.4 … 1.1");
        assert_eq!(title(&["Doors", "Notes"]), None);
        assert_eq!(
            title(&["Notes", "Doors", "Wood", "Ash", "Notes"]).unwrap(),
            "Doors … Ash"
        );
        assert_eq!(
            title(&["Doors", &"Wood and ash ".repeat(9)]).unwrap(),
            "Doors; Wood and ash Wood and ash Wood and ash Wood and ash Wood and ash Wood"
        );
        assert_eq!(
            title(&["Advanced: Doors", "Advanced: Lids", "Advanced: Locks"]).unwrap(),
            "Advanced: Doors; Lids; Locks"
        );
    }

    #[test]
    fn a_file_of_numbered_sections_is_called_by_the_first_and_the_last_of_them() {
        let told = "The door is heavy and opens slowly. ".repeat(20);
        let title = |markdown: &str| {
            let text = markdown.replace("TOLD", &told);
            let content = skillkiln_readers::markup::markdown::read(text).blocks;
            let part = Part {
                name: String::new(),
                is_lead: false,
                blocks: 0..content.len(),
                words: 200,
            };
            let outline = Outline::of(&content);
            file_title(&part, &content, &outline, "kiln", &HashSet::new())
        };
        assert_eq!(
            title("### 4.1.11 Lids\n\nTOLD\n\n## 4.2 Copyright\n\nTOLD\n\n## 4.3 Doors\n\nTOLD"),
            "4.1.11 Lids … 4.3 Doors"
        );
        assert_eq!(
            title("## 4.2 Copyright\n\nIt is free.\n\n## 4.3 Doors\n\nTOLD"),
            "4.2 Copyright; 4.3 Doors"
        );
    }

    #[test]
    fn a_file_is_called_by_what_most_of_it_is_although_that_has_a_common_name() {
        let told = "The door is heavy and opens slowly. ".repeat(30);
        let text = format!("## ERRORS\n\n{told}\n\n## VERSIONS\n\nIt is old.\n\n## Files\n\nNone.");
        let content = skillkiln_readers::markup::markdown::read(text).blocks;
        let outline = Outline::of(&content);
        let part = Part {
            name: String::new(),
            is_lead: false,
            blocks: 0..content.len(),
            words: 200,
        };
        let title = file_title(&part, &content, &outline, "kiln", &HashSet::new());
        assert_eq!(title, "ERRORS");
        let how = format!("## Contributing\n\n{told}{told}\n\n## Firing\n\n{told}");
        let content = skillkiln_readers::markup::markdown::read(how).blocks;
        let outline = Outline::of(&content);
        let title = file_title(&part, &content, &outline, "kiln", &HashSet::new());
        assert_eq!(title, "Contributing; Firing");
        let text = format!("## TODO\n\n{told}");
        let content = skillkiln_readers::markup::markdown::read(text).blocks;
        let outline = Outline::of(&content);
        let title = file_title(&part, &content, &outline, "kiln", &HashSet::new());
        assert!(title.starts_with("kiln: "), "{title}");
    }

    #[test]
    fn a_file_that_goes_on_with_a_section_is_not_called_by_what_follows_at_its_end() {
        let told = "The door is heavy and opens slowly. ".repeat(30);
        let read = |text: String| skillkiln_readers::markup::markdown::read(text).blocks;
        let inner = format!("### Doors\n\n{told}\n\n### Wood\n\n{told}\n\n# Index\n\nDoor, 3");
        let content = read(inner);
        assert_eq!(top_headings(mostly(&content)), ["Doors", "Wood"]);
        let content = read(format!("### Doors\n\nHeavy.\n\n# Ash\n\n{told}"));
        assert_eq!(top_headings(mostly(&content)), ["Ash"]);
    }
}
