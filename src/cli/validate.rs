//! `skillkiln validate PATH`: runs every check on a skill's folder, SKILL.md or zip.

use super::findings;
use super::output::{self, Stop};
use clap::{Args, ValueEnum};
use skillkiln_skills::report::{Check, Report, Severity};
use skillkiln_skills::validate::profile::Profile;
use skillkiln_skills::validate::{self, package, table};
use std::path::PathBuf;

/// What to check.
#[derive(Debug, Args)]
pub struct Validate {
    /// A skill's folder, a SKILL.md or a zip
    #[arg(required_unless_present = "list")]
    pub path: Option<PathBuf>,
    /// Print the table of all checks instead
    #[arg(long, conflicts_with_all = ["path", "json"])]
    pub list: bool,
    /// Whose rules count: every loader of the open format, Claude's upload, or Claude Code with fields of its own
    #[arg(long, value_enum, default_value_t = Rules::Open)]
    pub profile: Rules,
    /// How to print the report
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with = "list")]
    pub format: Format,
    /// Print the report as JSON: the same as --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
}

/// How a report is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A line a finding, worst first
    Text,
    /// The report as the API answers it
    Json,
    /// SARIF 2.1.0, for code scanning and editors
    Sarif,
    /// Workflow commands of GitHub Actions, which annotate the lines of a change
    Github,
}

/// Whose rules count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Rules {
    /// Any loader of the open format
    Open,
    /// An upload to Claude, where some warnings are errors
    Claude,
    /// Claude Code, which knows more fields and runs what stands behind a `!`
    ClaudeCode,
}

impl Rules {
    fn profile(self) -> Profile {
        match self {
            Self::Open => Profile::Open,
            Self::Claude => Profile::Claude,
            Self::ClaudeCode => Profile::ClaudeCode,
        }
    }
}

/// Runs the command.
///
/// # Errors
/// [`Stop::Found`] when a check of severity error failed, [`Stop::Failed`] when the path cannot be read.
pub fn run(command: &Validate) -> Result<(), Stop> {
    let Some(path) = &command.path else {
        return output::say(table::page().trim_end());
    };
    let package = package::read(path).map_err(Stop::failed)?;
    let report = validate::check(&package, command.profile.profile());
    match command.format {
        Format::Json => output::say_json(&report)?,
        Format::Text if command.json => output::say_json(&report)?,
        Format::Text => output::say(&page(&report))?,
        Format::Sarif => output::say_json(&findings::sarif(path, &report))?,
        Format::Github => output::say(&findings::github(path, &report))?,
    }
    if report.errors == 0 {
        Ok(())
    } else {
        Err(Stop::Found)
    }
}

/// A report for people: one line a finding, worst first, and the sum.
pub fn page(report: &Report) -> String {
    let mut failed: Vec<&Check> = report.checks.iter().filter(|c| !c.passed).collect();
    failed.sort_by_key(|check| check.severity);
    let mut lines: Vec<String> = failed.into_iter().map(line).collect();
    let made = report.checks.len();
    lines.push(format!(
        "{made} checks, errors: {}, warnings: {}",
        report.errors, report.warnings
    ));
    lines.join("\n")
}

/// A finding for people, on a line.
pub fn line(check: &Check) -> String {
    let severity = match check.severity {
        Severity::Error => "ERROR",
        Severity::Warning => "WARNING",
        Severity::Info => "INFO",
    };
    let place = match check.line {
        Some(line) => format!("SKILL.md:{line}"),
        None => "SKILL.md".to_owned(),
    };
    let message = output::tame(&check.message);
    format!("{severity} {} {place} {message}", check.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(id: &'static str, severity: Severity, passed: bool, line: Option<u32>) -> Check {
        Check {
            id: id.into(),
            severity,
            passed,
            message: "what to\u{1b} do".into(),
            line,
        }
    }

    #[test]
    fn findings_are_listed_worst_first_and_counted() {
        let report = Report::of(vec![
            check("V001", Severity::Error, true, None),
            check("V009", Severity::Info, false, None),
            check("V012", Severity::Error, false, Some(2)),
            check("V034", Severity::Warning, false, Some(3)),
        ]);
        assert_eq!(
            page(&report),
            "ERROR V012 SKILL.md:2 what to\u{fffd} do\n\
             WARNING V034 SKILL.md:3 what to\u{fffd} do\n\
             INFO V009 SKILL.md what to\u{fffd} do\n\
             4 checks, errors: 1, warnings: 1"
        );
    }
}
