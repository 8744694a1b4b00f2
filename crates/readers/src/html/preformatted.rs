//! Finds pages that are preformatted text, in one piece or in many, and prose all the same: manuals and helps that were typed for a
//! terminal and put on the web as they were.

use crate::code_like;
use crate::html::code;
use crate::text::help::is_help;
use dom_query::{NodeId, NodeRef};
use skillkiln_document::blocks::{Block, BlockKind, Document};
use skillkiln_document::orders::names_a_turn;
use skillkiln_document::text::{Inline, squash};
use std::collections::HashSet;

/// Lines that are looked at.
const LINES_MAX: usize = 1_000;
/// With fewer lines than this nobody can tell.
const LINES_MIN: usize = 8;
/// Of ten parts of a page, so many are the one text that it is.
const ONE_SHARE: usize = 8;
/// Of ten parts, so many are its texts together: headings and a menu stand between them.
const MANY_SHARE: usize = 6;

/// The preformatted texts of `content` that are words laid out for reading and not code, when nearly all of it is one of them, or
/// most of it many.
pub(super) fn prose(content: &NodeRef<'_>) -> HashSet<NodeId> {
    let found: Vec<(NodeRef<'_>, String)> = content
        .descendants_it()
        .filter(|node| node.has_name("pre") && code::language(node).is_none())
        .map(|node| (node, code::text(&node)))
        .collect();
    if found.is_empty() {
        return HashSet::new();
    }
    let chars: usize = found
        .iter()
        .map(|(node, _)| node.normalized_char_count())
        .sum();
    let share = if found.len() > 1 {
        MANY_SHARE
    } else {
        ONE_SHARE
    };
    let texts: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
    let is_help = texts
        .first()
        .is_some_and(|text| is_help(text) || is_manual(text));
    if chars * 10 < content.normalized_char_count() * share
        || !is_help && !is_prose(&texts.join("\n\n"))
    {
        return HashSet::new();
    }
    found
        .iter()
        .filter(|(_, text)| found.len() == 1 || is_words(text))
        .map(|(node, _)| node.id)
        .collect()
}

/// The text of `node` for reading: what the page of a help file sets in bold, a line at a time, has the marks around it that the file
/// itself has there.
pub(super) fn laid_out(node: &NodeRef<'_>, text: String) -> String {
    if !is_help(&text) {
        return text;
    }
    let mut whole = String::with_capacity(text.len());
    // Where the lines in bold begin.
    let mut bold = HashSet::new();
    for child in node.children_it(false) {
        let begins = whole.is_empty() || whole.ends_with('\n');
        let ends = child
            .next_sibling()
            .is_none_or(|next| next.text().starts_with(['\n', '\r']));
        if child.has_name("b") && begins && ends {
            bold.insert(whole.len());
        }
        whole.push_str(&child.text());
    }
    let mut out = String::with_capacity(whole.len());
    let (mut at, mut is_code) = (0, false);
    for line in whole.split_inclusive('\n') {
        let words = line.trim_end_matches(['\n', '\r']);
        let is_bold = bold.contains(&at) && !words.trim().is_empty();
        at += line.len();
        // What names columns was marked behind a blank, which is left.
        let names_columns = is_bold && words.ends_with(' ');
        let typed = is_bold && !names_columns;
        if typed && !is_code {
            out.insert_str(out.trim_end().len(), " >");
        } else if is_code && !is_bold && words.starts_with([' ', '\t']) && !words.trim().is_empty()
        {
            out.push('<');
        }
        is_code = typed || is_code && words.trim().is_empty();
        out.extend([words.trim_end(), if names_columns { " ~\n" } else { "\n" }]);
    }
    out
}

/// Whether a text is a manual page as terminals show it, however short: its sections stand at the margin by their names.
fn is_manual(text: &str) -> bool {
    let heads = |names: &[&str]| {
        let lines = text.lines().take(LINES_MAX);
        lines.map(str::trim_end).any(|line| names.contains(&line))
    };
    heads(&["NAME"]) && heads(&["SYNOPSIS", "DESCRIPTION"])
}

/// Whether most lines read as words.
fn is_words(text: &str) -> bool {
    let filled = |line: &&str| !line.trim().is_empty();
    let lines = text.lines().take(LINES_MAX).filter(filled);
    lines.clone().filter(|line| reads(line)).count() * 2 >= lines.count()
}

/// Whether most lines read as words, and as sentences. Code with long comments has fewer of the one, statements in words have
/// none of the other.
fn is_prose(text: &str) -> bool {
    let (mut lines, mut prose, mut ends) = (0, 0, 0);
    let (mut paragraphs, mut begun) = (0, 0);
    let mut is_first = true;
    for line in text.lines().take(LINES_MAX) {
        let words = line.trim();
        if words.is_empty() {
            is_first = true;
            continue;
        }
        if is_first {
            paragraphs += 1;
            begun += usize::from(line.starts_with(' ') || words.starts_with(char::is_uppercase));
        }
        is_first = false;
        lines += 1;
        let reads = reads(line);
        prose += usize::from(reads);
        // Languages that end their statements like sentences shout.
        let ends_one = words.ends_with(['.', '?', '!']) || words.contains(". ");
        ends += usize::from(reads && ends_one && words.contains(char::is_lowercase));
    }
    lines >= LINES_MIN
        && prose * 2 >= lines
        && begun * 2 >= paragraphs
        && ends >= 2
        && ends * 10 >= prose
}

/// Whether a line reads as words.
fn reads(line: &str) -> bool {
    let words = line.trim();
    let letters = words
        .chars()
        .filter(|c| c.is_alphabetic() || *c == ' ')
        .count();
    words.split_whitespace().take(4).count() == 4
        && letters * 10 >= words.chars().count() * 8
        && !code_like::line(line)
}

/// Takes the marks of tags that speak to a model out of running text that was code on its page, and what is commented out in
/// it. A lone `<user>` stands for what the reader is to put there.
pub(super) fn quieten(document: &mut Document) {
    if !document.text.contains('<') {
        return;
    }
    let closed: HashSet<&str> = document.text.split("</").skip(1).map(name_of).collect();
    quieten_blocks(&mut document.blocks, &closed);
}

fn quieten_blocks(blocks: &mut [Block], closed: &HashSet<&str>) {
    for block in blocks {
        match &mut block.kind {
            BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => {
                quieten_text(text, closed);
            }
            BlockKind::List { items, .. } => {
                items
                    .iter_mut()
                    .for_each(|item| quieten_blocks(item, closed));
            }
            BlockKind::Quote(inner) | BlockKind::Admonition { blocks: inner, .. } => {
                quieten_blocks(inner, closed);
            }
            BlockKind::Definitions(entries) => {
                for entry in entries {
                    entry
                        .terms
                        .iter_mut()
                        .for_each(|term| quieten_text(term, closed));
                    quieten_blocks(&mut entry.blocks, closed);
                }
            }
            BlockKind::Table { header, rows, .. } => {
                let cells = header.iter_mut().chain(rows.iter_mut().flatten());
                cells.for_each(|cell| quieten_text(cell, closed));
            }
            BlockKind::Code { .. } | BlockKind::Math(_) | BlockKind::Figure { .. } => {}
        }
    }
}

fn quieten_text(text: &mut [Inline], closed: &HashSet<&str>) {
    for inline in text {
        if let Inline::Text(words) = inline
            && words.contains('<')
        {
            *words = squash(&quiet(words, closed));
        }
    }
}

fn quiet(words: &str, closed: &HashSet<&str>) -> String {
    let mut out = String::with_capacity(words.len());
    let mut rest = words;
    // Whether a comment may end from here on.
    let mut may_end = true;
    while let Some((before, tag)) = rest.split_once('<') {
        out.push_str(before);
        let dropped = if tag.starts_with("!--") && may_end {
            let end = tag.find("-->").map(|end| end + 3);
            may_end = end.is_some();
            end
        } else {
            let name = name_of(tag.trim_start_matches('/'));
            let is_turn = names_a_turn(name)
                && (closed.contains(name)
                    || ["system", "assistant", "antml"]
                        .iter()
                        .any(|start| name.to_ascii_lowercase().starts_with(start)));
            tag.find(['<', '>'])
                .filter(|end| is_turn && tag.as_bytes().get(*end) == Some(&b'>'))
                .map(|end| end + 1)
        };
        if dropped.is_none() {
            out.push('<');
        }
        rest = tag.get(dropped.unwrap_or(0)..).unwrap_or("");
    }
    out.push_str(rest);
    out
}

/// The name that a tag begins with.
fn name_of(tag: &str) -> &str {
    tag.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '_')))
        .next()
        .unwrap_or("")
}

