//! Tells what the styles of a Word document mean: headings in any language, code, quotations, lists, what is only furniture.

use crate::office::role::{Role, role_of_name};
use crate::office::runs::is_monospaced;
use crate::xml_tree::{Element, Tree};
use std::collections::HashMap;

/// Styles that build on one another are followed this far.
const CHAIN_MAX: usize = 16;
/// A style.
#[derive(Debug, Default)]
struct Style {
    name: String,
    based_on: Option<String>,
    outline: Option<u8>,
    numbering: Option<(Option<u32>, Option<usize>)>,
    mono: Option<bool>,
    bold: Option<bool>,
    italic: Option<bool>,
    hidden: Option<bool>,
}

/// The styles of a document.
#[derive(Debug, Default)]
pub(crate) struct Styles {
    styles: HashMap<String, Style>,
}

impl Styles {
    /// Reads `styles.xml`.
    pub(crate) fn read(tree: Option<&Tree>) -> Self {
        let mut styles = HashMap::new();
        let all = tree.into_iter().flat_map(|tree| tree.root().all("style"));
        for element in all {
            let Some(id) = element.attribute("styleId") else {
                continue;
            };
            let name = element.val(&["name"]).unwrap_or(id);
            let paragraph = element.child("pPr");
            let run = element.child("rPr");
            let style = Style {
                name: name.trim().to_lowercase(),
                based_on: element.val(&["basedOn"]).map(str::to_owned),
                outline: paragraph.and_then(outline_of),
                numbering: paragraph.and_then(numbering_of),
                mono: run.and_then(mono_of),
                bold: run.and_then(|run| switch(run, "b")),
                italic: run.and_then(|run| switch(run, "i")),
                hidden: run.and_then(|run| switch(run, "vanish")),
            };
            styles.insert(id.to_owned(), style);
        }
        Self { styles }
    }

    fn chain<'s>(&'s self, id: &str) -> impl Iterator<Item = &'s Style> {
        let next = |style: &&Style| self.styles.get(style.based_on.as_ref()?);
        std::iter::successors(self.styles.get(id), next).take(CHAIN_MAX)
    }

    /// What the paragraph style `id` makes of a paragraph.
    pub(crate) fn role(&self, id: &str) -> Role {
        let mut named = self
            .chain(id)
            .map(|style| role_of_name(&style.name))
            .find(|role| *role != Role::Body);
        // A style that is not there still has a telling id: `Heading1`.
        if !self.styles.contains_key(id) {
            named = Some(role_of_name(&id.to_lowercase()));
        }
        match named {
            Some(role) if role != Role::Body => role,
            _ => match self.chain(id).find_map(|style| style.outline) {
                Some(level @ 0..=8) => Role::Heading(level + 1),
                _ => Role::Body,
            },
        }
    }

    /// The list and level that the style `id` puts its paragraphs into.
    pub(crate) fn numbering(&self, id: &str) -> Option<(Option<u32>, Option<usize>)> {
        self.chain(id).find_map(|style| style.numbering)
    }

    /// Whether the style `id` sets its words in letters of one width.
    pub(crate) fn is_mono(&self, id: &str) -> bool {
        self.chain(id).find_map(|style| style.mono) == Some(true)
    }

    /// Whether the character style `id` is for code inside a line.
    pub(crate) fn is_inline_code(&self, id: &str) -> bool {
        self.is_mono(id)
            || self
                .chain(id)
                .any(|style| role_of_name(&style.name) == Role::Code)
    }

    /// Whether the style `id` stresses strongly, stresses, hides.
    pub(crate) fn format(&self, id: &str) -> (bool, bool, bool) {
        let is = |of: fn(&Style) -> Option<bool>| self.chain(id).find_map(of) == Some(true);
        (
            is(|style| style.bold),
            is(|style| style.italic),
            is(|style| style.hidden),
        )
    }
}

/// The outline level in paragraph properties.
pub(crate) fn outline_of(properties: Element<'_>) -> Option<u8> {
    properties
        .child("outlineLvl")?
        .attribute("val")?
        .parse()
        .ok()
}

/// The list and level in paragraph properties.
pub(crate) fn numbering_of(properties: Element<'_>) -> Option<(Option<u32>, Option<usize>)> {
    let numbering = properties.child("numPr")?;
    let value = |name| numbering.val(&[name]);
    Some((
        value("numId").and_then(|id| id.parse().ok()),
        value("ilvl").and_then(|level| level.parse().ok()),
    ))
}

/// Whether run properties ask for letters of one width; `None` when they name no font.
pub(crate) fn mono_of(properties: Element<'_>) -> Option<bool> {
    let fonts = properties.child("rFonts")?;
    let name = ["ascii", "hAnsi", "cs"]
        .iter()
        .find_map(|place| fonts.attribute(&format!("w:{place}")))?;
    Some(is_monospaced(name))
}

/// A property that is on, off or not told.
pub(crate) fn switch(properties: Element<'_>, name: &str) -> Option<bool> {
    let value = properties.child(name)?.attribute("val");
    Some(!matches!(value, Some("0" | "false" | "off" | "none")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_style_is_what_it_builds_on() {
        let tree = Tree::read(
            br#"<w:styles xmlns:w="w"><w:style w:styleId="1"><w:name w:val="Kapitel"/><w:basedOn w:val="2"/></w:style>
            <w:style w:styleId="2"><w:name w:val="Abschnitt"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
            <w:style w:styleId="a"><w:name w:val="A"/><w:basedOn w:val="a"/><w:rPr><w:rFonts w:ascii="Consolas"/></w:rPr></w:style></w:styles>"#,
        );
        let styles = Styles::read(tree.as_ref());
        assert_eq!(styles.role("1"), Role::Heading(2));
        assert_eq!(styles.role("a"), Role::Body);
        assert!(styles.is_mono("a"));
        assert_eq!(styles.role("Heading4"), Role::Heading(4));
    }
}
