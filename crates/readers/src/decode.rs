//! Turns bytes into text: finds the character set the way browsers do, but believes the bytes before the labels.
//!
//! Order: byte-order mark, valid UTF-8, the HTTP header, the page's own `meta`, then statistics. Bytes that are valid
//! UTF-8 are UTF-8 whatever a label says, and a label that claims UTF-8 for bytes that are not is ignored.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::borrow::Cow;

/// The part of a page in which its `meta` must name the character set.
const META_BYTES: usize = 4096;
/// So many characters that were encoded twice are no example of such.
const TWICE_MIN: usize = 8;
/// And so many for each that was encoded once: somebody's name, added later.
const TWICE_OF_KEPT: usize = 8;

/// `bytes` as text. `http_charset` is the label of the HTTP header, when there was one.
#[must_use]
pub fn decode(bytes: &[u8], http_charset: Option<&str>) -> String {
    if let Some(text) = marked(bytes) {
        return text;
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return in_seven_bits(text)
            .or_else(|| encoded_once(text))
            .unwrap_or_else(|| text.to_owned());
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
            Ok(text) => in_seven_bits(&text)
                .or_else(|| encoded_once(&text))
                .unwrap_or(text),
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

/// Text that was read as Latin-1 or Windows-1252 once and written as UTF-8 again ("nÃºmero"), with each such line as it was before:
/// when next to nothing else explains what is not ASCII in it, and it is no mere example.
fn encoded_once(text: &str) -> Option<String> {
    let first = text.chars().find(|c| !c.is_ascii()).and_then(byte)?;
    if !(0xc2..=0xf4).contains(&first) {
        return None;
    }
    let (mut mended, mut kept) = (0, 0);
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let foreign = |line: &str| line.chars().filter(|c| !c.is_ascii()).count();
        let once = || String::from_utf8(line.chars().map(byte).collect::<Option<_>>()?).ok();
        match (foreign(line), once()) {
            (1.., Some(once)) => {
                mended += within_words(&once);
                out.push_str(&once);
            }
            (count, _) => {
                kept += count;
                out.push_str(line);
            }
        }
    }
    (mended >= TWICE_MIN && mended >= kept * TWICE_OF_KEPT).then_some(out)
}

/// How many letters that are not ASCII stand right beside another letter: where a text is about such signs, they stand alone.
fn within_words(line: &str) -> usize {
    let mut before = ' ';
    let mut count = 0;
    let mut letters = line.chars().peekable();
    while let Some(c) = letters.next() {
        let beside =
            before.is_alphabetic() || letters.peek().is_some_and(|next| next.is_alphabetic());
        count += usize::from(!c.is_ascii() && c.is_alphabetic() && beside);
        before = c;
    }
    count
}

/// The byte that was read as this character.
fn byte(c: char) -> Option<u8> {
    match u8::try_from(c) {
        Ok(byte) => Some(byte),
        Err(_) => match WINDOWS_1252.encode(c.encode_utf8(&mut [0; 4])) {
            (one, _, false) => one.first().copied(),
            _ => None,
        },
    }
}

/// Text whose encoding its first bytes tell.
fn marked(bytes: &[u8]) -> Option<String> {
    // Its mark begins with that of UTF-16.
    if let Some(text) = utf_32(bytes) {
        return Some(text);
    }
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

/// Text in UTF-32, by its mark or because three bytes in four are zero. Browsers do not know it, some editors write it.
fn utf_32(bytes: &[u8]) -> Option<String> {
    let (is_little, start) = match bytes {
        [0xff, 0xfe, 0, 0, ..] => (true, 4),
        [0, 0, 0xfe, 0xff, ..] => (false, 4),
        _ => {
            let head = bytes.get(..512).unwrap_or(bytes).chunks_exact(4);
            let all = head.len();
            let is = |test: fn(&[u8]) -> bool| {
                all >= 4 && head.clone().filter(|four| test(four)).count() * 10 > all * 9
            };
            if is(|four| matches!(four, [low, _, 0, 0] if *low != 0)) {
                (true, 0)
            } else if is(|four| matches!(four, [0, 0, _, low] if *low != 0)) {
                (false, 0)
            } else {
                return None;
            }
        }
    };
    let fours = bytes.get(start..)?.chunks_exact(4);
    let characters = fours.filter_map(|four| {
        let four: [u8; 4] = four.try_into().ok()?;
        let number = if is_little {
            u32::from_le_bytes(four)
        } else {
            u32::from_be_bytes(four)
        };
        Some(char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER))
    });
    Some(characters.collect())
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
    fn text_that_was_encoded_twice_is_read_as_it_was_before() {
        let text = "El número de la última sesión está aquí, según el año — «más»…";
        let twice = |page: &'static Encoding| {
            page.decode_without_bom_handling(text.as_bytes())
                .0
                .into_owned()
        };
        let by_latin_1: String = text.bytes().map(char::from).collect();
        for twice in [twice(WINDOWS_1252), by_latin_1] {
            assert_eq!(decode(twice.as_bytes(), None), text);
            let named = format!("{}\nTraducción", [twice.as_str(); 2].join("\n"));
            assert_eq!(
                decode(named.as_bytes(), None),
                format!("{text}\n{text}\nTraducción")
            );
            assert_eq!(decode_whole(Cow::Owned(twice.into_bytes()), None), text);
        }
        for once in [
            text,
            "It shows Ã© for é, and so on: Ã¡ Ã© Ã\u{ad} Ã³ Ãº Ã± Ã¼ Ã¿ Ã¶.",
            "It shows Ã©.",
            "- Ã© is an e.\n- Ã¨ is an e.\n- Ã¡ is an a.\n- Ã³ is an o.\n- Ãº is an u.\n- Ã± is an n.\n- Ã¼ is an u.\n- Ã¶ is an o.\n",
            "Ângelo São João",
        ] {
            assert_eq!(decode(once.as_bytes(), None), once);
        }
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

    #[test]
    fn four_bytes_a_character_are_read_with_a_mark_and_without() {
        let text = "größe — 窯 🔥, no more";
        let little: Vec<u8> = text
            .chars()
            .flat_map(|c| u32::from(c).to_le_bytes())
            .collect();
        let big: Vec<u8> = text
            .chars()
            .flat_map(|c| u32::from(c).to_be_bytes())
            .collect();
        assert_eq!(
            decode(&[&[0xff, 0xfe, 0, 0], little.as_slice()].concat(), None),
            text
        );
        assert_eq!(
            decode(&[&[0, 0, 0xfe, 0xff], big.as_slice()].concat(), None),
            text
        );
        let plain = "plain text without a mark";
        let little: Vec<u8> = plain
            .chars()
            .flat_map(|c| u32::from(c).to_le_bytes())
            .collect();
        assert_eq!(decode(&little, None), plain);
        // Two zeros in four are UTF-16.
        assert_eq!(decode(b"h\0i\0 \0h\0o\0t\0 \0k\0", None), "hi hot k");
    }
}
