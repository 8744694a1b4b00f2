//! Recognises the marks with which generators of documentation take a file into a page, and puts the files there that stand beside it.

use crate::builder::{each_block, shift};
use crate::words::{WordList, words};
use skillkiln_document::blocks::{Block, BlockKind, Document};
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
    "{% include-markdown ",
    "{!",
    "<<< ",
    ".. include::",
    ".. literalinclude::",
    "include-code::",
    "include::",
    "#+include:",
    "#+INCLUDE:",
    "@includeExample ",
    "@includeCode ",
];
/// Those of them that stand inside listings, which they fill.
const IN_CODE: &[&str] = &[
    "--8<--",
    "{{#include ",
    "{{#rustdoc_include ",
    "<<< ",
    "include::",
    "{!",
];
/// Languages in which such a mark is what a listing shows.
static SHOWN_IN: WordList =
    words!("adoc asciidoc md markdown mdx hbs handlebars html jinja liquid yaml yml");
/// Shortcodes that take a file in.
static SHORTCODES: WordList =
    words!("include readfile code_sample codenew snippet literalinclude import");
/// Attributes that name the file of a shortcode or a component.
const ATTRIBUTES: &[&str] = &["file=", "path=", "src=", "source=", "from="];
/// Extensions of what is shown and not read.
const PICTURES: &[&str] = &[
    "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "ico", "mp4", "webm", "mp3", "css",
];
/// The longest name of a file.
const NAME_MAX: usize = 200;
/// Text that may be taken in from other files: one file may be taken in at many places.
pub const TAKEN_BYTES_MAX: usize = 16 << 20;
/// Files within files that are taken in.
const DEPTH_MAX: usize = 4;

/// Finds the files that stand beside a document.
pub trait Siblings {
    /// What the file at `path` holds; the path is relative to the root of the folder or the archive, without steps that lead up.
    fn file(&self, path: &str) -> Option<Document>;
}

/// The files that a document takes in.
pub(crate) fn names(document: &mut Document) -> Vec<String> {
    each_block(&mut document.blocks, &mut name);
    let files = missing::of(&document.blocks).into_iter();
    files.map(|file| file.name).collect()
}

/// Puts the files that the document at `path` takes in into their places, each whole, as far as `siblings` has them and `left` bytes
/// allow; the others stay named.
pub fn resolve(document: &mut Document, path: &str, siblings: &dyn Siblings, left: &mut usize) {
    within_depth(document, path, siblings, left, 0);
}

fn within_depth(
    document: &mut Document,
    path: &str,
    siblings: &dyn Siblings,
    left: &mut usize,
    depth: usize,
) {
    each_block(&mut document.blocks, &mut name);
    let mut taken = String::new();
    let start = document.text.len() + 1;
    let mut find = |name: &str| -> Option<Vec<Block>> {
        let (path, mut found) = paths(path, name)
            .into_iter()
            .find_map(|path| Some((path.clone(), siblings.file(&path)?)))?;
        if depth < DEPTH_MAX {
            within_depth(&mut found, &path, siblings, left, depth + 1);
        }
        *left = left.checked_sub(found.text.len())?;
        shift(&mut found.blocks, start + taken.len());
        taken.push_str(&found.text);
        taken.push('\n');
        Some(found.blocks)
    };
    fill(&mut document.blocks, &mut find);
    if !taken.is_empty() {
        document.text.push('\n');
        document.text.push_str(&taken);
    }
}

/// Puts what `find` gives into the places of the blocks that name it.
fn fill(blocks: &mut Vec<Block>, find: &mut dyn FnMut(&str) -> Option<Vec<Block>>) {
    for mut block in std::mem::take(blocks) {
        match &mut block.kind {
            BlockKind::Paragraph(_) => {
                let mut gaps = Vec::new();
                for file in missing::of(std::slice::from_ref(&block)) {
                    match find(&file.name) {
                        Some(found) => blocks.extend(found),
                        None => gaps.push(file.name),
                    }
                }
                if !gaps.is_empty() {
                    let names = gaps.iter().map(String::as_str);
                    block.kind = BlockKind::Paragraph(missing::paragraph(names));
                } else if !missing::of(std::slice::from_ref(&block)).is_empty() {
                    continue;
                }
            }
            BlockKind::List { items, .. } => items.iter_mut().for_each(|item| fill(item, find)),
            BlockKind::Quote(inner) | BlockKind::Admonition { blocks: inner, .. } => {
                fill(inner, find);
            }
            BlockKind::Definitions(entries) => entries
                .iter_mut()
                .for_each(|entry| fill(&mut entry.blocks, find)),
            _ => {}
        }
        blocks.push(block);
    }
}

