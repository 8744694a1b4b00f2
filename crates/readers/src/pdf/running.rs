//! Takes out running heads that stand on one page only: what a line at the edge of a page says is what the heading right below or one on the page before says.

use crate::pdf::contents;
use crate::pdf::folios::{is_page_number, value};
use crate::pdf::furniture::{is_outermost, stands_apart, usual_size};
use crate::pdf::labels::{is_label, titled};
use crate::pdf::line::{Line, Piece};
use crate::pdf::outline::{is_number, key};
use std::collections::{HashMap, HashSet};

/// Characters of a running head.
const CHARACTERS_MAX: usize = 160;
/// A heading is so many times as large as what repeats it along the pages, where it is not bold.
const HEADING_TIMES: f32 = 1.08;

/// A heading in the size of the text has so many letters; a word may be bold in many lines.
const LETTERS_MIN: usize = 8;
/// The number of a page may be so much greater than the count of pages.
const PAGES_BEFORE: usize = 40;

/// A line that may run along the pages.
struct Candidate {
    page: usize,
    line: usize,
    /// What it may say, without the number of its page and the word for a chapter.
    keys: Vec<String>,
}

/// Takes out lines at the edges of pages that repeat the heading right below or one of the page before, and those that number the contents.
pub(crate) fn remove_named(pages: &mut [Vec<Line>]) {
    let count = pages.len();
    let candidates: Vec<Candidate> = pages
        .iter()
        .enumerate()
        .flat_map(|(page, lines)| {
            [true, false]
                .into_iter()
                .filter_map(move |is_top| candidate(lines, page, is_top, count))
        })
        .collect();
    let wanted: HashSet<&String> = candidates.iter().flat_map(|it| &it.keys).collect();
    let places = places(pages, &wanted);
    let mut gone: HashSet<(usize, usize)> = HashSet::new();
    for it in &candidates {
        let Some(lines) = pages.get(it.page) else {
            continue;
        };
        let Some(line) = lines.get(it.line) else {
            continue;
        };
        let is_heading = |(page, at): &(usize, usize)| {
            let is_before = *page + 1 == it.page || *page == it.page && *at == it.line + 1;
            let lines = pages.get(*page).filter(|_| is_before);
            lines.is_some_and(|lines| {
                let usual = usual_size(lines);
                let stands_out = |other: &Line| {
                    let letters = other.text().chars().filter(|c| c.is_alphabetic()).count();
                    is_bold(other) && letters >= LETTERS_MIN || other.size >= HEADING_TIMES * usual
                };
                let other = lines.get(*at);
                other.is_some_and(|other| {
                    stands_out(other)
                        && heads(other, line)
                        && has_number(&line.text(), &other.text())
                })
            })
        };
        let mut found = it.keys.iter().filter_map(|key| places.get(key)).flatten();
        let is_counted = counts_pages(&line.text(), it.page + 1, count);
        if is_counted || numbers_contents(line, count) || found.any(is_heading) {
            gone.insert((it.page, it.line));
        }
    }
    for (page, lines) in pages.iter_mut().enumerate() {
        let mut at = 0;
        lines.retain(|_| {
            at += 1;
            !gone.contains(&(page, at - 1))
        });
    }
}

/// The outermost line of a page, where it stands alone there.
fn candidate(lines: &[Line], page: usize, is_top: bool, pages: usize) -> Option<Candidate> {
    let outermost = (0..lines.len()).find(|at| is_outermost(lines, *at, is_top))?;
    let line = lines.get(outermost)?;
    let text = line.text();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let is_counted = is_counted(&text, pages);
    let is_plain = line.share(|piece| piece.face.is_bold) < 0.5 || is_counted;
    // The mark of a note and the number of a line of code are small.
    let is_small = |piece: &Piece| piece.is_raised || piece.size < 0.85 * line.size;
    // A word alone may head a part of many sections.
    let is_alone = text.trim().contains(' ') && stands_apart(lines, outermost, is_top);
    if letters < 2
        || text.chars().count() > CHARACTERS_MAX
        || line.is_fixed()
        || line.pieces.first().is_some_and(is_small)
        || is_label(&text)
        || !is_plain
        || !is_alone && !is_said_below(lines, outermost)
        || !is_top && !is_counted && !text.to_lowercase().contains("page ")
    {
        return None;
    }
    Some(Candidate {
        page,
        line: outermost,
        keys: keys(&text, pages),
    })
}

/// Whether the next line says the same in larger letters.
fn is_said_below(lines: &[Line], at: usize) -> bool {
    let pair = lines.get(at).zip(lines.get(at + 1));
    pair.is_some_and(|(line, next)| key(&line.text()) == key(&next.text()) && heads(next, line))
}

/// Whether a line begins or ends with the number of a page.
fn is_counted(text: &str, pages: usize) -> bool {
    bare(text, pages).count() > 1
}

/// A line as it is, and without a number at its beginning or its end.
fn bare(text: &str, pages: usize) -> impl Iterator<Item = &str> {
    let text = text.trim();
    let is_page = |word: &str| {
        is_page_number(word)
            && value(word).is_some_and(|value| usize::from(value) <= pages + PAGES_BEFORE)
    };
    let behind = text
        .split_once(' ')
        .filter(|(first, _)| is_page(first))
        .map(|(_, rest)| rest.trim());
    let before = text
        .rsplit_once(' ')
        .filter(|(_, last)| is_page(last))
        .map(|(rest, _)| rest.trim());
    [Some(text), behind, before].into_iter().flatten()
}

