//! What Kramdown and MkDocs write into Markdown for the program that builds the page: attributes in braces, files that are put in,
//! marks of notes to lines of code.

use super::is_class;

/// What names the list of contents, in the place of the list before it.
const CONTENTS: &str = "toc";

/// Whether a line is nothing but attributes: `{: .no_toc }`. Those which make a note of what they belong to are kept.
pub(super) fn is_attributes(words: &str) -> bool {
    inner(words).is_some_and(|inner| is_list(inner, 1))
}

/// Whether a line puts the list of contents in the place of the list before it: `{:toc}`.
pub(super) fn is_contents(words: &str) -> bool {
    inner(words).is_some_and(|inner| {
        is_list(inner, 1) && inner.split_whitespace().any(|word| word == CONTENTS)
    })
}

/// A line without the attributes at its end: `## Kilns {: #kilns }`; `None` where it has none. They belong to a heading, to a link,
/// a picture, code or stress directly before them, or to a sentence: elsewhere, a text on them may name them.
pub(super) fn without(line: &str) -> Option<&str> {
    let (before, _) = line.trim_end().rsplit_once("{:")?;
    let behind = line.trim_end().get(before.len()..)?;
    let is_code = before.bytes().filter(|byte| *byte == b'`').count() % 2 == 1;
    // Without a gap, it may be the format of a number.
    let letters_min = if behind.starts_with("{: ") { 1 } else { 3 };
    let words = before.trim();
    let hashes = words.trim_start_matches(['>', ' ']);
    let is_heading = hashes.trim_start_matches('#').starts_with(' ') && hashes.starts_with('#');
    let has_bearer =
        is_heading || before.ends_with([')', ']', '*', '`']) || words.ends_with(['.', '!', '?']);
    let is_found = !is_code
        && !words.is_empty()
        && has_bearer
        && inner(behind).is_some_and(|inner| is_list(inner, letters_min));
    is_found.then(|| before.trim_end())
}

/// Whether a line is what a file is put in for: `--8<-- "docs/x.py"`.
pub(super) fn puts_in(words: &str) -> bool {
    words
        .strip_prefix("--8<--")
        .is_some_and(|file| file.trim().len() > 2 && file.trim().starts_with(['"', '\'']))
}

/// A line of code whose mark of a note is a comment with the number of that: `# (1)` for `# (1)!`.
pub(super) fn with_number(line: &str) -> Option<&str> {
    let marked = line.trim_end().strip_suffix('!')?;
    let (before, number) = marked.strip_suffix(')')?.rsplit_once('(')?;
    let is_number =
        !number.is_empty() && number.len() < 4 && number.bytes().all(|b| b.is_ascii_digit());
    let before = before.trim_end();
    let is_comment = ["#", "//", "--", ";", "%"]
        .iter()
        .any(|sign| before.ends_with(sign));
    (is_number && is_comment).then_some(marked)
}

fn inner(words: &str) -> Option<&str> {
    let inner = words.trim().strip_prefix("{:")?.strip_suffix('}')?;
    (!inner.contains(['{', '}'])).then(|| inner.trim())
}

/// Whether `inner` is a list of attributes whose names have so many letters at least.
fn is_list(inner: &str, letters_min: usize) -> bool {
    let is_name = |name: &str| {
        name.len() >= letters_min
            && name.starts_with(|c: char| c.is_alphabetic())
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':'))
    };
    let mut rest = inner;
    let mut count = 0;
    while !rest.is_empty() {
        let (word, behind) = match rest.split_once("=\"") {
            Some((key, value)) if !key.contains(char::is_whitespace) => {
                let Some((_, behind)) = value.split_once('"') else {
                    return false;
                };
                (key, behind)
            }
            _ => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        let is_known = match word.strip_prefix('.') {
            Some(class) => is_name(class) && !is_class(class),
            None => match word.strip_prefix('#') {
                Some(name) => is_name(name),
                None => {
                    word == CONTENTS
                        || is_name(word)
                            && rest
                                .get(word.len()..)
                                .is_some_and(|behind| behind.starts_with('='))
                }
            },
        };
        if !is_known {
            return false;
        }
        count += 1;
        rest = behind.trim_start();
    }
    count > 0
}

#[cfg(test)]
mod tests {
    use super::with_number;
    use crate::markup::markdown::read;
    use skillkiln_document::markdown::write;

    fn written(source: &str) -> String {
        write(&read(source.to_owned()).blocks)
    }

    #[test]
    fn attributes_of_kramdown_show_nothing() {
        assert_eq!(
            written(
                "# A\n{: .no_toc }\n\n* TOC\n{:toc}\n\n## B {: #b-c }\n\nText.\n{:.lead data-x=\"a b\"}\n\n[Go](https://k.org){: .btn }\n"
            ),
            "# A\n\n## B\n\nText.\n\n[Go](https://k.org)\n"
        );
        // What may be a note, a format or code is kept.
        for kept in [
            "{: .warning }\nHot.\n",
            "Print {:#x} and `a{: .b }`\n",
            "{:?}\n",
            "`{: .b }\n",
            // What is named is no attribute of the words before it, nor is code.
            "To give a paragraph a class, end it with {: .btn }\n",
            "Go template {:toc}\n",
            "Then set {: foo=\"b\" }\n",
            "!!! note\n    So:\n\n        {: .btn }\n        Text. {: .btn }\n",
        ] {
            let count = kept.matches("{:").count();
            assert_eq!(written(kept).matches("{:").count(), count, "{kept}");
        }
    }

    #[test]
    fn what_is_put_in_from_a_file_shows_nothing() {
        assert_eq!(
            written(
                "# A\n\n```py hl_lines=\"3\"\n--8<-- \"a.py\"\n```\n\n=== \"b.py\"\n\n    ```py\n    --8<-- \"b.py\"\n    ```\n\nText.\n\n--8<-- \"c.md\"\n\n```py\na = 1\n--8<-- \"d.py\"\n```\n"
            ),
            "# A\n\n**b.py**\n\nText.\n\n```py\na = 1\n--8<-- \"d.py\"\n```\n"
        );
    }

    #[test]
    fn the_mark_of_a_note_to_code_is_its_number_where_the_note_follows() {
        let code = "```py\nraise E() from e  # (1)!\n```\n\n";
        assert_eq!(
            written(&format!("{code}1. It is raised.\n\n{code}Words.\n")),
            "```py\nraise E() from e  # (1)\n```\n\n1. It is raised.\n\n```py\nraise E() from e  # (1)!\n```\n\nWords.\n"
        );
        assert_eq!(with_number("call(1)!"), None);
    }
}
