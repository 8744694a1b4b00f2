//! Tells what the styles of an OpenDocument file mean, by their names and by what they build on.

use crate::office::role::{Role, role_of_name};
use crate::office::runs::is_monospaced;
use crate::xml_tree::{Element, Tree};
use std::collections::{HashMap, HashSet};

/// Styles that build on one another are followed this far.
const CHAIN_MAX: usize = 16;

/// A style.
#[derive(Debug, Default)]
struct Style {
    name: String,
    parent: Option<String>,
    list: Option<String>,
    mono: Option<bool>,
    bold: Option<bool>,
    italic: Option<bool>,
    hidden: Option<bool>,
}

/// The styles of a document.
#[derive(Debug, Default)]
pub(crate) struct Styles {
    styles: HashMap<String, Style>,
    /// Which levels of a list are numbered, by its style's name.
    lists: HashMap<String, Vec<Option<u64>>>,
}

impl Styles {
    /// Reads the styles in these parts; a later one goes over an earlier one.
    pub(crate) fn read<'t>(parts: impl IntoIterator<Item = Option<&'t Tree>>) -> Self {
        let mut read = Self::default();
        let mut fixed: HashSet<String> = HashSet::new();
        for root in parts.into_iter().flatten().map(Tree::root) {
            for font in root.inside("font-face") {
                if font.attribute("font-pitch") == Some("fixed")
                    && let Some(name) = font.attribute("style:name")
                {
                    fixed.insert(name.to_owned());
                }
            }
            for place in ["styles", "automatic-styles"] {
                for element in root.child(place).into_iter().flat_map(Element::elements) {
                    match element.name() {
                        "style" => read.style(element, &fixed),
                        "list-style" => read.list(element),
                        _ => {}
                    }
                }
            }
        }
        read
    }

    fn style(&mut self, element: Element<'_>, fixed: &HashSet<String>) {
        let Some(id) = element.attribute("style:name") else {
            return;
        };
        let text = element.child("text-properties");
        let property = |name: &str| text.and_then(|text| text.attribute(name));
        let font = property("font-name").or(property("font-family"));
        let shown = element.attribute("display-name").unwrap_or(id);
        let style = Style {
            name: shown
                .replace("_20_", " ")
                .replace("_5f_", "_")
                .to_lowercase(),
            parent: element.attribute("parent-style-name").map(str::to_owned),
            list: element.attribute("list-style-name").map(str::to_owned),
            mono: font.map(|font| is_monospaced(font) || fixed.contains(font)),
            bold: property("font-weight")
                .map(|weight| weight == "bold" || weight.starts_with(['7', '8', '9'])),
            italic: property("font-style").map(|style| style != "normal"),
            // What is struck out holds no longer.
            hidden: property("text:display")
                .map(|display| display == "none")
                .or_else(|| property("text-line-through-style").map(|line| line != "none")),
        };
        self.styles.insert(id.to_owned(), style);
    }

    fn list(&mut self, element: Element<'_>) {
        let Some(id) = element.attribute("style:name") else {
            return;
        };
        let mut levels = Vec::new();
        for level in element.elements() {
            let is_numbered = level.name() == "list-level-style-number"
                && level
                    .attribute("num-format")
                    .is_some_and(|format| !format.is_empty());
            let start = level
                .attribute("start-value")
                .and_then(|start| start.parse().ok())
                .unwrap_or(1);
            levels.push(is_numbered.then_some(start));
        }
        self.lists.insert(id.to_owned(), levels);
    }

    fn chain<'s>(&'s self, id: &str) -> impl Iterator<Item = &'s Style> {
        let next = |style: &&Style| self.styles.get(style.parent.as_ref()?);
        std::iter::successors(self.styles.get(id), next).take(CHAIN_MAX)
    }

    /// What the paragraph style `id` makes of a paragraph.
    pub(crate) fn role(&self, id: &str) -> Role {
        let named = self
            .chain(id)
            .map(|style| role_of_name(&style.name))
            .find(|role| *role != Role::Body);
        let own = || {
            let parent = self
                .chain(id)
                .last()
                .and_then(|style| style.parent.as_deref());
            role_of_name(&parent.unwrap_or(id).replace("_20_", " ").to_lowercase())
        };
        named.unwrap_or_else(own)
    }

    /// Whether the style `id` sets its words in letters of one width.
    pub(crate) fn is_mono(&self, id: &str) -> bool {
        self.chain(id).find_map(|style| style.mono) == Some(true)
    }

    /// Whether the character style `id` is for code inside a line.
    pub(crate) fn is_inline_code(&self, id: &str) -> bool {
        let names_code = |name: &str| {
            let name = name.replace("_20_", " ").replace('_', " ").to_lowercase();
            role_of_name(&name) == Role::Code
                || matches!(
                    name.as_str(),
                    "source text" | "teletype" | "user entry" | "example"
                )
        };
        self.chain(id).any(|style| names_code(&style.name)) || names_code(id)
    }

    /// What the style `id` says of stress and hiding.
    pub(crate) fn format(&self, id: &str) -> (Option<bool>, Option<bool>, bool) {
        let find = |of: fn(&Style) -> Option<bool>| self.chain(id).find_map(of);
        (
            find(|style| style.bold),
            find(|style| style.italic),
            find(|style| style.hidden) == Some(true),
        )
    }

    /// The list style that a paragraph style brings.
    pub(crate) fn list_of(&self, id: &str) -> Option<&str> {
        self.chain(id).find_map(|style| style.list.as_deref())
    }

    /// Where the numbers of a list start at `level` (from 0); `None` for bullets.
    pub(crate) fn start(&self, list: &str, level: usize) -> Option<u64> {
        self.lists.get(list)?.get(level).copied().flatten()
    }
}
