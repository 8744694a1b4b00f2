//! The proofs against a source: what is invented is found, and what the generator itself must write is not.

use super::package;
use crate::report::Report;
use crate::scaffold::{GAP, GAPS};
use crate::validate::Judge;
use crate::validate::package::Package;
use crate::validate::profile::Profile;
use crate::validate::siblings::Siblings;
use skillkiln_document::blocks::{Block, BlockKind, Definition, Document, Span};
use skillkiln_document::testing::document;
use skillkiln_document::text::Inline;

const TEXT: &str = "Installing the server\n\nThe server listens on port 8080 and keeps three backups under /var/lib/server.\n\n\
    server start --port 8080\nserver status\n\nSet the option retention to 30 days, as https://example.org/docs/setup says.\n\n\
    Never stop the server while a backup runs, because the archive would be damaged.\n";

fn source() -> Document {
    let block = |kind| Block {
        kind,
        span: Span::default(),
    };
    let paragraph = |text: &str| block(BlockKind::Paragraph(vec![Inline::Text(text.to_owned())]));
    Document {
        title: Some("Installing the server".to_owned()),
        text: TEXT.to_owned(),
        blocks: vec![
            paragraph(
                "The server listens on port 8080 and keeps three backups under /var/lib/server.",
            ),
            block(BlockKind::Code {
                language: Some("sh".to_owned()),
                text: "server start --port 8080\nserver status".to_owned(),
            }),
            block(BlockKind::Paragraph(vec![
                Inline::Text("Set the option ".to_owned()),
                Inline::Code("retention".to_owned()),
                Inline::Text(" to 30 days, as ".to_owned()),
                Inline::link(
                    "https://example.org/docs/setup".to_owned(),
                    vec![Inline::Text("the guide".to_owned())],
                ),
                Inline::Text(" says.".to_owned()),
            ])),
            paragraph(
                "Never stop the server while a backup runs, because the archive would be damaged.",
            ),
            paragraph("The name of a backup is given by --name-<KIND>=text."),
        ],
        ..Document::default()
    }
}

/// Checks a package against a source.
fn check(package: &Package, source: &Document) -> Report {
    Judge::of(source, "text").report(package, true, &[], Profile::Open)
}

fn skill(body: &str) -> String {
    format!(
        "---\nname: \"installing-the-server\"\ndescription: \"Installs the server and keeps its backups. Use when the user asks about the server or its backups.\"\n\
         metadata:\n  source: \"text\"\n  digest: \"9f86d081\"\n  date: \"2026-11-21\"\n---\n# Installing the server 101\n\n## Workflow\n\n\
         1. Run `server start --port 8080`.\n2. Set `retention` to 30 days.\n3. Check that `server status` answers.\n\n```sh\nserver start --port 8080\nserver status\n```\n\n{body}\n"
    )
}

fn failed(body: &str) -> Vec<String> {
    let package = package("installing-the-server", &[("SKILL.md", &skill(body))]);
    let checks = check(&package, &source()).checks;
    let mut ids: Vec<String> = checks
        .into_iter()
        .filter(|check| !check.passed)
        .map(|check| check.id.into_owned())
        .collect();
    ids.dedup();
    ids
}

#[test]
fn what_the_source_says_is_proved() {
    for body in [
        "",
        "Never stop the server while a backup runs, because the archive would be damaged.",
        "The server keeps 3 backups under `/var/lib/server`.",
        "Read [the guide](https://example.org/docs/setup) when the retention is unclear.",
        "Source: Installing the server, page 12, at 1:20:05",
        "Source: Installing the server > 5.8. Chimney sweeping simulation for careful beginners, page 113",
        "Read [it](https://example.org/docs/%73etup/) when needed.",
        "Read [Currently used archives](#installing-the-server-101) when you need it.",
        "Read [it](#installing-the-server-101) for more: TODO: tests.",
        "Backups are called by --name-KIND.",
        "1. Run `server status`.\n2. Check it.\n\n## Rules and gotchas\n\nKeep backups.",
    ] {
        assert_eq!(failed(body), Vec::<String>::new(), "{body}");
    }
}

