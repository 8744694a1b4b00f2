//! Owns how a title is told as a task: "Starting a cross build" as "starting a cross build" and "start a cross build", "Machine
//! entries" with the verb that fits what is there.

use skillkiln_document::quick::{QuickMap, QuickSet};
use skillkiln_document::text::squash;
use std::sync::LazyLock;

/// Verbs that open titles, in their base form; those that are nouns as often stand in [`EITHER`].
const VERBS: &str = "accept access add adjust adopt allow analyze answer apply approve assert assign attach audit authenticate \
    authorize avoid back batch bind block boot break bring browse build bump bundle buy cache calculate call cancel capture cast catch \
    change check choose cite clarify clean clear clone close collect combine communicate compare compile compose compress compute \
    configure confirm connect consider consume contribute control convert copy cordon count create customise customize debug decide \
    declare decode decrypt define delete deploy deprecate derive describe detect determine develop diagnose disable discover display \
    dive do document download drain draw edit embed emit enable encode encrypt enforce ensure escalate escape establish evaluate evict \
    examine exclude execute expand explain explore export expose extend extract fail fetch fill find fix follow force fork format \
    generalise generalize generate get give grant group handle hash hide identify ignore implement import improve include increase \
    infer inherit initialise initialize inject insert inspect install integrate introduce invoke iterate join keep know label launch \
    learn leave limit link list listen load locate lock log look maintain make manage manipulate mark match measure merge migrate \
    minimize mitigate mock modify monitor mount move mutate name navigate negotiate nest obtain offer open optimise optimize order \
    organize override pack parse partition pass paste patch pay perform pick pin plan point post prefer prepare prevent print process \
    produce protect prove provide provision publish pull purge push put query raise reach read rebuild receive recognize recompile \
    record recover redirect reduce refactor refer register reject release reload remove rename render rent repair repeat replace report \
    reproduce request require reserve reset resize resolve respond restart restore restrict retrieve retry return reuse reverse review \
    revoke rewrite roll rotate run sample save scale scan schedule search secure see segregate select send separate serialize serve set \
    share ship show sign simplify skip sort specify split spread stack start stop store stream strip submit subscribe support swap \
    switch sync tag take test throw toggle track train transcode transfer transform translate trigger trim troubleshoot try tune turn \
    undo uninstall unpack update upgrade upload use validate verify view visualize wait watch work wrap write";

/// Verbs that are nouns as often: they open a task only before a word that shows it.
const EITHER: &str = " access address answer audit back batch block boot break build bundle buy cache call capture cast change check \
    cite clone compose control copy cordon count debug display document download drain draw edit escape export fail fix force fork \
    format group hash import insert install label launch limit link list listen load lock log look make mark match measure merge mock \
    mount move name nest offer open order override pack partition pass paste patch pick pin plan point post print process provision \
    pull push query raise reach record redirect register release reload rent repair replace report request reserve reset return review \
    rewrite roll run sample scale scan schedule search secure see set share ship show sign sort split spread stack start stop store \
    stream strip support swap switch sync tag test throw toggle track train transfer transform trigger trim try turn undo update \
    upgrade upload use view wait watch work wrap ";

/// Verbs of [`EITHER`] that open a task also before a bare noun, where more follows: "Run brenn at night".
const MOSTLY: &str = " insert install launch make move run send show start stop ";

/// Forms on -ing that name a field of work as often: "logging configuration".
const NOMINAL: &str = " caching calling engineering getting hosting indexing logging mapping messaging monitoring naming networking \
    packaging pricing programming rendering reporting routing scheduling streaming tracing training troubleshooting versioning ";

/// What a language or a format has, behind the word that it is called by.
const CONSTRUCTS: &str = " argument attribute block clause directive element expression field flag function header hook keyword method mode \
    operator parameter phase property section statement tag ";

/// What joins two verbs.
const JOINTS: [&str; 3] = ["and", "or", "&"];
/// What belongs to a verb: "back up", "log in".
const PARTICLES: [&str; 7] = ["up", "down", "out", "off", "on", "in", "over"];

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
        bump-no debug refer commit permit omit begin forget plug cancel pin strip trim ";
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

/// Whether a word is a verb in a list of them: where all before it are verbs, or where what follows shows it.
fn is_joined_verb(verb: &str, next: &str, is_list: bool) -> bool {
    let is_plain = !EITHER.contains(&format!(" {verb} "));
    is_verb(verb) && (is_list || is_plain && !next.is_empty() || shows_verb(next))
}

/// Whether a word shows that what stands before it is a verb.
fn shows_verb(next: &str) -> bool {
    OBJECTS.contains(&format!(" {next} "))
}

