//! How the program takes its settings, and how it speaks when it was asked wrongly.

use crate::program::Desk;
use std::process::Stdio;

#[test]
fn without_any_settings_all_is_good() {
    let desk = Desk::new();
    assert_eq!(desk.done(&["config", "check"]), "the settings are good\n");
    assert_eq!(
        desk.json(&["config", "check", "--json"])["limits"]["generate_per_minute"],
        10
    );
}

#[test]
fn an_unknown_setting_stops_every_command_and_names_the_line() {
    let desk = Desk::new();
    std::fs::write(desk.path().join("config.toml"), "[server]\n\nbnd = 1\n").expect("written");
    for command in [&["config", "check"][..], &["serve"], &["user", "list"]] {
        let ended = desk.run(command);
        assert_eq!(ended.code, 1);
        assert!(ended.err.contains("config.toml line 3"), "{}", ended.err);
        assert!(ended.err.contains("bnd"), "{}", ended.err);
        assert_eq!(ended.out, "");
    }
    assert!(!desk.path().join("data").exists());
}

#[test]
fn the_environment_overrules_the_file_and_a_wrong_variable_is_named() {
    let desk = Desk::new();
    std::fs::write(
        desk.path().join("mine.toml"),
        "[limits]\nother_per_minute = 7\n",
    )
    .expect("written");
    let with = |name: &str, value: &str| {
        let output = desk
            .command(&["config", "check", "--json", "--config", "mine.toml"])
            .env(name, value)
            .output()
            .expect("the program ends");
        (
            output.status.code(),
            String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned(),
        )
    };
    let (code, text) = with("SKILLKILN__LIMITS__OTHER_PER_MINUTE", "8");
    assert_eq!(code, Some(0));
    assert!(text.contains("\"other_per_minute\": 8"), "{text}");
    let (code, text) = with("SKILLKILN__LIMITS__OTHR_PER_MINUTE", "8");
    assert_eq!(code, Some(1));
    assert!(
        text.contains("SKILLKILN__LIMITS__OTHR_PER_MINUTE"),
        "{text}"
    );
}

#[test]
fn what_this_build_cannot_do_is_said_before_anything_starts() {
    let desk = Desk::new();
    for (setting, word) in [
        ("model.provider=openai", "model.model"),
        ("cluster.url=127.0.0.1:6379", "cluster.url"),
    ] {
        let ended = desk.run(&["serve", "--set", setting]);
        assert_eq!(ended.code, 1);
        assert!(ended.err.contains(word), "{}", ended.err);
    }
}

#[test]
fn bad_usage_exits_with_2_and_help_with_0() {
    let desk = Desk::new();
    for wrong in [
        &["nonsense"][..],
        &[],
        &["user", "add"],
        &["user", "add", "a@example.org", "--plan", "gold"],
        &["user", "grant", "a@example.org", "0"],
        &["user", "grant", "a@example.org", "-1"],
        &["key", "add", "a@example.org"],
        &["validate", ".", "--profile", "mine"],
        &["bench", "--generations", "0"],
        &["generate", "x", "--name", " "],
    ] {
        let ended = desk.run(wrong);
        assert_eq!(ended.code, 2, "{wrong:?}: {}", ended.err);
        assert_eq!(ended.out, "");
    }
    for right in [
        &["--help"][..],
        &["serve", "--help"],
        &["--version"],
        &["completions", "bash"],
        &["openapi"],
    ] {
        let ended = desk.run(right);
        assert_eq!(ended.code, 0, "{right:?}");
        assert!(!ended.out.is_empty());
    }
}

#[test]
fn the_openapi_document_is_json() {
    assert_eq!(
        Desk::new().json(&["openapi", "--json"])["openapi"]
            .as_str()
            .map(|version| &version[..3]),
        Some("3.1")
    );
}

#[test]
fn whoever_reads_no_further_ends_a_command_without_a_complaint() {
    let desk = Desk::new();
    let mut command = desk.command(&["openapi"]);
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    // As `head` does; the document is longer than a pipe holds.
    drop(child.stdout.take());
    let ended = child.wait_with_output().expect("the program ends");
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "");
    assert_eq!(ended.status.code(), Some(0));
}
