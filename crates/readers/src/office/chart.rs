//! Reads a chart of an Office Open XML document as the table that it is drawn from: a row for each category, a column for each series.

use crate::office::assemble::{Piece, What};
use crate::office::grid::Grid;
use crate::office::number_format::{NumberFormat, number};
use crate::xml_tree::Element;
use skillkiln_document::text::{Inline, squash};
use std::collections::BTreeMap;

/// Points of a series that are read, as many as a table of two columns may have rows.
const POINTS_MAX: usize = 100_000;
/// Series that are read.
const SERIES_MAX: usize = 64;

/// The values of one series, or its categories, by their place.
type Points = BTreeMap<usize, String>;

/// The chart whose part begins with `root`: its table under its title. A chart that keeps no values is its title.
pub(crate) fn piece(root: Element<'_>) -> Option<Piece> {
    let chart = root.child("chart")?;
    let from_1904 = root
        .child("date1904")
        .is_some_and(|date| matches!(date.attribute("val"), None | Some("1" | "true")));
    let points = |element: Option<Element<'_>>| {
        element.map_or_else(Points::new, |found| points_of(found, from_1904))
    };
    let mut categories = Points::new();
    let mut columns: Vec<(String, Points)> = Vec::new();
    for series in chart.inside("ser").into_iter().take(SERIES_MAX) {
        let own = points(series.child("cat").or_else(|| series.child("xVal")));
        for (at, name) in own {
            categories.entry(at).or_insert(name);
        }
        let name = series.child("tx").map(words).unwrap_or_default();
        for kind in ["val", "yVal", "bubbleSize"] {
            let values = points(series.child(kind));
            if !values.is_empty() {
                columns.push((name.clone(), values));
            }
        }
    }
    let plot = chart.child("plotArea");
    let axes = |names: &[&str]| -> Vec<String> {
        let all = plot.into_iter().flat_map(Element::elements);
        let those = all.filter(|axis| names.contains(&axis.name()));
        let titles = those.filter_map(|axis| Some(words(axis.child("title")?)));
        titles.filter(|title| !title.is_empty()).collect()
    };
    let title = chart.child("title").map(words).unwrap_or_default();
    let measured = axes(&["valAx"]);
    let caption: Vec<String> = std::iter::once(title)
        .chain(measured)
        .filter(|words| !words.is_empty())
        .collect();
    let caption = text(&caption.join(" – "));
    let mut grid = Grid::default();
    grid.cell(text(&axes(&["catAx", "dateAx"]).join(", ")), 1);
    for (name, _) in &columns {
        grid.cell(text(name), 1);
    }
    grid.end_row(true);
    let mut rows: Vec<usize> = columns
        .iter()
        .flat_map(|(_, values)| values.keys().copied())
        .collect();
    rows.sort_unstable();
    rows.dedup();
    for at in rows {
        grid.cell(text(categories.get(&at).map_or("", String::as_str)), 1);
        for (_, values) in &columns {
            grid.cell(text(values.get(&at).map_or("", String::as_str)), 1);
        }
        grid.end_row(false);
    }
    let table = if columns.is_empty() {
        None
    } else {
        grid.finish(true)
    };
    let what = match table {
        Some(What::Table {
            header,
            rows,
            caption: cut,
        }) => What::Table {
            header,
            rows,
            caption: cut.or((!caption.is_empty()).then_some(caption)),
        },
        _ if caption.is_empty() => return None,
        _ => What::Paragraph(caption),
    };
    Some(Piece::new(what))
}

fn text(words: &str) -> Vec<Inline> {
    match words {
        "" => Vec::new(),
        words => vec![Inline::Text(words.to_owned())],
    }
}

/// The words of a title or a name, as they are written there or were taken from a cell.
fn words(element: Element<'_>) -> String {
    let lines = element.inside("p");
    let parts = if lines.is_empty() {
        element.inside("v")
    } else {
        lines
    };
    let parts = parts.into_iter().map(|part| squash(&part.text()));
    parts
        .filter(|part| !part.is_empty())
        .collect::<Vec<String>>()
        .join(" ")
}

/// The points of a series, shown as their format says; categories on several levels are one, the outermost first.
fn points_of(element: Element<'_>, from_1904: bool) -> Points {
    let format = element
        .inside("formatCode")
        .first()
        .map(|format| NumberFormat::of(&format.text()));
    let is_number = !element.inside("numCache").is_empty() || !element.inside("numLit").is_empty();
    let mut points = Points::new();
    let levels = element.inside("lvl");
    let (inner, outer) = match levels.split_first() {
        Some((inner, outer)) => (*inner, outer),
        None => (element, [].as_slice()),
    };
    for (at, value) in points_in(inner) {
        let found = value.parse::<f64>().ok().filter(|_| is_number);
        let shown = found.map(|found| match &format {
            Some(format) => format.shown(found, from_1904),
            None => number(found),
        });
        points.insert(at, shown.unwrap_or(value));
    }
    // An outer category holds for all points until the next.
    for level in outer {
        let names: Points = points_in(*level).collect();
        for (at, value) in &mut points {
            if let Some((_, name)) = names.range(..=at).next_back() {
                *value = format!("{name}, {value}");
            }
        }
    }
    points
}

fn points_in(element: Element<'_>) -> impl Iterator<Item = (usize, String)> {
    element
        .inside("pt")
        .into_iter()
        .take(POINTS_MAX)
        .filter_map(|point| {
            let at = point.attribute("idx")?.parse().ok()?;
            Some((at, squash(&point.child("v")?.text())))
        })
}
