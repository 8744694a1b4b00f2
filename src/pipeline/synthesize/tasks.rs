//! Owns which titles and headings of English texts name a task, and how a task is told behind "when": "creating a share" of
//! "Creating a Share", of "Create a share" and of "How to create a share".

use super::heading_words::in_sentence;

/// A task that is longer is none for a description.
const TASK_CHARS_MAX: usize = 56;
/// What anybody does with anything.
const ANYBODYS: [&str; 19] = [
    "configure options",
    "contributing",
    "copying conditions",
    "finding help",
    "getting help",
    "getting started",
    "getting support",
    "how to read this",
    "how to use this",
    "needing ",
    "reading the examples",
    "reading the manual",
    "reading this",
    "reporting bugs",
    "reporting issues",
    "starting point",
    "using this guide",
    "using this manual",
    "working with",
];

/// The tasks that `headings` name, as they stand behind "when", at most `count`, each with its place among them.
pub(super) fn tasks(headings: &[String], text: &str, count: usize) -> Vec<(usize, String)> {
    let mut out: Vec<(usize, String)> = Vec::new();
    for (place, heading) in headings.iter().enumerate() {
        if out.len() == count {
            break;
        }
        if let Some(task) = task(heading, text)
            && !out.iter().any(|(_, said)| *said == task)
        {
            out.push((place, task));
        }
    }
    out
}

/// What a heading tells to do, as it stands behind "when".
fn task(heading: &str, text: &str) -> Option<String> {
    let lower = heading.to_lowercase();
    let is_plain = heading.is_ascii()
        && !lower.contains(|c: char| !c.is_alphanumeric() && !" -'/+#,.".contains(c))
        && lower.chars().count() <= TASK_CHARS_MAX
        && !lower.contains(['.', ','])
        && !ANYBODYS.iter().any(|task| lower.starts_with(task));
    if !is_plain {
        return None;
    }
    let (is_asked, order) = match strip_prefix_ignoring_case(heading, "how to ") {
        Some(order) => (true, order),
        None => (false, heading),
    };
    if !is_asked && is_surely_doing(&lower) && !is_named(heading, text) {
        return Some(in_sentence(heading, text));
    }
    let is_told = is_asked && opens_with_verb(&order.to_lowercase()) || is_order(&lower);
    if !is_told {
        return None;
    }
    let spoken = in_sentence(order, text);
    let (verb, rest) = spoken.split_once(' ')?;
    // Of two deeds at once, both are told so: "How to build and fire a kiln".
    let second = rest.strip_prefix("and ").and_then(|rest| {
        let (second, rest) = rest.split_once(' ')?;
        Some((gerund(second)?, rest))
    });
    Some(match second {
        Some((second, rest)) => format!("{} and {second} {rest}", gerund(verb)?),
        None => format!("{} {rest}", gerund(verb)?),
    })
}

/// Whether what follows "how to" begins with a verb as it stands in a dictionary, and says on what.
fn opens_with_verb(lower: &str) -> bool {
    let mut words = lower.split(' ');
    let verb = words.next().unwrap_or_default();
    let is_adverb = verb.ends_with("ly") || ["also", "best", "never", "not"].contains(&verb);
    words.next().is_some()
        && verb.len() > 1
        && !is_adverb
        && verb.bytes().all(|b| b.is_ascii_lowercase())
}

/// "creating" of "create"; none of what may be no verb.
fn gerund(verb: &str) -> Option<String> {
    let is_vowel = |byte: u8| b"aeiou".contains(&byte);
    if verb.len() < 2 || !verb.bytes().all(|b| b.is_ascii_lowercase()) {
        return None;
    }
    let doubles = || {
        // One vowel between consonants: "run", "set", "plan"; and those of two syllables that are stressed on the last.
        let letters = verb.as_bytes();
        let [.., before, last] = letters else {
            return false;
        };
        let vowels = letters.iter().filter(|byte| is_vowel(**byte)).count();
        let is_closed = is_vowel(*before) && !is_vowel(*last) && !b"wxy".contains(last);
        is_closed && (vowels == 1 || STRESSED_LAST.contains(&verb))
    };
    Some(if let Some(stem) = verb.strip_suffix("ie") {
        format!("{stem}ying")
    } else if let Some(stem) = verb.strip_suffix('e')
        && !stem.ends_with(['e', 'o', 'y'])
        && stem.len() > 1
    {
        format!("{stem}ing")
    } else if doubles() {
        let last = verb.chars().next_back()?;
        format!("{verb}{last}ing")
    } else {
        format!("{verb}ing")
    })
}

/// Verbs of several syllables that are stressed on the last, or are written so.
const STRESSED_LAST: [&str; 18] = [
    "admit", "begin", "commit", "control", "debug", "equip", "forget", "format", "input", "output",
    "permit", "program", "refer", "reset", "submit", "transfer", "unset", "unzip",
];

