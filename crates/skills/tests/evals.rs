//! What a skill is tried with, on documents as people write them.

use skillkiln_document as _;
use skillkiln_document::blocks::Document;
use skillkiln_document::testing::document;
use skillkiln_skills::evals::needs::needs;
use skillkiln_skills::evals::ranking::rank;
use skillkiln_skills::evals::tasks::{EvalSet, tasks};
use skillkiln_skills::evals::trigger::{TriggerCase, requests};
use skillkiln_skills::evals::{Described, common};
use skillkiln_skills::skill::{Source, Wish};
use skillkiln_skills::write::write;
use std::collections::HashSet;
use {proptest as _, serde as _, tempfile as _};

/// The guide of a command line tool: how it is started, its flags, what goes wrong, and its rules.
const GUIDE: &str = "# brenn\n\nbrenn is a tool that fires kilns from the command line. Whoever has brenn needs no timer.\n\n\
    ## Starting a fire\n\nTo start a slow fire, run:\n\n```sh\nbrenn fire --slow pot.yml\n```\n\n\
    Never open the door while brenn fires, because cold air cracks the glaze.\n\n\
    ## Cleaning the grate\n\nTo clean the grate, run:\n\n```sh\nbrenn clean --grate\n```\n\n\
    If the grate glows red, wait for an hour before brenn cleans it.\n\n\
    ## Removing the water\n\nThe water jacket must be drained with brenn before the first frost of the year.\n\n\
    ## Trouble\n\nIf the chimney smokes, brenn stops with the error E17 until the flue is swept.\n\n\
    When the thermocouple breaks, brenn keeps the last temperature for ten minutes and then stops.\n\n\
    ## History\n\nbrenn was written in the winter of the long frost by two potters.";

fn source() -> Source {
    Source {
        label: "brenn.md".into(),
        ..Source::default()
    }
}

fn made(text: &str) -> (Document, String, String) {
    let document = document(text);
    let skill = write(&document, &source(), &Wish::default()).expect("a text with words");
    (document, skill.name, skill.description)
}

#[test]
fn five_tasks_have_their_answers_in_the_source() {
    let (document, name, _) = made(GUIDE);
    let set: EvalSet = tasks(&needs(&document, "brenn.md"), &name);
    assert_eq!((set.evals.len(), set.skill_name.as_str()), (5, "brenn"));
    let squashed = GUIDE.split_whitespace().collect::<Vec<_>>().join(" ");
    for eval in &set.evals {
        let answer = eval.expected_output.lines().next().unwrap_or_default();
        assert!(squashed.contains(answer), "{answer}");
        assert!(
            eval.expected_output.contains("(in the source: "),
            "{eval:?}"
        );
    }
    let fire = set
        .evals
        .iter()
        .find(|eval| eval.prompt.contains("start a slow fire"));
    let fire = fire.expect("the first command is a task");
    assert_eq!(
        fire.expectations[0],
        "The answer shows `brenn fire --slow pot.yml`"
    );
    let prompts: HashSet<&str> = set.evals.iter().map(|eval| eval.prompt.as_str()).collect();
    assert_eq!(prompts.len(), 5);
}

#[test]
fn the_files_have_the_members_that_tools_read() {
    let (document, name, description) = made(GUIDE);
    let needs = needs(&document, "brenn.md");
    let json = serde_json::to_value(tasks(&needs, &name)).expect("it is plain data");
    let keys = |value: &serde_json::Value| -> Vec<String> {
        value
            .as_object()
            .into_iter()
            .flat_map(|one| one.keys().cloned())
            .collect()
    };
    assert_eq!(keys(&json), ["skill_name", "evals"]);
    assert_eq!(
        keys(&json["evals"][0]),
        ["id", "prompt", "expected_output", "files", "expectations"]
    );
    let own = Described {
        name: &name,
        description: &description,
    };
    let cases = requests(&needs, own, &common());
    let json = serde_json::to_value(&cases).expect("it is plain data");
    assert_eq!(keys(&json[0]), ["query", "should_trigger"]);
    let read: Vec<TriggerCase> = serde_json::from_value(json).expect("it is read back");
    assert_eq!(read, cases);
}

