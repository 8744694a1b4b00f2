//! Reads the running text of Perl's documentation: what a capital letter and angle brackets mark, one within the other.

use crate::builder::tidy;
use skillkiln_document::text::{Inline, plain, squash};
use unicode_normalization::char::compose;

/// Deepest mark within a mark that is kept; deeper ones are words.
const DEPTH_MAX: usize = 16;

/// A mark that is open.
struct Open<'w> {
    letter: char,
    /// How many brackets opened it, and close it.
    brackets: usize,
    /// How it was written, should it have no end.
    written: &'w str,
    inner: Vec<Inline>,
}

/// The running text that `words` are.
pub(super) fn read(words: &str) -> Vec<Inline> {
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut out: Vec<Inline> = Vec::new();
    let mut rest = words;
    while let Some(at) = rest.find(['<', '>']) {
        let (before, from) = rest.split_at(at);
        let letter = before.chars().next_back().filter(char::is_ascii_uppercase);
        if from.starts_with('<')
            && let Some(letter) = letter
            && open.len() < DEPTH_MAX
        {
            let run = from.bytes().take_while(|byte| *byte == b'<').count();
            // More than one bracket marks only with room behind it.
            let is_apart = from
                .get(run..)
                .is_some_and(|behind| behind.starts_with(char::is_whitespace) || behind.is_empty());
            let brackets = if is_apart { run } else { 1 };
            let plain = before.get(..before.len() - 1).unwrap_or("");
            put(&mut open, &mut out, Inline::Text(plain.to_owned()));
            open.push(Open {
                letter,
                brackets,
                written: rest.get(plain.len()..at + brackets).unwrap_or(""),
                inner: Vec::new(),
            });
            rest = from.get(brackets..).unwrap_or("");
            continue;
        }
        let run = from.bytes().take_while(|byte| *byte == b'>').count();
        let is_apart = before.ends_with(char::is_whitespace);
        let closes = open
            .last()
            .filter(|last| last.brackets == 1 || is_apart && last.brackets <= run)
            .filter(|_| run > 0)
            .map(|last| last.brackets);
        match closes {
            Some(brackets) => {
                put(&mut open, &mut out, Inline::Text(before.to_owned()));
                if let Some(closed) = open.pop() {
                    for inline in meaning(closed) {
                        put(&mut open, &mut out, inline);
                    }
                }
                rest = from.get(brackets..).unwrap_or("");
            }
            None => {
                let (shown, behind) = rest.split_at(at + run.max(1));
                put(&mut open, &mut out, Inline::Text(shown.to_owned()));
                rest = behind;
            }
        }
    }
    put(&mut open, &mut out, Inline::Text(rest.to_owned()));
    // What has no end was no mark.
    for left in open {
        out.push(Inline::Text(left.written.to_owned()));
        out.extend(left.inner);
    }
    tidy(out)
}

