//! Owns how a log of changes is described: in what something changed, and from when to when.

use super::outline::Outline;
use super::series::{self, released, tells_change, tells_versions};
use crate::pipeline::scaffold::USE_WHEN;
use skillkiln_document::blocks::Block;
use skillkiln_document::text::squash;

/// A release that has no number is called by its heading, in so many letters.
const CALLED_CHARS: usize = 24;
/// So many releases or years are looked at to name some of them.
const ENTRIES_MAX: usize = 60;
const BETWEEN: &str = ", ";
/// What stands for those that are not named.
const AND_OLDER: &str = " and others";
/// A day has so many words.
const DAY_WORDS: usize = 3;
/// What a log calls itself, beside what [`series::tells_kind`] knows.
const OF_LOGS: [&str; 13] = [
    "all",
    "changelog",
    "changelogs",
    "file",
    "for",
    "full",
    "history",
    "log",
    "logs",
    "news",
    "notable",
    "our",
    "previous",
];

/// A log of changes.
pub(super) struct Log {
    /// Its title, where that says that it is a log.
    title: Option<String>,
    /// In what something changed, where that is told.
    of: Option<String>,
    /// Its first entry and its last, by their days or releases.
    span: [String; 2],
    /// What its entries are asked for by: the numbers of releases, or the years of days.
    asked: Vec<String>,
}

impl Log {
    /// Of a text with this title; `None` where it is no log.
    pub(super) fn of(title: &str, blocks: &[Block], outline: &Outline) -> Option<Self> {
        if !tells_versions(outline) {
            return None;
        }
        let titles = outline.sections.iter().map(|section| &*section.title);
        let titles = titles.filter(|title| tells_change(title));
        let entries: Vec<String> = titles.filter_map(called).collect();
        let [first, .., last] = entries.as_slice() else {
            return None;
        };
        let mut asked: Vec<String> = Vec::new();
        for entry in &entries {
            let entry = year_of(entry).unwrap_or_else(|| entry.clone());
            if asked.len() < ENTRIES_MAX && !asked.contains(&entry) {
                asked.push(entry);
            }
        }
        let of = changed(title);
        let is_called = of.as_deref().is_none_or(|of| of.len() < title.len());
        Some(Self {
            title: is_called.then(|| title.to_owned()),
            of: of.or_else(|| released(blocks)),
            span: [first.clone(), last.clone()],
            asked,
        })
    }

    /// What it covers, without the end of the sentence.
    pub(super) fn subject(&self) -> String {
        let [first, last] = &self.span;
        // Most logs begin with what is new.
        let back = match numbers(first) > numbers(last) {
            true => "back ",
            false => "",
        };
        let what = self.title.clone().unwrap_or_else(|| self.what());
        format!("{what} from {first} {back}to {last}")
    }

    /// When to use it, without the end of the sentence.
    pub(super) fn use_when(&self) -> String {
        format!(
            "{USE_WHEN} the task is to find {}, when or why",
            self.what()
        )
    }

    /// The entries by which it is asked for, as a sentence of so many characters at most, those that it begins with first; empty where
    /// its first and its last tell it all.
    pub(super) fn entries(&self, chars_max: usize) -> String {
        let is_year = |entry: &&String| year_of(entry).as_ref() == Some(*entry);
        // A log by days may name a release now and then.
        let by_years = self.asked.iter().filter(is_year).count() * 2 > self.asked.len();
        let mut out = match by_years {
            true => "Years: ".to_owned(),
            false => "Releases: ".to_owned(),
        };
        let mut count = 0;
        for entry in self.asked.iter().filter(|entry| is_year(entry) == by_years) {
            if out.len() + entry.len() + BETWEEN.len() + AND_OLDER.len() > chars_max {
                out.push_str(AND_OLDER);
                break;
            }
            if count > 0 {
                out.push_str(BETWEEN);
            }
            out.push_str(entry);
            count += 1;
        }
        out.push('.');
        if count > 2 { out } else { String::new() }
    }

    fn what(&self) -> String {
        match &self.of {
            Some(of) => format!("what changed in {of}"),
            None => "what changed".to_owned(),
        }
    }
}

