//! Settles the levels of numbered headings: those of one series, such as `3.1`, `3.2` and `3.3`, stand at one level, below the one that
//! their numbers go on from.

use crate::pdf::heading::Heading;
use std::collections::HashMap;

/// The least high level.
const DEEPEST: u8 = 6;

/// A series of headings whose numbers differ in the last part.
#[derive(Default)]
struct Series {
    /// The number that all of them begin with.
    above: String,
    /// The level of the heading that has that number.
    below: Option<u8>,
    /// Their first lines.
    members: Vec<usize>,
    last: u32,
}

/// Gives headings of a series the level that most of them have. `numbered` has the numbers of headings by their first lines.
pub(crate) fn settle(headings: &mut HashMap<usize, Heading>, numbered: &HashMap<usize, String>) {
    let mut order: Vec<usize> = numbered.keys().copied().collect();
    order.sort_unstable();
    let mut all: Vec<Series> = Vec::new();
    // Which series goes on below a number; the number of a new heading begins its own anew.
    let mut open: HashMap<String, usize> = HashMap::new();
    for at in order {
        let Some(number) = numbered.get(&at) else {
            continue;
        };
        open.remove(number);
        let Some((above, last)) = number.rsplit_once('.') else {
            continue;
        };
        let Ok(last) = last.parse::<u32>() else {
            continue;
        };
        let running = open.get(above).and_then(|series| all.get_mut(*series));
        match running.filter(|series| series.last < last) {
            Some(series) => {
                series.members.push(at);
                series.last = last;
            }
            None => {
                open.insert(above.to_owned(), all.len());
                all.push(Series {
                    above: above.to_owned(),
                    below: None,
                    members: vec![at],
                    last,
                });
            }
        }
    }
    // From the fewest parts on, so that what stands above is settled first.
    all.sort_by_key(|series| {
        (
            series.above.matches('.').count(),
            series.members.first().copied(),
        )
    });
    let usual = usual(headings, numbered);
    for mut series in all {
        series.below = above(&series, headings, numbered);
        let parts = series.above.matches('.').count() + 1;
        let usual = [parts - 1, parts].map(|dots| usual.get(&dots).copied());
        let level = series.level(headings, usual);
        for at in &series.members {
            if let (Some(heading), Some(level)) = (headings.get_mut(at), level) {
                heading.level = level;
            }
        }
    }
}

/// The level that most headings have whose numbers have so many dots.
fn usual(
    headings: &HashMap<usize, Heading>,
    numbered: &HashMap<usize, String>,
) -> HashMap<usize, u8> {
    let mut times: HashMap<usize, HashMap<u8, usize>> = HashMap::new();
    for (at, number) in numbered {
        if let Some(heading) = headings.get(at) {
            let levels = times.entry(number.matches('.').count()).or_default();
            *levels.entry(heading.level).or_default() += 1;
        }
    }
    let most = |levels: HashMap<u8, usize>| {
        let most = levels
            .into_iter()
            .max_by_key(|(level, count)| (*count, std::cmp::Reverse(*level)));
        most.map(|(level, _)| level)
    };
    times
        .into_iter()
        .filter_map(|(dots, levels)| Some((dots, most(levels)?)))
        .collect()
}

/// The level of the last heading before a series that has the number it goes on from.
fn above(
    series: &Series,
    headings: &HashMap<usize, Heading>,
    numbered: &HashMap<usize, String>,
) -> Option<u8> {
    let first = series.members.first()?;
    let above = numbered
        .iter()
        .filter(|(at, number)| *at < first && **number == series.above);
    let (at, _) = above.max_by_key(|(at, _)| **at)?;
    headings.get(at).map(|heading| heading.level)
}

impl Series {
    /// The level that most of it has; of two that are as frequent, the one right below the heading above it, else the higher one. The
    /// `usual` levels are those of headings whose numbers have one part less, and as many.
    fn level(&self, headings: &HashMap<usize, Heading>, usual: [Option<u8>; 2]) -> Option<u8> {
        let mut times: HashMap<u8, usize> = HashMap::new();
        for heading in self.members.iter().filter_map(|at| headings.get(at)) {
            *times.entry(heading.level).or_default() += 1;
        }
        let next = self.below.map(|level| level.saturating_add(1).min(DEEPEST));
        let most = times
            .into_iter()
            .max_by_key(|(level, count)| (*count, Some(*level) == next, std::cmp::Reverse(*level)));
        let (level, _) = most?;
        // What stands above may have the same number by chance, or a wrong level itself.
        let [usual_above, usual] = usual;
        let is_undistinguished = usual <= usual_above && self.below == usual_above;
        let is_usual =
            next.is_some_and(|next| next > level) && (next == usual || is_undistinguished);
        next.filter(|_| is_usual).or(Some(level))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The levels of headings with these numbers, once they are settled.
    fn settled(given: &[(&str, u8)]) -> Vec<u8> {
        let mut headings: HashMap<usize, Heading> = (0..)
            .zip(given)
            .map(|(at, (_, level))| {
                (
                    at,
                    Heading {
                        lines: 1,
                        level: *level,
                    },
                )
            })
            .collect();
        let numbered: HashMap<usize, String> = (0..)
            .zip(given)
            .map(|(at, (number, _))| (at, (*number).to_owned()))
            .collect();
        settle(&mut headings, &numbered);
        (0..given.len()).map(|at| headings[&at].level).collect()
    }

    #[test]
    fn sections_of_one_chapter_stand_at_one_level() {
        let given = [
            ("3", 1),
            ("3.1", 2),
            ("3.2", 2),
            ("3.2.1", 3),
            ("3.3", 3),
            ("3.3.1", 3),
        ];
        assert_eq!(settled(&given), [1, 2, 2, 3, 2, 3]);
    }

    #[test]
    fn a_section_stands_below_the_one_whose_number_it_goes_on_with() {
        let given = [
            ("1", 1),
            ("1.1", 2),
            ("1.1.1", 3),
            ("1.1.2", 3),
            ("2", 1),
            ("2.1", 2),
            ("2.1.1", 2),
        ];
        assert_eq!(settled(&given), [1, 2, 3, 3, 1, 2, 3]);
    }

    #[test]
    fn a_chapter_that_is_set_too_low_does_not_move_its_sections() {
        let given = [("1", 1), ("1.1", 2), ("1.2", 2), ("2", 3), ("2.1", 2)];
        assert_eq!(settled(&given), [1, 2, 2, 3, 2]);
    }

    #[test]
    fn a_fourth_part_is_deeper_though_an_outline_ends_above_it() {
        let given = [("1", 1), ("1.1", 2), ("1.1.1", 2), ("1.1.2", 2)];
        assert_eq!(settled(&given), [1, 2, 3, 3]);
    }

    #[test]
    fn a_chapter_that_is_counted_anew_has_a_series_of_its_own() {
        let given = [("1", 1), ("1.1", 2), ("1", 2), ("1.1", 3), ("1.2", 3)];
        assert_eq!(settled(&given), [1, 2, 2, 3, 3]);
    }
}
