//! Owns the table of checks: the function that makes each one, and the page of documentation about them. What each one demands
//! is in [`crate::validate::demands`].

use crate::report::Severity;
use crate::validate::demands::{DEMANDS, Demand};
use crate::validate::finding::Findings;
use crate::validate::siblings::CATALOGUE_RULE;
use crate::validate::subject::Subject;
use crate::validate::{
    body, description, fields, files, header, host, links, name, overlap, proof, prose, references,
    repetition, scripts, security, whole, wording,
};

/// Makes a check.
type Run = fn(&Subject<'_>) -> Findings;

macro_rules! rules {
    ($($id:ident $run:path;)+) => {
        &[$((stringify!($id), $run)),+]
    };
}

/// Every check on one package with what it demands, in the order of their ids. V046, on several skills at once, is
/// [`super::siblings::CATALOGUE_RULE`].
pub(super) fn rules() -> impl Iterator<Item = (&'static Demand, Run)> {
    DEMANDS
        .iter()
        .zip(RUNS)
        .map(|(demand, (_, run))| (demand, *run))
}

/// In the order of the demands.
static RUNS: &[(&str, Run)] = rules! {
    V000 files::has_one_skill_file;
    V001 header::opens_at_the_first_byte;
    V002 header::is_closed;
    V003 header::has_no_byte_order_mark;
    V004 header::is_a_strict_mapping;
    V005 header::has_no_repeated_key;
    V006 files::has_the_exact_name;
    V007 files::is_utf8;
    V008 files::stays_inside;
    V009 files::has_no_clutter;
    V010 name::is_present;
    V011 name::is_text;
    V012 name::has_only_allowed_characters;
    V013 name::has_no_hyphen_at_an_edge;
    V014 name::has_no_double_hyphen;
    V015 name::is_short;
    V016 name::is_the_folder;
    V017 name::has_no_reserved_word;
    V018 name::has_no_tag;
    V019 name::is_specific;
    V020 name::is_ascii;
    V021 name::names_an_activity;
    V030 description::is_present;
    V031 description::is_text;
    V032 description::is_short_enough;
    V033 description::has_no_angle_bracket;
    V034 description::says_when_to_use_it;
    V035 description::speaks_in_the_third_person;
    V036 description::is_finished;
    V037 header::values_are_quoted_on_one_line;
    V038 description::leads_with_the_main_use;
    V039 description::says_more_than_the_name;
    V040 header::has_only_known_fields;
    V041 fields::compatibility_is_short_text;
    V042 fields::metadata_is_flat;
    V043 fields::tools_are_one_scoped_list;
    V044 description::lists_no_steps;
    V045 description::ends_as_a_sentence;
    V047 fields::licence_is_text_and_its_file_exists;
    V050 body::is_not_empty;
    V051 body::is_short;
    V052 body::costs_few_tokens;
    V053 body::fences_are_closed;
    V054 body::headings_are_in_order;
    V055 body::fences_name_their_language;
    V056 body::rows_match_their_header;
    V057 wording::does_not_age;
    V058 wording::offers_a_default_and_keeps_its_terms;
    V059 wording::procedures_end_in_a_check;
    V060 links::targets_exist;
    V061 links::targets_stay_inside;
    V062 links::paths_use_slashes;
    V063 references::files_are_one_level_deep;
    V064 references::no_file_is_orphaned;
    V065 references::long_files_have_contents;
    V066 references::no_file_is_empty;
    V067 links::anchors_exist;
    V068 links::pointers_say_when;
    V069 references::files_are_small_and_named;
    V070 wording::is_finished;
    V071 references::names_no_home;
    V072 wording::has_no_filler;
    V073 scripts::ask_nothing;
    V074 scripts::pin_what_they_fetch;
    V075 scripts::name_their_dependencies;
    V076 scripts::name_tools_with_their_server;
    V080 security::holds_no_secret;
    V081 security::overrides_no_instruction;
    V082 security::hides_no_instruction;
    V083 security::shows_every_character;
    V084 security::runs_nothing_unseen_or_destructive;
    V085 security::holds_no_blob;
    V086 host::obeys_nothing;
    V087 files::names_no_device;
    V090 proof::invents_nothing;
    V091 proof::every_sentence_has_support;
    V092 proof::keeps_the_code;
    V093 repetition::says_nothing_twice;
    V094 repetition::keeps_its_context;
    V095 repetition::holds_no_furniture;
    V101 prose::reads_like_a_sentence;
    V102 prose::names_the_subject;
    V103 prose::is_as_short_as_lists_show;
    V104 overlap::references_have_one_subject;
    V105 overlap::body_repeats_no_reference;
    V106 whole::says_what_the_source_lacks;
    V107 whole::procedures_are_whole;
    V108 whole::examples_keep_their_marks;
};

/// The table as a page of Markdown, for the documentation.
#[must_use]
pub fn page() -> String {
    let mut out = String::from(
        "# What is checked\n\n\
        Every check of `skillkiln validate`, of a saved skill and of the last stage of a generation. `open` is how much a failed one\n\
        matters where skills are loaded from folders, `claude` where they are uploaded. Sources: **S** the Agent Skills specification,\n\
        **R** its reference validator, **G** its best-practice guides, **A** the authoring guide and upload rules of Anthropic, **X** the\n\
        linter agnix, **O** ours. Those from V090 to V092 and from V106 to V108 are made where the source is known; when the first three hold, they say how much they proved.\n\
        A generated skill quotes its source: what V057, V070, V071, V072, V074, V093 and V094 look for is no fault of the skill where the source says\n\
        it, in a reference or in a section that stands whole in the body.\n\n\
        | id | open | claude | sources | what holds when it passes |\n|---|---|---|---|---|\n",
    );
    let severity = |severity: Severity| match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    };
    for demand in DEMANDS {
        out.push_str(&format!(
            "| {} | {} | {} | {} | {} |\n",
            demand.id,
            severity(demand.open),
            severity(demand.claude),
            demand.sources,
            demand.words
        ));
        if demand.id == "V045" {
            out.push_str(&format!(
                "| {} | info | info | O | the skills of one catalogue have terms that tell them apart |\n",
                CATALOGUE_RULE
            ));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_demand_has_its_check() {
        let demanded: Vec<&str> = DEMANDS.iter().map(|demand| demand.id).collect();
        let made: Vec<&str> = RUNS.iter().map(|(id, _)| *id).collect();
        assert_eq!(demanded, made);
    }

    #[test]
    fn the_documentation_is_made_from_the_table() {
        let kept = include_str!("../../../../docs/checks.md");
        assert!(
            kept == page(),
            "docs/checks.md is not what the table says; write it again with `skillkiln validate --list`"
        );
    }
}
