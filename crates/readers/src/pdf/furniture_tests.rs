//! Tests of what is taken from the edges of pages, and of what stays.

use super::*;
use crate::pdf::line::{Line, Piece};
use crate::pdf::testing;

const WOODS: [&str; 8] = ["Oak", "Ash", "Elm", "Fir", "Yew", "Birch", "Beech", "Larch"];

/// A line that stands so high; `¦` parts its pieces.
fn line(words: &str, y: f32) -> Line {
    let right = 72.0 + 5.0 * words.chars().count() as f32;
    let pieces = words.split('¦').enumerate().map(|(at, words)| Piece {
        right,
        is_apart: at > 0,
        ..testing::piece(words)
    });
    Line {
        right,
        y,
        ..testing::line(pieces.collect())
    }
}

/// The lines of a page, each behind how high it stands.
fn page(text: &str) -> Vec<Line> {
    let rows = text.lines().filter_map(|row| row.trim().split_once(' '));
    rows.map(|(y, words)| line(words, y.parse().unwrap()))
        .collect()
}

/// So many rows below each other, each with its number at `{}`.
fn rows(top: usize, step: usize, count: usize, words: &str) -> String {
    let row = |row: usize| {
        let words = words.replace("{}", &row.to_string());
        format!("{} {words}\n", top - step * row)
    };
    (0..count).map(row).collect()
}

/// A page for each of the woods, by its number and its name, without what runs along them.
fn run(woods: &[&str], text: impl Fn(usize, &str) -> String) -> Vec<Vec<Line>> {
    let mut pages: Vec<Vec<Line>> = (1..)
        .zip(woods)
        .map(|(at, wood)| page(&text(at, wood)))
        .collect();
    remove_running(&mut pages);
    pages
}

fn lengths(pages: &[Vec<Line>]) -> Vec<usize> {
    pages.iter().map(Vec::len).collect()
}

/// What is left of a page below entries of contents.
fn left(entries: usize, text: &str) -> Vec<String> {
    let entries = rows(740, 0, entries, "Firing . . . . . . . . 12");
    let mut lines = page(&format!("{entries}{text}"));
    remove_contents(&mut lines, false);
    lines.iter().map(Line::text).collect()
}

#[test]
fn the_index_at_the_back_of_a_book_is_furniture() {
    for (title, left) in [("Index", [1, 1, 0, 0]), ("Kilns", [1, 1, 13, 12])] {
        let told = || page("700 It burns in there, by day and by night.");
        let entries = rows(690, 12, 12, "kiln {}, {}, 31–33");
        let index = page(&format!("700 {title}\n{entries}"));
        let mut pages = vec![told(), told(), index, page(&entries)];
        remove_index(&mut pages);
        assert_eq!(lengths(&pages), left);
    }
}

#[test]
fn chapters_in_contents_go_with_them_and_so_does_their_title() {
    let chapters = "500 Circles 67\n500 Dots 68\n500 Vectors 81\n500 Steps 81\n500 III Commands 87\n500 Break 87\n500 Pause 101\n";
    assert!(left(3, chapters).is_empty());
    let mut lines = page("740 Contents\n726 It holds all.\n714 It is old.\n");
    lines.extend(page(&rows(400, 0, 3, "Firing . . . . . . . . 12")));
    remove_contents(&mut lines, false);
    assert_eq!(lines.len(), 3);
}

#[test]
fn contents_that_end_on_the_next_page_end_with_it() {
    let mut all = page(&rows(400, 0, 4, "Firing . . . . . . . . 12"));
    let rest = || page("700 Ash . . . . . . . . 14\n640 Kilns burn.\n600 They are hot.");
    let goes_on = remove_contents(&mut all, false);
    let mut next = rest();
    let is_more = remove_contents(&mut next, goes_on);
    assert_eq!((next.len(), is_more), (2, false));
    let mut alone = rest();
    remove_contents(&mut alone, is_more);
    assert_eq!(alone.len(), 3);
}

#[test]
fn a_numbered_entry_of_the_contents_may_take_three_lines() {
    let entry = "616 Build-Doors, Build-Vents,\n604 Build-Kilns . . . . . . . 14";
    let below = |first: &str| left(6, &format!("628 {first}\n{entry}"));
    assert!(below("7.7 Kilns and what they are built of - Build-Walls,").is_empty());
    let told = "It is told before what it holds.";
    assert_eq!(below(told), [told]);
}