#[cfg(test)]
mod tests {
    use crate::html::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_manual_that_is_one_preformatted_text_is_read_as_text_and_code_stays_code() {
        let page = "<html><head><title>Manual</title></head><body><pre>\nKILN(8)                             KILN(8)\n\n<b>NAME</b>\n       kiln - fire clay until it is hard\n\n<b>DESCRIPTION</b>\n       The <a href='kiln.html'>kiln</a> fires clay until it is as hard as a stone\n       and keeps the heat for a day, which is what good clay needs.\n       It must not be opened before that day is over and the clay is cold.\n\n       Wood that is dry burns hot, and wood that is wet makes only smoke.\n       Nobody has ever fired a kiln well with wood of the same year.\n\n<b>EXAMPLE</b>\n       Heat it and look:\n\n           $ kiln --heat 1200\n           $ kiln --look\n</pre></body></html>";
        assert_eq!(
            write(&read(page, None).unwrap().blocks),
            "# kiln(8)\n\n## NAME\n\nkiln - fire clay until it is hard\n\n## DESCRIPTION\n\nThe kiln fires clay until it is as hard as a stone and keeps the heat for a day, which is what good clay needs. It must not be opened before that day is over and the clay is cold.\n\nWood that is dry burns hot, and wood that is wet makes only smoke. Nobody has ever fired a kiln well with wood of the same year.\n\n## EXAMPLE\n\nHeat it and look:\n\n```\n$ kiln --heat 1200\n$ kiln --look\n```\n"
        );
        let code = "fn heat(kiln: &mut Kiln) {\n    // The kiln must be closed before it is heated.\n    kiln.close();\n    kiln.heat = 1_200;\n}\n".repeat(6);
        let page = format!("<html><body><pre>{code}</pre></body></html>");
        let written = write(&read(&page, None).unwrap().blocks);
        assert_eq!(written, format!("```\n{}\n```\n", code.trim_end()));
    }

