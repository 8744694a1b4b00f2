//! Tests of what is taken from the edges of pages, and of what stays.

use super::*;
use crate::pdf::line::{Line, Piece};
use crate::pdf::testing;

fn line(words: &str, y: f32) -> Line {
    let right = 72.0 + 5.0 * words.chars().count() as f32;
    let piece = Piece {
        right,
        ..testing::piece(words)
    };
    Line {
        right,
        y,
        ..testing::line(vec![piece])
    }
}

#[test]
fn the_index_at_the_back_of_a_book_is_furniture_and_so_are_chapters_in_its_contents() {
    let told = || vec![line("It burns in there, by day and by night.", 700.0)];
    let entries = || {
        let entry = |at: u8| {
            line(
                &format!("kiln {at}, {at}, 31–33"),
                690.0 - 12.0 * f32::from(at),
            )
        };
        (0..12).map(entry)
    };
    let index = |words: &str| [line(words, 700.0)].into_iter().chain(entries()).collect();
    let mut pages = vec![told(), told(), index("Index"), entries().collect()];
    remove_index(&mut pages);
    let left: Vec<usize> = pages.iter().map(Vec::len).collect();
    assert_eq!(left, [1, 1, 0, 0]);
    let mut pages = vec![told(), told(), index("Kilns"), told()];
    remove_index(&mut pages);
    let left: Vec<usize> = pages.iter().map(Vec::len).collect();
    assert_eq!(left, [1, 1, 13, 1]);
    let mut contents: Vec<Line> = [
        "Circles 67",
        "Dots 68",
        "Vectors 81",
        "Steps 81",
        "III Commands 87",
        "Break 87",
        "Pause 101",
    ]
    .map(|words| line(words, 500.0))
    .into();
    contents.extend((0..3).map(|_| line("Firing . . . . . . . . 12", 400.0)));
    remove_contents(&mut contents, false);
    assert!(contents.is_empty(), "{contents:?}");
}

#[test]
fn a_title_of_contents_goes_with_the_entry_below_it() {
    let told = [
        ("Contents", 740.0),
        ("It holds all.", 726.0),
        ("It is old.", 714.0),
    ];
    let mut lines: Vec<Line> = told.map(|(words, y)| line(words, y)).into();
    lines.extend((0..3).map(|_| line("Firing . . . . . . . . 12", 400.0)));
    remove_contents(&mut lines, false);
    assert_eq!(lines.len(), 3);
}

#[test]
fn contents_that_end_on_the_next_page_end_with_it() {
    let mut all: Vec<Line> = (0..4)
        .map(|_| line("Firing . . . . . . . . 12", 400.0))
        .collect();
    let rest = || {
        let rest = [
            ("Ash . . . . . . . . 14", 700.0),
            ("Kilns burn.", 640.0),
            ("They are hot.", 600.0),
        ];
        rest.map(|(words, y)| line(words, y)).to_vec()
    };
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
    let left = |first: &str| {
        let entry = |row: u8| line("Firing . . . . . . . . 12", 700.0 - 12.0 * f32::from(row));
        let mut lines: Vec<Line> = (0..6).map(entry).collect();
        lines.push(line(first, 628.0));
        lines.push(line("Build-Doors, Build-Vents,", 616.0));
        lines.push(line("Build-Kilns . . . . . . . 14", 604.0));
        remove_contents(&mut lines, false);
        lines.iter().map(Line::text).collect::<Vec<_>>()
    };
    assert!(left("7.7 Kilns and what they are built of - Build-Walls,").is_empty());
    let told = "It is told before what it holds.";
    assert_eq!(left(told), [told]);
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
    let told: Vec<bool> = heads
        .iter()
        .enumerate()
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
    let mut pages: Vec<Vec<Line>> = (1..=8)
        .map(|page| {
            let told = |row: u8| {
                line(
                    "It burns in there all night.",
                    660.0 - 12.0 * f32::from(row),
                )
            };
            let mut lines = vec![line("the fire goes on from the page before", 700.0)];
            lines.extend((0..20).map(told));
            lines.push(line(&page.to_string(), 30.0));
            lines
        })
        .collect();
    for (page, head) in [
        (2, "9 Doors of kilns"),
        (4, "3.6 Version 5.3"),
        (6, "3.7 Version 5.4"),
    ] {
        pages[page][0] = line(head, 700.0);
    }
    remove_running(&mut pages);
    for (page, head) in [
        (2, "9 Doors of kilns"),
        (4, "3.6 Version 5.3"),
        (6, "3.7 Version 5.4"),
    ] {
        assert_eq!(pages[page].first().map(Line::text).as_deref(), Some(head));
        assert_eq!(pages[page].len(), 21);
    }
}

