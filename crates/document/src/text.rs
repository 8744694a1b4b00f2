//! Owns running text: inline pieces (words, code, emphasis, links), their plain form, slugs, anchors, and how words are counted.

use crate::work::{BYTES_A_STEP, step};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation;

/// The months in English, in small letters: what is written short begins with three of them.
pub const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// A piece of running text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Inline {
    /// Words as they read, without any mark-up.
    Text(String),
    /// Code inside a line, to the letter.
    Code(String),
    /// Stressed.
    Emphasis(Vec<Inline>),
    /// Strongly stressed.
    Strong(Vec<Inline>),
    /// A link; `href` is absolute wherever the reader knew the base address.
    Link(Box<Link>),
    /// A formula inside a line, in TeX where the source has it.
    Math(String),
    /// A line break that matters.
    Break,
}

/// A link inside a line. It has a place of its own, since a long text is mostly pieces that are none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Where it leads.
    pub href: String,
    /// What it says.
    pub text: Vec<Inline>,
}

impl Inline {
    /// A link to an address.
    #[must_use]
    pub fn link(href: String, text: Vec<Self>) -> Self {
        Self::Link(Box::new(Link { href, text }))
    }
}

/// `inlines` without where their links lead, however deep those stand.
#[must_use]
pub fn without_links(inlines: &[Inline]) -> Vec<Inline> {
    let mut out = Vec::with_capacity(inlines.len());
    for inline in inlines {
        match inline {
            Inline::Link(link) => out.extend(without_links(&link.text)),
            Inline::Strong(inner) => out.push(Inline::Strong(without_links(inner))),
            Inline::Emphasis(inner) => out.push(Inline::Emphasis(without_links(inner))),
            other => out.push(other.clone()),
        }
    }
    out
}

/// Appends the plain text of `inlines` to `out`: what a reader would read aloud, code and formulas included.
pub fn write_plain(inlines: &[Inline], out: &mut String) {
    for inline in inlines {
        match inline {
            Inline::Text(text) | Inline::Code(text) | Inline::Math(text) => out.push_str(text),
            Inline::Emphasis(inner) | Inline::Strong(inner) => write_plain(inner, out),
            Inline::Link(link) => write_plain(&link.text, out),
            Inline::Break => out.push('\n'),
        }
    }
}

/// The plain text of `inlines`.
#[must_use]
pub fn plain(inlines: &[Inline]) -> String {
    let bytes = plain_bytes(inlines);
    step(inlines.len() + bytes / BYTES_A_STEP);
    let mut out = String::with_capacity(bytes);
    write_plain(inlines, &mut out);
    out
}

/// How long the plain text of `inlines` is.
fn plain_bytes(inlines: &[Inline]) -> usize {
    let bytes = |inline: &Inline| match inline {
        Inline::Text(text) | Inline::Code(text) | Inline::Math(text) => text.len(),
        Inline::Emphasis(inner) | Inline::Strong(inner) => plain_bytes(inner),
        Inline::Link(link) => plain_bytes(&link.text),
        Inline::Break => 1,
    };
    inlines.iter().map(bytes).sum()
}

/// Counts words by Unicode's default word boundaries (UAX 29): pieces that hold a letter or a digit (decision 16). No word
/// reaches over the end of a line (WB3a, WB3b), so each line is counted in the way that is fastest for it.
#[must_use]
pub fn word_count(text: &str) -> usize {
    step(1 + text.len() / BYTES_A_STEP);
    text.split('\n')
        .map(|line| match line.is_ascii() {
            true => ascii_words(line).count(),
            false => line.unicode_words().count(),
        })
        .sum()
}

/// The words of a text in their order, by the rules of [`word_count`].
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    step(1 + text.len() / BYTES_A_STEP);
    text.split('\n').flat_map(|line| match line.is_ascii() {
        true => Words::Ascii(ascii_words(line)),
        false => Words::Unicode(line.unicode_words()),
    })
}

/// The words of a text, in the way that is fastest for it.
#[derive(Debug)]
pub enum Words<A, U> {
    /// Of a text that is all ASCII.
    Ascii(A),
    /// Of any other.
    Unicode(U),
}

impl<'t, A: Iterator<Item = &'t str>, U: Iterator<Item = &'t str>> Iterator for Words<A, U> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        match self {
            Self::Ascii(words) => words.next(),
            Self::Unicode(words) => words.next(),
        }
    }
}

/// Which bytes of ASCII are of words, wherever they stand: looked up, since every byte of every text is asked, some of them often.
#[expect(
    clippy::indexing_slicing,
    reason = "worked out by the compiler, which would tell"
)]
const OF_WORDS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_';
        byte += 1;
    }
    table
};