#[test]
fn leaders_lead_to_a_page_and_an_ellipsis_does_not() {
    assert!(is_leader("2.1 Firing . . . . . . . . . . 12"));
    assert!(is_leader("Preface.................. iv"));
    assert!(is_leader("Doors of kilns..............??"));
    assert!(!is_leader("Wait for it ... then open the kiln"));
    assert!(!is_leader("and so on...."));
}

#[test]
fn the_number_of_a_page_goes_up_with_the_pages_and_that_of_a_section_does_not() {
    let heads = [
        "9 Kilns", "10 Kilns", "11 Kilns", "4 Doors", "3.1 Wood", "iv Ash", "14 Coal",
    ];
    let pages: Vec<Vec<Line>> = heads.iter().map(|head| vec![line(head, 700.0)]).collect();
    let edges: Vec<Vec<(usize, bool)>> = pages.iter().map(|lines| edges(lines)).collect();
    let numbers = Numbers::of(&pages, &edges);
    assert_eq!(key("12  Chapter 1", &numbers, 3), "chapter 1");
    let told = heads.iter().enumerate();
    let told: Vec<bool> = told
        .map(|(page, head)| numbers.are_told(head, page))
        .collect();
    assert_eq!(told, [true, true, true, false, false, false, false]);
    assert_eq!(
        (value("xiv"), value("- iii -"), value("3.1")),
        (Some(14), Some(3), None)
    );
    assert!(is_in_chapter("3-12") && is_in_chapter("A–4") && !is_in_chapter("well-known"));
}

#[test]
fn a_section_that_opens_a_page_keeps_its_heading() {
    let opened = |at: usize| match at {
        3 => "9 Doors of kilns",
        5 => "3.6 Version 5.3",
        7 => "3.7 Version 5.4",
        _ => "the fire goes on from the page before",
    };
    let pages = run(&WOODS, |at, _| {
        let told = rows(660, 12, 20, "It burns in there all night.");
        format!("700 {}\n{told}30 {at}", opened(at))
    });
    for at in [3, 5, 7] {
        assert_eq!(pages[at - 1][0].text(), opened(at));
        assert_eq!(pages[at - 1].len(), 21);
    }
}

#[test]
fn a_heading_that_stands_inside_of_pages_too_is_no_running_head_where_it_opens_one() {
    let pages = run(&WOODS, |at, _| {
        let opens = if at % 2 == 0 { "700 Parameters\n" } else { "" };
        let told = "It burns in there all night.";
        let (above, below) = (rows(660, 12, 6, told), rows(420, 12, 6, told));
        format!("760 Kiln Manual, Release 4\n{opens}{above}500 Parameters\n{below}30 {at}")
    });
    let texts: Vec<String> = pages.iter().flatten().map(Line::text).collect();
    let named = texts.iter().filter(|text| *text == "Parameters");
    assert_eq!(named.count(), 12);
    assert!(!texts.iter().any(|text| text.contains("Manual")));
}

#[test]
fn a_page_of_nothing_but_its_head_and_foot_is_empty() {
    let pages = run(&WOODS, |at, wood| {
        let told = format!("600 {wood} burns slowly in it.\n588 {wood} is dry.\n");
        let told = if at == 4 { "" } else { &told };
        format!("760 Kiln Manual, Release 4\n{told}30 {at} Chapter {at}. {wood}")
    });
    assert_eq!(lengths(&pages), [2, 2, 2, 0, 2, 2, 2, 2]);
}

#[test]
fn the_number_of_a_page_goes_however_near_the_last_line_stands() {
    let pages = run(&["oak", "ashes", "elms", "firs", "wood"], |at, wood| {
        let last = if at == 3 { 52 } else { 200 };
        format!("700 {wood} {wood}\n{last} {wood}\n40 {at}")
    });
    assert_eq!(lengths(&pages), [2; 5]);
}

#[test]
fn the_brace_that_a_listing_ends_with_is_no_foot_of_its_page() {
    let mut pages: Vec<Vec<Line>> = (12..16)
        .map(|number| {
            let told = rows(700, 12, 9, "The kiln burns.");
            let mut lines = page(&format!("{told}80 }}\n40 {number}"));
            lines[9].pieces[0].face.is_fixed = true;
            lines
        })
        .collect();
    remove_running(&mut pages);
    for lines in pages {
        assert_eq!(lines.last().map(Line::text).as_deref(), Some("}"));
    }
}

