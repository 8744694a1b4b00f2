//! Owns the levels of headings where a page has them upside down: what every section has ("Types") heads a part of the section that
//! it follows, also where its own level is higher.

use crate::html::furniture::is_heading;
use dom_query::NodeRef;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{letters, plain};
use std::collections::HashMap;

/// What is called so in so many sections is a part of each.
const COMMON_MIN: usize = 3;
/// No heading stands deeper.
pub(crate) const LEVEL_MAX: u8 = 6;

/// Puts headings that are called alike, and stand each right below a deeper one, below that.
pub(crate) fn put_right(blocks: &mut [Block]) {
    let mut alike: HashMap<String, (usize, Vec<(usize, u8)>)> = HashMap::new();
    let mut above: Option<u8> = None;
    for (at, block) in blocks.iter().enumerate() {
        let BlockKind::Heading { level, text } = &block.kind else {
            above = None;
            continue;
        };
        let (times, sunken) = alike.entry(plain(text)).or_default();
        *times += 1;
        if let Some(above) = above.filter(|above| above > level) {
            sunken.push((at, (above + 1).min(LEVEL_MAX)));
        }
        above = Some(*level);
    }
    for (times, sunken) in alike.into_values() {
        if times < COMMON_MIN || sunken.len() * 2 < times {
            continue;
        }
        for (at, below) in sunken {
            if let Some(BlockKind::Heading { level, .. }) =
                blocks.get_mut(at).map(|block| &mut block.kind)
            {
                *level = below;
            }
        }
    }
}

/// Elements around a place, and elements beside each of them, that are looked at for the heading above it.
const AROUND_MAX: usize = 8;
const BESIDE_MAX: usize = 200;

/// The level of the heading under which `node` stands.
pub(super) fn above(node: &NodeRef<'_>) -> Option<u8> {
    let level = |heading: &NodeRef<'_>| {
        let name = heading.node_name()?;
        name.as_bytes().get(1).map(|digit| digit - b'0')
    };
    let around = std::iter::once(*node).chain(node.ancestors_it(Some(AROUND_MAX)));
    for place in around {
        let mut beside = place.prev_element_sibling();
        for _ in 0..BESIDE_MAX {
            let Some(before) = beside else { break };
            let inside = before.descendants_it().take(BESIDE_MAX);
            let last = inside.filter(is_heading).last();
            if let Some(heading) = Some(before).filter(is_heading).or(last) {
                return level(&heading);
            }
            beside = before.prev_element_sibling();
        }
    }
    None
}

/// Whether the highest headings of a page are several, and none of them says what its head calls all of it by `title`: each heads a
/// part of the page then, and the first is not what the page is called.
pub(crate) fn are_parts(blocks: &[Block], title: &str) -> bool {
    let title_letters = letters(title);
    let heads = blocks.iter().filter_map(|block| match &block.kind {
        BlockKind::Heading { level: 1, text } => Some(letters(&plain(text))),
        _ => None,
    });
    let says_title =
        |head: &String| title_letters.contains(head.as_str()) || head.contains(&title_letters);
    // One word may be the name of the site, and "Kiln 26.4 documentation" is.
    title.split_whitespace().nth(1).is_some()
        && !title.to_lowercase().ends_with("documentation")
        && heads.clone().nth(1).is_some()
        && !heads.clone().any(|head| says_title(&head))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::markdown;

    fn levels(source: &str) -> Vec<u8> {
        let mut blocks = markdown::read(source.to_owned()).blocks;
        put_right(&mut blocks);
        let level = |block: &Block| match &block.kind {
            BlockKind::Heading { level, .. } => Some(*level),
            _ => None,
        };
        blocks.iter().filter_map(level).collect()
    }

    #[test]
    fn what_each_function_has_stands_below_it_although_its_heading_is_higher() {
        let function = |name: &str| format!("#### {name}\n\n### Types\n\nA door.\n\n");
        let page = ["open()", "shut()", "lock()"].map(function).concat();
        assert_eq!(
            levels(&format!("## Exports\n\n{page}")),
            [2, 4, 5, 4, 5, 4, 5]
        );
    }

    #[test]
    fn of_a_page_with_several_highest_headings_the_first_is_not_its_name_where_its_head_tells_another()
     {
        let called = |title: &str, second: &str| {
            let told = "<p>It takes a day of dry wood and a potter who stays awake.</p>";
            let html = format!(
                "<title>{title}</title><meta name=generator content=sphinx><div role=main><h1>Wood</h1>{told}<h2>Oak</h2>{told}<{second}>Clay</{second}>{told}</div>"
            );
            crate::html::read(&html, None).expect("a page").title
        };
        assert_eq!(
            called("Firing kilns", "h1").as_deref(),
            Some("Firing kilns")
        );
        for (title, second) in [
            ("Firing kilns", "h2"),
            ("Wood — of kilns", "h1"),
            ("Kilns", "h1"),
            ("Kilns 26.4 documentation", "h1"),
        ] {
            assert_eq!(called(title, second).as_deref(), Some("Wood"), "{title}");
        }
    }

    #[test]
    fn a_section_that_follows_a_deeper_one_keeps_its_level() {
        let page =
            "## Doors\n\n### Open\n\nWide.\n\n## Notes\n\nSlow.\n\n### Shut\n\n## Fire\n\nHot.\n";
        assert_eq!(levels(page), [2, 3, 2, 3, 2]);
    }
}
