//! Owns what tells a text in Markdown from plain text that has some of its marks.

use super::code::{self, begins_low, is_prompt};
use super::headings::{is_as_long, is_atx_heading};
use crate::code_like;

/// A text in Markdown without other marks has a span of code in so many lines.
const SPAN_LINES_MAX: usize = 40;

/// So many rulers that Markdown has not show that a text is not written in it.
const RULERS_MIN: usize = 3;
/// A text in Markdown without other marks stresses something in so many lines.
const STRONG_LINES_MAX: usize = 100;
/// Whether `text` is evidently written as Markdown: marks that plain text rarely has, weighed against its length.
#[must_use]
pub(super) fn is_markdown(text: &str) -> bool {
    let mut evidence = 0usize;
    // Shells have such quotes as well: a few of them say little of a long text.
    let mut spans = 0usize;
    // So do the words that somebody shouts between stars.
    let mut strong = 0usize;
    let mut support = 0usize;
    let mut fences = 0usize;
    let mut lines = 0usize;
    let mut indented = 0usize;
    // The level of the line before, when it began with hashes.
    let mut above = 0usize;
    let mut is_blank = true;
    let mut over = "";
    let mut rulers = 0usize;
    let mut headings = 0usize;
    // Where most lines behind a hash are evidently comments, the others are as well.
    let mut comments = 0usize;
    let mut lines_ahead = text.lines().take(2_000).peekable();
    while let Some(line) = lines_ahead.next() {
        let trimmed = line.trim_start();
        let hashes = hashes(line);
        let is_comment = hashes > 0
            && (above == hashes
                || lines_ahead.peek().map(|next| self::hashes(next)) == Some(hashes));
        above = hashes;
        let blank_above = std::mem::replace(&mut is_blank, trimmed.is_empty());
        let over = std::mem::replace(&mut over, trimmed.trim_end());
        if trimmed.is_empty() {
            continue;
        }
        lines += 1;
        let indent = line.len() - trimmed.len();
        // Waves that close no fence and underline words are the ruler of a heading.
        if indent == 0
            && fences.is_multiple_of(2)
            && (is_foreign(trimmed) && is_as_long(trimmed.trim_end(), over)
                || is_below_version(trimmed, over))
        {
            rulers += 1;
            continue;
        }
        if indent < 4 && (trimmed.starts_with("```") || trimmed.starts_with("~~~")) {
            fences += 1;
            continue;
        }
        // Inside a fence everything is code.
        if fences % 2 == 1 {
            continue;
        }
        // A ruler under a heading is no bold text.
        if trimmed.chars().all(|c| c == '*') {
            continue;
        }
        indented += usize::from(indent >= 4 && !code_like::line(trimmed));
        // Nobody writes the titles of two texts in lines below each other.
        comments += usize::from(is_comment && hashes == 1);
        // A heading may be indented, but nobody does it: that is a comment in code.
        if indent == 0 && is_atx_heading(trimmed) && !is_comment {
            let below = lines_ahead.peek().map_or("", |line| line.trim());
            let is_beside = !blank_above || !below.is_empty();
            // A comment stands over what it tells of, which begins as nothing that is read does.
            let is_over_setting =
                hashes == 1 && (below.starts_with(char::is_lowercase) || code::is_set(below));
            let is_typed =
                is_prompt(trimmed) || is_beside && begins_low(trimmed) || is_over_setting;
            if is_typed {
                comments += 1;
            } else {
                headings += 1;
            }
        }
        if is_table_ruler(trimmed) {
            evidence += 3;
        }
        if trimmed.contains("](") {
            evidence += 2;
        } else if has_strong(trimmed) {
            strong += 2;
        }
        // What is indented further would be a code block, in which there are no spans.
        if indent < 4 && has_code_span(trimmed) {
            spans += 1;
        }
        // Quotes and bullets are as common in plain text: they only support what else there is.
        if indent < 4
            && ["> ", "- ", "* "]
                .iter()
                .any(|mark| trimmed.starts_with(mark))
        {
            support += 1;
        }
    }
    // Prose that is indented all through would be code in Markdown: it is text laid out for reading.
    if indented * 2 > lines {
        return false;
    }
    if headings >= comments {
        evidence += 2 * headings;
    }
    // Who underlines headings so has none of Markdown's.
    if rulers >= RULERS_MIN && fences == 0 && headings == 0 {
        return false;
    }
    // What has headings as Markdown has none may stress words as it does.
    let is_rare = strong * STRONG_LINES_MAX < lines;
    let evidence = evidence + if is_rare { 0 } else { strong };
    let evidence = evidence.saturating_sub(2 * rulers);
    let is_marked = evidence >= 3;
    let evidence = evidence + spans;
    let is_evident = is_marked || evidence >= 3 && evidence * SPAN_LINES_MAX >= lines;
    fences >= 2 || is_evident || (evidence > 0 && (evidence + support) * 8 >= lines)
}

/// How many hashes a line begins with: lines of equally many, one below the other, are a comment in code and no headings.
fn hashes(line: &str) -> usize {
    line.bytes().take_while(|b| *b == b'#').count()
}

