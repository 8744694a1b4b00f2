//! Owns which project a source belongs to whose own title could be any project's: "Changelog", "Contributing".
//!
//! A log of changes says it in its first words ("All notable changes to kilnctl ..."), in what its releases are called ("kilnctl
//! 2.1"), or by its links, which lead to the issues and commits of one repository.

use super::outline::{block_text, tells_changes, unnumbered};
use super::series::released;
use skillkiln_document::blocks::{Block, BlockKind, walk};
use skillkiln_document::text::{Inline, letters};
use std::collections::HashMap;

/// So many blocks say whose text it is.
const BLOCKS: usize = 6;
/// A repository is whose text it is where so many links lead to it, and so many of ten of all those to repositories.
const LINKS_MIN: usize = 3;
const LINKS_OF_TEN: usize = 6;
const NAME_CHARS: usize = 40;

/// Texts that every project has, beside logs of its changes.
const OF_ANY: [&str; 14] = [
    "authors",
    "code of conduct",
    "contributing",
    "contributing guide",
    "contributing guidelines",
    "contributors",
    "faq",
    "frequently asked questions",
    "maintainers",
    "migration guide",
    "roadmap",
    "security",
    "security policy",
    "upgrading",
];

fn is_of_any(lower: &str) -> bool {
    tells_changes(lower) || OF_ANY.contains(&lower)
}

/// The title with the project's name before it, where it alone could be any project's and the source says which it is.
pub(super) fn with_project(title: &str, blocks: &[Block]) -> Option<String> {
    let lower = unnumbered(title);
    let project = is_of_any(&lower).then(|| {
        told(blocks)
            .or_else(|| released(blocks))
            .or_else(|| linked(blocks))
    })??;
    (!letters(title).contains(&letters(&project))).then(|| format!("{project} {title}"))
}

/// The project that the first words name whose changes they announce.
fn told(blocks: &[Block]) -> Option<String> {
    const TURNS: [&str; 4] = [
        "changes to ",
        "changes in ",
        "changelog for ",
        "changelog of ",
    ];
    const ENDS: [&str; 9] = [
        " and ",
        " are ",
        " between ",
        " for ",
        " from ",
        " in ",
        " is ",
        " since ",
        " will ",
    ];
    // What names no project: "changes to this project", "changes in the latest release".
    const NO_NAMES: [&str; 12] = [
        "all", "each", "every", "it", "its", "our", "release", "that", "these", "this", "version",
        "your",
    ];
    blocks.iter().take(BLOCKS).find_map(|block| {
        if !matches!(block.kind, BlockKind::Paragraph(_)) {
            return None;
        }
        let text = block_text(block);
        let lower = text.to_ascii_lowercase();
        let (at, turn) = TURNS
            .iter()
            .filter_map(|turn| Some((lower.find(turn)?, turn)))
            .min()?;
        let rest = text.get(at + turn.len()..)?;
        let rest = rest.strip_prefix("the ").unwrap_or(rest);
        let end = ENDS.iter().filter_map(|end| rest.find(end));
        let stops = rest.match_indices(['.', ',', ':', ';', '(', '\n']);
        // A stop inside a name ends no sentence: `node.js`.
        let stops = stops.filter(|(at, _)| {
            rest.get(at + 1..)
                .is_none_or(|after| !after.starts_with(char::is_alphanumeric))
        });
        let end = end
            .chain(stops.map(|(at, _)| at))
            .min()
            .unwrap_or(rest.len());
        let name = rest.get(..end)?.trim();
        let name = [" project", " package", " library", " crate"]
            .iter()
            .find_map(|kind| name.strip_suffix(kind))
            .unwrap_or(name);
        // A project is none of its releases.
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let name = name.trim_end();
        let words: Vec<String> = name.split(' ').map(str::to_lowercase).collect();
        let is_name = (1..=3).contains(&words.len())
            && name.chars().count() <= NAME_CHARS
            && name.starts_with(char::is_alphabetic)
            && !words.iter().any(|word| NO_NAMES.contains(&word.as_str()));
        // A common word is no name: "changes to behavior".
        let is_marked =
            || name.contains(|c: char| !c.is_lowercase() && c != ' ') || is_code(block, name);
        (is_name && is_marked()).then(|| name.to_owned())
    })
}