#[test]
fn requests_are_those_of_users_and_the_same_each_time() {
    let (document, name, description) = made(GUIDE);
    let needs = needs(&document, "brenn.md");
    let own = Described {
        name: &name,
        description: &description,
    };
    let cases = requests(&needs, own, &common());
    assert_eq!(cases, requests(&needs, own, &common()));
    let wanted: Vec<&str> = cases
        .iter()
        .filter(|case| case.should_trigger)
        .map(|case| case.query.as_str())
        .collect();
    assert_eq!((wanted.len(), cases.len()), (10, 20));
    let titles = [
        "Starting a fire",
        "Cleaning the grate",
        "Removing the water",
    ];
    for query in &wanted {
        assert!(!titles.iter().any(|title| query.contains(title)), "{query}");
        assert!(!query.contains("potters"), "{query}");
    }
    assert!(
        wanted
            .iter()
            .any(|query| query.contains("the chimney smokes"))
    );
    assert_eq!(
        cases
            .iter()
            .map(|case| &case.query)
            .collect::<HashSet<_>>()
            .len(),
        20
    );
}

#[test]
fn a_description_that_says_nothing_of_its_subject_is_missed_and_told_which_words_it_lacks() {
    let (document, name, description) = made(GUIDE);
    let needs = needs(&document, "brenn.md");
    let own = Described {
        name: &name,
        description: &description,
    };
    let cases = requests(&needs, own, &common());
    let good = rank(&cases, own, &common());
    let vague = Described {
        name: "helper",
        description: "Helps with many different things. Use when work is done.",
    };
    let poor = rank(&cases, vague, &common());
    assert!(good.hits >= 8 && good.hits > poor.hits, "{good:#?}");
    assert_eq!(good.hits + good.misses, 10);
    assert!(
        poor.missing_words.contains(&"brenn".to_owned()),
        "{poor:#?}"
    );
    let mended = format!("{} {}", vague.description, poor.missing_words.join(" "));
    let mended = Described {
        description: &mended,
        ..vague
    };
    assert!(rank(&cases, mended, &common()).hits > poor.hits);
    let missed = poor
        .placed
        .iter()
        .find(|one| one.should_trigger && !one.is_right());
    assert!(missed.is_some_and(|one| one.place.is_none() || one.ahead.is_some()));
}

#[test]
fn the_neighbours_in_the_library_give_the_requests_that_should_not_bring_it_up() {
    let (document, name, description) = made(GUIDE);
    let own = Described {
        name: &name,
        description: &description,
    };
    let neighbour = Described {
        name: "oven",
        description: "Bakes bread in an oven. Use when cleaning the oven door or firing the oven.",
    };
    let cases = requests(&needs(&document, "brenn.md"), own, &[neighbour, own]);
    let unwanted: Vec<&str> = cases
        .iter()
        .filter(|case| !case.should_trigger)
        .map(|case| case.query.as_str())
        .collect();
    assert_eq!(unwanted[0], "how do i clean the oven door?");
    let ranking = rank(&cases, own, &[neighbour]);
    assert!(
        ranking
            .placed
            .iter()
            .any(|one| one.query == unwanted[0] && one.is_right())
    );
}

#[test]
fn a_source_in_another_language_is_asked_in_it() {
    let text = "# Der Ofen\n\n## Die Tür\n\nDie Tür des Ofens muss immer geschlossen sein, wenn er heiß ist und die Ware noch nicht fertig ist.\n\n\
                ## Die Asche\n\nDie Asche wird jeden Morgen aus dem Ofen geholt, und das ist die Arbeit der Lehrlinge, die früh da sind.";
    let (document, name, _) = made(text);
    let set = tasks(&needs(&document, "ofen.md"), &name);
    assert!(
        set.evals
            .iter()
            .all(|eval| eval.prompt.starts_with("Was muss ich über Die ")),
        "{set:?}"
    );
}

#[test]
fn an_empty_source_gives_no_requests_that_should_bring_it_up() {
    let needs = needs(&Document::default(), "a.md");
    let own = Described {
        name: "a",
        description: "",
    };
    let cases = requests(&needs, own, &[]);
    assert!(cases.iter().all(|case| !case.should_trigger));
    assert!(tasks(&needs, "a").evals.is_empty());
    assert_eq!(rank(&[], own, &[]).hits, 0);
}

#[test]
fn a_source_of_nothing_but_names_is_read_in_linear_time() {
    let name = |number: usize| {
        format!(
            "at Kiln{number} Pot{number}, and again {number}pot_kiln of the clay{number} door{number}"
        )
    };
    let line: String = (0..4_000).map(|number| name(number) + ", ").collect();
    let text = format!("# Names\n\nIt stands {line} here.\n\nIt stands {line} there.");
    let (document, name, _) = made(&text);
    assert!(tasks(&needs(&document, "names.md"), &name).evals.len() <= 5);
}
