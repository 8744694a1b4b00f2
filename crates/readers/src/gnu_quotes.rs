//! Takes the quotes that old texts of GNU and of troff are written with for those that they write today: `` `kiln' `` for 'kiln', and
//! two of each for "kiln". Their backtick leans as a quote in the fonts of its time; in Markdown it begins code.

use skillkiln_document::text::Inline;
use std::borrow::Cow;

/// What stands between such quotes is not longer, in bytes.
const QUOTED_BYTES_MAX: usize = 200;

/// `words` with such quotes straight.
pub(super) fn straight(words: &str) -> Cow<'_, str> {
    if !words.contains('`') || !words.contains('\'') || calls_macro(words) {
        return words.into();
    }
    let mut out = String::with_capacity(words.len());
    let mut rest = words;
    while let Some((before, behind)) = rest.split_once('`') {
        out.push_str(before);
        rest = behind;
        // Behind a letter it is no quote that opens.
        let may_open =
            !out.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '`' | '\\' | '$'));
        let (mark, open, close) = match behind.strip_prefix('`') {
            Some(inner) => ("\"", inner, "''"),
            None => ("'", behind, "'"),
        };
        match end_of(open, close).filter(|_| may_open) {
            Some(end) => {
                out.push_str(mark);
                out.push_str(open.get(..end).unwrap_or(""));
                out.push_str(mark);
                rest = open.get(end + close.len()..).unwrap_or("");
            }
            None => out.push('`'),
        }
    }
    out.push_str(rest);
    out.into()
}

/// Whether words call a macro of m4, which quotes its arguments so: "define(`kiln', `oven')".
fn calls_macro(words: &str) -> bool {
    words.match_indices("(`").any(|(at, _)| {
        words
            .get(..at)
            .is_some_and(|before| before.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
    })
}

/// Whether a quote behind `before` opens another quotation, as in what a shell puts in: "cat '/kiln'".
fn opens_other(before: &str) -> bool {
    before.ends_with(|c: char| c.is_whitespace() || matches!(c, '+' | '=' | '/' | '(' | '{' | '['))
}

/// Where the quotation that `open` begins with ends.
fn end_of(open: &str, close: &str) -> Option<usize> {
    if open.starts_with([' ', '`', '\'']) {
        return None;
    }
    // A sign that is quoted for itself stands alone between its quotes: ("`"), and then others.
    let ends_other = open.starts_with(['"', ')', ',', '.', ';', ':']);
    if ends_other
        && !open
            .get(1..)
            .is_some_and(|behind| behind.starts_with(close))
    {
        return None;
    }
    let near = open.get(..open.floor_char_boundary(QUOTED_BYTES_MAX))?;
    let near = near.split('`').next().unwrap_or("");
    let mut ends = near.match_indices(close).map(|(at, _)| at);
    // One within a word is that of "don't".
    let end = ends.find(|at| {
        let after = open.get(at + close.len()..).unwrap_or("");
        *at > 0 && !after.starts_with(char::is_alphanumeric)
    })?;
    let is_whole = near
        .match_indices('\'')
        .take_while(|(at, _)| *at <= end)
        .all(|(at, _)| !near.get(..at).is_some_and(opens_other));
    is_whole.then_some(end)
}

/// The same for pieces, where what is quoted may be set in a font of its own.
pub(super) fn in_pieces(mut pieces: Vec<Inline>) -> Vec<Inline> {
    for at in 1..pieces.len().saturating_sub(1) {
        let Some([before, between, behind]) = pieces.get_mut(at - 1..=at + 1) else {
            break;
        };
        let (Inline::Text(before), Inline::Text(behind)) = (before, behind) else {
            continue;
        };
        if matches!(between, Inline::Text(_) | Inline::Break) {
            continue;
        }
        for (open, close, mark) in [("``", "''", "\""), ("`", "'", "'")] {
            let (Some(opened), Some(closed)) =
                (before.strip_suffix(open), behind.strip_prefix(close))
            else {
                continue;
            };
            if opened.ends_with(['`', '\\']) || closed.starts_with(char::is_alphanumeric) {
                continue;
            }
            (*before, *behind) = (format!("{opened}{mark}"), format!("{mark}{closed}"));
            break;
        }
    }
    for piece in &mut pieces {
        if let Inline::Text(words) = piece
            && let Cow::Owned(straight) = straight(words)
        {
            *words = straight;
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shell_puts_in_and_what_a_macro_is_given_are_no_quotations() {
        for words in [
            "kill -9 `cat '/var/run/kiln'`",
            "date `date +'%s'`",
            "echo `awk '{print $1}' kiln`",
            "`tr 'a-z' 'A-Z'`",
            "define(`kiln', `oven')",
        ] {
            assert_eq!(straight(words), words);
        }
    }

    #[test]
    fn quotes_that_begin_with_a_backtick_are_straight_and_code_is_left() {
        for (words, shown) in [
            (
                "The `kiln' and the `hot oven'.",
                "The 'kiln' and the 'hot oven'.",
            ),
            (
                "It says ``it is hot'', doesn't it?",
                "It says \"it is hot\", doesn't it?",
            ),
            (
                "Say `don't' or `f(x)', (`-h').",
                "Say 'don't' or 'f(x)', ('-h').",
            ),
            (
                "Run `date` and don't ask `who`.",
                "Run `date` and don't ask `who`.",
            ),
            (
                "A ` alone isn't one' and x`y' is none.",
                "A ` alone isn't one' and x`y' is none.",
            ),
            ("`kiln", "`kiln"),
            (
                "A backtick (\"`\"), and a quote (\"'\"); `\"' is both.",
                "A backtick (\"`\"), and a quote (\"'\"); '\"' is both.",
            ),
        ] {
            assert_eq!(straight(words), shown);
        }
    }

    #[test]
    fn what_is_quoted_may_be_set_in_a_font_of_its_own() {
        let text = |words: &str| Inline::Text(words.to_owned());
        let bold = || Inline::Strong(vec![text("kiln")]);
        for (open, close, mark) in [("`", "'", "'"), ("``", "''", "\"")] {
            let pieces = vec![
                text(&format!("The {open}")),
                bold(),
                text(&format!("{close} burns")),
            ];
            let shown = vec![
                text(&format!("The {mark}")),
                bold(),
                text(&format!("{mark} burns")),
            ];
            assert_eq!(in_pieces(pieces), shown);
        }
        let pieces = vec![text("The `"), bold(), text("'s fire")];
        assert_eq!(in_pieces(pieces.clone()), pieces);
    }
}
