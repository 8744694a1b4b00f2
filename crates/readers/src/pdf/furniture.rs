//! Tells the furniture of printed pages from their content: running heads, page numbers, printed tables of contents.

use crate::pdf::contents;
use crate::pdf::folios::{is_page_number, value};
use crate::pdf::line::Line;
use crate::pdf::outline;
use crate::pdf::slides::Titles;
use skillkiln_document::text::squash;
use std::collections::{HashMap, HashSet};

/// Lines at each end of a page that may be furniture.
const EDGE_LINES: usize = 3;
/// How much larger a title is than the running head of the same words.
const TITLE_TIMES: f32 = 1.3;
/// So many pages are numbered alike at least.
const OFFSETS_MIN: usize = 3;
/// So many lines of dots are a table of contents.
const LEADERS_MIN: usize = 3;
/// Of a page of contents so many of ten lines end with a number.
const CONTENTS_OF_TEN: usize = 7;
/// Entries of the contents are of one size, but for so many points: what is larger heads them.
const SIZE_STEP: f32 = 0.6;
/// A page of an index has so many lines at least below its heading.
const INDEX_LINES_MIN: usize = 8;
/// A line that comes again inside of pages is no running head from so many of them on, and it has no more pieces.
const INNER_PAGES_MIN: usize = 3;
const INNER_PIECES_MAX: usize = 8;
/// A page that shows the one before it again has so many of its lines inside at least.
const AGAIN_MIN: usize = 4;
/// Pages that a file has at least before lines are told by their place.
const PAGES_MIN: usize = 4;

/// Takes running heads, feet and page numbers out of `pages`.
pub(crate) fn remove_running(pages: &mut [Vec<Line>]) {
    let mut words: HashMap<String, HashSet<usize>> = HashMap::new();
    let mut places: HashMap<(bool, i32), usize> = HashMap::new();
    let mut sizes: HashMap<String, f32> = HashMap::new();
    let edges: Vec<Vec<(usize, bool)>> = pages.iter().map(|lines| edges(lines)).collect();
    let numbers = Numbers::of(pages, &edges);
    let steps = steps(pages, &edges);
    let titles = Titles::of(pages);
    for ((number, (lines, edges)), step) in pages.iter().zip(&edges).enumerate().zip(steps) {
        for (at, is_top) in edges {
            if let Some(line) = lines.get(*at) {
                let keys = Keys::of(line, &numbers, number);
                for key in keys.whole.into_iter().chain(keys.parts) {
                    let size = sizes.entry(key.clone()).or_insert(line.size);
                    *size = size.min(line.size);
                    words.entry(key).or_default().insert(step);
                }
                if is_outermost(lines, *at, *is_top) {
                    *places.entry((*is_top, place(line))).or_default() += 1;
                }
            }
        }
    }
    let inner = Inner::of(pages, &edges, &numbers, &words);
    let printed = pages.iter().filter(|lines| !lines.is_empty()).count();
    let times = |key: &String| words.get(key).map_or(0, HashSet::len);
    let repeats = |line: &Line, page: usize| {
        let keys = Keys::of(line, &numbers, page);
        let whole = keys.whole.iter().map(times);
        // The kind of thing that an entry of a manual tells of stands apart in it, at the edges of pages as inside of them.
        let parts = keys.parts.iter().filter_map(|part| {
            let count = times(part);
            (!inner.has_part(part, line.size, count, page)).then_some(count)
        });
        whole.chain(parts).max().unwrap_or(0)
    };
    // A title that runs along the pages is set larger where it is the title.
    let is_title = |line: &Line, page: usize| {
        let least = sizes.get(&key(&line.text(), &numbers, page));
        least.is_some_and(|least| line.size > TITLE_TIMES * least)
    };
    let stands_often = |line: &Line, is_top: bool| {
        (-1..=1)
            .filter_map(|near| places.get(&(is_top, place(line) + near)))
            .sum::<usize>()
    };
    // Where most pages have their numbers, a number is that of the page, however near the text comes.
    let is_numbered = |line: &Line, is_top: bool| {
        printed >= PAGES_MIN
            && is_page_number(&line.text())
            && stands_often(line, is_top) * 2 >= printed
    };
    for (page, (lines, edges)) in pages.iter_mut().zip(&edges).enumerate() {
        let mut gone: HashSet<usize> = HashSet::new();
        let usual = usual_size(lines);
        for side in [true, false] {
            // From the outside in, as far as lines run along the pages; the innermost of them stands apart from the text.
            let mut run: Vec<usize> = Vec::new();
            for (at, _) in edges.iter().filter(|(_, is_top)| *is_top == side) {
                let Some(line) = lines.get(*at) else { continue };
                if titles.holds(page, *at) {
                    break;
                }
                let text = line.text();
                let key = key(&text, &numbers, page);
                let is_bare = !key.chars().any(char::is_alphabetic) || is_page_number(&text);
                let is_usual_place = stands_often(line, side) * 5 >= printed.max(5);
                let repeated = repeats(line, page);
                // A number is not the title since smaller ones, such as those of notes, stand elsewhere.
                let is_small = is_bare && line.size <= TITLE_TIMES * usual;
                // A brace may be the last line of a listing on many pages.
                let is_code = line.is_fixed() && !is_page_number(&text);
                let is_running = text.chars().count() <= 160
                    && (!is_code || text.contains(char::is_alphabetic))
                    && (is_bare || !inner.has(&key, line.size, repeated))
                    && (is_small || !is_title(line, page))
                    && (is_bare && printed > 1 && (is_usual_place || is_page_number(&text))
                        || repeated >= 3.max(printed / 60)
                        || is_usual_place
                            && printed >= PAGES_MIN
                            && !is_code
                            && (line.size <= TITLE_TIMES * usual || ends_in_number(&text))
                            && (repeated >= 2 || numbers.are_told(&text, page)));
                if !is_running {
                    break;
                }
                run.push(*at);
            }
            while let Some(innermost) = run.last() {
                let is_number = lines
                    .get(*innermost)
                    .is_some_and(|line| is_numbered(line, side));
                if is_number || stands_apart(lines, *innermost, side) {
                    break;
                }
                run.pop();
            }
            gone.extend(run);
        }
        // A page of nothing else says something.
        let is_bare = |line: &Line| {
            let text = line.text();
            !text.chars().any(char::is_alphabetic) || is_page_number(&text)
        };
        let comes_often = |line: &Line| repeats(line, page) >= 3.max(printed / 60);
        let is_empty = lines.iter().any(comes_often)
            && (lines.iter()).all(|line| comes_often(line) || numbers.are_told(&line.text(), page));
        if gone.len() == lines.len() && !is_empty && !lines.iter().all(is_bare) {
            continue;
        }
        gone.extend(titles.again(page));
        let mut at = 0;
        lines.retain(|_| {
            at += 1;
            !gone.contains(&(at - 1))
        });
    }
}

