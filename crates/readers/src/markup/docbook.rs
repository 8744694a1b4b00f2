//! Turns what is written in `DocBook` or Mallard into a page of HTML, whose reader knows the rest: chapters and sections are headings,
//! variable lists are lists of terms, screens and listings are code.
//!
//! Elements after the `DocBook` 5.1 and Mallard 1.0 schemas.

use crate::page::Page;
use crate::words::{Pairs, pairs};
use crate::words::{WordList, words};
use crate::xml_tree::{Element, Tree, predefined};
use std::collections::HashMap;

/// The elements that a document of `DocBook` may consist of.
static ROOTS: WordList =
    words!("appendix article book chapter part refentry reference section set");
/// What stands under a heading of its own.
static DIVISIONS: WordList = words!(
    "set book part chapter appendix article preface reference refentry section simplesect sect1 sect2 sect3 sect4 sect5 refsect1 \
     refsect2 refsect3 refsection page qandadiv topic"
);
/// What the file tells of itself, indexes, and what stands for places elsewhere.
static LEFT_OUT: WordList = words!(
    "info bookinfo articleinfo chapterinfo sectioninfo refentryinfo appendixinfo partinfo prefaceinfo refmeta sect1info sect2info \
     sect3info toc index indexterm anchor titleabbrev desc subjectset remark colophon legalnotice authorgroup comment"
);
/// What is shown in a face of code.
static CODE: WordList = words!(
    "command option filename literal userinput varname function cmd file sys code replaceable parameter envar computeroutput constant \
     classname type systemitem property input output var markup tag sgmltag methodname structname prompt symbol uri arg"
);
/// How far into a file the beginning of its outermost element is looked for, in bytes.
const HEAD_BYTES: usize = 16 << 10;

/// So many entities that a file defines are known, and none that stands for more.
const ENTITIES_MAX: usize = 500;
const ENTITY_BYTES_MAX: usize = 200;
/// What opens a piece that is quoted as it stands.
const QUOTED: &str = "<![CDATA[";

/// The page that `text` is written as; `None` where it is written in neither.
pub(crate) fn page(text: &str) -> Option<String> {
    if !is_docbook(text) {
        return None;
    }
    let defined = defined_entities(text);
    let mut named = String::with_capacity(text.len());
    let mut rest = text;
    // What is quoted as it stands has no entities.
    while let Some((before, behind)) = rest.split_once(QUOTED) {
        named_entities(before, &defined, &mut named);
        let end = behind.find("]]>").unwrap_or(behind.len());
        named.push_str(QUOTED);
        named.push_str(behind.get(..end).unwrap_or_default());
        rest = behind.get(end..).unwrap_or_default();
    }
    named_entities(rest, &defined, &mut named);
    let tree = Tree::read(named.as_bytes())?;
    let root = tree.root();
    let mut page = Page::new(element);
    page.element(root, 0);
    Some(page.finished(title_of(root), "docbook"))
}

/// Whether `text` says of itself that it is written in either: by its type, or by the namespace of its outermost element.
fn is_docbook(text: &str) -> bool {
    let head = head_of(text);
    if !head.trim_start().starts_with('<') {
        return false;
    }
    let tags = head.match_indices('<').map(|(at, _)| at + 1);
    let root = tags
        .filter_map(|at| head.get(at..))
        .find(|tag| tag.starts_with(|c: char| c.is_ascii_alphabetic()))
        .and_then(|tag| tag.split('>').next())
        .unwrap_or_default();
    let name = root.split(|c: char| c.is_whitespace() || c == '/').next();
    let is_document = |name: &str| ROOTS.contains(&name.rsplit(':').next().unwrap_or(name));
    let declares = |name: &str| {
        let tag = format!("<!DOCTYPE {name}");
        let behind = head.split_once(&tag).map(|(_, behind)| behind);
        let typed = behind.and_then(|behind| behind.split(['>', '[']).next());
        typed.is_some_and(|typed| typed.to_lowercase().contains("docbook"))
    };
    root.contains("http://docbook.org/ns/docbook") && name.is_some_and(is_document)
        || root.contains("xmlns=\"http://projectmallard.org/1.0/\"")
        || head.contains("<!DOCTYPE ") && ROOTS.iter().any(|name| declares(name))
}