/// Whether a title is a name, or begins with one: "OpenFiring 2", and "Firing Pots" where the text never writes of pots without
/// their capital.
pub(super) fn is_named(title: &str, text: &str) -> bool {
    let mut words = title.split(' ');
    let first = words.next().unwrap_or_default();
    if first.chars().skip(1).any(char::is_uppercase) || title.contains('(') {
        return true;
    }
    if speaks_of(text, title) {
        return true;
    }
    let is_sure = DOINGS.contains(&first.to_lowercase().as_str());
    let mut behind = words
        .filter(|word| word.starts_with(char::is_uppercase))
        .peekable();
    !is_sure
        && behind.peek().is_some()
        && behind.all(|word| word.chars().skip(1).all(char::is_lowercase))
        && in_sentence(title, text)
            .split(' ')
            .skip(1)
            .any(|word| word.starts_with(char::is_uppercase))
}

/// Whether a text speaks of what its title names, behind an article: of "the secure remote password" and not of "the create a
/// share".
pub(super) fn speaks_of(text: &str, title: &str) -> bool {
    let spoken = format!(" the {}", title.to_lowercase());
    text.to_lowercase().contains(&spoken)
}

/// Whether a title, in lower case, tells what somebody does: "managing packages", and not "logging cookbook".
pub(super) fn is_doing(title: &str) -> bool {
    let mut words = title.split_whitespace();
    let (Some(first), Some(second)) = (words.next(), words.next()) else {
        return false;
    };
    let acts = (first.len() > 5 || first == "using")
        && first.ends_with("ing")
        && first.bytes().all(|b| b.is_ascii_alphabetic())
        && !matches!(
            first,
            "string" | "everything" | "nothing" | "something" | "spring" | "during"
        );
    // A single thing that is acted on has an article.
    acts && (words.next().is_some() || second.ends_with('s') || second == "started")
}

/// The same of a heading, which nothing else says to be one: its first word is no noun, or what follows it can only be acted on.
fn is_surely_doing(heading: &str) -> bool {
    let Some((first, rest)) = heading.split_once(' ') else {
        return false;
    };
    let (second, third) = rest.split_once(' ').unwrap_or((rest, ""));
    // "Packaging guidelines" are a text on packaging.
    if third.is_empty() && TEXTS_ON.contains(&second) {
        return false;
    }
    DOINGS.contains(&first)
        || is_doing(heading)
            // "Licensing and author" are two things.
            && (second == "and" && third.split(' ').next().is_some_and(|other| other.ends_with("ing"))
                || matches!(
                second,
                "a" | "an"
                    | "from"
                    | "into"
                    | "multiple"
                    | "on"
                    | "the"
                    | "to"
                    | "up"
                    | "with"
            ))
}

/// Texts that are called by what they are on.
const TEXTS_ON: [&str; 8] = [
    "conventions",
    "guide",
    "guidelines",
    "instructions",
    "notes",
    "policy",
    "recommendations",
    "rules",
];
/// What somebody does, in words that are not as often the name of a thing.
const DOINGS: [&str; 62] = [
    "accessing",
    "adding",
    "applying",
    "attaching",
    "avoiding",
    "changing",
    "choosing",
    "cleaning",
    "compiling",
    "configuring",
    "connecting",
    "contacting",
    "controlling",
    "converting",
    "copying",
    "creating",
    "customizing",
    "customising",
    "dealing",
    "defining",
    "deleting",
    "deploying",
    "developing",
    "disabling",
    "downloading",
    "enabling",
    "executing",
    "exporting",
    "extending",
    "generating",
    "getting",
    "implementing",
    "importing",
    "initializing",
    "inserting",
    "installing",
    "integrating",
    "invoking",
    "maintaining",
    "making",
    "managing",
    "migrating",
    "modifying",
    "obtaining",
    "optimizing",
    "preparing",
    "registering",
    "removing",
    "replacing",
    "restoring",
    "retrieving",
    "running",
    "selecting",
    "specifying",
    "sponsoring",
    "submitting",
    "troubleshooting",
    "uninstalling",
    "updating",
    "upgrading",
    "using",
    "writing",
];

/// Whether a title, in lower case, tells somebody to do something: "fire a small kiln".
pub(super) fn is_order(title: &str) -> bool {
    let mut words = title.split_whitespace();
    let (Some(first), Some(second)) = (words.next(), words.next()) else {
        return false;
    };
    let takes_object = matches!(second, "a" | "an" | "the")
        && first.len() > 2
        && first.chars().all(|c| c.is_ascii_lowercase())
        && !first.ends_with("ing")
        && !first.ends_with('s')
        && !DIVISIONS.contains(&first)
        && !NO_VERBS.contains(&first);
    IMPERATIVES.contains(&first) || takes_object
}

