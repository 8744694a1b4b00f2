//! Owns how long a page may be: what a line costs, which lines can be spared, and what is cut of a page too long.

use crate::check::Source;
use crate::draft::{Form, Line, Page};
use crate::settle::settle;
use skillkiln_skills::tokens::tokens;

/// Lines of a whole SKILL.md, and those that the text has at least.
const FILE_LINES_MAX: usize = 250;
const TEXT_LINES_MIN: usize = 60;

/// The tokens and the lines that a line takes.
fn cost(page: &Page, line: &Line, source: &Source) -> (usize, usize) {
    let claims = line.claims.iter().filter_map(|at| page.claims.get(*at));
    let words: usize = claims.map(|claim| tokens(&claim.text) + 2).sum();
    let taken = match &line.form {
        Form::Take(reference, _) => source
            .units
            .get(reference.number)
            .and_then(|unit| crate::compile::taken(unit, reference))
            .map_or((0, 0), |text| (tokens(&text), text.lines().count())),
        _ => (0, 0),
    };
    // Empty lines stand around a heading and above whatever is no item and no row.
    let empty = match line.form {
        Form::Heading(_) => 2,
        Form::Row | Form::Item { .. } | Form::Take(_, Some(_)) => 0,
        _ => 1,
    };
    (
        words + tokens(&line.words) + taken.0,
        taken.1.max(1) + empty,
    )
}

/// The tokens and the lines of a page.
#[must_use]
pub fn size(page: &Page, source: &Source) -> (usize, usize) {
    sum(&costs(page, source))
}

fn costs(page: &Page, source: &Source) -> Vec<(usize, usize)> {
    let lines = page.lines.iter();
    lines.map(|line| cost(page, line, source)).collect()
}

fn sum(costs: &[(usize, usize)]) -> (usize, usize) {
    let add = |sum: (usize, usize), one: &(usize, usize)| (sum.0 + one.0, sum.1 + one.1);
    costs.iter().fold((0, 0), add)
}

/// Shortens a page to so many tokens and lines, and gives what was cut: of the largest section the last line that is no step, so that a
/// short section stays whole; where code is most of the page, the largest piece of it; steps only where nothing else is left.
pub fn shorten(
    page: &mut Page,
    source: &Source,
    tokens_max: usize,
    lines_max: usize,
) -> Vec<String> {
    let mut cut = Vec::new();
    loop {
        let costs = costs(page, source);
        let all = sum(&costs);
        if all.0 <= tokens_max && all.1 <= lines_max {
            break;
        }
        let by_lines = all.0 <= tokens_max;
        let weight = |at: usize| {
            let own = costs.get(at).copied().unwrap_or_default();
            if by_lines { own.1 } else { own.0 }
        };
        let Some(at) = first_to_go(page, &weight) else {
            break;
        };
        let line = page.lines.remove(at);
        let claims = line.claims.iter().filter_map(|at| page.claims.get(*at));
        cut.extend(claims.map(|claim| claim.text.clone()));
        if let Form::Take(reference, _) = &line.form {
            cut.push(reference.to_string());
        }
        behead(page, at);
    }
    if !cut.is_empty() {
        settle(page, source);
    }
    cut
}

/// Shortens a page to the lines that what stands around it leaves of a SKILL.md, and gives what was cut.
pub fn fit(page: &mut Page, source: &Source, around: usize) -> Vec<String> {
    let lines_max = FILE_LINES_MAX.saturating_sub(around).max(TEXT_LINES_MIN);
    shorten(page, source, usize::MAX, lines_max)
}

/// Takes out what stood above a line that was cut and has nothing below it any more: a heading, the head of a table.
fn behead(page: &mut Page, mut at: usize) {
    while let Some(above) = at.checked_sub(1) {
        let next = page.lines.get(at).map(|line| &line.form);
        let is_idle = match page.lines.get(above).map(|line| &line.form) {
            Some(Form::Heading(level)) => match next {
                Some(Form::Heading(next)) => next <= level,
                next => next.is_none(),
            },
            Some(Form::Head) => next != Some(&Form::Row),
            _ => false,
        };
        if !is_idle {
            return;
        }
        page.lines.remove(above);
        at = above;
    }
}

