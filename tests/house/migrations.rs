//! Migrations: each has a number of its own, and is written for both databases.

use std::collections::BTreeSet;

fn written_for(database: &str) -> BTreeSet<String> {
    let folder = format!("{}/migrations/{database}", env!("CARGO_MANIFEST_DIR"));
    let entries = std::fs::read_dir(&folder).expect("the migrations");
    entries
        .map(|entry| entry.expect("an entry").file_name())
        .map(|name| name.into_string().expect("a name"))
        .collect()
}

#[test]
fn each_migration_has_a_number_of_its_own_and_both_databases_have_it() {
    let written = written_for("sqlite");
    assert_eq!(written, written_for("postgres"));
    let number = |name: &String| name.split('_').next().map(str::to_owned);
    let numbers: BTreeSet<_> = written.iter().map(number).collect();
    assert_eq!(
        numbers.len(),
        written.len(),
        "two have one number: {written:?}"
    );
}
