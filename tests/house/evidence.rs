//! What the documents claim of security: each test that a table names is there, and the counts are those of the rows.

use crate::source::{files, root};
use std::collections::BTreeSet;

/// Requirements of levels 1 and 2 of ASVS 5.0.0.
const REQUIREMENTS: usize = 253;

fn document(name: &str) -> String {
    std::fs::read_to_string(root().join("docs").join(name)).expect("a document")
}

/// The cells of a line of a table.
fn cells(line: &str) -> Option<Vec<&str>> {
    let inside = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    Some(inside.split('|').map(str::trim).collect())
}

/// The names in backticks that are words of code.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let spans = text.split('`').skip(1).step_by(2);
    spans.filter(move |span| span.contains('_') && span.chars().all(is_part))
}

/// The tests that a text names: every word in a column of tests, and elsewhere what is as long as a sentence.
fn tests_named_in(text: &str) -> BTreeSet<&str> {
    let is_sentence = |word: &&str| word.matches('_').count() > 3;
    let mut named: BTreeSet<&str> = words(text).filter(is_sentence).collect();
    let mut column = None;
    for line in text.lines() {
        let Some(cells) = cells(line) else {
            column = None;
            continue;
        };
        if column.is_none() {
            column = Some(cells.iter().position(|cell| cell.starts_with("tests")));
        }
        let shown = column.flatten().and_then(|column| cells.get(column));
        named.extend(words(shown.map_or("", |cell| cell)));
    }
    named
}

#[test]
fn every_test_that_a_document_names_is_there() {
    let all: Vec<_> = ["src", "tests", "crates"]
        .into_iter()
        .flat_map(files)
        .collect();
    let functions: BTreeSet<&str> = all
        .iter()
        .flat_map(|file| file.code.split("fn ").skip(1))
        .filter_map(|rest| {
            let is_end = |c: char| !(c.is_alphanumeric() || c == '_');
            rest.split(is_end).next()
        })
        .collect();
    for (name, least) in [("security.md", 40), ("asvs.md", 100)] {
        let text = document(name);
        let named = tests_named_in(&text);
        assert!(named.len() >= least, "docs/{name} names {}", named.len());
        let missing: Vec<_> = named.difference(&functions).collect();
        assert!(
            missing.is_empty(),
            "docs/{name} names tests that are not in the repository: {missing:?}. Name those that show it now, or say that it is open"
        );
    }
}

/// How a requirement stands, by what its row says.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
enum Stand {
    Held,
    Untested,
    Operator,
    Open,
    DoesNotApply,
}

fn stand(number: &str, cells: &[&str]) -> Stand {
    let &[_, _, holds, tests, left] = cells else {
        panic!("{number} has {} cells", cells.len());
    };
    if left.contains("Open: ") {
        Stand::Open
    } else if left.starts_with("Operator: ") {
        Stand::Operator
    } else if left.starts_with("No test") {
        Stand::Untested
    } else {
        assert!(
            left.is_empty(),
            "{number}: `{left}` says none of Open, Operator and No test"
        );
        let is_shown = tests.contains('`') || tests == "the page" && holds.contains("](");
        assert!(
            is_shown && !holds.is_empty(),
            "{number}: nothing shows it, and it is not said to be open"
        );
        Stand::Held
    }
}

/// Each requirement once, with how it stands.
fn requirements(text: &str) -> Vec<(&str, Stand)> {
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("Does not apply: ") {
            let (numbers, why) = rest.split_once(": ").expect("numbers, and why");
            assert!(why.len() > 10, "{line}");
            found.extend(
                numbers
                    .split(", ")
                    .map(|number| (number, Stand::DoesNotApply)),
            );
        } else if let Some(cells) = cells(line)
            && let Some((number, _)) = cells[0].split_once(" (L")
        {
            found.push((number, stand(number, &cells)));
        }
    }
    found
}

#[test]
fn each_requirement_of_asvs_has_one_row_and_the_counts_are_those_of_the_rows() {
    let (table, page) = (document("asvs.md"), document("security.md"));
    let found = requirements(&table);
    let numbers: BTreeSet<&str> = found.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers.len(), found.len(), "one stands twice");
    assert_eq!(found.len(), REQUIREMENTS);

    let count = |stand| found.iter().filter(|one| one.1 == stand).count();
    let counted = [
        (Stand::Held, "held, and shown"),
        (Stand::Untested, "held, without a test of its own"),
        (Stand::Operator, "held by the operator or the proxy"),
        (Stand::Open, "open"),
        (Stand::DoesNotApply, "do not apply"),
    ];
    let mut figures = vec![REQUIREMENTS.to_string()];
    for (stand, told) in counted {
        let count = count(stand).to_string();
        let mut counts = table.lines().filter_map(cells);
        let shown = counts.find(|cells| cells.len() == 2 && cells[0].starts_with(told));
        let shown = shown.unwrap_or_else(|| panic!("docs/asvs.md does not count `{told}`"));
        assert_eq!(shown[1], count, "docs/asvs.md: {told}");
        figures.push(count);
    }
    let section = page.split_once("## OWASP ASVS").map(|(_, rest)| rest);
    let section = section.and_then(|rest| rest.split("\n## ").next());
    let (_, section) = section
        .and_then(|section| section.split_once("\n\n"))
        .expect("a section below its heading");
    let (counts, list) = section.split_once("Open are:").expect("a list");
    let told: Vec<&str> = counts
        .split(|c: char| !c.is_ascii_digit())
        .filter(|figure| !figure.is_empty())
        .collect();
    assert_eq!(told, figures, "the counts in docs/security.md");

    let open: BTreeSet<&str> = found
        .iter()
        .filter(|(_, stand)| *stand == Stand::Open)
        .map(|(number, _)| *number)
        .collect();
    let listed: BTreeSet<&str> = list
        .split(|c: char| !(c.is_ascii_digit() || c == '.'))
        .map(|word| word.trim_matches('.'))
        .filter(|word| word.matches('.').count() == 2)
        .collect();
    assert_eq!(listed, open, "what docs/security.md lists as open");
}

#[test]
fn tests_are_read_of_their_column_and_of_sentences() {
    let text = "| a | tests | open |\n|---|---|---|\n| `x_y` | `a_b`, `scripts/test`, `kill -9`, c | `d_e` |\n\n\
                | a | b |\n|---|---|\n| `f_g` | |\n\nShown by `one_that_says_it_all`, in `h_i`.\n";
    let named = tests_named_in(text);
    assert_eq!(named, BTreeSet::from(["a_b", "one_that_says_it_all"]));
}
