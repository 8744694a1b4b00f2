//! Code that is written between single backticks over several lines, which every reader of Markdown runs together or breaks apart.

use crate::code_like;
use crate::markup::lines::Line;

/// Such code is not longer, in lines.
const LINES_MAX: usize = 80;

/// The number of lines from the first of `lines`, which one backtick begins, to the one that a backtick ends, where they are code.
pub(super) fn length(lines: &[Line<'_>]) -> Option<usize> {
    let first = lines.first()?.words();
    let is_opened = first.starts_with('`') && first.matches('`').count() == 1;
    if !is_opened {
        return None;
    }
    let behind = lines.iter().enumerate().skip(1).take(LINES_MAX);
    let (end, last) = behind
        .into_iter()
        .find(|(_, line)| line.text.contains('`'))?;
    let is_closed = last.words().ends_with('`') && last.words().matches('`').count() == 1;
    let is_over = lines.get(end + 1).is_none_or(Line::is_blank);
    let code = lines.get(..=end)?;
    let words = || {
        code.iter()
            .map(|line| line.words().trim_matches('`'))
            .filter(|words| !words.is_empty())
    };
    let is_of_code = |words: &&str| {
        code_like::line(words)
            || words.ends_with(['{', '}', ';', '(', ')', ',', '[', ']'])
            || words.starts_with(['{', '}', ')', ']', '.'])
    };
    let looks_so = words().filter(is_of_code).count() * 3 >= words().count() * 2;
    let count = |signs: [char; 3]| {
        words()
            .map(|words| words.matches(signs).count())
            .sum::<usize>()
    };
    let opened = count(['{', '(', '[']);
    let is_balanced = opened > 0 && opened == count(['}', ')', ']']);
    (is_closed && is_over && looks_so && is_balanced).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use crate::markup::markdown::read;
    use skillkiln_document::markdown::write;

    fn written(source: &str) -> String {
        write(&read(source.to_owned()).blocks)
    }

    #[test]
    fn code_between_single_backticks_over_lines_keeps_them() {
        let source = "Run it\n\n`useKiln({\nasync fire(kiln) {\nconst heat = kiln.heat();\n\n    try {\n      heat.rise(); // so\n    }\n\n},\n})`\n\n- `a`\n";
        let document = read(source.to_owned());
        assert_eq!(
            write(&document.blocks),
            "Run it\n\n```\nuseKiln({\nasync fire(kiln) {\nconst heat = kiln.heat();\n\n    try {\n      heat.rise(); // so\n    }\n\n},\n})\n```\n\n- `a`\n"
        );
        let said = document.evidence(&document.blocks[1].span);
        assert!(said.contains("useKiln({") && said.contains("})"), "{said}");
    }

    #[test]
    fn words_between_backticks_over_lines_are_code_in_a_line() {
        assert_eq!(written("`the kiln\nburns`\n"), "`the kiln burns`\n");
        assert_eq!(
            written("`a {\n\nWords of a kiln.\n\nMore words }`\n")
                .matches("```")
                .count(),
            0
        );
    }
}