/// What follows a verb, with the verbs that are joined to that one in another form: "up, restore, and clone pots" as "up, restoring, and
/// cloning pots". `base` is the base form of a word that is a verb in the form that stands here.
fn rejoined(
    object: &str,
    base: impl Fn(&str) -> Option<String>,
    form: impl Fn(&str) -> String,
) -> String {
    let words: Vec<&str> = object.split(' ').collect();
    let bare = |at: usize| {
        let word = words.get(at).copied().unwrap_or_default();
        word.trim_end_matches(',').to_lowercase()
    };
    let (mut out, mut is_list) = (Vec::with_capacity(words.len()), true);
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| words.get(at)).copied();
        let is_joined = before.is_some_and(|one| one.ends_with(',') || JOINTS.contains(&one));
        let lower = bare(at);
        let verb = base(&lower).filter(|verb| is_joined_verb(verb, &bare(at + 1), is_list));
        match verb.filter(|_| is_joined) {
            Some(verb) => out.push(word.to_lowercase().replacen(&lower, &form(&verb), 1)),
            None => {
                is_list &= JOINTS.contains(word) || PARTICLES.contains(&&*lower);
                out.push((*word).to_owned());
            }
        }
    }
    out.join(" ")
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
        let object = rejoined(
            &self.object,
            |word| is_verb(word).then(|| word.to_owned()),
            gerund,
        );
        squash(&format!("{} {object}", gerund(&self.verb)))
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
    let mut rest = title.trim();
    loop {
        let end = rest.trim_end_matches([':', '：', '.', ' ', '¶']);
        // The mark of a link to the heading, but not the one of "C#".
        let cut = end.strip_suffix('#').unwrap_or(end);
        let is_name = cut.len() < end.len()
            && cut
                .chars()
                .rev()
                .take_while(|c| c.is_alphanumeric())
                .count()
                == 1;
        let cut = if is_name { end } else { cut };
        if cut == rest {
            break;
        }
        rest = cut;
    }
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
        let bare = rest.trim_start_matches(['.', ')', ':', '-', ' ', '–', '—']);
        let is_name = bare.starts_with(char::is_uppercase)
            && rest.strip_suffix(bare).is_some_and(|head| head == ".");
        rest = if is_name { rest } else { bare };
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
    // "To make a report use the command": the second verb is that of another clause.
    let clause = [
        " use ", " run ", " type ", " enter ", " you ", " we ", " just ", " simply ",
    ]
    .iter()
    .fold(clause, |clause, other| {
        clause.split(other).next().unwrap_or(clause)
    });
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
    let next = object.split(' ').next().unwrap_or_default().to_lowercase();
    // "Log lines can tell more:" has a noun where "Light the kiln:" has a verb.
    let can_be_noun = first != "to" && EITHER.contains(&format!(" {verb} "));
    let is_task = is_verb(&verb)
        && !SHOWING.contains(&format!(" {verb} "))
        && (!can_be_noun || shows_verb(&next) || MOSTLY.contains(&format!(" {verb} ")));
    let goes_on =
        object.starts_with("and ") || object.starts_with("or ") || object.ends_with(" and");
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

/// The verb of which a word in lower case is the form behind "it".
fn base_of(word: &str) -> Option<String> {
    let stem = word.strip_suffix('s')?;
    let short = stem.strip_suffix('e').unwrap_or(stem);
    let forms = [
        stem.to_owned(),
        short.to_owned(),
        format!("{}y", short.trim_end_matches('i')),
    ];
    forms
        .into_iter()
        .find(|verb| is_verb(verb) && third_person(verb) == word)
}

/// A title that is known to order something, as that of a request is, told as a task where its first word can be a verb: "List pots".
#[must_use]
pub fn order(title: &str) -> Option<Task> {
    let (verb, object) = bare_title(title).split_once(' ')?;
    let verb = verb.to_lowercase();
    let verb = base_of(&verb).unwrap_or(verb);
    is_verb(&verb).then(|| Task {
        verb,
        object: object.to_owned(),
        is_own: true,
    })
}