/// For each page, which one it belongs to: a slide that is shown step by step is one, whatever runs along its pages.
fn steps(pages: &[Vec<Line>], edges: &[Vec<(usize, bool)>]) -> Vec<usize> {
    let mut before: HashSet<String> = HashSet::new();
    let mut first = 0;
    let all = pages.iter().zip(edges).enumerate();
    all.map(|(page, (lines, edges))| {
        let edges: HashSet<usize> = edges.iter().map(|(at, _)| *at).collect();
        let inner = lines
            .iter()
            .enumerate()
            .filter(|(at, _)| !edges.contains(at));
        let told: HashSet<String> = inner.map(|(_, line)| squash(&line.text())).collect();
        let again = told.intersection(&before).count();
        // A form is filled in anew on each page; a slide goes on with all that was shown before.
        if again < AGAIN_MIN || again * 10 < before.len() * 9 || told.len() < before.len() {
            first = page;
        }
        before = told;
        first
    })
    .collect()
}

/// What stands in the middle of pages and at their edges as well: headings that come again and again, and no running heads.
struct Inner {
    /// On which pages, by words and size in half points.
    lines: HashMap<(String, i32), HashSet<usize>>,
    /// The same of what stands apart in a line.
    parts: HashMap<(String, i32), HashSet<usize>>,
}

