//! Owns which project a source is of by where its links lead, those in headings too: a log of changes links each release.

use skillkiln_document::blocks::{Block, BlockKind, walk};
use skillkiln_document::quick::QuickMap;
use skillkiln_document::text::Inline;

/// Links to the issues, changes and releases of one project, by which a source is of that project.
const LINKS_MIN: usize = 4;
/// Letters of a name.
const LETTERS_MIN: usize = 3;
/// What stands behind the name of a project in such links.
const PAGES: [&str; 6] = [
    "pull",
    "issues",
    "compare",
    "commit",
    "releases",
    "merge_requests",
];

/// The project whose issues, changes and releases most of such links of a source lead to: that of its log of changes, or of its first page.
pub(super) fn linked(blocks: &[Block]) -> Option<String> {
    let mut counts: QuickMap<String, usize> = QuickMap::default();
    walk(blocks, &mut |block| {
        if let BlockKind::Paragraph(words) | BlockKind::Heading { text: words, .. } = &block.kind {
            count(words, &mut counts);
        }
    });
    let mut all: Vec<(String, usize)> = counts.into_iter().collect();
    all.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(&other.0)));
    let next = all.get(1).map_or(0, |(_, count)| *count);
    let most = all.into_iter().next().filter(|(name, count)| {
        let letters = name.chars().filter(|c| c.is_alphabetic()).count();
        *count >= LINKS_MIN && *count >= next * 2 && letters >= LETTERS_MIN
    });
    most.map(|(name, _)| name)
}

fn count(words: &[Inline], counts: &mut QuickMap<String, usize>) {
    for word in words {
        match word {
            Inline::Link(link) => {
                if let Some(name) = project(&link.href) {
                    *counts.entry(name.to_owned()).or_default() += 1;
                }
            }
            Inline::Strong(inner) | Inline::Emphasis(inner) => count(inner, counts),
            _ => {}
        }
    }
}

/// `kiln` of `https://github.com/clay/kiln/pull/7` and `https://gitlab.com/clay/kiln/-/issues/7`.
fn project(href: &str) -> Option<&str> {
    let (_, rest) = href.split_once("://")?;
    let mut parts = rest.split('/').skip(2);
    let name = parts.next()?;
    let page = parts.find(|part| *part != "-")?;
    PAGES.contains(&page).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::blocks::Span;
    use skillkiln_document::text::Link;

    #[test]
    fn a_log_of_changes_is_of_the_project_that_its_links_lead_to() {
        let change = |href: String| {
            let text = vec![Inline::Text("#7".into())];
            Inline::Link(Box::new(Link { href, text }))
        };
        let all = |project: &str, page: &str| {
            let hrefs =
                (1..5).map(|number| format!("https://github.com/{project}/{page}/{number}"));
            hrefs.map(change).collect::<Vec<_>>()
        };
        let mut blocks = vec![Block::paragraph(all("clay/brenn", "pull"))];
        assert_eq!(linked(&blocks).as_deref(), Some("brenn"));
        blocks.push(Block::paragraph(all("clay/ash", "pull")));
        assert_eq!(linked(&blocks), None);
        let releases = all("clay/brenn", "compare").into_iter().map(|link| Block {
            kind: BlockKind::Heading {
                level: 2,
                text: vec![link],
            },
            span: Span::default(),
        });
        let releases: Vec<Block> = releases.collect();
        assert_eq!(linked(&releases).as_deref(), Some("brenn"));
        assert_eq!(linked(&[Block::paragraph(all("clay/brenn", "blob"))]), None);
    }
}
