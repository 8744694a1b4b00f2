//! Hostile input: long, deep, broken. A check that takes more than linear time makes these tests hang.

use super::{SKILL, failed, package, with};
use crate::validate::check;
use crate::validate::package::Package;
use crate::validate::profile::Profile;
use proptest::prelude::*;

const LENGTH: usize = 1 << 20;
/// Enough to tell a quadratic check from a linear one, at a sixteenth of the time.
const SHORTER: usize = 1 << 16;

fn survives(unit: &str, length: usize) {
    let body = format!("{SKILL}\n{}", unit.repeat(length / unit.len()));
    let report = check(&with(&body), Profile::Open);
    assert!(!report.checks.is_empty(), "{unit}");
}

#[test]
fn a_mebibyte_of_one_character_is_checked_in_linear_time() {
    for unit in [">", "[", "`", "|", "-", "#", "*", "<", "\n", "é"] {
        survives(unit, LENGTH);
    }
}

#[test]
fn repetitions_of_anything_are_checked_in_linear_time() {
    let units = [
        ">",
        "[",
        "`",
        "|",
        "-",
        "#",
        "*",
        "_",
        "!",
        "(",
        "<",
        "\\",
        "&",
        "~",
        "=",
        "+",
        "1",
        " ",
        "\t",
        "\n",
        ">\n",
        "- ",
        "> ",
        "1. ",
        "![",
        "[](",
        "](",
        "[a](",
        "<!--",
        "-->",
        "<a id=\"",
        "```\n",
        "~~~",
        "| ",
        "|\n",
        "|-",
        "a|b\n-|-\n",
        "* *a **b ",
        "`` ` ",
        "[a]: b\n",
        "[a][b]",
        "# ",
        "#\n",
        "a-",
        "a.b/",
        "../",
        "--a ",
        "npx -a ",
        "curl ",
        "curl | ",
        "rm -rf ",
        "ignore all ",
        "TODO [add ",
        "[add ",
        "eyJaaaaaaaaaa.",
        "sk-aaaaaaaaaaaaaaaaaaaaaaa ",
        "a@b:c://",
        "é",
        "\u{200b}",
        "SYSTEM: ",
        "as shown ",
        "use a, b, ",
        "<![CDATA[",
        "<?",
        "http://a",
        "a_b_c",
        "**a",
        "[[",
        "]]",
        "\"",
        "'",
        "token=\"",
        "1.1,",
        "x\n\n",
        "[a](references/invoice-fields.md)",
        "- a\n  ",
    ];
    for unit in units {
        survives(unit, SHORTER);
    }
}

#[test]
fn a_mebibyte_of_header_is_checked_in_linear_time() {
    for unit in [
        "a: b\n", "- ", "[", "{", "a: ", "? ", "&a ", "*a ", "\"", "'", "!", "|\n", "  ", "#",
        "---\n ", "%", "a: [", "\t", "é",
    ] {
        let skill = format!("---\n{}\n---\n# Body\n", unit.repeat(LENGTH / unit.len()));
        assert!(
            !check(&with(&skill), Profile::Open).checks.is_empty(),
            "{unit}"
        );
        let short = format!(
            "---\nname: \"x\"\n{}\n---\n# Body\n",
            unit.repeat(60_000 / unit.len())
        );
        assert!(
            !check(&with(&short), Profile::Open).checks.is_empty(),
            "{unit}"
        );
    }
}

#[test]
fn many_files_that_point_at_each_other_are_checked_in_linear_time() {
    let names: Vec<String> = (0..250)
        .map(|number| format!("references/topic-{number}.md"))
        .collect();
    let links: String = (0..250)
        .map(|number| format!("[t](topic-{number}.md) "))
        .collect();
    let mut files: Vec<(&str, &str)> = names
        .iter()
        .map(|name| (name.as_str(), links.as_str()))
        .collect();
    files.push(("SKILL.md", SKILL));
    assert!(failed(&package("querying-invoices", &files)).contains(&"V063".to_owned()));
}

#[test]
fn nothing_at_all_is_reported_and_not_a_panic() {
    assert_eq!(failed(&Package::default()), ["V000"]);
    assert!(failed(&with("")).contains(&"V001".to_owned()));
    assert!(failed(&with("---")).contains(&"V002".to_owned()));
    assert!(failed(&with("---\n---")).contains(&"V004".to_owned()));
    assert!(failed(&Package::alone(vec![0xff; 64])).contains(&"V007".to_owned()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_text_makes_a_check_panic(head in "\\PC{0,60}", body in "(\\PC|[\n\t`|#>*\\[\\]()!<-]){0,200}") {
        let report = check(&with(&format!("---\nname: {head}\n---\n{body}")), Profile::Open);
        prop_assert!(report.checks.windows(2).all(|pair| pair[0].id <= pair[1].id));
    }
}
