//! Owns the check for what a host of skills executes or rewrites while it loads a SKILL.md (V086), whatever it stands in.

use crate::validate::finding::{Finding, Findings};
use crate::validate::subject::Subject;
use skillkiln_document::host_syntax::{self, Deed};

/// The id of the check.
pub(super) const RULE: &str = "V086";

/// V086. References are read as they are, so that it looks at SKILL.md alone.
pub(super) fn obeys_nothing(subject: &Subject<'_>) -> Findings {
    let file = subject.skill?;
    let finding = |found: host_syntax::Found| {
        let shown = file.text.get(found.bytes.clone()).unwrap_or_default();
        Finding::at(
            found.line,
            match found.deed {
                Deed::Runs => "a host runs what stands behind this `!` as a command while it loads the skill; part the two, or move the code into a reference".to_owned(),
                Deed::Replaces => format!(
                    "a host puts an argument in place of `{shown}` while it loads the skill; write `\\{shown}`, or move the code into a reference"
                ),
                Deed::Imports => "a host takes in the file behind this `@` while it loads the skill; write it as code, or as `\\@`".to_owned(),
            },
        )
    };
    Some(
        host_syntax::find(&file.text)
            .into_iter()
            .map(finding)
            .collect(),
    )
}
