//! Reads modules of ASN.1, as those are that describe what a device tells of itself: each declaration as code, to the letter; what is
//! remarked over some of them heads them.

use crate::markup::lines::{self, Line};
use skillkiln_document::blocks::{Block, BlockKind, Document};
use skillkiln_document::text::Inline;

/// Lines before the one that names a module: remarks and empty ones.
const HEAD_LINES_MAX: usize = 400;
/// A remark that heads declarations has no more words.
const HEADING_WORDS_MAX: usize = 8;
/// The mark of a remark.
const REMARK: &str = "--";

/// The module that a whole text is.
pub(super) fn read(text: &str) -> Option<Document> {
    if !is_module(text) {
        return None;
    }
    let lines = lines::lines_of(text);
    let margin = lines::common_indent(&lines);
    let mut blocks = Vec::new();
    let mut title = None;
    let mut from = 0;
    let mut in_words = false;
    // Where the remarks begin that stand right above.
    let mut remarks: Option<usize> = None;
    for (at, line) in lines.iter().enumerate() {
        let is_outside = !in_words && line.indent() <= margin && !line.is_blank();
        in_words = ends_in_words(line.text, in_words);
        if is_outside && line.words().starts_with(REMARK) {
            remarks = remarks.or(Some(at));
            continue;
        }
        let named = if is_outside {
            module(line.words())
        } else {
            None
        };
        if named.is_some() || is_outside && is_declared(line.words()) {
            let above = remarks.take().unwrap_or(at);
            listed(lines.get(from..above).unwrap_or_default(), &mut blocks);
            from = above;
            let told = lines.get(above..at).unwrap_or_default();
            if let Some(name) = named {
                listed(told, &mut blocks);
                blocks.push(heading(1, name, lines.get(at..=at).unwrap_or_default()));
                title = title.or(Some(name.to_owned()));
                from = at;
            } else if let Some(said) = headline(told) {
                blocks.push(heading(2, said, told));
                from = at;
            }
        }
        if !line.is_blank() {
            remarks = None;
        }
    }
    listed(lines.get(from..).unwrap_or_default(), &mut blocks);
    Some(Document {
        title,
        text: text.to_owned(),
        blocks,
        ..Document::default()
    })
}

/// Whether nothing but remarks stands before the line that names a module.
fn is_module(text: &str) -> bool {
    let mut head = text.lines().take(HEAD_LINES_MAX).map(str::trim);
    let first = head.find(|line| !line.is_empty() && !line.starts_with(REMARK));
    first.is_some_and(|line| module(line).is_some())
}

/// The name of the module that begins with a line: `KILN-MIB DEFINITIONS ::= BEGIN`.
fn module(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let name = words.next().filter(|name| is_name(name))?;
    let is_begun = line.contains("::=") && words.any(|word| word == "DEFINITIONS");
    is_begun.then_some(name)
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

/// Whether a declaration begins with a line: `kilnHeat OBJECT-TYPE`, `Heat ::= INTEGER`.
fn is_declared(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let name = words.next().unwrap_or_default();
    if matches!(name, "IMPORTS" | "EXPORTS") {
        return true;
    }
    let Some(next) = words.next().filter(|_| is_name(name)) else {
        return false;
    };
    let is_kind = next.len() > 2
        && next
            .bytes()
            .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'-');
    next.starts_with("::=")
        || is_kind && (name.starts_with(|c: char| c.is_lowercase()) || next == "MACRO")
}

/// Whether a line ends within words in quotes, where it begins `in_words` or not.
fn ends_in_words(line: &str, in_words: bool) -> bool {
    let mut in_words = in_words;
    let mut before = b' ';
    for byte in line.bytes() {
        match byte {
            b'"' => in_words = !in_words,
            // The rest of the line is a remark.
            b'-' if before == b'-' && !in_words => return false,
            _ => {}
        }
        before = byte;
    }
    in_words
}

/// What remarks say that head what is below them: a few words alone.
fn headline<'a>(remarks: &[Line<'a>]) -> Option<&'a str> {
    let said = |line: &Line<'a>| line.text.trim().trim_matches('-').trim();
    let mut lines = remarks.iter().map(said).filter(|said| !said.is_empty());
    let only = lines.next().filter(|_| lines.next().is_none())?;
    let is_headline = only.starts_with(char::is_uppercase)
        && only.split_whitespace().count() <= HEADING_WORDS_MAX
        && !only.contains(['{', '}', '"', ';'])
        && !only.contains("::=")
        && !only.ends_with(['.', ',', ':']);
    is_headline.then_some(only)
}

fn heading(level: u8, words: &str, lines: &[Line<'_>]) -> Block {
    let text = vec![Inline::Text(words.to_owned())];
    lines::block(BlockKind::Heading { level, text }, lines)
}

fn listed(lines: &[Line<'_>], out: &mut Vec<Block>) {
    let shown = lines::trimmed(lines);
    if !shown.is_empty() {
        out.push(lines::code(Some("asn1".to_owned()), shown));
    }
}

#[cfg(test)]
mod tests {
    use crate::text::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_module_is_its_declarations_to_the_letter_under_what_is_remarked_of_them() {
        let source = "-- Of the potters.\n\nKILN-MIB DEFINITIONS ::= BEGIN\n\nIMPORTS\n    OBJECT-TYPE\n        FROM CLAY-SMI;\n\nkilnMIB MODULE-IDENTITY\n    DESCRIPTION\n        \"How hot\n\nit is\n  -- in the kiln.\n\nheat OBJECT-TYPE\"\n    -- the log\n    ::= { clay 1 }\n\n-- Heat of the Kiln\n\nHeat ::= TEXTUAL-CONVENTION\n    SYNTAX  INTEGER {\n        cold(0) -- \"cold\n    }\n-- It is measured. Nobody knows how.\nkilnHeat OBJECT-TYPE\n    SYNTAX  Heat\n\nEND\n";
        let document = read(source.to_owned());
        assert_eq!(document.title.as_deref(), Some("KILN-MIB"));
        assert_eq!(
            write(&document.blocks),
            "```asn1\n-- Of the potters.\n```\n\n# KILN-MIB\n\n```asn1\nKILN-MIB DEFINITIONS ::= BEGIN\n```\n\n```asn1\nIMPORTS\n    OBJECT-TYPE\n        FROM CLAY-SMI;\n```\n\n```asn1\nkilnMIB MODULE-IDENTITY\n    DESCRIPTION\n        \"How hot\n\nit is\n  -- in the kiln.\n\nheat OBJECT-TYPE\"\n    -- the log\n    ::= { clay 1 }\n```\n\n## Heat of the Kiln\n\n```asn1\nHeat ::= TEXTUAL-CONVENTION\n    SYNTAX  INTEGER {\n        cold(0) -- \"cold\n    }\n```\n\n```asn1\n-- It is measured. Nobody knows how.\nkilnHeat OBJECT-TYPE\n    SYNTAX  Heat\n\nEND\n```\n"
        );
    }

    #[test]
    fn words_over_a_module_are_no_module() {
        let text = "The module of the kiln:\n\nKILN-MIB DEFINITIONS ::= BEGIN\nEND\n";
        let document = read(text.to_owned());
        assert!(!write(&document.blocks).contains("```asn1"));
    }
}
