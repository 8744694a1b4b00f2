//! Owns how the report of a skill's checks reads on its pages: what was found, what passed, and what was proved against the source.

use skillkiln_skills::report::{Check, Report, Severity};

/// Findings that are listed.
const FINDINGS_MAX: usize = 200;
/// The checks whose words, when they passed, say what was proved.
const PROOFS: [&str; 3] = ["V090", "V091", KEPT];
/// The one of them that tells how much of the source is kept.
const KEPT: &str = "V092";
/// Errors that are listed where there is little room.
const ERRORS_MAX: usize = 10;

/// What a check found, or what holds since it passed.
#[derive(serde::Serialize)]
pub(super) struct Finding {
    pub(super) id: String,
    pub(super) severity: &'static str,
    pub(super) tone: &'static str,
    pub(super) message: String,
    pub(super) line: Option<u32>,
}

impl From<&Check> for Finding {
    fn from(check: &Check) -> Self {
        let (severity, tone) = match check.severity {
            _ if check.passed => ("passed", "ok"),
            Severity::Error => ("error", "bad"),
            Severity::Warning => ("warning", "warn"),
            Severity::Info => ("note", ""),
        };
        Self {
            id: check.id.to_string(),
            severity,
            tone,
            message: check.message.to_string(),
            line: check.line,
        }
    }
}

impl Finding {
    /// What it says, cut at the backticks: every second piece is code.
    pub(super) fn pieces(&self) -> impl Iterator<Item = &str> {
        self.message.split('`')
    }
}

/// The failed checks, the worst first.
pub(super) fn findings(report: &Report) -> Vec<Finding> {
    let mut failed: Vec<&Check> = report.checks.iter().filter(|check| !check.passed).collect();
    failed.sort_by_key(|check| check.severity);
    let failed = failed.into_iter().take(FINDINGS_MAX);
    failed.map(Finding::from).collect()
}

/// The checks that passed, in the order of their ids.
pub(super) fn passed(report: &Report) -> Vec<Finding> {
    let passed = report.checks.iter().filter(|check| check.passed);
    passed.map(Finding::from).collect()
}

/// What was proved against the source: what stands there to the letter, what it supports, how much of it is kept.
pub(super) fn proved(report: &Report) -> Vec<Finding> {
    let mut proved = passed(report);
    proved.retain(|check| PROOFS.contains(&check.id.as_str()));
    proved
}

/// How much of the source is kept, in per cent: the figure that the last of the proofs gives.
pub(super) fn kept(report: &Report) -> Option<String> {
    let proof = proved(report).into_iter().find(|proof| proof.id == KEPT)?;
    let (before, _) = proof.message.split_once('%')?;
    let figure = before.trim_end().rsplit(|c: char| !c.is_ascii_digit());
    figure
        .map(str::to_owned)
        .next()
        .filter(|figure| !figure.is_empty())
}

/// The errors among them.
pub(super) fn errors(report: &Report) -> Vec<Finding> {
    let mut found = findings(report);
    found.retain(|finding| finding.severity == "error");
    found.truncate(ERRORS_MAX);
    found
}

/// How many of them are mere notes.
pub(super) fn notes(report: &Report) -> usize {
    let is_note = |check: &&Check| !check.passed && check.severity == Severity::Info;
    report.checks.iter().filter(is_note).count()
}

#[cfg(test)]
mod tests {
    use askama::Template;

    #[derive(Template)]
    #[template(path = "verdict.html")]
    struct Verdict {
        errors: u32,
        warnings: u32,
        notes: usize,
    }

    #[test]
    fn all_checks_passed_is_said_of_a_report_without_any_finding() {
        let said = |errors, warnings, notes| {
            let verdict = Verdict {
                errors,
                warnings,
                notes,
            };
            verdict.render().expect("a verdict")
        };
        assert!(said(0, 0, 0).contains("all checks passed"));
        assert!(said(0, 0, 2).contains("no errors, 2 notes"));
        let both = said(1, 2, 3);
        assert!(both.contains("1 error<") && both.contains("2 warnings<"));
        assert!(!both.contains("passed") && !said(0, 0, 1).contains("passed"));
    }
}