/// What a log's title says beside being that of a log: `kiln` of `Release notes for kiln`.
fn changed(title: &str) -> Option<String> {
    let is_bare = |word: &&str| {
        let word = word
            .trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase();
        word.is_empty() || OF_LOGS.contains(&word.as_str()) || series::tells_kind(&word)
    };
    let words: Vec<&str> = title.split_whitespace().collect();
    let start = words.iter().position(|word| !is_bare(word))?;
    let end = words.iter().rposition(|word| !is_bare(word))?;
    let rest = squash(&words.get(start..=end)?.join(" "));
    let rest = rest.trim_end_matches([':', ',', '.', ' ']);
    // What the log belongs to may stand in brackets alone.
    let inner = rest
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    let rest = inner
        .filter(|inner| !inner.contains(['(', ')']))
        .unwrap_or(rest);
    rest.contains(char::is_alphabetic).then(|| rest.to_owned())
}

/// How an entry of a log is called where it is one end of it: by its day, or the number of its release.
fn called(heading: &str) -> Option<String> {
    if let Some(version) = version_named(heading) {
        return Some(version.to_owned());
    }
    if let Some(day) = series::day_of(heading) {
        return Some(day.to_owned());
    }
    let name = match series::is_entry(heading) {
        true => day_in(heading),
        false => release_in(heading),
    };
    Some(name).filter(|name| name.contains(|c: char| c.is_ascii_digit()))
}

/// The number behind the word "version" or "release": nobody asks for `2015.01.29, Version 0.11.16` by its day.
fn version_named(heading: &str) -> Option<&str> {
    let words: Vec<&str> = heading
        .split([' ', ','])
        .filter(|word| !word.is_empty())
        .collect();
    let number = words.windows(2).rev().find_map(|pair| match pair {
        [word, number] if ["version", "release"].contains(&word.to_lowercase().as_str()) => {
            Some(*number)
        }
        _ => None,
    })?;
    let number = number.trim_matches(['(', ')', '[', ']', ':', ';', '.']);
    let is_number = number.contains('.') && number.starts_with(|c: char| c.is_ascii_digit());
    is_number.then_some(number)
}

/// The month, the day and the year in the heading of an entry.
fn day_in(heading: &str) -> String {
    let dated = heading
        .strip_suffix(')')
        .and_then(|rest| rest.rsplit_once(" ("));
    let day = dated.map_or(heading, |(_, date)| date).split(' ');
    let is_of_day = |word: &&str| {
        series::is_month(&word.to_lowercase()) || word.bytes().all(|byte| byte.is_ascii_digit())
    };
    let words: Vec<&str> = day.filter(is_of_day).take(DAY_WORDS).collect();
    words.join(" ")
}

/// The number of the release that a heading names, of "from one to another" the last; all of a brief heading without one.
fn release_in(heading: &str) -> String {
    let is_version = |word: &&str| {
        let number = word.trim_start_matches('v');
        word.contains(['.', '-']) && number.starts_with(|c: char| c.is_ascii_digit())
    };
    let until = heading
        .rsplit_once(" to ")
        .map_or(heading, |(_, last)| last);
    let marks = ['(', ')', '[', ']', ',', ':', ';'];
    let mut words = until
        .split_whitespace()
        .map(|word| word.trim_matches(marks));
    match words.find(is_version) {
        Some(version) => version.to_owned(),
        None if heading.chars().count() <= CALLED_CHARS => heading.to_owned(),
        None => String::new(),
    }
}

/// The year of a day by which an entry is called: of `2024-05-06`, `6 May 2024` or `2024`.
fn year_of(called: &str) -> Option<String> {
    let is_day = called
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'-')
        || called
            .split(' ')
            .any(|word| series::is_month(&word.to_lowercase()));
    let mut words = called.split([' ', '-']).filter(|_| is_day);
    let year =
        words.find(|word| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit()))?;
    Some(year.to_owned())
}

