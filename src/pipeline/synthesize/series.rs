//! Owns the headings that only count and tell nothing of a text: the releases of a change log, the letters of an index.

use super::outline::{Outline, Section};
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::MONTHS;
use skillkiln_document::text::{letters, plain, squash};
use std::collections::{HashMap, HashSet};

/// So many headings that differ by their number alone are a series.
const SERIES_MIN: usize = 3;
/// A longer line names no release.
const RELEASE_BYTES: usize = 80;
/// A log tells of so many versions at least.
const VERSIONS_MIN: usize = 3;
/// What is released is called by so many words at most.
const NAME_WORDS: usize = 3;

/// What stands in the name of a release beside its number and its date.
const RELEASE_WORDS: [&str; 30] = [
    "alpha",
    "and",
    "beta",
    "between",
    "candidate",
    "change",
    "changes",
    "final",
    "from",
    "in",
    "initial",
    "is",
    "new",
    "notes",
    "noteworthy",
    "of",
    "on",
    "pre",
    "rc",
    "release",
    "released",
    "releasedate",
    "releases",
    "the",
    "to",
    "version",
    "versions",
    "what's",
    "with",
    "what’s",
];
/// The same, for a release that has no number yet or no more.
const UNNUMBERED: [&str; 2] = ["unreleased", "yanked"];
/// What is counted in many a text; it says nothing of this one.
const COUNTED: [&str; 22] = [
    "appendix", "article", "case", "chapter", "day", "example", "exercise", "figure", "item",
    "lesson", "letter", "level", "listing", "note", "option", "page", "part", "question",
    "section", "step", "table", "unit",
];
/// Letters that may stand in a number: `1.x`, `0.3.0-rc.1`, `2nd`.
const IN_NUMBERS: [&str; 14] = [
    "a", "alpha", "b", "beta", "c", "dev", "nd", "post", "pre", "rc", "rd", "st", "th", "x",
];

/// Whether a word, in lower case, is what parts of a text are counted by.
pub(super) fn counts_parts(word: &str) -> bool {
    COUNTED.contains(&word)
}

/// Whether a heading names a release and nothing else: `0.21.0-rc.1`, `[3.1] - 2024-05-06 (yanked)`, `Unreleased`.
pub(super) fn is_release(heading: &str) -> bool {
    // A section that is counted is none: `1. Notes`.
    let counted = heading.trim_start_matches(|c: char| c.is_ascii_digit());
    if counted.len() < heading.len() && counted.starts_with(". ") {
        return false;
    }
    if is_packaged(heading) {
        return true;
    }
    let mut is_numbered = false;
    let (mut count, mut known) = (0, 0);
    // What brackets say behind the number is said of that release: `0.11.0 (VULNERABILITY FIX)`.
    let named = heading
        .trim_end()
        .strip_suffix(')')
        .and_then(|rest| rest.rsplit_once(" ("))
        .map(|(named, _)| named)
        .filter(|named| named.contains('.') && named.ends_with(|c: char| c.is_ascii_digit()));
    for word in words(named.unwrap_or(heading)) {
        let word = word.to_lowercase();
        if UNNUMBERED.contains(&word.as_str()) {
            is_numbered = true;
        } else if is_number(&word) {
            count += 1;
            is_numbered |= word.contains(['.', '-']) || word.starts_with('v');
        } else if is_month(&word) || tells_kind(&word) {
            known += 1;
        } else {
            return false;
        }
    }
    is_numbered || (count > 0 && known > 0)
}

/// Whether a heading stands over what changed in one release or on one day.
pub(super) fn tells_change(heading: &str) -> bool {
    is_release(heading) || is_entry(heading) || release_of(heading).is_some()
}

/// Whether a word, in lower case, stands in the name of a release and names nothing.
pub(super) fn tells_kind(word: &str) -> bool {
    RELEASE_WORDS.contains(&word)
}

/// What is released, of a heading that names one of its releases: `kiln` of `kiln 2.2.49 (19 November 2009)`, in lower case.
pub(super) fn release_of(heading: &str) -> Option<String> {
    let is_version = |word: &str| {
        let word = word.trim_start_matches('(').trim_start_matches('v');
        word.contains('.') && word.starts_with(|c: char| c.is_ascii_digit())
    };
    let tells_kind = |word: &&str| tells_kind(&word.to_lowercase());
    let words = heading.split_whitespace();
    let name: Vec<&str> = words.take_while(|word| !is_version(word)).collect();
    let rest = heading.trim_start().strip_prefix(&name.join(" "))?;
    let package = is_packaged(heading);
    // `What's new in kiln 2.1` is a release of kiln.
    let first = name.iter().position(|word| !tells_kind(word))?;
    let name = name.get(first..)?;
    let is_name = name.first()?.starts_with(char::is_alphabetic)
        && name.len() <= NAME_WORDS
        && !name.last().is_some_and(tells_kind);
    (is_name && (package || is_release(rest))).then(|| name.join(" ").to_lowercase())
}

