//! Finds the parts of an Office Open XML document by their relationships, and reads what it says of itself.

use crate::package::{Package, joined};
use crate::xml_tree::Tree;
use skillkiln_document::blocks::About;
use skillkiln_document::failure::Failure;
use skillkiln_document::text::squash;
use std::collections::HashMap;

/// Where a relationship leads.
#[derive(Debug, Clone)]
pub(crate) struct Relationship {
    /// The last word of its type: `hyperlink`, `slide`, `footnotes`.
    pub(crate) kind: String,
    /// A part's name, or an address when it is external.
    pub(crate) target: String,
    /// Whether it leads out of the document.
    pub(crate) is_external: bool,
}

/// The relationships of the part `from`, by their ids; the document's own for an empty name.
///
/// # Errors
/// When the part is damaged or too large.
pub(crate) fn relationships(
    package: &mut Package<'_>,
    from: &str,
) -> Result<HashMap<String, Relationship>, Failure> {
    let (folder, name) = from.rsplit_once('/').unwrap_or(("", from));
    let part = joined("", &format!("{folder}/_rels/{name}.rels"));
    let tree = package.xml(&part)?;
    let all = tree
        .iter()
        .flat_map(|tree| tree.root().all("Relationship"))
        .filter_map(|element| {
            let target = element.attribute("Target")?;
            let is_external = element
                .attribute("TargetMode")
                .is_some_and(|mode| mode.eq_ignore_ascii_case("external"));
            let kind = element.attribute("Type").unwrap_or("");
            Some((
                element.attribute("Id")?.to_owned(),
                Relationship {
                    kind: kind.rsplit('/').next().unwrap_or("").to_owned(),
                    target: if is_external {
                        target.to_owned()
                    } else {
                        joined(from, target)
                    },
                    is_external,
                },
            ))
        })
        .collect();
    Ok(all)
}

/// The name of the document's main part.
///
/// # Errors
/// As [`relationships`].
pub(crate) fn main_part(package: &mut Package<'_>) -> Result<Option<String>, Failure> {
    let relationships = relationships(package, "")?;
    let found = relationships
        .into_values()
        .find(|relationship| relationship.kind == "officeDocument");
    Ok(found.map(|relationship| relationship.target))
}

/// The part that `relationships` lead to by a kind, as XML.
///
/// # Errors
/// As [`relationships`].
pub(crate) fn part_of_kind(
    package: &mut Package<'_>,
    relationships: &HashMap<String, Relationship>,
    kind: &str,
) -> Result<Option<Tree>, Failure> {
    let found = relationships
        .values()
        .find(|relationship| relationship.kind == kind && !relationship.is_external);
    match found {
        Some(relationship) => package.xml(&relationship.target),
        None => Ok(None),
    }
}

/// The document's title and what else its properties say.
///
/// # Errors
/// As [`relationships`].
pub(crate) fn properties(package: &mut Package<'_>) -> Result<(Option<String>, About), Failure> {
    let relationships = relationships(package, "")?;
    let part = part_of_kind(package, &relationships, "core-properties")?;
    let value = |name: &str| {
        let text = squash(&part.as_ref()?.root().child(name)?.text());
        Some(text).filter(|text| !text.is_empty())
    };
    let title = value("title").filter(|title| !is_no_title(title));
    let about = About {
        author: value("creator").filter(|author| author != "python-docx"),
        date: value("created").or_else(|| value("modified")),
        language: value("language").filter(|tag| (2..=35).contains(&tag.len())),
        description: value("description").filter(|words| !words.starts_with("generated ")),
        ..About::default()
    };
    Ok((title, about))
}

/// Titles that programs fill in.
fn is_no_title(title: &str) -> bool {
    let lower = title.to_lowercase();
    lower.starts_with("microsoft word - ")
        || lower.starts_with("untitled")
        || matches!(
            lower.as_str(),
            "powerpoint presentation"
                | "powerpoint-präsentation"
                | "presentation"
                | "document"
                | "word document"
        )
}

/// A link's address when it leads somewhere a reader can go.
pub(crate) fn address(target: &str) -> Option<String> {
    let target = target.trim();
    let lower = target.to_ascii_lowercase();
    ["http://", "https://", "mailto:"]
        .iter()
        .any(|scheme| lower.starts_with(scheme))
        .then(|| target.to_owned())
}