/// The numbers in how an entry is called, by which days and releases are ordered: a year first.
fn numbers(called: &str) -> Vec<u64> {
    let runs = called.split(|c: char| !c.is_ascii_digit());
    let mut numbers: Vec<u64> = runs.filter_map(|run| run.parse().ok()).collect();
    if let Some(year) = numbers
        .iter()
        .position(|number| (1970..2100).contains(number))
    {
        numbers.swap(0, year);
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_readers::markup::markdown;

    fn log(title: &str, headings: &[&str]) -> Option<Log> {
        let page: String = headings
            .iter()
            .map(|heading| format!("## {heading}\n\nThe door closes.\n\n"))
            .collect();
        let blocks = markdown::read(page).blocks;
        Log::of(title, &blocks, &Outline::of(&blocks))
    }

    #[test]
    fn what_a_log_is_of_may_stand_in_brackets() {
        assert_eq!(changed("History (kiln)").as_deref(), Some("kiln"));
        assert_eq!(
            changed("Changes of kiln (wood)").as_deref(),
            Some("kiln (wood)")
        );
    }

    #[test]
    fn a_log_says_in_what_something_changed_and_from_when_to_when() {
        for (title, headings, told) in [
            (
                "Release notes for Kiln",
                ["2.1.0", "2.0.3", "1.9"],
                "Release notes for Kiln from 2.1.0 back to 1.9",
            ),
            (
                "Kiln NEWS",
                ["Version 1.9 (2019-02-03)", "Version 2.0", "Version 2.10"],
                "Kiln NEWS from 1.9 to 2.10",
            ),
            (
                "Change Log",
                [
                    "2024-05-06 Mend the door",
                    "2024-05-01 Kim Potter",
                    "2023-01-02 Burn wood",
                ],
                "Change Log from 2024-05-06 back to 2023-01-02",
            ),
            (
                "CHANGES",
                [
                    "kiln 2.1 (2 May 2020)",
                    "kiln 2.0 (1 May 2020)",
                    "kiln 1.9 (3 Jan 2019)",
                ],
                "CHANGES from 2.1 back to 1.9",
            ),
            (
                "Kiln NEWS",
                [
                    "Changes from versions 2.1.* to version 2.2.0",
                    "Changes from version 2.0 to version 2.1",
                    "Changes from version 1.9 to version 2.0",
                ],
                "Kiln NEWS from 2.2.0 back to 2.0",
            ),
            (
                "Kiln log",
                [
                    "Ada Lee (2 Mar 2024)",
                    "Ada Lee (1 Mar 2024)",
                    "Kim Potter (31 Dec 2023)",
                ],
                "Kiln log from 2 Mar 2024 back to 31 Dec 2023",
            ),
        ] {
            let log = log(title, &headings).expect(title);
            assert_eq!(log.subject(), told);
            let is_of_kilns = title.contains("Kiln") || title == "CHANGES";
            assert_eq!(
                log.use_when().to_lowercase().contains(" in kiln, "),
                is_of_kilns
            );
        }
    }

    #[test]
    fn a_log_is_asked_for_by_its_releases_or_its_years() {
        let releases = log(
            "Kiln NEWS",
            &["Version 2.1.0", "Version 2.0 (2020-01-02)", "Version 1.9"],
        )
        .unwrap();
        assert_eq!(releases.entries(100), "Releases: 2.1.0, 2.0, 1.9.");
        assert_eq!(releases.entries(24), "");
        let many = [
            "2.4",
            "2.3",
            "2015.01.29, Version 2.2 (Stable)",
            "2.1",
            "2.0",
        ];
        let many = log("Kiln NEWS", &many).unwrap();
        assert_eq!(many.entries(37), "Releases: 2.4, 2.3, 2.2 and others.");
        let days = [
            "2024-05-06 Burn",
            "2024-05-05 Version 2.1.",
            "2024-05-01 Kim Potter",
            "Ada Lee (3 Jan 2023)",
            "2021-01-02 Mend",
        ];
        assert_eq!(
            log("Kiln log", &days).unwrap().entries(100),
            "Years: 2024, 2023, 2021."
        );
    }

    #[test]
    fn what_only_has_sections_is_no_log() {
        assert!(log("Kiln", &["Doors", "Wood", "2.1"]).is_none());
        assert!(log("Release notes", &["2.1", "2.0"]).is_none());
    }
}
