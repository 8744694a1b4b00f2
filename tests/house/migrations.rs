//! Migrations: each has a number of its own, is written for both databases, and says by its name whether the release before works on it.

use std::collections::{BTreeSet, HashSet};
use std::fs::read_to_string;
use std::path::PathBuf;

/// The newest of those from before names said it.
const NEWEST_WITHOUT_A_WORD: &str = "00000000000090_answers";

fn folder_of(database: &str) -> PathBuf {
    crate::source::root().join("migrations").join(database)
}

fn written_for(database: &str) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder_of(database)).expect("the migrations");
    entries
        .map(|entry| entry.expect("an entry").file_name())
        .map(|name| name.into_string().expect("a name"))
        .collect()
}

#[test]
fn each_migration_has_a_number_of_its_own_and_both_databases_have_it() {
    let written = written_for("sqlite");
    assert_eq!(written, written_for("postgres"));
    let number = |name: &String| name.split(['-', '_']).next().map(str::to_owned);
    let numbers: BTreeSet<_> = written.iter().map(number).collect();
    assert_eq!(
        numbers.len(),
        written.len(),
        "two have one number: {written:?}"
    );
}

#[test]
fn a_migration_only_expands_the_schema_or_says_that_it_breaks_older_programs() {
    for database in ["sqlite", "postgres"] {
        for name in written_for(database) {
            let (number, _) = name.split_once('_').expect("a number and a name");
            if name.as_str() <= NEWEST_WITHOUT_A_WORD || number.ends_with("-breaking") {
                continue;
            }
            assert!(number.ends_with("-expand"), "{name} is neither");
            let folder = folder_of(database).join(&name);
            let sql = read_to_string(folder.join("up.sql")).expect("a migration");
            let metadata = read_to_string(folder.join("metadata.toml")).unwrap_or_default();
            let is_whole = !metadata.contains("run_in_transaction = false");
            let found = breaks(&sql, database == "postgres", is_whole);
            assert_eq!(found, None, "{database}/{name}");
        }
    }
}

/// The statement of a step with which the release before does not work on unawares, or that stops those who write; `is_whole` when the step
/// is one transaction.
fn breaks(sql: &str, is_postgres: bool, is_whole: bool) -> Option<String> {
    let lines = sql
        .lines()
        .map(|line| line.split("--").next().unwrap_or(""));
    let code = lines.collect::<Vec<_>>().join(" ").to_uppercase();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let statements: Vec<Vec<&str>> = code
        .split(';')
        .map(|statement| statement.split(|c| !is_part(c)))
        .map(|words| words.filter(|word| !word.is_empty()).collect())
        .filter(|words: &Vec<&str>| !words.is_empty())
        .collect();
    let mut new = HashSet::new();
    let found = statements.iter().find(|words| match words.as_slice() {
        ["CREATE", "TABLE", table, ..] => {
            new.insert(*table);
            holds_rows_fast(&words.join(" "))
        }
        ["CREATE", "INDEX", "CONCURRENTLY", _, "ON", ..] => {
            !is_postgres || is_whole || statements.len() > 1
        }
        ["CREATE", "INDEX", _, "ON", table, ..] => is_postgres && !new.contains(table),
        ["CREATE", "UNIQUE", "INDEX", _, "ON", table, ..] | ["INSERT", "INTO", table, ..] => {
            !new.contains(table)
        }
        ["ALTER", "TABLE", _, "ADD", "COLUMN", columns @ ..] => {
            columns.join(" ").split(" ADD COLUMN ").any(|column| {
                let has = |word| column.split(' ').any(|other| other == word);
                let others = ["ADD", "DROP", "RENAME", "ALTER", "UNIQUE", "PRIMARY"];
                others.into_iter().any(has)
                    || (column.contains(" NOT NULL") && !has("DEFAULT"))
                    || holds_rows_fast(column)
            })
        }
        _ => true,
    });
    found.map(|words| words.join(" "))
}

/// Whether a reference keeps the release before, which knows nothing of it, from deleting what it refers to.
fn holds_rows_fast(words: &str) -> bool {
    let count = |run| words.matches(run).count();
    count(" REFERENCES ") != count(" ON DELETE CASCADE") + count(" ON DELETE SET NULL")
}

#[test]
fn an_expansion_adds_tables_and_columns_that_nobody_must_fill_and_indexes_that_stop_nobody() {
    let index = "CREATE INDEX d ON users (plan);";
    let index_beside = "CREATE INDEX CONCURRENTLY d ON users (plan);";
    for (sql, is_postgres, is_whole) in [
        (
            "-- DROP\nCREATE TABLE t (a text NOT NULL, b uuid REFERENCES users (id) ON DELETE CASCADE);\nCREATE UNIQUE INDEX u ON t (a);\nINSERT INTO t SELECT 1;",
            true,
            true,
        ),
        (
            "ALTER TABLE users ADD COLUMN a text, ADD COLUMN b bigint NOT NULL DEFAULT 0;",
            true,
            true,
        ),
        (index, false, true),
        (index_beside, true, false),
    ] {
        assert_eq!(breaks(sql, is_postgres, is_whole), None, "{sql}");
    }
    for (sql, is_postgres, is_whole) in [
        ("DROP TABLE users;", true, true),
        ("CREATE TABLE t (a text); DROP INDEX d;", true, true),
        ("CREATE TABLE t (b uuid REFERENCES users (id));", true, true),
        ("ALTER TABLE users RENAME COLUMN plan TO tier;", true, true),
        (
            "ALTER TABLE users ADD COLUMN a text, DROP COLUMN plan;",
            true,
            true,
        ),
        (
            "ALTER TABLE users ADD COLUMN a text NOT NULL, ADD COLUMN b text DEFAULT '';",
            true,
            true,
        ),
        ("ALTER TABLE users ADD COLUMN a text UNIQUE;", true, true),
        (
            "ALTER TABLE users ADD CONSTRAINT c CHECK (owed >= 0);",
            true,
            true,
        ),
        ("UPDATE users SET owed = 0;", true, true),
        ("CREATE UNIQUE INDEX d ON users (plan);", false, true),
        (index, true, true),
        (index_beside, true, true),
        (&format!("{index_beside} {index_beside}"), true, false),
    ] {
        assert!(breaks(sql, is_postgres, is_whole).is_some(), "{sql}");
    }
}