#[test]
fn the_number_of_a_page_goes_though_a_smaller_one_stands_elsewhere() {
    let mut pages: Vec<Vec<Line>> = (1..)
        .zip(["oak", "ash", "elm", "fir", "yew"])
        .map(|(at, wood)| {
            page(&format!(
                "740 {at}\n700 {wood} burns {wood}\n688 {wood} is dry\n676 so is {wood}"
            ))
        })
        .collect();
    let mut mark = line("3", 60.0);
    mark.size = 6.0;
    pages[2].push(mark);
    remove_running(&mut pages);
    assert!(
        pages.iter().all(|page| page[0].text().contains("burns")),
        "{pages:?}"
    );
}

#[test]
fn a_large_heading_whose_number_goes_up_with_the_pages_is_no_running_head() {
    for (size, left) in [(14.4, 80), (10.0, 72)] {
        let told = |wood: &str| rows(700, 12, 9, &format!("{wood} {{}}"));
        let pages = (1..).zip(WOODS);
        let pages = pages.map(|(at, wood)| page(&format!("740 {at} {wood} burns\n{}", told(wood))));
        let mut pages: Vec<Vec<Line>> = pages.collect();
        pages.iter_mut().for_each(|lines| lines[0].size = size);
        remove_running(&mut pages);
        assert_eq!(lengths(&pages).iter().sum::<usize>(), left);
    }
}

#[test]
fn a_large_heading_that_the_contents_name_at_the_top_of_a_page_is_no_running_head() {
    for (size, left) in [(14.4, 10), (10.0, 9)] {
        let told = |wood: &str| rows(700, 12, 9, &format!("{wood} {{}}"));
        let pages = WOODS.iter().take(6);
        let pages = pages.map(|wood| page(&format!("740 {wood} burns\n{}", told(wood))));
        let mut pages: Vec<Vec<Line>> = pages.collect();
        pages[0][0] = line("11 ¦Kilns of oak¦23", 740.0);
        pages[4][0] = line("11 ¦Kilns of oak", 740.0);
        pages[4][0].size = size;
        remove_running(&mut pages);
        assert_eq!(pages[4].len(), left);
    }
}

#[test]
fn the_title_of_a_slide_that_is_shown_step_by_step_is_no_running_head() {
    let slides = ["Door"; 5].into_iter().chain(["Oak", "Ash", "Elm", "Fir"]);
    let pages = run(&slides.collect::<Vec<_>>(), |at, name| {
        let told = rows(660, 24, 10, &format!("{name} {{}}"));
        let head = match at {
            ..6 => format!("700 Doors of kilns\n{told}300 It is door {at}."),
            _ => format!("700 {name}\n{told}"),
        };
        format!("{}\n30 Ada Lee, Kilns of the north", head.trim_end())
    });
    assert_eq!(lengths(&pages), [12, 12, 12, 12, 12, 11, 11, 11, 11]);
    let titled = pages
        .iter()
        .filter(|lines| lines[0].text() == "Doors of kilns");
    assert_eq!(titled.count(), 5);
}

#[test]
fn the_head_of_a_form_that_is_filled_in_on_each_page_runs_along_them() {
    let pages = run(&WOODS, |at, _| {
        let row = |row: usize| {
            let words = match row {
                3..17 if !row.is_multiple_of(4) => format!("Width of door {row}"),
                _ => "x".repeat(at * 20 + row),
            };
            format!("\n{} {words}", 700 - 24 * row)
        };
        let told: String = (0..20).map(row).collect();
        format!("740 Report on doors{told}")
    });
    assert_eq!(lengths(&pages), [20; 8]);
}

#[test]
fn entries_of_one_kind_are_kept_at_the_edges_of_pages_too_and_running_heads_go() {
    let pages = run(&WOODS, |at, wood| {
        let entries = rows(700, 24, 10, &format!("({wood}-{{}} wood)¦Predicate"));
        format!("760 {wood}¦Kiln Manual\n{entries}30 {at}")
    });
    assert_eq!(lengths(&pages), [10; 8]);
    let is_entry = |line: &Line| line.text().ends_with("Predicate");
    assert!(pages.iter().flatten().all(is_entry), "{pages:?}");
}
