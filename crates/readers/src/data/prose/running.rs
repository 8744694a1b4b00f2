//! Decides what running text is, and whether data is mostly that.

use skillkiln_document::text::is_unspaced;

/// Fewer words are a name, a label or a remark.
const WORDS_MIN: usize = 25;
/// As many signs are as long in a script without blanks.
const UNSPACED_MIN: usize = 60;
/// What a sentence ends with.
pub(super) const ENDS: [char; 8] = ['.', '!', '?', '…', '。', '！', '？', '।'];
/// What may stand behind the end of a sentence.
const CLOSING: [char; 10] = ['"', '\'', '”', '’', '»', '“', ')', ']', '」', '*'];
/// What code is full of.
const OF_CODE: [char; 7] = ['{', '}', '=', '<', '>', '\\', '|'];

/// Whether `text` is sentences: many words, one of which ends a sentence, in letters for the most part and without tags.
pub(super) fn is_running(text: &str) -> bool {
    let mut signs = 0;
    let mut letters = 0;
    let mut unspaced = 0;
    let mut of_code = 0;
    for sign in text.chars().filter(|sign| !sign.is_whitespace()) {
        signs += 1;
        letters += usize::from(sign.is_alphabetic());
        unspaced += usize::from(is_unspaced(sign));
        of_code += usize::from(OF_CODE.contains(&sign));
    }
    let is_long = || {
        let words = text.split_whitespace();
        words
            .filter(|word| word.contains(char::is_alphabetic))
            .nth(WORDS_MIN - 1)
            .is_some()
    };
    letters * 10 >= signs * 6
        && of_code * 40 <= signs
        && (unspaced >= UNSPACED_MIN || is_long())
        && text.split_whitespace().any(ends_sentence)
        && !text.contains("</")
        && !text.contains("/>")
}

/// Whether a word ends a sentence. In a script without blanks a word is a line, and a stop within it is as good.
fn ends_sentence(word: &str) -> bool {
    word.trim_end_matches(CLOSING).ends_with(ENDS) || word.contains(['。', '！', '？'])
}

/// Whether a long file may be running text, as its blanks tell: data has few of them within its lines.
pub(super) fn may_be(text: &str) -> bool {
    let within = text.lines().map(|line| line.trim().matches(' ').count());
    within.sum::<usize>() * 12 >= text.len()
}

/// How much of what data says is running text, in letters.
#[derive(Debug, Default)]
pub(super) struct Share {
    running: usize,
    all: usize,
}

impl Share {
    /// Counts a value.
    pub(super) fn value(&mut self, text: &str) {
        let letters = letters(text);
        self.all += letters;
        if letters >= UNSPACED_MIN && is_running(text) {
            self.running += letters;
        }
    }

    /// Counts what only names and numbers the values.
    pub(super) fn name(&mut self, text: &str) {
        self.all += letters(text);
    }

    /// Whether running text is most of it.
    pub(super) fn is_most(&self) -> bool {
        self.running > 0 && self.running * 2 >= self.all
    }
}

fn letters(text: &str) -> usize {
    text.chars().filter(|sign| sign.is_alphabetic()).count()
}

#[cfg(test)]
mod tests {
    use super::is_running;

    /// A sentence of twenty-six words.
    const SENTENCES: &str = "The potter sets the kiln on a slow fire and waits until the glaze has melted. Then she lets it cool for a day, and opens it.";

    #[test]
    fn sentences_are_running_text() {
        assert!(is_running(SENTENCES));
    }

    #[test]
    fn few_words_are_no_running_text() {
        assert!(!is_running("The kiln is hot. Wait for a day."));
    }

    #[test]
    fn words_that_end_no_sentence_are_no_running_text() {
        assert!(!is_running(&"kiln glaze ".repeat(20)));
    }

    #[test]
    fn a_page_of_tags_is_no_running_text() {
        assert!(!is_running(&format!("<p>{SENTENCES}</p>")));
    }

    #[test]
    fn code_is_no_running_text() {
        let code = "if (a == b) { return c[0]; } else { x = y.z(); } ".repeat(10);
        assert!(!is_running(&format!("{code} end.")));
    }

    #[test]
    fn sentences_without_blanks_are_running_text() {
        assert!(is_running(
            &"陶工は窯をゆっくり焼きます。釉薬が溶けるまで待ちます。".repeat(4)
        ));
    }
}
