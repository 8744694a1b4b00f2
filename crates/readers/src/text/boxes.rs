//! Takes apart what stands between two rulers: a banner heads what is below it, and words over several lines are words.

use super::Line;

/// A ruler of a box has so many marks, and the other one about as many.
const RULER_MIN: usize = 12;
/// A box holds no more lines.
const LINES_MAX: usize = 12;
/// A sentence in a box has so many words.
const SENTENCE_WORDS: usize = 8;

/// Takes the rulers off the boxes in a text that hold more than a title; of a banner, `# Release` between rulers of the same mark, the
/// marks and the upper ruler.
pub(super) fn open(lines: &mut [Line<'_>]) {
    let mut at = 0;
    while at < lines.len() {
        let Some((end, mark)) = framed(lines, at) else {
            at += 1;
            continue;
        };
        let inner = lines.get(at + 1..end).unwrap_or_default();
        let is_sentence = |line: &Line<'_>| {
            line.words.ends_with('.') && line.words.split_whitespace().count() >= SENTENCE_WORDS
        };
        let is_said = match inner {
            [only] => is_sentence(only),
            _ => true,
        };
        let banner = match inner {
            [only] => only.words.strip_prefix(mark).map(|words| {
                let words = words.trim_start();
                (words, words.trim_end_matches(mark).trim_end())
            }),
            _ => None,
        };
        match (banner, lines.get_mut(at + 1)) {
            (Some((from, words)), Some(line)) if !words.is_empty() => {
                line.range.start = line.range.end - from.len();
                line.range.end = line.range.start + words.len();
                line.words = words;
                clear(lines, at);
                // It underlines what was between the marks, and no more.
                if let Some(lower) = lines.get_mut(end) {
                    let length = words.chars().count().min(lower.words.len());
                    lower.words = lower.words.get(..length).unwrap_or(lower.words);
                }
            }
            _ if is_said => {
                clear(lines, at);
                clear(lines, end);
            }
            _ => {}
        }
        at = end + 1;
    }
}

/// Whether all these lines stand between the rulers: the words touch both, and where empty lines part them, the last ones are no line
/// alone, which the lower ruler would underline.
fn is_held(inner: &[Line<'_>]) -> bool {
    let is_said = |line: Option<&Line<'_>>| line.is_some_and(|line| !line.words.is_empty());
    let last = inner.len().checked_sub(2).and_then(|at| inner.get(at));
    let is_parted = inner.iter().any(|line| line.words.is_empty());
    is_said(inner.first()) && is_said(inner.last()) && (!is_parted || is_said(last))
}

fn clear(lines: &mut [Line<'_>], at: usize) {
    if let Some(line) = lines.get_mut(at) {
        line.words = "";
    }
}

/// Where the box ends that begins with a line, and by what it is ruled.
fn framed(lines: &[Line<'_>], at: usize) -> Option<(usize, char)> {
    let (upper, rest) = lines.get(at..)?.split_first()?;
    let (mark, length) = ruler(upper.words)?;
    let inner = rest
        .iter()
        .take(LINES_MAX + 1)
        .take_while(|line| ruler(line.words).is_none())
        .count();
    let lower = rest.get(inner).filter(|_| inner > 0)?;
    if !is_held(rest.get(..inner)?) {
        return None;
    }
    let (below, other) = ruler(lower.words)?;
    // A ruler right below words underlines them.
    let is_empty = |line: Option<&Line<'_>>| line.is_none_or(|line| line.words.is_empty());
    let before = at.checked_sub(1).and_then(|before| lines.get(before));
    let stands_alone = is_empty(before) && is_empty(rest.get(inner + 1));
    (stands_alone && below == mark && length.abs_diff(other) <= 2).then_some((at + inner + 1, mark))
}

/// The mark of a line that is a ruler, and how often it stands there.
fn ruler(words: &str) -> Option<(char, usize)> {
    let mark = words.chars().next().filter(|c| "#=*-~".contains(*c))?;
    let length = words.chars().count();
    (length >= RULER_MIN && words.chars().all(|c| c == mark)).then_some((mark, length))
}

#[cfg(test)]
mod tests {
    use crate::text::read_plain;

    fn written(source: &str) -> String {
        skillkiln_document::markdown::write(&read_plain(source.to_owned()).blocks)
    }

    #[test]
    fn words_in_a_box_are_words_and_a_banner_heads_what_is_below() {
        let source = "====================\nThis file lists what\nchanged in the kiln.\n====================\n\n\
                      ####################\n# 2.0 of the kiln\n####################\n\nIt burns.\n\n\
                      ====================\n1.0 of the kiln\n====================\n\nIt is there.\n";
        let written = written(source);
        assert!(
            written.starts_with("This file lists what changed in the kiln.\n"),
            "{written}"
        );
        assert!(
            written.contains("# 2.0 of the kiln\n\nIt burns."),
            "{written}"
        );
        assert!(
            written.contains("# 1.0 of the kiln\n\nIt is there."),
            "{written}"
        );
    }

    #[test]
    fn banners_of_releases_head_entries_of_a_log() {
        let banner =
            |day: &str| format!("####################\n# {day} Release\n####################\n\n");
        let entry =
            |day: &str| format!("{day}  Ada Lee  <ada@kiln.example>\n\n\t* door.c: Mend it.\n\n");
        let source = ["2022-11-01", "2022-06-01", "2021-11-15"]
            .map(|day| banner(day) + &entry(day))
            .concat();
        let written = written(&source);
        for day in ["2022-11-01", "2022-06-01", "2021-11-15"] {
            assert!(written.contains(&format!("# {day} Release\n")), "{written}");
        }
        assert!(!written.contains("##\n"), "{written}");
    }

    #[test]
    fn what_stands_between_underlined_titles_is_in_no_box() {
        let source = "The wood of kilns\n-----------------\nIt is dry.\nIt burns.\n\
                      The doors of kilns\n------------------\nThey open.\n";
        let written = written(source);
        assert!(written.contains("# The wood of kilns\n"), "{written}");
    }

    #[test]
    fn rows_between_the_rulers_of_a_table_are_none() {
        let table = "Wood  Heat\n----  ----\nash   900\n";
        assert!(written(table).contains("900"));
    }

    #[test]
    fn paragraphs_in_a_box_are_words_and_a_title_alone_above_a_ruler_is_one() {
        let source = "--------------------\nThis file lists what\nchanged in the kiln.\n\nIt is free, so that\nall may burn it.\n--------------------\n\nIt burns.\n";
        let text = written(source);
        assert!(
            text.starts_with("This file lists what changed in the kiln.\n\nIt is free, so that all may burn it.\n\nIt"),
            "{text}"
        );
        let source = "--------------------\nThis file lists what\nchanged in the kiln.\n\nThe doors of kilns\n--------------------\n\nThey open.\n";
        let text = written(source);
        assert!(text.contains("# The doors of kilns\n"), "{text}");
    }
}
