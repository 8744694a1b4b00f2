//! Knows the titles of slides: the large line at the top of each page of a file that is wider than high, which is no running head.

use crate::pdf::heading::Heading;
use crate::pdf::line::Line;
use std::collections::{HashMap, HashSet};

/// A file of slides has so many pages with text at least.
const PAGES_MIN: usize = 3;
/// Slides are so many times as wide as high at least.
const WIDE_TIMES: f32 = 1.15;
/// A title is so many times as large as half of the lines below it.
const TITLE_TIMES: f32 = 1.15;
/// So many of ten pages have a title.
const TITLED_OF_TEN: usize = 6;
/// A title takes so many lines at most.
const TITLE_LINES_MAX: usize = 3;

/// The lines of each page that are the title of a slide.
pub(crate) struct Titles {
    pages: Vec<Title>,
}

/// The title of one page.
#[derive(Default)]
struct Title {
    lines: HashSet<usize>,
    words: String,
    /// The page before has the same one.
    is_again: bool,
}

impl Titles {
    /// The titles of the slides of a file, none where it has no slides.
    pub(crate) fn of(pages: &[Vec<Line>]) -> Self {
        if !are_wide(pages) {
            return Self { pages: Vec::new() };
        }
        let printed = pages.iter().filter(|lines| !lines.is_empty()).count();
        let mut titles: Vec<Title> = pages.iter().map(|lines| title(lines)).collect();
        let titled = titles.iter().filter(|title| !title.lines.is_empty());
        if titled.count() * 10 < printed * TITLED_OF_TEN {
            titles.clear();
        }
        let mut before = String::new();
        for title in &mut titles {
            title.is_again = !title.words.is_empty() && title.words == before;
            before.clone_from(&title.words);
        }
        Self { pages: titles }
    }

    /// Whether a line of a page is part of its title.
    pub(crate) fn holds(&self, page: usize, line: usize) -> bool {
        let title = self.pages.get(page);
        title.is_some_and(|title| title.lines.contains(&line))
    }

    /// The lines of a title that says no more than that of the page before: the slide goes on.
    pub(crate) fn again(&self, page: usize) -> impl Iterator<Item = usize> {
        let title = self.pages.get(page).filter(|title| title.is_again);
        title
            .into_iter()
            .flat_map(|title| title.lines.iter().copied())
    }
}

/// Takes from the headings of slides all but their titles: what else is set large are points, commands and names in drawings.
pub(crate) fn keep_titles(lines: &[Line], headings: &mut HashMap<usize, Heading>) {
    let pages: Vec<Vec<Line>> = lines
        .chunk_by(|one, next| one.page == next.page)
        .map(<[Line]>::to_vec)
        .collect();
    let titles = Titles::of(&pages);
    let mut first = 0;
    let mut kept: HashSet<usize> = HashSet::new();
    // Pages whose title stands below something else.
    let mut untitled: HashSet<u32> = HashSet::new();
    for (page, title) in pages.iter().zip(&titles.pages) {
        kept.extend(title.lines.iter().map(|line| first + line));
        if title.lines.is_empty() {
            untitled.extend(page.first().map(|line| line.page));
        }
        first += page.len();
    }
    let mut sizes: Vec<f32> = kept
        .iter()
        .filter_map(|at| Some(lines.get(*at)?.size))
        .collect();
    sizes.sort_by(f32::total_cmp);
    let Some(usual) = sizes.get(sizes.len() / 2) else {
        return;
    };
    let is_as_large = |line: &Line| untitled.contains(&line.page) && line.size > usual - 0.6;
    headings.retain(|at, _| kept.contains(at) || lines.get(*at).is_some_and(is_as_large));
}

/// Whether the text of several pages takes more room across than down.
pub(crate) fn are_wide(pages: &[Vec<Line>]) -> bool {
    let printed = pages.iter().filter(|lines| !lines.is_empty()).count();
    let lines = || pages.iter().flatten();
    let least = |value: fn(&Line) -> f32| lines().map(value).fold(f32::MAX, f32::min);
    let most = |value: fn(&Line) -> f32| lines().map(value).fold(f32::MIN, f32::max);
    let width = most(|line| line.right) - least(|line| line.left);
    let height = most(|line| line.y + line.size) - least(|line| line.y);
    printed >= PAGES_MIN && width > WIDE_TIMES * height
}