/// Whether a paragraph has a name as code, stressed or as a link.
fn is_code(block: &Block, name: &str) -> bool {
    let BlockKind::Paragraph(text) = &block.kind else {
        return false;
    };
    text.iter().any(|inline| match inline {
        Inline::Code(code) => code == name,
        Inline::Strong(inner) | Inline::Emphasis(inner) => {
            skillkiln_document::text::plain(inner) == name
        }
        Inline::Link(link) => skillkiln_document::text::plain(&link.text) == name,
        _ => false,
    })
}

/// The repository to which most links lead that lead to any.
fn linked(blocks: &[Block]) -> Option<String> {
    let mut times: HashMap<&str, usize> = HashMap::new();
    walk(blocks, &mut |block| match &block.kind {
        BlockKind::Paragraph(text) | BlockKind::Heading { text, .. } => count(text, &mut times),
        _ => {}
    });
    let all: usize = times.values().sum();
    let (repository, most) = times
        .into_iter()
        .max_by_key(|(repository, times)| (*times, std::cmp::Reverse(*repository)))?;
    let (_, name) = repository.split_once('/')?;
    (most >= LINKS_MIN && most * 10 >= all * LINKS_OF_TEN && name.chars().count() <= NAME_CHARS)
        .then(|| name.to_owned())
}

fn count<'t>(text: &'t [Inline], times: &mut HashMap<&'t str, usize>) {
    for inline in text {
        match inline {
            Inline::Link(link) => {
                if let Some(repository) = repository(&link.href) {
                    *times.entry(repository).or_default() += 1;
                }
            }
            Inline::Strong(inner) | Inline::Emphasis(inner) => count(inner, times),
            _ => {}
        }
    }
}

/// `owner/name` of the address of an issue, a commit or anything else in a repository.
fn repository(href: &str) -> Option<&str> {
    const HOSTS: [&str; 3] = ["github.com/", "gitlab.com/", "codeberg.org/"];
    let (_, path) = href.split_once("://")?;
    let path = path.strip_prefix("www.").unwrap_or(path);
    let path = HOSTS.iter().find_map(|host| path.strip_prefix(host))?;
    let mut ends = path.match_indices('/').map(|(at, _)| at);
    let (owner_end, end) = (ends.next()?, ends.next()?);
    let is_whole = owner_end > 0 && end > owner_end + 1;
    path.get(..end).filter(|_| is_whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_readers::markup::markdown;

    fn named(title: &str, text: &str) -> Option<String> {
        with_project(title, &markdown::read(text.to_owned()).blocks)
    }

    #[test]
    fn a_log_of_changes_is_called_by_the_project_that_it_names_first() {
        for (text, title) in [
            (
                "All notable changes to charset-kiln will be documented in this file.",
                Some("charset-kiln Changelog"),
            ),
            (
                "Changes in the Kiln.js library, by version.",
                Some("Kiln.js Changelog"),
            ),
            (
                "All notable changes to `kilnctl` are here.",
                Some("kilnctl Changelog"),
            ),
            (
                "All notable changes to this project will be documented in this file.",
                None,
            ),
            ("There are changes to behavior in this release.", None),
            ("All changes to existing kilns are told here.", None),
            (
                "These are the changes in Kiln 1.5.0.",
                Some("Kiln Changelog"),
            ),
            (
                "# kiln 2.1 (3 May 2024)\n\nA.\n\n# kiln 2.0\n\nB.\n\n# kiln 1.9\n\nC.",
                Some("kiln Changelog"),
            ),
        ] {
            assert_eq!(named("Changelog", text).as_deref(), title, "{text}");
        }
        assert_eq!(
            named("Firing", "All notable changes to Kiln are here."),
            None
        );
    }

    #[test]
    fn a_text_of_any_project_is_called_by_the_repository_that_it_links_to_most() {
        let link = |name: &str, number: usize| {
            format!("- Fixed. [#{number}](https://github.com/{name}/issues/{number})\n")
        };
        let own: String = (1..5).map(|number| link("potter/kiln", number)).collect();
        assert_eq!(named("Contributing", &own).unwrap(), "kiln Contributing");
        assert_eq!(named("kiln changes", &own), None);
        let others: String = (1..5)
            .map(|number| link(&format!("potter/kiln{number}"), number))
            .collect();
        assert_eq!(named("Changes", &others), None);
    }
}
