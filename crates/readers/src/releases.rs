//! Owns how a log of releases is set out, whatever it was read from: what belongs to a release stands below it, and what only counts
//! releases before the first of them is no content.

use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{plain, squash, write_plain};

/// So many headings of one level name releases in a log.
const RELEASES_MIN: usize = 3;
/// An index of releases names so many of them.
const INDEXED_MIN: usize = 8;
/// Beside them a block of such an index has so many other words ("Current", "Archive").
const BESIDE_MAX: usize = 4;
/// Among so many words of a heading a release is named.
const NAMED_WITHIN: usize = 5;
/// What words beside the number of a release begin with: months, and how it stands.
const BESIDE_VERSIONS: [&str; 18] = [
    "apr",
    "aug",
    "current",
    "dec",
    "feb",
    "jan",
    "jul",
    "jun",
    "lts",
    "mar",
    "may",
    "nov",
    "oct",
    "released",
    "sep",
    "stable",
    "unreleased",
    "yanked",
];
const LEVEL_MAX: u8 = 6;

/// Sets out a log of releases; leaves anything else as it is.
pub(super) fn set_out(blocks: &mut Vec<Block>) {
    let releases: Vec<u8> = blocks.iter().filter_map(release).collect();
    let count = |level: u8| releases.iter().filter(|own| **own == level).count();
    let most = (1..=LEVEL_MAX).map(|level| (count(level), level)).max();
    let Some((_, level)) = most.filter(|(count, _)| *count >= RELEASES_MIN) else {
        return;
    };
    put_below(blocks, level);
    drop_index(blocks);
}

/// Puts the headings behind one of a release that has nothing of its own below it, where they are of the same level.
fn put_below(blocks: &mut [Block], level: u8) {
    let mut is_open = false;
    for at in 0..blocks.len() {
        let Some(own) = blocks.get(at).and_then(level_of) else {
            continue;
        };
        let is_release = blocks
            .get(at)
            .is_some_and(|block| release(block) == Some(level));
        if is_release {
            let next = blocks.get(at + 1);
            is_open =
                next.is_some_and(|next| level_of(next) == Some(level) && release(next).is_none());
        } else if own < level {
            is_open = false;
        } else if is_open
            && let Some(BlockKind::Heading { level, .. }) =
                blocks.get_mut(at).map(|block| &mut block.kind)
        {
            *level = (*level + 1).min(LEVEL_MAX);
        }
    }
}

/// Drops what stands before the first release and only counts releases.
fn drop_index(blocks: &mut Vec<Block>) {
    let first = blocks.iter().position(|block| release(block).is_some());
    let before = blocks.get(..first.unwrap_or_default()).unwrap_or_default();
    let counts: Vec<Option<(usize, usize)>> = before.iter().map(counted).collect();
    let all: usize = counts.iter().flatten().map(|(versions, _)| versions).sum();
    if all < INDEXED_MIN {
        return;
    }
    let mut at = 0;
    blocks.retain(|_| {
        let is_index = counts.get(at).copied().flatten().is_some();
        at += 1;
        !is_index
    });
}

/// How many versions and how many other words a block has that only counts releases, or is a word between those that do.
fn counted(block: &Block) -> Option<(usize, usize)> {
    if matches!(
        block.kind,
        BlockKind::Heading { .. } | BlockKind::Code { .. }
    ) {
        return None;
    }
    let mut text = String::new();
    write_text(block, &mut text);
    let (mut versions, mut others) = (0, 0);
    for word in text.split(|c: char| c.is_whitespace() || "|,;()<>=".contains(c)) {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        match word.is_empty() {
            true => {}
            false if is_version(word) => versions += 1,
            false => others += 1,
        }
    }
    let is_index =
        others <= BESIDE_MAX && (versions > others || others <= 2) && !text.contains(". ");
    is_index.then_some((versions, others))
}

fn write_text(block: &Block, out: &mut String) {
    match &block.kind {
        BlockKind::Paragraph(text) => write_plain(text, out),
        BlockKind::List { items, .. } => {
            for inner in items.iter().flatten() {
                write_text(inner, out);
                out.push(' ');
            }
        }
        BlockKind::Table { header, rows, .. } => {
            for cell in header.iter().chain(rows.iter().flatten()) {
                write_plain(cell, out);
                out.push(' ');
            }
        }
        // What else there is counts nothing.
        _ => out.push_str("other words than those of versions"),
    }
    out.push(' ');
}

