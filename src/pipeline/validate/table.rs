//! Owns the table of checks: what each one demands, how much it matters, whose rule it is, and the function that makes it.
//!
//! Sources: **S** the Agent Skills specification, **R** its reference validator, **G** its best-practice guides, **A** the
//! authoring guide and upload rules of Anthropic, **X** the linter agnix, **O** ours.

use crate::domain::skill::Severity::{self, Error as E, Info as I, Warning as W};
use crate::pipeline::validate::subject::{Findings, Subject};
use crate::pipeline::validate::{
    body, description, fields, files, header, links, name, proof, references, repetition, scripts,
    security, wording,
};

/// One check.
#[derive(Clone, Copy)]
pub struct Rule {
    /// `V000` to `V099`.
    pub id: &'static str,
    /// How much it matters where skills are loaded from folders.
    pub open: Severity,
    /// How much it matters where skills are uploaded.
    pub claude: Severity,
    /// Whose rule it is.
    pub sources: &'static str,
    /// What holds when it passes.
    pub demand: &'static str,
    /// Makes it.
    pub(super) run: fn(&Subject<'_>) -> Findings,
}

macro_rules! rules {
    ($($id:ident $open:ident $claude:ident $sources:ident $demand:literal $run:path;)+) => {
        &[$(Rule { id: stringify!($id), open: $open, claude: $claude, sources: stringify!($sources), demand: $demand, run: $run }),+]
    };
}

/// Every check on one package, in the order of their ids. V046, on several skills at once, is [`super::CATALOGUE_RULE`].
pub static RULES: &[Rule] = rules! {
    V000 E E SR "there is exactly one SKILL.md" files::has_one_skill_file;
    V001 E E SR "the header opens with `---` at the first byte" header::opens_at_the_first_byte;
    V002 E E SR "the header is closed" header::is_closed;
    V003 E E SR "there is no byte-order mark" header::has_no_byte_order_mark;
    V004 E E SR "the header is a strict YAML mapping" header::is_a_strict_mapping;
    V005 E E SR "no key is given twice" header::has_no_repeated_key;
    V006 E E G "SKILL.md is named so in exact case" files::has_the_exact_name;
    V007 E E S "all text is UTF-8" files::is_utf8;
    V008 E E X "nothing links or leads out of the package, and it is no larger than 30 MB" files::stays_inside;
    V009 I I X "there is no clutter" files::has_no_clutter;
    V010 E E SR "there is a name" name::is_present;
    V011 E E SR "the name is text" name::is_text;
    V012 E E SR "the name holds only a to z, digits and hyphens" name::has_only_allowed_characters;
    V013 E E SR "the name neither starts nor ends with a hyphen" name::has_no_hyphen_at_an_edge;
    V014 E E SR "the name holds no double hyphen" name::has_no_double_hyphen;
    V015 E E SR "the name has at most 64 characters" name::is_short;
    V016 E E SR "the name is the folder's" name::is_the_folder;
    V017 W E A "the name holds no reserved word" name::has_no_reserved_word;
    V018 W E A "the name holds no XML tag" name::has_no_tag;
    V019 W W A "the name is specific" name::is_specific;
    V020 W W R "the name has only ASCII letters" name::is_ascii;
    V021 I I A "the name is a gerund or a noun phrase" name::names_an_activity;
    V030 E E SR "there is a description" description::is_present;
    V031 E E SR "the description is text" description::is_text;
    V032 E E SR "the description has at most 1,024 characters" description::is_short_enough;
    V033 W E A "the description holds neither `<` nor `>`" description::has_no_angle_bracket;
    V034 W W X "the description says when to use the skill" description::says_when_to_use_it;
    V035 W W A "the description speaks in the third person" description::speaks_in_the_third_person;
    V036 E E X "the description is finished" description::is_finished;
    V037 W W R "values are quoted and stand on one line" header::values_are_quoted_on_one_line;
    V038 W W X "the main use stands in the description's first 250 characters" description::leads_with_the_main_use;
    V039 W W X "the description says more than the name" description::says_more_than_the_name;
    V040 E E SR "there are only known fields" header::has_only_known_fields;
    V041 E E SR "`compatibility` is text of 1 to 500 characters" fields::compatibility_is_short_text;
    V042 E E S "`metadata` is a flat map of text" fields::metadata_is_flat;
    V043 W W S "`allowed-tools` is one list, without an open shell" fields::tools_are_one_scoped_list;
    V044 W W X "the description lists no steps" description::lists_no_steps;
    V045 W W O "the description ends as a sentence" description::ends_as_a_sentence;
    V047 W W S "`license` is text, and a file that it names exists" fields::licence_is_text_and_its_file_exists;
    V050 E E S "the body is not empty" body::is_not_empty;
    V051 W W S "the body has at most 500 lines" body::is_short;
    V052 W W SX "the body has at most 5,000 tokens" body::costs_few_tokens;
    V053 W W X "code blocks are closed" body::fences_are_closed;
    V054 W W X "there is one title, first, and no heading skips a level" body::headings_are_in_order;
    V055 W W X "code blocks name their language" body::fences_name_their_language;
    V056 W W X "table rows match their header" body::rows_match_their_header;
    V057 W W A "no wording ages" wording::does_not_age;
    V058 I I AG "choices have a default, and each thing one term" wording::offers_a_default_and_keeps_its_terms;
    V059 I I G "procedures end in a check" wording::procedures_end_in_a_check;
    V060 E E S "links lead to files that exist" links::targets_exist;
    V061 E E S "no link leaves the folder" links::targets_stay_inside;
    V062 W W A "paths are written with slashes" links::paths_use_slashes;
    V063 W W S "reference files lie one level below SKILL.md" references::files_are_one_level_deep;
    V064 W W X "something points at every file" references::no_file_is_orphaned;
    V065 W W A "files over 100 lines have a table of contents" references::long_files_have_contents;
    V066 E E X "no file is empty" references::no_file_is_empty;
    V067 W W X "links lead to headings that exist" links::anchors_exist;
    V068 W W G "pointers say when to read the file" links::pointers_say_when;
    V069 W W A "reference files are small and named after their subject" references::files_are_small_and_named;
    V070 W W X "nothing is left to be written" wording::is_finished;
    V071 W W X "no path names somebody's home" references::names_no_home;
    V072 W W OG "nothing would fit any skill" wording::has_no_filler;
    V073 W W X "scripts ask nothing" scripts::ask_nothing;
    V074 W W X "commands that fetch a package name its version" scripts::pin_what_they_fetch;
    V075 I I G "the dependencies of scripts are named" scripts::name_their_dependencies;
    V076 W W A "MCP tools are named with their server" scripts::name_tools_with_their_server;
    V080 E E X "there is no secret" security::holds_no_secret;
    V081 E E X "nothing overrides instructions or roles" security::overrides_no_instruction;
    V082 W W X "no comment hides instructions" security::hides_no_instruction;
    V083 E E X "every character can be seen" security::shows_every_character;
    V084 W W X "no command runs what it has not seen or destroys much" security::runs_nothing_unseen_or_destructive;
    V085 W W X "there is no blob of encoded bytes" security::holds_no_blob;
    V090 E E O "every command, flag, path, address, number and code block is in the source" proof::invents_nothing;
    V091 W W O "the source supports every sentence" proof::every_sentence_has_support;
    V092 W W O "at least 90 % of the source's code blocks are kept" proof::keeps_the_code;
    V093 W W O "no paragraph says what another says" repetition::says_nothing_twice;
    V094 W W O "no fragment has lost its context" repetition::keeps_its_context;
    V095 W W O "there is no furniture of a web page" repetition::holds_no_furniture;
};

/// The table as a page of Markdown, for the documentation.
#[must_use]
pub fn page() -> String {
    let mut out = String::from(
        "# What is checked\n\n\
        Every check of `skillkiln validate`, of a saved skill and of the last stage of a generation. `open` is how much a failed one\n\
        matters where skills are loaded from folders, `claude` where they are uploaded. Sources: **S** the Agent Skills specification,\n\
        **R** its reference validator, **G** its best-practice guides, **A** the authoring guide and upload rules of Anthropic, **X** the\n\
        linter agnix, **O** ours. Those from V090 to V092 are made where the source is known; when they hold, they say how much they proved.\n\n\
        | id | open | claude | sources | what holds when it passes |\n|---|---|---|---|---|\n",
    );
    let severity = |severity: Severity| match severity {
        E => "error",
        W => "warning",
        I => "info",
    };
    for rule in RULES {
        out.push_str(&format!(
            "| {} | {} | {} | {} | {} |\n",
            rule.id,
            severity(rule.open),
            severity(rule.claude),
            rule.sources,
            rule.demand
        ));
        if rule.id == "V045" {
            out.push_str(&format!(
                "| {} | info | info | O | the skills of one catalogue have terms that tell them apart |\n",
                super::CATALOGUE_RULE
            ));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_documentation_is_made_from_the_table() {
        let kept = include_str!("../../../docs/checks.md");
        assert!(
            kept == super::page(),
            "docs/checks.md is not what the table says; write it again with `skillkiln validate --list`"
        );
    }
}