#[test]
fn the_first_sentence_of_what_is_said_of_a_term_is_quoted_with_it() {
    let mut source = source();
    let words = |text: &str| vec![Inline::Text(text.to_owned())];
    let block = |kind| Block {
        kind,
        span: Span::default(),
    };
    let said = "Prints what the server currently does. It waits for the backups. It says so as it currently stands.";
    source
        .blocks
        .push(block(BlockKind::Definitions(vec![Definition {
            terms: vec![words("-w"), words("--watch")],
            blocks: vec![block(BlockKind::Paragraph(words(said)))],
        }])));
    let ages = |line: &str| {
        let text = skill(&format!("## Watching\n\n{line}"));
        let package = package("installing-the-server", &[("SKILL.md", &text)]);
        let checks = check(&package, &source).checks;
        checks
            .iter()
            .any(|check| check.id == "V057" && !check.passed)
    };
    assert!(!ages(
        "- **-w, --watch**: Prints what the server currently does."
    ));
    // And one that stands further down, as what is told of an entry.
    assert!(!ages("- **The watch:** It says so as it currently stands."));
    assert!(ages("- **--watch**: The server currently waits."));
    assert!(ages(
        "- **The watch:** It waits for the backups. The server currently waits."
    ));
}

#[test]
fn what_the_source_says_may_stand_in_two_sections_and_in_none_of_them_twice() {
    let said = "Never stop the server while a backup runs, because the archive would be damaged.";
    let made_up = "Every door of the archive is opened by whoever comes first on any day.";
    let is_found = |body: &str| failed(body).contains(&"V093".to_owned());
    let in_two = |said: &str| format!("## By hand\n\n{said}\n\n## By night\n\n{said}");
    assert!(!is_found(&in_two(said)));
    assert!(is_found(&in_two(made_up)));
    assert!(is_found(&format!("## By hand\n\n{said}\n\n{said}")));
    // What leads to two things is said of each.
    let leads = "To fetch the archive, use the following settings of the server, one in each line:";
    let mut source = source();
    source.blocks.push(Block {
        kind: BlockKind::Paragraph(vec![Inline::Text(format!("It is old. {leads}"))]),
        span: Span::default(),
    });
    let body = format!("## By hand\n\n{leads}\n\n```sh\nls\n```\n\n{leads}\n\n```sh\npwd\n```");
    let package = package("installing-the-server", &[("SKILL.md", &skill(&body))]);
    let checks = check(&package, &source).checks;
    assert!(
        checks
            .iter()
            .any(|check| check.id == "V093" && check.passed)
    );
}

#[test]
fn what_points_at_two_files_says_nothing_twice_however_their_names_are_alike() {
    let pointer = |file: &str| {
        format!(
            "Read [Doors of the archive 2020/12/14 15:58, all of them](references/{file}.md) when you need the rest."
        )
    };
    let body = format!("{}\n\n{}", pointer("one"), pointer("two"));
    assert!(!failed(&body).contains(&"V093".to_owned()));
}

#[test]
fn what_a_hyphen_ties_to_code_is_no_flag() {
    let mut source = source();
    source.blocks.push(Block {
        kind: BlockKind::Paragraph(vec![Inline::Text(
            "Start the archive-gate-system.".to_owned(),
        )]),
        span: Span::default(),
    });
    let is_invented = |line: &str| {
        let package = package("installing-the-server", &[("SKILL.md", &skill(line))]);
        let checks = check(&package, &source).checks;
        let found = checks.iter().find(|check| check.id == "V090");
        !found.expect("it is made").passed
    };
    assert!(!is_invented("Start the `archive`-gate-system."));
    assert!(is_invented("Start the `archive` -gate-system."));
}

#[test]
fn code_that_the_source_has_in_pieces_is_one_in_the_skill() {
    let mut source = source();
    let pieces = ["stores/", "archive size", "/port width"];
    let mut text = vec![Inline::Text("It is set by the key".to_owned())];
    text.extend(pieces.map(|piece| Inline::Code(piece.to_owned())));
    source.blocks.push(Block {
        kind: BlockKind::Paragraph(text),
        span: Span::default(),
    });
    let is_invented = |line: &str| {
        let package = package("installing-the-server", &[("SKILL.md", &skill(line))]);
        let checks = check(&package, &source).checks;
        let found = checks.iter().find(|check| check.id == "V090");
        !found.expect("it is made").passed
    };
    assert!(!is_invented(
        "It is set by the key`stores/archive size/port width`."
    ));
    assert!(is_invented(
        "It is set by the key `stores/archive size/gate width`."
    ));
}

