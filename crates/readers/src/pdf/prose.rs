//! Puts lines of prose together: words that a line's end broke, styles, marks of footnotes.

use crate::builder::tidy;
use crate::hyphens::{Words, is_hyphen};
use crate::line_ends::breaks_path;
use crate::pdf::code::Quotes;
use crate::pdf::line::{Line, Piece};
use crate::words::{Pairs, pairs, sign_of};
use skillkiln_document::patterns;
use skillkiln_document::text::{Inline, plain};
use std::sync::Arc;

/// What stands at the end of a line that breaks a name, as Doxygen sets it.
const ARROWS: [&str; 2] = ["←-", "←֓"];

patterns! {
    /// An option with a value whose two hyphens a face draws as one dash: `–with-fire=1`.
    OPTION = r"(^|[\s(\[“'\x22])–([a-z][a-z0-9-]{2,}=)";
}

/// What a document's own words and quotes tell of how its lines are put together.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    words: Words,
    /// How code inside of lines is quoted.
    pub(crate) quotes: Quotes,
}

impl Vocabulary {
    /// Those of `lines`.
    pub(crate) fn of(lines: &[Line]) -> Self {
        Self {
            words: Words::of(lines.iter().map(Line::text)),
            quotes: Quotes::of(lines),
        }
    }
}

/// The running text of `lines`.
pub(crate) fn inlines(lines: &[Line], words: &Vocabulary, links: &[Vec<Arc<str>>]) -> Vec<Inline> {
    let mut out: Vec<Styled> = Vec::new();
    for line in lines {
        let addresses = usize::try_from(line.page)
            .ok()
            .and_then(|page| links.get(page.checked_sub(1)?));
        join(&mut out, line, words);
        for piece in &line.pieces {
            let href = usize::from(piece.link)
                .checked_sub(1)
                .and_then(|at| addresses?.get(at))
                .cloned();
            let style = Style {
                is_code: piece.face.is_fixed,
                is_bold: piece.face.is_bold,
                is_italic: piece.face.is_italic,
                href,
            };
            let text = text_of(piece, words.quotes);
            match out.last_mut().filter(|last| last.style == style) {
                Some(last) => last.text.push_str(&text),
                None => out.push(Styled { text, style }),
            }
        }
    }
    gather_addresses(&mut out);
    // All of it set one way is how the text is set, not what it stresses.
    let all = |is: fn(&Style) -> bool| {
        out.iter()
            .all(|run| is(&run.style) || run.text.trim().is_empty())
    };
    let (all_bold, all_italic) = (all(|style| style.is_bold), all(|style| style.is_italic));
    let inlines = out.into_iter().flat_map(|mut run| {
        run.style.is_bold &= !all_bold;
        run.style.is_italic &= !all_italic;
        run.inlines()
    });
    tidy(inlines.collect())
}

