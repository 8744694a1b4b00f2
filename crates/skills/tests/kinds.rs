//! What leads in the skill of each kind of source, and what is left to the library.

use skillkiln_document::blocks::{Block, BlockKind, Document, Landmark, Span};
use skillkiln_document::testing::document;
use skillkiln_document::text::Inline;
use skillkiln_skills::kind::Kind;
use skillkiln_skills::skill::{Skill, Source, Wish};
use skillkiln_skills::write::{Sizes, write_part};
use std::sync::Arc;
use {proptest as _, serde as _, serde_json as _};

/// The skill of a text that is taken as a long one, with a small card.
fn skill_of(label: &str, text: &str, kind: Option<Kind>) -> Skill {
    let sizes = Sizes {
        whole_max: 0,
        card_min: 500,
        card_max: 500,
        ..Sizes::default()
    };
    written(label, text, kind, &sizes)
}

fn written(label: &str, text: &str, kind: Option<Kind>, sizes: &Sizes) -> Skill {
    let document = document(text);
    let source = Source {
        label: label.into(),
        ..Source::default()
    };
    let wish = Wish {
        kind,
        ..Wish::default()
    };
    write_part(&document, &document.blocks, &source, &wish, sizes).expect("a text with words")
}

/// What stands before the routing table.
fn card(skill: &Skill) -> &str {
    let end = skill.content.find("## Where to read");
    skill
        .content
        .get(..end.unwrap_or(skill.content.len()))
        .unwrap_or_default()
}

const FILLER: &str = "The wood is brought by Tom on Monday, and the clay is brought by Sue on Friday, as every week of the summer. ";

#[test]
fn a_change_log_leads_with_what_breaks_and_is_read_by_version() {
    let filler = FILLER.repeat(60);
    let text = format!(
        "# Changelog\n\n## 3.0\n\n### Changed\n\n- The option `--hot` is removed; use `--fire 3` instead of it.\n- The door shuts faster.\n\n\
         {filler}\n\n## 2.9\n\n### Added\n\n- A lamp.\n\n{filler}\n\n## 2.8\n\n### Added\n\n- A bell.\n\n{filler}"
    );
    let skill = skill_of("brenn-CHANGELOG.md", &text, None);
    assert_eq!(skill.kind, Kind::ChangeLog);
    let card = card(&skill);
    let breaking = card
        .find("## What breaks")
        .expect("what breaks has a section");
    let removed = card
        .find("--hot")
        .expect("what is removed stands in the card");
    assert!(breaking < removed && card.contains("**3.0:**"), "{card}");
    assert!(
        skill.description.contains("from 2.8 to 3.0"),
        "{}",
        skill.description
    );
    let names: Vec<&str> = skill
        .references
        .iter()
        .map(|one| one.filename.as_str())
        .collect();
    assert!(
        names.iter().any(|name| name.contains("changes-of-2-8")),
        "{names:?}"
    );
    assert!(
        skill.content.contains("look up what changed in 2.8"),
        "{}",
        skill.content
    );
}

#[test]
fn minutes_lead_with_decisions_and_leave_out_who_was_there() {
    let filler = FILLER.repeat(60);
    let text = format!(
        "# Kiln committee\n\n## Attendees\n\n- Anna Potter of the north kiln\n- Ben Clay of the south kiln\n\n## Agenda\n\n\
         - The doors are old and heavy.\n- It was agreed that Anna paints the doors.\n\n## Wood\n\n{filler}"
    );
    let skill = skill_of("2026-05.md", &text, None);
    assert_eq!(skill.kind, Kind::Minutes);
    let card = card(&skill);
    let decided = card
        .find("It was agreed")
        .expect("the decision stands in the card");
    assert!(
        card.find("## Decisions and open points")
            .is_some_and(|at| at < decided),
        "{card}"
    );
    assert!(!card.contains("Ben Clay"), "{card}");
}

