//! Lists of words and phrases, written as texts: `words!("oak ash elm")`, `phrases!("dry oak | wet ash")`.

use std::sync::LazyLock;

/// A list that is made when it is first looked at.
pub(crate) type WordList = LazyLock<Vec<&'static str>>;

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

pub(crate) use {phrases, words};
