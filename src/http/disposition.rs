//! Owns what a part of a form says of itself: its field's name, and the name of the file in it.
//!
//! The standard of headers and the browsers differ on the backslash: to the one it hides the next character, to the others it stands
//! for itself and only hides a quotation mark. Read by the standard alone, `C:\notes\a.md` is `C:notesa.md` and `C:\notes\` never ends.

use actix_web::http::header::parse_extended_value;
use skillkiln_document::text::squash;

/// Most bytes of a file name that are kept; a file system takes 255.
const FILENAME_BYTES_MAX: usize = 200;
/// What a file without a name is called.
const NAMELESS: &str = "file";

/// What the head of a part says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Disposition {
    /// The field.
    pub(super) name: String,
    /// The file's name to the letter, also an empty one; `None` when the part is no file.
    pub(super) filename: Option<String>,
}

/// Reads a `Content-Disposition`; `None` when it names no field of a form. `filename*` wins, as it can say more.
pub(super) fn read(header: &[u8]) -> Option<Disposition> {
    let header = String::from_utf8_lossy(header);
    let (kind, mut rest) = header.split_once(';')?;
    if !kind.trim().eq_ignore_ascii_case("form-data") {
        return None;
    }
    let (mut name, mut plain, mut extended) = (None, None, None);
    while let Some((key, value)) = rest.split_once('=') {
        let key = key.rsplit(';').next().unwrap_or(key).trim();
        let (text, after) = value_of(value.trim_start())?;
        if key.eq_ignore_ascii_case("name") {
            name = name.or(Some(text));
        } else if key.eq_ignore_ascii_case("filename") {
            plain = plain.or(Some(text));
        } else if key.eq_ignore_ascii_case("filename*") {
            extended = extended.or_else(|| unfolded(&text));
        }
        rest = after;
    }
    Some(Disposition {
        name: name?,
        filename: extended.or(plain),
    })
}

/// The value at the start of a text, and what comes after it; `None` for a quotation without end.
fn value_of(text: &str) -> Option<(String, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let (value, after) = text.split_once(';').unwrap_or((text, ""));
        return Some((value.trim().to_owned(), after));
    };
    let mut before = ' ';
    for (at, c) in quoted.char_indices() {
        let after = quoted.get(at + 1..).unwrap_or_default();
        if c == '"' && (before != '\\' || is_over(after)) {
            let value = quoted.get(..at).unwrap_or_default().replace("\\\"", "\"");
            return Some((value, after.split_once(';').map_or("", |(_, next)| next)));
        }
        before = c;
    }
    None
}

/// Whether a quotation may be over where this follows: nothing, or the next parameter. A folder ends in a backslash before its
/// quotation mark, and the mark is not hidden by it.
fn is_over(after: &str) -> bool {
    let after = after.trim_start();
    let Some(next) = after.strip_prefix(';') else {
        return after.is_empty();
    };
    let is_token = |c: char| c.is_ascii_alphanumeric() || "-_*".contains(c);
    let after_key = next.trim_start().trim_start_matches(is_token);
    next.trim_start().len() > after_key.len() && after_key.starts_with('=')
}

/// A value as RFC 8187 spells it; `None` when it is spelt otherwise.
fn unfolded(text: &str) -> Option<String> {
    let value = parse_extended_value(text).ok()?.value;
    Some(String::from_utf8_lossy(&value).into_owned())
}

/// A base name that is safe to show, to log and to write: no folders, no control or direction characters, not too long.
pub(super) fn base_name(filename: &str) -> String {
    let kept: String = last_of(filename)
        .chars()
        .filter(|c| !c.is_control() && !is_format(*c))
        .collect();
    let kept = squash(&kept);
    let kept = kept.trim_matches(|c: char| c == '.' || c == ' ');
    if kept.is_empty() {
        return NAMELESS.to_owned();
    }
    shorten(kept)
}

/// What comes after the last folder. A backslash right before an ending parts nothing: nobody's file is called `.md` alone, and
/// `q\.md` is how `q.md` is spelt where the standard is followed.
fn last_of(filename: &str) -> String {
    const PARTING: [char; 2] = ['/', '\\'];
    let Some((folders, base)) = filename.rsplit_once(PARTING) else {
        return filename.to_owned();
    };
    let is_ending = base
        .strip_prefix('.')
        .is_some_and(|ending| ending.starts_with(char::is_alphanumeric));
    let after_backslash = filename.as_bytes().get(folders.len()) == Some(&b'\\');
    if !is_ending || !after_backslash {
        return base.to_owned();
    }
    let stem = folders.trim_end_matches('\\').rsplit(PARTING).next();
    format!("{}{base}", stem.unwrap_or_default())
}