/// The line that a page too long can spare first.
fn first_to_go(page: &Page, weight: &impl Fn(usize) -> usize) -> Option<usize> {
    let form = |at: usize| page.lines.get(at).map(|line| &line.form);
    let is_take = |at: &usize| matches!(form(*at), Some(Form::Take(..)));
    let sum = |lines: &[usize]| lines.iter().map(|at| weight(*at)).sum::<usize>();
    let all: Vec<usize> = (0..page.lines.len()).collect();
    let spare: Vec<usize> = all
        .iter()
        .copied()
        .filter(|at| is_spare(page, *at))
        .collect();
    let taken: Vec<usize> = spare.iter().copied().filter(is_take).collect();
    if sum(&taken) * 2 > sum(&all) {
        return taken.into_iter().max_by_key(|at| weight(*at));
    }
    let mut sections: Vec<Vec<usize>> = vec![Vec::new()];
    for at in all {
        match (form(at), sections.last_mut()) {
            (Some(Form::Heading(2)), _) | (_, None) => sections.push(vec![at]),
            (_, Some(section)) => section.push(at),
        }
    }
    let last = |section: &Vec<usize>, is_free: &dyn Fn(usize) -> bool| {
        section.iter().rev().copied().find(|at| is_free(*at))
    };
    sections.sort_by_key(|section| std::cmp::Reverse(sum(section)));
    let is_more = |at: usize| !matches!(form(at), Some(Form::Heading(_) | Form::Head));
    let of = |is_free: &dyn Fn(usize) -> bool| {
        sections.iter().find_map(|section| last(section, is_free))
    };
    of(&|at| is_spare(page, at)).or_else(|| of(&is_more))
}

/// Whether a line may be taken out: a procedure stays whole.
#[must_use]
pub fn is_spare(page: &Page, line: usize) -> bool {
    let form = |at: usize| page.lines.get(at).map(|line| &line.form);
    let is_step = |form: Option<&Form>| {
        matches!(
            form,
            Some(Form::Item {
                is_ordered: true,
                ..
            })
        )
    };
    match form(line) {
        Some(Form::Heading(_) | Form::Head) | None => false,
        Some(Form::Take(..)) => !line
            .checked_sub(1)
            .is_some_and(|above| is_step(form(above))),
        own => !is_step(own),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settle::tests::{proved, source};
    use crate::units::Units;
    use skillkiln_document::testing::document;

    #[test]
    fn a_page_too_long_loses_the_last_lines_of_its_longest_section_and_says_which() {
        let source = source();
        let items = |count: usize, words: &str| -> String {
            (0..count)
                .map(|n| format!("- {words} {n} times. [[2]]\n"))
                .collect()
        };
        let answer = format!(
            "## Do\n\n1. Start it. [[4]]\n{{{{cmd 4}}}}\n2. Raise it. [[2]]\n\n## Choose\n\n{}\n## Gotchas\n\n{}",
            items(40, "Raise it"),
            items(3, "Never open it")
        );
        let mut page = proved(&answer, &source);
        let before = page.lines.len();
        let (tokens, lines) = size(&page, &source);
        let cut = shorten(&mut page, &source, tokens, lines - 30);
        assert_eq!((cut.len(), page.lines.len()), (30, before - 30));
        assert_eq!(
            (cut[0].as_str(), cut[29].as_str()),
            ("Raise it 39 times.", "Raise it 10 times.")
        );
        let text = |at: usize| page.claims[page.lines[at].claims[0]].text.as_str();
        assert_eq!(text(page.lines.len() - 1), "Never open it 2 times.");
        assert_eq!(text(1), "Start it.");
        // Nothing of it fits: steps go as well, and it ends.
        let cut = shorten(&mut page, &source, 0, 0);
        assert!(page.lines.is_empty() && cut.contains(&"{{cmd 4}}".to_owned()));
    }

    #[test]
    fn code_that_is_most_of_a_page_goes_before_what_is_said() {
        let code: String = (0..50)
            .map(|n| format!("kilnctl program {n} --hold {n}\n"))
            .collect();
        let text = format!(
            "# Firing\n\nRaise it by 60 degrees.\n\n```sh\n{code}```\n\nRead it:\n\n```sh\nkilnctl read\n```"
        );
        let source = Source::of(Units::of("Firing", &document(&text).blocks));
        let answer = "## Do\n\nRaise it. [[2]]\n\n{{code 3}}\n\n{{code 5}}\n\n## Gotchas\n\n- Never open it. [[2]]\n- Wait. [[2]]";
        let mut page = proved(answer, &source);
        let cut = shorten(&mut page, &source, 100, 200);
        assert_eq!((cut, page.lines.len()), (vec!["{{code 3}}".to_owned()], 6));
    }

    #[test]
    fn headings_of_what_was_cut_take_no_room() {
        let source = source();
        let mut answer = String::from("## Do\n\n1. Raise it. [[2]]\n2. Open it. [[2]]\n\n");
        for number in 0..40 {
            answer.push_str(&format!(
                "## Part {number}\n\n### More\n\n{{{{cmd 4}}}}\n\n|a|b|\n|---|---|\n|x {number}|y [[2]]|\n\n"
            ));
        }
        let mut page = proved(&answer, &source);
        shorten(&mut page, &source, 3_000, 40);
        let steps = page
            .lines
            .iter()
            .filter(|line| matches!(line.form, Form::Item { .. }));
        assert_eq!(steps.count(), 2);
        let (_, lines) = size(&page, &source);
        assert!((20..=40).contains(&lines), "{lines}");
    }
}
