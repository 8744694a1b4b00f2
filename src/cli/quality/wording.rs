//! The words that the measure of tasks compares: how a text is taken apart, which words count, and whether a text holds an answer.

use regex::Regex;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Words that tell nothing of what is asked.
const STOP: &str = "a an and are as at be but by can do does for from has have how if in into is it its may must no not of on one or our should so such than that the their them then there these they this to use used uses using was we were what when where which will with would you your";

static STOPS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| STOP.split(' ').collect());

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern that its tests use")
}

static ESCAPE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\\([\\`*_{}\[\]()#+\-.!<>|~$&])"));
static LINK: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"!?\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)"#));
static WORD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"[\p{L}\p{N}]+(?:[-_./:=+#@$%~][\p{L}\p{N}]+)*|--?[\p{L}\p{N}_-]+|[^\s\p{L}\p{N}_]{1,3}[\p{L}\p{N}_]+",
    )
});
static UNSPACED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"[\x{3040}-\x{30ff}\x{3400}-\x{9fff}\x{ac00}-\x{d7af}\x{0e00}-\x{0e7f}]")
});
static CODE_LIKE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"[\p{Nd}_/=@$%~#]|^-|[\p{L}\p{N}_][.:][\p{L}\p{N}_]"));

/// A text without the marks of Markdown: escapes, emphasis, ticks of code, targets of links, the shapes of quotes.
pub(super) fn plain(text: &str) -> String {
    let text = ESCAPE.replace_all(text, "$1");
    let text = LINK.replace_all(&text, "$1");
    text.chars()
        .filter(|c| !matches!(c, '*' | '`'))
        .map(|c| match c {
            '‘' | '’' => '\'',
            '“' | '”' => '"',
            '–' | '—' => '-',
            '\u{a0}' => ' ',
            other => other,
        })
        .collect()
}

/// The words of a text in small letters; of scripts without spaces each letter.
pub(super) fn words(text: &str) -> Vec<String> {
    let text = plain(text).to_lowercase();
    let mut out = Vec::new();
    for found in WORD.find_iter(&text) {
        let word = found.as_str();
        if UNSPACED.is_match(word) {
            out.extend(word.chars().map(String::from));
            continue;
        }
        let bare = word.trim_matches(['-', '.', ':', '/']);
        let is_flag = word.starts_with('-') || bare.is_empty();
        out.push(if is_flag { word } else { bare }.to_owned());
    }
    out
}

/// A word without the endings of English.
pub(super) fn stem(word: &str) -> &str {
    let is_word = word.chars().all(char::is_alphabetic) && !UNSPACED.is_match(word);
    if !is_word || word.chars().count() <= 4 {
        return word;
    }
    let endings = ["ing", "ed", "es", "s"];
    let cut = endings
        .into_iter()
        .find_map(|ending| word.strip_suffix(ending));
    cut.unwrap_or(word)
}

/// Whether a word tells nothing of what is asked.
pub(super) fn is_stop(word: &str) -> bool {
    STOPS.contains(word)
}

/// Words of a source that answer a question. A text answers when one stretch of it holds every word of code among them, and four fifths of
/// the others.
pub(super) struct Quote {
    code: HashSet<String>,
    content: HashSet<String>,
    /// The longest stretch, in words.
    span: usize,
}

impl Quote {
    pub(super) fn of(text: &str) -> Self {
        let words = words(text);
        let span = 40.max(3 * words.len());
        let (mut code, mut content) = (HashSet::new(), HashSet::new());
        for word in words {
            if CODE_LIKE.is_match(&word) {
                code.insert(word);
            } else if !is_stop(&word) && (word.chars().nth(1).is_some() || UNSPACED.is_match(&word))
            {
                content.insert(stem(&word).to_owned());
            }
        }
        Self {
            code,
            content,
            span,
        }
    }

    pub(super) fn is_in(&self, text: &str) -> bool {
        let needed = (4 * self.content.len()).div_ceil(5);
        let words = words(text);
        // Which word of the quotation each word is, and whether that is one of code.
        let marks: Vec<Option<(&str, bool)>> = words
            .iter()
            .map(|word| match self.code.contains(word) {
                true => Some((word.as_str(), true)),
                false => Some((stem(word), false)).filter(|(stem, _)| self.content.contains(*stem)),
            })
            .collect();
        let mut seen: HashMap<&str, usize> = HashMap::new();
        let (mut code, mut content) = (0, 0);
        for (at, mark) in marks.iter().enumerate() {
            if let Some((word, is_code)) = *mark {
                let count = seen.entry(word).or_default();
                *count += 1;
                if *count == 1 {
                    *(if is_code { &mut code } else { &mut content }) += 1;
                }
            }
            let left = at.checked_sub(self.span).and_then(|at| marks.get(at));
            if let Some((word, is_code)) = left.copied().flatten()
                && let Some(count) = seen.get_mut(word)
            {
                *count -= 1;
                if *count == 0 {
                    *(if is_code { &mut code } else { &mut content }) -= 1;
                }
            }
            if code >= self.code.len() && content >= needed {
                return true;
            }
        }
        false
    }
}

/// The labels by how much they say of a question, most first (BM25, k1 = 1.2, b = 0.75; Robertson and Zaragoza, 2009). Equal ones keep their order.
pub(super) fn ranked(question: &str, labels: &[&str]) -> Vec<usize> {
    let texts: Vec<Vec<String>> = labels
        .iter()
        .map(|label| {
            words(label)
                .iter()
                .map(|word| stem(word).to_owned())
                .collect()
        })
        .collect();
    let total = texts.len() as f64;
    let length: usize = texts.iter().map(Vec::len).sum();
    let mean = (length as f64 / total.max(1.0)).max(f64::MIN_POSITIVE);
    let mut containing: HashMap<&str, usize> = HashMap::new();
    for text in &texts {
        let distinct: HashSet<&str> = text.iter().map(String::as_str).collect();
        for word in distinct {
            *containing.entry(word).or_default() += 1;
        }
    }
    let mut asked: Vec<String> = words(question)
        .iter()
        .filter(|word| !is_stop(word))
        .map(|word| stem(word).to_owned())
        .collect();
    asked.sort_unstable();
    asked.dedup();
    let score = |text: &[String]| -> f64 {
        let own = 1.2 * (0.25 + 0.75 * text.len() as f64 / mean);
        let parts = asked.iter().map(|word| {
            let times = text.iter().filter(|other| *other == word).count() as f64;
            let with = containing.get(word.as_str()).copied().unwrap_or(0) as f64;
            let rarity = (1.0 + (total - with + 0.5) / (with + 0.5)).ln();
            rarity * times * 2.2 / (times + own)
        });
        parts.sum()
    };
    let scores: Vec<f64> = texts.iter().map(|text| score(text)).collect();
    let mut order: Vec<usize> = (0..labels.len()).collect();
    let of = |index: &usize| scores.get(*index).copied().unwrap_or_default();
    order.sort_by(|a, b| of(b).total_cmp(&of(a)));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_markdown_are_no_words_and_flags_keep_their_hyphens() {
        assert_eq!(
            words(r"Use **`--dry-run`**, see [the guide](a.md) — it's *fast*. v1.2.3/x"),
            [
                "use",
                "--dry-run",
                "see",
                "the",
                "guide",
                "it",
                "'s",
                "fast",
                "v1.2.3/x"
            ]
        );
        assert_eq!(words("窯を焼く"), ["窯", "を", "焼", "く"]);
        assert_eq!(stem("firing"), "fir");
        assert_eq!(stem("uses"), "uses");
    }

    #[test]
    fn a_stretch_answers_with_all_of_the_code_and_most_of_the_words() {
        let quote = Quote::of("Fire the kiln with `kiln --slow` before glazing bowls");
        assert!(quote.is_in("First run `kiln --slow` to fire the kiln before you glaze the bowl."));
        assert!(!quote.is_in("Fire the kiln slowly before glazing bowls."));
        let apart = format!(
            "kiln --slow {} fire before glazing bowls",
            "word ".repeat(60)
        );
        assert!(!quote.is_in(&apart));
    }

    #[test]
    fn the_label_with_the_rarer_words_is_opened_first() {
        let labels = ["kiln and fire", "kiln and glaze", "kiln"];
        assert_eq!(ranked("How do I glaze in a kiln?", &labels), [1, 2, 0]);
    }
}
