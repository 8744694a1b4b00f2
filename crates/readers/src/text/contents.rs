//! Owns the tables of contents of plain text: the headings below say the same again, so they are no words of it.

use super::{Line, headings, lists};
use std::collections::{HashMap, HashSet};

/// What stands above a table of contents.
const NAMES: [&str; 6] = [
    "table of contents",
    "contents",
    "inhaltsverzeichnis",
    "inhalt",
    "table des matières",
    "índice",
];
/// Words before the number of a chapter.
const CHAPTERS: [&str; 4] = ["chapter", "appendix", "part", "section"];
/// So many entries below its name are a table of contents.
const NAMED_MIN: usize = 2;
/// So many entries with numbers are one without a name as well.
const NUMBERED_MIN: usize = 4;
/// A line of an entry is not longer.
const ENTRY_CHARS_MAX: usize = 120;
/// An entry takes no more lines.
const ENTRY_LINES_MAX: usize = 5;
/// So many lines may be between two entries that are no headings below.
const MISSES_MAX: usize = 2;

/// Takes out lines that are said again further down, each as a heading: below the name of such a table, or with numbers.
pub(super) fn clear(lines: &mut [Line<'_>]) {
    let is_numbered = |line: &Line<'_>| !line.words.is_empty() && !entry(line.words).0.is_empty();
    let is_start = |(at, line): (usize, &Line<'_>)| {
        let starts = is_name(line.words) || is_numbered(line);
        starts.then_some(at)
    };
    let starts: Vec<usize> = lines.iter().enumerate().filter_map(is_start).collect();
    if starts.len() < NUMBERED_MIN && !lines.iter().any(|line| is_name(line.words)) {
        return;
    }
    let headings = last_headings(lines);
    let mut behind = 0;
    for start in starts {
        if start < behind {
            continue;
        }
        let named = lines.get(start).is_some_and(|line| is_name(line.words));
        let Some(gone) = table(lines, start, named, &headings) else {
            continue;
        };
        behind = gone.iter().max().map_or(behind, |last| last + 1);
        for at in gone {
            if let Some(line) = lines.get_mut(at) {
                line.words = "";
            }
        }
    }
}

/// The lines of the table that begins at `start`, by its name when it is `named`.
fn table(
    lines: &[Line<'_>],
    start: usize,
    named: bool,
    headings: &HashMap<String, usize>,
) -> Option<Vec<usize>> {
    let mut gone = Vec::new();
    let mut at = start;
    if named {
        let has_ruler = lines
            .get(start + 1)
            .is_some_and(|line| is_drawn(line.words));
        gone.extend(start..=start + usize::from(has_ruler));
        at = start + 1 + usize::from(has_ruler);
    }
    let mut seen = HashSet::new();
    let mut names = HashSet::new();
    let mut first = None;
    let mut entries = 0;
    let mut missed: Vec<usize> = Vec::new();
    while let Some(line) = lines.get(at) {
        if line.words.is_empty() {
            at += 1;
            continue;
        }
        // A name that begins as a shorter one does is looked for as a whole.
        let found = (1..=ENTRY_LINES_MAX).rev().find_map(|length| {
            let taken = lines.get(at..at + length)?;
            let words = joined(taken)?;
            let (number, name) = entry(&words);
            let name = key(name);
            let recurs = headings.get(&name).is_some_and(|last| *last > at);
            (recurs && (named || !number.is_empty())).then(|| (length, number.to_owned(), name))
        });
        if let Some((length, number, name)) = found {
            // The first of the headings themselves: what was told so far is told again from here on.
            let is_first = first
                .as_ref()
                .is_some_and(|first| *first == name && number.is_empty());
            if is_first || !seen.insert((number, name.clone())) {
                break;
            }
            names.insert(name.clone());
            first.get_or_insert(name);
            gone.append(&mut missed);
            gone.extend(at..at + length);
            entries += 1;
            at += length;
        } else {
            // The first of the headings themselves, where no other is called so further down: its words are no entries, even if they
            // are said again below each heading.
            let is_heading = (1..=ENTRY_LINES_MAX).any(|length| {
                let words = lines.get(at..at + length).and_then(joined);
                words.is_some_and(|words| names.contains(&key(entry(&words).1)))
            });
            if is_heading {
                break;
            }
            let is_short = line.words.chars().count() <= ENTRY_CHARS_MAX
                && !line.words.ends_with(['.', ':', ',', ';']);
            if !is_short || entries == 0 || missed.len() >= MISSES_MAX {
                break;
            }
            missed.push(at);
            at += 1;
        }
    }
    // The last entries may be called otherwise below; right under the others, with a number, they are none but entries.
    for at in missed {
        let follows = gone.iter().max() == Some(&at.saturating_sub(1));
        let is_entry = |line: &Line<'_>| !entry(line.words).0.is_empty();
        if named && follows && lines.get(at).is_some_and(is_entry) {
            gone.push(at);
        }
    }
    let least = if named { NAMED_MIN } else { NUMBERED_MIN };
    (entries >= least).then_some(gone)
}

/// The words of an entry that takes these lines: those after its first one are indented further, and nothing ends in between.
fn joined(lines: &[Line<'_>]) -> Option<String> {
    let (first, more) = lines.split_first()?;
    let mut words = first.words.to_owned();
    for line in more {
        let goes_on = line.indent > first.indent && lists::marker(line.words).is_none();
        if line.words.is_empty() || !goes_on {
            return None;
        }
        words.push(' ');
        words.push_str(line.words);
    }
    (words.chars().count() <= ENTRY_CHARS_MAX * lines.len()).then_some(words)
}

/// Where each line stands last that may be a heading: it begins a stretch of lines, and is no item.
fn last_headings(lines: &[Line<'_>]) -> HashMap<String, usize> {
    let parts = |words: &str| words.is_empty() || is_drawn(words);
    let mut headings = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        let above = at.checked_sub(1).and_then(|above| lines.get(above));
        let is_item = lists::marker(line.words).is_some_and(|(_, number)| number.is_none());
        let stands_first = above.is_none_or(|above| parts(above.words));
        if stands_first
            && !is_item
            && !line.words.is_empty()
            && line.words.len() <= 2 * ENTRY_CHARS_MAX
        {
            // A question may be long: its lines are broken otherwise over the answer.
            let whole = lines.iter().skip(at).map(|line| line.words);
            let whole: Vec<&str> = whole
                .take(ENTRY_LINES_MAX + 1)
                .take_while(|words| !words.is_empty())
                .collect();
            if (2..=ENTRY_LINES_MAX).contains(&whole.len()) {
                headings.insert(key(entry(&whole.join(" ")).1), at);
            }
            let name = key(entry(line.words).1);
            if name.chars().filter(|c| c.is_alphabetic()).count() >= 3 {
                headings.insert(name, at);
            }
        }
    }
    headings
}

/// The letters and digits of a name: its dashes and quotes may be set otherwise over the section itself.
fn key(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The number of a section and its name, without the mark of an item, the word "Chapter", and the page behind a row of dots.
fn entry(words: &str) -> (&str, &str) {
    let words = match lists::marker(words) {
        Some((length, None)) => words.get(length..).unwrap_or(words).trim_start(),
        _ => words,
    };
    let called = words
        .split_once(char::is_whitespace)
        .filter(|(word, rest)| {
            CHAPTERS.contains(&word.to_lowercase().as_str()) && number(rest.trim_start()).is_some()
        });
    let words = called.map_or(words, |(_, rest)| rest.trim_start());
    let count = number(words).unwrap_or("");
    let name = words.get(count.len()..).unwrap_or(words);
    let name = name.trim_start_matches(|c: char| c.is_whitespace() || ".):".contains(c));
    (count, without_page(name).trim_end_matches([':', '.', ' ']))
}

/// The number of a section that `words` begin with: `3`, `3.2`, `A.1` or `B.`, with a name behind it.
fn number(words: &str) -> Option<&str> {
    let (first, _) = words.split_once(char::is_whitespace)?;
    let number = first.trim_end_matches(['.', ')', ':']);
    let mut parts = number.split('.');
    let is_digits =
        |part: &str| (1..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    let head = parts.next()?;
    let is_letter = head.len() == 1
        && head.bytes().all(|b| b.is_ascii_uppercase())
        && (number.len() < first.len() || number.contains('.'));
    ((is_digits(head) || is_letter) && parts.all(is_digits)).then_some(number)
}

/// The name of an entry without the number of its page, which dots or a wide gap lead to.
fn without_page(words: &str) -> &str {
    let bare = words.trim_end_matches(|c: char| c.is_ascii_digit());
    let leads = bare.len() < words.len()
        && ["..", ". ", "   ", "\t", "…"]
            .iter()
            .any(|end| bare.ends_with(end));
    if leads {
        bare.trim_end_matches(['.', ' ', '\t', '…'])
    } else {
        words
    }
}

fn is_name(words: &str) -> bool {
    words.len() <= 40 && NAMES.contains(&words.trim_end_matches(':').to_lowercase().as_str())
}

fn is_drawn(words: &str) -> bool {
    headings::is_parting(words)
}

#[cfg(test)]
mod tests {
    use crate::text::read;
    use skillkiln_document::markdown::write;

    fn written(source: &str) -> String {
        write(&read(source.to_owned()).blocks)
    }

    #[test]
    fn the_last_entry_of_a_table_may_be_called_otherwise_below() {
        assert_eq!(
            written(
                "Kilns\n=====\n\nContents\n--------\n\n1. Heat\n2. Wood\n3. Thanks (To Ada)\n\n1. Heat\n-------\n\nIt is hot.\n\n2. Wood\n-------\n\nIt burns.\n\n3. Thanks\n---------\n\nTo Ada.\n"
            ),
            "# Kilns\n\n## 1. Heat\n\nIt is hot.\n\n## 2. Wood\n\nIt burns.\n\n## 3. Thanks\n\nTo Ada.\n"
        );
    }

    #[test]
    fn a_table_of_contents_is_no_text() {
        assert_eq!(
            written(
                "Kilns and their heat\n\nTable of Contents\n\n1. Heat\n2. Wood\n\n    Oak\n    Ash of the\n        mountain\n\n3. Thanks\n\nChapter 1.\u{a0}Heat\n\nIt is hot.\n\nChapter 2. Wood\n\nTable of Contents\n\nOak\nAsh of the mountain\n\nIt burns.\n\nOak\n\nIt is hard.\n\nAsh of the mountain\n\nIt is light.\n\nChapter 3. Thanks\n\nTo Ada.\n"
            ),
            "# Kilns and their heat\n\n## Chapter 1. Heat\n\nIt is hot.\n\n## Chapter 2. Wood\n\nIt burns.\n\nOak\n\nIt is hard.\n\nAsh of the mountain\n\nIt is light.\n\n## Chapter 3. Thanks\n\nTo Ada.\n"
        );
    }

    #[test]
    fn words_that_are_said_below_each_heading_are_no_entries() {
        let told = "    This text is old and was\n    written for others.\n";
        let text = written(&format!(
            "Guide\n\nTable of Contents\n\n1. Heat\n2. Wood\n\nChapter 1. Heat\n\n{told}\nChapter 2. Wood\n\n{told}"
        ));
        let told = "This text is old and was written for others.\n";
        assert_eq!(
            text,
            format!("# Guide\n\n## Chapter 1. Heat\n\n{told}\n## Chapter 2. Wood\n\n{told}")
        );
    }

    #[test]
    fn items_with_numbers_that_are_said_again_as_headings_are_no_text() {
        let source = "Kilns\n*****\n\nAll of it.\n\n* 1. Heat\n\n  * 1.1. Gas\n\n  * 1.2. Coal\n\n* 2. Wood\n\n1. Heat\n=======\n\nIt is hot.\n\n1.1. Gas\n--------\n\nBlue.\n\n1.2. Coal\n---------\n\nRed.\n\n2. Wood\n=======\n\nIt burns.\n";
        assert_eq!(
            written(source),
            "# Kilns\n\nAll of it.\n\n## 1. Heat\n\nIt is hot.\n\n### 1.1. Gas\n\nBlue.\n\n### 1.2. Coal\n\nRed.\n\n## 2. Wood\n\nIt burns.\n"
        );
    }

    #[test]
    fn pages_behind_dots_are_no_part_of_an_entry() {
        let text = written(
            "Contents\n--------\n\n1. Heat . . . . . . 2\n2. Wood ........... 13\n\n1. Heat\n\nIt is hot.\n\n2. Wood\n\nIt burns.\n",
        );
        assert_eq!(
            text,
            "## 1. Heat\n\nIt is hot.\n\n## 2. Wood\n\nIt burns.\n"
        );
    }

    #[test]
    fn steps_that_are_no_headings_further_down_are_text() {
        let text =
            written("How to do it:\n\n1. Light it\n2. Wait\n3. Look\n4. Open it\n\nThen rest.\n");
        assert!(
            text.contains("Light it") && text.contains("Open it"),
            "{text}"
        );
    }

    #[test]
    fn long_questions_over_their_answers_are_no_text_above_them() {
        let questions = [
            "1.1. How do I open it?",
            "1.2. The kiln is hot and I would like to\n        look into it. How do I open the\n        door of it without\n        burning my hands?",
            "1.3. Is it cold yet?",
            "1.4. May I go?",
        ];
        let contents = questions
            .map(|question| format!("   {question}\n"))
            .concat();
        let answers = questions.map(|question| {
            let question = question
                .replace("\n        ", " ")
                .replace("look into", "look\n  into");
            format!("{question}\n\nYes, you may.\n\n")
        });
        let text = written(&format!(
            "Kilns\n=====\n\nAll of it is here.\n\n{contents}\n{}",
            answers.concat()
        ));
        assert_eq!(text.matches("burning my hands").count(), 1, "{text}");
        assert_eq!(text.matches("May I go").count(), 1, "{text}");
    }
}