/// The level of a heading that names a release.
pub(super) fn release(block: &Block) -> Option<u8> {
    let level = level_of(block)?;
    let BlockKind::Heading { text, .. } = &block.kind else {
        return None;
    };
    let heading = squash(&plain(text));
    let words: Vec<&str> = heading
        .split([' ', ',', '(', ')', '[', ']'])
        .map(|word| word.trim_end_matches(':'))
        .filter(|word| !word.is_empty())
        .take(NAMED_WITHIN)
        .collect();
    let is_named = || {
        words.windows(2).any(|pair| match pair {
            [word, number] => {
                let word = word.to_lowercase();
                matches!(word.as_str(), "version" | "release") && is_version(number)
            }
            _ => false,
        })
    };
    // A section that is counted is none: `1.2 Doors`.
    let tells_when = |word: &&str| {
        let lower = word.to_lowercase();
        word.contains(|c: char| c.is_ascii_digit())
            || !word.contains(char::is_alphabetic)
            || BESIDE_VERSIONS.iter().any(|known| lower.starts_with(known))
    };
    let is_bare = || {
        words.first().is_some_and(|first| is_version(first)) && words.iter().skip(1).all(tells_when)
    };
    let is_release = is_named() || is_bare();
    is_release.then_some(level)
}

fn level_of(block: &Block) -> Option<u8> {
    match block.kind {
        BlockKind::Heading { level, .. } => Some(level),
        _ => None,
    }
}

/// Whether a word is the number of a release: `1.2`, `v0.4.35-rc.1`, `20.x`.
fn is_version(word: &str) -> bool {
    let number = word.strip_prefix('v').unwrap_or(word);
    number.starts_with(|c: char| c.is_ascii_digit())
        && number.contains('.')
        && number.len() <= 24
        && number
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b".-+_".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::markdown;

    fn set_out_of(source: &str) -> String {
        let mut blocks = markdown::read(source.to_owned()).blocks;
        set_out(&mut blocks);
        skillkiln_document::markdown::write(&blocks)
    }

    #[test]
    fn what_belongs_to_a_release_stands_below_it() {
        assert_eq!(
            set_out_of(
                "# Log\n\n## [0.3] - 2024-05-06\n\n## Fixes\n\nA door.\n\n### Doors\n\nTwo.\n\n## 0.2\n\n### Fixes\n\nAsh.\n\n## Version 0.1\n\nIt burns.\n\n## Older\n\nNone.\n"
            ),
            "# Log\n\n## [0.3] - 2024-05-06\n\n### Fixes\n\nA door.\n\n#### Doors\n\nTwo.\n\n## 0.2\n\n### Fixes\n\nAsh.\n\n## Version 0.1\n\nIt burns.\n\n## Older\n\nNone.\n"
        );
        let two = "# Log\n\n## 0.3\n\n## Fixes\n\nA door.\n\n## 0.2\n\nAsh.\n";
        assert_eq!(set_out_of(two), two, "two releases are no log");
        let counted = "# Kilns\n\n## 1.1 Doors\n\n## Wood\n\nDry.\n\n## 1.2 Ash\n\nIt is.\n\n## 1.3 Fire\n\nHot.\n";
        assert_eq!(set_out_of(counted), counted);
    }

    #[test]
    fn what_only_counts_releases_before_the_first_is_no_content() {
        let log = "## 2024-05-06, Version 2.1.0 (Current), @kim\n\nA door.\n\n## 2.0.0\n\nAsh.\n\n## 1.9.0\n\nWood.\n";
        let index = "Current\n\n2.1.0\n\n2.0.0\n\n- Other Versions\n  - 1.x\n  - 0.12.x\n  - 0.11.x\n  - 0.10.x\n  - 0.9.x\n  - 0.8.x\n  - Archive\n";
        assert_eq!(
            set_out_of(&format!("# Log\n\nAll that changed.\n\n{index}\n{log}")),
            format!("# Log\n\nAll that changed.\n\n{log}")
        );
        let few = format!("# Log\n\nIt needs 1.2.\n\n2.1.0\n\n{log}");
        assert_eq!(set_out_of(&few), few);
    }
}
