//! Accounts, keys and books from the command line.

use crate::program::Desk;
use std::os::unix::fs::PermissionsExt;

#[test]
fn an_account_is_made_with_the_sign_up_credits_or_with_those_that_are_named() {
    let desk = Desk::new();
    let user = desk.json(&["user", "add", "Ann@Example.org", "--json"]);
    assert_eq!(
        (user["email"].as_str(), user["credits"].as_u64()),
        (Some("ann@example.org"), Some(3))
    );
    let user = desk.json(&[
        "user",
        "add",
        "bo@example.org",
        "--credits",
        "0",
        "--plan",
        "unlimited",
        "--json",
    ]);
    assert_eq!(
        (user["plan"].as_str(), user["credits"].as_u64()),
        (Some("unlimited"), Some(0))
    );
    let again = desk.run(&["user", "add", "ANN@example.org"]);
    assert_eq!(again.code, 1);
    assert!(
        again.err.contains("ann@example.org has an account already"),
        "{}",
        again.err
    );
    let list = desk.json(&["user", "list", "--json"]);
    assert_eq!(list.as_array().map(Vec::len), Some(2));
    assert_eq!(
        (&list[0]["tokens_in"], &list[0]["cost"]),
        (&0.into(), &0.0.into())
    );
    assert!(desk.done(&["user", "list"]).contains("bo@example.org"));
}

#[test]
fn what_makes_no_sense_is_bad_usage_and_what_cannot_be_done_a_failure() {
    let desk = Desk::new();
    desk.done(&["user", "add", "ann@example.org"]);
    let long = "k".repeat(65);
    for (arguments, code) in [
        (&["user", "add", "ann"][..], 2),
        (&["user", "add", "ann@example.org"], 1),
        (&["key", "add", "ann@example.org", "--name", ""], 2),
        (&["key", "add", "ann@example.org", "--name", &long], 2),
        (&["key", "add", "bo@example.org", "--name", "laptop"], 1),
    ] {
        let ended = desk.run(arguments);
        assert_eq!(ended.code, code, "{arguments:?}: {}", ended.err);
    }
    assert_eq!(desk.json(&["migrate", "--json"])["migrated"], true);
}

#[test]
fn what_is_made_is_told_with_its_database_and_with_what_it_lacks() {
    let desk = Desk::new();
    let first = desk.run(&["user", "add", "ann@example.org"]);
    assert!(
        first.err.contains("which was made for it just now"),
        "{}",
        first.err
    );
    assert!(
        first
            .err
            .contains("`skillkiln user reset-password ann@example.org`"),
        "{}",
        first.err
    );
    let key = desk.run(&["key", "add", "ann@example.org", "--name", "laptop"]);
    assert!(
        key.err.contains("written to sqlite://") && !key.err.contains("just now"),
        "{}",
        key.err
    );
}

#[test]
fn a_key_is_printed_once_and_alone() {
    let desk = Desk::new();
    desk.done(&["user", "add", "ann@example.org"]);
    let printed = desk.done(&["key", "add", "ann@example.org", "--name", "laptop"]);
    let key = printed.strip_suffix('\n').expect("one line");
    assert!(key.starts_with("skillkiln_sk_") && key.len() == 62, "{key}");
    let list = desk.json(&["key", "list", "ann@example.org", "--json"]);
    assert_eq!(list[0]["name"], "laptop");
    assert_eq!(list[0]["last_four"].as_str(), key.get(key.len() - 4..));
    assert_eq!(
        (&list[0]["last_used"], &list[0]["revoked"]),
        (&serde_json::Value::Null, &serde_json::Value::Null)
    );
    assert!(!desk.done(&["key", "list", "ann@example.org"]).contains(key));
    let id = list[0]["id"].as_str().expect("an id").to_owned();
    desk.done(&["key", "revoke", &id]);
    assert!(desk.json(&["key", "list", "ann@example.org", "--json"])[0]["revoked"].is_string());
    assert_eq!(desk.run(&["key", "revoke", "nonsense"]).code, 1);
    assert_eq!(desk.run(&["key", "list", "bo@example.org"]).code, 1);
}