#[test]
fn a_heading_that_stands_inside_of_pages_too_is_no_running_head_where_it_opens_one() {
    let told = |row: u8| {
        line(
            "It burns in there all night.",
            660.0 - 12.0 * f32::from(row),
        )
    };
    let page = |number: usize| {
        let mut lines = vec![line("Kiln Manual, Release 4", 760.0)];
        if number.is_multiple_of(2) {
            lines.push(line("Parameters", 700.0));
        }
        lines.extend((0..6).map(told));
        lines.push(line("Parameters", 500.0));
        lines.extend((20..26).map(told));
        lines.push(line(&number.to_string(), 30.0));
        lines
    };
    let mut pages: Vec<Vec<Line>> = (1..=8).map(page).collect();
    remove_running(&mut pages);
    let named = pages
        .iter()
        .flatten()
        .filter(|line| line.text() == "Parameters");
    assert_eq!(named.count(), 12);
    assert!(
        !pages
            .iter()
            .flatten()
            .any(|line| line.text().contains("Manual"))
    );
}

#[test]
fn a_page_of_nothing_but_its_head_and_foot_is_empty() {
    let woods = ["Oak", "Ash", "Elm", "Fir", "Yew", "Birch", "Beech", "Larch"];
    let mut pages: Vec<Vec<Line>> = (1..)
        .zip(woods)
        .map(|(page, wood)| {
            let mut lines = vec![line("Kiln Manual, Release 4", 760.0)];
            if page != 4 {
                lines.push(line(&format!("{wood} burns slowly in it."), 600.0));
                lines.push(line(&format!("{wood} is dry."), 588.0));
            }
            lines.push(line(&format!("{page} Chapter {page}. {wood}"), 30.0));
            lines
        })
        .collect();
    remove_running(&mut pages);
    assert!(pages.get(3).is_some_and(Vec::is_empty), "{pages:?}");
    assert!(
        pages.iter().filter(|lines| lines.len() == 2).count() == 7,
        "{pages:?}"
    );
}

#[test]
fn the_number_of_a_page_goes_however_near_the_last_line_stands() {
    let mut pages: Vec<Vec<Line>> = ["one oak", "two ashes", "three elms", "four firs", "no wood"]
        .iter()
        .zip(1..)
        .map(|(words, number)| {
            let last = if number == 3 { 52.0 } else { 200.0 };
            vec![
                line(&format!("{words} {words}"), 700.0),
                line(words, last),
                line(&number.to_string(), 40.0),
            ]
        })
        .collect();
    remove_running(&mut pages);
    assert!(pages.iter().all(|lines| lines.len() == 2), "{pages:?}");
}

#[test]
fn the_brace_that_a_listing_ends_with_is_no_foot_of_its_page() {
    let mut pages: Vec<Vec<Line>> = ["12", "13", "14", "15"]
        .map(|number| {
            let told = |row: u8| line("The kiln burns.", 700.0 - 12.0 * f32::from(row));
            let mut brace = line("}", 80.0);
            brace.pieces[0].face.is_fixed = true;
            let foot = [brace, line(number, 40.0)];
            (0..9).map(told).chain(foot).collect()
        })
        .to_vec();
    remove_running(&mut pages);
    for lines in pages {
        assert_eq!(lines.last().map(Line::text).as_deref(), Some("}"));
    }
}

#[test]
fn the_number_of_a_page_goes_though_a_smaller_one_stands_elsewhere() {
    let mut pages: Vec<Vec<Line>> = ["oak", "ash", "elm", "fir", "yew"]
        .iter()
        .zip(1..)
        .map(|(wood, number)| {
            let mut lines = vec![
                line(&number.to_string(), 740.0),
                line(&format!("{wood} burns {wood}"), 700.0),
                line(&format!("{wood} is dry"), 688.0),
                line(&format!("so is {wood}"), 676.0),
            ];
            if number == 3 {
                let mut mark = line("3", 60.0);
                mark.size = 6.0;
                lines.push(mark);
            }
            lines
        })
        .collect();
    remove_running(&mut pages);
    let tops: Vec<String> = pages
        .iter()
        .filter_map(|page| page.first().map(Line::text))
        .collect();
    assert!(tops.iter().all(|top| top.contains("burns")), "{tops:?}");
}

#[test]
fn a_large_heading_whose_number_goes_up_with_the_pages_is_no_running_head() {
    let woods = ["Oak", "Ash", "Elm", "Fir", "Yew", "Birch", "Beech", "Larch"];
    let left = |size: f32| {
        let mut pages: Vec<Vec<Line>> = (1..)
            .zip(woods)
            .map(|(page, wood)| {
                let mut head = line(&format!("{page} {wood} burns"), 740.0);
                head.size = size;
                let told = |row: u8| line(&format!("{wood} {row}"), 700.0 - 12.0 * f32::from(row));
                [head].into_iter().chain((0..9).map(told)).collect()
            })
            .collect();
        remove_running(&mut pages);
        pages.iter().map(Vec::len).sum::<usize>()
    };
    assert_eq!((left(14.4), left(10.0)), (80, 72));
}