/// What stands before the letter of a part of a text: "Appendix A".
const DIVISIONS: [&str; 5] = ["annex", "appendix", "chapter", "part", "section"];

/// Words before an article that tell nobody to do anything.
const NO_VERBS: [&str; 47] = [
    "across",
    "against",
    "beside",
    "between",
    "during",
    "if",
    "outside",
    "since",
    "through",
    "throughout",
    "until",
    "while",
    "within",
    "about",
    "above",
    "after",
    "all",
    "along",
    "and",
    "are",
    "around",
    "because",
    "before",
    "behind",
    "below",
    "beyond",
    "but",
    "for",
    "from",
    "half",
    "how",
    "inside",
    "into",
    "more",
    "near",
    "not",
    "once",
    "over",
    "than",
    "under",
    "what",
    "when",
    "where",
    "why",
    "who",
    "with",
    "without",
];

/// Verbs that open a heading as an order; those that are as often nouns are left out.
const IMPERATIVES: [&str; 26] = [
    "add",
    "allow",
    "apply",
    "choose",
    "configure",
    "connect",
    "convert",
    "create",
    "customize",
    "define",
    "delete",
    "deploy",
    "develop",
    "disable",
    "edit",
    "enable",
    "generate",
    "get",
    "install",
    "manage",
    "migrate",
    "optimize",
    "prepare",
    "publish",
    "remove",
    "secure",
];

/// `text` without `prefix`, in whatever case.
pub(super) fn strip_prefix_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    text.get(..prefix.len())
        .filter(|head| head.eq_ignore_ascii_case(prefix))
        .and_then(|_| text.get(prefix.len()..))
        .filter(|rest| !rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_that_name_tasks_are_told_as_what_somebody_does() {
        let text =
            "You can create a share. The share driver is set up with the kiln. Logs of a kiln.";
        for (heading, task_told) in [
            ("Creating a Share", Some("creating a share")),
            ("Create a share", Some("creating a share")),
            ("How to create a share", Some("creating a share")),
            ("How to set up the kiln", Some("setting up the kiln")),
            ("Configuring kilns", Some("configuring kilns")),
            ("Logging Cookbook", None),
            ("Building blocks", None),
            ("Building a kiln", Some("building a kiln")),
            ("Getting Started", None),
            ("Shares", None),
            ("How to", None),
            ("How to safely remove pots", None),
            (
                "How to build and fire a kiln",
                Some("building and firing a kiln"),
            ),
            ("How to read this manual", None),
            ("Reading the examples", None),
            ("Within a kiln", None),
            ("create_share(name)", None),
        ] {
            assert_eq!(task(heading, text).as_deref(), task_told, "{heading}");
        }
    }

    #[test]
    fn a_task_is_told_as_english_writes_it() {
        for (verb, told) in [
            ("run", "running"),
            ("set", "setting"),
            ("use", "using"),
            ("see", "seeing"),
            ("open", "opening"),
            ("commit", "committing"),
            ("debug", "debugging"),
            ("add", "adding"),
            ("tie", "tying"),
            ("fix", "fixing"),
            ("deploy", "deploying"),
        ] {
            assert_eq!(gerund(verb).as_deref(), Some(told));
        }
        assert_eq!(gerund("RUN"), None);
    }

    #[test]
    fn a_title_that_tells_to_do_something_is_a_task() {
        for title in ["fire a small kiln", "install packages", "open the door"] {
            assert!(is_order(title), "{title}");
        }
        for title in [
            "the stack and the heap",
            "under the hood",
            "what a skill is",
            "firing a kiln",
            "kilns",
            "covers a lot",
        ] {
            assert!(!is_order(title), "{title}");
        }
    }

    #[test]
    fn two_things_are_no_task_and_two_deeds_are_one() {
        assert!(is_surely_doing("opening and closing the door"));
        assert!(!is_surely_doing("licensing and author"));
        assert!(!is_surely_doing("packaging guidelines"));
    }

    #[test]
    fn what_a_text_speaks_of_behind_an_article_is_no_task() {
        let text = "A kiln speaks the Secure Remote Pottery protocol.";
        assert!(speaks_of(text, "Secure Remote Pottery"));
        assert!(!speaks_of(
            "To secure remote pottery, close it.",
            "Secure Remote Pottery"
        ));
    }

    #[test]
    fn a_title_that_tells_what_somebody_does_is_told_from_the_name_of_a_thing() {
        for title in [
            "writing r extensions",
            "getting started",
            "firing a small kiln",
        ] {
            assert!(is_doing(title), "{title}");
        }
        for title in ["logging cookbook", "firing", "string handling", "kilns"] {
            assert!(!is_doing(title), "{title}");
        }
    }
}