/// Puts down a piece inside of what is open.
fn put(open: &mut [Open<'_>], out: &mut Vec<Inline>, inline: Inline) {
    match open.last_mut() {
        Some(last) => last.inner.push(inline),
        None => out.push(inline),
    }
}

/// What a mark makes of the words in it.
fn meaning(closed: Open<'_>) -> Vec<Inline> {
    let inner = closed.inner;
    match closed.letter {
        'B' => vec![Inline::Strong(inner)],
        'I' => vec![Inline::Emphasis(inner)],
        'C' | 'F' => vec![Inline::Code(squash(&plain(&inner)))],
        'L' => link(inner),
        'E' => vec![Inline::Text(sign(plain(&inner).trim()))],
        // Entries of an index, and nothing at all.
        'X' | 'Z' => Vec::new(),
        _ => inner,
    }
}

/// A link: the words before a bar, or where it leads.
fn link(inner: Vec<Inline>) -> Vec<Inline> {
    let target = plain(&inner);
    let (shown, target) = target.split_once('|').unwrap_or(("", &target));
    let target = squash(target);
    let is_address = target
        .split_once(':')
        .is_some_and(|(scheme, rest)| !scheme.is_empty() && !rest.starts_with(':'))
        && !target.contains(' ');
    let words = if shown.is_empty() {
        vec![Inline::Text(named(&target, is_address))]
    } else {
        before_bar(inner)
    };
    if is_address {
        vec![Inline::link(target, words)]
    } else {
        words
    }
}

/// What stands before the first bar.
fn before_bar(inner: Vec<Inline>) -> Vec<Inline> {
    let mut shown = Vec::new();
    for inline in inner {
        if let Inline::Text(text) = &inline
            && let Some((before, _)) = text.split_once('|')
        {
            shown.push(Inline::Text(before.to_owned()));
            break;
        }
        shown.push(inline);
    }
    shown
}

/// How a page, or a section of one, is called where no words are told for it.
fn named(target: &str, is_address: bool) -> String {
    let Some((page, section)) = target.split_once('/').filter(|_| !is_address) else {
        return target.to_owned();
    };
    let section = section.trim_matches('"');
    match page {
        "" => format!("\"{section}\""),
        page => format!("\"{section}\" in {page}"),
    }
}

/// A sign by its name or number.
fn sign(name: &str) -> String {
    let number = if let Some(hex) = name.strip_prefix("0x") {
        u32::from_str_radix(hex, 16).ok()
    } else if let Some(octal) = name.strip_prefix('0') {
        u32::from_str_radix(octal, 8).ok()
    } else {
        name.parse().ok()
    };
    let number = number.and_then(char::from_u32).filter(|c| !c.is_control());
    let known = number.or_else(|| accented(name)).or(match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "verbar" => Some('|'),
        "sol" => Some('/'),
        "nbsp" => Some(' '),
        "laquo" | "lchevron" => Some('«'),
        "raquo" | "rchevron" => Some('»'),
        "szlig" => Some('ß'),
        "copy" => Some('©'),
        "mdash" => Some('—'),
        "ndash" => Some('–'),
        "hellip" => Some('…'),
        _ => None,
    });
    known.map_or_else(|| name.to_owned(), String::from)
}

/// A letter with an accent: `eacute`.
fn accented(name: &str) -> Option<char> {
    let letter = name.chars().next().filter(char::is_ascii_alphabetic)?;
    let accent = match name.get(1..)? {
        "grave" => '\u{300}',
        "acute" => '\u{301}',
        "circ" => '\u{302}',
        "tilde" => '\u{303}',
        "uml" => '\u{308}',
        "ring" => '\u{30a}',
        "caron" => '\u{30c}',
        "cedil" => '\u{327}',
        _ => return None,
    };
    compose(letter, accent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(words: &str) -> Inline {
        Inline::Code(words.to_owned())
    }

    fn text(words: &str) -> Inline {
        Inline::Text(words.to_owned())
    }

    #[test]
    fn what_letters_and_brackets_mark_is_read_one_within_the_other() {
        assert_eq!(
            read("Use B<the I<kiln>> or C<< $kiln->heat >>, F<a/b> and X<heat>E<eacute>."),
            [
                text("Use "),
                Inline::Strong(vec![text("the "), Inline::Emphasis(vec![text("kiln")])]),
                text(" or "),
                code("$kiln->heat"),
                text(", "),
                code("a/b"),
                text(" and é."),
            ]
        );
    }

    #[test]
    fn links_say_their_words_or_where_they_lead() {
        assert_eq!(
            read("L<the site|https://kiln.example/> L<perlfunc/open> L</Heat> L<Kiln::Fire>"),
            [
                Inline::link("https://kiln.example/".into(), vec![text("the site")]),
                text(" \"open\" in perlfunc \"Heat\" Kiln::Fire"),
            ]
        );
    }

    #[test]
    fn marks_without_an_end_and_brackets_alone_are_words() {
        for words in ["a < b and c > d", "C<open", "if A<<B", "x -> y"] {
            assert_eq!(plain(&read(words)), words);
        }
        assert_eq!(plain(&read(&"C<a ".repeat(20_000))).len(), 79_999);
    }
}