#[test]
fn a_talk_is_told_without_greetings() {
    let filler = FILLER.repeat(12);
    let text = format!(
        "Anna Potter: Hello, and thanks for having me on the show today.\n\nBen Clay: Great to have you here with us, welcome to the show.\n\n\
         Anna Potter: You must never open the door of a hot kiln, it cracks.\n\nBen Clay: {filler}\n\nAnna Potter: {filler}\n\n\
         Ben Clay: {filler}\n\nAnna Potter: {filler}"
    );
    let skill = skill_of("kilns.md", &text, None);
    assert_eq!(skill.kind, Kind::Talk);
    let card = card(&skill);
    assert!(
        card.contains("never open the door") && !card.contains("thanks for having me"),
        "{card}"
    );
}

#[test]
fn source_code_tells_the_order_of_calls_and_its_errors_and_no_imports() {
    let filler = FILLER.repeat(60);
    let text = format!(
        "# kiln\n\n```python\nimport os\nimport clay\n```\n\n## Kiln\n\nCall `open` before `fire`, and `shut` in any case.\n\n\
         Raises a `ColdError` when the kiln is cold.\n\n## Other\n\n{filler}"
    );
    let skill = skill_of("kiln.py", &text, None);
    assert_eq!(skill.kind, Kind::SourceCode);
    let card = card(&skill);
    assert!(
        card.contains("Call `open` before `fire`") && !card.contains("import os"),
        "{card}"
    );
    let failures = card
        .find("## When it fails")
        .expect("errors have a section");
    assert!(
        card.find("ColdError").is_some_and(|at| failures < at),
        "{card}"
    );
}

#[test]
fn an_api_shows_the_requests_that_write_and_how_they_are_allowed() {
    let filler = FILLER.repeat(30);
    let read = "- The field `after` continues the list behind some pot.\n- The field `limit` tells how many pots are listed.";
    let text = format!(
        "# Pots\n\n## GET /pots\n\n{read}\n\n{filler}\n\n## POST /pots\n\n- The field `clay` must be set to make a pot.\n\n{filler}\n\n\
         ## Authentication\n\n- Send the key in the header `X-Kiln-Key`, always."
    );
    let skill = skill_of("pots.md", &text, None);
    assert_eq!(skill.kind, Kind::Api);
    let card = card(&skill);
    assert!(
        card.contains("`clay`") && card.contains("X-Kiln-Key"),
        "{card}"
    );
}

#[test]
fn all_requests_of_an_api_are_listed_before_the_few_that_are_shown() {
    let one = |name: &str| {
        let said = FILLER.repeat(6);
        format!(
            "## GET /{name} List {name}\n\n{said}\n\n## DELETE /{name} Break {name}\n\n{said}\n\n"
        )
    };
    let names = ["pots", "cups", "bowls", "tiles", "bricks", "vases"];
    let text = format!("# Kiln service\n\n{}", names.map(one).concat());
    let skill = skill_of("kiln.md", &text, None);
    assert_eq!(skill.kind, Kind::Api);
    let card = card(&skill);
    for name in names {
        assert!(
            card.contains(&format!("- `GET /{name}` List {name}\n")),
            "{card}"
        );
        assert!(
            card.contains(&format!("- `DELETE /{name}` Break {name}\n")),
            "{card}"
        );
    }
}

#[test]
fn what_every_task_needs_comes_before_eight_ways_to_install() {
    let systems = [
        "Alder", "Birch", "Cedar", "Drift", "Ember", "Frost", "Grove", "Heath",
    ];
    let ways: String = systems
        .iter()
        .map(|system| {
            let program = system.to_lowercase();
            let note = "It follows the releases with a delay of a week. ".repeat(4);
            format!("### {system} Linux\n\nOn {system}, run this. {note}\n\n```sh\nsudo {program}pkg install brenn --from {program}\n```\n\n")
        })
        .collect();
    let text = format!(
        "# Brenn\n\nBrenn runs the fires of a kiln.\n\n## Installation\n\n{ways}## Usage\n\nRun a fire by its name:\n\n```sh\nbrenn night\n```\n\n\
         Each line is run by a new shell, so a variable is never kept from one line to the next.\n\n## History\n\n{}",
        FILLER.repeat(40)
    );
    let skill = skill_of("brenn.md", &text, None);
    let card = card(&skill);
    let rule = card
        .find("by a new shell")
        .expect("the rule stands in the card");
    assert!(
        card.find("brenn night").is_some_and(|at| at < rule),
        "{card}"
    );
    assert!(
        card.find("pkg install").is_none_or(|at| rule < at),
        "{card}"
    );
    assert!(
        card.matches("pkg install").count() < systems.len(),
        "{card}"
    );
}