#[test]
fn a_large_heading_that_the_contents_name_at_the_top_of_a_page_is_no_running_head() {
    let entry = |words: &[&str], size: f32| {
        let mut line = line(&words.concat(), 740.0);
        line.size = size;
        let pieces = words.iter().enumerate().map(|(at, words)| Piece {
            text: (*words).to_owned(),
            is_apart: at > 0,
            ..line.pieces[0].clone()
        });
        line.pieces = pieces.collect();
        line
    };
    let left = |size: f32| {
        let mut pages: Vec<Vec<Line>> = ["Oak", "Ash", "Elm", "Fir", "Yew", "Larch"]
            .iter()
            .map(|wood| {
                let told = |row: u8| line(&format!("{wood} {row}"), 700.0 - 12.0 * f32::from(row));
                [line(&format!("{wood} burns"), 740.0)]
                    .into_iter()
                    .chain((0..9).map(told))
                    .collect()
            })
            .collect();
        pages[0][0] = entry(&["11 ", "Kilns of oak", "23"], 10.0);
        pages[4][0] = entry(&["11 ", "Kilns of oak"], size);
        remove_running(&mut pages);
        pages[4].len()
    };
    assert_eq!((left(14.4), left(10.0)), (10, 9));
}

#[test]
fn the_title_of_a_slide_that_is_shown_step_by_step_is_no_running_head() {
    let foot = || line("Ada Lee, Kilns of the north", 30.0);
    let step = |step: u8| {
        let told = |row: u8| line(&format!("Door {row}"), 660.0 - 24.0 * f32::from(row));
        let mut lines = vec![line("Doors of kilns", 700.0)];
        lines.extend((0..10).map(told));
        lines.push(line(&format!("It is door {step}."), 300.0));
        lines.push(foot());
        lines
    };
    let other = |wood: &str| {
        let told = |row: u8| line(&format!("{wood} {row}"), 660.0 - 24.0 * f32::from(row));
        let mut lines = vec![line(wood, 700.0)];
        lines.extend((0..10).map(told));
        lines.push(foot());
        lines
    };
    let mut pages: Vec<Vec<Line>> = (1..6).map(step).collect();
    pages.extend(["Oak", "Ash", "Elm", "Fir"].map(other));
    remove_running(&mut pages);
    let lengths: Vec<usize> = pages.iter().map(Vec::len).collect();
    assert_eq!(lengths, [12, 12, 12, 12, 12, 11, 11, 11, 11]);
    let title = pages.iter().filter_map(|lines| lines.first());
    assert_eq!(
        title.filter(|line| line.text() == "Doors of kilns").count(),
        5
    );
}

#[test]
fn the_head_of_a_form_that_is_filled_in_on_each_page_runs_along_them() {
    let page = |number: u8| {
        let row = |row: u8| {
            let words = match row {
                3..17 if !row.is_multiple_of(4) => format!("Width of door {row}"),
                _ => "x".repeat(usize::from(number * 20 + row)),
            };
            line(&words, 700.0 - 24.0 * f32::from(row))
        };
        let mut lines = vec![line("Report on doors", 740.0)];
        lines.extend((0..20).map(row));
        lines
    };
    let mut pages: Vec<Vec<Line>> = (1..9).map(page).collect();
    remove_running(&mut pages);
    let lengths: Vec<usize> = pages.iter().map(Vec::len).collect();
    assert_eq!(lengths, [20; 8]);
}

#[test]
fn entries_of_one_kind_are_kept_at_the_edges_of_pages_too_and_running_heads_go() {
    let beside = |words: [&str; 2], y: f32| {
        let mut line = line(&words.concat(), y);
        let pieces = words
            .iter()
            .zip([false, true])
            .map(|(words, is_apart)| Piece {
                text: (*words).to_owned(),
                is_apart,
                ..testing::piece("")
            });
        line.pieces = pieces.collect();
        line
    };
    let woods = ["Oak", "Ash", "Elm", "Fir", "Yew", "Birch", "Beech", "Larch"];
    let mut pages: Vec<Vec<Line>> = (1..)
        .zip(woods)
        .map(|(page, wood)| {
            let entry = |row: u8| {
                let name = format!("({wood}-{row} wood)");
                beside([&name, "Predicate"], 700.0 - 24.0 * f32::from(row))
            };
            let head = [beside([wood, "Kiln Manual"], 760.0)];
            let foot = [line(&page.to_string(), 30.0)];
            let entries = (0..10).map(entry);
            head.into_iter().chain(entries).chain(foot).collect()
        })
        .collect();
    remove_running(&mut pages);
    assert!(pages.iter().all(|lines| lines.len() == 10), "{pages:?}");
    let is_entry = |line: &Line| line.text().ends_with("Predicate");
    assert!(pages.iter().flatten().all(is_entry), "{pages:?}");
}