impl Inner {
    fn of(
        pages: &[Vec<Line>],
        edges: &[Vec<(usize, bool)>],
        numbers: &Numbers,
        repeated: &HashMap<String, HashSet<usize>>,
    ) -> Self {
        let mut inner = Self {
            lines: HashMap::new(),
            parts: HashMap::new(),
        };
        for (page, (lines, edges)) in pages.iter().zip(edges).enumerate() {
            for (at, line) in lines.iter().enumerate() {
                let is_edge = edges.iter().any(|(edge, _)| *edge == at);
                if is_edge || line.pieces.len() > INNER_PIECES_MAX {
                    continue;
                }
                let size = half_points(line.size);
                let bare = key(&line.text(), numbers, page);
                let parts = Keys::of(line, numbers, page).parts;
                let is_repeated = |key: &String| repeated.get(key).is_some_and(|at| at.len() > 1);
                if is_repeated(&bare) {
                    let found = inner.lines.entry((bare, size)).or_default();
                    found.insert(page);
                }
                for part in parts.into_iter().filter(is_repeated) {
                    inner.parts.entry((part, size)).or_default().insert(page);
                }
            }
        }
        inner
    }

    /// Whether a line that stands at the edge of so many pages stands inside of as many at least.
    fn has(&self, key: &str, size: f32, at_edges: usize) -> bool {
        let count: usize = near(&self.lines, key, size).map(HashSet::len).sum();
        count >= at_edges.max(INNER_PAGES_MIN)
    }

    /// Whether what stands apart in a line at the edge of so many pages stands so inside of as many, or of this one.
    fn has_part(&self, key: &str, size: f32, at_edges: usize, page: usize) -> bool {
        let found = || near(&self.parts, key, size);
        let count: usize = found().map(HashSet::len).sum();
        count >= at_edges.max(INNER_PAGES_MIN) || found().any(|pages| pages.contains(&page))
    }
}

/// The pages where words stand in about this size.
fn near<'a>(
    found: &'a HashMap<(String, i32), HashSet<usize>>,
    key: &str,
    size: f32,
) -> impl Iterator<Item = &'a HashSet<usize>> {
    let size = half_points(size);
    (size - 1..=size + 1).filter_map(move |size| found.get(&(key.to_owned(), size)))
}

fn half_points(size: f32) -> i32 {
    (size * 2.0).round() as i32
}

/// The size that half of the lines of a page are not larger than.
pub(crate) fn usual_size(lines: &[Line]) -> f32 {
    let mut sizes: Vec<f32> = lines.iter().map(|line| line.size).collect();
    sizes.sort_by(f32::total_cmp);
    sizes.get(sizes.len() / 2).copied().unwrap_or(0.0)
}

/// The first and last lines of a page by height, from the outside in, and whether they are at the top.
fn edges(lines: &[Line]) -> Vec<(usize, bool)> {
    let mut order: Vec<usize> = (0..lines.len()).collect();
    let y = |at: &usize| lines.get(*at).map_or(0.0, |line| line.y);
    order.sort_by(|a, b| y(b).total_cmp(&y(a)));
    let top = order.iter().take(EDGE_LINES).map(|at| (*at, true));
    let bottom = order.iter().rev().take(EDGE_LINES).map(|at| (*at, false));
    top.chain(bottom).collect()
}

pub(crate) fn is_outermost(lines: &[Line], at: usize, is_top: bool) -> bool {
    let Some(line) = lines.get(at) else {
        return false;
    };
    lines.iter().all(|other| {
        if is_top {
            other.y <= line.y + 1.0
        } else {
            other.y >= line.y - 1.0
        }
    })
}

/// Whether a line stands further from its neighbour inside than lines of text do.
pub(crate) fn stands_apart(lines: &[Line], at: usize, is_top: bool) -> bool {
    let Some(line) = lines.get(at) else {
        return false;
    };
    let nearest = lines
        .iter()
        .filter(|other| {
            if is_top {
                other.y < line.y - 2.0
            } else {
                other.y > line.y + 2.0
            }
        })
        .map(|other| (other.y - line.y).abs())
        .fold(f32::MAX, f32::min);
    nearest > 1.5 * line.size
}

fn place(line: &Line) -> i32 {
    (line.y / 3.0).round() as i32
}

/// How the pages of a file are numbered in print. A number at the edge of a page may be that of a section or of anything else; those of
/// pages go up with them.
struct Numbers {
    /// What is printed on a page beyond its place in the file, on several pages.
    offsets: HashSet<i32>,
    /// Whether several pages are numbered in their chapter: `3-12`.
    in_chapters: bool,
}

