//! Owns what programs leave at the ends of plain text: how an editor is to show it, which is not said to a reader, and what a package
//! was made without, which is.

use super::{Line, uncomment};

/// So many lines at an end are looked at.
const LINES_MAX: usize = 40;
/// What stands over and below the settings of Emacs.
const SETTINGS: [&str; 2] = ["local variables:", "end:"];
/// What packages say below the newest entries of a log, in place of the others.
const SHORTENED: [&str; 2] = [
    "# Older entries have been removed from this changelog.",
    "# To read the complete changelog use `apt changelog ",
];

/// Takes out what programs have left for themselves in the first line and in the last ones. That a log was shortened is said to who
/// asks for what is not in it: it is kept, without the mark of a remark.
pub(super) fn clear(lines: &mut [Line<'_>]) {
    let is_said = |line: &Line<'_>| !line.words.is_empty();
    if let Some(first) = lines.iter_mut().find(|line| is_said(line))
        && is_left(first.words)
    {
        first.words = "";
    }
    let mut end = lines.len();
    for _ in 0..LINES_MAX {
        let above = lines.get(..end).unwrap_or_default();
        let Some(last) = above.iter().rposition(is_said) else {
            return;
        };
        let words = above.get(last).map_or("", |line| line.words);
        if SHORTENED.iter().any(|mark| words.starts_with(mark)) {
            if let Some(line) = lines.get_mut(last) {
                uncomment(line);
            }
            end = last;
            continue;
        }
        end = match is_left(words) {
            true => last,
            false => match settings(above, last) {
                Some(start) => start,
                None => return,
            },
        };
        let gone = lines.get_mut(end..=last).unwrap_or_default();
        gone.iter_mut().for_each(|line| line.words = "");
    }
}

/// Where the settings of Emacs begin that end in the line `last`.
fn settings(lines: &[Line<'_>], last: usize) -> Option<usize> {
    let [opens, closes] = SETTINGS;
    let is = |at: usize, mark: &str| {
        let line = lines.get(at)?;
        bare(line.words).eq_ignore_ascii_case(mark).then_some(at)
    };
    is(last, closes)?;
    (last.saturating_sub(LINES_MAX)..last)
        .rev()
        .find_map(|at| is(at, opens))
}

/// Whether a line is one that a program has left.
fn is_left(words: &str) -> bool {
    let is_mode = |words: &str| {
        let inner = words
            .strip_prefix("-*-")
            .and_then(|it| it.strip_suffix("-*-"));
        inner.is_some_and(|inner| !inner.trim().is_empty())
    };
    is_mode(bare(words)) || is_modeline(bare(words))
}

/// Words without the marks of a comment around them.
fn bare(words: &str) -> &str {
    let words = words.trim_start_matches(['#', ';', '/', '%', '"', '.', '\\', ' ']);
    words.trim_end_matches("*/").trim()
}

/// Whether words tell Vim how to show a file: `vim:set tw=78 et:` or `vim: ts=8:noet`.
fn is_modeline(words: &str) -> bool {
    let Some(options) = ["vim:", "vi:"]
        .iter()
        .find_map(|mark| words.strip_prefix(mark))
    else {
        return false;
    };
    let options = options.trim();
    let set = ["set ", "se "]
        .iter()
        .find_map(|word| options.strip_prefix(word));
    let mut assigns = set.is_some();
    let are_options = set
        .unwrap_or(options)
        .split([' ', ':'])
        .filter(|option| !option.is_empty())
        .all(|option| {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            assigns |= !value.is_empty();
            name.bytes()
                .all(|b| b.is_ascii_lowercase() || b"+-^".contains(&b))
        });
    are_options && assigns
}

#[cfg(test)]
mod tests {
    use crate::text::read_plain;
    use skillkiln_document::markdown::write;

    fn written(source: &str) -> String {
        write(&read_plain(source.to_owned()).blocks)
    }

    #[test]
    fn what_editors_and_packages_leave_at_the_ends_is_no_text() {
        for left in [
            "vim:set ai tw=78 et sw=2 sts=2:\n",
            "# vim: ts=8:noet\n",
            "Local Variables:\nmode: text\nfill-column: 76\nEnd:\n",
            ";; Local variables:\n;; coding: utf-8\n;; End:\n\nvim: tw=78\n",
        ] {
            assert_eq!(
                written(&format!("-*- text -*-\n\nKilns are hot.\n\n{left}")),
                "Kilns are hot.\n"
            );
        }
        for said in ["vim: it is an editor", "End:", "vim: set up by Ada"] {
            let text = written(&format!("Kilns are hot.\n\n{said}\n"));
            assert!(text.contains(said), "{text}");
        }
    }

    #[test]
    fn that_a_log_was_shortened_is_said() {
        assert_eq!(
            written(
                "Kilns are hot.\n\n# Older entries have been removed from this changelog.\n# To read the complete changelog use `apt changelog kiln`.\n"
            ),
            "Kilns are hot.\n\nOlder entries have been removed from this changelog. To read the complete changelog use `apt changelog kiln`.\n"
        );
    }

    #[test]
    fn remarks_behind_a_hash_stand_apart_where_the_line_above_has_ended() {
        assert_eq!(
            written(
                "It is hot in there:\n# Never open the door, since it is\n# red.\n# Wait for it.\n\nThe kiln has the number\n# 5 of them all.\n"
            ),
            "It is hot in there:\n\n\\# Never open the door, since it is # red.\n\n\\# Wait for it.\n\nThe kiln has the number # 5 of them all.\n"
        );
    }
}