/// The words of an ASCII text: the same rules (WB5 to WB13b) in one pass over bytes, many times faster.
fn ascii_words(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let at = move |position: usize| bytes.get(position).copied().unwrap_or(0);
    let is_part = |byte: u8| OF_WORDS.get(usize::from(byte)) == Some(&true);
    // Whether a mark joins what stands around it.
    let joins = move |position: usize| {
        let around = [at(position - 1), at(position + 1)];
        let are_letters = || around.iter().all(u8::is_ascii_alphabetic);
        let are_digits = || around.iter().all(u8::is_ascii_digit);
        match at(position) {
            b'\'' | b'.' => are_letters() || are_digits(),
            b':' => are_letters(),
            b',' | b';' => are_digits(),
            _ => false,
        }
    };
    let mut position = 0;
    std::iter::from_fn(move || {
        loop {
            position += bytes.get(position..)?.iter().position(|b| is_part(*b))?;
            let start = position;
            let mut is_word = false;
            loop {
                while is_part(at(position)) {
                    is_word |= at(position) != b'_';
                    position += 1;
                }
                if !joins(position) {
                    break;
                }
                position += 1;
            }
            if is_word {
                return text.get(start..position);
            }
        }
    })
}

/// A text with the typewriter's apostrophe in place of the printer's, as words are compared: "here's" of "here’s".
#[must_use]
pub fn straight(text: &str) -> Cow<'_, str> {
    match text.contains('’') {
        true => text.replace('’', "'").into(),
        false => text.into(),
    }
}

/// A name for files and front matter: lower-case ASCII letters and digits joined by single hyphens, at most `chars_max` long,
/// cut at a word's end where possible. Signs that a name is spoken with are written out: "C#", "C++", ".NET". Empty when nothing in
/// `text` can be written in ASCII.
#[must_use]
pub fn slug(text: &str, chars_max: usize) -> String {
    let ascii = deunicode::deunicode(&text.nfkc().collect::<String>());
    let mut slug = String::with_capacity(ascii.len());
    let (mut before, mut word) = (' ', 0);
    let mut characters = ascii.chars().peekable();
    while let Some(character) = characters.next() {
        let after = characters.peek().copied().unwrap_or(' ');
        let is_last = !after.is_ascii_alphanumeric();
        let spoken = match character {
            '#' if word == 1 && is_last => "-sharp-",
            '*' if word == 1 && is_last => "-star-",
            '+' if word > 0 && (is_last || before == '+') => "-plus-",
            '.' if word == 0 && before != '.' && after.is_ascii_uppercase() => "-dot",
            '\'' => "",
            c if c.is_ascii_alphanumeric() => {
                word += 1;
                slug.push(c.to_ascii_lowercase());
                ""
            }
            _ => "-",
        };
        if spoken.starts_with('-') && (slug.is_empty() || slug.ends_with('-')) {
            slug.push_str(spoken.get(1..).unwrap_or_default());
        } else {
            slug.push_str(spoken);
        }
        if !matches!(character, '+' | '\'') && !character.is_ascii_alphanumeric() {
            word = 0;
        }
        before = character;
    }
    if slug.len() > chars_max {
        let cut = slug
            .get(..=chars_max)
            .and_then(|head| head.rfind('-'))
            .filter(|cut| *cut * 2 >= chars_max)
            .unwrap_or(chars_max);
        slug.truncate(cut);
    }
    while slug.ends_with('-') {
        slug.pop();
    }
    slug
}

/// A [`slug`] that can be the name of a file or a folder everywhere: none of Windows' devices, which no program there can make.
#[must_use]
pub fn file_slug(text: &str, chars_max: usize) -> String {
    const ENDING: &str = "-file";
    let slug = slug(text, chars_max);
    match is_device_name(&slug) {
        true => format!("{slug}{ENDING}"),
        false => slug,
    }
}

/// Whether Windows takes the name of a file or a folder for a device, whatever its ending: `con`, `NUL.md`, `com1.tar.gz`.
#[must_use]
pub fn is_device_name(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end();
    let is = |device: &str| stem.eq_ignore_ascii_case(device);
    let is_port = || {
        let (port, number) = stem.split_at_checked(3).unwrap_or((stem, ""));
        let mut number = number.chars();
        let is_number = |c: char| c.is_ascii_digit() || matches!(c, '\u{b9}' | '\u{b2}' | '\u{b3}');
        (port.eq_ignore_ascii_case("com") || port.eq_ignore_ascii_case("lpt"))
            && number.next().is_some_and(is_number)
            && number.next().is_none()
    };
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
        .into_iter()
        .any(is)
        || is_port()
}