impl Numbers {
    fn of(pages: &[Vec<Line>], edges: &[Vec<(usize, bool)>]) -> Self {
        let mut times: HashMap<i32, HashSet<usize>> = HashMap::new();
        let mut in_chapters: HashSet<usize> = HashSet::new();
        for (page, (lines, edges)) in pages.iter().zip(edges).enumerate() {
            for (at, _) in edges {
                let Some(line) = lines.get(*at) else { continue };
                let text = line.text();
                for word in ends(&text) {
                    if let Some(value) = value(word) {
                        times.entry(offset(value, page)).or_default().insert(page);
                    } else if is_in_chapter(word) {
                        in_chapters.insert(page);
                    }
                }
            }
        }
        times.retain(|_, pages| pages.len() >= OFFSETS_MIN);
        Self {
            offsets: times.into_keys().collect(),
            in_chapters: in_chapters.len() >= OFFSETS_MIN,
        }
    }

    /// Whether a line of a page begins or ends with the number of that page.
    fn are_told(&self, text: &str, page: usize) -> bool {
        ends(text).any(|word| self.is_of(word, page))
    }

    /// Whether a word is the number of a page.
    fn is_of(&self, word: &str, page: usize) -> bool {
        match value(word) {
            Some(value) => self.offsets.contains(&offset(value, page)),
            None => self.in_chapters && is_in_chapter(word),
        }
    }
}

/// The first word and the last one.
fn ends(text: &str) -> impl Iterator<Item = &str> {
    let mut words = text.split_whitespace();
    let first = words.next();
    first.into_iter().chain(words.next_back())
}

fn offset(value: u16, page: usize) -> i32 {
    i32::from(value) - i32::try_from(page).unwrap_or(i32::MAX)
}

/// Whether a word numbers a page within its chapter: `3-12`, `A–4`.
fn is_in_chapter(word: &str) -> bool {
    let parts = word.split_once(['-', '–']);
    parts.is_some_and(|(chapter, page)| {
        let is_number = |part: &str| part.len() <= 3 && part.bytes().all(|b| b.is_ascii_digit());
        let is_chapter = is_number(chapter)
            || chapter.len() == 1 && chapter.bytes().all(|b| b.is_ascii_uppercase());
        !chapter.is_empty() && !page.is_empty() && is_chapter && is_number(page)
    })
}

/// What of a line may repeat.
struct Keys {
    /// All of it, without the number of its page and with it: what happens to be that may be part of what repeats.
    whole: Vec<String>,
    /// Each part of it that stands apart, such as the chapter's name on the left.
    parts: Vec<String>,
}

impl Keys {
    fn of(line: &Line, numbers: &Numbers, page: usize) -> Self {
        let key = |words: &str| key(words, numbers, page);
        let text = line.text();
        let bare = key(&text);
        let whole = squash(&text).to_lowercase();
        let whole = Some(whole).filter(|whole| *whole != bare);
        let mut whole: Vec<String> = std::iter::once(bare).chain(whole).collect();
        let mut parts = Vec::new();
        let mut part = String::new();
        for piece in &line.pieces {
            if piece.is_apart {
                parts.push(key(&std::mem::take(&mut part)));
            }
            part.push_str(&piece.text);
        }
        if !parts.is_empty() {
            parts.push(key(&part));
            let is_told = |key: &String| key.chars().filter(|c| c.is_alphabetic()).count() >= 3;
            whole.retain(is_told);
            parts.retain(is_told);
        }
        Self { whole, parts }
    }
}

/// Words without the number of their page, so that "12 | Kilns" repeats.
fn key(words: &str, numbers: &Numbers, page: usize) -> String {
    let mut words: Vec<&str> = words.split_whitespace().collect();
    words.pop_if(|last| numbers.is_of(last, page));
    if words
        .first()
        .is_some_and(|first| numbers.is_of(first, page))
    {
        words.remove(0);
    }
    words.join(" ").to_lowercase()
}

