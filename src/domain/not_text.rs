//! Owns what arrives in place of a text and is none (decision 64): an address without its scheme or with spaces, several addresses, the
//! name of a file, what a client writes for a value that it does not have, and so few words that no skill comes of them.
//!
//! The words themselves are never judged. Whoever means such a value as a text says so with `source_type=text`.

use crate::domain::address::{
    is_file_name, is_lone_address, is_misspelt_address, web_address, without_scheme,
};
use skillkiln_document::text;

/// Longest line that is looked at as one name or address.
const LINE_CHARS_MAX: usize = 2_048;
/// Longest path of a file.
const PATH_CHARS_MAX: usize = 1_024;
/// An address with spaces has at most as many pieces.
const PIECES_MAX: usize = 30;
/// The name of a file with spaces has at most as many.
const NAME_PIECES_MAX: usize = 8;
/// What programs write for a value that is not there, or for a list or an object without anything in it.
const NOTHINGS: [&str; 10] = [
    "undefined",
    "null",
    "nan",
    "none",
    "nil",
    "(null)",
    "<nil>",
    "<null>",
    "{}",
    "[]",
];
/// How references to data begin that never left the client.
const UNSENT: [&str; 2] = ["blob:", "data:"];

/// What was sent in place of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mistake {
    /// `www.kiln.example/guide`.
    NoScheme,
    /// `https://kiln.example/My Guide.html`.
    Spaces,
    /// Addresses alone on their lines.
    Several,
    /// `manual.pdf`, `C:\manuals\kiln.pdf`.
    File,
    /// `[object File]`, `undefined`.
    Leftover,
}

impl Mistake {
    /// What the sender can do.
    #[must_use]
    pub const fn advice(self) -> &'static str {
        match self {
            Self::NoScheme => {
                "source looks like an address without its beginning: write it as https://host/path, or send source_type=text if it is a text"
            }
            Self::Spaces => {
                "source looks like an address with spaces: write each space as %20, or send source_type=text if it is a text"
            }
            Self::Several => {
                "source holds several addresses and nothing else: send one request an address, or source_type=text if they are the text"
            }
            Self::File => {
                "source looks like the name of a file: attach the file itself as source, write an address as https://host/path, or send source_type=text if it is a text"
            }
            Self::Leftover => {
                "source is what a client writes for a value that it does not have or cannot send, such as undefined or [object File]: append a File or a string to the form"
            }
        }
    }

    /// The same for somebody who filled in a page.
    #[must_use]
    pub const fn advice_on_page(self) -> &'static str {
        match self {
            Self::NoScheme => "this looks like an address: write it as https://host/path",
            Self::Spaces => "this looks like an address with spaces: write each space as %20",
            Self::Several => {
                "these are several addresses: make one skill of each, or paste the text of the pages"
            }
            Self::File => {
                "this looks like the name of a file: drop the file itself on this page, or write an address as https://host/path"
            }
            Self::Leftover => {
                "this is what a program writes for something that is missing: paste a text or an address, or drop a file"
            }
        }
    }
}

/// What `value`, of which nobody said that it is a text, was meant to be; `None` when it may be a text, or is an address.
#[must_use]
pub fn mistaken(value: &str) -> Option<Mistake> {
    let value = value.trim();
    if addresses(value).is_some() {
        return Some(Mistake::Several);
    }
    let is_address =
        web_address(value).is_some() || is_lone_address(value) || is_misspelt_address(value);
    if value.contains(['\n', '\r']) || is_address {
        return None;
    }
    if is_leftover(value) {
        return Some(Mistake::Leftover);
    }
    if value.len() > LINE_CHARS_MAX {
        return None;
    }
    if is_spaced_address(value) {
        return Some(Mistake::Spaces);
    }
    if is_file(value) {
        return Some(Mistake::File);
    }
    let is_host = without_scheme(value).is_some() || is_numbered_host(value);
    is_host.then_some(Mistake::NoScheme)
}

/// Why a text of so few words is refused; `None` where it has at least `words_min`.
#[must_use]
pub fn too_short(text: &str, words_min: usize) -> Option<String> {
    few(text, words_min).map(|count| {
        format!(
            "source has {}, and a skill needs at least {words_min}: send the whole text, an address as https://host/path, or attach the file",
            counted(count)
        )
    })
}

