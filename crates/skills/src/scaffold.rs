//! Owns the words of ours that a skill may hold: headings, labels and lead-ins that arrange what the source says. Everything else must
//! stand in the source, and the checks leave exactly these out of account.

use crate::lead_ins::is_routes;
use skillkiln_document::missing;
use skillkiln_document::quick::QuickSet;
use std::sync::LazyLock;

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
/// The section of what can be done by what was said in a talk.
pub const ADVICE: &str = "What can be done";
/// The section of a talk that advises nothing, or of the rest of one: what was said, with its time.
pub const BY_TIME: &str = "What was said, by its time";
/// The section of what breaks in a log of changes.
pub const BREAKING: &str = "What breaks";
/// The section that tells how to check the result.
pub const VERIFY: &str = "Verify";
/// The section of what the source names and does not hold.
pub const GAPS: &str = "What the source leaves out";
/// The table of contents of a long file.
pub const CONTENTS: &str = "Contents";

/// The section of a catalogue's index that lists its skills.
pub const SKILLS: &str = "Skills";

/// All headings of ours.
pub const HEADINGS: [&str; 17] = [
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
    ADVICE,
    BY_TIME,
    BREAKING,
    VERIFY,
    GAPS,
    CONTENTS,
    SKILLS,
];

/// What is said behind the name of a file or a figure that a source lacks.
pub const GAP: &str = "belongs here and was not given; its folder, or the rendered page, has it";

/// The label of a line that names where a section comes from: heading path, page, or time.
pub const SOURCE_LABEL: &str = "Source:";

/// Stands at the head of a file whose source shows commands that an agent had better not run unseen (V084).
pub const CAUTION: &str = "Some commands here delete more than their own work, or run what they download. \
    Look at each of them, and ask, before it is run.";

/// Words that say nothing about what a skill is for (V019); none is called so.
pub const VAGUE_NAMES: [&str; 24] = [
    "helper",
    "helpers",
    "util",
    "utils",
    "utility",
    "utilities",
    "tool",
    "tools",
    "document",
    "documents",
    "doc",
    "docs",
    "data",
    "file",
    "files",
    "misc",
    "stuff",
    "common",
    "general",
    "skill",
    "skills",
    "my",
    "new",
    "the",
];

/// Names that say nothing of what a reference file holds (V069); files are not called so.
pub const VAGUE_FILES: [&str; 14] = [
    "file",
    "doc",
    "docs",
    "document",
    "ref",
    "reference",
    "references",
    "notes",
    "misc",
    "other",
    "stuff",
    "untitled",
    "data",
    "part",
];

/// Words that connect the source's words in what we compose, beside those of [`HEADINGS`].
pub const CONNECTIVES: [&str; 40] = [
    "a",
    "about",
    "and",
    "answering",
    "applying",
    "are",
    "asks",
    "for",
    "from",
    "in",
    "involves",
    "is",
    "its",
    "it",
    "looking",
    "need",
    "of",
    "on",
    "or",
    "questions",
    "section",
    "task",
    "the",
    "these",
    "to",
    "topic",
    "up",
    "user",
    "using",
    "with",
    "working",
    "use",
    "when",
    "read",
    "check",
    "that",
    "this",
    "skill",
    "you",
    "covers",
];

/// All of them, in lower case: every word of every source is looked up here.
static OUR_WORDS: LazyLock<QuickSet<String>> = LazyLock::new(|| {
    let phrases = HEADINGS.iter();
    CONNECTIVES
        .iter()
        .copied()
        .chain(phrases.flat_map(|phrase| phrase.split(' ')))
        .map(str::to_ascii_lowercase)
        .collect()
});

/// All words that need no evidence, as [`is_our_word`] knows them.
pub fn our_words() -> impl Iterator<Item = &'static str> {
    OUR_WORDS.iter().map(String::as_str)
}

/// Whether a heading is ours: one of [`HEADINGS`], or that of a routing table in any language.
#[must_use]
pub fn is_heading(heading: &str) -> bool {
    HEADINGS.contains(&heading) || is_routes(heading)
}

/// Whether `line` is wholly ours: a heading of ours, or a line that names a source.
#[must_use]
pub fn is_ours(line: &str) -> bool {
    let line = line
        .trim()
        .trim_start_matches(['#', '*', '_', '>', ' '])
        .trim_end_matches(['#', '*', '_', ':', ' ']);
    is_heading(line)
        || line.starts_with(SOURCE_LABEL)
        || line == "Source"
        || line.starts_with(missing::LEAD.trim_end())
        || line.trim_end_matches('.').ends_with(GAP)
        || is_caution(line)
}

/// Whether a line, or a sentence from its beginning, is the caution of ours.
fn is_caution(line: &str) -> bool {
    let said = line.strip_prefix("Caution:").unwrap_or_default();
    let said = said.trim_start_matches(['*', ' ']);
    said.contains(' ') && (CAUTION.starts_with(said) || said.starts_with(CAUTION))
}

/// Whether `word`, in lower case, is one that we compose with and that therefore needs no evidence.
#[must_use]
pub fn is_our_word(word: &str) -> bool {
    OUR_WORDS.contains(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_and_source_lines_are_ours_and_other_lines_are_not() {
        for line in [
            "## When to use",
            "When to use",
            "**Source:** Guide > Setup, page 3",
            "_Source: text_",
            "Contents:",
            &format!("> **Caution:** {CAUTION}"),
            "Caution: Some commands here delete more than their own work,",
            &format!("- lamp.yml {GAP}."),
            "Included here: lamp.yml",
        ] {
            assert!(is_ours(line), "{line}");
        }
        for line in [
            "## Install the server",
            "Sources of error",
            "The contents of the file",
            "Caution: Some kilns are hot",
            "Caution:",
        ] {
            assert!(!is_ours(line), "{line}");
        }
    }

    #[test]
    fn words_of_lead_ins_need_no_evidence() {
        assert!(is_our_word("use") && is_our_word("gotchas") && is_our_word("the"));
        assert!(!is_our_word("kubernetes"));
    }
}