#[test]
fn a_formula_is_found_as_code_and_parts_the_words_beside_it() {
    let mut source = source();
    let text = vec![
        Inline::Text("窯の温度は".to_owned()),
        Inline::Math("T_i".to_owned()),
        Inline::Text("と煙突の高さ".to_owned()),
        Inline::Math("H_i".to_owned()),
        Inline::Text("により決まる (".to_owned()),
        Inline::Math("0 < T_i".to_owned()),
        Inline::Text(")".to_owned()),
    ];
    source.blocks.push(Block {
        kind: BlockKind::Paragraph(text),
        span: Span::default(),
    });
    let line = "窯の温度は$T_i$と煙突の高さ$H_i$により決まる (`0 < T_i`)";
    let package = package("installing-the-server", &[("SKILL.md", &skill(line))]);
    let checks = check(&package, &source).checks;
    let failed: Vec<&str> = checks
        .iter()
        .filter(|check| !check.passed)
        .map(|check| &*check.id)
        .collect();
    assert!(!failed.contains(&"V090"), "{failed:?}");
    assert!(!failed.contains(&"V091"), "{failed:?}");
}

#[test]
fn proofs_that_hold_say_how_much_they_proved() {
    let text =
        skill("Never stop the server while a backup runs, because the archive would be damaged.");
    let package = package("installing-the-server", &[("SKILL.md", &text)]);
    let checks = check(&package, &source()).checks;
    let said = |id: &str| {
        let found = checks.iter().find(|check| check.id == id && check.passed);
        found.expect("the proof holds").message.clone()
    };
    assert_eq!(
        said("V090"),
        "3 commands and names in code and 1 code block stand in the source to the letter, and so do all flags, paths, \
         addresses and numbers (among them `server start --port 8080`, `server status`)"
    );
    assert!(
        said("V091").starts_with("4 sentences are supported by the source; "),
        "{}",
        said("V091")
    );
    // The first paragraph and the option are left out: 23 of the 32 runs of words are there.
    assert!(
        said("V092").contains("% of the source's text, 1 of its 1 code block"),
        "{}",
        said("V092")
    );
    assert!(!said("V092").contains("100 %"), "{}", said("V092"));
}

#[test]
fn what_is_invented_is_found() {
    for body in [
        "Run `server restart --force`.",
        "Start it with --verbose.",
        "Backups are called by --name-SORT.",
        "Its files lie under /opt/server/data.",
        "The guide is https://example.org/docs/other.",
        "Read [it](https://example.com/) when needed.",
        "It keeps 17 backups.",
        "It listens on port 8,081.",
        "```sh\nserver reload\n```",
        "```sh\nserver start --port 8080 --tls\n```",
    ] {
        assert!(failed(body).contains(&"V090".to_owned()), "{body}");
    }
}

#[test]
fn a_sentence_without_support_is_found() {
    assert_eq!(
        failed("Kubernetes schedules containers across healthy nodes automatically."),
        ["V091"]
    );
}

#[test]
fn a_row_that_points_at_files_states_nothing() {
    let row = |cell: &str| {
        format!(
            "| Read | When you need |\n| --- | --- |\n| {cell} | Committing; Rolling Back; Closing Everything |\n"
        )
    };
    assert_eq!(
        failed(&row("[it](#installing-the-server-101)")),
        Vec::<String>::new()
    );
    assert_eq!(failed(&row("it")), ["V091"]);
}

#[test]
fn code_without_its_secret_is_kept() {
    let key = "AKIAQ7RZ2KXW4M5N6P3T";
    let mut source = source();
    let code = |text: String| Block {
        kind: BlockKind::Code {
            language: Some("sh".to_owned()),
            text,
        },
        span: Span::default(),
    };
    source.blocks = vec![code(format!("server login {key}"))];
    let lost = |body: &str| {
        let text = format!("---\nname: \"a\"\n---\n# A\n\n{body}\n");
        let report = check(&package("a", &[("SKILL.md", &text)]), &source);
        let failed = |id: &str| {
            report
                .checks
                .iter()
                .any(|check| check.id == id && !check.passed)
        };
        failed("V092")
    };
    assert!(!lost("```sh\nserver login [redacted]\n```"));
    assert!(lost("```sh\nserver login\n```"));
}

#[test]
fn code_that_got_lost_is_found() {
    let lost = skill("").replace("```sh\nserver start --port 8080\nserver status\n```\n", "");
    let lost = lost.replace("`server status`", "the server");
    let package = package("installing-the-server", &[("SKILL.md", &lost)]);
    let report = check(&package, &source());
    assert!(
        report
            .checks
            .iter()
            .any(|check| check.id == "V092" && !check.passed)
    );
}

