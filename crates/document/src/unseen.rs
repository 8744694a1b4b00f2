//! Owns the characters that nobody sees: zero-width, bidirectional, tag and filling characters. The stage that leaves them out, the
//! check that looks for those left in, and the proofs that compare what was left see the same.

use std::borrow::Cow;

/// Whether a character has no shape of its own.
pub fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFFB}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
        || is_noncharacter(c)
}

/// Whether a code point is for the inside of programs and never for a text: YAML refuses it, and text that is copied out of a browser's
/// viewer of PDF has it where words were parted.
pub fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{FDD0}'..='\u{FDEF}') || u32::from(c) & 0xFFFE == 0xFFFE
}

/// Whether a character moves, rings or ends something, and is none of a text: control characters but for the ends of lines and tabs.
pub fn is_signal(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
}

/// Whether a joiner does its work: inside an emoji, or between letters of a script that needs it.
pub fn joins(c: char, previous: char, next: char) -> bool {
    let is_emoji =
        |c: char| matches!(c, '\u{2190}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}' | '\u{FE0F}');
    let needs_joiners = |c: char| matches!(c, '\u{600}'..='\u{8FF}' | '\u{900}'..='\u{DFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{18AF}' | '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}');
    match c {
        '\u{200D}' => (is_emoji(previous) && is_emoji(next)) || needs_joiners(previous),
        '\u{200C}' => needs_joiners(previous),
        _ => false,
    }
}

/// What the flag of a region begins and ends with.
const FLAG: char = '\u{1F3F4}';
const END_OF_TAGS: char = '\u{E007F}';

/// How many tags follow a flag that name its region, with the one that ends them: three to six letters or digits.
fn flag_tags(rest: impl Iterator<Item = char>) -> Option<usize> {
    let is_tag = |c: &char| matches!(c, '\u{E0030}'..='\u{E0039}' | '\u{E0061}'..='\u{E007A}');
    let mut rest = rest.peekable();
    let mut count = 0;
    while count < 7 && rest.peek().is_some_and(is_tag) {
        rest.next();
        count += 1;
    }
    ((3..=6).contains(&count) && rest.next() == Some(END_OF_TAGS)).then_some(count + 1)
}

/// The text without them, but for joiners that do their work.
pub fn without_unseen(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.contains(is_unseen) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut previous = ' ';
    while let Some(character) = rest.next() {
        let next = rest.peek().copied().unwrap_or(' ');
        // The flag of a region is a black flag and the tags of its name.
        if character == FLAG
            && let Some(length) = flag_tags(rest.clone())
        {
            out.push(character);
            out.extend(rest.by_ref().take(length));
            previous = END_OF_TAGS;
            continue;
        }
        if !is_unseen(character) || joins(character, previous, next) {
            out.push(character);
            previous = character;
        }
    }
    match out.len() == text.len() {
        true => Cow::Borrowed(text),
        false => Cow::Owned(out),
    }
}

/// The text without characters that nobody sees, and without signals.
#[must_use]
pub fn visible(text: &str) -> String {
    let is_kept = |c: char| !is_signal(c);
    match without_unseen(text) {
        Cow::Borrowed(seen) if seen.chars().all(is_kept) => seen.to_owned(),
        seen => seen.chars().filter(|c| is_kept(*c)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_and_signals_do_not_pass() {
        assert_eq!(
            visible("a\u{200B}b\u{202E}c\u{E0041}\td\u{7}\n"),
            "abc\td\n"
        );
    }

    #[test]
    fn what_nobody_sees_goes_and_a_joiner_that_does_its_work_stays() {
        for whole in ["plain", "pläne", "🏳️‍🌈", "👩‍💻", "می‌خواهم", "क्‍ष"]
        {
            assert!(matches!(without_unseen(whole), Cow::Borrowed(_)), "{whole}");
        }
        for (text, seen) in [
            ("👩‍💻 a\u{200b}b", "👩‍💻 ab"),
            ("43947\u{2069})", "43947)"),
            ("a\u{200d}b", "ab"),
            (
                "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} x\u{E0067}",
                "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} x",
            ),
            (
                "care\u{fffe}s \u{ffff}of\u{fdd0} \u{1fffe}it\u{10ffff}",
                "cares of it",
            ),
        ] {
            assert_eq!(without_unseen(text), seen);
        }
    }
}
