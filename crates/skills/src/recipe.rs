//! Owns what leads in a skill of each kind: which units stand first, and which are left to the library.

use crate::kind::{Kind, Part};
use crate::outline::Outline;
use crate::tasks::bare_title;
use crate::units::signature::declares;
use crate::units::{Form, Unit, UnitKind};
use skillkiln_document::speaker::named;

/// One rule of a recipe.
pub struct Recipe {
    /// What it is called.
    pub id: &'static str,
    /// For sources of which kind.
    pub kind: Kind,
    /// Which units it takes.
    pub takes: &'static str,
    /// A small document that it takes a unit of.
    pub example: &'static str,
    /// Where in the card they go; `None` where they stay with what is shown or said beside them.
    pub part: Option<Part>,
    /// How many times more they are worth; 0 leaves them to the library.
    pub factor: f32,
    is_taken: fn(&Place<'_>) -> bool,
}

/// A unit with where it stands.
struct Place<'p> {
    unit: &'p Unit,
    /// Its words in lower case.
    said: &'p str,
    /// The title of its section in lower case.
    title: &'p str,
    /// Whether its section is on what only its own file calls.
    is_internal: bool,
    /// Whether sections are called by what they decide: then nothing else is decided.
    has_decisions: bool,
}

impl Place<'_> {
    fn says(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.said.contains(phrase))
    }

    /// Whether its first line says one of these: what is listed below it tells more of that.
    fn opens_with(&self, phrases: &[&str]) -> bool {
        let first = self.said.trim().lines().next().unwrap_or_default();
        phrases.iter().any(|phrase| first.contains(phrase))
    }

    fn stands_below(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.title.contains(word))
    }
}

/// Whether a title in lower case says that what stands below it breaks something, so that its items need not.
pub(crate) fn names_breaks(title: &str) -> bool {
    const BREAKS: [&str; 6] = [
        "breaking",
        "removed",
        "deprecat",
        "incompatib",
        "migrat",
        "upgrad",
    ];
    BREAKS.iter().any(|word| title.contains(word))
}

