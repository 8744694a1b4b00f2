//! Owns what a source is, which decides what leads in its skill.

use crate::outline::Outline;
use crate::section_role::request;
use crate::units::{Unit, UnitKind};
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::speaker::{is_name, named};
use skillkiln_document::text::plain;
use std::fmt;
use std::str::FromStr;

/// What a source is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The first page of a tool or a library.
    ToolReadme,
    /// How something is done; a tutorial.
    #[default]
    HowTo,
    /// What to do when an alert fires.
    Runbook,
    /// Rules, a style guide, a checklist.
    Rules,
    /// The description of an API: its requests, their fields.
    Api,
    /// A protocol, a format, a standard.
    Specification,
    /// Functions, options, settings, one after the other.
    Reference,
    /// What changed from version to version.
    ChangeLog,
    /// What somebody said: captions, a transcript.
    Talk,
    /// What a meeting decided.
    Minutes,
    /// A file of a program.
    SourceCode,
    /// An essay, news, a report.
    Article,
    /// A book.
    Book,
}

/// A kind by its id, and what it is.
pub struct Row {
    /// The kind.
    pub kind: Kind,
    /// Its id on the command line, in forms and reports.
    pub id: &'static str,
    /// What it is.
    pub about: &'static str,
    /// What of a source of this kind leads, in this order.
    pub leads: &'static [Part],
    /// What a skill of a source that says nothing of itself does, before its title.
    pub tells: &'static str,
    /// What is done with the subjects of such a source, before them.
    pub works_with: &'static str,
}

/// A part of a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Section by section in the order of the source.
    Main,
    /// Rules and what goes wrong, as a list.
    Rules,
    /// What was said, by its time, as a list.
    Times,
    /// What breaks from one version to the next, as a list.
    Breaking,
    /// What was decided and what is open, as a list.
    Decisions,
    /// Which errors there are, as a list.
    Failures,
    /// What can be done by what was said, as a list.
    Advice,
}

const BY_SECTION: &[Part] = &[Part::Main];
const ERRORS_TOO: &[Part] = &[Part::Rules, Part::Main, Part::Failures];
const BREAKING_TOO: &[Part] = &[Part::Main, Part::Breaking];
const DECISIONS_FIRST: &[Part] = &[Part::Decisions, Part::Main];
const ADVICE_FIRST: &[Part] = &[Part::Advice, Part::Main, Part::Times];

/// So many titles that name a request are those of an API.
const REQUESTS_MIN: usize = 2;

/// All kinds.
pub static KINDS: [Row; 13] = [
    Row {
        kind: Kind::ToolReadme,
        id: "readme",
        about: "the first page of a tool or a library",
        leads: BY_SECTION,
        tells: "Shows how to use",
        works_with: "working with ",
    },
    Row {
        kind: Kind::HowTo,
        id: "how-to",
        about: "how something is done; a tutorial",
        leads: BY_SECTION,
        tells: "Guides through",
        works_with: "working with ",
    },
    Row {
        kind: Kind::Runbook,
        id: "runbook",
        about: "what to do when an alert fires",
        leads: BY_SECTION,
        tells: "Guides through",
        works_with: "working with ",
    },
    Row {
        kind: Kind::Rules,
        id: "rules",
        about: "rules, a style guide, a checklist",
        leads: BY_SECTION,
        tells: "Gives the rules of",
        works_with: "following the rules on ",
    },
    Row {
        kind: Kind::Api,
        id: "api",
        about: "the requests of an API and their fields",
        leads: BY_SECTION,
        tells: "Describes the requests of",
        works_with: "calling ",
    },
    Row {
        kind: Kind::Specification,
        id: "specification",
        about: "a protocol, a format, a standard",
        leads: BY_SECTION,
        tells: "Gives the requirements of",
        works_with: "checking the requirements on ",
    },
    Row {
        kind: Kind::Reference,
        id: "reference",
        about: "functions, options, settings, one after the other",
        leads: BY_SECTION,
        tells: "Serves as a reference for",
        works_with: "looking up ",
    },
    Row {
        kind: Kind::ChangeLog,
        id: "change-log",
        about: "what changed from version to version",
        leads: BREAKING_TOO,
        tells: "Lists the changes of",
        works_with: "looking up ",
    },
    Row {
        kind: Kind::Talk,
        id: "talk",
        about: "what somebody said: captions, a transcript",
        leads: ADVICE_FIRST,
        tells: "Tells what was said in",
        works_with: "answering questions about ",
    },
    Row {
        kind: Kind::Minutes,
        id: "minutes",
        about: "what a meeting decided",
        leads: DECISIONS_FIRST,
        tells: "Tells what was decided in",
        works_with: "answering questions about ",
    },
    Row {
        kind: Kind::SourceCode,
        id: "source-code",
        about: "a file of a program",
        leads: ERRORS_TOO,
        tells: "Explains the source code of",
        works_with: "calling or changing ",
    },
    Row {
        kind: Kind::Article,
        id: "article",
        about: "an essay, news, a report",
        leads: BY_SECTION,
        tells: "Explains",
        works_with: "answering questions about ",
    },
    Row {
        kind: Kind::Book,
        id: "book",
        about: "a book",
        leads: BY_SECTION,
        tells: "Explains",
        works_with: "answering questions about ",
    },
];

