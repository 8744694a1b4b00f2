//! Tells what the styles of an OpenDocument file mean, by their names and by what they build on.

use crate::office::labels::Label;
use crate::office::role::{Role, role_of_name};
use crate::office::runs::{Shift, is_monospaced};
use crate::office::symbols::is_symbol;
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
    symbol: Option<bool>,
    shift: Option<Shift>,
    /// The size of its letters, in tenths of a point.
    size: Option<u16>,
    centred: Option<bool>,
}

/// The styles of a document.
#[derive(Debug, Default)]
pub(crate) struct Styles {
    styles: HashMap<String, Style>,
    /// Which levels of a list are numbered, by its style's name.
    lists: HashMap<String, Vec<Option<u64>>>,
    /// The labels of its levels that are more than a number.
    labels: HashMap<String, Vec<Option<Label>>>,
    /// The size of letters that no style sets, in tenths of a point; 0 when it is not told.
    default_size: u16,
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
                        "default-style"
                            if element.attribute("style:family") == Some("paragraph") =>
                        {
                            let size = element
                                .child("text-properties")
                                .and_then(|text| text.attribute("fo:font-size"))
                                .and_then(size_of);
                            read.default_size = size.unwrap_or(read.default_size);
                        }
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
            hidden: property("text:display").map(|display| display == "none"),
            symbol: font.map(is_symbol),
            shift: property("text-position").map(shift_of),
            size: property("fo:font-size").and_then(size_of),
            centred: element
                .child("paragraph-properties")
                .and_then(|paragraph| paragraph.attribute("text-align"))
                .map(|align| align == "center"),
        };
        self.styles.insert(id.to_owned(), style);
    }

    fn list(&mut self, element: Element<'_>) {
        let Some(id) = element.attribute("style:name") else {
            return;
        };
        let mut levels = Vec::new();
        let mut labels = Vec::new();
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
            let part = |name: &str| level.attribute(name).unwrap_or("");
            labels.push(Label::new(
                part("num-prefix"),
                part("num-suffix"),
                part("num-format"),
            ));
        }
        self.lists.insert(id.to_owned(), levels);
        self.labels.insert(id.to_owned(), labels);
    }

    fn chain<'s>(&'s self, id: &str) -> impl Iterator<Item = &'s Style> {
        let mut next = self.styles.get(id);
        std::iter::from_fn(move || {
            let style = next?;
            next = style.parent.as_ref().and_then(|id| self.styles.get(id));
            Some(style)
        })
        .take(CHAIN_MAX)
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

    /// Whether the style `id` sets its words in the font "Symbol"; `None` when it names no font.
    pub(crate) fn is_symbol(&self, id: &str) -> Option<bool> {
        self.chain(id).find_map(|style| style.symbol)
    }

    /// The size of the letters that the style `id` sets, in tenths of a point.
    pub(crate) fn size(&self, id: &str) -> Option<u16> {
        self.chain(id).find_map(|style| style.size)
    }

    /// The size of letters that no style sets.
    pub(crate) fn default_size(&self) -> u16 {
        self.default_size
    }

    /// Whether the style `id` puts its lines in the middle.
    pub(crate) fn is_centred(&self, id: &str) -> bool {
        self.chain(id).find_map(|style| style.centred) == Some(true)
    }

    /// Where the style `id` puts its words beside the line.
    pub(crate) fn shift(&self, id: &str) -> Option<Shift> {
        self.chain(id).find_map(|style| style.shift)
    }

    /// The label of a list's level (from 0), when it is more than a number.
    pub(crate) fn label(&self, list: &str, level: usize) -> Option<&Label> {
        self.labels.get(list)?.get(level)?.as_ref()
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

/// Where a `text-position` puts words: `sub`, `super`, or so much of their height below or above the line. A small shift, or one of
/// letters as large as the others, only moves them.
fn shift_of(position: &str) -> Shift {
    let mut parts = position.split_whitespace();
    let height = parts.next().unwrap_or("");
    let percent = |part: &str| part.strip_suffix('%')?.parse::<f32>().ok();
    let is_smaller = parts
        .next()
        .and_then(percent)
        .is_some_and(|size| size < 100.0);
    match (height, percent(height)) {
        ("super", _) => Shift::Raised,
        ("sub", _) => Shift::Lowered,
        (_, Some(height)) if is_smaller && height >= 20.0 => Shift::Raised,
        (_, Some(height)) if is_smaller && height <= -20.0 => Shift::Lowered,
        _ => Shift::None,
    }
}

/// A size in points as tenths of a point; `None` for one that depends on another.
fn size_of(size: &str) -> Option<u16> {
    let points = size.trim().strip_suffix("pt")?.parse::<f32>().ok()?;
    // A page holds no letters of more than 600 points.
    (points > 0.0 && points < 600.0).then_some((points * 10.0).round() as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_smaller_letters_well_beside_the_line_stand_there() {
        for (position, shift) in [
            ("super 58%", Shift::Raised),
            ("sub", Shift::Lowered),
            ("33% 58%", Shift::Raised),
            ("-25% 58%", Shift::Lowered),
            ("-25% 100%", Shift::None),
            ("5% 58%", Shift::None),
            ("0% 100%", Shift::None),
        ] {
            assert_eq!(shift_of(position), shift, "{position}");
        }
    }
}
