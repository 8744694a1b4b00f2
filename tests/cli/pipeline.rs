//! The pipeline from the command line: generate, extract, validate, the quality of what is made.

use crate::program::Desk;
use serde_json::{Value, json};

const MANUAL: &str = "# Kiln care\n\nHow to keep a kiln in good order. Read this before you fire it.\n\n\
## Clean the burner\n\nThe burner must never run above 40 degrees, because its seal softens.\n\n\
1. Turn the main switch off.\n2. Brush the burner.\n3. Run the test.\n\n```sh\nkilnctl test --part burner\n```\n";

#[test]
fn a_skill_is_written_to_its_folder_and_passes_its_checks() {
    let desk = Desk::new();
    std::fs::write(desk.path().join("manual.md"), MANUAL).expect("written");
    let written = desk.json(&["generate", "manual.md", "--out", "skills", "--json"]);
    let folder = desk.path().join(written["path"].as_str().expect("a path"));
    let skill = std::fs::read_to_string(folder.join("SKILL.md")).expect("a skill");
    assert!(
        skill.starts_with("---\n") && skill.contains("kilnctl test --part burner"),
        "{skill}"
    );
    assert!(written["word_count"].as_u64() > Some(10));
    assert_eq!(written["validation"]["errors"], 0, "{written}");
    for profile in ["open", "claude"] {
        let path = folder.to_str().expect("UTF-8");
        let report = desk.json(&["validate", path, "--json", "--profile", profile]);
        assert_eq!(
            (&report["errors"], &report["warnings"]),
            (&0.into(), &0.into()),
            "{report}"
        );
    }
    // The same source gives the same bytes, and takes the place of the skill before it.
    let path = desk.done(&["generate", "manual.md", "--out", "skills"]);
    assert_eq!(desk.path().join(path.trim()), folder);
    assert_eq!(
        std::fs::read_to_string(folder.join("SKILL.md")).expect("a skill"),
        skill
    );
}

#[test]
fn a_source_that_changed_since_its_skill_was_made_is_told_from_one_that_did_not() {
    let desk = Desk::new();
    let file = desk.path().join("manual.md");
    std::fs::write(&file, MANUAL).expect("written");
    desk.done(&["generate", "manual.md", "--out", "skills", "--name", "Care"]);
    let ended = desk.run(&["check-source", "skills/care"]);
    assert_eq!((ended.code, &*ended.err), (0, ""));
    assert!(
        ended.out.contains("manual.md is as it was since"),
        "{}",
        ended.out
    );

    std::fs::write(&file, MANUAL.replace("40 degrees", "55 degrees")).expect("written");
    let ended = desk.run(&["check-source", "skills/care", "--json"]);
    assert_eq!(ended.code, 3, "{}", ended.err);
    let found: Value = serde_json::from_str(&ended.out).expect("JSON");
    assert_eq!(found["changed"], true);
    let findings = found["findings"].as_array().expect("findings");
    let skill = std::fs::read_to_string(desk.path().join("skills/care/SKILL.md")).expect("a skill");
    let is_of_the_line = |finding: &Value| {
        let line = finding["line"].as_u64().unwrap_or(1) as usize;
        skill
            .lines()
            .nth(line - 1)
            .is_some_and(|line| line.contains("40 degrees"))
    };
    assert!(findings.iter().any(is_of_the_line), "{found}");

    std::fs::write(&file, MANUAL.to_owned() + "\nThanks to all who helped.\n").expect("written");
    let ended = desk.run(&["check-source", "skills/care"]);
    assert!(
        ended.code == 3 && ended.out.contains("has changed since"),
        "{}",
        ended.out
    );

    std::fs::rename(&file, desk.path().join("moved.md")).expect("moved");
    let ended = desk.run(&["check-source", "skills/care"]);
    assert!(
        ended.code == 2 && ended.err.contains("manual.md"),
        "{}",
        ended.err
    );
    std::fs::write(desk.path().join("moved.md"), MANUAL).expect("written");
    assert_eq!(
        desk.run(&["check-source", "skills/care", "moved.md"]).code,
        0
    );
    assert_eq!(
        desk.run(&["check-source", "skills/care", "nowhere.md"])
            .code,
        1
    );
    let ended = desk.run(&["check-source", "nowhere"]);
    assert_eq!(ended.code, 1, "{}", ended.err);
}