impl Kind {
    /// Its row.
    #[must_use]
    pub fn row(self) -> &'static Row {
        let found = KINDS.iter().find(|row| row.kind == self);
        found.unwrap_or(&KINDS[1])
    }

    /// Its id.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.row().id
    }
}

/// A word that names no kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownKind(String);

impl fmt::Display for UnknownKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: String = self.0.chars().take(40).collect();
        let known: Vec<&str> = KINDS.iter().map(|row| row.id).collect();
        write!(
            f,
            "{shown:?} is no kind of source; known are {}",
            known.join(", ")
        )
    }
}

impl std::error::Error for UnknownKind {}

/// What somebody calls a kind, on the command line or in a form: its id, in any case, its words joined by anything.
///
/// ```
/// use skillkiln_skills::kind::Kind;
/// assert_eq!("Change log".parse(), Ok(Kind::ChangeLog));
/// let refused = "poem".parse::<Kind>().unwrap_err().to_string();
/// assert!(refused.starts_with("\"poem\" is no kind of source; known are readme, how-to,"));
/// ```
impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(word: &str) -> Result<Self, UnknownKind> {
        let id = word.trim().to_lowercase().replace([' ', '_'], "-");
        let found = KINDS.iter().find(|row| row.id == id);
        found
            .map(|row| row.kind)
            .ok_or_else(|| UnknownKind(word.trim().to_owned()))
    }
}

/// What is known of a source beside its units.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hints<'a> {
    /// Its title.
    pub title: &'a str,
    /// Its file name or address.
    pub label: &'a str,
    /// Whether it is heard.
    pub is_timed: bool,
    /// Whether its paragraphs say who speaks.
    pub is_spoken: bool,
}

/// Of so many paragraphs one says who speaks, where all of them are spoken; of so many at least.
const SPOKEN_SHARE: usize = 3;
const SPOKEN_MIN: usize = 6;

/// Whether the paragraphs of a source say who speaks: "Anna Potter: The kiln is hot."
#[must_use]
pub fn is_spoken(blocks: &[Block]) -> bool {
    let (mut all, mut spoken) = (0, 0);
    for block in blocks {
        if let BlockKind::Paragraph(text) = &block.kind {
            all += 1;
            let line = plain(text);
            let speaks = named(&line).is_some_and(|(name, _)| name.contains(' ') && is_name(name));
            spoken += usize::from(speaks);
        }
    }
    spoken >= SPOKEN_MIN && spoken * SPOKEN_SHARE >= all && all * 2 >= blocks.len()
}

