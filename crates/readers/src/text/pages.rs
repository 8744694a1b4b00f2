//! Owns what printers put around the pages of plain text: running heads, feet and page numbers are no words of it.

use super::Line;
use std::collections::HashMap;

/// So many pages that are counted through show that their numbers end them.
const PAGES_MIN: usize = 3;

/// The number of the page that a line ends with, as printers put it at the foot: `Lee [Page 12]`.
fn page(words: &str) -> Option<&str> {
    let (_, number) = words.rsplit_once("[Page ")?;
    let number = number.strip_suffix(']')?;
    let is_number = number
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'i' | b'v' | b'x'));
    is_number.then_some(number)
}

/// Takes out what printers put around a page break: the line with the page's number before it and the running head after
/// it, as documents of the internet's standards have them. They are told from words by the form feed between them or, in a copy
/// that has lost those, by pages that are counted through.
pub(super) fn clear(text: &str, lines: &mut [Line<'_>]) {
    let numbers = lines.iter().filter_map(|line| page(line.words));
    let numbers: Vec<Option<u32>> = numbers.map(|number| number.parse().ok()).collect();
    let follows = |pair: &&[Option<u32>]| matches!(pair, [Some(one), Some(next)] if one.checked_add(1) == Some(*next));
    let are_counted = numbers.windows(2).filter(follows).count() + 1 >= PAGES_MIN;
    clear_heads(lines);
    clear_counted(lines);
    let mut after_foot = false;
    let mut seen = 0;
    for line in lines {
        if line.words.is_empty() {
            continue;
        }
        let behind = || text.get(line.range.end..).unwrap_or_default();
        let ends_page = || {
            behind()
                .chars()
                .take_while(|c| c.is_whitespace())
                .any(|c| c == '\u{c}')
        };
        if page(line.words).is_some() && (are_counted || ends_page()) {
            line.words = "";
            after_foot = true;
            seen = 0;
            continue;
        }
        // The running head is the first line of the page: three parts, far apart.
        if after_foot && seen == 0 && is_head(line.words) {
            line.words = "";
        }
        after_foot = false;
        seen += 1;
    }
}

/// Takes out the heads that say the same on each page, where the page before ends with a number that stands alone, and these numbers.
fn clear_heads(lines: &mut [Line<'_>]) {
    let mut heads: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, line) in lines
        .iter()
        .enumerate()
        .filter(|(_, line)| is_head(line.words))
    {
        heads.entry(line.words).or_default().push(at);
    }
    let mut gone = Vec::new();
    for places in heads
        .into_values()
        .filter(|places| places.len() >= PAGES_MIN)
    {
        let foot = |at: &usize| {
            let above = lines.get(..*at)?;
            let foot = above.iter().rposition(|line| !line.words.is_empty())?;
            let alone = |at: usize| above.get(at).is_none_or(|line| line.words.is_empty());
            let stands_alone = alone(foot + 1) && foot.checked_sub(1).is_none_or(alone);
            let number: u32 = above.get(foot)?.words.parse().ok()?;
            stands_alone.then_some((foot, number))
        };
        let feet: Vec<(usize, u32)> = places.iter().filter_map(foot).collect();
        let follows = |pair: &&[(usize, u32)]| matches!(pair, [one, next] if one.1.checked_add(1) == Some(next.1));
        if feet.windows(2).filter(follows).count() + 1 >= PAGES_MIN {
            gone.extend(feet.into_iter().map(|(at, _)| at));
            gone.extend(places);
        }
    }
    for at in gone {
        if let Some(line) = lines.get_mut(at) {
            line.words = "";
        }
    }
}

/// Takes out the lines that stand alone and count pages: `-4-`, or the same head with the number of the page far behind it.
fn clear_counted(lines: &mut [Line<'_>]) {
    let mut counted: HashMap<&str, Vec<(usize, u32)>> = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        let is_empty = |at: Option<usize>| {
            let line = at.and_then(|at| lines.get(at));
            line.is_none_or(|line| line.words.is_empty())
        };
        if let Some((head, number)) = counts(line.words)
            && is_empty(at.checked_sub(1))
            && is_empty(Some(at + 1))
        {
            counted.entry(head).or_default().push((at, number));
        }
    }
    for places in counted.into_values() {
        let follows = |pair: &&[(usize, u32)]| matches!(pair, [one, next] if one.1.checked_add(1) == Some(next.1));
        if places.windows(2).filter(follows).count() + 1 >= PAGES_MIN {
            for (at, _) in places {
                if let Some(line) = lines.get_mut(at) {
                    line.words = "";
                }
            }
        }
    }
}

/// The head of a page, empty where there is none, and its number: of `KILNS      4` and of `-4-`.
fn counts(words: &str) -> Option<(&str, u32)> {
    let inner = words
        .strip_prefix('-')
        .and_then(|rest| rest.strip_suffix('-'));
    if let Some(number) = inner {
        return Some(("", number.trim().parse().ok()?));
    }
    let (head, number) = words.rsplit_once("   ")?;
    Some((head.trim_end(), number.trim().parse().ok()?))
}

/// Whether a line may be a running head: three parts, far apart.
fn is_head(words: &str) -> bool {
    words.contains("  ")
        && words
            .split("  ")
            .filter(|part| !part.trim().is_empty())
            .count()
            == 3
}

#[cfg(test)]
mod tests {
    use crate::text::{read, read_plain};

    #[test]
    fn page_breaks_of_standards_are_no_text() {
        let source = "1.  Introduction\n\n   Words of the\n   first page.\n\nAuthor                Standards Track                [Page 1]\n\u{c}\nRFC 9999                 Kilns                 May 2026\n\n   Words of the second.\n";
        assert_eq!(
            skillkiln_document::markdown::write(&read(source.to_owned()).blocks),
            "## 1. Introduction\n\nWords of the first page.\n\nWords of the second.\n"
        );
    }

    #[test]
    fn pages_that_are_counted_through_end_where_their_numbers_stand() {
        let page = |number: usize| {
            format!(
                "Kilns are hot on day {number}.\n\nLee      Standards Track      [Page {number}]\nRFC 1      Kilns      May 2026\n\n"
            )
        };
        let source: String = (1..=4).map(page).collect();
        let text = skillkiln_document::markdown::write(&read_plain(source).blocks);
        assert!(!text.contains("[Page") && !text.contains("RFC 1"), "{text}");
    }

    #[test]
    fn the_page_that_a_source_names_is_text_where_no_page_ends() {
        let source = "Ada Lee, Heat of kilns, 1999 [Page 12]\n\nName      Heat      Wood\nash       900       dry\nelm       800       wet\n";
        let text = skillkiln_document::markdown::write(&read_plain(source.to_owned()).blocks);
        assert!(
            text.contains("[Page 12]") && text.contains("Wood"),
            "{text}"
        );
    }

    #[test]
    fn heads_that_recur_behind_the_numbers_of_pages_are_no_text() {
        let page = |number: usize| {
            format!(
                "Kilns are hot on day {number}.\n\n          {number}\n\n\nkiln    v2    2026-01-08\n\n"
            )
        };
        let source: String = (1..=4).map(page).collect();
        let text = skillkiln_document::markdown::write(&read_plain(source).blocks);
        assert!(!text.contains("v2") && !text.contains("\n4\n"), "{text}");
        assert!(text.contains("on day 4"), "{text}");
    }

    #[test]
    fn lines_that_count_pages_alone_or_behind_a_head_are_no_text() {
        for head in ["KILNS AND WOOD          #", "            -#-"] {
            let page = |number: usize| {
                let head = head.replace('#', &number.to_string());
                format!("Kilns are hot on day {number}.\n\n\n{head}\n\n\n")
            };
            let source: String = (1..=4).map(page).collect();
            let text = skillkiln_document::markdown::write(&read_plain(source).blocks);
            assert!(!text.contains("WOOD") && !text.contains("-3-"), "{text}");
        }
    }

    #[test]
    fn the_names_of_columns_that_recur_are_text_where_no_page_ends() {
        let source = "It is hot.\n\nOption    Type    Default\n\n".repeat(4);
        let text = skillkiln_document::markdown::write(&read_plain(source).blocks);
        assert!(text.contains("Default"), "{text}");
    }
}
