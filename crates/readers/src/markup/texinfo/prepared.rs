//! Takes out of a Texinfo source what is no text of it: comments, macros, what is meant for other outputs, the title page.

use super::{Names, command};
use crate::markup::lines::Line;
use std::collections::HashMap;

/// What is said of a menu takes no more lines.
const MENU_LINES_MAX: usize = 8;

/// A source as it is read.
#[derive(Default)]
pub(super) struct Prepared<'a> {
    pub(super) lines: Vec<Line<'a>>,
    pub(super) names: Names,
    pub(super) title: Option<Line<'a>>,
    pub(super) author: Option<Line<'a>>,
    pub(super) description: Option<Line<'a>>,
}

/// What is left out whole.
fn is_left_out(name: &str) -> bool {
    matches!(
        name,
        "ignore"
            | "tex"
            | "iftex"
            | "html"
            | "ifhtml"
            | "xml"
            | "ifxml"
            | "docbook"
            | "ifdocbook"
            | "latex"
            | "iflatex"
            | "macro"
            | "rmacro"
            | "linemacro"
            | "menu"
            | "detailmenu"
            | "direntry"
            | "ifnotinfo"
            | "ifnotplaintext"
            | "titlepage"
            | "copying"
            | "documentdescription"
    )
}

/// The lines of a source that are text, and what it says of itself.
pub(super) fn of<'a>(raw: &[Line<'a>]) -> Prepared<'a> {
    let ends = ends(raw);
    let mut prepared = Prepared::default();
    let mut titled = None;
    let mut is_begun = false;
    let mut at = 0;
    while let Some(line) = raw.get(at) {
        at += 1;
        let Some((name, behind)) = command(line) else {
            // Before the first command stands what only TeX reads.
            let is_for_tex = line.text.starts_with("\\input ")
                || !is_begun && line.text.starts_with(['%', '\\']);
            if !is_for_tex {
                prepared.lines.push(without_comment(*line));
            }
            continue;
        };
        is_begun = true;
        let end = ends.get(&(at - 1)).copied();
        match name {
            "c" | "comment" => {}
            "bye" => break,
            "verbatim" => {
                let end = end.unwrap_or(at);
                let shown = raw.get(at - 1..=end).unwrap_or_default();
                prepared.lines.extend(shown);
                at = end + 1;
            }
            "settitle" if prepared.title.is_none() && !behind.is_blank() => {
                prepared.title = Some(without_comment(behind));
            }
            "set" => prepared.names.set(behind.words()),
            "clear" => prepared.names.clear(behind.words()),
            "ifset" | "ifclear" | "ifcommanddefined" | "ifcommandnotdefined" => {
                let is_set = prepared.names.is_set(behind.words());
                let holds = match name {
                    "ifset" => is_set,
                    "ifclear" => !is_set,
                    _ => name == "ifcommandnotdefined",
                };
                if let Some(end) = end.filter(|_| !holds) {
                    at = end + 1;
                }
            }
            "end"
                if matches!(
                    behind.words(),
                    "ifset" | "ifclear" | "ifcommanddefined" | "ifcommandnotdefined"
                ) => {}
            // Older manuals say there what later ones do in `@copying`.
            "ifinfo" | "ifnottex" if end.is_some_and(|end| tells_rights(raw.get(at..end))) => {
                let end = end.unwrap_or(at);
                let inside = raw.get(at..end).unwrap_or_default();
                prepared.lines.extend(before_rights(inside));
                at = end + 1;
            }
            "ifinfo" | "ifnottex" if end.is_some_and(|end| tells_of_menu(raw, at, end)) => {
                at = end.unwrap_or(at) + 1;
            }
            _ if is_left_out(name) && end.is_some() => {
                let end = end.unwrap_or(at);
                let inside = raw.get(at..end).unwrap_or_default();
                match name {
                    "macro" | "rmacro" => prepared.names.define(behind.words(), inside),
                    "titlepage" => {
                        let find = |wanted: &str| {
                            inside
                                .iter()
                                .filter_map(command)
                                .find(|(name, behind)| *name == wanted && !behind.is_blank())
                                .map(|(_, behind)| without_comment(behind))
                        };
                        titled = titled.or_else(|| find("title"));
                        prepared.author = prepared.author.or_else(|| find("author"));
                    }
                    "documentdescription" => {
                        prepared.description = inside.iter().find(|line| !line.is_blank()).copied();
                    }
                    "copying" => prepared.lines.extend(before_rights(inside)),
                    _ => {}
                }
                at = end + 1;
                prepared.lines.push(Line {
                    start: line.start,
                    text: "",
                });
            }
            _ => prepared.lines.push(without_comment(*line)),
        }
    }
    // "zsh" is what the pages' heads say, and "The Z Shell Manual" what the manual is called.
    prepared.title = match (prepared.title, titled) {
        (Some(short), Some(long)) if words_of(short) == 1 && words_of(long) > 2 => Some(long),
        (title, titled) => title.or(titled),
    };
    prepared
}

