//! Owns how a title is told as a task: "Starting a cross build" as "starting a cross build" and "start a cross build", "Machine
//! entries" with the verb that fits what is there.

use skillkiln_document::quick::{QuickMap, QuickSet};
use skillkiln_document::text::squash;
use std::sync::LazyLock;

/// Verbs that open titles, in their base form; those that are nouns as often stand in [`EITHER`].
const VERBS: &str = "accept access add adopt adjust allow analyze answer apply approve assert assign attach audit authenticate authorize \
    avoid back bind block boot bring browse build bump bundle cache calculate call catch change check choose clean clear clone close \
    collect combine compare compile compose compress compute configure confirm connect consider consume contribute control convert \
    copy create customize customise debug declare decide define delete deploy derive describe detect determine develop disable \
    discover display do document download draw edit emit enable enforce ensure escape establish evaluate examine exclude execute \
    expand explain explore export expose extend extract fetch fill find fix follow force fork format generate get give grant group \
    handle hide identify ignore implement import improve include increase inherit initialize inject insert inspect install integrate \
    introduce invoke iterate join keep know label launch learn leave limit link listen load locate lock log look maintain make manage \
    manipulate mark match measure merge migrate minimize mock modify monitor mount move mutate name navigate obtain offer open \
    optimize optimise order organize override pack parse pass patch perform pick plan point prefer prepare prevent print process \
    produce protect prove provide publish pull push put query raise reach read rebuild receive recognize record recover redirect \
    reduce refactor refer register reject release reload remove rename render repair repeat replace report request require reset \
    resize resolve respond restart restore restrict retrieve retry return reuse reverse review revoke rewrite roll rotate run sample \
    save scale scan schedule search secure select send separate serve set share ship show sign simplify skip sort specify split start \
    stop store stream submit subscribe swap switch sync tag take test throw toggle track train transfer transform translate trigger \
    troubleshoot tune turn undo uninstall unpack update upgrade upload use validate verify view visualize wait watch work wrap write";

/// Verbs that are nouns as often: they open a task only before a word that shows it.
const EITHER: &str = " compose access address answer back block boot build bundle cache call change check clone control copy debug display \
    document download draw edit escape export fix force fork format group import insert install label launch limit link listen load \
    lock log look make mark match measure merge mock mount move name offer open order override pack pass patch pick plan point print \
    process pull push query raise reach record redirect release reload repair replace report request reset return review roll run \
    sample scale scan schedule search set share ship show sign sort split start stop store stream swap switch sync tag test throw \
    toggle track train transfer trigger turn undo update upgrade upload use view wait watch work wrap ";

/// Words that show that what stands before them is a verb.
const OBJECTS: &str = " a an the your its their my our all any each every multiple several one two with to from for in into on up out off \
    and by as it them this that these those new only more without custom own existing additional ";

/// Verbs by their form on -ing.
static GERUNDS: LazyLock<QuickMap<String, &'static str>> = LazyLock::new(|| {
    VERBS
        .split_whitespace()
        .map(|verb| (gerund(verb), verb))
        .collect()
});

static BASES: LazyLock<QuickSet<&'static str>> =
    LazyLock::new(|| VERBS.split_whitespace().collect());

/// Whether a word in lower case is the base form of a verb that is known here.
#[must_use]
pub fn is_verb(word: &str) -> bool {
    BASES.contains(word)
}

/// The form on -ing of a verb.
#[must_use]
pub fn gerund(verb: &str) -> String {
    const DOUBLED: &str = " prefer bind-no cut drop fit get log map pack-no plan put run scan set skip ship split stop submit swap tag wrap \
        bump-no debug refer commit permit omit begin forget plug ";
    if verb.ends_with("ie") {
        return format!("{}ying", verb.trim_end_matches("ie"));
    }
    if verb.ends_with('e') && !verb.ends_with("ee") && !verb.ends_with("ye") {
        return format!("{}ing", verb.trim_end_matches('e'));
    }
    match verb.chars().last() {
        Some(last) if DOUBLED.contains(&format!(" {verb} ")) => format!("{verb}{last}ing"),
        _ => format!("{verb}ing"),
    }
}

/// A title as a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Its verb: "start".
    pub verb: String,
    /// What the verb is of: "a cross build".
    pub object: String,
    /// Whether the title itself has the verb.
    pub is_own: bool,
}

impl Task {
    /// "starting a cross build".
    #[must_use]
    pub fn gerund(&self) -> String {
        squash(&format!("{} {}", gerund(&self.verb), self.object))
    }

    /// "start a cross build".
    #[must_use]
    pub fn infinitive(&self) -> String {
        squash(&format!("{} {}", self.verb, self.object))
    }
}