/// All of them; the first one of a kind that takes a unit says where it goes.
pub static RECIPES: [Recipe; 15] = [
    Recipe {
        id: "breaking-change",
        kind: Kind::ChangeLog,
        takes: "what breaks, is gone, renamed or to be migrated",
        example: "## 2.0\n\n- The option `--hot` is removed; use `--fire 3`.",
        part: Some(Part::Breaking),
        factor: 6.0,
        is_taken: |place| {
            let breaks = [
                "breaking",
                " removed",
                "removes ",
                "no longer",
                "deprecat",
                "renamed",
                "incompatib",
                "migrat",
                "dropped",
                "drops ",
                " is gone",
                "refused",
                "must now",
                "now required",
                "now requires",
                "instead of",
                "is now ",
                "are now ",
                "should now",
                "now default",
                "default is now",
                "drop ",
                "replaced",
                "in favour of",
                "in favor of",
            ];
            // What is new or mended breaks nothing, whatever words it is told in, unless it says so.
            let (own, _) = place.title.split_once(':').unwrap_or((place.title, ""));
            let harmless = ["added", "feature", "fixed", "fixes", "bug"];
            const BREAKING: [&str; 2] = ["breaking", "incompatib"];
            const NEW: &str = " add added adds allow allowed fix fixed fixes new support ";
            let opening = place
                .said
                .trim_start_matches(|c: char| !c.is_alphanumeric());
            let verb = opening
                .split(|c: char| !c.is_alphanumeric())
                .next()
                .unwrap_or_default();
            let is_harmless = harmless.iter().any(|word| own.contains(word))
                || NEW.contains(&format!(" {verb} "));
            names_breaks(place.title)
                || place.opens_with(if is_harmless { &BREAKING } else { &breaks })
        },
    },
    Recipe {
        id: "key-words",
        kind: Kind::Specification,
        takes: "how the words of duty are to be read, which everybody knows",
        example: "The key words \"MUST\" and \"MAY\" are to be interpreted as usual.",
        part: None,
        factor: 0.0,
        is_taken: |place| place.says(&["key words", "to be interpreted"]),
    },
    Recipe {
        id: "small-talk",
        kind: Kind::Talk,
        takes: "greetings, assent, and what is too short to tell anything",
        example: "Anna Potter: Hello, thanks for having me today in this show.",
        part: None,
        factor: 0.0,
        is_taken: |place| {
            let (_, words) = named(place.unit.text.trim()).unwrap_or_default();
            let words = if words.is_empty() { place.said } else { words };
            words.split_whitespace().count() < TALK_WORDS_MIN
                || place.says(&[
                    "thank",
                    "welcome",
                    "hello",
                    "[laughs",
                    "[laughter",
                    "good question",
                    "sponsor",
                ])
                || place.unit.text.trim().ends_with('?')
        },
    },
    Recipe {
        id: "advice",
        kind: Kind::Talk,
        takes: "what whoever speaks says to do, and what not to do",
        example: "Anna Potter: You should always dry the pot before it goes into the kiln.",
        part: Some(Part::Advice),
        factor: 3.0,
        is_taken: |place| {
            place.says(&[
                "you should",
                "you have to",
                "you need to",
                "you must",
                "you can ",
                "make sure",
                "start with",
                "never ",
                "always ",
                "don't ",
                "recommend",
                "my advice",
                "instead of",
                "the way to",
                "best practice",
            ])
        },
    },
    Recipe {
        id: "attendance",
        kind: Kind::Minutes,
        takes: "who was there, and when the next one is",
        example: "## Attendees\n\n- Anna Potter, of the north kiln",
        part: None,
        factor: 0.0,
        is_taken: |place| {
            place.stands_below(&[
                "present",
                "attend",
                "apolog",
                "absent",
                "roll call",
                "calendar",
                "upcoming",
                "next meeting",
            ])
        },
    },
    Recipe {
        id: "decision",
        kind: Kind::Minutes,
        takes: "what was decided, who does what, and what is open",
        example: "## Doors\n\n- It was agreed that Anna will paint the door.",
        part: Some(Part::Decisions),
        factor: 5.0,
        is_taken: |place| {
            // What somebody thinks, or asks, decides nothing.
            let has_words = || {
                let text = place.unit.text.trim();
                let is_remark = named(text).is_some_and(|(_, said)| !said.is_empty());
                let outcomes = [
                    "decided",
                    "resolved",
                    "approved",
                    "consensus",
                    "no objection",
                    "action item",
                    "todo",
                    "we need a ",
                ];
                let told = [
                    "decision",
                    "agreed",
                    "accepted",
                    "adopted",
                    "voted",
                    "motion",
                    "postpone",
                    "volunteer",
                    "to be discussed",
                ];
                let is_outcome = place.says(&outcomes) || !is_remark && place.says(&told);
                let is_open =
                    text.ends_with('?') || text.starts_with("If ") || place.says(&["undecided"]);
                is_outcome && !is_open || is_deed(text)
            };
            let is_told = || !place.has_decisions && has_words();
            decides(place.title) || is_told()
        },
    },
    Recipe {
        id: "import",
        kind: Kind::SourceCode,
        takes: "code that does no more than name other files",
        example: "```python\nimport kiln\nfrom clay import pot\n```",
        part: None,
        factor: 0.0,
        is_taken: |place| place.unit.kind == UnitKind::Command && names_files(&place.unit.text),
    },
    Recipe {
        id: "internal",
        kind: Kind::SourceCode,
        takes: "what only the file itself calls",
        example: "## `light`\n\nlight is called by Fire.\n\n```go\nfunc (k *Kiln) light() {\n\tk.isHot = true\n}\n```",
        part: None,
        factor: 0.1,
        is_taken: |place| place.is_internal,
    },
    Recipe {
        id: "body",
        kind: Kind::SourceCode,
        takes: "the body of a function, behind how it is called",
        example: "```python\n        return self.fire(pot)\n```",
        part: None,
        factor: 0.2,
        is_taken: |place| {
            let first = place.unit.text.lines().find(|line| !line.trim().is_empty());
            let is_inner =
                first.is_some_and(|line| line.starts_with([' ', '\t']) && !declares(line));
            place.unit.kind == UnitKind::Command && is_inner && !place.unit.text.contains(">>>")
        },
    },
    Recipe {
        id: "raised-error",
        kind: Kind::SourceCode,
        takes: "which error is raised, and when",
        example: "Raises a `ValueError` when the kiln is cold.",
        part: Some(Part::Failures),
        factor: 3.0,
        is_taken: |place| {
            is_said(place.unit)
                && (place.stands_below(&["raises", "throws", "errors", "exceptions"])
                    || place.says(&[
                        "raise",
                        "throws",
                        "thrown",
                        "panics",
                        "error if",
                        "error when",
                        "exception",
                    ]))
        },
    },
    Recipe {
        id: "order-of-calls",
        kind: Kind::SourceCode,
        takes: "what is to be called before or after what, and what is to be implemented",
        example: "Call `open` before `fire`, and `shut` afterwards.",
        part: Some(Part::Rules),
        factor: 3.0,
        is_taken: |place| {
            let orders = place.opens_with(&["call "]) && place.says(&[" before ", " after "]);
            is_said(place.unit)
                && (orders
                    || place.says(&[
                        "must be called",
                        "be called before",
                        "be called after",
                        "before calling",
                        "after calling",
                        "subclass",
                        "override",
                        "must implement",
                        "to be implemented",
                        "not thread",
                    ]))
        },
    },
    Recipe {
        id: "remedy",
        kind: Kind::Runbook,
        takes: "what is to be done, before how it is looked at",
        example: "## How to fix\n\n- Open the door of the kiln and wait for it to cool.",
        part: None,
        factor: 2.5,
        is_taken: |place| {
            place.stands_below(&[
                "fix",
                "mitigat",
                "remed",
                "resol",
                "recover",
                "restor",
                "troubleshoot",
                "investigat",
                "what to do",
                "action",
                "procedure",
                "steps",
            ])
        },
    },
    Recipe {
        id: "authentication",
        kind: Kind::Api,
        takes: "how a request is allowed",
        example: "## Authentication\n\nSend the key in the header `X-Kiln-Key` of every request.",
        part: None,
        factor: 4.0,
        is_taken: |place| place.stands_below(&["authenti", "authoriz", "security"]),
    },
    Recipe {
        id: "request-that-runs",
        kind: Kind::Api,
        takes: "code that sends a request",
        example: "## Pots\n\n```sh\ncurl -X POST https://kiln.example/pots\n```",
        part: None,
        factor: 5.0,
        is_taken: |place| {
            place.unit.kind == UnitKind::Command
                && place.says(&[
                    "curl ", "http/1.1", "http://", "https://", "wget ", "fetch(",
                ])
        },
    },
    Recipe {
        id: "operation-that-writes",
        kind: Kind::Api,
        takes: "requests that make or change something, before those that read or delete",
        example: "## POST /pots\n\n- The field `clay` must be set in every request.",
        part: None,
        factor: 3.0,
        is_taken: |place| {
            ["post ", "put ", "patch "]
                .iter()
                .any(|verb| place.title.trim_start_matches('`').starts_with(verb))
        },
    },
];