fn words_of(line: Line<'_>) -> usize {
    line.text.split_whitespace().count()
}

/// The lines before a manual's rights, which say what it is of.
fn before_rights<'a>(lines: &[Line<'a>]) -> impl Iterator<Item = Line<'a>> {
    lines
        .iter()
        .take_while(|line| {
            let lower = line.text.to_lowercase();
            !lower.contains("copyright") && !lower.contains("@quotation")
        })
        .copied()
}

/// Whether lines say whose a manual is and who may copy it, and are no chapter.
fn tells_rights(lines: Option<&[Line<'_>]>) -> bool {
    let lines = lines.unwrap_or_default();
    let holds = |words: &str| {
        lines
            .iter()
            .any(|line| line.text.to_lowercase().contains(words))
    };
    !lines
        .iter()
        .any(|line| command(line).is_some_and(|(name, _)| name == "node"))
        && holds("copyright")
        && holds("permission")
}

/// Whether the lines from `from` to `end` are words about the menu that stands right below them.
fn tells_of_menu(raw: &[Line<'_>], from: usize, end: usize) -> bool {
    let inside = raw.get(from..end).unwrap_or_default();
    let below = raw.get(end + 1..).unwrap_or_default();
    let next = below.iter().find(|line| !line.is_blank());
    inside.len() <= MENU_LINES_MAX
        && inside.iter().any(|line| line.text.contains("menu"))
        && !inside.iter().any(|line| command(line).is_some())
        && next
            .and_then(command)
            .is_some_and(|(name, _)| name == "menu")
}

/// A line without the comment at its end.
fn without_comment(line: Line<'_>) -> Line<'_> {
    let cut = [" @c ", " @comment "]
        .iter()
        .filter_map(|mark| line.text.find(mark))
        .min();
    Line {
        start: line.start,
        text: cut.map_or(line.text, |cut| line.text.get(..cut).unwrap_or("")),
    }
}

/// Where what begins on a line ends: the line of the `@end` with its name, what of the same name stands between counted.
pub(super) fn ends(lines: &[Line<'_>]) -> HashMap<usize, usize> {
    let mut open: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut ends = HashMap::new();
    // What is shown to the letter holds no commands.
    let mut verbatim = None;
    for (at, line) in lines.iter().enumerate() {
        let Some((name, behind)) = command(line) else {
            continue;
        };
        let closed = (name == "end").then(|| behind.words().split(' ').next().unwrap_or(""));
        if let Some(inside) = verbatim {
            if closed == Some(inside) {
                verbatim = None;
            } else {
                continue;
            }
        }
        match closed {
            Some(closed) => {
                if let Some(begin) = open.get_mut(closed).and_then(Vec::pop) {
                    ends.insert(begin, at);
                }
            }
            None => {
                open.entry(name).or_default().push(at);
                if matches!(name, "verbatim" | "ignore" | "macro" | "rmacro" | "tex") {
                    verbatim = Some(name);
                }
            }
        }
    }
    ends
}
