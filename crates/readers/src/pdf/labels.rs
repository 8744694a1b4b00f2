//! Knows the words that count the chapters of a book, in the languages that books are written in: `Chapter 4`, `CAPÍTULO 4`, `第4章`.

use crate::pdf::outline::is_number;
use crate::words::{WordList, words};

/// Words before the number of a chapter, a part or an appendix. Those of English, French and German may stand before a spelled number.
const SPELLING: [&str; 6] = [
    "chapter", "appendix", "part", "kapitel", "chapitre", "anhang",
];
static COUNTING: WordList = words!(
    "capítulo capitulo capitolo capítol capitol capitolul hoofdstuk kapittel kapitola rozdział poglavlje luku bab chương глава розділ \
     раздел поглавље κεφάλαιο teil partie parte deel część část часть частина μέρος annexe annex annexo anexo apéndice apêndice apèndix \
     appendice allegato bijlage bilaga vedlegg dodatek lampiran приложение додаток"
);

/// Numbers as titles of chapters spell them, and the tens above them.
static SPELLED: WordList = words!(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
);
const TENS: [&str; 8] = [
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];

/// Whether a line only counts chapters: "CHAPTER FOUR", "Appendix B".
pub(crate) fn is_label(text: &str) -> bool {
    label(text).is_some()
}

/// Whether a line is a spelled number alone: what is left of a label where "CHAPTER" also runs along the pages.
pub(crate) fn is_spelled_number(text: &str) -> bool {
    spelled(&text.trim().to_lowercase()).is_some()
}

/// The number that a word in small letters spells, up to 99. LaTeX's styles write those above twenty as one word: `twentytwo`.
fn spelled(word: &str) -> Option<usize> {
    let place = |words: &[&str], word: &str| words.iter().position(|one| *one == word);
    if let Some(place) = place(&SPELLED, word) {
        return Some(place + 1);
    }
    TENS.iter().zip(2..).find_map(|(ten, tens)| {
        let rest = word.strip_prefix(ten)?.trim_start_matches(['-', ' ']);
        let ones = place(SPELLED.get(..9)?, rest).map(|place| place + 1);
        let ones = ones.or_else(|| rest.is_empty().then_some(0))?;
        Some(10 * tens + ones)
    })
}

/// What a line that only counts chapters says, its number in figures: "Chapter 4", "Appendix B".
pub(crate) fn label(text: &str) -> Option<String> {
    let squeezed: String = text.split_whitespace().collect();
    if is_counter(&squeezed) {
        return Some(squeezed);
    }
    let mut words = text.split_whitespace();
    let (kind, number) = (words.next()?, words.next()?);
    if words.next().is_some() {
        return None;
    }
    let lower = kind.to_lowercase();
    let may_spell = SPELLING.contains(&lower.as_str());
    // Words of other languages may be common ones, so only a figure or a capital tells that they count.
    let may_count = kind.starts_with(char::is_uppercase) && COUNTING.contains(&lower.as_str());
    let is_figure = is_number(number) || is_roman(number);
    let is_letters = |c: char| c.is_alphabetic() || c == '-';
    let is_spelled = may_spell && number.chars().all(is_letters);
    if !((may_spell || may_count) && is_figure || is_spelled) {
        return None;
    }
    let mut letters = lower.chars();
    let first: String = letters.next()?.to_uppercase().collect();
    let kind = first + letters.as_str();
    let figures = spelled(&number.to_lowercase()).map(|number| number.to_string());
    let number = figures.unwrap_or_else(|| number.to_owned());
    Some(format!("{kind} {number}"))
}

/// Whether words count a chapter as Chinese, Japanese and Korean do: `第4章`, `제4장`.
fn is_counter(squeezed: &str) -> bool {
    let inner = squeezed
        .strip_prefix('第')
        .and_then(|rest| rest.strip_suffix(['章', '部', '編', '篇']))
        .or_else(|| {
            squeezed
                .strip_prefix('제')
                .and_then(|rest| rest.strip_suffix(['장', '부']))
        });
    inner.is_some_and(|inner| {
        let is_figure = |c: char| c.is_ascii_digit() || "一二三四五六七八九十百".contains(c);
        !inner.is_empty() && inner.chars().count() <= 4 && inner.chars().all(is_figure)
    })
}

/// Whether a word is a number in Roman capitals.
fn is_roman(word: &str) -> bool {
    !word.is_empty() && word.len() <= 6 && word.chars().all(|c| matches!(c, 'I' | 'V' | 'X' | 'L'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spelled_number_alone_is_what_is_left_of_a_label() {
        assert!(is_spelled_number(" ONE ") && is_spelled_number("Twelve"));
        assert!(!is_spelled_number("One more thing") && !is_spelled_number("1"));
        assert!(is_spelled_number("TWENTYTWO") && is_spelled_number("Thirty-One"));
        assert!(!is_spelled_number("TWENTYTEN") && !is_spelled_number("Twenties"));
        assert_eq!(label("CHAPTER FOUR").as_deref(), Some("Chapter 4"));
        assert_eq!(label("CHAPTER TWENTY-TWO").as_deref(), Some("Chapter 22"));
    }

    #[test]
    fn chapters_are_counted_in_many_languages() {
        for (text, told) in [
            ("CAPÍTULO 4", "Capítulo 4"),
            ("Bab IV", "Bab IV"),
            ("Apêndice A", "Apêndice A"),
            ("ГЛАВА 2", "Глава 2"),
            ("第 3 章", "第3章"),
            ("第十章", "第十章"),
        ] {
            assert_eq!(label(text).as_deref(), Some(told));
        }
        for text in ["parte del", "Parte quemada", "第三", "Capítulo 4 Hornos"] {
            assert_eq!(label(text), None, "{text}");
        }
    }
}