/// Why a source that was fetched or read from a file is refused for its few words; `None` where it has at least `words_min`.
#[must_use]
pub fn too_short_inside(text: &str, words_min: usize) -> Option<String> {
    few(text, words_min).map(|count| {
        format!(
            "this source has {}, and a skill needs at least {words_min}; send one that says more",
            counted(count)
        )
    })
}

/// How many words a text has, if they are fewer than `words_min`; a long text is not counted to its end.
fn few(words: &str, words_min: usize) -> Option<usize> {
    let count = text::words(words).take(words_min).count();
    (count < words_min).then_some(count)
}

fn counted(count: usize) -> String {
    match count {
        0 => "no words".to_owned(),
        1 => "1 word".to_owned(),
        count => format!("{count} words"),
    }
}

/// Several addresses and nothing else, each on its line or beside the one before, with the marks of a list or without; `None` for
/// anything else.
#[must_use]
pub fn addresses(value: &str) -> Option<Vec<String>> {
    let is_mark = |c: char| matches!(c, '-' | '*' | '•' | '+' | ',' | ';' | '<' | '>');
    let mut found = Vec::new();
    for piece in value.split_whitespace() {
        let piece = piece.trim_matches(is_mark);
        // A browser shows an address without its scheme; two words with a point between them are code as often.
        let bare = || {
            let is_bare = piece.starts_with("www.") || piece.contains('/');
            without_scheme(piece).filter(|_| is_bare)
        };
        match piece.is_empty() {
            true => {}
            false if web_address(piece).is_some() || is_lone_address(piece) => {
                found.push(piece.to_owned());
            }
            false => found.push(bare()?),
        }
    }
    (found.len() >= 2).then_some(found)
}

/// What a program writes in place of a value: `undefined`, `[object File]`, or a name for data that stayed where it was.
fn is_leftover(value: &str) -> bool {
    let bare = value.trim_matches(|c| matches!(c, '"' | '\'' | '`'));
    let is_nothing = NOTHINGS
        .iter()
        .any(|nothing| bare.eq_ignore_ascii_case(nothing));
    let is_object = |piece: &str| {
        let piece = piece.trim();
        piece.starts_with("[object ") && piece.ends_with(']')
    };
    let is_single = !value.contains(char::is_whitespace);
    is_nothing
        || bare.split(',').all(is_object)
        || is_single && UNSENT.iter().any(|begins| value.starts_with(begins))
        || value.ends_with('>') && (value.starts_with("<_io.") || value.contains(" object at 0x"))
}

/// An address of http or https with spaces in it: no piece of it ends as one of a sentence does.
fn is_spaced_address(value: &str) -> bool {
    let mut pieces = value.split_whitespace();
    let begins = pieces
        .next()
        .is_some_and(|first| web_address(first).is_some());
    let more: Vec<&str> = pieces.take(PIECES_MAX).collect();
    let ends_as_a_sentence = |piece: &&str| piece.ends_with(['.', ',', ';', ':', '!', '?']);
    begins && (1..PIECES_MAX).contains(&more.len()) && !more.iter().any(ends_as_a_sentence)
}

/// The name of a file or its path.
fn is_file(value: &str) -> bool {
    if value.chars().count() > PATH_CHARS_MAX || value.contains(['"', '<', '>', '|', '*', '{']) {
        return false;
    }
    let value = value.strip_prefix('@').unwrap_or(value);
    let pieces = value.split_whitespace().count();
    let last = value.rsplit(['/', '\\']).next().unwrap_or(value);
    if has_drive(value) || value.starts_with("\\\\") {
        return pieces <= PIECES_MAX;
    }
    if pieces > 1 {
        return pieces <= NAME_PIECES_MAX && is_file_name(last);
    }
    let is_rooted = ["/", "~/", "./", "../"]
        .iter()
        .any(|root| value.starts_with(root));
    is_rooted || is_file_name(value) || without_scheme(value).is_none() && has_ending(last)
}

/// `C:\` or `C:/`.
fn has_drive(value: &str) -> bool {
    matches!(value.as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic())
}

/// A name with an extension of up to five letters and digits, one of them a letter.
fn has_ending(name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "-_.+()[]~% ".contains(c);
    name.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && stem.chars().all(is_part)
            && (1..=5).contains(&ending.len())
            && ending.bytes().all(|b| b.is_ascii_alphanumeric())
            && ending.bytes().any(|b| b.is_ascii_alphabetic())
    })
}

