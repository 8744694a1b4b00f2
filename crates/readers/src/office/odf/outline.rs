//! Counts the headings of an OpenDocument text as its outline style says: `2.1` before the first heading below the second.

use crate::office::ordinal::Format;
use crate::xml_tree::{Element, Tree};

/// Levels of headings that are counted.
const LEVELS: usize = 10;

/// How the headings of a level are numbered.
#[derive(Debug)]
struct Level {
    /// `None` where they have no number.
    format: Option<Format>,
    prefix: String,
    suffix: String,
    /// How many levels the number shows, its own the last.
    shown: usize,
    start: u64,
}

/// The numbers of the headings, as far as they are counted.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    levels: Vec<Level>,
    counts: [Option<u64>; LEVELS],
}

impl Outline {
    /// Reads the outline style in `styles.xml`.
    pub(crate) fn read(common: Option<&Tree>) -> Self {
        let style = common.and_then(|tree| tree.root().at(&["styles", "outline-style"]));
        let levels = style
            .into_iter()
            .flat_map(|style| style.all("outline-level-style"));
        Self {
            levels: levels.take(LEVELS).map(level_in).collect(),
            counts: [None; LEVELS],
        }
    }

    /// Counts a heading of `level`, from 1: the number that is shown before it.
    pub(crate) fn label(&mut self, level: usize) -> Option<String> {
        let at = level.checked_sub(1)?;
        let own = self.levels.get(at)?;
        let count = self.counts.get_mut(at)?;
        *count = Some(count.map_or(own.start, |count| count + 1));
        self.counts
            .iter_mut()
            .skip(level)
            .for_each(|count| *count = None);
        own.format?;
        let counted = self.levels.iter().zip(self.counts).take(level);
        let numbers = counted
            .skip(level.saturating_sub(own.shown))
            .filter_map(|(level, count)| Some(level.format?.write(count.unwrap_or(level.start))));
        let numbers: Vec<String> = numbers.collect();
        Some(
            format!("{}{}{}", own.prefix, numbers.join("."), own.suffix)
                .trim()
                .to_owned(),
        )
    }
}

fn level_in(level: Element<'_>) -> Level {
    let number = |name: &str| {
        level
            .attribute(name)
            .and_then(|value| value.parse::<u64>().ok())
    };
    let words = |name: &str| level.attribute(name).unwrap_or("").to_owned();
    Level {
        format: level
            .attribute("num-format")
            .filter(|format| !format.is_empty())
            .map(Format::named),
        prefix: words("num-prefix"),
        suffix: words("num-suffix"),
        shown: number("display-levels")
            .and_then(|shown| usize::try_from(shown).ok())
            .unwrap_or(1),
        start: number("start-value").unwrap_or(1),
    }
}
