//! Owns the words of ours that a generated skill may hold: headings, labels and lead-ins that arrange what the source says.
//!
//! Everything else in a generated skill must stand in its source. The synthesizer composes with these constants alone, and
//! the proofs of [`crate::pipeline::validate`] leave exactly them out of account, so that neither can drift from the other.

use skillkiln_document::quick::QuickSet;
use std::sync::LazyLock;

/// The section that says in which situations the skill helps.
pub const WHEN_TO_USE: &str = "When to use";
/// The section that says what the skill is about.
pub const OVERVIEW: &str = "Overview";
/// The section of steps.
pub const WORKFLOW: &str = "Workflow";
/// The section of rules, warnings and surprises.
pub const RULES: &str = "Rules and gotchas";
/// The section of commands and code.
pub const EXAMPLES: &str = "Commands and examples";
/// The section of options, settings and parameters.
pub const OPTIONS: &str = "Options";
/// The section of what must be there beforehand.
pub const PREREQUISITES: &str = "Prerequisites";
/// The section of what can go wrong, and the remedy.
pub const TROUBLESHOOTING: &str = "Troubleshooting";
/// The section of a telling source's most telling sentences.
pub const KEY_POINTS: &str = "Key points";
/// The section of terms and what they mean.
pub const TERMS: &str = "Terms";
/// The section that tells how to check the result.
pub const VERIFY: &str = "Verify";
/// The section that points at the reference files.
pub const REFERENCES: &str = "References";
/// The table of contents of a long file.
pub const CONTENTS: &str = "Contents";
/// The section of a catalogue's index that lists its skills.
pub const SKILLS: &str = "Skills";

/// The column of a catalogue's index that names the skill to open.
pub const OPEN: &str = "Open";
/// The column of a catalogue's index that says what a skill leaves to which other.
pub const DOES_NOT_COVER: &str = "Does not cover";

/// The label of a line that names where a section comes from: heading path, page, or time. The whole line is ours.
pub const SOURCE_LABEL: &str = "Source:";

/// Stands at the head of a file whose source shows commands that an agent had better not run unseen (V084), behind the label of a
/// caution. The whole line is ours.
pub const CAUTION: &str = "Some commands here delete more than their own work, or run what they download. \
    Look at each of them, and ask, before it is run.";

/// Opens a description's statement of when the skill applies.
pub const USE_WHEN: &str = "Use when";
/// The same, as a sentence of the body.
pub const USE_THIS_SKILL_WHEN: &str = "Use this skill when";
/// Heads the column of pointers to reference files.
pub const READ: &str = "Read";
/// Heads the only column, where there are too many pointers to give reasons.
pub const READ_WHEN_NEEDED: &str = "Read when the task involves it";
/// Heads the column of their reasons.
pub const WHEN_YOU_NEED: &str = "when you need";
/// Ends a pointer to a file of which nothing is shown.
pub const WHEN_NEEDED: &str = "when you need it";
/// Ends a pointer to the file in which shortened sections go on.
pub const THE_REST: &str = "when you need the rest";
/// The same, with the names of those sections.
pub const FOR_THE_REST_OF: &str = "for the rest of";
/// The same, with the names of the entries that a list has beside those shown.
pub const FOR_MORE: &str = "for more:";
/// Joins the same, for steps.
pub const BEFORE_YOU: &str = "before you";
/// Opens the check at a procedure's end.
pub const CHECK_THAT: &str = "Check that";
/// Introduces a list of what is inside.
pub const COVERS: &str = "Covers";

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

/// The headings and labels of ours, as they stand.
pub const HEADINGS: [&str; 16] = [
    WHEN_TO_USE,
    OVERVIEW,
    WORKFLOW,
    RULES,
    EXAMPLES,
    OPTIONS,
    PREREQUISITES,
    TROUBLESHOOTING,
    KEY_POINTS,
    TERMS,
    VERIFY,
    REFERENCES,
    CONTENTS,
    SKILLS,
    OPEN,
    DOES_NOT_COVER,
];

/// The lead-ins of ours, which the source's words complete.
pub const LEAD_INS: [&str; 12] = [
    USE_WHEN,
    USE_THIS_SKILL_WHEN,
    READ,
    READ_WHEN_NEEDED,
    WHEN_YOU_NEED,
    THE_REST,
    WHEN_NEEDED,
    FOR_THE_REST_OF,
    FOR_MORE,
    BEFORE_YOU,
    CHECK_THAT,
    COVERS,
];

/// Words that connect the source's words in what we compose, beside those of [`HEADINGS`] and [`LEAD_INS`].
pub const CONNECTIVES: [&str; 31] = [
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
];

/// All of them, in lower case: every word of every source is looked up here.
static OUR_WORDS: LazyLock<QuickSet<String>> = LazyLock::new(|| {
    let phrases = HEADINGS
        .iter()
        .chain(LEAD_INS.iter())
        .chain(skillkiln_skills::scaffold::HEADINGS.iter());
    CONNECTIVES
        .iter()
        .copied()
        .chain(phrases.flat_map(|phrase| phrase.split(' ')))
        .map(str::to_ascii_lowercase)
        .collect()
});

/// All words that need no evidence, as [`is_our_word`] knows them.
pub(in crate::pipeline) fn our_words() -> impl Iterator<Item = &'static str> {
    OUR_WORDS.iter().map(String::as_str)
}

/// Whether `line` is wholly ours: a heading of ours, or a line that names a source.
#[must_use]
pub fn is_ours(line: &str) -> bool {
    let line = line
        .trim()
        .trim_start_matches(['#', '*', '_', '>', ' '])
        .trim_end_matches(['#', '*', '_', ':', ' ']);
    HEADINGS.contains(&line)
        || skillkiln_skills::scaffold::HEADINGS.contains(&line)
        || line.starts_with(SOURCE_LABEL)
        || line == "Source"
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
