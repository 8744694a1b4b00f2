//! Reads the objects of an OpenDocument file that are kept in parts of their own: formulas, and charts with the table they are drawn from.

use crate::office::assemble::What;
use crate::office::grid::Grid;
use crate::office::odf::rows::rows_of;
use crate::package::Package;
use crate::xml_tree::{Element, Tree};
use skillkiln_document::failure::Failure;
use skillkiln_document::text::{Inline, squash};
use std::collections::HashMap;

/// An object by what it shows.
pub(crate) enum Object {
    /// A formula, as TeX where it has it.
    Formula(String),
    /// A chart, as its table.
    Chart(What),
}

/// The objects of a document, by the name that the text refers to them with.
///
/// # Errors
/// When one is damaged or too large.
pub(crate) fn read(
    package: &mut Package<'_>,
    content: &Tree,
) -> Result<HashMap<String, Object>, Failure> {
    let mut objects = HashMap::new();
    for object in content.root().inside("object") {
        let Some(name) = object.attribute("xlink:href") else {
            continue;
        };
        let part = format!(
            "{}/content.xml",
            name.trim_start_matches("./").trim_end_matches('/')
        );
        let Some(tree) = package.xml(&part)? else {
            continue;
        };
        let root = tree.root();
        let found = if root.name() == "math" {
            Some(Object::Formula(formula(root)))
        } else {
            let chart = root.at(&["body", "chart", "chart"]);
            chart.and_then(chart_table).map(Object::Chart)
        };
        objects.extend(found.map(|found| (name.to_owned(), found)));
    }
    Ok(objects)
}

/// The table that a chart is drawn from, under the chart's title.
fn chart_table(chart: Element<'_>) -> Option<What> {
    let words = |element: Element<'_>| {
        let text = squash(&element.text());
        (!text.is_empty()).then(|| vec![Inline::Text(text)])
    };
    let mut grid = Grid::default();
    for (row, is_head) in rows_of(chart.child("table")?) {
        for cell in row.all("table-cell") {
            let said = cell.child("p").and_then(words);
            let value = || Some(vec![Inline::Text(cell.attribute("value")?.to_owned())]);
            grid.cell(said.or_else(value).unwrap_or_default(), 1);
        }
        grid.end_row(is_head);
    }
    match grid.finish(true)? {
        What::Table {
            header,
            rows,
            caption,
        } => Some(What::Table {
            header,
            rows,
            caption: caption.or_else(|| chart.child("title").and_then(words)),
        }),
        _ => None,
    }
}

/// A formula as TeX where it has it, else as its letters.
fn formula(math: Element<'_>) -> String {
    let annotation = math.inside("annotation").into_iter().find(|annotation| {
        annotation
            .attribute("encoding")
            .is_some_and(|encoding| encoding.to_lowercase().contains("tex"))
    });
    if let Some(annotation) = annotation {
        return squash(&annotation.text());
    }
    let mut letters = Vec::new();
    tokens(math, &mut letters);
    letters.join(" ")
}

fn tokens(element: Element<'_>, out: &mut Vec<String>) {
    for child in element.elements() {
        match child.name() {
            "annotation" => {}
            "mi" | "mn" | "mo" | "mtext" => out.push(squash(&child.text())),
            _ => tokens(child, out),
        }
    }
}