/// Sets an address in one way: what is set otherwise within it, a tilde or a path, goes on with it.
fn gather_addresses(out: &mut Vec<Styled>) {
    let mut at = 0;
    while at + 1 < out.len() {
        let Some([run, next]) = out.get_mut(at..at + 2) else {
            break;
        };
        let last = run.text.rsplit(char::is_whitespace).next();
        let is_open = last.is_some_and(|word| word.contains("://"));
        let is_bare = run.style.href.is_none() && next.style.href.is_none();
        let end = next.text.find(char::is_whitespace);
        let end = end.unwrap_or(next.text.len());
        if !is_open || !is_bare || end == 0 {
            at += 1;
            continue;
        }
        run.text.extend(next.text.drain(..end));
        if next.text.is_empty() {
            out.remove(at + 1);
        } else {
            at += 1;
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Style {
    is_code: bool,
    is_bold: bool,
    is_italic: bool,
    href: Option<Arc<str>>,
}

struct Styled {
    text: String,
    style: Style,
}

impl Styled {
    /// The run with its spaces outside of its marks.
    fn inlines(self) -> Vec<Inline> {
        if self.style.href.is_some()
            && let Some([before, linked, behind]) = linked_part(&self.text)
        {
            let part = |text: &str, href: Option<Arc<str>>| Self {
                text: text.to_owned(),
                style: Style {
                    href,
                    ..self.style.clone()
                },
            };
            let mut out = part(before, None).inlines();
            out.extend(part(linked, self.style.href.clone()).inlines());
            out.extend(part(behind, None).inlines());
            return out;
        }
        let words = self.text.trim();
        if words.is_empty() || !words.chars().any(char::is_alphanumeric) && !self.style.is_code {
            return vec![Inline::Text(self.text)];
        }
        let is_quote = words
            .chars()
            .all(|c| matches!(c, '"' | '\'' | '`' | '‘' | '’' | '“' | '”'));
        let inner = if self.style.is_code && !is_quote {
            let words: Vec<&str> = words.split_whitespace().collect();
            Inline::Code(words.join(" "))
        } else {
            Inline::Text(words.to_owned())
        };
        let inner = match (&self.style.href, self.style.is_bold, self.style.is_italic) {
            (Some(href), _, _) => Inline::link(href.to_string(), vec![inner]),
            (None, _, _) if self.style.is_code => inner,
            (None, true, _) => Inline::Strong(vec![inner]),
            (None, _, true) => Inline::Emphasis(vec![inner]),
            _ => inner,
        };
        let mut out = Vec::with_capacity(3);
        if self.text.starts_with(char::is_whitespace) {
            out.push(Inline::Text(" ".to_owned()));
        }
        out.push(inner);
        if self.text.ends_with(char::is_whitespace) {
            out.push(Inline::Text(" ".to_owned()));
        }
        out
    }
}

/// A link's words, and the marks before and behind them that its frame covers as well: those of `(kiln.example.org).`; `None` where
/// there are none.
fn linked_part(text: &str) -> Option<[&str; 3]> {
    let words = text.trim();
    let linked = words.trim_start_matches(['(', ')', ' ']);
    let before = words.len() - linked.len();
    let linked = linked.trim_end_matches(['(', ',', ';', '.', ' ']);
    let linked = match linked.contains('(') {
        true => linked,
        false => linked.trim_end_matches([')', ',', ';', '.', ' ']),
    };
    let start = text.find(words)? + before;
    let end = start + linked.len();
    let is_part = !linked.is_empty() && linked.len() < words.len();
    is_part.then_some([text.get(..start)?, linked, text.get(end..)?])
}

/// Takes the mark away by which Doxygen shows that a line breaks a name; gives whether there was one.
fn take_arrow(out: &mut Vec<Styled>) -> bool {
    let Some(last) = out.last_mut() else {
        return false;
    };
    let text = last.text.trim_end();
    let Some(kept) = ARROWS.iter().find_map(|arrow| text.strip_suffix(arrow)) else {
        return false;
    };
    let kept = kept.trim_end().len();
    last.text.truncate(kept);
    out.pop_if(|last| last.text.is_empty());
    true
}

/// Makes what is there ready for the next line: a space, or a word that goes on.
fn join(out: &mut Vec<Styled>, next: &Line, words: &Vocabulary) {
    if take_arrow(out) {
        return;
    }
    let Some(next_text) = next.pieces.first().map(|piece| piece.text.as_str()) else {
        return;
    };
    let Some(last) = out.last_mut() else { return };
    let end = last.text.trim_end().len();
    last.text.truncate(end);
    let follows = next_text.trim_start();
    let Some(final_character) = last.text.chars().next_back() else {
        last.text.push(' ');
        return;
    };
    if final_character == '\u{ad}' {
        last.text.pop();
        return;
    }
    let start = follows.chars().next().unwrap_or(' ');
    let is_code = last.style.is_code && next.pieces.first().is_some_and(|p| p.face.is_fixed);
    if is_code && is_broken_code(&last.text, follows) {
        return;
    }
    let hangs = last.text.trim_end_matches(is_hyphen).is_empty();
    if is_hyphen(final_character) && start.is_alphabetic() && hangs && !last.style.is_code {
        last.text.push(' ');
        return;
    }
    if is_hyphen(final_character) && start.is_alphanumeric() {
        let stem = last.text.trim_end_matches(is_hyphen);
        let first: String = stem
            .rsplit(|c: char| !c.is_alphanumeric() && !is_hyphen(c))
            .next()
            .unwrap_or("")
            .replace(is_hyphen, "-");
        let whole_next = next.text();
        let second: String = whole_next
            .trim_start()
            .chars()
            .take_while(|c| c.is_alphanumeric() || is_hyphen(*c))
            .map(|c| if is_hyphen(c) { '-' } else { c })
            .collect();
        let second = second.trim_end_matches('-');
        if first.is_empty() {
            last.text.push(' ');
            return;
        }
        if start.is_lowercase() && words.words.leaves_out(&first, second) {
            last.text.push(' ');
            return;
        }
        // Where all is in capitals, a capital tells nothing.
        let is_shouted = second.len() > 2
            && is_in_capitals(
                last.text
                    .get(last.text.floor_char_boundary(end.saturating_sub(30))..),
            )
            && is_in_capitals(Some(&whole_next));
        // A word in capitals is broken as any other: the document has it elsewhere in one piece.
        let is_capital = |word: &str| word.len() > 1 && word.chars().all(char::is_uppercase);
        // So is a name with a capital in it.
        let is_one =
            is_capital(&first) && is_capital(second) && words.words.has_joined(&first, second)
                || words.words.has_name(&first, second);
        // What stands for figures, as in `YYMMhhmm-hh'mm'`, has no vowels to break words at.
        let is_pattern = is_pattern(&first, second);
        let is_whole = || {
            let token = whole_next.split_whitespace().next().unwrap_or("");
            let token = token.trim_matches(|c: char| !c.is_alphanumeric());
            words.words.has_joined(&first, second) || words.words.has_joined(&first, token)
        };
        let breaks_word = match is_pattern {
            true => is_whole(),
            false => start.is_lowercase() || is_shouted || is_one,
        };
        let breaks_word = breaks_word
            && first.ends_with(char::is_alphabetic)
            && !last.style.is_code
            && !words.words.is_hyphenated(&first, second);
        if breaks_word {
            let end = stem.len();
            last.text.truncate(end);
        }
        return;
    }
    let last_word = last.text.rsplit(char::is_whitespace).next().unwrap_or("");
    let is_address = last_word.contains("://") && !last_word.ends_with(['.', ',', ')', '>', ';']);
    let goes_on = is_address
        && (last.text.ends_with(['/', '_', '=', '?', '&', '%', '#']) || start == '/')
        || is_address_broken(&last.text, follows)
        || breaks_path(&last.text, follows)
        || final_character == '—'
        || start == '—'
        || is_ideographic(final_character) && is_ideographic(start);
    if !goes_on {
        last.text.push(' ');
    }
}

/// Whether the two halves of a word stand for figures: capitals and small letters, and no vowel among these.
fn is_pattern(first: &str, second: &str) -> bool {
    let letters = || first.chars().chain(second.chars());
    let is_consonant = |c: char| c.is_ascii_alphabetic() && !"aeiouy".contains(c);
    first.chars().filter(|c| c.is_uppercase()).count() > 1
        && letters().any(char::is_lowercase)
        && letters().all(|c| !c.is_lowercase() || is_consonant(c))
}

/// Whether a line's end only broke a word of code: behind a sign that joins its parts, or before a slash of the one word there is;
/// between braces, behind a comma, and behind the stop in a name that stands alone.
fn is_broken_code(before: &str, after: &str) -> bool {
    let word = before.rsplit(char::is_whitespace).next().unwrap_or("");
    let goes_on = after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '<' | '_' | '*'));
    let is_parted = word.len() > 1 && word.contains(|c: char| c.is_alphanumeric());
    let is_choice = after.starts_with('{') && word.len() > 1;
    match word.chars().next_back() {
        Some('/') => goes_on,
        Some('_') => goes_on && is_parted,
        Some('-') => goes_on && is_parted && !word.starts_with('-'),
        Some('.') => {
            let is_alone = !before.contains(char::is_whitespace);
            let is_parted = word.trim_end_matches('.').contains(['/', '.', '_']);
            is_choice || goes_on && (is_alone || is_parted)
        }
        Some(',') => goes_on && word.rfind('{') > word.rfind('}'),
        _ => after.starts_with('/') && !before.contains(char::is_whitespace) && !word.contains('/'),
    }
}

/// Whether a line's end broke an address behind a stop: what follows goes on as addresses do.
fn is_address_broken(before: &str, after: &str) -> bool {
    let word = before.rsplit(char::is_whitespace).next().unwrap_or("");
    let next = after.split_whitespace().next().unwrap_or("");
    word.contains("://")
        && word.ends_with('.')
        && next.starts_with(char::is_lowercase)
        && next.trim_end_matches(['.', ',', ')']).contains(['.', '/'])
}

/// Whether there are several words, all in capitals.
fn is_in_capitals(text: Option<&str>) -> bool {
    text.is_some_and(|text| {
        !text.contains(char::is_lowercase)
            && text.contains(char::is_uppercase)
            && text.split_whitespace().take(3).count() == 3
    })
}

/// Scripts that are written without spaces.
fn is_ideographic(character: char) -> bool {
    matches!(u32::from(character), 0x2E80..=0x9FFF | 0xF900..=0xFAFF | 0xFF00..=0xFFEF | 0x20000..=0x3FFFF)
}

fn text_of(piece: &Piece, quotes: Quotes) -> String {
    if piece.face.is_fixed {
        return piece.text.chars().map(|c| quotes.typed(c)).collect();
    }
    let trimmed = piece.text.trim();
    if piece.is_raised && !trimmed.is_empty() && trimmed.chars().all(|c| c.is_ascii_digit()) {
        // What stands raised after a word is the mark of a note or an exponent; glued to the word it would change it.
        let raised: String = trimmed
            .chars()
            .map(|digit| sign_of(&RAISED, digit))
            .collect();
        return format!(" {raised} ");
    }
    // A soft hyphen counts only where a line ends.
    let end = usize::from(piece.text.ends_with('\u{ad}')) * '\u{ad}'.len_utf8();
    let (inner, last) = piece.text.split_at(piece.text.len() - end);
    let inner = inner.replace('\u{ad}', "");
    OPTION.replace_all(&inner, "$1--$2").into_owned() + last
}

static RAISED: Pairs = pairs!("1 ¹  2 ²  3 ³  0 ⁰  4 ⁴  5 ⁵  6 ⁶  7 ⁷  8 ⁸  9 ⁹");

/// The words of a heading.
pub(crate) fn heading(lines: &[Line], words: &Vocabulary) -> Vec<Inline> {
    let inlines = inlines(lines, words, &[]);
    vec![Inline::Text(plain(&inlines))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::testing;

    #[test]
    fn the_marks_around_a_link_are_none_of_it() {
        for (text, linked) in [
            ("kiln.example.org (", Some("kiln.example.org")),
            (" (the kiln). ", Some("the kiln")),
            ("fire(wood)", None),
            ("the kiln", None),
            ("(", None),
        ] {
            assert_eq!(
                linked_part(text).map(|[_, linked, _]| linked),
                linked,
                "{text}"
            );
        }
    }

    #[test]
    fn an_address_is_one_however_its_parts_are_set() {
        let mut tilde = testing::piece("~");
        tilde.face.is_fixed = true;
        let mut path = testing::piece("potter/kiln-1.15) but");
        path.face.is_italic = true;
        let line = testing::line(vec![
            testing::piece("See (https://kiln.example/"),
            tilde,
            path,
        ]);
        let read = inlines(std::slice::from_ref(&line), &Vocabulary::of(&[]), &[]);
        assert_eq!(
            read,
            [
                Inline::Text("See (https://kiln.example/~potter/kiln-1.15) ".to_owned()),
                Inline::Emphasis(vec![Inline::Text("but".to_owned())])
            ]
        );
    }

    #[test]
    fn a_line_that_breaks_a_word_of_code_leaves_no_space_in_it() {
        for (before, after) in [
            ("/usr/", "sbin"),
            ("set TEST_MC_", "CORES=2"),
            ("x86_64-*-", "openbsd"),
            ("/", "opt/<provider>"),
            ("lib/kiln.", "conf"),
            ("prefix", "/bin"),
            ("kiln.tar.{gz,bz2,", "xz}"),
            ("README.", "Kiln"),
            ("kiln.tar.", "{gz,xz}"),
        ] {
            assert!(is_broken_code(before, after), "{before} {after}");
        }
        for (before, after) in [
            ("mount /dev/sda1", "/mnt"),
            ("tar -", "x"),
            ("fire --", "kiln"),
            ("/etc", "/var"),
            ("It burns.", "then stop"),
            ("make", "all"),
            ("fire {a,b},", "then"),
        ] {
            assert!(!is_broken_code(before, after), "{before} {after}");
        }
        assert!(is_address_broken("see https://svn.", "kiln.example/a"));
        assert!(!is_address_broken("see https://kiln.example.", "then stop"));
    }

    #[test]
    fn a_hyphen_at_the_end_of_a_line_stays_with_what_it_joins() {
        let told = |first: Vec<Piece>, second: &str| {
            let known = "An OldKiln, -dry-oak, hot, for, get, pre and self\u{2011}fired are known.";
            let known = testing::line(vec![testing::piece(known)]);
            let lines = [
                testing::line(first),
                testing::line(vec![testing::piece(second)]),
            ];
            let all = [known, lines[0].clone(), lines[1].clone()];
            plain(&inlines(&lines, &Vocabulary::of(&all), &[]))
        };
        let plain = |words: &str| vec![testing::piece(words)];
        for (first, second, whole) in [
            ("It is an Old-", "Kiln.", "It is an OldKiln."),
            ("It is hot -", "so we wait", "It is hot - so we wait"),
            ("pre-", "and post-fired", "pre- and post-fired"),
            ("do not for-", "get it", "do not forget it"),
            // Some fonts have the hyphen that breaks no line in place of every other.
            ("do not for\u{2011}", "get it", "do not forget it"),
            ("it is self\u{2011}", "fired", "it is self\u{2011}fired"),
            (
                "state\u{2011}of\u{2011}the\u{2011}",
                "art kilns",
                "state\u{2011}of\u{2011}the\u{2011}art kilns",
            ),
            ("the kilns/", "directory", "the kilns/ directory"),
        ] {
            assert_eq!(told(plain(first), second), whole);
        }
    }

    #[test]
    fn the_dash_of_an_option_with_a_value_is_two_hyphens() {
        let quotes = Quotes::of(&[]);
        for (shown, typed) in [
            ("configure –with-fire=1", "configure --with-fire=1"),
            ("hot –and dry– wood, –x=1", "hot –and dry– wood, –x=1"),
        ] {
            assert_eq!(text_of(&testing::piece(shown), quotes), typed);
        }
    }
}