#[test]
fn a_source_is_of_the_kind_that_somebody_says_or_of_none_that_is_known() {
    let desk = Desk::new();
    let long: String = (1..120)
        .map(|n| format!("## Firing {n}\n\nThe kiln stayed at {n} degrees, and nobody opened it before it was cold again.\n\n"))
        .collect();
    let log = format!(
        "# Kiln\n\n{long}## 2.0.0\n\n- Breaking: the flag `--slow` is gone, use `--soak`.\n"
    );
    std::fs::write(desk.path().join("kiln.md"), log).expect("written");
    let skill = |kind: &str| {
        let path = desk.done(&["generate", "kiln.md", "--kind", kind, "--force"]);
        std::fs::read_to_string(desk.path().join(path.trim()).join("SKILL.md")).expect("a skill")
    };
    assert_ne!(skill("change-log"), skill("talk"));
    let ended = desk.run(&["generate", "kiln.md", "--kind", "poem"]);
    assert_eq!(ended.code, 2, "{}", ended.err);
    assert!(ended.err.contains("runbook"), "{}", ended.err);
}

#[test]
fn a_page_takes_in_the_files_beside_it_and_a_folder_is_read_as_a_whole() {
    let desk = Desk::new();
    let write = |path: &str, text: &str| {
        let path = desk.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    };
    write("outside.md", "The word is on the street.\n");
    write(
        "docs/parts/fire.md",
        "Keep the lid closed below 200 degrees.\n",
    );
    write(
        "docs/guide.md",
        "# Kiln guide\n\nFire it slowly, for a whole night.\n\n{{#include parts/fire.md}}\n\n{{#include ../outside.md}}\n",
    );
    write(
        "docs/other.md",
        "# Shelves\n\nPlace the shelves on three posts.\n",
    );
    write("docs/.hidden.md", "# Secret\n\nNobody reads this.\n");
    let page = desk.done(&["extract", "docs/guide.md"]);
    assert!(
        page.contains("lid closed below 200") && page.contains("outside.md"),
        "{page}"
    );
    assert!(!page.contains("on the street"), "{page}");
    for folder in ["docs", "docs/"] {
        let whole = desk.done(&["extract", folder]);
        assert!(
            whole.contains("three posts") && whole.contains("lid closed"),
            "{whole}"
        );
        assert!(
            !whole.contains("Nobody reads this") && !whole.contains("on the street"),
            "{whole}"
        );
    }
    std::os::unix::fs::symlink("../../outside.md", desk.path().join("docs/parts/link.md"))
        .expect("linked");
    write(
        "docs/sly.md",
        "# Sly\n\nFire it slowly, for a whole night.\n\n{{#include parts/link.md}}\n",
    );
    assert!(
        !desk
            .done(&["extract", "docs/sly.md"])
            .contains("on the street")
    );
    assert!(!desk.done(&["extract", "docs"]).contains("on the street"));
}

#[test]
fn what_a_skill_is_tried_with_is_written_beside_it() {
    let desk = Desk::new();
    std::fs::write(desk.path().join("manual.md"), MANUAL).expect("written");
    let path = desk.done(&["generate", "manual.md", "--evals"]);
    let folder = desk.path().join(path.trim());
    let read = |name: &str| -> Value {
        let text = std::fs::read_to_string(folder.join("evals").join(name)).expect("written");
        serde_json::from_str(&text).expect("JSON")
    };
    let tasks = read("evals.json");
    assert!(
        tasks["evals"].as_array().is_some_and(|all| !all.is_empty()),
        "{tasks}"
    );
    assert!(
        tasks.to_string().contains("kilnctl test --part burner"),
        "{tasks}"
    );
    assert!(
        read("trigger-eval.json")
            .as_array()
            .is_some_and(|all| all.len() > 10)
    );
    let report = desk.json(&["validate", folder.to_str().expect("UTF-8"), "--json"]);
    assert_eq!(report["errors"], 0, "{report}");
    // Made again without them, they are gone; the folder was as it was written.
    desk.done(&["generate", "manual.md"]);
    assert!(!folder.join("evals").exists());
}

#[test]
fn a_line_that_somebody_wrote_into_a_skill_is_not_lost_when_it_is_made_again() {
    let desk = Desk::new();
    std::fs::write(desk.path().join("manual.md"), MANUAL).expect("written");
    let path = desk.done(&["generate", "manual.md", "--name", "Kiln manual"]);
    let file = desk.path().join(path.trim()).join("SKILL.md");
    let own = std::fs::read_to_string(&file).expect("a skill") + "my own line\n";
    std::fs::write(&file, &own).expect("written");
    let again = ["generate", "manual.md", "--name", "Kiln manual"];
    let ended = desk.run(&again);
    assert_eq!(ended.code, 1, "{}", ended.err);
    assert!(ended.err.contains("--force"), "{}", ended.err);
    assert_eq!(std::fs::read_to_string(&file).expect("a skill"), own);
    desk.done(&["generate", "manual.md", "--name", "Kiln manual", "--force"]);
    desk.done(&again);
}

