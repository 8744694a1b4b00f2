//! Lists of words and phrases, and tables of them, written as texts: `words!("oak ash elm")`, `phrases!("dry oak | wet ash")`,
//! `pairs!("oak hard  pine soft")`.

use std::collections::HashMap;
use std::sync::LazyLock;

/// A list that is made when it is first looked at.
pub(crate) type WordList = LazyLock<Vec<&'static str>>;

/// A table from words to what each stands for.
pub(crate) type Pairs = LazyLock<HashMap<&'static str, &'static str>>;

/// What a table has for a sign; the sign itself where it has nothing.
pub(crate) fn sign_of(table: &Pairs, sign: char) -> char {
    let found = table.get(sign.encode_utf8(&mut [0; 4]) as &str);
    found.and_then(|found| found.chars().next()).unwrap_or(sign)
}

/// Words that white space parts.
macro_rules! words {
    ($text:literal) => {
        std::sync::LazyLock::new(|| $text.split_whitespace().collect())
    };
}

/// Phrases that ` | ` parts.
macro_rules! phrases {
    ($text:literal) => {
        std::sync::LazyLock::new(|| $text.split(" | ").collect())
    };
}

/// Words, each before what it stands for.
macro_rules! pairs {
    ($text:literal) => {
        std::sync::LazyLock::new(|| {
            let mut words = $text.split_whitespace();
            std::iter::from_fn(|| Some((words.next()?, words.next()?))).collect()
        })
    };
}

pub(crate) use {pairs, phrases, words};