/// What most headings of a text name releases of, in lower case.
pub(super) fn released(blocks: &[Block]) -> Option<String> {
    let headings = blocks.iter().filter_map(|block| match &block.kind {
        BlockKind::Heading { text, .. } => Some(release_of(&squash(&plain(text)))),
        _ => None,
    });
    // "K-Kiln 1.2" and "kkiln 1.3" are releases of one.
    let (mut all, mut times) = (0, HashMap::<String, (usize, String)>::new());
    for name in headings {
        all += 1;
        if let Some(name) = name {
            times.entry(letters(&name)).or_insert((0, name)).0 += 1;
        }
    }
    let (most, name) = times.into_values().max_by_key(|(times, _)| *times)?;
    (most >= SERIES_MIN && most * 2 > all).then_some(name)
}

/// Whether a text tells of several releases: headings, or lines that stand alone, name them.
pub(super) fn tells_releases(blocks: &[Block]) -> bool {
    let lines = blocks.iter().filter_map(|block| match &block.kind {
        BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => Some(squash(&plain(text))),
        _ => None,
    });
    let mut releases = lines.filter(|line| line.len() <= RELEASE_BYTES && is_release(line));
    releases.nth(1).is_some()
}

/// A text with so many chapters beside its log is none.
const CHAPTERS_MIN: usize = 2;

/// Whether most sections are those of releases or days: a log of changes, whose reader asks for the newest ones.
pub(super) fn tells_versions(outline: &Outline) -> bool {
    let mut levels: Vec<u8> = outline
        .sections
        .iter()
        .map(|section| section.level)
        .filter(|level| *level > 0)
        .collect();
    levels.sort_unstable();
    levels.dedup();
    let highest = levels.first().copied();
    let is_of_change = |section: &Section| tells_change(&section.title);
    // What stands beside the section of a book that tells of its releases, with text of its own.
    let is_beside = |(number, section): &(usize, &Section)| {
        let behind = outline.sections.get(number + 1..).unwrap_or_default();
        let mut inner = behind
            .iter()
            .take_while(|inner| inner.own.start < section.end);
        Some(section.level) == highest
            && !section.is_aside
            && !is_of_change(section)
            && !outline.is_void(section)
            && !inner.any(is_of_change)
    };
    let chapters = outline.sections.iter().enumerate();
    let is_book = chapters.filter(is_beside).count() >= CHAPTERS_MIN;
    // Releases are the highest sections, or those below the title.
    levels.into_iter().take(2).any(|level| {
        if is_book && Some(level) != highest {
            return false;
        }
        let of_level = outline
            .sections
            .iter()
            .filter(|section| section.level == level);
        // What each release has ("Fixes") counts once.
        let titles: HashSet<&str> = of_level.map(|section| section.title.as_str()).collect();
        let versions = titles.iter().filter(|title| tells_change(title));
        let versions = versions.count();
        versions >= VERSIONS_MIN && versions * 10 >= titles.len() * 7
    })
}

/// Whether a heading names a release of a package as Debian's logs do: `kiln (2.1-3) unstable; urgency=medium`.
fn is_packaged(heading: &str) -> bool {
    heading.contains("; urgency=") && heading.contains(" (")
}

/// A release of a package, of a heading of Debian's logs without where it went and how urgent that was: `kiln (2.1-3)`; other
/// headings as they are.
pub(super) fn without_urgency(heading: &str) -> &str {
    match heading.find(") ") {
        Some(end) if is_packaged(heading) => heading.get(..=end).unwrap_or(heading),
        _ => heading,
    }
}

