//! Finds the elements that a long list of selectors names: by what they are called first, so that the selectors themselves are
//! asked of few.
//!
//! Of the elements of a hundred pages of documentation, one in 245 is a candidate for the longer list and one in 16 for the other,
//! each of some 55 selectors; to ask each selector of each element was a sixth of the time in which a long page is read.

use dom_query::{Document, Matcher, NodeRef};
use skillkiln_document::quick::QuickSet;
use std::collections::HashSet;
use std::sync::LazyLock;

/// A list of selectors that is read when it is first used.
pub(super) type List = LazyLock<Finder>;

/// A list of selectors, and what an element must have for one of them to be asked.
#[derive(Debug)]
pub(super) struct Finder {
    matcher: Matcher,
    names: QuickSet<&'static str>,
    classes: QuickSet<&'static str>,
    ids: QuickSet<&'static str>,
    attributes: QuickSet<&'static str>,
}

impl Finder {
    /// For a constant list.
    pub(super) fn of(selectors: &'static str) -> Self {
        let mut finder = Self {
            matcher: Matcher::new(selectors)
                .expect("every list is a constant, and each is used by a test"),
            names: QuickSet::default(),
            classes: QuickSet::default(),
            ids: QuickSet::default(),
            attributes: QuickSet::default(),
        };
        for selector in split(selectors, ',') {
            let element = split(selector, ' ').last().unwrap_or_default();
            finder.demand(element);
        }
        finder
    }

    /// Notes the one thing that an element must have to be what this part of a selector says: the rarest one.
    fn demand(&mut self, element: &'static str) {
        let plain = element.split([':', '[']).next().unwrap_or_default();
        let (name, class) = plain.split_once('.').unwrap_or((plain, ""));
        let class = class.split('.').next().unwrap_or_default();
        let (name, id) = name.split_once('#').unwrap_or((name, ""));
        let attribute = element.split_once('[').map_or("", |(_, rest)| rest);
        let attribute = attribute
            .split(['=', '^', '*', '~', '$', '|', ']'])
            .next()
            .unwrap_or_default();
        if !class.is_empty() {
            self.classes.insert(class);
        } else if !id.is_empty() {
            self.ids.insert(id);
        } else if !name.is_empty() {
            self.names.insert(name);
        } else {
            self.attributes.insert(attribute);
        }
    }

    fn is_candidate(&self, node: &NodeRef<'_>) -> bool {
        let Some(element) = node.element_ref() else {
            return false;
        };
        self.names.contains(&*element.name.local)
            || element
                .attrs
                .iter()
                .any(|attribute| match &*attribute.name.local {
                    "class" if !self.classes.is_empty() => attribute
                        .value
                        .split_ascii_whitespace()
                        .any(|class| self.classes.contains(class)),
                    "id" if !self.ids.is_empty() => self.ids.contains(&*attribute.value),
                    name => self.attributes.contains(name),
                })
    }

    /// The elements of a page that one of the selectors names, in the order of the page.
    pub(super) fn find<'p>(&self, page: &'p Document) -> Vec<NodeRef<'p>> {
        self.inside(&page.root())
    }

    /// Those inside `root`.
    fn inside<'p>(&self, root: &NodeRef<'p>) -> Vec<NodeRef<'p>> {
        let all = root.descendants_it();
        all.filter(|node| self.is_candidate(node) && self.matcher.match_element(node))
            .collect()
    }

    /// Those inside `root` that stand in none of the others.
    pub(super) fn outermost<'p>(&self, root: &NodeRef<'p>) -> Vec<NodeRef<'p>> {
        let found = self.inside(root);
        let all: HashSet<_> = found.iter().map(|node| node.id).collect();
        let is_outer =
            |node: &NodeRef<'_>| !node.ancestors_it(None).any(|outer| all.contains(&outer.id));
        found.into_iter().filter(is_outer).collect()
    }

    /// Takes them out of the page.
    pub(super) fn remove(&self, page: &Document) {
        for node in self.find(page) {
            node.remove_from_parent();
        }
    }
}

/// The parts of a selector between these separators, but for those in brackets.
fn split(selector: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    selector
        .split(move |c| {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            c == separator && depth == 0
        })
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LIST: &str = "nav,aside:not(.note):not([class*=alert]),header:not(main header),[role=main],.toc,#top,a.mark,div.header div.summary,[hidden]:not([role=tab]),body:has(#top h1),script[type^='math/tex'],main article";

    #[test]
    fn a_list_is_known_by_the_rarest_thing_that_each_selector_asks_for() {
        let finder = Finder::of(LIST);
        let sorted = |set: &QuickSet<&'static str>| {
            let mut all: Vec<&str> = set.iter().copied().collect();
            all.sort_unstable();
            all
        };
        assert_eq!(
            sorted(&finder.names),
            ["article", "aside", "body", "header", "nav", "script"]
        );
        assert_eq!(sorted(&finder.classes), ["mark", "summary", "toc"]);
        assert_eq!(sorted(&finder.ids), ["top"]);
        assert_eq!(sorted(&finder.attributes), ["hidden", "role"]);
    }

    proptest! {
        #[test]
        fn what_is_found_by_name_first_is_what_the_selectors_find(
            opened in prop::collection::vec((0..11_usize, 0..10_usize, any::<bool>()), 0..30),
        ) {
            const NAMES: [&str; 11] = ["nav", "aside", "header", "main", "article", "div", "a", "h1", "script", "p", "NAV"];
            const MORE: [&str; 10] = ["", "class='x toc'", "class=\"note\"", "id=top", "role=main", "class='summary header'", "hidden role=tab", "hidden", "class=mark", "type='math/tex; x'"];
            let mut html = String::new();
            for (name, more, closes) in opened {
                html.push_str(&format!("<{} {}>x", NAMES[name], MORE[more]));
                if closes {
                    html.push_str(&format!("</{}>", NAMES[name]));
                }
            }
            let page = Document::from(html.as_str());
            let found: Vec<_> = Finder::of(LIST).find(&page).iter().map(|node| node.id).collect();
            let selected: Vec<_> = page.select(LIST).nodes().iter().map(|node| node.id).collect();
            prop_assert_eq!(found, selected, "{}", html);
        }
    }
}
