//! Owns which lines are a session of Python or a patch: their own marks are those that quotes, lists and rulers have as well.

use super::Line;
use crate::code_like;

/// A session has no more lines.
const SESSION_LINES_MAX: usize = 1_000;
/// What is set in so far is no quote of a quote.
const SESSION_INDENT: usize = 4;
/// What stands at the head of a file's part in a patch.
const PATCH_HEADS: [&str; 14] = [
    "diff ",
    "index ",
    "Index: ",
    "=====",
    "--- ",
    "+++ ",
    "old mode ",
    "new mode ",
    "new file mode ",
    "deleted file mode ",
    "similarity index ",
    "rename ",
    "copy ",
    "\\ No newline",
];

/// How many lines from the start are such code.
pub(super) fn length(lines: &[Line<'_>]) -> usize {
    match lines.first().and_then(|line| line.words.chars().next()) {
        Some('>') => session_length(lines),
        Some('d' | 'I') => patch_length(lines),
        Some('-') => patch_length(lines).max(summary_length(lines)),
        Some('0'..='9') => difference_length(lines),
        _ => 0,
    }
}

/// A session of Python: what is typed behind its prompt is code, and no line beside it is a quote.
fn session_length(lines: &[Line<'_>]) -> usize {
    let group: Vec<&str> = lines
        .iter()
        .take(SESSION_LINES_MAX)
        .map(|line| line.words)
        .take_while(|words| !words.is_empty())
        .collect();
    let typed = || group.iter().filter_map(|words| words.strip_prefix(">>> "));
    let begins = group.first().is_some_and(|words| words.starts_with(">>> "));
    let is_alone = group
        .iter()
        .filter(|words| words.starts_with('>'))
        .all(|words| *words == ">>>" || words.starts_with(">>> "));
    let goes_on = |words: &&str| *words == "..." || words.starts_with("... ");
    // Quotes stand at the margin.
    let is_set_in = lines
        .first()
        .is_some_and(|line| line.indent >= SESSION_INDENT);
    let has_code = is_set_in || typed().any(code_like::line) || group.iter().any(goes_on);
    if begins && is_alone && has_code && !code_like::is_sentence(typed()) {
        group.len()
    } else {
        0
    }
}

/// Whether the next file's part of a patch begins here.
fn begins_file(line: Option<&Line<'_>>) -> bool {
    line.is_some_and(|line| line.words.starts_with("diff "))
}

/// The parts of a patch, each as long as its head says.
fn patch_length(lines: &[Line<'_>]) -> usize {
    let mut length = 0;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        if let Some((old, new)) = hunk(line.words) {
            at += 1 + hunk_length(lines.get(at + 1..).unwrap_or_default(), old, new);
            length = at;
        } else if PATCH_HEADS.iter().any(|head| line.words.starts_with(head))
            || line.words.is_empty() && at == length && begins_file(lines.get(at + 1))
        {
            at += 1;
        } else {
            break;
        }
    }
    length
}

/// How many lines of the old and of the new file `@@ -1,3 +1,4 @@` says.
fn hunk(words: &str) -> Option<(usize, usize)> {
    let (places, _) = words.strip_prefix("@@ -")?.split_once(" @@")?;
    let (old, new) = places.split_once(" +")?;
    let count = |place: &str| match place.split_once(',') {
        Some((_, count)) => count.parse().ok(),
        None => Some(1),
    };
    Some((count(old)?, count(new)?))
}

/// How many of `lines` belong to a hunk of so many old and new ones.
fn hunk_length(lines: &[Line<'_>], mut old: usize, mut new: usize) -> usize {
    lines
        .iter()
        .take_while(|line| {
            if old == 0 && new == 0 {
                return line.words.starts_with("\\ ");
            }
            let mark = match line.words.chars().next() {
                Some(mark) if line.lead == 0 => mark,
                _ => ' ',
            };
            old = old.saturating_sub(usize::from(matches!(mark, ' ' | '-')));
            new = new.saturating_sub(usize::from(matches!(mark, ' ' | '+')));
            matches!(mark, ' ' | '-' | '+' | '\\')
        })
        .count()
}

/// The ruler above a patch, and how much of each file it changes: ` kiln.c | 2 +-`.
fn summary_length(lines: &[Line<'_>]) -> usize {
    let is_file = |line: &Line<'_>| {
        line.words.rsplit_once(" | ").is_some_and(|(_, changed)| {
            let changed = changed.trim_start();
            changed.starts_with("Bin ")
                || changed.starts_with(|c: char| c.is_ascii_digit())
                    && changed
                        .chars()
                        .all(|c| c.is_ascii_digit() || " +-".contains(c))
        })
    };
    let mut below = lines.iter().skip(1);
    let files = below.clone().take_while(|line| is_file(line)).count();
    let begins = lines.first().is_some_and(|line| line.words == "---");
    let ends = below
        .nth(files)
        .is_some_and(|line| line.words.contains(" changed"));
    if begins && files > 0 && ends {
        files + 2
    } else {
        0
    }
}

/// What `diff` tells without options: `3c3`, and the lines below it.
fn difference_length(lines: &[Line<'_>]) -> usize {
    let is_marked = |line: &Line<'_>| line.words.starts_with(['<', '>']);
    if !lines.get(1).is_some_and(is_marked) {
        return 0;
    }
    let is_own = |line: &&Line<'_>| {
        is_marked(line)
            || line.words == "---"
            || line.words.starts_with("\\ ")
            || is_place(line.words)
    };
    match lines.first() {
        Some(first) if is_place(first.words) => lines.iter().take_while(is_own).count(),
        _ => 0,
    }
}

/// `3c3` or `3,4d2`.
fn is_place(words: &str) -> bool {
    let is_range = |range: &str| {
        range.starts_with(|c: char| c.is_ascii_digit())
            && range.ends_with(|c: char| c.is_ascii_digit())
            && range.bytes().all(|b| b.is_ascii_digit() || b == b',')
    };
    words
        .split_once(['a', 'c', 'd'])
        .is_some_and(|(old, new)| is_range(old) && is_range(new))
}

#[cfg(test)]
mod tests {
    use crate::text::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_session_of_python_and_what_diff_tells_are_code_in_a_mail_too() {
        let source = "Ben wrote:\n> It is hot.\n\nI did so:\n>>> import kiln\n>>> for x in kiln:\n...     fire(x)\n'hot'\n\n>>> fire(9)\n7\n\n3c3\n< old\n---\n> new\n\n>>> He said so\n>> on Monday.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "Ben wrote:\n\n> It is hot.\n\nI did so:\n\n```\n>>> import kiln\n>>> for x in kiln:\n...     fire(x)\n'hot'\n```\n\n```\n>>> fire(9)\n7\n```\n\n```\n3c3\n< old\n---\n> new\n```\n\n> > > He said so\n> >\n> > on Monday.\n"
        );
    }

    #[test]
    fn a_patch_is_code_to_the_letter() {
        let patch = "---\n kiln.c | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n\ndiff --git a/kiln.c b/kiln.c\nindex 123..456 100644\n--- a/kiln.c\n+++ b/kiln.c\n@@ -1,4 +1,4 @@ int heat(void)\n int x;\n\n-int y;\n+int z;\n > w;\n";
        let quoted: String = patch.lines().map(|line| format!("> {line}\n")).collect();
        let source = format!(
            "From: Ada <a@kiln.example>\nSubject: Heat\n\nIt was wrong.\n{patch}-- \n2.39\n\nBen wrote:\n{quoted}"
        );
        let markdown = write(&read(source).blocks);
        let (summary, parts) = patch.split_once("\n\n").unwrap();
        let code = format!("```\n{summary}\n```\n\n```\n{parts}```\n");
        let inner: String = code
            .lines()
            .map(|line| format!("> {line}").trim_end().to_owned() + "\n")
            .collect();
        assert!(
            markdown.contains(&code) && markdown.ends_with(&inner),
            "{markdown}"
        );
    }

    #[test]
    fn a_session_without_signs_of_code_is_told_by_how_far_it_is_set_in() {
        assert_eq!(
            write(&read("The heat of it, in degrees, is told.\n\n      >>> kiln\n      'hot'\n\n    New in it.\n\nThat is all.\n".to_owned()).blocks),
            "The heat of it, in degrees, is told.\n\n```\n>>> kiln\n'hot'\n```\n\nNew in it.\n\nThat is all.\n"
        );
    }
}
