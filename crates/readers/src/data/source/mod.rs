//! Reads source code: what its authors wrote for readers as prose, each documented symbol under its name, and the code
//! to the letter.

pub mod comments;
pub mod symbols;

use crate::derived::Derived;
use crate::markup::lines::{self, Line};
use crate::markup::{markdown, rest};
use comments::Comment;
use skillkiln_document::blocks::{Block, BlockKind, Document};
use skillkiln_document::text::Inline;

/// How a language writes comments for readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// `///` and `//!`, and `/** */`.
    Slashes,
    /// `//` right above a declaration.
    Go,
    /// Strings that open a module, a class or a function.
    Python,
}

/// How `language` writes comments for readers; `None` when it is read as plain code.
fn style_of(language: &str) -> Option<Style> {
    Some(match language {
        "rust" | "javascript" | "jsx" | "typescript" | "tsx" | "java" | "kotlin" | "swift"
        | "c" | "cpp" | "csharp" | "php" | "scala" | "dart" | "zig" => Style::Slashes,
        "go" => Style::Go,
        "python" => Style::Python,
        _ => return None,
    })
}

/// Reads a file of code; `None` when nothing in it is written for readers.
pub(crate) fn read(text: &str, language: &str) -> Option<Document> {
    let style = style_of(language)?;
    let lines = lines::lines_of(text);
    let comments = match style {
        Style::Python => comments::docstrings(&lines),
        _ => comments::documented(&lines, style, language),
    };
    if comments.iter().all(|comment| comment.words.is_empty()) {
        return None;
    }
    let mut writer = Writer {
        lines: &lines,
        language,
        blocks: Vec::new(),
    };
    let mut at = 0;
    for (number, comment) in comments.iter().enumerate() {
        let next = comments
            .get(number + 1)
            .map_or(lines.len(), |next| next.begin());
        writer.other(at..comment.begin());
        writer.section(comment, next);
        at = next.max(comment.end());
    }
    writer.other(at..lines.len());
    Some(Document {
        text: text.to_owned(),
        blocks: writer.blocks,
        ..Document::default()
    })
}

struct Writer<'l, 'a> {
    lines: &'l [Line<'a>],
    language: &'l str,
    blocks: Vec<Block>,
}

impl Writer<'_, '_> {
    /// Code that no comment introduces.
    fn other(&mut self, range: std::ops::Range<usize>) {
        self.code(self.lines.get(range).unwrap_or_default());
    }