/// Whether a line is drawn of marks that underline no heading of Markdown.
fn is_foreign(line: &str) -> bool {
    let line = line.trim_end().as_bytes();
    line.first().is_some_and(|mark| {
        b"*~^\"".contains(mark) && line.len() >= 4 && line.iter().all(|b| b == mark)
    })
}

/// Whether three waves underline the number of a release, which is as short as they are.
fn is_below_version(line: &str, over: &str) -> bool {
    let is_number =
        |over: &str| over.contains('.') && over.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    line.trim_end() == "~~~" && over.len() == 3 && is_number(over)
}

/// Whether a line rules a table off from its head: `|---|:--|`. What is drawn has gaps.
fn is_table_ruler(line: &str) -> bool {
    let line = line.trim();
    let inner = line.strip_prefix('|').unwrap_or(line);
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    let is_cell = |cell: &str| {
        let cell = cell.trim();
        !cell.is_empty() && cell.bytes().all(|b| matches!(b, b'-' | b':'))
    };
    line.contains('|') && line.contains("--") && inner.split('|').all(is_cell)
}

/// Whether two stars open and two close what is stressed: two alone are the mark of a footnote.
fn has_strong(line: &str) -> bool {
    line.match_indices("**").any(|(at, _)| {
        let inner = line.get(at + 2..).unwrap_or("");
        !inner.starts_with([' ', '\t', '*'])
            && inner
                .match_indices("**")
                .any(|(end, _)| end > 0 && !inner.get(..end).is_some_and(|it| it.ends_with(' ')))
    })
}

fn has_code_span(line: &str) -> bool {
    // Old texts open a quotation so, and end it with an apostrophe.
    let mut parts = line.split('`').skip(1).peekable();
    let mut spans = 0;
    while let Some(part) = parts.next() {
        let ends = part.match_indices('\'').any(|(at, _)| {
            part.get(at + 1..)
                .is_some_and(|behind| !behind.starts_with(char::is_alphanumeric))
        });
        if !ends && parts.next().is_some() {
            spans += 1;
        }
    }
    spans > 0
}

#[cfg(test)]
mod tests {
    use super::is_table_ruler;
    use crate::text::read;
    use skillkiln_document::blocks::BlockKind;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_drawing_rules_no_table_off() {
        assert!(is_table_ruler("|---|:--:|") && is_table_ruler("--- | ---"));
        assert!(!is_table_ruler("-------|    |------   -----"));
        assert!(!is_table_ruler("|------     -----|"));
    }

    #[test]
    fn what_is_set_in_below_a_day_and_an_address_is_said_and_no_code() {
        let entry = "2026-05-06  12:26  Ada  <ada@kiln.example>\n\n\t* Fire it `hot` and `dry`, which is\n\t  what it needs.\n\n";
        let text = write(&read(entry.repeat(4)).blocks);
        assert!(
            text.starts_with("## 2026-05-06 12:26 Ada \\<ada@kiln.example>\n\n- Fire it `hot` and `dry`, which is what it needs.\n\n## 2026"),
            "{text}"
        );
    }

    #[test]
    fn bullets_and_backquotes_below_waves_that_underline_are_no_markdown() {
        let entry = "Kiln `2` is hot\n~~~~~~~~~~~~~~~\n\n* Fire it\n* Burn it\n\n";
        let text = write(&read(entry.repeat(4)).blocks);
        assert!(!text.contains("```") && text.contains('#'), "{text}");
    }

    #[test]
    fn lines_of_comments_below_each_other_are_no_titles_of_markdown() {
        let comment = "# The heat of the kiln is set here, in degrees.\n# Empty lines are left out.\n# So are others.\n\n# Doors\n\nDoor: 1,2\n\n";
        let blocks = read(comment.repeat(5)).blocks;
        let mut kinds = blocks.iter().map(|block| &block.kind);
        let heads = |kind: &BlockKind| matches!(kind, BlockKind::Heading { .. });
        assert!(!kinds.any(heads), "{}", write(&blocks));
    }

    #[test]
    fn what_is_shouted_in_a_long_text_makes_no_markdown() {
        let line = "The kiln is hot today.\n";
        let source = format!(
            "{}\n                 ** MIND **\n\n**MIND THE HEAT**\n\n**AND THE DOOR**\n",
            line.repeat(500)
        );
        let text = write(&read(source).blocks);
        assert!(
            !text.contains("```") && text.contains("\\*\\*MIND"),
            "{text}"
        );
    }

    #[test]
    fn waves_under_short_numbers_of_releases_open_no_fence() {
        let entry = |number: &str| {
            let ruler = "~".repeat(number.len());
            format!("{number}\n{ruler}\nThe door is _red_.\n\n* It `burns`.\n\n")
        };
        let text = write(&read(["0.9.5", "1.0", "1.0.1", "1.1"].map(entry).concat()).blocks);
        assert!(!text.contains("```"), "{text}");
        for head in ["# 1.0\n", "# 1.1\n"] {
            assert!(text.contains(head), "{text}");
        }
        let text = write(
            &read(
                "Run\n~~~\nfire --hot\n~~~\n\nIt **burns**.\n\nEnd\n~~~\nfire --off\n~~~\n"
                    .to_owned(),
            )
            .blocks,
        );
        assert!(text.contains("```\nfire --hot\n```"), "{text}");
    }
}