#[test]
fn a_short_runbook_stands_whole_with_its_command() {
    let text = "# PressureLow\n\n## Meaning\n\nThe pressure of the boiler is low.\n\n## Diagnosis\n\nOpen a shell:\n\n```sh\n\
                kiln shell $(kiln pods | awk 'NR==2{ print $1 }')\n```\n\n## Mitigation\n\nOpen the valve.";
    let skill = written("low.md", text, None, &Sizes::default());
    assert_eq!((skill.kind, skill.references.len()), (Kind::Runbook, 0));
    assert!(skill.content.contains("kiln pods | awk") && skill.content.contains("Open the valve."));
    assert!(
        skill
            .description
            .contains("the alert PressureLow. Use when it fires"),
        "{}",
        skill.description
    );
}

/// A document of sentences that are heard one after the other, ten seconds each.
fn heard(sentences: &[&str]) -> Document {
    let mut blocks = Vec::new();
    let (mut text, mut start) = (String::new(), 0.0);
    for sentence in sentences {
        let landmark = Landmark {
            seconds: Some((start, start + 10.0)),
            ..Landmark::default()
        };
        let begin = text.len();
        text.push_str(sentence);
        text.push('\n');
        blocks.push(Block {
            kind: BlockKind::Paragraph(vec![Inline::Text((*sentence).to_owned())]),
            span: Span::at(begin..text.len() - 1, Some(Arc::new(landmark))),
        });
        start += 10.0;
    }
    Document {
        text,
        blocks,
        ..Document::default()
    }
}

fn skill_of_talk(sentences: &[&str]) -> Skill {
    let sizes = Sizes {
        whole_max: 0,
        ..Sizes::default()
    };
    let source = Source {
        label: "https://www.youtube.com/watch?v=kiln".into(),
        ..Source::default()
    };
    let document = heard(sentences);
    let wish = Wish {
        title: Some("Kilns at night".into()),
        ..Wish::default()
    };
    write_part(&document, &document.blocks, &source, &wish, &sizes).expect("a text with words")
}

#[test]
fn what_is_heard_is_a_talk_that_tells_what_can_be_done_and_when_it_is_said() {
    let skill = skill_of_talk(&[
        "The first kiln of the village stood behind the mill for ninety years.",
        "You should always dry the pot for two days before it goes into the kiln.",
        "The potters of the village burned oak and ash in it until the war.",
    ]);
    assert_eq!(skill.kind, Kind::Talk);
    let card = card(&skill);
    let advice = card
        .find("## What can be done")
        .expect("advice has a section");
    let rest = card
        .find("## What was said, by its time")
        .expect("the rest is an index by time");
    let dried = card
        .find("**0:10:** You should always dry")
        .expect("with its time");
    assert!(advice < dried && dried < rest, "{card}");
}

#[test]
fn a_talk_that_advises_nothing_is_an_index_by_time() {
    let skill = skill_of_talk(&[
        "The first kiln of the village stood behind the mill for ninety years.",
        "The potters of the village burned oak and ash in it until the war.",
    ]);
    let card = card(&skill);
    assert!(!card.contains("What can be done"), "{card}");
    assert!(
        card.contains("## What was said, by its time") && card.contains("**0:10:** The potters"),
        "{card}"
    );
}

#[test]
fn long_minutes_that_decide_nothing_are_no_skill_unless_somebody_says_what_they_are() {
    let filler = FILLER.repeat(60);
    let text = format!(
        "# Kiln committee\n\n## Attendees\n\n- Anna Potter of the north kiln\n\n## Agenda\n\nThe doors are old and heavy.\n\n{filler}"
    );
    let document = document(&text);
    let sizes = Sizes {
        whole_max: 0,
        ..Sizes::default()
    };
    let source = Source {
        label: "2026-05.md".into(),
        ..Source::default()
    };
    let made = |kind| {
        let wish = Wish {
            kind,
            ..Wish::default()
        };
        write_part(&document, &document.blocks, &source, &wish, &sizes)
    };
    let refusal = made(None).expect_err("there is nothing to do in it");
    assert!(
        refusal.0.contains("no skill in these minutes"),
        "{refusal:?}"
    );
    let forced = made(Some(Kind::Article)).expect("somebody knows better");
    assert_eq!(forced.kind, Kind::Article);
}