/// The fragment that leads to a heading, as the usual renderers of Markdown make it: its letters and digits in lower case with the
/// marks on them, which are half of what is written in the scripts of India.
#[must_use]
pub fn anchor(heading: &str) -> String {
    let mut anchor = String::with_capacity(heading.len());
    for c in heading.trim().chars() {
        match c {
            ' ' => anchor.push('-'),
            '-' | '_' => anchor.push(c),
            c if c.is_alphanumeric() || is_combining_mark(c) => anchor.extend(c.to_lowercase()),
            _ => {}
        }
    }
    anchor
}

/// The anchors of a page's headings, in their order: where two headings are called alike the second one's is numbered, past those
/// that others have ("Door 1" has the number of a second "Door"), as the usual renderers do.
#[derive(Debug, Default)]
pub struct Anchors {
    taken: HashMap<String, usize>,
}

impl Anchors {
    /// The anchor of the next heading.
    pub fn next_of(&mut self, heading: &str) -> String {
        let base = anchor(heading);
        let mut number = self.taken.get(&base).copied().unwrap_or_default();
        let mut own = base.clone();
        while self.taken.contains_key(&own) {
            number += 1;
            own = format!("{base}-{number}");
        }
        self.taken.insert(base, number);
        self.taken.entry(own.clone()).or_default();
        own
    }
}

/// The letters and digits of a text alone, in lower case: two texts with the same ones are spelled alike but for gaps and signs.
#[must_use]
pub fn letters(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Whether a sign stands for a syllable or a word, as those of Chinese, Japanese and Korean do: it says as much as some letters.
#[must_use]
pub fn is_ideographic(sign: char) -> bool {
    matches!(sign,
        '\u{2E80}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7AF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}')
}

/// Whether a sign belongs to a script, or to the punctuation of one, that has no blanks between its words.
#[must_use]
pub fn is_unspaced(sign: char) -> bool {
    matches!(sign,
        '\u{2E80}'..='\u{312F}'
        | '\u{31A0}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FF00}'..='\u{FF9F}'
        | '\u{20000}'..='\u{3FFFF}'
        | '\u{0E00}'..='\u{0EFF}'
        | '\u{1000}'..='\u{109F}'
        | '\u{1780}'..='\u{17FF}')
}

/// Writes a word in lower case into `lower`, in place of what stood there.
pub fn lower_into(word: &str, lower: &mut String) {
    lower.clear();
    if word.is_ascii() {
        lower.push_str(word);
        lower.make_ascii_lowercase();
    } else {
        lower.push_str(&word.to_lowercase());
    }
}

/// The text with a capital at its beginning.
#[must_use]
pub fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars).collect()
}

/// Trims and folds every run of white space and control characters into one space.
#[must_use]
pub fn squash(text: &str) -> String {
    squashed(text).into_owned()
}