    /// Code to the letter, its own indentation kept.
    fn code(&mut self, taken: &[Line<'_>]) {
        let taken = lines::trimmed(taken);
        if taken.is_empty() {
            return;
        }
        let kind = BlockKind::Code {
            language: Some(self.language.to_owned()),
            text: lines::joined(taken),
        };
        self.blocks.push(lines::block(kind, taken));
    }

    /// A comment with the symbol it is about, up to the next one.
    fn section(&mut self, comment: &Comment, next: usize) {
        let Some(symbol) = &comment.symbol else {
            self.prose(comment);
            self.other(comment.end()..next);
            return;
        };
        let level = if symbol.inner { 3 } else { 2 };
        let head = self
            .lines
            .get(symbol.line..=symbol.line)
            .unwrap_or_default();
        let text = vec![Inline::Code(symbol.name.clone())];
        self.blocks
            .push(lines::block(BlockKind::Heading { level, text }, head));
        if comment.above {
            self.prose(comment);
            self.other(comment.end()..next.max(comment.end()));
        } else {
            // A docstring stands inside: the signature, what it says, the rest.
            let signature = self
                .lines
                .get(comment.begin()..comment.lines.start)
                .unwrap_or_default();
            self.code(signature);
            self.prose(comment);
            self.other(comment.end()..next.max(comment.end()));
        }
    }

    /// What a comment says, as Markdown or reStructuredText, its spans in the source.
    fn prose(&mut self, comment: &Comment) {
        let mut derived = Derived::default();
        for (start, words) in &comment.words {
            derived.line("", *start, words);
        }
        let mut blocks = if self.language == "python" && rest::is_docstring(&derived.text) {
            rest::read_inner(&derived.text)
        } else {
            markdown::read(std::mem::take(&mut derived.text)).blocks
        };
        derived.put_back(&mut blocks);
        let inner = comment
            .symbol
            .as_ref()
            .map(|symbol| if symbol.inner { 3 } else { 2 });
        for block in &mut blocks {
            if let BlockKind::Heading { level, text } = &mut block.kind {
                match inner {
                    // A heading inside a comment stands below its symbol.
                    Some(_) => {
                        block.kind =
                            BlockKind::Paragraph(vec![Inline::Strong(std::mem::take(text))])
                    }
                    None => *level = (*level).min(6),
                }
            }
            // Examples without a language are in the language of the file.
            if let BlockKind::Code { language, .. } = &mut block.kind
                && self.language == "rust"
                && language.as_deref().is_none_or(|language| {
                    matches!(
                        language,
                        "no_run" | "should_panic" | "ignore" | "compile_fail" | "edition2021"
                    )
                })
            {
                *language = Some("rust".to_owned());
            }
        }
        self.blocks.extend(blocks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::markdown::write;

    fn written(text: &str, language: &str) -> String {
        let document = read(text, language).unwrap();
        for block in &document.blocks {
            assert!(document.text.get(block.span.bytes.clone()).is_some());
        }
        write(&document.blocks)
    }

    #[test]
    fn rust_keeps_its_documents_and_its_code() {
        let text = "//! Kilns.\n//!\n//! Hot.\n\nuse std::fmt;\n\n/// Fires *once*.\n///\n/// ```\n/// fire(1);\n/// ```\n#[must_use]\npub fn fire(n: u8) -> u8 {\n    // inner\n    n\n}\n\npub struct Kiln {\n    /// How hot.\n    pub heat: u8,\n}\n";
        assert_eq!(
            written(text, "rust"),
            "Kilns.\n\nHot.\n\n```rust\nuse std::fmt;\n```\n\n## `fire`\n\nFires *once*.\n\n```rust\nfire(1);\n```\n\n```rust\n#[must_use]\npub fn fire(n: u8) -> u8 {\n    // inner\n    n\n}\n\npub struct Kiln {\n    /// How hot.\n    pub heat: u8,\n}\n```\n"
        );
    }

    #[test]
    fn python_shows_signatures_then_docstrings_then_bodies() {
        let text = "\"\"\"Kilns.\n\nHot.\n\"\"\"\nimport os\n\n@cached\ndef fire(n,\n         m=1):\n    \"\"\"Fire it.\n\n    :param n: How often.\n    \"\"\"\n    return n\n";
        assert_eq!(
            written(text, "python"),
            "Kilns.\n\nHot.\n\n```python\nimport os\n```\n\n## `fire`\n\n```python\n@cached\ndef fire(n,\n         m=1):\n```\n\nFire it.\n\n- `n`: How often.\n\n```python\n    return n\n```\n"
        );
    }

    #[test]
    fn methods_stand_below_a_class_without_a_docstring_and_inner_functions_in_the_body() {
        let text = "def cached(n):\n    \"\"\"Keeps it.\"\"\"\n    def inner():\n        \"\"\"Wraps it.\"\"\"\n    return inner\n\nclass Kiln:\n    heat = 1\n\n    def fire(self):\n        \"\"\"Fires it.\"\"\"\n        return 1\n";
        assert_eq!(
            written(text, "python"),
            "## `cached`\n\n```python\ndef cached(n):\n```\n\nKeeps it.\n\n```python\n    def inner():\n        \"\"\"Wraps it.\"\"\"\n    return inner\n```\n\n\
             ## `Kiln`\n\n```python\nclass Kiln:\n```\n\n```python\n    heat = 1\n```\n\n### `fire`\n\n```python\n    def fire(self):\n```\n\nFires it.\n\n```python\n        return 1\n```\n"
        );
    }

    #[test]
    fn pages_of_doxygen_that_no_symbol_follows_are_prose() {
        let text = "/*\n * Ovens.\n * All rights are kept.\n */\n\n/*!\n * @mainpage Ovens\n *\n * They bake bread.\n */\n\n#define OVEN 1\n\n/*!\n * @defgroup doors Doors of ovens\n * Each has two.\n * @{\n */\n\n/** @} */\n";
        let shown = written(text, "c");
        assert!(
            shown.contains("Ovens\n\nThey bake bread.\n")
                && shown.contains("## Doors of ovens\n\nEach has two.\n"),
            "{shown}"
        );
    }

    #[test]
    fn comments_of_other_languages_are_prose_as_well() {
        let markdown = written(
            "/**\n * Adds.\n *\n * @param a The first\n * @returns the sum\n */\nexport function add(a, b) {\n  return a + b;\n}\n",
            "javascript",
        );
        assert!(markdown.starts_with("## `add`\n\nAdds.\n\n- `a`: The first\n- Returns: the sum\n\n```javascript\nexport function add(a, b) {"), "{markdown}");
        let markdown = written(
            "// Package kiln fires.\npackage kiln\n\n// Fire fires n times.\nfunc (k *Kiln) Fire(n int) error {\n\treturn nil\n}\n",
            "go",
        );
        assert!(
            markdown.contains("## `Fire`\n\nFire fires n times.\n\n```go\nfunc (k *Kiln)"),
            "{markdown}"
        );
        assert!(markdown.starts_with("Package kiln fires."), "{markdown}");
    }

    #[test]
    fn a_comment_without_stars_inside_a_type_is_prose_at_its_own_margin() {
        let markdown = written(
            "/** Fires. */\nexport class Kiln {\n\t/**\n\tOpens the door.\n\n\t@returns The heat.\n\t*/\n\topen() {\n\t\treturn 1;\n\t}\n}\n",
            "javascript",
        );
        assert!(
            markdown.contains("\n\nOpens the door.\n\n- Returns: The heat.\n"),
            "{markdown}"
        );
    }
}