/// Words of titles below which stands what was decided.
const DECISIONS: [&str; 6] = [
    "decision",
    "conclusion",
    "action",
    "resolution",
    "open point",
    "open question",
];
/// Whether a title in lower case says that what was decided stands below it: "issues that need a decision" have none yet.
fn decides(title: &str) -> bool {
    DECISIONS.iter().any(|word| title.contains(word)) && !title.contains("need")
}

/// What is said in fewer words tells nothing.
const TALK_WORDS_MIN: usize = 7;

/// Whether some words say what somebody will do: "Anna will paint the door", "Ann: will write to all".
fn is_deed(text: &str) -> bool {
    let text = text
        .replace('\u{2019}', "'")
        .replace("I'll ", "I will ")
        .replace("e'll ", "e will ");
    let (who, said) = named(text.trim()).unwrap_or(("", text.trim()));
    if !who.is_empty() && promises(said) {
        return true;
    }
    let is_asked = said.ends_with('?') || said.starts_with("If ");
    let mut words = said.split_whitespace();
    let subject: Vec<&str> = words.by_ref().take_while(|word| *word != "will").collect();
    let is_name = |word: &&str| word.starts_with(|c: char| c.is_uppercase() || c == '@');
    let is_named = match subject.as_slice() {
        [] => !who.is_empty(),
        ["I" | "We" | "we"] => who.is_empty(),
        names => who.is_empty() && names.len() <= 2 && names.iter().all(is_name),
    };
    is_named && !is_asked && words.next().is_some_and(|verb| verb != "not")
}

/// Whether somebody who speaks promises something in a sentence or behind a comma: "Makes sense, I will bring it up".
fn promises(said: &str) -> bool {
    const NOTHING: &str = " be say admit not note have never just have repeat assume let ";
    let mut clauses = said.split(['.', ',', ';', '-', '?', '!']).map(str::trim);
    clauses.any(|clause| {
        let promised = ["I will ", "We will ", "we will "]
            .iter()
            .find_map(|front| clause.strip_prefix(front));
        let verb = promised.and_then(|rest| rest.split(' ').next());
        verb.is_some_and(|verb| !NOTHING.contains(&format!(" {verb} ")))
    })
}

/// Whether a unit is words, not code.
fn is_said(unit: &Unit) -> bool {
    matches!(
        unit.form,
        Form::Sentence(_) | Form::Item(_) | Form::Entry(_)
    )
}

/// Whether a name is that of what only its own file calls: by its first letter in Go, by a mark before it in Python and JavaScript, by a word in
/// other languages. `code` may be any text.
fn is_internal(name: &str, code: &str) -> bool {
    let mut lines = code.lines().map(str::trim_start);
    let is_go = |line: &str| line.starts_with("func ") && line.contains(&format!("{name}("));
    name.starts_with('_') && !name.starts_with("__")
        || name.starts_with('#')
        || name.starts_with(char::is_lowercase) && lines.clone().any(is_go)
        || lines.any(|line| line.starts_with("private ") && line.contains(name))
}