#[test]
fn an_api_has_one_request_that_runs_and_a_repeated_parameter_once() {
    let filler = FILLER.repeat(30);
    let page = "- The field `page` tells which page of the pots is listed, from 1 on.";
    let run = "```sh\ncurl -X POST https://kiln.example/pots -d clay=red\n```";
    let text = format!(
        "# Pots\n\n## GET /pots\n\n{page}\n\n{filler}\n\n## GET /shards\n\n{page}\n\n{filler}\n\n## POST /pots\n\nMake a pot:\n\n{run}\n\n{filler}"
    );
    let skill = skill_of("pots.md", &text, None);
    assert_eq!(skill.kind, Kind::Api);
    let card = card(&skill);
    assert!(
        card.contains("curl -X POST https://kiln.example/pots"),
        "{card}"
    );
    assert!(card.matches("tells which page").count() <= 1, "{card}");
    assert!(
        !skill.description.contains("getting /"),
        "{}",
        skill.description
    );
}

/// A manual with a section that is large, three that are small, and its history.
fn manual() -> String {
    let section = |name: &str| {
        format!(
            "## {name}\n\nThe {} of the kiln is shut with its latch. {FILLER}\n\n",
            name.to_lowercase()
        )
    };
    let long: String = (0..40)
        .map(|day| format!("Ash of day {day} is taken out in the morning by Tom.\n\n"))
        .collect();
    let small = ["Door", "Grate", "Lamp"].map(section).concat();
    format!(
        "# Kiln\n\n{small}## Ash\n\n{long}## History\n\nThe kiln was built by Anna in the year 1904.\n"
    )
}

#[test]
fn what_stands_whole_in_the_card_stands_in_no_file() {
    let skill = skill_of("kiln.md", &manual(), Some(Kind::Reference));
    let files: String = skill.references.iter().map(|file| &*file.content).collect();
    for name in ["door", "grate", "lamp"] {
        let said = format!("\n\nThe {name} of the kiln is shut");
        let places = skill.content.matches(&said).count() + files.matches(&said).count();
        assert_eq!(places, 1, "{name}: {}\n{files}", skill.content);
    }
    assert!(files.contains("Ash of day 39"), "{files}");
}

#[test]
fn the_history_of_a_source_is_left_to_a_file_though_all_else_stands_in_the_card() {
    let sizes = Sizes {
        whole_max: 1_500,
        ..Sizes::default()
    };
    let text = manual() + &format!("\n## Licence\n\n{}", FILLER.repeat(40));
    let skill = written("kiln.md", &text, Some(Kind::Reference), &sizes);
    assert!(skill.content.contains("Ash of day 39"), "{}", skill.content);
    assert!(!skill.content.contains("1904"), "{}", skill.content);
    let names: Vec<&str> = skill
        .references
        .iter()
        .map(|file| &*file.filename)
        .collect();
    assert_eq!(names, ["references/history-and-licence.md"]);
}

#[test]
fn minutes_that_are_not_long_are_told_in_their_order_behind_what_was_decided() {
    let talk = |name: &str| {
        format!("- {name}: I think that the doors are too old and too heavy for the kiln.\n")
    };
    let talks = ["Anna", "Ben", "Cem", "Dora"].map(talk).concat().repeat(30);
    let text = format!(
        "# Kiln committee meeting 2026-05-06\n\n## Present\n\n- Anna Potter\n- Ben Clay\n\n## Agenda\n\n\
         - Ben: will the doors hold?\n{talks}- We had consensus to paint the doors.\n- Cem: will write to all who are absent.\n"
    );
    let skill = written("2026-05.md", &text, None, &Sizes::default());
    assert_eq!(skill.kind, Kind::Minutes);
    let content = &skill.content;
    let decisions = content.split("## Decisions and open points").nth(1);
    let decisions = decisions
        .and_then(|rest| rest.split("## ").next())
        .unwrap_or_default();
    assert!(
        decisions.contains("consensus") && decisions.contains("will write"),
        "{decisions}"
    );
    assert!(
        !decisions.contains("I think") && !decisions.contains("hold?"),
        "{decisions}"
    );
    let told = "- We had consensus to paint the doors.";
    assert!(
        content.contains("will the doors hold?") && content.matches(told).count() == 2,
        "{content}"
    );
}

