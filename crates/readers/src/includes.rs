//! Recognises the marks with which generators of documentation take a file into a page, where the file is not there.

use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::missing;
use skillkiln_document::text::plain;

/// What stands before a file's name, in the usual generators.
const BEFORE: &[&str] = &[
    "{* ",
    "--8<--",
    "{{#include ",
    "{{#rustdoc_include ",
    "{{#playground ",
    "{% include_relative ",
    "{% include ",
    "<<< ",
    ".. include::",
    ".. literalinclude::",
    "include-code::",
    "include::",
    "@includeExample ",
    "@includeCode ",
];
/// Those of them that stand inside listings, which they fill.
const IN_CODE: &[&str] = &["--8<--", "{{#include ", "{{#rustdoc_include ", "<<< "];
/// Languages in which such a mark is what a listing shows.
const SHOWN_IN: &[&str] = &[
    "md",
    "markdown",
    "mdx",
    "hbs",
    "handlebars",
    "html",
    "jinja",
    "liquid",
    "yaml",
    "yml",
];
/// Shortcodes that take a file in.
const SHORTCODES: &[&str] = &[
    "include",
    "readfile",
    "code_sample",
    "codenew",
    "snippet",
    "literalinclude",
    "import",
];
/// Attributes that name the file of a shortcode or a component.
const ATTRIBUTES: &[&str] = &["file=", "path=", "src=", "source=", "from="];
/// Extensions of what is shown and not read.
const PICTURES: &[&str] = &[
    "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "ico", "mp4", "webm", "mp3", "css",
];
/// The longest name of a file.
const NAME_MAX: usize = 200;

/// Puts a paragraph that names the file in the place of a block that is only marks.
pub(crate) fn name(block: &mut Block) {
    let names: Option<Vec<String>> = match &block.kind {
        BlockKind::Paragraph(text) => plain(text).lines().map(target).collect(),
        BlockKind::Code {
            language: Some(language),
            text,
        } if !SHOWN_IN.contains(&language.as_str()) => {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            let is_mark = |line: &str| {
                IN_CODE
                    .iter()
                    .any(|mark| line.trim_start().starts_with(mark))
            };
            lines
                .map(|line| target(line).filter(|_| is_mark(line)))
                .collect()
        }
        _ => None,
    };
    if let Some(names) = names.filter(|names| !names.is_empty()) {
        block.kind = BlockKind::Paragraph(missing::paragraph(names.iter().map(String::as_str)));
    }
}

/// The file that a line which is only a mark takes in.
pub(crate) fn target(line: &str) -> Option<String> {
    let line = line.trim();
    if let Some(inner) = within(line, "{{<", ">}}").or_else(|| within(line, "{{%", "%}}")) {
        let (name, rest) = inner.split_once(char::is_whitespace)?;
        return match SHORTCODES.contains(&name) {
            true => attribute(rest).or_else(|| file(rest)),
            false => None,
        };
    }
    if let Some(inner) = within(line, "<", "/>") {
        let is_component = inner.starts_with(|c: char| c.is_ascii_uppercase());
        return attribute(inner).filter(|_| is_component);
    }
    let (mark, rest) = BEFORE
        .iter()
        .find_map(|mark| Some((mark, line.strip_prefix(mark)?)))?;
    let ends = match mark.get(..2) {
        Some("{*") => line.ends_with("*}"),
        Some("{%") => line.ends_with("%}"),
        Some("{{") => line.ends_with("}}"),
        _ => true,
    };
    let is_alone = match *mark {
        "include::" | "include-code::" => rest.ends_with(']'),
        "<<< " => rest.starts_with(['@', '.', '/']),
        _ => true,
    };
    file(rest).filter(|_| ends && is_alone)
}

fn within<'l>(line: &'l str, start: &str, end: &str) -> Option<&'l str> {
    Some(line.strip_prefix(start)?.strip_suffix(end)?.trim())
}

/// The file that an attribute names.
fn attribute(attributes: &str) -> Option<String> {
    let values = ATTRIBUTES.iter().filter_map(|name| {
        let (before, value) = attributes.split_once(name)?;
        before
            .ends_with(char::is_whitespace)
            .then_some(value)
            .or((before.is_empty()).then_some(value))
    });
    values
        .filter_map(file)
        .find(|file| file.contains('.') && !file.contains("://"))
}

/// The first name in `text`, without quotes and what else the mark says.
fn file(text: &str) -> Option<String> {
    let text = text.trim_start_matches([' ', '"', '\'', '`', '{', '@']);
    let end = text
        .find([' ', '"', '\'', '`', '[', '{', '}', '#'])
        .unwrap_or(text.len());
    let name = text.get(..end)?;
    // Lines of the file: `a.rs:3:9`.
    let name = name.split(':').next().unwrap_or(name);
    let extension = name.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
    let is_name = name.contains(char::is_alphanumeric) && name.len() <= NAME_MAX;
    (is_name && !PICTURES.contains(&extension.as_str())).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marks_of_every_generator_name_their_file() {
        for (mark, file) in [
            ("{* ../src/a.py hl[1:3] *}", "../src/a.py"),
            ("--8<-- \"docs/a.py\"", "docs/a.py"),
            ("{{#include ../a.rs:3:9}}", "../a.rs"),
            ("{% include \"a.html\" %}", "a.html"),
            ("{{< readfile file=\"/a.yaml\" code=\"true\" >}}", "/a.yaml"),
            ("{{% include \"a.md\" %}}", "a.md"),
            ("<<< @/snippets/a.js{2}", "/snippets/a.js"),
            ("include::a.adoc[]", "a.adoc"),
            ("include-code::Sample[]", "Sample"),
            (".. include:: a.rst", "a.rst"),
            ("@includeExample a/b.js", "a/b.js"),
            ("<CodeSnippet lang=\"js\" file=\"a.ts\" />", "a.ts"),
            ("<Include src={`a.mdx`} />", "a.mdx"),
        ] {
            assert_eq!(target(mark).as_deref(), Some(file), "{mark}");
        }
        for other in [
            "See {* a.py *} for more",
            "<Image src=\"a.png\" />",
            "<Card href=\"a.html\" title=\"A\" />",
            "<img src=\"a.txt\" />",
            "{{< relref \"a.md\" >}}",
            "include::a",
            "<<< EOF",
            "<https://a.b/>",
        ] {
            assert_eq!(target(other), None, "{other}");
        }
    }
}