/// Tells what a source is.
#[must_use]
pub fn classify(hints: &Hints<'_>, outline: &Outline, units: &[Unit]) -> Kind {
    let title = hints.title.to_lowercase();
    let file = hints
        .label
        .rsplit('/')
        .next()
        .unwrap_or_default()
        .to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| title.contains(word));
    let titles: Vec<String> = outline
        .sections
        .iter()
        .map(|one| one.title.to_lowercase())
        .filter(|title| !title.is_empty())
        .collect();
    let has_title = |words: &[&str]| {
        titles
            .iter()
            .filter(|title| words.contains(&title.trim_end_matches(':')))
            .count()
    };
    let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
    if hints.is_timed || hints.is_spoken || matches!(extension, "vtt" | "srt" | "json3") {
        return Kind::Talk;
    }
    const CODE: [&str; 22] = [
        "py", "js", "mjs", "ts", "tsx", "jsx", "rs", "go", "c", "h", "cc", "cpp", "hpp", "java",
        "kt", "rb", "php", "cs", "swift", "lua", "sh", "scala",
    ];
    if CODE.contains(&extension) {
        return Kind::SourceCode;
    }
    let requests = outline
        .sections
        .iter()
        .filter(|one| request(&one.title).is_some());
    if requests.count() >= REQUESTS_MIN {
        return Kind::Api;
    }
    let mut of_versions = outline
        .sections
        .iter()
        .enumerate()
        .filter(|(_, one)| is_version(&one.title));
    let versions = of_versions.clone().count();
    let is_log = ["change", "history", "news", "release notes", "releases"]
        .iter()
        .any(|word| file.contains(word) || title.contains(word));
    // A manual may end with a list of its versions.
    let (mut told, mut end) = (0, 0);
    for (number, section) in &mut of_versions {
        if number >= end {
            told += outline.total(number);
            end = section.end;
        }
    }
    if versions >= 3 && (is_log || told * 2 > outline.tokens()) {
        return Kind::ChangeLog;
    }
    if has_title(&[
        "agenda",
        "present",
        "attendees",
        "action items",
        "minutes",
        "apologies",
        "attendance",
        "announcements",
        "meeting roles",
    ]) >= 2
        || says(&["minutes of", "meeting notes", "committee, 20", "meeting 20"])
    {
        return Kind::Minutes;
    }
    if has_title(&["meaning", "impact", "diagnosis", "mitigation"]) >= 2
        || says(&["runbook", "2nd line", "on-call"])
    {
        return Kind::Runbook;
    }
    let tokens = outline.tokens().max(1);
    let of = |kinds: &[UnitKind]| {
        units
            .iter()
            .filter(|unit| kinds.contains(&unit.kind))
            .count()
    };
    let per_thousand = |count: usize| count * 1_000 / tokens;
    let musts: usize = units.iter().map(|unit| upper_musts(&unit.text)).sum();
    let is_rfc = |name: &str| {
        let number = name.strip_prefix("rfc").unwrap_or_default();
        number
            .trim_start_matches([' ', '-', '_'])
            .starts_with(|c: char| c.is_ascii_digit())
    };
    if is_rfc(&file) || is_rfc(&title) || file.starts_with("draft-") {
        return Kind::Specification;
    }
    let orders = units.iter().filter(|unit| unit.is_title).count();
    if says(&[
        "style guide",
        "styleguide",
        "best practice",
        "guideline",
        "conventions",
        "checklist",
        "coding standard",
        "cheat sheet",
        "规约",
        "规范",
        "規約",
    ]) || of(&[UnitKind::Pair]) >= 3
        || orders > 3 && orders * 3 > titles.len()
    {
        return Kind::Rules;
    }
    if says(&["specification", "protocol", "rfc "]) || per_thousand(musts) >= 3 {
        return Kind::Specification;
    }
    let entries = of(&[UnitKind::Operation, UnitKind::Setting, UnitKind::Definition]);
    let commands = of(&[UnitKind::Command]);
    let code_titles = titles
        .iter()
        .filter(|title| title.contains(['_', '(', '.']) && !title.contains(' '))
        .count();
    if entries * 2 > units.len()
        || code_titles * 2 > titles.len().max(1)
        || matches!(extension, "1" | "2" | "3" | "5" | "8")
    {
        return Kind::Reference;
    }
    if file.starts_with("readme") {
        return Kind::ToolReadme;
    }
    if tokens > 30_000 && per_thousand(commands) < 1 {
        return Kind::Book;
    }
    match per_thousand(commands) >= 2 || of(&[UnitKind::Procedure]) >= 2 {
        true => Kind::HowTo,
        false => Kind::Article,
    }
}

/// Whether a title is that of a version: `3.2.1`, `[1.0] - 2026-01-02`, `Kiln 3.4 (2026)`, `Changes from 3.4 to 3.5`. A number that a
/// title of other words follows is that of a section.
#[must_use]
pub fn is_version(title: &str) -> bool {
    let title = title.trim_start_matches(['[', 'v', 'V', ' ']);
    let is_number = |word: &&str| {
        word.contains('.')
            && word.starts_with(|c: char| c.is_ascii_digit())
            && word.chars().filter(char::is_ascii_digit).count() * 2 > word.len().saturating_sub(1)
    };
    let words = || {
        title
            .split(|c: char| c.is_whitespace() || matches!(c, ']' | '(' | ')' | ':' | ','))
            .map(|word| word.trim_start_matches(['v', 'V']))
            .filter(|word| !word.is_empty())
    };
    let count = words().count();
    let Some(at) = words().position(|word| is_number(&word)) else {
        return false;
    };
    let is_plain = |word: &str| {
        word.chars().all(|c| c.is_alphabetic())
            && ![
                "to",
                "unreleased",
                "beta",
                "alpha",
                "released",
                "and",
                "final",
                "stable",
            ]
            .contains(&word.to_lowercase().as_str())
            && !is_month(word)
    };
    let behind = words().skip(at + 1).filter(|word| is_plain(word)).count();
    count <= 8 && behind == 0
}