#[test]
fn a_debate_of_long_minutes_is_told_whole_or_not_at_all() {
    let talk = "Anna: I think that the doors are too old.\n\nBen: Then who pays for new ones?\n\n";
    let text = format!(
        "# Kiln meeting 2026-05-06\n\n## Lamp\n\nCem: Is the lamp lit?\n\nDora: It is.\n\n## Doors\n\n{}\
         Cem: Makes sense, I'll write to all.\n",
        talk.repeat(60)
    );
    let skill = skill_of("2026-05.md", &text, None);
    assert_eq!(skill.kind, Kind::Minutes);
    let card = card(&skill);
    assert!(
        card.contains("Cem: Makes sense, I'll write to all.")
            && card.contains("Cem: Is the lamp lit?\n\nDora: It is."),
        "{card}"
    );
    assert!(!card.contains("who pays"), "{card}");
}

#[test]
fn what_needs_a_decision_has_none_and_front_matter_says_what_its_file_is() {
    let text = "# Kiln meeting 2026-05-06\n\n## Issues that need a decision\n\nCem: Is the lamp lit?\n\nDora: It is, and we had consensus on that.\n";
    let skill = skill_of("2026-05.md", text, None);
    let decisions = skill.content.split("## Decisions and open points").nth(1);
    let decisions = decisions.and_then(|rest| rest.split("## ").next());
    assert!(decisions.is_some_and(|told| told.contains("consensus") && !told.contains("lit?")));
    let mut document = document("Look at the gauge.\n\n## Shifts\n\nCall Anna at night.\n");
    document.about.description =
        Some("A summary of what is expected of whoever is on call.".into());
    let described = |label: &str| {
        let source = Source {
            label: label.into(),
            ..Source::default()
        };
        let skill = write_part(
            &document,
            &document.blocks,
            &source,
            &Wish::default(),
            &Sizes::default(),
        );
        skill.expect("a text with words").description
    };
    let told = "A summary of what is expected of whoever is on call.";
    assert!(
        described("nights.md").contains(told),
        "{}",
        described("nights.md")
    );
    assert!(!described("https://kiln.example/nights").contains(told));
}

#[test]
fn what_breaks_stands_once_for_a_release_and_that_of_the_last_ones_first() {
    let broken = |version: usize| {
        format!(
            "## {version}.0\n\n- The door of pot {version} is now shut.\n\n### Changed\n\n- Drop the lid of pot {version}, in favour of a door.\n\n"
        )
    };
    let releases: String = (1..40).rev().map(broken).collect();
    let skill = skill_of(
        "CHANGELOG.md",
        &format!("# Kiln changelog\n\n{releases}"),
        None,
    );
    let breaks = card(&skill)
        .split("## What breaks")
        .nth(1)
        .unwrap_or_default();
    let labels: Vec<&str> = breaks
        .lines()
        .filter(|line| line.starts_with("- "))
        .collect();
    let mut once = labels.clone();
    once.dedup();
    assert!(labels.len() > 2 && labels.len() == once.len(), "{breaks}");
    let newest = labels.first().and_then(|line| line.strip_prefix("- **"));
    let newest = newest.and_then(|line| line.split('.').next()?.parse::<usize>().ok());
    let shown = 40 - newest.unwrap_or_default();
    assert!(
        card(&skill).contains(&format!("## {}.0", 41 - shown)),
        "{breaks}"
    );
    let rows = skill
        .content
        .split("## Where to read")
        .nth(1)
        .unwrap_or_default();
    assert!(
        rows.contains("look up what changed in") && !rows.contains(": "),
        "{rows}"
    );
}
