//! Owns what a part of a talk may be called: by a name, or a thing that it comes back to; else by how it begins, or by its time.

use super::borders::words_of;
use crate::pipeline::synthesize::provenance::time;
use crate::pipeline::synthesize::sentences::sentences;
use skillkiln_document::blocks::Block;
use skillkiln_document::text::straight;

/// A thing comes so often in its part.
const TIMES_MIN: usize = 3;
/// A name comes so often inside sentences.
const NAME_TIMES_MIN: usize = 2;
/// One of so many times, a word stands before a thing that only stands before things.
const DETERMINED_OF: usize = 3;
/// A beginning has so many words at the least, and no more are told.
const WORDS: std::ops::RangeInclusive<usize> = 4..=8;
/// Words before things.
const DETERMINERS: &str = " a an the this that these those my your his her its our their every each any some no one two three of in on at \
    with from for to by el la los las un una unos unas del al este esta ese esa mi tu su mis tus sus nuestro nuestra cada de en con le les \
    une des du ce cet cette ces mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs chaque au aux der die das den dem ein eine \
    einen einem einer kein keine mein dein sein ihr unser jeder jede jedes diese dieser dieses o os as um uma do da dos das no na nos nas \
    meu minha seu sua il lo gli i uno nel nella della dello ";
/// Words that are no names although they may begin in capitals, and things that nobody means who says them.
const NONE: &str = " i you he she it we they me him us them god guys dude man oh uh um umm hey ok okay yeah yes no wow well sir mister \
    ma'am ago hours years days time times tu yo él ella tú usted eso esto qué que gracias vamos vale bueno dios je il elle nous vous ils \
    elles merci oui non bon quoi suis vais mon ton notre ich du er sie wir ihr danke ja nein gott mich dich eu você obrigado io lui lei \
    grazie mr mrs ms dr m mme mlle señor señora señorita monsieur madame herr frau ";

/// Whether a phrase names something in `text`, the words of its part: it is written as a name inside sentences, or comes back as things
/// do, behind words that stand before things.
pub(super) fn is_of_part(phrase: &str, text: &str) -> bool {
    let words: Vec<&str> = phrase.split_whitespace().collect();
    if words.iter().any(|word| is_contracted(word)) || words.iter().all(|word| is_in(word, NONE)) {
        return false;
    }
    let ends_empty = [words.first(), words.last()]
        .into_iter()
        .flatten()
        .any(|word| is_in(word, NONE));
    if ends_empty && words.len() > 1 && !words.iter().all(|word| begins_high(word)) {
        return false;
    }
    let said = Said::of(phrase, text);
    let is_name = said.high >= NAME_TIMES_MIN && said.low == 0;
    let is_thing = said.all >= TIMES_MIN && said.determined * DETERMINED_OF >= said.all;
    is_name || is_thing
}

/// How a part begins: the first words of its first whole sentence.
pub(super) fn beginning(blocks: &[Block]) -> Option<String> {
    blocks.iter().filter_map(words_of).find_map(|text| {
        sentences(&text)
            .into_iter()
            .find_map(|range| first_words(text.get(range)?.trim()))
    })
}

fn first_words(sentence: &str) -> Option<String> {
    let begins = sentence.chars().find(|c| c.is_alphanumeric())?;
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let is_ended = sentence.ends_with(['.', '?', '!', '…', '"', '”', '»']);
    if begins.is_lowercase() || !is_ended || words.len() < *WORDS.start() {
        return None;
    }
    if words.len() <= *WORDS.end() {
        return Some(sentence.trim_end_matches(['.', '…']).to_owned());
    }
    let head = words.get(..*WORDS.end())?.join(" ");
    Some(format!("{}…", head.trim_end_matches([',', ';', ':', '-'])))
}

/// When a part is said: `12:30–17:05`.
pub(super) fn times(blocks: &[Block]) -> Option<String> {
    let (start_s, _) = blocks.first()?.span.seconds()?;
    let (_, end_s) = blocks.last()?.span.seconds()?;
    Some(format!("{}–{}", time(start_s), time(end_s)))
}

/// How a phrase stands in a text.
#[derive(Debug, Default)]
struct Said {
    all: usize,
    /// With capitals, inside a sentence.
    high: usize,
    /// In lower case.
    low: usize,
    /// Behind a word that stands before things.
    determined: usize,
}

impl Said {
    fn of(phrase: &str, text: &str) -> Self {
        let mut said = Self::default();
        let (text, lower) = (straight(text), phrase.to_lowercase());
        let words: Vec<&str> = text.split_whitespace().collect();
        let count = lower.split(' ').count();
        for (at, run) in words.windows(count).enumerate() {
            let is_it = run.iter().zip(lower.split(' ')).all(|(word, own)| {
                bare(word).to_lowercase().starts_with(own) && is_form(word, own)
            });
            if !is_it {
                continue;
            }
            let before = at.checked_sub(1).and_then(|at| words.get(at)).copied();
            let opens = before.is_none_or(|word| {
                word.ends_with(|c: char| !c.is_alphanumeric() && c != ',' && c != '\'')
            });
            let opens = opens
                || run
                    .first()
                    .is_some_and(|word| !word.starts_with(char::is_alphanumeric));
            said.all += 1;
            said.low += usize::from(run.first().is_some_and(|word| !begins_high(bare(word))));
            let is_high = run.iter().all(|word| begins_high(bare(word)));
            said.high += usize::from(is_high && !opens);
            said.determined += usize::from(before.is_some_and(|word| is_in(word, DETERMINERS)));
        }
        said
    }
}

/// Whether a word is another or its form with an ending.
fn is_form(word: &str, own: &str) -> bool {
    bare(word).chars().count() <= own.chars().count() + 2
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

fn begins_high(word: &str) -> bool {
    word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
}

/// Whether a word holds another one behind its apostrophe: `I'll`, `don't`.
fn is_contracted(word: &str) -> bool {
    let plain = straight(word).to_lowercase();
    ["'ll", "'ve", "'re", "'m", "'d", "n't"]
        .iter()
        .any(|end| plain.ends_with(end))
}

fn is_in(word: &str, list: &str) -> bool {
    list.contains(&format!(" {} ", bare(word).to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::is_of_part;

    const TEXT: &str = "We told Agent Walters of it. He saw Agent Walters and the kiln. Started running, he saw a kiln. Was the kiln hot? \
        Pasé y pasé. Ya pasé, God. Oh God, I'll catch it. And I'll catch God. Qué. Y ¿qué? Hours ago, some hours ago. Oh, hours ago it was.";

    #[test]
    fn a_part_is_called_by_names_and_things() {
        for name in ["Agent Walters", "kiln"] {
            assert!(is_of_part(name, TEXT), "{name}");
        }
    }

    #[test]
    fn a_part_is_not_called_by_verbs_and_small_words() {
        for name in [
            "Started running",
            "Pasé",
            "God",
            "I'll catch",
            "Qué",
            "hours ago",
            "hot",
        ] {
            assert!(!is_of_part(name, TEXT), "{name}");
        }
    }
}
