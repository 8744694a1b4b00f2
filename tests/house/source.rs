//! Reads our own source text for the house rules: every file, with comments and literals blanked out.

use std::path::{Path, PathBuf};

/// A source file.
pub(crate) struct SourceFile {
    /// Its path from the root of the repository, with `/`.
    pub(crate) path: String,
    /// Its text to the letter.
    pub(crate) text: String,
    /// Its text with the inside of comments, strings and characters replaced by blanks; lines stay where they are.
    pub(crate) code: String,
}

impl SourceFile {
    /// The room it belongs to: `domain` for `src/domain/id.rs`, `config` for `src/config.rs`.
    pub(crate) fn room(&self) -> &str {
        let inside = self.path.strip_prefix("src/").expect("a file under src");
        let first = inside.split('/').next().unwrap_or(inside);
        first.strip_suffix(".rs").unwrap_or(first)
    }

    /// How deep its module lies: 1 for a room's first page, 2 for what is inside.
    pub(crate) fn depth(&self) -> usize {
        let steps = self.path.matches('/').count();
        if self.path.ends_with("/mod.rs") {
            steps - 1
        } else {
            steps
        }
    }

    /// The line of a byte offset, counted from 1.
    pub(crate) fn line(&self, offset: usize) -> usize {
        1 + self.code[..offset].matches('\n').count()
    }

    /// Where `word` stands as a whole word of the code.
    pub(crate) fn words<'a>(&'a self, word: &'a str) -> impl Iterator<Item = usize> + 'a {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        self.code.match_indices(word).filter_map(move |(at, _)| {
            let before = self.code[..at].chars().next_back();
            let after = self.code[at + word.len()..].chars().next();
            let whole = !before.is_some_and(is_part) && !after.is_some_and(is_part);
            whole.then_some(at)
        })
    }
}

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All Rust files under a folder of the repository, in the order of their paths; none when the folder is not there.
pub(crate) fn files(folder: &str) -> Vec<SourceFile> {
    let mut paths = Vec::new();
    collect(&root().join(folder), &mut paths);
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("source files are text");
            let inside = path.strip_prefix(root()).expect("collected below the root");
            SourceFile {
                path: inside.to_string_lossy().replace('\\', "/"),
                code: blank(&text),
                text,
            }
        })
        .collect()
}

fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            collect(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

/// Replaces the inside of comments, strings and characters by blanks, so that only code is looked at.
fn blank(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'/' if bytes[at..].starts_with(b"//") => line_end(bytes, at),
            b'/' if bytes[at..].starts_with(b"/*") => comment_end(bytes, at),
            b'"' => string_end(bytes, at),
            b'r' if !is_word(bytes, at) => match raw_string_end(bytes, at + 1) {
                Some(end) => end,
                None => at + 1,
            },
            b'\'' => character_end(text, at),
            _ => at + 1,
        };
        if end > at + 1 {
            for byte in &mut out[at..end] {
                if *byte != b'\n' {
                    *byte = b' ';
                }
            }
        }
        at = end;
    }
    String::from_utf8(out).expect("whole characters were replaced")
}

/// Whether the byte at `at` continues a word. The `b` of a raw byte string does not.
fn is_word(bytes: &[u8], at: usize) -> bool {
    let Some(previous) = at.checked_sub(1).map(|before| bytes[before]) else {
        return false;
    };
    let alone = at < 2 || !(bytes[at - 2].is_ascii_alphanumeric() || bytes[at - 2] == b'_');
    (previous.is_ascii_alphanumeric() || previous == b'_') && !(previous == b'b' && alone)
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    let length = bytes[at..].iter().position(|byte| *byte == b'\n');
    length.map_or(bytes.len(), |length| at + length)
}

fn comment_end(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0;
    while at < bytes.len() {
        if bytes[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if bytes[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    at
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// The end of a raw string whose `r` stands before `at`; `None` when there is none.
fn raw_string_end(bytes: &[u8], at: usize) -> Option<usize> {
    let hashes = bytes[at..].iter().take_while(|byte| **byte == b'#').count();
    if bytes.get(at + hashes) != Some(&b'"') {
        return None;
    }
    let close = [b"\"".as_slice(), "#".repeat(hashes).as_bytes()].concat();
    let inside = at + hashes + 1;
    let length = bytes[inside..]
        .windows(close.len())
        .position(|window| window == close);
    Some(length.map_or(bytes.len(), |length| inside + length + close.len()))
}

/// The end of a character literal; of a lifetime, just past its tick.
fn character_end(text: &str, at: usize) -> usize {
    let mut characters = text[at + 1..].char_indices();
    let (_, first) = characters.next().unwrap_or((0, '\''));
    if first == '\\' {
        let length = text[at + 3..].find('\'').expect("a literal ends");
        return at + 3 + length + 1;
    }
    match characters.next() {
        Some((length, '\'')) => at + 1 + length + 1,
        _ => at + 1,
    }
}

#[test]
fn only_code_is_looked_at() {
    let text = r##"use a::b; // crate::http
let x = "crate::store \" still"; let y = r#"crate::"quoted" "#; let z: &'static str = "";
/* crate::http /* nested */ crate::http */ let c = '"'; let d = '\''; let e = 'é'; crate::domain::id
let b = br"crate::x"; let n = b'"'; let r = 1; for_r"##;
    let code = blank(text);
    assert_eq!(code.matches("crate::").count(), 1, "{code}");
    assert_eq!(code.lines().count(), text.lines().count());
    assert!(code.contains("crate::domain::id") && code.contains("&'static str"));
}