/// The title of a page: its largest line, with those like it right below, where no line of text stands above.
fn title(lines: &[Line]) -> Title {
    let mut order: Vec<usize> = (0..lines.len()).collect();
    let line_at = |at: usize| lines.get(at);
    order.sort_by(|a, b| {
        let y = |at: usize| line_at(at).map_or(0.0, |line| line.y);
        y(*b).total_cmp(&y(*a))
    });
    let mut sizes: Vec<f32> = lines.iter().map(|line| line.size).collect();
    sizes.sort_by(f32::total_cmp);
    let largest = sizes.last().copied().unwrap_or(0.0);
    let usual = sizes
        .get(sizes.len().saturating_sub(1) / 2)
        .copied()
        .unwrap_or(0.0);
    let is_large = |at: &usize| {
        line_at(*at).is_some_and(|line| {
            line.size > largest - 0.6
                && line.size >= TITLE_TIMES * usual
                && !line.is_fixed()
                && line.text().chars().any(char::is_alphabetic)
        })
    };
    // A bar of small words may run along the top; a line in the size of the text is no such thing.
    let above = order
        .iter()
        .take_while(|at| line_at(**at).is_some_and(|line| line.size < 0.9 * usual));
    let mut title = Title::default();
    let mut last: Option<&Line> = None;
    for at in order.iter().skip(above.count()) {
        let Some(line) = line_at(*at) else { break };
        let goes_on = last.is_none_or(|last| last.y - line.y < 1.6 * last.size);
        if !is_large(at) || !goes_on || title.lines.len() >= TITLE_LINES_MAX {
            break;
        }
        title.lines.insert(*at);
        if !title.words.is_empty() {
            title.words.push(' ');
        }
        title.words.push_str(line.text().trim());
        last = Some(line);
    }
    title
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::testing;

    /// A slide with a title above lines of text, in a room of so much height.
    fn slide(page: u32, title: &str, height: f32) -> Vec<Line> {
        let line = |words: &str, size: f32, y: f32| Line {
            page,
            y,
            size,
            left: 20.0,
            right: 340.0,
            ..testing::line(vec![testing::piece(words)])
        };
        vec![
            line(title, 14.0, height),
            line("It is hot.", 10.0, height - 40.0),
            line("Nobody stands beside it.", 10.0, height - 60.0),
            line("It burns all night.", 10.0, 20.0),
        ]
    }

    #[test]
    fn a_title_that_comes_again_on_the_next_slide_is_marked_so() {
        let words = ["Kilns", "Kilns", "Fire", "Kilns"];
        let slides: Vec<Vec<Line>> = (1..)
            .zip(words)
            .map(|(n, it)| slide(n, it, 250.0))
            .collect();
        let titles = Titles::of(&slides);
        assert!((0..4).all(|page| titles.holds(page, 0) && !titles.holds(page, 1)));
        let again: Vec<usize> = (0..4).map(|page| titles.again(page).count()).collect();
        assert_eq!(again, [0, 1, 0, 0]);
    }

    #[test]
    fn what_is_set_large_on_a_slide_beside_its_title_heads_nothing() {
        let slides: Vec<Line> = (1..5).flat_map(|n| slide(n, "Kilns", 250.0)).collect();
        let heading = Heading { lines: 1, level: 1 };
        let mut headings = HashMap::from([(0, heading), (2, heading), (4, heading), (7, heading)]);
        keep_titles(&slides, &mut headings);
        let mut kept: Vec<usize> = headings.into_keys().collect();
        kept.sort_unstable();
        assert_eq!(kept, [0, 4]);
        // A line of the text's size stands above one title.
        let mut low = slides.clone();
        low[0].size = 10.0;
        low[1].size = 14.0;
        let mut headings = HashMap::from([(0, heading), (1, heading), (4, heading)]);
        keep_titles(&low, &mut headings);
        assert!(headings.contains_key(&1) && !headings.contains_key(&0));
        let pages: Vec<Line> = (1..5).flat_map(|n| slide(n, "Kilns", 700.0)).collect();
        let mut headings = HashMap::from([(2, heading)]);
        keep_titles(&pages, &mut headings);
        assert_eq!(headings.len(), 1);
    }

    #[test]
    fn pages_that_are_higher_than_wide_are_no_slides() {
        let pages: Vec<Vec<Line>> = (1..5).map(|n| slide(n, "Kilns", 700.0)).collect();
        assert!(!Titles::of(&pages).holds(0, 0));
    }
}