/// Where a file may stand that the document at `path` calls `name`: beside it, or below the root.
fn paths(path: &str, name: &str) -> [String; 2] {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let cleaned = |path: &str| {
        let mut steps: Vec<&str> = Vec::new();
        for step in path.split('/') {
            match step {
                "" | "." => {}
                ".." => {
                    steps.pop();
                }
                step => steps.push(step),
            }
        }
        steps.join("/")
    };
    [cleaned(&format!("{folder}/{name}")), cleaned(name)]
}

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
    // docfx: `[!INCLUDE [name](path)]`, `[!code-csharp[name](path#part)]`.
    if let Some((kind, path)) = within(line, "[!", ")]").and_then(|inner| inner.rsplit_once("](")) {
        let kind = kind.get(..4).map(str::to_ascii_lowercase);
        return file(path).filter(|_| matches!(kind.as_deref(), Some("incl" | "code")));
    }
    let (mark, rest) = BEFORE
        .iter()
        .find_map(|mark| Some((mark, line.strip_prefix(mark)?)))?;
    let ends = match mark.get(..2) {
        Some("{*") => line.ends_with("*}"),
        Some("{!") => line.ends_with("!}"),
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
        .find([' ', '"', '\'', '`', '[', '{', '}', '#', '!'])
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
    use crate::data::code;
    use crate::markup::markdown;
    use skillkiln_document::markdown::write;

    #[test]
    fn the_marks_of_every_generator_name_their_file() {
        for (mark, file) in [
            ("{* ../src/a.py hl[1:3] *}", "../src/a.py"),
            ("--8<-- \"docs/a.py\"", "docs/a.py"),
            ("{{#include ../a.rs:3:9}}", "../a.rs"),
            ("[!INCLUDE [a note](../a.md)]", "../a.md"),
            ("[!code-csharp[](a.cs#L3)]", "a.cs"),
            ("{!docs/a.py!}", "docs/a.py"),
            ("#+INCLUDE: \"a.org\" :lines \"2-\"", "a.org"),
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
            "[!NOTE [a](b.md)]",
            "<https://a.b/>",
        ] {
            assert_eq!(target(other), None, "{other}");
        }
    }

    #[test]
    fn a_file_that_stands_beside_a_document_is_taken_in_and_others_stay_named() {
        struct Folder;
        impl Siblings for Folder {
            fn file(&self, path: &str) -> Option<Document> {
                let text = match path {
                    "docs/parts/oil.md" => "Fill it with oil:\n\n{{#include lamp.yml}}\n",
                    "docs/parts/lamp.yml" => {
                        return Some(code::read("lamp: on\n".to_owned(), "yaml"));
                    }
                    "docs/loop.md" => "Again:\n\n{{#include loop.md}}\n",
                    _ => return None,
                };
                Some(markdown::read(text.to_owned()))
            }
        }
        let read = |text: &str, mut left: usize| {
            let mut document = markdown::read(text.to_owned());
            resolve(&mut document, "docs/guide.md", &Folder, &mut left);
            (write(&document.blocks), document)
        };
        let source =
            "Light it.\n\n- First:\n\n  {{#include parts/oil.md}}\n\n{{#include wick.md}}\n";
        let (markdown, document) = read(source, TAKEN_BYTES_MAX);
        assert_eq!(
            markdown,
            "Light it.\n\n- First:\n\n  Fill it with oil:\n\n  ```yaml\n  lamp: on\n  ```\n\nIncluded here: `wick.md`\n"
        );
        assert!(
            document.text.ends_with("lamp: on\n\n\n"),
            "{:?}",
            document.text
        );
        assert!(read(source, 10).0.contains("Included here: `parts/oil.md`"));
        let (markdown, _) = read("{{#include /docs/loop.md}}\n", TAKEN_BYTES_MAX);
        assert_eq!(markdown.matches("Again").count(), DEPTH_MAX + 1);
    }
}