/// A title without the time of a recording behind it: "Workers (19:50)".
fn without_time(title: &str) -> &str {
    let time = title
        .strip_suffix(')')
        .and_then(|title| title.rsplit_once(" ("));
    let is_time =
        |time: &str| time.contains(':') && time.chars().all(|c| c.is_ascii_digit() || c == ':');
    time.filter(|(_, time)| is_time(time))
        .map_or(title, |(words, _)| words)
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
    let rest = without_time(rest.trim_end_matches('?'));
    let (first, object) = rest.split_once(' ').unwrap_or((rest, ""));
    let lower = first.to_lowercase();
    // "Monitoring of kilns" and "Firing and glazing" name what they are about.
    const NAMING: [&str; 3] = ["of", "objectives", "vs"];
    let mut words = object.split(' ').map(|word| word.trim_end_matches(','));
    let next = words.next().unwrap_or_default().to_lowercase();
    let joined = words.next().unwrap_or_default().to_lowercase();
    let goes_on = words.next().is_some();
    let is_pair = JOINTS.contains(&&*next);
    // "DELETE /pots" is the name of a request.
    // "Include statement" and "Return statements" are no orders.
    let is_construct = !goes_on
        && joined.is_empty()
        && CONSTRUCTS.contains(&format!(" {} ", next.trim_end_matches('s')));
    let has_object = !object.is_empty()
        && !object.starts_with('/')
        && !NAMING.contains(&next.as_str())
        && !is_construct
        // "Retry Offload" is a name where the text has the two so.
        && is_common(&format!("{lower} {next}"));
    let base = |word: &str| GERUNDS.get(word).map(|verb| (*verb).to_owned());
    let is_task = has_object
        && match is_pair {
            true => goes_on && base(&joined).is_some(),
            false => !NOMINAL.contains(&format!(" {lower} ")) || shows_verb(&next),
        };
    if let Some(verb) = GERUNDS.get(&lower).filter(|_| is_task) {
        return Task {
            verb: (*verb).to_owned(),
            object: rejoined(object, base, str::to_owned),
            is_own: true,
        };
    }
    // "Deletes a single pet" tells what is done by it.
    const ARTICLES: [&str; 6] = ["a", "an", "the", "all", "each", "one"];
    let done = base_of(&lower).filter(|_| ARTICLES.contains(&&*next));
    if let Some(verb) = done {
        return Task {
            verb,
            object: object.to_owned(),
            is_own: true,
        };
    }
    let is_word = |list: &str| list.contains(&format!(" {lower} "));
    let is_verb = is_verb(&lower)
        && has_object
        && match is_pair {
            true => is_verb(&joined),
            false => {
                !is_word(EITHER)
                    || shows_verb(&next)
                    || goes_on && is_word(MOSTLY)
                    // "Use cases" are none, and "Use clay" is to be done.
                    || lower == "use" && !next.starts_with("case")
            }
        };
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
        let words: Vec<&str> = title.split(' ').collect();
        // "Kiln Manager" is a name where the text has the two so, though a kiln is none.
        let is_pair = |at: usize| match words.get(at..at + 2) {
            Some(&[one, other]) => !is_common(&format!("{one} {other}").to_lowercase()),
            _ => false,
        };
        let one = |(at, word): (usize, &&str)| match is_pair(at) || at > 0 && is_pair(at - 1) {
            true => (*word).to_owned(),
            false => decapitalised(word, &is_common),
        };
        let told = words.iter().enumerate().map(one);
        return told.collect::<Vec<_>>().join(" ");
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
    let is_name = word.chars().skip(1).any(char::is_uppercase)
        || bare.contains(|c: char| c.is_ascii_digit() || matches!(c, '.' | '_' | ':'));
    match !is_name && (is_common(bare) || crate::stop_words::is_stop_word(bare)) {
        true => lower,
        false => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_language_has_is_no_order() {
        assert!(!task("Include statement", "", |_| true).is_own);
        assert!(task("Include all statements", "", |_| true).is_own);
    }

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
            told("Logging configuration").infinitive(),
            "look up logging configuration"
        );
        assert_eq!(
            told("10. Use the active voice.").infinitive(),
            "use the active voice"
        );
    }

    #[test]
    fn what_a_request_does_or_orders_is_a_task() {
        let told = |title: &str| task(title, "", |_| true).gerund();
        assert_eq!(told("Deletes a single pot"), "deleting a single pot");
        assert_eq!(
            order("List pots").map(|one| one.gerund()).as_deref(),
            Some("listing pots")
        );
        assert_eq!(
            order("Finds pots").map(|one| one.gerund()).as_deref(),
            Some("finding pots")
        );
        assert!(!task("Retry Offload doors", "", |pair| pair != "retry offload").is_own);
        assert_eq!(order("Pots"), None);
        assert!(!task("Changes to pots", "", |_| true).is_own);
        assert_eq!(base_of("applies").as_deref(), Some("apply"));
    }

    #[test]
    fn verbs_that_are_joined_have_one_form() {
        for (title, infinitive, gerund) in [
            (
                "Back up, restore, and clone pots",
                "back up, restore, and clone pots",
                "backing up, restoring, and cloning pots",
            ),
            (
                "Installing and configuring the grate",
                "install and configure the grate",
                "installing and configuring the grate",
            ),
            (
                "Create a pot and grant access",
                "create a pot and grant access",
                "creating a pot and granting access",
            ),
            (
                "Find and replace",
                "find and replace",
                "finding and replacing",
            ),
            (
                "Compare doors and change logs",
                "compare doors and change logs",
                "comparing doors and change logs",
            ),
        ] {
            let told = task(title, "", |_| true);
            assert_eq!((&*told.infinitive(), &*told.gerund()), (infinitive, gerund));
        }
        assert!(!task("Firing and glazing", "", |_| true).is_own);
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