/// `localhost:8080/guide`, `10.0.0.7/guide`.
fn is_numbered_host(value: &str) -> bool {
    let host = value.split(['/', '?', '#']).next().unwrap_or(value);
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let octets = || name.split('.').map(str::parse::<u8>);
    octets().count() == 4 && octets().all(|octet| octet.is_ok())
        || host.starts_with('[') && host.contains("::") && host.contains(']')
        || name.eq_ignore_ascii_case("localhost") && (host != name || value != host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent_in_place_of_a_text_is_known_by_its_shape() {
        for (value, mistake) in [
            ("youtube.com/watch?v=dQw4w9WgXcQ", Mistake::NoScheme),
            ("www.kiln.example/guide", Mistake::NoScheme),
            ("kiln.example", Mistake::NoScheme),
            ("docs.kiln.example:8080/a#b", Mistake::NoScheme),
            ("localhost:8080/guide", Mistake::NoScheme),
            ("10.0.0.7/guide", Mistake::NoScheme),
            ("10.0.0.7:80/guide", Mistake::NoScheme),
            ("[::1]:80/guide", Mistake::NoScheme),
            ("https://kiln.example/My Guide.html", Mistake::Spaces),
            ("http://kiln.example/care of a kiln", Mistake::Spaces),
            ("https://a.example/x\nhttps://b.example/y", Mistake::Several),
            ("https://a.example/x https://b.example/y", Mistake::Several),
            (
                "- https://a.example/\r\n- www.b.example/y\r\n",
                Mistake::Several,
            ),
            ("manual.pdf", Mistake::File),
            ("README.md", Mistake::File),
            ("docs/guide.html", Mistake::File),
            ("./guide", Mistake::File),
            ("~/kiln/guide.odt", Mistake::File),
            ("C:\\Users\\me\\manual.pdf", Mistake::File),
            ("C:\\fakepath\\My manual.pdf", Mistake::File),
            ("\\\\server\\share\\guide.docx", Mistake::File),
            ("My kiln manual.pdf", Mistake::File),
            ("@manual.pdf", Mistake::File),
            ("窯の手入れ.docx", Mistake::File),
            ("kiln.tar.gz", Mistake::File),
            ("[object Object]", Mistake::Leftover),
            ("[object File]", Mistake::Leftover),
            ("[object Object],[object Object]", Mistake::Leftover),
            ("undefined", Mistake::Leftover),
            (" null\n", Mistake::Leftover),
            ("\"null\"", Mistake::Leftover),
            ("NaN", Mistake::Leftover),
            ("None", Mistake::Leftover),
            ("blob:https://kiln.example/1-2", Mistake::Leftover),
            ("data:application/pdf;base64,JVBERi0x", Mistake::Leftover),
            ("<_io.BufferedReader name='manual.pdf'>", Mistake::Leftover),
        ] {
            assert_eq!(mistaken(value), Some(mistake), "{value}");
        }
    }

    #[test]
    fn words_are_taken_for_words() {
        for value in [
            "See https://kiln.example/guide for more",
            "https://kiln.example/guide tells how to fire a kiln, and what it costs.",
            "A kiln is fired slowly. Read manual.pdf first, then guide.html",
            "https://a.example/x\nhttps://b.example/y\nare the two guides",
            "os.path\nsys.argv",
            "https://kiln.example/guide.html",
            "http:/kiln.example/guide.html",
            "ftp://kiln.example/guide.pdf",
            "kiln",
            "1.5",
            "null and undefined are two values",
            "{\"kiln\":{\"heat\":1200},\"file\":\"a.pdf\"}",
            "窯は夜に焚き、昼に冷ます。詳しくは本を見る。",
            "",
        ] {
            assert_eq!(mistaken(value), None, "{value}");
        }
    }

    #[test]
    fn both_refusals_of_few_words_name_the_number() {
        assert_eq!(too_short("a b c", 3), None);
        for refusal in [
            too_short("a b", 3).expect("two are fewer than three"),
            too_short_inside("a b", 3).expect("two are fewer than three"),
        ] {
            assert!(refusal.contains("2 words") && refusal.contains("at least 3"));
        }
        assert!(too_short("…", 1).expect("a mark").contains("no words"));
    }
}
