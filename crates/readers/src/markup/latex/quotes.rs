//! Sets the single quotes of LaTeX as they are printed, as its double ones are: `` `kiln' `` is ‘kiln’, and an apostrophe stays one.

use crate::markup::latex::references::each_words;
use skillkiln_document::blocks::Block;
use skillkiln_document::text::Inline;

/// Sets the quotes in the words of all blocks.
pub(super) fn set(blocks: &mut [Block]) {
    each_words(blocks, &mut |words| {
        let mut open = 0;
        set_in(words, &mut open);
    });
}

/// Sets those of a piece of running text, before which so many are `open`.
fn set_in(words: &mut [Inline], open: &mut usize) {
    for word in words {
        match word {
            Inline::Text(text) if text.contains('`') || *open > 0 && text.contains('\'') => {
                *text = printed(text, open);
            }
            Inline::Emphasis(inner) | Inline::Strong(inner) => set_in(inner, open),
            Inline::Link(link) => set_in(&mut link.text, open),
            _ => {}
        }
    }
}

/// The words with their quotes; one closes that is open, where no letter goes on behind it. Signs of Japanese stand right behind quotes.
fn printed(text: &str, open: &mut usize) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut signs = text.chars().peekable();
    let goes_on =
        |next: &char| next.is_ascii_alphanumeric() || next.is_lowercase() || next.is_uppercase();
    while let Some(sign) = signs.next() {
        match sign {
            '`' => {
                *open += 1;
                out.push('‘');
            }
            '\'' if *open > 0 && !signs.peek().is_some_and(goes_on) => {
                *open -= 1;
                out.push('’');
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::markup::latex::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn single_quotes_are_printed_as_double_ones_are_and_apostrophes_stay() {
        let source = "\\documentclass{article}\n\\begin{document}\nThe `kiln' isn't ``hot'', and `\\emph{it}' is the potters' own; `;' is a sign, as `窯'は.\n\n\\texttt{`a'} stays.\n\\end{document}\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "The ‘kiln’ isn't “hot”, and ‘*it*’ is the potters' own; ‘;’ is a sign, as ‘窯’は.\n\n`` `a' `` stays.\n"
        );
    }
}
