//! Owns the words of ours that a skill may hold: headings, labels and lead-ins that arrange what the source says. Everything else must
//! stand in the source, and the checks leave exactly these out of account.

/// The section that says in which situations the skill helps.
pub const WHEN_TO_USE: &str = "When to use";
/// The section of commands and code.
pub const COMMANDS: &str = "Core commands";
/// The section of code in texts that are no tool's.
pub const EXAMPLES: &str = "Core examples";
/// The section of steps.
pub const PROCEDURE: &str = "Procedure";
/// The section of rules, warnings and surprises.
pub const RULES: &str = "Rules and gotchas";
/// The section of what to do first when something fails.
pub const FAILURES: &str = "When it fails";
/// The section of options, settings and parameters.
pub const OPTIONS: &str = "Options and defaults";
/// The section of functions, methods, requests.
pub const OPERATIONS: &str = "Operations";
/// The section of what matters most in a text that tells more than it instructs.
pub const KEY_POINTS: &str = "Key points";
/// The section of what a text decides.
pub const DECISIONS: &str = "Decisions and open points";
/// The section of what breaks in a log of changes.
pub const BREAKING: &str = "What breaks";
/// The section that tells how to check the result.
pub const VERIFY: &str = "Verify";
/// The section of what the source names and does not hold.
pub const GAPS: &str = "What the source leaves out";
/// The routing table.
pub const ROUTES: &str = "Where to read";
/// The table of contents of a long file.
pub const CONTENTS: &str = "Contents";

/// All headings of ours.
pub const HEADINGS: [&str; 15] = [
    WHEN_TO_USE,
    COMMANDS,
    EXAMPLES,
    PROCEDURE,
    RULES,
    FAILURES,
    OPTIONS,
    OPERATIONS,
    KEY_POINTS,
    DECISIONS,
    BREAKING,
    VERIFY,
    GAPS,
    ROUTES,
    CONTENTS,
];

/// The label of a line that names where a section comes from: heading path, page, or time.
pub const SOURCE_LABEL: &str = "Source:";

/// Stands at the head of a file whose source shows commands that an agent had better not run unseen (V084).
pub const CAUTION: &str = "Some commands here delete more than their own work, or run what they download. \
    Look at each of them, and ask, before it is run.";