#[test]
fn no_skill_of_ours_gives_orders_to_its_host_or_has_the_name_of_a_device() {
    let desk = Desk::new();
    let cases = [
        (
            "con.md",
            "# Con\n\nThe kiln is lit at night and cools by day, and nobody opens its door before noon.\n\n## Steps\n\n1. Open the door.\n2. Put the wood in.\n",
        ),
        (
            "prices.md",
            "# Prices of firing\n\nWhat a firing of the kiln costs, by the hour.\n\n## Costs\n\nA firing costs $0.01 a minute at night and $1.20 by day; a bisque firing costs $10 and a glaze firing $12, with $5 back.\n\n| Firing | Price |\n| --- | --- |\n| bisque | $1.50 |\n| glaze | $2 |\n",
        ),
        (
            "plans.md",
            "# Writing kiln plans\n\nA kiln plan is a text that the controller reads at start.\n\n## Show the state\n\nPut the state of the kiln on top of a plan:\n\n```markdown\n- State: !`kiln state`\n- Log: !`tail -n 5 kiln.log`\n```\n\nThen save the plan and check it with `kiln check`.\n",
        ),
        (
            "orders.html",
            "<html lang=\"en\"><head><title>Kiln plans</title></head><body><main><h1>Kiln plans</h1><p>A kiln plan is a text that the controller reads at start, and it says how hot the kiln becomes.</p><h2>Example</h2><p>Write the plan like this:</p><pre><code class=\"language-markdown\">- State: !`id &gt; owned.txt`\n- Heat: 1200\n</code></pre><pre><code class=\"language-!\">id\n</code></pre><p>Save the plan and check it with <code>kiln check</code>.</p></main></body></html>",
        ),
        (
            "pasted.md",
            "# Kiln care\u{fffe}s guide\n\nThe kiln\u{fffe} door is lit at night and cools by day, whatever the weather is.\n\n## Steps\n\n1. Open the door.\n2. Put the wood in.\n",
        ),
    ];
    for (name, text) in cases {
        std::fs::write(desk.path().join(name), text).expect("written");
        let path = desk.done(&["generate", name, "--out", "skills"]);
        let folder = desk.path().join(path.trim());
        let skill = std::fs::read_to_string(folder.join("SKILL.md")).expect("a skill");
        assert!(!skill.contains("!`") && !skill.contains("```!"), "{skill}");
        assert!(!skill.contains('\u{fffe}'), "{skill}");
        assert_ne!(folder.file_name().expect("a name"), "con");
        for profile in ["open", "claude"] {
            let path = folder.to_str().expect("UTF-8");
            let report = desk.json(&["validate", path, "--json", "--profile", profile]);
            assert_eq!(
                (&report["errors"], &report["warnings"]),
                (&0.into(), &0.into()),
                "{name}: {report}\n{skill}"
            );
        }
    }
    let prices = std::fs::read_to_string(desk.path().join("skills/prices-of-firing/SKILL.md"));
    let prices = prices.expect("a skill");
    for price in ["\\$0.01", "\\$1.20", "| \\$1.50 |"] {
        assert!(prices.contains(price), "{prices}");
    }
}

#[test]
fn text_is_piped_in_and_the_name_is_given() {
    let desk = Desk::new();
    let ended = desk.run_with(&["generate", "-", "--name", "My Kiln"], MANUAL.as_bytes());
    assert_eq!(
        (ended.code, ended.out.trim()),
        (0, "./my-kiln"),
        "{}",
        ended.err
    );
    assert!(
        ended
            .err
            .contains("Reading the source\nWriting the skill\nChecking"),
        "{}",
        ended.err
    );
    assert!(desk.path().join("my-kiln/SKILL.md").is_file());
}

#[test]
fn what_is_read_is_shown_as_markdown_and_as_a_document() {
    let desk = Desk::new();
    std::fs::write(desk.path().join("manual.md"), MANUAL).expect("written");
    let markdown = desk.done(&["extract", "manual.md"]);
    assert!(
        markdown.contains("# Kiln care") && markdown.contains("```sh\nkilnctl"),
        "{markdown}"
    );
    assert!(desk.json(&["extract", "manual.md", "--json"])["blocks"].is_array());
    assert_eq!(
        desk.run(&["extract", "manual.md", "--json", "--markdown"])
            .code,
        2
    );
}

