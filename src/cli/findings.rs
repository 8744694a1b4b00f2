//! Owns how the findings of a report are told to programs that show them beside the lines they are about: SARIF, and the workflow commands
//! of GitHub Actions.

use super::output;
use serde_json::{Value, json};
use skillkiln_skills::report::{Check, Report, Severity};
use skillkiln_skills::validate::demands::Demand;
use skillkiln_skills::validate::package::SKILL_FILE;
use std::collections::BTreeSet;
use std::path::Path;

/// Where a finding is: the file as it was given, and its line where there is one.
struct Place {
    file: String,
    line: Option<u32>,
}

impl Place {
    /// A finding about another file of a folder says so in its first words: `references/rows.md:12: …`. What was given as one file, a
    /// zip, is that file whatever is inside.
    fn of(path: &Path, check: &Check) -> (Self, String) {
        let shown = |path: &Path| output::tame(&path.to_string_lossy()).replace('\\', "/");
        let elsewhere = check.message.split_once(": ").and_then(|(place, message)| {
            let (file, line) = place.rsplit_once(':')?;
            let line: u32 = line.parse().ok()?;
            Some((file, line, message))
        });
        let (file, line, message) = match (path.is_dir(), elsewhere) {
            (true, Some((file, line, message))) if check.line.is_none() => {
                (shown(&path.join(file)), Some(line), message)
            }
            (true, _) => (shown(&path.join(SKILL_FILE)), check.line, &*check.message),
            (false, _) => (shown(path), check.line, &*check.message),
        };
        (Self { file, line }, output::tame(message))
    }
}

fn failed(report: &Report) -> impl Iterator<Item = &Check> {
    report.checks.iter().filter(|check| !check.passed)
}

/// The findings as a log of SARIF 2.1.0 (OASIS), for code scanning and editors.
pub(super) fn sarif(path: &Path, report: &Report) -> Value {
    let ids: BTreeSet<&str> = failed(report).map(|check| &*check.id).collect();
    let rules: Vec<Value> = ids
        .into_iter()
        .map(|id| {
            let demand = Demand::of(id).map_or("", |demand| demand.words);
            json!({ "id": id, "shortDescription": { "text": demand } })
        })
        .collect();
    let results: Vec<Value> = failed(report)
        .map(|check| {
            let (place, message) = Place::of(path, check);
            let artifact = json!({ "uri": reference(&place.file) });
            let location = match place.line {
                Some(line) => {
                    json!({ "artifactLocation": artifact, "region": { "startLine": line } })
                }
                None => json!({ "artifactLocation": artifact }),
            };
            let level = match check.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info => "note",
            };
            json!({
                "ruleId": check.id,
                "level": level,
                "message": { "text": message },
                "locations": [{ "physicalLocation": location }],
            })
        })
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "skillkiln", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "results": results,
        }],
    })
}

/// A path as SARIF names files: a reference of RFC 3986.
fn reference(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    path.bytes()
        .map(|byte| match is_plain(byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect()
}

/// The findings as workflow commands of GitHub Actions, a line each.
pub(super) fn github(path: &Path, report: &Report) -> String {
    let lines: Vec<String> = failed(report)
        .map(|check| {
            let (place, message) = Place::of(path, check);
            let level = match check.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info => "notice",
            };
            let line = place
                .line
                .map_or_else(String::new, |line| format!(",line={line}"));
            format!(
                "::{level} file={}{line},title={}::{}",
                escaped(&place.file, true),
                check.id,
                escaped(&message, false)
            )
        })
        .collect();
    lines.join("\n")
}

/// As the runner reads it back: what would end a command or one of its properties is escaped.
fn escaped(text: &str, is_property: bool) -> String {
    let text = text
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A");
    match is_property {
        true => text.replace(':', "%3A").replace(',', "%2C"),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let check = |id: &'static str, severity, passed, line, message: &'static str| Check {
            id: id.into(),
            severity,
            passed,
            message: message.into(),
            line,
        };
        Report::of(vec![
            check("V001", Severity::Error, true, None, "good"),
            check(
                "V012",
                Severity::Error,
                false,
                Some(2),
                "100 % wrong\n::error::x",
            ),
            check("V034", Severity::Warning, false, None, "say when"),
            check(
                "V080",
                Severity::Info,
                false,
                None,
                "references/a, b.md:7: a secret: here",
            ),
        ])
    }

    #[test]
    fn workflow_commands_name_the_file_and_the_line_and_none_is_smuggled_in() {
        let folder = std::env::temp_dir();
        let file = escaped(&folder.join(SKILL_FILE).to_string_lossy(), true);
        let other = escaped(&folder.join("references/a, b.md").to_string_lossy(), true);
        assert_eq!(
            github(&folder, &report()),
            format!(
                "::error file={file},line=2,title=V012::100 %25 wrong\u{fffd}::error::x\n\
                 ::warning file={file},title=V034::say when\n\
                 ::notice file={other},line=7,title=V080::a secret: here"
            )
        );
        let told = github(Path::new("kiln.zip"), &report());
        let last = "::notice file=kiln.zip,title=V080::references/a, b.md:7: a secret: here";
        assert!(told.ends_with(last), "{told}");
    }

    #[test]
    fn a_log_of_sarif_has_a_rule_for_each_result() {
        let log = sarif(Path::new("kiln/SKILL.md"), &report());
        let run = &log["runs"][0];
        let ids = |list: &Value, key: &str| -> Vec<String> {
            let list = list.as_array().expect("a list").iter();
            list.map(|one| one[key].as_str().unwrap_or_default().to_owned())
                .collect()
        };
        assert_eq!(log["version"], "2.1.0");
        assert_eq!(ids(&run["results"], "ruleId"), ["V012", "V034", "V080"]);
        assert_eq!(
            ids(&run["tool"]["driver"]["rules"], "id"),
            ["V012", "V034", "V080"]
        );
        assert_eq!(ids(&run["results"], "level"), ["error", "warning", "note"]);
        let place = &run["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "kiln/SKILL.md");
        assert_eq!(place["region"]["startLine"], 2);
    }
}
