//! Takes the heads out of the pages of a file that are deeper than running heads are: the form at the top of each page of a
//! specification, with who wrote it, who approved it and its number.

use crate::pdf::line::Line;
use skillkiln_document::text::squash;
use std::collections::HashMap;

/// Pages that a file has at least, and the share of them that have a line, of a hundred.
const PAGES_MIN: usize = 5;
const PAGES_OF_HUNDRED: usize = 60;
/// So many lines of a head or a foot.
const LINES_MAX: usize = 10;
/// A line stands at the same height in steps of so many points.
const STEP: f32 = 2.0;

/// Takes out what stands at the same place in the same words on most pages, from the top down and from the foot up.
pub(crate) fn remove(pages: &mut [Vec<Line>]) {
    let filled = pages.iter().filter(|lines| !lines.is_empty()).count();
    if filled < PAGES_MIN {
        return;
    }
    let mut counts: HashMap<(String, i32), usize> = HashMap::new();
    for line in pages.iter().flatten() {
        *counts.entry(key(line, 0)).or_default() += 1;
    }
    let is_often = |line: &Line| {
        let near = (-1..=1).filter_map(|aside| counts.get(&key(line, aside)));
        near.sum::<usize>() * 100 >= filled * PAGES_OF_HUNDRED
    };
    for lines in pages {
        let mut order: Vec<usize> = (0..lines.len()).collect();
        let y = |at: &usize| lines.get(*at).map_or(0.0, |line| line.y);
        order.sort_by(|a, b| y(b).total_cmp(&y(a)));
        let runs = |at: &&usize| lines.get(**at).is_some_and(&is_often);
        let head = order.iter().take(LINES_MAX).take_while(runs);
        let foot = order.iter().rev().take(LINES_MAX).take_while(runs);
        let gone: Vec<usize> = head.chain(foot).copied().collect();
        // A page that is all the same is one of forms.
        if gone.len() >= lines.len() {
            continue;
        }
        let mut at = 0;
        lines.retain(|_| {
            at += 1;
            !gone.contains(&(at - 1))
        });
    }
}

fn key(line: &Line, aside: i32) -> (String, i32) {
    let height = (line.y / STEP).round() as i32;
    (squash(&line.text()), height + aside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::testing;

    fn line(words: &str, y: f32) -> Line {
        Line {
            y,
            ..testing::line(vec![testing::piece(words)])
        }
    }

    #[test]
    fn the_form_at_the_top_of_each_page_goes_and_what_comes_again_below_stays() {
        let mut pages: Vec<Vec<Line>> = (0..6)
            .map(|page| {
                vec![
                    line("Prepared by Ada Lee", 780.0),
                    line("Approved", 768.0),
                    line("K-12/3", 756.0),
                    line("Rev. A", 744.0),
                    line(&format!("Kiln {page}"), 700.0),
                    line("Fire", 688.0),
                    line(&format!("It burns {page} days."), 676.0),
                ]
            })
            .collect();
        remove(&mut pages);
        let left: Vec<String> = pages[2].iter().map(Line::text).collect();
        assert_eq!(left, ["Kiln 2", "Fire", "It burns 2 days."]);
        let mut few = vec![vec![line("Approved", 768.0), line("Fire", 688.0)]; 3];
        remove(&mut few);
        assert!(few.iter().all(|lines| lines.len() == 2));
    }
}