    #[test]
    fn prose_in_many_preformatted_texts_is_read_as_text_and_the_code_between_stays_code() {
        let words = "The kiln fires clay until it is as hard as a stone.\nIt keeps the heat for a day, which is good.";
        let page = format!(
            "<html><body><h1>Kilns</h1><h2>Heat</h2><pre class=\"text\">{words}\n\n{words}</pre><pre>kiln --heat=900;\nkiln --look;\n</pre><h2>Wood</h2><pre class=\"text\">{words}\n\n{words}</pre></body></html>"
        );
        let shown = words.replace('\n', " ");
        assert_eq!(
            write(&read(&page, None).unwrap().blocks),
            format!(
                "# Kilns\n\n## Heat\n\n{shown}\n\n{shown}\n\n```\nkiln --heat=900;\nkiln --look;\n```\n\n## Wood\n\n{shown}\n\n{shown}\n"
            )
        );
    }

    #[test]
    fn statements_in_words_are_code_without_an_indent_too() {
        let code =
            "open the door of kiln\nset heat to nine hundred\nput the clay on shelf\n".repeat(3);
        let page = format!("<html><body><pre>{code}</pre></body></html>");
        let written = write(&read(&page, None).unwrap().blocks);
        assert_eq!(written, format!("```\n{}\n```\n", code.trim_end()));
    }

    #[test]
    fn what_speaks_to_a_model_in_preformatted_prose_loses_its_marks() {
        let words = "The kiln fires clay until it is as hard as a stone.\nIt keeps the heat for a day, which is good.\n\n".repeat(6);
        let page = format!(
            "<html><body><pre>{words}Call it &lt;system&gt;with care&lt;/system&gt; and &lt;!-- say nothing --&gt; ask &lt;user&gt; first.\n</pre></body></html>"
        );
        let written = write(&read(&page, None).unwrap().blocks);
        assert!(
            written.ends_with("Call it with care and ask \\<user> first.\n"),
            "{written}"
        );
    }

    #[test]
    fn a_help_file_of_vim_on_a_page_is_read_as_text() {
        let page = "<html><body><h1>Vim: heat</h1><pre>\n*<a name=\"heat.txt\"></a><b>heat.txt</b>*\tFor Vim version 9.\n\n==================================\n\n1. The <a href=\"#heat\">heat</a>\t\t*<b>heat</b>*\n\n\t\t\t*<b>'hot'</b>*\n'hot'\tnumber\t(default 900)\n\tFor example:\n<b>\t\t:set hot=800</b>\n<b>\t\t:set warm=:</b>\n\tmakes it cooler.\n</pre></body></html>";
        let text = write(&read(page, None).unwrap().blocks);
        assert!(
            text.ends_with(
                "\\*heat.txt* For Vim version 9.\n\n## 1. The heat\n\n#### 'hot'\n\nnumber (default 900)\n\nFor example:\n\n```\n:set hot=800\n:set warm=:\n```\n\nmakes it cooler.\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn a_manual_of_few_words_is_read_as_text_by_the_names_of_its_sections() {
        let page = "<html><body><pre>\nKILN-SINK(1)                    KILN-SINK(1)\n\n<b>NAME</b>\n       kiln-sink - takes clay\n\n<b>SYNOPSIS</b>\n       <b>kiln-sink</b> [<b>-46cv</b>] [<b>-x</b> <i>time</i>] <i>port backlog</i>\n\n       <b>kiln-sink</b> [<b>-46cv</b>] unix:<i>path backlog</i>\n\n<b>OPTIONS</b>\n       -c     Count it.\n\n       -x time\n              Stop then.\n\n<b>SEE ALSO</b>\n       kiln-source(1), clay source\n</pre></body></html>";
        let text = write(&read(page, None).unwrap().blocks);
        assert!(
            text.starts_with("# kiln-sink(1)\n\n## NAME\n\nkiln-sink - takes clay\n"),
            "{text}"
        );
    }
}
