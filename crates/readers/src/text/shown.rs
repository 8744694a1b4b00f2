//! Owns which lines of plain text are shown as a whole, whatever their words are like: listings whose lines are counted through, names
//! below words that lead to them, and examples with headings of their own.

use super::code::CODE_LINES_MAX;
use super::{Layout, Line};
use crate::code_like;

/// So many lines with numbers are a listing.
const COUNTED_MIN: usize = 3;

/// How many lines from the start, up to an empty one, are shown as a whole: counted through, names alone below words that lead to
/// them, or what has a heading of its own within such an example.
pub(super) fn length(lines: &[Line<'_>], announced: Option<usize>, layout: &Layout) -> usize {
    let group = lines
        .iter()
        .take(CODE_LINES_MAX)
        .take_while(|line| !line.words.is_empty());
    let group = lines.get(..group.count()).unwrap_or_default();
    let is_below = || {
        announced.is_some_and(|indent| {
            group
                .first()
                .is_some_and(|line| line.indent >= indent.max(2))
        })
    };
    let is_headed = || is_below() && layout.rulers.underlined(lines).is_some();
    match is_counted(group) || is_below() && are_names(group) || is_headed() {
        true => group.len(),
        false => 0,
    }
}

/// Whether lines are a listing whose lines are counted through from one: some of them are empty but for their number, or what stands
/// behind the numbers is mostly code.
fn is_counted(group: &[Line<'_>]) -> bool {
    let (mut empty, mut code) = (0, 0);
    for (at, line) in group.iter().enumerate() {
        let (number, rest) = line.words.split_once(' ').unwrap_or((line.words, ""));
        if number.parse() != Ok(at + 1) {
            return false;
        }
        empty += usize::from(rest.is_empty());
        code += usize::from(code_like::line(rest));
    }
    group.len() >= COUNTED_MIN && empty < group.len() && (empty > 0 || code * 2 >= group.len())
}

/// Whether lines are names of commands or files, one in each.
fn are_names(group: &[Line<'_>]) -> bool {
    let is_name = |line: &Line<'_>| {
        let ends = line.words.ends_with(['.', ',', ':', ';', '!', '?']);
        !line.words.contains(char::is_whitespace) && line.words.is_ascii() && !ends
    };
    let has_sign = |line: &&Line<'_>| line.words.contains(['_', '/', '.']);
    group.len() >= 2
        && group.iter().all(is_name)
        && group.iter().filter(has_sign).count() * 2 > group.len()
        && !group.iter().any(|line| line.words.contains("://"))
}

#[cfg(test)]
mod tests {
    use crate::text::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn lines_that_are_counted_through_are_a_listing() {
        for (shown, is_code) in [
            (
                "1 #!/bin/sh\n 2 # a comment\n 3\n 4 %:\n 5         dh $@",
                true,
            ),
            ("1 x = 7;\n 2 fire(x);\n 3 wait();", true),
            ("1 Heat\n 2 Wood\n 3 Clay", false),
            ("1\n 2\n 3", false),
        ] {
            let text = write(&read(format!("It has this file:\n\n {shown}\n\nIt burns.\n")).blocks);
            assert_eq!(
                text.contains(&format!("```\n{shown}").replace("\n ", "\n")),
                is_code,
                "{text}"
            );
        }
    }

    #[test]
    fn names_of_commands_below_an_item_that_leads_to_them_are_code() {
        assert_eq!(
            write(&read("It does more:\n\n  * fire runs the following^[4]:\n\n    kiln_a\n    kiln_b\n\n  * cool waits.\n".to_owned()).blocks),
            "It does more:\n\n- fire runs the following^[4]:\n\n  ```\n  kiln_a\n  kiln_b\n  ```\n\n- cool waits.\n"
        );
    }

    #[test]
    fn a_heading_within_an_example_heads_nothing_else() {
        let source = "3. Files\n\n    There is one, and this is what it looks like:\n\n    Kilns of old\n    ------------\n    <what is to be said>\n\n    Remove it.\n\n4. Heat\n\n    It is hot.\n\n5. Wood\n\n    It burns.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "## 3. Files\n\nThere is one, and this is what it looks like:\n\n```\nKilns of old\n------------\n<what is to be said>\n```\n\nRemove it.\n\n## 4. Heat\n\nIt is hot.\n\n## 5. Wood\n\nIt burns.\n"
        );
    }
}