/// A title without its number and without what every title of its kind begins with.
#[must_use]
pub fn bare_title(title: &str) -> &str {
    let mut rest = title
        .trim()
        .trim_end_matches([':', '：', '.', ' ', '#', '¶']);
    // "（二）Doors"
    if let Some((number, after)) = rest
        .strip_prefix(['(', '（'])
        .and_then(|rest| rest.split_once([')', '）']))
        && number.chars().count() <= 3
        && !after.trim().is_empty()
    {
        rest = after.trim();
    }
    loop {
        let before = rest;
        for opening in [
            "chapter ",
            "section ",
            "appendix ",
            "part ",
            "step ",
            "rule ",
        ] {
            let head = rest.get(..opening.len());
            if head.is_some_and(|head| head.eq_ignore_ascii_case(opening))
                && let Some(after) = rest.get(opening.len()..)
            {
                rest = without_number(after).unwrap_or(rest);
            }
        }
        let number = rest
            .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ')' | '-' | ':' | ' ')))
            .unwrap_or(0);
        let head = rest.get(..number).unwrap_or_default();
        let is_number =
            head.contains(|c: char| c.is_ascii_digit()) && head.ends_with([' ', ')', '.', ':']);
        if is_number && rest.len() > number + 2 {
            rest = rest.get(number..).unwrap_or(rest);
        }
        rest = rest.trim_start_matches(['.', ')', ':', '-', ' ', '–', '—']);
        if rest == before {
            return match rest.is_empty() {
                true => title.trim(),
                false => rest,
            };
        }
    }
}

/// What stands behind the number of a chapter: "2: Doors", "H. Doors", "IV - Doors".
fn without_number(text: &str) -> Option<&str> {
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return Some(text);
    }
    let (number, rest) = text.split_once([' ', '.', ':', ')'])?;
    let is_letter = number.len() == 1 && number.chars().all(|c| c.is_ascii_uppercase());
    let is_roman = !number.is_empty() && number.chars().all(|c| matches!(c, 'I' | 'V' | 'X'));
    let rest = rest.trim_start_matches(['.', ':', ')', ' ', '-', '–', '—']);
    ((is_letter || is_roman) && rest.len() > 1).then_some(rest)
}

/// Verbs that say that something is run, and not what for.
const RUNNING: &str = " run use execute type enter call issue invoke try ";
/// Verbs that show something, and are no task.
const SHOWING: &str =
    " see note look consider follow try use run execute type enter find have get take want know ";
/// Words of a sentence that leans on what stands around it.
const POINTING: &str =
    " following this that these those it them below above here you we i us they then such there ";
/// Longest task that a sentence announces, in words.
const ANNOUNCED_WORDS_MAX: usize = 9;

/// The task that a sentence announces whose command or steps follow: "To light the kiln, run:", "Run this to light the kiln:", "Light the
/// kiln with:". Of a sentence that says no more than that something follows there is none.
#[must_use]
pub fn announced(text: &str) -> Option<Task> {
    let said = text.trim().trim_end_matches([':', '.', ',', ' ']);
    let last = said.rfind(['.', '!', '?']).filter(|at| {
        said.get(at + 1..)
            .is_some_and(|rest| rest.starts_with([' ', '\n']))
    });
    let said = last.map_or(said, |at| said.get(at + 1..).unwrap_or(said).trim());
    let (first, rest) = said.split_once(' ')?;
    let first = first.to_lowercase();
    let clause = match first.as_str() {
        "to" => rest,
        verb if RUNNING.contains(&format!(" {verb} ")) => rest.split_once(" to ")?.1,
        _ => said,
    };
    let clause = clause.split([',', ';', ':', '(']).next()?.trim();
    let clause = [
        " with",
        " using",
        " by",
        " via",
        " run",
        " like so",
        " as follows",
    ]
    .iter()
    .fold(clause, |clause, end| {
        clause.strip_suffix(end).unwrap_or(clause)
    });
    let (verb, object) = clause.split_once(' ')?;
    let verb = verb.to_lowercase();
    let is_task = is_verb(&verb) && !SHOWING.contains(&format!(" {verb} "));
    let goes_on = object.starts_with("and ") || object.starts_with("or ");
    let mut words = object.split(' ');
    let is_whole = !words.any(|word| POINTING.contains(&format!(" {} ", word.to_lowercase())));
    let is_short = object.split(' ').count() <= ANNOUNCED_WORDS_MAX;
    (is_task && !goes_on && is_whole && is_short && !object.contains(['`', '<', '$', '"'])).then(
        || Task {
            verb,
            object: object.to_owned(),
            is_own: true,
        },
    )
}

/// The form of a verb behind "it": "gives", "applies", "watches".
#[must_use]
pub fn third_person(verb: &str) -> String {
    let vowel = |c: char| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u');
    match verb.strip_suffix('y') {
        Some(stem) if !stem.ends_with(vowel) => format!("{stem}ies"),
        _ if verb.ends_with(['s', 'x', 'z']) || verb.ends_with("ch") || verb.ends_with("sh") => {
            format!("{verb}es")
        }
        _ => format!("{verb}s"),
    }
}