/// What a running head may say.
fn keys(text: &str, pages: usize) -> Vec<String> {
    let mut keys: Vec<String> = bare(text, pages)
        .flat_map(|words| [Some(words), titled(words)])
        .flatten()
        .map(key)
        .filter(|key| key.chars().any(char::is_alphabetic))
        .collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// Whether a heading has the number that a line begins with, where that is one of a section: `3.2.2` is never a page.
fn has_number(line: &str, heading: &str) -> bool {
    let number = |text: &str| {
        let first = text
            .split_whitespace()
            .next()
            .filter(|first| is_number(first));
        first.map(|first| first.trim_end_matches([':', '.', ')']).to_owned())
    };
    let own = number(line).filter(|own| own.contains('.'));
    own.is_none() || own == number(heading)
}

/// Where lines, or two of them together, begin that say what is wanted.
fn places(pages: &[Vec<Line>], wanted: &HashSet<&String>) -> HashMap<String, Vec<(usize, usize)>> {
    let mut places: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
    for (page, lines) in pages.iter().enumerate() {
        let mut above = String::new();
        for (at, line) in lines.iter().enumerate() {
            let text = line.text();
            if text.chars().count() > CHARACTERS_MAX {
                above.clear();
                continue;
            }
            let both = (!above.is_empty()).then(|| key(&format!("{above} {text}")));
            let both = both.map(|said| (said, at.saturating_sub(1)));
            for (said, at) in std::iter::once((key(&text), at)).chain(both) {
                if wanted.contains(&said) {
                    places.entry(said).or_default().push((page, at));
                }
            }
            above = text;
        }
    }
    places
}

/// Whether `other` is set as the heading that `line` repeats.
fn heads(other: &Line, line: &Line) -> bool {
    other.size >= HEADING_TIMES * line.size
        || is_bold(other) && !is_bold(line) && other.size > line.size - 0.3
}

fn is_bold(line: &Line) -> bool {
    line.share(|piece| piece.face.is_bold) > 0.8
}

/// Whether a line is the title of the contents and the number of its page: `CONTENTS ii`.
fn numbers_contents(line: &Line, pages: usize) -> bool {
    let text = line.text();
    bare(&text, pages).skip(1).any(contents::is_title)
}

/// Whether a line ends with the number of its page and how many there are: `Kilns - Page 1/2`, `Page 3 of 12`.
fn counts_pages(text: &str, page: usize, all: usize) -> bool {
    let lower = text.to_lowercase();
    let Some((_, count)) = lower.rsplit_once("page ") else {
        return false;
    };
    let parts = count.split_once('/').or_else(|| count.split_once(" of "));
    parts.is_some_and(|(at, of)| {
        at.trim().parse() == Ok(page) && of.trim().parse() == Ok(all) && all > 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::testing;

    fn line(words: &str, size: f32, y: f32) -> Line {
        Line {
            y,
            size,
            ..testing::line(vec![testing::piece(words)])
        }
    }

    /// What is left of a page that is headed so, behind a page with the heading `3.5 Low Heat`.
    fn left(head: &str) -> Vec<String> {
        let page = |head: Line| {
            vec![
                head,
                line("It is hot.", 10.0, 700.0),
                line("It burns.", 10.0, 688.0),
            ]
        };
        let mut pages = vec![
            page(line("3.5 Low Heat", 14.0, 760.0)),
            page(line(head, 10.0, 760.0)),
        ];
        remove_named(&mut pages);
        pages.iter().skip(1).flatten().map(Line::text).collect()
    }

    #[test]
    fn what_a_heading_before_says_runs_along_the_page() {
        for head in ["3.5 Low Heat", "Low Heat 12", "12 Chapter 3. Low Heat"] {
            assert_eq!(left(head), ["It is hot.", "It burns."], "{head}");
        }
        assert_eq!(left("High Heat").len(), 3);
    }

    #[test]
    fn a_heading_with_a_number_of_its_own_is_no_running_head() {
        assert_eq!(left("3.4.2 Low Heat").len(), 3);
        assert!(
            has_number("3.5 Low Heat", "3.5. Low Heat")
                && has_number("12 Low Heat", "3.5 Low Heat")
        );
    }

    #[test]
    fn on_its_own_page_a_line_repeats_only_the_heading_right_below() {
        let left = |between: &str| {
            let mut pages = vec![vec![
                line("Low Heat", 10.0, 760.0),
                line(between, 14.0, 730.0),
                line("Low Heat", 14.0, 710.0),
                line("It is hot.", 10.0, 690.0),
                line("It burns.", 10.0, 678.0),
                line("It is lit.", 10.0, 666.0),
            ]];
            remove_named(&mut pages);
            pages.iter().map(Vec::len).sum::<usize>()
        };
        assert_eq!((left("High Heat"), left("Low Heat")), (6, 5));
    }

    #[test]
    fn the_title_of_the_contents_with_a_page_number_goes() {
        assert_eq!(left("CONTENTS ii").len(), 2);
        assert_eq!(left("12 Contents").len(), 2);
        assert_eq!(left("Contents of the kiln").len(), 3);
    }

    #[test]
    fn how_many_pages_there_are_is_told_at_their_edges() {
        assert_eq!(left("About kilns - Page 2/2").len(), 2);
        assert_eq!(left("About kilns - Page 2/3").len(), 3);
        assert!(counts_pages("Page 3 of 12", 3, 12) && !counts_pages("Page 3 of it", 3, 12));
    }
}