/// Whether all lines of some code import or include something.
fn names_files(code: &str) -> bool {
    const OPENINGS: [&str; 9] = [
        "import ", "from ", "#include", "use ", "using ", "package ", "require", "export ",
        "const ",
    ];
    let mut lines = code.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.all(|line| {
        let opens = OPENINGS.iter().any(|opening| line.starts_with(opening));
        opens && (!line.starts_with("const ") || line.contains("require("))
    })
}

/// Where a unit goes, and how many times more it is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placed {
    /// Where in the card it goes.
    pub part: Option<Part>,
    /// How many times more it is worth.
    pub factor: f32,
}

impl Placed {
    /// Of what stays where it stands in its source.
    pub const IN_PLACE: Self = Self {
        part: None,
        factor: 1.0,
    };
}

/// Where the units of a source of some kind go.
#[must_use]
pub fn placed(kind: Kind, units: &[Unit], outline: &Outline) -> Vec<Placed> {
    let recipes: Vec<&Recipe> = RECIPES
        .iter()
        .filter(|recipe| recipe.kind == kind)
        .collect();
    let titles: Vec<String> = match recipes.is_empty() {
        true => Vec::new(),
        false => outline
            .sections
            .iter()
            .map(|one| one.title.to_lowercase())
            .collect(),
    };
    let has_decisions = titles.iter().any(|title| decides(title));
    let mut internal = vec![false; outline.sections.len()];
    for unit in units.iter().filter(|_| kind == Kind::SourceCode) {
        let title = outline
            .sections
            .get(unit.section)
            .map(|one| bare_title(&one.title));
        if let (Some(internal), Some(title)) = (internal.get_mut(unit.section), title) {
            *internal |= is_internal(title.trim_matches('`'), &unit.text);
        }
    }
    let of = |unit: &Unit| {
        let said = unit.text.to_lowercase();
        let place = Place {
            unit,
            said: &said,
            title: titles.get(unit.section).map_or("", String::as_str),
            is_internal: internal.get(unit.section).copied().unwrap_or_default(),
            has_decisions,
        };
        let recipe = recipes.iter().find(|recipe| (recipe.is_taken)(&place));
        recipe.map(|recipe| Placed {
            part: recipe.part,
            factor: recipe.factor,
        })
    };
    units
        .iter()
        .map(|unit| {
            (!recipes.is_empty())
                .then(|| of(unit))
                .flatten()
                .unwrap_or(Placed::IN_PLACE)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::extract;
    use skillkiln_document::testing::document;

    #[test]
    fn each_recipe_takes_a_unit_of_its_example() {
        for recipe in &RECIPES {
            let document = document(recipe.example);
            let outline = Outline::of(&document.blocks);
            let units = extract(&document.blocks, &outline);
            let placed = placed(recipe.kind, &units, &outline);
            let expected = Placed {
                part: recipe.part,
                factor: recipe.factor,
            };
            assert!(placed.contains(&expected), "{}: {placed:?}", recipe.id);
        }
    }

    #[test]
    fn what_somebody_promises_is_a_deed_and_what_somebody_thinks_is_none() {
        for text in [
            "Anna will paint the door.",
            "Ann: will write to all.",
            "TC: Regarding the door, I'll file an issue.",
            "Niko: Makes sense, I\u{2019}ll bring it up next time.",
        ] {
            assert!(is_deed(text), "{text}");
        }
        for text in [
            "The door will shut slowly at night.",
            "Eric: I'll be honest, it is cold.",
            "Eric: if I will, who knows?",
            "If Anna will paint, wait.",
        ] {
            assert!(!is_deed(text), "{text}");
        }
    }

    #[test]
    fn what_a_log_of_changes_lists_as_added_or_fixed_breaks_nothing() {
        let text = "## 2.0\n\n### Added\n\n- Migration of pots that were removed before from `v1` to `v2`.\n\n### Fixed\n\n\
            - The door uses its latch instead of a nail.\n\n### Changed\n\n- The lamp burns oil instead of wax.";
        let document = document(text);
        let outline = Outline::of(&document.blocks);
        let units = extract(&document.blocks, &outline);
        let placed = placed(Kind::ChangeLog, &units, &outline);
        let parts: Vec<Option<Part>> = placed.iter().map(|one| one.part).collect();
        assert_eq!(parts, [None, None, Some(Part::Breaking)]);
    }

    #[test]
    fn a_source_of_another_kind_is_left_as_it_is() {
        let document = document("## 2.0\n\n- The option `--hot` is removed; use `--fire 3`.");
        let outline = Outline::of(&document.blocks);
        let units = extract(&document.blocks, &outline);
        let placed = placed(Kind::HowTo, &units, &outline);
        assert!(placed.iter().all(|one| *one == Placed::IN_PLACE));
    }
}