/// Tells a title as a task; `verb` is what is done with what a title without a verb names.
#[must_use]
pub fn task(title: &str, verb: &str, is_common: impl Fn(&str) -> bool) -> Task {
    let mut rest = bare_title(title);
    for opening in [
        "How to ",
        "how to ",
        "How do I ",
        "How can I ",
        "How do you ",
        "To ",
        "MUST ",
        "SHOULD ",
        "Must ",
        "Should ",
    ] {
        rest = rest.strip_prefix(opening).unwrap_or(rest);
    }
    let rest = rest.trim_end_matches('?');
    let (first, object) = rest.split_once(' ').unwrap_or((rest, ""));
    let lower = first.to_lowercase();
    // "Monitoring of kilns" and "Firing and glazing" name what they are about.
    const NAMING: [&str; 5] = ["of", "and", "or", "&", "objectives"];
    let next = object.split(' ').next().unwrap_or_default().to_lowercase();
    let has_object = !object.is_empty() && !NAMING.contains(&next.as_str());
    if let Some(verb) = GERUNDS.get(&lower).filter(|_| has_object) {
        return Task {
            verb: (*verb).to_owned(),
            object: object.to_owned(),
            is_own: true,
        };
    }
    let is_verb = is_verb(&lower)
        && has_object
        && (!EITHER.contains(&format!(" {lower} "))
            || OBJECTS.contains(&format!(" {next} "))
            // "Use cases" are none, and "Use clay" is to be done.
            || lower == "use" && !next.starts_with("case"));
    match is_verb {
        true => Task {
            verb: lower,
            object: object.to_owned(),
            is_own: true,
        },
        false => Task {
            verb: verb.to_owned(),
            object: in_sentence(rest, is_common),
            is_own: false,
        },
    }
}

/// A title as it stands within a sentence: its first word without a capital, where that word is written so elsewhere.
#[must_use]
pub fn in_sentence(title: &str, is_common: impl Fn(&str) -> bool) -> String {
    let is_title_case = title
        .split(' ')
        .skip(1)
        .filter(|word| word.starts_with(char::is_uppercase))
        .count()
        > 0;
    if is_title_case {
        let words = title.split(' ').map(|word| decapitalised(word, &is_common));
        return words.collect::<Vec<_>>().join(" ");
    }
    let first = title.split([' ', ',', ':']).next().unwrap_or_default();
    let mut letters = first.chars();
    let is_capital = letters.next().is_some_and(char::is_uppercase);
    let rest_is_small =
        letters.clone().next().is_some() && letters.all(|c| c.is_lowercase() || c == '-');
    let is_article = matches!(first, "A" | "An" | "The");
    if (is_capital && rest_is_small && is_common(&first.to_lowercase())) || is_article {
        let lower = first.to_lowercase();
        return format!("{lower}{}", title.get(first.len()..).unwrap_or_default());
    }
    title.to_owned()
}

/// A word of a title without its capital, where it is written so elsewhere.
fn decapitalised(word: &str, is_common: impl Fn(&str) -> bool) -> String {
    let lower = word.to_lowercase();
    let bare = lower.trim_matches(|c: char| !c.is_alphanumeric());
    let is_shouted = word.chars().skip(1).any(char::is_uppercase);
    match !is_shouted && (is_common(bare) || crate::stop_words::is_stop_word(bare)) {
        true => lower,
        false => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_told_as_a_task() {
        let told = |title: &str| task(title, "look up", |_| true);
        assert_eq!(
            told("Starting a cross build").infinitive(),
            "start a cross build"
        );
        assert_eq!(
            told("2.1 Create a registry").gerund(),
            "creating a registry"
        );
        assert_eq!(told("How to run the tests").gerund(), "running the tests");
        assert_eq!(
            told("Machine entries").infinitive(),
            "look up machine entries"
        );
        assert_eq!(told("Use cases").infinitive(), "look up use cases");
        assert_eq!(
            told("10. Use the active voice.").infinitive(),
            "use the active voice"
        );
    }

    #[test]
    fn a_sentence_that_announces_a_command_is_told_as_a_task() {
        let told = |text: &str| announced(text).map(|task| task.gerund());
        for (text, expected) in [
            ("To start the kiln, run:", "starting the kiln"),
            (
                "It is cold. Run this command to check the door:",
                "checking the door",
            ),
            ("Install the grate with:", "installing the grate"),
        ] {
            assert_eq!(told(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "Run the following:",
            "Use it like this:",
            "To see it, run:",
            "The door:",
        ] {
            assert_eq!(told(text), None, "{text}");
        }
    }

    #[test]
    fn the_number_of_a_chapter_is_none_of_its_title() {
        for (title, bare) in [
            ("CHAPTER 2: Doors", "Doors"),
            ("Appendix H. Virtual machine", "Virtual machine"),
            ("Part IV - Ash", "Ash"),
            ("Part of the kiln", "Part of the kiln"),
        ] {
            assert_eq!(bare_title(title), bare);
        }
    }

    #[test]
    fn a_name_keeps_its_capital() {
        assert_eq!(
            task("Docker images", "set", |word| word != "docker").infinitive(),
            "set Docker images"
        );
    }

    #[test]
    fn verbs_have_their_form_on_ing() {
        for (verb, form) in [
            ("use", "using"),
            ("run", "running"),
            ("set", "setting"),
            ("create", "creating"),
            ("fix", "fixing"),
            ("see", "seeing"),
        ] {
            assert_eq!(gerund(verb), form);
        }
    }
}