#[test]
fn credits_are_granted_and_the_books_prove_it() {
    let desk = Desk::new();
    desk.done(&["user", "add", "ann@example.org"]);
    let user = desk.json(&["user", "grant", "ann@example.org", "7", "--json"]);
    assert_eq!(user["credits"], 10);
    let books = desk.json(&["ledger", "verify", "--json"]);
    assert_eq!(
        (&books["balanced"], &books["granted"], &books["available"]),
        (&true.into(), &10.into(), &10.into())
    );
    assert!(
        desk.done(&["ledger", "verify"])
            .starts_with("the books balance")
    );
}

#[test]
fn an_account_is_restricted_and_let_in_again() {
    let desk = Desk::new();
    desk.done(&["user", "add", "ann@example.org"]);
    assert_eq!(
        desk.json(&["user", "restrict", "ann@example.org", "--json"])["restricted"],
        true
    );
    assert_eq!(
        desk.json(&["user", "unrestrict", "ann@example.org", "--json"])["restricted"],
        false
    );
    assert_eq!(desk.run(&["user", "restrict", "bo@example.org"]).code, 1);
}

#[test]
fn a_password_comes_from_a_file_or_is_made_and_printed_once() {
    let desk = Desk::new();
    std::fs::write(desk.path().join("password"), "correct horse\n").expect("written");
    desk.done(&[
        "user",
        "add",
        "ann@example.org",
        "--password-file",
        "password",
    ]);
    let fresh = desk.done(&["user", "reset-password", "ann@example.org"]);
    assert_eq!(fresh.trim().len(), 32);
    assert_eq!(
        desk.done(&[
            "user",
            "reset-password",
            "ann@example.org",
            "--password-file",
            "password"
        ]),
        ""
    );
    std::fs::write(desk.path().join("password"), "short").expect("written");
    assert_eq!(
        desk.run(&[
            "user",
            "add",
            "bo@example.org",
            "--password-file",
            "password"
        ])
        .code,
        2
    );
    assert_eq!(
        desk.run(&[
            "user",
            "add",
            "bo@example.org",
            "--password-file",
            "nowhere"
        ])
        .code,
        1
    );
}

#[test]
fn a_password_that_everybody_takes_is_refused_from_a_file_too() {
    let desk = Desk::new();
    std::fs::write(desk.path().join("password"), "password1234\n").expect("written");
    let ended = desk.run(&[
        "user",
        "add",
        "ann@example.org",
        "--password-file",
        "password",
    ]);
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("guessed first"), "{}", ended.err);
}

#[test]
fn a_second_factor_that_is_not_there_cannot_be_taken_away() {
    let desk = Desk::new();
    desk.done(&["user", "add", "ann@example.org"]);
    let ended = desk.run(&["user", "drop-second-factor", "ann@example.org"]);
    assert_eq!(ended.code, 1);
    assert!(ended.err.contains("has no second factor"), "{}", ended.err);
    let unknown = desk.run(&["user", "drop-second-factor", "bo@example.org"]);
    assert_eq!(unknown.code, 1);
}

#[test]
fn what_is_kept_on_disk_is_for_its_owner_alone() {
    let desk = Desk::new();
    desk.done(&["user", "add", "ann@example.org"]);
    for path in ["data", "data/pepper", "data/skillkiln.db"] {
        let mode = std::fs::metadata(desk.path().join(path))
            .expect(path)
            .permissions()
            .mode();
        assert_eq!(mode & 0o077, 0, "{path}");
    }
}

#[test]
fn a_database_that_cannot_be_used_is_named_as_the_reason() {
    let desk = Desk::new();
    std::fs::write(
        desk.path().join("text.db"),
        "this is no database, but a long enough text to look like one",
    )
    .expect("written");
    for url in [
        "database.url=sqlite://text.db",
        "database.url=postgres://nobody@127.0.0.1:1/none",
    ] {
        for command in [&["migrate"][..], &["ledger", "verify"], &["user", "list"]] {
            let ended = desk.run(&[command, &["--set", url]].concat());
            assert_eq!(ended.code, 1, "{command:?} with {url}");
            assert!(
                ended.err.starts_with("error: the database"),
                "{}",
                ended.err
            );
        }
    }
}