/// Whether a heading stands over an entry of a log by its day: `2002-09-29 Kim Potter`, `20020929`, `Kim Potter (29 Sep 2002)`,
/// `Sep 29 2002 kim@kiln.example`.
pub(super) fn is_entry(heading: &str) -> bool {
    let is_year = |word: &str| word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit());
    let month = |word: &str| is_month(&word.to_lowercase());
    let is_day = || {
        heading.len() == 8
            && heading.starts_with(['1', '2'])
            && heading.bytes().all(|b| b.is_ascii_digit())
    };
    let dated = || heading.strip_suffix(')')?.rsplit_once(" (");
    let is_behind = || {
        dated().is_some_and(|(name, date)| {
            !name.contains(|c: char| c.is_ascii_digit())
                && date.split(' ').count() == 3
                && date.split(' ').any(month)
                && date.split(' ').any(is_year)
        })
    };
    let is_mailed = || {
        heading.contains('@')
            && heading.split(' ').take(2).any(month)
            && heading.split(' ').any(is_year)
    };
    day_length(heading).is_some() || is_day() || is_behind() || is_mailed()
}

/// How many bytes the day takes that a heading begins with.
fn day_length(heading: &str) -> Option<usize> {
    let day = heading.as_bytes().get(..10)?;
    let is_day = day.iter().enumerate().all(|(at, byte)| match at {
        4 | 7 => *byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    is_day.then_some(10)
}

/// The day that an entry of a log is headed by, where it begins with it.
pub(super) fn day_of(heading: &str) -> Option<&str> {
    heading.get(..day_length(heading)?)
}

/// Who made an entry of a log, where its heading tells nothing else: `Kim Potter` of `2002-09-29 09:24 Kim Potter`.
pub(super) fn maker(heading: &str) -> Option<&str> {
    let rest = match day_length(heading) {
        Some(length) => heading.get(length..)?.trim_start_matches(|c: char| {
            c.is_ascii_digit() || c.is_whitespace() || matches!(c, ':' | '+' | '-')
        }),
        None => heading.rsplit_once(" (").map_or(heading, |(name, _)| name),
    };
    let is_name = || {
        (2..=4).contains(&rest.split(' ').count())
            && rest
                .split(' ')
                .all(|word| word.starts_with(char::is_uppercase))
    };
    (rest.contains('@') || day_length(heading).is_none() || is_name()).then_some(rest)
}

/// `commit 9fe2075`: an entry whose message has no subject.
fn is_digest(told: &str) -> bool {
    told.strip_prefix("commit ")
        .is_some_and(|digest| digest.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// What an entry of a log is on, of its heading: without its day, and nothing of one that tells only who made it; a release of a
/// package as [`without_urgency`] has it; other headings as they are.
pub(super) fn told_by(heading: &str) -> Option<&str> {
    match is_entry(heading) {
        false => Some(without_urgency(heading)),
        true if maker(heading).is_some() => None,
        true => {
            let told = heading.get(day_length(heading)?..)?.trim_start();
            Some(told).filter(|told| !is_digest(told))
        }
    }
}

/// Headings without those that only count; a series of them is named once, by what its members share.
pub(super) fn without_series(headings: Vec<String>) -> Vec<String> {
    let told = |heading: String| told_by(&heading).map(str::to_owned);
    let telling = headings.into_iter().filter(|heading| !is_release(heading));
    let headings: Vec<String> = telling.filter_map(told).collect();
    let mut members: HashMap<String, usize> = HashMap::new();
    for shared in headings.iter().filter_map(|heading| shared(heading)) {
        *members.entry(shared.to_lowercase()).or_default() += 1;
    }
    let mut out: Vec<String> = Vec::with_capacity(headings.len());
    for heading in headings {
        if is_release(&heading) {
            continue;
        }
        let series = shared(&heading).filter(|shared| {
            members
                .get(&shared.to_lowercase())
                .is_some_and(|count| *count >= SERIES_MIN)
        });
        let named = match series {
            Some(shared) if counts_parts(&shared.to_lowercase()) => continue,
            Some(shared) => shared.to_owned(),
            None => heading,
        };
        if !out.contains(&named) {
            out.push(named);
        }
    }
    out
}

/// Headings of which several begin with the same kind of thing, as `Event – 'close'`: only the first says it.
pub(super) fn kinds_once(headings: Vec<String>) -> Vec<String> {
    const DASH: &str = " – ";
    let kind = |heading: &str| {
        heading
            .split_once(DASH)
            .map(|(kind, _)| kind.to_owned())
            .filter(|kind| kind.split(' ').count() <= 2)
    };
    let mut members: HashMap<String, usize> = HashMap::new();
    for kind in headings.iter().filter_map(|heading| kind(heading)) {
        *members.entry(kind).or_default() += 1;
    }
    members.retain(|_, count| *count >= SERIES_MIN);
    let mut out: Vec<String> = Vec::with_capacity(headings.len());
    let mut said: Vec<String> = Vec::new();
    for heading in headings {
        let kind = kind(&heading).filter(|kind| members.contains_key(kind));
        let named = match (kind, heading.split_once(DASH)) {
            (Some(kind), Some((_, rest))) if said.contains(&kind) => rest.to_owned(),
            (Some(kind), _) => {
                said.push(kind);
                heading
            }
            (None, _) => heading,
        };
        if !out.contains(&named) {
            out.push(named);
        }
    }
    out
}

/// What a heading that counts shares with the others of its series: `What's New in Python` of `What's New in Python 3.11 final`.
fn shared(heading: &str) -> Option<&str> {
    let is_counting = |word: &str| {
        let lower = word.to_lowercase();
        is_number(&lower)
            || is_month(&lower)
            || (word.chars().count() == 1 && lower != "a")
            || word == "A"
    };
    let all: Vec<&str> = words(heading).collect();
    let first = all.iter().position(|word| is_counting(word))?;
    let only_counts = all
        .iter()
        .skip(first)
        .all(|word| is_counting(word) || tells_kind(&word.to_lowercase()));
    let start = (all.get(first)?.as_ptr() as usize).checked_sub(heading.as_ptr() as usize)?;
    let shared = heading
        .get(..start)?
        .trim_end_matches(|c: char| !c.is_alphanumeric());
    (only_counts && shared.contains(char::is_alphabetic)).then_some(shared)
}

fn words(heading: &str) -> impl Iterator<Item = &str> {
    heading
        .split(|c: char| c.is_whitespace() || "()[]{},:;—–/|".contains(c))
        .map(|word| word.trim_matches(['.', '-', '"', '\'', '`', '*']))
        .filter(|word| !word.is_empty())
}

/// Whether a word, in lower case, is a number, a version or a date.
fn is_number(word: &str) -> bool {
    let number = word.strip_prefix('v').unwrap_or(word);
    number.starts_with(|c: char| c.is_ascii_digit())
        && number
            .split(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '_' | '+'))
            .all(|letters| letters.is_empty() || IN_NUMBERS.contains(&letters))
}

/// Whether a word, in lower case, is a month.
pub(super) fn is_month(word: &str) -> bool {
    let is_short = |month: &&str| month.get(..3) == Some(word);
    word == "sept" || MONTHS.contains(&word) || MONTHS.iter().any(is_short)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::synthesize::testing::document;

    #[test]
    fn what_most_headings_name_releases_of_is_what_is_released() {
        let of = |headings: &[&str]| {
            let page: String = headings
                .iter()
                .map(|heading| format!("# {heading}\n\nIt burns.\n\n"))
                .collect();
            released(&skillkiln_readers::markup::markdown::read(page).blocks)
        };
        let kilns = [
            "kiln 2.1 (19 November 2009)",
            "Changes in Kiln v2.0",
            "kiln 1.9.3 (2008)",
        ];
        assert_eq!(of(&kilns).as_deref(), Some("kiln"));
        assert_eq!(of(&["Version 2.1", "Version 2.0", "Version 1.9"]), None);
        assert_eq!(
            of(&["kiln 2.1 doors", "kiln 2.0 fires", "kiln 1.9 wood"]),
            None
        );
        assert_eq!(
            of(&["kiln 2.1", "kiln 2.0", "Wood", "Fire", "kiln 1.9", "Ash"]),
            None
        );
    }

    #[test]
    fn a_release_is_a_number_with_its_date_and_nothing_more() {
        for heading in [
            "0.21.0-rc.1",
            "v3.1",
            "[3.1] - 2024-05-06 (yanked)",
            "0.9.5] — 2026-07-02",
            "Unreleased",
            "Version 5.2.1",
            "Release 0.4.8 (2026-07-04)",
            "(March 13, 2026)",
            "Noteworthy changes in release 5.19 (2022-08-12)",
            "CHANGES WITH 252",
            "1.x",
            "Version 0.11.0 (VULNERABILITY FIX)",
            "kiln (2.1-3+deb12u1) unstable; urgency=medium",
        ] {
            assert!(is_release(heading), "{heading}");
        }
        for heading in [
            "404",
            "3 steps",
            "64-bit version",
            "What's new",
            "Python 3.11",
            "2.1 Vectors",
            "1. Notes",
            "May",
            "Release notes",
            "",
        ] {
            assert!(!is_release(heading), "{heading}");
        }
    }

    #[test]
    fn three_releases_make_a_log_and_three_numbered_sections_do_not() {
        let is_log = |source: &str| tells_versions(&Outline::of(&document(source).blocks));
        assert!(is_log(
            "# Changes\n\n## 1.2.0\n\nA.\n\n## 1.1.0\n\nB.\n\n## 1.0.0\n\nC.\n"
        ));
        assert!(is_log("# 1.2.0\n\nA.\n\n# 1.1.0\n\nB.\n\n# 1.0.0\n\nC.\n"));
        assert!(is_log(
            "# 1.2.0\n\n### Changes since 1.1.0\n\nA.\n\n# 1.1.0\n\n### Changes since 1.0.0\n\nB.\n\n# 1.0.0\n\nC.\n"
        ));
        assert!(!is_log(
            "# Kilns\n\nA.\n\n# Glazes\n\nB.\n\n# Cones\n\nC.\n"
        ));
        assert!(!is_log(
            "# 1. Notes\n\nA.\n\n# 2. Changes\n\nB.\n\n# 3. Release\n\nC.\n"
        ));
    }
    #[test]
    fn a_book_with_other_chapters_than_its_log_is_none() {
        let log =
            "# Changes\n\n## 1.2\n\nIt cools.\n\n## 1.1\n\nIt burns.\n\n## 1.0\n\nIt opens.\n\n";
        let is_log = |source: &str| tells_versions(&Outline::of(&document(source).blocks));
        assert!(is_log(&format!("{log}# Kilns\n\nThey burn.")));
        assert!(!is_log(&format!(
            "{log}# Kilns\n\nThey burn.\n\n# Doors\n\nThey open."
        )));
    }

    #[test]
    fn an_entry_of_a_log_tells_what_it_is_on_or_who_made_it() {
        for (heading, told) in [
            ("2002-09-29 Mend the door", Some("Mend the door")),
            ("2002-09-29 commit 9fe2075", None),
            ("2002-09-29 09:24 Kim Potter", None),
            (
                "2002-09-29 09:24:11 +0100 Kim von Ton kim@kiln.example",
                None,
            ),
            ("Kim Potter (29 Sep 2002)", None),
            ("Sep 29 2002 kim@kiln.example (Kim)", None),
            ("20020929", None),
            ("Glazes (of 2002)", Some("Glazes (of 2002)")),
            (
                "kiln (2.1-3+deb12u1) unstable; urgency=medium",
                Some("kiln (2.1-3+deb12u1)"),
            ),
            ("Glazes", Some("Glazes")),
        ] {
            assert_eq!(told_by(heading), told, "{heading}");
        }
    }

    #[test]
    fn a_release_is_of_what_its_heading_names() {
        for (heading, name) in [
            ("What's new in kiln-core 2.45.1", Some("kiln-core")),
            ("Changes in 1.2.13 (13 Oct 2022)", None),
            (
                "kiln (2.1-3+deb12u1) unstable; urgency=medium",
                Some("kiln"),
            ),
        ] {
            assert_eq!(release_of(heading).as_deref(), name, "{heading}");
        }
    }

    #[test]
    fn a_series_is_named_once() {
        let named = |headings: &[&str]| {
            without_series(
                headings
                    .iter()
                    .map(|heading| (*heading).to_owned())
                    .collect(),
            )
        };
        assert_eq!(
            named(&[
                "What's New in Python 3.11.2 final",
                "What's New in Python 3.11.0 beta 5",
                "What's New in Python 3.10",
                "Core"
            ]),
            ["What's New in Python", "Core"]
        );
        assert_eq!(
            named(&["Letter A", "Letter B", "Letter C", "Menu"]),
            ["Menu"]
        );
        assert_eq!(named(&["1.2.0", "1.1.0", "Glazes"]), ["Glazes"]);
        let two = [
            "Appendix A Programs",
            "Appendix B Platforms",
            "Appendix C Notes",
            "Vitamin C",
            "Cone 6",
        ];
        assert_eq!(named(&two), two);
    }

    #[test]
    fn what_kind_of_thing_several_are_is_said_once() {
        let headings = [
            "Event – close",
            "Event – error",
            "Event – end",
            "Class – Socket",
        ];
        assert_eq!(
            kinds_once(headings.map(str::to_owned).to_vec()),
            ["Event – close", "error", "end", "Class – Socket"]
        );
    }
}
