//! Owns the signatures of functions that a file of info shows no further in than its words.

use super::code::ANNOUNCED_INDENT;
use super::{Layout, Line};

/// Signatures below each other that are looked at, and the lines of each.
const SIGNATURES_MAX: usize = 50;
const SIGNATURE_LINES_MAX: usize = 20;
/// No more words name a function and what it gives.
const NAMED_WORDS_MAX: usize = 4;

/// How many more brackets words open than they close.
fn opened(words: &str) -> i32 {
    let count = |signs: [char; 2]| i32::try_from(words.matches(signs).count()).unwrap_or(i32::MAX);
    count(['(', '[']) - count([')', ']'])
}

/// Whether a line ends within brackets, before what goes on in the next.
pub(super) fn is_open(words: &str) -> bool {
    words.ends_with([',', '(', '&', '=']) && opened(words) > 0
}

/// How many lines from the start are the signatures of functions that a file of info shows no further in than its words, as
/// `@verbatim` has them, where at least one of them goes on in a line that is set in.
pub(super) fn signatures_length(lines: &[Line<'_>], layout: &Layout) -> usize {
    let Some(first) = lines.first().filter(|_| layout.is_info) else {
        return 0;
    };
    let (mut length, mut end) = (0, 0);
    for _ in 0..SIGNATURES_MAX {
        let rest = lines.get(length..).unwrap_or_default();
        let Some((used, is_whole)) = signature(rest)
            .filter(|_| rest.first().is_some_and(|line| line.indent == first.indent))
        else {
            break;
        };
        length += used;
        end = if is_whole && end == 0 { 0 } else { length };
    }
    end
}

/// How many lines the signature, or the statement, has that `lines` begin with, and whether that is one.
fn signature(lines: &[Line<'_>]) -> Option<(usize, bool)> {
    let first = lines.first()?;
    let is_named = || {
        let (named, _) = first.words.split_once('(')?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_.:*&[]<>".contains(c);
        let is_named = named.starts_with(|c: char| c.is_ascii_alphabetic())
            && named.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
            && named.split(' ').count() <= NAMED_WORDS_MAX
            && named.split(' ').all(|word| word.chars().all(is_name));
        is_named.then_some(())
    };
    if first.words.ends_with(';') && opened(first.words) == 0 {
        let is_short = || first.words.split(' ').count() <= 2;
        return (is_named().is_some() || is_short()).then_some((1, true));
    }
    is_named().filter(|()| is_open(first.words))?;
    let mut depth = opened(first.words);
    for (at, line) in lines.iter().enumerate().take(SIGNATURE_LINES_MAX).skip(1) {
        if line.words.is_empty() || line.indent < first.indent + ANNOUNCED_INDENT {
            return None;
        }
        depth += opened(line.words);
        if depth <= 0 {
            let is_end = line.words.ends_with([')', ';', '{']);
            return is_end.then_some((at + 1, false));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::text::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_signature_that_goes_on_further_in_is_code_from_its_first_line() {
        let source = "\u{1f}\nFile: kiln.info,  Node: Fire,  Up: Top\n\n1 Fire\n******\n\nvoid cool(kiln k=oak, heat h,\n          ash a=none)\n\n   To fire it, use the routines\nvoid open(kiln k);\nvoid fire(kiln k=oak, heat h, wood[] w=new wood[],\n          ash a=none, wood w=\n          dry ? old : new);\nvoid fire(kiln k,\n          ash a=none);\n   By default the wood is old.\n\nIt is (as it seems,\n     heat=hot; kiln=lit);\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "# 1 Fire\n\n```\nvoid cool(kiln k=oak, heat h,\n          ash a=none)\n```\n\nTo fire it, use the routines\n\n```\nvoid open(kiln k);\nvoid fire(kiln k=oak, heat h, wood[] w=new wood[],\n          ash a=none, wood w=\n          dry ? old : new);\nvoid fire(kiln k,\n          ash a=none);\n```\n\nBy default the wood is old.\n\nIt is (as it seems, heat=hot; kiln=lit);\n"
        );
    }

    #[test]
    fn a_call_below_what_a_program_answers_is_not_torn_out_of_it() {
        let source = "\u{1f}\nFile: kiln.info,  Node: Fire,  Up: Top\n\n1 Fire\n******\n\nSome examples are here, as they are\n⇒ hot wood\nkiln_fire([Dry wood.], [  ],\n          [ oak ], 30)\n⇒ dry wood\n";
        let text = write(&read(source.to_owned()).blocks);
        assert!(!text.contains("```"), "{text}");
    }
}
