//! Turns bytes into text: finds the character set the way browsers do, but believes the bytes before the labels.
//!
//! Order: byte-order mark, valid UTF-8, the HTTP header, the page's own `meta`, then statistics. Bytes that are valid
//! UTF-8 are UTF-8 whatever a label says, and a label that claims UTF-8 for bytes that are not is ignored.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::borrow::Cow;

/// The part of a page in which its `meta` must name the character set.
const META_BYTES: usize = 4096;

/// `bytes` as text. `http_charset` is the label of the HTTP header, when there was one.
#[must_use]
pub fn decode(bytes: &[u8], http_charset: Option<&str>) -> String {
    if let Some(text) = marked(bytes) {
        return text;
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return in_seven_bits(text).unwrap_or_else(|| text.to_owned());
    }
    let meta = meta_charset(bytes.get(..META_BYTES).unwrap_or(bytes));
    let labelled = [http_charset, meta.as_deref()]
        .into_iter()
        .flatten()
        .filter_map(|label| Encoding::for_label(label.trim().as_bytes()))
        .find(|encoding| *encoding != UTF_8);
    if let Some(encoding) = labelled {
        let (text, _, broken) = encoding.decode(bytes);
        if !broken {
            return text.into_owned();
        }
    }
    // A text cut in the middle of a character is still UTF-8.
    if let Some(text) = nearly_utf_8(bytes) {
        return text;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Allow);
    let japanese = (guess == WINDOWS_1252)
        .then(|| short_japanese(bytes))
        .flatten();
    japanese.unwrap_or_else(|| with(guess, bytes))
}

/// The same of bytes that nobody needs any more: those of UTF-8 become the text where they lie.
pub fn decode_whole(bytes: Cow<'_, [u8]>, http_charset: Option<&str>) -> String {
    let bytes = match bytes {
        Cow::Owned(bytes) => bytes,
        Cow::Borrowed(bytes) => return decode(bytes, http_charset),
    };
    match marked(&bytes) {
        Some(text) => text,
        None => match String::from_utf8(bytes) {
            Ok(text) => in_seven_bits(&text).unwrap_or(text),
            Err(error) => decode(error.as_bytes(), http_charset),
        },
    }
}

/// Japanese in ISO-2022-JP, which is ASCII but for the marks that change the character set: `ESC $ B` and `ESC $ @` begin Japanese.
/// `ESC ( J` asks for ASCII with two other signs, which writers did not mean: a backslash stays one.
fn in_seven_bits(text: &str) -> Option<String> {
    let is_changed = text.is_ascii()
        && text
            .match_indices('\u{1b}')
            .filter_map(|(at, _)| text.get(at + 1..at + 3))
            .any(|mark| matches!(mark, "$B" | "$@"));
    if !is_changed {
        return None;
    }
    let plain = text.replace("\u{1b}(J", "\u{1b}(B");
    ISO_2022_JP
        .decode_without_bom_handling_and_without_replacement(plain.as_bytes())
        .map(Cow::into_owned)
}

/// Text whose encoding its first bytes tell.
fn marked(bytes: &[u8]) -> Option<String> {
    if let Some((encoding, skip)) = Encoding::for_bom(bytes) {
        return Some(with(encoding, bytes.get(skip..).unwrap_or_default()));
    }
    // English in UTF-16 is UTF-8 too, with a zero after each letter.
    utf_16_by_zeros(bytes).map(|encoding| with(encoding, bytes))
}

/// `text` with a line feed where a lone carriage return ended a line, as old programs write; every byte keeps its place.
#[must_use]
pub fn line_ends(text: String) -> String {
    // Unicode keeps these out of every text; readers of YAML refuse a file that holds one.
    let text = match text.contains(is_noncharacter) {
        true => text.replace(is_noncharacter, ""),
        false => text,
    };
    if !text.contains('\r') {
        return text;
    }
    let mut ended = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once('\r') {
        ended.push_str(before);
        ended.push(if after.starts_with('\n') { '\r' } else { '\n' });
        rest = after;
    }
    ended.push_str(rest);
    ended
}

/// Whether this is one of the 66 values that Unicode assigns to no character, as U+FFFE, which is copied out of PDF viewers.
fn is_noncharacter(c: char) -> bool {
    matches!(u32::from(c) & 0xffff, 0xfffe | 0xffff) || matches!(c, '\u{fdd0}'..='\u{fdef}')
}

/// A short text in Shift JIS, which has too few letters for a guess: most bytes beyond ASCII stand beside another, some of them are
/// signs that Western words do not hold, and all of them decode to letters of Japanese.
fn short_japanese(bytes: &[u8]) -> Option<String> {
    let is_high = |at: usize| bytes.get(at).is_some_and(|byte| *byte >= 0x80);
    let high = (0..bytes.len()).filter(|at| is_high(*at));
    let (mut all, mut beside, mut signs) = (0_usize, 0_usize, 0_usize);
    for at in high {
        all += 1;
        beside += usize::from(is_high(at + 1) || at > 0 && is_high(at - 1));
        signs += usize::from(
            bytes
                .get(at)
                .is_some_and(|byte| matches!(byte, 0x80..=0x9f)),
        );
    }
    if all < 4 || beside * 2 < all || signs * 5 < all {
        return None;
    }
    let text = SHIFT_JIS.decode_without_bom_handling_and_without_replacement(bytes)?;
    let is_japanese = |c: char| matches!(c, '\u{3000}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ff00}'..='\u{ff9f}');
    let is_whole = text.chars().filter(|c| !c.is_ascii()).all(is_japanese);
    is_whole.then(|| text.into_owned())
}

