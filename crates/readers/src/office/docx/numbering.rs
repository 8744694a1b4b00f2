//! Counts the items of a Word document's lists: which are numbered, and from where.

use crate::office::ordinal::Format;
use crate::xml_tree::{Element, Tree};
use std::collections::HashMap;

/// Levels of a list.
const LEVELS: usize = 9;

/// How a level is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// By a number that starts here.
    Number(u64),
    /// By a bullet.
    Bullet,
    /// By nothing: the paragraph goes on with the item before it.
    Nothing,
}

/// A level of a list.
#[derive(Debug, Clone)]
struct Level {
    mark: Mark,
    format: Format,
    /// What is written before its paragraphs: `%1.%2` stands for the numbers of two levels.
    text: String,
    /// Whether the numbers of the levels above are written in digits whatever their format.
    is_legal: bool,
}

/// The lists of a document, and how far each has counted.
#[derive(Debug, Default)]
pub(crate) struct Numbering {
    levels: HashMap<(u32, usize), Level>,
    lists: HashMap<u32, u32>,
    counts: HashMap<u32, [Option<u64>; LEVELS]>,
}

impl Numbering {
    /// Reads `numbering.xml`.
    pub(crate) fn read(tree: Option<&Tree>) -> Self {
        let mut numbering = Self::default();
        let Some(tree) = tree else {
            return numbering;
        };
        let id_of = |element: Element<'_>, name| element.attribute(name)?.parse::<u32>().ok();
        let mut kinds: HashMap<(u32, usize), Level> = HashMap::new();
        for kind in tree.root().all("abstractNum") {
            let Some(id) = id_of(kind, "abstractNumId") else {
                continue;
            };
            for level in kind.all("lvl") {
                if let Some(at) = level_of(level) {
                    kinds.insert((id, at), level_in(level));
                }
            }
        }
        for list in tree.root().all("num") {
            let kind = list
                .child("abstractNumId")
                .and_then(|kind| id_of(kind, "val"));
            let (Some(id), Some(kind)) = (id_of(list, "numId"), kind) else {
                continue;
            };
            let mut restarts = false;
            for level in 0..LEVELS {
                if let Some(found) = kinds.get(&(kind, level)) {
                    numbering.levels.insert((id, level), found.clone());
                }
            }
            for change in list.all("lvlOverride") {
                let Some(at) = level_of(change) else {
                    continue;
                };
                if let Some(level) = change.child("lvl") {
                    numbering.levels.insert((id, at), level_in(level));
                }
                let start = change.child("startOverride");
                if let Some(start) = start.and_then(|start| id_of(start, "val")) {
                    restarts = true;
                    if let Some(Level {
                        mark: Mark::Number(first),
                        ..
                    }) = numbering.levels.get_mut(&(id, at))
                    {
                        *first = u64::from(start);
                    }
                }
            }
            // Lists of one kind count on, unless one starts anew; `u32` keys below and above never meet.
            let counts_as = if restarts {
                id
            } else {
                kind.wrapping_add(1 << 31)
            };
            numbering.lists.insert(id, counts_as);
        }
        numbering
    }

    /// Counts an item of `list` at `level`: its mark, with its own number.
    pub(crate) fn next(&mut self, list: u32, level: usize) -> Mark {
        let level = level.min(LEVELS - 1);
        let mark = self.levels.get(&(list, level)).map(|level| level.mark);
        let Some(Mark::Number(first)) = mark else {
            return mark.unwrap_or(Mark::Bullet);
        };
        let counts_as = self.lists.get(&list).copied().unwrap_or(list);
        let counts = self.counts.entry(counts_as).or_default();
        let mut number = first;
        for (at, count) in counts.iter_mut().enumerate() {
            if at == level {
                number = count.map_or(first, |count| count + 1);
                *count = Some(number);
            } else if at > level {
                *count = None;
            }
        }
        Mark::Number(number)
    }

    /// Counts a heading of `list` at `level`: what is written before it, such as `2.1`; nothing where it has no number.
    pub(crate) fn label(&mut self, list: u32, level: usize) -> Option<String> {
        let Mark::Number(_) = self.next(list, level) else {
            return None;
        };
        let own = self.levels.get(&(list, level.min(LEVELS - 1)))?;
        let counts = self.counts.get(self.lists.get(&list).unwrap_or(&list))?;
        let mut label = own.text.clone();
        for (at, (count, place)) in counts.iter().zip(1..).enumerate() {
            let above = self.levels.get(&(list, at));
            // A level that no heading has counted yet is written with its first number.
            let first = match above.map(|level| level.mark) {
                Some(Mark::Number(first)) => first,
                _ => 1,
            };
            let format = above.map_or(Format::Digits, |level| level.format);
            let format = if own.is_legal { Format::Digits } else { format };
            label = label.replace(&format!("%{place}"), &format.write(count.unwrap_or(first)));
        }
        let label = label.trim();
        (!label.is_empty()).then(|| label.to_owned())
    }
}

fn level_of(element: Element<'_>) -> Option<usize> {
    element
        .attribute("ilvl")?
        .parse()
        .ok()
        .filter(|level| *level < LEVELS)
}

fn level_in(level: Element<'_>) -> Level {
    let value = |name| level.val(&[name]);
    let is_blank = value("lvlText").is_some_and(|text| text.trim().is_empty())
        && level.child("lvlPicBulletId").is_none();
    let mark = match value("numFmt") {
        _ if is_blank => Mark::Nothing,
        Some("none") => Mark::Nothing,
        Some("bullet") => Mark::Bullet,
        _ => Mark::Number(
            value("start")
                .and_then(|start| start.parse().ok())
                .unwrap_or(1),
        ),
    };
    Level {
        mark,
        format: Format::named(value("numFmt").unwrap_or("decimal")),
        text: value("lvlText").unwrap_or("").to_owned(),
        is_legal: level.child("isLgl").is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_count_on_and_start_anew() {
        let tree = Tree::read(
            br#"<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="0">
            <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
            <w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/><w:lvlText w:val="o"/></w:lvl>
            <w:lvl w:ilvl="2"><w:numFmt w:val="bullet"/><w:lvlText w:val=" "/></w:lvl></w:abstractNum>
            <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
            <w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="4"/></w:lvlOverride></w:num></w:numbering>"#,
        );
        let mut numbering = Numbering::read(tree.as_ref());
        let marks = [(1, 0), (1, 1), (1, 0), (2, 0), (1, 0), (1, 2)]
            .map(|(list, level)| numbering.next(list, level));
        assert_eq!(
            marks,
            [
                Mark::Number(1),
                Mark::Bullet,
                Mark::Number(2),
                Mark::Number(4),
                Mark::Number(3),
                Mark::Nothing
            ]
        );
    }
}