#[test]
fn building_the_index_of_a_hostile_source_is_linear() {
    for unit in [
        "a ", "a/", "--a ", "1,", "http://a", "a.", "one ", "aaa bbb ", "[", "-", "x/y/z.w ",
        "mailto:a",
    ] {
        let mut source = source();
        source.text = unit.repeat((1 << 16) / unit.len());
        let body = source.text.clone();
        let package = package("installing-the-server", &[("SKILL.md", &skill(&body))]);
        assert!(!check(&package, &source).checks.is_empty(), "{unit}");
    }
}

#[test]
fn a_skill_of_a_topic_is_not_asked_for_the_whole_source() {
    let package = package("installing-the-server", &[("SKILL.md", &skill(""))]);
    let report = Judge::of(&source(), "text").report(&package, false, &[], Profile::Open);
    let made: Vec<&str> = report.checks.iter().map(|check| &*check.id).collect();
    assert!(made.windows(2).all(|pair| pair[0] <= pair[1]), "{made:?}");
    assert!(made.contains(&"V090") && !made.contains(&"V092"));
    assert_eq!((report.errors, report.warnings), (0, 0));
}

/// Whether a check of the skill of a source fails.
fn fails(id: &str, source: &Document, body: &str) -> bool {
    let text = format!("---\nname: \"kiln\"\n---\n# Kiln\n\n{body}\n");
    let checks = check(&package("kiln", &[("SKILL.md", &text)]), source).checks;
    let own = checks.iter().find(|check| check.id == id);
    !own.expect("it is made").passed
}

#[test]
fn what_the_source_lacks_is_said() {
    let source = document("# Kiln\n\nIncluded here: `lamp.yml`\n\nLight it.");
    let here = "Included here: `lamp.yml`\n\nLight it.";
    assert!(fails("V106", &source, here));
    let said = format!("Light it.\n\n## {GAPS}\n\n- `lamp.yml` {GAP}.");
    for id in ["V090", "V091", "V106"] {
        assert!(!fails(id, &source, &said), "{id}");
    }
    assert!(!fails(
        "V106",
        &document("# Kiln\n\nLight it."),
        "Light it."
    ));
}

#[test]
fn a_step_stands_with_its_command_and_a_procedure_with_its_steps() {
    let said = |text: &str| Block::paragraph(vec![Inline::Text(text.to_owned())]);
    let code = Block {
        kind: BlockKind::Code {
            language: Some("sh".to_owned()),
            text: "kiln open".to_owned(),
        },
        span: Span::default(),
    };
    let items = vec![
        vec![said("Open the door:"), code],
        vec![said("Load the pots.")],
        vec![said("Shut the door.")],
    ];
    let source = Document {
        blocks: vec![Block {
            kind: BlockKind::List {
                start: Some(1),
                items,
            },
            span: Span::default(),
        }],
        ..Document::default()
    };
    let whole = "1. Open the door:\n\n   ```sh\n   kiln open\n   ```\n\n2. Load the pots.\n\n3. Shut the door.";
    assert!(!fails("V107", &source, whole));
    assert!(fails(
        "V107",
        &source,
        "1. Open the door:\n2. Load the pots.\n3. Shut the door."
    ));
    assert!(fails(
        "V107",
        &source,
        &whole.replace("\n\n3. Shut the door.", "")
    ));
    assert!(!fails("V107", &source, "- Load the pots."));
}

#[test]
fn an_example_keeps_the_mark_that_tells_good_from_bad() {
    let text = "# Kiln\n\nBad:\n\n```js\nfire()\n```\n\nGood:\n\n```js\nkiln.fire()\n```";
    let source = document(text);
    assert!(!fails("V108", &source, &text.replace("# Kiln", "## Fire")));
    assert!(fails("V108", &source, "```js\nkiln.fire()\n```"));
    assert!(fails("V108", &source, "Good:\n\n```js\nfire()\n```"));
    // What stands under both marks is neither.
    let both = document(&text.replace("kiln.fire()", "fire()"));
    assert!(!fails("V108", &both, "```js\nfire()\n```"));
}

#[test]
fn siblings_whose_descriptions_are_alike_are_not_told_apart() {
    let said = "Installs the server and keeps its backups.";
    let siblings = Siblings::of([
        ("installing", said),
        ("installing", said),
        (
            "cooling",
            "Opens the door when the kiln is below 100 degrees.",
        ),
    ]);
    assert!(!siblings.check(0).passed);
    assert!(!siblings.check(1).passed);
    assert!(siblings.check(2).passed);
}