#[test]
fn a_source_that_is_not_there_is_named() {
    let desk = Desk::new();
    for source in ["manual.md", "ftp://example.org/x", "."] {
        let ended = desk.run(&["generate", source]);
        assert_eq!(ended.code, 1, "{source}");
        assert!(ended.err.starts_with("error: "), "{}", ended.err);
        assert_eq!(ended.out, "");
    }
    let ended = desk.run(&["generate", "manual.md", "--source-type", "url"]);
    assert_eq!(ended.code, 2, "{}", ended.err);
}

#[test]
fn an_address_of_this_machine_is_not_read() {
    let ended = Desk::new().run(&["generate", "http://127.0.0.1:9/"]);
    assert_eq!(ended.code, 1, "{}", ended.err);
    assert!(
        ended.err.contains("set fetch.allow_private_addresses=true"),
        "{}",
        ended.err
    );
}

#[test]
fn findings_are_printed_a_line_each_and_errors_exit_with_1() {
    let desk = Desk::new();
    let folder = desk.path().join("foo");
    std::fs::create_dir(&folder).expect("a folder");
    std::fs::write(
        folder.join("SKILL.md"),
        "---\nname: Foo\ndescription: d\n---\nx\n",
    )
    .expect("written");
    let ended = desk.run(&["validate", "foo"]);
    assert_eq!(ended.code, 1);
    assert!(
        ended
            .out
            .lines()
            .any(|line| line.starts_with("ERROR V012 SKILL.md:2 ")),
        "{}",
        ended.out
    );
    assert_eq!(desk.run(&["validate", "nowhere"]).code, 1);
}

#[test]
fn the_quality_of_the_skills_of_a_folder_is_measured() {
    let desk = Desk::new();
    let folder = desk.path().join("manuals");
    std::fs::create_dir(&folder).expect("a folder");
    std::fs::write(folder.join("burner.md"), MANUAL).expect("written");
    std::fs::write(folder.join("broken.pdf"), "%PDF-1.7 and no more").expect("written");
    let figures = desk.json(&["bench", "--quality", "manuals", "--out", "made", "--json"]);
    let row = &figures["documents"][0];
    assert_eq!(row["document"], "burner.md");
    assert_eq!(
        (&row["coverage"], &row["code"], &row["code_blocks"]),
        (&1.0.into(), &1.0.into(), &1.into()),
        "{row}"
    );
    assert!(row["fidelity"].as_f64() > Some(0.9), "{row}");
    assert_eq!((&row["errors"], &row["warnings"]), (&0.into(), &0.into()));
    assert_eq!(figures["refused"][0]["document"], "broken.pdf");
    assert_eq!(figures["worst"]["coverage"], 1.0);
    let skill = row["skill"].as_str().expect("a name");
    assert!(
        desk.path()
            .join("made")
            .join(skill)
            .join("SKILL.md")
            .is_file()
    );
    assert!(figures["tasks"].is_null(), "{figures}");
    // Questions beside the documents are asked by themselves.
    let asked = r#"{"doc": "burner.md", "question": "How is it lit?", "answer_quote": "burner"}"#;
    std::fs::write(desk.path().join("questions.jsonl"), asked).expect("written");
    let figures = desk.json(&["bench", "--quality", "manuals", "--json"]);
    assert_eq!(figures["tasks"]["questions"], 1, "{figures}");
    assert_eq!(figures["tasks"]["body"], 1.0, "{figures}");
    let page = desk.done(&["bench", "--quality", "manuals"]);
    assert!(
        page.contains("coverage")
            && page.contains("median")
            && page.contains("no skill of broken.pdf"),
        "{page}"
    );
    assert_eq!(desk.run(&["bench", "--quality", "nowhere"]).code, 1);
    assert_eq!(
        desk.run(&["bench", "--quality", "manuals", "--generations", "3"])
            .code,
        2
    );
}

/// How `generate` of the manual ends in a program that was started otherwise.
fn generated_by(desk: &Desk, mut program: std::process::Command) -> String {
    std::fs::write(desk.path().join("manual.md"), MANUAL).expect("written");
    let ended = program
        .args(["generate", "manual.md", "--json"])
        .current_dir(desk.path())
        .output()
        .expect("it starts");
    assert!(
        ended.status.success(),
        "{}",
        String::from_utf8_lossy(&ended.stderr)
    );
    String::from_utf8(ended.stdout).expect("UTF-8")
}

