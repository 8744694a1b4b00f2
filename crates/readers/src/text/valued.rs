//! Reads lines that each tell what a number means, `0 = cold`: they keep their breaks, whatever words stand above them.

use super::Line;

/// So many lines tell of numbers at least, and so many are told of together.
const LINES_MIN: usize = 2;
const LINES_MAX: usize = 200;

/// How many lines from the start tell what a number means each; none where it is one alone that tells of one.
pub(super) fn length(lines: &[Line<'_>]) -> usize {
    let length = lines
        .iter()
        .take(LINES_MAX)
        .take_while(|line| is_valued(line.words))
        .count();
    let is_many = || lines.first().is_some_and(|line| tells_more(line.words));
    if length >= LINES_MIN || length > 0 && is_many() {
        length
    } else {
        0
    }
}

/// Whether `lines` begin with such lines below the line `above`, or go on with them; asked of every line, it looks at one below alone.
pub(super) fn begins(above: &Line<'_>, lines: &[Line<'_>]) -> bool {
    let Some((first, below)) = lines.split_first() else {
        return false;
    };
    is_valued(first.words)
        && (is_valued(above.words)
            || tells_more(first.words)
            || below.first().is_some_and(|next| is_valued(next.words)))
}

/// Whether a line says what a number means.
fn is_valued(words: &str) -> bool {
    let digits = words.bytes().take_while(u8::is_ascii_digit).count();
    let meant = words.get(digits..).and_then(|rest| {
        let rest = rest.strip_prefix(' ').unwrap_or(rest);
        rest.strip_prefix("= ")
    });
    (1..=6).contains(&digits)
        && meant.is_some_and(|meant| meant.trim_start().starts_with(char::is_alphanumeric))
}

/// Whether such a line tells of another number as well: `0 = cold, 1 = hot`.
fn tells_more(words: &str) -> bool {
    words.split(", ").skip(1).any(is_valued)
}

#[cfg(test)]
mod tests {
    use crate::text::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn lines_that_tell_of_a_number_each_keep_their_breaks() {
        let source = "Kilns\n=====\n\n- Heat\n\n  Whether the kiln of the potter is hot or cold\n  0 = No heat, 1 = Some heat\n\n  It burns.\n";
        let text = write(&read(source.to_owned()).blocks);
        assert!(
            text.contains("hot or cold\n\n  0 = No heat, 1 = Some heat\n\n  It burns."),
            "{text}"
        );
        let source = "Kilns\n=====\n\nThis is how hot the kiln of the potter\nand his wife is when they light it:\n0 = No heat\n1 = Some heat\n\nIt burns.\n";
        let text = write(&read(source.to_owned()).blocks);
        assert!(
            !text.contains("No heat 1 = ") && !text.contains("it: 0"),
            "{text}"
        );
        let prose = "The number of pots that a kiln takes is at most\n9 = all that there are.\n";
        assert_eq!(
            write(&read(prose.to_owned()).blocks),
            prose.replacen("most\n", "most ", 1)
        );
    }

    #[test]
    fn what_is_typed_behind_a_prompt_with_a_bracket_is_code() {
        let source = "Kilns\n=====\n\nNow light it. Type\n\n$> kiln-1.2 <wood>\n\nto burn wood.\n";
        let text = write(&read(source.to_owned()).blocks);
        assert!(text.contains("```\n$> kiln-1.2 <wood>\n```\n"), "{text}");
    }
}