/// The same, copied only where something has to be folded.
#[must_use]
pub fn squashed(text: &str) -> Cow<'_, str> {
    step(1 + text.len() / BYTES_A_STEP);
    let is_gap = |c: char| c.is_whitespace() || c.is_control();
    let trimmed = text.trim_matches(is_gap);
    let mut before = b'x';
    let is_folded = trimmed.bytes().all(|byte| {
        let is_twice = byte == b' ' && before == b' ';
        before = byte;
        matches!(byte, b' '..=b'~') && !is_twice
    });
    if is_folded {
        return Cow::Borrowed(trimmed);
    }
    let mut out = String::with_capacity(trimmed.len());
    for word in trimmed.split(is_gap).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_anchors_of_headings_that_repeat_are_numbered_past_those_of_others() {
        let mut anchors = Anchors::default();
        let headings = ["Step", "Step (2)", "Step", "Step", "Step (2)"];
        let made: Vec<String> = headings.map(|heading| anchors.next_of(heading)).into();
        assert_eq!(made, ["step", "step-2", "step-1", "step-3", "step-2-1"]);
    }

    #[test]
    fn a_text_without_links_says_the_same() {
        let link = || {
            Inline::link(
                "https://kiln.example/".into(),
                vec![Inline::Code("fire".into())],
            )
        };
        let text = [
            Inline::Text("Run ".into()),
            Inline::Strong(vec![link()]),
            link(),
        ];
        let bare = without_links(&text);
        assert_eq!(plain(&bare), plain(&text));
        assert_eq!(
            bare.get(1),
            Some(&Inline::Strong(vec![Inline::Code("fire".into())]))
        );
    }

    #[test]
    fn words_are_counted_as_uax_29_says() {
        assert_eq!(
            word_count("The quick (\"brown\") fox can't jump 32.3 feet, right?"),
            9
        );
        assert_eq!(word_count("日本語 text"), 4);
        assert_eq!(word_count("--- *** ___"), 0);
    }

    proptest! {
        #[test]
        fn folding_leaves_single_spaces_between_words_and_copies_nothing_that_is_folded(text in "[ -~\n\tß\u{a0}\u{85}]{0,40}") {
            let words: Vec<&str> = text
                .split(|c: char| c.is_whitespace() || c.is_control())
                .filter(|word| !word.is_empty())
                .collect();
            let folded = squash(&text);
            prop_assert_eq!(&folded, &words.join(" "));
            prop_assert_eq!(matches!(squashed(&folded), Cow::Borrowed(_)), folded.is_ascii());
        }

        #[test]
        fn the_words_of_ascii_are_those_of_the_unicode_rules(text in "[ -~\n\t]{0,80}") {
            let fast: Vec<&str> = ascii_words(&text).collect();
            prop_assert_eq!(fast, text.unicode_words().collect::<Vec<_>>(), "{:?}", text);
        }

        #[test]
        fn the_words_of_lines_are_those_of_the_text(text in "([ -~äß日א\u{301}\u{200d}]|\r?\n){0,80}") {
            let by_line: Vec<&str> = words(&text).collect();
            prop_assert_eq!(by_line.len(), word_count(&text));
            prop_assert_eq!(by_line, text.unicode_words().collect::<Vec<_>>(), "{:?}", text);
        }

        #[test]
        fn a_slug_is_always_a_valid_name_or_empty(text in "\\PC{0,120}") {
            let slug = slug(&text, 64);
            prop_assert!(slug.len() <= 64);
            prop_assert!(slug.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'));
            prop_assert!(!slug.starts_with('-') && !slug.ends_with('-') && !slug.contains("--"));
        }
    }

    #[test]
    fn no_file_is_called_as_a_device_of_windows() {
        for (title, name) in [
            ("Con", "con-file"),
            ("NUL", "nul-file"),
            ("LPT1", "lpt1-file"),
            ("COM¹", "com1-file"),
            ("Console", "console"),
            ("COM10", "com10"),
            ("Com port", "com-port"),
        ] {
            assert_eq!(file_slug(title, 64), name);
        }
        for name in ["aux.md", "Prn.tar.gz", "com9", "CONOUT$", "nul .txt"] {
            assert!(is_device_name(name), "{name}");
        }
        for name in ["auxiliary.md", "a.con", "com", "lpt11", ""] {
            assert!(!is_device_name(name), "{name}");
        }
    }

    #[test]
    fn a_slug_keeps_what_can_be_said_in_ascii() {
        assert_eq!(
            slug("  Größe & Gewicht: l'été!  ", 64),
            "grosse-gewicht-lete"
        );
        assert_eq!(slug("!!!", 64), "");
        for (title, name) in [
            ("Guide to C#", "guide-to-c-sharp"),
            ("C#/F# interop", "c-sharp-f-sharp-interop"),
            (
                "C++17 for Notepad++",
                "c-plus-plus-17-for-notepad-plus-plus",
            ),
            ("C++/CLI", "c-plus-plus-cli"),
            (".NET and ASP.NET", "dotnet-and-asp-net"),
            ("A* search", "a-star-search"),
            ("Google+", "google-plus"),
            (
                "Ctrl+C # 5, issue#5 ... Done .gitignore",
                "ctrl-c-5-issue-5-done-gitignore",
            ),
        ] {
            assert_eq!(slug(title, 64), name);
        }
        assert_eq!(slug("one two three four", 12), "one-two");
    }

    #[test]
    fn an_anchor_keeps_the_signs_and_marks_of_malayalam_and_hindi() {
        assert_eq!(anchor("മലയാളം വിക്കി (2)"), "മലയാളം-വിക്കി-2");
        assert_eq!(anchor("हिन्दी में, शुरुआत"), "हिन्दी-में-शुरुआत");
    }

    #[test]
    fn an_anchor_is_in_lower_case_without_signs() {
        assert_eq!(anchor(" What's new in `v2_x`? "), "whats-new-in-v2_x");
    }

    #[test]
    fn a_piece_that_is_no_link_does_not_pay_for_one() {
        assert!(size_of::<Inline>() <= 32, "{}", size_of::<Inline>());
    }

    #[test]
    fn plain_text_keeps_code_and_drops_marks() {
        let inlines = vec![
            Inline::Text("Run ".into()),
            Inline::Code("make all".into()),
            Inline::Strong(vec![Inline::Text(" now".into())]),
            Inline::Break,
            Inline::link(
                "https://example.org".into(),
                vec![Inline::Text("here".into())],
            ),
        ];
        assert_eq!(plain(&inlines), "Run make all now\nhere");
    }
}
