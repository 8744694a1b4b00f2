//! Reads what a slide or a page shows as a drawing and a part of its own holds as data: charts and diagrams.

use crate::office::assemble::{Item, Piece, What};
use crate::office::chart;
use crate::office::opc::Relationship;
use crate::package::Package;
use crate::xml_tree::Element;
use skillkiln_document::failure::Failure;
use skillkiln_document::text::{Inline, squash};
use std::collections::HashMap;

/// The charts and diagrams of a part, by the ids that it refers to them with.
///
/// # Errors
/// When one is too large.
pub(crate) fn parts(
    package: &mut Package<'_>,
    relationships: &HashMap<String, Relationship>,
) -> Result<HashMap<String, Vec<Piece>>, Failure> {
    let mut parts = HashMap::new();
    for (id, found) in relationships.iter().filter(|(_, found)| !found.is_external) {
        let read: fn(Element<'_>) -> Vec<Piece> = match found.kind.as_str() {
            "chart" => |root| chart::piece(root).into_iter().collect(),
            "diagramData" => diagram,
            _ => continue,
        };
        if let Some(tree) = package.xml(&found.target)? {
            parts.insert(id.clone(), read(tree.root()));
        }
    }
    Ok(parts)
}

/// Those of `parts` that `frame` shows.
pub(crate) fn taken(frame: Element<'_>, parts: &mut HashMap<String, Vec<Piece>>) -> Vec<Piece> {
    let names = [("chart", "r:id"), ("relIds", "r:dm")];
    let ids = names.iter().flat_map(|(element, attribute)| {
        let found = frame.inside(element).into_iter();
        found.filter_map(|element| element.attribute(attribute))
    });
    ids.filter_map(|id| parts.remove(id)).flatten().collect()
}

/// The words of a drawn diagram, in the order of its points.
fn diagram(root: Element<'_>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for point in root.inside("pt") {
        let words = point.child("t").map(|text| {
            let lines: Vec<String> = text.all("p").map(|line| squash(&line.text())).collect();
            lines.join(" ")
        });
        if let Some(words) = words.filter(|words| !words.trim().is_empty()) {
            pieces.push(Piece {
                item: Some(Item {
                    level: 0,
                    number: None,
                    continues: false,
                }),
                ..Piece::new(What::Paragraph(vec![Inline::Text(words)]))
            });
        }
    }
    pieces
}