/// Characters that are not seen but change how a name reads: `gnp.exe` must not look like `exe.png`.
fn is_format(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

/// Cuts a long name before its extension.
fn shorten(name: &str) -> String {
    if name.len() <= FILENAME_BYTES_MAX {
        return name.to_owned();
    }
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) if extension.len() <= 16 => (stem, format!(".{extension}")),
        _ => (name, String::new()),
    };
    let mut cut = FILENAME_BYTES_MAX
        .saturating_sub(extension.len())
        .min(stem.len());
    while !stem.is_char_boundary(cut) {
        cut -= 1;
    }
    format!("{}{extension}", stem.get(..cut).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filename(of: &str) -> Option<String> {
        read(format!("form-data; name=\"source\"; {of}").as_bytes())?.filename
    }

    #[test]
    fn the_name_of_a_file_is_read_as_browsers_write_it() {
        for (sent, read) in [
            (r#"filename="a.md""#, "a.md"),
            (r#"filename="a \"b\".md""#, r#"a "b".md"#),
            (r#"filename="a; b=c.md""#, "a; b=c.md"),
            (r#"filename="a\"; b.md""#, r#"a"; b.md"#),
            (r#"filename="C:\x\y.md""#, r"C:\x\y.md"),
            (r#"filename="C:\x\""#, r"C:\x\"),
            (r#"filename="C:\x\"; charset=utf-8"#, r"C:\x\"),
            (r#"filename="C:\x\"; filename*=UTF-8''y.md"#, "y.md"),
            (r#"filename="a.md"; filename*=UTF-8''%c3%bc.md"#, "ü.md"),
            (r#"filename="a.md"; filename*=nonsense"#, "a.md"),
            (r#"filename=y.md"#, "y.md"),
            (r#"FileName="y.md"; x=1"#, "y.md"),
            (r#"x="filename=\"no"; filename="y.md""#, "y.md"),
            (r#"filename="""#, ""),
        ] {
            assert_eq!(filename(sent).as_deref(), Some(read), "{sent}");
        }
        assert_eq!(filename("x=1"), None, "no file");
    }

    #[test]
    fn the_field_is_found_behind_the_name_of_a_folder() {
        let said = read(br#"form-data; filename="C:\x\"; name="source""#).expect("a part");
        assert_eq!(said.name, "source");
        assert_eq!(said.filename.as_deref(), Some(r"C:\x\"));
    }

    #[test]
    fn what_is_no_part_of_a_form_is_nothing() {
        for header in [
            &b""[..],
            b"form-data",
            b"form-data; filename=a.md",
            b"attachment; name=\"source\"",
            b"form-data; name=\"source",
            b"form-data; name=\"source\"; filename=\"a",
        ] {
            assert_eq!(read(header), None, "{header:?}");
        }
    }

    #[test]
    fn a_file_name_is_reduced_to_its_harmless_base() {
        for (sent, kept) in [
            ("../../etc/passwd", "passwd"),
            (r"..\..\etc\passwd", "passwd"),
            ("C:\\fakepath\\a b.pdf", "a b.pdf"),
            (r"\\server\share\y.md", "y.md"),
            (r"C:\x\", NAMELESS),
            (r"q\.md", "q.md"),
            (r"x\q\\.md", "q.md"),
            (r"q\..", NAMELESS),
            ("q/.hidden", "hidden"),
            ("", NAMELESS),
            ("...", NAMELESS),
            ("a/", NAMELESS),
            ("über\u{202e}fdp.exe", "überfdp.exe"),
            ("a\r\nb\0.md", "ab.md"),
            (".hidden", "hidden"),
        ] {
            assert_eq!(base_name(sent), kept, "{sent:?}");
        }
        let long = base_name(&format!("{}.pdf", "ü".repeat(500)));
        assert!(
            long.len() <= FILENAME_BYTES_MAX && long.ends_with(".pdf"),
            "{long}"
        );
    }
}
