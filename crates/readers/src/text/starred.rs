//! Finds the headings of outlines that Emacs folds, as the news of programs are written: stars at the left edge, one for each level.

use super::{Line, lists};

/// Levels that outlines have.
const LEVELS_MAX: usize = 5;
/// So many headings without a mode line are no accident.
const HEADS_MIN: usize = 2;
/// Of so many lines with stars, one may be an item.
const ITEM_OF: usize = 10;
/// A heading that is not longer, in characters, is not broken into lines.
const BROKEN_CHARS_MIN: usize = 55;

/// Whether a text says at its top that it is an outline.
pub(super) fn is_outline(text: &str) -> bool {
    let mut top = text.lines().take(3);
    top.any(|line| line.contains("-*-") && line.contains("outline"))
}

/// Takes what tells an editor how to show the text from its first line.
pub(super) fn clear(lines: &mut [Line<'_>]) {
    let Some(first) = lines.iter_mut().find(|line| !line.words.is_empty()) else {
        return;
    };
    let inner = first.words.strip_suffix("-*-");
    if let Some((words, _)) = inner.and_then(|inner| inner.rsplit_once("-*-")) {
        first.words = words.trim_end();
        first.range.end = first.range.start + first.words.len();
    }
}

/// The level of what one star heads, where stars head at all: below the title, or highest.
pub(super) fn base(lines: &[Line<'_>], is_outline: bool) -> Option<u8> {
    let is_starred = |line: &&Line<'_>| stars(line).is_some();
    let all = lines.iter().filter(is_starred).count();
    if all == 0 || !is_outline && !heads(lines, all) {
        return None;
    }
    let first = lines.iter().find(|line| !line.words.is_empty())?;
    // One that stands alone above all others is the title.
    let outermost = lines.iter().filter(|line| stars(line) == Some(1)).count();
    Some(if stars(first) == Some(1) && outermost == 1 {
        1
    } else {
        2
    })
}

/// Where the items begin in an outline, in bytes: at the first line, below all headings within headings, that leads with a colon to a
/// star. From there on one star heads nothing, whatever is below it.
pub(super) fn items_from(lines: &[Line<'_>]) -> usize {
    let inner = lines
        .iter()
        .rposition(|line| stars(line).is_some_and(|depth| depth > 1));
    let rest = lines
        .get(inner.map_or(0, |at| at + 1)..)
        .unwrap_or_default();
    let lead = (0..rest.len()).find(|at| rest.get(*at..).is_some_and(leads));
    lead.and_then(|at| rest.get(at))
        .map_or(usize::MAX, |line| line.range.start)
}

/// Whether `lines` begin with a line at the margin that leads with a colon to a star.
pub(super) fn leads(lines: &[Line<'_>]) -> bool {
    let is_lead = |line: &Line<'_>| {
        line.indent == 0 && line.words.ends_with(':') && lists::marker(line.words).is_none()
    };
    let Some((first, below)) = lines.split_first() else {
        return false;
    };
    let next = below.iter().find(|line| !line.words.is_empty());
    is_lead(first) && next.and_then(stars) == Some(1)
}

/// Whether `all` the lines with stars head what is below them: with further stars, or each over a list.
fn heads(lines: &[Line<'_>], all: usize) -> bool {
    let (mut inner, mut outer, mut dated, mut other) = (0, 0, 0, 0);
    for (at, line) in lines.iter().enumerate() {
        let Some(depth) = stars(line) else { continue };
        let above = at.checked_sub(1).and_then(|above| lines.get(above));
        let below = lines.get(at + 1);
        let is_below = above.is_none_or(|above| {
            above.words.is_empty() || stars(above).is_some_and(|above| above < depth)
        });
        let is_over = below.is_some_and(|below| {
            below.words.is_empty()
                || below.words.starts_with("- ")
                || stars(below).is_some_and(|below| below > depth)
        });
        if !is_below || !is_over || line.words.ends_with(['.', ',', ';']) {
            other += 1;
            continue;
        }
        let next = lines
            .iter()
            .skip(at + 1)
            .find(|line| !line.words.is_empty());
        let is_list = next.is_some_and(|next| next.indent <= 2 && next.words.starts_with("- "));
        let is_dated = is_list && line.words.contains(|c: char| c.is_ascii_digit());
        inner += usize::from(depth > 1);
        outer += usize::from(depth == 1);
        dated += usize::from(depth == 1 && is_dated);
    }
    // Among many headings, a few lines may be items.
    let is_outline = outer > 0 && inner >= HEADS_MIN && other * ITEM_OF <= all;
    is_outline || dated >= HEADS_MIN && dated == all
}

/// The number of stars that a line begins with, when they may make a heading of it.
fn stars(line: &Line<'_>) -> Option<usize> {
    let words = line.words.trim_start_matches('*');
    let count = line.words.len() - words.len();
    let is_named = words
        .strip_prefix(' ')
        .is_some_and(|words| words.contains(char::is_alphanumeric));
    (line.indent == 0 && (1..=LEVELS_MAX).contains(&count) && is_named).then_some(count)
}

/// The level of the heading that `lines` begin with, and its words; `base` is the level of one star.
pub(super) fn heading<'a>(lines: &[Line<'a>], base: u8) -> Option<(u8, &'a str)> {
    let line = lines.first()?;
    let depth = stars(line)?;
    // A sentence, one that is broken into lines, and one of several below each other are items.
    let is_item = |below: &Line<'_>| match stars(below) {
        Some(next) => depth == 1 && next == 1,
        None if below.words.is_empty() || lists::marker(below.words).is_some() => false,
        None => {
            let is_ended = line.words.ends_with(['.', ':', '!', '?', ')', ']']);
            let is_long = line.words.chars().count() >= BROKEN_CHARS_MIN;
            let leads = line.words.ends_with(':') && below.indent > 0;
            leads || below.words.starts_with(char::is_lowercase) || is_long && !is_ended
        }
    };
    let is_sentence = depth == 1 && line.words.ends_with('.');
    let level = usize::from(base) + depth - 1;
    (!is_sentence && !lines.get(1).is_some_and(is_item)).then(|| {
        let words = line.words.trim_start_matches('*').trim_start();
        (u8::try_from(level).unwrap_or(6).min(6), words)
    })
}

#[cfg(test)]
mod tests {
    use crate::text::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn an_item_among_many_headings_does_not_make_items_of_them() {
        let release =
            "* Changes in release 3\n\nIt is hot.\n\n** New\n- oak\n\n** Other\n- ash\n\n";
        let source = format!("Kiln NEWS\n\n{}* It burns.\n", release.repeat(4));
        let text = write(&read(source).blocks);
        assert!(
            text.contains("## Changes in release 3\n\nIt is hot.\n\n### New\n\n- oak\n"),
            "{text}"
        );
        assert!(text.ends_with("- It burns.\n"), "{text}");
        let items = "It has:\n\n* oak.\n* ash,\n  and elm.\n** fir\n";
        assert!(!write(&read(items.to_owned()).blocks).contains('#'));
    }

    #[test]
    fn the_stars_of_an_outline_are_headings_over_what_is_below_them() {
        let source = "GNU kiln NEWS                  -*- outline -*-\n\n* Changes in release 3.8 (2021-08-01)\n\n** Bug fixes\n\n  The kiln is hot, which\n  it was not.\n\n* Changes in release 3.7\n- wood\n- coal\n\n* Changes in release 3.6\n- clay\n\nIn release 3.5:\n\n* It is hot.\n* So is\n  the clay.\n";
        let document = read(source.to_owned());
        assert_eq!(document.title.as_deref(), Some("GNU kiln NEWS"));
        assert_eq!(
            write(&document.blocks),
            "# GNU kiln NEWS\n\n## Changes in release 3.8 (2021-08-01)\n\n### Bug fixes\n\nThe kiln is hot, which it was not.\n\n## Changes in release 3.7\n\n- wood\n- coal\n\n## Changes in release 3.6\n\n- clay\n\n## In release 3.5\n\n- It is hot.\n- So is the clay.\n"
        );
    }

    #[test]
    fn stars_below_a_line_that_leads_to_them_are_items_however_few() {
        let source = "Kiln NEWS  -*- outline -*-\n\n* Changes in release 3\n\n** Fixes\n\n  It is hot.\n\nChanges in version 2:\n\n* New option: --heat\n\nChanges in version 1:\n\n* New options:\n  --wood\n* New kiln\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "# Kiln NEWS\n\n## Changes in release 3\n\n### Fixes\n\nIt is hot.\n\n## Changes in version 2\n\n- New option: --heat\n\n## Changes in version 1\n\n- New options: --wood\n- New kiln\n"
        );
    }

    #[test]
    fn an_outline_is_known_without_its_mode_and_a_list_in_a_list_is_none() {
        let source =
            "* Release 2 of the kiln\n\n** Fixes\n\n  It is hot.\n\n** Fires\n\n  Of wood.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "# Release 2 of the kiln\n\n## Fixes\n\nIt is hot.\n\n## Fires\n\nOf wood.\n"
        );
        for source in [
            "Kilns:\n\n* oak\n** dry\n** wet\n* ash\n",
            "Kilns of us:\n\n* oak\n\n  which burns\n\n* ash\n",
        ] {
            assert!(
                !write(&read(source.to_owned()).blocks).contains('#'),
                "{source}"
            );
        }
    }
}