fn with(encoding: &'static Encoding, bytes: &[u8]) -> String {
    encoding.decode_without_bom_handling(bytes).0.into_owned()
}

/// Text in UTF-16 without a mark: nearly every second byte is zero.
fn utf_16_by_zeros(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..512).unwrap_or(bytes);
    if head.len() < 8 {
        return None;
    }
    let (mut even, mut odd) = (0, 0);
    for pair in head.chunks_exact(2) {
        if let [first, second] = pair {
            even += usize::from(*first == 0);
            odd += usize::from(*second == 0);
        }
    }
    let pairs = head.len() / 2;
    if odd * 10 > pairs * 8 && even == 0 {
        Some(UTF_16LE)
    } else if even * 10 > pairs * 8 && odd == 0 {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// UTF-8 with at most one broken character in two thousand bytes, and several whole ones beyond ASCII.
fn nearly_utf_8(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let broken = text.matches('\u{fffd}').count();
    let whole = text.chars().filter(|c| !c.is_ascii()).count() - broken;
    (broken <= 1 + bytes.len() / 2000 && whole > broken * 4).then(|| text.into_owned())
}

/// The character set that `<meta charset=...>` or an XML declaration names.
fn meta_charset(head: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let (_, after) = head.split_once("charset=").or_else(|| {
        head.trim_start()
            .starts_with("<?xml")
            .then(|| head.split_once("encoding="))
            .flatten()
    })?;
    let label: String = after
        .trim_start_matches(['"', '\'', ' '])
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':'))
        .collect();
    Some(label).filter(|label| !label.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_carriage_return_ends_a_line() {
        for (text, ended) in [
            ("a\rb\r\rc\r", "a\nb\n\nc\n"),
            ("a\r\nb", "a\r\nb"),
            ("a\r\r\nb", "a\n\r\nb"),
        ] {
            assert_eq!(line_ends(text.into()), ended);
        }
    }

    #[test]
    fn bytes_are_believed_before_labels() {
        assert_eq!(decode("größe".as_bytes(), Some("iso-8859-1")), "größe");
        assert_eq!(decode(b"gr\xf6\xdfe", Some("utf-8")), "größe");
        assert_eq!(decode(b"gr\xf6\xdfe", Some("iso-8859-1")), "größe");
        assert_eq!(
            decode(b"<meta charset=windows-1251>\xcf\xf0\xe8\xe2\xe5\xf2", None),
            "<meta charset=windows-1251>Привет"
        );
        assert_eq!(decode(b"\xff\xfeh\0i\0", None), "hi");
        assert_eq!(decode(b"h\0e\0l\0l\0o\0\xe9\0", None), "helloé");
        assert_eq!(decode(b"\xef\xbb\xbfhi", None), "hi");
    }

    #[test]
    fn a_few_cells_of_shift_jis_are_japanese_and_quotes_of_windows_are_none() {
        let words = "区画,温度\n窯の扉,800\n煙突,900\n";
        let (bytes, ..) = SHIFT_JIS.encode(words);
        assert_eq!(decode(&bytes, None), words);
        for western in [
            "It\u{2019}s \u{201c}hot\u{201d} \u{2013} really",
            "Größe, Süße, où, déjà, ‰",
        ] {
            let (bytes, ..) = WINDOWS_1252.encode(western);
            assert_eq!(decode(&bytes, None), western);
        }
    }

    #[test]
    fn what_unicode_assigns_to_no_character_is_none_of_a_text() {
        assert_eq!(
            line_ends("care\u{fffe}s \u{ffff}guide\u{1ffff}".to_owned()),
            "cares guide"
        );
    }

    #[test]
    fn japanese_in_seven_bits_is_read_by_its_marks() {
        let bytes = b"a \x1b$B$3$s\x1b(B b\n";
        assert_eq!(decode(bytes, None), "a こん b\n");
        assert_eq!(decode_whole(Cow::Owned(bytes.to_vec()), None), "a こん b\n");
        // The Roman letters of Japan are read as ASCII.
        let roman = b"C:\\ \x1b$B$3$s\x1b(J a\\b ~\n";
        assert_eq!(decode(roman, None), "C:\\ こん a\\b ~\n");
        // Colours of a terminal, a mark that no text follows which could be Japanese, and Roman letters alone.
        for other in [
            "\u{1b}[1mbold\u{1b}[0m",
            "print \u{1b}$B\n",
            "\u{1b}(JC:\\kiln ~\n",
        ] {
            assert_eq!(decode(other.as_bytes(), None), other);
        }
    }
}
