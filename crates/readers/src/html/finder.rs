//! Finds the elements that a long list of selectors names: by what they are called first, so that the selectors themselves are
//! asked of few.
//!
//! Of the elements of a hundred pages of documentation, one in 245 is a candidate for the longer list and one in 16 for the other,
//! each of some 55 selectors; to ask each selector of each element was a sixth of the time in which a long page is read. Of a
//! candidate only those selectors are asked that ask for what it has: to ask the whole list was a twentieth of that time.

use dom_query::{Document, LocalName, Matcher, NodeRef, local_name};
use skillkiln_document::quick::QuickMap;
use std::hash::Hash;
use std::sync::LazyLock;

/// A list of selectors that is read when it is first used.
pub(super) type List = LazyLock<Finder>;

/// A list of selectors, each under the one thing that an element must have for it to be asked.
#[derive(Debug, Default)]
pub(super) struct Finder {
    names: QuickMap<LocalName, Matcher>,
    classes: QuickMap<&'static str, Matcher>,
    ids: QuickMap<&'static str, Matcher>,
    attributes: QuickMap<LocalName, Matcher>,
}

/// What an element must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Demand {
    Name(&'static str),
    Class(&'static str),
    Id(&'static str),
    Attribute(&'static str),
}

impl Demand {
    /// The one thing that an element must have to be what the last part of a selector says: the rarest one.
    fn of(element: &'static str) -> Self {
        let plain = element.split([':', '[']).next().unwrap_or_default();
        let (name, class) = plain.split_once('.').unwrap_or((plain, ""));
        let class = class.split('.').next().unwrap_or_default();
        let (name, id) = name.split_once('#').unwrap_or((name, ""));
        if !class.is_empty() {
            return Self::Class(class);
        } else if !id.is_empty() {
            return Self::Id(id);
        } else if !name.is_empty() {
            return Self::Name(name);
        }
        let attribute = element.split_once('[').map_or("", |(_, rest)| rest);
        let ends = ['=', '^', '*', '~', '$', '|', ']'];
        Self::Attribute(attribute.split(ends).next().unwrap_or_default())
    }
}

impl Finder {
    /// For a constant list.
    pub(super) fn of(selectors: &'static str) -> Self {
        let mut demanded: QuickMap<Demand, Vec<&str>> = QuickMap::default();
        for selector in split(selectors, ',') {
            let element = split(selector, ' ').last().unwrap_or_default();
            let demand = Demand::of(element);
            demanded.entry(demand).or_default().push(selector);
        }
        let mut finder = Self::default();
        for (demand, selectors) in demanded {
            let matcher = Matcher::new(&selectors.join(","))
                .expect("every list is a constant, and each is used by a test");
            match demand {
                Demand::Name(name) => finder.names.insert(name.into(), matcher),
                Demand::Class(class) => finder.classes.insert(class, matcher),
                Demand::Id(id) => finder.ids.insert(id, matcher),
                Demand::Attribute(name) => finder.attributes.insert(name.into(), matcher),
            };
        }
        finder
    }

    fn names_it(&self, node: &NodeRef<'_>) -> bool {
        let Some(element) = node.element_ref() else {
            return false;
        };
        fn asked<K: Hash + Eq + std::borrow::Borrow<Q>, Q: Hash + Eq + ?Sized>(
            matchers: &QuickMap<K, Matcher>,
            thing: &Q,
            node: &NodeRef<'_>,
        ) -> bool {
            !matchers.is_empty()
                && matchers
                    .get(thing)
                    .is_some_and(|matcher| matcher.match_element(node))
        }
        asked(&self.names, &element.name.local, node)
            || element.attrs.iter().any(|attribute| {
                let name = &attribute.name.local;
                let is_called_so = if *name == local_name!("class") && !self.classes.is_empty() {
                    let mut classes = attribute.value.split_ascii_whitespace();
                    classes.any(|class| asked(&self.classes, class, node))
                } else {
                    *name == local_name!("id") && asked(&self.ids, &*attribute.value, node)
                };
                is_called_so || asked(&self.attributes, name, node)
            })
    }

    /// The elements of a page that one of the selectors names, in the order of the page.
    pub(super) fn find<'p>(&self, page: &'p Document) -> Vec<NodeRef<'p>> {
        let root = page.root();
        let all = root.descendants_it();
        all.filter(|node| self.names_it(node)).collect()
    }

    /// Those that one of the selectors names, of some elements.
    pub(super) fn among<'p>(&self, elements: &[NodeRef<'p>]) -> Vec<NodeRef<'p>> {
        let all = elements.iter().copied();
        all.filter(|node| self.names_it(node)).collect()
    }

    /// Takes them out of the page.
    pub(super) fn remove(&self, page: &Document) {
        for node in self.find(page) {
            node.remove_from_parent();
        }
    }
}

/// Whether an element is called by one of some names; it is looked up once for all of them.
pub(super) fn is_one_of(node: &NodeRef<'_>, names: &[&str]) -> bool {
    let element = node.element_ref();
    element.is_some_and(|element| names.contains(&&*element.name.local))
}

/// Whether an element is of one of some classes; they are looked up once for all of them.
pub(super) fn is_of_one(node: &NodeRef<'_>, classes: &[&str]) -> bool {
    node.element_ref().is_some_and(|element| {
        let mut attributes = element.attrs.iter();
        let own = attributes.find(|attribute| attribute.name.local == local_name!("class"));
        own.is_some_and(|own| {
            let mut own = own.value.split_ascii_whitespace();
            own.any(|class| classes.contains(&class))
        })
    })
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
        fn sorted<K: AsRef<str>>(matchers: &QuickMap<K, Matcher>) -> Vec<&str> {
            let mut all: Vec<&str> = matchers.keys().map(AsRef::as_ref).collect();
            all.sort_unstable();
            all
        }
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
            prop_assert_eq!(&found, &selected, "{}", html);
            let all: Vec<_> = page.root().descendants_it().collect();
            let among: Vec<_> = Finder::of(LIST).among(&all).iter().map(|node| node.id).collect();
            prop_assert_eq!(among, selected, "{}", html);
        }
    }
}