/// Takes printed tables of contents and indexes out of a page: lines of dots that lead to a number, and what stands among
/// them. Whether the page ends with entries: those that `goes_on` says the page before it ended with may go on with a few.
pub(crate) fn remove_contents(lines: &mut Vec<Line>, goes_on: bool) -> bool {
    let leads: Vec<bool> = lines.iter().map(|line| is_leader(&line.text())).collect();
    let count = leads.iter().filter(|leads| **leads).count();
    let least = if goes_on && leads.first() == Some(&true) {
        1
    } else {
        LEADERS_MIN
    };
    if count < least {
        return false;
    }
    let ends_with_number = |text: &str| {
        let last = text.rsplit(' ').next();
        last.is_some_and(|word| is_page_number(word) && text.contains(' '))
    };
    // Where chapters have no dots, most lines end with a number all the same.
    let numbered = lines
        .iter()
        .filter(|line| ends_with_number(line.text().trim()));
    let is_contents = numbered.count() * 10 >= lines.len() * CONTENTS_OF_TEN;
    let mut gone = leads.clone();
    // Between leaders, a line that ends with a number is an entry too, and so is a short one's first half.
    let near = |at: usize| {
        let from = at.saturating_sub(3);
        leads.iter().skip(from).take(7).any(|leads| *leads)
    };
    let is_entry = |at: usize, line: &Line| {
        let text = line.text();
        let text = text.trim();
        let is_led = |at: usize| leads.get(at).copied().unwrap_or(false);
        // A numbered one may take three lines.
        let is_numbered = || text.split(' ').next().is_some_and(outline::is_number);
        let is_set_so = || {
            lines
                .get(at + 2)
                .is_some_and(|led| (led.size - line.size).abs() < SIZE_STEP)
        };
        let goes_on = is_led(at + 1) || is_led(at + 2) && is_numbered() && is_set_so();
        let is_long = text.chars().count() <= 120 && goes_on && count * 2 > lines.len();
        is_led(at) || is_long || (is_contents || near(at)) && ends_with_number(text)
    };
    for (at, line) in lines.iter().enumerate() {
        let words = line.text().trim().to_lowercase();
        let is_title = contents::is_title(&words)
            || ["index", "list of figures", "list of tables"].contains(&words.as_str());
        let next = lines.get(at + 1);
        let heads = is_title && next.is_some_and(|next| is_entry(at + 1, next));
        if let Some(gone) = gone.get_mut(at) {
            *gone |= heads || is_entry(at, line);
        }
    }
    let mut at = 0;
    lines.retain(|_| {
        at += 1;
        !gone.get(at - 1).copied().unwrap_or(false)
    });
    gone.last().copied().unwrap_or(false)
}

/// Takes the index at the back of a book out: a page that is headed so, and those behind it, where at least half of the lines end with
/// the pages of what they name.
pub(crate) fn remove_index(pages: &mut [Vec<Line>]) {
    let is_index = |lines: &[Line]| {
        let entries = lines.iter().filter(|line| names_pages(&line.text()));
        entries.count() * 2 >= lines.len()
    };
    let back = pages.len() / 2;
    let headed = pages
        .iter()
        .enumerate()
        .skip(back)
        .find_map(|(page, lines)| {
            let head = lines.iter().position(|line| heads_index(&line.text()))?;
            let below = lines.get(head + 1..)?;
            let is_long = below.len() >= INDEX_LINES_MIN && is_index(below);
            is_long.then_some((page, head))
        });
    let Some((page, head)) = headed else { return };
    let mut behind = pages.iter_mut().skip(page);
    behind
        .next()
        .into_iter()
        .for_each(|lines| lines.truncate(head));
    behind
        .take_while(|lines| lines.is_empty() || is_index(lines))
        .for_each(|lines| lines.clear());
}

fn heads_index(text: &str) -> bool {
    let words = text.trim().to_lowercase();
    let is_named = words.ends_with(" index") && words.split(' ').count() <= 3;
    is_named || ["index", "stichwortverzeichnis", "sachregister"].contains(&words.as_str())
}

/// Whether a line ends with the pages of what it names: `kiln, 12, 31–33`.
fn names_pages(text: &str) -> bool {
    if is_leader(text) {
        return true;
    }
    let Some((named, pages)) = text.trim().rsplit_once(", ") else {
        return false;
    };
    let is_number = |page: &str| !page.is_empty() && page.bytes().all(|b| b.is_ascii_digit());
    named.contains(char::is_alphabetic)
        && pages.len() <= 9
        && pages.split(['-', '–']).all(is_number)
}

/// Whether a line leads to a page by dots.
fn is_leader(text: &str) -> bool {
    let text = text.trim();
    let dots =
        text.matches(". . .").count() + text.matches("....").count() + text.matches("…").count();
    let end = text.rsplit([' ', '.', '…', ',']).next().unwrap_or("");
    // A page that the typesetter did not know is "??".
    let is_unknown = end == "??";
    dots > 0
        && (is_page_number(end) || is_unknown || text.ends_with('.') && text.contains(". . . ."))
}

/// Whether the last word of a line is a number, as that of its page.
fn ends_in_number(text: &str) -> bool {
    let last = text.split_whitespace().next_back();
    last.is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
#[path = "furniture_tests.rs"]
mod tests;
