//! Finds where the groups, brackets and formulas of LaTeX end.

/// Deepest nesting of environments that is kept, and of groups inside a line.
pub(super) const DEPTH_MAX: usize = 24;

/// The content of the group that `text` begins with, and the bytes it takes; nothing when it begins with none.
pub(super) fn group(text: &str) -> (&str, usize) {
    let trimmed = text.trim_start_matches([' ', '\t']);
    let lead = text.len() - trimmed.len();
    match enclosed(trimmed, b'{', b'}') {
        Some(end) => (trimmed.get(1..end).unwrap_or(""), lead + end + 1),
        None => ("", 0),
    }
}

/// The content of the brackets that `text` begins with, and the bytes they take.
pub(super) fn optional(text: &str) -> (&str, usize) {
    match enclosed(text, b'[', b']') {
        Some(end) => (text.get(1..end).unwrap_or(""), end + 1),
        None => ("", 0),
    }
}

/// The argument in braces, behind one in brackets.
pub(super) fn argument_after(text: &str) -> (&str, usize) {
    let (_, skipped) = optional(text);
    let (argument, length) = group(text.get(skipped..).unwrap_or(""));
    (argument, skipped + length)
}

/// How far a group may reach: a paragraph that never closes must not be searched to the end for each of its braces.
const GROUP_BYTES_MAX: usize = 20_000;
/// Groups in groups that are looked through for the end of the outermost: the same bound for a text of nothing but braces.
const GROUPS_MAX: usize = 64;

fn enclosed(text: &str, open: u8, close: u8) -> Option<usize> {
    if text.as_bytes().first() != Some(&open) {
        return None;
    }
    let mut depth = 0usize;
    let mut escaped = false;
    for (at, byte) in text.bytes().take(GROUP_BYTES_MAX).enumerate() {
        if escaped {
            escaped = false;
        } else if byte == b'\\' {
            escaped = true;
        } else if byte == open {
            depth += 1;
            if depth > GROUPS_MAX {
                return None;
            }
        } else if byte == close {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

pub(super) fn end_of_formula(text: &str, mark: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(found) = text.get(from..).and_then(|rest| rest.find(mark)) {
        let at = from + found;
        if !text.get(..at).is_some_and(|before| before.ends_with('\\')) {
            return Some(at);
        }
        from = at + mark.len();
    }
    None
}

/// `|code|` behind `\verb`, or a group.
pub(super) fn verb(after: &str) -> (&str, usize) {
    let (_, skipped) = optional(after);
    let rest = after.get(skipped..).unwrap_or("");
    if rest.starts_with('{') {
        let (code, length) = group(rest);
        return (code, skipped + length);
    }
    let Some(mark) = rest.chars().next() else {
        return ("", skipped);
    };
    let inner = rest.get(mark.len_utf8()..).unwrap_or("");
    let line = inner.lines().next().unwrap_or("");
    match line.find(mark) {
        Some(end) => (
            line.get(..end).unwrap_or(""),
            skipped + end + 2 * mark.len_utf8(),
        ),
        None => ("", skipped),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_that_holds_too_many_others_is_not_searched_to_its_end() {
        let nested = |depth: usize| "{".repeat(depth) + "x" + &"}".repeat(depth);
        assert_eq!(enclosed(&nested(64), b'{', b'}'), Some(128));
        assert_eq!(enclosed(&nested(65), b'{', b'}'), None);
    }
}