/// The numbers of a version, by which versions are compared.
#[must_use]
pub fn version_numbers(version: &str) -> Vec<u32> {
    let parts = version.split(|c: char| !c.is_ascii_digit());
    parts.filter_map(|part| part.parse().ok()).collect()
}

/// The last version that a title names: `3.5` of "Changes from 3.4 to 3.5".
#[must_use]
pub fn version_of(title: &str) -> Option<&str> {
    let words =
        title.split(|c: char| c.is_whitespace() || matches!(c, '[' | ']' | '(' | ')' | ':' | ','));
    // "27." is a day.
    let mut numbers = words.filter(|word| {
        word.trim_end_matches('.').contains('.')
            && word
                .trim_start_matches(['v', 'V'])
                .starts_with(|c: char| c.is_ascii_digit())
    });
    numbers.next_back().filter(|_| is_version(title))
}

/// Whether a word is the name of a month, in full or short.
fn is_month(word: &str) -> bool {
    const MONTHS: &str = " jan feb mar apr may jun jul aug sep oct nov dec ";
    let short: String = word.chars().take(3).flat_map(char::to_lowercase).collect();
    MONTHS.contains(&format!(" {short} "))
}

/// Words of duty in capitals, as standards write them.
fn upper_musts(text: &str) -> usize {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| matches!(*word, "MUST" | "SHALL" | "SHOULD"))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::extract;
    use skillkiln_document::testing::document;

    #[test]
    fn the_day_of_a_release_is_not_its_version() {
        assert_eq!(version_of("0.9.0 (27. November, 2023)"), Some("0.9.0"));
        assert_eq!(version_of("Changes from 3.4 to 3.5"), Some("3.5"));
    }

    fn told(title: &str, label: &str, text: &str) -> Kind {
        let document = document(text);
        let outline = Outline::of(&document.blocks);
        let units = extract(&document.blocks, &outline);
        let hints = Hints {
            title,
            label,
            is_timed: false,
            is_spoken: is_spoken(&document.blocks),
        };
        classify(&hints, &outline, &units)
    }

    #[test]
    fn a_source_is_told_by_its_titles_and_its_units() {
        let log = "# Changelog\n\n## 3.2.1\n\n- Fix\n\n## 3.2.0\n\n- Add\n\n## 3.1.0\n\n- Add";
        assert_eq!(told("Changelog", "a.md", log), Kind::ChangeLog);
        let runbook = "# Low\n\n## Meaning\n\nIt is low.\n\n## Diagnosis\n\nLook.\n\n## Mitigation\n\nOpen it.";
        assert_eq!(told("Low", "a.md", runbook), Kind::Runbook);
        let said = "Anna Potter: It is hot.\n\nBen Clay: Wait.\n\n".repeat(4);
        assert_eq!(told("Kilns", "a.md", &said), Kind::Talk);
        assert_eq!(told("Kiln", "kiln.py", "# Kiln"), Kind::SourceCode);
        let meeting = "# Council meeting 2026-03-13\n\nAnna: It is hot.";
        assert_eq!(
            told("Council meeting 2026-03-13", "a.md", meeting),
            Kind::Minutes
        );
        let draft = "# Doors\n\nA door shuts.";
        assert_eq!(
            told("Doors", "draft-ietf-kiln-doors.md", draft),
            Kind::Specification
        );
        assert_eq!(told("Wren style guide", "a.html", "# Wren"), Kind::Rules);
    }

    #[test]
    fn the_number_of_a_section_is_no_version() {
        for title in [
            "3.2.1",
            "[1.0] - 2026-01-02",
            "v2.0.0 (May 2026)",
            "Changes from 3.4 to 3.5",
        ] {
            assert!(is_version(title), "{title}");
        }
        for title in ["3.3.1 Clock and reset", "1.1. Background", "Quick start"] {
            assert!(!is_version(title), "{title}");
        }
    }

    #[test]
    fn every_kind_is_read_back_from_its_id() {
        for row in &KINDS {
            assert_eq!(row.id.parse(), Ok(row.kind));
        }
    }
}