#[test]
fn a_program_that_a_loader_started_does_its_work() {
    let loader = ["/lib64", "/lib"]
        .iter()
        .filter_map(|folder| std::fs::read_dir(folder).ok())
        .flat_map(|files| files.flatten())
        .map(|file| file.path())
        .find(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("ld-linux") || name.starts_with("ld-musl")
        })
        .expect("this system has a loader");
    let mut program = std::process::Command::new(loader);
    program.arg(env!("CARGO_BIN_EXE_skillkiln"));
    let told = generated_by(&Desk::new(), program);
    assert!(told.contains("kiln-care"), "{told}");
}

#[test]
fn a_program_whose_file_is_gone_does_its_work() {
    use std::os::fd::AsRawFd as _;
    use std::os::unix::process::CommandExt as _;
    let desk = Desk::new();
    let file = desk.path().join("kiln");
    std::fs::copy(env!("CARGO_BIN_EXE_skillkiln"), &file).expect("a copy");
    let open = std::fs::File::open(&file).expect("it opens");
    std::fs::remove_file(&file).expect("it goes");
    let place = format!("/proc/{}/fd/{}", std::process::id(), open.as_raw_fd());
    let mut program = std::process::Command::new(place);
    // As the system calls the file of such a program.
    program.arg0("kiln (deleted)");
    let told = generated_by(&desk, program);
    assert!(told.contains("kiln-care"), "{told}");
}

/// What of SARIF 2.1.0 (OASIS Standard, section 3) an ordinary log holds: what must be there, and nothing that the standard does not know.
fn sarif_log() -> Value {
    let message = json!({
        "type": "object",
        "required": ["text"],
        "properties": { "text": { "type": "string", "minLength": 1 } },
        "additionalProperties": false
    });
    let location = json!({
        "type": "object",
        "required": ["physicalLocation"],
        "properties": { "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation"],
            "properties": {
                "artifactLocation": {
                    "type": "object",
                    "required": ["uri"],
                    "properties": { "uri": { "type": "string", "format": "uri-reference" } },
                    "additionalProperties": false
                },
                "region": {
                    "type": "object",
                    "properties": { "startLine": { "type": "integer", "minimum": 1 } },
                    "additionalProperties": false
                }
            },
            "additionalProperties": false
        } },
        "additionalProperties": false
    });
    let rule = json!({
        "type": "object",
        "required": ["id"],
        "properties": { "id": { "type": "string" }, "shortDescription": message },
        "additionalProperties": false
    });
    let result = json!({
        "type": "object",
        "required": ["message"],
        "properties": {
            "ruleId": { "type": "string" },
            "level": { "enum": ["none", "note", "warning", "error"] },
            "message": message,
            "locations": { "type": "array", "items": location }
        },
        "additionalProperties": false
    });
    json!({
        "type": "object",
        "required": ["version", "runs"],
        "properties": {
            "$schema": { "type": "string", "format": "uri" },
            "version": { "enum": ["2.1.0"] },
            "runs": { "type": "array", "items": {
                "type": "object",
                "required": ["tool"],
                "properties": {
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": { "driver": {
                            "type": "object",
                            "required": ["name"],
                            "properties": {
                                "name": { "type": "string", "minLength": 1 },
                                "version": { "type": "string" },
                                "rules": { "type": "array", "uniqueItems": true, "items": rule }
                            },
                            "additionalProperties": false
                        } },
                        "additionalProperties": false
                    },
                    "results": { "type": "array", "items": result }
                },
                "additionalProperties": false
            } }
        },
        "additionalProperties": false
    })
}

#[test]
fn findings_are_a_log_as_sarif_has_it() {
    let desk = Desk::new();
    let folder = desk.path().join("Öfen & more");
    std::fs::create_dir(&folder).expect("a folder");
    let skill = "---\nname: Foo\ndescription: d\n---\nSee [more](references/none.md).\n";
    std::fs::write(folder.join("SKILL.md"), skill).expect("written");
    let ended = desk.run(&["validate", "Öfen & more", "--format", "sarif"]);
    assert_eq!(ended.code, 1, "{}", ended.err);
    let log: Value = serde_json::from_str(&ended.out).expect("JSON");
    let options = jsonschema::options().should_validate_formats(true);
    let validator = options.build(&sarif_log()).expect("a schema");
    let faults: Vec<String> = validator
        .iter_errors(&log)
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect();
    assert_eq!(faults, Vec::<String>::new(), "{log:#}");
    let run = &log["runs"][0];
    let results = run["results"].as_array().expect("results");
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    assert!(!results.is_empty());
    for result in results {
        let named = rules.iter().any(|rule| rule["id"] == result["ruleId"]);
        assert!(named, "{result:#} names a rule of the log");
        let place = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_eq!(place["uri"], "%C3%96fen%20%26%20more/SKILL.md");
    }
}