/// The entities that a file defines for itself as plain text, each with what it stands for.
fn defined_entities(text: &str) -> HashMap<&str, &str> {
    let head = head_of(text);
    let definitions = head.split("<!ENTITY ").skip(1).take(ENTITIES_MAX);
    definitions
        .filter_map(|rest| {
            let (name, rest) = rest.trim_start().split_once(char::is_whitespace)?;
            let rest = rest.trim_start();
            let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            let value = rest.get(1..)?.split(quote).next()?;
            let is_plain = value.len() <= ENTITY_BYTES_MAX && !value.contains(['<', '&', '%']);
            is_plain.then_some((name, value))
        })
        .collect()
}

/// The beginning of a file, in which it says what it is.
fn head_of(text: &str) -> &str {
    text.get(..text.floor_char_boundary(HEAD_BYTES))
        .unwrap_or_default()
}

/// Appends the text with what entities stand for that the file defines, and the names of those in their places that only another
/// file does.
fn named_entities(text: &str, defined: &HashMap<&str, &str>, out: &mut String) {
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('&') {
        out.push_str(before);
        let end = behind
            .bytes()
            .position(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_')));
        let name = end.and_then(|end| behind.get(..end));
        let is_whole = end.is_some_and(|end| behind.as_bytes().get(end) == Some(&b';'));
        match name.filter(|name| is_whole && name.starts_with(|c: char| c.is_ascii_alphabetic())) {
            Some(name) if predefined(name).is_empty() => {
                out.push_str(defined.get(name).copied().unwrap_or_else(|| spoken(name)));
                rest = behind.get(name.len() + 1..).unwrap_or_default();
            }
            _ => {
                out.push('&');
                rest = behind;
            }
        }
    }
    out.push_str(rest);
}

/// What an entity stands for that all of `DocBook` knows, or its name.
fn spoken(name: &str) -> &str {
    match name {
        "nbsp" => "\u{a0}",
        name => ENTITIES.get(name).copied().unwrap_or(name),
    }
}

/// Entities and their signs.
static ENTITIES: Pairs = pairs!(
    "ndash –  mdash —  hellip …  copy ©  reg ®  trade ™  rarr →  times ×  eacute é  auml ä  ouml ö  uuml ü  szlig ß"
);

/// The title of a part, which may stand with what it tells of itself.
fn title_of(element: Element<'_>) -> Option<Element<'_>> {
    let info = || {
        element
            .elements()
            .find(|inner| inner.name().ends_with("info"))
    };
    let title = element.child("title");
    title.or_else(|| info().and_then(|info| info.child("title")))
}

/// A part of the document under its heading, and how deep it lies.
fn division(page: &mut Page, element: Element<'_>, depth: usize) {
    if let Some(title) = title_of(element) {
        page.heading(depth, |page| page.content(title, depth));
    }
    for inner in element.elements() {
        if inner.name() != "title" {
            page.element(inner, depth + 1);
        }
    }
}

/// The elements in it with a sign between them.
fn joined(page: &mut Page, sign: &str, element: Element<'_>, depth: usize) {
    for (number, inner) in element.elements().enumerate() {
        if number > 0 {
            page.html.push_str(sign);
        }
        page.element(inner, depth);
    }
}

/// Code of several lines, which holds no other.
fn is_listing(element: Element<'_>) -> bool {
    element.inside("code").is_empty() && element.text().contains('\n')
}

fn element(page: &mut Page, element: Element<'_>, depth: usize) {
    match element.name() {
        name if DIVISIONS.contains(&name) => division(page, element, depth),
        name if LEFT_OUT.contains(&name) => {}
        name if CODE.contains(&name) && !(name == "code" && is_listing(element)) => {
            page.within("code", element, depth);
        }
        "refsynopsisdiv" => {
            if element.child("title").is_none() {
                page.heading(depth, |page| page.text("Synopsis"));
            }
            division(page, element, depth);
        }
        "refnamediv" => names(page, element, depth),
        "para" | "simpara" | "p" => page.within("p", element, depth),
        "formalpara" | "bridgehead" | "caption" => formal(page, element, depth),
        "itemizedlist" | "list" | "simplelist" | "tree" => list(page, "ul", element, depth),
        "orderedlist" | "procedure" | "substeps" | "steps" | "calloutlist" => {
            list(page, "ol", element, depth);
        }
        "listitem" | "step" | "item" | "member" | "callout" => page.within("li", element, depth),
        "variablelist" | "terms" | "glosslist" | "qandaset" | "revhistory" => {
            terms(page, element, depth);
        }
        "screen" | "programlisting" | "synopsis" | "literallayout" | "code" => {
            page.listing(element);
        }
        "cmdsynopsis" | "funcsynopsis" => {
            let parts = element.elements().map(|part| {
                let text = part.text();
                let words: Vec<&str> = text.split_whitespace().collect();
                let is_optional = part.name() == "arg" && part.attribute("choice") != Some("plain");
                match is_optional && part.attribute("choice") != Some("req") {
                    true => format!("[{}]", words.join(" ")),
                    false => words.join(" "),
                }
            });
            let parts = parts.collect::<Vec<_>>().join(" ");
            page.tagged("pre", |page| page.text(&parts));
        }
        "menuchoice" => joined(page, " › ", element, depth),
        "keycombo" | "keyseq" => joined(page, "+", element, depth),
        "emphasis" | "em" | "firstterm" | "citetitle" => page.within("em", element, depth),
        "keycap" | "key" => page.within("kbd", element, depth),
        "quote" => {
            page.html.push('“');
            page.content(element, depth);
            page.html.push('”');
        }
        "note" | "tip" | "warning" | "caution" | "important" => {
            let class = match (element.name(), element.attribute("style")) {
                ("note", Some(style @ ("tip" | "warning" | "important"))) => style,
                (name, _) => name,
            };
            page.within(&format!("div class=\"admonition {class}\""), element, depth);
        }
        "ulink" => page.link(element.attribute("url").unwrap_or("#"), element, depth),
        "link" => {
            let address = element.attribute("xlink:href");
            match address.or_else(|| element.attribute("href")) {
                Some(address) => page.link(address, element, depth),
                None => page.content(element, depth),
            }
        }
        "table" | "informaltable" => table(page, element, depth),
        "blockquote" | "epigraph" => page.within("blockquote", element, depth),
        "title" => page.within("p", element, depth),
        "imageobject" | "graphic" | "inlinegraphic" | "mediaobject" | "inlinemediaobject"
        | "media" => described(page, element, depth),
        _ => page.content(element, depth),
    }
}

/// What a picture shows, where its author says so.
fn described(page: &mut Page, element: Element<'_>, depth: usize) {
    for text in element.all("textobject") {
        page.content(text, depth);
    }
    for text in element.all("caption") {
        page.within("p", text, depth);
    }
    if element.name() == "media" && element.attribute("type") != Some("image") {
        page.content(element, depth);
    }
}

/// What a manual page is called and does.
fn names(page: &mut Page, element: Element<'_>, depth: usize) {
    let names: Vec<String> = element.all("refname").map(Element::text).collect();
    let purpose = element.child("refpurpose").map(Element::text);
    page.heading(depth, |page| page.text("Name"));
    page.tagged("p", |page| {
        page.text(names.join(", ").trim());
        if let Some(purpose) = purpose {
            page.text(&format!(" – {}", purpose.trim()));
        }
    });
}

/// Words in bold letters, and what stands under them.
fn formal(page: &mut Page, element: Element<'_>, depth: usize) {
    let title = element.child("title");
    page.tagged("p", |page| {
        page.within("strong", title.unwrap_or(element), depth)
    });
    for inner in element.elements().filter(|_| title.is_some()) {
        if inner.name() != "title" {
            page.element(inner, depth);
        }
    }
}

/// A list; what stands above its items stands before it.
fn list(page: &mut Page, tag: &str, element: Element<'_>, depth: usize) {
    let is_item = |name: &str| matches!(name, "listitem" | "step" | "item" | "member" | "callout");
    for inner in element.elements().filter(|inner| !is_item(inner.name())) {
        match inner.name() {
            "title" => formal(page, inner, depth),
            _ => page.element(inner, depth),
        }
    }
    page.tagged(tag, |page| {
        for item in element.elements().filter(|inner| is_item(inner.name())) {
            page.element(item, depth);
        }
    });
}

/// A list of terms, or of questions, each with what is said of it.
fn terms(page: &mut Page, element: Element<'_>, depth: usize) {
    if let Some(title) = element.child("title") {
        formal(page, title, depth);
    }
    page.html.push_str("<dl>");
    for entry in element.elements() {
        let is_term = |name: &str| matches!(name, "term" | "title" | "glossterm" | "question");
        match entry.name() {
            "varlistentry" | "glossentry" | "item" | "qandaentry" => {}
            "title" => continue,
            _ => {
                page.html.push_str("</dl>");
                match entry.name() {
                    "qandadiv" => terms(page, entry, depth),
                    _ => page.element(entry, depth),
                }
                page.html.push_str("<dl>");
                continue;
            }
        }
        for term in entry.elements().filter(|inner| is_term(inner.name())) {
            page.within("dt", term, depth);
        }
        page.tagged("dd", |page| {
            for inner in entry.elements().filter(|inner| !is_term(inner.name())) {
                match inner.name() {
                    "listitem" | "answer" | "glossdef" => page.content(inner, depth),
                    _ => page.element(inner, depth),
                }
            }
        });
    }
    page.html.push_str("</dl>");
}

fn table(page: &mut Page, element: Element<'_>, depth: usize) {
    page.html.push_str("<table>");
    if let Some(title) = element.child("title") {
        page.within("caption", title, depth);
    }
    for (part, cell) in [("thead", "th"), ("tbody", "td"), ("tfoot", "td")] {
        // Tables within its cells have their own.
        let grouped = element.all("tgroup").flat_map(|group| group.all(part));
        for own in element.all(part).chain(grouped).flat_map(Element::elements) {
            row(page, own, cell, depth);
        }
    }
    // Mallard's rows may stand in the table itself.
    for own in element.all("tr") {
        row(page, own, "td", depth);
    }
    page.html.push_str("</table>");
}

fn row(page: &mut Page, row: Element<'_>, cell: &str, depth: usize) {
    page.tagged("tr", |page| {
        for entry in row.elements() {
            page.within(cell, entry, depth);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::page;
    use crate::html;
    use skillkiln_document::markdown::write;

    fn written(source: &str) -> String {
        let page = page(source).unwrap_or_default();
        html::read(&page, None)
            .map_or_else(|failure| format!("{failure:?}"), |read| write(&read.blocks))
    }

    #[test]
    fn a_book_in_docbook_is_read_by_its_elements() {
        let source = r#"<?xml version="1.0"?>
<!DOCTYPE book PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" "x.dtd">
<book><bookinfo><title>The &kiln; Handbook</title><author><surname>Potter</surname></author></bookinfo>
<chapter id="use"><title>Use</title><para>Run <command>kiln</command> of <ulink url="https://example.org">it</ulink>.</para>
<screen>$ kiln -a &lt;pot&gt;
done</screen>
<variablelist><varlistentry><term><option>-a</option></term><listitem><para>Burns all.</para></listitem></varlistentry></variablelist>
<sect1><title>Wood</title><itemizedlist><listitem><para>It is dry.</para></listitem><listitem><para>It burns.</para></listitem></itemizedlist>
<warning><para>It is hot.</para></warning>
<informaltable><tgroup cols="2"><thead><row><entry>Key</entry><entry>Does</entry></row></thead><tbody><row><entry>A</entry><entry>Burns</entry></row></tbody></tgroup></informaltable></sect1>
</chapter></book>"#;
        let written = written(source);
        for part in [
            "# The kiln Handbook\n",
            "## Use\n\nRun `kiln` of [it](https://example.org).\n",
            "$ kiln -a <pot>\ndone\n```",
            "`-a`",
            "Burns all.",
            "### Wood\n\n- It is dry.\n- It burns.\n\n> **Warning:** It is hot.\n",
            "| Key | Does |\n| --- | --- |\n| A | Burns |",
        ] {
            assert!(written.contains(part), "{part}\n---\n{written}");
        }
        assert!(!written.contains("Potter"), "{written}");
    }

    #[test]
    fn a_page_in_mallard_is_read_by_its_elements() {
        let source = r#"<page xmlns="http://projectmallard.org/1.0/" type="topic" id="add"><info><desc>Add pots.</desc></info>
<title>Add a pot</title><steps><title>To add one:</title><item><p>Open the <gui>Kiln</gui> with the handle on its left side.</p></item><item><p>Press <key>Enter</key>.</p></item></steps>
<note style="warning"><p>It is hot.</p></note></page>"#;
        assert_eq!(
            written(source),
            "# Add a pot\n\n**To add one:**\n\n1. Open the Kiln with the handle on its left side.\n2. Press `Enter`.\n\n> **Warning:** It is hot.\n"
        );
    }

    #[test]
    fn tables_within_tables_are_written_once() {
        let open = "<informaltable><tgroup><tbody><row><entry>a".repeat(40);
        let close = "</entry></row></tbody></tgroup></informaltable>".repeat(40);
        let source = format!(
            "<!DOCTYPE article PUBLIC \"-//OASIS//DTD DocBook XML V4.5//EN\" \"x\"><article>{open}{close}</article>"
        );
        let page = page(&source).unwrap();
        assert_eq!(page.matches("<td>").count(), 40);
    }

    #[test]
    fn what_a_file_defines_is_in_its_place_and_what_it_quotes_stays() {
        let source = "<!DOCTYPE article PUBLIC \"-//OASIS//DTD DocBook XML V4.5//EN\" \"x\" [<!ENTITY ver \"2.7\">]><article><para>Kiln &ver; of &maker;.</para><programlisting><![CDATA[int *p = &door;]]></programlisting><qandaset><qandadiv><qandaentry><question><para>Hot?</para></question><answer><para>Yes.</para></answer></qandaentry></qandadiv></qandaset><para>Press <keycombo><keycap>Ctrl</keycap><keycap>C</keycap></keycombo>.</para></article>";
        let written = written(source);
        for part in [
            "Kiln 2.7 of maker.",
            "int *p = &door;",
            "Hot?",
            "Yes.",
            "`Ctrl`+`C`",
        ] {
            assert!(written.contains(part), "{part}\n{written}");
        }
    }

    #[test]
    fn other_xml_is_no_page() {
        for source in [
            "<?xml version=\"1.0\"?><project><title>x</title></project>",
            "Write `<!DOCTYPE book PUBLIC \"-//OASIS//DTD DocBook\">` first.",
            "<grammar xmlns=\"http://relaxng.org/ns/structure/1.0\" ns=\"http://docbook.org/ns/docbook\"><start/></grammar>",
            "<xsl:stylesheet xmlns:d=\"http://docbook.org/ns/docbook\"><xsl:template/></xsl:stylesheet>",
        ] {
            assert_eq!(page(source), None);
        }
    }
}
